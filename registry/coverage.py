#!/usr/bin/env python3
"""Writes docs/coverage.md: of the registry's VUIDs, which are checked, which did a test fire, and why not the others?

  coverage.py --registry DIR --scenarios PROGRAM [--fired FILE ...] (--write FILE | --check FILE) [--minimum PERCENT] [--minimum-numbers COUNT] [-- PROGRAM ...]

A rules module (registry/rules_*.py) says what its validator checks with claims(m) -> {vuid: (rule, note)}, and what no layer can check
with impossible(m) -> {vuid: reason}. FILE lists the ids that the tests fired, one a line. PROGRAM is run first, with `--fired FILE` (of a file of
its own) after its own arguments. --check fails when FILE is not what would be written, unless that was made from another version of the registry.
Numbered VUIDs: checked are those whose constant or number stands in a source (`VUID_..._00912`, `RULE(call, 00912)`), and rows; fired those that
a scenario expects (SCENARIOS --list --expect), or names in the text that it wants to read (--list --text), since a scenario whose finding does not
come fails, and those that the program's generated calls were told under.
With --minimum the exit status is 1 when less than that part of what can be checked was fired. An id that nobody claims or excuses fails always.
"""

import argparse
import collections
import glob
import importlib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import model as registry_model
import rows  # noqa: E402
import rules_core  # noqa: E402
from scan_numbers import numbers_in  # noqa: E402


def collect(m):
    claimed, impossible = {}, {}
    for path in sorted(glob.glob(os.path.join(HERE, 'rules_*.py'))):
        module = importlib.import_module(os.path.basename(path).removesuffix('.py'))
        room = module.__name__.removeprefix('rules_')
        for vuid, (rule, note) in getattr(module, 'claims', lambda m: {})(m).items():
            claimed.setdefault(vuid, []).append((room, rule, note))
        for vuid, reason in getattr(module, 'impossible', lambda m: {})(m).items():
            impossible.setdefault(vuid, reason)
    for v in m.vuids.values():
        if not v.numbered and v.owner not in m.structs and v.owner not in m.commands:
            impossible.setdefault(v.id, 'of a platform or provisional extension that does not exist on Linux')
    return claimed, impossible


def table(rows):
    lines = ['| kind | in the registry | cannot be checked | checked | fired by a test | of those that can be checked |',
             '|---|---:|---:|---:|---:|---:|']
    for kind, total, cannot, checked, fired in rows:
        part = f'{100 * fired / (total - cannot):.1f} %' if total > cannot else '–'
        lines.append(f'| {kind} | {total} | {cannot} | {checked} | {fired} | {part} |')
    return lines


def listing(ids):
    return ['', '<details><summary>' + f'{len(ids)} ids</summary>', '', '```'] + sorted(ids) + ['```', '</details>', '']


class Coverage:
    """The named VUIDs of a model, sorted into what cannot be checked (with the reason), what is checked, and what was fired."""

    def __init__(self, m, fired):
        self.m, self.fired = m, fired
        self.claimed, excused = collect(m)
        self.named = [v.id for v in m.vuids.values() if not v.numbered]
        self.reasons = {i: excused[i] for i in self.named if i in excused and i not in self.claimed}
        for i in self.named:
            notes = self.claimed.get(i, [])
            if notes and all(rule == 'composite' for _, rule, _ in notes):
                self.reasons[i] = notes[0][2]
        self.unknown = [i for i in self.named if i not in self.claimed and i not in self.reasons]
        self.checked = [i for i in self.named if i in self.claimed and i not in self.reasons]
        self.missed = [i for i in self.checked if i not in fired]
        self.done = len(self.checked) - len(self.missed)

    @property
    def part(self):
        return 100 * self.done / max(1, len(self.named) - len(self.reasons))

    def rows(self):
        kind = lambda i: i.rsplit('-', 1)[1]
        rows = []
        for k, total in collections.Counter(kind(i) for i in self.named).most_common():
            count = lambda ids: sum(kind(i) == k for i in ids)
            checked = count(self.checked)
            rows.append((f'`-{k}`', total, count(self.reasons), checked, checked - count(self.missed)))
        return rows + [('**all**', *(sum(r[c] for r in rows) for c in range(1, 5)))]

    def text(self):
        total, hopeless = len(self.named), len(self.reasons)
        out = ['# Coverage of the valid-usage statements', '', '## Statements with a name', '',
               f'Made by `meson compile -C build coverage` (`registry/coverage.py`) from Vulkan {self.m.api_version}\'s validusage.json, the rules that the generator',
               'derives from it, and the ids that the generated tests saw in findings. A named VUID ends in a word, not a number: it is implied by the',
               'registry, and its check is generated. The test `generated` fails when this file is out of date.', '',
               f'Of the {total:,} named statements {hopeless:,} ({100 * hopeless / total:.1f} %) cannot be checked by any layer on Linux, for the reasons below;',
               f'{len(self.checked):,} are checked, and {self.done:,} of them have been fired by a test: **{self.part:.1f} % of those that can be checked,',
               f'{100 * self.done / total:.1f} % of all**.', '']
        out += table(self.rows())
        out += ['', '## What a layer cannot check', '', 'Each reason, and the ids that it holds for.', '']
        by_reason = collections.defaultdict(list)
        for i, reason in self.reasons.items():
            by_reason[reason].append(i)
        for reason, ids in sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0])):
            out += [f'### {reason[0].upper()}{reason[1:]}'] + listing(ids)
        out += ['## Checked, and not fired by a test', '']
        if not self.missed:
            out.append('None.')
        by_rule = collections.defaultdict(list)
        for i in self.missed:
            by_rule[', '.join(sorted({note or f'{room}: {rule}' for room, rule, note in self.claimed[i]}))].append(i)
        for rule, ids in sorted(by_rule.items(), key=lambda item: (-len(item[1]), item[0])):
            out += [f'### {rule}'] + listing(ids)
        if self.unknown:
            out += ['## Neither checked nor excused'] + listing(self.unknown)
        return '\n'.join(out).rstrip('\n') + '\n'


