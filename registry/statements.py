#!/usr/bin/env python3
"""What becomes of each numbered statement? It is a row, claimed by a source, reported by SPIRV-Tools,
or open with a reason.

  statements.py --registry DIR --asked FILE --spirv-ids PROGRAM [--out FILE] [--accept]

Fails, with a message a line, where
  - a source asks for a number that none of the commands that reach it has, or for an id of a command
    or structure that does not reach it;
  - a statement is none of these: a row, claimed by a source, reported by SPIRV-Tools, or matched by a
    line of open.txt;
  - the sentence of a claimed statement has changed since it was read, or the registry has a new
    statement (statements.txt).
FILE gets what each statement is, a line each, by chapter. With --accept, statements.txt is written
again, and what has changed is printed: read that first. A statement is a pair of a number and a
command or structure, and has one id.
"""

import argparse
import collections
import functools
import glob
import importlib
import os
import re
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import forms_draws  # noqa: E402
import forms_spirv  # noqa: E402
import model as registry_model  # noqa: E402
import rows  # noqa: E402
import rule_numbers  # noqa: E402
import rules_gpu  # noqa: E402
import scan_rules  # noqa: E402
import sync_tables  # noqa: E402
from write_if_changed import write_if_changed  # noqa: E402

READ = os.path.join(HERE, 'statements.txt')
OPEN = os.path.join(HERE, 'open.txt')
HEAD = """# The numbered statements as they were read: number, and a checksum of its ids and sentences.
# `meson compile -C build accept-statements` writes this file again and prints what has changed.
"""
# Recorded commands are looked at again when they are submitted: their ids may be asked for there.
SUBMITS = {'vkQueueSubmit', 'vkQueueSubmit2'}
# The state room reports nothing: an id there is a mark of which rule a note belongs to.
REPORTS_NOTHING = ('state',)
# Reasons that follow from the registry or from what is checked; open.txt has the others.
# Modules whose claims() have numbered statements, too (coverage.py looks whether another one has).
GENERATORS = ('rules_core', 'rules_lifetimes', 'rules_threads')
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


class Claims:
    """checked   id -> where: 'src/...:line', 'a row', 'SPIRV-Tools', or 'generated: ...'
    problems  messages about sources that ask for what they cannot have
    partly    lines about sources that some of the commands reach in vain: they do not have the number,
              but others do"""

    def __init__(self, m, sites, hooked, spirv_ids=(), row_ids=(), generated=None):
        self.m = m
        self.checked, self.problems, self.partly = {}, [], []
        self.by_constant = {m.vuid_constant(i): i for i, v in m.vuids.items() if v.numbered}
        self.reached_structures = rule_numbers.structures_of(m)
        for site in sites:
            self._site(site, hooked)
        for vuid in row_ids:
            self.checked.setdefault(vuid, 'a row')
        for vuid, note in (generated or {}).items():
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
            self._problem(site, f'which none of the commands that reach it has: {_some(commands)}. '
                                f'The number is of {_some({command for command, _ in known})}')
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
        if not commands or commands & SUBMITS or site.later or \
                room in (*scan_rules.LATER_ROOMS, *REPORTS_NOTHING):
            return
        if owner in self.m.commands and owner not in commands:
            self._problem(site, f'but {owner} does not reach it; what does: {_some(commands)}')
        elif owner in self.m.structs and \
                not any(owner in self.reached_structures[c] for c in commands):
            self._problem(site, f'but no command that reaches it takes a {owner}: '
                                f'{_some(commands)}')


def _some(names, most=6):
    names = sorted(names)
    more = f' and {len(names) - most} more' if len(names) > most else ''
    return ', '.join(names[:most]) + more or 'none'


