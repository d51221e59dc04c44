"""Forms of sentences about render passes, dynamic rendering and attachments: elements of arrays,
layers, samples and formats of views."""

from language import form
from language.atoms import Among, Compare, Feature, FormatIs, Null
from language.sentence import Any
from language.sentence_values import CONSTANT, NAME, OPERATOR, OPERATORS, PLACE, SUBJECT, VALUE
from language.values import Fact, Member, NotUnderstood, Number

KIND = r'(?P<kind>.+?)'
# Sentences say this of a format after "is", "has" or "includes" -> a key of facts.FORMAT_KINDS.
KINDS = {
    'a color format': 'COLOR',
    'a depth/stencil format': 'DEPTH_OR_STENCIL',
    'a depth component': 'DEPTH',
    'a depth aspect': 'DEPTH',
    'a stencil component': 'STENCIL',
    'a stencil aspect': 'STENCIL',
    'a color or depth component': 'COLOR_OR_DEPTH',
    'a depth/stencil format which includes both depth and stencil components': 'DEPTH_AND_STENCIL',
    'a depth/stencil format which includes only the depth component': 'DEPTH_ALONE',
    'a depth/stencil format which includes only the stencil component': 'STENCIL_ALONE',
    'only a stencil component': 'STENCIL_ALONE',
    'an integer color format': 'INTEGER_COLOR',
    'a non-integer color format': 'OTHER_COLOR',
}


