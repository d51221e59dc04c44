"""Values that sentences speak of: members, limits, numbers, and what objects were created with.

A value knows how it is read by those who enforce a sentence: as an entry of the interpreter's
tables (`entry`), as C in a test (`operand`), and on the values that a generated call has
(`number`)."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING
from typing import Any as Anything

from language.terms import Operand, Unknown

if TYPE_CHECKING:
    from cases.choices import Choices
    from cases.truth import Truth
    from rows.row_code import RowCode
    from rows.rows import Row, Rows

Place = Callable[[Anything], str]
UNSIGNED_SMALL = {'U8', 'U16', 'U32'}
UNSIGNED = UNSIGNED_SMALL | {'U64'}


class NotUnderstood(Exception):
    """A form does not fit, or nothing has the name."""


class Thing:
    """A value or an atom: what the values of a generated call are of."""

    # Does it ask what objects were created with?
    needs_state = False

    @property
    def is_capability(self) -> bool:
        """Is it what the driver can do with a video profile? Only the test knows numbers, and the
        null driver is told flags."""
        return False

    def is_fact(self, handle: str | None, *names: str) -> bool:
        """Is it one of these facts, of an object of that type (None: of any)?"""
        return False

    def tell(self, told: dict[str, Anything], value: Anything) -> None:
        """Adds what the null driver is told, where it has the value."""

    def put(self, place: Place, on: bool, guards: bool) -> list[str]:
        """C of a generated call in which an atom is as `on` says. `place`: C of a Member; `guards`:
        the atom is one of the guards."""
        return []


class Value(Thing):
    """Its repr is its key: values with the same one are the same."""

    field: Anything  # the registry's member whose type it has
    unsaid = False  # no message needs to speak of it
    is_bit_index = False  # is it the index of a bit?
    is_member = False  # is it set by the call, as a Member, or as a Fact of an object that is made?

    def parts(self) -> list[Value]:
        """The values that it is made of, each of which is read by itself."""
        return [self]

    def members(self) -> list[Member]:
        """The Members that it is made of."""
        return []

    def differences(self) -> list[Difference]:
        """It, if it is a difference: in no call it is negative."""
        return []

    def fits(self, rows: Rows, pointer: bool = False) -> bool:
        """Can a row have it? `pointer`: as one that is only compared with NULL."""
        return True

    def entry(self, rows: Rows, row: Row) -> str:
        """C of a struct row_value."""
        raise NotImplementedError(repr(self))

    def operand(self, code: RowCode, row: Row) -> Operand:
        """It in a test of rows; Unknown where it is not worth one."""
        raise Unknown

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        """Its value where the call has these values."""
        return values[repr(self)]

    def tried(self, choices: Choices, atom: Anything) -> list[tuple[Anything, str]] | None:
        """Values that are tried because an atom speaks of it; None where there are none, or where
        it is set by the call."""
        return None


@dataclasses.dataclass(eq=False, repr=False)
class Member(Value):
    """A value in the structure (or among the parameters) that the statement belongs to, or in one
    of its pNext chain.

    path   names of the members that lead to it, each inside the one before
    field  the registry's Member or Param of the last one
    chain  name of the chained structure that has it, or None
    each   name of the array, of whose elements each is meant, or the array as a Member or as
           Elements, or None
    arrows the indices in `path` of those that are pointers to what follows
    head   the Member that is the pNext of the chain that `chain` is in, where that is another one
           than the statement's own"""

    path: tuple[str, ...]
    field: Anything
    chain: str | None = None
    each: Anything = None
    arrows: tuple[int, ...] = ()
    head: Member | None = None

    is_member = True

    def __post_init__(self) -> None:
        self.path, self.arrows = tuple(self.path), tuple(self.arrows)

    def __repr__(self) -> str:
        return (
            (f'{self.chain}::' if self.chain else '')
            + (f'{self.each}[].' if self.each else '')
            + '.'.join(self.path)
        )

    def members(self) -> list[Member]:
        if self.head is not None and isinstance(self.head.each, Elements):
            return [self, self.head]
        return [self]

    @property
    def in_chain(self) -> bool:
        """Is it in the statement's own chain?"""
        return self.chain is not None and self.head is None

    def fits(self, rows: Rows, pointer: bool = False) -> bool:
        elsewhere = self.chain or self.each or len(self.path) > 1
        if getattr(self.field, 'extendedFlag', None) and elsewhere:
            return False  # another structure's chain may have the flags that are used instead
        return pointer or rows.type_of(self.field) is not None

    def entry(self, rows: Rows, row: Row) -> str:
        return rows.member_entry(row, self)

    def operand(self, code: RowCode, row: Row) -> Operand:
        return code.member(row, self)


