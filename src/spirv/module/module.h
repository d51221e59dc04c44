/* Parses a SPIR-V module into flat arrays. All other files of src/spirv/, and all validators that
 * look at shaders, read these. Knows no Vulkan. All input is untrusted: each word and each length
 * is checked against the bounds. */
#ifndef ASSAY_SPIRV_MODULE_H
#define ASSAY_SPIRV_MODULE_H

#include "base/base.h"
#include "spirv/grammar.h" /* generated */

#define SPIRV_HEADER_WORDS 5
#define SPIRV_NONE         UINT32_MAX /* in place of an index: there is no such instruction */

/* Ids are numbers below the module's bound (2.3 "Physical Layout of a SPIR-V Module"); the
 * universal limit on it is 4,194,303 (2.17). */
#define SPIRV_BOUND_LIMIT 4194304u

/* One instruction. Threads: immutable. */
struct spirv_instruction {
    uint32_t offset; /* index of its first word in the module's words */
    uint16_t opcode;
    uint16_t length; /* in words, including the first */
};

/* A parsed module. Threads: immutable once parsed. */
struct spirv_module {
    /* the words in the host's byte order: `swapped`, or the caller's words, which must outlive the
     * module */
    const uint32_t *words;
    uint32_t word_count;
    uint32_t version; /* 0x00010600 is SPIR-V 1.6 */
    uint32_t generator;
    uint32_t bound; /* all ids are below it */
    uint32_t instruction_count;
    struct spirv_instruction *instructions; /* owned; in the module's order */
    /* owned; for each id the index of the instruction whose result it is; SPIRV_NONE: there is none
     */
    uint32_t *definitions;
    /* owned; a copy in the host's byte order; NULL: the caller's words have that order */
    uint32_t *swapped;
};

/* Why a module was refused: the first mistake in it. */
struct spirv_error {
    const char *text; /* one sentence without the place; constant */
    uint32_t word;    /* index of the offending word */
    bool no_memory;   /* the words may be right, but memory was out */
};

/* Parses `word_count` words. Returns false on failure: then `error` says why, and `module` is empty
 * (and may be freed). */
bool spirv_module_parse(struct spirv_module *module, const uint32_t *words, size_t word_count,
                        struct spirv_error *error) MUST_CHECK;
void spirv_module_free(struct spirv_module *module);

/* Returns the words of an instruction; words[0] has its length and opcode. */
static inline const uint32_t *spirv_words(const struct spirv_module *module,
                                          const struct spirv_instruction *instruction)
{
    assert(instruction->offset >= SPIRV_HEADER_WORDS);
    assert(instruction->length && instruction->offset + instruction->length <= module->word_count);
    return &module->words[instruction->offset];
}

/* Returns the instruction whose result is `id`; NULL: there is none, or `id` is not below the
 * bound. */
static inline const struct spirv_instruction *spirv_definition(const struct spirv_module *module,
                                                               uint32_t id)
{
    if (id >= module->bound || module->definitions[id] == SPIRV_NONE)
        return NULL;
    return &module->instructions[module->definitions[id]];
}

/* One operand of an instruction. */
struct spirv_operand {
    /* never a pair kind: the two halves of a pair are operands of their own */
    enum spirv_kind kind;
    uint32_t word;   /* index of its first word within the instruction */
    uint32_t length; /* in words: 1, or as many as a string or wide number takes */
};

/* Walks the operands of an instruction in order, with the parameters of enumerants in between. */
struct spirv_operand_walk {
    const struct spirv_module *module;
    const struct spirv_instruction *instruction;
    uint32_t word;                         /* next word within the instruction */
    const struct spirv_operand_rule *rule; /* the rule for the next operand */
    uint32_t rules_left;
    struct { /* rules that come before `rule`: parameters of enumerants, halves of pairs */
        const struct spirv_operand_rule *rule;
        uint32_t left;
    } pending[36]; /* a value of a BitEnum may have parameters for each of its 32 bits */
    uint32_t pending_count;
    bool malformed; /* words were left over, or one was missing: the walk has ended early */
};

/* Begins to walk the operands. Returns false, with nothing to walk, if the grammar does not know
 * the instruction; callers copy its words unchanged then. */
bool spirv_operands_begin(struct spirv_operand_walk *walk, const struct spirv_module *module,
                          const struct spirv_instruction *instruction) MUST_CHECK;
/* Finds the next operand. Returns false at the end; `malformed` then says whether the words did not
 * fit the grammar. */
bool spirv_operands_next(struct spirv_operand_walk *walk, struct spirv_operand *operand);

static inline bool spirv_kind_is_id(enum spirv_kind kind)
{
    return kind == SPIRV_KIND_IdRef || kind == SPIRV_KIND_IdResult ||
           kind == SPIRV_KIND_IdResultType || kind == SPIRV_KIND_IdScope ||
           kind == SPIRV_KIND_IdMemorySemantics;
}

/* Returns the characters of a literal string operand, which begins at `words` and has at most
 * `available` words. `taken` gets the number of words that it takes. Returns NULL if the string
 * does not end within these words (2.2.1 "Instructions": UTF-8, terminated, padded). */
const char *spirv_string(const uint32_t *words, uint32_t available, uint32_t *taken);

#endif
