/* Checks that all commands with barriers do for each of them (7.7 "Pipeline Barriers", 7.5
 * "Events"). Threads: the calling thread. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_BARRIER_BARRIER_H
#define ASSAY_CORE_BARRIER_BARRIER_H

#include "report/finding/finding.h"
#include "state/command/barrier.h"

/* The barriers of one vkCmdPipelineBarrier or vkCmdWaitEvents, which all use the masks of the
 * command. */
struct barriers {
    VkPipelineStageFlags src_stages, dst_stages;
    uint32_t memory_count, buffer_count, image_count;
    const VkMemoryBarrier *memory;
    const VkBufferMemoryBarrier *buffers;
    const VkImageMemoryBarrier *images;
};
bool barriers_check(const struct call *call, const struct command_buffer *command_buffer,
                    const struct barriers *barriers);

/* Checks infos[index] of a command of version 2. infos[0] to infos[index - 1] belong to the same
 * command. The command itself checks whether the queue family supports the stages. */
bool dependency_check(const struct call *call, const struct command_buffer *command_buffer,
                      const VkDependencyInfo *infos, uint32_t index, const struct location *where);

/* The effect of a barrier with these families on the ownership of a resource with this sharing
 * mode. */
enum ownership { OWNERSHIP_STAYS, OWNERSHIP_RELEASED, OWNERSHIP_ACQUIRED };
enum ownership barrier_ownership(VkSharingMode mode, uint32_t src_family, uint32_t dst_family,
                                 uint32_t own_family);

#endif
