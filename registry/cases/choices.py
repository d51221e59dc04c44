"""The values that are tried for a row, and the two choices of them that differ in one place, of
which one breaks the row."""

import functools
import itertools

from cases.formats import FORMATS, TRAIT_FORMATS
from cases.truth import LEVEL, LIMIT
from language import facts
from language.atoms import AddressUsage, Among, Bits, Compare, FormatIs, FormatTraits
from language.nouns import nouns
from language.sentence_values import OF_FORMAT
from language.values import Difference, Fact, LevelExtent, Limit, Member, Number


class Variable:
    """Something that a row's truth depends on: a member, a structure in the chain, a feature, an
    extension. `values`: (value as Python sees it, C text)."""

    def __init__(self, key, thing, values):
        unique = {}
        for value, text in values:
            unique.setdefault(value, text)
        self.key, self.thing, self.values = key, thing, list(unique.items())


class Choices:
    """`rows`: all rows; `structures`: those that tests can make."""

    def __init__(self, m, rows, structures, truth):
        self.level = LEVEL
        self.m, self.n, self.rows, self.structures, self.truth = (
            m,
            nouns(m),
            rows,
            structures,
            truth,
        )

    def variables(self, row):
        found, counts = {}, set(map(repr, self.rows.counts(row)))

        def member(x):
            key = repr(x)
            if key not in found:
                values = self._values(x, row.sentence)
                if key in counts or x.is_fact(None, 'mipLevels', 'arrayLayers'):
                    values = [v for v in values if v[0]]
                found[key] = Variable(key, x, values)

        for atom in row.sentence.atoms():
            switches = atom.switches()
            for key, thing, values in switches:
                found.setdefault(key, Variable(key, thing, values))
            for part in [] if switches else atom.parts():
                tried = part.tried(self, atom)
                if tried is not None:
                    found[repr(part)] = Variable(repr(part), part, tried)
                elif part.is_member and not part.is_capability:
                    member(part)
        return list(found.values())

    def _values(self, x, sentence):
        """The values that a member may be set to, from what the sentence compares it with; the
        plainest first."""
        key, out = repr(x), []
        field = x.field
        if x.is_fact('sections'):
            return [(1, 'begun'), (0, '')]
        if x.is_fact('VkDevice'):
            return [(1, ''), (2 if x.kept.name == 'physicalDeviceCount' else 3, '')]
        if any(
            getattr(getattr(getattr(a, 'subject', None), 'field', None), 'read_as_number', False)
            and repr(a.subject) == key
            for a in sentence.atoms()
        ):
            return [(16, 'test_memory()'), (17, '(char *)test_memory() + 1'), (0, 'NULL')]
        if self.n.is_pointer(field) or field.type.startswith('PFN_'):
            if field.fullType.count('*') > 1:
                return [
                    (
                        1,
                        f'test_pointer_array({"new_" + field.type + "()" if field.type in self.structures else "test_memory()"})',
                    ),
                    (0, 'NULL'),
                ]
            return [
                (
                    1,
                    'test_memory()' if field.type not in self.structures else f'new_{field.type}()',
                ),
                (0, 'NULL'),
            ]
        if self.n.is_handle(field) and not x.is_fact(None):
            return [(1, f'HANDLE({field.type})'), (0, 'VK_NULL_HANDLE')]
        if field.type == 'VkBool32' and not x.is_fact(None):
            return [(1, 'VK_TRUE'), (0, 'VK_FALSE')]
        if x.is_fact(None, 'identity swizzle'):
            return [(1, 'VK_COMPONENT_SWIZZLE_IDENTITY'), (0, 'VK_COMPONENT_SWIZZLE_ONE')]
        kind = self.n.value_type(field.type)
        if kind == 'VkFormat' and any(
            isinstance(a, FormatIs) and repr(a.subject) == key for a in sentence.atoms()
        ):
            return [(self.n.constants[c][0], c) for c in FORMATS]
        if x.is_fact(None, 'format features'):
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
        if x.is_fact('VkImage', *OF_FORMAT):
            return [(self.truth.formats.fact(name, x.kept.name), name) for name in TRAIT_FORMATS]
        if any(
            isinstance(atom, FormatTraits) and repr(atom.subject) == key
            for atom in sentence.atoms()
        ) or x.is_fact('VkImage', 'format'):
            return [(self.n.constants[name][0], name) for name in TRAIT_FORMATS]
        if x.is_fact(None, 'videoCodecOperation'):
            out = [(self.n.constants[c][0], c) for c in facts.ENCODING + facts.DECODING]
        for atom in sentence.atoms():
            if isinstance(atom, (Among, Bits)) and repr(atom.subject) == key:
                known = [c for c in atom.constants if c]
                out += [(self.n.constants[c][0], c) for c in known]
                if isinstance(atom, Bits) and len(known) > 1:
                    out.append((atom.mask(self.n), ' | '.join(known)))
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

    def _numbers(self, x, sentence):
        out = (
            [(-1, '-1')]
            if x.field.type == 'int32_t'
            and any(isinstance(a, Compare) and a.operator == '>=' for a in sentence.atoms())
            else []
        )
        real = x.field.type in ('float', 'double')
        for atom in sentence.atoms():
            if not isinstance(atom, Compare):
                continue
            for side, other in ((atom.subject, atom.operand), (atom.operand, atom.subject)):
                names = side.parts()
                if repr(x) not in map(repr, names):
                    continue
                if side.is_bit_index and isinstance(other, Limit):
                    c = self._limit(other)
                    return [(1 << LIMIT, f'1u << {c}'), (1 << (LIMIT - 1), f'1u << ({c} - 1)')]
                if (
                    isinstance(other, Difference)
                    and isinstance(other.left, Limit)
                    and isinstance(other.right, Number)
                ):
                    c = f'{self._limit(other.left)} - {other.right.value}'
                    v = LIMIT - other.right.value
                    out += [(v, c), (v + 1, f'{c} + 1')]
                if (
                    isinstance(other, Difference)
                    and isinstance(other.left, Limit)
                    and isinstance(other.right, Member)
                ):
                    c = self._limit(other.left)
                    out += [(LIMIT, c), (LIMIT + 1, f'{c} + 1')]
                if other.is_capability:
                    c, v = self._capability(other, sentence), other.number(self.truth, {})
                    out += [(v, c), (v + 1, f'{c} + 1'), (v - 1, f'{c} - 1'), (2 * v, f'2 * {c}')]
                elif isinstance(other, Limit):
                    c = self._limit(other)
                    least = (
                        atom.operator == '>=' and side is atom.subject
                    )  # what is more breaks another limit, if any
                    more = [] if least else [(LIMIT + 1, f'{c} + 1'), (2 * LIMIT, f'2 * {c}')]
                    out += [(LIMIT, c), (LIMIT - 1, f'{c} - 1')] + more
                elif isinstance(other, Number):
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
        if isinstance(x, Fact) and x.kept.name.startswith('maxCodedExtent'):
            return [(5 * LIMIT, '8192')]
        if x.is_fact(None, 'size'):
            return out + [(v, str(v)) for v in (64, 8, 256)]
        return out + [(v, str(v)) for v in (0, 1, 2, 3, 4, 8, 64, 256)]

    def operation(self, sentence):
        """The codec operation of the sentence's profile."""
        for clause in sentence.guards:
            a = clause.atoms[0]
            if isinstance(a, Among) and a.positive and 'videoCodecOperation' in repr(a.subject):
                return a.constants[0]
        return 'VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR'

    def _capability(self, fact, sentence):
        structure, path = fact.kept.name.split('::')
        return (
            f'((const {structure} *)test_video_capabilities({self.operation(sentence)}, '
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

    def _speaks(self, row, values):
        """Is another row of the same structure or command broken, as far as the values tell?"""
        for other in self.rows.owners[row.owner] if row.quiet else []:
            try:
                if (
                    other is not row
                    and self.truth.all(other.sentence.guards, values)
                    and not self.truth.all(other.sentence.must, values)
                ):
                    return True
            except KeyError:
                pass
        return False

    def _kept(self, sentence, values):
        """Does it hold, as far as the values say?"""
        try:
            return not self.truth.all(sentence.guards, values) or self.truth.all(
                sentence.must, values
            )
        except (KeyError, StopIteration):
            return True

    def pair(self, row, variables):
        """Two choices that differ in one variable, of which one holds and one breaks the row."""
        sentence = row.sentence
        self.differences = [
            x for a in sentence.atoms() for x in a.values() for x in x.differences()
        ]
        before = [x.sentence for x in self.rows.owners[row.owner] if x.vuid.id[-5:] in row.after]
        ranges = [range(len(v.values)) for v in variables]
        for choice in itertools.product(*ranges):
            values = {v.key: v.values[i][0] for v, i in zip(variables, choice)}
            if (
                not self._sensible(variables, values)
                or not self.truth.all(sentence.guards, values)
                or self.truth.all(sentence.must, values)
                or self._speaks(row, values)
                or not all(self._kept(x, values) for x in before)
            ):
                continue
            for at, variable in enumerate(variables):
                for i in ranges[at]:
                    changed = {**values, variable.key: variable.values[i][0]}
                    if (
                        self._sensible(variables, changed)
                        and self.truth.all(sentence.guards, changed)
                        and self.truth.all(sentence.must, changed)
                    ):
                        return choice[:at] + (i,) + choice[at + 1 :], choice
        return None

    def _negative(self, x, values):
        return x.number(self.truth, values) < 0

    def _sensible(self, variables, values):
        """A member of a chained structure is there only with the structure."""
        if any(self._negative(x, values) for x in self.differences):
            return False
        chosen = {}
        for v in variables:
            x = v.thing
            if x.is_fact('VkImage', 'format', *OF_FORMAT):
                names = {text for value, text in v.values if value == values[v.key]}
                if x.kept.name in OF_FORMAT:
                    names = {
                        name
                        for name in TRAIT_FORMATS
                        if self.truth.formats.fact(name, x.kept.name) == values[v.key]
                    }
                of_holder = chosen.setdefault(repr(x.holder), names) & names
                if not of_holder:
                    return False
                chosen[repr(x.holder)] = of_holder
            if x.is_fact(None, 'imageType') and any(
                isinstance(y.thing, LevelExtent)
                and y.thing.axis > values[v.key]
                and repr(y.thing.image.holder) == repr(x.holder)
                for y in variables
            ):
                return False  # the side is not known
        for v in variables:
            if isinstance(v.thing, AddressUsage) and values.get(repr(v.thing.subject)) == 0:
                return False
            if (
                isinstance(v.thing, Member)
                and v.thing.in_chain
                and values.get(f'chained {v.thing.chain}') is False
            ):
                return False
        return True
