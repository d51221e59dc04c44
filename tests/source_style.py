#!/usr/bin/env python3
"""Checks what a formatter does not hold in sources: width and length, files that comments name.

  source_style.py ROOT

A line has at most 100 columns, except where one name of the specification makes it wider. A file
that a comment names exists: under its path from ROOT or ROOT/src, beside the source, or, where it
has no path, in some room. So does one that README.md or docs/*.md name. Atomic accesses are those
of C11, or of base/plain_atomic.h. The layer asks secure_getenv() for variables, and each of its
headers says which threads may call what it declares. A folder of the layer and of the tools has at
most 40 sources. A Python file has at most 1,200 lines, as one with more has several subjects, and
its lines have at most 100 columns as well, but for texts that it quotes. A static function is
called by its object and verb: its name is not one word, and no three files have one of that name. A
static function of the layer or its tools whose body has more than 15 lines has a comment above it
that says what it promises. Each fault is a line `FILE:LINE: WHAT`, and the exit status is 1."""

import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

DIRECTORIES = ('src', 'tests', 'bench', 'tools', 'examples')
WIDTH = 100
MOST_IN_FOLDER = 40
MOST_LINES = 1200  # of Python
LONG_NAME = re.compile(r'\S{70}')
COMMENT = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+\'""", re.S)
# Files of the project: with a path, or of a kind that nothing else in a comment looks like.
NAMED = re.compile(
    r'(?<![\w./<-])((?:[\w-]+/)*[\w-]+\.(?:c|h|py|md|mako|toml|glsl|comp|sh))\b(?![\w/*-])'
)
# Examples in comments call the sources of a program so.
EXAMPLES = {'things.comp', 'cube.c', 'src/cube.c', 'blur.comp', 'a.comp', 'inc/a.h'}
# Headers of libraries and of the system.
FOREIGN = re.compile(
    r'search\.h|vulkan|vk_|spirv|std|sys/|asm/|pthread|link\.h|dlfcn|elf|unwind|setjmp|'
    r'features\.h|X11|xcb|zstd|yyjson'
)


# The compiler's own atomics, which have one place.
BUILTIN_ATOMIC = re.compile(r'\b__(?:atomic|sync)_\w+\(')
ATOMICS = 'src/base/plain_atomic.h'
# The layer may run in a program with raised privileges, whose environment is somebody else's.
PLAIN_GETENV = re.compile(r'(?<![\w])getenv\(')
# Each header of the layer says which threads may call what it declares.
THREADS = re.compile(r'[Tt]hreads?:\s')


# A function that a source defines for itself.
STATIC = re.compile(r'^static\s[^;={}#]*?(\w+)\((?:[^;{}()]|\([^()]*\))*\)[^;{}=]*\{', re.M)
# A function that a source defines for itself, with its body.
WHOLE_STATIC = re.compile(
    r'^static\s[^;={}#]*?(\w+)\((?:[^;{}()]|\((?:[^()]|\([^()]*\))*\))*\)[^;{}=]*\{\n(.*?)^\}',
    re.M | re.S,
)
LINES_WITHOUT_CONTRACT = 15  # of a body
FILES_OF_A_NAME = 2
# The layer with its tools, and all that tests it, are searched apart.
NAMED_TOGETHER = (('src/', 'tools/'), ('tests/', 'bench/', 'examples/'))


def known_paths(root):
    paths = [
        path.relative_to(root).as_posix()
        for top in (*DIRECTORIES, 'registry', 'docs')
        for path in (root / top).rglob('*')
        if path.is_file()
    ]
    paths += [path.name for path in root.iterdir() if path.is_file()]
    return set(paths), {path.rsplit('/', 1)[-1] for path in paths}


def is_known(name, folder, paths, names):
    if name in EXAMPLES or any(
        f'{top}{name}' in paths
        for top in ('', 'src/', 'tests/scenarios/', 'tools/assay/', f'{folder}/')
    ):
        return True
    # Generated files: from a template of the same name.
    if f'{name}.mako' in paths or f'{name.rsplit("/", 1)[-1]}.mako' in names:
        return True
    return '/' not in name and name in names


