#!/usr/bin/env python3
"""Makes the shaders of scenarios, many in a file.  assemble.py --as SPIRV_AS [--glslang GLSLANG] --out HEADER FILE...

A FILE holds modules, each after a line `;; NAME [ENVIRONMENT]`: assembly, for spirv-as's environment (default vulkan1.3), which says what no compiler
would; or GLSL, where ENVIRONMENT is a stage as glslang knows it (vert, frag, comp ...). The header has `static const uint32_t
spirv_NAME[]` of each. Text before the first module is a comment, or, after a line `;; macro MACRO`, lines that stand where a module says `@MACRO`."""

import argparse
import re
import struct
import subprocess
import sys
import tempfile

STAGES = ('vert', 'tesc', 'tese', 'geom', 'frag', 'comp', 'task', 'mesh', 'rgen')
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


def make(args, environment, text):
    if environment not in STAGES:
        done = subprocess.run([args.assembler, '--target-env', environment, '-o', '-', '-'], input=text.encode(), capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr.decode()
    with tempfile.NamedTemporaryFile(suffix='.spv') as f:
        done = subprocess.run([args.glslang, '--quiet', '--stdin', '-S', environment, '--target-env', 'vulkan1.3', '-V', '-o', f.name], input=('#version 460\n' + text).encode(),
                              capture_output=True, check=False)
        return done.returncode, f.read(), done.stdout.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--as', dest='assembler', required=True)
    parser.add_argument('--glslang', default='glslangValidator')
    parser.add_argument('--out', required=True)
    parser.add_argument('files', nargs='+')
    args = parser.parse_args()
    with open(args.out, 'w', encoding='utf-8') as out:
        for path in args.files:
            for name, environment, lines in read(path):
                status, code, error = make(args, environment, ''.join(lines))
                if status:
                    sys.exit(f'{path}: {name}: {error}\n' + ''.join(f'{i:3} {line}' for i, line in enumerate(lines, 1)))
                words = struct.unpack(f'<{len(code) // 4}I', code)
                out.write(f'__attribute__((unused)) static const uint32_t spirv_{name}[] = {{{",".join(map(hex, words))}}};\n')


if __name__ == '__main__':
    main()
