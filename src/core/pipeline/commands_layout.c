/* Checks the tokens of layouts of generated commands against one another (33 "Device-Generated
 * Commands", VkIndirectCommandsLayoutCreateInfoEXT). Most of what they must hold are rows. */
#include "core/core.h"
#include "core/hooks.h"
#include "report/muting/rows_broken.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/graphics_info.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Stages of ray tracing pipelines. */
#define RAY_TRACING_STAGES                                                \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)
/* Stages of graphics pipelines. */
#define GRAPHICS_STAGES \
    (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* Tokens that write push constants or push data. */
static bool token_pushes(VkIndirectCommandsTokenTypeEXT type)
{
    return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT;
}

/* The range of a token that pushes constants or data; NULL: it is another token. */
static const VkPushConstantRange *range_of(const VkIndirectCommandsLayoutTokenEXT *token)
{
    return token_pushes(token->type) && !pointer_is_bad(token->data.pPushConstant)
               ? &token->data.pPushConstant->updateRange
               : NULL;
}

/* True if two ranges have a byte in common. */
static bool push_ranges_overlap(const VkPushConstantRange *a, const VkPushConstantRange *b)
{
    return a->offset < (uint64_t)b->offset + b->size && b->offset < (uint64_t)a->offset + a->size;
}

/* A token, and those before it. */
static void check_before(struct subject *s, const VkIndirectCommandsLayoutTokenEXT *tokens,
                         uint32_t i)
{
    const VkIndirectCommandsLayoutTokenEXT *token = &tokens[i];
    const VkPushConstantRange *range = range_of(token);
    for (uint32_t k = 0; k < i; k++) {
        const VkPushConstantRange *other = range_of(&tokens[k]);
        /* For all ... type tokens in pTokens, there must be no overlapping ranges between any
         * specified push constant ranges */
        if (range && other && push_ranges_overlap(range, other))
            BROKEN(s, VUID_VkIndirectCommandsLayoutCreateInfoEXT_pTokens_11099,
                   "data.pPushConstant->updateRange",
                   "has %u bytes from byte %u on, but pTokens[%u] updates %u from byte %u on",
                   range->size, range->offset, k, other->size, other->offset);
        /* there must be no duplicate VkIndirectCommandsVertexBufferTokenEXT::vertexBindingUnit */
        if (token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT &&
            tokens[k].type == token->type && !pointer_is_bad(token->data.pVertexBuffer) &&
            !pointer_is_bad(tokens[k].data.pVertexBuffer))
            REQUIRE(s, VUID_VkIndirectCommandsLayoutCreateInfoEXT_pTokens_11097,
                    token->data.pVertexBuffer->vertexBindingUnit !=
                        tokens[k].data.pVertexBuffer->vertexBindingUnit,
                    "data.pVertexBuffer->vertexBindingUnit", "is %u, as in pTokens[%u]",
                    token->data.pVertexBuffer->vertexBindingUnit, k);
    }
    /* the offset must be greater than or equal to the offset member of the previous tokens */
    if (i)
        REQUIRE(s, VUID_VkIndirectCommandsLayoutCreateInfoEXT_pTokens_11103,
                token->offset >= tokens[i - 1].offset, "offset",
                "is %u, but that of pTokens[%u] is %u", token->offset, i - 1, tokens[i - 1].offset);
}

/* updateRange must be contained within the push constant info used by
 * VkIndirectCommandsLayoutCreateInfoEXT */
static void commands_layout_check_range(struct subject *s,
                                        const VkIndirectCommandsLayoutTokenEXT *token,
                                        const VkPushConstantRange *ranges, uint32_t count)
{
    const VkPushConstantRange *range = range_of(token);
    if (!range || (token->type != VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT &&
                   token->type != VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT))
        return;
    /* Ranges of several stages may lie side by side: they are followed from the first byte on. */
    const uint64_t end = (uint64_t)range->offset + range->size;
    uint64_t covered = range->offset;
    for (uint32_t i = 0; i < count && covered < end;) {
        const uint64_t end_of = (uint64_t)ranges[i].offset + ranges[i].size;
        const bool further = ranges[i].offset <= covered && end_of > covered;
        covered = further ? end_of : covered;
        i = further ? 0 : i + 1;
    }
    REQUIRE(s, VUID_VkIndirectCommandsPushConstantTokenEXT_updateRange_11132, covered >= end,
            "data.pPushConstant->updateRange",
            "has %u bytes from byte %u on, which lie in no push constant range of the layout",
            range->size, range->offset);
}

bool core_validate_CreateIndirectCommandsLayoutEXT(struct call *call, VkDevice device,
                                                   const VkIndirectCommandsLayoutCreateInfoEXT
                                                       *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkIndirectCommandsLayoutEXT
                                                       *pIndirectCommandsLayout)
{
    const VkIndirectCommandsLayoutCreateInfoEXT *info = pCreateInfo;
    const struct location create = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct pipeline_layout *layout = find_pipeline_layout(call, info->pipelineLayout);
    const VkPipelineLayoutCreateInfo *chained = CHAINED(info->pNext, PIPELINE_LAYOUT_CREATE_INFO);
    struct subject whole = {.call = call, .where = &create};
    const VkShaderStageFlags groups[] = {GRAPHICS_STAGES, VK_SHADER_STAGE_COMPUTE_BIT,
                                         RAY_TRACING_STAGES};
    uint32_t kinds = 0;
    if (rows_were_broken()) /* of the same tokens */
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++)
        kinds += (info->shaderStages & groups[i]) != 0;
    /* The shaderStages must only contain stages from one of the following */
    REQUIRE(&whole, VUID_VkIndirectCommandsLayoutCreateInfoEXT_shaderStages_11112,
            kinds <= 1 || (info->shaderStages == VK_SHADER_STAGE_ALL &&
                           subject_has(&whole, FEATURE_descriptorHeap)),
            "shaderStages", "is %s, which has stages of more than one bind point",
            TEXT_OF(VkShaderStageFlags, info->shaderStages));
    bool skip = whole.skip;
    for (uint32_t i = 0; i < info->tokenCount && !whole.wrong; i++) {
        const struct location at = LOCATION_INDEX(&create, "pTokens", i);
        struct subject s = {.call = call, .where = &at};
        check_before(&s, info->pTokens, i);
        if (layout)
            commands_layout_check_range(&s, &info->pTokens[i], layout->push_constants,
                                        layout->push_constant_count);
        else if (chained && !pointer_is_bad(chained->pPushConstantRanges))
            commands_layout_check_range(&s, &info->pTokens[i], chained->pPushConstantRanges,
                                        chained->pushConstantRangeCount);
        skip |= s.skip;
    }
    return skip;
}
