Shaders of tests/scenarios/shader_interface.c, shader_limits.c and shader_object.c.
;; vertex vert
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(0, 0, 0, 1); }
;; vertex_uniform vert
layout(set = 0, binding = 0) uniform Place { vec4 place; };
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = place; }
;; fragment_uniform frag
layout(set = 0, binding = 1) uniform Color { vec4 color; };
layout(location = 0) out vec4 result;
void main() { result = color; }
;; vertex_attribute vert
layout(location = 2) in vec4 position;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = position; }
;; vertex_attribute_alone vert
layout(location = 2) in vec4 position;
void main() { gl_Position = position; }
;; fragment_blue frag
layout(location = 0) out vec4 result;
void main() { result = vec4(0, 0, 1, 1); }
;; vertex_attribute_unused vert
layout(location = 2) in vec4 position;
layout(location = 3) in vec4 unused;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = position; }
;; vertex_matrix vert
layout(location = 0) in mat4 frame;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = frame[3]; }
;; vertex_double vert
layout(location = 2) in dvec2 position;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(position, 0, 1); }
;; vertex_double_first vert
layout(location = 2) in dvec2 position;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(float(position.x), 0, 0, 1); }
;; vertex_double_last vert
layout(location = 2) in dvec2 position;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(float(position.y), 0, 0, 1); }
;; vertex_double_copied vert
layout(location = 2) in dvec2 position;
layout(location = 0) out vec4 color;
void main() { dvec2 copy = position; color = vec4(1); gl_Position = vec4(float(copy.x), 0, 0, 1); }
;; vertex_double_swizzled vert
layout(location = 2) in dvec4 position;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(vec2(position.yx), 0, 1); }
;; vertex_points vert
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1; }
;; vertex_integer_out vert
layout(location = 0) flat out uvec4 color;
void main() { color = uvec4(1); gl_Position = vec4(0, 0, 0, 1); }
;; vertex_half_out vert
layout(location = 0) out vec2 color;
void main() { color = vec2(1); gl_Position = vec4(0, 0, 0, 1); }
;; vertex_block_out vert
layout(location = 0) out Block { vec4 color; vec2 uv[2]; } block;
void main() { block.color = vec4(1); block.uv[0] = block.uv[1] = vec2(0); gl_Position = vec4(0, 0, 0, 1); }
;; vertex_layer vert
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(0, 0, 0, 1); gl_Layer = 0; }
;; vertex_xfb vert
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(0, 0, 0, 1); }
;; vertex_clip_few vert
layout(location = 0) out vec4 color;
out float gl_ClipDistance[4];
out float gl_CullDistance[4];
void main() { color = vec4(1); gl_Position = vec4(0); gl_ClipDistance[3] = 0; gl_CullDistance[3] = 0; }
;; vertex_far vert
layout(location = 0) out vec4 color;
layout(location = 200) out vec4 far;
void main() { color = vec4(1); gl_Position = vec4(0); far = vec4(0); }
;; fragment frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
;; fragment_of_three frag
layout(location = 0) in vec3 color;
layout(location = 0) out vec4 result;
void main() { result = color.xyzz; }
;; vertex_of_two_and_two vert
layout(location = 0) out vec2 first;
layout(location = 0, component = 2) out vec2 second;
void main() { first = second = vec2(1); gl_Position = vec4(0, 0, 0, 1); }
;; fragment_of_two_and_two frag
layout(location = 0) in vec2 first;
layout(location = 0, component = 2) in vec2 second;
layout(location = 0) out vec4 result;
void main() { result = vec4(first, second); }
;; fragment_two_outputs frag
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 other;
void main() { result = vec4(1); }
;; fragment_unwritten frag
layout(location = 0) out vec4 result;
void main() { }
;; fragment_integer frag
layout(location = 0) out uvec4 result;
void main() { result = uvec4(1); }
;; fragment_passed frag
layout(location = 0) out vec4 result;
void fill(out vec4 into) { into = vec4(1); }
void main() { fill(result); }
;; fragment_covers_nothing frag
layout(location = 0) out vec4 result;
void main() { gl_SampleMask[0] = 0; }
;; fragment_block frag
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv[2];
layout(location = 0) out vec4 result;
void main() { result = color * uv[1].x; }
;; fragment_far frag
layout(location = 3) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
;; fragment_primitive frag
layout(location = 0) out vec4 result;
void main() { result = vec4(gl_PrimitiveID); }
;; fragment_input frag
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 result;
void main() { result = subpassLoad(before); }
;; control tesc
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 on[];
layout(location = 5) patch out vec4 common_;
void main() { on[gl_InvocationID] = color[gl_InvocationID]; common_ = vec4(1); gl_TessLevelOuter[0] = 1; gl_TessLevelInner[0] = 1; }
;; evaluation tese
layout(triangles) in;
layout(location = 0) in vec4 on[];
layout(location = 5) patch in vec4 common_;
layout(location = 0) out vec4 color;
void main() { color = on[0] + common_; gl_Position = vec4(gl_TessCoord, 1); }
;; evaluation_patch_missing tese
layout(triangles) in;
layout(location = 6) patch in vec4 other;
layout(location = 0) out vec4 color;
void main() { color = other; gl_Position = vec4(gl_TessCoord, 1); }
;; evaluation_patch_free tese
layout(triangles) in;
void main() { gl_Position = vec4(gl_TessCoord, 1); }
;; evaluation_xfb tese
layout(triangles) in;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(gl_TessCoord, 1); }
;; geometry geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 colors[];
layout(location = 0) out vec4 color;
void main() { for (int i = 0; i < 3; i++) { color = colors[i]; gl_Position = vec4(0); EmitVertex(); } }
;; vertex_of_set vert
layout(set = 0, binding = 0) uniform Shared { vec4 value; } shared_;
layout(location = 0) out vec4 color;
void main() { color = shared_.value; gl_Position = shared_.value; }
;; fragment_of_set frag
layout(set = 0, binding = 0) uniform Shared { vec4 value; } shared_;
layout(location = 0) out vec4 color;
void main() { color = shared_.value; }
;; geometry_strip geom
layout(triangles) in;
layout(line_strip, max_vertices = 3) out;
layout(location = 0) in vec4 colors[];
layout(location = 0) out vec4 color;
void main() { for (int i = 0; i < 3; i++) { color = colors[i]; gl_Position = vec4(0); EmitVertex(); } }
;; evaluation_lines tese
layout(isolines) in;
layout(location = 0) in vec4 on[];
layout(location = 5) patch in vec4 common_;
layout(location = 0) out vec4 color;
void main() { color = on[0] + common_; gl_Position = vec4(gl_TessCoord, 1); }
;; evaluation_points tese
layout(isolines, point_mode) in;
layout(location = 0) in vec4 on[];
layout(location = 5) patch in vec4 common_;
layout(location = 0) out vec4 color;
void main() { color = on[0] + common_; gl_Position = vec4(gl_TessCoord, 1); }
;; geometry_lines geom
layout(lines) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;
void main() { color = vec4(1); gl_Position = vec4(0); EmitVertex(); }
;; geometry_primitive geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() { gl_Position = vec4(0); gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex(); }
;; geometry_no_primitive geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() { gl_Position = vec4(0); EmitVertex(); }
;; geometry_many_invocations geom
layout(triangles, invocations = 1000) in;
layout(triangle_strip, max_vertices = 3) out;
void main() { gl_Position = vec4(0); EmitVertex(); }
;; control_many tesc
layout(vertices = 1000) out;
void main() { gl_TessLevelOuter[0] = 1; gl_TessLevelInner[0] = 1; }
;; compute comp
layout(local_size_x = 1) in;
void main() {}
;; compute_push comp
layout(push_constant) uniform Push { layout(offset = 16) vec4 a; vec4 b; } push;
layout(set = 0, binding = 0) buffer Data { vec4 sum; } data;
void main() { data.sum = push.a + push.b; }
;; compute_uniform comp
layout(set = 0, binding = 0) uniform Data { vec4 sum; } data;
layout(set = 0, binding = 1) buffer Other { vec4 sum; } other;
void main() { other.sum = data.sum; }
;; compute_array comp
layout(set = 0, binding = 0) buffer Data { vec4 sum; } data[4];
void main() { data[0].sum = data[3].sum; }
;; compute_uniform_array comp
layout(set = 0, binding = 0) uniform Data { vec4 sum; } data[4];
layout(set = 0, binding = 1) buffer Other { vec4 sum; } other;
void main() { other.sum = data[3].sum; }
;; compute_set_1 comp
layout(set = 1, binding = 0) buffer Data { vec4 sum; } data;
void main() { data.sum = vec4(0); }
;; compute_constant comp
layout(constant_id = 3) const uint steps = 4;
layout(constant_id = 4) const bool on = true;
layout(set = 0, binding = 0) buffer Data { uint sum; } data;
void main() { data.sum = on ? steps : 0; }
;; compute_constant_size comp
layout(local_size_x_id = 0) in;
void main() {}
;; compute_shared comp
shared uint many[1000000];
layout(set = 0, binding = 0) buffer Data { uint sum; } data;
void main() { many[data.sum] = 1; barrier(); data.sum = many[3]; }
;; compute_shared_unused comp
shared uint small[16];
shared uint huge[1000000];
layout(set = 0, binding = 0) buffer Data { uint sum; } data;
uint never() { return huge[5]; }
void main() { small[0] = 1; data.sum = small[0]; }
;; compute_shared_by_constant comp
layout(constant_id = 1) const uint count = 1000000;
shared uint words[count];
layout(set = 0, binding = 0) buffer Data { uint sum; } data;
void main() { words[gl_LocalInvocationIndex] = 1; barrier(); data.sum = words[0]; }
;; raygen rgen
#extension GL_EXT_ray_tracing : require
void main() {}

