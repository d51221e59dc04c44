/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/sink/callers.h"

% for commands, kind in ((rules.callers_kept(m), 'recorded'), (rules.callers_in_loader(m), 'loader')):
const uint16_t ${kind}_callers_commands[] = {
% for c in commands:
    ${m.command_constant(c.name)},
% endfor
};
const uint32_t ${kind}_callers_count = ${len(commands)};

% endfor
