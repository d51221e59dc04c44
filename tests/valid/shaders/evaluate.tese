#version 450
layout(triangles) in;
in gl_PerVertex { vec4 gl_Position; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) in vec2 sent[];
layout(location = 3) patch in vec4 shared_value;
layout(location = 0) out vec2 passed;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
 passed = sent[0] * shared_value.x; }
