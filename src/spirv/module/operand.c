/* Finds the kind of each operand of an instruction. It follows the grammar's rules operand by
 * operand. */
#include "spirv/module/module.h"

#include <spirv/unified1/spirv.h>

/* Returns how many words a literal of the type `type_id` takes (2.2.1: one, or as many as a wider
 * type needs); 1 if the type is not known. */
static uint32_t number_words(const struct spirv_module *module, uint32_t type_id)
{
    const struct spirv_instruction *type = spirv_definition(module, type_id);
    if (!type || (type->opcode != SpvOpTypeInt && type->opcode != SpvOpTypeFloat) ||
        type->length < 3)
        return 1;
    uint32_t width = spirv_words(module, type)[2];
    return width > 32 && width <= 1024 ? (width + 31) / 32 : 1;
}

/* Returns the type of the literals in the instruction: the constant's own type, or the type of a
 * switch's selector; 0: it has no literals with a type. */
static uint32_t number_type(const struct spirv_operand_walk *walk)
{
    const struct spirv_instruction *instruction = walk->instruction;
    const uint32_t *words = spirv_words(walk->module, instruction);
    if (instruction->length < 2)
        return 0;
    if (instruction->opcode != SpvOpSwitch)
        return words[1];
    const struct spirv_instruction *selector = spirv_definition(walk->module, words[1]);
    return selector && selector->length > 1 ? spirv_words(walk->module, selector)[1] : 0;
}

/* Inserts rules before those that are left, for the parameters of an operand. */
static void push_rules(struct spirv_operand_walk *walk, const struct spirv_operand_rule *rule,
                       uint32_t count)
{
    if (!count)
        return;
    if (walk->pending_count == ARRAY_LENGTH(walk->pending)) {
        walk->malformed = true; /* the grammar has no operands that are nested so deep */
        return;
    }
    walk->pending[walk->pending_count].rule = rule;
    walk->pending[walk->pending_count++].left = count;
}

bool spirv_operands_begin(struct spirv_operand_walk *walk, const struct spirv_module *module,
                          const struct spirv_instruction *instruction)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
    *walk = (struct spirv_operand_walk){.module = module, .instruction = instruction, .word = 1};
    if (!rule)
        return false;
    walk->rule = &spirv_operand_rules[rule->operands];
    walk->rules_left = rule->operand_count;
    return true;
}

/* Returns the rule for the next word; NULL: there are no more operands. Optional and repeated
 * operands end with the instruction's words. */
static const struct spirv_operand_rule *next_rule(struct spirv_operand_walk *walk)
{
    bool words_left = walk->word < walk->instruction->length;
    while (walk->pending_count) {
        uint32_t top = walk->pending_count - 1;
        const struct spirv_operand_rule *rule = walk->pending[top].rule;
        if (rule->quantifier != SPIRV_ANY_NUMBER) {
            walk->pending[top].rule++;
            if (--walk->pending[top].left == 0)
                walk->pending_count--;
            return rule;
        }
        if (words_left)
            return rule;
        walk->pending_count--;
    }
    while (walk->rules_left) {
        const struct spirv_operand_rule *rule = walk->rule;
        if (rule->quantifier == SPIRV_ANY_NUMBER && words_left)
            return rule;
        walk->rule++;
        walk->rules_left--;
        if (rule->quantifier == SPIRV_ONE || words_left)
            return rule;
    }
    return NULL;
}

static const struct spirv_operand_rule integer_then_id[] = {
    {SPIRV_KIND_LiteralContextDependentNumber, SPIRV_ONE}, {SPIRV_KIND_IdRef, SPIRV_ONE}};
static const struct spirv_operand_rule id_then_integer[] = {{SPIRV_KIND_IdRef, SPIRV_ONE},
                                                            {SPIRV_KIND_LiteralInteger, SPIRV_ONE}};
static const struct spirv_operand_rule id_then_id[] = {{SPIRV_KIND_IdRef, SPIRV_ONE},
                                                       {SPIRV_KIND_IdRef, SPIRV_ONE}};

/* Inserts the operands of the operation whose opcode OpSpecConstantOp has, without result type and
 * result. */
static void push_operation(struct spirv_operand_walk *walk, uint32_t opcode)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule((uint16_t)opcode);
    if (rule && opcode <= UINT16_MAX && rule->has_type && rule->has_result)
        push_rules(walk, &spirv_operand_rules[rule->operands + 2], rule->operand_count - 2u);
}

bool spirv_operands_next(struct spirv_operand_walk *walk, struct spirv_operand *operand)
{
    assert(walk->malformed || walk->word <= walk->instruction->length);
    assert(walk->pending_count <= ARRAY_LENGTH(walk->pending));
    const struct spirv_operand_rule *rule;
    while ((rule = next_rule(walk)) != NULL && !walk->malformed) {
        uint32_t available = walk->instruction->length - walk->word;
        const uint32_t *words = spirv_words(walk->module, walk->instruction) + walk->word;
        enum spirv_kind kind = (enum spirv_kind)rule->kind;
        if (kind == SPIRV_KIND_PairLiteralIntegerIdRef ||
            kind == SPIRV_KIND_PairIdRefLiteralInteger || kind == SPIRV_KIND_PairIdRefIdRef) {
            push_rules(walk,
                       kind == SPIRV_KIND_PairLiteralIntegerIdRef   ? integer_then_id
                       : kind == SPIRV_KIND_PairIdRefLiteralInteger ? id_then_integer
                                                                    : id_then_id,
                       2);
            continue;
        }
        if (!available) {
            if (rule->quantifier == SPIRV_OPTIONAL)
                continue;
            break;
        }
        *operand = (struct spirv_operand){.kind = kind, .word = walk->word, .length = 1};
        if (kind == SPIRV_KIND_LiteralString) {
            if (!spirv_string(words, available, &operand->length))
                break;
        } else if (kind == SPIRV_KIND_LiteralContextDependentNumber) {
            operand->length = number_words(walk->module, number_type(walk));
        } else if (kind == SPIRV_KIND_LiteralSpecConstantOpInteger) {
            push_operation(walk, words[0]);
        } else if (spirv_kind_rules[kind].bits) {
            /* the lowest bit's parameters come first, so they are pushed last */
            for (uint32_t bits = words[0]; bits;) {
                uint32_t bit = 1u << (31 - __builtin_clz(bits));
                const struct spirv_enumerant *enumerant = spirv_enumerant(kind, bit);
                if (enumerant)
                    push_rules(walk, &spirv_operand_rules[enumerant->parameters],
                               enumerant->parameter_count);
                bits &= ~bit;
            }
        } else if (spirv_kind_rules[kind].enumerant_count) {
            const struct spirv_enumerant *enumerant = spirv_enumerant(kind, words[0]);
            if (enumerant)
                push_rules(walk, &spirv_operand_rules[enumerant->parameters],
                           enumerant->parameter_count);
        }
        if (operand->length > available)
            break;
        walk->word += operand->length;
        return true;
    }
    walk->malformed = walk->malformed || walk->word != walk->instruction->length || rule != NULL;
    return false;
}
