#!/usr/bin/env python3
"""Measures what checks add to the shaders of a real renderer, and to its time. Runs Godot
(Forward+, the scene of tests/real-programs/godot, on lavapipe, each time with a cold shader cache)
without a layer, under the Khronos layer and under Assay with gpuav_enable, and compares, shader by
shader, the words of those that both layers have instrumented, and the machine code that Mesa made
of them, which the time of compiling goes with.

    ./dev build && echo 'python3 tests/godot_shaders.py' | ./dev shell           words
    ./dev build && echo 'python3 tests/godot_shaders.py --time' | ./dev shell    and the time of
    whole runs, in turn

Ends with status 1 where Assay needs more words in all, or in more shaders, than it is held to."""

import argparse
import hashlib
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import real_programs_list  # noqa: E402
import real_programs_run  # noqa: E402

FRAMES = 22
LAYERS = {
    'none': None,
    'khronos': ('VK_LAYER_KHRONOS_validation', 'khronos_validation'),
    'assay': ('VK_LAYER_ASSAY_validation', 'assay'),
}
# The Khronos layer adds fewer words than this where none of its checks can find anything.
CHECKS_NOTHING = 400
# Assay may need more words in so many of the shaders in which a check can find something, and in
# so many of all: it checks there what the other one does not (shared memory, arithmetic).
MORE_AT_MOST, MORE_OF_ALL_AT_MOST = 0, 31
# The first is a size of compiled code: smaller code is Mesa's own, or hardly anything. The second
# is the price for leaving one out when pairs are looked for (a logarithm).
CODE_LEAST, CODE_LEFT_OUT = 1500, 1.2


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(name, build, display, directory, dump):
    """Runs Godot once in the directory; gives (wall, CPU) seconds and the kilobytes of machine code
    in Mesa's shader cache."""
    shutil.copytree(
        real_programs_list.ROOT / 'tests/real-programs/godot', directory, dirs_exist_ok=True
    )
    directory.chmod(0o700)
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(('VK_', 'ASSAY_', 'WAYLAND_'))
    }
    environment |= {
        'VK_DRIVER_FILES': real_programs_list.LAVAPIPE,
        'HOME': str(directory),
        'XDG_RUNTIME_DIR': str(directory),
        'XDG_CACHE_HOME': str(directory / 'cache'),
        'DISPLAY': display,
        'LC_ALL': 'C.UTF-8',
        'LP_NUM_THREADS': '1',
    }
    if LAYERS[name]:
        layer, prefix = LAYERS[name]
        settings = {
            'gpuav_enable': 'true',
            'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG',
            'log_filename': str(directory / 'layer.log'),
            'gpuav_debug_dump_instrumented_shaders': 'true' if dump else 'false',
        }
        (directory / 'vk_layer_settings.txt').write_text(
            ''.join(f'{prefix}.{key} = {value}\n' for key, value in settings.items())
        )
        environment |= {
            'VK_INSTANCE_LAYERS': layer,
            'VK_LAYER_SETTINGS_PATH': str(directory / 'vk_layer_settings.txt'),
            'VK_ADD_LAYER_PATH': str(build / 'src'),
        }
    command = [
        argument if argument != '32' else str(FRAMES) for argument in real_programs_list.GODOT
    ]
    start, used = time.monotonic(), cpu_seconds()
    subprocess.run(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    wall, cpu = time.monotonic() - start, cpu_seconds() - used
    cache = sum(
        file.stat().st_size
        for file in directory.glob('cache/mesa_shader_cache*/**/*')
        if file.is_file() and file.name != 'index'
    )
    return wall, cpu, cache // 1000


def words_of(path):
    return path.stat().st_size // 4


def instrumented(directory, before, after):
    """{hash of a shader: (its words, the fewest that the instrumented one has)} of the pairs that a
    layer has dumped."""
    found = {}
    for path in directory.glob(f'*{before}.spv'):
        other = path.with_name(path.name.replace(before, after))
        if not other.exists():
            continue
        key = hashlib.sha256(path.read_bytes()).hexdigest()
        found[key] = (words_of(path), min(words_of(other), found.get(key, (0, sys.maxsize))[1]))
    return found


def compare_words(theirs, ours):
    """Prints the shaders; gives whether Assay keeps to what it is held to."""
    both = sorted(
        (theirs[key][0], theirs[key][1], ours[key][1]) for key in theirs.keys() & ours.keys()
    )
    checked = [row for row in both if row[1] - row[0] >= CHECKS_NOTHING]
    print('words, added by the Khronos layer, added by Assay')
    for before, khronos, assay in both:
        mark = (
            ''
            if assay <= khronos
            else '  more'
            if khronos - before >= CHECKS_NOTHING
            else '  more, where the other one has nothing to tell'
        )
        print(f'{before:6} {khronos - before:6} {assay - before:6}{mark}')
    sums = [sum(row[i] for row in both) for i in range(3)]
    more = sum(row[2] > row[1] for row in checked)
    of_all = sum(row[2] > row[1] for row in both)
    print(
        f'{len(both)} shaders of {sums[0]} words: {sums[1]} under the Khronos layer, '
        f'{sums[2]} under Assay ({sums[2] / sums[1]:.3f}); '
        f'more in {of_all}, and in {more} of the {len(checked)} in which the Khronos layer '
        f'has something to tell'
    )
    return (
        bool(both) and sums[2] <= sums[1] and more <= MORE_AT_MOST and of_all <= MORE_OF_ALL_AT_MOST
    )


def compiled(directory):
    """Returns the sizes of what Mesa has compiled, the oldest first: bytes of machine code in its
    cache."""
    files = [
        file.stat()
        for file in directory.glob('cache/mesa_shader_cache*/**/*')
        if file.is_file() and file.name != 'index'
    ]
    return [
        file.st_size for file in sorted(files, key=lambda file: file.st_mtime_ns) if file.st_size
    ]


def pairs_of(theirs, ours):
    """Both compile the same in the same order, but for a few: the pairs that differ least in
    all."""
    best = {(0, 0): (0, None)}
    for i in range(len(theirs) + 1):
        for j in range(len(ours) + 1):
            costs = [(best[i - 1, j][0] + CODE_LEFT_OUT, (i - 1, j))] if i else []
            costs += [(best[i, j - 1][0] + CODE_LEFT_OUT, (i, j - 1))] if j else []
            costs += (
                [
                    (
                        best[i - 1, j - 1][0] + abs(math.log(theirs[i - 1] / ours[j - 1])),
                        (i - 1, j - 1),
                    )
                ]
                if i and j
                else []
            )
            best[i, j] = min(costs, default=best[0, 0])
    found, at = [], (len(theirs), len(ours))
    while best[at][1]:
        before = best[at][1]
        if before == (at[0] - 1, at[1] - 1):
            found.append((theirs[before[0]], ours[before[1]]))
        at = before
    return found


def compare_code(theirs, ours):
    found = sorted(
        pair for pair in pairs_of(theirs, ours) if max(pair) >= CODE_LEAST and pair[0] != pair[1]
    )
    print('machine code in bytes, under the Khronos layer, under Assay')
    for khronos, assay in found:
        print(f'{khronos:6} {assay:6}{"  more" if assay > khronos else ""}')
    print(
        f'{len(found)} that differ, {sum(pair[0] for pair in found)} bytes under the '
        f'Khronos layer, {sum(pair[1] for pair in found)} under Assay; '
        f'more in {sum(pair[1] > pair[0] for pair in found)}; all that was compiled: '
        f'{sum(theirs)}, {sum(ours)}'
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--build', type=pathlib.Path, default=real_programs_list.ROOT / 'build')
    parser.add_argument('--time', action='store_true', help='time whole runs, in turn')
    parser.add_argument(
        '--rounds', type=int, default=1, help='of them; the shortest of each counts'
    )
    options = parser.parse_args()
    server = real_programs_run.XServer()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as top:
            directories = {name: pathlib.Path(top, name) for name in LAYERS if name != 'none'}
            for name, directory in directories.items():
                run(name, options.build.resolve(), server.display, directory, True)
            good = compare_words(
                instrumented(directories['khronos'], '_before', '_after'),
                instrumented(directories['assay'], '-before', '-after'),
            )
            compare_code(*(compiled(directories[name]) for name in ('khronos', 'assay')))
        for name in LAYERS if options.time else ():
            runs = []
            for _ in range(options.rounds):
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
                    runs.append(
                        run(
                            name,
                            options.build.resolve(),
                            server.display,
                            pathlib.Path(directory),
                            False,
                        )
                    )
            print(
                (
                    f'{name}: {min(r[0] for r in runs):.1f} s, {min(r[1] for r in runs):.1f} s '
                    f'of CPU, {runs[0][2]} KB of machine code'
                ),
                flush=True,
            )
    finally:
        server.close()
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
