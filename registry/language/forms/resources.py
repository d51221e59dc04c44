"""Forms of sentences about resources and their memory: what they were created with and are bound
to, ranges of views, bits that go together."""

import re

from language import form
from language.atoms import Among, Bits, BitsOfLimit, Compare, Extension, Null
from language.sentence import Any
from language.sentence_values import (
    CONSTANT,
    CONSTANTS,
    NAME,
    OPERATORS,
    PLACE,
    SUBJECT,
)
from language.values import Limit, Member, NotUnderstood, Number, Product, Recorded

# Members of a view's range, and what stands for "all that are left" in them.
REMAINING = {'levelCount': 'VK_REMAINING_MIP_LEVELS', 'layerCount': 'VK_REMAINING_ARRAY_LAYERS'}
SPARSE = {
    'VkBuffer': [
        'VK_BUFFER_CREATE_SPARSE_BINDING_BIT',
        'VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT',
        'VK_BUFFER_CREATE_SPARSE_ALIASED_BIT',
    ],
    'VkImage': [
        'VK_IMAGE_CREATE_SPARSE_BINDING_BIT',
        'VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT',
        'VK_IMAGE_CREATE_SPARSE_ALIASED_BIT',
    ],
}
# Properties that sentences paraphrase, all of VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT.
BLENDING = {
    'non-premultiplied source color': 'advancedBlendNonPremultipliedSrcColor',
    'non-premultiplied destination color': 'advancedBlendNonPremultipliedDstColor',
    'correlated overlap': 'advancedBlendCorrelatedOverlap',
}
REPORTS = rf'with a memory type that reports (?P<values>{CONSTANT})(?: bit set)?'


def lists(text):
    """Lists with hyphens, where they are all that such a sentence may contain."""
    g = re.match(
        (
            r'(.+(?:must not contain bits other than|with a usage value containing at least '
            r'one of the following:))((?: - VK_\w+)+)$'
        ),
        text,
    )
    if not g:
        return text
    names = re.findall(CONSTANT, g[2])
    return (
        re.sub(r'with a usage value containing at least one of the following:$', 'with the', g[1])
        + ' '
        + ', '.join(names[:-1])
        + ' or '
        + names[-1]
    )


def normal(text):
    text = re.sub(r'^\[?If Format is ', 'If format is ', text.removeprefix('['))
    text = re.sub(
        r'^[Ii]f the image format is one of the formats that require ',
        'If format is a format that requires ',
        text,
    )
    text = re.sub(
        (
            r'^(?:[Tt]he )?pNext(?: chain)? must contain at most one of the (?:structures '
            r')?(Vk\w+) and (Vk\w+)(?: structures)?$'
        ),
        (
            r'If the pNext chain includes a \1 structure, the pNext chain must not include a '
            r'\2 structure'
        ),
        text,
    )
    text = re.sub(
        r'\b(it must not|must) contain an? (Vk\w+) structure$', r'\1 include a \2 structure', text
    )
    text = (
        re.sub(
            r', then bits other than (.+) must not be set$',
            r', usage must not include bits other than \1',
            text,
        )
        if text.startswith('If usage includes ')
        else text
    )
    text = re.sub(
        r'\bmust also (not )?(include|contain)\b', lambda g: f'must {g[1] or ""}{g[2]}', text
    )
    text = re.sub(r'\bthen its (Vk\w+::\w+) member must\b', r'then \1 must', text)
    text = re.sub(r'^(If flags contains VK_\w+) (format must)', r'\1, \2', text)
    text = re.sub(r'\bthe (VK_\w+) flag (format must)', r'the \1 flag, \2', text)
    text = re.sub(r'^(If usage includes VK_\w+) (VkPhysicalDevice\w+::\w+ must)', r'\1, \2', text)
    text = re.sub(r'\bthe effective usage flags include the\b', 'usage includes the', text)
    text = re.sub(r'\bthe effective usage flags must\b', 'usage must', text)
    text = re.sub(r'\bthe size of the memory minus\b', 'the size of memory minus', text)
    text = re.sub(r'\bthe (\w+) member of the chained structure is\b', r'its \1 member is', text)
    text = re.sub(
        (
            r'\bincludes a (VkBufferUsageFlags2CreateInfo), its usage must not contain any '
            r'other bit than\b'
        ),
        r'includes a \1 structure, its usage member must not include bits other than',
        text,
    )
    text = re.sub(r'\bcreated with at least one of the\b', 'created with the', text)
    text = re.sub(
        r'\bcreated with (VK_IMAGE_TYPE_\w+) but without (.+?) set,? then\b',
        r'created with \1 and image was created without \2 set, then',
        text,
    )
    text = re.sub(
        r'\bcreated with the (VK_\w+) usage flag set, (VK_\w+), or (VK_\w+),',
        r'created with the \1, \2, or \3 usage flags set,',
        text,
    )
    text = re.sub(
        r'^[Tt]he pCreateInfo->pNext chain must not contain an? (Vk\w+) structure',
        r'the pNext chain of pCreateInfo must not include a \1 structure',
        text,
    )
    text = re.sub(r'\bmust each be either\b', 'must be', text)
    text = re.sub(
        r'\bmust be (?:a pointer )?aligned to an integer multiple of\b',
        'must be a multiple of',
        text,
    )
    text = re.sub(
        r'^If either (\w+) or (\w+) is (VK_\w+), (?!either)', r'If \1 is \3 or \2 is \3, ', text
    )
    text = re.sub(
        r'^If flags contains (VK_\w+), it must not contain (VK_\w+) and the format must',
        r'If flags contains \1, flags must not contain \2 and format must',
        text,
    )
    text = re.sub(
        r'\bformat specifies a multi-planar format\b', 'format is a multi-planar format', text
    )
    text = re.sub(
        r'\bflags (has|does not have) (VK_\w+) set\b',
        lambda g: f'flags {"includes" if g[1] == "has" else "does not include"} {g[2]}',
        text,
    )
    text = re.sub(
        r'\b(\w+) and (\w+) must both be valid device indices$',
        r'\1 and \2 must be valid device indices',
        text,
    )
    return text


