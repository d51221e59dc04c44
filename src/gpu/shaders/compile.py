#!/usr/bin/env python3
"""A shader of the layer's own as an array of words in a C header: compiled, and without what a
compiler of debug builds leaves in it, since the layer carries it.

compile.py --glslang PROGRAM --optimizer PROGRAM --name ARRAY --out HEADER SOURCE [glslang's
arguments]..."""

import argparse
import pathlib
import struct
import subprocess
import tempfile

# No inlining: functions of the library are linked one by one, and where all are in place, copies of
# them are larger.
PASSES = [
    '--eliminate-local-single-block',
    '--eliminate-local-single-store',
    '--ssa-rewrite',
    '--simplify-instructions',
    '--redundancy-elimination',
    '--eliminate-dead-code-aggressive',
    '--cfg-cleanup',
    '--compact-ids',
]

AGAIN_PASSES = ['--redundancy-elimination', '--eliminate-dead-code-aggressive', '--compact-ids']
LAST_PASSES = ['--eliminate-dead-code-aggressive', '--compact-ids']

# Opcodes of SPIR-V.
OP_NAME, OP_MEMORY_MODEL, OP_TYPE_INT, OP_TYPE_RUNTIME_ARRAY, OP_TYPE_STRUCT, OP_TYPE_POINTER = (
    5,
    14,
    21,
    29,
    30,
    32,
)
(
    OP_TYPE_FORWARD_POINTER,
    OP_CONSTANT,
    OP_FUNCTION,
    OP_FUNCTION_END,
    OP_VARIABLE,
    OP_LOAD,
    OP_STORE,
) = 39, 43, 54, 56, 59, 61, 62
(
    OP_ACCESS_CHAIN,
    OP_PTR_ACCESS_CHAIN,
    OP_DECORATE,
    OP_MEMBER_DECORATE,
    OP_VECTOR_SHUFFLE,
    OP_COMPOSITE_EXTRACT,
) = 65, 67, 71, 72, 79, 81
OP_BITCAST, OP_I_ADD, OP_MEMORY_BARRIER, OP_ATOMIC_STORE, OP_ATOMIC_EXCHANGE = (
    124,
    128,
    225,
    228,
    229,
)
OP_SHIFTS = (194, 195, 196)
FUNCTION_STORAGE, PHYSICAL_STORAGE, ARRAY_STRIDE, COHERENT, VOLATILE_ACCESS, GLSL450 = (
    7,
    5349,
    6,
    23,
    1,
    1,
)
# The first word of an instruction that is not an id, where numbers stand that an id may have, too.
LITERALS_FROM = {
    OP_TYPE_INT: 2,
    OP_CONSTANT: 3,
    OP_LOAD: 4,
    OP_STORE: 3,
    OP_MEMBER_DECORATE: 2,
    OP_COMPOSITE_EXTRACT: 4,
    OP_VECTOR_SHUFFLE: 5,
}
# Memory semantics: release, of buffers; and what the Vulkan memory model adds to that.
RELEASE_BUFFERS, MAKE_AVAILABLE = 0x44, 0x2000


def instructions_of(words):
    """Lists of words, the first of each as (opcode, the whole first word) would be: opcode alone,
    the length is the list's."""
    instructions, at = [], 5
    while at < len(words):
        length = words[at] >> 16
        instructions.append([words[at] & 0xFFFF, *words[at + 1 : at + length]])
        at += length
    return instructions


def words_of(header, instructions):
    out = list(header)
    for i in instructions:
        out += [len(i) << 16 | i[0], *i[1:]]
    return out


class Module:
    """A module of SPIR-V: its instructions, and the ids that the changes below look up or add."""

    def __init__(self, words):
        self.header, self.instructions = words[:5], instructions_of(words)
        self.uint = next(
            i[1] for i in self.instructions if i[0] == OP_TYPE_INT and i[2:] == [32, 0]
        )
        self.ints = {i[1] for i in self.instructions if i[0] == OP_TYPE_INT and i[2] == 32}
        self.constants = {
            i[2]: i[3] for i in self.instructions if i[0] == OP_CONSTANT and i[1] in self.ints
        }
        self.unsigned = {
            i[3]: i[2] for i in self.instructions if i[0] == OP_CONSTANT and i[1] == self.uint
        }
        self.new = []

    def id(self):
        self.header[3] += 1
        return self.header[3] - 1

    def constant(self, value):
        if value not in self.unsigned:
            self.unsigned[value] = self.id()
            self.constants[self.unsigned[value]] = value
            self.new.append([OP_CONSTANT, self.uint, self.unsigned[value], value])
        return self.unsigned[value]

    def words(self):
        first = next(at for at, i in enumerate(self.instructions) if i[0] == OP_FUNCTION)
        return words_of(
            self.header, self.instructions[:first] + self.new + self.instructions[first:]
        )


