"""Decides what the chassis does with each command and structure: where ids stand in for handles,
and what a command creates and destroys."""

import functools
import re

from model import changes, hand_tables, named_parameters
from model.hand_tables import MEMBER, NAME, WHY, WORD, C
from model.registry import RegistryError

COMMANDS = {'of': NAME, 'why': WHY}
TABLES = hand_tables.read(
    'registry/rooms/chassis/exceptions.toml',
    {
        'only_if': {'of': MEMBER, 'when': C, 'why': WHY},
        'struct_by_hand': {'of': NAME, 'why': WHY},
        'by_hand': COMMANDS,
        'dispatch_by_hand': COMMANDS,
        'replaced': {'of': NAME, 'given': WORD, 'why': WHY},
        'derived': COMMANDS,
        'told_of_creation': COMMANDS,
        'told_of_destruction': {'of': NAME, 'why': WHY},
        'said_of_objects': {'of': NAME, 'type': C, 'why': WHY},
        'pool': {'of': NAME, 'parent': NAME, 'member': WORD, 'why': WHY},
        'asked_for': COMMANDS,
    },
)


def _names(table):
    return {row.of for row in TABLES[table]}


ONLY_IF = {row.of: row.when for row in TABLES['only_if']}
STRUCTS_BY_HAND = _names('struct_by_hand')
BY_HAND = _names('by_hand')
DISPATCH_BY_HAND = _names('dispatch_by_hand')
REPLACED = {row.of: row.given for row in TABLES['replaced']}
DERIVED = _names('derived')
TOLD_OF_CREATION = _names('told_of_creation')
TOLD_OF_DESTRUCTION = _names('told_of_destruction')
SAID_OF_OBJECTS = {row.of: row.type for row in TABLES['said_of_objects']}
POOLS = {row.of: (row.parent, row.member) for row in TABLES['pool']}
ASKED_FOR = _names('asked_for')
# Commands of the instance extensions that the layer offers: there to be called although nobody
# below us may have them.
MAY_BE_MISSING = re.compile(r'DebugUtils|DebugReport|DebugMarker')

# Likewise of device extensions; the layer answers them itself (src/chassis/offered.h).
ANSWERED = re.compile(r'ValidationCache')
# Functions of the driver that may wait for long, or compile: their entries leave the call around
# them, so that the memory that other threads retire meanwhile can be freed (src/base/retire.c).
MAY_BLOCK = re.compile(
    r'vkWait|vkAcquireNextImage|vkAcquireProfilingLock|vk(Queue|Device)WaitIdle|'
    r'vkQueue(Submit|BindSparse|Present)|vkGetQueryPoolResults|'
    r'vkDeferredOperationJoin|vkLatencySleepNV$|vkCreate\w*Pipelines|vkCreateShadersEXT|'
    r'vk(Build|Copy)(AccelerationStructure|Micromap)s?|'
    r'vkCopy(Memory|Image|AccelerationStructure|Micromap)To'
)

# Creations that give some handles even when they fail.
PARTIAL = re.compile(r'vkCreate\w*Pipelines\w*$|vkCreateShadersEXT$')
DESTROYS = re.compile(r'vkDestroy|vkFree|vkReleasePerformanceConfigurationINTEL')


def may_lack(m, command):
    """Can an app hold the entry of a device's command that the device lacks? vkGetInstanceProcAddr
    gives it for any device."""
    core_1_0 = command.version is None and not command.extensions
    return (
        m.is_device_command(command)
        and not core_1_0
        and not MAY_BE_MISSING.search(command.name)
        and not ANSWERED.search(command.name)
    )


def offered_extension(name):
    """The extension that the layer offers and a command belongs to, as its C constant;
    EXTENSION_COUNT for the others."""
    if ANSWERED.search(name):
        return 'EXTENSION_VK_EXT_validation_cache'
    found = MAY_BE_MISSING.search(name)
    return (
        {
            'DebugUtils': 'EXTENSION_VK_EXT_debug_utils',
            'DebugReport': 'EXTENSION_VK_EXT_debug_report',
            'DebugMarker': 'EXTENSION_VK_EXT_debug_marker',
        }[found[0]]
        if found
        else 'EXTENSION_COUNT'
    )


class Enablers:
    """The versions and extensions that make vkGetDeviceProcAddr answer for a name: they define the
    command under just this name. `words` has all lists, each ended by ENABLERS_END. The list at
    offset 0 is that of Vulkan 1.0, which needs nothing."""

    def __init__(self, m):
        self.words, self.offsets, self.of = ['ENABLERS_END'], {(): 0}, {}
        known = set(m.versions) | set(m.extensions)
        for name, command in m.all_commands.items():
            names = tuple(sorted(n for n in command.definingRequirements if n in known))
            if 'VK_VERSION_1_0' in command.definingRequirements or not names:
                names = ()
            if names not in self.offsets:
                self.offsets[names] = len(self.words)
                self.words += [f'EXTENSION_{n}' for n in names] + ['ENABLERS_END']
            self.of[name] = self.offsets[names]


