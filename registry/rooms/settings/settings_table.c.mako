/* Generated from registry/settings.toml by registry/generate.py with ${template}. Do not edit. */
#include "settings/table.h"

<%
def quote(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'

def words(names):
    return '(const char *const[]){' + ''.join(quote(n) + ', ' for n in names) + 'NULL}'
%>\
% for s in rules.settings:
% if s.values:
static const struct setting_value ${s.name}_values[] = {
% for v in s.values:
    {${quote(v[0])}, ${s.value_bit(v[0])}, false},
% endfor
% for alias, v in s.aliases:
    {${quote(alias)}, ${s.value_bit(v)}, true},
% endfor
% for v in s.ignored_values:
    {${quote(v)}, 0, true},
% endfor
    {NULL, 0, true},
};
% endif
% endfor

const struct setting_info setting_info[SETTING_COUNT] = {
% for s in rules.settings:
    [${s.constant}] = {
        .name = "${s.name}",
        .type = SETTING_TYPE_${s.type},
        .offset = offsetof(struct settings, ${s.name}),
        .default_text = ${quote(s.default)},
% if s.range:
        .min = ${s.range[0]},
        .max = ${s.range[1]}u,
% endif
% if s.values:
        .values = ${s.name}_values,
        .prefixes = ${words(s.prefixes)},
% if s.never_empty:
        .never_empty = true,
% endif
% endif
    },
% endfor
};

const struct setting_known setting_known[] = {
% for known in rules.known:
    {"${known.name}", ${quote(known.default)}, ${quote(known.reason)}},
% endfor
% for group in rules.groups:
    {"${group.name}", "", "it is the name of a group, which has no value"},
% endfor
    {NULL, NULL, NULL},
};

% for old in ('disables', 'enables'):
<% setting = next(s for s in rules.settings if s.name == old) %>\
const struct setting_old setting_${old}[] = {
% for value, targets in setting.means.items():
% for target in targets:
    {${setting.value_bit(value)}, SETTING_${target.upper()}},
% endfor
% endfor
    {0, SETTING_COUNT},
};

% endfor
