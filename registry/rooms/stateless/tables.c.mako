<%! from claims import spoken_values %>\
<% r = rules.rules(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "stateless/structs.h"

/* --- enumerations and flags --- */
% for name in sorted(r.enums):
<% table = r.enums[name] %>
static const struct enum_value values_${name}[] = {
% for value, constant, requirement in table.values:
    {${value}, ${requirement}}, /* ${constant} */
% endfor
};
const struct enum_info ${table.constant} = {values_${name}, ARRAY_LENGTH(values_${name}), VALUES_${name}};
% endfor
% for name in sorted(r.bitmasks):
<% table = r.bitmasks[name] %>
% if table.entries:
static const struct flag_value values_${name}[] = {
% for value, constant, requirement, _, _ in table.entries:
    {${f'{value:#x}'}ull, ${requirement}}, /* ${constant} */
% endfor
};
const struct flags_info ${table.constant} = {values_${name}, ARRAY_LENGTH(values_${name}), VALUES_${name}};
% else:
const struct flags_info ${table.constant} = {NULL, 0, VALUES_${name}};
% endif
% endfor

/* --- chains --- */

const struct chain_structure chain_structures[] = {
% for name in r.chain_structures:
<% owner = r.owners[name] %>\
    {${owner.item.sType}, ${r.requirements.offset(owner.requirement)}, ${'true' if owner.item.allowDuplicate else 'false'}, "${name}", \
${f'check_{name}_members' if r.body_needed(name) else 'NULL'}},
% endfor
};
const uint32_t chain_structure_count = ARRAY_LENGTH(chain_structures);

const uint32_t foreign_structure_types[] = {
% for value, name in r.foreign_structure_types:
    ${value}, /* ${name} */
% endfor
};
const uint32_t foreign_structure_type_count = ARRAY_LENGTH(foreign_structure_types);
% for name in r.chain_heads:
<% chain = r.owners[name].chain
unique = chain.unique or chain.vuid %>
% if chain.allowed:
static const uint16_t allowed_${name}[] = {${', '.join(str(i) for i in r.chain_numbers(chain))}};
const struct chain_rule chain_${name} = {allowed_${name}, ${len(chain.allowed)}, ${m.vuid_constant(chain.vuid)}, ${m.vuid_constant(unique)}};
% else:
const struct chain_rule chain_${name} = {NULL, 0, ${m.vuid_constant(chain.vuid)}, ${m.vuid_constant(unique)}};
% endif
% endfor

/* --- values that numbered statements speak of --- */

const struct spoken_value spoken_values[] = {
% for s in spoken_values.read(m, r, defines['numbers']):
    {${f'{s.value & 0xffffffffffffffff:#x}'}ull, ${m.vuid_constant(s.vuid)}, {${', '.join((s.features + ['FEATURE_COUNT'] * spoken_values.FEATURE_LIMIT)[:spoken_values.FEATURE_LIMIT])}}}, /* ${s.constant}: ${s.number} */
% endfor
};
const uint32_t spoken_value_count = ARRAY_LENGTH(spoken_values);

/* --- requirements --- */

const uint16_t requirement_terms[] = {
% for word in r.requirements.words:
    ${word},
% endfor
};
const uint32_t version_count = ${len(m.versions)};
