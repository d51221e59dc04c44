"""Puts the page of the HTML report into C: report.html with the style and the scripts in it, cut
where the data goes.

usage: embed.py report.html report.css SCRIPT.js... OUTPUT.c
"""

import sys
from pathlib import Path


def array(name: str, text: str) -> str:
    data = text.encode()
    rows = [', '.join(str(byte) for byte in data[at : at + 24]) for at in range(0, len(data), 24)]
    return 'const unsigned char %s[] = {\n    %s};\nconst size_t %s_size = sizeof(%s);\n' % (
        name,
        ',\n    '.join(rows),
        name,
        name,
    )


def main() -> None:
    page, style, *scripts = (Path(name).read_text(encoding='utf-8') for name in sys.argv[1:-1])
    for text in scripts:
        assert '</script' not in text, 'it would end the script'
    head, tail = page.split('<!-- data -->')
    head = head.replace('/* style */', style)
    tail = tail.replace('/* script */', ''.join(scripts))
    Path(sys.argv[-1]).write_text(
        '/* Made by html/embed.py. */\n#include "assay/report/report_page.h"\n\n'
        + array('report_page_head', head)
        + array('report_page_tail', tail),
        encoding='utf-8',
    )


if __name__ == '__main__':
    main()
