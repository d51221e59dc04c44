/* Finds what has changed since the last draw, dispatch or trace, and checks the rules that depend
 * on it. */
#include "core/draw/draw.h"

#include <spirv/unified1/spirv.h>

#include "core/core.h"
#include "core/record/scope.h"
#include "core/render/tile_shading.h"

#include "core/hooks.h"
#include "state/command/inheritance.h"
#include "state/command/protected.h"
#include "state/command/sections.h"
#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/memory/image_layout.h"
#include "state/pipeline/shader.h"

#include "report/finding/rule.h"

/* "If any of the shader stages of the VkPipeline ... uses the RayQueryKHR capability, then
 * commandBuffer must not be a protected command buffer" */
static void check_protected_queries(struct draw *draw)
{
    if (likely(!command_buffer_is_protected(draw->command_buffer)))
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
        if (!entry || !(entry->uses & SPIRV_USES_RAY_QUERY))
            continue;
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_04617, "commandBuffer",
                  "is protected, but the bound pipeline has ray queries in the shader of %s",
                  value_text(VALUES_VkShaderStageFlagBits, (uint64_t)stage->stage).text);
    }
}

/* A shader that enables SPIR-V capability TileShadingQCOM must not be invoked outside a tile
 * shading render pass, and a compute shader only where the per-tile execution model is enabled. A
 * secondary command buffer may inherit both. */
static void check_tile_shaders(struct draw *draw)
{
    const struct command_buffer *command_buffer = draw->command_buffer;
    if (likely(!device_has_feature(draw->s.call->device, FEATURE_tileShading)))
        return;
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    const bool tiles = command_buffer->scope & SCOPE_INSIDE_RENDER_PASS &&
                       render_shades_tiles(command_buffer),
               per_tile = (sections && sections->per_tile) ||
                          (draw->rendering && draw->rendering->inherited);
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const bool computes = stage->stage == VK_SHADER_STAGE_COMPUTE_BIT;
        if (!(computes ? per_tile : tiles) && pipeline_stage_entry(stage) &&
            spirv_has_capability(stage->shader->reflection, SpvCapabilityTileShadingQCOM))
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw),
                      computes ? VUID_RuntimeSpirv_TileShadingQCOM_10701
                               : VUID_RuntimeSpirv_TileShadingQCOM_10700,
                      "commandBuffer",
                      "is not in %s, but the shader of %s of the bound pipeline declares "
                      "TileShadingQCOM",
                      computes ? "per-tile execution" : "a tile shading render pass",
                      value_text(VALUES_VkShaderStageFlagBits, (uint64_t)stage->stage).text);
    }
}

/* Finds the bound pipeline. False: there is none, which is reported if it is required, or it is not
 * known. */
static bool find_bound_pipeline(struct draw *draw, uint32_t point)
{
    assert(point < BIND_POINTS);
    static const char *const names[BIND_POINTS] = {"graphics", "compute", "ray tracing",
                                                   "subpass shading", "data graph"};
    uint64_t id = draw->command_buffer->bind[point].pipeline;
    draw->pipeline = pipeline_by_id(id);
    if (likely(draw->pipeline))
        return true;
    /* If the shaderObject feature is not enabled, a valid pipeline must be bound to the pipeline
     * bind point used by this command */
    if (!id && (point == 2 || !device_has_feature(draw->s.call->device, FEATURE_shaderObject))) {
        BROKEN_OF(&draw->s, NULL, RULE_08606, "commandBuffer", "has no %s pipeline bound",
                  names[point]);
        /* drivers would follow the missing object */
        draw->s.skip |= call_stop(draw->s.call, draw->s.skip);
    }
    if (id && !object_find_id(id, HANDLE_PIPELINE))
        draw_report_gone(draw, id,
                         device_has_feature(draw->s.call->device, FEATURE_shaderObject)
                             ? scope_recording_vuid(draw->s.call->command)
                             : RULE(draw->s.call, 08606));
    return false;
}

