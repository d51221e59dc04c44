"""Findings as a run shows them: stacks, races, layouts, repeats, cases. run.py runs its checks."""

import base64
import json
import pathlib
import re
import subprocess
import zlib

from harness import (
    CHECKED,
    EMPTY,
    HANGS,
    HAZARD,
    USELESS,
    assay,
    environment_of,
    expect,
    options,
    program,
)


def check_more(directory):
    """The last line of a run that found something is the command that shows more, ready to paste;
    of a clean one, what was checked."""

    def last(*flags, steps=('start', 'empty', 'end')):
        return assay(directory, *program(*steps, options_before=flags))[1].splitlines()[-1]

    page = (
        'assay: as a page, with lines of source and the stacks of objects: assay run '
        '--record-stacks --html=report.html --'
    )
    expect(last() == f'{page} {options.program} start empty end', last())
    line = last('--sync', '-q', '--limit', '3', steps=('start', "name it's", 'empty', 'end'))
    expect(
        line
        == page.replace(' run', ' run --sync -q --limit 3')
        + f" {options.program} start 'name it'\\''s' empty end",
        line,
    )
    # It does what it says.
    command = line.partition('objects: assay ')[2]
    done = subprocess.run(
        f'{options.assay} {command}',
        shell=True,
        cwd=directory,
        env=environment_of(directory),
        capture_output=True,
        text=True,
    )
    expect(done.returncode == 0 and (directory / 'report.html').exists(), done.stderr)
    expect(
        '--html' not in done.stderr and not done.stderr.splitlines()[-1].startswith('assay: '),
        done.stderr,
    )
    expect(
        last('--json=found.jsonl')
        == (
            'assay: as a page, with the lines of source: assay report --html -o report.html '
            'found.jsonl'
        ),
        last('--json=found.jsonl'),
    )
    line = last('--html=x.html')
    expect(
        line
        == (
            f'assay: with the stacks of objects and recorded commands: assay run --html=x.html '
            f'--record-stacks -- {options.program} start empty end'
        ),
        line,
    )
    expect(last(steps=('start', 'end')) + '\n' == CHECKED, 'a clean run')


def check_findings(directory):
    """Findings come while the program runs, the summary in the end; the program's own output is its
    own."""
    text, said = assay(directory, *program('start', 'useless', 'empty', 'empty', 'say', 'end'))
    expect(text == 'the program is at work\n', text)
    streamed, summary = said.split('assay: ', 1)
    expect(
        streamed.count(
            f'Assay error {EMPTY}\n  vkCreateBuffer(): pCreateInfo->size is 0\n    object  '
            f'VkDevice 0x'
        )
        == 1,
        said,
    )
    expect(
        re.search(
            (
                r'^    caller  \S*program\+0x[0-9a-f]+ \(create_empty_buffer\+0x[0-9a-f]+\)\n  '
                r'          \S*program\+0x[0-9a-f]+ \(main\+0x[0-9a-f]+\)\n    spec    size '
                r'must be greater than 0\n            https://docs\.vulkan\.org/\S*#'
            )
            + EMPTY
            + '\n\n',
            streamed,
            re.M,
        ),
        said,
    )
    expect(
        summary.startswith(
            f'{options.program} ended with status 0: 3 findings, 3 '
            f'errors.\n{CHECKED}\nerror {EMPTY}, 2 times\n'
        ),
        summary,
    )
    expect(
        f'error {EMPTY}, 2 times\n  vkCreateBuffer(): pCreateInfo->size is 0\n    caller    2  '
        in summary
        and f'error {USELESS}, 1 time\n' in summary,
        summary,
    )
    # Hazards: with --sync only, and by the pair of places.
    expect(
        'nothing was found' in assay(directory, *program('start', 'hazard', 'end'))[1],
        'hazards are not looked for unless asked',
    )
    _, said = assay(
        directory, *program('start', 'hazard', 'end', options_before=['--sync', '--symbols'])
    )
    streamed, summary = said.split('assay: ', 1)
    expect(
        f'Assay error {HAZARD}\n' in streamed
        and (
            '    earlier vkCmdFillBuffer, command 0 of the same command buffer\n            '
            'writes bytes 0 to 1023 of VkBuffer'
        )
        in streamed,
        said,
    )
    expect(
        (
            '    mend    a memory dependency before vkCmdCopyBuffer (command 1)\n            '
            'const VkBufferMemoryBarrier barrier = {\n                .sType'
        )
        in streamed,
        said,
    )
    expect(
        (
            f'--- hazards, by the two places that race ---\n\nerror {HAZARD}, 1 time\n    this '
            f'     vkCmdCopyBuffer reads VkBuffer "vertices"\n'
        )
        in summary,
        said,
    )
    expect(re.search(r'by \S*program\.c:\d+, copy_what_is_filled\n', summary), said)
    _, said = assay(directory, *program('start', 'empty', 'end', options_before=['--quiet']))
    expect(said.startswith('assay: ') and f'error {EMPTY}, 1 time' in said, said)


