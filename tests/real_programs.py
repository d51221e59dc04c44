#!/usr/bin/env python3
"""Checks that real programs run with Assay as they run without it, and what both layers find in
them.

Each program runs to its normal end on lavapipe: without a layer, with Assay, with the Khronos layer
doing the same checks, and with the Khronos layer as it comes (with its thread checks, which Assay
has on). A program that never ends by itself has its window closed after a number of frames.
Compared with the run without a layer: exit status, and what the program printed, less what changes
from run to run. `--out docs/real-programs.md` writes the table there."""

import argparse
import pathlib
import pickle
import signal
import sys

from real_programs_list import PROGRAMS, ROOT
from real_programs_page import written
from real_programs_run import CONFIGURATIONS, OF_PRACTICES, Row, run_all


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        '--only',
        nargs='+',
        default=[],
        metavar='NAME',
        help='programs: ' + ', '.join(p.name for p in PROGRAMS),
    )
    parser.add_argument(
        '--configurations',
        nargs='+',
        choices=[c for c in CONFIGURATIONS if c != 'none'],
        default=None,
    )
    parser.add_argument(
        '--practices',
        action='store_true',
        help='the configurations ' + ' and '.join(OF_PRACTICES) + ': what both layers advise',
    )
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--out', type=pathlib.Path, help='write the table there')
    parser.add_argument(
        '--rows',
        type=pathlib.Path,
        metavar='FILE',
        help='keep what each program did there; a table of several shorter runs, '
        'all of one build: those named by --only run again (in the configurations that are '
        'named), all others that are there already do not',
    )
    parser.add_argument(
        '--rounds',
        type=int,
        default=1,
        help='run each program so often, and take the run with the least CPU time',
    )
    parser.add_argument(
        '--messages', action='store_true', help='print one whole message of each finding'
    )
    parser.add_argument(
        '--keep-output', type=pathlib.Path, help='directory for what the programs print'
    )
    options = parser.parse_args()
    unknown = set(options.only) - {p.name for p in PROGRAMS}
    if unknown:
        parser.error(f'no program {unknown.pop()}')
    if options.practices:
        options.configurations = OF_PRACTICES
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended'))  # with what was started
    configurations = ['none'] + (
        options.configurations or [c for c in CONFIGURATIONS if c != 'none']
    )
    if 'assay' in configurations and not (options.build / 'src/libVkLayer_assay.so').exists():
        parser.error(
            f'{options.build}/src/libVkLayer_assay.so is not built (or name other --configurations)'
        )
    if options.keep_output:
        options.keep_output.mkdir(parents=True, exist_ok=True)
    kept = pickle.loads(options.rows.read_bytes()) if options.rows and options.rows.exists() else {}
    programs = [
        p for p in PROGRAMS if p.name in options.only or (not options.only and p.name not in kept)
    ]
    rows = run_all(
        programs,
        configurations,
        options.build.resolve(),
        options.keep_output,
        options.rounds,
        kept,
        options.rows,
    )
    if options.rows:
        rows = [Row(p, *kept[p.name]) for p in PROGRAMS if p.name in kept]
    if options.out:
        options.out.write_text(
            written(rows, configurations, options.out.read_text() if options.out.exists() else '')
        )
    failures = []
    for row in rows:
        if row.runs['none'].status != 0:
            failures.append(f'{row.program.name}: status {row.runs["none"].status} without a layer')
        failures += [
            f'{row.program.name}, {c}: {row.differences[c]}'
            for c in row.runs
            if 'assay' in c and row.differences[c]
        ]
        failures += [
            f'{row.program.name}: only Assay reports {vuid}: {message}'
            for vuid, message in row.only_ours().items()
        ]
        failures += [
            f'{row.program.name}: Assay misses {vuid}: {message}'
            for vuid, message in row.missed().items()
        ]
        if options.messages:
            for configuration, run in row.runs.items():
                for vuid, message in run.messages.items():
                    print(f'\n{row.program.name}, {configuration}: {vuid}\n{message}')
    print('\n'.join(failures) or 'every program runs with Assay as without it')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
