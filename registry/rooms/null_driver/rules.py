"""Decides, for the null driver, which plausible value stands in each output structure, and what a
command does that is not written by hand.

A command whose behaviour stands in tests/null-driver/*.c is recognised by its definition there
(`VKAPI_CALL null_Foo(`); every other command gets a body from its parameters' shape. A shape that
no rule covers fails the generation."""

import functools
import glob
import os
import re

from model import changes, hand_tables
from model.hand_tables import MEMBER, NAME, WHY, WORD, C
from model.places import ROOT
from model.registry import RegistryError

SOURCES = os.path.join(ROOT, 'tests/null-driver/*.c')

# Types of parameters that point into a window system: inputs, though not const.
PLATFORM_TYPES = {'Display', 'xcb_connection_t', 'wl_display'}

# Output values that do not follow from a member's type and name.
VALUES = hand_tables.read_pairs('registry/rooms/null_driver/values.toml', {'values': C})['values']

EXCEPTIONS = hand_tables.read(
    'registry/rooms/null_driver/exceptions.toml',
    {
        'empty': {'of': NAME, 'why': WHY},
        'only_when': {'of': MEMBER, 'by': WORD, 'guard': WORD, 'values': C, 'why': WHY},
        'not_checked': {'of': MEMBER, 'why': WHY},
        'not_checked_command': {'of': NAME, 'why': WHY},
    },
)
EMPTY = {row.of for row in EXCEPTIONS['empty']}
# Members that are ignored unless a sibling has one of these values.
ONLY_WHEN = {row.of: (row.by, row.guard, row.values.split()) for row in EXCEPTIONS['only_when']}
NOT_CHECKED = {row.of for row in EXCEPTIONS['not_checked']}
NOT_CHECKED_COMMANDS = {row.of for row in EXCEPTIONS['not_checked_command']}


# --- commands -------------------------------------------------------------------------------------


@functools.cache
def handwritten():
    found = set()
    for path in glob.glob(SOURCES):
        with open(path, encoding='utf-8') as f:
            found.update('vk' + name for name in re.findall(r'VKAPI_CALL\s+null_(\w+)\(', f.read()))
    return found


def check_handwritten(m):
    unknown = handwritten() - set(m.commands)
    if unknown:
        changes.note(
            'registry/rooms/null_driver/rules.py:1',
            (
                f'tests/null-driver defines commands that the registry does not have: '
                f'{sorted(unknown)}'
            ),
        )
    return ''


def c_name(command):
    return command.name.removeprefix('vk')


def parameters(command):
    text = command.cPrototype
    return re.sub(r'\s+', ' ', text[text.index('(') + 1 : text.rindex(')')]).strip()


def arguments(command):
    return ', '.join(p.name for p in command.params)


def prototype(command, prefix='null_'):
    return (
        f'VKAPI_ATTR {command.returnType} VKAPI_CALL '
        f'{prefix}{c_name(command)}({parameters(command)})'
    )


def is_out(p):
    return p.pointer and not p.const and p.type not in PLATFORM_TYPES


def object_type(m, p):
    return m.object_type(p.type)


def has_stype(m, type_name):
    struct = m.structs.get(type_name)
    return struct is not None and bool(struct.members) and struct.members[0].name == 'sType'


def handle_outputs(m, command):
    """The output array of handles that a creating or allocating command writes, and the count of
    it; (None, None) if it is none."""
    for p in command.params:
        if (
            is_out(p)
            and m.is_handle(p.type)
            and not any(q.name == p.length and q.pointer for q in command.params)
        ):
            return p, (p.length or '1')
    return None, None


def body(m, command):
    """The statements of a command that has no hand-written behaviour."""
    with changes.left_out(what=command.name):
        return _body(m, command)
    return {'void': [], 'VkResult': ['return VK_ERROR_FEATURE_NOT_PRESENT;']}.get(
        command.returnType, ['return 0;']
    )