@dataclasses.dataclass(eq=False, repr=False)
class Elements:
    """The elements of an array of structures, or of the array of pointers to them that may be given
    instead: what a Member's `each` is.

    outer  name of the array of whose elements each has those arrays, or None
    field  the registry's member that is the array, `other` the one that is the array of pointers"""

    outer: str | None
    field: Anything
    other: Anything

    def __repr__(self) -> str:
        return (f'{self.outer}[].' if self.outer else '') + f'{self.field.name}|{self.other.name}'


@dataclasses.dataclass(eq=False, repr=False)
class Limit(Value):
    """A member of VkPhysicalDeviceLimits, or of another structure of a device's properties."""

    structure: str
    path: str
    field: Anything

    def __repr__(self) -> str:
        return f'{self.structure}::{self.path}'

    @property
    def place(self) -> str:
        """C of the member of struct device that has it."""
        if self.structure == 'VkPhysicalDeviceLimits':
            return f'properties.limits.{self.path}'
        return f'extended.{self.structure.removeprefix("VkPhysicalDevice")}.{self.path}'

    def fits(self, rows: Rows, pointer: bool = False) -> bool:
        return rows.type_of(self.field) is not None and (
            self.structure == 'VkPhysicalDeviceLimits' or rows.limit_is_kept(self.structure)
        )

    def entry(self, rows: Rows, row: Row) -> str:
        rows.names.add(self.path)
        steps = rows.steps_of([f'offsetof(struct device, {self.place})'])
        return (
            f'{{ROW_LIMIT, ROW_{rows.type_of(self.field)}, 0, 0, 0, {steps}, '
            f'0, {rows.value_type(self.field)}, NAME({self.path})}}'
        )

    def operand(self, code: RowCode, row: Row) -> Operand:
        return Operand(f'dev->{self.place}', code.rows.type_of(self.field), rank=2, device=True)

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return values.get(repr(self), truth.limit)

    def tell(self, told: dict[str, Anything], value: Anything) -> None:
        said = bool(value) if self.field.type == 'VkBool32' else value
        told.setdefault('properties', {})[self.path.split('.')[0]] = said

    def tried(self, choices: Choices, atom: Anything) -> list[tuple[Anything, str]] | None:
        if self.field.type == 'VkBool32':
            return [(1, ''), (0, '')]
        if not atom.asks_bits_of_limit:
            return None
        mask = choices.m.bitmasks.get(choices.n.value_type(self.field.type))
        return [(next((f.value for f in mask.flags if f.value), 1) if mask else 4, '')]


@dataclasses.dataclass(eq=False, repr=False)
class Number(Value):
    """A constant: a number, or one that the registry names. `text` is how the sentence spells
    it."""

    text: str
    value: int | float

    def __repr__(self) -> str:
        return self.text

    def entry(self, rows: Rows, row: Row) -> str:
        if isinstance(self.value, float):
            bits = struct.unpack('<Q', struct.pack('<d', self.value))[0]
            rows.names.add('')
            return f'{{ROW_NUMBER, ROW_F64, 0, 0, 0, {rows.constants([bits])}, 0, 0, NAME()}}'
        kind = 'ROW_U64' if self.value >= 0 else 'ROW_I32'
        text = self.text if self.text.startswith('VK_') else ''
        rows.names.add(text)
        constants = rows.constants([self.value])
        return f'{{ROW_NUMBER, {kind}, 0, 0, 0, {constants}, 0, 0, NAME({text})}}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        if isinstance(self.value, float):
            return Operand(repr(self.value), 'F64')
        suffix = 'u' if self.value > 0x7FFFFFFF else ''
        text = self.text if self.text.startswith('VK_') else f'{self.value}{suffix}'
        return Operand(text, 'I32' if self.value < 0 else 'NUMBER')

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return self.value


