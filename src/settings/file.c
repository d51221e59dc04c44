/* Reads a settings file, line by line. */
#include "settings/table.h"

#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"

/* The file is read once for each prefix, in this order. A later prefix wins over an earlier one,
 * whatever the order of lines is. */
#define OLD_PREFIX  "lunarg_core_validation."
#define OWN_PREFIX  "assay."
#define PEER_PREFIX "khronos_validation."
#define LONG_PREFIX "assay_validation." /* configuration tools derive it from the layer's name */
static const char *const key_prefixes[] = {OLD_PREFIX, PEER_PREFIX, LONG_PREFIX, OWN_PREFIX};

/* Returns the line without its comment. A `#` begins a comment at the start of a line or after
 * white space, so that a value may contain a `#`. */
static struct span without_comment(struct span line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (line.text[i] == '#' &&
            (i == 0 || line.text[i - 1] == ' ' || line.text[i - 1] == '\t')) {
            line.length = i;
            /* The first such mark ends the line. */
            break;
        }
    }
    return span_trim(line);
}

/* Splits `key = value`, without the comment. Quotation marks around a value are removed. False: the
 * line has no key. */
static bool split_line(struct span line, struct span *key, struct span *value)
{
    line = without_comment(line);
    const char *equals = line.length ? memchr(line.text, '=', line.length) : NULL;
    if (!equals)
        return false;
    size_t length = (size_t)(equals - line.text);
    *key = span_trim((struct span){line.text, length});
    *value = span_trim((struct span){equals + 1, line.length - length - 1});
    /* Only one pair is removed: marks inside of it are part of the value. */
    if (value->length >= 2 && value->text[0] == '"' && value->text[value->length - 1] == '"')
        *value = (struct span){value->text + 1, value->length - 2};
    return true;
}

/* The state of one pass over a file: the number of the line that gave each setting, or 0. */
struct pass {
    struct settings *settings;
    const char *prefix;
    unsigned lines[SETTING_COUNT];
    struct settings_diagnostics *diagnostics;
};

/* Sets a setting from a line. If an earlier line has set it, that is reported, and the later one
 * wins. */
static void assign_once(struct pass *pass, enum setting setting, struct span key, struct span value,
                        const char *place, unsigned number)
{
    if (pass->lines[setting])
        diagnostics_add(pass->diagnostics, "%s: %.*s was given in line %u before; this line counts",
                        place, (int)(key.length < 80 ? key.length : 80), key.text,
                        pass->lines[setting]);
    pass->lines[setting] = number;
    setting_assign(pass->settings, setting, value, place, key, pass->diagnostics);
}

/* Reads `lunarg_core_validation.gpu_validation = all,reserve_binding_slot`, an old spelling of the
 * settings for GPU-assisted validation. Current settings win over it. */
static void read_old_line(struct pass *pass, struct span name, struct span value, const char *place)
{
    struct settings *settings = pass->settings;
    if (!span_equals(name, "gpu_validation")) {
        diagnostics_add(pass->diagnostics,
                        "%s: lunarg_core_validation.%.*s is a setting of an older layer; settings "
                        "of this one begin with khronos_validation. or assay.",
                        place, (int)(name.length < 80 ? name.length : 80), name.text);
        return;
    }
    while (value.length) {
        const char *comma = memchr(value.text, ',', value.length);
        size_t length = comma ? (size_t)(comma - value.text) : value.length;
        struct span word = span_trim((struct span){value.text, length});
        /* A current setting wins over the old one, whichever line comes first. */
        if (span_equals(word, "all") && !settings->given[SETTING_GPUAV_ENABLE])
            settings->enables |= ENABLES_GPU_ASSISTED_EXT;
        else if (span_equals(word, "reserve_binding_slot"))
            settings->enables |= ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
        else if (!span_equals(word, "all") && !span_equals(word, "none"))
            diagnostics_add(pass->diagnostics,
                            "%s: lunarg_core_validation.gpu_validation has no value \"%.*s\"; it "
                            "takes any of all, reserve_binding_slot",
                            place, (int)(word.length < 80 ? word.length : 80), word.text);
        size_t taken = comma ? length + 1 : length;
        value = (struct span){value.text + taken, value.length - taken};
    }
}

