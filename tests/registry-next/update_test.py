#!/usr/bin/env python3
"""Does an update of the registry tell all of tomorrow's registry, and accept it by ids?

  update_test.py --build DIR --registry DIR --include DIR --out DIR

`./dev update-registry` (registry/update/update.py) reports on the registry that make.py makes. What
make.py has changed must stand in the report, each with its place. Then statements are accepted in a
copy of registry/, which lies in DIR: the checkout does not change.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / 'registry'))
from model import read_as  # noqa: E402
from update import found as update_found  # noqa: E402
from update import reading as update_reading  # noqa: E402
from update import report as update_report  # noqa: E402

EXTENSION = (
    'vkCmdDispatchNextRegistryEXT',
    'VkNextRegistryCreateInfoEXT',
    'VkNextRegistryEXT',
    'nextRegistry (VkPhysicalDeviceNextRegistryFeaturesEXT)',
    'VkPhysicalDeviceNextRegistryPropertiesEXT::maxNextRegistryRegions (max)',
    'VK_IMAGE_LAYOUT_NEXT_REGISTRY_EXT of VkImageLayout',
)
# Tables in Python and in C that must look at a new layout, a new dynamic state and a new handle.
TABLES = (
    'src/core/barrier/layout_sets.h',
    'registry/rows/ignored_by_pipelines.toml',
    'registry/language/facts.py',
)
TRACEBACK = """Traceback (most recent call last):
  File "/assay/registry/generate.py", line 75, in generate
    model = registry_model.load(args.registry, args.spirv)
  File "/assay/registry/model/registry.py", line 210, in _filter
    del vk.structs[name]
