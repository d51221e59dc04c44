"""For each row the nearest valid call, and the call that breaks just this row: two sets of values
that differ in one place.

A row's sentence is evaluated here, on values that are tried in turn, by a reading of its own: the
layer's interpreter has no part in it."""

import functools
import itertools
import json
import os

from language import facts
from language import sentence as s
from language.nouns import nouns
from language.sentence_values import OF_FORMAT, FactPath
from model import changes
from model.places import ROOT
from model.registry import RegistryError

TEXTS = os.path.join(ROOT, 'tests/generated/row_texts.txt')
# the flags of a queue family that does everything: graphics, compute, transfer, sparse, protected
# and video
ALL_QUEUES = 0x7F
# One of each kind that sentences tell apart.
FORMATS = [
    'VK_FORMAT_R8G8B8A8_UNORM',
    'VK_FORMAT_D16_UNORM',
    'VK_FORMAT_S8_UINT',
    'VK_FORMAT_D24_UNORM_S8_UINT',
    'VK_FORMAT_R8G8B8A8_UINT',
    'VK_FORMAT_R8G8B8A8_SRGB',
]
HOST_VISIBLE = 1  # a memory type of the null driver (tests/null-driver/physical_device.c)
# Usages of a buffer that may be anything's input, and an address that no buffer has.
INPUTS = (
    'VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT | '
    'VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | '
    'VK_BUFFER_USAGE_STORAGE_BUFFER_BIT'
)
# what copies ask of buffers
TRANSFERS = 'VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT'
NOWHERE = '0x7f0000000000ull'
NO_VALUE = 77  # of any enumeration
LIMIT = 1000003  # stands for a device's limit, whose value only the test knows


def operation_of(fact):
    """The fact that the same session's profile is of a codec operation."""
    kept = facts.KINDS['VkVideoSessionKHR'].facts['videoCodecOperation']
    return s.Fact(fact.holder, fact.handle, FactPath(kept, kept.create), facts.word(kept.name))


# Formats that differ in what statements ask of them; the first is what images are of otherwise.
TRAIT_FORMATS = [
    'VK_FORMAT_R8G8B8A8_UNORM',
    'VK_FORMAT_D16_UNORM',
    'VK_FORMAT_S8_UINT',
    'VK_FORMAT_BC1_RGB_UNORM_BLOCK',
    'VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM',
    'VK_FORMAT_R8_UINT',
    'VK_FORMAT_R8_SINT',
    'VK_FORMAT_R8G8B8A8_SRGB',
    'VK_FORMAT_G8B8G8R8_422_UNORM',
    'VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT',
    'VK_FORMAT_D24_UNORM_S8_UINT',
]
LEVEL = 8  # each side of the images whose mip levels are spoken of


class FormatTable:
    """What the registry says of those formats, by a reading of its own."""

    def __init__(self, m):
        self.m = m

    def kinds(self, name):
        f = self.m.vk.formats[name]
        parts = {c.type for c in f.components}
        numeric = {c.numericFormat for c in f.components if c.type not in 'DS'}
        out = {'DEPTH'} if 'D' in parts else set()
        out |= {'STENCIL'} if 'S' in parts else set()
        out |= {'COLOR'} if parts - {'D', 'S'} else set()
        out |= {'MULTI_PLANAR'} if len(f.planes) > 1 else {'SINGLE_PLANE'}
        out |= {'COMPRESSED'} if f.compressed else {'UNCOMPRESSED'}
        if 'COLOR' in out:
            out |= (
                {'UINT'}
                if 'UINT' in numeric
                else {'SINT'}
                if 'SINT' in numeric
                else {'OTHER_COLOR'}
            )
        out |= {'SRGB'} if 'SRGB' in numeric else set()
        out |= {'UNORM'} if {c.numericFormat for c in f.components} & {'UNORM'} else set()
        out |= {'YCBCR', f.chroma} if f.chroma else set()
        return out

    def fact(self, name, fact):
        f = self.m.vk.formats[name]
        extent = [int(x) for x in f.blockExtent] or [2 if f.chroma and not f.planes else 1, 1, 1]
        if fact == 'aspects':
            kinds = self.kinds(name)
            planes = sum(0x10 << i for i in range(len(f.planes)))
            return (
                ('COLOR' in kinds) * 1 | ('DEPTH' in kinds) * 2 | ('STENCIL' in kinds) * 4 | planes
            )
        if fact == 'texel block size':
            return int(f.blockSize)
        return extent[('texel block width', 'texel block height', 'texel block depth').index(fact)]


class Variable:
    """What a row's truth depends on: a member, a structure in the chain, a feature, an extension.
    `values`: (value as Python sees it, C text)."""

    def __init__(self, key, thing, values):
        unique = {}
        for value, text in values:
            unique.setdefault(value, text)
        self.key, self.thing, self.values = key, thing, list(unique.items())


class RowCase:
    """`valid`, `broken`: statements over `s` or `a`. `off`: what the device is made without:
    (features, extensions) of each. `driver`: what the null driver is told of each, as JSON. `text`:
    what the message of the broken one holds, or None."""

    def __init__(self, row, command, valid, broken, valid_off, broken_off, driver, text):
        self.row, self.command, self.text = row, command, text
        self.valid_driver, self.broken_driver = driver
        self.valid, self.broken, self.valid_off, self.broken_off = (
            valid,
            broken,
            valid_off,
            broken_off,
        )


def texts():
    with open(TEXTS, encoding='utf-8') as f:
        return dict(
            line.rstrip('\n').split('  ', 1)
            for line in f
            if line.strip() and not line.startswith('#')
        )


