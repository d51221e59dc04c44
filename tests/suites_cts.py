#!/usr/bin/env python3
"""Runs the Vulkan conformance suite without and with the layer, and shows what only the layer says.

`./dev suites cts --deqp PATH` runs a `deqp-vk` that the user has built. Nothing of the suite is in
this repository. The program goes on after a test that dies or hangs. It tells which test a finding
belongs to, and compares how each test ended. Tests with a difference run again alone, and then
under the Khronos layer, the witness. Results are kept in build/suites/cts, one file for each layer:
the same command goes on where an earlier run stopped."""

import argparse
import collections
import concurrent.futures
import dataclasses
import gzip
import hashlib
import heapq
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.json'
KHRONOS = '/usr/share/vulkan/explicit_layer.d'
DIFFERENCES = ROOT / 'tests/cts-differences.txt'
NAMES = {'assay': 'VK_LAYER_ASSAY_validation', 'khronos': 'VK_LAYER_KHRONOS_validation'}
PREFIXES = {'assay': 'assay', 'khronos': 'khronos_validation'}
# A word in the name of a layer, as "assay-sync-gpu", switches these settings on.
MODES = {
    'sync': {'validate_sync': 'true'},
    'gpu': {'gpuav_enable': 'true'},
    'practices': {'validate_best_practices': 'true', 'report_flags': 'error,warn,perf'},
}
# The witness also reports hazards in accesses that a shader may make, as Assay does.
HEURISTIC = {'syncval_shader_accesses_heuristic': 'true'}

BEGINS = re.compile(r"^Test case '([^']+)'\.\.")
ENDS = re.compile(
    r'^  (Pass|Fail|NotSupported|QualityWarning|CompatibilityWarning|Waiver|Pending|Crash|Timeout|'
    r'InternalError|ResourceError|DeviceLost) \((.*)\)$'
)
FINDING = re.compile(
    r'\[ ?((?:VUID|UNASSIGNED|WARNING|SYNC|BestPractices|Undefined-Value)[-_][\w:-]+) ?\]'
)
# These tests judge how fast a call is, or need a window: what they give changes from run to run.
SPEED = re.compile(
    r'\.(creation_cache_control|creation_feedback|calibrated|wsi|'
    r'global_priority_transition|shader_object\.performance)\b'
)
# Ends of a test that the driver could not finish, or did not begin.
DEAD = ('crashed', 'timeout')


@dataclasses.dataclass
class Result:
    """The result of one test under one layer. A finding is an id with its first message."""

    name: str
    end: str = 'crashed'
    why: str = ''
    findings: dict = dataclasses.field(default_factory=dict)
    alone: bool = False

    def add(self, vuid, message):
        self.findings.setdefault(vuid, message[:1500])


@dataclasses.dataclass
class Explained:
    vuid: str
    tests: re.Pattern
    why: str


def read_differences(path):
    """The file's entries: `id | expression of test names`, and below, indented, the sentence that
    decides."""
    entries, waiting = [], []
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else (), 1):
        if not line.strip() or line.startswith('#'):
            continue
        if line[0] == ' ':
            for entry in waiting:
                entry.why = f'{entry.why} {line.strip()}'.strip()
            continue
        if waiting and waiting[0].why:
            waiting = []
        vuid, bar, tests = (part.strip() for part in line.partition('|'))
        if not bar:
            raise SystemExit(f'{path}:{number}: this is not "id | expression of test names"')
        waiting.append(Explained(vuid, re.compile(tests), ''))
        entries.append(waiting[-1])
    return entries


def explanation(entries, vuid, test):
    return next(
        (entry.why for entry in entries if entry.vuid == vuid and entry.tests.search(test)), None
    )


