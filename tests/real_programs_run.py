"""How a real program is run: with which layers and settings, on which display, to which end, and
what is read of it. For real_programs.py."""

import collections
import contextlib
import ctypes
import dataclasses
import glob
import json
import os
import pathlib
import pickle
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from real_programs_list import (
    GTK_SCENE,
    HEARS_ADVICE,
    LAVAPIPE,
    OF_THE_KHRONOS_LAYER,
    RIGHTLY_ALONE,
    RIGHTLY_SILENT,
    ROOT,
    Program,
)

TIMEOUT = 420
CLOSE_GRACE = 20  # seconds that a program may take to end once its window is closed

# The checks that both layers have; the Khronos layer's others are off where the times are compared.
SAME_CHECKS = {
    'validate_core': 'false',
    'check_shaders': 'false',
    'check_image_layout': 'false',
    'check_command_buffer': 'false',
    'check_object_in_use': 'false',
    'check_query': 'false',
}


# All advice there is, for the GPUs of all vendors, and as often as a user gets it.
PRACTICES = {
    'report_flags': 'error,warn,perf',
    'duplicate_message_limit': '10',
    'legacy_detection': 'true',
    'validate_best_practices': 'true',
} | {f'validate_best_practices_{vendor}': 'true' for vendor in ('arm', 'amd', 'img', 'nvidia')}


@dataclasses.dataclass
class Configuration:
    """How a program runs: its layers, the first one nearest to the program; where they are, below
    the build directory; settings of the first one."""

    layers: list
    settings: dict = dataclasses.field(default_factory=dict)
    directory: str = 'src'
    json: bool = False  # Assay writes JSON lines


KHRONOS_LAYER, ASSAY_LAYER = 'VK_LAYER_KHRONOS_validation', 'VK_LAYER_ASSAY_validation'
PREFIXES = {KHRONOS_LAYER: 'khronos_validation', ASSAY_LAYER: 'assay'}
CONFIGURATIONS = {
    'none': Configuration([]),
    'assay': Configuration([ASSAY_LAYER], json=True),
    'assay-driver-handles': Configuration([ASSAY_LAYER], {'unique_handles': 'false'}, json=True),
    'assay-drop-in': Configuration([KHRONOS_LAYER], directory='src/khronos', json=True),
    'assay-over-khronos': Configuration([ASSAY_LAYER, KHRONOS_LAYER]),
    'assay-under-khronos': Configuration([KHRONOS_LAYER, ASSAY_LAYER], json=True),
    'khronos-same': Configuration([KHRONOS_LAYER], SAME_CHECKS | {'thread_safety': 'true'}),
    'khronos': Configuration([KHRONOS_LAYER], {'thread_safety': 'true'}),
    'assay-sync': Configuration([ASSAY_LAYER], {'validate_sync': 'true'}, json=True),
    'khronos-sync': Configuration(
        [KHRONOS_LAYER], {'thread_safety': 'true', 'validate_sync': 'true'}
    ),
    'assay-gpu': Configuration([ASSAY_LAYER], {'gpuav_enable': 'true'}, json=True),
    'assay-gpu-validated': Configuration(
        [ASSAY_LAYER],
        {
            'gpuav_enable': 'true',
            'printf_enable': 'true',
            'gpuav_debug_validate_instrumented_shaders': 'true',
            'gpuav_debug_print_instrumentation_info': 'true',
            'report_flags': 'error,warn,info',
        },
        json=True,
    ),
    'assay-gpu-over-khronos': Configuration([ASSAY_LAYER, KHRONOS_LAYER], {'gpuav_enable': 'true'}),
    'khronos-gpu': Configuration(
        [KHRONOS_LAYER], {'thread_safety': 'true', 'gpuav_enable': 'true'}
    ),
    'assay-practices': Configuration(
        [ASSAY_LAYER], PRACTICES | {'validate_sync': 'true'}, json=True
    ),
    'khronos-practices': Configuration([KHRONOS_LAYER], PRACTICES),
}
OF_PRACTICES = ['assay-practices', 'khronos-practices']  # --practices
IN_TABLE = ['none', 'assay', 'khronos-same', 'khronos']  # the others are only checked


