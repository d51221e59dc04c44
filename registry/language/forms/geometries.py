"""Forms of sentences about the geometries of a build: arrays in arrays, of structures or of
pointers to them."""

import re

from language import form
from language.atoms import AddressUsage, Among, Compare, HasPrimitives, Null, ValidPointer
from language.sentence import Any, Sentence
from language.sentence_values import CONSTANT, NAME, PLACE
from language.values import Elements, Member, NotUnderstood, Number

# Commands that say how many primitives a geometry has: parameter, and what lies at the beginning of
# one of its elements.
COUNTED = {
    'vkCmdBuildAccelerationStructuresKHR': 'ppBuildRangeInfos',
    'vkBuildAccelerationStructuresKHR': 'ppBuildRangeInfos',
    'vkCmdBuildAccelerationStructuresIndirectKHR': 'ppMaxPrimitiveCounts',
}
# "For each element of pInfos[i].pGeometries or pInfos[i].ppGeometries with a geometryType of X,
# ..."
NESTED = re.compile(
    rf'(?:then )?[Ff]or (?:each|any) (?:element|member) of '
    rf'(?:(?P<outer>\w+)\[i\]\.)?(?P<array>\w+) or (?:(?P=outer)\[i\]\.)?(?P<other>\w+)'
    rf'(?: with (?:an? )?(?P<selector>\w+) (?:of|equal to) (?P<value>{CONSTANT}))?(?:,? '
    rf'and with (?P<but>[\w.]+) not equal to (?P<not>{CONSTANT}))?,? (?P<rest>.+)'
)

CLUSTERS = 'VkClusterAccelerationStructureCommandsInfoNV'
# An address that may be that of an address.
INDIRECTED = re.compile(
    rf'(?P<condition>If .*?, )?(?:then )?(?:depending on the '
    rf'VkClusterAccelerationStructureInputInfoNV::opMode, )?(?:the address in )?'
    rf'(?P<holder>pCommandInfos->|{CLUSTERS}::)(?P<member>\w+), or the address indirectly '
    rf'referenced in {CLUSTERS}::(?P=member) '
    rf'when {CLUSTERS}::addressResolutionFlags contains (?P<flag>{CONSTANT}),(?: or '
    rf'addresses specified in .*?,)*? must (?P<rest>.+)'
)
STRIDE = re.compile(r'The stride in (?P<region>dstAddressesArray|dstSizesArray) must (?P<rest>.+)')


def direct(text):
    """Returns the sentence about an address itself, where `text` speaks of it or of one that it
    leads to on the device. For a region that a build of clusters may lack, returns the sentence
    about one that is there."""
    g = INDIRECTED.fullmatch(text)
    if g:
        holder = '' if g['holder'].endswith('::') else g['holder']
        condition = (g['condition'] or '').replace(
            'VkClusterAccelerationStructureInputInfoNV::opMode', f'{holder}input.opMode'
        )
        unread = {
            'dstAddressesArray': (
                f'If {holder}input.opMode is not '
                f'VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV, '
            )
        }.get(g['member'], '')
        return (
            f'{condition}{unread}If {holder}addressResolutionFlags does not include '
            f'{g["flag"]}, {holder}{g["member"]} must {g["rest"]}'
        )
    text = re.sub(
        r'^The sum of (?:query|firstQuery) plus (\w+) must',
        r'The sum of firstQuery and \1 must',
        text,
    )
    g = re.fullmatch(rf'(.*) must only include the following bits:((?: - {CONSTANT})+)', text)
    if g:
        names = g[2].removeprefix(' - ').split(' - ')
        return f'{g[1]} must only include {", ".join(names[:-1])}, or {names[-1]}'
    g = STRIDE.fullmatch(text)
    if g:
        unread = {
            'dstAddressesArray': (
                'If input.opMode is not '
                'VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV, '
            )
        }.get(g['region'], '')
        return (
            f'{unread}If {g["region"]}.deviceAddress is not 0, {g["region"]}.stride must '
            f'{g["rest"]}'
        )
    return text


