/* Generated from registry/settings.toml by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_SETTINGS_TABLE_H
#define ASSAY_SETTINGS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum setting {
% for s in rules.settings:
    ${s.constant},
% endfor
    SETTING_COUNT
};
% for s in rules.settings:
% if s.values and s.name != 'disables':

enum ${s.name} {
% for v in s.values:
    ${s.value_constant(v[0])} = ${s.value_bit(v[0])},
% endfor
};
% endif
% endfor

/* The strings of a LIST. Owned: `items` and its strings are one allocation. */
struct setting_list {
    uint32_t count;
    char **items;
};

/* The values that the user asked for, in the table's order; a description of each stands in
 * registry/settings.toml. Strings are owned and may be NULL when memory was out: read that as the
 * default. */
struct settings {
% for s in rules.settings:
    ${s.c_type}${s.name};${f' /* enum {s.name} */' if s.values and s.name != 'disables' else ''}
% endfor
    bool given[SETTING_COUNT]; /* set by the user, rather than the default */
    /* The value comes from the settings file of the working directory, which anybody may have
     * written: files that it names lie in that directory. */
    bool local[SETTING_COUNT];
};

#endif
