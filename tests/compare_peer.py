#!/usr/bin/env python3
"""Where do our findings differ from those of the Khronos layer, and is every difference explained?

Runs the scenarios under both layers on both drivers, and compares the sets of message ids.
tests/peer-differences.txt explains each difference; one that is not there fails, and so does an
explanation that nothing needs any more. The explanations are of the versions that the file names:
with others, each difference that is not explained is printed beside the versions that it may come
from.

    compare_peer.py --build build [--jobs 2] [--file NAME]... [--driver lavapipe|null] [--list]
    compare_peer.py --build build --below [--jobs 2] [--file NAME]...

With --below the scenarios of what runs on the GPU run once, on lavapipe, with the Khronos layer
between ours and the driver: what ours adds to the program's calls must be valid, so that layer may
say nothing but what the scenario is about."""

import argparse
import fnmatch
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import versions

TESTS = pathlib.Path(__file__).resolve().parent
OURS = 'VK_LAYER_ASSAY_validation'
PEER = 'VK_LAYER_KHRONOS_validation'
PEER_MANIFESTS = '/usr/share/vulkan/explicit_layer.d'
CRASH = 'CRASH'


class Explanation:
    """A paragraph: whose findings (`ours` or `peer` alone), patterns of scenarios, patterns of ids,
    and why."""

    def __init__(self, number, who, scenarios, ids):
        self.number, self.who, self.reason = number, who.removesuffix('?'), ''
        self.by_chance = who.endswith('?') or ids == [CRASH]
        self.scenarios = {pattern: False for pattern in scenarios}  # pattern -> something needed it
        self.ids = {pattern: False for pattern in ids}

    def explains(self, who, scenario, name):
        scenarios = [
            pattern for pattern in self.scenarios if fnmatch.fnmatchcase(scenario, pattern)
        ]
        ids = [pattern for pattern in self.ids if fnmatch.fnmatchcase(name, pattern)]
        if who != self.who or not scenarios or not ids:
            return False
        self.scenarios.update((pattern, True) for pattern in scenarios)
        self.ids.update((pattern, True) for pattern in ids)
        return True

    def stale(self, files):
        """Its patterns that nothing needed, when only the scenarios of `files` ran. Whether
        somebody survives what is undefined is luck: a crash may come or not."""
        if self.by_chance:
            return []
        whole = all(pattern.split('.')[0] in files for pattern in self.scenarios)
        unused = [
            pattern
            for pattern, used in self.scenarios.items()
            if not used and pattern.split('.')[0] in files
        ]
        return unused + [pattern for pattern, used in self.ids.items() if whole and not used]


class Differences:
    """peer-differences.txt: a difference per line, `who | scenarios | ids`, where `who` is `ours`
    or `peer`: the layer that reports the ids alone. `ours?` or `peer?` is a difference that comes
    by chance, such as what a crash cuts off. The lines below it (or below several), indented, say
    why. Scenarios and ids are lists, with commas, and may be patterns with * (not in
    a scenario's file)."""

    def __init__(self, path):
        self.explanations, self.errors, self.versions = [], [], {}
        entries = []  # that the next reason is for
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith('#'):
                entries = []
            elif line.startswith('versions: '):
                self.versions = dict(
                    part.split() for part in line.removeprefix('versions: ').split(',')
                )
            elif not line[0].isspace():
                if entries and entries[0].reason:
                    entries = []
                entries += self.add(path, number, line)
            elif not entries:
                self.errors.append(f'{path.name}:{number}: a reason without a difference above it')
            for entry in entries if line[:1].isspace() else []:
                entry.reason += ' ' + line.strip()
        for entry in self.explanations:
            if len(entry.reason.strip()) < 20:
                self.errors.append(f'{path.name}:{entry.number}: no reason is given')

    def add(self, path, number, line):
        parts = [[name.strip() for name in part.split(',')] for part in line.split('|')]
        if (
            len(parts) != 3
            or parts[0] not in (['ours'], ['peer'], ['ours?'], ['peer?'])
            or not all(all(part) for part in parts)
        ):
            self.errors.append(f'{path.name}:{number}: not "ours|peer | scenarios | ids"')
            return []
        if any('.' not in name or '*' in name.split('.')[0] for name in parts[1]):
            self.errors.append(f'{path.name}:{number}: a scenario is not "file.name"')
            return []
        self.explanations.append(Explanation(number, parts[0][0], parts[1], parts[2]))
        return self.explanations[-1:]

    def say_versions(self):
        """Prints the versions of this run. Returns in words how they are not those of the
        explanations."""
        here = {name: versions.FOUND[name]() or 'not found' for name in self.versions}
        print('versions:', ', '.join(f'{name} {version}' for name, version in here.items()))
        other = ', '.join(
            f'{name} is {here[name]} here, not {wanted}'
            for name, wanted in self.versions.items()
            if not versions.is_known(wanted, here[name])
        )
        if other:
            print(f'these are not the versions that the explanations are of: {other}')
        return other

    def reason(self, who, scenario, name):
        """Why; None where nothing says so. Notes what was needed."""
        found = [entry for entry in self.explanations if entry.explains(who, scenario, name)]
        if len(found) > 1:
            self.errors.append(
                f'{who} | {scenario} | {name}: explained twice, in lines '
                f'{", ".join(str(entry.number) for entry in found)}'
            )
        return found[0].reason if found else None


