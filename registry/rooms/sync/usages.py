"""Basic pipeline stages, and which of them makes which basic access: the registry's <sync> as
synchronisation validation uses it (src/sync).

A stage or an access that is a name for several others is a group; all but groups, NONE and
TOP/BOTTOM_OF_PIPE are basic. A usage is a legal pair of a basic stage and an access. A construct
that this file does not know fails the generation."""

import functools
import re

from model import changes, hand_tables
from model.hand_tables import FLAG, NAME, WHY, WORD
from model.registry import RegistryError
from model.string_pool import StringPool

ALL_COMMANDS = 'VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT'
HOST = 'VK_PIPELINE_STAGE_2_HOST_BIT'
NO_STAGES = ('VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT', 'VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT')
ALL_ACCESSES = {'VK_ACCESS_2_MEMORY_READ_BIT': '_READ_', 'VK_ACCESS_2_MEMORY_WRITE_BIT': '_WRITE_'}

TABLES = hand_tables.read(
    'registry/rooms/sync/usages.toml',
    {
        'covers': {'of': NAME, 'covered': NAME.listed(), 'why': WHY},
        'pseudo': {'of': WORD, 'writes': FLAG, 'presents': FLAG, 'why': WHY},
    },
)
COVERED_STAGES = {row.of: row.covered for row in TABLES['covers']}
# [(name, is it a write, by the presentation engine)]
PSEUDO_USAGES = [(row.of, bool(row.writes), bool(row.presents)) for row in TABLES['pseudo']]


def short(name):
    """VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT -> MESH_SHADER"""
    found = re.match(r'VK_(?:PIPELINE_STAGE|ACCESS)_2_(\w+?)_BIT(?:_[A-Z]+)?$', name)
    if not found:
        raise RegistryError(f'how does one shorten {name}?')
    return found[1]


def bit_number(value):
    if value & (value - 1) or not value:
        raise RegistryError(f'{value:#x} is not one bit')
    return value.bit_length() - 1


class Stage:
    """A basic stage. `queues`: names of the flags of queues that have it, empty where all do."""

    def __init__(self, number, flag, queues):
        self.number = number
        self.name = flag.name
        self.value = flag.value
        self.constant = f'SYNC_STAGE_{short(flag.name)}'
        self.queues = queues
        self.usages = []


class Usage:
    def __init__(self, number, stage, access):
        self.number = number
        self.stage = stage
        self.access = access
        self.name = f'SYNC_{short(stage.name)}_{short(access.name)}'
        self.write = is_write(access.name)


def is_write(name):
    kinds = [kind for kind in ('_READ_', '_WRITE_') if kind in name]
    if len(kinds) != 1:
        raise RegistryError(f'does {name} read or write?')
    return kinds == ['_WRITE_']


