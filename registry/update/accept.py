"""Takes statements of another registry as read from now on: `--accept` of update.py.

All that is asked for is accepted, or nothing is. All reasons to refuse are given at once. A row
takes the checksum of its sentence, and statements.txt that of the sentence and of the number's ids.
"""

from __future__ import annotations

import difflib
import pathlib
import re
from dataclasses import dataclass, field

from model import changes
from model.places import ROOT
from rows import draw_rows as forms_draws
from rows import rows
from rows import spirv_rows as forms_spirv
from update import found as update_found
from update.found import Entry

STATEMENT = re.compile(r'VUID-\S+-\d{5}')
NUMBER = re.compile(r'\d{5}')


@dataclass
class Edit:
    """A line of a list of rows gets another checksum."""

    place: str
    before: str
    after: str


@dataclass
class Acceptance:
    """The edits that are to be written, and what is refused. `read` is statements.txt as it will
    be."""

    read: changes.Read
    edits: dict[str, Edit] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def apply(self) -> None:
        for edit in self.edits.values():
            name, line = edit.place.rsplit(':', 1)
            path = pathlib.Path(ROOT) / name
            lines = path.read_text(encoding='utf-8').splitlines(keepends=True)
            lines[int(line) - 1] = lines[int(line) - 1].replace(edit.before, edit.after, 1)
            path.write_text(''.join(lines), encoding='utf-8')
        self.read.write()


class Accepting:
    """Turns what was asked for into an Acceptance."""

    def __init__(self, found: update_found.Found) -> None:
        self.found = found
        self.result = Acceptance(found.read)
        self.touched: list[str] = []

    def accept(self, wanted: list[str]) -> Acceptance:
        read = self.result.read
        for word in dict.fromkeys(wanted):
            if STATEMENT.fullmatch(word) and not set('*?[') & set(word):
                self._statement(word)
            elif NUMBER.fullmatch(word):
                self._number(word)
            elif word == self.found.m.api_version:
                self._refuse(word, 'a version is accepted alone, when nothing else is left')
            else:
                self._refuse(
                    word,
                    'this is no id and no number of a statement; each is named, and '
                    'there is no word for several',
                )
        for number in dict.fromkeys(self.touched):
            self._close(number)
        for number in dict.fromkeys(self.touched):
            self._draw_row(number)
        if self.touched and read.version and not read.version.endswith(changes.PARTLY):
            read.version += changes.PARTLY
        return self.result

    def _refuse(self, word: str, text: str) -> None:
        self.result.refused.append(f'{word}: error: {text}')

    # --- statements ---

    def _statement(self, vuid: str) -> None:
        number = vuid[-5:]
        entry = next((e for e in self.found.entries if vuid in (v.id for v in e.ids)), None)
        if entry is not None:
            self._sentence(vuid, entry)
        elif any(vuid in gone.ids for gone in self.found.gone) or any(
            vuid in others.ids for others in self.found.others
        ):
            self._number(number)
        elif vuid in self.found.m.vuids:
            self._refuse(vuid, 'its sentence was read already')
        else:
            known = [v.id for e in self.found.entries for v in e.ids]
            near = difflib.get_close_matches(vuid, known, 3)
            self._refuse(
                vuid, 'neither registry has it' + (f'; is it {" or ".join(near)}?' if near else '')
            )

    def _sentence(self, vuid: str, entry: Entry) -> None:
        reading = entry.reading
        in_row = [place for place in entry.rows if not place.startswith('registry/draw_rows.txt')]
        if in_row and reading is not None and not reading.means:
            self._refuse(
                vuid,
                f'the row at {in_row[0]} does not understand it: it stopped at '
                f'{reading.stopped}. Three ways: words for it in '
                'registry/read_as.txt, a form in the grammar, or no row any more',
            )
            return
        if not entry.is_checked and not entry.reason:
            self._refuse(
                vuid,
                'it is neither a row, nor claimed by a source, nor listed as open; '
                'a row, a check in C or a line of registry/open.txt comes first',
            )
            return
        read, number = self.result.read, entry.number
        checksum = changes.checksum(entry.text)
        read.sentences[number] = read.sentences.get(number, frozenset()) | {checksum}
        if entry.is_new and number not in read.ids:
            read.ids[number] = update_found.checksum_of_ids([v.id for v in entry.ids])
        self.touched.append(number)
        self.result.done.append(
            f'{vuid}: accepted'
            + (f', and {len(entry.ids) - 1} more that say the same' if len(entry.ids) > 1 else '')
        )
        for v in entry.ids:
            self._row(v.id, entry.text)

    def _row(self, vuid: str, text: str) -> None:
        """The line of a row gets the checksum of the sentence that it has now."""
        listed = (rows.listed(), forms_spirv.listed())
        for known in (x[vuid] for x in listed if vuid in x):
            self._edit(known.place, known.checksum, changes.checksum(text))

    def _draw_row(self, number: str) -> None:
        """The line of a row of draws has one checksum of all its sentences."""
        known = forms_draws.listed().get(number)
        vuids = forms_draws.statements_of(self.found.m).get(number)
        if known is None or not vuids or not all(map(self.result.read.knows, vuids)):
            return
        read = [self.found.readings.read(v) for v in vuids]
        if len({x.means for x in read}) != 1 or not read[0].means:
            why = read[0].stopped or 'its commands have sentences that mean different things'
            self._refuse(
                number,
                f'the row at {known.place} does not understand it: it stopped at '
                f'{why}. Three ways: words for it in registry/read_as.txt, a form '
                'in the grammar, or no row any more',
            )
            return
        self._edit(known.place, known.checksum, forms_draws.checksum(vuids))

    def _edit(self, place: str, before: str, after: str) -> None:
        if before != after and place not in self.result.edits:
            self.result.edits[place] = Edit(place, before, after)
            self.result.done.append(f'{place}: the row has the new checksum')

    # --- numbers ---

    def _number(self, number: str) -> None:
        gone = next((x for x in self.found.gone if x.number == number), None)
        others = next((x for x in self.found.others if x.number == number), None)
        unread = [e.ids[0].id for e in self.found.entries if e.number == number]
        if gone is not None and gone.whole:
            if gone.asked_by:
                self._refuse(
                    number,
                    f'{gone.asked_by[0]} asks for it'
                    + (
                        f', and {len(gone.asked_by) - 1} more places do'
                        if len(gone.asked_by) > 1
                        else ''
                    ),
                )
                return
            del self.result.read.ids[number], self.result.read.sentences[number]
            self.result.done.append(f'{number}: accepted that it is gone')
            self.touched.append(number)
        elif gone is not None or others is not None:
            self.touched.append(number)
            self.result.done.append(f'{number}: accepted that its ids are others')
        elif unread:
            self._refuse(number, f'each of its sentences is accepted by an id: {", ".join(unread)}')
        else:
            self._refuse(
                number,
                'it was read already' if number in self.found.now else 'neither registry has it',
            )

    def _close(self, number: str) -> None:
        """A number of which all sentences are read has the ids that it has now."""
        vuids = self.found.ids_of.get(number, [])
        if vuids and all(map(self.result.read.knows, vuids)):
            self.result.read.ids[number] = self.found.now[number][0]