def _body(m, command):
    name = command.name
    if name.startswith('vkCmd'):
        return _returning(m, command)
    destroyed = re.match(r'vk(Destroy|Release)\w+', name) and any(
        p.name == 'pAllocator' for p in command.params
    )
    if destroyed and m.is_id(command.params[1].type):
        p = command.params[1]
        return [f'object_free({p.name}, {object_type(m, p)});'] + _returning(m, command)
    lines = []
    counts = {
        p.name: p
        for p in command.params
        if is_out(p)
        and p.type in ('uint32_t', 'size_t')
        and any(q.length == p.name for q in command.params)
    }
    for p in command.params[1:]:
        if not is_out(p) or p.name in counts or name.startswith('vkSet'):
            continue
        if p.length in counts:
            lines += _enumerated(m, command, p)
        elif m.is_handle(p.type):
            lines.append(f'if (!objects_new({object_type(m, p)}, {p.length or 1}, {p.name}))')
            lines.append('    return VK_ERROR_OUT_OF_HOST_MEMORY;')
        elif p.type == 'VkBaseOutStructure' or has_stype(m, p.type):
            if p.length:
                raise RegistryError(
                    f'{name}: {p.name} is an array of structures and must be written by hand'
                )
            lines.append(f'out_chain({p.name});')
        elif p.type == 'void' and p.length:
            lines.append(f'memset({p.name}, 0, {p.length});')
        elif p.type == 'void' and 'OpaqueCaptureDescriptorData' in name:
            lines.append(f'memset({p.name}, 0, OPAQUE_DATA_SIZE);')
        elif p.type == 'void':
            raise RegistryError(
                f'{name}: nothing says how large {p.name} is; it must be written by hand'
            )
        elif p.type == 'VkBool32':
            lines.append(f'*{p.name} = VK_TRUE;')
        elif p.length:
            lines.append(f'memset({p.name}, 0, sizeof(*{p.name}) * {p.length});')
        else:
            lines.append(f'memset({p.name}, 0, sizeof(*{p.name}));')
    return lines + _returning(m, command)


def _enumerated(m, command, p):
    count = p.length
    if p.type == 'void':
        return (
            [f'VkResult result = blob_read({count}, {p.name});']
            if command.returnType == 'VkResult'
            else [f'blob_read({count}, {p.name});']
        )
    counter = next(q for q in command.params if q.name == count)
    if counter.type != 'uint32_t':
        raise RegistryError(f'{command.name}: counted by {counter.type}')
    total = 0 if command.name in EMPTY else 1
    arrays = [q for q in command.params if q.length == count]
    keep = 'VkResult result = ' if command.returnType == 'VkResult' and p is arrays[0] else ''
    stype = 'true' if has_stype(m, p.type) else 'false'
    # A second array of the same count is filled before the count is changed for the first.
    if p is not arrays[0]:
        return []
    lines = [
        f'if ({q.name} && *{count})\n        out_items({q.name}, {total}, sizeof(*{q.name}), '
        f'{"true" if has_stype(m, q.type) else "false"});'
        for q in arrays[1:]
    ]
    return lines + [f'{keep}enumerate_out({count}, {p.name}, {total}, sizeof(*{p.name}), {stype});']


def _returning(m, command):
    kind = command.returnType
    if kind == 'void':
        return []
    if kind == 'VkResult':
        counts = {p.name for p in command.params if is_out(p) and p.type in ('uint32_t', 'size_t')}
        if not command.name.startswith('vkCmd') and any(p.length in counts for p in command.params):
            return ['return result;']
        deferred = next(
            (
                p.name
                for p in command.params
                if p.type == 'VkDeferredOperationKHR' and not p.pointer
            ),
            None,
        )
        if deferred:
            return [f'return deferred_result({command.params[0].name}, {deferred});']
        return ['return VK_SUCCESS;']
    if kind == 'VkBool32':
        return ['return VK_TRUE;']
    if kind in ('VkDeviceAddress', 'VkDeviceSize', 'uint64_t', 'uint32_t'):
        return ['return 64;']
    changes.note('registry/rooms/null_driver/rules.py:1', f'{command.name}: returns {kind}')
    return ['return 0;']


def can_fail(command):
    return command.returnType == 'VkResult'


def table(m):
    """Every command that has an entry, sorted by name as strcmp does: (name, root command,
    level)."""
    rows = []
    for name in sorted(m.all_commands):
        root = m.commands[m.root_command(name)]
        if m.is_global(root):
            level = 'LEVEL_GLOBAL'
        elif m.is_device_command(root):
            level = 'LEVEL_DEVICE'
        elif root.params[0].type == 'VkPhysicalDevice':
            level = 'LEVEL_PHYSICAL_DEVICE'
        elif root.params[0].type == 'VkInstance':
            level = 'LEVEL_INSTANCE'
        else:
            level = 'LEVEL_DEVICE'  # a command of a non-dispatchable child of a device
        rows.append((name, root, level))
    return rows


