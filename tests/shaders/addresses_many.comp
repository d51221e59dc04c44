#version 460
// Many accesses through few pointers: a block of them has one check, and those in branches ask what a block before them found.
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, row_major) buffer Node { uvec4 value; mat4x3 turn; uint counts[4]; Node next; uint mask; };
layout(push_constant) uniform Push { Node first; uint index; } push;

#define TAKEN(i) if ((node.mask & 1u << (i)) != 0u) sum += push.first.value[(i) % 4] + push.first.counts[(i) % 3] + uint(push.first.turn[(i) % 4][(i) % 3]);
#define FOUR_TAKEN(i) TAKEN(i) TAKEN(i + 1) TAKEN(i + 2) TAKEN(i + 3)

void main()
{
    Node node = push.first.next; // one more, in the first group
    uint sum = push.first.value.x + push.first.counts[1] + push.first.counts[push.index] + push.first.mask;
    sum += node.value.y + node.counts[2] + node.counts[push.index] + uint(node.turn[2].y) + node.mask;
    node.value.z = sum;
    node.next.value.x = 1; // alone: what the pointer was loaded from has been written since
    FOUR_TAKEN(0)
    FOUR_TAKEN(4)
    FOUR_TAKEN(8)
    node.value.w = sum;
}
