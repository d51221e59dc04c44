#!/usr/bin/env python3
"""Says what another registry has that was not read, and takes note of what is read.

  update.py --build DIR --installed DIR [--old DIR] [--work DIR] [--accept ID...] [REGISTRY]

REGISTRY is a directory with vk.xml and validusage.json: of an installation, or a checkout of
Vulkan-Headers. Without it, the installed one is looked at. The report is written to report.txt in
--work (default: update-registry/ of the build), and its beginning is printed. --accept is about the
registry of the last report there.

  --accept ID...   these statements (an id; a number, where one is gone or has other ids) count as
                   read. Nothing accepts all at once. When nothing is left, --accept VERSION says
                   that the registry of this version is the one that was read.
  --old DIR        the registry that was read, where the cache directory does not have it

The build must know which rule each source asks for, and SPIRV-Tools' ids: `./dev update-registry`
sees to it. docs/updating-the-registry.md goes through an update."""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import traceback
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'registry'))
from claims import statements  # noqa: E402
from model import (
    changes,  # noqa: E402
    kept_registries,  # noqa: E402
)
from model import registry as registry_model  # noqa: E402
from update import accept as update_accept  # noqa: E402
from update import found as update_found  # noqa: E402
from update import names as update_names  # noqa: E402
from update import report as update_report  # noqa: E402

SHOWN = 9  # lines of the report that are printed


class Unusable(Exception):
    """The update cannot work with a path or a table of ours; the text says what is wrong, and
    where."""


def directory_of(path: pathlib.Path) -> pathlib.Path:
    """The directory that has vk.xml: the path, or one below it."""
    for below in ('', 'registry', 'share/vulkan/registry'):
        if (path / below / 'vk.xml').is_file():
            if not (path / below / 'validusage.json').is_file():
                raise Unusable(f'{path / below}: it has vk.xml, and no validusage.json')
            return path / below
    raise Unusable(
        f'{path}: neither it, nor registry/ or share/vulkan/registry/ below it, has a vk.xml'
    )


def stage(registry: pathlib.Path, installed: pathlib.Path, at: pathlib.Path) -> None:
    """Copies the registry's files, and those of the installed one that it lacks (the programs that
    read vk.xml come with it). `--accept` goes on with the copy."""
    shutil.rmtree(at, ignore_errors=True)
    ignored = shutil.ignore_patterns('__pycache__', 'profiles')
    for source in (installed, registry):
        shutil.copytree(source, at, ignore=ignored, dirs_exist_ok=True)


def registry_version(registry: pathlib.Path) -> str:
    try:
        return registry_model.read_vuids(str(registry))[0]
    except (OSError, ValueError, KeyError) as error:
        raise Unusable(f'{registry / "validusage.json"}: {type(error).__name__}: {error}') from None


def keep_old(old: pathlib.Path, version: str) -> None:
    """Keeps the registry that was read for the next time."""
    of_old = registry_version(old)
    if of_old != version:
        raise Unusable(f'--old {old}: it is of version {of_old}, and {version} was read')
    kept_registries.keep(old, version)


def spirv_of(build: pathlib.Path) -> pathlib.Path | None:
    """Where the build has SPIR-V's grammar from."""
    words = (build / 'build.ninja').read_text(encoding='utf-8').split()
    return next(
        (
            pathlib.Path(words[i + 1].strip('\'"'))
            for i, word in enumerate(words)
            if word.strip('\'"') == '--spirv'
        ),
        None,
    )


