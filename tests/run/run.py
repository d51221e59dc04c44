#!/usr/bin/env python3
"""Do `assay run`, `assay init` and `assay doctor` say what people need to hear, and leave everything as it was?

  run.py --assay PROGRAM --driver MANIFEST --null-driver MANIFEST --program PROGRAM --hazards PROGRAM --layer-path DIRECTORY [--update] NAME...

Each NAME is a function check_NAME of this file. --program is program.c's, which does what its arguments say."""
import argparse
import difflib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

README = pathlib.Path(__file__).parents[2] / 'README.md'
options = None


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def environment_of(directory, more=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith('VK_') and k not in ('DISPLAY', 'WAYLAND_DISPLAY', 'NO_COLOR')}
    (directory / 'tmp').mkdir(exist_ok=True)
    return environment | {'VK_DRIVER_FILES': options.driver, 'HOME': str(directory), 'XDG_RUNTIME_DIR': str(directory), 'TMPDIR': str(directory / 'tmp'),
                          'ASAN_OPTIONS': 'detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_abort=0'} | (more or {})


def assay(directory, *arguments, status=0, environment=None, tool=None):
    """(standard output, standard error). Whatever happens, no temporary file is left."""
    done = subprocess.run([tool or options.assay, *map(str, arguments)], cwd=directory, env=environment_of(directory, environment), stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    text, said = done.stdout.decode(), done.stderr.decode()
    expect(done.returncode == status, f'{arguments} ends with {status}, not with {done.returncode}\n{text}\n{said}')
    expect(not [path for path in (directory / 'tmp').iterdir() if path.name.startswith('assay-run')], 'no temporary file is left')
    return text, said


def program(*what, options_before=()):
    return ['run', *options_before, '--', options.program, *what]


EMPTY = 'VUID-VkBufferCreateInfo-size-00912'
USELESS = 'VUID-VkBufferCreateInfo-None-09500'
HAZARD = 'SYNC-HAZARD-READ-AFTER-WRITE'


def check_findings(directory):
    """Findings come while the program runs, the summary in the end; the program's own output is its own."""
    text, said = assay(directory, *program('start', 'useless', 'empty', 'empty', 'say', 'end'))
    expect(text == 'the program is at work\n', text)
    streamed, summary = said.split('assay: ')
    expect(streamed.count(f'Assay error {EMPTY}\n  vkCreateBuffer(): pCreateInfo->size is 0\n    object  VkDevice 0x') == 2, said)
    expect(re.search(r'^    caller  \S*program\+0x[0-9a-f]+\n            \S*program\+0x[0-9a-f]+\n    spec    size must be greater than 0\n            https://docs\.vulkan\.org/\S*#' + EMPTY + '\n\n', streamed, re.M), said)
    expect(summary.startswith(f'{options.program} ended with status 0: 3 findings, 3 errors.\n\nerror {EMPTY}, 2 times\n'), summary)
    expect('    object    VkDevice "main device"\n    callers   2  ' in summary and f'error {USELESS}, 1 time\n' in summary, summary)
    # Hazards: with --sync only, and by the pair of places.
    expect('nothing was found' in assay(directory, *program('start', 'hazard', 'end'))[1], 'hazards are not looked for unless asked')
    _, said = assay(directory, *program('start', 'hazard', 'end', options_before=['--sync', '--symbols']))
    streamed, summary = said.split('assay: ')
    expect(f'Assay error {HAZARD}\n' in streamed and '    earlier vkCmdFillBuffer, command 0 of the same command buffer\n            writes bytes 0 to 1023 of VkBuffer' in streamed, said)
    expect('    mend    a memory dependency before vkCmdCopyBuffer (command 1)\n            const VkBufferMemoryBarrier barrier = {\n                .sType' in streamed, said)
    expect(f'--- hazards, by the two places that race ---\n\nerror {HAZARD}, 1 time\n    this      vkCmdCopyBuffer, command 1\n' in summary, said)
    expect(re.search(r'by \S*program\.c:\d+, copy_what_is_filled\n', summary), said)
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['--quiet']))
    expect(said.startswith('assay: ') and f'error {EMPTY}, 1 time' in said, said)


