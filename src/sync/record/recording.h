/* Records the accesses of a command. The hooks of commands pass them to the functions below. Those
 * find the places of the accesses, the call that made them, and whether they come too early.
 *
 *     bool sync_validate_CmdFillBuffer(struct call *call, VkCommandBuffer commandBuffer, ...)
 *     {
 *         struct recording recording;
 *         if (!recording_begin(&recording, call))
 *             return false;
 *         recording_buffer(&recording, find_buffer(call, dstBuffer), dstOffset, size,
 *                          SYNC_CLEAR_TRANSFER_WRITE, NULL);
 *         return recording_finish_check(&recording);
 *     }
 *
 * A command is checked and recorded at once, in its validate hook. If a callback refuses it for its
 * hazards, it is skipped, and its changes to the context are taken back. If another validator has
 * refused it before, it is only checked, and only if it does no more than access memory. Other
 * refused commands are ignored: barriers, waits for events, beginnings and ends of instances and
 * subpasses, executed command buffers. Commands without hazards (setting and resetting events) are
 * recorded in after hooks.
 * Threads: the command buffer's. If a program uses two at once, accesses are lost, and no more:
 * recording_begin() returns false to the second one. */
#ifndef ASSAY_SYNC_RECORDING_H
#define ASSAY_SYNC_RECORDING_H

#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/memory/image.h"
#include "sync/access/access_context.h"
#include "sync/access/certain.h"
#include "sync/access/usage_mask.h"

/* The role in which a command accesses a resource, for reports. */
enum access_role {
    ROLE_PARAMETER, /* a parameter of the command names it: srcBuffer, dstImage ... */
    ROLE_DESCRIPTOR,
    ROLE_VERTEX_BUFFER, /* `index` is the binding */
    ROLE_INDEX_BUFFER,
    ROLE_INDIRECT_BUFFER,
    ROLE_COUNT_BUFFER,
    ROLE_COLOR_ATTACHMENT, /* `index` is its number in the subpass */
    ROLE_DEPTH_STENCIL_ATTACHMENT,
    ROLE_INPUT_ATTACHMENT,
    ROLE_RESOLVE_ATTACHMENT,
    ROLE_BARRIER,               /* `index` is that of the image barrier */
    ROLE_ATTACHMENT_TRANSITION, /* made by a render pass object; `index` is the attachment */
    ROLE_PRESENT,
    ROLE_HOST, /* the host makes the access */
};

/* Distinguishes the resources of a command. */
struct access_source {
    enum access_role role;
    uint32_t set, binding; /* for ROLE_DESCRIPTOR */
    uint32_t index;        /* array element of a descriptor; for other roles see enum access_role */
    /* 0: the access is to all of the place. PART_UNCERTAIN: no part is certain. Else the certain
     * part is command_log::parts[part - 1]. */
    uint32_t part;
};
#define PART_UNCERTAIN UINT32_MAX

/* One access of a command; each entry has a tag. */
struct access_entry {
    uint64_t resource; /* id of the buffer, image or acceleration structure */
    const void *caller;
    uint32_t command_index; /* number in the command buffer: command_buffer::command_number */
    /* index of the innermost open label in command_log::labels, plus 1; 0 = none */
    uint32_t label;
    enum command command;
    struct access_source source;
};

/* A run of tags that an executed secondary made. Its tag n is tag first + n here, n < count. */
struct access_span {
    uint64_t first, count;
    struct command_log *log; /* held */
    uint32_t command_index;  /* of vkCmdExecuteCommands */
    uint32_t label;          /* the label of vkCmdExecuteCommands, as access_entry::label */
};

struct access_label {
    char *name;      /* in the arena */
    uint32_t parent; /* the surrounding label, as access_entry::label */
    bool muted;      /* the setting mute_labels names this label, or a surrounding one */
};

/* The commands that made the accesses of a command buffer: tag 1 is the first command's. The log
 * outlives its recording while submitted work, or a primary, may still be compared with it.
 * Threads: written by the recording thread, const once the command buffer is executable, but for
 * the count. */
struct command_log {
    _Atomic uint32_t references;
    struct arena arena;
    struct access_entry *entries; /* in the arena, or in `first` */
    /* the first entries: a small command buffer, a present or an acquire needs no more */
    struct access_entry first[2];
    uint32_t count, capacity;
    uint32_t expected;         /* entries that the previous recording had */
    struct access_part *parts; /* in the arena; access_source::part refers to them */
    uint32_t part_count, part_capacity;
    /* sorted by their `first`; `entries` has no entry for tags within a span */
    struct access_span *spans;
    uint32_t span_count, span_capacity;
    struct access_label *labels;
    uint32_t label_count, label_capacity;
    uint64_t command_buffer;       /* id */
    uint32_t recording;            /* how often the command buffer had been begun */
    struct command_log *next_free; /* Lock: command_log.c */
};

