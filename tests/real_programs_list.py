"""The real programs: how each is started, what of its output is compared, and where only one of the
two layers rightly reports something. For real_programs.py."""

import dataclasses
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'registry'))
from model import hand_tables  # noqa: E402

LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.json'
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
    """Returns the lines that tests/real-programs/chromium/index.html writes."""
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
    """Returns the scenes that were shown, and the renderer; not how fast it was."""
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


def read_finding(text):
    """(program, id)"""
    program, _, vuid = text.rpartition(': ')
    return (program, vuid) if program else None


FINDING = hand_tables.Kind('a finding, as PROGRAM: ID', read_finding)
TABLES = hand_tables.read(
    'tests/real-programs/findings.toml',
    {
        'only_assay': {'of': FINDING, 'why': hand_tables.WHY},
        'only_khronos': {'of': FINDING, 'why': hand_tables.WHY},
    },
)
# (program, id) -> why only Assay reports it, or only the Khronos layer.
RIGHTLY_ALONE = {row.of: row.why for row in TABLES['only_assay']}
RIGHTLY_SILENT = {row.of: row.why for row in TABLES['only_khronos']}

# The Khronos layer says these of itself where it looks into shaders.
OF_THE_KHRONOS_LAYER = {
    'WARNING-Setting-Limit-Adjusted',
    'VALIDATION-SETTINGS',
    'UNASSIGNED-GPU-Assisted-Validation',
    'WARNING-GPU-Assisted-Validation',
}
# Their own messengers hear advice: one prints it among what it has to say, the other one ends with
# status 1.
HEARS_ADVICE = ('vulkaninfo', 'vkcube --validate')
