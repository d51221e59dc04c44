#!/usr/bin/env python3
"""What do both layers find in whole test suites of other people?

  suites.py both dawn|piglit [options]
  suites.py run SUITE --layer assay|khronos|none --layer-path DIR --results FILE [options] -- PROGRAM...
  suites.py compare OURS THEIRS

`both` runs a suite that `./dev suites` has installed on lavapipe, under the Khronos layer and under ours, and
compares. For `run`, a suite is "gtest" (PROGRAM is a program of GoogleTest, like dawn_end2end_tests) or "commands" (PROGRAM is
a file with a test a line: a name, a tab, a command, like `piglit print-cmd` with its format). Tests run in
batches, many at once. What a layer prints belongs to the test that runs; one that crashes is noted, and its
batch goes on behind it. FILE is JSON: for each test how it ended, and the ids of its findings with one
message each. `compare` shows, by id, the tests in which only one layer found it, and what ended
differently; it exits with 1 where there is any.

Not part of the suite of tests that CI runs: these are hours of other people's work.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

LAYERS = {'assay': 'VK_LAYER_ASSAY_validation', 'khronos': 'VK_LAYER_KHRONOS_validation'}
PREFIXES = {'assay': 'assay', 'khronos': 'khronos_validation'}
FINDING = re.compile(r'(?:^Assay \w+ |\[ ?)((?:VUID-|UNASSIGNED-|WARNING-|SYNC-|ASSAY-|BestPractices-)[\w-]+)')
STARTED = re.compile(r'^\[ RUN      \] (\S+)')
ENDED = re.compile(r'^\[\s+(OK|FAILED|SKIPPED) \] (\S+)')


def environment_of(arguments, directory):
    environment = dict(os.environ)
    environment |= dict(pair.split('=', 1) for pair in arguments.env)
    if arguments.layer != 'none':
        prefix = PREFIXES[arguments.layer]
        settings = {'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG', 'log_filename': 'stdout', 'report_flags': 'error,warn',
                    'enable_message_limit': 'true', 'duplicate_message_limit': '3'}
        settings |= dict(pair.split('=', 1) for pair in arguments.setting)
        file = pathlib.Path(directory) / 'vk_layer_settings.txt'
        file.write_text(''.join(f'{prefix}.{key} = {value}\n' for key, value in settings.items()))
        environment |= {'VK_LAYER_SETTINGS_PATH': str(file), 'VK_INSTANCE_LAYERS': LAYERS[arguments.layer],
                        'VK_LAYER_PATH': arguments.layer_path}
    return environment


class Result:
    def __init__(self):
        self.end = 'did not run'
        self.findings = collections.Counter()
        self.messages = {}

    def read(self, line, following):
        for match in FINDING.finditer(line):
            self.findings[match[1]] += 1
            self.messages.setdefault(match[1], ' '.join([line, *following])[:700])

    def as_json(self):
        return {'end': self.end, 'findings': self.findings, 'messages': self.messages}


def run_process(command, environment, directory, limit):
    """(status, lines). A process that takes too long is ended: 'timeout'."""
    with open(os.path.join(directory, 'output'), 'wb+') as output:
        process = subprocess.Popen(command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = 'timeout'
        output.seek(0)
        return status, output.read().decode(errors='replace').splitlines()


def run_gtest_batch(arguments, tests):
    """{test: Result} of a batch of tests of one program of GoogleTest."""
    results = {}
    with tempfile.TemporaryDirectory() as directory:
        environment = environment_of(arguments, directory)
        left = list(tests)
        while left:
            command = arguments.program + ['--gtest_filter=' + ':'.join(left)]
            status, lines = run_process(command, environment, directory, arguments.limit + 2 * len(left))
            current = before = Result()  # what comes before the first test and after the last one
            name = None
            for number, line in enumerate(lines):
                if match := STARTED.match(line):
                    name = match[1]
                    current = results.setdefault(name, Result())
                    current.end = 'crashed' if status != 'timeout' else 'timeout'
                elif (match := ENDED.match(line)) and match[2].rstrip(',') in results:
                    results[match[2].rstrip(',')].end = match[1]
                    name = None
                current.read(line, lines[number + 1:number + 3])
            if before.findings and left[0] in results:
                results[left[0]].findings += before.findings
                results[left[0]].messages |= before.messages
            done = left.index(name) + 1 if name in left else len(left)
            for test in left[:done]:
                results.setdefault(test, Result())
            left = left[done:]
    return results


def run_command(arguments, test):
    name, command = test
    result = Result()
    with tempfile.TemporaryDirectory() as directory:
        status, lines = run_process(shlex.split(command), environment_of(arguments, directory), directory, arguments.limit)
        for number, line in enumerate(lines):
            result.read(line, lines[number + 1:number + 3])
    result.end = status if isinstance(status, str) else 'OK' if status == 0 else 'crashed' if status < 0 else 'FAILED'
    if verdicts := re.findall(r'^PIGLIT: {"result": "(\w+)"', '\n'.join(lines), re.M):
        result.end = verdicts[-1]
    return {name: result}


def gtest_list(program, environment):
    text = subprocess.run(program + ['--gtest_list_tests'], env=environment, capture_output=True, text=True, errors='replace').stdout
    tests, group = [], ''
    for line in text.splitlines():
        line = line.split('#')[0].rstrip()
        if re.match(r'^[\w/]+\.$', line):
            group = line
        elif line.startswith('  ') and group:
            tests.append(group + line.strip())
    return tests


def run(arguments):
    if arguments.suite == 'gtest':
        tests = gtest_list(arguments.program, os.environ | dict(pair.split('=', 1) for pair in arguments.env))
    else:
        lines = pathlib.Path(arguments.program[0]).read_text().splitlines()
        tests = [tuple(line.split('\t', 1)) for line in lines if '\t' in line]
    name_of = (lambda t: t) if arguments.suite == 'gtest' else (lambda t: t[0])
    tests = [t for t in tests if re.search(arguments.only, name_of(t))][arguments.offset::arguments.stride]
    print(f'{len(tests)} tests, layer {arguments.layer}, {arguments.jobs} at once', flush=True)
    began, results, told = time.monotonic(), {}, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.suite == 'gtest':
            size = arguments.batch
            pending = [pool.submit(run_gtest_batch, arguments, tests[i:i + size]) for i in range(0, len(tests), size)]
        else:
            pending = [pool.submit(run_command, arguments, test) for test in tests]
        for future in concurrent.futures.as_completed(pending):
            if future.cancelled():
                continue
            results |= future.result()
            if len(results) >= told + 500:
                told = len(results)
                print(f'{told} after {time.monotonic() - began:.0f} s', flush=True)
            if arguments.seconds and time.monotonic() - began > arguments.seconds:
                for other in pending:
                    other.cancel()
    ends = collections.Counter(r.end for r in results.values())
    ids = collections.Counter(i for r in results.values() for i in r.findings)
    print(f'{len(results)} of {len(tests)} tests ran in {time.monotonic() - began:.0f} s: ' +
          ', '.join(f'{count} {end}' for end, count in ends.most_common()))
    for name, count in ids.most_common():
        print(f'{count:6} tests  {name}')
    with open(arguments.results, 'w', encoding='utf-8') as file:
        json.dump({name: r.as_json() for name, r in sorted(results.items())}, file, indent=0)


def compare(arguments):
    ours, theirs = (json.loads(pathlib.Path(path).read_text()) for path in (arguments.ours, arguments.theirs))
    both = sorted(set(ours) & set(theirs))
    alone = {'only ours': collections.defaultdict(list), 'only theirs': collections.defaultdict(list)}
    for test in both:
        for title, a, b in (('only ours', ours, theirs), ('only theirs', theirs, ours)):
            for name in set(a[test]['findings']) - set(b[test]['findings']):
                alone[title][name].append(test)
    ended = [test for test in both if ours[test]['end'] != theirs[test]['end']]
    print(f'{len(both)} tests ran under both')
    for title, source in (('only ours', ours), ('only theirs', theirs)):
        for name, tests in sorted(alone[title].items(), key=lambda item: -len(item[1])):
            print(f'{title}: {name}: {len(tests)} tests, as {tests[0]}\n    {source[tests[0]]["messages"].get(name, "")[:400]}')
    for test in ended[:50]:
        print(f'ended differently: {test}: {ours[test]["end"]} under ours, {theirs[test]["end"]} under theirs')
    print(f'{sum(map(len, alone.values()))} ids in one layer only, {len(ended)} tests ended differently')
    return 1 if ended or any(alone.values()) else 0


def piglit_commands(directory):
    """piglit's quick tests, on zink, as a file for `run commands`."""
    text = subprocess.run(['piglit', 'print-cmd', 'quick', '--format', '{name}\t{command}'], check=True, capture_output=True,
                          text=True).stdout
    # Commands are relative to piglit's own directory.
    text = re.sub(r'(?<=\t)\.\./lib/', '/usr/lib/', text)
    path = pathlib.Path(directory) / 'piglit.commands'
    path.write_text(text)
    return [str(path)]


