Compute shaders of tests/scenarios/descriptor/descriptor_contents.c and descriptor_shared.c: each reads binding 0 in a way of its own and writes to binding 1.
;; first_elements comp
layout(binding = 0) buffer Thing { vec4 value; } things[4];
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = things[0].value + things[1].value; }
;; last_elements comp
layout(binding = 0) buffer Thing { vec4 value; } things[4];
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = things[2].value + things[3].value; }
;; sampled comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(image, vec2(0), 0); }
;; sampled_3d comp
layout(binding = 0) uniform sampler3D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(image, vec3(0), 0); }
;; sampled_array comp
layout(binding = 0) uniform sampler2DArray image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(image, vec3(0), 0); }
;; sampled_samples comp
layout(binding = 0) uniform sampler2DMS image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = texelFetch(image, ivec2(0), 0); }
;; sampled_uint comp
layout(binding = 0) uniform usampler2D image;
layout(binding = 1) buffer Result { uvec4 result; };
void main() { result = textureLod(image, vec2(0), 0); }
;; fetched_uint comp
layout(binding = 0) uniform usampler2D image;
layout(binding = 1) buffer Result { uvec4 result; };
void main() { result = texelFetch(image, ivec2(0), 0); }
;; handed_over comp
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D image;
layout(binding = 0) uniform utexture2D other;
layout(binding = 1) buffer Result { vec4 result; };
vec4 ignore(utexture2D unused) { return vec4(1); }
void main() { result = texelFetch(image, ivec2(0), 0) * ignore(other); }
;; sampled_shadow comp+vulkan1.2
layout(binding = 0) uniform sampler2DShadow image;
layout(binding = 1) buffer Result { float result; };
void main() { result = textureLod(image, vec3(0), 0); }
;; sampled_projected comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureProjLod(image, vec3(0, 0, 1), 0); }
;; sampled_offset comp
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureLodOffset(image, vec2(0), 0, ivec2(1)); }
;; stored_atomic comp
layout(binding = 0, r32ui) uniform uimage2D image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = imageAtomicAdd(image, ivec2(0), 1); }
;; stored_wide comp
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(binding = 0, r64ui) uniform u64image2D image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = uint(imageLoad(image, ivec2(0)).x); }
;; texels_atomic comp
layout(binding = 0, r32ui) uniform uimageBuffer image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = imageAtomicAdd(image, 0, 1); }

;; stored_wide_atomic comp
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(binding = 0, r64ui) uniform u64image2D image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = uint(imageAtomicAdd(image, ivec2(0), 1ul)); }
;; texels_wide_atomic comp
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(binding = 0, r64ui) uniform u64imageBuffer image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = uint(imageAtomicAdd(image, 0, 1ul)); }
;; texels_read_plainly comp
layout(binding = 0, r32ui) uniform uimageBuffer image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = imageLoad(image, 0).x; }
;; stored_read_plainly comp
layout(binding = 0, r32ui) uniform uimage2D image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = imageLoad(image, ivec2(0)).x; }
;; stored_bytes comp
layout(binding = 0, rgba8ui) uniform uimage2D image;
layout(binding = 1) buffer Result { uint result; };
void main() { result = imageLoad(image, ivec2(0)).x; }
;; stored_either comp
layout(binding = 0, r32ui) uniform uimage2D wide;
layout(binding = 0, rgba8ui) uniform uimage2D narrow;
layout(binding = 1) buffer Result { uint result; };
void main()
{
    if (result == 8)
        result = imageLoad(narrow, ivec2(0)).x;
    else
        result = imageLoad(wide, ivec2(0)).x;
}
;; box_filtered comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBoxFilterQCOM(image, vec2(0), vec2(1)); }
;; block_matched comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchSSDQCOM(image, uvec2(0), image, uvec2(0), uvec2(1)); }
;; block_matched_by_sums comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchSADQCOM(image, uvec2(0), image, uvec2(0), uvec2(1)); }
;; window_matched comp
#extension GL_QCOM_image_processing : require
#extension GL_QCOM_image_processing2 : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchWindowSSDQCOM(image, uvec2(0), image, uvec2(0), uvec2(1)); }
;; block_matched_far comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchSADQCOM(image, uvec2(0), image, uvec2(8, 64), uvec2(1)); }
;; block_matched_last comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchSADQCOM(image, uvec2(0), image, uvec2(63, 63), uvec2(1)); }
;; block_matched_sometimes comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { if (result.x > 1) result = textureBlockMatchSADQCOM(image, uvec2(0), image, uvec2(8, 64), uvec2(1)); }
;; window_matched_far comp
#extension GL_QCOM_image_processing : require
#extension GL_QCOM_image_processing2 : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureBlockMatchWindowSSDQCOM(image, uvec2(0), image, uvec2(64, 8), uvec2(1)); }
;; weighted comp
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D image;
layout(binding = 2) uniform sampler2DArray weights;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = textureWeightedQCOM(image, vec2(0), weights); }

