/* The table of settings as the room's own files see it: what each is called, what it may hold,
 * where it lies. Threads: any; what it declares is const. */
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
    /* accepted, but not offered: a second word for a value, or one that means nothing here */
    bool unlisted;
};

struct setting_info {
    const char *name;
    enum setting_type type;
    size_t offset; /* in struct settings */
    const char *default_text;
    uint32_t min, max;                  /* INT */
    const struct setting_value *values; /* FLAGS and ENUM */
    const char *const *prefixes;        /* that may stand before a value; NULL-terminated */
    /* FLAGS: an empty value is a mistake, and changes nothing */
    bool never_empty;
};

/* A setting that users have in their files and that does nothing here. */
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

/* Text with a length; not terminated. */
struct span {
    const char *text;
    size_t length;
};

struct span span_of(const char *text);
struct span span_trim(struct span span);
bool span_equals(struct span span, const char *text);        /* letters of either case */
bool span_starts_with(struct span span, const char *prefix); /* letters of either case */
/* The same, and moves the span past the prefix. */
bool span_skip(struct span *span, const char *prefix);

/* Edits (insert, drop, replace, swap of neighbours) between two names; letters of either case.
 * UINT32_MAX for long ones. */
unsigned edit_distance(struct span a, const char *b);

/* Sets one setting from text. `place` names the source for a diagnostic
 * ("vk_layer_settings.txt:3"), `key` the setting as the user spelt it. A value that cannot be read
 * leaves the setting as it is, and not given. */
void setting_assign(struct settings *settings, enum setting setting, struct span value,
                    const char *place, struct span key, struct settings_diagnostics *diagnostics);
/* The setting with this name; SETTING_COUNT: there is none. */
enum setting setting_by_name(struct span name);
/* Accepts what is known and does nothing here, with a warning where the value asks for something.
 * Otherwise it reports an unknown setting, with the nearest known one. `spelling_prefix` is what
 * stands before the name ("khronos_validation."). */
void setting_unknown(struct span name, struct span value, const char *place,
                     const char *spelling_prefix, struct settings_diagnostics *diagnostics);
void diagnostics_add(struct settings_diagnostics *diagnostics, const char *format, ...)
    PRINTF_LIKE(2, 3);

#endif
