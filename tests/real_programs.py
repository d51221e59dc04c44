#!/usr/bin/env python3
"""Checks that real programs run with Assay as they run without it, and what both layers find in
them.

Each program runs to its normal end on lavapipe: without a layer, with Assay, with the Khronos layer
doing the same checks, and with the Khronos layer as it comes (with its thread checks, which Assay
has on). A program that never ends by itself has its window closed after a number of frames.
Compared with the run without a layer: exit status, and what the program printed, less what changes
from run to run. `--out docs/real-programs.md` writes the table there."""

import argparse
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
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.json'
TIMEOUT = 420
CLOSE_GRACE = 20  # seconds that a program may take to end once its window is closed
LLAMA_TESTS = '/usr/libexec/x86_64-linux-gnu/llama.cpp-tests'
QT_CUBES = '/usr/lib/x86_64-linux-gnu/qt6/examples/vulkan/hellovulkancubes/bin/hellovulkancubes'
SDL_TESTS = '/usr/libexec/installed-tests/SDL3'
TEST_VIDEO = ['-f', 'lavfi', '-i', 'testsrc=size=640x480:rate=25:duration=2']

# A scene with what GTK's renderer has shaders for.
GTK_SCENE = """\
color { bounds: 0 0 400 400; color: rgb(250,250,250); }
linear-gradient { bounds: 20 20 200 200; start: 20 20; end: 220 220; stops: 0 blue, 1 green; }
radial-gradient { bounds: 200 20 180 180; center: 290 110; hradius: 90; vradius: 90; start: 0; end: 1; stops: 0 red, 1 yellow; }
blur { blur: 8; child: color { bounds: 60 60 80 80; color: rgba(0,255,0,0.5); } }
rounded-clip { clip: 10 210 150 150 / 20; child: color { bounds: 0 200 200 200; color: rgba(0,0,255,0.3); } }
opacity { opacity: 0.5; child: border { outline: 220 220 120 120 / 10; widths: 6; colors: red; } }
outset-shadow { outline: 250 250 60 60 / 8; color: black; dx: 3; dy: 3; spread: 2; blur: 6; }
"""


ZINK = {'LIBGL_ALWAYS_SOFTWARE': '1', 'MESA_LOADER_DRIVER_OVERRIDE': 'zink'}

NODE_PROGRAMS = '/opt/assay-node-programs'  # tools/dev/packages.node-programs

SDL = {'SDL_VIDEODRIVER': 'x11', 'SDL_AUDIODRIVER': 'dummy'}
NO_NETWORK = {f'{kind}_proxy': 'http://127.0.0.1:9' for kind in ('http', 'https', 'all')}
GODOT = [
    'godot',
    '--path',
    '.',
    '--rendering-driver',
    'vulkan',
    '--audio-driver',
    'Dummy',
    '--quit-after',
    '32',
    '--fixed-fps',
    '30',
    '--rendering-method',
    'forward_plus',
]


@dataclasses.dataclass
class Program:
    name: str
    command: list
    what: str  # for the reader: what it does here
    environment: dict = dataclasses.field(default_factory=dict)
    frames: int = 0  # its window is closed after so many; 0: it ends by itself
    layers: list = dataclasses.field(
        default_factory=list
    )  # layers that it has above those compared
    files: str = (
        ''  # directory below tests/real-programs/ whose files it finds in its working directory
    )
    # (output) -> what must be the same with and without a layer; None: the exit status alone
    result: object = None
    compared: str = ''  # for the reader: what of the result comes from the GPU
    needs: str = ''  # a path without which it is left out: what the npm registry did not give


def lines_with(pattern):
    """The lines of the output that match, as the result; colours taken out."""
    return lambda text: '\n'.join(
        line
        for line in re.sub(r'\x1b\[[0-9;]*m', '', text).splitlines()
        if re.search(pattern, line)
    )


def said_by_page(text):
    """What tests/real-programs/chromium/index.html says."""
    return '\n'.join(re.findall(r'"(assay: .*?)"', text))


def vulkaninfo_result(text):
    """All that vulkaninfo says, less the section on layers, what it says of debugging extensions,
    of those that Assay offers on drivers without them (shader_abort), memory in use, and for which
    driver binaries of shaders are good (those of instrumented ones, for none but the layer)."""
    text = re.sub(r'^Layers: count.*?(?=^(?!VK_LAYER)\w[^\n]*\n=+\n)', '', text, flags=re.S | re.M)
    of_layers = (
        r'Loader Message|Validation Layer Info|VK_EXT_(validation_|debug_|layer_settings|'
        r'tooling_info)|VK_KHR_(device_fault|shader_(abort|constant_data)) |Extensions: count'
    )
    return '\n'.join(
        line
        for line in text.splitlines()
        if not re.search(of_layers + '|(budget|usage) +=|shaderBinaryUUID', line)
    )


def caps_result(text):
    """The report of vulkan-caps-viewer, less what it says of layers, and of the extensions that
    Assay offers on drivers without them."""
    report, _ = json.JSONDecoder().raw_decode(text[text.index('{\n') :])
    report['extensions'] = [
        extension
        for extension in report['extensions']
        if not re.search(
            r'_(shader_abort|shader_constant_data|device_fault)$', extension['extensionName']
        )
    ]
    return json.dumps(
        {key: value for key, value in report.items() if key not in ('layers', 'instance')}
    )