def check_stacks(directory):
    """Where an engine calls Vulkan through a library of its own, callers and places are the
    engine's with caller_ignore."""

    def run(ignored):
        steps = program(
            'start',
            *['mesh'] * 12,
            *['texture'] * 3,
            'end',
            options_before=['--symbols', f'--json={found}', f'--sarif={sarif}', f'--html={page}'],
        )
        _, said = assay(directory, *steps, environment={'VK_ASSAY_CALLER_IGNORE': ignored})
        return said, [
            json.loads(line) for line in found.read_text().splitlines() if '"repeats":' not in line
        ]

    def modules(finding):
        return [frame['module'].rpartition('/')[2] for frame in finding['stack']]

    name = pathlib.Path(options.program).name
    found, sarif, page = (directory / f'found.{form}' for form in ('jsonl', 'sarif', 'html'))
    # Without it, all calls come from one line: of fifteen findings ten are told, and the texture's
    # are not among them.
    said, findings = run('')
    expect(
        len(findings) == 10
        and all(finding['caller']['symbol'] == 'rhi_create_buffer' for finding in findings),
        findings,
    )
    expect(modules(findings[0]) == ['librhi.so', name, name], findings[0]['stack'])
    expect(findings[0]['stack'][0] == findings[0]['caller'], findings[0])
    expect(
        re.search(
            (
                r'^    caller  \S*/rhi\.c:\d+, rhi_create_buffer\n {12}\S*/program\.c:\d+, '
                r'upload_mesh\n {12}\S*/program\.c:\d+, main\n    spec'
            ),
            said,
            re.M,
        ),
        said,
    )
    # With it, they are two places, each with its limit; the stack stays whole.
    for ignored in ('librhi.so*', '*/librhi.so', 'libother.so,librhi.s?'):
        said, findings = run(ignored)
        expect(
            len(findings) == 13
            and all(finding['caller'] == finding['stack'][1] for finding in findings),
            findings,
        )
        expect(modules(findings[0]) == ['librhi.so', name, name], findings[0]['stack'])
        expect(
            re.search(
                (
                    r'\n    callers +12  \S*program\.c:\d+, upload_mesh\n +3  '
                    r'\S*program\.c:\d+, upload_texture\n'
                ),
                said,
            ),
            said,
        )
    frames = json.loads(sarif.read_text())['runs'][0]['results'][0]['stacks'][0]['frames']
    lines = [frame['location']['logicalLocations'][0]['name'] for frame in frames]
    expect(lines == ['rhi_create_buffer', 'upload_mesh', 'main'], frames)
    expect(
        all(frame['location']['physicalLocation']['region']['startLine'] for frame in frames),
        frames,
    )
    _, said = assay(
        directory,
        *program('start', 'mesh', 'end', options_before=['--caller-ignore=librhi.so']),
        environment={'VK_ASSAY_CALLER_IGNORE': 'libother.so'},
    )
    expect(
        re.search(r'^    caller  \S*' + name + r'\+0x', said, re.M),
        'the option wins over the environment',
    )
    # Where everything is to be passed over, the innermost is shown all the same. The program itself
    # has no module's name.
    _, findings = run('*')
    expect(all(finding['caller'] == finding['stack'][1] for finding in findings), findings)
    # The loader calls the layer on the way back: that is not where the program called.
    _, said = assay(directory, *program('start', 'leak', 'end'))
    expect(
        re.search(
            r'vkDestroyDevice\(\): [^\n]*\n(?:    [^\n]*\n)*    caller  \S*' + name + r'\+0x', said
        ),
        said,
    )


