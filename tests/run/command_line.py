"""Options, completions and terminals: what the tool offers and how it looks where one types. Its
checks are run by run.py."""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import threading

from harness import EMPTY, HANGS, assay, environment_of, expect, options, program


def read_terminal(leader):
    """Returns all bytes that come until the other side is closed."""
    said = b''
    try:
        while piece := os.read(leader, 65536):
            said += piece
    except OSError:
        pass
    os.close(leader)
    return said


def check_colors(directory):
    """Colours on a terminal, unless NO_COLOR is set; none elsewhere. Names do not reach the
    terminal with escape sequences."""

    def on_terminal(more):
        leader, follower = pty.openpty()
        with subprocess.Popen(
            [options.assay, *program('start', 'empty', 'end')],
            cwd=directory,
            env=environment_of(directory, more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=follower,
        ) as process:
            os.close(follower)
            said = read_terminal(leader)
        expect(process.returncode == 0, said)
        return said.decode()

    said = on_terminal({})
    expect(
        f'\033[1;31mAssay error\033[0m \033[1m{EMPTY}\033[0m' in said
        and '\033[1massay:\033[0m' in said,
        said,
    )
    expect(
        f'\033[1;31merror\033[0m \033[1m{EMPTY}\033[0m, 1 time' in said,
        f'the summary has colours: {said}',
    )
    expect('\033' not in on_terminal({'NO_COLOR': '1'}), 'none with NO_COLOR')
    expect('\033' not in assay(directory, *program('start', 'empty', 'end'))[1], 'none in a file')
    _, said = assay(
        directory, *program('start', 'escape', 'empty', 'end', options_before=['--all'])
    )
    expect('\033' not in said and '\007' not in said and said.count('?[31mred?') == 2, said)
    # The escape sequences of one character, and bytes that are no character: on the terminal, in
    # the text report, and in the layer's own log.
    steps, log = ('start', 'single escape', 'empty', 'end'), directory / 'log.txt'
    name, plain = '?31mred \ufffd32m \ufffd gr\u00fcn', '?31mred ?32m ? gr?n'
    for language, shown in (('C.UTF-8', name), ('C', plain)):
        _, said = assay(
            directory,
            *program(*steps, options_before=['--all', '--json=found.jsonl']),
            environment={'LC_ALL': language},
        )
        expect(said.count(f'"{shown}"') == 2 and not re.search('[\x80-\x9f]', said), said)
        text, _ = assay(directory, 'report', 'found.jsonl', environment={'LC_ALL': language})
        expect(f'"{shown}"' in text and not re.search('[\x80-\x9f]', text), text)
    lines = (directory / 'found.jsonl').read_text()
    expect('"\\u009b31mred \ufffd32m \ufffd gr\u00fcn"' in lines, lines)
    # A file of JSON lines may come from anywhere.
    (directory / 'found.jsonl').write_bytes(lines.encode().replace(b'\\u009b', b'\xc2\x9b'))
    assay(directory, 'report', '-o', 'report.txt', 'found.jsonl')
    text = (directory / 'report.txt').read_text()
    expect(f'"{name}"' in text, text)
    for form, part in (('sarif', '\\u009b31mred \ufffd32m'), ('junit', ''), ('html', '')):
        assay(directory, 'report', f'--{form}', '-o', 'report', 'found.jsonl')
        text = (directory / 'report').read_text()
        expect(part in text and not re.search('[\x80-\x9f]', text), (form, text))
    at = directory / 'at\x9b32m'
    at.mkdir()
    shutil.copy(options.program, at / 'program')
    environment = environment_of(
        directory,
        {
            'VK_LAYER_PATH': options.layer_path,
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_DRIVER_FILES': options.null_driver,
            'VK_ASSAY_LOG_FILENAME': str(log),
            'LD_LIBRARY_PATH': os.path.dirname(options.program),
        },
    )
    subprocess.run([at / 'program', *steps], cwd=directory, env=environment, check=True)
    text = log.read_text()
    expect(
        f'"{name}"' in text and 'at?32m/program+0x' in text and not re.search('[\x80-\x9f]', text),
        text,
    )


COMMANDS = ('run', 'report', 'validate', 'init', 'doctor')
OPTIONS_OF_OTHERS = {
    'frames',
    'stdin',
    'write',
    'print',
    'output-style',
    'functions',
    'inlining',
    'demangle',
    'exe',
    'obj',
    'basenames',
}


def options_of(directory, command):
    return set(re.findall(r'^ .*?--([a-z-]+)', assay(directory, command, '--help')[0], re.M))


def check_options(directory):
    """Each option that a message, a help or the man page names is there; the man page and the help
    have all that there is."""
    known = set().union(*(options_of(directory, command) for command in COMMANDS)) | {
        'version',
        'help',
    }
    sources = pathlib.Path(__file__).parents[2] / 'tools/assay'
    for path in sorted(sources.glob('*.c')):
        for text in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text()):
            if path.name not in ('completions.c', 'modules.c'):
                named = set(re.findall(r'(?<![\w-])--([a-z][a-z-]+)', text)) - OPTIONS_OF_OTHERS
                expect(named <= known, (path.name, text, named - known))
    man = assay(directory, 'generate', 'man')[0]
    expect(
        set(re.findall(r'(?<![\w-])--([a-z][a-z-]+)', man.replace('\\-', '-'))) - OPTIONS_OF_OTHERS
        <= known,
        'the man page',
    )
    for section in (
        'NAME',
        'SYNOPSIS',
        'COMMANDS',
        'EXIT STATUS',
        'ENVIRONMENT',
        'FILES',
        'SEE ALSO',
    ):
        expect(f'\n.SH {section}\n' in man, section)
    for command in COMMANDS:
        expect(
            f'\n.SS assay {command} ' in man
            and '\nexit status:\n  ' in assay(directory, command, '--help')[0],
            command,
        )
        expect(f'\n  {command}' in assay(directory, '--help')[0], command)
    for name in ('VK_LAYER_SETTINGS_PATH', 'NO_COLOR', 'COLUMNS', 'TMPDIR'):
        expect(
            name in man.replace('\\-', '-')
            and f'\n  {name} ' in assay(directory, 'help', 'environment')[0],
            name,
        )
    expect('vk_layer_settings.txt' in assay(directory, 'help', 'files')[0], 'help files')
    expect(assay(directory, 'help', 'run')[0] == assay(directory, 'run', '--help')[0], 'help run')
    # A setting by its key.
    text, _ = assay(
        directory,
        *program(
            'environment',
            options_before=['--set', 'thread_safety=false', '--set=report_flags=error,info'],
        ),
    )
    expect(
        'VK_ASSAY_THREAD_SAFETY=false\n' in text and 'VK_ASSAY_REPORT_FLAGS=error,info\n' in text,
        text,
    )
    for wrong, message in (
        ('thread_safety', '--set takes KEY=VALUE, not "thread_safety"'),
        ('tread_safety=x', 'there is no setting "tread_safety"'),
    ):
        expect(
            message
            in assay(directory, *program('say', options_before=['--set', wrong]), status=2)[1],
            message,
        )


