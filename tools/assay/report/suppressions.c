/* Reads, applies and writes suppressions. */
#include "assay/report/suppressions.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "assay/command.h"
#include "assay/run/outside.h"
#include "assay/symbols/symbols.h"

/* Removes white space at both ends of a text, and quotation marks around it, in place. */
static char *suppressions_trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = 0;
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text[length - 1] = 0;
        text++;
    }
    return text;
}

static bool suppressions_complain(const char *path, uint64_t line, const char *what)
{
    tell("%s:%" PRIu64 ": %s", path, line, what);
    return false;
}

static bool set_pattern(char **pattern, const char *value)
{
    free(*pattern);
    *pattern = strdup(value);
    return *pattern != NULL;
}

static bool suppressions_begin(struct suppressions *suppressions, const char *path, uint64_t line,
                               const char *id)
{
    struct suppression *rows =
        realloc(suppressions->rows, (suppressions->count + 1) * sizeof(*rows));
    if (rows)
        suppressions->rows = rows;
    char *copy = strdup(id);
    if (!rows || !copy) {
        free(copy);
        return suppressions_complain(path, line, "memory is out");
    }
    rows[suppressions->count++] = (struct suppression){.id = copy, .path = path, .line = line};
    return true;
}

static bool add_caller(struct suppression *row, const char *path, uint64_t line, const char *value)
{
    if (row->caller_count == SUPPRESSION_CALLERS)
        return suppressions_complain(path, line, "there are too many callers");
    row->callers[row->caller_count] = strdup(value);
    if (!row->callers[row->caller_count])
        return suppressions_complain(path, line, "memory is out");
    row->caller_count++;
    return true;
}

/* Reads an indented line: an object, a caller or a count. Returns false if it is wrong, which has
 * been reported. */
static bool suppressions_narrow(struct suppression *row, const char *path, uint64_t line,
                                char *text)
{
    size_t length = strcspn(text, " \t");
    char *value = suppressions_trim(text + length);
    if (!*value)
        return suppressions_complain(path, line,
                                     "\"object\", \"caller\" and \"count\" need a value after "
                                     "them");
    if (length == 6 && !strncmp(text, "object", 6))
        return set_pattern(&row->object, value) ||
               suppressions_complain(path, line, "memory is out");
    if (length == 6 && !strncmp(text, "caller", 6))
        return add_caller(row, path, line, value);
    if (length != 5 || strncmp(text, "count", 5) != 0)
        return suppressions_complain(path, line,
                                     "an indented line begins with \"object\", \"caller\" or "
                                     "\"count\"");
    char *end;
    errno = 0;
    row->most = strtoull(value, &end, 10);
    if (*end || errno || !row->most || *value == '-')
        return suppressions_complain(path, line,
                                     "after \"count\" comes a number that is greater than 0");
    return true;
}

/* Reads one line of a file of suppressions. Returns false if it is wrong, which has been
 * reported. */
static bool suppressions_take_line(struct suppressions *suppressions, const char *path,
                                   uint64_t line, char *text, bool *begun)
{
    bool indented = *text == ' ' || *text == '\t';
    text = suppressions_trim(text);
    if (!*text || *text == '#')
        return true;
    if (!indented) {
        if (strpbrk(text, " \t"))
            return suppressions_complain(path, line,
                                         "an id has no blanks; \"object\", \"caller\" and "
                                         "\"count\" stand on lines "
                                         "of their own, indented");
        *begun = suppressions_begin(suppressions, path, line, text);
        return *begun;
    }
    if (!*begun)
        return suppressions_complain(path, line,
                                     "this line is indented, but no id (in the first column) "
                                     "stands before it");
    return suppressions_narrow(&suppressions->rows[suppressions->count - 1], path, line, text);
}

bool suppressions_read(struct suppressions *suppressions, const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    bool good = file != NULL, begun = false;
    for (uint64_t line = 1; good && getline(&text, &capacity, file) >= 0; line++)
        good = suppressions_take_line(suppressions, path, line, text, &begun);
    free(text);
    if (!file || ferror(file)) {
        int error = errno;
        tell("%s: %s%s", path, strerror(error), outside_hint(path, error));
        good = false;
    }
    if (file)
        fclose(file);
    return good;
}

bool suppressions_need_stacks(const struct suppressions *suppressions)
{
    for (uint32_t i = 0; i < suppressions->count; i++) {
        if (suppressions->rows[i].caller_count > 1)
            return true;
    }
    return false;
}

void suppressions_free(struct suppressions *suppressions)
{
    for (uint32_t i = 0; i < suppressions->count; i++) {
        free(suppressions->rows[i].id);
        free(suppressions->rows[i].object);
        for (uint32_t j = 0; j < suppressions->rows[i].caller_count; j++)
            free(suppressions->rows[i].callers[j]);
    }
    free(suppressions->rows);
    *suppressions = (struct suppressions){0};
}

