"""A numbered statement's sentence as data: which conditions guard it, and what must hold then.

    If the sparseBinding feature is not enabled, flags must not contain VK_BUFFER_CREATE_SPARSE_BINDING_BIT

becomes Sentence(guards=[Any([Feature('FEATURE_sparseBinding', False)])],
                 must=[Any([Bits(Member('flags'), ['VK_BUFFER_CREATE_SPARSE_BINDING_BIT'], 'none')])]).

The grammar is strict. Every noun resolves in the registry (a member of the structure or command that the statement
belongs to, a structure of its pNext chain, a constant, a feature, an extension, a limit), every word has its place,
and a sentence that can be read in two ways is not read at all. `parse()` then returns None.
"""

import functools
import re

import feature_tables

# --- what a sentence is made of ------------------------------------------------------------------------------------


class Member:
    """A value in the structure (or among the parameters) that the statement belongs to, or in one of its pNext chain.

    chain  name of the chained structure that has it, or None
    each   name of the array, of whose elements each is meant, or None
    path   names of the members that lead to it, each inside the one before; `arrows` has the indices of those that
           are pointers to what follows
    field  the registry's Member or Param of the last one"""

    def __init__(self, path, field, chain=None, each=None, arrows=()):
        self.path, self.field, self.chain, self.each, self.arrows = tuple(path), field, chain, each, tuple(arrows)

    def __repr__(self):
        return (f'{self.chain}::' if self.chain else '') + (f'{self.each}[].' if self.each else '') + '.'.join(self.path)


class Limit:
    """A member of VkPhysicalDeviceLimits, or of another structure of a device's properties."""

    def __init__(self, structure, path, field):
        self.structure, self.path, self.field = structure, path, field

    def __repr__(self):
        return f'{self.structure}::{self.path}'


class Number:
    """A constant: a number, or one that the registry names. `text` is how the sentence spells it."""

    def __init__(self, text, value):
        self.text, self.value = text, value

    def __repr__(self):
        return self.text


class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __repr__(self):
        return f'{self.left} + {self.right}'


# Atoms: each is true or false of a call. `subject` of the first three is a Member.


class Compare:
    """`operator`: == != < <= > >= or `multiple`."""

    def __init__(self, subject, operator, operand):
        self.subject, self.operator, self.operand = subject, operator, operand

    def __repr__(self):
        return f'({self.subject} {self.operator} {self.operand})'


class Among:
    """The subject is one of the constants, or (positive False) none of them."""

    def __init__(self, subject, constants, positive):
        self.subject, self.constants, self.positive = subject, constants, positive

    def __repr__(self):
        return f'({self.subject} {"in" if self.positive else "not in"} {self.constants})'


class Bits:
    """`how`: the subject has 'any', 'all' or 'none' of the bits, 'only' these, or exactly 'one' bit whatever it is."""

    def __init__(self, subject, constants, how):
        self.subject, self.constants, self.how = subject, constants, how

    def __repr__(self):
        return f'({self.subject} has {self.how} of {self.constants})'


class Null:
    """The subject, a pointer or handle, is NULL, or (positive False) it is not."""

    def __init__(self, subject, positive):
        self.subject, self.positive = subject, positive

    def __repr__(self):
        return f'({self.subject} {"is" if self.positive else "is not"} NULL)'


class PowerOfTwo:
    def __init__(self, subject):
        self.subject = subject

    def __repr__(self):
        return f'({self.subject} is a power of two)'


class Chained:
    """The pNext chain has a structure of that name, or (positive False) it does not."""

    def __init__(self, structure, positive):
        self.structure, self.positive = structure, positive

    def __repr__(self):
        return f'({"has" if self.positive else "lacks"} {self.structure})'


class Feature:
    def __init__(self, constant, positive):
        self.constant, self.positive = constant, positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}{self.constant})'


class Extension:
    def __init__(self, name, positive):
        self.name, self.positive = name, positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}{self.name})'


class Any:
    """One of the atoms holds."""

    def __init__(self, atoms):
        self.atoms = list(atoms)

    def __repr__(self):
        return ' or '.join(map(repr, self.atoms))


class Sentence:
    """If each of `guards` holds, each of `must` must. Both are lists of Any."""

    def __init__(self, guards, must):
        self.guards, self.must = guards, must

    def atoms(self):
        return [a for clause in self.guards + self.must for a in clause.atoms]

    def __repr__(self):
        return f'{" and ".join(map(repr, self.guards)) or "always"} => {" and ".join(map(repr, self.must))}'


class NotUnderstood(Exception):
    pass


# --- the registry's nouns ------------------------------------------------------------------------------------------

INTEGERS = {'uint8_t', 'uint16_t', 'uint32_t', 'uint64_t', 'int8_t', 'int16_t', 'int32_t', 'int64_t', 'int', 'size_t',
            'VkDeviceSize', 'VkDeviceAddress', 'VkBool32', 'VkSampleMask', 'VkFlags', 'VkFlags64'}