def point_to_elements(module):
    """A block that is nothing but a runtime array, and is reached by its address alone, becomes a
    pointer to the elements: its types and decorations would be linked into each shader. What the
    block says of coherence is said by its stores."""
    instructions = module.instructions
    arrays = {i[1]: i[2] for i in instructions if i[0] == OP_TYPE_RUNTIME_ARRAY}
    strides = {i[1]: i[3] for i in instructions if i[0] == OP_DECORATE and i[2] == ARRAY_STRIDE}
    blocks = {
        i[1]: i[2]
        for i in instructions
        if i[0] == OP_TYPE_STRUCT and len(i) == 3 and i[2] in arrays
    }
    coherent = {i[1] for i in instructions if i[0] == OP_MEMBER_DECORATE and i[3] == COHERENT}
    pointers = {
        i[1]: i[3]
        for i in instructions
        if i[0] == OP_TYPE_POINTER and i[2] == PHYSICAL_STORAGE and i[3] in blocks
    }
    bases = {i[2]: i[1] for i in instructions if i[0] == OP_BITCAST and i[1] in pointers}
    for i in instructions:  # used otherwise: as a parameter, or behind a variable
        if i[0] in (OP_BITCAST, OP_ACCESS_CHAIN):
            others = i[3:] if i[0] == OP_BITCAST else [i[1], *i[4:]]
        elif i[0] in (OP_TYPE_POINTER, OP_TYPE_FORWARD_POINTER, OP_NAME, OP_DECORATE):
            others = i[3:] if i[0] == OP_TYPE_POINTER else []
        else:
            others = i[1 : LITERALS_FROM.get(i[0])]
        for id_ in others:
            pointers.pop(id_, None)
            pointers.pop(bases.get(id_), None)
    bases = {base: pointer for base, pointer in bases.items() if pointer in pointers}
    element = {pointer: arrays[blocks[block]] for pointer, block in pointers.items()}
    made, stored = {}, set()
    for pointer, type_ in element.items():
        made.setdefault((type_, strides[blocks[pointers[pointer]]]), module.id())
    to = {
        pointer: made[type_, strides[blocks[pointers[pointer]]]]
        for pointer, type_ in element.items()
    }
    same, out, added = {}, [], False
    for i in instructions:
        i = [i[0], *(same.get(word, word) if i[0] > OP_FUNCTION else word for word in i[1:])]
        if i[0] == OP_TYPE_POINTER and i[1] in to or i[0] == OP_TYPE_FORWARD_POINTER and i[1] in to:
            continue
        if i[0] == OP_FUNCTION and not added:
            added = True
            out += [
                [OP_TYPE_POINTER, id_, PHYSICAL_STORAGE, type_] for (type_, _), id_ in made.items()
            ]
        if i[0] == OP_BITCAST and i[2] in bases:
            i[1] = to[bases[i[2]]]
        elif i[0] == OP_ACCESS_CHAIN and i[3] in bases:
            if bases[i[3]] in {p for p, block in pointers.items() if block in coherent}:
                stored.add(i[2])
            if len(i) == 6 and module.constants.get(i[5]) == 0:
                same[i[2]] = i[3]
                continue
            if len(i) == 7 and module.constants.get(i[5]) == 0:
                i = [OP_ACCESS_CHAIN, i[1], i[2], i[3], i[6]]
            else:
                i = [
                    OP_PTR_ACCESS_CHAIN,
                    to[bases[i[3]]] if len(i) == 6 else i[1],
                    i[2],
                    i[3],
                    *i[5:],
                ]
        elif i[0] == OP_STORE and i[1] in stored and model_of(instructions) == GLSL450:
            i[3] |= VOLATILE_ACCESS
        out.append(i)
    strides_at = next(at for at, i in enumerate(out) if i[0] == OP_DECORATE)
    out[strides_at:strides_at] = [
        [OP_DECORATE, id_, ARRAY_STRIDE, stride] for (_, stride), id_ in made.items()
    ]
    module.instructions = out


def model_of(instructions):
    return next(i[2] for i in instructions if i[0] == OP_MEMORY_MODEL)


def share_chains(module):
    """Makes one access chain out of two, where the second goes on a constant number of elements
    after the first."""
    sums, chains, out = {}, {}, []
    for i in module.instructions:
        if i[0] == OP_FUNCTION:
            sums, chains = {}, {}
        if i[0] == OP_I_ADD and i[4] in module.constants:
            sums[i[2]] = (i[3], i[4])
        if i[0] == OP_PTR_ACCESS_CHAIN:
            base, index, rest = i[3], i[4], i[5:]
            if (base, index) in chains and rest:
                i = [OP_ACCESS_CHAIN, i[1], i[2], chains[base, index], *rest]
            elif index in sums and (base, sums[index][0]) in chains:
                i = [
                    OP_PTR_ACCESS_CHAIN,
                    i[1],
                    i[2],
                    chains[base, sums[index][0]],
                    sums[index][1],
                    *rest,
                ]
            elif not rest:
                chains[base, index] = i[2]
        out.append(i)
    module.instructions = out


