#!/usr/bin/env python3
"""Writes coverage.md, into the build: how many of the registry's statements are checked, which did
a test fire, and why not the others?

  coverage.py --registry DIR --asked FILE --spirv-ids PROGRAM --scenarios PROGRAM [--fired FILE ...]
  [--lists FILE]
              [--write FILE] [--limits FILE] [--minimum PERCENT] [--minimum-pairs COUNT]
              [--minimum-numbers COUNT] [-- PROGRAM ...]

A rules module (registry/rooms/*/rules.py) says what its validator checks with claims(m) -> {vuid:
(rule, note)}, and what no layer can check with impossible(m) -> {vuid: reason}. statements.py says
what becomes of the statements with a number. FILE of --fired lists the ids that tests fired, one a
line. PROGRAM is run first, with `--fired FILE` (of a file of its own) after its own arguments. A
numbered statement counts as fired, too, when a scenario expects its id (SCENARIOS --list --expect)
or names it in the text that it wants to read (--list --text): a scenario whose finding does not
come fails. --limits: docs/limitations.md, whose parts in per cent must be those that are counted
here, unless the registry or SPIRV-Tools is of another version. --lists gets what is too long for
the document. With --minimum the exit status is 1 when less than that part of the named statements
that can be checked was fired; with the other two, when fewer pairs are checked, or fewer numbers
were fired."""

import argparse
import collections
import glob
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REGISTRY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERSIONS = os.path.join(REGISTRY, '../tests/versions.py')
sys.path.insert(0, REGISTRY)
from claims import statements as numbered_statements  # noqa: E402
from claims.statements import chapter_of, number_of  # noqa: E402
from model import changes  # noqa: E402
from model import registry as registry_model  # noqa: E402
from rows import draw_rows as forms_draws  # noqa: E402
from rows import rows  # noqa: E402
from rows import spirv_rows as forms_spirv  # noqa: E402


def collect(m):
    claimed, impossible = {}, {}
    for path in sorted(glob.glob(os.path.join(REGISTRY, 'rooms/*/rules.py'))):
        room = os.path.basename(os.path.dirname(path))
        module = importlib.import_module(f'rooms.{room}.rules')
        for vuid, (rule, note) in getattr(module, 'claims', lambda m: {})(m).items():
            if m.vuids[vuid].numbered and room not in numbered_statements.GENERATORS:
                sys.exit(f'{path} claims {vuid}: name the room in GENERATORS of statements.py')
            claimed.setdefault(vuid, []).append((room, rule, note))
        for vuid, reason in getattr(module, 'impossible', lambda m: {})(m).items():
            impossible.setdefault(vuid, reason)
    for v in m.vuids.values():
        if not v.numbered and v.owner not in m.structs and v.owner not in m.commands:
            impossible.setdefault(
                v.id, 'of a platform or provisional extension that does not exist on Linux'
            )
    return claimed, impossible


def table(head, lines):
    """A table whose first column holds text and whose others hold numbers."""
    return ['| ' + ' | '.join(head) + ' |', '|---|' + '---:|' * (len(head) - 1)] + [
        '| ' + ' | '.join(f'{x:,}' if isinstance(x, int) else x for x in line) + ' |'
        for line in lines
    ]


def bold(line):
    return [f'**{x:,}**' if isinstance(x, int) else f'**{x}**' for x in line]


class Named:
    """The named statements of a model, sorted into what cannot be checked (with the reason), what
    is checked, and what was fired."""

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

    def by_reason(self):
        found = collections.defaultdict(list)
        for i, reason in self.reasons.items():
            found[reason].append(i)
        return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))

    def by_kind(self):
        kind = lambda i: i.rsplit('-', 1)[1]
        lines = []
        for k, total in collections.Counter(kind(i) for i in self.named).most_common():
            count = lambda ids: sum(kind(i) == k for i in ids)
            checked = count(self.checked)
            lines.append(
                [f'`-{k}`', total, count(self.reasons), checked, checked - count(self.missed)]
            )
        return lines + [bold(['all', *(sum(line[c] for line in lines) for c in range(1, 5))])]

    def text(self):
        total, hopeless = len(self.named), len(self.reasons)
        out = [
            '## Statements with a name',
            '',
            (
                'The id of a named statement ends in a word, not a number. The registry '
                'implies it, and its check is generated.'
            ),
            '',
            (
                f'Of the {total:,} named statements {hopeless:,} ({100 * hopeless / total:.1f} '
                f'%) cannot be checked by any layer on Linux, for the reasons'
            ),
            (
                f'below. {len(self.checked):,} are checked, and a test has fired {self.done:,} '
                f'of them: **{self.part:.1f} % of those that can be checked,'
            ),
            f'{100 * self.done / total:.1f} % of all**.',
            '',
        ]
        out += table(
            ['kind', 'in the registry', 'cannot be checked', 'checked', 'fired by a test'],
            self.by_kind(),
        )
        out += ['', 'What cannot be checked:', '']
        out += table(
            ['reason', 'statements'],
            [[reason[0].upper() + reason[1:], len(ids)] for reason, ids in self.by_reason()],
        )
        return out

    def lists(self):
        out = []
        for reason, ids in self.by_reason():
            out += [f'== named, cannot be checked: {reason}', *sorted(ids), '']
        for title, ids in (
            ('checked, and not fired', self.missed),
            ('neither checked nor excused', self.unknown),
        ):
            out += [f'== named, {title}', *sorted(ids), '']
        return out


