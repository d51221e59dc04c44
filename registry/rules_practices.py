"""What templates of the practices room need: the hooks that its sources define, commands that answer a VkResult, and what the registry says of
extensions and commands that newer ones have superseded."""

import re

import changes
from hooks import PHASES, declaration, read  # noqa: F401  (for the templates)
from model import RegistryError

# Made and ended by hand: when they fail, there is nothing to report to.
_WHOLE = ('vkCreateInstance',)


def result_commands(m):
    """Commands that answer a VkResult, and whose answer is looked at after each call."""
    return [n for n, c in m.commands.items() if c.returnType == 'VkResult' and c.params and not m.is_global(c) and n not in _WHOLE]


# Commands that act: all that may access memory, whatever they do. The others set state, bind, mark or order.
_ACTS = re.compile(r'vkCmd(Draw|Dispatch|TraceRays|Copy|Blit|Resolve|Clear|Fill|Update(Buffer|Memory)|Build|Write(Acceleration|Micromaps|Buffer|Marker)|'
                   r'Execute|Decode|Encode|Convert|Decompress|OpticalFlow|Preprocess|Subpass|Cu|End(Conditional|TransformFeedback))')


# Of these, those that leave images alone.
_OF_BUFFERS = ('vkCmdFillBuffer', 'vkCmdUpdateBuffer', 'vkCmdCopyBuffer', 'vkCmdCopyBuffer2', 'vkCmdCopyQueryPoolResults')
_DRAWS = ('vkCmdDraw', 'vkCmdExecuteGenerated', 'vkCmdSubpassShading')


def counts(m):
    """command -> what counts it: draws, and other commands that act."""
    return {n: 'count_draw' if n.startswith(_DRAWS) else 'count_buffer_action' if n in _OF_BUFFERS else 'count_action'
            for n in m.commands if _ACTS.match(n)}


def hooks_of(m, path):
    """command -> phase -> functions: those of the sources, and what looks at results, which comes first."""
    found = {n: {p: list(f) for p, f in phases.items()} for n, phases in read(m, path, 'practices', others=('legacy',)).items()}
    for name in [*result_commands(m), *counts(m)]:
        found.setdefault(name, {p: [] for p in PHASES})
    return {n: found[n] for n in m.commands if n in found}


_USES = {'cadsupport': 'CAD programs', 'd3demulation': 'emulation of Direct3D', 'glemulation': 'emulation of OpenGL', 'devtools': 'tools for developers',
         'debugging': 'debugging'}


def special_uses(m):
    """[(extension, its uses in words)]."""
    found = []
    for name, e in m.extensions.items():
        unknown = set(e.specialUse or ()) - set(_USES)
        if unknown:
            changes.note('registry/rules_practices.py:1', f'{name}: unknown special uses: {unknown}')
            continue
        # A program that runs under this layer is being debugged.
        if set(e.specialUse or ()) - {'debugging', 'devtools'}:
            words = [_USES[use] for use in e.specialUse]
            found.append((name, ', '.join(words[:-1]) + (' and ' if words[1:] else '') + words[-1]))
    return found


def superseded_extensions(m):
    """[(extension, what has taken its place as a constant, or EXTENSION_COUNT)] of those that are deprecated, obsoleted or promoted."""
    known = set(m.versions) | set(m.extensions)
    found = []
    for name, e in m.extensions.items():
        by = e.promotedTo or e.obsoletedBy or e.deprecatedBy
        deprecated = e.deprecatedBy is not None or e.obsoletedBy is not None
        if by is None and not deprecated:
            continue
        found.append((name, f'EXTENSION_{by}' if by in known else 'EXTENSION_COUNT', bool(by) and by not in known))
    # What this layer does not know (of another platform) has a replacement all the same, and nothing can be said.
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
        # Mesa's layer that chooses a device adds VK_KHR_get_physical_device_properties2 to instances: it does not say what the program can call.
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
    return [s for s in found if s.needs and not re.match('vkDestroy|vkFree|vkCmdEnd|vkCmdNext', s.name)]
