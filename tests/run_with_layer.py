#!/usr/bin/env python3
"""Checks what the layer says of a program: nothing, or exactly what a golden file has.

  run_with_layer.py --layer-path DIRECTORY --driver MANIFEST [--setting KEY=VALUE]...
  [--golden FILE] [--output FILE] [--update] PROGRAM [ARGUMENTS]

The program must end with status 0, with the layer loaded; with 77 it is skipped. Without --golden
there must be no finding. With it, the log must be the file's text, less what differs from one
machine and registry to the next: addresses, and the text of the specification. Run once with ids
and once with the driver's own handles, where the same findings may be worded with less
knowledge."""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77  # of a program that this machine cannot run


def run(options, unique_handles):
    """(log, how many findings, standard output). Ends the test where the program does not run as it
    should."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        log, lines, loader = directory / 'log', directory / 'findings.jsonl', directory / 'loader'
        environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith('VK_') and k not in ('DISPLAY', 'WAYLAND_DISPLAY')
        }
        environment |= {
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
            'VK_ADD_LAYER_PATH': options.layer_path,
            'VK_DRIVER_FILES': options.driver,
            'VK_LOADER_DEBUG': 'layer',
            'HOME': name,
            'XDG_RUNTIME_DIR': name,
            'VK_ASSAY_LOG_FILENAME': str(log),
            'VK_ASSAY_JSON_FILENAME': str(lines),
            'VK_ASSAY_UNIQUE_HANDLES': unique_handles,
        }
        for setting in options.setting:
            key, _, value = setting.partition('=')
            environment[f'VK_ASSAY_{key.upper()}'] = value
        with open(loader, 'wb') as errors:
            done = subprocess.run(
                [options.program, *options.arguments],
                cwd=directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        text = log.read_text() if log.exists() else ''
        said = loader.read_text(errors='replace')
        if done.returncode == SKIP:
            print(done.stdout.decode(errors='replace'))
            sys.exit(SKIP)
        if done.returncode:
            raise SystemExit(
                f'unique_handles={unique_handles}: {options.program} ended with '
                f'{done.returncode}\n{text}\n{said[-2000:]}'
            )
        if not re.search('Insert instance layer "VK_LAYER_ASSAY_validation"', said):
            raise SystemExit(f'the loader did not load the layer:\n{said[-2000:]}')
        return (
            text,
            len(lines.read_text().splitlines()) if lines.exists() else 0,
            done.stdout.decode(errors='replace'),
        )


def without_what_differs(text):
    text = re.sub(r'\S*/(\S+)\+0x[0-9a-f]+', r'\1+OFFSET', text)
    text = re.sub(
        r'^ {12}\S+\+OFFSET\n', '', text, flags=re.M
    )  # outer callers: as many as the compiler did not inline
    text = re.sub(r'\b0x[0-9a-f]+\b', 'HANDLE', text)
    return re.sub(
        r'^    spec    .*?(?=^            https:)',
        '    spec    (its text)\n',
        text,
        flags=re.S | re.M,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--layer-path', required=True)
    parser.add_argument('--driver', required=True)
    parser.add_argument('--setting', action='append', default=[], help='of the layer: KEY=VALUE')
    parser.add_argument('--golden', type=pathlib.Path)
    parser.add_argument('--output', type=pathlib.Path, help='what the program prints itself')
    parser.add_argument('--update', action='store_true', help='write the golden file')
    parser.add_argument('program')
    parser.add_argument('arguments', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.program = shutil.which(options.program) or parser.error(f'no program {options.program}')
    options.program = os.path.abspath(options.program)  # it runs elsewhere
    for unique_handles in ('true', 'false'):
        log, findings, output = run(options, unique_handles)
        if options.output and options.update:
            options.output.write_text(output)
        if options.output and output != options.output.read_text():
            raise SystemExit(
                f'unique_handles={unique_handles}: prints\n{output}\nand not what '
                f'{options.output} has'
            )
        if not options.golden:
            if findings or log:
                raise SystemExit(f'unique_handles={unique_handles}: {findings} findings\n{log}')
            continue
        log = without_what_differs(log)
        if options.update and unique_handles == 'true':
            options.golden.write_text(log)
        golden = options.golden.read_text()
        if unique_handles == 'false':
            log, golden = (
                ''.join(re.findall(r'^Assay .*\n', text, flags=re.M)) for text in (log, golden)
            )
        if log != golden:
            print(
                ''.join(
                    difflib.unified_diff(
                        golden.splitlines(True),
                        log.splitlines(True),
                        str(options.golden),
                        'this run',
                    )
                )
            )
            raise SystemExit(f'unique_handles={unique_handles}: not what the golden file has')


if __name__ == '__main__':
    sys.exit(main())
