/* Which line of which source file made a call? */
#include "symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

extern char **environ;

/* Programs have as many places as they have; more come from something else. */
#define SITES_MOST 2000000u

struct symbols {
    struct site *sites;
    uint32_t count, capacity;
    uint32_t *table; /* indices + 1; open addressing */
    uint32_t table_size;
    const char *program; /* the symbolizer */
    bool llvm;
};

struct json_object *finding_caller(struct json_object *finding, int which)
{
    static const char *const sides[] = {NULL, "this", "earlier"};
    struct json_object *from =
        which ? json_object_object_get(json_object_object_get(finding, "sync"), sides[which]) : finding;
    return json_object_object_get(from, "caller");
}

struct json_object *finding_place(struct json_object *finding)
{
    struct json_object *access = finding_caller(finding, 1);
    return access ? access : finding_caller(finding, 0);
}

/* --- the table of places --- */

static uint64_t offset_of(struct json_object *caller)
{
    const char *offset = json_text(caller, "offset");
    return offset ? strtoull(offset, NULL, 16) : 0;
}

static uint32_t hash_of(const char *module, uint64_t offset)
{
    uint64_t hash = offset * 0x9e3779b97f4a7c15u;
    for (; *module; module++)
        hash = (hash ^ (unsigned char)*module) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 29);
}

static uint32_t slot_of(const struct symbols *symbols, const char *module, uint64_t offset)
{
    uint32_t slot = hash_of(module, offset) & (symbols->table_size - 1);
    for (; symbols->table[slot]; slot = (slot + 1) & (symbols->table_size - 1)) {
        const struct site *site = &symbols->sites[symbols->table[slot] - 1];
        if (site->offset == offset && !strcmp(site->module, module))
            break;
    }
    return slot;
}

static bool grow(struct symbols *symbols)
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
        table[slot_of(symbols, sites[i].module, sites[i].offset)] = i + 1;
    return true;
}

static bool add_site(struct symbols *symbols, struct json_object *caller)
{
    const char *module = json_text(caller, "module");
    if (!module || symbols->count >= SITES_MOST)
        return true;
    if (!grow(symbols))
        return false;
    uint64_t offset = offset_of(caller);
    uint32_t slot = slot_of(symbols, module, offset);
    if (symbols->table[slot])
        return true;
    char *copy = strdup(module);
    if (!copy)
        return false;
    symbols->sites[symbols->count++] = (struct site){.module = copy, .offset = offset};
    symbols->table[slot] = symbols->count;
    return true;
}

const struct site *symbols_site(const struct symbols *symbols, struct json_object *caller)
{
    const char *module = json_text(caller, "module");
    if (!symbols || !symbols->count || !module)
        return NULL;
    uint32_t index = symbols->table[slot_of(symbols, module, offset_of(caller))];
    return index && symbols->sites[index - 1].file ? &symbols->sites[index - 1] : NULL;
}

void write_site(FILE *file, const struct symbols *symbols, struct json_object *caller)
{
    const struct site *site = symbols_site(symbols, caller);
    const char *module = json_text(caller, "module"), *symbol = json_text(caller, "symbol");
    if (site) {
        fprintf(file, "%s:%u", site->file, site->line);
        if (site->function)
            fprintf(file, ", %s", site->function);
        return;
    }
    if (!json_text(caller, "offset"))
        return;
    fprintf(file, module ? "%s+%s" : "%s%s, in no module", module ? module : "", json_text(caller, "offset"));
    if (symbol)
        fprintf(file, " (%s+%s)", symbol, json_text_or(caller, "symbolOffset"));
}

/* --- modules --- */

/* Where the module is now. False: nowhere. */
static bool find_module(const char *module, const char *directories, char path[4096])
{
    snprintf(path, 4096, "%s", module);
    if (access(path, R_OK) == 0)
        return true;
    for (const char *from = directories; from && *from;) {
        int length = (int)strcspn(from, ":");
        snprintf(path, 4096, "%.*s/%s", length, from, base_name(module));
        if (access(path, R_OK) == 0)
            return true;
        from += length;
        from += *from == ':';
    }
    return false;
}

/* Offsets are from where the module begins in memory, symbolizers want the addresses that it was linked to: they differ in programs that are not position-independent. */
static uint64_t linked_base(const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    uint64_t base = UINT64_MAX;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    bool good = pread(file, &header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
                !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_ident[EI_CLASS] == ELFCLASS64;
    for (unsigned i = 0; good && i < header.e_phnum; i++) {
        off_t at = (off_t)(header.e_phoff + (uint64_t)i * header.e_phentsize);
        if (pread(file, &segment, sizeof(segment), at) == (ssize_t)sizeof(segment) && segment.p_type == PT_LOAD &&
            segment.p_vaddr < base)
            base = segment.p_vaddr & ~(uint64_t)4095;
    }
    close(file);
    return base == UINT64_MAX ? 0 : base;
}

/* --- the symbolizer --- */

static bool is_there(const char *program)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        snprintf(file, sizeof(file), "%.*s/%s", length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length;
        path += *path == ':';
    }
    return false;
}

