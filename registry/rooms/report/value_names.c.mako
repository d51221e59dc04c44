/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/names/names_of_values.h"

<% t = rules.values(m); pool = rules.names(m); first = 0 %>\
const struct value_type_info value_type_info[VALUES_COUNT] = {
% for v in t.types:
    [${v.constant}] = {${pool.offset(v.name)}, ${pool.offset(v.prefix)}, ${first}, ${len(v.values)}, ${'true' if v.flags else 'false'}},
<% first += len(v.values) %>\
% endfor
};

const int64_t value_numbers[] = {
% for v in t.types:
% if v.values:
    ${', '.join(f'{number:#x}' if v.flags else str(number) for number, _ in v.values)},
% endif
% endfor
};

const uint32_t value_names[] = {
% for v in t.types:
% if v.values:
    ${', '.join(str(pool.offset(n)) for _, n in v.values)},
% endif
% endfor
};
