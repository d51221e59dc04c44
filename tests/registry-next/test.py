#!/usr/bin/env python3
"""Does tomorrow's machine build and run the layer? Its registry is newer (make.py), and so is its
compiler.

  test.py --build DIR --registry DIR --include DIR --compiler "gcc ..." --out DIR [--jobs N]

The compiler says that it is of a version that nobody knows, and has warnings that nobody has seen.
With both, and warnings as errors as ./dev has them, the layer is built in DIR, its null driver as
well. Then
  - the build has said in a line how many statements it does not enforce, and has listed each;
  - a program uses the new extension, and its mistakes are found;
  - five_mistakes, vulkaninfo and some 600 scenarios, of the build that is given, run on the new
    layer;
  - `assay --version` names both versions;
  - in strict mode each problem is told at once, with file and line, and without a traceback.
"""

import argparse
import json
import os
import re
import shutil
import stat
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.json'
TARGETS = [
    'src/libVkLayer_assay.so',
    'src/libVkLayer_assay_spirv.so',
    'src/VkLayer_assay.json',
    'src/statements.txt',
    'tests/null-driver/libassay_null.so',
    'tools/assay/assay',
]
# These files run on the null driver. They have calls of usual programs, rows and checks that the
# registry changes, and some of all rooms.
SCENARIOS = [
    'buffer_create',
    'copy_buffer',
    'draw_dynamic_state',
    'handles',
    'memory',
    'sync_barriers',
    'valid_draws',
    'valid_memory',
    'valid_versions',
]
FEWEST_SCENARIOS = 500
COMPILER = """#!/bin/sh
# A compiler of tomorrow: of an unknown version, and with a warning that the sources were not written for.
for argument in "$@"; do
    case $argument in
    -dM) {compiler} "$@" | sed 's/^#define __GNUC__ .*/#define __GNUC__ 99/'; exit ;;
    --version) {compiler} --version | sed '1s/[0-9][0-9.]*/99.1.0/g'; exit ;;
    esac
done
exec {launcher}{compiler} "$@" -Wextra -Wunused-parameter
"""
# What program.c shows, step by step.
EXPECTED = """# right
# a count of 0
VUID-vkCmdDispatchNextRegistryEXT-regionCount-arraylength
# not recording
VUID-vkCmdDispatchNextRegistryEXT-commandBuffer-recording
# a wrong sType
VUID-VkNextRegistryCreateInfoEXT-sType-sType
# a value that is none
VUID-VkNextRegistryCreateInfoEXT-mode-parameter
# a handle in a structure that is dead
VUID-VkNextRegistryRegionEXT-buffer-parameter
# a handle that is dead
VUID-vkGetNextRegistryPropertiesEXT-nextRegistry-parameter
# a handle that lives longer than its device
VUID-vkDestroyDevice-device-05137
"""


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


def run(command, log=None, **more):
    """Runs it and returns its output; fails where it does. `log`: a file that gets the output."""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
        **more,
    )
    text = done.stdout.decode(errors='replace')
    if log:
        with open(log, 'w', encoding='utf-8') as f:
            f.write(text)
    if done.returncode:
        failed = text[text.index('FAILED:') :] if 'FAILED:' in text else text
        raise Failed(
            f'{" ".join(map(str, command))[:300]} ended with {done.returncode}\n' + failed[:6000]
        )
    return text


