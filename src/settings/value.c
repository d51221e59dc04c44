/* Converts the text of a value to the setting's type, or reports why that is not possible. */
#include "settings/table.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"

#define DIAGNOSTICS_LIMIT 64 /* most diagnostics that are kept; further ones are counted */
#define SHOWN_LENGTH      80 /* most characters of a user's text that a diagnostic quotes */

/* Returns the lower-case form of a letter of ASCII. tolower() depends on the locale. */
static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

/* True for white space of ASCII. isspace() depends on the locale. */
static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

struct span span_trim(struct span span)
{
    while (span.length && is_space(span.text[0])) {
        span.text++;
        span.length--;
    }
    while (span.length && is_space(span.text[span.length - 1]))
        span.length--;
    return span;
}

bool span_starts_with(struct span span, const char *prefix)
{
    for (size_t i = 0; prefix[i]; i++) {
        if (i == span.length || ascii_lower(span.text[i]) != ascii_lower(prefix[i]))
            return false;
    }
    return true;
}

bool span_skip(struct span *span, const char *prefix)
{
    if (!span_starts_with(*span, prefix))
        return false;
    span->text += strlen(prefix);
    span->length -= strlen(prefix);
    return true;
}

bool span_equals(struct span span, const char *text)
{
    return span.length == strlen(text) && span_starts_with(span, text);
}

/* Returns how many characters of a text a diagnostic quotes, for "%.*s". */
static int span_shown_length(struct span span)
{
    return span.length < SHOWN_LENGTH ? (int)span.length : SHOWN_LENGTH;
}

void diagnostics_add(struct settings_diagnostics *diagnostics, const char *format, ...)
{
    assert(format);
    char buffer[512];
    struct string_builder builder;
    va_list args;
    char *text = NULL;
    if (diagnostics->count < DIAGNOSTICS_LIMIT) {
        va_start(args, format);
        string_builder_begin(&builder, buffer, sizeof(buffer));
        string_builder_vformat(&builder, format, args);
        va_end(args);
        text = mem_copy_string(builder.text);
        string_builder_end(&builder);
    }
    if (!diagnostics->texts)
        diagnostics->texts = mem_alloc_zeroed(DIAGNOSTICS_LIMIT * sizeof(char *));
    if (!text || !diagnostics->texts) {
        mem_free(text);
        diagnostics->dropped++;
        return;
    }
    diagnostics->texts[diagnostics->count++] = text;
}

void settings_diagnostics_free(struct settings_diagnostics *diagnostics)
{
    for (uint32_t i = 0; i < diagnostics->count; i++)
        mem_free(diagnostics->texts[i]);
    mem_free(diagnostics->texts);
    *diagnostics = (struct settings_diagnostics){0};
}

enum setting setting_by_name(struct span name)
{
    int setting = 0;
    while (setting < SETTING_COUNT && !span_equals(name, setting_info[setting].name))
        setting++;
    return (enum setting)setting;
}

/* Reads a word for true or false. Returns false if it is neither. */
static bool parse_bool(struct span value, bool *result)
{
    static const char *const words[2][4] = {{"false", "0", "off", "no"},
                                            {"true", "1", "on", "yes"}};
    for (size_t i = 0; i < 8; i++) {
        if (span_equals(value, words[i / 4][i % 4])) {
            *result = i >= 4;
            return true;
        }
    }
    return false;
}

enum number { NUMBER_GOOD, NUMBER_NONE, NUMBER_RANGE };

/* Reads a decimal number, or a hexadecimal one after 0x. Library functions are not used: each
 * depends on the locale or on a glibc newer than the one that the layer supports. */
static enum number parse_number(struct span value, uint32_t *result)
{
    bool negative = span_skip(&value, "-");
    unsigned base = span_skip(&value, "0x") ? 16 : 10;
    uint64_t number = 0;
    bool overflow = false;
    for (size_t i = 0; i < value.length; i++) {
        char c = ascii_lower(value.text[i]);
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;
        if (digit >= base)
            return NUMBER_NONE;
        number = number * base + digit;
        /* The rest must still be read, because the text may not be a number at all. */
        overflow = overflow || number > UINT32_MAX;
        if (overflow)
            number = UINT32_MAX;
    }
    if (!value.length)
        return NUMBER_NONE;
    *result = (uint32_t)number;
    return overflow || (negative && number) ? NUMBER_RANGE : NUMBER_GOOD;
}

