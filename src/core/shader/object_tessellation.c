/* Checks that linked tessellation shader objects have the same modes for the tessellator
 * (vkCreateShadersEXT). */
#include "core/hooks.h"
#include "core/shader/tessellation_modes.h"
#include "report/finding/finding.h"
#include "spirv/module/reflect.h"
#include "state/pipeline/shader.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

/* `missing` is VUID_COUNT if no rule demands the mode */
static const struct {
    enum vuid missing, different;
} rules[] = {
    [TESSELLATION_SUBDIVISION] = {VUID_COUNT, VUID_vkCreateShadersEXT_pCreateInfos_08867},
    [TESSELLATION_ORIENTATION] = {VUID_vkCreateShadersEXT_pCreateInfos_12224,
                                  VUID_vkCreateShadersEXT_pCreateInfos_08868},
    [TESSELLATION_SPACING] = {VUID_vkCreateShadersEXT_pCreateInfos_12225,
                              VUID_vkCreateShadersEXT_pCreateInfos_08870},
};

/* One of the two tessellation shaders. */
struct side {
    struct shader *shader;                 /* a reference that this struct holds */
    const struct spirv_entry_point *entry; /* NULL if it is not known */
};

/* Reads the linked shader of one stage. Its `shader` is NULL if there is none, or if its code
 * cannot be read. */
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

/* Checks that linked tessellation shaders declare one mode of a choice, and the same one. `index`
 * is that of the choice. */
static bool check_choice(const struct call *call, uint32_t index, const struct side *control,
                         const struct side *evaluation)
{
    const struct tessellation_choice *choice = &tessellation_choices[index];
    const uint32_t first = tessellation_mode(choice, control->shader->reflection, control->entry),
                   second =
                       tessellation_mode(choice, evaluation->shader->reflection, evaluation->entry);
    const struct location *where = &LOCATION(NULL, "pCreateInfos");
    /* at least one must contain an OpExecutionMode instruction specifying it */
    if (first == UINT32_MAX && second == UINT32_MAX)
        return rules[index].missing != VUID_COUNT &&
               BROKEN_BY(call, rules[index].missing, where, NULL,
                         "has linked tessellation shaders of which none has an execution mode that "
                         "says %s",
                         choice->what);
    struct subject s = {.call = call};
    /* if both do, they must be the same */
    REQUIRE(&s, rules[index].different,
            first == UINT32_MAX || second == UINT32_MAX || first == second, where,
            "has linked tessellation shaders whose execution modes say different things of %s",
            choice->what);
    return s.skip;
}

/* Checks that linked tessellation shaders have the same patch size, if both declare it. */
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
        for (uint32_t i = 0; i < ARRAY_LENGTH(tessellation_choices); i++)
            skip |= check_choice(call, i, &control, &evaluation);
        skip |= check_patch_size(call, &control, &evaluation);
    }
    shader_release(control.shader);
    shader_release(evaluation.shader);
    return skip;
}
