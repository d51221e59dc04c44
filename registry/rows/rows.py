"""Statements with a number that are enforced as data: a row each, which src/stateless/rows.c
interprets.

registry/rows.txt lists them, each with a checksum of the sentence that was read by a person. The
generation fails where a sentence has changed since, where the grammar (sentences.py) does not
understand it, or where nothing visits its structure.

  rows.py --registry DIR --numbers FILE   shows the statements that could be rows and are none, to
  be read
"""

import argparse
import functools
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from language import facts, sentences
from language.atoms import Chained, Compare, PowerOfTwo
from language.forms import geometries as forms_geometries
from language.nouns import nouns
from language.sentence import Sentence, members_of
from language.values import Elements, Member, Number, Recorded, pnext_of
from model import changes, feature_tables, hand_tables, read_as, value_tables
from model.places import REGISTRY
from model.registry import RegistryError
from model.string_pool import StringPool
from rows import ignored, ignored_by_pipelines, row_code

LIST = os.path.join(REGISTRY, 'rows.txt')

TYPES = {
    'uint8_t': 'U8',
    'uint16_t': 'U16',
    'uint32_t': 'U32',
    'uint64_t': 'U64',
    'int8_t': None,
    'int16_t': None,
    'int32_t': 'I32',
    'int64_t': None,
    'int': 'I32',
    'size_t': 'U64',
    'VkDeviceSize': 'U64',
    'VkDeviceAddress': 'U64',
    'VkBool32': 'U32',
    'VkSampleMask': 'U32',
    'xcb_window_t': 'U32',
    'Window': 'U64',
    'VkFlags': 'U32',
    'VkFlags64': 'U64',
    'float': 'F32',
    'double': 'F64',
}
RECORDED = {
    'sections': 'ROW_RECORDED_SECTIONS',
    'VkCommandPool': 'ROW_RECORDED_POOL',
    'queue family': 'ROW_RECORDED_FAMILY',
    'VkVideoSessionKHR': 'ROW_RECORDED_VIDEO_SESSION',
    'VkDevice': 'ROW_RECORDED_DEVICE',
}
ATOM_LIMIT = 63  # struct row has 6 bits for their number
# Owners without a query pool whose rows are about queries.
QUERIES = {'VkQueryPoolCreateInfo', 'VkQueryPoolPerformanceCreateInfoKHR'}


class Row:
    """`atoms`: [(C words of a struct row_atom)] of the guards, then of what must hold; `guards`:
    how many are guards'. `by_scenario`: scenarios test it, no generated calls. `stops`: a call that
    breaks it does not reach the driver. `quiet`: it says nothing where another row of the call is
    broken; `after`: where one of the owner's rows with these numbers is. `since`: an extension,
    before which another statement says more."""

    def __init__(self, vuid, owner, sentence, by_scenario=False, words=(), after=(), since=None):
        self.vuid, self.owner, self.sentence, self.by_scenario, self.after, self.since = (
            vuid,
            owner,
            sentence,
            by_scenario,
            after,
            since,
        )
        self.stops, self.quiet = 'stops' in words, 'quiet' in words
        self.each = None
        self.atoms = []
        self.guards = 0


def array_of(each):
    """An array's name as a key."""
    return (
        None
        if each is None
        else each
        if isinstance(each, str)
        else repr(each)
        if isinstance(each, Elements)
        else '->'.join(each.path)
    )


def checksum(text):
    return f'{zlib.crc32(text.encode()):08x}'


