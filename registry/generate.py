#!/usr/bin/env python3
"""Renders Mako templates over the registry model: one call, any number of templates, one output
file each.

  generate.py --registry DIR --out DIR [--depfile FILE] TEMPLATE.mako...

`rooms/vk/commands.c.mako` becomes `commands.c` in the output directory; `entries.parts.c.mako`
becomes `entries.0.c`, `entries.1.c` ... with --parts, so that a large file compiles on all cores
(the template sees `part` and `parts`). A template sees the model as `m`, and whatever the Python
module beside it (rules.py, if there is one) offers as `rules`. A file whose content would not
change is left alone, so that a rebuild stops there. What an earlier run made from the same inputs
is taken from a cache (kept.py). What had to be left out of another registry than the one that was
read (changes.py) stands in `DEPFILE.notes`."""

import argparse
import importlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from model import kept as kept_outputs  # noqa: E402
from model.write_if_changed import write_if_changed  # noqa: E402


def render(template_path, lookup, context):
    from mako import exceptions

    name = os.path.relpath(template_path, os.path.join(HERE, 'rooms'))
    try:
        text = lookup.get_template(name).render(template=f'registry/rooms/{name}', **context)
    except Exception:
        sys.stderr.write(exceptions.text_error_template().render())
        sys.exit(f'generate.py: {name} failed')
    return text


def generate(args):
    """({output: text}, the files that they are made of, what was left out of another registry)."""
    # A run that takes its outputs from the cache does not wait for these.
    from mako.lookup import TemplateLookup

    from model import changes, hand_tables
    from model import registry as registry_model

    model = registry_model.load(args.registry, args.spirv)
    lookup = TemplateLookup(directories=[os.path.join(HERE, 'rooms')], strict_undefined=True)
    sources = set()
    outputs = {}
    for path in args.templates:
        path = os.path.abspath(path)
        room = os.path.basename(os.path.dirname(path))
        context = {
            'm': model,
            'snake': registry_model.snake,
            'defines': dict(d.split('=', 1) for d in args.define),
        }
        if os.path.exists(os.path.join(HERE, 'rooms', room, 'rules.py')):
            context['rules'] = importlib.import_module(f'rooms.{room}.rules')
        name = os.path.basename(path).removesuffix('.mako')
        parts = args.parts if '.parts.' in name else 1
        for part in range(parts):
            outputs[name.replace('.parts.', f'.{part}.')] = render(
                path, lookup, context | {'part': part, 'parts': parts}
            )
        sources.add(path)
    for module in list(sys.modules.values()):
        file = getattr(module, '__file__', None)
        if file and (file.startswith(HERE) or file.startswith(os.path.abspath(args.registry))):
            sources.add(file)
    sources.update(hand_tables.READ)
    sources.update(
        os.path.join(HERE, f)
        for f in (
            'message_ids.txt',
            'statements.txt',
            'read_as.txt',
            'practices.toml',
            'fixes.txt',
            'rows.txt',
            'draw_rows.txt',
            'spirv_rows.txt',
        )
    )
    sources.update(
        os.path.join(args.registry, f) for f in ('vk.xml', 'video.xml', 'validusage.json')
    )
    if args.spirv:
        sources.add(os.path.join(args.spirv, 'spirv.core.grammar.json'))
    sources.update(template.filename for template in lookup._collection.values())
    notes = changes.notes()
    # Nothing of the registry that was read may be left out.
    if notes and model.as_read:
        sys.exit('\n'.join(f'{place}: error: {text}' for place, text, _ in notes))
    return outputs, sources, notes


def tell_notes(notes, depfile):
    """Keeps what was left out of another registry for statements.py."""
    if notes:
        write_if_changed(f'{depfile}.notes', json.dumps(notes))
    elif os.path.exists(f'{depfile}.notes'):
        os.remove(f'{depfile}.notes')


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument(
        '--spirv', help='where spirv.core.grammar.json is; for the templates of SPIR-V'
    )
    parser.add_argument('--out', required=True)
    parser.add_argument('--depfile')
    parser.add_argument('--parts', type=int, default=1)
    parser.add_argument(
        '--define',
        action='append',
        default=[],
        metavar='NAME=VALUE',
        help='seen by templates as `defines`',
    )
    parser.add_argument('templates', nargs='+')
    args = parser.parse_args()

    kept = kept_outputs.Kept(args)
    made = kept.take()
    if not made:
        kept.watch()
        made = generate(args)
        unknown = kept.unknown()
        if unknown:
            sys.exit(
                f'generate.py: {" ".join(unknown)}: read here, and not in READ_BESIDES of '
                f'registry/model/kept.py'
            )
        kept.keep(*made)
    outputs, sources, notes = made
    for name, text in outputs.items():
        write_if_changed(os.path.join(args.out, name), text)
    if args.depfile:
        with open(args.depfile, 'w', encoding='utf-8') as f:
            for name in outputs:
                f.write(f'{os.path.join(args.out, name)}: {" ".join(sorted(sources))}\n')
        tell_notes(notes, args.depfile)


if __name__ == '__main__':
    main()
