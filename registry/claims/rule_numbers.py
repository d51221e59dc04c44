"""Finds the id that a numbered valid-usage statement has for each command. Twins (vkCmdCopyBuffer,
vkCmdCopyBuffer2; all draws) share numbers."""

import collections
import functools

# Structures that a member of type void leads to.
POINTED_BY_VOID = {
    'VkPipelineCacheCreateInfo': ('VkPipelineCacheHeaderVersionDataGraphQCOM',),
}


def structures_of(m):
    """command -> {structure: how far from its parameters}; a pNext chain's structures come after
    all members."""
    extending = collections.defaultdict(list)
    for name, struct in m.structs.items():
        for parent in struct.extends:
            extending[parent].append(name)
    aliases = {a: n for n, s in m.structs.items() for a in getattr(s, 'aliases', [])}
    result = {}
    for name, command in m.commands.items():
        distance, waiting = {}, [(p.type, 1) for p in command.params]
        for type_name, depth in waiting:
            type_name = aliases.get(type_name, type_name)
            if type_name not in m.structs or type_name in distance:
                continue
            distance[type_name] = depth
            waiting += [(x.type, depth + 1) for x in m.structs[type_name].members]
            waiting += [(x, depth + 1) for x in POINTED_BY_VOID.get(type_name, ())]
            waiting += [(x, depth + 100) for x in extending[type_name]]
        result[name] = distance
    return result


@functools.cache
def numbers(m):
    """number -> [(command or None for any, VUID)]. A command stands there twice where one owner has
    the number for a source and for a destination: VUID-vkCmdCopyImage-srcImage-07966 and
    VUID-vkCmdCopyImage-dstImage-07966, in this order."""
    by_number = collections.defaultdict(list)
    for v in m.vuids.values():
        if v.numbered:
            by_number[int(v.id[-5:])].append(v)
    reached = structures_of(m)
    reaching = collections.defaultdict(dict)
    for command, structures in reached.items():
        for structure, distance in structures.items():
            reaching[structure][command] = distance
    order = {name: i for i, name in enumerate(m.all_commands)}
    table = {}
    for number, vuids in sorted(by_number.items()):
        if len(vuids) == 1:
            table[number] = [(None, vuids[0].id)]
            continue
        best = {}
        for v in vuids:
            owner = m.aliases.get(v.owner, v.owner)
            commands = {owner: 0} if owner in m.commands else reaching.get(owner, {})
            for command, distance in commands.items():
                if command not in best or distance < best[command][0]:
                    best[command] = (distance, owner, [v.id])
                elif best[command][:2] == (distance, owner):
                    best[command][2].append(v.id)
        table[number] = [(c, vuid) for c in sorted(best, key=order.get) for vuid in best[c][2]] or [
            (None, vuids[0].id)
        ]
    return table


def only_id(rows):
    """Returns the id of a number that has one id whatever the command, or None."""
    return rows[0][1] if rows[0][0] is None else None


def lists(m):
    """The different lists of commands that numbers of several ids have: a hundred for more than a
    thousand of them. list -> its number, in order."""
    result = {}
    for rows in numbers(m).values():
        if not only_id(rows):
            result.setdefault(tuple(c for c, _ in rows), len(result))
    return result
