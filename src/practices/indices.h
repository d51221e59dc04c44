/* Keeps the largest indexed draws of a command buffer, whose indices are looked at when it is
 * submitted (practices/indices.c).
 * Threads: notes, that which records; the look at the submit, that of the call. */
#ifndef ASSAY_PRACTICES_INDICES_H
#define ASSAY_PRACTICES_INDICES_H

#include "practices/areas.h"

/* A draw of fewer indices is soon done, however they are ordered. */
#define FEW_INDICES 1000

/* The call is a vkCmdDrawIndexed of at least practices_of_command_buffer::least_indices. */
void indices_note(const struct call *call, uint32_t count, uint32_t first) COLD;
/* Notes that the call executes the secondary: its largest draws count for the primary, too. */
void indices_execute(const struct call *call, VkCommandBuffer secondary);
/* The command buffer is about to be submitted: what the device will read is there by now. */
void indices_submit(const struct call *call, const struct location *where,
                    VkCommandBuffer command_buffer) COLD;

#endif
