#version 460
// Checks that the depths that a copy takes from a buffer are between 0 and 1.
#extension GL_GOOGLE_include_directive : require
#include "buffers.glsl"

shared uint first;

uint read_texel(const in uint i)
{
    uint width = job().word[DEPTHS_WIDTH], height = job().word[DEPTHS_HEIGHT];
    uint x = i % width, y = i / width % height, z = i / width / height;
    return Data(job_pointer(JOB_DATA)).word[x + y * job().word[DEPTHS_ROW] + z * job().word[DEPTHS_SLICE]];
}

void main()
{
    uint width = job().word[DEPTHS_WIDTH], height = job().word[DEPTHS_HEIGHT];
    uint count = width * height * job().word[DEPTHS_DEPTH];
    if (gl_LocalInvocationIndex == 0u)
        first = 0xffffffffu;
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += JOB_INVOCATIONS) {
        uint bits = read_texel(i); // as a number: drivers may take what is not a number for one that is
        if (bits > 0x3f800000u && bits != 0x80000000u)
            atomicMin(first, i);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && first != 0xffffffffu)
        assay_tell_more(true, BUFFER_RULE_DEPTH * SITE_FACTOR, job().word[DEPTHS_REGION], first % width,
                     job().word[DEPTHS_FIRST_ROW] + first / width % height, job().word[DEPTHS_FIRST_SLICE] + first / width / height, read_texel(first), 0u);
}