static bool suppressions_matches(const char *pattern, const char *text)
{
    return text && fnmatch(pattern, text, 0) == 0;
}

static bool suppressions_named(const char *pattern, struct json_object *object)
{
    return suppressions_matches(pattern, json_text(object, "name")) ||
           suppressions_matches(pattern, json_text(object, "type"));
}

static bool object_matches(const char *pattern, struct json_object *finding)
{
    size_t index, count;
    struct json_object *object;
    JSON_EACH_ELEMENT(json_object_object_get(finding, "objects"), index, count, object)
    {
        if (suppressions_named(pattern, object))
            return true;
    }
    struct json_object *sync = json_object_object_get(finding, "sync");
    return suppressions_named(pattern, json_object_object_get(json_object_object_get(sync, "this"),
                                                              "resource")) ||
           suppressions_named(pattern,
                              json_object_object_get(json_object_object_get(sync, "earlier"),
                                                     "resource"));
}

static bool frame_matches(const char *pattern, struct json_object *frame)
{
    char place[4200];
    const char *module = json_text(frame, "module"), *file = json_text(frame, "file"),
               *symbol = json_text(frame, "symbol");
    if ((symbol && name_matches(pattern, symbol)) || suppressions_matches(pattern, file) ||
        (file && suppressions_matches(pattern, base_name(file))))
        return true;
    if (!module)
        return false;
    snprintf(place, sizeof(place), "%s+%s", module, json_text_or(frame, "offset"));
    return suppressions_matches(pattern, module) ||
           suppressions_matches(pattern, base_name(module)) ||
           suppressions_matches(pattern, place) || suppressions_matches(pattern, base_name(place));
}

/* True if frames of the stack match all patterns in order. The frame for the first pattern is the
 * caller, or one that was passed over to find the caller. */
static bool way_matches(const struct suppression *row, struct json_object *holder)
{
    struct json_object *stack = json_object_object_get(holder, "stack"),
                       *caller = json_object_object_get(holder, "caller");
    const size_t count = json_length(stack);
    uint32_t matched = 0;
    bool outside = false; /* past the caller */
    for (size_t i = 0; i < count && matched < row->caller_count; i++) {
        struct json_object *frame = json_object_array_get_idx(stack, i);
        if (outside && !matched)
            return false;
        matched += frame_matches(row->callers[matched], frame);
        outside |= json_object_equal(frame, caller);
    }
    return matched == row->caller_count;
}

static bool caller_matches(const struct suppression *row, struct json_object *finding)
{
    for (int i = 0; i < FINDING_CALLERS; i++) {
        if (row->caller_count == 1 ? frame_matches(row->callers[0], finding_caller(finding, i))
                                   : way_matches(row, finding_holder(finding, i)))
            return true;
    }
    return false;
}

bool suppressions_match(struct suppressions *suppressions, struct json_object *finding)
{
    for (uint32_t i = 0; i < suppressions->count; i++) {
        struct suppression *row = &suppressions->rows[i];
        if ((row->most && row->used >= row->most) ||
            !suppressions_matches(row->id, json_text(finding, "vuid")) ||
            (row->object && !object_matches(row->object, finding)) ||
            (row->caller_count && !caller_matches(row, finding)))
            continue;
        row->used++;
        return true;
    }
    return false;
}

uint32_t suppressions_write_unused(FILE *file, const struct suppressions *suppressions)
{
    uint32_t unused = 0;
    for (uint32_t i = 0; i < suppressions->count; i++) {
        const struct suppression *row = &suppressions->rows[i];
        if (row->used)
            continue;
        fprintf(file, "    %s:%" PRIu64 ": %s", row->path, row->line, row->id);
        if (row->object)
            fprintf(file, ", object %s", row->object);
        for (uint32_t j = 0; j < row->caller_count; j++)
            fprintf(file, ", caller %s", row->callers[j]);
        fputc('\n', file);
        unused++;
    }
    return unused;
}

/* --- writing suppressions --- */

/* Writes a pattern that matches the text. With `any_number` it matches other numbers as well:
 * "frame 12" becomes "frame [0-9]*". */
static void write_pattern(FILE *file, const char *text, bool any_number)
{
    for (bool inside = false; *text; text++) {
        size_t number = any_number ? number_in_name(text, inside) : 0;
        inside = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        if (number) {
            fputs(strspn(text, "0123456789") == number ? "[0-9]*" : "*", file);
            text += number - 1;
            inside = false;
            continue;
        }
        if (strchr("*?[\\", *text))
            fputc('\\', file);
        fputc((unsigned char)*text < 0x20 ? '?' : *text, file);
    }
}

/* Returns the name of an object for a suppression: for a hazard the resource's, else that of the
 * first object with a name. */
