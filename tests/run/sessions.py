"""Recorded sessions on a terminal, which are what happens. run.py runs its checks."""

import difflib
import os
import re
import subprocess

from harness import HANGS, RUN_MD, TOP, USELESS, environment_of, expect, options


def without_what_differs(text):
    text = re.sub(r'(\S+)\+0x[0-9a-f]+', r'\1+OFFSET', text)
    text = re.sub(r'\b0x[0-9a-f]+\b', 'HANDLE', text)
    return re.sub(r'\S*/(\w+\.c):\d+', r'\1:LINE', text).replace('), core dumped', ')')


def replay(directory, path, session, more=None):
    """The terminal session that a file has is what happens. `session`: where in its text it
    stands."""
    text = path.read_text()
    (directory / 'renderer').symlink_to(options.program)
    for name in ('assay',):
        (directory / 'bin').mkdir()
        (directory / 'bin' / name).write_text(f'#!/bin/sh\nexec {options.assay} "$@"\n')
        (directory / 'bin' / name).chmod(0o755)
    environment = environment_of(directory, more) | {
        'PATH': f'{directory}/bin:{os.environ["PATH"]}'
    }
    now = ''
    for command in re.findall(r'^\$ (.*)\n', session[1], re.M):
        done = subprocess.run(
            ['bash', '-c', command],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANGS,
        )
        now += f'$ {command}\n{done.stdout.decode()}'
    if options.update:
        path.write_text(text[: session.start(1)] + now + text[session.end(1) :])
        return
    if without_what_differs(now) != without_what_differs(session[1]):
        print(
            ''.join(
                difflib.unified_diff(
                    without_what_differs(session[1]).splitlines(True),
                    without_what_differs(now).splitlines(True),
                    str(path),
                    'this run',
                )
            )
        )
        raise SystemExit(
            f"not what {path} has; tests/run/run.py --update with this test's name records it again"
        )


def check_session(directory):
    """The terminal session of docs/run.md is what happens."""
    session = re.search(
        r'<!-- recorded: tests/run/run\.py -->\n```console\n(.*?)```\n', RUN_MD.read_text(), re.S
    )
    expect(session, 'docs/run.md has a recorded session')
    replay(directory, RUN_MD, session)


def check_muted_session(directory):
    """A golden file has all that a user sees of a session in which labels, tags and a suppression
    silence something."""
    path = TOP / 'tests/golden/muted_session.txt'
    (directory / 'known.supp').write_text(
        f'# Nobody knows what it is for.\n{USELESS}\n    caller  create_useless_*\n'
    )
    replay(
        directory,
        path,
        re.search(r'(?s)(.*)', path.read_text()),
        {'VK_ADD_LAYER_PATH': options.layer_path},
    )
