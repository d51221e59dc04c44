#!/usr/bin/env python3
"""Makes the text that `assay init` writes: a settings file with every setting of
registry/settings.toml, explained and switched off, as a C string.

settings_text.py settings.toml OUTPUT.c"""

import pathlib
import sys
import textwrap
import tomllib

HEAD = """\
# Settings of the Vulkan validation layer Assay (VK_LAYER_ASSAY_validation).
#
# The layer reads this file where it is called vk_layer_settings.txt and stands in the directory that the program runs in,
# or where VK_LAYER_SETTINGS_PATH names it. Every setting is here with its default. To set one, take away the "#" at its
# start and change it. The environment wins over this file: VK_ASSAY_VALIDATE_SYNC=true is assay.validate_sync = true.
# The Khronos layer's spelling, khronos_validation.validate_sync, works too.
"""


def paragraph(text):
    return (
        '\n'.join(
            textwrap.wrap(
                text, 118, initial_indent='# ', subsequent_indent='# ', break_on_hyphens=False
            )
        )
        + '\n'
    )


def values(setting):
    prefix = setting.get('prefixes', [''])[0]
    for value, _, text in setting.get('values', []):
        yield paragraph(f'  {prefix}{value}: {text}')
    if 'range' in setting:
        yield paragraph('  a number from {} to {}'.format(*setting['range']))
    if setting['type'] == 'BOOL':
        yield '#   true or false\n'
    if setting['type'] == 'LIST' or setting['type'] == 'FLAGS':
        yield '#   several are separated by commas\n'


def heading(text):
    return f'\n\n# --- {text} ---\n'


def in_order(table, above=None):
    """Settings as a configurator shows them (registry/rooms/settings/rules.py): group by group,
    each below what it depends on. Yields groups, too."""
    groups = [group for group in table['group'] if group.get('under') == above]
    below = [s for s in table['setting'] if 'group' not in s and s.get('under') == above]
    for setting in below if above else []:
        yield setting
        yield from in_order(table, setting['name'])
    for group in groups:
        inside = [s for s in table['setting'] if s.get('group') == group['name']]
        if inside and not above:
            yield group
        for setting in inside:
            yield setting
            yield from in_order(table, setting['name'])
    if not above and below:
        yield {'label': 'Others'}
        for setting in below:
            yield setting
            yield from in_order(table, setting['name'])


def explain(setting, settings):
    if 'type' not in setting:
        return heading(setting['label'])
    text = (
        '\n' + paragraph(f'{setting["label"]}. {setting["description"]}') + ''.join(values(setting))
    )
    above = setting.get('under')
    if above:
        text += paragraph(
            f'  Only with {above}{" = true" if settings[above]["type"] == "BOOL" else ""}.'
        )
    default = setting['default']
    if default and setting['type'] == 'FLAGS':
        default = ','.join(setting.get('prefixes', [''])[0] + value for value in default.split(','))
    return text + f'#assay.{setting["name"]} = {default}'.rstrip() + '\n'


def main():
    with open(sys.argv[1], 'rb') as file:
        table = tomllib.load(file)
    settings = {setting['name']: setting for setting in table['setting']}
    ordered = list(in_order(table))
    if sorted(s['name'] for s in ordered if 'type' in s) != sorted(settings):
        raise SystemExit('registry/settings.toml: a setting stands in no group, or in two')
    text = HEAD + ''.join(
        explain(setting, settings) for setting in ordered if not setting.get('deprecated')
    )
    lines = ''.join(
        '    "' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"\n'
        for line in text.splitlines()
    )
    pathlib.Path(sys.argv[2]).write_text(
        '/* Made from registry/settings.toml by tools/assay/settings_text.py. */\n#include '
        '"assay/init.h"\n\n'
        f'const char settings_text[] =\n{lines}    ;\n'
    )


if __name__ == '__main__':
    main()
