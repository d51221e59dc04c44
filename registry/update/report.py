"""The report of a registry's update as text (registry/update/update.py)."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from model import changes
from update import found as update_found
from update import names as update_names
from update.found import Entry, Gone, Others

WIDTH = 100
INDENT = 16
COMMAND = './dev update-registry --accept'


@dataclass(frozen=True)
class Versions:
    """The versions of the registry that was read and of the new one. `old` says where the old one
    was found, or why it was not."""

    read: str
    new: str
    old: str


def field(key: str, text: str) -> list[str]:
    """A line of an entry, and those that go on with it."""
    lines = textwrap.wrap(text, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)
    return [
        f'    {key if i == 0 else "":<{INDENT - 4}}{line}' for i, line in enumerate(lines or [''])
    ]


def fields(key: str, texts: Iterable[str]) -> list[str]:
    out: list[str] = []
    for text in texts:
        out += field('' if out else key, text)
    return out


def accept(what: str) -> list[str]:
    """The command that accepts, on one line: it is copied."""
    return [f'    {"accept":<{INDENT - 4}}{COMMAND} {what}']


def changed_words(old: str, new: str) -> str:
    """The new text, with [-words-] that are gone and {+words+} that are new."""
    a, b = old.split(), new.split()
    out: list[str] = []
    for kind, i, j, k, n in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == 'equal':
            out += a[i:j]
            continue
        if i < j:
            out.append(f'[-{" ".join(a[i:j])}-]')
        if k < n:
            out.append(f'{{+{" ".join(b[k:n])}+}}')
    return ' '.join(out)


# --- names -------------------------------------------------------------------------------------


def _extension(x: update_names.Extension, new: update_names.Names, statements: int) -> list[str]:
    structures = [name for name in x.types if name in new.structures]
    handles = [name for name in x.types if name in new.handles]
    rest = [name for name in x.types if name not in structures and name not in handles]
    limits = [f'{name}::{limit}' for name in structures for limit in new.structures[name].limits]
    out = [f'{x.name} ({x.kind})']
    if x.left_out:
        return out + field('left out', f'it is {x.left_out}: the layer does not know such ones')
    out += field('needs', x.needs) if x.needs else []
    for key, names in (
        ('commands', x.commands),
        ('structures', structures),
        ('handles', handles),
        ('features', [f'{f.name} ({f.structure})' for f in x.features]),
        ('limits', limits),
        ('types', rest),
    ):
        out += fields(key, names)
    for enum, values in x.enumerants.items():
        if enum != 'VkStructureType':
            out += field('value', f'{", ".join(values)} of {enum}')
    return out + field('statements', f'{statements} with a number')


def _more_names(new: update_names.Names, differences: update_names.Differences) -> list[str]:
    """Returns lines about names that came to extensions and versions that were known."""
    told = {name for x in differences.extensions for name in (*x.commands, *x.types)}
    told |= {
        name for x in differences.extensions for names in x.enumerants.values() for name in names
    }
    own = {enum for enum in differences.enumerants if enum in told}
    out = [f'command {name}' for name in differences.commands if name not in told]
    out += [
        f'structure {name}: {", ".join(new.structures[name].members)}'
        for name in differences.structures
        if name not in told
    ]
    out += [f'handle {name}' for name in differences.handles if name not in told]
    out += [
        f'{enum}: {value}'
        for enum, values in differences.enumerants.items()
        if enum not in own
        for value in values
        if value not in told
    ]
    out += [
        f'{name} has the new member {member}: what copies it, or visits its members?'
        for name, members in differences.members.items()
        for member in members
    ]
    return out


def _tables(
    old: update_names.Names,
    new: update_names.Names,
    differences: update_names.Differences,
    uses: update_names.Uses,
) -> list[str]:
    """Hand-written tables that name siblings of what is new."""
    out: list[str] = []

    def tell(head: str, siblings: set[str], below: str = '') -> None:
        tables = [x for x in uses.tables(siblings) if x.place.startswith(below)]
        if not tables:
            return
        out.append(head)
        out.extend(
            f'    {x.place}  names {x.named} of {len(siblings)}'
            for x in tables[: update_names.MOST]
        )
        if len(tables) > update_names.MOST:
            out.append(f'    and {len(tables) - update_names.MOST} more')

    for enum, values in differences.enumerants.items():
        # A structure's type comes with the structure, and an object's type with the handle.
        if enum not in ('VkStructureType', 'VkObjectType') and enum in old.enumerants:
            tell(f'{enum}: {", ".join(values)}', old.enumerants[enum])
    if differences.handles:
        tell(f'handles: {", ".join(differences.handles)}', old.handles, 'registry/')
    families: dict[str, list[str]] = {}
    for name in differences.commands:
        families.setdefault(update_names.family(name), []).append(name)
    for family, names in sorted(families.items()):
        siblings = {x for x in old.commands if update_names.family(x) == family}
        tell(f'{family}...: {", ".join(names)}', siblings, 'registry/')
    bases: dict[str, list[str]] = {}
    for name in differences.structures:
        for base in new.structures[name].extends:
            if base not in update_names.GENERATED_BASES:
                bases.setdefault(base, []).append(name)
    for base, names in sorted(bases.items()):
        siblings = {x for x, s in old.structures.items() if base in s.extends}
        tell(f'extends {base}: {", ".join(names)}', siblings)
    return out


def _gone_names(differences: update_names.Differences, uses: update_names.Uses) -> list[str]:
    out = []
    for name in differences.gone:
        out.append(name)
        out += fields('asked by', uses.of(name)) or field('asked by', 'nobody')
    for name, members in differences.gone_members.items():
        for member in members:
            out.append(f'{name}::{member}')
            out += field('asked by', f'look for "{member}": ' + ', '.join(uses.of(name)[:8]))
    return out


# --- statements --------------------------------------------------------------------------------


def _head(entry: Entry) -> str:
    more = len(entry.ids) - 1
    return entry.ids[0].id + (f' and {more} more of this number that say the same' if more else '')


def _understood(entry: Entry) -> list[str]:
    reading = entry.reading
    if reading is None:
        return []
    if not reading.means:
        return fields('understood', reading.understood) + field('stopped at', reading.stopped)
    if entry.was_read_as == reading.means:
        return field('means', 'what it meant before: ' + reading.means)
    return field('means', reading.means) + (
        field('meant', entry.was_read_as) if entry.was_read_as else []
    )


def _new(entry: Entry) -> list[str]:
    out = [_head(entry), *field('says', entry.text), *_understood(entry)]
    if entry.is_checked:
        out += fields('checked by', entry.rows + entry.places + entry.others)
    elif entry.reason:
        out += field('open', entry.reason)
    if not entry.is_checked and entry.reading is not None and entry.reading.means:
        out += field('to do', f'read it; if it means that, this line goes to {entry.reading.path}:')
        out += [f'{"":<{INDENT}}{entry.reading.line}']
    elif not entry.is_checked and not entry.reason:
        out += field(
            'to do',
            'write the check in C (docs/adding-a-check.md), or a reason into registry/open.txt',
        )
    return out + accept(entry.ids[0].id)


def _reworded(entry: Entry, versions: Versions) -> list[str]:
    out = [_head(entry)]
    if entry.was:
        out += field('said', entry.was) + field('says', entry.text)
        out += field('differs', changed_words(entry.was, entry.text))
    else:
        out += field('said', f'not known: {versions.old}') + field('says', entry.text)
    if not entry.is_checked:
        reason = entry.reason or 'no line of registry/open.txt has it'
        out += field('checked by', f'nothing; {reason}')
        return out + accept(entry.ids[0].id)
    out += fields('checked by', entry.rows + entry.places + entry.others)
    if entry.rows:
        out += _understood(entry)
        if entry.reading is not None and not entry.reading.means:
            out += field(
                'to do',
                'if it says what it said, a line of registry/read_as.txt has the '
                'words that the row is read in: ID CHECKSUM WORDS, with',
            )
            out += [f'{"":<{INDENT}}{entry.ids[0].id} {changes.checksum(entry.text)}']
            out += field('', 'if it says something else, remove the row, or teach the grammar')
    else:
        out += field('to do', 'read the check again, and mend it and its comment where they differ')
    return out + accept(entry.ids[0].id)


def _gone(gone: Gone) -> list[str]:
    out = [
        f'{gone.number}  '
        + (', '.join(gone.ids) or 'its ids are not known')
        + ('' if gone.whole else '; other ids have the number still')
    ]
    out += fields('asked by', gone.asked_by) or field('asked by', 'nobody')
    return out + accept(gone.number)


def _others(others: Others) -> list[str]:
    out = [
        f'{others.number}  '
        + (f'is of {", ".join(others.ids)} as well' if others.ids else 'has other ids than it had')
    ]
    out += fields('checked by', others.checked_by) or field('checked by', 'nothing')
    return out + accept(others.number)


# --- all together ------------------------------------------------------------------------------


def _section(title: str, lines: list[str], count: int) -> list[str]:
    return ['', f'== {title}: {count}', *lines]


def _entries(blocks: Iterable[list[str]]) -> list[str]:
    return [line for block in blocks for line in (*block, '')][:-1]


def statements_of(found: update_found.Found, extension: update_names.Extension) -> int:
    owners = {*extension.commands, *extension.types}
    return sum(v.owner in owners for v in found.m.vuids.values() if v.numbered)


def problems_of(
    found: update_found.Found, notes: list[list[str]], failures: list[str]
) -> list[str]:
    """Returns what strict mode would refuse, with its place. Entries of the report have the rest:
    the places of what checks a sentence that is reworded, and of what asks for what is gone."""
    told = {x for e in found.entries for x in (e.number, *(v.id for v in e.ids))}
    told |= {x for gone in found.gone for x in (gone.number, *gone.ids)}
    noted = [
        f'{place}: error: {text}'
        for place, text, vuid in notes
        if vuid not in told or 'is not understood' in text
    ]
    unlisted = [x for x in found.full.problems if x.startswith('registry/open.txt: ')]
    asked = [
        x
        for x in found.claims.problems
        if not any(
            x.startswith(f'{place.split(" ")[0]}: ')
            for gone in found.gone
            for place in gone.asked_by
        )
    ]
    return list(dict.fromkeys([*failures, *noted, *asked, *unlisted]))


def names_report(
    old: update_names.Names,
    new: update_names.Names,
    found: update_found.Found,
    uses: update_names.Uses,
) -> list[str]:
    differences = update_names.compare(old, new)
    extensions = _entries(
        _extension(x, new, statements_of(found, x)) for x in differences.extensions
    )
    more, tables = _more_names(new, differences), _tables(old, new, differences, uses)
    gone = _gone_names(differences, uses)
    count = len(differences.gone) + sum(map(len, differences.gone_members.values()))
    lines = [line for x in more for line in textwrap.wrap(x, WIDTH, subsequent_indent='    ')]
    return (
        _section('new extensions and versions', extensions, len(differences.extensions))
        + _section('new in what was known', lines, len(more))
        + _section('names that are gone, and what asks for them', gone, count)
        + _section(
            'hand-written tables that name siblings of what is new',
            tables,
            sum(not x.startswith(' ') for x in tables),
        )
    )


def report(
    found: update_found.Found, versions: Versions, names: list[str], problems: list[str]
) -> str:
    new = [x for x in found.entries if x.is_new]
    reworded = [x for x in found.entries if not x.is_new]
    checked = [x for x in reworded if x.is_checked]
    unchecked = [x for x in reworded if not x.is_checked]
    rows = [x for x in new if not x.is_checked and x.reading is not None and x.reading.means]
    out = [
        f'The registry of version {versions.new}, beside that of {versions.read} that was read.',
        f'Of the one that was read: {versions.old}.',
        '',
    ]
    out += [
        f'{len(new):6} sentences are new; {len(rows)} of them could be rows',
        f'{len(reworded):6} sentences are reworded; {len(checked)} of them are checked',
        f'{len(found.gone):6} numbers are gone, or have lost ids',
        f'{len(found.others):6} numbers that were read have other ids',
        f'{len(problems):6} more places ask for something that is not as it was',
    ]
    out += names
    out += _section(
        'reworded and checked', _entries(_reworded(x, versions) for x in checked), len(checked)
    )
    out += _section(
        'statements that are gone, and what asks for them',
        _entries(map(_gone, found.gone)),
        len(found.gone),
    )
    out += _section(
        'numbers with other ids', _entries(map(_others, found.others)), len(found.others)
    )
    out += _section('new statements', _entries(map(_new, new)), len(new))
    out += _section(
        'reworded and not checked',
        _entries(_reworded(x, versions) for x in unchecked),
        len(unchecked),
    )
    out += _section(
        'more places that ask for something that is not as it was',
        [re.sub(r'\s+', ' ', x) for x in problems],
        len(problems),
    )
    out += ['', '== next']
    if not found.is_all_read:
        out += [
            f'Read an entry, do what it asks, then accept it: {COMMAND} ID...',
            'An ID is that of the last line of the entry. docs/updating-the-registry.md goes '
            'through all of it.',
        ]
    elif problems:
        out += ['Every statement is read. Mend the places above, then run this again.']
    elif versions.read != versions.new:
        out += [f'Every statement is read, and no place is left: {COMMAND} {versions.new}']
    else:
        out += ['Nothing is left to do.']
    return '\n'.join(out) + '\n'
