#!/usr/bin/env python3
"""Runs the layer's lock-free parts in every order that C11 allows, and not only in those of x86.

Each part is a few functions here, with the loads, stores and orders of the C code that its name
gives. The machine is that of Kang et al., "A promising semantics for relaxed-memory concurrency"
(2017), without promises: memory keeps every store, a thread has a view (the oldest store of each
place that it may still read), a store with release carries its thread's view, and a load with
acquire joins it. All schedules are run, and in each one all stores that a load may read.

Without promises no load comes after a store that follows it, which arm64 may do. Where that
matters, at the end of a call, base/retire.c has a release and an acquire by its proof, and this
search says nothing. Stores to one place are in the order of the schedule. C11 has further orders
where two threads store to one place without a lock or an exchange, which no part here does.

For each part there are also versions with one order weakened: the search must find that they are
wrong. So it can be seen that the orders are needed, and that the search would find a lack of them.

The end of a run is "right" when no function has raised Broken."""

import collections.abc
import dataclasses
import sys
import typing

View = dict[str, int]
Value = int | str | None
Operation = tuple[typing.Any, ...]
Steps = collections.abc.Generator[Operation, Value, None]


class Broken(Exception):
    """The part did what it must not do."""


@dataclasses.dataclass(frozen=True)
class Store:
    value: typing.Any  # a Value
    view: tuple[tuple[str, int], ...]


class Machine:
    """One run. `choices` says which alternative was taken at each point with several of them."""

    def __init__(
        self, start: collections.abc.Mapping[str, object], threads: list[Steps], choices: list[int]
    ) -> None:
        self.memory = {place: [Store(value, ())] for place, value in start.items()}
        self.threads = threads
        self.views: list[View] = [{} for _ in threads]
        self.locks: dict[str, tuple[int | None, View]] = {}
        self.choices, self.at = choices, 0
        self.widths: list[int] = []

    def choose(self, count: int) -> int:
        if count == 1:
            return 0
        if self.at == len(self.choices):
            self.choices.append(0)
        self.widths.append(count)
        self.at += 1
        return self.choices[self.at - 1]

    def join(self, thread: int, view: View) -> None:
        own = self.views[thread]
        for place, number in view.items():
            own[place] = max(own.get(place, 0), number)

    def load(self, thread: int, place: str, acquire: bool) -> Value:
        stores = self.memory[place]
        oldest = self.views[thread].get(place, 0)
        # The newest one first: a run without a choice is what x86 would do.
        number = len(stores) - 1 - self.choose(len(stores) - oldest)
        self.views[thread][place] = number
        if acquire:
            self.join(thread, dict(stores[number].view))
        return stores[number].value

    def store(self, thread: int, place: str, value: Value, release: bool) -> None:
        stores = self.memory[place]
        self.views[thread][place] = len(stores)
        view = self.views[thread] if release else {place: len(stores)}
        stores.append(Store(value, tuple(sorted(view.items()))))

    def replace(self, thread: int, place: str, expected: Value, value: Value) -> bool:
        """compare_exchange with acquire: it reads the newest store, as each of them must."""
        newest = self.memory[place][-1]
        self.views[thread][place] = len(self.memory[place]) - 1
        self.join(thread, dict(newest.view))
        if newest.value != expected:
            return False
        self.store(thread, place, value, False)
        return True

    def ready(self, operation: Operation) -> bool:
        return operation[0] != 'lock' or self.locks.get(str(operation[1]), (None, {}))[0] is None

    def do(self, thread: int, operation: Operation) -> Value:
        kind, *rest = operation
        if kind in ('load', 'load acquire'):
            return self.load(thread, str(rest[0]), kind == 'load acquire')
        if kind in ('store', 'store release'):
            self.store(thread, str(rest[0]), rest[1], kind == 'store release')
        elif kind == 'replace':
            return int(self.replace(thread, str(rest[0]), rest[1], rest[2]))
        elif kind == 'lock':
            self.join(thread, self.locks.get(str(rest[0]), (None, {}))[1])
            self.locks[str(rest[0])] = (thread, {})
        elif kind == 'unlock':
            self.locks[str(rest[0])] = (None, dict(self.views[thread]))
        elif kind == 'membarrier':
            # Each thread passes a full barrier: it knows what any of them knows from then on.
            for other in range(len(self.threads)):
                self.join(thread, self.views[other])
            for other in range(len(self.threads)):
                self.join(other, self.views[thread])
        else:
            raise AssertionError(f'no operation is called {kind}')
        return None

    def run(self) -> None:
        waiting: dict[int, Operation] = {}
        for thread, steps in enumerate(self.threads):
            for operation in steps:
                waiting[thread] = operation
                break
        while waiting:
            able = [thread for thread, operation in waiting.items() if self.ready(operation)]
            thread = able[self.choose(len(able))]
            result = self.do(thread, waiting.pop(thread))
            try:
                waiting[thread] = self.threads[thread].send(result)
            except StopIteration:
                pass


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    start: collections.abc.Mapping[str, object]
    threads: collections.abc.Callable[[str], list[Steps]]
    weakened: list[str]  # by which it must break


