#version 460
#extension GL_EXT_abort : require
// With assertions that hold (ASSERTIONS), with their conditions alone (CONDITIONS), and without: GATHER reads an element that another one names; else each element is worked on for a while.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) buffer readonly Source { uint source[]; };
layout(set = 0, binding = 1, std430) buffer Target { uint target[]; };
layout(push_constant) uniform Push { uint count; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    uint value = source[i];
#ifdef GATHER
#ifdef ASSERTIONS
    if (value >= count)
        abortEXT("element %u names element %u of %u", i, value, count);
#endif
#ifdef CONDITIONS
    if (value >= count)
        return;
#endif
    target[i] = source[value];
#else
    for (uint turn = 0; turn < 64; turn++) {
        value = value * 1664525 + 1013904223 ^ source[value % count] >> 3;
#ifdef ASSERTIONS
        if (value == 0xffffffff)
            abortEXT("element %u is %u in turn %u", i, value, turn);
#endif
#ifdef CONDITIONS
        if (value == 0xffffffff)
            return;
#endif
    }
    target[i] = value;
#endif
}
