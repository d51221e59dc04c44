#!/usr/bin/env python3
"""The legal pairs of pipeline stage and access as vk.xml lists them, as a C array: what
unit-sync_scope compares the layer's tables with. Reads the XML by itself, so that a mistake in the
layer's generator does not repeat itself here.

usage: sync_legal_pairs.py VK_XML OUTPUT
"""

import sys
from xml.etree import ElementTree


def main():
    sync = ElementTree.parse(sys.argv[1]).getroot().find('sync')
    no_stages = {
        f'VK_PIPELINE_STAGE_2_{n}'
        for n in ('NONE', 'TOP_OF_PIPE_BIT', 'BOTTOM_OF_PIPE_BIT', 'ALL_COMMANDS_BIT')
    }
    basic = [
        s.get('name')
        for s in sync.findall('syncstage')
        if s.find('syncequivalent') is None and s.get('name') not in no_stages
    ]
    lines = []
    for access in sync.findall('syncaccess'):
        support = access.find('syncsupport')
        if support is None or access.find('syncequivalent') is not None:
            continue
        listed = support.get('stage').split(',')
        lines += [f'    {{{s}, {access.get("name")}}},' for s in basic if s in listed]
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write('/* Generated from vk.xml by tests/unit/sync_legal_pairs.py. Do not edit. */\n')
        f.write(f'#define BASIC_STAGES_IN_XML {len(basic)}\n')
        f.write('static const struct legal_pair legal_pairs[] = {\n' + '\n'.join(lines) + '\n};\n')


if __name__ == '__main__':
    main()