KeyError: 'VkFoo'
generate.py: vk/commands.c.mako failed
"""


class Words(unittest.TestCase):
    def test_pieces(self) -> None:
        found = update_reading.cut('If a is 0 and b is 1, then c must hop', ['a is 0', 'b is 1'])
        self.assertEqual((found.known, found.rest), (['a is 0', 'b is 1'], ['c must hop']))

    def test_the_longest_piece_counts(self) -> None:
        found = update_reading.cut('if a and b, c must d', ['a', 'a and b', 'c must d'])
        self.assertEqual((found.known, found.rest), (['a and b', 'c must d'], []))

    def test_changed_words(self) -> None:
        self.assertEqual(
            update_report.changed_words('a must be 0', 'a must not be 0 or 1'),
            'a must {+not+} be 0 {+or 1+}',
        )

    def test_failure_of_a_generator(self) -> None:
        self.assertEqual(
            update_found.failure(TRACEBACK),
            "registry/model/registry.py:210: error: KeyError: 'VkFoo'",
        )

    def test_words_that_are_given(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / 'read_as.txt'
            path.write_text('# comment\nVUID-vkFoo-a-00001 0123abcd a must be 0\n')
            found = read_as.listed(path)
        self.assertEqual(
            [(key, x.words, x.place) for key, x in found.items()],
            [(('00001', '0123abcd'), 'a must be 0', 'registry/read_as.txt:2')],
        )


@dataclass
class Run:
    status: int
    said: str
    errors: str


class Update(unittest.TestCase):
    """`options` and `changes` are of the whole run; the parts are tried in their order."""

    options: argparse.Namespace
    changes: dict[str, Any]
    checkout: pathlib.Path
    report: pathlib.Path
    run_of_report: Run
    text: str

    @classmethod
    def setUpClass(cls) -> None:
        out = cls.options.out
        prefix = out / 'prefix'
        subprocess.run(
            [
                sys.executable,
                str(HERE / 'make.py'),
                '--registry',
                cls.options.registry,
                '--include',
                cls.options.include,
                '--asked',
                cls.options.build / 'src/stateless/asked.json',
                '--out',
                prefix,
            ],
            check=True,
        )
        cls.changes = json.loads((prefix / 'changes.json').read_text(encoding='utf-8'))
        cls.checkout = out / 'checkout'
        shutil.rmtree(cls.checkout, ignore_errors=True)
        shutil.copytree(
            ROOT / 'registry',
            cls.checkout / 'registry',
            ignore=shutil.ignore_patterns('__pycache__'),
        )
        for name in ('src', 'tests', 'tools', 'bench', 'examples'):
            (cls.checkout / name).symlink_to(ROOT / name)
        cls.report = out / 'work/report.txt'
        cls.run_of_report = cls.update('--old', cls.options.registry, prefix)
        cls.text = cls.report.read_text(encoding='utf-8') if cls.report.exists() else ''

    @classmethod
    def update(cls, *arguments: str | pathlib.Path) -> Run:
        environment = os.environ | {'ASSAY_REGISTRY_CACHE': str(cls.options.out / 'kept')}
        done = subprocess.run(
            [
                sys.executable,
                cls.checkout / 'registry/update/update.py',
                '--build',
                cls.options.build,
                '--work',
                cls.options.out / 'work',
                '--installed',
                cls.options.registry,
                *arguments,
            ],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def entry(self, vuid: str) -> str:
        """The entry of the report that begins with an id or a number."""
        found = re.search(rf'^{re.escape(vuid)}\b.*?(?=\n\n|\n==)', self.text, re.M | re.S)
        self.assertTrue(found, f'{vuid} has no entry in {self.report}')
        return re.sub(r'\s+', ' ', found[0]) if found else ''

    def test_1_the_report_is_written(self) -> None:
        self.assertEqual((self.run_of_report.status, self.run_of_report.errors), (0, ''))
        self.assertNotIn('Traceback', self.text)
        self.assertIn('the report: ', self.run_of_report.said)
        wide = [x for x in self.text.split('\n== more places')[0].splitlines() if len(x) > 130]
        self.assertEqual(wide, [])

    def test_2_names(self) -> None:
        extension = self.entry('VK_EXT_next_registry')
        for name in EXTENSION:
            self.assertIn(name, extension)
        self.assertIn('VkDisplayModeStereoPropertiesNV has the new member nextRegistry', self.text)
        for name in self.changes['enumerants']:
            self.assertRegex(self.text, rf'\n{name}\n    asked by +(src|tests)/\S+:\d+\n')
        tables = self.text.split('== hand-written tables')[1].split('\n==')[0]
        for path in TABLES:
            self.assertIn(path, tables)

    def test_3_statements(self) -> None:
        for vuid in self.changes['new']:
            self.assertRegex(self.entry(vuid), 'stopped at|means', vuid)
        row = next(x for x in self.changes['new'] if x.endswith('-90004'))
        self.assertRegex(self.entry(row), rf'this line goes to registry/rows.txt: {row} \w{{8}} ')
        self.assertIn(
            'understood the nextRegistry feature is not enabled stopped at "statement 1 ',
            self.entry(self.changes['new'][1]),
        )
        understood = self.entry(self.changes['understood'])
        self.assertRegex(understood, r'checked by registry/rows.txt:\d+ means .*nextRegistry')
        self.assertRegex(understood, r'\{\+If the nextRegistry feature is enabled,( the)?\+\}')
        self.assertRegex(
            self.entry(self.changes['reworded_rows'][0]),
            r'said .* says .* checked by registry/rows.txt:\d+ understood .* stopped '
            r'at "unless .* registry/read_as.txt',
        )
        for vuid in self.changes['reworded_c']:
            if re.search(rf'^{vuid}\b', self.text, re.M):
                self.assertRegex(
                    self.entry(vuid), r'said .* says .* checked by src/\S+:\d+ \(\w+\)'
                )
        for vuid in self.changes['gone'] + self.changes['gone_rows']:
            self.assertRegex(self.text, rf'\n{vuid[-5:]}  [^\n]*{vuid}')
            self.assertRegex(self.entry(vuid[-5:]), r'asked by (src|registry)/\S+:\d+')

    def test_4_problems_have_places(self) -> None:
        problems = self.text.split('\n== more places')[1].split('\n\n')[0].splitlines()[1:]
        self.assertTrue(problems)
        strangers = [x for x in problems if not re.match(r'\S+?(:\d+)?: error: ', x)]
        self.assertEqual(strangers, [])

    def test_5_what_is_refused(self) -> None:
        before = (self.checkout / 'registry/statements.txt').read_bytes()
        unread = self.changes['new'][0]
        refused = {
            'all': 'there is no word for several',
            'VUID-*-90001': 'no word for several',
            self.changes['reworded_rows'][0]: 'does not understand it',
            self.changes['gone'][0][-5:]: 'asks for it',
            unread: 'neither a row',
            'VUID-vkCmdDraw-None-99999': 'neither registry has it',
        }
        run = self.update('--accept', *refused, self.changes['reworded_c'][0])
        self.assertEqual((run.status, run.said), (1, ''))
        self.assertNotIn('Traceback', run.errors)
        for word, why in refused.items():
            self.assertRegex(run.errors, rf'(?m)^{re.escape(word)}: error: .*{why}')
        self.assertEqual((self.checkout / 'registry/statements.txt').read_bytes(), before)

    def test_6_what_is_accepted(self) -> None:
        first, understood = self.changes['reworded_rows'][0], self.changes['understood']
        checksum = re.search(rf'{first} ([0-9a-f]{{8}})', self.entry(first))
        self.assertTrue(checksum)
        with open(self.checkout / 'registry/read_as.txt', 'a', encoding='utf-8') as f:
            words = re.search(r'said (.*?) says ', self.entry(first))
            f.write(f'{first} {checksum[1] if checksum else ""} {words[1] if words else ""}\n')
        run = self.update('--accept', first, understood, self.changes['reworded_c'][0])
        self.assertEqual((run.status, run.errors), (0, ''))
        rows = (self.checkout / 'registry/rows.txt').read_text(encoding='utf-8')
        self.assertIn(f'{first} {checksum[1] if checksum else ""}\n', rows)
        self.assertRegex(run.said, rf'{understood}: accepted\nregistry/rows.txt:\d+: the row has ')
        head = (self.checkout / 'registry/statements.txt').read_text(encoding='utf-8')[:500]
        self.assertRegex(head, r'(?m)^# registry [\d.]+\+$')
        again = self.update('--accept', first)
        self.assertIn('its sentence was read already', again.errors)

    def test_7_a_registry_that_is_none(self) -> None:
        run = self.update(self.options.out / 'nowhere')
        self.assertEqual((run.status, run.said), (2, ''))
        self.assertRegex(run.errors, r'^update.py: \S+nowhere: neither it, .* has a vk.xml\n$')
        broken = self.options.out / 'broken'
        broken.mkdir(exist_ok=True)
        (broken / 'vk.xml').write_text('<registry>\n<types>\n</registry>\n')
        (broken / 'validusage.json').write_text('{}')
        run = self.update(broken)
        self.assertRegex(run.errors, r'^update.py: \S+broken/vk.xml:3: mismatched tag')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--registry', type=pathlib.Path, required=True)
    parser.add_argument('--include', type=pathlib.Path, required=True)
    parser.add_argument('--out', type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    Update.options = options
    unittest.main(argv=sys.argv[:1])


if __name__ == '__main__':
    main()
