"""Atoms: what a sentence says of a call, each true or false of it.

An atom knows how those who enforce a sentence read it: as an entry of the interpreter's tables
(`entry`), as terms of C in a test of rows (`terms`), and on the values that a generated call has
(`holds`). For generated calls it knows which values make it true and false, and the C that gives
the call those (`put`)."""

from __future__ import annotations

import dataclasses
import functools
import operator
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from typing import Any as Anything

from language.terms import Term, Unknown, common, either, readable
from language.values import (
    Fact,
    Limit,
    Member,
    NotUnderstood,
    Number,
    Place,
    QueueFlags,
    Thing,
    Value,
)

if TYPE_CHECKING:
    from cases.truth import Truth
    from rows.row_code import RowCode
    from rows.rows import Row, Rows

OPERATORS = {
    '==': 'EQUAL',
    '!=': 'DIFFERENT',
    '<': 'LESS',
    '<=': 'AT_MOST',
    '>': 'MORE',
    '>=': 'AT_LEAST',
    'multiple': 'MULTIPLE',
}
COMPARED: dict[str, Callable[[Anything, Anything], bool]] = {
    '==': operator.eq,
    '!=': operator.ne,
    '<': operator.lt,
    '<=': operator.le,
    '>': operator.gt,
    '>=': operator.ge,
    'multiple': lambda left, right: left % right == 0,
}
NEGATED = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}
HOW_NEGATED = {'any': 'none', 'none': 'any', 'all': 'not all', 'not all': 'all'}
# Usages of a buffer that may be anything's input, and an address that no buffer has.
INPUTS = (
    'VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT | '
    'VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | '
    'VK_BUFFER_USAGE_STORAGE_BUFFER_BIT'
)
# what copies ask of buffers
TRANSFERS = 'VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT'
NOWHERE = '0x7f0000000000ull'
BOUND = {'VkBuffer': 'buffer_is_bound', 'VkImage': 'image_has_memory'}  # C that asks a state
HOST_VISIBLE = 1  # a memory type of the null driver (tests/null-driver/physical_device.c)
STAGES = 'pStages', ('stage',)  # of a graphics pipeline: the array, and the member that is a bit
PIPELINE = 'VkGraphicsPipelineCreateInfo'

Values = dict[str, Anything]
Tried = list[tuple[Anything, str]]
ON_FIRST: Tried = [(True, ''), (False, '')]


def yes(answer: bool) -> str:
    """An answer of the interpreter's questions, as C."""
    return 'ROW_YES' if answer else 'ROW_NO'


def word(answer: bool) -> str:
    return 'true' if answer else 'false'


class Atom(Thing):
    """`positive`, where an atom has it: False asks that it is not so."""

    # It belongs to what a graphics pipeline reads of itself: whether pointers may be followed.
    is_of_pipeline = False
    asks_bits_of_limit = False

    def values(self) -> Iterable[Value]:
        """The values that it compares."""
        return ()

    def parts(self) -> list[Value]:
        return [part for value in self.values() for part in value.parts()]

    def members(self) -> list[Member]:
        """The Members that it speaks of; of what it says of some element of an array, none."""
        return [member for value in self.values() for member in value.members()]

    def negated(self) -> Atom:
        """The atom that holds where this one does not."""
        raise NotUnderstood(repr(self))

    def fits(self, rows: Rows) -> bool:
        """Can a row have it?"""
        return all(part.fits(rows) for part in self.parts())

    def of_chain(self) -> bool:
        """Does it say something only where the statement's pNext chain is not empty?"""
        return False

    # --- its C ------------------------------------------------------------------------------------

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        """C of a struct row_atom. `more`: another one that may hold in its place follows; `said`:
        ROW_UNSAID where no message speaks of it."""
        raise NotImplementedError(repr(self))

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        """Terms that are all true where the atom's answer is "yes" (holds) or "no" (not holds)."""
        raise Unknown

    # --- its truth --------------------------------------------------------------------------------

    def holds(self, truth: Truth, values: Values) -> bool:
        raise NotImplementedError(repr(self))

    def switches(self) -> list[tuple[str, Thing, Tried]]:
        """The things that it switches on or off in a generated call: (key, thing, values)."""
        return []

    def told(self, n: Anything) -> int | None:
        """The value of a capability that the null driver is told, where the atom compares one."""
        return None

    def tell_limits(self, told: Values) -> None:
        """Adds limits that the null driver is told."""


