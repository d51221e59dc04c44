#!/usr/bin/env python3
"""Messages, comments and docs are in plain English: the phrases of this list do not come back.

  plain_english.py ROOT

It looks through these:
  messages  the string literals of DIRECTORIES, and the texts in TEXTS; adjacent literals are one
            text
  comments  those of COMMENTED, and of SCRIPTS. They have no questions either, and none begins with
            a word of RIDDLE. A file's first comment says what the file is for: it does not begin
            with a question word, and its sentences have at most WORDS words
  docs      those of DOCS, but for what is generated
What stands in quotation marks or is code is not looked at in comments and docs. Each hit is a line
`FILE:LINE: PHRASE: TEXT`, and the exit status is 1."""

import pathlib
import re
import sys

DIRECTORIES = ('src', 'tools/assay')
COMMENTED = ('src', 'tools', 'bench', 'tests', 'registry')
COMMENTED_KINDS = ('.c', '.h', '.glsl', '.comp', '.mako')
DOCS = ('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md')
# Scripts and builds, of which only the first words of comments are looked at.
SCRIPTS = (*COMMENTED, 'examples', '.ci')
SCRIPT_KINDS = ('.sh', '.py', 'meson.build', 'meson_options.txt', 'dev', 'run')
WORDS = 25
TEXTS = ('registry/message_ids.txt', 'registry/settings.toml', 'registry/fixes.txt')

# "has not been" and the like are right. Verbs that do not end in -ed and come after "has not":
PARTICIPLES = 'been|begun|come|done|gone|had|made|read|run|seen|sent|set|shown|written'
PHRASES = [
    (r'\bno multiple\b', 'say "is not a multiple of"'),
    (r'(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b)', 'say "is not a", or "there is no"'),
    (r'\b[Bb]ehind\b', 'say "after" of time; of places say where'),
    (r'\bin front of\b', 'say "before"'),
    (r'\b[Aa]new\b', 'say "again"'),
    (r'\b(?:has|have|had) it not\b', 'say "does not have it"'),
    (
        rf'\b(?:has|have|had) not\b(?! (?:yet |already )?(?:\w+ed|{PARTICIPLES})\b)',
        'say "does not have"',
    ),
    (r'\btold\b', 'say "reported"'),
    (
        r'\b[Nn]obody\b|\b[Ww]hoever\b|\bwho\b',
        'code is "it": name the command, the object or the program',
    ),
]
ANY = re.compile('|'.join(f'(?:{pattern})' for pattern, _ in PHRASES))
EACH = [(re.compile(pattern), advice) for pattern, advice in PHRASES]

# A comment ends at its first end: with `.*?` it may take further ones, in more ways than there is
# time for.
JOINT = re.compile(r'"(?:\s|\\\n|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)*"', re.S)
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?P<text>(?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])+'|(?P<blank>\s+|\\\n)|.""",
    re.S,
)


def literals(source):
    """Each string of a C file, as a list of (offset in the file, piece): adjacent literals are one
    string."""
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


COMMENT = re.compile(
    r"""(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*(?:\n[ \t]*//[^\n]*)*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+\'""",
    re.S,
)
QUESTION_WORD = re.compile(
    r'(?:What|Which|How|When|Where|Who|Whose|Why|Is|Are|May|Can|Does|Do|Has|Must|Did)\b'
)
# A comment that begins so has no subject: "Of the pool" or "What is known" name no thing.
RIDDLE = re.compile(r'(?:Of|What|That|Which|Behind)\b')
SENTENCE_END = re.compile(r'(?<=[.!?])\s+|(?<=[.!?]\))\s+|(?<=[:;])\s+(?=[A-Z`"(\[])')
TABLE_LINE = re.compile(r' {2,}|[-*|] |\d+\. ')


def blanked(text, pattern):
    """`text` with what the pattern finds replaced by an X and blanks, so that offsets stay."""
    return re.sub(pattern, lambda match: 'X' + re.sub(r'[^\n]', ' ', match[0][1:]), text)


