/* Finds wrappers: counts the libraries, functions and so on that first frames of findings have in
 * common. */
#include "assay/symbols/wrappers.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/store/identity.h"
#include "assay/symbols/names.h"
#include "assay/symbols/symbols.h"

/* fewest findings of a wrapper for which an option is suggested */
#define FINDINGS_LEAST 3
/* most groups of one run */
#define GROUPS_MOST 4096u
/* different callers of a group that are kept, to know whether there are several */
#define OUTER_MOST 2

enum kind {
    KIND_LIBRARY,
    KIND_FUNCTION,
    KIND_PREFIX, /* functions with a common prefix: "rhi_" */
    KIND_SCOPE,  /* a class or namespace of C++ */
    KIND_FILE,
};
static const char *const kind_names[] = {"library", "function", "functions", "class", "file"};

struct group {
    char *name, *pattern; /* owned */
    enum kind kind;
    uint64_t findings; /* findings whose first frame is in the group */
    uint64_t named;    /* of these, those whose function is named like the command */
    uint64_t alone;    /* of these, those without a known frame outside of the group */
    uint64_t outer[OUTER_MOST];
    uint32_t outer_count;
};

/* --- frames --- */

static const char *module_of(struct json_object *frame)
{
    return base_name(json_text_or(frame, "module"));
}

static bool is_library(const char *module)
{
    return strstr(module, ".so") != NULL;
}

/* True for libraries that call functions of the program, such as main(). */
static bool is_system(const char *module)
{
    return !strncmp(module, "libc.so", 7) || !strncmp(module, "libstdc++.so", 12);
}

/* Returns the plain demangled name of a frame's function; "": it is not known. */
static const char *function_of(struct json_object *frame, char room[NAME_SIZE])
{
    char shown_room[NAME_SIZE];
    const char *symbol = json_text_or(frame, "symbol");
    const char *plain = name_of_form(name_shown(symbol, shown_room), NAME_PLAIN, room);
    if (plain != room)
        snprintf(room, NAME_SIZE, "%s", plain);
    return room;
}

/* Returns the length of a function's class or namespace, the part before the last "::"; 0: it has
 * none. */
static size_t scope_length(const char *function)
{
    size_t length = 0;
    for (const char *colon = function; (colon = strstr(colon, "::")); colon += 2)
        length = (size_t)(colon - function);
    return length;
}

/* fewest letters of a prefix; a pattern such as "a_*" would match too many functions */
#define PREFIX_LEAST 3

/* Returns the length of the prefix that functions of a library in C have in common, up to the first
 * "_" after a word; 0: there is none. */
static size_t prefix_length(const char *function)
{
    const char *word = function + strspn(function, "_"), *end = strchr(word, '_');
    return end && end - word >= PREFIX_LEAST && !strchr(function, ':')
               ? (size_t)(end + 1 - function)
               : 0;
}

/* True for names like "vkCreateBuffer" and "rhi_create_buffer" or "Device::createBuffer". Only
 * letters are compared. */
static bool is_named_like(const char *function, const char *command)
{
    char word[256];
    size_t length = 0;
    if (!command || strncmp(command, "vk", 2) != 0)
        return false;
    function += scope_length(function);
    for (; *function && length < sizeof(word) - 1; function++) {
        if (isalnum((unsigned char)*function))
            word[length++] = (char)tolower((unsigned char)*function);
    }
    word[length] = '\0';
    return length && strcasestr(word, command + 2) != NULL;
}