def check_stacks(directory):
    """Where an engine calls Vulkan through a library of its own, callers and places are the engine's with caller_ignore."""
    def run(ignored):
        steps = program('start', *['mesh'] * 12, *['texture'] * 3, 'end',
                        options_before=['--symbols', f'--json={found}', f'--sarif={sarif}', f'--html={page}'])
        _, said = assay(directory, *steps, environment={'VK_ASSAY_CALLER_IGNORE': ignored})
        return said, [json.loads(line) for line in found.read_text().splitlines()]

    def modules(finding):
        return [frame['module'].rpartition('/')[2] for frame in finding['stack']]

    name = pathlib.Path(options.program).name
    found, sarif, page = (directory / f'found.{form}' for form in ('jsonl', 'sarif', 'html'))
    # Without it, all calls come from one line: of fifteen findings ten are told, and the texture's are not among them.
    said, findings = run('')
    expect(len(findings) == 10 and all(finding['caller']['symbol'] == 'rhi_create_buffer' for finding in findings), findings)
    expect(modules(findings[0]) == ['librhi.so', name, name], findings[0]['stack'])
    expect(findings[0]['stack'][0] == findings[0]['caller'], findings[0])
    expect(re.search(r'^    caller  \S*librhi\.so\+0x[0-9a-f]+ \(rhi_create_buffer\+0x[0-9a-f]+\)\n {12}\S*' + name + r'\+0x[0-9a-f]+\n', said, re.M), said)
    # With it, they are two places, each with its limit; the stack stays whole.
    for ignored in ('librhi.so*', '*/librhi.so', 'libother.so,librhi.s?'):
        said, findings = run(ignored)
        expect(len(findings) == 13 and all(finding['caller'] == finding['stack'][1] for finding in findings), findings)
        expect(modules(findings[0]) == ['librhi.so', name, name], findings[0]['stack'])
        expect(re.search(r'\n    callers +10  \S*program\.c:\d+, upload_mesh\n +3  \S*program\.c:\d+, upload_texture\n', said), said)
    frames = json.loads(sarif.read_text())['runs'][0]['results'][0]['stacks'][0]['frames']
    lines = [frame['location']['logicalLocations'][0]['name'] for frame in frames]
    expect(lines == ['rhi_create_buffer', 'upload_mesh', 'main'], frames)
    expect(all(frame['location']['physicalLocation']['region']['startLine'] for frame in frames), frames)
    _, said = assay(directory, *program('start', 'mesh', 'end', options_before=['--caller-ignore=librhi.so']), environment={'VK_ASSAY_CALLER_IGNORE': 'libother.so'})
    expect(re.search(r'^    caller  \S*' + name + r'\+0x', said, re.M), 'the option wins over the environment')
    # Where everything is to be passed over, the innermost is shown all the same. The program itself has no module's name.
    _, findings = run('*')
    expect(all(finding['caller'] == finding['stack'][1] for finding in findings), findings)
    # What the loader does on the way back is not where the program called.
    _, said = assay(directory, *program('start', 'leak', 'end'))
    expect(re.search(r'vkDestroyDevice\(\): [^\n]*\n(?:    [^\n]*\n)*    caller  \S*' + name + r'\+0x', said), said)


def check_endings(directory):
    """The status is the program's, however it ends, and what was found before is told."""
    for what, status, words in (('crash', 139, 'was killed by signal 11 (Segmentation fault)'), ('kill', 137, 'was killed by signal 9 (Killed)'),
                                ('abort', 134, 'was killed by signal 6 (Aborted)'), ('_exit', 5, 'ended with status 5'), ('fail', 7, 'ended with status 7')):
        _, said = assay(directory, *program('start', 'empty', what, options_before=['-q']), status=status)
        expect(re.search(re.escape(words) + r'(, core dumped)?: 1 finding, 1 error\.\n', said) and f'error {EMPTY}, 1 time' in said, said)
    # In the driver, in the very call that is wrong.
    (directory / 'crash.json').write_text('{"crash": ["vkCreateBuffer"], "failAfter": {"vkCreateBuffer": 1}}')
    _, said = assay(directory, *program('start', 'useless', 'empty', 'end', options_before=['-q']), status=139, 
                    environment={'VK_DRIVER_FILES': options.null_driver, 'ASSAY_NULL_DRIVER': str(directory / 'crash.json')})
    expect(': 2 findings, 2 errors.\n' in said and f'error {EMPTY}, 1 time' in said and f'error {USELESS}, 1 time' in said, said)
    _, said = assay(directory, *program('start', 'end'))
    expect(said == f'assay: {options.program} ended with status 0: nothing was found.\n', said)
    text, said = assay(directory, *program('say', 'fail'), status=7)
    expect(text == 'the program is at work\n', text)
    expect(said.startswith(f'assay: {options.program} ended with status 7.\nassay: No Vulkan instance was created with the layer: ') and 'assay doctor' in said, said)
    _, said = assay(directory, 'run', '--', './nothere', status=127)
    expect(said == 'assay: ./nothere: No such file or directory\n', said)
    (directory / 'plain').write_text('')
    _, said = assay(directory, 'run', '--', './plain', status=126)
    expect(said == 'assay: ./plain: Permission denied\n', said)
    # A status for errors, where there are any.
    assay(directory, *program('start', 'empty', 'end', options_before=['--error-exit=3']), status=3)
    assay(directory, *program('start', 'empty', 'crash', options_before=['--error-exit', '4']), status=4)
    assay(directory, *program('start', 'end', options_before=['--error-exit=3']))
    assay(directory, *program('start', 'fail', options_before=['--error-exit=3']), status=7)


