"""Tables that people keep beside the registry, as TOML: what it does not say, and why we know it.

  [[descent]]
  of = "VkCommandBufferBeginInfo::pInheritanceInfo"
  when = "call_records_secondary(c->call)"
  why = "a primary ignores it"

A schema names the tables of a file and their columns. The first column is the key: two rows of a
table do not share it. It may be a list, where one reason holds for several. Each row has a `why`.
A column may hold one text, a list of texts, or true.

  [values]
  maxPushDataSize = "256"

A table of pairs has a value, or a list of values, for each key. Whatever is wrong is told at once,
each with file and line."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from model import changes
from model.places import ROOT

READ: dict[str, Mapping[str, Any]] = {}  # the files that this run has read: their schemas
HEADER = re.compile(r'\[\[(\w+)\]\]')
BRACKETS = {')': '(', ']': '[', '}': '{'}


@dataclass(frozen=True)
class Kind:
    """The values that a column may hold. `said` has them in words, for messages. `read` gives the
    value of what TOML has of the `type`, or None where that is not a value of the column.
    `several`: the column holds a list of them."""

    said: str
    read: Callable[[Any], Any]
    optional: bool = False
    several: bool = False
    type: type = str

    def or_nothing(self) -> Kind:
        """The column may be left out; it is None then."""
        return dataclasses.replace(self, optional=True)

    def listed(self) -> Kind:
        """The column holds a list of values, which may be empty."""
        return dataclasses.replace(self, said=f'a list, each {self.said}', several=True)

    def value(self, given: Any) -> Any:
        """The value of what TOML has, or None."""
        return self.read(given) if isinstance(given, self.type) else None


def _balanced(text: str) -> str | None:
    """C, whose brackets close."""
    open_: list[str] = []
    for sign in re.sub(r'"(?:\\.|[^"\\])*"', '', text):
        if sign in BRACKETS.values():
            open_.append(sign)
        elif sign in BRACKETS and (not open_ or open_.pop() != BRACKETS[sign]):
            return None
    return text if text and not open_ else None


def like(pattern: str) -> Callable[[str], str | None]:
    return lambda text: text if re.fullmatch(pattern, text) else None


def _member(text: str) -> tuple[str, ...] | None:
    return tuple(text.split('::')) if re.fullmatch(r'[Vv]k\w+(?:::\w+)+', text) else None


MEMBER = Kind('a member or parameter, as VkFoo::bar or vkFoo::bar', _member)
NAME = Kind('a name of the registry', like(r'[Vv][Kk]\w+'))
C = Kind('C whose brackets close', _balanced)
STATEMENT = Kind('a statement of C', lambda text: _balanced(text) if text.endswith(';') else None)
VUID = Kind('an id, as VUID-VkFoo-bar-parameter', like(r'VUID-\w+-[\w-]+'))
WORD = Kind('a word', like(r'\w+'))
TEXT = Kind('words', like(r'(?s)\S+\s+\S.*'))
WHY = Kind('the reason, in words', TEXT.read)
# The number of a draw row (registry/draw_rows.txt) that asks for it, or other words.
ASKED = Kind('the number of a draw row, or the reason in words', like(r'\d{5}|(?s:\S+\s+\S.*)'))
FLAG = Kind('true', lambda given: given or None, optional=True, type=bool)


class Row:
    """A row: its columns as attributes, and `place`, its file and line."""

    def __init__(self, place: str, columns: Mapping[str, Any]) -> None:
        self.place = place
        self.__dict__.update(columns)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f'{self.place} has no {name}')


Schema = Mapping[str, Mapping[str, Kind]]
Tables = dict[str, list[Row]]


def parse(text: str, path: str, schema: Schema) -> tuple[Tables, list[str]]:
    """(rows of each table, what is wrong: `path:line: error: ...`)"""
    tables: Tables = {name: [] for name in schema}
    given, wrong = _load(text, path)
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = HEADER.match(line)
        if header:
            lines.setdefault(header[1], []).append(number)
    for name, rows in given.items():
        if (
            name not in schema
            or not isinstance(rows, list)
            or len(rows) != len(lines.get(name, ()))
        ):
            at_line = lines.get(name, [1])[0]
            known = ', '.join(f'[[{x}]]' for x in schema)
            wrong.append(f'{path}:{at_line}: error: {name} is no table of this file: {known}')
            continue
        seen: dict[Any, int] = {}
        for line_number, row in zip(lines[name], rows):
            place = f'{path}:{line_number}'
            made, errors = _rows(row, place, schema[name])
            wrong += [f'{place}: error: {text}' for text in errors]
            key = next(iter(schema[name]))
            for one in made:
                first = seen.setdefault(getattr(one, key), line_number)
                if first != line_number:
                    said = getattr(one, key)
                    said = '::'.join(said) if isinstance(said, tuple) else said
                    wrong.append(f'{place}: error: line {first} has {said} already')
            tables[name] += made
    return tables, wrong


def _rows(row: Any, place: str, columns: Mapping[str, Kind]) -> tuple[list[Row], list[str]]:
    """([a Row for each key], what is wrong)"""
    wrong = [f'no column {name}: {", ".join(columns)}' for name in row if name not in columns]
    values: dict[str, Any] = {}
    keys: list[Any] = []
    for at, (name, kind) in enumerate(columns.items()):
        given = row.get(name)
        if given is None:
            values[name] = None
            if not kind.optional:
                wrong.append(f'{name} is missing: {kind.said}')
            continue
        is_list = isinstance(given, list) and (at == 0 or kind.several)
        read = [kind.value(x) for x in given] if is_list else [kind.value(given)]
        if None in read or (kind.several and not is_list):
            wrong += [
                f'{name} = {x!r} is not {kind.said}'
                for x, value in zip(given if is_list else [given], read)
                if value is None or not is_list
            ]
        elif at == 0 and not read:
            wrong.append(f'{name} is an empty list')
        elif at == 0:
            keys += read
        values[name] = read if kind.several else read[0] if read else None
    if wrong:
        return [], wrong
    first = next(iter(columns))
    return [Row(place, values | {first: key}) for key in keys], []


def parse_pairs(
    text: str, path: str, schema: Mapping[str, Kind]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """(key -> value of each table, what is wrong)"""
    pairs: dict[str, dict[str, Any]] = {name: {} for name in schema}
    given, wrong = _load(text, path)
    lines, table = {}, ''
    for number, line in enumerate(text.splitlines(), 1):
        table = line.strip()[1:-1] if line.startswith('[') else table
        key = re.match(r'"?([\w.:]+)"? =', line)
        if key:
            lines[table, key[1]] = number
    for name, entries in given.items():
        if name not in schema or not isinstance(entries, dict):
            known = ', '.join(f'[{x}]' for x in schema)
            wrong.append(f'{path}:1: error: {name} is no table of this file: {known}')
            continue
        for key, value in entries.items():
            several = value if isinstance(value, list) else [value]
            read = [schema[name].value(x) for x in several]
            if None in read or not read:
                place = f'{path}:{lines.get((name, key), 1)}'
                wrong.append(f'{place}: error: {key} = {value!r} is not {schema[name].said}')
            pairs[name][key] = read if isinstance(value, list) else read[0]
    return pairs, wrong


def _load(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    try:
        return tomllib.loads(text), []
    except tomllib.TOMLDecodeError as error:
        at = re.search(r'line (\d+)', str(error))
        return {}, [f'{path}:{at[1] if at else 1}: error: {error}']


def read(path: str, schema: Schema) -> Tables:
    """The tables of a file, whose path is relative to the checkout. Ends the program where one is
    wrong."""
    return _read(path, schema, lambda text: parse(text, path, schema))


def read_pairs(path: str, schema: Mapping[str, Kind]) -> dict[str, dict[str, Any]]:
    """Likewise tables of pairs."""
    return _read(path, schema, lambda text: parse_pairs(text, path, schema))


def _read(
    path: str, schema: Mapping[str, Any], parser: Callable[[str], tuple[Any, list[str]]]
) -> Any:
    full = os.path.join(ROOT, path)
    READ[full] = schema
    with open(full, encoding='utf-8') as f:
        found, wrong = parser(f.read())
    if wrong:
        sys.exit('\n'.join(wrong))
    return found


def check(m: Any, tables: Tables) -> None:
    """Notes each key that the model does not have: members, ids, and other names."""
    for rows in tables.values():
        for row in rows:
            key = next(value for name, value in vars(row).items() if name != 'place')
            if not _is_known(m, key):
                said = '::'.join(key) if isinstance(key, tuple) else key
                changes.note(row.place, f'the registry has no {said}')


def _is_known(m: Any, key: str | tuple[str, ...]) -> bool:
    if isinstance(key, str):
        return any(key in x for x in (m.vuids, m.structs, m.commands, m.handles, m.aliases))
    item = m.structs.get(key[0]) or m.commands.get(key[0])
    for name in key[1:]:
        members = () if item is None else getattr(item, 'members', None) or item.params
        field = next((x for x in members if x.name == name), None)
        if field is None:
            return False
        item = m.structs.get(field.type)
    return True
