/* Reads the functions and source lines of a program's modules. */
#include "assay/symbols/modules.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assay/command.h"
#include "assay/symbols/object_file.h"
#include "assay/store/identity.h"

extern char **environ;

#define PATH_SIZE 4096
/* the most symbolizers that run at the same time, as each has a module's lines in memory */
#define OPEN_MOST 16u
/* the most places whose lines are remembered; real programs have fewer */
#define PLACE_MOST 2000000u

/* A process (llvm-symbolizer or addr2line) that answers questions about one file. */
struct symbolizer {
    pid_t process; /* 0: it does not run */
    FILE *questions, *answers;
    /* number of the last question; the symbolizer with the smallest one ends first */
    uint64_t used;
};

struct module {
    char *path, *build_id; /* owned; `build_id` is "" if there is none */
    struct elf *code;      /* owned; the file that ran; NULL: it was not found */
    struct elf *debug;     /* owned; a separate file with its symbols; NULL: there is none */
    char file[PATH_SIZE];  /* the file of both that has source lines; "": neither has */
    struct symbolizer symbolizer;
    bool reported; /* it was reported that the file was not found */
};

struct place {
    const struct module *module;
    uint64_t offset;
    uint32_t count;
    struct source_line lines[]; /* owned */
};

/* The form of a function's name that distinguishes it from the module's other functions. */
struct needed_form {
    const struct module *module;
    enum name_form form;
    char function[]; /* owned */
};

struct modules {
    char *directories;    /* owned; NULL */
    struct module **rows; /* owned */
    uint32_t count, opened;
    void *places; /* struct place (search.h) */
    uint32_t place_count;
    void *forms;         /* struct needed_form (search.h) */
    const char *program; /* the symbolizer; NULL: there is none, or it was not looked for yet */
    bool looked, llvm, tells_missing;
    uint64_t asked;
};

struct modules *modules_new(const char *directories)
{
    struct modules *modules = calloc(1, sizeof(*modules));
    if (modules && directories)
        modules->directories = strdup(directories);
    return modules;
}

void modules_tell_missing(struct modules *modules)
{
    modules->tells_missing = true;
}

/* --- files --- */

/* Returns a build id for messages. */
static const char *shown_id(const char *build_id)
{
    return *build_id ? build_id : "none";
}

static bool module_fits(const struct module *module, const struct elf *elf)
{
    return elf && !strcmp(elf_build_id(elf), module->build_id);
}

/* Opens a file if it fits the module; NULL: it does not. `other` then gets its build id. */
static struct elf *open_fitting(const struct module *module, const char *path,
                                char other[BUILD_ID_TEXT])
{
    struct elf *elf = elf_open(path);
    if (module_fits(module, elf))
        return elf;
    if (elf && other)
        snprintf(other, BUILD_ID_TEXT, "%s", shown_id(elf_build_id(elf)));
    elf_close(elf);
    return NULL;
}

/* Writes the next directory of a list with colons, followed by `rest`. Returns false at the end of
 * the list. */
static bool next_directory(const char **list, const char *rest, char path[PATH_SIZE])
{
    if (!*list || !**list)
        return false;
    int length = (int)strcspn(*list, ":");
    snprintf(path, PATH_SIZE, "%.*s/%s", length, *list, rest);
    *list += length;
    *list += **list == ':';
    return true;
}

static struct elf *find_code(const struct modules *modules, const struct module *module,
                             char path[PATH_SIZE], char other[BUILD_ID_TEXT])
{
    const char *list = modules->directories;
    snprintf(path, PATH_SIZE, "%s", module->path);
    struct elf *elf = open_fitting(module, path, other);
    while (!elf && next_directory(&list, base_name(module->path), path))
        elf = open_fitting(module, path, other);
    return elf;
}

static struct elf *open_debug(const struct module *module, const char *path)
{
    struct elf *elf = *module->build_id ? open_fitting(module, path, NULL) : NULL;
    if (elf && (elf_has_lines(elf) || elf_has_functions(elf)))
        return elf;
    elf_close(elf);
    return NULL;
}

/* Finds a debug file by its build id, as ".build-id/3a/5b00ff.debug" in directories of debug
 * files. */
