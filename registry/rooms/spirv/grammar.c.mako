/* Generated from SPIR-V's grammar by registry/generate.py with ${template}. Do not edit. */
#include "spirv/grammar.h"

#include <stddef.h>
<%
g = m.spirv
rules = []     # operand rules, shared where the same run stands already
places = {}
def place(operands):
    """Where this run of operands starts in the table."""
    run = tuple((o['kind'], {None: 'SPIRV_ONE', '?': 'SPIRV_OPTIONAL', '*': 'SPIRV_ANY_NUMBER'}[o.get('quantifier')]) for o in operands)
    if run not in places:
        places[run] = len(rules)
        rules.extend(run)
    return places[run]
instructions = [(i, place(i.get('operands', []))) for i in g.instructions]
enumerants = []
kinds = []
for kind in g.kinds:
    first = len(enumerants)
    for value, e in g.enumerants(kind):
        enumerants.append((e['enumerant'], value, place(e.get('parameters', [])), len(e.get('parameters', []))))
    kinds.append((kind, first, len(enumerants) - first, g.kind[kind]['category'] == 'BitEnum'))
def has(i, kind):
    return 'true' if any(o['kind'] == kind for o in i.get('operands', [])) else 'false'
%>
const struct spirv_operand_rule spirv_operand_rules[] = {
% for kind, quantifier in rules:
    {SPIRV_KIND_${kind}, ${quantifier}},
% endfor
};

const struct spirv_enumerant spirv_enumerants[] = {
% for name, value, first, count in enumerants:
    {"${name}", ${value}u, ${first}, ${count}},
% endfor
};

const struct spirv_kind_rule spirv_kind_rules[SPIRV_KIND_COUNT] = {
% for name, first, count, bits in kinds:
    [SPIRV_KIND_${name}] = {"${name}", ${first}, ${count}, ${'true' if bits else 'false'}},
% endfor
};

/* By increasing opcode. */
static const struct spirv_instruction_rule instruction_rules[] = {
% for i, first in instructions:
    {"${i['opname']}", ${i['opcode']}, ${first}, ${len(i.get('operands', []))}, ${has(i, 'IdResultType')}, ${has(i, 'IdResult')}},
% endfor
};

<% low = [(n, i['opcode']) for n, (i, _) in enumerate(instructions) if i['opcode'] < 512] %>\
/* 1 + the place of the rule of each of the oldest opcodes, which most modules have nothing beyond; 0 where none has the number. */
static const uint16_t low_rules[512] = {
% for place, opcode in low:
    [${opcode}] = ${place + 1},
% endfor
};

const struct spirv_instruction_rule *spirv_instruction_rule(uint16_t opcode)
{
    size_t low = 0, high = sizeof(instruction_rules) / sizeof(instruction_rules[0]);
    if (opcode < sizeof(low_rules) / sizeof(low_rules[0]))
        return low_rules[opcode] ? &instruction_rules[low_rules[opcode] - 1] : NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (instruction_rules[middle].opcode == opcode)
            return &instruction_rules[middle];
        if (instruction_rules[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct spirv_enumerant *spirv_enumerant(enum spirv_kind kind, uint32_t value)
{
    const struct spirv_kind_rule *rule = &spirv_kind_rules[kind];
    size_t low = rule->enumerants, high = (size_t)rule->enumerants + rule->enumerant_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (spirv_enumerants[middle].value == value)
            return &spirv_enumerants[middle];
        if (spirv_enumerants[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
