"""Forms of sentences about what is recorded: sections, protected command buffers, pools, groups of
devices, video operations."""

import re

from language import facts, form
from language.atoms import Among, Bits, BitsOfLimit, Null
from language.sentence import Any
from language.sentence_values import PLACE, SUBJECT, FactPath
from language.values import Fact, Limit, NotUnderstood, Number, Recorded


class RecordingForms:
    def section(self, name, active):
        """Returns whether the command buffer has begun a section and not ended it."""
        if not self.is_command:
            raise NotUnderstood(name)
        kept = facts.KINDS['sections'].facts[name]
        return Null(
            Fact(
                Recorded('sections'),
                'sections',
                FactPath(kept, kept.create),
                facts.word(name, 'VkBool32'),
            ),
            not active,
        )

    @form.atom(r'device was created with multiple physical devices')
    @form.atom(
        r'the logical device was created with '
        r'VkDeviceGroupDeviceCreateInfo::physicalDeviceCount (?P<one>equal to 1)'
    )
    def on_group(self, g):
        count = self.fact_named(Recorded('VkDevice'), 'physicalDeviceCount')
        if g.groupdict().get('one'):
            return [self._compare(count, '==', Number('1', 1))]
        return [self._compare(count, '>', Number('1', 1))]

    @form.must(rf'{SUBJECT} must (?P<no>not )?specify an? (?P<operation>encode|decode) operation')
    def must_operation(self, g):
        return [Any(self.on_operation(g))]

    @form.atom(
        rf'{SUBJECT} (?P<no>does not )?specif(?:y|ies) an? (?P<operation>encode|decode) operation'
    )
    def on_operation(self, g):
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != 'VkVideoCodecOperationFlagBitsKHR':
            raise NotUnderstood(g[0])
        return [
            Among(
                subject,
                facts.ENCODING if g['operation'] == 'encode' else facts.DECODING,
                not g['no'],
            )
        ]

    @form.must(
        r'the VkCommandPool that commandBuffer was allocated from must support '
        r'(?P<flag>compute|graphics) operations'
    )
    @form.must(
        r'the VkCommandPool that commandBuffer was allocated from must have been created '
        r'for a queue family that supports (?P<flag>VK_QUEUE_\w+)'
    )
    @form.must(
        rf'the VkCommandPool that commandBuffer was allocated from must support at least '
        rf'one of the queue types specified in (?P<limit>{PLACE})'
    )
    def must_support(self, g):
        """Reads what the queue family of the recorded command buffer's pool must support."""
        fact = self.fact_named(Recorded('VkCommandPool'), 'queueFlags')
        if g.groupdict().get('limit'):
            limit = self.value(g['limit'])
            if (
                not isinstance(limit, Limit)
                or self.n.value_type(limit.field.type) != 'VkQueueFlagBits'
            ):
                raise NotUnderstood(g[0])
            return [Any([BitsOfLimit(fact, limit, 'any')])]
        flag = {'compute': 'VK_QUEUE_COMPUTE_BIT', 'graphics': 'VK_QUEUE_GRAPHICS_BIT'}.get(
            g['flag'], g['flag']
        )
        if self.n.constants.get(flag, (0, None))[1] != 'VkQueueFlagBits':
            raise NotUnderstood(flag)
        return [Any([Bits(fact, [flag], 'any')])]

    @form.must(rf'{SUBJECT} must be a valid device mask(?: value)?')
    def must_device_mask(self, g):
        """ "A device mask is valid if it has no bit of a device that is not in the group" (35.1):
        another statement wants it to be non-zero."""
        subject = self.subject(g['subject'])
        if subject.field.type != 'uint32_t':
            raise NotUnderstood(g[0])
        mask = self.fact_named(Recorded('VkDevice'), 'device mask')
        return [Any([BitsOfLimit(subject, mask, 'within')])]

    @form.atom(r'there is a bound video session')
    def on_section(self, g):
        self.now(it=Recorded('VkVideoSessionKHR'))
        return [self.section('a video session', True)]

    @form.must(rf'{SUBJECT} must be (?:a )?valid device ind(?:ex|ices)')
    def must_device_index(self, g):
        count = self.fact_named(Recorded('VkDevice'), 'physicalDeviceCount')
        clauses = [Any([self._compare(x, '<', count)]) for x in self.subjects(g['subject'])]
        if any(a.subject.field.type != 'uint32_t' for c in clauses for a in c.atoms):
            raise NotUnderstood(g[0])
        return clauses

    @form.atom(r'commandBuffer is (?P<no>not )?an? (?P<un>un)?protected command buffer')
    def on_protected(self, g):
        """ "a protected command buffer": of a pool with VK_COMMAND_POOL_CREATE_PROTECTED_BIT
        (6.3)."""
        if self.is_command and 'commandBuffer' not in self.members:
            raise NotUnderstood(g[0])
        fact = self.fact_named(Recorded('VkCommandPool'), 'flags')
        positive = (g['un'] is None) != bool(g['no'])
        return [Bits(fact, ['VK_COMMAND_POOL_CREATE_PROTECTED_BIT'], 'any' if positive else 'none')]

    @form.must(
        rf'{SUBJECT} must (?:either be|be either) zero or equal to the number of physical '
        rf'devices in the logical device'
    )
    def must_device_count(self, g):
        subject = self.subject(g['subject'])
        count = self.fact_named(Recorded('VkDevice'), 'physicalDeviceCount')
        return [
            Any([self._compare(subject, '==', Number('0', 0)), self._compare(subject, '==', count)])
        ]

    @form.must(
        r'this command must not be recorded when (?:the )?per-tile execution model is enabled'
    )
    @form.must(
        r'this command must not be recorded while shader instrumentation is active within '
        r'commandBuffer'
    )
    @form.must(r'commandBuffer must not have any shader instrumentation active')
    @form.must(r'shader instrumentation must be active within commandBuffer')
    @form.must(r'there must be (?:a|no) (?:video session object bound|bound video session)')
    def must_section(self, g):
        text = g[0]
        name = (
            'per-tile execution'
            if 'per-tile' in text
            else 'shader instrumentation'
            if 'instrumentation' in text
            else 'a video session'
        )
        return [Any([self.section(name, not re.search(r'\bnot\b|\bno\b', text))])]

    @form.must(r'commandBuffer must (?P<no>not )?be an? (?P<un>un)?protected command buffer')
    def must_protected(self, g):
        return [Any(self.on_protected(g))]
