"""What templates of the gpu room need: the hooks that its sources define, and the commands that run
shaders."""

import re

from rooms.chassis.rules import may_lose_device
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

UNFOLLOWED = 'BIND_POINTS'  # actions of which only the number is noted
# By how their names begin: which bind point's pipeline they run.
_POINTS = [
    (re.compile('vkCmdDrawCluster'), UNFOLLOWED),
    (re.compile('vkCmdDraw'), '0'),
    (re.compile('vkCmdDispatch(DataGraph|Graph|Tile)'), UNFOLLOWED),
    (re.compile('vkCmdDispatch'), '1'),
    (re.compile('vkCmdTraceRays'), '2'),
    (re.compile('vkCmdSubpassShading'), UNFOLLOWED),
    (re.compile('vkCmdExecuteGeneratedCommandsEXT'), 'gpu_generated_point(pGeneratedCommandsInfo)'),
    (
        re.compile('vkCmdExecuteGeneratedCommandsNV'),
        'bind_point_index(pGeneratedCommandsInfo->pipelineBindPoint)',
    ),
]


def actions(m):
    """{'vkCmdDraw': the bind point in C}: commands that run shaders of a pipeline, in the
    registry's order."""
    found = {}
    for name in m.commands:
        point = next((point for pattern, point in _POINTS if pattern.match(name)), None)
        if point:
            found[name] = point
    return found


def marked(m):
    """Commands that do something on the device, and that markers are written around
    (src/gpu/breadcrumbs/breadcrumbs.h), in the registry's order."""
    own = re.compile('BufferMarker|Checkpoint')
    return [
        c
        for c in m.commands.values()
        if c.name.startswith('vkCmd')
        and c.params[0].type == 'VkCommandBuffer'
        and not own.search(c.name)
        and (
            'action' in (c.tasks or [])
            or c.name
            in (
                'vkCmdExecuteCommands',
                'vkCmdEndRendering',
                'vkCmdEndRendering2KHR',
                'vkCmdEndRendering2EXT',
            )
        )
    ]


# Commands that wait for all that a queue, or the device, has been given: functions of
# gpu/abort/abort.c.
IDLE_WAITS = {'QueueWaitIdle': 'aborts_wait_queue', 'DeviceWaitIdle': 'aborts_wait_device'}


def losing_commands(m):
    """Commands of devices and queues that may answer VK_ERROR_DEVICE_LOST, in the registry's
    order."""
    return [
        c
        for c in m.commands.values()
        if may_lose_device(m, c) and c.params[0].type in ('VkDevice', 'VkQueue')
    ]


class Timeout:
    """Where a command is told how long to wait: parameter or structure `name`, of type `type`;
    `member`: the structure's. `arguments`: of the call that waits for `wait`, or with the structure
    `slice`."""

    def __init__(self, m, command, param, member):
        self.name = param.name
        self.type = param.type
        self.member = member
        self.arguments = ', '.join(
            '&slice' if x is param and member else 'wait' if x is param else x.name
            for x in command.params
        )


def timeout_of(m, command):
    """The Timeout of a command; None where it does not wait."""
    for x in command.params:
        if x.name == 'timeout':
            return Timeout(m, command, x, False)
        struct = m.structs.get(x.type)
        if (
            struct
            and x.const
            and any(y.name == 'timeout' and y.type == 'uint64_t' for y in struct.members)
        ):
            return Timeout(m, command, x, True)
    return None


# --- create infos of pipelines and shader objects -------------------------------------------------
# They are copied, to be read when the program's memory may be gone (src/gpu/pipeline/copy.h).

COPIED_ROOTS = (
    'VkComputePipelineCreateInfo',
    'VkGraphicsPipelineCreateInfo',
    'VkShaderCreateInfoEXT',
)
# Chained structures that mean nothing to a second pipeline of the same code: answers, names, what
# layers read.
_DROPPED = {
    'VkPipelineCreationFeedbackCreateInfo',
    'VkDebugUtilsObjectNameInfoEXT',
    'VkValidationFeaturesEXT',
    'VkShaderModuleValidationCacheCreateInfoEXT',
}
# Structures whose handles whoever asks for the copy answers for (src/gpu/pipeline/compile.c,
# src/gpu/pipeline/binaries.c).
_KNOWN_HANDLES = set(COPIED_ROOTS) | {'VkPipelineShaderStageCreateInfo'}
# Pointers that the specification may ignore elsewhere (noautovalidity), and that are NULL by then
# where it does.
_CLEANED = {
    ('VkGraphicsPipelineCreateInfo', None),
    ('VkPipelineViewportStateCreateInfo', None),
    ('VkPipelineMultisampleStateCreateInfo', 'pSampleMask'),
    ('VkPipelineRenderingCreateInfo', 'pColorAttachmentFormats'),
    ('VkShaderCreateInfoEXT', 'pSetLayouts'),
}
# Lengths that are no member's value: C for the number of bytes, of `s`.
_BYTES = {
    ('VkShaderModuleCreateInfo', 'pCode'): 'codeSize',
    ('VkShaderCreateInfoEXT', 'pCode'): 'codeSize',
    ('VkSpecializationInfo', 'pData'): 'dataSize',
}


