/* The accesses of a recorded command. The hooks of commands state them here (sync/<topic>.c:
 * sync_after_Cmd*). The functions below find out where they lie, which call made them, and whether
 * they come too early.
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
 * A command is looked at once, and recorded by that, in its validate hook. Where a callback refuses
 * it for its hazards, it is skipped, and what it did to the context is taken back. One that was
 * refused before is only looked at, where it only accesses memory. All others (barriers, waits for
 * events, what begins and ends instances and subpasses, executed command buffers) are then left
 * alone. What can have no hazard (setting and resetting events) is looked at in after hooks.
 * Threads: the command buffer's; a program that breaks that loses accesses, and no more
 * (recording_begin() turns a second thread away). */
#ifndef ASSAY_SYNC_RECORDING_H
#define ASSAY_SYNC_RECORDING_H

#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/memory/image.h"
#include "sync/access/access_context.h"
#include "sync/access/certain.h"
#include "sync/access/usage_mask.h"

/* In which role a command accesses a resource, for reports. */
enum access_role {
    ROLE_PARAMETER, /* the command names it: srcBuffer, dstImage ... */
    ROLE_DESCRIPTOR,
    ROLE_VERTEX_BUFFER, /* index: the binding */
    ROLE_INDEX_BUFFER,
    ROLE_INDIRECT_BUFFER,
    ROLE_COUNT_BUFFER,
    ROLE_COLOR_ATTACHMENT, /* index: its number in the subpass */
    ROLE_DEPTH_STENCIL_ATTACHMENT,
    ROLE_INPUT_ATTACHMENT,
    ROLE_RESOLVE_ATTACHMENT,
    ROLE_BARRIER,               /* index: of the image barrier */
    ROLE_ATTACHMENT_TRANSITION, /* of a render pass object: index: the attachment */
    ROLE_PRESENT,
    ROLE_HOST, /* what the host itself does */
};

/* Tells the resources of a command apart. */
struct access_source {
    enum access_role role;
    uint32_t set, binding; /* of ROLE_DESCRIPTOR */
    uint32_t index;        /* array element of a descriptor, and see above */
    /* 0: all of it is accessed. Else what of it is certain: 1 more than an index of
     * command_log::parts, or PART_UNCERTAIN, nothing. */
    uint32_t part;
};
#define PART_UNCERTAIN UINT32_MAX

/* One access that a command made: what a tag stands for. */
struct access_entry {
    uint64_t resource; /* id of the buffer, image or acceleration structure */
    const void *caller;
    uint32_t command_index; /* in the command buffer: command_buffer::command_number */
    /* command_log::labels: index of the innermost label that was open, and 1; 0 = none */
    uint32_t label;
    enum command command;
    struct access_source source;
};

/* A run of tags that an executed secondary made: tag first + n here is tag n there, n < count. */
struct access_span {
    uint64_t first, count;
    struct command_log *log; /* held */
    uint32_t command_index;  /* of vkCmdExecuteCommands */
    uint32_t label;          /* as access_entry::label: of that */
};

struct access_label {
    char *name;      /* in the arena */
    uint32_t parent; /* as access_entry::label: the one around it */
    bool muted;      /* the setting mute_labels names it, or one around it */
};

/* The commands that made the accesses of a command buffer: tag 1 is its first. Outlives its
 * recording where submitted work, or a primary, may still be compared with it. Threads: written by
 * the recording thread, const once the command buffer is executable, but for the count. */
struct command_log {
    _Atomic uint32_t references;
    struct arena arena;
    struct access_entry *entries; /* in the arena, or: */
    /* the first entries: a small command buffer, a present or an acquire needs no more */
    struct access_entry first[2];
    uint32_t count, capacity;
    uint32_t expected;         /* entries: as many as the recording before had */
    struct access_part *parts; /* in the arena: access_source::part */
    uint32_t part_count, part_capacity;
    /* by growing `first`; `entries` has nothing for tags within a span */
    struct access_span *spans;
    uint32_t span_count, span_capacity;
    struct access_label *labels;
    uint32_t label_count, label_capacity;
    uint64_t command_buffer;       /* id */
    uint32_t recording;            /* how often the command buffer had been begun */
    struct command_log *next_free; /* Lock: command_log.c */
};

