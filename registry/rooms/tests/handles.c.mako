<% t = rules.tests(m)
callbacks = lambda command: any(p.type == 'VkAllocationCallbacks' for p in m.commands[command].params)
uint = lambda name, value: f'(uint64_t)(uintptr_t){value}' if name in m.dispatchable else f'(uint64_t){value}' %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "handles.h"
#include "world.h"

#define CALL(name_) ((PFN_##name_)test_proc(#name_, true))
% for handle, (command, out) in t.creators.items():

${handle} create_${handle}(const VkAllocationCallbacks *callbacks)
{
    struct args_${command[2:]} *a = test_allocate(sizeof(*a));
    fill_args_${command[2:]}(a);
% if callbacks(command):
    a->pAllocator = callbacks;
% else:
    (void)callbacks;
% endif
% for line in rules.VALID_OBJECTS.get(handle, []):
    ${line}
% endfor
    invoke_${command[2:]}(a);
    return *a->${out};
}
% if handle != 'VkCommandPool':

${handle} handle_${handle}(void)
{
    static ${handle} handles[WORLD_LIMIT];
    static unsigned made_for[WORLD_LIMIT];
    bool refusing = heard.refusing;
    if (!handles[world.number] || made_for[world.number] != world.generation) {
        heard.refusing &= world.number != WORLD_ROW;
        handles[world.number] = create_${handle}(NULL);
        made_for[world.number] = world.generation;
        heard.refusing = refusing;
    }
    return handles[world.number];
}
% endif
% endfor
% for name in t.creatable:

static uint64_t new_handle_${name}(const VkAllocationCallbacks *callbacks)
{
    return ${uint(name, f'create_{name}(callbacks)')};
}
% endfor
% for name in m.handles:

static uint64_t get_handle_${name}(void)
{
    return ${uint(name, f'handle_{name}()')};
}
% endfor
% for name, call in t.lifetimes.endings.items():

static void end_${name}(uint64_t handle)
{
    ${name} object = (${name})${'(uintptr_t)' if name in m.dispatchable else ''}handle;
<% command, _, arguments = call.partition('(') %>\
    ((PFN_${command})test_proc("${command}", ${'true' if m.is_device_command(m.commands[command]) else 'false'}))(${arguments};
}
% endfor
% for name, lines in t.lifetimes.second_pools.items():

static uint64_t of_second_pool_${name}(void)
{
% for line in lines:
    ${line}
% endfor
    return ${uint(name, 'object')};
}
% endfor

const struct handle_type handle_types[TYPE_COUNT] = {
% for name, handle in m.handles.items():
    [TYPE_${name}] = {
        .name = "${name}",
        .type = ${handle.type},
        .dispatchable = ${'true' if handle.dispatchable else 'false'},
        .get = get_handle_${name},
% if name in t.creatable:
        .create = new_handle_${name},
% endif
% if name in t.lifetimes.endings:
        .destroy = end_${name},
% endif
% if name in t.lifetimes.second_pools:
        .of_second_pool = of_second_pool_${name},
% endif
    },
% endfor
};