class Update:
    def __init__(self, options: argparse.Namespace) -> None:
        self.build: pathlib.Path = options.build.resolve()
        self.work: pathlib.Path = (options.work or self.build / 'update-registry').resolve()
        self.registry = self.work / 'registry'
        registry = self.registry
        if options.registry or not options.accept:
            registry = directory_of(options.registry or options.installed)
            stage(registry, options.installed, self.registry)
        elif not registry.is_dir():
            raise Unusable('--accept: there is no report yet; run it without --accept first')
        self.read = changes.Read()
        version = (self.read.version or '').removesuffix(changes.PARTLY)
        if options.old:
            keep_old(directory_of(options.old), version)
        self.old = directory_of(options.old) if options.old else kept_registries.find(version)
        installed = registry_version(options.installed)
        if self.old is None and installed == version:
            keep_old(options.installed, version)
            self.old = kept_registries.find(version)
        spirv = spirv_of(self.build)
        try:
            self.new_names = update_names.read(self.registry)
            self.model = registry_model.load(str(self.registry), spirv and str(spirv))
        except ElementTree.ParseError as error:
            raise Unusable(f'{registry / "vk.xml"}:{error.position[0]}: {error}') from None
        except Exception as error:  # pylint: disable=broad-except  its reader raises all kinds
            raise Unusable(
                f'{registry}: it cannot be read: {type(error).__name__}: {error}'
            ) from None

    @property
    def versions(self) -> update_report.Versions:
        where = (
            f'kept in {self.old}'
            if self.old
            else 'it is not kept in the cache directory, as no build here has read it; --old DIR '
            'takes one (Vulkan-Headers has a tag for each version)'
        )
        return update_report.Versions(
            self.read.version or 'no version', self.model.api_version, where
        )

    def find(self) -> update_found.Found:
        old = registry_model.read_vuids(str(self.old))[1] if self.old else {}
        try:
            return update_found.Found(
                self.model,
                self.read,
                old,
                self.build / 'src/stateless/asked.json',
                self.build / 'src/spirv-ids',
            )
        except Exception:  # pylint: disable=broad-except  a table meets what it does not expect
            failures = [update_found.failure(traceback.format_exc()), *self.generate()]
            raise Unusable('\n'.join(dict.fromkeys(failures))) from None

    @property
    def generated(self) -> pathlib.Path:
        return self.work / 'generated'

    def generate(self) -> list[str]:
        """Runs the generators, and returns how they failed."""
        shutil.rmtree(self.generated, ignore_errors=True)
        return update_found.generate(self.build, self.registry, self.generated)

    def problems(self, found: update_found.Found) -> list[str]:
        """Returns what is wrong with all that asks for this registry."""
        failures = self.generate()
        notes = statements.notes_of(str(self.generated))
        return update_report.problems_of(found, notes, failures)

    def report(self) -> None:
        path = self.work / 'report.txt'
        found = self.find()
        names: list[str] = []
        if self.old:
            uses = update_names.Uses(ROOT)
            names = update_report.names_report(
                update_names.read(self.old), self.new_names, found, uses
            )
        else:
            names = ['', '== new names: not known without the registry that was read']
        text = update_report.report(found, self.versions, names, self.problems(found))
        path.write_text(text, encoding='utf-8')
        lines = text.splitlines()
        print('\n'.join(lines[:SHOWN]) + '\n' + '\n'.join(lines[lines.index('== next') + 1 :]))
        print(f'the report: {os.path.relpath(path, ROOT)}')

    def accept(self, wanted: list[str]) -> bool:
        if wanted == [self.model.api_version]:
            return self.accept_version()
        result = update_accept.Accepting(self.find()).accept(wanted)
        for line in result.refused:
            print(line, file=sys.stderr)
        if result.refused:
            print('nothing was accepted', file=sys.stderr)
            return False
        result.apply()
        print('\n'.join(result.done))
        return True

    def accept_version(self) -> bool:
        """The last step: this registry is the one that was read, and no other one is."""
        found = self.find()
        if not found.is_all_read:
            left = len(found.entries) + len(found.gone) + len(found.others)
            print(
                f'{self.model.api_version}: error: {left} entries of the report are not accepted',
                file=sys.stderr,
            )
            return False
        problems = self.problems(found)
        for problem in problems:
            print(problem, file=sys.stderr)
        if problems:
            return False
        self.read.accept_all(self.model)
        self.read.write()
        print(f'registry/statements.txt: {self.model.api_version} is the registry that was read')
        return True


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--installed', type=pathlib.Path, required=True)
    parser.add_argument('--old', type=pathlib.Path)
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--accept', nargs='+', metavar='ID', default=[])
    parser.add_argument('registry', nargs='?', type=pathlib.Path)
    options = parser.parse_args()
    try:
        update = Update(options)
        if options.accept:
            return 0 if update.accept(options.accept) else 1
        update.report()
        return 0
    except Unusable as error:
        print(f'update.py: {error}', file=sys.stderr)
        return 2


if __name__ == '__main__':
    sys.exit(main())
