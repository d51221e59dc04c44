#version 460
// Device addresses: scalars, vectors, structures, pointers in memory, atomics.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { vec4 value; mat3 turn; Node next; uint count; vec2 points[]; };
layout(buffer_reference, std430) buffer Words { uint word[]; };
layout(push_constant) uniform Push { Node first; uvec2 second; } push;

void main()
{
    Node node = push.first;
    vec4 sum = vec4(0.0);
    while (node.count > 0) {
        sum += node.value + vec4(node.turn * node.value.xyz, 1.0);
        sum.xy += node.points[gl_VertexIndex];
        node = node.next;
    }
    atomicAdd(Words(push.second).word[gl_InstanceIndex], 1u);
    gl_Position = sum;
}
