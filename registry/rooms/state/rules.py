"""Templates of the state room need the hooks that its sources define, in two sets.

`state_after_CreateBuffer`: tracking. Run only where a validator is on that needs to know what calls
have made of objects. `always_after_CreateDevice`: what lifetimes and threads ask for as well (a
queue's flags, a set's layout). Run in any case, and before the others."""

from model.dynamic_states import tables as dynamic_states  # noqa: F401  (for the templates)
from rooms.hooks import PHASES, declaration, read  # noqa: F401

SETS = ('always', 'state')


def hooks(m, path, which):
    """The hooks of one of the sets: command -> phase -> functions."""
    return read(m, path, which, others=SETS)
