#!/usr/bin/env python3
"""Finds hand-written files of src that need one another in a circle, by their objects' symbols.

  circles.py BUILD ROOT LIST [--needs FROM TO | --write]

A file needs another where its object asks for a symbol that the other's object defines. Rooms are
the folders of src, and those of src/core as well. No room may need itself by way of others. Files
may, but only as in LIST, which has one circle a paragraph and one file a line. What LIST names and
is not so anymore fails as well, so that it only ever shrinks.

  --needs FROM TO   print which symbols of TO are asked for by FROM: files, or folders
  --write           print the list as it would be now, the largest circle first"""

from __future__ import annotations

import collections
import pathlib
import subprocess
import sys
from collections.abc import Iterable, Mapping

# These figures may become smaller, and never larger.
MOST_CIRCLES = 8
MOST_FILES = 8
# Rooms whose folders are rooms.
ROOMS_OF_ROOMS = {'core'}

Needs = dict[str, dict[str, set[str]]]  # who -> whom -> the symbols


def room_of(path: str) -> str | None:
    """The room of a file, whose path is relative to src; None for a file of no room."""
    folders = path.split('/')[:-1]
    if not folders:
        return None
    return '/'.join(folders[:2]) if folders[0] in ROOMS_OF_ROOMS else folders[0]


def circles(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components of at least two nodes, the largest first (Tarjan's
    algorithm, without recursion)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found = []
    for start in sorted(edges):
        if start in number:
            continue
        work = [(start, iter(sorted(edges[start])))]
        number[start] = lowest[start] = len(number)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
            elif following not in number:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(sorted(edges.get(following, ())))))
            elif following in on_stack:
                lowest[node] = min(lowest[node], number[following])
    return sorted(found, key=lambda circle: (-len(circle), circle))


def objects_of(build: pathlib.Path, source: pathlib.Path) -> dict[str, pathlib.Path]:
    """The object of each file below src that the layer has. Meson writes a path with _ for /."""
    by_name: dict[str, str] = {}
    for file in sorted(source.rglob('*.c')):
        path = file.relative_to(source).as_posix()
        name = path.replace('/', '_') + '.o'
        assert name not in by_name, f'{path} and {by_name[name]} have the same name of an object'
        by_name[name] = path
    found = {}
    for archive in sorted((build / 'src').glob('libassay*.a.p')):
        for item in archive.glob('*.c.o'):
            if item.name in by_name:
                found[by_name[item.name]] = item
    return found


def needs_of(objects: Mapping[str, pathlib.Path]) -> Needs:
    defines: dict[str, str] = {}
    asks: dict[str, set[str]] = collections.defaultdict(set)
    by_object = {str(item): path for path, item in objects.items()}
    output = subprocess.run(
        ['nm', '-A', '-g', '-P', *by_object], check=True, capture_output=True, text=True
    ).stdout
    for line in output.splitlines():
        item, symbol, kind = line.split()[:3]
        path = by_object[item.removesuffix(':')]
        if kind == 'U':
            asks[path].add(symbol)
        else:
            defines[symbol] = path
    needs: Needs = {path: {} for path in objects}
    for path, symbols in asks.items():
        for symbol in symbols:
            other = defines.get(symbol, path)
            if other != path:
                needs[path].setdefault(other, set()).add(symbol)
    return needs


def needs_of_rooms(needs: Needs) -> Needs:
    rooms: Needs = {}
    for path, others in needs.items():
        room = room_of(path)
        if room is None:
            continue
        whom = rooms.setdefault(room, {})
        for other in others:
            target = room_of(other)
            if target is not None and target != room:
                whom.setdefault(target, set()).add(f'{path} {other}')
    return rooms


def read_list(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if not line.startswith('#')]
    paragraphs = '\n'.join(lines).split('\n\n')
    return [sorted(p.split()) for p in paragraphs if p.strip()]


