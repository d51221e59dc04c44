"""How many descriptors the set layouts of a pipeline layout may have together, from the sentences
of
VkPipelineLayoutCreateInfo:

    The total number of descriptors in descriptor set layouts created without the
    VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT bit set with a descriptorType of
    VK_DESCRIPTOR_TYPE_SAMPLER accessible to any given shader stage across all elements of
    pSetLayouts must be less than or equal to VkPhysicalDeviceLimits::maxPerStageDescriptorSamplers

A sentence that begins like this and is not understood fails the generation.
"""

import functools
import re

from model import changes, hand_tables
from model.hand_tables import NAME, VUID, WHY, WORD, Kind
from model.registry import RegistryError
from model.string_pool import StringPool

OWNER = 'VkPipelineLayoutCreateInfo'
LIMIT = r'VkPhysicalDevice(\w+)::(\w+)'
SENTENCE = re.compile(
    r'(?:If the (?P<feature>\w+) feature is (?P<off>not )?enabled, t|T)he total number of '
    r'(?P<what>descriptors|bindings) '
    r'(?P<plain>in descriptor set layouts created without the '
    r'VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT bit set '
    r'(?:and )?)?(?:with a descriptorType of|of the type) (?P<types>VK_\w+(?:(?:, and |, | '
    r'and | or )VK_\w+)*),? '
    r'accessible (?P<reach>to any given shader stage|across all shader stages and) across '
    r'all elements of pSetLayouts,? must be less '
    rf'than or equal to (?:the maximum of (?P<first>{LIMIT}) and )?(?P<last>{LIMIT})'
)

TABLES = hand_tables.read(
    'registry/rooms/core/layout_limits.toml',
    {
        'unread': {'of': VUID, 'why': WHY},
        'limits': {'of': WORD, 'extension': NAME.or_nothing(), 'why': WHY},
        'words': {
            'of': Kind('types of descriptors, with commas', hand_tables.like(r'\w+(?:, \w+)*')),
            'words': Kind('words', hand_tables.like(r'\w+(?: \w+)*')),
            'why': WHY,
        },
    },
)
UNREAD = {row.of for row in TABLES['unread']}
# A structure of limits -> the extension without which it says nothing.
EXTENSIONS = {row.of: row.extension for row in TABLES['limits']}
# Types, as 'SAMPLER, TENSOR' -> how a message calls descriptors of these.
WORDS = {row.of: row.words for row in TABLES['words']}


class LayoutLimit:
    """`tags`: enum descriptor_tag without DESCRIPTOR_; `places`: of the limits in struct device,
    the larger one counts; `name`: of the last one; `feature`: FEATURE_x or None, which must be on
    (`off`: must not be)."""

    def __init__(self, m, vuid, found):
        self.vuid, self.number = vuid, vuid[-5:]
        types = [t for t in re.findall(r'VK_DESCRIPTOR_TYPE_(\w+)', found['types'])]
        self.tags = [re.sub(r'_(?:QCOM|ARM)$', '', t) for t in types]
        self.per_stage = found['reach'].startswith('to any')
        self.after_bind = not found['plain']
        limits = re.findall(LIMIT, f'{found["first"] or ""} {found["last"]}')
        self.places = [self._place(m, *limit) for limit in limits]
        structure, self.name = limits[-1]
        self.extension = EXTENSIONS[structure]
        self.feature, self.off = found['feature'], bool(found['off'])
        key = ', '.join(self.tags)
        if key not in WORDS:
            raise RegistryError(f'{vuid}: what are descriptors of {key} called?')
        self.words = WORDS[key]

    @staticmethod
    def _place(m, structure, member):
        fields = {f.name: f.type for f in m.structs[f'VkPhysicalDevice{structure}'].members}
        if fields.get(member) != 'uint32_t' or structure not in EXTENSIONS:
            raise RegistryError(
                f'VkPhysicalDevice{structure}::{member} is not a limit of descriptors'
            )
        return (
            f'properties.limits.{member}'
            if structure == 'Limits'
            else f'extended.{structure}.{member}'
        )


class LayoutLimits:
    """`limits` in the registry's order, and the `pool` of their names and words."""

    def __init__(self, m):
        hand_tables.check(m, {'unread': TABLES['unread']})
        self.limits = []
        for v in m.vuids.values():
            if (
                v.owner != OWNER
                or not v.numbered
                or v.id in UNREAD
                or not re.search(r'[Tt]he total number of (?:descriptors|bindings) ', v.text)
            ):
                continue
            with changes.left_out(vuid=v.id):
                found = SENTENCE.fullmatch(v.text)
                if not found:
                    raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
                self.limits.append(LayoutLimit(m, v.id, found))
        self.pool = StringPool([x.name for x in self.limits] + [x.words for x in self.limits])

    @property
    def of_tags(self):
        """Tag -> bits of the limits that count it."""
        out = {}
        for i, limit in enumerate(self.limits):
            for tag in limit.tags:
                out[tag] = out.get(tag, 0) | 1 << i
        return out


@functools.cache
def tables(m):
    return LayoutLimits(m)
