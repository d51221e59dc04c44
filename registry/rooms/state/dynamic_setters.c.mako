<% d = rules.dynamic_states(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * What a vkCmdSet* command makes of its command buffer's dynamic state, where the name says it all. Hot: each sets a bit, and
 * stores what somebody asks for. A call that sets what is set already changes nothing, and the next draw has nothing to look at. */
#include "state/dynamic_values.h"
#include "state/hooks.h"
% for name in d.plain:
<% state = d.setters[name]; value = d.value(name) %>
${rules.declaration(m, name, 'after', f'state_after_{name[2:]}')}
{
% if state.startswith('RAY_TRACING'):
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer))
        return;
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_${state});
    command_buffer->dirty[2] |= DIRTY_DYNAMIC_STATE;
% elif value:
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_dynamic *kept = command_buffer ? command_buffer_dynamic_of(command_buffer, DYNAMIC_${state}) : NULL;
    if (kept && kept->${value.field} == (${value.type})${value.parameter})
        return;
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_${state});
    if (likely(values))
        values->${value.field} = ${value.parameter};
% else:
    dynamic_state_note_set(call, DYNAMIC_${state});
% endif
}
% endfor