static struct elf *find_by_id(const struct modules *modules, const struct module *module,
                              char path[PATH_SIZE])
{
    char name[BUILD_ID_TEXT + 32];
    const char *lists[] = {modules->directories, "/usr/lib/debug"};
    struct elf *elf = NULL;
    if (strlen(module->build_id) < 3)
        return NULL;
    snprintf(name, sizeof(name), ".build-id/%.2s/%s.debug", module->build_id, module->build_id + 2);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        while (!elf && next_directory(&lists[i], name, path))
            elf = open_debug(module, path);
    }
    return elf;
}

/* Finds a debug file that a client of debuginfod (gdb and others) has fetched before. */
static struct elf *find_in_cache(const struct module *module, char path[PATH_SIZE])
{
    const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *base = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char directories[3][PATH_SIZE / 2] = {{0}};
    struct elf *elf = NULL;
    snprintf(directories[0], sizeof(directories[0]), "%s", cache ? cache : "");
    if (base && *base)
        snprintf(directories[1], sizeof(directories[1]), "%s/debuginfod_client", base);
    if (home && *home)
        snprintf(directories[2], sizeof(directories[2]), "%s/.cache/debuginfod_client", home);
    for (size_t i = 0; i < 3; i++) {
        if (elf || !directories[i][0] || !*module->build_id)
            continue;
        snprintf(path, PATH_SIZE, "%.2000s/%.129s/debuginfo", directories[i], module->build_id);
        elf = open_debug(module, path);
    }
    return elf;
}

/* Finds a debug file by the name in the module: beside the module, in ".debug" there, and in
 * /usr/lib/debug. */
static struct elf *find_linked(const struct module *module, const char *code_path,
                               char path[PATH_SIZE])
{
    static const char *const forms[] = {"%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s"};
    uint32_t checksum = 0;
    const char *name = module->code ? elf_debug_link(module->code, &checksum) : NULL;
    int length = (int)(base_name(code_path) - code_path);
    struct elf *elf = NULL;
    for (size_t i = 0; name && !elf && i < sizeof(forms) / sizeof(*forms); i++) {
        snprintf(path, PATH_SIZE, forms[i], length ? length - 1 : 1, length ? code_path : ".",
                 name);
        elf = elf_open(path);
        /* For a module without a build id, the checksum of the debug file is compared. */
        bool good =
            elf && (*module->build_id ? module_fits(module, elf) : elf_checksum(elf) == checksum);
        if (good)
            continue;
        elf_close(elf);
        elf = NULL;
    }
    return elf;
}

/* Looks for the files with a module's code and source lines. A file of another build is
 * reported. */
static void look_for(struct modules *modules, struct module *module)
{
    char path[PATH_SIZE], debug[PATH_SIZE], other[BUILD_ID_TEXT] = "";
    module->code = find_code(modules, module, path, other);
    if (module->code && elf_has_lines(module->code)) {
        snprintf(module->file, sizeof(module->file), "%s", path);
        return;
    }
    module->debug = find_by_id(modules, module, debug);
    if (!module->debug)
        module->debug = find_linked(module, path, debug);
    if (!module->debug)
        module->debug = find_in_cache(module, debug);
    if (module->debug && elf_has_lines(module->debug))
        snprintf(module->file, sizeof(module->file), "%s", debug);
    if (module->code || module->debug || !*other)
        return;
    module->reported = true;
    tell("symbols of %s do not fit what ran (build id %s, and now %s): it is shown without them",
         module->path, shown_id(module->build_id), other);
}

/* Finds the row of a module, or adds it. NULL: memory is out. */
static struct module *modules_find(struct modules *modules, const char *path, const char *build_id)
{
    build_id = build_id ? build_id : "";
    for (uint32_t i = 0; i < modules->count; i++) {
        if (!strcmp(modules->rows[i]->path, path) && !strcmp(modules->rows[i]->build_id, build_id))
            return modules->rows[i];
    }
    struct module **rows = realloc(modules->rows, (modules->count + 1) * sizeof(struct module *));
    struct module *module = calloc(1, sizeof(*module));
    if (rows)
        modules->rows = rows;
    if (module) {
        module->path = strdup(path);
        module->build_id = strdup(build_id);
    }
    if (!rows || !module || !module->path || !module->build_id) {
        if (module) {
            free(module->path);
            free(module->build_id);
        }
        free(module);
        return NULL;
    }
    rows[modules->count++] = module;
    look_for(modules, module);
    return module;
}