def needs_command_buffer(command):
    """Must the app not use the command buffer, which the command is called with, on another thread?
    All commands that record need it so."""
    first = command.params[0]
    return first.type == 'VkCommandBuffer' and first.externSync.name in ('ALWAYS', 'MAYBE')


def is_recorded(command):
    """Does it record something, so that it has a number in its command buffer
    (chassis/recorded.h)?"""
    return command.name.startswith('vkCmd') and command.params[0].type == 'VkCommandBuffer'


def may_lose_device(m, command):
    """Can a device's command answer that the device is lost? vkCreateDevice means another
    device."""
    return m.is_device_command(command) and 'VK_ERROR_DEVICE_LOST' in command.errorCodes


# Commands called vkGet... that do more than answer: what is got is gone then, or is written where
# the program has its own bytes.
NOT_ONLY_ANSWERS = re.compile(r'PastPresentationTiming|FaultReports|OpaqueCapture|Latency')


def only_answers(m, command):
    """Does the command only fill in structures of the program? Then it is never refused: a program
    that does not look at the result, or gets none, would go on with what was in the memory."""
    if not re.match(r'vk(Get|Enumerate)', command.name) or NOT_ONLY_ANSWERS.search(command.name):
        return False
    answers = [p for p in command.params if p.pointer and not p.const]
    if not answers or any(m.is_handle(p.type) or p.type == 'void' for p in answers):
        return False
    return is_return_void(command) or (
        command.returnType == 'VkResult' and any(p.type in m.structs for p in answers)
    )


def is_return_void(command):
    return command.returnType == 'void'


def skipped_value(command):
    """Returns the answer of a call that validation stopped."""
    return {
        'VkResult': 'VK_ERROR_VALIDATION_FAILED_EXT',
        'VkBool32': 'VK_FALSE',
        'PFN_vkVoidFunction': 'NULL',
    }.get(command.returnType, 'NULL' if '*' in command.returnType else '0')


def length(item, prefix=''):
    """The number of elements of an array parameter or member, as a C expression."""
    text = item.length
    if text is None:
        return '1'
    text = text.split(',')[0]
    if not re.fullmatch(r'[\w>-]+', text):
        raise RegistryError(f'length {item.length} of {item.name} is no plain name')
    return prefix + text


def translated_structs(m):
    """Structures whose values (or what they point to or chain) can hold ids and go down to the
    driver, in the order that C needs."""
    return [
        s
        for n, s in m.structs.items()
        if m.carries_id(n) and not s.returnedOnly and n not in STRUCTS_BY_HAND
    ]


@functools.cache
def out_structs(m):
    """Returned structures that hold handles which the app has not seen yet."""
    out = {
        n
        for n, s in m.structs.items()
        if s.returnedOnly and any(m.is_id(x.type) for x in s.members)
    }
    for n, s in m.structs.items():
        if s.returnedOnly and any(x.type in out for x in s.members):
            out.add(n)
    return out


def chained(m, struct):
    """Can a structure that carries ids stand in this one's pNext chain?"""
    return any(m.carries_id(e) for e in struct.extendedBy)


def has_direct(m, struct):
    """Does the structure hold ids other than through its pNext chain?"""
    return any(
        x.objectType or m.is_id(x.type) or m.carries_id(x.type)
        for x in struct.members
        if x.name != 'pNext'
    )


def steps(m, struct):
    """C statements that replace ids by driver handles in `s`, a copy of the structure."""
    out = []
    for x in struct.members:
        if x.name == 'pNext':
            if chained(m, struct):
                cast = '' if x.const else '(void *)'
                out.append(f'if (s->pNext)\n    s->pNext = {cast}translate_chain(x, s->pNext);')
            continue
        if x.objectType:
            kind = 'debug_report' if 'DebugMarker' in struct.name else 'object_type'
            out.append(
                f's->{x.name} = translate_typed(x, '
                f'handle_type_of_{kind}(s->{x.objectType}), s->{x.name});'
            )
            continue
        if struct.union or not (m.is_id(x.type) or m.carries_id(x.type)):
            continue
        code = ''
        with changes.left_out(what=f'{struct.name}.{x.name} goes down as it is'):
            code = member_step(m, struct, x)
        if not code:
            continue
        condition = ONLY_IF.get((struct.name, x.name))
        if condition:
            code = f'if ({condition})\n    ' + code.replace('\n', '\n    ')
        out.append(code)
    return out


