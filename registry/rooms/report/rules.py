"""Templates of the report room need these: numbers of message ids; their texts, and the names of
the registry, in compressed frames."""

import functools
import os
import re

from compression import zstd

from claims import rule_numbers
from model import practices, value_tables
from model.places import REGISTRY
from model.string_pool import StringPool
from rooms.chassis import rules as rules_chassis
from rooms.report import fixes, structure_tables

# ids a frame: a finding opens one frame (1.4 MB at most); two thirds as many cost the library 41 KB
# more
FRAME_IDS = 3072
# the field's numbers are XXH32 of the id with this seed (found with the Khronos layer as a witness)
NUMBER_SEED = 8

_MASK = 0xFFFFFFFF
_P = (2654435761, 2246822519, 3266489917, 668265263, 374761393)


def _rotl(x, r):
    return ((x << r) | (x >> (32 - r))) & _MASK


def xxh32(data, seed):
    """XXH32, as in src/report/names/vuid_text.c."""
    words = [int.from_bytes(data[i : i + 4], 'little') for i in range(0, len(data) - 3, 4)]
    stripes = len(data) // 16 * 4
    if stripes:
        lanes = [
            (seed + _P[0] + _P[1]) & _MASK,
            (seed + _P[1]) & _MASK,
            seed,
            (seed - _P[0]) & _MASK,
        ]
        for i in range(stripes):
            lanes[i % 4] = _rotl((lanes[i % 4] + words[i] * _P[1]) & _MASK, 13) * _P[0] & _MASK
        h = sum(_rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18)))
    else:
        h = seed + _P[4]
    h = (h + len(data)) & _MASK
    for word in words[stripes:]:
        h = _rotl((h + word * _P[2]) & _MASK, 17) * _P[3] & _MASK
    for byte in data[len(words) * 4 :]:
        h = _rotl((h + byte * _P[4]) & _MASK, 11) * _P[0] & _MASK
    h = (h ^ h >> 15) * _P[1] & _MASK
    h = (h ^ h >> 13) * _P[2] & _MASK
    return h ^ h >> 16


def number(message_id):
    return xxh32(message_id.encode(), NUMBER_SEED)


def _own_texts():
    """The texts of the ids that are no VUIDs."""
    with open(os.path.join(REGISTRY, 'message_ids.txt'), encoding='utf-8') as f:
        lines = [
            line.strip().split('  ', 1) for line in f if line.strip() and not line.startswith('#')
        ]
    return {line[0]: line[1].strip() if len(line) > 1 else '' for line in lines}


def frames(m):
    """[(compressed bytes, length when opened)]: per id its name, text, page and fix, each ended by
    a zero byte."""
    costs, instead = practices.texts()
    own = m.derived_ids | _own_texts() | costs
    mends = fixes.table(m) | instead
    result = []
    for start in range(0, len(m.message_ids), FRAME_IDS):
        text = bytearray()
        for message_id in m.message_ids[start : start + FRAME_IDS]:
            vuid = m.vuids.get(message_id)
            for field in (
                message_id,
                vuid.text if vuid else own[message_id],
                vuid.page if vuid else '',
                mends.get(message_id, ''),
            ):
                text += field.encode() + b'\0'
        result.append((zstd.compress(bytes(text), level=19), len(text)))
    return result


def c_string_lines(data, width=48):
    """Bytes as C string literals, a line each. Three-digit escapes never run into what follows."""
    for start in range(0, len(data), width):
        yield (
            '"'
            + ''.join(
                chr(b) if 32 <= b < 127 and b not in b'"\\?' else f'\\{b:03o}'
                for b in data[start : start + width]
            )
            + '"'
        )


values = value_tables.tables
structures = structure_tables.tables


@functools.cache
def names(m):
    """The names of values, structures, members and parameters; tables hold offsets in it."""
    return StringPool(values(m).strings + structures(m).strings)


def packed_names(m):
    return zstd.compress(bytes(names(m).data), level=19)


def has_hooks(command):
    """Does a call of the command visit validators?"""
    return (
        bool(command.params)
        and command.name not in ('vkGetInstanceProcAddr', 'vkGetDeviceProcAddr')
        and not command.name.startswith('vkEnumerateInstance')
    )


# Instances and devices are made and ended by hand; the loader asks for its own things as well,
# before it answers these.
_WHOLE = ('vkCreateInstance', 'vkDestroyInstance', 'vkCreateDevice', 'vkDestroyDevice')


def _makes_or_ends(m, command):
    plan = rules_chassis.Plan(m, command)
    return bool(plan.created or plan.destroyed or plan.adopt_structs)


def callers_kept(m):
    """The commands whose caller somebody keeps: what is recorded or submitted, what makes or ends
    objects, and what the host does to images."""
    return [
        c
        for c in m.commands.values()
        if has_hooks(c)
        and (
            c.name in _WHOLE
            or re.match(r'vkCmd|vkQueue|vkTransitionImage|vkCopy|vkReset', c.name)
            or _makes_or_ends(m, c)
        )
    ]


def callers_in_loader(m):
    """The commands for which the loader stands between the program and the layer."""
    own = _WHOLE + ('vkGetDeviceQueue', 'vkGetDeviceQueue2', 'vkAllocateCommandBuffers')
    return [
        c
        for c in m.commands.values()
        if has_hooks(c) and (c.name in own or not m.is_device_command(c) and _makes_or_ends(m, c))
    ]


def parameter_word(m, p):
    """A parameter as C for a word of 64 bits."""
    if (
        '*' in p.fullType
        or p.fixedSizeArray
        or p.type in m.dispatchable
        or p.type.startswith('PFN_')
    ):
        return f'(uint64_t)(uintptr_t){p.name}'
    return f'float_word({p.name})' if p.type == 'float' else f'(uint64_t){p.name}'


numbers = rule_numbers.numbers
only_id = rule_numbers.only_id
lists = rule_numbers.lists
