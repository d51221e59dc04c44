"""docs/real-programs.md, as real_programs.py writes it."""

import collections
import re

from real_programs_list import RIGHTLY_ALONE, RIGHTLY_SILENT
from real_programs_run import IN_TABLE, OF_PRACTICES


def instance_words(row):
    """How the program makes its instances, in words."""
    versions, words = [], set()
    for line in row.counted.instances:
        fields = dict(word.split('=', 1) for word in line.split(' '))
        versions.append(fields['api'])
        asked = [x for x in fields['layers'].split(',') if x and 'call_counter' not in x]
        words |= {f'asks for {layer}' for layer in asked}
        words |= {'messenger at instance creation'} if fields['messenger'] == '1' else set()
        words |= {'libvulkan in the global scope'} if fields['global'] == '1' else set()
    for command, word in (
        ('vkCreateDebugUtilsMessengerEXT', 'debug_utils messenger'),
        ('vkCreateDebugReportCallbackEXT', 'debug_report callback'),
    ):
        if row.counted.calls[command]:
            words.add(word)
    return ', '.join(['apiVersion ' + ' / '.join(dict.fromkeys(versions)), *sorted(words)])


def findings_cell(run):
    return (
        'none'
        if not run.findings
        else ', '.join(f'{len(run.findings)} ids, {sum(run.findings.values())} times'.split(', '))
    )


WAYS = {
    'assay': 'with ids',
    'assay-driver-handles': "with the driver's own handles",
    'assay-drop-in': 'under the name of the Khronos layer',
    'assay-sync': 'with hazards looked for',
    'assay-over-khronos': 'over the Khronos layer (which then sees what Assay makes of the calls)',
    'assay-under-khronos': 'under the Khronos layer',
}


def ways(rows):
    """In which all programs ran, in words."""
    return ', '.join(words for c, words in WAYS.items() if all(c in row.runs for row in rows))


def table(rows, configurations):
    """docs/real-programs.md."""
    configurations = [
        c for c in IN_TABLE if c in configurations or all(c in row.runs for row in rows)
    ]
    titles = {
        'none': 'no layer',
        'assay': 'Assay',
        'khronos-same': 'Khronos, same checks',
        'khronos': 'Khronos, as it comes',
    }
    lines = [
        '# Real programs',
        '',
        (
            'Made by `./dev real-programs --out docs/real-programs.md` '
            '(tests/real_programs.py), on lavapipe. Each program runs to its'
        ),
        (
            'normal end without a layer, with Assay as it comes, with the Khronos layer doing '
            'the same checks, and with the Khronos layer'
        ),
        (
            'as it comes plus its thread checks. "Same" means: the same exit status, and the '
            'same output where that does not change from run'
        ),
        (
            f'to run; for Assay in all of these ways: {ways(rows)}. A finding counts once for '
            f'each time it was'
        ),
        (
            'reported. The script fails where a program does not run as without a layer, where '
            'the Khronos layer reports something that Assay does'
        ),
        (
            'not, and where only Assay does, unless the script knows the sentence of the '
            'specification that decides; it then stands below. Advice'
        ),
        'of the Khronos layer that names no statement of the specification is left out.',
        '',
        (
            '| program | Vulkan calls | same with Assay | same with Khronos | findings Assay | '
            'findings Khronos |'
        ),
        '|---|--:|---|---|---|---|',
    ]
    for row in rows:

        def found(c):
            return '-' if c not in row.runs else findings_cell(row.runs[c])

        lines.append(
            f'| {row.program.name}: {row.program.what} | '
            f'{sum(row.counted.calls.values()):,} | {row.same("assay")} | '
            f'{row.same("khronos")} | {found("assay")} | {found("khronos")} |'
        )
    lines += [
        '',
        '## Time',
        '',
        (
            "Seconds of the wall clock, and of CPU: of all threads, the software driver's "
            'included, which is most of it. The'
        ),
        (
            'machine had other work as well, which the wall clock shows more than the CPU time '
            'does. `./dev bench` says what a call costs.'
        ),
        '',
        '| program | ' + ' | '.join(titles[c] for c in configurations) + ' |',
        '|---|' + '--:|' * len(configurations),
    ]
    for row in rows:
        times = (
            f'{row.runs[c].seconds:.2f} ({row.runs[c].cpu_seconds:.2f})' if c in row.runs else '-'
            for c in configurations
        )
        lines.append(f'| {row.program.name} | ' + ' | '.join(times) + ' |')
    lines += ['', '## Findings', '']
    for row in rows:
        ours = row.runs['assay'].findings if 'assay' in row.runs else {}
        theirs = row.runs['khronos'].findings if 'khronos' in row.runs else {}
        for vuid in sorted({*ours, *theirs}):
            by = ' and '.join(
                name
                for name, found in (('Assay', ours), ('the Khronos layer', theirs))
                if vuid in found
            )
            why = (
                RIGHTLY_ALONE.get((row.program.name, vuid))
                if vuid in ours and vuid not in theirs
                else None
            )
            why = (
                RIGHTLY_SILENT.get((row.program.name, vuid))
                if vuid in theirs and vuid not in ours
                else why
            )
            lines.append(
                f'- {row.program.name}: `{vuid}`, by {by}'
                + (f'. {why[0].upper()}{why[1:]}.' if why else '')
            )
    if lines[-1] == '':
        lines.append('None, by either.')
    lines += ['', '## How these programs use Vulkan', '', '| program | instance |', '|---|---|']
    lines += [f'| {row.program.name} | {instance_words(row)} |' for row in rows]
    return '\n'.join(lines) + '\n'


