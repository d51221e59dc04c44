#!/usr/bin/env python3
"""Are the packages of `./dev package` whole, the same each time, and do they work where nothing of
ours is?

  package.py --build BUILD --program PROGRAM --driver MANIFEST

Makes them twice, looks at what is in each, and installs each with its own tools in an empty root
that has glibc, the Vulkan loader, a driver and PROGRAM (tests/run/program.c), and nothing else.
PROGRAM runs there under the layer; then the package goes again, and nothing of it is left. No
network, no compiler.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

TOP = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(TOP / 'tools/package'))
import licences  # noqa: E402

GLIBC = (2, 34)
# Each package has these, by the names of the .tar.xz, beside the texts of licences.
CONTENTS = {
    'bin/assay',
    'lib/libVkLayer_assay.so',
    'lib/libVkLayer_assay_spirv.so',
    'share/vulkan/explicit_layer.d/VkLayer_assay.json',
    'share/assay/khronos/VkLayer_khronos_validation.json',
    'share/bash-completion/completions/assay.bash',
    'share/zsh/site-functions/_assay',
    'share/fish/vendor_completions.d/assay.fish',
    'share/man/man1/assay.1',
}
PROGRAMS = ['bin/assay', 'lib/libVkLayer_assay.so', 'lib/libVkLayer_assay_spirv.so']
MANIFESTS = {
    'share/vulkan/explicit_layer.d/VkLayer_assay.json': 'VK_LAYER_ASSAY_validation',
    'share/assay/khronos/VkLayer_khronos_validation.json': 'VK_LAYER_KHRONOS_validation',
}
EMPTY = 'VUID-VkBufferCreateInfo-size-00912'
HAZARD = 'SYNC-HAZARD-READ-AFTER-WRITE'

options = None
passed = 0
failed = 0


def check(good, text):
    global passed, failed
    passed += bool(good)
    failed += not good
    print(f'{"ok" if good else "FAILED"}: {text}', flush=True)


def output(*command, **more):
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, **more
    ).stdout


def attempt(*command, **more):
    """Status, and everything that was said."""
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
        **more,
    )
    return done.returncode, done.stdout.decode(errors='replace')


# --- making them ---


def make(directory, *arguments, **more):
    return subprocess.Popen(
        [
            sys.executable,
            str(TOP / 'tools/package/package.py'),
            '--build',
            options.build,
            '--out',
            str(directory),
            *arguments,
        ],
        stdout=subprocess.DEVNULL,
        **more,
    )


def make_twice(top):
    """The second time with another umask, language, time zone and directory for temporary files;
    and, as that takes long, without debug information."""
    (top / 'temporary').mkdir()
    first = make(top / 'one', env={**os.environ, 'SOURCE_DATE_EPOCH': '1700000000'})
    second = make(
        top / 'two',
        '--no-debug',
        umask=0o077,
        env={
            **os.environ,
            'SOURCE_DATE_EPOCH': '1700000000',
            'LC_ALL': 'C',
            'TZ': 'Asia/Tokyo',
            'TMPDIR': str(top / 'temporary'),
        },
    )
    if first.wait() | second.wait():
        raise SystemExit('the packages cannot be made')
    names = sorted(path.name for path in (top / 'one').iterdir())
    again = sorted(path.name for path in (top / 'two').iterdir() if path.name != 'SHA256SUMS')
    check(
        len(again) == 3
        and again == [name for name in names if not re.search('debug|dbgsym|SUMS', name)],
        f'made: {", ".join(names)}',
    )
    for name in again:
        check(
            (top / 'one' / name).read_bytes() == (top / 'two' / name).read_bytes(),
            f'{name} has the same bytes when it is made again',
        )
    sums = {
        line.split()[1]: line.split()[0]
        for line in (top / 'one/SHA256SUMS').read_text().splitlines()
    }
    check(
        sums
        == {
            name: hashlib.sha256((top / 'one' / name).read_bytes()).hexdigest()
            for name in names
            if name != 'SHA256SUMS'
        },
        'SHA256SUMS is right',
    )
    check(not list((top / 'temporary').iterdir()), 'no temporary file is left')
    return top / 'one'


# --- what is in them ---


class Package:
    """One kind, unpacked by its own tool: `debug` has the files of the other package."""

    def __init__(self, kind, made, top):
        self.kind = kind
        names = {
            'deb': ('assay_*.deb', 'assay-dbgsym_*.deb'),
            'rpm': ('assay-[0-9]*.rpm', 'assay-debuginfo-*.rpm'),
            'tar': ('assay-*[!g].tar.xz', 'assay-*-debug.tar.xz'),
        }[kind]
        self.file, self.debug_file = (next(made.glob(name)) for name in names)
        self.root, self.debug = top / kind, top / f'{kind}-debug'
        for file, root in ((self.file, self.root), (self.debug_file, self.debug)):
            root.mkdir()
            self.unpack(file, root)
        if kind == 'tar':
            self.root, self.debug = (next(root.glob('assay-*')) for root in (self.root, self.debug))

    def unpack(self, file, root):
        if self.kind == 'deb':
            output('dpkg-deb', '-x', file, root)
        elif self.kind == 'tar':
            output('tar', '-C', root, '-xf', file)
        else:
            archive = root.parent / f'{file.name}.cpio'
            with archive.open('wb') as out:
                subprocess.run(
                    ['rpm2archive', '-n', '-f', 'pax', str(file)],
                    stdout=out,
                    stdin=subprocess.DEVNULL,
                    check=True,
                )
            output('tar', '-C', root, '-xf', archive)
            archive.unlink()

    def plain(self, path):
        """A path as the .tar.xz has it."""
        path = path.removeprefix('usr/')
        path = re.sub(r'^lib64/|^lib/[a-z0-9_]+-linux-gnu/', 'lib/', path)
        path = path.replace('share/zsh/vendor-completions/', 'share/zsh/site-functions/')
        return re.sub(r'^(share/man/.*)\.gz$', r'\1', path)

    def files(self, root):
        return {
            self.plain(path.relative_to(root).as_posix()): path
            for path in sorted(root.rglob('*'))
            if not path.is_dir()
        }


def licence_texts(package):
    return {'deb': 'share/doc/assay/', 'rpm': 'share/licenses/assay/', 'tar': 'share/doc/assay/'}[
        package.kind
    ]


def check_contents(package):
    kind = package.kind
    files = package.files(package.root)
    texts = licence_texts(package)
    extra = {
        'tar': {'README', 'install.sh'},
        'deb': {'share/doc/assay/changelog.gz'},
        'rpm': set(),
    }[kind]
    rest = {path for path in files if not path.startswith(texts) or path in extra}
    # More man pages, or more shells, are welcome.
    new = {
        path
        for path in rest - CONTENTS - extra
        if not re.match(r'share/(man|bash-completion|zsh|fish)/', path)
    }
    check(
        CONTENTS | extra <= rest and not new,
        f'{kind}: it has what it should have: missing {sorted((CONTENTS | extra) - rest)}, '
        f'unexpected {sorted(new)}',
    )
    wrong = [
        path
        for path, file in files.items()
        if file.stat().st_mode & 0o7777
        not in (
            (0o755,)
            if path.startswith('bin/') or path == 'install.sh'
            else (0o644, 0o755)
            if path.endswith('.so')
            else (0o644,)
        )
    ]
    check(not wrong, f'{kind}: files have the modes that they should have, but for {wrong}')
    for path in files:
        if path.startswith('share/man/'):
            data = files[path].read_bytes()
            text = gzip.decompress(data) if files[path].suffix == '.gz' else data
            check(
                text.startswith(b'.TH ') and (files[path].suffix == '.gz') == (kind != 'tar'),
                f'{kind}: {path} is a man page',
            )
    for name, layer in MANIFESTS.items():
        document = json.loads(files[name].read_text())['layer']
        found = (files[name].parent / document['library_path']).resolve()
        check(
            document['name'] == layer
            and not os.path.isabs(document['library_path'])
            and found == files['lib/libVkLayer_assay.so'].resolve(),
            f'{kind}: {name} leads to the library by {document["library_path"]}',
        )


def check_licences(package):
    files, texts = package.files(package.root), licence_texts(package)
    overview = files[texts + 'copyright'].read_text()
    for name, licence, common in licences.COMPONENTS.values():
        text = files.get(f'{texts}licences/{licences.file_name(name)}')
        check(
            name in overview and licence in overview and text and len(text.read_text()) > 500,
            f'{package.kind}: the licence of {name} is there',
        )
        for shared in common:
            # Debian has those in every installation, and wants no copies.
            check(
                f'/usr/share/common-licenses/{shared}' in overview
                if package.kind == 'deb'
                else len(files[f'{texts}licences/{shared}'].read_text()) > 5000,
                f'{package.kind}: {shared} is there',
            )
    own = [os.path.basename(path) for path in licences.own(TOP)]
    check(
        all(texts + name in files and name in overview for name in own)
        and (own or 'have not chosen a licence' in overview),
        f"{package.kind}: the project's own licence: {own or 'none is chosen yet'}",
    )


def check_own_licence(top):
    """Whoever chooses one puts it at the top of the checkout, and it is in every package."""
    (top / 'checkout').mkdir()
    (top / 'checkout/LICENSE').write_text('You may.\n')
    licences.write(top / 'checkout', top / 'texts')
    check(
        (top / 'texts/LICENSE').read_text() == 'You may.\n'
        and 'Its own licence: LICENSE.' in (top / 'texts/copyright').read_text(),
        'a file LICENSE at the top of the checkout goes into the packages',
    )


def build_id(path):
    return re.search(r'Build ID: ([0-9a-f]+)', output('readelf', '-n', path))[1]


def check_debug(package):
    files, debug = package.files(package.root), package.files(package.debug)
    wanted = set()
    for name in PROGRAMS:
        sections = output('readelf', '-S', '-W', files[name])
        check(
            '.debug_info' not in sections and '.symtab' not in sections,
            f'{package.kind}: {name} is stripped',
        )
        number = build_id(files[name])
        place = f'lib/debug/.build-id/{number[:2]}/{number[2:]}.debug'
        wanted.add(place)
        check(
            place in debug
            and build_id(debug[place]) == number
            and '.debug_info' in output('readelf', '-S', '-W', debug[place]),
            f'{package.kind}: its debug information is at {place}',
        )
    rest = {path for path in debug if path not in wanted and path != 'share/doc/assay-dbgsym'}
    check(
        not rest,
        f'{package.kind}: the package of debug information has nothing else: {sorted(rest)}',
    )


def check_dependencies(packages):
    fields = dict(
        line.split(': ', 1)
        for line in output('dpkg-deb', '-f', packages['deb'].file).splitlines()
        if ': ' in line and line[0] != ' '
    )
    check(
        fields['Depends'] == f'libc6 (>= {GLIBC[0]}.{GLIBC[1]})',
        f'deb: Depends is {fields["Depends"]}',
    )
    debug = dict(
        line.split(': ', 1)
        for line in output('dpkg-deb', '-f', packages['deb'].debug_file).splitlines()
        if ': ' in line and line[0] != ' '
    )
    check(
        debug['Depends'] == f'assay (= {fields["Version"]})'
        and debug['Build-Ids'].split()
        == sorted(build_id(packages['deb'].files(packages['deb'].root)[name]) for name in PROGRAMS),
        'deb: the package of debug information belongs to this one, and names its build ids',
    )
    requires = [
        line
        for line in output('rpm', '-qp', '--requires', packages['rpm'].file).splitlines()
        if not line.startswith('rpmlib(')
    ]
    others = [
        line
        for line in requires
        if not re.match(r'(libc|libm|ld-linux[a-z0-9_-]*)\.so\.\d\(|rtld\(GNU_HASH\)', line)
    ]
    newest = max(
        tuple(map(int, version.split('.')))
        for version in re.findall(r'\(GLIBC_([\d.]+)\)', '\n'.join(requires))
    )
    check(
        not others and newest == GLIBC, f'rpm: it requires glibc {newest}, and beside it {others}'
    )
    for package in (packages['rpm'].file, packages['rpm'].debug_file):
        listed = output('rpm', '-qp', '--qf', '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]', package)
        check(set(listed.split()) == {'root:root'}, f"rpm: all of {package.name} is root's")
    for archive in (packages['tar'].file, packages['tar'].debug_file):
        with tarfile.open(archive) as tar:
            entries = tar.getmembers()
        top = entries[0].name
        check(
            all(
                (entry.uid, entry.gid, entry.mtime) == (0, 0, 1700000000)
                and (entry.name == top or entry.name.startswith(top + '/'))
                for entry in entries
            ),
            f'tar: all of {archive.name} is below {top}/',
        )


# --- empty roots ---


def libraries_of(*files):
    """Every library that the files need, by the name that is asked for."""
    environment = {**os.environ, 'LD_LIBRARY_PATH': str(pathlib.Path(options.program).parent)}
    found = {}
    for file in files:
        for name, path in re.findall(
            r'^\s*(\S+) => (/\S+)', output('ldd', file, env=environment), re.M
        ):
            found[name] = path
        for path in re.findall(r'^\s*(/\S*ld-linux\S*)', output('ldd', file), re.M):
            found[os.path.basename(path)] = path
    return found


def system_tree(root, libraries):
    """Makes a system without our packages: glibc, the Vulkan loader, a driver, a program."""
    manifest = json.loads(pathlib.Path(options.driver).read_text())
    driver = (pathlib.Path(options.driver).parent / manifest['ICD']['library_path']).resolve()
    loader = next(
        path
        for path in map(
            pathlib.Path,
            (
                '/usr/lib/x86_64-linux-gnu/libvulkan.so.1',
                '/usr/lib64/libvulkan.so.1',
                '/usr/lib/aarch64-linux-gnu/libvulkan.so.1',
            ),
        )
        if path.exists()
    )
    for directory in (
        'usr/bin',
        'usr/lib',
        'usr/lib64',
        f'usr/{libraries}',
        'usr/share',
        'etc',
        'proc',
        'dev',
        'tmp',
        'opt/game',
    ):
        (root / directory).mkdir(parents=True, exist_ok=True)
    for link in ('bin', 'lib', 'lib64'):
        (root / link).symlink_to(f'usr/{link}')
    found = libraries_of(options.program, driver, loader, f'{options.build}/tools/assay/assay') | {
        'libvulkan.so.1': str(loader)
    }
    for name, path in found.items():
        target = root / 'usr' / ('lib64' if name.startswith('ld-linux') else libraries) / name
        shutil.copyfile(path, target)
        target.chmod(0o755)
    for path in (options.program, driver):
        shutil.copy(path, root / 'opt/game')
    manifest['ICD']['library_path'] = f'./{driver.name}'
    (root / 'opt/game/driver.json').write_text(json.dumps(manifest))


def tree(root, but=()):
    """Everything below a root, with what it is."""
    found = set()
    for path in root.rglob('*'):
        name = path.relative_to(root).as_posix()
        if not name.startswith(but):
            found.add(
                (name, 'link' if path.is_symlink() else 'directory' if path.is_dir() else 'file')
            )
    return found


def enter(root):
    """The words in front of a command that runs it in the root, or none where that is forbidden."""
    text = 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
    for propagation in ('private', 'unchanged'):
        words = ['unshare', '--mount', '--propagation', propagation, 'sh', '-c', text, str(root)]
        status, said = attempt(
            *words,
            '/opt/game/program',
            'say',
            'end',
            env={'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'LD_LIBRARY_PATH': '/usr/lib64'},
        )
        if status == 0:
            return words
    print(f'      programs do not run in the root, but outside of it: {said.strip()}')
    return None


def run_in(root, words, *command, libraries, environment=None):
    """A command with absolute paths of the root: in it, or with its files from outside."""
    inside = '' if words else str(root)
    values = {
        'PATH': '/usr/sbin:/usr/bin:/sbin:/bin',
        'VK_DRIVER_FILES': f'{inside}/opt/game/driver.json',
        'LD_LIBRARY_PATH': f'{inside}/usr/{libraries}',
        'HOME': '/nowhere',
    } | (environment or {})
    if not words:
        values['LD_LIBRARY_PATH'] = os.path.dirname(
            options.program
        )  # glibc and the loader are those of here
    return attempt(
        *(words or []),
        *((inside + word if word.startswith('/') else word) for word in command),
        env=values,
    )


def check_runs(kind, root, words, tool, libraries):
    """`assay run` in the root: it finds the layer, and that its helper."""
    status, said = run_in(
        root,
        words,
        tool,
        'run',
        '--sync',
        '--error-exit=3',
        '--',
        '/opt/game/program',
        'start',
        'empty',
        'hazard',
        'end',
        libraries=libraries,
    )
    check(
        status == 3 and EMPTY in said and HAZARD in said and '2 findings, 2 errors' in said,
        f'{kind}: {tool} run tells of two mistakes of a program ({status})\n'
        f'{said if status != 3 else ""}',
    )
    # A program that asks for the Khronos layer gets this one, under that name.
    status, said = run_in(
        root,
        words,
        tool,
        'run',
        '--',
        '/opt/game/program',
        'start',
        'empty',
        'end',
        libraries=libraries,
        environment={'VK_INSTANCE_LAYERS': 'VK_LAYER_KHRONOS_validation'},
    )
    check(
        status == 0 and '1 finding, 1 error' in said,
        f'{kind}: a program that asks for the Khronos layer runs under this one ({status})\n'
        f'{"" if "1 finding" in said else said}',
    )
    status, said = run_in(root, words, tool, 'doctor', libraries=libraries)
    check(
        re.search(r'^ok +layer ', said, re.M)
        and re.search(r'^ok +library .* loads$', said, re.M)
        and re.search(r'^ok +shaders .* loads$', said, re.M),
        f'{kind}: assay doctor loads the layer and its helper ({status})\n{said if status else ""}',
    )


def check_loader(kind, root, words, share, libraries):
    """Without the tool: the loader finds the layer under its own name, and under the Khronos
    layer's where it is asked to."""
    ways = {
        'by its name': ({'XDG_DATA_DIRS': f'/{share}'}, 'VK_LAYER_ASSAY_validation'),
        'in the place of the Khronos layer': (
            {'XDG_DATA_DIRS': '/nowhere', 'VK_ADD_LAYER_PATH': f'/{share}/assay/khronos'},
            'VK_LAYER_KHRONOS_validation',
        ),
    }
    for title, (environment, layer) in ways.items():
        environment = {
            key: value if words or value == '/nowhere' else str(root) + value
            for key, value in environment.items()
        }
        _, said = run_in(
            root,
            words,
            '/opt/game/program',
            'start',
            'empty',
            'end',
            libraries=libraries,
            environment=environment | {'VK_INSTANCE_LAYERS': layer},
        )
        check(
            EMPTY in said,
            f'{kind}: the loader finds the layer {title}\n{"" if EMPTY in said else said}',
        )
    environment = {
        'XDG_DATA_DIRS': f'/{share}' if words else f'{root}/{share}',
        'VK_INSTANCE_LAYERS': 'VK_LAYER_KHRONOS_validation',
    }
    _, said = run_in(
        root,
        words,
        '/opt/game/program',
        'start',
        'empty',
        'end',
        libraries=libraries,
        environment=environment,
    )
    check(EMPTY not in said, f'{kind}: it is not the Khronos layer by default')