class Layer:
    """A layer with its settings, by a name as "assay-sync"."""

    def __init__(self, name, arguments):
        self.name = name
        self.kind, *self.modes = name.split('-')
        unknown = [mode for mode in self.modes if mode not in MODES]
        if self.kind not in ('none', *NAMES) or unknown:
            raise SystemExit(
                f'there is no layer "{name}": none, or assay or khronos with any of '
                f'{", ".join(MODES)}'
            )
        self.directory = arguments.khronos_path if self.kind == 'khronos' else arguments.layer_path
        # A limit of messages would hide what later tests of the process do.
        self.settings = {'enable_message_limit': 'false', 'report_flags': 'error,warn'}
        for mode in self.modes:
            self.settings |= MODES[mode]
        if self.kind == 'khronos' and 'sync' in self.modes:
            self.settings |= HEURISTIC
        self.settings |= dict(pair.split('=', 1) for pair in arguments.setting)

    def environment(self, directory, output):
        """The variables with which a program has this layer. Its findings go into the output, in
        order."""
        if self.kind == 'none':
            return {}
        settings = dict(self.settings)
        if self.kind == 'assay':
            settings |= {'json_filename': output, 'debug_action': 'VK_DBG_LAYER_ACTION_IGNORE'}
        else:
            settings |= {'log_filename': 'stdout', 'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG'}
        file = pathlib.Path(directory) / 'vk_layer_settings.txt'
        file.write_text(
            ''.join(f'{PREFIXES[self.kind]}.{key} = {value}\n' for key, value in settings.items())
        )
        return {
            'VK_LAYER_SETTINGS_PATH': str(file),
            'VK_INSTANCE_LAYERS': NAMES[self.kind],
            'VK_LAYER_PATH': os.path.abspath(self.directory),
        }


