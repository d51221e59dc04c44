"""The words that a sentence is read in, where they are not its own.

A sentence may be reworded and still say what it said, in a form that no grammar (sentences.py,
forms_draws.py, forms_spirv.py) has. A line of read_as.txt then has words that a grammar reads. It
holds for one sentence, by its checksum: if the registry words it again, the line has no effect.
Messages show the registry's own sentence, always.
"""

from __future__ import annotations

import functools
import pathlib
import re
from dataclasses import dataclass
from typing import Any

from model import changes
from model.places import REGISTRY

LIST = pathlib.Path(REGISTRY) / 'read_as.txt'


@dataclass(frozen=True)
class Words:
    """A line of read_as.txt."""

    place: str
    number: str
    checksum: str
    words: str


@functools.cache
def listed(path: pathlib.Path = LIST) -> dict[tuple[str, str], Words]:
    """{(number, checksum of a sentence): its Words}; what is wrong in the list is noted."""
    found: dict[tuple[str, str], Words] = {}
    for at, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            continue
        place = f'registry/{path.name}:{at}'
        g = re.fullmatch(r'VUID-\w+-[\w.\[\]-]+-(\d{5}) ([0-9a-f]{8}) (\S.*)', line.rstrip())
        if not g:
            changes.note(place, f'"{line}" should be ID CHECKSUM WORDS')
        elif (g[1], g[2]) in found:
            changes.note(place, f'{found[g[1], g[2]].place} has words for this sentence already')
        else:
            found[g[1], g[2]] = Words(place, g[1], g[2], g[3])
    return found


def text(v: Any) -> str:
    """The words that a statement of a model is read in."""
    if not listed():
        return v.text
    words = listed().get((v.id[-5:], changes.checksum(v.text)))
    return words.words if words else v.text
