#!/usr/bin/env python3
"""Makes packages of a finished build: a .deb, an .rpm and a .tar.xz, and of each another one with
the debug information.

  package.py --build BUILD --out DIRECTORY [--no-debug] [--only deb|rpm|tar]

What goes in is what `meson install` installs; a Layout says where it lies in each kind. The same
build gives the same bytes: every time is SOURCE_DATE_EPOCH, or the last commit's where that is not
set.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile
from email.utils import formatdate

import licences

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[1]
LAYER = 'libVkLayer_assay.so'
MAINTAINER = 'The Assay developers <assay@example.invalid>'
SUMMARY = 'Vulkan validation layer that is cheap enough to leave on'
DESCRIPTION = [
    'Assay stands between a program and the Vulkan driver, checks each call',
    'against the specification, and says what is wrong, where, and why. It does',
    'the work of the Khronos validation layer: the same checks by the same names,',
    'and the same settings.',
]
DEBUG_SUMMARY = 'Debug information of Assay'
ARCHITECTURES = {'x86_64': 'amd64', 'aarch64': 'arm64'}  # Debian's names
RPM_COMPRESSION = 'w9.zstdio'


class Layout:
    """Where a kind of package has what `meson install` gives: paths from the package's root."""

    def __init__(self, prefix, libraries, debug, zsh, documents, compress_manuals, library_mode):
        self.prefix, self.libraries, self.debug, self.zsh = prefix, libraries, debug, zsh
        self.documents, self.compress_manuals, self.library_mode = (
            documents,
            compress_manuals,
            library_mode,
        )


def fail(text):
    raise SystemExit(f'assay: error: {text}')


def run(*command, **more):
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        **more,
    )
    if done.returncode:
        fail(f'{command[0]} failed:\n{done.stdout.decode(errors="replace")}')
    return done.stdout.decode(errors='replace')


def epoch():
    """The time that everything in the packages has."""
    if 'SOURCE_DATE_EPOCH' in os.environ:
        return int(os.environ['SOURCE_DATE_EPOCH'])
    done = subprocess.run(
        ['git', '-c', 'safe.directory=*', '-C', TOP, 'log', '-1', '--format=%ct'],
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stdout) if done.returncode == 0 else int(os.path.getmtime(TOP / 'meson.build'))


def newest_glibc(paths):
    """The oldest glibc that has all that these files ask for. They ask for no other library."""
    versions = set()
    for path in paths:
        versions |= {
            tuple(map(int, found.split('.')))
            for found in re.findall(r'GLIBC_(\d[\d.]*)', run('readelf', '--version-info', path))
        }
        needed = set(re.findall(r'\(NEEDED\).*\[(.*)\]', run('readelf', '-d', path)))
        others = [
            name
            for name in needed
            if not re.match(r'(libc|libm|ld-linux[a-z0-9_-]*)\.so\.\d$', name)
        ]
        if others:
            fail(f'{path.name} needs {", ".join(others)}, which the packages do not declare')
    return '.'.join(map(str, max(versions)))


