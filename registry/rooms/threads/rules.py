"""Finds the objects that a program must not use on two threads at once, for each call: every
externsync of the registry, explicit and implicit, for the templates of src/threads. A sentence
about implicit parameters that is not known here fails the generation."""

import functools
import re
from dataclasses import dataclass, field

from model import changes, hand_tables, named_parameters
from model.hand_tables import NAME, TEXT, WHY, WORD, C
from rooms.chassis import rules as rules_chassis

TABLES = hand_tables.read(
    'registry/rooms/threads/exceptions.toml',
    {
        'maybe': {'of': NAME, 'needs': WORD, 'why': WHY},
        'maybe_in': {'of': NAME, 'type': NAME, 'needs': WORD, 'why': WHY},
        'implicit': {'of': TEXT, 'visit': C.or_nothing(), 'why': WHY},
        'named': {'of': NAME, 'visit': C, 'why': WHY},
        'unhooked': {'of': NAME, 'why': WHY},
    },
)
# (command, or None for any; handle type) -> C predicate of src/state.
MAYBE = {(None, row.of): row.needs for row in TABLES['maybe']}
MAYBE |= {(row.of, row.type): row.needs for row in TABLES['maybe_in']}
# Sentences of the implicit parameters -> what visits them, or None.
IMPLICIT = {row.of: row.visit for row in TABLES['implicit']}
NAMED = {row.of: row.visit for row in TABLES['named']}
UNHOOKED = {row.of for row in TABLES['unhooked']}


@dataclass
class Use:
    """One object that a call uses. `access` and `count` are C; `predicate` makes it a write only
    when true."""

    kind: str  # write, read, typed_write, struct
    name: str
    access: str
    type: str | None = None
    count: str | None = None
    predicate: str | None = None
    pointer: bool = False
    type_access: str | None = None
    members: list = field(default_factory=list)  # struct
    chain: list = field(default_factory=list)  # struct: (structure, members)


