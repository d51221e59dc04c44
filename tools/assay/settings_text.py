#!/usr/bin/env python3
"""What does `assay init` write? A settings file with every setting of registry/settings.toml, explained and switched off, as a C string.

  settings_text.py settings.toml OUTPUT.c"""
import pathlib
import sys
import textwrap
import tomllib

HEAD = """\
# Settings of the Vulkan validation layer Assay (VK_LAYER_ASSAY_validation).
#
# The layer reads this file where it is called vk_layer_settings.txt and stands in the directory that the program runs in,
# or where VK_LAYER_SETTINGS_PATH names it. Every setting is here with its default; take away the "#" in front of one
# and change it. The environment wins over this file: VK_ASSAY_VALIDATE_SYNC=true is assay.validate_sync = true.
# The Khronos layer's spelling, khronos_validation.validate_sync, works too.
"""


def paragraph(text):
    return '\n'.join(textwrap.wrap(text, 118, initial_indent='# ', subsequent_indent='# ', break_on_hyphens=False)) + '\n'


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


def explain(setting, settings):
    text = '\n' + paragraph(f"{setting['label']}. {setting['description']}") + ''.join(values(setting))
    above = setting.get('under')
    if above:
        text += paragraph(f"  Only with {above}{' = true' if settings[above]['type'] == 'BOOL' else ''}.")
    default = setting['default']
    if default and setting['type'] == 'FLAGS':
        default = ','.join(setting.get('prefixes', [''])[0] + value for value in default.split(','))
    return text + f"#assay.{setting['name']} = {default}".rstrip() + '\n'


def main():
    with open(sys.argv[1], 'rb') as file:
        table = tomllib.load(file)['setting']
    settings = {setting['name']: setting for setting in table}
    text = HEAD + ''.join(explain(setting, settings) for setting in table if not setting.get('deprecated'))
    lines = ''.join('    "' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"\n' for line in text.splitlines())
    pathlib.Path(sys.argv[2]).write_text('/* Made from registry/settings.toml by tools/assay/settings_text.py. */\n#include "init.h"\n\n'
                                         f'const char settings_text[] =\n{lines}    ;\n')


if __name__ == '__main__':
    main()
