"""The names of enum values and flag bits, as src/report/names/names_of_values.c reads them: per
type a prefix that its names share, a run of values, and what stands after the prefix."""

import functools
import os

from model.registry import RegistryError


class ValueType:
    """An enum or a FlagBits type. `values`: (number, name behind the prefix), increasing."""

    def __init__(self, name, aliases, flags, values):
        self.name = name
        self.aliases = aliases
        self.flags = flags
        names = [n for _, n in values]
        self.prefix = _shared_prefix(names)
        self.values = sorted((number, n[len(self.prefix) :]) for number, n in values)
        if len({number for number, _ in values}) != len(values):
            raise RegistryError(f'{name}: two names for one value')

    @property
    def constant(self):
        return f'VALUES_{self.name}'


def _shared_prefix(names):
    """Returns the beginning of all names, up to an underscore; it is never the whole of a name."""
    if len(names) < 2:
        return ''
    prefix = os.path.commonprefix(names)
    return prefix[: prefix.rfind('_') + 1]


class ValueTables:
    def __init__(self, m):
        self.types = []
        flag_names = {}
        for flags in m.flags.values():
            if flags.bitmaskName:
                flag_names.setdefault(flags.bitmaskName, []).extend(
                    [flags.name] + list(flags.aliases)
                )
        for e in m.enums.values():
            self.types.append(
                ValueType(e.name, list(e.aliases), False, [(f.value, f.name) for f in e.fields])
            )
        for b in m.bitmasks.values():
            aliases = list(b.aliases) + flag_names.get(b.name, [])
            self.types.append(
                ValueType(b.name, aliases, True, [(f.value, f.name) for f in b.flags])
            )
        self.types.sort(key=lambda t: t.name)
        self.constants = {}
        for t in self.types:
            for name in [t.name] + t.aliases:
                if self.constants.setdefault(name, t.constant) != t.constant:
                    raise RegistryError(f'{name} names two types of values')
        self.strings = (
            [t.name for t in self.types]
            + [t.prefix for t in self.types]
            + [n for t in self.types for _, n in t.values]
        )


@functools.cache
def tables(m):
    return ValueTables(m)
