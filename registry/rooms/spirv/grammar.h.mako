/* Generated from SPIR-V's grammar by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_SPIRV_GRAMMAR_H
#define ASSAY_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

/* The grammar is that of SPIR-V ${m.spirv.version[0]}.${m.spirv.version[1]} and the extensions registered with it. */

/* The kind of an operand: an id, a literal, a composite of two, or a value of an enumeration. */
enum spirv_kind {
% for kind in m.spirv.kinds:
    SPIRV_KIND_${kind},
% endfor
    SPIRV_KIND_COUNT
};

enum spirv_quantifier { SPIRV_ONE, SPIRV_OPTIONAL, SPIRV_ANY_NUMBER };

struct spirv_operand_rule {
    uint8_t kind; /* enum spirv_kind */
    uint8_t quantifier;
};

struct spirv_instruction_rule {
    const char *name; /* "OpTypeVoid" */
    uint16_t opcode;
    uint16_t operands; /* first of `operand_count` in spirv_operand_rules */
    uint8_t operand_count;
    bool has_type;   /* the first operand is the result's type */
    bool has_result; /* the next (or first) one is the result's id */
};

struct spirv_enumerant {
    const char *name;
    uint32_t value;
    uint16_t parameters; /* first of `parameter_count` in spirv_operand_rules */
    uint8_t parameter_count;
};

struct spirv_kind_rule {
    const char *name;
    uint16_t enumerants; /* first of `enumerant_count` in spirv_enumerants, by increasing value */
    uint16_t enumerant_count;
    bool bits; /* values are or-ed; parameters follow in the order of the bits */
};

extern const struct spirv_operand_rule spirv_operand_rules[];
extern const struct spirv_enumerant spirv_enumerants[];
extern const struct spirv_kind_rule spirv_kind_rules[SPIRV_KIND_COUNT];

/* NULL for an instruction that this grammar does not know. */
const struct spirv_instruction_rule *spirv_instruction_rule(uint16_t opcode);
/* NULL for a value (or single bit) that this grammar does not know. */
const struct spirv_enumerant *spirv_enumerant(enum spirv_kind kind, uint32_t value);

#endif