class RenderingForms:
    # --- elements ---------------------------------------------------------------------------------

    @form.subject(
        rf'[Tt]he (?P<place>{PLACE}) member of (?:an|any|that|that same|the same) element '
        rf'of (?:the )?(?P<array>{PLACE})'
    )
    def of_element(self, g):
        """`the x member of an element of y`, `the x member of that element of y`."""
        return self._note(self._element(g['array'], g['place']))

    @form.subject(r'[Tt]hat member')
    def of_that_member(self, g):
        if self.here.last is None:
            raise NotUnderstood(g[0])
        return self.here.last

    @form.subject(rf'[Tt]he (?P<place>{PLACE}) member of that element')
    @form.subject(rf'[Tt]hat (?P<place>{NAME})')
    @form.subject(r'[Tt]he (?P<place>aspectMask) member')
    def of_that(self, g):
        """`that x`, `the x member of that element`: of the element that was named."""
        if (
            not isinstance(self.here.it, Member)
            or not self.here.it.each
            or self.here.each is not None
        ):
            raise NotUnderstood(g[0])
        return self._member(self.place(g['place'], ('each', self.here.it.each)))

    def reference(self, subject):
        """The number of an attachment: a structure that refers to one, or the member itself."""
        if (
            subject.field.type in ('VkAttachmentReference', 'VkAttachmentReference2')
            and subject.path
            and not subject.field.length
        ):
            arrows = subject.arrows + (
                (len(subject.path) - 1,) if self.n.is_pointer(subject.field) else ()
            )
            field = next(
                x for x in self.n.structure(subject.field.type).members if x.name == 'attachment'
            )
            return Member(
                subject.path + ('attachment',),
                field,
                subject.chain,
                subject.each,
                arrows,
                subject.head,
            )
        return subject

    @form.atom(
        rf'{SUBJECT} (?:is (?P<no>not )?|does (?P<not>not )have the value )VK_ATTACHMENT_UNUSED'
    )
    def on_unused(self, g):
        subject = self.subject(g['subject'])
        number = self.reference(subject)
        if number is subject:
            raise NotUnderstood(g[0])
        return [Among(number, ['VK_ATTACHMENT_UNUSED'], not (g['no'] or g['not']))]

    # --- numbers ----------------------------------------------------------------------------------

    @form.must(r'at least one of the following features must be enabled:? - (?P<list>.+)')
    def must_enable_of_list(self, g):
        return [Any([Feature(self.feature(x), True) for x in g['list'].split(' - ')])]

    @form.must(
        rf'the index of the most significant bit in (?P<subject>(?:each element of '
        rf')?{PLACE}) must be (?P<operator>{OPERATOR}) (?P<value>{VALUE})'
    )
    def must_highest(self, g):
        """`the index of the most significant bit in x must be less than y`"""
        subject = self.subject(g['subject'])
        return [
            Any(
                [
                    self._compare(
                        self.highest_bit(subject), OPERATORS[g['operator']], self.value(g['value'])
                    )
                ]
            )
        ]

    # --- views ------------------------------------------------------------------------------------

    def view_fact(self, text, name):
        holder = self.handle(text)
        if self.handle_type(holder) != 'VkImageView':
            raise NotUnderstood(text)
        return self.fact_named(holder, name)

    @form.must(
        rf'the sum of the (?P<left>{PLACE}) and (?P<right>{PLACE}) members of (?:any|each) '
        rf'element of (?P<array>{PLACE}) must be (?P<operator>{OPERATOR}) '
        rf'(?P<value>{VALUE})'
    )
    def must_sum_of_members(self, g):
        """`the sum of the a and b members of any element of c must be less than or equal to d`"""
        left, right = (self._element(g['array'], g[side]) for side in ('left', 'right'))
        limit = self.value(g['value'])
        return [
            Any([self._compare(self.sum_of(left, right, g[0]), OPERATORS[g['operator']], limit)])
        ]

    @form.must(
        rf'each (?P<left>{PLACE}) and (?P<right>{PLACE}) that is not VK_NULL_HANDLE must '
        rf'have a layerCount that is (?P<operator>{OPERATOR}) (?P<value>.+)'
    )
    def must_all_have_layers(self, g):
        """`each x and y that is not VK_NULL_HANDLE must have a layerCount that is greater than
        z`"""
        clauses = []
        for place in (g['left'], g['right']):
            holder, name = place.split('->')
            subject = (
                self._element(holder + 's', name)
                if holder not in self.members and holder + 's' in self.members
                else self.subject(place)
            )
            if self.n.handle_aliases.get(subject.field.type) != 'VkImageView':
                raise NotUnderstood(place)
            layers = self.fact_named(subject, 'layerCount')
            clauses.append(
                Any(
                    [
                        Null(subject, True),
                        self._compare(layers, OPERATORS[g['operator']], self.value(g['value'])),
                    ]
                )
            )
        return clauses

    @form.must(
        rf'{SUBJECT} must have a layerCount that is (?:either equal to (?P<one>\d+) or '
        rf')?(?P<operator>{OPERATOR}) (?P<value>.+)'
    )
    def must_have_layers(self, g):
        """`x must have a layerCount that is either equal to 1 or greater than y`"""
        layers = self.view_fact(g['subject'], 'layerCount')
        atoms = [self._compare(layers, '==', self.value(g['one']))] if g['one'] else []
        return [
            Any(atoms + [self._compare(layers, OPERATORS[g['operator']], self.value(g['value']))])
        ]

    @form.must(rf'{SUBJECT} must have been created with the identity swizzle')
    def must_be_identity(self, g):
        return [Any([Null(self.view_fact(g['subject'], 'identity swizzle'), False)])]

    @form.must(rf'{SUBJECT} must only specify a single mip level')
    def must_have_one_level(self, g):
        return [
            Any([self._compare(self.view_fact(g['subject'], 'levelCount'), '==', Number('1', 1))])
        ]

    @form.atom(rf'{SUBJECT} has a sample count of (?P<no>not )?(?P<value>{CONSTANT})')
    def on_samples(self, g):
        return [
            Among(
                self.view_fact(g['subject'], 'samples'),
                self.constants(g['value'], self.view_fact(g['subject'], 'samples')),
                not g['no'],
            )
        ]

    @form.must(
        rf'{SUBJECT} must have been created with (?:an? )?VkImageViewCreateInfo::viewType '
        rf'not equal to (?P<value>VK_IMAGE_VIEW_TYPE_\w+)'
    )
    def must_have_type(self, g):
        return [Any([Among(self.view_fact(g['subject'], 'viewType'), [g['value']], False)])]

    # --- formats ----------------------------------------------------------------------------------

    def format_of(self, text):
        """A member that is a format, or the format that a view was created with."""
        subject = self.subject(text)
        if not isinstance(subject, Fact) and self.n.is_handle(subject.field):
            return self.fact_named(subject, 'format')
        if isinstance(subject, Fact) or subject.field.type != 'VkFormat':
            raise NotUnderstood(text)
        return subject

    @form.atom(rf'{SUBJECT} (?:is|includes|has) {KIND}')
    def on_format(self, g):
        if g['kind'] not in KINDS:
            raise NotUnderstood(g[0])
        return [FormatIs(self.format_of(g['subject']), KINDS[g['kind']], True)]

    @form.atom(rf'{SUBJECT} only includes a stencil component')
    def on_format_only(self, g):
        return [FormatIs(self.format_of(g['subject']), 'STENCIL_ALONE', True)]

    @form.must(rf'{SUBJECT} must (?P<no>not )?have a sample count of (?P<value>{CONSTANT})')
    def must_samples(self, g):
        return [Any(self.on_samples(g))]

    @form.must(rf'{SUBJECT} must have been created with a format that includes {KIND}')
    def must_format(self, g):
        return [Any(self.on_format(g))]

    # --- features and properties ------------------------------------------------------------------

    @form.must(rf'{SUBJECT} must (?:use|have a format using) sRGB encoding')
    def must_srgb(self, g):
        return [Any([FormatIs(self.format_of(g['subject']), 'SRGB', True)])]

    @staticmethod
    def _compare_flag(limit, value):
        return Compare(limit, '==', Number('VK_TRUE' if value else 'VK_FALSE', int(value)))

    @form.must(rf'(?P<name>{NAME}) must be (?P<value>VK_TRUE|VK_FALSE)')
    def must_bare_property(self, g):
        limit = self.bare_property(g['name'])
        if limit.field.type != 'VkBool32':
            raise NotUnderstood(g[0])
        return [Any([self._compare_flag(limit, g['value'] == 'VK_TRUE')])]
