"""What templates of the gpu room need: the hooks that its sources define."""

from hooks import PHASES, declaration, read  # noqa: F401  (for the templates)
