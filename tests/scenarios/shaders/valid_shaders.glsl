Shaders of tests/scenarios/valid_shaders.c: each is valid, by a boundary, an exception or a feature.
;; shared_specialized comp
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint count = 1000000;
shared uint words[count];
layout(set = 0, binding = 0) buffer Out { uint value; };
void main() { words[gl_LocalInvocationIndex] = 1; barrier(); value = words[0]; }
;; shared_two_by_one_constant comp
layout(local_size_x = 1) in;
layout(constant_id = 1) const uint count = 4;
shared uint first[count], second[2 * count + 1];
layout(set = 0, binding = 0) buffer Out { uint value; };
void main() { first[0] = second[2 * count]; value = first[0]; }
;; shared_exact comp
layout(local_size_x = 64) in;
shared uint words[8192];
layout(set = 0, binding = 0) buffer Out { uint value; };
void main() { words[gl_LocalInvocationIndex] = 1; barrier(); value = words[8191]; }
;; shared_laid_out_twice comp
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 1) in;
shared First { uint words[5000]; } first;
shared Second { vec4 vectors[1250]; } second;
layout(set = 0, binding = 0) buffer Out { uint value; };
void main() { second.vectors[0] = vec4(0); value = first.words[0]; }
;; workgroup_exact comp
layout(local_size_x = 32, local_size_y = 8, local_size_z = 4) in;
void main() { }
;; workgroup_by_constants comp
layout(local_size_x_id = 4, local_size_y_id = 5, local_size_z_id = 6) in;
layout(set = 0, binding = 0) buffer Out { uint value[]; };
void main() { value[gl_LocalInvocationIndex] = gl_WorkGroupSize.x; }
;; push_members_behind comp
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { layout(offset = 240) vec3 last; layout(offset = 252) float very_last; } push;
layout(set = 0, binding = 0) buffer Out { float value; };
void main() { value = push.last.z + push.very_last; }
;; push_unused comp
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { vec4 members[16]; } push;
layout(set = 0, binding = 0) buffer Out { float value; };
void main() { value = 1; }
;; push_array_by_index comp
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { layout(offset = 16) float members[8]; } push;
layout(set = 0, binding = 0) buffer Out { float value; };
void main() { value = push.members[gl_LocalInvocationIndex & 7u]; }
;; bindings_unused comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float value; };
layout(set = 0, binding = 9) uniform sampler2D unused;
layout(set = 3, binding = 1) uniform samplerCube other;
vec4 never() { return texture(other, vec3(0)); }
void main() { value = 1; }
;; bindings_aliased comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(set = 0, binding = 0) buffer Floats { float floats[]; };
layout(set = 0, binding = 1) uniform texture2D picture;
layout(set = 0, binding = 1) uniform sampler filtering;
layout(set = 0, binding = 1) uniform sampler2D both;
void main() { words[0] = 1; floats[1] = texture(sampler2D(picture, filtering), vec2(0)).x + texture(both, vec2(0)).y; }
;; arrays_shorter_than_layouts comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float value; } outs[3];
layout(set = 0, binding = 1) uniform sampler2D pictures[2];
void main() { outs[2].value = texture(pictures[1], vec2(0)).x; }
;; array_by_specialization comp
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint count = 1000;
layout(set = 0, binding = 0) buffer Out { float value; } outs[count];
void main() { outs[count - 1].value = 1; }
;; array_without_end comp
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint value; };
layout(set = 0, binding = 1) uniform sampler2D pictures[];
void main() { value = uint(texture(pictures[nonuniformEXT(value)], vec2(0)).x); }
;; dynamic_buffers comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float value; };
layout(set = 0, binding = 1) uniform In { vec4 given; };
layout(set = 0, binding = 2) uniform Inline { vec4 inlined[3]; };
void main() { value = given.x + inlined[2].w; }
;; images_of_any_format comp
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform image2D any;
layout(set = 0, binding = 1) writeonly uniform image2DArray written;
layout(set = 0, binding = 2, r11f_g11f_b10f) uniform image3D packed;
layout(set = 0, binding = 3, rg16ui) uniform uimageBuffer words;
void main() { vec4 v = imageLoad(any, ivec2(0)); imageStore(written, ivec3(0), v); imageStore(packed, ivec3(0), v); }
;; image_atomics comp
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D words;
layout(set = 0, binding = 1, r64ui) uniform u64image2D wide;
layout(set = 0, binding = 2, r32f) uniform image2D floats;
void main()
{
    imageAtomicAdd(words, ivec2(0), 1u);
    imageAtomicMax(wide, ivec2(0), 1ul);
    imageAtomicAdd(floats, ivec2(0), 1.0);
}
;; small_types comp
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const bool doubled = false;
layout(constant_id = 1) const int16_t half_word = 3s;
layout(constant_id = 2) const double exact_value = 1.0lf;
layout(constant_id = 3) const int64_t wide = 5l;
layout(set = 0, binding = 0, std430) buffer Out { float16_t h; uint8_t b[3]; int16_t s; double d; int64_t l; };
layout(push_constant) uniform Push { float16_t ph; uint8_t pb; } push;
void main()
{
    h = push.ph + 1.0hf;
    b[2] = uint8_t(push.pb + (doubled ? 1 : 0));
    s = half_word;
    d = exact_value;
    l = wide;
}
;; subgroups comp
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint value; int64_t wide; };
void main()
{
    value = subgroupAdd(value) + subgroupBallotBitCount(subgroupBallot(true)) + subgroupQuadSwapHorizontal(value);
    wide = subgroupClusteredAdd(wide, 4);
    value += uint(subgroupShuffle(float16_t(value), 1));
}
;; memory_model comp
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint value; uint other; };
shared uint word;
void main()
{
    atomicAdd(value, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    atomicStore(other, 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    atomicAdd(word, 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    subgroupBarrier();
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}
;; addresses_and_atomics comp
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, buffer_reference_align = 8) buffer Node { uint value; Node next; };
layout(push_constant) uniform Push { Node first; } push;
layout(set = 0, binding = 0) buffer Out { uint64_t sum; };
void main() { Node n = push.first; atomicAdd(sum, uint64_t(n.next.value)); }
;; scalar_layout comp
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, scalar) buffer Out { vec3 a; float b; vec3 c[3]; mat3 m; };
layout(set = 0, binding = 1, scalar) uniform In { float d; vec3 e; float f[5]; };
void main() { a = e; c[2] = vec3(f[4]); b = d; m[1] = c[1]; }
;; gathers comp
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 value; };
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow shadow;
layout(set = 0, binding = 3) uniform samplerCubeArray cubes;
layout(constant_id = 0) const int shift = 1;
void main()
{
    const ivec2 offsets[4] = {ivec2(-8, 7), ivec2(0), ivec2(1), ivec2(-1)};
    value = textureGatherOffsets(picture, vec2(0), offsets, 3) + textureGather(cubes, vec4(0), 1);
    value += textureGatherOffset(picture, vec2(0), ivec2(int(value.x), shift)) + textureLodOffset(picture, vec2(0), 0, ivec2(shift));
    value.x += textureGrad(shadow, vec4(0), vec2(0), vec2(0)) + float(textureQueryLevels(picture));
}
;; queries_of_images comp
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { ivec4 value; };
layout(set = 0, binding = 1, rgba8) readonly uniform image2DMS samples;
layout(set = 0, binding = 2) uniform texture2DMSArray layers;
layout(set = 0, binding = 3) uniform textureBuffer texels;
void main() { value.xy = imageSize(samples); value.z = textureSamples(layers) + imageSamples(samples); value.w = textureSize(texels); }
;; ray_query comp
#extension GL_EXT_ray_flags_primitive_culling : require
#extension GL_EXT_ray_query : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint value; };
layout(set = 0, binding = 1) uniform accelerationStructureEXT scene;
void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT | gl_RayFlagsSkipAABBEXT, 0xff, vec3(0), 0, vec3(1, 0, 0), 1);
    while (rayQueryProceedEXT(query))
        ;
    value = rayQueryGetIntersectionTypeEXT(query, true);
}
;; derivatives comp
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_linearNV) in;
layout(local_size_x = 8, local_size_y = 2, local_size_z = 1) in;
layout(set = 0, binding = 0) buffer Out { float value; };
layout(set = 0, binding = 1) uniform sampler2D picture;
void main() { value = dFdx(float(gl_LocalInvocationID.x)) + texture(picture, vec2(value)).x; }
;; zero_shared comp
#extension GL_EXT_null_initializer : require
layout(local_size_x = 1) in;
shared uint words[16] = {};
layout(set = 0, binding = 0) buffer Out { uint value; };
void main() { value = words[3]; }
;; assumes comp
#extension GL_EXT_expect_assume : require
#extension GL_EXT_integer_dot_product : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { int value; ivec4 vector; };
void main() { assumeEXT(value > 0); value = dotEXT(vector, vector) + dotPacked4x8EXT(value, value); }
;; plain vert
void main() { gl_Position = vec4(0, 0, 0, 1); }
;; last_locations vert
layout(location = 31) in vec4 position;
layout(location = 30) in mediump ivec2 pair;
layout(location = 31) out vec4 color;
layout(location = 0, component = 3) flat out int lone;
layout(location = 0, component = 1) flat out ivec2 two;
void main() { gl_Position = position; color = vec4(pair, 0, 0); lone = 1; two = pair; }
;; last_locations_in frag
layout(location = 31) in vec4 color;
layout(location = 0, component = 3) flat in int lone;
layout(location = 0, component = 2) flat in int second;
layout(location = 7) out vec4 last;
void main() { last = color * float(lone * second); }
;; blocks_out vert
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[4]; float gl_CullDistance[4]; };
layout(location = 2) out Block { vec4 a; layout(location = 5) vec2 b; layout(location = 9) flat uvec3 c; mat3 d; } block;
layout(location = 20) out vec2 pairs[3];
void main()
{
    gl_Position = vec4(0);
    block.a = vec4(0);
    block.b = vec2(0);
    block.c = uvec3(0);
    block.d = mat3(1);
    pairs[0] = pairs[1] = pairs[2] = vec2(1);
    gl_ClipDistance[3] = gl_CullDistance[3] = 1;
}
;; members_in frag
in float gl_ClipDistance[2];
layout(location = 2) in vec4 a;
layout(location = 5) in vec2 b;
layout(location = 9) flat in uvec3 c;
layout(location = 11) in vec3 second_column;
layout(location = 21) in float one_of_pairs;
layout(location = 0) out vec4 color;
void main() { color = a + b.xyxy + vec4(c, 1) + second_column.xyzz * one_of_pairs + gl_ClipDistance[1]; }
;; doubles_out vert
layout(location = 0) in dvec4 wide;
layout(location = 2) in dvec2 narrow;
layout(location = 0) flat out dvec3 out_wide;
layout(location = 2) flat out double out_narrow;
void main() { gl_Position = vec4(wide); out_wide = wide.xyz; out_narrow = narrow.y; }
;; doubles_in frag
layout(location = 0) flat in dvec3 wide;
layout(location = 2) flat in double narrow;
layout(location = 0) out vec4 color;
void main() { color = vec4(wide, narrow); }
;; draw_parameters vert
#extension GL_EXT_multiview : require
layout(location = 0) flat out ivec4 numbers;
void main()
{
    gl_Position = vec4(0);
    numbers = ivec4(gl_BaseVertex, gl_BaseInstance, gl_DrawID, gl_ViewIndex);
}
;; reads_buffers vert
layout(set = 0, binding = 0) readonly buffer In { vec4 positions[]; };
layout(set = 0, binding = 1) buffer Members { readonly vec4 first; readonly vec4 rest[]; } members;
layout(set = 0, binding = 2, rgba8) readonly uniform image2D picture;
void main() { gl_Position = positions[gl_VertexIndex] + members.rest[gl_InstanceIndex] + imageLoad(picture, ivec2(0)); }
;; layer_and_viewport vert
#extension GL_ARB_shader_viewport_layer_array : require
void main() { gl_Position = vec4(0); gl_Layer = 1; gl_ViewportIndex = 1; }
;; layer_and_viewport_in frag
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_Layer, gl_ViewportIndex, gl_PrimitiveID, gl_FrontFacing); }
;; shading_rate vert
#extension GL_EXT_fragment_shading_rate : require
void main() { gl_Position = vec4(0); gl_PrimitiveShadingRateEXT = gl_ShadingRateFlag2VerticalPixelsEXT; }
;; shading_rate_in frag
#extension GL_EXT_fragment_shading_rate : require
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_ShadingRateEXT); }
;; writes_nothing frag
void main() { }
;; writes_more_than_there_is frag
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
layout(location = 3) out uvec4 third;
void main() { first = second = vec4(1); third = uvec4(1); }
;; writes_parts frag
layout(location = 0) out vec2 two;
layout(location = 0, component = 2) out float third;
layout(location = 0, component = 3) out float fourth;
void main() { two = vec2(0); third = fourth = 1; }
;; writes_two_sources frag
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
void main() { color = factor = vec4(1); }
;; writes_integers frag
layout(location = 0) out ivec4 color;
void main() { color = ivec4(1); }
;; depth_and_mask frag
layout(depth_greater) out float gl_FragDepth;
layout(location = 0) out vec4 color;
void main() { gl_FragDepth = gl_FragCoord.z + 0.1; gl_SampleMask[0] = gl_SampleMaskIn[0] & 1; color = vec4(gl_SampleID, gl_SamplePosition, 0); }
;; stencil_written frag
#extension GL_ARB_shader_stencil_export : require
#extension GL_ARB_post_depth_coverage : enable
layout(location = 0) out vec4 color;
void main() { gl_FragStencilRefARB = 3; color = vec4(0); }
;; interpolates frag
layout(location = 0) centroid in vec4 middle;
layout(location = 1) sample in vec4 every;
layout(location = 2) noperspective in vec4 flat_one;
layout(location = 0) out vec4 color;
void main() { color = interpolateAtCentroid(middle) + interpolateAtSample(every, 0) + interpolateAtOffset(flat_one, vec2(0.25)); }
;; interpolated_out vert
layout(location = 0) out vec4 middle;
layout(location = 1) out vec4 every;
layout(location = 2) out vec4 flat_one;
layout(location = 3) out vec4 nobody_reads;
void main() { gl_Position = middle = every = flat_one = nobody_reads = vec4(0); }
;; barycentric frag
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec4 corners[3];
layout(location = 0) out vec4 color;
void main() { color = corners[0] * gl_BaryCoordEXT.x + corners[2] * gl_BaryCoordNoPerspEXT.z; }
;; one_color vert
layout(location = 0) out vec4 color;
void main() { gl_Position = color = vec4(0); }
;; interlocked frag
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 0, r32ui) coherent uniform uimage2D counts;
void main()
{
    beginInvocationInterlockARB();
    imageStore(counts, ivec2(0), imageLoad(counts, ivec2(0)) + 1u);
    endInvocationInterlockARB();
}
;; demotes frag
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_terminate_invocation : require
layout(location = 0) out vec4 color;
void main()
{
    if (gl_FragCoord.x < 0)
        demote;
    if (helperInvocationEXT())
        terminateInvocation;
    color = vec4(gl_HelperInvocation);
}
;; inputs frag
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput first;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(first); }
;; passes_points geom
layout(points) in;
layout(points, max_vertices = 256) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 passed;
void main() { gl_Position = gl_in[0].gl_Position; passed = color[0]; gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex(); }
;; streams geom
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in vec4 color[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 drawn;
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 16) out vec4 captured;
void main() { drawn = color[0]; EmitStreamVertex(0); captured = color[0]; EmitStreamVertex(1); }
;; adjacent geom
layout(triangles_adjacency, invocations = 32) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[6];
layout(location = 0) out vec4 passed;
void main() { gl_Position = gl_in[5].gl_Position; passed = color[4]; gl_Layer = gl_InvocationID; EmitVertex(); }
;; patches tesc
layout(vertices = 32) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 passed[];
layout(location = 1) patch out vec4 of_the_patch;
layout(location = 2) patch out Block { vec2 a; vec4 b[2]; } block;
layout(location = 9) out vec4 nobody_reads[];
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position;
    passed[gl_InvocationID] = color[gl_PatchVerticesIn - 1];
    nobody_reads[gl_InvocationID] = vec4(0);
    of_the_patch = vec4(0);
    block.a = vec2(0);
    block.b[1] = vec4(0);
    gl_TessLevelOuter[0] = gl_TessLevelInner[0] = 64;
}
;; patches_in tese
layout(isolines, point_mode, fractional_odd_spacing) in;
layout(location = 0) in vec4 passed[gl_MaxPatchVertices];
layout(location = 1) patch in vec4 of_the_patch;
layout(location = 2) patch in Block { vec2 a; vec4 b[2]; } block;
layout(location = 0) out vec4 color;
void main() { gl_Position = gl_TessCoord.xyzz + of_the_patch + block.b[1]; color = passed[31]; }
;; task task
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in;
struct Payload { uint words[8]; };
taskPayloadSharedEXT Payload payload;
void main() { payload.words[gl_LocalInvocationIndex & 7] = gl_DrawID; EmitMeshTasksEXT(2, 1, 1); }
;; mesh mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 32) in;
layout(lines, max_vertices = 256, max_primitives = 256) out;
struct Payload { uint words[8]; };
taskPayloadSharedEXT Payload payload;
layout(location = 0) out vec4 color[];
layout(location = 1) perprimitiveEXT out vec4 of_the_line[];
layout(location = 2) perprimitiveEXT flat out uint number[];
void main()
{
    SetMeshOutputsEXT(2, 1);
    gl_MeshVerticesEXT[gl_LocalInvocationIndex & 1].gl_Position = vec4(payload.words[3] + gl_ViewIndex);
    color[gl_LocalInvocationIndex & 1] = vec4(0);
    of_the_line[0] = vec4(1);
    number[0] = 1;
    gl_PrimitiveLineIndicesEXT[0] = uvec2(0, 1);
    gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 3;
    gl_MeshPrimitivesEXT[0].gl_Layer = 0;
    gl_MeshPrimitivesEXT[0].gl_CullPrimitiveEXT = false;
}
;; mesh_alone mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(points, max_vertices = 1, max_primitives = 1) out;
layout(location = 0) out vec4 color[];
void main() { SetMeshOutputsEXT(1, 1); color[0] = vec4(gl_DrawID); gl_MeshVerticesEXT[0].gl_Position = vec4(0); gl_PrimitivePointIndicesEXT[0] = 0; }
;; mesh_in frag
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 color;
layout(location = 1) perprimitiveEXT in vec4 of_the_line;
layout(location = 2) perprimitiveEXT flat in uint number;
layout(location = 0) out vec4 result;
void main() { result = color + of_the_line + float(number) + gl_PrimitiveID; }
;; color_in frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
;; captures vert
layout(xfb_buffer = 3, xfb_stride = 256) out;
layout(location = 0, xfb_buffer = 3, xfb_offset = 240) out vec4 color;
void main() { gl_Position = color = vec4(0); }
;; old_fill comp+vulkan1.0
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint value[]; };
void main() { value[gl_GlobalInvocationID.x] = 1; }
;; old_plain vert+vulkan1.0
void main() { gl_Position = vec4(0, 0, 0, 1); }
;; old_color frag+vulkan1.0
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
