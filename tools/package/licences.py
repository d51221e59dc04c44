"""Finds whose code is in the files of a package, and under which licences.

The linker's command lines and the compiler's lists of headers say what goes in; Debian's packages
have the texts. Code of an owner that is not in the tables below is an error: a package without
their licence must not be made."""

import glob
import os
import re
import shlex
import subprocess

DOCUMENTS = '/usr/share/doc'
COMMON = '/usr/share/common-licenses'
# A package is made of these, from the build directory.
TARGETS = ['src/libVkLayer_assay.so', 'src/libVkLayer_assay_spirv.so', 'tools/assay/assay']
OBJECTS = ('src/', 'tools/assay/')

# By Debian's package: the name, the licence's name by SPDX, and the texts of it that Debian keeps
# in one place for all.
COMPONENTS = {
    'spirv-tools-dev': ('SPIRV-Tools', 'Apache-2.0', ['Apache-2.0']),
    'libstdc++': ('libstdc++ and libgcc', 'GPL-3.0-or-later WITH GCC-exception-3.1', ['GPL-3']),
    'spirv-headers': ('SPIRV-Headers', 'MIT', []),
    'libvulkan-dev': ('Vulkan-Headers and the Vulkan registry', 'Apache-2.0', ['Apache-2.0']),
    'libzstd-dev': ('Zstandard', 'BSD-3-Clause', []),
    'libxxhash-dev': ('xxHash', 'BSD-2-Clause', []),
    'libjson-c-dev': ('json-c', 'MIT', []),
    'libsqlite3-dev': ('SQLite', 'blessing', []),
    'zlib1g-dev': ('zlib', 'Zlib', []),
    'liblzma-dev': ('liblzma', '0BSD', []),
}
# Headers that describe an interface and leave no code behind; libdl.a, which has been empty since
# glibc 2.34.
INTERFACES = re.compile(r'libc6-dev|linux-libc-dev|libgcc-\d+-dev')
OWN = ('LICENSE*', 'LICENCE*', 'COPYING*', 'NOTICE*')


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def owners(paths):
    """The Debian packages that the files belong to; every one is of some package."""
    paths = sorted({os.path.realpath(path) for path in paths})
    found = subprocess.run(
        ['dpkg', '-S', *paths], capture_output=True, text=True, check=False
    ).stdout
    packages, known = set(), set()
    for line in found.splitlines():
        names, _, path = line.partition(': ')
        packages.update(name.split(':')[0] for name in names.split(', '))
        known.add(path)
    unknown = [path for path in paths if path not in known]
    if unknown:
        raise SystemExit(
            f'assay: error: no package has {unknown[0]}, whose code may be in the layer: '
            'its licence is not known'
        )
    return packages


def archives(build):
    """The static libraries from elsewhere that the linker is given."""
    found = set()
    for target in TARGETS:
        static = False
        for word in shlex.split(
            output('ninja', '-C', build, '-t', 'commands', '-s', target).splitlines()[-1]
        ):
            if word.startswith('/') and word.endswith('.a'):
                found.add(word)
            elif word in ('-Wl,-Bstatic', '-Wl,-Bdynamic'):
                static = word == '-Wl,-Bstatic'
            elif static and word.startswith('-l'):
                found.add(output('gcc', f'-print-file-name=lib{word[2:]}.a').strip())
            elif word == '-static-libgcc':
                found.add(output('gcc', '-print-libgcc-file-name').strip())
    return found


def headers(build):
    """The headers from elsewhere that the compiler read for the objects of these targets."""
    found, wanted = set(), False
    for line in output('ninja', '-C', build, '-t', 'deps').splitlines():
        if not line.startswith(' '):
            wanted = line.startswith(OBJECTS)
        elif wanted and line.startswith('    /usr/'):
            found.add(line.strip())
    return found


def check(build):
    """Whoever has code in the package is in COMPONENTS, and nobody else is."""
    linked = owners(archives(build))
    linked = {
        'libstdc++' if re.fullmatch(r'libstdc\+\+-\d+-dev|libgcc-\d+-dev', name) else name
        for name in linked
    }
    read = {
        'spirv-tools-dev' if name == 'spirv-tools-headers' else name
        for name in owners(headers(build))
    }
    unknown = {
        name for name in linked | read if name not in COMPONENTS and not INTERFACES.fullmatch(name)
    }
    if unknown:
        raise SystemExit(
            'assay: error: tools/package/licences.py does not know the licence of '
            f'{", ".join(sorted(unknown))}, whose code is linked in'
        )
    gone = COMPONENTS.keys() - linked - read
    if gone:
        raise SystemExit(
            f'assay: error: tools/package/licences.py lists {", ".join(sorted(gone))}, '
            'of which nothing is linked in'
        )


def text_of(package):
    pattern = 'gcc-*-base' if package == 'libstdc++' else package
    found = sorted(glob.glob(f'{DOCUMENTS}/{pattern}/copyright'))
    if not found:
        raise SystemExit(
            f'assay: error: {DOCUMENTS}/{pattern}/copyright is missing, the licence of '
            f'{COMPONENTS[package][0]}, which is linked in'
        )
    with open(found[-1], encoding='utf-8') as file:
        return file.read()


def file_name(component):
    return re.sub(r'[^A-Za-z0-9.+-]+', '-', component) + '.txt'


def own(top):
    """The project's own licence: files that its owner has put at the top of the checkout."""
    return sorted(
        path
        for pattern in OWN
        for path in glob.glob(os.path.join(glob.escape(top), pattern))
        if os.path.isfile(path)
    )


def spdx():
    """The licences of all that is linked in, as one expression."""
    names = sorted({f'({row[1]})' if ' WITH ' in row[1] else row[1] for row in COMPONENTS.values()})
    return ' AND '.join(names)


def overview(top, common_texts):
    mine = [os.path.basename(path) for path in own(top)]
    lines = ['Assay', '']
    lines += [
        f'Its own licence: {", ".join(mine)}.'
        if mine
        else 'Its owners have not chosen a licence for it yet.',
        '',
        'Linked into its files is code of others. The texts of their licences are in licences/:',
        '',
    ]
    for name, licence, common in COMPONENTS.values():
        lines.append(f'  {name}')
        texts = ['licences/' + file_name(name)] + [common_texts + text for text in common]
        lines.append(f'    {licence}: {", ".join(texts)}')
    return '\n'.join(lines) + '\n'


def write(top, directory, debian=False):
    """All texts into a directory: the overview as "copyright", the project's own, and those of
    others in licences/. Debian has the common ones in every installation."""
    os.makedirs(os.path.join(directory, 'licences'))
    texts = {'copyright': overview(top, f'{COMMON}/' if debian else 'licences/')}
    for package, (name, _, common) in COMPONENTS.items():
        texts[f'licences/{file_name(name)}'] = text_of(package)
        for text in [] if debian else common:
            with open(f'{COMMON}/{text}', encoding='utf-8') as file:
                texts[f'licences/{text}'] = file.read()
    for path in own(top):
        with open(path, encoding='utf-8') as file:
            texts[os.path.basename(path)] = file.read()
    for name, text in texts.items():
        with open(os.path.join(directory, name), 'w', encoding='utf-8') as file:
            file.write(text)
