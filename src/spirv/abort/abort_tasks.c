/* Handles task shaders in which an invocation may abort. "Any invocation must execute this
 * instruction exactly once and under uniform control flow" (OpEmitMeshTasksEXT,
 * VK_EXT_mesh_shader's proposal). So the code of the entry point becomes a function of its own.
 * Each invocation returns from it, after noting the groups that it requests:
 *
 *     void main() { ...; EmitMeshTasksEXT(x, y, z); }     ->     void body() { ...; groups = {x, y,
 * z}; }     void main() { groups = {0, 0, 0}; body(); EmitMeshTasksEXT(groups); }
 *
 * The groups of the first invocation count; if it aborted, no mesh shaders run. */
#include "spirv/abort/abort_build.h"

void tasks_begin(struct abort_lower *lower)
{
    struct spirv_edit *edit = &lower->edit;
    lower->tasks.body = spirv_edit_id(edit);
    lower->tasks.origin = SPIRV_NONE;
    for (uint32_t i = 0; i < 3; i++)
        lower->tasks.groups[i] =
            abort_private(lower, spirv_edit_type_u32(edit), spirv_edit_constant_u32(edit, 0));
}

/* Replaces an OpEmitMeshTasksEXT by stores of its operands, and a return. */
static void flow_note(struct flow *flow, uint32_t block, uint32_t item)
{
    assert(block < flow->block_count && item < flow->item_count);
    struct abort_lower *lower = flow->lower;
    const uint32_t length = flow_length(flow, item), origin = flow->items[item].origin;
    struct flow_point point = {.flow = flow,
                               .lower = lower,
                               .block = block,
                               .item = flow->items[item].previous,
                               .origin = origin};
    uint32_t words[5] = {0};
    for (uint32_t i = 0; i < ARRAY_LENGTH(words) && i < length; i++)
        words[i] = flow_words(flow, item)[i];
    flow_remove(flow, block, item);
    for (uint32_t i = 0; i < 3; i++) /* "must each be a 32-bit unsigned integer value" */
        FLOW_EMIT(&point, SpvOpStore, lower->tasks.groups[i], words[i + 1]);
    flow_return(&point, true);
    lower->tasks.origin = origin;
    if (words[4])
        lower->tasks.payload = words[4];
}

/* Gives the function another id, in its debug information, too, as the entry point keeps the old
 * id. */
static void rename_body(struct flow *flow)
{
    struct abort_lower *lower = flow->lower;
    abort_at(lower, lower->module->instructions[flow->function->first].offset)[2] =
        lower->tasks.body;
    for (uint32_t item = flow->blocks[1].first; item; item = flow->items[item].next) {
        for (uint32_t i = 5; flow_opcode(flow, item) == SpvOpExtInst && i < flow_length(flow, item);
             i++) {
            if (flow_words(flow, item)[i] == lower->entry)
                flow_words(flow, item)[i] = lower->tasks.body;
        }
    }
}

void tasks_note(struct flow *flow)
{
    if (flow->function->id == flow->lower->entry)
        rename_body(flow);
    for (uint32_t block = 1; block < flow->block_count && !flow->lower->failed; block++) {
        if (flow_opcode(flow, flow->blocks[block].last) == SpvOpEmitMeshTasksEXT)
            flow_note(flow, block, flow->blocks[block].last);
    }
}

void tasks_write(struct abort_lower *lower)
{
    struct spirv_edit *edit = &lower->edit;
    if (!lower->tasks.body || lower->failed)
        return;
    struct flow_point to = {.lower = lower, .origin = SPIRV_NONE};
    const uint32_t u32 = spirv_edit_type_u32(edit), nothing = spirv_edit_type_void(edit);
    FLOW_EMIT(&to, SpvOpFunction, nothing, lower->entry, SpvFunctionControlMaskNone,
              spirv_edit_type_function(edit, nothing, NULL, 0));
    FLOW_EMIT(&to, SpvOpLabel, spirv_edit_id(edit));
    (void)FLOW_VALUE(&to, SpvOpFunctionCall, nothing, lower->tasks.body);
    uint32_t words[4] = {0};
    for (uint32_t i = 0; i < 3; i++)
        words[i] = FLOW_VALUE(&to, SpvOpLoad, u32, lower->tasks.groups[i]);
    /* 0: the shader has no payload, and the operand is left out. */
    words[3] = lower->tasks.payload;
    to.origin = lower->tasks.origin;
    flow_emit(&to, SpvOpEmitMeshTasksEXT, words, words[3] ? 4 : 3);
    to.origin = SPIRV_NONE;
    flow_emit(&to, SpvOpFunctionEnd, NULL, 0);
}