static bool find_symbolizer(struct symbols *symbols)
{
    static const char *const programs[] = {"llvm-symbolizer", "addr2line"};
    for (int i = 0; i < 2; i++) {
        if (is_there(programs[i])) {
            symbols->program = programs[i];
            symbols->llvm = i == 0;
            return true;
        }
    }
    tell("--symbols needs llvm-symbolizer or addr2line (Debian's packages llvm, binutils): neither is here");
    return false;
}

/* Both answer in pairs of lines: the function, and file:line. Files are absolute where that is known. */
static FILE *start(const struct symbols *symbols, const char *module, FILE *input, pid_t *child)
{
    const char *const llvm[] = {"llvm-symbolizer",     "--obj",      module,         "--output-style=GNU",
                                "--functions=linkage", "--demangle", "--no-inlines", NULL};
    const char *const gnu[] = {"addr2line", "-f", "-C", "-e", module, NULL};
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int error =
        posix_spawnp(child, symbols->program, &actions, NULL, (char *const *)(symbols->llvm ? llvm : gnu), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error) {
        tell("%s: %s", symbols->program, strerror(error));
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}

/* "/a/build/../src/x.c" is "/a/src/x.c": compilers write down how they got there. In place. */
static void shorten_path(char *path)
{
    for (char *up = path; (up = strstr(up, "/../")) != NULL;) {
        char *parent = up;
        while (parent > path && parent[-1] != '/')
            parent--;
        bool named = parent < up && parent > path && strncmp(parent, "../", 3) != 0;
        if (!named) {
            up++;
            continue;
        }
        memmove(parent, up + 4, strlen(up + 4) + 1);
        up = path;
    }
}

/* "./src/cube.c:120 (discriminator 3)" */
static void read_answer(struct site *site, const char *function, char *place)
{
    char *colon = strrchr(place, ':');
    if (!colon || place[0] == '?' || strtoul(colon + 1, NULL, 10) == 0)
        return;
    site->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    *colon = '\0';
    shorten_path(place);
    site->file = strdup(place);
    if (function[0] != '?')
        site->function = strdup(function);
}

/* The sites from `first` to `end` are of one module. */
static void symbolize(struct symbols *symbols, uint32_t *order, uint32_t first, uint32_t end, const char *path)
{
    FILE *input = tmpfile(), *output;
    uint64_t base = linked_base(path);
    char *function = NULL, *place = NULL;
    size_t function_size = 0, place_size = 0;
    pid_t child;
    if (!input)
        return tell("a temporary file: %s", strerror(errno));
    for (uint32_t i = first; i < end; i++)
        fprintf(input, "0x%" PRIx64 "\n", base + symbols->sites[order[i]].offset);
    rewind(input);
    output = start(symbols, path, input, &child);
    for (uint32_t i = first; output && i < end; i++) {
        ssize_t got = getline(&function, &function_size, output), more = getline(&place, &place_size, output);
        if (got <= 0 || more <= 0)
            break;
        function[got - 1] = place[more - 1] = '\0';
        read_answer(&symbols->sites[order[i]], function, place);
    }
    if (output) {
        fclose(output);
        waitpid(child, NULL, 0);
    }
    free(function);
    free(place);
    fclose(input);
}

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

static bool look_up(struct symbols *symbols, const char *directories)
{
    uint32_t *order = malloc((symbols->count + 1) * sizeof(*order)), end;
    char path[4096];
    if (!order)
        return false;
    for (uint32_t i = 0; i < symbols->count; i++)
        order[i] = i;
    comparing = symbols;
    qsort(order, symbols->count, sizeof(*order), compare_sites);
    for (uint32_t i = 0; i < symbols->count; i = end) {
        const char *module = symbols->sites[order[i]].module;
        for (end = i + 1; end < symbols->count && !strcmp(symbols->sites[order[end]].module, module);)
            end++;
        if (find_module(module, directories, path))
            symbolize(symbols, order, i, end, path);
        else
            tell("%s is not here: its %u callers stay addresses (--modules=DIRECTORY says where it is)", module,
                 end - i);
    }
    free(order);
    return true;
}

struct symbols *symbols_find(struct store *store, const char *directories)
{
    struct symbols *symbols = calloc(1, sizeof(*symbols));
    struct cursor cursor;
    struct found found;
    bool good = symbols && find_symbolizer(symbols) && cursor_open(&cursor, store, "ORDER BY id", WITHOUT_LIMITS);
    if (!good) {
        free(symbols);
        return NULL;
    }
    while (good && cursor_next(&cursor, &found)) {
        struct json_object *stack = json_object_object_get(found.finding, "stack");
        for (int i = 0; good && i < FINDING_CALLERS; i++)
            good = add_site(symbols, finding_caller(found.finding, i));
        for (size_t i = 0; good && i < json_length(stack); i++)
            good = add_site(symbols, json_object_array_get_idx(stack, i));
    }
    cursor_close(&cursor);
    if (good && look_up(symbols, directories))
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
        free(symbols->sites[i].function);
        free(symbols->sites[i].file);
    }
    free(symbols->sites);
    free(symbols->table);
    free(symbols);
}
