"""The page: as HTML, in a browser. report.py runs its check."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from advice import SMALL, some_advice
from hard_cases import hard_cases
from harness import HANGS, RACE, SKIP, assay, expect, finding, frame, hazards, options, write


def make_page(directory):
    """A report of all kinds of findings: hazards, others, text that looks like HTML, against an
    older run."""
    path, queues, more, old = (
        hazards(directory),
        hazards(directory, 2),
        directory / 'five_mistakes.jsonl',
        directory / 'last-week.jsonl',
    )
    view = 'VUID-VkWriteDescriptorSet-descriptorType-02994'
    write(
        more,
        [
            finding(
                view,
                message=(
                    'vkUpdateDescriptorSets(): pDescriptorWrites[1].pTexelBufferView[0] is a '
                    'VkBufferView that was already destroyed'
                ),
                command='vkUpdateDescriptorSets',
                objects=[
                    ('VkDevice', '0x55d0c81f2a30', None),
                    ('VkBufferView', '0xa00000104', 'view of last frame'),
                ],
                symbol='write_sets',
                offset=0x2B4B,
            )
        ]
        * 40
        + [
            finding(
                objects=[('VkDevice', '0x55d0c81f2a30', 'main device')],
                queueLabels=['frame 12'],
                commandBufferLabels=['frame 12', 'shadow pass'],
            )
        ]
        * 7
        + [
            finding(
                'VUID-script',
                'warning',
                message='<script>window.broken = 1</script><img src=x onerror="window.broken=1">',
                offset=0x77,
            )
        ]
        + [
            finding(
                RACE,
                message='vkResetCommandPool(): commandPool is in use by two threads',
                symbol='reset_pool',
                offset=0x60,
                thread=4711,
                threadName='loader',
                stack=[frame('reset_pool', 0x60), frame('run_loader', 0x70)],
                race={
                    'thread': 4712,
                    'threadName': 'renderer',
                    'caller': frame('allocate_commands', 0x20),
                    'stack': [
                        frame('_ZN6engine8allocateEi', 0x10),
                        frame('allocate_commands', 0x20),
                        frame('main', 0x30),
                    ],
                },
            )
        ]
        + [
            finding(
                'BestPractices-SyncBarrier-AllCommands',
                'performance',
                message='waits for ALL_COMMANDS where COPY would do',
                offset=0x88,
            )
        ],
    )
    write(
        old,
        [finding(objects=[('VkDevice', '0x1', 'main device')]), finding('VUID-gone', offset=0x99)],
    )
    page = directory / 'report.html'
    assay(
        'report',
        '--html',
        path,
        queues,
        more,
        hard_cases(directory),
        hazards(directory, 2, 'pictures'),
        hazards(directory, does='race'),
        '--symbols',
        '--since',
        old,
        '-o',
        page,
    )
    return page


def make_advice_page(directory):
    page = directory / 'advice.html'
    assay('report', '--html', some_advice(directory / 'advice.jsonl'), '-o', page)
    return page


def make_large_page(directory, count):
    lines, page = directory / f'large-{count}.jsonl', directory / f'large-{count}.html'
    names = ['vertices', 'shadow map', 'particles', 'lights']
    with open(lines, 'w') as file:
        for i in range(count):
            one = finding(
                f'VUID-many-{i % 300}',
                offset=i * 16,
                objects=[('VkBuffer', hex(i), names[i % 4])],
                symbol=f'function_{i % 1000}',
                message=(
                    f'vkCmdCopyBuffer(): buffer {i} of the {names[i % 4]} upload is not what '
                    f'it should be'
                ),
            )
            file.write(json.dumps(one, separators=(',', ':')) + '\n')
    assay('report', '--html', lines, '-o', page)
    text = page.read_bytes()
    expect(
        b'http://' not in re.sub(rb'xmlns="[^"]*"|http://www.w3.org/2000/svg', b'', text)
        and b' src=' not in text,
        'it needs nothing from elsewhere',
    )
    return page


def make_long_page(directory):
    """More findings than paper has in full, with ids, sentences and places as long as they come."""
    ids = [
        'VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07730',
        'VUID-VkPhysicalDeviceRayTracingPipelineFeaturesKHR-rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03575',
        SMALL,
    ]
    findings = [
        finding(
            ids[i % 3],
            'warning' if i % 2 else 'error',
            offset=16 * i,
            symbol='engine::renderer::FrameGraph::execute_pass_with_transient_resources',
            module='/home/somebody/work/engine/build/source/renderer/librenderer_frame_graph.so.1',
            objects=[('VkAccelerationStructureKHR', hex(0x55D0C81F2A30 + i), 'a name ' * 20)],
            message='vkCmdPipelineBarrier2(): pDependencyInfo->pImageMemoryBarriers[3].oldLayout '
            'is VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, but '
            f'VkImage 0x{i:x} "shadow map of the second cascade" is in '
            f'VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, as the render pass of the '
            f'same command buffer has left it',
        )
        for i in range(300)
    ]
    assay(
        'report', '--html', write(directory / 'long.jsonl', findings), '-o', directory / 'long.html'
    )
    return directory / 'long.html'


def check_html(directory):
    """The page loads without an error, filters, and shows its pictures, also with 100,000 findings,
    in headless Chromium."""
    if (
        not pathlib.Path(options.node, 'node_modules/playwright-core').exists()
        or not shutil.which('node')
        or not shutil.which('chromium')
    ):
        print('no node, chromium or playwright-core here (./dev gets them): not run')
        sys.exit(SKIP)
    command = [
        'node',
        pathlib.Path(__file__).with_name('page.mjs'),
        '--node',
        options.node,
        '--page',
        make_page(directory),
        '--advice',
        make_advice_page(directory),
        '--pictures',
        pathlib.Path(__file__).with_name('pictures.json'),
        '--long',
        make_long_page(directory),
        '--usual',
        make_large_page(directory, 10000),
        '--large',
        make_large_page(directory, 100000),
    ] + (['--write', 'yes'] if options.write else [])
    if options.budget:
        command += ['--budget', 'yes']
    if options.screenshots:
        command += ['--screenshots', options.screenshots]
    if options.every:
        command += ['--every', options.every]
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        timeout=6 * HANGS,
        env=os.environ | {'HOME': str(directory)},
    )
    print(done.stdout.decode(), done.stderr.decode())
    expect(done.returncode == 0, 'the page works')
