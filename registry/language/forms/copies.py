"""Forms of sentences about formats, and about regions of images: what format, type and samples an
image has, what its format features are, and where in a mip level a region lies."""

import re

from language import facts, form
from language.atoms import Among, Bits, BitsOfLimit, Compare, FormatTraits
from language.sentence import Any
from language.sentence_values import CONSTANT, CONSTANTS, NAME, OPERATOR, OPERATORS, PLACE, SUBJECT
from language.values import LevelExtent, NotUnderstood, Number, Recorded, Sum

KIND = '|'.join(sorted(map(re.escape, facts.FORMAT_KINDS), key=len, reverse=True))
AXIS = r'(?P<axis>width|height|depth)'
AXES = {'width': 0, 'height': 1, 'depth': 2}
NEVER = [
    'VK_IMAGE_ASPECT_METADATA_BIT',
    'VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT',
    'VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT',
    'VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT',
    'VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT',
]
PLANES = [
    'VK_IMAGE_ASPECT_PLANE_0_BIT',
    'VK_IMAGE_ASPECT_PLANE_1_BIT',
    'VK_IMAGE_ASPECT_PLANE_2_BIT',
]


class CopyForms:
    # --- formats ----------------------------------------------------------------------------------

    def image(self, text):
        """A handle of an image."""
        holder = self.handle(text)
        if self.handle_type(holder) != 'VkImage':
            raise NotUnderstood(text)
        return holder

    def format_of_of_copies(self, text):
        """The format that a noun phrase means: a member of that type, or an image's."""
        text = re.sub(r'^(?:the )?(?:VkFormat|format) (?:used to create|of) ', '', text)
        subject = self.subject(text)
        if self.n.is_handle(subject.field):
            return self.fact_named(subject, 'format')
        if self.n.value_type(subject.field.type) != 'VkFormat':
            raise NotUnderstood(text)
        return subject

    def kinds(self, text):
        return list(
            dict.fromkeys(k for name in re.findall(KIND, text) for k in facts.FORMAT_KINDS[name])
        )

    def on_format_of_copies(self, g):
        return [
            FormatTraits(
                self.format_of_of_copies(g['subject']), self.kinds(g['kinds']), not g['no']
            )
        ]

    @form.must(
        rf'the (?P<name>{NAME}) member of (?P<left>{NAME}) and (?P<right>{NAME}) must '
        rf'(?P<no>not )?(?P<predicate>only contain .+)'
    )
    def must_members_of_copies(self, g):
        """`the aspectMask member of srcSubresource and dstSubresource must ...`"""
        return [
            clause
            for x in (g['left'], g['right'])
            for clause in self.predicate(
                self.subject(f'{x}.{g["name"]}'), g['predicate'], bool(g['no'])
            )
        ]

    @form.clauses(
        rf'the VkFormat of each of (?P<left>{NAME}) and (?P<right>{NAME}) is (?P<no>not '
        rf')?an? (?P<kinds>{KIND})'
    )
    def on_formats_of_both(self, g):
        """`the VkFormat of each of srcImage and dstImage is not a multi-planar format`"""
        return [
            Any(
                [
                    FormatTraits(
                        self.fact_named(self.image(x), 'format'),
                        self.kinds(g['kinds']),
                        not g['no'],
                    )
                ]
            )
            for x in (g['left'], g['right'])
        ]

    @form.must(
        rf'(?P<sum>{PLACE} \+ {PLACE}) of each element of (?P<array>{NAME}) must be '
        rf'(?P<operator>{OPERATOR}) (?P<value>.+)'
    )
    def must_sum_of_element(self, g):
        if self.here.each is None:
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    self._compare(
                        self.value(g['sum']), OPERATORS[g['operator']], self.value(g['value'])
                    )
                ]
            )
        ]

    @form.must(
        rf'{SUBJECT} must not include VK_IMAGE_ASPECT_MEMORY_PLANE_i_BIT_EXT for any index i'
    )
    def must_not_be_of_memory(self, g):
        return [Any([Bits(self.subject(g['subject']), NEVER[1:], 'none')])]

    # --- type and samples -------------------------------------------------------------------------

    @form.atom(
        rf'{SUBJECT} (?:is (?P<no>not )?(?:a |an )|(?:does not have|has) (?:a |an |either '
        rf'a )|was (?:not )?created with (?:a |an ))(?P<kinds>(?:{KIND})(?: or (?:a |an '
        rf')?(?:{KIND}))*)'
    )
    def on_format_said(self, g):
        text = g[0][len(g['subject']) :]
        return [
            FormatTraits(
                self.format_of_of_copies(g['subject']),
                self.kinds(g['kinds']),
                not re.match(r' (?:is not|does not have|was not)', text),
            )
        ]

    def types(self, text):
        names = re.findall(CONSTANT, text)
        if not names or any(self.n.constants.get(n, (0, None))[1] != 'VkImageType' for n in names):
            raise NotUnderstood(text)
        return names

    @form.atom(
        rf'either (?:of )?(?P<left>{NAME}) or (?P<right>{NAME}) is of type (?P<values>{CONSTANT})'
    )
    def on_either_type(self, g):
        return [
            Among(self.fact_named(self.image(x), 'imageType'), self.types(g['values']), True)
            for x in (g['left'], g['right'])
        ]

    @form.clauses(
        rf'(?P<left>{NAME}) and (?P<right>{NAME}) are both of type (?P<values>{CONSTANT})'
    )
    def on_both_types(self, g):
        return [
            Any([Among(self.fact_named(self.image(x), 'imageType'), self.types(g['values']), True)])
            for x in (g['left'], g['right'])
        ]

    @form.atom(rf'(?P<subject>{NAME}) is (?P<no>not )?(?:of type )?(?P<values>{CONSTANTS})')
    def on_image_type(self, g):
        return [
            Among(
                self.fact_named(self.image(g['subject']), 'imageType'),
                self.types(g['values']),
                not g['no'],
            )
        ]

    @form.must(
        rf'(?P<subject>the aspectMask member of imageSubresource) must not be '
        rf'(?P<values>{CONSTANT} or {CONSTANT})'
    )
    def must_not_be_aspect(self, g):
        """Reads that an aspectMask is none of the values. Another statement says that it has one
        bit."""
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != 'VkImageAspectFlagBits':
            raise NotUnderstood(g[0])
        return [Any([Among(subject, self.constants(g['values'], subject), False)])]

    @form.must(rf'(?P<first>{PLACE} must .+?)(?:,)? and (?P<second>{PLACE} must .+)')
    def must_both(self, g):
        """`a must be 0 and b must be 1`"""
        return self.must(g['first']) + self.must(g['second'])

    @form.must(
        rf'(?:the )?format features of (?P<subject>{PLACE}) must contain (?P<values>{CONSTANTS})'
    )
    def must_features(self, g):
        holder = self.handle(g['subject'])
        names = re.findall(CONSTANT, g['values'])
        fact = self.fact_named(holder, 'format features')
        if any(
            self.n.constants.get(n, (0, None))[1]
            not in ('VkFormatFeatureFlagBits', 'VkFormatFeatureFlagBits2')
            for n in names
        ):
            raise NotUnderstood(g[0])
        return [Any([Bits(fact, names, 'any')])]

    @form.must(
        rf'{SUBJECT} must (?P<no>not )?(?:be|have|use) (?:a |an |any of the '
        rf')?(?P<kinds>(?:{KIND})(?: or (?:a |an )?(?:{KIND}))*)'
    )
    def must_format_of_copies(self, g):
        return [Any(self.on_format_of_copies(g))]

    # --- queues -----------------------------------------------------------------------------------

    @form.clauses(
        rf'the queue family used to create the VkCommandPool which commandBuffer was '
        rf'allocated from does not support (?P<lacks>{CONSTANTS})(?:,? but does support '
        rf'(?P<has>{CONSTANT}))?'
    )
    def on_family(self, g):
        """Reads what the queue family of the recorded command buffer's pool supports, and what it
        does not."""
        fact = self.fact_named(Recorded('VkCommandPool'), 'queueFlags')
        lacks, has = re.findall(CONSTANT, g['lacks']), re.findall(CONSTANT, g['has'] or '')
        if any(self.n.constants.get(n, (0, None))[1] != 'VkQueueFlagBits' for n in lacks + has):
            raise NotUnderstood(g[0])
        return [Any([Bits(fact, lacks, 'none')])] + [Any([Bits(fact, [n], 'any')]) for n in has]

    # --- regions ----------------------------------------------------------------------------------

    @form.atom(
        rf'(?P<left>{NAME}) and (?P<right>{NAME}) have (?P<how>the same|a different) VkImageType'
    )
    def on_same_type(self, g):
        left, right = (self.fact_named(self.image(x), 'imageType') for x in (g['left'], g['right']))
        return [Compare(left, '!=' if g['how'] == 'a different' else '==', right)]

    def level_extent(self, image, layers, axis):
        holder = self.image(image)
        member = self.subject(layers)
        if member.field.type != 'VkImageSubresourceLayers' or self.n.is_pointer(member.field):
            raise NotUnderstood(layers)
        return LevelExtent(self.fact_named(holder, 'extent.width'), member, AXES[axis])

    @form.must(
        rf'(?P<left>{NAME}) and (?P<right>{NAME}) must have been created with the same image format'
    )
    def must_same_format(self, g):
        left, right = (self.fact_named(self.image(x), 'format') for x in (g['left'], g['right']))
        return [Any([Compare(left, '==', right)])]

    @form.must(rf'(?:the )?sample count of (?P<left>{NAME}) and (?P<right>{NAME}) must match')
    def must_same_samples(self, g):
        left, right = (self.fact_named(self.image(x), 'samples') for x in (g['left'], g['right']))
        return [Any([Compare(left, '==', right)])]

    @form.atom(
        rf'in any element of (?P<array>{PLACE}) the (?P<name>{NAME}) member of '
        rf'(?P<member>{NAME}) is (?P<values>{CONSTANT})'
    )
    def on_any_element(self, g):
        """`in any element of pRegions the aspectMask member of imageSubresource is X`"""
        element = self._element(g['array'], f'{g["member"]}.{g["name"]}')
        return [Among(element, self.constants(g['values'], element), True)]

    @form.must(
        rf'(?P<subject>{NAME}) must have a sample count equal to (?P<other>any valid '
        rf'sample count value other than )?(?P<value>{CONSTANT})'
    )
    def must_samples_of_copies(self, g):
        fact = self.fact_named(self.image(g['subject']), 'samples')
        return [Any([Among(fact, [g['value']], not g['other'])])]

    @form.must(rf'(?P<left>{NAME}) and (?P<right>{NAME}) must have (?P<how>the same) VkImageType')
    def must_same_type(self, g):
        return [Any(self.on_same_type(g))]

    @form.must(rf'(?P<subject>{NAME}) must (?P<no>not )?be of type (?P<values>{CONSTANTS})')
    def must_image_type(self, g):
        return [Any(self.on_image_type(g))]

    @form.must(
        rf'(?P<offset>{PLACE}) and \((?P<extent>{PLACE}) \+ (?P<again>{PLACE})\) must both '
        rf'be greater than or equal to 0 and less than or equal to the {AXIS} of the '
        rf'specified (?P<layers>{NAME}) of (?P<image>{NAME})'
    )
    def must_lie_inside(self, g):
        """`A and (B + A) must both be greater than or equal to 0 and less than or equal to the
        width of the specified C of D`"""
        offset, extent = self.subject(g['offset']), self.subject(g['extent'])
        if (
            g['again'] != g['offset']
            or offset.field.type != 'int32_t'
            or extent.field.type != 'uint32_t'
        ):
            raise NotUnderstood(g[0])
        limit = self.level_extent(g['image'], g['layers'], g['axis'])
        return [
            Any([Compare(offset, '>=', Number('0', 0))]),
            Any([Compare(Sum(offset, extent), '<=', limit)]),
        ]

    @form.must(
        rf'(?P<left>{NAME}\[0\]\.\w) and (?P<right>{NAME}\[1\]\.\w) must both be greater '
        rf'than or equal to 0 and less than or equal to the {AXIS} of the specified '
        rf'(?P<layers>{NAME}) of (?P<image>{NAME})'
    )
    def must_lie_between_sides(self, g):
        """`A[0] and A[1] must both be greater than or equal to 0 and less than or equal to the
        width of the specified C of D`"""
        limit = self.level_extent(g['image'], g['layers'], g['axis'])
        out = []
        for x in (g['left'], g['right']):
            corner = self.subject(x)
            if corner.field.type != 'int32_t':
                raise NotUnderstood(x)
            out += [
                Any([Compare(corner, '>=', Number('0', 0))]),
                Any([Compare(corner, '<=', limit)]),
            ]
        return out

    @form.must(
        rf'{SUBJECT} must be a multiple of the texel block extent {AXIS} of the VkFormat '
        rf'of (?P<image>{NAME})'
    )
    def must_be_of_block(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type not in ('int32_t', 'uint32_t'):
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    Compare(
                        subject,
                        'multiple',
                        self.fact_named(self.image(g['image']), f'texel block {g["axis"]}'),
                    )
                ]
            )
        ]

    @form.must(rf'{SUBJECT} must be a multiple of the texel block size')
    def must_be_of_bytes(self, g):
        """`bufferOffset must be a multiple of the texel block size`: of the image that the guards
        speak of."""
        found = [p for p in ('srcImage', 'dstImage') if re.search(rf'\b{p}\b', self.here.text)]
        subject = self.subject(g['subject'])
        if len(found) != 1 or subject.field.type != 'VkDeviceSize':
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    Compare(
                        subject,
                        'multiple',
                        self.fact_named(self.image(found[0]), 'texel block size'),
                    )
                ]
            )
        ]

    @form.must(rf'{SUBJECT} must specify aspects present in (?P<image>{NAME})')
    def must_be_present(self, g):
        """An aspect that no region may have is reported as that."""
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != 'VkImageAspectFlagBits':
            raise NotUnderstood(g[0])
        both = ['VK_IMAGE_ASPECT_DEPTH_BIT', 'VK_IMAGE_ASPECT_STENCIL_BIT']
        aspects = self.fact_named(self.image(g['image']), 'aspects')
        self.unsaid += [
            Any([Bits(subject, NEVER, 'none')]),
            Any(
                [Bits(subject, ['VK_IMAGE_ASPECT_COLOR_BIT'], 'none'), Bits(subject, both, 'none')]
            ),
        ]
        return [Any([BitsOfLimit(subject, aspects, 'within')])]

    @form.must(
        rf'{SUBJECT} for each element in (?P<array>{NAME}) must not specify an aspect '
        rf'which is not part of the image format of (?P<image>{NAME})'
    )
    def must_be_present_in(self, g):
        return self.with_each(g['array'], lambda: self.must_be_present(g))

    @form.must(rf'{SUBJECT} must be a single valid multi-planar aspect mask bit')
    def must_be_a_plane(self, g):
        """ "a single valid multi-planar aspect mask bit": VK_IMAGE_ASPECT_PLANE_2_BIT of a format
        that has three planes only (Glossary)."""
        subject = self.subject(g['subject'])
        found = [
            p for p in ('srcImage', 'dstImage', 'image') if re.search(rf'\b{p}\b', self.here.text)
        ]
        if len(found) != 1 or self.n.value_type(subject.field.type) != 'VkImageAspectFlagBits':
            raise NotUnderstood(g[0])
        return [
            Any([Among(subject, PLANES, True)]),
            Any([BitsOfLimit(subject, self.fact_named(self.image(found[0]), 'aspects'), 'within')]),
        ]

    @form.must(
        rf'{SUBJECT} must be 0, or greater than or equal to the (?P<name>{NAME}) member of '
        rf'(?P<at>{NAME})'
    )
    def must_be_zero_or(self, g):
        subject, limit = self.subject(g['subject']), self.subject(f'{g["at"]}.{g["name"]}')
        return [Any([Compare(subject, '==', Number('0', 0)), Compare(subject, '>=', limit)])]

    @form.atom(
        rf'the sum of (?P<offset>{PLACE}) and (?P<extent>{PLACE}) does not equal the '
        rf'{AXIS} of the subresource specified by (?P<layers>{NAME})'
    )
    def on_not_whole(self, g):
        """`the sum of A and B does not equal the width of the subresource specified by C`: of the
        image that follows in the sentence."""
        offset, extent = self.subject(g['offset']), self.subject(g['extent'])
        if offset.field.type != 'int32_t' or extent.field.type != 'uint32_t':
            raise NotUnderstood(g[0])
        found = [
            p for p in ('srcImage', 'dstImage', 'image') if re.search(rf'\b{p}\b', self.here.text)
        ]
        if len(found) != 1:
            raise NotUnderstood(g[0])
        return [
            Compare(Sum(offset, extent), '!=', self.level_extent(found[0], g['layers'], g['axis']))
        ]

    @form.must(rf'(?P<left>{PLACE}) and (?P<right>{PLACE}) must match')
    def must_match(self, g):
        left, right = self.subject(g['left']), self.subject(g['right'])
        if left.field.type != right.field.type:
            raise NotUnderstood(g[0])
        return [Any([Compare(left, '==', right)])]
