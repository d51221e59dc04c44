/* Checks the tokens of a layout of generated commands against each other (33 "Device-Generated
 * Commands", VkIndirectCommandsLayoutCreateInfoEXT). Most rules about them are rows. */
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

/* True for tokens that write push constants or push data. */
static bool token_pushes(VkIndirectCommandsTokenTypeEXT type)
{
    return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT;
}

/* The range of a token that pushes constants or data; NULL: another kind of token. */
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

/* Checks a token against those before it. */
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
    /* Ranges of several stages may be adjacent, so the search continues from the end of each. */
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

/* Checks what one token says by itself. Tokens of mesh shaders take a feature. */
static void commands_layout_check_token(struct subject *s,
                                        const VkIndirectCommandsLayoutTokenEXT *token)
{
    const VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT *limits =
        &s->call->device->extended.DeviceGeneratedCommandsPropertiesEXT;
    const VkShaderStageFlags supported =
        limits->supportedIndirectCommandsShaderStagesPipelineBinding |
        limits->supportedIndirectCommandsShaderStagesShaderBinding;
    const VkPushConstantRange *range = range_of(token);
    const bool index = token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT ||
                       token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT;
    /* If the token type is ..._PUSH_DATA_SEQUENCE_INDEX_EXT or ..._SEQUENCE_INDEX_EXT, the size
     * member of updateRange must be 4 */
    if (range && index)
        REQUIRE(s, VUID_VkIndirectCommandsPushConstantTokenEXT_size_11133, range->size == 4,
                "data.pPushConstant->updateRange.size", "is %u, but an index has 4 bytes",
                range->size);
    /* Each bit in shaderStages must be supported by
     * supportedIndirectCommandsShaderStagesPipelineBinding or ...ShaderBinding */
    if (token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT && supported &&
        !pointer_is_bad(token->data.pExecutionSet))
        REQUIRE(s, VUID_VkIndirectCommandsExecutionSetTokenEXT_shaderStages_11137,
                !(token->data.pExecutionSet->shaderStages & ~supported),
                "data.pExecutionSet->shaderStages",
                "is %s, but the device can choose among shaders of %s only",
                TEXT_OF(VkShaderStageFlags, token->data.pExecutionSet->shaderStages),
                TEXT_OF(VkShaderStageFlags, supported));
}

/* If meshShader or taskShader are not enabled, type must not be ..._DRAW_MESH_TASKS_EXT (and its
 * sisters). Meshes are drawn without task shaders as well, so both must be off. */
static void commands_layout_check_mesh(struct subject *s, VkIndirectCommandsTokenTypeEXT type)
{
    const bool mesh = type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT ||
                      type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT ||
                      type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT ||
                      type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT;
    REQUIRE(s, VUID_VkIndirectCommandsLayoutTokenEXT_meshShader_11126,
            !mesh || subject_has(s, FEATURE_MeshShaderFeaturesEXT_meshShader) ||
                subject_has(s, FEATURE_MeshShaderFeaturesEXT_taskShader) ||
                subject_has(s, FEATURE_MeshShaderFeaturesNV_meshShader) ||
                subject_has(s, FEATURE_MeshShaderFeaturesNV_taskShader),
            "type", "is %s, but neither meshShader nor taskShader is enabled",
            TEXT_OF(VkIndirectCommandsTokenTypeEXT, type));
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
    if (rows_were_broken()) /* rows about the same tokens */
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
        commands_layout_check_mesh(&s, info->pTokens[i].type);
        commands_layout_check_token(&s, &info->pTokens[i]);
        check_before(&s, info->pTokens, i);
        if (s.wrong) /* the ranges follow from what the token is */
            skip |= s.skip;
        else if (layout)
            commands_layout_check_range(&s, &info->pTokens[i], layout->push_constants,
                                        layout->push_constant_count);
        else if (chained && !pointer_is_bad(chained->pPushConstantRanges))
            commands_layout_check_range(&s, &info->pTokens[i], chained->pPushConstantRanges,
                                        chained->pushConstantRangeCount);
        skip |= s.skip;
    }
    return skip;
}

/* --- VK_NV_device_generated_commands --- */

/* Tokens that act; all others set state. */
static bool token_acts(VkIndirectCommandsTokenTypeNV type)
{
    return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_NV ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV;
}

