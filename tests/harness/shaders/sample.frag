#version 450
layout(binding = 2) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(image, vec2(0.5));
}
