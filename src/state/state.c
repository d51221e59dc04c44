/* Which commands does the state tracker listen to, and what becomes of an object's state when the object goes? */
#include "state/state.h"

#include "chassis/chassis.h"
#include "state/command_buffer.h"
#include "state/descriptor.h"
#include "state/pipeline_cache.h"
#include "state/queue.h"

void state_object_destroy(struct object *object, enum handle_type type)
{
    switch (type) {
    case HANDLE_COMMAND_BUFFER:
        command_buffer_free(object->state);
        break;
    case HANDLE_DESCRIPTOR_SET_LAYOUT:
    case HANDLE_DESCRIPTOR_SET:
        descriptor_layout_release(object->state);
        break;
    default:
        mem_retire(object->state);
        break;
    }
    object->state = NULL;
}

const struct validator state_validator = {
    .name = "state",
    .after_GetDeviceQueue = state_after_GetDeviceQueue,
    .after_GetDeviceQueue2 = state_after_GetDeviceQueue2,
    .after_CreatePipelineCache = state_after_CreatePipelineCache,
    .after_CreateDescriptorSetLayout = state_after_CreateDescriptorSetLayout,
    .after_AllocateDescriptorSets = state_after_AllocateDescriptorSets,
    .after_CreateCommandPool = state_after_CreateCommandPool,
    .after_ResetCommandPool = state_after_ResetCommandPool,
    .after_AllocateCommandBuffers = state_after_AllocateCommandBuffers,
    .after_BeginCommandBuffer = state_after_BeginCommandBuffer,
    .after_EndCommandBuffer = state_after_EndCommandBuffer,
    .after_ResetCommandBuffer = state_after_ResetCommandBuffer,
    .after_CmdBeginRenderPass = state_after_CmdBeginRenderPass,
    .after_CmdBeginRenderPass2 = state_after_CmdBeginRenderPass2,
    .after_CmdEndRenderPass = state_after_CmdEndRenderPass,
    .after_CmdEndRenderPass2 = state_after_CmdEndRenderPass2,
    .after_CmdBeginRendering = state_after_CmdBeginRendering,
    .after_CmdEndRendering = state_after_CmdEndRendering,
    .after_CmdEndRendering2KHR = state_after_CmdEndRendering2KHR,
    .after_CmdBeginVideoCodingKHR = state_after_CmdBeginVideoCodingKHR,
    .after_CmdEndVideoCodingKHR = state_after_CmdEndVideoCodingKHR,
    .after_CmdExecuteCommands = state_after_CmdExecuteCommands,
};
