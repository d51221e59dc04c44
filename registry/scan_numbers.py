#!/usr/bin/env python3
"""Which numbered statements do the sources of a directory and its rooms enforce?  scan_numbers.py --out FILE --depfile FILE DIRECTORY

One number a line, sorted. FILE is left alone when nothing has changed, so that a rebuild stops there.
"""

import argparse
import glob
import os
import re

from write_if_changed import write_if_changed

# `VUID_..._00912`, `RULE(call, 00912)` and `RULE_00912`.
USED = re.compile(r'\bVUID_[A-Za-z0-9_]+_(\d{5})\b|\b[A-Z_]+\([^(),]+, (\d{5})\b|\bRULE_(\d{5})\b')


def numbers_in(text):
    return {next(filter(None, groups)) for groups in USED.findall(text)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--out', required=True)
    parser.add_argument('--depfile', required=True)
    parser.add_argument('directory')
    args = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(args.directory, '**/*.[ch]'), recursive=True))
    rooms = sorted({os.path.dirname(path) for path in paths})
    found = set()
    for path in paths:
        with open(path, encoding='utf-8') as f:
            found |= numbers_in(f.read())
    write_if_changed(args.out, ''.join(f'{number}\n' for number in sorted(found)))
    with open(args.depfile, 'w', encoding='utf-8') as f:
        f.write(f'{args.out}: {" ".join(rooms + paths)}\n')


if __name__ == '__main__':
    main()
