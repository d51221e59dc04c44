"""How `assay run` treats the program: its end, its children, its signals, its settings, and where
the layer is found. run.py runs its checks."""

import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys

from harness import CHECKED, EMPTY, HANGS, USELESS, assay, environment_of, expect, options, program


def check_endings(directory):
    """The status is the program's, however it ends, and what was found before is told."""
    for what, status, words in (
        ('crash', 139, 'was killed by signal 11 (Segmentation fault)'),
        ('kill', 137, 'was killed by signal 9 (Killed)'),
        ('abort', 134, 'was killed by signal 6 (Aborted)'),
        ('_exit', 5, 'ended with status 5'),
        ('fail', 7, 'ended with status 7'),
    ):
        _, said = assay(
            directory, *program('start', 'empty', what, options_before=['-q']), status=status
        )
        expect(
            re.search(re.escape(words) + r'(, core dumped)?: 1 finding, 1 error\.\n', said)
            and f'error {EMPTY}, 1 time' in said,
            said,
        )
    # In the driver, in the very call that is wrong.
    (directory / 'crash.json').write_text(
        '{"crash": ["vkCreateBuffer"], "failAfter": {"vkCreateBuffer": 1}}'
    )
    _, said = assay(
        directory,
        *program('start', 'useless', 'empty', 'end', options_before=['-q']),
        status=139,
        environment={
            'VK_DRIVER_FILES': options.null_driver,
            'ASSAY_NULL_DRIVER': str(directory / 'crash.json'),
        },
    )
    expect(
        ': 2 findings, 2 errors.\n' in said
        and f'error {EMPTY}, 1 time' in said
        and f'error {USELESS}, 1 time' in said,
        said,
    )
    _, said = assay(directory, *program('start', 'end'))
    expect(
        said == f'assay: {options.program} ended with status 0: nothing was found.\n{CHECKED}', said
    )
    text, said = assay(directory, *program('say', 'fail'), status=7)
    expect(text == 'the program is at work\n', text)
    expect(
        said.startswith(
            f'assay: {options.program} ended with status 7.\nassay: Nothing was checked: '
            f'no Vulkan instance was made with the layer, and no Vulkan loader has looked '
            f'for it. '
        )
        and said.endswith(f'`assay doctor {options.program}` looks into it.\n'),
        said,
    )
    # With a loader, but without an instance, or without the layer: that is not clean either.
    _, said = assay(directory, *program('layers'))
    expect(
        (
            'Nothing was checked: no Vulkan instance was made with the layer. A Vulkan loader '
            'has looked for it, so either'
        )
        in said,
        said,
    )
    _, said = assay(
        directory,
        'run',
        '--',
        'env',
        '-u',
        'VK_INSTANCE_LAYERS',
        '-u',
        'VK_LOADER_LAYERS_ENABLE',
        options.program,
        'start',
        'empty',
        'end',
    )
    expect('A Vulkan loader has looked for it' in said and 'nothing was found' not in said, said)
    assay(directory, *program('say', options_before=['--error-exit=3']), status=3)
    _, said = assay(directory, *program('start', 'start', 'fork', 'start', 'end', '_exit'))
    expect('The layer was on for 3 instances and 3 devices, and checked' in said, said)
    _, said = assay(directory, 'run', '--', './nothere', status=127)
    expect(said == 'assay: ./nothere: No such file or directory\n', said)
    (directory / 'plain').write_text('')
    _, said = assay(directory, 'run', '--', './plain', status=126)
    expect(said == 'assay: ./plain: Permission denied\n', said)
    # A status for errors, where there are any.
    assay(directory, *program('start', 'empty', 'end', options_before=['--error-exit=3']), status=3)
    assay(
        directory,
        *program('start', 'empty', 'crash', options_before=['--error-exit', '4']),
        status=4,
    )
    assay(directory, *program('start', 'end', options_before=['--error-exit=3']))
    assay(directory, *program('start', 'fail', options_before=['--error-exit=3']), status=7)


