#!/usr/bin/env python3
"""Says what in the layer is about a statement, a command or a structure, and where a new check
of it belongs.

    who.py --build DIR --registry DIR NAME...

NAME is an id (VUID-vkCmdFillBuffer-dstOffset-00024), a number (00024), a command or a structure.
It reads what a build knows: which hooks the rooms have, and what becomes of each statement."""

from __future__ import annotations

import argparse
import difflib
import html
import json
import pathlib
import re
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 100
SHOWN = 40  # statements of one command or structure
PHASES = ('validate', 'before', 'after')


@dataclass(frozen=True)
class Statement:
    """A line of statements.txt, and the sentence."""

    id: str
    fate: str  # "checked: src/core/...:17", "checked: a row", or a word of open.txt
    chapter: str
    text: str

    @property
    def number(self) -> str:
        return self.id.rsplit('-', 1)[1]

    @property
    def owner(self) -> str:
        return self.id.split('-')[1]

    @property
    def is_checked(self) -> bool:
        return self.fate.startswith('checked')


def read_sentences(registry: pathlib.Path) -> dict[str, str]:
    """{id: sentence}"""
    found: dict[str, str] = {}

    def visit(node: object) -> None:
        if isinstance(node, list):
            for entry in node:
                visit(entry)
        elif isinstance(node, dict) and 'vuid' in node:
            text = html.unescape(re.sub(r'<[^>]*>', '', node['text']))
            found[node['vuid']] = ' '.join(text.split())
        elif isinstance(node, dict):
            for entry in node.values():
                visit(entry)

    visit(json.loads((registry / 'validusage.json').read_text(encoding='utf-8'))['validation'])
    return found


def read_statements(path: pathlib.Path, sentences: dict[str, str]) -> list[Statement]:
    found, chapter = [], ''
    for line in path.read_text(encoding='utf-8').splitlines():
        if line.startswith('== '):
            chapter = line[3:].split(':')[0]
        elif line.startswith('VUID-'):
            vuid, _, fate = line.partition(' ')
            found.append(Statement(vuid, fate.strip(), chapter, sentences.get(vuid, '')))
    return found


def read_reasons() -> dict[str, str]:
    """{word: what it means}, of registry/open.txt"""
    text = (ROOT / 'registry/open.txt').read_text(encoding='utf-8')
    return dict(re.findall(r'^(?:open|impossible)\s+(\w+)\s+(.+)$', text, re.MULTILINE))


def sources() -> Iterable[tuple[str, str]]:
    for path in sorted((ROOT / 'src').rglob('*.c')):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding='utf-8')


def line_of(text: str, at: int) -> int:
    return text.count('\n', 0, at) + 1


def functions_that(pattern: str) -> list[str]:
    """ "src/core/x.c:12  name" of the functions whose heads match."""
    found = []
    head = re.compile(r'^(?!\s|/|#|typedef|extern)[\w \*]+?\b(\w+)\(([^;{}]*?)\)\n\{', re.MULTILINE)
    wanted = re.compile(pattern)
    for path, text in sources():
        for match in head.finditer(text):
            if wanted.search(match[0]):
                found.append(f'{path}:{line_of(text, match.start())}  {match[1]}')
    return found


def say(key: str, lines: Iterable[str]) -> None:
    for i, line in enumerate(lines):
        print(f'    {key if i == 0 else "":<10}{line}')


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 14) or ['(the registry has no sentence for it)']


def fate_in_words(statement: Statement, reasons: dict[str, str]) -> str:
    if statement.is_checked:
        return statement.fate
    word = statement.fate.split()[0].rstrip(':') if statement.fate else '?'
    return f'open, "{word}": {reasons.get(word, statement.fate)}'


def tell_statement(statement: Statement, reasons: dict[str, str]) -> None:
    print(statement.id)
    say('says', wrapped(statement.text))
    say('here', wrapped(fate_in_words(statement, reasons)))
    say('chapter', [statement.chapter])
    row = [
        f'registry/rows.txt:{number}'
        for number, line in enumerate(
            (ROOT / 'registry/rows.txt').read_text(encoding='utf-8').splitlines(), 1
        )
        if line.startswith(statement.id + ' ')
    ]
    say('row', row)


def tell_statements(mine: list[Statement], reasons: dict[str, str]) -> None:
    checked = [s for s in mine if s.is_checked]
    print(f'    {len(mine)} statements with a number, of which {len(checked)} are checked')
    for statement in [s for s in mine if not s.is_checked][:SHOWN]:
        say('', [f'{statement.id}  {fate_in_words(statement, reasons)}'])
    for statement in checked[:SHOWN]:
        say('', [f'{statement.id}  {statement.fate}'])
    if len(checked) > SHOWN:
        rest = len(checked) - SHOWN
        say('', [f'and {rest} more that are checked: src/statements.txt of the build'])


def tell_command(name: str, build: pathlib.Path) -> None:
    """The hooks of each room."""
    wanted = name.removeprefix('vk')
    for path in sorted((build / 'src').glob('*/hooks.txt')):
        for phase in PHASES:
            names = [
                words[3]
                for words in map(str.split, path.read_text().splitlines())
                if words[1] == phase and words[2] == wanted
            ]
            for function in names:
                where = functions_that(rf'\b{function}\(')
                say(f'{phase}', where or [f'{function} (generated, or made by a macro)'])


def lines_that_name(name: str) -> list[str]:
    wanted = re.compile(rf'\b{name}\b')
    return [
        f'{path}:{line_of(text, match.start())}'
        for path, text in sources()
        for match in wanted.finditer(text)
    ]


def tell_structure(name: str) -> None:
    visitors = functions_that(rf'\b{name} \*')
    if visitors:
        say('visited', visitors)
    else:
        say('named', lines_that_name(name)[:SHOWN] or ['nowhere: rows and generated checks alone'])


ADVICE = """A new check:
    a sentence in a form that the grammar reads   a row: registry/rows.txt (docs/adding-a-check.md)
    a condition of draws on bound state           a row of draws: registry/rows/draw_rows.py
    about SPIR-V by its instructions              registry/spirv_rows.txt
    anything else                                 C, in the room whose functions stand above"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--registry', type=pathlib.Path, required=True)
    parser.add_argument('names', nargs='+')
    args = parser.parse_args()

    sentences = read_sentences(args.registry)
    statements = read_statements(args.build / 'src/statements.txt', sentences)
    reasons = read_reasons()
    owners = {s.owner for s in statements} | {i.split('-')[1] for i in sentences}
    unknown = 0
    for name in args.names:
        exact = [s for s in statements if s.id == name or s.number == name.zfill(5)]
        if exact:
            for statement in exact:
                tell_statement(statement, reasons)
        elif name in owners:
            print(name)
            if name.startswith('vk'):
                tell_command(name, args.build)
            else:
                tell_structure(name)
            tell_statements([s for s in statements if s.owner == name], reasons)
        elif name in sentences:
            print(f'{name}\n    is implied by the registry: its check is generated')
            say('says', wrapped(sentences[name]))
        else:
            near = difflib.get_close_matches(name, [*owners, *sentences], 3)
            hint = f'; is it {", or ".join(near)}?' if near else ''
            print(
                f'{name}: no statement, command or structure of this registry{hint}',
                file=sys.stderr,
            )
            unknown += 1
    if not unknown:
        print(ADVICE)
    return 1 if unknown else 0


if __name__ == '__main__':
    sys.exit(main())
