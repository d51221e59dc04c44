"""`assay init` and `assay doctor`. run.py runs its checks."""

import os
import pathlib
import re
import shutil
import tomllib

from harness import TOP, assay, expect, options, program


def check_init(directory):
    """The file has every setting, explained; it changes nothing as it is; with everything switched
    on the layer understands it."""
    text, _ = assay(directory, 'init')
    expect(text.startswith('vk_layer_settings.txt is written'), text)
    path = directory / 'vk_layer_settings.txt'
    written = path.read_text()
    names = re.findall(r'^#assay\.(\w+) =', written, re.M)
    table = tomllib.loads((TOP / 'registry/settings.toml').read_text())
    expect(
        sorted(names)
        == sorted(setting['name'] for setting in table['setting'] if not setting.get('deprecated')),
        names,
    )
    headings = re.findall(r'^# --- (.*) ---$', written, re.M)
    groups = [group['label'] for group in table['group'] if 'under' not in group]
    expect(
        headings == [label for label in groups if label in headings] + ['Others'],
        f'the groups and their order: {headings}',
    )
    expect(
        written.index('#assay.validate_sync')
        < written.index('#assay.syncval_full_validation')
        < written.index('# --- What is reported'),
        written,
    )
    expect(
        '\n# Synchronization. Do two accesses to the same memory race?' in written
        and '\n#assay.validate_sync = false\n' in written,
        written,
    )
    expect(
        '#   VK_DBG_LAYER_ACTION_LOG_MSG: Write it to the log' in written
        and '#   a number from 1 to 4294967295\n' in written,
        written,
    )
    expect(
        all(line.startswith('#') or not line for line in written.splitlines()),
        'nothing is switched on',
    )
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect('1 finding, 1 error' in said, said)
    path.write_text(re.sub(r'^#assay\.', 'assay.', written, flags=re.M))
    _, said = assay(directory, *program('start', 'empty', 'end'))
    expect(
        '1 finding, 1 error' in said and 'vk_layer_settings.txt:' not in said,
        f'the layer understands every line\n{said}',
    )
    _, said = assay(directory, 'init', status=1)
    expect(
        said == 'assay: vk_layer_settings.txt is there already; --force writes over it\n'
        and 'assay.validate_core' in path.read_text(),
        said,
    )
    assay(directory, 'init', '--force')
    expect(path.read_text() == written, '--force writes over it')
    expect(assay(directory, 'init', '-')[0] == written, 'standard output')
    assay(directory, 'init', 'other.txt')
    expect((directory / 'other.txt').read_text() == written, 'a file of another name')


def broken_layer(directory, change):
    """A copy of the tool, with a layer beside it that `change` has spoilt."""
    place = directory / 'broken'
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    tool = shutil.copy(options.assay, place / 'assay')
    for name in ('VkLayer_assay.json', 'libVkLayer_assay.so', 'libVkLayer_assay_spirv.so'):
        os.symlink(pathlib.Path(options.layer_path).resolve() / name, place / name)
    change(place)
    return assay(directory, 'doctor', tool=tool, status=1)[0]


def replace(path, contents):
    path.unlink()
    path.write_bytes(contents)


