#!/usr/bin/env python3
"""Says what becomes of each numbered statement: it is a row, claimed by a source, reported by
SPIRV-Tools, or open with a reason.

  statements.py --registry DIR --asked FILE --spirv-ids PROGRAM [--mode MODE] [--out FILE]
      [--changed FILE] [--notes-below DIR]

Looks for places where
  - a source asks for a number that none of the commands that reach it has, or for an id of a
    command or structure that does not reach it;
  - a statement is none of these: a row, claimed by a source, reported by SPIRV-Tools, or matched by
    a line of open.txt;
  - the sentence of a claimed statement has changed since it was read, or the registry has a new
    statement (statements.txt);
  - a generator had to leave something out (--notes-below: where generate.py kept that).
With `--mode strict`, each is an error with its place. With `lenient`, `--changed` gets them, and
one line says how many there are; such statements are not enforced (changes.py). `auto` is strict
for the version of the registry that was read, and lenient for any other one. `--out` gets what each
statement is, a line each, by chapter. A statement is a pair of a number and a command or structure,
and has one id. What has changed is read and accepted with update.py. A registry that is as it was
read is kept for it (kept_registries.py)."""

import argparse
import collections
import functools
import glob
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

REGISTRY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, REGISTRY)
from claims import (
    rule_numbers,  # noqa: E402
    scan_rules,  # noqa: E402
)
from model import (
    changes,  # noqa: E402
    kept_registries,  # noqa: E402
    read_as,  # noqa: E402
    sync_tables,  # noqa: E402
)
from model import registry as registry_model  # noqa: E402
from model.write_if_changed import write_if_changed  # noqa: E402
from rooms.gpu import rules as rules_gpu  # noqa: E402
from rows import draw_rows as forms_draws  # noqa: E402
from rows import rows  # noqa: E402
from rows import spirv_rows as forms_spirv  # noqa: E402

OPEN = os.path.join(REGISTRY, 'open.txt')
# Recorded commands are looked at again when they are submitted: their ids may be asked for there.
SUBMITS = {'vkQueueSubmit', 'vkQueueSubmit2'}
# The state room reports nothing: an id there is a mark of which rule a note belongs to.
REPORTS_NOTHING = ('state',)
# Reasons that follow from the registry or from what is checked; open.txt has the others.
# Modules whose claims() have numbered statements, too (coverage.py looks whether another one has).
GENERATORS = ('core', 'lifetimes', 'threads')  # rooms
ABSENT = 'platform'
# "A valid pipeline must be bound": what asks for it looks at the rows of draws, too.
BESIDE_DRAW_ROWS = 'RULE_08606'
TWIN = 'twin'


def number_of(vuid):
    return vuid[-5:]


@functools.cache
def _chapter(page):
    return page.removeprefix('chapters/').removesuffix('.html')


def chapter_of(v):
    return _chapter(v.page)


# --- what is checked
# ------------------------------------------------------------------------------------------------


# Structures that a command does not take as a parameter: it reads them in memory of the program, or
# uses an object that was created with them.
READ_ELSEWHERE = {
    'VkAccelerationStructureInstanceKHR': 'vkBuildAccelerationStructuresKHR',
    'VkSamplerCustomBorderColorCreateInfoEXT': 'vkCmdDraw',
}


