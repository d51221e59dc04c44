#!/usr/bin/env python3
"""Checks that the scan of the sources finds which code asks for which statement, and that each
mistake that statements.py looks for fails.

    statements.py REGISTRY_DIRECTORY     the checkout's registry/

Sources, statements and lists here are made up and small."""

import importlib
import os
import pathlib
import re
import sys
import tempfile
import unittest
from types import SimpleNamespace

sys.path.insert(0, os.path.abspath(sys.argv.pop(1)))
from claims import (
    coverage,  # noqa: E402
    rule_numbers,  # noqa: E402
    scan_rules,  # noqa: E402
    statements,  # noqa: E402
)
from model import changes, hand_tables, places  # noqa: E402
from model.registry import RegistryError  # noqa: E402
from rows import draw_rows as forms_draws  # noqa: E402
from rows import rows  # noqa: E402

HEADER = """
#define RULE(call_, number_) rule_vuid((call_)->command, RULE_##number_)
#define REQUIRE(s_, number_, condition_, ...) \\
    do { \\
        if (!(condition_)) \\
            finding((s_)->call, RULE((s_)->call, number_), __VA_ARGS__); \\
    } while (0)
#define LOCATION(name_) (&(struct location){name_})
"""


def scan(templates=(), **files):
    """{function: {asked: Site}} of files, each `room__name`."""
    sources = {f'src/{name.replace("__", "/")}.c': text for name, text in files.items()}
    sites, hooked, names = scan_rules.scan(sources, [HEADER], templates)
    found = {}
    for site in sites:
        found.setdefault(site.function, {})[site.asked] = site
    return found, hooked, names


class Scan(unittest.TestCase):
    def test_hook_reaches_through_functions(self):
        found, _, _ = scan(
            core__draw="""
            static bool check(struct subject *s)
            {
                REQUIRE(s, 00912, s->size,
                        "is 0");
                return s->skip;
            }
            bool core_validate_CmdDraw(struct call *call) { return check(&(struct subject){call}); }
            bool core_validate_CmdDrawIndexed_again(struct call *call) { return check(&(struct subject){call}); }
            bool core_validate_CmdDispatch(struct call *call) { return false; }
        """
        )
        site = found['check']['RULE_00912']
        self.assertEqual(site.commands, ['vkCmdDraw', 'vkCmdDrawIndexed'])
        self.assertEqual(site.where, 'src/core/draw.c:4')
        self.assertTrue(site.reached)

    def test_tables_and_function_pointers_are_mentions(self):
        found, _, _ = scan(
            core__table="""
            static const struct limit limits[] = {{RULE_00001, "width"}, {RULE_00002, "height"}};
            static void each(struct call *call) { finding(call, RULE(call, 00003)); }
            bool core_validate_CreateImage(struct call *call) { return walk(limits, each); }
        """
        )
        self.assertEqual(found['limits']['RULE_00002'].commands, ['vkCreateImage'])
        self.assertEqual(found['each']['RULE_00003'].commands, ['vkCreateImage'])

    def test_macros_are_expanded(self):
        found, _, _ = scan(
            core__macros="""
            #define BOTH(member_, number_) {VUID_VkOne_##member_##_##number_, VUID_VkTwo_##member_##_##number_}
            #define LIST(X) X(00004) X(00005)
            #define ONE(number_) RULE_##number_,
            static const enum vuid both[] = BOTH(size, 00912);
            static const enum rule list[] = {LIST(ONE)};
            bool core_validate_CreateBuffer(struct call *call) { return both[0] && list[0]; }
        """
        )
        self.assertEqual(set(found['both']), {'VUID_VkOne_size_00912', 'VUID_VkTwo_size_00912'})
        self.assertEqual(set(found['list']), {'RULE_00004', 'RULE_00005'})

    def test_comments_strings_and_members_do_not_count(self):
        found, _, _ = scan(
            core__words="""
            /* RULE_00001 */ // RULE_00002
            static bool other(struct call *call) { return finding(call, RULE(call, 00004)); }
            bool core_validate_CreateBuffer(struct call *call) { return say("RULE_00003") | call->other | call.other; }
        """
        )
        self.assertEqual(set(found), {'other'})
        self.assertFalse(found['other']['RULE_00004'].reached)

    def test_static_functions_of_two_files_are_two(self):
        found, _, _ = scan(
            core__one='static bool check(struct call *call) { return finding(call, RULE(call, '
            '00001)); }'
            'bool core_validate_CmdDraw(struct call *call) { return check(call); }',
            core__two='static bool check(struct call *call) { return finding(call, RULE(call, '
            '00002)); }'
            'bool core_validate_CmdDispatch(struct call *call) { return check(call); }',
        )
        self.assertEqual(found['check']['RULE_00001'].commands, ['vkCmdDraw'])
        self.assertEqual(found['check']['RULE_00002'].commands, ['vkCmdDispatch'])

    def test_later_is_of_what_was_recorded(self):
        found, hooked, _ = scan(
            core__later="""
            static enum rule rule_of(struct record *record) { return record->build ? RULE_00002 : RULE_00003; }
            static bool check(struct call *call, struct record *record)
            {
                return finding(call, rule_vuid(record->command, RULE_00001)) | finding(call, rule_vuid(record->command, rule_of(record)));
            }
            bool core_validate_QueueSubmit(struct call *call) { return check(call, call->record); }
            void core_after_CmdCopy(struct call *call) {}
        """
        )
        self.assertEqual(
            (found['check']['RULE_00001'].commands, found['check']['RULE_00001'].later),
            ([], 'core'),
        )
        self.assertEqual(found['rule_of']['RULE_00002'].later, 'core')
        self.assertEqual(hooked['core'], {'vkQueueSubmit', 'vkCmdCopy'})

    def test_generated_code_reaches(self):
        found, _, _ = scan(
            ['return rule_${name}(check);'],
            stateless__rules="""
            void rule_VkBufferCreateInfo(struct check *check) { report(check, VUID_VkBufferCreateInfo_size_00912); }
            void rules_forgotten(struct check *check) { report(check, VUID_VkBufferCreateInfo_size_00913); }
        """,
        )
        self.assertTrue(
            found['rule_VkBufferCreateInfo']['VUID_VkBufferCreateInfo_size_00912'].reached
        )
        self.assertFalse(found['rules_forgotten']['VUID_VkBufferCreateInfo_size_00913'].reached)

    def test_what_cannot_be_read_is_said(self):
        with self.assertRaisesRegex(scan_rules.Unreadable, 'src/core/broken.c'):
            scan(
                core__broken='bool core_validate_CmdDraw(struct call *call) { if (call) { return true; }'
            )

    def test_names(self):
        self.assertEqual(
            scan(core__masks='bool f(void) { return check(MASK_VkOne_stages); }')[2],
            {'MASK_VkOne_stages'},
        )


