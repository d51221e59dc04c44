#!/usr/bin/env python3
"""Messages are in plain English: the phrases of this list do not come back.

  plain_english.py ROOT     looks through the string literals of ROOT/src and ROOT/tools/assay, and texts in ROOT/registry

Adjacent literals are one text. Comments are not looked at. Each hit is a line `FILE:LINE: PHRASE: TEXT`, and the exit status is 1."""
import pathlib
import re
import sys

DIRECTORIES = ('src', 'tools/assay')
TEXTS = ('registry/message_ids.txt', 'registry/settings.toml', 'registry/fixes.txt')

# "has not been" and the like are right. Verbs that do not end in -ed and come after "has not":
PARTICIPLES = 'been|begun|come|done|gone|had|made|read|run|seen|sent|set|shown|written'
PHRASES = [
    (r'\bno multiple\b', 'say "is not a multiple of"'),
    (r'(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b)', 'say "is not a", or "there is no"'),
    (r'\bbehind\b', 'say "after" of time; of places say where'),
    (r'\bin front of\b', 'say "before"'),
    (r'\banew\b', 'say "again"'),
    (r'\b(?:has|have|had) it not\b', 'say "does not have it"'),
    (rf'\b(?:has|have|had) not\b(?! (?:yet |already )?(?:\w+ed|{PARTICIPLES})\b)', 'say "does not have"'),
    (r'\btold\b', 'say "reported"'),
    (r'\bnobody\b|\bwhoever\b|\bwho\b', 'code is "it": name the command, the object or the program'),
]
ANY = re.compile('|'.join(f'(?:{pattern})' for pattern, _ in PHRASES))
EACH = [(re.compile(pattern), advice) for pattern, advice in PHRASES]

JOINT = re.compile(r'"(?:\s|\\\n|/\*.*?\*/|//[^\n]*)*"', re.S)
TOKEN = re.compile(r'''(?P<comment>//[^\n]*|/\*.*?\*/)|"(?P<text>(?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])+'|(?P<blank>\s+|\\\n)|.''', re.S)


def literals(source):
    """Each string of a C file, as a list of (offset in the file, piece): adjacent literals are one string."""
    pieces = []
    for token in TOKEN.finditer(source):
        if token['text'] is not None:
            pieces.append((token.start('text'), token['text']))
        elif pieces and token['comment'] is None and token['blank'] is None:
            yield pieces
            pieces = []
    if pieces:
        yield pieces


def offset_in_file(pieces, offset):
    for start, piece in pieces:
        if offset < len(piece):
            return start + offset
        offset -= len(piece)
    return pieces[-1][0]


def faults_of_text(pieces):
    """(offset in the file, phrase, advice, text)"""
    text = ''.join(piece for _, piece in pieces)
    if not ANY.search(text):
        return
    for pattern, advice in EACH:
        for match in pattern.finditer(text):
            yield offset_in_file(pieces, match.start()), match.group(), advice, text


def faults_of_c(source):
    # A comment holds most of these phrases, and a file that has none at all is not taken apart.
    if ANY.search(source) or ANY.search(JOINT.sub('', source)):
        for pieces in literals(source):
            yield from faults_of_text(pieces)


def faults_of_lines(source):
    offset = 0
    for line in source.splitlines(keepends=True):
        if not line.startswith('#'):
            yield from faults_of_text([(offset, line.rstrip('\n'))])
        offset += len(line)


def check_itself():
    """The rules find what they are for, and nothing else."""
    def phrases(source):
        return [phrase for _, phrase, _, _ in faults_of_c(source)]
    for source, expected in (
            ('x("is %u, no " /* half */\n  "multiple of 4");', ['no multiple']),
            ('x("is %" PRIu64 ", which is no value");', ['is no ']),
            ('x("one has it, the other has not");', ['has not']),
            ('x("the pool has it not, and");', ['has it not']),
            ('x("/* anew */");', ['anew']),
            ('x("set behind it", "begun anew in front of it");', ['behind', 'in front of', 'anew']),
            ('char quote = \'"\'; /* behind */ // who\nx("there is no multiview, and it has not been set, nor has not ended");', []),
            ('x("the event is not a multiple of what is no longer there", "has not yet waited");', [])):
        found = phrases(source)
        assert sorted(found) == sorted(expected), f'{source}: {found}, not {expected}'


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1])
    files = [(path, faults_of_c) for directory in DIRECTORIES for path in sorted((root / directory).rglob('*.[ch]'))]
    files += [(root / name, faults_of_lines) for name in TEXTS]
    count = 0
    for path, faults_of in files:
        source = path.read_text()
        for offset, phrase, advice, text in faults_of(source):
            count += 1
            line = source.count('\n', 0, offset) + 1
            print(f'{path.relative_to(root)}:{line}: "{phrase.strip()}": {advice}\n    {text}')
    print(f'{len(files)} files, {count} phrases that messages do not have')
    if len(files) < 100:
        sys.exit('these are not all files')
    sys.exit(1 if count else 0)


if __name__ == '__main__':
    main()
