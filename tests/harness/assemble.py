#!/usr/bin/env python3
"""Assembles SPIR-V that no compiler would write, for scenarios.  assemble.py --as SPIRV_AS --out HEADER FILE...

A FILE holds modules, each after a line `;; NAME [ENVIRONMENT]`; the environment is spirv-as's (default vulkan1.3). The header has `static const uint32_t
spirv_NAME[]` of each. Text before the first module is a comment, or, after a line `;; macro MACRO`, lines that stand where a module says `@MACRO`."""

import argparse
import re
import struct
import subprocess
import sys

HEAD = re.compile(r'^;; (macro )?(\w+)(?: ([\w.]+))?\s*$')


def read(path):
    modules, macros, target = [], {}, []
    for line in open(path, encoding='utf-8'):
        head = HEAD.match(line)
        if head and head[1]:
            target = macros.setdefault(head[2], [])
        elif head:
            target = []
            modules.append((head[2], head[3] or 'vulkan1.3', target))
        elif line.strip().startswith('@'):
            name = line.strip()[1:]
            if name not in macros:
                sys.exit(f'{path}: no macro {name}')
            target.extend(macros[name])
        else:
            target.append(line)
    return modules


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--as', dest='assembler', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('files', nargs='+')
    args = parser.parse_args()
    with open(args.out, 'w', encoding='utf-8') as out:
        for path in args.files:
            for name, environment, lines in read(path):
                done = subprocess.run([args.assembler, '--target-env', environment, '-o', '-', '-'], input=''.join(lines).encode(), capture_output=True, check=False)
                if done.returncode:
                    sys.exit(f'{path}: {name}: {done.stderr.decode()}\n' + ''.join(f'{i:3} {line}' for i, line in enumerate(lines, 1)))
                words = struct.unpack(f'<{len(done.stdout) // 4}I', done.stdout)
                out.write(f'__attribute__((unused)) static const uint32_t spirv_{name}[] = {{{",".join(map(hex, words))}}};\n')


if __name__ == '__main__':
    main()
