#version 460
#extension GL_GOOGLE_cpp_style_line_directive : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Block { uint data[]; } blocks[4];
uint pick(uint i)
{
    return i * 3u; // an OpIMul
}
#line 100 "included.glsl"
void helper(uint j) {
    blocks[j].data[0] = pick(j); // an OpAccessChain
}
#line 15
void main()
{
    uint i = gl_LocalInvocationIndex + pick(2u); // an OpIAdd
    helper(i);
    if (i > 3u)
        atomicAdd(blocks[0].data[1], i); // an OpAtomicIAdd
}
