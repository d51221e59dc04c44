Shaders of tests/scenarios/gpu_bindless_hazards.c: one invocation writes an element of an array of descriptors that is pushed to it, or does so only if it is told to.
;; macro HEAD
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
layout(binding = 0) buffer Result { vec4 value; } result;
;; write_storage_buffer comp+g
@HEAD
layout(binding = 2) buffer Things { vec4 value; } things[6];
void main()
{
    if (gl_GlobalInvocationID.x == 5 && push.other == 0)
        things[push.index].value = vec4(1.0);
}
;; write_storage_image comp+g
@HEAD
layout(binding = 2, rgba8) uniform writeonly image2D things[6];
void main()
{
    if (gl_GlobalInvocationID.x == 5 && push.other == 0)
        imageStore(things[push.index], ivec2(0), vec4(1.0));
}
;; write_storage_texel comp+g
@HEAD
layout(binding = 2, r32ui) uniform writeonly uimageBuffer things[6];
void main()
{
    if (gl_GlobalInvocationID.x == 5 && push.other == 0)
        imageStore(things[push.index], 0, uvec4(1));
}
;; atomic_storage_buffer comp+g
@HEAD
layout(binding = 2) buffer Things { uint value; } things[6];
void main()
{
    if (gl_GlobalInvocationID.x == 5 && push.other == 0)
        result.value.x = float(atomicAdd(things[push.index].value, 1));
}
;; read_all_storage_buffers comp+g
@HEAD
layout(binding = 2) readonly buffer Things { vec4 value; vec4 rest[]; } things[6];
void main()
{
    for (uint i = push.index; i < push.other; i++)
        result.value += things[i].value;
}
