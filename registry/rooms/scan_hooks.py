#!/usr/bin/env python3
"""Lists the hooks that sources define.  scan_hooks.py --out FILE SOURCE...

A hook is a function `<room>_<phase>_<Command>`, or `<room>_<phase>_<Command>_<topic>` where several
files have something to say about one command: `bool core_validate_QueueSubmit_semaphores(struct
call *call, ...)`. One line a hook, `room phase Command function`, sorted: without a topic first.
FILE is left alone when nothing has changed, so that a rebuild stops there. No registry is read:
this runs whenever a source changes."""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model.write_if_changed import write_if_changed

HOOK = re.compile(
    r'^(bool|void) (([a-z]+)_(validate|before|after)_([A-Z][A-Za-z0-9]*)((?:_[a-z0-9]+)*))\(',
    re.MULTILINE,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--out', required=True)
    parser.add_argument('sources', nargs='+')
    args = parser.parse_args()
    found = {}
    for path in args.sources:
        with open(path, encoding='utf-8') as f:
            for returns, function, room, phase, command, _ in HOOK.findall(f.read()):
                if (returns == 'bool') != (phase == 'validate'):
                    sys.exit(f'{path}: {function} returns {returns}')
                if function in found:
                    sys.exit(
                        f'{path}: {function} stands in {found[function][1]}, too; give one '
                        f'of them a topic: {function}_topic'
                    )
                found[function] = (f'{room} {phase} {command} {function}', path)
    lines = sorted((line for line, _ in found.values()), key=lambda line: line.split())
    write_if_changed(args.out, ''.join(line + '\n' for line in lines))


if __name__ == '__main__':
    main()
