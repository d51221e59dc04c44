"""Forms of sentences about the commands that take device addresses, about copies whose regions lie
in memory, and about pipeline stages."""

import re

from language import facts, form
from language.atoms import (
    AddressBound,
    AddressFlags,
    Among,
    Bits,
    BitsOfLimit,
    Chained,
    Compare,
    Extension,
    Feature,
    FormatTraits,
    Null,
    PowerOfTwo,
)
from language.sentence import Any
from language.sentence_values import (
    CONSTANT,
    NAME,
    OPERATOR,
    OPERATORS,
    PLACE,
    SUBJECT,
    FactPath,
)
from language.values import Fact, LevelExtent, Member, NotUnderstood, Number, Product, Recorded

SHADER_STAGES = r'VK_PIPELINE_STAGE(?:_2)?_\*_SHADER_BIT'
AXES = {'width': 0, 'height': 1, 'depth': 2}


class AddressForms:
    # --- stages -----------------------------------------------------------------------------------

    @form.condition(rf'the (?P<name>{NAME}) feature is not enabled')
    def on_no_feature_of(self, g):
        """`the meshShader feature is not enabled`, where several structures have a feature of that
        name: none of them is."""
        found = sorted(
            c
            for c, f in self.n.features.items()
            if any(member == g['name'] for _, member in f.places) and c.endswith(f'_{g["name"]}')
        )
        if (
            len({id(self.n.features[c]) for c in found}) < 2
            or f'FEATURE_{g["name"]}' in self.n.features
        ):
            raise NotUnderstood(g[0])
        return [Any([Feature(c, False)]) for c in found]

    @form.condition(
        rf'neither the (?P<extension>VK_\w+) extension (?:or|nor) the (?P<feature>{NAME}) '
        rf'feature (?:are|is) enabled'
    )
    def on_neither_of_kinds(self, g):
        """`neither the VK_FOO extension or the bar feature are enabled`"""
        if g['extension'] not in self.m.extensions:
            raise NotUnderstood(g[0])
        return [
            Any([Extension(g['extension'], False)]),
            Any([Feature(self.feature(g['feature']), False)]),
        ]

    @form.must(
        r"(?:the current device mask of commandBuffer|commandBuffer's current device mask) "
        r'must include exactly one physical device'
    )
    def must_have_one_device(self, g):
        """A mask that is not known is 0."""
        mask = self.mask_of_recorded('current device mask')
        self.unsaid.append(Any([Compare(mask, '!=', Number('0', 0))]))
        return [Any([PowerOfTwo(mask)])]

    @form.must(
        rf'{SUBJECT} must not include any set bits that were not in the '
        rf'VkDeviceGroupCommandBufferBeginInfo::deviceMask value when the command buffer '
        rf'began recording'
    )
    @form.must(rf"{SUBJECT} must be a subset of the command buffer's initial device mask")
    def must_be_of_initial_mask(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type != 'uint32_t':
            raise NotUnderstood(g[0])
        return [Any([BitsOfLimit(subject, self.mask_of_recorded('initial device mask'), 'within')])]

    @form.atom(rf'either (?P<first>{PLACE}) or (?P<second>{PLACE}) includes (?P<value>{CONSTANT})')
    def on_either_has(self, g):
        """`either A or B includes C`"""
        flags = [self.subject(x) for x in (g['first'], g['second'])]
        atoms = [Bits(x, self.constants(g['value'], x), 'any') for x in flags]
        if not all(self.n.is_bits(x.field) for x in flags):
            raise NotUnderstood(g[0])
        return atoms

    # --- buffers at addresses ---------------------------------------------------------------------

    @form.atom(
        rf'any buffer, which is bound to a range of VkDeviceMemory that overlaps the range '
        rf'backing (?P<place>{PLACE}), was created with(?P<without>out)? '
        rf'(?P<value>{CONSTANT})'
    )
    def on_overlapping(self, g):
        """ "any buffer, which is bound to a range of VkDeviceMemory that overlaps the range backing
        X": those are meant that have the address. "without" holds where none of them has the usage:
        then there is one without it."""
        usage = self.address_usage(g['place'], g['value'])
        usage.positive = not g['without']
        return [usage]

    @form.atom(
        rf'the buffer from which the range specified by (?P<place>{PLACE}) was created '
        rf'with(?P<without>out)? (?P<value>{CONSTANT})'
    )
    def on_queried_range(self, g):
        """ "the buffer from which X was queried": buffers of protected memory share it with no
        others."""
        subject = self.address(g['place'])
        if g['value'] != 'VK_BUFFER_CREATE_PROTECTED_BIT':
            raise NotUnderstood(g[0])
        return [AddressFlags(subject, [g['value']], not g['without'])]

    @form.atom(
        rf'the range specified by (?P<place>{PLACE}) is not bound completely to memory '
        rf'when accessed'
    )
    def on_unbound_range(self, g):
        """ "is not bound completely to memory when accessed": a buffer that is not sparse is never
        bound again."""
        return [AddressBound(self.address(g['place']), positive=False)]

    @form.must(rf'all elements of (?P<array>{NAME}) must be valid device masks')
    def must_be_masks(self, g):
        mask = self.fact_named(Recorded('VkDevice'), 'device mask')
        return [Any([BitsOfLimit(self._element(g['array'], None), mask, 'within')])]

    @form.must(rf'{SUBJECT} must include only a single pipeline stage')
    def must_be_one_stage(self, g):
        """ "only a single pipeline stage": VK_PIPELINE_STAGE_2_NONE is none, and not more than
        one."""
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != 'VkPipelineStageFlagBits2':
            raise NotUnderstood(g[0])
        return [Any([Bits(subject, [], 'one'), Compare(subject, '==', Number('0', 0))])]

    # --- numbers ----------------------------------------------------------------------------------

    @form.must(rf'{SUBJECT} must include (?P<values>.*{SHADER_STAGES}.*)')
    def must_be_shader_stages(self, g):
        """`srcStageMask must include A, B, or one of the VK_PIPELINE_STAGE_*_SHADER_BIT stages`"""
        subject = self.subject(g['subject'])
        kind = self.n.value_type(subject.field.type)
        if kind not in ('VkPipelineStageFlagBits2', 'VkPipelineStageFlagBits'):
            raise NotUnderstood(g[0])
        names = re.findall(CONSTANT, re.sub(SHADER_STAGES, '', g['values']))
        if any(self.n.constants.get(n, (0, None))[1] != kind for n in names):
            raise NotUnderstood(g[0])
        names += [
            f.name
            for f in self.m.bitmasks[kind].flags
            if ('_SHADER_BIT' in f.name or 'PRE_RASTERIZATION_SHADERS' in f.name)
            and f.name not in names
        ]
        return [Any([Bits(subject, names, 'any')])]

    @form.must(
        rf'the buffer from which (?P<place>{PLACE}) was queried must (?P<never>not )?have '
        rf'been created with(?P<without>out)? (?P<value>VK_BUFFER_CREATE_\w+)'
    )
    def must_queried_range(self, g):
        """ "must have been created with X", "without X", or "must not have been created with X"."""
        return [
            Any(
                self.on_queried_range(
                    {**g.groupdict(), 0: g[0], 'without': g['without'] or g['never']}
                )
            )
        ]

    @form.condition(rf'(?P<subjects>{PLACE}(?:, {PLACE})*,? or {PLACE}) is not NULL')
    def on_one_not_null(self, g):
        """`a, b, or c is not NULL`"""
        found = [self.subject(x) for x in re.findall(PLACE, re.sub(r'\bor\b', ' ', g['subjects']))]
        if len(found) < 2 or not all(
            self.n.is_pointer(x.field) or self.n.is_handle(x.field) for x in found
        ):
            raise NotUnderstood(g[0])
        return [Any([Null(x, False) for x in found])]

    # --- regions ----------------------------------------------------------------------------------

    @form.subject(
        rf'[Tt]he (?:specified )?(?P<member>{NAME})(?: member)? (?:for|of) (?:every '
        rf'subresource|each region) in (?P<array>{NAME})'
    )
    def of_every(self, g):
        """`the aspectMask member for every subresource in pImageSubresources`"""
        return self._element(g['array'], g['member'])

    def sum_of_members(self, text):
        left, right = (self.subject(x) for x in text.split(' + '))
        return self.sum_of(left, right, text)

    @form.must(
        rf'the buffer from which (?P<place>{NAME}) was queried must have been created with '
        rf'(?P<value>{CONSTANT}) usage flag'
    )
    def must_address_of_parameter(self, g):
        """A parameter `pDstRange` that the sentence calls dstRange."""
        name = 'p' + g['place'][0].upper() + g['place'][1:]
        if name not in self.members or g['place'] in self.members:
            raise NotUnderstood(g[0])
        return [Any([self.address_usage(name, g['value'])])]

    def depth_of_element(self):
        """The depth of the mip level of dstImage that an element, a VkImageSubresourceLayers, is
        of."""
        if self.here.each is None:
            raise NotUnderstood('the specified subresource')
        field = (
            self.members[self.here.each]
            if isinstance(self.here.each, str)
            else self.here.each.field
        )
        if field.type != 'VkImageSubresourceLayers' or 'dstImage' not in self.members:
            raise NotUnderstood('the specified subresource')
        element = type(
            'Element',
            (),
            dict(
                type=field.type,
                fullType=field.type,
                name=field.name,
                fixedSizeArray=[],
                length=None,
            ),
        )
        return LevelExtent(
            self.fact_named(self.image('dstImage'), 'extent.width'),
            Member((), element, None, self.here.each),
            AXES['depth'],
        )

    @form.must(
        rf'the (?P<one>{NAME}) member of (?P<left>{NAME}) must be (?P<operator>{OPERATOR}) '
        rf'the (?P<other>{NAME}) member of (?P<right>{NAME})'
    )
    def must_members_compare(self, g):
        """`The size member of a must be greater than or equal to the size member of b`"""
        left, right = (
            self.subject(f'{g[at]}.{g[name]}') for at, name in (('left', 'one'), ('right', 'other'))
        )
        return [Any([self._compare(left, OPERATORS[g['operator']], right)])]

    @form.atom(
        rf'(?P<value>\({PLACE} \+ {PLACE}\)) does not equal the depth of the specified subresource'
    )
    def on_not_depth(self, g):
        return [Compare(self.sum_of_members(g['value'].strip('()')), '!=', self.depth_of_element())]

    @form.must(
        rf'(?P<subject>{NAME}) must be less than or equal to (?P<size>{PLACE}) / '
        rf'(?P<stride>{PLACE})'
    )
    def must_fit_in(self, g):
        """`n must be less than or equal to size / stride`: n times the stride is at most the
        size."""
        count, size, stride = (self.subject(g[x]) for x in ('subject', 'size', 'stride'))
        if (
            count.field.type != 'uint32_t'
            or size.field.type != 'VkDeviceSize'
            or stride.field.type != 'VkDeviceSize'
        ):
            raise NotUnderstood(g[0])
        return [Any([Compare(Product(count, stride), '<=', size)])]

    @form.atom(r'the device that semaphore was created on is (?P<no>not )?a device group')
    def on_group_of(self, g):
        """`the device that semaphore was created on is (not) a device group`: objects are of the
        call's device."""
        count = self.fact_named(Recorded('VkDevice'), 'physicalDeviceCount')
        return [
            self._compare(count, '==', Number('1', 1))
            if g['no']
            else self._compare(count, '>', Number('1', 1))
        ]

    @form.must(
        rf'the specified (?P<sum>{NAME} \+ {NAME}) of each region in (?P<array>{NAME}) '
        rf'must be (?P<operator>{OPERATOR}) (?P<value>.+)'
    )
    def must_sum_of_every(self, g):
        return self.with_each(
            g['array'],
            lambda: [
                Any(
                    [
                        self._compare(
                            self.sum_of_members(g['sum']),
                            OPERATORS[g['operator']],
                            self.value(g['value']),
                        )
                    ]
                )
            ],
        )

    @form.must(
        rf'(?P<value>\({PLACE} \+ {PLACE}\)|{PLACE}) must be less than or equal to the '
        rf'depth of the specified subresource'
    )
    def must_be_within_depth(self, g):
        value = (
            self.sum_of_members(g['value'].strip('()'))
            if '+' in g['value']
            else self.subject(g['value'])
        )
        return [Any([Compare(value, '<=', self.depth_of_element())])]

    @form.must(rf'(?P<subject>aspectMask) must not be (?P<values>{CONSTANT} or {CONSTANT})')
    def must_have_no_aspect(self, g):
        subject = self.subject(g['subject'])
        if (
            self.here.each is None
            or self.n.value_type(subject.field.type) != 'VkImageAspectFlagBits'
        ):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    # --- device groups ----------------------------------------------------------------------------

    def mask_of_recorded(self, name):
        if not (
            self.is_command
            and 'commandBuffer' in self.members
            or self.owner.name == 'VkDeviceGroupRenderPassBeginInfo'
        ):
            raise NotUnderstood(name)
        kept = facts.KINDS['sections'].facts[name]
        return Fact(
            Recorded('sections'), 'sections', FactPath(kept, kept.create), facts.word(kept.name)
        )

    @form.must(rf'(?P<image>{NAME}) must have a 1x1x1 texel block extent')
    def must_have_small_blocks(self, g):
        image = self.image(g['image'])
        return [
            Any([Compare(self.fact_named(image, f'texel block {axis}'), '==', Number('1', 1))])
            for axis in AXES
        ]

    @form.must(rf'(?P<left>{NAME}) and (?P<right>{NAME}) must not be block-compressed images')
    def must_be_uncompressed(self, g):
        return [
            Any([FormatTraits(self.fact_named(self.image(x), 'format'), ['COMPRESSED'], False)])
            for x in (g['left'], g['right'])
        ]

    @form.atom(
        rf'any element of (?P<array>{NAME}) contains (?P<structure>Vk\w+) in its pNext chain'
    )
    def on_element_chained(self, g):
        """`any element of pRegions contains VkFoo in its pNext chain`: of each that does."""
        return [
            Chained(
                self.n.structure(g['structure']).name,
                True,
                self._chain_holder(g['array'], g['structure']),
            )
        ]

    @form.must(
        rf'(?P<left>{NAME}) and (?P<right>{NAME}) must have been created with equal values '
        rf'for Vk\w+::(?P<name>{NAME})'
    )
    def must_share(self, g):
        """`a and b must have been created with equal values for VkFoo::bar`"""
        left, right = (self.fact_named(self.handle(x), g['name']) for x in (g['left'], g['right']))
        return [Any([Compare(left, '==', right)])]

    @form.must(rf'{SUBJECT} must specify an aspect present in (?P<image>{NAME})')
    def must_specify_present(self, g):
        return self.must_be_present(g)


def normal(text):
    """Puts commas where sentences lack them, and says of elements what is said of regions."""
    text = re.sub(r'(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT) (?=VK_)', r'\1, ', text)
    text = re.sub(r'^(If the VK_\w+ extension is not enabled) (?=\w)', r'\1, ', text)
    text = text.replace('.pname:', '.')
    if 'for each destination region, ' in text:
        text = text.replace(
            'for each destination region, ', 'for each element of pImageSubresources, '
        ).replace('imageSubresource.', '')
    return text.replace(
        'for each region, the aspectMask member of pImageSubresources ',
        'for each element of pImageSubresources, aspectMask ',
    )
