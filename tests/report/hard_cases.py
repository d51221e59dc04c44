"""Hazards that are hard to show: for pages.py."""

import pathlib

from harness import finding, write

QUEUES = ['graphics', 'transfer', 'async compute', 'presentation']


def hazard(name, this, earlier, between=None, semaphores=(), mend='barrier', stack=(), **more):
    """A hazard as the layer words it."""

    def side(command, stages, accesses, write, index=0, queue=None, submission=0, commands='frame'):
        of = {'type': 'VkImage', 'handle': '0x77', 'name': name}
        return {
            'command': command,
            'index': index,
            'commandBuffer': {'type': 'VkCommandBuffer', 'handle': '0x5500', 'name': commands},
            'usage': 'USAGE',
            'write': write,
            'stages': [f'VK_PIPELINE_STAGE_2_{s}_BIT' for s in stages],
            'accesses': [f'VK_ACCESS_2_{a}_BIT' for a in accesses],
            'resource': of,
            'labels': ['frame 12', 'light pass'],
            'range': {
                'aspects': ['VK_IMAGE_ASPECT_COLOR_BIT'],
                'baseMipLevel': 0,
                'levelCount': 1,
                'baseArrayLayer': 0,
                'layerCount': 6,
            },
            'caller': {'module': './game', 'offset': hex(0x1000 + index)},
            **(
                {
                    'queue': {
                        'type': 'VkQueue',
                        'handle': hex(QUEUES.index(queue) + 0x99),
                        'name': queue,
                    },
                    'submission': submission,
                }
                if queue
                else {}
            ),
        }

    sync = {
        'hazard': 'READ_AFTER_WRITE',
        'this': side(*this[:3], False, **this[3]),
        'earlier': side(*earlier[:3], True, **earlier[3]),
        'between': between or {'text': 'nothing'},
        **({'semaphores': semaphores} if semaphores else {}),
        'mend': {
            'kind': mend,
            'text': 'a memory dependency before it\nconst VkMemoryBarrier2 barrier = {\n};',
        },
    }
    return finding(
        'SYNC-HAZARD-READ-AFTER-WRITE',
        message=(
            f'{this[0]}(): reads VkImage 0x77 "{name}" in '
            f'VK_PIPELINE_STAGE_2_{this[1][0]}_BIT, but nothing makes the write by '
            f'{earlier[0]} visible to it'
        ),
        objects=[('VkCommandBuffer', '0x5500', 'frame'), ('VkImage', '0x77', name)],
        offset=0x1000,
        sync=sync,
        stack=list(stack),
        **more,
    )


def barrier(number, src, dst, fault, resource=None, **more):
    flags = {'src': src, 'dst': dst}
    out = {
        'command': 'vkCmdPipelineBarrier2',
        'index': number,
        'fault': fault,
        'caller': {
            'module': './game',
            'offset': hex(0x2000 + number),
            'symbol': f'transition_{number}',
            'symbolOffset': '0x4',
        },
    }
    for half, (stages, accesses) in flags.items():
        out |= {
            f'{half}Stages': [f'VK_PIPELINE_STAGE_2_{s}_BIT' for s in stages],
            f'{half}StageCount': max(len(stages), 16 if not stages else 0),
            f'{half}Accesses': [f'VK_ACCESS_2_{a}_BIT' for a in accesses],
        }
    return (
        out
        | (
            {'resource': {'type': 'VkImage', 'handle': hex(number), 'name': resource}}
            if resource
            else {'allMemory': True}
        )
        | more
    )


def semaphore(wait, name, value, queue, submission=None, stages=(), ended_by=None):
    of = (
        {'host': True}
        if queue == 'host'
        else {
            'queue': {'type': 'VkQueue', 'handle': hex(QUEUES.index(queue) + 0x99), 'name': queue},
            'submission': submission,
        }
    )
    return {
        'wait': wait,
        'semaphore': {'type': 'VkSemaphore', 'handle': hex(0x5000 + len(name)), 'name': name},
        **({'value': value} if value else {}),
        **({'signaledValue': ended_by} if ended_by else {}),
        **of,
        'stages': [f'VK_PIPELINE_STAGE_2_{s}_BIT' for s in stages],
    }


