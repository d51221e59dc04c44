"""Sentences about the state at a draw, dispatch or trace, as data: rows that src/core/draw/rows.c
looks at.

registry/draw_rows.txt lists their numbers, each with a checksum of its sentences and the two
scenarios that test it. A sentence is "If <guards>, then <demand>": each guard, and the demand, is a
condition of nouns (draw_facts.py), dynamic states, features and extensions. What the words mean
stands in draw_words.py, and draw_reader.py reads a sentence. A row is the list of conditions under
which its sentence is broken: those of the guards, and the opposite of the demand. An unknown
condition makes it silent. The grammar is strict: what it does not know, it does not read."""

import functools
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model import changes, dynamic_states, read_as, value_tables
from model.places import REGISTRY
from model.registry import RegistryError
from rows import draw_facts
from rows.draw_reader import Reader
from rows.draw_words import BOUND, OF_PIPELINES, SETS_STRIDES, UNREAD

LIST = os.path.join(REGISTRY, 'draw_rows.txt')


class Listed:
    """A line of draw_rows.txt: `NUMBER checksum broken=FILE.NAME holds=FILE.NAME`."""

    def __init__(self, number, checksum, broken, holds, line=0):
        self.place = f'registry/draw_rows.txt:{line}'
        self.number, self.checksum = number, checksum
        if not broken.startswith('broken=') or not holds.startswith('holds='):
            raise RegistryError(f'draw_rows.txt: {number}: broken=FILE.NAME holds=FILE.NAME')
        self.broken, self.holds = broken.removeprefix('broken='), holds.removeprefix('holds=')


@functools.cache
def listed():
    """number -> Listed, of draw_rows.txt."""
    with open(LIST, encoding='utf-8') as f:
        lines = [
            (number, line.split())
            for number, line in enumerate(f, 1)
            if line.strip() and not line.startswith('#')
        ]
    out = {words[0]: Listed(*words, line=number) for number, words in lines}
    if len(out) != len(lines):
        raise RegistryError('draw_rows.txt: a number stands twice')
    return out


def is_looked_at(command):
    """A draw, dispatch or trace, or what generates them."""
    return bool(
        re.match(r'vkCmd(Draw|Dispatch|SubpassShading|TraceRays|ExecuteGeneratedCommands)', command)
    )


@functools.cache
def statements_of(m):
    """number -> [vuid] of draws, dispatches and traces."""
    out = {}
    for v in m.vuids.values():
        if v.numbered and is_looked_at(v.owner):
            out.setdefault(v.id[-5:], []).append(v)
    return out


def checksum(statements):
    texts = sorted({v.text for v in statements})
    return f'{zlib.crc32(chr(10).join(texts).encode()):08x}'


# Bits of the bind points whose pipelines commands use, by how their names begin; all others trace
# rays.
BIND_POINTS = (('vkCmdDraw', 1), ('vkCmdDispatch', 2), ('vkCmdSubpassShading', 8))


def bind_points(statements):
    out = 0
    for v in statements:
        if not v.owner.startswith('vkCmdExecuteGeneratedCommands'):
            out |= next((bit for name, bit in BIND_POINTS if v.owner.startswith(name)), 4)
    return out or 7


class Row:
    """`number`; `conditions`, the static ones first; `points`: bits of bind points; `command`: the
    only one that has it, or None; `need`: whether it only says that a state must be set."""

    def __init__(self, number, conditions, demand, statements):
        self.number, self.points = number, bind_points(statements)
        self.conditions = sorted(conditions, key=lambda c: not is_static(c))
        owners = {v.owner for v in statements}
        self.command = owners.pop() if len(owners) == 1 else None
        self.need = any(c.kind == 'SET' and not c.holds for c in conditions)
        self.fixed = sum(map(is_static, conditions))
        self.demand = {c.key for c in demand}


