/* Checks that the descriptor sets and push constants which the shaders of a draw, dispatch or trace
 * use are bound and set (14.2.2 "Pipeline Layouts"). */
#include "core/draw/draw.h"

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/pipeline/shader.h"

/* True if sets are matched by their numbers: neither descriptor buffers nor heaps are used, and the
 * layout has no independent sets. */
static bool matches_by_set(const struct pipeline *pipeline)
{
    VkPipelineCreateFlags2 other = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
                                   VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    return pipeline->layout && !(pipeline->flags & other) &&
           !(pipeline->layout->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
}

/* The name of the first stage whose shader uses the set. */
static struct value_text user_of_set(const struct pipeline *pipeline, uint32_t set)
{
    VkShaderStageFlagBits user = 0;
    for (uint32_t i = 0; i < pipeline->stage_count && !user; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
        for (uint32_t k = 0; entry && k < entry->binding_count && !user; k++) {
            if (stage->shader->reflection->bindings[entry->first_binding + k].set == set)
                user = stage->stage;
        }
    }
    return value_text(VALUES_VkShaderStageFlagBits, user);
}

void draw_report_set_layout(struct draw *draw, uint32_t set)
{
    BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08600, "commandBuffer",
              "has descriptor set %u bound, whose own layout is not the one that the bound "
              "pipeline's "
              "layout has there; the shader of %s uses it",
              set, user_of_set(draw->pipeline, set).text);
}

/* Reports a set that is not bound, or is bound with an incompatible layout. Nothing is reported if
 * it is not known what is bound. */
static COLD void draw_sets_report_set(struct draw *draw, const struct bind_point_state *bind,
                                      uint32_t set)
{
    const struct bound_set *bound = bound_set_at(bind, set);
    if (bind->sets_lost)
        return;
    if (!bound || bound->kind == BOUND_NOTHING)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08600, "commandBuffer",
                  "has no descriptor set %u bound, which the shader of %s uses", set,
                  user_of_set(draw->pipeline, set).text);
    else
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08600, "commandBuffer",
                  "has descriptor set %u bound with a pipeline layout that is not compatible for "
                  "that "
                  "set with the bound pipeline's, whose shader of %s uses it",
                  set, user_of_set(draw->pipeline, set).text);
}

/* If a bound shader was created with a pipeline layout and statically uses a set n, a descriptor
 * set must have been bound to n at the same pipeline bind point, with layouts compatible for set n
 * with the layout(s) used to create the shader */
void draw_check_sets(struct draw *draw, uint32_t point)
{
    assert(draw->pipeline && point < BIND_POINTS);
    const struct pipeline_layout *layout = draw->pipeline->layout;
    const struct bind_point_state *bind = &draw->command_buffer->bind[point];
    if (!matches_by_set(draw->pipeline))
        return;
    for (uint32_t used = draw->pipeline->used_sets; used; used &= used - 1) {
        uint32_t set = (uint32_t)__builtin_ctz(used);
        if (set >= layout->set_count || set >= BOUND_SETS)
            return; /* reported when the pipeline was created */
        const struct bound_set *bound = bound_set_at(bind, set);
        const bool of_layout = bound && (bound->kind == BOUND_SET || bound->kind == BOUND_PUSHED);
        if (unlikely(!bound || bound->kind == BOUND_NOTHING ||
                     (of_layout && bound->compatibility != layout->compatibility[set])))
            draw_sets_report_set(draw, bind, set);
    }
}

void draw_check_push_constants(struct draw *draw, uint32_t point)
{
    assert(draw->pipeline && point < BIND_POINTS);
    if (likely(!draw->pipeline->uses_push_constants ||
               draw->command_buffer->bind[point].layout_compatibility_for_push))
        return;
    /* Pipelines with descriptor heaps have no layout; vkCmdPushDataEXT sets the data that they
     * read. */
    if (draw->pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT)
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct spirv_entry_point *entry = pipeline_stage_entry(&draw->pipeline->stage[i]);
        if (!entry || entry->push_accessed_begin == entry->push_accessed_end)
            continue;
        /* If a bound shader ... statically uses a push constant value, that value must have been
         * set for the same pipeline bind point */
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08601, "commandBuffer",
                  "has no push constants set, of which the shader of %s reads bytes %u to %u",
                  value_text(VALUES_VkShaderStageFlagBits, draw->pipeline->stage[i].stage).text,
                  entry->push_accessed_begin, entry->push_accessed_end - 1);
        return;
    }
}