class CopiedPointer:
    """A pointer in a structure: how many elements of which size, and which structure they are
    (None: they point nowhere)."""

    def __init__(self, name, count, size='0', counter=None, inner=None):
        self.name = name
        self.count = count  # of enum copied_count
        self.size = size
        self.counter = counter
        self.inner = inner


def copied_structures(m):
    """{name: [CopiedPointer]}: those that can be copied, each behind those that it points to; those
    that are neither chained nor point anywhere need no copying of their own."""
    out = {}
    for root in COPIED_ROOTS:
        _copy(m, root, out)
    return {name: pointers for name, pointers in out.items() if m.structs[name].sType or pointers}


def dropped_structures(m):
    return [m.structs[name] for name in sorted(_DROPPED)]


def _copy(m, name, out):
    struct = m.structs[name]
    if (
        name in out
        or name in _DROPPED
        or struct.union
        or struct.protect
        or (any(m.is_id(x.type) for x in struct.members) and name not in _KNOWN_HANDLES)
    ):
        return
    inside = [
        x
        for x in struct.members
        if x.type in m.structs and not x.pointer and _points(m, m.structs[x.type])
    ]
    if any(m.structs[x.type].union or x.fixedSizeArray for x in inside):
        return
    out[name] = [
        p for x in struct.members if x.name != 'pNext' for p in _pointers(m, struct, x, out)
    ]
    for chained in struct.extendedBy:
        _copy(m, chained, out)


def _pointers(m, struct, x, out):
    """The member's own, or those of the structure that it is."""
    if not x.pointer:
        inner = m.structs.get(x.type)
        if inner is None or not _points(m, inner):
            return []
        for chained in inner.extendedBy:
            _copy(m, chained, out)
        return [
            CopiedPointer(
                f'{x.name}.{p.name}',
                p.count,
                p.size,
                p.counter and f'{x.name}.{p.counter}',
                p.inner,
            )
            for y in inner.members
            for p in _pointers(m, inner, y, out)
        ]
    if x.name == 'pNext':
        return [CopiedPointer(x.name, 'COPIED_CHAIN')]
    if x.noAutoValidity and not {(struct.name, None), (struct.name, x.name)} & _CLEANED:
        return [CopiedPointer(x.name, 'COPIED_NEVER')]
    if (struct.name, x.name) in _BYTES:
        return [CopiedPointer(x.name, 'COPIED_BYTES', '1', _BYTES[struct.name, x.name])]
    if x.name == 'pSampleMask':
        return [
            CopiedPointer(x.name, 'COPIED_SAMPLES', 'sizeof(VkSampleMask)', 'rasterizationSamples')
        ]
    if x.fullType.count('*') != 1 or not x.const or x.type == 'void':
        return [CopiedPointer(x.name, 'COPIED_NEVER')]
    if x.nullTerminated:
        return [CopiedPointer(x.name, 'COPIED_STRING', '1')]
    inner = None
    if x.type in m.structs:
        _copy(m, x.type, out)
        if x.type not in out:
            return [CopiedPointer(x.name, 'COPIED_NEVER')]
        inner = x.type if out[x.type] or m.structs[x.type].sType else None
    if x.length is None:
        return [CopiedPointer(x.name, 'COPIED_ONE', f'sizeof({x.type})', None, inner)]
    counter = next(
        (
            y
            for y in struct.members
            if y.name == x.length and y.type == 'uint32_t' and not y.pointer
        ),
        None,
    )
    if counter is None:
        return [CopiedPointer(x.name, 'COPIED_NEVER')]
    return [CopiedPointer(x.name, 'COPIED_COUNT', f'sizeof({x.type})', counter.name, inner)]


def _points(m, struct):
    """Is a pointer in it, or in what lies in it?"""
    return any(
        x.pointer or (x.type in m.structs and _points(m, m.structs[x.type])) for x in struct.members
    )