def check_recorded_stacks(directory):
    """With record_stacks, which caller_ignore switches on, both sides of a hazard, and what made
    and ended an object, have the engine's places and whole stacks."""
    name = pathlib.Path(options.program).name
    found, sarif = directory / 'found.jsonl', directory / 'found.sarif'

    alone = ('--set=record_stacks=false',)

    def run(*steps, before=()):
        _, said = assay(
            directory,
            *program(
                'start',
                *steps,
                'end',
                options_before=[
                    '--sync',
                    '--caller-ignore=librhi.so',
                    *before,
                    f'--json={found}',
                    f'--sarif={sarif}',
                    '--symbols',
                ],
            ),
        )
        return (
            said,
            [json.loads(line) for line in found.read_text().splitlines()],
            json.loads(sarif.read_text())['runs'][0]['results'],
        )

    def modules(of):
        return [frame['module'].rpartition('/')[2] for frame in of['stack']]

    def functions(stack):
        return [frame['location']['logicalLocations'][0]['name'] for frame in stack['frames']]

    # Hazards: this access and the earlier one.
    said, findings, results = run('particles')
    hazard = next(finding for finding in findings if finding['vuid'] == HAZARD)
    for side in ('this', 'earlier'):
        expect(
            modules(hazard['sync'][side]) == ['librhi.so', name, name, name], hazard['sync'][side]
        )
        expect(
            hazard['sync'][side]['caller'] == hazard['sync'][side]['stack'][1], hazard['sync'][side]
        )
    frame = r'\n {16}\S*/program\.c:\d+, (?:simulate_world|main)'
    for side, command in (('this', 'vkCmdCopyBuffer'), ('earlier', 'vkCmdFillBuffer')):
        expect(
            re.search(
                r'^    '
                + side
                + r' +'
                + command
                + (
                    r'[^\n]*\n(?: {12}[^\n]*\n)* {12}called by \S*/program\.c:\d+, (?:move|'
                    r'clear)_particles'
                )
                + frame
                + frame
                + r'\n    \w',
                said,
                re.M,
            ),
            said,
        )
    summary = run('particles', before=('--record-stacks', '-q'))[0]
    expect(
        re.search(
            (
                r'by \S*program\.c:\d+, move_particles\n {18}\S*program\.c:\d+, simulate_world\n '
                r'{18}\S*program\.c:\d+, main\n'
            ),
            summary,
        ),
        summary,
    )
    flow = next(result for result in results if result['ruleId'] == HAZARD)['codeFlows'][0][
        'threadFlows'
    ][0]['locations']
    expect(
        [functions(step['stack']) for step in flow]
        == [
            ['rhi_fill', 'clear_particles', 'simulate_world', 'main'],
            ['rhi_copy', 'move_particles', 'simulate_world', 'main'],
        ],
        flow,
    )
    expect(
        [step['location']['logicalLocations'][0]['name'] for step in flow]
        == ['clear_particles', 'move_particles'],
        flow,
    )
    expect(
        flow[0]['location']['message']['text'].startswith(
            'the earlier access: vkCmdFillBuffer writes VkBuffer "vertices"'
        ),
        flow,
    )
    # Without it the earlier side has its caller alone, which is the wrapper; this one is on the
    # stack still.
    said, findings, _ = run('particles', before=alone)
    hazard = next(finding for finding in findings if finding['vuid'] == HAZARD)
    expect(
        hazard['sync']['earlier']['caller']['symbol'] == 'rhi_fill'
        and 'stack' not in hazard['sync']['earlier'],
        hazard,
    )
    expect(modules(hazard['sync']['this']) == ['librhi.so', name, name, name], hazard)
    # A pair of places is told as often as the limit says, each: the earlier access has two.
    for before, count in (((), 2), (alone, 1)):
        _, findings, _ = run(*['particles', 'smoke'] * 3, before=('--limit=1', *before))
        told = [
            finding['sync']['earlier']['caller']['offset']
            for finding in findings
            if finding['vuid'] == HAZARD and 'repeats' not in finding
        ]
        expect(len(told) == len(set(told)) == count, findings)
    # Objects: who destroyed the one that is used, and who created the one that is left over.
    for before, module in (((), name), (alone, 'librhi.so')):
        said, findings, _ = run('level', before=before)
        where = r'\S*/' + ('rhi' if before else 'program') + r'\.c:\d+, \w+'
        gone = next(finding for finding in findings if finding.get('command') == 'vkCmdFillBuffer')
        expect(
            re.search(r'that was already destroyed \(by ' + where + r'\)', gone['message']), gone
        )
        left = next(finding for finding in findings if finding.get('command') == 'vkDestroyDevice')
        expect(
            re.search(
                r'1 VkBuffer is still alive: 0x[0-9a-f]+ created by ' + where + '$', left['message']
            ),
            left,
        )
        destroyed, created = gone['objects'][-1]['destroyed'], left['objects'][-1]['created']
        expect(
            destroyed['caller']['module'].endswith(module)
            and created['caller']['module'].endswith(module),
            (destroyed, created),
        )
        if not before:
            expect(
                modules(destroyed) == modules(created) == ['librhi.so', name, name, name],
                (destroyed, created),
            )
        for what in ('created', 'destroyed'):
            expect(
                bool(
                    re.search(
                        r'^ {14}'
                        + what
                        + r' by \S*/program\.c:\d+, (?:un)?load_level'
                        + frame.replace('simulate_world', 'play_level')
                        + frame
                        + r'\n',
                        said,
                        re.M,
                    )
                )
                == (not before),
                said,
            )
    # The loader calls the layer on the way back, for devices, command buffers and queues: that is
    # not where the program called.
    for before in ((), alone):
        _, findings, _ = run('submit', 'empty', before=before)
        origins = {
            thing['type']: thing['created']['caller']
            for finding in findings
            for thing in finding['objects']
        }
        expect(set(origins) >= {'VkQueue', 'VkDevice', 'VkCommandBuffer'}, origins)
        expect(all(caller['module'].endswith('/' + name) for caller in origins.values()), origins)


