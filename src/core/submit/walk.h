/* Describes one vkQueueSubmit or vkQueueSubmit2 while its batches are gone through.
 *
 * That happens once (walk.c). Checks of a batch's semaphores come first, then those of each command
 * buffer. Checks of things that only some command buffers hold (enum submit_contents) come last,
 * and only for batches in which one does. A check that must know of the batches before keeps that
 * in struct submit. Threads: that of the call. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_CORE_SUBMIT_WALK_H
#define ASSAY_CORE_SUBMIT_WALK_H

#include "core/hooks.h"
#include "report/finding/finding.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/command/event.h"
#include "state/memory/ownership.h"
#include "state/query/query.h"
#include "state/command/sections.h"
#include "state/submit/submission.h"

/* The kinds of contents that some command buffers hold. */
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

/* The most operations that earlier parts of the same call may have made of semaphores. A call with
 * more of them than this is not looked at for what its semaphores' operations do to each other. */
#define OPERATIONS_MOST 64
struct submit_operations {
    bool overflow;
    uint32_t count;
    struct {
        const struct semaphore *semaphore;
        bool signal;
        uint64_t value;
        struct unsubmitted_wait after; /* of a signal: what its batch waits for */
    } list[OPERATIONS_MOST];
};

/* Events of one call whose status is followed; of a call with more nothing is said. */
#define FOLLOWED_MOST 80
struct followed_event {
    uint64_t event; /* id */
    struct event_status status;
    struct event_wait wait;
    uint32_t other_queue; /* number of the queue that has set it, which is another one; or 0 */
};
struct submit_events {
    bool judges;  /* nothing has been met yet that makes the rest unknown */
    bool refused; /* the queue would wait forever */
    uint32_t count;
    struct followed_event followed[FOLLOWED_MOST];
};

/* Command buffers of one call whose effects on each other are looked at; what comes after is not
 * judged. */
#define EARLIER_MOST 64
struct submit_earlier {
    uint32_t count;
    const struct command_buffer *list[EARLIER_MOST];
};

/* The queue's open labels and markers, as far as the batches have been gone through. */
struct submit_labels {
    bool known;
    uint32_t labels, markers;
};

struct submit_numbers; /* submit.c */

/* submit_begin() sets some of these members. The others have no value until a check first asks for
 * them. */
struct submit {
    struct call *call;
    const struct queue *queue; /* NULL: not known */
    const struct submit_numbers *numbers;
    bool is_version2;
    /* This batch or one before it waits for a value that nothing submitted so far signals
     * (batch_waits_ahead()). What its command buffers will find cannot be known. */
    bool ahead;
    bool built;     /* a batch before this one has builds of acceleration structures */
    uint32_t asked; /* enum submit_contents: kinds that were asked for a batch before */
    struct submit_operations operations;
    struct submit_events events;
    struct submit_earlier layouts, queries; /* command buffers that have them */
    struct submit_labels labels;
};

/* One batch of the submit. `where`: pSubmits[i]. */
struct submit_batch {
    struct batch batch;
    struct location where;
    bool is_protected;
};

/* The name of a batch's array of command buffers. */
static inline const char *batch_command_buffers_name(const struct batch *batch)
{
    return batch->command_buffers2 ? "pCommandBufferInfos" : "pCommandBuffers";
}

/* True for the first batch for which the kind is asked. */
static inline bool submit_asks_first(struct submit *submit, enum submit_contents kind)
{
    bool first = !(submit->asked & kind);
    submit->asked |= kind;
    return first;
}

/* Checks all command buffers of a batch at `where`, and adds their contents to `contents`. Hot. */
bool submit_check_command_buffers(const struct submit *submit, const VkSubmitInfo *info,
                                  const struct location *where, uint32_t *contents);
bool submit_check_command_buffers2(const struct submit *submit, const VkSubmitInfo2 *info,
                                   const struct location *where, uint32_t *contents);

/* Checks batches in which some command buffer has such contents. Returns whether to skip the
 * call. */
bool submit_check_builds(struct submit *submit, const struct submit_batch *batch);
bool submit_check_events(struct submit *submit, const struct submit_batch *batch);
bool submit_check_labels(struct submit *submit, const struct submit_batch *batch);
bool submit_check_layouts(struct submit *submit, const struct submit_batch *batch);
bool submit_check_transfers(struct submit *submit, const struct submit_batch *batch);
bool submit_check_queries(struct submit *submit, const struct submit_batch *batch);
bool submit_check_suspended(struct submit *submit, const struct submit_batch *batch);
bool submit_check_protected(struct submit *submit, const struct submit_batch *batch);

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
