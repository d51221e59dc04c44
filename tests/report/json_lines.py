#!/usr/bin/env python3
"""Checks that every line of JSON is what docs/json.schema.json says, and that it says all that the
log says.

  json_lines.py --scenarios PROGRAM --layer-path DIRECTORY --null-driver MANIFEST --golden DIRECTORY
  --docs DIRECTORY

Runs scenarios of each kind of finding, with the log in a pipe. A finding of the log has its line of
JSON, and each word of it that names something (handles, names, numbers, values) is in there.
docs/json.md explains each member of the schema, and its examples are valid."""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import jsonschema

# One thread each, and of each kind of finding some.
SCENARIOS = {
    'null': [
        'descriptor_updates',
        'device_lost',
        'gpu_dump',
        'gpu_dump_memory',
        'layouts_submitted',
        'messages',
        'sync_advice',
        'sync_events',
        'sync_hazards_attachments',
        'sync_hazards_barriers',
        'sync_hazards_subpasses',
        'sync_present',
        'sync_queue',
    ],
    'lavapipe': ['debug_printf', 'gpu_commands', 'gpu_indices', 'gpu_source', 'shader_abort'],
}
LIMITED = 'settings_effects'
# Each of these must be among them.
KINDS = {
    'a lost device': lambda finding: finding.get('deviceLost', {}).get('queues'),
    'a dump': lambda finding: finding.get('gpuDump', {}).get('sets'),
    'a dump of addresses': lambda finding: finding.get('gpuDump', {}).get('addresses'),
    'a dump of descriptors in memory': lambda finding: any(
        'liesAt' in one
        for each in finding.get('gpuDump', {}).get('sets', [])
        for one in each.get('descriptors', [])
    ),
    'a dump of heaps': lambda finding: finding.get('gpuDump', {}).get('heaps'),
    'a dump of structures': lambda finding: (
        finding.get('gpuDump', {}).get('indirect', {}).get('structures')
    ),
    'a hazard between command buffers': lambda finding: (
        'submission' in finding.get('sync', {}).get('earlier', {})
    ),
    'a hazard in one': lambda finding: finding.get('sync', {}).get('between', {}).get('barriers'),
    'semaphores': lambda finding: 'semaphores' in finding.get('sync', {}),
    'a signal of the host': lambda finding: any(
        'host' in one for one in finding.get('sync', {}).get('semaphores', [])
    ),
    'a wait that a greater value ends': lambda finding: any(
        'signaledValue' in one for one in finding.get('sync', {}).get('semaphores', [])
    ),
    'several barriers of a command': lambda finding: any(
        'barrierCount' in one
        for one in finding.get('sync', {}).get('between', {}).get('barriers', [])
    ),
    'advice': lambda finding: 'advice' in finding.get('sync', {}),
    'what a shader found': lambda finding: (
        'text' in finding.get('shader', {}) and finding['vuid'].startswith('VUID-')
    ),
    'rows of what a shader found': lambda finding: (
        {'shader', 'reads', 'descriptor', 'command'} <= set(finding.get('details', {}))
    ),
    'a command that wants a layout': lambda finding: (
        'index' in finding.get('wanted', {})
        and finding.get('statement', {'vuid': finding['vuid']})['vuid'] != finding['vuid']
    ),
    'one in a secondary command buffer': lambda finding: 'executedBy' in finding.get('wanted', {}),
    'what a shader found many times': lambda finding: 'repeated' in finding.get('shader', {}),
    'what a command on the GPU found': lambda finding: (
        'shader' in finding and 'instruction' not in finding['shader']
    ),
    'a print': lambda finding: finding['vuid'] == 'VVL-DEBUG-PRINTF',
    'an abort': lambda finding: finding['vuid'] == 'UNASSIGNED-Shader-Abort',
    'labels': lambda finding: finding['commandBufferLabels'] and finding['queueLabels'] == [],
    'parameters': lambda finding: 'parameters' in finding,
    'a limit': lambda finding: 'lastOf' in finding,
    'a setting': lambda finding: finding['vuid'] == 'VALIDATION-SETTINGS',
}


