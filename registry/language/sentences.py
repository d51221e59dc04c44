"""A numbered statement's sentence as data: which conditions guard it, and what must hold then.

    If the sparseBinding feature is not enabled, flags must not contain
    VK_BUFFER_CREATE_SPARSE_BINDING_BIT

becomes Sentence(guards=[Any([Feature('FEATURE_sparseBinding', False)])],
                 must=[Any([Bits(Member('flags'), ['VK_BUFFER_CREATE_SPARSE_BINDING_BIT'],
                 'none')])]).

The grammar is strict. Every noun resolves in the registry (a member of the structure or command
that the statement belongs to, a structure of its pNext chain, a constant, a feature, an extension,
a limit), every word has its place, and a sentence that can be read in two ways is not read at all.
`parse()` then returns None."""

import re

from language import form

# Other files know all of these as sentences.X.
from language.forms.addresses import AddressForms
from language.forms.addresses import normal as normal_addresses
from language.forms.copies import CopyForms
from language.forms.descriptors import DescriptorForms
from language.forms.geometries import GeometryForms, direct
from language.forms.pipelines import PipelineForms
from language.forms.pipelines import normal as normal_pipelines
from language.forms.queries import QueryForms
from language.forms.queries import normal as normal_queries
from language.forms.raytracing import RayTracingForms
from language.forms.recording import RecordingForms
from language.forms.rendering import RenderingForms
from language.forms.resources import ResourceForms, lists
from language.forms.resources import normal as normal_resources
from language.forms.vendor import VendorForms
from language.forms.vendor import normal as normal_vendor
from language.forms.video import VideoForms
from language.nouns import INTEGERS, MISSPELT, MISSPELT_PROPERTIES, nouns
from language.sentence import (
    NEGATED,
    AddressUsage,
    Among,
    Any,
    Bits,
    BitsOfLimit,
    Bound,
    Chained,
    Compare,
    Elements,
    Extension,
    Fact,
    Feature,
    Limit,
    Member,
    NotUnderstood,
    Null,
    Number,
    PowerOfTwo,
    QueueFlags,
    Sentence,
    members_of,
    negated,
)
from language.sentence_values import (
    CONSTANT,
    CONSTANTS,
    NAME,
    OPERATOR,
    OPERATORS,
    PLACE,
    SUBJECT,
    VALUE,
    Values,
)

FEATURES = r'(?P<names>(?:the )?(?:[\w:]+)(?:(?:,? or (?:the )?|, )[\w:]+)*)'
CREATED = r'(?:been )?created with(?P<without>out)? (?P<tail>.+)'
USAGES = rf'(?P<values>{CONSTANT})(?: usage)?(?: flag)?(?: bit)?(?: set)?'

# Each has methods that are forms (form.py).
FORMS = (
    ResourceForms,
    GeometryForms,
    RayTracingForms,
    RecordingForms,
    QueryForms,
    RenderingForms,
    PipelineForms,
    VideoForms,
    VendorForms,
    DescriptorForms,
    CopyForms,
    AddressForms,
)


def _distinct(classes):
    """The classes, of which no two may have a method of one name: one would take the other's
    place."""
    where = {}
    for forms in classes:
        for name in vars(forms):
            if (
                callable(getattr(forms, name))
                and not name.startswith('__')
                and where.setdefault(name, forms) is not forms
            ):
                raise TypeError(
                    f'{name} is a method of {where[name].__name__} and of {forms.__name__}'
                )
    return classes