# Names of features that the sentences spell otherwise.
MISSPELT = {'meshShaders': 'meshShader', 'taskShaders': 'taskShader'}


class Nouns:
    """What names mean, of one model of the registry."""

    def __init__(self, m):
        self.m = m
        self.struct_aliases = {a: n for n, s in m.structs.items() for a in s.aliases}
        self.features = {n: f for f in feature_tables.tables(m).features for n in f.names}
        self.constants = {}
        for enum in list(m.enums.values()):
            for field in enum.fields:
                for name in [field.name] + list(field.aliases):
                    self.constants[name] = (field.value, enum.name)
        for bits in m.bitmasks.values():
            for flag in bits.flags:
                for name in [flag.name] + list(flag.aliases):
                    self.constants[name] = (flag.value, bits.name)
        for name, constant in m.vk.constants.items():
            self.constants[name] = (constant.value, None)
        self.constants['VK_TRUE'], self.constants['VK_FALSE'] = (1, 'VkBool32'), (0, 'VkBool32')
        self.property_structs = {n for n, s in m.structs.items() if 'VkPhysicalDeviceProperties2' in s.extends}
        self.bits_of_flags = {}
        for name, flags in m.flags.items():
            for alias in [name] + list(flags.aliases):
                self.bits_of_flags[alias] = m.bitmask_aliases.get(flags.bitmaskName, flags.bitmaskName)

    def structure(self, name):
        name = self.struct_aliases.get(name, name)
        return self.m.structs.get(name)

    def value_type(self, type_name):
        """The enumeration or set of bits that a member's type has its values from, or None."""
        type_name = self.bits_of_flags.get(type_name, type_name)
        type_name = self.m.enum_aliases.get(type_name, type_name)
        return self.m.bitmask_aliases.get(type_name, type_name)

    def is_bits(self, field):
        return self.value_type(field.type) in self.m.bitmasks

    def is_enum(self, field):
        return self.value_type(field.type) in self.m.enums

    def is_pointer(self, field):
        return '*' in field.fullType

    def is_handle(self, field):
        return not self.is_pointer(field) and (field.type in self.m.handles or
                                               any(field.type in h.aliases for h in self.m.handles.values()))

    def is_number(self, field):
        return not self.is_pointer(field) and not field.fixedSizeArray and \
            (field.type in INTEGERS or field.type in ('float', 'double') or self.is_bits(field) or self.is_enum(field))


@functools.cache
def nouns(m):
    return Nouns(m)


# --- the grammar ---------------------------------------------------------------------------------------------------

NAME = r'[A-Za-z]\w*'
# A member as the sentences name it: `flags`, `extent.width`, `pStage->flags`, `VkFoo::bar`.
PLACE = rf'(?:Vk\w+::)?{NAME}(?:(?:\.|->){NAME})*'
CONSTANT = r'VK_[A-Z0-9]\w*'
CONSTANTS = rf'{CONSTANT}(?:(?:, or |, nor |, and |, | or | nor | and ){CONSTANT})*'
VALUE = rf'(?:{CONSTANT}|{PLACE}|\d+(?:\.\d+)?|zero|one)'

OPERATORS = {
    'less than or equal to': '<=', 'greater than or equal to': '>=', 'less than': '<', 'greater than': '>', 'equal to': '==',
    'the same value as': '==', 'the same as': '==', 'no less than': '>=', 'no greater than': '<=', 'at least': '>=', 'at most': '<=',
    'a multiple of': 'multiple', 'an integer multiple of': 'multiple', 'aligned to': 'multiple', 'not equal to': '!=',
    'not less than': '>=', 'not greater than': '<=', 'a non-zero multiple of': None,
}
OPERATOR = '|'.join(sorted((re.escape(o) for o in OPERATORS), key=len, reverse=True))
NEGATED = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}