/* --- command_log.c --- */

/* empty, held once; NULL when memory is out */
struct command_log *command_log_take(void) MUST_CHECK;
struct command_log *command_log_hold(struct command_log *log);
/* NULL: nothing happens. Its memory is kept for the next one */
void command_log_release(struct command_log *log);
/* Only the caller holds it: it may be emptied, and written again. */
bool command_log_is_own(const struct command_log *log);
void command_log_clear(struct command_log *log);
/* Threads: chassis/fork.c. */
void command_log_fork(enum fork_step step);
/* False: memory is out. */
bool command_log_add(struct command_log *log, const struct access_entry *entry) MUST_CHECK;
/* The next entry, undefined content, to be filled in; NULL: memory is out. */
struct access_entry *command_log_place_slow(struct command_log *log) COLD MUST_CHECK;
static ALWAYS_INLINE MUST_CHECK struct access_entry *command_log_place(struct command_log *log)
{
    return likely(log->count < log->capacity) ? &log->entries[log->count++]
                                              : command_log_place_slow(log);
}
bool command_log_add_span(struct command_log *log, const struct access_span *span) MUST_CHECK;
/* 1 more than the new label's index; `parent` where memory is out. */
uint32_t command_log_add_label(struct command_log *log, const char *name, uint32_t parent,
                               bool muted);

/* The command that made the access. */
/* how deep command buffers that execute each other are followed; deeper levels are left out */
#define ORIGIN_LEVELS 4
struct access_origin {
    /* the log of `entry`: the log itself, or the log of a secondary that was executed */
    const struct command_log *log;
    const struct access_entry *entry;
    /* of the log itself: the vkCmdExecuteCommands that the access came by; NULL: its own */
    const struct access_span *span;
    /* the vkCmdExecuteCommands that it came by, the outermost first: each in this log, by this span
     */
    uint32_t level_count;
    struct {
        const struct command_log *log;
        const struct access_span *span;
    } levels[ORIGIN_LEVELS];
};
/* True if the access was recorded within a label that mute_labels names, or executed within one. */
bool access_origin_is_muted(const struct access_origin *origin);
/* The part of it that is certain; NULL: all. */
const struct access_part *access_origin_part(const struct access_origin *origin);
/* The certain part of the access with this tag; NULL: the whole access is certain, or there is no
 * such tag. */
const struct access_part *command_log_find_part(const struct command_log *log, uint64_t tag);
/* Adds a part. Returns its access_source::part. */
uint32_t command_log_add_part(struct command_log *log, const struct access_part *part);
/* False: there is no such tag. Secondaries in secondaries are followed to the end. */
bool command_log_find(const struct command_log *log, uint64_t tag,
                      struct access_origin *origin) MUST_CHECK;

struct render_pass_instance; /* state/command/rendering.h */
struct draw_cache;           /* sync/record/draw.h */
struct noted_hazard;         /* sync/report/report.h */
struct advice;               /* sync/advice/advice.h */
struct event_use;            /* sync/record/event_races.h */

/* The state before vkCmdBeginRenderPass, while it is not known whether the call goes down. Nothing
 * else changes in the context but what a subpass has of its own. */
struct tentative_begin {
    bool begun;
    bool entangled, broken;
    uint32_t log_count, epoch, stream_count, instance, instance_count;
    uint64_t next_tag;
};

/* Scopes of masks that a barrier had: programs use few. Zeroed is right: no stages, no scopes. */
#define SCOPES_KNOWN 8 /* pairs: by the masks; the newer one is first */
struct known_scopes {
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
    struct sync_barrier barrier;
};

/* Sub-state of a command buffer: command_buffer::sync. NULL where validate_sync was never on, or
 * memory was out. Made when the command buffer is begun, and kept with the memory of struct
 * command_buffer, which is not given back. Says nothing where the command buffer was begun on a
 * device without validate_sync; it is not asked then. */
