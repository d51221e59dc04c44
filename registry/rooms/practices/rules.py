"""What templates of the practices room need: the hooks that its sources define, commands that
answer a VkResult, and what the registry says of extensions and commands that newer ones have
superseded."""

import re

from model import changes, dynamic_states, feature_tables
from model.registry import RegistryError
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

# Made and ended by hand: when they fail, there is nothing to report to.
_WHOLE = ('vkCreateInstance',)


def result_commands(m):
    """Commands that answer a VkResult, and whose answer is looked at after each call."""
    return [
        n
        for n, c in m.commands.items()
        if c.returnType == 'VkResult' and c.params and not m.is_global(c) and n not in _WHOLE
    ]


# Commands that act: all that may access memory, whatever they do. The others set state, bind, mark
# or order.
_ACTS = re.compile(
    r'vkCmd(Draw|Dispatch|TraceRays|Copy|Blit|Resolve|Clear|Fill|Update(Buffer|Memory)|'
    r'Build|Write(Acceleration|Micromaps|Buffer|Marker)|'
    r'Execute|Decode|Encode|Convert|Decompress|OpticalFlow|Preprocess|Subpass|Cu|'
    r'End(Conditional|TransformFeedback))'
)


# Of these, those that leave images alone.
_OF_BUFFERS = (
    'vkCmdFillBuffer',
    'vkCmdUpdateBuffer',
    'vkCmdCopyBuffer',
    'vkCmdCopyBuffer2',
    'vkCmdCopyQueryPoolResults',
)
_DRAWS = ('vkCmdDraw', 'vkCmdExecuteGenerated', 'vkCmdSubpassShading')


def counts(m):
    """command -> what counts it: draws, and other commands that act."""
    return {
        n: 'count_draw'
        if n.startswith(_DRAWS)
        else 'count_buffer_action'
        if n in _OF_BUFFERS
        else 'count_action'
        for n in m.commands
        if _ACTS.match(n)
    }


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


_USES = {
    'cadsupport': 'CAD programs',
    'd3demulation': 'emulation of Direct3D',
    'glemulation': 'emulation of OpenGL',
    'devtools': 'tools for developers',
    'debugging': 'debugging',
}


def special_uses(m):
    """[(extension, its uses in words)]."""
    found = []
    for name, e in m.extensions.items():
        unknown = set(e.specialUse or ()) - set(_USES)
        if unknown:
            changes.note(
                'registry/rooms/practices/rules.py:1', f'{name}: unknown special uses: {unknown}'
            )
            continue
        # A program that runs under this layer is being debugged.
        if set(e.specialUse or ()) - {'debugging', 'devtools'}:
            words = [_USES[use] for use in e.specialUse]
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
    # What this layer does not know (of another platform) has a replacement all the same, and
    # nothing can be said.
    return [(name, by) for name, by, unknown in found if not unknown]


# The ids of what has been superseded, by the anchor of the specification that explains it.
_LINKS = {
    'legacy-devicelayers': 'WARNING_legacy_devicelayers',
    'legacy-gpdp2': 'WARNING_legacy_gpdp2',
    'legacy-renderpass2': 'WARNING_legacy_renderpass2',
    'legacy-dynamicrendering': 'WARNING_legacy_dynamicrendering',
    'legacy-gpdsc2': 'WARNING_legacy_gpdsc2',
    'legacy-resource-objects': 'WARNING_legacy_resource_objects',
    'legacy-descriptor-sets': 'WARNING_legacy_descriptor_sets',
    'legacy-buffer-commands': 'WARNING_legacy_buffer_commands',
    'legacy-host-builds': 'WARNING_legacy_host_builds',
    'deprecation-sync2': 'WARNING_deprecation_sync2',
}


class Superseded:
    def __init__(self, m, name, legacy):
        self.name = name
        if legacy.link not in _LINKS:
            raise RegistryError(f'{name}: superseded for an unknown reason: {legacy.link}')
        self.id = _LINKS[legacy.link]
        version = legacy.version
        self.needs = [f'EXTENSION_{version.name}'] if version else []
        # Mesa's layer that chooses a device adds VK_KHR_get_physical_device_properties2 to
        # instances: it does not say what the program can call.
        if self.id != 'WARNING_legacy_gpdp2':
            self.needs += [f'EXTENSION_{e}' for e in legacy.extensions if e in m.extensions]
        # "vkCreateRenderPass2": the command as such, or its alias
        self.by = legacy.supersededBy if legacy.supersededBy in m.all_commands else None


def superseded_commands(m):
    found = []
    for name, command in m.commands.items():
        if command.legacy and command.params and not m.is_global(command):
            with changes.left_out():
                found.append(Superseded(m, name, command.legacy))
    # What ends an object, or ends what another command began, follows from what made or began it.
    return [
        s for s in found if s.needs and not re.match('vkDestroy|vkFree|vkCmdEnd|vkCmdNext', s.name)
    ]


# --- what is enabled, and set, for nothing ---

# Extensions that do something for a program that calls none of their commands, and why.
_WORK_WITHOUT_A_CALL = {
    'VK_KHR_shared_presentable_image': 'its present modes are enough',
    'VK_NV_cooperative_vector': 'shaders use it',
    'VK_EXT_mesh_shader': 'drawn by commands of other extensions, and by generated ones',
    'VK_NV_mesh_shader': 'likewise',
    'VK_HUAWEI_invocation_mask': 'a pipeline and its shaders may need no mask of each frame',
    'VK_EXT_device_fault': 'called when a device is lost',
    'VK_KHR_device_fault': 'likewise',
    'VK_NV_device_diagnostic_checkpoints': 'likewise',
    'VK_EXT_pageable_device_local_memory': 'its feature lets the driver move allocations',
}

# Structures whose chains do not show that an extension is in use: what is enabled, and what a
# pipeline would be made from.
_HOLD_NO_USE = {'VkPhysicalDeviceFeatures2', 'VkDeviceCreateInfo', 'VkPipelineCreateInfoKHR'}


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

    # The state of the value without a count is that of the value with one.
    _SAME = {'VIEWPORT_WITH_COUNT': 'VIEWPORT', 'SCISSOR_WITH_COUNT': 'SCISSOR'}

    def __init__(self, m, name, state):
        self.name, self.checked = name, state
        self.state = self._SAME.get(state, state)
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