class Switched(Atom):
    """An atom that a generated call makes true or false as a whole."""

    positive: bool

    @property
    def switch(self) -> str:
        """The key of its value in a generated call."""
        raise NotImplementedError

    def holds(self, truth: Truth, values: Values) -> bool:
        return values[self.switch] == self.positive

    def switches(self) -> list[tuple[str, Thing, Tried]]:
        return [(self.switch, self, ON_FIRST)]


class OffFirst(Switched):
    def switches(self) -> list[tuple[str, Thing, Tried]]:
        return [(self.switch, self, ON_FIRST[::-1])]


class OfValue(Atom):
    """An atom that asks about one value."""

    subject: Value

    def values(self) -> Iterable[Value]:
        return (self.subject,)

    def of_chain(self) -> bool:
        return isinstance(self.subject, Member) and self.subject.in_chain


# --- comparisons ----------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class Compare(OfValue):
    """`operator`: == != < <= > >= or `multiple`."""

    subject: Value
    operator: str
    operand: Value

    def __repr__(self) -> str:
        return f'({self.subject} {self.operator} {self.operand})'

    def values(self) -> Iterable[Value]:
        return self.subject, self.operand

    def negated(self) -> Atom:
        if self.operator not in NEGATED:
            raise NotUnderstood(repr(self))
        return Compare(self.subject, NEGATED[self.operator], self.operand)

    def fits(self, rows: Rows) -> bool:
        left = self.subject
        if repr(left) == repr(self.operand):
            return False
        if isinstance(left, Limit) and left.field.type != 'VkBool32':
            return False
        return super().fits(rows)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        said = 'ROW_UNSAID' if self.subject.unsaid and self.operator == '!=' else '0'
        return (
            f'{{ROW_{OPERATORS[self.operator]}, true, {more}, {said}, {left}, '
            f'{rows.value(row, self.operand)}}}'
        )

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        left, right = self.subject.operand(code, row), self.operand.operand(code, row)
        test = (
            self._multiple(left.text, right.text, holds)
            if self.operator == 'multiple'
            else self._ordered(left, right, holds)
        )
        rank, device = max(left.rank, right.rank, 1), left.device or right.device
        return readable(left.readable + right.readable) + [Term(test, rank, device)]

    def _multiple(self, left: str, right: str, holds: bool) -> str:
        if getattr(getattr(self.subject, 'field', None), 'read_as_number', False):
            left = f'(uintptr_t){left}'
        known = f'{right} && ' if not re.fullmatch(r'\d+', right) else ''
        return f'{known}{left} % {right} {"==" if holds else "!="} 0'

    def _ordered(self, a: Anything, b: Anything, holds: bool) -> str:
        left, right = common(a, b)
        if {a.type, b.type} & {'F32', 'F64'}:  # also of a value that is not a number
            test = {
                '==': f'({left} >= {right} && {left} <= {right})',
                '!=': f'({left} < {right} || {left} > {right})',
            }.get(self.operator, f'({left} {self.operator} {right})')
            return test if holds else f'!{test}'
        asked = self.operator if holds else NEGATED[self.operator]
        if right != '0' or a.type in ('I32', 'I64'):
            return f'{left} {asked} {right}'
        if asked in ('<', '>='):  # unsigned values are never less than 0
            raise Unknown
        return f'!{left}' if asked in ('==', '<=') else left

    def holds(self, truth: Truth, values: Values) -> bool:
        left, right = self.subject.number(truth, values), self.operand.number(truth, values)
        return COMPARED[self.operator](left, right)

    def told(self, n: Anything) -> int | None:
        return 1 if isinstance(self.operand, Number) else None

    def tell_limits(self, told: Values) -> None:
        """Granularities are 1 unless it is told otherwise, and limits have more than as many as a
        mask has bits."""
        limit = self.operand
        if not isinstance(limit, Limit):
            return
        if self.operator == 'multiple' and '.' in limit.path:
            told.setdefault('properties', {})[limit.path.split('.')[0]] = [64, 64]
        if self.subject.is_bit_index:
            told.setdefault('properties', {})[limit.path] = 8


@dataclasses.dataclass(eq=False, repr=False)
class PowerOfTwo(OfValue):
    subject: Value

    def __repr__(self) -> str:
        return f'({self.subject} is a power of two)'

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        return f'{{ROW_POWER_OF_TWO, true, {more}, 0, {rows.value(row, self.subject)}, 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        return Bits(self.subject, [], 'one').terms(code, row, holds)

    def holds(self, truth: Truth, values: Values) -> bool:
        left = self.subject.number(truth, values)
        return left > 0 and left & (left - 1) == 0


