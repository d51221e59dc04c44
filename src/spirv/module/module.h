/* A SPIR-V module as flat arrays: what every other part of the room, and every validator that asks
 * about shaders, reads. Knows no Vulkan. All input is untrusted: each word is bounds-checked, no
 * length is believed. */
#ifndef ASSAY_SPIRV_MODULE_H
#define ASSAY_SPIRV_MODULE_H

#include "base/base.h"
#include "spirv/grammar.h" /* generated */

#define SPIRV_HEADER_WORDS 5
#define SPIRV_NONE         UINT32_MAX /* no such instruction */

/* Ids are numbers below the module's bound (2.3 "Physical Layout of a SPIR-V Module"); the
 * universal limit on it is 4,194,303 (2.17). */
#define SPIRV_BOUND_LIMIT 4194304u

/* Threads: immutable. */
struct spirv_instruction {
    uint32_t offset; /* of its first word in the module's words */
    uint16_t opcode;
    uint16_t length; /* in words, with the first */
};

/* Threads: immutable once parsed. */
struct spirv_module {
    /* owned by the caller; must outlive the module. In the host's byte order: see `swapped` */
    const uint32_t *words;
    uint32_t word_count;
    uint32_t version; /* 0x00010600 is SPIR-V 1.6 */
    uint32_t generator;
    uint32_t bound; /* all ids are below it */
    uint32_t instruction_count;
    struct spirv_instruction *instructions; /* owned; in the module's order */
    /* owned; per id the index of the instruction whose result it is, or SPIRV_NONE */
    uint32_t *definitions;
    /* owned; the words in the host's byte order if they came in the other one, else NULL */
    uint32_t *swapped;
};

/* The first mistake in words that are not a module. */
struct spirv_error {
    const char *text; /* one sentence without the place; constant */
    uint32_t word;    /* index of the offending word */
    bool no_memory;   /* nothing is wrong with them: they could not be read */
};

/* Parses `word_count` words. On failure `error` says why and `module` is empty (and may be freed).
 */
bool spirv_module_parse(struct spirv_module *module, const uint32_t *words, size_t word_count,
                        struct spirv_error *error) MUST_CHECK;
void spirv_module_free(struct spirv_module *module);

/* The words of an instruction; words[0] is its length and opcode. */
static inline const uint32_t *spirv_words(const struct spirv_module *module,
                                          const struct spirv_instruction *instruction)
{
    assert(instruction->offset >= SPIRV_HEADER_WORDS);
    assert(instruction->length && instruction->offset + instruction->length <= module->word_count);
    return &module->words[instruction->offset];
}

/* The instruction whose result is `id`, or NULL (also for ids that are not below the bound). */
static inline const struct spirv_instruction *spirv_definition(const struct spirv_module *module,
                                                               uint32_t id)
{
    if (id >= module->bound || module->definitions[id] == SPIRV_NONE)
        return NULL;
    return &module->instructions[module->definitions[id]];
}

/* One operand of an instruction, with what stands in it. */
struct spirv_operand {
    enum spirv_kind kind; /* never a composite: its two halves come one after the other */
    uint32_t word;        /* index of its first word within the instruction */
    uint32_t length;      /* in words: 1, or as many as a string or wide number takes */
};

/* Walks the operands of an instruction in order, with the parameters of enumerants in between. */
struct spirv_operand_walk {
    const struct spirv_module *module;
    const struct spirv_instruction *instruction;
    uint32_t word;                         /* next word within the instruction */
    const struct spirv_operand_rule *rule; /* next of the instruction's rules */
    uint32_t rules_left;
    struct { /* runs of rules to finish first: parameters, composites */
        const struct spirv_operand_rule *rule;
        uint32_t left;
    } pending[36]; /* a value of a BitEnum may have parameters for each of its 32 bits */
    uint32_t pending_count;
    bool malformed; /* words are left over, or one is missing: the walk has ended early */
};

/* False (and nothing to walk) when the grammar does not know the instruction; it is then carried as
 * opaque words. */
bool spirv_operands_begin(struct spirv_operand_walk *walk, const struct spirv_module *module,
                          const struct spirv_instruction *instruction) MUST_CHECK;
/* False at the end; `malformed` tells whether all words were accounted for. */
bool spirv_operands_next(struct spirv_operand_walk *walk, struct spirv_operand *operand);

static inline bool spirv_kind_is_id(enum spirv_kind kind)
{
    return kind == SPIRV_KIND_IdRef || kind == SPIRV_KIND_IdResult ||
           kind == SPIRV_KIND_IdResultType || kind == SPIRV_KIND_IdScope ||
           kind == SPIRV_KIND_IdMemorySemantics;
}

/* The characters of a literal string operand within `words` (an instruction's words from the string
 * on) and how many words it takes; NULL when it has no terminator within `available` words (2.2.1
 * "Instructions": UTF-8, terminated, padded). */
const char *spirv_string(const uint32_t *words, uint32_t available, uint32_t *taken);

#endif
