"""Commands, enumerants, flag bits and chained structures that need an extension or version: the
generated tests that each is found where that is not enabled, and is not where it is."""

from claims import spoken_values
from model import hand_tables
from model.hand_tables import NAME, WHY

# The one instance extension that is enabled where nothing else is: without it nobody would hear of
# findings.
ALWAYS = 'VK_EXT_debug_utils'
VALUES = ('enum', 'enum_array', 'flags', 'flags_array', 'flag_bit', 'flag_bit_array')
TABLES = hand_tables.read(
    'registry/cases/gating.toml',
    {
        'not_called': {'of': NAME, 'why': WHY},
        'loader_first': {'of': NAME, 'why': WHY},
        'needs_an_object': {'of': NAME, 'why': WHY},
    },
)
NOT_CALLED = {row.of for row in TABLES['not_called']}
LOADER_FIRST = {row.of for row in TABLES['loader_first']}
NEEDS_AN_OBJECT = {row.of for row in TABLES['needs_an_object']}


def grants(requirement):
    """Can the requirement be withheld from a device and an instance of Vulkan 1.0 with
    debug_utils?"""
    return requirement is not None and ALWAYS not in requirement


def adders(*definitions):
    """The extensions that add a thing in a block of the registry that depends on something else.
    Implicit valid usage asks for one of them, and no more. `definitions` has a mapping for each
    name of the thing: from what defines it to what that block depends on."""
    found = {}
    for definition in definitions:
        for name, depends in definition.items():
            if depends and not name.startswith('VK_VERSION'):
                found[name] = None
    return sorted(found)


class Value:
    """A value of an enumeration or a bit, set in one member."""

    def __init__(self, owner, command, check, constant, value, wide, alone):
        self.owner, self.command, self.check, self.constant, self.value, self.wide = (
            owner,
            command,
            check,
            constant,
            value,
            wide,
        )
        self.vuid, self.alone = check.vuid, alone


