"""Forms of sentences about acceleration structures, micromaps, traced rays, generated commands, and
the memory of their objects."""

import re

from language import facts, form
from language.atoms import (
    AddressUsage,
    Among,
    Bits,
    BitsOfLimit,
    Bound,
    Compare,
    Null,
    ValidPointer,
)
from language.sentence import Any, Sentence, members_of
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
from language.values import Count, Difference, Fact, Index, Limit, Member, NotUnderstood, Number

ADDRESSES = ('VkDeviceOrHostAddressConstKHR', 'VkDeviceOrHostAddressKHR')
# Objects of these types lie in a buffer, or are one.
IN_BUFFERS = ('VkBuffer', 'VkMicromapEXT', 'VkAccelerationStructureKHR')
GRAPHICS_STAGES = [
    'VK_SHADER_STAGE_ALL_GRAPHICS',
    'VK_SHADER_STAGE_TASK_BIT_EXT',
    'VK_SHADER_STAGE_MESH_BIT_EXT',
]
RAY_TRACING_STAGES = [
    'VK_SHADER_STAGE_RAYGEN_BIT_KHR',
    'VK_SHADER_STAGE_ANY_HIT_BIT_KHR',
    'VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR',
    'VK_SHADER_STAGE_MISS_BIT_KHR',
    'VK_SHADER_STAGE_INTERSECTION_BIT_KHR',
    'VK_SHADER_STAGE_CALLABLE_BIT_KHR',
]
# "Action command tokens" (device_generated_commands/generatedcommands.adoc), and those of them that
# draw with indices, or without mesh shaders.
INDEXED_DRAWS = [
    'VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT',
    'VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT',
]
NON_MESH_DRAWS = INDEXED_DRAWS + [
    'VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT',
    'VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT',
]
ACTIONS = NON_MESH_DRAWS + [
    f'VK_INDIRECT_COMMANDS_TOKEN_TYPE_{x}_EXT'
    for x in (
        'DRAW_MESH_TASKS',
        'DRAW_MESH_TASKS_COUNT',
        'DRAW_MESH_TASKS_NV',
        'DRAW_MESH_TASKS_COUNT_NV',
        'DISPATCH',
        'TRACE_RAYS2',
    )
]