/* --- command_log.c --- */

/* Returns an empty log that is held once; NULL: memory is out. */
struct command_log *command_log_take(void) MUST_CHECK;
struct command_log *command_log_hold(struct command_log *log);
/* Releases the log; its memory is kept for another log. NULL is allowed. */
void command_log_release(struct command_log *log);
/* True if only the caller holds the log, which may then be emptied and written again. */
bool command_log_is_own(const struct command_log *log);
void command_log_clear(struct command_log *log);
/* Threads: chassis/fork.c. */
void command_log_fork(enum fork_step step);
/* Returns false if memory is out. */
bool command_log_add(struct command_log *log, const struct access_entry *entry) MUST_CHECK;
/* Returns the next entry, to be filled in, with undefined contents; NULL: memory is out. */
struct access_entry *command_log_place_slow(struct command_log *log) COLD MUST_CHECK;
static ALWAYS_INLINE MUST_CHECK struct access_entry *command_log_place(struct command_log *log)
{
    return likely(log->count < log->capacity) ? &log->entries[log->count++]
                                              : command_log_place_slow(log);
}
bool command_log_add_span(struct command_log *log, const struct access_span *span) MUST_CHECK;
/* Adds a label. Returns its index plus 1, or `parent` if memory is out. */
uint32_t command_log_add_label(struct command_log *log, const char *name, uint32_t parent,
                               bool muted);

/* --- the command that made an access --- */
/* levels of command buffers executing each other that are kept; deeper levels are left out */
#define ORIGIN_LEVELS 4
struct access_origin {
    /* the log of `entry`: the log itself, or the log of a secondary that was executed */
    const struct command_log *log;
    const struct access_entry *entry;
    /* the span, in the searched log, of the vkCmdExecuteCommands that the access came by; NULL: the
     * command is in that log itself */
    const struct access_span *span;
    /* the vkCmdExecuteCommands that the access came by, the outermost first: each one's log, and
     * its span there */
    uint32_t level_count;
    struct {
        const struct command_log *log;
        const struct access_span *span;
    } levels[ORIGIN_LEVELS];
};
/* True if the access was recorded within a label that mute_labels names, or executed within one. */
bool access_origin_is_muted(const struct access_origin *origin);
/* Returns the certain part of the access; NULL: the whole access is certain. */
const struct access_part *access_origin_part(const struct access_origin *origin);
/* The certain part of the access with this tag; NULL: the whole access is certain, or there is no
 * such tag. */
const struct access_part *command_log_find_part(const struct command_log *log, uint64_t tag);
/* Adds a part. Returns its access_source::part. */
uint32_t command_log_add_part(struct command_log *log, const struct access_part *part);
/* Finds the command that made the access with this tag. Returns false if there is no such tag.
 * Secondaries in secondaries are followed to the end. */
bool command_log_find(const struct command_log *log, uint64_t tag,
                      struct access_origin *origin) MUST_CHECK;

struct render_pass_instance; /* state/command/rendering.h */
struct draw_cache;           /* sync/record/draw.h */
struct noted_hazard;         /* sync/report/report.h */
struct advice;               /* sync/advice/advice.h */
struct event_use;            /* sync/record/event_races.h */

/* The state before vkCmdBeginRenderPass, while it is not known whether the call goes down. Other
 * changes in the context are only to the subpass' own data. */
struct tentative_begin {
    bool begun;
    bool entangled, broken;
    uint32_t log_count, epoch, stream_count, instance, instance_count;
    uint64_t next_tag;
};

/* Caches the scopes of masks that barriers had, as programs use few different ones. Zeroed entries
 * are valid: no stages, no scopes. */
#define SCOPES_KNOWN 8 /* pairs, selected by the masks; the newer one of a pair is first */
struct known_scopes {
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
    struct sync_barrier barrier;
};

/* The data of a command buffer. It is NULL if validate_sync was never on, or memory was out. It is
 * made when the command buffer is begun, and kept with the memory of struct command_buffer, which
 * is never freed. It is not used if the command buffer was begun on a device without
 * validate_sync. */
