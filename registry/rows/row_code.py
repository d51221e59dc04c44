"""C that asks in the visit of a structure or command whether one of its rows may be broken, before
the interpreter is called.

The test may say yes where the row holds after all: the interpreter decides. It never says no where
the row is broken. So what is not worth a line of C (a structure that is looked for in the chain,
the elements of an array) counts as "may be"."""

import collections
import re
import textwrap

from language import facts
from language.atoms import Read
from language.terms import Operand, Term, Unknown, both, either
from language.values import Elements, Member, Recorded
from model import named_parameters
from rows import ignored, ignored_by_pipelines


class Loop:
    """Rows of an array's elements: `pointer`, `count`, `readable` are C, `element` is the type; the
    rest as in Test. Without a pointer, the array may be ignored, and the condition speaks of no
    element.

    `other`: C of an array of pointers to elements, which is used where `pointer` is NULL; `outer`:
    C of the (pointer, count) of the array whose elements `o` these are members of, or None."""

    def __init__(
        self, pointer, count, readable, element, condition, device, states, other=None, outer=None
    ):
        self.other, self.outer = other, outer
        self.pointer, self.count, self.readable, self.element = pointer, count, readable, element
        self.condition, self.device, self.states = condition, device, states


class Test:
    """When one of several rows may be broken. `always`: in every call. `condition`: C, or None
    where no row is of the structure itself; `device`: it speaks of `dev`; `states`: C declarations
    of the states that it speaks of, each looked up once; `loops`: over arrays."""

    def __init__(self, always=False, condition=None, device=False, states=(), loops=()):
        self.always, self.condition, self.states, self.loops = (
            always,
            condition,
            list(states),
            list(loops),
        )
        self.device = device or any(x.device for x in self.loops)


