"""The input of `assay report`: many files, damaged ones, older runs. report.py runs its checks."""

import html
import json
import os
import pathlib
import re
import subprocess

from harness import assay, expect, finding, frame, hazards, options, write


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
    """Damaged lines are reported with their place; nothing else is lost."""
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
    """Findings are new, in another place, known, or gone."""
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
            r'    mend      a memory dependency before vkCmdCopyBuffer \(command 2\)\n {14}'
            # Pairs of one count are in the order of their hashes, and the first has the code.
            r'(?:\(the code is as said before for this id, but for numbers and names\)|'
            r'const VkBufferMemoryBarrier2 barrier = \{)\n',
            place,
        ),
        place,
    )
    # Where three findings of an id take the same code, it stands once.
    expect(place.count('(the code is as said before for this id') == 2, place)
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
        # Bytes that are not text are not shown.
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
