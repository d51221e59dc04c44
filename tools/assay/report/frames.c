/* Adds functions and source lines, which the layer does not know, to a finding's frames. */
#include "assay/report/frames.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/report/findings.h"
#include "assay/store/identity.h"
#include "assay/symbols/perf_map.h"

static uint64_t offset_of(struct json_object *frame)
{
    const char *offset = json_text(frame, "offset");
    return offset ? strtoull(offset, NULL, 16) : 0;
}

/* --- patterns --- */

/* Copies the next pattern of a list with commas, without blanks around it. Returns false at the end
 * of the list. */
static bool next_pattern(const char **list, char pattern[1024])
{
    if (!*list || !**list)
        return false;
    size_t length = strcspn(*list, ","), first = strspn(*list, " \t");
    first = first < length ? first : length;
    int size = (int)(length - first);
    while (size && strchr(" \t", (*list)[first + (size_t)size - 1]))
        size--;
    snprintf(pattern, 1024, "%.*s", size, *list + first);
    *list += length;
    *list += **list == ',';
    return true;
}

/* True if the pattern may be one of source files. If none is, source lines need not be looked
 * up. */
static bool may_be_source(const char *pattern)
{
    return !strstr(pattern, ".so") && strpbrk(pattern, "./") != NULL;
}

static bool may_be_function(const char *pattern)
{
    return !strstr(pattern, ".so") && !strchr(pattern, '/');
}

/* Functions of wrappers that many programs contain. They are passed over as if --caller-ignore
 * named them. (The layer knows wrappers that are libraries: src/report/sink/callers.c.) The names
 * are those of the linker: of volk, of the Vulkan Memory Allocator and its interface for C++, of
 * vulkan.hpp, which has its dispatcher in all names, and of ash. */
static const char *const wrapper_functions[] = {
    "volk[A-Z]*",
    "vma[A-Z]*",
    "_ZN[0-9]Vma[A-Z]*",
    "_ZN[0-9][0-9]Vma[A-Z]*",
    "_ZNK[0-9]Vma[A-Z]*",
    "_ZNK[0-9][0-9]Vma[A-Z]*",
    "_ZN3vma*",
    "_ZNK3vma*",
    "_ZN2vk*DispatchLoader*",
    "_ZNK2vk*DispatchLoader*",
    "_ZN2vk4raii*",
    "_ZNK2vk4raii*",
    "_ZN2vk6detail*",
    "_ZNK2vk6detail*",
    "_ZN3ash*17h*E",
    "glfwCreateWindowSurface",
    "_glfwCreateWindowSurface*",
    "SDL_Vulkan_*",
};
/* The source files of these wrappers, by which inlined functions are recognized as well. */
static const char *const wrapper_sources[] = {
    "volk.[ch]",
    "vk_mem_alloc.h",
    "vk_mem_alloc*.hpp",
    "*/ash-[0-9]*/src/*",
    "SDL_gpu_vulkan.c",
    "SDL_render_vulkan.c",
    /* (There is no pattern vulkan_*.hpp, as programs have their own files such as
     * vulkan_renderer.hpp.) */
    "vulkan.hpp",
    "vulkan_enums.hpp",
    "vulkan_extension_inspection.hpp",
    "vulkan_format_traits.hpp",
    "vulkan_funcs.hpp",
    "vulkan_handles.hpp",
    "vulkan_hash.hpp",
    "vulkan_hpp_macros.hpp",
    "vulkan_raii.hpp",
    "vulkan_shared.hpp",
    "vulkan_static_assertions.hpp",
    "vulkan_structs.hpp",
    "vulkan_to_string.hpp",
};

/* True for a function of the crate ash by Rust's newer mangling, in which a name begins with the
 * path: "_RNvMs_NtCs8kx_3ash6device...". */
static bool is_of_ash(const char *symbol)
{
    const bool is_path = !strncmp(symbol, "_RN", 3) || !strncmp(symbol, "_RIN", 4);
    const char *crate = is_path ? strstr(symbol, "Cs") : NULL;
    crate = crate ? strchr(crate, '_') : NULL;
    return crate && strncmp(crate, "_3ash", 5) == 0;
}

static bool is_wrapper_function(const char *symbol)
{
    if (!strchr("_gvS", *symbol)) /* most names begin with another letter */
        return false;
    for (size_t i = 0; i < sizeof(wrapper_functions) / sizeof(*wrapper_functions); i++) {
        if (fnmatch(wrapper_functions[i], symbol, 0) == 0)
            return true;
    }
    return is_of_ash(symbol);
}