def check_races(directory):
    """Two threads in one object: with record_stacks both have their stack, in the text, the
    summary, and the page."""
    found, page = directory / 'found.jsonl', directory / 'page.html'

    def run(*flags):
        said = assay(
            directory,
            *program(
                'start',
                'race',
                'end',
                options_before=[f'--json={found}', f'--html={page}', '--symbols', *flags],
            ),
        )[1]
        findings = [json.loads(line) for line in found.read_text().splitlines()]
        expect(
            [finding['vuid'] for finding in findings]
            == ['UNASSIGNED-Threading-MultipleThreads-Write'],
            said,
        )
        return said.split('assay: ', 1) + [findings[0]]

    def line(function):
        return r'\S*/program\.c:\d+, ' + function + r'\n'

    streamed, _, finding = run('--record-stacks')
    expect(re.search(r'VkCommandPool \S+ "frame pool"', finding['message']), finding)
    expect(
        re.search(
            r'^    other   '
            + line('allocate_commands')
            + ' {12}'
            + line('race_in_pool')
            + ' {12}'
            + line('main')
            + '    caller  '
            + line('reset_racing_pool')
            + ' {12}'
            + line('run_loader'),
            streamed,
            re.M,
        ),
        streamed,
    )
    summary = run('--record-stacks', '-q')[1]
    expect(
        re.search(
            r'^    caller    1  '
            + line('reset_racing_pool')
            + ' {17}from '
            + line('run_loader')
            + '(?: {17}from .*\n| {17}and .*\n)* {17}while the other thread was in '
            + line('allocate_commands')
            + ' {17}from '
            + line('race_in_pool')
            + ' {17}from '
            + line('main'),
            summary,
            re.M,
        ),
        summary,
    )
    part = re.search(r'<script type="text/plain" class="part">([^<]*)</script>', page.read_text())[
        1
    ]
    shown = json.loads(zlib.decompress(base64.b64decode(part)))[0]
    expect(shown['threadName'] == 'loader' and shown['race']['threadName'] == 'renderer', shown)
    own = [frame for frame in shown['race']['stack'] if frame['module'].endswith('/program')]
    expect(
        [frame['function'] for frame in own] == ['allocate_commands', 'race_in_pool', 'main'],
        shown['race'],
    )
    expect(all('source' in frame for frame in own), shown['race'])
    # Without it the place of the other call is known, which the message says.
    streamed, summary, finding = run()
    expect(
        'stack' not in finding['race']
        and '    other   ' not in streamed
        and 'while the other thread' not in summary,
        streamed + summary,
    )
    expect('{file}:{line}'.format(**finding['race']['caller']) in finding['message'], finding)


