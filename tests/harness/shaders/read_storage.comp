#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Values
{
    uint values[];
};
shared uint sum;
void main()
{
    sum = values[gl_GlobalInvocationID.x];
}
