/* Records the accesses of executed command buffers, as if their commands were recorded in the
 * primary (6.7 "Secondary Command Buffer Execution"). */
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/record/recording.h"

/* Replays a secondary in the primary. The tags of its commands follow those of the primary. */
static void secondary_execute(struct recording *recording, const struct command_buffer *secondary)
{
    struct sync_command_buffer *sync = recording->sync;
    const struct sync_command_buffer *theirs =
        secondary ? sync_in_command_buffer(secondary)->sync : NULL;
    if (!theirs || !theirs->log || theirs == sync || !(secondary->scope & SCOPE_EXECUTABLE))
        return;
    struct access_span span = {.first = sync->next_tag,
                               .count = theirs->next_tag, /* tag 0 is not a command's */
                               .log = command_log_hold(theirs->log),
                               .command_index = recording->command_index,
                               .label = sync->open_label};
    if (!command_log_add_span(sync->log, &span)) {
        command_log_release(span.log);
        sync->context.broken = true;
        return;
    }
    if (unlikely(theirs->aliases_since != sync_aliases_now()))
        sync_aliases_forget(&sync->context, theirs->aliases_since);
    if (theirs->aliases_since < sync->aliases_since)
        sync->aliases_since = theirs->aliases_since;
    sync->next_tag += span.count;
    /* accesses of secondaries executed earlier by the same command are compared, too */
    recording->first_tag = span.first;
    sync_context_replay(&sync->context, &theirs->context, 0, span.first);
}

/* True if the executed command buffers set or wait for no event, and begin or end no instance:
 * those operations cannot be taken back. */
static bool can_be_taken_back(const struct sync_context *context, uint32_t stream_count)
{
    for (uint32_t i = stream_count; i < context->stream_count; i++) {
        switch (context->stream[i].kind) {
        case STREAM_ACCESS:
        case STREAM_BARRIERS:
        case STREAM_INSTANCE:
        case STREAM_END_INSTANCE:
        case STREAM_EVERY:
        case STREAM_TOUCHED:
            break;
        default:
            return false;
        }
    }
    return true;
}

bool sync_validate_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t commandBufferCount,
                                      const VkCommandBuffer *pCommandBuffers)
{
    struct recording recording;
    struct recording_before before;
    if (!recording_begin_order(&recording, call))
        return false;
    const struct sync_context *context = &recording.sync->context;
    const uint64_t first_tag = recording.first_tag;
    recording_note_before(&recording, &before);
    for (uint32_t i = 0; i < commandBufferCount; i++)
        secondary_execute(&recording, find_command_buffer(pCommandBuffers[i]));
    recording.sync->epoch++;
    /* Each secondary has moved `first_tag` on; the whole command may have to be taken back. */
    recording.first_tag = first_tag;
    before.is_lost = recording.hazards && !can_be_taken_back(context, before.context.stream_count);
    return recording_finish_order(&recording, &before);
}