class GeometryForms:
    # --- arrays in arrays -------------------------------------------------------------------------

    def elements(self, outer, array, other):
        members = self.members
        if outer is not None:
            field = members.get(outer)
            structure = (
                self.n.structure(field.type)
                if field is not None and self.n.is_pointer(field) and field.length in members
                else None
            )
            if structure is None:
                raise NotUnderstood(outer)
            members = {x.name: x for x in structure.members}
        first, second = members.get(array), members.get(other)
        if (
            first is None
            or second is None
            or first.type != second.type
            or first.length not in members
            or first.fullType.count('*') != 1
            or second.fullType.count('*') != 2
            or not self.n.structure(first.type)
        ):
            raise NotUnderstood(array)
        return Elements(outer, first, second)

    def nested(self, text, guards):
        """The Sentence of one that begins with NESTED; None of another."""
        g = NESTED.fullmatch(text)
        if not g:
            return None
        with self.of_each(self.elements(g['outer'], g['array'], g['other'])):
            rest = self.of_chain(g['rest'])
            if g['selector']:
                guards = guards + self.condition(f'{g["selector"]} is {g["value"]}')
            if g['but']:
                guards = guards + self.condition(f'{g["but"]} is not {g["not"]}')
            sentence = self.statement(rest, guards)
        return self.of_what_is_read(sentence)

    def of_chain(self, rest):
        """Returns the sentence with the name of a structure of the element's chain in place of
        "its". Where the structure is not in the chain, its members are unknown."""
        rest = rest.replace('geometry.arrayOfPointers', 'geometry.instances.arrayOfPointers')
        g = re.match(
            (
                r'if there is an instance of (Vk\w+) in the geometry\.triangles\.pNext chain,? '
                r'(?:and )?'
            ),
            rest,
        ) or re.match(r'if it includes an? (Vk\w+) structure in its pNext chain, ', rest)
        if g:
            body = re.sub(
                r'^its (\w+) and (\w+) members must',
                rf'{g[1]}::\1 and {g[1]}::\2 must',
                rest[g.end() :],
            )
            body = re.sub(
                r'^then ', '', re.sub(r'\bits (\w+)( member(?= must))?', rf'{g[1]}::\1', body)
            )
            return body if ', then' not in body else f'if {body}'
        g = re.match(r'(?:if )?(Vk\w+)::indexType is', rest)
        if g:
            return re.sub(r'\bits ', f'{g[1]}::', rest if rest.startswith('if ') else f'if {rest}')
        return rest

    def of_what_is_read(self, sentence):
        """ "must be a valid address": of a geometry without primitives nothing is read, and a 0 is
        no mistake."""
        guards = []
        for clause in sentence.must:
            for atom in clause.atoms:
                if (
                    isinstance(atom, ValidPointer)
                    or isinstance(atom, AddressUsage)
                    and not atom.constants
                ):
                    given = (
                        Null(atom.subject, False)
                        if isinstance(atom, ValidPointer)
                        else Compare(atom.subject, '!=', Number('0', 0))
                    )
                    guards.append(Any([HasPrimitives(), given], unsaid=True))
        if guards and self.owner.name in COUNTED:
            return Sentence(sentence.guards + guards, sentence.must)
        return sentence

    @form.must(
        rf'the buffers from which the buffer device addresses for all of the '
        rf'(?P<places>{PLACE}(?:, {PLACE})*, and {PLACE}) members of all '
        rf'(?P<outer>{NAME})\[i\]\.(?P<array>{NAME}) and '
        rf'(?P=outer)\[i\]\.(?P<other>{NAME}) are queried must have been created with the '
        rf'(?P<values>{CONSTANT}) usage flag set'
    )
    def must_inputs_of_all(self, g):
        """`the buffers ... for all of the geometry.triangles.a, ..., and geometry.instances.b
        members of all pInfos[i].pX and pInfos[i].ppX are queried must have been created with Y`:
        where the geometry is of the kind, and has the member in use."""
        with self.of_each(self.elements(g['outer'], g['array'], g['other'])):
            clauses = []
            for place in re.findall(PLACE, g['places'].replace(' and ', ' ')):
                address = self.must_address_in_use(
                    {'subject': place, 'values': g['values'], 0: g[0]}
                )[0]
                kind = self.n.structure(self.here.each.field.type).members
                union = self.n.structure(next(x for x in kind if x.name == 'geometry').type)
                selection = next(
                    x for x in union.members if x.name == place.split('.')[1]
                ).selection
                address.atoms.append(Among(self.place('geometryType'), list(selection), False))
                if place.endswith('.indexData'):
                    address.atoms.append(
                        Among(
                            self.place(place.replace('indexData', 'indexType')),
                            ['VK_INDEX_TYPE_NONE_KHR'],
                            True,
                        )
                    )
                clauses.append(address)
            return clauses

    @form.must(
        rf'(?P<subject>{PLACE}) must be (?:aligned to|a multiple of) the size in bytes of '
        rf'(?:the type in )?indexType'
    )
    def must_fit_index(self, g):
        """`a must be a multiple of the size in bytes of indexType`, which lies beside what has the
        address."""
        subject = self.subject(g['subject'])
        beside = (
            [subject.path[:i] for i in range(len(subject.path) - 1, -1, -1)]
            if isinstance(subject, Member) and not subject.chain
            else []
        )
        for path in beside:
            try:
                kind = self.place('.'.join(path + ('indexType',)))
                break
            except NotUnderstood:
                continue
        else:
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    Compare(subject, 'multiple', Number(str(size), size)),
                    Among(kind, [f'VK_INDEX_TYPE_UINT{8 * size}'], False),
                ]
            )
            for size in (2, 4)
        ]

    @form.must(
        r'(?P<holder>queryPool) must have been created with a (?P<name>queryType) matching '
        r'queryType'
    )
    def must_match_type(self, g):
        """`queryPool must have been created with a queryType matching queryType`"""
        fact = self.fact_named(self.handle(g['holder']), g['name'])
        return [Any([self._compare(self.subject(g['name']), '==', fact)])]

    @form.must(rf'(?P<a>{PLACE}) and (?P<b>{PLACE}) must be a valid VkDeviceAddress')
    def must_all_valid(self, g):
        """`a and b must be a valid VkDeviceAddress`"""
        return [Any([AddressUsage(self.address_member(g[x]), [], True)]) for x in 'ab']

    @form.must(
        rf'the buffers from which the buffer device addresses for '
        rf'(?P<of>Vk\w+)::(?P<a>{NAME}) and (?P<b>{NAME}) members are queried '
        rf'must have been created with the (?P<values>{CONSTANT}) usage flag'
    )
    def must_be_of_buffers(self, g):
        """`the buffers from which the buffer device addresses for its a and b members are queried
        must have been created with X`"""
        return [
            clause
            for x in 'ab'
            for clause in self.must_address_in_use(
                {'subject': f'{g["of"]}::{g[x]}', 'values': g['values'], 0: g[0]}
            )
        ]

    @form.must(rf'(?P<subject>{PLACE}\.hostAddress) must (?P<no>not )?be 0')
    def must_pointer_0(self, g):
        return [Any([Null(self.pointer(g['subject']), not g['no'])])]

    def pointer(self, subject):
        subject = self.subject(subject)
        if (
            not isinstance(subject, Member)
            or subject.field.type != 'void'
            or not self.n.is_pointer(subject.field)
        ):
            raise NotUnderstood(repr(subject))
        return subject

    @form.atom(rf'(?P<subject>{PLACE}\.hostAddress) is (?P<no>not )?0')
    def on_pointer_0(self, g):
        """A host address "is 0" where it is NULL."""
        return [Null(self.pointer(g['subject']), not g['no'])]

    @form.must(rf'(?P<subject>{PLACE}) must not be NULL')
    def must_have_address(self, g):
        """An address in a union, of the device or of the host, "must not be NULL"."""
        return [Any([Compare(self.address_member(g['subject']), '!=', Number('0', 0))])]

    @form.must(
        rf'the (?P<member>{NAME}) member of (?:elements of either|each element of|each '
        rf'element of either) (?P<array>{NAME}) or (?P<other>{NAME}) must (?P<no>not '
        rf')?(?P<predicate>.+)'
    )
    def must_of_elements(self, g):
        """`the a member of elements of either pX or ppX must be ...`"""
        with self.of_each(self.elements(None, g['array'], g['other'])):
            return self.must(f'{g["member"]} must {g["no"] or ""}{g["predicate"]}')

    @form.atom(rf'the type used to (?:construct|build) (?P<holder>{NAME}) is (?P<value>{CONSTANT})')
    def on_made_of(self, g):
        """`the type used to construct micromap is X`: it is that which the micromap was created
        with (07464)."""
        holder = self.handle(g['holder'])
        if self.handle_type(holder) != 'VkMicromapEXT':
            raise NotUnderstood(g[0])
        fact = self.fact_named(holder, 'type')
        return [Among(fact, self.constants(g['value'], fact), True)]

    @form.atom(r'(?P<subject>format) is (?P<value>VK_(?:OPACITY|DISPLACEMENT)_MICROMAP_FORMAT_\w+)')
    def on_micromap_format(self, g):
        """Formats of micromaps lie in a uint32_t."""
        subject = self.subject(g['subject'])
        if not isinstance(subject, Member) or subject.field.type != 'uint32_t':
            raise NotUnderstood(g[0])
        return [Among(subject, [g['value']], True)]