def check_layouts(directory):
    """A layout that a submit finds wrong: the command that wants it, its stack and statement."""
    found, sarif, page = (directory / name for name in ('found.jsonl', 'found.sarif', 'page.html'))

    def run(*flags):
        files = [f'--json={found}', f'--sarif={sarif}', f'--html={page}', '--symbols']
        command = program('start', 'layout', 'end', options_before=[*files, *flags])
        said = assay(directory, *command)[1]
        findings = [json.loads(line) for line in found.read_text().splitlines()]
        expect([finding['vuid'] for finding in findings] == ['VUID-vkCmdDraw-None-09600'], said)
        return said.split('assay: ', 1) + [findings[0]]

    def line(function):
        return r'\S*/program\.c:\d+, ' + function + r'\n'

    def has(text, *lines):
        expect(re.search(''.join(lines), text, re.M), text)

    statement = 'VUID-vkCmdClearColorImage-imageLayout-00004'
    states = r'imageLayout must specify the layout of the image [^#]*#' + statement + r'\n'
    wanted = (
        r'^    wanted  vkCmdClearColorImage, command 0 of VkCommandBuffer 0x\w+ "upload"\n'
        r' {12}called by ' + line('clear_sky')
    )
    streamed, summary, finding = run('--record-stacks')
    outer = [' {16}' + line(name) for name in ('paint_sky', 'submit_wrong_layout', 'main')]
    has(streamed, wanted, *outer)
    has(streamed, r'^    spec    ', states)
    # The summary says in brief what was said in full already, and in full where it was not.
    _, full, _ = run('--record-stacks', '--quiet')
    by = r'^    wanted    vkCmdClearColorImage, command 0\n {14}by ' + line('clear_sky')
    has(summary, by, ' {4}objects|' + by, ' {4}caller')
    has(full, by, ' {17}from ', line('paint_sky'))
    has(full, r'^    states    ', states)
    expect('If a descriptor with type' not in streamed + summary + full, streamed + summary)
    names = [frame['symbol'] for frame in finding['wanted']['stack'][:3]]
    expect(names == ['clear_sky', 'paint_sky', 'submit_wrong_layout'], finding)
    expect(finding['wanted']['index'] == 0, finding)
    expect(finding['wanted']['commandBuffer']['name'] == 'upload', finding)
    expect(finding['statement']['vuid'] == statement, finding)
    expect(finding['statement']['url'].endswith('#' + statement), finding)
    expect(finding['url'].endswith('#VUID-vkCmdDraw-None-09600'), finding)
    related = json.loads(sarif.read_text())['runs'][0]['results'][0]['relatedLocations']
    expect(
        [each['message']['text'] for each in related]
        == ['the command that wants the layout: vkCmdClearColorImage, command 0'],
        related,
    )
    part = re.search(r'<script type="text/plain" class="part">([^<]*)<', page.read_text())[1]
    shown = json.loads(zlib.decompress(base64.b64decode(part)))[0]['wanted']
    expect([frame['function'] for frame in shown['stack']][:2] == ['clear_sky', 'paint_sky'], shown)
    expect('source' in shown['caller'], shown)
    # Without it the line alone.
    streamed, _, finding = run()
    has(streamed, wanted, '    object')
    expect(finding['wanted']['caller']['symbol'] == 'clear_sky', finding)
    expect('stack' not in finding['wanted'], finding)
    # The id is the same, the statements are not: each is said once.
    steps = ('start', 'layout', 'other layout', 'layout', 'other layout', 'end')
    streamed = assay(directory, *program(*steps))[1].split('assay: ', 1)[0]
    expect(streamed.count('Assay error VUID-vkCmdDraw-None-09600') == 2, streamed)
    other = 'VUID-vkCmdCopyBufferToImage-dstImageLayout-00180'
    expect([streamed.count(f'#{each}\n') for each in (statement, other)] == [1, 1], streamed)