static bool is_ignored_function(const char *ignored, const char *symbol)
{
    char pattern[1024];
    while (next_pattern(&ignored, pattern)) {
        if (may_be_function(pattern) && name_matches(pattern, symbol))
            return true;
    }
    return is_wrapper_function(symbol);
}

static bool has_source_patterns(const char *ignored)
{
    char pattern[1024];
    while (next_pattern(&ignored, pattern)) {
        if (may_be_source(pattern))
            return true;
    }
    return false;
}

static bool source_matches(const char *pattern, const char *file)
{
    return fnmatch(pattern, file, 0) == 0 || fnmatch(pattern, base_name(file), 0) == 0;
}

static bool is_ignored(const char *ignored, const char *file)
{
    char pattern[1024];
    while (next_pattern(&ignored, pattern)) {
        if (may_be_source(pattern) && source_matches(pattern, file))
            return true;
    }
    for (size_t i = 0; i < sizeof(wrapper_sources) / sizeof(*wrapper_sources); i++) {
        if (source_matches(wrapper_sources[i], file))
            return true;
    }
    return false;
}

const struct source_line *frames_shown_line(const struct frames *frames,
                                            const struct source_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!frames || !is_ignored(frames->ignored, lines[i].file))
            return &lines[i];
    }
    return NULL;
}

/* --- frames --- */

/* The state of refining one finding. Threads: it lies on the stack. */
struct refining {
    const struct frames *frames;
    uint64_t process; /* the process with the finding; 0: not known */
    bool by_lines;    /* some patterns may be of source files */
};

static uint32_t lines_of(const struct frames *frames, struct json_object *frame,
                         const struct source_line **lines)
{
    const char *module = json_text(frame, "module");
    return module ? modules_lines(frames->modules, module, json_text(frame, "buildId"),
                                  offset_of(frame), lines)
                  : 0;
}

/* Returns the function of a frame; NULL: it is not known. `from_begin` is set if the frame itself
 * does not name it. */
static const char *function_of(const struct refining *refining, struct json_object *frame,
                               uint64_t *from_begin)
{
    const struct frames *frames = refining->frames;
    const char *symbol = json_text(frame, "symbol"), *module = json_text(frame, "module");
    if (symbol || !json_text(frame, "offset"))
        return symbol;
    return module
               ? modules_function(frames->modules, module, json_text(frame, "buildId"),
                                  offset_of(frame), from_begin)
               : perf_maps_function(frames->maps, refining->process, offset_of(frame), from_begin);
}

static bool add_function(const struct refining *refining, struct json_object *frame)
{
    uint64_t offset = 0;
    char text[32];
    const char *function =
        json_text(frame, "symbol") ? NULL : function_of(refining, frame, &offset);
    if (!function)
        return false;
    snprintf(text, sizeof(text), "0x%" PRIx64, offset);
    json_object_object_add(frame, "symbol", json_object_new_string(function));
    json_object_object_add(frame, "symbolOffset", json_object_new_string(text));
    return true;
}

const struct source_line *frames_line(const struct frames *frames, struct json_object *frame)
{
    const struct source_line *lines, *shown;
    uint32_t count =
        frames && frames->modules && frames->lines ? lines_of(frames, frame, &lines) : 0;
    if (!count)
        return NULL;
    shown = frames_shown_line(frames, lines, count);
    return shown ? shown : lines;
}

static bool add_line(const struct frames *frames, struct json_object *frame)
{
    const struct source_line *shown = json_text(frame, "file") ? NULL : frames_line(frames, frame);
    if (!shown)
        return false;
    json_object_object_add(frame, "file", json_object_new_string(shown->file));
    json_object_object_add(frame, "line", json_object_new_int64(shown->line));
    return true;
}

static bool refine_frame(const struct refining *refining, struct json_object *frame)
{
    bool changed = add_function(refining, frame);
    return add_line(refining->frames, frame) || changed;
}

/* True if the function, or all functions that were inlined there, are to be passed over. False if
 * nothing is known. */
static bool is_passed_over(const struct refining *refining, struct json_object *frame)
{
    const struct frames *frames = refining->frames;
    const struct source_line *lines;
    uint64_t from_begin;
    const char *function = function_of(refining, frame, &from_begin);
    if (function && is_ignored_function(frames->ignored, function))
        return true;
    const uint32_t count = refining->by_lines ? lines_of(frames, frame, &lines) : 0;
    return count && !frames_shown_line(frames, lines, count);
}

/* True for frames of the Python interpreter, and of the libraries by which it calls C. */
static bool is_of_python(struct json_object *frame)
{
    static const char *const modules[] = {"python3*", "libpython3*", "libffi.so*", "_ctypes.*",
                                          "_cffi_backend.*"};
    const char *module = base_name(json_text_or(frame, "module"));
    for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
        if (fnmatch(modules[i], module, 0) == 0)
            return true;
    }
    return false;
}