class Thing:
    def __init__(self, **values):
        self.__dict__.update(values)


def made_up(texts):
    """A model with the commands vkCopy, vkCopy2 (which takes a VkInfo), vkAlone (a VkAlone),
    vkDraw, and statements {id: text}."""
    m = Thing(api_version='1.4.0', aliases={}, handles={}, commands={}, structs={}, vuids={})
    m.structs['VkInfo'] = Thing(name='VkInfo', extends=[], aliases=[], members=[])
    m.structs['VkAlone'] = Thing(name='VkAlone', extends=[], aliases=[], members=[])
    for name, types in (
        ('vkCopy', []),
        ('vkCopy2', ['VkInfo']),
        ('vkAlone', ['VkAlone']),
        ('vkDraw', []),
        ('vkDrawOther', []),
    ):
        m.commands[name] = Thing(name=name, params=[Thing(type=t) for t in types])
    m.all_commands = list(m.commands)
    m.vuid_constant = lambda i: i.replace('-', '_')
    for vuid, text in texts.items():
        m.vuids[vuid] = Thing(
            id=vuid,
            text=text,
            page='chapters/copies.html',
            owner=vuid.split('-')[1],
            numbered=vuid[-5:].isdigit(),
        )
    return m


TEXTS = {
    'VUID-vkCopy-size-00001': 'size must be greater than 0',
    'VUID-VkInfo-size-00001': 'size must be greater than 0',
    'VUID-vkDraw-count-00002': 'count must not be 1',
    'VUID-vkDrawOther-count-00002': 'count must not be 1',
    'VUID-VkAlone-flags-00003': 'flags must be 0',
}
OPEN = """open unwritten x
open twin y
impossible platform z
platform * * Metal
unwritten copies *
"""