GPU_SECTION = re.compile(r'## With GPU-assisted validation\n.*?(?=^## |\Z)', re.S | re.M)
PRACTICES_SECTION = re.compile(r'## With practices on\n.*?(?=^## |\Z)', re.S | re.M)
TRIED_SECTION = re.compile(
    r'## Programs tried later\n.*?(?=^## |\Z)', re.S | re.M
)  # written by hand
SUITES_SECTION = re.compile(
    r'## Whole suites\n.*?(?=^## |\Z)', re.S | re.M
)  # tests/suites.py writes it


def gpu_section(rows):
    """Makes a section of docs/real-programs.md: what becomes of programs whose shaders are
    checked."""
    lines = [
        '## With GPU-assisted validation',
        '',
        (
            'The same programs with `gpuav_enable`, made by `./dev real-programs '
            '--configurations assay-gpu assay-gpu-validated khronos-gpu --out '
            'docs/real-programs.md`. "Compared": what of the result comes'
        ),
        (
            'from the GPU and must be the same as without a layer, beside the exit status. '
            '"Shaders": how many were given checks, and in how many places; each went through '
            "SPIRV-Tools' validator afterwards, in a"
        ),
        (
            'run of its own with `printf_enable` as well (a finding if it is not valid any '
            'more). "Same", "findings": in both runs. Times as below: wall clock, and CPU, of '
            'which compiling the shaders is most; the machine had'
        ),
        'much other work.',
        '',
        (
            '| program | compared | shaders (places) | same | findings | no layer | Assay | '
            'Khronos | same with Khronos |'
        ),
        '|---|---|--:|---|---|--:|--:|--:|---|',
    ]
    for row in rows:
        ours, validated = row.runs['assay-gpu'], row.runs.get('assay-gpu-validated')
        found = ours.findings + validated.findings if validated else ours.findings
        places = (
            f'{len(validated.instrumented)} ({sum(validated.instrumented)})' if validated else '-'
        )
        differences = [
            row.differences[c]
            for c in ('assay-gpu', 'assay-gpu-validated')
            if row.differences.get(c)
        ]
        times = [
            f'{row.runs[c].seconds:.1f} ({row.runs[c].cpu_seconds:.1f})' if c in row.runs else '-'
            for c in ('none', 'assay-gpu', 'khronos-gpu')
        ]
        lines.append(
            f'| {row.program.name} | {row.program.compared or "-"} | {places} | '
            f'{"; ".join(differences) or "yes"} | '
            f'{", ".join(f"`{vuid}`" for vuid in sorted(found)) or "none"} | '
            f'{" | ".join(times)} | {row.differences.get("khronos-gpu", "-") or "yes"} |'
        )
    lines.append('')
    for row in rows:
        alone = set(row.runs['assay-gpu'].findings) - set(
            row.runs['khronos-gpu'].findings if 'khronos-gpu' in row.runs else ()
        )
        reasons = {vuid: RIGHTLY_ALONE.get((row.program.name, vuid)) for vuid in sorted(alone)}
        lines += [f'- {row.program.name}: `{vuid}`: {why}.' for vuid, why in reasons.items() if why]
    return '\n'.join(lines) + '\n\n'