def check_children(directory):
    """Children are heard, those that are waited for and those that are left behind for a moment; the others are told of."""
    for how in ('fork', 'leave'):
        _, said = assay(directory, *program(how, 'nap', 'start', 'empty', 'end'))
        expect('ended with status 0: 1 finding, 1 error.\n' in said and 'still run' not in said, said)
    _, said = assay(directory, *program('start', 'empty', 'fork', 'empty', '_exit'))
    expect('2 findings, 2 errors' in said, said)
    _, said = assay(directory, 'run', '--', 'sh', '-c', f'{options.program} start empty end; {options.program} start useless crash; exit 6', status=6)
    expect('sh ended with status 6: 2 findings, 2 errors.\n' in said, said)
    begun = time.monotonic()
    _, said = assay(directory, 'run', '--', 'sh', '-c', f'{options.program} start end; sleep 20 </dev/null >/dev/null 2>&1 &')
    expect(time.monotonic() - begun < 15 and said.endswith('assay: Processes that it started still run; what is found in them from here on is not told.\n'), said)


def check_settings(directory):
    """The program gets the layer's variables beside its own; options win over settings that are there."""
    text, _ = assay(directory, *program('environment'), environment={'VK_INSTANCE_LAYERS': 'VK_LAYER_OTHER', 'VK_ASSAY_THREAD_SAFETY': 'false', 'VK_LAYER_PATH': '/else/where'})
    has = dict(line.split('=', 1) for line in text.splitlines())
    layers = str(pathlib.Path(options.layer_path).resolve())
    expect(has['VK_ADD_LAYER_PATH'] == layers and has['VK_LAYER_PATH'] == f'{layers}:/else/where', text)
    expect(has['VK_INSTANCE_LAYERS'] == 'VK_LAYER_ASSAY_validation:VK_LAYER_OTHER' and has['VK_LOADER_LAYERS_ENABLE'] == 'VK_LAYER_ASSAY_validation', text)
    expect(has['VK_ASSAY_THREAD_SAFETY'] == 'false' and has['VK_ASSAY_LOG_FILENAME'] == '/dev/null' and 'VK_ASSAY_VALIDATE_SYNC' not in has, text)

    def settings(*flags):
        lines = assay(directory, *program('environment', options_before=flags))[0].splitlines()
        return {line for line in lines if line.startswith('VK_ASSAY_') and '_FILENAME=' not in line}
    for flags, wanted in ((['--sync', '--gpu'], {'VK_ASSAY_VALIDATE_SYNC=true', 'VK_ASSAY_GPUAV_ENABLE=true'}),
                          (['--practices'], {'VK_ASSAY_VALIDATE_SYNC=true', 'VK_ASSAY_VALIDATE_BEST_PRACTICES=true', 'VK_ASSAY_REPORT_FLAGS=error,warn,perf'}),
                          (['--printf'], {'VK_ASSAY_PRINTF_ENABLE=true'}), (['--preset=Debug Printf'], {'VK_ASSAY_PRINTF_ONLY_PRESET=true'}),
                          (['--preset', 'synchronization'], {'VK_ASSAY_VALIDATE_SYNC=true'}),
                          (['--limit=0'], {'VK_ASSAY_ENABLE_MESSAGE_LIMIT=false'}),
                          (['--caller-ignore', 'librhi.so*,lib?.so'], {'VK_ASSAY_CALLER_IGNORE=librhi.so*,lib?.so'}),
                          (['--limit=3'], {'VK_ASSAY_ENABLE_MESSAGE_LIMIT=true', 'VK_ASSAY_DUPLICATE_MESSAGE_LIMIT=3'})):
        expect(settings(*flags) == wanted, (flags, settings(*flags)))
    expect('VK_ASSAY_VALIDATE_CORE=false' in settings('--threads-only') and 'VK_ASSAY_THREAD_SAFETY=true' in settings('--threads-only'), 'threads only')
    # Every preset is one that the layer understands, and the layer is loaded in spite of what disables it.
    for preset in ('standard', 'light', 'sync', 'practices', 'threads', 'gpu', 'printf', 'all'):
        _, said = assay(directory, *program('start', 'end', options_before=['--preset', preset]), environment={'VK_LOADER_LAYERS_DISABLE': '~all~'})
        expect('ended with status 0: nothing was found.' in said, (preset, said))
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['--threads-only']))
    expect('nothing was found' in said, said)
    _, said = assay(directory, *program('start', *['empty'] * 12, 'end', options_before=['--limit=11', '-q']))
    expect('11 findings' in said and said.endswith(f'assay: These came as often as each id is told (--limit), and perhaps more often:\n    {EMPTY}\n'), said)
    _, said = assay(directory, *program('start', *['empty'] * 3, 'end', options_before=['--limit=2']))
    expect(said.count('    note    told 2 times, which is the limit (--limit): not told again\n') == 1, said)
    # A setting of the file holds, and its log is not ours to write.
    (directory / 'vk_layer_settings.txt').write_text(f'assay.message_id_filter = {EMPTY}\n')
    expect('nothing was found' in assay(directory, *program('start', 'empty', 'end'))[1], 'the settings file holds')


