#version 450
// A set of a few descriptors: what a material has.
layout(set = 0, binding = 1) uniform Material { vec4 colour; } material;
layout(set = 0, binding = 2) readonly buffer Data { vec4 colour; } data;
layout(location = 0) out vec4 colour;
void main()
{
    colour = material.colour + data.colour;
}
