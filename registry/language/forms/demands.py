"""Forms of demands of any subject: what must be, be set, be enabled or be chained."""

import re

from language import form
from language.atoms import (
    NEGATED,
    AddressUsage,
    Among,
    Bits,
    BitsOfLimit,
    Bound,
    Extension,
    Feature,
    Null,
    PowerOfTwo,
)
from language.nouns import INTEGERS
from language.sentence import Any
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
from language.spelling import normal
from language.values import Fact, Limit, Member, NotUnderstood, Number, QueueFlags

CREATED = r'(?:been )?created with(?P<without>out)? (?P<tail>.+)'
USAGES = rf'(?P<values>{CONSTANT})(?: usage)?(?: flag)?(?: bit)?(?: set)?'


class DemandForms:
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

    @form.must(
        r'(?:at least one of )?(?:the )?(?P<names>.+?)(?: features?| extensions?)? must '
        r'(?:also )?be enabled'
    )
    def must_enable(self, g):
        names = re.sub(r'^either (.*?)(?: or both)?$', r'\1', g['names'])
        if re.search(r'\band\b', names):
            raise NotUnderstood(names)
        return [Any(self.on_features(form.dict_match({'names': names, 'no': None})))]

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
            if self.here.each is None
            else None
        )
        try:
            # what the predicate names is of the same element
            self.now(each=self.here.each or of_element)
            for subject in subjects:
                clauses += self.predicate(subject, g['predicate'].strip(), bool(g['no']))
        finally:
            self.now(each=None if of_element else self.here.each)
        if g['no'] and g['both']:  # "must not both be": it is enough that one of them is not
            if len(subjects) != 2 or len(clauses) != 2:
                raise NotUnderstood(g[0])
            return [Any(clauses[0].atoms + clauses[1].atoms)]
        return clauses

    def predicate(self, subject, text, no):
        """Returns what `<subject> must [not] <text>` asks, as clauses."""
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
            fake = form.dict_match({'subject': None, 'values': g[1], 'no': no})
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
