"""Members that a graphics pipeline ignores, though the sentences about them do not say so: what is
dynamic (10.11 "Dynamic State"), what belongs to a part that it does not make (10.6), what another
structure of the chain replaces.

The generated checks of values ask is_ignored_member() (src/stateless/pipeline.c); rows get guards
from here."""

import functools

from language.atoms import Among, Chained, Dynamic, Read
from language.sentence import Any, members_of
from language.values import Member
from model import hand_tables
from model.hand_tables import WORD

TABLES = hand_tables.read_pairs(
    'registry/rows/ignored_by_pipelines.toml', {'dynamic': WORD, 'read': WORD}
)
DYNAMIC, READ = TABLES['dynamic'], TABLES['read']
PIPELINE = 'VkGraphicsPipelineCreateInfo'

RATE, ENUMS = (
    'VkPipelineFragmentShadingRateStateCreateInfoKHR',
    'VkPipelineFragmentShadingRateEnumStateCreateInfoNV',
)


@functools.cache
def of_pipelines(m):
    """Names of the structures that a graphics pipeline is made of."""
    found, queue = {PIPELINE}, [PIPELINE]
    while queue:
        structure = m.structs[queue.pop()]
        inside = list(structure.extendedBy) + [
            x.type for x in structure.members if x.type in m.structs
        ]
        for name in inside:
            if name in m.structs and name not in found and name != 'VkShaderModuleCreateInfo':
                found.add(name)
                queue.append(name)
    return found


def _holders(n, owner, member):
    """(structure, member) of each step that leads to a member."""
    if member.chain:
        at = member.chain
    elif isinstance(member.each, str):
        at = {x.name: x for x in n.structure(owner).members}[member.each].type
    elif member.each is not None:
        at = member.each.field.type
    else:
        at = owner
    out = []
    for name in member.path:
        structure, name = n.structure(at), name.split('[')[0]
        if structure is None:
            break
        out.append((structure.name, name))
        at = next(x.type for x in structure.members if x.name == name)
    return out


def _arrays(member):
    """The Members that lead to a member: itself, and the array that it is in."""
    return (
        [member]
        + ([member.each] if isinstance(member.each, Member) else [])
        + ([member.head] if member.head else [])
    )


def guards(m, n, owner, sentence):
    """Clauses that a sentence of that structure needs beside its own."""
    if owner not in m.structs or owner not in of_pipelines(m):
        return []
    places = dict.fromkeys(
        p for x in members_of(sentence) for y in _arrays(x) for p in _holders(n, owner, y)
    )
    places.update(
        dict.fromkeys((owner, x.each) for x in members_of(sentence) if isinstance(x.each, str))
    )
    out = {}
    for structure, name in places:
        if structure == PIPELINE and name in READ:
            out[name] = Read(READ[name])
        states = DYNAMIC.get(f'{structure}::{name}') or DYNAMIC.get(name) or []
        out.update((s, Dynamic(f'VK_DYNAMIC_STATE_{s}', False)) for s in states)
    clauses = [Any([atom], unsaid=True) for atom in out.values()]
    used = {structure for structure, _ in places}
    kind = next((x for x in m.structs[ENUMS].members if x.name == 'shadingRateType'))
    if RATE in used and owner == PIPELINE:  # "any state specified by [it] should be ignored"
        clauses.append(
            Any(
                [
                    Chained(ENUMS, False),
                    Among(
                        Member(('shadingRateType',), kind, ENUMS),
                        ['VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV'],
                        False,
                    ),
                ],
                unsaid=True,
            )
        )
    if owner == PIPELINE and {(ENUMS, 'shadingRate'), (ENUMS, 'combinerOps')} & set(places):
        clauses.append(
            Any(
                [
                    Among(
                        Member(('shadingRateType',), kind, ENUMS),
                        ['VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV'],
                        True,
                    )
                ],
                unsaid=True,
            )
        )
    return clauses


def ignored(m):
    """(structure or None, member, state) of each state that makes a member ignored."""
    out = []
    for key, states in DYNAMIC.items():
        structure, _, name = key.rpartition('::')
        # a location has the name of a structure where that is in a chain
        place = structure if structure in m.structs and m.structs[structure].extends else None
        out += [(place, name, f'DYNAMIC_{s}') for s in states]
    return out
