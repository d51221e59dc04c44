"""Calls that are valid by construction, and for each checked rule the one change that breaks it:
what the generated tests do.

A structure is filled so that every implicit rule holds and every condition of one is met (counts
are 1, optional pointers are given), so that any rule can be broken by changing one value. How to
break a rule follows from the kind of its Check (rooms/stateless/checks.py)."""

import functools
import re

from cases import gating as cases_gating
from cases import lifetimes as cases_lifetimes
from cases import rows as cases_rows
from cases import threads as cases_threads
from model import changes, hand_tables
from rooms.core import rules as rules_core
from rooms.stateless import exceptions
from rooms.stateless import rules as rules_stateless

BAD_POINTER = '(void *)16'

NEEDS = hand_tables.read_pairs(
    'registry/rooms/tests/needs.toml',
    {
        'creators': hand_tables.NAME,
        'valid_objects': hand_tables.STATEMENT,
        'valid': hand_tables.STATEMENT,
        'object_types': hand_tables.NAME,
        'ways': hand_tables.STATEMENT,
        'no_valid_call': hand_tables.TEXT,
        'names': hand_tables.WORD,
    },
)
CREATORS, OBJECT_TYPES = NEEDS['creators'], NEEDS['object_types']
VALID_OBJECTS, VALID, WAYS = NEEDS['valid_objects'], NEEDS['valid'], NEEDS['ways']
NO_VALID_CALL, NAMES = NEEDS['no_valid_call'], NEEDS['names']

# Handles that the driver of the tests (tests/generated/driver.c) makes by hand.
BY_HAND = {
    'VkInstance',
    'VkPhysicalDevice',
    'VkDevice',
    'VkQueue',
    'VkCommandBuffer',
    'VkPipelineBinaryKHR',
}
# A test can make as many of these as it likes.
MADE_BY_HAND = {'VkCommandBuffer', 'VkPipelineBinaryKHR'}


class Case:
    """`strict`: only found where the physical device does not support VK_KHR_maintenance5, with
    which a query takes any value. `custom`: not found where the setting custom_stype_list names the
    structure. `among`: other rules are broken with it."""

    def __init__(self, vuid, statements, second_device=False, custom=False, among=False):
        self.vuid, self.statements, self.second_device, self.custom, self.among = (
            vuid,
            statements,
            second_device,
            custom,
            among,
        )
        self.strict = False


