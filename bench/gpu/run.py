#!/usr/bin/env python3
"""Measures what GPU-assisted validation costs, beside the Khronos layer's, in one run.

Every configuration (no layer; Assay and the Khronos layer with `gpuav_enable`, each with the core
checks off and as it comes) runs in its own process, the configurations in turn, several rounds. The
figure of a configuration is the median of its rounds' medians; on a software driver, whose
processors other work has too, the shortest of all. "Added" is the figure less that without a layer.
Each layer is also given each kernel with one bad index: one that finds nothing there checks
nothing, whatever it costs."""

import argparse
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
KHRONOS_DIRECTORY = pathlib.Path('/usr/share/vulkan/explicit_layer.d')
LAVAPIPE_MANIFESTS = [
    '/usr/share/vulkan/icd.d/lvp_icd.json',
    '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json',
]

# The issue that asked for the checks set these limits. On a GPU a limit is the time added to a
# kernel, as a part of its own; or nanoseconds added.
GPU_BUDGETS = {
    'storage': 0.15,
    'bindless': 1.0,
    'address': 0.3,
    'tiles': 0.5,
    'reduction': 0.5,
    'blur': 0.1,
    'histogram': 0.1,
    'floats': 0.15,
    'dispatches': 0.3,
    'pushes': 0.3,
}
# Rows that draw. They have a GPU time alone, and no bad index. The core checks know their textures,
# so that their limit is one of layers as they come.
SCREENS = {'textures': 0.02, 'texture_draws': 0.02}
NS_BUDGETS = {'pipeline': 2e6, 'many': 2e6, 'empty': 100e3, 'small': 100e3}
# On a software driver: time added to a kernel, as a part of what the Khronos layer adds.
SOFTWARE_BUDGET = 0.5

WHATS = {
    'gpu': 'GPU time of a dispatch, us',
    'pipeline': 'shader module and pipeline of new code, us',
    'ready': 'shader module and pipeline of new code until it is bound, us',
    'many': 'likewise, each of 16 made one behind the other, us',
    'bound': 'likewise until all are bound, for each of 16, us',
    'empty': 'submit to wait, empty command buffer, us',
    'small': 'submit to wait, one workgroup, us',
}
LAYERS = {
    'assay': ('VK_LAYER_ASSAY_validation', 'assay'),
    'khronos': ('VK_LAYER_KHRONOS_validation', 'khronos_validation'),
}
GPUAV = {'gpuav_enable': 'true'}
SETTINGS = {'': GPUAV | {'validate_core': 'false'}, '-default': GPUAV}
# Modes of `assay run --gpu=MODE` (--modes), which have no budget here.
MODES = {'-nan': SETTINGS[''] | {'gpuav_nan': 'true'}}