/* Takes the next item from a list. If `separator` is 0, all of it is one item. False: there is none
 * left. */
static bool next_item(struct span *rest, char separator, struct span *item)
{
    if (!rest->text)
        return false;
    const char *end = separator ? memchr(rest->text, separator, rest->length) : NULL;
    size_t length = end ? (size_t)(end - rest->text) : rest->length;
    *item = span_trim((struct span){rest->text, length});
    *rest = end ? (struct span){end + 1, rest->length - length - 1} : (struct span){NULL, 0};
    return true;
}

/* Returns the character that separates items: the first of `,` `;` `:` that the list has. 0: it has
 * none. */
static char list_separator(struct span value)
{
    for (const char *c = ",;:"; *c; c++) {
        if (value.length && memchr(value.text, *c, value.length))
            return *c;
    }
    return '\0';
}

bool setting_list_matches(const struct setting_list *globs, const char *name)
{
    for (uint32_t i = 0; i < globs->count; i++) {
        if (fnmatch(globs->items[i], name ? name : "", 0) == 0)
            return true;
    }
    return false;
}

/* Copies a list into one allocation: the pointers come first, then the strings. */
static bool parse_list(struct span value, struct setting_list *list)
{
    assert(value.text || !value.length);
    char separator = list_separator(value);
    uint32_t count = 0;
    struct span rest = value, item;
    while (next_item(&rest, separator, &item))
        count += item.length > 0;
    mem_free(list->items);
    *list = (struct setting_list){0};
    if (!count)
        return true;
    char **items = mem_alloc(count * sizeof(char *) + value.length + count);
    if (!items)
        return false;
    char *text = (char *)(items + count);
    rest = value;
    while (next_item(&rest, separator, &item)) {
        if (!item.length)
            continue;
        items[list->count++] = memcpy(text, item.text, item.length);
        text[item.length] = '\0';
        text += item.length + 1;
    }
    list->items = items;
    return true;
}

/* Returns how many edits turn one word into the other. A swap of two neighbouring letters counts as
 * one edit. UINT32_MAX: a word has more than 64 letters. Only three rows of the usual table are
 * kept. */
