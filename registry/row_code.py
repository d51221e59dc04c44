"""C that asks in the visit of a structure or command whether one of its rows may be broken, before the interpreter is called.

The test may say yes where the row holds after all: the interpreter decides. It never says no where the row is broken. So what
is not worth a line of C (a structure that is looked for in the chain, the elements of an array) counts as "may be".
"""

import re
import textwrap

import sentences as s

OPPOSITE = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}


class Unknown(Exception):
    """This part of a row has no test: it may be so."""


class Term:
    """A C condition. `mask`: (value, C of a mask) where it is that the value has one of these bits; `rank`: the dearer, the higher."""

    def __init__(self, text, rank=0, device=False, mask=None):
        self.text, self.rank, self.device, self.mask = text, rank, device, mask


def both(terms):
    return ' && '.join(t.text for t in terms)


class RowCode:
    def __init__(self, rows):
        self.rows, self.m, self.n = rows, rows.m, rows.nouns

    # --- values ----------------------------------------------------------------------------------------------------

    def _call(self, row):
        return 'call' if row.owner in self.m.commands else 'c->call'

    def _fact(self, row, x, unknown):
        """(C of a fact of an object that a member names, conditions under which it can be read). `unknown`: what it is where nothing is known."""
        if isinstance(x.holder, s.Recorded) or x.kept.type == 'I32' and not self.n.is_enum(x.field):
            raise Unknown
        handle, _, readable, _ = self._value(row, x.holder)
        return f'row_fact_or({self._call(row)}, {self.rows.fact_of(x)}, ROW_{x.kept.type}, (uint64_t){handle}, {unknown})', readable

    def _value(self, row, x):
        """(C, word of enum row_type, conditions under which it can be read, Term fields)"""
        if isinstance(x, s.Number):
            if isinstance(x.value, float):
                return repr(x.value), 'F64', [], {}
            text = x.text if x.text.startswith('VK_') else f'{x.value}{"u" if x.value > 0x7fffffff else ""}'
            return text, 'I32' if x.value < 0 else 'NUMBER', [], {}
        if isinstance(x, s.Limit):
            kind = self.rows.type_of(x.field)
            if x.structure == 'VkPhysicalDeviceLimits':
                return f'dev->properties.limits.{x.path}', kind, [], dict(device=True, rank=2)
            return f'dev->extended.{x.structure.removeprefix("VkPhysicalDevice")}.{x.path}', kind, [], dict(device=True, rank=2)
        if isinstance(x, s.Difference):
            left, right = self._value(row, x.left), self._value(row, x.right)
            if not {left[1], right[1]} <= {'U8', 'U16', 'U32', 'U64', 'NUMBER'}:
                raise Unknown
            fields = dict(device=bool(left[3].get('device') or right[3].get('device')), rank=2)
            return f'({left[0]} - {right[0]})', 'U64' if 'U64' in (left[1], right[1]) else 'U32', left[2] + right[2] + [f'{left[0]} >= {right[0]}'], fields
        if isinstance(x, s.Product):
            left, right = self._value(row, x.left), self._value(row, x.right)
            if not {left[1], right[1]} <= {'U8', 'U16', 'U32', 'U64'}:
                raise Unknown
            fields = {'device': bool(left[3].get('device') or right[3].get('device')), 'rank': 2}
            return f'row_times({left[0]}, {right[0]})', 'U64', left[2] + right[2], fields
        if isinstance(x, s.Sum):
            left, right = self._value(row, x.left), self._value(row, x.right)
            if not {left[1], right[1]} <= {'U8', 'U16', 'U32', 'I32'}:
                raise Unknown
            if 'I32' in (left[1], right[1]):
                return f'((int64_t){left[0]} + {right[0]})', 'I32', left[2] + right[2], {}
            return f'((uint64_t){left[0]} + {right[0]})', 'U64', left[2] + right[2], {}
        if isinstance(x, s.HighestBit):
            text, _, readable, fields = self._value(row, x.of)
            return f'(63u - (uint32_t)__builtin_clzll({text}))', 'NUMBER', readable + [text], fields
        if not isinstance(x, s.Member) or x.chain:
            raise Unknown
        if self._in_union(row, x):
            raise Unknown
        if x.each and not x.path:
            kind = 'POINTER' if self.n.is_handle(x.field) else self.rows.type_of(x.field)
            if kind is None:
                raise Unknown
            return '*e', kind, [], {}
        text, readable = ('e->' if x.each else '' if row.owner in self.m.commands else 's->') + x.path[0], []
        for i, name in enumerate(x.path[1:]):
            if i in x.arrows:
                readable.append(f'!pointer_is_bad({text})')
            text += ('->' if i in x.arrows else '.') + name
        if self.n.is_pointer(x.field) or self.n.is_handle(x.field) or x.field.type.startswith('PFN_'):
            return text, 'POINTER', readable, {}
        kind = self.rows.type_of(x.field)
        if kind is None:
            raise Unknown
        if len(x.path) == 1 and self.rows.replacing(x.field):
            return x.path[0], 'U64', [], {}  # a variable of the visit, as replaced() has it
        return text, kind, readable, {}

    def replaced(self, owner):
        """C of the owner's flags for which a structure of the chain may have others: [(name, expression)]."""
        out = {}
        for x in (x for row in self.rows.owners[owner] for x in self.rows.members_of(row.sentence) if len(x.path) == 1):
            instead = None if x.chain or x.each else self.rows.replacing(x.field)
            if instead:
                out[x.path[0]] = f'row_flags(s->pNext, {self.m.structs[instead.chain].sType}, s->{x.path[0]})'
        return list(out.items())

    def _element_members(self, row, x):
        field = self.rows._members(row.owner)[x.each] if isinstance(x.each, str) else x.each.field
        structure = self.n.structure(field.type)
        return {y.name: y for y in structure.members} if structure else {}

    def _in_union(self, row, x):
        members = self._element_members(row, x) if x.each else self.rows._members(row.owner)
        for name in x.path[:-1]:
            structure = self.n.structure(members[name].type)
            if structure.union:
                return True
            members = {y.name: y for y in structure.members}
        return False

    @staticmethod
    def _common(left, right, a, b):
        """Both sides as one type that holds either."""
        if a in ('F32', 'F64') or b in ('F32', 'F64'):
            return f'(double){left}', right if re.fullmatch(r'-?[\d.]+', right) else f'(double){right}'
        signed = [x == 'I32' for x in (a, b)]
        if 'NUMBER' in (a, b) or signed[0] == signed[1]:
            return left, right
        if 'U64' in (a, b):
            raise Unknown
        return f'(int64_t){left}', f'(int64_t){right}'

    # --- atoms -----------------------------------------------------------------------------------------------------

    def _compare_fact(self, row, atom, holds):
        """A fact with a value of the call: where nothing is known, it is what makes the condition false."""
        operator = atom.operator if holds else OPPOSITE.get(atom.operator)
        if operator not in ('<', '<=', '>', '>=', '!=') or isinstance(atom.operand, s.Fact):
            raise Unknown
        right, kind, more, fields = self._value(row, atom.operand)
        if kind not in ('U8', 'U16', 'U32', 'U64', 'NUMBER'):
            raise Unknown
        right = f'(uint64_t){right}'
        left, readable = self._fact(row, atom.subject, right if operator == '!=' else 'UINT64_MAX' if '<' in operator else '0')
        return [Term(' && '.join(readable + more + [f'{left} {operator} {right}']), 4, bool(fields.get('device')))]

    def _compare(self, row, atom, holds):
        if isinstance(atom.subject, s.Fact):
            return self._compare_fact(row, atom, holds)
        left, a, readable, fields = self._value(row, atom.subject)
        right, b, more, others = self._value(row, atom.operand)
        fields = {'device': bool(fields.get('device') or others.get('device')), 'rank': max(fields.get('rank', 0), others.get('rank', 0), 1)}
        operator = atom.operator
        if operator == 'multiple':
            known = [right] if not re.fullmatch(r'\d+', right) else []
            test = f'{left} % {right} {"==" if holds else "!="} 0'
            return [Term(' && '.join(readable + more + known + [test]), **fields)]
        left, right = self._common(left, right, a, b)
        if 'F32' in (a, b) or 'F64' in (a, b):
            test = {'==': f'({left} >= {right} && {left} <= {right})', '!=': f'({left} < {right} || {left} > {right})'}.get(
                operator, f'({left} {operator} {right})')
            test = test if holds else f'!{test}'
        else:
            if not holds:
                operator = OPPOSITE[operator]
            if right == '0' and a != 'I32' and operator in ('<', '>='):
                raise Unknown
            if right == '0' and a != 'I32':
                test = f'!{left}' if operator in ('==', '<=') else left
            else:
                test = f'{left} {operator} {right}'
        return [Term(' && '.join(readable + more + [test]), **fields)]

    def _bits(self, row, atom, holds):
        if isinstance(atom.subject, s.QueueFlags):
            return [Term(f'{"" if holds else "!"}(dev->queue_flags & ({" | ".join(atom.constants)}))', 4, True)]
        if isinstance(atom.subject, s.Fact) and atom.subject.handle == 'VkCommandPool' and isinstance(atom.subject.holder, s.Recorded):
            call = 'call' if row.owner in self.m.commands else 'c->call'
            negated = '' if (atom.how == 'any') == holds else '!'
            return [Term(f'{negated}row_pool_has({call}, {" | ".join(atom.constants)})', 4)]
        if isinstance(atom.subject, s.Fact):
            mask = ' | '.join(c for c in atom.constants if c)
            some = (atom.how == 'any') == holds
            if atom.how not in ('any', 'none'):
                raise Unknown
            fact, readable = self._fact(row, atom.subject, '0' if some else 'UINT64_MAX')
            test = f'{fact} & ({mask})'
            return [Term(' && '.join(readable + [test if some else f'!({test})']), 4)]
        if atom.how == 'not all':
            return self._bits(row, s.Bits(atom.subject, atom.constants, 'all'), not holds)
        value, _, readable, _ = self._value(row, atom.subject)
        if atom.how == 'one':
            test = f'{value} && !({value} & ({value} - 1))'
            return [Term(' && '.join(readable + [test if holds else f'!({test})']), 1)]
        names = [c for c in atom.constants if c]
        mask = ' | '.join(names)
        grouped = f'({mask})' if len(names) > 1 else mask
        some = atom.how == 'any' and holds or atom.how == 'none' and not holds
        if some or (atom.how == 'all' and holds and len(names) == 1):
            return [Term(r, 0) for r in readable] + [Term(f'{value} & {grouped}', 0, mask=(value, mask))]
        if atom.how == 'all':
            test = f'({value} & {grouped}) {"==" if holds else "!="} {grouped}'
            return [Term(r, 0) for r in readable] + [Term(test, 0, mask=(value, mask) if holds else None)]
        if atom.how == 'only':
            return [Term(' && '.join(readable + [f'!({value} & ~(uint64_t){grouped})' if holds else f'{value} & ~(uint64_t){grouped}']), 1)]
        return [Term(' && '.join(readable + [f'!({value} & {grouped})']), 1)]

    def _atom(self, row, atom, holds):
        """Terms that are all true where the atom's answer is "yes" (holds) or "no" (not holds)."""
        if isinstance(atom, (s.Part, s.Dynamic)):
            return [self._pipeline(atom, atom.positive == holds)]
        if isinstance(atom, s.Some):
            return [self._some(row, atom, atom.positive == holds)]
        if isinstance(atom, s.Feature) and self.rows.of_creation(row.owner):
            raise Unknown  # there is no device yet
        if isinstance(atom, s.Feature):
            negated = '' if atom.positive == holds else '!'
            return [Term(f'{negated}device_has_feature(dev, {atom.constant})', 3, True)]
        if isinstance(atom, (s.Extension, s.Named, s.Read)) and (self.rows.of_creation(row.owner) or not isinstance(atom, s.Extension)):
            raise Unknown
        if isinstance(atom, s.Extension):
            if atom.positive == holds:
                return [Term(f'extension_set_has(&dev->named_extensions, EXTENSION_{atom.name})', 3, True)]
            return [Term(f'!extension_set_has(&dev->extensions, EXTENSION_{atom.name})', 3, True)]
        if isinstance(atom, s.Chained) and atom.holder is not None:
            raise Unknown
        if isinstance(atom, s.Chained):
            if atom.positive != holds or row.owner in self.m.commands:
                raise Unknown
            return [Term('s->pNext', 0)]
        if isinstance(atom, s.Null):
            if isinstance(atom.subject, s.Fact) and atom.subject.handle == 'sections':
                call = 'call' if row.owner in self.m.commands else 'c->call'
                wanted = 'ROW_NO' if atom.positive == holds else 'ROW_YES'
                return [Term(f'row_section({call}, {self.rows.fact_of(atom.subject)}) == {wanted}', 4)]
            if isinstance(atom.subject, s.Fact):
                fact, readable = self._fact(row, atom.subject, '1' if atom.positive == holds else '0')
                return [Term(' && '.join(readable + [f'!{fact}' if atom.positive == holds else fact]), 4)]
            value, _, readable, _ = self._value(row, atom.subject)
            return [Term(' && '.join(readable + [f'!{value}' if atom.positive == holds else value]), 1)]
        if isinstance(atom, s.FormatIs):
            if isinstance(atom.subject, s.Fact):
                value, readable = self._fact(row, atom.subject, '0')
            else:
                value, _, readable, _ = self._value(row, atom.subject)
                value = f'(uint64_t){value}'
            wanted = 'ROW_YES' if atom.positive == holds else 'ROW_NO'
            return [Term(' && '.join(readable + [f'row_format_is({value}, ROW_FORMAT_{atom.kind}) == {wanted}']), 3)]
        if isinstance(atom, s.ValidPointer) or isinstance(getattr(atom, 'subject', None), (s.Count, s.Index)):
            raise Unknown
        if isinstance(atom, s.AddressUsage):
            if holds:
                raise Unknown
            value, _, readable, _ = self._value(row, atom.subject)
            call = 'call' if row.owner in self.m.commands else 'c->call'
            kind = 'ROW_ADDRESS_VALID' if atom.valid else 'ROW_ADDRESS_USAGE'
            mask = ' | '.join(atom.constants) or '0'
            return [Term(' && '.join(readable + [f'row_ask_address({call}, {value}, {mask}, {kind}) == ROW_NO']), 5)]
        if isinstance(atom, s.PowerOfTwo):
            return self._bits(row, s.Bits(atom.subject, [], 'one'), holds)
        if isinstance(atom, s.Compare):
            return self._compare(row, atom, holds)
        if isinstance(atom, s.Among) and isinstance(atom.subject, s.Fact):
            names = [f'(uint64_t){c}' for c in atom.constants if c]
            if atom.positive != holds and len(names) == 1:
                fact, readable = self._fact(row, atom.subject, names[0])
                return [Term(' && '.join(readable + [f'{fact} != {names[0]}']), 4)]
            if atom.positive == holds:
                fact, readable = self._fact(row, atom.subject, 'UINT64_MAX')
                test = ' || '.join(f'{fact} == {c}' for c in names)
                return [Term(' && '.join(readable + [f'({test})']), 4)]
            raise Unknown
        if isinstance(atom, s.Among) and not atom.positive and not holds and self._is_states(row, atom.subject):
            return [self._either([[self._pipeline(s.Dynamic(c, True), True)] for c in atom.constants])[0]]
        if isinstance(atom, s.Among):
            value, _, readable, _ = self._value(row, atom.subject)
            names = [c for c in atom.constants if c]
            if atom.positive == holds:
                test = ' || '.join(f'{value} == {c}' for c in names)
                test = f'({test})' if len(names) > 1 else test
            else:
                test = ' && '.join(f'{value} != {c}' for c in names)
            return [Term(' && '.join(readable + [test]), 1)]
        if isinstance(atom, s.Bits):
            return self._bits(row, atom, holds)
        raise Unknown

    @staticmethod
    def _is_states(row, x):
        """Is it an element of a graphics pipeline's pDynamicStates?"""
        return row.owner == 'VkGraphicsPipelineCreateInfo' and isinstance(x, s.Member) and isinstance(x.each, s.Member) and \
            x.each.path == ('pDynamicState', 'pDynamicStates')

    def _pipeline(self, atom, holds):
        """Of the graphics pipeline whose visit it is: the check is the first member of a graphics_check."""
        negated = '' if holds else '!'
        if isinstance(atom, s.Dynamic):
            return Term(f'{negated}pipeline_makes_dynamic(c, {self.rows.dynamic_state(atom.state)})', 3)
        return Term(f'{negated}(pipeline_parts(c) & ({" | ".join(atom.parts)}))', 2)

    def _some(self, row, atom, holds):
        """Stages are found by their bits."""
        inner = atom.inner
        if row.owner != 'VkGraphicsPipelineCreateInfo' or atom.each != 'pStages' or not inner.positive or inner.subject.path != ('stage',):
            raise Unknown
        return Term(f'{"" if holds else "!"}(pipeline_stages(c) & ({" | ".join(inner.constants)}))', 2)

    # --- rows ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _either(alternatives):
        """One Term that is true where all terms of one alternative are."""
        if len(alternatives) == 1:
            return alternatives[0]
        texts = [both(a) for a in alternatives]
        texts = [f'({t})' if '&&' in t or ' & ' in t else t for t in texts]
        return [Term(f'({" || ".join(texts)})', max(t.rank for a in alternatives for t in a), any(t.device for a in alternatives for t in a))]

    def _guard(self, row, clause):
        try:
            return self._either([self._atom(row, a, True) for a in clause.atoms])
        except Unknown:
            return []

    def _broken(self, row, clause):
        terms = []
        for atom in clause.atoms:
            try:
                terms += self._atom(row, atom, False)
            except Unknown:
                pass
        return terms

    def _heads(self, row):
        """Chains of structures that pointers lead to, of which a guard needs one."""
        terms = []
        for clause in row.sentence.guards + row.sentence.must:
            heads = [x.head if isinstance(x, s.Member) else None for x in (getattr(a, 'subject', None) for a in clause.atoms)]
            if heads and all(heads):
                value, _, readable, _ = self._value(row, heads[0])
                terms.append(Term(' && '.join(readable + [value]), 0))
        return terms

    def terms(self, row):
        """Terms that are all true where the row is broken."""
        terms = []
        if self.rows.needs_chain(row.sentence):
            terms.append(Term('s->pNext', -1))
        for clause in row.sentence.guards:
            terms += self._guard(row, clause)
        terms += self._heads(row)
        broken = [self._broken(row, clause) for clause in row.sentence.must]
        if all(broken):
            terms += self._either(broken)
        unique = self._of_elements(row, {t.text: t for t in terms})
        return sorted(unique.values(), key=lambda t: t.rank)

    def _of_elements(self, row, terms):
        """Those about the row's element become one: whether there is an element of which all of them are true."""
        inner = [t for t in terms.values() if re.search(r'\be->|\*e\b', t.text)]
        each = next((x.each for x in self.rows.members_of(row.sentence) if x.each), None)
        if not inner:
            return terms
        out = {text: t for text, t in terms.items() if t not in inner}
        root = '' if row.owner in self.m.commands else 's->'
        members = self.rows._members(row.owner)
        if isinstance(each, str):
            field, array, count, readable = members[each], f'{root}{each}', f'{root}{members[each].length.split(",")[0]}', []
        else:
            place = s.Member(each.path[:-1] + (each.field.length,), each.field, None, None, each.arrows)
            field, readable, texts = each.field, [], []
            for path in (each.path, place.path):
                text = root + path[0]
                for i, name in enumerate(path[1:]):
                    if i in each.arrows:
                        readable.append(f'!pointer_is_bad({text})')
                    text += ('->' if i in each.arrows else '.') + name
                texts.append(text)
            array, count = texts
        condition = both(sorted(inner, key=lambda t: t.rank))
        text = ' && '.join(list(dict.fromkeys(readable)) + [f'ROW_ANY({field.type}, {array}, {count}, {condition})'])
        out[text] = Term(text, 5, any(t.device for t in inner))
        return out

    def condition(self, rows):
        """(C condition under which one of the rows may be broken, whether it speaks of `dev`, the device). The condition is
        None where one of the rows always may be."""
        every = [self.terms(row) for row in rows]
        if not all(every):
            return None, False
        plain = [terms for terms in every if not any(t.device for t in terms)]
        of_device = [terms for terms in every if any(t.device for t in terms)]
        parts = self._join(plain)
        if of_device:
            inner = self._join(of_device)
            parts.append(f'dev && {self._or(inner)}')
        return textwrap.fill(self._or(parts), 110, subsequent_indent=' ' * 8, break_long_words=False, break_on_hyphens=False), bool(of_device)

    def _join(self, every):
        """Alternatives, those that ask for bits of the same value grouped: most calls have none of them."""
        groups, out = {}, []
        for terms in every:
            first = next((t for t in terms if t.mask), None)
            groups.setdefault((terms[0].text if terms[0].rank < 0 else '', first.mask[0] if first else None), []).append((terms, first))
        for (chain, value), members in groups.items():
            if value is None or len(members) < 2:
                out += [both(terms) for terms, _ in members]
                continue
            head = f'{chain} && ' if chain else ''
            alone = [first for terms, first in members if all(t is first or t.text == chain for t in terms)]
            rest = [(terms, first) for terms, first in members if first not in alone]
            if alone:
                out.append(f'{head}{value} & {self._union(alone)}')
            if rest:
                inner = self._or([both([t for t in terms if t.text != chain]) for terms, _ in rest])
                out.append(f'{head}{value} & {self._union([first for _, first in rest])} && {inner}')
        return out

    @staticmethod
    def _union(terms):
        names = dict.fromkeys(n for t in terms for n in t.mask[1].split(' | '))
        return f'({" | ".join(names)})' if len(names) > 1 else next(iter(names))

    @staticmethod
    def _or(texts):
        if len(texts) == 1:
            return texts[0] if re.fullmatch(r'[\w>.!-]+', texts[0]) else f'({texts[0]})'
        return '(' + ' || '.join(f'({t})' if '&' in t or '%' in t else t for t in dict.fromkeys(texts)) + ')'
