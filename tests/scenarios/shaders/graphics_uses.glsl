Shaders of tests/scenarios/shader/graphics_uses.c.
;; uses_vertex vert
void main() { gl_Position = vec4(0, 0, 0, 1); }
;; uses_vertex_color vert
layout(location = 0) out vec4 color;
void main() { gl_Position = color = vec4(0, 0, 0, 1); }
;; uses_vertex_rate vert
#extension GL_EXT_fragment_shading_rate : require
void main() { gl_Position = vec4(0); gl_PrimitiveShadingRateEXT = 0; }
;; uses_vertex_rate_index vert
#extension GL_EXT_fragment_shading_rate : require
#extension GL_ARB_shader_viewport_layer_array : require
void main() { gl_Position = vec4(0); gl_PrimitiveShadingRateEXT = 0; gl_ViewportIndex = 0; }
;; uses_vertex_rate_mask vert
#extension GL_EXT_fragment_shading_rate : require
#extension GL_NV_viewport_array2 : require
void main() { gl_Position = vec4(0); gl_PrimitiveShadingRateEXT = 0; gl_ViewportMask[0] = 1; }
;; uses_vertex_mask_index vert
#extension GL_ARB_shader_viewport_layer_array : require
#extension GL_NV_viewport_array2 : require
void main() { gl_Position = vec4(0); gl_ViewportIndex = 0; gl_ViewportMask[0] = 1; }
;; uses_control tesc
layout(vertices = 3) out;
void main() { gl_TessLevelInner[0] = 1; gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1; }
;; uses_evaluation tese
layout(triangles) in;
void main() { gl_Position = vec4(0); }
;; uses_evaluation_points tese
layout(triangles, point_mode) in;
void main() { gl_Position = vec4(0); }
;; uses_evaluation_points_sized tese
layout(triangles, point_mode) in;
void main() { gl_Position = vec4(0); gl_PointSize = 1; }
;; uses_geometry_points geom
layout(points) in;
layout(points, max_vertices = 1) out;
void main() { gl_Position = vec4(0); EmitVertex(); }
;; uses_geometry_points_sized geom
layout(points) in;
layout(points, max_vertices = 1) out;
void main() { gl_Position = vec4(0); gl_PointSize = 1; EmitVertex(); }
;; uses_geometry_nothing geom
layout(points) in;
layout(points, max_vertices = 1) out;
void main() {}
;; uses_geometry_lines geom
layout(points) in;
layout(line_strip, max_vertices = 2) out;
void main() { gl_Position = vec4(0); EmitVertex(); EmitVertex(); }
;; uses_mesh_colors mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 color[];
layout(location = 1) perprimitiveEXT out vec4 tint[];
layout(location = 2) perprimitiveEXT out Block { vec4 in_block; } block[];
void main()
{
    SetMeshOutputsEXT(3, 1);
    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
    for (uint i = 0; i < 3; i++) {
        gl_MeshVerticesEXT[i].gl_Position = vec4(i);
        color[i] = vec4(1);
    }
    tint[0] = block[0].in_block = vec4(1);
}
;; uses_fragment_colors frag
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 color;
layout(location = 1) perprimitiveEXT in vec4 tint;
layout(location = 2) perprimitiveEXT in Block { vec4 in_block; } block;
layout(location = 0) out vec4 result;
void main() { result = color + tint + block.in_block; }
;; uses_fragment_colors_of_vertices frag
layout(location = 0) in vec4 color;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 result;
void main() { result = color + tint; }
;; uses_fragment_colors_of_primitives frag
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT in vec4 color;
layout(location = 1) perprimitiveEXT in vec4 tint;
layout(location = 0) out vec4 result;
void main() { result = color + tint; }
;; uses_mesh mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(3, 1); gl_MeshVerticesEXT[0].gl_Position = vec4(0); gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); }
;; uses_mesh_primitive mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(3, 1); gl_MeshVerticesEXT[0].gl_Position = vec4(0); gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
  gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 1; }
;; uses_fragment frag
layout(location = 0) out vec4 result;
void main() { result = vec4(1); }
;; uses_fragment_rgb frag
layout(location = 0) out vec3 result;
void main() { result = vec3(1); }
;; uses_fragment_at_sample frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = interpolateAtSample(color, 0); }
;; uses_fragment_sample frag
layout(location = 0) sample in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
;; uses_fragment_color frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
;; uses_fragment_primitive frag
#extension GL_EXT_mesh_shader : require
layout(location = 0) out vec4 result;
void main() { result = vec4(gl_PrimitiveID); }
;; uses_fragment_depth frag
#extension GL_EXT_shader_tile_image : require
layout(early_fragment_tests) in;
layout(location = 0) out highp vec4 result;
void main() { result = vec4(depthAttachmentReadEXT()); }
;; uses_fragment_stencil frag
#extension GL_EXT_shader_tile_image : require
layout(early_fragment_tests) in;
layout(location = 0) out highp vec4 result;
void main() { result = vec4(stencilAttachmentReadEXT()); }
;; uses_fragment_early frag
layout(early_fragment_tests) in;
layout(location = 0) out vec4 result;
void main() { result = vec4(1); }
;; uses_fragment_input frag
layout(input_attachment_index = 1, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 result;
void main() { result = subpassLoad(before); }
