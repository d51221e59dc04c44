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

LAST_PASSES = ['--eliminate-dead-code-aggressive', '--compact-ids']

# Opcodes of SPIR-V.
OP_FUNCTION_END, OP_VARIABLE, OP_LOAD, OP_STORE, OP_ACCESS_CHAIN, OP_COMPOSITE_EXTRACT = 56, 59, 61, 62, 65, 81
OP_CONSTANT, OP_NAME, FUNCTION_STORAGE = 43, 5, 7


def extract_components(words):
    """Components of local variables that are written once, and whole, are taken from what was written: glslang makes pointers to them, and the optimizer leaves those.
    A variable of GLSL that is initialized is used behind that, where it is initialized for certain."""
    instructions, at = [], 5
    while at < len(words):
        length = words[at] >> 16
        instructions.append((words[at] & 0xffff, words[at:at + length]))
        at += length
    constants = {i[2]: i[3] for opcode, i in instructions if opcode == OP_CONSTANT and len(i) == 4}
    locals_ = {i[2] for opcode, i in instructions if opcode == OP_VARIABLE and i[3] == FUNCTION_STORAGE and len(i) == 4}
    stores, chains, others = {}, {}, set()
    for opcode, i in instructions:
        if opcode == OP_STORE and i[1] in locals_ and i[2] not in locals_:
            stores.setdefault(i[1], []).append(i[2])
        elif opcode == OP_ACCESS_CHAIN and i[3] in locals_ and len(i) == 5 and i[4] in constants:
            chains[i[2]] = (i[3], constants[i[4]])
        elif opcode not in (OP_VARIABLE, OP_LOAD, OP_NAME):
            others |= set(i[1:])
    written = {variable: values[0] for variable, values in stores.items() if len(values) == 1 and variable not in others}
    # Only what is loaded through a pointer: no store, and no call, goes through it.
    bad = {variable for chain, (variable, _) in chains.items() if chain in others}
    bad |= {chains[i[1]][0] for opcode, i in instructions if opcode == OP_STORE and i[1] in chains}
    written = {variable: value for variable, value in written.items() if variable not in bad}
    out = list(words[:5])
    for opcode, i in instructions:
        if opcode == OP_LOAD and i[3] in chains and chains[i[3]][0] in written:
            variable, component = chains[i[3]]
            i = [5 << 16 | OP_COMPOSITE_EXTRACT, i[1], i[2], written[variable], component]
        elif opcode == OP_ACCESS_CHAIN and i[2] in chains and chains[i[2]][0] in written:
            continue
        out += i
    return out


def optimize(optimizer, passes, path):
    subprocess.run([optimizer, *passes, path, '-o', path], check=True)


parser = argparse.ArgumentParser()
for name in ('glslang', 'optimizer', 'name', 'out', 'source'):
    parser.add_argument('--' * (name != 'source') + name, **({'required': True} if name != 'source' else {}))
arguments, rest = parser.parse_known_args()
with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory, 'compiled')
    subprocess.run([arguments.glslang, '--quiet', '-g0', '--target-env', 'vulkan1.1', *rest, '-o', path, arguments.source], check=True)
    optimize(arguments.optimizer, PASSES, path)
    words = extract_components([word for word, in struct.iter_unpack('=I', path.read_bytes())])
    path.write_bytes(struct.pack(f'={len(words)}I', *words))
    optimize(arguments.optimizer, LAST_PASSES, path)
    words = [word for word, in struct.iter_unpack('=I', path.read_bytes())]
lines = [', '.join(f'0x{word:08x}' for word in words[i:i + 12]) for i in range(0, len(words), 12)]
pathlib.Path(arguments.out).write_text(f'static const uint32_t {arguments.name}[] = {{\n' + ',\n'.join(lines) + '};\n')
