/* Replaces the stubs for functions of gpu/shaders/abort.glsl in a lowered module. Calls of them
 * become calls of the real functions, and the stubs are removed. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

/* Returns the stub with this id; ABORT_STUBS: the id is not a stub, or no module was lowered. */
static enum abort_stub find_stub(const struct instrument *x, uint32_t function)
{
    enum abort_stub stub = ABORT_STUB_BEGIN;
    while (stub < ABORT_STUBS && (!x->lowered || !function || x->lowered->stubs[stub] != function))
        stub++;
    return stub;
}

bool instrument_is_stub(const struct instrument *x, uint32_t function)
{
    return find_stub(x, function) != ABORT_STUBS;
}

bool instrument_abort(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words)
{
    assert(instruction && words);
    if (instruction->opcode != SpvOpFunctionCall || instruction->length < 4)
        return false;
    enum abort_stub stub = find_stub(x, words[3]);
    /* No stub has more parameters. */
    uint32_t operands[8], count = instruction->length - 1u;
    if (stub == ABORT_STUBS || count > ARRAY_LENGTH(operands))
        return false;
    for (uint32_t i = 0; i < count; i++)
        operands[i] = words[1 + i];
    operands[2] = spirv_link_function(&x->link, abort_stub_names[stub]);
    if (!operands[2])
        x->failed = true;
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionCall, operands, count);
    x->result->checks++;
    return true;
}