wrong: list[str] = []  # what is not so of single findings


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def run(options, directory, driver, name, limit='false'):
    """Pairs of what the log and the JSON say. Without a limit the log says each in full."""
    pipe, lines = directory / 'log', directory / f'{driver}-{name}.jsonl'
    if not pipe.exists():
        os.mkfifo(pipe)
    log = bytearray()
    end = os.open(pipe, os.O_RDWR)  # there is a writer all the while

    def read():
        while not log.endswith(b'\n# the end\n'):
            log.extend(os.read(end, 1 << 16))

    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.run(
        [
            options.scenarios,
            '--layer-path',
            options.layer_path,
            '--null-driver',
            options.null_driver,
            '--driver',
            driver,
            '--file',
            name,
            '--jobs',
            '1',
            '--all',
        ],
        env=os.environ
        | {
            'VK_ASSAY_ENABLE_MESSAGE_LIMIT': limit,
            'VK_ASSAY_JSON_FILENAME': str(lines),
            'VK_ASSAY_LOG_FILENAME': str(pipe),
            'VK_ASSAY_REPORT_FLAGS': 'error,warn,perf,info',
        },
        capture_output=True,
        text=True,
    )
    os.write(end, b'\n# the end\n')
    reader.join()
    os.close(end)
    # Some scenarios look at the log themselves, and do not find it.
    expect(re.search(r'^\d+ passed', done.stdout, re.M), f'{name}: {done.stdout}{done.stderr}')
    text = re.sub(r'^Assay repeated .*\n', '', bytes(log).decode(), flags=re.M)
    findings = (
        [json.loads(line) for line in lines.read_text().splitlines()] if lines.exists() else []
    )
    begins = re.compile(r'^Assay (?:error|warning|performance|info|debug) (?=\S+$)', re.M)
    blocks = begins.split(text.removesuffix('\n# the end\n'))[1:]
    # (What was checked is told in the log alone.)
    return [block for block in blocks if not block.startswith('ASSAY-Checked')], findings


# A word that means something: a handle, a number, a name of Vulkan's, a place in a program.
WORD = re.compile(r'0x[0-9a-f]+|\bVK_\w+|\bvk[A-Z]\w+|\bVk[A-Z]\w+|\b[0-9]+(?:\.[0-9]+)?\b')


def words_of_log(block):
    """Without what the specification says, which the log cuts, and sums that only the log does
    (bytes 0 to 255)."""
    block = re.sub(r'^    (spec|meaning) [^\n]*\n(?: {12}[^\n]*\n)*', '', block, flags=re.M)
    block = re.sub(
        r'\bbytes (\d+) to (\d+)\b',
        lambda match: f'{match[1]} {int(match[2]) - int(match[1]) + 1}',
        block,
    )
    block = re.sub(
        r'\brows (\d+) to (\d+)\b',
        lambda match: f'{match[1]} {int(match[2]) - int(match[1]) + 1}',
        block,
    )
    block = re.sub(
        r'\b(mip levels?|layers?) (\d+) to (\d+)\b',
        lambda match: f'{match[2]} {int(match[3]) - int(match[2]) + 1}',
        block,
    )
    block = re.sub(
        r'\bbarrier (\d+) of (\d+)\b', lambda match: f'{int(match[1]) - 1} {match[2]}', block
    )
    block = re.sub(r'^ {12,}and \d+ more$', '', block, flags=re.M)
    return WORD.findall(block)


def strings(value):
    if isinstance(value, dict):
        for key, member in value.items():
            yield from strings(member)
            if key == 'executedBy':
                yield 'vkCmdExecuteCommands'
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)
    else:
        yield str(value)


def check_said(where, block, finding):
    said = set(WORD.findall('\n'.join(strings(finding))))
    # Both spellings of a stage, and the version that the program's command has.
    said |= {
        word.replace('_STAGE_2_', '_STAGE_').replace('VK_ACCESS_2_', 'VK_ACCESS_') for word in said
    }
    lacking = [
        word
        for word in words_of_log(block)
        if word not in said and not word.startswith('VK_PIPELINE_STAGE_2_NONE')
    ]
    if lacking:
        wrong.append(f'{where}: the JSON lacks {lacking}\n{block}\n{json.dumps(finding)}')


def check_schema(validator, where, finding):
    wrong.extend(
        f'{where}: {error.message} at {error.json_path}\n{json.dumps(finding)}'
        for error in validator.iter_errors(finding)
    )


def shape(value):
    """Names of members and kinds of values, without the values."""
    if isinstance(value, dict):
        return tuple((key, shape(member)) for key, member in sorted(value.items()))
    if isinstance(value, list):
        return tuple(sorted({repr(shape(member)) for member in value}))
    return type(value).__name__


