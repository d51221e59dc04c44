/* Finds where a command buffer waits for more than it needs to. Advice, not a finding of a mistake:
 * with the settings validate_sync and validate_best_practices, about pipeline barriers in primary
 * command buffers. Said only where it is certain; what bounds the certainty:
 *
 * - Of two barriers in a row, one may `cover` the other (struct advised: scopes, accesses, places).
 *   Then it orders all that the other one could for what lies beyond it. So only the commands
 *   between the two matter to the second one's first scope, and to the first one's second scope.
 *   Which stages those use is known by their kind, whatever they access.
 * - A command that overwrites a whole resource is ordered after everything that was done with the
 *   resource before, or that is a hazard. So a barrier right after it needs to wait for nothing
 *   else for the resource's sake. Nor need one right before it let anything else wait.
 *
 * Its hooks are a validator of its own (registry/rooms/sync/advice_hooks.c.mako), which is not
 * there, and costs nothing, unless both settings are on. Threads: the command buffer's, as for
 * sync/record/recording.h. */
#ifndef ASSAY_SYNC_ADVICE_H
#define ASSAY_SYNC_ADVICE_H

#include "sync/record/barriers.h"
#include "sync/report/report_facts.h"

/* The most barriers of one command. Nothing is said of those with more. */
#define ADVISED_BARRIERS 8
#define ADVISED_SCOPES   16
#define ADVISED_RANGES   32

/* Call sites that were reported, in one recording of a command buffer. */
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
    /* what has written the resource since, when it was recorded */
    struct enough src;
};

/* A command with barriers. */
struct advised {
    bool known; /* there is one, and all of it is in here */
    /* all its barriers have the same stages, and the same accesses where they have any, so that
     * each of them orders what any of them does */
    bool ends_alike;
    bool transitions; /* one of its barriers makes a transition */
    /* advice about a neighbour holds only as long as this command stays as it is */
    bool leaned_on;
    bool version2;
    enum command command;
    uint32_t command_index, label;
    const void *caller;
    uint64_t tag; /* accesses from here on come later */
    uint32_t count, scope_count, global_count, range_count;
    struct advised_barrier barriers[ADVISED_BARRIERS];
    struct sync_barrier scopes[ADVISED_SCOPES]; /* the global ones first */
    struct sync_range_barrier ranges[ADVISED_RANGES];
    /* the narrower scopes that the only barrier could have, by the commands between it and its
     * neighbours */
    struct enough src, dst;
    uint32_t src_bound, dst_bound; /* command indices of the neighbours that set the bounds */
    enum command src_bound_command, dst_bound_command;
};

struct advice {
    uint32_t recording;    /* the recording of the command buffer that everything here belongs to */
    bool silent;           /* nothing is known of the rest of the recording */
    bool contents_unknown; /* something may have written images that sync knows nothing of */
    sync_stage_mask since; /* stages that commands after `last` may have used */
    /* not known: something stands after it that orders, or that is unknown */
    struct advised last;
    struct advised next;
    uint32_t told_count;
    const void *told[ADVICE_TOLD];
};

/* --- hooks, each before the command is recorded (in C, the generated validator calls them, before
 * sync's own hooks). Where the command is refused after that, the rest of the command buffer is
 * silent: recording.c --- */

/* A command that accesses memory in these stages only, and orders nothing. */
void advice_uses(struct call *call, VkPipelineStageFlags2 stages);
/* One that orders, or of which that is not known. */
void advice_breaks(struct call *call);
/* Notes a command that orders, and that may write images in ways which sync does not look at. */
void advice_breaks_unknown(struct call *call);
/* One that changes what commands after it do. */
void advice_gives_up(struct call *call);
void advice_ends(struct call *call);
void advice_barrier(struct call *call, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                    uint32_t image_count, const VkImageMemoryBarrier *images);
void advice_barrier2(struct call *call, const VkDependencyInfo *info);

/* True if the place in the program was not reported yet. If so, it counts as reported from here on.
 */
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

