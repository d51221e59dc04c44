/* Bad output of mesh and task shaders: counts, indices, groups. */
#include "gpu/gpu_world.h"

#include "gpu_checks.h"

static void draw_mesh_code(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                           uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

#define IN_MESH \
    GPU_TEXT_STAGE("Mesh. Global invocation ID (x,y,z) = (0, 0, 0)"), "vkCmdDrawMeshTasksEXT"
#define IN_TASK \
    GPU_TEXT_STAGE("Task. Global invocation ID (x,y,z) = (0, 0, 0)"), "vkCmdDrawMeshTasksEXT"
/* In gpuav_safe_mode what is wrong is not done: drivers trust these numbers. */
#define SAFE                                                              \
    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_mesh, \
        .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME}
#define PAIR(name_, stage_, where_, bad_, bad_other_, good_, good_other_, id_, ...)           \
    SCENARIO(name_##_too_large, SAFE, .expect = {"VUID-" id_}, .text = {where_, __VA_ARGS__}) \
    {                                                                                         \
        draw_mesh_code(b, gpu_stage_##stage_, GPU_CODE(spirv_##name_##_##stage_), bad_,       \
                       bad_other_);                                                           \
    }                                                                                         \
    SCENARIO(name_##_good, GPU_WITH_MESH)                                                     \
    {                                                                                         \
        draw_mesh_code(b, gpu_stage_##stage_, GPU_CODE(spirv_##name_##_##stage_), good_,      \
                       good_other_);                                                          \
    }

PAIR(vertex_count, mesh, IN_MESH, 4, 0, 3, 0, "RuntimeSpirv-MeshEXT-07332",
     "SetMeshOutputsEXT(push.index, 0)",
     "OpSetMeshOutputsEXT with a Vertex Count of 4: it must be less than or equal to "
     "OutputVertices, which is 3.")
PAIR(primitive_count, mesh, IN_MESH, 3, 0, 2, 0, "RuntimeSpirv-MeshEXT-07333",
     "SetMeshOutputsEXT(0, push.index)",
     "OpSetMeshOutputsEXT with a Primitive Count of 3: it must be less than or equal to "
     "OutputPrimitivesEXT, which is 2.")
PAIR(vertex, mesh, IN_MESH, 3, 0, 2, 0,
     "PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-12337", "uvec3(0, 1, push.index)",
     "Vertex 3 in primitive 0 of PrimitiveTriangleIndicesEXT: OpSetMeshOutputsEXT was given a "
     "Vertex Count of 3.")
PAIR(primitive, mesh, IN_MESH, 1, 0, 0, 0,
     "PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07057",
     "gl_PrimitiveTriangleIndicesEXT[push.index]",
     "Index of 1 into PrimitiveTriangleIndicesEXT: OpSetMeshOutputsEXT was given a Primitive Count "
     "of 1.")
PAIR(per_primitive, mesh, IN_MESH, 1, 0, 0, 0, "RuntimeSpirv-MeshEXT-12333",
     "material[push.index] = 7u",
     "Index of 1 into a variable that is decorated PerPrimitiveEXT: OpSetMeshOutputsEXT was given "
     "a Primitive Count of 1.")
PAIR(set_again, mesh, IN_MESH, 1, 0, 0, 0, "RuntimeSpirv-MeshEXT-07118",
     "OpSetMeshOutputsEXT a second time: it must be called at most once.")

/* "The arguments are taken from the first invocation in each workgroup": others give less, and
 * write what the first one has made room for. */
SCENARIO(counts_of_the_first_invocation, GPU_WITH_MESH)
{
    draw_mesh_code(b, gpu_stage_mesh, GPU_CODE(spirv_first_invocation_mesh), 0, 3);
}
SCENARIO(beyond_the_count_of_the_first_invocation, SAFE,
         .expect = {"VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07057"},
         .text = {"Index of 1 into PrimitiveTriangleIndicesEXT"})
{
    draw_mesh_code(b, gpu_stage_mesh, GPU_CODE(spirv_first_invocation_mesh), 1, 0);
}

/* Counts are held back in any mode: the driver gets no more than was declared. */
SCENARIO(counts_held_back, GPU_WITH_MESH,
         .expect = {"VUID-RuntimeSpirv-MeshEXT-07332", "VUID-RuntimeSpirv-MeshEXT-07333"},
         .text = {IN_MESH, "OpSetMeshOutputsEXT with a Vertex Count of 16777216",
                  "OpSetMeshOutputsEXT with a Primitive Count of 16777216"})
{
    draw_mesh_code(b, gpu_stage_mesh, GPU_CODE(spirv_both_counts_mesh), 1u << 24, 0);
}

/* No group is emitted: the third count is 0. */
SCENARIO(groups_x_too_large, GPU_WITH_MESH, .expect = {"VUID-RuntimeSpirv-TaskEXT-07299"},
         .text = {IN_TASK, "EmitMeshTasksEXT(push.index, push.other, 0)",
                  "Group Count X must be less than or equal to maxMeshWorkGroupCount[0]"})
{
    draw_mesh_code(b, gpu_stage_task, GPU_CODE(spirv_groups_task), UINT32_MAX, 1);
}
SCENARIO(groups_y_too_large, GPU_WITH_MESH, .expect = {"VUID-RuntimeSpirv-TaskEXT-07300"},
         .text = {IN_TASK, "Group Count Y must be less than or equal to maxMeshWorkGroupCount[1]"})
{
    draw_mesh_code(b, gpu_stage_task, GPU_CODE(spirv_groups_task), 1, UINT32_MAX);
}
SCENARIO(groups_good, GPU_WITH_MESH)
{
    draw_mesh_code(b, gpu_stage_task, GPU_CODE(spirv_groups_task), 1, 1);
}

SCENARIO(mesh_off, GPU_SETTINGS("gpuav_mesh_shading=false"), .features = &gpu_features_mesh,
         .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME})
{
    draw_mesh_code(b, gpu_stage_task, GPU_CODE(spirv_groups_task), 1, UINT32_MAX);
}
