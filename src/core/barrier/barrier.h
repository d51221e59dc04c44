/* All commands that take barriers check this of each (7.7 "Pipeline Barriers", 7.5 "Events").
 * Threads: that of the call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_BARRIER_H
#define ASSAY_CORE_BARRIER_BARRIER_H

#include "report/finding/finding.h"
#include "state/command/barrier.h"

/* The barriers of one vkCmdPipelineBarrier or vkCmdWaitEvents: all share its masks. */
struct barriers {
    VkPipelineStageFlags src_stages, dst_stages;
    uint32_t memory_count, buffer_count, image_count;
    const VkMemoryBarrier *memory;
    const VkBufferMemoryBarrier *buffers;
    const VkImageMemoryBarrier *images;
};
bool barriers_check(const struct call *call, const struct command_buffer *command_buffer,
                    const struct barriers *barriers);

/* Checks infos[index] of a command of version 2, which has all infos before it, too. The command
 * itself checks queue families' abilities. */
bool dependency_check(const struct call *call, const struct command_buffer *command_buffer,
                      const VkDependencyInfo *infos, uint32_t index, const struct location *where);

/* Says whether a barrier between these families, of a resource of this sharing mode, hands it over.
 */
enum ownership { OWNERSHIP_STAYS, OWNERSHIP_RELEASED, OWNERSHIP_ACQUIRED };
enum ownership barrier_ownership(VkSharingMode mode, uint32_t src_family, uint32_t dst_family,
                                 uint32_t own_family);

#endif
