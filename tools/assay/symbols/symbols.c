/* Finds the line of the source file that made a call. */
#include "assay/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "assay/command.h"

/* The most call sites that are kept; real programs have fewer. */
#define SITES_MOST 2000000u

struct symbols {
    struct site *sites;
    uint32_t count, capacity;
    uint32_t *table; /* indices + 1; open addressing */
    uint32_t table_size;
};

struct json_object *finding_holder(struct json_object *finding, int which)
{
    static const char *const sides[] = {NULL, "this", "earlier"};
    return which ? json_object_object_get(json_object_object_get(finding, "sync"), sides[which])
                 : finding;
}

struct json_object *finding_caller(struct json_object *finding, int which)
{
    return json_object_object_get(finding_holder(finding, which), "caller");
}

struct json_object *finding_place_holder(struct json_object *finding)
{
    return finding_holder(finding, finding_caller(finding, 1) ? 1 : 0);
}

struct json_object *finding_place(struct json_object *finding)
{
    return json_object_object_get(finding_place_holder(finding), "caller");
}

size_t stack_index(struct json_object *stack, struct json_object *caller)
{
    size_t index = 0;
    while (index < json_length(stack) &&
           !json_object_equal(json_object_array_get_idx(stack, index), caller))
        index++;
    return index;
}

/* --- the table of places --- */

static uint64_t offset_of(struct json_object *caller)
{
    const char *offset = json_text(caller, "offset");
    return offset ? strtoull(offset, NULL, 16) : 0;
}

static uint32_t symbols_hash(const char *module, const char *build_id, uint64_t offset)
{
    uint64_t hash = offset * 0x9e3779b97f4a7c15u;
    for (; *module; module++)
        hash = (hash ^ (unsigned char)*module) * 0x100000001b3u;
    for (; *build_id; build_id++)
        hash = (hash ^ (unsigned char)*build_id) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 29);
}

/* Returns the slot of a site in the table, or the free one for it. `build_id` is "" if there is
 * none. */
static uint32_t symbols_slot(const struct symbols *symbols, const char *module,
                             const char *build_id, uint64_t offset)
{
    uint32_t slot = symbols_hash(module, build_id, offset) & (symbols->table_size - 1);
    for (; symbols->table[slot]; slot = (slot + 1) & (symbols->table_size - 1)) {
        const struct site *site = &symbols->sites[symbols->table[slot] - 1];
        if (site->offset == offset && !strcmp(site->module, module) &&
            !strcmp(site->build_id, build_id))
            break;
    }
    return slot;
}

/* Grows the array for one more site. Returns false if memory is out. */
static bool symbols_grow(struct symbols *symbols)
{
    if (symbols->count < symbols->capacity)
        return true;
    uint32_t capacity = symbols->capacity ? symbols->capacity * 2 : 1024;
    struct site *sites = realloc(symbols->sites, capacity * sizeof(*sites));
    uint32_t *table = calloc((size_t)capacity * 2, sizeof(*table));
    if (sites)
        symbols->sites = sites;
    if (!sites || !table) {
        free(table);
        return false;
    }
    free(symbols->table);
    symbols->table = table;
    symbols->table_size = capacity * 2;
    symbols->capacity = capacity;
    for (uint32_t i = 0; i < symbols->count; i++)
        table[symbols_slot(symbols, sites[i].module, sites[i].build_id, sites[i].offset)] = i + 1;
    return true;
}

/* Adds the site of a caller, if it is new. Returns false if memory is out. */
static bool add_site(struct symbols *symbols, struct json_object *caller)
{
    const char *module = json_text(caller, "module");
    if (!module || symbols->count >= SITES_MOST)
        return true;
    if (!symbols_grow(symbols))
        return false;
    uint64_t offset = offset_of(caller);
    const char *build_id = json_text_or(caller, "buildId"), *file = json_text(caller, "file"),
               *symbol = json_text(caller, "symbol");
    uint32_t slot = symbols_slot(symbols, module, build_id, offset);
    if (symbols->table[slot])
        return true;
    /* A source line in the finding itself is kept, as it was found right after the program's run.
     */
    struct site site = {.module = strdup(module),
                        .build_id = strdup(build_id),
                        .offset = offset,
                        .function = file && symbol ? strdup(symbol) : NULL,
                        .file = file ? strdup(file) : NULL,
                        .line = (uint32_t)json_number(caller, "line")};
    if (!site.module || !site.build_id) {
        free(site.module);
        free(site.build_id);
        free(site.function);
        free(site.file);
        return false;
    }
    symbols->sites[symbols->count++] = site;
    symbols->table[slot] = symbols->count;
    return true;
}

