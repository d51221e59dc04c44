"""The one model of the registry that every template reads.

Loads vk.xml through the registry's own Python reader (base_generator.py / vulkan_object.py,
installed beside vk.xml) and validusage.json, keeps what a Linux layer can meet, and answers the
questions that templates ask: which commands, which structs extend which, which member is a handle,
which VUIDs a thing has. No template parses XML."""

from __future__ import annotations

import contextlib
import gc
import glob
import hashlib
import json
import os
import pickle
import re
import sys
import time

from model import changes, practices
from model.places import REGISTRY
from rooms.lifetimes import rules as rules_lifetimes

# Window systems and platforms whose headers Debian ships for Linux. Anything protected by another
# macro is left out, as the headers that it needs do not exist here; provisional extensions
# (VK_ENABLE_BETA_EXTENSIONS) are left out too.
PLATFORMS = {
    'VK_USE_PLATFORM_XCB_KHR',
    'VK_USE_PLATFORM_XLIB_KHR',
    'VK_USE_PLATFORM_XLIB_XRANDR_EXT',
    'VK_USE_PLATFORM_WAYLAND_KHR',
}

# Commands of the loader's own, answered by the chassis by hand (they have no dispatchable first
# parameter).
GLOBAL_COMMANDS = {
    'vkCreateInstance',
    'vkEnumerateInstanceVersion',
    'vkEnumerateInstanceLayerProperties',
    'vkEnumerateInstanceExtensionProperties',
}

# Structures that stand in another's pNext chain by a sentence alone
# (VUID-VkPipelineCreateInfoKHR-pNext-09604): the registry's structextends does not say it.
CHAINED_IN_WORDS = {
    'VkPipelineCreateInfoKHR': [
        'VkGraphicsPipelineCreateInfo',
        'VkExecutionGraphPipelineCreateInfoAMDX',
        'VkRayTracingPipelineCreateInfoKHR',
        'VkComputePipelineCreateInfo',
    ],
}

# Locals of generated entries (templates/chassis/entries.parts.c.mako). A parameter of such a name
# gets another one.
ENTRY_LOCALS = {
    'call',
    'skip',
    'validate',
    'hook',
    'next',
    'dying',
    'creation',
    'x',
    'active',
    'answer',
    'i',
}


class RegistryError(Exception):
    """A construct of the registry that the generator does not know. Never skipped: it fails the
    generation."""


def _read_vulkan_object(registry_dir):
    sys.path.insert(0, registry_dir)
    from xml.etree import ElementTree

    import base_generator as bg
    from reg import Registry

    bg.SetOutputFileName('unused')
    bg.SetOutputDirectory(os.devnull)
    bg.SetTargetApiName('vulkan')
    bg.SetMergedApiNames(None)

    class Reader(bg.BaseGenerator):
        def beginFile(self, options):  # the base class opens an output file; the model writes none
            options.filename = None
            super().beginFile(options)

        def generate(self):
            pass

    reader = Reader()
    video = os.path.join(registry_dir, 'video.xml')
    options = bg.BaseGeneratorOptions(customFileName=None, customDirectory=None, videoXmlPath=video)
    registry = Registry(reader, options)
    registry.loadElementTree(ElementTree.parse(os.path.join(registry_dir, 'vk.xml')))
    quiet, sys.stdout = sys.stdout, open(os.devnull, 'w')
    try:
        registry.apiGen()
    finally:
        sys.stdout = quiet
    return reader.vk


class Vuid:
    """One valid-usage statement: its id, its text as plain text, and the page of the specification
    that it stands on."""

    __slots__ = ('id', 'text', 'page', 'owner', 'numbered')

    def __init__(self, vuid, text, page, owner):
        self.id = vuid
        self.text = text
        self.page = page
        self.owner = (
            owner  # the command or struct (or 'RuntimeSpirv' and the like) that it is listed under
        )
        self.numbered = re.search(r'-\d{5}$', vuid) is not None


def _plain(text):
    """validusage.json's text is HTML; findings show plain text."""
    import html

    text = re.sub(r'<li>', ' - ', text)
    text = re.sub(r'<sup>(.*?)</sup>', r'^\1', text)
    text = re.sub(r'<[^>]*>', '', text)
    return re.sub(r'\s+', ' ', html.unescape(text)).strip()


def read_vuids(registry_dir):
    with open(os.path.join(registry_dir, 'validusage.json'), encoding='utf-8') as f:
        data = json.load(f)
    vuids = {}
    for owner, groups in data['validation'].items():
        for entries in groups.values():
            for entry in entries:
                vuid = entry['vuid']
                if vuid not in vuids:
                    vuids[vuid] = Vuid(vuid, _plain(entry['text']), entry.get('page', ''), owner)
    return data['version info']['api version'], vuids


