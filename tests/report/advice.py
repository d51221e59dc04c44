"""How advice is reported. report.py runs its check."""

import json

from harness import assay, expect, finding, write


def advice(vuid, saves, instead, **more):
    return finding(
        vuid,
        'performance',
        spec='',
        url='',
        fix=instead,
        practice={
            'saves': saves,
            'vendors': [],
            'cost': f'It costs more {saves} than it needs to.',
        },
        **more,
    )


SMALL, CLEAR, FENCES = (
    'BestPractices-vkBindBufferMemory-small-dedicated-allocation',
    'BestPractices-RenderPass-redundant-clear',
    'BestPractices-SyncObjects-HighNumberOfFences',
)


def some_advice(path):
    """Three kinds of advice, out of order, and an error."""
    return write(
        path,
        [
            advice(
                FENCES,
                'cpu',
                'reset the fences, and use them again',
                message='vkCreateFence(): 900 fences live',
                offset=0x10,
            )
        ]
        + [
            advice(
                SMALL,
                'memory',
                'bind several buffers to one allocation',
                message=f'vkBindBufferMemory(): memory has {i} bytes',
                offset=0x20 + i,
            )
            for i in range(7)
        ]
        + [
            advice(
                CLEAR,
                'bandwidth',
                'clear with the load operation',
                message='vkCmdClearAttachments(): clears all'
                ' of the attachment "shadows of the second cascade", which the load '
                'operation of its render pass could clear at no cost, with the same value',
                offset=0x40,
            )
        ]
        + [finding()],
    )


def check_advice(directory):
    """Advice comes after mistakes, in groups by what it saves, with what it costs; for SARIF it is
    a note."""
    path, output = some_advice(directory / 'advice.jsonl'), directory / 'advice.sarif'
    text, _ = assay('report', path)
    places = [
        text.index(part)
        for part in (
            'error VUID-VkBufferCreateInfo-size-00912',
            '--- advice that saves memory ---',
            SMALL,
            '--- advice that saves bandwidth ---',
            CLEAR,
            '--- advice that saves time of the CPU ---',
            FENCES,
        )
    ]
    expect(places == sorted(places), text)
    expect(
        '    cost      It costs more bandwidth than it needs to.\n' in text
        and 'clear with the load operation' in text,
        text,
    )
    assay('report', '--sarif', path, '-o', output)
    run = json.loads(output.read_text())['runs'][0]
    expect(
        {(r['ruleId'], r['level']) for r in run['results']}
        == {
            (SMALL, 'note'),
            (CLEAR, 'note'),
            (FENCES, 'note'),
            ('VUID-VkBufferCreateInfo-size-00912', 'error'),
        },
        run['results'],
    )
    expect(
        [r['defaultConfiguration']['level'] for r in run['tool']['driver']['rules']]
        == ['error', 'note', 'note', 'note'],
        run['tool'],
    )
    rules = {rule['id']: rule for rule in run['tool']['driver']['rules']}
    expect(
        rules[CLEAR]['fullDescription']['text'] == 'It costs more bandwidth than it needs to.'
        and 'Mend: clear with the load operation' in rules[CLEAR]['help']['text'],
        rules[CLEAR],
    )
    expect(
        all(
            '\nMend: ' in result['message']['text']
            for result in run['results']
            if result['level'] == 'note'
        ),
        run['results'],
    )
