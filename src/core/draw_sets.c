/* Are the descriptor sets bound and the push constants set that the shaders of a draw, dispatch or trace use (14.2.2 "Pipeline Layouts")? */
#include "core/draw.h"

#include "report/names_of_values.h"
#include "spirv/reflect.h"
#include "state/shader.h"

/* The entry point of a stage, or NULL where the code is not known. */
static const struct spirv_entry_point *stage_entry(const struct pipeline_stage *stage)
{
    const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
    return code && stage->entry_point < code->entry_count ? &code->entries[stage->entry_point] : NULL;
}

/* Layouts that share no numbers with what is bound: sets are matched in other ways there. */
static bool matches_by_set(const struct pipeline *pipeline)
{
    VkPipelineCreateFlags2 other =
        VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT | VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    return pipeline->layout && !(pipeline->flags & other) &&
           !(pipeline->layout->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
}

/* If a bound shader was created with a pipeline layout and statically uses a set n, a descriptor set must have been bound to n at the same pipeline bind
 * point, with layouts compatible for set n with the layout(s) used to create the shader */
static void check_set(struct draw *draw, const struct bind_point_state *bind, uint32_t set, VkShaderStageFlagBits stage)
{
    const struct pipeline_layout *layout = draw->pipeline->layout;
    if (set >= layout->set_count || set >= BOUND_SETS)
        return; /* a fault of the pipeline's creation */
    const struct bound_set *bound = &bind->sets[set];
    const struct value_text name = value_text(VALUES_VkShaderStageFlagBits, stage);
    if (set >= bind->set_count || bound->kind == BOUND_NOTHING)
        FAULT(draw, 08600, &LOCATION(NULL, "commandBuffer"), BOUND_PIPELINE(draw),
              "has no descriptor set %u bound, which the shader of %s uses", set, name.text);
    else if ((bound->kind == BOUND_SET || bound->kind == BOUND_PUSHED) &&
             bound->compatibility != layout->compatibility[set])
        FAULT(draw, 08600, &LOCATION(NULL, "commandBuffer"), BOUND_PIPELINE(draw),
              "has descriptor set %u bound with a pipeline layout that is not compatible for that set with the bound "
              "pipeline's, whose shader of %s uses it",
              set, name.text);
}

void draw_check_sets(struct draw *draw, VkPipelineBindPoint point)
{
    uint32_t index = bind_point_index(point);
    if (!matches_by_set(draw->pipeline))
        return;
    const struct bind_point_state *bind = &draw->command_buffer->bind[index];
    uint32_t reported = 0;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry = stage_entry(stage);
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            uint32_t set = stage->shader->reflection->bindings[entry->first_binding + k].set;
            if (set >= BOUND_SETS || reported >> set & 1)
                continue;
            reported |= 1u << set;
            check_set(draw, bind, set, stage->stage);
        }
    }
}

void draw_check_push_constants(struct draw *draw, uint32_t point)
{
    if (draw->command_buffer->bind[point].layout_compatibility_for_push)
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct spirv_entry_point *entry = stage_entry(&draw->pipeline->stage[i]);
        if (!entry || entry->push_accessed_begin == entry->push_accessed_end)
            continue;
        /* If a bound shader ... statically uses a push constant value, that value must have been set for the same pipeline bind point */
        FAULT(draw, 08601, &LOCATION(NULL, "commandBuffer"), BOUND_PIPELINE(draw),
              "has no push constants set, of which the shader of %s reads bytes %u to %u",
              value_text(VALUES_VkShaderStageFlagBits, draw->pipeline->stage[i].stage).text, entry->push_accessed_begin,
              entry->push_accessed_end);
        return;
    }
}