class Configuration:
    """One way to run: a layer or none, with its settings file in `directory`."""

    def __init__(self, name, layer, settings, options, directory):
        self.name, self.options = name, options
        self.log = directory / f'{name}.log'
        self.environment = {
            k: v for k, v in os.environ.items() if not k.startswith(('VK_', 'ASSAY_'))
        }
        # No cache of a driver or layer outlives a run.
        self.environment |= {
            'VK_DRIVER_FILES': options.driver,
            'VK_LOADER_LAYERS_DISABLE': '~implicit~',
            'VK_LOADER_DEBUG': 'none',
            'MESA_SHADER_CACHE_DISABLE': 'true',
            '__GL_SHADER_DISK_CACHE': '0',
            'XDG_CACHE_HOME': str(directory),
            'HOME': str(directory),
            'TMPDIR': str(directory),
        }
        if layer is None:
            return
        layer_name, prefix = LAYERS[layer]
        settings = settings | {
            'report_flags': 'error',
            'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG',
            'log_filename': str(self.log),
        }
        file = directory / f'{name}.txt'
        file.write_text(''.join(f'{prefix}.{key} = {value}\n' for key, value in settings.items()))
        self.environment |= {
            'VK_LAYER_PATH': f'{options.assay}:{options.khronos}',
            'VK_INSTANCE_LAYERS': layer_name,
            'VK_LAYER_SETTINGS_PATH': str(file),
        }

    def run(self, *arguments):
        """(exit status, what bench_gpu prints)."""
        result = subprocess.run(
            [*shlex.split(self.options.launcher), str(self.options.program), *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
        if result.stderr.strip():
            print(f'{self.name}: {result.stderr.strip()[-1000:]}', file=sys.stderr)
        return result.returncode, result.stdout

    def measure(self, *arguments):
        """{'KERNEL.WHAT': [median, shortest]}"""
        status, text = self.run(*arguments)
        if status not in (0, 2):  # 2: wrong results, which are in the table
            raise SystemExit(
                f'{self.name}: bench_gpu {" ".join(arguments)}: exit '
                f'{status}\n{self.findings()[:2000]}'
            )
        return {
            words[0]: [float(word) for word in words[1:]]
            for words in map(str.split, text.splitlines())
            if re.match(r'[a-z_]+\.', words[0])
        }

    def findings(self):
        return self.log.read_text(errors='replace') if self.log.exists() else ''

    def findings_forget(self):
        self.log.unlink(missing_ok=True)


def configurations(options, directory):
    """Those that this machine can run, "none" first."""
    found = [Configuration('none', None, {}, options, directory)]
    for layer, where in (('assay', options.assay), ('khronos', options.khronos)):
        if not list(where.glob(f'VkLayer_{layer}*.json')):
            print(f'no {layer} here: measured without it', file=sys.stderr)
            continue
        found += [
            Configuration(layer + suffix, layer, settings, options, directory)
            for suffix, settings in (
                SETTINGS | MODES if options.modes and layer == 'assay' else SETTINGS
            ).items()
        ]
    return [c for c in found if c.name == 'none' or not options.only or c.name in options.only]


def measure(configs, options, software):
    """{configuration: {'KERNEL.WHAT': figure}}"""
    figures = {c.name: {} for c in configs}
    start = time.monotonic()
    for round_number in range(options.rounds):
        for configuration in configs:
            arguments = [
                '--elements',
                str(options.elements),
                '--ms',
                str(options.ms),
                *options.kernels,
            ]
            for name, numbers in configuration.measure(*arguments).items():
                figures[configuration.name].setdefault(name, []).append(numbers)
        took = time.monotonic() - start
        print(f'round {round_number + 1} of {options.rounds}, {took:.0f} s', file=sys.stderr)
        if took * (round_number + 2) / (round_number + 1) > options.seconds:
            print(f'stopped there, to end within {options.seconds} s', file=sys.stderr)
            break
    of_rounds = (
        (lambda rounds: min(numbers[-1] for numbers in rounds))
        if software
        else (lambda rounds: statistics.median(numbers[0] for numbers in rounds))
    )
    return {
        c: {name: of_rounds(rounds) for name, rounds in by_name.items()}
        for c, by_name in figures.items()
    }


def probe(configuration, kernel, options):
    """Runs a kernel with a bad index: (whether the layer found it, the words for the table). In a
    dispatch that is this small all workgroups are watched for races."""
    configuration.findings_forget()
    status, _ = configuration.run(
        '--elements', str(min(options.elements, 1 << 13)), '--bad', kernel
    )
    text = configuration.findings()
    configuration.findings_forget()
    names = sorted(set(re.findall(r'(?:VUID|UNASSIGNED|ASSAY|SharedMemoryDataRace)-[\w-]+', text)))
    ended = f', exit {status}' if status else ''
    return bool(names), ('yes: ' + ', '.join(names) if names else 'no') + ended


def row(cells, widths):
    print(
        '  '.join(
            str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths))
        ).rstrip()
    )


def added(figures, configuration, name):
    return figures[configuration][name] - figures['none'][name]


def verdict(figures, software, configuration, kernel, what):
    """(text, whether a budget is broken) of one figure of Assay's; no text where there is no
    budget."""
    name = f'{kernel}.{what}'
    ours = added(figures, configuration, name)
    if not software and what != 'gpu' and what not in NS_BUDGETS:
        return '', False
    if configuration.endswith(tuple(MODES)):
        return '', False
    if kernel in SCREENS and not configuration.endswith('-default'):
        return '', False
    if not software:
        part, of, budget = (
            (ours / figures['none'][name], 'its own time', (GPU_BUDGETS | SCREENS)[kernel])
            if what == 'gpu'
            else (ours / NS_BUDGETS[what], f'{NS_BUDGETS[what] / 1e3:,.0f} us', 1)
        )
    else:
        peer = configuration.replace('assay', 'khronos')
        theirs = added(figures, peer, name) if peer in figures else 0
        if what != 'gpu' or theirs <= 0:
            return '', False
        part, of, budget = ours / theirs, 'what the Khronos layer adds', SOFTWARE_BUDGET
    return (
        f'{part:.2f} of {of}, budget {budget}: {"OVER" if part > budget else "ok"}',
        part > budget,
    )