class Staged:
    """A directory of its own with all that `meson install` installs."""

    def __init__(self, build, directory):
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', directory)
        library = next(pathlib.Path(directory).rglob(LAYER))
        tool = next(pathlib.Path(directory).rglob('bin/assay'))
        self.prefix = tool.parents[1]
        self.libraries = library.parent.relative_to(self.prefix)
        self.debug = self.libraries / 'debug/.build-id'
        self.files = sorted(
            path.relative_to(self.prefix) for path in self.prefix.rglob('*') if path.is_file()
        )
        self.programs = [
            path
            for path in self.files
            if path == pathlib.Path('bin/assay')
            or (path.suffix == '.so' and path.parent == self.libraries)
        ]
        self.glibc = newest_glibc([self.prefix / path for path in self.programs])

    def is_debug(self, path):
        return path.is_relative_to(self.debug)

    def place(self, path, layout):
        """Where a file lies in a package."""
        text = path.as_posix()
        if self.is_debug(path):
            return pathlib.PurePath(layout.debug) / path.relative_to(self.debug)
        if path.is_relative_to(self.libraries):
            return pathlib.PurePath(layout.prefix, layout.libraries) / path.relative_to(
                self.libraries
            )
        if text.startswith('share/zsh/site-functions/'):
            return pathlib.PurePath(layout.prefix, layout.zsh, path.name)
        if layout.compress_manuals and text.startswith('share/man/'):
            return pathlib.PurePath(layout.prefix, text + '.gz')
        return pathlib.PurePath(layout.prefix, text)

    def contents(self, path, place, layout):
        """A file as it is in a package: manifests name the library from where they are."""
        data = (self.prefix / path).read_bytes()
        if place.suffix == '.gz':
            return gzip.compress(data, 9, mtime=0)
        if path.suffix == '.json' and b'"library_path"' in data:
            library = pathlib.PurePath(layout.prefix, layout.libraries, LAYER)
            value = json.dumps(os.path.relpath(library, place.parent))
            data, count = re.subn(
                rb'("library_path":\s*)"[^"]*"', lambda found: found[1] + value.encode(), data
            )
            if count != 1:
                fail(f'{path} names {count} libraries')
        return data

    def lay_out(self, layout, root, debug):
        """Writes the files of a package, or of the one with its debug information, below a root."""
        for path in self.files:
            if self.is_debug(path) != debug:
                continue
            place = self.place(path, layout)
            target = root / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.contents(path, place, layout))
            target.chmod(
                0o755
                if path.parent.name == 'bin'
                else layout.library_mode
                if path.suffix == '.so'
                else 0o644
            )


