"""For each row the nearest valid call, and the call that breaks just this row: two sets of values that differ in one place.

A row's sentence is evaluated here, on values that are tried in turn, by a reading of its own: the layer's interpreter has no part in it.
"""

import itertools
import os

import sentences as s
from model import RegistryError

TEXTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/generated/row_texts.txt')
LIMIT = 1000003  # stands for a device's limit, whose value only the test knows


class Variable:
    """What a row's truth depends on: a member, a structure in the chain, a feature, an extension.
    `values`: (value as Python sees it, C text)."""

    def __init__(self, key, thing, values):
        self.key, self.thing, self.values = key, thing, list(dict(values).items())


class RowCase:
    """`valid`, `broken`: statements over `s` or `a`. `off`: what the device is made without: (features, extensions) of each.
    `text`: what the message of the broken one holds, or None."""

    def __init__(self, row, command, valid, broken, valid_off, broken_off, text):
        self.row, self.command, self.text = row, command, text
        self.valid, self.broken, self.valid_off, self.broken_off = valid, broken, valid_off, broken_off


def texts():
    with open(TEXTS, encoding='utf-8') as f:
        return dict(line.rstrip('\n').split('  ', 1) for line in f if line.strip() and not line.startswith('#'))


class RowCases:
    def __init__(self, tests):
        self.t, self.m = tests, tests.m
        self.rows = tests.rules.rows
        self.n = s.nouns(self.m)
        self.texts = texts()
        unknown = set(self.texts) - {row.vuid.id for row in self.rows.rows}
        if unknown:
            raise RegistryError(f'row_texts.txt: there is no row of {min(unknown)}')
        self.cases = [self._case(row) for row in self.rows.rows]

    # --- truth -----------------------------------------------------------------------------------------------------

    def _key(self, x):
        return repr(x)

    def _number(self, x, values):
        if isinstance(x, s.Number):
            return x.value
        if isinstance(x, s.Limit):
            return LIMIT
        if isinstance(x, s.Sum):
            return self._number(x.left, values) + self._number(x.right, values)
        return values[self._key(x)]

    def _holds(self, atom, values):
        if isinstance(atom, (s.Feature, s.Extension, s.Chained)):
            return values[self._switch(atom)] == atom.positive
        if isinstance(atom, s.Null):
            return (values[self._key(atom.subject)] == 0) == atom.positive
        left = self._number(atom.subject, values)
        if isinstance(atom, s.Among):
            return (left in [self.n.constants[c][0] for c in atom.constants if c]) == atom.positive
        if isinstance(atom, s.PowerOfTwo) or (isinstance(atom, s.Bits) and atom.how == 'one'):
            return left > 0 and left & (left - 1) == 0
        if isinstance(atom, s.Bits):
            mask = self._mask(atom)
            return {'any': left & mask != 0, 'none': left & mask == 0, 'all': left & mask == mask, 'only': left & ~mask == 0}[atom.how]
        right = self._number(atom.operand, values)
        if atom.operator == 'multiple':
            return left % right == 0
        return {'==': left == right, '!=': left != right, '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right}[atom.operator]

    def _mask(self, atom):
        mask = 0
        for c in atom.constants:
            mask |= self.n.constants[c][0] if c else 0
        return mask

    def _all(self, clauses, values):
        return all(any(self._holds(a, values) for a in c.atoms) for c in clauses)

    @staticmethod
    def _switch(atom):
        return {s.Feature: lambda a: f'feature {a.constant}', s.Extension: lambda a: f'extension {a.name}',
                s.Chained: lambda a: f'chained {a.structure}'}[type(atom)](atom)

    # --- values that are tried --------------------------------------------------------------------------------------

    def _variables(self, row):
        found, counts = {}, set(map(self._key, self.rows.counts(row)))

        def member(x):
            key = self._key(x)
            if key not in found:
                values = self._values(x, row.sentence)
                if key in counts:
                    values = [v for v in values if v[0]]
                found[key] = Variable(key, x, values)

        for atom in row.sentence.atoms():
            if isinstance(atom, (s.Feature, s.Extension, s.Chained)):
                key = self._switch(atom)
                found.setdefault(key, Variable(key, atom, [(True, ''), (False, '')]))
                continue
            for x in (atom.subject, getattr(atom, 'operand', None)):
                for y in (x.left, x.right) if isinstance(x, s.Sum) else (x,):
                    if isinstance(y, s.Member):
                        member(y)
        return list(found.values())

    def _values(self, x, sentence):
        """What a member may be set to, from what the sentence compares it with; the plainest first."""
        key, out = self._key(x), []
        field = x.field
        if self.n.is_pointer(field) or field.type.startswith('PFN_'):
            return [(1, 'test_memory()' if field.type not in self.t.structures else f'new_{field.type}()'), (0, 'NULL')]
        if self.n.is_handle(field):
            return [(1, f'HANDLE({field.type})'), (0, 'VK_NULL_HANDLE')]
        if field.type == 'VkBool32':
            return [(1, 'VK_TRUE'), (0, 'VK_FALSE')]
        kind = self.n.value_type(field.type)
        for atom in sentence.atoms():
            if isinstance(atom, (s.Among, s.Bits)) and self._key(atom.subject) == key:
                known = [c for c in atom.constants if c]
                out += [(self.n.constants[c][0], c) for c in known]
                if isinstance(atom, s.Bits) and len(known) > 1:
                    out.append((self._mask(atom), ' | '.join(known)))
        if kind in self.m.enums:
            out += [(f.value, f.name) for f in self.m.enums[kind].fields[:40] if f.value >= 0]
            return out
        if kind in self.m.bitmasks:
            single = [(f.value, f.name) for f in self.m.bitmasks[kind].flags if not f.multiBit and not f.zero]
            both = [(a[0] | b[0], f'{a[1]} | {b[1]}') for a, b in itertools.product(out[:4], out[:4] + single[:3]) if a[0] != b[0]]
            return out + single[:6] + both + [(0, '0')]
        return out + self._numbers(x, sentence)

    def _numbers(self, x, sentence):
        out = []
        real = x.field.type in ('float', 'double')
        for atom in sentence.atoms():
            if not isinstance(atom, s.Compare):
                continue
            for side, other in ((atom.subject, atom.operand), (atom.operand, atom.subject)):
                names = [side.left, side.right] if isinstance(side, s.Sum) else [side]
                if self._key(x) not in map(self._key, names):
                    continue
                if isinstance(other, s.Limit):
                    c = self._limit(other)
                    out += [(LIMIT, c), (LIMIT + 1, f'{c} + 1'), (LIMIT - 1, f'{c} - 1'), (2 * LIMIT, f'2 * {c}')]
                elif isinstance(other, s.Number):
                    v = other.value
                    text = other.text if other.text.startswith('VK_') else repr(v)
                    out.append((v, text))
                    if real:
                        out += [(v + 0.5, repr(v + 0.5)), (v - 0.5, repr(v - 0.5))]
                    elif v < 1 << 31:
                        out += [(v + 1, str(v + 1)), (2 * v, str(2 * v))] + ([(v - 1, str(v - 1))] if v else [])
        return out + [(v, str(v)) for v in (0, 1, 2, 3, 4, 8)]

    def _limit(self, limit):
        if limit.structure == 'VkPhysicalDeviceLimits':
            return f'test_limits()->{limit.path}'
        item = self.m.structs[limit.structure]
        return f'((const {limit.structure} *)test_properties({item.sType}, sizeof({limit.structure})))->{limit.path}'

    # --- a case ----------------------------------------------------------------------------------------------------

    def _case(self, row):
        variables = self._variables(row)
        pair = self._pair(row.sentence, variables)
        if pair is None:
            raise RegistryError(f'rows.txt: no call was found that breaks just {row.vuid.id}: {row.sentence!r}')
        valid, broken = pair
        return RowCase(row, self.t.command_of(row.owner), self._statements(row, variables, valid),
                       self._statements(row, variables, broken), self._off(variables, valid), self._off(variables, broken),
                       self.texts.get(row.vuid.id))

    def _pair(self, sentence, variables):
        """Two choices that differ in one variable, of which one holds and one breaks the row."""
        ranges = [range(len(v.values)) for v in variables]
        for choice in itertools.product(*ranges):
            values = {v.key: v.values[i][0] for v, i in zip(variables, choice)}
            if not self._sensible(variables, values) or not self._all(sentence.guards, values) or self._all(sentence.must, values):
                continue
            for at, variable in enumerate(variables):
                for i in ranges[at]:
                    changed = {**values, variable.key: variable.values[i][0]}
                    if self._sensible(variables, changed) and self._all(sentence.guards, changed) and self._all(sentence.must, changed):
                        return choice[:at] + (i,) + choice[at + 1:], choice
        return None

    def _sensible(self, variables, values):
        """A member of a chained structure is there only with the structure."""
        for v in variables:
            if isinstance(v.thing, s.Member) and v.thing.chain and values.get(f'chained {v.thing.chain}') is False:
                return False
        return True

    def _off(self, variables, choice):
        chosen = [(v.thing, v.values[i][0]) for v, i in zip(variables, choice)]
        return ([t.constant for t, on in chosen if isinstance(t, s.Feature) and not on],
                [t.name for t, on in chosen if isinstance(t, s.Extension) and not on])

    def _statements(self, row, variables, choice):
        root = 'a' if row.owner in self.m.commands else 's'
        lines, chained = [], {}
        members = [v.thing for v in variables if isinstance(v.thing, s.Member)]
        wanted = [x.chain for x in members if x.chain] + \
            [v.thing.structure for v, i in zip(variables, choice) if isinstance(v.thing, s.Chained) and v.values[i][0]]
        for name in dict.fromkeys(wanted):
            chained[name] = f'chained{len(chained)}'
            lines.append(f'{name} *{chained[name]} = test_chain({root}, new_{name}(), sizeof({name}));')
            lines.append(f'(void){chained[name]};')
        for expression, type_name in dict.fromkeys(p for x in members for p in self._pointers(root, row, x, chained)):
            lines.append(f'SET({expression}, new_{type_name}());')
        array = next((x.each for x in members if x.each), None)
        if array is not None:
            lines += self._array(root, row, array)
        for variable, i in zip(variables, choice):
            if isinstance(variable.thing, s.Member):
                lines.append(f'SET({self._place(root, variable.thing, chained)}, {variable.values[i][1]});')
        return lines

    @staticmethod
    def _base(root, x, chained):
        return 'element' if x.each else chained[x.chain] if x.chain else root

    def _place(self, root, x, chained):
        if x.each and not x.path:
            return '*element'
        text = self._base(root, x, chained)
        for i, name in enumerate(x.path):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
        return text

    def _pointers(self, root, row, x, chained):
        """Pointers on the way to a member, as (expression, type)."""
        text, out = self._base(root, x, chained), []
        if x.each or not x.arrows:
            return out
        members = {y.name: y for y in self.m.structs[x.chain].members} if x.chain else self.t.owner(row.owner).by_name
        for i, name in enumerate(x.path[:-1]):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
            structure = self.n.structure(members[name].type)
            if i in x.arrows:
                out.append((text, structure.name))
            members = {y.name: y for y in structure.members}
        return out

    def _array(self, root, row, array):
        members = {y.name: y for y in (self.m.commands[row.owner].params if root == 'a' else self.m.structs[row.owner].members)}
        lines = []
        if isinstance(array, str):
            field, place, count = members[array], f'{root}->{array}', f'{root}->{members[array].length.split(",")[0]}'
        else:
            holder = f'{root}->{array.path[0]}'
            structure = self.n.structure(members[array.path[0]].type)
            lines.append(f'SET({holder}, new_{structure.name}());')
            field, place, count = array.field, f'{holder}->{array.path[1]}', f'{holder}->{array.field.length}'
        made = f'new_{field.type}()' if field.type in self.m.structs else 'test_memory()'
        return lines + [f'{field.type} *element = {made};', f'SET({place}, element);', f'SET({count}, 1);']

