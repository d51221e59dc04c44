/* Checks that linked tessellation shader objects agree on what the tessellator does
 * (vkCreateShadersEXT). */
#include "core/hooks.h"
#include "core/rule.h"
#include "report/finding.h"
#include "spirv/reflect.h"
#include "state/shader.h"
#include "vk/pointer.h"

#include <spirv/unified1/spirv.h>

/* Execution modes of which a stage has one at most. */
struct mode_choice {
    const char *what;
    enum vuid missing, different; /* VUID_COUNT: it may be missing */
    uint32_t modes[3], count;
};
static const struct mode_choice choices[] = {
    {"the type of subdivision (Triangles, Quads or Isolines)",
     VUID_COUNT,
     VUID_vkCreateShadersEXT_pCreateInfos_08867,
     {SpvExecutionModeTriangles, SpvExecutionModeQuads, SpvExecutionModeIsolines},
     3},
    {"the orientation of triangles (VertexOrderCw or VertexOrderCcw)",
     VUID_vkCreateShadersEXT_pCreateInfos_12224,
     VUID_vkCreateShadersEXT_pCreateInfos_08868,
     {SpvExecutionModeVertexOrderCw, SpvExecutionModeVertexOrderCcw},
     2},
    {"the spacing of segments (SpacingEqual, SpacingFractionalEven or SpacingFractionalOdd)",
     VUID_vkCreateShadersEXT_pCreateInfos_12225,
     VUID_vkCreateShadersEXT_pCreateInfos_08870,
     {SpvExecutionModeSpacingEqual, SpvExecutionModeSpacingFractionalEven,
      SpvExecutionModeSpacingFractionalOdd},
     3},
};

/* One of the two shaders. */
struct side {
    struct shader *shader; /* held */
    const struct spirv_entry_point *entry;
};

static struct side side_of(uint32_t count, const VkShaderCreateInfoEXT *infos,
                           VkShaderStageFlagBits stage)
{
    assert(infos || !count);
    struct side side = {0};
    for (uint32_t i = 0; i < count && !side.shader; i++) {
        const VkShaderCreateInfoEXT *info = &infos[i];
        if (info->stage != stage || !(info->flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) ||
            info->codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || pointer_is_bad(info->pName) ||
            pointer_is_bad(info->pCode) || info->codeSize % 4 || (uintptr_t)info->pCode % 4)
            continue;
        side.shader = shader_of_code(info->pCode, info->codeSize);
        side.entry = shader_entry(side.shader, stage, info->pName);
    }
    return side;
}

static uint32_t mode_of(const struct side *side, const struct mode_choice *choice)
{
    assert(side->shader && side->entry && choice);
    for (uint32_t i = 0; i < choice->count; i++) {
        if (spirv_mode_find(side->shader->reflection, side->entry, choice->modes[i]))
            return choice->modes[i];
    }
    return UINT32_MAX;
}

static bool check_choice(const struct call *call, const struct mode_choice *choice,
                         const struct side *control, const struct side *evaluation)
{
    const uint32_t first = mode_of(control, choice), second = mode_of(evaluation, choice);
    const struct location *where = &LOCATION(NULL, "pCreateInfos");
    /* at least one must contain an OpExecutionMode instruction specifying it */
    if (first == UINT32_MAX && second == UINT32_MAX)
        return choice->missing != VUID_COUNT && finding(call, choice->missing, where, NULL,
                                                        "has linked tessellation shaders of which "
                                                        "none has an execution mode that says %s",
                                                        choice->what);
    struct subject s = {.call = call};
    /* if both do, they must be the same */
    REQUIRE(&s, choice->different, first == UINT32_MAX || second == UINT32_MAX || first == second,
            where,
            "has linked tessellation shaders whose execution modes say different things of %s",
            choice->what);
    return s.skip;
}

static bool check_patch_size(const struct call *call, const struct side *control,
                             const struct side *evaluation)
{
    const struct spirv_execution_mode *first = spirv_mode_find(control->shader->reflection,
                                                               control->entry,
                                                               SpvExecutionModeOutputVertices),
                                      *second = spirv_mode_find(evaluation->shader->reflection,
                                                                evaluation->entry,
                                                                SpvExecutionModeOutputVertices);
    struct subject s = {.call = call};
    if (first && second)
        REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08871,
                first->operands[0] == second->operands[0], "pCreateInfos",
                "has a tessellation control shader with patches of %u vertices, linked with an "
                "evaluation shader with patches of %u",
                first->operands[0], second->operands[0]);
    return s.skip;
}

bool core_validate_CreateShadersEXT_tessellation(struct call *call, VkDevice device,
                                                 uint32_t createInfoCount,
                                                 const VkShaderCreateInfoEXT *pCreateInfos,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkShaderEXT *pShaders)
{
    if (createInfoCount < 2 || !call->instance->settings.check_shaders)
        return false;
    const struct side control = side_of(createInfoCount, pCreateInfos,
                                        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT),
                      evaluation = side_of(createInfoCount, pCreateInfos,
                                           VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
    bool skip = false;
    if (control.entry && evaluation.entry) {
        for (uint32_t i = 0; i < ARRAY_LENGTH(choices); i++)
            skip |= check_choice(call, &choices[i], &control, &evaluation);
        skip |= check_patch_size(call, &control, &evaluation);
    }
    shader_release(control.shader);
    shader_release(evaluation.shader);
    return skip;
}
