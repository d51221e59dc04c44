"""Fixes say how to mend the breach of a statement, where one mend is usual: a line of text for an
id, shown as `fix`.

Two sources: sentences of a strict grammar (a usage that an object must have been created with, a
feature that must be enabled, a state that must have been set), and registry/fixes.txt for all
others. A statement that fits none has no fix.

What the layer fills in (src/report/finding/fix.c): `{VkBuffer}` is the finding's object of that
type, with its name and its creator, or "the VkBuffer" where the finding has none or several; `?N?`
in front says that the rest holds if the physical device has the feature of that number."""

import fnmatch
import functools
import os
import re

from model import feature_tables
from model.places import REGISTRY

# Flags of a create info, by the beginning of their names: what has them, where they are given.
CREATED_WITH = (
    ('VK_BUFFER_USAGE_2_', 'VkBuffer', 'VkBufferUsageFlags2CreateInfo::usage'),
    ('VK_BUFFER_USAGE_', 'VkBuffer', 'VkBufferCreateInfo::usage'),
    ('VK_IMAGE_USAGE_', 'VkImage', 'VkImageCreateInfo::usage'),
    ('VK_BUFFER_CREATE_', 'VkBuffer', 'VkBufferCreateInfo::flags'),
    ('VK_IMAGE_CREATE_', 'VkImage', 'VkImageCreateInfo::flags'),
    ('VK_COMMAND_POOL_CREATE_', 'VkCommandPool', 'VkCommandPoolCreateInfo::flags'),
    ('VK_DESCRIPTOR_POOL_CREATE_', 'VkDescriptorPool', 'VkDescriptorPoolCreateInfo::flags'),
    (
        'VK_DESCRIPTOR_SET_LAYOUT_CREATE_',
        'VkDescriptorSetLayout',
        'VkDescriptorSetLayoutCreateInfo::flags',
    ),
    (
        'VK_MEMORY_ALLOCATE_',
        'VkDeviceMemory',
        'VkMemoryAllocateFlagsInfo::flags, in the pNext chain of VkMemoryAllocateInfo',
    ),
    ('VK_SWAPCHAIN_CREATE_', 'VkSwapchainKHR', 'VkSwapchainCreateInfoKHR::flags'),
)

MUST_BE_CREATED = re.compile(
    r'must (?:all )?have (?:all )?been (?:created|allocated)(?: from a pool that was '
    r'created)? with '
    r'(?:a view created with an image created with )?(?:a flags that included )?(?:the )?(VK_\w+)'
    r'(?: usage)?(?: flags?| bit)?(?: set)?(?: in [\w:]+)?$'
)

