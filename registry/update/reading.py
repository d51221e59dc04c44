"""Says what the grammars make of a sentence, and where they stop (registry/update/update.py)."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from language import sentences
from model import read_as
from model import registry as registry_model
from rows import draw_rows as forms_draws
from rows import rows
from rows import spirv_rows as forms_spirv

# These words stand between the pieces of a sentence, and say nothing by themselves.
WORD = r'(?:[\s,.]|\b(?:if|and|or|then)\b)+'
BETWEEN = re.compile(f'^{WORD}|{WORD}$', re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A statement as a row of `path`. `line`: what to write there. `means`: what was understood, or
    nothing; then `understood` has the pieces that were, and `stopped` says where it ended."""

    path: str
    line: str
    means: str = ''
    understood: tuple[str, ...] = ()
    stopped: str = ''


class Noting(sentences.Parser):
    """A parser that keeps which pieces of its sentence it has understood."""

    def __init__(self, m: registry_model.Model, owner: str) -> None:
        super().__init__(m, owner)
        self.understood: dict[str, None] = {}

    def condition(self, text: str) -> list[Any]:
        found = super().condition(text)
        self.understood[text.strip()] = None
        return found

    def must(self, text: str) -> list[Any]:
        found = super().must(text)
        self.understood[text.strip()] = None
        return found


@dataclass
class Pieces:
    """A sentence, cut into what was understood and what was not."""

    known: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)


def cut(text: str, understood: Sequence[str]) -> Pieces:
    """The longest pieces that were understood are cut out of the text first."""
    pieces = Pieces()
    remaining = [text]
    for known in sorted(understood, key=len, reverse=True):
        for i, part in enumerate(remaining):
            at = part.find(known) if known else -1
            if at >= 0:
                remaining[i : i + 1] = [part[:at], part[at + len(known) :]]
                pieces.known.append(known)
                break
    rest = (BETWEEN.sub('', part) for part in remaining)
    pieces.rest = [part for part in rest if part]
    pieces.known.sort(key=text.find)
    return pieces


class Readings:
    """Reads statements of a model as rows."""

    def __init__(self, m: registry_model.Model) -> None:
        self.m = m
        self.rows = rows.rows(m)
        self.draws = forms_draws.Reader(m)
        self.spirv = forms_spirv.Reader(m) if m.spirv else None

    def read(self, v: registry_model.Vuid) -> Reading:
        if forms_draws.is_looked_at(v.owner):
            found = self._draw(v)
            if found.means or v.id not in rows.listed() and self.rows.read(v) is None:
                return found
        if v.owner[:2] not in ('vk', 'Vk'):
            return self._spirv(v)
        return self._row(v)

    def _row(self, v: registry_model.Vuid) -> Reading:
        path, line = 'registry/rows.txt', f'{v.id} {rows.checksum(v.text)}'
        sentence = self.rows.read(v)
        if sentence is not None:
            return Reading(path, line, repr(sentence))
        if v.owner not in self.m.structs and v.owner not in self.m.commands:
            return Reading(
                path,
                line,
                stopped='rows are of structures and commands that the layer '
                f'meets, and {v.owner} is none',
            )
        noting: list[Noting] = []

        def parser_of(m: registry_model.Model, owner: str) -> Noting:
            noting.append(Noting(m, owner))
            return noting[0]

        words = read_as.text(v)
        parsed = sentences.parse(self.m, v.owner, words, parser_of)
        if parsed is not None:
            return Reading(
                path,
                line,
                understood=(repr(parsed),),
                stopped='it is understood, and rows do not hold it: they lack a fact, a '
                'type or the place for it (registry/rows/rows.py, Rows.fits)',
            )
        text = noting[0].here.text or words
        pieces = cut(text, list(noting[0].understood))
        if pieces.rest:
            stopped = '; '.join(f'"{x}"' for x in pieces.rest)
        elif noting[0].here.text:
            stopped = 'its pieces are understood, and not together: can it be read in two ways?'
        else:
            stopped = (
                'its form (a list, or its length) is none that registry/language/sentences.py has'
            )
        return Reading(path, line, understood=tuple(pieces.known), stopped=stopped)

    def _draw(self, v: registry_model.Vuid) -> Reading:
        number = v.id[-5:]
        statements = forms_draws.statements_of(self.m)[number]
        line = f'{number} {forms_draws.checksum(statements)} broken=FILE.NAME holds=FILE.NAME'
        path, words = 'registry/draw_rows.txt', read_as.text(v)
        found = self.draws.read(words)
        if found is not None:
            return Reading(path, line, f'broken where {found}')
        text = self.draws.normal(words)
        rest = self.draws.rest(words)
        understood = BETWEEN.sub('', text.removesuffix(rest))
        return Reading(
            path,
            line,
            understood=(understood,) if understood else (),
            stopped=f'"{BETWEEN.sub("", rest)}"',
        )

    def _spirv(self, v: registry_model.Vuid) -> Reading:
        path, line = 'registry/spirv_rows.txt', f'{v.id} {forms_spirv.checksum(v.text)}'
        if self.spirv is None:
            return Reading(path, line, stopped="SPIR-V's grammar was not given (--spirv)")
        words = read_as.text(v)
        found = self.spirv.read(words)
        if found is not None:
            return Reading(path, line, repr(found))
        form = next((x for x, _ in self.spirv.forms if x.match(words)), None)
        if form is not None:
            words_of = form.match(words)
            parts = '", "'.join(x for x in words_of.groups() if x) if words_of else ''
            return Reading(
                path,
                line,
                stopped=f'the form "{form.pattern}" has it, but one of "{parts}" is not known',
            )
        near = self._nearest_listed(words)
        hint = f'; the nearest sentence that is a row is "{near}"' if near else ''
        return Reading(path, line, stopped=f'no form of registry/rows/spirv_rows.py has it{hint}')

    @functools.cached_property
    def _listed_texts(self) -> list[str]:
        found = (self.m.vuids.get(vuid) for vuid in forms_spirv.listed())
        return sorted({v.text for v in found if v is not None})

    def _nearest_listed(self, text: str) -> str:
        near = difflib.get_close_matches(text, self._listed_texts, 1, 0.75)
        return near[0] if near else ''
