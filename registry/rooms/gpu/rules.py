"""Templates of the gpu room need these: the hooks that its sources define, and the commands that
run shaders."""

from model import hand_tables
from model.hand_tables import MEMBER, NAME, WHY, WORD, C
from rooms.chassis.rules import may_lose_device
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

TABLES = hand_tables.read(
    'registry/rooms/gpu/exceptions.toml',
    {
        'action': {'of': NAME, 'point': C, 'why': WHY},
        'marked': {'of': NAME, 'why': WHY},
        'own_markers': {'of': WORD, 'why': WHY},
        'idle_wait': {'of': NAME, 'function': WORD, 'why': WHY},
        'copied': {'of': NAME, 'why': WHY},
        'dropped': {'of': NAME, 'why': WHY},
        'known_handles': {'of': NAME, 'why': WHY},
        'cleaned': {'of': NAME, 'why': WHY},
        'cleaned_member': {'of': MEMBER, 'why': WHY},
        'bytes': {'of': MEMBER, 'size': WORD, 'why': WHY},
    },
)
UNFOLLOWED = 'BIND_POINTS'  # actions of which only the number is noted
MARKED = {row.of for row in TABLES['marked']}
OWN_MARKERS = [row.of for row in TABLES['own_markers']]
# Command without vk -> function.
IDLE_WAITS = {row.of.removeprefix('vk'): row.function for row in TABLES['idle_wait']}
COPIED_ROOTS = tuple(row.of for row in TABLES['copied'])
_DROPPED = {row.of for row in TABLES['dropped']}
_KNOWN_HANDLES = {*COPIED_ROOTS, *(row.of for row in TABLES['known_handles'])}
# (structure, member, or None for all).
_CLEANED = {(row.of, None) for row in TABLES['cleaned']}
_CLEANED |= {row.of for row in TABLES['cleaned_member']}
# (structure, member) -> the member with the number of bytes.
_BYTES = {row.of: row.size for row in TABLES['bytes']}
# Tables whose keys are parts of names.
_OF_PARTS = ('action', 'own_markers')


def actions(m):
    """{'vkCmdDraw': the bind point in C}: commands that run shaders of a pipeline, in the
    registry's order."""
    hand_tables.check(m, {name: rows for name, rows in TABLES.items() if name not in _OF_PARTS})
    longest_first = sorted(TABLES['action'], key=lambda row: -len(row.of))
    found = {}
    for name in m.commands:
        row = next((row for row in longest_first if name.startswith(row.of)), None)
        if row:
            found[name] = row.point
    return found


def marked(m):
    """Commands that do something on the device, and that markers are written around
    (src/gpu/breadcrumbs/breadcrumbs.h), in the registry's order."""
    return [
        c
        for c in m.commands.values()
        if c.name.startswith('vkCmd')
        and c.params[0].type == 'VkCommandBuffer'
        and not any(part in c.name for part in OWN_MARKERS)
        and ('action' in (c.tasks or []) or c.name in MARKED)
    ]


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
