"""Notes what is left out because this registry is not the one that was read.

statements.txt has the version of the registry that was read, and a checksum of each sentence. Any
later registry builds. A numbered statement is enforced only if its sentence is one that was read.
What a generator does not
understand, or what asks for something that this registry lacks, is left out and noted here:

    with changes.left_out(f'registry/rows.txt:{line}', vuid):
        rows.append(read(vuid))

With the registry that was read, each note is a mistake of ours and fails the generation
(generate.py). With another one, statements.py reports all notes, and fails in strict mode only."""

import contextlib
import functools
import os
import traceback
import zlib

from model.places import REGISTRY
from model.write_if_changed import write_if_changed

READ = os.path.join(REGISTRY, 'statements.txt')
HEAD = """# The numbered statements as they were read: number, a checksum of its ids, and one of each of its
# sentences (changes.py). `./dev update-registry` says what another registry has that was not read,
# and writes here what is accepted.
"""
# Some statements of a newer registry were accepted, and others not yet. No registry is of such a
# version, so that each counts as another one than the one that was read.
PARTLY = '+'
_notes: dict[tuple[str, str], str | None] = {}


class Read:
    """statements.txt: `version`, which ends in PARTLY while only some statements of a newer
    registry were read; `ids` and `sentences`, number -> a checksum of its ids, and those of its
    sentences."""

    def __init__(self, path=READ):
        self.version, self.ids, self.sentences = None, {}, {}
        with open(path, encoding='utf-8') as f:
            for line in f:
                words = line.split()
                if words[:2] == ['#', 'registry']:
                    self.version = words[2]
                elif words and words[0] != '#':
                    self.ids[words[0]], self.sentences[words[0]] = words[1], frozenset(words[2:])

    def knows(self, v):
        """Was the sentence of this numbered statement read?"""
        return checksum(v.text) in self.sentences.get(v.id[-5:], ())

    def write(self, path=READ):
        """Writes statements.txt, of what was read by now."""
        lines = [
            ' '.join([number, self.ids[number], *sorted(self.sentences[number])]) + '\n'
            for number in sorted(self.ids)
        ]
        write_if_changed(path, f'{HEAD}# registry {self.version}\n' + ''.join(lines))

    def accept_all(self, m):
        """Every statement of a model counts as read, and none of another one."""
        self.version, self.ids, self.sentences = m.api_version, {}, {}
        for number, (ids, sentences) in of_numbers(m.vuids.values()).items():
            self.ids[number], self.sentences[number] = ids, frozenset(sentences)


@functools.cache
def read():
    return Read()


def checksum(text):
    return f'{zlib.crc32(text.encode()):08x}'


def of_numbers(vuids):
    """number -> (checksum of its ids, [checksums of its sentences]), of numbered statements."""
    found = {}
    for v in vuids:
        if v.numbered:
            ids, sentences = found.setdefault(v.id[-5:], ([], set()))
            ids.append(v.id)
            sentences.add(checksum(v.text))
    return {
        number: (checksum('\n'.join(sorted(ids))), sorted(sentences))
        for number, (ids, sentences) in sorted(found.items())
    }


def note(place, text, vuid=None):
    """`place`: path:line of what had to be left out. `vuid`: the statement that is not enforced for
    it, or None."""
    _notes.setdefault((place, text), vuid)


def notes():
    """[[place, text, vuid or None]], each once."""
    return [[place, text, vuid] for (place, text), vuid in _notes.items()]


@contextlib.contextmanager
def left_out(place=None, vuid=None, what=None):
    """Leaves out and notes what raises in the block: at `place`, or else where it was raised.
    `what` names what could not be read."""
    try:
        yield
    # pylint: disable=broad-except  a missing name shows itself in many ways
    except Exception as error:
        frames = [
            f
            for f in traceback.extract_tb(error.__traceback__)
            if os.path.abspath(f.filename).startswith(os.path.join(REGISTRY, ''))
        ]
        raised = f'registry/{os.path.relpath(frames[-1].filename, REGISTRY)}:{frames[-1].lineno}'
        text = (
            str(error)
            if type(error).__name__ == 'RegistryError'
            else f'{type(error).__name__}: {error}'
        )
        if place is not None and type(error).__name__ != 'RegistryError':
            text += f' ({raised})'
        note(place or raised, f'{what}: {text}' if what else text, vuid)