const struct site *symbols_site(const struct symbols *symbols, struct json_object *caller)
{
    const char *module = json_text(caller, "module");
    if (!symbols || !symbols->count || !module)
        return NULL;
    uint32_t index = symbols->table[symbols_slot(symbols, module, json_text_or(caller, "buildId"),
                                                 offset_of(caller))];
    return index && symbols->sites[index - 1].file ? &symbols->sites[index - 1] : NULL;
}

void write_line(FILE *file, const char *source, uint32_t line, const char *function)
{
    fprintf(file, "%s:%u", source, line);
    if (function)
        fprintf(file, ", %s", function);
}

void write_site(FILE *file, const struct symbols *symbols, struct json_object *caller)
{
    const struct site *site = symbols_site(symbols, caller);
    const char *module = json_text(caller, "module"), *symbol = json_text(caller, "symbol");
    if (site) {
        write_line(file, site->file, site->line, site->function);
        return;
    }
    if (!json_text(caller, "offset"))
        return;
    /* code that was made at run time is named by its function, as its address changes from run to
     * run */
    if (!module && symbol) {
        fputs(symbol, file);
        return;
    }
    fprintf(file, module ? "%s+%s" : "%s%s, in no module", module ? module : "",
            json_text(caller, "offset"));
    if (symbol)
        fprintf(file, " (%s+%s)", symbol, json_text_or(caller, "symbolOffset"));
}

/* --- looking up --- */

static const struct symbols *comparing; /* qsort has no argument for it */

static int compare_sites(const void *a, const void *b)
{
    const struct site *first = &comparing->sites[*(const uint32_t *)a],
                      *second = &comparing->sites[*(const uint32_t *)b];
    int order = strcmp(first->module, second->module);
    if (order)
        return order;
    return first->offset < second->offset ? -1 : first->offset > second->offset;
}

/* Looks up the lines of all sites, module by module, as a symbolizer has the lines of one module in
 * memory. */
static bool look_up(struct symbols *symbols, const struct frames *frames)
{
    uint32_t *order = malloc((symbols->count + 1) * sizeof(*order));
    if (!order)
        return false;
    for (uint32_t i = 0; i < symbols->count; i++)
        order[i] = i;
    comparing = symbols;
    qsort(order, symbols->count, sizeof(*order), compare_sites);
    for (uint32_t i = 0; i < symbols->count; i++) {
        struct site *site = &symbols->sites[order[i]];
        const struct source_line *lines;
        uint32_t count =
            modules_lines(frames->modules, site->module, site->build_id, site->offset, &lines);
        const struct source_line *shown = count ? frames_shown_line(frames, lines, count) : NULL;
        shown = shown || !count ? shown : lines;
        if (!shown)
            continue;
        free(site->file);
        free(site->function);
        site->file = strdup(shown->file);
        site->function = shown->function ? strdup(shown->function) : NULL;
        site->line = shown->line;
    }
    free(order);
    return true;
}

bool symbols_is_caller(const char *key)
{
    return key && !strcmp(key, "caller");
}

bool symbols_is_stack(const char *key)
{
    return key && !strcmp(key, "stack");
}

/* Adds the sites of all callers in a value of a finding. */
static bool add_sites(struct symbols *symbols, const char *key, struct json_object *value)
{
    struct json_object_iterator at = json_members(value);
    const char *name;
    struct json_object *member;
    bool good = !symbols_is_caller(key) || add_site(symbols, value);
    for (size_t i = 0; good && i < json_length(value); i++)
        good = add_sites(symbols, symbols_is_stack(key) ? "caller" : NULL,
                         json_object_array_get_idx(value, i));
    while (good && json_next_member(&at, &name, &member))
        good = add_sites(symbols, name, member);
    return good;
}

struct symbols *symbols_find(struct store *store)
{
    struct symbols *symbols = calloc(1, sizeof(*symbols));
    struct cursor cursor;
    struct found found;
    bool good = symbols && store->frames && modules_have_lines(store->frames->modules) &&
                cursor_open(&cursor, store, "ORDER BY id", WITHOUT_LIMITS);
    if (!good) {
        free(symbols);
        return NULL;
    }
    while (good && cursor_next(&cursor, &found))
        good = add_sites(symbols, NULL, found.finding);
    cursor_close(&cursor);
    if (good)
        modules_tell_missing(store->frames->modules);
    if (good && look_up(symbols, store->frames))
        return symbols;
    tell("memory is out");
    symbols_free(symbols);
    return NULL;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    for (uint32_t i = 0; i < symbols->count; i++) {
        free(symbols->sites[i].module);
        free(symbols->sites[i].build_id);
        free(symbols->sites[i].function);
        free(symbols->sites[i].file);
    }
    free(symbols->sites);
    free(symbols->table);
    free(symbols);
}
