/* Checks that submitted command buffers end only labels and markers that are open on their queue by
 * then (57.1.3, 57.2.3). */
#include "core/submit/walk.h"
#include "state/submit/queue.h"
#include "state/command/sections.h"

#include "report/finding/rule.h"

/* Checks that labels are not ended more often than begun. `open`: how many are open on the queue;
 * the function updates it. */
static bool check_balance(const struct call *call, uint32_t *open,
                          const struct label_balance *balance, enum vuid vuid,
                          VkCommandBuffer handle, const struct location *where, const char *what)
{
    assert(open && balance);
    uint32_t unmatched = balance->unmatched > *open ? balance->unmatched - *open : 0;
    *open = labels_after(*open, balance).open;
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_COMMAND_BUFFER, handle), vuid, !unmatched, where,
               "ends %u %s more than are open on this queue by then", unmatched, what);
    return s.skip;
}

/* Reads how many labels are open on the queue before this call. */
static void begin_labels(struct submit *submit)
{
    struct submit_labels *open = &submit->labels;
    open->known = submit->queue != NULL;
    if (!open->known)
        return;
    open->labels = atomic_load_explicit(&submit->queue->command_labels, memory_order_relaxed);
    open->markers = atomic_load_explicit(&submit->queue->markers, memory_order_relaxed);
}

bool submit_check_labels(struct submit *submit, const struct submit_batch *submitted)
{
    const struct batch *batch = &submitted->batch;
    struct submit_labels *open = &submit->labels;
    const struct call *call = submit->call;
    bool skip = false;
    if (submit_asks_first(submit, CONTENTS_LABELS))
        begin_labels(submit);
    for (uint32_t i = 0; open->known && i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer_sections *sections = sections_of(find_command_buffer(handle));
        const struct location where =
            LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i);
        if (!(section_contents(sections) & CONTENTS_LABELS))
            continue;
        /* There must be an outstanding vkCmdBeginDebugUtilsLabelEXT command prior to the
         * vkCmdEndDebugUtilsLabelEXT on the queue that commandBuffer is submitted to */
        skip |= check_balance(call, &open->labels, &sections->labels,
                              VUID_vkCmdEndDebugUtilsLabelEXT_commandBuffer_01912, handle, &where,
                              "labels");
        skip |= check_balance(call, &open->markers, &sections->markers,
                              VUID_vkCmdDebugMarkerEndEXT_commandBuffer_01239, handle, &where,
                              "markers");
    }
    return skip;
}
