#version 450
layout(location = 0) in vec2 passed;
layout(location = 0) out vec4 color;
void main() { color = vec4(passed, 0.5, 1.0); }