def check_children(directory):
    """Children are heard, those that are waited for and those that are left behind for a moment;
    the others are told of."""
    still = (
        'assay: Processes that it started still run; what is found in them from here on is not '
        'reported.\n'
    )
    for how in ('fork', 'leave'):
        _, said = assay(directory, *program(how, 'nap', 'start', 'empty', 'end'))
        # (On a machine that is slow enough the moment is over before.)
        expect(
            'ended with status 0: 1 finding, 1 error.\n' in said
            and 'still run' not in said
            or how == 'leave'
            and still in said,
            said,
        )
    _, said = assay(directory, *program('start', 'empty', 'fork', 'empty', '_exit'))
    expect('2 findings, 2 errors' in said, said)
    _, said = assay(
        directory,
        'run',
        '--',
        'sh',
        '-c',
        f'{options.program} start empty end; {options.program} start useless crash; exit 6',
        status=6,
    )
    expect('sh ended with status 6: 2 findings, 2 errors.\n' in said, said)
    # (It would sleep for longer than assay() waits.)
    _, said = assay(
        directory,
        'run',
        '--',
        'sh',
        '-c',
        (
            f'{options.program} start end; sleep {2 * HANGS} </dev/null >/dev/null 2>&1 & echo '
            f'$! >sleeper'
        ),
    )
    os.kill(int((directory / 'sleeper').read_text()), signal.SIGKILL)
    expect(still in said, said)


def check_settings(directory):
    """The program gets the layer's variables beside its own; options win over settings that are
    there."""
    text, _ = assay(
        directory,
        *program('environment'),
        environment={
            'VK_INSTANCE_LAYERS': 'VK_LAYER_OTHER',
            'VK_ASSAY_THREAD_SAFETY': 'false',
            'VK_LAYER_PATH': '/else/where',
        },
    )
    has = dict(line.split('=', 1) for line in text.splitlines())
    layers = str(pathlib.Path(options.layer_path).resolve())
    own = re.escape(str(directory)) + r'/tmp/assay-run-\w+/layers'
    expect(
        re.fullmatch(f'{own}:{re.escape(layers)}', has['VK_ADD_LAYER_PATH'])
        and re.fullmatch(f'{own}:{re.escape(layers)}:/else/where', has['VK_LAYER_PATH']),
        text,
    )
    expect(
        has['VK_INSTANCE_LAYERS'] == 'VK_LAYER_ASSAY_validation:VK_LAYER_OTHER'
        and has['VK_LOADER_LAYERS_ENABLE'] == 'VK_LAYER_ASSAY_validation',
        text,
    )
    expect(
        has['VK_ASSAY_THREAD_SAFETY'] == 'false'
        and has['VK_ASSAY_LOG_FILENAME'] == '/dev/null'
        and 'VK_ASSAY_VALIDATE_SYNC' not in has,
        text,
    )

    def settings(*flags):
        lines = assay(directory, *program('environment', options_before=flags))[0].splitlines()
        return {line for line in lines if line.startswith('VK_ASSAY_') and '_FILENAME=' not in line}

    for flags, wanted in (
        (['--sync', '--gpu'], {'VK_ASSAY_VALIDATE_SYNC=true', 'VK_ASSAY_GPUAV_ENABLE=true'}),
        (
            ['--practices'],
            {
                'VK_ASSAY_VALIDATE_SYNC=true',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES=true',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES_REDUNDANT=true',
                'VK_ASSAY_REPORT_FLAGS=error,warn,perf',
            },
        ),
        (
            ['--practices=arm,img'],
            {
                'VK_ASSAY_VALIDATE_SYNC=true',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES=true',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES_REDUNDANT=true',
                'VK_ASSAY_REPORT_FLAGS=error,warn,perf',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES_ARM=true',
                'VK_ASSAY_VALIDATE_BEST_PRACTICES_IMG=true',
            },
        ),
        (['--gpu=nan'], {'VK_ASSAY_GPUAV_ENABLE=true', 'VK_ASSAY_GPUAV_NAN=true'}),
        (
            ['--gpu-select=blur.*,main_cs'],
            {
                'VK_ASSAY_GPUAV_ENABLE=true',
                'VK_ASSAY_GPUAV_SELECT_INSTRUMENTED_SHADERS=true',
                'VK_ASSAY_GPUAV_SHADERS_TO_INSTRUMENT=blur.*,main_cs',
            },
        ),
        (['--printf'], {'VK_ASSAY_PRINTF_ENABLE=true'}),
        (['--preset=Debug Printf'], {'VK_ASSAY_PRINTF_ONLY_PRESET=true'}),
        (['--preset', 'synchronization'], {'VK_ASSAY_VALIDATE_SYNC=true'}),
        (['--limit=0'], {'VK_ASSAY_ENABLE_MESSAGE_LIMIT=false'}),
        (['--caller-ignore', 'librhi.so*,lib?.so'], {'VK_ASSAY_CALLER_IGNORE=librhi.so*,lib?.so'}),
        (
            ['--limit=3'],
            {'VK_ASSAY_ENABLE_MESSAGE_LIMIT=true', 'VK_ASSAY_DUPLICATE_MESSAGE_LIMIT=3'},
        ),
    ):
        expect(settings(*flags) == wanted, (flags, settings(*flags)))
    expect(
        sum('BEST_PRACTICES_' in line for line in settings('--practices=all')) == 5,
        settings('--practices=all'),
    )
    expect(
        'VK_ASSAY_VALIDATE_CORE=false' in settings('--threads-only')
        and 'VK_ASSAY_THREAD_SAFETY=true' in settings('--threads-only'),
        'threads only',
    )
    # Every preset is one that the layer understands, and the layer is loaded in spite of what
    # disables it.
    for preset in ('standard', 'light', 'sync', 'practices', 'threads', 'gpu', 'printf', 'all'):
        _, said = assay(
            directory,
            *program('start', 'end', options_before=['--preset', preset]),
            environment={'VK_LOADER_LAYERS_DISABLE': '~all~'},
        )
        expect('ended with status 0: nothing was found.' in said, (preset, said))
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['--threads-only']))
    expect('nothing was found' in said, said)
    _, said = assay(
        directory, *program('start', *['empty'] * 3, 'end', options_before=['--limit=2'])
    )
    expect(
        len(
            re.findall(
                (
                    f'^Assay repeated {EMPTY}, 2 times so far, and from now on it is only '
                    f'counted \\(--limit\\): vkCreateBuffer\\(\\) '
                ),
                said,
                re.M,
            )
        )
        == 1,
        said,
    )
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['--limit=1']))
    expect(
        '    note    reported 1 time, which is the limit (--limit): not reported again\n' in said,
        said,
    )
    # A setting of the file holds, and its log is not ours to write.
    (directory / 'vk_layer_settings.txt').write_text(f'assay.message_id_filter = {EMPTY}\n')
    expect(
        'nothing was found' in assay(directory, *program('start', 'empty', 'end'))[1],
        'the settings file holds',
    )