def member_step(m, struct, x):
    name = x.name
    fixed = x.fixedSizeArray[0] if x.fixedSizeArray else None
    stars = x.fullType.count('*')
    if m.is_id(x.type):
        if stars:
            if not x.const:
                raise RegistryError(f'{struct.name}.{name}: handles to be written')
            return f's->{name} = translate_ids(x, s->{name}, {length(x, "s->")});'
        if fixed:
            return (
                f'for (uint32_t i = 0; i < {fixed}; i++)\n    s->{name}[i] = '
                f'translate_id(s->{name}[i]);'
            )
        return f's->{name} = translate_id(s->{name});'
    inner = m.structs[x.type]
    if inner.union:
        if stars or fixed:
            raise RegistryError(f'{struct.name}.{name}: an array of unions with handles')
        return union_step(m, struct, x, inner)
    if stars == 2:
        return f's->{name} = translate_pointers_{x.type}(x, s->{name}, {length(x, "s->")});'
    if stars == 1:
        return f's->{name} = translate_{x.type}(x, s->{name}, {length(x, "s->")});'
    if fixed:
        return (
            f'for (uint32_t i = 0; i < {fixed}; i++)\n    translate_fix_{x.type}(x, &s->{name}[i]);'
        )
    return f'translate_fix_{x.type}(x, &s->{name});'


def union_step(m, struct, x, union):
    if not x.selector:
        raise RegistryError(f'{struct.name}.{x.name}: a union with handles and no selector')
    lines = [f'switch (s->{x.selector}) {{']
    for option in union.members:
        if not (m.is_id(option.type) or m.carries_id(option.type)):
            continue
        if option.fixedSizeArray or not option.selection:
            raise RegistryError(f'{union.name}.{option.name}: not selected')
        at = f's->{x.name}.{option.name}'
        lines += [f'case {value}:' for value in option.selection]
        if m.is_id(option.type):
            lines.append(
                f'    {at} = '
                + (f'translate_ids(x, {at}, 1);' if option.pointer else f'translate_id({at});')
            )
        elif option.pointer:
            lines.append(f'    {at} = translate_{option.type}(x, {at}, 1);')
        else:
            lines.append(f'    translate_fix_{option.type}(x, &{at});')
        lines.append('    break;')
    lines += ['default:', '    break;', '}']
    return '\n'.join(lines)


def pointer_arrays(m):
    """Types that are reached through an array of pointers."""
    return sorted(
        {
            x.type
            for s in translated_structs(m)
            for x in s.members
            if x.fullType.count('*') == 2 and m.carries_id(x.type)
        }
    )


