"""Lines of source, names and debug files of what a finding shows. run.py runs its checks."""

import json
import lzma
import os
import re
import shutil
import subprocess

from harness import EMPTY, HANGS, assay, environment_of, expect, options, program


def run_alone(directory, program, *what, found):
    """A program under the layer, without the tool: what the layer writes."""
    found.unlink(missing_ok=True)
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': options.layer_path,
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_ASSAY_LOG_FILENAME': str(directory / 'log.txt'),
            'VK_ASSAY_JSON_FILENAME': str(found),
            'LD_LIBRARY_PATH': os.path.dirname(options.program),
        },
    )
    subprocess.run([program, *what], cwd=directory, env=environment, check=True, timeout=HANGS)
    return [json.loads(line) for line in found.read_text().splitlines()]


def check_sources(directory):
    """caller_ignore names source files, too: the tool knows lines, and chooses the frame once
    more."""
    steps = ['start', *['mesh'] * 12, *['texture'] * 3, 'end']
    found = directory / 'found.jsonl'
    for ignored in ('*/rhi.c', 'rhi.?', 'libother.so,*/run/rhi.c'):
        _, said = assay(
            directory,
            *program(
                *steps,
                options_before=[
                    f'--caller-ignore={ignored}',
                    '--symbols',
                    f'--json={found}',
                    f'--make-suppressions={directory / "made"}',
                ],
            ),
        )
        findings = [json.loads(line) for line in found.read_text().splitlines()]
        told = [finding for finding in findings if 'repeats' not in finding]
        expect(
            len(told) == 13
            and all(finding['caller'] == finding['stack'][1] for finding in findings),
            findings,
        )
        expect(
            {finding['caller']['symbol'] for finding in findings}
            == {'upload_mesh', 'upload_texture'},
            findings,
        )
        expect(
            all(
                finding['caller']['file'].endswith('/program.c') and finding['caller']['line']
                for finding in findings
            ),
            findings,
        )
        expect(
            re.search(
                r'^ +12  \S*program\.c:\d+, upload_mesh\n', said.replace('callers', '       '), re.M
            ),
            said,
        )
        expect(
            re.search(
                r'^ +3  \S*program\.c:\d+, upload_texture\n',
                said.replace('callers', '       '),
                re.M,
            ),
            said,
        )
    # A module that is no file, but a pipe that nobody writes to, has no lines; nothing waits for
    # it.
    os.mkfifo(directory / 'pipe')
    (directory / 'piped.jsonl').write_text(
        json.dumps(
            {
                'vuid': EMPTY,
                'severity': 'error',
                'message': 'm',
                'caller': {'module': str(directory / 'pipe'), 'offset': '0x10'},
            }
        )
        + '\n'
    )
    text, _ = assay(directory, 'report', '--symbols', 'piped.jsonl')
    expect(f'{directory}/pipe+0x10\n' in text, text)
    # Files that show lines have them without being asked, in sentences as well.
    where = r'program\.c:\d+, create_sampler'
    for flag in ('--html=x', '--sarif=x', '--junit=x'):
        _, said = assay(directory, *program('start', 'leak', 'end', options_before=[flag]))
        expect(re.search(f'is still alive: 0x[0-9a-f]+ created by \\S*{where}\n', said), said)
        expect(flag == '--html=x' or re.search(where, (directory / 'x').read_text()), flag)
    _, said = assay(
        directory, *program('start', 'leak', 'end', options_before=['--json=leak.jsonl'])
    )
    expect(re.search(r'created by \S*program\+0x[0-9a-f]+\n', said), said)
    for flags in (['--symbols'], ['--sarif'], ['--junit']):
        expect(
            re.search(
                f'created by \\S*{where}', assay(directory, 'report', *flags, 'leak.jsonl')[0]
            ),
            flags,
        )
    expect(
        not re.search(where, assay(directory, 'report', 'leak.jsonl')[0]),
        'text alone, unless asked',
    )
    # They group, suppress and count by it.
    expect(
        '\n    caller  upload_mesh\n' in (directory / 'made').read_text()
        and '\n    caller  upload_texture\n' in (directory / 'made').read_text(),
        'made by it',
    )
    (directory / 'known').write_text(f'{EMPTY}\n    caller  upload_mesh\n')
    _, said = assay(
        directory,
        *program(
            *steps, options_before=['--caller-ignore=*/rhi.c', f'--suppress={directory / "known"}']
        ),
    )
    expect('3 findings, 3 errors' in said and '12 suppressed' in said, said)
    # In reports, of what the layer wrote by itself.
    raw = directory / 'raw.jsonl'
    findings = run_alone(directory, options.program, 'start', 'mesh', 'texture', 'end', found=raw)
    expect(
        all(
            finding['caller']['symbol'] == 'rhi_create_buffer' and finding['caller']['buildId']
            for finding in findings
        ),
        findings,
    )
    text, _ = assay(directory, 'report', '--symbols', '--caller-ignore=*/rhi.c', raw)
    expect(re.search(r'program\.c:\d+, upload_mesh\n', text) and 'rhi.c' not in text, text)
    expect(
        'rhi.c:' in assay(directory, 'report', '--symbols', raw)[0],
        'without it the wrapper is shown',
    )