@dataclasses.dataclass(eq=False, repr=False)
class Null(OfValue):
    """The subject, a pointer or handle, is NULL, or (positive False) it is not."""

    subject: Value
    positive: bool

    def __repr__(self) -> str:
        return f'({self.subject} {"is" if self.positive else "is not"} NULL)'

    def negated(self) -> Atom:
        return Null(self.subject, not self.positive)

    def fits(self, rows: Rows) -> bool:
        return all(part.fits(rows, pointer=True) for part in self.parts())

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        said = 'ROW_UNSAID' if self.subject.unsaid else '0'
        return f'{{ROW_NULL, {word(self.positive)}, {more}, {said}, {left}, 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if isinstance(self.subject, Fact) and self.subject.handle == 'sections':
            fact = code.rows.fact_of(self.subject)
            wanted = yes(self.positive != holds)
            return [Term(f'row_section({code.call(row)}, {fact}) == {wanted}', 4)]
        value = self.subject.operand(code, row)
        test = f'!{value.text}' if self.positive == holds else value.text
        return value.terms() + [Term(test, 1)]

    def holds(self, truth: Truth, values: Values) -> bool:
        return (values[repr(self.subject)] == 0) == self.positive


@dataclasses.dataclass(eq=False, repr=False)
class ValidPointer(OfValue, Switched):
    """The subject, a pointer, leads to memory that a program can have."""

    subject: Value

    def __repr__(self) -> str:
        return f'({self.subject} is a valid pointer)'

    def fits(self, rows: Rows) -> bool:
        return True

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        return f'{{ROW_POINTER, true, {more}, 0, {rows.value(row, self.subject)}, 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        value = self.subject.operand(code, row)
        test = f'{"!" if holds else ""}pointer_is_bad({value.text})'
        return value.terms() + [Term(test, 1)]

    @property
    def switch(self) -> str:
        return f'pointer {self.subject}'

    def holds(self, truth: Truth, values: Values) -> bool:
        return values[self.switch]

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        return [f'SET({place(self.subject)}, {"test_memory()" if on else "NULL"});']


# --- constants ------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class Among(OfValue):
    """The subject is one of the constants, or (positive False) none of them. None stands for a
    constant that this model lacks."""

    subject: Value
    constants: list[Anything]
    positive: bool

    def __repr__(self) -> str:
        return f'({self.subject} {"in" if self.positive else "not in"} {self.constants})'

    def negated(self) -> Atom:
        return Among(self.subject, self.constants, not self.positive)

    @property
    def known(self) -> list[str]:
        return [c for c in self.constants if c]

    def fits(self, rows: Rows) -> bool:
        return bool(self.known) and super().fits(rows)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        constants = [rows.nouns.constants[c][0] for c in self.known]
        if (
            len(constants) == 1
            and isinstance(self.subject, Member)
            and rows.value_type(self.subject.field) == '0'
        ):  # a constant of no enumeration, for the name's sake
            operand = rows.value(row, Number(self.known[0], constants[0]))
            kind = 'ROW_EQUAL' if self.positive else 'ROW_DIFFERENT'
            return f'{{{kind}, true, {more}, 0, {left}, {operand}}}'
        return (
            f'{{ROW_AMONG, {word(self.positive)}, {more}, '
            f'{len(constants)}, {left}, {rows.constants(constants)}}}'
        )

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if not self.positive and not holds and self._is_states(row):
            return [either([[code.dynamic(c, True)] for c in self.constants])[0]]
        value = self.subject.operand(code, row)
        if self.positive == holds:
            test = ' || '.join(f'{value.text} == {c}' for c in self.known)
            test = f'({test})' if len(self.known) > 1 else test
        else:
            test = ' && '.join(f'{value.text} != {c}' for c in self.known)
        return value.terms() + [Term(test, 1)]

    def _is_states(self, row: Row) -> bool:
        """Is the subject an element of a graphics pipeline's pDynamicStates?"""
        each = self.subject.each if isinstance(self.subject, Member) else None
        return (
            row.owner == PIPELINE
            and isinstance(each, Member)
            and each.path == ('pDynamicState', 'pDynamicStates')
        )

    def holds(self, truth: Truth, values: Values) -> bool:
        left = self.subject.number(truth, values)
        return (left in [truth.n.constants[c][0] for c in self.known]) == self.positive

    def told(self, n: Anything) -> int | None:
        return 1


