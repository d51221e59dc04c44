#!/usr/bin/env python3
"""Compares the versions of other packages that are known to work with those that are here.

  versions.py [NAME...]                  a line for each: the known version, and the one here
  versions.py --unknown NAME...          how they are not the known ones, if so, with status 77
  versions.py --of NAME... -- COMMAND    runs a test that states facts of these packages

A test that fails with the known versions fails. Where another version is here, what it states may
be what has changed: then its output is followed by a line that says so, and it counts as skipped.
The packages are those of tools/dev/known-versions."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

KNOWN = pathlib.Path(__file__).resolve().parent.parent / 'tools/dev/known-versions'
SKIP = 77  # Meson's status of a test that a machine cannot run
PEER_MANIFEST = '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json'
SOFTWARE_DRIVER = '/usr/share/vulkan/icd.d/lvp_icd.json'


def known():
    """{name: version}"""
    lines = [line.split() for line in KNOWN.read_text().splitlines()]
    return {line[0]: line[1] for line in lines if line and not line[0].startswith('#')}


def output(*command, **environment):
    """Returns what a program prints; nothing where it is not there."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env=os.environ | environment,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ''


def in_text(pattern, text):
    match = re.search(pattern, text, re.M)
    return match[1] if match else None


def of_headers():
    """As the compiler finds them."""
    directory = output('pkg-config', '--variable=includedir', 'vulkan').strip() or '/usr/include'
    try:
        text = pathlib.Path(directory, 'vulkan/vulkan_core.h').read_text()
    except OSError:
        return None
    complete = re.search(r'VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION\(0, (\d+), (\d+)', text)
    last = in_text(r'define VK_HEADER_VERSION (\d+)', text)
    return f'{complete[1]}.{complete[2]}.{last}' if complete and last else None


def of_khronos_layer(manifest=PEER_MANIFEST):
    try:
        return json.loads(pathlib.Path(manifest).read_text())['layer']['api_version']
    except (OSError, ValueError, KeyError):
        return None


def of_mesa():
    """Returns the version of the software driver, as it says itself."""
    clean = {name: '' for name in os.environ if name.startswith('VK_')}
    alone = {'VK_DRIVER_FILES': SOFTWARE_DRIVER, 'VK_LOADER_LAYERS_DISABLE': '~all~'}
    text = output('vulkaninfo', '--summary', **(clean | alone))
    return in_text(r'driverInfo\s*= Mesa (\d[\d.]*)', text)


def of_debian(package):
    return in_text(r'^(\d[\d.]*\d)', output('dpkg-query', '-W', '-f', '${Version}', package))


def said_by(pattern, *command):
    return in_text(pattern, output(*command))


FOUND = {
    'gcc': lambda: said_by(r'^(\d[\d.]*)', 'gcc', '-dumpfullversion'),
    'clang': lambda: said_by(r'version (\d[\d.]*)', 'clang', '--version'),
    'glibc': lambda: said_by(r'(\d[\d.]*)$', 'getconf', 'GNU_LIBC_VERSION'),
    'clang-format': lambda: said_by(r'version (\d[\d.]*)', 'clang-format', '--version'),
    'ruff': lambda: said_by(r'ruff (\d[\d.]*)', 'ruff', '--version'),
    'mypy': lambda: said_by(r'mypy (\d[\d.]*)', 'mypy', '--version'),
    'vulkan-headers': of_headers,
    'vulkan-loader': lambda: said_by(r'^(\d[\d.]*)', 'pkg-config', '--modversion', 'vulkan'),
    'khronos-layer': of_khronos_layer,
    'mesa': of_mesa,
    'glslang': lambda: said_by(
        r'Glslang Version: (?:\d+:)?(\d[\d.]*)', 'glslangValidator', '--version'
    ),
    'spirv-tools': lambda: said_by(r'SPIRV-Tools v?(\d[\d.]*)', 'spirv-val', '--version'),
    'vulkan-tools': lambda: of_debian('vulkan-tools'),
    'chromium': lambda: said_by(r'(\d+\.\d[\d.]*)', 'chromium', '--version'),
    'nodejs': lambda: said_by(r'v(\d[\d.]*)', 'node', '--version'),
}


def is_known(wanted, here):
    return here is not None and (here == wanted or here.startswith(wanted + '.'))


def unknown(*names):
    """Returns words for those packages that are not the known ones: 'mesa is 27.0.1 here, and 26.1
    is known'. One that is not found explains nothing."""
    wanted, said = known(), []
    for name in names:
        here = FOUND[name]() if name in wanted else None
        if name not in wanted:
            said.append(f'{name} is not known')
        elif here and not is_known(wanted[name], here):
            said.append(f'{name} is {here} here, and {wanted[name]} is known')
    return '; '.join(said)


def check_itself():
    assert is_known('16', '16.2.0') and is_known('1.4.363', '1.4.363')
    assert not is_known('16', '161.0') and not is_known('1.4.363', '1.4.36')
    assert not is_known('16', None)
    assert known().keys() == FOUND.keys(), known().keys() ^ FOUND.keys()


def run_test(names, command):
    # Meson names what runs programs that were built for another machine.
    wrapper = shlex.split(os.environ.get('MESON_EXE_WRAPPER', ''))
    status = subprocess.run(wrapper + command, check=False).returncode
    text = unknown(*names) if status not in (0, SKIP) else ''
    if text:
        print(f'skipped: it failed ({status}), and {text}')
    return SKIP if text else status if status >= 0 else 128 - status


def main():
    check_itself()
    arguments, wanted = sys.argv[1:], known()
    if arguments[:1] == ['--of']:
        end = arguments.index('--')
        return run_test(arguments[1:end], arguments[end + 1 :])
    if arguments[:1] == ['--unknown']:
        text = unknown(*arguments[1:])
        print(text, end='')
        return SKIP if text else 0
    for name in arguments or wanted:
        here = FOUND[name]()
        mark = '' if is_known(wanted[name], here) else 'not known'
        print(f'{name:15} {wanted[name]:10} {here or "not found":12} {mark}'.rstrip())
    return 0


if __name__ == '__main__':
    sys.exit(main())
