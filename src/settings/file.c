/* The settings file: what its lines mean, and where it is found. */
#include "settings/table.h"

#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"

/* Our spelling wins wherever it stands, so it is read in a second pass. */
static const char *const key_prefixes[] = {"khronos_validation.", "assay."};

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

static void read_line(struct settings *settings, struct span line, const char *prefix, const char *path,
                      unsigned number, struct settings_diagnostics *diagnostics)
{
    struct span key, value;
    if (!split_line(line, &key, &value))
        return;
    struct span name = key;
    if (!span_skip(&name, prefix))
        return; /* of another layer, or the other pass */
    char buffer[512];
    struct string_builder place;
    string_builder_begin(&place, buffer, sizeof(buffer));
    string_builder_format(&place, "%s:%u", path, number);
    enum setting setting = setting_by_name(name);
    if (setting == SETTING_COUNT)
        setting_unknown(name, value, place.text, prefix, diagnostics);
    else
        setting_assign(settings, setting, value, place.text, key, diagnostics);
    string_builder_end(&place);
}

void settings_read_text(struct settings *settings, const char *bytes, size_t length, const char *path,
                        struct settings_diagnostics *diagnostics)
{
    for (size_t pass = 0; pass < ARRAY_LENGTH(key_prefixes); pass++) {
        struct span rest = {bytes, length};
        for (unsigned number = 1; rest.length; number++) {
            const char *end = memchr(rest.text, '\n', rest.length);
            size_t line_length = end ? (size_t)(end - rest.text) : rest.length;
            read_line(settings, (struct span){rest.text, line_length}, key_prefixes[pass], path, number, diagnostics);
            size_t taken = end ? line_length + 1 : line_length;
            rest = (struct span){rest.text + taken, rest.length - taken};
        }
    }
}
