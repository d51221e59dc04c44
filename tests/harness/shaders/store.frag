#version 450
layout(std430, binding = 0) buffer Values
{
    uint values[];
};
layout(location = 0) out vec4 color;
void main()
{
    values[0] = 1;
    color = vec4(1.0);
}
