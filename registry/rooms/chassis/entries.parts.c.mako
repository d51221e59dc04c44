/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "chassis/mark.h"
#include "chassis/offered.h"
#include "chassis/recorded.h"
#include "chassis/translate_structs.h"
#include "chassis/waiting.h"

<%
    mine = rules.plans_of_part(m, part, parts)
    name_object = 'call_name' if part < parts // 2 else 'call_name_rarely'
%>\
% for p in mine:
<%
    c = p.command
    args = m.argument_list(c)
    first = c.params[0]
    device = m.is_device_command(c)
    owner = 'device' if device else 'instance'
    skipped = '' if not p.returns else ' ' + rules.skipped_value(c)
    down = f'next->{p.name}({args})'
    aliases = [c.name] + [a for a, r in m.aliases.items() if r == c.name]
    hook_type = f'(*const *)(struct call *, {", ".join(x.fullType + "".join("[%s]" % d for d in x.fixedSizeArray) for x in c.params)})'
    is_result = p.returns == 'VkResult'
    deferred = p.deferred()
    destroys = p.destroyed is not None
    blocks = bool(device and rules.MAY_BLOCK.match(c.name))
%>\
/* ${'-' * (110 - len(c.name))} ${c.name} */

% if p.works and not p.by_hand:
/* Ids become the driver's handles on the way down${', new handles become ids on the way up' if p.created else ''}. */
static inline ${c.returnType} dispatch_${p.name}(struct call *call, ${m.parameter_list(c)})
{
    const struct ${owner}_dispatch *next = &call->${owner}->dispatch;
% if c.name in rules.REPLACED:
<% array = rules.REPLACED[c.name] %>\
    ${next(x for x in c.params if x.name == array).fullType} app = ${array};
% endif
% if c.name in rules.SAID_OF_OBJECTS:
    if (unlikely(offered_handle_type(${rules.SAID_OF_OBJECTS[c.name]}))) {
% if c.name == 'vkGetPrivateData':
        *pData = 0;
% endif
        return${{'vkSetPrivateData': ' VK_ERROR_OUT_OF_HOST_MEMORY', 'vkGetPrivateData': ''}.get(c.name, ' VK_SUCCESS')};
    }
% endif
% if p.translate and p.only_ids:
    bool active = call->wraps;
    if (active) {
% for t in p.translate:
        ${t}
% endfor
    }
% elif p.translate:
    struct translate x = translate_begin(call);
    bool active = x.active;
% if c.name == 'vkBeginCommandBuffer':
    x.secondary = call->object && object_has(call->object, OBJECT_SECONDARY);
% endif
    if (active) {
% for t in p.translate:
        ${t}
% endfor
    }
    if (unlikely(x.failed)) {
        translate_failed(call);
        translate_end(&x);
        return${skipped.replace('VK_ERROR_VALIDATION_FAILED_EXT', 'VK_ERROR_OUT_OF_HOST_MEMORY')};
    }
% endif
% if deferred:
    /* The driver does the work now: ${'the new handles must be known' if p.created else 'the copies that it reads last only'} until this call returns. */
    bool done_at_once = ${deferred.name} && ${'true' if p.created else 'active'};
    if (done_at_once)
        ${deferred.name} = VK_NULL_HANDLE;
% endif
% if p.created and rules.PARTIAL.match(c.name):
    for (uint32_t i = 0; ${p.created.name} && i < ${p.created_count}; i++)
        ${p.created.name}[i] = VK_NULL_HANDLE; /* what the driver does not create stays so */
% endif
% if rules.MAY_BE_MISSING.search(c.name):
    if (!next->${p.name}) {
% if p.translate and not p.only_ids:
        translate_end(&x);
% endif
        return${' VK_SUCCESS' if is_result else ''};
    }
% endif
% if c.name in rules.REPLACED:
    const struct down_calls *instead = call->device->down;
    if (unlikely(instead && instead->${p.name})) {
        call->result = instead->${p.name}(call, app, ${args});
    } else {
% if blocks:
        PFN_${c.name} function = next->${p.name};
        uint32_t entered = call_go_waiting(call);
        call->result = function(${args});
        call_come_back(call, entered);
% else:
        call->result = ${down};
% endif
    }
% elif blocks:
    PFN_${c.name} function = next->${p.name};
    uint32_t entered = call_go_waiting(call);
    call->result = function(${args});
    call_come_back(call, entered);
% elif is_result:
    call->result = ${down};
% elif p.returns:
    ${p.returns} answer = ${down};
% else:
    ${down};
% endif
% if p.translate and not p.only_ids:
    translate_end(&x);
% endif
% if deferred:
    if (call->result == VK_SUCCESS && done_at_once)
        call->result = VK_OPERATION_NOT_DEFERRED_KHR;
% endif
% if is_result:
    return call->result;
% elif p.returns:
    return answer;
% endif
}

