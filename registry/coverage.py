#!/usr/bin/env python3
"""Writes docs/coverage.md: of the registry's named VUIDs, which are checked, which did a test fire, and why not the others?

  coverage.py --registry DIR --fired FILE [--fired FILE ...] --out docs/coverage.md [--minimum PERCENT]

A rules module (registry/rules_*.py) says what its validator checks with claims(m) -> {vuid: (rule, note)}, and what no layer can check
with impossible(m) -> {vuid: reason}. FILE lists the ids that the tests fired, one a line. With --minimum the exit status is 1 when less than that
part of what can be checked was fired. An id that nobody claims or excuses, or that two modules contradict each other about,
fails always.
"""

import argparse
import collections
import glob
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import model as registry_model  # noqa: E402


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument('--fired', action='append', default=[])
    parser.add_argument('--out', required=True)
    parser.add_argument('--minimum', type=float, default=0)
    args = parser.parse_args()

    m = registry_model.load(args.registry)
    claimed, impossible = collect(m)
    fired = set()
    for path in args.fired:
        with open(path, encoding='utf-8') as f:
            fired |= {line.strip() for line in f if line.strip()}
    named = {v.id: v for v in m.vuids.values() if not v.numbered}
    kind = lambda i: i.rsplit('-', 1)[1]
    cannot = {i for i in named if i in impossible and i not in claimed}
    composite = {i for i, c in claimed.items() if i in named and all(rule == 'composite' for _, rule, _ in c)}
    cannot |= composite
    unknown = [i for i in named if i not in claimed and i not in impossible]
    rows = []
    for k, total in collections.Counter(kind(i) for i in named).most_common():
        ids = [i for i in named if kind(i) == k]
        rows.append((f'`-{k}`', total, sum(i in cannot for i in ids), sum(i in claimed and i not in cannot for i in ids),
                     sum(i in fired for i in ids)))
    rows.append(('**all**', *(sum(r[c] for r in rows) for c in range(1, 5))))
    total, hopeless, done = rows[-1][1], rows[-1][2], rows[-1][4]

    out = ['# Coverage of the named valid-usage statements', '',
           f'Made by `registry/coverage.py` from Vulkan {m.api_version}\'s validusage.json, the rules that the generator derives from it, and the ids that',
           'the test suite saw in findings. A named VUID ends in a word, not a number: it is implied by the registry, and its check is generated.', '']
    out += table(rows)
    out += ['', '## What a layer cannot check', '',
            'Each reason, and the ids that it holds for. Those that are *composite* hold when the statements of the structure that they',
            'name hold: the finding carries the inner statement\'s id.', '']
    by_reason = collections.defaultdict(list)
    for i in cannot:
        by_reason[impossible.get(i) or claimed[i][0][2]].append(i)
    for reason, ids in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        out += [f'### {reason[0].upper()}{reason[1:]}'] + listing(ids)
    missed = [i for i in named if i not in cannot and i in claimed and i not in fired]
    by_rule = collections.defaultdict(list)
    for i in missed:
        by_rule[', '.join(sorted({f'{room}: {rule}' + (f' ({note})' if note else '') for room, rule, note in claimed[i]}))].append(i)
    out += ['## Checked, and not fired by a test', '', f'{len(missed)} ids, by the rule that checks them.', '']
    for rule, ids in sorted(by_rule.items(), key=lambda item: -len(item[1])):
        out += [f'### {rule}'] + listing(ids)
    if unknown:
        out += ['## Neither checked nor excused'] + listing(unknown)
    with open(args.out, 'w', encoding='utf-8') as f:
        f.write('\n'.join(out) + '\n')
    part = 100 * done / (total - hopeless)
    print(f'{total} named VUIDs: {hopeless} cannot be checked, {total - hopeless - len(unknown)} are, {done} were fired ({part:.1f} %)')
    if unknown:
        print(f'{len(unknown)} are neither checked nor excused, {unknown[0]} among them', file=sys.stderr)
    return 1 if unknown or part < args.minimum else 0


if __name__ == '__main__':
    sys.exit(main())
