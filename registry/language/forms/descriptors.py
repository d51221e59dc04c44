"""Forms of sentences about descriptors, their layouts and pools, and about presentation: what
arrays must not contain, bits beside bits, handles."""

from language import form
from language.atoms import Among, Bits, Chained, Compare, Extension, Feature, Null
from language.sentence import Any, Sentence
from language.sentence_values import CONSTANT, CONSTANTS, NAME, PLACE, SUBJECT
from language.values import Member, NotUnderstood, Number, pnext_of


class DescriptorForms:
    # --- arrays -----------------------------------------------------------------------------------

    @form.must(
        rf'(?:all elements of )?(?P<array>{NAME}) must not (?:have|contain) a '
        rf'(?P<place>{NAME}) of (?P<values>{CONSTANTS})'
    )
    def must_lack_member(self, g):
        """`all elements of a must not have a b of X`, `a must not contain a b of X`"""
        subject = self._element(g['array'], g['place'])
        if not self.n.is_enum(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    @form.must(rf'(?P<array>{NAME}) must not contain (?P<values>{CONSTANTS})')
    def must_lack_value(self, g):
        """`a must not contain X`, of an array of values"""
        subject = self._element(g['array'], None)
        if not self.n.is_enum(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    @form.subject(rf'[Aa]ny element of (?P<array>{PLACE})')
    def of_any_element(self, g):
        """`any element of a`: of a condition or of what must not be, it is each of them by
        itself."""
        return self._note(self._element(g['array'], None))

    # --- values -----------------------------------------------------------------------------------

    @form.must(rf'(?:the )?(?P<value>{CONSTANT})(?: bit)? must (?P<no>not )?(?:also )?be set')
    def must_set_too(self, g):
        """`the X bit must not be set`, after a condition about the same flags"""
        flags = self.here.it
        if not isinstance(flags, Member) or not self.n.is_bits(flags.field):
            raise NotUnderstood(g[0])
        return self.predicate(flags, f'include {g["value"]}', bool(g['no']))

    @form.must(rf'{SUBJECT} must be 0 or (?P<value>{CONSTANT})')
    def must_zero_or(self, g):
        """`x must be 0 or X`"""
        subject = self.subject(g['subject'])
        constants = self.constants(g['value'], subject)
        if None in constants or not self.n.is_number(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Compare(subject, '==', Number('0', 0)), Among(subject, constants, True)])]

    @form.must(rf'{SUBJECT} must not have more than one bit set')
    def must_have_one_bit(self, g):
        """`x must not have more than one bit set`"""
        subject = self.subject(g['subject'])
        if not self.n.is_bits(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Compare(subject, '==', Number('0', 0)), Bits(subject, [], 'one')])]

    @form.atom(rf'descriptor type is (?P<values>{CONSTANT})')
    def on_descriptor_type(self, g):
        subject = self.subject('descriptorType')
        return [Among(subject, self.constants(g['values'], subject), True)]

    # --- chains of members and of elements --------------------------------------------------------

    @form.atom(r'there is an? (?P<structure>Vk\w+) structure in (?:the|(?P<its>its)) pNext chain')
    def on_has_chained(self, g):
        """`there is a Foo structure in the pNext chain`, `... in its pNext chain`"""
        self.now(chained_of=None)
        if not g['its']:
            return self.on_chained({'structure': g['structure'], 'no': None})
        holder = self.subject('it')
        found = self.on_chained_of({'holder': 'it', 'structure': g['structure'], 'no': None})
        self.now(chained_of=(holder, found[0].structure))
        return found

    @form.subject(rf'[Tt]he (?P<place>{NAME}) of any element of (?P<array>{NAME})')
    def of_any_elements_member(self, g):
        self.now(any_array=g['array'])
        return self._element(g['array'], g['place'])

    @form.atom(rf'{SUBJECT} is a valid pointer to an? (?P<type>Vk\w+)')
    def on_points_to(self, g):
        """`x is a valid pointer to a Foo`: it is not NULL, as what it points to is for other
        statements"""
        subject = self.subject(g['subject'])
        if not self.n.is_pointer(subject.field) or subject.field.type != g['type']:
            raise NotUnderstood(g[0])
        return [Null(subject, False)]

    @form.must(
        rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) must not both be equal to VK_NULL_HANDLE'
    )
    def must_not_both_be_null(self, g):
        left, right = self.subject(g['left']), self.subject(g['right'])
        if not (self.n.is_handle(left.field) and self.n.is_handle(right.field)):
            raise NotUnderstood(g[0])
        return [Any([Null(left, False), Null(right, False)])]

    @form.must(rf'{SUBJECT} must be a valid (?P<type>Vk\w+) handle')
    def must_be_handle(self, g):
        """`x must be a valid VkFoo handle`, after a condition under which it may be none; what a
        handle is worth is lifetimes' to say"""
        subject = self.subject(g['subject'])
        if not self.n.is_handle(subject.field) or self.n.handle_aliases[
            subject.field.type
        ] != self.n.handle_aliases.get(g['type']):
            raise NotUnderstood(g[0])
        return [Any([Null(subject, False)])]

    @form.subject(r'its (?P<name>objectType)')
    def of_chained(self, g):
        """`its objectType`, of the structure that was just found in a chain"""
        holder, structure = self.here.chained_of or (None, None)
        if holder is None:
            if not isinstance(self.here.it, tuple):
                raise NotUnderstood(g[0])
            return self._member(self.place(g['name'], self.here.it))
        found = self._member(self.place(g['name'], ('chain', structure)))
        found.head = pnext_of(self.n, holder)
        return found

    @form.must(
        rf'{SUBJECT} must (?:have|be created with) a VkSemaphoreType of (?P<value>{CONSTANT})'
    )
    def must_be_of_semaphore_type(self, g):
        fact = self.fact_of_constant(self.handle(g['subject']), g['value'])
        return [Any([Among(fact, [g['value']], True)])]

    # --- pointers ---------------------------------------------------------------------------------

    @form.clauses(rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) are not NULL')
    def on_both_pointers(self, g):
        """`a and b are not NULL`"""
        return [Any([Null(self.subject(g[x]), False)]) for x in ('left', 'right')]

    @form.must(rf'[Ff]eature (?P<name>{NAME}) must be enabled')
    def must_enable_feature(self, g):
        return [Any([Feature(self.feature(g['name']), True)])]

    @form.must(rf'{SUBJECT} must be a (?P<kind>timeline|binary) semaphore')
    def must_be_of_semaphore_kind(self, g):
        constant = f'VK_SEMAPHORE_TYPE_{g["kind"].upper()}'
        return [
            Any(
                [
                    Among(
                        self.fact_of_constant(self.handle(g['subject']), constant), [constant], True
                    )
                ]
            )
        ]

    # --- extensions -------------------------------------------------------------------------------

    def of_named_extensions(self, sentence):
        """`If the E extension is not enabled, f must be enabled`: f is what the version has that
        brings E. So E is enabled by its name alone."""
        if [type(x) for c in sentence.must for x in c.atoms] != [Feature] or not sentence.must[
            0
        ].atoms[0].positive:
            return sentence
        guards = [
            Any(
                [
                    Extension(a.name, False, True)
                    if isinstance(a, Extension) and not a.positive
                    else a
                    for a in c.atoms
                ]
            )
            for c in sentence.guards
        ]
        return Sentence(guards, sentence.must, sentence.unsaid)

    # --- handles ----------------------------------------------------------------------------------

    @form.must(r'the (?P<holder>Vk\w+)::pNext chain must not contain (?P<structure>Vk\w+)')
    def must_lack_chained(self, g):
        """`the Foo::pNext chain must not contain Bar`, of the Foo that a member points to"""
        holder = self.subject('it')
        if holder.field.type != g['holder']:
            raise NotUnderstood(g[0])
        return [Any(self.on_chained_of({'holder': 'it', 'structure': g['structure'], 'no': 'not'}))]

    @form.must(
        rf'[Ee]lements of (?P<array>{NAME}) must not include (?P<structure>Vk\w+) '
        rf'structures in their pNext chains'
    )
    def must_elements_lack(self, g):
        """`elements of a must not include Foo structures in their pNext chains`"""
        holder = self._chain_holder(g['array'], g['structure'])
        return [Any([Chained(self.n.structure(g['structure']).name, False, holder)])]

    @form.must(r'(?P<structure>Vk\w+) must be included in the pNext chain of that element')
    def must_chain_to_element(self, g):
        """`Foo must be included in the pNext chain of that element`, after a condition about any
        element"""
        array = self.here.any_array
        if array is None:
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    Chained(
                        self.n.structure(g['structure']).name,
                        True,
                        self._chain_holder(array, g['structure']),
                    )
                ]
            )
        ]

    @form.must(rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) must both be NULL or both not be NULL')
    def must_both_be_null(self, g):
        """`a and b must both be NULL or both not be NULL`"""
        left, right = self.subject(g['left']), self.subject(g['right'])
        if not (self.n.is_pointer(left.field) and self.n.is_pointer(right.field)):
            raise NotUnderstood(g[0])
        return [
            Any([Null(left, True), Null(right, False)]),
            Any([Null(left, False), Null(right, True)]),
        ]

    @form.must(rf'{SUBJECT} must (?:point to|be) a valid (?:Wayland|X11|Xlib) \w+')
    def must_be_of_window_system(self, g):
        """`x must point to a valid Wayland wl_display`: NULL is none, nor is a window 0"""
        subject = self.subject(g['subject'])
        if self.n.is_pointer(subject.field):
            return [Any([Null(subject, False)])]
        return [Any([Compare(subject, '!=', Number('0', 0))])]
