#!/usr/bin/env python3
"""Checks scenarios while memory runs out inside the layer: they find what they find else, or less.

usage: scenarios_out_of_memory.py SCENARIOS --layer-path DIR --null-driver FILE [OPTIONS] [NAME]...

Runs each scenario once for every allocation of the layer, which fails; then again with all later
ones failing too. Nothing may crash, and nothing may be reported that the run without a failure does
not report, but that memory is out. A scenario whose own calls then fail is no mistake. Needs a
layer built with -Dfault_injection=true."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TELLS_OF_MEMORY = {'ASSAY-OutOfMemory', 'WARNING-GPU-Assisted-Validation'}
MOST = 2000  # allocations of a scenario


def run(command, which, failing, directory):
    """(whether an allocation failed in any of the scenarios, [what each of them did])"""
    results = pathlib.Path(directory) / 'results.json'
    environment = os.environ | ({'ASSAY_FAIL_ALLOCATION': failing} if failing else {})
    output = subprocess.run(
        [*command, '--json', str(results), *which],
        env=environment,
        capture_output=True,
        text=True,
        errors='replace',
        check=False,
    ).stdout
    return 'assay: allocation ' in output, json.loads(results.read_text())


def key(scenario):
    return scenario['file'], scenario['name']


def wrong(scenario, usual):
    """Returns what is not as it must be, or ''. `usual` has what the scenario finds where memory is
    there."""
    if scenario['signal']:
        return f'ended by signal {scenario["signal"]}'
    found = collections.Counter(i for i in scenario['findings'] if i not in TELLS_OF_MEMORY)
    expected = usual.get(key(scenario), collections.Counter())
    more, fewer = found - expected, (expected - found).total()
    unnamed = [i for i in more.elements() if i.startswith('message ')]
    for i in unnamed[:fewer]:  # one of those that are missed, without its name
        more[i] -= 1
    return ', '.join(more.elements())


class Sweep:
    """Runs the same scenarios with one allocation after the other failing."""

    def __init__(self, command, which, options, directory):
        self.command, self.which, self.options, self.directory = command, which, options, directory
        self.runs, self.wrong = 0, collections.defaultdict(list)
        usual = run(command, which, '', directory)[1]
        self.usual = {key(s): collections.Counter(s['findings']) for s in usual}
        self.signals = {key(s) for s in usual if s['signal']}

    def go(self, deadline):
        """False: time was up before all allocations had failed."""
        for suffix in ('', '+'):
            for n in range(self.options.first, MOST, self.options.step):
                if time.monotonic() > deadline:
                    return False
                failed, scenarios = run(self.command, self.which, f'{n}{suffix}', self.directory)
                if not failed:
                    break
                self.runs += len(scenarios)
                for scenario in scenarios:
                    what = wrong(scenario, self.usual)
                    if what and key(scenario) not in self.signals:
                        self.wrong[scenario['name'], what].append(f'{n}{suffix}')
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('scenarios')
    parser.add_argument('--layer-path', required=True)
    parser.add_argument('--null-driver', required=True)
    parser.add_argument(
        '--file',
        action='append',
        default=[],
        help='all scenarios of this file, by its name; may stand more than once',
    )
    parser.add_argument('--jobs', default='1', help='scenarios at once')
    parser.add_argument('--first', type=int, default=1, help='the first allocation that fails')
    parser.add_argument('--step', type=int, default=1, help='of so many allocations one fails')
    parser.add_argument(
        '--seconds', type=float, default=float('inf'), help='no run begins after this time'
    )
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    command = [
        options.scenarios,
        '--layer-path',
        options.layer_path,
        '--null-driver',
        options.null_driver,
        '--driver',
        'null',
        '--verbose',
        '--jobs',
        options.jobs,
    ]
    deadline = time.monotonic() + options.seconds
    failures = runs = 0
    wanted = [[name] for name in options.names]
    wanted += [['--file', name, '--all'] for name in options.file]
    with tempfile.TemporaryDirectory() as directory:
        for which in wanted:
            sweep = Sweep(command, which, options, directory)
            whole = sweep.go(deadline)
            runs += sweep.runs
            for (name, what), allocations in sweep.wrong.items():
                failures += len(allocations)
                more = f', and {len(allocations) - 8} more' if len(allocations) > 8 else ''
                print(
                    f'{name}: {what}: when allocation {", ".join(allocations[:8])} fails{more}',
                    flush=True,
                )
            if not whole:
                print(f'{which}: time was up', flush=True)
                break
    print(f'{runs} runs, {failures} wrong')
    return 1 if failures or runs < 50 * len(options.names) else 0  # fewer: it is not our layer


if __name__ == '__main__':
    sys.exit(main())
