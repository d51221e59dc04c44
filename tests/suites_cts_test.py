#!/usr/bin/env python3
"""Tests tests/suites_cts.py with a script in the place of deqp-vk: no driver, no layer and no suite
is needed.

The script is made from FAKE. It knows a few tests, one of which dies, and one of which hangs.
"""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

import suites_cts

FAKE = """#!{python}
import json, os, pathlib, re, signal, sys, time

TESTS = ['dEQP-VK.api.basic.good.' + name for name in ('a', 'b', 'c')] + [
    'dEQP-VK.api.bad.alike.fails', 'dEQP-VK.api.bad.end.dies', 'dEQP-VK.api.bad.end.hangs', 'dEQP-VK.api.bad.end.dies_with_layer',
    'dEQP-VK.draw.one.changed.result', 'dEQP-VK.draw.one.ours.alone', 'dEQP-VK.draw.one.ours.both', 'dEQP-VK.draw.two.ours.explained',
    'dEQP-VK.draw.two.ours.once', 'dEQP-VK.draw.wsi.speed.any', 'dEQP-VK.sync.many.skipped.x']
layer = os.environ.get('VK_INSTANCE_LAYERS', '')
options = dict(a.lstrip('-').split('=', 1) for a in sys.argv[1:])

def out(text):
    print(text, flush=True)

def finds(vuid):
    if 'ASSAY' in layer:
        settings = pathlib.Path(os.environ['VK_LAYER_SETTINGS_PATH']).read_text()
        with open(re.search('json_filename = (.*)', settings)[1], 'a') as file:
            file.write(json.dumps({{'vuid': vuid, 'severity': 'error', 'message': 'message of ' + vuid}}) + '\\n')

def runs(test):
    out("Test case '" + test + "'..")
    end = 'Pass (good)'
    if test.endswith('.dies') or test.endswith('.dies_with_layer') and 'ASSAY' in layer:
        os.kill(os.getpid(), signal.SIGSEGV)
    if test.endswith('.hangs'):
        time.sleep(1000)
    if test.endswith('.fails') or test.endswith('changed.result') and 'ASSAY' in layer:
        end = 'Fail (wrong picture)'
    if test.endswith('skipped.x'):
        end = 'NotSupported (no such feature)'
    if test.endswith('ours.alone'):
        finds('VUID-vkOurs-alone-00001')
    if test.endswith('ours.both'):
        finds('VUID-vkBoth-say-00002')
        if 'KHRONOS' in layer:
            out('Validation Error: [ VUID-vkBoth-say-00002 ] | MessageID = 0x1')
    if test.endswith('ours.explained'):
        finds('SYNC-HAZARD-READ-AFTER-WRITE')
    # A finding that an earlier test of the process has left behind does not come when the test is alone.
    if test.endswith('ours.once') and len(wanted) > 1:
        finds('VUID-vkOnce-in-00003')
    out('  ' + end)

if options.get('deqp-runmode') == 'stdout-caselist':
    for test in TESTS:
        out('TEST: ' + test)
    sys.exit(0)
wanted = pathlib.Path(options['deqp-caselist-file']).read_text().split()
with open(os.environ['FAKE_LOG'], 'a') as file:
    file.write(json.dumps([layer, wanted]) + '\\n')
for test in TESTS:
    if test in wanted:
        runs(test)
"""

EXPLAINED = """# A comment.
SYNC-HAZARD-READ-AFTER-WRITE | ours\\.explained
end | ^nothing$
    "The sentence
    that decides".
"""