def is_static(c):
    """Does it hold or not for a pipeline as long as that is bound?"""
    return (
        c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES')
        or c.left in draw_facts.BY_NAME
        and draw_facts.BY_NAME[c.left].static
        and (c.right is None or isinstance(c.right, str) and not c.right.startswith('current '))
    )


class DrawRows:
    """`rows`, those of needs first; `conditions`: [Condition] without repetitions, whose indices
    the rows have; `stages`: (state, stage or '0') of states that not all shader objects take."""

    def __init__(self, m):
        self.m, self.reader = m, Reader(m)
        self.rows = []
        self.conditions, self._numbers, self._first = [], {}, {}
        self.values, self.nouns = dynamic_states.tables(m).values, draw_facts.NOUNS
        self._values = {v.parameter for v in self.values}
        self._texts = {}
        self.text('')
        for number, line in listed().items():
            with changes.left_out(line.place, number):
                self.rows += self._read(number, line)
        for v in m.vuids.values():
            if (
                v.owner == 'vkCmdDraw'
                and v.numbered
                and ' must have been called and not subsequently invalidated' in v.text
                and v.id[-5:] not in listed()
                and v.id[-5:] not in UNREAD
            ):
                changes.note(
                    'registry/draw_rows.txt:1',
                    f'{v.id} says that a state must be set, and is no row: {v.text}',
                    v.id,
                )
        self.rows.sort(key=lambda row: not row.need)
        self.needs = sum(row.need for row in self.rows)
        for row in self.rows:
            self._first[id(row)] = sum(len(x.conditions) for x in self.rows[: self.rows.index(row)])
            for c in row.conditions:
                if c.key not in self._numbers:
                    self._numbers[c.key] = len(self.conditions)
                    self.conditions.append(c)
        self._check_asked()
        for c in self.conditions:
            self.name(c)
        for noun in self.nouns:
            self.text('' if noun.quiet else noun.text)
            self.text('' if noun.quiet else noun.denied or '')
        for v in self.values:
            self.text(self.value_text(v))
        self.stages = [
            (state, stage) for state, stage in self._stages().items() if stage is not None
        ] + [(state, '0') for state in OF_PIPELINES]

    def _check_asked(self):
        """Notes each noun and each kept value whose reason is a row that does not ask for it."""
        asking = {}
        for row in self.rows:
            for c in row.conditions:
                for side in (self.noun(c), self.other(c)):
                    asking.setdefault(side.removeprefix('NOUN_'), set()).add(row.number)
        reasons = [(x.name, x.asked, x.place) for x in self.nouns]
        reasons += [(x.parameter, x.why, x.place) for x in dynamic_states.TABLES['kept']]
        for name, number, place in reasons:
            if number.isdigit() and number not in asking.get(name, ()):
                changes.note(place, f'draw row {number} does not ask for {name}')

    def _read(self, number, line):
        statements = statements_of(self.m).get(number)
        if not statements:
            raise RegistryError(f'no draw, dispatch or trace has {number}')
        if checksum(statements) != line.checksum:
            raise RegistryError(
                f'{number} reads otherwise now; read it again, then give it '
                f'{checksum(statements)}: {statements[0].text}'
            )
        found = [self.reader.read(read_as.text(v)) for v in statements]
        read = {repr(x): x for x in found}
        if len(read) != 1 or None in read.values():
            raise RegistryError(f'the sentence of {number} is not understood: {statements[0].text}')
        rows = [
            Row(number, conditions, demand, statements)
            for conditions, demand in next(iter(read.values()))
        ]
        for c in [
            c for row in rows for c in row.conditions
        ]:  # each name in it must be one of this registry
            self.noun(c), self.name(c), self.constant(c)
        return rows

    def _stages(self):
        """state -> the stage whose shader object takes it; '0': it is of pipelines alone; None: of
        any. From the sentences that say that it must be set."""
        out = {}
        for v in self.m.vuids.values():
            g = (
                BOUND.search(v.text)
                if v.owner == 'vkCmdDraw'
                and v.numbered
                and ' must have been called and not subsequently invalidated' in v.text
                else None
            )
            for state in re.findall(r'VK_DYNAMIC_STATE_(\w+)', g['states']) if g else ():
                out.setdefault(state, g['object'] if g['objects'] else '0')
        return out

    # --- C of the tables ---

    def first(self, row):
        return self._first[id(row)]

    def reference(self, row, c):
        """C of an element of draw_row_conditions."""
        flags = ([] if c.holds else ['CONDITION_FAILS']) + (
            ['CONDITION_DEMAND'] if c.key in row.demand else []
        )
        return ' | '.join([str(self._numbers[c.key]), *flags])

    def constant(self, c):
        if c.kind == 'FEATURE':
            return f'FEATURE_{c.left}'
        if c.kind == 'EXTENSION':
            return f'EXTENSION_{c.left}'
        if c.kind == 'PROPERTY':
            return self._offset(c.left)
        if c.kind in ('TAKES', 'SET'):
            return f'DYNAMIC_{c.left}'
        if c.right is None or self.other(c) not in ('NOUN_COUNT', 'NOUN_COUNT + 1'):
            return '0'
        return (
            self._offset(c.right.removeprefix('limit '))
            if c.right.startswith('limit ')
            else f'(uint64_t)({c.right})'
        )

    def _offset(self, name):
        structure, member = name.split('::')
        if member not in {x.name for x in self.m.structs[structure].members}:
            raise RegistryError(f'{structure} has no {member}')
        place = (
            'properties.limits'
            if structure == 'VkPhysicalDeviceLimits'
            else f'extended.{structure.removeprefix("VkPhysicalDevice")}'
        )
        return f'offsetof(struct device, {place}.{member})'

    def name(self, c):
        if c.kind == 'SET':
            setters = dynamic_states.tables(self.m).setters.items()
            return self.m.command_constant(
                next((name for name, state in setters if state == c.left), SETS_STRIDES)
            )
        if c.kind == 'PROPERTY':
            return self.text(c.left.split('::')[1])
        return (
            self.text(c.right.split('::')[1])
            if isinstance(c.right, str) and c.right.startswith('limit ')
            else 0
        )

    def noun(self, c):
        if c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES', 'SET'):
            return '0'
        if c.left not in self._values and c.left not in draw_facts.BY_NAME:
            raise RegistryError(f'no noun: {c.left}')
        return f'NOUN_{c.left}'

    def other(self, c):
        if isinstance(c.right, draw_facts.Noun):
            return f'NOUN_{c.right.name}'
        if isinstance(c.right, str) and c.right.startswith('current '):
            return f'NOUN_{c.right.removeprefix("current ")}'
        return (
            'NOUN_COUNT + 1'
            if isinstance(c.right, str) and c.right.startswith('limit ')
            else 'NOUN_COUNT'
        )

    @staticmethod
    def value_text(value):
        return draw_facts.VALUE_TEXTS.get(value.state, f'the current {value.parameter}')

    def text(self, text):
        """The offset of a text in draw_texts."""
        if text not in self._texts:
            self._texts[text] = sum(len(x) + 1 for x in self._texts)
        return self._texts[text]

    @property
    def texts(self):
        return list(self._texts)

    def values_of(self, name):
        if name == 'VkBool32':
            return 'NOUN_BOOLEAN'
        if name == 'indices':
            return 'NOUN_INDICES'
        constants = value_tables.tables(self.m).constants
        return f'NOUN_VALUES + {constants[name]}' if name in constants else 'NOUN_NUMBER'

    def _changes_with(self, c):
        """Returns what the truth of a condition changes with (`changes_with` of draw_facts.toml),
        or None."""
        if c.kind == 'SET':
            return {c.left}
        if c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES'):
            return set()
        out = set()
        for noun in (self.noun(c), self.other(c)):
            noun = noun.removeprefix('NOUN_')
            value = next((v for v in self.values if v.parameter == noun), None)
            if value:
                out.add(value.state)
            elif noun in draw_facts.BY_NAME:
                if draw_facts.BY_NAME[noun].of is None:
                    return None
                out.update(draw_facts.BY_NAME[noun].of)
        return out

    @property
    def asking(self):
        """[(C of an index of draw_rows_asking, bits of the rows that may be broken since that
        changed)]"""
        sets = {'pass': 'DRAW_ASKING_OF_PASS', 'queries': 'DRAW_ASKING_OF_QUERIES'}
        of_rows = []
        for row in self.rows:
            of = [self._changes_with(c) for c in row.conditions]
            of_rows.append(None if None in of else set().union(*of))
        kinds = list(sets) + [
            state
            for state in dynamic_states.tables(self.m).states
            if any(of and state in of for of in of_rows)
        ]
        if set().union(*(of or () for of in of_rows)) - set(kinds):
            unknown = sorted(set().union(*(of or () for of in of_rows)) - set(kinds))
            changes.note(f'{draw_facts.PATH}:1', f'changes_with: no dynamic states: {unknown}')
        always = sum(1 << i for i, of in enumerate(of_rows) if of is None)
        return [
            (
                sets.get(kind) or f'DYNAMIC_{kind}',
                always | sum(1 << i for i, of in enumerate(of_rows) if of and kind in of),
            )
            for kind in kinds
        ], always

    @property
    def of_queries(self):
        """Bits of the rows that cannot be broken where no query is active."""
        return sum(
            1 << i
            for i, row in enumerate(self.rows)
            if any(
                c.kind in ('FACT', 'ANY_BIT') and c.holds and self._changes_with(c) == {'queries'}
                for c in row.conditions
            )
        )

    @property
    def of_rare(self):
        """Bits of the rows that cannot be broken where all rare nouns are false or 0."""
        return sum(
            1 << i
            for i, row in enumerate(self.rows)
            if any(
                c.left in draw_facts.BY_NAME
                and draw_facts.BY_NAME[c.left].rare
                and (c.holds if c.kind in ('FACT', 'ANY_BIT') else not c.holds and c.key[2] == '0')
                for c in row.conditions
            )
        )

    def claims(self, hooked):
        """The ids that rows check of the commands that reach them."""
        out = []
        for number in {row.number for row in self.rows}:
            out += [v.id for v in statements_of(self.m)[number] if v.owner in hooked]
        return out