const char *modules_function(struct modules *modules, const char *module, const char *build_id,
                             uint64_t offset, uint64_t *from_begin)
{
    struct module *found = modules_find(modules, module, build_id);
    const char *function = NULL;
    if (found && found->debug)
        function = elf_function(found->debug, elf_base(found->debug) + offset, from_begin);
    if (found && found->code && !function)
        function = elf_function(found->code, elf_base(found->code) + offset, from_begin);
    return function;
}

/* --- names of functions --- */

struct others {
    const char *function;              /* the whole demangled name */
    char forms[NAME_WHOLE][NAME_SIZE]; /* its shorter forms */
    /* a word that is in the mangled names of all functions with the same plain form */
    const char *word;
    enum name_form form; /* the form that is needed, by the functions so far */
    bool known;          /* the function itself is among the module's functions */
};

static void compare_to_other(const char *symbol, void *user)
{
    struct others *others = user;
    char shown_room[NAME_SIZE], form_room[NAME_SIZE];
    /* (A thunk, _ZT, stands for the same function.) */
    if (strncmp(symbol, "_Z", 2) != 0 || symbol[2] == 'T' || !strstr(symbol, others->word))
        return;
    const char *shown = name_shown(symbol, shown_room);
    bool same = !strcmp(shown, others->function);
    others->known |= same;
    while (!same && others->form < NAME_WHOLE &&
           !strcmp(name_of_form(shown, others->form, form_room), others->forms[others->form]))
        others->form++;
}

/* Returns the last word of "engine::Pool::grow"; "" for an operator, which mangled names spell
 * differently. */
