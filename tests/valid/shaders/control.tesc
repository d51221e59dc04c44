#version 450
layout(vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; } gl_out[];
layout(location = 0) in vec2 passed[];
layout(location = 0) out vec2 sent[];
layout(location = 3) patch out vec4 shared_value;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
 sent[gl_InvocationID] = passed[gl_InvocationID]; if (gl_InvocationID == 0) { shared_value = vec4(1);
 gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0; gl_TessLevelInner[0] = 2.0; } }