@dataclasses.dataclass(eq=False, repr=False)
class Bits(OfValue):
    """`how`: the subject has 'any', 'all' or 'none' of the bits, 'not all' of them, 'only' these,
    or exactly 'one' bit whatever it is."""

    subject: Value
    constants: list[Anything]
    how: str

    ENTRIES = {
        'any': ('ROW_ANY_BIT', True),
        'none': ('ROW_ANY_BIT', False),
        'all': ('ROW_ALL_BITS', True),
        'not all': ('ROW_ALL_BITS', False),
        'only': ('ROW_ONLY_BITS', True),
        'one': ('ROW_ONE_BIT', True),
    }

    def __repr__(self) -> str:
        return f'({self.subject} has {self.how} of {self.constants})'

    def negated(self) -> Atom:
        if self.how not in HOW_NEGATED:
            raise NotUnderstood(repr(self))
        return Bits(self.subject, self.constants, HOW_NEGATED[self.how])

    @property
    def known(self) -> list[str]:
        return [c for c in self.constants if c]

    def mask(self, n: Anything) -> int:
        return mask_of(n, self.known)

    def fits(self, rows: Rows) -> bool:
        return (self.how == 'one' or bool(self.known)) and super().fits(rows)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        kind, positive = self.ENTRIES[self.how]
        mask = rows.constants([self.mask(rows.nouns)])
        return f'{{{kind}, {word(positive)}, {more}, 0, {left}, {mask}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if isinstance(self.subject, QueueFlags):
            test = f'(dev->queue_flags & ({" | ".join(self.constants)}))'
            return [Term(test if holds else f'!{test}', 4, True)]
        value = self.subject.operand(code, row)
        return value.terms() + [self._term(value.text, holds)]

    def _term(self, value: str, holds: bool) -> Term:
        how = self.how
        if how == 'not all':
            how, holds = 'all', not holds
        if how == 'one':
            test = f'{value} && !({value} & ({value} - 1))'
            return Term(test if holds else f'!({test})', 1)
        mask = ' | '.join(self.known)
        grouped = f'({mask})' if len(self.known) > 1 else mask
        if how == 'only':
            test = f'{value} & ~(uint64_t){grouped}'
            return Term(f'!({test})' if holds else test, 1)
        some = how == 'any' and holds or how == 'none' and not holds
        if some or (how == 'all' and holds and len(self.known) == 1):
            return Term(f'{value} & {grouped}', 0, mask=(value, mask))
        if how == 'all':
            test = f'({value} & {grouped}) {"==" if holds else "!="} {grouped}'
            return Term(test, 0, mask=(value, mask) if holds else None)
        return Term(f'!({value} & {grouped})', 1)

    def holds(self, truth: Truth, values: Values) -> bool:
        left = self.subject.number(truth, values)
        if self.how == 'one':
            return left > 0 and left & (left - 1) == 0
        mask = self.mask(truth.n)
        return {
            'not all': left & mask != mask,
            'any': left & mask != 0,
            'none': left & mask == 0,
            'all': left & mask == mask,
            'only': left & ~mask == 0,
        }[self.how]

    def told(self, n: Anything) -> int | None:
        return self.mask(n)


def mask_of(n: Anything, constants: Iterable[str]) -> int:
    return functools.reduce(operator.or_, (n.constants[c][0] for c in constants if c), 0)


@dataclasses.dataclass(eq=False, repr=False)
class BitsOfLimit(OfValue):
    """`how`: the subject's bits are all 'within' those of a limit, or it has 'any' of them."""

    subject: Value
    operand: Value
    how: str

    asks_bits_of_limit = True
    ENTRIES = {'within': 'ROW_WITHIN_BITS', 'any': 'ROW_SHARED_BITS'}

    def __repr__(self) -> str:
        return f'({self.subject} has {self.how} of {self.operand})'

    def values(self) -> Iterable[Value]:
        return self.subject, self.operand

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left, right = rows.value(row, self.subject), rows.value(row, self.operand)
        return f'{{{self.ENTRIES[self.how]}, true, {more}, 0, {left}, {right}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if self.how != 'within' or self.operand.is_fact('VkDevice'):
            raise Unknown
        value, limit = self.subject.operand(code, row), self.operand.operand(code, row)
        test = f'{value.text} & ~{limit.text}'
        device = value.device or limit.device
        return readable(value.readable + limit.readable) + [
            Term(f'!({test})' if holds else test, 2, device)
        ]

    def holds(self, truth: Truth, values: Values) -> bool:
        left, right = self.subject.number(truth, values), self.operand.number(truth, values)
        return left & ~right == 0 if self.how == 'within' else left & right != 0


