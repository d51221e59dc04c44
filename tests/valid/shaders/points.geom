#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; } gl_in[];
out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) in vec2 passed[];
layout(location = 0) out vec2 forth;
void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; forth = passed[i]; EmitVertex(); } EndPrimitive(); }
