"""Finds what another registry has that was not read: the facts of an update's report (update.py).

Nothing is printed here. Entries are of sentences: statements of one number that say the same are
one entry, as statements.txt knows the sentences of a number.
"""

from __future__ import annotations

import concurrent.futures
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field

from claims import scan_rules, statements
from model import changes
from model import registry as registry_model
from model.places import REGISTRY
from rows import draw_rows as forms_draws
from rows import rows
from rows import spirv_rows as forms_spirv
from update import reading as update_reading


@dataclass
class Entry:
    """A sentence that was not read. `was`: what its statements said when they were read, or nothing
    where that is not known; `rows` and `places`: the lines of rows, and the places in C, that check
    one of its statements; `others`: what else checks one; `reason`: why none is checked."""

    number: str
    ids: list[registry_model.Vuid]
    text: str
    is_new: bool
    was: str = ''
    rows: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    reason: str = ''
    reading: update_reading.Reading | None = None
    was_read_as: str = ''

    @property
    def is_checked(self) -> bool:
        return bool(self.rows or self.places or self.others)


@dataclass
class Gone:
    """A number that has lost ids. `ids`: those that are known; `whole`: no id has it any more."""

    number: str
    ids: list[str]
    whole: bool
    asked_by: list[str]


@dataclass
class Others:
    """A number whose sentences were read, and that has more or other ids than it had."""

    number: str
    ids: list[str]
    checked_by: list[str]


def checksum_of_ids(ids: list[str]) -> str:
    return changes.checksum('\n'.join(sorted(ids)))


class Found:
    """`m`: the model of the new registry; `old`: the statements of the one that was read, if it is
    at hand; `asked` and `program`: as statements.claims_of() takes them."""

    def __init__(
        self,
        m: registry_model.Model,
        read: changes.Read,
        old: dict[str, registry_model.Vuid],
        asked: pathlib.Path,
        program: pathlib.Path,
    ) -> None:
        self.m, self.read, self.old = m, read, old
        self.sites = scan_rules.read(asked)[0]
        claims = statements.claims_of(m, asked, str(program))
        self.claims = claims
        self.full = statements.Statements(m, claims, statements.OpenList(), read)
        # Without what was read, a reason is looked for of new statements as well.
        self.plain = statements.Statements(m, claims, statements.OpenList())
        self.readings = update_reading.Readings(m)
        self.now = changes.of_numbers(m.vuids.values())
        self.ids_of: dict[str, list[registry_model.Vuid]] = {}
        for v in m.vuids.values():
            if v.numbered:
                self.ids_of.setdefault(v.id[-5:], []).append(v)
        self.functions = {site.where: site.function for site in self.sites}

    # --- sentences ---

    @functools.cached_property
    def entries(self) -> list[Entry]:
        found: dict[tuple[str, str], Entry] = {}
        for number, vuids in sorted(self.ids_of.items()):
            for v in vuids:
                if self.read.knows(v):
                    continue
                entry = found.get((number, v.text))
                if entry is None:
                    is_new = number not in self.read.ids
                    entry = found[number, v.text] = Entry(number, [], v.text, is_new)
                self._add(entry, v)
        for entry in found.values():
            if entry.rows or not entry.is_checked:
                entry.reading = self.readings.read(entry.ids[0])
                if entry.was and entry.reading.means:
                    was = registry_model.Vuid(
                        entry.ids[0].id, entry.was, entry.ids[0].page, entry.ids[0].owner
                    )
                    entry.was_read_as = self.readings.read(was).means
        return list(found.values())

    def _add(self, entry: Entry, v: registry_model.Vuid) -> None:
        entry.ids.append(v)
        old = self.old.get(v.id)
        if old is not None and self.read.knows(old):
            entry.was = entry.was or old.text
        for place in self.rows_of(v.id):
            if place not in entry.rows:
                entry.rows.append(place)
        where = self.full.claimed.get(v.id, '')
        if where.startswith('src/'):
            place = self._with_function(where)
            if place not in entry.places:
                entry.places.append(place)
        elif where and where != 'a row' and where not in entry.others:
            entry.others.append(where)
        reason = self.plain.open.get(v.id)
        if reason is not None and not entry.reason:
            entry.reason = f'"{reason.word}": {reason.text}'

    @staticmethod
    def rows_of(vuid: str) -> list[str]:
        """The lines of row lists that have a statement."""
        number, owner = vuid[-5:], vuid.split('-')[1]
        found = [
            listed[vuid].place for listed in (rows.listed(), forms_spirv.listed()) if vuid in listed
        ]
        if number in forms_draws.listed() and forms_draws.is_looked_at(owner):
            found.append(forms_draws.listed()[number].place)
        return found

    def _with_function(self, where: str) -> str:
        function = self.functions.get(where)
        return f'{where} ({function})' if function else where

    # --- what is gone ---

    def _sites_of(self, vuid: str, whole: bool) -> list[str]:
        constant = self.m.vuid_constant(vuid)
        return [
            self._with_function(site.where)
            for site in self.sites
            if site.asked == constant or whole and site.asked == f'RULE_{vuid[-5:]}'
        ]

    def _asked_by(self, number: str, ids: list[str], whole: bool) -> list[str]:
        # A row of draws stays as long as a draw has its number.
        found = [
            place
            for vuid in ids
            for place in self.rows_of(vuid)
            if whole or not place.startswith('registry/draw_rows.txt')
        ]
        found += [place for vuid in ids for place in self._sites_of(vuid, whole)]
        if whole:
            found += [
                self._with_function(site.where) for site in self.sites if site.asked[-5:] == number
            ]
        return list(dict.fromkeys(found))

    @functools.cached_property
    def gone(self) -> list[Gone]:
        lost: dict[str, list[str]] = {number: [] for number in set(self.read.ids) - set(self.now)}
        known = {*self.old, *rows.listed(), *forms_spirv.listed()}
        for vuid in sorted(known - set(self.m.vuids)):
            number = vuid[-5:]
            if number in self.read.ids and self.now.get(number, ('',))[0] != self.read.ids[number]:
                lost.setdefault(number, []).append(vuid)
        out = []
        for number, ids in sorted(lost.items()):
            whole = number not in self.now
            out.append(Gone(number, ids, whole, self._asked_by(number, ids, whole)))
        return out

    @functools.cached_property
    def others(self) -> list[Others]:
        out = []
        told = {entry.number for entry in self.entries} | {gone.number for gone in self.gone}
        for number, (ids, _) in self.now.items():
            if number in told or self.read.ids.get(number, ids) == ids:
                continue
            more = [v.id for v in self.ids_of[number] if self.old and v.id not in self.old]
            checks = [
                self.full.claimed[v.id] for v in self.ids_of[number] if v.id in self.full.claimed
            ]
            out.append(Others(number, more, list(dict.fromkeys(checks))))
        return out

    @property
    def is_all_read(self) -> bool:
        return not (self.entries or self.gone or self.others)