class Listed:
    """A line of rows.txt: `ID checksum`, and then what it may have:

    broken=FILE.NAME holds=FILE.NAME  the scenarios that test the row where the generator does not
    make calls for it (None where it does)
    stops                             a driver would crash or write somewhere, so that the call must
                                      not reach it
    quiet                             another row has said of the call what is wrong, where one is
                                      broken
    after=NUMBER,...                  likewise where one of these rows of the same structure or
    command is broken since=EXTENSION                   without it, nor a version that brings it,
    another statement says the same and more"""

    def __init__(self, vuid, checksum, *more, line=0):
        self.place = f'registry/rows.txt:{line}'
        self.vuid, self.checksum, self.words = (
            vuid,
            checksum,
            tuple(x for x in more if x in ('stops', 'quiet')),
        )
        given = dict(word.split('=', 1) for word in more if '=' in word)
        wrong = [x for x in more if '=' not in x and x not in self.words] + sorted(
            set(given) - {'broken', 'holds', 'after', 'since'}
        )
        if wrong:
            raise RegistryError(
                f'rows.txt: {vuid}: "{wrong[0]}" should be stops, quiet, broken=FILE.NAME, '
                f'holds=FILE.NAME, after=NUMBER,... or since=EXTENSION'
            )
        self.broken, self.holds, self.after = (
            given.get('broken'),
            given.get('holds'),
            given['after'].split(',') if 'after' in given else [],
        )
        self.since = given.get('since')
        if bool(self.broken) != bool(self.holds):
            raise RegistryError(
                f'rows.txt: {vuid} names one scenario; the one that breaks it and the one '
                f'that does not are needed'
            )


@functools.cache
def listed():
    """id -> Listed, of rows.txt."""
    with open(LIST, encoding='utf-8') as f:
        lines = [
            (number, line.split())
            for number, line in enumerate(f, 1)
            if line.strip() and not line.startswith('#')
        ]
    return {words[0]: Listed(*words, line=number) for number, words in lines}


def untested(scenarios, known=None):
    """Messages about rows whose scenarios do not test them. `scenarios`: lines of `scenarios --list
    --expect`; `known`: as listed()."""
    expected = {
        words[0]: set(words[1:])
        for words in (line.split() for line in scenarios.splitlines())
        if words
    }
    out = []
    for row in (listed() if known is None else known).values():
        if row.broken and row.vuid not in expected.get(row.broken, ()):
            out.append(f'rows.txt: {row.vuid}: no scenario {row.broken} expects it')
        if row.holds and (row.holds not in expected or expected[row.holds]):
            out.append(f'rows.txt: {row.vuid}: {row.holds} is no scenario without a finding')
    return out


