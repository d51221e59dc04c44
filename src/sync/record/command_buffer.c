/* Begins and ends the recording of a command buffer, and follows its labels. */
#include "sync/record/recording.h"

#include <string.h>

#include "report/finding/reporter.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/owners.h"
#include "sync/queue/queue.h"
#include "sync/record/draw.h"

/* Returns the data that this validator keeps with a command buffer, made when it is first recorded.
 * NULL: memory is out, and the command buffer is not followed. */
static struct sync_command_buffer *sync_of(struct command_buffer *command_buffer)
{
    if (likely(sync_in_command_buffer(command_buffer)->sync != NULL))
        return sync_in_command_buffer(command_buffer)->sync;
    struct sync_command_buffer *sync = mem_alloc_lines_zeroed(sizeof(*sync));
    if (!sync)
        return NULL;
    sync_context_init(&sync->context, true);
    sync_in_command_buffer(command_buffer)->sync = sync;
    return sync;
}

/* Empties the log, or takes another one if submitted work still refers to it. */
static void renew_log(struct sync_command_buffer *sync)
{
    if (sync->log && command_log_is_own(sync->log)) {
        command_log_clear(sync->log);
        return;
    }
    command_log_release(sync->log);
    sync->log = command_log_take();
}

/* Forgets the previous recording. Returns false if another thread is recording. */
static bool sync_renew(struct sync_command_buffer *sync)
{
    if (atomic_exchange_explicit(&sync->busy, true, memory_order_acquire)) {
        atomic_store_explicit(&sync->disturbed, true, memory_order_relaxed);
        return false;
    }
    atomic_store_explicit(&sync->disturbed, false, memory_order_relaxed);
    sync_context_reset(&sync->context);
    renew_log(sync);
    sync->next_tag = 1;
    recording_forget_doubts(sync);
    sync->open_label = sync->event_use_count = 0;
    sync->aliases_since = sync_aliases_now();
    sync->ignores_aliases = sync->begin_was_checked = false;
    sync->tentative.begun = false;
    sync->epoch++;
    draw_cache_clear(sync->draws);
    return true;
}

/* Forgets the cached scopes, which were made for another queue's abilities. Masks of 0 match no
 * masks that name a stage. */
static void forget_scopes(struct sync_command_buffer *sync)
{
    if (sync->scopes)
        memset(sync->scopes, 0, SCOPES_KNOWN * sizeof(*sync->scopes));
}

/* Notes the abilities of the queue family, on which the scopes of barriers depend. */
static void set_queue(struct sync_command_buffer *sync, VkQueueFlags flags)
{
    const struct sync_queue queue = sync_queue_of(flags);
    if (queue.stages != sync->queue.stages ||
        !usage_mask_equals(&queue.usages, &sync->queue.usages))
        forget_scopes(sync);
    sync->queue = queue;
}

void sync_after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer && call->result == VK_SUCCESS ? sync_of(command_buffer) : NULL;
    if (!sync)
        return;
    /* A submission of the command buffer is parked: it is played or dropped before its recording is
     * cleared. */
    if (unlikely(atomic_load_explicit(&sync->parked, memory_order_relaxed)))
        queue_unpark(call, sync);
    if (!sync_renew(sync))
        return;
    set_queue(sync, command_buffer->queue_flags);
    sync->recordings++;
    sync->claimed = 0;
    if (sync->log) {
        sync->log->command_buffer = object_state_id(&command_buffer->base);
        sync->log->recording = sync->recordings;
    }
    sync->context.keeps_all = device_has_families(call->device);
    sync->context.inherits_instance = (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
    if (sync->context.inherits_instance) /* the primary's instance, which a replay continues */
        sync->context.instance = ++sync->context.instance_count;
    recording_give(sync);
}

void sync_after_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    sync_context_finish(&recording.sync->context);
    recording_end(&recording);
}

/* Opens a label for the commands that follow. If memory is out, the surrounding label is used
 * instead. */
static void open_label(struct call *call, const char *name)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    struct sync_command_buffer *sync = recording.sync;
    sync->open_label = command_log_add_label(sync->log, name, sync->open_label,
                                             reporter_mutes_label(call->instance->reporter, name));
    recording_end(&recording);
}

/* Goes back to the label around the open one; 0: there is none. */
static void close_label(struct call *call)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    struct sync_command_buffer *sync = recording.sync;
    if (sync->open_label)
        sync->open_label = sync->log->labels[sync->open_label - 1].parent;
    recording_end(&recording);
}

void sync_after_CmdBeginDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkDebugUtilsLabelEXT *pLabelInfo)
{
    open_label(call, pLabelInfo->pLabelName);
}

void sync_after_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    close_label(call);
}

void sync_after_CmdDebugMarkerBeginEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    open_label(call, pMarkerInfo->pMarkerName);
}

void sync_after_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    close_label(call);
}
