/* Finds which checks a submit needs, by what its command buffers hold. Those of suspended render
 * pass instances (8.1) and of protected command buffers (6.5) are here; the others are with their
 * subjects. */
#include "core/submit/contents.h"
#include "core/record/executable.h"
#include "core/hooks.h"

#include "objects/device.h"
#include "report/finding.h"
#include "vk/chain.h"

bool submits_check_contents(struct call *call, const struct submits *submits, uint32_t contents)
{
    static const struct {
        enum submit_contents contents;
        bool (*check)(struct call *call, const struct submits *submits);
    } checks[] = {
        {CONTENTS_SUSPENDED, submits_check_suspended},
        {CONTENTS_PROTECTED, submits_check_protected},
        {CONTENTS_BUILDS, submits_check_builds},
        {CONTENTS_EVENTS, submits_check_events},
        {CONTENTS_LABELS, submits_check_labels},
        {CONTENTS_LAYOUTS, submits_check_layouts},
        {CONTENTS_TRANSFERS, submits_check_transfers},
        {CONTENTS_QUERIES, submits_check_queries},
    };
    bool skip = false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(checks); i++) {
        if (contents & checks[i].contents)
            skip |= checks[i].check(call, submits);
    }
    return skip;
}

/* --- protected command buffers --- */

bool command_buffer_is_protected(const struct command_buffer *command_buffer)
{
    const struct command_pool *pool =
        command_buffer && command_buffer->pool ? object_load_state(command_buffer->pool) : NULL;
    return pool && pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
}

bool submit_is_protected(const VkSubmitInfo *info)
{
    const VkProtectedSubmitInfo *protects =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO);
    return protects && protects->protectedSubmit;
}

/* A batch that is not protected may have no command buffer that is. The other way round: submit.c.
 */
bool submits_check_protected(struct call *call, const struct submits *submits)
{
    enum rule rule = submits->infos2 ? RULE_03887 : RULE_04120;
    bool skip = false;
    for (uint32_t i = 0; i < submits->count; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pSubmits", i);
        const struct batch batch = submits_batch(submits, i);
        bool is_protected = submits->infos2 ? submits->infos2[i].flags & VK_SUBMIT_PROTECTED_BIT
                                            : submit_is_protected(&submits->infos[i]);
        for (uint32_t k = 0; !is_protected && k < batch.command_buffer_count; k++) {
            VkCommandBuffer handle = batch_command_buffer(&batch, k);
            if (command_buffer_is_protected(find_command_buffer(handle)))
                skip |= finding(call, rule_vuid(call->command, rule),
                                &LOCATION_INDEX(&where, batch_command_buffers_name(&batch), k),
                                OBJECT(HANDLE_COMMAND_BUFFER, handle),
                                "is protected, but the batch is not");
        }
    }
    return skip;
}

/* --- render pass instances that one command buffer suspends and another one resumes --- */

/* The rules' numbers in vkQueueSubmit and vkQueueSubmit2. */
struct suspend_rules {
    enum rule unresumed, unsuspended, acts, instance;
};
static const struct suspend_rules suspend_rules_of_submit = {RULE_06014, RULE_06193, RULE_06015,
                                                             RULE_06016};
static const struct suspend_rules suspend_rules_of_submit2 = {RULE_06010, RULE_06192, RULE_06011,
                                                              RULE_06012};

static COLD bool report_suspended(const struct call *call, const struct batch *batch, uint32_t i,
                                  enum rule rule, const struct location *parent, const char *text)
{
    return finding(call, rule_vuid(call->command, rule),
                   &LOCATION_INDEX(parent, batch_command_buffers_name(batch), i),
                   OBJECT(HANDLE_COMMAND_BUFFER, batch_command_buffer(batch, i)), "%s", text);
}

static bool check_batch(const struct call *call, const struct batch *batch,
                        const struct suspend_rules *rules, const struct location *where)
{
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

bool submits_check_suspended(struct call *call, const struct submits *submits)
{
    const struct suspend_rules *rules =
        submits->infos2 ? &suspend_rules_of_submit2 : &suspend_rules_of_submit;
    bool skip = false;
    for (uint32_t i = 0; i < submits->count; i++) {
        const struct batch batch = submits_batch(submits, i);
        skip |= check_batch(call, &batch, rules, &LOCATION_INDEX(NULL, "pSubmits", i));
    }
    return skip;
}
