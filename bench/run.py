#!/usr/bin/env python3
"""Measures what Assay costs, beside the Khronos layer, in one run.

Every configuration (no layer; Assay and the Khronos layer, each with the same checks and as it
comes) runs in its own process, the configurations in turn, several rounds. The figure of a
configuration is the shortest of its pieces over all rounds: other work on the machine only ever
adds time. "Added" is the figure less that without a layer."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# The null driver's device where there are more threads than its own has queues.
MANY_QUEUES = {'queueFamilies': [{'flags': ['graphics', 'compute', 'transfer'], 'count': 16}]}
MANY_THREADS = 2  # more than that
KHRONOS_MANIFESTS = [
    pathlib.Path(p) / 'vulkan/explicit_layer.d/VkLayer_khronos_validation.json'
    for p in ('/usr/share', '/usr/local/share', '/etc')
]
LAVAPIPE_MANIFESTS = [
    '/usr/share/vulkan/icd.d/lvp_icd.json',
    '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json',
]

# Budgets: Assay's added cost per operation as a part of the Khronos layer's, as both come, and with
# the same checks enabled (docs/bench.md).
BUDGET = 0.1
BUDGETS = {
    'draw_stream': 0.05,
    'together_draw': 0.05,
    'draw': 0.025,
    'pipeline': 0.5,
    'pipeline_new': 0.5,
    'compute_pipeline': 0.5,
    'startup': 0.25,
    'churn_commands': 0.33,
    'fresh_allocate': 0.5,
    'fresh_record': 0.33,
}
BUDGETS_SAME_CHECKS = {
    'startup': 0.25,
    'churn_commands': 0.33,
    'fresh_allocate': 0.5,
    'fresh_record': 0.33,
    'record_again': 0.2,
}
# The steps of a command buffer whose memory no earlier one had, with a copy recorded; measured with
# synchronization validation, too.
FRESH = ['fresh_allocate', 'fresh_record', 'record_again']
# Both layers as they come, with synchronization validation on: what is measured of it, and the one
# budget of it.
SYNC = {'validate_sync': 'true'}
SYNC_OPERATIONS = [
    'draw_stream',
    'draw',
    'draw_sets',
    'dynamic_offsets',
    'copy_barrier',
    'copy_512',
    'image_barrier',
    'image_barrier2',
    'together_draw',
    'together_copy',
    'together_barrier',
    'submit',
    'submit_copies',
    'submit_parts',
    'submit_flight',
    'submit_chain',
]
# Both layers as they come, with best practices on, without and with the advice of all vendors. What
# they add is compared, and so each
# layer's figure as it comes is what is taken away. In the other operations the Khronos layer's
# practices add some hundreds of instructions: bench/practices.sh counts them, and docs/bench.md
# says where a tenth of that is not held.
PRACTICES = {'validate_best_practices': 'true', 'report_flags': 'error,warn,perf'}
VENDORS = PRACTICES | {
    f'validate_best_practices_{vendor}': 'true' for vendor in ('arm', 'amd', 'img', 'nvidia')
}
PRACTICES_OPERATIONS = [
    'draw_stream',
    'draw',
    'draw_dynamic',
    'draw_culled',
    'dispatch',
    'copy_barrier',
    'image_barrier',
    'image_barrier2',
    'churn_image',
    'submit',
    'submit_copies',
]
OPERATIONS_OF = {
    '-sync': SYNC_OPERATIONS,
    '-practices': PRACTICES_OPERATIONS,
    '-vendors': PRACTICES_OPERATIONS,
}
# The pairs that are compared, and the titles of their columns.
PAIRS = {
    ('assay', 'khronos'): 'added assay/khronos',
    ('assay-default', 'khronos-default'): 'added, defaults',
    ('assay-sync', 'khronos-sync'): 'added, sync',
    ('assay-practices', 'khronos-practices'): 'added, practices',
    ('assay-vendors', 'khronos-vendors'): 'added, vendors',
}
# Bytes that an object may cost, of what the layer adds.
BYTES_BUDGETS = {
    'bytes buffer': 256,
    'bytes image': 512,
    'bytes descriptor': 16.5,
    'bytes command_buffer': 4096,
}
SCALING_BUDGET = 1.9
LIBRARY_BUDGET = 6_600_000

# The checks that both have: stateless, lifetimes, threads. The rest is off where it can be switched
# off.
SAME_CHECKS = {
    'validate_core': 'false',
    'check_shaders': 'false',
    'check_image_layout': 'false',
    'check_command_buffer': 'false',
    'check_object_in_use': 'false',
    'check_query': 'false',
    'validate_sync': 'false',
    'validate_best_practices': 'false',
    'gpuav_enable': 'false',
    'stateless_param': 'true',
    'object_lifetime': 'true',
    'thread_safety': 'true',
    'unique_handles': 'true',
}


class Configuration:
    """One way to run: a layer or none, with its settings file in `directory`."""

    launcher: list[
        str
    ] = []  # before bench_ops: where another C library than the machine's is needed
    many_queues = ''  # the null driver's file for more than MANY_THREADS threads

    def __init__(self, name, layer, prefix, settings, directory):
        self.name = name
        self.log = directory / f'{name}.log'
        self.environment = {
            k: v for k, v in os.environ.items() if not k.startswith(('VK_', 'ASSAY_'))
        }
        self.environment['VK_LOADER_LAYERS_DISABLE'] = '~implicit~'
        self.environment['VK_LOADER_DEBUG'] = 'none'
        if layer is None:
            return
        settings = settings | {
            'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG',
            'log_filename': str(self.log),
        }
        file = directory / f'{name}.txt'
        file.write_text(''.join(f'{prefix}.{key} = {value}\n' for key, value in settings.items()))
        self.environment['VK_INSTANCE_LAYERS'] = layer
        self.environment['VK_LAYER_SETTINGS_PATH'] = str(file)

    def run(self, driver, arguments, threads=1, timeout=120):
        """The lines that bench_ops prints, as {name: [numbers]}."""
        environment = self.environment | {'VK_DRIVER_FILES': driver}
        if threads > MANY_THREADS:
            environment['ASSAY_NULL_DRIVER'] = self.many_queues
        result = subprocess.run(
            [*self.launcher, HERE / 'bench_ops', '--threads', str(threads), *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=timeout,
        )
        if result.returncode:
            raise SystemExit(
                f'{self.name}: bench_ops {" ".join(arguments)}: exit '
                f'{result.returncode}\n{result.stdout[-200:]}{result.stderr[-2000:]}'
            )
        figures = {}
        for line in result.stdout.splitlines():
            words = line.split()
            try:
                figures[words[0]] = [float(word) for word in words[1:3]]
            except (ValueError, IndexError):
                continue  # the Khronos layer announces its log file on stdout
        return figures

    def findings(self):
        """Returns the findings of the layer. The calls of the bench are valid, so anything but
        advice is a bug, here or there."""
        text = self.log.read_text(errors='replace') if self.log.exists() else ''
        return (
            '' if self.name.endswith(('-practices', '-vendors')) and 'VUID-' not in text else text
        )


def base_of(name):
    """The configuration whose figure is taken away from that of `name`: what is left is added."""
    layer, _, settings = name.partition('-')
    return f'{layer}-default' if settings in ('practices', 'vendors') else 'none'


def operations_of(name):
    """The operations that `name` is measured with where none are asked for; an empty list: all."""
    return next((operations for end, operations in OPERATIONS_OF.items() if name.endswith(end)), [])


def setting_names(node):
    """All keys of settings in a layer's manifest, however deep."""
    if isinstance(node, list):
        return set().union(*map(setting_names, node))
    if isinstance(node, dict):
        return (
            {node['key']} | setting_names(list(node.values()))
            if 'key' in node
            else setting_names(list(node.values()))
        )
    return set()


