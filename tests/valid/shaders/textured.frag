#version 450
layout(location = 0) in vec2 passed;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 1) uniform sampler2D combined;
void main() { color = texture(combined, passed); }