/* The same, without "2" or a vendor's tag at the end of the command, which wrappers omit. */
static bool is_named_like_command(const char *function, const char *command)
{
    char plain[128];
    if (!command)
        return false;
    size_t length = (size_t)snprintf(plain, sizeof(plain), "%s", command);
    if (length >= sizeof(plain))
        return false;
    while (length && isupper((unsigned char)plain[length - 1]))
        plain[--length] = '\0';
    if (length && plain[length - 1] == '2')
        plain[--length] = '\0';
    return length > strlen("vk") && is_named_like(function, plain);
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* --- groups --- */

static int wrappers_compare(const void *a, const void *b)
{
    const struct group *first = a, *second = b;
    return first->kind != second->kind ? (first->kind < second->kind ? -1 : 1)
                                       : strcmp(first->name, second->name);
}

static void free_group(void *memory)
{
    struct group *group = memory;
    free(group->name);
    free(group->pattern);
    free(group);
}

/* True if the frame belongs to the group of this kind and name. */
static bool wrappers_holds(enum kind kind, const char *name, struct json_object *frame)
{
    char room[NAME_SIZE];
    const size_t length = strlen(name);
    switch (kind) {
    case KIND_LIBRARY:
        return !strcmp(module_of(frame), name);
    case KIND_FUNCTION:
        return !strcmp(function_of(frame, room), name);
    case KIND_PREFIX:
        return !strncmp(function_of(frame, room), name, length);
    case KIND_SCOPE:
        return !strncmp(function_of(frame, room), name, length) && !strncmp(room + length, "::", 2);
    case KIND_FILE:
        return !strcmp(base_name(json_text_or(frame, "file")), name);
    }
    return false;
}

/* Finds the group with this name, or adds it. NULL: there are too many, or memory is out. */
static struct group *group_of(struct wrappers *wrappers, enum kind kind, const char *name)
{
    static const char *const rests[] = {"", "", "*", "::*", ""}; /* ends of patterns, by kind */
    const struct group key = {.kind = kind, .name = (char *)name};
    struct group *const *known = tfind(&key, &wrappers->groups, wrappers_compare);
    if (known || wrappers->counted >= GROUPS_MOST)
        return known ? *known : NULL;
    struct group *group = calloc(1, sizeof(*group));
    if (!group)
        return NULL;
    group->kind = kind;
    group->name = strdup(name);
    if (!group->name || asprintf(&group->pattern, "%s%s", name, rests[kind]) < 0)
        group->pattern = NULL;
    if (!group->pattern || !tsearch(group, &wrappers->groups, wrappers_compare)) {
        free_group(group);
        return NULL;
    }
    wrappers->counted++;
    return group;
}

static void add_outer(struct group *group, uint64_t outer)
{
    for (uint32_t i = 0; i < group->outer_count; i++) {
        if (group->outer[i] == outer)
            return;
    }
    if (group->outer_count < OUTER_MOST)
        group->outer[group->outer_count++] = outer;
}

/* Counts a finding in a group. `first` is the index of the shown frame in the stack. */
static void wrappers_count(struct wrappers *wrappers, enum kind kind, const char *name,
                           struct json_object *stack, size_t first, bool named)
{
    char room[NAME_SIZE];
    struct group *group = *name ? group_of(wrappers, kind, name) : NULL;
    const size_t frames = json_length(stack);
    size_t outer = first + 1;
    if (!group)
        return;
    while (outer < frames && wrappers_holds(kind, name, json_object_array_get_idx(stack, outer)))
        outer++;
    group->findings++;
    group->named += named;
    if (outer >= frames) {
        group->alone++;
        return;
    }
    struct json_object *frame = json_object_array_get_idx(stack, outer);
    const char *function = function_of(frame, room);
    add_outer(group, hash_text(*function ? function : json_text_or(frame, "offset")));
}

void wrappers_note(struct wrappers *wrappers, struct json_object *finding)
{
    struct json_object *holder = finding_place_holder(finding);
    struct json_object *caller = json_object_object_get(holder, "caller"),
                       *stack = json_object_object_get(holder, "stack");
    char room[NAME_SIZE], part[NAME_SIZE];
    const size_t first = stack_index(stack, caller);
    wrappers->looked += caller != NULL;
    if (first >= json_length(stack))
        return;
    const char *command = json_text(holder, "command");
    const char *function = function_of(caller, room), *module = module_of(caller);
    const bool named =
        is_named_like_command(function, command ? command : json_text(finding, "command"));
    if (is_library(module))
        wrappers_count(wrappers, KIND_LIBRARY, module, stack, first, named);
    wrappers_count(wrappers, KIND_FUNCTION, function, stack, first, named);
    snprintf(part, sizeof(part), "%.*s", (int)prefix_length(function), function);
    wrappers_count(wrappers, KIND_PREFIX, part, stack, first, named);
    snprintf(part, sizeof(part), "%.*s", (int)scope_length(function), function);
    wrappers_count(wrappers, KIND_SCOPE, part, stack, first, named);
    wrappers_count(wrappers, KIND_FILE, base_name(json_text_or(caller, "file")), stack, first,
                   named);
}

void wrappers_free(struct wrappers *wrappers)
{
    tdestroy(wrappers->groups, free_group);
    *wrappers = (struct wrappers){0};
}

/* --- choosing a wrapper --- */

struct choice {
    const struct wrappers *wrappers;
    const struct group *best;
};

/* True if the group is probably a wrapper: a library or function that several functions call, or
 * one that is mostly named like the commands. With a single caller, a finding is rather a mistake
 * in the place itself. Functions with a common prefix, class or file may be unrelated, so only
 * their names count. */
static bool is_likely(const struct group *group)
{
    const bool whole = group->kind == KIND_LIBRARY || group->kind == KIND_FUNCTION;
    return !group->alone &&
           ((whole && group->outer_count > 1) || group->named * 2 > group->findings);
}

/* Chooses the group with the most findings; among equal ones a library, else the narrowest
 * group. */
static void wrappers_consider(const void *node, VISIT visit, void *user)
{
    struct choice *choice = user;
    const struct group *group = *(struct group *const *)node;
    if ((visit != postorder && visit != leaf) || group->findings < FINDINGS_LEAST ||
        group->findings * 2 <= choice->wrappers->looked || !is_likely(group))
        return;
    if (!choice->best || group->findings > choice->best->findings ||
        (group->findings == choice->best->findings && group->kind < choice->best->kind))
        choice->best = group;
}

bool wrappers_find(const struct wrappers *wrappers, struct wrapper *found)
{
    struct choice choice = {.wrappers = wrappers};
    twalk_r(wrappers->groups, wrappers_consider, &choice);
    if (!choice.best)
        return false;
    *found = (struct wrapper){.pattern = choice.best->pattern,
                              .kind = kind_names[choice.best->kind],
                              .findings = choice.best->findings};
    return true;
}

bool wrappers_has(const struct wrappers *wrappers, struct json_object *stack, size_t index,
                  const char *command)
{
    char room[NAME_SIZE];
    struct json_object *frame = json_object_array_get_idx(stack, index);
    struct json_object *outer =
        index + 1 < json_length(stack) ? json_object_array_get_idx(stack, index + 1) : NULL;
    const char *function = function_of(frame, room), *module = module_of(frame);
    const struct group key = {.kind = KIND_FUNCTION, .name = room};
    struct group *const *known =
        *function ? tfind(&key, &wrappers->groups, wrappers_compare) : NULL;
    return (known && (*known)->outer_count > 1) || is_named_like_command(function, command) ||
           (is_library(module) && outer && strcmp(module, module_of(outer)) != 0 &&
            !is_system(module_of(outer)));
}
