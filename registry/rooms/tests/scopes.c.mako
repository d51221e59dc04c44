<% t = rules.tests(m)
core = t.core
side = {True: 'SCOPE_INSIDE', False: 'SCOPE_OUTSIDE', None: 'SCOPE_EITHER'}
fields = {'SCOPE_RECORDING': 'recording', 'SCOPE_SECONDARY': 'bufferlevel', 'SCOPE_INSIDE_RENDER_PASS': 'renderpass',
          'SCOPE_SUSPENDED': 'suspended', 'SCOPE_INSIDE_VIDEO_CODING': 'videocoding'} %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "scopes.h"

#include "cases.h"

const struct scope_test scope_tests[] = {
% for name in core.commands:
<% scope = core.scopes[name]
wanted = lambda bit: scope.bits.get(bit, (None, None))[0] %>\
    {
        .command = &test_command_${name[2:]},
% if scope.queues:
        .queues = ${' | '.join(scope.queues)},
        .cmdpool = "${scope.pool_vuid}",
% endif
        .render_pass = ${side[wanted('SCOPE_INSIDE_RENDER_PASS')]},
        .video_coding = ${side[wanted('SCOPE_INSIDE_VIDEO_CODING')]},
% for bit, vuid in ((bit, vuid) for bit, (_, vuid) in scope.bits.items() if bit in fields):
        .${fields[bit]} = "${vuid}",
% endfor
    },
% endfor
% for name, (flag, vuid) in core.queue_rules.items():
    {.command = &test_command_${name[2:]}, .queues = ${flag}, .queuetype = "${vuid}"},
% endfor
};
const unsigned scope_test_count = sizeof(scope_tests) / sizeof(scope_tests[0]);
