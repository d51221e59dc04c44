#version 460
#extension GL_GOOGLE_include_directive : require
// A histogram: all invocations count in a few words that all share.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) buffer Target { uint target[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    atomicAdd(target[(source[index[i]] ^ SALT) % BINS], 1u);
}