class RayTracingForms:
    # --- addresses and pointers -------------------------------------------------------------------

    def address_member(self, subject):
        """The Member that is the device address of a noun phrase, which may mean the union that has
        it."""
        member = self.subject(subject) if isinstance(subject, str) else subject
        if (
            isinstance(member, Member)
            and member.field.type in ADDRESSES
            and not self.n.is_pointer(member.field)
        ):
            field = next(
                x for x in self.n.structure(member.field.type).members if x.name == 'deviceAddress'
            )
            member = Member(
                member.path + ('deviceAddress',),
                field,
                member.chain,
                member.each,
                member.arrows,
                member.head,
            )
        if (
            isinstance(member, Member)
            and member.field.type == 'VkStridedDeviceAddressRegionKHR'
            and not self.n.is_pointer(member.field)
        ):
            return self.address(str(member))
        if (
            not isinstance(member, Member)
            or member.field.type != 'VkDeviceAddress'
            or self.n.is_pointer(member.field)
        ):
            raise NotUnderstood(str(member))
        return member

    @form.must(rf'{SUBJECT} must be a valid VkDeviceAddress')
    def must_valid_address(self, g):
        return [Any([AddressUsage(self.address_member(g['subject']), [], True)])]

    @form.must(
        rf'the buffer from which the buffer device address (?P<subject>{PLACE}) is queried '
        rf'must have been created with the (?P<values>{CONSTANT}) usage flag(?: set)?'
    )
    def must_address_in_use(self, g):
        """`the buffer from which the buffer device address a is queried must have been created with
        X`"""
        if self.n.constants.get(g['values'], (0, None))[1] not in (
            'VkBufferUsageFlagBits',
            'VkBufferUsageFlagBits2',
        ):
            raise NotUnderstood(g[0])
        return [Any([AddressUsage(self.address_member(g['subject']), [g['values']])])]

    @form.must(
        rf'the buffer from which it was queried must have been created with the '
        rf'(?P<values>{CONSTANT}) usage flag(?: set)?'
    )
    def must_element_address(self, g):
        """`For each element of pAddresses, the buffer from which it was queried must have been
        created with X`"""
        if not isinstance(self.here.it, Member) or not self.here.it.each or self.here.it.path:
            raise NotUnderstood(g[0])
        return self.must_address_in_use({'subject': self.here.it, 'values': g['values'], 0: g[0]})

    @form.must(
        rf'the buffers from which the buffer device addresses for all of the (?P<a>{NAME}) '
        rf'and (?P<b>{NAME}) members of all (?P<array>{NAME})\[i\] are queried '
        rf'must have been created with the (?P<values>{CONSTANT}) usage flag(?: set)?'
    )
    def must_inputs(self, g):
        """`The buffers ... for all of the a and b members of all pInfos[i] ... must have been
        created with X`"""
        if self.n.constants.get(g['values'], (0, None))[1] not in (
            'VkBufferUsageFlagBits',
            'VkBufferUsageFlagBits2',
        ):
            raise NotUnderstood(g[0])
        return [
            Any([AddressUsage(self.address_member(self._element(g['array'], name)), [g['values']])])
            for name in (g['a'], g['b'])
        ]

    @form.must(rf'{SUBJECT} must be a valid host (?:pointer|address)')
    def must_valid_pointer(self, g):
        subject = self.subject(g['subject'])
        if not self.n.is_pointer(subject.field) or subject.field.type != 'void':
            raise NotUnderstood(g[0])
        return [Any([ValidPointer(subject)])]

    @form.must(rf'{SUBJECT} must be aligned to (?P<number>\d+) bytes')
    def must_pointer_aligned(self, g):
        """A pointer is read as the number that it is."""
        subject = self.subject(g['subject'])
        if (
            not isinstance(subject, Member)
            or not self.n.is_pointer(subject.field)
            or subject.field.type != 'void'
        ):
            raise NotUnderstood(g[0])
        field = facts.word(subject.field.name, 'VkDeviceAddress')
        field.read_as_number = True
        number = Member(
            subject.path, field, subject.chain, subject.each, subject.arrows, subject.head
        )
        return [Any([Compare(number, 'multiple', Number(g['number'], int(g['number'])))])]

    @form.atom(rf'{SUBJECT} is (?P<no>not )?NULL')
    def on_null_address(self, g):
        """A device address "is NULL" where it is 0."""
        subject = self.address_member(g['subject'])
        return [Compare(subject, '!=' if g['no'] else '==', Number('0', 0))]

    def of_used_tables(self, sentence):
        """Guards sentences about a shader binding table: nothing is read of a table without
        entries, and it may lead anywhere. The same holds where a table has no buffer."""
        members = members_of(sentence) if self.is_command else []
        offsets = {
            re.sub('(Offset|Stride)$', 'TableBuffer', x.path[0])
            for x in members
            if re.fullmatch(r'\w+ShaderBinding(Offset|Stride)', '.'.join(x.path))
        }
        if len(offsets) == 1:
            buffer = self.place(offsets.pop())
            buffer.unsaid = True
            return Sentence([Any([Null(buffer, False)])] + sentence.guards, sentence.must)
        tables = {
            x.path[0]
            for x in members
            if len(x.path) == 2
            and x.path[0].endswith('ShaderBindingTable')
            and not x.each
            and not x.chain
        }
        if len(tables) != 1 or any(x.path[-1] == 'size' for x in members):
            return sentence
        size = self.place(f'{tables.pop()}->size')
        size.unsaid = True
        return Sentence(
            [Any([Compare(size, '!=', Number('0', 0))])] + sentence.guards, sentence.must
        )

    # --- memory of objects ------------------------------------------------------------------------

    @form.must(
        rf'(?:the buffer used to create )?{SUBJECT} must (?:be bound to host-visible '
        rf'device memory|be bound to memory that was not allocated with multiple instances|'
        r'not be bound to memory that was allocated with multiple instances)'
    )
    @form.must(rf'the buffer used to create {SUBJECT} must be bound to device memory')
    @form.must(
        rf'(?:the range of )?{SUBJECT}(?: accessed by this command)? must be fully backed '
        rf'by physical memory'
    )
    @form.must(rf'{SUBJECT} must have been created with vkCreateAccelerationStructureKHR')
    def must_lie(self, g):
        each = re.fullmatch(rf'each (?:micromap|acceleration structure) in ({PLACE})', g['subject'])
        subject = self._element(each[1], None) if each else self.handle(g['subject'])
        if not isinstance(subject, Member) or self.handle_type(subject) not in IN_BUFFERS:
            raise NotUnderstood(g[0])
        how = (
            'HOST_VISIBLE'
            if 'host-visible' in g[0]
            else 'SINGLE'
            if 'multiple instances' in g[0]
            else 'NAMED'
            if 'vkCreate' in g[0]
            else 'ANY'
        )
        if how == 'NAMED' and self.handle_type(subject) != 'VkAccelerationStructureKHR':
            raise NotUnderstood(g[0])
        return [Any([Bound(subject, self.handle_type(subject), how)])]

    @form.must(
        rf'{SUBJECT} must have been created with a value of '
        rf'(?P<structure>Vk\w+)::(?P<name>{NAME}) equal to either (?P<values>{CONSTANTS})'
    )
    def must_created_as(self, g):
        """`x must have been created with a value of VkFoo::bar equal to either A or B`"""
        holder = self.handle(g['subject'])
        fact = self.fact_named(holder, g['name'])
        if facts.KINDS[fact.handle].structure != g['structure'] or None in self.constants(
            g['values'], fact
        ):
            raise NotUnderstood(g[0])
        return [Any([Among(fact, self.constants(g['values'], fact), True)])]

    @form.must(
        rf'{SUBJECT} must match the value of (?P<structure>Vk\w+)::(?P<name>{NAME}) when '
        rf'(?P<holder>its {NAME}) was created'
    )
    def must_match_created(self, g):
        """`its type member must match the value of VkFoo::type when its dst was created`"""
        fact = self.fact_named(self.handle(g['holder']), g['name'])
        if facts.KINDS[fact.handle].structure != g['structure']:
            raise NotUnderstood(g[0])
        return [Any([self._compare(self.subject(g['subject']), '==', fact)])]

    @form.must(rf"(?P<subject>{NAME}) must match the (?P<holder>{NAME})'s (?P<name>{NAME})")
    def must_match_fact(self, g):
        """`a must match the b's c`"""
        return [
            Any(
                [
                    self._compare(
                        self.subject(g['subject']),
                        '==',
                        self.fact_named(self.handle(g['holder']), g['name']),
                    )
                ]
            )
        ]

    @form.must(rf"(?P<outer>{NAME})'s (?P<holder>{NAME}) must have been created with (?P<tail>.+)")
    def must_created_of(self, g):
        """`a's b must have been created with the X bit set`"""
        holder = self.handle(f'{g["outer"]}->{g["holder"]}')
        return [Any([self.created_with(holder, g['tail'], True)])]

    # --- values -----------------------------------------------------------------------------------

    @form.must(
        rf'(?P<subject>{PLACE}(?: × {PLACE})+) must be (?P<operator>{OPERATOR}) (?P<value>{VALUE})'
    )
    @form.must(
        rf'(?P<subject>{PLACE}) must be (?P<operator>{OPERATOR}) (?P<value>{VALUE}(?: × |'
        rf'\*){VALUE})'
    )
    def must_product(self, g):
        left = self.value(g['subject']) if '×' in g['subject'] else self.subject(g['subject'])
        operator = OPERATORS[g['operator']]
        if operator is None:
            raise NotUnderstood(g[0])
        return [Any([self._compare(left, operator, self.value(g['value']))])]

    @form.must(
        rf'the (?P<left>{NAME}) member of (?P<of>{NAME}) must be equal to its '
        rf'(?P<right>{NAME}) member'
    )
    def must_equal_member(self, g):
        """`The a member of b must be equal to its c member`"""
        joint = '->' if self.n.is_pointer(self.subject(g['of']).field) else '.'
        left, right = (self.subject(f'{g["of"]}{joint}{x}') for x in (g['left'], g['right']))
        return [Any([self._compare(left, '==', right)])]

    @form.must(rf'{SUBJECT} must be less than or equal to (?P<number>\d+) bytes')
    def must_at_most_bytes(self, g):
        return [
            Any(
                [
                    self._compare(
                        self.subject(g['subject']), '<=', Number(g['number'], int(g['number']))
                    )
                ]
            )
        ]

    @form.must(rf'{SUBJECT} must be a valid (?:value from )?(?P<enum>Vk\w+)(?: value)?')
    def must_value_of(self, g):
        """`x must be a valid VkFoo value`: one of all that VkFoo has."""
        subject = self.subject(g['subject'])
        enum = self.m.enums.get(self.m.enum_aliases.get(g['enum'], g['enum']))
        if (
            enum is None
            or isinstance(subject, Fact)
            or subject.field.type not in ('uint32_t', 'uint16_t', 'int32_t', enum.name, g['enum'])
        ):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, [x.name for x in enum.fields if x.value >= 0], True)])]

    @form.must(rf'its (?P<a>{PLACE}) and (?P<b>{PLACE}) members must (?P<rest>.+)')
    def must_members(self, g):
        """`its a and b members must ...`"""
        clauses = []
        for name in (g['a'], g['b']):
            clauses += self.statement(f'its {name} member must {g["rest"]}', []).must
        return clauses

    @form.must(rf'{SUBJECT} must be a valid (?P<handle>Vk\w+) handle')
    def must_valid_handle(self, g):
        """Reads that a handle is not VK_NULL_HANDLE. The room of lifetimes reports garbage."""
        subject = self.handle(g['subject'])
        if not isinstance(subject, Member) or self.handle_type(
            subject
        ) != self.n.handle_aliases.get(g['handle']):
            raise NotUnderstood(g[0])
        return [Any([Null(subject, False)])]

    @form.must(rf'only stages specified in (?P<limit>{PLACE}) can be set in (?P<subject>{PLACE})')
    def must_only_stages(self, g):
        """`Only stages specified in VkFoo::bar can be set in a`"""
        subject, limit = self.subject(g['subject']), self.value(g['limit'])
        if not isinstance(limit, Limit) or self.n.value_type(limit.field.type) != self.n.value_type(
            subject.field.type
        ):
            raise NotUnderstood(g[0])
        return [Any([BitsOfLimit(subject, limit, 'within')])]

    @form.must(
        rf'(?P<subject>{NAME}) must be less than or equal to (?P<limit>{PLACE}) and '
        rf'Vk\w+::{NAME} that was used to determine the preprocessSize'
    )
    def must_limit_of_two(self, g):
        """`... and VkFoo::bar that was used to determine the preprocessSize`: which call that was,
        nobody can know."""
        return self.must(f'{g["subject"]} must be less than or equal to {g["limit"]}')

    # --- chains -----------------------------------------------------------------------------------

    @form.must(
        r'(?:either )?an? (?P<a>Vk\w+) or (?:an? )?(?P<b>Vk\w+) must be included in the pNext chain'
    )
    def must_chain_one_of(self, g):
        return [
            Any(
                self.on_chained({'structure': g['a'], 'no': None})
                + self.on_chained({'structure': g['b'], 'no': None})
            )
        ]

    # --- tokens -----------------------------------------------------------------------------------

    def _tokens(self, array, values):
        """The Count of an array's elements that are of these types of token."""
        field = self.members.get(array)
        structure = (
            self.n.structure(field.type)
            if field is not None and self.n.is_pointer(field) and field.length in self.members
            else None
        )
        kinds = {'VkIndirectCommandsTokenTypeEXT', 'VkIndirectCommandsTokenTypeNV'}
        kind = next((x for x in structure.members if x.type in kinds), None) if structure else None
        known = values if isinstance(values, list) else re.findall(CONSTANT, values)
        if kind is None or any(self.n.constants.get(c, (0, None))[1] != kind.type for c in known):
            raise NotUnderstood(array)
        return Count(array, kind, known)

    @form.must(
        rf'the number of tokens in the (?P<array>{NAME}) array with type equal to '
        rf'(?P<values>{CONSTANTS}) must be less than or equal to (?P<number>\d+)'
    )
    def must_tokens(self, g):
        return [
            Any(
                [
                    Compare(
                        self._tokens(g['array'], g['values']),
                        '<=',
                        Number(g['number'], int(g['number'])),
                    )
                ]
            )
        ]

    @form.atom(
        rf'{SUBJECT} was (?P<no>not )?created with a token sequence that contained the '
        rf'(?P<values>{CONSTANT}) token'
    )
    @form.atom(
        rf'the token sequence of the passed (?P<subject>{NAME}) (?P<no>does not )?contains '
        rf'an? (?P<values>{CONSTANT}) token'
    )
    def on_layout_tokens(self, g):
        """Reads which tokens a layout was created with."""
        if re.findall(CONSTANT, g['values']) != [
            'VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT'
        ]:
            raise NotUnderstood(g[0])
        return [
            Null(self.fact_named(self.handle(g['subject']), 'execution set token'), bool(g['no']))
        ]

    @form.must(
        rf'(?:the state )?tokens in (?P<array>{NAME}) must (?P<only>only )(?:include '
        rf')(?P<values>{CONSTANTS})'
    )
    def must_tokens_only(self, g):
        count = self._tokens(g['array'], g['values'])
        return [
            Any(
                [
                    Among(
                        self._element(g['array'], count.field.name),
                        count.constants,
                        bool(g['only']),
                    )
                ]
            )
        ]

    def _such(self, g):
        """The tokens that the condition has named; it says nothing more than what must be so."""
        if not isinstance(self.here.it, Count):
            raise NotUnderstood(g[0])
        self.here.it.unsaid = True
        return self.here.it

    @form.must(r'this token must be the first token in the array')
    @form.must(
        r'it must be the first element of the array and there must be only a single '
        r'element of such token type'
    )
    def must_token_first(self, g):
        """Where it must be the first one, there cannot be another."""
        count = self._such(g)
        element = self._element(count.array, count.field.name)
        return [
            Any(
                [
                    Compare(Index(element.each), '==', Number('0', 0)),
                    Among(element, count.constants, False),
                ]
            )
        ]

    @form.must(r'there must be only a single element of such token type')
    def must_token_single(self, g):
        return [Any([Compare(self._such(g), '<=', Number('1', 1))])]

    @form.must(rf'the action command token must be the last token in the (?P<array>{NAME}) array')
    def must_action_last(self, g):
        count = self._tokens(g['array'], ACTIONS)
        element = self._element(g['array'], count.field.name)
        last = Difference(self.subject(self.members[g['array']].length), Number('1', 1))
        return [Any([Compare(Index(element.each), '==', last), Among(element, ACTIONS, False)])]

    @form.atom(
        rf'the action command token in the (?P<array>{NAME}) array is not (?P<what>an '
        rf'indexed|a non-mesh) draw token'
    )
    def on_action(self, g):
        """The action command token is there, and is not one of these."""
        known = INDEXED_DRAWS if g['what'] == 'an indexed' else NON_MESH_DRAWS
        count = self._tokens(g['array'], [x for x in ACTIONS if x not in known])
        count.unsaid = True
        return [Compare(count, '!=', Number('0', 0))]

    @form.must(
        rf'(?P<array>{NAME}) must not contain a member with type set to (?P<values>{CONSTANTS})'
    )
    def must_no_token(self, g):
        return [Any([Compare(self._tokens(g['array'], g['values']), '==', Number('0', 0))])]

    def _stages(self, subject, what):
        if self.n.value_type(subject.field.type) != 'VkShaderStageFlagBits':
            raise NotUnderstood(what)
        return Bits(subject, GRAPHICS_STAGES if what == 'graphics' else RAY_TRACING_STAGES, 'any')

    @form.must(rf'{SUBJECT} must contain (?P<what>graphics|ray tracing) stages')
    def must_stages(self, g):
        return [Any([self._stages(self.subject(g['subject']), g['what'])])]

    @form.atom(
        rf'(?:the )?(?P<array>{NAME}) (?:array )?(?:includes|contains)(?: an?| an entry '
        rf'of)? (?P<values>{CONSTANT})(?: token)?'
    )
    def on_tokens(self, g):
        self.now(it=self._tokens(g['array'], g['values']))
        return [Compare(self.here.it, '!=', Number('0', 0))]

    @form.atom(rf'{SUBJECT} is (?P<no>not )?of type (?P<values>{CONSTANTS})')
    def on_type(self, g):
        return self.on_among(g)

    @form.must(
        r'(?:the )?pNext chain must (?P<no>(?!))?include an? (?:single )?'
        r'(?P<structure>Vk\w+) struct(?:ure)?'
    )
    def must_chain_single(self, g):
        return self.must_chain(g)
