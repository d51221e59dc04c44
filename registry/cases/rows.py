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
from language import sentence as s
from language.nouns import nouns
from model import changes
from model.places import ROOT
from model.registry import RegistryError

TEXTS = os.path.join(ROOT, 'tests/generated/row_texts.txt')


# the flags of a queue family that does everything: graphics, compute, transfer, sparse, protected
# and video
ALL_QUEUES = 0x7F


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
            if isinstance(v.thing, s.Fact)
            and v.thing.kept.name == 'format'
            and self.truth.key(v.thing.holder) == self.truth.key(holder)
        ]
        return chosen[0] if chosen else self.n.constants[TRAIT_FORMATS[0]][0]

    def _driver(self, row, variables, choice):
        """What the null driver is told: properties, and queue families of which one has the
        flags."""
        told = {}
        for atom in row.sentence.atoms():  # granularities, which are 1 unless it is told otherwise
            limit = getattr(atom, 'operand', None)
            if (
                isinstance(limit, s.Limit)
                and getattr(atom, 'operator', None) == 'multiple'
                and '.' in limit.path
            ):
                told.setdefault('properties', {})[limit.path.split('.')[0]] = [64, 64]
            if isinstance(limit, s.Limit) and isinstance(
                getattr(atom, 'subject', None), s.HighestBit
            ):  # as many as a mask has bits, otherwise
                told.setdefault('properties', {})[limit.path] = 8
        for v, i in zip(variables, choice):
            value = v.values[i][0]
            if isinstance(v.thing, s.Fact) and v.thing.kept.name == 'format features':
                if not value:
                    told['withoutFormatFeatures'] = {
                        str(self._format_number(variables, choice, v.thing.holder)): v.values[0][0]
                    }
                continue
            if self.truth.is_capability(v.thing):
                told.setdefault('properties', {})[v.thing.kept.name.replace('::', '.')] = value
            elif isinstance(v.thing, s.Limit):
                name = v.thing.path.split('.')[0]
                told.setdefault('properties', {})[name] = (
                    bool(value) if v.thing.field.type == 'VkBool32' else value
                )
            elif (
                isinstance(v.thing, s.Bound)
                and v.thing.how == 'SINGLE'
                or isinstance(v.thing, s.Fact)
                and v.thing.handle == 'VkDevice'
                and value > 1
            ):
                told['physicalDevices'], told['deviceGroup'] = 2, True
            elif (
                isinstance(v.thing, s.QueueFlags)
                or isinstance(v.thing, s.Fact)
                and v.thing.kept.name == 'queueFlags'
            ):
                told['queueFamilies'] = [
                    {
                        'flags': value,
                        'count': 1,
                        'timestampValidBits': 64,
                        'minImageTransferGranularity': [1, 1, 1],
                    }
                ]
            elif isinstance(v.thing, s.Fact) and v.thing.handle == 'queue family':
                told['queueFamilies'] = [
                    {
                        'flags': ALL_QUEUES,
                        'count': 1,
                        'timestampValidBits': 64 * bool(value),
                        'minImageTransferGranularity': [1, 1, 1],
                    }
                ]
        return json.dumps(told) if told else None

    def _off(self, row, variables, choice):
        chosen = [(v.thing, v.values[i][0]) for v, i in zip(variables, choice)]
        if self.rows.of_creation(row.owner):
            return [], []
        return (
            [t.constant for t, on in chosen if isinstance(t, s.Feature) and not on],
            [t.name for t, on in chosen if isinstance(t, s.Extension) and not on],
        )
