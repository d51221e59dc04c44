/* What do executed command buffers access? What they were recorded with, as if that stood here (6.7 "Secondary Command Buffer Execution"). */
#include "sync/aliases.h"
#include "sync/hooks.h"
#include "sync/recording.h"

static void execute(struct recording *recording, const struct command_buffer *secondary)
{
    struct sync_command_buffer *sync = recording->sync;
    const struct sync_command_buffer *theirs = secondary ? secondary->sync : NULL;
    if (!theirs || !theirs->log || theirs == sync || !(secondary->scope & SCOPE_EXECUTABLE))
        return;
    struct access_span span = {.first = sync->next_tag,
                               .count = theirs->next_tag, /* tag 0 is nobody's */
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
    recording->first_tag = span.first; /* what was executed before by the same command is compared */
    sync_context_replay(&sync->context, &theirs->context, 0, span.first);
}

void sync_after_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                   const VkCommandBuffer *pCommandBuffers)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    for (uint32_t i = 0; i < commandBufferCount; i++)
        execute(&recording, find_command_buffer(pCommandBuffers[i]));
    recording.sync->epoch++;
    recording_end(&recording);
}