class Window:
    """Xlib, as far as closing every window of a display takes it: WM_DELETE_WINDOW, as a window
    manager sends it."""

    class ClientMessage(ctypes.Structure):
        _fields_ = [
            ('type', ctypes.c_int),
            ('serial', ctypes.c_ulong),
            ('send_event', ctypes.c_int),
            ('display', ctypes.c_void_p),
            ('window', ctypes.c_ulong),
            ('message_type', ctypes.c_ulong),
            ('format', ctypes.c_int),
            ('data', ctypes.c_long * 5),
            ('pad', ctypes.c_long * 24),
        ]

    @staticmethod
    def close_all(display_name):
        x = ctypes.CDLL('libX11.so.6')
        x.XOpenDisplay.restype = x.XInternAtom.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x.XOpenDisplay(display_name.encode()))
        protocols, delete = (
            x.XInternAtom(display, name, 0) for name in (b'WM_PROTOCOLS', b'WM_DELETE_WINDOW')
        )
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        x.XQueryTree(
            display,
            ctypes.c_ulong(x.XDefaultRootWindow(display)),
            ctypes.byref(root),
            ctypes.byref(parent),
            ctypes.byref(children),
            ctypes.byref(count),
        )
        for i in range(count.value):
            event = Window.ClientMessage(
                type=33, window=children[i], message_type=protocols, format=32
            )
            event.data[0] = delete
            x.XSendEvent(
                display, ctypes.c_ulong(children[i]), 0, ctypes.c_long(0), ctypes.byref(event)
            )
        x.XCloseDisplay(display)


class XServer:
    """An Xvfb of our own, on a display number that it finds itself."""

    def __init__(self):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            [
                'Xvfb',
                '-displayfd',
                str(writer),
                '-screen',
                '0',
                '1024x768x24',
                '-noreset',
                '-nolisten',
                'tcp',
            ],
            pass_fds=[writer],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            raise SystemExit('Xvfb did not start')
        self.display = f':{number}'

    def close(self):
        self.process.terminate()
        self.process.wait()


@dataclasses.dataclass
class Run:
    status: int
    seconds: float  # of the wall clock
    # of all its threads, in the kernel and out of it: what other work on the machine disturbs least
    cpu_seconds: float
    output: str
    findings: collections.Counter  # by VUID
    messages: dict  # one whole message by VUID
    calls: collections.Counter  # by command; empty without the counting layer
    instances: list  # lines of the counting layer
    libraries: set  # of layers, that the loader put in
    instrumented: (
        list  # places that were given a check, of each shader of which the layer has said so
    )
    # [{'vuid': id, 'times': how often it came from one place, ...}]; of Assay, all that JSON has of
    # it
    advice: list


def calls_read(prefix):
    """Returns the counts of the counting layer, added up over all processes."""
    calls = collections.Counter()
    for path in glob.glob(glob.escape(prefix) + '.*'):
        if path.endswith('.instances'):
            continue
        data = pathlib.Path(path).read_bytes()
        for offset in range(0, len(data), 64):
            count = struct.unpack_from('<Q', data, offset + 56)[0]
            if count:
                calls[data[offset : offset + 56].rstrip(b'\0').decode()] += count
    return calls


INSTRUMENTED = re.compile(
    r'was instrumented: (\d+) places were given a check'
)  # gpuav_debug_print_instrumentation_info
FINDING = re.compile(r'\[ ?((?:VUID-|UNASSIGNED-|WARNING-|SYNC-|BestPractices-)[\w-]+) ?\]')
ADVICE = re.compile('BestPractices-|WARNING-(legacy|deprecation)')


def advice_add(advice, finding):
    """A line with `repeats` says at the end how often its place came once more."""
    if 'repeats' not in finding:
        advice.append(finding | {'times': 1})
        return
    same = [
        one
        for one in advice
        if all(one.get(key) == finding.get(key) for key in ('vuid', 'message', 'caller'))
    ]
    for one in same[:1]:
        one['times'] += finding['repeats']


def findings_read(logs, json_lines):
    """(count by id, one message by id, places in instrumented shaders, advice) of the layers' logs;
    from Assay's JSON lines where it wrote them."""
    findings, messages, instrumented, advice = collections.Counter(), {}, [], []
    if json_lines.exists():
        for line in json_lines.read_text(errors='replace').splitlines():
            finding = json.loads(line)
            if shader := INSTRUMENTED.search(finding['message']):
                instrumented.append(int(shader[1]))
                continue
            if ADVICE.match(finding['vuid']):
                advice_add(advice, finding)
                continue
            findings[finding['vuid']] += 1
            messages.setdefault(
                finding['vuid'], f'{finding.get("location", "")}: {finding["message"]}'
            )
        return findings, messages, instrumented, advice
    text = '\n'.join(log.read_text(errors='replace') for log in logs)
    starts = list(FINDING.finditer(text))
    for match, following in zip(starts, starts[1:] + [None]):
        message = text[match.end() : following.start() if following else None].strip()[:600]
        if ADVICE.match(match[1]):
            advice.append({'vuid': match[1], 'times': 1, 'message': message})
            continue
        findings[match[1]] += 1
        messages.setdefault(match[1], message)
    return findings, messages, instrumented, advice


