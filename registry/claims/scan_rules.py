#!/usr/bin/env python3
"""Finds the numbered statements that the sources ask for: where, and by which commands.

  scan_rules.py --root DIR --numbers FILE --asked FILE --depfile FILE

`--asked` gets one JSON object: `sites`, a list of Site, and `names`, what the sources mention of
the prefixes in NAMES. `--numbers` gets the numbers that src/core asks for, one a line, sorted. Both
are left alone when nothing has changed.

A source asks for a statement by `VUID_VkBufferCreateInfo_size_00912`, which names the structure or
command, or by `RULE_00912`, usually in `RULE(call, 00912)`: then the id is that of the command
which is called. So the commands matter, and they follow from the hooks. This file reads C as far as
that takes. It expands the macros of the sources, and finds functions and tables, and what each of
them mentions. A command reaches all that its hooks mention, and what that mentions, and so on. A
function that is mentioned may be called; a condition that keeps a command from a call is not seen.
Nothing here depends on the names of macros. No registry is read, so that this takes half a second
when a source changes."""

import argparse
import collections
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model.write_if_changed import write_if_changed
from rooms.scan_hooks import HOOK

NOISE = re.compile(r'/\*[\s\S]*?\*/|//[^\n]*|"(?:[^"\\\n]|\\[\s\S])*"|\'(?:[^\'\\\n]|\\.)*\'|\\\n')
CONTINUED = '\1'  # stands for a backslash at the end of a line
TOKEN = re.compile(r'\n|[A-Za-z_]\w*|\d\w*|->|##|[(){};,=\[\].#]')
DIRECTIVE = re.compile(r'^[ \t]*#([^\n]*)', re.MULTILINE)
DEFINE = re.compile(r'[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?(.*)', re.DOTALL)
UNDEF = re.compile(r'[ \t]*undef[ \t]+(\w+)')
ASKED = re.compile(r'(?:RULE|VUID_\w+)_\d{5}$')
# Functions that make an id of a rule and of a command: the first argument says whose.
CHOOSE = ('rule_vuid', 'rule_vuid_of_destination', 'side_vuid')
# A first argument that is the call that is looked at, which all sources name `call`. Another one is
# of something that was recorded before, and is looked at now.
OF_THE_CALL = re.compile(r'.*call\)*->command$|\(*call\)*$|command$')
# Its findings are of commands that ran; what reaches them are the calls that read the results.
LATER_ROOMS = ('gpu',)
NAMES = ('MASK_',)
# Generated headers whose macros the sources use.
GENERATED_HEADERS = ('registry/rooms/report/rules.h.mako',)


class Site:
    """A place in the sources that asks for a statement.

    where     path:line
    function  what it stands in: a function or table
    asked     `RULE_00912` or `VUID_..._00912`
    commands  whose hooks reach it, sorted; [] where only generated code does
    later     a room: the id is of a recorded command, any that the room has a hook for; None where
              it is of the call
    reached   whether hooks or generated code reach it"""

    FIELDS = ('where', 'function', 'asked', 'commands', 'later', 'reached')

    def __init__(self, *values):
        for name, value in zip(self.FIELDS, values, strict=True):
            setattr(self, name, value)


def read(path):
    """([Site], room -> commands that it has hooks for, names) of what --asked wrote."""
    with open(path, encoding='utf-8') as f:
        data = json.load(f)
    sites = [Site(*values[:3], data['sets'][values[3]], *values[4:]) for values in data['sites']]
    hooked = {room: set(commands) for room, commands in data['hooked'].items()}
    return sites, hooked, set(data['names'])


# --- macros ---------------------------------------------------------------------------------------
# ------------------


def without_noise(text):
    """The text without comments and strings; every line stays where it is."""
    return NOISE.sub(
        lambda g: CONTINUED if g[0] == '\\\n' else '\n' * g[0].count('\n') or ' ', text
    )


def definition(directive):
    """(name, (parameters or None, tokens)) of a #define, else None."""
    found = DEFINE.match(directive)
    if not found:
        return None
    name, parameters, body = found.groups()
    if parameters is not None:
        parameters = [p for p in (p.strip(CONTINUED + ' \t') for p in parameters.split(',')) if p]
    return name, (parameters, TOKEN.findall(body.replace(CONTINUED, ' ')))