class Rules:
    def __init__(self, m):
        self.m = m
        of_names = {name: rows for name, rows in TABLES.items() if name != 'implicit'}
        hand_tables.check(m, of_names)
        self.commands = {n: c for n, c in m.commands.items() if n not in UNHOOKED}

    def predicate(self, command, handle):
        found = MAYBE.get((command.name, handle)) or MAYBE.get((None, handle))
        if not found:
            raise ValueError(f'{command.name}: which {handle} must the app synchronise?')
        return found

    def is_command_buffer(self, command):
        return command.params[0].type == 'VkCommandBuffer'

    def named(self, command, verb):
        """The parameters that the entry has looked up, for a hook of that verb: {name: which}. A
        call that has waited in the driver looks them up again."""
        blocks = rules_chassis.MAY_BLOCK.match(command.name)
        return {} if verb == 'leave' and blocks else named_parameters.named(self.m, command)

    def marked_by_entry(self, command):
        """The command buffer that is recorded, and its pool: chassis/mark.h."""
        return rules_chassis.needs_command_buffer(command)

    def hooked_before(self, command):
        """Is there anything to do before the call but what its entry does?"""
        return (
            not self.marked_by_entry(command)
            or self.uses(command)
            or self.implicit(command)
            or command.name in NAMED
        )

    def first_is_write(self, command):
        return command.params[0].externSync.name in ('ALWAYS', 'MAYBE')

    def first_predicate(self, command):
        first = command.params[0]
        return self.predicate(command, first.type) if first.externSync.name == 'MAYBE' else None

    def _count(self, x, base):
        if not x.length:
            return None
        if not re.fullmatch(r'\w+', x.length):
            raise ValueError(f'{x.name}: unknown length {x.length}')
        return base + x.length

    def _member_uses(self, command, struct, base, path):
        uses = []
        for y in struct.members:
            with changes.left_out(what=f'{struct.name}.{y.name}'):
                use = self._member_use(command, struct, y, base, path)
                if use:
                    uses.append(use)
        return uses

    def _member_use(self, command, struct, y, base, path):
        sync = y.externSync.name
        if path and path == y.name:
            sync = 'MAYBE' if self.subtype == 'SUBTYPE_MAYBE' else 'ALWAYS'
        if sync == 'NONE':
            return None
        access = base + y.name
        if y.objectType:
            sibling = next(z for z in struct.members if z.name == y.objectType)
            function = {
                'VkObjectType': 'handle_type_of_object_type',
                'VkDebugReportObjectTypeEXT': 'handle_type_of_debug_report',
            }
            return Use(
                'typed_write',
                y.name,
                access,
                type_access=f'{function[sibling.type]}({base}{sibling.name})',
            )
        if y.type in self.m.handles:
            predicate = self.predicate(command, y.type) if sync == 'MAYBE' else None
            return Use('write', y.name, access, y.type, self._count(y, base), predicate)
        raise ValueError(f'{struct.name}::{y.name}: what is synchronised?')

    def uses(self, command):
        """Returns the uses of every parameter but the first."""
        result = []
        for x in command.params[1:]:
            with changes.left_out(what=f'{command.name}.{x.name}'):
                use = self._use(command, x)
                if use:
                    result.append(use)
        return result

    def _use(self, command, x):
        sync = x.externSync.name
        if x.pointer and not x.const and x.type in self.m.handles:
            return None  # written by the driver
        if x.type in self.m.handles:
            predicate = self.predicate(command, x.type) if sync == 'MAYBE' else None
            return Use(
                'read' if sync == 'NONE' else 'write',
                x.name,
                x.name,
                x.type,
                self._count(x, ''),
                predicate,
            )
        if x.objectType and sync != 'NONE':
            raise ValueError(
                f'{command.name}: {x.name} is a handle of a type that another parameter tells'
            )
        if x.type not in self.m.structs or not x.pointer:
            return None
        self.subtype, path = sync, None
        if sync in ('SUBTYPE', 'SUBTYPE_MAYBE'):
            path = re.split(r'->|\.', x.externSyncPointer)[-1]
            if x.externSyncPointer not in (f'{x.name}->{path}', f'{x.name}[].{path}'):
                raise ValueError(f'{command.name}: unknown path {x.externSyncPointer}')
        elif sync != 'NONE':
            raise ValueError(f'{command.name}: the whole of {x.name} is synchronised')
        struct = self.m.structs[x.type]
        count = self._count(x, '')
        inner = f'{x.name}[i].' if count else f'{x.name}->'
        members = self._member_uses(command, struct, inner, path)
        if path and not any(u.name == path for u in members):
            raise ValueError(f'{command.name}: {x.externSyncPointer} is not a handle')
        chain = []
        for name in struct.extendedBy:
            extending = self.m.structs[name]
            chained = self._member_uses(
                command, extending, f'((const {name} *)(const void *)s)->', None
            )
            if chained:
                chain.append((extending, chained))
        return (
            Use('struct', x.name, x.name, x.type, count, members=members, chain=chain)
            if members or chain
            else None
        )

    def destroys_first(self, command):
        return command.name in ('vkDestroyInstance', 'vkDestroyDevice')

    def left(self, command):
        """Returns what the call lets go of when it has come back. It leaves out what it has
        destroyed: by then another thread may have a new object of the same driver handle, and the
        mark is in a slot that is not found any more."""
        gone = rules_chassis.Plan._destroyed_parameter(self.m, command)
        return [u for u in self.uses(command) if gone is None or u.name != gone.name]

    def implicit_left(self, command):
        return [] if rules_chassis.DESTROYS.match(command.name) else self.implicit(command)

    def implicit(self, command):
        """C calls with {} for enter or leave."""
        calls = []
        for text in command.implicitExternSyncParams:
            plain = re.sub(r'(ifdef|endif)::\S+\[\]', ' ', text)
            plain = re.sub(r'\s+', ' ', plain).strip()
            if plain not in IMPLICIT:
                changes.note(
                    'registry/rooms/threads/rules.py:1',
                    f'{command.name}: unknown implicit parameter "{plain}"',
                )
            elif IMPLICIT[plain]:
                calls.append(IMPLICIT[plain])
        return calls

    def _writes_some(self, uses, kinds):
        return any(
            use.kind in kinds
            or self._writes_some(use.members, kinds)
            or any(self._writes_some(members, kinds) for _, members in use.chain)
            for use in uses
        )

    def _first_is_entered(self, command):
        return self.first_is_write(command) and not self.marked_by_entry(command)

    def enters_by_name(self, command):
        """Does the before hook itself mark an object whose type the registry tells?"""
        return self._first_is_entered(command) or self._writes_some(self.uses(command), {'write'})

    def enters(self, command):
        """Does the before hook, or a function that it calls, mark anything?"""
        return (
            self._first_is_entered(command)
            or bool(self.implicit(command))
            or self._writes_some(self.uses(command), {'write', 'typed_write'})
        )

    def leaves_by_name(self, command):
        first = self._first_is_entered(command) and not self.destroys_first(command)
        return first or self._writes_some(self.left(command), {'write'})

    def writes(self, command):
        """Does the call change anything that it has to let go of afterwards?"""
        first = self._first_is_entered(command) and not self.destroys_first(command)
        return (
            first
            or bool(self.implicit_left(command))
            or self._writes_some(self.left(command), {'write', 'typed_write'})
        )


@functools.cache
def rules_of(m):
    return Rules(m)


def claims(m):
    """VUID -> (rule, note). The sentences on external synchronisation that have an id."""
    ids = {
        'VUID-vkUpdateDescriptorSets-pDescriptorWrites-06993': 'threads: dstSet, unless its layout lets bindings be updated at once',
        'VUID-vkMergePipelineCaches-dstCache-10202': 'threads: dstCache',
    }
    for v in m.vuids.values():
        if re.search(r'host access to \w+ must be externally synchronized', v.text, re.I):
            ids.setdefault(v.id, 'threads: reported as UNASSIGNED-Threading-MultipleThreads-*')
    return {i: ('threads', note) for i, note in ids.items() if i in m.vuids}
