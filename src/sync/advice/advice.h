/* Finds where a command buffer waits for more than it needs to. This is advice, not a report of a
 * mistake. It needs the settings validate_sync and validate_best_practices, and is about pipeline
 * barriers in primary command buffers. It is given only where it is certain:
 *
 * - Of two barriers in a row, one may `cover` the other (struct advised: scopes, accesses,
 *   places). Then it orders all that the other one could, for all commands that lie beyond it. So
 *   only the commands between the two matter to the second one's first scope, and to the first
 *   one's second scope. The kind of a command says which stages it uses, whatever it accesses.
 * - A command that overwrites a whole resource is ordered after every earlier use of the
 *   resource, or there is a hazard. So a barrier right after it, for the resource, need only wait
 *   for that command. And a barrier right before it need only let that command wait.
 *
 * Its hooks are a validator of its own (registry/rooms/sync/advice_hooks.c.mako), which is off, and
 * costs nothing, unless both settings are on. Threads: the command buffer's, as for
 * sync/record/recording.h. */
#ifndef ASSAY_SYNC_ADVICE_H
#define ASSAY_SYNC_ADVICE_H

#include "sync/record/barriers.h"
#include "sync/report/report_facts.h"

/* The most barriers of one command. Commands with more get no advice. */
#define ADVISED_BARRIERS 8
#define ADVISED_SCOPES   16
#define ADVISED_RANGES   32

/* The most call sites that are reported for one recording of a command buffer. */
#define ADVICE_TOLD 32

/* The stages and accesses that are enough in the place of ALL_COMMANDS; 0 stages: not known. */
struct enough {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 accesses;
};

/* One barrier, as the program gave it. */
struct advised_barrier {
    enum barrier_form form;
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
    uint64_t resource; /* id */
    VkDeviceSize offset, size;
    VkImageLayout old_layout, new_layout;
    VkImageSubresourceRange range;
    uint32_t first_range, range_count; /* the barrier's ranges within advised::ranges */
    /* scope of the last write of the resource when the barrier was recorded */
    struct enough src;
};

/* A command with barriers. */
struct advised {
    bool known; /* the description has all of the command; false: it is of no use */
    /* all its barriers have the same stages, and the same accesses where they have any: each of
     * them orders as much as all of them */
    bool ends_alike;
    bool transitions; /* one of its barriers makes a transition */
    /* advice about a neighbour was given that holds only while this command stays as it is */
    bool leaned_on;
    bool version2;
    enum command command;
    uint32_t command_index, label;
    const void *caller;
    uint64_t tag; /* the first tag of later accesses */
    uint32_t count, scope_count, global_count, range_count;
    struct advised_barrier barriers[ADVISED_BARRIERS];
    struct sync_barrier scopes[ADVISED_SCOPES]; /* the global ones first */
    struct sync_range_barrier ranges[ADVISED_RANGES];
    /* the narrower scopes that suffice for the command's only barrier, by the commands between it
     * and its neighbours */
    struct enough src, dst;
    uint32_t src_bound, dst_bound; /* command indices of the neighbours that set the bounds */
    enum command src_bound_command, dst_bound_command;
};

struct advice {
    uint32_t recording;    /* the recording of the command buffer that everything here belongs to */
    bool silent;           /* the rest of the recording gets no advice */
    bool contents_unknown; /* an access that sync does not see may have written images */
    sync_stage_mask since; /* stages that commands after `last` may have used */
    /* the last barrier; not `known` if a command after it may have ordered something */
    struct advised last;
    struct advised next;
    uint32_t told_count;
    const void *told[ADVICE_TOLD];
};

/* --- hooks, each before the command is recorded (in C, the generated validator calls them, before
 * sync's own hooks). Where the command is refused after that, the rest of the command buffer gets
 * no advice: recording.c --- */

/* Notes a command that accesses memory in these stages only, and orders nothing. */
void advice_uses(struct call *call, VkPipelineStageFlags2 stages);
/* Notes a command that orders, or may order, other commands. */
void advice_breaks(struct call *call);
/* Notes a command that orders, and that may write images in ways which sync does not look at. */
void advice_breaks_unknown(struct call *call);
/* Notes a command that changes the effect of commands after it. */
void advice_gives_up(struct call *call);
void advice_ends(struct call *call);
void advice_barrier(struct call *call, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                    uint32_t image_count, const VkImageMemoryBarrier *images);
void advice_barrier2(struct call *call, const VkDependencyInfo *info);