class RowCases:
    def __init__(self, tests):
        self.t, self.m = tests, tests.m
        self.rows = tests.rules.rows
        self.n = nouns(self.m)
        self.formats = FormatTable(self.m)
        self.texts = texts()
        unknown = set(self.texts) - {row.vuid.id for row in self.rows.rows}
        for vuid in sorted(unknown):
            changes.note('tests/generated/row_texts.txt:1', f'there is no row of {vuid}', vuid)
        self.cases = []
        for row in self.rows.rows:
            if not row.by_scenario:
                with changes.left_out(row.place, row.vuid.id):
                    self.cases.append(self._case(row))

    # --- truth ------------------------------------------------------------------------------------

    def _key(self, x):
        return repr(x)

    def _number(self, x, values):
        if isinstance(x, s.Number):
            return x.value
        if isinstance(x, s.Limit):
            return values.get(self._key(x), LIMIT)
        if isinstance(x, s.Difference):
            return self._number(x.left, values) - self._number(x.right, values)
        if isinstance(x, s.Product):
            return self._number(x.left, values) * self._number(x.right, values)
        if isinstance(x, s.Sum):
            return self._number(x.left, values) + self._number(x.right, values)
        if isinstance(x, s.HighestBit):
            return self._number(x.of, values).bit_length() - 1
        if self._is_capability(x) and self._key(x) not in values:
            return LIMIT if '::min' in x.kept.name else 3 * LIMIT
        return values[self._key(x)]

    @staticmethod
    def _is_capability(x):
        """What the driver can do with a video profile: only the test knows numbers, and the null
        driver is told flags."""
        return (
            isinstance(x, s.Fact)
            and x.kept.name.startswith('VkVideo')
            and 'Capabilities' in x.kept.name
        )

    def _is_told(self, x, atom):
        return self._is_capability(x) and (
            isinstance(atom, (s.Bits, s.Among)) or isinstance(atom.operand, s.Number)
        )

    def _holds(self, atom, values):
        if isinstance(atom, (s.Feature, s.Extension, s.Chained, s.Dynamic, s.Some, s.Named)):
            return values[self._switch(atom)] == atom.positive
        if isinstance(atom, s.Part):  # what all is made of, unless a case says otherwise
            return any(values[self._switch_part(p)] for p in atom.parts) == atom.positive
        if isinstance(atom, s.Read):
            return True
        if isinstance(atom, (s.AddressUsage, s.AddressFlags)):
            return values[self._switch(atom)] == atom.positive
        if isinstance(atom, (s.Bound, s.ValidPointer)):
            return values[self._switch(atom)]
        if isinstance(atom, s.Null):
            return (values[self._key(atom.subject)] == 0) == atom.positive
        left = self._number(atom.subject, values)
        if isinstance(atom, s.FormatIs):
            return self._format_is(left, atom.kind) == atom.positive
        if isinstance(atom, s.FormatTraits):
            return (
                bool(self.formats.kinds(self._format_name(left)) & set(atom.kinds)) == atom.positive
            )
        if isinstance(atom, s.Among):
            return (left in [self.n.constants[c][0] for c in atom.constants if c]) == atom.positive
        if isinstance(atom, s.PowerOfTwo) or (isinstance(atom, s.Bits) and atom.how == 'one'):
            return left > 0 and left & (left - 1) == 0
        if isinstance(atom, s.BitsOfLimit):
            right = self._number(atom.operand, values)
            return left & ~right == 0 if atom.how == 'within' else left & right != 0
        if isinstance(atom, s.Bits):
            mask = self._mask(atom)
            return {
                'not all': left & mask != mask,
                'any': left & mask != 0,
                'none': left & mask == 0,
                'all': left & mask == mask,
                'only': left & ~mask == 0,
            }[atom.how]
        right = self._number(atom.operand, values)
        if atom.operator == 'multiple':
            return left % right == 0
        return {
            '==': left == right,
            '!=': left != right,
            '<': left < right,
            '<=': left <= right,
            '>': left > right,
            '>=': left >= right,
        }[atom.operator]

    def _format_is(self, value, kind):
        name = next(f.name for f in self.m.enums['VkFormat'].fields if f.value == value)
        known = self.m.vk.formats.get(name)
        if known is None:
            return None
        parts = {c.type for c in known.components}
        color, depth, stencil = bool(parts & set('RGBA')), 'D' in parts, 'S' in parts
        numeric = known.components[0].numericFormat
        return {
            'COLOR': color,
            'DEPTH': depth,
            'STENCIL': stencil,
            'COLOR_OR_DEPTH': color or depth,
            'DEPTH_OR_STENCIL': depth or stencil,
            'DEPTH_AND_STENCIL': depth and stencil,
            'DEPTH_ALONE': depth and not stencil,
            'STENCIL_ALONE': stencil and not depth,
            'INTEGER_COLOR': color and numeric in ('UINT', 'SINT'),
            'OTHER_COLOR': color and numeric not in ('UINT', 'SINT'),
            'SRGB': numeric == 'SRGB',
        }[kind]

    def _format_name(self, value):
        return next(name for name in TRAIT_FORMATS if self.n.constants[name][0] == value)

    def _mask(self, atom):
        mask = 0
        for c in atom.constants:
            mask |= self.n.constants[c][0] if c else 0
        return mask

    def _all(self, clauses, values):
        return all(any(self._holds(a, values) for a in c.atoms) for c in clauses)

    @staticmethod
    def _switch(atom):
        return {
            s.Feature: lambda a: f'feature {a.constant}',
            s.Extension: lambda a: f'extension {a.name}',
            s.Chained: lambda a: (
                f'chained {a.structure}' + (f' of {a.holder}' if a.holder is not None else '')
            ),
            s.Dynamic: lambda a: f'dynamic {a.state}',
            s.Some: lambda a: f'some {a.inner!r}',
            s.Named: lambda a: f'named {a.name}',
            s.Bound: lambda a: f'bound {a.subject}',
            s.ValidPointer: lambda a: f'pointer {a.subject}',
            s.AddressUsage: lambda a: f'buffer of {a.subject}',
            s.AddressFlags: lambda a: f'flags of the buffer of {a.subject}',
            s.AddressBound: lambda a: f'memory of the buffer of {a.subject}',
        }[type(atom)](atom)

    @staticmethod
    def _switch_part(part):
        return f'part {part}'

    # --- values that are tried --------------------------------------------------------------------

    def _variables(self, row):
        found, counts = {}, set(map(self._key, self.rows.counts(row)))

        def member(x):
            key = self._key(x)
            if key not in found:
                values = self._values(x, row.sentence)
                if (
                    key in counts
                    or isinstance(x, s.Fact)
                    and x.kept.name in ('mipLevels', 'arrayLayers')
                ):
                    values = [v for v in values if v[0]]
                found[key] = Variable(key, x, values)

        for atom in row.sentence.atoms():
            if isinstance(atom, s.Part):
                for part in atom.parts:
                    found.setdefault(
                        self._switch_part(part),
                        Variable(
                            self._switch_part(part), s.Part([part], True), [(True, ''), (False, '')]
                        ),
                    )
                continue
            if isinstance(atom, s.Read):
                continue
            if isinstance(
                atom,
                (
                    s.Feature,
                    s.Extension,
                    s.Chained,
                    s.AddressUsage,
                    s.AddressFlags,
                    s.Bound,
                    s.ValidPointer,
                    s.Dynamic,
                    s.Some,
                    s.Named,
                ),
            ):
                key = self._switch(atom)
                values = [(True, ''), (False, '')]
                found.setdefault(
                    key,
                    Variable(
                        key, atom, values[::-1] if isinstance(atom, (s.Dynamic, s.Some)) else values
                    ),
                )
                continue
            for x in (atom.subject, getattr(atom, 'operand', None)):
                for y in self.rows.parts(x):
                    if self._is_told(y, atom):
                        mask = self._mask(atom) if isinstance(atom, s.Bits) else 1
                        found[self._key(y)] = Variable(self._key(y), y, [(mask, ''), (0, '')])
                    elif self._is_capability(y):
                        if isinstance(atom, s.BitsOfLimit):
                            flags = self.m.bitmasks[self.n.value_type(y.field.type)].flags
                            found[self._key(y)] = Variable(
                                self._key(y), y, [(next(f.value for f in flags if f.value), '')]
                            )
                    elif isinstance(y, (s.Member, s.Fact)):
                        member(y)
                    elif isinstance(y, s.LevelExtent):
                        found[self._key(y)] = Variable(self._key(y), y, [(LEVEL, '')])
                    elif isinstance(y, s.QueueFlags):
                        bits = [self.n.constants[c][0] for c in atom.constants]
                        found[self._key(y)] = Variable(self._key(y), y, [(bits[0], ''), (0, '')])
                    elif isinstance(y, s.Limit) and y.field.type == 'VkBool32':
                        found[self._key(y)] = Variable(self._key(y), y, [(1, ''), (0, '')])
                    elif isinstance(y, s.Limit) and isinstance(atom, s.BitsOfLimit):
                        mask = self.m.bitmasks.get(self.n.value_type(y.field.type))
                        found[self._key(y)] = Variable(
                            self._key(y),
                            y,
                            [
                                (
                                    next((f.value for f in mask.flags if f.value), 1)
                                    if mask
                                    else 4,
                                    '',
                                )
                            ],
                        )
        return list(found.values())

    def _values(self, x, sentence):
        """What a member may be set to, from what the sentence compares it with; the plainest
        first."""
        key, out = self._key(x), []
        field = x.field
        if isinstance(x, s.Fact) and x.handle == 'sections':
            return [(1, 'begun'), (0, '')]
        if isinstance(x, s.Fact) and x.handle == 'VkDevice':
            return [(1, ''), (2 if x.kept.name == 'physicalDeviceCount' else 3, '')]
        if any(
            getattr(getattr(getattr(a, 'subject', None), 'field', None), 'read_as_number', False)
            and self._key(a.subject) == key
            for a in sentence.atoms()
        ):
            return [(16, 'test_memory()'), (17, '(char *)test_memory() + 1'), (0, 'NULL')]
        if self.n.is_pointer(field) or field.type.startswith('PFN_'):
            if field.fullType.count('*') > 1:
                return [
                    (
                        1,
                        f'test_pointer_array({"new_" + field.type + "()" if field.type in self.t.structures else "test_memory()"})',
                    ),
                    (0, 'NULL'),
                ]
            return [
                (
                    1,
                    'test_memory()'
                    if field.type not in self.t.structures
                    else f'new_{field.type}()',
                ),
                (0, 'NULL'),
            ]
        if self.n.is_handle(field) and not isinstance(x, s.Fact):
            return [(1, f'HANDLE({field.type})'), (0, 'VK_NULL_HANDLE')]
        if field.type == 'VkBool32' and not isinstance(x, s.Fact):
            return [(1, 'VK_TRUE'), (0, 'VK_FALSE')]
        if isinstance(x, s.Fact) and x.kept.name == 'identity swizzle':
            return [(1, 'VK_COMPONENT_SWIZZLE_IDENTITY'), (0, 'VK_COMPONENT_SWIZZLE_ONE')]
        kind = self.n.value_type(field.type)
        if kind == 'VkFormat' and any(
            isinstance(a, s.FormatIs) and self._key(a.subject) == key for a in sentence.atoms()
        ):
            return [(self.n.constants[c][0], c) for c in FORMATS]
        if isinstance(x, s.Fact) and x.kept.name == 'format features':
            return [
                (
                    functools.reduce(
                        lambda a, b: a | b,
                        (
                            self.n.constants[c][0]
                            for a in sentence.atoms()
                            if getattr(a, 'subject', None) is x
                            for c in a.constants
                        ),
                    ),
                    '',
                ),
                (0, ''),
            ]
        if isinstance(x, s.Fact) and x.handle == 'VkImage' and x.kept.name in OF_FORMAT:
            return [(self.formats.fact(name, x.kept.name), name) for name in TRAIT_FORMATS]
        if (
            any(
                isinstance(atom, s.FormatTraits) and self._key(atom.subject) == key
                for atom in sentence.atoms()
            )
            or isinstance(x, s.Fact)
            and x.handle == 'VkImage'
            and x.kept.name == 'format'
        ):
            return [(self.n.constants[name][0], name) for name in TRAIT_FORMATS]
        if isinstance(x, s.Fact) and x.kept.name == 'videoCodecOperation':
            out = [(self.n.constants[c][0], c) for c in facts.ENCODING + facts.DECODING]
        for atom in sentence.atoms():
            if isinstance(atom, (s.Among, s.Bits)) and self._key(atom.subject) == key:
                known = [c for c in atom.constants if c]
                out += [(self.n.constants[c][0], c) for c in known]
                if isinstance(atom, s.Bits) and len(known) > 1:
                    out.append((self._mask(atom), ' | '.join(known)))
        if kind in self.m.enums:
            out += [(f.value, f.name) for f in self.m.enums[kind].fields[:40] if f.value >= 0]
            out.append((0x7FFFFFFE, f'({kind})0x7ffffffe'))  # none of them
            return out
        if kind in self.m.bitmasks:
            single = [
                (f.value, f.name)
                for f in self.m.bitmasks[kind].flags
                if not f.multiBit and not f.zero
            ]
            both = [
                (a[0] | b[0], f'{a[1]} | {b[1]}')
                for a, b in itertools.product((out or single)[:6], out[:6] + single[:3])
                if a[0] != b[0]
            ]
            two = (
                [(single[0][0] | single[1][0], f'{single[0][1]} | {single[1][1]}')]
                if len(single) > 1
                else []
            )
            return out + single[:8] + both + [(0, '0')] + two
        return out + self._numbers(x, sentence)

    def _names_all(self, atom, kind):
        return isinstance(atom, s.Among) and {
            f.name for f in self.m.enums[kind].fields if f.value >= 0
        } <= set(atom.constants)

    def _numbers(self, x, sentence):
        out = (
            [(-1, '-1')]
            if x.field.type == 'int32_t'
            and any(isinstance(a, s.Compare) and a.operator == '>=' for a in sentence.atoms())
            else []
        )
        real = x.field.type in ('float', 'double')
        for atom in sentence.atoms():
            if not isinstance(atom, s.Compare):
                continue
            for side, other in ((atom.subject, atom.operand), (atom.operand, atom.subject)):
                names = self.rows.parts(side)
                if self._key(x) not in map(self._key, names):
                    continue
                if isinstance(side, s.HighestBit) and isinstance(other, s.Limit):
                    c = self._limit(other)
                    return [(1 << LIMIT, f'1u << {c}'), (1 << (LIMIT - 1), f'1u << ({c} - 1)')]
                if (
                    isinstance(other, s.Difference)
                    and isinstance(other.left, s.Limit)
                    and isinstance(other.right, s.Number)
                ):
                    c = f'{self._limit(other.left)} - {other.right.value}'
                    v = LIMIT - other.right.value
                    out += [(v, c), (v + 1, f'{c} + 1')]
                if (
                    isinstance(other, s.Difference)
                    and isinstance(other.left, s.Limit)
                    and isinstance(other.right, s.Member)
                ):
                    c = self._limit(other.left)
                    out += [(LIMIT, c), (LIMIT + 1, f'{c} + 1')]
                if self._is_capability(other):
                    c, v = self._capability(other, sentence), self._number(other, {})
                    out += [(v, c), (v + 1, f'{c} + 1'), (v - 1, f'{c} - 1'), (2 * v, f'2 * {c}')]
                elif isinstance(other, s.Limit):
                    c = self._limit(other)
                    least = (
                        atom.operator == '>=' and side is atom.subject
                    )  # what is more breaks another limit, if any
                    more = [] if least else [(LIMIT + 1, f'{c} + 1'), (2 * LIMIT, f'2 * {c}')]
                    out += [(LIMIT, c), (LIMIT - 1, f'{c} - 1')] + more
                elif isinstance(other, s.Number):
                    v = other.value
                    text = other.text if other.text.startswith('VK_') else repr(v)
                    out.append((v, text))
                    if real:
                        out += [(v + 0.5, repr(v + 0.5)), (v - 0.5, repr(v - 0.5))]
                    elif v >= 1 << 31:
                        out[-1] = (v, f'{v}ull')
                        out.append((v + 1, f'{v + 1}ull'))
                    elif v < 1 << 31:
                        out += [(v + 1, str(v + 1)), (2 * v, str(2 * v))] + (
                            [(v - 1, str(v - 1))] if v else []
                        )
        if isinstance(x, s.Fact) and x.kept.name.startswith('maxCodedExtent'):
            return [(5 * LIMIT, '8192')]
        if isinstance(x, s.Fact) and x.kept.name == 'size':
            return out + [(v, str(v)) for v in (64, 8, 256)]
        return out + [(v, str(v)) for v in (0, 1, 2, 3, 4, 8, 64, 256)]

    def _operation(self, sentence):
        """The codec operation of the sentence's profile."""
        for clause in sentence.guards:
            a = clause.atoms[0]
            if isinstance(a, s.Among) and a.positive and 'videoCodecOperation' in repr(a.subject):
                return a.constants[0]
        return 'VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR'

    def _capability(self, fact, sentence):
        structure, path = fact.kept.name.split('::')
        return (
            f'((const {structure} *)test_video_capabilities({self._operation(sentence)}, '
            f'{self.m.structs[structure].sType}))->{path}'
        )

    def _limit(self, limit):
        if limit.structure == 'VkPhysicalDeviceLimits':
            return f'test_limits()->{limit.path}'
        item = self.m.structs[limit.structure]
        return (
            f'((const {limit.structure} *)test_properties({item.sType}, '
            f'sizeof({limit.structure})))->{limit.path}'
        )

    # --- a case -----------------------------------------------------------------------------------

    def _case(self, row):
        variables = self._variables(row)
        self.differences = [
            x
            for a in row.sentence.atoms()
            for x in (getattr(a, 'subject', None), getattr(a, 'operand', None))
            if isinstance(x, s.Difference)
        ]
        pair = self._pair(row, variables)
        if pair is None:
            raise RegistryError(
                f'rows.txt: no call was found that breaks just {row.vuid.id}: {row.sentence!r}'
            )
        valid, broken = pair
        return RowCase(
            row,
            self.t.command_of(row.owner),
            self._statements(row, variables, valid),
            self._statements(row, variables, broken),
            self._off(row, variables, valid),
            self._off(row, variables, broken),
            (self._driver(row, variables, valid), self._driver(row, variables, broken)),
            self.texts.get(row.vuid.id),
        )

    def _format_number(self, variables, choice, holder):
        chosen = [
            v.values[i][0]
            for v, i in zip(variables, choice)
            if isinstance(v.thing, s.Fact)
            and v.thing.kept.name == 'format'
            and self._key(v.thing.holder) == self._key(holder)
        ]
        return chosen[0] if chosen else self.n.constants[TRAIT_FORMATS[0]][0]

    def _driver(self, row, variables, choice):
        """What the null driver is told: properties, and queue families of which one has the
        flags."""
        told = {}
        for atom in row.sentence.atoms():  # granularities, which are 1 unless it is told otherwise
            limit = getattr(atom, 'operand', None)
            if (
                isinstance(limit, s.Limit)
                and getattr(atom, 'operator', None) == 'multiple'
                and '.' in limit.path
            ):
                told.setdefault('properties', {})[limit.path.split('.')[0]] = [64, 64]
            if isinstance(limit, s.Limit) and isinstance(
                getattr(atom, 'subject', None), s.HighestBit
            ):  # as many as a mask has bits, otherwise
                told.setdefault('properties', {})[limit.path] = 8
        for v, i in zip(variables, choice):
            value = v.values[i][0]
            if isinstance(v.thing, s.Fact) and v.thing.kept.name == 'format features':
                if not value:
                    told['withoutFormatFeatures'] = {
                        str(self._format_number(variables, choice, v.thing.holder)): v.values[0][0]
                    }
                continue
            if RowCases._is_capability(v.thing):
                told.setdefault('properties', {})[v.thing.kept.name.replace('::', '.')] = value
            elif isinstance(v.thing, s.Limit):
                name = v.thing.path.split('.')[0]
                told.setdefault('properties', {})[name] = (
                    bool(value) if v.thing.field.type == 'VkBool32' else value
                )
            elif (
                isinstance(v.thing, s.Bound)
                and v.thing.how == 'SINGLE'
                or isinstance(v.thing, s.Fact)
                and v.thing.handle == 'VkDevice'
                and value > 1
            ):
                told['physicalDevices'], told['deviceGroup'] = 2, True
            elif (
                isinstance(v.thing, s.QueueFlags)
                or isinstance(v.thing, s.Fact)
                and v.thing.kept.name == 'queueFlags'
            ):
                told['queueFamilies'] = [
                    {
                        'flags': value,
                        'count': 1,
                        'timestampValidBits': 64,
                        'minImageTransferGranularity': [1, 1, 1],
                    }
                ]
            elif isinstance(v.thing, s.Fact) and v.thing.handle == 'queue family':
                told['queueFamilies'] = [
                    {
                        'flags': ALL_QUEUES,
                        'count': 1,
                        'timestampValidBits': 64 * bool(value),
                        'minImageTransferGranularity': [1, 1, 1],
                    }
                ]
        return json.dumps(told) if told else None

    def _speaks(self, row, values):
        """Is another row of the same structure or command broken, as far as the values tell?"""
        for other in self.rows.owners[row.owner] if row.quiet else []:
            try:
                if (
                    other is not row
                    and self._all(other.sentence.guards, values)
                    and not self._all(other.sentence.must, values)
                ):
                    return True
            except KeyError:
                pass
        return False

    def _kept(self, sentence, values):
        """Does it hold, as far as the values say?"""
        try:
            return not self._all(sentence.guards, values) or self._all(sentence.must, values)
        except (KeyError, StopIteration):
            return True

    def _pair(self, row, variables):
        """Two choices that differ in one variable, of which one holds and one breaks the row."""
        sentence = row.sentence
        before = [x.sentence for x in self.rows.owners[row.owner] if x.vuid.id[-5:] in row.after]
        ranges = [range(len(v.values)) for v in variables]
        for choice in itertools.product(*ranges):
            values = {v.key: v.values[i][0] for v, i in zip(variables, choice)}
            if (
                not self._sensible(variables, values)
                or not self._all(sentence.guards, values)
                or self._all(sentence.must, values)
                or self._speaks(row, values)
                or not all(self._kept(x, values) for x in before)
            ):
                continue
            for at, variable in enumerate(variables):
                for i in ranges[at]:
                    changed = {**values, variable.key: variable.values[i][0]}
                    if (
                        self._sensible(variables, changed)
                        and self._all(sentence.guards, changed)
                        and self._all(sentence.must, changed)
                    ):
                        return choice[:at] + (i,) + choice[at + 1 :], choice
        return None

    def _negative(self, x, values):
        return self._number(x.left, values) < self._number(x.right, values)

    def _sensible(self, variables, values):
        """A member of a chained structure is there only with the structure."""
        if any(self._negative(x, values) for x in self.differences):
            return False
        chosen = {}
        for v in variables:
            x = v.thing
            if (
                isinstance(x, s.Fact)
                and x.handle == 'VkImage'
                and (x.kept.name in OF_FORMAT or x.kept.name == 'format')
            ):
                names = {text for value, text in v.values if value == values[v.key]}
                if x.kept.name in OF_FORMAT:
                    names = {
                        name
                        for name in TRAIT_FORMATS
                        if self.formats.fact(name, x.kept.name) == values[v.key]
                    }
                of_holder = chosen.setdefault(self._key(x.holder), names) & names
                if not of_holder:
                    return False
                chosen[self._key(x.holder)] = of_holder
            if (
                isinstance(x, s.Fact)
                and x.kept.name == 'imageType'
                and any(
                    isinstance(y.thing, s.LevelExtent)
                    and y.thing.axis > values[v.key]
                    and self._key(y.thing.image.holder) == self._key(x.holder)
                    for y in variables
                )
            ):
                return False  # the side is not known
        for v in variables:
            if isinstance(v.thing, s.AddressUsage) and values.get(self._key(v.thing.subject)) == 0:
                return False
            if (
                isinstance(v.thing, s.Member)
                and v.thing.chain
                and not v.thing.head
                and values.get(f'chained {v.thing.chain}') is False
            ):
                return False
        return True

    def _off(self, row, variables, choice):
        chosen = [(v.thing, v.values[i][0]) for v, i in zip(variables, choice)]
        if self.rows.of_creation(row.owner):
            return [], []
        return (
            [t.constant for t, on in chosen if isinstance(t, s.Feature) and not on],
            [t.name for t, on in chosen if isinstance(t, s.Extension) and not on],
        )

    def _statements(self, row, variables, choice):
        root = 'a' if row.owner in self.m.commands else 's'
        lines, chained = [], {}
        chosen = [(v.thing, *v.values[i]) for v, i in zip(variables, choice)]
        members = s.members_of(row.sentence)
        wanted = [x.chain for x in members if x.chain and not x.head] + [
            x.structure
            for x, on, _ in chosen
            if isinstance(x, s.Chained) and on and x.holder is None
        ]
        for name in dict.fromkeys(wanted):
            chained[name] = f'chained{len(chained)}'
            lines.append(
                f'{name} *{chained[name]} = test_chain({root}, new_{name}(), sizeof({name}));'
            )
            lines.append(f'(void){chained[name]};')
        array = next((x.each for x in members if x.each), None)
        if array is not None:
            lines += self._array(root, row, array)
        lines += (
            self._asked_for(row, chosen)
            + self._parts(root, chosen)
            + self._elements(root, row, chosen)
        )
        heads = [
            self.rows.chain_of(x.holder)
            for x, _, _ in chosen
            if isinstance(x, s.Chained) and x.holder is not None
        ]
        heads += [x.head for x in members if x.head]
        for expression, type_name in dict.fromkeys(
            p
            for x in [y for y in members if not y.head] + heads
            for p in self._pointers(root, row, x, chained)
        ):
            if not any(line.startswith(f'SET({expression}, new_') for line in lines):
                lines.append(f'SET({expression}, new_{type_name}());')
        for x in members:
            if x.head and x.chain not in chained:
                chained[x.chain] = f'other{len(chained)}'
                head = self._place(root, x.head, chained).removesuffix('pNext')
                head = (
                    head.removesuffix('->') if head.endswith('->') else '&' + head.removesuffix('.')
                )
                lines.append(
                    f'{x.chain} *{chained[x.chain]} = test_chain((void '
                    f'*)(uintptr_t){head}, new_{x.chain}(), sizeof({x.chain}));'
                )
        for x, value, text in chosen:
            instead = (
                self.rows.replacing(x.field)
                if isinstance(x, s.Member) and len(x.path) == 1 and not x.chain and not x.each
                else None
            )
            if (
                instead is not None and value >> 32
            ):  # wider than the member: only the structure that has them in its place holds them
                at = chained.get(instead.chain) or (
                    f'(({instead.chain} *)test_chain({root}, new_{instead.chain}(), '
                    f'sizeof({instead.chain})))'
                )
                lines.append(f'{at}->{instead.path[0]} = {text};')
            elif isinstance(x, s.Member):
                lines.append(f'SET({self._place(root, x, chained)}, {text});')
        holders = {}
        for x, value, text in chosen:
            if isinstance(x, s.Fact) and x.handle == 'sections':
                lines += self._begun(x.kept.path) if value else []
            elif isinstance(x, s.LevelExtent):
                holders.setdefault(self._key(x.image.holder), []).insert(0, (x.image, LEVEL, None))
                lines.append(f'SET({self._place(root, x.layers, chained)}.mipLevel, 0);')
            elif (
                isinstance(x, s.Fact)
                and x.handle not in ('VkDevice', 'queue family')
                and not self._is_capability(x)
                and x.kept.name != 'queueFlags'
            ):
                holders.setdefault(self._key(x.holder), []).append((x, value, text))
        for x in {
            self._key(y): y
            for y in self._capabilities(row.sentence)
            if y.handle == 'VkVideoSessionKHR'
        }.values():
            of = holders.setdefault(self._key(x.holder), [])
            if not any(y.kept.name == 'videoCodecOperation' for y, _, _ in of):
                of.append((operation_of(x), 1, self._operation(row.sentence)))
        for made, facts_of in enumerate(holders.values()):
            lines += self._made(root, chained, made, facts_of)
        for x, on, _ in chosen:
            if isinstance(x, s.Chained) and x.holder is not None and on:
                place = self._place(root, x.holder, chained)
                head = place if self.n.is_pointer(x.holder.field) else f'&{place}'
                lines.append(
                    f'test_chain((void *)(uintptr_t){head}, new_{x.structure}(), '
                    f'sizeof({x.structure}));'
                )
            elif isinstance(x, s.Bound):
                made = (
                    f'test_bound_image({"true" if on else "false"})'
                    if x.handle == 'VkImage'
                    else self._lies(x, on)
                )
                lines.append(f'SET({self._place(root, x.subject, chained)}, {made});')
            elif isinstance(x, s.ValidPointer):
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, '
                    f'{"test_memory()" if on else "NULL"});'
                )
            elif isinstance(x, s.AddressUsage) and not x.constants:
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, '
                    f'{f"test_address({INPUTS})" if on else NOWHERE});'
                )
            elif isinstance(x, s.AddressBound):
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, '
                    f'test_address_{"of" if on else "freed"}({TRANSFERS}, 0));'
                )
            elif isinstance(x, s.AddressFlags):
                flags = x.constants[0] if on else '0'
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, '
                    f'test_address_of({TRANSFERS}, {flags}));'
                )
            elif isinstance(x, s.AddressUsage) and any(
                x is a for clause in row.sentence.guards for a in clause.atoms
            ):
                usage = f'{x.constants[0]} | {TRANSFERS}' if on else TRANSFERS
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, test_address({usage}));'
                )
            elif isinstance(x, s.AddressUsage):
                usage = (
                    x.constants[0]
                    if on
                    else 'VK_BUFFER_USAGE_TRANSFER_SRC_BIT'
                    if x.constants[0] != 'VK_BUFFER_USAGE_TRANSFER_SRC_BIT'
                    else 'VK_BUFFER_USAGE_TRANSFER_DST_BIT'
                )
                lines.append(
                    f'SET({self._place(root, x.subject, chained)}, test_address({usage}));'
                )
        return lines

    def _asked_for(self, row, chosen):
        """What vkCreateDevice or vkCreateInstance is asked to enable."""
        lines = []
        if not self.rows.of_creation(row.owner):
            return lines
        for x, on, _ in chosen:
            if isinstance(x, s.Feature) and on:
                structure, member = self.n.features[x.constant].places[0]
                if structure == row.owner:
                    lines.append(f's->{member} = VK_TRUE;')
                elif structure == 'VkPhysicalDeviceFeatures':
                    lines.append(
                        f'test_enable((void *)(uintptr_t)a->pCreateInfo, '
                        f'VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, '
                        f'sizeof(VkPhysicalDeviceFeatures2), '
                        f'offsetof(VkPhysicalDeviceFeatures2, features.{member}));'
                    )
                else:
                    lines.append(
                        f'test_enable((void *)(uintptr_t)a->pCreateInfo, '
                        f'{self.m.structs[structure].sType}, sizeof({structure}), '
                        f'offsetof({structure}, {member}));'
                    )
        names = [f'"{x.name}"' for x, on, _ in chosen if isinstance(x, s.Named) and on]
        if any(isinstance(x, s.Named) for x, _, _ in chosen):
            lines.append(
                f'SET(s->ppEnabledExtensionNames, test_names((const char '
                f'*const[]){{{", ".join(names + ["NULL"])}}}));'
            )
            lines.append(f'SET(s->enabledExtensionCount, {len(names)});')
        return lines

    @staticmethod
    def _parts(root, chosen):
        """Of which parts the graphics pipeline is made: all, unless it is a library."""
        parts = [(x.parts[0], on) for x, on, _ in chosen if isinstance(x, s.Part)]
        if all(on for _, on in parts):
            return []
        flags = ' | '.join(p for p, on in parts if on) or '0'
        return [
            f'((VkGraphicsPipelineLibraryCreateInfoEXT *)test_chain({root}, '
            f'new_VkGraphicsPipelineLibraryCreateInfoEXT(), '
            f'sizeof(VkGraphicsPipelineLibraryCreateInfoEXT)))->flags = {flags};'
        ]

    def _elements(self, root, row, chosen):
        """Arrays with elements that a sentence speaks of, and no other ones."""
        lines = []
        states = [x.state for x, on, _ in chosen if isinstance(x, s.Dynamic) and on]
        if states:
            lines.append(
                'VkPipelineDynamicStateCreateInfo *dynamic = '
                'new_VkPipelineDynamicStateCreateInfo();'
            )
            lines.append(
                f'SET(dynamic->pDynamicStates, test_copy((const '
                f'VkDynamicState[]){{{", ".join(states)}}}, {len(states)} * '
                f'sizeof(VkDynamicState)));'
            )
            lines.append(f'SET(dynamic->dynamicStateCount, {len(states)});')
            lines.append(
                f'SET({"way_to_VkGraphicsPipelineCreateInfo(a)" if row.owner != "VkGraphicsPipelineCreateInfo" else root}->pDynamicState, '
                f'dynamic);'
            )
        arrays = {}
        for x, on, _ in chosen:
            if isinstance(x, s.Some):
                arrays.setdefault(x.each, []).append((x.inner, on))
        for number, (each, inner) in enumerate(arrays.items()):
            owner = (
                self.m.commands[row.owner].params
                if root == 'a'
                else self.m.structs[row.owner].members
            )
            field = next(y for y in owner if y.name == each)
            made = [atom for atom, on in inner if on]
            lines.append(
                f'{field.type} *elements{number} = test_array(new_{field.type}(), '
                f'sizeof({field.type}), {max(len(made), 1)});'
            )
            for i, atom in enumerate(made):
                lines.append(f'elements{number}[{i}].{atom.subject.path[0]} = {atom.constants[0]};')
            if not made:  # one that is none of them
                other = next(
                    f.name
                    for f in self.m.bitmasks[
                        self.n.value_type(inner[0][0].subject.field.type)
                    ].flags
                    if f.name not in {c for atom, _ in inner for c in atom.constants}
                )
                lines.append(f'elements{number}[0].{inner[0][0].subject.path[0]} = {other};')
            lines.append(f'SET({root}->{each}, elements{number});')
            lines.append(f'SET({root}->{field.length}, {max(len(made), 1)});')
        return lines

    def _capabilities(self, sentence):
        return [
            y
            for a in sentence.atoms()
            for x in (getattr(a, 'subject', None), getattr(a, 'operand', None))
            for y in self.rows.parts(x)
            if self._is_capability(y)
        ]

    @staticmethod
    def _lies(x, on):
        """C of an object whose buffer is what a Bound asks, or is not."""
        if x.how == 'NAMED' and not on:
            return 'test_acceleration_structure_at(test_address(VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR))'
        made = (
            f'test_buffer_in({HOST_VISIBLE}, 0)'
            if on
            else {
                'ANY': 'test_buffer(false)',
                'HOST_VISIBLE': 'test_buffer_in(0, 0)',
                'SINGLE': f'test_buffer_in({HOST_VISIBLE}, 3)',
            }[x.how]
        )
        return {
            'VkBuffer': made,
            'VkMicromapEXT': f'test_micromap({made})',
            'VkAccelerationStructureKHR': f'test_acceleration_structure({made})',
        }[x.handle]

    def _made(self, root, chained, number, chosen):
        """Creates the object that has the facts, and puts it where the sentence speaks of it."""
        fact = chosen[0][0]
        kind, c, i = facts.KINDS[fact.handle], f'c{number}', f'i{number}'
        if fact.handle == 'VkCommandPool':
            return [
                (
                    f'a->commandBuffer = '
                    f'test_command_buffer({" | ".join(text for _, _, text in chosen)});'
                )
            ]
        command, info, out = self._creator(fact.handle, kind)
        args = f'struct args_{command[2:]}'
        lines = [
            f'{args} *{c} = test_allocate(sizeof(*{c}));',
            f'fill_args_{command[2:]}({c});',
            f'{kind.structure} *{i} = ({kind.structure} *)(uintptr_t){c}->{info};',
            f'(void){i};',
        ]
        of_image = {x.kept.path: text for x, _, text in chosen if x.kept.path.startswith('image->')}
        if of_image:
            lines.append(
                f'SET({i}->image, test_image({of_image.get("image->flags", "0")}, '
                f'{of_image.get("image->samples", "VK_SAMPLE_COUNT_1_BIT")}));'
            )
        for x, _, text in chosen:
            path = x.kept.path
            if path in of_image:
                continue
            if text is None:  # an image whose mip levels are spoken of
                lines += (
                    [f'SET({i}->imageType, VK_IMAGE_TYPE_3D);']
                    if not any(y.kept.name == 'imageType' for y, _, _ in chosen)
                    else []
                )
                lines.append(f'SET({i}->extent, ((VkExtent3D){{{LEVEL}, {LEVEL}, {LEVEL}}}));')
            elif x.kept.name == 'format features':  # the driver is told
                lines += (
                    [f'SET({i}->format, {TRAIT_FORMATS[0]});']
                    if not any(y.kept.name == 'format' for y, _, _ in chosen)
                    else []
                )
            elif x.kept.name in OF_FORMAT:
                others = {
                    n
                    for y, v, _ in chosen
                    if y.kept.name in OF_FORMAT
                    for n in [
                        frozenset(
                            n for n in TRAIT_FORMATS if self.formats.fact(n, y.kept.name) == v
                        )
                    ]
                }
                named = {t for y, _, t in chosen if y.kept.name == 'format'}
                fitting = [
                    n
                    for n in TRAIT_FORMATS
                    if all(n in o for o in others) and (not named or n in named)
                ]
                lines.append(f'SET({i}->format, {fitting[0]});')
            elif path == 'videoSession':
                lines.append(f'SET({i}->videoSession, test_video_session({text}));')
            elif '::' in path:
                structure, member = path.split('::')
                lines.append(
                    f'(({structure} *)test_chain({i}, new_{structure}(), '
                    f'sizeof({structure})))->{member} = {text};'
                )
            else:
                lines.append(f'SET({i}->{path}, {text});')
            if x.kept.name == 'sharingMode':  # among those families, if it is shared
                lines.append(f'SET({i}->pQueueFamilyIndices, test_memory());')
        lines += ['test_refuse(false);', f'invoke_{command[2:]}({c});', 'test_refuse(true);']
        if isinstance(fact.holder, s.Recorded):
            return lines + [f'test_begin_video_coding(a->commandBuffer, *{c}->{out});']
        return lines + [f'SET({self._place(root, fact.holder, chained)}, *{c}->{out});']

    @staticmethod
    def _begun(command):
        """Records a command that begins something before the call."""
        return [
            f'struct args_{command[2:]} *begin = test_allocate(sizeof(*begin));',
            f'fill_args_{command[2:]}(begin);',
            'begin->commandBuffer = a->commandBuffer;',
            'test_refuse(false);',
            f'invoke_{command[2:]}(begin);',
            'test_refuse(true);',
        ]

    def _creator(self, handle, kind):
        """(command, its parameter that describes the object, the one that gets it)."""
        for name, command in self.m.commands.items():
            info = [p for p in command.params if p.type == kind.structure and p.const]
            out = [p for p in command.params if p.type == handle and p.pointer and not p.const]
            if info and out:
                return name, info[0].name, out[0].name
        raise RegistryError(f'no command makes a {handle} of a {kind.structure}')

    @staticmethod
    def _base(root, x, chained):
        return 'element' if x.each else chained[x.chain] if x.chain else root

    def _place(self, root, x, chained):
        if x.each and not x.path:
            return '(*element)'
        text = self._base(root, x, chained)
        for i, name in enumerate(x.path):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
        return text

    def _pointers(self, root, row, x, chained):
        """Pointers on the way to a member, as (expression, type)."""
        text, out = self._base(root, x, chained), []
        if not x.arrows:
            return out
        if x.each:
            field = (
                self.t.owner(row.owner).by_name[x.each] if isinstance(x.each, str) else x.each.field
            )
            members = {y.name: y for y in self.n.structure(field.type).members}
        else:
            members = (
                {y.name: y for y in self.m.structs[x.chain].members}
                if x.chain
                else self.t.owner(row.owner).by_name
            )
        for i, name in enumerate(x.path[:-1]):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
            structure = self.n.structure(members[name.split('[')[0]].type)
            if i in x.arrows:
                out.append((text, structure.name))
            members = {y.name: y for y in structure.members}
        return out

    def _array(self, root, row, array):
        members = {
            y.name: y
            for y in (
                self.m.commands[row.owner].params
                if root == 'a'
                else self.m.structs[row.owner].members
            )
        }
        lines = []
        if isinstance(array, str):
            field, place, count = (
                members[array],
                f'{root}->{array}',
                f'{root}->{members[array].length.split(",")[0]}',
            )
        else:
            text, at = root, members
            for i, name in enumerate(array.path):
                text += ('->' if i == 0 or i - 1 in array.arrows else '.') + name
                if i + 1 < len(array.path):
                    structure = self.n.structure(at[name.split('[')[0]].type)
                    if i in array.arrows:
                        lines.append(f'SET({text}, new_{structure.name}());')
                    at, last = {y.name: y for y in structure.members}, text
            joint = '->' if len(array.path) - 2 in array.arrows else '.'
            field, place, count = array.field, text, f'{last}{joint}{array.field.length}'
        made = f'new_{field.type}()' if field.type in self.m.structs else 'test_memory()'
        return lines + [
            f'{field.type} *element = {made};',
            f'SET({place}, element);',
            f'SET({count}, 1);',
        ]
