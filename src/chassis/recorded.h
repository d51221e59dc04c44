/* Each recorded command has a number. Hazards, advice, findings of shaders, breadcrumbs and dumps
 * share one count: command N is the vkCmd... that was recorded after N others since
 * vkBeginCommandBuffer. Each vkCmd... of the program counts, binds, states and labels too. A call
 * that is refused does not count, nor does what the layer records itself.
 *
 * The count is in the state of the command buffer (command_buffer::command_number). The entry
 * counts a command after its last hook, so that all its hooks find its own number there. */
#ifndef ASSAY_CHASSIS_RECORDED_H
#define ASSAY_CHASSIS_RECORDED_H

#include "objects/call.h"

/* The offset of the count in the state, whose structure this room does not know.
 * state/command/command_buffer.h asserts it. */
#define COMMAND_NUMBER_OFFSET 28

/* Counts a call that has gone down, and whose hooks have run. Threads: the one that records the
 * command buffer. */
static ALWAYS_INLINE void count_recorded(const struct call *call)
{
    if (likely(call->command_buffer != NULL))
        ++*(uint32_t *)(void *)((char *)call->command_buffer + COMMAND_NUMBER_OFFSET);
}

#endif