def is_expanded(name, macros, seen=()):
    """Can what the macro becomes ask for a statement, or mention a function that its arguments do
    not? Others stay as they are."""
    body = macros[name][1]
    for i, token in enumerate(body):
        if token == '##' or token in CHOOSE or token.startswith(('RULE_', 'VUID_')):
            return True
        if token in macros:
            if token != name and token not in seen and is_expanded(token, macros, (*seen, name)):
                return True
        elif token[0].isalpha() and body[i + 1 : i + 2] == ['(']:
            return True
    return False


def arguments(tokens, start):
    """([tokens of an argument], index after the closing parenthesis, newlines in between) of a
    macro's use; `start` is the index after `(`."""
    found, depth, newlines, i = [[]], 1, 0, start
    while i < len(tokens):
        token = tokens[i]
        if token in ('(', '[', '{'):
            depth += 1
        elif token in (')', ']', '}'):
            depth -= 1
            if not depth:
                break
        if token == ',' and depth == 1:
            found.append([])
        elif token == '\n':
            newlines += 1
        else:
            found[-1].append(token)
        i += 1
    return found, i + 1, newlines


def substitute(body, raw, expanded):
    """The body of a macro with its arguments: as they are beside `##`, expanded elsewhere."""
    out, i = [], 0
    while i < len(body):
        token = body[i]
        if token == '##':
            right = list(raw.get(body[i + 1], [body[i + 1]])) if i + 1 < len(body) else []
            if out and right and re.match(r'\w', out[-1]) and re.match(r'\w', right[0]):
                out[-1] += right.pop(0)
            out += right
            i += 2
        elif token == '#':
            i += 2
        else:
            out += (raw if body[i + 1 : i + 2] == ['##'] else expanded).get(token, [token])
            i += 1
    return out


def expand(tokens, macros, hidden=frozenset()):
    out, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        i += 1
        if token not in macros or token in hidden or (out and out[-1] in ('.', '->')):
            out.append(token)
            continue
        parameters, body = macros[token]
        if parameters is None:
            out += expand(substitute(body, {}, {}), macros, hidden | {token})
            continue
        start = i
        while start < len(tokens) and tokens[start] == '\n':
            start += 1
        if tokens[start : start + 1] != ['(']:
            out.append(token)
            continue
        given, end, newlines = arguments(tokens, start + 1)
        raw = {}
        for k, parameter in enumerate(parameters):
            if parameter == '...':
                raw['__VA_ARGS__'] = [x for one in given[k:] for x in [*one, ',']][:-1]
            else:
                raw[parameter] = given[k] if k < len(given) else []
        expanded = {name: expand(value, macros, hidden) for name, value in raw.items()}
        out += expand(substitute(body, raw, expanded), macros, hidden | {token})
        out += ['\n'] * (newlines + start - i)
        i = end
    return out


def expanded_tokens(text, shared):
    """The tokens of a file, newlines among them. `shared`: the macros of all headers."""
    text = without_noise(text)
    macros = {name: m for name, m in shared.items() if is_expanded(name, shared)}
    known, tokens, position = dict(shared), [], 0
    for directive in DIRECTIVE.finditer(text):
        tokens += expand(TOKEN.findall(text[position : directive.start()]), macros)
        tokens += ['\n'] * directive[1].count(CONTINUED)
        position = directive.end()
        found, gone = definition(directive[1]), UNDEF.match(directive[1])
        if found:
            known[found[0]] = found[1]
            macros.pop(found[0], None)
            if is_expanded(found[0], known):
                macros[found[0]] = found[1]
        elif gone:
            macros.pop(gone[1], None)
    return tokens + expand(TOKEN.findall(text[position:]), macros)


def header_macros(texts):
    macros = {}
    for text in texts:
        for directive in DIRECTIVE.finditer(without_noise(text)):
            found = definition(directive[1])
            if found:
                macros[found[0]] = found[1]
    return macros