def _read_message_ids():
    """The layer's own ids: one a line, `ID  text`; lines that start with # are comments."""
    path = os.path.join(REGISTRY, 'message_ids.txt')
    with open(path, encoding='utf-8') as f:
        return [
            line.split('  ', 1)[0].strip()
            for line in f
            if line.strip() and not line.startswith('#')
        ]


class Model:
    """Attributes (all dicts keyed by registry name, in the registry's order):
    vk        the registry reader's VulkanObject, filtered to what PLATFORMS allows
    commands  every command but the aliases; `aliases` maps alias command -> the command that it is
    handles   every handle type; `dispatchable` and `nondispatchable` are its two halves, sorted by
              name
    structs   structs and unions; enums, bitmasks, flags, extensions as the reader gives them
    vuids     VUID string -> Vuid
    as_read   whether all statements are as they were when they were read (changes.py)
    unread    ids of numbered statements whose sentences were not read; they are not enforced
    practices    advice of registry/practices.toml; its ids are the last ones
    derived_ids  ids of the layer's own that a rule makes from the registry -> text
    """

    def __init__(self, vk, api_version, vuids):
        self.vk = vk
        self.spirv: SpirvGrammar | None = None  # as load() was asked
        self.api_version = api_version
        self.vuids = vuids
        read = changes.read()
        self.unread = {v.id for v in vuids.values() if v.numbered and not read.knows(v)}
        self.as_read = (
            read.version == api_version
            and not self.unread
            and {number: ids for number, (ids, _) in changes.of_numbers(vuids.values()).items()}
            == read.ids
        )
        self._filter()
        vk = self.vk
        self.extensions = vk.extensions
        self.structs = vk.structs
        self.enums = vk.enums
        self.bitmasks = vk.bitmasks
        self.flags = vk.flags
        self.handles = vk.handles
        self.all_commands = vk.commands
        self.commands = {n: c for n, c in vk.commands.items() if c.alias is None}
        self.aliases = {
            n: self.root_command(n) for n, c in vk.commands.items() if c.alias is not None
        }
        self.dispatchable = sorted(n for n, h in self.handles.items() if h.dispatchable)
        self.nondispatchable = sorted(n for n, h in self.handles.items() if not h.dispatchable)
        self._carries = {}
        self._carries_out = {}
        self.enum_aliases = {a: n for n, e in self.enums.items() for a in e.aliases}
        self.flags_aliases = {a: n for n, f in self.flags.items() for a in f.aliases}
        self.bitmask_aliases = {a: n for n, b in self.bitmasks.items() for a in b.aliases}

        self.handle_order = sorted(self.handles)
        self.versions = list(vk.versions)
        self.derived_ids = rules_lifetimes.message_ids(self)
        written = _read_message_ids()
        self.practices = practices.practices()
        self.message_ids = (
            list(vuids)
            + written
            + [i for i in self.derived_ids if i not in written]
            + [p.id for p in self.practices]
        )
        constants = [self.vuid_constant(i) for i in self.message_ids]
        if len(set(constants)) != len(constants):
            raise RegistryError('two message ids give the same C constant')
        if len(self.handle_order) > 254:
            raise RegistryError('more handle types than the low byte of an id can tell apart')

    # --- what is in -------------------------------------------------------------------------------

    def _filter(self):
        vk = self.vk

        def keep(item):
            return getattr(item, 'protect', None) is None or item.protect in PLATFORMS

        dropped = {n for n, e in vk.extensions.items() if not keep(e) or e.provisional}
        vk.extensions = {n: e for n, e in vk.extensions.items() if n not in dropped}
        self.dropped_extensions = dropped
        self.all_structure_types = {f.name: f.value for f in vk.enums['VkStructureType'].fields}

        def alive(item):
            if not keep(item):
                return False
            if getattr(item, 'version', None) is not None:
                return True
            needs = getattr(item, 'extensions', [])
            return not needs or any(e not in dropped for e in needs)

        for kind in ('commands', 'structs', 'handles', 'enums', 'bitmasks', 'flags'):
            setattr(vk, kind, {n: i for n, i in getattr(vk, kind).items() if alive(i)})
        for enum in vk.enums.values():
            enum.fields = [f for f in enum.fields if alive(f)]
        for bitmask in vk.bitmasks.values():
            bitmask.flags = [f for f in bitmask.flags if alive(f)]
        # Structures go that need an extension that is not there, or have a type without a
        # definition.
        for name in [
            n for n, s in vk.structs.items() if s.sType and s.sType not in self.all_structure_types
        ]:
            changes.note(
                'registry/model/registry.py:1',
                f'{name} has the type {vk.structs[name].sType}, which the registry lacks',
            )
            del vk.structs[name]
        named = {f.name for f in vk.enums['VkFormat'].fields}
        vk.formats = {name: f for name, f in vk.formats.items() if name in named}
        for p in (
            p for command in vk.commands.values() for p in command.params if p.name in ENTRY_LOCALS
        ):
            p.cDeclaration = re.sub(rf'\b{p.name}\b', f'{p.name}_', p.cDeclaration)
            p.name += '_'
        for head, chained in CHAINED_IN_WORDS.items():
            for name in [n for n in chained if head in vk.structs and n in vk.structs]:
                vk.structs[head].extendedBy.append(name)
                vk.structs[name].extends.append(head)
        for struct in vk.structs.values():
            struct.extends = [s for s in struct.extends if s in vk.structs]
            struct.extendedBy = [s for s in struct.extendedBy if s in vk.structs]

    def root_command(self, name):
        while self.vk.commands[name].alias is not None:
            name = self.vk.commands[name].alias
        return name

    # --- names in C -------------------------------------------------------------------------------

    def handle_constant(self, name):
        """VkBuffer -> HANDLE_BUFFER: the object type's own word."""
        return self.object_type(name).replace('VK_OBJECT_TYPE_', 'HANDLE_')

    def command_constant(self, name):
        return f'COMMAND_{name[2:]}'

    def vuid_constant(self, vuid):
        return re.sub(r'[^A-Za-z0-9]', '_', vuid)

    def debug_report_type(self, handle):
        """VkBuffer -> VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT where the old enum has such a
        value."""
        word = self.object_type(handle).removeprefix('VK_OBJECT_TYPE_')
        fields = {f.name for f in self.enums['VkDebugReportObjectTypeEXT'].fields}
        for name in (
            f'VK_DEBUG_REPORT_OBJECT_TYPE_{word}_EXT',
            f'VK_DEBUG_REPORT_OBJECT_TYPE_{re.sub("_(KHR|EXT|NV)$", "", word)}_EXT',
            f'VK_DEBUG_REPORT_OBJECT_TYPE_{re.sub("_(KHR|EXT|NV)$", "", word)}_KHR_EXT',
        ):
            if name in fields:
                return name
        return 'VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT'

    def promotion_constant(self, extension):
        if extension.promotedTo in self.vk.versions or extension.promotedTo in self.extensions:
            return f'EXTENSION_{extension.promotedTo}'
        return 'EXTENSION_COUNT'

    def declaration(self, item):
        """A parameter as C: `const VkViewport *pViewports`."""
        return re.sub(
            r'\s*\*\s*', ' *', re.sub(r'\s+', ' ', item.cDeclaration.strip().rstrip(';'))
        ).replace('* *', '**')

    def parameter_list(self, command):
        return ', '.join(self.declaration(p) for p in command.params)

    def argument_list(self, command):
        return ', '.join(p.name for p in command.params)

    # --- commands ---------------------------------------------------------------------------------

    def is_global(self, command):
        return command.name in GLOBAL_COMMANDS

    def is_device_command(self, command):
        """Does the command come from vkGetDeviceProcAddr (its first parameter is a device or a
        child of one)?"""
        handle = self.handles.get(command.params[0].type)
        while handle is not None and handle.name != 'VkDevice':
            handle = handle.parent
        return handle is not None and self.handles[command.params[0].type].dispatchable

    # --- handles ----------------------------------------------------------------------------------

    def is_handle(self, type_name):
        return type_name in self.handles

    def is_id(self, type_name):
        """Is it a handle that the layer replaces by an id?"""
        return type_name in self.handles and not self.handles[type_name].dispatchable

    def carries_id(self, type_name):
        """Can a value of this struct hold a non-dispatchable handle, itself or through what it
        points to or chains?"""
        return self._carry(type_name, set())

    def _carry(self, type_name, seen):
        if type_name in self._carries:
            return self._carries[type_name]
        struct = self.structs.get(type_name)
        if struct is None or type_name in seen:
            return False
        seen = seen | {type_name}
        found = any(
            self.is_id(m.type) or m.objectType is not None or self._carry(m.type, seen)
            for m in struct.members
        )
        found = found or any(self._carry(s, seen) for s in struct.extendedBy)
        if len(seen) == 1:
            self._carries[type_name] = found
        return found

    def object_type(self, handle):
        """VkBuffer -> VK_OBJECT_TYPE_BUFFER, as the registry says."""
        return self.handles[handle].type