def check_colors(directory):
    """Colours on a terminal, unless NO_COLOR is set; none elsewhere. Names do not reach the terminal with escape sequences."""
    def on_terminal(more):
        leader, follower = pty.openpty()
        with subprocess.Popen([options.assay, *program('start', 'empty', 'end')], cwd=directory, env=environment_of(directory, more), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=follower) as process:
            os.close(follower)
            said = b''
            try:
                while piece := os.read(leader, 65536):
                    said += piece
            except OSError:  # the other side is closed
                pass
            os.close(leader)
        expect(process.returncode == 0, said)
        return said.decode()
    said = on_terminal({})
    expect(f'\033[1;31mAssay error\033[0m \033[1m{EMPTY}\033[0m' in said and '\033[1massay:\033[0m' in said, said)
    expect('\033' not in on_terminal({'NO_COLOR': '1'}), 'none with NO_COLOR')
    expect('\033' not in assay(directory, *program('start', 'empty', 'end'))[1], 'none in a file')
    _, said = assay(directory, *program('start', 'escape', 'empty', 'end'))
    expect('\033' not in said and '\007' not in said and said.count('?[31mred?') == 2, said)


def check_signals(directory):
    """A signal to assay run is the program's, and the summary is written all the same."""
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        process = subprocess.Popen([options.assay, *program('start', 'empty', 'say', 'sleep')], cwd=directory, env=environment_of(directory), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(process.stdout.readline() == b'the program is at work\n', 'it has begun')
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        expect(process.returncode == status and f'was killed by signal {int(number)}'.encode() in said and b'1 finding, 1 error' in said, (process.returncode, said))
        expect(not list((directory / 'tmp').iterdir()), 'no temporary file is left')


    # Ctrl-C in a terminal goes to both: the program ends of it, and the summary comes.
    process, terminal = pty.fork()
    if not process:
        os.chdir(directory)
        os.execve(options.assay, [options.assay, *program('start', 'empty', 'say', 'sleep')], environment_of(directory))
    said, stopped = b'', False
    try:
        while piece := os.read(terminal, 65536):
            said += piece
            if b'at work' in said and not stopped:
                stopped = os.write(terminal, b'\x03') == 1
    except OSError:  # the other side is closed
        pass
    expect(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130 and b'was killed by signal 2 (Interrupt): 1 finding, 1 error' in said, said)


def check_suppressions(directory):
    """What a file lists is not told, nor in any report; what was not needed is listed; files are made of what was found."""
    file = directory / 'known.supp'
    everything = program('start', 'useless', 'empty', 'empty', 'hazard', 'end', options_before=['--sync', '--suppress', file, '--error-exit=3', '--json', directory / 'left.jsonl'])

    def run(text, status):
        file.write_text(text)
        said = assay(directory, *everything, status=status)[1]
        return said, [json.loads(line)['vuid'] for line in (directory / 'left.jsonl').read_text().splitlines()]
    said, left = run('# all of it\n*\n', 0)
    expect(left == [] and said.endswith('ended with status 0: nothing was found, but 4 suppressed.\n'), said)
    said, left = run(f'{EMPTY}\n    object "main *"\n    caller  program\n\n{USELESS}\n    object  other device\nSYNC-*\n    caller *program+0x*\n', 3)
    expect(left == [USELESS] and '1 finding, 1 error, and 3 suppressed.\n' in said, said)
    expect(said.endswith(f'assay: This suppression was not needed:\n    {file}:5: {USELESS}, object other device\n'), said)
    said, left = run(f'{EMPTY}\n  count 1\n{USELESS}\n  object VkDevice\nSYNC-*\n  object vert?ces\nVUID-old\nVUID-older-*\n  caller f\n', 3)
    expect(left == [EMPTY] and said.endswith(f'assay: These suppressions were not needed:\n    {file}:7: VUID-old\n    {file}:8: VUID-older-*, caller f\n'), said)
    for text, message in (('  object x\n', ':1: this line is indented, but no id'), ('A\n  objekt x\n', ':2: an indented line begins with "object", "caller" or "count"'),
                          ('A\n  count 0\n', ':2: behind "count" stands a number'), ('A b\n', ':1: an id has no blanks'), ('A\n  caller\n', ':2: something must stand behind')):
        file.write_text(text)
        said = assay(directory, *everything, status=2)[1]
        expect(f'{file}{message}' in said, said)
    assay(directory, *program('start', options_before=['--suppress=no.supp']), status=2)
    # Made from what was found, such a file suppresses just that.
    made = directory / 'made.supp'
    what = ('start', 'useless', 'empty', 'empty', 'hazard', 'end')
    assay(directory, *program(*what, options_before=['--sync', f'--make-suppressions={made}']))
    text = made.read_text()
    expect(re.search(r'\n# vkCreateBuffer\(\): pCreateInfo->size is 0\n' + EMPTY + r'\n    object  main device\n    caller  program\+0x[0-9a-f]+\n', text), text)
    expect(text.count(EMPTY) == 1, text)
    _, said = assay(directory, *program(*what, options_before=['--sync', '--suppress', made, '--error-exit=3']))
    expect('nothing was found, but 4 suppressed.\n' in said and 'not needed' not in said, said)
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['-q', '--make-suppressions']))
    expect(f'\n# vkCreateBuffer(): pCreateInfo->size is 0\n{EMPTY}\n    object  main device\n' in said, said)