def check_doctor(directory):
    """All is well here; and what is wrong is said in words, with what to do."""

    def ask(more, status=0):
        return assay(directory, 'doctor', environment=more, status=status)[0]

    text = ask({})
    for line in (
        'ok       layer        VK_LAYER_ASSAY_validation, by ',
        'ok       library      ',
        'ok       shaders      ',
        'ok       settings     no vk_layer_settings.txt is in force',
        'ok       loader       ',
        'ok       driver       llvmpipe',
        'ok       instance     a program that is started by assay run has the layer',
    ):
        expect(f'\n{line}' in '\n' + text, (line, text))
    expect('error' not in text and 'warning' not in text, text)
    text = ask(
        {
            'VK_LOADER_LAYERS_DISABLE': '~all~',
            'VK_LAYER_PATH': '/else/where',
            'VK_LOADER_DRIVERS_DISABLE': 'nothing*',
            'VK_ASSAY_THREAD_SAFETY': 'no idea',
        }
    )
    expect(
        'warning  environment  VK_LOADER_LAYERS_DISABLE=~all~ switches the layer off: unset it'
        in text,
        text,
    )
    expect(
        'warning  environment  VK_LAYER_PATH=/else/where: the loader looks for layers only there'
        in text,
        text,
    )
    expect(
        'warning  environment  VK_LOADER_DRIVERS_DISABLE=nothing*: drivers are left out' in text
        and 'VK_ASSAY_THREAD_SAFETY=no idea: a setting' in text,
        text,
    )
    expect(
        re.search(r'^warning  settings +environment: .*VK_ASSAY_THREAD_SAFETY', text, re.M)
        and 'ok       instance' in text,
        text,
    )
    text = ask({'VK_DRIVER_FILES': '/no/driver.json'}, status=1)
    expect(
        (
            'error    environment  VK_DRIVER_FILES names /no/driver.json, which cannot be '
            'read: No such file or directory; correct or unset it'
        )
        in text,
        text,
    )
    expect('error    driver       no Vulkan driver was found; install one' in text, text)
    expect(
        'error    settings     VK_LAYER_SETTINGS_PATH=/no/where: no settings file'
        in ask({'VK_LAYER_SETTINGS_PATH': '/no/where'}, status=1),
        'no settings file',
    )
    (directory / 'vk_layer_settings.txt').write_text(
        'assay.validate_sync = true\n# comment\nassay.validate_sink = true\n'
    )
    text = ask({})
    expect(
        (
            'ok       settings     vk_layer_settings.txt is in force (it is in this '
            "directory): it sets 2 of the layer's settings"
        )
        in text,
        text,
    )
    expect(
        'warning  settings     ' in text
        and 'vk_layer_settings.txt:3' in text
        and 'validate_sink' in text,
        text,
    )
    (directory / 'vk_layer_settings.txt').unlink()

    # Lines that do not do what somebody meant. Those of other layers are not judged.
    (directory / 'vk_layer_settings.txt').write_text(
        'validate_sync = true\nasay.validate_core = true\n '
        'assay.thread_safety\nassay.gpuav_enable =\n\n'
        '# a = comment\nlunarg_api_dump.file = true\nlunarg_monitor.validate_core = '
        'x\nassay.validate_core = true\n'
    )
    text = ask({})
    expect(
        (
            'vk_layer_settings.txt:1: validate_sync has no prefix and does nothing: write '
            'assay.validate_sync\n'
        )
        in text,
        text,
    )
    expect(
        'vk_layer_settings.txt:2: no layer reads "asay.": write assay.validate_core\n' in text, text
    )
    expect(
        (
            'vk_layer_settings.txt:3: "assay.thread_safety" is not "key = value": the line '
            'does nothing\n'
        )
        in text,
        text,
    )
    expect(
        (
            'vk_layer_settings.txt:4: assay.gpuav_enable is "", which is neither true nor '
            'false; it stays false'
        )
        in text,
        text,
    )
    expect(text.count('warning') == 4 and 'it sets 3 of' in text, text)
    (directory / 'vk_layer_settings.txt').unlink()

    # Directories without layers, and names of none.
    empty = directory / 'empty'
    empty.mkdir()
    text = ask(
        {
            'VK_ADD_LAYER_PATH': f'/not/there:{empty}:{options.layer_path}',
            'VK_INSTANCE_LAYERS': 'VK_LAYER_ASAY_validation:VK_LAYER_ASSAY_validation',
            'VK_LOADER_LAYERS_ENABLE': '*validation,VK_LAYER_of_somebody_else',
        }
    )
    expect(
        (
            'warning  environment  VK_ADD_LAYER_PATH names /not/there, which is not there: No '
            'such file or directory'
        )
        in text,
        text,
    )
    expect(
        (
            f"warning  environment  VK_ADD_LAYER_PATH names {empty}, which has no layer's "
            f'manifest (*.json) in it'
        )
        in text,
        text,
    )
    expect(
        (
            'warning  search       VK_INSTANCE_LAYERS names VK_LAYER_ASAY_validation, which '
            'the loader does not find; do you mean VK_LAYER_ASSAY_validation?\n'
        )
        in text,
        text,
    )
    expect(
        (
            'warning  search       VK_LOADER_LAYERS_ENABLE names VK_LAYER_of_somebody_else, '
            'which the loader does not find: correct it'
        )
        in text,
        text,
    )
    expect(text.count('warning') == 4, text)

    # The program.
    def look_at(name, status=0):
        return re.search(
            r'^.* program .*$', assay(directory, 'doctor', name, status=status)[0], re.M
        )[0]

    expect(
        look_at(options.program)
        == f'ok       program      {options.program} is a 64-bit x86-64 program',
        look_at(options.program),
    )
    expect('/true is a 64-bit x86-64 program' in look_at('true'), look_at('true'))
    expect(
        look_at('./nothing', 1) == 'error    program      ./nothing: there is no such program',
        'no program',
    )
    (directory / 'script').write_text('#!/bin/sh\n')
    expect(
        './script cannot be run: Permission denied' in look_at('./script', 1),
        'a script without its permission',
    )
    (directory / 'script').chmod(0o755)
    expect('./script is a script' in look_at('./script'), look_at('./script'))
    old = bytearray(pathlib.Path(options.program).read_bytes())
    old[4], old[18] = 1, 3  # ELFCLASS32, EM_386
    (directory / 'old').write_bytes(old)
    (directory / 'old').chmod(0o755)
    expect(
        (
            './old is a 32-bit x86 program, and the layer is for 64-bit x86-64: the loader '
            'passes over it; build the program for 64-bit x86-64'
        )
        in look_at('./old', 1),
        look_at('./old', 1),
    )
    (directory / 'owner').write_bytes(pathlib.Path(options.program).read_bytes())
    (directory / 'owner').chmod(0o4755)
    expect(
        (
            './owner runs with raised privileges (setuid): the loader takes no layers from the '
            'environment then'
        )
        in look_at('./owner'),
        look_at('./owner'),
    )
    for mode, name in ((0o4755, 'setuid'), (0o2755, 'setgid')):
        (directory / 'owner').chmod(mode)
        _, said = assay(directory, 'run', '--', './owner')
        expect(
            said.endswith(
                f'The program runs with raised privileges ({name}), and the loader takes '
                f'no layers from the environment then: run a copy of it without '
                'these rights (cp ./owner copy).\n'
            ),
            said,
        )

    layer = (pathlib.Path(options.layer_path) / 'libVkLayer_assay.so').read_bytes()
    text = broken_layer(
        directory, lambda place: replace(place / 'libVkLayer_assay.so', layer[: len(layer) // 2])
    )
    expect(
        re.search(
            (
                r'^error    library .* is cut short: it has \d+ bytes of at least \d+; build '
                r'or install the layer again$'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(directory, lambda place: (place / 'VkLayer_assay.json').unlink())
    expect(
        text.startswith('error    layer        not found: VkLayer_assay.json is neither in '), text
    )
    text = broken_layer(directory, lambda place: (place / 'libVkLayer_assay.so').unlink())
    expect(
        re.search(
            (
                r'^error    library +\S*broken/\S*libVkLayer_assay\.so: No such file or '
                r'directory; build or install'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(
        directory,
        lambda place: replace(
            place / 'libVkLayer_assay.so', layer[:18] + b'\xb7\0' + layer[20:4096]
        ),
    )
    expect(
        re.search(
            (
                r'^error    library .* is for 64-bit AArch64, this machine\'s programs are '
                r'64-bit x86-64: the loader passes over it'
            ),
            text,
            re.M,
        ),
        text,
    )
    text = broken_layer(directory, lambda place: replace(place / 'libVkLayer_assay.so', b'nothing'))
    expect('is not a library (no ELF file)' in text, text)
    text = broken_layer(
        directory,
        lambda place: replace(
            place / 'libVkLayer_assay.so', layer.replace(b'libc.so.6\0', b'libq.so.6\0')
        ),
    )
    expect(
        re.search(
            (
                r'^error    library .* cannot be loaded: libq\.so\.6: cannot open shared '
                r'object file.*; install what is missing$'
            ),
            text,
            re.M,
        ),
        text,
    )
    expect(re.search(r'^error    instance ', text, re.M), text)
    text = broken_layer(
        directory, lambda place: replace(place / 'VkLayer_assay.json', b'{"layer": {}}')
    )
    expect('names no library ("library_path"): it is damaged' in text, text)