class Numbered:
    """The numbered statements: pairs of a number and a command or structure, an id each."""

    def __init__(self, m, statements, fired):
        self.m, self.statements = m, statements
        self.checked = set(statements.checked)
        self.fired = {i for i in fired if i in self.checked}
        self.unclaimed = sorted(i for i in fired if i in statements.open)
        self.all = statements.numbered

    def numbers(self, ids):
        return len({number_of(i) for i in ids})

    def by_chapter(self):
        of = collections.defaultdict(list)
        for v in self.all:
            of[chapter_of(v)].append(v.id)
        lines = []
        for chapter, ids in of.items():
            checked, fired = (
                [i for i in ids if i in self.checked],
                [i for i in ids if i in self.fired],
            )
            lines.append(
                [
                    chapter,
                    len(ids),
                    len(checked),
                    len(fired),
                    self.numbers(ids),
                    self.numbers(checked),
                    self.numbers(fired),
                ]
            )
        lines.sort(key=lambda line: (-line[2], line[0]))
        ids = [v.id for v in self.all]
        return lines + [
            bold(
                [
                    'all',
                    len(ids),
                    len(self.checked),
                    len(self.fired),
                    self.numbers(ids),
                    self.numbers(self.checked),
                    self.numbers(self.fired),
                ]
            )
        ]

    def open_ids(self, word, chapter=None):
        return [
            v.id
            for v in self.all
            if v.id not in self.checked
            and self.statements.open[v.id].word == word
            and (chapter is None or chapter_of(v) == chapter)
        ]

    def how(self):
        kinds = collections.Counter()
        for i in self.checked:
            where = self.statements.checked.get(i, 'generated')
            kinds['in C' if where.startswith('src/') else where.split(':')[0]] += 1
        names = {
            'in C': 'written in C',
            'a row': 'rows (`registry/rows.txt`)',
            'generated': 'tables of the generator',
            'SPIRV-Tools': 'SPIRV-Tools, under their id',
        }
        return ', '.join(f'{names[kind]} {kinds[kind]:,}' for kind in names)

    def text(self):
        part = lambda some, of: f'{100 * some / of:.1f} %'
        pairs, numbers = len(self.all), self.numbers([v.id for v in self.all])
        out = [
            '## Statements with a number',
            '',
            (
                'A number can stand for many commands and structures: all draws share most of '
                'theirs. Each **pair** of a number and a command or'
            ),
            (
                'structure has an id, and counts as checked where a hook of that command '
                'reaches the source that asks for the number.'
            ),
            '',
            (
                f'**{len(self.checked):,} of {pairs:,} pairs '
                f'({part(len(self.checked), pairs)}), and {self.numbers(self.checked):,} of '
                f'{numbers:,} numbers'
            ),
            f'({part(self.numbers(self.checked), numbers)}) are checked**: {self.how()}.',
            '',
        ]
        out += table(
            ['chapter', 'pairs', 'checked', 'fired', 'numbers', 'checked', 'fired'],
            self.by_chapter(),
        )
        out += [
            '',
            '### What is open',
            '',
            (
                'In pairs. `registry/open.txt` gives the reasons; the build fails where a '
                'statement has none.'
            ),
            '',
        ]
        reasons = [r for r in self.statements.reasons.values() if self.open_ids(r.word)]
        out += table(
            ['reason', 'pairs', 'numbers'],
            [
                [
                    f'**{r.word}**: {r.text}' + ('' if r.possible else '; no layer can check it'),
                    len(self.open_ids(r.word)),
                    self.numbers(self.open_ids(r.word)),
                ]
                for r in reasons
            ],
        )
        out += ['', *table(['chapter', *(r.word for r in reasons)], self.open_by_chapter(reasons))]
        return out

    def open_by_chapter(self, reasons):
        counts = collections.defaultdict(collections.Counter)
        for v in self.all:
            if v.id not in self.checked:
                counts[chapter_of(v)][self.statements.open[v.id].word] += 1
        return [
            [chapter, *(of[r.word] or '' for r in reasons)]
            for chapter, of in sorted(counts.items(), key=lambda x: (-x[1].total(), x[0]))
        ]

    def lists(self):
        out = [
            '== numbered, checked, and not fired',
            *sorted(self.checked - self.fired),
            '',
            '== numbered, open: reason, id, sentence',
        ]
        parsed = rows.rows(self.m)
        readable = []
        for v in self.all:
            if v.id in self.checked:
                continue
            out.append(f'{self.statements.open[v.id].word:10} {v.id}  {v.text}')
            sentence = parsed.read(v)
            if sentence is not None:
                readable.append(f'{v.id}  {sentence!r}')
        return out + [
            '',
            (
                f'== numbered, open, but the grammar reads the sentence (registry/rows/rows.py '
                f'says which could be rows): {len(readable)}'
            ),
            *readable,
            '',
        ]


