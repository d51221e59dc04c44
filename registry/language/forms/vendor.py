"""Forms of sentences that data graphs, tensors and optical flow have: structures of the chain, and
objects that others are made of."""

import re

from language import form
from language.atoms import Bits, Chained
from language.sentence import Any
from language.sentence_values import CONSTANT, NAME, PLACE, SUBJECT
from language.values import NotUnderstood

STRUCTURE = r'an? (?P<structure>Vk\w+) structure'


def normal(text):
    text = re.sub(r'\bmust equal NULL$', 'must be NULL', text)
    text = re.sub(r'\bmember of elements of\b', 'member of each element of', text)
    text = re.sub(r'includes one or more (Vk\w+) structures\b', r'includes a \1 structure', text)
    text = re.sub(
        r'\b[Ii]f neither an? (Vk\w+) nor an? (Vk\w+) structure are included in the pNext chain,',
        (
            r'If the pNext chain does not include a \1 structure and the pNext chain does not '
            r'include a \2 structure,'
        ),
        text,
    )
    return re.sub(
        r'\bmemory must have been allocated with the (VK_MEMORY_ALLOCATE_\w+) bit set',
        r'memory must have been created with the \1 bit set',
        text,
    )


class VendorForms:
    @form.must(
        rf'{STRUCTURE} must (?P<no>not )?be included in the pNext chain(?: of this structure)?'
    )
    def must_chain_have(self, g):
        """`a VkFoo structure must not be included in the pNext chain`"""
        structure = self.n.structure(g['structure'])
        if structure is None or not self.chains(structure):
            raise NotUnderstood(g[0])
        return [Any([Chained(structure.name, not g['no'])])]

    @form.atom(rf'{STRUCTURE} is present in the pNext chain of (?P<owner>Vk\w+)')
    def on_present(self, g):
        """`a VkFoo structure is present in the pNext chain of VkBar`, which is the statement's own
        structure"""
        structure = self.n.structure(g['structure'])
        if (
            structure is None
            or not self.chains(structure)
            or self.n.structure(g['owner']) is not self.owner
        ):
            raise NotUnderstood(g[0])
        return [Chained(structure.name, True)]

    @form.atom(
        r'an? (?P<first>Vk\w+) or an? (?P<second>Vk\w+) structure is included in the pNext chain'
    )
    def on_either_chained(self, g):
        """`a VkFoo or a VkBar structure is included in the pNext chain`"""
        found = [self.n.structure(g[x]) for x in ('first', 'second')]
        if any(x is None or not self.chains(x) for x in found):
            raise NotUnderstood(g[0])
        return [Chained(x.name, True) for x in found]

    @form.must(
        rf'{SUBJECT} must be identical to the (?P<name>{NAME}) used to create (?P<holder>{PLACE})'
    )
    def must_be_as_created(self, g):
        """`format must be identical to the format used to create tensor`"""
        subject, fact = (
            self.subject(g['subject']),
            self.fact_named(self.handle(g['holder']), g['name']),
        )
        return [Any([self._compare(subject, '==', fact)])]

    @form.must(
        rf'the usage flags of (?P<holder>{PLACE}) must have at least one of the following '
        rf'bits set: (?P<list>(?:- {CONSTANT} ?)+)'
    )
    def must_have_one_usage(self, g):
        """`the usage flags of tensor must have at least one of the following bits set: - A - B`"""
        names = re.findall(CONSTANT, g['list'])
        fact = self.fact_of_constant(self.handle(g['holder']), names[0])
        if fact.kept.name != 'usage' or None in self.constants(' '.join(names), fact):
            raise NotUnderstood(g[0])
        return [Any([Bits(fact, names, 'any')])]

    @form.must(
        rf'{SUBJECT} must be greater than or equal to (?P<low>VkPhysicalDevice\w+::\w+) '
        rf'and less than or equal to (?P<high>VkPhysicalDevice\w+::\w+)'
    )
    def must_lie_between(self, g):
        """`width must be greater than or equal to A and less than or equal to B`"""
        subject = self.subject(g['subject'])
        return [
            Any([self._compare(subject, '>=', self.value(g['low']))]),
            Any([self._compare(subject, '<=', self.value(g['high']))]),
        ]
