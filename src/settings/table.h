/* The table of settings: their names, the values that they may have, and where they are stored.
 * Only for this room's own files. Threads: any; what it declares is const. */
#ifndef ASSAY_SETTINGS_TABLE_INTERNAL_H
#define ASSAY_SETTINGS_TABLE_INTERNAL_H

#include "settings/settings.h"

enum setting_type {
    SETTING_TYPE_BOOL,
    SETTING_TYPE_INT,
    SETTING_TYPE_STRING,
    SETTING_TYPE_LIST,
    SETTING_TYPE_FLAGS,
    SETTING_TYPE_ENUM,
};

struct setting_value {
    const char *name; /* NULL ends the list */
    uint32_t bits;
    /* accepted, but not documented: another word for a value, or a word that has no effect in this
     * layer */
    bool unlisted;
};

struct setting_info {
    const char *name;
    enum setting_type type;
    size_t offset; /* offset in struct settings */
    const char *default_text;
    uint32_t min, max;                  /* bounds of an INT */
    const struct setting_value *values; /* the words of FLAGS and ENUM */
    const char *const *prefixes;        /* prefixes that a value may have; NULL ends the list */
    /* for FLAGS: an empty value is reported, and does not change the setting */
    bool never_empty;
};

/* A setting of other layers that users have in their files, and that has no effect here. */
struct setting_known {
    const char *name; /* NULL ends the list */
    const char *default_text;
    const char *reason; /* a clause that says why the setting does nothing */
};

/* A bit of `disables` or `enables`, and a setting that it switches off or on. */
struct setting_old {
    uint32_t bit;
    enum setting setting; /* SETTING_COUNT ends the list */
};

extern const struct setting_info setting_info[SETTING_COUNT];
extern const struct setting_known setting_known[];
extern const struct setting_old setting_disables[], setting_enables[];

/* A text with a length, not terminated by a zero. */
struct span {
    const char *text;
    size_t length;
};

struct span span_of(const char *text);
struct span span_trim(struct span span);
bool span_equals(struct span span, const char *text);        /* letters of either case */
bool span_starts_with(struct span span, const char *prefix); /* letters of either case */
/* Does the same as span_starts_with(), and moves the span past the prefix. */
bool span_skip(struct span *span, const char *prefix);

/* Returns the number of edits (insert, drop, replace, swap of neighbours) between two names,
 * ignoring case. UINT32_MAX for long names. */
unsigned edit_distance(struct span a, const char *b);

/* Sets one setting from text. `place` names the source for a diagnostic
 * ("vk_layer_settings.txt:3"), and `key` is the setting as the user spelt it. If the value cannot
 * be read, the setting does not change, and does not count as given. */
void setting_assign(struct settings *settings, enum setting setting, struct span value,
                    const char *place, struct span key, struct settings_diagnostics *diagnostics);
/* Returns the setting with this name. SETTING_COUNT: there is none. */
enum setting setting_by_name(struct span name);
/* Handles a name that is not in the table. A setting of other layers is accepted, with a warning if
 * its value would change anything. Any other name is reported, with the nearest known one.
 * `spelling_prefix` is the prefix of the name ("khronos_validation."). */
void setting_unknown(struct span name, struct span value, const char *place,
                     const char *spelling_prefix, struct settings_diagnostics *diagnostics);
void diagnostics_add(struct settings_diagnostics *diagnostics, const char *format, ...)
    PRINTF_LIKE(2, 3);

#endif