static const char *object_name(struct json_object *finding)
{
    size_t index, count;
    struct json_object *object;
    struct json_object *sync = json_object_object_get(finding, "sync");
    struct json_object *this = json_object_object_get(sync, "this");
    const char *resource = json_text(json_object_object_get(this, "resource"), "name");
    if (resource && *resource)
        return resource;
    const char *first = NULL;
    JSON_EACH_ELEMENT(json_object_object_get(finding, "objects"), index, count, object)
    {
        const char *name = json_text(object, "name"), *type = json_text_or(object, "type");
        if (!name || !*name)
            continue;
        /* A device, instance or queue, on which the call was made, is less specific than other
         * objects. */
        bool general =
            !strcmp(type, "VkDevice") || !strcmp(type, "VkInstance") || !strcmp(type, "VkQueue");
        if (!general)
            return name;
        first = first ? first : name;
    }
    return first;
}

struct making {
    FILE *file;
    const struct frames *frames;
    const struct wrappers *wrappers;
    void *written; /* texts (search.h); owned */
};

/* Writes the shortest form of the function's name that no other function has, so that the
 * suppression outlives a change of its parameters. */
static void write_function(FILE *file, const struct frames *frames, struct json_object *caller)
{
    char room[NAME_SIZE];
    const char *function = json_text(caller, "symbol"), *module = json_text(caller, "module");
    enum name_form form =
        frames && module
            ? modules_name_form(frames->modules, module, json_text(caller, "buildId"), function)
            : NAME_WHOLE;
    write_pattern(file, name_of_form(function, form, room), false);
}

static void write_caller(FILE *file, const struct frames *frames, struct json_object *caller)
{
    const char *symbol = json_text(caller, "symbol"), *module = json_text(caller, "module");
    if (!symbol && !module)
        return;
    fputs("    caller  ", file);
    if (symbol) {
        write_function(file, frames, caller);
    } else {
        write_pattern(file, base_name(module), false);
        fprintf(file, "+%s", json_text_or(caller, "offset"));
    }
    fputc('\n', file);
}

#define WRAPPERS_MOST 4 /* most nested wrappers */

/* Writes the frames that called the wrapper, up to the first one outside of wrappers. */
static void write_callers(FILE *file, const struct making *making, struct json_object *finding)
{
    struct json_object *holder = finding_place_holder(finding);
    struct json_object *caller = json_object_object_get(holder, "caller"),
                       *stack = json_object_object_get(holder, "stack");
    const char *command = json_text(holder, "command");
    const size_t count = json_length(stack);
    command = command ? command : json_text(finding, "command");
    write_caller(file, making->frames, caller);
    size_t at = stack_index(stack, caller);
    for (int i = 0; i < WRAPPERS_MOST && at + 1 < count; i++) {
        if (!wrappers_has(making->wrappers, stack, at, command))
            return;
        write_caller(file, making->frames, json_object_array_get_idx(stack, ++at));
    }
}

static void write_suppression(FILE *file, const struct making *making, struct json_object *finding)
{
    const char *object = object_name(finding);
    fprintf(file, "%s\n", json_text_or(finding, "vuid"));
    if (object) {
        fputs("    object  ", file);
        write_pattern(file, object, true);
        fputc('\n', file);
    }
    write_callers(file, making, finding);
}

static int suppressions_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool out_of_memory(void)
{
    tell("memory is out");
    return false;
}

/* Writes a suppression, unless another finding has the same one. */
static bool write_once(struct making *making, struct json_object *finding)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return out_of_memory();
    write_suppression(memory, making, finding);
    fclose(memory);
    if (text && !tfind(text, &making->written, suppressions_compare)) {
        if (!tsearch(text, &making->written, suppressions_compare)) {
            free(text);
            return out_of_memory();
        }
        const char *message = json_text_or(finding, "message");
        fprintf(making->file, "\n# %.*s\n%s", (int)strcspn(message, "\n"), message, text);
        return true;
    }
    free(text);
    return true;
}

/* Takes a finding of the file: writes its suppression. */
static bool take_finding(void *user, struct json_object *finding, const char *text, size_t length)
{
    (void)text;
    (void)length;
    names_show(finding);
    return write_once(user, finding);
}

bool suppressions_make(FILE *file, struct store *store, const char *path,
                       const struct wrappers *wrappers)
{
    struct making making = {.file = file, .frames = store->frames, .wrappers = wrappers};
    const struct findings_sink sink = {.take = take_finding, .user = &making};
    struct findings_counts counts;
    struct cursor cursor;
    struct found found;
    bool good = true;
    if (!cursor_open(&cursor, store, BY_RANK, WITHOUT_LIMITS))
        return false;
    fputs("# Findings that are not to be reported: assay run --suppress=FILE. An id, and indented "
          "what "
          "it is narrowed down to;\n"
          "# * ? [a-z] match as in shells, \\* is a star. \"count N\" suppresses the first N "
          "only.\n",
          file);
    while (good && cursor_next(&cursor, &found))
        good = write_once(&making, found.finding);
    cursor_close(&cursor);
    /* The file has findings that the store has merged, as they come from one line of a wrapper. */
    good = good && findings_read(path, &sink, &counts);
    tdestroy(making.written, free);
    return good;
}