/* Checks that the bound pipeline has the kind of shaders that the command executes. */
static void draw_check_stages(struct draw *draw)
{
    VkShaderStageFlags mesh = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    /* The bound graphics pipeline must not have been created with the stage member of any element
     * of pStages set to VK_SHADER_STAGE_TASK_BIT_EXT or VK_SHADER_STAGE_MESH_BIT_EXT */
    if (draw->kind != DRAW_MESH && draw->pipeline->stages & mesh)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_06481, "commandBuffer",
                  "has a pipeline with mesh shaders bound, which this command does not run");
    /* ... must not have been created with ... VERTEX, TESSELLATION_CONTROL, TESSELLATION_EVALUATION
     * or GEOMETRY */
    VkShaderStageFlags vertex =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    if (draw->kind == DRAW_MESH && draw->pipeline->stages & vertex)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_06480, "commandBuffer",
                  "has a pipeline with vertex shaders bound, which this command does not run");
    if (draw->kind == DRAW_MESH && draw->pipeline->stages & vertex)
        /* drivers would call the missing mesh shader */
        draw->s.skip |= call_stop(draw->s.call, draw->s.skip);
}

/* Notes what this thread's last check of a draw, dispatch or trace has changed in its command
 * buffer. If this validator or another one refuses the call, these changes are undone. */
struct checked {
    struct command_buffer *command_buffer;
    uint32_t name;        /* draw_check_name() of the call */
    uint32_t point;       /* the bind point */
    uint32_t dirty;       /* the command buffer's value before the check */
    uint32_t drawn_count; /* number of uses before the check */
    uint8_t draw_kind;
    bool acted;
};
static __thread struct checked last_check __attribute__((tls_model("initial-exec")));

/* Notes the state before a check, so that it can be undone. */
static ALWAYS_INLINE void begin_check(struct command_buffer *command_buffer, uint32_t point)
{
    assert(command_buffer && point < BIND_POINTS);
    struct checked *checked = &last_check;
    checked->command_buffer = command_buffer;
    checked->name = draw_check_name();
    checked->point = point;
    checked->dirty = command_buffer->dirty[point];
    checked->drawn_count = command_buffer->uses.drawn_count;
    checked->draw_kind = command_buffer->draw_kind;
    checked->acted = command_buffer->acted;
}

void core_take_back(const struct call *call)
{
    struct command_buffer *command_buffer = call->command_buffer;
    struct checked *checked = &last_check;
    if (!command_buffer || checked->command_buffer != command_buffer ||
        checked->name != draw_check_name())
        return;
    struct use_list *uses = &command_buffer->uses;
    /* the changes are not kept: the next draw checks everything */
    command_buffer->dirty[checked->point] =
        checked->dirty | (checked->dirty & DIRTY_FOR_CORE ? DIRTY_FOR_CORE : 0);
    command_buffer->draw_kind = checked->draw_kind;
    command_buffer->acted = checked->acted;
    if (uses->drawn_count > checked->drawn_count)
        use_list_shorten_drawn(uses, uses->drawn_count - checked->drawn_count);
    command_buffer_take_back_layouts(command_buffer, checked->name);
    checked->command_buffer = NULL;
}

/* The changes on which rows depend (core/draw/rows.c). They only depend on sets with descriptor
 * buffers. */
static uint32_t rows_look_at(const struct call *call)
{
    const uint32_t sets =
        device_has_feature(call->device, FEATURE_descriptorBuffer) ? DIRTY_SETS : 0;
    return DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_DYNAMIC_STATE | DIRTY_RENDER_PASS |
           DIRTY_QUERIES | sets;
}

/* Notes that the draw was checked: the next one checks what changes from now on. */
static ALWAYS_INLINE void end_check(struct draw *draw)
{
    if (unlikely(draw->is_new) && !draw->s.wrong)
        draw_note_in_order(draw);
    command_buffer_set_dirty(draw->command_buffer, 0, DIRTY_FOR_CORE, draw->s.wrong);
    draw->command_buffer->dynamic_changed = (struct dynamic_state_set){0};
    draw->command_buffer->draw_kind = (uint8_t)draw->kind;
}

