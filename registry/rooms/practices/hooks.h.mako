/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_PRACTICES_HOOKS_H
#define ASSAY_PRACTICES_HOOKS_H

#include "objects/device.h"

/* The hooks that the sources of this room define, with the command's own parameters
 * (registry/rooms/scan_hooks.py finds them). */
% for room in ('practices', 'legacy', 'redundant'):
% for name, phases in rules.read(m, defines['hooks'], room, others=('practices', 'legacy', 'redundant')).items():
% for phase in rules.PHASES:
% for function in phases[phase]:
${rules.declaration(m, name, phase, function)};
% endfor
% endfor
% endfor
% endfor

#endif
