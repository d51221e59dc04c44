/* Finds the reason why a command buffer cannot be submitted or executed. Reasons are its state, a
 * destroyed object that its commands use, and that it is pending. */
#include "core/record/executable.h"
#include "core/destroy/gone.h"
#include "state/descriptor/descriptor.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* True for objects whose destruction does not make a command buffer invalid. Its execution does not
 * access them, or another rule reports them. */
static bool may_be_gone(enum handle_type type)
{
    return type == HANDLE_PIPELINE_LAYOUT || type == HANDLE_DESCRIPTOR_SET_LAYOUT ||
           type == HANDLE_COMMAND_BUFFER;
}

/* The reason why a recorded command buffer is invalid. */
struct invalidation {
    /* id of the cause: an object that was destroyed, a descriptor set that was updated, or a
     * secondary. 0: the command buffer is valid */
    uint64_t id;
    bool updated; /* the cause is a descriptor set that was updated */
    /* the way to a destroyed object that no command names itself; its count is 0 otherwise */
    struct reach_chain chain;
    /* a secondary that has changed since it was recorded; NULL: the reason is another one */
    const struct command_buffer *secondary;
};

/* True if an executable secondary was recorded or executed again since. Other states of a secondary
 * are reported by another rule. */
static bool was_taken_away(const struct command_buffer *secondary, uint32_t version)
{
    return secondary && secondary->scope & SCOPE_EXECUTABLE &&
           (uint32_t)atomic_load_explicit(&secondary->recording, memory_order_relaxed) + 1 !=
               version;
}

/* Finds a destroyed object that others depend on. "Memory can be freed whilst still bound to
 * resources, but those resources must not be used afterwards"; the same holds for an image and its
 * views. It only searches if such an object was destroyed since the last search (`epoch`). */
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

/* True if use `i` is of an object that was destroyed, or has changed since it was recorded. */
static ALWAYS_INLINE bool use_is_broken(const struct use_list *uses, uint32_t i)
{
    uint64_t id = uses->ids[i];
    enum handle_type type = object_id_type(id);
    if (unlikely(!object_find_id(id, type)) && !may_be_gone(type))
        return true;
    if (!uses->versions[i])
        return false;
    if (type == HANDLE_COMMAND_BUFFER)
        return was_taken_away(command_buffer_by_id(id), uses->versions[i]);
    const struct descriptor_set *set = descriptor_set_by_id(id);
    return set &&
           atomic_load_explicit(&set->version, memory_order_relaxed) + 1 != uses->versions[i];
}

/* The index of the first broken use; `uses->count` if there is none. */
static ALWAYS_INLINE uint32_t find_broken_use(const struct use_list *uses)
{
    uint32_t i = 0;
    while (i < uses->count && likely(!use_is_broken(uses, i)))
        i++;
    return i;
}

/* Finds the reason why the command buffer is invalid; an id of 0: it is valid. */
static COLD struct invalidation find_invalidation(struct command_buffer *command_buffer)
{
    const struct use_list *uses = &command_buffer->uses;
    const uint32_t i = find_broken_use(uses);
    if (i == uses->count)
        return find_invalidation_through(command_buffer,
                                         atomic_load_explicit(&descriptor_epoch,
                                                              memory_order_relaxed));
    struct invalidation found = {.id = uses->ids[i]};
    if (!object_find_id(found.id, object_id_type(found.id)))
        return found;
    if (object_id_type(found.id) == HANDLE_COMMAND_BUFFER)
        found.secondary = command_buffer_by_id(found.id);
    else
        found.updated = true;
    return found;
}

/* True if something that its commands use was destroyed, or has changed. */
static bool is_invalid(struct command_buffer *command_buffer)
{
    const uint32_t epoch = atomic_load_explicit(&descriptor_epoch, memory_order_relaxed);
    const uint64_t unchanged = atomic_load_explicit(&uses_epoch, memory_order_relaxed);
    if (!command_buffer->stamped ||
        atomic_load_explicit(&command_buffer->valid_since, memory_order_relaxed) != unchanged) {
        if (unlikely(find_broken_use(&command_buffer->uses) < command_buffer->uses.count))
            return true;
        atomic_store_explicit(&command_buffer->valid_since, unchanged, memory_order_relaxed);
    }
    return unlikely(atomic_load_explicit(&command_buffer->epoch, memory_order_relaxed) != epoch) &&
           find_invalidation_through(command_buffer, epoch).id;
}

