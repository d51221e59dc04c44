"""Requirements: which extensions and versions make a thing available."""

import re

from model import changes
from model.registry import RegistryError


def parse_depends(text, known):
    """`A+(B,C)` as a set of alternatives, each a frozenset of extension or version names. None:
    holds always (or cannot be known)."""
    tokens = re.findall(r'[A-Za-z0-9_:]+|[+,()]', text)
    position = 0

    def term():
        nonlocal position
        token = tokens[position]
        position += 1
        if token == '(':
            inner = expression()
            if tokens[position] != ')':
                raise RegistryError(f'unbalanced dependency: {text}')
            position += 1
            return inner
        if '::' in token or token == 'VK_VERSION_1_0' or token not in known:
            return None  # a feature, core, or a dropped extension: never grounds for a finding
        return frozenset({frozenset({token})})

    def expression():
        nonlocal position
        left, operators = term(), set()
        while position < len(tokens) and tokens[position] in '+,':
            operator = tokens[position]
            if operator == '+' and ',' in operators:  # A+B,C is (A+B),C whatever the precedence is
                raise RegistryError(f'dependency mixes + and , without parentheses: {text}')
            operators.add(operator)
            position += 1
            right = term()
            if operator == ',':
                left = None if left is None or right is None else left | right
            elif left is None or right is None:
                left = right if left is None else left
            else:
                left = frozenset(a | b for a in left for b in right)
        return left

    result = expression()
    if position != len(tokens):
        raise RegistryError(f'dependency not understood: {text}')
    return result


class Requirements:
    """Interned requirements. A requirement is a set of extensions and versions, of which one must
    be enabled, or None (always). Its number is an offset into requirement_terms, a list of words
    that REQUIREMENT_END ends. Offset 0 is 'always'.

    A requirement has what *adds* a thing, and nothing else. Implicit valid usage asks no more: "it
    was added by a device extension that was enabled for the device". What the registry's block
    depends on (<require depends="...">) is the affair of numbered statements."""

    def __init__(self, m):
        self.m = m
        self.known = set(m.extensions) | set(m.versions)
        self.offsets = {None: 0}
        self.words = ['REQUIREMENT_END']

    def of(self, item, alias_table):
        """Returns what adds `item` under its own name or an alias; None when it is core 1.0."""
        sources = [item.definingRequirements] + [
            alias_table.get(a, {}) for a in getattr(item, 'aliases', [])
        ]
        return self.merge(sources)

    def merge(self, sources):
        names = set()
        if not sources[0]:
            return None
        for source in sources:
            for name in source:
                if name == 'VK_VERSION_1_0':
                    return None
                if name in self.known:
                    names.add(name)
                elif name not in self.m.dropped_extensions:  # those cannot be enabled here
                    changes.note(
                        'registry/rooms/stateless/requirements.py:1',
                        f'something is defined by unknown {name}',
                    )
        return frozenset(names) if names else None

    def offset(self, requirement):
        if requirement not in self.offsets:
            self.offsets[requirement] = len(self.words)
            self.words += [f'EXTENSION_{name}' for name in sorted(requirement)]
            self.words.append('REQUIREMENT_END')
            if len(self.words) > 0x7FFF:
                raise RegistryError('too many requirements')
        return self.offsets[requirement]


def implied(requirement, by):
    """Does meeting `by` (of the thing around it) always meet `requirement`?"""
    return requirement is None or (by is not None and by <= requirement)
