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
from language.atoms import Among, Bits, Chained, Compare, Extension, Feature
from language.forms.addresses import AddressForms
from language.forms.conditions import ConditionForms
from language.forms.copies import CopyForms
from language.forms.demands import DemandForms
from language.forms.descriptors import DescriptorForms
from language.forms.geometries import GeometryForms, direct
from language.forms.pipelines import PipelineForms
from language.forms.queries import QueryForms
from language.forms.raytracing import RayTracingForms
from language.forms.recording import RecordingForms
from language.forms.rendering import RenderingForms
from language.forms.resources import ResourceForms, lists
from language.forms.vendor import VendorForms
from language.forms.video import VideoForms
from language.nouns import nouns
from language.sentence import Any, Sentence, members_of
from language.sentence_values import NAME, PLACE, Values
from language.spelling import normal
from language.values import Elements, Member, NotUnderstood, Number

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
    ConditionForms,
    DemandForms,
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

    def atom(self, text):
        """The atoms of one clause, of which one must hold: a list."""
        text = text.strip()
        for pattern, method in ATOMS:
            g = pattern.fullmatch(text)
            if g:
                here = self.here
                try:
                    return method(self, g)
                except NotUnderstood:
                    self.here = here
        raise NotUnderstood(text)

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
        key = text, repr(self.here)
        if key not in self.known:
            try:
                self.known[key] = self._condition(text), self.here
            except NotUnderstood:
                self.known[key] = None, self.here
        clauses, self.here = self.known[key]
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
        here = self.here
        for pattern, method in CONDITIONS:
            g = pattern.fullmatch(text)
            if g:
                try:
                    return method(self, g)
                except NotUnderstood:
                    self.here = here
        g = re.fullmatch(r'(?:neither|none) (?:of )?(.+?) (?:is|are) enabled', text)
        if g:
            atoms = self.on_features(form.dict_match({'names': g[1], 'no': None}))
            return [
                Any([type(a)(a.constant if isinstance(a, Feature) else a.name, False)])
                for a in atoms
            ]
        try:
            return [Any(self.atom(text))]
        except NotUnderstood:
            self.here = here
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
                if not readings:
                    self.here = here
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
        if self.here.each is not None:
            raise NotUnderstood(array)
        with self.of_each(self._element(array, None).each):
            return read()

    def sentence(self, text):
        """The Sentence of a whole statement. What "each element of pRegions" is said of may stand
        in front of it."""
        self.now(text=text)
        try:
            found = self.statement(text, [])
        except NotUnderstood:
            g = re.search(rf'(?:each|any) element of ({NAME})', text)
            if not g or self.is_each(text):
                raise
            self.now(it=None)
            found = self.with_each(g[1], lambda: self.statement(text, []))
        self.allow_remaining(found)
        self.allow_remaining_of_views(found)
        self.allow_guarded(found)
        unsaid = list({repr(clause): clause for clause in self.unsaid}.values())
        return Sentence(found.guards + unsaid, found.must, len(unsaid)) if unsaid else found

    def allow_remaining(self, found):
        """Allows VK_REMAINING_ARRAY_LAYERS as the layerCount of a region: it stands for the number
        that is right, where there is one. A size of 0 has a statement of its own."""
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
        nested = self.nested(text, guards) if self.here.each is None else None
        if nested is not None:
            return nested
        g = re.fullmatch(
            rf'[Ff]or each element of ({NAME}) not containing (Vk\w+) in its pNext chain, (.+)',
            text,
        )
        if g and self.here.each is None:
            return self.with_each(
                g[1],
                lambda: self.statement(
                    g[3], guards + [Any([Chained(g[2], False, self._chain_holder(g[1], g[2]))])]
                ),
            )
        g = re.fullmatch(rf'[Ff]or (?:each|any|every) (?:element|member) of ({PLACE}),? (.+)', text)
        if g and self.here.each is None:
            place = self._element(g[1], None)
            with self.of_each(place.each, it=place):
                return self.statement(g[2], guards)
        if re.search(r'is non-sparse then (?:it|the image) ', text):
            return Sentence(guards, self.must(text))
        if re.match(r'(?:and )?[Ii]f ', text):
            body = re.sub(r'^(?:and )?[Ii]f ', '', text)
            found = []
            for separator in (', then ', ', ', ' then '):
                at = body.find(separator)
                while at >= 0:
                    here = self.here
                    try:
                        clauses = self.condition(body[:at])
                        found.append(self.statement(body[at + len(separator) :], guards + clauses))
                    except NotUnderstood:
                        pass
                    self.here = here
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
            here = self.here
            try:
                condition = text[g.end() :]
                known = self.must(text[: g.start()].strip())
                clauses = self.condition(condition)
                if g[1] == 'unless':
                    if len(clauses) != 1:
                        raise NotUnderstood(text)
                    clauses = [Any([a.negated()]) for a in clauses[0].atoms]
                found.append(Sentence(guards + clauses, known))
            except NotUnderstood:
                pass
            self.here = here
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


CLASSES = (*FORMS, Parser)
ATOMS = form.forms_of(CLASSES, 'atom')
CONDITIONS = form.forms_of(CLASSES, 'condition')
CLAUSES = form.forms_of(CLASSES, 'clauses')
MUSTS = form.forms_of(CLASSES, 'must')


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
