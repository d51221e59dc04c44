#version 450
layout(set = 0, binding = 1) readonly buffer Data { vec4 colour; } data[16];
layout(location = 0) out vec4 colour;
void main()
{
    colour = data[0].colour + data[15].colour;
}
