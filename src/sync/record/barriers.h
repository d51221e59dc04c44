/* Converts the program's barriers to barriers of a context: for pipeline barriers, events, and all
 * other commands with a dependency. */
#ifndef ASSAY_SYNC_BARRIERS_H
#define ASSAY_SYNC_BARRIERS_H

#include "state/command/barrier.h"
#include "sync/record/recording.h"

/* Collects the barriers of one command. Threads: on the stack; the arrays are the command
 * buffer's. */
struct barrier_list {
    struct recording *recording;
    struct sync_barriers barriers;
    uint64_t resource; /* id of the first resource; 0: none */
    /* number of the event, from 1, that the next barriers belong to, for vkCmdWaitEvents2; else
     * 0 */
    uint32_t event;
    bool out_of_memory;
};

void barrier_list_begin(struct barrier_list *list, struct recording *recording);
/* Adds barriers of version 1: a command's stage masks, and its barriers. Without barriers, the
 * stages are an execution dependency. It is called once, first. */
void barrier_list_add(struct barrier_list *list, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                      uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                      const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                      const VkImageMemoryBarrier *images);
/* Adds the barriers of one info. The caller adds the global barriers of all infos of a command
 * first, then the ranges of all. */
void barrier_list_add2_global(struct barrier_list *list, const VkDependencyInfo *info);
void barrier_list_add2_ranges(struct barrier_list *list, const VkDependencyInfo *info);
/* Adds a transition of a place of `image` (its id), for render pass objects. `alias` is as
 * sync_range_barrier::alias, or 0. */
void barrier_list_add_transition(struct barrier_list *list, uint64_t image,
                                 const struct sync_place *place, const struct sync_barrier *barrier,
                                 uint32_t alias);
/* Ends the list. All barriers get one tag: the tag of the command, or of the first image that has a
 * transition. Returns false if there is nothing to record. */
bool barrier_list_end(struct barrier_list *list, uint64_t resource,
                      const struct access_source *source) MUST_CHECK;

#endif