# --- formats --------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class FormatIs(OfValue):
    """The subject, a VkFormat, is of a kind (of enum row_format_kind in src/stateless/rows.h), or
    (positive False) it is not."""

    subject: Value
    kind: str
    positive: bool

    def __repr__(self) -> str:
        return f'({self.subject} {"is" if self.positive else "is not"} {self.kind})'

    def negated(self) -> Atom:
        return FormatIs(self.subject, self.kind, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        return f'{{ROW_FORMAT, {word(self.positive)}, {more}, 0, {left}, ROW_FORMAT_{self.kind}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        value = self.subject.operand(code, row)
        asked = f'row_format_is((uint64_t){value.text}, ROW_FORMAT_{self.kind})'
        return value.terms() + [Term(f'{asked} == {yes(self.positive == holds)}', 3)]

    def holds(self, truth: Truth, values: Values) -> bool:
        return truth.format_is(self.subject.number(truth, values), self.kind) == self.positive


@dataclasses.dataclass(eq=False, repr=False)
class FormatTraits(OfValue):
    """The subject, a format, is of one of these kinds (facts.FORMAT_KINDS), or (positive False) of
    none of them."""

    subject: Value
    kinds: list[str]
    positive: bool

    def __repr__(self) -> str:
        return f'({self.subject} {"is" if self.positive else "is not"} {self.kinds})'

    def negated(self) -> Atom:
        return FormatTraits(self.subject, self.kinds, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        kinds = rows.words([' | '.join(f'FORMAT_IS_{k}' for k in self.kinds)])
        return f'{{ROW_FORMAT_TRAITS, {word(self.positive)}, {more}, 0, {left}, {kinds}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        names = [f'FORMAT_IS_{k}' for k in self.kinds]
        mask = f'({" | ".join(names)})' if len(names) > 1 else names[0]
        if isinstance(self.subject, Fact) and self.subject.handle == 'VkImage':
            state = code.state(row, self.subject.handle, self.subject.holder)
            kinds, known = f'{state}->format_kinds', [Term(state, -0.5)]
        else:
            value = self.subject.operand(code, row)
            kinds, known = f'format_kinds({value.text})', value.terms()
        test = f'{kinds} & {mask}'
        return known + [Term(test if self.positive == holds else f'!({test})', 2)]

    def holds(self, truth: Truth, values: Values) -> bool:
        kinds = truth.format_kinds(self.subject.number(truth, values))
        return bool(kinds & set(self.kinds)) == self.positive


# --- memory ---------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class Bound(OfValue, Switched):
    """The subject is a buffer's handle, or that of an object in a buffer. `how`: the buffer is
    bound to memory, or sparse ('ANY'), to memory that is HOST_VISIBLE, that has a SINGLE instance;
    NAMED: the object was created with the buffer's name, not by an address."""

    subject: Value
    handle: str
    how: str = 'ANY'

    needs_state = True

    def __repr__(self) -> str:
        return f'({self.subject} is bound: {self.how})'

    def fits(self, rows: Rows) -> bool:
        return True

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        return f'{{ROW_BOUND, true, {more}, 0, {left}, {self._lies(rows.m)}}}'

    def _lies(self, m: Anything) -> str:
        return f'ROW_LIES({m.handle_constant(self.handle)}, ROW_MEMORY_{self.how})'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if self.handle in BOUND:
            state = code.state(row, self.handle, self.subject)
            asked = f'{"" if holds else "!"}{BOUND[self.handle]}({state})'
            return [Term(state, -0.5), Term(asked, 3)]
        value = self.subject.operand(code, row)
        handle = f'(uint64_t)(uintptr_t){value.text}'
        asked = f'row_ask_bound({code.call(row)}, {handle}, {self._lies(code.m)})'
        return value.terms() + [Term(f'{asked} == {yes(holds)}', 5)]

    @property
    def switch(self) -> str:
        return f'bound {self.subject}'

    def holds(self, truth: Truth, values: Values) -> bool:
        return values[self.switch]

    def tell(self, told: Values, value: Anything) -> None:
        if self.how == 'SINGLE':
            told['physicalDevices'], told['deviceGroup'] = 2, True

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        return [f'SET({place(self.subject)}, {self._made(on)});']

    def _made(self, on: bool) -> str:
        """C of an object whose buffer is as asked, or is not."""
        if self.handle == 'VkImage':
            return f'test_bound_image({word(on)})'
        if self.how == 'NAMED' and not on:
            usage = 'VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR'
            return f'test_acceleration_structure_at(test_address({usage}))'
        other = {
            'ANY': 'test_buffer(false)',
            'HOST_VISIBLE': 'test_buffer_in(0, 0)',
            'SINGLE': f'test_buffer_in({HOST_VISIBLE}, 3)',
        }
        made = f'test_buffer_in({HOST_VISIBLE}, 0)' if on else other[self.how]
        return {
            'VkBuffer': made,
            'VkMicromapEXT': f'test_micromap({made})',
            'VkAccelerationStructureKHR': f'test_acceleration_structure({made})',
        }[self.handle]


class OfAddress(OfValue, Switched):
    """An atom about the buffer that has the subject, a device address."""

    constants: list[str]

    needs_state = True

    @property
    def kind(self) -> str:
        """The kind of a struct row_atom."""
        raise NotImplementedError

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        left = rows.value(row, self.subject)
        mask = rows.constants([mask_of(rows.nouns, self.constants)])
        return f'{{{self.kind}, {word(self.positive)}, {more}, 0, {left}, {mask}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        value = self.subject.operand(code, row)
        mask = ' | '.join(self.constants) or '0'
        asked = f'row_ask_address({code.call(row)}, {value.text}, {mask}, {self.kind})'
        test = f'{asked} == {yes(self.positive == holds)}'
        return [Term(' && '.join(value.readable + [test]), 5)]


@dataclasses.dataclass(eq=False, repr=False)
class AddressUsage(OfAddress):
    """The subject, a device address, is of a buffer that was created with one of the usages (none:
    with any). `valid`: an address that is in no buffer is wrong, too. `positive` False: no buffer
    that has the address was."""

    subject: Value
    constants: list[str]
    valid: bool = False
    positive: bool = True

    def __repr__(self) -> str:
        return (
            f'({self.subject} is of {"a" if self.positive else "no"} buffer with {self.constants})'
        )

    @property
    def kind(self) -> str:
        return 'ROW_ADDRESS_VALID' if self.valid else 'ROW_ADDRESS_USAGE'

    @property
    def switch(self) -> str:
        return f'buffer of {self.subject}'

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        if not self.constants:
            address = f'test_address({INPUTS})' if on else NOWHERE
        elif guards:
            address = f'test_address({f"{self.constants[0]} | " if on else ""}{TRANSFERS})'
        else:
            source = 'VK_BUFFER_USAGE_TRANSFER_SRC_BIT'
            other = source if self.constants[0] != source else 'VK_BUFFER_USAGE_TRANSFER_DST_BIT'
            address = f'test_address({self.constants[0] if on else other})'
        return [f'SET({place(self.subject)}, {address});']


@dataclasses.dataclass(eq=False, repr=False)
class AddressFlags(OfAddress):
    """The subject, a device address, is of a buffer that was created with one of the flags, or
    (positive False) with none of them."""

    subject: Value
    constants: list[str]
    positive: bool

    def __repr__(self) -> str:
        return (
            f'({self.subject} is of a buffer with{"" if self.positive else "out"} {self.constants})'
        )

    def negated(self) -> Atom:
        return type(self)(self.subject, self.constants, not self.positive)

    @property
    def kind(self) -> str:
        return 'ROW_ADDRESS_FLAGS'

    @property
    def switch(self) -> str:
        return f'flags of the buffer of {self.subject}'

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        flags = self.constants[0] if on else '0'
        return [f'SET({place(self.subject)}, test_address_of({TRANSFERS}, {flags}));']


@dataclasses.dataclass(eq=False, repr=False)
class AddressBound(AddressFlags):
    """The subject, a device address, is of a buffer that is bound to memory or sparse; or (positive
    False) of none, though a buffer has it."""

    constants: list[str] = dataclasses.field(default_factory=list)
    positive: bool = True

    def __repr__(self) -> str:
        return f'({self.subject} is {"" if self.positive else "not "}bound to memory)'

    @property
    def switch(self) -> str:
        return f'memory of the buffer of {self.subject}'

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        how = 'of' if on else 'freed'
        return [f'SET({place(self.subject)}, test_address_{how}({TRANSFERS}, 0));']


# --- what is there --------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class HasPrimitives(Atom):
    """The geometry that an element is has primitives, as far as the call says how many: else
    nothing of it is read. Scenarios test rows with it."""

    def __repr__(self) -> str:
        return '(it has primitives)'

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        name = rows.counted[row.owner]
        of_range = 'sizeof(VkAccelerationStructureBuildRangeInfoKHR)'
        size = of_range if 'Range' in name else 'sizeof(uint32_t)'
        steps = rows.steps_of([f'offsetof({rows.structure_of(row.owner)}, {name})'])
        return f'{{ROW_PRIMITIVES, true, {more}, ROW_UNSAID, {steps}, {size}}}'


@dataclasses.dataclass(eq=False, repr=False)
class Chained(Switched):
    """The pNext chain has a structure of that name, or (positive False) it does not. `holder`: the
    Member that is the head of another chain than the statement's own, or that points to it."""

    structure: str
    positive: bool
    holder: Member | None = None

    def __repr__(self) -> str:
        return f'({self.holder or ""}{"has" if self.positive else "lacks"} {self.structure})'

    def members(self) -> list[Member]:
        return self.holder.members() if self.holder is not None else []

    def negated(self) -> Atom:
        return Chained(self.structure, not self.positive, self.holder)

    def fits(self, rows: Rows) -> bool:
        return self.holder is None or rows.chain_is_found(self.structure)

    def of_chain(self) -> bool:
        return self.positive and self.holder is None

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        if self.holder is None:
            chain = rows.chain(self.structure)
            return f'{{ROW_CHAINED, {word(self.positive)}, {more}, {said}, {chain}, 0}}'
        head = rows.value(row, rows.chain_of(self.holder))
        chain = rows.chain(self.structure)
        return f'{{ROW_CHAINED_OF, {word(self.positive)}, {more}, 0, {chain}, {head}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if self.holder is not None or self.positive != holds or row.owner in code.m.commands:
            raise Unknown
        return [Term('s->pNext', 0)]

    @property
    def switch(self) -> str:
        of = f' of {self.holder}' if self.holder is not None else ''
        return f'chained {self.structure}{of}'

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        if self.holder is None or not on:
            return []
        at = place(self.holder)
        head = at if '*' in self.holder.field.fullType else f'&{at}'
        return [
            f'test_chain((void *)(uintptr_t){head}, new_{self.structure}(), '
            f'sizeof({self.structure}));'
        ]


@dataclasses.dataclass(eq=False, repr=False)
class Feature(Switched):
    constant: str
    positive: bool

    def __repr__(self) -> str:
        return f'({"" if self.positive else "not "}{self.constant})'

    def negated(self) -> Atom:
        return Feature(self.constant, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        name = rows.feature_name(self.constant)
        rows.names.add(name)
        return f'{{ROW_FEATURE, {word(self.positive)}, {more}, 0, {self.constant}, NAME({name})}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if code.rows.of_creation(row.owner):
            raise Unknown  # there is no device yet
        negated = '' if self.positive == holds else '!'
        return [Term(f'{negated}device_has_feature(dev, {self.constant})', 3, True)]

    @property
    def switch(self) -> str:
        return f'feature {self.constant}'


@dataclasses.dataclass(eq=False, repr=False)
class Extension(Switched):
    """`named`: the program has enabled it by its name, which a version that brings it does not
    do."""

    name: str
    positive: bool
    named: bool = False

    def __repr__(self) -> str:
        return f'({"" if self.positive else "not "}{self.name}{" by name" if self.named else ""})'

    def negated(self) -> Atom:
        return Extension(self.name, not self.positive)

    def fits(self, rows: Rows) -> bool:
        return not rows.m.extensions[self.name].instance

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        how = 'ROW_BY_NAME' if self.named else 0
        return f'{{ROW_EXTENSION, {word(self.positive)}, {more}, 0, EXTENSION_{self.name}, {how}}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if code.rows.of_creation(row.owner):
            raise Unknown
        positive = self.positive == holds
        which = 'named_extensions' if positive or self.named else 'extensions'
        has = f'extension_set_has(&dev->{which}, EXTENSION_{self.name})'
        return [Term(has if positive else f'!{has}', 3, True)]

    @property
    def switch(self) -> str:
        return f'extension {self.name}'


@dataclasses.dataclass(eq=False, repr=False)
class Named(Switched):
    """ppEnabledExtensionNames, of what vkCreateInstance or vkCreateDevice gets, has the
    extension."""

    name: str
    positive: bool

    def __repr__(self) -> str:
        return f'({"" if self.positive else "not "}named {self.name})'

    def negated(self) -> Atom:
        return Named(self.name, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        names = rows.array_number(row.owner, 'ppEnabledExtensionNames')
        return (
            f'{{ROW_NAMED, {word(self.positive)}, {more}, {said}, {names}, EXTENSION_{self.name}}}'
        )

    @property
    def switch(self) -> str:
        return f'named {self.name}'


# --- graphics pipelines ---------------------------------------------------------------------------


@dataclasses.dataclass(eq=False, repr=False)
class Part(Atom):
    """The graphics pipeline has state of one of the parts (VK_GRAPHICS_PIPELINE_LIBRARY_*_BIT_EXT)
    of its own."""

    names: tuple[str, ...]
    positive: bool

    is_of_pipeline = True

    def __post_init__(self) -> None:
        self.names = tuple(self.names)

    def __repr__(self) -> str:
        return f'({"" if self.positive else "not "}{" or ".join(self.names)})'

    def negated(self) -> Atom:
        return Part(self.names, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        said = 'ROW_UNSAID' if self.positive else said  # most pipelines have all
        return f'{{ROW_PART, {word(self.positive)}, {more}, {said}, {" | ".join(self.names)}, 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        negated = '' if self.positive == holds else '!'
        return [Term(f'{negated}(pipeline_parts(c) & ({" | ".join(self.names)}))', 2)]

    def switches(self) -> list[tuple[str, Thing, Tried]]:
        return [(f'part {name}', Part((name,), True), ON_FIRST) for name in self.names]

    def holds(self, truth: Truth, values: Values) -> bool:
        """All is made of all parts, unless a case says otherwise."""
        return any(values[f'part {name}'] for name in self.names) == self.positive


@dataclasses.dataclass(eq=False, repr=False)
class Dynamic(OffFirst):
    """The graphics pipeline has that dynamic state (VK_DYNAMIC_STATE_*)."""

    state: str
    positive: bool

    is_of_pipeline = True

    def __repr__(self) -> str:
        return f'({"" if self.positive else "not "}dynamic {self.state})'

    def negated(self) -> Atom:
        return Dynamic(self.state, not self.positive)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        state = rows.dynamic_state(self.state)
        return f'{{ROW_DYNAMIC, {word(self.positive)}, {more}, {said}, {state}, 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        return [code.dynamic(self.state, self.positive == holds)]

    @property
    def switch(self) -> str:
        return f'dynamic {self.state}'


@dataclasses.dataclass(eq=False, repr=False)
class Read(Atom):
    """The graphics pipeline reads what one of its pointers leads to: `name` is the member of struct
    graphics_info that has it."""

    name: str

    is_of_pipeline = True
    positive = True

    def __repr__(self) -> str:
        return f'(reads {self.name})'

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        return f'{{ROW_READ, true, {more}, {said}, offsetof(struct graphics_info, {self.name}), 0}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        if not holds or self.name not in code.states_read(row):
            raise Unknown
        return [Term(f'pipeline_reads(c, {self.name})', -1)]

    def holds(self, truth: Truth, values: Values) -> bool:
        return True


@dataclasses.dataclass(eq=False, repr=False)
class Some(OffFirst):
    """An element of an array (or, positive False, none of them) is as the atom `inner` says, which
    is about a Member of the element."""

    inner: Anything
    positive: bool

    def __repr__(self) -> str:
        return f'({"some" if self.positive else "no"} {self.inner!r})'

    @property
    def each(self) -> Anything:
        """The array."""
        return self.inner.subject.each

    def negated(self) -> Atom:
        return Some(self.inner, not self.positive)

    def fits(self, rows: Rows) -> bool:
        of_type = isinstance(self.inner, Among) and rows.type_of(self.inner.subject.field)
        return bool(of_type)

    def entry(self, rows: Rows, row: Row, more: str, said: str) -> str:
        rows.inner.append(self.inner.entry(rows, row, 'false', '0'))
        array, number = rows.array_number(row.owner, self.each), len(rows.inner) - 1
        return f'{{ROW_SOME, {word(self.positive)}, {more}, {said}, {array}, INNER({number})}}'

    def terms(self, code: RowCode, row: Row, holds: bool) -> list[Term]:
        """Stages are found by their bits."""
        inner = self.inner
        if row.owner != PIPELINE or (self.each, inner.subject.path) != STAGES or not inner.positive:
            raise Unknown
        negated = '' if self.positive == holds else '!'
        return [Term(f'{negated}(pipeline_stages(c) & ({" | ".join(inner.constants)}))', 2)]

    @property
    def switch(self) -> str:
        return f'some {self.inner!r}'