@dataclasses.dataclass(eq=False, repr=False)
class Sum(Value):
    left: Value
    right: Value

    source = 'ROW_SUM'

    def __repr__(self) -> str:
        return f'{self.left} + {self.right}'

    def parts(self) -> list[Value]:
        return self.left.parts() + self.right.parts()

    def members(self) -> list[Member]:
        return self.left.members() + self.right.members()

    def entry(self, rows: Rows, row: Row) -> str:
        left, right = rows.value(row, self.left), rows.value(row, self.right)
        return f'{{{self.source}, ROW_U64, 0, 0, 0, {left}, {right}, 0, 0}}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        left, right = self.left.operand(code, row), self.right.operand(code, row)
        text, kind, more = self._joined(left, right)
        return Operand(
            text,
            kind,
            left.readable + right.readable + more,
            max(left.rank, right.rank),
            left.device or right.device,
        )

    def _joined(self, left: Operand, right: Operand) -> tuple[str, str, list[str]]:
        """(C, word of enum row_type, conditions under which it is not negative)"""
        types = {left.type, right.type}
        if types <= UNSIGNED_SMALL:
            return f'((uint64_t){left.text} + {right.text})', 'U64', []
        if types <= UNSIGNED | {'NUMBER'}:
            return f'row_add({left.text}, {right.text})', 'U64', []
        if types <= UNSIGNED_SMALL | {'I32'}:
            return f'((int64_t){left.text} + {right.text})', 'I64', []
        raise Unknown

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return self.left.number(truth, values) + self.right.number(truth, values)


class Difference(Sum):
    source = 'ROW_DIFFERENCE'

    def __repr__(self) -> str:
        return f'{self.left} - {self.right}'

    def differences(self) -> list[Difference]:
        return [self]

    def _joined(self, left: Operand, right: Operand) -> tuple[str, str, list[str]]:
        if not {left.type, right.type} <= UNSIGNED | {'NUMBER'}:
            raise Unknown
        kind = 'U64' if 'U64' in (left.type, right.type) else 'U32'
        return f'({left.text} - {right.text})', kind, [f'{left.text} >= {right.text}']

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return self.left.number(truth, values) - self.right.number(truth, values)


class Product(Sum):
    source = 'ROW_PRODUCT'

    def __repr__(self) -> str:
        return f'{self.left} * {self.right}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        return dataclasses.replace(super().operand(code, row), rank=2)

    def _joined(self, left: Operand, right: Operand) -> tuple[str, str, list[str]]:
        if not {left.type, right.type} <= UNSIGNED:
            raise Unknown
        return f'row_times({left.text}, {right.text})', 'U64', []

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return self.left.number(truth, values) * self.right.number(truth, values)


@dataclasses.dataclass(eq=False, repr=False)
class HighestBit(Value):
    """The index of the most significant bit of a value; not known of 0."""

    of: Anything

    is_bit_index = True

    def __post_init__(self) -> None:
        self.field = self.of.field

    def __repr__(self) -> str:
        return f'the highest bit of {self.of}'

    def parts(self) -> list[Value]:
        return self.of.parts()

    def members(self) -> list[Member]:
        return self.of.members()

    def entry(self, rows: Rows, row: Row) -> str:
        return f'{{ROW_HIGHEST_BIT, ROW_U32, 0, 0, 0, {rows.value(row, self.of)}, 0, 0, 0}}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        of = self.of.operand(code, row)
        text = f'(63u - (uint32_t)__builtin_clzll({of.text}))'
        return Operand(text, 'NUMBER', of.readable + [of.text], of.rank, of.device)

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        return self.of.number(truth, values).bit_length() - 1


