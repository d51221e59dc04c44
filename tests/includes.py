#!/usr/bin/env python3
"""Includes go one way: a room includes what is below it, and nothing else.

  includes.py ROOT     looks through the includes of ROOT/src and of the templates in
  ROOT/registry/rooms

ORDER is the order of docs/architecture.md, the lowest room first. A generated header counts as of
the room that generates it, which is the first part of its name. FOLDERS is the same of the folders
in a room; what lies in the room itself is of no folder. UPWARD has the edges between folders that
go up all the same, and may only shrink. Each include that goes up, or from one validator to
another, is a line `FILE:LINE: X may not include Y because ...`, and the exit status is 1."""

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
# The folders of a room, the lowest first: each may include those before it.
FOLDERS = {
    'spirv': 'module edit printf abort helper instrument',
    'report': 'names muting sink finding',
    'state': 'memory raytracing object command wsi submit descriptor pipeline query video',
    'core': 'destroy barrier memory resource descriptor device dynamic_state render pipeline query '
    'record shader draw submit raytracing transfer video wsi',
    'sync': 'access advice report queue record touched',
    'gpu': 'shaders device pipeline abort command breadcrumbs report buffers dump',
}
# Edges that go up, by room: `a > b` is there as long as a file of `a` includes one of `b`. What a
# folder asks of those above it belongs below both.
UPWARD = {
    # what is asked of the instrumenter: struct spirv_instrument_info
    'spirv': ['abort > instrument'],
    # names of objects are the reporter's, and a full depot of stacks is a finding
    'report': [
        'muting > finding',
        'muting > sink',
        'names > finding',
        'names > sink',
        'sink > finding',
    ],
    # object/reach.c knows what depends on what, and all objects of memory are stamped by queues
    'state': [
        'command > descriptor',
        'command > pipeline',
        'command > query',
        'command > submit',
        'descriptor > pipeline',
        'memory > command',
        'memory > object',
        'memory > pipeline',
        'memory > submit',
        'memory > wsi',
        'object > command',
        'object > descriptor',
        'object > pipeline',
        'object > submit',
        'object > video',
        'raytracing > command',
        'submit > query',
        'wsi > submit',
    ],
    # struct recording is what advice, reports and queues are about
    'sync': ['advice > record', 'advice > report', 'queue > record', 'report > record'],
    # device.c begins and ends all of it, and drain.c reports
    'gpu': [
        'command > buffers',
        'device > abort',
        'device > breadcrumbs',
        'device > buffers',
        'device > command',
        'device > pipeline',
        'pipeline > buffers',
        'pipeline > report',
    ],
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


def folder_of(path):
    """`path` is relative to src; None for what lies in no folder of its room."""
    parts = path.split('/')
    return parts[1] if len(parts) > 2 and parts[0] in FOLDERS else None


def fault_of_folders(path, header):
    """The edge and why it is not allowed; None where it is, or where there is none."""
    room = room_of(path)
    folder, other = folder_of(path), folder_of(header)
    if room != room_of(header) or folder is None or other is None or folder == other:
        return None
    order = FOLDERS[room].split()
    for name in (folder, other):
        if name not in order:
            return None, f'{room}/{name} has no place in the order of folders (FOLDERS)'
    if order.index(other) < order.index(folder):
        return None
    return f'{folder} > {other}', f'{room}/{other} is above {room}/{folder} (FOLDERS)'


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
    for path, header, edge in (
        ('core/draw/draw.c', 'core/memory/address.h', None),
        ('core/draw/draw.c', 'core/draw/use.h', None),
        ('core/draw/draw.c', 'report/finding/rule.h', None),
        ('core/draw/draw.c', 'state/memory/image.h', None),
        ('core/core.c', 'core/draw/draw.h', None),
        ('core/memory/address.c', 'core/draw/draw.h', 'memory > draw'),
    ):
        upward = fault_of_folders(path, header)
        assert (upward[0] if upward else None) == edge, f'{path}: {upward}, not {edge}'
    assert fault_of_folders('core/odd/a.c', 'core/draw/draw.h') is not None


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
    upward = {(room, edge) for room, edges in UPWARD.items() for edge in edges}
    unused_upward = set(upward)
    for path, relative in sources(root):
        files += 1
        name = path.relative_to(root).as_posix()
        for line, room, header, other in includes_of(relative, path.read_text()):
            includes += 1
            why = fault(room, other)
            if why and not unused.pop((name, header), None) and (name, header) not in KNOWN:
                faults += 1
                print(f'{name}:{line}: {room} may not include {header} because {why}')
            of_folders = fault_of_folders(relative, header) if '/' in header else None
            if of_folders:
                edge, why = of_folders
                unused_upward.discard((room, edge))
                if (room, edge) not in upward:
                    faults += 1
                    folder = f'{room}/{folder_of(relative)}'
                    print(f'{name}:{line}: {folder} may not include {header} because {why}')
    for (name, header), why in unused.items():
        faults += 1
        print(f'{name} no longer includes {header}: take it out of KNOWN ({why})')
    for room, edge in sorted(unused_upward):
        faults += 1
        print(f'no file of {room} goes {edge} anymore: take it out of UPWARD')
    print(
        f'{files} files, {includes} includes, {faults} faults, {len(KNOWN)} known edges of rooms, '
        f'{len(upward)} of folders'
    )
    if files < 300 or includes < 1000:
        sys.exit('these are not all files')
    sys.exit(1 if faults else 0)


if __name__ == '__main__':
    main()
