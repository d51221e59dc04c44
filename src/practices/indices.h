/* Keeps the largest indexed draws of a command buffer, whose indices are read when it is submitted
 * (practices/indices.c). Threads: the one that records, for notes; the calling thread, for the
 * submit. */
#ifndef ASSAY_PRACTICES_INDICES_H
#define ASSAY_PRACTICES_INDICES_H

#include "practices/areas.h"

/* Draws with fewer indices are fast in any order. */
#define FEW_INDICES 1000

/* Notes a vkCmdDrawIndexed of at least practices_of_command_buffer::least_indices. */
void indices_note(const struct call *call, uint32_t count, uint32_t first) COLD;
/* Notes that the call executes the secondary: its largest draws also count for the primary. */
void indices_execute(const struct call *call, VkCommandBuffer secondary);
/* Judges the indices of a command buffer that is about to be submitted, as they are written by
 * now. */
void indices_submit(const struct call *call, const struct location *where,
                    VkCommandBuffer command_buffer) COLD;

#endif
