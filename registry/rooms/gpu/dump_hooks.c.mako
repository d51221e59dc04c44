<%
from rooms.gpu import rules as rules_gpu
points = {name: point for name, point in rules_gpu.actions(m).items() if point.isdigit()}
# What is remembered (gpu/dump/dump_notes.h), by phase and command, and the commands that read structures from memory.
notes = {
    'after': {
        'vkCreateDevice': 'dump_device_begin(call);',
        'vkBeginCommandBuffer': 'dump_recording_begin(call, pBeginInfo);',
        'vkCreateDescriptorSetLayout': 'dump_note_layout(call, *pSetLayout);',
        'vkGetDescriptorEXT': 'dump_note_descriptor(call, pDescriptorInfo, dataSize, pDescriptor);',
        'vkWriteResourceDescriptorsEXT': 'dump_note_resources(call, resourceCount, pResources, pDescriptors);',
        'vkCreateIndirectCommandsLayoutEXT': 'dump_note_commands_layout(call, pCreateInfo, *pIndirectCommandsLayout);',
    },
    'before': {
        'vkDestroyDevice': 'dump_device_end(call);',
        'vkCmdPushConstants': 'dump_note_constants(call, stageFlags, offset, size, pValues);',
        'vkCmdPushConstants2': 'dump_note_constants(call, pPushConstantsInfo->stageFlags, pPushConstantsInfo->offset, pPushConstantsInfo->size, pPushConstantsInfo->pValues);',
        'vkCmdPushDataEXT': 'dump_note_data(call, pPushDataInfo);',
        'vkCmdBindSamplerHeapEXT': 'dump_note_heap(call, DUMP_HEAP_SAMPLERS, pBindInfo);',
        'vkCmdBindResourceHeapEXT': 'dump_note_heap(call, DUMP_HEAP_RESOURCES, pBindInfo);',
    },
    'validate': {
        'vkCmdCopyMemoryIndirectKHR': 'dump_indirect_copies(call, pointer_is_bad(pCopyMemoryIndirectInfo) ? NULL : &pCopyMemoryIndirectInfo->copyAddressRange, '
                                      'pointer_is_bad(pCopyMemoryIndirectInfo) ? 0 : pCopyMemoryIndirectInfo->copyCount, false);',
        'vkCmdCopyMemoryToImageIndirectKHR': 'dump_indirect_copies(call, pointer_is_bad(pCopyMemoryToImageIndirectInfo) ? NULL : &pCopyMemoryToImageIndirectInfo->copyAddressRange, '
                                             'pointer_is_bad(pCopyMemoryToImageIndirectInfo) ? 0 : pCopyMemoryToImageIndirectInfo->copyCount, true);',
        'vkCmdCopyMemoryIndirectNV': 'dump_indirect_copies(call, &(VkStridedDeviceAddressRangeKHR){copyBufferAddress, 0, stride}, copyCount, false);',
        'vkCmdCopyMemoryToImageIndirectNV': 'dump_indirect_copies(call, &(VkStridedDeviceAddressRangeKHR){copyBufferAddress, 0, stride}, copyCount, true);',
        'vkCmdExecuteGeneratedCommandsEXT': 'dump_generated_commands(call, pGeneratedCommandsInfo);',
        'vkCmdPreprocessGeneratedCommandsEXT': 'dump_generated_commands(call, pGeneratedCommandsInfo);',
    },
}
for name, point in points.items():
    notes['validate'][name] = f'dump_command(call, {point});'
notes = {phase: {name: c for name, c in commands.items() if name in m.commands} for phase, commands in notes.items()}
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * The commands that run a pipeline's shaders dump what is bound for these (gpu/dump/dump.h). This is a validator of its own, which is there
 * with the settings of dumps alone. Before the checks, so that what they refuse is dumped as well. */
#include "gpu/dump/dump.h"
#include "gpu/dump/dump_notes.h"
#include "vk/pointer.h"

static bool enabled(const struct settings *settings)
{
    return settings->gpu_dump_descriptors || settings->gpu_dump_copy_memory_indirect ||
           settings->gpu_dump_device_generated_commands;
}
% for phase, commands in notes.items():
% for name, statement in commands.items():

static ${'bool' if phase == 'validate' else 'void'} ${phase}_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])})
{
    ${statement}
% if phase == 'validate':
    return false;
% endif
}
% endfor
% endfor

static void fill(struct validator_hooks *hooks)
{
% for phase, commands in notes.items():
% for name in commands:
    hooks->${phase}_${name[2:]} = ${phase}_${name[2:]};
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator dump_validator = {
    .name = "dump",
    .tells_numbers = true,
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
