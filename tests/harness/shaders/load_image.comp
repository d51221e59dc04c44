#version 450
layout(local_size_x = 1) in;
layout(binding = 3, rgba8) uniform readonly image2D image;
shared vec4 texel;
void main()
{
    texel = imageLoad(image, ivec2(0));
}