class SyncUsages:
    """stages   basic ones, in logical order as far as pipelines give one
    usages   one per legal pair, by stage, then by the access's bit
    stage_rows, access_rows  {number of the bit: row}, groups too; see the properties of the rows
    below"""

    def __init__(self, m):
        self.m = m
        self.sync_stages = {s.flag.name: s for s in m.vk.syncStage}
        self.sync_accesses = {a.flag.name: a for a in m.vk.syncAccess}
        self._check_complete()
        self.name_of = {
            n: f.name
            for kind in ('VkPipelineStageFlagBits2', 'VkAccessFlagBits2')
            for f in m.vk.bitmasks[kind].flags
            for n in [f.name] + list(f.aliases)
        }
        self.groups = {
            n: [x.name for x in s.equivalent.stages]
            for n, s in self.sync_stages.items()
            if not s.equivalent.max
        }
        self.orders = [self._order(p) for p in m.vk.syncPipeline]
        self._number_stages()
        self._pair()
        self.pool = StringPool(
            [name for name, _, _ in PSEUDO_USAGES] + [u.name for u in self.usages]
        )
        self.usage_count = len(PSEUDO_USAGES) + len(self.usages)
        self.words = (self.usage_count + 63) // 64
        if len(self.stages) >= 64:
            raise RegistryError('more stages than a mask of stages has bits')

    def _check_complete(self):
        for kind, rows in (
            ('VkPipelineStageFlagBits2', self.sync_stages),
            ('VkAccessFlagBits2', self.sync_accesses),
        ):
            missing = [f.name for f in self.m.vk.bitmasks[kind].flags if f.name not in rows]
            if missing:
                changes.note(
                    'registry/rooms/sync/usages.py:1',
                    f'the registry does not say what {missing} are for synchronisation',
                )
        more = [f.name for f in self.m.vk.bitmasks['VkAccessFlagBits3KHR'].flags if f.value]
        if more:
            changes.note('registry/rooms/sync/usages.py:1', f'accesses beyond 64 bits: {more}')

    def members(self, name):
        """The names of the basic stages that a stage's name stands for."""
        name = self.name_of[name]
        if name not in self.groups:
            return [name]
        return list(dict.fromkeys(x for member in self.groups[name] for x in self.members(member)))

    def _order(self, pipeline):
        """A pipeline as (names of basic stages, 'in order' or the name of the stage that they are
        before or None), in the file's order."""
        steps = []
        for s in pipeline.stages:
            if (
                s.after is not None
                or s.order not in (None, 'None')
                or (s.before is not None and s.order is None)
            ):
                raise RegistryError(
                    f'what does the place of {s.value} in the pipeline "{pipeline.name}" mean?'
                )
            place = 'in order' if s.order is None else s.before and self.name_of[s.before]
            with changes.left_out(what=f'pipeline "{pipeline.name}"'):
                steps.append((self.members(s.value), place))
        return steps

    def _number_stages(self):
        """Each pipeline's stages in turn, those that are new in front of the next one that is
        not."""
        names = []
        for steps in self.orders:
            flat = [(name, place) for members, place in steps for name in members]
            for i, (name, place) in enumerate(flat):
                if name in names:
                    continue
                following = [n for n, other in flat[i + 1 :] if other == 'in order' and n in names]
                names.insert(
                    names.index(following[0]) if following and place is not None else len(names),
                    name,
                )
        for name, s in self.sync_stages.items():
            if (
                s.flag.value
                and name not in names
                and name not in self.groups
                and name != ALL_COMMANDS
                and name not in NO_STAGES
            ):
                names.append(name)
        self.stages = []
        for name in names:
            with changes.left_out():
                s = self.sync_stages[name]
                if s.support.max and name != HOST:
                    raise RegistryError(f'which queues have {name}?')
                self.stages.append(
                    Stage(len(self.stages), s.flag, [] if s.support.max else list(s.support.queues))
                )
        self.by_name = {s.name: s for s in self.stages}
        if len({s.constant for s in self.stages}) != len(self.stages):
            raise RegistryError('two stages have one name')

    def _pair(self):
        """An access that is a name for others is a pair of its own with a stage that makes none of
        those: builds of acceleration structures read with SHADER_READ, but sample no image and load
        from no storage buffer."""
        accesses, stages_of = [], {}
        for a in self.sync_accesses.values():
            if a.flag.value and a.flag.name not in ALL_ACCESSES:
                with changes.left_out():
                    short(a.flag.name), is_write(a.flag.name)
                    stages_of[a.flag.name] = self._stages_of(a)
                    accesses.append(a)
        for a in accesses:
            for member in [] if a.equivalent.max else a.equivalent.accesses:
                stages_of[a.flag.name] -= stages_of.get(member.name, set())
        self.usages = []
        for stage in self.stages:
            for a in sorted(accesses, key=lambda a: a.flag.value):
                if stage.name in stages_of[a.flag.name]:
                    usage = Usage(len(PSEUDO_USAGES) + len(self.usages), stage, a.flag)
                    self.usages.append(usage)
                    stage.usages.append(usage)
        if len({u.name for u in self.usages}) != len(self.usages):
            raise RegistryError('two usages have one name')

    def _stages_of(self, access):
        if access.support.max:
            raise RegistryError(f'which stages make {access.flag.name}?')
        names = {s.name for s in access.support.stages}
        for group in names - set(self.by_name):
            if not names & set(self.members(group)):
                raise RegistryError(f'which stages of {group} make {access.flag.name}?')
        return names & set(self.by_name)

    def mask(self, names):
        return sum(1 << self.by_name[n].number for n in set(names))

    def usage_words(self, usages):
        bits = sum(1 << u.number for u in usages)
        return [bits >> 64 * i & (1 << 64) - 1 for i in range(self.words)]

    @functools.cached_property
    def _earlier(self):
        """name -> names of the stages that are logically earlier in a pipeline that has it."""
        earlier = {s.name: set() for s in self.stages}
        for steps in self.orders:
            ordered = [members for members, place in steps if place == 'in order']
            for i, members in enumerate(ordered):
                before = {n for step in ordered[:i] for n in step}
                for loose, place in steps:
                    if place != 'in order' and any(place in step for step in ordered[: i + 1]):
                        before.update(loose)
                for name in members:
                    earlier[name] |= before
        return earlier

    def earlier(self, names):
        return set(names) | {e for n in names for e in self._earlier[n]}

    def later(self, names):
        return set(names) | {s.name for s in self.stages if self._earlier[s.name] & set(names)}

    def commands(self):
        return [s.name for s in self.stages if s.name != HOST]

    def stage_rows(self):
        """(number of the bit, name, stages, as a source, as a destination, usages)"""
        for name, s in sorted(self.sync_stages.items(), key=lambda item: item[1].flag.value):
            if not s.flag.value:
                continue
            names = (
                self.commands()
                if name == ALL_COMMANDS
                else []
                if name in NO_STAGES
                else self.members(name)
            )
            names = names + [
                other for n in names for other in COVERED_STAGES.get(n, []) if other not in names
            ]
            source = (
                self.commands()
                if name == 'VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT'
                else self.earlier(names)
            )
            destination = (
                self.commands()
                if name == 'VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT'
                else self.later(names)
            )
            usages = [u for n in names for u in self.by_name[n].usages]
            yield (
                bit_number(s.flag.value),
                name,
                self.mask(names),
                self.mask(source),
                self.mask(destination),
                self.usage_words(usages),
            )

    def access_rows(self):
        """(number of the bit, name, accesses that it stands for, usages)"""
        for name, a in sorted(self.sync_accesses.items(), key=lambda item: item[1].flag.value):
            if not a.flag.value:
                continue
            if name in ALL_ACCESSES:
                usages = [u for u in self.usages if ALL_ACCESSES[name] in u.access.name]
            else:
                names = [name] + (
                    [] if a.equivalent.max else [x.name for x in a.equivalent.accesses]
                )
                usages = [u for u in self.usages if u.access.name in names]
            expansion = functools.reduce(lambda x, y: x | y, (u.access.value for u in usages), 0)
            yield bit_number(a.flag.value), name, expansion, self.usage_words(usages)

    def queue_rows(self):
        """(number of the bit of VkQueueFlags, name, stages, usages) of queues that have stages of
        their own"""
        for flag in sorted(self.m.vk.bitmasks['VkQueueFlagBits'].flags, key=lambda f: f.value):
            stages = [s for s in self.stages if flag.name in s.queues]
            if stages:
                yield (
                    bit_number(flag.value),
                    flag.name,
                    self.mask(s.name for s in stages),
                    self.usage_words(u for s in stages for u in s.usages),
                )


@functools.cache
def tables(m):
    return SyncUsages(m)