def without_quotes(text):
    return blanked(blanked(text, r'`[^`\n]*`'), r'"[^"]*"')


def faults_of_prose(text, offset=0):
    for pattern, advice in EACH:
        for match in pattern.finditer(text):
            line = text.count('\n', 0, match.start())
            yield (
                offset + match.start(),
                ' '.join(match.group().split()),
                advice,
                ' '.join(text.split('\n')[line].split()),
            )


def paragraphs(text):
    """The paragraphs of a comment's text, without tables and examples, which are indented."""
    paragraph = []
    for line in text.split('\n') + ['']:
        if paragraph and (not line.strip() or TABLE_LINE.match(line)):
            yield ' '.join(paragraph)
            paragraph = []
        if line.strip() and not line.startswith('  '):
            paragraph.append(line.strip())


def faults_of_comments(source):
    """(offset in the file, phrase, advice, text)"""
    first = True
    for comment in COMMENT.finditer(source):
        if comment['block'] is None and comment['line'] is None:
            continue
        text = re.sub(r'^[ \t]*(?:/\*+|\*(?!/)|//+) ?|\s*\*/$|\\$', '', comment[0], flags=re.M)
        prose = without_quotes(text)
        for _, phrase, advice, line in faults_of_prose(prose):
            yield comment.start(), phrase, advice, line
        is_first = first and source[: comment.start()].strip() == ''
        riddle = RIDDLE.match(prose.strip())
        if riddle and not (is_first and QUESTION_WORD.match(riddle[0])):
            yield comment.start(), riddle[0], RIDDLE_ADVICE, ' '.join(prose.split())[:80]
        first = False
        sentences = [
            sentence
            for paragraph in paragraphs(prose)
            for sentence in SENTENCE_END.split(paragraph)
        ]
        for sentence in sentences:
            if sentence.endswith('?'):
                yield comment.start(), '?', 'say it as a statement', sentence
            if is_first and len(sentence.split()) > WORDS:
                yield (
                    comment.start(),
                    f'{len(sentence.split())} words',
                    f'{WORDS} are the limit',
                    sentence,
                )
        if is_first and sentences and QUESTION_WORD.match(sentences[0]):
            yield (
                comment.start(),
                sentences[0].split()[0],
                'say what the file is for, with a subject and a verb',
                sentences[0],
            )


RIDDLE_ADVICE = 'a comment has a subject and a verb: say what the thing is'
# A comment of a script, or the first line of a docstring.
SCRIPT_COMMENT = re.compile(r'(?:^|(?<=\s))#[ \t]+(?P<text>[^\n]*)|^[ \t]*"""(?P<doc>[^\n]*)', re.M)


def faults_of_scripts(source):
    """(offset in the file, phrase, advice, text)"""
    end, continued = 0, False
    for comment in SCRIPT_COMMENT.finditer(source):
        text = comment['text'] if comment['text'] is not None else comment['doc']
        # A line below another one of a comment goes on where that ended.
        continued = comment['text'] is not None and source[end : comment.start()].strip(' ') == '\n'
        end = comment.end()
        riddle = RIDDLE.match(text)
        if riddle and not continued:
            yield comment.start(), riddle[0], RIDDLE_ADVICE, text[:80]


def faults_of_docs(source):
    """(offset in the file, phrase, advice, text)"""
    prose = blanked(source, re.compile(r'^ *```.*?^ *```', re.M | re.S))
    prose = blanked(prose, re.compile(r'(?<=\n\n)(?:    .*\n)+'))
    yield from faults_of_prose(without_quotes(blanked(prose, r'\]\([^)]*\)')))


