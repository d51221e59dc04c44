/* The settings file: what its lines mean, and where it is found. */
#include "settings/table.h"

#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"

/* Our spelling wins wherever it stands, so it is read in the last pass. */
#define OLD_PREFIX "lunarg_core_validation."
static const char *const key_prefixes[] = {OLD_PREFIX, "khronos_validation.", "assay."};

/* `key = value` of one line, without the comment; false for a line that has none. A `#` is a comment at the start of a line
 * or after white space, so that a value may hold one. */
static bool split_line(struct span line, struct span *key, struct span *value)
{
    for (size_t i = 0; i < line.length; i++) {
        if (line.text[i] == '#' && (i == 0 || line.text[i - 1] == ' ' || line.text[i - 1] == '\t')) {
            line.length = i;
            break;
        }
    }
    line = span_trim(line);
    const char *equals = line.length ? memchr(line.text, '=', line.length) : NULL;
    if (!equals)
        return false;
    size_t length = (size_t)(equals - line.text);
    *key = span_trim((struct span){line.text, length});
    *value = span_trim((struct span){equals + 1, line.length - length - 1});
    if (value->length >= 2 && value->text[0] == '"' && value->text[value->length - 1] == '"')
        *value = (struct span){value->text + 1, value->length - 2};
    return true;
}

/* What one pass over a file has seen: the line that gave each setting, 0 for none. */
struct pass {
    struct settings *settings;
    const char *prefix;
    unsigned lines[SETTING_COUNT];
    struct settings_diagnostics *diagnostics;
};

static void assign_once(struct pass *pass, enum setting setting, struct span key, struct span value, const char *place,
                        unsigned number)
{
    if (pass->lines[setting])
        diagnostics_add(pass->diagnostics, "%s: %.*s was given in line %u before; this line counts", place,
                        (int)(key.length < 80 ? key.length : 80), key.text, pass->lines[setting]);
    pass->lines[setting] = number;
    setting_assign(pass->settings, setting, value, place, key, pass->diagnostics);
}

/* `lunarg_core_validation.gpu_validation = all,reserve_binding_slot`: how GPU-assisted validation was asked
 * for before the layer had one name. What is asked for now wins. */
static void read_old_line(struct pass *pass, struct span name, struct span value, const char *place)
{
    struct settings *settings = pass->settings;
    if (!span_equals(name, "gpu_validation")) {
        diagnostics_add(pass->diagnostics,
                        "%s: lunarg_core_validation.%.*s is of a layer of old; settings of this one begin with "
                        "khronos_validation. or assay.",
                        place, (int)(name.length < 80 ? name.length : 80), name.text);
        return;
    }
    while (value.length) {
        const char *comma = memchr(value.text, ',', value.length);
        size_t length = comma ? (size_t)(comma - value.text) : value.length;
        struct span word = span_trim((struct span){value.text, length});
        if (span_equals(word, "all") && !settings->given[SETTING_GPUAV_ENABLE])
            settings->enables |= ENABLES_GPU_ASSISTED_EXT;
        else if (span_equals(word, "reserve_binding_slot"))
            settings->enables |= ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
        else if (!span_equals(word, "all") && !span_equals(word, "none"))
            diagnostics_add(pass->diagnostics,
                            "%s: lunarg_core_validation.gpu_validation has no value \"%.*s\"; it takes any of all, "
                            "reserve_binding_slot",
                            place, (int)(word.length < 80 ? word.length : 80), word.text);
        size_t taken = comma ? length + 1 : length;
        value = (struct span){value.text + taken, value.length - taken};
    }
}

static void read_line(struct pass *pass, struct span line, const char *path, unsigned number)
{
    struct span key, value;
    if (!split_line(line, &key, &value))
        return;
    struct span name = key;
    if (!span_skip(&name, pass->prefix))
        return; /* of another layer, or another pass */
    char buffer[512];
    struct string_builder place;
    string_builder_begin(&place, buffer, sizeof(buffer));
    string_builder_format(&place, "%s:%u", path, number);
    enum setting setting = setting_by_name(name);
    if (!strcmp(pass->prefix, OLD_PREFIX))
        read_old_line(pass, name, value, place.text);
    else if (setting == SETTING_COUNT)
        setting_unknown(name, value, place.text, pass->prefix, pass->diagnostics);
    else
        assign_once(pass, setting, key, value, place.text, number);
    string_builder_end(&place);
}

void settings_read_text(struct settings *settings, const char *bytes, size_t length, const char *path,
                        struct settings_diagnostics *diagnostics)
{
    for (size_t i = 0; i < ARRAY_LENGTH(key_prefixes); i++) {
        struct pass pass = {.settings = settings, .prefix = key_prefixes[i], .diagnostics = diagnostics};
        struct span rest = {bytes, length};
        for (unsigned number = 1; rest.length; number++) {
            const char *end = memchr(rest.text, '\n', rest.length);
            size_t line_length = end ? (size_t)(end - rest.text) : rest.length;
            read_line(&pass, (struct span){rest.text, line_length}, path, number);
            size_t taken = end ? line_length + 1 : line_length;
            rest = (struct span){rest.text + taken, rest.length - taken};
        }
    }
}
