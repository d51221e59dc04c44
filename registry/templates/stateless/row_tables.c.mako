<% r = rules.rules(m).rows %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "stateless/row_parameters.h"

<% arrays = list(dict.fromkeys(row.each for row in r.rows if row.each))
first = 0 %>\
const struct row rows[] = {
% for row in r.rows:
    {${m.vuid_constant(row.vuid.id)}, ${first}, ${row.guards}, ${len(row.atoms)}, ${arrays.index(row.each) if row.each else 'ROW_NO_ARRAY'}},
<% first += len(row.atoms) %>\
% endfor
};

const struct row_atom row_atoms[] = {
% for row in r.rows:
    /* ${row.vuid.id} */
% for atom in row.atoms:
    ${r.named(atom)},
% endfor
% endfor
};

const struct row_value row_values[] = {
% for value in r.values:
    ${r.named(value)},
% endfor
};

const struct row_array row_arrays[] = {
% for array in arrays:
    ${r.named(array)},
% endfor
};

const struct row_chain row_chains[] = {
% for constant, name in r.chains:
    {${constant}, ${r.pool.offset(name)}},
% endfor
};

const uint64_t row_numbers[] = {
% for number in r.numbers:
    ${number},
% endfor
};

const uint16_t row_steps[] = {
% for step in r.steps:
    ${step},
% endfor
};

const char row_names[] =
% for text in bytes(r.pool.data).decode('ascii').split('\0')[:-1]:
    "${text}\0"
% endfor
    "";
