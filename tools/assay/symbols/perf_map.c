/* Reads the maps that perf reads. */
#include "assay/symbols/perf_map.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

/* bytes of the largest map that is read; large programs have some 20 MB */
#define MAP_MOST  (64u << 20)
#define MAPS_MOST 64 /* processes whose maps are kept */

struct function {
    uint64_t begin, end;
    /* the largest `end` of this function and all before it in the array */
    uint64_t reach;
    uint32_t order; /* position in the file */
    uint32_t name;  /* offset in the text */
};

struct map {
    uint64_t process;
    char *text;                 /* owned; NULL: there is no map */
    struct function *functions; /* owned; sorted by begin, then by order */
    size_t count;
    /* identity of the file when it was read */
    ino_t file;
    off_t size;
    struct timespec changed;
};

struct perf_maps {
    struct map maps[MAPS_MOST];
    uint32_t count;
};

struct perf_maps *perf_maps_new(void)
{
    return calloc(1, sizeof(struct perf_maps));
}

static void perf_map_forget(struct map *map)
{
    free(map->text);
    free(map->functions);
    *map = (struct map){.process = map->process};
}

void perf_maps_free(struct perf_maps *maps)
{
    for (uint32_t i = 0; maps && i < maps->count; i++)
        perf_map_forget(&maps->maps[i]);
    free(maps);
}

/* --- reading --- */

/* Replaces bytes that are not printable text by question marks, in place. */
static void make_text(char *name)
{
    while (*name) {
        const size_t length = utf8_length(name);
        if (!length || utf8_is_control(name)) {
            for (size_t i = 0; i < (length ? length : 1); i++)
                *name++ = '?';
        } else {
            name += length;
        }
    }
}

/* Reads a line, which is terminated: "7f3a4c001000 40 py::draw:/home/me/app.py". Returns false if
 * it has another form. */
static bool read_line(const char *text, char *line, struct function *function)
{
    char *end;
    if (!isxdigit((unsigned char)*line))
        return false;
    function->begin = strtoull(line, &end, 16);
    if (*end != ' ' || !isxdigit((unsigned char)end[1]))
        return false;
    const uint64_t size = strtoull(end + 1, &end, 16);
    if (*end != ' ' || !end[1] || !size || size > UINT64_MAX - function->begin)
        return false;
    function->end = function->begin + size;
    function->name = (uint32_t)(end + 1 - text);
    make_text(end + 1);
    return true;
}

static int compare_functions(const void *a, const void *b)
{
    const struct function *first = a, *second = b;
    if (first->begin != second->begin)
        return first->begin < second->begin ? -1 : 1;
    return first->order < second->order ? -1 : first->order > second->order;
}

/* Reads the functions of a map. An incomplete last line is left for the next time. Returns false if
 * memory is out. */
static bool read_functions(struct map *map, size_t length)
{
    size_t lines = 0;
    for (const char *at = map->text; (at = memchr(at, '\n', length - (size_t)(at - map->text)));
         at++)
        lines++;
    map->functions = malloc((lines + 1) * sizeof(*map->functions));
    if (!map->functions)
        return false;
    char *line = map->text;
    for (size_t i = 0; i < lines; i++) {
        char *end = memchr(line, '\n', length - (size_t)(line - map->text));
        struct function *function = &map->functions[map->count];
        *end = 0;
        function->order = (uint32_t)i;
        map->count += read_line(map->text, line, function);
        line = end + 1;
    }
    qsort(map->functions, map->count, sizeof(*map->functions), compare_functions);
    uint64_t reach = 0;
    for (size_t i = 0; i < map->count; i++) {
        struct function *function = &map->functions[i];
        reach = function->end > reach ? function->end : reach;
        function->reach = reach;
    }
    return true;
}

static char *read_whole(int file, size_t size, size_t *length)
{
    char *text = malloc(size + 1);
    ssize_t got = 1;
    *length = 0;
    while (text && *length < size && (got = read(file, text + *length, size - *length)) > 0)
        *length += (size_t)got;
    if (!text || got < 0) {
        free(text);
        return NULL;
    }
    text[*length] = 0;
    return text;
}

/* Reads the map again if its file is another one, or has grown. */
static void perf_map_refresh(struct map *map)
{
    char path[64];
    struct stat status;
    size_t length;
    snprintf(path, sizeof(path), "/tmp/perf-%" PRIu64 ".map", map->process);
    /* A FIFO must not block the tool, and a terminal not become its controlling terminal. */
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool good = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == geteuid() && status.st_size <= (off_t)MAP_MOST;
    const bool same = good && map->text && map->file == status.st_ino &&
                      map->size == status.st_size && map->changed.tv_sec == status.st_mtim.tv_sec &&
                      map->changed.tv_nsec == status.st_mtim.tv_nsec;
    if (good && !same) {
        perf_map_forget(map);
        map->text = read_whole(file, (size_t)status.st_size, &length);
        if (map->text && !read_functions(map, length))
            perf_map_forget(map);
        map->file = status.st_ino;
        map->size = status.st_size;
        map->changed = status.st_mtim;
    }
    if (file >= 0)
        close(file);
}

/* --- looking up --- */

static struct map *map_of(struct perf_maps *maps, uint64_t process)
{
    for (uint32_t i = 0; i < maps->count; i++) {
        if (maps->maps[i].process == process)
            return &maps->maps[i];
    }
    if (maps->count == MAPS_MOST)
        return NULL;
    struct map *map = &maps->maps[maps->count++];
    *map = (struct map){.process = process};
    return map;
}

/* Returns the function that contains the address; of several, the one that comes last in the
 * file. */
static const struct function *perf_map_find(const struct map *map, uint64_t address)
{
    const struct function *found = NULL;
    size_t low = 0, high = map->count;
    while (low < high) { /* a search for the first function that begins after the address */
        const size_t middle = low + (high - low) / 2;
        if (map->functions[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i && map->functions[i - 1].reach > address; i--) {
        const struct function *function = &map->functions[i - 1];
        if (function->end > address && (!found || function->order > found->order))
            found = function;
    }
    return found;
}

const char *perf_maps_function(struct perf_maps *maps, uint64_t process, uint64_t address,
                               uint64_t *from_begin)
{
    struct map *map = maps && process ? map_of(maps, process) : NULL;
    if (!map)
        return NULL;
    perf_map_refresh(map);
    const struct function *function = perf_map_find(map, address);
    if (!function)
        return NULL;
    *from_begin = address - function->begin;
    return map->text + function->name;
}