def untested(scenarios, known=None):
    """Messages about rows whose scenarios do not test them, as rows.untested()."""
    expected = {
        words[0]: words[1:] for words in (line.split() for line in scenarios.splitlines()) if words
    }
    out = []
    for row in (listed() if known is None else known).values():
        if not any(vuid.endswith(f'-{row.number}') for vuid in expected.get(row.broken, ())):
            out.append(f'draw_rows.txt: {row.number}: no scenario {row.broken} expects it')
        if row.holds not in expected or expected[row.holds]:
            out.append(f'draw_rows.txt: {row.number}: {row.holds} is no scenario without a finding')
    return out


@functools.cache
def rows(m):
    return DrawRows(m)


def main():
    """Prints what could be a row and is none, or (with a number) what a sentence says."""
    import argparse

    from model import registry as model

    parser = argparse.ArgumentParser(description='Statements of draws that could be rows.')
    parser.add_argument('--registry', required=True)
    parser.add_argument('--all', action='store_true')
    args = parser.parse_args()
    m = model.load(args.registry)
    reader = Reader(m)
    for number, statements in statements_of(m).items():
        read = {repr(reader.read(v.text)) for v in statements}
        if len(read) == 1 and read != {'None'} and (args.all or number not in listed()):
            print(
                f'{number} {checksum(statements)} {len(statements)} {statements[0].id}\n   '
                f' {statements[0].text}\n    {read.pop()}'
            )


if __name__ == '__main__':
    main()
