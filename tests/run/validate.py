"""`assay validate`: shaders that are checked without a program. run.py runs its checks."""

import json
import re
import subprocess

from harness import assay, environment_of, expect, options


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
    # A file that cannot be read is reported, and the others are checked all the same.
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
