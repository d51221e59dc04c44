#version 460
#extension GL_GOOGLE_include_directive : require
// The sum of a workgroup's numbers, by halves in shared memory.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };
shared uint sums[GROUP_SIZE];

void main()
{
    uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
    // With an index past the end the invocation writes where its neighbour does: the mistake that a layer is to find.
    uint own = local ^ uint(index[i] >= index.length());
    sums[own] = source[i] + index[i];
    barrier();
    for (uint half_of = GROUP_SIZE / 2u; half_of > 0u; half_of /= 2u) {
        if (local < half_of)
            sums[local] += sums[local + half_of];
        barrier();
    }
    target[i] = sums[0] ^ SALT;
}