class Claims:
    """checked   id -> where: 'src/...:line', 'a row', 'SPIRV-Tools', or 'generated: ...'
    problems  messages about sources that ask for what they cannot have
    partly    lines about sources that some of the commands reach in vain: they do not have the
              number, but others do"""

    def __init__(self, m, sites, hooked, spirv_ids=(), row_ids=(), generated=None):
        self.m = m
        self.checked, self.problems, self.partly = {}, [], []
        self.by_constant = {m.vuid_constant(i): i for i, v in m.vuids.items() if v.numbered}
        self.reached_structures = rule_numbers.structures_of(m)
        for site in sites:
            self._site(site, hooked)
        for vuid in row_ids:
            self.checked.setdefault(vuid, 'a row')
        self.generated = {vuid: path for vuid, (_, path) in (generated or {}).items()}
        for vuid, (note, _) in (generated or {}).items():
            self.checked.setdefault(vuid, f'generated: {note}')
        for vuid in spirv_ids:
            if vuid in m.vuids:
                self.checked.setdefault(vuid, 'SPIRV-Tools')

    def _problem(self, site, text):
        self.problems.append(f'{site.where}: error: {site.function} asks for {site.asked}, {text}')

    def _site(self, site, hooked):
        if not site.reached:
            self._problem(site, 'but no hook reaches it, and no generated code does')
            return
        commands = set(site.commands) | (hooked.get(site.later, set()) if site.later else set())
        if site.asked.startswith('VUID_'):
            vuid = self.by_constant.get(site.asked)
            if vuid is None:
                self._problem(site, 'which is no statement of the registry')
                return
            self._owned(site, vuid)
            self.checked.setdefault(vuid, site.where)
            return
        known = rule_numbers.numbers(self.m).get(int(number_of(site.asked)))
        if known is None:
            self._problem(site, 'which is no number of the registry')
            return
        found = [vuid for command, vuid in known if command is None or command in commands]
        if not found:
            self._problem(
                site,
                f'which none of the commands that reach it has: {_some(commands)}. '
                f'The number is of {_some({command for command, _ in known})}',
            )
        if known[0][0] is None:
            self._owned(site, known[0][1])
        elif found and not site.later and commands - {command for command, _ in known}:
            without = commands - {command for command, _ in known}
            self.partly.append(f'{site.where}  {number_of(site.asked)} is not of {_some(without)}')
        for vuid in found:
            self.checked.setdefault(vuid, site.where)

    def _owned(self, site, vuid):
        """An id of a command: does that reach the source? Of a structure: does a command that takes
        one?"""
        owner = self.m.vuids[vuid].owner
        owner = self.m.aliases.get(owner, owner)
        commands = set(site.commands)
        room = site.where.split('/')[1]
        if (
            not commands
            or commands & SUBMITS
            or site.later
            or room in (*scan_rules.LATER_ROOMS, *REPORTS_NOTHING)
        ):
            return
        if owner in self.m.commands and owner not in commands:
            self._problem(site, f'but {owner} does not reach it; what does: {_some(commands)}')
        elif (
            owner in self.m.structs
            and READ_ELSEWHERE.get(owner) not in commands
            and not any(owner in self.reached_structures.get(c, ()) for c in commands)
        ):
            self._problem(
                site, f'but no command that reaches it takes a {owner}: {_some(commands)}'
            )


def _some(names, most=6):
    names = sorted(names)
    more = f' and {len(names) - most} more' if len(names) > most else ''
    return ', '.join(names[:most]) + more or 'none'


def generated_claims(m, names, sites):
    """id -> (note, path of what has the rule), of numbered statements that generators enforce."""
    found = {}
    for room in GENERATORS:
        for vuid, (rule, note) in importlib.import_module(f'rooms.{room}.rules').claims(m).items():
            if m.vuids[vuid].numbered and rule != 'composite':
                found.setdefault(vuid, (note or rule, f'registry/rooms/{room}/rules.py'))
    # Masks count where a source looks at them.
    masks = sync_tables.tables(m)
    for rule in [*masks.feature_rules.values(), *masks.access_rules.values()]:
        for (owner, member), vuid in rule['vuids'].items():
            if f'MASK_{owner}_{member}' in names:
                found.setdefault(
                    vuid, ('stages and accesses of masks', 'registry/model/sync_tables.py')
                )
    return found


def row_ids(m, sites):
    """The ids that rows enforce; those of draws, of the commands that look at them
    (core/draw_rows.h)."""
    looking = {
        command for site in sites if site.asked == BESIDE_DRAW_ROWS for command in site.commands
    }
    return (
        [row.vuid.id for row in rows.rows(m).rows]
        + forms_draws.rows(m).claims(looking)
        + forms_spirv.ids(m)
    )


def spirv_ids(program):
    """The ids that SPIRV-Tools has, or none where it does not say."""
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    if run.returncode:
        print(
            f'{program}: this release of SPIRV-Tools does not say what it reports; its ids count '
            'as open',
            file=sys.stderr,
        )
    return re.findall(r'VUID-[A-Za-z0-9_]+-[A-Za-z0-9_]+-\d{5}', run.stdout)


# --- what is open, and why
# ------------------------------------------------------------------------------------------


class Reason:
    """`word` and the sentence that explains it; `possible`: a layer could check such statements."""

    def __init__(self, word, possible, text):
        self.word, self.possible, self.text = word, possible, text


UNREAD = Reason(
    'unread', True, 'the sentence is new in this registry, or reads otherwise than when it was read'
)


class OpenList:
    """open.txt. `reasons`: word -> Reason, in order; `unused`: places of lines that matched nothing
    so far."""

    def __init__(self, path=OPEN):
        self.reasons, self.lines, self.unused = {}, [], []
        with open(path, encoding='utf-8') as f:
            for i, line in enumerate(f, 1):
                words = line.split('#')[0].split()
                if not words:
                    continue
                place = f'{os.path.relpath(path, os.path.dirname(REGISTRY))}:{i}'
                if words[0] in ('open', 'impossible'):
                    possible = words[0] == 'open'
                    self.reasons[words[1]] = Reason(words[1], possible, ' '.join(words[2:]))
                    continue
                word, chapter, owner, *sentence = words
                if word not in self.reasons:
                    sys.exit(f'{place}: error: no such reason: {word}')
                # Cached, as many commands share a sentence.
                tests = (
                    _glob(chapter).fullmatch,
                    _glob(owner).fullmatch,
                    re.compile(' '.join(sentence)).search,
                )
                self.lines.append((place, word, *map(functools.cache, tests)))
                self.unused.append(place)

    def reason(self, v):
        """The Reason of the first line that matches, or None."""
        for place, word, chapter, owner, sentence in self.lines:
            if chapter(chapter_of(v)) and owner(v.owner) and sentence(v.text):
                if place in self.unused:
                    self.unused.remove(place)
                return self.reasons[word]
        return None