class Numbers:
    """The numbered VUIDs by their numbers: twins share one."""

    def __init__(self, m, scenarios, fired):
        self.pages = {}  # number -> chapter
        ids = {}
        for v in m.vuids.values():
            if v.numbered:
                self.pages.setdefault(v.id[-5:], v.page.removesuffix('.html'))
                ids[v.id] = v.id[-5:]
        sources = glob.glob(os.path.join(HERE, '../src/**/*.[ch]'), recursive=True) + glob.glob(os.path.join(HERE, '../registry/rules_core*.py'))
        self.checked = set()
        for path in sources:
            with open(path, encoding='utf-8') as f:
                self.checked |= numbers_in(f.read())
        listed = subprocess.run([scenarios, '--list', '--expect'], check=True, capture_output=True, text=True).stdout
        texts = subprocess.run([scenarios, '--list', '--text'], check=True, capture_output=True, text=True).stdout
        words = set(re.findall(r'VUID-[A-Za-z0-9]+-[A-Za-z0-9_]+-\d{5}', listed + texts))
        self.fired = {ids[w] for w in words if w in ids}
        self.checked |= self.fired | rows.rows(m).numbers_enforced | rules_core.table_numbers(m)
        self.fired |= {ids[w] for w in fired if w in ids}

    def text(self):
        of = collections.defaultdict(lambda: [0, 0, 0])
        for number, page in self.pages.items():
            for i, there in enumerate((True, number in self.checked, number in self.fired)):
                of[page][i] += there
        out = ['## Statements with a number', '',
               'A number counts once, however many commands have it (all draws share theirs). Checked: a source or a row',
               '(rows.py) enforces it. Fired: a scenario or a generated call makes the mistake and is told so under this id.', '', '| chapter | numbers | checked | fired |', '|---|---:|---:|---:|']
        for page, (total, checked, fired) in sorted(of.items(), key=lambda item: (-item[1][2], item[0])):
            out.append(f'| {page} | {total} | {checked} | {fired} |')
        out.append(f'| **all** | **{len(self.pages)}** | **{len(self.checked & set(self.pages))}** | **{len(self.fired)}** |')
        missed = sorted((self.checked & set(self.pages)) - self.fired)
        out += ['', '### Checked, and not fired', '', ', '.join(missed) if missed else 'None.', '',
                '### Fired', '', '<details><summary>' + f'{len(self.fired)} numbers</summary>', '', ' '.join(sorted(self.fired)), '', '</details>', '']
        return '\n'.join(out)


def read_fired(paths):
    fired = set()
    for path in paths:
        with open(path, encoding='utf-8') as f:
            fired |= {line.strip() for line in f if line.strip()}
    return fired


def run_program(command):
    """Its exit status, and what it fired."""
    with tempfile.NamedTemporaryFile(suffix='.fired') as f:
        status = subprocess.run(command[:1] + ['--fired', f.name] + command[1:], check=False).returncode
        return status, read_fired([f.name])


def is_current(path, text):
    """Says what is wrong with the file, if anything is."""
    version = re.compile(r'from Vulkan (\S+)\'s')
    try:
        with open(path, encoding='utf-8') as f:
            there = f.read()
    except FileNotFoundError:
        print(f'{path} is missing: make it with `meson compile -C build coverage`', file=sys.stderr)
        return False
    if there == text:
        return True
    if version.search(there) and version.search(there)[1] != version.search(text)[1]:
        print(f'{path} is of another version of the registry, and not compared')
        return True
    print(f'{path} is out of date: make it again with `meson compile -C build coverage`', file=sys.stderr)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument('--fired', action='append', default=[])
    parser.add_argument('--write')
    parser.add_argument('--check')
    parser.add_argument('--minimum', type=float, default=0)
    parser.add_argument('--scenarios', required=True)
    parser.add_argument('--minimum-numbers', type=int, default=0)
    parser.add_argument('program', nargs='*')
    args = parser.parse_args()

    status, fired = run_program(args.program) if args.program else (0, set())
    m = registry_model.load(args.registry)
    coverage = Coverage(m, fired | read_fired(args.fired))
    numbers = Numbers(m, args.scenarios, fired)
    text = coverage.text() + '\n' + numbers.text()
    if args.write and status == 0:
        with open(args.write, 'w', encoding='utf-8') as f:
            f.write(text)
    good = status == 0 and (not args.check or is_current(args.check, text))
    print(f'{len(coverage.named)} named VUIDs: {len(coverage.reasons)} cannot be checked, {len(coverage.checked)} are, '
          f'{coverage.done} were fired ({coverage.part:.1f} % of those that can be)')
    if coverage.part < args.minimum:
        print(f'that is less than {args.minimum} %; the first that was not: {coverage.missed[0]}', file=sys.stderr)
        good = False
    print(f'{len(numbers.pages)} numbers: {len(numbers.checked)} checked, {len(numbers.fired)} fired')
    if len(numbers.fired) < args.minimum_numbers:
        print(f'fewer than {args.minimum_numbers}', file=sys.stderr)
        good = False
    if coverage.unknown:
        print(f'{len(coverage.unknown)} are neither checked nor excused, {coverage.unknown[0]} among them', file=sys.stderr)
        good = False
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