def check_reports(directory):
    """Every form at once, of the one run; files that cannot be written are told of."""
    paths = {form: directory / f'report.{form}' for form in ('json', 'html', 'sarif', 'junit')}
    flags = [f'--{form}={path}' for form, path in paths.items()]
    _, said = assay(directory, 'run', '--sync', '--symbols', *flags, '--', options.hazards)
    lines = [json.loads(line) for line in paths['json'].read_text().splitlines()]
    expect(len(lines) == 5 and '5 findings, 5 errors' in said, said)
    expect(len(json.loads(paths['sarif'].read_text())['runs'][0]['results']) == 5, 'SARIF')
    expect('<testsuites' in paths['junit'].read_text() and paths['junit'].read_text().count('<failure') == 3, paths['junit'].read_text())
    expect('SYNC-HAZARD' in paths['html'].read_text() or len(paths['html'].read_bytes()) > 1000, 'HTML')
    assay(directory, *program('start', 'empty', 'end', options_before=[f'--junit={paths["junit"]}']))
    expect(f'name="{pathlib.Path(options.program).name}"' in paths['junit'].read_text(), 'without a file of findings it is the program that they come from')
    assay(directory, *program('start', 'end', options_before=flags))
    expect(paths['json'].read_text() == '' and json.loads(paths['sarif'].read_text())['runs'][0]['results'] == [], 'nothing was found')
    # Before the program starts; what is there already stays as it is.
    paths['junit'].write_text('of yesterday')
    for form in ('json', 'html', 'sarif', 'junit', 'make-suppressions'):
        text, said = assay(directory, *program('say', 'start', 'empty', 'end', options_before=[f'--junit={paths["junit"]}', f'--{form}=/proc/no.file']), status=1)
        expect(said == 'assay: /proc/no.file: No such file or directory\n' and not text, said)
        expect(paths['junit'].read_text() == 'of yesterday', 'a file that is there is not touched')
    text, said = assay(directory, *program('say', options_before=[f'--html={directory}']), status=1)
    expect(said == f'assay: {directory}: Is a directory\n' and not text, said)


def check_usage(directory):
    """Wrong command lines are told of before anything runs; help, man page and completions have the options."""
    for arguments, message in ((('run',), 'which program?'), (('run', '--sync'), 'which program?'), (('run', '--preset=none', '--', 'true'), 'there is no preset "none"; there are standard, light, sync'),
                               (('run', '--error-exit=0', '--', 'true'), '--error-exit takes a number from 1 to 255, not "0"'), (('run', '--limit=x', '--', 'true'), '--limit takes a number'),
                               (('run', '--nothing', '--', 'true'), 'unrecognized option'), (('run', '--limit', '3'), 'which program?'), (('run', '--', ), 'which program?'), (('doctor', 'x', 'y'), 'doctor looks at one program, not at "y" as well'),
                               (('init', 'a', 'b'), 'one file at a time')):
        expect(message in assay(directory, *arguments, status=2)[1], (arguments, message))
    # The first word that is the tool's neither by itself nor as an option's argument begins the program; from there on all is the program's.
    for before in ([], ['-q'], ['--limit', '3'], ['--limit=3', '--sync'], ['--make-suppressions', '-q'], ['--limit', '3', '--']):
        text, said = assay(directory, 'run', *before, options.program, 'say', 'start', 'empty', '--help', '--sync', '--', 'end')
        expect(text == 'the program is at work\n' and '1 finding, 1 error' in said, said)
    text, _ = assay(directory, 'run', '--help')
    expect(text.startswith('usage: assay run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n') and '--make-suppressions[=FILE]' in text and '  VUID-vkCmdDraw-None-*\n      object  overlay *\n' in text, text)
    expect(max(map(len, text.splitlines())) <= 120, 'lines that fit')
    names = set(re.findall(r'^ .*?--([a-z-]+)', text, re.M)) - {'help'}
    expect({'sync', 'gpu', 'practices', 'printf', 'threads-only', 'preset', 'suppress', 'make-suppressions', 'json', 'html', 'sarif', 'junit', 'error-exit', 'limit'} <= names, names)
    for kind in ('man', 'bash', 'zsh', 'fish'):
        plain = assay(directory, 'generate', kind)[0].replace('\\-', '-')
        for name in names:
            expect(f'--{name}' in plain or f'-l {name}' in plain, f'{kind} has {name}')
    expect('run' in assay(directory, '--help')[0] and 'doctor' in assay(directory, '--help')[0], 'all commands are listed')