class GatingCases:
    def __init__(self, tests):
        self.tests, self.m, self.rules = tests, tests.m, tests.rules
        hand_tables.check(self.m, TABLES)
        self.requirement_of = {offset: r for r, offset in self.rules.requirements.offsets.items()}

    def _is_called(self, name):
        """Does a device command take the structure (or is it one)? Only there does it count what is
        enabled."""
        command = self.tests.command_of(name)
        return (
            command in self.tests.commands
            and command not in NOT_CALLED
            and self.m.is_device_command(self.m.commands[command])
        )

    @property
    def gated_commands(self):
        """Command -> the id that is found where it is not enabled."""
        found = {}
        for name in self.tests.commands:
            gate = self.rules.command_gate(self.tests.owner(name))
            if (
                not grants(gate)
                or name in LOADER_FIRST
                or self.m.commands[name].params[0].type == 'VkExternalComputeQueueNV'
            ):
                continue
            version = any(n in self.m.versions for n in gate)
            found[name] = (
                'UNASSIGNED-API-Version-Violation'
                if version
                else 'UNASSIGNED-GeneralParameterError-ExtensionNotEnabled'
            )
        return found

    def alone_of_command(self, name):
        spellings = [name] + [a for a, root in self.m.aliases.items() if root == name]
        return self._known(
            adders(*(self.m.all_commands[s].definingRequirements for s in spellings))
        )

    def alone_of_structure(self, name):
        struct = self.m.structs[name]
        aliases = self.m.vk.aliasTypeRequirements
        return self._known(
            adders(struct.definingRequirements, *(aliases.get(a, {}) for a in struct.aliases))
        )

    def _alone_of_value(self, table, constant):
        """Returns the extensions that add a value of an enumeration, or a bit."""
        is_enum = table.name in self.m.enums
        items = self.m.enums[table.name].fields if is_enum else self.m.bitmasks[table.name].flags
        aliases = self.m.vk.aliasFieldRequirements if is_enum else self.m.vk.aliasFlagRequirements
        item = next(i for i in items if i.name == constant)
        return self._known(
            adders(item.definingRequirements, *(aliases.get(a, {}) for a in item.aliases))
        )

    def _known(self, names):
        return [n for n in names if n in self.m.extensions]

    @property
    def values(self):
        """One Value for each gated enumerant and bit, in the first member that takes it."""
        if hasattr(self, '_values'):
            return self._values
        users = {}
        for name in self.tests.reached + self.tests.commands:
            if (
                not self._is_called(name)
                or self.tests.command_of(name) in LOADER_FIRST
                or (name in self.m.structs and name in self.rules.outputs)
            ):
                continue
            selectors = {
                getattr(x, 'selector', None) for x in self.tests.owner(name).members
            }  # another value there needs another value in the union
            for check in self.tests.owner(name).checks:
                if check.member.name in selectors:
                    continue
                if (
                    check.kind in VALUES
                    and not getattr(check, 'fixed', False)
                    and not check.output
                    and check.vuid in self.rules.claimed
                ):
                    table = check.enum or check.bits
                    best = users.get(table.name)
                    if best is None or len(best[1].guards) > len(check.guards):
                        users[table.name] = (name, check)
        self._values = []
        for name, check in users.values():
            command = self.tests.command_of(name)
            if check.enum:
                entries = [(v, c, r, False) for v, c, r in check.enum.values]
            else:
                entries = [(v, c, r, multi or zero) for v, c, r, multi, zero in check.bits.entries]
            for value, constant, offset, skipped in entries:
                if offset and not skipped and grants(self.requirement_of[offset]):
                    alone = self._alone_of_value(check.enum or check.bits, constant)
                    self._values.append(
                        Value(
                            name,
                            command,
                            check,
                            constant,
                            value,
                            bool(check.bits and check.bits.wide),
                            alone,
                        )
                    )
        order = {n: i for i, n in enumerate(self.tests.commands)}
        self._values.sort(key=lambda v: (order[v.command], v.owner, v.check.name))
        return self._values

    def spoken(self, numbers_path):
        """One Value for each value that a numbered statement speaks of alone; `number` is that
        statement's id."""
        found = []
        for s in spoken_values.read(self.m, self.rules, numbers_path):
            command = self.tests.command_of(s.owner)
            if (
                self._is_called(s.owner)
                and command not in LOADER_FIRST
                and s.owner not in NEEDS_AN_OBJECT
            ):
                value = Value(
                    s.owner,
                    command,
                    s.check,
                    s.constant,
                    s.value,
                    bool(s.check.bits and s.check.bits.wide),
                    [],
                )
                value.number = s.number
                found.append(value)
        return found

    @staticmethod
    def places(*lists):
        """(owner, check) -> number, of the members that values are set in."""
        places = {}
        for value in [v for values in lists for v in values]:
            places.setdefault((value.owner, value.check.name), (len(places), value))
        return places

    def place_lines(self, value):
        """Statements that return where the value stands."""
        check, owner = value.check, self.tests.owner(value.owner)
        root = 'a' if owner.is_command else 's'
        target, lines = f'{root}->{check.member.name}', []
        if check.inner is not check.member:
            lines += self.tests._select(owner.name, root, check.member, check.inner)
            target += f'.{check.inner.name}'
        if check.kind.endswith('_array'):
            return lines + [f'return (void *)(uintptr_t){target};']
        return lines + [f'return (void *)(uintptr_t)&{target};']

    @property
    def chains(self):
        """(head, command, structure, id) of every structure that needs something enabled, in every
        chain where it may stand."""
        if not hasattr(self, '_chains'):
            found = []
            for head in self.rules.chain_heads:
                if not self._is_called(head) or self.tests.command_of(head) in LOADER_FIRST:
                    continue
                owner = self.tests.owner(head)
                if owner.chain.vuid not in self.rules.claimed:
                    continue
                for name in owner.chain.allowed:
                    if grants(self.tests.owner(name).requirement):
                        found.append((head, self.tests.command_of(head), name, owner.chain.vuid))
            order = {n: i for i, n in enumerate(self.tests.commands)}
            self._chains = sorted(found, key=lambda c: order[c[1]])
        return self._chains
