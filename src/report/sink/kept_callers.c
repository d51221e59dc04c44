/* Replaces the caller of a call before objects and recorded commands keep it: by a whole stack, or
 * by the frame that called the loader. */
#include "report/sink/callers.h"

#include <stdatomic.h>

#include "base/stack.h"
#include "objects/device.h"
#include "report/finding/finding.h"

/* Reports once that there was not enough room for a stack. */
static COLD void tell_full(const struct call *call)
{
    static _Atomic bool told;
    if (atomic_exchange_explicit(&told, true, memory_order_relaxed))
        return;
    (void)finding_with_severity(call, SEVERITY_WARNING, ASSAY_OutOfMemory, NULL, NULL,
                                "The room for call stacks (setting record_stacks) is used up: from "
                                "now on commands and objects with stacks that were not met before "
                                "keep their caller alone");
}

/* Records the stack of the call, and puts its number in place of the call's caller. */
static bool caller_record(struct call *call)
{
    uint32_t number = stack_record(call->caller);
    if (likely(number))
        call->caller = kept_stack(number);
    else if (unlikely(depot_is_full()))
        tell_full(call);
    return false;
}

/* Replaces the call's caller by the first frame outside of the loader. If there is none, the caller
 * stays. */
static bool leave_loader(struct call *call)
{
    const void *program = call->caller ? stack_leave_module(call->caller, caller_is_loader) : NULL;
    if (program)
        call->caller = program;
    return false;
}

static bool is_recording(const struct settings *settings)
{
    return settings->record_stacks;
}

static bool is_not_recording(const struct settings *settings)
{
    return !settings->record_stacks;
}

/* Hooks one function into all these commands. Entries pass it the command's parameters after the
 * call, which it ignores. The calling conventions of all machines that the layer is built for allow
 * more arguments than a function takes. With one function for each command, the library was 100 KB
 * larger. */
static void hook_all(struct validator_hooks *hooks, const uint16_t *commands, uint32_t count,
                     bool (*validate)(struct call *call))
{
    void (**first)(void) = VALIDATOR_FIRST_HOOK(hooks);
    for (uint32_t i = 0; i < count; i++)
        first[commands[i] * HOOK_PHASES] = (void (*)(void))validate;
}

/* Hooks the commands whose caller is kept with its stack. */
static void fill_recorded(struct validator_hooks *hooks)
{
    hook_all(hooks, recorded_callers_commands, recorded_callers_count, caller_record);
}

/* Hooks the commands that the loader calls from a function of its own. */
static void fill_loader(struct validator_hooks *hooks)
{
    hook_all(hooks, loader_callers_commands, loader_callers_count, leave_loader);
}

static struct validator_hooks recorded_hooks, loader_hooks;
const struct validator recorded_callers_validator = {
    .name = "recorded callers",
    .enabled = is_recording,
    .hooks = &recorded_hooks,
    .fill = fill_recorded,
};
const struct validator loader_callers_validator = {
    .name = "callers of the loader",
    .enabled = is_not_recording,
    .hooks = &loader_hooks,
    .fill = fill_loader,
};