def open_list(text):
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write(text)
        f.flush()
        return statements.OpenList(f.name)


def site(asked, commands, where='src/core/copy.c:7', later=None, reached=True):
    return scan_rules.Site(where, 'check', asked, commands, later, reached)


def statements_of(sites, texts=TEXTS, listed=OPEN, read=None, **more):
    m = made_up(texts)
    return statements.Statements(
        m, statements.Claims(m, sites, {'core': {'vkCopy'}}, **more), open_list(listed), read
    )


class Claims(unittest.TestCase):
    def problems(self, *args, **more):
        return statements_of(*args, **more).problems

    def test_pairs_follow_the_commands(self):
        found = statements_of([site('RULE_00001', ['vkCopy2'])])
        self.assertEqual(found.checked, {'VUID-VkInfo-size-00001': 'src/core/copy.c:7'})
        self.assertEqual(found.problems, [])
        found = statements_of([site('RULE_00001', ['vkCopy', 'vkCopy2', 'vkDraw'])])
        self.assertEqual(set(found.checked), {'VUID-VkInfo-size-00001', 'VUID-vkCopy-size-00001'})
        self.assertEqual(found.problems, [])

    def test_commands_without_the_number_among_others(self):
        found = statements_of([site('RULE_00001', ['vkCopy', 'vkDraw'])])
        self.assertEqual(found.partly, ['src/core/copy.c:7  00001 is not of vkDraw'])
        self.assertIn('00001 is not of vkDraw\n', found.report())

    def test_later_follows_the_hooks_of_the_room(self):
        found = statements_of([site('RULE_00001', [], later='core')])
        self.assertEqual(set(found.checked), {'VUID-vkCopy-size-00001'})

    def test_rows_generated_and_spirv(self):
        found = statements_of(
            [],
            spirv_ids=['VUID-vkCopy-size-00001', 'VUID-Unknown-size-99999'],
            row_ids=['VUID-vkDraw-count-00002'],
            generated={'VUID-VkAlone-flags-00003': ('tables', 'registry/tables.py')},
        )
        self.assertEqual(
            found.checked,
            {
                'VUID-vkCopy-size-00001': 'SPIRV-Tools',
                'VUID-vkDraw-count-00002': 'a row',
                'VUID-VkAlone-flags-00003': 'generated: tables',
            },
        )

    def test_a_command_without_the_number(self):
        [problem] = self.problems([site('RULE_00001', ['vkDraw'])])
        self.assertRegex(
            problem,
            r'^src/core/copy.c:7: error: check asks for RULE_00001, which none of the '
            r'commands .* has: vkDraw\. '
            r'The number is of vkCopy, vkCopy2$',
        )

    def test_a_number_with_one_id(self):
        self.assertEqual(self.problems([site('RULE_00003', ['vkAlone'])]), [])
        [problem] = self.problems([site('RULE_00003', ['vkCopy2'])])
        self.assertIn(
            (
                'src/core/copy.c:7: error: check asks for RULE_00003, but no command that '
                'reaches it takes a VkAlone'
            ),
            problem,
        )

    def test_an_unknown_number(self):
        [problem] = self.problems([site('RULE_77777', ['vkDraw'])])
        self.assertIn('src/core/copy.c:7', problem)
        [problem] = self.problems([site('VUID_vkDraw_count_77777', ['vkDraw'])])
        self.assertIn('no statement of the registry', problem)

    def test_an_id_of_another_command(self):
        [problem] = self.problems([site('VUID_vkDraw_count_00002', ['vkCopy'])])
        self.assertRegex(
            problem, '^src/core/copy.c:7: .*but vkDraw does not reach it; what does: vkCopy'
        )
        self.assertEqual(self.problems([site('VUID_vkDraw_count_00002', ['vkQueueSubmit'])]), [])

    def test_an_id_of_a_structure_that_no_command_takes(self):
        [problem] = self.problems([site('VUID_VkInfo_size_00001', ['vkCopy'])])
        self.assertIn('takes a VkInfo', problem)
        self.assertEqual(self.problems([site('VUID_VkInfo_size_00001', ['vkCopy2'])]), [])

    def test_a_source_that_nothing_reaches(self):
        [problem] = self.problems([site('RULE_00001', [], reached=False)])
        self.assertIn('no hook reaches it', problem)


