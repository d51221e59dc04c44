/* The descriptor heaps of a command buffer (14.4 "Descriptor Heaps"): the bound ones, and the push
 * data. Commands for descriptor sets, descriptor buffers and push constants make this state
 * invalid, and the reverse. Threads: the one that records the command buffer. */
#ifndef ASSAY_STATE_HEAPS_H
#define ASSAY_STATE_HEAPS_H

#include "state/command/command_buffer.h"

/* True if a command for sets, descriptor buffers or push constants came after the commands for
 * heaps. The latter leave no such state. */
static inline bool heaps_are_invalid(const struct command_buffer *command_buffer)
{
    bool others = command_buffer->descriptor_buffer_count != 0;
    for (uint32_t i = 0; i < BIND_POINTS; i++)
        others |= command_buffer->bind[i].set_count || command_buffer->bind[i].sets_lost ||
                  command_buffer->bind[i].layout_compatibility_for_push;
    return others;
}

/* The bound heap; NULL: none is bound, or it became invalid. */
static inline const struct bound_heap *bound_heap_of(const struct command_buffer *command_buffer,
                                                     enum heap_kind kind)
{
    const struct bound_heap *heap = &command_buffer->heaps.heaps[kind];
    return heap->bound && !heaps_are_invalid(command_buffer) ? heap : NULL;
}

/* True if the word of push data at byte `offset` was not pushed. False also if that is not
 * known. */
bool push_data_is_unset(const struct command_buffer *command_buffer, uint32_t offset);
/* Reads one or two words of push data from byte `offset` on. False: they were not pushed, or are
 * not known. */
bool push_data_read(const struct command_buffer *command_buffer, uint32_t offset, uint32_t words,
                    uint64_t *value) MUST_CHECK;

/* Unbinds all heaps, and forgets push data. It notes which heaps were bound before. */
void heaps_forget(struct bound_heaps *heaps);
struct bound_heap bound_heap_by(const VkBindHeapInfoEXT *info);

#endif
