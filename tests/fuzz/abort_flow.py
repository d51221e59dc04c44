#!/usr/bin/env python3
"""Checks that an invocation that aborts does just what it would have done until then, whatever its
control flow. Random compute shaders, each in two kinds: `abort` gives up at some of its sites,
`plain` notes there, the first time, what had been done until then, and goes on. Both as glslang
makes them and as spirv-opt -O and -Os do of these; abort_flow.c runs and compares them. The same
seed makes the same shaders.

    abort_flow.py --host build/tests/fuzz/abort-flow --seeds 1-500 [--keep DIRECTORY [--list]]
    [--gpuav EVERY]"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GROUPS = 2
HEAD = """#version 460
#extension GL_EXT_abort : require
layout(local_size_x = SIZE) in;
struct Invocation {
    uint a, b, mask, key;
    uint count, hash, ended, adds;
    uint up, up_hash, up_adds, up_site;
    uint up_x, foreign, turns, pad;
    uint items[32];
};
layout(binding = 0, std430) buffer Result { uint total, pad[15]; Invocation v[]; } r;
struct Pair { uint x; uvec2 y; };
shared uint slots[SIZE];
uint me = 0u, turns = 0u, mask = 0u, key = 0u, g0 = 0u, g1 = 0u;
bool turn()
{
    r.v[me].turns = ++turns;
    return turns <= 100u;
}
uint note(uint k)
{
    uint n = r.v[me].count;
    r.v[me].hash = r.v[me].hash * 31u + k;
    if (n < 32u)
        r.v[me].items[n] = k;
    r.v[me].count = n + 1u;
    return k >> 1;
}
void add(uint k)
{
    r.v[me].adds += k;
    atomicAdd(r.total, k);
}
void share(uint k)
{
    uint at = gl_LocalInvocationID.x;
    slots[at] = k;
    barrier();
    r.v[me].foreign += slots[(at + 1u) % SIZE];
    barrier();
}
"""
KINDS = {
    'abort': '#define GIVE_UP(site_, x_) abortEXT("s%u x%u i%u", site_, x_, me);\n'
    '#define GIVE_UP_MORE(site_, x_) abortEXT("s%u x%u i%u v%v3u", site_, x_, me, '
    'uvec3(x_, x_ + 1u, x_ + 2u));\n',
    'plain': '#define GIVE_UP(site_, x_) { if (r.v[me].up == 0u) { r.v[me].up = r.v[me].count + 1u; '
    'r.v[me].up_hash = r.v[me].hash; '
    'r.v[me].up_adds = r.v[me].adds; r.v[me].up_site = site_; r.v[me].up_x = x_; } '
    '}\n#define GIVE_UP_MORE GIVE_UP\n',
}
TAIL = """void main()
{
    me = gl_GlobalInvocationID.x;
    uint a = r.v[me].a, b = r.v[me].b;
    mask = r.v[me].mask;
    key = r.v[me].key;
"""


# The passes that spirv-opt is to run. -Os as it is does not go: its eliminate-dead-members takes
# members from message types, and the module is not valid then (SPIRV-Tools 2026.4).
WAYS = {
    'O': ['-O'],
    'Os': [
        '--eliminate-dead-branches',
        '--merge-return',
        '--inline-entry-points-exhaustive',
        '--eliminate-dead-functions',
        '--private-to-local',
        '--eliminate-local-single-block',
        '--eliminate-local-single-store',
        '--eliminate-dead-code-aggressive',
        '--scalar-replacement=0',
        '--convert-local-access-chains',
        '--ssa-rewrite',
        '--ccp',
        '--eliminate-dead-branches',
        '--if-conversion',
        '--simplify-instructions',
        '--redundancy-elimination',
        '--loop-unroll-partial=2',
        '--loop-peeling',
        '--copy-propagate-arrays',
        '--vector-dce',
        '--eliminate-dead-inserts',
        '--merge-blocks',
        '--eliminate-dead-code-aggressive',
        '--cfg-cleanup',
    ],
    'ssa': [
        '--eliminate-local-single-block',
        '--eliminate-local-single-store',
        '--ssa-rewrite',
        '--local-redundancy-elimination',
        '--eliminate-dead-code-aggressive',
    ],
}


class Function:
    def __init__(self, name, returns, parameters):
        self.name, self.returns, self.parameters = (
            name,
            returns,
            parameters,
        )  # parameters: (qualifier, type)


class Scope:
    """The names and actions that are allowed at a place."""

    def __init__(self, outer=None, **changes):
        self.names = list(outer.names) if outer else []  # (name, type); type: uint, pair, array
        self.fixed = list(outer.fixed) if outer else []  # uints that are read only
        self.loop = self.switch = False  # in one; may `continue`, may `break`
        self.returns = (
            outer.returns if outer else None
        )  # None: no return statement; '': without a value
        self.depth = outer.depth + 1 if outer else 0
        if outer:
            self.loop, self.switch = outer.loop, outer.switch
        for name, value in changes.items():
            setattr(self, name, value)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.choice([1, 4, 8, 16])
        self.atomics = self.random.random() < 0.5
        self.barriers = self.random.random() < 0.2
        self.functions, self.text = [], []
        self.names = self.sites = 0
        self.calls = True  # functions may be called

    # --- helpers ---

    def chance(self, p):
        return self.random.random() < p

    def name(self, prefix='v'):
        self.names += 1
        return f'{prefix}{self.names}'

    def place(self, scope):
        """Something that can be assigned to: a uint."""
        name, kind = self.random.choice(scope.names)
        if kind == 'uint':
            return name
        if kind == 'pair':
            return name + self.random.choice(
                ['.x', '.y.x', '.y.y', '.y[' + self.simple(scope) + ' & 1u]']
            )
        return f'{name}[{self.simple(scope)} & 3u]'

    def simple(self, scope):
        return self.random.choice(
            [name for name, kind in scope.names if kind == 'uint']
            + scope.fixed
            + [f'{self.random.randrange(12)}u']
        )

    def call(self, scope, depth, returns):
        found = [f for f in self.functions if f.returns in returns]
        if not found or not self.calls:
            return None
        function, arguments = self.random.choice(found[-4:] if self.chance(0.6) else found), []
        for qualifier, kind in function.parameters:
            if qualifier == 'in':
                arguments.append(self.expression(scope, depth - 1))
            elif kind == 'uint':
                arguments.append(self.place(scope))
            else:
                pairs = [name for name, k in scope.names if k == kind]
                if not pairs:
                    return None
                arguments.append(self.random.choice(pairs))
        return f'{function.name}({", ".join(arguments)})'

    def expression(self, scope, depth):
        r = self.random.random()
        if depth <= 0 or r < 0.2:
            return self.place(scope) if self.chance(0.4) else self.simple(scope)
        if r < 0.5:
            operator = self.random.choice(['+', '-', '*', '^', '&', '|', '+', '%'])
            left, right = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
            return (
                f'({left} % ({right} | 1u))' if operator == '%' else f'({left} {operator} {right})'
            )
        if r < 0.58:
            return (
                f'({self.condition(scope, depth - 1)} ? {self.expression(scope, depth - 1)} : '
                f'{self.expression(scope, depth - 1)})'
            )
        if r < 0.64:
            return f'note({self.expression(scope, depth - 1)})'
        if r < 0.70:
            return self.random.choice(
                ['({0}++)', '(++{0})', '({0} = {1})', '({0} += {1})', '({0} ^= {1})']
            ).format(self.place(scope), self.expression(scope, depth - 1))
        if r < 0.74:
            return (
                f'({self.random.choice(["min", "max"])}({self.expression(scope, depth - 1)}, '
                f'{self.expression(scope, depth - 1)}) & 15u)'
            )
        return self.call(scope, depth, ('uint',)) or self.simple(scope)

    def condition(self, scope, depth):
        r = self.random.random()
        if depth > 0 and r < 0.12:
            return f'!({self.condition(scope, depth - 1)})'
        if depth > 0 and r < 0.34:
            return (
                f'({self.condition(scope, depth - 1)} {self.random.choice(["&&", "||"])} '
                f'{self.condition(scope, depth - 1)})'
            )
        if depth > 0 and r < 0.5:
            call = self.call(scope, depth, ('bool',))
            if call:
                return call
        mask = self.random.choice([1, 3, 7, 15])
        left = f'({self.expression(scope, depth)} & {mask}u)'
        return (
            f'({left} {self.random.choice(["==", "!=", "<", ">", "<="])} '
            f'{self.random.randrange(mask + 1)}u)'
        )

    # --- statements ---

    def give_up(self, scope, pad):
        self.sites += 1
        up = (
            f'{self.random.choice(["GIVE_UP", "GIVE_UP", "GIVE_UP_MORE"])}({self.sites}u, '
            f'{self.random.choice(scope.fixed + ["turns", "g0"])})'
        )
        if self.chance(0.04):
            return f'{pad}{up}\n'
        test = f'({self.expression(scope, 2)} & mask) == key'
        if self.chance(0.2):
            test = f'{self.condition(scope, 1)} && {test}'
        if self.chance(0.75):
            return f'{pad}if ({test})\n{pad}    {up}\n'
        if self.chance(0.5):
            return (
                f'{pad}if ({test}) {{\n{pad}    {up}\n{self.block(scope, 2, pad + "    ")}{pad}}}\n'
            )
        return (
            f'{pad}if ({test}) {{\n{pad}    {up}\n{pad}}} else '
            f'{{\n{self.block(scope, 2, pad + "    ")}{pad}}}\n'
        )

    def declare(self, scope, pad):
        kind = self.random.choice(['uint', 'uint', 'uint', 'pair', 'array'])
        name = self.name()
        value = self.expression(scope, 2)
        scope.names.append((name, kind))
        if kind == 'uint':
            return f'{pad}uint {name} = {value};\n'
        if kind == 'pair':
            return f'{pad}Pair {name} = Pair({value}, uvec2({self.number()}, {self.number()}));\n'
        return (
            f'{pad}uint {name}[4] = uint[4]({value}, {self.number()}, {self.number()}, '
            f'{self.number()});\n'
        )

    def number(self):
        return f'{self.random.randrange(16)}u'

    def bounded(self, counter):
        """Returns a condition that makes a loop end."""
        if self.atomics or self.chance(0.6):
            return self.random.choice(
                [
                    f'turn() && {counter} < {self.random.randrange(2, 7)}u',
                    f'{counter} < {self.random.randrange(2, 7)}u && turn()',
                ]
            )
        return f'{counter} < {self.random.randrange(1, 4)}u'

    def loop(self, scope, budget, pad):
        i = self.name('i')
        inner = Scope(scope, loop=True, switch=True)
        inner.fixed.append(i)
        kind = self.random.random()
        body_pad = pad + '    '
        if kind < 0.5:
            step = self.random.choice(
                [
                    f'{i}++',
                    f'{i} += 1u',
                    f'++{i}, {self.expression(inner, 2)}',
                    f'{i}++, note({self.expression(inner, 2)})',
                    f'{i} += ({self.expression(inner, 3)} & 1u) + 1u',
                    f'{self.place(scope)} = {self.expression(inner, 3)}, {i}++',
                    (
                        f'{i} = {i} + 1u + ({self.condition(inner, 2)} ? '
                        f'{self.expression(inner, 2)} & 1u : 0u)'
                    ),
                ]
            )
            test = self.bounded(i)
            if self.chance(0.5):
                test = (
                    f'{test} && {self.condition(inner, 2)}'
                    if self.chance(0.7)
                    else f'{self.condition(inner, 2)} && {test}'
                )
            first = f'{self.expression(scope, 2)} & 1u' if self.chance(0.3) else '0u'
            return (
                f'{pad}for (uint {i} = {first}; {test}; {step}) '
                f'{{\n{self.block(inner, budget, body_pad)}{pad}}}\n'
            )
        test = self.bounded(i) + (f' && {self.condition(inner, 2)}' if self.chance(0.6) else '')
        if kind < 0.75:
            return (
                f'{pad}uint {i} = 0u;\n{pad}while ({test}) '
                f'{{\n{body_pad}{i}++;\n{self.block(inner, budget, body_pad)}{pad}}}\n'
            )
        return (
            f'{pad}uint {i} = 0u;\n{pad}do '
            f'{{\n{body_pad}{i}++;\n{self.block(inner, budget, body_pad)}{pad}}} while '
            f'({test});\n'
        )

    def switch(self, scope, budget, pad):
        labels = self.random.sample(range(8), self.random.randrange(1, 5))
        default = self.random.randrange(len(labels) + 2)
        text = f'{pad}switch ({self.expression(scope, 2)} & 7u) {{\n'
        for n, label in enumerate(labels):
            if n == default:
                text += f'{pad}default:\n'
            inner = Scope(scope, switch=True)
            text += (
                f'{pad}case {label}u: '
                f'{{\n{self.block(inner, max(1, budget // len(labels)), pad + "    ")}{pad}}}\n'
            )
            if self.chance(0.6):
                text += f'{pad}    break;\n'
        if default == len(labels):
            text += f'{pad}default:\n{pad}    note({self.simple(scope)});\n'
        return text + f'{pad}}}\n'

    def leave(self, scope, pad):
        ways = (['continue;'] if scope.loop else []) + (['break;'] if scope.switch else [])
        if scope.returns is not None and self.chance(0.4):
            value = {
                '': '',
                'uint': ' ' + self.expression(scope, 2),
                'bool': ' ' + self.condition(scope, 2),
            }[scope.returns]
            ways.append(f'return{value};')
        if not ways:
            return ''
        return f'{pad}if ({self.condition(scope, 2)})\n{pad}    {self.random.choice(ways)}\n'

    def statement(self, scope, budget, pad):
        r = self.random.random()
        if r < 0.14:
            return f'{pad}note({self.expression(scope, 3)});\n'
        if r < 0.26:
            return (
                f'{pad}{self.place(scope)} {self.random.choice(["=", "+=", "^="])} '
                f'{self.expression(scope, 3)};\n'
            )
        if r < 0.34:
            return self.declare(scope, pad)
        if r < 0.44:
            return self.give_up(scope, pad)
        if r < 0.52:
            return self.leave(scope, pad)
        if r < 0.60:
            call = self.call(scope, 2, ('uint', 'bool', 'void'))
            return f'{pad}{call};\n' if call else ''
        if r < 0.64:
            return (
                f'{pad}add({self.expression(scope, 2)} & 15u);\n'
                if self.atomics
                else (
                    f'{pad}slots[gl_LocalInvocationID.x] ^= '
                    f'{self.expression(scope, 2)};\n{pad}{self.place(scope)} += '
                    f'slots[gl_LocalInvocationID.x];\n'
                )
                if not self.barriers
                else ''
            )
        if budget < 2 or scope.depth > 5:
            return ''
        if r < 0.76:
            text = (
                f'{pad}if ({self.condition(scope, 2)}) '
                f'{{\n{self.block(Scope(scope), budget // 2, pad + "    ")}{pad}}}'
            )
            return text + (
                f' else {{\n{self.block(Scope(scope), budget // 2, pad + "    ")}{pad}}}\n'
                if self.chance(0.5)
                else '\n'
            )
        if r < 0.91:
            return self.loop(scope, budget // 2, pad)
        return self.switch(scope, budget // 2, pad)

    def block(self, scope, budget, pad):
        inner = Scope(scope)
        text = ''.join(
            self.statement(inner, budget - 1, pad)
            for _ in range(self.random.randrange(1, max(2, min(budget, 6)) + 1))
        )
        return text or f'{pad}note({self.number()});\n'

    def barrier(self, scope, pad):
        text = f'{pad}share({self.expression(scope, 2)});\n'
        if self.chance(0.4):
            i = self.name('i')
            inner = Scope(scope, loop=False, switch=False, returns=None)
            inner.fixed.append(i)
            text = (
                f'{pad}for (uint {i} = 0u; {i} < {self.random.randrange(1, 4)}u; {i}++) '
                f'{{\n{self.block(inner, 3, pad + "    ")}    {text}{pad}}}\n'
            )
        return text

    # --- the shader ---

    def function(self):
        returns = self.random.choice(['uint', 'uint', 'uint', 'bool', 'void'])
        parameters = [
            (self.random.choice(['in', 'in', 'inout', 'out']), 'uint')
            for _ in range(self.random.randrange(1, 4))
        ]
        if self.chance(0.25):
            parameters.append(('inout', 'pair'))
        scope, header, text = Scope(returns='' if returns == 'void' else returns), [], ''
        for qualifier, kind in parameters:
            name = self.name('p')
            header.append(f'{qualifier} {"Pair" if kind == "pair" else kind} {name}')
            scope.names.append((name, kind))
            if qualifier == 'out':
                text += f'    {name} = {self.number()};\n'
            if qualifier == 'in':
                scope.fixed.append(name)
        scope.names += [('g0', 'uint'), ('g1', 'uint')]
        name = self.name('f')
        scope.fixed.append('me')
        if self.chance(0.7):
            text += self.give_up(scope, '    ')
        for _ in range(self.random.randrange(1, 4)):
            text += self.statement(scope, 5, '    ')
        if returns == 'uint':
            text += f'    return {self.expression(scope, 2)};\n'
        elif returns == 'bool':
            text += f'    return {self.condition(scope, 2)};\n'
        self.text.append(f'{returns} {name}({", ".join(header)})\n{{\n{text}}}\n')
        self.functions.append(Function(name, returns, parameters))

    def shader(self):
        for _ in range(self.random.randrange(1, 6)):
            self.function()
        scope = Scope(returns=None if self.barriers else '')
        scope.names += [('a', 'uint'), ('b', 'uint'), ('g0', 'uint'), ('g1', 'uint')]
        scope.fixed.append('me')
        text = '    slots[gl_LocalInvocationID.x] = 0u;\n' if not self.barriers else ''
        for _ in range(self.random.randrange(3, 9)):
            if self.barriers and self.chance(0.35):
                text += self.barrier(scope, '    ')
            text += self.statement(scope, 9, '    ')
        return HEAD.replace('SIZE', str(self.size)), '\n'.join(
            self.text
        ) + TAIL + text + '    note(a ^ b);\n    r.v[me].ended = 1u;\n}\n'


def run(command):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f'abort_flow: {" ".join(map(str, command))}:\n{done.stdout}')


def make(directory, seed, tools):
    """The modules of a seed: `SEED.KIND.WAY.spv`."""
    generator = Generator(seed)
    head, body = generator.shader()
    for kind, macros in KINDS.items():
        source = directory / f'{seed}.{kind}.comp'
        # Macros stand behind #version and extensions, and in front of what uses them.
        source.write_text(head + macros + body)
        run(
            [
                tools.glslang,
                '--quiet',
                '-V',
                '--target-env',
                'vulkan1.2',
                '-o',
                directory / f'{seed}.{kind}.none.spv',
                source,
            ]
        )
        for way, passes in WAYS.items() if kind == 'abort' or tools.plain else ():
            optimized = directory / f'{seed}.{kind}.{way}.spv'
            run([tools.opt, *passes, directory / f'{seed}.{kind}.none.spv', '-o', optimized])
            # The optimizer makes modules that are not valid, too; and lavapipe takes long for
            # large ones.
            if (
                optimized.stat().st_size > tools.bytes
                or subprocess.run(
                    [tools.val, '--target-env', 'vulkan1.2', optimized],
                    capture_output=True,
                    check=False,
                ).returncode
            ):
                optimized.unlink()
    return f'{seed}:{generator.size}'


def run_seeds(directory, seeds, tools):
    # With LLVM's optimizer llvmpipe has done something else with 3 of 124 seeds; what it is, and
    # whether at all, depends on how many lanes it has (LP_NATIVE_VECTOR_WIDTH), and not on whether
    # anybody aborts. Without it all are right, so that this is what is asked here.
    environment = os.environ | {'GALLIVM_PERF': 'nopt'}
    result = subprocess.run(
        [tools.host, directory, *seeds], check=False, env=environment
    ).returncode
    # With checks of each access lavapipe takes half a minute for what is not small.
    checked = (
        [
            seed
            for seed in seeds
            if int(seed.split(':')[0]) % tools.gpuav == 0
            and (directory / f'{seed.split(":")[0]}.abort.none.spv').stat().st_size < 9000
        ]
        if tools.gpuav
        else []
    )
    if checked:
        result |= subprocess.run(
            [tools.host, directory, *checked],
            check=False,
            env=environment | {'VK_ASSAY_GPUAV_ENABLE': 'true'},
        ).returncode
    return 1 if result else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--host', default='true', help='abort_flow.c; "true": nothing runs')
    parser.add_argument('--glslang', default='glslangValidator')
    parser.add_argument('--opt', default='spirv-opt')
    parser.add_argument('--val', default='spirv-val')
    parser.add_argument(
        '--bytes', type=int, default=24000, help='larger optimized modules are left out'
    )
    parser.add_argument('--seeds', default='13-16')
    parser.add_argument(
        '--gpuav',
        type=int,
        default=5,
        metavar='EVERY',
        help='every so many seeds run with gpuav_enable, too (0: none)',
    )
    parser.add_argument(
        '--plain',
        action='store_true',
        help=(
            'optimize the plain ones, too: where a seed went wrong it is told whether they do '
            'what they did'
        ),
    )
    parser.add_argument('--keep', type=Path, help='where the modules are to lie')
    parser.add_argument('--list', action='store_true', help='print what the host is to be given')
    tools = parser.parse_args()
    first, last = (int(n) for n in (tools.seeds + '-' + tools.seeds).split('-')[:2])
    directory = Path(tempfile.mkdtemp(prefix='abort-flow.')) if not tools.keep else tools.keep
    directory.mkdir(parents=True, exist_ok=True)
    try:
        result = 0
        for begin in range(first, last + 1, 20):
            seeds = [
                make(directory, seed, tools) for seed in range(begin, min(begin + 20, last + 1))
            ]
            if tools.list:
                print('\n'.join(seeds))
            else:
                result |= run_seeds(directory, seeds, tools)
    finally:
        if not tools.keep:
            shutil.rmtree(directory)
    sys.exit(1 if result else 0)


if __name__ == '__main__':
    main()
