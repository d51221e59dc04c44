/* What a command buffer's recorded commands have made of it: may this command be recorded here and now?
 * Hot: `scope` and `queue_flags` answer for most commands with two tests. */
#ifndef ASSAY_STATE_COMMAND_BUFFER_H
#define ASSAY_STATE_COMMAND_BUFFER_H

#include "chassis/chassis.h"

/* Bits of struct command_buffer.scope. */
enum command_buffer_scope {
    SCOPE_INITIAL = 1 << 0, /* lifecycle (6.1): exactly one of these five, but PENDING may stand beside EXECUTABLE */
    SCOPE_RECORDING = 1 << 1,
    SCOPE_EXECUTABLE = 1 << 2,
    SCOPE_INVALID = 1 << 3,
    SCOPE_PRIMARY = 1 << 4,
    SCOPE_SECONDARY = 1 << 5,
    SCOPE_INSIDE_RENDER_PASS = 1 << 6, /* a render pass instance is active here: begun, or continued by a secondary */
    SCOPE_SUSPENDED = 1 << 7,          /* the render pass instance is suspended (VK_RENDERING_SUSPENDING_BIT) */
    SCOPE_INSIDE_VIDEO_CODING = 1 << 8,
};

/* Hangs off the object's `state`. Threads: the command buffer is externally synchronised (and its pool with it); a program
 * that breaks that rule can make these words inconsistent, never unsafe to read: the memory is only ever used for command buffers. */
struct command_buffer {
    uint32_t scope;           /* enum command_buffer_scope */
    VkQueueFlags queue_flags; /* of the pool's queue family; const. 0 when the app named a family that does not exist */
    struct object *object;    /* const */
    struct object *pool;      /* const; NULL when unknown */
    uint32_t queue_family;    /* const */
    VkCommandBufferUsageFlags usage;  /* of the last vkBeginCommandBuffer */
    VkRenderingFlags rendering_flags; /* of the dynamic render pass instance that is active, or was last */
    bool began_rendering; /* a vkCmdBeginRendering was recorded since vkBeginCommandBuffer, in a secondary too */
    struct command_buffer *next_free; /* while nobody uses it. Lock: command_buffer.c */
};

/* The state of a command pool's object. const. */
struct command_pool {
    VkCommandPoolCreateFlags flags;
    uint32_t queue_family;
    VkQueueFlags queue_flags;
};

/* The state of the call's command buffer, or NULL (unknown handle, or memory was out): then nothing can be said. */
static inline struct command_buffer *call_command_buffer(const struct call *call)
{
    return call->object ? call->object->state : NULL;
}

/* Gives the memory back, for other command buffers. */
void command_buffer_free(struct command_buffer *command_buffer);
/* Threads: chassis/fork.c. */
void command_buffer_fork(enum fork_step step);

/* Hooks, all after the driver has answered; see state.c. */
void state_after_CreateCommandPool(struct call *call, VkDevice device, const VkCommandPoolCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkCommandPool *pCommandPool);
void state_after_ResetCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                  VkCommandPoolResetFlags flags);
void state_after_AllocateCommandBuffers(struct call *call, VkDevice device,
                                        const VkCommandBufferAllocateInfo *pAllocateInfo,
                                        VkCommandBuffer *pCommandBuffers);
void state_after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCommandBufferBeginInfo *pBeginInfo);
void state_after_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer);
void state_after_ResetCommandBuffer(struct call *call, VkCommandBuffer commandBuffer, VkCommandBufferResetFlags flags);
void state_after_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkRenderPassBeginInfo *pRenderPassBegin, VkSubpassContents contents);
void state_after_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderPassBeginInfo *pRenderPassBegin,
                                     const VkSubpassBeginInfo *pSubpassBeginInfo);
void state_after_CmdEndRenderPass(struct call *call, VkCommandBuffer commandBuffer);
void state_after_CmdEndRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkSubpassEndInfo *pSubpassEndInfo);
void state_after_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkRenderingInfo *pRenderingInfo);
void state_after_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer);
void state_after_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderingEndInfoKHR *pRenderingEndInfo);
void state_after_CmdBeginVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkVideoBeginCodingInfoKHR *pBeginInfo);
void state_after_CmdEndVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkVideoEndCodingInfoKHR *pEndCodingInfo);
void state_after_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                    const VkCommandBuffer *pCommandBuffers);

#endif