def only_extension(m, name):
    """The one extension without which there is no such command, as a C string; NULL for the
    others."""
    command = m.all_commands[name]
    return (
        f'"{command.extensions[0]}"'
        if command.version is None and len(command.extensions) == 1
        else 'NULL'
    )


# --- output structures ----------------------------------------------------------------------------

PROPERTIES = 'VkPhysicalDeviceProperties2'
FEATURES = 'VkPhysicalDeviceFeatures2'


class OutStruct:
    def __init__(self, name, stype, members, kind):
        self.name = name
        self.stype = stype
        self.members = members
        self.kind = kind  # 'features', 'properties' or 'other'

    def var(self):
        return 'out_' + self.name.removeprefix('Vk')


def out_structs(m):
    """Every structure with an sType that a command may write, sorted by the value of its sType."""
    names = {n for n, s in m.structs.items() if s.returnedOnly}
    heads = {p.type for c in m.commands.values() for p in c.params if is_out(p)}
    names |= heads
    for n in list(names):
        if n in m.structs:
            names |= {e for e in m.structs[n].extendedBy}
    values = {f.name: f.value for f in m.enums['VkStructureType'].fields}
    result = []
    for n in m.structs:
        if n not in names or not has_stype(m, n) or not m.structs[n].sType:
            continue
        struct = m.structs[n]
        if FEATURES in struct.extends or n == FEATURES:
            kind = 'features'
        elif PROPERTIES in struct.extends or n == PROPERTIES:
            kind = 'properties'
        elif (
            not struct.returnedOnly
            and n not in heads
            and not any(m.structs[e].returnedOnly for e in struct.extends)
        ):
            continue
        else:
            kind = 'other'
        if n == FEATURES:
            members = m.structs['VkPhysicalDeviceFeatures'].members
        else:
            members = struct.members[2:]
        result.append(OutStruct(n, struct.sType, [x for x in members if not x.pointer], kind))
    return sorted(result, key=lambda s: values[s.stype])


def all_bits(m, flags_type):
    bitmask = m.bitmasks.get(m.flags[flags_type].bitmaskName or '')
    if bitmask is None:
        return None
    bits = 0
    for flag in bitmask.flags:
        if not flag.multiBit and not flag.zero:
            bits |= flag.value
    return f'{bits:#x}ull' if bitmask.bitWidth == 64 else f'{bits:#x}'


def value(m, struct, member):
    """The C initialiser of a member that differs from zero, or None."""
    for key in (
        f'{struct.name}.{member.name}',
        member.name
        if struct.kind == 'properties'
        or re.search('Video', struct.name)
        or re.fullmatch('[MNK](Size|Granularity)|optimalImageTransferToQueueFamilies', member.name)
        else '',
        member.type,
    ):
        if key in VALUES:
            return VALUES[key]
    describing = struct.kind == 'properties' or re.search(
        r'Capabilities|VideoFormatProp|QueueFamily', struct.name
    )
    if not describing:
        return None
    if member.type == 'VkBool32':
        return 'VK_TRUE'
    if member.type in m.flags:
        return all_bits(m, member.type) if 'reate' not in member.name else None
    if member.type in m.enums:
        fields = sorted((f.value, f.name) for f in m.enums[member.type].fields if f.value >= 0)
        return fields[0][1] if fields else None
    if member.type in ('VkExtent2D', 'VkExtent3D'):
        one, many = (
            ('{1, 1}', '{64, 64}') if member.type == 'VkExtent2D' else ('{1, 1, 1}', '{64, 64, 64}')
        )
        return many if member.name.startswith('max') else one
    if member.type in ('uint32_t', 'uint64_t', 'VkDeviceSize', 'size_t', 'int32_t', 'int64_t'):
        number = _number(member)
        dims = member.fixedSizeArray
        if dims:
            if 'WorkGroupCount' in member.name:
                return '{65535, 65535, 65535}'
            if 'WorkGroupSize' in member.name:
                return '{1024, 1024, 64}'
            return None
        return number
    return None


