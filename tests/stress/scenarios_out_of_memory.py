#!/usr/bin/env python3
"""Checks scenarios while memory runs out inside the layer: they find nothing.

usage: scenarios_out_of_memory.py SCENARIOS --layer-path DIR --null-driver FILE NAME...

Runs each scenario once for every allocation of the layer, which fails; then again with all later
ones failing too. The scenarios are valid programs: nothing may crash, and nothing may be reported
but that memory is out. A scenario whose own calls then fail is no mistake. Needs a layer built with
-Dfault_injection=true."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TELLS_OF_MEMORY = {'ASSAY-OutOfMemory', 'WARNING-GPU-Assisted-Validation'}
MOST = 2000  # allocations of a scenario


def run(command, name, failing, directory):
    """(whether an allocation failed, [what a scenario did])"""
    results = pathlib.Path(directory) / 'results.json'
    environment = os.environ | {'ASSAY_FAIL_ALLOCATION': failing}
    output = subprocess.run(
        [*command, '--json', str(results), name],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return 'assay: allocation ' in output, json.loads(results.read_text())


def wrong(scenario):
    """What is not as it must be, or ''."""
    if scenario['signal']:
        return f'ended by signal {scenario["signal"]}'
    return ', '.join(i for i in scenario['findings'] if i not in TELLS_OF_MEMORY)


def main():
    program, *rest = sys.argv[1:]
    names = rest[4:]
    failures = runs = 0
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            command = [program, *rest[:4], '--driver', 'null', '--verbose']
            for suffix in ('', '+'):
                for n in range(1, MOST):
                    failed, scenarios = run(command, name, f'{n}{suffix}', directory)
                    if not failed:
                        break
                    runs += 1
                    for scenario in scenarios:
                        if what := wrong(scenario):
                            failures += 1
                            print(f'{name}: allocation {n}{suffix} fails: {what}')
    print(f'{runs} runs, {failures} wrong')
    return 1 if failures or runs < 50 * len(names) else 0  # fewer: it is not our layer


if __name__ == '__main__':
    sys.exit(main())
