#!/usr/bin/env python3
"""Where do our findings differ from those of the Khronos layer, and is every difference explained?

Runs the scenarios under both layers on both drivers, and compares the sets of message ids. tests/peer-differences.txt explains
each difference; one that is not there fails, and so does an explanation that nothing needs any more.

    compare_peer.py --build build [--jobs 2] [--file NAME] [--driver lavapipe|null] [--list]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
OURS = 'VK_LAYER_ASSAY_validation'
PEER = 'VK_LAYER_KHRONOS_validation'
CRASH = 'CRASH'


class Differences:
    """peer-differences.txt: a difference per paragraph. Its first line is `who | scenario | id`; the lines below it,
    indented, say why. `who` is `ours` or `peer`: the layer that reports the id alone."""

    def __init__(self, path):
        self.reasons = {}
        self.errors = []
        entry = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith('#'):
                entry = None
            elif line[0].isspace():
                if entry is None:
                    self.errors.append(f'{path.name}:{number}: a reason without a difference above it')
                else:
                    self.reasons[entry] += ' ' + line.strip()
            else:
                entry = self.add(path, number, line)
        for entry, reason in self.reasons.items():
            if len(reason.strip()) < 20:
                self.errors.append(f'{path.name}: {" | ".join(entry)}: no reason is given')

    def add(self, path, number, line):
        entry = tuple(part.strip() for part in line.split('|'))
        if len(entry) != 3 or entry[0] not in ('ours', 'peer'):
            self.errors.append(f'{path.name}:{number}: not "ours|peer | scenario | id"')
            return None
        if entry in self.reasons:
            self.errors.append(f'{path.name}:{number}: stands here twice')
        self.reasons[entry] = ''
        return entry


def run(build, layer, arguments):
    """The findings of each scenario on each driver: {(scenario, driver): set of ids}."""
    with tempfile.NamedTemporaryFile(suffix='.json') as output:
        command = [build / 'tests/scenarios/scenarios', '--layer', layer, '--json', output.name, '--jobs', str(arguments.jobs),
                   '--null-driver', build / 'tests/null-driver/assay_null_icd.json']
        if layer == OURS:
            command += ['--layer-path', build / 'src']
        for driver in arguments.driver or ('lavapipe', 'null'):
            command += ['--driver', driver]
        if arguments.file:
            command += ['--file', arguments.file]
        # Whether each scenario passed is the test suite's business: here only what the layers said counts.
        subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, check=False)
        results = json.load(open(output.name, encoding='utf-8'))
    findings = {}
    for result in results:
        ids = set(result['findings']) - set(result['allow'])
        if result['signal'] and not result['pass']:
            ids.add(CRASH)
        findings[result['file'] + '.' + result['name'], result['driver']] = ids
    return findings


def compare(ours, peer):
    """[(who, scenario, id, drivers)] of what one layer says and the other does not."""
    found = {}
    # Scenarios about what only our layer promises are not run under the peer, and so not compared.
    for (scenario, driver) in ours.keys() & peer.keys():
        mine, theirs = ours[scenario, driver], peer[scenario, driver]
        for who, ids in (('ours', mine - theirs), ('peer', theirs - mine)):
            for name in ids:
                found.setdefault((who, scenario, name), []).append(driver)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--file', help='only the scenarios of this file')
    parser.add_argument('--driver', action='append', choices=('lavapipe', 'null'))
    parser.add_argument('--list', action='store_true', help='print every difference, explained or not')
    arguments = parser.parse_args()
    differences = Differences(TESTS / 'peer-differences.txt')
    ours = run(arguments.build.resolve(), OURS, arguments)
    peer = run(arguments.build.resolve(), PEER, arguments)
    found = compare(ours, peer)
    for error in differences.errors:
        print('error:', error)
    unexplained = sorted(key for key in found if key not in differences.reasons)
    for who, scenario, name in sorted(found) if arguments.list else unexplained:
        reason = differences.reasons.get((who, scenario, name), ' NOT EXPLAINED')
        print(f'{who} | {scenario} | {name} ({", ".join(sorted(found[who, scenario, name]))}):{reason}')
    stale = []
    if not arguments.file and not arguments.driver:
        stale = sorted(key for key in differences.reasons if key not in found)
    for entry in stale:
        print('stale:', ' | '.join(entry))
    failed = len(unexplained) + len(stale) + len(differences.errors)
    print(f'{len(ours)} scenario runs under ours, {len(peer)} under the peer; {len(found)} differences, {len(unexplained)} of them unexplained, '
          f'{len(stale)} explanations stale')
    print(f'{len(found) - len(unexplained)} passed, {failed} failed')
    return 1 if failed or not ours or not peer else 0


if __name__ == '__main__':
    sys.exit(main())
