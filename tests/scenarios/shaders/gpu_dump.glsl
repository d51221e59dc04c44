Shaders of tests/scenarios/gpu_dump_memory.c: device addresses among push constants, and a sampled image.
;; dump_addresses comp+g
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Values { vec4 values[4]; };
layout(push_constant) uniform Push { Values from; Values to; uvec2 number; uint count; } push;
void main()
{
    if (gl_GlobalInvocationID.x < push.count + push.number.x)
        push.to.values[gl_GlobalInvocationID.x] = push.from.values[gl_GlobalInvocationID.x];
}
;; dump_list comp+g
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value; };
layout(push_constant) uniform Push { Node nodes[2]; uint count; } push;
void main()
{
    push.nodes[0].value = push.nodes[1].next.value + push.count;
}
;; dump_image comp+g
layout(local_size_x = 4) in;
layout(binding = 0) uniform sampler2D thing;
layout(binding = 1) buffer Result { vec4 value; } result;
void main()
{
    result.value = textureLod(thing, vec2(0.5), 0.0);
}
