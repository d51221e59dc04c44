"""Dynamic states: which command sets which, and what is kept of the value.

The registry names a state after the command that sets it: vkCmdSetCullMode sets
VK_DYNAMIC_STATE_CULL_MODE. dynamic_states.toml has what that does not say."""

import functools
import re

from model import changes, hand_tables
from model.hand_tables import NAME, WHY, WORD, Kind
from model.registry import snake

PATH = 'registry/model/dynamic_states.toml'
TABLES = hand_tables.read(
    PATH,
    {
        'sets': {'of': NAME, 'state': WORD, 'why': WHY},
        'sets_none': {'of': NAME, 'why': WHY},
        'by_hand': {'of': NAME, 'why': WHY},
        'kept': {
            'of': WORD,
            'parameter': WORD,
            'pipeline': Kind('a member, as a.b', hand_tables.like(r'\w+(?:\.\w+)*')).or_nothing(),
            'why': hand_tables.ASKED,
        },
        'field': {'of': WORD, 'name': WORD, 'why': WHY},
        'promoted_in_c': {'of': NAME, 'why': WHY},
    },
)
# Command -> state, without VK_DYNAMIC_STATE_.
SETS = {row.of: row.state for row in TABLES['sets']}
SETS_NONE = {row.of for row in TABLES['sets_none']}
BY_HAND = {row.of for row in TABLES['by_hand']}
# State -> the name of its field.
FIELDS = {row.of: row.name for row in TABLES['field']}


class Value:
    """A value that is kept: `field` of `type` in struct command_buffer_dynamic, from `parameter` of
    `command`. `fixed`: the member of struct pipeline that has it where it is not dynamic, or
    None."""

    def __init__(self, state, command, param, fixed):
        self.state, self.command, self.parameter, self.fixed = state, command, param.name, fixed
        self.type, self.registry_type = (
            'bool' if param.type == 'VkBool32' else param.type,
            param.type,
        )
        self.field = FIELDS.get(state, snake(param.name))


class DynamicStates:
    """states    names without VK_DYNAMIC_STATE_, in the registry's order
    setters   command -> state, in the registry's order
    plain     those of them whose hook is generated
    values    [Value]"""

    def __init__(self, m):
        self.states = [
            f.name.removeprefix('VK_DYNAMIC_STATE_')
            for f in m.enums['VkDynamicState'].fields
            if not f.protect
        ]
        states_of = ('kept', 'field')
        hand_tables.check(m, {name: x for name, x in TABLES.items() if name not in states_of})
        self.setters = {}
        for name in m.commands:
            if not name.startswith('vkCmdSet') or name in SETS_NONE:
                continue
            state = SETS.get(name, snake(name.removeprefix('vkCmdSet')).upper())
            if state not in self.states:
                changes.note(f'{PATH}:1', f'{name}: sets which dynamic state, or none?')
                continue
            self.setters[name] = state
        self.plain = [name for name in self.setters if name not in BY_HAND]
        self.values = []
        for row in TABLES['kept']:
            found = [
                (name, p)
                for name in self.plain
                if self.setters[name] == row.of
                for p in m.commands[name].params
                if p.name == row.parameter
            ]
            if len(found) != 1:
                changes.note(row.place, f'{row.of}: which parameter is {row.parameter}?')
                continue
            self.values.append(Value(row.of, *found[0], row.pipeline))

    def value(self, command):
        """The Value that a command gives, or None."""
        return next((v for v in self.values if v.command == command), None)


@functools.cache
def tables(m):
    return DynamicStates(m)


# --- commands that a version has ------------------------------------------------------------------

PROMOTED = re.compile(
    r'At least one of the following must be true: - the (\w+) feature is enabled - the '
    r'shaderObject feature is enabled '
    r'- the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of '
    r'commandBuffer is greater '
    r'than or equal to Version 1\.3'
)
PROMOTED_IN_C = {row.of for row in TABLES['promoted_in_c']}


def promoted(m):
    """[(command, feature, id)]: "at least one of the feature, shaderObject, and an instance of
    Vulkan 1.3"."""
    found = [
        (v.owner, g[1], v.id)
        for v in m.vuids.values()
        if v.numbered and v.owner.startswith('vkCmdSet') and v.owner not in PROMOTED_IN_C
        for g in [PROMOTED.fullmatch(v.text)]
        if g
    ]
    return sorted(found, key=lambda x: list(m.commands).index(x[0]))
