"""The names of a registry, and what one registry has that another one does not (update.py).

Both registries are read here as XML, in one way: the registry's own reader
(registry/model/registry.py) cannot be loaded twice in a process, and the names must be told even
where it fails."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree import ElementTree

from model import registry as registry_model

PROPERTIES = 'VkPhysicalDeviceProperties2'
# Tables of features and limits are generated.
GENERATED_BASES = (PROPERTIES, 'VkPhysicalDeviceFeatures2', 'VkDeviceCreateInfo')
# Names in sources: commands, types and enumerants. Tables in Python have enumerants without their
# prefix, too, as quoted words.
NAME = re.compile(
    r'\b(?:VK_[A-Z0-9_]*[A-Z0-9]|[vV]k[A-Z]\w+)\b(?![$*{])|'
    r'(?<=[\'"])[A-Z][A-Z0-9_]+(?=[\'"])'
)


@dataclass(frozen=True)
class Feature:
    """A feature of an extension, and the structure that has it."""

    name: str
    structure: str


@dataclass
class Extension:
    """An extension, or a version of the API, with all that it brings."""

    name: str
    kind: str = ''
    needs: str = ''
    left_out: str = ''  # why the layer leaves it out, or nothing
    commands: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    features: list[Feature] = field(default_factory=list)
    enumerants: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Structure:
    """`limits`: the members that are limits of a device, with the kind of each."""

    members: tuple[str, ...]
    extends: tuple[str, ...]
    limits: tuple[str, ...]


@dataclass
class Names:
    """All names of a registry that the layer may meet on Linux."""

    extensions: dict[str, Extension] = field(default_factory=dict)
    commands: set[str] = field(default_factory=set)
    structures: dict[str, Structure] = field(default_factory=dict)
    handles: set[str] = field(default_factory=set)
    enumerants: dict[str, set[str]] = field(default_factory=dict)

    def all(self) -> set[str]:
        return (
            self.commands
            | set(self.structures)
            | self.handles
            | set(self.extensions)
            | {name for names in self.enumerants.values() for name in names}
        )


def _of_vulkan(element: ElementTree.Element) -> bool:
    return 'vulkan' in element.get('api', 'vulkan').split(',')


def _name(element: ElementTree.Element) -> str:
    return element.get('name') or element.findtext('name') or element.findtext('proto/name') or ''


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (text or '').split(',')))


def _structure(element: ElementTree.Element) -> Structure:
    members = [x for x in element.iter('member') if _of_vulkan(x)]
    extends = _words(element.get('structextends'))
    limits = tuple(
        f'{_name(x)} ({x.get("limittype", "no kind")})'
        for x in members
        if PROPERTIES in extends and _name(x) not in ('sType', 'pNext')
    )
    return Structure(tuple(_name(x) for x in members), extends, limits)


def _extension(element: ElementTree.Element, protects: dict[str, str]) -> Extension:
    found = Extension(_name(element), element.get('type', 'version'), element.get('depends', ''))
    protect = protects.get(element.get('platform', ''))
    if element.get('provisional') == 'true':
        found.left_out = 'provisional'
    elif protect and protect not in registry_model.PLATFORMS:
        found.left_out = f'of the platform {element.get("platform")}'
    for require in filter(_of_vulkan, element.iter('require')):
        found.commands += [_name(x) for x in require.iter('command')]
        found.types += [_name(x) for x in require.iter('type')]
        for x in require.iter('feature'):
            for name in _words(_name(x)):
                found.features.append(Feature(name, x.get('struct', '')))
        for x in filter(_of_vulkan, require.iter('enum')):
            if x.get('extends'):
                found.enumerants.setdefault(x.get('extends', ''), []).append(_name(x))
    return found


def read(registry: pathlib.Path) -> Names:
    """The names of the registry in a directory. Raises OSError or ElementTree.ParseError."""
    root = ElementTree.parse(registry / 'vk.xml').getroot()
    protects = {_name(x): x.get('protect', '') for x in root.iter('platform')}
    names = Names()
    names.commands = {_name(x) for x in root.iterfind('commands/command') if _of_vulkan(x)}
    for x in filter(_of_vulkan, root.iterfind('types/type')):
        if x.get('category') in ('struct', 'union'):
            names.structures[_name(x)] = _structure(x)
        elif x.get('category') == 'handle':
            names.handles.add(_name(x))
    for enums in root.iterfind('enums'):
        if enums.get('type') in ('enum', 'bitmask'):
            names.enumerants[_name(enums)] = {_name(x) for x in enums.iter('enum')}
    elements = [x for x in root.iterfind('feature') if _of_vulkan(x)]
    elements += [
        x
        for x in root.iterfind('extensions/extension')
        if 'vulkan' in x.get('supported', '').split(',')
    ]
    dropped: set[str] = set()
    present: set[str] = set()
    for extension in (_extension(x, protects) for x in elements):
        names.extensions[extension.name] = extension
        own = {*extension.commands, *extension.types}
        if extension.left_out:
            dropped |= own
            continue
        present |= own
        for enum, values in extension.enumerants.items():
            names.enumerants.setdefault(enum, set()).update(values)
    # A name without an extension that the layer knows is none that it can meet.
    for name in dropped - present:
        names.commands.discard(name)
        names.structures.pop(name, None)
        names.handles.discard(name)
        names.enumerants.pop(name, None)
    return names


@dataclass
class Differences:
    """The names that the new registry has and the old one does not, and the other way round."""

    extensions: list[Extension]
    gone: list[str]
    commands: list[str]
    structures: list[str]
    handles: list[str]
    enumerants: dict[str, list[str]]
    members: dict[str, list[str]]
    gone_members: dict[str, list[str]]


def compare(old: Names, new: Names) -> Differences:
    both = [name for name in new.structures if name in old.structures]

    def members(first: Names, second: Names) -> dict[str, list[str]]:
        found = {
            name: [
                x
                for x in first.structures[name].members
                if x not in second.structures[name].members
            ]
            for name in both
        }
        return {name: more for name, more in found.items() if more}

    enumerants = {
        enum: sorted(values - old.enumerants.get(enum, set()))
        for enum, values in sorted(new.enumerants.items())
    }
    return Differences(
        [x for name, x in new.extensions.items() if name not in old.extensions],
        sorted(old.all() - new.all()),
        sorted(new.commands - old.commands),
        [name for name in new.structures if name not in old.structures],
        sorted(new.handles - old.handles),
        {enum: values for enum, values in enumerants.items() if values},
        members(new, old),
        members(old, new),
    )


# --- where names stand in the sources ----------------------------------------------------------

SOURCES = (
    'registry/**/*.py',
    'registry/*.txt',
    'registry/**/*.toml',
    'registry/rooms/**/*.mako',
    'src/**/*.[ch]',
    'tests/**/*.[ch]',
    'tests/*.py',
    'tools/**/*.[ch]',
    'bench/**/*.[ch]',
    'examples/**/*.[ch]',
)
WINDOW = 30  # lines of a table
FEWEST = 4  # siblings in a table
MOST = 12  # tables that are told


@dataclass(frozen=True)
class Table:
    """A place that names siblings of a new name."""

    place: str
    named: int


class Uses:
    """Where the sources of the checkout name what a registry may have. Lists of statements are no
    tables: they do not grow with a new name."""

    def __init__(self, root: pathlib.Path, patterns: Iterable[str] = SOURCES) -> None:
        self.lines: dict[str, list[tuple[str, int]]] = {}
        for pattern in patterns:
            for path in sorted(root.glob(pattern)):
                where = path.relative_to(root).as_posix()
                if where.startswith('tests/registry-next/'):  # compiled with headers of its own
                    continue
                text = path.read_text(encoding='utf-8', errors='replace')
                for number, line in enumerate(text.splitlines(), 1):
                    for name in NAME.findall(line):
                        self.lines.setdefault(name, []).append((where, number))

    def of(self, name: str) -> list[str]:
        return list(dict.fromkeys(f'{path}:{number}' for path, number in self.lines.get(name, ())))

    def tables(self, siblings: Iterable[str]) -> list[Table]:
        """The hand-written places that name several of the siblings close together."""
        found: dict[str, list[tuple[int, str]]] = {}
        names = sorted(siblings)
        prefix = os.path.commonprefix(names)
        prefix = prefix[: prefix.rfind('_') + 1] if len(names) > 1 else ''
        for name in names:
            words = (name, name.removeprefix(prefix)) if prefix else (name,)
            for path, number in (use for word in words for use in self.lines.get(word, ())):
                if path.startswith('src/') or re.match(
                    r'registry/(.*\.(py|mako)|.+/.*\.toml)$', path
                ):
                    found.setdefault(path, []).append((number, name))
        tables = []
        for path, uses in found.items():
            uses.sort()
            at = 0
            while at < len(uses):
                end = at
                while end + 1 < len(uses) and uses[end + 1][0] - uses[end][0] <= WINDOW:
                    end += 1
                named = {name for _, name in uses[at : end + 1]}
                if len(named) >= FEWEST:
                    tables.append(Table(f'{path}:{uses[at][0]}', len(named)))
                at = end + 1
        return sorted(tables, key=lambda x: (x.place.startswith('src/'), -x.named, x.place))


def family(command: str) -> str:
    """Returns the beginning of names of one kind: vkCmdDispatchIndirect -> vkCmdDispatch."""
    found = re.match(r'vk(?:Cmd)?[A-Z][a-z]+', command)
    return found[0] if found else command