def check_completions(directory):
    """bash completes commands, options, values, settings with theirs, files of the right kind, and
    a program's own words."""
    (directory / 'assay.bash').write_text(assay(directory, 'generate', 'bash')[0])
    for name in ('a.jsonl', 'b.jsonl', 'c.spv', 'c.spvasm', 'c.spirit', 'd.json', 'e.txt'):
        (directory / name).write_text('')
    (directory / 'folder').mkdir()

    def complete(line, breaks=' \t\n"\'><=;|&(:'):
        script = """source ./assay.bash
COMP_WORDBREAKS=$BREAKS COMP_LINE=$LINE COMP_POINT=${#LINE}
COMP_WORDS=($LINE) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_assay
printf '%s\\n' "${COMPREPLY[@]}\""""
        done = subprocess.run(
            ['bash', '-c', script],
            cwd=directory,
            env=environment_of(directory) | {'LINE': line, 'BREAKS': breaks},
            capture_output=True,
            text=True,
        )
        expect(not done.stderr, (line, done.stderr))
        return set(done.stdout.split())

    expect(complete('assay ') == {*COMMANDS, 'help', '--help', '--version'}, complete('assay '))
    expect(complete('assay r') == {'run', 'report'}, complete('assay r'))
    expect(
        complete('assay run --s')
        == {'--sync', '--set=', '--suppress=', '--sarif=', '--symbols'}
        | ({'--safe'} & complete('assay run --s')),
        complete('assay run --s'),
    )
    expect(
        complete('assay run --preset=s') == {'standard', 'sync', 'safe'}
        and complete('assay run --preset s') == {'standard', 'sync', 'safe'},
        'presets',
    )
    expect(
        complete('assay run --preset=s', breaks=' ')
        == {'--preset=standard', '--preset=sync', '--preset=safe'},
        'where "=" ends no word',
    )
    expect(
        'thread_safety=' in complete('assay run --set=thr')
        and complete('assay run --set thread_safety=t') == {'true'},
        complete('assay run --set thread_safety=t'),
    )
    expect(
        complete('assay run --set=thread_safety=f') == {'false'}
        and {'error', 'info'} <= complete('assay run --set=report_flags='),
        complete('assay run --set=report_flags='),
    )
    expect(
        {'a.jsonl', 'e.txt', 'folder'} <= complete('assay run --json='),
        complete('assay run --json='),
    )
    expect(
        complete('assay report ') - {'tmp'} == {'a.jsonl', 'b.jsonl', 'folder'},
        complete('assay report '),
    )
    expect(
        complete('assay report --modules f') == {'folder'}
        and complete('assay report --since=a') == {'a.jsonl'},
        'report',
    )
    expect(
        complete('assay validate c') == {'c.spv', 'c.spvasm'}
        and complete('assay validate --api=1.') == {'1.0', '1.1', '1.2', '1.3', '1.4'}
        and complete('assay validate --profile=') - {'tmp'} == {'d.json', 'folder'},
        'validate',
    )
    expect(
        'bash' in complete('assay run bas')
        and 'bash' in complete('assay run --limit 3 --sync -- bas'),
        complete('assay run bas'),
    )
    expect(
        'e.txt' in complete('assay run --limit 3 bash e'), complete('assay run --limit 3 bash e')
    )
    expect({'run', 'environment', 'files'} <= complete('assay help '), 'help')