def hard_cases(directory):
    """Makes findings that are hard to draw: many barriers, long names, many semaphores of one name;
    and findings of shaders, and deep stacks."""
    transfer, attachment = (
        (['COPY'], ['TRANSFER_WRITE']),
        (
            ['COLOR_ATTACHMENT_OUTPUT', 'LATE_FRAGMENT_TESTS'],
            ['COLOR_ATTACHMENT_WRITE', 'DEPTH_STENCIL_ATTACHMENT_WRITE'],
        ),
    )
    sampled, compute = (
        (['FRAGMENT_SHADER'], ['SHADER_SAMPLED_READ']),
        (['COMPUTE_SHADER'], ['SHADER_STORAGE_READ', 'SHADER_STORAGE_WRITE']),
    )
    six = [
        barrier(
            11, attachment, compute, 'not in second scope', 'light accumulation, half resolution'
        ),
        barrier(13, compute, sampled, 'not in first scope', 'light accumulation, half resolution'),
        barrier(17, transfer, sampled, 'elsewhere', 'probes'),
        barrier(19, ([], []), compute, 'not in second scope'),
        barrier(
            23,
            attachment,
            (['FRAGMENT_SHADER'], ['INPUT_ATTACHMENT_READ']),
            'not made visible',
            'light accumulation, half resolution',
        ),
        barrier(29, transfer, transfer, 'elsewhere', 'staging ring of the streaming system'),
    ]
    eight = (
        six[:3]
        + [
            barrier(18, attachment, compute, 'elsewhere', 'another', barrierCount=12)
            | {'resource': {'type': 'VkImage', 'handle': '0x77', 'name': 'eight barriers'}}
        ]
        + six[3:]
        + [
            barrier(
                30,
                attachment,
                attachment,
                'not made visible',
                'light accumulation, half resolution',
                barrierCount=2,
            )
        ]
    )
    six[0]['stack'] = [
        six[0]['caller'],
        {'module': './game', 'offset': '0x3000', 'symbol': 'render_frame', 'symbolOffset': '0x8'},
    ]
    drawn = ('vkCmdDrawIndexedIndirectCount', *sampled, {'index': 31})
    between = lambda barriers: {
        'fault': 'not made visible',
        'barrierCommands': len(barriers) + 2,
        'barriers': barriers,
        'text': (
            'vkCmdPipelineBarrier2 (command 23), which makes nothing visible to '
            'VK_ACCESS_2_SHADER_SAMPLED_READ_BIT'
        ),
    }
    cleared = ('vkCmdBeginRendering', *attachment, {'index': 3})
    chain = [
        semaphore(False, 'frame', 1, 'transfer', 1),
        semaphore(False, 'frame', 2, 'transfer', 2),
        semaphore(False, 'frame', 3, 'transfer', 3),
        semaphore(True, 'frame', 1, 'graphics', 1, ['VERTEX_INPUT']),
        semaphore(True, 'frame', 3, 'async compute', 1, ['COMPUTE_SHADER']),
        semaphore(False, 'image', 0, 'presentation', 1),
        semaphore(True, 'image', 0, 'graphics', 1, ['COLOR_ATTACHMENT_OUTPUT']),
        semaphore(True, 'streamed', 7, 'graphics', 1, ['ALL_COMMANDS']),
    ]
    hosts = [
        semaphore(False, 'frame', 4, 'host'),
        semaphore(False, 'frame', 9, 'transfer', 2),
        semaphore(False, 'frame', 12, 'host'),
        semaphore(False, 'streamed', 1, 'host'),
        semaphore(True, 'frame', 3, 'graphics', 1, ['VERTEX_INPUT'], ended_by=4),
        semaphore(True, 'frame', 9, 'async compute', 1, ['COMPUTE_SHADER']),
        semaphore(True, 'frame', 10, 'graphics', 2, ['COLOR_ATTACHMENT_OUTPUT'], ended_by=12),
        semaphore(True, 'frame', 1, 'graphics', 1, ['ALL_COMMANDS']),
    ]
    uploaded = (
        'vkCmdCopyBuffer2',
        *transfer,
        {'index': 1, 'queue': 'transfer', 'submission': 2, 'commands': 'upload'},
    )
    frames = [
        {
            'module': './libengine_rhi.so',
            'offset': hex(0x100 + i),
            'symbol': name,
            'symbolOffset': '0x10',
        }
        for i, name in enumerate(['rhi_draw', 'submit_batch'])
    ]
    frames += [
        {
            'module': './game',
            'offset': hex(0x1000 + i),
            'symbol': f'outer_{i}',
            'symbolOffset': '0x1f',
        }
        for i in range(9)
    ]
    gpu = finding(
        'VUID-vkCmdDispatch-None-10068',
        message='vkCmdDispatch(): Index of 6 used to index descriptor array of length 6. Command '
        'buffer (particles)(0x5500), command 2: vkCmdDispatch. '
        'Shader Module (particles.comp)(0x88). Shader Instruction Index = 57. Stage = '
        'Compute. Global invocation ID (x,y,z) = (31, 0, 0). '
        'Shader validation error occurred in file: shaders/particles.comp at line 9.\n9:   '
        '  result.value = textureLod(things[push.index], vec2(0.5), 0.0);',
        command='vkCmdDispatch',
        objects=[('VkPipeline', '0x66', 'particles'), ('VkShaderModule', '0x88', 'particles.comp')],
        offset=0x1000,
        stack=frames,
        shader={
            'command': 2,
            'module': '0x88',
            'name': 'particles.comp',
            'stage': 'Compute',
            'instruction': 57,
            'function': 'main',
            'file': 'shaders/particles.comp',
            'line': 9,
            'column': 5,
            'text': '    result.value = textureLod(things[push.index], vec2(0.5), 0.0);',
            'firstLine': 5,
            'lines': [
                'layout(push_constant) uniform Push { uint index; } push;',
                '',
                'void main() {',
                '    // The table ends before the last particle.',
                '    result.value = textureLod(things[push.index], vec2(0.5), 0.0);',
                '}',
            ],
            'calls': [{'line': 40, 'file': 'shaders/common.glsl', 'function': 'emit_all'}],
            'invocation': {'x': 31, 'y': 0, 'z': 0},
            'repeated': 63,
            'commandBuffer': {'type': 'VkCommandBuffer', 'handle': '0x5500', 'name': 'particles'},
            'pipeline': {'type': 'VkPipeline', 'handle': '0x66', 'name': 'particles'},
        },
    )
    gpu['caller'] = frames[2]
    gpu['details'] = {
        'shader': 'shaders/particles.comp:9 compute invocation (31, 0, 0)',
        'reads': 'set 0, binding 2 "things", element 6',
        'descriptor': 'nothing, in VkDescriptorSet 0x77 "material"',
        'command': 'vkCmdDispatch, command 2 of VkCommandBuffer 0x5500 "particles"',
    }
    values = {'type': 'VkBuffer', 'handle': '0x1000000103', 'name': 'values'}
    dump = {
        'sets': [
            {
                'set': 0,
                'object': {'type': 'VkDescriptorSet', 'handle': '0x90000010e'},
                'descriptors': [
                    {
                        'binding': 0,
                        'element': 0,
                        'name': 'Values',
                        'descriptorType': 'VK_DESCRIPTOR_TYPE_STORAGE_BUFFER',
                        'object': values,
                        'offset': 512,
                        'range': 256,
                    },
                    {
                        'binding': 1,
                        'element': 2,
                        'name': 'Gone',
                        'descriptorType': 'VK_DESCRIPTOR_TYPE_STORAGE_BUFFER',
                        'object': {'type': 'VkBuffer'},
                        'offset': 0,
                        'wrong': ['no such object: the buffer was destroyed'],
                    },
                    {
                        'binding': 2,
                        'element': 0,
                        'name': '',
                        'descriptorType': 'VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER',
                        'object': {'type': 'VkImageView', 'handle': '0x20'},
                        'layout': 'VK_IMAGE_LAYOUT_GENERAL',
                        'viewType': 'VK_IMAGE_VIEW_TYPE_2D',
                        'format': 'VK_FORMAT_R8_UNORM',
                        'baseMipLevel': 1,
                        'levelCount': 3,
                        'baseArrayLayer': 4,
                        'layerCount': 1,
                        'of': {'type': 'VkImage', 'handle': '0x21', 'name': 'sky'},
                        'sampler': {'type': 'VkSampler', 'handle': '0x22'},
                        'wrong': [
                            'wrong usage: the view lacks VK_IMAGE_USAGE_SAMPLED_BIT',
                            'no memory: the image is bound to none that lives',
                        ],
                    },
                ],
            },
            {'set': 1, 'buffer': 0, 'offset': 64, 'address': '0x7f0000000040', 'object': values},
            {'set': 2, 'wrong': ['nothing is bound']},
        ]
    }
    sound = {
        'sets': [
            {
                'set': 0,
                'descriptors': [
                    {
                        'binding': 0,
                        'element': 0,
                        'name': 'Block',
                        'descriptorType': 'VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK',
                    }
                ],
            }
        ]
    }
    lying = {
        'set': 0,
        'buffer': 0,
        'offset': 64,
        'address': '0x7f0000000040',
        'object': values,
        'at': 64,
        'left': 960,
        'descriptors': [
            {
                'binding': 0,
                'element': 0,
                'name': 'Lies',
                'descriptorType': 'VK_DESCRIPTOR_TYPE_STORAGE_BUFFER',
                'liesAt': '0x7f0000000040',
                'address': '0x7f0000010000',
                'object': values,
                'at': 16,
                'left': 48,
                'range': 32,
            },
            {
                'binding': 1,
                'element': 0,
                'name': 'Unknown',
                'descriptorType': 'VK_DESCRIPTOR_TYPE_SAMPLER',
                'liesAt': '0x7f0000000060',
            },
        ],
    }
    in_memory = {
        'sets': [lying],
        'heaps': [
            {
                'kind': 'resource',
                'size': 8192,
                'reservedOffset': 4096,
                'reservedSize': 4096,
                'address': '0x7f0000020000',
                'object': values,
                'at': 0,
                'left': 8192,
                'descriptors': [
                    {
                        'heapOffset': 256,
                        'descriptorType': 'VK_DESCRIPTOR_TYPE_STORAGE_BUFFER',
                        'address': '0x7f0000030000',
                        'object': values,
                        'at': 16,
                        'left': 48,
                        'range': 32,
                    }
                ],
            }
        ],
        'addresses': [
            {
                'offset': 8,
                'name': 'from',
                'address': '0x7f0000030000',
                'object': values,
                'at': 16,
                'left': 48,
            },
            {'offset': 16, 'name': 'to', 'wrong': ['never pushed']},
        ],
    }
    copies = {
        'indirect': {
            'count': 2,
            'stride': 24,
            'parameters': [
                {
                    'name': 'copyAddressRange',
                    'address': '0x7f0000040000',
                    'object': values,
                    'at': 0,
                    'left': 48,
                }
            ],
            'structures': [
                {
                    'index': 0,
                    'structure': 'VkCopyMemoryIndirectCommandKHR',
                    'values': [{'name': 'size', 'value': '64'}],
                    'addresses': [
                        {
                            'name': 'srcAddress',
                            'address': '0x7f0000050000',
                            'wrong': ['no such object: no buffer that lives has this address'],
                        },
                        {
                            'name': 'dstAddress',
                            'address': '0x7f0000030000',
                            'object': values,
                            'at': 16,
                            'left': 48,
                        },
                    ],
                },
                {
                    'index': 1,
                    'structure': 'VkCopyMemoryIndirectCommandKHR',
                    'values': [{'name': 'size', 'value': '6'}],
                    'wrong': ['misaligned: size is not a multiple of 4'],
                },
            ],
        }
    }
    gpu['objects'][0]['created'] = {'caller': frames[4], 'stack': frames[3:6]}
    return write(
        directory / 'hard.jsonl',
        [
            hazard('one barrier', drawn, cleared, between(six[:1])),
            hazard('four barriers', drawn, cleared, between(six[:4])),
            hazard('six barriers', drawn, cleared, between(six)),
            hazard('eight barriers', drawn, cleared, between(eight)),
            gpu,
            hazard(
                'the host',
                (
                    'vkCmdDrawIndexed',
                    ['INDEX_INPUT'],
                    ['INDEX_READ'],
                    {'index': 4, 'queue': 'graphics', 'submission': 2, 'commands': 'main pass'},
                ),
                uploaded,
                semaphores=hosts,
                mend='semaphore',
            ),
            hazard(
                'a timeline',
                (
                    'vkCmdDrawIndexed',
                    ['INDEX_INPUT'],
                    ['INDEX_READ'],
                    {'index': 4, 'queue': 'graphics', 'submission': 1, 'commands': 'main pass'},
                ),
                uploaded,
                semaphores=chain,
                mend='semaphore',
            ),
            finding(
                'VVL-DEBUG-PRINTF',
                'info',
                message='particle 31 has left the box\n  at 12.5, 0, -3',
                command='vkCmdDispatch',
                offset=0x1000,
                shader={
                    'command': 2,
                    'name': 'particles.comp',
                    'stage': 'Compute',
                    'instruction': 99,
                    'file': 'hazards.c',
                    'line': 3,
                },
            ),
            finding(
                'VUID-vkCmdDraw-fix',
                fix='Add VK_BUFFER_USAGE_VERTEX_BUFFER_BIT to VkBufferCreateInfo::usage',
                labels='frame 12 > shadow pass',
                process=4711,
                futureMember={'a': [1, 2]},
                repeats=12,
                details={'hint': 'see the labels'},
            ),
            finding(
                'ASSAY-GpuDump',
                'info',
                message='vkCmdDispatch(): what its descriptors refer to, of which 4 look wrong:',
                command='vkCmdDispatch',
                offset=0x2000,
                gpuDump=dump,
            ),
            finding(
                'ASSAY-GpuDump',
                'info',
                message='vkCmdTraceRaysKHR(): what its descriptors refer to:',
                command='vkCmdTraceRaysKHR',
                offset=0x2010,
                gpuDump=sound,
            ),
            finding(
                'ASSAY-GpuDump',
                'info',
                message=(
                    'vkCmdDrawMeshTasksEXT(): what the descriptors and pushed addresses of '
                    'command 4 refer to, of which 1 looks wrong:'
                ),
                command='vkCmdDrawMeshTasksEXT',
                offset=0x2020,
                gpuDump=in_memory,
            ),
            finding(
                'ASSAY-GpuDump',
                'info',
                message=(
                    'vkCmdCopyMemoryIndirectKHR(): what the structures of command 0 refer to, '
                    'of which 2 look wrong:'
                ),
                command='vkCmdCopyMemoryIndirectKHR',
                offset=0x2030,
                gpuDump=copies,
            ),
            finding('VUID-known-place')
            | {
                'caller': {
                    'module': './gone',
                    'offset': '0x5',
                    'symbol': 'known_before',
                    'symbolOffset': '0x1',
                    'file': str(pathlib.Path(__file__).with_name('hazards.c')),
                    'line': 9,
                }
            },
        ],
    )