/* True if nothing but bound sets and push constants has changed since the last draw, dispatch or
 * trace that broke no rule. */
static ALWAYS_INLINE bool only_sets_changed(uint32_t dirty)
{
    return !(dirty & DIRTY_FOR_CORE & ~(uint32_t)(DIRTY_SETS | DIRTY_PUSH_CONSTANTS));
}

bool draw_check_changed(struct call *call, struct command_buffer *command_buffer,
                        enum draw_kind kind)
{
    assert(command_buffer);
    if (command_buffer_inherits_state(call, command_buffer))
        return false;
    const uint32_t dirty = command_buffer->draw_kind == kind
                               ? command_buffer_dirty(command_buffer, 0, DIRTY_FOR_CORE)
                               : DIRTY_FOR_CORE;
    begin_check(command_buffer, 0);
    if (only_sets_changed(dirty) && draw_sets_are_verified(call, command_buffer, 0)) {
        command_buffer_set_dirty(command_buffer, 0, DIRTY_FOR_CORE, false);
        return false;
    }
    struct draw draw = {.s = {.call = call},
                        .command_buffer = command_buffer,
                        .kind = kind,
                        .values = command_buffer_values(command_buffer),
                        .rendering = active_rendering(command_buffer)};
    bool dynamic;
    command_buffer->watch_instances =
        (draw.rendering && draw.rendering->view_mask) ||
        (kind != DRAW_MESH && draw_divided_binding(call, command_buffer, &dynamic));
    if (!find_bound_pipeline(&draw, 0)) {
        /* the rows do not see changes up to here, so no pipeline counts as checked */
        command_buffer->in_order = (struct drawn_in_order){0};
        if (!draw.s.wrong && !command_buffer->bind[0].pipeline)
            draw_check_shader_objects(&draw, dirty);
        /* what is not known now will not be known later */
        end_check(&draw);
        return draw.s.skip;
    }
    if (dirty & DIRTY_PIPELINE) {
        draw_check_stages(&draw);
        check_protected_queries(&draw);
    }
    if (dirty & (DIRTY_PIPELINE | DIRTY_RENDER_PASS))
        check_tile_shaders(&draw);
    if (dirty & (DIRTY_PIPELINE | DIRTY_DYNAMIC_STATE))
        draw_check_dynamic_state(&draw);
    if (dirty & rows_look_at(call))
        draw_check_rows(&draw, 0, dirty & rows_look_at(call));
    if (dirty & (DIRTY_PIPELINE | DIRTY_RENDER_PASS | DIRTY_DYNAMIC_STATE) && !draw.again)
        draw_check_rendering(&draw, dirty);
    if (kind != DRAW_MESH && dirty & (DIRTY_PIPELINE | DIRTY_VERTEX_BUFFERS))
        draw_check_vertex_buffers(&draw);
    draw_check_vertex_input(&draw, dirty);
    if (kind == DRAW_INDICES && dirty & (DIRTY_INDEX_BUFFER | DIRTY_PIPELINE))
        draw_check_index_buffer(&draw);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SETS))
        draw_check_sets(&draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SETS | DIRTY_RENDER_PASS))
        draw_check_descriptors(&draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_PUSH_CONSTANTS))
        draw_check_push_constants(&draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SETS | DIRTY_PUSH_CONSTANTS))
        draw_check_heaps(&draw, 0);
    end_check(&draw);
    return draw.s.skip;
}

