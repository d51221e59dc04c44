/* The descriptor heaps of a command buffer (14.4 "Descriptor Heaps"): which are bound, and the push
 * data. Commands of descriptor sets, descriptor buffers and push constants make all of it invalid,
 * and the other way round. Threads: that which records the command buffer. */
#ifndef ASSAY_STATE_HEAPS_H
#define ASSAY_STATE_HEAPS_H

#include "state/command/command_buffer.h"

/* True if a command of sets, descriptor buffers or push constants came after the commands of heaps.
 * (Commands of heaps leave no such state.) */
static inline bool heaps_are_invalid(const struct command_buffer *command_buffer)
{
    bool others = command_buffer->descriptor_buffer_count != 0;
    for (uint32_t i = 0; i < BIND_POINTS; i++)
        others |= command_buffer->bind[i].set_count || command_buffer->bind[i].sets_lost ||
                  command_buffer->bind[i].layout_compatibility_for_push;
    return others;
}

/* The heap, or NULL: none is bound, or it became invalid. */
static inline const struct bound_heap *bound_heap_of(const struct command_buffer *command_buffer,
                                                     enum heap_kind kind)
{
    const struct bound_heap *heap = &command_buffer->heaps.heaps[kind];
    return heap->bound && !heaps_are_invalid(command_buffer) ? heap : NULL;
}

/* True if the word of push data at this byte was not pushed; false where that is not known. */
bool push_data_is_unset(const struct command_buffer *command_buffer, uint32_t offset);
/* The `words` words of push data at this byte, one or two. False: they were not pushed, or are not
 * known. */
bool push_data_read(const struct command_buffer *command_buffer, uint32_t offset, uint32_t words,
                    uint64_t *value) MUST_CHECK;

/* Nothing is bound or pushed any more. Of heaps that were bound, it is noted. */
void heaps_forget(struct bound_heaps *heaps);
struct bound_heap bound_heap_by(const VkBindHeapInfoEXT *info);

#endif
