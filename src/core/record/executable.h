/* Checks that a command buffer is in a state in which it can be submitted, executed by another one,
 * or ended (6.1 "Command Buffer Lifecycle"). Threads: that of the call. Fields of other objects are
 * read as their own comments allow. */
#ifndef ASSAY_CORE_RECORD_EXECUTABLE_H
#define ASSAY_CORE_RECORD_EXECUTABLE_H

#include "report/finding/finding.h"
#include "state/command/command_buffer.h"

/* Executable or pending, and nothing that it uses is gone. */
bool executable_check(const struct call *call, struct command_buffer *command_buffer,
                      VkCommandBuffer handle, enum rule rule, const struct location *where);

/* Being recorded: nothing that its commands use is gone, which would have made it invalid. */
bool executable_check_recording(const struct call *call, struct command_buffer *command_buffer,
                                VkCommandBuffer handle, enum rule rule,
                                const struct location *where);

/* Not recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT: not pending. */
bool executable_check_not_pending(const struct call *call,
                                  const struct command_buffer *command_buffer,
                                  VkCommandBuffer handle, enum rule rule,
                                  const struct location *where);

#endif