def _glob(text):
    return re.compile('|'.join(re.escape(part).replace(r'\*', '.*') for part in text.split('|')))


# --- all together ---------------------------------------------------------------------------------
# ------------------


class Statements:
    """Every numbered statement of a model: `checked`, id -> where, of those that are enforced;
    `open`, id -> Reason; `problems`, messages. Of another registry than the one that was read (a
    changes.Read): `reworded`, `new`: statements that are not enforced; `gone`: numbers."""

    def __init__(self, m, claims, open_list, read=None):
        self.m = m
        self.checked, self.claimed, self.generated = (
            dict(claims.checked),
            claims.checked,
            claims.generated,
        )
        self.problems, self.partly = list(claims.problems), claims.partly
        self.unused = open_list.unused
        self.numbered = [v for v in m.vuids.values() if v.numbered]
        self.reasons = open_list.reasons
        self.open, self.reworded, self.new, self.gone = {}, [], [], []
        if read is not None:
            self._compare(read)
        known = {number_of(i): i for i in reversed(list(self.checked))}
        for v in self.numbered:
            if v.id in self.checked or v.id in self.open:
                continue
            reason = self._reason(v, known, open_list)
            if reason is None:
                self.problems.append(
                    f'registry/open.txt: error: {v.id} is neither a row, nor claimed by a '
                    f'source, nor '
                    f'listed as open with a reason (chapter {chapter_of(v)}): {v.text}'
                )
            else:
                self.open[v.id] = reason

    def _reason(self, v, known, open_list):
        m = self.m
        if v.owner[:2] in ('vk', 'Vk') and not (
            v.owner in m.structs or v.owner in m.commands or v.owner in m.aliases
        ):
            return self.reasons[ABSENT]
        listed = open_list.reason(v)
        if listed and not listed.possible:
            return listed
        if number_of(v.id) in known:
            return self.reasons[TWIN]
        return listed

    def _compare(self, read):
        """Finds what is not as it was when it was read. Sentences of open statements may change."""
        now = changes.of_numbers(self.numbered)
        for v in self.numbered:
            number = number_of(v.id)
            if number not in read.ids:
                self.new.append(v)
                self.problems.append(
                    f'registry/statements.txt: error: {v.id} is new. Claim it, '
                    f'or accept it as open: {v.text}'
                )
            elif not read.knows(v):
                where = self.checked.pop(v.id, None)
                self.reworded.append(v)
                if where:
                    self.problems.append(
                        f'{self._place(v.id)}: error: {v.id} reads otherwise than when it '
                        f'was claimed. Read it again, then accept it: {v.text}'
                    )
            elif read.ids[number] != now[number][0] and v.id in self.checked:
                self.problems.append(
                    f'{self._place(v.id)}: error: the number of {v.id} has '
                    f'other ids now. Read it again, then accept it: {v.text}'
                )
        if self.new or self.reworded:
            self.reasons[UNREAD.word] = UNREAD
            self.open.update((v.id, UNREAD) for v in [*self.new, *self.reworded])
        self.gone = sorted(set(read.ids) - set(now))
        self.problems += [
            f'registry/statements.txt: error: number {number} is gone' for number in self.gone
        ]

    def _place(self, vuid):
        """The path, and the line where there is one, of what checks a statement."""
        where = self.claimed[vuid]
        if where.startswith('src/'):
            return where
        return (
            'registry/rows.txt'
            if where == 'a row'
            else self.generated.get(vuid, 'src/spirv/helper/list_ids.c')
        )

    def changed(self, read, notes):
        """Returns the text of statements-changed.txt. A line that begins with an id or a number is
        about something that is not enforced."""
        left_out = sorted({vuid for _, _, vuid in notes if vuid})
        out = [
            f'# The registry is of version {self.m.api_version}. The statements were read '
            f'in version '
            f'{read.version} (registry/statements.txt).',
            f'== reworded, and not enforced: {len(self.reworded)}',
        ]
        for v in self.reworded:
            where = self.claimed.get(v.id)
            was = ' '.join(sorted(read.sentences[number_of(v.id)]))
            out += [
                f'{v.id}  was {was}' + (f', checked by {where}' if where else ', not checked'),
                f'    {v.text}',
            ]
        out += [
            f'== gone: {len(self.gone)}',
            *self.gone,
            f'== new, and not enforced: {len(self.new)}',
        ]
        for v in self.new:
            out += [v.id, f'    {v.text}']
        out += [
            f'== not understood by generators, and not enforced: {len(left_out)}',
            *left_out,
            '== all places that ask for something that this registry does not have as it was: '
            f'{len(self.problems)}',
            *self.problems,
        ]
        return '\n'.join(out) + '\n'

    def report(self):
        """Returns what each statement is, by chapter, as text."""
        chapters = collections.defaultdict(list)
        for v in self.numbered:
            chapters[chapter_of(v)].append(v)
        out = []
        for chapter, statements in sorted(chapters.items()):
            checked = sum(v.id in self.checked for v in statements)
            out.append(f'== {chapter}: {checked} of {len(statements)} checked')
            for v in statements:
                if v.id in self.checked:
                    out.append(f'{v.id}  checked: {self.checked[v.id]}')
                else:
                    out.append(
                        f'{v.id}  {self.open[v.id].word if v.id in self.open else "NOT LISTED"}'
                    )
        out += [
            '== numbers that sources ask for by commands that do not have them, and by others that '
            f'do: {len(self.partly)} places',
            *self.partly,
        ]
        out += [f'== lines that no open statement needs any more: {len(self.unused)}', *self.unused]
        return '\n'.join(out) + '\n'