def members(schema):
    """Names of all members that the schema has."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == 'properties':
                yield from value
            yield from members(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from members(value)


def check_documentation(validator, schema, text):
    for name in sorted(set(members(schema))):
        expect(re.search(rf'^\| (?:`\w+`, )*`{name}`', text, re.M), f'docs/json.md explains {name}')
    for name in set(
        re.findall(r'`(\w+)`', '\n'.join(re.findall(r'^\| ((?:`\w+`(?:, )?)+) \|', text, re.M)))
    ):
        expect(name in set(members(schema)), f'{name} of docs/json.md is in the schema')
    examples = re.findall(r'^```jsonc\n(.*?)^```', text, re.M | re.S)
    expect(len(examples) >= 5, 'there is an example of each kind')
    for example in examples:
        check_schema(
            validator, 'docs/json.md', json.loads(re.sub(r'\s+// [^\n]*$', '', example, flags=re.M))
        )


def check_golden(validator, golden):
    """The examples of the unit tests: of the log and of JSON, of the same finding."""
    pairs = 0
    for line in sorted(golden.glob('*.jsonl')):
        text = {'message': 'message_full'}.get(line.stem, line.stem)
        finding = json.loads(line.read_text())
        check_schema(validator, line.name, finding)
        check_said(line.name, (golden / f'{text}.txt').read_text(), finding)
        pairs += 1
    expect(pairs >= 4, 'golden lines are looked at')


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ('scenarios', 'layer-path', 'null-driver', 'golden', 'docs'):
        parser.add_argument(f'--{name}', required=True)
    options = parser.parse_args()
    docs = pathlib.Path(options.docs)
    schema = json.loads((docs / 'json.schema.json').read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    check_documentation(validator, schema, (docs / 'json.md').read_text())
    check_golden(validator, pathlib.Path(options.golden))
    # A member that nobody has explained is noticed.
    finding = json.loads((pathlib.Path(options.golden) / 'message.jsonl').read_text())
    expect(
        list(validator.iter_errors(finding | {'new': 1}))
        and list(validator.iter_errors({k: v for k, v in finding.items() if k != 'spec'})),
        'the schema is strict',
    )
    # A program that died leaves less.
    left = {key: finding[key] for key in ('vuid', 'severity', 'message', 'location', 'objects')}
    check_schema(validator, 'left by the dead', left)
    check_schema(
        validator,
        'left with its command',
        left
        | {
            'command': 'vkCmdDraw',
            'caller': {'offset': '0x1'},
            'shader': {'command': 5, 'labels': ['pass']},
        },
    )
    expect(list(validator.iter_errors(left | {'spec': ''})), 'neither one nor the other')
    kinds, count, logged = set(), 0, 0
    shapes: collections.Counter = collections.Counter()
    with tempfile.TemporaryDirectory() as directory:
        # With a limit, which the last one says.
        for finding in run(options, pathlib.Path(directory), 'null', LIMITED, 'true')[1]:
            check_schema(validator, LIMITED, finding)
            kinds |= {kind for kind, has in KINDS.items() if has(finding)}
        for driver, names in SCENARIOS.items():
            for name in names:
                blocks, findings = run(options, pathlib.Path(directory), driver, name)
                logged += len(blocks)
                rest = iter(blocks)
                for finding in findings:
                    if 'repeats' in finding:
                        check_schema(validator, name, finding)
                        continue
                    # (Some scenarios have a file of their own for JSON.)
                    start = f'{finding["vuid"]}\n  ' + finding['message'].splitlines()[0]
                    sides = [finding.get('sync', {}).get(side, {}) for side in ('this', 'earlier')]
                    places = [
                        f'+{side["caller"]["offset"]}'
                        for side in [finding, *sides]
                        if 'caller' in side and 'advice' not in finding.get('sync', {})
                    ]
                    places += [row.splitlines()[0] for row in finding.get('details', {}).values()]
                    block = next(
                        (
                            block
                            for block in rest
                            if block.startswith(start) and all(place in block for place in places)
                        ),
                        None,
                    )
                    expect(block, f'{name}: the log lacks {start}')
                    # The validator is slow: of each shape the first eight, and then each fourth.
                    shapes[shape(finding)] += 1
                    if shapes[shape(finding)] <= 8 or count % 4 == 0:
                        check_schema(validator, name, finding)
                    check_said(name, block, finding)
                    kinds |= {kind for kind, has in KINDS.items() if has(finding)}
                    count += 1
    expect(not wrong, '\n\n'.join(wrong[:12]) + f'\n{len(wrong)} in all')
    expect(count > 0.95 * logged, f'{logged} findings in the log, {count} in JSON')
    expect(kinds == set(KINDS), f'nothing was found of: {sorted(set(KINDS) - kinds)}')
    print(f'{count} findings')


if __name__ == '__main__':
    sys.exit(main())