# --- functions and tables
# -------------------------------------------------------------------------------------------


class Node:
    """A function or a table of a file.

    mentions  the names in it, but those of members
    asks      [(RULE_... or VUID_..., line)]
    chooses   the first arguments of CHOOSE in it"""

    def __init__(self, name, path, own):
        self.name, self.path, self.own = name, path, own
        self.mentions, self.asks, self.chooses = set(), [], []
        self.edges, self.commands = [], set()


def _without_attributes(tokens):
    out, depth = [], None
    for token in tokens:
        if token == '__attribute__':
            depth = 0
        elif depth is None:
            out.append(token)
        elif token in '()':
            depth += 1 if token == '(' else -1
            if not depth:
                depth = None
    return out


def _variable(tokens):
    """The name that `tokens` declare: the last one outside brackets."""
    depth, name = 0, '?'
    for token in tokens:
        depth += (token == '[') - (token == ']')
        if not depth and re.match(r'[A-Za-z_]', token):
            name = token
    return name


class Unreadable(Exception):
    pass


def nodes_of(path, text, shared):
    """The Nodes of a file, in its order."""
    tokens = expanded_tokens(text, shared)
    nodes, node, declaration = [], None, []
    line, parentheses, depth, skipped, function, before = 1, 0, 0, 0, False, ''
    for i, token in enumerate(tokens):
        if token == '\n':
            line += 1
        elif skipped:  # the members of a structure or enumeration
            skipped += (token == '{') - (token == '}')
        elif node is None:
            if token == ';' and not parentheses:
                declaration = []
            elif token in ('=', '{') and not parentheses:
                declared = _without_attributes(declaration)
                own = 'static' in declared and not path.endswith('.h')
                function = token == '{' and '(' in declared[1:]
                if function:
                    node, depth = Node(declared[declared.index('(', 1) - 1], path, own), 1
                elif token == '=':
                    node, depth = Node(_variable(declared), path, own), 0
                else:
                    skipped = 1
            else:
                parentheses += (token == '(') - (token == ')')
                declaration.append(token)
        elif token == '{':
            depth += 1
        elif token == '}':
            depth -= 1
            if not depth and function:
                nodes.append(node)
                node, declaration = None, []
        elif token == ';' and not depth:
            nodes.append(node)
            node, declaration = None, []
        elif (token[0].isalpha() or token[0] == '_') and before not in ('.', '->'):
            node.mentions.add(token)
            if ASKED.match(token):
                node.asks.append((token, line))
            elif token in CHOOSE and tokens[i + 1 : i + 2] == ['(']:
                node.chooses.append(''.join(arguments(tokens, i + 2)[0][0]))
        before = token
    if node or parentheses or depth or skipped:
        raise Unreadable(
            f'{path}: braces or parentheses do not match, as far as '
            'registry/claims/scan_rules.py can read it'
        )
    return nodes


def join(nodes):
    """Gives each Node its edges: the Nodes that it mentions, of its own file or not static."""
    everywhere, of_file = {}, collections.defaultdict(dict)
    for node in nodes:
        (of_file[node.path] if node.own else everywhere)[node.name] = node
    for node in nodes:
        own = of_file[node.path]
        found = (own.get(name) or everywhere.get(name) for name in node.mentions)
        node.edges = [x for x in found if x]


def reach(nodes):
    """All that some of the nodes lead to, themselves among them."""
    seen, waiting = set(nodes), list(nodes)
    while waiting:
        for other in waiting.pop().edges:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


# --- all together ---------------------------------------------------------------------------------
# ------------------


def is_later(node, first_argument):
    return node.path.split('/')[1] in LATER_ROOMS or not OF_THE_CALL.match(first_argument)


def generated_names(texts):
    """Says of a function whether generated code mentions it: words of templates may end in
    ${...}."""
    words = set()
    for text in texts:
        words.update(re.findall(r'\b([a-z]\w*)(\$\{|\{|\b)', text))
    whole = {word for word, _ in words}
    begun = sorted({word for word, more in words if more and word.endswith('_')})
    starts = re.compile('|'.join(begun)) if begun else None
    return lambda name: name in whole or bool(starts and starts.match(name))


