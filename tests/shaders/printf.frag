#version 460
#extension GL_EXT_debug_printf : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_buffer_reference : enable
layout(buffer_reference) buffer Place { uint there; };
layout(push_constant) uniform Push { Place place; };
layout(location = 0) in flat ivec4 i;
layout(location = 1) in vec4 f;
void main()
{
    debugPrintfEXT("%d %v3d %f %1.2v4f %%", i.x, i.xyz, f.x, f);
    debugPrintfEXT("%ld %ul %lf %v2f", int64_t(i.x), uint64_t(i.x), double(f.x), dvec2(f.xy));
    debugPrintfEXT("%hd %hhu %v3d %v4hu %f %v2f", int16_t(i.x), uint8_t(i.y), i8vec3(i.xyz), u16vec4(i), float16_t(f.x), f16vec2(f.xy));
    debugPrintfEXT("%d %v2d %s %p", i.x > 3, bvec2(i.x > 3, i.y > 2), "a string", place);
    debugPrintfEXT("nothing");
    debugPrintfEXT("%f", mat2(f));
}