def faults_of_files(found: list[list[str]], listed: list[list[str]]) -> list[str]:
    """Returns the differences between the circles that are and those that are listed."""
    faults = []
    of = {path: frozenset(circle) for circle in listed for path in circle}
    now = {path: frozenset(circle) for circle in found for path in circle}
    for circle in found:
        known = {of[path] for path in circle if path in of}
        new = [path for path in circle if path not in of]
        if not known:
            faults.append(f'a new circle: {" ".join(circle)}')
        elif new:
            old = next(path for path in circle if path in of)
            faults.append(f'new in the circle of {old}: {" ".join(new)}')
        elif len(known) > 1:
            faults.append(f'circles that were apart are one now: {" ".join(circle)}')
    for circle in listed:
        gone = [path for path in circle if path not in now]
        if len(gone) == len(circle):
            faults.append(f'a circle is gone, take it out: {" ".join(circle)}')
        elif gone:
            faults.append(f'not in a circle anymore, take it out: {" ".join(gone)}')
        elif len({now[path] for path in circle}) > 1:
            faults.append(f'these fell into several circles, list them so: {" ".join(circle)}')
    return faults


def check_itself() -> None:
    edges = {
        'a': ['b'],
        'b': ['c'],
        'c': ['a', 'd'],
        'd': ['e'],
        'e': ['d', 'f'],
        'f': [],
        'g': ['g'],
    }
    assert circles(edges) == [['a', 'b', 'c'], ['d', 'e']]
    assert circles({'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}) == []
    assert room_of('core/draw/draw.c') == 'core/draw' and room_of('core/core.h') == 'core'
    assert room_of('gpu/report/report.c') == 'gpu' and room_of('validators.c') is None
    listed = read_list('# words\na.c\nb.c\n\nd.c\ne.c\nf.c\n')
    assert listed == [['a.c', 'b.c'], ['d.c', 'e.c', 'f.c']]
    assert faults_of_files(listed, listed) == []
    for found, words in (
        ([listed[0]], ['a circle is gone']),
        ([listed[0], ['d.c', 'f.c']], ['not in a circle anymore']),
        ([*listed, ['x.c', 'y.c']], ['a new circle']),
        ([['a.c', 'b.c', 'c.c'], listed[1]], ['new in the circle of']),
        ([[*listed[0], *listed[1]]], ['circles that were apart']),
    ):
        faults = faults_of_files(found, listed)
        assert len(faults) == len(words), faults
        assert all(fault.startswith(word) for fault, word in zip(faults, words)), faults


def below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip('/') + '/')


def main() -> None:
    check_itself()
    build, root, listed_at = (pathlib.Path(argument) for argument in sys.argv[1:4])
    objects = objects_of(build, root / 'src')
    needs = needs_of(objects)
    if '--needs' in sys.argv:
        who, whom = sys.argv[-2:]
        for path in sorted(needs):
            for other in sorted(needs[path]):
                if below(path, who) and below(other, whom):
                    print(f'{path} needs {other}: {" ".join(sorted(needs[path][other]))}')
        return
    found = circles(needs)
    if '--write' in sys.argv:
        print('\n\n'.join('\n'.join(circle) for circle in found))
        return

    rooms = needs_of_rooms(needs)
    circles_of_rooms = circles(rooms)
    faults = faults_of_files(found, read_list(listed_at.read_text()))
    for circle in circles_of_rooms:
        faults.append(f'rooms in a circle: {" ".join(circle)}')
        for room in circle:
            for other in sorted(set(rooms[room]) & set(circle)):
                for pair in sorted(rooms[room][other]):
                    path, target = pair.split()
                    symbols = ' '.join(sorted(needs[path][target]))
                    faults.append(f'  {path} needs {target}: {symbols}')
    if len(found) > MOST_CIRCLES:
        faults.append(f'more than {MOST_CIRCLES} circles')
    if found and len(found[0]) > MOST_FILES:
        faults.append(f'a circle of more than {MOST_FILES} files')
    for fault in faults:
        print(fault)
    sizes = ', '.join(str(len(circle)) for circle in found)
    print(
        f'{len(objects)} files; {len(found)} circles of files ({sizes}); {len(rooms)} rooms, '
        f'{len(circles_of_rooms)} circles of rooms'
    )
    if len(objects) < 300 or sum(len(others) for others in needs.values()) < 1000:
        sys.exit('these are not all files')
    sys.exit(1 if faults else 0)


if __name__ == '__main__':
    main()
