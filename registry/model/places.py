"""Where the registry's tables and the checkout's sources are."""

import pathlib

REGISTRY = str(pathlib.Path(__file__).resolve().parents[1])
ROOT = str(pathlib.Path(__file__).resolve().parents[2])