class Suite:
    """The user's deqp-vk: the tests that it has, and what some of them give."""

    def __init__(self, arguments):
        self.program = os.path.abspath(arguments.deqp)
        self.archive = arguments.archive or os.path.dirname(self.program)
        self.limit = arguments.limit
        self.kept = arguments.kept
        self.environment = {
            k: v for k, v in os.environ.items() if not re.match('VK_(LAYER|INSTANCE|ADD_LAYER)', k)
        }
        self.environment |= {
            'VK_DRIVER_FILES': arguments.driver,
            'VK_LOADER_LAYERS_DISABLE': '~implicit~',
        }
        self.environment |= dict(pair.split('=', 1) for pair in arguments.env)
        if not os.access(self.program, os.X_OK):
            raise SystemExit(f'{self.program} is not a program')

    def cases(self):
        """Yields the names of all tests of the binary. It takes minutes to tell them, so that they
        are kept."""
        status = os.stat(self.program)
        kept = self.kept / f'cases-{status.st_size}-{int(status.st_mtime)}.txt.gz'
        if not kept.exists():
            print('asking the suite for its tests', flush=True)
            partial = kept.with_suffix('.partial')
            with (
                tempfile.TemporaryDirectory() as directory,
                gzip.open(partial, 'wt', compresslevel=1) as file,
            ):
                command = [
                    self.program,
                    '--deqp-runmode=stdout-caselist',
                    f'--deqp-archive-dir={self.archive}',
                ]
                with subprocess.Popen(
                    command,
                    cwd=directory,
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    text=True,
                    errors='replace',
                ) as process:
                    file.writelines(
                        line[6:] for line in process.stdout if line.startswith('TEST: ')
                    )
                if process.returncode:
                    raise SystemExit(
                        f'{self.program} did not tell its tests: status {process.returncode}'
                    )
            partial.rename(kept)
        with gzip.open(kept, 'rt') as file:
            for line in file:
                yield line.rstrip('\n')

    def run(self, layer, tests, cache, alone=False):
        """Runs the tests in as few processes as possible. Returns a Result for each."""
        results, left = {}, list(tests)
        while left:
            status, lines = self.process(layer, left, cache)
            name = read_output(lines, results)
            if name in results and results[name].end == 'crashed' and status == 'timeout':
                results[name].end = 'timeout'
            done = set(results)
            before = len(left)
            left = [test for test in left if test not in done]
            # The suite sorts its tests. A process that began none of them dies at its start.
            if len(left) == before:
                missing = results.setdefault(
                    left[0], Result(left[0], 'timeout' if status == 'timeout' else 'did not run')
                )
                missing.why = ' '.join(lines[-3:])[:500]
                left = left[1:]
        for result in results.values():
            result.alone = alone
        return list(results.values())

    def process(self, layer, tests, cache):
        """(status, lines) of one process. It is ended when a test takes too long: "timeout"."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            output = os.path.join(directory, 'output')
            cases = os.path.join(directory, 'cases')
            pathlib.Path(cases).write_text('\n'.join(tests) + '\n')
            command = [
                self.program,
                f'--deqp-caselist-file={cases}',
                f'--deqp-archive-dir={self.archive}',
                '--deqp-log-filename=/dev/null',
                '--deqp-log-images=disable',
                '--deqp-log-shader-sources=disable',
                '--deqp-log-flush=disable',
                f'--deqp-shadercache-filename={cache}',
                '--deqp-shadercache-truncate=disable',
            ]
            environment = self.environment | layer.environment(directory, output)
            with open(output, 'ab') as file:
                process = subprocess.Popen(
                    command,
                    cwd=directory,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            try:
                status = self.wait(process, output)
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            return status, pathlib.Path(output).read_text(errors='replace').splitlines()

    def wait(self, process, output):
        """The status of the process, or "timeout" when it has not written for the time that one
        test may take."""
        size, since = 0, time.monotonic()
        while True:
            try:
                return process.wait(0.1)
            except subprocess.TimeoutExpired:
                now = os.path.getsize(output)
                if now != size:
                    size, since = now, time.monotonic()
                elif time.monotonic() - since > self.limit:
                    return 'timeout'


def read_output(lines, results):
    """Adds the tests and findings of a process to the results. Returns the last test that began."""
    name, waiting = None, {}
    for number, line in enumerate(lines):
        if line.startswith('{"vuid"'):
            try:
                finding = json.loads(line)
            except ValueError:
                continue
            found = [(finding['vuid'], finding['message'])]
        elif match := BEGINS.match(line):
            name = match[1]
            # A test that begins twice in one run has died before.
            results[name] = Result(name, findings=waiting)
            waiting = {}
            continue
        elif name and (match := ENDS.match(line)):
            results[name].end, results[name].why = match[1], match[2][:300]
            continue
        else:
            found = [
                (match[1], ' '.join(lines[number : number + 3])) for match in FINDING.finditer(line)
            ]
        # A finding before the first test belongs to it, and a finding after the last one to that
        # one.
        for vuid, message in found:
            if name:
                results[name].add(vuid, message)
            else:
                waiting.setdefault(vuid, message[:1500])
    return name


def stratified(names, count, seed):
    """So many names: first one of each group of the third level, each of another group of the
    fourth level."""

    def key(name):
        return hashlib.blake2b(f'{seed} {name}'.encode(), digest_size=8).digest()

    groups = collections.defaultdict(list)
    for name in names:
        if SPEED.search(name):
            continue
        group = groups['.'.join(name.split('.')[:4])]
        item = (-int.from_bytes(key(name)), name)
        # A group gives a few names only: those with the smallest keys.
        if len(group) < count:
            heapq.heappush(group, item)
        elif item > group[0]:
            heapq.heapreplace(group, item)
    rounds = collections.defaultdict(list)
    for group, items in sorted(groups.items()):
        rounds['.'.join(group.split('.')[:3])].append(
            [name for _, name in sorted(items, reverse=True)]
        )
    queues = []
    for group, fourth in rounds.items():
        fourth.sort(key=lambda items: key(items[0]))
        turns = itertools.zip_longest(*fourth)
        queues.append((key(group), iter([name for turn in turns for name in turn if name])))
    queues = [queue for _, queue in sorted(queues, key=lambda item: item[0])]
    chosen = []
    while queues and len(chosen) < count:
        queues = [
            queue for queue in queues if (name := next(queue, None)) and not chosen.append(name)
        ]
    return chosen[:count]


def read_lists(directory):
    """The names in the must-pass lists of a directory, without those of other parts of the
    suite."""
    for path in sorted(pathlib.Path(directory).rglob('*.txt')):
        for line in path.read_text().splitlines():
            if line.startswith('dEQP-VK.') and '*' not in line:
                yield line.strip()


def choose(arguments, suite):
    """The tests to run."""
    if arguments.list:
        names = [
            line.strip()
            for line in arguments.list.read_text().splitlines()
            if line.startswith('dEQP')
        ]
    else:
        expression = re.compile(arguments.only)
        own = (name for name in suite.cases() if expression.search(name))
        listed = (
            (name for name in read_lists(arguments.mustpass) if expression.search(name))
            if arguments.mustpass
            else ()
        )
        if arguments.sample:
            # Half of the sample is of the must-pass lists, where there are any.
            names = (
                stratified(listed, arguments.sample // 2, arguments.seed)
                if arguments.mustpass
                else []
            )
            rest = stratified(own, arguments.sample, arguments.seed)
            names = list(dict.fromkeys(names + rest))[: arguments.sample]
        else:
            names = list(listed) if arguments.mustpass else list(own)
    names = [
        name
        for name in dict.fromkeys(names)
        if re.search(arguments.only, name) and not SPEED.search(name)
    ]
    return names


class Kept:
    """Results of a layer, in a file to which each test adds a line. A test that ran alone counts
    for good."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.results = {}
        text = path.read_text() if path.exists() else ''
        if text and not text.endswith('\n'):
            path.write_text(text := text[: text.rfind('\n') + 1])  # a line was cut off
        for line in text.splitlines():
            try:
                self.remember(Result(**json.loads(line)))
            except (ValueError, TypeError):
                continue  # another version of this program wrote it

    def remember(self, result):
        self.results[result.name] = result

    def add(self, results):
        with self.lock, open(self.path, 'a', encoding='utf-8') as file:
            for result in results:
                self.remember(result)
                file.write(json.dumps(dataclasses.asdict(result)) + '\n')


