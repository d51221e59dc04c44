#!/usr/bin/env python3
"""Advice as data: registry/practices.toml, read and checked, and docs/practices.md, which is made
of it.  practices.py --table FILE [--check]

With --check, FILE is compared with what it should be, and the program fails where they differ.
"""

import argparse
import functools
import os
import re
import sys
import tomllib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model.places import REGISTRY

VENDORS = ('arm', 'amd', 'img', 'nvidia', 'legacy', 'redundant')
SEVERITIES = ('performance', 'warning', 'info', 'debug')
# The program gains one of these; the words for it.
SAVES = {
    'memory': 'memory',
    'bandwidth': 'bandwidth',
    'gpu': 'GPU time',
    'cpu': 'CPU time',
    'portability': 'surprises',
}
HEAD = 'registry/practices_head.md'


class PracticesError(Exception):
    """The table contradicts itself. Fails the generation."""


class Practice:
    def __init__(self, entry):
        unknown = set(entry) - {'id', 'vendors', 'severity', 'saves', 'said', 'cost', 'instead'}
        if unknown:
            raise PracticesError(f'{entry.get("id")}: no such key: {", ".join(sorted(unknown))}')
        self.id = entry['id']
        self.vendors = entry.get('vendors', [])
        self.severity = entry.get('severity', 'performance')
        self.saves = entry['saves']
        self.said = entry['said']
        self.cost = entry['cost']
        self.instead = entry['instead']
        if (
            set(self.vendors) - set(VENDORS)
            or self.severity not in SEVERITIES
            or self.saves not in SAVES
        ):
            raise PracticesError(f'{self.id}: a value is not one of those that there are')
        if (
            self.instead.endswith('.')
            or not self.cost.endswith('.')
            or not self.said.endswith(('.', ')'))
        ):
            raise PracticesError(
                f'{self.id}: sentences end with a full stop, and `instead` does not'
            )

    @property
    def constant(self):
        return re.sub(r'[^A-Za-z0-9]', '_', self.id)

    @property
    def vendor_bits(self):
        return ' | '.join(f'PRACTICE_{vendor.upper()}' for vendor in self.vendors) or '0'


@functools.cache
def practices():
    with open(os.path.join(REGISTRY, 'practices.toml'), 'rb') as f:
        table = [Practice(entry) for entry in tomllib.load(f)['practice']]
    if len({practice.id for practice in table}) != len(table):
        raise PracticesError('an id is there twice')
    return table


def texts():
    """id -> cost; id -> what to do instead."""
    return {p.id: p.cost for p in practices()}, {p.id: p.instead for p in practices()}


GROUPS = [
    ((), 'With `validate_best_practices`'),
    (('arm',), 'With `validate_best_practices_arm` beside it'),
    (('amd',), 'With `validate_best_practices_amd` beside it'),
    (('img',), 'With `validate_best_practices_img` beside it'),
    (('nvidia',), 'With `validate_best_practices_nvidia` beside it'),
    (('redundant',), 'With `validate_best_practices_redundant` beside it'),
    (('legacy',), 'With `legacy_detection`'),
]


def table_text(said):
    """`said`: the ids that sources say, or None: all."""
    with open(os.path.join(REGISTRY, os.path.basename(HEAD)), encoding='utf-8') as f:
        lines = [f.read()]
    names = {'arm': '`_arm`', 'img': '`_img`', 'amd': '`_amd`', 'nvidia': '`_nvidia`'}
    seen = []
    for vendors, title in GROUPS:
        mine = [
            p
            for p in practices()
            if (said is None or p.id in said)
            and (set(vendors) & set(p.vendors) if vendors else not p.vendors)
        ]
        lines += [f'\n## {title}\n', '| id | said when | instead | saves |', '|---|---|---|---|']
        for p in mine:
            others = [names[v] for v in p.vendors if v not in vendors]
            also = f' (also {", ".join(others)})' if others and p.id not in seen else ''
            if p.id in seen:
                continue
            seen.append(p.id)
            kind = '' if p.severity == 'performance' else f' ({p.severity})'
            lines.append(f'| `{p.id}`{kind} | {p.said}{also} | {p.instead} | {SAVES[p.saves]} |')
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('--table', required=True)
    parser.add_argument('--check', action='store_true')
    parser.add_argument(
        '--sources', nargs='*', default=[], help='C files: each id must stand in one of them'
    )
    parser.add_argument(
        '--scenarios', help='the program of scenarios: each id must be expected by one'
    )
    args = parser.parse_args()
    wrong = []
    text = ''
    for path in args.sources:
        with open(path, encoding='utf-8') as f:
            text += f.read()
    said = None
    if args.sources:
        words = set(re.findall(r'\w+', text))
        said = {p.id for p in practices() if p.constant in words}
        wrong += [f'{p.id}: no source says it' for p in practices() if p.constant not in words]
    if args.scenarios:
        import subprocess

        listing = subprocess.run(
            [args.scenarios, '--list', '--expect'], check=True, capture_output=True, text=True
        ).stdout
        expected = set(listing.split())
        wrong += [f'{p.id}: no scenario expects it' for p in practices() if p.id not in expected]
    new = table_text(said)
    if args.check:
        with open(args.table, encoding='utf-8') as f:
            if f.read() != new:
                wrong.append(
                    f'{args.table} is not what registry/practices.toml says: run '
                    f'registry/model/practices.py --table {args.table}'
                )
        print('\n'.join(wrong) or f'{len(practices())} pieces of advice')
        return 1 if wrong else 0
    with open(args.table, 'w', encoding='utf-8') as f:
        f.write(new)
    return 0


if __name__ == '__main__':
    sys.exit(main())
