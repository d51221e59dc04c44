/* Keeps the parameters with which a call was made, for its findings. */
#include "report/finding/parameters.h"

#include <string.h>

#include "base/thread.h"
#include "settings/settings.h"

/* Nested calls of a thread whose parameters are kept. A callback of the program may call Vulkan,
 * and that call may call the callback again. Beyond this number the oldest call is forgotten. */
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
        /* only the memory of a thread with a number is freed when the thread ends */
        (void)thread_number();
    }
    struct noted_parameters *noted = thread->parameters;
    if (!noted)
        return;
    noted->last = (noted->last + 1) % CALLS_KEPT;
    noted->calls[noted->last].call = call;
    /* The values are copied, as the entry may change them before a finding is reported. */
    memcpy(noted->calls[noted->last].values, values, count * sizeof(*values));
}

const uint64_t *parameters_of(const struct call *call)
{
    const struct noted_parameters *noted = thread_self()->parameters;
    /* The search begins with the newest call: an older one that has ended may have had the same
     * address. */
    for (uint32_t i = 0; noted && i < CALLS_KEPT; i++) {
        uint32_t place = (noted->last + CALLS_KEPT - i) % CALLS_KEPT;
        if (noted->calls[place].call == call)
            return noted->calls[place].values;
    }
    return NULL;
}
