"""Forms of sentences about video: what the driver can do with a video profile, and what structures
of another chain say."""

import re

from language import facts, form
from language.atoms import Among, Bits, BitsOfLimit, Compare
from language.sentence import Any
from language.sentence_values import CONSTANT, NAME, PLACE, SUBJECT, FactPath
from language.values import Fact, Member, NotUnderstood, Number, Recorded

OF_PROFILE = (
    r'as returned by vkGetPhysicalDeviceVideoCapabilitiesKHR for the (?:video profile '
    r'(?P<session>the bound video session|(?:the )?[\w>.-]+) was '
    r'created with|(?P<used>used video profile)|video profile specified (?:by|in) '
    r'(?P<profile>[\w>.-]+))'
)


class VideoForms:
    def prepare(self, text):
        """Takes out of a sentence, and notes, whose profile the capabilities that it names are
        of."""
        text = self.rewritten(text)
        g = re.search(rf', {OF_PROFILE}', text)
        if not g:
            return text
        if g['used']:
            self.now(video=Recorded('VkVideoSessionKHR'))
        else:
            self.now(
                video=self.handle(g['session']) if g['session'] else self.subject(g['profile'])
            )
        text = text[: g.start()] + re.sub(r'^, (?=does |is |are )', ' ', text[g.end() :])
        if 'as returned by' in text:
            raise NotUnderstood(text)
        return self.prepared(text)

    def rewritten(self, text):
        """Ways to say it that the grammar has other words for."""
        text = re.sub(
            r'^If either (\w+) or (\w+) is 0, then both must be 0$',
            r'\1 and \2 must be 0 together',
            text,
        )
        text = re.sub(
            r'\b(\w+) and (\w+) are both VK_TRUE', r'\1 is VK_TRUE and \2 is VK_TRUE', text
        )
        text = re.sub(r'^(\w+) member must ', r'\1 must ', text)
        text = re.sub(
            (
                r'^Each non-negative VkVideoReferenceSlotInfoKHR::slotIndex specified in the '
                r'elements of (\w+) must '
            ),
            (
                r'If the slotIndex member of any element of \1 is not negative, then the '
                r'slotIndex member of any element of \1 must '
            ),
            text,
        )
        # The pictures that are referred to; a frame of two fields of H.264 counts twice, so that
        # there may be more.
        picture = {'vkCmdEncodeVideoKHR': 'pEncodeInfo', 'vkCmdDecodeVideoKHR': 'pDecodeInfo'}.get(
            getattr(self.owner, 'name', None)
        )
        if picture:
            text = re.sub(
                r'(?:\w+->)?activeReferencePictureCount must be less',
                f'{picture}->referenceSlotCount must be less',
                text,
            )
        g = re.search(r'any element of ([\w>-]+)', text)
        self.now(array=g[1] if g else None)
        return text

    def that_element(self, text):
        """A member of the element that the sentence's condition speaks of."""
        if self.here.array is None:
            raise NotUnderstood(text)
        return self._element(self.here.array, text)

    @staticmethod
    def prepared(text):
        return re.sub(r'(VkVideo\w+::\w+ does not include \w+)(?:,)?( then)', r'\1,\2', text)

    def capability(self, structure, text):
        """The value of a member of a structure of capabilities, as a Fact."""
        if self.here.video is None:
            raise NotUnderstood(text)
        at, field = structure, None
        for name in text.split('.'):
            field = {x.name: x for x in at.members}.get(name) if at else None
            if field is None or field.fixedSizeArray:
                raise NotUnderstood(text)
            at = self.n.structure(field.type)
        if not self.n.is_number(field):
            raise NotUnderstood(text)
        place = f'{structure.name[2:]}.{text}'
        handle = 'VkVideoSessionKHR'
        if isinstance(self.here.video, Member) and not self.n.is_handle(self.here.video.field):
            if self.here.video.field.type != 'VkVideoProfileInfoKHR':
                raise NotUnderstood(text)
            handle = 'video profile'
        elif self.handle_type(self.here.video) == handle:
            place = f'capabilities.{place}'
        else:
            raise NotUnderstood(text)
        return Fact(
            self.here.video,
            handle,
            FactPath(facts.Kept(f'{structure.name}::{text}', place, self.row_type(field)), place),
            field,
        )

    def profile_guards(self, sentence):
        """Returns the clauses that the profile is one that has the capabilities, where only some
        profiles have them."""
        kinds = {
            g[1]
            for a in sentence.atoms()
            for x in (getattr(a, 'subject', None), getattr(a, 'operand', None))
            if isinstance(x, Fact)
            for g in [
                re.match(r'VkVideo(Encode|Decode)(H264|H265|AV1|VP9|)\w*Capabilities', x.kept.name)
            ]
            if g
        }
        names = [
            c for k in sorted(kinds) for c in (facts.ENCODING if k == 'Encode' else facts.DECODING)
        ]
        for a in sentence.atoms():
            for x in (getattr(a, 'subject', None), getattr(a, 'operand', None)):
                g = (
                    re.match(
                        r'VkVideo(Encode|Decode)(H264|H265|AV1|VP9)\w*Capabilities', x.kept.name
                    )
                    if isinstance(x, Fact)
                    else None
                )
                if g:
                    names = [f'VK_VIDEO_CODEC_OPERATION_{g[1].upper()}_{g[2]}_BIT_KHR']
        if not names:
            return []
        if isinstance(self.here.video, Member) and not self.n.is_handle(self.here.video.field):
            operation = self.subject(
                '->'.join(['.'.join(self.here.video.path)]) + '->videoCodecOperation'
            )
        else:
            operation = self.fact_named(self.here.video, 'videoCodecOperation')
        known = [
            c.atoms[0]
            for c in sentence.guards
            if len(c.atoms) == 1 and isinstance(c.atoms[0], Among) and c.atoms[0].positive
        ]
        return (
            []
            if any(repr(a.subject) == repr(operation) for a in known)
            else [Any([Among(operation, names, True)])]
        )

    def row_type(self, field):
        kind = self.n.value_type(field.type)
        if kind in self.m.bitmasks:
            return 'U64' if self.m.bitmasks[kind].bitWidth == 64 else 'U32'
        if kind in self.m.enums:
            return 'I32'
        return {
            'uint32_t': 'U32',
            'VkBool32': 'U32',
            'int32_t': 'I32',
            'uint64_t': 'U64',
            'VkDeviceSize': 'U64',
        }[field.type]

    # --- atoms ------------------------------------------------------------------------------------

    @form.atom(rf'{SUBJECT} is (?P<no>not )?negative')
    def on_negative(self, g):
        subject = self.subject(g['subject'])
        if subject.field.type != 'int32_t':
            raise NotUnderstood(g[0])
        return [self._compare(subject, '>=' if g['no'] else '<', Number('0', 0))]

    def members_named(self, text):
        g = re.fullmatch(rf'the ({NAME}(?:, {NAME})*),? and ({NAME}) members of ({PLACE})', text)
        return (
            [self.subject(f'{g[3]}.{x}') for x in g[1].split(', ') + [g[2]]]
            if g
            else [self.subject(text)]
        )

    @form.atom(r'(?P<name>VkVideo\w+Capabilities\w*::\w+) is (?P<value>VK_TRUE|VK_FALSE)')
    def on_capability_bool(self, g):
        fact = self.subject(g['name'])
        if not isinstance(fact, Fact) or fact.field.type != 'VkBool32':
            raise NotUnderstood(g[0])
        return [Among(fact, [g['value']], True)]

    @form.must(rf'{SUBJECT} must all specify the same value')
    def must_all_alike(self, g):
        """`the a, b, and c members of d must all specify the same value`"""
        members = self.members_named(g['subject'])
        return [Any([Compare(a, '==', b)]) for a, b in zip(members, members[1:])]

    @form.must(
        rf'{SUBJECT} must all be between (?P<low>{PLACE}) and (?P<high>{PLACE})(?:, inclusive)?'
    )
    @form.must(rf'{SUBJECT} must be between (?P<low>\w+) and (?P<high>VkVideo{NAME}::{NAME})')
    def must_all_be(self, g):
        """`the a, b, and c members of d must all be between x and y`"""
        return [
            c
            for x in self.members_named(g['subject'])
            for c in self.predicate(x, f'be between {g["low"]} and {g["high"]}, inclusive', False)
        ]

    @form.must(
        rf'{SUBJECT} must all be less than or equal to the respective members of (?P<other>{PLACE})'
    )
    def must_all_at_most(self, g):
        """`the a, b, and c members of d must all be less than or equal to the respective members of
        e`"""
        members = self.members_named(g['subject'])
        return [
            Any([self._compare(x, '<=', self.subject(f'{g["other"]}.{x.path[-1]}'))])
            for x in members
        ]

    @form.must(
        rf'{SUBJECT} must specify one of the bits included in (?P<fact>VkVideo{NAME}::{NAME})'
    )
    def must_within(self, g):
        """`it must specify one of the bits included in VkFooCapabilities::modes`"""
        subject, fact = self.subject(g['subject']), self.value(g['fact'])
        if (
            not isinstance(fact, Fact)
            or not self.n.is_bits(subject.field)
            or self.n.value_type(fact.field.type) != self.n.value_type(subject.field.type)
        ):
            raise NotUnderstood(g[0])
        return [Any([BitsOfLimit(subject, fact, 'within')]), Any([Bits(subject, [], 'one')])]

    @form.must(
        rf'{SUBJECT} must not contain any bits that are not set in (?P<fact>VkVideo{NAME}::{NAME})'
    )
    def must_bits_of(self, g):
        """`flags must not contain any bits that are not set in VkFooCapabilities::flags`"""
        subject, fact = self.subject(g['subject']), self.value(g['fact'])
        if not isinstance(fact, Fact) or not self.n.is_bits(subject.field):
            raise NotUnderstood(g[0])
        return [Any([BitsOfLimit(subject, fact, 'within')])]

    @form.must(
        rf'the format of (?P<view>{PLACE}) must match the '
        rf'VkVideoSessionCreateInfoKHR::(?P<name>\w+) (?P<session>.+?) was created with'
    )
    def must_picture_format(self, g):
        """`the format of x must match the VkVideoSessionCreateInfoKHR::pictureFormat the bound
        video session was created with`"""
        left = self.fact_named(self.handle(g['view']), 'format')
        right = self.fact_named(self.handle(g['session']), g['name'])
        return [Any([Compare(left, '==', right)])]

    @form.must(
        rf'the format of the image view specified in (?P<view>{PLACE}) for that element '
        rf'must match the VkVideoSessionCreateInfoKHR::(?P<name>\w+) '
        rf'(?P<session>.+?) was created with'
    )
    def must_format_of_element(self, g):
        left = self.fact_named(self.that_element(g['view']), 'format')
        return [Any([Compare(left, '==', self.fact_named(self.handle(g['session']), g['name']))])]

    @form.must(
        rf'the image view specified in (?P<view>{PLACE}) for that element must have been '
        rf'created with (?P<tail>.+)'
    )
    def must_view_of_element(self, g):
        return [Any([self.created_with(self.that_element(g['view']), g['tail'], True)])]

    @form.must(
        rf'{SUBJECT} must be between minCodedExtent and maxCodedExtent, inclusive, '
        rf'(?P<session>.+?) was created with'
    )
    def must_coded_extent(self, g):
        """`x must be between minCodedExtent and maxCodedExtent, inclusive, the bound video session
        was created with`: what the profile has as least, and what the session was created with as
        most (42.6.5)."""
        self.now(video=self.handle(g['session']))
        out = []
        for x in ('width', 'height'):
            member = (
                self.that_element(f'pPictureResource->codedExtent.{x}')
                if g['subject'] == 'its codedExtent member'
                else self.subject(f'{g["subject"]}.{x}')
            )
            least = self.capability(
                self.n.structure('VkVideoCapabilitiesKHR'), f'minCodedExtent.{x}'
            )
            most = self.fact_named(self.here.video, f'maxCodedExtent.{x}')
            out += [
                Any([self._compare(member, '>=', least)]),
                Any([self._compare(member, '<=', most)]),
            ]
        return out

    @form.must(
        rf'{SUBJECT} must equal (?P<value>the {NAME} member of the Vk\w+ structure '
        rf'included in the pNext chain of {PLACE})'
    )
    def must_equal_other(self, g):
        """`x must equal the y member of the VkFoo structure included in the pNext chain of z`"""
        return [Any([self._compare(self.subject(g['subject']), '==', self.subject(g['value']))])]

    @form.must(
        r'the VkCommandPool that commandBuffer was allocated from must have been created '
        r'with the same queue family index that '
        rf'(?P<session>{PLACE}) was created with'
    )
    def must_family(self, g):
        left = self.fact_named(Recorded('VkCommandPool'), 'queueFamilyIndex')
        right = self.fact_named(self.handle(g['session']), 'queueFamilyIndex')
        return [Any([Compare(left, '==', right)])]

    @form.must(rf'(?P<a>{NAME}) and (?P<b>{NAME}) must be 0 together')
    def must_both_zero(self, g):
        """`If either a or b is 0, then both must be 0`, rewritten"""
        a, b = self.subject(g['a']), self.subject(g['b'])
        zero = Number('0', 0)
        return [
            Any([self._compare(a, '!=', zero), self._compare(b, '==', zero)]),
            Any([self._compare(a, '==', zero), self._compare(b, '!=', zero)]),
        ]

    @form.must(
        rf'{SUBJECT} must be between (?P<low>VkVideoCapabilitiesKHR::minCodedExtent) and '
        rf'(?P<high>VkVideoCapabilitiesKHR::maxCodedExtent), inclusive'
    )
    def must_extent(self, g):
        """`maxCodedExtent must be between A::minCodedExtent and A::maxCodedExtent, inclusive`"""
        subject = self.subject(g['subject'])
        if subject.field.type != 'VkExtent2D' or subject.each or subject.chain:
            raise NotUnderstood(g[0])
        text, out = '->'.join(['.'.join(subject.path)]), []
        if subject.arrows:
            raise NotUnderstood(g[0])
        for x in ('width', 'height'):
            member = self.subject(f'{text}.{x}')
            out += [
                Any([self._compare(member, '>=', self.value(f'{g["low"]}.{x}'))]),
                Any([self._compare(member, '<=', self.value(f'{g["high"]}.{x}'))]),
            ]
        return out

    @form.atom(
        rf'with (?:an|the) intra refresh mode (?P<other>other than '
        rf')?(?P<no>(?!))?(?P<value>{CONSTANT})'
    )
    def on_refresh(self, g):
        fact = self.fact_named(self.handle('the bound video session'), 'intraRefreshMode')
        return [Among(fact, [g['value']], not (g['no'] or g['other']))]

    @form.must(
        rf'the intra refresh mode the bound video session was created with must (?P<no>not '
        rf')?(?P<other>(?!))?be (?P<value>{CONSTANT})'
    )
    def must_refresh(self, g):
        return [Any(self.on_refresh(g))]
