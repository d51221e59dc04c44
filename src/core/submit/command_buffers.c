/* Checks that command buffers may be submitted: recorded, still valid, not pending, of the right
 * level and queue family (6.1, 6.5 "Command Buffer Submission"). */
#include "core/record/executable.h"
#include "core/destroy/gone.h"
#include "core/hooks.h"
#include "core/submit/walk.h"
#include "core/rule.h"
#include "report/finding/finding.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"
#include "state/submit/queue.h"

#include <inttypes.h>

/* The rules have a number in each of vkQueueSubmit and vkQueueSubmit2. */
struct submit_rules {
    enum rule executable, simultaneous, secondary_executable, secondary_simultaneous, family, level;
};
static const struct submit_rules rules_of_submit = {RULE_00070, RULE_00071, RULE_00072,
                                                    RULE_00073, RULE_00074, RULE_00075};
static const struct submit_rules rules_of_submit2 = {RULE_03874, RULE_03875, RULE_03876,
                                                     RULE_03877, RULE_03878, RULE_03890};

/* Destroying it does not make a command buffer invalid: nothing of it is accessed when that is
 * executed, or another rule speaks of it. */
static bool may_be_gone(enum handle_type type)
{
    return type == HANDLE_PIPELINE_LAYOUT || type == HANDLE_DESCRIPTOR_SET_LAYOUT ||
           type == HANDLE_COMMAND_BUFFER;
}

/* What made a recorded command buffer invalid. */
struct invalidation {
    /* of an object that was destroyed, a descriptor set that was updated, or a secondary; 0:
     * nothing did */
    uint64_t id;
    bool updated;
    /* to the object that was destroyed, where no command names it; else its count is 0 */
    struct reach_chain chain;
    const struct command_buffer *secondary;
};

/* A secondary that is none that can be executed has a rule of its own. */
static bool was_taken_away(const struct command_buffer *secondary, uint32_t version)
{
    return secondary && secondary->scope & SCOPE_EXECUTABLE &&
           (uint32_t)atomic_load_explicit(&secondary->recording, memory_order_relaxed) + 1 !=
               version;
}

/* "Memory can be freed whilst still bound to resources, but those resources must not be used
 * afterwards": likewise an image while there are views of it. Looked for only where something was
 * destroyed since that others could depend on. */
static COLD struct invalidation find_invalidation_through(struct command_buffer *command_buffer,
                                                          uint32_t epoch)
{
    struct invalidation found = {0};
    if (command_buffer_find_gone(command_buffer, &found.chain))
        found.id = found.chain.ids[found.chain.count - 1];
    else
        atomic_store_explicit(&command_buffer->epoch, epoch, memory_order_relaxed);
    return found;
}

/* Looks for a destroyed or updated object among those that the commands name. */
static struct invalidation find_invalidation_of_uses(const struct command_buffer *command_buffer)
{
    const struct use_list *uses = &command_buffer->uses;
    for (uint32_t i = 0; i < uses->count; i++) {
        uint64_t id = uses->ids[i];
        enum handle_type type = object_id_type(id);
        if (unlikely(!object_find_id(id, type)) && !may_be_gone(type))
            return (struct invalidation){.id = id};
        if (!uses->versions[i])
            continue;
        if (type == HANDLE_COMMAND_BUFFER) {
            const struct command_buffer *secondary = command_buffer_by_id(id);
            if (unlikely(was_taken_away(secondary, uses->versions[i])))
                return (struct invalidation){.id = id, .secondary = secondary};
            continue;
        }
        const struct descriptor_set *set = descriptor_set_by_id(id);
        if (set &&
            atomic_load_explicit(&set->version, memory_order_relaxed) + 1 != uses->versions[i])
            return (struct invalidation){.id = id, .updated = true};
    }
    return (struct invalidation){0};
}

static struct invalidation find_invalidation(struct command_buffer *command_buffer)
{
    const uint32_t epoch = atomic_load_explicit(&descriptor_epoch, memory_order_relaxed);
    const uint64_t unchanged = atomic_load_explicit(&uses_epoch, memory_order_relaxed);
    if (!command_buffer->stamped ||
        atomic_load_explicit(&command_buffer->valid_since, memory_order_relaxed) != unchanged) {
        const struct invalidation found = find_invalidation_of_uses(command_buffer);
        if (unlikely(found.id))
            return found;
        atomic_store_explicit(&command_buffer->valid_since, unchanged, memory_order_relaxed);
    }
    if (unlikely(atomic_load_explicit(&command_buffer->epoch, memory_order_relaxed) != epoch))
        return find_invalidation_through(command_buffer, epoch);
    return (struct invalidation){0};
}