/* --- advice_contents.c: load operations that read what is undefined (8.2 "Render Pass Load
 * Operations") ---
 *
 * Reported where it is certain: all of the render area was discarded in this command buffer, and
 * nothing has written any of it since. It was discarded by a transition from
 * VK_IMAGE_LAYOUT_UNDEFINED or by VK_ATTACHMENT_STORE_OP_DONT_CARE. Not by
 * VK_ATTACHMENT_STORE_OP_NONE: it keeps what no draw has written. Images are left out that
 * something else may write which sync does not see: shaders, other APIs, aliases, the host. */

struct attachment_part; /* sync/record/attachments.h */

/* Before a load operation that keeps the contents. */
void advice_load(struct recording *recording, const struct attachment_part *part,
                 VkImageAspectFlags aspects) COLD;
/* Notes that a store operation has discarded the contents of its attachment. Called after the
 * operation. */
void advice_store_discards(struct recording *recording, const struct attachment_part *part,
                           VkImageAspectFlags aspects) COLD;
/* Forgets what images hold, until the command buffer is begun again. */
static inline void advice_loses_contents(struct sync_command_buffer *sync)
{
    if (sync->advice)
        sync->advice->contents_unknown = true;
}

/* --- advice_bounds.c: the scopes that are enough --- */

/* `one` does all that `other` does, but for transitions. */
bool advised_covers(const struct advised *one, const struct advised *other);
bool advised_ends_alike(const struct advised *advised);
/* Stages that the first, or second, scope has. */
sync_stage_mask advised_first_scope(const struct advised *advised);
sync_stage_mask advised_second_scope(const struct advised *advised);
/* Replaces ALL_COMMANDS by `stages`, with the accesses that the program named and these stages can
 * make. The result has no stages if there would be more than two. */
struct enough enough_of_stages(VkPipelineStageFlags2 app_stages, VkAccessFlags2 app_accesses,
                               sync_stage_mask stages);
/* By what has overwritten the barrier's resource last, with nothing ordered after that since; the
 * context is that before the barrier. */
struct enough enough_after_write(struct sync_context *context, const struct advised *advised,
                                 const struct advised_barrier *barrier);
/* The scope that covers what has overwritten the resource since the barrier, if nothing orders
 * between the two. */
struct enough enough_before_write(struct sync_context *context, const struct advised *advised,
                                  const struct advised_barrier *barrier);

/* --- advice_report.c --- */

enum advice_kind { ADVICE_EMPTY_FIRST_SCOPE, ADVICE_EMPTY_SECOND_SCOPE, ADVICE_ALL_COMMANDS };

struct advice_facts {
    enum advice_kind kind;
    const struct advised *advised;
    /* the command that orders everything that `advised` does; NULL for ADVICE_ALL_COMMANDS */
    const struct advised *other;
    const struct advised_barrier *barrier; /* of ADVICE_ALL_COMMANDS */
    /* narrower halves of the barrier; no stages: the half is as it should be, or not known */
    struct enough src, dst;
    /* by what was done with the barrier's resource, not by which commands there are */
    bool for_resource;
    bool synchronization2;        /* filled in from here on: the program may use it */
    struct report_side self;      /* the command, and what its barrier is for */
    struct report_object written; /* what the barrier that is written as code is for */
    struct caller other_caller;   /* the caller of `other` */
};
/* Calls the program's callbacks: no lock may be held. */
void advice_tell(const struct call *call, const struct command_log *log,
                 struct advice_facts *facts) COLD;

/* The words that people read of it. */
struct advice_words {
    /* what stands around the barrier; NULL where that is not described */
    const char *before, *after;
    const char *advice;
};

/* report_json.c: {"advice": ..., "this": {...}, "barrier": {...}, "narrower": {...}, "text": ...}
 */
void write_advice_json(struct string_builder *json, const struct advice_facts *facts,
                       const struct advised_barrier *narrower, const struct advice_words *words);

#endif
