"""Cases for the generated tests of src/threads. Each says which object of a call is also in a call
of another thread, and what must then be found. The uses are those of rooms/threads/rules.py."""

import re

from model import changes, hand_tables
from model.hand_tables import NAME, STATEMENT, WHY, WORD, C
from rooms.chassis import rules as rules_chassis
from rooms.threads import rules as rules_threads

TABLES = hand_tables.read(
    'registry/cases/threads.toml',
    {
        'implicit': {'of': C, 'type': NAME.or_nothing(), 'object': C.or_nothing(), 'why': WHY},
        'unmarked': {'of': NAME, 'why': WHY},
        'made_so': {'of': WORD, 'lines': STATEMENT.listed(), 'why': WHY},
    },
)
UNMARKED = {row.of for row in TABLES['unmarked']}
# The function that visits implicit parameters -> (type, C for an object), or None.
IMPLICIT = {row.of: row.type and (row.type, row.object) for row in TABLES['implicit']}
# Predicate of rooms/threads -> lines.
MADE_SO = {row.of: row.lines for row in TABLES['made_so']}


class Use:
    """An object that a call uses. `lines` end with the address of its handle, or are None for an
    implicit parameter, whose object the call does not name: `object` is then the C expression of
    it. `fixed`: the handle there must stay what it is."""

    def __init__(self, command, name, type_name, write, lines=None, object=None, fixed=False):
        self.command, self.name, self.type, self.write, self.lines, self.object, self.fixed = (
            command,
            name,
            type_name,
            write,
            lines,
            object,
            fixed,
        )


class ThreadCases:
    def __init__(self, tests):
        self.tests, self.m = tests, tests.m
        self.walk = rules_threads.rules_of(tests.m)

    def _use(self, command, use, access, prepare):
        """One handle, in a parameter or member that is reached by `access`."""
        lines = list(prepare)
        if use.kind == 'typed_write':
            sibling = re.search(r'\((.*)\)', use.type_access)[1]
            holder = access.rsplit('->', 1)[0] if '->' in access else access.rsplit('.', 1)[0]
            separator = '->' if '->' in access else '.'
            constant = (
                'VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT'
                if 'debug_report' in use.type_access
                else 'VK_OBJECT_TYPE_BUFFER'
            )
            member = re.split(r'->|\.', sibling)[-1]
            lines += [
                f'SET({holder}{separator}{member}, {constant});',
                f'return (void *)(uintptr_t)&{access};',
            ]
            return Use(command.name, use.name, 'VkBuffer', True, lines)
        if use.count is not None:
            count = re.split(r'->|\.', use.count)[-1]
            holder = re.match(r'(.*(?:->|\.))', access)[1]
            lines += [
                f'SET({holder}{count}, 1);',
                f'if (!{access})',
                f'    SET({access}, test_handle_array(0));',
                f'return (void *)(uintptr_t){access};',
            ]
        else:
            lines.append(f'return (void *)(uintptr_t)&{access};')
        return Use(command.name, use.name, use.type, use.kind == 'write', lines)

    def _uses(self, command, use, access):
        """One parameter, with an object as it comes and where that makes a difference with one that
        needs the app's synchronisation."""
        found = [self._use(command, use, access, [])]
        if use.predicate in MADE_SO:
            found[0].write = False
            lines = MADE_SO[use.predicate] + [f'{access} = object;', f'return &{access};']
            found.append(Use(command.name, use.name, use.type, True, lines, fixed=True))
        return found

    def uses(self, name):
        """The cases of one command."""
        # A thread waits in the driver for the other one: what the layer answers itself never gets
        # there.
        if (
            name not in self.walk.commands
            or self.m.is_global(self.m.commands[name])
            or rules_chassis.ANSWERED.search(name)
        ):
            return []
        command, found = self.m.commands[name], []
        first = command.params[0]
        if (
            first.type in self.m.dispatchable
            and first.type not in UNMARKED
            and first.type != 'VkExternalComputeQueueNV'
        ):
            found.append(
                Use(
                    name,
                    first.name,
                    first.type,
                    self.walk.first_is_write(command),
                    [f'return &a->{first.name};'],
                    fixed=True,
                )
            )
            if self.walk.is_command_buffer(command) and self.walk.first_is_write(command):
                found.append(Use(name, None, 'VkCommandPool', True, object='world.pool'))
        for use in self.walk.uses(command):
            if use.kind != 'struct':
                if use.type not in UNMARKED:
                    found += self._uses(command, use, 'a->' + use.access)
                continue
            head = f'a->{use.access}' + ('[0]' if use.count else '')
            dot = '.' if use.count else '->'
            for member in use.members:
                if member.type not in UNMARKED:
                    found.append(self._use(command, member, f'{head}{dot}{member.name}', []))
            for struct, members in use.chain:
                pointer = f'&{head}' if use.count else head
                prepare = [
                    (
                        f'{struct.name} *e = test_chain((void *)(uintptr_t)({pointer}), '
                        f'new_{struct.name}(), sizeof({struct.name}));'
                    )
                ]
                found += [
                    self._use(command, member, f'e->{member.name}', prepare) for member in members
                ]
        for call in self.walk.implicit(command):
            if call not in IMPLICIT:
                changes.note(
                    'registry/cases/threads.py:1', f'{name}: which object does {call} visit?'
                )
            elif IMPLICIT[call]:
                found.append(Use(name, None, IMPLICIT[call][0], True, object=IMPLICIT[call][1]))
        return found

    @property
    def commands(self):
        return [n for n in self.tests.commands if self.uses(n)]
