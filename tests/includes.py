#!/usr/bin/env python3
"""Includes go one way: a room includes what is below it, and nothing else.

  includes.py ROOT     looks through the includes of ROOT/src and of the templates in
  ROOT/registry/rooms

ORDER is the order of docs/architecture.md, the lowest room first. A generated header counts as of
the room that generates it, which is the first part of its name. Each include that goes up, or from
one validator to another, is a line `FILE:LINE: X may not include Y because ...`, and the exit
status is 1."""

import pathlib
import re
import sys

ORDER = ['base', 'spirv', 'vk', 'settings', 'objects', 'report', 'chassis', 'state']
VALIDATORS = ['stateless', 'lifetimes', 'threads', 'core', 'sync', 'practices', 'gpu']
TOP = 'the list of validators'
WHY = {
    'base': 'it knows nothing of Vulkan or of the layer',
    'spirv': 'it knows modules, and neither Vulkan nor what checks of shaders are for',
    'vk': 'it has what the registry says, for all rooms',
    'settings': 'it reads settings before there is an instance',
    'objects': 'handles, instances and calls are there before anything is reported of them',
    'report': 'a finding is put into words from the call, its objects and the registry',
    'chassis': 'it passes calls on, and does not know what is made of them',
    'state': 'it keeps what calls have made of objects, and does not judge',
}
# Files that know all rooms: they say which validators there are.
LIST_OF_VALIDATORS = re.compile(r'(.*/)?validators\.[ch]$')
# Directories of templates that make no part of the layer.
NO_ROOM = {'tests', 'valid', 'null_driver'}
# Headers for compilers to read once: no source includes these.
PRECOMPILED = 'precompiled'
# Edges that are still to be broken: (file, header) -> why it is there.
KNOWN: dict[tuple[str, str], str] = {}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def room_of(path):
    """`path` is relative to src."""
    return TOP if LIST_OF_VALIDATORS.match(path) else path.split('/')[0]


def fault(room, other):
    """Why `room` may not include `other`; None where it may."""
    for name in (room, other):
        if name not in ORDER + VALIDATORS + [TOP]:
            return f'{name} has no place in the order of rooms (ORDER in tests/includes.py)'
    if room == other or room == TOP:
        return None
    if other == TOP:
        return 'nothing includes the list of validators, which knows them all'
    if room in VALIDATORS:
        return 'validators do not know one another' if other in VALIDATORS else None
    if other in VALIDATORS:
        return f'{other} is a validator, and {WHY[room]}'
    if ORDER.index(other) > ORDER.index(room):
        return f'{other} is above {room}: {WHY[room]}'
    return None


def includes_of(path, text):
    """(line, room that includes, what is included, its room). Files beside a file are of its
    room."""
    for match in INCLUDE.finditer(text):
        header = match[1]
        other = room_of(header) if '/' in header else room_of(path)
        yield text.count('\n', 0, match.start()) + 1, room_of(path), header, other


def check_itself():
    """The rules find what they are for, and nothing else."""

    def faults(path, text):
        return [
            (room, other) for _, room, _, other in includes_of(path, text) if fault(room, other)
        ]

    for path, text, expected in (
        ('base/vec.c', '#include "vk/vulkan.h"\n', [('base', 'vk')]),
        (
            'report/finding/finding.c',
            '#include "chassis/call.h"\n#include "objects/call.h"\n',
            [('report', 'chassis')],
        ),
        (
            'core/draw/draw.c',
            '#include "stateless/check.h"\n  #  include "state/memory/image.h"\n',
            [('core', 'stateless')],
        ),
        (
            'state/memory/image.c',
            '#include "gpu/gpu.h" /* why */\n#include "image.h"\n',
            [('state', 'gpu')],
        ),
        ('sync/queue/queue.c', '#include "sync/queue/queue.h"\n#include <vulkan/vulkan.h>\n', []),
        ('validators.c', '#include "core/core.h"\n#include "sync/sync.h"\n', []),
        ('core/core.c', '#include "validators.h"\n', []),
        ('odd/a.c', '#include "base/base.h"\n', [('odd', 'base')]),
    ):
        found = faults(path, text)
        assert found == expected, f'{path}: {found}, not {expected}'


def sources(root):
    for directory, endings in (
        ('src', ('*.c', '*.h')),
        ('registry/rooms', ('*.c.mako', '*.h.mako', '*.mako')),
    ):
        base = root / directory
        for path in sorted({p for ending in endings for p in base.rglob(ending)}):
            relative = path.relative_to(base).as_posix()
            if room_of(relative) == PRECOMPILED:
                continue
            if '/' in relative and not (directory != 'src' and relative.split('/')[0] in NO_ROOM):
                yield path, relative


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1])
    files = includes = faults = 0
    unused = dict(KNOWN)
    for path, relative in sources(root):
        files += 1
        name = path.relative_to(root).as_posix()
        for line, room, header, other in includes_of(relative, path.read_text()):
            includes += 1
            why = fault(room, other)
            if why and not unused.pop((name, header), None) and (name, header) not in KNOWN:
                faults += 1
                print(f'{name}:{line}: {room} may not include {header} because {why}')
    for (name, header), why in unused.items():
        faults += 1
        print(f'{name} no longer includes {header}: take it out of KNOWN ({why})')
    print(f'{files} files, {includes} includes, {faults} faults, {len(KNOWN)} known edges')
    if files < 300 or includes < 1000:
        sys.exit('these are not all files')
    sys.exit(1 if faults else 0)


if __name__ == '__main__':
    main()