class Runner(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        program = self.directory / 'deqp-vk'
        program.write_text(FAKE.format(python=sys.executable))
        program.chmod(0o755)
        (self.directory / 'differences.txt').write_text(EXPLAINED)
        self.log = self.directory / 'log'

    def run_suite(self, *options):
        """(status, what was printed, [(layer, tests)] of the processes)."""
        self.log.unlink(missing_ok=True)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), self.assertRaises(SystemExit) as end:
            suites_cts.main(
                [
                    '--deqp',
                    str(self.directory / 'deqp-vk'),
                    '--kept',
                    str(self.directory / 'kept'),
                    '--differences',
                    str(self.directory / 'differences.txt'),
                    '--layer-path',
                    str(self.directory),
                    '--limit',
                    '2',
                    '--jobs',
                    '1',
                    '--env',
                    f'FAKE_LOG={self.log}',
                    *options,
                ]
            )
        ran = (
            [json.loads(line) for line in self.log.read_text().splitlines()]
            if self.log.exists()
            else []
        )
        return end.exception.code, printed.getvalue(), ran

    def test_everything(self):
        status, text, _ = self.run_suite()
        self.assertEqual(status, 1)
        # The runner goes on after the tests that died and hung. Those that speed or windows decide
        # are left out.
        plain = next(line for line in text.splitlines() if line.startswith('none:'))
        self.assertTrue(plain.startswith('none: 13 tests, 12 ran ('), plain)
        for count in ('9 Pass', '1 Fail', '1 crashed', '1 timeout', '1 NotSupported'):
            self.assertIn(count, plain)
        self.assertNotIn('wsi', text)
        # A test that fails, dies or hangs alike is no difference.
        for alike in ('alike.fails', 'end.dies:', 'end.hangs'):
            self.assertNotIn(alike, text)
        self.assertIn(
            (
                'ended differently: dEQP-VK.draw.one.changed.result: Fail (wrong picture), '
                'without a layer Pass'
            ),
            text,
        )
        self.assertIn('ended differently: dEQP-VK.api.bad.end.dies_with_layer: crashed', text)
        self.assertIn(
            'only assay-sync: VUID-vkOurs-alone-00001: 1 tests, NOT EXPLAINED\n    '
            'dEQP-VK.draw.one.ours.alone\n'
            '        message of VUID-vkOurs-alone-00001',
            text,
        )
        self.assertIn(
            (
                'only assay-sync: SYNC-HAZARD-READ-AFTER-WRITE: 1 tests, explained: "The '
                'sentence that decides".'
            ),
            text,
        )
        # A finding of the witness, too, and one that a test does not give alone, do not differ.
        self.assertNotIn('vkBoth', text)
        self.assertNotIn('vkOnce', text)
        self.assertTrue(text.endswith('3 unexplained\n'), text)

    def test_explained_only(self):
        status, text, _ = self.run_suite('--only', 'explained|good')
        self.assertEqual((status, text.splitlines()[-1]), (0, '0 unexplained'))

    def test_witness(self):
        self.assertIn('VUID-vkBoth-say-00002', self.run_suite('--only', 'both', '--no-witness')[1])
        _, text, ran = self.run_suite('--only', 'both')
        self.assertEqual([layer for layer, _ in ran], ['VK_LAYER_KHRONOS_validation'])
        self.assertNotIn('VUID-vkBoth', text)

    def test_resume(self):
        only = ('--only', 'good|alone')
        first = self.run_suite(*only)[1]
        results = self.directory / 'kept/assay-sync.jsonl'
        # The last line was cut off: its test runs again, and nothing else does.
        lines = results.read_text().splitlines(True)
        cut = json.loads(lines[1])['name']
        results.write_text(
            ''.join(line for line in lines if json.loads(line)['name'] != cut) + lines[1][:20]
        )
        _, second, ran = self.run_suite(*only)
        self.assertEqual(ran, [['VK_LAYER_ASSAY_validation', [cut]]])
        self.assertEqual(first.splitlines()[-3:], second.splitlines()[-3:])
        self.assertEqual(self.run_suite(*only)[2], [])
        self.assertTrue(self.run_suite(*only, '--again')[2])

    def test_mended(self):
        only = ('--only', 'good|alone')
        self.run_suite(*only)
        ran = self.run_suite(*only, '--mended')[2]
        self.assertEqual({tuple(tests) for _, tests in ran}, {('dEQP-VK.draw.one.ours.alone',)})

    def test_sample(self):
        names = [
            f'dEQP-VK.{a}.{b}.{c}.{d}' for a in 'xy' for b in 'pq' for c in 'mn' for d in range(50)
        ]
        chosen = suites_cts.stratified(names, 8, 1)
        self.assertEqual(len({'.'.join(name.split('.')[:4]) for name in chosen}), 8)
        self.assertEqual(chosen, suites_cts.stratified(reversed(names), 8, 1))
        self.assertNotEqual(chosen, suites_cts.stratified(names, 8, 2))
        self.assertEqual(len(suites_cts.stratified(names, 1000, 1)), 400)
        ran = self.run_suite('--sample', '3', '--only', 'good|draw', '--layers', 'none')[2]
        self.assertEqual(sum(len(tests) for _, tests in ran), 3)

    def test_lists(self):
        (self.directory / 'list').write_text('dEQP-VK.api.basic.good.b\n')
        (self.directory / 'pass/deep').mkdir(parents=True)
        (self.directory / 'pass/deep/api.txt').write_text(
            'dEQP-VK.api.basic.good.c\ndEQP-VK.draw.wsi.speed.any\n'
        )
        self.assertEqual(
            self.run_suite('--list', str(self.directory / 'list'))[2][0][1],
            ['dEQP-VK.api.basic.good.b'],
        )
        self.assertEqual(
            self.run_suite('--mustpass', str(self.directory / 'pass'))[2][0][1],
            ['dEQP-VK.api.basic.good.c'],
        )

    def test_wrong_layer(self):
        self.assertIn(
            'there is no layer "assay-fast"', str(self.run_suite('--layers', 'assay-fast')[0])
        )


if __name__ == '__main__':
    os.environ.pop('VK_INSTANCE_LAYERS', None)
    unittest.main()