class Open(unittest.TestCase):
    def test_not_listed(self):
        found = statements_of(
            [site('RULE_00001', ['vkCopy', 'vkCopy2'])],
            listed=OPEN.replace('unwritten copies *', 'unwritten copies vkDraw*'),
        )
        [problem] = found.problems
        self.assertRegex(
            problem,
            '^registry/open.txt: error: VUID-VkAlone-flags-00003 is neither .* flags must be 0$',
        )

    def test_reasons(self):
        texts = TEXTS | {
            'VUID-vkDrawOther-count-00002': 'Metal must not be 1',
            'VUID-vkForeign-x-00004': 'x must be 0',
        }
        found = statements_of(
            [site('RULE_00001', ['vkCopy']), site('RULE_00002', ['vkDraw'])], texts
        )
        self.assertEqual(
            {i: reason.word for i, reason in found.open.items()},
            {
                'VUID-VkInfo-size-00001': 'twin',
                'VUID-vkDrawOther-count-00002': 'platform',
                'VUID-VkAlone-flags-00003': 'unwritten',
                'VUID-vkForeign-x-00004': 'platform',
            },
        )
        self.assertEqual(found.problems, [])

    def test_lines_that_match_nothing(self):
        found = statements_of([], listed=OPEN + 'unwritten dreams *\n')
        self.assertEqual([place.split(':')[-1] for place in found.unused], ['4', '6'])
        self.assertIn('no open statement needs any more: 2', found.report())

    def test_a_reason_that_is_not_declared(self):
        with self.assertRaisesRegex(SystemExit, r':2: error: no such reason: whatever'):
            open_list('open unwritten x\nwhatever copies *\n')


class Read(unittest.TestCase):
    SITES = [site('RULE_00001', ['vkCopy', 'vkCopy2'])]

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, 'statements.txt')
        self.read = self.read_of(TEXTS)

    def read_of(self, texts):
        read = changes.Read()
        read.accept_all(made_up(texts))
        read.write(self.path)
        return changes.Read(self.path)

    def test_as_it_was(self):
        self.assertEqual(statements_of(self.SITES, read=self.read).problems, [])

    def test_a_claimed_sentence_has_changed(self):
        texts = TEXTS | {'VUID-vkCopy-size-00001': 'size must be greater than 1'}
        found = statements_of(self.SITES, texts, read=self.read)
        self.assertEqual(len(found.problems), 1)
        self.assertRegex(
            found.problems[0],
            (
                '^src/core/copy.c:7: error: VUID-vkCopy-size-00001 reads otherwise .* size '
                'must be greater than 1$'
            ),
        )
        # It is not enforced. Its twin, which reads as it did, is.
        self.assertNotIn('VUID-vkCopy-size-00001', found.checked)
        self.assertIn('VUID-VkInfo-size-00001', found.checked)
        self.assertIn('VUID-vkCopy-size-00001  was', found.changed(self.read, []))

    def test_a_claimed_number_has_a_new_twin(self):
        texts = TEXTS | {'VUID-vkDraw-size-00001': 'size must be greater than 0'}
        self.assertEqual(len(statements_of(self.SITES, texts, read=self.read).problems), 2)

    def test_an_open_sentence_may_change(self):
        self.assertEqual(
            statements_of(
                self.SITES, TEXTS | {'VUID-VkAlone-flags-00003': 'flags must be 1'}, read=self.read
            ).problems,
            [],
        )

    def test_a_new_statement(self):
        found = statements_of(
            self.SITES, TEXTS | {'VUID-vkDraw-count-00005': 'count must be 5'}, read=self.read
        )
        [problem] = found.problems
        self.assertRegex(
            problem,
            '^registry/statements.txt: error: VUID-vkDraw-count-00005 is new.* count must be 5$',
        )
        self.assertEqual(found.open['VUID-vkDraw-count-00005'], statements.UNREAD)

    def test_a_number_that_is_gone(self):
        texts = {i: text for i, text in TEXTS.items() if not i.endswith('00003')}
        found = statements_of(self.SITES, texts, read=self.read)
        self.assertEqual((found.gone, len(found.problems)), (['00003'], 1))
        self.assertIn('\n00003\n', found.changed(self.read, []))

    def test_what_generators_left_out(self):
        found = statements_of(self.SITES, read=self.read)
        self.assertIn(
            '\nVUID-vkCopy-size-00001\n',
            found.changed(
                self.read, [['registry/rows.txt:1', 'is not understood', 'VUID-vkCopy-size-00001']]
            ),
        )

    def test_the_file(self):
        self.assertEqual(self.read.version, made_up(TEXTS).api_version)
        self.assertEqual(
            {
                number: (ids, sorted(self.read.sentences[number]))
                for number, ids in self.read.ids.items()
            },
            changes.of_numbers(made_up(TEXTS).vuids.values()),
        )


