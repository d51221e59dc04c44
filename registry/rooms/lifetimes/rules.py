"""Finds the handles that a command or structure passes, and the statements about one that is not
alive or belongs to another device: the model's view for the templates of src/lifetimes.

A member that the specification marks `noautovalidity` has its own rules; those that a C expression
can say stand in exceptions.toml, the others are written by hand in src/lifetimes. One that is in
neither is left alone: it may be ignored, and an ignored value must not be looked at."""

import functools
import re
from dataclasses import dataclass, field

from model import changes, hand_tables, named_parameters
from model.hand_tables import MEMBER, NAME, VUID, WHY, WORD, C

TABLES = hand_tables.read(
    'registry/rooms/lifetimes/exceptions.toml',
    {
        'handwritten': {'of': NAME, 'why': WHY},
        'reached_by_hand': {'of': NAME, 'why': WHY},
        'template_data': {'of': NAME, 'arguments': C, 'why': WHY},
        'condition': {
            'of': MEMBER,
            'when': C.or_nothing(),
            'vuid': VUID.or_nothing(),
            'ask': C.or_nothing(),
            'why': WHY,
        },
        'typed': {'of': MEMBER, 'alive': VUID, 'parent': VUID, 'why': WHY},
        'typed_ignored': {'of': MEMBER, 'why': WHY},
        'numbered_parent': {'of': MEMBER, 'vuid': VUID, 'why': WHY},
        'command_parent': {'of': VUID, 'members': MEMBER.listed(), 'why': WHY},
        'parent_word': {'of': MEMBER, 'word': WORD, 'why': WHY},
        'loader_answers': {'of': VUID, 'why': WHY},
    },
)
# Structures whose walk is written by hand, and those that only these reach.
HANDWRITTEN = {row.of: row.why for row in TABLES['handwritten']}
REACHED_BY_HAND = {row.of for row in TABLES['reached_by_hand']}
# Updates from memory that a template describes: the arguments of lifetimes_template_data.
TEMPLATE_DATA = {row.of: row.arguments for row in TABLES['template_data']}


def _numbered(vuid):
    return re.sub('[^A-Za-z0-9]', '_', vuid)


# (owner, member) -> (condition or None, the id of the rule that the handle be valid, as C).
CONDITIONS = {
    row.of: (row.when, _numbered(row.vuid) if row.vuid else row.ask) for row in TABLES['condition']
}
# 64-bit handles with a sibling that says their type: the rule that they be valid, and that they
# belong to this device.
TYPED = {row.of: (row.alive, row.parent) for row in TABLES['typed']}
TYPED_IGNORED = {row.of for row in TABLES['typed_ignored']}
# Rules on parents that have a number instead of a name, or another last word than "parent".
NUMBERED_PARENTS = {row.of: row.vuid for row in TABLES['numbered_parent']}
PARENT_WORDS = {row.of: row.word for row in TABLES['parent_word']}
# Members whose rule on the parent belongs to the command that has the structure.
COMMAND_PARENTS: dict[tuple[str, str], list[tuple[str, str]]] = {}
for row in TABLES['command_parent']:
    for member in row.members:
        COMMAND_PARENTS.setdefault(member, []).append((row.of.split('-')[1], row.of))
# Statements that a dead first parameter does not reach, and why.
LOADER_ANSWERS = {row.of: row.why for row in TABLES['loader_answers']}


@dataclass
class Item:
    """One thing that a walk visits. `access` is the C expression; `count` that of its length, None
    for one; `at` the location's macro."""

    kind: str  # handle, struct, union, typed
    name: str  # as the location prints it
    access: str
    type: str
    pointer: bool = False
    count: str | None = None
    condition: str | None = None
    level: str = 'device'  # handle: whose it must be
    alive: str | None = None
    parent: str | None = None
    pool: str | None = None  # handle: the parameter that it must come from
    pool_named: int | None = None  # handle: which of call->named that parameter is
    # handle: a parameter that the entry has looked up (model/named_parameters.py)
    named: int | None = None
    type_access: str | None = None  # typed: the sibling
    indirect: bool = False  # struct: an array of pointers
    cases: list = field(default_factory=list)  # union: (enumerants, Item)