def glmark_result(text):
    """Which scenes were shown, by which renderer; not how fast."""
    return '\n'.join(re.findall(r'^\[\w+\].*?:(?= FPS)|GL_RENDERER.*', text, flags=re.M))


PROGRAMS = [
    Program(
        'vulkaninfo', ['vulkaninfo'], 'prints all that the driver offers', result=vulkaninfo_result
    ),
    Program('vkcube', ['vkcube', '--c', '3000'], '3,000 frames', result=lines_with('Selected')),
    Program(
        'vkcube --validate',
        ['vkcube', '--validate', '--c', '300'],
        'asks for the Khronos layer by name, 300 frames',
        result=lines_with('Selected'),
    ),
    Program('vkd3d-gears', ['vkd3d-gears'], 'D3D12 on Vulkan, 3,000 frames', frames=3000),
    Program(
        'glmark2',
        [
            'glmark2',
            '--off-screen',
            *(
                word
                for scene in ('build', 'texture', 'shading', 'bump', 'desktop', 'jellyfish')
                for word in ('-b', f'{scene}:nframes=100')
            ),
        ],
        'OpenGL on zink, 6 scenes of 100 frames',
        result=glmark_result,
        environment=ZINK,
    ),
    Program(
        'glmark2 --validate',
        [
            'glmark2',
            '--off-screen',
            '--validate',
            *(
                word
                for scene in ('build', 'texture', 'shading', 'bump', 'desktop')
                for word in ('-b', scene)
            ),
        ],
        'compares pixels of 5 scenes with those that it knows',
        result=lines_with(r'^\[\w+\].*Validation:|GL_RENDERER'),
        environment=ZINK,
        compared='pixels of 5 scenes, by the program',
    ),
    Program(
        'ffmpeg',
        [
            'ffmpeg',
            '-nostdin',
            '-hide_banner',
            '-init_hw_device',
            'vulkan=v:0',
            '-filter_hw_device',
            'v',
            *TEST_VIDEO,
            '-vf',
            'format=yuv420p,hwupload,scale_vulkan=w=320:h=240,avgblur_vulkan,gblur_vulkan,hflip_vulkan,hwdownload,'
            'format=yuv420p',
            '-f',
            'framemd5',
            '-',
        ],
        'scale, avgblur, gblur, hflip on 50 frames',
        result=lines_with(r'^\d+, '),
        compared='MD5 of 50 frames',
    ),
    Program(
        'ffmpeg-libplacebo',
        [
            'ffmpeg',
            '-nostdin',
            '-hide_banner',
            '-init_hw_device',
            'vulkan=v:0',
            '-filter_hw_device',
            'v',
            *TEST_VIDEO,
            '-vf',
            'libplacebo=w=320:h=240:upscaler=ewa_lanczos,format=yuv420p',
            '-f',
            'framemd5',
            '-',
        ],
        'libplacebo on 50 frames',
        result=lines_with(r'^\d+, '),
        compared='MD5 of 50 frames',
    ),
    Program(
        'mpv',
        [
            'mpv',
            '--no-config',
            '--gpu-sw=yes',
            '--vo=gpu-next',
            '--gpu-api=vulkan',
            '--gpu-context=x11vk',
            '--untimed',
            '--ao=null',
            '--no-terminal',
            'av://lavfi:testsrc=duration=20',
        ],
        '500 frames, vo=gpu-next, as fast as it goes',
    ),
    Program(
        'gtk4-rendernode-tool',
        ['gtk4-rendernode-tool', 'benchmark', '--renderer=vulkan', '--runs=200', 'scene.node'],
        '200 times one scene',
        result=lambda text: f'{len(re.findall("^vulkan", text, flags=re.M))} runs',
    ),
    Program(
        'gtk4-rendernode-tool render',
        [
            'sh',
            '-c',
            'gtk4-rendernode-tool render --renderer=vulkan scene.node scene.png && '
            'sha256sum scene.png',
        ],
        'the same scene to a PNG file',
        result=lines_with('scene.png'),
        compared='SHA-256 of the picture',
    ),
    Program('hellovulkancubes', [QT_CUBES], 'Qt, 60 frames', frames=60),
    Program(
        'test-opt',
        [f'{LLAMA_TESTS}/test-opt'],
        'llama.cpp, ggml on Vulkan',
        environment={'GGML_VK_VISIBLE_DEVICES': '0'},
        result=lines_with(r'OK|FAIL|passed'),
        compared='numbers, with what they must be',
    ),
    Program(
        'test-backend-ops',
        [f'{LLAMA_TESTS}/test-backend-ops', 'test', '-b', 'Vulkan0', '-o', 'ADD,NORM'],
        'ggml: ADD, NORM',
        environment={'GGML_VK_VISIBLE_DEVICES': '0'},
        result=lines_with(r'OK|FAIL|passed|not supported'),
        compared='numbers, with those of the CPU',
    ),
    Program(
        'test-backend-ops images',
        [f'{LLAMA_TESTS}/test-backend-ops', 'test', '-b', 'Vulkan0', '-o', 'GROUP_NORM,UPSCALE'],
        'ggml: GROUP_NORM, UPSCALE',
        environment={'GGML_VK_VISIBLE_DEVICES': '0'},
        result=lines_with(r'OK|FAIL|passed|not supported'),
        compared='numbers, with those of the CPU',
    ),
    Program(
        'godot',
        GODOT,
        'a game engine (Forward+): 30 frames of a scene with shadows, sky, glow, particles',
        files='godot',
        result=lines_with('frames|image'),
        compared='SHA-256 of the 30th frame',
    ),
    Program(
        'chromium',
        ['sh', 'run.sh'],
        'a page with WebGL and WebGPU; ANGLE, Dawn on ANGLE, and the compositor on Vulkan',
        files='chromium',
        result=said_by_page,
        compared='a pixel of WebGL, a sum of WebGPU',
    ),
    Program(
        'qml6',
        ['sh', '-c', 'qml6 scene.qml && sha256sum frame.png'],
        'Qt Quick and Qt Quick 3D, 100 frames, on a thread of its own',
        files='qml',
        environment={'QSG_RHI_BACKEND': 'vulkan', 'QSG_RENDER_LOOP': 'threaded'},
        result=lines_with('100 frames|frame.png'),
        compared='SHA-256 of the 100th frame',
    ),
    Program(
        'gtk4-demo',
        ['gtk4-demo', '--run=fishbowl', '--autoquit'],
        'GTK, its fishbowl',
        environment={'GSK_RENDERER': 'vulkan'},
    ),
    Program(
        'ddnet',
        [
            '/usr/games/DDNet',
            'gfx_backend Vulkan',
            'gfx_render_thread_count 4',
            'gfx_screen_width 320',
            'gfx_screen_height 240',
            'gfx_fullscreen 0',
            'gfx_vsync 0',
            'snd_enable 0',
            'cl_save_settings 0',
        ],
        'a game that records on several threads, 500 frames of its menu',
        frames=500,
        environment=NO_NETWORK,
    ),
    Program(
        'weston',
        [
            'sh',
            '-c',
            'weston --backend=headless --renderer=vulkan --no-config --socket=assay -- '
            'weston-flower & sleep 5; '
            'kill -TERM $!; wait $!',
        ],
        'a Wayland compositor, 5 seconds',
    ),
    Program(
        'testgpu_spinning_cube',
        [f'{SDL_TESTS}/testgpu_spinning_cube'],
        'SDL GPU, 300 frames',
        frames=300,
        environment=SDL,
    ),
    Program(
        'testgpurender_effects',
        [f'{SDL_TESTS}/testgpurender_effects'],
        "SDL's renderer on SDL GPU, 100 frames",
        frames=100,
        environment=SDL,
    ),
    Program('vkgears', ['vkgears'], '300 frames', frames=300),
    # They run beside other layers, other drivers, or as two processes.
    Program(
        'mesa-overlay',
        ['vkcube', '--c', '300'],
        "vkcube under Mesa's overlay, 300 frames",
        layers=['VK_LAYER_MESA_overlay'],
    ),
    Program(
        'mesa-screenshot',
        [
            'sh',
            '-c',
            'VK_LAYER_MESA_SCREENSHOT_CONFIG="frames=2/40,output_dir=$PWD" '
            'vkcube --c 100 && sha256sum *.png',
        ],
        "vkcube under Mesa's screenshots, 100 frames",
        layers=['VK_LAYER_MESA_screenshot'],
        result=lines_with('png'),
        compared='SHA-256 of two frames',
    ),
    Program('mangohud', ['sh', 'run.sh'], 'vkcube under MangoHud, 300 frames', files='mangohud'),
    Program(
        'swiftshader',
        ['vkcube', '--c', '300'],
        "vkcube on Chromium's SwiftShader, 300 frames",
        environment={'VK_DRIVER_FILES': '/usr/lib/chromium/vk_swiftshader_icd.json'},
    ),
    Program(
        'kitty',
        ['kitty', '--config', 'NONE', 'sh', '-c', 'seq 20000; sleep 2'],
        'a terminal, OpenGL on zink, 20,000 lines',
        environment=ZINK,
    ),
    Program(
        'gnome-text-editor',
        ['dbus-run-session', 'gnome-text-editor', '--standalone', 'scene.node'],
        'GTK, 3 frames',
        frames=3,
        environment={'GSK_RENDERER': 'vulkan'},
    ),
    Program(
        'supertuxkart',
        [
            '/usr/games/supertuxkart',
            '--render-driver=vulkan',
            '--windowed',
            '--screensize=320x240',
            '--no-sound',
        ],
        'a game, 200 frames of its menu',
        frames=200,
        environment=NO_NETWORK,
    ),
    Program(
        'openarena',
        [
            '/usr/games/openarena',
            '+set',
            'r_fullscreen',
            '0',
            '+set',
            'r_mode',
            '0',
            '+set',
            's_initsound',
            '0',
            '+devmap',
            'oa_dm1',
        ],
        'a game, OpenGL on zink, 100 frames',
        frames=100,
        environment=ZINK | NO_NETWORK,
    ),
    Program(
        'retroarch',
        ['retroarch', '--config', 'retroarch.cfg', '--menu', '--max-frames=60'],
        'its menu, 60 frames',
        files='retroarch',
    ),
    Program(
        'ffmpeg-ffv1',
        [
            'sh',
            '-c',
            'ffmpeg -nostdin -hide_banner -f lavfi '
            '-i testsrc=size=320x240:rate=25:duration=1 -pix_fmt yuv420p '
            '-c:v ffv1 -level 3 -g 1 -slices 4 video.mkv && '
            'ffmpeg -nostdin -hide_banner -init_hw_device vulkan=v:0 '
            '-hwaccel vulkan -hwaccel_output_format vulkan -i video.mkv '
            '-vf hwdownload,format=yuv420p -f framemd5 -',
        ],
        'FFv1, decoded by shader objects, 25 frames',
        result=lines_with(r'^\d+, '),
        compared='MD5 of 25 frames',
    ),
    Program(
        'torch',
        ['python3', 'sums.py'],
        "PyTorch's Vulkan backend: convolutions, a product of matrices, softmax",
        files='torch',
        result=lines_with('^sum'),
        compared='numbers, with those of the CPU',
    ),
    Program(
        'venus',
        ['sh', 'run.sh'],
        'vulkaninfo, its calls over a socket to virgl_test_server',
        files='venus',
        result=lines_with(r'^\s+(api|driver|device|max|min)\w* += '),
    ),
    Program('hello_xr', ['sh', 'run.sh'], 'OpenXR on Monado, 5 seconds', files='hello_xr'),
    Program(
        'vulkan-caps-viewer',
        ['sh', '-c', 'vulkanCapsViewer-x11 -s report.json && cat report.json'],
        'a report of all that the driver offers',
        result=caps_result,
    ),
    Program(
        'three.js',
        ['node', 'scene.mjs'],
        'its WebGPURenderer on Node and Dawn, 60 frames with shadows, particles, four samples',
        files='three',
        environment={'NODE_PROGRAMS': NODE_PROGRAMS},
        result=lines_with('^three: '),
        compared='SHA-256 of the 60th frame',
        needs=NODE_PROGRAMS,
    ),
    Program(
        'onnxruntime',
        ['node', 'networks.mjs'],
        'ONNX runtime by WebGPU on Node and Dawn: SqueezeNet, 13 small networks',
        files='onnx',
        environment={'NODE_PROGRAMS': NODE_PROGRAMS},
        result=lines_with('^network '),
        compared='numbers, with what they must be',
        needs=NODE_PROGRAMS,
    ),
    Program(
        'scummvm',
        [
            '/usr/games/scummvm',
            '--gfx-mode=opengl',
            '--music-driver=null',
            '--path=/usr/share/scummvm/beneath-a-steel-sky',
            'sky',
        ],
        'a game, OpenGL on zink, 100 frames',
        frames=100,
        environment=ZINK | SDL,
    ),
]

