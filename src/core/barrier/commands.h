/* Checks stage masks that are parameters of vkCmdPipelineBarrier and similar commands. Threads: the
 * calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_COMMANDS_H
#define ASSAY_CORE_BARRIER_COMMANDS_H

#include "core/barrier/barrier.h"
#include "core/barrier/stages.h"

/* Checks a parameter of a command of version 1: the features of its stages, and that the command
 * buffer's queue family supports them. */
bool stage_mask_check(const struct call *call, const struct command_buffer *command_buffer,
                      enum mask_place place, enum rule queue_rule, VkPipelineStageFlags stages,
                      const char *name);
/* Checks that the mask is 0 only with the feature synchronization2. */
bool stage_mask_check_zero(const struct call *call, VkPipelineStageFlags stages, enum vuid vuid,
                           const char *name);
/* Checks that the command buffer's queue family supports the stages of a barrier's member (version
 * 2). */
bool stages2_check_queue(const struct call *call, const struct command_buffer *command_buffer,
                         enum rule rule, VkPipelineStageFlags2 stages, const struct location *where,
                         const char *name);

#endif