% endif
% for spelling in aliases:
% if len(aliases) > 1 and spelling == c.name:
static inline __attribute__((always_inline)) ${c.returnType} run_${p.name}(enum command command, const void *caller, ${m.parameter_list(c)})
{
% elif len(aliases) == 1:
VKAPI_ATTR ${c.returnType} VKAPI_CALL entry_${spelling}(${m.parameter_list(c)})
{
% endif
% if spelling == c.name:
    CALL(call, ${m.command_constant(spelling) if len(aliases) == 1 else 'command'});
% if c.name in rules.DERIVED:
    CALL_DERIVES(call);
% endif
<% who = f'{m.command_constant(spelling)}, __builtin_return_address(0)' if len(aliases) == 1 else 'command, caller' %>\
    if (unlikely(!call_begin_${owner}(&call, ${who}, ${first.name}, ${m.handle_constant(first.type)})))
        return${skipped};
% for name, which in p.named.items():
    ${name_object}(&call, ${which}, ${name}, ${m.handle_constant(next(x.type for x in c.params if x.name == name))});
% endfor
    bool (${hook_type.replace('(*const *)', '*const *validate)', 1)} = (void *)hook_list(&call.${owner}->hooks, ${m.command_constant(c.name)});
% if rules.may_lack(m, c):
    if (unlikely(!call.device->dispatch.${p.name})) /* got for any device; this one lacks it */
        goto refuse;
% endif
    for (; *validate; validate++) {
        if (unlikely((*validate)(&call, ${args})${' && call.dead_handle' if rules.only_answers(m, c) else ''}))
            goto skip;
    }
% if rules.only_answers(m, c) and not p.by_hand and not rules.may_lack(m, c):
    if (unlikely(!call.${owner}->dispatch.${p.name})) /* not enabled, which was reported */
        return${skipped};
% endif
% if rules.needs_command_buffer(c):
    mark_enter_command_buffer(&call);
% endif
    void (${hook_type.replace('(*const *)', '*const *hook)', 1)} = (void *)(validate + 1);
    for (; *hook; hook++)
        (*hook)(&call, ${args});
% if destroys and p.destroyed.pointer:
    struct destruction dying;
    destruction_begin_array(&dying, &call, ${m.handle_constant(p.destroyed.type)}, ${p.destroyed.name}, ${rules.length(p.destroyed)});
% elif destroys:
% if p.destroyed.type in rules.TOLD_OF_DESTRUCTION:
    destroying_${p.destroyed.type}(&call, ${p.destroyed.name});
% endif
    struct destruction dying;
    destruction_begin(&dying, &call, ${m.handle_constant(p.destroyed.type)}, (uint64_t)${p.destroyed.name});
% elif c.name == 'vkResetDescriptorPool':
    struct destruction dying;
    destruction_begin_children(&dying, &call, HANDLE_DESCRIPTOR_POOL, descriptorPool);
% endif
<%
    down_args = p.down_arguments(m)
    run = f'dispatch_{p.name}(&call, {down_args})' if p.works else f'call.{owner}->dispatch.{p.name}({args})'
%>\
% if rules.MAY_BE_MISSING.search(c.name) and not p.works:
    if (call.${owner}->dispatch.${p.name})
        ${run};
% elif p.returns and not is_result:
    ${p.returns} answer = ${run};
% elif is_result:
% if blocks and not p.works:
    PFN_${c.name} function = call.device->dispatch.${p.name};
    uint32_t entered = call_go_waiting(&call);
    call.result = function(${args});
    call_come_back(&call, entered);
% else:
    call.result = ${run};
% endif
% if blocks:
    if (unlikely(!call.device))
        return call.result;
% endif
% if rules.may_lose_device(m, c):
    if (unlikely(call.result == VK_ERROR_DEVICE_LOST))
        call_device_lost(&call);
% endif
% else:
    ${run};
% endif
% if p.created:
<% parent, child = p.parent(m) %>\
    if (${p.creation_condition().replace('call->', 'call.')}) {
        struct object_create_info creation = creation_begin(&call, ${m.handle_constant(p.created.type)}, ${parent.replace('(call,', '(&call,').replace('call->', 'call.')});
% if child:
        creation.child_of_parent = creation.parent != NULL;
% endif
% if c.name in rules.ASKED_FOR:
        creation.findable_by_driver = true;
% endif
% if p.has_allocator():
        creation.has_allocator = pAllocator != NULL;
% endif
        for (uint32_t i = 0; i < ${p.created_count}; i++)
            ${p.created.name}[i] = (${p.created.type})creation_adopt(&creation, (uint64_t)${p.created.name}[i]);
% if c.name in rules.TOLD_OF_CREATION:
        created_${p.name}(&call, ${args});
% endif
    }
% endif
% if p.adopt_structs:
    if (call.result >= 0 && ${p.adopt_structs.name}) {
        for (uint32_t i = 0; i < *${rules.length(p.adopt_structs)}; i++)
            adopt_${p.adopt_structs.type}(&call, &${p.adopt_structs.name}[i]);
    }
% endif
% if blocks:
    hook = (void *)hook_list_after(&call.device->hooks, ${m.command_constant(c.name)});
    for (; *hook; hook++)
% else:
    for (hook++; *hook; hook++)
% endif
        (*hook)(&call, ${args});
% if rules.is_recorded(c):
    count_recorded(&call);
% endif
% if rules.needs_command_buffer(c):
    mark_leave_command_buffer(&call);
% endif
% if destroys or c.name == 'vkResetDescriptorPool':
    destruction_end(&dying);
% endif
% if is_result:
    return call.result;
% elif p.returns:
    return answer;
% else:
    return;
% endif
skip: /* the other validators look at it, too, but not at a call that cannot go down */
    validate++;
% if rules.may_lack(m, c):
refuse:
% endif
% if rules.needs_command_buffer(c):
    call_refuse(&call);
% endif
    for (; *validate && !call.dead_handle; validate++)
        (void)(*validate)(&call, ${args});
% if rules.needs_command_buffer(c):
    call_take_back(&call);
% endif
    return${skipped};
}

% endif
% if len(aliases) > 1:
VKAPI_ATTR ${c.returnType} VKAPI_CALL entry_${spelling}(${m.parameter_list(c)})
{
    ${'return ' if p.returns else ''}run_${p.name}(${m.command_constant(spelling)}, __builtin_return_address(0), ${args});
}

% endif
% endfor
% endfor