def configurations(directory, build, khronos, wanted):
    """Those that this machine can run, "none" first. Each layer is given the settings that its
    manifest knows."""
    found = [Configuration('none', None, None, {}, directory)]
    layers = (
        ('assay', 'VK_LAYER_ASSAY_validation', 'assay', build / 'src/VkLayer_assay.json'),
        (
            'khronos',
            'VK_LAYER_KHRONOS_validation',
            'khronos_validation',
            next((p for p in khronos if p.exists()), None),
        ),
    )
    for name, layer, prefix, manifest in layers:
        if manifest is None or not manifest.exists():
            print(f'no {layer} here: measured without it', file=sys.stderr)
            continue
        known = setting_names(json.loads(manifest.read_text())['layer']['features']['settings'])
        same = {key: value for key, value in SAME_CHECKS.items() if key in known}
        for configuration in (
            Configuration(name, layer, prefix, same, directory),
            Configuration(f'{name}-default', layer, prefix, {}, directory),
            Configuration(f'{name}-sync', layer, prefix, SYNC, directory),
            Configuration(f'{name}-practices', layer, prefix, PRACTICES, directory),
            Configuration(f'{name}-vendors', layer, prefix, VENDORS, directory),
        ):
            if name == 'assay' or manifest not in KHRONOS_MANIFESTS:
                configuration.environment['VK_ADD_LAYER_PATH'] = str(manifest.parent)
            found.append(configuration)
    missing = set(wanted) - {c.name for c in found}
    if missing:
        raise SystemExit(f'no configuration {missing.pop()}')
    needed = {'none', *wanted, *map(base_of, wanted)}
    return [c for c in found if not wanted or c.name in needed]


