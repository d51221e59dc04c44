"""C that asks in the visit of a structure or command whether one of its rows may be broken, before
the interpreter is called.

The test may say yes where the row holds after all: the interpreter decides. It never says no where
the row is broken. So what is not worth a line of C (a structure that is looked for in the chain,
the elements of an array) counts as "may be"."""

import collections
import re
import textwrap

from language import facts
from language import sentence as s
from model import named_parameters
from rows import ignored, ignored_by_pipelines

BOUND = {'VkBuffer': 'buffer_is_bound', 'VkImage': 'image_has_memory'}  # C that asks a state
OPPOSITE = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}


class Unknown(Exception):
    """This part of a row has no test: it may be so."""


class Term:
    """A C condition. `mask`: (value, C of a mask) where it is that the value has one of these bits;
    `rank`: the dearer, the higher."""

    def __init__(self, text, rank=0, device=False, mask=None):
        self.text, self.rank, self.device, self.mask = text, rank, device, mask


def both(terms):
    return ' && '.join(t.text for t in terms)


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

    def _value(self, row, x):
        """(C, word of enum row_type, conditions under which it can be read, Term fields)"""
        if isinstance(x, s.Number):
            if isinstance(x.value, float):
                return repr(x.value), 'F64', [], {}
            text = (
                x.text
                if x.text.startswith('VK_')
                else f'{x.value}{"u" if x.value > 0x7FFFFFFF else ""}'
            )
            return text, 'I32' if x.value < 0 else 'NUMBER', [], {}
        if isinstance(x, s.Limit):
            kind = self.rows.type_of(x.field)
            if x.structure == 'VkPhysicalDeviceLimits':
                return f'dev->properties.limits.{x.path}', kind, [], dict(device=True, rank=2)
            return (
                f'dev->extended.{x.structure.removeprefix("VkPhysicalDevice")}.{x.path}',
                kind,
                [],
                dict(device=True, rank=2),
            )
        if isinstance(x, s.Product):
            left, right = self._value(row, x.left), self._value(row, x.right)
            if not {left[1], right[1]} <= {'U8', 'U16', 'U32', 'U64'}:
                raise Unknown
            fields = {'device': bool(left[3].get('device') or right[3].get('device')), 'rank': 2}
            return f'row_times({left[0]}, {right[0]})', 'U64', left[2] + right[2], fields
        if isinstance(x, s.Sum):
            return self._sum(row, x)
        if isinstance(x, s.HighestBit):
            text, _, readable, fields = self._value(row, x.of)
            return f'(63u - (uint32_t)__builtin_clzll({text}))', 'NUMBER', readable + [text], fields
        if isinstance(x, s.LevelExtent):
            state = self._state(row, x.image)
            if x.layers.chain or x.layers.arrows or not x.layers.each:
                raise Unknown
            layers = f'&e->{".".join(x.layers.path)}' if x.layers.path else 'e'
            return f'image_level_extent({state}, {layers}, {x.axis})', 'U32', [state], {}
        if isinstance(x, s.Fact):
            state = self._state(row, x)
            return f'{state}->{x.kept.place}', x.kept.type, [state], {}
        if not isinstance(x, s.Member) or x.chain or not (x.path or x.each):
            raise Unknown
        if not self._is_always_read(row, x):
            raise Unknown
        if self._in_union(row, x):
            raise Unknown
        if not x.path:
            return (
                '*e',
                'POINTER' if self.n.is_handle(x.field) else self.rows.type_of(x.field),
                [],
                {},
            )
        text, readable = (
            ('e->' if x.each else '' if row.owner in self.m.commands else 's->') + x.path[0],
            [],
        )
        for i, name in enumerate(x.path[1:]):
            if i in x.arrows:
                readable.append(f'!pointer_is_bad({text})')
            text += ('->' if i in x.arrows else '.') + name
        if (
            self.n.is_pointer(x.field)
            or self.n.is_handle(x.field)
            or x.field.type.startswith('PFN_')
        ):
            return text, 'POINTER', readable, {}
        kind = self.rows.type_of(x.field)
        if getattr(x.field, 'read_as_number', False):
            return f'(uint64_t)(uintptr_t){text}', 'U64', readable, {}
        if kind is None:
            raise Unknown
        if len(x.path) == 1 and not x.each and self.rows.replacing(x.field):
            return x.path[0], 'U64', [], {}  # a variable of the visit, as replaced() has it
        return text, kind, readable, {}

    def _sum(self, row, x):
        (left, a, readable, fields), (right, b, more, others) = (
            self._value(row, x.left),
            self._value(row, x.right),
        )
        fields = {
            'device': bool(fields.get('device') or others.get('device')),
            'rank': max(fields.get('rank', 0), others.get('rank', 0)),
        }
        small, wide = {'U8', 'U16', 'U32'}, {'U8', 'U16', 'U32', 'U64', 'NUMBER'}
        if isinstance(x, s.Difference) and {a, b} <= wide:
            return (
                f'({left} - {right})',
                'U64' if 'U64' in (a, b) else 'U32',
                readable + more + [f'{left} >= {right}'],
                fields,
            )
        if not isinstance(x, s.Difference) and {a, b} <= small:
            return f'((uint64_t){left} + {right})', 'U64', readable + more, fields
        if not isinstance(x, s.Difference) and {a, b} <= wide:
            return f'row_add({left}, {right})', 'U64', readable + more, fields
        if not isinstance(x, s.Difference) and {a, b} <= small | {'I32'}:
            return f'((int64_t){left} + {right})', 'I64', readable + more, fields
        raise Unknown

    def _call(self, row):
        return 'call' if row.owner in self.m.commands else 'c->call'

    def _state(self, row, x):
        """The variable that has the state of a Fact's object (x may be an atom with `subject` and
        `handle` as well)."""
        if x.handle == 'video profile':  # asked of the driver
            raise Unknown
        holder = x.holder if isinstance(x, s.Fact) else x.subject
        if isinstance(holder, s.Recorded):
            if x.handle == 'VkDevice':
                self.states['of_device'] = (
                    f'const struct device_state *const of_device = row_device({self._call(row)})'
                )
                return 'of_device'
            if x.handle == 'sections':
                self.states['of_sections'] = (
                    f'const struct command_buffer_sections *const of_sections = '
                    f'row_sections({self._call(row)})'
                )
                return 'of_sections'
            if x.handle == 'queue family':
                self.states['of_family'] = (
                    f'const VkQueueFamilyProperties *const of_family = '
                    f'row_family({self._call(row)})'
                )
                return 'of_family'
            if x.handle != 'VkCommandPool':
                raise Unknown
            self.states['of_pool'] = (
                f'const struct command_pool *const of_pool = row_pool({self._call(row)})'
            )
            return 'of_pool'
        handle, _, readable, _ = self._value(row, holder)
        name = 'of_' + re.sub(r'\W+', '_', handle.replace('*', '').replace('s->', '', 1))
        lookup = (
            f'row_state({self._call(row)}, (uint64_t)(uintptr_t){handle}, '
            f'{self.m.handle_constant(x.handle)})'
        )
        command = self.m.commands.get(row.owner)
        named = named_parameters.named(self.m, command) if command else {}
        if handle in named and not holder.each:
            lookup = f'row_named(call, {named[handle]})'
        if readable:
            lookup = f'{" && ".join(readable)} ? {lookup} : NULL'
        (self.inner if holder.each else self.states)[name] = (
            f'const {facts.KINDS[x.handle].state} *const {name} = {lookup}'
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
        field = self.rows._members(row.owner)[each] if isinstance(each, str) else each.field
        return self.n.structure(field.type), field

    def _is_always_read(self, row, x, states=True):
        """Is each pointer on the way to a member one that is valid in every valid call? Where the
        specification has conditions for that, the interpreter looks at these first. `states`: those
        of a pipeline count where a guard of the row says that they are read."""
        members = self.rows._members(row.owner)
        way = (
            [members[x.each]]
            if isinstance(x.each, str) and (row.owner, x.each) not in ignored.READ_WHERE
            else []
        )
        if isinstance(x.each, s.Member):
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
        read = self._read(row) if states else []
        of_states = row.owner == 'VkGraphicsPipelineCreateInfo'
        return all(
            ignored_by_pipelines.READ.get(y.name) in read
            if of_states and y.name in ignored_by_pipelines.READ
            else not y.noAutoValidity
            and not (of_states and y.name.endswith('State') and y.name != 'pDynamicState')
            for y in way
        )

    def _read(self, row):
        """Names of the states of a graphics pipeline that a guard says are read: its Term stands
        before all others."""
        if row.owner != 'VkGraphicsPipelineCreateInfo' or self.rows.needs_chain(row.sentence):
            return []
        return [
            c.atoms[0].name
            for c in row.sentence.guards
            if len(c.atoms) == 1 and isinstance(c.atoms[0], s.Read)
        ][:1]

    def _in_union(self, row, x):
        if isinstance(x.each, s.Elements):
            return False  # the guards say which member is in use
        members = self.rows._members(row.owner)
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

    @staticmethod
    def _common(left, right, a, b):
        """Both sides as one type that holds either."""
        if a in ('F32', 'F64') or b in ('F32', 'F64'):
            return f'(double){left}', right if re.fullmatch(
                r'-?[\d.]+', right
            ) else f'(double){right}'
        signed = [x in ('I32', 'I64') for x in (a, b)]
        if 'NUMBER' in (a, b) or signed[0] == signed[1]:
            return left, right
        if 'U64' in (a, b):
            raise Unknown
        return f'(int64_t){left}', f'(int64_t){right}'

    # --- atoms ------------------------------------------------------------------------------------

    def _compare(self, row, atom, holds):
        left, a, readable, fields = self._value(row, atom.subject)
        right, b, more, others = self._value(row, atom.operand)
        fields = {
            'device': bool(fields.get('device') or others.get('device')),
            'rank': max(fields.get('rank', 0), others.get('rank', 0), 1),
        }
        operator = atom.operator
        if operator == 'multiple':
            left = (
                f'(uintptr_t){left}'
                if getattr(getattr(atom.subject, 'field', None), 'read_as_number', False)
                else left
            )
            known = [right] if not re.fullmatch(r'\d+', right) else []
            test = f'{left} % {right} {"==" if holds else "!="} 0'
            return self._readable(readable + more) + [Term(' && '.join(known + [test]), **fields)]
        left, right = self._common(left, right, a, b)
        if 'F32' in (a, b) or 'F64' in (a, b):
            test = {
                '==': f'({left} >= {right} && {left} <= {right})',
                '!=': f'({left} < {right} || {left} > {right})',
            }.get(operator, f'({left} {operator} {right})')
            test = test if holds else f'!{test}'
        else:
            if not holds:
                operator = OPPOSITE[operator]
            if right == '0' and a not in ('I32', 'I64') and operator in ('<', '>='):
                raise Unknown
            if right == '0' and a not in ('I32', 'I64'):
                test = f'!{left}' if operator in ('==', '<=') else left
            else:
                test = f'{left} {operator} {right}'
        return self._readable(readable + more) + [Term(test, **fields)]

    @staticmethod
    def _readable(conditions):
        return [Term(c, -0.5) for c in conditions]

    def _bits(self, row, atom, holds):
        if isinstance(atom.subject, s.QueueFlags):
            return [
                Term(
                    f'{"" if holds else "!"}(dev->queue_flags & ({" | ".join(atom.constants)}))',
                    4,
                    True,
                )
            ]
        if atom.how == 'not all':
            return self._bits(row, s.Bits(atom.subject, atom.constants, 'all'), not holds)
        value, _, readable, _ = self._value(row, atom.subject)
        if atom.how == 'one':
            test = f'{value} && !({value} & ({value} - 1))'
            return self._readable(readable) + [Term(test if holds else f'!({test})', 1)]
        names = [c for c in atom.constants if c]
        mask = ' | '.join(names)
        grouped = f'({mask})' if len(names) > 1 else mask
        some = atom.how == 'any' and holds or atom.how == 'none' and not holds
        if some or (atom.how == 'all' and holds and len(names) == 1):
            return self._readable(readable) + [Term(f'{value} & {grouped}', 0, mask=(value, mask))]
        if atom.how == 'all':
            test = f'({value} & {grouped}) {"==" if holds else "!="} {grouped}'
            return self._readable(readable) + [Term(test, 0, mask=(value, mask) if holds else None)]
        if atom.how == 'only':
            return self._readable(readable) + [
                Term(
                    f'!({value} & ~(uint64_t){grouped})'
                    if holds
                    else f'{value} & ~(uint64_t){grouped}',
                    1,
                )
            ]
        return self._readable(readable) + [Term(f'!({value} & {grouped})', 1)]

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
        if isinstance(atom, s.Read) and holds and atom.name in self._read(row):
            return [Term(f'pipeline_reads(c, {atom.name})', -1)]
        if isinstance(atom, (s.Extension, s.Named, s.Read)) and (
            self.rows.of_creation(row.owner) or not isinstance(atom, s.Extension)
        ):
            raise Unknown
        if isinstance(atom, s.Extension):
            if atom.positive == holds or atom.named:
                return [
                    Term(
                        (
                            f'{"" if atom.positive == holds else "!"}extension_set_has(&dev->named_extensions, '
                            f'EXTENSION_{atom.name})'
                        ),
                        3,
                        True,
                    )
                ]
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
                return [
                    Term(f'row_section({call}, {self.rows.fact_of(atom.subject)}) == {wanted}', 4)
                ]
            value, _, readable, _ = self._value(row, atom.subject)
            return self._readable(readable) + [
                Term(f'!{value}' if atom.positive == holds else value, 1)
            ]
        if isinstance(atom, s.FormatIs):
            value, _, readable, _ = self._value(row, atom.subject)
            wanted = 'ROW_YES' if atom.positive == holds else 'ROW_NO'
            return self._readable(readable) + [
                Term(f'row_format_is((uint64_t){value}, ROW_FORMAT_{atom.kind}) == {wanted}', 3)
            ]
        if isinstance(atom, s.FormatTraits):
            names = [f'FORMAT_IS_{k}' for k in atom.kinds]
            if isinstance(atom.subject, s.Fact) and atom.subject.handle == 'VkImage':
                state = self._state(row, atom.subject)
                kinds, known = f'{state}->format_kinds', [Term(state, -0.5)]
            else:
                value, _, readable, _ = self._value(row, atom.subject)
                kinds, known = f'format_kinds({value})', self._readable(readable)
            mask = f'({" | ".join(names)})' if len(names) > 1 else names[0]
            return known + [
                Term(f'{kinds} & {mask}' if atom.positive == holds else f'!({kinds} & {mask})', 2)
            ]
        if isinstance(atom, s.ValidPointer):
            value, _, readable, _ = self._value(row, atom.subject)
            return self._readable(readable) + [
                Term(f'{"!" if holds else ""}pointer_is_bad({value})', 1)
            ]
        if isinstance(atom, s.HasPrimitives) or isinstance(
            getattr(atom, 'subject', None), (s.Count, s.Index)
        ):
            raise Unknown
        if isinstance(atom, (s.AddressUsage, s.AddressFlags)):
            value, _, readable, _ = self._value(row, atom.subject)
            call = 'call' if row.owner in self.m.commands else 'c->call'
            kind = (
                'ROW_ADDRESS_FLAGS'
                if isinstance(atom, s.AddressFlags)
                else 'ROW_ADDRESS_VALID'
                if atom.valid
                else 'ROW_ADDRESS_USAGE'
            )
            mask, answer = (
                ' | '.join(atom.constants) or '0',
                'ROW_YES' if atom.positive == holds else 'ROW_NO',
            )
            return [
                Term(
                    ' && '.join(
                        readable + [f'row_ask_address({call}, {value}, {mask}, {kind}) == {answer}']
                    ),
                    5,
                )
            ]
        if isinstance(atom, s.PowerOfTwo):
            return self._bits(row, s.Bits(atom.subject, [], 'one'), holds)
        if isinstance(atom, s.Compare):
            return self._compare(row, atom, holds)
        if (
            isinstance(atom, s.Among)
            and not atom.positive
            and not holds
            and self._is_states(row, atom.subject)
        ):
            return [
                self._either([[self._pipeline(s.Dynamic(c, True), True)] for c in atom.constants])[
                    0
                ]
            ]
        if isinstance(atom, s.Among):
            value, _, readable, _ = self._value(row, atom.subject)
            names = [c for c in atom.constants if c]
            if atom.positive == holds:
                test = ' || '.join(f'{value} == {c}' for c in names)
                test = f'({test})' if len(names) > 1 else test
            else:
                test = ' && '.join(f'{value} != {c}' for c in names)
            return self._readable(readable) + [Term(test, 1)]
        if isinstance(atom, s.Bound) and atom.handle in BOUND:
            state = self._state(row, atom)
            return [
                Term(state, -0.5),
                Term(f'{"" if holds else "!"}{BOUND[atom.handle]}({state})', 3),
            ]
        if isinstance(atom, s.Bound):
            handle, _, readable, _ = self._value(row, atom.subject)
            lies = f'ROW_LIES({self.m.handle_constant(atom.handle)}, ROW_MEMORY_{atom.how})'
            answer = f'row_ask_bound({self._call(row)}, (uint64_t)(uintptr_t){handle}, {lies})'
            return self._readable(readable) + [
                Term(f'{answer} == {"ROW_YES" if holds else "ROW_NO"}', 5)
            ]
        if isinstance(atom, s.Bits):
            return self._bits(row, atom, holds)
        if (
            isinstance(atom, s.BitsOfLimit)
            and atom.how == 'within'
            and not (isinstance(atom.operand, s.Fact) and atom.operand.handle == 'VkDevice')
        ):
            (value, _, readable, fields), (limit, _, more, others) = (
                self._value(row, atom.subject),
                self._value(row, atom.operand),
            )
            device = bool(fields.get('device') or others.get('device'))
            return self._readable(readable + more) + [
                Term(f'!({value} & ~{limit})' if holds else f'{value} & ~{limit}', 2, device)
            ]
        raise Unknown

    @staticmethod
    def _is_states(row, x):
        """Is it an element of a graphics pipeline's pDynamicStates?"""
        return (
            row.owner == 'VkGraphicsPipelineCreateInfo'
            and isinstance(x, s.Member)
            and isinstance(x.each, s.Member)
            and x.each.path == ('pDynamicState', 'pDynamicStates')
        )

    def _pipeline(self, atom, holds):
        """Of the graphics pipeline whose visit it is: the check is the first member of a
        graphics_check."""
        negated = '' if holds else '!'
        if isinstance(atom, s.Dynamic):
            return Term(
                f'{negated}pipeline_makes_dynamic(c, {self.rows.dynamic_state(atom.state)})', 3
            )
        return Term(f'{negated}(pipeline_parts(c) & ({" | ".join(atom.parts)}))', 2)

    def _some(self, row, atom, holds):
        """Stages are found by their bits."""
        inner = atom.inner
        if (
            row.owner != 'VkGraphicsPipelineCreateInfo'
            or atom.each != 'pStages'
            or not inner.positive
            or inner.subject.path != ('stage',)
        ):
            raise Unknown
        return Term(
            f'{"" if holds else "!"}(pipeline_stages(c) & ({" | ".join(inner.constants)}))', 2
        )

    # --- rows -------------------------------------------------------------------------------------

    @staticmethod
    def _either(alternatives):
        """One Term that is true where all terms of one alternative are."""
        if len(alternatives) == 1:
            return alternatives[0]
        texts = [both(a) for a in alternatives]
        texts = [f'({t})' if '&&' in t or ' & ' in t else t for t in texts]
        return [
            Term(
                f'({" || ".join(texts)})',
                max(t.rank for a in alternatives for t in a),
                any(t.device for a in alternatives for t in a),
            )
        ]

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
        return sorted(terms, key=lambda t: t.rank)

    def _heads(self, row):
        """Chains of structures that pointers lead to, of which a guard needs one."""
        terms = []
        for clause in row.sentence.guards + row.sentence.must:
            heads = [
                x.head if isinstance(x, s.Member) else None
                for x in (getattr(a, 'subject', None) for a in clause.atoms)
            ]
            if heads and all(heads):
                try:
                    value, _, readable, _ = self._value(row, heads[0])
                except Unknown:
                    continue
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
        if isinstance(each, s.Elements):
            outer = self.rows._members(row.owner)[each.outer] if each.outer else None
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
                pointer, _, readable, _ = self._value(row, each)
            except Unknown:
                return None
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