@dataclasses.dataclass(eq=False, repr=False)
class Count(Value):
    """How many elements of an array have a member that is one of the constants. `array`: its name
    in the statement's structure."""

    array: str
    field: Anything
    constants: list[str]

    def __repr__(self) -> str:
        return f'the elements of {self.array} with {self.field.name} in {self.constants}'

    def entry(self, rows: Rows, row: Row) -> str:
        """`chain`: the array in row_arrays; `first`: the step of the member in an element;
        `second`: the constants."""
        element = rows.nouns.structure(rows.members(row.owner)[self.array].type)
        constants = [rows.nouns.constants[c][0] for c in self.constants]
        rows.names.add(self.array)
        steps = rows.steps_of([f'offsetof({element.name}, {self.field.name})'])
        array = rows.array_number(row.owner, self.array)
        return (
            f'{{ROW_COUNT, ROW_U32, 0, {len(constants)}, {array}, {steps}, '
            f'{rows.constants(constants)}, {rows.value_type(self.field)}, NAME({self.array})}}'
        )


@dataclasses.dataclass(eq=False, repr=False)
class Index(Value):
    """The index of the element that each is meant of."""

    each: Anything

    def __repr__(self) -> str:
        return f'the index in {self.each}'

    def entry(self, rows: Rows, row: Row) -> str:
        rows.names.add('its index')
        return '{ROW_INDEX, ROW_U32, ROW_OF_ELEMENT, 0, 0, 0, 0, 0, NAME(its index)}'


@dataclasses.dataclass(eq=False, repr=False)
class Recorded(Value):
    """An object that no member names: `handle` VkCommandBuffer is the one that is recorded,
    VkCommandPool what it is of, and VkVideoSessionKHR what is bound in it."""

    handle: str

    def __repr__(self) -> str:
        return f'the recorded {self.handle}'


@dataclasses.dataclass(eq=False, repr=False)
class Fact(Value):
    """A fact about an object: something that it was created with.

    holder  the Member (a handle) or Recorded whose object it is
    handle  the registry's type of that object
    kept    a facts.Kept
    field   the registry's Member of that name"""

    holder: Value
    handle: str
    kept: Anything
    field: Anything

    is_member = True
    needs_state = True

    def __repr__(self) -> str:
        return f'{self.kept.name} of {self.holder}'

    @property
    def is_capability(self) -> bool:
        return self.kept.name.startswith('VkVideo') and 'Capabilities' in self.kept.name

    def is_fact(self, handle: str | None, *names: str) -> bool:
        return handle in (None, self.handle) and (not names or self.kept.name in names)

    def members(self) -> list[Member]:
        return self.holder.members()

    def entry(self, rows: Rows, row: Row) -> str:
        """As the member that is the handle, but for the type of the value, and the fact in
        `second`."""
        values = rows.value_type(self.field)
        if isinstance(self.holder, Recorded):
            rows.names.add('')
            fact = rows.fact_of(self)
            return f'{{ROW_FACT, ROW_{self.kept.type}, 0, 0, 0, 0, {fact}, {values}, NAME()}}'
        parts = self.holder.entry(rows, row).strip('{}').split(', ')
        parts[0], parts[1] = 'ROW_FACT', f'ROW_{self.kept.type}'
        parts[6], parts[7] = str(rows.fact_of(self)), values
        return f'{{{", ".join(parts)}}}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        state = code.state(row, self.handle, self.holder)
        return Operand(f'{state}->{self.kept.place}', self.kept.type, [state])

    def number(self, truth: Truth, values: dict[str, Anything]) -> Anything:
        if self.is_capability and repr(self) not in values:
            return truth.limit if '::min' in self.kept.name else 3 * truth.limit
        return values[repr(self)]

    def tried(self, choices: Choices, atom: Anything) -> list[tuple[Anything, str]] | None:
        if not self.is_capability:
            return None
        mask = atom.told(choices.n)
        if mask is not None:
            return [(mask, ''), (0, '')]
        if atom.asks_bits_of_limit:
            flags = choices.m.bitmasks[choices.n.value_type(self.field.type)].flags
            return [(next(f.value for f in flags if f.value), '')]
        return None

    def tell(self, told: dict[str, Anything], value: Anything) -> None:
        if self.is_capability:
            told.setdefault('properties', {})[self.kept.name.replace('::', '.')] = value
        elif self.handle == 'VkDevice' and value > 1:
            told['physicalDevices'], told['deviceGroup'] = 2, True
        elif self.kept.name == 'queueFlags':
            tell_family(told, value)
        elif self.handle == 'queue family':
            tell_family(told, ALL_QUEUES, 64 * bool(value))