class Plan:
    """How one command goes down: C for the parameters, what it creates, what it destroys."""

    def __init__(self, m, command):
        self.command = command
        self.name = command.name[2:]
        self.returns = None if is_return_void(command) else command.returnType
        self.named = named_parameters.named(m, command)
        self.translate = []  # (condition, statement)
        self.created = None  # the parameter that new handles are written to
        self.created_count = None
        self.destroyed = None
        self.adopt_structs = None
        for p in command.params:
            with changes.left_out(what=f'{command.name}.{p.name} goes down as it is'):
                self._parameter(m, command, p)

    def _parameter(self, m, command, p):
        stars = p.fullType.count('*')
        if m.is_handle(p.type) and stars and not p.const:
            self.created = p
            count = length(p)
            counter = next((q for q in command.params if q.name == p.length), None)
            self.created_count = f'*{count}' if counter is not None and counter.pointer else count
            return
        if p is self._destroyed_parameter(m, command):
            self.destroyed = p
            return
        if p.type in out_structs(m) and not p.const:
            self.adopt_structs = p
            return
        if p.objectType:
            kind = 'debug_report' if 'DebugReport' in command.name else 'object_type'
            self.translate.append(
                f'{p.name} = translate_typed(&x, handle_type_of_{kind}({p.objectType}), {p.name});'
            )
        elif m.is_id(p.type):
            if stars:
                self.translate.append(f'{p.name} = translate_ids(&x, {p.name}, {length(p)});')
            elif p.name in self.named:
                self.translate.append(
                    f'{p.name} = translate_named(call, {self.named[p.name]}, {p.name});'
                )
            else:
                self.translate.append(f'{p.name} = translate_id({p.name});')
        elif m.carries_id(p.type):
            if not p.const or stars != 1:
                if command.name not in DISPATCH_BY_HAND:
                    raise RegistryError(
                        f'{command.name}.{p.name}: handles behind a pointer that is no plain input'
                    )
            else:
                self.translate.append(f'{p.name} = translate_{p.type}(&x, {p.name}, {length(p)});')

    @staticmethod
    def _destroyed_parameter(m, command):
        handles = [p for p in command.params if m.is_handle(p.type)]
        return handles[-1] if DESTROYS.match(command.name) and len(handles) > 1 else None

    @property
    def only_ids(self):
        """Are there only handles to replace, so that nothing is copied and nothing can fail?"""
        return all(re.match(r'\w+ = translate_(id|named)\(', t) for t in self.translate)

    @property
    def by_hand(self):
        return self.command.name in DISPATCH_BY_HAND

    @property
    def works(self):
        """Does the layer have something to do for this command even if no validator hooks it?"""
        return bool(
            self.translate or self.created or self.destroyed or self.adopt_structs or self.by_hand
        )

    def has_allocator(self):
        return any(p.name == 'pAllocator' for p in self.command.params)

    def creation_condition(self):
        checks = []
        if self.returns == 'VkResult' and not PARTIAL.match(self.command.name):
            checks.append('call->result >= 0')
        checks.append(f'{self.created.name}')
        return ' && '.join(checks)

    def parent(self, m):
        """C for the object that the new one comes from, and whether it dies with it."""
        kind = self.created.type
        if kind in POOLS:
            pool, member = POOLS[kind]
            return f'call_find(call, pAllocateInfo->{member}, {m.handle_constant(pool)})', True
        if self.command.name == 'vkGetSwapchainImagesKHR':
            return 'call_find(call, swapchain, HANDLE_SWAPCHAIN_KHR)', True
        if kind == 'VkDisplayModeKHR':
            return 'call_find(call, display, HANDLE_DISPLAY_KHR)', False
        return 'call->object', False

    def down_arguments(self, m):
        """The arguments of the call down: what is destroyed has been looked up and taken out of the
        table by then."""
        out = []
        counted = length(self.destroyed) if self.destroyed and self.destroyed.pointer else None
        for p in self.command.params:
            if p is self.destroyed:
                out.append(
                    f'({p.fullType})dying.drivers' if p.pointer else f'({p.type})dying.driver'
                )
            elif p.name == counted:
                out.append('dying.driver_count')
            else:
                out.append(p.name)
        return ', '.join(out)

    def deferred(self):
        return (
            next(
                (
                    p
                    for p in self.command.params
                    if p.type == 'VkDeferredOperationKHR' and not p.pointer
                ),
                None,
            )
            if not re.search('DeferredOperation', self.command.name)
            else None
        )


def plans(m):
    hand_tables.check(m, TABLES)
    return [Plan(m, c) for c in m.commands.values() if c.name not in BY_HAND]


# Commands that programs give many times a frame. Their entries are compiled for speed, all others
# for size: an entry of those costs some more instructions, beside what the driver does for it.
HOT = re.compile(
    r'vkCmd|vk(Begin|End|Reset)CommandBuffer$|vkQueue(Submit|Present|BindSparse)|'
    r'vk(Allocate|Free)(Memory|DescriptorSets|CommandBuffers)$|'
    r'vkUpdateDescriptorSet|vkReset(Fences|CommandPool|DescriptorPool|QueryPool)|'
    r'vk(Wait\w*|Get|Signal)(Fence|Semaphore)|'
    r'vk(Create|Destroy)(Buffer|BufferView|Image|ImageView|Sampler|Framebuffer|'
    r'DescriptorPool|DescriptorSetLayout|Fence|Semaphore|Event)$|'
    r'vk(Map|Unmap|Flush|Invalidate|Bind)\w*Memory|vkGet\w*(DeviceAddress|'
    r'MemoryRequirements)|vkGetDescriptorEXT$|vkGetEventStatus$|vkAcquireNextImage'
)
# Vendors' commands, and those that only name things or start long work, are never many.
RARE = re.compile(
    r'(NV|NVX|AMD|AMDX|ARM|QCOM|HUAWEI|INTEL|IMG|VALVE|SEC|GOOGLE|FUCHSIA|QNX|OHOS|NN|GGP|'
    r'MVK|ANDROID)$|Video|OpticalFlow'
)


def plans_of_part(m, part, parts):
    """Returns the plans of one of PARTS files: the first half holds the hot commands, the second
    all others."""
    hot, rare = [], []
    for plan in plans(m):
        (
            hot if HOT.match(plan.command.name) and not RARE.search(plan.command.name) else rare
        ).append(plan)
    half = parts // 2
    return hot[part::half] if part < half else rare[part - half :: half]
