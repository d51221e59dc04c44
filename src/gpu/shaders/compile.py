#!/usr/bin/env python3
"""A shader of the layer's own as an array of words in a C header: compiled, and without what a compiler of debug builds leaves in it, since the layer carries it.

    compile.py --glslang PROGRAM --optimizer PROGRAM --name ARRAY --out HEADER SOURCE [glslang's arguments]..."""
import argparse
import pathlib
import struct
import subprocess
import tempfile

# No inlining: functions of the library are linked one by one, and where all are in place, copies of them are larger.
PASSES = ['--eliminate-local-single-block', '--eliminate-local-single-store', '--ssa-rewrite', '--simplify-instructions', '--redundancy-elimination',
          '--eliminate-dead-code-aggressive', '--cfg-cleanup', '--compact-ids']

parser = argparse.ArgumentParser()
for name in ('glslang', 'optimizer', 'name', 'out', 'source'):
    parser.add_argument('--' * (name != 'source') + name, **({'required': True} if name != 'source' else {}))
arguments, rest = parser.parse_known_args()
with tempfile.TemporaryDirectory() as directory:
    compiled, optimized = pathlib.Path(directory, 'compiled'), pathlib.Path(directory, 'optimized')
    subprocess.run([arguments.glslang, '--quiet', '-g0', '--target-env', 'vulkan1.1', *rest, '-o', compiled, arguments.source], check=True)
    subprocess.run([arguments.optimizer, *PASSES, compiled, '-o', optimized], check=True)
    words = [word for word, in struct.iter_unpack('=I', optimized.read_bytes())]
lines = [', '.join(f'0x{word:08x}' for word in words[i:i + 12]) for i in range(0, len(words), 12)]
pathlib.Path(arguments.out).write_text(f'static const uint32_t {arguments.name}[] = {{\n' + ',\n'.join(lines) + '};\n')