FEATURE = r'(?:the )?([\w:]+) feature'
MEMBER = r'(VkPhysicalDevice\w+Features\w*::\w+)'
CONSTANTS = r'(?:(?:either |any of |the )*VK_\w+(?:, or |, nor |, | or | nor )?)+'
NEEDS_FEATURE = [
    re.compile(pattern, re.I)
    for pattern in (
        rf'{FEATURE} must be enabled',
        rf'If [^,]*,? (?:then )?{FEATURE} must be enabled',
        (
            rf'If {FEATURE} is not enabled, (?:then )?[\w:>.\[\]-]+(?:\[\d+\])? must not (?:be|'
            rf'contain|include) {CONSTANTS}'
        ),
        (
            rf'If {FEATURE} is not enabled, [\w:>.\[\]-]+ must be (?:VK_FALSE|0|1|1\.0|'
            rf'VK_\w+_COMBINER_OP_KEEP_KHR)'
        ),
        rf'If {FEATURE} is not enabled, the VK_\w+ bit of \w+ must not be set',
        rf'If {FEATURE} is not enabled,? (?:there must be no element of )?the '
        rf'pDynamicStates member of pDynamicState'
        r'(?: must not (?:contain|include)| set to) VK_DYNAMIC_STATE_\w+',
        rf'If {FEATURE} is not enabled,? there must be no element of the pDynamicStates '
        rf'member of pDynamicState '
        r'(?:set to|be) VK_DYNAMIC_STATE_\w+(?: or VK_DYNAMIC_STATE_\w+)*',
        rf'If {FEATURE} is not enabled this function must not be used',
        rf'If [^,]*,? (?:then )?{FEATURE} must enabled',
        rf'{MEMBER} must be (?:enabled|VK_TRUE)',
        rf'If [^,]*,? (?:then )?{MEMBER} must be (?:enabled|VK_TRUE)',
        rf'If \w+ is enabled then {MEMBER} must also be enabled',
        rf'If {MEMBER} is not enabled, all bindings with descriptor type VK_\w+ must not use '
        r'VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT',
        rf'If {FEATURE} is not enabled, [\w:>.\[\]-]+ must (?:not be greater than 1|be 0 '
        rf'or 1|be less than or equal to 1|'
        r'not be 0)',
        rf'If {FEATURE} is not enabled, all elements of \w+ must be VK_TRUE',
        (
            rf'If {FEATURE} is not enabled and the pipeline requires [\w ,-]*, renderPass must '
            rf'not be VK_NULL_HANDLE'
        ),
    )
]
# Features that a program does not switch on to be allowed a thing, but because it knows how to work
# with them. Of a stage of a pipeline that cannot be, the mend is to leave it out of the mask.
NO_MEND = re.compile(
    r'maintenance\d+$|robust|shaderObject$|nullDescriptor$|protectedMemory$|synchronization2$|'
    r'descriptorPoolOverallocation$|dynamicPipelineLayout$|externalFormatResolve$|descriptorHeap'
)

# A device address: the buffer that it lies in, which the finding names, lacks the usage.
MUST_BE_ADDRESS = re.compile(
    r'must be (?:a )?device address(?:es| range)? allocated to the application from a '
    r'buffer created with the '
    r'(VK_BUFFER_USAGE_\w+) usage flag set'
)

ACCESS_NEEDS_STAGE = re.compile(
    r'If (?P<mask>\w+AccessMask) includes (?P<access>VK_ACCESS_\w+)(?: or '
    r'(?P<other>VK_ACCESS_\w+))?, '
    r'(?P<stages>\w+StageMask) must include (?P<list>[\w *,]+)'
)

MUST_BE_CALLED = re.compile(
    r'(vkCmdSet\w+)(?: or (?P<other>vkCmdSet\w+))? must have been called (?:and not '
    r'subsequently invalidated )?'
    r'in the current command buffer prior to this drawing command',
    re.I,
)


def created_with(text):
    match = MUST_BE_CREATED.search(text)
    if not match or len(set(re.findall(r'must', text))) != 1 or text.count('must') != 1:
        return None
    flag = match[1]
    for prefix, kind, member in CREATED_WITH:
        if not flag.startswith(prefix):
            continue
        if (
            kind == 'VkImage'
            and 'was created with separate stencil usage' in text
            and 'not created with' not in text
        ):
            member = 'VkImageStencilUsageCreateInfo::stencilUsage'
        verb = 'allocate' if kind == 'VkDeviceMemory' else 'create'
        return f'{verb} {{{kind}}} with {flag} in {member}'
    return None


@functools.cache
def _features(m):
    """Constant of a feature -> its number."""
    return {
        name: number
        for number, f in enumerate(feature_tables.tables(m).features)
        for name in f.names
    }


def needs_feature(m, text):
    if len(text) > 400:
        return None
    features, by_name = feature_tables.tables(m), _features(m)
    for pattern in NEEDS_FEATURE:
        match = pattern.fullmatch(text)
        if not match:
            continue
        structure, _, member = match[1].rpartition('::')
        if text.startswith('If') and (NO_MEND.search(member) or 'VK_PIPELINE_STAGE_' in text):
            return None
        name = (
            f'FEATURE_{structure.removeprefix("VkPhysicalDevice")}_{member}'
            if structure
            else f'FEATURE_{member}'
        )
        if name not in by_name:
            return None
        number = by_name[name]
        return f'?{number}?{enable(m, features.features[number])}'
    return None