def check_rebuild(directory):
    """Suppressions and --since outlive a rebuild that moves code; symbols of another build are
    refused."""
    game, made, steps = (
        directory / 'game',
        directory / 'known.supp',
        ('start', 'useless', 'empty', 'empty', 'mesh', 'temporaries', 'hazard', 'end'),
    )
    environment = {'LD_LIBRARY_PATH': os.path.dirname(options.program)}

    def build(which):
        game.unlink(missing_ok=True)
        shutil.copy(which, game)

    def run(*flags, status=0):
        return assay(
            directory,
            'run',
            '--sync',
            *flags,
            '--',
            './game',
            *steps,
            environment=environment,
            status=status,
        )[1]

    build(options.program)
    run(f'--make-suppressions={made}', f'--json={directory / "old.jsonl"}')
    text = made.read_text()
    expect(
        '+0x' not in text
        and '\n    caller  create_empty_buffer\n' in text
        and '\n    object  temporary [0-9]* of *\n    caller  create_temporaries\n' in text,
        text,
    )
    expect(text.count('VUID-VkMappedMemoryRange-memory-00684\n') == 1, text)
    said = run(f'--suppress={made}', '--error-exit=3')
    expect('nothing was found, but 8 suppressed' in said and 'not needed' not in said, said)
    old = [json.loads(line) for line in (directory / 'old.jsonl').read_text().splitlines()]
    build(options.moved_program)
    said = run(f'--suppress={made}', '--error-exit=3', f'--json={directory / "left.jsonl"}')
    expect('nothing was found, but 8 suppressed' in said and 'not needed' not in said, said)
    run(f'--json={directory / "new.jsonl"}')
    new = [json.loads(line) for line in (directory / 'new.jsonl').read_text().splitlines()]
    expect(
        old[0]['caller']['buildId'] != new[0]['caller']['buildId']
        and old[0]['caller']['offset'] != new[0]['caller']['offset'],
        'it is another build, and code has moved',
    )
    expect(
        old[0]['caller']['symbol'] == new[0]['caller']['symbol'] == 'create_useless_buffer', old[0]
    )
    text, _ = assay(directory, 'report', '--since', 'old.jsonl', 'new.jsonl')
    expect(
        re.search(
            r'^since the older run: 0 new, 0 in another place, \d+ known, 0 gone$', text, re.M
        ),
        text,
    )

    # The layer wrote these before, and after, the binary was replaced.
    build(options.program)
    raw = directory / 'raw.jsonl'
    findings = run_alone(directory, './game', 'start', 'useless', 'empty', 'end', found=raw)
    expect(all('symbol' not in finding['caller'] for finding in findings), findings)
    text, said = assay(directory, 'report', '--symbols', raw)
    expect(re.search(r'program\.c:\d+, create_useless_buffer\n', text) and not said, text + said)
    expect(
        '(create_useless_buffer+0x' in assay(directory, 'report', raw)[0],
        'functions need no --symbols',
    )
    build(options.moved_program)
    text, said = assay(directory, 'report', '--symbols', raw)
    expect(
        re.fullmatch(
            (
                r'assay: symbols of \./game do not fit what ran \(build id [0-9a-f]{40}, and '
                r'now [0-9a-f]{40}\): it is shown without them\n'
            ),
            said,
        ),
        said,
    )
    expect('./game+0x' in text and 'program.c' not in text and 'create_' not in text, text)
    # One that fits, elsewhere.
    (directory / 'kept').mkdir()
    shutil.copy(options.program, directory / 'kept' / 'game')
    text, said = assay(directory, 'report', '--modules=/nowhere:kept', raw)
    expect(re.search(r'program\.c:\d+, create_useless_buffer\n', text) and not said, text + said)


