#!/usr/bin/env python3
"""Checks that `assay run`, `assay init` and `assay doctor` say what people need to know, and leave
everything as it was.

  run.py --assay PROGRAM --driver MANIFEST --null-driver MANIFEST --program PROGRAM --hazards
  PROGRAM --layer-path DIRECTORY [--update] NAME...

Each NAME is a function check_NAME of this file, of command_line.py or of wrappers.py. --program is
program.c's, which does what its arguments say."""

import argparse
import base64
import difflib
import json
import lzma
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
import zlib

import command_line
import wrappers
from harness import (
    CHECKED,
    EMPTY,
    HANGS,
    HAZARD,
    RUN_MD,
    TOP,
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
    # What the loader does on the way back is not where the program called.
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
    frame = r'\n {16}\S*/program\.c:\d+, (?:simulate|main)'
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
                r'by \S*program\.c:\d+, move_particles\n {18}\S*program\.c:\d+, simulate\n '
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
            ['rhi_fill', 'clear_particles', 'simulate', 'main'],
            ['rhi_copy', 'move_particles', 'simulate', 'main'],
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
                        + frame.replace('simulate', 'play_level')
                        + frame
                        + r'\n',
                        said,
                        re.M,
                    )
                )
                == (not before),
                said,
            )
    # What the loader does on the way back is not where the program called: devices, command buffers
    # and queues.
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
            + line('reset_pool')
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
            + line('reset_pool')
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
    outer = [' {16}' + line(name) for name in ('paint', 'submit_wrong_layout', 'main')]
    has(streamed, wanted, *outer)
    has(streamed, r'^    spec    ', states)
    # The summary says in brief what was said in full already, and in full where it was not.
    _, full, _ = run('--record-stacks', '--quiet')
    by = r'^    wanted    vkCmdClearColorImage, command 0\n {14}by ' + line('clear_sky')
    has(summary, by, ' {4}objects|' + by, ' {4}caller')
    has(full, by, ' {17}from ', line('paint'))
    has(full, r'^    states    ', states)
    expect('If a descriptor with type' not in streamed + summary + full, streamed + summary)
    names = [frame['symbol'] for frame in finding['wanted']['stack'][:3]]
    expect(names == ['clear_sky', 'paint', 'submit_wrong_layout'], finding)
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
    expect([frame['function'] for frame in shown['stack']][:2] == ['clear_sky', 'paint'], shown)
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


def run_alone(directory, program, *what, found):
    """A program under the layer, without the tool: what the layer writes."""
    found.unlink(missing_ok=True)
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': options.layer_path,
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_ASSAY_LOG_FILENAME': str(directory / 'log.txt'),
            'VK_ASSAY_JSON_FILENAME': str(found),
            'LD_LIBRARY_PATH': os.path.dirname(options.program),
        },
    )
    subprocess.run([program, *what], cwd=directory, env=environment, check=True, timeout=HANGS)
    return [json.loads(line) for line in found.read_text().splitlines()]


def check_sources(directory):
    """caller_ignore names source files, too: the tool knows lines, and chooses the frame once
    more."""
    steps = ['start', *['mesh'] * 12, *['texture'] * 3, 'end']
    found = directory / 'found.jsonl'
    for ignored in ('*/rhi.c', 'rhi.?', 'libother.so,*/run/rhi.c'):
        _, said = assay(
            directory,
            *program(
                *steps,
                options_before=[
                    f'--caller-ignore={ignored}',
                    '--symbols',
                    f'--json={found}',
                    f'--make-suppressions={directory / "made"}',
                ],
            ),
        )
        findings = [json.loads(line) for line in found.read_text().splitlines()]
        told = [finding for finding in findings if 'repeats' not in finding]
        expect(
            len(told) == 13
            and all(finding['caller'] == finding['stack'][1] for finding in findings),
            findings,
        )
        expect(
            {finding['caller']['symbol'] for finding in findings}
            == {'upload_mesh', 'upload_texture'},
            findings,
        )
        expect(
            all(
                finding['caller']['file'].endswith('/program.c') and finding['caller']['line']
                for finding in findings
            ),
            findings,
        )
        expect(
            re.search(
                r'^ +12  \S*program\.c:\d+, upload_mesh\n', said.replace('callers', '       '), re.M
            ),
            said,
        )
        expect(
            re.search(
                r'^ +3  \S*program\.c:\d+, upload_texture\n',
                said.replace('callers', '       '),
                re.M,
            ),
            said,
        )
    # A module that is no file, but a pipe that nobody writes to, has no lines; nothing waits for
    # it.
    os.mkfifo(directory / 'pipe')
    (directory / 'piped.jsonl').write_text(
        json.dumps(
            {
                'vuid': EMPTY,
                'severity': 'error',
                'message': 'm',
                'caller': {'module': str(directory / 'pipe'), 'offset': '0x10'},
            }
        )
        + '\n'
    )
    text, _ = assay(directory, 'report', '--symbols', 'piped.jsonl')
    expect(f'{directory}/pipe+0x10\n' in text, text)
    # Files that show lines have them without being asked, in sentences as well.
    where = r'program\.c:\d+, create_sampler'
    for flag in ('--html=x', '--sarif=x', '--junit=x'):
        _, said = assay(directory, *program('start', 'leak', 'end', options_before=[flag]))
        expect(re.search(f'is still alive: 0x[0-9a-f]+ created by \\S*{where}\n', said), said)
        expect(flag == '--html=x' or re.search(where, (directory / 'x').read_text()), flag)
    _, said = assay(
        directory, *program('start', 'leak', 'end', options_before=['--json=leak.jsonl'])
    )
    expect(re.search(r'created by \S*program\+0x[0-9a-f]+\n', said), said)
    for flags in (['--symbols'], ['--sarif'], ['--junit']):
        expect(
            re.search(
                f'created by \\S*{where}', assay(directory, 'report', *flags, 'leak.jsonl')[0]
            ),
            flags,
        )
    expect(
        not re.search(where, assay(directory, 'report', 'leak.jsonl')[0]),
        'text alone, unless asked',
    )
    # They group, suppress and count by it.
    expect(
        '\n    caller  upload_mesh\n' in (directory / 'made').read_text()
        and '\n    caller  upload_texture\n' in (directory / 'made').read_text(),
        'made by it',
    )
    (directory / 'known').write_text(f'{EMPTY}\n    caller  upload_mesh\n')
    _, said = assay(
        directory,
        *program(
            *steps, options_before=['--caller-ignore=*/rhi.c', f'--suppress={directory / "known"}']
        ),
    )
    expect('3 findings, 3 errors' in said and '12 suppressed' in said, said)
    # In reports, of what the layer wrote by itself.
    raw = directory / 'raw.jsonl'
    findings = run_alone(directory, options.program, 'start', 'mesh', 'texture', 'end', found=raw)
    expect(
        all(
            finding['caller']['symbol'] == 'rhi_create_buffer' and finding['caller']['buildId']
            for finding in findings
        ),
        findings,
    )
    text, _ = assay(directory, 'report', '--symbols', '--caller-ignore=*/rhi.c', raw)
    expect(re.search(r'program\.c:\d+, upload_mesh\n', text) and 'rhi.c' not in text, text)
    expect(
        'rhi.c:' in assay(directory, 'report', '--symbols', raw)[0],
        'without it the wrapper is shown',
    )