unsigned edit_distance(struct span a, const char *b)
{
    enum { LONGEST = 64 };
    unsigned rows[3][LONGEST + 1];
    size_t length = strlen(b);
    if (a.length > LONGEST || length > LONGEST)
        return UINT32_MAX;
    for (unsigned j = 0; j <= length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            unsigned best = above[j - 1] + (ascii_lower(a.text[i - 1]) != ascii_lower(b[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            /* These two letters are swapped. */
            if (i > 1 && j > 1 && ascii_lower(a.text[i - 1]) == ascii_lower(b[j - 2]) &&
                ascii_lower(a.text[i - 2]) == ascii_lower(b[j - 1]))
                best = above2[j - 2] + 1 < best ? above2[j - 2] + 1 : best;
            row[j] = best;
        }
    }
    return rows[a.length % 3][length];
}

/* Returns the word without the prefix that other spellings of a value have. */
static struct span without_prefix(const struct setting_info *info, struct span word)
{
    for (const char *const *prefix = info->prefixes; *prefix; prefix++) {
        if (span_skip(&word, *prefix))
            break;
    }
    return word;
}

/* Finds the value of this name, with or without a prefix. NULL: there is none. */
static const struct setting_value *find_value(const struct setting_info *info, struct span word)
{
    word = without_prefix(info, word);
    const struct setting_value *value = info->values;
    while (value->name && !span_equals(word, value->name))
        value++;
    return value->name ? value : NULL;
}

/* Writes the names that the documentation lists. */
static void add_value_names(struct string_builder *builder, const struct setting_info *info)
{
    for (const struct setting_value *value = info->values; value->name; value++) {
        if (!value->unlisted)
            string_builder_format(builder, "%s%s", value == info->values ? "" : ", ", value->name);
    }
}

/* Writes the names of the bits that are set, or of an ENUM's value. Writes "empty" if there is
 * none. */
static void add_current_value(struct string_builder *builder, const struct setting_info *info,
                              uint32_t bits)
{
    bool flags = info->type == SETTING_TYPE_FLAGS, any = false;
    for (const struct setting_value *value = info->values; value->name; value++) {
        if (value->unlisted || (flags ? !(bits & value->bits) : bits != value->bits))
            continue;
        string_builder_format(builder, "%s%s", any ? ", " : "", value->name);
        any = true;
    }
    string_builder_add(builder, any ? "" : "empty");
}

/* True if one text is the beginning of the other, and has at least three letters. */
static bool begin_alike(struct span word, const char *name)
{
    size_t i = 0;
    while (i < word.length && name[i] && ascii_lower(word.text[i]) == ascii_lower(name[i]))
        i++;
    return i >= 3 && (i == word.length || !name[i]);
}

/* Finds the value that the user probably meant: one is the beginning of the other, or few letters
 * differ. NULL: none is near. */
static const char *nearest_value(const struct setting_info *info, struct span word)
{
    const char *nearest = NULL;
    word = without_prefix(info, word);
    unsigned best = (unsigned)(word.length + 1) / 3 + 1;
    for (const struct setting_value *value = info->values; value->name; value++) {
        unsigned distance = begin_alike(word, value->name) ? 0 : edit_distance(word, value->name);
        if (value->unlisted || distance >= best)
            continue;
        best = distance;
        nearest = value->name;
    }
    return nearest;
}

/* Reports a word that is not a value of the setting. `stays`: the value that the setting keeps if
 * all words were unknown; NULL: some words were accepted. */
static void report_value(const struct setting_info *info, struct span word, const uint32_t *stays,
                         const char *place, struct span key,
                         struct settings_diagnostics *diagnostics)
{
    char buffer[256], stays_buffer[128];
    struct string_builder names, current;
    const char *nearest = nearest_value(info, word);
    string_builder_begin(&names, buffer, sizeof(buffer));
    add_value_names(&names, info);
    string_builder_begin(&current, stays_buffer, sizeof(stays_buffer));
    if (stays) {
        string_builder_add(&current, "; it stays ");
        add_current_value(&current, info, *stays);
    }
    diagnostics_add(diagnostics, "%s: %.*s has no value \"%.*s\"%s%s; it takes %s%s%s", place,
                    span_shown_length(key), key.text, span_shown_length(word), word.text,
                    nearest ? ", the nearest is " : "", nearest ? nearest : "",
                    info->type == SETTING_TYPE_ENUM ? "one of " : "any of ", names.text,
                    current.text);
    string_builder_end(&current);
    string_builder_end(&names);
}

/* Returns how many words a FLAGS value has, and sets `known` to how many of them are known. */
static uint32_t count_words(const struct setting_info *info, struct span value, uint32_t *known)
{
    char separator = list_separator(value);
    uint32_t count = 0;
    struct span rest = value, item;
    *known = 0;
    while (next_item(&rest, separator, &item)) {
        count += item.length > 0;
        *known += item.length > 0 && find_value(info, item);
    }
    return count;
}

/* Reads the known words of the value; each unknown word gets a diagnostic. False: no word is
 * known. */
static bool parse_flags(const struct setting_info *info, struct span value, uint32_t *result,
                        const char *place, struct span key,
                        struct settings_diagnostics *diagnostics)
{
    char separator = list_separator(value);
    uint32_t bits = 0, known_count, count = count_words(info, value, &known_count);
    struct span rest = value, item;
    if (!count && info->never_empty) {
        char buffer[128];
        struct string_builder current;
        string_builder_begin(&current, buffer, sizeof(buffer));
        add_current_value(&current, info, *result);
        diagnostics_add(diagnostics,
                        "%s: %.*s is empty, which would silence everything; it stays %s", place,
                        span_shown_length(key), key.text, current.text);
        string_builder_end(&current);
        return false;
    }
    while (next_item(&rest, separator, &item)) {
        const struct setting_value *known = item.length ? find_value(info, item) : NULL;
        if (item.length && !known)
            report_value(info, item, known_count ? NULL : result, place, key, diagnostics);
        else if (known && !known->bits && info == &setting_info[SETTING_ENABLES])
            diagnostics_add(diagnostics,
                            "%s: %.*s has \"%.*s\", which is known, and does nothing here", place,
                            span_shown_length(key), key.text, span_shown_length(item), item.text);
        else if (known)
            bits |= known->bits;
    }
    if (count && !known_count)
        return false;
    *result = bits;
    return true;
}

/* Sets a string, and frees the old one. Returns false if memory is out; the string is unchanged
 * then. */
static bool assign_string(char **field, struct span value, const char *place, struct span key,
                          struct settings_diagnostics *diagnostics)
{
    assert(field && place);
    char *copy = mem_alloc(value.length + 1);
    if (!copy) {
        diagnostics_add(diagnostics, "%s: %.*s: out of memory", place, span_shown_length(key),
                        key.text);
        return false;
    }
    if (value.length)
        memcpy(copy, value.text, value.length);
    copy[value.length] = '\0';
    mem_free(*field);
    *field = copy;
    return true;
}

/* Sets a number. False: the text is not a number, or is out of bounds, and the setting is
 * unchanged. */
static bool assign_int(const struct setting_info *info, uint32_t *field, struct span value,
                       const char *place, struct span key, struct settings_diagnostics *diagnostics)
{
    uint32_t number = 0;
    enum number kind = parse_number(value, &number);
    if (kind == NUMBER_NONE)
        diagnostics_add(diagnostics, "%s: %.*s is \"%.*s\", which is not a number; it stays %u",
                        place, span_shown_length(key), key.text, span_shown_length(value),
                        value.text, *field);
    else if (kind == NUMBER_RANGE || number < info->min || number > info->max)
        diagnostics_add(diagnostics,
                        "%s: %.*s is %.*s, which is not between %u and %u; it stays %u", place,
                        span_shown_length(key), key.text, span_shown_length(value), value.text,
                        info->min, info->max, *field);
    else
        *field = number;
    return kind == NUMBER_GOOD && number >= info->min && number <= info->max;
}

/* If its value cannot be read, a setting does not change, and does not count as given. */
void setting_assign(struct settings *settings, enum setting setting, struct span value,
                    const char *place, struct span key, struct settings_diagnostics *diagnostics)
{
    assert((unsigned)setting < SETTING_COUNT && place);
    const struct setting_info *info = &setting_info[setting];
    void *field = (char *)settings + info->offset;
    bool taken = true;
    value = span_trim(value);
    switch (info->type) {
    case SETTING_TYPE_BOOL:
        taken = parse_bool(value, field);
        if (!taken)
            diagnostics_add(diagnostics,
                            "%s: %.*s is \"%.*s\", which is neither true nor false; it stays %s",
                            place, span_shown_length(key), key.text, span_shown_length(value),
                            value.text, *(bool *)field ? "true" : "false");
        break;
    case SETTING_TYPE_INT:
        taken = assign_int(info, field, value, place, key, diagnostics);
        break;
    case SETTING_TYPE_STRING:
        taken = assign_string(field, value, place, key, diagnostics);
        break;
    case SETTING_TYPE_LIST:
        taken = parse_list(value, field);
        if (!taken)
            diagnostics_add(diagnostics, "%s: %.*s: out of memory", place, span_shown_length(key),
                            key.text);
        break;
    case SETTING_TYPE_FLAGS:
        taken = parse_flags(info, value, field, place, key, diagnostics);
        break;
    case SETTING_TYPE_ENUM: {
        const struct setting_value *known = find_value(info, value);
        taken = known != NULL;
        if (known)
            *(uint32_t *)field = known->bits;
        else
            report_value(info, value, field, place, key, diagnostics);
        break;
    }
    }
    settings->given[setting] |= taken;
}

void settings_defaults(struct settings *settings)
{
    struct settings_diagnostics none = {0};
    *settings = (struct settings){0};
    for (int i = 0; i < SETTING_COUNT; i++) {
        setting_assign(settings, (enum setting)i, span_of(setting_info[i].default_text), "default",
                       span_of(setting_info[i].name), &none);
        /* A default does not count as given. */
        settings->given[i] = false;
    }
    /* only "out of memory" is possible here: those strings stay NULL */
    settings_diagnostics_free(&none);
}

void settings_free(struct settings *settings)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        void *field = (char *)settings + setting_info[i].offset;
        if (setting_info[i].type == SETTING_TYPE_STRING)
            mem_free(*(char **)field);
        else if (setting_info[i].type == SETTING_TYPE_LIST)
            mem_free(((struct setting_list *)field)->items);
    }
    *settings = (struct settings){0};
}

