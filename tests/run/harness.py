"""How the tool is run, and what its programs are found to do wrong: for run.py and the files of
checks beside it."""

import argparse
import os
import pathlib
import subprocess

TOP = pathlib.Path(__file__).parents[2]
RUN_MD = TOP / 'docs/run.md'
HANGS = 600  # seconds, after which a program is taken to hang
options = argparse.Namespace()  # of run.py


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def environment_of(directory, more=None):
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith('VK_') and k not in ('DISPLAY', 'WAYLAND_DISPLAY', 'NO_COLOR')
    }
    (directory / 'tmp').mkdir(exist_ok=True)
    return (
        environment
        | {
            'VK_DRIVER_FILES': options.driver,
            'HOME': str(directory),
            'XDG_RUNTIME_DIR': str(directory),
            'TMPDIR': str(directory / 'tmp'),
            'ASAN_OPTIONS': 'detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_abort=0',
        }
        | (more or {})
    )


def assay(directory, *arguments, status=0, environment=None, tool=None):
    """(standard output, standard error). Whatever happens, no temporary file is left."""
    done = subprocess.run(
        [tool or options.assay, *map(str, arguments)],
        cwd=directory,
        env=environment_of(directory, environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANGS,
    )
    text, said = done.stdout.decode(), done.stderr.decode()
    expect(
        done.returncode == status,
        f'{arguments} ends with {status}, not with {done.returncode}\n{text}\n{said}',
    )
    expect(
        not [path for path in (directory / 'tmp').iterdir() if path.name.startswith('assay-run')],
        'no temporary file is left',
    )
    return text, said


CHECKED = (
    '       The layer was on for 1 instance and 1 device, and checked stateless, lifetimes, '
    'threads, core, shaders; not sync (--sync), gpu (--gpu).\n'
)


def program(*what, options_before=()):
    return ['run', *options_before, '--', options.program, *what]


EMPTY = 'VUID-VkBufferCreateInfo-size-00912'
USELESS = 'VUID-VkBufferCreateInfo-None-09500'
HAZARD = 'SYNC-HAZARD-READ-AFTER-WRITE'