/* Reports a command buffer that is invalid because one of its secondaries was recorded or executed
 * elsewhere. */
static bool report_taken_away(const struct call *call, VkCommandBuffer handle,
                              const struct command_buffer *secondary, enum vuid vuid,
                              const struct location *where)
{
    assert(secondary);
    uint64_t taken_by = atomic_load_explicit(&secondary->taken_by, memory_order_relaxed);
    const struct command_buffer *command_buffer = find_command_buffer(handle);
    bool elsewhere =
        taken_by && command_buffer && taken_by != object_state_id(&command_buffer->base);
    return BROKEN_BY(call, vuid, where,
                     OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_COMMAND_BUFFER,
                             object_state_handle(&secondary->base)),
                     "is invalid: a secondary command buffer that it executes (0x%" PRIx64
                     ") was %s",
                     object_state_handle(&secondary->base),
                     elsewhere
                         ? "executed by another command buffer since, and was recorded without "
                           "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT"
                         : "recorded again since");
}

/* Reports why a recorded command buffer is invalid. Returns whether to skip the call. */
static COLD bool report_invalid(const struct call *call, struct command_buffer *command_buffer,
                                VkCommandBuffer handle, enum vuid vuid,
                                const struct location *where)
{
    const struct invalidation found = find_invalidation(command_buffer), *why = &found;
    if (!why->id) /* another thread has changed it in the meantime */
        return false;
    if (why->secondary)
        return report_taken_away(call, handle, why->secondary, vuid, where);
    if (why->chain.count) {
        char text[GONE_TEXT];
        struct finding_objects objects =
            gone_objects((struct finding_object){HANDLE_COMMAND_BUFFER, (uint64_t)handle},
                         &why->chain, call->wraps);
        gone_write_chain(call, &why->chain, text);
        return BROKEN_BY(call, vuid, where, &objects, "is invalid: it uses %s", text);
    }
    enum handle_type type = object_id_type(why->id);
    const struct descriptor_set *set = why->updated ? descriptor_set_by_id(why->id) : NULL;
    if (why->updated)
        return BROKEN_BY(call, vuid, where,
                         set ? OBJECT2(HANDLE_COMMAND_BUFFER, handle, HANDLE_DESCRIPTOR_SET,
                                       object_state_handle(&set->base))
                             : OBJECT(HANDLE_COMMAND_BUFFER, handle),
                         "is invalid: a descriptor set was updated after it was bound, and none of "
                         "its bindings allows that (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)");
    char text[GONE_TEXT];
    gone_write_chain(call, &(struct reach_chain){.count = 1, .ids = {why->id}}, text);
    /* With unique handles, an id is also the handle that the program knew. */
    return BROKEN_BY(call, vuid, where,
                     call->wraps ? OBJECT2(HANDLE_COMMAND_BUFFER, handle, type, why->id)
                                 : OBJECT(HANDLE_COMMAND_BUFFER, handle),
                     "is invalid: %s%s, after a command that uses it was recorded",
                     call->wraps ? "" : "a ", text);
}

/* Says why a command buffer is neither executable nor pending; NULL: it is one of these. */
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
        return BROKEN_BY(call, rule, where, OBJECT(HANDLE_COMMAND_BUFFER, handle), "%s", why);
    return unlikely(is_invalid(command_buffer)) &&
           report_invalid(call, command_buffer, handle, rule_vuid(call->command, rule), where);
}

bool executable_check_recording(const struct call *call, struct command_buffer *command_buffer,
                                VkCommandBuffer handle, enum rule rule,
                                const struct location *where)
{
    assert(command_buffer->scope & SCOPE_RECORDING);
    return unlikely(is_invalid(command_buffer)) &&
           report_invalid(call, command_buffer, handle, rule_vuid(call->command, rule), where);
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
    return BROKEN_BY(call, rule, where, OBJECT(HANDLE_COMMAND_BUFFER, handle),
                     "was submitted before and is not known to be done, and was not recorded with "
                     "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT");
}