def check_rebuild(directory):
    """Suppressions and --since outlive a rebuild that moves code; symbols of another build are
    refused."""
    game, made, steps = (
        directory / 'game',
        directory / 'known.supp',
        ('start', 'useless', 'empty', 'empty', 'mesh', 'temporaries', 'hazard', 'end'),
    )
    environment = {'LD_LIBRARY_PATH': os.path.dirname(options.program)}

    def build(which):
        game.unlink(missing_ok=True)
        shutil.copy(which, game)

    def run(*flags, status=0):
        return assay(
            directory,
            'run',
            '--sync',
            *flags,
            '--',
            './game',
            *steps,
            environment=environment,
            status=status,
        )[1]

    build(options.program)
    run(f'--make-suppressions={made}', f'--json={directory / "old.jsonl"}')
    text = made.read_text()
    expect(
        '+0x' not in text
        and '\n    caller  create_empty_buffer\n' in text
        and '\n    object  temporary [0-9]* of *\n    caller  create_temporaries\n' in text,
        text,
    )
    expect(text.count('VUID-VkMappedMemoryRange-memory-00684\n') == 1, text)
    said = run(f'--suppress={made}', '--error-exit=3')
    expect('nothing was found, but 8 suppressed' in said and 'not needed' not in said, said)
    old = [json.loads(line) for line in (directory / 'old.jsonl').read_text().splitlines()]
    build(options.moved_program)
    said = run(f'--suppress={made}', '--error-exit=3', f'--json={directory / "left.jsonl"}')
    expect('nothing was found, but 8 suppressed' in said and 'not needed' not in said, said)
    run(f'--json={directory / "new.jsonl"}')
    new = [json.loads(line) for line in (directory / 'new.jsonl').read_text().splitlines()]
    expect(
        old[0]['caller']['buildId'] != new[0]['caller']['buildId']
        and old[0]['caller']['offset'] != new[0]['caller']['offset'],
        'it is another build, and code has moved',
    )
    expect(
        old[0]['caller']['symbol'] == new[0]['caller']['symbol'] == 'create_useless_buffer', old[0]
    )
    text, _ = assay(directory, 'report', '--since', 'old.jsonl', 'new.jsonl')
    expect(
        re.search(
            r'^since the older run: 0 new, 0 in another place, \d+ known, 0 gone$', text, re.M
        ),
        text,
    )

    # What the layer wrote, before and after the binary was replaced.
    build(options.program)
    raw = directory / 'raw.jsonl'
    findings = run_alone(directory, './game', 'start', 'useless', 'empty', 'end', found=raw)
    expect(all('symbol' not in finding['caller'] for finding in findings), findings)
    text, said = assay(directory, 'report', '--symbols', raw)
    expect(re.search(r'program\.c:\d+, create_useless_buffer\n', text) and not said, text + said)
    expect(
        '(create_useless_buffer+0x' in assay(directory, 'report', raw)[0],
        'functions need no --symbols',
    )
    build(options.moved_program)
    text, said = assay(directory, 'report', '--symbols', raw)
    expect(
        re.fullmatch(
            (
                r'assay: symbols of \./game do not fit what ran \(build id [0-9a-f]{40}, and '
                r'now [0-9a-f]{40}\): it is shown without them\n'
            ),
            said,
        ),
        said,
    )
    expect('./game+0x' in text and 'program.c' not in text and 'create_' not in text, text)
    # One that fits, elsewhere.
    (directory / 'kept').mkdir()
    shutil.copy(options.program, directory / 'kept' / 'game')
    text, said = assay(directory, 'report', '--modules=/nowhere:kept', raw)
    expect(re.search(r'program\.c:\d+, create_useless_buffer\n', text) and not said, text + said)


def check_debug_files(directory):
    """Symbols in files of their own: .gnu_debuglink, .build-id, debuginfod's cache. Those of
    another build are not taken."""
    game, debug, raw = directory / 'game', directory / 'game.debug', directory / 'raw.jsonl'

    def split(which):
        shutil.copy(which, game)
        subprocess.run(['objcopy', '--only-keep-debug', which, debug], check=True)
        subprocess.run(['strip', game], check=True)
        subprocess.run(['objcopy', f'--add-gnu-debuglink={debug}', game], check=True)

    split(options.program)
    findings = run_alone(directory, './game', 'start', 'useless', 'end', found=raw)
    build_id = findings[0]['caller']['buildId']

    def report(found, *flags):
        text, said = assay(directory, 'report', '--symbols', *flags, raw)
        expect(
            bool(re.search(r'program\.c:\d+, create_useless_buffer\n', text)) == found
            and (found or './game+0x' in text)
            and not said,
            (found, text, said),
        )
        if not flags:
            expect(
                ('(create_useless_buffer+0x' in assay(directory, 'report', raw)[0]) == found,
                'functions are of the same file',
            )

    report(True)
    (directory / '.debug').mkdir()
    debug.rename(directory / '.debug' / 'game.debug')
    report(True)
    (directory / '.debug' / 'game.debug').rename(directory / 'elsewhere')
    report(False)
    by_id = directory / 'symbols' / '.build-id' / build_id[:2]
    by_id.mkdir(parents=True)
    shutil.copy(directory / 'elsewhere', by_id / f'{build_id[2:]}.debug')
    report(True, f'--modules={directory / "symbols"}')
    report(False)
    cache = directory / '.cache' / 'debuginfod_client' / build_id
    cache.mkdir(parents=True)
    shutil.copy(directory / 'elsewhere', cache / 'debuginfo')
    report(True)
    # The module itself may be gone.
    game.unlink()
    report(True)
    # Of another build, under the right names.
    shutil.rmtree(directory / '.cache')
    split(options.program)
    subprocess.run(['objcopy', '--only-keep-debug', options.moved_program, debug], check=True)
    report(False)