# What only Assay reports, and the sentence that decides.
RIGHTLY_ALONE = (
    {
        (
            'godot',
            'SPIRV-Sanitizer-Math',
        ): (
            'its lights fade by smoothstep(-80, -100, x): "Result is undefined if edge0 >= '
            'edge1" (SmoothStep, GLSL.std.450)'
        ),
        (
            'test-opt',
            'WARNING-GPU-Assisted-Validation',
        ): (
            'a notice: specialization tells how much shared memory its shaders have, so that '
            'races in it are not looked for'
        ),
        (
            'vulkan-caps-viewer',
            'VUID-VkPhysicalDeviceToolProperties-sType-sType',
        ): (
            'it asks vkGetPhysicalDeviceToolPropertiesEXT() for tools into structures of zeroes: '
            '"sType must be VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES"; the Khronos layer '
            'fills in the first structure and checks the others alone '
            '(messages.tool_of_the_extension_without_type)'
        ),
        (
            'vkgears',
            'SYNC-HAZARD-READ-AFTER-WRITE',
        ): 'vkCmdUpdateBuffer writes the uniform buffer that the draws behind it read, and no '
        'barrier stands between; the Khronos layer looks at what shaders read with '
        'syncval_shader_accesses_heuristic only',
    }
    | {
        (
            program,
            'VUID-VkImageMemoryBarrier2-image-09118',
        ): 'a barrier from queue family 0 to VK_QUEUE_FAMILY_IGNORED on an exclusive image: '
        '"dstQueueFamilyIndex must be VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT, or a '
        'valid queue family"'
        for program in ('ffmpeg', 'ffmpeg-ffv1')
    }
    | {
        (
            program,
            'SYNC-HAZARD-WRITE-AFTER-PRESENT',
        ): (
            'the layout transition of an acquired image does not wait for the semaphore: the '
            'Khronos layer calls the same SYNC-HAZARD-WRITE-AFTER-READ, or '
            'UNASSIGNED-non-acquired-swapchain-image-used'
        )
        for program in ('chromium', 'hellovulkancubes', 'qml6', 'vkgears')
    }
    | {
        (
            program,
            'SYNC-HAZARD-READ-AFTER-WRITE',
        ): 'a render pass without dependencies brings its attachment into the final layout: '
        'the implicit dependency to VK_SUBPASS_EXTERNAL has ".dstStageMask = '
        'VK_PIPELINE_STAGE_NONE", '
        'and the barrier behind it, from COLOR_ATTACHMENT_OUTPUT, chains with nothing '
        '(sync_hazards_attachments.final_transition_that_no_barrier_waits_for)'
        for program in ('gtk4-rendernode-tool', 'gtk4-rendernode-tool render')
    }
)