;; stored_write comp
layout(binding = 0) writeonly uniform image2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { imageStore(image, ivec2(0), result); }
;; stored_read comp
#extension GL_EXT_shader_image_load_formatted : require
layout(binding = 0) readonly uniform image2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = imageLoad(image, ivec2(0)); }
;; texels_write comp+vulkan1.2
layout(binding = 0) writeonly uniform imageBuffer image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { imageStore(image, 0, result); }
;; texels_read comp+vulkan1.2
#extension GL_EXT_shader_image_load_formatted : require
layout(binding = 0) readonly uniform imageBuffer image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = imageLoad(image, 0); }
;; traced comp
#extension GL_EXT_ray_query : require
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Result { uint result; };
void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, vec3(0), 0, vec3(1, 0, 0), 1);
    result = rayQueryProceedEXT(query) ? 1 : 0;
}
;; frag_sampled frag
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, vec2(0)); }
;; frag_sampled_uint frag
layout(binding = 0) uniform usampler2D image;
layout(location = 0) out vec4 color;
void main() { color = vec4(texture(image, vec2(0)).x); }
;; frag_sampled_sometimes frag
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(0);
    if (gl_FragCoord.x > 1)
        color = texture(image, vec2(0));
}
;; frag_sampled_without_output frag
layout(binding = 0) uniform sampler2D image;
layout(location = 1) out vec4 color;
void main() { color = texture(image, vec2(0)); }
;; frag_stored frag
layout(binding = 0, rgba8) uniform image2D image;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(0);
    imageStore(image, ivec2(0), color);
}
;; frag_loaded frag
layout(binding = 0, rgba8) uniform image2D image;
layout(location = 0) out vec4 color;
void main() { color = imageLoad(image, ivec2(0)); }
;; frag_input frag
layout(input_attachment_index = 0, binding = 0) uniform subpassInput image;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(image); }
;; frag_input_1 frag
layout(input_attachment_index = 1, binding = 0) uniform subpassInput image;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(image); }
;; vert_buffer_stored vert
layout(binding = 0) buffer Result { uint result; };
void main()
{
    result = 1;
    gl_Position = vec4(0, 0, 0, 1);
}
;; frag_buffer_stored frag
layout(binding = 0) buffer Result { uint result; };
void main() { result = 1; }
;; loaded comp
layout(binding = 0) buffer Thing { vec4 value; } thing;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = thing.value; }
;; loaded_uniform comp
layout(binding = 0) uniform Thing { vec4 value; } thing;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = thing.value; }
;; fetched_texels comp
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform textureBuffer texels;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = texelFetch(texels, 0); }
;; separate comp
layout(binding = 0) uniform sampler smooth_one;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform texture2D image;
void main() { result = textureLod(sampler2D(image, smooth_one), vec2(0), 0); }
;; apart comp
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = textureLod(sampler2D(image, one), vec2(0), 0); }
;; apart_uint comp
layout(binding = 0) uniform utexture2D image;
layout(binding = 1) buffer Result { uvec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = textureLod(usampler2D(image, one), vec2(0), 0); }
;; apart_array comp
layout(binding = 0) uniform texture2DArray image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = textureLod(sampler2DArray(image, one), vec3(0), 0); }
;; apart_projected comp
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = textureProjLod(sampler2D(image, one), vec3(1), 0); }
;; apart_offset comp
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = textureLodOffset(sampler2D(image, one), vec2(0), 0, ivec2(1)); }
;; apart_by_two comp
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; uint chosen; };
layout(binding = 2) uniform sampler one;
layout(binding = 2) uniform sampler another;
void main()
{
    result = textureLod(sampler2D(image, one), vec2(0), 0);
    if (chosen == 1)
        result += textureLodOffset(sampler2D(image, another), vec2(0), 0, ivec2(1));
}
;; apart_fetched comp
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main() { result = texelFetchOffset(image, ivec2(0), 0, ivec2(1)); }
;; apart_sampled_and_fetched comp
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D image;
layout(binding = 1) buffer Result { vec4 result; };
layout(binding = 2) uniform sampler one;
void main()
{
    result = textureLod(sampler2D(image, one), vec2(0), 0);
    result += texelFetchOffset(image, ivec2(0), 0, ivec2(1));
}
;; sampled_bias comp
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 2, local_size_y = 2) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Result { vec4 result; };
void main() { result = texture(image, vec2(0), 1.0); }
;; two_sets comp
layout(set = 0, binding = 0) buffer First { vec4 first; };
layout(set = 1, binding = 0) buffer Second { vec4 second; };
void main() { first = second; }