class Coverage(unittest.TestCase):
    def setUp(self):
        self.found = statements_of([site('RULE_00001', ['vkCopy'])])
        self.fired = {'VUID-vkCopy-size-00001', 'VUID-vkDraw-count-00002', 'VUID-elsewhere'}
        self.numbered = coverage.Numbered(self.found.m, self.found, self.fired)

    def test_what_a_test_fires_is_claimed(self):
        self.assertEqual(self.numbered.unclaimed, ['VUID-vkDraw-count-00002'])
        self.assertEqual(self.numbered.fired, {'VUID-vkCopy-size-00001'})

    def test_pairs_and_numbers(self):
        self.assertEqual(self.numbered.by_chapter()[0], ['copies', 5, 1, 1, 3, 1, 1])
        text = '\n'.join(self.numbered.text())
        self.assertIn('| **unwritten**: x | 3 | 2 |', text)
        self.assertIn('| **twin**: y | 1 | 1 |', text)
        self.assertIn('| copies | 3 | 1 |', text)


class RowScenarios(unittest.TestCase):
    ROW = 'VUID-vkCopy-size-00001'

    def messages(self, broken, holds, scenarios='copy.bad VUID-vkCopy-size-00001\ncopy.good\n'):
        return rows.untested(
            scenarios,
            {self.ROW: rows.Listed(self.ROW, 'cafe', f'broken={broken}', f'holds={holds}')},
        )

    def test_both_are_there(self):
        self.assertEqual(self.messages('copy.bad', 'copy.good'), [])

    def test_none_expects_it(self):
        self.assertEqual(
            self.messages('copy.good', 'copy.good'),
            [f'rows.txt: {self.ROW}: no scenario copy.good expects it'],
        )

    def test_the_valid_one_is_missing_or_has_a_finding(self):
        for holds in ('copy.gone', 'copy.bad'):
            self.assertEqual(
                self.messages('copy.bad', holds),
                [f'rows.txt: {self.ROW}: {holds} is no scenario without a finding'],
            )

    def test_one_alone(self):
        with self.assertRaises(RegistryError):
            rows.Listed(self.ROW, 'cafe', 'broken=copy.bad')

    def test_rows_of_draws(self):
        known = {'00001': forms_draws.Listed('00001', 'cafe', 'broken=copy.bad', 'holds=copy.good')}
        self.assertEqual(
            forms_draws.untested('copy.bad VUID-vkCopy-size-00001\ncopy.good\n', known), []
        )
        self.assertEqual(
            len(forms_draws.untested('copy.bad VUID-vkCopy-size-00002\ncopy.good\n', known)), 1
        )
        self.assertEqual(
            len(
                forms_draws.untested(
                    'copy.bad VUID-vkCopy-size-00001\ncopy.good VUID-vkCopy-size-00001\n', known
                )
            ),
            1,
        )
        with self.assertRaises(RegistryError):
            forms_draws.Listed('00001', 'cafe', 'holds=copy.good', 'broken=copy.bad')


class Numbers(unittest.TestCase):
    def test_model(self):
        self.assertEqual(
            rule_numbers.numbers(made_up(TEXTS))[1],
            [('vkCopy', 'VUID-vkCopy-size-00001'), ('vkCopy2', 'VUID-VkInfo-size-00001')],
        )