/* Reads one line of a settings file, if its key has the prefix of this pass. `number`: from 1. */
static void read_line(struct pass *pass, struct span line, const char *path, unsigned number)
{
    struct span key, value;
    if (!split_line(line, &key, &value))
        return;
    struct span name = key;
    if (!span_skip(&name, pass->prefix))
        return; /* the line is for another layer, or another pass */
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

/* --- misspelt lines --- */

#define SHOWN_LENGTH 80 /* most characters of a user's text that a diagnostic quotes */

/* Returns how many characters of a text a diagnostic quotes. */
static int shown_length(struct span text)
{
    return text.length < SHOWN_LENGTH ? (int)text.length : SHOWN_LENGTH;
}

/* True if the prefix looks like a misspelt one of this layer. Other layers have settings with the
 * same names, so the prefix decides. */
static bool is_meant_as_prefix(struct span prefix)
{
    return span_equals(prefix, SETTINGS_LAYER_NAME) ||
           span_equals(prefix, SETTINGS_KHRONOS_LAYER_NAME) ||
           edit_distance(prefix, "khronos_validation") <= 3 ||
           edit_distance(prefix, "assay_validation") <= 3 || edit_distance(prefix, "assay") <= 2;
}

/* Adds a diagnostic for a line that looks like a setting of the layer, but has no effect. */
static void judge_line(struct span line, const char *path, unsigned number,
                       struct settings_diagnostics *diagnostics)
{
    struct span key, value;
    line = without_comment(line);
    if (!split_line(line, &key, &value)) {
        if (span_starts_with(line, OWN_PREFIX) || span_starts_with(line, LONG_PREFIX) ||
            span_starts_with(line, PEER_PREFIX))
            diagnostics_add(diagnostics,
                            "%s:%u: \"%.*s\" is not \"key = value\": the line does nothing", path,
                            number, shown_length(line), line.text);
        return;
    }
    const char *dot = key.length ? memchr(key.text, '.', key.length) : NULL;
    struct span prefix = {key.text, dot ? (size_t)(dot - key.text) : 0};
    struct span name = dot ? (struct span){dot + 1, key.length - prefix.length - 1} : key;
    enum setting setting = setting_by_name(name);
    /* read_line() handles lines with these prefixes. */
    if (setting == SETTING_COUNT || span_equals(prefix, "assay") ||
        span_equals(prefix, "assay_validation") || span_equals(prefix, "khronos_validation"))
        return;
    if (!dot)
        diagnostics_add(diagnostics, "%s:%u: %.*s has no prefix and does nothing: write assay.%s",
                        path, number, shown_length(key), key.text, setting_info[setting].name);
    else if (is_meant_as_prefix(prefix))
        diagnostics_add(diagnostics, "%s:%u: no layer reads \"%.*s.\": write assay.%s", path,
                        number, shown_length(prefix), prefix.text, setting_info[setting].name);
}

/* Takes the next line from the text. False: there is none. */
static bool file_next_line(struct span *rest, struct span *line)
{
    if (!rest->length)
        return false;
    const char *end = memchr(rest->text, '\n', rest->length);
    size_t length = end ? (size_t)(end - rest->text) : rest->length,
           taken = end ? length + 1 : length;
    *line = (struct span){rest->text, length};
    *rest = (struct span){rest->text + taken, rest->length - taken};
    return true;
}

/* Skips the byte order mark that some editors write before the first line. False: the text is
 * UTF-16. */
static bool skip_byte_order_mark(struct span *text, const char *path,
                                 struct settings_diagnostics *diagnostics)
{
    if (text->length >= 2 &&
        (!memcmp(text->text, "\xff\xfe", 2) || !memcmp(text->text, "\xfe\xff", 2))) {
        diagnostics_add(diagnostics, "%s is UTF-16, and nothing of it is read: save it as UTF-8",
                        path);
        return false;
    }
    if (text->length >= 3 && !memcmp(text->text, "\xef\xbb\xbf", 3))
        *text = (struct span){text->text + 3, text->length - 3};
    return true;
}

/* Returns the number of the line that a diagnostic is about. 0: the text does not begin with the
 * path and a number. */
static unsigned line_of(const char *text, const char *path)
{
    size_t length = strlen(path);
    unsigned number = 0;
    if (strncmp(text, path, length) != 0 || text[length] != ':')
        return 0;
    for (const char *digit = text + length + 1; *digit >= '0' && *digit <= '9'; digit++)
        number = number * 10 + (unsigned)(*digit - '0');
    return number;
}

/* Sorts the file's diagnostics from `first` on by line. The passes have added them prefix by
 * prefix, but a reader goes through the file from its beginning. */
static void sort_by_line(struct settings_diagnostics *diagnostics, uint32_t first, const char *path)
{
    for (uint32_t i = first + 1; i < diagnostics->count; i++) {
        char *text = diagnostics->texts[i];
        uint32_t at = i;
        for (; at > first && line_of(diagnostics->texts[at - 1], path) > line_of(text, path); at--)
            diagnostics->texts[at] = diagnostics->texts[at - 1];
        diagnostics->texts[at] = text;
    }
}

void settings_read_text(struct settings *settings, const char *bytes, size_t length,
                        const char *path, struct settings_diagnostics *diagnostics)
{
    assert(bytes || !length);
    struct span all = {bytes, length}, rest, line;
    const uint32_t first = diagnostics->count;
    if (!skip_byte_order_mark(&all, path, diagnostics))
        return;
    rest = all;
    for (unsigned number = 1; file_next_line(&rest, &line); number++)
        judge_line(line, path, number, diagnostics);
    /* The file is read once for each prefix: a later one wins, wherever its line is. */
    for (size_t i = 0; i < ARRAY_LENGTH(key_prefixes); i++) {
        struct pass pass = {
            .settings = settings, .prefix = key_prefixes[i], .diagnostics = diagnostics};
        rest = all;
        for (unsigned number = 1; file_next_line(&rest, &line); number++)
            read_line(&pass, line, path, number);
    }
    /* The passes have added diagnostics prefix by prefix. */
    sort_by_line(diagnostics, first, path);
}