# --- what the generators say -------------------------------------------------------------------


def _commands(build: pathlib.Path, registry: pathlib.Path, out: pathlib.Path) -> list[list[str]]:
    """The generators' commands of a build, for another registry, with outputs below `out`."""
    run = subprocess.run(
        ['ninja', '-C', str(build), '-t', 'commands', 'src/statements.txt'],
        capture_output=True,
        text=True,
        check=True,
    )
    found = []
    for line in run.stdout.splitlines():
        words = shlex.split(line)
        if not any(word.endswith('registry/generate.py') for word in words):
            continue
        for i, word in enumerate(words):
            if word.endswith('registry/generate.py'):
                words[i] = f'{REGISTRY}/generate.py'
            elif '/registry/rooms/' in word:
                words[i] = f'{REGISTRY}/rooms/' + word.split('/registry/rooms/')[1]
            elif words[i - 1] == '--registry':
                words[i] = str(registry)
            elif words[i - 1] in ('--out', '--depfile'):
                path = out / word
                path.parent.mkdir(parents=True, exist_ok=True)
                words[i] = str(path)
        for directory in (words[i + 1] for i, word in enumerate(words) if word == '--out'):
            pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
        found.append(words)
    return found


def failure(text: str) -> str:
    """The one line that says where a generator failed and why, out of its traceback."""
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    ours = [
        (path, line)
        for path, line in places
        if '/registry/' in path
        and (pathlib.Path(REGISTRY) / path.rsplit('/registry/', 1)[1]).is_file()
    ]
    errors = re.findall(r'^(?:\w+\.)*(\w*(?:Error|Exception|Exit|Understood)\b.*)$', text, re.M)
    path, line = ours[-1] if ours else ('registry/generate.py', '1')
    path = 'registry/' + path.rsplit('/registry/', 1)[-1].removeprefix('registry/')
    last = text.strip().splitlines()[-1] if text.strip() else 'it ended without a word'
    return f'{path}:{line}: error: {errors[-1] if errors else last}'


def generate(build: pathlib.Path, registry: pathlib.Path, out: pathlib.Path) -> list[str]:
    """Runs all generators with the registry. Returns the failures; what they left out is kept
    beside their depfiles below `out`."""

    def run(words: list[str]) -> str:
        done = subprocess.run(
            [sys.executable, *words[1:]], cwd=build, capture_output=True, text=True, check=False
        )
        return failure(done.stderr or done.stdout) if done.returncode else ''

    jobs = int(os.environ.get('ASSAY_JOBS') or os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [x for x in pool.map(run, _commands(build, registry, out)) if x]
