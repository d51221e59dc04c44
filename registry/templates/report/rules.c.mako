<% table = rules.numbers(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/rules.h"

/* Commands in increasing order, and the id that the number has for each (or two: of a source, of a destination); RULE_ANY: the number has one id
 * only. */
#define RULE_ANY UINT16_MAX
struct rule_command {
    uint16_t command;
    uint16_t vuid;
};
struct rule_number {
    uint16_t number;
    uint16_t first; /* in rule_commands */
};

static const struct rule_command rule_commands[] = {
% for number, rows in table.items():
% for command, vuid in rows:
    {${'RULE_ANY' if command is None else m.command_constant(command)}, ${m.vuid_constant(vuid)}},
% endfor
% endfor
};

<% first = 0 %>\
static const struct rule_number rule_numbers[] = {
% for number, rows in table.items():
    {${number}, ${first}},
<% first += len(rows) %>\
% endfor
    {UINT16_MAX, ${first}},
};
static_assert(${first} <= UINT16_MAX && (uint32_t)VUID_NUMBERED_COUNT <= UINT16_MAX, "16 bits hold them");

/* The rows of the number for the command: [first, end). */
static uint32_t find_rows(enum command command, enum rule rule, uint32_t *end)
{
    uint32_t low = 0, high = ARRAY_LENGTH(rule_numbers) - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rule_numbers[middle].number < (uint32_t)rule)
            low = middle + 1;
        else
            high = middle;
    }
    *end = 0;
    if (rule_numbers[low].number != (uint32_t)rule)
        return 0;
    uint32_t root = command_root[command], last = rule_numbers[low + 1].first;
    for (uint32_t i = rule_numbers[low].first; i < last; i++) {
        if (rule_commands[i].command != root && rule_commands[i].command != RULE_ANY)
            continue;
        *end = i + 1;
        while (*end < last && rule_commands[*end].command == rule_commands[i].command)
            ++*end;
        return i;
    }
    return 0;
}

enum vuid rule_vuid(enum command command, enum rule rule)
{
    uint32_t end, first = find_rows(command, rule, &end);
    return first < end ? (enum vuid)rule_commands[first].vuid : VUID_COUNT;
}

enum vuid rule_vuid_of_destination(enum command command, enum rule rule)
{
    uint32_t end, first = find_rows(command, rule, &end);
    return first < end ? (enum vuid)rule_commands[end - 1].vuid : VUID_COUNT;
}
