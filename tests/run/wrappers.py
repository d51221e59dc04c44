"""Whose line is shown: frames of wrappers, and what the end of a run says of them. For run.py."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from harness import EMPTY, HAZARD, USELESS, assay, environment_of, expect, options, program

HINT = 'assay: {} of {} begin in the {} {}; what called it is shown by: '


def take(found):
    lines = found.read_text().splitlines()
    return [json.loads(line) for line in lines if '"repeats":' not in line]


def callers(findings):
    return [finding['caller']['symbol'] for finding in findings]


def run(directory, *steps, flags=(), more=None):
    """Returns the text that people read, and the findings."""
    found = directory / 'found.jsonl'
    words = program('start', *steps, 'end', options_before=[f'--json={found}', *flags])
    _, said = assay(directory, *words, environment=more)
    return said, take(found)


def check_only(directory):
    """--only leaves other ids out; the end has the command that shows the gravest alone."""
    found, steps = directory / 'found.jsonl', ('start', 'useless', 'empty', 'empty', 'end')

    def ask(*flags):
        return assay(directory, *program(*steps, options_before=flags))[1]

    rest = f'-- {options.program} {" ".join(steps)}'
    for flags, wanted in (
        ((), '--only={0} --symbols --record-stacks'),
        (('--symbols', '--junit=x'), '--symbols --only={0} --record-stacks'),
        (
            ('-q', '--sarif', 'x', '--make-suppressions=y', '--record-stacks'),
            '-q --record-stacks --only={0} --symbols',
        ),
    ):
        lines = ask(*flags).splitlines()
        command = f'assay run {wanted.format(EMPTY)} {rest}'
        expect(lines[-2] == f'assay: {EMPTY} alone, with lines and stacks: {command}', lines)
        expect(lines[-1].startswith('assay: as a page, '), lines)
    said = ask(f'--only={EMPTY}', f'--json={found}')
    expect(': 2 findings, 2 errors, and 1 of other ids (--only).\n' in said, said)
    expect(USELESS not in said and 'alone, with lines' not in said, said)
    expect([finding['vuid'] for finding in take(found)] == [EMPTY] * 2, found.read_text())
    expect(': 3 findings, 3 errors.\n' in ask('--only=nothing,VUID-VkBuffer*'), 'patterns')
    said = ask('--only=SYNC-*', '--error-exit=3')
    expect(' status 0: nothing was found, but 3 of other ids (--only).\n' in said, said)


def check_known_wrappers(directory):
    """Frames of wrappers that everybody uses are passed over, whatever is asked for."""
    for flags in ((), ('--symbols',), ('--caller-ignore=libother.so',)):
        _, findings = run(directory, 'wrappers', flags=flags)
        expect(callers(findings) == ['use_wrappers'] * 7, findings)
        expect(len({finding['stack'][0]['symbol'] for finding in findings}) == 7, findings)
    # Files of vulkan.hpp are passed over, and not the program's that are named like them.
    _, findings = run(directory, 'render', flags=('--symbols',))
    expect(callers(findings) == ['render_world', 'create_in_renderer'], findings)
    files = [os.path.basename(finding['caller']['file']) for finding in findings]
    expect(files == ['program.c', 'vulkan_renderer.hpp'], findings)
    _, findings = run(directory, 'own method')
    expect(callers(findings)[0].endswith('_4Mine4mine'), findings)
    # A library under the name of one.
    copy = directory / 'libSDL3.so.0'
    shutil.copy(os.path.dirname(options.program) + '/librhi.so', copy)
    _, findings = run(directory, 'mesh', more={'LD_PRELOAD': str(copy)})
    expect(findings[0]['stack'][0]['module'] == str(copy), findings)
    expect(callers(findings) == ['upload_mesh'], findings)


def check_wrappers(directory):
    """The end of a run says which option makes the first frames the program's own."""
    for steps, count, kind, pattern, functions in (
        (
            ('sky', 'ground', 'sky'),
            3,
            'function',
            'rhi::Device::makeBuffer',
            ['make_sky', 'make_ground', 'make_sky'],
        ),
        (
            ('grass', 'trees', 'trees', 'grass'),
            4,
            'functions',
            'gfx_*',
            ['make_grass', 'make_trees', 'make_trees', 'make_grass'],
        ),
        (
            ('clouds', 'rain', 'rain', 'clouds'),
            4,
            'functions',
            '_gpu_*',
            ['make_clouds', 'make_rain', 'make_rain', 'make_clouds'],
        ),
        (
            ('mesh', 'mesh', 'texture', 'empty'),
            3,
            'library',
            'librhi.so',
            ['upload_mesh', 'upload_mesh', 'upload_texture', 'create_empty_buffer'],
        ),
    ):
        said, findings = run(directory, *steps)
        expect(not set(callers(findings)) & set(functions[:3]), findings)
        hint = HINT.format(count, len(steps), kind, pattern)
        command = next((line for line in said.splitlines() if line.startswith(hint)), None)
        expect(command, said)
        command = command.removeprefix(hint)
        option = shlex.quote(f'--caller-ignore={pattern}')
        wanted = f'assay run --json={directory}/found.jsonl {option} -- '
        expect(command == f'{wanted}{options.program} start {" ".join(steps)} end', command)
        # It does what it says, and switches record_stacks on.
        done = subprocess.run(
            command.replace('assay', str(options.assay), 1),
            shell=True,
            cwd=directory,
            env=environment_of(directory),
            text=True,
            capture_output=True,
        )
        findings = take(directory / 'found.jsonl')
        expect(done.returncode == 0 and callers(findings) == functions, (done.stderr, findings))
        expect(' begin in the ' not in done.stderr and 'stacks' not in done.stderr, done.stderr)
        expect('ASSAY' not in done.stderr, done.stderr)
    # The list that was given is kept.
    said, _ = run(directory, 'sky', 'ground', 'sky', flags=('--caller-ignore=libother.so',))
    expect(' --caller-ignore=libother.so,rhi::Device::makeBuffer -- ' in said, said)
    said, _ = run(directory, 'sky', 'ground', 'sky', flags=('--set', 'caller_ignore=libother.so'))
    wanted = (
        ' --set caller_ignore=libother.so --set=caller_ignore=libother.so,rhi::Device::makeBuffer'
    )
    expect(f'{wanted} -- ' in said, said)
    _, findings = run(directory, 'sky', 'ground', 'sky', flags=wanted.split())
    expect(callers(findings) == ['make_sky', 'make_ground', 'make_sky'], findings)
    for flags in (
        ('--set=caller_ignore=rhi::*',),
        ('--caller-ignore=librhi.so', '--set', 'caller_ignore=x,rhi::Device::make*'),
    ):
        _, findings = run(directory, 'sky', 'ground', flags=flags)
        expect(callers(findings) == ['make_sky', 'make_ground'], findings)
    # One place, or few findings, are no wrapper; the begin of a name may be too short.
    for steps in (
        ['empty'] * 9,
        ['snow', 'hail', 'hail', 'snow'],
        ['sky', 'ground'],
        ['sky', 'ground', 'sky', *['empty'] * 5],
    ):
        expect(' begin in the ' not in run(directory, *steps)[0], steps)