def note_where(kind, words):
    where = 'in the empty root' if words else 'outside of the root: this user may not chroot here'
    print(f'      {kind}: programs run {where}')


def dpkg(root, *arguments):
    """(The root of ./dev leaves out what nobody reads in there.)"""
    return attempt('dpkg', f'--root={root}', '--path-include=*', *arguments)


def check_deb(package, top):
    root, libraries = (
        top / 'debian',
        next((package.root / 'usr/lib').glob('*-linux-gnu'))
        .relative_to(package.root / 'usr')
        .as_posix(),
    )
    architecture = output('dpkg-deb', '-f', package.file, 'Architecture').strip()
    if os.geteuid() != 0:
        print('      deb: not installed: this user is not root')
        return
    systems = {}
    for version in ('2.33', '2.34'):
        stub = top / f'libc6-{version}'
        system_tree(stub, libraries)
        (stub / 'DEBIAN').mkdir()
        (stub / 'DEBIAN/control').write_text(
            f'Package: libc6\nVersion: {version}\nArchitecture: {architecture}\n'
            'Maintainer: nobody <nobody@example.invalid>\nDescription: a system\n'
        )
        systems[version] = top / f'libc6_{version}.deb'
        output('dpkg-deb', '--root-owner-group', '-Znone', '--build', stub, systems[version])
    for directory in ('info', 'updates', 'triggers'):
        (root / 'var/lib/dpkg' / directory).mkdir(parents=True)
    (root / 'var/lib/dpkg/status').touch()
    status, said = dpkg(root, '-i', systems['2.33'], package.file)
    check(status and 'assay depends on libc6 (>= 2.34)' in said, 'deb: an older glibc is refused')
    dpkg(root, '--purge', 'assay')
    status, said = dpkg(root, '-i', systems['2.34'])
    check(status == 0, f'deb: the empty root is made\n{said if status else ""}')
    before = tree(root, ('var/',))
    status, said = dpkg(root, '-i', package.file, package.debug_file)
    check(
        status == 0 and '\nStatus: install ok installed' in dpkg(root, '-s', 'assay')[1],
        f'deb: dpkg installs it\n{said if status else ""}',
    )
    check(
        dpkg(root, '--verify', 'assay', 'assay-dbgsym') == (0, ''),
        'deb: what is installed is what the package had',
    )
    words = enter(root)
    note_where('deb', words)
    check_runs('deb', root, words, '/usr/bin/assay', libraries)
    check_loader('deb', root, words, 'usr/share', libraries)
    status, said = dpkg(root, '--purge', 'assay', 'assay-dbgsym')
    left = tree(root, ('var/',)) ^ before
    check(status == 0 and not left, f'deb: it is gone again, and leaves {sorted(left)}')