def generated_claims(m, names, sites):
    """id -> note, of numbered statements that generators enforce."""
    found = {}
    for name in GENERATORS:
        for vuid, (rule, note) in importlib.import_module(name).claims(m).items():
            if m.vuids[vuid].numbered and rule != 'composite':
                found.setdefault(vuid, note or rule)
    # Of the masks, those that a source looks at.
    masks = sync_tables.tables(m)
    for rule in [*masks.feature_rules.values(), *masks.access_rules.values()]:
        for (owner, member), vuid in rule['vuids'].items():
            if f'MASK_{owner}_{member}' in names:
                found.setdefault(vuid, 'stages and accesses of masks')
    return found


def row_ids(m, sites):
    """The ids that rows enforce; those of draws, of the commands that look at them (core/draw_rows.h)."""
    looking = {command for site in sites if site.asked == BESIDE_DRAW_ROWS for command in site.commands}
    return [row.vuid.id for row in rows.rows(m).rows] + forms_draws.rows(m).claims(looking) + \
        forms_spirv.ids(m)


def spirv_ids(program):
    """The ids that SPIRV-Tools has, or none where it does not say."""
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    if run.returncode:
        print(f'{program}: this release of SPIRV-Tools does not say what it reports; its ids count '
              'as open', file=sys.stderr)
    return re.findall(r'VUID-[A-Za-z0-9_]+-[A-Za-z0-9_]+-\d{5}', run.stdout)


# --- what is open, and why
# ------------------------------------------------------------------------------------------


class Reason:
    """`word` and the sentence that explains it; `possible`: a layer could check such statements."""

    def __init__(self, word, possible, text):
        self.word, self.possible, self.text = word, possible, text


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
                place = f'{os.path.relpath(path, os.path.dirname(HERE))}:{i}'
                if words[0] in ('open', 'impossible'):
                    possible = words[0] == 'open'
                    self.reasons[words[1]] = Reason(words[1], possible, ' '.join(words[2:]))
                    continue
                word, chapter, owner, *sentence = words
                if word not in self.reasons:
                    sys.exit(f'{place}: error: no such reason: {word}')
                # Cached, as many commands share a sentence.
                tests = (_glob(chapter).fullmatch, _glob(owner).fullmatch,
                         re.compile(' '.join(sentence)).search)
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


# --- sentences that were read
# ---------------------------------------------------------------------------------------


def checksums(m):
    """number -> checksum of all its statements."""
    of = collections.defaultdict(list)
    for v in m.vuids.values():
        if v.numbered:
            of[number_of(v.id)].append(f'{v.id} {v.text}')
    return {number: f'{zlib.crc32(chr(10).join(sorted(lines)).encode()):08x}'
            for number, lines in sorted(of.items())}


def read_checksums(path=READ):
    with open(path, encoding='utf-8') as f:
        return dict(line.split() for line in f if line.strip() and not line.startswith('#'))


def write_checksums(now, path=READ):
    lines = [f'{number} {checksum}\n' for number, checksum in now.items()]
    write_if_changed(path, HEAD + ''.join(lines))


# --- all together ---------------------------------------------------------------------------------
# ------------------


