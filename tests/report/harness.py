"""How the tool is run, and findings that are made for it: for report.py and the files of checks
beside it."""

import argparse
import json
import os
import subprocess
import sys

SKIP = 77
HANGS = 600  # seconds, after which a program is taken to hang
RACE = 'UNASSIGNED-Threading-MultipleThreads-Write'
options = argparse.Namespace()  # of report.py


def expect(condition, what):
    if not condition:
        raise SystemExit(f'not so: {what}')


def assay(*arguments, status=0, stdin=None, cwd=None):
    """(standard output, standard error)"""
    done = subprocess.run(
        [options.assay, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=HANGS,
    )
    expect(
        done.returncode == status,
        f'{arguments} ends with {status}, not with {done.returncode}\n{done.stderr.decode()}',
    )
    return done.stdout.decode(), done.stderr.decode()


def finding(
    vuid='VUID-VkBufferCreateInfo-size-00912',
    severity='error',
    offset=0x8F3A,
    module='./cube',
    symbol=None,
    objects=(),
    message=None,
    **more,
):
    caller = {'module': module, 'offset': hex(offset)}
    if symbol:
        caller |= {'symbol': symbol, 'symbolOffset': '0x2c'}
    return {
        'vuid': vuid,
        'number': 1,
        'severity': severity,
        'message': message or 'vkCreateBuffer(): pCreateInfo->size is 0',
        'command': 'vkCreateBuffer',
        'location': 'pCreateInfo->size',
        'objects': [{'type': t, 'handle': h, **({'name': n} if n else {})} for t, h, n in objects],
        'queueLabels': [],
        'commandBufferLabels': [],
        'caller': caller,
        'thread': 7,
        'spec': 'size must be greater than 0',
        'url': f'https://docs.vulkan.org/spec/latest/chapters/resources.html#{vuid}',
        **more,
    }


def frame(symbol, offset):
    return {'module': './cube', 'offset': hex(offset), 'symbol': symbol, 'symbolOffset': '0x2c'}


def write(path, findings, end='\n'):
    path.write_text('\n'.join(json.dumps(one, separators=(',', ':')) for one in findings) + end)
    return path


HAZARDS = {
    '': ('SYNC-HAZARD', 5),
    'pictures': ('SYNC-HAZARD', 4),
    'race': (RACE, 1),
}  # what the program makes is found so often


def hazards(directory, queues=1, does=''):
    """Returns the findings in the program of hazards.c; with two queues on the null driver, as the
    software driver has one."""
    if not options.hazards:
        sys.exit(SKIP)
    path = directory / (f'{does}.jsonl' if does else f'hazards-{queues}.jsonl')
    environment = {k: v for k, v in os.environ.items() if not k.startswith('VK_')}
    environment |= {
        'VK_INSTANCE_LAYERS': 'VK_LAYER_ASSAY_validation',
        'VK_ADD_LAYER_PATH': options.layer_path,
        'VK_DRIVER_FILES': options.driver,
        'VK_ASSAY_VALIDATE_SYNC': 'true',
        'VK_ASSAY_SHADER_ABORT': 'off',
        'VK_ASSAY_JSON_FILENAME': str(path),
        'ASAN_OPTIONS': 'detect_leaks=0:verify_asan_link_order=0',
    }
    if does:
        environment['VK_ASSAY_RECORD_STACKS'] = 'true'
    if queues > 1:
        driver = directory / 'driver.json'
        driver.write_text(
            json.dumps(
                {'queueFamilies': [{'flags': ['graphics', 'compute', 'transfer'], 'count': queues}]}
            )
        )
        environment |= {'ASSAY_NULL_DRIVER': str(driver), 'VK_DRIVER_FILES': options.null_driver}
    done = subprocess.run(
        [options.hazards, does], env=environment, capture_output=True, timeout=HANGS
    )
    expect(
        done.returncode == 0, f'the program ends well\n{done.stdout.decode()}{done.stderr.decode()}'
    )
    vuid, count = HAZARDS[does]
    expect(
        path.read_text().count(f'"vuid":"{vuid}') == count,
        f'it has its hazards\n{done.stdout.decode()}',
    )
    return path
