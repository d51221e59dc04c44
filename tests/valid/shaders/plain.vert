#version 450
layout(location = 0) out vec2 passed;
out gl_PerVertex { vec4 gl_Position; };
void main() { passed = vec2(gl_VertexIndex & 1, gl_InstanceIndex & 1); 
 gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.5, 1.0); }