class Rules:
    def __init__(self, m):
        self.m = m
        hand_tables.check(m, TABLES)
        self._carries = {}
        self.structs = [n for n in m.structs if self._walked(n)]
        self.inline = [n for n in self.structs if n not in HANDWRITTEN and self._leaf(n)]
        self.commands = [
            n
            for n in m.commands
            if self.command_items(m.commands[n]) or n in ('vkDestroyDevice', 'vkDestroyInstance')
        ]
        self.allocators = self._allocators()
        self.commands += [n for n in self.allocators if n not in self.commands]

    # --- what carries a handle --------------------------------------------------------------------

    def carries(self, name, seen=()):
        """Can a value of this type hold a handle, itself, by pointer or in its pNext chain?"""
        if name in self.m.handles:
            return True
        struct = self.m.structs.get(name)
        if struct is None or name in seen:
            return False
        if name not in self._carries or seen:
            seen = seen + (name,)
            found = any(x.objectType or self.carries(x.type, seen) for x in struct.members) or any(
                self.carries(x, seen) for x in struct.extendedBy
            )
            if len(seen) > 1:
                return found
            self._carries[name] = found
        return self._carries[name]

    def _walked(self, name):
        """Has the structure anything to visit besides its chain?"""
        struct = self.m.structs[name]
        if struct.returnedOnly or struct.union or name in REACHED_BY_HAND:
            return False
        return name in HANDWRITTEN or bool(self.struct_items(name))

    def _leaf(self, name):
        return all(i.kind == 'handle' and i.count is None for i in self.struct_items(name))

    def chain(self, name):
        """The structures of `name`'s pNext chain that have something to visit."""
        return [x for x in self.m.structs[name].extendedBy if self._walked(x)]

    def chained(self):
        return [n for n in self.m.structs if not self.m.structs[n].returnedOnly and self.chain(n)]

    # --- rules on one handle ----------------------------------------------------------------------

    def level(self, handle):
        """Does a handle of this type belong to a device or to the instance?"""
        while handle is not None:
            if handle.name == 'VkDevice':
                return 'device'
            handle = handle.parent
        return 'instance'

    def _alive(self, owner, x):
        if (owner.name, x.name) in CONDITIONS:
            return CONDITIONS[(owner.name, x.name)][1]
        vuid = f'VUID-{owner.name}-{x.name}-parameter'
        return self.m.vuid_constant(vuid) if vuid in self.m.vuids else None

    def parent_id(self, owner, x):
        named = f'VUID-{owner.name}-{x.name}-parent'
        common = f'VUID-{owner.name}-commonparent'
        if (owner.name, x.name) in NUMBERED_PARENTS:
            return NUMBERED_PARENTS[(owner.name, x.name)]
        if named in self.m.vuids:
            return named
        if common in self.m.vuids and re.search(rf'\b{x.name}\b', self.m.vuids[common].text):
            return common
        return (
            f'UNASSIGNED-{owner.name}-{x.name}-{PARENT_WORDS.get((owner.name, x.name), "parent")}'
        )

    def _parent(self, key, vuid):
        """The rule on the parent, as C: some commands have one of their own."""
        code = self.m.vuid_constant(vuid)
        for command, own in reversed(COMMAND_PARENTS.get(key, [])):
            root = f'COMMAND_{command.removeprefix("vk")}'
            code = f'command_root[call->command] == {root} ? {self.m.vuid_constant(own)} : {code}'
        return code

    def _pool(self, owner, x, vuid):
        text = self.m.vuids[vuid].text if vuid in self.m.vuids else ''
        match = re.search(r'retrieved from (\w*Pool)$', text)
        return match.group(1) if match else None

    # --- what a walk visits -----------------------------------------------------------------------

    def _item(self, owner, x, base, is_struct):
        """The visit of one parameter or member, or None."""
        key = (owner.name, x.name)
        access = base + x.name
        if x.objectType:
            if key in TYPED_IGNORED:
                return None
            if key not in TYPED:
                raise ValueError(f'{key}: which rule says that this handle be valid?')
            alive, parent = (_numbered(v) for v in TYPED[key])
            function = {
                'VkObjectType': 'handle_type_of_object_type',
                'VkDebugReportObjectTypeEXT': 'handle_type_of_debug_report',
            }
            sibling = next(
                y for y in (owner.members if is_struct else owner.params) if y.name == x.objectType
            )
            return Item(
                'typed',
                x.name,
                access,
                x.type,
                alive=alive,
                parent=parent,
                type_access=f'{function[sibling.type]}({base}{sibling.name})',
            )
        if not self.carries(x.type):
            return None
        if x.pointer and not x.const and not (is_struct and x.type in self.m.structs):
            return None  # written by the driver
        if x.noAutoValidity and key not in CONDITIONS:
            return None
        condition = CONDITIONS[key][0] if key in CONDITIONS else None
        count, indirect = None, False
        if x.length:
            lengths = x.length.split(',')
            indirect = len(lengths) == 2 and lengths[1] == '1'
            count = base + lengths[0] if re.fullmatch(r'\w+', lengths[0]) else None
            if count is None or (len(lengths) > 1 and not indirect):
                raise ValueError(f'{key}: unknown length {x.length}')
        elif x.fixedSizeArray:
            raise ValueError(f'{key}: a fixed array of what can hold handles')
        if x.type in self.m.handles:
            alive = self._alive(owner, x)
            if alive is None:
                raise ValueError(f'{key}: which rule says that this handle be valid?')
            parent = self.parent_id(owner, x)
            return Item(
                'handle',
                x.name,
                access,
                x.type,
                bool(x.pointer),
                count,
                condition,
                self.level(self.m.handles[x.type]),
                alive,
                self._parent(key, parent),
                self._pool(owner, x, parent),
            )
        struct = self.m.structs[x.type]
        if struct.union:
            cases = [
                (y.selection, case)
                for y in struct.members
                if (case := self._item(struct, y, access + '.', True))
            ]
            if not cases:
                return None
            if any(not selection for selection, _ in cases) or not x.selector:
                raise ValueError(f'{key}: a union of which nothing says what it holds')
            return Item(
                'union',
                x.name,
                access,
                x.type,
                condition=condition,
                type_access=base + x.selector,
                cases=cases,
            )
        if struct.returnedOnly or not (self._walked(x.type) or self.chain(x.type)):
            return None
        if x.type in REACHED_BY_HAND:
            return None
        return Item(
            'struct', x.name, access, x.type, bool(x.pointer), count, condition, indirect=indirect
        )

    def struct_items(self, name):
        struct = self.m.structs[name]
        if name in HANDWRITTEN:
            return []
        return self._items(
            struct, [x for x in struct.members if x.name != 'pNext'], 'value->', True
        )

    def command_items(self, command):
        """Returns items for every parameter but the first, which the chassis has looked up on the
        way here."""
        items = self._items(command, command.params[1:], '', False)
        named = named_parameters.named(self.m, command)
        for item in items:
            if (
                item.kind == 'handle'
                and item.count is None
                and not item.pointer
                and item.level == 'device'
            ):
                item.named = named.get(item.access)
            item.pool_named = named.get(item.pool)
        return items

    def _items(self, owner, members, base, is_struct):
        """Leaves out what the walk cannot follow: a registry may have forms that it did not have
        when this was written."""
        items = []
        for x in members:
            with changes.left_out(what=f'{owner.name}.{x.name}'):
                items.append(self._item(owner, x, base, is_struct))
        return [item for item in items if item]

    # --- destruction ------------------------------------------------------------------------------

    def _allocators(self):
        """command -> (expression of the handle that it destroys, handle type, VUID "had callbacks",
        VUID "had none")."""
        found = {}
        for v in self.m.vuids.values():
            match = re.match(
                r'If (no )?VkAllocationCallbacks were provided when (\w+) was created', v.text
            )
            if not match or not v.owner.startswith('vk') or v.owner not in self.m.commands:
                continue
            with changes.left_out(vuid=v.id):
                entry = found.setdefault(v.owner, [*self._destroyed(v, match.group(2)), None, None])
                entry[3 if match.group(1) else 2] = self.m.vuid_constant(v.id)
        return found

    def _destroyed(self, v, name):
        """(C expression, type) of the handle of that name that the command destroys."""
        for x in self.m.commands[v.owner].params:
            if x.name == name:
                return x.name, x.type
            if x.type in self.m.structs and x.const:
                for y in self.m.structs[x.type].members:
                    if y.name == name:
                        return f'{x.name}->{y.name}', y.type
        raise ValueError(f'{v.id}: what is destroyed?')

    def leakable(self):
        """Handle types that the app has to destroy one by one before their device or instance."""
        types = set()
        for name, command in self.m.commands.items():
            if re.match(r'vk(Destroy|FreeMemory|ReleasePerformanceConfiguration)', name):
                types.add(
                    command.params[-2].type
                    if command.params[-1].name == 'pAllocator'
                    else command.params[-1].type
                )
        return sorted(types - {'VkInstance'})


