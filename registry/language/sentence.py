"""The sentence of a numbered statement, once sentences.py has read it: guards and demands, of atoms
(atoms.py) and values (values.py)."""

from __future__ import annotations

import dataclasses

from language.atoms import Atom
from language.values import Member


@dataclasses.dataclass(eq=False, repr=False)
class Any:
    """One of the atoms holds. `sure`: the sentence says "either", so that it cannot be read
    otherwise. `unsaid`: the sentence does not say it, and no message does."""

    atoms: list[Atom]
    sure: bool = False
    unsaid: bool = False

    def __post_init__(self) -> None:
        self.atoms = list(self.atoms)

    def __repr__(self) -> str:
        return ' or '.join(map(repr, self.atoms))


@dataclasses.dataclass(eq=False, repr=False)
class Sentence:
    """If each of `guards` holds, each of `must` must. `unsaid`: how many guards, the last ones, no
    message speaks of."""

    guards: list[Any]
    must: list[Any]
    unsaid: int = 0

    def atoms(self) -> list[Atom]:
        return [a for clause in self.guards + self.must for a in clause.atoms]

    def __repr__(self) -> str:
        return (
            f'{" and ".join(map(repr, self.guards)) or "always"} => '
            f'{" and ".join(map(repr, self.must))}'
        )


def members_of(sentence: Sentence) -> list[Member]:
    """All Members that a sentence names; of what it says of some element of an array, none."""
    return [member for atom in sentence.atoms() for member in atom.members()]