struct sync_command_buffer {
    struct sync_context context;
    struct sync_queue queue; /* the abilities of the pool's queue family */
    struct command_log *log; /* held; NULL: memory was out, and nothing is recorded */
    uint64_t next_tag;
    uint32_t recordings; /* how often the command buffer has been begun */
    uint32_t open_label; /* as access_entry::label */
    /* Grows with each command that orders something: barriers, waits, subpasses, executed command
     * buffers. While it stays the same, a read or an attachment's access that was made before
     * cannot find a new hazard. A write that it races with was reported itself. */
    uint32_t epoch;
    /* how many steps of `epoch` came from event sets, which order nothing by themselves */
    uint32_t event_sets;
    uint32_t event_use_count; /* number of uses in the recording so far */
    /* sync/record/event_races.h; owned, kept; NULL until the first use */
    struct event_use *event_uses;
    struct draw_cache *draws; /* owned */
    /* owned: sync/advice/advice.h; NULL if advice was never asked for */
    struct advice *advice;
    /* owned, kept: the ranges of one command's barriers */
    struct sync_range_barrier *ranges;
    struct sync_barrier *barriers; /* owned, kept: the scopes of one command's barriers */
    uint32_t range_capacity, barrier_capacity;
    /* SCOPES_KNOWN pairs, made for this `queue`. Owned, kept; NULL before the first barrier */
    struct known_scopes (*scopes)[2];
    /* the state that sync_take_back() restores if the call is refused */
    struct tentative_begin tentative;
    /* while a build of vkCmdBuildAccelerationStructuresKHR is recorded: the tag of its first
     * access; else 0 */
    uint64_t build_tag;
    bool begin_was_checked; /* the hazards of vkCmdBeginRendering have been reported */
    /* sync_aliases_now() when the recording was begun, or an older one that it executes */
    uint32_t aliases_since;
    /* the current instance's render pass object has VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT, so
     * that the places of its attachments' transitions are unknown */
    bool ignores_aliases;
    /* a thread is recording or playing this, and has all of the above for itself */
    _Atomic bool busy;
    /* a second thread came meanwhile: nothing is reported until the command buffer is begun
     * again */
    _Atomic bool disturbed;
    /* Doubts of the current recording. Owned, kept; NULL before the first hazard */
    struct doubts *doubts;
    /* number of the queue that it may be parked with (sync/queue/queue_park.c), or 0. Relaxed */
    _Atomic uint8_t parked;
    /* A queue may have claimed all memory spaces that this recording uses, while it shares its
     * group with no other queue (sync/queue/queue_group.c). This is then that queue's
     * claims::stamp; 0: no such queue is known. Lock: `busy` */
    uint64_t claimed;
};

/* True if a callback has refused the call already, in its validate hooks. Then it is only checked
 * (call_refuse()). */
static ALWAYS_INLINE bool call_is_refused(const struct call *call)
{
    return call->result == VK_ERROR_VALIDATION_FAILED_EXT;
}

/* Forgets the doubts, as their tags will be given out again. */
static inline void recording_forget_doubts(struct sync_command_buffer *sync)
{
    if (sync->doubts)
        sync->doubts->count = 0;
}

/* Takes the recording: a lock that is never waited for. Returns false if another thread has it,
 * whose work is disturbed by that, or if it was disturbed before. */
static ALWAYS_INLINE bool recording_take(struct sync_command_buffer *sync)
{
    if (unlikely(atomic_exchange_explicit(&sync->busy, true, memory_order_acquire))) {
        atomic_store_explicit(&sync->disturbed, true, memory_order_relaxed);
        return false;
    }
    if (likely(!atomic_load_explicit(&sync->disturbed, memory_order_relaxed)))
        return true;
    atomic_store_explicit(&sync->busy, false, memory_order_release);
    return false;
}

static ALWAYS_INLINE void recording_give(struct sync_command_buffer *sync)
{
    atomic_store_explicit(&sync->busy, false, memory_order_release);
}

/* True for storage that a shader reads or writes; it is unknown which part. */
static inline bool usage_is_storage(uint16_t usage)
{
    const VkAccessFlags2 storage =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    return (sync_usage_info[usage].access & storage) != 0;
}

/* True unless the settings leave the hazard out, for all code that reports hazards: a load
 * operation after a store operation, and draws after such a load
 * (syncval_load_op_after_store_op_validation). */
static inline bool hazard_is_asked_for(const struct settings *settings,
                                       const struct sync_access *access,
                                       const struct sync_record *prior)
{
    const bool of_shader =
        access->ordering == SYNC_ORDER_INPUT || access->ordering == SYNC_ORDER_ATOMIC;
    return access->ordering == SYNC_UNORDERED || of_shader || prior->ordering != SYNC_ORDER_STORE ||
           settings->syncval_load_op_after_store_op_validation;
}

/* The most separate pieces of a buffer that are looked at, for a command with a stride. Only a
 * mistaken call has more. */
#define RECORDING_PIECES 4096u

/* The workgroups of a dispatch: the first one and their count, in each dimension. */
struct dispatch_groups {
    uint32_t first[3], count[3];
};