class Parser(*_distinct((*FORMS, Values))):  # type: ignore[misc]
    subject_forms = form.forms_of(FORMS, 'subject')

    # --- atoms ------------------------------------------------------------------------------------

    def feature(self, text):
        name = text.rsplit('::', 1)
        member = MISSPELT.get(name[-1], name[-1])
        if len(name) == 2:
            name[0] = self.n.struct_aliases.get(name[0], name[0])
        constant = (
            f'FEATURE_{name[0].removeprefix("VkPhysicalDevice")}_{member}'
            if len(name) == 2
            else f'FEATURE_{member}'
        )
        if constant not in self.n.features:
            raise NotUnderstood(text)
        return constant

    def atom(self, text):
        """The atoms of one clause, of which one must hold: a list."""
        text = text.strip()
        for pattern, method in ATOMS:
            g = pattern.fullmatch(text)
            if g:
                it = self.it
                try:
                    return method(self, g)
                except NotUnderstood:
                    self.it = it
        raise NotUnderstood(text)

    @form.atom(rf'{SUBJECT} (?:was|were|has) (?P<no>not )?{CREATED}')
    def on_created(self, g):
        return [
            self.created_with(
                self.handle(g['subject']), g['tail'], not g['no'] and not g['without']
            )
        ]

    @form.atom(
        rf'the (?P<name>{NAME}) used to create (?P<holder>{PLACE}) (?:was|is) (?P<no>not '
        rf')?(?P<values>{CONSTANTS})'
    )
    def on_used_to_create(self, g):
        holder = self.handle(g['holder'])
        fact = self.fact_named(holder, g['name'])
        if not (self.n.is_number(fact.field) and self.n.is_enum(fact.field)):
            raise NotUnderstood(g[0])
        constants = self.constants(g['values'], fact)
        if None in constants:
            raise NotUnderstood(g[0])
        return [Among(fact, constants, not g['no'])]

    @form.atom(
        rf'(?:the )?(?P<name>(?:Vk\w+::)?{NAME})(?: property| limit)? is '
        rf'(?P<no>(?!))?(?P<value>VK_TRUE|VK_FALSE)'
    )
    @form.atom(
        rf'(?:the )?(?P<name>(?:Vk\w+::)?{NAME})(?: property| limit)? is (?P<no>not )?supported'
    )
    def on_property(self, g):
        """A property that is VK_TRUE or VK_FALSE."""
        name = g['name']
        if (
            '::' in name and g.groupdict().get('value') and 'Features' in name
        ):  # "VkPhysicalDeviceFooFeatures::bar is VK_FALSE"
            structure = self.n.structure(name.split('::')[0])
            if structure is not None and self.chains(structure):
                raise NotUnderstood(
                    name
                )  # a member of the chain, whatever else enables the feature
            return [Feature(self.feature(name), g['value'] == 'VK_TRUE')]
        limit = self.place(name) if '::' in name else self.bare_property(name)
        if not isinstance(limit, Limit) or limit.field.type != 'VkBool32':
            raise NotUnderstood(name)
        value = (g.groupdict().get('value') or ('VK_FALSE' if g['no'] else 'VK_TRUE')) == 'VK_TRUE'
        return [Compare(limit, '==', Number('VK_TRUE' if value else 'VK_FALSE', int(value)))]

    def bare_property(self, text):
        if text in self.members:
            raise NotUnderstood(text)
        text = MISSPELT_PROPERTIES.get(text, text)
        found = [
            n
            for n in sorted(self.n.property_structs | {'VkPhysicalDeviceLimits'})
            if n in self.m.structs
            and not re.match(r'VkPhysicalDeviceVulkan1\d+Properties', n)
            and any(x.name == text for x in self.m.structs[n].members)
        ]
        if len(found) != 1 or f'FEATURE_{text}' in self.n.features:
            raise NotUnderstood(text)
        return self.limit(self.m.structs[found[0]], text)

    @form.must(
        rf'[Ii]f (?P<subject>{PLACE}) is (?:not VK_NULL_HANDLE and is )?non-sparse then '
        rf'(?:it|the image or each specified disjoint plane) must be bound completely and '
        rf'contiguously to a single VkDeviceMemory object'
    )
    @form.must(
        rf'(?P<used>the buffer used to create )(?P<subject>{PLACE}) must (?:must )?be '
        rf'bound to device memory'
    )
    def must_be_bound(self, g):
        subject = self.handle(g['subject'])
        if self.handle_type(subject) not in (
            ('VkMicromapEXT',) if g.groupdict().get('used') else ('VkBuffer', 'VkImage')
        ):
            raise NotUnderstood(g[0])
        return [Any([Bound(subject, self.handle_type(subject))])]

    @form.must(r'at least one of the following must be true: - (?P<list>.+)')
    def must_be_true(self, g):
        """One of a list of conditions, of which each is about features or extensions."""
        atoms = []
        for item in g['list'].split(' - '):
            clauses = self.condition(normal(item))
            if len(clauses) != 1 or not all(
                isinstance(a, (Feature, Extension)) for a in clauses[0].atoms
            ):
                raise NotUnderstood(item)
            atoms += clauses[0].atoms
        return [Any(atoms)]

    @form.must(
        rf'{SUBJECT} must (?P<no>not )?be an? (?P<un>un)?protected (?P<what>buffer|'
        rf'image)(?P<view>(?!))?'
    )
    @form.must(
        rf'{SUBJECT} must (?P<no>not )?have been created from an? '
        rf'(?P<un>un)?(?P<view>)protected (?P<what>image)'
    )
    def must_be_protected(self, g):
        """ "a protected buffer" was created with VK_BUFFER_CREATE_PROTECTED_BIT, an image
        likewise."""
        holder = self.handle(g['subject'])
        handle = {'buffer': 'VkBuffer', 'image': 'VkImage'}[g['what']]
        fact = self.fact_of_constant(holder, f'VK_{g["what"].upper()}_CREATE_PROTECTED_BIT')
        if fact.handle != handle and not (
            g['view'] is not None and fact.handle == 'VkImageView' and handle == 'VkImage'
        ):
            raise NotUnderstood(g[0])
        positive = (g['un'] is None) != bool(g['no'])
        return [
            Any(
                [
                    Bits(
                        fact,
                        [f'VK_{g["what"].upper()}_CREATE_PROTECTED_BIT'],
                        'any' if positive else 'none',
                    )
                ]
            )
        ]

    @form.must(rf'{SUBJECT} must not be negative')
    def must_not_be_negative(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type not in ('int32_t', 'float'):
            raise NotUnderstood(g[0])
        return [Any([self._compare(subject, '>=', Number('0', 0))])]

    @form.must(
        rf'(?P<left>its {NAME} member) must (?:equal|be (?P<operator>{OPERATOR})) '
        rf'(?P<right>its {NAME} member)'
    )
    def must_equal_own(self, g):
        """`its a member must equal its b member`"""
        left, right = self.subject(g['left']), self.subject(g['right'])
        return [
            Any([self._compare(left, OPERATORS[g['operator']] if g['operator'] else '==', right)])
        ]

    @form.must(
        rf'(?P<places>{PLACE} and {PLACE}) must be (?:a )?device addresses allocated to '
        rf'the application from buffers created with the {USAGES}'
    )
    def must_addresses(self, g):
        places = g['places'].split(' and ')
        return [Any([self.address_usage(x, g['values'])]) for x in places]

    @form.must(
        rf'at least one buffer containing the total address range specified by the '
        rf'(?P<place>{NAME}) member of each element of (?P<array>{PLACE}) must have been '
        rf'created with (?P<values>{CONSTANT})'
    )
    def must_address_each(self, g):
        element = self._element(g['array'], g['place'] + '.address')
        if element.field.type != 'VkDeviceAddress' or self.n.constants.get(g['values'], (0, None))[
            1
        ] not in ('VkBufferUsageFlagBits', 'VkBufferUsageFlagBits2'):
            raise NotUnderstood(g[0])
        return [Any([AddressUsage(element, [g['values']])])]

    @form.atom(
        rf'the pNext chain of (?P<holder>(?!this structure){PLACE}) (?:(?P<no>does not) '
        rf')?(?:includes?|contains?) an? (?P<structure>Vk\w+)(?: structure)?'
    )
    def on_chained_of(self, g):
        """Another chain than the statement's own."""
        each = re.fullmatch(rf'(?:each|any) element of ({PLACE})', g['holder'])
        holder = self._element(each[1], None) if each else self.subject(g['holder'])
        if isinstance(holder, Fact) or (holder.field.length and not each):
            raise NotUnderstood(g['holder'])
        head, structure = self.n.structure(holder.field.type), self.n.structure(g['structure'])
        if (
            head is None
            or head.union
            or structure is None
            or structure.name not in head.extendedBy
            or holder.field.fullType.count('*') > 1
        ):
            raise NotUnderstood(g['structure'])
        if holder.chain or (holder.each and not each):
            raise NotUnderstood(g['holder'])
        self.it = None
        return [Chained(structure.name, not g['no'], holder)]

    @form.atom(
        r'(?:the )?(?P<names>(?:Vk\w+::)?[A-Za-z]\w*) (?:feature|extension)? ?is '
        r'(?P<no>not )?enabled'
    )
    @form.atom(
        r'(?P<names>(?:either )?(?:of )?(?:the )?[\w:]+(?:(?:,? or (?:the )?|, )[\w:]+)+) '
        r'(?:features? |extensions? )?(?:is|are) enabled'
    )
    def on_features(self, g):
        positive = not g.groupdict().get('no')
        names = re.findall(
            r'(?:Vk\w+::)?\w+',
            re.sub(
                r'\b(?:or|nor|and|the|features?|either|of|at|least|one|following)\b',
                ' ',
                g['names'],
            ),
        )
        found = [
            Extension(n, positive) if n.startswith('VK_') else Feature(self.feature(n), positive)
            for n in names
        ]
        for atom in found:
            if isinstance(atom, Extension) and atom.name not in self.m.extensions:
                raise NotUnderstood(atom.name)
        if len(found) > 1 and not positive:
            raise NotUnderstood('a list of what is not enabled is not an atom')
        return found

    @form.atom(
        rf'{SUBJECT} is (?P<no>not )?(?:equal to |either |one of |set to )?(?P<values>{CONSTANTS})'
    )
    @form.atom(rf'{SUBJECT} (?:is equal to|equals) (?P<no>(?!))?(?P<values>{CONSTANTS})')
    def on_among(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_number(subject.field):
            raise NotUnderstood(g['subject'])
        positive = not g['no']
        if (
            self.n.is_bits(subject.field)
            and self.n.value_type(subject.field.type) != subject.field.type
            and subject.field.type in self.n.bits_of_flags
            and len(re.findall(CONSTANT, g['values'])) != 1
        ):
            raise NotUnderstood('flags that are one of several values')
        return [Among(subject, self.constants(g['values'], subject), positive)]

    @form.atom(
        rf'{SUBJECT} (?:(?P<no>does not) )?(?:includes?|contains?|has|have) (?:any of |'
        rf'either of |either |at least one of |the |both )?(?:the '
        rf')?(?P<values>{CONSTANTS})(?: bits?| flags?)?(?: set)?'
    )
    @form.atom(rf'(?P<values>{CONSTANT}) is (?P<no>not )?(?:set|included) in (?P<subject>{PLACE})')
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

    @form.atom(rf'{SUBJECT} is (?P<no>not )?(?:NULL|VK_NULL_HANDLE)')
    def on_null(self, g):
        subject = self.subject(g['subject'])
        if not (
            self.n.is_pointer(subject.field)
            or self.n.is_handle(subject.field)
            or subject.field.type.startswith('PFN_')
        ):
            raise NotUnderstood(g['subject'])
        return [Null(subject, not g['no'])]

    def _compare(self, subject, operator, operand):
        for x in (subject, operand):
            if isinstance(x, (Member, Fact)) and not self.n.is_number(x.field):
                raise NotUnderstood(str(x))
            if isinstance(x, Limit) and operator in ('==', '!='):
                raise NotUnderstood(str(x))
        if (
            isinstance(subject, Member)
            and isinstance(operand, Number)
            and operand.text.startswith('VK_')
        ):
            kind = self.n.constants[operand.text][1]
            if kind is not None and self.n.value_type(subject.field.type) != kind:
                raise NotUnderstood(operand.text)
        return Compare(subject, operator, operand)

    @form.atom(rf'{SUBJECT} (?:equals|(?P<no>does not) equal) (?P<value>{VALUE})')
    @form.atom(rf'{SUBJECT} is (?P<no>non-)(?P<value>zero)')
    @form.atom(rf'{SUBJECT} is (?P<no>not )?(?P<value>-?\d+(?:\.\d+)?|zero|one)')
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

    @form.atom(rf'{SUBJECT} is (?P<no>not )?(?P<operator>{OPERATOR}) (?P<value>{VALUE})')
    def on_compare(self, g):
        operator = OPERATORS[g['operator']]
        if g['no']:
            operator = NEGATED.get(operator)
        if operator is None:
            raise NotUnderstood(g[0])
        subject = (
            self.value(g['subject'])
            if '+' in g['subject'] or 'sum of' in g['subject']
            else self.subject(g['subject'])
        )
        return [self._compare(subject, operator, self.value(g['value']))]

    # --- clauses ----------------------------------------------------------------------------------

    def chained_with(self, text):
        """`the pNext chain includes a VkFoo structure with its bar member set to VK_X`: two
        clauses."""
        g = re.fullmatch(
            rf'(?:the|its) pNext chain includes an? (Vk\w+) structure (?:with|whose|where) '
            rf'(?:its )?(?:the )?({NAME})(?: member)? '
            rf'(?:set to|equal to|is|includes|contains|including) (.+)',
            text,
        )
        if not g:
            return None
        verb = (
            'includes'
            if re.search(rf'{g[2]}(?: member)? (?:includes|contains|including) ', text)
            else 'is'
        )
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
        for pattern, method in CONDITIONS:
            g = pattern.fullmatch(text)
            if g:
                try:
                    return method(self, g)
                except NotUnderstood:
                    self.it = it
        g = re.fullmatch(r'(?:neither|none) (?:of )?(.+?) (?:is|are) enabled', text)
        if g:
            atoms = self.on_features(dict_match({'names': g[1], 'no': None}))
            return [
                Any([type(a)(a.constant if isinstance(a, Feature) else a.name, False)])
                for a in atoms
            ]
        try:
            return [Any(self.atom(text))]
        except NotUnderstood:
            self.it = it
        for pattern, method in CLAUSES:
            g = pattern.fullmatch(text)
            if g:
                return method(self, g)
        readings = []
        for connective, is_and in (
            (', and ', True),
            (' and ', True),
            (', ', True),
            (', or ', False),
            (' or ', False),
        ):
            at = text.find(connective)
            while at >= 0:
                left, right = text[:at], text[at + len(connective) :]
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
        if (
            any(len(c.atoms) > 1 and ' or ' in text for _, clauses in readings for c in clauses)
            and readings[0][0]
            and self._mixed(readings[0][1])
        ):
            raise NotUnderstood(f'and or or: {text}')
        shapes = {repr(clauses) for _, clauses in readings}
        if len(shapes) > 1:
            raise NotUnderstood(f'two readings: {text}')
        return readings[0][1]

    @staticmethod
    def _mixed(clauses):
        """Is one of several clauses an alternative of different things? "A and B or C" can be read
        in two ways."""
        return len(clauses) > 1 and any(
            len(c.atoms) > 1
            and not c.sure
            and not all(isinstance(a, (Feature, Extension)) for a in c.atoms)
            for c in clauses
        )

    def _chain_holder(self, array, structure):
        """The elements of an array, in whose pNext chain that structure may be."""
        holder = self._element(array, None)
        head, chained = self.n.structure(holder.field.type), self.n.structure(structure)
        if head is None or chained is None or chained.name not in head.extendedBy:
            raise NotUnderstood(structure)
        return holder

    def with_each(self, array, read):
        """Reads with `array` as the one of whose elements a sentence speaks."""
        if self.each is not None:
            raise NotUnderstood(array)
        self.each = self._element(array, None).each
        self.known = {}
        try:
            return read()
        finally:
            self.each = None
            self.known = {}

    def sentence(self, text):
        """The Sentence of a whole statement. What "each element of pRegions" is said of may stand
        in front of it."""
        self.text = text
        try:
            found = self.statement(text, [])
        except NotUnderstood:
            g = re.search(rf'(?:each|any) element of ({NAME})', text)
            if not g or self.is_each(text):
                raise
            self.it = None
            found = self.with_each(g[1], lambda: self.statement(text, []))
        self.allow_remaining(found)
        self.allow_remaining_of_views(found)
        self.allow_guarded(found)
        unsaid = list({repr(clause): clause for clause in self.unsaid}.values())
        return Sentence(found.guards + unsaid, found.must, len(unsaid)) if unsaid else found

    def allow_remaining(self, found):
        """Of a region's layerCount, VK_REMAINING_ARRAY_LAYERS stands for the number that is right,
        where there is one. A size of 0 has a statement of its own."""
        for clause in found.must:
            for x in [
                a.subject
                for a in clause.atoms
                if isinstance(a, Bits) and a.how == 'one' and isinstance(a.subject, Member)
            ]:
                if x.path[-1:] == ('aspectMask',):  # that it is not 0, another statement says
                    clause.atoms.append(Compare(x, '==', Number('0', 0)))
            for atom in [a for a in clause.atoms if isinstance(a, Compare) and a.operator == '==']:
                for x in (atom.subject, atom.operand):
                    if isinstance(x, Member) and x.each and x.path[-1:] == ('layerCount',):
                        clause.atoms.append(Among(x, ['VK_REMAINING_ARRAY_LAYERS'], True))
                x = atom.subject
                if (
                    isinstance(x, Member)
                    and x.each
                    and x.path[:1] in (('extent',), ('imageExtent',))
                    and repr(atom.operand) == '1'
                    and self.each_forbids_zero(x)
                ):
                    clause.atoms.append(Compare(x, '==', Number('0', 0)))

    def each_forbids_zero(self, member):
        field = self.members.get(member.each) if isinstance(member.each, str) else member.each.field
        structure = self.n.structure(field.type) if field else None
        return structure is not None and any(
            v.owner == structure.name and v.id[-5:] in ('06659', '06668')
            for v in self.m.vuids.values()
        )

    @staticmethod
    def is_each(text):
        return re.match(r'[Ff]or (?:each|any|every) ', text)

    def statement(self, text, guards):
        """A Sentence of `[If <condition>, ]... <subject> must <predicate>`."""
        nested = self.nested(text, guards) if self.each is None else None
        if nested is not None:
            return nested
        g = re.fullmatch(
            rf'[Ff]or each element of ({NAME}) not containing (Vk\w+) in its pNext chain, (.+)',
            text,
        )
        if g and self.each is None:
            return self.with_each(
                g[1],
                lambda: self.statement(
                    g[3], guards + [Any([Chained(g[2], False, self._chain_holder(g[1], g[2]))])]
                ),
            )
        g = re.fullmatch(rf'[Ff]or (?:each|any|every) (?:element|member) of ({PLACE}),? (.+)', text)
        if g and self.each is None:
            place = self._element(g[1], None)
            self.each = place.each
            self.it = place
            self.known = {}
            try:
                return self.statement(g[2], guards)
            finally:
                self.each = None
                self.known = {}
        if re.search(r'is non-sparse then (?:it|the image) ', text):
            return Sentence(guards, self.must(text))
        if re.match(r'(?:and )?[Ii]f ', text):
            body = re.sub(r'^(?:and )?[Ii]f ', '', text)
            found = []
            for separator in (', then ', ', ', ' then '):
                at = body.find(separator)
                while at >= 0:
                    it = self.it
                    try:
                        clauses = self.condition(body[:at])
                        found.append(self.statement(body[at + len(separator) :], guards + clauses))
                    except NotUnderstood:
                        pass
                    self.it = it
                    at = body.find(separator, at + 1)
            if not found:
                raise NotUnderstood(text)
            if len({repr(s) for s in found}) > 1:
                raise NotUnderstood(f'two readings: {text}')
            return found[0]
        try:
            return Sentence(guards, self.must(text))
        except NotUnderstood:
            return self.with_condition_after(text, guards)

    def with_condition_after(self, text, guards):
        """`<statement> if <condition>`, `<statement> unless <condition>`."""
        found = []
        for g in re.finditer(r' ?,? (if|unless) ', text):
            it = self.it
            try:
                condition = text[g.end() :]
                known = self.must(text[: g.start()].strip())
                clauses = self.condition(condition)
                if g[1] == 'unless':
                    if len(clauses) != 1:
                        raise NotUnderstood(text)
                    clauses = [Any([negated(a)]) for a in clauses[0].atoms]
                found.append(Sentence(guards + clauses, known))
            except NotUnderstood:
                pass
            self.it = it
        if len({repr(x) for x in found}) != 1:
            raise NotUnderstood(text)
        return found[0]

    def must(self, text):
        """The clauses of `<subject> must <predicate>`."""
        for pattern, method in MUSTS:
            g = pattern.fullmatch(text)
            if g:
                try:
                    return method(self, g)
                except NotUnderstood:
                    continue
        raise NotUnderstood(text)

    @form.must(
        rf'(?:at least one )?(?:the )?(?:VkBuffer|buffer)(?: from which (?P<place>.+?) was '
        rf'queried) must have been created with (?:the )?{USAGES}'
    )
    @form.must(
        rf'the (?:VkBuffer|buffer) that (?P<place>.+?) was queried from must have been '
        rf'created with (?:the )?{USAGES}'
    )
    @form.must(
        rf'(?P<place>{PLACE}) must be a device address(?: range)? allocated to the '
        rf'application from a buffer created with the {USAGES}'
    )
    @form.must(
        rf'the underlying buffer for (?P<place>{PLACE}) must have the {USAGES} in its usage flag'
    )
    def must_address(self, g):
        usage = self.address_usage(g['place'], g['values'])
        usage.valid = 'must be a device address' in g[0]
        return [Any([usage])]

    @form.must(rf'{SUBJECT} must (?P<no>not )?(?:also )?have (?P<no2>not )?{CREATED}')
    def must_created(self, g):
        clauses = []
        for subject in self.holders(g['subject']):
            clauses.append(
                Any(
                    [
                        self.of_any_aspect(
                            self.created_with(
                                subject,
                                g['tail'],
                                not g['no'] and not g['no2'] and not g['without'],
                            )
                        )
                    ]
                )
            )
        return clauses

    @form.must(
        rf"(?:the )?(?P<subject>{PLACE})(?:'s)?,? (?:its )?usage flag must have the "
        rf'(?P<values>{CONSTANT} bit set)'
    )
    @form.must(
        rf'(?P<subject>{PLACE}) must have the (?P<values>{CONSTANT} bit set) in its usage flag'
    )
    @form.must(rf'(?P<subject>it)s usage flag must have the (?P<values>{CONSTANT} bit set)')
    def must_usage(self, g):
        """`the usage flag of buffer must have the X bit set`."""
        return [Any([self.created_with(self.handle(g['subject']), g['values'], True)])]

    @form.must(
        rf'(?:the )?(?P<name>Vk\w+::{NAME}) must be (?P<no>(?!))?(?P<value>VK_TRUE|VK_FALSE)'
    )
    def must_property(self, g):
        return [Any(self.on_property(g))]

    @form.must(
        rf'(?:the )?pNext chain of (?P<holder>(?:each element of )?{PLACE}) must '
        rf'(?P<no>not )?(?:also )?(?:include|contain) an? (?P<structure>Vk\w+)(?: '
        rf'structure)?'
    )
    def must_chain_of(self, g):
        return [Any(self.on_chained_of(g))]

    @form.must(
        r'device must support at least one queue family with (?:one of )?the '
        r'(?P<values>VK_QUEUE_.+?) capabilit(?:y|ies)'
    )
    def must_queue(self, g):
        names = re.findall(CONSTANT, g['values'])
        if not names or any(
            self.n.constants.get(n, (0, None))[1] != 'VkQueueFlagBits' for n in names
        ):
            raise NotUnderstood(g[0])
        return [Any([Bits(QueueFlags(self.m), names, 'any')])]

    @form.must(
        rf'the (?P<left>(?:Vk\w+::)?{NAME}) and (?P<right>(?:Vk\w+::)?{NAME}) features '
        rf'must be enabled'
    )
    def must_enable_both(self, g):
        return [
            Any([Feature(self.feature(g['left']), True)]),
            Any([Feature(self.feature(g['right']), True)]),
        ]

    @form.must(
        rf'[Ii]f the (?P<name>{NAME}) feature is not enabled,? this function must not be used'
    )
    def must_not_be_called(self, g):
        """`If the f feature is not enabled this function must not be used`: it must be."""
        return [Any([Feature(self.feature(g['name']), True)])]

    @form.must(
        rf'(?:at least )?one of (?P<subjects>{PLACE}(?:, {PLACE})*,? (?:and|or) {PLACE}) '
        rf'must be (?P<value>VK_NULL_HANDLE|NULL|zero|0|VK_TRUE)'
    )
    @form.must(
        rf'only one of (?P<subjects>{PLACE} or {PLACE}) can be a valid pointer, the other '
        rf'must be (?P<value>NULL)'
    )
    def must_one_of(self, g):
        """`At least one of a and b must be NULL`."""
        names = re.findall(PLACE, re.sub(r'\b(?:and|or)\b', ' ', g['subjects']))
        predicates = [self.predicate(self.subject(n), f'be {g["value"]}', False) for n in names]
        if len(names) < 2 or any(len(p) != 1 or len(p[0].atoms) != 1 for p in predicates):
            raise NotUnderstood(g[0])
        return [Any([p[0].atoms[0] for p in predicates])]

    @form.must(rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) must (?P<no>not )?be equal')
    def must_be_equal(self, g):
        left, right = self.subject(g['left']), self.subject(g['right'])
        if left.field.type != right.field.type:
            raise NotUnderstood(g[0])
        return [Any([self._compare(left, '!=' if g['no'] else '==', right)])]

    @form.atom(
        r'(?:the|its) pNext chain(?: of this structure)? (?:(?P<no>does not) '
        r')?(?:includes?|contains?) (?:an? )?(?P<structure>Vk\w+)(?: structure)?'
    )
    @form.atom(
        r'an? (?P<structure>Vk\w+) structure is (?P<no>not )?(?:included in|present in) '
        r'the pNext chain'
    )
    def on_chained(self, g):
        structure = self.n.structure(g['structure'])
        if structure is None or not self.chains(structure):
            raise NotUnderstood(g['structure'])
        self.it = ('chain', structure.name)
        return [Chained(structure.name, not g['no'])]

    @form.must(
        r'(?:at least one of )?(?:the )?(?P<names>.+?)(?: features?| extensions?)? must '
        r'(?:also )?be enabled'
    )
    def must_enable(self, g):
        names = re.sub(r'^either (.*?)(?: or both)?$', r'\1', g['names'])
        if re.search(r'\band\b', names):
            raise NotUnderstood(names)
        return [Any(self.on_features(dict_match({'names': names, 'no': None})))]

    def of_any_aspect(self, atom):
        """A usage that an image must have: whether its own or that of its stencil aspect is meant,
        most sentences do not say."""
        fact = getattr(atom, 'subject', None)
        if (
            isinstance(atom, Bits)
            and atom.how == 'any'
            and isinstance(fact, Fact)
            and fact.handle == 'VkImage'
            and fact.kept.name == 'usage'
        ):
            return Bits(self.fact_named(fact.holder, 'usage of any aspect'), atom.constants, 'any')
        return atom

    def holders(self, text):
        try:
            return [self.handle(text)]
        except NotUnderstood:
            return [x for x in self.subjects(text) if self.n.is_handle(x.field) or self._fail(text)]

    @staticmethod
    def _fail(text):
        raise NotUnderstood(text)

    @form.must(
        rf'there must be no element of (?P<array>(?:the )?{NAME}(?: member of {PLACE})?) '
        rf'set to (?P<values>{CONSTANTS})'
    )
    def must_lack(self, g):
        h = re.fullmatch(rf'(?:the )?({NAME})(?: member of ({PLACE}))?', g['array'])
        subject = self._element(f'{h[2]}->{h[1]}' if h[2] else h[1], None)
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    @form.must(
        rf'(?:the |either the )?(?P<values>{CONSTANTS})(?: bit| flag)?(?: bit)?(?: of '
        rf'(?P<of>{PLACE}))? must (?P<no>not )?(?:also )?be (?:set|included)(?: in '
        rf'(?P<subject>{PLACE}))?'
    )
    def must_set(self, g):
        where = g['of'] or g['subject']
        if not where or (g['of'] and g['subject']):
            raise NotUnderstood(g[0])
        return self.predicate(self.subject(where), f'include {g["values"]}', bool(g['no']))

    @form.must(
        r'(?:the|its) pNext chain must (?P<no>not )?(?:also )?(?:include|contain) an? '
        r'(?:valid )?(?P<structure>Vk\w+)(?: structure)?'
    )
    @form.must(r'it must (?P<no>not )?(?:also )?include an? (?P<structure>Vk\w+) structure')
    @form.must(
        r'(?:this|the) structure must (?P<no>not )?(?:include|contain) an? '
        r'(?P<structure>Vk\w+) structure in its pNext chain'
    )
    def must_chain(self, g):
        return [Any(self.on_chained(g))]

    @form.must(
        rf'(?:[Tt]he )?(?P<subject>sum of {PLACE} and {PLACE}|{PLACE} \+ {PLACE}) must be '
        rf'(?P<operator>{OPERATOR}) (?P<value>.+)'
    )
    def must_sum(self, g):
        left = self.value(g['subject'])
        return [Any([self._compare(left, OPERATORS[g['operator']], self.value(g['value']))])]

    @form.must(rf'{SUBJECT} must (?P<no>not )?(?P<both>both )?(?:also )?(?P<predicate>.+)')
    def must_each(self, g):
        subjects = self.subjects(g['subject'])
        if '.' in g['predicate'] and re.search(r'\. [A-Z]', g['predicate']):
            raise NotUnderstood(g['predicate'])
        clauses = []
        of_element = (
            next((x.each for x in subjects if isinstance(x, Member) and x.each), None)
            if self.each is None
            else None
        )
        try:
            self.each = self.each or of_element  # what the predicate names is of the same element
            for subject in subjects:
                clauses += self.predicate(subject, g['predicate'].strip(), bool(g['no']))
        finally:
            self.each = None if of_element else self.each
        if g['no'] and g['both']:  # "must not both be": it is enough that one of them is not
            if len(subjects) != 2 or len(clauses) != 2:
                raise NotUnderstood(g[0])
            return [Any(clauses[0].atoms + clauses[1].atoms)]
        return clauses

    def predicate(self, subject, text, no):
        """What `<subject> must [not] <text>` asks, as clauses."""
        g = re.fullmatch(r'(.+?),? and (?:it )?must (not )?(.+)', text)
        if g:
            return self.predicate(subject, g[1], no) + self.predicate(subject, g[3], bool(g[2]))
        number = self.n.is_number(subject.field)
        g = re.fullmatch(rf'be ((?:{OPERATOR}) {VALUE}) and ((?:{OPERATOR}) .+)', text)
        if g and number and not no:
            return self.predicate(subject, f'be {g[1]}', no) + self.predicate(
                subject, f'be {g[2]}', no
            )
        text = re.sub(r'^be of type ', 'be ', text)
        g = re.fullmatch(rf'equal (?:either )?({CONSTANTS})', text) or re.fullmatch(
            rf'be (?:either of |either |one of |set to |equal to )?({CONSTANTS})', text
        )
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
        g = re.fullmatch(
            (
                rf'(?:include|contain|have|be|specify) (?:any of |either of |either |at least '
                rf'one of |the |both )?(?:the )?(?:following )?({CONSTANTS})(?: bits?| '
                rf'flags?)?(?: set)?'
            ),
            text,
        )
        if g and self.n.is_bits(subject.field) and not text.startswith('be '):
            constants = self.constants(g[1], subject)
            many = len(constants) > 1
            conjunction = many and ' and ' in g[1] and ' or ' not in g[1]
            if no:
                if conjunction:
                    if ' both ' not in f' {text} ' or None in constants:
                        raise NotUnderstood('not both, or none?')
                    return [Any([Bits(subject, constants, 'not all')])]
                return [Any([Bits(subject, constants, 'none')])]
            if None in constants:
                raise NotUnderstood('a bit that this model lacks')
            return [Any([Bits(subject, constants, 'all' if conjunction else 'any')])]
        if re.fullmatch(r'be (?:a valid pointer|NULL|VK_NULL_HANDLE)', text) and (
            self.n.is_pointer(subject.field) or self.n.is_handle(subject.field)
        ):
            if 'valid' in text:
                raise NotUnderstood(text)
            return [Any([Null(subject, not no)])]
        g = re.fullmatch(
            rf'be ({OPERATOR}) ({VALUE}(?: (?:\+|-|minus) (?:{PLACE}|\d+))?|\(.+\)|the .+)', text
        ) or re.fullmatch(rf'(equal) ({VALUE})', text)
        if g and number:
            operator = '==' if g[1] == 'equal' else OPERATORS[g[1]]
            if no:
                operator = NEGATED.get(operator)
            if operator is None:
                raise NotUnderstood(text)
            return [Any([self._compare(subject, operator, self.value(g[2]))])]
        g = re.fullmatch(rf'be multiples of ({VALUE})', text)
        if g and number and not no:
            return [Any([self._compare(subject, 'multiple', self.value(g[1]))])]
        if text == 'be non-zero' and number and not no:
            return [Any([self._compare(subject, '!=', Number('0', 0))])]
        if (
            re.fullmatch(r'include only a single pipeline stage', text)
            and not no
            and self.n.is_bits(subject.field)
        ):
            return [Any([Bits(subject, [], 'one')])]
        g = (
            re.fullmatch(
                (
                    rf'(?:only )?(?:contain|include|have) only (?:stages|bits) (?:supported by|'
                    rf'set in|included in) ({PLACE})'
                ),
                text,
            )
            or re.fullmatch(
                (
                    rf'only (?:contain|include) (?:stages|bits) (?:supported by|set in|'
                    rf'included in) ({PLACE})'
                ),
                text,
            )
            or re.fullmatch(
                (
                    rf'(be) (?:exactly )?(?:one of the|a valid) bits? (?:supported|reported|'
                    rf'specified|set) in ({PLACE})'
                ),
                text,
            )
        )
        if g and not no and self.n.is_bits(subject.field):
            limit = self.value(g[g.lastindex])
            if not isinstance(limit, Limit) or self.n.value_type(
                limit.field.type
            ) != self.n.value_type(subject.field.type):
                raise NotUnderstood(text)
            return [Any([BitsOfLimit(subject, limit, 'within')])] + (
                [Any([Bits(subject, [], 'one')])] if text.startswith('be ') else []
            )
        g = re.fullmatch(
            (
                r'be (?:(\d+)[ -]byte[ -]aligned|aligned to (\d+)(?: bytes)?|(?:a )?multiple '
                r'of (\d+) bytes|greater than or equal to (\d+) bytes)'
            ),
            text,
        )
        if g and number and not no:
            return [
                Any(
                    [
                        self._compare(
                            subject,
                            '>=' if g[4] else 'multiple',
                            self.value(g[1] or g[2] or g[3] or g[4]),
                        )
                    ]
                )
            ]
        g = re.fullmatch(r'be (?:a )?power[- ]of[- ]two(?: value)?', text)
        if g and not no and subject.field.type in INTEGERS:
            return [Any([PowerOfTwo(subject)])]
        g = re.fullmatch(r'be (-?\d+(?:\.\d+)?|zero|one)', text)
        if g and number:
            return [Any([self._compare(subject, '!=' if no else '==', self.value(g[1]))])]
        g = re.fullmatch(rf'be between ({VALUE}) and ({VALUE}),? inclusive', text) or re.fullmatch(
            rf'be in the range \[({VALUE}), ?({VALUE})\]', text
        )
        if g and number and not no:
            return [
                Any([self._compare(subject, '>=', self.value(g[1]))]),
                Any([self._compare(subject, '<=', self.value(g[2]))]),
            ]
        g = re.fullmatch(
            r'(?:have (?:exactly|only)|only have) (?:one|a single) bit set', text
        ) or re.fullmatch(r'have a single bit set', text)
        if g and not no and self.n.is_bits(subject.field):
            return [Any([Bits(subject, [], 'one')])]
        g = (
            re.fullmatch(
                rf'(?:include|contain) (?:any )?bits other than (?:the )?({CONSTANTS})', text
            )
            if no
            else re.fullmatch(
                rf'(?:only )?(?:contain|include) (?:only )?(?:the )?({CONSTANTS})(?: bits?)?', text
            )
        )
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


CLASSES = (*FORMS, Parser)
ATOMS = form.forms_of(CLASSES, 'atom')
CONDITIONS = form.forms_of(CLASSES, 'condition')
CLAUSES = form.forms_of(CLASSES, 'clauses')
MUSTS = form.forms_of(CLASSES, 'must')


def normal(text):
    text = text.strip().rstrip('.,')
    text = text.replace('VkPhysicalDeviceLimits::', 'VkPhysicalDeviceLimits::')
    text = re.sub(r'’', "'", text)
    text = re.sub(
        (
            r'^(The|Each|All|At least|Any|This|Both|Either|Only|One|There|Shader '
            r'instrumentation|VkPhysicalDevice(?!\\w)) '
        ),
        lambda g: g[0][0].lower() + g[0][1:],
        text,
    )
    text = re.sub(r'equal (?:to )?or (less|greater) than', r'\1 than or equal to', text)
    text = re.sub(r'\b(less|greater)(?:[ -]than)? or equal[ -]to\b', r'\1 than or equal to', text)
    text = re.sub(
        r'\bsmaller than\b', 'less than', re.sub(r'\blarger than\b', 'greater than', text)
    )
    text = re.sub(r'\bmust (less|greater) than', r'must be \1 than', text)
    text = re.sub(r'\bless-than or equal-to\b', 'less than or equal to', text)
    text = re.sub(r'^[Ee]ach element of', 'each element of', text)
    text = (
        re.sub(
            r'^For each element of pInfos\[i\] the', 'For each element of pInfos, the', text
        ).replace(' pInfos[i].scratchData', ' scratchData')
        if text.startswith('For each element of pInfos')
        else text
    )
    text = re.sub(r'(VK_\w+) the (buffer used|geometryType member)', r'\1, the \2', text)
    text = re.sub(r'(contains an entry of VK_\w+) (it|there) must', r'\1, \2 must', text)
    text = text.removesuffix('. Furthermore the alignment of each token input must be ensured')
    text = re.sub(r'\bmust enabled\b', 'must be enabled', text)
    return normal_vendor(normal_queries(normal_addresses(normal_resources(normal_pipelines(text)))))


# The one form of sentence that may have a list.
LIST = re.compile(
    r'At least one of the following must be true: - |.*at least one of the following '
    r'features must be enabled:? - |'
    r'flags must not include any of the following bits - |'
    r'The usage flags of \w+ must have at least one of the following bits set: - '
)


def selected(m, owner, sentence):
    """Is a member of a union spoken of only where the guards say that it is the one in use? The
    registry may have selectors for which it names none: that no other member is meant is enough. Of
    unions without a selector, only addresses are read, which are as wide as pointers."""
    n = nouns(m)
    for member in members_of(sentence):
        if member.chain:
            at = m.structs[member.chain]
        elif isinstance(member.each, str):
            at = n.structure(
                {
                    x.name: x
                    for x in (
                        m.commands[owner].params
                        if owner in m.commands
                        else m.structs[owner].members
                    )
                }[member.each].type
            )
        elif member.each is not None:
            at = n.structure(member.each.field.type)
            if isinstance(member.each, Elements) and not member.path:
                continue
        else:
            at = None
        members = (
            {
                x.name: x
                for x in (
                    at.members
                    if at
                    else m.commands[owner].params
                    if owner in m.commands
                    else m.structs[owner].members
                )
            }
            if at or not member.each
            else {}
        )
        for i, name in enumerate(member.path[:-1]):
            field = members[name.split('[')[0]]
            structure = n.structure(field.type)
            members = {x.name: x for x in structure.members}
            if not structure.union:
                continue
            inner = members[member.path[i + 1]]
            if not field.selector:
                if inner.type != 'VkDeviceAddress' and not n.is_pointer(inner):
                    return False
                continue
            if member.chain or i or not inner.selection:
                return False
            selector = (f'{member.each}[].' if member.each else '') + field.selector
            others = [
                x
                for c in sentence.must
                for x in c.atoms
                if isinstance(x, Among)
                and not x.positive
                and repr(x.subject) == selector
                and any(repr(member) == repr(getattr(y, 'subject', None)) for y in c.atoms)
            ]  # of another kind of element it says nothing
            if others and all(set(x.constants) <= set(inner.selection) for x in others):
                continue
            elsewhere = {v for x in structure.members if x is not inner for v in x.selection or ()}
            if not any(
                len(c.atoms) == 1
                and isinstance(c.atoms[0], Among)
                and c.atoms[0].positive
                and repr(c.atoms[0].subject) == selector
                and not set(c.atoms[0].constants) & elsewhere
                for c in sentence.guards
            ):
                return False
    return True


def parse(m, owner, text, parser_of=Parser):
    """The Sentence of a statement of that structure or command, or None. `parser_of`: Parser, or a
    class that also notes how far it came."""
    if owner not in m.commands and owner not in m.structs:
        return None
    parser = parser_of(m, owner)
    try:
        text = lists(parser.prepare(direct(text)))
    except NotUnderstood:
        return None
    if (
        len(text) > (700 if text.startswith('If ') else 1400)
        or (re.search(r' - (?!\d)', text) and not LIST.match(text))
        or '\\(' in text
    ):
        return None
    if re.search(
        r'\b(?:any|an) element of (\w+)\b.*\b(?:all|each|every|other) elements? (?:of|in) \1\b',
        text,
    ):
        return None  # one element, and others
    try:
        sentence = parser.of_named_extensions(parser.of_used_tables(parser.sentence(normal(text))))
    except NotUnderstood:
        return None
    sentence.guards[:0] = parser.profile_guards(
        sentence
    )  # those that no message speaks of are the last
    return sentence if selected(m, owner, sentence) else None