def breaks(part: Part, weak: str) -> tuple[bool, int]:
    """Whether some run is wrong, and how many runs there were."""
    choices: list[int] = []
    count = 0
    while True:
        count += 1
        machine = Machine(part.start, part.threads(weak), choices)
        try:
            machine.run()
        except Broken:
            return True, count
        while choices and choices[-1] + 1 == machine.widths[len(choices) - 1]:
            choices.pop()
        if not choices:
            return False, count
        choices[-1] += 1


def through(weak: str) -> str:
    """The load of a pointer that is followed next. The address depends on what was loaded, which
    orders the two on every machine that there is (C11's consume). Compilers keep it: the address
    is not a constant."""
    return 'load' if weak == 'dependency' else 'load acquire'


# --- mem_grow() of base/retire.c, and whoever adds to the array ---


def length_of(array: Value) -> str:
    return f'length of {array}'


def grow(weak: str, array: str, wanted: int) -> Steps:
    """Replaces the array by a larger one. What is in the array is its length here."""
    yield ('lock', 'growth')
    had = yield ('load', 'capacity')
    assert isinstance(had, int)
    if had < wanted:
        yield ('store', length_of(array), wanted)
        # A store of the array and one of the capacity, each with release.
        yield ('store' if weak == 'array' else 'store release', 'array', array)
        yield ('store' if weak == 'capacity' else 'store release', 'capacity', wanted)
    yield ('unlock', 'growth')


def add_at(weak: str, at: int) -> Steps:
    """Writes element `at` where the array has room for it: the capacity is loaded first."""
    capacity = yield ('load' if weak == 'reader' else 'load acquire', 'capacity')
    assert isinstance(capacity, int)
    if at >= capacity:
        return
    array = yield (through(weak), 'array')
    length = yield ('load', length_of(array))
    if not isinstance(length, int) or at >= length:
        raise Broken


def grown_threads(weak: str) -> list[Steps]:
    return [grow(weak, 'A', 2), grow(weak, 'B', 3), add_at(weak, 1), add_at(weak, 2)]


# --- mem_make() of base/retire.c ---


def make(weak: str, part: str) -> Steps:
    """Makes the part that is not there, and reads what is in it."""
    made = yield ('load', 'part')
    if made is None:
        yield ('lock', 'growth')
        made = yield ('load', 'part')
        if made is None:
            made = part
            yield ('store', f'content of {part}', 0)
            yield ('store' if weak == 'part' else 'store release', 'part', part)
        yield ('unlock', 'growth')
    made = yield (through(weak), 'part')
    content = yield ('load', f'content of {made}')
    if content != 0:
        raise Broken


def made_threads(weak: str) -> list[Steps]:
    return [make(weak, 'P'), make(weak, 'Q')]


# --- load_cached() and store_cached() of base/unwind.c ---


def write_rule(weak: str, pc: int) -> Steps:
    version = yield ('load', 'version')
    assert isinstance(version, int)
    if version & 1 or not (yield ('replace', 'version', version, version + 1)):
        return
    kind = 'store' if weak == 'words stored' else 'store release'
    yield (kind, 'pc', pc)
    yield (kind, 'word', pc)
    yield ('store' if weak == 'version stored' else 'store release', 'version', version + 2)


def read_rule(weak: str, pc: int) -> Steps:
    kind = 'load' if weak == 'words loaded' else 'load acquire'
    version = yield ('load' if weak == 'version loaded' else 'load acquire', 'version')
    assert isinstance(version, int)
    same = (yield (kind, 'pc')) == pc
    word = yield (kind, 'word')
    again = yield ('load', 'version')
    if same and not version & 1 and again == version and word != pc:
        raise Broken


def rule_threads(weak: str) -> list[Steps]:
    return [write_rule(weak, 1), write_rule(weak, 2), read_rule(weak, 1)]


# --- base/retire.c: nothing is freed under a reader ---