/* One command that is being recorded. */
struct recording {
    struct sync_sink sink; /* the sink of the context */
    /* the layouts in which the command reads, and writes, its image; 0: not known. Used for
     * mends */
    VkImageLayout wanted[2];
    const struct call *call;
    struct command_buffer *command_buffer;
    /* the instance of the command buffer, or the one that is about to begin */
    const struct render_pass_instance *rendering;
    struct sync_command_buffer *sync;
    bool only_checks;     /* accesses are checked, and no trace of the command is kept */
    uint32_t first_entry; /* index of the command's first entry in the log */
    uint32_t command_index;
    /* the first tag of this command, whose own accesses are not compared with each other */
    uint64_t first_tag;
    const struct dispatch_groups *groups; /* of a dispatch; NULL: not known, or not a dispatch */
    struct noted_hazard
        /* hazards found so far, reported when the command ends (sync/report/report.h); NULL:
         * none */
        *hazards;
};

/* Begins to record a command. Returns false if it is not recorded: there is no data, or another
 * thread is recording. */
bool recording_begin(struct recording *recording, struct call *call) MUST_CHECK;
/* Begins a command that does more than access memory. Returns false if it is not recorded, or a
 * callback has refused it already. */
bool recording_begin_order(struct recording *recording, struct call *call) MUST_CHECK;
void recording_end(struct recording *recording);
/* Ends the command before the call. Returns true if the call is to be skipped. */
bool recording_finish(struct recording *recording) MUST_CHECK;
/* Ends the recording of a validate hook. Returns true if the call is to be skipped. If a callback
 * refuses the command for its hazards, its accesses are removed again. A command that was refused
 * before this check is checked as well, and leaves no trace either. */
bool recording_finish_check(struct recording *recording) MUST_CHECK;
/* The state before a command that executes others, or ends a subpass. */
struct recording_before {
    struct sync_checkpoint context;
    uint32_t epoch, span_count;
    bool ignores_aliases;
    /* the command's effect cannot be taken back: if it is refused, nothing is reported until the
     * command buffer is begun again */
    bool is_lost;
};
void recording_note_before(const struct recording *recording, struct recording_before *before);
/* Does the same as recording_finish_check(), after recording_begin_order(). `before`: NULL for a
 * command that has barriers and accesses only. */
bool recording_finish_order(struct recording *recording,
                            const struct recording_before *before) MUST_CHECK;
/* Notes the state that sync_take_back() restores: all later changes by the recording are undone
 * unless recording_confirm() is called before. */
void recording_tentative(struct recording *recording);
/* Called when the call has gone down. Returns true if there was something to confirm. */
bool recording_confirm(const struct call *call);

/* Returns the tag of the next access; each access of a resource has its own. 0: memory is out. */
uint64_t recording_tag(struct recording *recording, uint64_t resource,
                       const struct access_source *source);

/* Records an access at a known place. */
void recording_place(struct recording *recording, const struct sync_place *place, uint64_t tag,
                     enum sync_usage usage, enum sync_ordering ordering);

/* In the following functions, resources may be NULL (unknown: nothing happens). Resources without
 * memory, and sparse ones, have a space of their own. `source` may be NULL: ROLE_PARAMETER. */

/* `size` may be VK_WHOLE_SIZE; it is clipped to the buffer. */
void recording_buffer(struct recording *recording, const struct buffer *buffer, VkDeviceSize offset,
                      VkDeviceSize size, enum sync_usage usage, const struct access_source *source);

void recording_buffer_ordered(struct recording *recording, const struct buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size, enum sync_usage usage,
                              enum sync_ordering ordering, const struct access_source *source);

/* Records an access at a device address, if a known buffer has it. */
void recording_address(struct recording *recording, VkDeviceAddress address, VkDeviceSize size,
                       enum sync_usage usage);

/* Records an access to all of the range's subresources; VK_REMAINING_* are resolved. */
void recording_image(struct recording *recording, const struct image *image,
                     const VkImageSubresourceRange *range, enum sync_usage usage,
                     enum sync_ordering ordering, const struct access_source *source);

/* Records an access to one place of the image. */
void recording_image_place(struct recording *recording, const struct image *image,
                           const struct sync_place *place, enum sync_usage usage,
                           enum sync_ordering ordering, const struct access_source *source);
struct image_places;
/* Records an access to all remaining places of a walk (sync/access/ranges.h). */
void recording_image_places(struct recording *recording, struct image_places *places,
                            enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source);

/* Records an access to a region of one mip level, in texels. If it is not as wide as the level, its
 * rows of texel blocks are separate places. */
void recording_image_region(struct recording *recording, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent, enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source);

#endif
