/* What a command buffer's recorded commands have made of it: may this command be recorded here and now?
 * Hot: `scope` and `queue_flags` answer for most commands with two tests. */
#ifndef ASSAY_STATE_COMMAND_BUFFER_H
#define ASSAY_STATE_COMMAND_BUFFER_H

#include "chassis/chassis.h"

/* Bits of struct command_buffer.scope. */
enum command_buffer_scope {
    SCOPE_INITIAL = 1 << 0,    /* lifecycle (6.1): exactly one of these five, but PENDING may stand beside EXECUTABLE */
    SCOPE_RECORDING = 1 << 1,
    SCOPE_EXECUTABLE = 1 << 2,
    SCOPE_INVALID = 1 << 3,
    SCOPE_PRIMARY = 1 << 4,
    SCOPE_SECONDARY = 1 << 5,
    SCOPE_INSIDE_RENDER_PASS = 1 << 6,  /* a render pass instance is active here: begun, or continued by a secondary */
    SCOPE_SUSPENDED = 1 << 7,           /* the render pass instance is suspended (VK_RENDERING_SUSPENDING_BIT) */
    SCOPE_INSIDE_VIDEO_CODING = 1 << 8,
};

/* Hangs off the object's `state`. Threads: the command buffer is externally synchronised (and its pool with it); a program
 * that breaks that rule can make these words inconsistent, never unsafe to read. */
struct command_buffer {
    uint32_t scope;            /* enum command_buffer_scope */
    VkQueueFlags queue_flags;  /* of the pool's queue family; const */
    struct object *object;     /* const */
    struct object *pool;       /* const */
    uint32_t queue_family;     /* const */
    VkCommandBufferUsageFlags usage; /* of the last vkBeginCommandBuffer */
};

/* The state of the call's command buffer, or NULL (unknown handle, or memory was out): then nothing can be said. */
static inline struct command_buffer *call_command_buffer(const struct call *call)
{
    return call->object ? call->object->state : NULL;
}

#endif
