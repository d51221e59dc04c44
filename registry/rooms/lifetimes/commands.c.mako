<%namespace name="v" file="visit.mako"/>\
<% r = rules.rules_of(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "lifetimes/destroy.h"
#include "lifetimes/first.h"
#include "lifetimes/lifetimes.h"
#include "lifetimes/structs.h"

/* Types that the app destroys one by one, before the device or instance that they came from. */
const bool lifetimes_leakable[HANDLE_TYPE_COUNT] = {
% for name in r.leakable():
    [${m.handle_constant(name)}] = true,
% endfor
};

const struct lifetimes_first lifetimes_first[COMMAND_ROOT_COUNT] = {
% for name, c in m.commands.items():
% if c.params[0].type in m.dispatchable and f'VUID-{name}-{c.params[0].name}-parameter' in m.vuids:
    [${m.command_constant(name)}] = {"${c.params[0].name}", ${m.handle_constant(c.params[0].type)}, ${m.vuid_constant(f'VUID-{name}-{c.params[0].name}-parameter')}},
% endif
% endfor
};

% for name in r.commands:
static bool lifetimes_validate_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])})
{
    bool skip = false;
% for item in r.command_items(m.commands[name]):
${v.visit(m, r, item, 'NULL')}\
% endfor
% if name in r.allocators:
<%
   access, handle, with_callbacks, without = r.allocators[name]
   base = access.split('->')[0]
   guard = f'{base} && {access}' if '->' in access else access
   lookup = f'(uint64_t)(uintptr_t){access}' if handle in m.dispatchable else access
%>\
    if (${guard})
        skip |= lifetimes_allocator(call, ${lookup}, ${m.handle_constant(handle)}, pAllocator != NULL, ${with_callbacks},
                                    ${without});
% endif
% if name in rules.TEMPLATE_DATA:
    skip |= lifetimes_template_data(call, ${rules.TEMPLATE_DATA[name]});
% endif
% if name == 'vkDestroyDevice':
    skip |= lifetimes_device_leaks(call);
% elif name == 'vkDestroyInstance':
    skip |= lifetimes_instance_leaks(call);
% elif name == 'vkDestroyImage':
    skip |= lifetimes_swapchain_image(call, image);
% endif
    return skip;
}

% endfor
static void fill(struct validator_hooks *hooks)
{
% for name in r.commands:
    hooks->validate_${name[2:]} = lifetimes_validate_${name[2:]};
% endfor
}

static struct validator_hooks own_hooks;
const struct validator lifetimes_validator = {
    .name = "lifetimes",
    .enabled = lifetimes_enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
