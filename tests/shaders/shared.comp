#version 460
/* Shared memory of every type, used in every way. */
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x_id = 1, local_size_y = 2) in;
struct Part { uint8_t kind; f16vec3 at; mat3x2 turn[2]; bool on; };
shared Part parts[4];
shared uint64_t wide[3];
shared float alone;
shared int counters[2][8];
layout(binding = 0) buffer Out { vec4 result; };

float sum(uint at)
{
    return parts[at].turn[1][at].x + float(parts[at].at.y);
}

void main()
{
    uint i = gl_LocalInvocationIndex;
    for (int16_t k = 0s; k < 4s; k++) {
        parts[k].on = i == 3;
        barrier();
    }
    parts[i % 4] = parts[(i + 1) % 4];
    subgroupBarrier();
    memoryBarrierShared();
    counters[i % 2][i % 8]++;
    atomicAdd(counters[0][1], 1);
    wide[i % 3] = uint64_t(atomicCompSwap(counters[1][i % 8], 3, 4));
    switch (i) {
    case 0:
        alone = sum(i);
        break;
    default:
        alone += float(wide[0]);
    }
    result = vec4(alone, parts[0].kind, sum(2), counters[1][2]);
}
