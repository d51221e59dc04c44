#version 460
// Functions that tests/unit/spirv_link.c brings into modules: what a library can need of one.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_debug_printf : require
#ifdef MODEL_VULKAN
#pragma use_vulkan_memory_model
#endif

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer Node {
    uint value;
    Node next; // a pointer to its own type
    uint rest[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Steps { uint step; };
struct Pair {
    uint first;
    vec2 second[3];
};
layout(set = 7, binding = 3, std430) buffer Store { uint stored[]; } store;

const uint table[4] = uint[4](1, 10, 100, 1000);
uint counter = 5;

uint from_outside() { return 1; } // is replaced by the test

uint twice(const in uint x) { return x * 2 + from_outside(); }

uint chase(const in uvec2 address, const in uint x)
{
    Node node = Node(address);
    node = node.next;
    debugPrintfEXT("left out %u", x);
    return node.value + twice(x) + atomicAdd(node.rest[x], 1u);
}

// Needs nothing that the others need but types.
float power(const in float x)
{
    Pair pair;
    pair.first = uint(x) & 3u;
    for (uint i = 0; i < 3; i++)
        pair.second[i] = vec2(pow(x, float(i)), float(table[pair.first]));
    switch (pair.first) {
    case 1: return pair.second[1].x;
    case 2: return sin(x);
    default: return pair.second[2].y;
    }
}

uint count()
{
    counter += gl_GlobalInvocationID.x;
    return counter + store.stored[counter];
}

// A function with a parameter that is written, and one that calls it twice.
bool take(const in uint x, out uint y)
{
    y = x + 1;
    return x > 3;
}
bool both(const in uint x)
{
    uint y;
    return take(x, y) && take(y, y);
}
