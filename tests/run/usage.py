"""Command lines: every form at once, wrong ones, and paths that are outside the root of ./dev. Its
checks are run by run.py."""

import json
import pathlib
import re

from harness import assay, expect, options, program


def check_reports(directory):
    """Every form at once, of the one run; files that cannot be written are told of."""
    paths = {form: directory / f'report.{form}' for form in ('json', 'html', 'sarif', 'junit')}
    flags = [f'--{form}={path}' for form, path in paths.items()]
    _, said = assay(directory, 'run', '--sync', '--symbols', *flags, '--', options.hazards)
    lines = [json.loads(line) for line in paths['json'].read_text().splitlines()]
    expect(len(lines) == 5 and '5 findings, 5 errors' in said, said)
    expect(len(json.loads(paths['sarif'].read_text())['runs'][0]['results']) == 5, 'SARIF')
    expect(
        '<testsuites' in paths['junit'].read_text()
        and paths['junit'].read_text().count('<failure') == 3,
        paths['junit'].read_text(),
    )
    expect(
        'SYNC-HAZARD' in paths['html'].read_text() or len(paths['html'].read_bytes()) > 1000, 'HTML'
    )
    assay(
        directory, *program('start', 'empty', 'end', options_before=[f'--junit={paths["junit"]}'])
    )
    expect(
        f'name="{pathlib.Path(options.program).name}"' in paths['junit'].read_text(),
        'without a file of findings it is the program that they come from',
    )
    assay(directory, *program('start', 'end', options_before=flags))
    expect(
        paths['json'].read_text() == ''
        and json.loads(paths['sarif'].read_text())['runs'][0]['results'] == [],
        'nothing was found',
    )
    # Before the program starts; what is there already stays as it is.
    paths['junit'].write_text('of yesterday')
    for form in ('json', 'html', 'sarif', 'junit', 'make-suppressions'):
        text, said = assay(
            directory,
            *program(
                'say',
                'start',
                'empty',
                'end',
                options_before=[f'--junit={paths["junit"]}', f'--{form}=/proc/no.file'],
            ),
            status=1,
        )
        expect(
            said.startswith('assay: /proc/no.file: No such file or directory') and not text, said
        )
        expect(paths['junit'].read_text() == 'of yesterday', 'a file that is there is not touched')
    text, said = assay(directory, *program('say', options_before=[f'--html={directory}']), status=1)
    expect(said == f'assay: {directory}: Is a directory\n' and not text, said)