def check_repeats(directory):
    """How often a finding came is told, however often it was told itself; limits are of a place;
    nothing is hidden."""
    found, log = directory / 'found.jsonl', directory / 'log.txt'

    def run(*what, flags=(), status=0, more=None):
        said = assay(
            directory,
            *program('start', *what, options_before=['-q', f'--json={found}', *flags]),
            status=status,
            environment=more,
        )[1]
        return said, [json.loads(line) for line in found.read_text().splitlines()]

    # Two places, each told up to the limit, each counted on.
    said, findings = run(
        *['mesh', 'texture', 'empty'] * 12,
        'useless',
        'end',
        more={'VK_ASSAY_CALLER_IGNORE': 'librhi.so'},
    )
    told = [finding for finding in findings if 'repeats' not in finding]
    callers = [finding['caller']['offset'] for finding in told if finding['vuid'] == EMPTY]
    expect(
        len(callers) == 30 and [callers.count(caller) for caller in set(callers)] == [10] * 3,
        callers,
    )
    expect(
        sorted(finding['repeats'] for finding in findings if 'repeats' in finding) == [2] * 3,
        findings,
    )
    expect(
        ': 37 findings, 37 errors.\n' in said
        and f'error {EMPTY}, 36 times\n' in said
        and 'perhaps more' not in said,
        said,
    )
    expect(len(re.findall(r'^(?:    callers  |        ) +12  ', said, re.M)) == 3, said)
    # In the files of reports.
    text, _ = assay(directory, 'report', found)
    expect(
        text.startswith('37 findings, 4 different, of 2 ids in 1 file\n')
        and f'error {EMPTY}, 36 times' in text,
        text,
    )
    # Where the program ends without destroying its instance it is told as well; not where it is
    # killed.
    said, findings = run(*['empty'] * 12, 'fail', status=7)
    expect(': 12 findings, 12 errors.\n' in said and 'perhaps more' not in said, said)
    said, findings = run(*['empty'] * 12, 'kill', status=137)
    expect(
        ': 10 findings, 10 errors.\n' in said
        and (
            f'assay: These came as often as each id is reported (--limit), and perhaps more '
            f'often:\n    {EMPTY}\n'
        )
        in said,
        said,
    )
    # Suppressed findings are counted as often as they came.
    (directory / 'known.supp').write_text(f'{EMPTY}\n')
    said, findings = run(*['empty'] * 12, 'end', flags=['--suppress', directory / 'known.supp'])
    expect(': nothing was found, but 12 suppressed.\n' in said and not findings, said)
    # More places than are told.
    said, _ = run(
        *[
            f'name {chr(97 + i // 26)}{chr(97 + i % 26)}' if i % 2 == 0 else 'empty'
            for i in range(80)
        ],
        'end',
        flags=['--limit=1'],
    )
    expect(
        (
            f'assay: These came from more places than are reported (--limit=0 reports all):\n  '
            f'  {EMPTY}, 8 more\n'
        )
        in said,
        said,
    )

    # The layer's own log has it in the end, and what was checked where info is asked for.
    def own_log(*what, **settings):
        log.unlink(missing_ok=True)
        environment = environment_of(
            directory,
            {
                'VK_LAYER_PATH': str(options.layer_path),
                'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
                'VK_ASSAY_LOG_FILENAME': str(log),
            }
            | settings,
        )
        subprocess.run(
            [options.program, 'start', *what], cwd=directory, env=environment, check=True
        )
        return log.read_text()

    text = own_log(*['mesh'] * 13, 'end')
    place = (
        r': vkCreateBuffer\(\) pCreateInfo->size, VkDevice 0x[0-9a-f]+ "main device", by '
        r'\S*librhi\.so\+0x[0-9a-f]+ \(rhi_create_buffer\+0x[0-9a-f]+\)\n'
    )
    so_far = (
        f'Assay repeated {EMPTY}, 10 times so far, and from now on it is only counted '
        f'\\(duplicate_message_limit\\)'
    ) + place
    expect(
        re.search(f'\n\n{so_far}\nAssay repeated {EMPTY}, 13 times in all{place}$', text)
        and text.count('Assay error') == 1,
        text,
    )
    text = own_log(*['mesh'] * 10, 'end')
    expect(re.search(f'\n\n{so_far}\n$', text), 'nothing came more often')
    expect(
        re.search(
            f'\n\nAssay repeated {EMPTY}, 3 times in all{place}$', own_log(*['mesh'] * 3, 'end')
        ),
        'fewer than the limit',
    )
    expect('Assay repeated' not in own_log('mesh', 'end'), 'once')
    info = {'VK_ASSAY_REPORT_FLAGS': 'error,info'}
    clean = (
        'Assay info ASSAY-Checked\n  no findings; the layer checked stateless, lifetimes, '
        'threads, core, shaders, of an instance with 1 device\n\n'
    )
    expect(
        own_log('end') == '' and own_log('end', **info) == clean and own_log(**info) == clean,
        own_log(**info),
    )
    expect(
        own_log('empty', 'end', **info).endswith(
            '\n\n' + clean.replace('no findings', '1 finding')
        ),
        own_log('empty', 'end', **info),
    )
    expect(
        own_log('end', VK_ASSAY_MESSAGE_ID_FILTER='ASSAY-Checked', **info) == '',
        'its id can be filtered',
    )


