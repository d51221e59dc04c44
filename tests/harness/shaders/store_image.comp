#version 450
layout(local_size_x = 1) in;
layout(binding = 3, rgba8) uniform writeonly image2D image;
void main()
{
    imageStore(image, ivec2(0), vec4(1.0));
}