def drivers(build):
    found = {}
    null_driver = build / 'tests/null-driver/assay_null_icd.json'
    if null_driver.exists():
        found['null'] = str(null_driver)
    lavapipe = next((path for path in LAVAPIPE_MANIFESTS if os.path.exists(path)), None)
    if lavapipe:
        found['lavapipe'] = lavapipe
    return found


def merge(into, figures):
    """Keeps the shortest piece, and all medians (their median shows how noisy the run was)."""
    for name, numbers in figures.items():
        best = into.setdefault(name, {'min': numbers[0], 'medians': []})
        best['min'] = min(best['min'], numbers[0])
        best['medians'].append(numbers[-1])


def measure(configs, driver_files, options):
    """{driver: {threads: {configuration: {operation: {min, medians}}}}}; startup and bytes are
    operations of thread count 1."""
    figures = {d: {t: {c.name: {} for c in configs} for t in options.threads} for d in driver_files}
    start = time.monotonic()
    for round_number in range(options.rounds):
        for driver, file in driver_files.items():
            for threads in options.threads:
                for configuration in configs:
                    operations = options.operations or operations_of(configuration.name)
                    merge(
                        figures[driver][threads][configuration.name],
                        configuration.run(file, ['--ms', str(options.ms), *operations], threads),
                    )
            if options.operations:
                continue
            for configuration in [c for c in configs if c.name.endswith('-sync')]:
                merge(
                    figures[driver][options.threads[0]][configuration.name],
                    configuration.run(file, ['--fresh', '3000']),
                )
            for configuration in [c for c in configs if not operations_of(c.name)]:
                one = figures[driver][options.threads[0]][configuration.name]
                merge(one, configuration.run(file, ['--startup', '4']))
                merge(one, configuration.run(file, ['--fresh', '3000']))
                if round_number == 0:
                    bytes_each = configuration.run(file, ['--bytes', '100000'])
                    merge(one, {f'bytes {kind}': numbers for kind, numbers in bytes_each.items()})
        print(
            f'round {round_number + 1} of {options.rounds}, {time.monotonic() - start:.0f} s',
            file=sys.stderr,
        )
        if time.monotonic() - start > options.seconds * (round_number + 1) / (round_number + 2):
            print(
                f'stopped after {round_number + 1} rounds, to end within {options.seconds} s',
                file=sys.stderr,
            )
            break
    return figures


def ratio(figures, name, layer, peer):
    """Added by `layer` as a part of what is added by `peer`, or None."""
    try:
        ours, theirs = (
            figures[c][name]['min'] - figures[base_of(c)][name]['min'] for c in (layer, peer)
        )
    except KeyError:
        return None
    return ours / theirs if theirs > 0 else None


def budget_of(name, configuration):
    return (BUDGETS if configuration == 'assay-default' else BUDGETS_SAME_CHECKS).get(name, BUDGET)


def row(title, cells, widths):
    print(
        '  '.join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip([title, *cells], widths))
        ).rstrip()
    )


