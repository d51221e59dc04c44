/* Finds what submitted command buffers hold that only some do. A submit looks at each of them once,
 * and asks only those checks that have something to look at. */
#ifndef ASSAY_CORE_SUBMIT_CONTENTS_H
#define ASSAY_CORE_SUBMIT_CONTENTS_H

#include "state/acceleration_structure.h"
#include "state/ownership.h"
#include "state/query.h"
#include "state/sections.h"
#include "state/submission.h"

/* All batches of one vkQueueSubmit or vkQueueSubmit2: the array of the other one is NULL. */
struct submits {
    uint32_t count;
    const VkSubmitInfo *infos;
    const VkSubmitInfo2 *infos2;
};

static inline struct batch submits_batch(const struct submits *submits, uint32_t i)
{
    return submits->infos2 ? batch_of_submit2(&submits->infos2[i])
                           : batch_of_submit(&submits->infos[i]);
}

/* The name of a batch's array of command buffers. */
static inline const char *batch_command_buffers_name(const struct batch *batch)
{
    return batch->command_buffers2 ? "pCommandBufferInfos" : "pCommandBuffers";
}

enum submit_contents {
    CONTENTS_BUILDS = 1 << 0,
    CONTENTS_EVENTS = 1 << 1,
    CONTENTS_LABELS = 1 << 2,
    CONTENTS_LAYOUTS = 1 << 3,
    CONTENTS_TRANSFERS = 1 << 4, /* of ownership */
    CONTENTS_QUERIES = 1 << 5,
    CONTENTS_SUSPENDED = 1 << 6, /* a render pass instance is suspended or resumed */
    CONTENTS_PROTECTED = 1 << 7, /* the command buffer's pool is */
};

/* The checks of each kind, for calls in which some command buffer has that kind. */
bool submits_check_builds(struct call *call, const struct submits *submits);
bool submits_check_events(struct call *call, const struct submits *submits);
bool submits_check_labels(struct call *call, const struct submits *submits);
bool submits_check_layouts(struct call *call, const struct submits *submits);
bool submits_check_transfers(struct call *call, const struct submits *submits);
bool submits_check_queries(struct call *call, const struct submits *submits);
bool submits_check_suspended(struct call *call, const struct submits *submits);
bool submits_check_protected(struct call *call, const struct submits *submits);

/* All checks that `contents`, bits of all command buffers together, ask for. */
bool submits_check_contents(struct call *call, const struct submits *submits, uint32_t contents);

/* True if its chain says that it is protected. */
bool submit_is_protected(const VkSubmitInfo *info);

static ALWAYS_INLINE uint32_t label_contents(const struct command_buffer_sections *sections)
{
    return sections && sections->labels.open | sections->labels.unmatched | sections->markers.open |
                           sections->markers.unmatched
               ? CONTENTS_LABELS
               : 0;
}

/* Bits of enum submit_contents: all kinds that the command buffer may have. Hot. */
static ALWAYS_INLINE uint32_t command_buffer_contents(const struct command_buffer *command_buffer)
{
    const struct command_pool *pool = object_load_state(command_buffer->pool);
    bool suspends = (command_buffer->began_rendering && command_buffer->scope & SCOPE_SUSPENDED) ||
                    command_buffer->first_instance == FIRST_INSTANCE_RESUMES;
    return label_contents(command_buffer->sections) |
           (command_buffer->builds ? CONTENTS_BUILDS : 0) |
           (command_buffer->events ? CONTENTS_EVENTS : 0) |
           (command_buffer->layouts ? CONTENTS_LAYOUTS : 0) |
           (command_buffer->transfers && command_buffer->transfers->count ? CONTENTS_TRANSFERS
                                                                          : 0) |
           (command_buffer->queries && command_buffer->queries->count ? CONTENTS_QUERIES : 0) |
           (suspends ? CONTENTS_SUSPENDED : 0) |
           (pool && pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT ? CONTENTS_PROTECTED : 0);
}

#endif
