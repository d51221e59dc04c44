#include "report/callers.h"

#include <fnmatch.h>
#include <string.h>

#include "base/stack.h"
#include "base/unwind.h"
#include "chassis/chassis.h"

/* The module of a call; "" for the program itself and for code that is in no module. */
static const char *module_of(const void *return_address)
{
    const char *path = unwind_module((uintptr_t)return_address - 1);
    return path ? path : "";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_library(const char *path, const char *stem)
{
    return strncmp(base_name(path), stem, strlen(stem)) == 0;
}

/* The loader stands between some commands and the layer: it does something of its own for them on the way back. */
static bool is_passed_over(const char *path, const struct setting_list *ignored)
{
    if (is_library(path, "libvulkan.so"))
        return true;
    for (uint32_t i = 0; ignored && *path && i < ignored->count; i++) {
        if (fnmatch(ignored->items[i], path, 0) == 0 || fnmatch(ignored->items[i], base_name(path), 0) == 0)
            return true;
    }
    return false;
}

static const struct setting_list *ignored_by(const struct call *call)
{
    return call->instance ? &call->instance->settings.caller_ignore : NULL;
}

void callers_find(struct callers *callers, const struct call *call)
{
    const void *frames[STACK_FRAMES];
    uint32_t count = call->caller ? stack_walk(frames, STACK_FRAMES) : 0, layers = 0;
    while (layers < count && frames[layers] != call->caller)
        layers++;
    while (count > layers + 1 && is_library(module_of(frames[count - 1]), "libc.so."))
        count--;
    callers->first = 0;
    callers->count = count - layers < CALLERS ? count - layers : CALLERS;
    memcpy(callers->addresses, frames + layers, callers->count * sizeof(frames[0]));
    if (!callers->count && call->caller) {
        callers->addresses[0] = call->caller;
        callers->count = 1;
    }
    for (uint32_t i = 0; i < callers->count; i++) {
        if (!is_passed_over(module_of(callers->addresses[i]), ignored_by(call))) {
            callers->first = i;
            return;
        }
    }
}

const void *callers_first(const struct call *call)
{
    struct callers callers;
    if (!call->caller || !is_passed_over(module_of(call->caller), ignored_by(call)))
        return call->caller;
    callers_find(&callers, call);
    return callers.addresses[callers.first];
}

const void *callers_of_recorded(const struct call *call, const void *recorded)
{
    return recorded == call->caller ? callers_first(call) : recorded;
}
