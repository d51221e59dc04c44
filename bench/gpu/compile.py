#!/usr/bin/env python3
"""Measures how long shaders with very many accesses by device addresses take to be compiled.

Each runs without a layer, and with the GPU-assisted checks of Assay and of the Khronos layer. The
figure is processor time of the module, the pipeline and its first dispatch (bench_compile.c), each
in a process of its own. `words` are those of the shader, as it comes and as it is changed."""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

import run

LAYERS = {'none': None, 'assay': 'assay', 'khronos': 'khronos'}
BLOCK = """#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Block;
layout(binding = 0) buffer Result { int value; } result;
layout(push_constant) uniform Push { Block root; uvec2 unused; int identity[4]; } pc;
struct T { ivec3 v[3]; int w; };
struct S { mat4x3 m[3]; T t; uvec2 u; };
layout(buffer_reference, std430, row_major) buffer Block { S s[4]; T t; int tail[]; };
"""


def tree(depth=3, local=True):
    """Nodes of three pointers each: 348 accesses, where each pointer is kept in a variable."""
    fields = """    layout(offset = 0) int a[2];
    layout(offset = 32) int b;
    layout(offset = 48) Node c[2];
    layout(offset = 80) Node d;
    layout(row_major, offset = 96) mat2 e;
    layout(offset = 144) ivec4 f;
"""
    lines, declared = [], []

    def visit(prefix, level):
        name = prefix
        if local:
            name = f'node{len(declared)}'
            declared.append(f'    Node {name};')
            lines.append(f'    {name} = {prefix};')
        for value in (
            'a[0]',
            'a[pc.identity[1]]',
            'b',
            'int({}.e[0][0])',
            'int({}.e[1][0])',
            'int({}.e[0][1])',
            'f.x',
            'f[pc.identity[2]]',
        ):
            value = value.format(name) if '{' in value else f'{name}.{value}'
            lines.append(f'    accum |= {value} - {len(lines)};')
        if level < depth:
            for child in ('c[0]', 'c[pc.identity[1]]', 'd'):
                visit(f'{name}.{child}', level + 1)

    for child in ('c[0]', 'c[pc.identity[1]]', 'd'):
        visit('x.' + child, 1)
    return (
        '#version 460\n#extension GL_EXT_buffer_reference : require\n'
        'layout(local_size_x = 1) in;\n'
        'layout(buffer_reference) buffer Node;\n'
        'layout(binding = 0) buffer Result { int value; } result;\n'
        'layout(push_constant) uniform Push { uvec4 unused; int identity[4]; } pc;\n'
        f'layout(binding = 1, std140) uniform Root {{\n{fields}}} x;\n'
        f'layout(buffer_reference, std140) buffer Node {{\n{fields}}};\n'
        'void main()\n{\n    int accum = 0;\n'
        + '\n'.join(declared + lines)
        + '\n    result.value = accum;\n}\n'
    )


def chain(count=116):
    """Comparisons of nested structs, arrays and matrices by rows. Each comes only if those before
    were true."""
    lines = []
    for i in range(count):
        s, m = i % 4, i // 4 % 3
        lines += [
            f'    ok = ok && same(b.s[{s}].m[{m}], {i}.0);',
            f'    ok = ok && b.s[{s}].t.v[{m}] == ivec3({i});',
            f'    ok = ok && b.t.w == {i};',
        ]
    return (
        BLOCK + 'bool same(mat4x3 m, float f)\n{\n'
        '    return all(lessThan(abs(m[0] - f), vec3(0.05)));\n}\n'
        'void main()\n{\n    Block b = pc.root;\n    bool ok = true;\n'
        + '\n'.join(lines)
        + '\n    if (ok) result.value++;\n}\n'
    )


def straight(count=348):
    """The same structs, written and read without a branch."""
    lines = []
    for i in range(count // 3):
        s, m = i % 4, i // 4 % 3
        lines += [
            f'    pc.root.s[{s}].t.w = {i};',
            f'    sum += pc.root.s[{s}].m[{m}][{i % 4}].x;',
            f'    pc.root.s[pc.identity[{s}]].t.v[{m}] = ivec3({i});',
        ]
    return (
        BLOCK
        + 'void main()\n{\n    float sum = 0.0;\n'
        + '\n'.join(lines)
        + '\n    result.value = int(sum);\n}\n'
    )


SHADERS = {'tree': tree, 'reloaded': lambda: tree(2, False), 'chain': chain, 'straight': straight}


def measure(configuration, code, options, directory):
    """(the shortest time as text, the words of the shader as it was changed)"""
    figures = []
    for _ in range(options.rounds):
        result = subprocess.run(
            [options.program, code],
            env=configuration.environment,
            cwd=directory,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=options.limit,
            check=False,
        )
        seconds = re.search(r' ([\d.]+)$', result.stdout.strip())
        if not seconds:
            return f'exit {result.returncode}: {result.stdout[-300:]}', '-'
        figures.append(float(seconds[1]))
    return f'{min(figures):.2f} s', words_of(directory, '**/*')


def words_of(directory, pattern):
    sizes = [path.stat().st_size // 4 for path in directory.glob(pattern)]
    return str(max(sizes)) if sizes else '-'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    driver = next((m for m in run.LAVAPIPE_MANIFESTS if os.path.exists(m)), '')
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build'))
    parser.add_argument('--driver', default=driver)
    parser.add_argument('--layers', default='none,assay,khronos')
    parser.add_argument('--limit', type=float, default=300, help='seconds for one shader')
    parser.add_argument('--rounds', type=int, default=3, help='the shortest of these is shown')
    parser.add_argument('--keep', type=pathlib.Path, help='directory for the shaders')
    parser.add_argument('shaders', nargs='*', help=', '.join(SHADERS))
    options = parser.parse_args()
    options.assay, options.khronos = (options.build / 'src').resolve(), run.KHRONOS_DIRECTORY
    options.program = (options.build / 'bench/gpu/bench_compile').resolve()
    options.launcher = ''
    with tempfile.TemporaryDirectory() as temporary:
        directory = (options.keep or pathlib.Path(temporary)).resolve()
        directory.mkdir(exist_ok=True)
        for name in options.shaders or SHADERS:
            source, code = directory / f'{name}.comp', directory / f'{name}.spv'
            source.write_text(SHADERS[name]())
            subprocess.run(
                ['glslang', '-V', '--quiet', '--target-env', 'vulkan1.2', '-o', code, source],
                check=True,
            )
            cells = [f'{name}: {code.stat().st_size // 4} words']
            for layer in options.layers.split(','):
                dump = directory / f'{name}-{layer}'
                dump.mkdir(exist_ok=True)
                settings = run.GPUAV | {'gpuav_debug_dump_instrumented_shaders': 'true'}
                configuration = run.Configuration(
                    f'{name}-{layer}', LAYERS[layer], settings, options, directory
                )
                configuration.environment['LP_NUM_THREADS'] = '1'
                figure, words = measure(configuration, code, options, dump)
                found = configuration.findings().count('VUID-')
                cells.append(
                    f'{layer} {figure}'
                    + ('' if layer == 'none' else f', {words} words')
                    + (f', {found} findings' if found else '')
                )
            print('; '.join(cells), flush=True)


if __name__ == '__main__':
    main()