# The authors of these programs would have called these noise, or untrue of their program: the
# finding, the programs that it was said of, and what became of it.
JUDGED = [
    (
        '`WARNING-legacy-gpdp2` and the other superseded commands',
        'all programs, up to 8 times for one command',
        (
            "said once for a command, wherever it is called; queries of Mesa's own layer "
            '(device_select), and the extension that it adds to instances, are not the '
            "program's"
        ),
    ),
    (
        '`WARNING-legacy-extension-version`, `-new`',
        'GTK 6, Godot 10, ggml 5 extensions, of which the first one was named',
        'one piece of advice names all of them',
    ),
    (
        '`NVIDIA-CreateDevice-PageableDeviceLocalMemory`',
        'every program, though it had a few MiB',
        "said when the program has 1 GiB of the device's memory",
    ),
    (
        '`specialuse-extension`',
        'zink and vkd3d, which are the emulators that the extensions are for',
        'not said where there are three of them for emulation; one piece of advice names all',
    ),
    (
        '`vkCreateDevice-RobustBufferAccess`',
        'ggml, which has pipelineRobustness and turns checks off by pipeline',
        'not said with pipelineRobustness',
    ),
    (
        '`vkCreatePipelines-multiple-pipelines-caches`, `vkCreateComputePipelines-multiple-cache`',
        'zink, libplacebo, Chromium: a cache for each program of shaders, as it is kept on disk',
        'left out ([limits/practices.md](limits/practices.md#best-practices))',
    ),
    (
        '`vkCreateGraphicsPipelines-multiple-pipelines-no-cache`',
        'DDNet: eight places, all for the want of one cache',
        'said once for a device',
    ),
    (
        '`ImageMemoryBarrier-TransitionUndefinedToReadOnly`',
        (
            'SDL 306 times, Godot: new images are brought to the layout that they have at '
            'rest, and are written later'
        ),
        'said where the same command buffer has written what is discarded',
    ),
    (
        '`ClearValueWithoutLoadOpClear`',
        'SDL, Godot: values for every render pass, which loads what is there',
        (
            'not said of attachments that are loaded, nor of zeroes (of what Godot does not '
            'care for, it still is)'
        ),
    ),
    (
        '`ClearValueCountHigherThanAttachmentCount`',
        'vkgears, Godot: an array of a fixed size for every render pass',
        'left out',
    ),
    (
        (
            '`Arm-` and `NVIDIA-vkBeginCommandBuffer-one-time-submit`; `Arm-` and '
            '`IMG-vkCreateImage-too-large-sample-count`'
        ),
        'vkcube, vkgears, Qt: the same thing twice',
        'said once, under the first id',
    ),
    (
        '`AMD-CreatePipelinesLayout-KeepLayoutSmall`',
        (
            '13 programs, for push constants: a matrix alone is too much, and a buffer is in '
            'memory as well'
        ),
        'counts sets and dynamic buffers alone',
    ),
]


