"""For each row the nearest valid call, and the call that breaks just this row: two sets of
values that differ in one place.

A row's sentence is evaluated by truth.py, on values that choices.py tries in turn; calls.py has the
C that puts them into a call."""

import json
import os

from cases.calls import Calls
from cases.choices import Choices
from cases.formats import TRAIT_FORMATS
from cases.truth import Truth
from language.atoms import Extension, Feature
from language.nouns import nouns
from model import changes
from model.places import ROOT
from model.registry import RegistryError

TEXTS = os.path.join(ROOT, 'tests/generated/row_texts.txt')


class RowCase:
    """`valid`, `broken`: statements over `s` or `a`. `off`: what the device is made without:
    (features, extensions) of each. `driver`: what the null driver is told of each, as JSON. `text`:
    what the message of the broken one holds, or None."""

    def __init__(self, row, command, valid, broken, valid_off, broken_off, driver, text):
        self.row, self.command, self.text = row, command, text
        self.valid_driver, self.broken_driver = driver
        self.valid, self.broken, self.valid_off, self.broken_off = (
            valid,
            broken,
            valid_off,
            broken_off,
        )


def texts():
    with open(TEXTS, encoding='utf-8') as f:
        return dict(
            line.rstrip('\n').split('  ', 1)
            for line in f
            if line.strip() and not line.startswith('#')
        )


class RowCases:
    def __init__(self, tests):
        self.t, self.m = tests, tests.m
        self.rows = tests.rules.rows
        self.n = nouns(self.m)
        self.truth = Truth(self.m)
        self.choices = Choices(self.m, self.rows, tests.structures, self.truth)
        self.calls = Calls(self.m, self.rows, tests.owner, self.truth, self.choices)
        self.texts = texts()
        unknown = set(self.texts) - {row.vuid.id for row in self.rows.rows}
        for vuid in sorted(unknown):
            changes.note('tests/generated/row_texts.txt:1', f'there is no row of {vuid}', vuid)
        self.cases = []
        for row in self.rows.rows:
            if not row.by_scenario:
                with changes.left_out(row.place, row.vuid.id):
                    self.cases.append(self._case(row))

    def _case(self, row):
        variables = self.choices.variables(row)
        pair = self.choices.pair(row, variables)
        if pair is None:
            raise RegistryError(
                f'rows.txt: no call was found that breaks just {row.vuid.id}: {row.sentence!r}'
            )
        valid, broken = pair
        return RowCase(
            row,
            self.t.command_of(row.owner),
            self.calls.statements(row, variables, valid),
            self.calls.statements(row, variables, broken),
            self._off(row, variables, valid),
            self._off(row, variables, broken),
            (self._driver(row, variables, valid), self._driver(row, variables, broken)),
            self.texts.get(row.vuid.id),
        )

    def _format_number(self, variables, choice, holder):
        chosen = [
            v.values[i][0]
            for v, i in zip(variables, choice)
            if v.thing.is_fact(None, 'format') and repr(v.thing.holder) == repr(holder)
        ]
        return chosen[0] if chosen else self.n.constants[TRAIT_FORMATS[0]][0]

    def _driver(self, row, variables, choice):
        """Makes the null driver's description: properties, and queue families of which one has
        the flags."""
        told = {}
        for atom in row.sentence.atoms():
            atom.tell_limits(told)
        for v, i in zip(variables, choice):
            value = v.values[i][0]
            if not v.thing.is_fact(None, 'format features'):
                v.thing.tell(told, value)
            elif not value:
                number = self._format_number(variables, choice, v.thing.holder)
                told['withoutFormatFeatures'] = {str(number): v.values[0][0]}
        return json.dumps(told) if told else None

    def _off(self, row, variables, choice):
        chosen = [(v.thing, v.values[i][0]) for v, i in zip(variables, choice)]
        if self.rows.of_creation(row.owner):
            return [], []
        return (
            [t.constant for t, on in chosen if isinstance(t, Feature) and not on],
            [t.name for t, on in chosen if isinstance(t, Extension) and not on],
        )