def both(arguments):
    """Runs an installed suite under both layers. Results are kept in the build directory."""
    root = pathlib.Path(__file__).resolve().parent.parent
    kept = root / 'build/suites'
    kept.mkdir(exist_ok=True)
    arguments.env += ['VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json']
    if arguments.name == 'dawn':
        arguments.suite, arguments.program = 'gtest', ['dawn_end2end_tests', '--backend=vulkan']
    else:
        arguments.suite, arguments.program = 'commands', piglit_commands(kept)
        arguments.env += ['MESA_LOADER_DRIVER_OVERRIDE=zink', 'LIBGL_ALWAYS_SOFTWARE=1']
    for layer, path in (('khronos', '/usr/share/vulkan/explicit_layer.d'), ('assay', str(root / 'build/src'))):
        arguments.layer, arguments.layer_path = layer, path
        arguments.results = str(kept / f'{arguments.name}-{layer}.json')
        if layer not in arguments.keep:
            run(arguments)
    arguments.ours, arguments.theirs = (str(kept / f'{arguments.name}-{layer}.json') for layer in LAYERS)
    return compare(arguments)


def add_options(verb):
    verb.add_argument('--only', default='', help='a regular expression of names')
    verb.add_argument('--offset', type=int, default=0)
    verb.add_argument('--stride', type=int, default=1, help='every n-th test')
    verb.add_argument('--batch', type=int, default=40, help='tests of one process')
    verb.add_argument('--jobs', type=int, default=os.cpu_count())
    verb.add_argument('--limit', type=int, default=60, help='seconds for a process, and 2 more for each of its tests')
    verb.add_argument('--seconds', type=int, default=0, help='start no more tests after that')
    verb.add_argument('--setting', action='append', default=[], metavar='KEY=VALUE', help='of the layer')
    verb.add_argument('--env', action='append', default=[], metavar='NAME=VALUE')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    verbs = parser.add_subparsers(dest='verb', required=True)
    one = verbs.add_parser('run')
    one.add_argument('suite', choices=['gtest', 'commands'])
    one.add_argument('--layer', choices=['none', *LAYERS], required=True)
    one.add_argument('--layer-path', default='')
    one.add_argument('--results', required=True)
    two = verbs.add_parser('both')
    two.add_argument('name', choices=['dawn', 'piglit'])
    two.add_argument('--keep', action='append', default=[], choices=LAYERS, help='the results of an earlier run of this layer')
    for verb in (one, two):
        add_options(verb)
    one.add_argument('program', nargs='+')
    three = verbs.add_parser('compare')
    three.add_argument('ours')
    three.add_argument('theirs')
    arguments = parser.parse_args()
    if arguments.verb == 'both':
        sys.exit(both(arguments))
    if arguments.verb == 'compare':
        sys.exit(compare(arguments))
    run(arguments)


if __name__ == '__main__':
    main()
