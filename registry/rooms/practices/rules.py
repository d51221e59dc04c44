"""Templates of the practices room need these: the hooks that its sources define, commands that
answer a VkResult, and what the registry says of extensions and commands that newer ones have
superseded."""

import re

from model import changes, dynamic_states, feature_tables, hand_tables
from model.hand_tables import FLAG, NAME, WHY, WORD, Kind
from model.registry import RegistryError
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

TABLES = hand_tables.read(
    'registry/rooms/practices/exceptions.toml',
    {
        'whole': {'of': NAME, 'why': WHY},
        'acts': {'of': NAME, 'counts': WORD, 'why': WHY},
        'of_buffers': {'of': NAME, 'why': WHY},
        'use': {
            'of': WORD,
            'words': Kind('words', hand_tables.like(r'\w+(?: \w+)*')),
            'named_only_with_others': FLAG,
            'why': WHY,
        },
        'link': {
            'of': Kind('an anchor', hand_tables.like(r'[\w-]+')),
            'id': WORD,
            'without_extensions': FLAG,
            'why': WHY,
        },
        'work_without_a_call': {'of': NAME, 'why': WHY},
        'hold_no_use': {'of': NAME, 'why': WHY},
        'same_state': {'of': WORD, 'state': WORD, 'why': WHY},
    },
)
_WHOLE = {row.of for row in TABLES['whole']}
_OF_BUFFERS = {row.of for row in TABLES['of_buffers']}
# A special use of extensions -> its row.
_USES = {row.of: row for row in TABLES['use']}
# An anchor of the specification -> its row.
_LINKS = {row.of: row for row in TABLES['link']}
_WORK_WITHOUT_A_CALL = {row.of for row in TABLES['work_without_a_call']}
_HOLD_NO_USE = {row.of for row in TABLES['hold_no_use']}
# State -> the state that it is compared as.
_SAME = {row.of: row.state for row in TABLES['same_state']}


def result_commands(m):
    """Commands that answer a VkResult, and whose answer is looked at after each call."""
    return [
        n
        for n, c in m.commands.items()
        if c.returnType == 'VkResult' and c.params and not m.is_global(c) and n not in _WHOLE
    ]


def counts(m):
    """command -> what counts it: draws, and other commands that act."""
    checked = ('whole', 'of_buffers', 'hold_no_use')
    hand_tables.check(m, {name: TABLES[name] for name in checked})
    longest_first = sorted(TABLES['acts'], key=lambda row: -len(row.of))
    found = {}
    for name in m.commands:
        row = next((row for row in longest_first if name.startswith(row.of)), None)
        if row:
            found[name] = 'count_buffer_action' if name in _OF_BUFFERS else row.counts
    return found


def hooks_of(m, path):
    """command -> phase -> functions: those of the sources, and what looks at results, which comes
    first."""
    found = {
        n: {p: list(f) for p, f in phases.items()}
        for n, phases in read(m, path, 'practices', others=('legacy', 'redundant')).items()
    }
    for name in [*result_commands(m), *counts(m)]:
        found.setdefault(name, {p: [] for p in PHASES})
    return {n: found[n] for n in m.commands if n in found}


def special_uses(m):
    """[(extension, its uses in words)]."""
    found = []
    for name, e in m.extensions.items():
        unknown = set(e.specialUse or ()) - set(_USES)
        if unknown:
            path = 'registry/rooms/practices/exceptions.toml'
            changes.note(f'{path}:1', f'{name}: unknown special uses: {unknown}')
            continue
        if any(not _USES[use].named_only_with_others for use in e.specialUse or ()):
            words = [_USES[use].words for use in e.specialUse]
            found.append((name, ', '.join(words[:-1]) + (' and ' if words[1:] else '') + words[-1]))
    return found


def superseded_extensions(m):
    """[(extension, what has taken its place as a constant, or EXTENSION_COUNT)] of those that are
    deprecated, obsoleted or promoted."""
    known = set(m.versions) | set(m.extensions)
    found = []
    for name, e in m.extensions.items():
        by = e.promotedTo or e.obsoletedBy or e.deprecatedBy
        deprecated = e.deprecatedBy is not None or e.obsoletedBy is not None
        if by is None and not deprecated:
            continue
        found.append(
            (
                name,
                f'EXTENSION_{by}' if by in known else 'EXTENSION_COUNT',
                bool(by) and by not in known,
            )
        )
    # An extension that this layer does not know (of another platform) may be the replacement: then
    # nothing can be said.
    return [(name, by) for name, by, unknown in found if not unknown]


class Superseded:
    def __init__(self, m, name, legacy):
        self.name = name
        if legacy.link not in _LINKS:
            raise RegistryError(f'{name}: superseded for an unknown reason: {legacy.link}')
        self.id = _LINKS[legacy.link].id
        version = legacy.version
        self.needs = [f'EXTENSION_{version.name}'] if version else []
        if not _LINKS[legacy.link].without_extensions:
            self.needs += [f'EXTENSION_{e}' for e in legacy.extensions if e in m.extensions]
        # "vkCreateRenderPass2": the command as such, or its alias
        self.by = legacy.supersededBy if legacy.supersededBy in m.all_commands else None


