/* Makes a stand-in for a pipeline when draws and dispatches have shader objects bound (10.2 "Shader
 * Objects"). Shader objects take all state from the command buffer, as a pipeline does that has
 * everything dynamic. */
#include "sync/record/draw.h"

#include <string.h>

#include "state/pipeline/shader.h"

static_assert(BOUND_SHADERS > __builtin_ctz(VK_SHADER_STAGE_MESH_BIT_EXT),
              "all stages have a place");

/* The stages of each bind point. */
static const VkShaderStageFlags stages_of_points[] = {
    VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT,
    VK_SHADER_STAGE_COMPUTE_BIT,
};

/* Makes all states of the stand-in dynamic. vkCmdSetColorWriteEnableEXT need only have been called
 * if "the colorWriteEnable feature is enabled": otherwise all attachments are written. */
static void take_states(const struct recording *recording, struct pipeline *pipeline)
{
    const enum dynamic_state enable = DYNAMIC_COLOR_WRITE_ENABLE_EXT;
    const struct render_pass_instance *rendering = active_rendering(recording->command_buffer);
    memset(&pipeline->dynamic, 0xff, sizeof(pipeline->dynamic));
    if (!device_has_feature(recording->call->device, FEATURE_colorWriteEnable))
        pipeline->dynamic.bits[enable / 64] &= ~(1ull << enable % 64);
    if (rendering) /* set by vkCmdSetRenderingAttachmentLocations */
        memcpy(pipeline->color_locations, rendering->color_locations,
               sizeof(pipeline->color_locations));
}

const struct pipeline *draw_shader_objects(const struct recording *recording, uint32_t point,
                                           struct draw_cache *cache)
{
    const struct command_buffer *command_buffer = recording->command_buffer;
    struct pipeline *pipeline = &cache->objects;
    if (!command_buffer->shaders_set || point >= ARRAY_LENGTH(stages_of_points))
        return NULL;
    pipeline->stage_count = 0;
    cache->object = NULL;
    cache->object_hash = 0;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        uint64_t id = stages_of_points[point] >> i & 1 ? command_buffer->shaders[i] : 0;
        const struct shader_object *shader = id ? shader_object_by_id(id) : NULL;
        if (!shader)
            continue;
        /* Linked shaders have the same set layouts, so one that has layouts is kept for all. */
        if (!cache->object || !cache->object->set_layout_count)
            cache->object = shader;
        cache->object_hash = (cache->object_hash ^ id) * 0x9e3779b97f4a7c15ull;
        pipeline->stage[pipeline->stage_count++] = (struct pipeline_stage){
            .stage = shader->stage, .shader = shader->shader, .entry_point = shader->entry_point};
    }
    if (!pipeline->stage_count)
        return NULL;
    take_states(recording, pipeline);
    return pipeline;
}
