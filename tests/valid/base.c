/* Random numbers, memory of a step, calls that are printed, and what is destroyed when. */
#include "valid.h"

#include <stdarg.h>
#include <stdlib.h>

#define ARENA_SIZE ((size_t)4 << 20)

static uint64_t random_next(struct world *w)
{
    uint64_t x = w->random += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

uint32_t below(struct world *w, uint32_t limit)
{
    return limit ? (uint32_t)(random_next(w) % limit) : 0;
}

uint32_t between(struct world *w, uint32_t first, uint32_t last)
{
    return first + below(w, last - first + 1);
}

bool chance(struct world *w, uint32_t percent)
{
    return below(w, 100) < percent;
}

void *temporary(struct world *w, size_t size)
{
    if (!w->arena)
        w->arena = malloc(ARENA_SIZE);
    size = (size + 15) & ~(size_t)15;
    if (!w->arena || w->arena_used + size > ARENA_SIZE) {
        (void)fprintf(stderr, "valid: a step uses more than %zu bytes\n", ARENA_SIZE);
        exit(EXIT_FAILURE);
    }
    void *memory = w->arena + w->arena_used;
    w->arena_used += size;
    return memset(memory, 0, size);
}

/* --- calls --- */

void note_call(struct world *w, const char *name, const char *arguments, const char *file, int line)
{
    w->report->command = name;
    w->report->file = file;
    w->report->line = line;
    w->report->calls++;
    if (w->options->print)
        printf("    %s(%s)  [%s:%d]\n", name, arguments, file, line);
}

void note(struct world *w, const char *format, ...)
{
    if (!w->options->print)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("      ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

void fail(struct world *w, const char *format, ...)
{
    struct report *report = w->report;
    if (report->told_count >= TOLD_MOST)
        return;
    struct told *told = &report->told[report->told_count++];
    va_list arguments;
    va_start(arguments, format);
    (void)snprintf(told->id, sizeof(told->id), "(failure) %s:%d", report->file ? report->file : "",
                   report->line);
    (void)vsnprintf(told->text, sizeof(told->text), format, arguments);
    va_end(arguments);
    told->step = w->step;
    if (w->options->print)
        printf("      FAILS: %s\n", told->text);
}

static bool way_is_open(const struct world *w, const struct command_way *way)
{
    if (way->version && VERSION(way->version))
        return true;
    for (unsigned i = 0; i < way->extension_count; i++) {
        if (w->extensions[way->extensions[i]] || w->instance_extensions[way->extensions[i]])
            return true;
    }
    return false;
}

/* By any of the names that are legal: of the version or of an extension. */
static PFN_vkVoidFunction command_load(struct world *w, enum command command)
{
    const struct command_info *info = &command_info[command];
    uint32_t start = (uint32_t)(w->random >> 33) % info->count;
    for (uint32_t i = 0; i < info->count; i++) {
        const struct command_way *way = &command_ways[info->first + (start + i) % info->count];
        PFN_vkVoidFunction proc =
            way_is_open(w, way) ? vkGetDeviceProcAddr(w->device, way->name) : NULL;
        if (proc)
            return proc;
    }
    return NULL;
}

bool command_there(struct world *w, enum command command)
{
    if (!w->procs[command])
        w->procs[command] = command_load(w, command);
    return w->procs[command] != NULL;
}

PFN_vkVoidFunction command_find(struct world *w, enum command command)
{
    if (command_there(w, command))
        return w->procs[command];
    (void)fprintf(stderr, "valid: seed %llu: the device has no %s\n",
                  (unsigned long long)w->report->seed,
                  command_ways[command_info[command].first].name);
    abort();
}

/* --- what is destroyed when --- */

void own(struct world *w, void (*destroy)(void *world, uint64_t handle, uint64_t other),
         uint64_t handle, uint64_t other)
{
    if (w->cleanup_count >= CLEANUPS_MOST) {
        (void)fprintf(stderr, "valid: too many objects\n");
        exit(EXIT_FAILURE);
    }
    w->cleanups[w->cleanup_count++] = (struct cleanup){destroy, handle, other};
}

void disown(struct world *w, uint64_t handle)
{
    for (unsigned i = w->cleanup_count; i-- > 0;) {
        if (w->cleanups[i].handle == handle) {
            w->cleanups[i].destroy = NULL;
            return;
        }
    }
}

void destroy_now(struct world *w, uint64_t handle)
{
    for (unsigned i = w->cleanup_count; i-- > 0;) {
        if (w->cleanups[i].handle == handle && w->cleanups[i].destroy) {
            w->cleanups[i].destroy(w, handle, w->cleanups[i].other);
            w->cleanups[i].destroy = NULL;
            return;
        }
    }
}

void destroy_to(struct world *w, unsigned count)
{
    while (w->cleanup_count > count) {
        const struct cleanup *last = &w->cleanups[--w->cleanup_count];
        if (last->destroy)
            last->destroy(w, last->handle, last->other);
    }
}

#define X(name_)                                                       \
    void destroy_##name_(void *world, uint64_t handle, uint64_t other) \
    {                                                                  \
        struct world *w = world;                                       \
        (void)other;                                                   \
        CALL(Destroy##name_, w->device, (Vk##name_)handle, NULL);      \
    }
DESTROYED_LIST(X)

void destroy_memory(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(FreeMemory, w->device, (VkDeviceMemory)handle, NULL);
}
