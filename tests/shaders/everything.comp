#version 460
// A bit of everything that has operands of its own: wide constants, switches, images, atomics, specialisation constants.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_debug_printf : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_nonuniform_qualifier : require

layout(local_size_x_id = 0, local_size_y = 2) in;
layout(constant_id = 1) const uint steps = 3;
const uint twice = steps * 2;

layout(buffer_reference) buffer Node;
layout(buffer_reference, buffer_reference_align = 8) buffer Node {
    uint64_t value;
    Node next;
};
layout(set = 0, binding = 0, std430) buffer Data {
    uint64_t wide;
    double exact;
    int16_t small;
    uint counters[];
} data;
layout(set = 0, binding = 1, rgba8) uniform image2D images[];
layout(push_constant) uniform Push {
    Node first;
    int choice;
} push;
shared uint scratch[64];

void main()
{
    uint index = gl_GlobalInvocationID.x;
    scratch[gl_LocalInvocationIndex % 64] = index;
    barrier();
    switch (push.choice) {
    case -1: data.wide = 0x123456789abcdef0ul; break;
    case 7: data.exact = 3.14159265358979lf; break;
    default: data.small = int16_t(-5); break;
    }
    for (uint i = 0; i < twice; i++)
        atomicAdd(data.counters[nonuniformEXT(index)], subgroupAdd(i));
    imageStore(images[nonuniformEXT(index)], ivec2(index, 0), vec4(1.0));
    push.first.next.value = data.wide + scratch[0];
    debugPrintfEXT("value %u of %lu", index, data.wide);
}