def table_print(driver, threads, figures, names):
    """One driver at one thread count: ns per operation, and ratios of what is added."""
    present = [c for c in figures if figures[c]]
    pairs = [(ours, theirs) for ours, theirs in PAIRS if ours in present and theirs in present]
    print(
        f'\n{driver} driver, {threads} thread{"s" * (threads > 1)}: ns per operation and '
        f'thread; in brackets what the layer adds, or practices do'
    )
    widths = [16] + [8] + [20] * (len(present) - 1) + [22] * len(pairs)
    row('', present + [PAIRS[pair] for pair in pairs], widths)
    for name in names:
        base = figures['none'].get(name)
        if not base:
            continue
        cells = []
        for c in present:
            best = figures[c].get(name)
            if not best:
                cells.append('-')
            elif c == 'none':
                cells.append(f'{best["min"]:.1f}')
            else:
                cells.append(
                    f'{best["min"]:.1f} ({best["min"] - figures[base_of(c)][name]["min"]:+.1f})'
                )
        for ours, theirs in pairs:
            part = ratio(figures, name, ours, theirs)
            mark = '' if part is None else '  ok  ' if part <= budget_of(name, ours) else ' OVER '
            cells.append('-' if part is None else f'{part:.3f}{mark}')
        row(name, cells, widths)


def scaling_print(driver, by_threads, names):
    """Throughput of two threads over that of one."""
    if not {1, 2} <= set(by_threads):
        return {}
    one, two = by_threads[1], by_threads[2]
    scaling = {
        c: {
            n: 2 * one[c][n]['min'] / two[c][n]['min'] for n in names if n in one[c] and n in two[c]
        }
        for c in one
    }
    present = [c for c in scaling if scaling[c]]
    print(f'\n{driver} driver: throughput of 2 threads over 1')
    row('', present, [16] + [16] * len(present))
    for name in names:
        if name in scaling[present[0]]:
            row(
                name,
                [
                    '-'
                    if name not in scaling[c]
                    else f'{scaling[c][name]:.2f}'
                    + (
                        ' OVER'
                        if c.startswith('assay') and scaling[c][name] < SCALING_BUDGET
                        else ''
                    )
                    for c in present
                ],
                [16] + [16] * len(present),
            )
    return scaling


def bytes_print(driver, figures):
    print(f'\n{driver} driver: bytes of resident memory per object, 100,000 alive')
    present = [c for c in figures if figures[c]]
    row('', present, [16] + [16] * len(present))
    for name in [n for n in figures['none'] if n.startswith('bytes ')]:
        row(
            name.removeprefix('bytes '),
            [f'{figures[c][name]["min"]:.0f}' if name in figures[c] else '-' for c in present],
            [16] + [16] * len(present),
        )


