#version 450
layout(location = 0) out vec2 passed;
layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out gl_PerVertex { vec4 gl_Position; };
void main() { passed = vec2(0); gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.5, 1.0); }