def faults(source, path, paths, names):
    """(line, text)"""
    folder = path.rsplit('/', 1)[0]
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > WIDTH and not LONG_NAME.search(line):
            yield number, f'{len(line)} columns, {WIDTH} are the limit'
    for match in BUILTIN_ATOMIC.finditer(source):
        if path != ATOMICS:
            yield source.count('\n', 0, match.start()) + 1, f'{match[0]}) is for {ATOMICS} alone'
    for match in PLAIN_GETENV.finditer(source):
        if path.startswith('src/'):
            yield source.count('\n', 0, match.start()) + 1, 'getenv() in the layer: secure_getenv()'
    if path.startswith('src/') and path.endswith('.h') and not THREADS.search(source):
        yield 1, 'a header of the layer says "Threads: ..." in a comment'
    for comment in COMMENT.finditer(source):
        if not comment[0].startswith('/'):
            continue
        for match in NAMED.finditer(comment[0]):
            if not FOREIGN.match(match[1]) and not is_known(match[1], folder, paths, names):
                line = source.count('\n', 0, comment.start() + match.start()) + 1
                yield line, f'there is no file {match[1]}'


def faults_of_docs(source, paths, names):
    """(line, text)"""
    for number, line in enumerate(source.splitlines(), 1):
        for match in NAMED.finditer(line):
            if not FOREIGN.match(match[1]) and not is_known(match[1], 'docs', paths, names):
                yield number, f'there is no file {match[1]}'


def quoting_lines(source):
    """The lines of Python that texts stand in, docstrings apart."""
    tree = ast.parse(source)
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and ast.get_docstring(node) is not None
    }
    kinds = {tokenize.STRING, getattr(tokenize, 'FSTRING_MIDDLE', tokenize.STRING)}
    return {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type in kinds and token.start[0] not in docstrings
        for line in range(token.start[0], token.end[0] + 1)
    }


def faults_of_python(source):
    """(line, text)"""
    lines = source.splitlines()
    if len(lines) > MOST_LINES:
        yield MOST_LINES + 1, f'{len(lines)} lines, {MOST_LINES} are the limit: split it by subject'
    wide = [number for number, line in enumerate(lines, 1) if len(line) > WIDTH]
    for number in sorted(set(wide) - quoting_lines(source)) if wide else []:
        yield number, f'{len(lines[number - 1])} columns, {WIDTH} are the limit'


QUOTED = re.compile(r'<!-- from (\S+) -->\n```c\n(.*?)```', re.DOTALL)


def faults_of_quotes(source, root):
    """Code of a page that says which file it is from, and is not there. (line, text)"""
    for match in QUOTED.finditer(source):
        path = root / match[1]
        if not path.is_file() or match[2] not in path.read_text():
            yield source.count('\n', 0, match.start()) + 1, f'{match[1]} does not have this code'


def has_comment_above(source, at):
    """Says whether a comment ends on the line before offset `at`, and begins a line."""
    above = source[:at].removesuffix('\n')
    start = above.rfind('/*') if above.endswith('*/') else above.rfind('\n') + 1
    return above.startswith(('/*', '//'), start) and (start == 0 or above[start - 1] == '\n')


def faults_of_contracts(source):
    """Finds long static functions without a comment that says what they promise. (line, text)"""
    for match in WHOLE_STATIC.finditer(source):
        lines = match[2].count('\n')
        if lines > LINES_WITHOUT_CONTRACT and not has_comment_above(source, match.start()):
            line = source.count('\n', 0, match.start()) + 1
            yield line, f'{match[1]}() has {lines} lines, and no comment with its contract'


def full_folders(paths):
    """[(folder, count)] of those that have too many of the sources."""
    counts = collections.Counter(path.rsplit('/', 1)[0] for path in paths)
    return sorted((folder, n) for folder, n in counts.items() if n > MOST_IN_FOLDER)


def common_names(sources):
    """Returns static functions whose name is one word, or is in many files: {name: why it is not a
    name}. `sources` is {path: text}."""
    files = collections.defaultdict(set)
    for path, text in sources.items():
        for match in STATIC.finditer(COMMENT.sub('', text)):
            files[match[1]].add(path)
    faults = {
        name: f'is one word ({min(paths)})' for name, paths in files.items() if '_' not in name
    }
    for name, paths in files.items():
        if len(paths) > FILES_OF_A_NAME:
            faults[name] = f'is in {len(paths)} files: {", ".join(sorted(paths)[:3])} ...'
    return faults