def environment_for(program, configuration, directory, build, display, counter):
    how = CONFIGURATIONS[configuration]
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(('VK_', 'ASSAY_', 'WAYLAND_'))
    }
    environment |= {
        'VK_DRIVER_FILES': LAVAPIPE,
        'VK_LOADER_DEBUG': 'layer',
        'HOME': str(directory),
        'DISPLAY': display,
        'XDG_RUNTIME_DIR': str(directory),
        'XDG_CACHE_HOME': str(directory / 'cache'),
        'QT_QPA_PLATFORM': 'xcb',
        'GDK_BACKEND': 'x11',
        'LC_ALL': 'C.UTF-8',
        'NO_AT_BRIDGE': '1',
    } | program.environment
    layers = ['VK_LAYER_ASSAY_call_counter'] if counter else []
    if how.layers:
        lines = []
        for layer in how.layers:
            settings = {
                'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG',
                'log_filename': str(directory / f'{layer}.log'),
                'report_flags': 'error,warn',
                'enable_message_limit': 'true',
                'duplicate_message_limit': '1000',
            }
            if layer == how.layers[0]:
                settings |= how.settings
            if how.json:
                settings['json_filename'] = str(directory / 'layer.jsonl')
            lines += [f'{PREFIXES[layer]}.{key} = {value}\n' for key, value in settings.items()]
        file = directory / 'vk_layer_settings.txt'
        file.write_text(''.join(lines))
        environment['VK_LAYER_SETTINGS_PATH'] = str(file)
    layers += program.layers + how.layers
    if layers:
        environment['VK_INSTANCE_LAYERS'] = ':'.join(layers)
        environment['VK_ADD_LAYER_PATH'] = f'{build / how.directory}:{build / "tests/call-counter"}'
    if counter:
        environment['CALL_COUNTER_FILE'] = str(directory / 'calls')
    return environment


def wait_for_end(process, program, calls_prefix, display):
    """The exit status; closes the window once the frames are shown. "timeout" when it takes too
    long."""
    deadline = time.monotonic() + TIMEOUT
    closed = not program.frames
    while time.monotonic() < deadline:
        try:
            return process.wait(timeout=0.02 if not closed else deadline - time.monotonic())
        except subprocess.TimeoutExpired:
            pass
        if not closed and calls_read(calls_prefix)['vkQueuePresentKHR'] >= program.frames:
            Window.close_all(display)
            closed = True
            deadline = min(deadline, time.monotonic() + CLOSE_GRACE)
    return 'timeout'


