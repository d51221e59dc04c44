"""Reads a sentence about a draw, dispatch or trace: its guards and its demand (draw_words.py), as
the conditions under which it is broken."""

import contextlib
import functools
import itertools
import re

from model import dynamic_states, feature_tables
from rows.draw_conditions import Condition, Either, NotUnderstood, equal, fact
from rows.draw_words import (
    BOUND,
    CUSTOM,
    DEMANDS,
    INHERITED,
    MORE_CONDITIONS,
    MORE_FEATURES,
    NOT_SET,
    WORDS,
)


# The patterns above are compiled when the first text is read: most generators import this file and
# read none.
@functools.cache
def _not_set():
    return re.compile(r'(?:then )?' + NOT_SET)


@functools.cache
def _demands():
    return [(re.compile(pattern), breaks) for pattern, breaks in DEMANDS.items()]


@functools.cache
def _guards():
    return [
        (re.compile(rf'(?:{pattern})(?=,| |$)'), conditions)
        for pattern, conditions in WORDS.items()
    ]


class Reader:
    """Reads sentences of a model."""

    def __init__(self, m):
        self.m = m
        self.values = {v.parameter: v for v in dynamic_states.tables(m).values}
        self.states = set(dynamic_states.tables(m).states)
        self.features = {name for f in feature_tables.tables(m).features for name in f.names}

    def normal(self, text):
        text = re.sub(r'\s+', ' ', text).strip().rstrip('.').replace(' ,', ',')
        text = re.sub(
            (
                r'^If (the bound graphics pipeline state was created with the \w+ state '
                r'enabled), or a shader object is bound to any graphics stage,'
            ),
            r'If a shader object is bound to any graphics stage or \1,',
            text,
        )
        return text[0].lower() + text[1:] if not text.startswith(('VK', 'Vk')) else text

    def read(self, text):
        """[([Condition], those of the demand)]: each of these lists breaks it; or None."""
        try:
            return self._read(self.normal(text))
        except NotUnderstood:
            return None

    def rest(self, text):
        """The part of a sentence that is not understood: it follows the guards that are."""
        text = self.normal(text)
        rest = text.removeprefix('if ')
        with contextlib.suppress(NotUnderstood):
            while rest != text and self._demand(rest, ()) is None:
                rest = re.sub(r'^,?(?: and)?(?:,? if)? ', '', rest[self._guard(rest)[0] :], count=1)
        return rest

    def _read(self, text):
        guards = []
        rest = text.removeprefix('if ')
        if rest != text:
            while True:
                demand = self._demand(rest, guards)
                if demand is not None:
                    break
                length, more = self._guard(rest)
                guards += more
                rest = re.sub(r'^,?(?: and)?(?:,? if)? ', '', rest[length:], count=1)
        else:
            demand = self._demand(rest)
            if demand is None:
                raise NotUnderstood
        rows = []
        either = [c for c in guards if isinstance(c, Either)]
        if len(either) > 1:
            raise NotUnderstood
        plain = [c for c in guards if c not in either]
        for breaks, more in itertools.product(demand, either[0].alternatives if either else [[]]):
            guards = more + plain
            conditions = {}
            for c in guards + breaks + [x for c in guards + breaks for x in self._more(c)]:
                if c.key in conditions and conditions[c.key].holds != c.holds:
                    raise NotUnderstood
                conditions.setdefault(c.key, c)
            rows.append((list(conditions.values()), [c for c in breaks if c.key in conditions]))
        return rows

    def _more(self, c):
        if c.kind == 'SET' and not c.holds:
            out = [Condition('TAKES', c.left)]
            out += [fact(MORE_CONDITIONS[c.left])] if c.left in MORE_CONDITIONS else []
            out += [fact('INHERITED_VIEWPORTS', False)] if c.left in INHERITED else []
            return out + (
                [Condition('FEATURE', MORE_FEATURES[c.left])] if c.left in MORE_FEATURES else []
            )
        return []

    def _demand(self, text, guards=()):
        g = _not_set().fullmatch(text)
        if g:
            state = dynamic_states.tables(self.m).setters.get(g['command'])
            if not state:
                raise NotUnderstood
            return [[Condition('SET', state, None, False)]]
        for pattern, breaks in _demands():
            g = pattern.fullmatch(text)
            if not g:
                continue
            if breaks == 'statistics':
                bits = ' | '.join(re.findall(r'VK_QUERY_PIPELINE_STATISTIC_\w+', g['statistics']))
                return [[Condition('ANY_BIT', 'STATISTICS', bits)]]
            if breaks == 'format':
                names = [
                    c.left
                    for c in guards
                    if c.kind == 'EQUAL' and c.left in ('RESOLVE_DEPTH', 'RESOLVE_STENCIL')
                ]
                if len(names) != 1:
                    raise NotUnderstood
                return [[*CUSTOM, equal(names[0], 'VK_FORMAT_UNDEFINED', False)]]
            if breaks == 'feature':
                return [[self._feature(g['feature'], False)]]
            if breaks == 'current':
                return [[equal(self._current(g['name']), g['value'], False)]]
            if breaks == 'last_view':
                return [
                    [
                        fact('DYNAMIC_RENDERING'),
                        equal('VIEW_MASK', '0', False),
                        Condition('LESS', 'LAST_VIEW', f'current {g["count"]}', False),
                    ]
                ]
            return breaks
        return None

    def _feature(self, name, holds):
        if f'FEATURE_{name}' not in self.features:
            raise NotUnderstood
        return Condition('FEATURE', name, None, holds)

    def _current(self, name):
        if name not in self.values:
            raise NotUnderstood
        return name

    def _guard(self, text):
        """(length, conditions) of the guard that the text begins with."""
        best = (0, None)
        for pattern, conditions in _guards():
            g = pattern.match(text)
            if g and g.end() > best[0]:
                best = g.end(), conditions
        g = BOUND.match(text)
        if g and g.end() > best[0]:
            best = g.end(), self._bound(g)
        if best[1] is not None:
            return best
        g = re.match(r'(?:the )?(\w+) feature is (not )?enabled', text)
        if g:
            return g.end(), [self._feature(g[1], not g[2])]
        g = re.match(r'(?:the )?(VK_\w+) extension is (not )?enabled', text)
        if g and g[1] in self.m.extensions:
            return g.end(), [Condition('EXTENSION', g[1], None, not g[2])]
        g = re.match(
            r'the current (?:value of (?:and )?)?(\w+)(?: state)? is (VK_\w+)(?: or (VK_\w+))?',
            text,
        )
        if g and not g[3]:
            return g.end(), [equal(self._current(g[1]), g[2])]
        if (
            g
            and g[1] == 'lineRasterizationMode'
            and {g[2], g[3]}
            == {
                'VK_LINE_RASTERIZATION_MODE_BRESENHAM',
                'VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH',
            }
        ):
            # of four values, the third and fourth
            return g.end(), [
                Condition('MORE', 'lineRasterizationMode', 'VK_LINE_RASTERIZATION_MODE_RECTANGULAR')
            ]
        g = re.match(r'(\w+) was (VK_TRUE|VK_FALSE) in the last call to vkCmdSet\w+', text)
        if g:
            return g.end(), [equal(self._current(g[1]), g[2])]
        g = re.match(
            (
                r'the (?:last|most recent) call to vkCmdSet\w+(?: in the current command '
                r'buffer)? set (?:the )?(\w+) to (VK_TRUE|VK_FALSE)'
            ),
            text,
        )
        if g:
            return g.end(), [equal(self._current(g[1]), g[2])]
        raise NotUnderstood

    def _bound(self, g):
        states = re.findall(r'VK_DYNAMIC_STATE_(\w+)', g['states'])
        if (
            not set(states) <= self.states
            or ' or ' in g['states']
            and states != ['LINE_STIPPLE_ENABLE_EXT', 'LINE_RASTERIZATION_MODE_EXT']
        ):
            raise NotUnderstood
        out = (
            [Either(*states)]
            if ' or ' in g['states']
            else [Condition('TAKES', state) for state in states]
        )
        for name, holds in (('disabled', False), ('second', True), ('without', False)):
            out += [
                Condition('TAKES', state, None, holds)
                for state in re.findall(r'VK_DYNAMIC_STATE_(\w+)', g[name] or '')
            ]
        if g['both']:
            out.append(Condition('ANY_BIT', 'STAGES', g['both']))
        if not g['objects']:
            out.append(fact('PIPELINE'))
        elif g['object']:
            out.append(Condition('ANY_BIT', 'OBJECT_STAGES', g['object']))
        return out
