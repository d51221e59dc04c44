#version 450
layout(location = 0) out vec2 passed;
layout(set = 0, binding = 0) uniform U { vec4 scale; };
layout(push_constant) uniform P { vec4 pushed; };
out gl_PerVertex { vec4 gl_Position; };
void main() { passed = pushed.xy;  gl_Position = scale * vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, 0.0, 0.5, 1.0); }
