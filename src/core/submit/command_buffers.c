/* Checks that command buffers may be submitted: executable (core/record/executable.c), of the right
 * level and queue family (6.1, 6.5 "Command Buffer Submission"). */
#include "core/record/executable.h"
#include "core/hooks.h"
#include "core/submit/walk.h"
#include "report/finding/finding.h"
#include "state/command/command_buffer.h"
#include "state/submit/queue.h"

#include "report/finding/rule.h"

/* The numbers of the rules, which differ between vkQueueSubmit and vkQueueSubmit2. */
struct submit_rules {
    enum rule executable, simultaneous, secondary_executable, secondary_simultaneous, family, level;
};
static const struct submit_rules rules_of_submit = {RULE_00070, RULE_00071, RULE_00072,
                                                    RULE_00073, RULE_00074, RULE_00075};
static const struct submit_rules rules_of_submit2 = {RULE_03874, RULE_03875, RULE_03876,
                                                     RULE_03877, RULE_03878, RULE_03890};

/* Checks that the secondary command buffers which `primary` executes can be submitted now. True:
 * the call is to be skipped. */
static bool check_secondaries(const struct call *call, const struct command_buffer *primary,
                              const struct submit_rules *rules, const struct location *where)
{
    assert(primary->uses.executes);
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < primary->uses.count; i++) {
        uint64_t id = primary->uses.ids[i];
        if (likely(object_id_type(id) != HANDLE_COMMAND_BUFFER))
            continue;
        const struct object *object = object_find_id(id, HANDLE_COMMAND_BUFFER);
        struct command_buffer *secondary = object_load_state_of(object, id);
        if (!object) {
            BROKEN(&s, rules->secondary_executable, where,
                   "executes a secondary command buffer that has been freed");
            continue;
        }
        if (!secondary)
            continue;
        VkCommandBuffer handle = (VkCommandBuffer)(uintptr_t)object_handle(object);
        s.skip |= executable_check(call, secondary, handle, rules->secondary_executable, where);
        s.skip |= executable_check_not_pending(call, secondary, handle,
                                               rules->secondary_simultaneous, where);
    }
    return s.skip;
}

/* Checks one command buffer, and adds the kinds of its contents to `contents` (enum
 * submit_contents). */
static ALWAYS_INLINE bool
command_buffers_check_buffer(const struct call *call, const struct queue *queue,
                             VkCommandBuffer handle, const struct submit_rules *rules,
                             const struct location *where, uint32_t *contents)
{
    struct command_buffer *command_buffer = find_command_buffer(handle);
    if (!command_buffer)
        return false;
    *contents |= command_buffer_contents(command_buffer);
    /* must not have been allocated with VK_COMMAND_BUFFER_LEVEL_SECONDARY */
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_COMMAND_BUFFER, handle), rules->level,
               !(command_buffer->scope & SCOPE_SECONDARY), where,
               "is a secondary command buffer, which only others can execute");
    /* must be in the pending or executable state */
    s.skip |= executable_check(call, command_buffer, handle, rules->executable, where);
    s.skip |=
        executable_check_not_pending(call, command_buffer, handle, rules->simultaneous, where);
    /* must have been allocated from a VkCommandPool that was created for the same queue family
     * queue belongs to */
    REQUIRE_OF(&s, OBJECT(HANDLE_COMMAND_BUFFER, handle), rules->family,
               !queue || queue->family == command_buffer->queue_family, where,
               "is of a pool of queue family %u, but the queue is of family %u",
               command_buffer->queue_family, queue->family);
    return s.skip | (unlikely(command_buffer->uses.executes) &&
                     check_secondaries(call, command_buffer, rules, where));
}

bool submit_check_command_buffers(const struct submit *submit, const VkSubmitInfo *info,
                                  const struct location *where, uint32_t *contents)
{
    bool skip = false;
    for (uint32_t i = 0; info->pCommandBuffers && i < info->commandBufferCount; i++)
        skip |=
            command_buffers_check_buffer(submit->call, submit->queue, info->pCommandBuffers[i],
                                         &rules_of_submit,
                                         &LOCATION_INDEX(where, "pCommandBuffers", i), contents);
    return skip;
}

/* Checks render passes in stripes (VK_ARM_render_pass_striped), which signal semaphores of their
 * own. */
static COLD bool check_stripes(const struct call *call, const VkCommandBufferSubmitInfo *info,
                               const struct command_buffer_sections *sections,
                               const struct location *where)
{
    const VkRenderPassStripeSubmitInfoARM *stripes =
        CHAINED(info->pNext, RENDER_PASS_STRIPE_SUBMIT_INFO_ARM);
    struct subject s = {.call = call,
                        .where = where,
                        .objects = OBJECT(HANDLE_COMMAND_BUFFER, info->commandBuffer)};
    if (sections->stripes_unknown)
        return false;
    /* If any render pass instance in commandBuffer was recorded with a
     * VkRenderPassStripeBeginInfoARM ..., a VkRenderPassStripeSubmitInfoARM must be included */
    REQUIRE(&s, RULE_09445, !sections->striped || stripes, "pNext",
            "has no VkRenderPassStripeSubmitInfoARM, but a render pass instance of the command "
            "buffer has %u stripes",
            sections->stripes);
    /* stripeSemaphoreInfoCount must be equal to the sum of the stripeInfoCount parameters */
    if (stripes)
        REQUIRE(&s, RULE_09446, stripes->stripeSemaphoreInfoCount == sections->stripes,
                &LOCATION(&LOCATION_CHAINED(where, "VkRenderPassStripeSubmitInfoARM"),
                          "stripeSemaphoreInfoCount"),
                "is %u, but the render pass instances of the command buffer have %u stripes",
                stripes->stripeSemaphoreInfoCount, sections->stripes);
    return s.skip;
}

bool submit_check_command_buffers2(const struct submit *submit, const VkSubmitInfo2 *info,
                                   const struct location *where, uint32_t *contents)
{
    bool skip = false;
    for (uint32_t i = 0; info->pCommandBufferInfos && i < info->commandBufferInfoCount; i++) {
        const struct location element = LOCATION_INDEX(where, "pCommandBufferInfos", i);
        skip |= command_buffers_check_buffer(submit->call, submit->queue,
                                             info->pCommandBufferInfos[i].commandBuffer,
                                             &rules_of_submit2,
                                             &LOCATION(&element, "commandBuffer"), contents);
        if (likely(!device_has_feature(submit->call->device, FEATURE_renderPassStriped)))
            continue;
        const struct command_buffer_sections *sections =
            sections_of(find_command_buffer(info->pCommandBufferInfos[i].commandBuffer));
        if (sections)
            skip |= check_stripes(submit->call, &info->pCommandBufferInfos[i], sections, &element);
    }
    return skip;
}
