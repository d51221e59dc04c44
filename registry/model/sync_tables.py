"""Tables of what pipeline stages and accesses ask for: the queues that can do them, the stages that
can make them (vk.xml's <sync>), and the features and stages that numbered valid-usage statements
name, for every mask that has such statements (VkMemoryBarrier2::srcStageMask ...).

A statement of these two forms becomes a row; the same rule has one number for many masks:
    If the geometryShader feature is not enabled, srcStageMask must not contain
    VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT If srcAccessMask includes VK_ACCESS_2_HOST_READ_BIT,
    srcStageMask must include VK_PIPELINE_STAGE_2_HOST_BIT
"""

import re

from model import changes, feature_tables
from model.registry import RegistryError

ID = re.compile(r'VUID-(\w+)-(\w+)-(\d{5})$')
FEATURE = re.compile(
    r'If (?:neither of )?(?:neither )?(?:the )?(.*?) (?:feature is|features are|feature '
    r'are|is|are) (?:not )?enabled, (\w+) must not contain (VK_PIPELINE_STAGE_.*)$'
)
ACCESS = re.compile(
    r'If (\w+AccessMask) includes (VK_ACCESS_2_.*?),(?: and the rayQuery feature is (not '
    r')?(enabled),)? (\w+StageMask) must include (VK_PIPELINE_STAGE_2_.*)$'
)
STAGE_NAME = re.compile(r'VK_PIPELINE_STAGE_\w+')
SHADER_STAGES = 'VK_PIPELINE_STAGE_*_SHADER_BIT'


class Tables:
    """places: (owner, member) of masks; feature_rules and access_rules: rows with `vuids`, {place:
    VUID}."""

    def __init__(self, m):
        self.m = m
        self.stages = {f.name: f.value for f in m.vk.bitmasks['VkPipelineStageFlagBits2'].flags}
        self.accesses = {f.name: f.value for f in m.vk.bitmasks['VkAccessFlagBits2'].flags}
        old = {f.name: f.value for f in m.vk.bitmasks['VkPipelineStageFlagBits'].flags}
        self.values = self.stages | old
        for flags in (
            m.vk.bitmasks['VkPipelineStageFlagBits2'].flags,
            m.vk.bitmasks['VkPipelineStageFlagBits'].flags,
            m.vk.bitmasks['VkAccessFlagBits2'].flags,
        ):
            for f in flags:
                for alias in f.aliases:
                    (self.accesses if 'ACCESS' in alias else self.values)[alias] = f.value
        self.by_member = {}
        for feature in feature_tables.tables(m).features:
            for _, member in feature.places:
                names = self.by_member.setdefault(member, [])
                if feature.names[0] not in names:
                    names.append(feature.names[0])
        self.places, self.feature_rules, self.access_rules = [], {}, {}
        for v in m.vuids.values():
            found = ID.match(v.id)
            if found:
                with changes.left_out(vuid=v.id):
                    self._add(v, *found.groups())
        self.all_commands = self.values['VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT']

    def _stage_mask(self, text):
        mask = 0
        for name in STAGE_NAME.findall(
            text.replace(SHADER_STAGES, '').replace('VK_PIPELINE_STAGE_2_*_SHADER_BIT', '')
        ):
            if name in self.values:
                mask |= self.values[name]
            else:
                raise RegistryError(f'what stage is {name}?')
        if '_*_SHADER_BIT' in text:
            mask |= sum(
                {
                    v
                    for n, v in self.stages.items()
                    if '_SHADER_BIT' in n or 'PRE_RASTERIZATION_SHADERS' in n
                }
            )
        return mask

    def _place(self, owner, member):
        place = (owner, member)
        if place not in self.places:
            self.places.append(place)
        return place

    def _add(self, v, owner, member, number):
        found = FEATURE.match(v.text)
        if found and found[2] == member:
            features, extensions = [], []
            for word in re.findall(r'\w+(?:::\w+)?', found[1]):
                if word.startswith('VK_'):
                    extensions.append(word)
                elif word.split('::')[-1] in self.by_member:
                    features += [
                        f for f in self.by_member[word.split('::')[-1]] if f not in features
                    ]
            if features:
                rule = self.feature_rules.setdefault(
                    number,
                    {
                        'stages': self._stage_mask(found[3]),
                        'features': features,
                        'extensions': extensions,
                        'vuids': {},
                    },
                )
                rule['vuids'][self._place(owner, member)] = v.id
            return
        found = ACCESS.match(v.text)
        if found and found[1] == member:
            accesses = 0
            for name in re.findall(r'VK_ACCESS_2_\w+', found[2]):
                accesses |= self.accesses[name]
            ray_query = None if not found[4] else not found[3]
            rule = self.access_rules.setdefault(
                number,
                {
                    'accesses': accesses,
                    'stages': self._stage_mask(found[6]),
                    'ray_query': ray_query,
                    'vuids': {},
                },
            )
            rule['vuids'][self._place(owner, member)] = v.id

    def stage_rows(self):
        """(bit, queue flags that can do it; [] = all)"""
        for s in self.m.vk.syncStage:
            if s.flag.value:
                yield s.flag.value, [] if s.support.max else s.support.queues

    def access_rows(self):
        """(bit, mask of the stages that can make it, groups of stages too; all ones where every
        stage can)"""
        groups = [
            (s.flag.value, sum({x.value for x in s.equivalent.stages}))
            for s in self.m.vk.syncStage
            if not s.equivalent.max and s.equivalent.stages
        ]
        host = self.values['VK_PIPELINE_STAGE_2_HOST_BIT']
        for a in self.m.vk.syncAccess:
            if not a.flag.value:
                continue
            if a.support.max or not a.support.stages:
                yield a.flag.value, (1 << 64) - 1
                continue
            mask = sum({x.value for x in a.support.stages})
            for _ in range(2):  # a group of groups
                for group, members in groups:
                    if members & mask:
                        mask |= group
            yield a.flag.value, mask | (0 if mask == host else self.all_commands)


def tables(m):
    return Tables(m)
