#!/usr/bin/env python3
"""Makes the shaders of scenarios, many in a file.  assemble.py --as SPIRV_AS [--glslang GLSLANG]
--out HEADER FILE...

A FILE holds modules, each after a line `;; NAME [ENVIRONMENT]`: assembly, for spirv-as's
environment (default vulkan1.3), which says what no compiler would; or GLSL, where ENVIRONMENT is a
stage as glslang knows it (vert, frag, comp ...), with `+g` or `+gVS` for debug information of
either kind (the file is then called NAME.STAGE, and its first line is the `#version` that is added
here), and `+vulkan1.0` for a target other than vulkan1.3. The header has `static const uint32_t
spirv_NAME[]` of each. Text before the first module is a comment, or, after a line `;; macro MACRO`,
lines that stand where a module says `@MACRO`.

With ASSAY_SHADER_CACHE in the environment, headers are kept in that directory under a hash of all
that they are made from: CI makes them for one of its four builds."""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

STAGES = (
    'vert',
    'tesc',
    'tese',
    'geom',
    'frag',
    'comp',
    'task',
    'mesh',
    'rgen',
    'rahit',
    'rchit',
    'rmiss',
    'rint',
    'rcall',
)
HEAD = re.compile(r'^;; (macro )?(\w+)(?: ([\w.+]+))?\s*$')


def read(path):
    modules, macros, target = [], {}, []
    for line in open(path, encoding='utf-8'):
        head = HEAD.match(line)
        if head and head[1]:
            target = macros.setdefault(head[2], [])
        elif head:
            target = []
            modules.append((head[2], head[3] or 'vulkan1.3', target))
        elif line.strip().startswith('@'):
            name = line.strip()[1:]
            if name not in macros:
                sys.exit(f'{path}: no macro {name}')
            target.extend(macros[name])
        else:
            target.append(line)
    return modules


def compile_glsl(args, name, stage, options, text):
    """In a directory of its own, so that debug information names the file without one, and comes
    out the same each time."""
    target = next((option for option in options if option.startswith('vulkan')), 'vulkan1.3')
    debug = ['-' + option for option in options if option in ('g', 'gVS')]
    with tempfile.TemporaryDirectory() as directory:
        source, output = (
            pathlib.Path(directory, f'{name}.{stage}'),
            pathlib.Path(directory, 'out.spv'),
        )
        source.write_text('#version 460\n' + text, encoding='utf-8')
        done = subprocess.run(
            [
                args.glslang,
                '--quiet',
                *debug,
                '--target-env',
                target,
                '-V',
                '-o',
                output.name,
                source.name,
            ],
            cwd=directory,
            capture_output=True,
            check=False,
        )
        binary = output.read_bytes() if output.exists() else b''
        # -gVS notes the directory that it worked in, which has another name each time.
        return (
            done.returncode,
            binary.replace(directory.encode(), b'x' * len(directory.encode())),
            done.stdout.decode(),
        )


def make(args, name, environment, text):
    stage, *options = environment.split('+')
    if stage in STAGES:
        return compile_glsl(args, name, stage, options, text)
    done = subprocess.run(
        [args.assembler, '--target-env', environment, '-o', '-', '-'],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode()


def cached_path(args):
    """Where the cache has, or shall have, the header; None without a cache."""
    directory = os.environ.get('ASSAY_SHADER_CACHE')
    if not directory:
        return None
    key = hashlib.sha256()
    for program in (args.assembler, args.glslang):
        found = shutil.which(program)
        status = os.stat(found) if found else None
        key.update(repr((found, status and (status.st_size, status.st_mtime_ns))).encode())
    for path in (__file__, *args.files):
        text = pathlib.Path(path).read_bytes()
        key.update(b'%d ' % len(text) + text)
    return pathlib.Path(directory, key.hexdigest())


def keep(header, path):
    """Puts a header into the cache, and takes out what nothing has asked for in a month."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for other in path.parent.iterdir():
            if other.stat().st_mtime < time.time() - 30 * 24 * 3600:
                other.unlink(missing_ok=True)
        temporary = path.with_name(f'{path.name}.{os.getpid()}')
        shutil.copyfile(header, temporary)
        os.replace(temporary, path)
    except OSError:
        pass  # a cache that cannot be written is no cache


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('--as', dest='assembler', required=True)
    parser.add_argument('--glslang', default='glslangValidator')
    parser.add_argument('--out', required=True)
    parser.add_argument('files', nargs='+')
    args = parser.parse_args()
    kept = cached_path(args)
    if kept and kept.exists():
        shutil.copyfile(kept, args.out)
        os.utime(kept)
        return
    assemble(args)
    if kept:
        keep(args.out, kept)


def assemble(args):
    with (
        open(args.out, 'w', encoding='utf-8') as out,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers,
    ):
        for path in args.files:
            modules = [
                (name, lines, workers.submit(make, args, name, environment, ''.join(lines)))
                for name, environment, lines in read(path)
            ]
            for name, lines, job in modules:
                status, code, error = job.result()
                if status:
                    sys.exit(
                        f'{path}: {name}: {error}\n'
                        + ''.join(f'{i:3} {line}' for i, line in enumerate(lines, 1))
                    )
                words = struct.unpack(f'<{len(code) // 4}I', code)
                out.write(
                    f'__attribute__((unused)) static const uint32_t spirv_{name}[] = '
                    f'{{{",".join(map(hex, words))}}};\n'
                )


if __name__ == '__main__':
    main()
