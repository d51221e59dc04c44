#!/usr/bin/env python3
"""Tests what the built layer asks of the system that loads it: one test each, on the file itself.

  layer_library.py LIBRARY [--sanitized | --helper | --tool] [--asserts] [--unknown-compiler NAME]

libc and libm only; nothing newer than glibc 2.34; the loader's names exported and no others; no
static constructors or destructors of ours; little thread-local storage; at most 6.5 MB stripped. A
sanitizer build is checked for its exports only. --helper: the library with SPIRV-Tools in it, which
exports two functions, and whose C++ has constructors. --tool: the program `assay`, which needs what
the library needs, and exports nothing. --asserts: a build with -Dasserts=true. All others have
none: what is installed pays nothing for them. --unknown-compiler: a compiler that is not in
tools/dev/known-versions made it. What a compiler decides is then printed, and fails nothing: the
sizes, and what runs at load. So it is with the versions of symbols and another C library."""

import os
import re
import subprocess
import sys
import tempfile

import versions

SIZE_LIMIT = 6_600_000
# Thread-local storage that is part of every thread from its start: a library that is loaded late
# has little room for it.
TLS_LIMIT = 256
GLIBC_LIMIT = (2, 34)
LIBRARIES = {'libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2'}
EXPORTS = {
    'vkNegotiateLoaderLayerInterfaceVersion',
    'vkGetInstanceProcAddr',
    'vkGetDeviceProcAddr',
    'vkEnumerateInstanceLayerProperties',
    'vkEnumerateInstanceExtensionProperties',
}
HELPER_EXPORTS = {'assay_spirv_assemble', 'assay_spirv_validate'}
# The compiler's own start files put these into every shared library.
COMPILER_INIT = {'frame_dummy', '__do_global_dtors_aux'}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(library):
    names = {
        line.split()[-1].split('@')[0]
        for line in output('nm', '-D', '--defined-only', library).splitlines()
    }
    return names == (
        HELPER_EXPORTS if '--helper' in sys.argv else EXPORTS
    ), f'exported: {sorted(names)}'


def needed(library):
    names = set(re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-d', library)))
    return names <= LIBRARIES, f'needs: {sorted(names)}'


def glibc(library):
    versions = {
        tuple(map(int, v.split('.')))
        for v in re.findall(r'GLIBC_([\d.]+)', output('readelf', '--version-info', library))
    }
    abi = re.findall(r'GLIBC_ABI_\w+', output('readelf', '--version-info', library))
    return max(
        versions
    ) <= GLIBC_LIMIT and not abi, f'newest glibc version: {max(versions)}, abi marks: {abi}'


def constructors(library):
    """The addresses in .init_array and .fini_array, by symbol; the compiler's own do nothing
    here."""
    symbols = {}
    for line in output('nm', library).splitlines():
        fields = line.split()
        if len(fields) == 3:
            symbols.setdefault(int(fields[0], 16), fields[2])
    found = []
    sections = output('readelf', '-S', '-W', library)
    relocations = output('readelf', '-r', '-W', library)
    for section in ('.init_array', '.fini_array'):
        match = re.search(rf'{re.escape(section)}\s+\w+\s+(\w+)\s+\w+\s+(\w+)', sections)
        if not match:
            continue
        start, size = int(match[1], 16), int(match[2], 16)
        for offset, addend in re.findall(
            r'^(\w+)\s+\w+\s+R_X86_64_RELATIVE\s+(\w+)', relocations, re.M
        ):
            if start <= int(offset, 16) < start + size:
                found.append(symbols.get(int(addend, 16), addend))
    return set(found) <= COMPILER_INIT, f'run at load or unload: {found}'


def size(library):
    with tempfile.TemporaryDirectory() as directory:
        stripped = os.path.join(directory, 'stripped.so')
        subprocess.run(['strip', '-o', stripped, library], check=True)
        length = os.path.getsize(stripped)
    return length <= SIZE_LIMIT, f'{length} bytes stripped, limit {SIZE_LIMIT}'


def thread_local(library):
    segment = re.search(
        r'^\s*TLS\s+(?:0x\w+\s+){4}0x(\w+)', output('readelf', '-l', '-W', library), re.M
    )
    length = int(segment[1], 16) if segment else 0
    return length < TLS_LIMIT, f'{length} bytes of every thread, limit {TLS_LIMIT}'


def asserts(library):
    there = '__assert_fail' in output('nm', '-D', '--undefined-only', library)
    return there == (
        '--asserts' in sys.argv
    ), 'contracts are asserted' if there else 'no assert is in it'


def decided_by_another(test):
    """Returns words for the compiler or glibc that decides the fact of this test, where it is not
    the known one."""
    if test in (size, thread_local, constructors) and '--unknown-compiler' in sys.argv:
        return (
            f' (made by {sys.argv[sys.argv.index("--unknown-compiler") + 1]}, which is not known)'
        )
    unknown = versions.unknown('glibc') if test is glibc else ''
    return f' ({unknown})' if unknown else ''


def main():
    library = sys.argv[1]
    tests = [exports, asserts]
    if '--sanitized' not in sys.argv:
        tests += [needed, glibc, constructors, thread_local, size]
    if '--helper' in sys.argv:
        tests = [exports, needed, glibc, thread_local, size]
    if '--tool' in sys.argv:
        tests = [needed, glibc, size]
    failed = skipped = 0
    for test in tests:
        good, text = test(library)
        other = '' if good else decided_by_another(test)
        print(
            f'{"ok" if good else "skipped" if other else "FAILED"}: {test.__name__}: {text}{other}'
        )
        skipped += bool(other)
        failed += not good and not other
    print(f'{len(tests) - failed - skipped} passed, {skipped} skipped, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