class RowCode:
    def __init__(self, rows):
        self.rows, self.m, self.n = rows, rows.m, rows.nouns
        self.states, self.inner = (
            {},
            {},
        )  # of the structure, and of an element: name -> C declaration

    # --- values -----------------------------------------------------------------------------------

    def member(self, row, x):
        """A Member as an Operand."""
        if x.chain or not (x.path or x.each):
            raise Unknown
        if not self._is_always_read(row, x) or self._in_union(row, x):
            raise Unknown
        field, is_handle = x.field, self.n.is_handle(x.field)
        if not x.path:
            return Operand('*e', 'POINTER' if is_handle else self.rows.type_of(field))
        head = 'e->' if x.each else '' if row.owner in self.m.commands else 's->'
        text, conditions = head + x.path[0], []
        for i, name in enumerate(x.path[1:]):
            if i in x.arrows:
                conditions.append(f'!pointer_is_bad({text})')
            text += ('->' if i in x.arrows else '.') + name
        if self.n.is_pointer(field) or is_handle or field.type.startswith('PFN_'):
            return Operand(text, 'POINTER', conditions)
        kind = self.rows.type_of(field)
        if getattr(field, 'read_as_number', False):
            return Operand(f'(uint64_t)(uintptr_t){text}', 'U64', conditions)
        if kind is None:
            raise Unknown
        if len(x.path) == 1 and not x.each and self.rows.replacing(field):
            return Operand(x.path[0], 'U64')  # a variable of the visit, as replaced() has it
        return Operand(text, kind, conditions)

    def call(self, row):
        return 'call' if row.owner in self.m.commands else 'c->call'

    def state(self, row, kind, holder):
        """The variable that has the state of the object of that type that is `holder`."""
        if kind == 'video profile':  # asked of the driver
            raise Unknown
        if isinstance(holder, Recorded):
            if kind == 'VkDevice':
                self.states['of_device'] = (
                    f'const struct device_state *const of_device = row_device({self.call(row)})'
                )
                return 'of_device'
            if kind == 'sections':
                self.states['of_sections'] = (
                    f'const struct command_buffer_sections *const of_sections = '
                    f'row_sections({self.call(row)})'
                )
                return 'of_sections'
            if kind == 'queue family':
                self.states['of_family'] = (
                    f'const VkQueueFamilyProperties *const of_family = row_family({self.call(row)})'
                )
                return 'of_family'
            if kind != 'VkCommandPool':
                raise Unknown
            self.states['of_pool'] = (
                f'const struct command_pool *const of_pool = row_pool({self.call(row)})'
            )
            return 'of_pool'
        of = holder.operand(self, row)
        handle = of.text
        name = 'of_' + re.sub(r'\W+', '_', handle.replace('*', '').replace('s->', '', 1))
        lookup = (
            f'row_state({self.call(row)}, (uint64_t)(uintptr_t){handle}, '
            f'{self.m.handle_constant(kind)})'
        )
        command = self.m.commands.get(row.owner)
        named = named_parameters.named(self.m, command) if command else {}
        if handle in named and not holder.each:
            lookup = f'row_named(call, {named[handle]})'
        if of.readable:
            lookup = f'{" && ".join(of.readable)} ? {lookup} : NULL'
        (self.inner if holder.each else self.states)[name] = (
            f'const {facts.KINDS[kind].state} *const {name} = {lookup}'
        )
        return name

    def replaced(self, owner):
        """C of the owner's flags for which a structure of the chain may have others: [(name,
        expression)]."""
        out = {}
        for x in (
            x
            for row in self.rows.owners[owner]
            for x in self.rows.members_of(row.sentence)
            if len(x.path) == 1
        ):
            instead = None if x.chain or x.each else self.rows.replacing(x.field)
            if instead:
                out[x.path[0]] = (
                    f'row_flags(s->pNext, {self.m.structs[instead.chain].sType}, s->{x.path[0]})'
                )
        return list(out.items())

    def _element(self, row, each):
        """The structure that an array's elements are, or None, and the registry's member that is
        the array."""
        field = self.rows.members(row.owner)[each] if isinstance(each, str) else each.field
        return self.n.structure(field.type), field

    def _is_always_read(self, row, x, states=True):
        """Is each pointer on the way to a member one that is valid in every valid call? Where the
        specification has conditions for that, the interpreter looks at these first. `states`: those
        of a pipeline count where a guard of the row says that they are read."""
        members = self.rows.members(row.owner)
        way = (
            [members[x.each]]
            if isinstance(x.each, str) and (row.owner, x.each) not in ignored.READ_WHERE
            else []
        )
        if isinstance(x.each, Member):
            if not self._is_always_read(row, x.each, False):
                return False
            way.append(x.each.field)
        elif not x.each:
            for i, name in enumerate(x.path):
                field = members.get(name.split('[')[0])
                if field is None:
                    return False
                if i in x.arrows:
                    way.append(field)
                structure = self.n.structure(field.type)
                members = {y.name: y for y in structure.members} if structure else {}
        read = self.states_read(row) if states else []
        of_states = row.owner == 'VkGraphicsPipelineCreateInfo'
        return all(
            ignored_by_pipelines.READ.get(y.name) in read
            if of_states and y.name in ignored_by_pipelines.READ
            else not y.noAutoValidity
            and not (of_states and y.name.endswith('State') and y.name != 'pDynamicState')
            for y in way
        )

    def states_read(self, row):
        """Names of the states of a graphics pipeline that a guard says are read: its Term stands
        before all others."""
        if row.owner != 'VkGraphicsPipelineCreateInfo' or self.rows.needs_chain(row.sentence):
            return []
        return [
            c.atoms[0].name
            for c in row.sentence.guards
            if len(c.atoms) == 1 and isinstance(c.atoms[0], Read)
        ][:1]

    def _in_union(self, row, x):
        if isinstance(x.each, Elements):
            return False  # the guards say which member is in use
        members = self.rows.members(row.owner)
        if x.each:
            structure = self._element(row, x.each)[0]
            members = {y.name: y for y in structure.members} if structure else {}
        for name in x.path[:-1]:
            field = members[name.split('[')[0]]
            structure = self.n.structure(field.type)
            if (
                structure.union and field.selector
            ):  # of those without, only addresses are read, which are as wide as pointers
                return True
            members = {y.name: y for y in structure.members}
        return False

    def dynamic(self, state, holds):
        """Has the graphics pipeline that dynamic state? Its visit's check is the first member of a
        graphics_check."""
        negated = '' if holds else '!'
        return Term(f'{negated}pipeline_makes_dynamic(c, {self.rows.dynamic_state(state)})', 3)

    # --- rows -------------------------------------------------------------------------------------

    def _guard(self, row, clause):
        try:
            return either([a.terms(self, row, True) for a in clause.atoms])
        except Unknown:
            return []

    def _broken(self, row, clause):
        terms = []
        for atom in clause.atoms:
            try:
                terms += atom.terms(self, row, False)
            except Unknown:
                pass
        return sorted(terms, key=lambda t: t.rank)

    def _heads(self, row):
        """Chains of structures that pointers lead to, of which a guard needs one."""
        terms = []
        for clause in row.sentence.guards + row.sentence.must:
            heads = [
                x.head if isinstance(x, Member) else None
                for x in (getattr(a, 'subject', None) for a in clause.atoms)
            ]
            if heads and all(heads):
                try:
                    head = heads[0].operand(self, row)
                except Unknown:
                    continue
                terms.append(Term(' && '.join(head.readable + [head.text]), 0))
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
            terms += either(broken)
        unique = {t.text: t for t in terms}
        return sorted(unique.values(), key=lambda t: t.rank)

    def test(self, rows):
        """The Test of rows that are asked together."""
        self.states = {}
        arrays = dict.fromkeys(row.each for row in rows)
        condition, device, loops = None, False, []
        for each in arrays:
            of_array = [row for row in rows if row.each == each]
            if each is None:
                condition, device = self._condition(of_array)
                if condition is None:
                    return Test(always=True)
                continue
            loop = self._loop(of_array)
            if loop is None:
                return Test(always=True)
            loops.append(loop)
        return Test(False, condition, device, self.states.values(), loops)

    def _loop(self, rows):
        self.inner = {}
        row = rows[0]
        each = next(x.each for x in self.rows.members_of(row.sentence) if x.each)
        structure, field = self._element(row, each)
        condition, device = self._condition(rows)
        if condition is None or field.fullType.count('*') != 1:
            return None
        head = '' if row.owner in self.m.commands else 's->'
        if isinstance(each, Elements):
            outer = self.rows.members(row.owner)[each.outer] if each.outer else None
            place = 'o->' if outer else head
            return Loop(
                place + field.name,
                place + field.length,
                [],
                structure.name,
                condition,
                device,
                list(self.inner.values()),
                place + each.other.name,
                (head + each.outer, head + outer.length, self.n.structure(outer.type).name)
                if outer
                else None,
            )
        if isinstance(each, str):
            pointer, count = head + each, head + field.length.split(',')[0]
            readable = (
                [ignored.READ_WHERE[row.owner, each]]
                if (row.owner, each) in ignored.READ_WHERE
                else []
            )
        elif not self._is_always_read(row, each, False):
            return Loop(None, None, [], None, condition, device, [])
        else:
            try:
                array = each.operand(self, row)
            except Unknown:
                return None
            pointer, readable = array.text, array.readable
            count = pointer[: pointer.rindex(each.path[-1])] + field.length
        return Loop(
            pointer,
            count,
            readable,
            structure.name if structure else field.type,
            condition,
            device,
            list(self.inner.values()),
        )

    def _condition(self, rows):
        """(C condition under which one of the rows may be broken, whether it speaks of `dev`, the
        device). The condition is None where one of the rows always may be."""
        every = [self.terms(row) for row in rows]
        if not all(every):
            return None, False
        plain = [terms for terms in every if not any(t.device for t in terms)]
        of_device = [terms for terms in every if any(t.device for t in terms)]
        parts = self._join(plain)
        if of_device:
            inner = self._join(of_device)
            parts.append(f'dev && {self._or(inner)}')
        return textwrap.fill(
            self._or(parts),
            110,
            subsequent_indent=' ' * 8,
            break_long_words=False,
            break_on_hyphens=False,
        ), bool(of_device)

    def _join(self, every):
        """Alternatives. Those that begin with the same states are grouped, then those that ask for
        bits of the same value, which most calls have none of, then those with other conditions in
        common."""
        out, every = self._factor(every, lambda t: t.rank < 0)
        groups = {}
        for terms in every:
            first = next((t for t in terms if t.mask), None)
            groups.setdefault(first.mask[0] if first else None, []).append((terms, first))
        rest = []
        for value, members in groups.items():
            if value is None or len(members) < 2:
                rest += [terms for terms, _ in members]
                continue
            alone = [first for terms, first in members if len(terms) == 1]
            others = [(terms, first) for terms, first in members if len(terms) > 1]
            if alone:
                out.append(f'{value} & {self._union(alone)}')
            if others:
                inner, left = self._factor([terms for terms, _ in others], lambda t: not t.mask)
                out.append(
                    f'{value} & {self._union([first for _, first in others])} && '
                    f'{self._or(inner + [both(terms) for terms in left])}'
                )
        inner, left = self._factor(rest, lambda t: not t.mask)
        return out + inner + [both(terms) for terms in left]

    def _factor(self, every, wanted):
        """(C of the alternatives that have a condition in common, the other alternatives)."""
        out = []
        while True:
            counts = collections.Counter(
                t for terms in every for t in dict.fromkeys(t.text for t in terms if wanted(t))
            )
            common, count = max(counts.items(), key=lambda item: item[1], default=(None, 0))
            if count < 2:
                return out, every
            inside = [
                [t for t in terms if t.text != common]
                for terms in every
                if any(t.text == common for t in terms)
            ]
            every = [terms for terms in every if all(t.text != common for t in terms)]
            joined = self._join(inside) if all(inside) else []
            grouped = f'({common})' if ' & ' in common or ' % ' in common else common
            out.append(f'{grouped} && {self._or(joined)}' if joined else common)

    @staticmethod
    def _union(terms):
        names = dict.fromkeys(n for t in terms for n in t.mask[1].split(' | '))
        return f'({" | ".join(names)})' if len(names) > 1 else next(iter(names))

    @staticmethod
    def _or(texts):
        if len(texts) == 1:
            return texts[0] if re.fullmatch(r'[\w>.!-]+', texts[0]) else f'({texts[0]})'
        return (
            '('
            + ' || '.join(f'({t})' if '&' in t or '%' in t else t for t in dict.fromkeys(texts))
            + ')'
        )
