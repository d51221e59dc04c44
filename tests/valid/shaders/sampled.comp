#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) buffer B { vec4 value; };
void main() { value = textureLod(image, vec2(0.5), 0.0); }