def library_sizes(build):
    """Stripped size in bytes of both libraries, by name."""
    sizes = {}
    khronos = next(
        (p for p in pathlib.Path('/usr/lib').glob('*/libVkLayer_khronos_validation.so')), None
    )
    for name, path in (('assay', build / 'src/libVkLayer_assay.so'), ('khronos', khronos)):
        if path is None or not path.exists() or not shutil.which('strip'):
            continue
        with tempfile.NamedTemporaryFile() as stripped:
            shutil.copyfile(path, stripped.name)
            subprocess.run(['strip', stripped.name], check=True)
            sizes[name] = os.path.getsize(stripped.name)
    return sizes


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('operations', nargs='*', help='only these (bench_ops --list names them)')
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument(
        '--ms', type=float, default=25, help='per operation, configuration and round'
    )
    parser.add_argument(
        '--seconds', type=float, default=200, help='start no round that would end after this'
    )
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2], choices=[1, 2, 4, 8, 16])
    parser.add_argument('--only', nargs='+', default=[], help='configurations beside "none"')
    parser.add_argument(
        '--drivers', nargs='+', default=['null', 'lavapipe'], choices=['null', 'lavapipe']
    )
    parser.add_argument(
        '--build',
        type=pathlib.Path,
        default=HERE.parent,
        help='build directory that holds the layer',
    )
    parser.add_argument(
        '--khronos',
        type=pathlib.Path,
        help='manifest of the Khronos layer, where it is not installed',
    )
    parser.add_argument(
        '--launcher', default='', help='command in front of bench_ops, such as a dynamic linker'
    )
    parser.add_argument('--json', type=pathlib.Path, help='write the figures there')
    parser.add_argument(
        '--strict', action='store_true', help='exit 1 where a budget is not held on the null driver'
    )
    options = parser.parse_args()
    Configuration.launcher = options.launcher.split()
    what = dict(
        line.split(' ', 1)
        for line in subprocess.run(
            [*Configuration.launcher, HERE / 'bench_ops', '--list'],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.splitlines()
    )
    unknown = [name for name in options.operations if name not in what]
    if unknown:
        parser.error(f'no operation {unknown[0]}; there are: {", ".join(what)}')
    driver_files = {
        name: file for name, file in drivers(options.build).items() if name in options.drivers
    }
    if not driver_files:
        parser.error('neither the null driver nor lavapipe is there')
    with tempfile.TemporaryDirectory() as directory:
        many_queues = pathlib.Path(directory) / 'many_queues.json'
        many_queues.write_text(json.dumps(MANY_QUEUES))
        Configuration.many_queues = str(many_queues)
        khronos = [options.khronos.resolve()] if options.khronos else KHRONOS_MANIFESTS
        configs = configurations(
            pathlib.Path(directory), options.build.resolve(), khronos, options.only
        )
        figures = measure(configs, driver_files, options)
        findings = {c.name: c.findings() for c in configs}
    names = list(what) + FRESH + ['startup']
    scaling = {}
    for driver, by_threads in figures.items():
        for threads, by_configuration in by_threads.items():
            table_print(driver, threads, by_configuration, names)
        scaling[driver] = scaling_print(driver, by_threads, names)
        if not options.operations:
            bytes_print(driver, by_threads[options.threads[0]])
    sizes = library_sizes(options.build)
    print(
        '\nlibrary, stripped: '
        + ', '.join(f'{name} {size:,} bytes' for name, size in sizes.items())
    )
    print('operations: ' + '; '.join(f'{name}: {text}' for name, text in what.items()))
    over = budgets_broken(figures, scaling, sizes, names)
    print(f'\nbudgets not held: {"; ".join(over) if over else "none"}')
    for name, text in findings.items():
        if text.strip():
            print(f'\n{name} reported findings on valid calls:\n{text[:1500]}')
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    'figures': figures,
                    'scaling': scaling,
                    'library_bytes': sizes,
                    'operations': what,
                    'budgets_not_held': over,
                    'findings': findings,
                },
                indent=1,
            )
        )
    return (
        1
        if any(text.strip() for name, text in findings.items() if name.startswith('assay'))
        or (options.strict and over)
        else 0
    )


def budgets_broken(figures, scaling, sizes, names):
    """Sentences, one for each budget that is not held on the null driver (on lavapipe the driver's
    own noise is in the difference)."""
    over = []
    for threads, by_configuration in figures.get('null', {}).items():
        for checks, which in (
            ('', 'same checks'),
            ('-default', 'as they come'),
            ('-sync', 'validate_sync on'),
            ('-practices', 'what practices add'),
            ('-vendors', 'what practices of all vendors add'),
        ):
            for name in names:
                part = ratio(by_configuration, name, f'assay{checks}', f'khronos{checks}')
                budget = budget_of(name, f'assay{checks}')
                if part is not None and part > budget:
                    over.append(
                        f'{name}, {which}, {threads} thread{"s" * (threads > 1)}: '
                        f"{part:.3f} of the Khronos layer's, "
                        f'budget {budget}'
                    )
            ours = by_configuration.get(f'assay{checks}', {})
            for name, budget in BYTES_BUDGETS.items():
                added = (
                    ours[name]['min'] - by_configuration['none'][name]['min'] if name in ours else 0
                )
                if added > budget:
                    over.append(f'{name}, {which}: {added:.0f}, budget {budget}')
    for checks in ('assay', 'assay-default', 'assay-sync'):
        for name, factor in scaling.get('null', {}).get(checks, {}).items():
            if factor < SCALING_BUDGET:
                over.append(
                    f'{name}, {checks}: 2 threads do {factor:.2f} times the work of one, '
                    f'budget {SCALING_BUDGET}'
                )
    if sizes.get('assay', 0) > LIBRARY_BUDGET:
        over.append(f'library: {sizes["assay"]:,} bytes, budget {LIBRARY_BUDGET:,}')
    return over


if __name__ == '__main__':
    sys.exit(main())
