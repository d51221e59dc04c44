/* Writes the reasons why a command may not be recorded here. The checks themselves are generated
 * (registry/rooms/core/validator.c.mako). */
#include "core/record/scope.h"

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/submit/queue.h"

/* The state of a command buffer, in the words of 6.1 "Command Buffer Lifecycle". */
static const char *lifecycle_name(uint32_t scope)
{
    if (scope & SCOPE_RECORDING)
        return "recording";
    if (scope & SCOPE_INVALID)
        return "invalid";
    if (scope & SCOPE_EXECUTABLE)
        return "executable";
    return "initial";
}

/* Writes queue flags, such as "VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT". */
static void add_queue_flags(struct string_builder *text, VkQueueFlags flags)
{
    if (flags)
        value_write(text, VALUES_VkQueueFlags, flags);
    else
        string_builder_add(text, "nothing");
}

/* Reports a command that the queue family of the pool does not support. */
static bool report_pool(const struct call *call, const struct command_buffer *command_buffer,
                        const struct scope_rule *rule)
{
    assert(rule->queue_flags && !(command_buffer->queue_flags & rule->queue_flags));
    char buffer[512];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "was allocated from a pool of queue family %u, which supports ",
                          command_buffer->queue_family);
    add_queue_flags(&text, command_buffer->queue_flags);
    string_builder_add(&text, "; the command needs one of ");
    add_queue_flags(&text, rule->queue_flags);
    bool skip =
        BROKEN_BY(call, rule->pool_vuid, &LOCATION(NULL, "commandBuffer"), NULL, "%s", text.text);
    string_builder_end(&text);
    return skip;
}

/* True for commands that continue or end a render pass instance. Drivers have no state for them if
 * the command buffer has not begun an instance. */
static bool goes_on_with_pass(const struct call *call)
{
    switch (command_root[call->command]) {
    case COMMAND_CmdNextSubpass:
    case COMMAND_CmdNextSubpass2:
    case COMMAND_CmdEndRenderPass:
    case COMMAND_CmdEndRenderPass2:
    case COMMAND_CmdEndRendering:
    case COMMAND_CmdEndRendering2KHR:
        return true;
    default:
        return false;
    }
}

bool scope_report(const struct call *call, const struct command_buffer *command_buffer,
                  const struct scope_rule *rule)
{
    assert(rule);
    if (!command_buffer)
        return false;
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    uint32_t scope = command_buffer->scope, wrong = (scope & rule->mask) ^ rule->expected;
    /* If the queue family does not support the command, a missing scope follows from that. */
    const bool pool = !rule->queue_flags || command_buffer->queue_flags & rule->queue_flags;
    struct subject s = {.call = call};
    if (wrong & SCOPE_RECORDING)
        BROKEN(&s, rule->vuid[SCOPE_RULE_RECORDING], where,
               "is in the %s state, not in the recording state", lifecycle_name(scope));
    /* The scopes that an earlier recording left have no meaning. */
    if (wrong & SCOPE_RECORDING && !(scope & SCOPE_INITIAL))
        return s.skip;
    if (wrong & SCOPE_SECONDARY)
        BROKEN(&s, rule->vuid[SCOPE_RULE_SECONDARY], where, "is a secondary command buffer");
    if (wrong & SCOPE_INSIDE_RENDER_PASS && (pool || scope & SCOPE_INSIDE_RENDER_PASS))
        BROKEN(&s, rule->vuid[SCOPE_RULE_INSIDE_RENDER_PASS], where, "%s",
               scope & SCOPE_INSIDE_RENDER_PASS
                   ? "is inside of a render pass instance, where this command is not allowed"
                   : "is outside of a render pass instance, where this command "
                     "is not allowed");
    if (wrong & SCOPE_SUSPENDED)
        BROKEN(&s, rule->vuid[SCOPE_RULE_SUSPENDED], where,
               "has a suspended render pass instance, which must be resumed before "
               "anything else happens");
    if (wrong & SCOPE_INSIDE_VIDEO_CODING && (pool || scope & SCOPE_INSIDE_VIDEO_CODING))
        BROKEN(&s, rule->vuid[SCOPE_RULE_INSIDE_VIDEO_CODING], where, "%s",
               scope & SCOPE_INSIDE_VIDEO_CODING
                   ? "is inside of a video coding scope, where this command is not allowed"
                   : "is outside of a video coding scope, where this command is not allowed");
    if (wrong & SCOPE_SAMPLER_HEAP)
        BROKEN(&s, rule->vuid[SCOPE_RULE_SAMPLER_HEAP], where,
               "is a secondary command buffer that inherits a sampler heap "
               "(VkCommandBufferInheritanceDescriptorHeapInfoEXT::pSamplerHeapBindInfo)");
    if (wrong & SCOPE_RESOURCE_HEAP)
        BROKEN(&s, rule->vuid[SCOPE_RULE_RESOURCE_HEAP], where,
               "is a secondary command buffer that inherits a resource heap "
               "(VkCommandBufferInheritanceDescriptorHeapInfoEXT::pResourceHeapBindInfo)");
    if (!pool)
        s.skip |= report_pool(call, command_buffer, rule);
    const bool no_pass = wrong & (SCOPE_INSIDE_RENDER_PASS | SCOPE_SECONDARY);
    return no_pass && goes_on_with_pass(call) ? call_stop(call, s.skip) : s.skip;
}

bool scope_lets_ask(const struct call *call, const struct command_buffer *command_buffer,
                    const struct scope_rule *rule)
{
    return command_buffer && command_buffer->scope & (SCOPE_RECORDING | SCOPE_INITIAL) &&
           (!rule->queue_flags || command_buffer->queue_flags & rule->queue_flags) &&
           !call->dead_handle;
}

bool scope_check_queue(const struct call *call, VkQueueFlags flag, enum vuid vuid)
{
    assert(flag);
    const struct queue *queue = call->object ? call->object->state : NULL;
    if (!queue || queue->queue_flags & flag)
        return false;
    char buffer[512];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "is of queue family %u, which supports ", queue->family);
    add_queue_flags(&text, queue->queue_flags);
    string_builder_add(&text, "; the command needs ");
    add_queue_flags(&text, flag);
    bool skip = BROKEN_BY(call, vuid, &LOCATION(NULL, "queue"), NULL, "%s", text.text);
    string_builder_end(&text);
    return skip;
}