class Statements:
    """Every numbered statement of a model: `checked`, id -> where; `open`, id -> Reason; `problems`,
    messages."""

    def __init__(self, m, claims, open_list, read=None):
        self.m, self.checked = m, claims.checked
        self.problems, self.partly = list(claims.problems), claims.partly
        self.unused = open_list.unused
        self.numbered = [v for v in m.vuids.values() if v.numbered]
        self.reasons = open_list.reasons
        self.open = {}
        known = {number_of(i): i for i in reversed(list(self.checked))}
        for v in self.numbered:
            if v.id in self.checked:
                continue
            reason = self._reason(v, known, open_list)
            if reason is None:
                self.problems.append(
                    f'registry/open.txt: error: {v.id} is neither a row, nor claimed by a source, nor '
                    f'listed as open with a reason (chapter {chapter_of(v)}): {v.text}')
            else:
                self.open[v.id] = reason
        if read is not None:
            self._compare(read)

    def _reason(self, v, known, open_list):
        m = self.m
        if v.owner[:2] in ('vk', 'Vk') and \
                not (v.owner in m.structs or v.owner in m.commands or v.owner in m.aliases):
            return self.reasons[ABSENT]
        listed = open_list.reason(v)
        if listed and not listed.possible:
            return listed
        if number_of(v.id) in known:
            return self.reasons[TWIN]
        return listed

    def _compare(self, read):
        """Sentences that are not what they were when they were read. Those of open statements may
        change."""
        of = collections.defaultdict(list)
        for v in self.numbered:
            of[number_of(v.id)].append(v)
        for number, now in checksums(self.m).items():
            if number not in read:
                for v in of[number]:
                    self.problems.append(f'registry/statements.txt: error: {v.id} is new. Claim it, '
                                         f'or accept it as open: {v.text}')
            elif read[number] != now:
                for v in of[number]:
                    if v.id in self.checked:
                        self.problems.append(
                            f'{_place(self.checked[v.id])}: error: {v.id} reads otherwise than when it '
                            'was claimed, or its number has other ids. Read it again, then accept it: '
                            f'{v.text}')

    def report(self):
        """What each statement is, by chapter, as text."""
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
                    out.append(f'{v.id}  {self.open[v.id].word if v.id in self.open else "NOT LISTED"}')
        out += ['== numbers that sources ask for by commands that do not have them, and by others that '
                f'do: {len(self.partly)} places', *self.partly]
        out += [f'== lines that no open statement needs any more: {len(self.unused)}', *self.unused]
        return '\n'.join(out) + '\n'


def _place(where):
    if where.startswith('src/'):
        return where
    return 'registry/rows.txt' if where == 'a row' else f'registry ({where})'


def load(m, asked, program, read=None):
    """The Statements of a model; `asked`: what scan_rules.py wrote; `program`: prints the ids of
    SPIRV-Tools."""
    sites, hooked, names = scan_rules.read(asked)
    # The hooks of commands that run shaders are generated.
    hooked.setdefault('gpu', set()).update(name for name, point in rules_gpu.actions(m).items()
                                           if point != rules_gpu.UNFOLLOWED)
    claims = Claims(m, sites, hooked, spirv_ids(program), row_ids(m, sites),
                    generated_claims(m, names, sites))
    return Statements(m, claims, OpenList(), read)


def changes(m, read):
    """Lines about what --accept accepts."""
    now = checksums(m)
    for v in m.vuids.values():
        if v.numbered and read.get(number_of(v.id)) != now[number_of(v.id)]:
            yield f'{"changed" if number_of(v.id) in read else "new"}  {v.id}\n    {v.text}'
    for number in sorted(set(read) - set(now)):
        yield f'gone     {number}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument('--asked', required=True)
    parser.add_argument('--spirv-ids', required=True)
    parser.add_argument('--out')
    parser.add_argument('--depfile')
    parser.add_argument('--accept', action='store_true')
    args = parser.parse_args()
    m = registry_model.load(args.registry)
    read = read_checksums()
    if args.accept:
        for line in changes(m, read):
            print(line)
        read = checksums(m)
        write_checksums(read)
    statements = load(m, args.asked, args.spirv_ids, read)
    for problem in statements.problems:
        print(problem, file=sys.stderr)
    if args.out and not statements.problems:
        write_if_changed(args.out, statements.report())
        os.utime(args.out)
    if args.depfile:
        files = glob.glob(os.path.join(HERE, '*.py')) + [READ, OPEN, rows.LIST, forms_draws.LIST, forms_spirv.LIST]
        files += [os.path.join(args.registry, name) for name in ('vk.xml', 'validusage.json')]
        with open(args.depfile, 'w', encoding='utf-8') as f:
            f.write(f'{args.out}: {" ".join(files)}\n')
    return 1 if statements.problems else 0


if __name__ == '__main__':
    sys.exit(main())
