#!/usr/bin/env python3
"""Does every id that a scenario expects exist, in validusage.json or in registry/message_ids.txt?

check_vuids.py --registry DIR --message-ids FILE --scenarios PROGRAM
"""

import argparse
import json
import pathlib
import subprocess
import sys


def registry_ids(path):
    """All ids of validusage.json, which nests them by chapter, structure and build."""
    found = set()
    waiting = [json.load(open(path, encoding='utf-8'))['validation']]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if 'vuid' in value:
                found.add(value['vuid'])
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--registry', type=pathlib.Path, required=True)
    parser.add_argument('--message-ids', type=pathlib.Path, required=True)
    parser.add_argument('--scenarios', type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    known = registry_ids(arguments.registry / 'validusage.json')
    known |= {
        line.split()[0]
        for line in arguments.message_ids.read_text().splitlines()
        if line.strip() and line[0] != '#'
    }
    passed = failed = 0
    listing = subprocess.run(
        [arguments.scenarios, '--list', '--expect'], check=True, capture_output=True, text=True
    ).stdout
    for line in listing.splitlines():
        scenario, *ids = line.split()
        for name in ids:
            # A scenario made up by itself whatever does not look like an id of ours.
            if not name.startswith(('VUID-', 'UNASSIGNED-', 'SYNC-')) or name in known:
                passed += 1
            else:
                failed += 1
                print(f'{scenario} expects {name}, which does not exist')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
