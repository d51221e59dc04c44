/* Rules that commands which bind or push descriptors share. Threads: the calling thread. Fields of
 * other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DESCRIPTOR_BIND_H
#define ASSAY_CORE_DESCRIPTOR_BIND_H

#include "report/rules.h"
#include "state/command/command_buffer.h"

/* pipelineBindPoint must be supported by the queue family of the command buffer's pool. Hot. */
bool descriptor_check_bind_point(struct call *call, VkPipelineBindPoint point, enum rule rule);
/* Each bit in stageFlags must be a stage supported by that queue family. */
bool descriptor_check_stages(struct call *call, VkShaderStageFlags stages, enum rule rule,
                             const struct location *where);

#endif