bool dispatch_check_changed(struct call *call, struct command_buffer *command_buffer,
                            uint32_t point)
{
    assert(command_buffer && point && point < BIND_POINTS);
    const uint32_t dirty = command_buffer_dirty(command_buffer, point, DIRTY_FOR_CORE);
    begin_check(command_buffer, point);
    command_buffer_acts(command_buffer);
    if (command_buffer_inherits_state(call, command_buffer))
        return false;
    if (only_sets_changed(dirty) && draw_sets_are_verified(call, command_buffer, point)) {
        command_buffer_set_dirty(command_buffer, point, DIRTY_FOR_CORE, false);
        return false;
    }
    struct draw draw = {.s = {.call = call},
                        .command_buffer = command_buffer,
                        .values = command_buffer_values(command_buffer),
                        .rendering = active_rendering(command_buffer)};
    if (find_bound_pipeline(&draw, point)) {
        if (dirty & DIRTY_PIPELINE)
            check_protected_queries(&draw);
        if (dirty & (DIRTY_PIPELINE | DIRTY_RENDER_PASS))
            check_tile_shaders(&draw);
        if (dirty & (DIRTY_PIPELINE | DIRTY_SETS))
            draw_check_sets(&draw, point);
        if (dirty & (DIRTY_PIPELINE | DIRTY_SETS | DIRTY_RENDER_PASS))
            draw_check_descriptors(&draw, point);
        /* a subpass shading pipeline may have push constants for either of two stages */
        if (dirty & (DIRTY_PIPELINE | DIRTY_PUSH_CONSTANTS) &&
            (point != 3 || draw.pipeline->stages & VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI))
            draw_check_push_constants(&draw, point);
        if (dirty & (DIRTY_PIPELINE | DIRTY_SETS | DIRTY_PUSH_CONSTANTS))
            draw_check_heaps(&draw, point);
        if (dirty & rows_look_at(call))
            draw_check_rows(&draw, point, dirty);
    } else if (point == 1 && !draw.s.wrong && !command_buffer->bind[1].pipeline) {
        dispatch_check_shader_object(&draw, dirty);
    }
    command_buffer_set_dirty(command_buffer, point, DIRTY_FOR_CORE, draw.s.wrong);
    return draw.s.skip;
}

bool draw_check_generated(struct call *call, struct command_buffer *command_buffer, uint32_t point,
                          enum draw_kind kind, uint32_t set)
{
    assert(command_buffer && point < BIND_POINTS);
    struct draw draw = {.s = {.call = call},
                        .command_buffer = command_buffer,
                        .kind = kind,
                        .values = command_buffer_values(command_buffer),
                        .rendering = active_rendering(command_buffer)};
    begin_check(command_buffer, point);
    if (point)
        command_buffer_acts(command_buffer);
    if (command_buffer_inherits_state(call, command_buffer))
        return false;
    if (find_bound_pipeline(&draw, point)) {
        if (!point) {
            draw_check_stages(&draw);
            draw_check_dynamic_state(&draw);
            draw_check_rendering(&draw, DIRTY_ALL);
        }
        check_protected_queries(&draw);
        check_tile_shaders(&draw);
        if (!point && kind != DRAW_MESH && !(set & DIRTY_VERTEX_BUFFERS))
            draw_check_vertex_buffers(&draw);
        if (!point)
            draw_check_vertex_input(&draw, DIRTY_ALL);
        draw_check_rows(&draw, point, DIRTY_ALL);
        draw_check_sets(&draw, point);
        /* a token may replace the bound shaders */
        if (!(set & DIRTY_SHADERS))
            draw_check_descriptors(&draw, point);
        if (!(set & DIRTY_PUSH_CONSTANTS))
            draw_check_push_constants(&draw, point);
        if (!(set & (DIRTY_SHADERS | DIRTY_PUSH_CONSTANTS)))
            draw_check_heaps(&draw, point);
    } else if (!draw.s.wrong && !command_buffer->bind[point].pipeline && !(set & DIRTY_SHADERS)) {
        generated_check_shader_objects(&draw, point, set);
    }
    /* the rules of generated commands are not those of the next command */
    command_buffer_set_dirty(command_buffer, point, DIRTY_FOR_CORE, true);
    return draw.s.skip;
}