def check_packed_symbols(directory):
    """A stripped program with .gnu_debugdata, as Fedora's are: functions that are not exported are
    known; what is damaged or huge is not taken."""
    game, raw, made = directory / 'game', directory / 'raw.jsonl', directory / 'made.supp'
    subprocess.run(
        ['objcopy', '--only-keep-debug', options.program, directory / 'debug'], check=True
    )
    functions = [
        line.split()[0]
        for line in subprocess.run(
            ['nm', '--defined-only', '--format=posix', options.program],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        if line.split()[1] in 'tT'
    ]
    (directory / 'keep').write_text('\n'.join(functions))
    subprocess.run(
        [
            'objcopy',
            '-S',
            '--remove-section=.comment',
            f'--keep-symbols={directory}/keep',
            directory / 'debug',
            directory / 'small',
        ],
        check=True,
    )
    small = (directory / 'small').read_bytes()

    def pack(contents):
        subprocess.run(['objcopy', '-S', options.program, game], check=True)
        if contents is not None:
            (directory / 'packed').write_bytes(contents)
            subprocess.run(
                ['objcopy', f'--add-section=.gnu_debugdata={directory}/packed', game], check=True
            )

    pack(lzma.compress(small))
    run_alone(directory, './game', 'start', 'useless', 'end', found=raw)
    for contents, known in (
        (lzma.compress(small), True),
        (None, False),
        (lzma.compress(small)[:-40], False),
        (lzma.compress(small[:80]), False),
        (b'', False),
        (small, False),
        (lzma.compress(b'\177ELF\2' + bytes(200)), False),
        (lzma.compress(small + bytes(1 << 28), preset=0), False),
    ):
        pack(contents)
        text, said = assay(directory, 'report', raw)
        expect(
            not said
            and ('(create_useless_buffer+0x' in text) == known
            and (known or 'useless' not in text),
            (known, text, said),
        )
    # What is exported stays known beside it, and suppressions name functions.
    pack(lzma.compress(small))
    assay(
        directory,
        'run',
        f'--make-suppressions={made}',
        '--',
        './game',
        'start',
        'engine',
        'useless',
        'mesh',
        'end',
        environment={'LD_LIBRARY_PATH': os.path.dirname(options.program)},
    )
    callers = re.findall(r'^    caller  (.*)$', made.read_text(), re.M)
    expect(
        set(callers)
        >= {
            'create_useless_buffer',
            'engine::upload',
            'engine::Pool<Mesh>::grow',
            'rhi_create_buffer',
        },
        callers,
    )


def check_names(directory):
    """Functions of C++ are shown as people write them, and suppressed by what survives a rebuild;
    old files with the linker's names hold."""
    game, made, known = directory / 'game', directory / 'made.supp', directory / 'known.supp'
    environment = {'LD_LIBRARY_PATH': os.path.dirname(options.program)}
    engine = ('start', 'engine', 'end')

    def build(which):
        game.unlink(missing_ok=True)
        shutil.copy(which, game)

    def run(*flags, steps=engine, status=0):
        return assay(
            directory, 'run', *flags, '--', './game', *steps, environment=environment, status=status
        )[1]

    build(options.program)
    paths = {form: directory / f'report.{form}' for form in ('json', 'sarif', 'junit')}
    run(*(f'--{form}={path}' for form, path in paths.items() if form != 'json'))
    said = run(f'--make-suppressions={made}', f'--json={paths["json"]}')
    functions = (
        'engine::upload(Mesh*)',
        'engine::draw(int)',
        'engine::Pool<Mesh>::grow(unsigned long)',
        'engine::operator*(Mesh const&, int)',
        'engine::Pool<Mesh>::operator[](unsigned long)',
    )
    streamed, summary = said.split('assay: ', 1)
    for function in functions:
        expect(
            '    caller  ./game+0x' in streamed
            and f' ({function}+0x' in streamed
            and f' ({function}+0x' in summary,
            (function, said),
        )
    expect('_ZN' not in said, said)
    # Files of findings have the linker's names, as the layer's own; reports of all kinds have the
    # others.
    found = [
        json.loads(line)['caller']['symbol'] for line in paths['json'].read_text().splitlines()
    ]
    expect(found[:2] == ['_ZN6engine6uploadEP4Mesh', '_ZN6engine4drawEi'], found)
    names = {
        place['logicalLocations'][0]['name']
        for result in json.loads(paths['sarif'].read_text())['runs'][0]['results']
        for place in result['locations']
    }
    expect(names == set(functions), names)
    assay(directory, 'report', f'--sqlite={directory / "found.db"}', paths['json'])
    rows = subprocess.run(
        ['sqlite3', directory / 'found.db', 'SELECT symbol FROM call_site'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    expect(set(functions) <= set(rows) and not [row for row in rows if row.startswith('_Z')], rows)
    # As much of a name as tells it apart: others are called draw, and grow of another pool.
    text = made.read_text()
    patterns = re.findall(r'^    caller  (.*)$', text, re.M)
    expect(
        sorted(patterns)
        == sorted(
            [
                'engine::upload',
                'engine::draw(int)',
                'engine::Pool<Mesh>::grow',
                r'engine::operator\*',
                r'engine::Pool::operator\[]',
            ]
        ),
        text,
    )
    said = run(f'--suppress={made}', '--error-exit=3')
    expect('nothing was found, but 5 suppressed' in said and 'not needed' not in said, said)
    said = run(
        f'--suppress={made}',
        '--error-exit=3',
        steps=('start', 'engine', 'overloads', 'end'),
        status=3,
    )
    expect(
        '2 findings, 2 errors, and 5 suppressed' in said
        and '(engine::draw(float)+0x' in said
        and '(engine::Pool<Texture>::grow(unsigned long)+0x' in said,
        said,
    )
    # Another build, in which parameters have changed.
    build(options.moved_program)
    said = run(f'--suppress={made}', '--error-exit=3', f'--json={directory / "left.jsonl"}')
    expect('nothing was found, but 5 suppressed' in said and 'not needed' not in said, said)
    expect('(engine::upload(Mesh*, int)+0x' in run(), 'it has others')
    # What people write, in any form, and old files.
    build(options.program)
    for pattern, count in (
        ('_ZN6engine4drawEi', 1),
        ('_ZN6engine*', 5),
        ('engine::draw', 1),
        ('engine::draw(*)', 1),
        ('engine::*', 5),
        ('engine::Pool<*>::grow', 1),
        ('engine::Pool::*', 2),
        (r'engine::operator\*', 1),
        ('engine::operator*', 1),
        ('engine::Pool::operator[]', 1),
        ('engine::draw(float)', 0),
    ):
        known.write_text(f'{EMPTY}\n    caller  {pattern}\n')
        said = run(f'--suppress={known}')
        expect(
            ('suppressed' not in said and 'not needed' in said)
            if not count
            else f'{count} suppressed' in said,
            (pattern, said),
        )
    # Names in messages; and what is no name stays as it is.
    line = json.loads(paths['json'].read_text().splitlines()[0]) | {
        'message': (
            'destroyed (by ./game+0x1 (_ZN6engine4drawEi+0x2)), not MY_ZN6engine4drawEi, _Z or '
            '_Zero'
        )
    }
    (directory / 'texts.jsonl').write_text(json.dumps(line) + '\n')
    text = assay(directory, 'report', 'texts.jsonl')[0]
    expect(
        'destroyed (by ./game+0x1 (engine::draw(int)+0x2)), not MY_ZN6engine4drawEi, _Z or _Zero\n'
        in text,
        text,
    )
    # A name that stands for gigabytes stays as the linker has it.
    twice = ''.join(f'St4pairIS{digit}_S{digit}_E' for digit in '02468ACEGIKMOQSUWY')
    line['caller']['symbol'] = '_Z1fSt4pairIiiE' + twice
    (directory / 'texts.jsonl').write_text(json.dumps(line | {'stack': []}) + '\n')
    text = assay(directory, 'report', 'texts.jsonl')[0]
    expect(f'({line["caller"]["symbol"]}+0x' in text, text)


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
    """What has been superseded is said of the program, once for a command; not of the layer of Mesa
    that chooses a device, which asks it things as well."""
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


def check_suppressions(directory):
    """What a file lists is not told, nor in any report; what was not needed is listed; files are
    made of what was found."""
    file = directory / 'known.supp'
    everything = program(
        'start',
        'useless',
        'empty',
        'empty',
        'hazard',
        'end',
        options_before=[
            '--sync',
            '--suppress',
            file,
            '--error-exit=3',
            '--json',
            directory / 'left.jsonl',
        ],
    )

    def run(text, status):
        file.write_text(text)
        said = assay(directory, *everything, status=status)[1]
        return said, [
            json.loads(line)['vuid'] for line in (directory / 'left.jsonl').read_text().splitlines()
        ]

    said, left = run('# all of it\n*\n', 0)
    expect(
        left == [] and 'ended with status 0: nothing was found, but 4 suppressed.\n' in said, said
    )
    said, left = run(
        (
            f'{EMPTY}\n    object "main *"\n    caller  program\n\n{USELESS}\n    object  '
            f'other device\nSYNC-*\n    caller *program+0x*\n'
        ),
        3,
    )
    expect(left == [USELESS] and '1 finding, 1 error, and 3 suppressed.\n' in said, said)
    expect(
        (f'assay: This suppression was not needed:\n    {file}:5: {USELESS}, object other device\n')
        in said,
        said,
    )
    said, left = run(
        (
            f'{EMPTY}\n  count 1\n{USELESS}\n  object VkDevice\nSYNC-*\n  object '
            f'vert?ces\nVUID-old\nVUID-older-*\n  caller f\n'
        ),
        3,
    )
    expect(
        left == [EMPTY]
        and (
            f'assay: These suppressions were not needed:\n    {file}:7: VUID-old\n    '
            f'{file}:8: VUID-older-*, caller f\n'
        )
        in said,
        said,
    )
    for text, message in (
        ('  object x\n', ':1: this line is indented, but no id'),
        ('A\n  objekt x\n', ':2: an indented line begins with "object", "caller" or "count"'),
        ('A\n  count 0\n', ':2: after "count" comes a number'),
        ('A b\n', ':1: an id has no blanks'),
        ('A\n  caller\n', ':2: "object", "caller" and "count" need a value'),
    ):
        file.write_text(text)
        said = assay(directory, *everything, status=2)[1]
        expect(f'{file}{message}' in said, said)
    assay(directory, *program('start', options_before=['--suppress=no.supp']), status=2)
    # Made from what was found, such a file suppresses just that.
    made = directory / 'made.supp'
    what = ('start', 'useless', 'empty', 'empty', 'hazard', 'end')
    assay(directory, *program(*what, options_before=['--sync', f'--make-suppressions={made}']))
    text = made.read_text()
    expect(
        re.search(
            r'\n# vkCreateBuffer\(\): pCreateInfo->size is 0\n'
            + EMPTY
            + r'\n    object  main device\n    caller  create_empty_buffer\n',
            text,
        ),
        text,
    )
    expect(text.count(EMPTY) == 1, text)
    _, said = assay(
        directory, *program(*what, options_before=['--sync', '--suppress', made, '--error-exit=3'])
    )
    expect('nothing was found, but 4 suppressed.\n' in said and 'not needed' not in said, said)
    _, said = assay(
        directory, *program('start', 'empty', 'end', options_before=['-q', '--make-suppressions'])
    )
    expect(
        f'\n# vkCreateBuffer(): pCreateInfo->size is 0\n{EMPTY}\n    object  main device\n' in said,
        said,
    )


def check_muted(directory):
    """What tags of the program silence is counted: not as findings, and also when the instance is
    never destroyed."""
    file = directory / 'left.jsonl'
    said = assay(
        directory,
        *program(
            'start',
            'mute *',
            'empty',
            'empty',
            'mute ',
            'end',
            options_before=['--error-exit=3', '--json', file],
        ),
    )[1]
    expect('ended with status 0: nothing was found, but 2 muted by tags.\n' in said, said)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    expect(
        [line['muted'] for line in lines] == [{'labels': 0, 'tags': 2}]
        and lines[0]['severity'] == 'info',
        lines,
    )
    expect(lines[0]['message'] == '2 findings were muted by tags of the program (mute_tags)', lines)
    expect(
        assay(directory, 'report', file)[0].startswith('0 findings, '),
        assay(directory, 'report', file)[0],
    )
    said = assay(directory, *program('start', 'mute VUID-VkBufferCreateInfo-*', 'empty'))[1]
    expect('1 muted by tags.\n' in said, said)
    said = assay(
        directory,
        *program('start', 'mute *', 'empty', 'mute ', 'empty', 'end'),
        environment={'VK_ASSAY_MUTE_TAGS': 'false'},
    )[1]
    expect(': 2 findings, 2 errors.\n' in said, said)


def check_reports(directory):
    """Every form at once, of the one run; files that cannot be written are told of."""
    paths = {form: directory / f'report.{form}' for form in ('json', 'html', 'sarif', 'junit')}
    flags = [f'--{form}={path}' for form, path in paths.items()]
    _, said = assay(directory, 'run', '--sync', '--symbols', *flags, '--', options.hazards)
    lines = [json.loads(line) for line in paths['json'].read_text().splitlines()]
    expect(len(lines) == 5 and '5 findings, 5 errors' in said, said)
    expect(len(json.loads(paths['sarif'].read_text())['runs'][0]['results']) == 5, 'SARIF')
    expect(
        '<testsuites' in paths['junit'].read_text()
        and paths['junit'].read_text().count('<failure') == 3,
        paths['junit'].read_text(),
    )
    expect(
        'SYNC-HAZARD' in paths['html'].read_text() or len(paths['html'].read_bytes()) > 1000, 'HTML'
    )
    assay(
        directory, *program('start', 'empty', 'end', options_before=[f'--junit={paths["junit"]}'])
    )
    expect(
        f'name="{pathlib.Path(options.program).name}"' in paths['junit'].read_text(),
        'without a file of findings it is the program that they come from',
    )
    assay(directory, *program('start', 'end', options_before=flags))
    expect(
        paths['json'].read_text() == ''
        and json.loads(paths['sarif'].read_text())['runs'][0]['results'] == [],
        'nothing was found',
    )
    # Before the program starts; what is there already stays as it is.
    paths['junit'].write_text('of yesterday')
    for form in ('json', 'html', 'sarif', 'junit', 'make-suppressions'):
        text, said = assay(
            directory,
            *program(
                'say',
                'start',
                'empty',
                'end',
                options_before=[f'--junit={paths["junit"]}', f'--{form}=/proc/no.file'],
            ),
            status=1,
        )
        expect(
            said.startswith('assay: /proc/no.file: No such file or directory') and not text, said
        )
        expect(paths['junit'].read_text() == 'of yesterday', 'a file that is there is not touched')
    text, said = assay(directory, *program('say', options_before=[f'--html={directory}']), status=1)
    expect(said == f'assay: {directory}: Is a directory\n' and not text, said)


def check_usage(directory):
    """Wrong command lines are told of before anything runs; help, man page and completions have the
    options."""
    for arguments, message in (
        (('run',), 'which program?'),
        (('run', '--sync'), 'which program?'),
        (
            ('run', '--preset=none', '--', 'true'),
            (
                'there is no preset "none"; there are standard, light, sync, gpu, safe, '
                'practices, printf, prints, threads, all'
            ),
        ),
        (
            ('run', '--snyc', '--', 'true'),
            "unrecognized option '--snyc'; the nearest is --sync; assay run --help lists all",
        ),
        (
            ('report', '--sarf=x', 'f.jsonl'),
            "unrecognized option '--sarf'; the nearest is --sarif; assay report --help lists all",
        ),
        (
            ('run', '--set', 'validate_snyc=true', '--', 'true'),
            (
                'there is no setting "validate_snyc"; the nearest is validate_sync; assay init '
                '- lists all'
            ),
        ),
        (
            ('run', '--set', 'zzzzzzzzz=true', '--', 'true'),
            'there is no setting "zzzzzzzzz"; assay init - lists all',
        ),
        (
            ('run', '--error-exit=0', '--', 'true'),
            '--error-exit takes a number from 1 to 255, not "0"',
        ),
        (('run', '--limit=x', '--', 'true'), '--limit takes a number'),
        (
            ('run', '--practices=arm,intel', '--', 'true'),
            '--practices takes arm, amd, img, nvidia or all, with commas between, not "intel"',
        ),
        (('run', '--nothing', '--', 'true'), 'unrecognized option'),
        (('run', '--limit', '3'), 'which program?'),
        (
            (
                'run',
                '--',
            ),
            'which program?',
        ),
        (('doctor', 'x', 'y'), 'doctor looks at one program, not at "y" as well'),
        (('init', 'a', 'b'), 'one file at a time'),
    ):
        expect(message in assay(directory, *arguments, status=2)[1], (arguments, message))
    # The first word that is the tool's neither by itself nor as an option's argument begins the
    # program; from there on all is the program's.
    for before in (
        [],
        ['-q'],
        ['--limit', '3'],
        ['--limit=3', '--sync'],
        ['--make-suppressions', '-q'],
        ['--practices', '-q'],
        ['--limit', '3', '--'],
    ):
        text, said = assay(
            directory,
            'run',
            *before,
            options.program,
            'say',
            'start',
            'empty',
            '--help',
            '--sync',
            '--',
            'end',
        )
        expect(text == 'the program is at work\n' and '1 finding, 1 error' in said, said)
    text, _ = assay(directory, 'run', '--help')
    expect(
        text.startswith('usage: assay run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n')
        and '--make-suppressions[=FILE]' in text
        and '  VUID-vkCmdDraw-None-*\n      object  overlay *\n' in text,
        text,
    )
    expect(max(map(len, text.splitlines())) <= 120, 'lines that fit')
    # The error and --help have the same presets.
    presets = re.search(
        r'there are (.*)', assay(directory, 'run', '--preset=none', '--', 'true', status=2)[1]
    )[1].split(', ')
    listed = re.search(r'a set of settings:(.*?)--', text, re.S)[1]
    expect(
        presets
        == [
            word
            for word in re.findall(r'\w+', re.sub(r'\(.*?\)', '', listed, flags=re.S))
            if word != 'or'
        ],
        (presets, listed),
    )
    names = set(re.findall(r'^ .*?--([a-z-]+)', text, re.M)) - {'help'}
    expect(
        {
            'sync',
            'gpu',
            'practices',
            'printf',
            'threads-only',
            'preset',
            'suppress',
            'make-suppressions',
            'json',
            'html',
            'sarif',
            'junit',
            'error-exit',
            'limit',
        }
        <= names,
        names,
    )
    for kind in ('man', 'bash', 'zsh', 'fish'):
        plain = assay(directory, 'generate', kind)[0].replace('\\-', '-')
        for name in names:
            expect(f'--{name}' in plain or f'-l {name}' in plain, f'{kind} has {name}')
    expect(
        'run' in assay(directory, '--help')[0] and 'doctor' in assay(directory, '--help')[0],
        'all commands are listed',
    )


def check_outside(directory):
    """In the root of ./dev a path that is not there may be one of the host's: told where that can
    be, and nowhere else."""
    at_home = {'ASSAY_CHECKOUT': '/home/me/assay'}
    hint = (
        'This is the Debian root of ./dev: of the host it sees only the checkout, '
        '/home/me/assay, which is /assay here.'
    )
    for arguments, status in (
        (('run', '/home/me/game/game'), 127),
        (('run', '../../../../../../game/game'), 127),
        (('run', '--json', '/home/me/x.jsonl', 'true'), 1),
        (('run', '--suppress', '/home/me/known.supp', 'true'), 2),
        (('report', '/home/me/findings.jsonl'), 1),
        (('doctor', '/home/me/game/game'), 1),
    ):
        texts = assay(directory, *arguments, status=status, environment=at_home)
        expect(hint in ''.join(texts), (arguments, texts))
        texts = assay(directory, *arguments, status=status, environment={'ASSAY_CHECKOUT': ''})
        expect('Debian root' not in ''.join(texts), (arguments, texts))
    _, said = assay(directory, 'run', '/home/me/assay/build/game', status=127, environment=at_home)
    expect('the checkout, /home/me/assay, is /assay; try /assay/build/game\n' in said, said)
    # Not of what is missing in the checkout itself, and not of what is there but cannot be run.
    (directory / 'plain').write_text('#!/nothing\n')
    (directory / 'plain').chmod(0o755)
    for path, status in (
        ('/assay/no-such-program', 127),
        ('build/no-such-program', 127),
        (directory / 'plain', 127),
    ):
        _, said = assay(directory, 'run', path, status=status, environment=at_home)
        expect('Debian root' not in said, said)


def check_validate(directory):
    """Shaders are checked without a program: against a version, a profile, and the device of this
    machine."""

    def shader(name, code, stage='comp'):
        (directory / f'{name}.{stage}').write_text('#version 460\n' + code)
        subprocess.run(
            [
                'glslangValidator',
                '--quiet',
                '--target-env',
                'vulkan1.3',
                '-V',
                '-g',
                '-o',
                f'{name}.spv',
                f'{name}.{stage}',
            ],
            cwd=directory,
            check=True,
        )

    def validate(*arguments, status=0):
        return assay(directory, 'validate', *arguments, status=status)

    shader(
        'good',
        (
            'layout(local_size_x = 64) in;\nlayout(binding = 3) buffer B { int x[]; '
            '};\nlayout(push_constant) uniform P { int first; };\nvoid main() { '
            'x[gl_LocalInvocationIndex] = first; }'
        ),
    )
    shader('large', 'layout(local_size_x = 512) in;\nvoid main() {}')
    shader(
        'double',
        (
            'layout(location = 0) out vec4 color;\nvoid main() { color = '
            'vec4(float(double(gl_FragCoord.x) * 3.0lf)); }'
        ),
        'frag',
    )
    # Everything that 1.3 can have; layouts are not known, and nothing is said of them.
    text, said = validate('--api', '1.3', 'good.spv', 'large.spv', 'double.spv')
    expect(
        text == ''
        and said
        == (
            'assay: 3 modules checked against Vulkan 1.3 with every feature and no extension: '
            'nothing was found.\n'
        ),
        text + said,
    )
    text, said = validate('--api=1.0', 'good.spv', status=1)
    expect(
        text.startswith('good.spv:\nAssay error VUID-VkShaderModuleCreateInfo-pCode-')
        and 'error' in said,
        text,
    )
    # A profile, as vulkaninfo writes them.
    profile = {
        'capabilities': {
            'device': {
                'extensions': {'VK_KHR_swapchain': 70},
                'features': {
                    'VkPhysicalDeviceFeatures': {'shaderFloat64': False, 'shaderInt64': True}
                },
                'properties': {
                    'VkPhysicalDeviceProperties': {
                        'apiVersion': 4206592,
                        'deviceName': 'a phone',
                        'limits': {
                            'maxComputeWorkGroupInvocations': 128,
                            'maxComputeWorkGroupSize': [128, 128, 64],
                        },
                    }
                },
            }
        },
        'profiles': {
            'VP_VULKANINFO_a_phone': {
                'version': 1,
                'api-version': '1.3.0',
                'capabilities': ['device'],
            }
        },
    }
    (directory / 'phone.json').write_text(json.dumps(profile))
    text, said = validate(
        '--profile', 'phone.json', 'good.spv', 'large.spv', 'double.spv', status=1
    )
    expect(
        re.match(
            (
                r'large\.spv, entry point main:\nAssay error VUID-\S+\n  '
                r'vkCreateShadersEXT\(\): [^\n]*512[^\n]*128'
            ),
            text,
        ),
        text,
    )
    expect(
        (
            'double.spv:\nAssay error VUID-VkShaderModuleCreateInfo-pCode-08740\n  '
            'vkCreateShaderModule(): pCreateInfo->pCode declares the capability Float64, which '
            'needs VkPhysicalDeviceFeatures::shaderFloat64; the device was created without'
        )
        in text,
        text,
    )
    expect(
        'good.spv' not in text
        and 'caller' not in text
        and '3 modules checked against a phone: ' in said,
        text + said,
    )
    profile['capabilities']['device']['features']['VkPhysicalDeviceFeatures']['shaderFloat64'] = (
        True
    )
    (directory / 'phone.json').write_text(json.dumps(profile))
    expect(
        validate('--profile', 'phone.json', '-q', 'good.spv', 'double.spv') == ('', ''),
        'it has them',
    )
    # JSON: what assay report reads.
    text, _ = validate('--profile=phone.json', '--json', 'large.spv', status=1)
    lines = [json.loads(line) for line in text.splitlines()]
    expect(
        lines
        and all(
            line['file'] == 'large.spv' and line['entryPoint'] == 'main' and 'caller' not in line
            for line in lines
        ),
        text,
    )
    (directory / 'found.jsonl').write_text(text)
    expect('error VUID-' in assay(directory, 'report', 'found.jsonl')[0], 'assay report reads it')
    # Nothing that could be read is not clean.
    text, said = validate('missing.spv', status=1)
    expect(
        not text
        and said
        == (
            'assay: missing.spv: No such file or directory\nassay: 1 file could not be read: '
            'nothing was checked.\n'
        ),
        text + said,
    )
    # The machine's device, and a pipe.
    text, said = validate('good.spv')
    expect('1 module checked against llvmpipe' in said, said)
    expect(
        'this machine has no device with "no such" in its name'
        in validate('--device=no such', 'good.spv', status=1)[1],
        'no such device',
    )
    done = subprocess.run(
        [options.assay, 'validate', '--api=1.3', '-'],
        cwd=directory,
        env=environment_of(directory),
        input=(directory / 'good.spv').read_bytes(),
        capture_output=True,
    )
    expect(done.returncode == 0 and b'1 module checked' in done.stderr, done.stderr)
    # Text: what spirv-dis writes gives what its module gives; where no version stands in it, it is
    # what the device takes.
    for name in ('good', 'large', 'double'):
        subprocess.run(
            ['spirv-dis', '--raw-id', '-o', f'{name}.spvasm', f'{name}.spv'],
            cwd=directory,
            check=True,
        )
    texts = [
        validate(
            '--profile',
            'phone.json',
            *(f'{name}.{kind}' for name in ('good', 'large', 'double')),
            status=1,
        )
        for kind in ('spvasm', 'spv')
    ]
    expect(
        texts[0][0].startswith('large.spvasm, entry point main:\n')
        and texts[0][0].replace('.spvasm', '.spv') == texts[1][0]
        and texts[0][1] == texts[1][1],
        texts,
    )
    written = (directory / 'good.spvasm').read_text()
    expect(
        '; Version: 1.6\n' in written
        and 'VUID-VkShaderModuleCreateInfo-pCode-'
        in validate('--api=1.0', 'good.spvasm', status=1)[0],
        'the version of the comment',
    )
    plain = ' '.join(
        (
            (
                'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 '
                '"main"\nOpExecutionMode %1 LocalSize 1 1 1'
            ),
            (
                '\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%1 = OpFunction %2 None %3\n%4 = '
                'OpLabel\nOpReturn\nOpFunctionEnd\n'
            ),
        )
    )
    for api in ('1.0', '1.1', '1.2', '1.3', '1.4'):
        done = subprocess.run(
            [options.assay, 'validate', f'--api={api}', '-'],
            cwd=directory,
            env=environment_of(directory),
            input=plain,
            capture_output=True,
            text=True,
        )
        expect(
            done.returncode == 0 and not done.stdout and '1 module checked' in done.stderr,
            (api, done),
        )
    # The line of source of what is wrong, where the module has it: once, whoever of both shows it.
    for flag, spv in (('-gVS', 'debug.spv'), ('-g', 'lines.spv')):
        subprocess.run(
            [
                'glslangValidator',
                '--quiet',
                '--target-env',
                'vulkan1.3',
                '-V',
                flag,
                '-o',
                spv,
                'good.comp',
            ],
            cwd=directory,
            check=True,
        )
        assembly = subprocess.run(
            ['spirv-dis', '--raw-id', spv],
            cwd=directory,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        wrong = re.sub(r'OpStore (%\d+) %\d+', r'OpStore \1 \1', assembly)
        expect(wrong != assembly, assembly)
        (directory / 'wrong.spvasm').write_text(wrong)
        text, _ = validate('--api=1.3', 'wrong.spvasm', status=1)
        expect(
            re.search(
                (
                    r'is not valid SPIR-V for this device at instruction \d+, word \d+ '
                    r'\(good\.comp:5:\d+\): OpStore'
                ),
                text,
            ),
            text,
        )
        expect(
            text.count('void main() { x[gl_LocalInvocationIndex] = first; }') == 1
            and not re.search(r'\n *\n    spec', text),
            text,
        )
        found = json.loads(validate('--api=1.3', '--json', 'wrong.spvasm', status=1)[0])
        expect(
            found['shader']['file'] == 'good.comp'
            and found['shader']['line'] == 5
            and found['shader']['function'] == 'main',
            found,
        )
        expect(
            found['shader']['text'] == 'void main() { x[gl_LocalInvocationIndex] = first; }'
            and found['shader']['lines'][-1] == found['shader']['text'],
            found,
        )
    expect(
        re.search(r'\n  5: void main\(\)', text),
        'and where SPIRV-Tools does not show it, the layer does',
    )
    # Debug information without a source: a release of SPIRV-Tools throws where it wants to show the
    # line. Nobody dies of it, and the next module is checked.
    subprocess.run(
        [
            'glslangValidator',
            '--quiet',
            '--target-env',
            'vulkan1.3',
            '-V',
            '-gV',
            '-o',
            'sourceless.spv',
            'good.comp',
        ],
        cwd=directory,
        check=True,
    )
    assembly = subprocess.run(
        ['spirv-dis', '--raw-id', 'sourceless.spv'],
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    (directory / 'sourceless.spvasm').write_text(
        re.sub(r'OpStore (%\d+) %\d+', r'OpStore \1 \1', assembly)
    )
    text, said = validate('--api=1.3', 'sourceless.spvasm', 'wrong.spvasm', status=1)
    expect(
        'wrong.spvasm:\nAssay error VUID-VkShaderModuleCreateInfo-pCode-08737\n' in text
        and 'assay: 2 modules checked' in said,
        text + said,
    )
    # What cannot be read is told, and the others are checked all the same.
    (directory / 'empty.spv').write_bytes(b'')
    (directory / 'text.spv').write_text('OpCapability Shader\nOpCapability and_so_on')
    (directory / 'noise.spv').write_bytes(bytes(range(64)))
    (directory / 'cut.spv').write_bytes((directory / 'good.spv').read_bytes()[:-6])
    text, said = validate(
        '--api',
        '1.3',
        'no.spv',
        'empty.spv',
        'text.spv',
        'noise.spv',
        'cut.spv',
        'good.spv',
        status=1,
    )
    expect(
        'assay: no.spv: No such file' in said
        and 'empty.spv: it is empty' in said
        and 'text.spv:2:14: Invalid capability' in said
        and 'noise.spv: it is not SPIR-V' in said
        and 'files could not be read; 2 modules checked' in said,
        said,
    )
    expect(text.startswith('cut.spv:\nAssay error VUID-VkShaderModuleCreateInfo-'), text)
    for arguments, message in (
        (('--api=2', 'good.spv'), '--api takes a version from 1.0 to 1.4, not "2"'),
        (('--profile=no.json', 'good.spv'), 'no.json: it cannot be read, or is not JSON'),
        (('--api=1.1', '--profile=phone.json', 'good.spv'), 'one device at a time'),
        (('--profile=found.jsonl', 'good.spv'), 'as `vulkaninfo --json` writes them'),
    ):
        expect(message in validate(*arguments, status=1)[1], (arguments, message))
    expect('which shaders?' in validate(status=2)[1], 'no shaders')
    expect(not list((directory / 'tmp').iterdir()), 'no temporary file is left')


def check_init(directory):
    """The file has every setting, explained; it changes nothing as it is; with everything switched
    on the layer understands it."""
    text, _ = assay(directory, 'init')
    expect(text.startswith('vk_layer_settings.txt is written'), text)
    path = directory / 'vk_layer_settings.txt'
    written = path.read_text()
    names = re.findall(r'^#assay\.(\w+) =', written, re.M)
    table = tomllib.loads((TOP / 'registry/settings.toml').read_text())
    expect(
        sorted(names)
        == sorted(setting['name'] for setting in table['setting'] if not setting.get('deprecated')),
        names,
    )
    headings = re.findall(r'^# --- (.*) ---$', written, re.M)
    groups = [group['label'] for group in table['group'] if 'under' not in group]
    expect(
        headings == [label for label in groups if label in headings] + ['Others'],
        f'the groups and their order: {headings}',
    )
    expect(
        written.index('#assay.validate_sync')
        < written.index('#assay.syncval_full_validation')
        < written.index('# --- What is reported'),
        written,
    )
    expect(
        '\n# Synchronization. Do two accesses to the same memory race?' in written
        and '\n#assay.validate_sync = false\n' in written,
        written,
    )
    expect(
        '#   VK_DBG_LAYER_ACTION_LOG_MSG: Write it to the log' in written
        and '#   a number from 1 to 4294967295\n' in written,
        written,
    )
    expect(
        all(line.startswith('#') or not line for line in written.splitlines()),
        'nothing is switched on',
    )
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect('1 finding, 1 error' in said, said)
    path.write_text(re.sub(r'^#assay\.', 'assay.', written, flags=re.M))
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect(
        '1 finding, 1 error' in said and 'vk_layer_settings.txt:' not in said,
        f'the layer understands every line\n{said}',
    )
    _, said = assay(directory, 'init', status=1)
    expect(
        said == 'assay: vk_layer_settings.txt is there already; --force writes over it\n'
        and 'assay.validate_core' in path.read_text(),
        said,
    )
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
    # What is right: a log below the directory, emptied by the next run; in each of its forms.
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


def check_doctor(directory):
    """All is well here; and what is wrong is said in words, with what to do."""

    def ask(more, status=0):
        return assay(directory, 'doctor', environment=more, status=status)[0]

    text = ask({})
    for line in (
        'ok       layer        VK_LAYER_ASSAY_validation, by ',
        'ok       library      ',
        'ok       shaders      ',
        'ok       settings     no vk_layer_settings.txt is in force',
        'ok       loader       ',
        'ok       driver       llvmpipe',
        'ok       instance     a program that is started by assay run has the layer',
    ):
        expect(f'\n{line}' in '\n' + text, (line, text))
    expect('error' not in text and 'warning' not in text, text)
    text = ask(
        {
            'VK_LOADER_LAYERS_DISABLE': '~all~',
            'VK_LAYER_PATH': '/else/where',
            'VK_LOADER_DRIVERS_DISABLE': 'nothing*',
            'VK_ASSAY_THREAD_SAFETY': 'no idea',
        }
    )
    expect(
        'warning  environment  VK_LOADER_LAYERS_DISABLE=~all~ switches the layer off: unset it'
        in text,
        text,
    )
    expect(
        'warning  environment  VK_LAYER_PATH=/else/where: the loader looks for layers only there'
        in text,
        text,
    )
    expect(
        'warning  environment  VK_LOADER_DRIVERS_DISABLE=nothing*: drivers are left out' in text
        and 'VK_ASSAY_THREAD_SAFETY=no idea: a setting' in text,
        text,
    )
    expect(
        re.search(r'^warning  settings +environment: .*VK_ASSAY_THREAD_SAFETY', text, re.M)
        and 'ok       instance' in text,
        text,
    )
    text = ask({'VK_DRIVER_FILES': '/no/driver.json'}, status=1)
    expect(
        (
            'error    environment  VK_DRIVER_FILES names /no/driver.json, which cannot be '
            'read: No such file or directory; correct or unset it'
        )
        in text,
        text,
    )
    expect('error    driver       no Vulkan driver was found; install one' in text, text)
    expect(
        'error    settings     VK_LAYER_SETTINGS_PATH=/no/where: no settings file'
        in ask({'VK_LAYER_SETTINGS_PATH': '/no/where'}, status=1),
        'no settings file',
    )
    (directory / 'vk_layer_settings.txt').write_text(
        'assay.validate_sync = true\n# comment\nassay.validate_sink = true\n'
    )
    text = ask({})
    expect(
        (
            'ok       settings     vk_layer_settings.txt is in force (it is in this '
            "directory): it sets 2 of the layer's settings"
        )
        in text,
        text,
    )
    expect(
        'warning  settings     ' in text
        and 'vk_layer_settings.txt:3' in text
        and 'validate_sink' in text,
        text,
    )
    (directory / 'vk_layer_settings.txt').unlink()

    # Lines that do not do what somebody meant. Those of other layers are not judged.
    (directory / 'vk_layer_settings.txt').write_text(
        'validate_sync = true\nasay.validate_core = true\n '
        'assay.thread_safety\nassay.gpuav_enable =\n\n'
        '# a = comment\nlunarg_api_dump.file = true\nlunarg_monitor.validate_core = '
        'x\nassay.validate_core = true\n'
    )
    text = ask({})
    expect(
        (
            'vk_layer_settings.txt:1: validate_sync has no prefix and does nothing: write '
            'assay.validate_sync\n'
        )
        in text,
        text,
    )
    expect(
        'vk_layer_settings.txt:2: no layer reads "asay.": write assay.validate_core\n' in text, text
    )
    expect(
        (
            'vk_layer_settings.txt:3: "assay.thread_safety" is not "key = value": the line '
            'does nothing\n'
        )
        in text,
        text,
    )
    expect(
        (
            'vk_layer_settings.txt:4: assay.gpuav_enable is "", which is neither true nor '
            'false; it stays false'
        )
        in text,
        text,
    )
    expect(text.count('warning') == 4 and 'it sets 3 of' in text, text)
    (directory / 'vk_layer_settings.txt').unlink()

    # Directories without layers, and names of none.
    empty = directory / 'empty'
    empty.mkdir()
    text = ask(
        {
            'VK_ADD_LAYER_PATH': f'/not/there:{empty}:{options.layer_path}',
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASAY_validation:VK_LAYER_ASSAY_validation',
            'VK_LOADER_LAYERS_ENABLE': '*validation,VK_LAYER_of_somebody_else',
        }
    )
    expect(
        (
            'warning  environment  VK_ADD_LAYER_PATH names /not/there, which is not there: No '
            'such file or directory'
        )
        in text,
        text,
    )
    expect(
        (
            f"warning  environment  VK_ADD_LAYER_PATH names {empty}, which has no layer's "
            f'manifest (*.json) in it'
        )
        in text,
        text,
    )
    expect(
        (
            'warning  search       VK_INSTANCE_LAYERS names VK_LAYER_ASAY_validation, which '
            'the loader does not find; do you mean VK_LAYER_ASSAY_validation?\n'
        )
        in text,
        text,
    )
    expect(
        (
            'warning  search       VK_LOADER_LAYERS_ENABLE names VK_LAYER_of_somebody_else, '
            'which the loader does not find: correct it'
        )
        in text,
        text,
    )
    expect(text.count('warning') == 4, text)

    # The program.
    def look_at(name, status=0):
        return re.search(
            r'^.* program .*$', assay(directory, 'doctor', name, status=status)[0], re.M
        )[0]

    expect(
        look_at(options.program)
        == f'ok       program      {options.program} is a 64-bit x86-64 program',
        look_at(options.program),
    )
    expect('/true is a 64-bit x86-64 program' in look_at('true'), look_at('true'))
    expect(
        look_at('./nothing', 1) == 'error    program      ./nothing: there is no such program',
        'no program',
    )
    (directory / 'script').write_text('#!/bin/sh\n')
    expect(
        './script cannot be run: Permission denied' in look_at('./script', 1),
        'a script without its permission',
    )
    (directory / 'script').chmod(0o755)
    expect('./script is a script' in look_at('./script'), look_at('./script'))
    old = bytearray(pathlib.Path(options.program).read_bytes())
    old[4], old[18] = 1, 3  # ELFCLASS32, EM_386
    (directory / 'old').write_bytes(old)
    (directory / 'old').chmod(0o755)
    expect(
        (
            './old is a 32-bit x86 program, and the layer is for 64-bit x86-64: the loader '
            'passes over it; build the program for 64-bit x86-64'
        )
        in look_at('./old', 1),
        look_at('./old', 1),
    )
    (directory / 'owner').write_bytes(pathlib.Path(options.program).read_bytes())
    (directory / 'owner').chmod(0o4755)
    expect(
        (
            './owner runs with raised privileges (setuid): the loader takes no layers from the '
            'environment then'
        )
        in look_at('./owner'),
        look_at('./owner'),
    )
    for mode, name in ((0o4755, 'setuid'), (0o2755, 'setgid')):
        (directory / 'owner').chmod(mode)
        _, said = assay(directory, 'run', '--', './owner')
        expect(
            said.endswith(
                f'The program runs with raised privileges ({name}), and the loader takes '
                f'no layers from the environment then: run a copy of it without '
                'these rights (cp ./owner copy).\n'
            ),
            said,
        )

    layer = (pathlib.Path(options.layer_path) / 'libVkLayer_assay.so').read_bytes()
    text = broken_layer(
        directory, lambda place: replace(place / 'libVkLayer_assay.so', layer[: len(layer) // 2])
    )
    expect(
        re.search(
            (
                r'^error    library .* is cut short: it has \d+ bytes of at least \d+; build '
                r'or install the layer again$'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(directory, lambda place: (place / 'VkLayer_assay.json').unlink())
    expect(
        text.startswith('error    layer        not found: VkLayer_assay.json is neither in '), text
    )
    text = broken_layer(directory, lambda place: (place / 'libVkLayer_assay.so').unlink())
    expect(
        re.search(
            (
                r'^error    library +\S*broken/\S*libVkLayer_assay\.so: No such file or '
                r'directory; build or install'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(
        directory,
        lambda place: replace(
            place / 'libVkLayer_assay.so', layer[:18] + b'\xb7\0' + layer[20:4096]
        ),
    )
    expect(
        re.search(
            (
                r'^error    library .* is for 64-bit AArch64, this machine\'s programs are '
                r'64-bit x86-64: the loader passes over it'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', b'nothing'))
    expect('is not a library (no ELF file)' in text, text)
    text = broken_layer(
        directory,
        lambda place: replace(
            place / 'libVkLayer_assay.so', layer.replace(b'libc.so.6\0', b'libq.so.6\0')
        ),
    )
    expect(
        re.search(
            (
                r'^error    library .* cannot be loaded: libq\.so\.6: cannot open shared '
                r'object file.*; install what is missing$'
            ),
            text,
            re.M,
        ),
        text,
    )
    expect(re.search(r'^error    instance ', text, re.M), text)
    text = broken_layer(
        directory, lambda place: replace(place / 'VkLayer_assay.json', b'{"layer": {}}')
    )
    expect('names no library ("library_path"): it is damaged' in text, text)


def without_what_differs(text):
    text = re.sub(r'(\S+)\+0x[0-9a-f]+', r'\1+OFFSET', text)
    text = re.sub(r'\b0x[0-9a-f]+\b', 'HANDLE', text)
    return re.sub(r'\S*/(\w+\.c):\d+', r'\1:LINE', text).replace('), core dumped', ')')


def crash(how, *before, more=()):
    return ['run', *before, '--', options.crash, how, *more]


def check_aftermath(directory):
    """A program that dies: what its shaders had found, what it had submitted, and what to try
    next."""
    late = 'This was read when the program had died'
    earlier = set(pathlib.Path('/dev/shm').glob('assay-run-*'))
    for how, status in (('_exit', 5), ('kill', 137)):
        _, said = assay(directory, *crash(how, '--gpu', '--json', 'found.jsonl'), status=status)
        found = [json.loads(line) for line in (directory / 'found.jsonl').read_text().splitlines()]
        expect(len(found) == 1, said)
        expect(
            found[0]['vuid'] == 'UNASSIGNED-GPU-Assisted-Validation'
            and found[0]['severity'] == 'error',
            found,
        )
        expect(
            [(each['type'], each['name']) for each in found[0]['objects']]
            == [('VkCommandBuffer', 'frame 2'), ('VkShaderModule', 'spawn particles')],
            found,
        )
        # The JSON has what that of a live finding has: where the command was recorded, and under
        # which labels.
        expect(
            found[0]['command'] == 'vkCmdDispatch'
            and re.fullmatch('/.*/crash', found[0]['caller']['module'])
            and found[0]['caller']['offset'].startswith('0x'),
            found,
        )
        expect(
            found[0]['shader']['labels'] == ['Particles', 'inner']
            and found[0]['shader']['command'] == 5
            and found[0]['shader']['commandBuffer']['name'] == 'frame 2'
            and 'executions' not in found[0]['shader'],
            found,
        )
        expect('\n    labels  Particles > inner\n    caller  ' in said, said)
        expect(
            found[0]['message'].startswith(
                'vkCmdDispatch(): Access of element 1000 of an array of 15 elements of 4 '
                'bytes at the '
                'end of a storage buffer (binding 0, descriptor index 0).\n' + late
            ),
            found,
        )
        expect(
            '\n    shader  crash.comp:9 compute invocation (0, 0, 0)\n'
            '            9: particles.places[which.index] = 7;\n'
            '    command Command buffer (frame 2)(' in said,
            said,
        )
        expect('), command 5: vkCmdDispatch.\n    objects ' in said, said)
        expect(
            'assay: 1 finding of shaders had not been read when the program died.\n' in said, said
        )
        expect(
            re.search(
                r'assay: What process \d+ had submitted to VkDevice "main device" when it ended:\n'
                r'    VkQueue "graphics" of family 0: 2 submissions, 1 not known to be done\n'
                r'        2       not known to be done, submitted \d+ ms before the end, '
                r'under Frame 2\n'
                r'                VkCommandBuffer "frame 2": Particles\n'
                r'        1       known to be done, submitted \d+ ms before the end, under '
                r'Frame 1\n'
                r'                VkCommandBuffer "frame 1": Particles\n',
                said,
            ),
            said,
        )
        expect((how == 'kill') == ('assay: Run again with --gpu --safe: ' in said), said)
    # In a secondary: which command of which primary executed it.
    _, said = assay(
        directory, *crash('kill', '--gpu', '--json', 'found.jsonl', more=['secondary']), status=137
    )
    found = [json.loads(line) for line in (directory / 'found.jsonl').read_text().splitlines()]
    expect(len(found) == 1 and found[0]['shader']['executions'] == 1, found)
    by = found[0]['shader']['executedBy']
    expect(
        [(each['command'], each['commandBuffer']['name'], each['labels']) for each in by]
        == [(1, 'frame 2', ['outer'])],
        found,
    )
    expect(
        by[0]['caller']['module'] == found[0]['caller']['module']
        and by[0]['caller'] != found[0]['caller'],
        found,
    )
    expect(
        'Command buffer (spawning)' in said
        and 'Executed by command 1 of command buffer (frame 2)' in said,
        said,
    )
    expect(
        re.search(
            r'\n    primary vkCmdExecuteCommands, command 1 of VkCommandBuffer 0x\w+ "frame 2"\n'
            r' {12}under the label outer\n {12}called by ',
            said,
        ),
        said,
    )
    # Its stack is kept without record_stacks, too.
    _, said = assay(directory, *crash('kill', '--gpu', '--json', 'found.jsonl'), status=137)
    found = [json.loads(line) for line in (directory / 'found.jsonl').read_text().splitlines()]
    expect(
        len(found) == 1
        and found[0]['caller'] == found[0]['stack'][0]
        and len(found[0]['stack']) > 2,
        found,
    )
    # Where the process has a moment left, the finding is whole: the command, its labels and caller.
    for how, status in (('crash', 139), ('abort', 134), ('exit', 6)):
        _, said = assay(directory, *crash(how, '--gpu'), status=status)
        expect(
            said.count('Assay error VUID-vkCmdDispatch-storageBuffers-06936\n') == 1
            and late not in said,
            said,
        )
        expect(
            'VkQueue "graphics" of family 0: 2 submissions, 1 not known to be done\n' in said, said
        )
    assay(directory, *crash('exit', '--gpu', '--json', 'found.jsonl'), status=6)
    found = [json.loads(line) for line in (directory / 'found.jsonl').read_text().splitlines()]
    expect(
        len(found) == 1 and len(found[0]['stack']) > 2 and 'created' not in str(found[0]['stack']),
        found,
    )
    # A crash that is not the GPU's either way: nothing was checked there, and what was is said.
    _, said = assay(directory, *crash('crash'), status=139)
    expect(
        'nothing was found' in said
        and 'assay: Run again with --gpu --safe, in case the GPU was what failed: ' in said,
        said,
    )
    _, said = assay(directory, *crash('crash', '--safe'), status=139)
    expect('VUID-vkCmdDispatch-storageBuffers-06936' in said and 'Run again' not in said, said)
    # A program that ends well says nothing of this, and neither does one that had submitted
    # nothing.
    _, said = assay(directory, *crash('well', '--gpu'))
    expect('had submitted' not in said and late not in said, said)
    _, said = assay(directory, *program('start', 'crash'), status=139)
    expect('had submitted' not in said and 'Run again' not in said, said)
    # Others may be at work here: theirs go when they end. What was here before may be of one that
    # was killed.
    first = set(pathlib.Path('/dev/shm').glob('assay-run-*')) - earlier
    left = {path for path in first if not pathlib.Path(f'/proc/{path.name.split(".")[1]}').exists()}
    late = time.monotonic() + HANGS
    while time.monotonic() < late and any(path.exists() for path in left):
        time.sleep(0.1)
    expect(not [path for path in left if path.exists()], f'no record is left: {left}')


def lost(directory, mode, markers):
    """What is told of a device of the null driver, which is lost when so many markers are
    written."""
    (directory / 'lost.json').write_text(json.dumps({'loseDeviceAfter': 1, 'markers': markers}))
    text, said = assay(
        directory,
        'run',
        '--json',
        'found.jsonl',
        '--',
        options.hang,
        mode,
        '5',
        status=3,
        environment={
            'VK_DRIVER_FILES': options.null_driver,
            'ASSAY_NULL_DRIVER': str(directory / 'lost.json'),
            'VK_ASSAY_BREADCRUMBS': 'true',
        },
    )
    expect(
        f'hang: {mode}: the device was lost after ' in text and 'ASSAY-DeviceLost' in said,
        (text, said),
    )
    found = [json.loads(line) for line in (directory / 'found.jsonl').read_text().splitlines()]
    return [finding for finding in found if 'deviceLost' in finding], said


def check_hang(directory):
    """A command that does not come to its end, in a secondary: which one, where the device is lost
    by that (tests/hang_on_device.sh)."""
    for mode, markers, number, command in (
        ('loop', 14, 5, 'vkCmdDispatch'),
        ('fault', 14, 5, 'vkCmdDispatch'),
        ('draw', 16, 6, 'vkCmdDraw'),
    ):
        found, said = lost(directory, mode, markers)
        primary = found[0]['deviceLost']['queues'][0]['submissions'][0]['commandBuffers'][0]
        expect(
            len(found) == 1
            and primary['firstNotDone']['command'] == 'vkCmdExecuteCommands'
            and primary['firstNotDone']['number'] == 2
            and primary['firstNotDone']['labels'] == 'outer',
            found,
        )
        inner = primary['executed'][0]
        expect(
            len(primary['executed']) == 1
            and inner['by'] == 2
            and inner['element'] == 0
            and 'executions' not in inner,
            found,
        )
        expect(
            inner['firstNotDone']['command'] == command
            and inner['firstNotDone']['number'] == number
            and inner['firstNotDone']['labels'] == 'inner',
            found,
        )
        # The terminal has what the layer's log has.
        expect(
            re.search(
                r'\n    pending VkQueue 0x\w+ of family 0\n {16}submission 1\n '
                r'{20}VkCommandBuffer 0x\w+: 1 of 3 marked commands is known to be done, 2 '
                r'had begun\n'
                r' {24}last known to be done: command 1, vkCmdFillBuffer, in outer, by .*\n'
                r' {24}first not known to be done: command 2, vkCmdExecuteCommands, in '
                r'outer, by .*\n'
                r' {24}command 2 executes VkCommandBuffer 0x\w+ \(its '
                r'pCommandBuffers\[0\]\): \d of \d marked commands (is|are) known to be '
                r'done, \d had begun\n'
                r' {28}last known to be done: .*\n'
                rf' {{28}}first not known to be done: command {number}, {command}, '
                rf'VkPipeline 0x\w+, in inner, by ',
                said,
            ),
            said,
        )
        expect(
            re.search(
                (
                    r', which was lost:\n    VkQueue 0x\w+ of family 0: 1 submission, 1 not '
                    r'known to be done\n'
                ),
                said,
            ),
            said,
        )
    # A driver that does not lose its device: the program ends the loop.
    for mode in ('loop', 'draw'):
        text, said = assay(
            directory,
            'run',
            '--',
            options.hang,
            mode,
            '0.5',
            environment={'VK_ASSAY_BREADCRUMBS': 'true'},
        )
        expect(
            re.search(
                (
                    rf'^hang: {mode}: not done after \d+\.\d s \(2\)\nhang: {mode}: all was '
                    rf'done after '
                ),
                text,
                re.M,
            )
            and 'nothing was found' in said,
            (text, said),
        )


def replay(directory, path, session, more=None):
    """The terminal session that a file has is what happens. `session`: where in its text it
    stands."""
    text = path.read_text()
    (directory / 'renderer').symlink_to(options.program)
    for name in ('assay',):
        (directory / 'bin').mkdir()
        (directory / 'bin' / name).write_text(f'#!/bin/sh\nexec {options.assay} "$@"\n')
        (directory / 'bin' / name).chmod(0o755)
    environment = environment_of(directory, more) | {
        'PATH': f'{directory}/bin:{os.environ["PATH"]}'
    }
    now = ''
    for command in re.findall(r'^\$ (.*)\n', session[1], re.M):
        done = subprocess.run(
            ['bash', '-c', command],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANGS,
        )
        now += f'$ {command}\n{done.stdout.decode()}'
    if options.update:
        path.write_text(text[: session.start(1)] + now + text[session.end(1) :])
        return
    if without_what_differs(now) != without_what_differs(session[1]):
        print(
            ''.join(
                difflib.unified_diff(
                    without_what_differs(session[1]).splitlines(True),
                    without_what_differs(now).splitlines(True),
                    str(path),
                    'this run',
                )
            )
        )
        raise SystemExit(
            f"not what {path} has; tests/run/run.py --update with this test's name records it again"
        )


def check_session(directory):
    """The terminal session of docs/run.md is what happens."""
    session = re.search(
        r'<!-- recorded: tests/run/run\.py -->\n```console\n(.*?)```\n', RUN_MD.read_text(), re.S
    )
    expect(session, 'docs/run.md has a recorded session')
    replay(directory, RUN_MD, session)


def check_muted_session(directory):
    """What a user sees of a session in which labels, tags and a suppression silence something:
    whole, in a golden file."""
    path = TOP / 'tests/golden/muted_session.txt'
    (directory / 'known.supp').write_text(
        f'# Nobody knows what it is for.\n{USELESS}\n    caller  create_useless_*\n'
    )
    replay(
        directory,
        path,
        re.search(r'(?s)(.*)', path.read_text()),
        {'VK_ADD_LAYER_PATH': options.layer_path},
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in (
        'assay',
        'driver',
        'null-driver',
        'program',
        'moved-program',
        'crash',
        'hang',
        'hazards',
        'layer-path',
    ):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--update', action='store_true', help='write the session into docs/run.md')
    parser.add_argument('names', nargs='+')
    parser.parse_args(namespace=options)
    for name in (
        'assay',
        'program',
        'moved_program',
        'crash',
        'hang',
        'hazards',
        'layer_path',
        'null_driver',
    ):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            name = f'check_{name}'
            check = globals().get(name) or getattr(command_line, name, None)
            check = check or getattr(wrappers, name)
            check(pathlib.Path(directory).resolve())


if __name__ == '__main__':
    sys.exit(main())