def rpm(root, *arguments):
    return attempt('rpm', '--root', root, '--dbpath', '/var/lib/rpm', *arguments)


def check_rpm(package, top):
    if os.geteuid() != 0:
        print('      rpm: not installed: this user is not root')
        return
    root, stub, work = top / 'rpm-root', top / 'glibc', top / 'rpm-work'
    system_tree(stub, 'lib64')
    listed = '\n'.join(
        ('%dir ' if path.is_dir() and not path.is_symlink() else '')
        + '/'
        + path.relative_to(stub).as_posix()
        for path in sorted(stub.rglob('*'))
    )
    work.mkdir()
    (work / 'glibc.spec').write_text(
        'Name: glibc\nVersion: 2.34\nRelease: 1\nSummary: a system\nLicense: none\nAutoReq: no\n'
        'Provides: rtld(GNU_HASH)\n%description\nA system.\n'
        f'%install\ncp -a "{stub}/." "%{{buildroot}}/"\n%files\n%defattr(-,root,root)\n{listed}\n'
    )
    defines = [
        word
        for name, value in {
            '_topdir': work,
            'debug_package': '%{nil}',
            '__os_install_post': '%{nil}',
            '_build_id_links': 'none',
            '_binary_payload': 'w1.zstdio',
        }.items()
        for word in ('--define', f'{name} {value}')
    ]
    output('rpmbuild', '-bb', *defines, work / 'glibc.spec')
    system = next((work / 'RPMS').rglob('*.rpm'))
    root.mkdir()
    status, said = rpm(root, '-i', '--test', package.file)
    check(
        status and 'libc.so.6(GLIBC_2.34)(64bit) is needed by assay' in said,
        'rpm: without glibc it is refused',
    )
    status, said = rpm(root, '-i', system)
    check(status == 0, f'rpm: the empty root is made\n{said if status else ""}')
    before = tree(root, ('var/',))
    status, said = rpm(root, '-i', package.file, package.debug_file)
    check(
        status == 0 and rpm(root, '-q', 'assay')[0] == 0,
        f'rpm: rpm installs it\n{said if status else ""}',
    )
    check(
        rpm(root, '-V', 'assay', 'assay-debuginfo') == (0, ''),
        'rpm: what is installed is what the package had',
    )
    words = enter(root)
    note_where('rpm', words)
    check_runs('rpm', root, words, '/usr/bin/assay', 'lib64')
    check_loader('rpm', root, words, 'usr/share', 'lib64')
    status, said = rpm(root, '-e', 'assay', 'assay-debuginfo')
    # rpm takes away only those directories on the way to a file that packages list; /usr/share and
    # its like belong to the system.
    left = {
        row
        for row in tree(root, ('var/',)) ^ before
        if row[0] not in ('usr/share/man', 'usr/share/man/man1', 'usr/share/licenses')
    }
    check(status == 0 and not left, f'rpm: it is gone again, and leaves {sorted(left)}')