def check_superseded(directory):
    """A superseded command is reported of the program, once for a command; not of the layer of Mesa
    that chooses a device, which calls such commands as well."""
    mode = ('--set', 'legacy_detection_mode=ONLY_ENABLED')
    _, said = assay(
        directory,
        'run',
        '--set',
        'legacy_detection=true',
        *mode,
        '--',
        'vulkaninfo',
        environment={'VK_LOADER_DEBUG': 'layer'},
    )
    expect(re.search(r'libVkLayer_MESA_device_select\.so', said), 'the layer is there')
    # It asks twice, in two places; and prints by itself what its messenger hears, in a line that
    # begins with other words.
    query = (
        r'  vkGetPhysicalDeviceQueueFamilyProperties\(\): is superseded by '
        r'vkGetPhysicalDeviceQueueFamilyProperties2, which Vulkan 1\.1 brings\n'
    )
    expect(
        len(re.findall('(?<! : )Assay warning WARNING-legacy-gpdp2\n' + query, said, re.M)) == 1
        and re.search(query + '    count     2 times\n', said),
        said,
    )
    expect(
        not re.search(r'caller .*libVkLayer_', said)
        and 'has VK_KHR_get_physical_device_properties2' not in said,
        said,
    )
    _, said = assay(directory, 'run', '--set', 'legacy_detection=true', '--', 'vulkaninfo')
    expect(
        'WARNING-legacy-gpdp2' in said and 'VK_KHR_get_physical_device_properties2' not in said,
        said,
    )