@functools.cache
def rules_of(m):
    return Rules(m)


def message_ids(m):
    """Ids of the rules on parents that validusage.json does not name: id -> text."""
    rules = rules_of(m)
    ids = {}
    for name, struct in m.structs.items():
        if struct.returnedOnly or name in ('VkDescriptorDataEXT',):
            continue
        for x in struct.members:
            if x.type in m.handles and not x.objectType:
                vuid = rules.parent_id(struct, x)
                if vuid.startswith('UNASSIGNED-'):
                    ids[vuid] = (
                        f'{x.name} must have been created, allocated, or retrieved from '
                        f'the same '
                        f'{"VkDevice" if rules.level(m.handles[x.type]) == "device" else "VkInstance"} '
                        f'as the call is made on.'
                    )
    for name, command in m.commands.items():
        for x in command.params[1:]:
            if x.type in m.handles and not (x.pointer and not x.const):
                vuid = rules.parent_id(command, x)
                if vuid.startswith('UNASSIGNED-'):
                    ids[vuid] = (
                        f'{x.name} must have been created, allocated, or retrieved from '
                        f'the device or instance that the call is made on.'
                    )
    return ids


def claims(m):
    """VUID -> (rule, note) of everything that this validator checks, for the table of coverage."""
    rules = rules_of(m)
    constants = {}

    def visit(items):
        for i in items:
            for constant in (i.alive, i.parent):
                for word in re.findall(r'\bVUID_\w+', constant or ''):
                    constants[word] = (
                        'lifetimes: the handle is alive, of this type, and of this device '
                        'or instance'
                    )
            visit([case for _, case in i.cases])

    for name in rules.structs:
        visit(rules.struct_items(name))
    for name in rules.commands:
        visit(rules.command_items(m.commands[name]))
    for access, handle, with_callbacks, without in rules.allocators.values():
        constants[with_callbacks] = (
            'lifetimes: callbacks given where the object was created with some '
            '(compatibility cannot be seen)'
        )
        constants[without] = 'lifetimes: callbacks given where the object was created without'
    for name, command in m.commands.items():
        first = command.params[0]
        if first.type in m.dispatchable:
            constants[m.vuid_constant(f'VUID-{name}-{first.name}-parameter')] = (
                'lifetimes: called on a live object of this type'
            )
    by_hand = [
        'VUID-vkDestroyDevice-device-05137',
        'VUID-vkDestroyInstance-instance-00629',
        'VUID-VkWriteDescriptorSet-dstSet-00320',
        'VUID-VkWriteDescriptorSet-descriptorType-02994',
        'VUID-VkWriteDescriptorSet-descriptorType-00325',
        'VUID-VkWriteDescriptorSet-descriptorType-02996',
        'VUID-VkWriteDescriptorSet-commonparent',
        'VUID-VkDescriptorImageInfo-commonparent',
        'VUID-VkDescriptorBufferInfo-buffer-parameter',
        *(f'VUID-vkUpdateDescriptorSets-pDescriptorWrites-0623{n}' for n in (6, 7, 8, 9)),
        'VUID-VkDescriptorGetInfoEXT-pSampler-parameter',
        'VUID-VkDescriptorGetInfoEXT-type-08019',
        'VUID-VkDescriptorGetInfoEXT-type-08020',
        'VUID-VkDescriptorGetInfoEXT-type-08021',
        'VUID-VkDescriptorGetInfoEXT-type-08022',
        'VUID-VkDescriptorGetInfoEXT-type-08023',
        'VUID-VkCommandBufferBeginInfo-flags-06000',
        'VUID-VkCommandBufferBeginInfo-flags-00055',
        'VUID-VkCommandBufferInheritanceInfo-commonparent',
        'VUID-VkGraphicsPipelineCreateInfo-layout-06602',
        'VUID-VkGraphicsPipelineCreateInfo-flags-06642',
        'VUID-VkGraphicsPipelineCreateInfo-renderPass-06603',
        'VUID-VkGraphicsPipelineCreateInfo-flags-06643',
    ]
    by_hand += [
        f'VUID-{c}-{r}'
        for c in (
            'vkCmdBuildAccelerationStructuresKHR',
            'vkCmdBuildAccelerationStructuresIndirectKHR',
            'vkBuildAccelerationStructuresKHR',
        )
        for r in ('srcAccelerationStructure-04629', 'dstAccelerationStructure-03800')
    ]
    by_hand += [
        f'VUID-{c}-dstMicromap-07463' for c in ('vkCmdBuildMicromapsEXT', 'vkBuildMicromapsEXT')
    ]
    known = {m.vuid_constant(v): v for v in m.vuids}
    result = {known[c]: ('lifetimes', note) for c, note in constants.items() if c in known}
    for vuid in LOADER_ANSWERS:
        result.pop(vuid, None)
    for vuid in by_hand:
        if vuid not in m.vuids:
            changes.note('registry/rooms/lifetimes/rules.py:1', f'the registry has no {vuid}', vuid)
            continue
        result[vuid] = ('lifetimes', 'lifetimes: written by hand')
    return result


def impossible(m):
    """VUID -> why a layer cannot check it."""
    return {v: reason for v, reason in LOADER_ANSWERS.items() if v in m.vuids}
