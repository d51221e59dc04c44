#!/usr/bin/env python3
"""Compares what both layers find in whole test suites of other people.

  suites.py both SUITE... [options]
  suites.py run gtest|commands --layer assay|khronos|none --layer-path DIR --results FILE [options]
  -- PROGRAM... suites.py compare OURS THEIRS suites.py table --out docs/real-programs.md

`both` runs suites that `./dev suites` has installed on lavapipe, under the Khronos layer and under
ours, and compares. It keeps what each test gave in build/suites/SUITE, with a copy of our layer:
the same command again goes on where it stopped, with that copy; --again begins anew. For `run`,
PROGRAM is a program of GoogleTest (like dawn_end2end_tests), or a file with a test a line: a name,
a tab, a command. What a layer prints belongs to the test that runs; one that crashes is noted, and
its batch goes on behind it. FILE has a line of JSON for each test: how it ended, and the ids of its
findings with one message each. `compare` shows, by id, the tests in which only one layer found it,
and what ended differently; it exits with 1 where there is any that EXPLAINED does not know. `table`
writes what `both` has kept of each suite into that file.

Not part of the suite of tests that CI runs: these are hours of other people's work.
"""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import real_programs_list
import real_programs_page
import real_programs_run

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = {'assay': 'VK_LAYER_ASSAY_validation', 'khronos': 'VK_LAYER_KHRONOS_validation'}
PREFIXES = {'assay': 'assay', 'khronos': 'khronos_validation'}
FINDING = re.compile(
    r'(?:^Assay (?!repeated )\w+ |\[ ?)((?:VUID-|UNASSIGNED-|WARNING-|SYNC-|ASSAY-|'
    r'BestPractices-|Undefined-Value-)[\w-]+)'
)
STARTED = re.compile(r'^\[ RUN      \] (\S+)')
ENDED = re.compile(r'^\[\s+(OK|FAILED|SKIPPED) \] (\S+)')
ZINK = {'MESA_LOADER_DRIVER_OVERRIDE': 'zink', 'LIBGL_ALWAYS_SOFTWARE': '1'}
PIGLIT = ZINK | {'PIGLIT_SOURCE_DIR': '/usr/lib/x86_64-linux-gnu/piglit'}
GGML = {'GGML_VK_VISIBLE_DEVICES': '0'}

# A program whose window stays is closed after so many frames, or so many seconds after its first
# frame or its start.
FRAMES, SECONDS_AFTER_FIRST, SECONDS_WITHOUT = 40, 4, 20


def dawn():
    return ['dawn_end2end_tests', '--backend=vulkan']


