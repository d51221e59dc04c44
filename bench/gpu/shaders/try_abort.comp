#version 460
#extension GL_EXT_abort : require
// EVERY: each invocation gives up. WAITS: the first one gives up, the others wait for what it would have said.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) buffer Source { uint source[]; };
layout(set = 0, binding = 1, std430) buffer Target { uint target[]; };
layout(push_constant) uniform Push { uint count; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
#ifdef EVERY
    abortEXT("invocation %u of %u", i, count);
#else
    if (i == 0)
        abortEXT("nobody waits for invocation %u", i);
    while (atomicOr(target[0], 0u) != 0xffffffffu)
        ;
#endif
    target[i] = 1;
}
