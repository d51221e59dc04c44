#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) coherent buffer Data { uint lock, turn, sum; uint data[]; } b;
layout(std430, set = 0, binding = 1) buffer Plain { uint values[]; } p;
bool try_lock() { return atomicCompSwap(b.lock, 0u, 1u) == 0u; }
void wait_for(uint turn)
{
    while (b.turn != turn)
        ;
}
uint plain(uint n)
{
    uint sum = 0u;
    for (uint i = 0u; i < n; i++)
        sum += p.values[i];
    return sum;
}
void main()
{
    wait_for(gl_WorkGroupID.x);
    while (!try_lock())
        ;
    b.sum += plain(gl_WorkGroupID.x);
    atomicExchange(b.lock, 0u);
    for (uint i = 0u; i < 4u; wait_for(i++))
        b.data[i] = plain(i);
    atomicAdd(b.turn, 1u);
}
