"""Where a command may be recorded, from its named VUIDs: recording state, queue family's abilities,
render pass, video coding scope, suspended render pass instances, level of the command buffer."""

import functools
import re

from model import changes, hand_tables
from model.dynamic_states import promoted as promoted_states
from model.hand_tables import FLAG, NAME, TEXT, VUID, WHY, WORD, C
from model.registry import RegistryError
from rooms.core import layout_limits as limits_of_layouts
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)
from rooms.stateless.requirements import parse_depends
from rows.draw_rows import rows as draw_rows

SUFFIXES = (
    'recording',
    'cmdpool',
    'renderpass',
    'videocoding',
    'suspended',
    'bufferlevel',
    'queuetype',
)

ABSENT = 'of a platform or provisional extension that does not exist on Linux'

TABLES = hand_tables.read(
    'registry/rooms/core/scopes.toml',
    {
        'sentence': {'of': TEXT, 'bit': WORD, 'set': FLAG, 'why': WHY},
        'heap': {'of': TEXT, 'bit': WORD, 'set': FLAG, 'why': WHY},
        'exception': {'of': NAME, 'bit': WORD, 'when': C, 'why': WHY},
        'promoted': {'of': VUID, 'version': WORD, 'why': WHY},
    },
)
# Sentence -> (bit of the scope, whether it must be set).
SENTENCES = {row.of: (row.bit, bool(row.set)) for row in TABLES['sentence']}
# The same for sentences of statements with a number.
HEAPS = {row.of: (row.bit, bool(row.set)) for row in TABLES['heap']}
# Command -> (a bit of the scope that does not count, when).
EXCEPTIONS = {row.of: (row.bit, row.when) for row in TABLES['exception']}
# Version -> the number of its statement.
PROMOTED = {row.version: row.of[-5:] for row in TABLES['promoted']}
POOL = re.compile(
    r'The VkCommandPool that commandBuffer was allocated from must support '
    r'((?:VK_QUEUE_\w+_BIT\w*(?:, or |, | or )?)+) operations'
)
QUEUE = re.compile(r'The queue must support (VK_QUEUE_\w+) operations')


class Scope:
    """The demands of one command on the command buffer that it is recorded in."""

    def __init__(self, command):
        self.command = command
        self.bits = {}  # scope bit -> (must be set, VUID)
        self.queues = []  # any of these queue flags
        self.pool_vuid = None
        self.order = []

    @property
    def mask(self):
        return ' | '.join(b for b in self.bits) or '0'

    @property
    def test(self):
        """C that says whether the command may stand at this place of `command_buffer`."""
        scope = 'command_buffer->scope'
        if self.command.name in EXCEPTIONS:
            bit, condition = EXCEPTIONS[self.command.name]
            as_wanted = '|' if self.bits[bit][0] else '& ~'
            scope = f'({scope} {as_wanted}({condition} ? (uint32_t){bit} : 0u))'
        test = f'({scope} & ({self.mask})) == ({self.expected})'
        return (
            test + f' && command_buffer->queue_flags & ({" | ".join(self.queues)})'
            if self.queues
            else test
        )

    @property
    def expected(self):
        return ' | '.join(b for b, (wanted, _) in self.bits.items() if wanted) or '0'


