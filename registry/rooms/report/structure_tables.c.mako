/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/names/structures.h"

#include "report/names/names_of_values.h"
#include "vk/handle_types.h"

<% t = rules.structures(m); pool = rules.names(m); first = 0 %>\
<%def name="descriptor(d)">\
    {${pool.offset(d.name)}, MEMBER_${d.kind}, SHAPE_${d.shape}, LIMIT_${d.limit}, ${d.offset}, ${d.type}, ${d.length}},
</%def>\
const struct structure_info structure_info[STRUCTURE_COUNT] = {
% for s in t.structures:
<% count = len(t.descriptors[s.name]) %>\
    [STRUCTURE_${s.name}] = {${pool.offset(s.name)}, ${first}, sizeof(${s.name}), ${count}, ${'true' if s.union else 'false'}},
<% first += count %>\
% endfor
};

const struct member_info structure_members[] = {
% for s in t.structures:
% for d in t.descriptors[s.name]:
${descriptor(d)}\
% endfor
% endfor
};

<% first = 0 %>\
const struct parameter_list parameter_lists[COMMAND_ROOT_COUNT] = {
% for name, ds in t.parameters.items():
    [${m.command_constant(name)}] = {${first}, ${len(ds)}},
<% first += len(ds) %>\
% endfor
};

const struct member_info command_parameters[] = {
% for name, ds in t.parameters.items():
% for d in ds:
${descriptor(d)}\
% endfor
% endfor
};

const struct structure_of_type structures_by_type[] = {
% for value, name in t.chained:
    {${value}, STRUCTURE_${name}},
% endfor
};
const uint32_t structures_by_type_count = ARRAY_LENGTH(structures_by_type);