static const char *last_word(const char *plain)
{
    const char *word = plain + strlen(plain);
    if (strstr(plain, "operator"))
        return word;
    while (word > plain && (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
        word--;
    return word;
}

/* Picks the shortest form of a function's name that no other function of the module has. */
static enum name_form find_form(const struct module *module, const char *function)
{
    enum name_form form = NAME_WHOLE;
    struct others *others = calloc(1, sizeof(*others));
    if (!others)
        return form;
    others->function = function;
    for (form = NAME_PLAIN; form < NAME_WHOLE; form++) {
        char room[NAME_SIZE];
        snprintf(others->forms[form], NAME_SIZE, "%s", name_of_form(function, form, room));
    }
    others->word = last_word(others->forms[NAME_PLAIN]);
    if (module->code)
        elf_each_function(module->code, compare_to_other, others);
    if (module->debug)
        elf_each_function(module->debug, compare_to_other, others);
    form = others->known ? others->form : NAME_WHOLE;
    free(others);
    return form;
}

static int compare_forms(const void *a, const void *b)
{
    const struct needed_form *first = a, *second = b;
    if (first->module != second->module)
        return first->module < second->module ? -1 : 1;
    return strcmp(first->function, second->function);
}

enum name_form modules_name_form(struct modules *modules, const char *module, const char *build_id,
                                 const char *function)
{
    const struct module *row = modules_find(modules, module, build_id);
    struct needed_form *needed = row ? malloc(sizeof(*needed) + strlen(function) + 1) : NULL;
    if (!needed)
        return NAME_WHOLE;
    needed->module = row;
    memcpy(needed->function, function, strlen(function) + 1);
    struct needed_form **known = tsearch(needed, &modules->forms, compare_forms);
    if (known && *known != needed) {
        free(needed);
        return (*known)->form;
    }
    enum name_form form = needed->form = find_form(row, function);
    if (!known)
        free(needed);
    return form;
}

/* --- the symbolizer --- */

static bool is_there(const char *program)
{
    const char *list = getenv("PATH");
    char file[PATH_SIZE];
    while (next_directory(&list, program, file)) {
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

bool modules_have_lines(struct modules *modules)
{
    static const char *const programs[] = {"llvm-symbolizer", "addr2line"};
    for (int i = 0; i < 2 && !modules->looked && !modules->program; i++) {
        if (is_there(programs[i])) {
            modules->program = programs[i];
            modules->llvm = i == 0;
        }
    }
    if (!modules->looked && !modules->program)
        tell("lines of source need llvm-symbolizer or addr2line (Debian's packages llvm, "
             "binutils): neither is here");
    modules->looked = true;
    return modules->program != NULL;
}

static void symbolizer_stop(struct modules *modules, struct symbolizer *symbolizer)
{
    if (!symbolizer->process)
        return;
    if (symbolizer->questions)
        fclose(symbolizer->questions);
    if (symbolizer->answers)
        fclose(symbolizer->answers);
    waitpid(symbolizer->process, NULL, 0);
    *symbolizer = (struct symbolizer){0};
    modules->opened--;
}

void modules_stop(struct modules *modules)
{
    for (uint32_t i = 0; modules && i < modules->count; i++)
        symbolizer_stop(modules, &modules->rows[i]->symbolizer);
}

static void stop_oldest(struct modules *modules)
{
    struct symbolizer *oldest = NULL;
    for (uint32_t i = 0; i < modules->count; i++) {
        struct symbolizer *symbolizer = &modules->rows[i]->symbolizer;
        if (symbolizer->process && (!oldest || symbolizer->used < oldest->used))
            oldest = symbolizer;
    }
    if (oldest)
        symbolizer_stop(modules, oldest);
}

/* Starts the symbolizer of a module, if it does not run yet. Returns false if none can be
 * started. */
static bool modules_start(struct modules *modules, struct module *module)
{
    const char *const llvm[] = {
        "llvm-symbolizer",     "--obj",      module->file, "--output-style=LLVM",
        "--functions=linkage", "--demangle", "--inlines",  NULL};
    const char *const gnu[] = {"addr2line", "-a", "-f", "-i", "-C", "-e", module->file, NULL};
    struct symbolizer *symbolizer = &module->symbolizer;
    int to[2], from[2];
    posix_spawn_file_actions_t actions;
    if (symbolizer->process)
        return true;
    if (modules->opened >= OPEN_MOST)
        stop_oldest(modules);
    if (pipe2(to, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    int error = posix_spawnp(&symbolizer->process, modules->program, &actions, NULL,
                             (char *const *)(modules->llvm ? llvm : gnu), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    if (error) {
        tell("%s: %s", modules->program, strerror(error));
        symbolizer->process = 0;
        close(to[1]);
        close(from[0]);
        return false;
    }
    modules->opened++;
    symbolizer->questions = fdopen(to[1], "w");
    symbolizer->answers = fdopen(from[0], "r");
    return symbolizer->questions && symbolizer->answers;
}

/* Shortens a path of a compiler in place: "/a/build/../src/x.c" becomes "/a/src/x.c". */
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

/* Reads a symbolizer's answer: "./src/cube.c:120", "./src/cube.c:120:7", "./src/cube.c:120
 * (discriminator 3)". Returns false if no line is known. */
static bool read_place(struct source_line *line, const char *function, char *place,
                       bool with_column)
{
    char *colon = strrchr(place, ':');
    if (with_column && colon) {
        *colon = '\0';
        colon = strrchr(place, ':');
    }
    if (!colon || place[0] == '?' || strtoul(colon + 1, NULL, 10) == 0)
        return false;
    line->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    *colon = '\0';
    shorten_path(place);
    line->file = strdup(place);
    line->function = function[0] != '?' ? strdup(function) : NULL;
    return line->file != NULL;
}

struct answer {
    char *text;
    size_t size;
};

/* Reads a line of the symbolizer, without its line break. Returns false if the symbolizer has
 * died. */
static bool next_line(FILE *from, struct answer *answer)
{
    ssize_t got = getline(&answer->text, &answer->size, from);
    if (got <= 0)
        return false;
    if (answer->text[got - 1] == '\n')
        answer->text[got - 1] = '\0';
    return true;
}

/* Flushes a question to the symbolizer, and discards the SIGPIPE of one that has died. Returns
 * whether it was sent. */
static bool modules_send(FILE *to)
{
    const struct timespec now = {0};
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, &before);
    bool good = fflush(to) == 0;
    if (!good && errno == EPIPE)
        (void)sigtimedwait(&pipe, NULL, &now);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* Asks the symbolizer for the lines of an address, and returns how many there are. llvm-symbolizer
 * ends its answer with an empty line. addr2line does not mark the end, so it gets a second
 * question, for address 0. It repeats that question, and then prints two lines. */
static uint32_t modules_ask(struct modules *modules, struct module *module, uint64_t address,
                            struct source_line lines[INLINED_MOST])
{
    struct symbolizer *symbolizer = &module->symbolizer;
    struct answer function = {0}, place = {0};
    uint32_t count = 0;
    symbolizer->used = ++modules->asked;
    fprintf(symbolizer->questions, modules->llvm ? "0x%" PRIx64 "\n" : "0x%" PRIx64 "\n0x0\n",
            address);
    bool alive = modules_send(symbolizer->questions) &&
                 (modules->llvm || next_line(symbolizer->answers, &function));
    while (alive && (alive = next_line(symbolizer->answers, &function))) {
        bool ends = modules->llvm ? !*function.text
                                  : !strncmp(function.text, "0x", 2) &&
                                        strspn(function.text + 2, "0") == strlen(function.text + 2);
        if (ends)
            break;
        alive = next_line(symbolizer->answers, &place);
        if (alive && count < INLINED_MOST &&
            read_place(&lines[count], function.text, place.text, modules->llvm))
            count++;
    }
    if (alive && !modules->llvm)
        alive = next_line(symbolizer->answers, &function) && next_line(symbolizer->answers, &place);
    if (!alive)
        symbolizer_stop(modules, symbolizer);
    free(function.text);
    free(place.text);
    return count;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    if (first->module != second->module)
        return first->module < second->module ? -1 : 1;
    return first->offset < second->offset ? -1 : first->offset > second->offset;
}

static struct place *modules_remember(struct modules *modules, const struct module *module,
                                      uint64_t offset, const struct source_line *lines,
                                      uint32_t count)
{
    struct place *place =
        modules->place_count < PLACE_MOST ? malloc(sizeof(*place) + count * sizeof(*lines)) : NULL;
    if (!place)
        return NULL;
    *place = (struct place){.module = module, .offset = offset, .count = count};
    memcpy(place->lines, lines, count * sizeof(*lines));
    if (!tsearch(place, &modules->places, compare_places)) {
        free(place);
        return NULL;
    }
    modules->place_count++;
    return place;
}

uint32_t modules_lines(struct modules *modules, const char *module, const char *build_id,
                       uint64_t offset, const struct source_line **lines)
{
    struct source_line found[INLINED_MOST] = {0};
    struct module *row =
        modules_have_lines(modules) ? modules_find(modules, module, build_id) : NULL;
    if (row && !row->file[0] && !row->code && !row->debug && !row->reported &&
        modules->tells_missing) {
        tell("%s is not here: its callers stay addresses (--modules=DIRECTORY says where it is)",
             module);
        row->reported = true;
    }
    if (!row || !row->file[0])
        return 0;
    const struct place key = {.module = row, .offset = offset};
    struct place *const *known = tfind(&key, &modules->places, compare_places);
    const struct place *place = known ? *known : NULL;
    if (!place) {
        const struct elf *elf = row->debug ? row->debug : row->code;
        uint32_t count = modules_start(modules, row)
                             ? modules_ask(modules, row, elf_base(elf) + offset, found)
                             : 0;
        place = modules_remember(modules, row, offset, found, count);
        for (uint32_t i = 0; !place && i < count; i++) {
            free(found[i].function);
            free(found[i].file);
        }
    }
    *lines = place ? place->lines : NULL;
    return place ? place->count : 0;
}

static void free_place(void *memory)
{
    struct place *place = memory;
    for (uint32_t i = 0; i < place->count; i++) {
        free(place->lines[i].function);
        free(place->lines[i].file);
    }
    free(place);
}

void modules_free(struct modules *modules)
{
    if (!modules)
        return;
    for (uint32_t i = 0; i < modules->count; i++) {
        struct module *module = modules->rows[i];
        symbolizer_stop(modules, &module->symbolizer);
        elf_close(module->code);
        elf_close(module->debug);
        free(module->path);
        free(module->build_id);
        free(module);
    }
    tdestroy(modules->places, free_place);
    tdestroy(modules->forms, free);
    free(modules->rows);
    free(modules->directories);
    free(modules);
}
