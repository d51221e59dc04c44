/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_REPORT_VALUE_TYPES_H
#define ASSAY_REPORT_VALUE_TYPES_H

<% t = rules.values(m) %>\
/* Every enum and every FlagBits type of the registry; a type's aliases, and the Flags type of its bits, name the same. */
enum value_type {
% for v in t.types:
    ${v.constant},
% endfor
    VALUES_COUNT,
% for name, constant in sorted(t.constants.items()):
% if constant != f'VALUES_{name}':
    VALUES_${name} = ${constant},
% endif
% endfor
};

#endif
