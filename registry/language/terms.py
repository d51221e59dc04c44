"""Terms: conditions of C, of which a test of rows is made (rows/row_code.py)."""

from __future__ import annotations

import dataclasses
import re


class Unknown(Exception):
    """This part of a row has no test: it may be so."""


@dataclasses.dataclass(eq=False)
class Term:
    """A C condition. `rank`: the dearer, the higher; `device`: it speaks of `dev`; `mask`: (value,
    C of a mask) where it is that the value has one of these bits."""

    text: str
    rank: float = 0
    device: bool = False
    mask: tuple[str, str] | None = None


@dataclasses.dataclass(eq=False)
class Operand:
    """A value as C. `type`: word of enum row_type, or NUMBER (of any type) or POINTER; `readable`:
    conditions under which it can be read; `rank`, `device`: as of the Terms that have it."""

    text: str
    type: str
    readable: list[str] = dataclasses.field(default_factory=list)
    rank: float = 0
    device: bool = False

    def terms(self) -> list[Term]:
        """Terms that are true where it can be read."""
        return readable(self.readable)


def readable(conditions: list[str]) -> list[Term]:
    return [Term(c, -0.5) for c in conditions]


def both(terms: list[Term]) -> str:
    return ' && '.join(t.text for t in terms)


def either(alternatives: list[list[Term]]) -> list[Term]:
    """One Term that is true where all terms of one alternative are."""
    if len(alternatives) == 1:
        return alternatives[0]
    texts = [both(a) for a in alternatives]
    texts = [f'({t})' if '&&' in t or ' & ' in t else t for t in texts]
    return [
        Term(
            f'({" || ".join(texts)})',
            max(t.rank for a in alternatives for t in a),
            any(t.device for a in alternatives for t in a),
        )
    ]


def common(left: Operand, right: Operand) -> tuple[str, str]:
    """Both sides as C of one type that holds either."""
    types = (left.type, right.type)
    if 'F32' in types or 'F64' in types:
        plain = re.fullmatch(r'-?[\d.]+', right.text)
        return f'(double){left.text}', right.text if plain else f'(double){right.text}'
    signed = [x in ('I32', 'I64') for x in types]
    if 'NUMBER' in types or signed[0] == signed[1]:
        return left.text, right.text
    if 'U64' in types:
        raise Unknown
    return f'(int64_t){left.text}', f'(int64_t){right.text}'