# What only the Khronos layer reports, and the sentence that says why it is no error.
RIGHTLY_SILENT = {
    (
        'hellovulkancubes',
        'VUID-VkShaderModuleCreateInfo-pCode-08740',
    ): 'the capability Shader, which needs VK_VERSION_1_0, and VkApplicationInfo::apiVersion '
    'is 0: "providing an apiVersion of 0 is equivalent to '
    'providing an apiVersion of VK_MAKE_API_VERSION(0,1,0,0)"',
    (
        'ffmpeg-ffv1',
        'VUID-VkShaderCreateInfoEXT-pCode-08460',
    ): (
        'the code is wrong before it is specialized: told once, as '
        'VUID-VkShaderCreateInfoEXT-pCode-08737'
    ),
    (
        'ffmpeg-ffv1',
        'VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819',
    ): (
        'buffers overlap in memory, and each access lies within one that the message itself names: '
        'it "must reference a buffer created with the VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT '
        'usage flag set" (gpu_addresses.overlapping_buffers)'
    ),
    (
        'mesa-screenshot',
        'VUID-vkDestroySemaphore-semaphore-05149',
    ): '"All submitted batches that refer to semaphore must have completed execution": the fence '
    'of the batch is signaled, and the present that waits for the semaphore is not a batch',
    (
        'qml6',
        'UNASSIGNED-non-acquired-swapchain-image-used',
    ): 'told as SYNC-HAZARD-WRITE-AFTER-PRESENT, with validate_sync',
} | {
    (
        program,
        'SYNC-HAZARD-WRITE-AFTER-READ',
    ): 'told as SYNC-HAZARD-WRITE-AFTER-PRESENT: the presentation engine is what reads the image'
    for program in ('chromium', 'hellovulkancubes')
}

