/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "chassis/entries.h"

<% enablers = rules.Enablers(m)
plans = {p.command.name: p for p in rules.plans(m)} %>\
const struct entry entries[] = {
% for name in sorted(m.all_commands):
<%
    root = m.root_command(name)
    c = m.commands[root]
    device = m.is_device_command(c)
    works = root in rules.BY_HAND or plans[root].works
    table = 'device_dispatch' if device else 'instance_dispatch'
    place = 'UINT16_MAX' if m.is_global(c) else f'offsetof(struct {table}, {root[2:]}) / sizeof(void *)'
%>\
    {"${name}", (PFN_vkVoidFunction)entry_${name}, ${m.command_constant(name)}, ${'true' if device else 'false'}, ${'true' if c.params[0].type == 'VkPhysicalDevice' else 'false'}, ${rules.offered_extension(root)}, ${'true' if works else 'false'}, ${'true' if rules.needs_command_buffer(c) else 'false'}, ${'true' if rules.is_recorded(c) else 'false'}, ${'true' if rules.may_lose_device(m, c) else 'false'}, ${enablers.of[name]}, ${place}},
% endfor
};
const uint32_t entry_count = ARRAY_LENGTH(entries);

const uint16_t entry_enablers[] = {
% for word in enablers.words:
    ${word},
% endfor
};
