#version 460
#extension GL_GOOGLE_include_directive : require
// A matrix product by tiles in shared memory: each workgroup multiplies TILES pairs of them and adds what they give.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };
shared uint rows[GROUP_SIZE];    // GROUP_SIZE / TILE_SIDE by TILE_SIDE
shared uint columns[GROUP_SIZE]; // TILE_SIDE by GROUP_SIZE / TILE_SIDE

void main()
{
    const uint side = GROUP_SIZE / TILE_SIDE;
    uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x, first = gl_WorkGroupID.x * GROUP_SIZE;
    uint row = local / side, column = local % side, sum = 0u;
    // With an index past the end the invocation writes where its neighbour does: the mistake that a layer is to find.
    uint own = local ^ uint(index[i] >= index.length());
    for (uint tile = 0u; tile < TILES; tile++) {
        uint from = (first + tile * GROUP_SIZE) % source.length();
        rows[own] = source[from + own];
        columns[own] = index[from + own];
        barrier();
        for (uint k = 0u; k < TILE_SIDE; k++)
            sum += rows[row * TILE_SIDE + k] * columns[k * side + column];
        barrier();
    }
    target[i] = sum ^ SALT;
}
