"""Forms of conditions of any subject: what is enabled, chained, set, or compared."""

import re

from language import form
from language.atoms import (
    NEGATED,
    Among,
    Bits,
    Chained,
    Compare,
    Extension,
    Feature,
    Null,
    PowerOfTwo,
)
from language.nouns import INTEGERS, MISSPELT, MISSPELT_PROPERTIES
from language.sentence_values import (
    CONSTANT,
    CONSTANTS,
    NAME,
    OPERATOR,
    OPERATORS,
    PLACE,
    SUBJECT,
    VALUE,
)
from language.values import Fact, Limit, Member, NotUnderstood, Number

CREATED = r'(?:been )?created with(?P<without>out)? (?P<tail>.+)'


class ConditionForms:
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
        self.now(it=None)
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
        self.now(it=('chain', structure.name))
        return [Chained(structure.name, not g['no'])]