/* Checks what a token pushes by the ranges of its layout, byte by byte. */
static void commands_layout_check_push(struct subject *s,
                                       const VkIndirectCommandsLayoutTokenNV *token)
{
    const struct pipeline_layout *layout =
        find_pipeline_layout(s->call, token->pushconstantPipelineLayout);
    const uint64_t end = (uint64_t)token->pushconstantOffset + token->pushconstantSize;
    const VkShaderStageFlags stages = token->pushconstantShaderStageFlags;
    /* If tokenType is VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV, pushconstantPipelineLayout
     * must be valid */
    REQUIRE(s, VUID_VkIndirectCommandsLayoutTokenNV_tokenType_02977,
            token->pushconstantPipelineLayout, "pushconstantPipelineLayout",
            "is VK_NULL_HANDLE, but the token pushes constants");
    if (!layout)
        return;
    VkShaderStageFlags missing = 0;
    for (VkShaderStageFlags left = stages; left; left &= left - 1) {
        const VkShaderStageFlags stage = left & (~left + 1);
        uint64_t covered = token->pushconstantOffset;
        for (uint32_t i = 0; i < layout->push_constant_count && covered < end;) {
            const VkPushConstantRange *range = &layout->push_constants[i];
            const uint64_t end_of = (uint64_t)range->offset + range->size;
            const bool further =
                range->stageFlags & stage && range->offset <= covered && end_of > covered;
            covered = further ? end_of : covered;
            i = further ? 0 : i + 1;
        }
        missing |= covered < end ? stage : 0;
    }
    /* for each byte in the range ... and for each shader stage ..., there must be a push constant
     * range in pushconstantPipelineLayout that includes that byte and that stage */
    REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE_LAYOUT, token->pushconstantPipelineLayout),
               VUID_VkIndirectCommandsLayoutTokenNV_tokenType_02982, !missing,
               "pushconstantPipelineLayout",
               "has no range of %s for all of bytes %u to %" PRIu64 ", which the token pushes",
               TEXT_OF(VkShaderStageFlags, missing), token->pushconstantOffset, end - 1);
    /* for each push constant range that overlaps that byte, pushconstantShaderStageFlags must
     * include all stages in that push constant range's stageFlags */
    for (uint32_t i = 0; i < layout->push_constant_count && !missing; i++) {
        const VkPushConstantRange *range = &layout->push_constants[i];
        REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE_LAYOUT, token->pushconstantPipelineLayout),
                   VUID_VkIndirectCommandsLayoutTokenNV_tokenType_02983,
                   range->offset >= end ||
                       (uint64_t)range->offset + range->size <= token->pushconstantOffset ||
                       !(range->stageFlags & ~stages),
                   "pushconstantShaderStageFlags",
                   "is %s, but range %u of the layout, which has some of the bytes, is of %s",
                   TEXT_OF(VkShaderStageFlags, stages), i,
                   TEXT_OF(VkShaderStageFlags, range->stageFlags));
    }
}

/* Checks one token of the NV extension by the layout that it is in, and by limits. */
static void commands_layout_check_nv(struct subject *s,
                                     const VkIndirectCommandsLayoutCreateInfoNV *info,
                                     const VkIndirectCommandsLayoutTokenNV *token)
{
    const uint32_t bindings = s->call->device->properties.limits.maxVertexInputBindings;
    const bool addresses = token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_NV ||
                           token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV ||
                           token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV;
    const uint32_t scalar = addresses ? sizeof(VkDeviceAddress) : sizeof(uint32_t),
                   limit = s->call->device->extended.DeviceGeneratedCommandsPropertiesNV
                               .minIndirectCommandsBufferOffsetAlignment,
                   alignment = limit < scalar ? limit : scalar;
    REQUIRE(s, VUID_VkIndirectCommandsLayoutTokenNV_stream_02951, token->stream < info->streamCount,
            "stream", "is %u, but the layout has %u streams (streamCount)", token->stream,
            info->streamCount);
    /* offset must be aligned to the scalar alignment of tokenType or
     * minIndirectCommandsBufferOffsetAlignment, whichever is lower */
    if (alignment)
        REQUIRE(s, VUID_VkIndirectCommandsLayoutTokenNV_offset_06888,
                token->offset % alignment == 0, "offset",
                "is %u, which is not a multiple of %u, as %s needs", token->offset, alignment,
                TEXT_OF(VkIndirectCommandsTokenTypeNV, token->tokenType));
    /* If tokenType is VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV, vertexBindingUnit must stay
     * within device supported limits for the appropriate commands */
    if (token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV)
        REQUIRE(s, VUID_VkIndirectCommandsLayoutTokenNV_tokenType_02976,
                token->vertexBindingUnit < bindings, "vertexBindingUnit",
                "is %u, but maxVertexInputBindings is %u", token->vertexBindingUnit, bindings);
    if (token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV)
        commands_layout_check_push(s, token);
}

bool core_validate_CreateIndirectCommandsLayoutNV(struct call *call, VkDevice device,
                                                  const VkIndirectCommandsLayoutCreateInfoNV
                                                      *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkIndirectCommandsLayoutNV
                                                      *pIndirectCommandsLayout)
{
    const VkIndirectCommandsLayoutCreateInfoNV *info = pCreateInfo;
    const struct location create = LOCATION_POINTER(NULL, "pCreateInfo");
    const bool compute = info->pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE;
    struct subject whole = {.call = call, .where = &create};
    uint32_t actions = 0, other = 0; /* tokens that act, and those of the other bind point */
    bool skip = false;
    if (rows_were_broken()) /* of the same tokens */
        return false;
    for (uint32_t i = 0; i < info->tokenCount; i++) {
        const VkIndirectCommandsLayoutTokenNV *token = &info->pTokens[i];
        const struct location at = LOCATION_INDEX(&create, "pTokens", i);
        struct subject s = {.call = call, .where = &at};
        const bool acts = token_acts(token->tokenType);
        /* All state tokens in pTokens must occur before any action command tokens */
        REQUIRE(&s, VUID_VkIndirectCommandsLayoutCreateInfoNV_pTokens_02934, acts || !actions,
                "tokenType", "is %s, after a token that draws or dispatches",
                TEXT_OF(VkIndirectCommandsTokenTypeNV, token->tokenType));
        commands_layout_check_nv(&s, info, token);
        actions += acts;
        other +=
            acts && compute != (token->tokenType == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV);
        skip |= s.skip;
    }
    /* The content of pTokens must include one single action command token that is compatible with
     * the pipelineBindPoint */
    REQUIRE(&whole, VUID_VkIndirectCommandsLayoutCreateInfoNV_pTokens_02935, actions == 1 && !other,
            "pTokens", "has %u tokens that draw or dispatch, %u of them not for %s: it needs one",
            actions, other, TEXT_OF(VkPipelineBindPoint, info->pipelineBindPoint));
    return skip | whole.skip;
}
