/* Says whether a command buffer is protected. Threads: the calling thread. Fields of other objects
 * are read as their own comments allow. */
#ifndef ASSAY_STATE_COMMAND_PROTECTED_H
#define ASSAY_STATE_COMMAND_PROTECTED_H

#include "state/command/command_buffer.h"

/* True if the command buffer that is recorded is protected: "A protected command buffer is a
 * command buffer which was allocated from a command pool created with
 * VK_COMMAND_POOL_CREATE_PROTECTED_BIT." */
static inline bool command_buffer_is_protected(const struct command_buffer *command_buffer)
{
    const struct command_pool *pool = object_load_state(command_buffer->pool);
    return pool && pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
}

#endif