/* Sets the settings that the bits of `disables` or `enables` stand for, unless the user gave those
 * settings. */
static void switch_all(struct settings *settings, const struct setting_old *old, uint32_t bits,
                       bool value)
{
    for (; old->setting != SETTING_COUNT; old++) {
        if ((bits & old->bit) && !settings->given[old->setting])
            *(bool *)((char *)settings + setting_info[old->setting].offset) = value;
    }
}

void settings_conclude(struct settings *settings)
{
    switch_all(settings, setting_disables, settings->disables, false);
    switch_all(settings, setting_enables, settings->enables, true);
    /* In the Khronos layer syncval_submit_time_validation, the old spelling, sets
     * syncval_full_validation. If a file has both, one of them true, validation stays on. */
    if (settings->given[SETTING_SYNCVAL_SUBMIT_TIME_VALIDATION] &&
        (settings->syncval_submit_time_validation ||
         !settings->given[SETTING_SYNCVAL_FULL_VALIDATION]))
        settings->syncval_full_validation = settings->syncval_submit_time_validation;
    /* caller_ignore skips frames of the stack, so that more than one frame has to be recorded. */
    if (settings->caller_ignore.count && !settings->given[SETTING_RECORD_STACKS])
        settings->record_stacks = true;
    if (!settings->printf_only_preset)
        return;
    settings->validate_core = settings->object_lifetime = settings->stateless_param = false;
    settings->thread_safety = settings->unique_handles = settings->validate_sync = false;
    settings->validate_best_practices = settings->legacy_detection = false;
    settings->gpuav_enable = false;
    settings->printf_enable = true;
}