# What the Khronos layer says of itself where it looks into shaders.
OF_THE_KHRONOS_LAYER = {
    'WARNING-Setting-Limit-Adjusted',
    'VALIDATION-SETTINGS',
    'UNASSIGNED-GPU-Assisted-Validation',
    'WARNING-GPU-Assisted-Validation',
}

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
# Their own messengers hear advice: one prints it among what it has to say, the other one ends with
# status 1.
HEARS_ADVICE = ('vulkaninfo', 'vkcube --validate')
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
    """What the counting layer counted, of all processes."""
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
        """What the Khronos layer reports and Assay must, too."""
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


def instance_words(row):
    """How the program makes its instances, in words."""
    versions, words = [], set()
    for line in row.counted.instances:
        fields = dict(word.split('=', 1) for word in line.split(' '))
        versions.append(fields['api'])
        asked = [x for x in fields['layers'].split(',') if x and 'call_counter' not in x]
        words |= {f'asks for {layer}' for layer in asked}
        words |= {'messenger at instance creation'} if fields['messenger'] == '1' else set()
        words |= {'libvulkan in the global scope'} if fields['global'] == '1' else set()
    for command, word in (
        ('vkCreateDebugUtilsMessengerEXT', 'debug_utils messenger'),
        ('vkCreateDebugReportCallbackEXT', 'debug_report callback'),
    ):
        if row.counted.calls[command]:
            words.add(word)
    return ', '.join(['apiVersion ' + ' / '.join(dict.fromkeys(versions)), *sorted(words)])


def findings_cell(run):
    return (
        'none'
        if not run.findings
        else ', '.join(f'{len(run.findings)} ids, {sum(run.findings.values())} times'.split(', '))
    )


WAYS = {
    'assay': 'with ids',
    'assay-driver-handles': "with the driver's own handles",
    'assay-drop-in': 'under the name of the Khronos layer',
    'assay-sync': 'with hazards looked for',
    'assay-over-khronos': 'over the Khronos layer (which then sees what Assay makes of the calls)',
    'assay-under-khronos': 'under the Khronos layer',
}


def ways(rows):
    """In which all programs ran, in words."""
    return ', '.join(words for c, words in WAYS.items() if all(c in row.runs for row in rows))


