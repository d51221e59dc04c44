#version 450
layout(local_size_x = 1) in;
layout(binding = 2) uniform sampler2D image;
shared vec4 texel;
void main()
{
    texel = textureLod(image, vec2(0.5), 0.0);
}