def call() -> Steps:
    """Two calls of a thread, each of which reads the block if it finds it (thread.h)."""
    for calls in (1, 3):
        yield ('store', 'calls', calls)
        block = yield ('load', 'word')
        if block:
            content = yield ('load', 'block')
            if content == 'freed':
                raise Broken
        yield ('store release', 'calls', calls + 1)


def retire(weak: str) -> Steps:
    """Takes the block out of reach, makes all threads pass a barrier, and waits for the call that
    was under way. A group that cannot be freed yet is left, as no run waits."""
    yield ('store', 'word', 0)
    if weak != 'barrier':
        yield ('membarrier',)
    found = yield ('load acquire', 'calls')
    assert isinstance(found, int)
    if found & 1:
        later = yield ('load acquire', 'calls')
        if later == found:
            return
    yield ('store', 'block', 'freed')


def read_again() -> Steps:
    """Reads the block twice in a call: the first read may see that it is freed by mistake."""
    yield ('store', 'calls', 1)
    block = yield ('load', 'word')
    for _ in range(2):
        if block and (yield ('load', 'block')) == 'freed':
            raise Broken
    yield ('store release', 'calls', 2)


# --- a slot of the table of objects, which three objects have in turn (objects/object.h) ---

STATES = {'A': 'state of A', 'B': 'state of B', 'C': 'state of C'}


def own_slot(weak: str) -> Steps:
    """The slot is A's. A is destroyed, B is created, and so on (object.c, object_state.h)."""
    for before, after in (('A', 'B'), ('B', 'C')):
        yield ('store', 'id', f'{before} retired')
        yield ('store', 'state', None)
        yield ('store' if weak == 'id published' else 'store release', 'id', after)
        kind = 'store' if weak == 'state published' else 'store release'
        yield (kind, 'state', STATES[after])


def find_state(weak: str, *wanted: str) -> Steps:
    """object_load_state_of(), where one id is wanted. object_read_state(), by a driver's handle:
    any id of the type is."""
    found = yield ('load' if weak == 'id loaded' else 'load acquire', 'id')
    if found not in wanted:
        return
    state = yield ('load' if weak == 'state loaded' else 'load acquire', 'state')
    again = found if weak == 'second look' else (yield ('load', 'id'))
    if again == found and state not in (None, STATES[str(found)]):
        raise Broken


SLOT_ORDERS = ['id published', 'state published', 'id loaded', 'state loaded', 'second look']


PARTS = [
    Part(
        'mem_grow: an array that grows under a reader',
        {'capacity': 0, 'array': None} | {length_of(array): None for array in (None, 'A', 'B')},
        grown_threads,
        ['reader', 'capacity', 'array', 'dependency'],
    ),
    Part(
        'mem_make: a part that is made when it is first needed',
        {'part': None} | {f'content of {part}': 'unwritten' for part in (None, 'P', 'Q')},
        made_threads,
        ['part', 'dependency'],
    ),
    Part(
        'unwind: rules that were read before',
        {'version': 0, 'pc': 0, 'word': 0},
        rule_threads,
        ['words loaded', 'words stored', 'version stored', 'version loaded'],
    ),
    Part(
        'retire: nothing is freed under a reader',
        {'calls': 0, 'word': 1, 'block': 'content'},
        lambda weak: [call(), retire(weak)],
        ['barrier'],
    ),
    Part(
        'retire: a call that reads twice',
        {'calls': 0, 'word': 1, 'block': 'content'},
        lambda weak: [read_again(), retire(weak)],
        ['barrier'],
    ),
    Part(
        'object: the state is that of the object with the id',
        {'id': 'A', 'state': STATES['A']},
        lambda weak: [own_slot(weak), find_state(weak, 'B')],
        SLOT_ORDERS,
    ),
    Part(
        'object: the state is that of an object of the type',
        {'id': 'A', 'state': STATES['A']},
        lambda weak: [own_slot(weak), find_state(weak, 'A', 'C')],
        SLOT_ORDERS,
    ),
]


def main() -> int:
    failed = False
    for part in PARTS:
        wrong, count = breaks(part, '')
        print(f'{"WRONG" if wrong else "right"}  {part.name}: {count:,} runs')
        failed |= wrong
        for weak in part.weakened:
            found, count = breaks(part, weak)
            print(f'    {"breaks" if found else "HOLDS"} with {weak} weakened: run {count:,}')
            failed |= not found
    return failed


if __name__ == '__main__':
    sys.exit(main())