static bool report_taken_away(const struct call *call, VkCommandBuffer handle,
                              const struct command_buffer *secondary, enum vuid vuid,
                              const struct location *where)
{
    assert(secondary);
    uint64_t taken_by = atomic_load_explicit(&secondary->taken_by, memory_order_relaxed);
    const struct command_buffer *command_buffer = find_command_buffer(handle);
    bool elsewhere =
        taken_by && command_buffer && taken_by != object_state_id(&command_buffer->base);
    return finding(call, vuid, where,
                   OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_COMMAND_BUFFER,
                           object_state_handle(&secondary->base)),
                   "is invalid: a secondary command buffer that it executes (0x%" PRIx64 ") was %s",
                   object_state_handle(&secondary->base),
                   elsewhere ? "executed by another command buffer since, and was recorded without "
                               "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT"
                             : "recorded again since");
}

static COLD bool report_invalid(const struct call *call, VkCommandBuffer handle,
                                const struct invalidation *why, enum vuid vuid,
                                const struct location *where)
{
    assert(why->id);
    if (why->secondary)
        return report_taken_away(call, handle, why->secondary, vuid, where);
    if (why->chain.count) {
        char text[GONE_TEXT];
        struct finding_objects objects =
            gone_objects((struct finding_object){HANDLE_COMMAND_BUFFER, (uint64_t)handle},
                         &why->chain, call->wraps);
        gone_write_chain(call, &why->chain, text);
        return finding(call, vuid, where, &objects, "is invalid: it uses %s", text);
    }
    enum handle_type type = object_id_type(why->id);
    const struct descriptor_set *set = why->updated ? descriptor_set_by_id(why->id) : NULL;
    if (why->updated)
        return finding(call, vuid, where,
                       set ? OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_DESCRIPTOR_SET,
                                     object_state_handle(&set->base))
                           : OBJECT(HANDLE_COMMAND_BUFFER, handle),
                       "is invalid: a descriptor set was updated after it was bound, and none of "
                       "its bindings allows that (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)");
    char text[GONE_TEXT];
    gone_write_chain(call, &(struct reach_chain){.count = 1, .ids = {why->id}}, text);
    /* An id is the handle that the app knew, where handles are wrapped. */
    return finding(call, vuid, where,
                   call->wraps ? OBJECT2(HANDLE_COMMAND_BUFFER, handle, type, why->id)
                               : OBJECT(HANDLE_COMMAND_BUFFER, handle),
                   "is invalid: %s%s, after a command that uses it was recorded",
                   call->wraps ? "" : "a ", text);
}

/* Of a command buffer in the executable or pending state; `why` says what is wrong otherwise. */
static const char *not_executable(const struct command_buffer *command_buffer)
{
    if (command_buffer->scope & SCOPE_RECORDING)
        return "is still being recorded: vkEndCommandBuffer has not been called";
    if (command_buffer->scope & SCOPE_INITIAL)
        return "was not recorded since it was allocated or reset";
    if (command_buffer->scope & SCOPE_INVALID)
        return "is invalid: vkEndCommandBuffer failed";
    if (command_buffer->submitted &&
        command_buffer->usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        return "was recorded with VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, and has been "
               "submitted before";
    return NULL;
}

bool executable_check(const struct call *call, struct command_buffer *command_buffer,
                      VkCommandBuffer handle, enum rule rule, const struct location *where)
{
    assert(command_buffer);
    const char *why = not_executable(command_buffer);
    if (unlikely(why))
        return finding(call, rule_vuid(call->command, rule), where,
                       OBJECT(HANDLE_COMMAND_BUFFER, handle), "%s", why);
    const struct invalidation invalidation = find_invalidation(command_buffer);
    return unlikely(invalidation.id) &&
           report_invalid(call, handle, &invalidation, rule_vuid(call->command, rule), where);
}

bool executable_check_not_pending(const struct call *call,
                                  const struct command_buffer *command_buffer,
                                  VkCommandBuffer handle, enum rule rule,
                                  const struct location *where)
{
    assert(command_buffer);
    if (likely(command_buffer->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT ||
               !object_in_use(call->device, &command_buffer->base)))
        return false;
    return finding(call, rule_vuid(call->command, rule), where,
                   OBJECT(HANDLE_COMMAND_BUFFER, handle),
                   "was submitted before and is not known to be done, and was not recorded with "
                   "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT");
}

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
        struct command_buffer *secondary = object_load_state(object);
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

/* Adds what the command buffer holds to `contents`. */
static ALWAYS_INLINE bool check_command_buffer(const struct call *call, const struct queue *queue,
                                               VkCommandBuffer handle,
                                               const struct submit_rules *rules,
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
        skip |= check_command_buffer(submit->call, submit->queue, info->pCommandBuffers[i],
                                     &rules_of_submit, &LOCATION_INDEX(where, "pCommandBuffers", i),
                                     contents);
    return skip;
}

/* Render passes in stripes (VK_ARM_render_pass_striped), which signal semaphores of their own. */
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
        skip |= check_command_buffer(submit->call, submit->queue,
                                     info->pCommandBufferInfos[i].commandBuffer, &rules_of_submit2,
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