def check_said_once(directory):
    """One missing barrier in 200 frames is said in full once, and what mends it once."""
    mend = 'const VkBufferMemoryBarrier barrier = {'

    def lines(text):
        return len(text.splitlines())

    # Each time in full, as it was before: of ten, and of the summary.
    _, each = assay(
        directory, *program('start', 'frames', options_before=['--sync', '--limit=0', '--all'])
    )
    one = each[: each.index('Assay error', 1)]
    whole = each[each.index('assay: ') :]
    expect(each.count('Assay error') == 200 and mend in one and mend in whole, each[:4000])
    before = 10 * lines(one) + lines(whole)
    _, said = assay(directory, *program('start', 'frames', options_before=['--sync']))
    streamed, summary = said.split('assay: ', 1)
    print(f'assay run: {lines(said)} lines; {before} with each of ten in full, and the summary')
    expect(streamed.count('Assay error') == 1 and said.count(mend) == 1, said)
    expect(
        re.search(
            (
                rf'\n\nAssay repeated {HAZARD}, 10 times so far, and from now on it is only '
                rf'counted \(--limit\): vkCmdCopyBuffer\(\), VkBuffer 0x[0-9a-f]+ "vertices", '
                rf'by \S*\+0x[0-9a-f]+ \(draw_frames\+0x[0-9a-f]+\)\n\n$'
            ),
            streamed,
        ),
        streamed,
    )
    expect(
        re.search(
            (
                rf'\nerror {HAZARD}, 200 times\n    this      vkCmdCopyBuffer reads VkBuffer '
                rf'"vertices"\n {{14}}by .*\n    earlier   vkCmdFillBuffer writes VkBuffer '
                rf'"vertices"\n {{14}}by .*\nassay: '
            ),
            summary,
        ),
        summary,
    )
    expect(lines(said) <= 48 < 122 < before, said)
    # The summary alone has all of it, once.
    _, said = assay(
        directory, *program('start', 'frames', 'hazard', options_before=['--sync', '-q'])
    )
    expect(
        said.count(mend) == 1
        and said.count('(the code is as said before for this id, but for numbers and names)') == 1,
        said,
    )
    # The layer's own log.
    log = directory / 'log.txt'
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': str(options.layer_path),
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_ASSAY_LOG_FILENAME': str(log),
            'VK_ASSAY_VALIDATE_SYNC': 'true',
        },
    )
    subprocess.run([options.program, 'start', 'frames'], cwd=directory, env=environment, check=True)
    text = log.read_text()
    print(f'the log: {lines(text)} lines')
    expect(
        text.count('Assay error') == 1
        and text.count(mend) == 1
        and f'\nAssay repeated {HAZARD}, 200 times in all: vkCmdCopyBuffer(), VkBuffer ' in text
        and lines(text) <= 36,
        text,
    )