ZSHRC = r"""autoload -Uz compinit
fpath=($PWD/zsh $fpath)
compinit -u -d $PWD/.zcompdump
# The words that are offered go to a file.
compadd() {
    local -a hits
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
        builtin compadd -A hits "$@"
        (( $#hits )) && print -rl -- "${hits[@]}" >>$OUT
    fi
    builtin compadd "$@"
}
_offer() { _main_complete; compstate[list]= compstate[insert]= }
zle -C offer complete-word _offer
zle-line-init() { BUFFER=$LINE; CURSOR=$#BUFFER; zle offer; exit 0 }
zle -N zle-line-init
"""


def complete_in_zsh(directory, line):
    """On a terminal of its own: zsh completes nothing without one."""
    out = directory / 'out' / 'offered'
    out.write_text('')
    more = {
        'ZDOTDIR': str(directory / 'zsh'),
        'LINE': line,
        'OUT': str(out),
        'TERM': 'xterm',
        'LANG': 'C.UTF-8',
    }
    leader, follower = pty.openpty()
    with subprocess.Popen(
        ['zsh', '-d', '-i'],
        cwd=directory,
        env=environment_of(directory) | more,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:
        os.close(follower)
        killer = threading.Timer(HANGS, process.kill)
        killer.start()
        said = read_terminal(leader)
        killer.cancel()
    expect(process.returncode == 0, (line, said))
    return set(out.read_text().split())


def complete_in_fish(directory, line):
    done = subprocess.run(
        ['fish', '--no-config', '-c', f"source fish/assay.fish; complete --do-complete='{line}'"],
        cwd=directory,
        env=environment_of(directory),
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    expect(done.returncode == 0 and not done.stderr, (line, done.stderr))
    # (Of "--limit=x" fish offers the whole word, and of folders a name with "/".)
    return {
        re.sub(r'^--[a-z-]+=', '', offer.split('\t')[0]).rstrip('/')
        for offer in done.stdout.splitlines()
    }


def check_completions_elsewhere(directory):
    """zsh and fish complete the same, in these shells."""
    shells = {'zsh': complete_in_zsh, 'fish': complete_in_fish}
    for name in ('a.jsonl', 'b.jsonl', 'c.spv', 'c.spvasm', 'c.spirit', 'd.json', 'e.txt'):
        (directory / name).write_text('')
    for name in ('folder', 'zsh', 'fish', 'out'):
        (directory / name).mkdir()
    for shell, file in (('zsh', '_assay'), ('fish', 'assay.fish')):
        (directory / shell / file).write_text(assay(directory, 'generate', shell)[0])
    (directory / 'zsh' / '.zshrc').write_text(ZSHRC)
    folders = {'folder', 'zsh', 'fish', 'out', 'tmp'}
    missing = [shell for shell in shells if not shutil.which(shell)]
    for shell, complete in shells.items():
        if shell in missing:
            continue

        def offers(line, wanted, less=frozenset()):
            got = complete(directory, line) - less
            expect(got == set(wanted), (shell, line, got, wanted))

        offers('assay ', {*COMMANDS, 'help'})
        offers('assay r', {'run', 'report'})
        offers('assay run --s', {'--sync', '--safe', '--set', '--suppress', '--sarif', '--symbols'})
        offers('assay run --preset=s', {'standard', 'sync'})
        offers('assay run --preset s', {'standard', 'sync'})
        offers(
            'assay run --set thread_safety=t',
            {'true'} if shell == 'zsh' else {'thread_safety=true'},
        )
        offers(
            'assay run --set=thread_safety=f',
            {'false'} if shell == 'zsh' else {'thread_safety=false'},
        )
        offers(
            'assay run --set=obj',
            {'object_lifetime'}
            if shell == 'zsh'
            else {'object_lifetime=true', 'object_lifetime=false'},
        )
        offers('assay report ', {'a.jsonl', 'b.jsonl'}, folders)
        offers('assay report --since=a', {'a.jsonl'})
        offers('assay report --modules fo', {'folder'})
        offers('assay validate c', {'c.spv', 'c.spvasm'})
        offers('assay validate --api=1.', {'1.0', '1.1', '1.2', '1.3', '1.4'})
        offers('assay validate --profile=', {'d.json'}, folders)
        expect({'a.jsonl', 'e.txt', 'folder'} <= complete(directory, 'assay run --json='), shell)
        expect({'run', 'environment', 'files'} <= complete(directory, 'assay help '), shell)
        # From the program on, the words are the program's.
        for line in ('assay run bas', 'assay run --limit 3 --sync -- bas', 'assay run -q bas'):
            got = complete(directory, line)
            expect(
                'bash' in got and all(word.startswith('bas') for word in got), (shell, line, got)
            )
        offers('assay run --limit 3 bash e', {'e.txt'})
        expect(not complete(directory, 'assay run bash --sy') & {'--sync', '--symbols'}, shell)
        expect(not complete(directory, 'assay run -- bash --sy') & {'--sync', '--symbols'}, shell)
    if missing:
        print(f'no {" and no ".join(missing)} here: not tried')
        sys.exit(77)


def check_terminal(directory):
    """Lines fit the terminal, and are not broken elsewhere; where the locale has no UTF-8, text is
    ASCII."""

    def on_terminal(width, *arguments, more=None):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))
        with subprocess.Popen(
            [options.assay, *map(str, arguments)],
            cwd=directory,
            env=environment_of(directory, more),
            stdin=subprocess.DEVNULL,
            stdout=follower,
            stderr=follower,
        ):
            os.close(follower)
            said = read_terminal(leader)
        return re.sub('\033\\[[0-9;]*m', '', said.decode()).replace('\r\n', '\n')

    def longest(text):
        return max(len(line) for line in text.splitlines() if '://' not in line and '/' not in line)

    what = program('start', 'useless', 'end')
    said = on_terminal(60, *what)
    expect(
        50 <= longest(said) <= 60
        and '    spec    If the pNext chain does not include a\n            VkBuffer' in said,
        said,
    )
    expect('The layer was on for 1 instance and 1 device, and\n       checked' in said, said)
    expect(longest(on_terminal(60, *what, more={'COLUMNS': '120'})) > 100, 'COLUMNS wins')
    expect(
        longest(assay(directory, *what, environment={'COLUMNS': '60'})[1]) > 100,
        'a pipe is not wrapped',
    )
    for command in COMMANDS:
        text = on_terminal(70, command, '--help')
        lines = [
            line
            for line in text.split('\nexamples:')[0].splitlines()
            if not line.startswith('usage')
        ]
        expect(max(map(len, lines)) <= 70, (command, max(lines, key=len)))
        expect(
            max(
                map(
                    len, assay(directory, command, '--help')[0].split('\nexamples:')[0].splitlines()
                )
            )
            <= 120,
            command,
        )
    # The doctor's verdicts go on below where their text begins; words stay whole, and a pipe has
    # one line each.
    wrong = {'VK_LOADER_DRIVERS_DISABLE': 'nothing*'}
    said, plain = (
        on_terminal(60, 'doctor', more=wrong),
        assay(directory, 'doctor', environment=wrong)[0],
    )
    expect(
        longest(said) <= 60
        and '\n' + ' ' * 22 in said
        and longest(plain) > 60
        and '\n ' not in plain,
        said,
    )
    verdicts = re.sub('\n {22}', ' ', said).splitlines()
    expect(verdicts == plain.splitlines(), (verdicts, plain))
    # Names of the program's are shown as they are, or as ASCII.
    for locale, name in (
        ({'LC_ALL': 'C.UTF-8'}, 'Gr\u00f6\u00dfe \u2192 5'),
        ({'LC_ALL': 'C'}, 'Gr??e -> 5'),
        ({'LC_ALL': '', 'LC_CTYPE': '', 'LANG': 'en_US.UTF-8'}, 'Gr\u00f6\u00dfe \u2192 5'),
        ({'LC_ALL': '', 'LC_CTYPE': '', 'LANG': ''}, 'Gr??e -> 5'),
    ):
        _, said = assay(
            directory,
            *program(
                'start',
                'name Gr\u00f6\u00dfe \u2192 5',
                'empty',
                'end',
                options_before=['--all', f'--json={directory}/found.jsonl'],
            ),
            environment=locale,
        )
        expect(said.count(f'"{name}"') == 2, (locale, said))
        done = subprocess.run(
            [options.assay, 'report', 'found.jsonl'],
            cwd=directory,
            env=environment_of(directory, locale),
            capture_output=True,
            text=True,
        )
        expect(f'"{name}"' in done.stdout, done.stdout)
    expect('Gr\u00f6\u00dfe' in (directory / 'found.jsonl').read_text(), 'files have it whole')