def check_debug_files(directory):
    """Symbols in files of their own: .gnu_debuglink, .build-id, debuginfod's cache. Those of
    another build are not taken."""
    game, debug, raw = directory / 'game', directory / 'game.debug', directory / 'raw.jsonl'

    def split(which):
        shutil.copy(which, game)
        subprocess.run(['objcopy', '--only-keep-debug', which, debug], check=True)
        subprocess.run(['strip', game], check=True)
        subprocess.run(['objcopy', f'--add-gnu-debuglink={debug}', game], check=True)

    split(options.program)
    findings = run_alone(directory, './game', 'start', 'useless', 'end', found=raw)
    build_id = findings[0]['caller']['buildId']

    def report(found, *flags):
        text, said = assay(directory, 'report', '--symbols', *flags, raw)
        expect(
            bool(re.search(r'program\.c:\d+, create_useless_buffer\n', text)) == found
            and (found or './game+0x' in text)
            and not said,
            (found, text, said),
        )
        if not flags:
            expect(
                ('(create_useless_buffer+0x' in assay(directory, 'report', raw)[0]) == found,
                'functions are of the same file',
            )

    report(True)
    (directory / '.debug').mkdir()
    debug.rename(directory / '.debug' / 'game.debug')
    report(True)
    (directory / '.debug' / 'game.debug').rename(directory / 'elsewhere')
    report(False)
    by_id = directory / 'symbols' / '.build-id' / build_id[:2]
    by_id.mkdir(parents=True)
    shutil.copy(directory / 'elsewhere', by_id / f'{build_id[2:]}.debug')
    report(True, f'--modules={directory / "symbols"}')
    report(False)
    cache = directory / '.cache' / 'debuginfod_client' / build_id
    cache.mkdir(parents=True)
    shutil.copy(directory / 'elsewhere', cache / 'debuginfo')
    report(True)
    # The module itself may be gone.
    game.unlink()
    report(True)
    # The debug information is that of another build, under the right names.
    shutil.rmtree(directory / '.cache')
    split(options.program)
    subprocess.run(['objcopy', '--only-keep-debug', options.moved_program, debug], check=True)
    report(False)