def check_itself():
    """The rules find what they are for, and nothing else."""
    for source, expected in (
        ('/* Which pools are there? */', ['?', 'Which']),
        ('int a; /* Is it so? */', ['?']),
        ('/* Keeps pools. They were told\n * of anew. */', ['told', 'anew']),
        ('// Set behind it.\n// "is behind", `who`\n', ['behind']),
        ('/* Keeps the pools\n *     who and what? */', ['who']),
        ('/* Is kept. */', ['Is']),
        ('/* ' + 'word ' * 26 + '*/', ['26 words']),
        ('int a; /* ' + 'word ' * 26 + '*/', []),
        ('x("/* behind */", \'"\'); /* There is no pool. */', []),
        ('int a; /* Of the pool. */ /* of a set */\n// "What" is quoted.', ['Of']),
        ('int a;\n/* That it is so. */\n/* It is\n * That. */', ['That']),
    ):
        found = [phrase for _, phrase, _, _ in faults_of_comments(source)]
        assert sorted(found) == sorted(expected), f'{source}: {found}, not {expected}'
    for source, expected in (
        ('# What is known.\nx = 1 \x23 Of it\n# It says\n# What it is.\n', ['What', 'Of']),
        ('"' * 3 + 'Which one it is."""\n# "What" is quoted.\n#!/bin/sh\n', ['Which']),
    ):
        found = [phrase for _, phrase, _, _ in faults_of_scripts(source)]
        assert found == expected, f'{source}: {found}, not {expected}'
    for source, expected in (
        ('The one behind.\n```\nwho\n```\n', ['behind']),
        ('`who` [b](behind.md) "anew" is there', []),
        ('- nobody\n', ['nobody']),
    ):
        found = [phrase for _, phrase, _, _ in faults_of_docs(source)]
        assert found == expected, f'{source}: {found}, not {expected}'

    def phrases(source):
        return [phrase for _, phrase, _, _ in faults_of_c(source)]

    for source, expected in (
        ('x("is %u, no " /* half */\n  "multiple of 4");', ['no multiple']),
        ('x("is %" PRIu64 ", which is no value");', ['is no ']),
        ('x("one has it, the other has not");', ['has not']),
        ('x("the pool has it not, and");', ['has it not']),
        ('x("/* anew */");', ['anew']),
        ('x("set behind it", "begun anew in front of it");', ['behind', 'in front of', 'anew']),
        (
            (
                'char quote = \'"\'; /* behind */ // who\nx("there is no multiview, and it has '
                'not been set, nor has not ended");'
            ),
            [],
        ),
        ('x("the event is not a multiple of what is no longer there", "has not yet waited");', []),
    ):
        found = phrases(source)
        assert sorted(found) == sorted(expected), f'{source}: {found}, not {expected}'


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1])
    files = [
        (path, faults_of_c)
        for directory in DIRECTORIES
        for path in sorted((root / directory).rglob('*.[ch]'))
    ]
    files += [(root / name, faults_of_lines) for name in TEXTS]
    files += [
        (path, faults_of_comments)
        for directory in COMMENTED
        for path in sorted((root / directory).rglob('*'))
        if path.suffix in COMMENTED_KINDS and 'corpus' not in path.parts
    ]
    files += [(path, faults_of_docs) for pattern in DOCS for path in sorted(root.glob(pattern))]
    files += [
        (path, faults_of_scripts)
        for directory in SCRIPTS
        for path in sorted((root / directory).rglob('*'))
        if path.name.endswith(SCRIPT_KINDS) and path.is_file() and 'corpus' not in path.parts
    ]
    files += [(root / name, faults_of_scripts) for name in ('dev', 'meson.build')]
    count = 0
    for path, faults_of in files:
        source = path.read_text()
        for offset, phrase, advice, text in faults_of(source):
            count += 1
            line = source.count('\n', 0, offset) + 1
            print(f'{path.relative_to(root)}:{line}: "{phrase.strip()}": {advice}\n    {text}')
    print(f'{len(files)} files, {count} phrases that plain English does not have')
    if len(files) < 100:
        sys.exit('these are not all files')
    sys.exit(1 if count else 0)


if __name__ == '__main__':
    main()