def check_wrapped_suppressions(directory):
    """Suppressions name what called a wrapper, too: others that come through it are reported."""
    made = directory / 'made.supp'
    steps = ('sky', 'ground', 'mesh', 'particles')
    run(directory, *steps, flags=('--sync', f'--make-suppressions={made}'))
    text = made.read_text()
    for wrapper, function in (
        ('rhi::Device::makeBuffer', 'make_sky'),
        ('rhi::Device::makeBuffer', 'make_ground'),
        ('rhi_create_buffer', 'upload_mesh'),
        ('rhi_copy', 'move_particles'),
    ):
        expect(f'\n    caller  {wrapper}\n    caller  {function}\n' in text, text)
    said, findings = run(directory, *steps, flags=('--sync', f'--suppress={made}'))
    expect(findings == [] and 'not needed' not in said, said)
    # The calls that a submit finds have their stacks, too: several callers switch that on.
    again = directory / 'again.supp'
    run(directory, 'submitted particles', flags=('--sync', f'--make-suppressions={again}'))
    text = again.read_text()
    expect('\n    caller  rhi_copy\n    caller  move_particles\n' in text, text)
    flags = ('--sync', f'--suppress={again}')
    said, findings = run(directory, 'submitted particles', flags=flags)
    expect(findings == [] and 'not needed' not in said, said)
    _, findings = run(directory, 'submitted particles', flags=(*flags, '--set=record_stacks=false'))
    expect([finding['vuid'] for finding in findings] == [HAZARD], findings)
    expect('stack' not in findings[0]['sync']['this'], findings)
    _, findings = run(directory, 'texture', flags=(f'--suppress={made}',))
    expect(callers(findings) == ['rhi_create_buffer'], findings)
    # The way holds where wrappers are passed over, and must be in its order.
    flags = (f'--suppress={made}', '--caller-ignore=librhi.so,rhi::*')
    expect(run(directory, 'sky', 'ground', 'mesh', flags=flags)[1] == [], 'passed over')
    for way, count in (
        (('make_sky', 'rhi::Device::makeBuffer'), 1),
        (('make_sky', 'main'), 1),
        (('rhi::*', 'make_sky', 'main'), 0),
        (('rhi::*', 'main'), 0),
        (('rhi::*', 'make_ground'), 1),
    ):
        made.write_text(f'{EMPTY}\n' + ''.join(f'    caller  {each}\n' for each in way))
        expect(len(run(directory, 'sky', flags=(f'--suppress={made}',))[1]) == count, way)
    made.write_text(f'{EMPTY}\n' + '    caller  main\n' * 9)
    said = assay(directory, *program('start', options_before=[f'--suppress={made}']), status=2)[1]
    expect(f'{made}:10: there are too many callers\n' in said, said)


