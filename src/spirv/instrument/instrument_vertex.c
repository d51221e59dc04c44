/* Checks that the vertices that are fetched lie in the vertex buffers. The check is at the
 * beginning of a vertex shader. The command record has the number of vertices in the buffers; the
 * shader knows which vertex it is. For commands that cannot give the number, nothing is checked. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* True if the module has an input that is fetched from a buffer: one that is not a built-in. */
static bool has_attributes(const struct instrument *x)
{
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpVariable && instruction->length >= 4 &&
            words[3] == SpvStorageClassInput && x->builtins[words[2]] == SPIRV_NONE)
            return true;
    }
    return false;
}

/* True for an instruction that may stand before or between the variables of a function. Such
 * instructions do not read inputs. */
static bool may_precede_variables(const struct spirv_instruction *instruction)
{
    return instruction->opcode == SpvOpLine || instruction->opcode == SpvOpNoLine ||
           instruction->opcode == SpvOpExtInst;
}

void instrument_vertex(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    uint32_t arguments[3];
    if (x->entered || x->function != x->entry || !x->first_block ||
        may_precede_variables(instruction))
        return;
    x->entered = true;
    if (!(x->info->checks & SPIRV_CHECK_VERTEX_FETCH) ||
        x->info->model != SpvExecutionModelVertex || x->info->robust_vertex ||
        x->info->push_offset == SPIRV_NONE || !has_attributes(x))
        return;
    instrument_builtin(x, SpvBuiltInVertexIndex, false, 1, 1, &arguments[0]);
    instrument_builtin(x, SpvBuiltInInstanceIndex, false, 1, 1, &arguments[1]);
    arguments[2] = instrument_site(x, &(struct spirv_site){.where = instrument_here(x),
                                                           .error = ERROR_VERTEX_FETCH,
                                                           .from = {SITE_A, SITE_B, SITE_C, SITE_D,
                                                                    SITE_E, SITE_F}});
    (void)instrument_call(x, "assay_vertex", spirv_edit_type_void(&x->edit), arguments,
                          ARRAY_LENGTH(arguments));
    x->result->checks++;
    x->result->fetches = true;
}