class SpirvGrammar:
    """SPIR-V's core grammar as the templates need it: instructions and enumerants, once each (an
    alias has the number of another), by number."""

    def __init__(self, spirv_dir):
        with open(os.path.join(spirv_dir, 'spirv.core.grammar.json'), encoding='utf-8') as f:
            data = json.load(f)
        self.version = (data['major_version'], data['minor_version'])
        self.kinds = [k['kind'] for k in data['operand_kinds']]
        self.kind = {k['kind']: k for k in data['operand_kinds']}
        unknown = {k['category'] for k in data['operand_kinds']} - {
            'BitEnum',
            'ValueEnum',
            'Id',
            'Literal',
            'Composite',
        }
        if unknown:
            raise RegistryError(f'operand kinds of SPIR-V of unknown categories: {unknown}')
        instructions = {}
        for i in data['instructions']:
            instructions.setdefault(i['opcode'], i)
        self.instructions = [instructions[opcode] for opcode in sorted(instructions)]

    def enumerants(self, kind):
        """Returns the values of an enumeration: each number once, in increasing order."""
        found = {}
        for e in self.kind[kind].get('enumerants', []):
            value = e['value']
            found.setdefault(int(value, 0) if isinstance(value, str) else value, e)
        return sorted(found.items())


def _cache_path(registry_dir):
    """Where a model of just this registry, made by just this code, is kept: beside ccache's
    objects, as reading vk.xml takes 2.4 s of CPU and a build does it for every generated target.
    None without ccache."""
    directory = os.environ.get('CCACHE_DIR')
    if not directory or not os.path.isdir(directory):
        return None
    # With another hash seed the model is made anew: `./dev test` generates with two.
    digest = hashlib.sha256(f'{sys.version} {os.environ.get("PYTHONHASHSEED")}'.encode())
    for name in (
        'model/registry.py',
        'model/changes.py',
        'statements.txt',
        'rooms/lifetimes/rules.py',
        'message_ids.txt',
        'model/practices.py',
        'practices.toml',
    ):
        with open(os.path.join(REGISTRY, name), 'rb') as f:
            digest.update(f.read())
    for path in sorted(glob.glob(os.path.join(registry_dir, '*'))):
        if os.path.isfile(path):
            digest.update(f'{path} {os.stat(path).st_size} {os.stat(path).st_mtime_ns}'.encode())
    return os.path.join(directory, f'assay-model-{digest.hexdigest()[:32]}.pickle')