/* True if the call site was not reported yet. If so, it counts as reported from here on. */
static inline bool advice_is_new(struct advice *advice, const void *caller)
{
    for (uint32_t i = 0; i < advice->told_count; i++) {
        if (advice->told[i] == caller)
            return false;
    }
    if (advice->told_count == ADVICE_TOLD)
        return false;
    advice->told[advice->told_count++] = caller;
    return true;
}

/* --- advice_contents.c: load operations that read undefined contents (8.2 "Render Pass Load
 * Operations") ---
 *
 * Such a load is reported where it is certain: all of the render area was discarded in this command
 * buffer, and nothing has written any of it since. A transition from VK_IMAGE_LAYOUT_UNDEFINED
 * discards, and so does VK_ATTACHMENT_STORE_OP_DONT_CARE. VK_ATTACHMENT_STORE_OP_NONE does not: it
 * keeps what no draw has written. Images are left out if writes may exist that sync does not see:
 * by shaders, other APIs, aliases or the host. */

struct attachment_part; /* sync/record/attachments.h */

/* Called before a load operation that keeps the contents. */
void advice_load(struct recording *recording, const struct attachment_part *part,
                 VkImageAspectFlags aspects) COLD;
/* Notes that a store operation has discarded the contents of its attachment. Called after the
 * operation. */
void advice_store_discards(struct recording *recording, const struct attachment_part *part,
                           VkImageAspectFlags aspects) COLD;
/* Notes that the contents of images are unknown until the command buffer is begun again. */
static inline void advice_loses_contents(struct sync_command_buffer *sync)
{
    if (sync->advice)
        sync->advice->contents_unknown = true;
}

/* --- advice_bounds.c: the scopes that are enough --- */

/* True if `one` orders all that `other` orders; `other`'s transitions do not count. */
bool advised_covers(const struct advised *one, const struct advised *other);
bool advised_ends_alike(const struct advised *advised);
/* Return the union of the stages in all first, or second, scopes. */
sync_stage_mask advised_first_scope(const struct advised *advised);
sync_stage_mask advised_second_scope(const struct advised *advised);
/* Replaces ALL_COMMANDS by `stages`, with the accesses that the program named and these stages can
 * make. The result has no stages if there would be more than two. */
struct enough enough_of_stages(VkPipelineStageFlags2 app_stages, VkAccessFlags2 app_accesses,
                               sync_stage_mask stages);
/* Returns the source scope that covers the last write of the barrier's resource, if nothing has
 * been ordered after that write. `context` is as it was before the barrier. */
struct enough enough_after_write(struct sync_context *context, const struct advised *advised,
                                 const struct advised_barrier *barrier);
/* Returns the destination scope that covers the write of the resource since the barrier, if nothing
 * orders between the two. */
struct enough enough_before_write(struct sync_context *context, const struct advised *advised,
                                  const struct advised_barrier *barrier);

/* --- advice_report.c --- */

enum advice_kind { ADVICE_EMPTY_FIRST_SCOPE, ADVICE_EMPTY_SECOND_SCOPE, ADVICE_ALL_COMMANDS };

struct advice_facts {
    enum advice_kind kind;
    const struct advised *advised;
    /* the command that orders everything that `advised` does; NULL for ADVICE_ALL_COMMANDS */
    const struct advised *other;
    const struct advised_barrier *barrier; /* set if ADVICE_ALL_COMMANDS */
    /* narrower halves of the barrier; no stages: the half needs no change, or it is not known */
    struct enough src, dst;
    /* the bounds come from the uses of the barrier's resource, not from the kinds of commands */
    bool for_resource;
    /* filled in by advice_tell(), as are the next fields: the program may use synchronization2 */
    bool synchronization2;
    struct report_side self;      /* the command, and the resource of its barrier */
    struct report_object written; /* the resource of the barrier that is written as code */
    struct caller other_caller;   /* the caller of `other` */
};
/* Calls the program's callbacks: no lock may be held. */
void advice_tell(const struct call *call, const struct command_log *log,
                 struct advice_facts *facts) COLD;

/* The parts of the advice that are text. */
struct advice_words {
    /* what stands before and after the barrier; NULL where that is not described */
    const char *before, *after;
    const char *advice;
};

/* report_json.c writes {"advice": ..., "this": {...}, "barrier": {...}, "narrower": {...}, "text":
 * ...} */
void write_advice_json(struct string_builder *json, const struct advice_facts *facts,
                       const struct advised_barrier *narrower, const struct advice_words *words);

#endif
