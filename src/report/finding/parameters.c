/* Writes the parameters with which a call was made. */
#include "report/finding/parameters.h"

#include <string.h>

#include "base/thread.h"
#include "settings/settings.h"

/* Calls at once in a thread: a callback of the program may call Vulkan, and be called for that
 * again. The oldest is forgotten. */
#define CALLS_KEPT 4

/* The parameters of the calls that a thread is in. */
struct noted_parameters {
    uint32_t last; /* place of the call noted last */
    struct {
        const struct call *call; /* only compared: the call may have ended */
        uint64_t values[PARAMETERS_LIMIT];
    } calls[CALLS_KEPT];
};

bool parameters_enabled(const struct settings *settings)
{
    return settings->message_print_parameters;
}

void parameters_note(const struct call *call, const uint64_t *values, uint32_t count)
{
    assert(values || !count);
    struct thread *thread = thread_self();
    assert(count <= PARAMETERS_LIMIT);
    if (!thread->parameters) {
        thread->parameters = mem_alloc_zeroed(sizeof(*thread->parameters));
        (void)thread_number(); /* a thread with a number is cleared up after */
    }
    struct noted_parameters *noted = thread->parameters;
    if (!noted)
        return;
    noted->last = (noted->last + 1) % CALLS_KEPT;
    noted->calls[noted->last].call = call;
    /* The values are copied: a finding of the call may come after its entry has changed them. */
    memcpy(noted->calls[noted->last].values, values, count * sizeof(*values));
}

const uint64_t *parameters_of(const struct call *call)
{
    const struct noted_parameters *noted = thread_self()->parameters;
    /* The newest call comes first: a call that has ended may have lain where a later one lies. */
    for (uint32_t i = 0; noted && i < CALLS_KEPT; i++) {
        uint32_t place = (noted->last + CALLS_KEPT - i) % CALLS_KEPT;
        if (noted->calls[place].call == call)
            return noted->calls[place].values;
    }
    return NULL;
}
