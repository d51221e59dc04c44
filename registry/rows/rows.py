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
import struct
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from language import facts, sentences
from language import sentence as s
from language.forms import geometries as forms_geometries
from language.nouns import nouns
from model import changes, feature_tables, read_as, value_tables
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
OPERATORS = {
    '==': 'EQUAL',
    '!=': 'DIFFERENT',
    '<': 'LESS',
    '<=': 'AT_MOST',
    '>': 'MORE',
    '>=': 'AT_LEAST',
    'multiple': 'MULTIPLE',
}


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
        if isinstance(each, s.Elements)
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
        return s.Sentence(
            ignored_by_pipelines.guards(self.m, self.nouns, v.owner, sentence) + sentence.guards,
            sentence.must,
        )

    def fits(self, sentence):
        arrays = {array_of(x.each) for x in s.members_of(sentence)} - {None}
        if len(arrays) > 1:
            return False
        for atom in sentence.atoms():
            if isinstance(atom, s.Extension) and self.m.extensions[atom.name].instance:
                return False
            if (
                isinstance(atom, s.Chained)
                and atom.holder is not None
                and not self.chain_is_found(atom.structure)
            ):
                return False
            if isinstance(atom, s.Some) and (
                not isinstance(atom.inner, s.Among)
                or self.type_of(atom.inner.subject.field) is None
            ):
                return False
            if (
                isinstance(atom, (s.Among, s.Bits))
                and not [c for c in atom.constants if c]
                and not (isinstance(atom, s.Bits) and atom.how == 'one')
            ):
                return False
            subject = getattr(atom, 'subject', None)
            if isinstance(atom, (s.Bound, s.ValidPointer, s.HasPrimitives)):
                continue
            if isinstance(atom, s.Compare) and (
                repr(subject) == repr(atom.operand)
                or isinstance(subject, s.Limit)
                and subject.field.type != 'VkBool32'
            ):
                return False
            for x in (subject, getattr(atom, 'operand', None)):
                for y in self.parts(x):
                    if isinstance(y, s.LevelExtent):
                        continue
                    if (
                        isinstance(y, s.Member)
                        and getattr(y.field, 'extendedFlag', None)
                        and (y.chain or y.each or len(y.path) > 1)
                    ):
                        # another structure's chain may have the flags that are used instead
                        return False
                    if (
                        isinstance(y, s.Member)
                        and not isinstance(atom, s.Null)
                        and self.type_of(y.field) is None
                    ):
                        return False
                    if isinstance(y, (s.Limit)) and self.type_of(y.field) is None:
                        return False
                    if (
                        isinstance(y, s.Limit)
                        and y.structure != 'VkPhysicalDeviceLimits'
                        and not self.limit_is_kept(y.structure)
                    ):
                        return False
        return True

    def parts(self, x):
        """What a value is made of that is read by itself."""
        if isinstance(x, s.HighestBit):
            return self.parts(x.of)
        return self.parts(x.left) + self.parts(x.right) if isinstance(x, s.Sum) else [x]

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

    members_of = staticmethod(s.members_of)

    def _replaced(self, row):
        """Structures of the chain whose flags are used instead of those that the row speaks of, and
        are other ones: with one of them, the row says nothing."""
        members = self._members(row.owner)
        names = dict.fromkeys(
            x.path[0].split('[')[0]
            for x in s.members_of(row.sentence)
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
            s.Member((value.name,), value, structure.name)
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
            if isinstance(x, s.Member) and not x.chain and not x.each
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
            if isinstance(a, s.PowerOfTwo)
        }
        said = {
            repr(a.subject)
            for other in self.owners[row.owner]
            for clause in other.sentence.must
            for a in clause.atoms
            if isinstance(a, s.Compare)
            and isinstance(a.operand, s.Number)
            and (a.operator, a.operand.value) in (('>=', 1), ('>', 0), ('!=', 0))
        }
        return out + [x for key, x in powers.items() if key in said]

    def setting(self, row):
        """The setting whose subject the row belongs to, besides those of all rows; or None. Stages
        that a timestamp waits for are no query's."""
        members = self._members(row.owner)
        of_queries = (
            row.owner in QUERIES
            or any(x.type == 'VkQueryPool' for x in members.values())
            and row.owner in self.m.commands
        )
        named = {self.nouns.value_type(x.field.type) for x in s.members_of(row.sentence)}
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
        member = next((x for x in s.members_of(row.sentence) if x.each), None)
        if member is not None:
            row.each = self._array_number(row.owner, member.each)
        for name in self._replaced(row):
            row.atoms.append(f'{{ROW_CHAINED, false, false, ROW_UNSAID, {self.chain(name)}, 0}}')
        for x in self.counts(row):
            zero = self._value(row, s.Number('zero', 0))
            row.atoms.append(
                f'{{ROW_DIFFERENT, true, false, ROW_UNSAID, {self._value(row, x)}, {zero}}}'
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
                            x[0] >= said
                            or x[1].unsaid
                            or all(isinstance(y, (s.Part, s.Read, s.Dynamic)) for y in x[1].atoms)
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
        more = 'true' if alternative else 'false'
        said = 'ROW_UNSAID' if unsaid else '0'
        positive = 'true' if getattr(atom, 'positive', True) else 'false'
        if isinstance(atom, s.Part):
            said = 'ROW_UNSAID' if atom.positive else said  # most pipelines have all
            return f'{{ROW_PART, {positive}, {more}, {said}, {" | ".join(atom.parts)}, 0}}'
        if isinstance(atom, s.Read):
            return (
                f'{{ROW_READ, true, {more}, {said}, offsetof(struct graphics_info, '
                f'{atom.name}), 0}}'
            )
        if isinstance(atom, s.Dynamic):
            return (
                f'{{ROW_DYNAMIC, {positive}, {more}, {said}, {self.dynamic_state(atom.state)}, 0}}'
            )
        if isinstance(atom, s.Some):
            self.inner.append(self._atom(row, atom.inner, False))
            return (
                f'{{ROW_SOME, {positive}, {more}, {said}, '
                f'{self._array_number(row.owner, atom.each)}, INNER({len(self.inner) - 1})}}'
            )
        if isinstance(atom, s.Named):
            return (
                f'{{ROW_NAMED, {positive}, {more}, {said}, '
                f'{self._array_number(row.owner, "ppEnabledExtensionNames")}, '
                f'EXTENSION_{atom.name}}}'
            )
        if isinstance(atom, s.Feature):
            self.names.add(self.feature_name(atom.constant))
            return (
                f'{{ROW_FEATURE, {"true" if atom.positive else "false"}, {more}, 0, '
                f'{atom.constant}, {self.name_of(self.feature_name(atom.constant))}}}'
            )
        if isinstance(atom, s.Extension):
            return (
                f'{{ROW_EXTENSION, {"true" if atom.positive else "false"}, {more}, 0, '
                f'EXTENSION_{atom.name}, {"ROW_BY_NAME" if atom.named else 0}}}'
            )
        if isinstance(atom, s.Chained) and atom.holder is not None:
            head = self._value(row, self.chain_of(atom.holder))
            return (
                f'{{ROW_CHAINED_OF, {"true" if atom.positive else "false"}, {more}, 0, '
                f'{self.chain(atom.structure)}, {head}}}'
            )
        if isinstance(atom, s.Chained):
            return f'{{ROW_CHAINED, {positive}, {more}, {said}, {self.chain(atom.structure)}, 0}}'
        if isinstance(atom, s.HasPrimitives):
            name = forms_geometries.COUNTED[row.owner]
            size = (
                'sizeof(VkAccelerationStructureBuildRangeInfoKHR)'
                if 'Range' in name
                else 'sizeof(uint32_t)'
            )
            return (
                f'{{ROW_PRIMITIVES, true, {more}, ROW_UNSAID, '
                f'{self._steps([f"offsetof({self.structure_of(row.owner)}, {name})"])}, '
                f'{size}}}'
            )
        left = self._value(row, atom.subject)
        if isinstance(atom, s.ValidPointer):
            return f'{{ROW_POINTER, true, {more}, 0, {left}, 0}}'
        if isinstance(atom, s.Null):
            unsaid = 'ROW_UNSAID' if getattr(atom.subject, 'unsaid', False) else '0'
            return (
                f'{{ROW_NULL, {"true" if atom.positive else "false"}, {more}, {unsaid}, {left}, 0}}'
            )
        if isinstance(atom, s.Bound):
            return (
                f'{{ROW_BOUND, true, {more}, 0, {left}, '
                f'ROW_LIES({self.m.handle_constant(atom.handle)}, ROW_MEMORY_{atom.how})}}'
            )
        if isinstance(atom, s.FormatIs):
            return (
                f'{{ROW_FORMAT, {"true" if atom.positive else "false"}, {more}, 0, {left}, '
                f'ROW_FORMAT_{atom.kind}}}'
            )
        if isinstance(atom, s.FormatTraits):
            kinds = self._words([' | '.join(f'FORMAT_IS_{k}' for k in atom.kinds)])
            return (
                f'{{ROW_FORMAT_TRAITS, {"true" if atom.positive else "false"}, {more}, 0, '
                f'{left}, {kinds}}}'
            )
        if isinstance(atom, s.PowerOfTwo):
            return f'{{ROW_POWER_OF_TWO, true, {more}, 0, {left}, 0}}'
        if isinstance(atom, s.Compare):
            unsaid = (
                'ROW_UNSAID'
                if getattr(atom.subject, 'unsaid', False) and atom.operator == '!='
                else '0'
            )
            return (
                f'{{ROW_{OPERATORS[atom.operator]}, true, {more}, {unsaid}, {left}, '
                f'{self._value(row, atom.operand)}}}'
            )
        if isinstance(atom, s.BitsOfLimit):
            kind = {'within': 'ROW_WITHIN_BITS', 'any': 'ROW_SHARED_BITS'}[atom.how]
            return f'{{{kind}, true, {more}, 0, {left}, {self._value(row, atom.operand)}}}'
        constants = [self.nouns.constants[c][0] for c in atom.constants if c]
        if isinstance(atom, (s.AddressUsage, s.AddressFlags)):
            mask = [functools.reduce(lambda a, b: a | b, constants, 0)]
            kind = (
                'ROW_ADDRESS_FLAGS'
                if isinstance(atom, s.AddressFlags)
                else 'ROW_ADDRESS_VALID'
                if atom.valid
                else 'ROW_ADDRESS_USAGE'
            )
            return f'{{{kind}, {positive}, {more}, 0, {left}, {self._constants(mask)}}}'
        if (
            isinstance(atom, s.Among)
            and len(constants) == 1
            and isinstance(atom.subject, s.Member)
            and self.value_type(atom.subject.field) == '0'
        ):
            operand = s.Number(
                next(c for c in atom.constants if c), constants[0]
            )  # a constant of no enumeration, for the name's sake
            return (
                f'{{{"ROW_EQUAL" if atom.positive else "ROW_DIFFERENT"}, true, {more}, 0, '
                f'{left}, {self._value(row, operand)}}}'
            )
        if isinstance(atom, s.Among):
            first = self._constants(constants)
            return (
                f'{{ROW_AMONG, {"true" if atom.positive else "false"}, {more}, '
                f'{len(constants)}, {left}, {first}}}'
            )
        how = {
            'any': ('ROW_ANY_BIT', True),
            'none': ('ROW_ANY_BIT', False),
            'all': ('ROW_ALL_BITS', True),
            'not all': ('ROW_ALL_BITS', False),
            'only': ('ROW_ONLY_BITS', True),
            'one': ('ROW_ONE_BIT', True),
        }[atom.how]
        mask = functools.reduce(lambda a, b: a | b, constants, 0)
        return (
            f'{{{how[0]}, {"true" if how[1] else "false"}, {more}, 0, {left}, '
            f'{self._constants([mask])}}}'
        )

    def feature_name(self, constant):
        """The member's name, with its structure's where several features have it."""
        structure, member = self.nouns.features[constant].places[0]
        return (
            member
            if f'FEATURE_{member}' in self.nouns.features[constant].names
            else f'{structure}::{member}'
        )

    def name_of(self, text):
        return f'NAME({text})'  # replaced when the pool is laid out

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

    def _constants(self, constants):
        return self._words([f'{c & 0xFFFFFFFFFFFFFFFF:#x}' for c in constants])

    def _words(self, words):
        for i in range(len(self.numbers) - len(words) + 1):
            if self.numbers[i : i + len(words)] == words:
                return i
        self.numbers += words
        return len(self.numbers) - len(words)

    def _steps(self, offsets):
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

    def _members(self, owner):
        item = self.m.commands.get(owner)
        return {x.name: x for x in (item.params if item else self.m.structs[owner].members)}

    def _array_number(self, owner, each):
        return self._number_of(self._array(owner, each))

    def _number_of(self, array):
        if array not in self.arrays:
            self.arrays.append(array)
        return self.arrays.index(array)

    def _array(self, owner, each):
        """C of the struct row_array that a row's elements are in."""
        if isinstance(each, s.Elements):
            return self._elements(owner, each)
        if isinstance(each, str):
            field = self._members(owner)[each]
            path, arrows, count = [each], [], field.length.split(',')[0]
            text = each
        else:
            field, path, arrows, count = each.field, list(each.path), each.arrows, each.field.length
            text = self.text_of(each)
        self.names.add(text)
        structure = self.structure_of(owner)
        steps = self.path_steps(structure, self._members(owner), path, arrows)
        counts = self.path_steps(structure, self._members(owner), path[:-1] + [count], arrows)
        element = self.nouns.structure(field.type)
        size = (
            'sizeof(void *)'
            if field.fullType.count('*') > 1
            else f'sizeof({element.name if element else field.type})'
        )
        return (
            f'{{{self._steps(steps)}, {len(steps)}, {self._steps(counts)}, {len(counts)}, '
            f'{size}, NAME({text}), 0, 0, false}}'
        )

    def _elements(self, owner, each):
        """Of Elements: the array, with those of the pointers and of the outer array (1 + their
        numbers)."""
        outer, structure = 0, self.structure_of(owner)
        if each.outer:
            outer = self._array_number(owner, each.outer) + 1
            structure = self.nouns.structure(self._members(owner)[each.outer].type).name
        counts = self._steps([f'offsetof({structure}, {each.field.length})'])
        size = f'sizeof({self.nouns.structure(each.field.type).name})'
        self.names.update((each.field.name, each.other.name))
        other = self._steps([f'offsetof({structure}, {each.other.name})'])
        other = (
            self._number_of(
                f'{{{other}, 1, {counts}, 1, {size}, NAME({each.other.name}), {outer}, 0, true}}'
            )
            + 1
        )
        first = self._steps([f'offsetof({structure}, {each.field.name})'])
        return (
            f'{{{first}, 1, {counts}, 1, {size}, NAME({each.field.name}), {outer}, {other}, false}}'
        )

    def text_of(self, member):
        text = member.path[0] if member.path else ''
        for i, name in enumerate(member.path[1:]):
            text += ('->' if i in member.arrows else '.') + name
        return text

    def _value(self, row, x):
        """The index of a struct row_value."""
        if isinstance(x, s.Number):
            if isinstance(x.value, float):
                bits = struct.unpack('<Q', struct.pack('<d', x.value))[0]
                c = f'{{ROW_NUMBER, ROW_F64, 0, 0, 0, {self._constants([bits])}, 0, 0, NAME()}}'
                self.names.add('')
            else:
                kind = 'ROW_U64' if x.value >= 0 else 'ROW_I32'
                text = x.text if x.text.startswith('VK_') else ''
                self.names.add(text)
                c = (
                    f'{{ROW_NUMBER, {kind}, 0, 0, 0, {self._constants([x.value])}, 0, 0, '
                    f'NAME({text})}}'
                )
        elif isinstance(x, s.Limit):
            if x.structure == 'VkPhysicalDeviceLimits':
                place = f'offsetof(struct device, properties.limits.{x.path})'
            else:
                place = (
                    f'offsetof(struct device, '
                    f'extended.{x.structure.removeprefix("VkPhysicalDevice")}.{x.path})'
                )
            self.names.add(x.path)
            c = (
                f'{{ROW_LIMIT, ROW_{self.type_of(x.field)}, 0, 0, 0, {self._steps([place])}, '
                f'0, {self.value_type(x.field)}, NAME({x.path})}}'
            )
        elif isinstance(x, s.QueueFlags):
            c = f'{{ROW_QUEUE_FLAGS, ROW_U32, 0, 0, 0, 0, 0, {self.value_type(x.field)}, NAME()}}'
            self.names.add('')
        elif isinstance(x, s.HighestBit):
            c = f'{{ROW_HIGHEST_BIT, ROW_U32, 0, 0, 0, {self._value(row, x.of)}, 0, 0, 0}}'
        elif isinstance(x, s.Fact):
            c = self._fact_value(row, x)
        elif isinstance(x, s.Count):
            c = self._count_value(row, x)
        elif isinstance(x, s.Index):
            self.names.add('its index')
            c = '{ROW_INDEX, ROW_U32, ROW_OF_ELEMENT, 0, 0, 0, 0, 0, NAME(its index)}'
        elif isinstance(x, s.LevelExtent):
            mask = s.Member(
                x.layers.path + ('aspectMask',),
                self.m.structs['VkImageSubresourceLayers'].members[0],
                x.layers.chain,
                x.layers.each,
                x.layers.arrows,
            )
            c = (
                f'{{ROW_LEVEL_EXTENT, ROW_U32, 0, 0, {x.axis}, {self._value(row, x.image)}, '
                f'{self._value(row, mask)}, 0, NAME()}}'
            )
            self.names.add('')
        elif isinstance(x, s.Sum):
            source = (
                'ROW_DIFFERENCE'
                if isinstance(x, s.Difference)
                else 'ROW_PRODUCT'
                if isinstance(x, s.Product)
                else 'ROW_SUM'
            )
            c = (
                f'{{{source}, ROW_U64, 0, 0, 0, {self._value(row, x.left)}, '
                f'{self._value(row, x.right)}, 0, 0}}'
            )
        else:
            c = self._member_value(row, x)
        if c not in self._value_numbers:
            self._value_numbers[c] = len(self.values)
            self.values.append(c)
        return self._value_numbers[c]

    def _count_value(self, row, x):
        """`chain`: the array in row_arrays; `first`: the step of the member in an element;
        `second`: the constants."""
        element = self.nouns.structure(self._members(row.owner)[x.array].type)
        constants = [self.nouns.constants[c][0] for c in x.constants]
        self.names.add(x.array)
        steps = self._steps([f'offsetof({element.name}, {x.field.name})'])
        array = self._array_number(row.owner, x.array)
        return (
            f'{{ROW_COUNT, ROW_U32, 0, {len(constants)}, {array}, {steps}, '
            f'{self._constants(constants)}, {self.value_type(x.field)}, NAME({x.array})}}'
        )

    def chain_of(self, holder):
        """The Member that is the pNext of a structure, or of one that a pointer leads to."""
        return s.pnext_of(self.nouns, holder)

    def fact_of(self, x):
        """C of a struct row_fact."""
        kind = facts.KINDS[x.handle]
        recorded = (
            RECORDED[x.holder.handle]
            if isinstance(x.holder, s.Recorded)
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

    def _fact_value(self, row, x):
        """As the member that is the handle, but for the type of the value, and the fact in
        `second`."""
        values = self.value_type(x.field)
        if isinstance(x.holder, s.Recorded):
            self.names.add('')
            return (
                f'{{ROW_FACT, ROW_{x.kept.type}, 0, 0, 0, 0, {self.fact_of(x)}, {values}, NAME()}}'
            )
        parts = self._member_value(row, x.holder).strip('{}').split(', ')
        parts[0], parts[1], parts[6], parts[7] = (
            'ROW_FACT',
            f'ROW_{x.kept.type}',
            str(self.fact_of(x)),
            values,
        )
        return f'{{{", ".join(parts)}}}'

    def _member_value(self, row, x):
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
            field = self._members(row.owner)[x.each] if isinstance(x.each, str) else x.each.field
            structure = self.nouns.structure(field.type)
            type_name = structure.name if structure else field.type
            members = {y.name: y for y in structure.members} if structure else {}
        else:
            type_name, members = self.structure_of(row.owner), self._members(row.owner)
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
            self._value(row, x.head) if x.head else self._value(row, instead) + 1 if instead else 0
        )
        return (
            f'{{ROW_MEMBER, ROW_{kind}, {root}, {len(steps)}, {chain}, '
            f'{self._steps(steps)}, {second}, '
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
        return any(
            isinstance(a, (s.AddressUsage, s.AddressFlags, s.Bound))
            or any(
                isinstance(y, (s.Fact, s.LevelExtent))
                for x in (getattr(a, 'subject', None), getattr(a, 'operand', None))
                for y in self.parts(x)
            )
            for a in sentence.atoms()
        )

    def needs_chain(self, sentence):
        """Does it say nothing where the pNext chain is empty?"""

        def of_chain(atom):
            if isinstance(atom, s.Chained):
                return atom.positive and atom.holder is None
            return (
                isinstance(getattr(atom, 'subject', None), s.Member)
                and atom.subject.chain is not None
                and atom.subject.head is None
            )

        def all_of_chain(clause):
            return all(of_chain(atom) for atom in clause.atoms)

        known = [
            clause
            for clause in sentence.must
            if not any(isinstance(a, s.Chained) for a in clause.atoms)
        ]
        return any(map(all_of_chain, sentence.guards)) or (
            len(known) == len(sentence.must) and all(map(all_of_chain, known))
        )

    def runs(self, owner):
        """Of an owner's rows: the first one and how many always say something; then those that need
        a chain, likewise."""
        rows = self.owners[owner]
        plain = sum(not self.needs_chain(row.sentence) for row in rows)
        first = self.rows.index(rows[0])
        return (first, plain), (first + plain, len(rows) - plain)

    def tests(self, owner):
        """Of the same two runs: when a row may be broken (row_code.Test)."""
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