def check_init(directory):
    """The file has every setting, explained; it changes nothing as it is; with everything switched on the layer understands it."""
    text, _ = assay(directory, 'init')
    expect(text.startswith('vk_layer_settings.txt is written'), text)
    path = directory / 'vk_layer_settings.txt'
    written = path.read_text()
    names = re.findall(r'^#assay\.(\w+) =', written, re.M)
    table = tomllib.loads((README.parent / 'registry/settings.toml').read_text())['setting']
    expect(names == [setting['name'] for setting in table if not setting.get('deprecated')], names)
    expect('\n# Synchronization. Do two accesses to the same memory race?' in written and '\n#assay.validate_sync = false\n' in written, written)
    expect('#   VK_DBG_LAYER_ACTION_LOG_MSG: Write it to the log' in written and '#   a number from 1 to 4294967295\n' in written, written)
    expect(all(line.startswith('#') or not line for line in written.splitlines()), 'nothing is switched on')
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect('1 finding, 1 error' in said, said)
    path.write_text(re.sub(r'^#assay\.', 'assay.', written, flags=re.M))
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect('1 finding, 1 error' in said and 'vk_layer_settings.txt:' not in said, f'the layer understands every line\n{said}')
    _, said = assay(directory, 'init', status=1)
    expect(said == 'assay: vk_layer_settings.txt is there already; --force writes over it\n' and 'assay.validate_core' in path.read_text(), said)
    assay(directory, 'init', '--force')
    expect(path.read_text() == written, '--force writes over it')
    expect(assay(directory, 'init', '-')[0] == written, 'standard output')
    assay(directory, 'init', 'other.txt')
    expect((directory / 'other.txt').read_text() == written, 'a file of another name')


def broken_layer(directory, change):
    """A copy of the tool, with a layer beside it that `change` has spoilt."""
    place = directory / 'broken'
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    tool = shutil.copy(options.assay, place / 'assay')
    for name in ('VkLayer_assay.json', 'libVkLayer_assay.so', 'libVkLayer_assay_spirv.so'):
        os.symlink(pathlib.Path(options.layer_path).resolve() / name, place / name)
    change(place)
    return assay(directory, 'doctor', tool=tool, status=1)[0]


def replace(path, contents):
    path.unlink()
    path.write_bytes(contents)


def check_links(directory):
    """A layer that is reached through a link finds its helper library where the link leads to."""
    build = pathlib.Path(options.layer_path)
    link = directory / 'linked'
    link.mkdir()
    shutil.copy(build / 'VkLayer_assay.json', link)
    (link / 'libVkLayer_assay.so').symlink_to(build / 'libVkLayer_assay.so')
    log = directory / 'log.txt'
    environment = environment_of(directory, {'VK_LAYER_PATH': str(link), 'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
                                             'VK_DRIVER_FILES': options.null_driver, 'VK_ASSAY_LOG_FILENAME': str(log)})
    subprocess.run([options.program, 'start', 'shader', 'end'], cwd=directory, env=environment, check=True)
    text = log.read_text()
    expect(text.startswith('Assay error VUID-VkShaderModuleCreateInfo-pCode-08737\n') and 'ASSAY-' not in text, text)
    # Where there is none, that is told.
    (link / 'libVkLayer_assay.so').unlink()
    shutil.copy(build / 'libVkLayer_assay.so', link)
    subprocess.run([options.program, 'start', 'shader', 'end'], cwd=directory, env=environment, check=True)
    text = log.read_text()
    expect('08737' not in text and str(link) in text, text)


