"""A cache keeps what generate.py made, for the next run with the same inputs.

`./dev` makes several builds, and each generates the same files. ASSAY_GENERATED_CACHE names a
directory in which the outputs of a run are kept, under a hash of all that the run may read: every
file of registry/, the vendor's registry and grammar, READ_BESIDES, files that arguments name, and
Python itself. watch() sees which files a run opens. One that the hash lacks fails the generation,
so that the list stays complete."""

import glob
import hashlib
import importlib.util
import json
import os
import sys
import time
import zlib

from model.places import REGISTRY, ROOT

# Generators read these files of the checkout, outside of registry/.
READ_BESIDES = ('src/stateless/*.c', 'tests/generated/row_texts.txt', 'tests/null-driver/*.c')
# An entry that nobody has asked for so long is removed. Work of a few days has some hundred
# megabytes of them.
UNUSED_AFTER = 3 * 24 * 3600


def _files(directory, *patterns):
    found = (
        path
        for pattern in patterns
        for path in glob.glob(os.path.join(directory, pattern), recursive=True)
    )
    return sorted(path for path in found if os.path.isfile(path))


def _inputs(args):
    """(name, path) of each file; the name is the same in every checkout and build directory."""
    for path in _files(REGISTRY, '*.*', '**/*.py', '*/**/*.toml', 'rooms/**/*.mako') + _files(
        ROOT, *READ_BESIDES
    ):
        yield os.path.relpath(path, ROOT), path
    for path in _files(args.registry, '*.*', 'spec_tools/*.py'):
        yield f'registry: {os.path.relpath(path, args.registry)}', path
    if args.spirv:
        yield 'spirv', os.path.join(args.spirv, 'spirv.core.grammar.json')
    for define in args.define:
        name, value = define.split('=', 1)
        if os.path.isabs(value):
            yield f'define {name}', value


def _tools():
    """Python and Mako, as far as a file can tell one version from another."""
    mako = os.stat(importlib.util.find_spec('mako').origin)
    return f'{sys.version} mako {mako.st_size} {mako.st_mtime_ns}'


class Kept:
    """The entry of one run of generate.py. It does nothing without a cache."""

    def __init__(self, args):
        self.args = args
        self.inputs = list(_inputs(args))
        directory = os.environ.get('ASSAY_GENERATED_CACHE')
        self.path = directory and os.path.join(directory, self._key())

    def _key(self):
        args = self.args
        digest = hashlib.sha256(_tools().encode())
        templates = [os.path.relpath(os.path.abspath(path), REGISTRY) for path in args.templates]
        words = [x for x in args.define if not os.path.isabs(x.split('=', 1)[1])]
        digest.update(repr((templates, args.parts, words, args.spirv is not None)).encode())
        for name, path in self.inputs:
            with open(path, 'rb') as f:
                text = f.read()
            digest.update(f'{name} {len(text)} '.encode())
            digest.update(text)
        return digest.hexdigest()

    def _placed(self, path):
        """A path as it is kept: (what it is relative to, the rest)."""
        for name in ('registry', 'spirv'):
            base = getattr(self.args, name)
            if base and path.startswith(os.path.join(base, '')):
                return name, os.path.relpath(path, base)
        return 'root', os.path.relpath(path, ROOT)

    def _found(self, name, rest):
        return os.path.normpath(
            os.path.join(ROOT if name == 'root' else getattr(self.args, name), rest)
        )

    def take(self):
        """Returns an entry: ({output: text}, [source], notes), or None where there is none."""
        try:
            with open(self.path, 'rb') as f:
                outputs, sources, notes = json.loads(zlib.decompress(f.read()))
            os.utime(self.path)
        except (OSError, TypeError, ValueError, zlib.error):
            return None
        return outputs, [self._found(*source) for source in sources], notes

    def keep(self, outputs, sources, notes):
        """Makes an entry: another run sees all of it or nothing."""
        if not self.path:
            return
        entry = json.dumps((outputs, [self._placed(path) for path in sorted(sources)], notes))
        directory, temporary = os.path.dirname(self.path), f'{self.path}.{os.getpid()}'
        try:
            os.makedirs(directory, exist_ok=True)
            with open(temporary, 'wb') as f:
                f.write(zlib.compress(entry.encode(), 1))
            os.replace(temporary, self.path)
            for other in os.scandir(directory):
                if other.stat().st_mtime < time.time() - UNUSED_AFTER:
                    os.remove(other.path)
        except OSError:
            pass  # A cache that cannot be written is no cache.

    def watch(self):
        """Notes from now on which files of the checkout are opened."""
        self.opened = set()

        def hear(event, arguments):
            if event == 'open' and isinstance(arguments[0], str):
                self.opened.add(arguments[0])

        sys.addaudithook(hear)

    def unknown(self):
        """Files of the checkout that the run has opened, and that the hash does not have."""
        known = {os.path.realpath(path) for _, path in self.inputs}
        opened = {os.path.realpath(path) for path in self.opened}
        return sorted(
            path
            for path in opened - known
            if path.startswith(os.path.join(ROOT, '')) and '__pycache__' not in path
        )