def command_of(build, layer):
    command = [
        build / 'tests/scenarios/scenarios',
        '--layer',
        layer,
        '--null-driver',
        build / 'tests/null-driver/assay_null_icd.json',
    ]
    return [
        str(part) for part in command + (['--layer-path', build / 'src'] if layer == OURS else [])
    ]


def run(build, layer, file, arguments):
    """The findings of each scenario of a file on each driver: {(scenario, driver): set of ids}."""
    with tempfile.NamedTemporaryFile(suffix='.json') as output:
        command = command_of(build, layer) + [
            '--json',
            output.name,
            '--jobs',
            str(arguments.jobs),
            '--file',
            file,
        ]
        for driver in arguments.driver or ('lavapipe', 'null'):
            command += ['--driver', driver]
        # Whether each scenario passed is the test suite's business: here only what the layers said
        # counts.
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        text = pathlib.Path(output.name).read_text(encoding='utf-8')
    findings = {}
    for result in json.loads(text) if text.strip() else []:
        ids = set(result['findings']) - set(result['allow'])
        if result['signal'] and not result['pass']:
            ids.add(CRASH)
        findings[result['file'] + '.' + result['name'], result['driver']] = ids
    return findings


def run_below(build, files, jobs):
    """How many of these files have a scenario that fails with the peer below."""
    failed = 0
    for file in files:
        start = time.monotonic()
        command = command_of(build, OURS) + [
            '--below',
            PEER_MANIFESTS,
            '--driver',
            'lavapipe',
            '--jobs',
            str(jobs),
            '--file',
            file,
        ]
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors='replace',
            check=False,
        )
        failed += result.returncode != 0
        print(
            result.stdout if result.returncode else '',
            f'{file}: {result.stdout.splitlines()[-1]}, {time.monotonic() - start:.0f} s',
            sep='',
            flush=True,
        )
    print(f'{len(files) - failed} passed, {failed} failed')
    return 1 if failed or not files else 0


def compare(ours, peer):
    """{(who, scenario, id): drivers} of what one layer says and the other does not."""
    found = {}
    # Scenarios about what only our layer promises are not run under the peer, and so not compared.
    for scenario, driver in ours.keys() & peer.keys():
        mine, theirs = ours[scenario, driver], peer[scenario, driver]
        for who, ids in (('ours', mine - theirs), ('peer', theirs - mine)):
            for name in ids:
                found.setdefault((who, scenario, name), []).append(driver)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument(
        '--file', action='append', help='only the scenarios of this file; may be given again'
    )
    parser.add_argument('--driver', action='append', choices=('lavapipe', 'null'))
    parser.add_argument(
        '--below', action='store_true', help='with the peer between ours and the driver'
    )
    parser.add_argument(
        '--list', action='store_true', help='print every difference, explained or not'
    )
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    differences = Differences(TESTS / 'peer-differences.txt')
    listed = subprocess.run(
        command_of(build, OURS) + ['--list'], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    files = sorted({name.split('.')[0] for name in listed})
    unknown = [file for file in arguments.file or [] if file not in files]
    if unknown:
        parser.error(f'there is no scenario file {unknown[0]}')
    chosen = [file for file in files if not arguments.file or file in arguments.file]
    if arguments.below:
        return run_below(
            build,
            [
                file
                for file in chosen
                if arguments.file
                or file.startswith('gpu_')
                or file in ('debug_printf', 'shader_abort')
            ],
            arguments.jobs,
        )
    other_versions = differences.say_versions()
    unlike = f' ({other_versions})' if other_versions else ''
    runs_of_ours = runs_of_peer = count = unexplained = 0
    for file in chosen:
        start = time.monotonic()
        ours, peer = run(build, OURS, file, arguments), run(build, PEER, file, arguments)
        runs_of_ours, runs_of_peer = runs_of_ours + len(ours), runs_of_peer + len(peer)
        found = compare(ours, peer)
        count += len(found)
        for key, drivers in sorted(found.items()):
            reason = differences.reason(*key)
            unexplained += reason is None
            if arguments.list or reason is None:
                print(
                    ' | '.join(key),
                    f'({", ".join(sorted(drivers))}):{reason or " NOT EXPLAINED" + unlike}',
                )
        print(
            f'{file}: {len(ours)} runs, {len(found)} differences, {time.monotonic() - start:.0f} s',
            flush=True,
        )
    stale = []
    if not arguments.driver:
        stale = [
            (entry, pattern)
            for entry in differences.explanations
            for pattern in entry.stale(chosen)
        ]
        # An explanation may be about a file that is gone.
        stale += [
            (entry, name)
            for entry in differences.explanations
            for name in entry.scenarios
            if name.split('.')[0] not in files
        ]
    for entry, pattern in stale:
        print(f'stale: line {entry.number}: nothing differs any more that needs {pattern}{unlike}')
    for error in differences.errors:
        print('error:', error)
    failed = unexplained + len(stale) + len(differences.errors)
    print(
        f'{runs_of_ours} scenario runs under ours, {runs_of_peer} under the peer; {count} '
        f'differences, {unexplained} of them unexplained, '
        f'{len(stale)} explanations stale{unlike}'
    )
    print(f'{count - unexplained} passed, {failed} failed')
    return 1 if failed or not runs_of_ours or not runs_of_peer else 0


if __name__ == '__main__':
    sys.exit(main())