def _number(member):
    name = member.name
    kind = member.limitType or ''
    if 'Mask' in name:
        return '0xff'
    if 'Align' in name:
        return '64'
    if 'Granularity' in name:
        return '1'
    if 'Bits' in name:
        return '8'
    if 'CaptureReplay' in name:
        return 'OPAQUE_DATA_SIZE'
    if 'DescriptorSize' in name or 'escriptorSize' in name:
        return '64'
    if 'Invocations' in name:
        return '1024'
    if name.startswith('min'):
        return '1'
    if 'Descriptor' in name or 'Update' in name:
        return '1u << 20'
    if 'LongVector' in name or name == 'maxVectorComponents' or 'Components' in name:
        return '1024'
    if name.startswith('max') and member.type in ('uint64_t', 'VkDeviceSize', 'int64_t'):
        return '1ll << 32' if member.type == 'int64_t' else '1ull << 32'
    if name.startswith('max'):
        return '65536'
    if 'Size' in name:
        return '64'
    if kind in ('noauto', '') or name.endswith('Count'):
        return '1'
    return '64'


KINDS = {
    'VkBool32': 'VALUE_U32',
    'uint32_t': 'VALUE_U32',
    'int32_t': 'VALUE_U32',
    'float': 'VALUE_FLOAT',
    'uint64_t': 'VALUE_U64',
    'int64_t': 'VALUE_U64',
    'VkDeviceSize': 'VALUE_U64',
    'size_t': 'VALUE_U64',
    'char': 'VALUE_STRING',
    'uint8_t': 'VALUE_BYTES',
    'VkExtent2D': 'VALUE_U32',
}


def value_kind(m, member):
    """How a JSON value is stored in the member, or None where no JSON value can be."""
    if member.type in KINDS:
        return KINDS[member.type]
    if member.type in m.flags:
        return 'VALUE_U64' if m.flags[member.type].bitWidth == 64 else 'VALUE_U32'
    if member.type in m.enums or member.type in m.bitmasks:
        return 'VALUE_U32'
    if re.fullmatch(r'StdVideo\w+Level(Idc)?', member.type):
        return 'VALUE_U32'
    return None


def value_count(member):
    if member.type == 'VkExtent2D':
        return 2
    if not member.fixedSizeArray:
        return 1
    return ' * '.join(member.fixedSizeArray)


def limit_members(m):
    return m.structs['VkPhysicalDeviceLimits'].members


# --- formats --------------------------------------------------------------------------------------


def formats(m):
    """(value, name, block size, block extent, flags, planes) of every format, sorted by value."""
    values = {f.name: f.value for f in m.enums['VkFormat'].fields}
    rows = []
    for name, f in m.vk.formats.items():
        if name not in values:
            continue
        kinds = {c.numericFormat for c in f.components}
        parts = {c.type for c in f.components}
        flags = []
        if 'D' in parts:
            flags.append('FORMAT_DEPTH')
        if 'S' in parts:
            flags.append('FORMAT_STENCIL')
        if f.compressed:
            flags.append('FORMAT_COMPRESSED')
        if f.chroma or f.planes:
            flags.append('FORMAT_YCBCR')
        if kinds & {'SINT', 'UINT', 'SINT64', 'UINT64', 'BOOL'} and not parts & {'D', 'S'}:
            flags.append('FORMAT_INTEGER')
        if (
            len(f.components) == 1
            and f.blockSize in (4, 8)
            and kinds & {'SINT', 'UINT', 'SINT64', 'UINT64', 'SFLOAT'}
            and 'D' not in parts
        ):
            flags.append('FORMAT_ATOMIC')
        extent = [int(x) for x in f.blockExtent] or [2 if f.chroma and not f.planes else 1, 1, 1]
        planes = []
        for plane in f.planes:
            compatible = m.vk.formats.get(plane.compatible)
            planes.append(
                (
                    plane.widthDivisor,
                    plane.heightDivisor,
                    compatible.blockSize if compatible else f.blockSize,
                )
            )
        rows.append((values[name], name, f.blockSize, extent, ' | '.join(flags) or '0', planes))
    return sorted(rows)


# --- handles that a checking null driver looks at -------------------------------------------------


def is_checked_handle(m, type_name):
    return m.is_id(type_name) or type_name == 'VkCommandBuffer'