def table(rows, configurations):
    """docs/real-programs.md."""
    configurations = [
        c for c in IN_TABLE if c in configurations or all(c in row.runs for row in rows)
    ]
    titles = {
        'none': 'no layer',
        'assay': 'Assay',
        'khronos-same': 'Khronos, same checks',
        'khronos': 'Khronos, as it comes',
    }
    lines = [
        '# Real programs',
        '',
        (
            'Made by `./dev real-programs --out docs/real-programs.md` '
            '(tests/real_programs.py), on lavapipe. Each program runs to its'
        ),
        (
            'normal end without a layer, with Assay as it comes, with the Khronos layer doing '
            'the same checks, and with the Khronos layer'
        ),
        (
            'as it comes plus its thread checks. "Same" means: the same exit status, and the '
            'same output where that does not change from run'
        ),
        (
            f'to run; for Assay in all of these ways: {ways(rows)}. A finding counts once for '
            f'each time it was'
        ),
        (
            'reported. The script fails where a program does not run as without a layer, where '
            'the Khronos layer reports something that Assay does'
        ),
        (
            'not, and where only Assay does, unless the script knows the sentence of the '
            'specification that decides; it then stands below. Advice'
        ),
        'of the Khronos layer that names no statement of the specification is left out.',
        '',
        (
            '| program | Vulkan calls | same with Assay | same with Khronos | findings Assay | '
            'findings Khronos |'
        ),
        '|---|--:|---|---|---|---|',
    ]
    for row in rows:

        def found(c):
            return '-' if c not in row.runs else findings_cell(row.runs[c])

        lines.append(
            f'| {row.program.name}: {row.program.what} | '
            f'{sum(row.counted.calls.values()):,} | {row.same("assay")} | '
            f'{row.same("khronos")} | {found("assay")} | {found("khronos")} |'
        )
    lines += [
        '',
        '## Time',
        '',
        (
            "Seconds of the wall clock, and of CPU: of all threads, the software driver's "
            'included, which is most of it. The'
        ),
        (
            'machine had other work as well, which the wall clock shows more than the CPU time '
            'does. `./dev bench` says what a call costs.'
        ),
        '',
        '| program | ' + ' | '.join(titles[c] for c in configurations) + ' |',
        '|---|' + '--:|' * len(configurations),
    ]
    for row in rows:
        times = (
            f'{row.runs[c].seconds:.2f} ({row.runs[c].cpu_seconds:.2f})' if c in row.runs else '-'
            for c in configurations
        )
        lines.append(f'| {row.program.name} | ' + ' | '.join(times) + ' |')
    lines += ['', '## Findings', '']
    for row in rows:
        ours = row.runs['assay'].findings if 'assay' in row.runs else {}
        theirs = row.runs['khronos'].findings if 'khronos' in row.runs else {}
        for vuid in sorted({*ours, *theirs}):
            by = ' and '.join(
                name
                for name, found in (('Assay', ours), ('the Khronos layer', theirs))
                if vuid in found
            )
            why = (
                RIGHTLY_ALONE.get((row.program.name, vuid))
                if vuid in ours and vuid not in theirs
                else None
            )
            why = (
                RIGHTLY_SILENT.get((row.program.name, vuid))
                if vuid in theirs and vuid not in ours
                else why
            )
            lines.append(
                f'- {row.program.name}: `{vuid}`, by {by}'
                + (f'. {why[0].upper()}{why[1:]}.' if why else '')
            )
    if lines[-1] == '':
        lines.append('None, by either.')
    lines += ['', '## How these programs use Vulkan', '', '| program | instance |', '|---|---|']
    lines += [f'| {row.program.name} | {instance_words(row)} |' for row in rows]
    return '\n'.join(lines) + '\n'


GPU_SECTION = re.compile(r'## With GPU-assisted validation\n.*?(?=^## |\Z)', re.S | re.M)
PRACTICES_SECTION = re.compile(r'## With practices on\n.*?(?=^## |\Z)', re.S | re.M)
TRIED_SECTION = re.compile(
    r'## Programs tried later\n.*?(?=^## |\Z)', re.S | re.M
)  # written by hand
SUITES_SECTION = re.compile(
    r'## Whole suites\n.*?(?=^## |\Z)', re.S | re.M
)  # tests/suites.py writes it


def gpu_section(rows):
    """Of docs/real-programs.md: what becomes of programs whose shaders are checked."""
    lines = [
        '## With GPU-assisted validation',
        '',
        (
            'The same programs with `gpuav_enable`, made by `./dev real-programs '
            '--configurations assay-gpu assay-gpu-validated khronos-gpu --out '
            'docs/real-programs.md`. "Compared": what of the result comes'
        ),
        (
            'from the GPU and must be the same as without a layer, beside the exit status. '
            '"Shaders": how many were given checks, and in how many places; each went through '
            "SPIRV-Tools' validator afterwards, in a"
        ),
        (
            'run of its own with `printf_enable` as well (a finding if it is not valid any '
            'more). "Same", "findings": in both runs. Times as below: wall clock, and CPU, of '
            'which compiling the shaders is most; the machine had'
        ),
        'much other work.',
        '',
        (
            '| program | compared | shaders (places) | same | findings | no layer | Assay | '
            'Khronos | same with Khronos |'
        ),
        '|---|---|--:|---|---|--:|--:|--:|---|',
    ]
    for row in rows:
        ours, validated = row.runs['assay-gpu'], row.runs.get('assay-gpu-validated')
        found = ours.findings + validated.findings if validated else ours.findings
        places = (
            f'{len(validated.instrumented)} ({sum(validated.instrumented)})' if validated else '-'
        )
        differences = [
            row.differences[c]
            for c in ('assay-gpu', 'assay-gpu-validated')
            if row.differences.get(c)
        ]
        times = [
            f'{row.runs[c].seconds:.1f} ({row.runs[c].cpu_seconds:.1f})' if c in row.runs else '-'
            for c in ('none', 'assay-gpu', 'khronos-gpu')
        ]
        lines.append(
            f'| {row.program.name} | {row.program.compared or "-"} | {places} | '
            f'{"; ".join(differences) or "yes"} | '
            f'{", ".join(f"`{vuid}`" for vuid in sorted(found)) or "none"} | '
            f'{" | ".join(times)} | {row.differences.get("khronos-gpu", "-") or "yes"} |'
        )
    lines.append('')
    for row in rows:
        alone = set(row.runs['assay-gpu'].findings) - set(
            row.runs['khronos-gpu'].findings if 'khronos-gpu' in row.runs else ()
        )
        reasons = {vuid: RIGHTLY_ALONE.get((row.program.name, vuid)) for vuid in sorted(alone)}
        lines += [f'- {row.program.name}: `{vuid}`: {why}.' for vuid, why in reasons.items() if why]
    return '\n'.join(lines) + '\n\n'


