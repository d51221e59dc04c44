"""Registries that were read are kept in the cache directory, so that the report of an update can
show the old text of a sentence: registry/statements.txt has only checksums of sentences.

ASSAY_REGISTRY_CACHE names the directory; it has one below for each version. The build keeps a
registry where all its statements are as they were read, so that a text from here is one that a
person has read.
"""

from __future__ import annotations

import filecmp
import os
import pathlib
import shutil

FILES = ('vk.xml', 'video.xml', 'validusage.json')


def directory() -> pathlib.Path | None:
    """Where registries are kept, or None where nothing is kept."""
    path = os.environ.get('ASSAY_REGISTRY_CACHE')
    return pathlib.Path(path) if path else None


def find(version: str | None) -> pathlib.Path | None:
    """The directory of the kept registry of a version, or None."""
    base = directory()
    if base is None or version is None:
        return None
    found = base / version
    return found if all((found / name).is_file() for name in FILES) else None


def keep(registry: pathlib.Path, version: str) -> None:
    """Keeps a copy of a registry of which each statement is as it was read."""
    base = directory()
    if (
        base is None
        or find(version) is not None
        and not filecmp.cmpfiles(registry, base / version, FILES, shallow=False)[1]
    ):
        return
    kept = base / version
    try:
        kept.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            temporary = kept / f'{name}.{os.getpid()}'
            shutil.copyfile(registry / name, temporary)
            temporary.replace(kept / name)
    except OSError:
        pass  # A cache that cannot be written is no cache: the report then has no old texts.