def claims_of(m, asked, program):
    """The Claims of a model; `asked`: what scan_rules.py wrote; `program`: prints the ids of
    SPIRV-Tools."""
    sites, hooked, names = scan_rules.read(asked)
    # The hooks of commands that run shaders are generated.
    hooked.setdefault('gpu', set()).update(
        name for name, point in rules_gpu.actions(m).items() if point != rules_gpu.UNFOLLOWED
    )
    return Claims(
        m, sites, hooked, spirv_ids(program), row_ids(m, sites), generated_claims(m, names, sites)
    )


def load(m, asked, program, read=None):
    """The Statements of a model, with what claims_of() takes."""
    return Statements(m, claims_of(m, asked, program), OpenList(), read)


def notes_of(directory):
    """Returns what the modules of this run left out, and what generate.py kept beside its depfiles
    below `directory`."""
    found = changes.notes()
    paths = glob.glob(os.path.join(directory, '**/*.notes'), recursive=True) if directory else []
    for path in sorted(paths):
        with open(path, encoding='utf-8') as f:
            found += [note for note in json.load(f) if note not in found]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument('--asked', required=True)
    parser.add_argument('--spirv-ids', required=True)
    parser.add_argument('--mode', choices=('auto', 'strict', 'lenient'), default='auto')
    parser.add_argument('--out')
    parser.add_argument('--changed')
    parser.add_argument('--notes-below', metavar='DIR')
    parser.add_argument('--depfile')
    args = parser.parse_args()
    m = registry_model.load(args.registry)
    read = changes.read()
    statements = load(m, args.asked, args.spirv_ids, read)
    notes = notes_of(args.notes_below)
    statements.problems += [f'{place}: error: {text}' for place, text, _ in notes]
    strict = args.mode == 'strict' or args.mode == 'auto' and m.api_version == read.version
    failed = strict and statements.problems
    if failed:
        for problem in statements.problems:
            print(problem, file=sys.stderr)
    elif statements.problems:
        print(
            f'assay: registry {m.api_version}, the statements were read in {read.version}: '
            f'{len(statements.reworded)} are reworded, {len(statements.gone)} are gone and '
            f'{len(statements.new)} are new: they are not enforced; '
            f'{len(statements.problems)} places '
            f'ask for something that is not as it was ({args.changed})',
            file=sys.stderr,
        )
    for path, text in (
        (args.out, statements.report),
        (args.changed, lambda: statements.changed(read, notes)),
    ):
        if path and not failed:
            write_if_changed(path, text())
            os.utime(path)
    if m.as_read:
        kept_registries.keep(pathlib.Path(args.registry), m.api_version)
    if args.depfile:
        files = [
            path
            for pattern in ('**/*.py', '*/**/*.toml')
            for path in glob.glob(os.path.join(REGISTRY, pattern), recursive=True)
        ] + [
            changes.READ,
            OPEN,
            str(read_as.LIST),
            rows.LIST,
            forms_draws.LIST,
            forms_spirv.LIST,
        ]
        files += [os.path.join(args.registry, name) for name in ('vk.xml', 'validusage.json')]
        with open(args.depfile, 'w', encoding='utf-8') as f:
            f.write(f'{args.out}: {" ".join(files)}\n')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
