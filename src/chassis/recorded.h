/* Each recorded command has a number, which hazards, advice, findings of shaders, breadcrumbs and
 * dumps share. Command N is the vkCmd... that was recorded after N others since
 * vkBeginCommandBuffer. Each vkCmd... of the program counts, also those that bind, set state or
 * label. A call that is refused does not count, nor does a command that the layer itself records.
 *
 * The count is in the state of the command buffer (command_buffer::command_number). The entry
 * counts a command after its last hook, so that all its hooks find its own number there. */
#ifndef ASSAY_CHASSIS_RECORDED_H
#define ASSAY_CHASSIS_RECORDED_H

#include "objects/call.h"

/* The offset in bytes of command_buffer::command_number. This room does not include its header,
 * state/command/command_buffer.h, which asserts the offset. */
#define COMMAND_NUMBER_OFFSET 28

/* Counts a command after the driver's function and all hooks have run. Threads: the one that
 * records the command buffer. */
static ALWAYS_INLINE void count_recorded(const struct call *call)
{
    if (likely(call->command_buffer != NULL))
        ++*(uint32_t *)(void *)((char *)call->command_buffer + COMMAND_NUMBER_OFFSET);
}

#endif
