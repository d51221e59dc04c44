"""Nouns of sentences about the state at a draw, dispatch or trace: what src/core/draw/facts.c
answers. "The current value" of a dynamic state is a noun by itself: dynamic_states.py lists those
that are kept.

A noun has a value that may be unknown. draw_facts.toml has the nouns, and says what its columns
mean."""

from model import hand_tables
from model.hand_tables import ASKED, FLAG, TEXT, WHY, WORD, Kind

PATH = 'registry/rows/draw_facts.toml'
TABLES = hand_tables.read(
    PATH,
    {
        'noun': {
            'of': WORD,
            'text': TEXT,
            'denied': Kind('words, or an empty text', lambda text: text).or_nothing(),
            'values': WORD.or_nothing(),
            'static': FLAG,
            'quiet': FLAG,
            'rare': FLAG,
            'changes_with': WORD.listed().or_nothing(),
            'why': ASKED,
        },
        'value_text': {'of': WORD, 'text': TEXT, 'why': WHY},
    },
)


class Noun:
    """`of`: the states that it changes with, beside what is bound; None where that is not known.
    `asked`: the number of a draw row that asks for it. `place`: its file and line."""

    def __init__(self, row):
        self.name, self.text, self.denied, self.values = row.of, row.text, row.denied, row.values
        self.static, self.quiet, self.rare = bool(row.static), bool(row.quiet), bool(row.rare)
        self.of = () if self.static else row.changes_with
        self.asked, self.place = row.why, row.place

    def __repr__(self):
        return self.name


NOUNS = [Noun(row) for row in TABLES['noun']]
BY_NAME = {noun.name: noun for noun in NOUNS}
# Dynamic state -> how a message calls its value.
VALUE_TEXTS = {row.of: row.text for row in TABLES['value_text']}