def superseded_commands(m):
    found = []
    for name, command in m.commands.items():
        if command.legacy and command.params and not m.is_global(command):
            with changes.left_out():
                found.append(Superseded(m, name, command.legacy))
    # A command that ends an object, or ends what another command began, follows from that command.
    return [
        s for s in found if s.needs and not re.match('vkDestroy|vkFree|vkCmdEnd|vkCmdNext', s.name)
    ]


# --- what is enabled, and set, for nothing ---


def commands_of_extensions(m):
    """command -> [extension]: the commands that show that a device's extension is used."""
    found = {}
    for name, extension in m.extensions.items():
        # what a physical device answers says nothing of a device
        commands = {m.aliases.get(c.name, c.name) for c in extension.commands if c.device}
        changes_by_structure = any(
            not s.returnedOnly and set(s.extends) - _HOLD_NO_USE
            for s in m.structs.values()
            if name in s.extensions
        )
        if (
            not extension.device
            or changes_by_structure
            or 'maintenance' in name
            or name in _WORK_WITHOUT_A_CALL
        ):
            continue
        for command in commands:
            if command in m.commands:
                found.setdefault(command, []).append(name)
    return {c: sorted(found[c]) for c in m.commands if c in found}


def needed_by_extensions(m):
    """[(extension, [those that depend on it])] of the extensions of commands_of_extensions()."""
    judged = sorted({e for names in commands_of_extensions(m).values() for e in names})
    words = {name: set(re.findall(r'VK_\w+', e.depends or '')) for name, e in m.extensions.items()}
    return [(name, [other for other in words if name in words[other]]) for name in judged]


def features_of_shaders(m):
    """[(feature's constant, its name, [capabilities])]: features that shaders alone need, and need
    the capability for. A statement of the API that names a feature says that it matters elsewhere;
    arrays that are indexed at run time need the feature without a capability, too."""
    numbers = {}
    for value, e in m.spirv.enumerants('Capability'):
        for name in [e['enumerant'], *e.get('aliases', [])]:
            numbers[name] = value
    capabilities = {}
    for entry in m.vk.spirv:
        for enable in entry.enable if entry.capability and entry.name in numbers else ():
            if enable.feature and enable.struct in m.structs:
                known = capabilities.setdefault((enable.struct, enable.feature), set())
                known.add(numbers[entry.name])
    named = set()
    for vuid in m.vuids.values():
        if not re.search(r'-(Standalone|Runtime)Spirv-', vuid.id):
            named |= set(re.findall(r'\w+', vuid.text))
    first = {name: f.names[0] for f in feature_tables.tables(m).features for name in f.names}
    judged = {}
    for (struct, feature), found in sorted(capabilities.items()):
        if feature not in named and 'ArrayDynamicIndexing' not in feature:
            constant = first[f'FEATURE_{struct.removeprefix("VkPhysicalDevice")}_{feature}']
            judged.setdefault((constant, feature), set()).update(found)
    # a capability that is declared implies others
    implied = {
        value: {numbers[c] for c in e.get('capabilities', []) if c in numbers}
        for value, e in m.spirv.enumerants('Capability')
    }
    for found in judged.values():
        while more := {c for c, needs in implied.items() if needs & found} - found:
            found |= more
    return [(constant, feature, sorted(found)) for (constant, feature), found in judged.items()]


def _is_plain(m, type_name):
    """Values of the type can be compared byte by byte: no pointer, no room between members."""
    if type_name not in m.structs:
        return (
            not type_name.startswith('Vk')
            or type_name in m.enums
            or type_name in m.bitmasks
            or type_name in ('VkBool32', 'VkDeviceSize')
            or type_name.endswith(('Flags', 'FlagBits'))
        )
    return all(
        not member.pointer
        and _is_plain(m, member.type)
        and member.type not in ('size_t', 'VkDeviceSize', 'uint64_t')
        for member in m.structs[type_name].members
    )


class Setter:
    """A command that sets a dynamic state. `parts`: [(parameter, bytes of the array or None)], or
    None where its values are not compared."""

    def __init__(self, m, name, state):
        self.name, self.checked = name, state
        self.state = _SAME.get(state, state)
        self.parts = []
        for p in m.commands[name].params[1:]:
            if p.fixedSizeArray:
                size = f'{p.fixedSizeArray[0]} * sizeof(*{p.name})'
            elif p.pointer and p.length and p.length in [q.name for q in m.commands[name].params]:
                size = f'{p.length} * sizeof(*{p.name})'
            elif p.pointer:
                members = m.structs[p.type].members if p.type in m.structs else []
                is_whole = members and all(x.name != 'pNext' for x in members)
                size = f'sizeof(*{p.name})' if is_whole else ''
            else:
                size = None
            if size == '' or not _is_plain(m, p.type):
                self.parts = None
                return
            self.parts.append((p.name, size))


def setters(m):
    """[Setter] of the dynamic states of graphics."""
    return [
        Setter(m, name, state)
        for name, state in dynamic_states.tables(m).setters.items()
        if not state.startswith('RAY_TRACING')
    ]