DOCUMENT = """# Coverage of the valid-usage statements

Made by the test `generated` (`registry/claims/coverage.py`) from Vulkan {version}'s validusage.json, the hooks, the rows, and the ids
that the tests saw in findings. The long lists (each statement, what checks it or why nothing does, and the sentences that could be rows)
stand beside it in the build directory: `tests/generated/coverage.txt` and `src/statements.txt`.

## How it is counted

- `registry/claims/scan_rules.py` reads the sources of the layer: it expands their macros, and follows from each hook what it mentions, function by
  function and table by table. A source that asks for a number counts for the commands whose hooks reach it, and no other.
- It does not see conditions: a shared function that asks for a number only after `if (call->command == ...)` counts for every command that
  reaches it and has the number. *Fired* is the lower bound: a test made the mistake and read this id.
- SPIRV-Tools counts for the ids that its library says it reports (`src/spirv/helper/list_ids.c` asks it).
- `registry/claims/statements.py` fails the build where a source asks for a number by a command that does not have it, where a statement is neither
  checked nor listed as open, and where the sentence of a checked statement has changed (`registry/statements.txt`).
"""


def list_scenarios(scenarios, what, *more):
    return subprocess.run(
        [scenarios, *more, '--list', what], check=True, capture_output=True, text=True
    ).stdout


def scenario_ids(expected, texts):
    return set(re.findall(r'VUID-[A-Za-z0-9]+-[A-Za-z0-9_]+-\d{5}', expected + texts))


def read_fired(paths):
    fired = set()
    for path in paths:
        with open(path, encoding='utf-8') as f:
            fired |= {line.strip() for line in f if line.strip()}
    return fired


def run_program(command):
    """Its exit status, and what it fired."""
    with tempfile.NamedTemporaryFile(suffix='.fired') as f:
        status = subprocess.run(
            command[:1] + ['--fired', f.name] + command[1:], check=False
        ).returncode
        return status, read_fired([f.name])


# docs/limitations.md: "85 % of the 20,571 pairs and 82 % of the 8,109 numbers are checked"
LIMITS = re.compile(
    r'(\d+) % of the ([\d,]+) pairs and (\d+) % of the ([\d,]+) numbers are checked'
)


# "... is not checked (01103)." Each of the numbers must have an open statement.
NOT_CHECKED = re.compile(
    r'\b(?:is|are) not (?:checked|compared|followed|found|read|looked at|asked|told)\b|'
    r'this layer does not'
)
NUMBER = re.compile(r'(?<![\d,.-])(\d{5})(?!\d)(?![.,]\d{3})')


def said_in_vain(text, numbered):
    """[(number, sentence)]: numbers of which the text says that they are not checked, and all of
    whose statements are."""
    checked, open_ = set(), set()
    for v in numbered.all:
        (checked if v.id in numbered.checked else open_).add(v.id.rsplit('-', 1)[1])
    found = []
    for item in re.split(r'\n(?=- |\n|\|)', text):
        # The ids of a row stand in a cell of their own, and belong to its sentence.
        row = re.sub(r'[.;:]? \| ', ' ', ' '.join(item.split()))
        for sentence in re.split(r'(?<=[.;:]) ', row):
            if NOT_CHECKED.search(sentence):
                found += [(n, sentence) for n in NUMBER.findall(sentence) if n in checked - open_]
    return found