/* Returns the index of the frame of the Python function that called C, if only frames of the
 * interpreter are between; `count`: there is none. CPython names such functions
 * "py::draw:/home/me/app.py" (-X perf). */
static size_t python_frame(const struct refining *refining, struct json_object *stack, size_t first,
                           size_t count)
{
    uint64_t from_begin;
    size_t i = first;
    while (i < count && is_of_python(json_object_array_get_idx(stack, i)))
        i++;
    if (i == first || i == count)
        return count;
    const char *function = function_of(refining, json_object_array_get_idx(stack, i), &from_begin);
    return function && !strncmp(function, "py::", 4) ? i : count;
}

/* Chooses as the caller the first frame, from the layer's choice outwards, that is not passed over.
 * If there is none, the caller stays. Returns whether it has changed. */
static bool choose_caller(const struct refining *refining, struct json_object *holder)
{
    struct json_object *stack = json_object_object_get(holder, "stack"),
                       *caller = json_object_object_get(holder, "caller");
    size_t count = json_length(stack), first = 0, i;
    while (first < count && !json_object_equal(json_object_array_get_idx(stack, first), caller))
        first++;
    for (i = first; i < count; i++) {
        if (!is_passed_over(refining, json_object_array_get_idx(stack, i)))
            break;
    }
    const size_t python = python_frame(refining, stack, i, count);
    i = python < count ? python : i;
    if (i >= count || i == first)
        return false;
    json_object_object_add(holder, "caller", json_object_get(json_object_array_get_idx(stack, i)));
    return true;
}

/* Refines the frames of a value (a finding, or a part of it) and of the values in it. Returns
 * whether something has changed. */
static bool frames_refine_value(const struct refining *refining, struct json_object *value)
{
    struct json_object *caller, *member;
    struct json_object_iterator at = json_members(value);
    const char *name;
    bool changed = false;
    /* The caller is chosen first, as the choice compares unchanged frames. */
    if (json_object_object_get_ex(value, "caller", &caller))
        changed = choose_caller(refining, value);
    while (json_next_member(&at, &name, &member)) {
        if (!strcmp(name, "caller"))
            changed |= refine_frame(refining, member);
        else if (!strcmp(name, "stack"))
            for (size_t i = 0; i < json_length(member); i++)
                changed |= refine_frame(refining, json_object_array_get_idx(member, i));
        else if (json_object_is_type(member, json_type_object))
            changed |= frames_refine_value(refining, member);
        else
            /* members of objects or barriers; an array of texts has none */
            for (size_t i = 0; i < json_length(member); i++)
                changed |= frames_refine_value(refining, json_object_array_get_idx(member, i));
    }
    return changed;
}

/* --- addresses in sentences --- */

/* Returns the build id of a module, if a frame in `value` is of that module; NULL: none is, or it
 * has no build id. */
static const char *build_id_of(struct json_object *value, const char *module)
{
    struct json_object_iterator at = json_members(value);
    const char *name, *own = json_text(value, "module");
    struct json_object *member;
    const char *found = own && !strcmp(own, module) ? json_text(value, "buildId") : NULL;
    while (!found && json_next_member(&at, &name, &member))
        found = build_id_of(member, module);
    for (size_t i = 0; !found && i < json_length(value); i++)
        found = build_id_of(json_object_array_get_idx(value, i), module);
    return found;
}

/* An address in a sentence, in the layer's form: "./cube+0xfadc (draw+0x1c)". The function may be
 * missing. */
struct address {
    const char *begin, *end;
    char module[4096];
    uint64_t offset;
};

/* Finds the next address from `text` on. Returns false if there is none. */
static bool next_address(const char *text, struct address *address)
{
    for (const char *plus = text; (plus = strstr(plus, "+0x")); plus++) {
        const char *begin = plus;
        char *end;
        while (begin > text && !strchr(" \n(\"", begin[-1]))
            begin--;
        const size_t length = (size_t)(plus - begin);
        if (!length || length >= sizeof(address->module))
            continue;
        memcpy(address->module, begin, length);
        address->module[length] = '\0';
        address->offset = strtoull(plus + 1, &end, 16);
        /* "(draw+0x1c)" may follow */
        const char *function = end[0] == ' ' && end[1] == '(' ? end + 2 : NULL;
        const size_t name = function ? strcspn(function, " \n()") : 0;
        if (name && function[name] == ')' && memmem(function, name, "+0x", 3))
            end = (char *)function + name + 1;
        address->begin = begin;
        address->end = end;
        return true;
    }
    return false;
}

