"""Whether a row's sentence holds on values that are tried: a reading of its own, in which
the layer's interpreter has no part."""

from cases.formats import TRAIT_FORMATS, FormatTable
from language.nouns import nouns

LIMIT = 1000003  # stands for a device's limit, whose value only the test knows
LEVEL = 8  # each side of the images whose mip levels are spoken of


class Truth:
    """Reads sentences on values: {key of a value, or of what is switched on or off: value}."""

    def __init__(self, m):
        self.m, self.n, self.limit = m, nouns(m), LIMIT
        self.formats = FormatTable(m)

    def format_is(self, value, kind):
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

    def format_kinds(self, value):
        name = next(name for name in TRAIT_FORMATS if self.n.constants[name][0] == value)
        return self.formats.kinds(name)

    def all(self, clauses, values):
        return all(any(a.holds(self, values) for a in c.atoms) for c in clauses)
