"""Whether a row's sentence holds on values that are tried: a reading of its own, in which
the layer's interpreter has no part."""

from cases.formats import TRAIT_FORMATS, FormatTable
from language import sentence as s
from language.nouns import nouns

LIMIT = 1000003  # stands for a device's limit, whose value only the test knows
LEVEL = 8  # each side of the images whose mip levels are spoken of


class Truth:
    """Reads sentences on values: {key of a value, or of what is switched on or off: value}."""

    def __init__(self, m):
        self.m, self.n = m, nouns(m)
        self.formats = FormatTable(m)

    def key(self, x):
        return repr(x)

    def number(self, x, values):
        if isinstance(x, s.Number):
            return x.value
        if isinstance(x, s.Limit):
            return values.get(self.key(x), LIMIT)
        if isinstance(x, s.Difference):
            return self.number(x.left, values) - self.number(x.right, values)
        if isinstance(x, s.Product):
            return self.number(x.left, values) * self.number(x.right, values)
        if isinstance(x, s.Sum):
            return self.number(x.left, values) + self.number(x.right, values)
        if isinstance(x, s.HighestBit):
            return self.number(x.of, values).bit_length() - 1
        if self.is_capability(x) and self.key(x) not in values:
            return LIMIT if '::min' in x.kept.name else 3 * LIMIT
        return values[self.key(x)]

    @staticmethod
    def is_capability(x):
        """What the driver can do with a video profile: only the test knows numbers, and the null
        driver is told flags."""
        return (
            isinstance(x, s.Fact)
            and x.kept.name.startswith('VkVideo')
            and 'Capabilities' in x.kept.name
        )

    def is_told(self, x, atom):
        return self.is_capability(x) and (
            isinstance(atom, (s.Bits, s.Among)) or isinstance(atom.operand, s.Number)
        )

    def _holds(self, atom, values):
        if isinstance(atom, (s.Feature, s.Extension, s.Chained, s.Dynamic, s.Some, s.Named)):
            return values[self.switch(atom)] == atom.positive
        if isinstance(atom, s.Part):  # what all is made of, unless a case says otherwise
            return any(values[self.switch_part(p)] for p in atom.parts) == atom.positive
        if isinstance(atom, s.Read):
            return True
        if isinstance(atom, (s.AddressUsage, s.AddressFlags)):
            return values[self.switch(atom)] == atom.positive
        if isinstance(atom, (s.Bound, s.ValidPointer)):
            return values[self.switch(atom)]
        if isinstance(atom, s.Null):
            return (values[self.key(atom.subject)] == 0) == atom.positive
        left = self.number(atom.subject, values)
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
            right = self.number(atom.operand, values)
            return left & ~right == 0 if atom.how == 'within' else left & right != 0
        if isinstance(atom, s.Bits):
            mask = self.mask(atom)
            return {
                'not all': left & mask != mask,
                'any': left & mask != 0,
                'none': left & mask == 0,
                'all': left & mask == mask,
                'only': left & ~mask == 0,
            }[atom.how]
        right = self.number(atom.operand, values)
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

    def mask(self, atom):
        mask = 0
        for c in atom.constants:
            mask |= self.n.constants[c][0] if c else 0
        return mask

    def all(self, clauses, values):
        return all(any(self._holds(a, values) for a in c.atoms) for c in clauses)

    @staticmethod
    def switch(atom):
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
    def switch_part(part):
        return f'part {part}'