def tables_print(figures, options, software):
    """The names of figures over their budgets."""
    broken = []
    widths = [13, 10] + [26] * (len(figures) - 1)
    for what, title in WHATS.items():
        measured = [k for k in options.kernels if f'{k}.{what}' in figures['none']]
        if not measured:
            continue
        print(
            f'\n{title}; in brackets what the layer adds, and that as a part of the figure '
            f'without a layer'
        )
        row(['', *figures], widths)
        for kernel in measured:
            cells = [kernel]
            for configuration, by_name in figures.items():
                figure, extra = (
                    by_name[f'{kernel}.{what}'],
                    added(figures, configuration, f'{kernel}.{what}'),
                )
                cells.append(
                    f'{figure / 1e3:,.1f}'
                    + (
                        f' ({extra / 1e3:+,.1f}, {extra / (figure - extra):.2f})'
                        if configuration != 'none'
                        else ''
                    )
                )
            row(cells, widths)
        for kernel in measured:
            for configuration in [c for c in figures if c.startswith('assay')]:
                text, over = verdict(figures, software, configuration, kernel, what)
                if text:
                    print(f'  {kernel}, {configuration}: {text}')
                if over:
                    broken.append(f'{kernel} {what} {configuration}')
    return broken


def arguments_parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('kernels', nargs='*', help='only these (bench_gpu --list names them)')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--ms', type=float, default=100, help='per figure, configuration and round')
    parser.add_argument('--elements', type=int, default=1 << 18, help='of a dispatch')
    parser.add_argument(
        '--seconds', type=float, default=200, help='start no round that would end after this'
    )
    parser.add_argument('--only', nargs='+', default=[], help='configurations beside "none"')
    parser.add_argument(
        '--modes', action='store_true', help='Assay with each mode of assay run --gpu=MODE as well'
    )
    parser.add_argument(
        '--build',
        type=pathlib.Path,
        default=HERE.parents[1] / 'build',
        help='build directory that holds program and layer',
    )
    parser.add_argument('--program', type=pathlib.Path, help='bench_gpu')
    parser.add_argument('--assay', type=pathlib.Path, help='directory of the manifest of Assay')
    parser.add_argument(
        '--khronos',
        type=pathlib.Path,
        default=KHRONOS_DIRECTORY,
        help='directory of the manifest of the Khronos layer',
    )
    parser.add_argument(
        '--driver',
        default=next((path for path in LAVAPIPE_MANIFESTS if os.path.exists(path)), ''),
        help='manifest',
    )
    parser.add_argument(
        '--launcher',
        default='',
        help='what starts the program: a dynamic linker with its arguments, say',
    )
    parser.add_argument('--json', type=pathlib.Path, help='write the figures there')
    parser.add_argument(
        '--check',
        action='store_true',
        help='exit 1 where a budget is not held, or Assay does not find a bad index',
    )
    options = parser.parse_args()
    options.program = options.program or options.build / 'bench/gpu/bench_gpu'
    options.assay = options.assay or options.build / 'src'
    return options


def main():
    options = arguments_parse()
    with tempfile.TemporaryDirectory() as directory:
        configs = configurations(options, pathlib.Path(directory))
        status, device = configs[0].run('--device')
        if status:
            raise SystemExit('no device')
        _, listed = configs[0].run('--list')
        texts = dict(line.split(' ', 1) for line in listed.splitlines())
        options.kernels = options.kernels or list(texts)
        software = 'llvmpipe' in device
        figures = measure(configs, options, software)
        false_findings = {c.name: c.findings() for c in configs}
        probes = {
            (c.name, kernel): probe(c, kernel, options)
            for c in configs[1:]
            for kernel in options.kernels
            if kernel not in SCREENS
        }
    print(
        f'device: {device.strip()}; {options.elements:,} elements a dispatch; '
        f'{"shortest of all" if software else "medians"}'
    )
    broken = tables_print(figures, options, software)
    print('\nDoes it check at all? One bad index, and what is said of it.')
    for (configuration, kernel), (found, text) in probes.items():
        print(f'  {configuration + ",":16} {kernel + ":":10} checks: {text}')
        if configuration.startswith('assay') and not found:
            broken.append(f'{kernel} {configuration} checks nothing')
    print('\nkernels: ' + '; '.join(f'{name}: {text}' for name, text in texts.items()))
    wrong = [
        f'{name}, {c}: {int(number)}'
        for c, by_name in figures.items()
        for name, number in by_name.items()
        if name.endswith('.wrong') and number
    ]
    print(f'wrong results: {"; ".join(wrong) or "none"}')
    print(f'not held: {"; ".join(broken) or "none"}')
    for name, text in false_findings.items():
        if text.strip():
            print(f'\n{name} reported findings on valid calls:\n{text[:1500]}')
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    'device': device.strip(),
                    'elements': options.elements,
                    'ns': figures,
                    'not_held': broken,
                    'probes': {f'{c} {k}': text for (c, k), (_, text) in probes.items()},
                },
                indent=1,
            )
        )
    false_alarm = any(
        text.strip() for name, text in false_findings.items() if name.startswith('assay')
    )
    return 1 if wrong or false_alarm or (options.check and broken) else 0


if __name__ == '__main__':
    sys.exit(main())
