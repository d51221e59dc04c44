#version 450
/* Writes each invocation's index into the buffer. */
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Values
{
    uint values[];
};
layout(push_constant) uniform Push
{
    uint offset;
};
void main()
{
    values[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x + offset;
}
