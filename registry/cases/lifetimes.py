"""Cases for the generated tests of src/lifetimes. Each says which handle of a command or structure
is made dead, garbage, of another type or of another device, and what must then be found. The walk
is that of rooms/lifetimes/rules.py; the way to a structure is that of rooms/tests/rules.py."""

import re

from model import hand_tables
from model.hand_tables import MEMBER, NAME, STATEMENT, VUID, WHY, WORD, C
from model.registry import RegistryError
from rooms.lifetimes import rules as rules_lifetimes

TABLES = hand_tables.read(
    'registry/cases/lifetimes.toml',
    {
        'way': {'of': MEMBER, 'lines': STATEMENT.listed(), 'why': WHY},
        'chosen': {'of': MEMBER, 'vuid': VUID, 'why': WHY},
        'by_hand': {
            'of': MEMBER,
            'called': WORD.or_nothing(),
            'type': NAME,
            'lines': STATEMENT.listed(),
            'alive': VUID,
            'parent': VUID,
            'why': WHY,
        },
        'loader_follows': {'of': MEMBER, 'why': WHY},
        'ending': {'of': NAME, 'call': C, 'why': WHY},
        'second_pool': {'of': NAME, 'lines': STATEMENT.listed(), 'why': WHY},
    },
)
# (structure, member) -> statements.
WAYS = {row.of: row.lines for row in TABLES['way']}
CHOSEN = {row.of: row.vuid for row in TABLES['chosen']}
LOADER_FOLLOWS = {row.of for row in TABLES['loader_follows']}
# Handle type -> C.
ENDINGS = {row.of: row.call for row in TABLES['ending']}
SECOND_POOLS = {row.of: row.lines for row in TABLES['second_pool']}


class Handle:
    """One handle that a command's arguments hold. `lines` end with its address being returned."""

    def __init__(
        self, owner, command, name, type_name, lines, alive, parent, pool=None, instance=False
    ):
        self.owner, self.command, self.name, self.type = owner, command, name, type_name
        self.lines, self.alive, self.parent, self.pool, self.instance = (
            lines,
            alive,
            parent,
            pool,
            instance,
        )


