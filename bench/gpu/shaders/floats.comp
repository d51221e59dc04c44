#version 460
#extension GL_GOOGLE_include_directive : require
// The gather of storage.comp with arithmetic on floating-point numbers, whose bits are the result.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) writeonly buffer Target { float target[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, number = source[index[i]] ^ SALT;
    target[i] = float(number & 0xffffu) / float(1u << (number >> 28)) + 0.5;
}
