#!/usr/bin/env python3
"""Checks `./dev who`: the answers that a person who adds a check starts from.

usage: who_test.py WHO BUILD REGISTRY"""

import re
import subprocess
import sys

program, build, registry = sys.argv[1:]


def ask(*names):
    result = subprocess.run(
        [sys.executable, program, '--build', build, '--registry', registry, *names],
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout, result.stderr


def expect(condition, *what):
    if not condition:
        sys.exit('not so: ' + '\n'.join(map(str, what)))


status, out, _ = ask('VUID-vkCmdFillBuffer-dstOffset-00024')
expect(status == 0 and 'dstOffset must be less than the size of dstBuffer' in out, out)
row = re.search(r'row +registry/rows\.txt:(\d+)', out)
assert row and 'checked: a row' in out, out
with open(program.replace('claims/who.py', 'rows.txt'), encoding='utf-8') as f:
    expect(
        f.readlines()[int(row[1]) - 1].startswith('VUID-vkCmdFillBuffer-dstOffset-00024 '), row[0]
    )

status, out, _ = ask('24')
expect(status == 0 and out.count('VUID-') >= 1, out)

status, out, _ = ask('vkCmdFillBuffer', 'VkImageCreateInfo')
hook = re.search(r'validate +(src/core/\S+):(\d+)  core_validate_CmdFillBuffer', out)
assert status == 0 and hook, out
with open(program.replace('registry/claims/who.py', hook[1]), encoding='utf-8') as f:
    expect('core_validate_CmdFillBuffer' in f.readlines()[int(hook[2]) - 1], hook[0])
expect(re.search(r'visited +src/core/\S+:\d+  \w+', out), out)

status, out, err = ask('vkCmdFillBufer')
expect(status == 1 and 'is it vkCmdFillBuffer' in err and not out, out, err)
