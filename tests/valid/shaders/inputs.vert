#version 450
layout(location = 0) in vec4 position;
layout(location = 2) in uvec2 numbers;
layout(location = 0) out vec2 passed;
out gl_PerVertex { vec4 gl_Position; };
void main() { passed = vec2(numbers); gl_Position = position;  }