;; fragment_tile frag
#extension GL_EXT_shader_tile_image : require
layout(location = 0) tileImageEXT highp attachmentEXT before;
layout(location = 0) out highp vec4 result;
void main() { result = colorAttachmentReadEXT(before); }
;; geometry_streams geom
layout(points) in;
layout(points, max_vertices = 2, stream = 1) out;
layout(location = 0, stream = 1) out vec4 other;
void main() { other = vec4(1); EmitStreamVertex(1); EndStreamPrimitive(1); }
;; mesh_draw_index mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(3, 1); gl_MeshVerticesEXT[0].gl_Position = vec4(gl_DrawID); gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); }
;; task_nv task
#extension GL_NV_mesh_shader : require
layout(local_size_x = 1) in;
void main() { gl_TaskCountNV = 1; }
;; fragment_plain frag
layout(location = 0) out vec4 result;
void main() { result = vec4(1); }
;; vertex_nested vert
struct Pair { vec2 a; mat2 b; };
layout(location = 0) out Vertex { vec4 color; Pair pair[2]; } vertex;
layout(location = 7) flat out uvec3 number;
void main() { vertex.color = vec4(1); vertex.pair[0].a = vertex.pair[1].a = vec2(1); vertex.pair[0].b = vertex.pair[1].b = mat2(1); number = uvec3(1); gl_Position = vec4(0); gl_PointSize = 1; }
;; control_blocks tesc
struct Pair { vec2 a; mat2 b; };
layout(vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; } gl_in[];
layout(location = 0) in Vertex { vec4 color; Pair pair[2]; } vertex[];
layout(location = 7) flat in uvec3 number[];
layout(location = 0) out Point { vec4 color; dvec3 far; } point[];
layout(location = 3) out vec2 corners[][2];
layout(location = 10) patch out Edge { vec4 a; vec2 b[2]; } edge;
layout(location = 13) patch out vec4 loose[3];
layout(location = 16) patch out Many { vec4 each; } many[2];
layout(location = 18, component = 1) patch out vec2 half_of_it;
void main()
{
    point[gl_InvocationID].color = vertex[gl_InvocationID].color + float(number[gl_InvocationID].x) + vertex[0].pair[1].b[1].x;
    point[gl_InvocationID].far = dvec3(1);
    corners[gl_InvocationID][0] = corners[gl_InvocationID][1] = gl_in[0].gl_Position.xy;
    edge.a = vec4(1); edge.b[0] = edge.b[1] = vec2(1);
    loose[0] = loose[1] = loose[2] = vec4(0);
    many[0].each = many[1].each = vec4(0);
    half_of_it = vec2(0);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1;
}
;; evaluation_blocks tese
layout(triangles) in;
layout(location = 0) in Point { vec4 color; dvec3 far; } point[];
layout(location = 3) in vec2 corners[][2];
layout(location = 10) patch in Edge { vec4 a; vec2 b[2]; } edge;
layout(location = 13) patch in vec4 loose[3];
layout(location = 16) patch in Many { vec4 each; } many[2];
layout(location = 18, component = 1) patch in vec2 half_of_it;
layout(location = 0) out vec4 color;
void main()
{
    color = point[0].color + edge.a + loose[2] + many[1].each + half_of_it.xyxy + corners[2][1].xyxy + edge.b[1].xyxy + vec4(float(point[1].far.z));
    gl_Position = gl_in[0].gl_Position;
}
;; geometry_passthrough geom
#extension GL_NV_geometry_shader_passthrough : require
layout(triangles) in;
layout(passthrough) in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(location = 0, passthrough) in Inputs { vec4 color; } inputs[];
void main() { gl_Layer = 0; }
;; vertex_rate vert
#extension GL_EXT_fragment_shading_rate : require
layout(location = 0) out vec4 color;
void main() { gl_Position = color = vec4(0); gl_PrimitiveShadingRateEXT = 0; }
;; fragment_at_sample frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = interpolateAtSample(color, 0); }
;; fragment_rgb frag
layout(location = 0) out vec3 color;
void main() { color = vec3(1); }
;; fragment_two frag
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other;
void main() { color = other = vec4(1); }
;; triangle_mesh_nv mesh
#extension GL_NV_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { for (uint i = 0; i < 3; i++) { gl_MeshVerticesNV[i].gl_Position = vec4(0, 0, 0, 1); gl_PrimitiveIndicesNV[i] = i; } gl_PrimitiveCountNV = 1; }
;; fragment_depth_read frag
#extension GL_EXT_shader_tile_image : require
layout(early_fragment_tests) in;
layout(location = 0) out highp vec4 result;
void main() { result = vec4(depthAttachmentReadEXT()); }
;; fragment_stencil_read frag
#extension GL_EXT_shader_tile_image : require
layout(early_fragment_tests) in;
layout(location = 0) out highp vec4 result;
void main() { result = vec4(stencilAttachmentReadEXT()); }
;; fragment_reads_input_1 frag
layout(input_attachment_index = 1, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 result;
void main() { result = subpassLoad(before); }
;; compute_array_of_constant comp
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint length = 4;
shared uint words[length];
void main() { words[0] = 1; }
;; mesh_uniform mesh
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(set = 0, binding = 0) uniform Place { vec4 place; };
void main() { SetMeshOutputsEXT(3, 1); gl_MeshVerticesEXT[0].gl_Position = place; gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); }
;; task_uniform task
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Place { uvec4 count; };
void main() { EmitMeshTasksEXT(count.x, 1, 1); }