struct sync_command_buffer {
    struct sync_context context;
    struct sync_queue queue; /* of its pool's family */
    struct command_log *log; /* held; NULL where memory was out: nothing is recorded */
    uint64_t next_tag;
    uint32_t recordings; /* how often the command buffer has been begun */
    uint32_t open_label; /* as access_entry::label */
    /* grows with what orders something: barriers, waits, subpasses, executed command buffers. While
     * it stays, a read or an attachment's access that was made before has nothing new to find. A
     * write that it races with was reported itself */
    uint32_t epoch;
    /* how many steps of `epoch` came from event sets, which order nothing by themselves */
    uint32_t event_sets;
    uint32_t event_use_count; /* of the command buffer so far */
    /* sync/record/event_races.h; owned, kept; NULL before the first one */
    struct event_use *event_uses;
    struct draw_cache *draws; /* owned */
    /* owned: sync/advice/advice.h; NULL where advice was never asked for */
    struct advice *advice;
    /* owned, kept: what one command's barriers are collected in */
    struct sync_range_barrier *ranges;
    struct sync_barrier *barriers; /* owned, kept: the scopes of one command's barriers */
    uint32_t range_capacity, barrier_capacity;
    /* SCOPES_KNOWN pairs, of this `queue`. Owned, kept; NULL before the first barrier */
    struct known_scopes (*scopes)[2];
    /* undone where the call is refused: sync_take_back() */
    struct tentative_begin tentative;
    /* while vkCmdBuildAccelerationStructuresKHR is looked at: of the build's first access; else 0
     */
    uint64_t build_tag;
    bool begin_was_checked; /* vkCmdBeginRendering: its hazards have been reported */
    /* sync_aliases_now() when it was begun: of the oldest recording that it executes */
    uint32_t aliases_since;
    /* in an instance of a render pass object with VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT, whose
     * attachments' transitions are at an unknown place */
    bool ignores_aliases;
    /* a thread is recording into it, or playing it: it has all of the above for itself */
    _Atomic bool busy;
    /* a second one came meanwhile: nothing is said of it before it is begun again */
    _Atomic bool disturbed;
    /* Belongs to the recording of now. Owned, kept; NULL before the first hazard */
    struct doubts *doubts;
    /* number of a queue that it may be parked with (sync/queue/queue_park.c), or 0. Relaxed */
    _Atomic uint8_t parked;
    /* claims::stamp of the queue, in a group of its own, that has all of its spaces; 0: not known.
     * Lock: `busy` */
    uint64_t claimed;
};

/* True if a callback has refused the call already, in its validate hooks. Then it is only looked at
 * (call_refuse()). */
static ALWAYS_INLINE bool call_is_refused(const struct call *call)
{
    return call->result == VK_ERROR_VALIDATION_FAILED_EXT;
}

/* The tags that hazards in doubt have are given again. */
static inline void recording_forget_doubts(struct sync_command_buffer *sync)
{
    if (sync->doubts)
        sync->doubts->count = 0;
}

/* A lock that is never waited for. False: another thread has it, whose work is disturbed by that,
 * or was disturbed before. */
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

/* True if it is storage that a shader reads or writes. It is unknown which part of it. */
static inline bool usage_is_storage(uint16_t usage)
{
    const VkAccessFlags2 storage =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    return (sync_usage_info[usage].access & storage) != 0;
}

/* True unless the settings leave the hazard out, for all code that reports hazards: a load
 * operation after a store operation, and what is drawn after such a load
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

/* Separate pieces of a buffer that a command with a stride accesses. Of more, which hardly any but
 * a mistaken call has, the rest is not looked at. */
#define RECORDING_PIECES 4096u

/* The workgroups of a dispatch: the first one, and how many there are of each dimension. */
struct dispatch_groups {
    uint32_t first[3], count[3];
};