def check_signals(directory):
    """A signal to assay run is the program's, and the summary is written all the same."""
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        process = subprocess.Popen(
            [options.assay, *program('start', 'empty', 'say', 'sleep')],
            cwd=directory,
            env=environment_of(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        expect(process.stdout.readline() == b'the program is at work\n', 'it has begun')
        process.send_signal(number)
        _, said = process.communicate(timeout=HANGS)
        expect(
            process.returncode == status
            and f'was killed by signal {int(number)}'.encode() in said
            and b'1 finding, 1 error' in said,
            (process.returncode, said),
        )
        expect(not list((directory / 'tmp').iterdir()), 'no temporary file is left')

    # Ctrl-C in a terminal goes to both: the program ends of it, and the summary comes.
    process, terminal = pty.fork()
    if not process:
        os.chdir(directory)
        os.execve(
            options.assay,
            [options.assay, *program('start', 'empty', 'say', 'sleep')],
            environment_of(directory),
        )
    said, stopped = b'', False
    try:
        while piece := os.read(terminal, 65536):
            said += piece
            if b'at work' in said and not stopped:
                stopped = os.write(terminal, b'\x03') == 1
    except OSError:  # the other side is closed
        pass
    expect(
        os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130
        and b'was killed by signal 2 (Interrupt): 1 finding, 1 error' in said,
        said,
    )


def check_links(directory):
    """A layer that is reached through a link finds its helper library where the link leads to."""
    build = pathlib.Path(options.layer_path)
    link = directory / 'linked'
    link.mkdir()
    shutil.copy(build / 'VkLayer_assay.json', link)
    (link / 'libVkLayer_assay.so').symlink_to(build / 'libVkLayer_assay.so')
    log = directory / 'log.txt'
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': str(link),
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_DRIVER_FILES': options.null_driver,
            'VK_ASSAY_LOG_FILENAME': str(log),
        },
    )
    subprocess.run(
        [options.program, 'start', 'shader', 'end'], cwd=directory, env=environment, check=True
    )
    text = log.read_text()
    expect(
        text.startswith('Assay error VUID-VkShaderModuleCreateInfo-pCode-08737\n')
        and 'ASSAY-' not in text,
        text,
    )
    # Where there is none, that is told.
    (link / 'libVkLayer_assay.so').unlink()
    shutil.copy(build / 'libVkLayer_assay.so', link)
    subprocess.run(
        [options.program, 'start', 'shader', 'end'], cwd=directory, env=environment, check=True
    )
    text = log.read_text()
    expect('08737' not in text and str(link) in text, text)


def check_small_stack(directory):
    """A thread with a stack of PTHREAD_STACK_MIN makes mistakes, which are reported as ever."""
    if b'__asan_init' in (pathlib.Path(options.layer_path) / 'libVkLayer_assay.so').read_bytes():
        print('sanitizers need more stack')
        sys.exit(77)
    environment = {'VK_DRIVER_FILES': options.null_driver}
    for flags in ((), ('--record-stacks', '--sync')):
        _, said = assay(
            directory,
            *program('start', 'small stack', 'end', options_before=['-q', *flags]),
            environment=environment,
        )
        expect(
            'ended with status 0: 3 findings, 3 errors.\n' in said
            and f'error {EMPTY}, 1 time' in said
            and 'vkDestroyBuffer' in said,
            said,
        )


def check_relative(directory):
    """A layer that was loaded by a relative name takes its helper library from its own place, also
    after a change of directory."""
    build = pathlib.Path(options.layer_path)
    for place in ('start', 'trap/start'):
        (directory / place).mkdir(parents=True)
    for name in ('VkLayer_assay.json', 'libVkLayer_assay.so', 'libVkLayer_assay_spirv.so'):
        shutil.copy(build / name, directory / 'start' / name)
    # Whoever owns the directory that the program goes to has put a library there, which would run
    # in the program.
    mark = directory / 'mark'
    source = (
        f'#include <fcntl.h>\n__attribute__((constructor)) static void run(void) {{ '
        f'(void)creat("{mark}", 0600); }}\n'
    )
    subprocess.run(
        [
            'cc',
            '-shared',
            '-fPIC',
            '-x',
            'c',
            '-',
            '-o',
            directory / 'trap/start/libVkLayer_assay_spirv.so',
        ],
        input=source,
        text=True,
        check=True,
    )
    log = directory / 'log.txt'
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': 'start',
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_DRIVER_FILES': options.null_driver,
            'VK_ASSAY_LOG_FILENAME': str(log),
        },
    )
    subprocess.run(
        [options.program, 'start', f'chdir {directory}/trap', 'shader', 'end'],
        cwd=directory,
        env=environment,
        check=True,
    )
    expect(not mark.exists(), 'the library of another directory has run')
    text = log.read_text()
    expect(
        text.startswith('Assay error VUID-VkShaderModuleCreateInfo-pCode-08737\n')
        and 'ASSAY-' not in text,
        text,
    )


