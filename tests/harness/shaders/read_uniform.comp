#version 450
layout(local_size_x = 1) in;
layout(std140, binding = 1) uniform Values
{
    uvec4 value;
};
shared uint sum;
void main()
{
    sum = value.x;
}