def cpu_used():
    """By the processes that we have started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_program(program, configuration, build, display, counter):
    """Runs it once. The counting layer is there where frames must be counted, or where `counter`
    asks for it."""
    counter = counter or bool(program.frames)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = pathlib.Path(name)
        directory.chmod(0o700)
        (directory / 'scene.node').write_text(GTK_SCENE)
        if program.files:
            shutil.copytree(
                ROOT / 'tests/real-programs' / program.files, directory, dirs_exist_ok=True
            )
        environment = environment_for(program, configuration, directory, build, display, counter)
        with open(directory / 'output', 'wb') as output, open(directory / 'errors', 'wb') as errors:
            start, used = time.monotonic(), cpu_used()
            process = subprocess.Popen(
                program.command,
                cwd=directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
            try:
                status = wait_for_end(process, program, str(directory / 'calls'), display)
            finally:
                with contextlib.suppress(ProcessLookupError):  # what it has started may outlive it
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            seconds, cpu_seconds = time.monotonic() - start, cpu_used() - used
        findings, messages, instrumented, advice = findings_read(
            sorted(directory.glob('VK_LAYER_*.log')), directory / 'layer.jsonl'
        )
        instances = [
            line
            for path in sorted(directory.glob('calls.*.instances'))
            for line in path.read_text().splitlines()
        ]
        printed = ''.join(
            (directory / name).read_text(errors='replace') for name in ('output', 'errors')
        )
        libraries = set(re.findall(r'Insert instance layer "\w+" \(.*/lib(\w+)\.so\)', printed))
        output = ''.join(line for line in printed.splitlines(True) if not LOADER_LINE.search(line))
        return Run(
            status,
            seconds,
            cpu_seconds,
            output,
            findings,
            messages,
            calls_read(str(directory / 'calls')),
            instances,
            libraries,
            instrumented,
            advice,
        )


LOADER_LINE = re.compile(r'^(\[Vulkan Loader\]|WARNING: \[Loader Message\])')
LIBRARIES = {
    ('src', ASSAY_LAYER): 'VkLayer_assay',
    ('src/khronos', KHRONOS_LAYER): 'VkLayer_assay',
    ('src', KHRONOS_LAYER): 'VkLayer_khronos_validation',
}


def same_result(program, configuration, run, base):
    """Empty, or what is not as it should be."""
    how = CONFIGURATIONS[configuration]
    for layer in how.layers:
        if LIBRARIES[how.directory, layer] not in run.libraries:
            return f'{LIBRARIES[how.directory, layer]} was not loaded'
    if configuration in OF_PRACTICES and program.name in HEARS_ADVICE:
        return ''
    if run.status != base.status:
        return f'status {run.status}, {base.status} without'
    if program.result and program.result(run.output) != program.result(base.output):
        return 'output differs'
    return ''


@dataclasses.dataclass
class Row:
    program: Program
    runs: dict  # by configuration
    counted: Run  # without a validation layer, with the counting one
    differences: dict

    def ours(self):
        """The findings of Assay in any of its ways, and of both layers where both are on: {id:
        message}."""
        return {
            vuid: run.messages[vuid]
            for c, run in self.runs.items()
            if c.startswith('assay') and c not in OF_PRACTICES
            for vuid in run.findings
        }

    def ours_alone(self):
        """The ids that Assay reports where no other layer does."""
        return {
            vuid
            for c, run in self.runs.items()
            if c.startswith('assay') and 'khronos' not in c
            for vuid in run.findings
        }

    def only_ours(self):
        """Those that the Khronos layer, with all its checks, does not report."""
        theirs = {
            vuid
            for c in ('khronos', 'khronos-sync', 'khronos-gpu')
            if c in self.runs
            for vuid in self.runs[c].findings
        }
        return {
            vuid: message
            for vuid, message in self.ours().items()
            if vuid not in theirs and (self.program.name, vuid) not in RIGHTLY_ALONE
        }

    def missed(self):
        """Returns the findings that the Khronos layer reports and Assay must, too."""
        theirs = {}
        for c, ours in {
            'khronos-same': 'assay',
            'khronos': 'assay',
            'khronos-sync': 'assay-sync',
            'khronos-gpu': 'assay-gpu',
        }.items():
            if c in self.runs and ours in self.runs:
                theirs |= {
                    vuid: message
                    for vuid, message in self.runs[c].messages.items()
                    if vuid not in OF_THE_KHRONOS_LAYER
                }
        return {
            vuid: message
            for vuid, message in theirs.items()
            if vuid not in self.ours_alone() and (self.program.name, vuid) not in RIGHTLY_SILENT
        }

    def same(self, word):
        """Does it run with the layer, in all its ways, as without?"""
        ways = [c for c in self.runs if word in c]
        return (
            '-'
            if not ways
            else ', '.join(f'{c}: {self.differences[c]}' for c in ways if self.differences[c])
            or 'yes'
        )


def best_of(rounds, program, configuration, build, display):
    """The run that took least CPU time: other work on the machine only ever adds. One that failed,
    or found something, goes first."""
    runs = [run_program(program, configuration, build, display, False) for _ in range(rounds)]
    return min(runs, key=lambda run: (run.status == 0 and not run.findings, run.cpu_seconds))


def run_all(programs, configurations, build, keep_output, rounds, kept, kept_in):
    server = XServer()
    rows = []
    try:
        for program in programs:
            if program.needs and not pathlib.Path(program.needs).exists():
                print(f'{program.name}: left out, as {program.needs} is not there')
                continue
            if not shutil.which(program.command[0]):
                raise SystemExit(
                    f'{program.command[0]} is not installed (./dev real-programs installs it)'
                )
            counted = run_program(program, 'none', build, server.display, True)
            runs = {
                c: best_of(rounds if c in IN_TABLE else 1, program, c, build, server.display)
                for c in configurations
            }
            differences = {c: same_result(program, c, run, runs['none']) for c, run in runs.items()}
            row = Row(program, runs, counted, differences)
            rows.append(row)
            report_progress(row)
            before = kept.get(program.name, ({}, None, {}))
            kept[program.name] = (before[0] | runs, counted, before[2] | differences)
            if kept_in:
                kept_in.write_bytes(pickle.dumps(kept))
            if keep_output:
                for configuration, run in runs.items():
                    (keep_output / f'{program.name}.{configuration}.txt').write_text(run.output)
                    if run.advice:
                        (keep_output / f'{program.name}.{configuration}.advice.jsonl').write_text(
                            ''.join(json.dumps(one) + '\n' for one in run.advice)
                        )
    finally:
        server.close()
    return rows


def report_progress(row):
    def one(configuration, run):
        findings = (
            ', '.join(f'{vuid} x{count}' for vuid, count in run.findings.items()) or 'no findings'
        )
        advice = f', {len(run.advice)} pieces of advice' if configuration in OF_PRACTICES else ''
        return (
            f'  {configuration}: status {run.status}, {run.seconds:.2f} s, '
            f'{run.cpu_seconds:.2f} s of CPU, {findings}{advice} '
            f'{row.differences[configuration]}'
        )

    print(f'{row.program.name}: {sum(row.counted.calls.values()):,} calls')
    print('\n'.join(one(c, run) for c, run in row.runs.items()), flush=True)
