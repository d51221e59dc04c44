#!/usr/bin/env python3
"""Checks that what `meson install` installs is small, whole and findable.

  install.py BUILD LIBDIR [--unknown-compiler NAME]

Installs the build directory into an empty one, and looks at the result: files and their places,
their sizes, the way from each manifest to its library, and the debug information by build id.
--unknown-compiler: the sizes are printed and fail nothing, as a compiler that is not known made
them."""

import json
import os
import re
import subprocess
import sys
import tempfile

# Everything but debug information. The library and its helper have limits of their own.
SIZE_LIMIT = 20_000_000

failed = 0
passed = 0


def check(good, text):
    global failed, passed
    passed += bool(good)
    failed += not good
    print(f'{"ok" if good else "FAILED"}: {text}')


def sections(path):
    return subprocess.run(
        ['readelf', '-S', '-W', path], check=True, capture_output=True, text=True
    ).stdout


def build_id(path):
    notes = subprocess.run(
        ['readelf', '-n', path], check=True, capture_output=True, text=True
    ).stdout
    return re.search(r'Build ID: ([0-9a-f]+)', notes)[1]


def main():
    build, libdir, *unknown = sys.argv[1:]
    with tempfile.TemporaryDirectory() as top:
        subprocess.run(
            ['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', top],
            check=True,
        )
        prefix = os.path.join(top, 'usr/local')
        libraries = os.path.join(prefix, libdir)
        programs = [
            os.path.join(libraries, 'libVkLayer_assay.so'),
            os.path.join(libraries, 'libVkLayer_assay_spirv.so'),
            os.path.join(prefix, 'bin/assay'),
        ]
        for path in programs:
            check(os.path.exists(path), f'{path[len(top) :]} is installed')
            check(
                '.debug_info' not in sections(path),
                f'{path[len(top) :]} is stripped: {os.path.getsize(path)} bytes',
            )
            name = build_id(path)
            debug = os.path.join(libraries, 'debug/.build-id', name[:2], name[2:] + '.debug')
            check(
                os.path.exists(debug) and '.debug_info' in sections(debug),
                f'its debug information is at {debug[len(top) :]}',
            )
        for manifest in [
            'share/vulkan/explicit_layer.d/VkLayer_assay.json',
            'share/assay/khronos/VkLayer_khronos_validation.json',
        ]:
            path = os.path.join(prefix, manifest)
            with open(path, encoding='utf-8') as file:
                library = json.load(file)['layer']['library_path']
            found = os.path.realpath(os.path.join(os.path.dirname(path), library))
            check(
                found == os.path.realpath(programs[0]),
                f'{manifest} leads to the library by {library}',
            )
        size = sum(
            os.path.getsize(os.path.join(directory, name))
            for directory, _, names in os.walk(top)
            for name in names
            if '/debug/' not in directory
        )
        check(
            size <= SIZE_LIMIT or unknown,
            (
                f'all files but debug information: {size} bytes, limit '
                f'{SIZE_LIMIT}{" for known compilers" if unknown else ""}'
            ),
        )
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
