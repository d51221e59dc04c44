"""Forms of sentences about descriptors, their layouts and pools, and about presentation: what arrays must not contain, bits beside bits, handles."""

from sentence import Among, Any, Bits, Compare, Feature, Member, NotUnderstood, Null, Number
from sentence_values import CONSTANT, CONSTANTS, NAME, PLACE, SUBJECT


class DescriptorForms:
    # --- arrays ------------------------------------------------------------------------------------------------------

    def must_lack_member(self, g):
        """`all elements of a must not have a b of X`, `a must not contain a b of X`"""
        subject = self._element(g['array'], g['place'])
        if not self.n.is_enum(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    def must_lack_value(self, g):
        """`a must not contain X`, of an array of values"""
        subject = self._element(g['array'], None)
        if not self.n.is_enum(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    def of_any_element(self, g):
        """`any element of a`: of a condition or of what must not be, it is each of them by itself."""
        return self._note(self._element(g['array'], None))

    # --- values ------------------------------------------------------------------------------------------------------

    def must_set_too(self, g):
        """`the X bit must not be set`, after a condition about the same flags"""
        flags = self.it
        if not isinstance(flags, Member) or not self.n.is_bits(flags.field):
            raise NotUnderstood(g[0])
        return self.predicate(flags, f'include {g["value"]}', bool(g['no']))

    def must_zero_or(self, g):
        """`x must be 0 or X`"""
        subject = self.subject(g['subject'])
        constants = self.constants(g['value'], subject)
        if None in constants or not self.n.is_number(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Compare(subject, '==', Number('0', 0)), Among(subject, constants, True)])]

    def must_have_one_bit(self, g):
        """`x must not have more than one bit set`"""
        subject = self.subject(g['subject'])
        if not self.n.is_bits(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Compare(subject, '==', Number('0', 0)), Bits(subject, [], 'one')])]

    def on_descriptor_type(self, g):
        subject = self.subject('descriptorType')
        return [Among(subject, self.constants(g['values'], subject), True)]

    # --- handles -----------------------------------------------------------------------------------------------------

    def must_not_both_be_null(self, g):
        left, right = self.subject(g['left']), self.subject(g['right'])
        if not (self.n.is_handle(left.field) and self.n.is_handle(right.field)):
            raise NotUnderstood(g[0])
        return [Any([Null(left, False), Null(right, False)])]

    def must_be_handle(self, g):
        """`x must be a valid VkFoo handle`, after a condition under which it may be none; what a handle is worth is lifetimes' to say"""
        subject = self.subject(g['subject'])
        if not self.n.is_handle(subject.field) or self.n.handle_aliases[subject.field.type] != self.n.handle_aliases.get(g['type']):
            raise NotUnderstood(g[0])
        return [Any([Null(subject, False)])]

    def must_be_of_semaphore_type(self, g):
        fact = self.fact_of_constant(self.handle(g['subject']), g['value'])
        return [Any([Among(fact, [g['value']], True)])]

    def must_enable_feature(self, g):
        return [Any([Feature(self.feature(g['name']), True)])]

    ATOMS = [
        (rf'descriptor type is (?P<values>{CONSTANT})', 'on_descriptor_type'),
    ]
    MUSTS = [
        (rf'(?:all elements of )?(?P<array>{NAME}) must not (?:have|contain) a (?P<place>{NAME}) of (?P<values>{CONSTANTS})', 'must_lack_member'),
        (rf'(?P<array>{NAME}) must not contain (?P<values>{CONSTANTS})', 'must_lack_value'),
        (rf'(?:the )?(?P<value>{CONSTANT})(?: bit)? must (?P<no>not )?(?:also )?be set', 'must_set_too'),
        (rf'{SUBJECT} must be 0 or (?P<value>{CONSTANT})', 'must_zero_or'),
        (rf'{SUBJECT} must not have more than one bit set', 'must_have_one_bit'),
        (rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) must not both be equal to VK_NULL_HANDLE', 'must_not_both_be_null'),
        (rf'{SUBJECT} must be a valid (?P<type>Vk\w+) handle', 'must_be_handle'),
        (rf'{SUBJECT} must (?:have|be created with) a VkSemaphoreType of (?P<value>{CONSTANT})', 'must_be_of_semaphore_type'),
        (rf'[Ff]eature (?P<name>{NAME}) must be enabled', 'must_enable_feature'),
    ]
    SUBJECTS = [
        (rf'[Aa]ny element of (?P<array>{PLACE})', 'of_any_element'),
    ]
