#!/usr/bin/env python3
"""Checks that each id of advice that users of the field know is said and shown here, or that the
docs say why it is left out.

    practice_ids.py ROOT SCENARIOS SOURCE...     the checkout, the program of scenarios, and what in
    src/practices may say an id

registry/practice_ids.txt has the ids. One that is said names two scenarios: a program that earns
it, and the nearest one that does not."""

import pathlib
import re
import subprocess
import sys
import tomllib

failures: list[str] = []


def check(condition, text):
    if not condition:
        failures.append(text)


def read_ids(path):
    """{id: [earns, spared]}, or {id: None} of one that is left out."""
    ids = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith('#'):
            continue
        pair = re.fullmatch(r'earns=(\S+) spared=(\S+)', ' '.join(words[1:]))
        check(
            pair or words[1:] == ['left-out'],
            f'{path.name}:{number}: neither two scenarios nor left-out',
        )
        check(words[0] not in ids, f'{path.name}:{number}: {words[0]} is there twice')
        ids[words[0]] = pair.groups() if pair else None
    return ids


def left_out(path):
    """Ids in the first column of the table of docs/limits/practices.md whose second column says
    something. `-x` after `a-b-y` stands for each of a-x, a-b-x."""
    names = set()
    for cells in re.findall(r'^\| (`.*`) \| (.+) \|$', path.read_text(), re.MULTILINE):
        before = ''
        for name in re.findall(r'`([^`]+)`', cells[0]):
            if len(cells[1].split()) < 4:
                continue
            if not name.startswith('-'):
                before = name
                names.add('BestPractices-' + name)
                continue
            parts = before.split('-')
            names |= {'BestPractices-' + '-'.join(parts[:i]) + name for i in range(1, len(parts))}
    return names


def read_scenarios(program):
    """{scenario: (ids that it expects, settings)}."""
    listing = subprocess.run(
        [program, '--list', '--expect', '--settings'], check=True, capture_output=True, text=True
    ).stdout
    found = {}
    for line in listing.splitlines():
        name, *rest = line.split()
        found[name] = (
            {word for word in rest if '=' not in word},
            {word for word in rest if '=' in word},
        )
    return found


def asks_for(practice, settings):
    """Whether advice of this kind can be said with the settings."""
    vendors = practice.get('vendors', [])
    if 'legacy' in vendors:
        return 'legacy_detection=true' in settings
    on = 'validate_best_practices=true' in settings
    return on and (
        not vendors
        or any(f'validate_best_practices_{vendor}=true' in settings for vendor in vendors)
    )


def check_pair(practice, pair, scenarios):
    name = practice['id']
    for scenario in pair:
        check(scenario in scenarios, f'{name}: there is no scenario {scenario}')
        if scenario in scenarios:
            check(
                asks_for(practice, scenarios[scenario][1]),
                f'{name}: {scenario} has no setting that asks for it',
            )
    earns, spared = (scenarios.get(scenario, (set(), set()))[0] for scenario in pair)
    # Information is heard by a messenger of the scenario's own, which asserts it.
    check(
        name in earns or practice.get('severity') in ('info', 'debug'),
        f'{name}: {pair[0]} does not expect it',
    )
    check(name not in spared, f'{name}: {pair[1]} expects it')
    check(
        pair[0].split('.')[0] == pair[1].split('.')[0],
        f'{name}: {pair[1]} is in another file, so that the two are far apart',
    )


def main():
    root = pathlib.Path(sys.argv[1])
    ids = read_ids(root / 'registry' / 'practice_ids.txt')
    practices = {
        p['id']: p
        for p in tomllib.loads((root / 'registry' / 'practices.toml').read_text())['practice']
    }
    words = set(
        re.findall(r'\w+', ''.join(pathlib.Path(path).read_text() for path in sys.argv[3:]))
    )
    reasons = left_out(root / 'docs' / 'limits' / 'practices.md')
    scenarios = read_scenarios(sys.argv[2])
    for name, pair in ids.items():
        if pair is None:
            check(name not in practices, f'{name} is left out, and in registry/practices.toml')
            check(
                name in reasons,
                f'{name} is left out, and docs/limits/practices.md does not say why',
            )
        else:
            check(name in practices, f'{name} is not in registry/practices.toml')
            check(
                name not in reasons,
                f'{name} is said, and docs/limits/practices.md has it as left out',
            )
    for name, practice in practices.items():
        check(
            name in ids,
            f'{name} is in registry/practices.toml, and not in registry/practice_ids.txt',
        )
        check(re.sub(r'[^A-Za-z0-9]', '_', name) in words, f'{name}: no source says it')
        if ids.get(name):
            check_pair(practice, ids[name], scenarios)
    print('\n'.join(failures) or f'{len(ids)} ids, of which {len(practices)} are said')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
