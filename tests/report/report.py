#!/usr/bin/env python3
"""Checks that `assay report` says what was found, in each of its forms, and that tools which read
the forms accept them.

  report.py --assay PROGRAM --build DIRECTORY --node DIRECTORY [--layer-path DIRECTORY --driver
  MANIFEST --hazards PROGRAM] NAME...

Each NAME is a function check_NAME of a file of this folder. Findings come from programs under the
layer where that is given, else from harness.py and hard_cases.py."""

import argparse
import pathlib
import tempfile

import advice
import merged
import pages
from harness import options

import tools

MODULES = (advice, merged, pages, tools)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--assay', required=True)
    parser.add_argument('--node', default='/opt/assay-node')
    parser.add_argument('--layer-path')
    parser.add_argument('--driver')
    parser.add_argument('--hazards')
    parser.add_argument('--null-driver')
    parser.add_argument('--screenshots', help='a directory for pictures of the page')
    parser.add_argument(
        '--every', help='a directory for each picture of a finding, in each width and on paper'
    )
    parser.add_argument(
        '--budget', action='store_true', help='the page must be as quick as its budget says'
    )
    parser.add_argument('--write', action='store_true', help='write pictures.json anew')
    parser.add_argument('names', nargs='+')
    parser.parse_args(namespace=options)
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            name = f'check_{name}'
            (check,) = {getattr(x, name) for x in MODULES if hasattr(x, name)}
            check(pathlib.Path(directory))


if __name__ == '__main__':
    main()