class LifetimeCases:
    def __init__(self, tests):
        self.tests, self.m = tests, tests.m
        hand_tables.check(self.m, TABLES)
        if {row.of[0] for row in TABLES['by_hand']} != set(rules_lifetimes.HANDWRITTEN):
            raise RegistryError(
                'a structure whose walk is written by hand has no cases, or the other way round'
            )
        self.walk = rules_lifetimes.rules_of(tests.m)
        self.ids = {self.m.vuid_constant(i): i for i in self.m.message_ids}

    def _id(self, key, constant):
        if constant in self.ids:
            return self.ids[constant]
        if key in CHOSEN:
            return CHOSEN[key]
        raise RegistryError(f'{key}: which id does {constant} give?')

    @staticmethod
    def _parent(command, code):
        """The rule on the parent that the command gives, of C that may name some commands' own."""
        own = dict(re.findall(r'== COMMAND_(\w+) \? (\w+)', code or ''))
        return own.get(command.removeprefix('vk'), (code or '').split(' : ')[-1])

    def _handle(self, owner, command, item, select=()):
        """The case of one item of a walk; `select` makes the union that it is in hold it."""
        key = (owner.name, item.name)
        if key in LOADER_FOLLOWS:
            return None
        root = 'a->' if owner.is_command else 's->'
        local = lambda text: root + text.removeprefix('value->')
        access = local(item.access)
        lines = [line for line in select] + WAYS.get(key, [])
        type_name = item.type
        if item.kind == 'typed':
            sibling = local(re.search(r'\((.*)\)', item.type_access)[1])
            debug_report = 'debug_report' in item.type_access
            lines.append(
                f'SET({sibling}, '
                f'{"VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT" if debug_report else "VK_OBJECT_TYPE_BUFFER"});'
            )
            type_name = 'VkBuffer'
        if item.count is not None:
            lines.append(f'SET({local(item.count)}, 1);')
        if item.count is not None or item.pointer:
            lines += [
                f'if (!{access})',
                f'    {access} = test_handle_array(0);',
                f'return (void *)(uintptr_t){access};',
            ]
        else:
            lines.append(f'return (void *)(uintptr_t)&{access};')
        alive = self._id(key, item.alive)
        rule = self._parent(command, item.parent)
        parent = self._id(key, rule) if rule in self.ids else alive
        if item.kind == 'typed' and owner.is_command and not self.m.is_device_command(owner.item):
            parent = None  # any object of the instance's devices
        return Handle(
            owner.name,
            command,
            item.name,
            type_name,
            lines,
            alive,
            parent,
            item.pool,
            item.level == 'instance' and item.kind != 'typed',
        )

    def handles(self, name):
        """The handles of one command or structure, as cases."""
        owner = self.tests.owner(name)
        by_hand = [row for row in TABLES['by_hand'] if row.of[0] == name]
        if by_hand:
            command = self.tests.command_of(name)
            return [
                Handle(name, command, x.called or x.of[-1], x.type, x.lines, x.alive, x.parent)
                for x in by_hand
            ]
        items = (
            self.walk.command_items(owner.item)
            if owner.is_command
            else self.walk.struct_items(name)
        )
        command = self.tests.command_of(name)
        found = []
        root = 'a' if owner.is_command else 's'
        for item in items:
            if item.kind in ('handle', 'typed'):
                found.append(self._handle(owner, command, item))
            elif item.kind == 'union':
                union = owner.by_name[item.name]
                for _, case in item.cases:
                    if case.kind == 'handle':
                        inner = next(
                            x for x in self.m.structs[item.type].members if x.name == case.name
                        )
                        found.append(
                            self._handle(
                                owner, command, case, self.tests._select(name, root, union, inner)
                            )
                        )
        return [h for h in found if h]

    @property
    def owners(self):
        """Commands and structures with handles, by the command that takes them: (command, owner) in
        the registry's order."""
        if not hasattr(self, '_owners'):
            commands = set(self.tests.commands)
            reached = self.tests.rules.heads | self.tests.rules.chained
            names = [n for n in self.walk.commands if n in commands]
            names += [n for n in self.walk.structs if n in reached]
            order = {n: i for i, n in enumerate(self.tests.commands)}
            pairs = [(self.tests.command_of(n), n) for n in names]
            self._owners = sorted(
                ((c, n) for c, n in pairs if c in order and self.handles(n)),
                key=lambda p: order[p[0]],
            )
        return self._owners

    # --- objects that begin and end ---------------------------------------------------------------

    @property
    def endings(self):
        """Handle type -> (command, C arguments after `object` was declared)."""
        found = {}
        for name, command in self.m.commands.items():
            if not re.match('vk(Destroy|FreeMemory|ReleasePerformanceConfiguration)', name):
                continue
            has_allocator = command.params[-1].name == 'pAllocator'
            handle = command.params[-2 if has_allocator else -1]
            if handle is command.params[0]:
                continue
            first = 'world.device' if self.m.is_device_command(command) else 'world.instance'
            found[handle.type] = f'{name}({first}, object{", NULL" if has_allocator else ""})'
        return found | ENDINGS

    @property
    def second_pools(self):
        return SECOND_POOLS

    def first_id(self, name):
        """The rule that the first parameter be alive, or None."""
        first = self.m.commands[name].params[0]
        vuid = f'VUID-{name}-{first.name}-parameter'
        return (
            vuid
            if first.type in self.m.dispatchable
            and vuid in self.m.vuids
            and vuid not in rules_lifetimes.LOADER_ANSWERS
            else None
        )

    # --- allocators -------------------------------------------------------------------------------

    @property
    def allocators(self):
        """(command, C expression of the handle, type, id "had callbacks", id "had none") of every
        destruction that a test can make."""
        result = []
        for name, (access, handle, with_callbacks, without) in self.walk.allocators.items():
            if (
                name not in self.tests.commands
                or handle in self.m.dispatchable
                or handle not in self.tests.creators
            ):
                continue
            creator = self.m.commands[self.tests.creators[handle][0]]
            if any(p.type == 'VkAllocationCallbacks' for p in creator.params):
                result.append((name, access, handle, self.ids[with_callbacks], self.ids[without]))
        return result
