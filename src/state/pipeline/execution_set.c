/* Tracks how indirect execution sets were created. */
#include "state/pipeline/execution_set.h"

#include "state/hooks.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* Notes the initial shaders of a set. If a shader is not known, the stages are not either. */
static void note_shaders(const struct call *call, struct execution_set *set,
                         const VkIndirectExecutionSetShaderInfoEXT *info)
{
    assert(set && info);
    set->count = info->maxShaderCount;
    set->stages_known = true;
    for (uint32_t i = 0; i < info->shaderCount; i++) {
        const struct shader_object *shader = find_shader_object(call, info->pInitialShaders[i]);
        set->stages |= shader ? (VkShaderStageFlags)shader->stage : 0;
        set->stages_known &= shader != NULL;
        set->heaps |= shader && shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
        if (shader && shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            set->fragment = object_state_id(&shader->base);
    }
}

void state_after_CreateIndirectExecutionSetEXT(struct call *call, VkDevice device,
                                               const VkIndirectExecutionSetCreateInfoEXT
                                                   *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkIndirectExecutionSetEXT *pIndirectExecutionSet)
{
    struct object *object =
        created_object(call, (uint64_t)*pIndirectExecutionSet, HANDLE_INDIRECT_EXECUTION_SET_EXT);
    struct execution_set *set = object_state_new(object, sizeof(*set));
    if (!set)
        return;
    set->type = pCreateInfo->type;
    if (set->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT) {
        const struct pipeline *pipeline =
            find_pipeline(call, pCreateInfo->info.pPipelineInfo->initialPipeline);
        set->count = pCreateInfo->info.pPipelineInfo->maxPipelineCount;
        set->initial_pipeline = pipeline ? object_state_id(&pipeline->base) : 0;
    } else {
        note_shaders(call, set, pCreateInfo->info.pShaderInfo);
    }
    object_state_publish(object, set);
}