def enable(m, feature):
    """Where a program switches a feature on, for all versions and extensions that it may have it
    from."""
    structures = list(dict.fromkeys(structure for structure, _ in feature.places))
    if structures == [feature_tables.BASE]:
        return f'set {feature.member} of {feature_tables.BASE} to VK_TRUE for vkCreateDevice'
    own = structures[0]
    ways = [own] + structures[1:]
    extensions = (
        [e for e in getattr(m.structs[own], 'extensions', []) or []]
        if m.structs[own].version is None
        else []
    )
    with_extension = f', and enable {extensions[0]}' if len(extensions) == 1 else ''
    member = feature.places[0][1]
    return (
        f'set {member} of {" (or of ".join(ways) + ")" * (len(ways) - 1)} to VK_TRUE in '
        f'the pNext chain of '
        f'VkDeviceCreateInfo{with_extension}'
    )


def address_of(text):
    match = MUST_BE_ADDRESS.search(text)
    if not match or text.count('must') != 1:
        return None
    member = (
        'VkBufferUsageFlags2CreateInfo::usage'
        if '_USAGE_2_' in match[1]
        else 'VkBufferCreateInfo::usage'
    )
    return f'create {{VkBuffer}} with {match[1]} in {member}'


def stage_of_access(text):
    match = ACCESS_NEEDS_STAGE.fullmatch(text)
    if not match:
        return None
    stages = [s for s in re.findall(r'VK_PIPELINE_STAGE_\w+', match['list']) if '_ALL_' not in s]
    one = len(stages) == 1 and '*' not in match['list'] and not stages[0].endswith('_')
    access = f'{match["access"]} and {match["other"]}' if match['other'] else match['access']
    add = f'add {stages[0]}' if one else 'add the stage that makes the access'
    return f'{add} to {match["stages"]}, or take {access} out of {match["mask"]}'


def place(text):
    if text == 'This command must only be called outside of a render pass instance':
        return 'record it before the render pass instance begins, or after it ends'
    return None


def must_be_called(text):
    found = MUST_BE_CALLED.findall(text)
    if len(found) != 1:
        return None
    command, other = found[0]
    either = f'{command} or {other}' if other else command
    return (
        f'call {either} in this command buffer before the draw, after any pipeline that has '
        f'the state fixed is bound'
    )


@functools.cache
def _written():
    """[(pattern of ids, fix)] of registry/fixes.txt, in its order."""
    rows = []
    with open(os.path.join(REGISTRY, 'fixes.txt'), encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                pattern, _, text = line.strip().partition('  ')
                rows.append((pattern, text.strip()))
    return rows


@functools.cache
def table(m):
    """id -> fix, of all ids that have one."""
    result = {}
    used = set()
    written = [
        (re.compile(fnmatch.translate(pattern)), pattern, text) for pattern, text in _written()
    ]
    for message_id in m.message_ids:
        for matches, pattern, text in written:
            if matches.match(message_id):
                used.add(pattern)
                result[message_id] = text
                break
        else:
            vuid = m.vuids.get(message_id)
            fix = vuid and (
                created_with(vuid.text)
                or needs_feature(m, vuid.text)
                or must_be_called(vuid.text)
                or address_of(vuid.text)
                or stage_of_access(vuid.text)
                or place(vuid.text)
            )
            if fix:
                result[message_id] = fix
    unused = [pattern for pattern, _ in _written() if pattern not in used]
    if unused:
        raise SystemExit(f'registry/fixes.txt: no id is {", ".join(unused)}')
    return {i: fix for i, fix in result.items() if fix and fix != '-'}
