/* Checks shader objects that are created together (10.2 "Shader Objects"). code.c checks their
 * code. */
#include "core/hooks.h"
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "vk/pointer.h"

/* The two stages of tessellation. */
#define STAGES_TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
/* The stages before rasterization of a pipeline with a vertex shader. */
#define STAGES_GEOMETRIC \
    (VK_SHADER_STAGE_VERTEX_BIT | STAGES_TESSELLATION | VK_SHADER_STAGE_GEOMETRY_BIT)
#define STAGES_PRIMITIVE (STAGES_GEOMETRIC | VK_SHADER_STAGE_FRAGMENT_BIT)
#define STAGES_MESH      (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)
/* Checks that the push constant ranges of a shader object do not share a stage. */
static bool check_shader_object(const struct call *call, const struct location *where,
                                const VkShaderCreateInfoEXT *info)
{
    struct subject s = {.call = call, .where = where};
    for (uint32_t i = 0;
         i < info->pushConstantRangeCount && !pointer_is_bad(info->pPushConstantRanges); i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (info->pPushConstantRanges[i].stageFlags & info->pPushConstantRanges[k].stageFlags) {
                BROKEN(&s, VUID_VkShaderCreateInfoEXT_pPushConstantRanges_10063,
                       &LOCATION(&LOCATION_INDEX(where, "pPushConstantRanges", i), "stageFlags"),
                       "shares a stage with pPushConstantRanges[%u]", k);
                return s.skip;
            }
        }
    }
    return s.skip;
}

/* --- objects that are linked --- */

/* The logically earliest of `stages` that follows `stage`; 0 if none does, or if one pipeline
 * cannot have both. */
static VkShaderStageFlags following_stage(VkShaderStageFlags stage, VkShaderStageFlags stages)
{
    static const VkShaderStageFlags primitive[] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    static const VkShaderStageFlags mesh[] = {
        VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
    bool of_mesh = stage & STAGES_MESH, passed = false;
    const VkShaderStageFlags *order = of_mesh ? mesh : primitive;
    for (size_t i = 0; i < (of_mesh ? ARRAY_LENGTH(mesh) : ARRAY_LENGTH(primitive)); i++) {
        if (passed && stages & order[i])
            return order[i];
        passed |= order[i] == stage;
    }
    return 0;
}

/* For each element whose flags includes LINK_STAGE, if there is any other element whose stage is
 * logically later and whose flags also includes it, nextStage must be equal to the stage of the
 * logically earliest one */
static bool check_linked_next(const struct call *call, uint32_t count,
                              const VkShaderCreateInfoEXT *infos, VkShaderStageFlags linked)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < count; i++) {
        VkShaderStageFlags next = following_stage(infos[i].stage, linked);
        if (!(infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) || !next)
            continue;
        REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08409, infos[i].nextStage == next,
                &LOCATION(&LOCATION_INDEX(NULL, "pCreateInfos", i), "nextStage"),
                "is %s, but the next stage that is linked with it is %s",
                value_text(VALUES_VkShaderStageFlags, infos[i].nextStage).text,
                value_text(VALUES_VkShaderStageFlags, next).text);
    }
    return s.skip;
}

/* If the flags member of any element of pCreateInfos includes VK_SHADER_CREATE_LINK_STAGE_BIT_EXT
 * and VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, the flags member of all other elements whose stage
 * is one of graphics must also include VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT */
static bool check_linked_heaps(const struct call *call, uint32_t count,
                               const VkShaderCreateInfoEXT *infos)
{
    const VkShaderCreateFlagsEXT both =
        VK_SHADER_CREATE_LINK_STAGE_BIT_EXT | VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
    struct subject s = {.call = call};
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any |= (infos[i].flags & both) == both;
    for (uint32_t i = 0; any && i < count; i++)
        REQUIRE(&s, VUID_vkCreateShadersEXT_flags_11472,
                infos[i].flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ||
                    !(infos[i].stage &
                      (STAGES_PRIMITIVE | STAGES_MESH | VK_SHADER_STAGE_FRAGMENT_BIT)),
                &LOCATION(&LOCATION_INDEX(NULL, "pCreateInfos", i), "flags"),
                "is without VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, which another element has "
                "beside VK_SHADER_CREATE_LINK_STAGE_BIT_EXT");
    return s.skip;
}

/* Checks the shader objects that are to be linked, and the others that the same call creates. */
static bool check_linked(const struct call *call, uint32_t count,
                         const VkShaderCreateInfoEXT *infos)
{
    const struct location *where = &LOCATION(NULL, "pCreateInfos");
    VkShaderStageFlags linked = 0, unlinked = 0, no_task = 0;
    struct subject s = {.call = call};
    int32_t first = -1;
    for (uint32_t i = 0; i < count; i++) {
        VkShaderStageFlags stage = infos[i].stage;
        if (!(infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT)) {
            unlinked |= stage;
            continue;
        }
        REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08410, !(linked & stage),
                &LOCATION_INDEX(NULL, "pCreateInfos", i),
                "is linked and of the same stage as an earlier element");
        if (first >= 0)
            REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08411,
                    infos[i].codeType == infos[first].codeType,
                    &LOCATION(&LOCATION_INDEX(NULL, "pCreateInfos", i), "codeType"),
                    "is not that of pCreateInfos[%d], which is linked, too", first);
        else
            first = (int32_t)i;
        linked |= stage;
        if (stage == VK_SHADER_STAGE_MESH_BIT_EXT &&
            infos[i].flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT)
            no_task |= stage;
    }
    if (!linked)
        return false;
    s.skip |=
        check_linked_next(call, count, infos, linked) | check_linked_heaps(call, count, infos);
    REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08402, !(unlinked & STAGES_PRIMITIVE), where,
            "has VK_SHADER_CREATE_LINK_STAGE_BIT_EXT in some graphics stages and not in others");
    REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08403, !(unlinked & STAGES_MESH), where,
            "has VK_SHADER_CREATE_LINK_STAGE_BIT_EXT in some stages and not in the task or "
            "mesh shader");
    REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08404,
            !(linked & STAGES_MESH) || !(linked & STAGES_GEOMETRIC), where,
            "links task or mesh shaders with stages of primitive shading");
    REQUIRE(&s, VUID_vkCreateShadersEXT_pCreateInfos_08405,
            !no_task || !(linked & VK_SHADER_STAGE_TASK_BIT_EXT), where,
            "links a task shader with a mesh shader that has "
            "VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT");
    return s.skip;
}

bool core_validate_CreateShadersEXT(struct call *call, VkDevice device, uint32_t createInfoCount,
                                    const VkShaderCreateInfoEXT *pCreateInfos,
                                    const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        skip |= check_shader_object(call, where, &pCreateInfos[i]) |
                check_custom_resolve(call, where, pCreateInfos[i].pNext);
    }
    return skip | check_linked(call, createInfoCount, pCreateInfos);
}
