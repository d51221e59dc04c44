/* Describes one vkQueueSubmit or vkQueueSubmit2 while the layer goes through its batches.
 *
 * walk.c does so once. Checks of a batch's semaphores come first, then those of each command
 * buffer. Checks of things that only some command buffers hold (enum submit_contents) come last,
 * and only for batches in which one does. A check that needs to know about earlier batches keeps
 * that in struct submit. Threads: the calling thread. Fields of other objects are read as their own
 * comments allow. */
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
#include "state/video/video_progress.h"

/* Kinds of contents that only some command buffers have, and that some check is for. */
enum submit_contents {
    CONTENTS_BUILDS = 1 << 0,
    CONTENTS_EVENTS = 1 << 1,
    CONTENTS_LABELS = 1 << 2,
    CONTENTS_LAYOUTS = 1 << 3,
    CONTENTS_TRANSFERS = 1 << 4, /* ownership transfers */
    CONTENTS_QUERIES = 1 << 5,
    CONTENTS_SUSPENDED = 1 << 6, /* a render pass instance is suspended or resumed */
    CONTENTS_PROTECTED = 1 << 7, /* the command buffer's pool is protected */
    CONTENTS_VIDEO = 1 << 8,     /* video coding */
};

/* The most semaphore operations of one call that are kept. Where a call has more, its operations
 * are not compared with each other. */
#define OPERATIONS_MOST 64
struct submit_operations {
    bool overflow;
    uint32_t count;
    struct {
        const struct semaphore *semaphore;
        bool signal;
        uint64_t value;
        struct unsubmitted_wait after; /* for a signal: the value that its batch waits for */
    } list[OPERATIONS_MOST];
};

/* The most events of one call whose status is followed. Where a call has more, nothing is reported
 * about them. */
#define FOLLOWED_MOST 80
struct followed_event {
    uint64_t event; /* id of the event */
    struct event_status status;
    struct event_wait wait;
    /* number of the queue that has set the event, if that is another queue; otherwise 0 */
    uint32_t other_queue;
};
struct submit_events {
    bool judges;  /* nothing so far has made the rest impossible to judge */
    bool refused; /* a wait was found that the queue would never leave */
    uint32_t count;
    struct followed_event followed[FOLLOWED_MOST];
};

/* The most command buffers of one call whose effects on each other are compared. Later ones are not
 * judged. */
#define EARLIER_MOST 64
struct submit_earlier {
    uint32_t count;
    const struct command_buffer *list[EARLIER_MOST];
};

/* How many labels and markers are open on the queue at this point of the walk. */
struct submit_labels {
    bool known;
    uint32_t labels, markers;
};

/* The states of video sessions at this point of the walk. Further sessions are not judged. */
#define SUBMIT_SESSIONS 2
struct submit_video {
    uint32_t count;
    uint64_t session[SUBMIT_SESSIONS]; /* id */
    struct video_progress progress[SUBMIT_SESSIONS];
};

struct submit_numbers; /* submit.c */

/* The state of one submission. submit_begin() sets some of these members; the others have no value
 * before the first check that uses them sets them. */
struct submit {
    struct call *call;
    const struct queue *queue; /* NULL: not known */
    const struct submit_numbers *numbers;
    bool is_version2;
    /* This batch or an earlier one waits for a value that nothing submitted so far signals
     * (batch_waits_ahead()). The state that its command buffers will find is unknown. */
    bool ahead;
    bool built; /* an earlier batch has builds of acceleration structures */
    /* enum submit_contents: the kinds for which submit_asks_first() was called already */
    uint32_t asked;
    struct submit_operations operations;
    struct submit_events events;
    /* earlier command buffers that have layouts, or queries */
    struct submit_earlier layouts, queries;
    struct submit_labels labels;
    struct submit_video video;
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

/* True on the first call for this kind. A check uses it to initialize its part of `submit`. */
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

/* Each of these checks a batch in which some command buffer has contents of that kind. Returns
 * whether to skip the call. */
bool submit_check_builds(struct submit *submit, const struct submit_batch *batch);
bool submit_check_events(struct submit *submit, const struct submit_batch *batch);
bool submit_check_labels(struct submit *submit, const struct submit_batch *batch);
bool submit_check_layouts(struct submit *submit, const struct submit_batch *batch);
bool submit_check_transfers(struct submit *submit, const struct submit_batch *batch);
bool submit_check_queries(struct submit *submit, const struct submit_batch *batch);
bool submit_check_suspended(struct submit *submit, const struct submit_batch *batch);
bool submit_check_protected(struct submit *submit, const struct submit_batch *batch);
bool submit_check_video(struct submit *submit, const struct submit_batch *batch);

/* The kinds that the sections of a command buffer have. Most have none. */
static ALWAYS_INLINE uint32_t section_contents(const struct command_buffer_sections *sections)
{
    if (likely(!sections ||
               !(sections->labels.open | sections->labels.unmatched | sections->markers.open |
                 sections->markers.unmatched | (uintptr_t)sections->submitted)))
        return 0;
    return (sections->labels.open | sections->labels.unmatched | sections->markers.open |
                    sections->markers.unmatched
                ? CONTENTS_LABELS
                : 0) |
           (sections->submitted ? CONTENTS_VIDEO : 0);
}

/* Bits of enum submit_contents: every kind that the command buffer has. Hot. */
static ALWAYS_INLINE uint32_t command_buffer_contents(const struct command_buffer *command_buffer)
{
    const struct command_pool *pool = object_load_state(command_buffer->pool);
    bool suspends = (command_buffer->began_rendering && command_buffer->scope & SCOPE_SUSPENDED) ||
                    command_buffer->first_instance == FIRST_INSTANCE_RESUMES;
    return section_contents(command_buffer->sections) |
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
