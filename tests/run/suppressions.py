"""Suppressions, and findings that are muted. run.py runs its checks."""

import json
import re

from harness import EMPTY, USELESS, assay, expect, program


def check_suppressions(directory):
    """Findings that a file lists are not shown, nor in any report; lines that were not needed are
    listed; files are made of what was found."""
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
    """Findings that tags of the program silence are counted: not as findings, and also when the
    instance is never destroyed."""
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