class ResourceForms:
    # --- objects ----------------------------------------------------------------------------------

    @form.atom(
        rf'{SUBJECT} was created with an? (?P<name>{NAME}) value not equal to (?P<value>{CONSTANT})'
    )
    def on_created_unlike(self, g):
        """`image was created with a samples value not equal to VK_SAMPLE_COUNT_1_BIT`"""
        holder = self.handle(g['subject'])
        fact = self.fact_of_constant(holder, g['value'])
        if fact.kept.name != g['name']:
            raise NotUnderstood(g[0])
        return [Among(fact, self.constants(g['value'], fact), False)]

    @form.atom(rf'{SUBJECT} was created with (?P<value>VK_IMAGE_TYPE_\w+)')
    def on_created_as(self, g):
        """`image was created with VK_IMAGE_TYPE_3D`: of an enumeration, which is no flag"""
        fact = self.fact_of_constant(self.handle(g['subject']), g['value'])
        if self.n.is_bits(fact.field):
            raise NotUnderstood(g[0])
        return [Among(fact, self.constants(g['value'], fact), True)]

    @form.atom(rf'{SUBJECT} was created with the (?P<value>{CONSTANT} bit) not set')
    def on_created_lacking(self, g):
        """`buffer was created with the X bit not set`"""
        return [self.created_with(self.handle(g['subject']), g['value'], False)]

    @form.must(
        rf'{SUBJECT} must have been created with an? (?P<axis>width|height) that is '
        rf'(?P<operator>a multiple of) (?P<value>\d+)'
    )
    @form.must(
        rf'{SUBJECT} must have been created with (?P<axis>width|height) '
        rf'(?P<operator>greater than or equal to) (?P<value>{PLACE})'
    )
    def must_created_size(self, g):
        """`image must have been created with a width that is a multiple of 2`"""
        fact = self.fact_named(self.handle(g['subject']), f'extent.{g["axis"]}')
        operator = OPERATORS[g['operator']]
        return [Any([self._compare(fact, operator, self.value_of_it(g['value']))])]

    def value_of_it(self, text):
        """A value, or a member of the chained structure that was just named."""
        try:
            return self.value(text)
        except NotUnderstood:
            return self._member(self.place(text, self.chain_of_text()))

    def chain_of_text(self):
        """The one structure of the chain that the sentence names."""
        found = {
            x.name: x
            for x in map(self.n.structure, re.findall(r'\bVk\w+', self.here.text))
            if x is not None and self.chains(x)
        }
        if len(found) != 1:
            raise NotUnderstood(self.here.text)
        return 'chain', next(iter(found))

    @form.must(
        rf'(?P<subject>subresourceRange\.layerCount) must be greater than or equal to '
        rf'(?P<value>{NAME})'
    )
    def must_count_of_it(self, g):
        """`subresourceRange.layerCount must be equal or greater than numPhases`"""
        subject = self.subject(g['subject'])
        if g['value'] in self.members:
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    self._compare(
                        subject, '>=', self._member(self.place(g['value'], self.chain_of_text()))
                    )
                ]
            )
        ]

    @form.must(rf'{SUBJECT} must not have been created with any sparse memory binding flags')
    def must_not_be_sparse(self, g):
        holder = self.handle(g['subject'])
        names = SPARSE.get(self.handle_type(holder))
        if names is None:
            raise NotUnderstood(g[0])
        return [Any([Bits(self.fact_of_constant(holder, names[0]), names, 'none')])]

    # --- memory -----------------------------------------------------------------------------------

    def memory_fact(self, text, name):
        holder = self.handle(text)
        if self.handle_type(holder) != 'VkDeviceMemory':
            raise NotUnderstood(text)
        return self.fact_named(holder, name)

    @form.must(rf'{SUBJECT} must (?P<no>not )?have been created {REPORTS}')
    @form.must(
        rf'the (?:buffer|image|tensor) must (?P<no>not )?be bound to a memory object '
        rf'(?:allocated|created) {REPORTS}'
    )
    def must_memory_type(self, g):
        """Reads what the type of the memory must report. `of` has the words for the memory."""
        fact = self.memory_fact(
            g['subject'] if g.groupdict().get('subject') else 'memory', 'properties of its type'
        )
        if self.n.constants.get(g['values'], (0, None))[1] != 'VkMemoryPropertyFlagBits':
            raise NotUnderstood(g[0])
        return [Any([Bits(fact, [g['values']], 'none' if g['no'] else 'any')])]

    @form.must(rf'{SUBJECT} must (?P<no>not )?be currently host mapped')
    def must_be_mapped(self, g):
        return [Any([Null(self.memory_fact(g['subject'], 'host mapping'), bool(g['no']))])]

    @form.must(rf'{SUBJECT} must not have been allocated with multiple instances')
    def must_be_single(self, g):
        return [Any([Null(self.memory_fact(g['subject'], 'second instance'), True)])]

    @form.must(
        r'VkMemoryDedicatedAllocateInfo::(?P<name>image|buffer) must have been VK_NULL_HANDLE'
    )
    def must_not_be_dedicated(self, g):
        return [Any([Null(self.memory_fact('memory', f'dedicated {g["name"]}'), True)])]

    @form.must(
        r'handleType must have been included in VkExportMemoryAllocateInfo::handleTypes '
        r'when (?P<subject>memory) was created'
    )
    def must_be_exported(self, g):
        fact, subject = (
            self.memory_fact(g['subject'], 'exported handle types'),
            self.subject('handleType'),
        )
        return [Any([BitsOfLimit(subject, fact, 'within')])]

    @form.must(rf'{SUBJECT} must not have been bound to a memory object')
    @form.must(rf'{SUBJECT} must not already be backed by a memory object')
    def must_not_be_bound(self, g):
        return [Any([Null(self.fact_named(self.handle(g['subject']), 'memory binding'), True)])]

    @form.must(
        r'(?P<subject>.*size(?: member of each element of \w+)?) must be equal to '
        r'(?P<limit>\w+OpaqueDataSize)'
    )
    def must_match_size(self, g):
        """The size of opaque data, which a device says."""
        holder = re.fullmatch(
            rf'The size member of each element of (?P<array>{NAME})', g['subject'], re.I
        )
        subject = self._element(holder['array'], 'size') if holder else self.subject(g['subject'])
        return [Any([Compare(subject, '==', self.bare_limit(g['limit']))])]

    # --- bits and structures ----------------------------------------------------------------------

    def flags_of(self, constant):
        """The one member that a bit can be set in, where the sentence names none."""
        kind = self.n.constants.get(constant, (0, None))[1]
        found = [
            x
            for x in self.members.values()
            if kind
            and self.n.is_bits(x)
            and not self.n.is_pointer(x)
            and self.n.value_type(x.type) == kind
        ]
        if len(found) != 1:
            raise NotUnderstood(constant)
        return self._note(Member((found[0].name,), found[0]))

    @form.atom(rf'(?:any of the bits )?(?P<values>{CONSTANTS}) (?:is|are) set')
    def on_any_set(self, g):
        names = re.findall(CONSTANT, g['values'])
        subject = self.flags_of(names[0])
        return [Bits(subject, self.constants(g['values'], subject), 'any')]

    @form.must(rf'(?P<value>{CONSTANT}) must (?P<no>not )?(?:also )?be set')
    def must_set_somewhere(self, g):
        subject = self.flags_of(g['value'])
        return [
            Any([Bits(subject, self.constants(g['value'], subject), 'none' if g['no'] else 'any')])
        ]

    @form.must(rf'(?P<subject>flags) must be one of (?P<values>{CONSTANTS})')
    def must_be_one_value(self, g):
        """`flags must be one of A or B`: flags, of which no other combination is meant."""
        subject = self.subject(g['subject'])
        if subject.field.type not in self.n.bits_of_flags:
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), True)])]

    @form.must(rf'{SUBJECT} must be a valid (?P<type>Vk\w+FlagBits) value')
    def must_be_a_bit(self, g):
        """`planeAspect must be a valid VkImageAspectFlagBits value`"""
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != g['type']:
            raise NotUnderstood(g[0])
        return [Any([Bits(subject, [], 'one')])]

    @form.must(rf'{SUBJECT} must be (?P<first>\d+) or (?P<second>\d+)')
    def must_be_either_number(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_number(subject.field):
            raise NotUnderstood(g[0])
        return [
            Any(
                [self._compare(subject, '==', Number(g[x], int(g[x]))) for x in ('first', 'second')]
            )
        ]

    @form.must(rf'the bitwise-and of (?P<subject>{NAME}) and (?P<limit>{NAME}) must be non-zero')
    def must_share_bits(self, g):
        """`the bitwise-and of a and b must be non-zero`"""
        subject, limit = self.subject(g['subject']), self.bare_property_of(g['limit'])
        return [Any([BitsOfLimit(subject, limit, 'any')])]

    def bare_property_of(self, name):
        found = [
            s
            for s in sorted(self.n.property_structs)
            if s in self.m.structs and any(x.name == name for x in self.m.structs[s].members)
        ]
        if len(found) != 1:
            raise NotUnderstood(name)
        return self.limit(self.m.structs[found[0]], name)

    @form.must(rf'(?P<subject>{NAME}) must be (?P<value>{CONSTANT}) for all components')
    def must_be_one_swizzle(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type != 'VkComponentMapping':
            raise NotUnderstood(g[0])
        return [Any([Among(self.place(f'{g["subject"]}.{x}'), [g['value']], True)]) for x in 'rgba']

    @form.must(rf'(?P<subject>{NAME}) must be a valid (?P<type>Vk[A-Z]\w+)')
    def must_handle(self, g):
        """`sampler must be a valid VkSampler`: whether it is one at all, is asked of all
        handles."""
        subject = self.subject(g['subject'])
        if not self.n.is_handle(subject.field) or subject.field.type != g['type']:
            raise NotUnderstood(g[0])
        return [Any([Null(subject, False)])]

    @form.must(
        rf'{SUBJECT} must either be zero or equal to the number of physical devices in the '
        rf'logical device squared'
    )
    def must_be_squared(self, g):
        count = self.fact_named(Recorded('VkDevice'), 'physicalDeviceCount')
        subject = self.subject(g['subject'])
        return [
            Any(
                [
                    self._compare(subject, '==', Number('0', 0)),
                    Compare(subject, '==', Product(count, count)),
                ]
            )
        ]

    @form.atom(rf'the (?P<name>{"|".join(BLENDING)}) property is not supported')
    def on_blending(self, g):
        limit = self.place(
            f'VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT::{BLENDING[g["name"]]}'
        )
        extension = 'VK_EXT_blend_operation_advanced'
        if not isinstance(limit, Limit) or extension not in self.m.extensions:
            raise NotUnderstood(g[0])
        self.unsaid.append(Any([Extension(extension, True)]))
        return [Compare(limit, '==', Number('VK_FALSE', 0))]

    # --- whole sentences --------------------------------------------------------------------------

    def allow_guarded(self, found):
        """`If flags includes A, it must not include bits other than B`: A is there, and may be."""
        guards = [
            a
            for clause in found.guards
            if len(clause.atoms) == 1
            for a in clause.atoms
            if isinstance(a, Bits) and a.how == 'any'
        ]
        for atom in (a for clause in found.must for a in clause.atoms):
            if isinstance(atom, Bits) and atom.how == 'only':
                atom.constants += [
                    c
                    for guard in guards
                    if repr(guard.subject) == repr(atom.subject)
                    for c in guard.constants
                    if c not in atom.constants
                ]

    def allow_remaining_of_views(self, found):
        """A count of a view's subresourceRange that must be a number: what VK_REMAINING_* comes to
        is not known, so that it is allowed."""
        for clause in found.must:
            for atom in list(clause.atoms):
                x = getattr(atom, 'subject', None)
                if (
                    isinstance(atom, Compare)
                    and isinstance(x, Member)
                    and not x.each
                    and not x.chain
                    and x.path[:1] == ('subresourceRange',)
                    and x.path[-1] in REMAINING
                    and atom.operator in ('==', '>=')
                ):
                    guard = Among(x, [REMAINING[x.path[-1]]], False)
                    if repr(guard) not in {repr(a) for c in found.guards for a in c.atoms}:
                        found.guards.append(Any([guard]))
