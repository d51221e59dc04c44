/* Barriers as the program gives them become barriers of a context: for pipeline barriers, events,
 * and whatever else carries a dependency. */
#ifndef ASSAY_SYNC_BARRIERS_H
#define ASSAY_SYNC_BARRIERS_H

#include "state/command/barrier.h"
#include "sync/record/recording.h"

/* Collects the barriers of one command. Threads: on the stack; the arrays are the command
 * buffer's. */
struct barrier_list {
    struct recording *recording;
    struct sync_barriers barriers;
    uint64_t resource; /* id of the first one */
    uint32_t event;    /* of vkCmdWaitEvents2: the barriers that come now are its, from 1; else 0 */
    bool out_of_memory;
};

void barrier_list_begin(struct barrier_list *list, struct recording *recording);
/* Masks of version 1: a command's stages, and its barriers; of none, the stages alone are an
 * execution dependency. Called once, first. */
void barrier_list_add(struct barrier_list *list, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                      uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                      const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                      const VkImageMemoryBarrier *images);
/* Adds the barriers of one info. The caller adds the global barriers of all infos of a command
 * first, then the ranges of all. */
void barrier_list_add2_global(struct barrier_list *list, const VkDependencyInfo *info);
void barrier_list_add2_ranges(struct barrier_list *list, const VkDependencyInfo *info);
/* A transition of a place of `image` (its id), for render pass objects. `alias`: 0, or as
 * sync_range_barrier::alias. */
void barrier_list_add_transition(struct barrier_list *list, uint64_t image,
                                 const struct sync_place *place, const struct sync_barrier *barrier,
                                 uint32_t alias);
/* Ends the list. All barriers get one tag: the tag of the command, or of the first image that has a
 * transition. False: there is nothing to do. */
bool barrier_list_end(struct barrier_list *list, uint64_t resource,
                      const struct access_source *source) MUST_CHECK;

#endif
