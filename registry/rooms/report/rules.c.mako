<% table = rules.numbers(m); lists = rules.lists(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/rules.h"

/* Many numbers have ids for the same commands. A list stands here once: commands in increasing order; twice where one has two ids (of a source, of a destination). */
static const uint16_t list_commands[] = {
% for commands in lists:
    ${', '.join(m.command_constant(c) for c in commands)},
% endfor
};

<% first = 0 %>\
static const uint16_t list_first[] = {
% for commands in lists:
    ${first},
<% first += len(commands) %>\
% endfor
    ${first},
};

/* The ids of a number, in the order of its list. */
struct rule_number {
    uint16_t number;
    uint16_t list;
    uint16_t first; /* in rule_vuids */
};

static const uint16_t rule_vuids[] = {
% for number, rows in table.items():
% if not rules.only_id(rows):
    ${', '.join(m.vuid_constant(vuid) for _, vuid in rows)},
% endif
% endfor
};

<% first = 0 %>\
static const struct rule_number rule_numbers[] = {
% for number, rows in table.items():
% if not rules.only_id(rows):
    {${number}, ${lists[tuple(c for c, _ in rows)]}, ${first}},
<% first += len(rows) %>\
% endif
% endfor
};
static_assert(${first} <= UINT16_MAX && (uint32_t)VUID_NUMBERED_COUNT <= UINT16_MAX, "16 bits hold them");

static const struct rule_number *find_number(uint32_t wanted)
{
    uint32_t low = 0, high = ARRAY_LENGTH(rule_numbers);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rule_numbers[middle].number < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ARRAY_LENGTH(rule_numbers) && rule_numbers[low].number == wanted ? &rule_numbers[low] : NULL;
}

enum vuid rule_vuid(enum command command, enum rule rule)
{
    const bool last = rule & RULE_OF_DESTINATION;
    enum vuid found = VUID_COUNT;
    if (!(rule & RULE_OF_MANY_IDS))
        return rule == RULE_NONE ? VUID_COUNT : (enum vuid)(rule & ~(RULE_OF_ONE_ID | RULE_OF_DESTINATION));
    const struct rule_number *number = find_number(rule & ~(RULE_OF_MANY_IDS | RULE_OF_DESTINATION));
    if (!number)
        return found;
    const uint32_t first = list_first[number->list], end = list_first[number->list + 1];
    for (uint32_t i = first; i < end && (last || found == VUID_COUNT); i++) {
        if (list_commands[i] == (uint32_t)command_root[command])
            found = (enum vuid)rule_vuids[number->first + i - first];
    }
    return found;
}