def piglit():
    """piglit's quick tests, less those that compile only: zink would do nothing but make a
    device."""
    text = subprocess.run(
        ['piglit', 'print-cmd', 'quick', '--format', '{name}\t{command}'],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # Commands are relative to piglit's own directory.
    text = re.sub(r'(?<=\t)\.\./lib/', '/usr/lib/', text)
    tests = [line.split('\t', 1) for line in text.splitlines() if '\t' in line]
    return [(name, command) for name, command in tests if 'parsertest' not in command.split()[0]]


# Operations of which one pipeline takes lavapipe ten seconds and more to compile: so many cases,
# each a test of its own.
GGML_SLOW = {'FLASH_ATTN_EXT': 40, 'MUL_MAT': 60, 'MUL_MAT_ID': 40}
GGML_CASES = 100  # of others, in one test


def ggml():
    """test-backend-ops of ggml (llama.cpp): what the Vulkan backend says it supports."""
    program = f'{real_programs_list.LLAMA_TESTS}/test-backend-ops'
    listed = subprocess.run(
        [program, 'support', '-b', 'Vulkan0', '--output', 'csv'],
        capture_output=True,
        text=True,
        env=os.environ | GGML | {'VK_DRIVER_FILES': real_programs_list.LAVAPIPE},
    ).stdout
    cases = collections.defaultdict(list)
    for row in csv.DictReader(listed.splitlines()):
        if row['supported'] in ('1', 'true'):
            cases[row['op_name']].append(f'{row["op_name"]}({row["op_params"]})')
    tests = []
    for name, all_of_it in cases.items():
        size = 1 if name in GGML_SLOW else GGML_CASES
        some = list(every(all_of_it, GGML_SLOW.get(name, len(all_of_it))))
        for i in range(0, len(some), size):
            part = some[i : i + size]
            tests.append(
                (
                    f'{name}@{i}+{len(part)}',
                    shlex.join([program, 'test', '-b', 'Vulkan0', '-o', ','.join(part)]),
                )
            )
    return tests


# These tests of SDL open no window.
SDL_PLAIN = re.compile(
    'audio|thread|lock|test(sem|time|timer|ver|url|file|filesystem|atomic|qsort|resample|iconv|power|platform|process|locale|sensor|haptic|rumble|'
    'evdev|error|symbols|loadso|asyncio|bounds|displayinfo|keys|camera|dlopennote|tray|hotplug|manymouse|controller|surround|gl|gles|gles2|'
    'softwaretransparent)$|childprocess|loopwave|soundboard'
)
# These suites of testautomation draw.
SDL_SUITES = ('Render', 'Surface', 'Video', 'Blit', 'Mouse', 'Events')


def sdl():
    """SDL's installed tests with a window, on its renderer for Vulkan and on its renderer on SDL
    GPU."""
    names = [
        os.path.basename(path)
        for path in sorted(glob.glob(f'{real_programs_list.SDL_TESTS}/*'))
        if os.access(path, os.X_OK) and os.path.isfile(path) and '.' not in os.path.basename(path)
    ]
    names = [name for name in names if not SDL_PLAIN.search(name) and name != 'testautomation']
    commands = names + [f'testautomation --filter {suite}' for suite in SDL_SUITES]
    return [
        (
            f'{command} ({driver})',
            f'env SDL_RENDER_DRIVER={driver} {real_programs_list.SDL_TESTS}/{command}',
        )
        for driver in ('vulkan', 'gpu')
        for command in commands
        if driver == 'vulkan' or not re.match('testgpu|testvulkan', command)
    ]


# These draw with Vulkan: widgets and plain windows use the raster engine. xr_* need a headset.
QT_DRAWS = re.compile(
    r'^(vulkan|gui/rhiwindow|widgets/rhi|quick|quickcontrols|quick3d|graphs|qml)/(?!xr_|.*opengl)'
)


def qt():
    """Qt's examples that were built and that draw with Vulkan."""
    programs = [
        path
        for path in sorted(glob.glob('/usr/lib/*/qt6/examples/**/*', recursive=True))
        if os.path.isfile(path) and os.access(path, os.X_OK) and not re.search(r'\.\w+$', path)
    ]
    names = {path.split('/examples/')[1].replace('/bin/', '/'): path for path in programs}
    return [(name, shlex.quote(path)) for name, path in names.items() if QT_DRAWS.match(name)]


def gtk():
    """GTK's demos, and its other programs with a window."""
    names = subprocess.run(
        ['xvfb-run', '-a', 'gtk4-demo', '--list'], capture_output=True, text=True
    ).stdout.split()
    programs = [
        (name, name)
        for name in ('gtk4-demo', 'gtk4-demo-application', 'gtk4-node-editor', 'gtk4-print-editor')
    ]
    return programs + [(f'demo {name}', f'gtk4-demo --run={name}') for name in names]


@dataclasses.dataclass
class Suite:
    what: str  # for the reader
    tests: object  # () -> [(name, command)], or the program of GoogleTest
    environment: dict = dataclasses.field(default_factory=dict)
    gtest: bool = False
    windows: bool = False  # its programs do not end by themselves:
    ends: str = '^$'  # but for these
    limit: int = 60  # seconds for a test
    per_group: int = 0  # so many of each group, that is of names with the same first words; 0: all


SUITES = {
    'dawn': Suite("Dawn's end-to-end tests (WebGPU)", dawn, gtest=True),
    'piglit': Suite('piglit on zink (OpenGL)', piglit, PIGLIT, limit=30, per_group=3),
    'ggml': Suite('test-backend-ops of ggml (llama.cpp)', ggml, GGML, limit=120),
    'sdl': Suite(
        "SDL 3's installed tests",
        sdl,
        real_programs_list.SDL | {'SDL_GPU_DRIVER': 'vulkan'},
        windows=True,
        ends='^testautomation',
    ),
    'qt': Suite(
        "Qt's examples",
        qt,
        {
            'QSG_RHI_BACKEND': 'vulkan',
            'QT_QPA_PLATFORM': 'xcb',
            'QT_WIDGETS_RHI': '1',
            'QT_WIDGETS_RHI_BACKEND': 'vulkan',
            'QT_QUICK_CONTROLS_STYLE': 'Basic',
        },
        windows=True,
    ),
    'gtk': Suite(
        "GTK's demos",
        gtk,
        {'GSK_RENDERER': 'vulkan', 'GDK_BACKEND': 'x11', 'NO_AT_BRIDGE': '1'},
        windows=True,
    ),
}

SLICES = (
    'the host has brought all slices of a 3D image into the layout, with '
    'VK_REMAINING_ARRAY_LAYERS (layouts_submitted.slices_that_the_host_brings): '
    '"baseArrayLayer and '
    'layerCount members of subresourceRange specify the subset of slices"'
)
SLICE = (
    r'arrayLayer = [1-9]\d*\) to be in layout VK_IMAGE_LAYOUT_\w+--instead, current layout is '
    r'VK_IMAGE_LAYOUT_UNDEFINED'
)
# One layer alone reports these: (suite, layer, regular expression of test and message, id, the
# sentence that decides). The id "end" is for tests that end differently.
EXPLAINED = [
    (
        'qt',
        'khronos',
        'graphs/3d/(axishandling|scatter)',
        'end',
        (
            'it crashes without a layer, too: a pipeline lacks a descriptor (07988), and Assay '
            'does not let that go down'
        ),
    ),
    (
        'qt',
        'khronos',
        'graphs/3d/(axishandling|scatter)',
        'VUID-vkCmdDrawIndexed-None-08114',
        (
            'the same descriptor, which the layout of the pipeline lacks: '
            'VUID-VkGraphicsPipelineCreateInfo-layout-07988, by both, after which Assay has no '
            'pipeline to draw with'
        ),
    ),
    *(
        (
            'qt',
            layer,
            'hellovulkan|graphs/|quick3d/',
            hazard,
            'the layout transition of an acquired image does not wait for the semaphore: '
            'one is SYNC-HAZARD-WRITE-AFTER-PRESENT by '
            'Assay and SYNC-HAZARD-WRITE-AFTER-READ by the Khronos layer',
        )
        for layer, hazard in (
            ('assay', 'SYNC-HAZARD-WRITE-AFTER-PRESENT'),
            ('khronos', 'SYNC-HAZARD-WRITE-AFTER-READ'),
        )
    ),
    *(
        (
            'qt',
            layer,
            'vkCmdBeginRenderPass',
            'SYNC-HAZARD-WRITE-AFTER-WRITE',
            'two frames write one image, and the implicit dependency into the render pass '
            'has ".srcStageMask = VK_PIPELINE_STAGE_NONE": both layers say so where no '
            'fence was '
            'waited for between, which differs from run to run',
        )
        for layer in LAYERS
    ),
    (
        'piglit',
        'khronos',
        'glx-make-current$',
        'end',
        'it passes in some runs and fails in others, without a layer as well (11 of 24 failed)',
    ),
    ('piglit', 'khronos', SLICE, 'VUID-vkCmdDraw-None-09600', SLICES),
    ('piglit', 'khronos', SLICE, 'VUID-vkCmdBeginRendering-pRenderingInfo-09592', SLICES),
    (
        'dawn',
        'khronos',
        '',
        'UNASSIGNED-GeneralParameterError-RequiredHandle',
        (
            'a barrier for VK_NULL_HANDLE, which both report as '
            'VUID-VkImageMemoryBarrier-image-parameter'
        ),
    ),
    (
        'dawn',
        'khronos',
        '',
        'WARNING-VkImageSubresourceRange-layerCount-compatibility',
        (
            'both tell it, Assay once from each place in a program, whichever test of its '
            'process comes there first'
        ),
    ),
    (
        'dawn',
        'khronos',
        'CompressedTextureWriteTextureTest.WriteIntoSubresourceWithPhysicalSizeNotEqualToVirtualSize',
        'SYNC-HAZARD-WRITE-AFTER-WRITE',
        'the image that the barrier transitions was created just before, and no command '
        'has accessed it: the copy that the message names is one of 12 x 13 texels into a '
        'level of 13 x 13 of another image, of blocks, which is beside it',
    ),
    *(
        (
            suite,
            'khronos',
            '',
            'Undefined-Value-ShaderOutputNotConsumed' + of,
            'a location that no attachment has: "any values written to it are discarded"',
        )
        for suite in ('dawn', 'piglit')
        for of in ('', '-DynamicRendering')
    ),
    (
        'piglit',
        'khronos',
        '',
        'Undefined-Value-ShaderFragmentOutputMismatch-DynamicRendering',
        (
            'zink links pipelines from libraries, of which Assay does not say that "the '
            'resulting values are undefined"; it breaks no statement'
        ),
    ),
    (
        'piglit',
        'assay',
        'arb_sample_locations',
        'VUID-VkGraphicsPipelineCreateInfo-sampleLocationsEnable-01524',
        (
            'sampleLocationsEnable is VK_TRUE, and "the fragment shader code must not '
            'statically use the extended instruction InterpolateAtSample"'
        ),
    ),
    (
        'dawn',
        'assay',
        'FramebufferFetchTests.*__d_vulkan_use_rasterization_order_attachment_access',
        'SYNC-HAZARD-READ-AFTER-WRITE',
        'a draw reads as an input attachment what an earlier one wrote, of a pipeline that '
        'does not order them, as the name tells; with '
        'syncval_shader_accesses_heuristic the Khronos layer says the same',
    ),
    (
        'piglit',
        'assay',
        'draw-auto|transform_feedback',
        'SYNC-HAZARD-READ-AFTER-WRITE',
        'zink makes the counter visible to '
        'VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT: "A pipeline barrier is '
        'required between using the counter buffer for '
        'vkCmdEndTransformFeedbackEXT and vkCmdDrawIndirectByteCountEXT where ... the '
        'destination access is VK_ACCESS_INDIRECT_COMMAND_READ_BIT for the pipeline stages '
        'VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT and '
        'VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT respectively"',
    ),
    (
        'piglit',
        'assay',
        'arb_sparse_buffer',
        'SYNC-HAZARD-READ-AFTER-WRITE',
        'zink copies into a sparse buffer and fetches vertices from it with no barrier '
        'between; the Khronos layer does not follow sparse buffers '
        '(sync_hazards_buffers.sparse_buffer_without_a_barrier)',
    ),
    (
        'piglit',
        'assay',
        '',
        'SYNC-HAZARD-WRITE-AFTER-PRESENT',
        'the Khronos layer calls the same UNASSIGNED-non-acquired-swapchain-image-used',
    ),
    (
        'piglit',
        'khronos',
        '',
        'UNASSIGNED-non-acquired-swapchain-image-used',
        'reported as SYNC-HAZARD-WRITE-AFTER-PRESENT',
    ),
    (
        'piglit',
        'khronos',
        '',
        'UNASSIGNED-Threading-MultipleThreads-Write',
        (
            'two threads of zink acquire from and present to a swapchain: reported where they '
            'meet, which they do not in each run'
        ),
    ),
    (
        'piglit',
        'khronos',
        'glx-shader-sharing-uniforms',
        'VUID-vkQueueSubmit-pSignalSemaphores-00067',
        'the semaphore of a present has since been signaled by vkAcquireNextImageKHR, and '
        'a submit that waited for that has completed: it is "unsignaled when the semaphore '
        'signal operation ... is executed"',
    ),
    (
        'sdl',
        'khronos',
        'testgpurender_msdf',
        'VUID-VkShaderModuleCreateInfo-pCode-08737',
        (
            'a vector at offset 4: "All vectors must be aligned according to their scalar '
            'alignment" (Standard Buffer Layout, Vulkan 1.1; the device is of 1.4)'
        ),
    ),
    *(
        (
            'qt',
            'assay',
            'SAMPLED_READ|vulkantextureimport',
            hazard,
            (
                'a draw samples it: with syncval_shader_accesses_heuristic the Khronos layer '
                'says the same'
            ),
        )
        for hazard in ('SYNC-HAZARD-READ-AFTER-WRITE', 'SYNC-HAZARD-WRITE-AFTER-READ')
    ),
    (
        'qt',
        'khronos',
        'rhiwindow',
        'VUID-VkDeviceCreateInfo-enabledLayerCount-12384',
        (
            'it names the Khronos layer for its device where it finds that; under Assay there '
            'is none, and the count is 0'
        ),
    ),
    (
        'qt',
        'khronos',
        '',
        'VUID-VkShaderModuleCreateInfo-pCode-08740',
        'the capability Shader, which needs VK_VERSION_1_0, and '
        'VkApplicationInfo::apiVersion is 0: "providing an apiVersion of 0 is equivalent '
        'to providing an apiVersion of '
        'VK_MAKE_API_VERSION(0,1,0,0)"',
    ),
    (
        'gtk',
        'assay',
        '',
        'SYNC-HAZARD-READ-AFTER-WRITE',
        'a render pass without dependencies brings its attachment into the final layout: '
        'the implicit dependency to VK_SUBPASS_EXTERNAL has ".dstStageMask = '
        'VK_PIPELINE_STAGE_NONE", and the barrier after it, from COLOR_ATTACHMENT_OUTPUT, '
        'chains with nothing '
        '(sync_hazards_attachments.final_transition_that_no_barrier_waits_for)',
    ),
]


def explained(suite, layer, test, name, results):
    text = f'{test}: {results[test]["messages"].get(name, "")}'
    return next(
        (
            why
            for s, which, pattern, i, why in EXPLAINED
            if (s, which, i) == (suite, layer, name) and re.search(pattern, text)
        ),
        None,
    )


def environment_of(arguments, directory):
    environment = {k: v for k, v in os.environ.items() if k != 'WAYLAND_DISPLAY'}
    environment |= dict(pair.split('=', 1) for pair in arguments.env)
    layers = ['VK_LAYER_ASSAY_call_counter'] if arguments.windows else []
    if arguments.windows:
        environment |= {
            'HOME': directory,
            'XDG_CACHE_HOME': f'{directory}/cache',
            'XDG_RUNTIME_DIR': directory,
            'CALL_COUNTER_FILE': f'{directory}/calls',
        }
    if arguments.layer != 'none':
        prefix = PREFIXES[arguments.layer]
        settings = {
            'debug_action': 'VK_DBG_LAYER_ACTION_LOG_MSG',
            'log_filename': 'stdout',
            'report_flags': 'error,warn',
            # A process of GoogleTest runs several tests, and each of them must have its findings.
            'enable_message_limit': str(arguments.layer != 'assay' and not arguments.gtest).lower(),
            'duplicate_message_limit': '3',
        }
        settings |= dict(pair.split('=', 1) for pair in arguments.setting)
        file = pathlib.Path(directory) / 'vk_layer_settings.txt'
        file.write_text(''.join(f'{prefix}.{key} = {value}\n' for key, value in settings.items()))
        environment['VK_LAYER_SETTINGS_PATH'] = str(file)
        layers.append(LAYERS[arguments.layer])
    if layers:
        environment |= {
            'VK_INSTANCE_LAYERS': ':'.join(layers),
            'VK_LAYER_PATH': f'{os.path.abspath(arguments.layer_path)}:{ROOT / "build/tests/call-counter"}',
        }
    return environment


class Result:
    def __init__(self):
        self.end = 'did not run'
        self.findings = collections.Counter()
        self.messages = {}
        self.calls = None  # to Vulkan, where they were counted

    def read(self, line, following):
        for match in FINDING.finditer(line):
            self.findings[match[1]] += 1
            self.messages.setdefault(match[1], ' '.join([line, *following])[:1500])

    def as_json(self, name):
        return json.dumps(
            {
                'name': name,
                'end': self.end,
                'findings': self.findings,
                'messages': self.messages,
                'calls': self.calls,
            }
        )


def end_of(process, limit):
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return 'timeout'


def end_of_window(process, limit, directory, display):
    """As end_of(), for a program that ends when its window is closed."""
    began, first, asked = time.monotonic(), None, 0
    while time.monotonic() < began + limit:
        try:
            return process.wait(0.2)
        except subprocess.TimeoutExpired:
            pass
        now = time.monotonic()
        frames = real_programs_run.calls_read(f'{directory}/calls')['vkQueuePresentKHR']
        first = first or (now if frames else None)
        if frames >= FRAMES or now > (
            first + SECONDS_AFTER_FIRST if first else began + SECONDS_WITHOUT
        ):
            if asked < 5:
                real_programs_run.Window.close_all(display)
            else:
                process.send_signal(signal.SIGTERM)  # it asks whether to save, or hides its window
                return 'closed' if end_of(process, 5) != 'timeout' else 'timeout'
            asked += 1
            time.sleep(0.5)
    return 'timeout'


of_worker = threading.local()  # its display


def run_process(arguments, command, environment, directory, limit, ends=True):
    """(status, lines). A process that takes too long is ended: 'timeout'."""
    if arguments.windows:
        if not hasattr(of_worker, 'server'):
            of_worker.server = real_programs_run.XServer()
            arguments.servers.append(of_worker.server)
        environment = environment | {'DISPLAY': of_worker.server.display}
    with open(os.path.join(directory, 'output'), 'wb+') as output:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = (
                end_of(process, limit)
                if ends
                else end_of_window(process, limit, directory, of_worker.server.display)
            )
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # what it has started may outlive it
            except ProcessLookupError:
                pass
            process.wait()
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
            status, lines = run_process(
                arguments, command, environment, directory, arguments.limit + 2 * len(left)
            )
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
                current.read(line, lines[number + 1 : number + 3])
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
    if not shutil.which(re.sub(r'^env \w+=\w+ ', '', command).split()[0].strip("'")):
        result.end = 'is not there'
        return {name: result}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        ends = not arguments.windows or bool(re.search(arguments.ends, name))
        status, lines = run_process(
            arguments,
            shlex.split(command),
            environment_of(arguments, directory),
            directory,
            arguments.limit,
            ends,
        )
        for number, line in enumerate(lines):
            result.read(line, lines[number + 1 : number + 3])
        if arguments.windows:
            result.calls = sum(real_programs_run.calls_read(f'{directory}/calls').values())
    result.end = (
        status
        if isinstance(status, str)
        else 'OK'
        if status == 0
        else 'crashed'
        if status < 0
        else 'FAILED'
    )
    if verdicts := re.findall(r'^PIGLIT: {"result": "(\w+)"', '\n'.join(lines), re.M):
        result.end = verdicts[-1]
    return {name: result}


def gtest_list(program, environment):
    text = subprocess.run(
        program + ['--gtest_list_tests'],
        env=environment,
        capture_output=True,
        text=True,
        errors='replace',
    ).stdout
    tests, group = [], ''
    for line in text.splitlines():
        line = line.split('#')[0].rstrip()
        if re.match(r'^[\w/]+\.$', line):
            group = line
        elif line.startswith('  ') and group:
            tests.append(group + line.strip())
    return tests


def name_of(test):
    return test if isinstance(test, str) else test[0]


def every(of, count):
    """So many of them, far from each other."""
    count = min(count, len(of))
    return (of[k * len(of) // count] for k in range(count))


def spread(tests, per_group):
    """So many tests of each group; first one of each group, then another one of each."""
    groups = collections.defaultdict(list)
    for test in tests:
        groups['@'.join(name_of(test).split('@')[:2])].append(test)
    chosen = [list(every(group, per_group)) for group in groups.values()]
    return [group[k] for k in range(per_group) for group in chosen if k < len(group)]


def read_results(path):
    """{test: what it gave}: all ends and findings of its runs. A line that was cut off does not
    count."""
    results = {}
    for line in pathlib.Path(path).read_text().splitlines() if os.path.exists(path) else ():
        try:
            result = json.loads(line)
        except ValueError:
            continue
        before = results.setdefault(
            result['name'], result | {'ends': set(), 'findings': {}, 'messages': {}}
        )
        before['end'] = result['end']
        before['ends'].add(result['end'])
        before['findings'] = result['findings'] | before['findings']
        before['messages'] = result['messages'] | before['messages']
    return results


def ended_differently(suite, test, ours, theirs):
    return not ours[test]['ends'] & theirs[test]['ends'] and not explained(
        suite, 'khronos', test, 'end', theirs
    )


def differs(suite, test, ours, theirs):
    """Did it never end alike, or did one layer find what the other one did not?"""
    if not ours or not theirs:
        return False
    return ended_differently(suite, test, {test: ours}, {test: theirs}) or any(
        not explained(suite, layer, test, name, {test: a})
        for layer, a, b in (('assay', ours, theirs), ('khronos', theirs, ours))
        for name in set(a['findings']) - set(b['findings'])
    )


def tests_of(arguments):
    if arguments.gtest:
        tests = gtest_list(
            arguments.program, os.environ | dict(pair.split('=', 1) for pair in arguments.env)
        )
    else:
        lines = pathlib.Path(arguments.program[0]).read_text().splitlines()
        tests = [tuple(line.split('\t', 1)) for line in lines if '\t' in line]
    tests = [t for t in tests if re.search(arguments.only, name_of(t))][
        arguments.offset :: arguments.stride
    ]
    return spread(tests, arguments.per_group) if arguments.per_group else tests


def run(arguments, tests):
    """Runs the tests, and adds what they give to the file of results."""
    if arguments.layer != 'none' and not any(
        LAYERS[arguments.layer] in pathlib.Path(path).read_text()
        for path in glob.glob(f'{arguments.layer_path}/*.json')
    ):
        raise SystemExit(f'{arguments.layer_path} has no {LAYERS[arguments.layer]}')
    print(f'{len(tests)} tests, layer {arguments.layer}, {arguments.jobs} at once', flush=True)
    began, results, told = time.monotonic(), {}, 0
    with (
        concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool,
        open(arguments.results, 'a', encoding='utf-8') as file,
    ):
        if arguments.gtest:
            size = arguments.batch
            pending = [
                pool.submit(run_gtest_batch, arguments, tests[i : i + size])
                for i in range(0, len(tests), size)
            ]
        else:
            pending = [pool.submit(run_command, arguments, test) for test in tests]
        for future in concurrent.futures.as_completed(pending):
            if future.cancelled():
                continue
            for name, result in future.result().items():
                file.write(result.as_json(name) + '\n')
                results[name] = result
            file.flush()
            if len(results) >= told + 100:
                told = len(results)
                print(f'{told} after {time.monotonic() - began:.0f} s', flush=True)
            if arguments.seconds and time.monotonic() - began > arguments.seconds:
                for other in pending:
                    other.cancel()
    for server in arguments.servers:
        server.close()
    arguments.servers.clear()


def summarize(title, results):
    ends = collections.Counter(r['end'] for r in results.values())
    ids = collections.Counter(i for r in results.values() for i in r['findings'])
    counted = [r['calls'] for r in results.values() if r.get('calls') is not None]
    used = f', {sum(map(bool, counted))} call Vulkan ({sum(counted):,} calls)' if counted else ''
    print(
        f'{title}: {len(results)} tests{used}: '
        + ', '.join(f'{count} {end}' for end, count in ends.most_common())
    )
    for name, count in ids.most_common():
        print(f'{count:6} tests  {name}')


def table(arguments):
    """The section of docs/real-programs.md."""
    lines = [
        '## Whole suites',
        '',
        (
            'Tests of other people, each under the Khronos layer and under Assay '
            '(tests/suites.py), on lavapipe. Made by `./dev suites NAME --setting '
            'validate_sync=true`'
        ),
        (
            '(piglit: `--per-group 9` as well; dawn: without the setting) and `tests/suites.py '
            'table --out docs/real-programs.md`. "Use Vulkan": tests that were not'
        ),
        (
            'skipped, or that called it. "Ended": under Assay; under the Khronos layer alike, '
            'but for those that the last column counts. Findings count tests: of both'
        ),
        (
            'layers; of one of them alone, where the sentence that decides stands below; and '
            'of one alone with no such sentence.'
        ),
        '',
        (
            '| suite | tests | use Vulkan | ended | findings of both | of one alone, explained '
            '| unexplained | ended differently |'
        ),
        '|---|--:|--:|---|---|--:|--:|--:|',
    ]
    reasons = []
    for name, suite in SUITES.items():
        ours, theirs = (
            read_results(ROOT / 'build/suites' / name / f'{layer}.jsonl') for layer in LAYERS
        )
        listed = ROOT / 'build/suites' / name / 'commands'
        wanted = (
            {line.split('\t', 1)[0] for line in listed.read_text().splitlines()}
            if listed.exists()
            else set(ours)
        )
        tests = sorted(set(ours) & set(theirs) & wanted)
        if not tests:
            continue
        ends = collections.Counter(ours[test]['end'] for test in tests)
        used = sum(
            ours[test]['calls'] > 0
            if ours[test].get('calls') is not None
            else ours[test]['end'] not in ('skip', 'SKIPPED', 'is not there')
            for test in tests
        )
        shared, why, unexplained = collections.Counter(), collections.defaultdict(list), 0
        for test in tests:
            shared.update(set(ours[test]['findings']) & set(theirs[test]['findings']))
            for layer, a, b in (('assay', ours, theirs), ('khronos', theirs, ours)):
                for finding in set(a[test]['findings']) - set(b[test]['findings']):
                    reason = explained(name, layer, test, finding, a)
                    unexplained += reason is None
                    if reason:
                        why[layer, finding, reason].append(test)
        different = sum(ended_differently(name, test, ours, theirs) for test in tests)
        lines.append(
            f'| {name}: {suite.what} | {len(tests):,} | {used:,} | '
            f'{", ".join(f"{count:,} {end}" for end, count in ends.most_common())} | '
            f'{", ".join(f"`{finding}` {count}" for finding, count in shared.most_common()) or "none"} '
            f'| {sum(map(len, why.values()))} | {unexplained} | {different} |'
        )
        reasons += [
            (
                f'- {name}: `{finding}`, by '
                f'{"Assay" if layer == "assay" else "the Khronos layer"}, {len(of)} tests, as '
                f'`{of[0]}`: {reason}.'
            )
            for (layer, finding, reason), of in sorted(why.items())
        ]
    text = '\n'.join([*lines, '', *reasons]) + '\n\n'
    before = arguments.out.read_text()
    arguments.out.write_text(
        real_programs_page.SUITES_SECTION.sub('', before).replace(
            '## Time\n', text + '## Time\n', 1
        )
    )


def compare(suite, ours, theirs):
    """Prints what differs. 1 where something does that EXPLAINED does not know."""
    both = sorted(set(ours) & set(theirs))
    alone = {'assay': collections.defaultdict(list), 'khronos': collections.defaultdict(list)}
    for test in both:
        for layer, a, b in (('assay', ours, theirs), ('khronos', theirs, ours)):
            for name in set(a[test]['findings']) - set(b[test]['findings']):
                alone[layer][name].append(test)
    ended = [test for test in both if ended_differently(suite, test, ours, theirs)]
    print(f'{suite}: {len(both)} tests ran under both')
    unexplained = 0
    for layer, source in (('assay', ours), ('khronos', theirs)):
        for name, tests in sorted(alone[layer].items(), key=lambda item: -len(item[1])):
            by_reason = collections.defaultdict(list)
            for test in tests:
                by_reason[explained(suite, layer, test, name, source)].append(test)
            unexplained += len(by_reason[None])
            for why, some in by_reason.items():
                if some:
                    print(
                        f'only {layer}: {name}: {len(some)} tests, as {some[0]}\n    '
                        f'{why or source[some[0]]["messages"].get(name, "")[:1500]}'
                    )
    for test in ended[:50]:
        print(
            f'ended differently: {test}: {ours[test]["end"]} under ours, '
            f'{theirs[test]["end"]} under theirs'
        )
    print(
        f'{suite}: {len(both)} tests, {unexplained} unexplained findings of one layer '
        f'only, {len(ended)} tests ended differently'
    )
    return 1 if ended or unexplained else 0


def copy_layer(directory):
    """Ours, as it is now: builds go on while a suite runs."""
    (directory / 'layer').mkdir(parents=True, exist_ok=True)
    for file in ('libVkLayer_assay.so', 'libVkLayer_assay_spirv.so', 'VkLayer_assay.json'):
        shutil.copy(ROOT / 'build/src' / file, directory / 'layer')


def both(arguments, name):
    """Runs an installed suite under both layers; goes on with what an earlier run left."""
    suite, kept = SUITES[name], ROOT / 'build/suites' / name
    arguments.gtest, arguments.windows, arguments.ends = suite.gtest, suite.windows, suite.ends
    arguments.limit = arguments.limit or suite.limit
    arguments.per_group = suite.per_group if arguments.per_group is None else arguments.per_group
    arguments.env = [
        'VK_DRIVER_FILES=' + real_programs_list.LAVAPIPE,
        *(f'{k}={v}' for k, v in suite.environment.items()),
        *arguments.env,
    ]
    stamp = json.dumps(sorted(arguments.setting) + sorted(arguments.env))
    paths = {layer: kept / f'{layer}.jsonl' for layer in LAYERS}
    if arguments.again or not (kept / 'stamp').exists() or (kept / 'stamp').read_text() != stamp:
        shutil.rmtree(kept, ignore_errors=True)
        copy_layer(kept)
        (kept / 'stamp').write_text(stamp)
    elif arguments.mended:
        copy_layer(kept)
        ours, theirs = (read_results(paths[layer]) for layer in LAYERS)
        alike = {test for test in ours if not differs(name, test, ours[test], theirs.get(test))}
        lines = paths['assay'].read_text().splitlines(True)
        paths['assay'].write_text(
            ''.join(line for line in lines if json.loads(line)['name'] in alike)
        )
    if suite.gtest:
        arguments.program = suite.tests()
    else:
        (kept / 'commands').write_text(
            ''.join(f'{test}\t{command}\n' for test, command in suite.tests())
        )
        arguments.program = [str(kept / 'commands')]
    tests = tests_of(arguments)

    def run_under(layer, some):
        arguments.layer, arguments.results = layer, str(paths[layer])
        arguments.layer_path = (
            str(kept / 'layer') if layer == 'assay' else '/usr/share/vulkan/explicit_layer.d'
        )
        if some:
            run(arguments, some)

    # Both go forward together, so that what an interrupted run leaves can be compared.
    for part in (tests[i : i + arguments.part] for i in range(0, len(tests), arguments.part)):
        for layer in ('khronos', 'assay'):
            done = read_results(paths[layer])
            run_under(layer, [t for t in part if name_of(t) not in done])
    # Tests whose threads race, or that a busy machine makes slow, differ from run to run: they get
    # more runs.
    for _ in range(arguments.retries):
        ours, theirs = (read_results(paths[layer]) for layer in ('assay', 'khronos'))
        again = [
            t
            for t in tests
            if differs(name, name_of(t), ours.get(name_of(t)), theirs.get(name_of(t)))
        ]
        for layer in LAYERS:
            run_under(layer, again)
    wanted = {name_of(t) for t in tests}
    ours, theirs = (
        {n: r for n, r in read_results(paths[layer]).items() if n in wanted}
        for layer in ('assay', 'khronos')
    )
    summarize('Khronos layer', theirs)
    summarize('Assay', ours)
    return compare(name, ours, theirs)


def add_options(verb):
    verb.add_argument('--only', default='', help='a regular expression of names')
    verb.add_argument('--offset', type=int, default=0)
    verb.add_argument('--stride', type=int, default=1, help='every n-th test')
    verb.add_argument(
        '--per-group', type=int, help='so many tests of each group (default for piglit: 3; 0: all)'
    )
    verb.add_argument('--batch', type=int, default=40, help='tests of one process')
    verb.add_argument(
        '--part',
        type=int,
        default=200,
        help='tests that run under one layer before they run under the other',
    )
    verb.add_argument('--retries', type=int, default=2, help='more runs of tests that differ')
    verb.add_argument('--jobs', type=int, default=os.cpu_count())
    verb.add_argument(
        '--limit',
        type=int,
        default=0,
        help='seconds for a process, and of GoogleTest 2 more for each of its tests',
    )
    verb.add_argument(
        '--seconds', type=int, default=0, help='start no more tests of a part after that'
    )
    verb.add_argument(
        '--setting', action='append', default=[], metavar='KEY=VALUE', help='of the layer'
    )
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
    two.add_argument('names', choices=list(SUITES), nargs='+')
    two.add_argument('--again', action='store_true', help='forget what an earlier run gave')
    two.add_argument(
        '--mended',
        action='store_true',
        help='take the layer anew, and run the tests under it that differed',
    )
    for verb in (one, two):
        add_options(verb)
    one.add_argument('program', nargs='+')
    three = verbs.add_parser('compare')
    three.add_argument('ours')
    three.add_argument('theirs')
    four = verbs.add_parser('table')
    four.add_argument('--out', type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.servers = []
    if arguments.verb == 'table':
        sys.exit(table(arguments))
    if arguments.verb == 'both':
        statuses = [
            both(argparse.Namespace(**vars(arguments) | {'env': list(arguments.env)}), name)
            for name in arguments.names
        ]
        sys.exit(max(statuses))
    if arguments.verb == 'compare':
        sys.exit(compare('', read_results(arguments.ours), read_results(arguments.theirs)))
    arguments.gtest, arguments.windows = arguments.suite == 'gtest', False
    arguments.limit = arguments.limit or 60
    done = read_results(arguments.results)
    run(arguments, [t for t in tests_of(arguments) if name_of(t) not in done])
    summarize(arguments.layer, read_results(arguments.results))


if __name__ == '__main__':
    main()
