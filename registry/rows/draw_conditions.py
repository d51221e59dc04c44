"""Conditions of which rows of draws are made (draw_rows.py), and ways to write them."""

from model.registry import RegistryError
from rows import draw_facts


class NotUnderstood(Exception):
    pass


class Condition:
    """`kind`: FEATURE, EXTENSION, PROPERTY, TAKES and SET (a dynamic state), FACT (a noun that
    holds), EQUAL, LESS, MORE (two nouns, or a noun and a constant), ANY_BIT, ALL_BITS. `left` is a
    noun's name, a feature, a state...; `right` C of a constant, or a Noun; `holds`: whether the
    condition does."""

    def __init__(self, kind, left, right=None, holds=True):
        self.kind, self.left, self.right, self.holds = kind, left, right, holds

    def opposite(self):
        return Condition(self.kind, self.left, self.right, not self.holds)

    @property
    def key(self):
        return (self.kind, self.left, self.right)

    def __repr__(self):
        text = f'{self.kind} {self.left}' + (f' {self.right}' if self.right is not None else '')
        return text if self.holds else f'not {text}'


class Either:
    """ "Created with the A or B dynamic states enabled": two rows, of which one of them is broken
    at most."""

    def __init__(self, first, second):
        takes = Condition('TAKES', first)
        self.alternatives = [[takes], [takes.opposite(), Condition('TAKES', second)]]


class Alternatives(Either):
    """Any of these lists of conditions, of which one holds at most: a row each."""

    def __init__(self, *alternatives):
        self.alternatives = list(alternatives)


def fact(name, holds=True):
    if name not in draw_facts.BY_NAME:
        raise RegistryError(f'draw_facts.toml has no {name}')
    return Condition('FACT', name, None, holds)


def equal(name, constant, holds=True):
    return Condition('EQUAL', name, constant, holds)