class Next:
    def __init__(self, options):
        self.options = options
        self.prefix, self.build = (
            os.path.join(options.out, 'prefix'),
            os.path.join(options.out, 'build'),
        )
        self.environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith('VK_') and k not in ('CC', 'CFLAGS', 'LDFLAGS')
        }
        self.environment['PKG_CONFIG_PATH'] = os.path.join(self.prefix, 'lib/pkgconfig')

    def make_registry(self):
        run(
            [
                sys.executable,
                os.path.join(HERE, 'make.py'),
                '--registry',
                self.options.registry,
                '--include',
                self.options.include,
                '--asked',
                os.path.join(self.options.build, 'src/stateless/asked.json'),
                '--out',
                self.prefix,
            ]
        )
        with open(os.path.join(self.prefix, 'changes.json'), encoding='utf-8') as f:
            self.changes = json.load(f)

    def make_compiler(self):
        path = os.path.join(self.options.out, 'gcc')
        launcher = 'ccache ' if shutil.which('ccache') else ''
        with open(path, 'w', encoding='utf-8') as f:
            f.write(COMPILER.format(compiler=self.options.compiler, launcher=launcher))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        self.environment['CC'] = path

    def make_layer(self):
        """Configures and builds. What was built before with the same registry and compiler is
        kept."""
        if not os.path.exists(os.path.join(self.build, 'build.ninja')):
            shutil.rmtree(self.build, ignore_errors=True)
            run(
                ['meson', 'setup', '--werror', '-Doptimization=0', '-Ddebug=false', self.build],
                cwd=ROOT,
                env=self.environment,
            )
            with open(os.path.join(self.build, 'meson-logs/meson-log.txt'), encoding='utf-8') as f:
                log = f.read()
            require(
                'gcc 99.' in log and 'is not a compiler whose warnings are known' in log,
                'nothing was said of the unknown compiler',
            )
            require(
                f'the registry is of version {self.changes["version"]}' in log,
                'nothing was said of the unknown registry',
            )
        # Compiled again: its warning must be there, and must not be an error.
        once = os.path.join(self.build, 'src/libassay.a.p/base_thread.c.o')
        if os.path.exists(once):
            os.remove(once)
        jobs = ['-j', str(self.options.jobs)] if self.options.jobs else []
        # The line about statements is said when they are judged.
        for name in ('statements.txt', 'statements-changed.txt'):
            path = os.path.join(self.build, 'src', name)
            if os.path.exists(path):
                os.remove(path)
        self.log = run(
            ['ninja', '-C', self.build, *jobs, *TARGETS],
            os.path.join(self.options.out, 'build.log'),
            env=self.environment,
        )

    def judge_build(self):
        require(
            re.search(r'warning: unused parameter', self.log),
            "the compiler's new warning was not printed",
        )
        said = re.findall(r'^assay: registry .*', self.log, re.MULTILINE)
        require(
            len(said) == 1 and f'registry {self.changes["version"]}' in said[0],
            f'the build says of its statements: {said}',
        )
        print(said[0])
        with open(os.path.join(self.build, 'src/statements-changed.txt'), encoding='utf-8') as f:
            lines = f.read().splitlines()
        words = {line.split()[0] for line in lines if line.strip()}
        for kind in ('reworded_rows', 'reworded_c', 'gone_rows', 'new'):
            missing = [vuid for vuid in self.changes[kind] if vuid not in words]
            require(not missing, f'statements-changed.txt lacks {missing} ({kind})')
        require(
            f'== new, and not enforced: {len(self.changes["new"])}' in lines,
            'the new statements were not counted',
        )
        for vuid in self.changes['gone']:
            require(
                vuid in words or vuid[-5:] in words,
                f'statements-changed.txt lacks {vuid}, which is gone',
            )
        for vuid in self.changes['reworded_c']:
            at = next(i for i, line in enumerate(lines) if line.startswith(vuid + ' '))
            require(
                re.search(r'was [0-9a-f]{8}.*, checked by src/\S+:\d+', lines[at])
                and 'of the next registry' in lines[at + 1],
                f'statements-changed.txt says of {vuid}: {lines[at : at + 2]}',
            )
        version = run([os.path.join(self.build, 'tools/assay/assay'), '--version'])
        require(
            self.changes['version'] in version and 'are not enforced' in version,
            f'assay --version says {version}',
        )

    def layer_environment(self, driver):
        return self.environment | {
            'VK_ADD_LAYER_PATH': os.path.join(self.build, 'src'),
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_DRIVER_FILES': driver,
            'VK_LOADER_LAYERS_DISABLE': '~implicit~',
        }

    def run_program(self):
        program = os.path.join(self.options.out, 'program')
        run(
            [
                *self.options.compiler.split(),
                '-o',
                program,
                os.path.join(HERE, 'program.c'),
                '-I',
                os.path.join(self.prefix, 'include'),
                '-lvulkan',
            ]
        )
        found = run(
            [program],
            env=self.layer_environment(
                os.path.join(self.build, 'tests/null-driver/assay_null_icd.json')
            ),
        )
        require(found == EXPECTED, f'{program} was to show\n{EXPECTED}and shows\n{found}')

    def run_programs(self):
        layer = os.path.join(self.build, 'src')
        with_layer = [
            sys.executable,
            os.path.join(ROOT, 'tests/run_with_layer.py'),
            '--layer-path',
            layer,
            '--driver',
            LAVAPIPE,
        ]
        run(
            [
                *with_layer,
                '--golden',
                os.path.join(ROOT, 'tests/golden/five_mistakes.txt'),
                os.path.join(self.options.build, 'tests/samples/five_mistakes'),
            ]
        )
        if shutil.which('vulkaninfo'):
            run([*with_layer, 'vulkaninfo'])
        files = [word for name in SCENARIOS for word in ('--file', name)]
        text = run(
            [
                os.path.join(self.options.build, 'tests/scenarios/scenarios'),
                '--layer-path',
                layer,
                '--driver',
                'null',
                '--null-driver',
                os.path.join(self.options.build, 'tests/null-driver/assay_null_icd.json'),
                '--jobs',
                str(self.options.jobs or os.cpu_count()),
                *files,
            ],
            os.path.join(self.options.out, 'scenarios.log'),
        )
        passed = sum(map(int, re.findall(r'^(\d+) passed, 0 failed$', text, re.MULTILINE)))
        left_out = re.findall(r'^left out: .*', text, re.MULTILINE)
        print(f'{passed} scenarios passed, {len(left_out)} were left out')
        require(passed >= FEWEST_SCENARIOS, f'fewer than {FEWEST_SCENARIOS} scenarios ran')
        require(left_out, 'no scenario was left out, though rows that scenarios test were reworded')

    def judge_strict(self):
        asked = os.path.join(self.build, 'src/stateless/asked.json')
        done = subprocess.run(
            [
                sys.executable,
                os.path.join(ROOT, 'registry/claims/statements.py'),
                '--registry',
                os.path.join(self.prefix, 'share/vulkan/registry'),
                '--mode',
                'strict',
                '--asked',
                asked,
                '--spirv-ids',
                os.path.join(self.build, 'src/spirv-ids'),
                '--notes-below',
                os.path.join(self.build, 'src'),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        require(
            done.returncode == 1 and 'Traceback' not in done.stderr,
            f'strict mode ended with {done.returncode}\n{done.stderr[:2000]}',
        )
        problems = done.stderr.splitlines()
        strangers = [
            line
            for line in problems
            if not re.match(r'(registry|src|tests)/\S+?(:\d+)?: error: ', line)
        ]
        require(not strangers, f'strict mode says, without a place: {strangers[:3]}')
        for vuid in self.changes['reworded_c']:
            require(
                any(re.match(rf'src/\S+:\d+: error: {vuid} ', line) for line in problems),
                f'strict mode does not say where {vuid} is checked',
            )
        for vuid in [
            x for x in self.changes['reworded_rows'] if not x.startswith('VUID-vkCmd')
        ] + self.changes['gone_rows']:
            require(
                any(
                    re.match(rf'registry/\w*rows\.txt:\d+: error: .*{vuid}', line)
                    for line in problems
                ),
                f'strict mode does not say which row {vuid} is',
            )
        for vuid in self.changes['gone']:
            require(
                any(vuid[-5:] in line and re.match(r'src/\S+:\d+: ', line) for line in problems),
                f'strict mode does not say who asks for {vuid}',
            )
        for vuid in self.changes['new']:
            require(
                any(vuid in line for line in problems),
                f'strict mode does not say that {vuid} is new',
            )
        print(f'{len(problems)} problems in strict mode')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', required=True)
    parser.add_argument('--registry', required=True)
    parser.add_argument('--include', required=True)
    parser.add_argument('--compiler', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--jobs', type=int)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    test = Next(options)
    try:
        for part in (
            test.make_registry,
            test.make_compiler,
            test.make_layer,
            test.judge_build,
            test.run_program,
            test.run_programs,
            test.judge_strict,
        ):
            part()
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