def advice_cell(run):
    """The ids of Assay's advice, and how often each came."""
    places, times = collections.Counter(), collections.Counter()
    for one in run.advice:
        places[one['vuid']] += 1
        times[one['vuid']] += one['times']

    def count(vuid):
        more = [f'{places[vuid]} places'] * (places[vuid] > 1) + [f'{times[vuid]:,} times'] * (
            times[vuid] > places[vuid]
        )
        return f' ({", ".join(more)})' if more else ''

    return (
        ', '.join(
            f'`{vuid.removeprefix("BestPractices-")}`{count(vuid)}' for vuid in sorted(places)
        )
        or 'none'
    )


def practices_section(rows):
    """Makes a section of docs/real-programs.md: what correct programs are advised to do."""
    lines = [
        '## With practices on',
        '',
        (
            'The same programs with all advice there is ([practices.md](practices.md)): '
            '`validate_best_practices`, that of all four vendors at once, and '
            '`legacy_detection`; Assay with `validate_sync` as well, as'
        ),
        (
            '`assay run --practices` has it. Made by `./dev real-programs --practices --out '
            'docs/real-programs.md`; with `--keep-output DIRECTORY` each piece of advice is '
            'there as JSON, to be read. A user asks for one'
        ),
        (
            'vendor or two. "Places": of the program, each of which gets a piece of advice '
            'once; "times": how often it came. The Khronos layer writes each of its messages '
            'up to ten times, as it comes. Ids are without `BestPractices-`.'
        ),
        '',
        '| program | Assay writes | Khronos writes | what Assay advises |',
        '|---|---|---|---|',
    ]
    for row in rows:

        def size(c, row=row):
            advice = row.runs[c].advice if c in row.runs else []
            ids = len({one['vuid'] for one in advice})
            return f'{len(advice)} ({ids} id{"s" * (ids != 1)})' + (
                f', then status {row.runs[c].status}'
                if c in row.runs and row.runs[c].status not in (0, row.runs['none'].status)
                else ''
            )

        lines.append(
            f'| {row.program.name} | {size("assay-practices")} | '
            f'{size("khronos-practices")} | {advice_cell(row.runs["assay-practices"])} |'
        )
    pieces = {
        c: sum(len(row.runs[c].advice) for row in rows if c in row.runs) for c in OF_PRACTICES
    }
    lines.append(f'| all | {pieces["assay-practices"]:,} | {pieces["khronos-practices"]:,} | |')
    lines += [
        '',
        (
            'Each distinct piece was read as the author of the program, with its calls at '
            'hand. What that changed:'
        ),
        '',
        '| advice | said of | now |',
        '|---|---|---|',
    ]
    lines += [f'| {advice} | {said} | {now} |' for advice, said, now in JUDGED]
    return '\n'.join(lines) + '\n\n'


def written(rows, configurations, before):
    """docs/real-programs.md, of which parts are left as they are that nothing ran for."""
    text = table(rows, configurations) if any('assay' in row.runs for row in rows) else before
    of_gpu = [row for row in rows if 'assay-gpu' in row.runs]
    of_practices = [row for row in rows if 'assay-practices' in row.runs]
    there, advised, suites = (
        GPU_SECTION.search(before),
        PRACTICES_SECTION.search(before),
        SUITES_SECTION.search(before),
    )
    section = gpu_section(of_gpu) if of_gpu else there[0] if there else ''
    section += practices_section(of_practices) if of_practices else advised[0] if advised else ''
    section += suites[0] if suites else ''
    tried = TRIED_SECTION.search(before)
    section += tried[0] if tried else ''
    for old in (GPU_SECTION, PRACTICES_SECTION, SUITES_SECTION, TRIED_SECTION):
        text = old.sub('', text)
    return text.replace('## Time\n', section + '## Time\n', 1)
