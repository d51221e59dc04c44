#!/usr/bin/env python3
"""Checks that `assay run`, `assay init` and `assay doctor` say what people need to know, and leave
everything as it was.

  run.py --assay PROGRAM --driver MANIFEST --null-driver MANIFEST --program PROGRAM --hazards
  PROGRAM --layer-path DIRECTORY [--update] NAME...

Each NAME is a function check_NAME of a file of this folder, each of which has one subject.
--program is program.c's, which does what its arguments say."""

import argparse
import os
import pathlib
import sys
import tempfile

import command_line
import crashes
import doctor
import findings
import programs
import sessions
import suppressions
import symbols
import usage
import validate
import wrappers
from harness import options

MODULES = (
    command_line,
    crashes,
    doctor,
    findings,
    programs,
    sessions,
    suppressions,
    symbols,
    usage,
    validate,
    wrappers,
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in (
        'assay',
        'driver',
        'null-driver',
        'program',
        'moved-program',
        'crash',
        'hang',
        'hazards',
        'layer-path',
    ):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--update', action='store_true', help='write the session into docs/run.md')
    parser.add_argument('names', nargs='+')
    parser.parse_args(namespace=options)
    for name in (
        'assay',
        'program',
        'moved_program',
        'crash',
        'hang',
        'hazards',
        'layer_path',
        'null_driver',
    ):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            name = f'check_{name}'
            (check,) = {getattr(x, name) for x in MODULES if hasattr(x, name)}
            check(pathlib.Path(directory).resolve())


if __name__ == '__main__':
    sys.exit(main())