class Parser:
    def __init__(self, m, owner):
        self.m, self.n = m, nouns(m)
        self.owner = m.commands.get(owner) or m.structs.get(owner)
        self.is_command = owner in m.commands
        self.members = {} if self.owner is None else \
            {x.name: x for x in (self.owner.params if self.is_command else self.owner.members)}
        self.it = None  # what "it" and "its" mean: the last member or chained structure that was named
        self.known = {}  # conditions that were read: text and `it` -> clauses (None: not understood), and `it` after it

    # --- members ---------------------------------------------------------------------------------------------------

    def place(self, text, scope=None):
        """A Member or Limit of this name. `scope`: of the structure of that name in the chain, or of an array's elements."""
        chain = each = None
        members = self.members
        if scope is not None:
            kind, name = scope
            structure = self.n.structure(name if kind == 'chain' else self.members[name].type)
            if structure is None:
                raise NotUnderstood(text)
            members = {x.name: x for x in structure.members}
            chain, each = (structure.name, None) if kind == 'chain' else (None, name)
        elif '::' in text:
            name, text = text.split('::')
            structure = self.n.structure(name)
            if structure is None:
                raise NotUnderstood(name)
            if structure.name in self.n.property_structs or structure.name == 'VkPhysicalDeviceLimits':
                return self.limit(structure, text)
            members = {x.name: x for x in structure.members}
            if structure is not self.owner:
                if not self.chains(structure):
                    raise NotUnderstood(name)
                chain = structure.name
        steps = re.findall(rf'(\.|->)?({NAME})', text)
        path, arrows, field = [], [], None
        for separator, name in steps:
            if field is not None:
                structure = self.n.structure(field.type)
                pointer = self.n.is_pointer(field)
                if structure is None or structure.union or (pointer and (field.length or field.fullType.count('*') > 1)) or field.fixedSizeArray:
                    raise NotUnderstood(text)
                if pointer:
                    arrows.append(len(path) - 1)
                members = {x.name: x for x in structure.members}
            field = members.get(name)
            if field is None or getattr(field, 'bitFieldWidth', None):
                raise NotUnderstood(text)
            path.append(name)
        return Member(path, field, chain, each, arrows)

    def chains(self, structure):
        return not self.is_command and self.owner is not None and structure.name in self.owner.extendedBy

    def limit(self, structure, text):
        fields = {x.name: x for x in structure.members}
        path = text.split('.')
        field = fields.get(path[0])
        if field is None or len(path) > 1 or not self.n.is_number(field):
            raise NotUnderstood(text)
        return Limit(structure.name, text, field)

    def bare_limit(self, text):
        """A limit that is named without its structure: only where one structure of properties has the name."""
        found = [s for s in sorted(self.n.property_structs | {'VkPhysicalDeviceLimits'}) if s in self.m.structs and
                 not re.match(r'VkPhysicalDeviceVulkan1\d+Properties', s) and any(x.name == text for x in self.m.structs[s].members)]
        if len(found) != 1 or not text.startswith(('max', 'min')):
            raise NotUnderstood(text)
        return self.limit(self.m.structs[found[0]], text)

    def value(self, text):
        """A Number, Member, Limit or Sum."""
        text = re.sub(r'^the (?:value of )?(?:the )?', '', text.strip())
        g = re.fullmatch(rf'sum of ({PLACE}) and ({PLACE})', text) or re.fullmatch(rf'({PLACE}) \+ ({PLACE})', text)
        if g:
            left, right = self.value(g[1]), self.value(g[2])
            for x in (left, right):
                if not isinstance(x, Member) or x.field.type not in INTEGERS or x.field.type.startswith('int'):
                    raise NotUnderstood(text)
            return Sum(left, right)
        if text in ('zero', 'one'):
            return Number(text, 0 if text == 'zero' else 1)
        if re.fullmatch(r'-?\d+', text):
            return Number(text, int(text))
        if re.fullmatch(r'-?\d+\.\d+', text):
            return Number(text, float(text))
        if text == 'NULL' or text == 'VK_NULL_HANDLE':
            raise NotUnderstood(text)
        if re.fullmatch(CONSTANT, text):
            if text not in self.n.constants:
                raise NotUnderstood(text)
            return Number(text, self.n.constants[text][0])
        g = re.fullmatch(rf'({NAME}) (?:member|limit)(?: of (Vk\w+))?', text)
        if g:
            text = f'{g[2]}::{g[1]}' if g[2] else g[1]
        if not re.fullmatch(PLACE, text):
            raise NotUnderstood(text)
        try:
            found = self.place(text)
        except NotUnderstood:
            if re.fullmatch(NAME, text):
                return self.bare_limit(text)
            raise
        return found

    def constants(self, text, subject):
        """The constants of a list, as the sentence spells them. All must be values of the subject's type; those of platforms
        that this model leaves out are None."""
        names = re.findall(CONSTANT, text)
        kind = self.n.value_type(subject.field.type)
        out = []
        for name in names:
            known = self.n.constants.get(name)
            if known is None:
                out.append(None)
            elif known[1] is not None and kind != known[1] and not (kind == 'VkBool32'):
                raise NotUnderstood(f'{name} is not a {kind}')
            elif kind == 'VkBool32' and known[1] != 'VkBool32':
                raise NotUnderstood(name)
            else:
                out.append(name)
        return out

    # --- subjects --------------------------------------------------------------------------------------------------

    def subjects(self, text):
        """The members that a noun phrase means: usually one. All of them, each by itself."""
        text = text.strip()
        g = re.fullmatch(r'(?:both |each of |all of )?(.+?)(?:, and | and )(.+)', text)
        if g and not re.search(r'sum of', text):
            names = re.split(r', ', g[1]) + [g[2]]
            prefix = None
            if all(re.fullmatch(PLACE, x) for x in names):
                return [self.subject(x) for x in names]
            h = re.fullmatch(rf'the ({NAME}(?:(?:,)? {NAME})*) and ({NAME}) members of (.+)', text)
            if h:
                return [self.subject(f'the {x} member of {h[3]}') for x in re.findall(NAME, h[1]) + [h[2]]]
            raise NotUnderstood(text)
        return [self.subject(text)]

    def subject(self, text):
        text = text.strip()
        text = re.sub(r'^[Tt]he value of ', '', text)
        if text == 'it':
            if not isinstance(self.it, Member):
                raise NotUnderstood(text)
            return self.it
        if re.fullmatch(PLACE, text):
            return self._note(self._member(self.place(text)))
        g = re.fullmatch(rf'[Ii]ts ({NAME})(?: member)?', text) or re.fullmatch(rf'the ({NAME}) member of that structure', text)
        if g and isinstance(self.it, tuple):
            return self._member(self.place(g[1], self.it))
        g = re.fullmatch(rf'[Tt]he ({PLACE}) (?:member|parameter)(?: of ({PLACE}))?', text)
        if g:
            if g[2]:
                if g[2].startswith('Vk'):
                    return self._note(self._member(self.place(f'{g[2]}::{g[1]}')))
                holder = self._member(self.place(g[2]))
                joint = '->' if self.n.is_pointer(holder.field) else '.'
                return self._note(self._member(self.place(f'{g[2]}{joint}{g[1]}')))
            return self._note(self._member(self.place(g[1])))
        g = re.fullmatch(rf'[Tt]he ({NAME}) member of (?:the|a) (Vk\w+) structure (?:included )?in the pNext chain', text)
        if g:
            structure = self.n.structure(g[2])
            if structure is None or not self.chains(structure):
                raise NotUnderstood(text)
            return self._member(self.place(g[1], ('chain', structure.name)))
        g = re.fullmatch(rf'(?:[Ee]ach|[Ee]very|[Aa]ny|[Aa]ll)? ?(?:element|elements|members|member|value|values)? ?(?:of|in) (?:the )?({NAME})(?: array)?', text)
        if g and re.match(r'[Ee]ach element|[Aa]ll elements|[Ee]very element|[Ee]ach member|[Ee]ach value', text):
            return self._element(g[1], None)
        g = re.fullmatch(rf'[Tt]he ({PLACE}) member of (?:each|every|all) elements? of (?:the )?({NAME})(?: array)?', text)
        if g:
            return self._element(g[2], g[1])
        raise NotUnderstood(text)

    def _note(self, member):
        self.it = member
        return member

    def _member(self, found):
        if not isinstance(found, Member):
            raise NotUnderstood(str(found))
        return found

    def _element(self, array, member):
        holder = None
        if not re.fullmatch(NAME, array):
            holder = self._member(self.place(array))
            if holder.chain or holder.each or member is not None:
                raise NotUnderstood(array)
            structure = self.n.structure(self._holder_type(holder))
            siblings = {x.name: x for x in structure.members}
            field = holder.field
            if not self.n.is_pointer(field) or not field.length or field.fullType.count('*') != 1 or field.length not in siblings:
                raise NotUnderstood(array)
            element = type('Element', (), dict(type=field.type, fullType=field.type, name=field.name, fixedSizeArray=[], length=None))
            return Member((), element, None, holder)
        field = self.members.get(array)
        if field is None or not self.n.is_pointer(field) or not field.length or field.fullType.count('*') != 1 or \
                field.length.split(',')[0] not in self.members or self.n.is_pointer(self.members[field.length.split(',')[0]]):
            raise NotUnderstood(array)
        if member is not None:
            return self._member(self.place(member, ('each', array)))
        element = type('Element', (), dict(type=field.type, fullType=field.type, name=array, fixedSizeArray=[], length=None))
        return Member((), element, None, array)

    def _holder_type(self, member):
        """The structure that a Member's last step lies in."""
        members = self.members
        for name in member.path[:-1]:
            structure = self.n.structure(members[name].type)
            members = {x.name: x for x in structure.members}
        if len(member.path) < 2:
            raise NotUnderstood(str(member))
        return structure.name

    # --- atoms -----------------------------------------------------------------------------------------------------

    def feature(self, text):
        name = text.rsplit('::', 1)
        member = MISSPELT.get(name[-1], name[-1])
        constant = f'FEATURE_{name[0].removeprefix("VkPhysicalDevice")}_{member}' if len(name) == 2 else f'FEATURE_{member}'
        if constant not in self.n.features:
            raise NotUnderstood(text)
        return constant

    def atom(self, text):
        """The atoms of one clause, of which one must hold: a list."""
        text = text.strip()
        for pattern, method in ATOMS:
            g = pattern.fullmatch(text)
            if g:
                return getattr(self, method)(g)
        raise NotUnderstood(text)

    def on_features(self, g):
        positive = not g.groupdict().get('no')
        names = re.findall(r'(?:Vk\w+::)?\w+', re.sub(r'\b(?:or|nor|and|the|features?|either|of|at|least|one|following)\b', ' ', g['names']))
        found = [Extension(n, positive) if n.startswith('VK_') else Feature(self.feature(n), positive) for n in names]
        for atom in found:
            if isinstance(atom, Extension) and atom.name not in self.m.extensions:
                raise NotUnderstood(atom.name)
        if len(found) > 1 and not positive:
            raise NotUnderstood('a list of what is not enabled is not an atom')
        return found

    def on_among(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_number(subject.field):
            raise NotUnderstood(g['subject'])
        positive = not g['no']
        if self.n.is_bits(subject.field) and self.n.value_type(subject.field.type) != subject.field.type and \
                subject.field.type in self.n.bits_of_flags and len(re.findall(CONSTANT, g['values'])) != 1:
            raise NotUnderstood('flags that are one of several values')
        return [Among(subject, self.constants(g['values'], subject), positive)]

    def on_bits(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_bits(subject.field) or self.n.is_pointer(subject.field):
            raise NotUnderstood(g['subject'])
        values = g['values']
        constants = self.constants(values, subject)
        many = len(constants) > 1
        if g['no']:
            if ' and ' in values and many and ' or ' not in values and 'any of' not in g[0]:
                raise NotUnderstood('not both, or none of them?')
            return [Bits(subject, constants, 'none')]
        if many and ' and ' in values and ' or ' not in values:
            return [Bits(subject, constants, 'all')]
        return [Bits(subject, constants, 'any')]

    def on_null(self, g):
        subject = self.subject(g['subject'])
        if not (self.n.is_pointer(subject.field) or self.n.is_handle(subject.field) or subject.field.type.startswith('PFN_')):
            raise NotUnderstood(g['subject'])
        return [Null(subject, not g['no'])]

    def on_compare(self, g):
        operator = OPERATORS[g['operator']]
        if g['no']:
            operator = NEGATED.get(operator)
        if operator is None:
            raise NotUnderstood(g[0])
        subject = self.value(g['subject']) if '+' in g['subject'] or 'sum of' in g['subject'] else self.subject(g['subject'])
        return [self._compare(subject, operator, self.value(g['value']))]

    def _compare(self, subject, operator, operand):
        for x in (subject, operand):
            if isinstance(x, Member) and not self.n.is_number(x.field):
                raise NotUnderstood(str(x))
            if isinstance(x, Limit) and operator in ('==', '!='):
                raise NotUnderstood(str(x))
        if isinstance(subject, Member) and isinstance(operand, Number) and operand.text.startswith('VK_'):
            kind = self.n.constants[operand.text][1]
            if kind is not None and self.n.value_type(subject.field.type) != kind:
                raise NotUnderstood(operand.text)
        return Compare(subject, operator, operand)

    def on_is_number(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_number(subject.field):
            raise NotUnderstood(g['subject'])
        return [self._compare(subject, '!=' if g['no'] else '==', self.value(g['value']))]

    def on_is_member(self, g):
        return self.on_is_number(g)

    def on_power(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type not in INTEGERS:
            raise NotUnderstood(g['subject'])
        return [PowerOfTwo(subject)]

    def on_one_bit(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_bits(subject.field):
            raise NotUnderstood(g['subject'])
        return [Bits(subject, [], 'one')]

    def on_chained(self, g):
        structure = self.n.structure(g['structure'])
        if structure is None or not self.chains(structure):
            raise NotUnderstood(g['structure'])
        self.it = ('chain', structure.name)
        return [Chained(structure.name, not g['no'])]

    # --- clauses ---------------------------------------------------------------------------------------------------

    def chained_with(self, text):
        """`the pNext chain includes a VkFoo structure with its bar member set to VK_X`: two clauses."""
        g = re.fullmatch(rf'(?:the|its) pNext chain includes an? (Vk\w+) structure (?:with|whose|where) (?:its )?(?:the )?({NAME})(?: member)? '
                         rf'(?:set to|equal to|is|includes|contains|including) (.+)', text)
        if not g:
            return None
        verb = 'includes' if re.search(rf'{g[2]}(?: member)? (?:includes|contains|including) ', text) else 'is'
        atoms = self.on_chained({'structure': g[1], 'no': None})
        return [Any(atoms)] + self.condition(f'its {g[2]} member {verb} {g[3]}')

    def condition(self, text):
        """The clauses of `If <text>`: all must hold."""
        key = text, repr(self.it)
        if key not in self.known:
            try:
                self.known[key] = self._condition(text), self.it
            except NotUnderstood:
                self.known[key] = None, self.it
        clauses, self.it = self.known[key]
        if clauses is None:
            raise NotUnderstood(text)
        return clauses

    def _condition(self, text):
        text = text.strip()
        g = re.fullmatch(r'(?:and )?(?:if )?(.*)', text)
        text = g[1]
        with_member = self.chained_with(text)
        if with_member is not None:
            return with_member
        it = self.it
        g = re.fullmatch(r'neither (?:of )?(.+?) (?:is|are) enabled', text)
        if g:
            atoms = self.on_features(dict_match({'names': g[1], 'no': None}))
            return [Any([type(a)(a.constant if isinstance(a, Feature) else a.name, False)]) for a in atoms]
        try:
            return [Any(self.atom(text))]
        except NotUnderstood:
            self.it = it
        readings = []
        for connective, is_and in ((', and ', True), (' and ', True), (', ', True), (', or ', False), (' or ', False)):
            at = text.find(connective)
            while at >= 0:
                left, right = text[:at], text[at + len(connective):]
                try:
                    a = self.condition(left)
                    b = self.condition(right)
                    if is_and:
                        readings.append((True, a + b))
                    elif len(a) == 1 and len(b) == 1:
                        readings.append((False, [Any(a[0].atoms + b[0].atoms)]))
                except NotUnderstood:
                    pass
                self.it = it if not readings else self.it
                at = text.find(connective, at + 1)
        if not readings or len({kind for kind, _ in readings}) > 1:
            raise NotUnderstood(text)
        if any(len(c.atoms) > 1 and ' or ' in text for _, clauses in readings for c in clauses) and \
                readings[0][0] and self._mixed(readings[0][1]):
            raise NotUnderstood(f'and or or: {text}')
        shapes = {repr(clauses) for _, clauses in readings}
        if len(shapes) > 1:
            raise NotUnderstood(f'two readings: {text}')
        return readings[0][1]

    @staticmethod
    def _mixed(clauses):
        """Is one of several clauses an alternative of different things? "A and B or C" can be read in two ways."""
        return len(clauses) > 1 and any(len(c.atoms) > 1 and not all(isinstance(a, (Feature, Extension)) for a in c.atoms) for c in clauses)

    def statement(self, text, guards):
        """A Sentence of `[If <condition>, ]... <subject> must <predicate>`."""
        if re.match(r'(?:and )?[Ii]f ', text):
            body = re.sub(r'^(?:and )?[Ii]f ', '', text)
            found = []
            for separator in (', then ', ', ', ' then '):
                at = body.find(separator)
                while at >= 0:
                    it = self.it
                    try:
                        clauses = self.condition(body[:at])
                        found.append(self.statement(body[at + len(separator):], guards + clauses))
                    except NotUnderstood:
                        pass
                    self.it = it
                    at = body.find(separator, at + 1)
            if not found:
                raise NotUnderstood(text)
            if len({repr(s) for s in found}) > 1:
                raise NotUnderstood(f'two readings: {text}')
            return found[0]
        return Sentence(guards, self.must(text))

    def must(self, text):
        """The clauses of `<subject> must <predicate>`."""
        for pattern, method in MUSTS:
            g = pattern.fullmatch(text)
            if g:
                try:
                    return getattr(self, method)(g)
                except NotUnderstood:
                    continue
        raise NotUnderstood(text)

    def must_enable(self, g):
        names = re.sub(r'^either (.*?)(?: or both)?$', r'\1', g['names'])
        if re.search(r'\band\b', names):
            raise NotUnderstood(names)
        return [Any(self.on_features(dict_match({'names': names, 'no': None})))]

    def must_be_true(self, g):
        """One of a list of conditions, of which each is about features or extensions."""
        atoms = []
        for item in g['list'].split(' - '):
            clauses = self.condition(normal(item))
            if len(clauses) != 1 or not all(isinstance(a, (Feature, Extension)) for a in clauses[0].atoms):
                raise NotUnderstood(item)
            atoms += clauses[0].atoms
        return [Any(atoms)]

    def must_each(self, g):
        subjects = self.subjects(g['subject'])
        if '.' in g['predicate'] and re.search(r'\. [A-Z]', g['predicate']):
            raise NotUnderstood(g['predicate'])
        clauses = []
        for subject in subjects:
            clauses += self.predicate(subject, g['predicate'].strip(), bool(g['no']))
        if g['no'] and g['both']:  # "must not both be": it is enough that one of them is not
            if len(subjects) != 2 or len(clauses) != 2:
                raise NotUnderstood(g[0])
            return [Any(clauses[0].atoms + clauses[1].atoms)]
        return clauses

    def must_chain(self, g):
        return [Any(self.on_chained(g))]

    def must_sum(self, g):
        left = self.value(g['subject'])
        return [Any([self._compare(left, OPERATORS[g['operator']], self.value(g['value']))])]

    def must_lack(self, g):
        h = re.fullmatch(rf'(?:the )?({NAME})(?: member of ({PLACE}))?', g['array'])
        subject = self._element(f'{h[2]}->{h[1]}' if h[2] else h[1], None)
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    def must_set(self, g):
        where = g['of'] or g['subject']
        if not where or (g['of'] and g['subject']):
            raise NotUnderstood(g[0])
        return self.predicate(self.subject(where), f'include {g["values"]}', bool(g['no']))

    def predicate(self, subject, text, no):
        """What `<subject> must [not] <text>` asks, as clauses."""
        g = re.fullmatch(r'(.+?),? and (?:it )?must (not )?(.+)', text)
        if g:
            return self.predicate(subject, g[1], no) + self.predicate(subject, g[3], bool(g[2]))
        number = self.n.is_number(subject.field)
        g = re.fullmatch(rf'be (?:either |one of |set to |equal to )?({CONSTANTS})', text)
        if g and number:
            fake = dict_match({'subject': None, 'values': g[1], 'no': no})
            constants = self.constants(g[1], subject)
            is_flags = subject.field.type in self.n.bits_of_flags
            if is_flags and (len(constants) > 1 or no):
                raise NotUnderstood(text)
            if ' and ' in g[1] and len(constants) > 1:
                raise NotUnderstood(fake['values'])
            if not no and None in constants:
                raise NotUnderstood('a value that this model lacks')
            return [Any([Among(subject, constants, not no)])]
        g = re.fullmatch(rf'(?:include|contain|have|be|specify) (?:any of |either |at least one of |the |both )?(?:the )?(?:following )?({CONSTANTS})(?: bits?| flags?)?(?: set)?', text)
        if g and self.n.is_bits(subject.field) and not text.startswith('be '):
            constants = self.constants(g[1], subject)
            many = len(constants) > 1
            conjunction = many and ' and ' in g[1] and ' or ' not in g[1]
            if no:
                if conjunction:
                    raise NotUnderstood('not both, or none?')
                return [Any([Bits(subject, constants, 'none')])]
            if None in constants:
                raise NotUnderstood('a bit that this model lacks')
            return [Any([Bits(subject, constants, 'all' if conjunction else 'any')])]
        if re.fullmatch(r'be (?:a valid pointer|NULL|VK_NULL_HANDLE)', text) and \
                (self.n.is_pointer(subject.field) or self.n.is_handle(subject.field)):
            if 'valid' in text:
                raise NotUnderstood(text)
            return [Any([Null(subject, not no)])]
        g = re.fullmatch(rf'be ({OPERATOR}) ({VALUE}(?: \+ {PLACE})?|the .+)', text) or re.fullmatch(rf'(equal) ({VALUE})', text)
        if g and number:
            operator = '==' if g[1] == 'equal' else OPERATORS[g[1]]
            if no:
                operator = NEGATED.get(operator)
            if operator is None:
                raise NotUnderstood(text)
            return [Any([self._compare(subject, operator, self.value(g[2]))])]
        g = re.fullmatch(r'be (?:(\d+) byte aligned|aligned to (\d+) bytes)', text)
        if g and number and not no:
            return [Any([self._compare(subject, 'multiple', self.value(g[1] or g[2]))])]
        g = re.fullmatch(r'be (?:a )?power of two(?: value)?', text)
        if g and not no and subject.field.type in INTEGERS:
            return [Any([PowerOfTwo(subject)])]
        g = re.fullmatch(rf'be (-?\d+(?:\.\d+)?|zero|one)', text)
        if g and number:
            return [Any([self._compare(subject, '!=' if no else '==', self.value(g[1]))])]
        g = re.fullmatch(rf'be between ({VALUE}) and ({VALUE}),? inclusive', text) or \
            re.fullmatch(rf'be in the range \[({VALUE}), ?({VALUE})\]', text)
        if g and number and not no:
            return [Any([self._compare(subject, '>=', self.value(g[1]))]), Any([self._compare(subject, '<=', self.value(g[2]))])]
        g = re.fullmatch(r'(?:have (?:exactly|only)|only have) (?:one|a single) bit set', text) or re.fullmatch(r'have a single bit set', text)
        if g and not no and self.n.is_bits(subject.field):
            return [Any([Bits(subject, [], 'one')])]
        g = re.fullmatch(rf'(?:include|contain) (?:any )?bits other than (?:the )?({CONSTANTS})', text) if no else \
            re.fullmatch(rf'(?:only )?(?:contain|include) (?:only )?(?:the )?({CONSTANTS})(?: bits?)?', text)
        if g and (no or 'only' in text) and self.n.is_bits(subject.field):
            constants = self.constants(g[1], subject)
            if None in constants:
                raise NotUnderstood(text)
            return [Any([Bits(subject, constants, 'only')])]
        raise NotUnderstood(text)


class dict_match(dict):
    """Groups as a match object gives them."""

    def groupdict(self):
        return self


def _pattern(text):
    return re.compile(text)


SUBJECT = r'(?P<subject>.+?)'
FEATURES = r'(?P<names>(?:the )?(?:[\w:]+)(?:(?:,? or (?:the )?|, )[\w:]+)*)'
ATOMS = [(_pattern(p), method) for p, method in (
    (rf'(?:the )?(?P<names>(?:Vk\w+::)?[A-Za-z]\w*) (?:feature|extension)? ?is (?P<no>not )?enabled', 'on_features'),
    (rf'(?P<names>(?:either )?(?:of )?(?:the )?[\w:]+(?:(?:,? or (?:the )?|, )[\w:]+)+) (?:features? |extensions? )?(?:is|are) enabled', 'on_features'),
    (rf'{SUBJECT} is (?P<no>not )?(?:equal to |either |one of |set to )?(?P<values>{CONSTANTS})', 'on_among'),
    (rf'{SUBJECT} (?:is equal to|equals) (?P<no>(?!))?(?P<values>{CONSTANTS})', 'on_among'),
    (rf'{SUBJECT} (?:(?P<no>does not) )?(?:includes?|contains?|has|have) (?:any of |either |at least one of |the |both )?(?:the )?(?P<values>{CONSTANTS})(?: bits?| flags?)?(?: set)?', 'on_bits'),
    (rf'{SUBJECT} is (?P<no>not )?(?:NULL|VK_NULL_HANDLE)', 'on_null'),
    (rf'{SUBJECT} is (?P<no>not )?(?P<operator>{OPERATOR}) (?P<value>{VALUE})', 'on_compare'),
    (rf'{SUBJECT} is (?P<no>not )?(?P<value>-?\d+(?:\.\d+)?|zero|one)', 'on_is_number'),
    (rf'(?:the|its) pNext chain (?:(?P<no>does not) )?(?:includes?|contains?) an? (?P<structure>Vk\w+)(?: structure)?', 'on_chained'),
    (rf'an? (?P<structure>Vk\w+) structure is (?P<no>not )?(?:included in|present in) the pNext chain', 'on_chained'),
)]
MUSTS = [(_pattern(p), method) for p, method in (
    (r'at least one of the following must be true: - (?P<list>.+)', 'must_be_true'),
    (rf'(?:at least one of )?(?:the )?(?P<names>.+?)(?: features?| extensions?)? must be enabled', 'must_enable'),
    (rf'there must be no element of (?P<array>(?:the )?{NAME}(?: member of {PLACE})?) set to (?P<values>{CONSTANTS})', 'must_lack'),
    (rf'(?:the |either the )?(?P<values>{CONSTANTS})(?: bit| flag)?(?: bit)?(?: of (?P<of>{PLACE}))? must (?P<no>not )?(?:also )?be set(?: in (?P<subject>{PLACE}))?', 'must_set'),
    (rf'(?:the|its) pNext chain must (?P<no>not )?(?:also )?(?:include|contain) an? (?P<structure>Vk\w+)(?: structure)?', 'must_chain'),
    (rf'(?:this|the) structure must (?P<no>not )?(?:include|contain) an? (?P<structure>Vk\w+) structure in its pNext chain', 'must_chain'),
    (rf'(?:[Tt]he )?(?P<subject>sum of {PLACE} and {PLACE}|{PLACE} \+ {PLACE}) must be (?P<operator>{OPERATOR}) (?P<value>.+)', 'must_sum'),
    (rf'{SUBJECT} must (?P<no>not )?(?P<both>both )?(?P<predicate>.+)', 'must_each'),
)]


def normal(text):
    text = text.strip().rstrip('.')
    text = text.replace('VkPhysicalDeviceLimits::', 'VkPhysicalDeviceLimits::')
    text = re.sub(r'’', "'", text)
    text = re.sub(r'^(The|Each|All|At least|Any|This|Both|Either|One of) ', lambda g: g[0][0].lower() + g[0][1:], text)
    text = re.sub(r'equal to or (less|greater) than', r'\1 than or equal to', text)
    return text


# The one form of sentence that may have a list.
LIST = re.compile(r'At least one of the following must be true: - ')


def parse(m, owner, text):
    """The Sentence of a statement of that structure or command, or None."""
    if owner not in m.commands and owner not in m.structs:
        return None
    if len(text) > 700 or (' - ' in text and not LIST.match(text)) or '\\(' in text:
        return None
    try:
        return Parser(m, owner).statement(normal(text), [])
    except NotUnderstood:
        return None