/* One command that is being recorded. */
struct recording {
    struct sync_sink sink; /* the sink of the context */
    /* in which layout the command reads, and writes, its image; 0: not known. For mends */
    VkImageLayout wanted[2];
    const struct call *call;
    struct command_buffer *command_buffer;
    /* the instance of the command buffer; while an instance begins, the instance that is to be */
    const struct render_pass_instance *rendering;
    struct sync_command_buffer *sync;
    bool only_checks;     /* accesses are looked at, and nothing is remembered of the command: */
    uint32_t first_entry; /* of the log, of this command */
    uint32_t command_index;
    /* the first tag of this command, whose own accesses are not compared with each other */
    uint64_t first_tag;
    const struct dispatch_groups *groups; /* of a dispatch; NULL: not known */
    struct noted_hazard
        *hazards; /* found so far, reported at its end (sync/report/report.h); NULL: none */
};

/* False: nothing to be done (no state, or another thread is in this command buffer). */
bool recording_begin(struct recording *recording, struct call *call) MUST_CHECK;
/* Begins a command that does more than access memory. False: there is nothing to be done, or a
 * callback has refused the command already. */
bool recording_begin_order(struct recording *recording, struct call *call) MUST_CHECK;
void recording_end(struct recording *recording);
/* Ends the command before the call. Returns whether the call is to be skipped. */
bool recording_finish(struct recording *recording) MUST_CHECK;
/* Ends the recording of a validate hook. Returns whether the call is to be skipped. If a callback
 * refuses the command for its hazards, its accesses are taken back. A command that was refused
 * before was only looked at. */
bool recording_finish_check(struct recording *recording) MUST_CHECK;
/* The state before a command that executes others, or ends a subpass. */
struct recording_before {
    struct sync_checkpoint context;
    uint32_t epoch, span_count;
    bool ignores_aliases;
    /* the command did what cannot be taken back: if it is refused, nothing is said until the
     * command buffer is begun again */
    bool is_lost;
};
void recording_note_before(const struct recording *recording, struct recording_before *before);
/* The same as recording_finish_check(), after recording_begin_order(). `before`: NULL for a command
 * that has barriers and accesses only. */
bool recording_finish_order(struct recording *recording,
                            const struct recording_before *before) MUST_CHECK;
/* Begins what sync_take_back() undoes: all that the recording does from here on, unless
 * recording_confirm() is called before. */
void recording_tentative(struct recording *recording);
/* The call has gone down. Returns whether there was something to confirm. */
bool recording_confirm(const struct call *call);

/* The tag of the access that comes next; each access of a resource has one of its own. 0: memory is
 * out. */
uint64_t recording_tag(struct recording *recording, uint64_t resource,
                       const struct access_source *source);

/* The access itself, at a place that is known. */
void recording_place(struct recording *recording, const struct sync_place *place, uint64_t tag,
                     enum sync_usage usage, enum sync_ordering ordering);

/* Resources may be NULL (unknown: nothing happens); not bound or sparse ones are looked at as a
 * space of their own. `source` may be NULL: ROLE_PARAMETER. */

/* `size` may be VK_WHOLE_SIZE; what lies past the buffer's end is not looked at. */
void recording_buffer(struct recording *recording, const struct buffer *buffer, VkDeviceSize offset,
                      VkDeviceSize size, enum sync_usage usage, const struct access_source *source);

void recording_buffer_ordered(struct recording *recording, const struct buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size, enum sync_usage usage,
                              enum sync_ordering ordering, const struct access_source *source);

/* The bytes at a device address, where a buffer is known to have it. */
void recording_address(struct recording *recording, VkDeviceAddress address, VkDeviceSize size,
                       enum sync_usage usage);

/* All of the range's subresources; VK_REMAINING_* are resolved. */
void recording_image(struct recording *recording, const struct image *image,
                     const VkImageSubresourceRange *range, enum sync_usage usage,
                     enum sync_ordering ordering, const struct access_source *source);

/* One place of the image. */
void recording_image_place(struct recording *recording, const struct image *image,
                           const struct sync_place *place, enum sync_usage usage,
                           enum sync_ordering ordering, const struct access_source *source);
struct image_places;
/* All places that are left of a walk (sync/access/ranges.h). */
void recording_image_places(struct recording *recording, struct image_places *places,
                            enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source);

/* A region of one mip level, texels: rows of texel blocks where it is not as wide as the level. */
void recording_image_region(struct recording *recording, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent, enum sync_usage usage, enum sync_ordering ordering,
                            const struct access_source *source);

#endif