def check_cases(directory):
    """The summary shows each different text and object of an id, within bounds that an option
    lifts."""
    names = [f'name {letter}' for letter in 'abcdefghijkl']
    steps = [step for name in names for step in (name, 'empty')]
    said = assay(directory, *program('start', *steps, 'useless', 'end', options_before=['-q']))[1]
    shown = re.findall(
        (
            r'\n  vkCreateBuffer\(\): pCreateInfo->size is 0\n    count     1 time\n    object '
            r'   VkDevice "(\w)"\n    caller    1  \S*\+0x[0-9a-f]+ '
            r'\(create_empty_buffer\+0x[0-9a-f]+\)\n                 from '
        ),
        said,
    )
    expect(
        len(shown) == 10
        and '\n  and 2 more different findings of this id (--all shows them)\n' in said,
        said,
    )
    said = assay(
        directory,
        *program(
            'start',
            *steps,
            'useless',
            'end',
            options_before=['-q', '--all', f'--json={directory}/found.jsonl'],
        ),
    )[1]
    expect(all(f'VkDevice "{name[-1]}"' in said for name in names) and '(--all' not in said, said)
    expect(
        assay(directory, 'report', '--all', 'found.jsonl')[0].count('pCreateInfo->size is 0') == 12,
        'report --all',
    )
    expect(
        'and 2 more different findings' in assay(directory, 'report', 'found.jsonl')[0], 'report'
    )
    # Texts that differ in more than numbers are different; those that differ in numbers are not.
    line = json.loads((directory / 'found.jsonl').read_text().splitlines()[0])
    lines = [
        line | {'message': text}
        for text in ('offset is 4, of 0x7f00a', 'offset is 12, of 0x7f00b', 'offset is odd')
    ]
    (directory / 'texts.jsonl').write_text(''.join(json.dumps(line) + '\n' for line in lines))
    text = assay(directory, 'report', 'texts.jsonl')[0]
    expect(
        text.startswith('3 findings, 2 different')
        and '  offset is 4, of 0x7f00a\n    count     2 times\n' in text
        and '  offset is odd\n    count     1 time\n' in text,
        text,
    )


def check_khronos(directory):
    """A program that asks for the Khronos layer gets this one, once, with its settings; an option
    leaves that name alone."""
    asks = ('khronos', 'sync', 'start', 'hazard', 'empty', 'end')
    text, said = assay(directory, *program(*asks, options_before=['-q']))
    expect(
        text == ''
        and (
            ': 2 findings, 2 errors.\n       The layer was on for 1 instance and 1 device, and '
            'checked stateless, lifetimes, threads, core, shaders, sync; not gpu (--gpu).\n'
        )
        in said,
        text + said,
    )
    expect(f'error {HAZARD}, 1 time' in said and f'error {EMPTY}, 1 time' in said, said)
    text, _ = assay(directory, *program('layers'))
    expect(
        text.count(
            'VK_LAYER_KHRONOS_validation: Assay, under the name of the Khronos validation layer\n'
        )
        == 1
        and text.count('VK_LAYER_KHRONOS_validation') == 1,
        text,
    )
    expect(text.count('VK_LAYER_ASSAY_validation: ') == 1 and '\n5 extensions\n' in text, text)
    # Also where somebody else names it, or only directories of their own are looked at.
    for more in (
        {'VK_INSTANCE_LAYERS': 'VK_LAYER_KHRONOS_validation'},
        {'VK_LAYER_PATH': '/else/where'},
        {'VK_LOADER_LAYERS_ENABLE': '*validation'},
    ):
        text, said = assay(directory, *program(*asks, options_before=['-q']), environment=more)
        expect(
            text == ''
            and ': 2 findings, 2 errors.\n       The layer was on for 1 instance and 1 device'
            in said,
            text + said,
        )
    for flags, ours in (([], True), (['--with-khronos'], False)):
        text = assay(
            directory,
            *(['run', *flags, '--', 'sh', '-c', 'cat ${VK_ADD_LAYER_PATH%%:*}/*.json']),
            status=0 if ours else 1,
        )[0]
        expect(('"component_layers": ["VK_LAYER_ASSAY_validation"]' in text) == ours, text)
    # By hand, with both names and both manifests: the inner one passes everything on.
    by_hand = {
        'VK_ADD_LAYER_PATH': f'{options.layer_path}:{options.layer_path}/khronos',
        'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
        'VK_ASSAY_LOG_FILENAME': 'stdout',
    }
    done = subprocess.run(
        [options.program, *asks],
        cwd=directory,
        env=environment_of(directory, by_hand),
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    expect(
        done.returncode == 0 and done.stdout.count('Assay error') == 2,
        (done.returncode, done.stdout, done.stderr),
    )