def scan(sources, headers=(), templates=(), prefixes=NAMES):
    """The Sites of `sources`, {path: text}; commands that each room has hooks for; names that begin
    with one of `prefixes`. headers: more texts with macros; templates: texts of which generated
    code is made."""
    own_headers = [text for path, text in sources.items() if path.endswith('.h')]
    shared = header_macros(own_headers + list(headers))
    nodes = [node for path, text in sources.items() for node in nodes_of(path, text, shared)]
    join(nodes)
    hooked, hooks = collections.defaultdict(set), []
    for node in nodes:
        hook = HOOK.fullmatch(f'{"bool" if "_validate_" in node.name else "void"} {node.name}(')
        if hook and not node.own:
            hooks.append(node)
            hooked[hook[3]].add('vk' + hook[5])
            for other in reach([node]):
                other.commands.add('vk' + hook[5])
    is_generated = generated_names(templates)
    reached = reach(hooks + [node for node in nodes if not node.own and is_generated(node.name)])
    later = {node for node in nodes if any(is_later(node, x) for x in node.chooses)}
    told_later = later | {
        other for node in later for other in node.edges if other.asks and not other.chooses
    }
    sites = []
    for node in nodes:
        room = node.path.split('/')[1]
        by_call = node not in later or not all(is_later(node, x) for x in node.chooses)
        named = {x.replace('COMMAND_', 'vk') for x in node.chooses if x.startswith('COMMAND_')}
        for asked, line in node.asks:
            of_call = by_call or asked.startswith('VUID_')
            commands = sorted((node.commands if of_call else set()) | named)
            sites.append(
                Site(
                    f'{node.path}:{line}',
                    node.name,
                    asked,
                    commands,
                    room if node in told_later and not named else None,
                    node in reached,
                )
            )
    names = {name for node in nodes for name in node.mentions if name.startswith(prefixes)}
    return sites, hooked, names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--root', required=True, help='of the checkout')
    parser.add_argument('--numbers', required=True)
    parser.add_argument('--asked', required=True)
    parser.add_argument('--depfile', required=True)
    args = parser.parse_args()

    def files(pattern):
        found = {}
        for path in sorted(glob.glob(os.path.join(args.root, pattern), recursive=True)):
            with open(path, encoding='utf-8') as f:
                found[os.path.relpath(path, args.root)] = f.read()
        return found

    sources = files('src/**/*.[ch]')
    templates = files('registry/rooms/**/*.mako')
    makers = files('registry/**/*.py') | files('registry/*/**/*.toml')
    try:
        sites, hooked, names = scan(
            sources,
            [templates[h] for h in GENERATED_HEADERS],
            [*templates.values(), *makers.values()],
        )
    except Unreadable as error:
        sys.exit(str(error))
    numbers = {s.asked[-5:] for s in sites if s.where.startswith('src/core/')}
    write_if_changed(args.numbers, ''.join(f'{number}\n' for number in sorted(numbers)))
    sets = {}
    lines = [
        json.dumps(
            [
                s.where,
                s.function,
                s.asked,
                sets.setdefault(tuple(s.commands), len(sets)),
                s.later,
                s.reached,
            ]
        )
        for s in sites
    ]
    rest = {
        'sets': list(sets),
        'names': sorted(names),
        'hooked': {room: sorted(commands) for room, commands in sorted(hooked.items())},
    }
    write_if_changed(
        args.asked, '{"sites": [\n' + ',\n'.join(lines) + '],\n' + json.dumps(rest)[1:] + '\n'
    )
    # Meson's files name new templates, which new Python files are for. The folders of those change
    # by themselves: Python keeps what it has compiled there.
    lists = files('src/**/meson.build')
    paths = [os.path.join(args.root, path) for path in [*sources, *templates, *makers, *lists]]
    with open(args.depfile, 'w', encoding='utf-8') as f:
        folders = {os.path.dirname(os.path.join(args.root, path)) for path in sources}
        needed = sorted(folders) + paths
        f.write(f'{args.numbers} {args.asked}: {" ".join(needed)}\n')


if __name__ == '__main__':
    main()
