"""Processes that died and devices that are lost. run.py runs its checks."""

import json
import pathlib
import re
import time

from harness import HANGS, assay, expect, options, program


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
    """Returns the report on a device of the null driver, which is lost when so many markers are
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