def _read_cached(path, registry_dir):
    sys.path.insert(0, registry_dir)  # the classes of the registry's reader
    gc.disable()  # half the time otherwise
    try:
        with open(path, 'rb') as f:
            return pickle.load(f)
    except (OSError, EOFError, pickle.PickleError, AttributeError, ImportError):
        return None
    finally:
        gc.enable()


def _write_cache(model, path):
    limit, temporary = sys.getrecursionlimit(), f'{path}.{os.getpid()}'
    sys.setrecursionlimit(100000)
    try:
        with open(temporary, 'wb') as f:
            pickle.dump(model, f, 5)
        os.replace(temporary, path)
    except OSError:
        pass  # a full disk: the next one reads vk.xml as well
    finally:
        sys.setrecursionlimit(limit)
    for old in glob.glob(os.path.join(os.path.dirname(path), 'assay-model-*')):
        with contextlib.suppress(OSError):
            if os.stat(old).st_mtime < time.time() - 3600 * 24:
                os.remove(old)


def load(registry_dir, spirv_dir=None):
    """The model of the registry in `registry_dir` (where vk.xml and its readers are installed),
    with SPIR-V's grammar as `spirv` if `spirv_dir` says where that is."""
    path = _cache_path(registry_dir)
    model = path and _read_cached(path, registry_dir)
    if not model:
        model = Model(_read_vulkan_object(registry_dir), *read_vuids(registry_dir))
        if path:
            _write_cache(model, path)
    model.spirv = SpirvGrammar(spirv_dir) if spirv_dir else None
    return model


def snake(name):
    """VkBufferCreateInfo -> buffer_create_info, vkCmdDraw -> cmd_draw."""
    name = re.sub(r'^[vV]k', '', name)
    name = re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', name)
    name = re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1_\2', name)
    return name.lower()