class Packager:
    def __init__(self, staged, version, out, work, when):
        self.staged, self.version, self.out, self.work, self.when = staged, version, out, work, when
        self.machine = platform.machine()
        self.environment = {
            **os.environ,
            'SOURCE_DATE_EPOCH': str(when),
            'LC_ALL': 'C.UTF-8',
            'TZ': 'UTC',
        }
        self.maintainer = os.environ.get('ASSAY_MAINTAINER') or MAINTAINER

    def tree(self, name, layout, debug):
        """A package's files, with the licences."""
        root = self.work / name
        root.mkdir()
        self.staged.lay_out(layout, root, debug)
        if not debug:
            licences.write(TOP, root / layout.documents, debian=name.startswith('deb-'))
        return root

    def date(self, root):
        """The last thing that is done to a tree: times, and the modes of directories."""
        for directory, _, files in os.walk(root, topdown=False):
            for path in [directory, *(os.path.join(directory, name) for name in files)]:
                os.utime(path, (self.when, self.when), follow_symlinks=False)
            os.chmod(directory, 0o755)

    def build_ids(self, root):
        return sorted(path.parent.name + path.stem for path in root.rglob('.build-id/*/*.debug'))

    # --- .deb ---

    def make_deb(self, debug):
        architecture = ARCHITECTURES.get(self.machine, self.machine)
        triplet = f'{self.machine}-linux-gnu'
        layout = Layout(
            'usr',
            f'lib/{triplet}',
            'usr/lib/debug/.build-id',
            'share/zsh/vendor-completions',
            'usr/share/doc/assay',
            True,
            0o644,
        )
        name = 'assay-dbgsym' if debug else 'assay'
        root = self.tree(f'deb-{name}', layout, debug)
        fields = {
            'Package': name,
            'Version': self.version,
            'Architecture': architecture,
            'Maintainer': self.maintainer,
        }
        if debug:
            documents = root / 'usr/share/doc'
            documents.mkdir(parents=True)
            (documents / name).symlink_to('assay')
            fields |= {
                'Auto-Built-Package': 'debug-symbols',
                'Depends': f'assay (= {self.version})',
                'Section': 'debug',
                'Priority': 'optional',
                'Build-Ids': ' '.join(self.build_ids(root)),
            }
        else:
            changes = (
                f'assay ({self.version}) unstable; urgency=medium\n\n'
                '  * CHANGELOG.md of the sources says what changed.\n\n'
                f' -- {self.maintainer}  {formatdate(self.when)}\n'
            )
            (root / layout.documents / 'changelog.gz').write_bytes(
                gzip.compress(changes.encode(), 9, mtime=0)
            )
            # Binutils has addr2line, for assay run --symbols. The loader is there where a program
            # of Vulkan's is.
            fields |= {
                'Depends': f'libc6 (>= {self.staged.glibc})',
                'Recommends': 'libvulkan1, binutils',
                'Suggests': 'vulkan-tools',
                'Section': 'devel',
                'Priority': 'optional',
            }
        files = sorted(path for path in root.rglob('*') if path.is_file() and not path.is_symlink())
        fields['Installed-Size'] = str(sum((path.stat().st_size + 1023) // 1024 for path in files))
        lines = (
            DESCRIPTION
            if not debug
            else ['Debuggers find it by the build ids of the files that assay has.']
        )
        control = ''.join(f'{key}: {value}\n' for key, value in fields.items())
        control += f'Description: {DEBUG_SUMMARY if debug else SUMMARY}\n' + ''.join(
            f' {line}\n' for line in lines
        )
        sums = ''.join(
            f'{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n'
            for path in files
        )
        (root / 'DEBIAN').mkdir()
        for file, text in (
            ('control', control),
            ('md5sums', sums),
            *([] if debug else [('triggers', 'activate-noawait ldconfig\n')]),
        ):
            (root / 'DEBIAN' / file).write_text(text)
            (root / 'DEBIAN' / file).chmod(0o644)
        self.date(root)
        path = self.out / f'{name}_{self.version}_{architecture}.deb'
        # Zstandard, which Debian's dpkg knows since release 12, for what is too large for xz.
        compression = ['-Zzstd', '-z9'] if debug else ['-Zxz', '-z6']
        run(
            'dpkg-deb',
            '--root-owner-group',
            '--threads-max=2',
            *compression,
            '--build',
            root,
            path,
            env=self.environment,
        )
        return path

    # --- .rpm ---

    def rpm_files(self, root, layout):
        """The list of a package's files. Directories as well: an empty one must not stay behind."""
        shared = {
            '',
            'usr',
            'usr/bin',
            'usr/lib',
            'usr/lib64',
            'usr/share',
            'usr/share/man',
            'usr/share/man/man1',
            'usr/share/licenses',
            'usr/share/doc',
        }
        lines = ['%defattr(-,root,root,-)']
        for path in sorted(root.rglob('*')):
            place = path.relative_to(root).as_posix()
            if path.is_dir():
                lines += [f'%dir "/{place}"'] if place not in shared else []
            else:
                lines.append(
                    ('%license ' if place.startswith(layout.documents) else '') + f'"/{place}"'
                )
        return '\n'.join(lines)

    def make_rpm(self, debug):
        """Both at once, or the first alone: they come from one description."""
        layout = Layout(
            'usr',
            'lib64',
            'usr/lib/debug/.build-id',
            'share/zsh/site-functions',
            'usr/share/licenses/assay',
            True,
            0o755,
        )
        root = self.tree('rpm-assay', layout, False)
        trees = [root] + ([self.tree('rpm-assay-debuginfo', layout, True)] if debug else [])
        spec = f"""Name: assay
Version: {self.version}
Release: 1
Summary: {SUMMARY}
License: LicenseRef-Assay AND {licences.spdx()}
Packager: {self.maintainer}
Group: Development/Tools
Recommends: vulkan-loader
Recommends: binutils
%description
{chr(10).join(DESCRIPTION)}
%install
cp -a {' '.join(f'"{tree}/."' for tree in trees)} "%{{buildroot}}/"
%files
{self.rpm_files(root, layout)}
"""
        if debug:
            spec += f"""%package debuginfo
Summary: {DEBUG_SUMMARY}
Group: Development/Debug
AutoReqProv: no
%description debuginfo
Debuggers find it by the build ids of the files that assay has.
%files debuginfo
{self.rpm_files(trees[1], layout)}
"""
        top = self.work / 'rpm'
        top.mkdir()
        (top / 'assay.spec').write_text(spec)
        # The files are stripped and compressed as they should be; and the format is the one that
        # every rpm since version 4 reads.
        macros = {
            '_topdir': top,
            '_rpmdir': top / 'made',
            'debug_package': '%{nil}',
            '__os_install_post': '%{nil}',
            '_build_id_links': 'none',
            '_rpmformat': '4',
            '_binary_payload': RPM_COMPRESSION,
            '_buildhost': 'localhost',
            'clamp_mtime_to_source_date_epoch': '1',
            'build_mtime_policy': 'clamp_to_source_date_epoch',
            'use_source_date_epoch_as_buildtime': '1',
            '__provides_exclude': '^lib.*[.]so.*$',
            '_rpmfilename': '%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm',
            'vendor': '%{nil}',
            '_vendor': '%{nil}',
        }
        defines = [
            word for name, value in macros.items() for word in ('--define', f'{name} {value}')
        ]
        for tree in trees:
            self.date(tree)
        run(
            'rpmbuild',
            '-bb',
            '--target',
            f'{self.machine}-linux',
            *defines,
            top / 'assay.spec',
            env=self.environment,
        )
        made = []
        for path in sorted((top / 'made').rglob('*.rpm')):
            made.append(self.out / path.name)
            shutil.move(path, made[-1])
        return made

    # --- .tar.xz ---

    def make_tar(self, debug):
        layout = Layout(
            '',
            'lib',
            'lib/debug/.build-id',
            'share/zsh/site-functions',
            'share/doc/assay',
            False,
            0o755,
        )
        name = f'assay-{self.version}-{self.machine}'
        root = self.tree(f'tar{"-debug" if debug else ""}', layout, debug)
        if not debug:
            shutil.copyfile(HERE / 'install.sh', root / 'install.sh')
            (root / 'install.sh').chmod(0o755)
            (root / 'README').write_text(
                (HERE / 'README.tar').read_text().replace('@GLIBC@', self.staged.glibc)
            )
            (root / 'README').chmod(0o644)
        self.date(root)
        archive = self.out / f'{name}{"-debug" if debug else ""}.tar.xz'
        # Two threads: with one, xz writes other bytes than with any other number. What it gains on
        # debug information costs minutes.
        with archive.open('wb') as file:
            compressor = subprocess.Popen(
                ['xz', '--threads=2', '-1' if debug else '-6'], stdin=subprocess.PIPE, stdout=file
            )
            with tarfile.open(
                fileobj=compressor.stdin, mode='w|', format=tarfile.GNU_FORMAT
            ) as tar:
                for path in [root, *sorted(root.rglob('*'))]:
                    entry = tar.gettarinfo(
                        path, (pathlib.PurePath(name) / path.relative_to(root)).as_posix()
                    )
                    entry.uid = entry.gid = 0
                    entry.uname = entry.gname = 'root'
                    entry.mtime = self.when
                    tar.addfile(entry, io.BytesIO(path.read_bytes()) if path.is_file() else None)
            compressor.stdin.close()
            if compressor.wait() != 0:
                fail(f'{archive} could not be written')
        return archive


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--out', type=pathlib.Path, required=True)
    parser.add_argument('--no-debug', action='store_true')
    parser.add_argument('--only', choices=['deb', 'rpm', 'tar'])
    options = parser.parse_args()
    tools = {'deb': ['dpkg-deb'], 'rpm': ['rpmbuild'], 'tar': ['xz']}
    for kind, names in tools.items():
        for tool in names:
            if options.only in (None, kind) and not shutil.which(tool):
                fail(f'{tool} is missing, which makes the .{kind}')
    os.umask(0o022)
    licences.check(options.build)
    options.out.mkdir(parents=True, exist_ok=True)
    version = json.loads(run('meson', 'introspect', options.build, '--projectinfo'))['version']
    made = []
    with tempfile.TemporaryDirectory(prefix='assay-package-') as work:
        work = pathlib.Path(work)
        packager = Packager(
            Staged(options.build, work / 'staged'), version, options.out.absolute(), work, epoch()
        )
        for kind, make in (('deb', packager.make_deb), ('tar', packager.make_tar)):
            if options.only in (None, kind):
                made += [make(debug) for debug in ([False] if options.no_debug else [False, True])]
        if options.only in (None, 'rpm'):
            made += packager.make_rpm(not options.no_debug)
    sums = ''.join(
        f'{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n' for path in sorted(made)
    )
    (options.out / 'SHA256SUMS').write_text(sums)
    for path in sorted(made):
        print(f'{path.stat().st_size:10,d}  {os.path.join(options.out, path.name)}')


if __name__ == '__main__':
    main()