def check_itself():
    paths, names = (
        {'src/core/draw/draw.c', 'registry/rows/rows.py', 'registry/rooms/a/b.c.mako'},
        {'draw.c', 'rows.py', 'b.c.mako'},
    )
    for source, expected in (
        ('int a;' + ' ' * 95 + 'x\n', 1),
        ('x(' + 'A' * 120 + ');\n', 0),
        ('/* see core/draw/draw.c, draw.c and\n * registry/rows/rows.py, of b.c */', 0),
        ('x();\n/* see core/draw.c */', 1),
        ('x("core/draw.c"); // gone.c\n', 1),
        ('/* <vulkan/vulkan.h> */', 0),
        ('x = __atomic_load_n(&y, 0);\n', 1),
        ('x = getenv("HOME");\n', 1),
        ('x = secure_getenv("HOME");\n', 0),
    ):
        found = list(faults(source, 'src/a.c', paths, names))
        assert len(found) == expected, f'{source}: {found}'
    for source, expected in (('int x(void);\n', 1), ('/* Threads: any. */\nint x(void);\n', 0)):
        assert len(list(faults(source, 'src/a.h', paths, names))) == expected, source
    wide = 'x' * WIDTH
    for source, expected in (
        ('a = 1\n' * MOST_LINES, 0),
        ('a = 1\n' * (MOST_LINES + 1), 1),
        (f'# {wide}\n', 1),
        (f'"""{wide}"""\n', 1),
        (f'def f():\n    """{wide}"""\n', 1),
        (f'a = "{wide}"\nb = f"{wide}{{a}}"\nc = """\n{wide}x\n"""\n', 0),
        (f'{wide}y = 1\n', 1),
    ):
        assert len(list(faults_of_python(source))) == expected, source
    function = 'static int find_it(int (*a)(int, int))\n{\n' + '    x();\n' * 16 + '}\n'
    for source, expected in (
        (function, 1),
        (f'/* Finds it. */\n{function}', 0),
        (f'// Finds it.\n{function}', 0),
        (f'/* Finds it. */\n\n{function}', 1),
        (f'int b; /* Finds it. */\nint c;\n{function}', 1),
        (f'int b; /* Finds it. */\n{function}', 1),
        (function.replace('    x();\n', '', 1), 0),
        (function.replace('static ', ''), 0),
    ):
        assert len(list(faults_of_contracts(source))) == expected, source
    many = [f'src/a/{i}.c' for i in range(MOST_IN_FOLDER + 1)]
    assert full_folders(many) == [('src/a', MOST_IN_FOLDER + 1)] and not full_folders(many[1:])
    texts = {
        f'src/{i}.c': 'static int find_it(int a)\n{\n}\nstatic COLD bool run(int (*f)(int))\n{\n}\n'
        for i in range(3)
    }
    assert common_names(texts).keys() == {'find_it', 'run'}
    assert not common_names({'src/a.c': 'static int a_b(void);\nstatic int x = {1};\n'})
    found = list(faults_of_docs('`core/draw/draw.c`, [it](draw.c)\n`core/draw.c`\n', paths, names))
    assert found == [(2, 'there is no file core/draw.c')], found
    found = list(
        faults_of_quotes(
            '<!-- from tests/source_style.py -->\n```c\nint ' + 'gone;\n```\n',
            pathlib.Path(__file__).parent.parent,
        )
    )
    assert found == [(1, 'tests/source_style.py does not have this code')], found


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1])
    paths, names = known_paths(root)
    files = [path for top in DIRECTORIES for path in sorted((root / top).rglob('*.[ch]'))]
    count = 0
    for path in files:
        for line, text in faults(path.read_text(), path.relative_to(root).as_posix(), paths, names):
            count += 1
            print(f'{path.relative_to(root)}:{line}: {text}')
        if path.relative_to(root).as_posix().startswith(NAMED_TOGETHER[0]):
            for line, text in faults_of_contracts(path.read_text()):
                count += 1
                print(f'{path.relative_to(root)}:{line}: {text}')
    python = [
        path for top in (*DIRECTORIES, 'registry') for path in sorted((root / top).rglob('*.py'))
    ]
    for path in python:
        for line, text in faults_of_python(path.read_text()):
            count += 1
            print(f'{path.relative_to(root)}:{line}: {text}')
    docs = [
        *(root / name for name in ('README.md', 'CONTRIBUTING.md', 'SECURITY.md')),
        *sorted((root / 'docs').rglob('*.md')),
    ]
    for path in docs:
        for line, text in [
            *faults_of_docs(path.read_text(), paths, names),
            *faults_of_quotes(path.read_text(), root),
        ]:
            count += 1
            print(f'{path.relative_to(root)}:{line}: {text}')
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in files}
    for group in NAMED_TOGETHER:
        of_group = {name: text for name, text in texts.items() if name.startswith(group)}
        for name, why in sorted(common_names(of_group).items()):
            count += 1
            print(f'static function {name}() {why}: say of which object it is')
    sources = [path.relative_to(root).as_posix() for path in files]
    for folder, n in full_folders(x for x in sources if x.startswith(('src/', 'tools/'))):
        count += 1
        print(f'{folder}: {n} files, {MOST_IN_FOLDER} are the limit')
    print(f'{len(files) + len(python) + len(docs)} files, {count} faults')
    if len(files) < 500:
        sys.exit('these are not all files')
    sys.exit(1 if count else 0)


if __name__ == '__main__':
    main()
