#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Numbers { uint number[]; } numbers;
void main()
{
    uint i = gl_GlobalInvocationID.x;
    numbers.number[i] = i * i;
}
