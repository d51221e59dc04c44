Shaders of tests/scenarios/shader/accesses.c that glslang makes.

;; mesh_by_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 8, max_primitives = 2) out;
layout(location = 0) out vec4 colors[];
shared uint words[8];
vec4 own[8];
void main()
{
    uint view = gl_ViewIndex;
    SetMeshOutputsEXT(uvec2(gl_ViewIndex, 3u).y + uint(gl_ViewIndex) * 0u, 1u);
    words[1] = gl_ViewIndex;
    own[2] = vec4(gl_ViewIndex + 1);
    gl_MeshVerticesEXT[0].gl_Position = own[2] * float(gl_ViewIndex);
    colors[gl_ViewIndex] = vec4(words[1]);
    gl_PrimitiveTriangleIndicesEXT[words[0]] = uvec3(0, 1, 2 + uvec2(5, gl_ViewIndex).x);
    gl_MeshPrimitivesEXT[0].gl_Layer = gl_ViewIndex;
}
;; mesh_counts_by_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 8, max_primitives = 2) out;
void main() { SetMeshOutputsEXT(3u, uint(gl_ViewIndex) * 2u + 1u); }
;; mesh_indices_at_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 8, max_primitives = 8) out;
void main() { SetMeshOutputsEXT(3u, 1u); gl_PrimitiveTriangleIndicesEXT[gl_ViewIndex] = uvec3(0, 1, 2); }
;; mesh_indices_of_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(lines, max_vertices = 8, max_primitives = 8) out;
void main() { SetMeshOutputsEXT(3u, 1u); gl_PrimitiveLineIndicesEXT[0] = uvec2(0, gl_ViewIndex + 1); }
;; mesh_shared_at_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(points, max_vertices = 8, max_primitives = 8) out;
shared uint words[8];
void main() { SetMeshOutputsEXT(1u, 1u); words[gl_ViewIndex] = 1; }
;; mesh_private_at_view mesh
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(local_size_x = 1) in;
layout(points, max_vertices = 8, max_primitives = 8) out;
struct S { vec4 first; uint words[8]; } own;
void main() { SetMeshOutputsEXT(1u, 1u); own.words[gl_ViewIndex + 1] = 1; }
;; per_view_by_constants vert
#extension GL_NV_viewport_array2 : require
#extension GL_NVX_multiview_per_view_attributes : require
layout(location = 0) in int number;
vec4 other[2];
void main()
{
    other[number] = vec4(0);
    gl_Position = other[number];
    gl_ViewportMask[0] = 1;
    gl_PositionPerViewNV[0] = vec4(1);
    gl_PositionPerViewNV[1][number] = 2;
    gl_ViewportMaskPerViewNV[1] = 2;
}
;; position_of_vertices geom
#extension GL_NVX_multiview_per_view_attributes : require
layout(triangles) in;
layout(points, max_vertices = 3) out;
void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position + gl_in[i].gl_PositionPerViewNV[1];
        EmitVertex();
    }
}
;; relative_layer vert
#extension GL_NV_viewport_array2 : require
layout(viewport_relative) out int gl_Layer;
void main() { gl_Position = vec4(0); gl_Layer = 1; gl_ViewportIndex = 2; }
;; relative_layer_of_mask vert
#extension GL_NV_viewport_array2 : require
layout(viewport_relative) out int gl_Layer;
void main() { gl_Position = vec4(0); gl_Layer = 1; gl_ViewportMask[0] = 2; }
;; relative_layer_alone vert
#extension GL_NV_viewport_array2 : require
layout(viewport_relative) out int gl_Layer;
void main() { gl_Position = vec4(0); gl_Layer = 1; }
;; nested_input frag
layout(location = 0, component = 1) in float numbers[2][2];
layout(location = 0) out vec4 color;
void main() { color = vec4(numbers[0][1]); }
;; nested_output vert
layout(location = 0, component = 2) out vec2 numbers[2][2];
void main() { numbers[1][1] = vec2(0); gl_Position = vec4(0); }
;; array_input frag
layout(location = 0, component = 1) in float numbers[2];
layout(location = 4) in float nested[2][2];
layout(location = 0) out vec4 color;
void main() { color = vec4(numbers[0] + nested[1][1]); }
;; nested_of_vertices geom
layout(triangles) in;
layout(points, max_vertices = 1) out;
layout(location = 0, component = 1) in float numbers[][2];
void main() { gl_Position = vec4(numbers[0][1]); EmitVertex(); }
;; nested_of_patches tesc
layout(vertices = 3) out;
layout(location = 0, component = 1) out float numbers[][2];
void main() { numbers[gl_InvocationID][1] = 1; }
;; nested_of_points tese
layout(triangles) in;
layout(location = 0, component = 1) in float numbers[][2];
void main() { gl_Position = vec4(numbers[0][1]); }
;; shared_location frag
layout(location = 0, component = 0) flat in ivec2 one;
layout(location = 0, component = 2) flat in ivec2 other;
layout(location = 1) in vec3 third;
layout(location = 2) centroid in vec3 fourth;
layout(location = 0) out vec4 color;
void main() { color = vec4(one, other) + third.xyzx + fourth.xyzx; }
;; subgroup_in_rays rgen
#extension GL_EXT_ray_tracing : require
#extension GL_KHR_shader_subgroup_basic : require
layout(location = 0) rayPayloadEXT uint number;
void main() { number = gl_SubgroupSize + gl_SubgroupInvocationID; }
;; subgroup_in_rays_by_model rgen
#extension GL_EXT_ray_tracing : require
#extension GL_KHR_shader_subgroup_basic : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(location = 0) rayPayloadEXT uint number;
void main() { number = gl_SubgroupSize + gl_SubgroupInvocationID; }
;; ray_end rint
#extension GL_EXT_ray_tracing : require
void main() { reportIntersectionEXT(gl_RayTmaxEXT, 0u); }
;; ray_end_by_model rint
#extension GL_EXT_ray_tracing : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
void main() { reportIntersectionEXT(gl_RayTmaxEXT, 0u); }
;; ray_end_of_hit rchit
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT float number;
void main() { number = gl_RayTmaxEXT; }
