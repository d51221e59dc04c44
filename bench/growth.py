#!/usr/bin/env python3
"""Measures what grows faster than the work: rows of bench_growth at several sizes, with no layer,
Assay and the Khronos layer.

A figure is the shortest of several tries, in nanoseconds, without that of no layer. A row is flat
where the figure at its last size is at most `aim` times that at its first. With --before DIR, the
Assay layer in DIR is measured in the same run, and the last column says how many times less the
layer of now takes at the last size."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import run

LEAST = 50.0  # ns: less is noise, of which no factor is made


class Before(run.Configuration):
    """An Assay layer of another build."""

    def __init__(self, name, settings, directory, layer_path):
        super().__init__(name, 'VK_LAYER_ASSAY_validation', 'assay', settings, directory)
        self.environment['VK_ADD_LAYER_PATH'] = str(layer_path)


def chosen(directory, options):
    """The configurations, "none" first."""
    khronos = [options.khronos.resolve()] if options.khronos else run.KHRONOS_MANIFESTS
    wanted = (
        ['assay-sync', 'khronos-sync'] if options.sync else ['assay-default', 'khronos-default']
    )
    configs = run.configurations(directory, options.build.resolve(), khronos, [])
    configs = [c for c in configs if c.name in ['none', *wanted]]
    if not options.peer:
        configs = [c for c in configs if not c.name.startswith('khronos')]
    if options.before:
        configs.insert(
            1,
            Before('before', run.SYNC if options.sync else {}, directory, options.before.resolve()),
        )
    return configs


def measure(configuration, driver, program, name, sizes, timeout):
    """{size: ns} of a row, and its aim. Sizes that take too long are missing."""
    arguments = (['--sizes', sizes] if sizes else []) + [name]
    try:
        result = subprocess.run(
            [program, *arguments],
            env=configuration.environment | {'VK_DRIVER_FILES': driver},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=timeout,
        )
        output = result.stdout
        if result.returncode:
            raise SystemExit(
                f'{configuration.name}: {program} {name}: exit '
                f'{result.returncode}\n{result.stderr[-2000:]}'
            )
    except subprocess.TimeoutExpired as slow:
        output = (slow.stdout or b'').decode()
    for line in output.splitlines():
        words = line.split()
        if words and words[0] == name:
            pairs = [word.split(':') for word in words[2:] if ':' in word]
            return {int(size): float(ns) for size, ns in pairs}, float(words[1])
    return {}, 0.0


def figure_text(figures, base, size):
    return f'{figures[size] - base.get(size, 0):,.0f}' if size in figures else '-'


def factor(figures, base):
    """The last figure as a multiple of the first one."""
    sizes = sorted(figures)
    if len(sizes) < 2:
        return 0.0
    return max(figures[sizes[-1]] - base[sizes[-1]], LEAST) / max(
        figures[sizes[0]] - base[sizes[0]], LEAST
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('rows', nargs='*', help='only these (bench_growth --list names them)')
    parser.add_argument('--sizes', default='', help='numbers with commas in between, for all rows')
    parser.add_argument('--sync', action='store_true', help='with validate_sync on, in all layers')
    parser.add_argument(
        '--before', type=pathlib.Path, help='directory of another Assay layer and its manifest'
    )
    parser.add_argument(
        '--no-peer', dest='peer', action='store_false', help='without the Khronos layer'
    )
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build'))
    parser.add_argument(
        '--khronos',
        type=pathlib.Path,
        help='manifest of the Khronos layer, where it is not installed',
    )
    parser.add_argument('--seconds', type=float, default=60, help='that a layer may take for a row')
    parser.add_argument('--strict', action='store_true', help='exit 1 where an aim is not reached')
    options = parser.parse_args()
    program = str(options.build / 'bench/bench_growth')
    driver = run.drivers(options.build.resolve())['null']
    listed = subprocess.run(
        [program, '--list'], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    what = dict(line.split(' ', 1) for line in listed)
    over = []
    with tempfile.TemporaryDirectory() as directory:
        configs = chosen(pathlib.Path(directory), options)
        for name in options.rows or what:
            print(f'{name}: {what[name]}')
            base = {}
            last = {}
            for configuration in configs:
                figures, aim = measure(
                    configuration, driver, program, name, options.sizes, options.seconds
                )
                if configuration.name == 'none':
                    base = figures
                    continue
                last[configuration.name] = figures
                grown = factor(figures, base)
                held = grown <= aim
                if configuration.name.startswith('assay') and not held:
                    over.append(f'{name}: {grown:.1f}, aim {aim:g}')
                cells = '  '.join(f'{size:,}: {figure_text(figures, base, size)}' for size in base)
                print(
                    f'  {configuration.name:16} {cells}  grows {grown:.1f} (aim '
                    f'{aim:g}{"" if held else ", OVER"})'
                )
            ours = next((figures for key, figures in last.items() if key.startswith('assay')), {})
            before = last.get('before', {})
            common = [size for size in ours if size in before]
            if common:
                size = common[-1]
                print(
                    f'  at {size:,} it took '
                    f'{(before[size] - base[size]) / max(ours[size] - base[size], 1):.1f} '
                    f'times as long before'
                )
        texts = [c.findings() for c in configs if c.name.startswith('assay')]
    print(f'\naims not reached: {"; ".join(over) if over else "none"}')
    for text in texts:
        if text.strip():
            print(f'findings on valid calls:\n{text[:1500]}')
    return 1 if any(text.strip() for text in texts) or (options.strict and over) else 0


if __name__ == '__main__':
    sys.exit(main())