class HandTables(unittest.TestCase):
    SCHEMA = {
        'ignored': {'of': hand_tables.MEMBER, 'when': hand_tables.C, 'why': hand_tables.WHY},
        'names': {'of': hand_tables.NAME, 'vuid': hand_tables.VUID.or_nothing()},
    }
    ROW = '[[ignored]]\nof = "VkFoo::bar"\nwhen = "f(s)"\nwhy = "as it says"\n'

    def parsed(self, text):
        return hand_tables.parse(text, 'a.toml', self.SCHEMA)

    def test_rows(self):
        tables, wrong = self.parsed(
            self.ROW
            + '[[names]]\nof = ["vkA", "VkB"]\n[[names]]\nof = "VkC"\nvuid = "VUID-VkC-a"\n'
        )
        self.assertEqual(wrong, [])
        row = tables['ignored'][0]
        self.assertEqual((row.of, row.when, row.place), (('VkFoo', 'bar'), 'f(s)', 'a.toml:1'))
        self.assertEqual(
            [(row.of, row.vuid, row.place) for row in tables['names']],
            [
                ('vkA', None, 'a.toml:5'),
                ('VkB', None, 'a.toml:5'),
                ('VkC', 'VUID-VkC-a', 'a.toml:7'),
            ],
        )

    def test_each_mistake_has_its_line(self):
        second = '\n' + self.ROW.replace('bar', 'other')
        for mistake, said in (
            (('when = "f(s)"', 'when = "f(s"'), "when = 'f(s' is not C whose brackets close"),
            (('when = "f(s)"\n', ''), 'when is missing: C whose brackets close'),
            (('why = "as it says"', 'why = ""'), "why = '' is not the reason, in words"),
            (('VkFoo::other', 'VkFoo.other'), "of = 'VkFoo.other' is not a member or parameter"),
            (('"VkFoo::other"', '3'), 'of = 3 is not a member or parameter'),
            (('why', 'because'), 'no column because: of, when, why'),
            (('other', 'bar'), 'line 1 has VkFoo::bar already'),
            (('[[ignored]]', '[[ignore]]'), 'ignore is no table of this file: [[ignored]]'),
            (('"f(s)"', '"f(s)'), 'Illegal character'),
        ):
            wrong = self.parsed(self.ROW + second.replace(*mistake))[1]
            self.assertTrue(
                re.match(r'a\.toml:[68]: error: ', wrong[0]) and said in '\n'.join(wrong), wrong
            )

    LISTED = {
        'uses': {
            'of': hand_tables.NAME,
            'stages': hand_tables.WORD.listed(),
            'lines': hand_tables.STATEMENT.listed().or_nothing(),
            'writes': hand_tables.FLAG,
            'why': hand_tables.ASKED,
        }
    }

    def test_lists_and_flags(self):
        tables, wrong = hand_tables.parse(
            '[[uses]]\nof = ["vkA", "vkB"]\nstages = ["COPY", "BLIT"]\nwhy = "02689"\n'
            '[[uses]]\nof = "vkC"\nstages = []\nlines = ["a = 1;"]\nwrites = true\n'
            'why = "as it says"\n',
            'a.toml',
            self.LISTED,
        )
        self.assertEqual(wrong, [])
        self.assertEqual(
            [(row.of, row.stages, row.lines, row.writes) for row in tables['uses']],
            [
                ('vkA', ['COPY', 'BLIT'], None, None),
                ('vkB', ['COPY', 'BLIT'], None, None),
                ('vkC', [], ['a = 1;'], True),
            ],
        )
        row = '[[uses]]\nof = "vkA"\nstages = ["COPY"]\nwhy = "02689"\n'
        for mistake, said in (
            (('["COPY"]', '"COPY"'), "stages = 'COPY' is not a list, each a word"),
            (('["COPY"]', '["COPY", "A B"]'), "stages = 'A B' is not a list, each a word"),
            (('["COPY"]', '["COPY", 3]'), 'stages = 3 is not a list, each a word'),
            (('stages = ["COPY"]\n', ''), 'stages is missing: a list, each a word'),
            (('"vkA"', '[]'), 'of is an empty list'),
            (('"vkA"', '["vkA", "vk-B"]'), "of = 'vk-B' is not a name of the registry"),
            (('"vkA"', '["vkA", "vkA"]\nlines = ["a = (1;"]'), "lines = 'a = (1;' is not a list"),
            (('why', 'writes = false\nwhy'), 'writes = False is not true'),
            (('why', 'writes = "true"\nwhy'), "writes = 'true' is not true"),
            (('"02689"', '"2689"'), "why = '2689' is not the number of a draw row, or the reason"),
        ):
            wrong = hand_tables.parse('\n' + row.replace(*mistake), 'a.toml', self.LISTED)[1]
            self.assertTrue(
                len(wrong) == 1 and wrong[0].startswith('a.toml:2: error: ') and said in wrong[0],
                wrong,
            )

    def test_reasons_that_no_row_asks_for(self):
        """A noun says which draw row asks for it, and that row does."""
        facts = forms_draws.DrawRows.__new__(forms_draws.DrawRows)
        facts.rows, facts.values = [], []
        facts.nouns = [SimpleNamespace(name='LINES', asked='08666', place='b.toml:7')]
        before = changes.notes()
        facts._check_asked()
        new = [note for note in changes.notes() if note not in before]
        self.assertIn(['b.toml:7', 'draw row 08666 does not ask for LINES', None], new)

    def test_each_file_of_the_registry(self):
        """A row without its reason, or with a column too many, has file and line in each table."""
        registry = pathlib.Path(places.REGISTRY)
        for path in sorted(registry.rglob('*.py')):
            if re.search(r'(?:hand_tables\.|= )read\(\s*\'registry/', path.read_text()):
                module = '.'.join(path.relative_to(registry).with_suffix('').parts)
                importlib.import_module(module)
        schemas = {
            path: schema
            for path, schema in hand_tables.READ.items()
            if all(isinstance(columns, dict) for columns in schema.values())
        }
        self.assertGreater(len(schemas), 15)
        for path, schema in schemas.items():
            lines = pathlib.Path(path).read_text().splitlines(keepends=True)
            for at, line in enumerate(lines):
                header = re.match(r'\[\[(\w+)\]\]', line)
                if not header:
                    continue
                broken = ''.join([*lines[: at + 1], 'because = ""\n', *lines[at + 1 :]])
                wrong = hand_tables.parse(broken, path, schema)[1]
                known = ', '.join(schema[header[1]])
                self.assertEqual(wrong, [f'{path}:{at + 1}: error: no column because: {known}'])
                self.assertIn('why', schema[header[1]])

    def test_mistakes_end_the_program(self):
        """Reading a file with mistakes ends the program with all of them, without a traceback."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'a.toml')
            pathlib.Path(path).write_text(self.ROW + '[[names]]\nof = "x"\n[[names]]\nof = "y"\n')
            with self.assertRaises(SystemExit) as ended:
                hand_tables.read(path, self.SCHEMA)
        self.assertEqual(
            ended.exception.code,
            f"{path}:5: error: of = 'x' is not a name of the registry\n"
            f"{path}:7: error: of = 'y' is not a name of the registry",
        )

    def test_pairs(self):
        schema = {'values': hand_tables.C}
        pairs, wrong = hand_tables.parse_pairs(
            '[values]\na = "1"\n"b.c" = ["(2)", "{3}"]\n', 'a.toml', schema
        )
        self.assertEqual((pairs, wrong), ({'values': {'a': '1', 'b.c': ['(2)', '{3}']}}, []))
        for text, said in (
            ('[values]\na = "1"\nb = "(2"\n', "a.toml:3: error: b = '(2' is not C whose"),
            ('[values]\na = "1"\n"b.c" = ["2", ""]\n', 'a.toml:3: error: b.c = '),
            ('[values]\na = 1\n', 'a.toml:2: error: a = 1 is not C'),
            ('[value]\na = "1"\n', 'a.toml:1: error: value is no table of this file: [values]'),
            ('[values]\na = "1"\na = "2"\n', 'a.toml:3: error: '),
        ):
            wrong = hand_tables.parse_pairs(text, 'a.toml', schema)[1]
            self.assertTrue(len(wrong) == 1 and wrong[0].startswith(said), wrong)

    def test_members(self):
        field = SimpleNamespace(name='bar', type='int')
        m = SimpleNamespace(
            structs={'VkFoo': SimpleNamespace(members=[field])},
            commands={},
            vuids={},
            handles={},
            aliases={},
        )
        tables, _ = self.parsed(self.ROW + self.ROW.replace('bar', 'other'))
        before = changes.notes()
        hand_tables.check(m, tables)
        new = [note for note in changes.notes() if note not in before]
        self.assertEqual(new, [['a.toml:5', 'the registry has no VkFoo::other', None]])


if __name__ == '__main__':
    unittest.main()