# What the authors of these programs would have called noise, or untrue of their program: what it
# was said of, and what became of it.
JUDGED = [
    (
        '`WARNING-legacy-gpdp2` and the other superseded commands',
        'all programs, up to 8 times for one command',
        (
            "said once for a command, wherever it is called; queries of Mesa's own layer "
            '(device_select), and the extension that it adds to instances, are not the '
            "program's"
        ),
    ),
    (
        '`WARNING-legacy-extension-version`, `-new`',
        'GTK 6, Godot 10, ggml 5 extensions, of which the first one was named',
        'one piece of advice names all of them',
    ),
    (
        '`NVIDIA-CreateDevice-PageableDeviceLocalMemory`',
        'every program, though it had a few MiB',
        "said when the program has 1 GiB of the device's memory",
    ),
    (
        '`specialuse-extension`',
        'zink and vkd3d, which are the emulators that the extensions are for',
        'not said where there are three of them for emulation; one piece of advice names all',
    ),
    (
        '`vkCreateDevice-RobustBufferAccess`',
        'ggml, which has pipelineRobustness and turns checks off by pipeline',
        'not said with pipelineRobustness',
    ),
    (
        '`vkCreatePipelines-multiple-pipelines-caches`, `vkCreateComputePipelines-multiple-cache`',
        'zink, libplacebo, Chromium: a cache for each program of shaders, as it is kept on disk',
        'left out ([limits/practices.md](limits/practices.md#best-practices))',
    ),
    (
        '`vkCreateGraphicsPipelines-multiple-pipelines-no-cache`',
        'DDNet: eight places, all for the want of one cache',
        'said once for a device',
    ),
    (
        '`ImageMemoryBarrier-TransitionUndefinedToReadOnly`',
        (
            'SDL 306 times, Godot: new images are brought to the layout that they have at '
            'rest, and are written later'
        ),
        'said where the same command buffer has written what is discarded',
    ),
    (
        '`ClearValueWithoutLoadOpClear`',
        'SDL, Godot: values for every render pass, which loads what is there',
        (
            'not said of attachments that are loaded, nor of zeroes (of what Godot does not '
            'care for, it still is)'
        ),
    ),
    (
        '`ClearValueCountHigherThanAttachmentCount`',
        'vkgears, Godot: an array of a fixed size for every render pass',
        'left out',
    ),
    (
        (
            '`Arm-` and `NVIDIA-vkBeginCommandBuffer-one-time-submit`; `Arm-` and '
            '`IMG-vkCreateImage-too-large-sample-count`'
        ),
        'vkcube, vkgears, Qt: the same thing twice',
        'said once, under the first id',
    ),
    (
        '`AMD-CreatePipelinesLayout-KeepLayoutSmall`',
        (
            '13 programs, for push constants: a matrix alone is too much, and a buffer is in '
            'memory as well'
        ),
        'counts sets and dynamic buffers alone',
    ),
]


def advice_cell(run):
    """The ids of Assay's advice, and how often each came."""
    places, times = collections.Counter(), collections.Counter()
    for one in run.advice:
        places[one['vuid']] += 1
        times[one['vuid']] += one['times']

    def count(vuid):
        more = [f'{places[vuid]} places'] * (places[vuid] > 1) + [f'{times[vuid]:,} times'] * (
            times[vuid] > places[vuid]
        )
        return f' ({", ".join(more)})' if more else ''

    return (
        ', '.join(
            f'`{vuid.removeprefix("BestPractices-")}`{count(vuid)}' for vuid in sorted(places)
        )
        or 'none'
    )


def practices_section(rows):
    """Of docs/real-programs.md: what correct programs are advised to do."""
    lines = [
        '## With practices on',
        '',
        (
            'The same programs with all advice there is ([practices.md](practices.md)): '
            '`validate_best_practices`, that of all four vendors at once, and '
            '`legacy_detection`; Assay with `validate_sync` as well, as'
        ),
        (
            '`assay run --practices` has it. Made by `./dev real-programs --practices --out '
            'docs/real-programs.md`; with `--keep-output DIRECTORY` each piece of advice is '
            'there as JSON, to be read. A user asks for one'
        ),
        (
            'vendor or two. "Places": of the program, each of which gets a piece of advice '
            'once; "times": how often it came. The Khronos layer writes each of its messages '
            'up to ten times, as it comes. Ids are without `BestPractices-`.'
        ),
        '',
        '| program | Assay writes | Khronos writes | what Assay advises |',
        '|---|---|---|---|',
    ]
    for row in rows:

        def size(c, row=row):
            advice = row.runs[c].advice if c in row.runs else []
            ids = len({one['vuid'] for one in advice})
            return f'{len(advice)} ({ids} id{"s" * (ids != 1)})' + (
                f', then status {row.runs[c].status}'
                if c in row.runs and row.runs[c].status not in (0, row.runs['none'].status)
                else ''
            )

        lines.append(
            f'| {row.program.name} | {size("assay-practices")} | '
            f'{size("khronos-practices")} | {advice_cell(row.runs["assay-practices"])} |'
        )
    pieces = {
        c: sum(len(row.runs[c].advice) for row in rows if c in row.runs) for c in OF_PRACTICES
    }
    lines.append(f'| all | {pieces["assay-practices"]:,} | {pieces["khronos-practices"]:,} | |')
    lines += [
        '',
        (
            'Each distinct piece was read as the author of the program, with its calls at '
            'hand. What that changed:'
        ),
        '',
        '| advice | said of | now |',
        '|---|---|---|',
    ]
    lines += [f'| {advice} | {said} | {now} |' for advice, said, now in JUDGED]
    return '\n'.join(lines) + '\n\n'