def check_usage(directory):
    """Wrong command lines are told of before anything runs; help, man page and completions have the
    options."""
    for arguments, message in (
        (('run',), 'which program?'),
        (('run', '--sync'), 'which program?'),
        (
            ('run', '--preset=none', '--', 'true'),
            (
                'there is no preset "none"; there are standard, light, sync, gpu, safe, '
                'practices, printf, prints, threads, all'
            ),
        ),
        (
            ('run', '--snyc', '--', 'true'),
            "unrecognized option '--snyc'; the nearest is --sync; assay run --help lists all",
        ),
        (
            ('report', '--sarf=x', 'f.jsonl'),
            "unrecognized option '--sarf'; the nearest is --sarif; assay report --help lists all",
        ),
        (
            ('run', '--set', 'validate_snyc=true', '--', 'true'),
            (
                'there is no setting "validate_snyc"; the nearest is validate_sync; assay init '
                '- lists all'
            ),
        ),
        (
            ('run', '--set', 'zzzzzzzzz=true', '--', 'true'),
            'there is no setting "zzzzzzzzz"; assay init - lists all',
        ),
        (
            ('run', '--error-exit=0', '--', 'true'),
            '--error-exit takes a number from 1 to 255, not "0"',
        ),
        (('run', '--limit=x', '--', 'true'), '--limit takes a number'),
        (
            ('run', '--practices=arm,intel', '--', 'true'),
            '--practices takes arm, amd, img, nvidia or all, with commas between, not "intel"',
        ),
        (
            ('run', '--gpu=nan,races', '--', 'true'),
            '--gpu takes nan or all, with commas between, not "races"',
        ),
        (('run', '--nothing', '--', 'true'), 'unrecognized option'),
        (('run', '--limit', '3'), 'which program?'),
        (
            (
                'run',
                '--',
            ),
            'which program?',
        ),
        (('doctor', 'x', 'y'), 'doctor looks at one program, not at "y" as well'),
        (('init', 'a', 'b'), 'one file at a time'),
    ):
        expect(message in assay(directory, *arguments, status=2)[1], (arguments, message))
    # The first word that is the tool's neither by itself nor as an option's argument begins the
    # program; from there on all is the program's.
    for before in (
        [],
        ['-q'],
        ['--limit', '3'],
        ['--limit=3', '--sync'],
        ['--make-suppressions', '-q'],
        ['--practices', '-q'],
        ['--limit', '3', '--'],
    ):
        text, said = assay(
            directory,
            'run',
            *before,
            options.program,
            'say',
            'start',
            'empty',
            '--help',
            '--sync',
            '--',
            'end',
        )
        expect(text == 'the program is at work\n' and '1 finding, 1 error' in said, said)
    text, _ = assay(directory, 'run', '--help')
    expect(
        text.startswith('usage: assay run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n')
        and '--make-suppressions[=FILE]' in text
        and '  VUID-vkCmdDraw-None-*\n      object  overlay *\n' in text,
        text,
    )
    expect(max(map(len, text.splitlines())) <= 120, 'lines that fit')
    # The error and --help have the same presets.
    presets = re.search(
        r'there are (.*)', assay(directory, 'run', '--preset=none', '--', 'true', status=2)[1]
    )[1].split(', ')
    listed = re.search(r'a set of settings:(.*?)--', text, re.S)[1]
    expect(
        presets
        == [
            word
            for word in re.findall(r'\w+', re.sub(r'\(.*?\)', '', listed, flags=re.S))
            if word != 'or'
        ],
        (presets, listed),
    )
    names = set(re.findall(r'^ .*?--([a-z-]+)', text, re.M)) - {'help'}
    expect(
        {
            'sync',
            'gpu',
            'practices',
            'printf',
            'threads-only',
            'preset',
            'suppress',
            'make-suppressions',
            'json',
            'html',
            'sarif',
            'junit',
            'error-exit',
            'limit',
        }
        <= names,
        names,
    )
    for kind in ('man', 'bash', 'zsh', 'fish'):
        plain = assay(directory, 'generate', kind)[0].replace('\\-', '-')
        for name in names:
            expect(f'--{name}' in plain or f'-l {name}' in plain, f'{kind} has {name}')
    expect(
        'run' in assay(directory, '--help')[0] and 'doctor' in assay(directory, '--help')[0],
        'all commands are listed',
    )


def check_outside(directory):
    """In the root of ./dev a path that is not there may be one of the host's: told where that can
    be, and nowhere else."""
    at_home = {'ASSAY_CHECKOUT': '/home/me/assay'}
    hint = (
        'This is the Debian root of ./dev: of the host it sees only the checkout, '
        '/home/me/assay, which is /assay here.'
    )
    for arguments, status in (
        (('run', '/home/me/game/game'), 127),
        (('run', '../../../../../../game/game'), 127),
        (('run', '--json', '/home/me/x.jsonl', 'true'), 1),
        (('run', '--suppress', '/home/me/known.supp', 'true'), 2),
        (('report', '/home/me/findings.jsonl'), 1),
        (('doctor', '/home/me/game/game'), 1),
    ):
        texts = assay(directory, *arguments, status=status, environment=at_home)
        expect(hint in ''.join(texts), (arguments, texts))
        texts = assay(directory, *arguments, status=status, environment={'ASSAY_CHECKOUT': ''})
        expect('Debian root' not in ''.join(texts), (arguments, texts))
    _, said = assay(directory, 'run', '/home/me/assay/build/game', status=127, environment=at_home)
    expect('the checkout, /home/me/assay, is /assay; try /assay/build/game\n' in said, said)
    # Not of what is missing in the checkout itself, and not of what is there but cannot be run.
    (directory / 'plain').write_text('#!/nothing\n')
    (directory / 'plain').chmod(0o755)
    for path, status in (
        ('/assay/no-such-program', 127),
        ('build/no-such-program', 127),
        (directory / 'plain', 127),
    ):
        _, said = assay(directory, 'run', path, status=status, environment=at_home)
        expect('Debian root' not in said, said)