/* Returns the sentence with source lines in place of addresses, which the caller frees; NULL: no
 * line is known, or memory is out. */
static char *sentence_with_lines(const struct frames *frames, struct json_object *finding,
                                 const char *text)
{
    struct address address;
    char *result = NULL;
    size_t length;
    bool changed = false;
    FILE *to = strstr(text, "+0x") ? open_memstream(&result, &length) : NULL;
    if (!to)
        return NULL;
    while (next_address(text, &address)) {
        const struct source_line *lines, *shown;
        const char *build_id = build_id_of(finding, address.module);
        const uint32_t count = build_id ? modules_lines(frames->modules, address.module, build_id,
                                                        address.offset, &lines)
                                        : 0;
        shown = count ? frames_shown_line(frames, lines, count) : NULL;
        shown = shown || !count ? shown : lines;
        fwrite(text, 1, (size_t)((shown ? address.begin : address.end) - text), to);
        if (shown)
            fprintf(to, shown->function ? "%s:%u, %s" : "%s:%u", shown->file, shown->line,
                    shown->function);
        changed |= shown != NULL;
        text = address.end;
    }
    fputs(text, to);
    const bool good = fclose(to) == 0;
    if (good && changed)
        return result;
    free(result);
    return NULL;
}

/* Returns the function at an address of code that was made at run time: "0x7f3a4c001008, in no
 * module" or "(in no module)". `*after` gets the end of that text. NULL: the text is another one,
 * or the function is not known. */
static const char *made_function(const struct refining *refining, const char *address,
                                 const char **after)
{
    static const char *const marks[] = {", in no module", " (in no module)"};
    char *end;
    uint64_t from_begin;
    const uint64_t value = strtoull(address + 2, &end, 16);
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        *after = end + strlen(marks[i]);
        if (!strncmp(end, marks[i], strlen(marks[i])))
            return perf_maps_function(refining->frames->maps, refining->process, value,
                                      &from_begin);
    }
    return NULL;
}

/* Returns the sentence with functions in place of such addresses; NULL: no function is known, or
 * memory is out. */
static char *sentence_with_functions(const struct refining *refining, const char *text)
{
    char *result = NULL;
    size_t length;
    bool changed = false;
    FILE *to = strstr(text, "in no module") ? open_memstream(&result, &length) : NULL;
    if (!to)
        return NULL;
    for (const char *at; (at = strstr(text, "0x"));) {
        const char *after, *function = made_function(refining, at, &after);
        fwrite(text, 1, (size_t)((function ? at : at + 2) - text), to);
        text = function ? after : at + 2;
        fputs(function ? function : "", to);
        changed |= function != NULL;
    }
    fputs(text, to);
    const bool good = fclose(to) == 0;
    if (good && changed)
        return result;
    free(result);
    return NULL;
}

static bool set_text(struct json_object *value, const char *name, char *text)
{
    if (!text)
        return false;
    json_object_object_add(value, name, json_object_new_string(text));
    free(text);
    return true;
}

/* Refines the sentence in a member of `value`, which is the finding or a part of it. Returns
 * whether it has changed. */
static bool refine_sentence(const struct refining *refining, struct json_object *finding,
                            struct json_object *value, const char *name)
{
    const bool changed =
        set_text(value, name,
                 sentence_with_lines(refining->frames, finding, json_text_or(value, name)));
    return set_text(value, name, sentence_with_functions(refining, json_text_or(value, name))) ||
           changed;
}

/* Refines the sentence of a finding, and the rows of a shader's finding. Returns whether one has
 * changed. */
static bool refine_sentences(const struct refining *refining, struct json_object *finding)
{
    static const char *const rows[] = {"descriptor", "address", "memory"};
    struct json_object *details = finding_rows(finding);
    bool changed = refine_sentence(refining, finding, finding, "message");
    for (size_t i = 0; details && i < sizeof(rows) / sizeof(*rows); i++)
        changed |= refine_sentence(refining, finding, details, rows[i]);
    return changed;
}

bool frames_refine(const struct frames *frames, struct json_object *finding)
{
    if (!frames || !frames->modules)
        return false;
    const struct refining refining = {.frames = frames,
                                      .process = json_number(finding, "process"),
                                      .by_lines = frames->lines || frames->sentences ||
                                                  has_source_patterns(frames->ignored)};
    const bool changed = frames_refine_value(&refining, finding);
    return ((frames->lines || frames->sentences) && refine_sentences(&refining, finding)) ||
           changed;
}