def check_doctor(directory):
    """All is well here; and what is wrong is said in words, with what to do."""
    def ask(more, status=0):
        return assay(directory, 'doctor', environment=more, status=status)[0]
    text = ask({})
    for line in ('ok       layer        VK_LAYER_ASSAY_validation, by ', 'ok       library      ', 'ok       shaders      ', 'ok       settings     no vk_layer_settings.txt is in force',
                 'ok       loader       ', 'ok       driver       llvmpipe', 'ok       instance     a program that is started by assay run has the layer'):
        expect(f'\n{line}' in '\n' + text, (line, text))
    expect('error' not in text and 'warning' not in text, text)
    text = ask({'VK_LOADER_LAYERS_DISABLE': '~all~', 'VK_LAYER_PATH': '/else/where', 'VK_LOADER_DRIVERS_DISABLE': 'nothing*', 'VK_ASSAY_THREAD_SAFETY': 'no idea'})
    expect('warning  environment  VK_LOADER_LAYERS_DISABLE=~all~ switches the layer off: unset it' in text, text)
    expect('warning  environment  VK_LAYER_PATH=/else/where: the loader looks for layers only there' in text, text)
    expect('warning  environment  VK_LOADER_DRIVERS_DISABLE=nothing*: drivers are left out' in text and 'VK_ASSAY_THREAD_SAFETY=no idea: a setting' in text, text)
    expect(re.search(r'^warning  settings +environment: .*VK_ASSAY_THREAD_SAFETY', text, re.M) and 'ok       instance' in text, text)
    text = ask({'VK_DRIVER_FILES': '/no/driver.json'}, status=1)
    expect('error    environment  VK_DRIVER_FILES names /no/driver.json, which cannot be read: No such file or directory; correct or unset it' in text, text)
    expect('error    driver       no Vulkan driver was found; install one' in text, text)
    expect('error    settings     VK_LAYER_SETTINGS_PATH=/no/where: no settings file' in ask({'VK_LAYER_SETTINGS_PATH': '/no/where'}, status=1), 'no settings file')
    (directory / 'vk_layer_settings.txt').write_text('assay.validate_sync = true\n# comment\nassay.validate_sink = true\n')
    text = ask({})
    expect('ok       settings     vk_layer_settings.txt is in force (it is in this directory): it sets 2 of the layer\'s settings' in text, text)
    expect('warning  settings     ' in text and 'vk_layer_settings.txt:3' in text and 'validate_sink' in text, text)
    (directory / 'vk_layer_settings.txt').unlink()

    # Lines that do not do what somebody meant. Those of other layers are not judged.
    (directory / 'vk_layer_settings.txt').write_text('validate_sync = true\nasay.validate_core = true\n assay.thread_safety\nassay.gpuav_enable =\n\n'
                                                     '# a = comment\nlunarg_api_dump.file = true\nlunarg_monitor.validate_core = x\nassay.validate_core = true\n')
    text = ask({})
    expect('vk_layer_settings.txt:1: validate_sync has no prefix and does nothing: write assay.validate_sync\n' in text, text)
    expect('vk_layer_settings.txt:2: no layer reads "asay.": write assay.validate_core\n' in text, text)
    expect('vk_layer_settings.txt:3: "assay.thread_safety" is not "key = value": the line does nothing\n' in text, text)
    expect('vk_layer_settings.txt:4: assay.gpuav_enable is "", which is neither true nor false; it stays false' in text, text)
    expect(text.count('warning') == 4 and 'it sets 3 of' in text, text)
    (directory / 'vk_layer_settings.txt').unlink()

    # Directories without layers, and names of none.
    empty = directory / 'empty'
    empty.mkdir()
    text = ask({'VK_ADD_LAYER_PATH': f'/not/there:{empty}:{options.layer_path}', 'VK_INSTANCE_LAYERS': 'VK_LAYER_ASAY_validation:VK_LAYER_ASSAY_validation',
                'VK_LOADER_LAYERS_ENABLE': '*validation,VK_LAYER_of_somebody_else'})
    expect('warning  environment  VK_ADD_LAYER_PATH names /not/there, which is not there: No such file or directory' in text, text)
    expect(f'warning  environment  VK_ADD_LAYER_PATH names {empty}, which has no layer\'s manifest (*.json) in it' in text, text)
    expect('warning  search       VK_INSTANCE_LAYERS names VK_LAYER_ASAY_validation, which the loader does not find; do you mean VK_LAYER_ASSAY_validation?\n' in text, text)
    expect('warning  search       VK_LOADER_LAYERS_ENABLE names VK_LAYER_of_somebody_else, which the loader does not find: correct it' in text, text)
    expect(text.count('warning') == 4, text)

    # The program.
    def look_at(name, status=0):
        return re.search(r'^.* program .*$', assay(directory, 'doctor', name, status=status)[0], re.M)[0]
    expect(look_at(options.program) == f'ok       program      {options.program} is a 64-bit x86-64 program', look_at(options.program))
    expect('/true is a 64-bit x86-64 program' in look_at('true'), look_at('true'))
    expect(look_at('./nothing', 1) == 'error    program      ./nothing: there is no such program', 'no program')
    (directory / 'script').write_text('#!/bin/sh\n')
    expect('./script cannot be run: Permission denied' in look_at('./script', 1), 'a script without its permission')
    (directory / 'script').chmod(0o755)
    expect('./script is a script' in look_at('./script'), look_at('./script'))
    old = bytearray(pathlib.Path(options.program).read_bytes())
    old[4], old[18] = 1, 3  # ELFCLASS32, EM_386
    (directory / 'old').write_bytes(old)
    (directory / 'old').chmod(0o755)
    expect('./old is a 32-bit x86 program, and the layer is for 64-bit x86-64: the loader passes over it; build the program for 64-bit x86-64' in look_at('./old', 1), look_at('./old', 1))
    (directory / 'owner').write_bytes(pathlib.Path(options.program).read_bytes())
    (directory / 'owner').chmod(0o4755)
    expect('./owner runs with its owner\'s rights (setuid)' in look_at('./owner'), look_at('./owner'))

    layer = (pathlib.Path(options.layer_path) / 'libVkLayer_assay.so').read_bytes()
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', layer[:len(layer) // 2]))
    expect(re.search(r'^error    library .* is cut short: it has \d+ bytes of at least \d+; build or install the layer again$', text, re.M), text)
    text = broken_layer(directory, lambda place: (place / 'VkLayer_assay.json').unlink())
    expect(text.startswith('error    layer        not found: VkLayer_assay.json is neither in '), text)
    text = broken_layer(directory, lambda place: (place / 'libVkLayer_assay.so').unlink())
    expect(re.search(r'^error    library +\S*broken/\S*libVkLayer_assay\.so: No such file or directory; build or install', text, re.M), text)
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', layer[:18] + b'\xb7\0' + layer[20:4096]))
    expect(re.search(r'^error    library .* is for 64-bit AArch64, this machine\'s programs are 64-bit x86-64: the loader passes over it', text, re.M), text)
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', b'nothing'))
    expect('is no library (no ELF file)' in text, text)
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', layer.replace(b'libc.so.6\0', b'libq.so.6\0')))
    expect(re.search(r'^error    library .* cannot be loaded: libq\.so\.6: cannot open shared object file.*; install what is missing$', text, re.M), text)
    expect(re.search(r'^error    instance ', text, re.M), text)
    text = broken_layer(directory, lambda place: replace(place / 'VkLayer_assay.json', b'{"layer": {}}'))
    expect('names no library ("library_path"): it is damaged' in text, text)