def written(rows, configurations, before):
    """docs/real-programs.md, of which parts are left as they are that nothing ran for."""
    text = table(rows, configurations) if any('assay' in row.runs for row in rows) else before
    of_gpu = [row for row in rows if 'assay-gpu' in row.runs]
    of_practices = [row for row in rows if 'assay-practices' in row.runs]
    there, advised, suites = (
        GPU_SECTION.search(before),
        PRACTICES_SECTION.search(before),
        SUITES_SECTION.search(before),
    )
    section = gpu_section(of_gpu) if of_gpu else there[0] if there else ''
    section += practices_section(of_practices) if of_practices else advised[0] if advised else ''
    section += suites[0] if suites else ''
    tried = TRIED_SECTION.search(before)
    section += tried[0] if tried else ''
    for old in (GPU_SECTION, PRACTICES_SECTION, SUITES_SECTION, TRIED_SECTION):
        text = old.sub('', text)
    return text.replace('## Time\n', section + '## Time\n', 1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        '--only',
        nargs='+',
        default=[],
        metavar='NAME',
        help='programs: ' + ', '.join(p.name for p in PROGRAMS),
    )
    parser.add_argument(
        '--configurations',
        nargs='+',
        choices=[c for c in CONFIGURATIONS if c != 'none'],
        default=None,
    )
    parser.add_argument(
        '--practices',
        action='store_true',
        help='the configurations ' + ' and '.join(OF_PRACTICES) + ': what both layers advise',
    )
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--out', type=pathlib.Path, help='write the table there')
    parser.add_argument(
        '--rows',
        type=pathlib.Path,
        metavar='FILE',
        help='keep what each program did there; a table of several shorter runs, '
        'all of one build: those named by --only run again (in the configurations that are '
        'named), all others that are there already do not',
    )
    parser.add_argument(
        '--rounds',
        type=int,
        default=1,
        help='run each program so often, and take the run with the least CPU time',
    )
    parser.add_argument(
        '--messages', action='store_true', help='print one whole message of each finding'
    )
    parser.add_argument(
        '--keep-output', type=pathlib.Path, help='directory for what the programs print'
    )
    options = parser.parse_args()
    unknown = set(options.only) - {p.name for p in PROGRAMS}
    if unknown:
        parser.error(f'no program {unknown.pop()}')
    if options.practices:
        options.configurations = OF_PRACTICES
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended'))  # with what was started
    configurations = ['none'] + (
        options.configurations or [c for c in CONFIGURATIONS if c != 'none']
    )
    if 'assay' in configurations and not (options.build / 'src/libVkLayer_assay.so').exists():
        parser.error(
            f'{options.build}/src/libVkLayer_assay.so is not built (or name other --configurations)'
        )
    if options.keep_output:
        options.keep_output.mkdir(parents=True, exist_ok=True)
    kept = pickle.loads(options.rows.read_bytes()) if options.rows and options.rows.exists() else {}
    programs = [
        p for p in PROGRAMS if p.name in options.only or (not options.only and p.name not in kept)
    ]
    rows = run_all(
        programs,
        configurations,
        options.build.resolve(),
        options.keep_output,
        options.rounds,
        kept,
        options.rows,
    )
    if options.rows:
        rows = [Row(p, *kept[p.name]) for p in PROGRAMS if p.name in kept]
    if options.out:
        options.out.write_text(
            written(rows, configurations, options.out.read_text() if options.out.exists() else '')
        )
    failures = []
    for row in rows:
        if row.runs['none'].status != 0:
            failures.append(f'{row.program.name}: status {row.runs["none"].status} without a layer')
        failures += [
            f'{row.program.name}, {c}: {row.differences[c]}'
            for c in row.runs
            if 'assay' in c and row.differences[c]
        ]
        failures += [
            f'{row.program.name}: only Assay reports {vuid}: {message}'
            for vuid, message in row.only_ours().items()
        ]
        failures += [
            f'{row.program.name}: Assay misses {vuid}: {message}'
            for vuid, message in row.missed().items()
        ]
        if options.messages:
            for configuration, run in row.runs.items():
                for vuid, message in run.messages.items():
                    print(f'\n{row.program.name}, {configuration}: {vuid}\n{message}')
    print('\n'.join(failures) or 'every program runs with Assay as without it')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