def check_local_settings(directory):
    """A settings file of the working directory, which anybody may have written, changes no file but
    new ones and logs below that directory."""
    work, victim, log = directory / 'work', directory / 'victim', directory / 'work/log.txt'
    (work / 'sub').mkdir(parents=True)
    (work / 'link.txt').symlink_to(victim)
    (work / 'away').symlink_to(directory)
    victim.write_text('precious\n')
    os.link(victim, work / 'second.txt')
    os.mkfifo(work / 'fifo')
    (work / 'notes.txt').write_text('Mine\n')

    def run(line, **more):
        (work / 'vk_layer_settings.txt').write_text(line + '\n')
        environment = environment_of(
            directory,
            {
                'VK_LAYER_PATH': options.layer_path,
                'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
                'VK_DRIVER_FILES': options.null_driver,
            }
            | more,
        )
        done = subprocess.run(
            [options.program, 'start', 'empty', 'end'],
            cwd=work,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=HANGS,
        )
        return done.stdout

    outside = (
        'the settings file of the working directory may name regular files below that '
        'directory only, without links '
        '(VK_LAYER_SETTINGS_PATH=. says that the settings file is yours, and lifts that)'
    )
    for name in (
        victim,
        '../victim',
        'link.txt',
        'away/victim',
        'second.txt',
        'sub/../../victim',
        'away/new',
        'fifo',
        'sub/..',
    ):
        text = run(f'assay.log_filename = {name}')
        expect(
            f'log_filename is "{name}", which cannot be opened: ' in text
            and f'Assay error {EMPTY}' in text,
            (name, text),
        )
        expect(
            name == 'sub/..' or f'{outside}; the log goes to standard output' in text, (name, text)
        )
        text = run(f'khronos_validation.json_filename = {name}')
        expect(
            f'json_filename is "{name}", which cannot be opened: ' in text
            and '; nothing is written there' in text,
            (name, text),
        )
        expect(victim.read_text() == 'precious\n' and not (directory / 'new').exists(), name)
    text = run('assay.log_filename = notes.txt')
    expect(
        (
            'it is not a log of this layer, and only the settings file of the working '
            'directory names it'
        )
        in text
        and (work / 'notes.txt').read_text() == 'Mine\n',
        text,
    )
    # A log below the directory is right, and the next run empties it; in each of its forms.
    for name, more in (
        ('log.txt', ''),
        ('sub/log.txt', ''),
        (log, ''),
        ('colour.txt', 'assay.log_color = always'),
        ('log.json', 'assay.message_format_json = true'),
    ):
        for _ in range(2):
            text = run(f'assay.log_filename = {name}\n{more}')
            expect(
                text == '' and (work / name).read_text().count('size must be greater than 0') == 1,
                (name, text, (work / name).read_text()),
            )
    for count in (1, 2):
        expect(
            run('assay.json_filename = sub/found.jsonl').count('Assay error') == 1,
            'the log as ever',
        )
        expect(
            (work / 'sub/found.jsonl').read_text().count('\n') == count, 'JSON lines are appended'
        )
    # Shaders that are dumped are new files, whatever links lie where they come.
    for _ in range(2):
        assay(
            directory,
            'run',
            '-q',
            '--gpu',
            '--set',
            'gpuav_debug_dump_instrumented_shaders=true',
            '--',
            options.crash,
            '_exit',
            status=5,
        )
        dumped = list(directory.glob('assay-shader-*.spv'))
        expect(
            len(dumped) > 1
            and not any(path.is_symlink() for path in dumped)
            and victim.read_text() == 'precious\n',
            dumped,
        )
        for path in dumped:
            path.unlink()
            path.symlink_to(victim)
    # The user vouches for the file, or says the name by a variable.
    text = run(f'assay.log_filename = {victim}', VK_LAYER_SETTINGS_PATH='.')
    expect(text == '' and victim.read_text().startswith('Assay error'), text)
    victim.write_text('precious\n')
    text = run('assay.log_filename = log.txt', VK_ASSAY_LOG_FILENAME=str(victim))
    expect(text == '' and victim.read_text().startswith('Assay error'), text)