def without_what_differs(text):
    text = re.sub(r'(\S+)\+0x[0-9a-f]+', r'\1+OFFSET', text)
    text = re.sub(r'\b0x[0-9a-f]+\b', 'HANDLE', text)
    return re.sub(r'\S*/(\w+\.c):\d+', r'\1:LINE', text).replace('), core dumped', ')')


def check_session(directory):
    """The terminal session of the README is what happens."""
    text = README.read_text()
    session = re.search(r'<!-- recorded: tests/run/run\.py -->\n```console\n(.*?)```\n', text, re.S)
    expect(session, 'the README has a recorded session')
    (directory / 'renderer').symlink_to(options.program)
    for name in ('assay',):
        (directory / 'bin').mkdir()
        (directory / 'bin' / name).write_text(f'#!/bin/sh\nexec {options.assay} "$@"\n')
        (directory / 'bin' / name).chmod(0o755)
    environment = environment_of(directory) | {'PATH': f'{directory}/bin:{os.environ["PATH"]}'}
    now = ''
    for command in re.findall(r'^\$ (.*)\n', session[1], re.M):
        done = subprocess.run(['bash', '-c', command], cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        now += f'$ {command}\n{done.stdout.decode()}'
    if options.update:
        README.write_text(text[:session.start(1)] + now + text[session.end(1):])
        return
    if without_what_differs(now) != without_what_differs(session[1]):
        print(''.join(difflib.unified_diff(without_what_differs(session[1]).splitlines(True), without_what_differs(now).splitlines(True), 'README.md', 'this run')))
        raise SystemExit('not what the README has; tests/run/run.py --update session records it again')


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('assay', 'driver', 'null-driver', 'program', 'hazards', 'layer-path'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--update', action='store_true', help='write the session into the README')
    parser.add_argument('names', nargs='+')
    options = parser.parse_args()
    for name in ('assay', 'program', 'hazards', 'layer_path', 'null_driver'):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            globals()[f'check_{name}'](pathlib.Path(directory).resolve())


if __name__ == '__main__':
    sys.exit(main())