PYTHON = """
import ctypes, sys

class InstanceCreateInfo(ctypes.Structure):
    _fields_ = [('type', ctypes.c_int), ('next', ctypes.c_void_p), ('flags', ctypes.c_uint32), ('application', ctypes.c_void_p),
                ('layer_count', ctypes.c_uint32), ('layers', ctypes.c_void_p), ('extension_count', ctypes.c_uint32), ('extensions', ctypes.c_void_p)]

vulkan = ctypes.CDLL('libvulkan.so.1')
vulkan.vkEnumeratePhysicalDevices.argtypes = [ctypes.c_void_p] * 3
vulkan.vkCreateDevice.argtypes = [ctypes.c_void_p] * 4
vulkan.vkDestroyInstance.argtypes = [ctypes.c_void_p] * 2

def create_nothing(device):
    vulkan.vkCreateDevice(device, (ctypes.c_uint64 * 16)(), None, (ctypes.c_uint64 * 1)())

def list_devices(instance):
    count, device = ctypes.c_uint32(1), ctypes.c_void_p()
    vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), ctypes.byref(device))
    create_nothing(device)

def start():
    info, instance = InstanceCreateInfo(type=1), ctypes.c_void_p()
    vulkan.vkCreateInstance(ctypes.byref(info), None, ctypes.byref(instance))
    list_devices(instance)
    vulkan.vkDestroyInstance(instance, None)

start()
"""


def check_python(directory):
    """A program in Python that runs with -X perf has its functions as callers, and on its
    stacks."""
    script, found = directory / 'app.py', directory / 'found.jsonl'
    script.write_text(PYTHON)
    id_ = 'VUID-VkDeviceCreateInfo-sType-sType'

    def run(*flags):
        _, said = assay(directory, 'run', f'--json={found}', '--', sys.executable, *flags, script)
        findings = [json.loads(line) for line in found.read_text().splitlines()]
        for one in findings:
            pathlib.Path(f'/tmp/perf-{one["process"]}.map').unlink(missing_ok=True)
        return said, [one for one in findings if one['vuid'] == id_]

    # Without it there are the interpreter's own functions.
    said, findings = run()
    expect(len(findings) == 1 and findings[0]['caller'].get('module'), said)
    expect('py::' not in said, said)
    probe = subprocess.run(
        [
            sys.executable,
            '-X',
            'perf',
            '-c',
            'import sys; sys.exit(not sys.is_stack_trampoline_active())',
        ],
        capture_output=True,
    )
    if probe.returncode:
        sys.exit(77)
    said, findings = run('-X', 'perf')
    expect(len(findings) == 1, said)
    names = [
        frame['symbol']
        for frame in findings[0]['stack']
        if frame.get('symbol', '').startswith('py::')
    ]
    expect(
        names
        == [
            f'py::{name}:{script}'
            for name in ('create_nothing', 'list_devices', 'start', '<module>')
        ],
        findings[0]['stack'],
    )
    expect(
        findings[0]['caller']['symbol'] == names[0] and 'module' not in findings[0]['caller'],
        findings[0]['caller'],
    )
    expect(f'    caller  {names[0]}\n' in said, said)