def check_packed_symbols(directory):
    """A stripped program with .gnu_debugdata, as Fedora's are: functions that are not exported are
    known; what is damaged or huge is not taken."""
    game, raw, made = directory / 'game', directory / 'raw.jsonl', directory / 'made.supp'
    subprocess.run(
        ['objcopy', '--only-keep-debug', options.program, directory / 'debug'], check=True
    )
    functions = [
        line.split()[0]
        for line in subprocess.run(
            ['nm', '--defined-only', '--format=posix', options.program],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        if line.split()[1] in 'tT'
    ]
    (directory / 'keep').write_text('\n'.join(functions))
    subprocess.run(
        [
            'objcopy',
            '-S',
            '--remove-section=.comment',
            f'--keep-symbols={directory}/keep',
            directory / 'debug',
            directory / 'small',
        ],
        check=True,
    )
    small = (directory / 'small').read_bytes()

    def pack(contents):
        subprocess.run(['objcopy', '-S', options.program, game], check=True)
        if contents is not None:
            (directory / 'packed').write_bytes(contents)
            subprocess.run(
                ['objcopy', f'--add-section=.gnu_debugdata={directory}/packed', game], check=True
            )

    pack(lzma.compress(small))
    run_alone(directory, './game', 'start', 'useless', 'end', found=raw)
    for contents, known in (
        (lzma.compress(small), True),
        (None, False),
        (lzma.compress(small)[:-40], False),
        (lzma.compress(small[:80]), False),
        (b'', False),
        (small, False),
        (lzma.compress(b'\177ELF\2' + bytes(200)), False),
        (lzma.compress(small + bytes(1 << 28), preset=0), False),
    ):
        pack(contents)
        text, said = assay(directory, 'report', raw)
        expect(
            not said
            and ('(create_useless_buffer+0x' in text) == known
            and (known or 'useless' not in text),
            (known, text, said),
        )
    # Exported names stay known beside it, and suppressions name functions.
    pack(lzma.compress(small))
    assay(
        directory,
        'run',
        f'--make-suppressions={made}',
        '--',
        './game',
        'start',
        'engine',
        'useless',
        'mesh',
        'end',
        environment={'LD_LIBRARY_PATH': os.path.dirname(options.program)},
    )
    callers = re.findall(r'^    caller  (.*)$', made.read_text(), re.M)
    expect(
        set(callers)
        >= {
            'create_useless_buffer',
            'engine::upload',
            'engine::Pool<Mesh>::grow',
            'rhi_create_buffer',
        },
        callers,
    )


def check_names(directory):
    """Functions of C++ are shown as people write them, and suppressed by what survives a rebuild;
    old files with the linker's names hold."""
    game, made, known = directory / 'game', directory / 'made.supp', directory / 'known.supp'
    environment = {'LD_LIBRARY_PATH': os.path.dirname(options.program)}
    engine = ('start', 'engine', 'end')

    def build(which):
        game.unlink(missing_ok=True)
        shutil.copy(which, game)

    def run(*flags, steps=engine, status=0):
        return assay(
            directory, 'run', *flags, '--', './game', *steps, environment=environment, status=status
        )[1]

    build(options.program)
    paths = {form: directory / f'report.{form}' for form in ('json', 'sarif', 'junit')}
    run(*(f'--{form}={path}' for form, path in paths.items() if form != 'json'))
    said = run(f'--make-suppressions={made}', f'--json={paths["json"]}')
    functions = (
        'engine::upload(Mesh*)',
        'engine::draw(int)',
        'engine::Pool<Mesh>::grow(unsigned long)',
        'engine::operator*(Mesh const&, int)',
        'engine::Pool<Mesh>::operator[](unsigned long)',
    )
    streamed, summary = said.split('assay: ', 1)
    for function in functions:
        expect(
            '    caller  ./game+0x' in streamed
            and f' ({function}+0x' in streamed
            and f' ({function}+0x' in summary,
            (function, said),
        )
    expect('_ZN' not in said, said)
    # Files of findings have the linker's names, as the layer's own; reports of all kinds have the
    # others.
    found = [
        json.loads(line)['caller']['symbol'] for line in paths['json'].read_text().splitlines()
    ]
    expect(found[:2] == ['_ZN6engine6uploadEP4Mesh', '_ZN6engine4drawEi'], found)
    names = {
        place['logicalLocations'][0]['name']
        for result in json.loads(paths['sarif'].read_text())['runs'][0]['results']
        for place in result['locations']
    }
    expect(names == set(functions), names)
    assay(directory, 'report', f'--sqlite={directory / "found.db"}', paths['json'])
    rows = subprocess.run(
        ['sqlite3', directory / 'found.db', 'SELECT symbol FROM call_site'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    expect(set(functions) <= set(rows) and not [row for row in rows if row.startswith('_Z')], rows)
    # As much of a name as tells it apart: others are called draw, and grow of another pool.
    text = made.read_text()
    patterns = re.findall(r'^    caller  (.*)$', text, re.M)
    expect(
        sorted(patterns)
        == sorted(
            [
                'engine::upload',
                'engine::draw(int)',
                'engine::Pool<Mesh>::grow',
                r'engine::operator\*',
                r'engine::Pool::operator\[]',
            ]
        ),
        text,
    )
    said = run(f'--suppress={made}', '--error-exit=3')
    expect('nothing was found, but 5 suppressed' in said and 'not needed' not in said, said)
    said = run(
        f'--suppress={made}',
        '--error-exit=3',
        steps=('start', 'engine', 'overloads', 'end'),
        status=3,
    )
    expect(
        '2 findings, 2 errors, and 5 suppressed' in said
        and '(engine::draw(float)+0x' in said
        and '(engine::Pool<Texture>::grow(unsigned long)+0x' in said,
        said,
    )
    # Another build, in which parameters have changed.
    build(options.moved_program)
    said = run(f'--suppress={made}', '--error-exit=3', f'--json={directory / "left.jsonl"}')
    expect('nothing was found, but 5 suppressed' in said and 'not needed' not in said, said)
    expect('(engine::upload(Mesh*, int)+0x' in run(), 'it has others')
    # People write names in any of these forms, and there are old files.
    build(options.program)
    for pattern, count in (
        ('_ZN6engine4drawEi', 1),
        ('_ZN6engine*', 5),
        ('engine::draw', 1),
        ('engine::draw(*)', 1),
        ('engine::*', 5),
        ('engine::Pool<*>::grow', 1),
        ('engine::Pool::*', 2),
        (r'engine::operator\*', 1),
        ('engine::operator*', 1),
        ('engine::Pool::operator[]', 1),
        ('engine::draw(float)', 0),
    ):
        known.write_text(f'{EMPTY}\n    caller  {pattern}\n')
        said = run(f'--suppress={known}')
        expect(
            ('suppressed' not in said and 'not needed' in said)
            if not count
            else f'{count} suppressed' in said,
            (pattern, said),
        )
    # Names in messages; and what is no name stays as it is.
    line = json.loads(paths['json'].read_text().splitlines()[0]) | {
        'message': (
            'destroyed (by ./game+0x1 (_ZN6engine4drawEi+0x2)), not MY_ZN6engine4drawEi, _Z or '
            '_Zero'
        )
    }
    (directory / 'texts.jsonl').write_text(json.dumps(line) + '\n')
    text = assay(directory, 'report', 'texts.jsonl')[0]
    expect(
        'destroyed (by ./game+0x1 (engine::draw(int)+0x2)), not MY_ZN6engine4drawEi, _Z or _Zero\n'
        in text,
        text,
    )
    # A name that stands for gigabytes stays as the linker has it.
    twice = ''.join(f'St4pairIS{digit}_S{digit}_E' for digit in '02468ACEGIKMOQSUWY')
    line['caller']['symbol'] = '_Z1fSt4pairIiiE' + twice
    (directory / 'texts.jsonl').write_text(json.dumps(line | {'stack': []}) + '\n')
    text = assay(directory, 'report', 'texts.jsonl')[0]
    expect(f'({line["caller"]["symbol"]}+0x' in text, text)
