/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/commands.h"

const char *const command_name[COMMAND_COUNT] = {
% for name in list(m.commands) + list(m.aliases):
    [${m.command_constant(name)}] = "${name}",
% endfor
};

const bool command_only_answers[COMMAND_ROOT_COUNT] = {
% for name, command in m.commands.items():
% if rules.only_answers(m, command):
    [${m.command_constant(name)}] = true,
% endif
% endfor
};

const uint16_t command_root[COMMAND_COUNT] = {
% for name in m.commands:
    [${m.command_constant(name)}] = ${m.command_constant(name)},
% endfor
% for name, root in m.aliases.items():
    [${m.command_constant(name)}] = ${m.command_constant(root)},
% endfor
};
