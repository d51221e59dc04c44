/* Finds the frames of a call, and chooses the one that a finding shows: the first frame outside of
 * the loader and of wrapper libraries. */
#include "report/sink/callers.h"

#include <fnmatch.h>
#include <string.h>

#include "base/stack.h"
#include "base/unwind.h"
#include "report/report.h"
#include "objects/device.h"

/* Returns the path of the module that a return address is in; "": the program itself, or code that
 * is in no module. */
static const char *module_of(const void *return_address)
{
    const char *path = unwind_module((uintptr_t)return_address - 1);
    return path ? path : "";
}

/* Returns the last part of a path. */
static const char *base_name(const char *path)
{
    assert(path);
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* True if the file's name begins with `stem`. */
static bool is_library(const char *path, const char *stem)
{
    assert(stem);
    return strncmp(base_name(path), stem, strlen(stem)) == 0;
}

bool caller_is_loader(const char *path)
{
    return is_library(path, "libvulkan.so");
}

/* Libraries that wrap Vulkan for many programs. Their frames are passed over as if the setting
 * caller_ignore named them. The rest of the file name is a version, or ".so". (Tools recognize
 * wrappers that are compiled into a program by their functions and source files:
 * tools/assay/report/frames.c.) */
static const char *const wrappers[] = {"libSDL2", "libSDL3", "libglfw", "libvolk",
                                       "libVulkanMemoryAllocator"};

/* True for libraries of `wrappers`, whatever their version is. */
static bool is_wrapper(const char *path)
{
    const char *name = base_name(path);
    for (size_t i = 0; i < ARRAY_LENGTH(wrappers); i++) {
        const size_t length = strlen(wrappers[i]);
        if (strncmp(name, wrappers[i], length) == 0 && (name[length] == '-' || name[length] == '.'))
            return true;
    }
    return false;
}

/* True if a frame in the module of this path is not shown as the caller. The loader is on the stack
 * of the few commands for which it has work to do after the call returns. */
static bool is_passed_over(const char *path, const struct setting_list *ignored)
{
    if (caller_is_loader(path) || is_wrapper(path))
        return true;
    for (uint32_t i = 0; ignored && *path && i < ignored->count; i++) {
        if (fnmatch(ignored->items[i], path, 0) == 0 ||
            fnmatch(ignored->items[i], base_name(path), 0) == 0)
            return true;
    }
    return false;
}

/* The modules that the setting caller_ignore names; NULL: there is no instance yet. */
static const struct setting_list *ignored_by(const struct call *call)
{
    return call->instance ? &call->instance->settings.caller_ignore : NULL;
}

/* Chooses the frame that a message in one line shows: the first that is not passed over, else the
 * first of all. */
static void choose_first(struct callers *callers, const struct call *call)
{
    callers->first = 0;
    for (uint32_t i = 0; i < callers->count; i++) {
        if (!is_passed_over(module_of(callers->addresses[i]), ignored_by(call))) {
            callers->first = i;
            return;
        }
    }
}

/* Copies the frames, except those of the C library at the outer end, which have started the
 * thread. */
static void set_frames(struct callers *callers, const void *const *frames, uint32_t count)
{
    assert(frames || !count);
    while (count > 1 && is_library(module_of(frames[count - 1]), "libc.so."))
        count--;
    callers->count = count < CALLERS ? count : CALLERS;
    memcpy(callers->addresses, frames, callers->count * sizeof(frames[0]));
}

void callers_find(struct callers *callers, const struct call *call)
{
    assert(callers);
    if (kept_number(call->caller)) {
        callers_of_kept(callers, call, call->caller);
        return;
    }
    const void *frames[STACK_FRAMES];
    uint32_t count = call->caller ? stack_walk(frames, STACK_FRAMES) : 0, layers = 0;
    /* The innermost frames are the layer's own, up to the one that called the layer. */
    while (layers < count && frames[layers] != call->caller)
        layers++;
    set_frames(callers, frames + layers, count - layers);
    /* If the walk did not reach that frame, only the caller is known. */
    if (!callers->count && call->caller)
        set_frames(callers, &call->caller, 1);
    choose_first(callers, call);
}

const void *callers_first(const struct call *call)
{
    struct callers callers;
    if (!call->caller ||
        (!kept_number(call->caller) && !is_passed_over(module_of(call->caller), ignored_by(call))))
        return call->caller;
    callers_find(&callers, call);
    return callers.addresses[callers.first];
}

bool callers_are_chosen_by_tools(const struct call *call)
{
    const struct setting_list *ignored = ignored_by(call);
    for (uint32_t i = 0; ignored && i < ignored->count; i++) {
        if (!strstr(ignored->items[i], ".so"))
            return true;
    }
    return false;
}

void callers_of_kept(struct callers *callers, const struct call *call, const void *kept)
{
    assert(callers);
    uint32_t count;
    const void *const *frames = depot_get(kept_number(kept), &count);
    if (kept == call->caller && !frames) {
        callers_find(callers, call);
        return;
    }
    set_frames(callers, frames ? frames : &kept, frames ? count : kept != NULL);
    choose_first(callers, call);
}

const void *callers_first_of_kept(const struct call *call, const void *kept)
{
    struct callers callers;
    if (!kept_number(kept))
        return kept == call->caller ? callers_first(call) : kept;
    callers_of_kept(&callers, call, kept);
    return callers.count ? callers.addresses[callers.first] : NULL;
}

struct caller_path *caller_path_of_kept(const struct call *call, const void *kept)
{
    struct callers callers;
    callers_of_kept(&callers, call, kept);
    struct caller_path *path =
        callers.count ? mem_alloc(sizeof(*path) + callers.count * sizeof(path->frames[0])) : NULL;
    if (!path)
        return NULL;
    path->count = callers.count;
    path->first = callers.first;
    for (uint32_t i = 0; i < callers.count; i++)
        path->frames[i] = caller_describe(callers.addresses[i]);
    return path;
}