@functools.cache
def _checked_structs(m):
    found = set()
    while True:
        before = len(found)
        for name, struct in m.structs.items():
            if name in found or struct.returnedOnly:
                continue
            if any(
                is_checked_handle(m, x.type) or x.objectType or x.type in found
                for x in struct.members
            ) or any(e in found for e in struct.extendedBy):
                found.add(name)
        if len(found) == before:
            return sorted(found)


class Checked:
    """One member to look at: where, what, how many, and when."""

    def __init__(self, offset, kind, what, indirection, count, guard, name):
        self.offset = offset
        self.kind = kind  # CHECK_HANDLE, CHECK_STRUCT, CHECK_TYPED
        self.what = what  # an object type, a structure's index, the offset of an object type
        self.indirection = indirection  # 0 inline, 1 pointer, 2 pointer to pointers
        self.count = count  # ('fixed', n) or ('at', offset)
        self.guard = guard  # (offset, kind, value)
        self.name = name


def checked_structs(m):
    """[(struct, [Checked])]: what a checking driver walks through; the index of a structure is its
    place here."""
    hand_tables.check(m, EXCEPTIONS)
    names = _checked_structs(m)
    index = {n: i for i, n in enumerate(names)}
    return [(m.structs[n], _checked_members(m, n, index)) for n in names]


def _checked_members(m, name, index):
    struct = m.structs[name]
    result = []
    if struct.union:
        return result  # a union's members are looked at through the structure that has the selector
    for x in struct.members:
        if (name, x.name) not in NOT_CHECKED and x.name != 'pNext':
            with changes.left_out(what=f'{name}.{x.name}'):
                result += _checked_member(m, struct, x, index)
    return result


def _checked_member(m, struct, x, index):
    name, result = struct.name, []
    column, kind, values = ONLY_WHEN.get((name, x.name), (None, 'GUARD_NONE', ['0']))
    guards = [(f'offsetof({name}, {column})' if column else '0', kind, v) for v in values]
    inner = m.structs.get(x.type)
    if inner is not None and inner.union and x.type in index and not x.pointer and x.selector:
        for part in inner.members:
            guards = [(f'offsetof({name}, {x.selector})', 'GUARD_EQUAL', v) for v in part.selection]
            result += _checked(m, f'{name}', f'{x.name}.{part.name}', part, index, guards, None)
    elif not (inner is not None and inner.union):
        result += _checked(m, name, x.name, x, index, guards, struct)
    return result


def _checked(m, name, path, x, index, guards, struct):
    if x.objectType:
        what, kind = f'offsetof({name}, {x.objectType})', 'CHECK_TYPED'
    elif is_checked_handle(m, x.type):
        what, kind = m.object_type(x.type), 'CHECK_HANDLE'
    elif x.type in index:
        what, kind = str(index[x.type]), 'CHECK_STRUCT'
    else:
        return []
    count = ('fixed', '1')
    if x.fixedSizeArray:
        count = ('fixed', ' * '.join(x.fixedSizeArray))
    elif x.pointer and x.length and struct is not None:
        lengths = x.length.split(',')
        counter = next((y for y in struct.members if y.name == lengths[0]), None)
        if counter is None or counter.type != 'uint32_t':
            raise RegistryError(f'{name}.{x.name}: counted by {x.length}')
        count = ('at', f'offsetof({name}, {counter.name})')
    indirection = x.cDeclaration.count('*')
    return [
        Checked(f'offsetof({name}, {path})', kind, what, indirection, count, g, path)
        for g in guards
    ]


def checks(m, command):
    """The statements that look at the handles of a command's inputs."""
    if command.name in NOT_CHECKED_COMMANDS:
        return []
    index = {n: i for i, n in enumerate(_checked_structs(m))}
    lines = []
    for p in command.params:
        place = f'COMMAND_{c_name(command)}, "{p.name}"'
        if p.objectType:
            lines.append(f'check_typed({place}, {p.name}, (VkObjectType){p.objectType});')
        elif is_checked_handle(m, p.type) and not p.pointer:
            lines.append(f'check_handles({place}, &{p.name}, 1, {m.object_type(p.type)});')
        elif is_checked_handle(m, p.type) and p.const:
            lines.append(
                f'check_handles({place}, {p.name}, {p.length or 1}, {m.object_type(p.type)});'
            )
        elif p.type in index and p.const and p.pointer and p.fullType.count('*') == 1:
            lines.append(f'check_structs({place}, {p.name}, {p.length or 1}, {index[p.type]});')
    return lines