class Rules:
    def __init__(self, m):
        self.m = m
        self.scopes, self.claimed, self.impossible = {}, {}, {}
        of_names = {name: TABLES[name] for name in ('exception', 'promoted')}
        hand_tables.check(m, of_names)
        self.queue_rules = {}
        self.heaps = []
        for v in m.vuids.values():
            suffix = v.id.rsplit('-', 1)[1]
            if v.text in HEAPS:
                self.heaps.append(v)
            if v.numbered or suffix not in SUFFIXES:
                continue
            if v.owner not in m.commands:
                if v.owner in m.aliases or v.owner in m.structs:
                    changes.note('registry/rooms/core/rules.py:1', f'{v.id}: of no command', v.id)
                self.impossible[v.id] = ABSENT
                continue
            with changes.left_out(vuid=v.id):
                self._read(v, suffix)
        for v in self.heaps:
            with changes.left_out(vuid=v.id):
                bit, wanted = HEAPS[v.text]
                self.scopes[v.owner].bits[bit] = (wanted, v.id)
                self.claimed[v.id] = ('heaps that a secondary inherits', '')

    def _read(self, v, suffix):
        if suffix == 'queuetype':
            match = QUEUE.fullmatch(v.text)
            if not match:
                raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
            self.queue_rules[v.owner] = (match[1], v.id)
            self.claimed[v.id] = (suffix, '')
            return
        if self.m.commands[v.owner].params[0].type != 'VkCommandBuffer':
            raise RegistryError(f'{v.id}: the command takes no command buffer')
        scope = self.scopes.setdefault(v.owner, Scope(self.m.commands[v.owner]))
        match = POOL.fullmatch(v.text)
        if match:
            scope.queues, scope.pool_vuid = re.findall(r'VK_QUEUE_\w+', match[1]), v.id
        elif v.text in SENTENCES:
            bit, wanted = SENTENCES[v.text]
            if bit in scope.bits:
                raise RegistryError(f'{v.id}: a second rule about {bit}')
            scope.bits[bit] = (wanted, v.id)
        else:
            raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
        self.claimed[v.id] = (suffix, '')

    @property
    def commands(self):
        return [n for n in self.m.commands if n in self.scopes]


@functools.cache
def rules(m):
    """The rules of a model, built once."""
    return Rules(m)


def claims(m):
    """VUID -> (rule, note)."""
    promoted = {row.of: ('promoted features', '') for row in TABLES['promoted']}
    tables = {x.vuid: ('limits of pipeline layouts', '') for x in layout_limits(m).limits}
    states = {vuid: ('dynamic states of a version', '') for _, _, vuid in promoted_states(m)}
    return rules(m).claimed | promoted | tables | states


def impossible(m):
    return dict(rules(m).impossible)


def named_structures(m, vuid):
    """The structures that a statement names, in its order; aliases as what they are."""
    if vuid not in m.vuids:
        changes.note('registry/rooms/core/rules.py:1', f'the registry has no {vuid}', vuid)
        return []
    aliases = {a: n for n, s in m.structs.items() for a in s.aliases}
    names = [aliases.get(n, n) for n in re.findall(r'\bVk[A-Za-z0-9]+', m.vuids[vuid].text)]
    for name in names:
        if name not in m.structs:
            changes.note(
                'registry/rooms/core/rules.py:1',
                f'{vuid} names {name}, which is no structure',
                vuid,
            )
    return list(dict.fromkeys(name for name in names if name in m.structs))


def layout_limits(m):
    return limits_of_layouts.tables(m)


def table_numbers(m):
    """The numbers of statements that tables of this room enforce, which no source names."""
    return (
        {x.number for x in layout_limits(m).limits}
        | {x.number for x in draw_rows(m).rows}
        | {vuid[-5:] for _, _, vuid in promoted_states(m)}
        | {v.id[-5:] for v in rules(m).heaps}
    )


class ExtensionNeeds:
    """The extensions and versions of a device that its extensions need: `extensions`, a list of
    (name, offset into words, text), and `words`, C constants."""

    def __init__(self, m):
        self.extensions, self.words = [], []
        known = set(m.extensions) | set(m.versions)
        for name, extension in m.extensions.items():
            alternatives = None
            with changes.left_out(what=name):
                alternatives = (
                    parse_depends(extension.depends, known)
                    if extension.depends and not extension.instance
                    else None
                )
            # Those of the instance are another rule's.
            device = {
                frozenset(
                    term for term in terms if term in m.versions or not m.extensions[term].instance
                )
                for terms in alternatives or ()
            }
            device = {terms for terms in device if not any(other < terms for other in device)}
            if not device or frozenset() in device:
                continue
            ordered = sorted(sorted(terms) for terms in device)
            self.extensions.append((name, len(self.words), self.spell(extension.depends)))
            for terms in ordered:
                self.words += [f'EXTENSION_{term}' for term in terms[:-1]] + [
                    f'EXTENSION_{terms[-1]} | EXTENSION_NEED_OR'
                ]
            self.words.append('EXTENSION_NEED_END')

    @staticmethod
    def spell(depends):
        words = re.sub(r'VK_VERSION_(\d)_(\d)', r'Vulkan \1.\2', depends)
        return words.replace('+', ' and ').replace(',', ' or ')


def extension_needs(m):
    return ExtensionNeeds(m)