class Tests:
    def __init__(self, m):
        self.m = m
        self.rules = rules_stateless.rules(m)
        self.core = rules_core.rules(m)
        self._needed = None
        self._commands = {}
        self.lifetimes = cases_lifetimes.LifetimeCases(self)
        self.gating = cases_gating.GatingCases(self)
        self.threads = cases_threads.ThreadCases(self)
        self._row_cases = None

    @property
    def row_cases(self):
        if self._row_cases is None:
            self._row_cases = cases_rows.RowCases(self).cases
        return self._row_cases

    # --- values that are valid --------------------------------------------------------------------

    def owner(self, name):
        return self.rules.owners[name]

    def fill(self, owner):
        """Statements that make each member of `s` (or parameter of `a`) valid."""
        root = 'a->' if owner.is_command else 's->'
        lengths = {self._length_root(x) for x in owner.members if x.length}
        lines = []
        if not owner.is_command and owner.item.sType:
            lines.append(f's->sType = {owner.item.sType};')
        required = {
            c.member.name
            for c in owner.checks
            if c.kind in ('nonzero', 'flags') and not (c.kind == 'flags' and c.optional)
        }
        required |= {c.member.name for c in owner.checks if c.kind == 'nonzero'}
        for x in owner.members:
            if x.name in ('sType', 'pNext'):
                continue
            if x.objectType:
                sibling = owner.by_name[x.objectType]
                if sibling.type in OBJECT_TYPES:
                    lines += [
                        f'{root}{x.objectType} = {OBJECT_TYPES[sibling.type]};',
                        f'{root}{x.name} = (uint64_t)HANDLE(VkBuffer);',
                    ]
                    continue
            lines += self._member(owner, x, root + x.name, x.name in lengths, x.name in required)
        return lines + VALID.get(owner.name, [])

    def _length_root(self, x):
        length = x.length.split(',')[0]
        return length if '->' not in length else ''

    def _member(self, owner, x, target, is_length, required):
        m = self.m
        if x.type == 'VkAllocationCallbacks':
            return []
        if x.fixedSizeArray and not x.pointer and not owner.is_command:
            return []
        if x.pointer or (owner.is_command and x.fixedSizeArray):
            return self._pointer(owner, x, target)
        if x.type in m.structs:
            struct = m.structs[x.type]
            if struct.union:
                return self._union(owner, x, target)
            return [f'fill_{x.type}(&{target});']
        if x.bitFieldWidth if hasattr(x, 'bitFieldWidth') else None:
            return []
        value = self.scalar(x, is_length, required)
        return [f'{target} = {value};'] if value is not None else []

    def scalar(self, x, is_length=False, required=False):
        """A valid value, or None for zero."""
        m, t = self.m, self.m.flags_aliases.get(x.type, x.type)
        if t in m.handles:
            return f'HANDLE({t})' if not x.optional or m.handles[t].dispatchable else None
        if t in m.enums:
            table = self.rules.enums.get(t)
            free = [c for _, c, r in table.values if r == 0] if table else []
            return None if not table or x.optional else (free or [table.values[0][1]])[0]
        bits = m.flags[t].bitmaskName if t in m.flags else t
        bits = m.bitmask_aliases.get(bits, bits)
        if bits in m.bitmasks:
            wanted = required or (t not in m.flags and not x.optional)
            if not wanted:
                return None
            flags = [f for f in m.bitmasks[bits].flags if not f.multiBit and not f.zero]
            table = self.rules.bitmasks.get(bits)
            free = [f for f in flags if table and f.value & table.free]
            return (free or flags)[0].name
        if t in m.flags:
            return None
        if is_length:
            return '1'
        if t.startswith('PFN_'):
            return f'({t})(void (*)(void))test_callback'
        if t == 'VkDeviceAddress':
            return '0x10000'
        if t in ('float', 'double'):
            return '1'
        if t == 'size_t' or t == 'VkDeviceSize':
            return '64'
        if t in ('uint32_t', 'int32_t', 'uint64_t', 'int64_t') and not re.search(
            '[Ii]ndex|[Oo]ffset|^first|^base|[Ll]ocation|[Bb]inding|^query$', x.name
        ):
            return '1'
        return None

    def _union(self, owner, x, target):
        struct = self.m.structs[x.type]
        if not x.selector:
            return []
        for inner in struct.members:
            if inner.selection:
                root = 'a->' if owner.is_command else 's->'
                return [f'{root}{x.selector} = {inner.selection[0]};'] + self._member(
                    self.owner(x.type), inner, f'{target}.{inner.name}', False, False
                )
        return []

    def _pointer(self, owner, x, target):
        m = self.m
        if x.noAutoValidity and x.type in m.handles and owner.is_command and x.const:
            return [f'{target} = test_handle_array((uint64_t)(uintptr_t)HANDLE({x.type}));']
        if x.noAutoValidity and (owner.name, x.name) not in exceptions.DESCENTS:
            return []
        stars = x.cDeclaration.count('*')
        if x.type in ('char',) and x.const is not False:
            if stars > 1:
                return [f'{target} = {NAMES.get(x.name, "test_strings")}();']
            return [f'{target} = "text";']
        if x.type in m.structs:
            struct = m.structs[x.type]
            if x.type in ('VkBaseOutStructure', 'VkBaseInStructure'):
                return [f'{target} = test_memory();']
            if struct.union:
                return [f'{target} = test_memory();']
            if stars > 1:
                return [f'{target} = test_pointer_array(new_{x.type}());']
            return [f'{target} = new_{x.type}();']
        if x.type in m.handles and x.const:
            if x.optional and not x.length:
                return []
            return [f'{target} = test_handle_array((uint64_t)(uintptr_t)HANDLE({x.type}));']
        if x.type.startswith('PFN_'):
            value = self.scalar(x)
            return [f'{target} = {value};']
        if stars > 1:
            return [f'{target} = test_pointer_array(test_memory());']
        if x.type in ('uint32_t', 'size_t') and not x.const and not x.length:
            return [f'{target} = test_count(sizeof(*{target}));']
        if x.type in m.enums or x.type in m.bitmasks or x.type in m.flags:
            if x.const:
                copy = type('Element', (), dict(type=x.type, optional=False, name=x.name))
                required = any(
                    c.kind in ('nonzero_array', 'flags_array', 'flag_bit_array', 'known_bit_array')
                    and c.member is x
                    for c in owner.checks
                )
                value = self.scalar(copy, required=required)
                if value:
                    return [f'{target} = test_value_array((uint64_t)({value}), sizeof(*{target}));']
        return [f'{target} = test_memory();']

    # --- structures that are needed ---------------------------------------------------------------

    @property
    def structures(self):
        """Every structure that a valid call or a chain can hold, in the registry's order."""
        if self._needed is None:
            needed, work = set(), []

            def want(name):
                if name in self.m.structs and name not in needed and not self.m.structs[name].union:
                    needed.add(name)
                    work.append(name)

            for name in self.rules.chained:
                want(name)
            for struct in self.m.structs.values():  # what a case may select in a union
                for inner in struct.members if struct.union else []:
                    if inner.selection:
                        want(inner.type)
            for name in self.m.commands:
                for line in self.fill(self.owner(name)):
                    for t in re.findall(r'\b(?:new|fill)_(\w+)\(', line):
                        want(t)
            while work:
                for line in self.fill(self.owner(work.pop())):
                    for t in re.findall(r'\b(?:new|fill)_(\w+)\(', line):
                        want(t)
            self._needed = [n for n in self.m.structs if n in needed]
        return self._needed

    @property
    def commands(self):
        return [n for n in self.m.commands if n not in exceptions.UNHOOKED]

    @functools.cached_property
    def creators(self):
        """Handle type -> (command, its parameter that gets the handle)."""
        found = {}
        for handle in self.m.handles:
            if handle in BY_HAND:
                continue
            names = [CREATORS[handle]] if handle in CREATORS else list(self.m.commands)
            for name in names:
                out = [
                    p
                    for p in self.m.commands[name].params
                    if p.type == handle and p.pointer and not p.const
                ]
                if out and (handle in CREATORS or re.match('vk(Create|Allocate|Register)', name)):
                    found[handle] = (name, out[0].name)
                    break
        return found

    @property
    def creatable(self):
        """Handle types of which a test can make as many as it likes."""
        return [n for n in self.m.handles if n in self.creators or n in MADE_BY_HAND]

    @property
    def reached(self):
        """Structures that a command of `commands` takes, itself or in a chain."""
        if not hasattr(self, '_reached'):
            commands = set(self.commands)
            self._reached = [
                n
                for n in self.m.structs
                if (n in self.rules.heads or n in self.rules.chained)
                and not self.m.structs[n].union
                and self.command_of(n) in commands
            ]
        return self._reached

    # --- ways to break a rule ---------------------------------------------------------------------

    def way(self, name):
        """(command, statements) that end with `s` pointing at a structure `name` inside the
        command's arguments `a`. Not in a chain where it can be the head of one, as only there all
        its rules apply."""
        steps = []
        at = name
        while at in self.m.structs:
            parent, check = (
                self.rules.holders[at] if at in self.rules.holders else self.rules.parents[at]
            )
            steps.append((at, parent, check))
            at = parent
        lines = []
        for struct, parent, check in reversed(steps):
            root = 'a' if parent in self.m.commands else 's'
            if struct in WAYS:
                lines.append(WAYS[struct])
            if check is None:
                lines.append(f's = test_chain(s, new_{struct}(), sizeof({struct}));')
                continue
            member, inner = check.member, check.inner
            expression = f'{root}->{member.name}'
            if inner is not member:
                lines += self._select(parent, root, member, inner)
                expression += f'.{inner.name}'
            if check.kind in ('struct_value', None):  # None: a value without anything to check
                expression = f'&{expression}'
            elif check.kind == 'struct_array' and check.pointers:
                expression += '[0]'
            lines.append(('at', struct, expression, root))
        return at, lines

    def parameter(self, p):
        """A parameter as a field: arrays become pointers."""
        if p.fixedSizeArray:
            return f'const {p.type} *{p.name}'
        return self.m.declaration(p)

    def way_lines(self, name):
        """way() as the body of a function that returns the structure."""
        lines, depth = [], 0
        for step in self.way(name)[1]:
            numbered = lambda text: re.sub(r'\bs->', f's{depth}->', text)
            if isinstance(step, tuple):
                _, struct, expression, _ = step
                lines.append(
                    f'{struct} *s{depth + 1} = ({struct} *)(uintptr_t)({numbered(expression)});'
                )
                depth += 1
            elif step.startswith('s = test_chain(s, '):
                struct = re.search(r'sizeof\((\w+)\)', step)[1]
                lines.append(
                    f'{struct} *s{depth + 1} = test_chain(s{depth}, '
                    + step.removeprefix('s = test_chain(s, ')
                )
                depth += 1
            else:
                lines.append(numbered(step))
        return lines + [f'return s{depth};']

    def _select(self, parent, root, union, inner):
        if not union.selector:
            return []
        lines = [f'{root}->{union.selector} = {inner.selection[0]};']
        if inner.type in self.m.structs and inner.pointer:
            lines.append(f'{root}->{union.name}.{inner.name} = new_{inner.type}();')
        elif inner.type in self.m.structs:
            lines.append(f'fill_{inner.type}(&{root}->{union.name}.{inner.name});')
        return lines

    def cases(self, name):
        """The cases of one owner: its sType, its chain, its checks."""
        owner = self.owner(name)
        claimed = self.rules.claimed
        cases = []
        root = 'a' if owner.is_command else 's'
        head = owner.is_command or name in self.rules.heads
        if head and owner.structure_type and owner.structure_type[1] in claimed:
            cases.append(Case(owner.structure_type[1], ['s->sType = VK_STRUCTURE_TYPE_MAX_ENUM;']))
        if head and owner.chain:
            cases.append(
                Case(
                    owner.chain.vuid,
                    ['test_chain(s, test_unknown_structure(), sizeof(VkBaseInStructure));'],
                    custom=True,
                )
            )
            if self.command_of(name) not in (
                'vkCreateInstance',
                'vkCreateDevice',
            ):  # the loader would walk it for ever
                cases.append(
                    Case('UNASSIGNED-GeneralParameterError-ChainCycle', ['test_chain_cycle(s);'])
                )
            single = [n for n in owner.chain.allowed if not self.m.structs[n].allowDuplicate]
            if owner.chain.unique and single:
                cases.append(
                    Case(
                        owner.chain.unique,
                        [f'test_chain(s, new_{single[0]}(), sizeof({single[0]}));'] * 2,
                    )
                )
        for check in owner.checks:
            if check.vuid in claimed and check.kind not in ('bools', 'struct_value'):
                case = self._break(owner, root, check)
                if case:
                    cases.append(case)
        if self.m.commands[self.command_of(name)].params[0].type == 'VkPhysicalDevice':
            values = {
                c.vuid
                for c in owner.checks
                if c.kind in ('enum', 'flags', 'flag_bit', 'enum_array', 'flags_array')
            }
            for case in cases:
                case.strict = (
                    case.vuid in values
                    and not case.statements[-1].endswith('(void *)16;')
                    and not case.statements[-1].endswith('NULL;')
                )
        seen = set()
        cases = [c for c in cases if not (c.vuid in seen or seen.add(c.vuid))]
        return cases + self._bools(owner, root) + self._endless(owner, root)

    def _bools(self, owner, root):
        """Each VkBool32 that is neither VK_TRUE nor VK_FALSE."""
        if not owner.is_command and (
            owner.name in self.rules.outputs and owner.name not in self.rules.inputs
        ):
            return []
        if owner.name == 'VkPhysicalDeviceFeatures':
            return []  # the way there is an output; VkDeviceCreateInfo has the case
        if owner.name == 'VkDeviceCreateInfo':
            return [
                Case(
                    'UNASSIGNED-GeneralParameterError-UnrecognizedBool32',
                    [
                        's->pEnabledFeatures = new_VkPhysicalDeviceFeatures();',
                        'SET(s->pEnabledFeatures->samplerAnisotropy, 2);',
                    ],
                )
            ]
        return [
            Case(
                'UNASSIGNED-GeneralParameterError-UnrecognizedBool32', [f'SET({root}->{name}, 2);']
            )
            for k in owner.checks
            if k.kind == 'bools'
            for name in k.names
        ]

    def _endless(self, owner, root):
        """Arrays of 2^32 - 1 elements that are NULL."""
        cases = []
        for k in owner.checks:
            x, inner = k.member, getattr(k, 'inner', k.member)
            if (
                not x.length
                or inner is not x
                or k.optional
                or k.vuid not in self.rules.claimed
                or k.kind == 'length'
            ):
                continue
            count = owner.by_name.get(x.length.split(',')[0])
            if (
                count is None
                or count.pointer
                or count.type not in ('uint32_t', 'size_t')
                or k.kind in ('handle', 'nonzero_array')
            ):
                continue
            sharing = [
                y.name for y in owner.members if y.length and y.length.split(',')[0] == count.name
            ]
            cases.append(
                Case(
                    k.vuid,
                    [f'SET({root}->{count.name}, UINT32_MAX);']
                    + [f'SET({root}->{y}, NULL);' for y in sharing],
                    among=True,
                )
            )
        return cases

    def _break(self, owner, root, k):
        lines = []
        member = k.member
        inner = getattr(k, 'inner', member)
        target = f'{root}->{member.name}'
        if inner is not member:
            lines += self._select(owner.name, root, member, inner)
            target += f'.{inner.name}'
        kind = k.kind
        if kind == 'queue_count':
            return Case(k.vuid, [], second_device=True)
        if kind in (
            'pointer',
            'struct_pointer',
            'struct_array',
            'string_array',
            'handle_array',
            'enum_array',
            'flags_array',
            'flag_bit_array',
            'known_bit_array',
            'bool_array',
            'string',
        ):
            if kind == 'enum_array' and getattr(k, 'fixed', False):
                return Case(k.vuid, lines + [f'SET({target}[0], 0x7ffffffe);'])
            bad = 'NULL' if not k.optional else '"text \\xff"' if kind == 'string' else BAD_POINTER
            if inner.type.startswith('PFN_'):
                return Case(k.vuid, lines + [f'{target} = NULL;'])
            return Case(k.vuid, lines + [f'{target} = {bad};'])
        if kind == 'handle':
            if k.value.startswith('*'):
                return None
            return Case(k.vuid, lines + [f'{target} = VK_NULL_HANDLE;'])
        if kind == 'enum':
            return Case(k.vuid, lines + [f'SET({target}, 0x7ffffffe);'])
        if kind in ('flags', 'flag_bit'):
            known = 0
            for value, _, _, multi, _ in k.bits.entries:
                known |= 0 if multi else value
            unknown = next(1 << b for b in range(63 if k.bits.wide else 31) if not known >> b & 1)
            return Case(k.vuid, lines + [f'SET({target}, {unknown:#x});'])
        if kind == 'zero':
            return Case(k.vuid, lines + [f'{target} = 1;'])
        if kind in ('nonzero', 'address'):
            return Case(k.vuid, lines + [f'SET({target}, 0);'])
        if kind == 'nonzero_array':
            return Case(k.vuid, lines + [f'SET({target}[0], 0);'])
        if kind == 'length':
            value = k.value
            if owner.is_command:
                value = re.sub(r'^(\*?)', r'\1a->', value)
            return Case(k.vuid, lines + [f'SET({value}, 0);'])
        changes.note('registry/rooms/tests/rules.py:1', f'no way to break a {kind}')
        return None

    def command_of(self, name):
        """The command that takes a structure, by the way to it."""
        if name not in self._commands:
            self._commands[name] = name if name in self.m.commands else self.way(name)[0]
        return self._commands[name]

    @property
    def owners_by_command(self):
        """Command -> owners whose cases are run with it."""
        result = {n: [] for n in self.commands}
        for name in list(self.m.commands) + list(self.m.structs):
            if (
                name in self.m.structs
                and name not in self.rules.heads
                and name not in self.rules.chained
            ):
                continue
            command = self.command_of(name)
            if command in result and self.cases(name):
                result[command].append(name)
        return result

    def part(self, names, part, parts):
        size = (len(names) + parts - 1) // parts
        return names[part * size : (part + 1) * size]


@functools.cache
def tests(m):
    return Tests(m)