def check_tar(package, top):
    root = top / 'any'
    system_tree(root, 'lib64')
    words = enter(root)
    note_where('tar', words)
    place = root / 'home/a game'
    place.mkdir(parents=True)
    shutil.copytree(package.root, place / 'assay')
    check_runs('tar', root, words, '/home/a game/assay/bin/assay', 'lib64')
    check_loader('tar', root, words, 'home/a game/assay/share', 'lib64')
    (place / 'assay').rename(place / 'moved')
    before = tree(place)
    output('chmod', '-R', 'a-w', place / 'moved')
    (place / 'link').symlink_to('moved/bin/assay')
    check_runs(
        'tar, moved, read-only and through a link', root, words, '/home/a game/link', 'lib64'
    )
    (place / 'link').unlink()
    check(tree(place) == before, 'tar: nothing was written there')
    output('chmod', '-R', 'u+w', place / 'moved')

    for prefix, title in (
        (root / 'opt/two words', 'a directory that was not there'),
        (root / 'usr/local', 'a directory that others use'),
    ):
        if title.endswith('use'):
            for path in ('bin/other', 'share/vulkan/explicit_layer.d/other.json'):
                (prefix / path).parent.mkdir(parents=True)
                (prefix / path).write_text('other')
        before = tree(root)
        name = '/' + prefix.relative_to(root).as_posix()
        for times in ('first', 'again'):
            status, said = attempt(place / 'moved/install.sh', '--prefix', prefix, cwd='/')
            check(
                status == 0 and f'installed in {prefix}\n' in said,
                f'tar: installed {times} in {title}\n{said if status else ""}',
            )
        if title.endswith('there'):
            (place / 'moved').rename(
                place / 'away'
            )  # what is installed needs nothing of what was unpacked
        check_runs(f'tar, in {title}', root, words, f'{name}/bin/assay', 'lib64')
        check_loader(f'tar, in {title}', root, words, f'{name[1:]}/share', 'lib64')
        status, said = attempt(prefix / 'share/assay/install.sh', '--uninstall', cwd='/')
        if title.endswith('there'):
            (place / 'away').rename(place / 'moved')
        left = tree(root) ^ before
        check(
            status == 0 and not left,
            f'tar: it is gone again from {title}, and leaves {sorted(left)}\n'
            f'{said if status else ""}',
        )
        status, said = attempt(
            place / 'moved/install.sh', '--uninstall', '--prefix', prefix, cwd='/'
        )
        check(
            status and "there is nothing of Assay's in" in said,
            f'tar: nothing is taken away from {title} twice',
        )
    # A relative prefix is one of the caller's directory, and a file that a newer version lacks goes
    # with the older one.
    status, said = attempt(place / 'moved/install.sh', '--prefix=here', cwd=root / 'opt')
    (place / 'moved/share/man/man1/assay.1').unlink()
    check(
        status == 0
        and attempt(place / 'moved/install.sh', '--prefix=here', cwd=root / 'opt')[0] == 0
        and (root / 'opt/here/bin/assay').exists()
        and not (root / 'opt/here/share/man/man1/assay.1').exists(),
        'tar: a newer version takes the place of an older one',
    )
    # Where something is in the way, what was done before is taken away all the same.
    (root / 'srv/lib').mkdir(parents=True)
    (root / 'srv/lib/libVkLayer_assay.so').mkdir()
    (root / 'srv/lib/libVkLayer_assay.so/other').touch()
    before = tree(root)
    status, said = attempt(place / 'moved/install.sh', '--prefix', root / 'srv')
    check(
        status and (root / 'srv/bin/assay').exists(),
        f'tar: an installation that fails says so ({status})\n{said}',
    )
    attempt(place / 'moved/install.sh', '--uninstall', '--prefix', root / 'srv')
    left = tree(root) ^ before
    check(not left, f'tar: it is taken away, and leaves {sorted(left)}')
    for arguments, message in (
        (['--nothing'], 'usage: '),
        (['--prefix'], '--prefix needs a directory'),
        (['--prefix='], '--prefix needs a directory'),
        (['--prefix', str(place / 'moved')], 'is where the files are'),
    ):
        status, said = attempt(place / 'moved/install.sh', *arguments)
        check(status and message in said, f'tar: install.sh {" ".join(arguments)} says: {message}')
    check(
        'export VK_ADD_LAYER_PATH' in (package.root / 'README').read_text()
        and '@' not in (package.root / 'README').read_text(),
        'tar: README says how',
    )


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--driver', required=True)
    options = parser.parse_args()
    options.build, options.program, options.driver = map(
        os.path.abspath, (options.build, options.program, options.driver)
    )
    lacking = [
        tool for tool in ('dpkg-deb', 'rpmbuild', 'rpm2archive', 'xz') if not shutil.which(tool)
    ]
    if lacking:
        print(f'skipped: this machine has no {", ".join(lacking)}')
        sys.exit(77)
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        made = make_twice(top)
        (top / 'unpacked').mkdir()
        packages = {kind: Package(kind, made, top / 'unpacked') for kind in ('deb', 'rpm', 'tar')}
        for package in packages.values():
            check_contents(package)
            check_licences(package)
            check_debug(package)
        check_own_licence(top)
        check_dependencies(packages)
        check_deb(packages['deb'], top)
        check_rpm(packages['rpm'], top)
        check_tar(packages['tar'], top)
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