def pooled(arguments, deadline, work, items, title):
    """Calls `work` with each item, some at once. Items that would begin after the deadline are
    left."""
    began, done, told = time.monotonic(), 0, 0

    def one(item):
        return work(item) if time.monotonic() < deadline else 0

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(one, item) for item in items]):
            done += future.result()
            if done >= told + 200:
                told = done
                print(f'{title}: {done} tests after {time.monotonic() - began:.0f} s', flush=True)


class Run:
    def __init__(self, arguments, suite, layers, tests):
        self.arguments, self.suite, self.layers, self.tests = arguments, suite, layers, tests
        self.kept = {layer.name: Kept(arguments.kept / f'{layer.name}.jsonl') for layer in layers}
        self.entries = read_differences(arguments.differences)
        self.deadline = time.monotonic() + arguments.seconds if arguments.seconds else float('inf')
        self.last = self.deadline + arguments.seconds / 2
        self.ours = [layer for layer in layers if layer.kind == 'assay']
        self.plain = next(
            (self.kept[layer.name].results for layer in layers if layer.kind == 'none'), {}
        )
        self.witnesses = {}
        for layer in self.ours if arguments.witness else ():
            witness = Layer('-'.join(['khronos', *layer.modes]), arguments)
            self.witnesses[layer.name] = witness
            self.kept.setdefault(witness.name, Kept(arguments.kept / f'{witness.name}.jsonl'))

    def all_of_it(self):
        left = [test for test in self.tests if not self.ran(test)]
        print(
            (
                f'{len(left)} tests to run of {len(self.tests)}, under '
                f'{", ".join(x.name for x in self.layers)}'
            ),
            flush=True,
        )
        self.in_batches(self.batch, left, 'batches')
        again = [test for test in self.tests if self.has_difference(test)]
        print(f'{len(again)} tests with a difference, under the witness', flush=True)
        self.in_batches(self.witness_batch, again, 'witness')
        again = [test for test in again if self.has_difference(test)]
        print(f'{len(again)} tests with a difference, again and alone', flush=True)
        pooled(self.arguments, self.last, self.alone, again, 'alone')

    def in_batches(self, work, tests, title):
        size = max(1, min(self.arguments.batch, len(tests) // (4 * self.arguments.jobs)))
        pooled(
            self.arguments,
            self.deadline if work == self.batch else self.last,
            work,
            [tests[i : i + size] for i in range(0, len(tests), size)],
            title,
        )

    def wanted(self, layer, test):
        """Does the test still have to run under the layer? With --trust-passes, a test that passed
        under ours did so without it."""
        if test in self.kept[layer.name].results:
            return False
        if layer.kind != 'none' or not self.arguments.trust_passes:
            return True
        ours = [self.kept[other.name].results.get(test) for other in self.ours]
        return not ours or any(result is None or result.end != 'Pass' for result in ours)

    def ran(self, test):
        return not any(self.wanted(layer, test) for layer in self.layers)

    def batch(self, tests):
        """One batch under all layers. Compiled shaders are kept between these."""
        layers = self.layers
        if self.arguments.trust_passes:
            layers = sorted(layers, key=lambda layer: layer.kind == 'none')
        with tempfile.TemporaryDirectory() as directory:
            for layer in layers:
                some = [test for test in tests if self.wanted(layer, test)]
                if some:
                    self.kept[layer.name].add(self.suite.run(layer, some, f'{directory}/shaders'))
        return len(tests)

    def witness_batch(self, tests):
        """Asks the witness of several tests at once: of most, it says the same as ours, and nothing
        more is to be run."""
        with tempfile.TemporaryDirectory() as directory:
            for layer in self.ours:
                witness = self.witnesses.get(layer.name)
                kept = self.kept[witness.name] if witness else None
                some = [
                    test
                    for test in tests
                    if kept and test not in kept.results and self.alone_findings(layer, test)
                ]
                if some:
                    kept.add(self.suite.run(witness, some, f'{directory}/shaders'))
        return len(tests)

    def alone(self, test):
        with tempfile.TemporaryDirectory() as directory:
            for layer in self.layers:
                result = self.kept[layer.name].results.get(test)
                if not result or not result.alone:
                    self.kept[layer.name].add(
                        self.suite.run(layer, [test], f'{directory}/shaders', alone=True)
                    )
            for layer in self.ours:
                witness = self.witnesses.get(layer.name)
                if not witness or not self.differs(layer, test):
                    continue
                result = self.kept[witness.name].results.get(test)
                if not result or not result.alone:
                    self.kept[witness.name].add(
                        self.suite.run(witness, [test], f'{directory}/shaders', alone=True)
                    )
        return 1

    def changed(self, layer, test):
        """Does the test end otherwise than without a layer?"""
        ours, plain = self.kept[layer.name].results.get(test), self.plain.get(test)
        return bool(ours and plain and ours.end != plain.end)

    def alone_findings(self, layer, test):
        """The ids that only our layer says of the test. Where the witness did not run, that is all
        ids."""
        ours = self.kept[layer.name].results.get(test)
        witness = self.witnesses.get(layer.name)
        theirs = self.kept[witness.name].results.get(test) if witness else None
        return {
            vuid: message
            for vuid, message in (ours.findings if ours else {}).items()
            if not theirs or vuid not in theirs.findings
        }

    def differs(self, layer, test):
        return self.changed(layer, test) or bool(self.alone_findings(layer, test))

    def has_difference(self, test):
        return self.ran(test) and any(self.differs(layer, test) for layer in self.ours)

    def report(self):
        """Prints what differs. Returns 1 where something does that nothing explains."""
        bad = 0
        for layer in self.layers:
            results = [
                self.kept[layer.name].results[t]
                for t in self.tests
                if t in self.kept[layer.name].results
            ]
            ends = collections.Counter(result.end for result in results)
            ran = len(results) - ends['NotSupported'] - ends['did not run']
            listed = ', '.join(f'{count} {end}' for end, count in ends.most_common())
            print(f'{layer.name}: {len(results)} tests, {ran} ran ({listed})')
        for layer in self.ours:
            bad += self.report_ends(layer) + self.report_findings(layer)
        print(f'{bad} unexplained')
        return 1 if bad else 0

    def report_ends(self, layer):
        changed = [test for test in self.tests if self.changed(layer, test)]
        bad = 0
        for test in changed:
            why = explanation(self.entries, 'end', test)
            ours, plain = self.kept[layer.name].results[test], self.plain[test]
            bad += why is None
            print(
                (
                    f'{layer.name}: ended differently: {test}: {ours.end} ({ours.why[:200]}), '
                    f'without a layer {plain.end}'
                )
                + (f'\n    explained: {why}' if why else '')
            )
        for test in self.tests:
            ours = self.kept[layer.name].results.get(test)
            if ours and ours.end in DEAD and test not in self.plain:
                bad += explanation(self.entries, 'end', test) is None
                print(f'{layer.name}: {ours.end}: {test}')
        return bad

    def report_findings(self, layer):
        of = collections.defaultdict(list)
        for test in self.tests:
            for vuid, message in self.alone_findings(layer, test).items():
                of[vuid, explanation(self.entries, vuid, test)].append((test, message))
        both = sum(
            bool(self.kept[layer.name].results[t].findings)
            for t in self.tests
            if t in self.kept[layer.name].results
        )
        some = {test for tests in of.values() for test, _ in tests}
        print(
            f'{layer.name}: {both} tests with a finding, {len(some)} with one that the '
            f'witness does not tell'
        )
        bad = 0
        for (vuid, why), tests in sorted(
            of.items(), key=lambda item: (item[0][1] is not None, -len(item[1]))
        ):
            bad += 0 if why else len(tests)
            print(
                f'only {layer.name}: {vuid}: {len(tests)} tests, '
                f'{"explained: " + why if why else "NOT EXPLAINED"}'
            )
            for test, message in tests[: self.arguments.show]:
                print(f'    {test}' + ('' if why else f'\n        {message[:600]}'))
        return bad


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog='./dev suites cts', description=__doc__.split('\n', maxsplit=1)[0]
    )
    parser.add_argument('--deqp', required=True, help='the deqp-vk to run')
    parser.add_argument(
        '--archive', help="the directory with the suite's data (default: where deqp-vk is)"
    )
    parser.add_argument(
        '--mustpass', help='a directory with must-pass lists: half of a sample is taken from these'
    )
    parser.add_argument(
        '--list', type=pathlib.Path, help='a file with a test a line, to run instead of a sample'
    )
    parser.add_argument('--only', default='', metavar='REGEX', help='only tests whose names match')
    parser.add_argument(
        '--sample', type=int, default=0, metavar='N', help='so many tests, of all groups (0: all)'
    )
    parser.add_argument('--seed', type=int, default=1, help='another seed is another sample')
    parser.add_argument(
        '--layers',
        default='none,assay-sync',
        help='none, or assay or khronos with -sync, -gpu, -practices',
    )
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--batch', type=int, default=50, help='tests of one process')
    parser.add_argument('--limit', type=int, default=120, help='seconds for one test')
    parser.add_argument(
        '--seconds',
        type=int,
        default=0,
        help='begin no more batches after that, and after half as much again nothing more',
    )
    parser.add_argument(
        '--setting', action='append', default=[], metavar='K=V', help='of all layers'
    )
    parser.add_argument('--env', action='append', default=[], metavar='NAME=VALUE')
    parser.add_argument('--driver', default=LAVAPIPE, help="the driver's manifest")
    parser.add_argument(
        '--layer-path', help="where our layer's manifest is (default: a copy of build/src)"
    )
    parser.add_argument(
        '--khronos-path', default=KHRONOS, help="where the Khronos layer's manifest is"
    )
    parser.add_argument(
        '--trust-passes',
        action='store_true',
        help='without a layer, run only tests that did not pass under ours',
    )
    parser.add_argument(
        '--no-witness', dest='witness', action='store_false', help='do not run the Khronos layer'
    )
    parser.add_argument(
        '--again',
        action='store_true',
        help='forget what earlier runs gave, and take the layer of now',
    )
    parser.add_argument(
        '--mended', action='store_true', help='take the layer of now, and run again what differed'
    )
    parser.add_argument(
        '--kept',
        type=pathlib.Path,
        default=ROOT / 'build/suites/cts',
        help='where results are kept',
    )
    parser.add_argument(
        '--differences', type=pathlib.Path, default=DIFFERENCES, help='what is explained'
    )
    parser.add_argument('--show', type=int, default=6, help='so many tests for each id')
    return parser.parse_args(arguments)


def copy_layer(kept):
    """Copies our layer as it is now: builds go on while the suite runs."""
    kept.mkdir(parents=True, exist_ok=True)
    for file in ('libVkLayer_assay.so', 'libVkLayer_assay_spirv.so', 'VkLayer_assay.json'):
        shutil.copy(ROOT / 'build/src' / file, kept)


def prepare(arguments):
    """Makes the directory of results. Results of other settings are not mixed with these."""
    kept = arguments.kept = arguments.kept.absolute()
    kept.mkdir(parents=True, exist_ok=True)
    program = os.path.abspath(arguments.deqp)
    stamp = json.dumps(
        [
            program,
            os.path.getsize(program),
            arguments.driver,
            sorted(arguments.setting),
            sorted(arguments.env),
        ]
    )
    before = (kept / 'stamp').read_text() if (kept / 'stamp').exists() else stamp
    fresh = arguments.again or before != stamp
    if fresh:
        for path in kept.glob('*.jsonl'):
            path.unlink()
    (kept / 'stamp').write_text(stamp)
    if arguments.layer_path is None:
        arguments.layer_path = kept / 'layer'
        if fresh or arguments.mended or not (kept / 'layer').exists():
            copy_layer(kept / 'layer')


def forget_differences(run):
    """Removes the results of tests that differ under our layer, so that they run again."""
    for layer in run.ours:
        kept = run.kept[layer.name]
        differ = [test for test in run.tests if test in kept.results and run.differs(layer, test)]
        for test in differ:
            del kept.results[test]
        kept.path.write_text(
            ''.join(
                json.dumps(dataclasses.asdict(result)) + '\n' for result in kept.results.values()
            )
        )


def main(arguments=None):
    arguments = parse(arguments)
    prepare(arguments)
    suite = Suite(arguments)
    layers = [Layer(name, arguments) for name in arguments.layers.split(',')]
    run = Run(arguments, suite, layers, choose(arguments, suite))
    if arguments.mended:
        forget_differences(run)
    run.all_of_it()
    sys.exit(run.report())


if __name__ == '__main__':
    main()
