Shaders of tests/scenarios/gpu_limits.c and gpu_source.c: like those of gpu_descriptors.py, each with something else that is special.
;; macro THINGS
layout(binding = 0) buffer Result { vec4 value; } result;
layout(binding = 2) uniform sampler2D things[6];
;; macro MAIN
void main()
{
    if (gl_GlobalInvocationID.x == 5)
        result.value = textureLod(things[push.index], vec2(0.5), 0.0);
}
;; all_constants comp+g
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; uvec4 rest[15]; } push;
@THINGS
void main()
{
    if (gl_GlobalInvocationID.x == 5)
        result.value = textureLod(things[push.index], vec2(0.5), 0.0) + vec4(push.rest[14]);
}
;; legacy comp+g+vulkan1.0
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; } push;
@THINGS
@MAIN
;; legacy_vertex vert+g+vulkan1.0
layout(push_constant) uniform Push { uint index; } push;
@THINGS
void main()
{
    if (gl_VertexIndex == 1)
        result.value = textureLod(things[push.index], vec2(0.5), 0.0);
    gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
;; legacy_fragment frag+g+vulkan1.0
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(1.0);
}
;; many comp+g
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
void main()
{
    result.value = textureLod(things[push.index], vec2(0.5), 0.0);
}
;; many_places comp+g
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
void main()
{
    for (uint i = 0; i < 4; i++)
        result.value += textureLod(things[push.index + gl_LocalInvocationIndex * push.other + i], vec2(0.5), 0.0);
}
;; all_sets comp+g
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
layout(set = 1, binding = 2) uniform sampler2D things1[6];
layout(set = 2, binding = 2) uniform sampler2D things2[6];
layout(set = 3, binding = 2) uniform sampler2D things3[6];
layout(set = 4, binding = 2) uniform sampler2D things4[6];
layout(set = 5, binding = 2) uniform sampler2D things5[6];
layout(set = 6, binding = 2) uniform sampler2D things6[6];
layout(set = 7, binding = 2) uniform sampler2D things7[6];
void main()
{
    if (gl_GlobalInvocationID.x == 5) {
        result.value = textureLod(things[0], vec2(0.5), 0.0) + textureLod(things1[0], vec2(0.5), 0.0) + textureLod(things2[0], vec2(0.5), 0.0) + textureLod(things3[0], vec2(0.5), 0.0) +
            textureLod(things4[0], vec2(0.5), 0.0) + textureLod(things5[0], vec2(0.5), 0.0) + textureLod(things6[0], vec2(0.5), 0.0);
        result.value += textureLod(things7[push.index], vec2(0.5), 0.0);
    }
}
;; debug_info comp+gVS
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
@MAIN
;; debug_none comp
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
@MAIN
;; line_directive comp+g
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
#line 400
@MAIN
;; line_directive_file comp+g
#extension GL_GOOGLE_cpp_style_line_directive : require
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
#line 70 "included/body.glsl"
@MAIN
;; several_lines comp+g
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
@THINGS
void main()
{
    if (gl_GlobalInvocationID.x != 5)
        return;
    result.value = vec4(1.0);
    result.value += textureLod(things[push.other], vec2(0.5), 0.0);   /* the first */
    result.value += textureLod(things[push.index], vec2(0.5), 0.0);   /* the second */
    result.value = vec4(2.0);
}
;; pointers_of_buffers comp+g
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Value { uint value; };
layout(binding = 0) uniform Which { uint index; } which;
layout(binding = 1) buffer Pointers { Value pointer; } pointers[];
void main()
{
    pointers[which.index].pointer.value = 7u;
}
;; one_cause comp+g
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint index; uint other; } push;
layout(binding = 0) buffer Result { vec4 value; } result;
layout(binding = 2) buffer Thing { vec4 value; } things[6];
void main()
{
    uint divisor = 1u;
    if (push.other == 0u)
        divisor = uint(things[push.index].value.x);
    result.value.y = things[push.index].value.y;
    result.value.x = float(7u / divisor) + vec4(1.0, 2.0, 3.0, 4.0)[4u - min(divisor, 1u)];
}
