#!/usr/bin/env python3
"""Installs the debug information of what `meson install` strips, where debuggers look for it.

  install_debug.py LIBDIR FILE...

FILE is an ELF file of the build directory. Its debug information goes to
PREFIX/LIBDIR/debug/.build-id/xx/yyyy.debug, by the build id that the stripped copy keeps.
Meson runs this as an install script, with MESON_INSTALL_DESTDIR_PREFIX in the environment.
"""

import os
import re
import subprocess
import sys


def build_id(path):
    notes = subprocess.run(
        ['readelf', '-n', path], check=True, capture_output=True, text=True
    ).stdout
    found = re.search(r'Build ID: ([0-9a-f]+)', notes)
    return found[1] if found else None


def main():
    top = os.path.join(os.environ['MESON_INSTALL_DESTDIR_PREFIX'], sys.argv[1], 'debug/.build-id')
    for path in sys.argv[2:]:
        name = build_id(path)
        if not name:
            print(f'{path} has no build id: its debug information is not installed')
            continue
        directory = os.path.join(top, name[:2])
        os.makedirs(directory, exist_ok=True)
        target = os.path.join(directory, name[2:] + '.debug')
        subprocess.run(['objcopy', '--only-keep-debug', path, target], check=True)
        os.chmod(target, 0o644)
        print(f'Installing debug information of {os.path.basename(path)} to {target}')


if __name__ == '__main__':
    main()