/* Finds the known name that differs in the fewest letters. NULL: none is near. */
static const char *nearest_name(struct span name)
{
    const char *nearest = NULL;
    unsigned best = UINT32_MAX;
    for (int i = 0; i < SETTING_COUNT; i++) {
        unsigned distance = edit_distance(name, setting_info[i].name);
        if (distance < best) {
            best = distance;
            nearest = setting_info[i].name;
        }
    }
    for (const struct setting_known *known = setting_known; known->name; known++) {
        unsigned distance = edit_distance(name, known->name);
        if (distance < best) {
            best = distance;
            nearest = known->name;
        }
    }
    /* If more than half of the letters differ, the two names are unrelated. */
    return best <= name.length / 2 ? nearest : NULL;
}

/* True if both texts mean the same value. */
static bool same_value(struct span value, const char *text)
{
    bool a, b;
    if (parse_bool(value, &a) && parse_bool(span_of(text), &b))
        return a == b;
    return span_equals(value, text);
}

void setting_unknown(struct span name, struct span value, const char *place,
                     const char *spelling_prefix, struct settings_diagnostics *diagnostics)
{
    value = span_trim(value);
    for (const struct setting_known *known = setting_known; known->name; known++) {
        if (!span_equals(name, known->name))
            continue;
        /* A setting of the Khronos layer that has its default changes nothing, and is not
         * reported. */
        if (!same_value(value, known->default_text))
            diagnostics_add(diagnostics, "%s: %s%.*s is known, and does nothing here: %s", place,
                            spelling_prefix, span_shown_length(name), name.text, known->reason);
        return;
    }
    const char *nearest = nearest_name(name);
    if (nearest) {
        char spelt[SHOWN_LENGTH + 1];
        size_t i = 0;
        for (; nearest[i] && i < SHOWN_LENGTH; i++) /* the name of a variable is in capitals */
            spelt[i] = !strncmp(spelling_prefix, "VK_", 3) && nearest[i] >= 'a' && nearest[i] <= 'z'
                           ? (char)(nearest[i] - 'a' + 'A')
                           : nearest[i];
        spelt[i] = '\0';
        diagnostics_add(diagnostics, "%s: unknown setting %s%.*s; the nearest known one is %s%s",
                        place, spelling_prefix, span_shown_length(name), name.text, spelling_prefix,
                        spelt);
    } else {
        diagnostics_add(diagnostics, "%s: unknown setting %s%.*s", place, spelling_prefix,
                        span_shown_length(name), name.text);
    }
}
