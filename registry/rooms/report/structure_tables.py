"""Structures and parameters as data: what src/report/names/structures.c prints values from, and
what features and limits are found in.

Each member becomes one descriptor: its name, what kind of value it holds, in which shape (one, an
array in place, behind a pointer ...)."""

import functools

from model import changes, value_tables
from rooms.chassis.rules import ONLY_IF
from rooms.stateless.exceptions import DESCENTS

# C types that are numbers, and how they are best read.
NUMBERS = {
    'uint8_t': 'UNSIGNED',
    'uint16_t': 'UNSIGNED',
    'uint32_t': 'UNSIGNED',
    'uint64_t': 'UNSIGNED',
    'size_t': 'UNSIGNED',
    'VkDeviceSize': 'UNSIGNED',
    'int': 'SIGNED',
    'int8_t': 'SIGNED',
    'int16_t': 'SIGNED',
    'int32_t': 'SIGNED',
    'int64_t': 'SIGNED',
    'float': 'FLOAT',
    'double': 'FLOAT',
    'VkDeviceAddress': 'BITS',
    'VkSampleMask': 'BITS',
    'VkFlags': 'BITS',
    'VkFlags64': 'BITS',
    'Window': 'BITS',
    'xcb_window_t': 'BITS',
    'VisualID': 'BITS',
    'xcb_visualid_t': 'BITS',
    'RROutput': 'BITS',
}

LIMITS = ('NONE', 'MIN', 'MAX', 'BITMASK', 'BITS', 'EXACT', 'RANGE', 'NOAUTO', 'STRUCT')


class Descriptor:
    """One member or parameter. `kind`, `shape`, `limit`: words of the enums in
    src/report/names/structures.h; `type`: C for the field of that name; `length`: C for the number
    of elements, or the index of the member that holds it."""

    def __init__(self, name, kind, shape='ONE', type='0', length='0', limit='NONE', offset=None):
        self.name = name
        self.kind = kind
        self.shape = shape
        self.type = type
        self.length = length
        self.limit = limit
        self.offset = offset


class StructureTables:
    """structures   the registry's structures and unions, sorted by name
    descriptors  structure name -> [Descriptor]; members that are bit fields have none
    parameters   command name -> [Descriptor]"""

    def __init__(self, m):
        self.m = m
        self.values = value_tables.tables(m)
        self.aliases = {a: n for n, s in m.structs.items() for a in s.aliases}
        self.handle_aliases = {a: n for n, h in m.handles.items() for a in h.aliases}
        self.structures = [m.structs[n] for n in sorted(m.structs)]
        self.descriptors = {s.name: self._members(s) for s in self.structures}
        self.parameters = {c.name: self._parameters(c) for c in m.commands.values()}
        self.strings = [s.name for s in self.structures] + [
            d.name
            for ds in list(self.descriptors.values()) + list(self.parameters.values())
            for d in ds
        ]
        self.chained = sorted(
            ((m.all_structure_types[s.sType], s.name) for s in self.structures if s.sType)
        )

    def _members(self, struct):
        plain = [x for x in struct.members if not x.bitFieldWidth]
        out = []
        for x in plain:
            followed = (
                not x.noAutoValidity
                and (struct.name, x.name) not in ONLY_IF
                and (struct.name, x.name) not in DESCENTS
            )
            d = self._descriptor(
                plain, x, followed and not struct.union and not struct.returnedOnly
            )
            d.offset = f'offsetof({struct.name}, {x.name})'
            out.append(d)
        return out

    def _parameters(self, command):
        """Parameters lie one behind the other in words of 64 bits."""
        out = []
        for i, p in enumerate(command.params):
            d = self._descriptor(command.params, p, not p.noAutoValidity)
            if d.shape == 'FIXED':  # an array parameter is a pointer
                d.shape = 'POINTER_FIXED'
            d.offset = str(i * 8)
            out.append(d)
        return out

    def _descriptor(self, siblings, x, followed):
        limit = (getattr(x, 'limitType', None) or 'none').split(',')[0].upper()
        if limit not in LIMITS:
            changes.note(
                'registry/rooms/report/structure_tables.py:1',
                f'{x.name}: unknown kind of limit {x.limitType}',
            )
            limit = 'NONE'
        kind, type_ = self._kind(x)
        shape, length = 'ONE', '0'
        stars = x.fullType.count('*')
        if stars == 0 and x.fixedSizeArray:
            shape, length = 'FIXED', '*'.join(x.fixedSizeArray)
        elif stars:
            shape, length = (
                self._pointer(siblings, x, kind, stars) if followed else ('ADDRESS', '0')
            )
        if x.name == 'pNext':
            shape = 'CHAIN'
        return Descriptor(x.name, kind, shape, type_, length, limit)

    def _pointer(self, siblings, x, kind, stars):
        index = next(
            (i for i, s in enumerate(siblings) if s.name == x.length and '*' not in s.fullType),
            None,
        )
        if not x.const or kind == 'OPAQUE' or stars > 2 or (stars == 2 and not x.nullTerminated):
            return 'ADDRESS', '0'
        if x.nullTerminated:
            if stars == 1:
                return 'STRING', '0'
            return ('STRINGS', str(index)) if index is not None else ('ADDRESS', '0')
        if x.length is None:
            return 'POINTER', '0'
        if x.length.isdigit():
            return 'POINTER_FIXED', x.length
        return ('POINTER_ARRAY', str(index)) if index is not None else ('ADDRESS', '0')

    def _kind(self, x):
        """The enum member_kind and the C of `type`: whose meaning depends on the kind."""
        m, name = self.m, x.type
        name = self.aliases.get(name, self.handle_aliases.get(name, name))
        if name.startswith('PFN_'):
            return 'BITS', 'sizeof(void *)'
        if name == 'VkBool32':
            return 'BOOL', '4'
        if name == 'char':
            return 'CHAR', '1'
        if name in m.structs:
            return 'STRUCTURE', f'STRUCTURE_{name}'
        if name in m.handles:
            return 'HANDLE', m.handle_constant(name)
        if name in self.values.constants:
            wide = any(
                name in [f.name] + f.aliases and f.bitWidth == 64 for f in m.flags.values()
            ) or any(name == b.name and b.bitWidth == 64 for b in m.bitmasks.values())
            return ('VALUE64' if wide else 'VALUE32'), self.values.constants[name]
        flags = next((f for f in m.flags.values() if name in [f.name] + f.aliases), None)
        if flags:
            return 'BITS', f'sizeof({name})'
        if name in NUMBERS:
            kind = 'BITS' if getattr(x, 'objectType', None) else NUMBERS[name]
            return kind, f'sizeof({name})'
        if (
            '*' not in x.fullType
            and not name.startswith('StdVideo')
            and name != 'VkRemoteAddressNV'
        ):
            changes.note(
                'registry/rooms/report/structure_tables.py:1', f'{x.name}: unknown type {name}'
            )
        return 'OPAQUE', '0'


@functools.cache
def tables(m):
    return StructureTables(m)
