/* Checks render pass instances that one command buffer of a batch suspends and another one resumes
 * (8.1). */
#include "core/submit/walk.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"

#include <stdio.h>
#include <string.h>

/* The numbers of the rules, which differ between vkQueueSubmit and vkQueueSubmit2. */
struct suspend_rules {
    /* `acts`: a command acts in between; `instance`: another render pass instance lies in
     * between */
    enum rule unresumed, unsuspended, acts, instance;
};
static const struct suspend_rules suspend_rules_of_submit = {RULE_06014, RULE_06193, RULE_06015,
                                                             RULE_06016};
static const struct suspend_rules suspend_rules_of_submit2 = {RULE_06010, RULE_06192, RULE_06011,
                                                              RULE_06012};

/* Reports command buffer `i` of the batch. */
static COLD bool report_suspended(const struct call *call, const struct batch *batch, uint32_t i,
                                  enum rule rule, const struct location *parent, const char *text)
{
    assert(i < batch->command_buffer_count);
    return BROKEN_BY(call, rule, &LOCATION_INDEX(parent, batch_command_buffers_name(batch), i),
                     OBJECT(HANDLE_COMMAND_BUFFER, batch_command_buffer(batch, i)), "%s", text);
}

/* The contents of pRenderingInfo must match between suspended render pass instances and the render
 * pass instances that resume them (8.1). */
static COLD bool check_contents(const struct call *call, const struct batch *batch,
                                uint32_t suspended, uint32_t i, const struct location *parent)
{
    const struct command_buffer *first =
                                    find_command_buffer(batch_command_buffer(batch, suspended)),
                                *second = find_command_buffer(batch_command_buffer(batch, i));
    uint32_t index;
    const char *member = first && second && first->rendering && second->rendering
                             ? rendering_difference(&first->rendering->suspended,
                                                    &second->rendering->resumed, &index)
                             : NULL;
    char element[16] = "";
    if (!member)
        return false;
    if (strcmp(member, "pColorAttachments") == 0)
        (void)snprintf(element, sizeof(element), "[%u]", index);
    return BROKEN_BY(call, UNASSIGNED_RenderingInfo_SuspendResume_Mismatch,
                     &LOCATION_INDEX(parent, batch_command_buffers_name(batch), i),
                     OBJECT2(HANDLE_COMMAND_BUFFER, batch_command_buffer(batch, i),
                             HANDLE_COMMAND_BUFFER, batch_command_buffer(batch, suspended)),
                     "resumes the render pass instance that %s[%u] has suspended, but with another "
                     "VkRenderingInfo::%s%s",
                     batch_command_buffers_name(batch), suspended, member, element);
}

bool submit_check_suspended(struct submit *submit, const struct submit_batch *submitted)
{
    const struct suspend_rules *rules =
        submit->is_version2 ? &suspend_rules_of_submit2 : &suspend_rules_of_submit;
    const struct call *call = submit->call;
    const struct batch *batch = &submitted->batch;
    const struct location *where = &submitted->where;
    uint32_t suspended = UINT32_MAX;
    bool known = true, skip = false;
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        if (!command_buffer) {
            suspended = UINT32_MAX;
            known = false;
            continue;
        }
        bool pending = suspended != UINT32_MAX;
        /* If pCommandBuffers contains any resumed render pass instances, they must be suspended by
         * a render pass instance earlier in submission order */
        if (unlikely(command_buffer->first_instance == FIRST_INSTANCE_RESUMES && !pending && known))
            skip |= report_suspended(call, batch, i, rules->unsuspended, where,
                                     "resumes a render pass instance, which no command buffer "
                                     "before it in the batch suspends");
        /* ... there must be no action or synchronization commands between that render pass instance
         * and the one that resumes it */
        if (unlikely(pending && command_buffer->acted))
            skip |=
                report_suspended(call, batch, i, rules->acts, where,
                                 "has action or synchronization commands where a command buffer "
                                 "before it in the batch has suspended a render pass instance");
        /* ... there must be no render pass instances between that render pass instance and the one
         * that resumes it */
        if (unlikely(pending && command_buffer->first_instance == FIRST_INSTANCE_PLAIN))
            skip |= report_suspended(call, batch, i, rules->instance, where,
                                     "begins a render pass instance that does not resume the one "
                                     "that a command buffer before it in the batch has suspended");
        if (unlikely(pending && command_buffer->first_instance == FIRST_INSTANCE_RESUMES))
            skip |= check_contents(call, batch, suspended, i, where);
        if (command_buffer->began_rendering) {
            if (command_buffer->scope & SCOPE_SUSPENDED)
                suspended = i;
            else if (command_buffer->first_instance == FIRST_INSTANCE_RESUMES)
                suspended = UINT32_MAX;
            known = true;
        }
    }
    /* If pCommandBuffers contains any suspended render pass instances, they must be resumed by a
     * render pass instance later in submission order */
    if (unlikely(suspended != UINT32_MAX))
        skip |= report_suspended(call, batch, suspended, rules->unresumed, where,
                                 "suspends a render pass instance, which no later command buffer "
                                 "of the batch resumes");
    return skip;
}