class Rows:
    """owners   name of a structure or command -> [Row], those that have any"""

    def __init__(self, m):
        self.m = m
        self.nouns = nouns(m)
        self.features = feature_tables.tables(m)
        self.values_of = value_tables.tables(m)
        hand_tables.check(m, ignored.TABLES)
        self.ignored_members = ignored_by_pipelines.ignored(m)
        self.owners = {}
        for vuid, known in listed().items():
            with changes.left_out(known.place, vuid):
                self._add(vuid, known)
        self._lay_out()
        self.code = row_code.RowCode(self)

    def _add(self, vuid, known):
        v = self.m.vuids.get(vuid)
        if v is None:
            raise RegistryError(f'the registry has no {vuid}')
        if checksum(v.text) != known.checksum:
            raise RegistryError(
                f'{vuid} reads otherwise now; read it again, then give it '
                f'{checksum(v.text)}: {v.text}'
            )
        sentence = self.read(v)
        if sentence is None:
            raise RegistryError(f'the sentence of {vuid} is not understood: {v.text}')
        if v.owner not in self.m.structs and v.owner not in self.m.commands:
            raise RegistryError(f'{vuid} is of {v.owner}, which the registry does not have')
        row = Row(
            v, v.owner, sentence, known.broken is not None, known.words, known.after, known.since
        )
        row.place = known.place
        self.owners.setdefault(v.owner, []).append(row)

    def read(self, v):
        """The Sentence of a statement that a row can hold, or None."""
        sentence = sentences.parse(self.m, v.owner, read_as.text(v))
        sentence = ignored.guarded(self.m, v.owner, sentence) if sentence is not None else None
        if sentence is None or not self.fits(sentence):
            return None
        return Sentence(
            ignored_by_pipelines.guards(self.m, self.nouns, v.owner, sentence) + sentence.guards,
            sentence.must,
        )

    def fits(self, sentence):
        arrays = {array_of(x.each) for x in members_of(sentence)} - {None}
        if len(arrays) > 1:
            return False
        return all(atom.fits(self) for atom in sentence.atoms())

    def chain_is_found(self, structure):
        return not self.m.structs[structure].protect

    def limit_is_kept(self, structure):
        struct = self.m.structs[structure]
        return 'VkPhysicalDeviceProperties2' in struct.extends and not struct.protect

    def type_of(self, field):
        """The word of enum row_type for a number, or None."""
        if field.fixedSizeArray or '*' in field.fullType:
            return None
        if field.type in TYPES:
            return TYPES[field.type]
        kind = self.nouns.value_type(field.type)
        if kind in self.m.bitmasks:
            return 'U64' if self.m.bitmasks[kind].bitWidth == 64 else 'U32'
        return 'I32' if kind in self.m.enums else None

    # --- tables -----------------------------------------------------------------------------------

    def _lay_out(self):
        self.steps, self.numbers, self.chains, self.values, self.names = [], [], [], [], set()
        self.facts, self.arrays, self.inner = [], [], []
        self._step_offsets, self._value_numbers = {}, {}
        self.rows = []
        for name, rows in self.owners.items():
            rows.sort(key=lambda row: (self.needs_chain(row.sentence), row.quiet))
            for row in [row for row in rows if row.after]:
                rows.remove(row)
                wanted = [rows.index(x) for x in rows if x.vuid.id[-5:] in row.after]
                rows.insert(max(wanted) + 1 if wanted else len(rows), row)
            self._fill_all(rows)
            self.rows += rows
        self.owners = {name: rows for name, rows in self.owners.items() if rows}
        self.atom_count = sum(len(row.atoms) for row in self.rows)
        self.pool = StringPool(self.names)

    def _fill_all(self, rows):
        """Gives the rows of one owner their atoms. One that cannot have them leaves the list, and
        the others are filled again, as they count places in it."""
        filled = 0
        while filled < len(rows):
            row = rows[filled]
            with changes.left_out(row.place, row.vuid.id):
                self._fill(row)
                filled += 1
                continue
            rows.remove(row)
            for x in rows:
                x.atoms, x.guards, x.each = [], 0, None
            filled = 0

    members_of = staticmethod(members_of)
    counted = forms_geometries.COUNTED  # owner -> what says how many primitives its geometries have

    def _replaced(self, row):
        """Structures of the chain whose flags are used instead of those that the row speaks of, and
        are other ones: with one of them, the row says nothing."""
        members = self.members(row.owner)
        names = dict.fromkeys(
            x.path[0].split('[')[0]
            for x in members_of(row.sentence)
            if not x.chain and not x.each and x.path
        )
        return [
            members[name].extendedFlag.struct
            for name in names
            if getattr(members[name], 'extendedFlag', None) and not self.replacing(members[name])
        ]

    def replacing(self, field):
        """The member of a chained structure that is used instead of this one where the chain has
        it, as a Member; or None."""
        if not getattr(field, 'extendedFlag', None):
            return None
        structure = self.m.structs[field.extendedFlag.struct]
        value = structure.members[-1]
        alike = self.nouns.value_type(value.type).replace('2KHR', '').replace(
            '2', ''
        ) == self.nouns.value_type(field.type)
        return (
            Member((value.name,), value, structure.name)
            if len(structure.members) == 3 and alike
            else None
        )

    def counts(self, row):
        """Members that must hold and are lengths of arrays: where one is 0, its -arraylength
        statement says so, and the row says nothing."""
        subjects = {
            repr(x): x
            for x in (
                getattr(a, 'subject', None) for clause in row.sentence.must for a in clause.atoms
            )
            if isinstance(x, Member) and not x.chain and not x.each
        }
        out = [
            x
            for x in subjects.values()
            if f'VUID-{row.owner}-{x.path[0]}-arraylength' in self.m.vuids and len(x.path) == 1
        ]
        # what must be a power of two, and by another row more than 0
        powers = {
            repr(a.subject): a.subject
            for clause in row.sentence.must
            for a in clause.atoms
            if isinstance(a, PowerOfTwo)
        }
        said = {
            repr(a.subject)
            for other in self.owners[row.owner]
            for clause in other.sentence.must
            for a in clause.atoms
            if isinstance(a, Compare)
            and isinstance(a.operand, Number)
            and (a.operator, a.operand.value) in (('>=', 1), ('>', 0), ('!=', 0))
        }
        return out + [x for key, x in powers.items() if key in said]

    def setting(self, row):
        """The setting whose subject the row belongs to, besides those of all rows; or None. Stages
        that a timestamp waits for are no query's."""
        members = self.members(row.owner)
        of_queries = (
            row.owner in QUERIES
            or any(x.type == 'VkQueryPool' for x in members.values())
            and row.owner in self.m.commands
        )
        named = {self.nouns.value_type(x.field.type) for x in members_of(row.sentence)}
        return (
            'check_query'
            if of_queries and not named & {'VkPipelineStageFlagBits', 'VkPipelineStageFlagBits2'}
            else None
        )

    def _fill(self, row):
        setting = self.setting(row)
        if setting:
            row.atoms.append(
                f'{{ROW_SETTING, true, false, ROW_UNSAID, offsetof(struct settings, {setting}), 0}}'
            )
        member = next((x for x in members_of(row.sentence) if x.each), None)
        if member is not None:
            row.each = self.array_number(row.owner, member.each)
        for name in self._replaced(row):
            row.atoms.append(f'{{ROW_CHAINED, false, false, ROW_UNSAID, {self.chain(name)}, 0}}')
        for x in self.counts(row):
            zero = self.value(row, Number('zero', 0))
            row.atoms.append(
                f'{{ROW_DIFFERENT, true, false, ROW_UNSAID, {self.value(row, x)}, {zero}}}'
            )
        if row.since:
            row.atoms.append(
                f'{{ROW_EXTENSION, true, false, ROW_UNSAID, EXTENSION_{row.since}, 1}}'
            )
        for number in row.after:
            row.atoms += [
                f'{{ROW_INTACT, true, false, ROW_UNSAID, {distance}, 0}}'
                for distance in self._earlier(row, number)
            ]
        said = len(row.sentence.guards) - row.sentence.unsaid
        for clauses, guards in ((row.sentence.guards, True), (row.sentence.must, False)):
            numbered = list(enumerate(clauses))
            if guards:  # first what says whether pointers may be followed at all
                numbered.sort(
                    key=lambda x: (
                        not (
                            x[0] >= said or x[1].unsaid or all(y.is_of_pipeline for y in x[1].atoms)
                        )
                    )
                )
            for number, clause in numbered:
                for i, atom in enumerate(clause.atoms):
                    c = self._atom(row, atom, i + 1 < len(clause.atoms), clause.unsaid)
                    if guards and number >= said:
                        c = re.sub(r'^(\{\w+, \w+, \w+), 0,', r'\1, ROW_UNSAID,', c)
                    row.atoms.append(c)
            if guards:
                row.guards = len(row.atoms)
        if len(row.atoms) > ATOM_LIMIT:
            raise RegistryError(
                f'{row.vuid.id} has {len(row.atoms)} atoms; a row may have {ATOM_LIMIT}'
            )

    def _earlier(self, row, number):
        """How far before this row those with that number are, which are asked together with it."""
        rows = [
            x
            for x in self.owners[row.owner]
            if self.needs_chain(x.sentence) == self.needs_chain(row.sentence)
        ]
        found = [x for x in rows[: rows.index(row)] if x.vuid.id.endswith(f'-{number}')]
        if not found or rows.index(row) - rows.index(found[0]) > 64:
            raise RegistryError(
                f'{row.vuid.id} comes after {number}, and no row of {row.owner} that is '
                f'asked before it has that number'
            )
        return [rows.index(row) - rows.index(x) for x in found]

    def _atom(self, row, atom, alternative, unsaid=False):
        """C of a struct row_atom."""
        return atom.entry(
            self, row, 'true' if alternative else 'false', 'ROW_UNSAID' if unsaid else '0'
        )

    def feature_name(self, constant):
        """The member's name, with its structure's where several features have it."""
        structure, member = self.nouns.features[constant].places[0]
        return (
            member
            if f'FEATURE_{member}' in self.nouns.features[constant].names
            else f'{structure}::{member}'
        )

    def named(self, text):
        """C with the offsets of names put in, and of the atoms that are about an element."""
        text = re.sub(r'INNER\((\d+)\)', lambda g: str(self.atom_count + int(g[1])), text)
        return re.sub(r'NAME\(([^)]*)\)', lambda g: str(self.pool.offset(g[1])), text)

    def dynamic_state(self, name):
        """The enumerator of enum dynamic_state: a state has one, by its first name."""
        field = next(
            f for f in self.m.enums['VkDynamicState'].fields if name == f.name or name in f.aliases
        )
        return field.name.replace('VK_DYNAMIC_STATE_', 'DYNAMIC_')

    def chain(self, structure):
        constant = self.m.structs[structure].sType
        entry = (constant, structure)
        if entry not in self.chains:
            self.chains.append(entry)
            self.names.add(structure)
        return self.chains.index(entry)

    def constants(self, constants):
        return self.words([f'{c & 0xFFFFFFFFFFFFFFFF:#x}' for c in constants])

    def words(self, words):
        for i in range(len(self.numbers) - len(words) + 1):
            if self.numbers[i : i + len(words)] == words:
                return i
        self.numbers += words
        return len(self.numbers) - len(words)

    def steps_of(self, offsets):
        key = tuple(offsets)
        if key not in self._step_offsets:
            self._step_offsets[key] = len(self.steps)
            self.steps += offsets
        return self._step_offsets[key]

    def structure_of(self, name):
        """C type whose members a place's offsets count in: of a command, that of its parameters."""
        return f'struct parameters_{name[2:]}' if name in self.m.commands else name

    def path_steps(self, type_name, members, path, arrows):
        """offsetof() expressions, one for each run of members without a pointer between them."""
        steps, run, run_type = [], [], type_name
        fields = members
        for i, name in enumerate(path):
            run.append(name)
            field = fields[name.split('[')[0]]
            structure = self.nouns.structure(field.type)
            if '[' in name and run_type.startswith(
                'struct parameters_'
            ):  # a parameter that is an array is a pointer
                base, index = name.rstrip(']').split('[')
                steps.append(f'offsetof({run_type}, {base})')
                steps.append(f'{index} * sizeof({field.type})')
                return steps
            if i in arrows:
                steps.append(f'offsetof({run_type}, {".".join(run)})')
                run, run_type = [], structure.name
            fields = {x.name: x for x in structure.members} if structure else {}
        if run:
            steps.append(f'offsetof({run_type}, {".".join(run)})')
        return steps

    def members(self, owner):
        item = self.m.commands.get(owner)
        return {x.name: x for x in (item.params if item else self.m.structs[owner].members)}

    def array_number(self, owner, each):
        return self._number_of(self._array(owner, each))

    def _number_of(self, array):
        if array not in self.arrays:
            self.arrays.append(array)
        return self.arrays.index(array)

    def _array(self, owner, each):
        """C of the struct row_array that a row's elements are in."""
        if isinstance(each, Elements):
            return self._elements(owner, each)
        if isinstance(each, str):
            field = self.members(owner)[each]
            path, arrows, count = [each], [], field.length.split(',')[0]
            text = each
        else:
            field, path, arrows, count = each.field, list(each.path), each.arrows, each.field.length
            text = self.text_of(each)
        self.names.add(text)
        structure = self.structure_of(owner)
        steps = self.path_steps(structure, self.members(owner), path, arrows)
        counts = self.path_steps(structure, self.members(owner), path[:-1] + [count], arrows)
        element = self.nouns.structure(field.type)
        size = (
            'sizeof(void *)'
            if field.fullType.count('*') > 1
            else f'sizeof({element.name if element else field.type})'
        )
        return (
            f'{{{self.steps_of(steps)}, {len(steps)}, {self.steps_of(counts)}, {len(counts)}, '
            f'{size}, NAME({text}), 0, 0, false}}'
        )

    def _elements(self, owner, each):
        """Returns the number of the array of Elements, with those of the pointers and of the outer
        array (1 + their numbers)."""
        outer, structure = 0, self.structure_of(owner)
        if each.outer:
            outer = self.array_number(owner, each.outer) + 1
            structure = self.nouns.structure(self.members(owner)[each.outer].type).name
        counts = self.steps_of([f'offsetof({structure}, {each.field.length})'])
        size = f'sizeof({self.nouns.structure(each.field.type).name})'
        self.names.update((each.field.name, each.other.name))
        other = self.steps_of([f'offsetof({structure}, {each.other.name})'])
        other = (
            self._number_of(
                f'{{{other}, 1, {counts}, 1, {size}, NAME({each.other.name}), {outer}, 0, true}}'
            )
            + 1
        )
        first = self.steps_of([f'offsetof({structure}, {each.field.name})'])
        return (
            f'{{{first}, 1, {counts}, 1, {size}, NAME({each.field.name}), {outer}, {other}, false}}'
        )

    def text_of(self, member):
        text = member.path[0] if member.path else ''
        for i, name in enumerate(member.path[1:]):
            text += ('->' if i in member.arrows else '.') + name
        return text

    def value(self, row, x):
        """The index of a struct row_value."""
        c = x.entry(self, row)
        if c not in self._value_numbers:
            self._value_numbers[c] = len(self.values)
            self.values.append(c)
        return self._value_numbers[c]

    def chain_of(self, holder):
        """The Member that is the pNext of a structure, or of one that a pointer leads to."""
        return pnext_of(self.nouns, holder)

    def fact_of(self, x):
        """C of a struct row_fact."""
        kind = facts.KINDS[x.handle]
        recorded = (
            RECORDED[x.holder.handle]
            if isinstance(x.holder, Recorded)
            else 'ROW_OF_PROFILE'
            if x.handle == 'video profile'
            else 'ROW_OF_MEMBER'
        )
        self.names.add(x.kept.said)
        handle = (
            'HANDLE_NONE'
            if kind.structure is None and x.handle != 'VkDevice'
            else self.m.handle_constant(x.handle)
        )
        entry = (
            f'{{{handle}, {recorded}, offsetof({kind.state}, {x.kept.place}), NAME({x.kept.said})}}'
        )
        if entry not in self.facts:
            self.facts.append(entry)
        return self.facts.index(entry)

    def member_entry(self, row, x):
        """C of a struct row_value that is a Member."""
        root, chain = 'ROW_OF_STRUCTURE', 0
        if x.chain:
            root, chain, type_name = (
                'ROW_OF_OTHER_CHAIN' if x.head else 'ROW_OF_CHAIN',
                self.chain(x.chain),
                x.chain,
            )
            members = {y.name: y for y in self.m.structs[x.chain].members}
        elif x.each:
            root = 'ROW_OF_ELEMENT'
            field = self.members(row.owner)[x.each] if isinstance(x.each, str) else x.each.field
            structure = self.nouns.structure(field.type)
            type_name = structure.name if structure else field.type
            members = {y.name: y for y in structure.members} if structure else {}
        else:
            type_name, members = self.structure_of(row.owner), self.members(row.owner)
        steps = self.path_steps(type_name, members, x.path, x.arrows) if x.path else ['0']
        pointer = (
            self.nouns.is_pointer(x.field)
            or x.field.type.startswith('PFN_')
            or self.nouns.is_handle(x.field)
        )
        kind = 'U64' if pointer else self.type_of(x.field)
        text = self.text_of(x)
        self.names.add(text)
        instead = None if x.chain or x.each or len(x.path) != 1 else self.replacing(x.field)
        second = (
            self.value(row, x.head) if x.head else self.value(row, instead) + 1 if instead else 0
        )
        return (
            f'{{ROW_MEMBER, ROW_{kind}, {root}, {len(steps)}, {chain}, '
            f'{self.steps_of(steps)}, {second}, '
            f'{0 if pointer else self.value_type(x.field)}, NAME({text})}}'
        )

    def value_type(self, field):
        """VALUES_VkFoo of a member whose values have names, or 0."""
        if field.type == 'VkBool32':
            return 'ROW_BOOLEAN'
        if field.type == 'VkDeviceAddress':
            return 'ROW_ADDRESS'
        for name in (field.type, self.nouns.value_type(field.type)):
            if name in self.values_of.constants:
                return f'{self.values_of.constants[name]} + 1'
        return '0'

    @functools.cached_property
    def _created_with(self):
        heads = ('VkDeviceCreateInfo', 'VkDeviceQueueCreateInfo', 'VkInstanceCreateInfo')
        return set(heads) | {
            n for n, x in self.m.structs.items() if any(h in x.extends for h in heads)
        }

    def of_creation(self, owner):
        """Is it a structure of vkCreateDevice or vkCreateInstance? There, what is asked for is what
        is enabled."""
        return owner in self._created_with

    def needs_state(self, sentence):
        """Does it ask what objects were created with?"""
        return any(x.needs_state for a in sentence.atoms() for x in (a, *a.parts()))

    def needs_chain(self, sentence):
        """Does it say nothing where the pNext chain is empty?"""

        def all_of_chain(clause):
            return all(atom.of_chain() for atom in clause.atoms)

        known = [
            clause
            for clause in sentence.must
            if not any(isinstance(a, Chained) for a in clause.atoms)
        ]
        return any(map(all_of_chain, sentence.guards)) or (
            len(known) == len(sentence.must) and all(map(all_of_chain, known))
        )

    def runs(self, owner):
        """Returns two runs of the rows of an owner, each as the first one and how many: those that
        always say something, and those that need a chain."""
        rows = self.owners[owner]
        plain = sum(not self.needs_chain(row.sentence) for row in rows)
        first = self.rows.index(rows[0])
        return (first, plain), (first + plain, len(rows) - plain)

    def tests(self, owner):
        """Returns, for the same two runs, when a row may be broken (row_code.Test)."""
        rows = self.owners[owner]
        plain = sum(not self.needs_chain(row.sentence) for row in rows)
        return self.code.test(rows[:plain]), self.code.test(rows[plain:])

    @property
    def numbers_enforced(self):
        return {row.vuid.id[-5:] for row in self.rows}


@functools.cache
def rows(m):
    return Rows(m)


def main():
    from model import registry as model
    from model import sync_tables
    from rooms.core import rules as rules_core
    from rooms.stateless import exceptions
    from rooms.stateless import rules as rules_stateless

    parser = argparse.ArgumentParser(description='Statements that could be rows.')
    parser.add_argument('--registry', required=True)
    parser.add_argument('--numbers', required=True, help='what src/core enforces (scan_rules.py)')
    args = parser.parse_args()
    m = model.load(args.registry)
    with open(args.numbers, encoding='utf-8') as f:
        enforced = set(f.read().split())
    enforced |= set(sync_tables.tables(m).feature_rules) | rules_core.table_numbers(m)
    rules = rules_stateless.rules(m)
    for v in m.vuids.values():
        if (
            v.numbered
            and v.id[-5:] not in enforced
            and v.id not in listed()
            and (v.owner in rules.heads or v.owner in rules.chained or v.owner in m.commands)
            and v.owner not in exceptions.UNHOOKED
        ):
            sentence = rows(m).read(v)
            if sentence is not None:
                print(f'{v.id} {checksum(v.text)}\n    {v.text}\n    {sentence!r}')


if __name__ == '__main__':
    main()