# the flags of a queue family that does everything: graphics, compute, transfer, sparse, protected
# and video
ALL_QUEUES = 0x7F


def tell_family(told: dict[str, Anything], flags: int, timestamps: int = 64) -> None:
    """The null driver is told of one queue family."""
    told['queueFamilies'] = [
        {
            'flags': flags,
            'count': 1,
            'timestampValidBits': timestamps,
            'minImageTransferGranularity': [1, 1, 1],
        }
    ]


@dataclasses.dataclass(eq=False, repr=False)
class LevelExtent(Value):
    """A side of the mip level that a region lies in, of an image or of one of its planes. Where the
    image's type has no such side, or the level is none of the image's, it is not known: other
    statements speak of that.

    image   a Fact of the image
    layers  the Member that is a VkImageSubresourceLayers
    axis    0, 1, 2: width, height, depth"""

    image: Fact
    layers: Member
    axis: int

    needs_state = True

    def __post_init__(self) -> None:
        self.field = self.image.field

    def __repr__(self) -> str:
        return f'{("width", "height", "depth")[self.axis]} of {self.layers} of {self.image.holder}'

    def members(self) -> list[Member]:
        return self.image.members() + [self.layers]

    def entry(self, rows: Rows, row: Row) -> str:
        x = self.layers
        aspects = rows.m.structs['VkImageSubresourceLayers'].members[0]
        mask = Member(x.path + ('aspectMask',), aspects, x.chain, x.each, x.arrows)
        image, aspect = rows.value(row, self.image), rows.value(row, mask)
        rows.names.add('')
        return f'{{ROW_LEVEL_EXTENT, ROW_U32, 0, 0, {self.axis}, {image}, {aspect}, 0, NAME()}}'

    def operand(self, code: RowCode, row: Row) -> Operand:
        state = code.state(row, self.image.handle, self.image.holder)
        x = self.layers
        if x.chain or x.arrows or not x.each:
            raise Unknown
        layers = f'&e->{".".join(x.path)}' if x.path else 'e'
        return Operand(f'image_level_extent({state}, {layers}, {self.axis})', 'U32', [state])

    def tried(self, choices: Choices, atom: Anything) -> list[tuple[Anything, str]] | None:
        return [(choices.level, '')]


class QueueFlags(Value):
    """The flags of all queue families of the device's physical device."""

    def __init__(self, m: Anything) -> None:
        members = m.structs['VkQueueFamilyProperties'].members
        self.field = next(x for x in members if x.name == 'queueFlags')

    def __repr__(self) -> str:
        return 'the queue families'

    def entry(self, rows: Rows, row: Row) -> str:
        rows.names.add('')
        values = rows.value_type(self.field)
        return f'{{ROW_QUEUE_FLAGS, ROW_U32, 0, 0, 0, 0, 0, {values}, NAME()}}'

    def tried(self, choices: Choices, atom: Anything) -> list[tuple[Anything, str]] | None:
        return [(choices.n.constants[atom.constants[0]][0], ''), (0, '')]

    def tell(self, told: dict[str, Anything], value: Anything) -> None:
        tell_family(told, value)


def pnext_of(n: Anything, holder: Member) -> Member:
    """The Member that is the pNext of a structure, or of one that a pointer leads to."""
    field = next(x for x in n.structure(holder.field.type).members if x.name == 'pNext')
    arrows = holder.arrows + ((len(holder.path) - 1,) if n.is_pointer(holder.field) else ())
    return Member(holder.path + ('pNext',), field, holder.chain, holder.each, arrows)