def limits_are_true(path, numbered):
    """Says what is wrong with the figures and numbers that users read, if anything is."""
    pairs, checked = len(numbered.all), len(numbered.checked)
    numbers = numbered.numbers([v.id for v in numbered.all])
    numbers_checked = numbered.numbers(numbered.checked)
    counted = (
        f'{100 * checked // pairs}',
        f'{pairs:,}',
        f'{100 * numbers_checked // numbers}',
        f'{numbers:,}',
    )
    figures = pathlib.Path(path)
    said, vain = LIMITS.search(figures.read_text(encoding='utf-8')), []
    pages = sorted((figures.parent / 'limits').glob('*.md'))
    if not pages:
        print(f'{path} has no pages beside it, in limits/', file=sys.stderr)
        return False
    for page in [figures, *pages]:
        in_vain = said_in_vain(page.read_text(encoding='utf-8'), numbered)
        for number, sentence in in_vain:
            print(f'{page}: {number} is checked: "{sentence}"', file=sys.stderr)
        vain += in_vain
    if not said:
        print(f'{path} does not say which part of the statements is checked', file=sys.stderr)
        return False
    if said.groups() == counted:
        return not vain
    unlike = subprocess.run(
        [sys.executable, VERSIONS, '--unknown', 'spirv-tools', 'vulkan-headers'],
        capture_output=True,
        text=True,
        check=False,
    )
    if unlike.returncode:
        print(f'{path} is not compared: {unlike.stdout.strip()}')
        return True
    print(
        (
            f'{path} says "{said[0]}", and counted were {counted[0]} % of {counted[1]} and '
            f'{counted[2]} % of {counted[3]}'
        ),
        file=sys.stderr,
    )
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument('--asked', required=True)
    parser.add_argument('--spirv-ids', required=True)
    parser.add_argument('--scenarios', required=True)
    parser.add_argument('--instead', action='append', default=[])
    parser.add_argument('--fired', action='append', default=[])
    parser.add_argument('--lists')
    parser.add_argument('--write')
    parser.add_argument('--limits')
    parser.add_argument('--minimum', type=float, default=0)
    parser.add_argument('--minimum-pairs', type=int, default=0)
    parser.add_argument('--minimum-numbers', type=int, default=0)
    parser.add_argument('program', nargs='*')
    args = parser.parse_args()

    status, fired = run_program(args.program) if args.program else (0, set())
    fired |= read_fired(args.fired)
    m = registry_model.load(args.registry)
    named = Named(m, fired)
    expected = list_scenarios(args.scenarios, '--expect')
    fired |= scenario_ids(expected, list_scenarios(args.scenarios, '--text'))
    for command in args.instead:
        fired |= scenario_ids(list_scenarios(args.scenarios, '--expect', '--instead', command), '')
    numbered = Numbered(
        m, numbered_statements.load(m, args.asked, args.spirv_ids, changes.read()), fired
    )
    text = (
        '\n'.join([DOCUMENT.format(version=m.api_version), *numbered.text(), '', *named.text()])
        + '\n'
    )
    if args.lists:
        with open(args.lists, 'w', encoding='utf-8') as f:
            f.write('\n'.join(named.lists() + numbered.lists()))
    if args.write and status == 0:
        with open(args.write, 'w', encoding='utf-8') as f:
            f.write(text)
    good = status == 0 and (not args.limits or limits_are_true(args.limits, numbered))
    print(
        f'{len(named.named)} named statements: {len(named.reasons)} cannot be checked, '
        f'{len(named.checked)} are, '
        f'{named.done} were fired ({named.part:.1f} % of those that can be)'
    )
    if named.part < args.minimum:
        print(
            f'that is less than {args.minimum} %; the first that was not: {named.missed[0]}',
            file=sys.stderr,
        )
        good = False
    numbers_fired = numbered.numbers(numbered.fired)
    print(
        f'{len(numbered.all)} pairs: {len(numbered.checked)} checked, {len(numbered.fired)} fired; '
        f'{numbered.numbers(numbered.checked)} numbers checked, {numbers_fired} fired'
    )
    for vuid in numbered.unclaimed:
        print(
            (
                f'a test fired {vuid}, but nothing is seen to claim it: does claims() of its '
                f'generator have it (GENERATORS in statements.py)?'
            ),
            file=sys.stderr,
        )
        good = False
    for message in (
        rows.untested(expected) + forms_draws.untested(expected) + forms_spirv.untested(expected)
    ):
        print(message, file=sys.stderr)
        good = False
    if len(numbered.checked) < args.minimum_pairs:
        print(f'fewer pairs are checked than {args.minimum_pairs}', file=sys.stderr)
        good = False
    if numbers_fired < args.minimum_numbers:
        print(f'fewer numbers were fired than {args.minimum_numbers}', file=sys.stderr)
        good = False
    if named.unknown:
        print(
            f'{len(named.unknown)} are neither checked nor excused, {named.unknown[0]} among them',
            file=sys.stderr,
        )
        good = False
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
