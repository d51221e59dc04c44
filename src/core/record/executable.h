/* Checks that the state of a command buffer allows it to be submitted, executed by another one, or
 * ended (6.1 "Command Buffer Lifecycle"). Threads: the calling thread. Fields of other objects are
 * read as their own comments allow. */
#ifndef ASSAY_CORE_RECORD_EXECUTABLE_H
#define ASSAY_CORE_RECORD_EXECUTABLE_H

#include "report/finding/finding.h"
#include "state/command/command_buffer.h"

/* Checks that the command buffer is executable or pending, and that nothing which its commands use
 * was destroyed. */
bool executable_check(const struct call *call, struct command_buffer *command_buffer,
                      VkCommandBuffer handle, enum rule rule, const struct location *where);

/* Checks that nothing which the commands recorded so far use was destroyed, as that makes a command
 * buffer invalid. */
bool executable_check_recording(const struct call *call, struct command_buffer *command_buffer,
                                VkCommandBuffer handle, enum rule rule,
                                const struct location *where);

/* Checks that a command buffer without VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT is not
 * pending. */
bool executable_check_not_pending(const struct call *call,
                                  const struct command_buffer *command_buffer,
                                  VkCommandBuffer handle, enum rule rule,
                                  const struct location *where);

#endif
