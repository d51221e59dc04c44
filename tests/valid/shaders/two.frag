#version 450
layout(location = 0) in vec2 passed;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other;
void main() { color = vec4(passed, 0.5, 1.0); other = color.yxwz; }
