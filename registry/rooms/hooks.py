"""The hooks that a room's sources define, as registry/rooms/scan_hooks.py found them: command ->
phase -> functions."""

import collections

from model import changes
from model.registry import RegistryError

PHASES = ('validate', 'before', 'after')


def read(m, path, room, others=()):
    """{'vkCmdDraw': {'validate': ['core_validate_CmdDraw', ...], ...}}, in the registry's order of
    commands. `others`: further first words of functions that the room's sources may have, not read
    now."""
    found = collections.defaultdict(lambda: {phase: [] for phase in PHASES})
    with open(path, encoding='utf-8') as f:
        for line in f:
            where, phase, command, function = line.split()
            if where != room and where in others:
                continue
            if where != room:
                raise RegistryError(f'{function} stands in the sources of another room, {room}')
            name = 'vk' + command
            if name not in m.commands:
                real = m.aliases.get(name)
                changes.note(
                    'registry/rooms/hooks.py:1',
                    f'{function}: '
                    + (f'an alias; call it after {real}' if real else 'no such command'),
                )
                continue
            found[name][phase].append(function)
    return {name: found[name] for name in m.commands if name in found}


def declaration(m, name, phase, function):
    returns = 'bool' if phase == 'validate' else 'void'
    return f'{returns} {function}(struct call *call, {m.parameter_list(m.commands[name])})'
