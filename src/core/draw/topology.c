/* Finds the topology of a draw's primitives: before rasterization, and as they are rasterized
 * (21.1.3 "Clip Space Topology", 21.1.4 "Rasterization Input Topology"). */
#define DRAW_ROWS_VALUES
#include "core/draw/rows.h"

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect.h"
#include "state/pipeline/shader.h"

enum { CLASS_POINTS, CLASS_LINES, CLASS_TRIANGLES, CLASS_PATCHES };

int64_t draw_topology_class(VkPrimitiveTopology topology)
{
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_MAX_ENUM:
        return DRAW_UNKNOWN;
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return CLASS_POINTS;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return CLASS_LINES;
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
        return CLASS_PATCHES;
    default:
        return CLASS_TRIANGLES;
    }
}

/* True if one of these stages has the execution mode. */
static bool stages_have_mode(const struct draw *draw, VkShaderStageFlags stages, uint32_t mode)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry =
            stage->stage & stages ? pipeline_stage_entry(stage) : NULL;
        if (entry && spirv_mode_find(stage->shader->reflection, entry, mode))
            return true;
    }
    return false;
}

/* True if the code of the pipeline's stages among these is known. */
static bool stages_are_known(const struct draw *draw, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        if (stage->stage & stages && pipeline_stage_entry(stage))
            stages &= ~(VkShaderStageFlags)stage->stage;
    }
    return !(draw->pipeline->stages & stages);
}

/* An execution mode that determines the output of a stage. Earlier entries of the list have
 * precedence. */
struct output_mode {
    VkShaderStageFlags stages;
    uint32_t mode;
    int64_t class;
};
#define TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
static const struct output_mode output_modes[] = {
    {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputPoints, CLASS_POINTS},
    {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputLinesEXT, CLASS_LINES},
    {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputTrianglesEXT, CLASS_TRIANGLES},
    {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputPoints, CLASS_POINTS},
    {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputLineStrip, CLASS_LINES},
    {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputTriangleStrip, CLASS_TRIANGLES},
    {TESSELLATION, SpvExecutionModePointMode, CLASS_POINTS},
    {TESSELLATION, SpvExecutionModeIsolines, CLASS_LINES},
    {TESSELLATION, SpvExecutionModeTriangles, CLASS_TRIANGLES},
    {TESSELLATION, SpvExecutionModeQuads, CLASS_TRIANGLES},
};

/* The topology class of the primitives from the last stage before rasterization; DRAW_UNKNOWN: not
 * known. */
static int64_t clip_space_class(const struct draw *draw)
{
    static const VkShaderStageFlags last_first[] = {VK_SHADER_STAGE_MESH_BIT_EXT,
                                                    VK_SHADER_STAGE_GEOMETRY_BIT, TESSELLATION};
    const VkShaderStageFlags stages = draw->pipeline->stages;
    VkShaderStageFlags last = 0;
    if (stages & (VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI))
        return DRAW_UNKNOWN;
    for (size_t i = 0; i < ARRAY_LENGTH(last_first) && !last; i++)
        last = stages & last_first[i] ? last_first[i] : 0;
    if (!last)
        return stages & VK_SHADER_STAGE_TASK_BIT_EXT ? DRAW_UNKNOWN
                                                     : draw_topology_class(draw_topology(draw));
    for (size_t i = 0; i < ARRAY_LENGTH(output_modes) && stages_are_known(draw, last); i++) {
        if (output_modes[i].stages == last && stages_have_mode(draw, last, output_modes[i].mode))
            return output_modes[i].class;
    }
    return DRAW_UNKNOWN;
}

int64_t draw_rasterizes(const struct draw *draw, bool points)
{
    const int64_t class = clip_space_class(draw);
    if (class == DRAW_UNKNOWN || class == CLASS_PATCHES)
        return DRAW_UNKNOWN;
    if (class == CLASS_POINTS)
        return points;
    /* "If the clip space topology is in triangle topology class then VK_POLYGON_MODE_LINE will turn
     * it into line topology and VK_POLYGON_MODE_POINT will turn it into point topology". Lines
     * become points in the same way. */
    switch (DRAW_CURRENT(draw, polygon_mode, VK_POLYGON_MODE_MAX_ENUM)) {
    case VK_POLYGON_MODE_MAX_ENUM:
        return class == CLASS_LINES && points ? true : DRAW_UNKNOWN;
    case VK_POLYGON_MODE_POINT:
        return points;
    case VK_POLYGON_MODE_LINE:
        return true;
    default:
        return class == CLASS_LINES;
    }
}