def use_unsigned(module):
    """Indices and distances of shifts are unsigned constants: those are there for other reasons,
    too, and the signed ones are not."""
    for i in module.instructions:
        first = {OP_ACCESS_CHAIN: 4, OP_PTR_ACCESS_CHAIN: 4}.get(
            i[0], 4 if i[0] in OP_SHIFTS else len(i)
        )
        for at in range(first, len(i)):
            if i[at] in module.constants:
                i[at] = module.constant(module.constants[i[at]])


def release_by_stores(module):
    """A barrier in front of an atomic exchange, whose result nobody takes, is an atomic store that
    releases."""
    used = {
        word
        for i in module.instructions
        if i[0] not in (OP_NAME, OP_DECORATE, OP_ATOMIC_EXCHANGE)
        for word in i[1:]
    }
    used |= {
        word for i in module.instructions if i[0] == OP_ATOMIC_EXCHANGE for word in [i[1], *i[3:]]
    }
    out, barrier = [], None
    semantics = RELEASE_BUFFERS | (
        0 if model_of(module.instructions) == GLSL450 else MAKE_AVAILABLE
    )
    for i in module.instructions:
        if i[0] == OP_ATOMIC_EXCHANGE and i[2] not in used and barrier is not None:
            del out[barrier]
            i = [OP_ATOMIC_STORE, i[3], i[4], module.constant(semantics), i[6]]
        if i[0] == OP_MEMORY_BARRIER:
            barrier = len(out)
        elif i[0] not in (OP_ACCESS_CHAIN, OP_PTR_ACCESS_CHAIN):
            barrier = None
        out.append(i)
    module.instructions = out


def extract_components(words):
    """Components of local variables that are written once, and whole, are taken from what was
    written: glslang makes pointers to them, and the optimizer leaves those. A variable of GLSL that
    is initialized is used behind that, where it is initialized for certain."""
    instructions, at = [], 5
    while at < len(words):
        length = words[at] >> 16
        instructions.append((words[at] & 0xFFFF, words[at : at + length]))
        at += length
    constants = {i[2]: i[3] for opcode, i in instructions if opcode == OP_CONSTANT and len(i) == 4}
    locals_ = {
        i[2]
        for opcode, i in instructions
        if opcode == OP_VARIABLE and i[3] == FUNCTION_STORAGE and len(i) == 4
    }
    stores, chains, others = {}, {}, set()
    first = next(at for at, (opcode, _) in enumerate(instructions) if opcode == OP_FUNCTION)
    for opcode, i in instructions[first:]:
        if opcode == OP_STORE and i[1] in locals_ and i[2] not in locals_:
            stores.setdefault(i[1], []).append(i[2])
        elif opcode == OP_ACCESS_CHAIN and i[3] in locals_ and len(i) == 5 and i[4] in constants:
            chains[i[2]] = (i[3], constants[i[4]])
        elif opcode not in (OP_VARIABLE, OP_LOAD, OP_NAME):
            others |= set(i[1 : LITERALS_FROM.get(opcode)])
    written = {
        variable: values[0]
        for variable, values in stores.items()
        if len(values) == 1 and variable not in others
    }
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
    parser.add_argument(
        '--' * (name != 'source') + name, **({'required': True} if name != 'source' else {})
    )
arguments, rest = parser.parse_known_args()
with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory, 'compiled')
    subprocess.run(
        [
            arguments.glslang,
            '--quiet',
            '-g0',
            '--target-env',
            'vulkan1.1',
            *rest,
            '-o',
            path,
            arguments.source,
        ],
        check=True,
    )
    optimize(arguments.optimizer, PASSES, path)
    words = extract_components([word for (word,) in struct.iter_unpack('=I', path.read_bytes())])
    path.write_bytes(struct.pack(f'={len(words)}I', *words))
    optimize(arguments.optimizer, AGAIN_PASSES, path)
    module = Module([word for (word,) in struct.iter_unpack('=I', path.read_bytes())])
    for change in (point_to_elements, share_chains, use_unsigned, release_by_stores):
        change(module)
    words = module.words()
    path.write_bytes(struct.pack(f'={len(words)}I', *words))
    optimize(arguments.optimizer, LAST_PASSES, path)
    words = [word for (word,) in struct.iter_unpack('=I', path.read_bytes())]
lines = [', '.join(f'0x{word:08x}' for word in words[i : i + 12]) for i in range(0, len(words), 12)]
pathlib.Path(arguments.out).write_text(
    f'static const uint32_t {arguments.name}[] = {{\n' + ',\n'.join(lines) + '};\n'
)
