/* Checks that each stage of a pipeline selects an entry point that the device and the pipeline
 * layout can take. It walks the stages of all kinds of pipelines. */
#include "core/shader/stage.h"

#include <inttypes.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "vk/chain.h"

static const char *model_name(uint32_t model)
{
    const struct spirv_enumerant *enumerant = spirv_enumerant(SPIRV_KIND_ExecutionModel, model);
    return enumerant ? enumerant->name : "nothing";
}

struct shader_stage shader_stage_begin(const struct call *call,
                                       const VkPipelineShaderStageCreateInfo *info,
                                       const struct location *where)
{
    assert(info && where);
    struct shader_stage stage = {.shader = shader_of_stage(call, info),
                                 .stage = info->stage,
                                 .name = info->pName,
                                 .module = (uint64_t)info->module,
                                 .where = where};
    if (pointer_is_bad(info->pName))
        return stage;
    stage.reflection = stage.shader ? stage.shader->reflection : NULL;
    stage.entry = shader_entry(stage.shader, info->stage, info->pName);
    stage.specialization = shader_specialization(info->pSpecializationInfo);
    stage.mapped =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT) != NULL;
    return stage;
}

void shader_stage_end(struct shader_stage *stage)
{
    assert(stage);
    shader_release(stage->shader);
    stage->shader = NULL;
}

/* The shader code must be valid after specialization: an array has one element at least.
 * SPIRV-Tools does not know the specialized values. */
static bool check_specialized_arrays(const struct call *call, const struct shader_stage *stage,
                                     const struct location *map)
{
    const enum rule rule =
        stage_rule(stage, (enum rule)VUID_VkPipelineShaderStageCreateInfo_pSpecializationInfo_06849,
                   VUID_VkShaderCreateInfoEXT_pCode_08460);
    const struct spirv_reflection *reflection = stage->reflection;
    struct subject s = {.call = call};
    for (uint32_t i = 0; stage->specialization.count && i < reflection->type_count && !s.wrong;
         i++) {
        const struct spirv_type *type = &reflection->types[i];
        uint64_t length;
        if (type->opcode != SpvOpTypeArray ||
            !spirv_constant_value(reflection, type->length_id, &stage->specialization, &length) ||
            length)
            continue;
        const struct spirv_constant *constant = spirv_constant_find(reflection, type->length_id);
        BROKEN_OF(&s, STAGE_OBJECT(stage), STOPS(rule), map,
                  "makes %s 0, which is the length of an array in the shader",
                  constant ? shader_text(stage, constant->name) : "a constant");
    }
    return s.skip;
}

bool check_stage_specialization(const struct call *call, const struct shader_stage *stage,
                                const VkSpecializationInfo *info)
{
    struct subject s = {.call = call};
    const struct location *map = &LOCATION_POINTER(stage->where, "pSpecializationInfo");
    for (uint32_t i = 0; i < stage->specialization.count; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        const struct spirv_constant *constant =
            spirv_spec_constant_find(stage->reflection, entry->constantID);
        if (!constant)
            continue;
        /* For a constantID specialization constant declared in a shader, size must match the byte
         * size of the constantID. If the specialization constant is of type boolean, size must be
         * the byte size of VkBool32 */
        if (entry->size != constant->bytes)
            BROKEN(&s, VUID_VkSpecializationMapEntry_constantID_00776,
                   &LOCATION(&LOCATION_INDEX(map, "pMapEntries", i), "size"),
                   "is %zu, but the specialization constant %u (%s) of the shader "
                   "has %u bytes",
                   entry->size, entry->constantID, shader_text(stage, constant->name),
                   constant->bytes);
    }
    s.skip |= check_specialized_arrays(call, stage, map);
    return s.skip;
}

/* Checks the workgroup size that cooperative matrices require. `effective` is the subgroup size, or
 * 0 if it is not known. */
static bool check_matrices(const struct call *call, const struct shader_stage *stage,
                           const uint32_t size[3], uint32_t effective)
{
    const VkPhysicalDeviceCooperativeMatrix2PropertiesNV *matrices =
        &call->device->extended.CooperativeMatrix2PropertiesNV;
    const uint64_t total = (uint64_t)size[0] * size[1] * size[2];
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    /* If module uses OpTypeCooperativeMatrixKHR with a Scope equal to Subgroup, then the local
     * workgroup size in the X dimension must be a multiple of the effective subgroup size */
    if (effective && size[0] % effective && stage_uses_matrices_of(stage, SpvScopeSubgroup))
        BROKEN(&s, RULE_08987, stage->where,
               "uses cooperative matrices of the subgroup, but the local workgroup's size in X is "
               "%u, which is not a multiple of %u (the subgroup's size)",
               size[0], effective);
    if (!stage_uses_matrices_of(stage, SpvScopeWorkgroup))
        return s.skip;
    /* ... Workgroup: ... and the total local workgroup size must be a power of two multiple of the
     * effective subgroup size and must be less than or equal to
     * cooperativeMatrixWorkgroupScopeMaxWorkgroupSize */
    const uint64_t multiple = effective ? total / effective : 1;
    if (effective && (size[0] % effective || multiple & (multiple - 1)))
        BROKEN(&s, RULE_10169, stage->where,
               "uses cooperative matrices of the workgroup, but the local workgroup of %ux%ux%u is "
               "not a power of two multiple of %u (the subgroup's size)",
               size[0], size[1], size[2], effective);
    else if (matrices->sType && total > matrices->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize)
        BROKEN(&s, RULE_10169, stage->where,
               "uses cooperative matrices of the workgroup, but the local workgroup of %ux%ux%u is "
               "larger than %u (cooperativeMatrixWorkgroupScopeMaxWorkgroupSize)",
               size[0], size[1], size[2],
               matrices->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize);
    return s.skip;
}

/* Checks the workgroup size that subgroups require. */
static bool check_subgroups(const struct call *call, const struct shader_stage *stage,
                            const VkPipelineShaderStageCreateInfo *info)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    const VkPhysicalDeviceSubgroupSizeControlProperties *control =
        &call->device->extended.SubgroupSizeControlProperties;
    const VkPhysicalDeviceSubgroupProperties *subgroup = &call->device->extended.SubgroupProperties;
    const struct location *flags = &LOCATION(stage->where, "flags");
    bool full = info->flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    struct subject s = {.call = call};
    bool varying = info->flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    uint32_t size[3];
    if (!(stage->stage & (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_MESH_BIT_EXT |
                          VK_SHADER_STAGE_TASK_BIT_EXT)) ||
        !spirv_workgroup_size(stage->reflection, stage->entry, &stage->specialization, size))
        return false;
    uint64_t total = (uint64_t)size[0] * size[1] * size[2];
    if (required && required->requiredSubgroupSize) {
        uint64_t most =
            (uint64_t)required->requiredSubgroupSize * control->maxComputeWorkgroupSubgroups;
        /* the local workgroup size of the shader must be less than or equal to the product of
         * requiredSubgroupSize and maxComputeWorkgroupSubgroups */
        if (total > most)
            BROKEN_OF(&s, STAGE_OBJECT(stage), RULE_02756, stage->where,
                      "has a local workgroup of %ux%ux%u, more than %u "
                      "(requiredSubgroupSize) times %u (maxComputeWorkgroupSubgroups)",
                      size[0], size[1], size[2], required->requiredSubgroupSize,
                      control->maxComputeWorkgroupSubgroups);
        /* and flags has REQUIRE_FULL_SUBGROUPS set, the local workgroup size in the X dimension
         * must be a multiple of requiredSubgroupSize */
        if (full && size[0] % required->requiredSubgroupSize)
            BROKEN(&s, RULE_02757, flags,
                   "asks for full subgroups, but the local workgroup's size in X is %u, "
                   "which is not a multiple of %u (requiredSubgroupSize)",
                   size[0], required->requiredSubgroupSize);
    }
    /* If flags has both REQUIRE_FULL_SUBGROUPS and ALLOW_VARYING_SUBGROUP_SIZE set, the size in X
     * must be a multiple of maxSubgroupSize */
    if (full && varying && control->maxSubgroupSize && size[0] % control->maxSubgroupSize)
        BROKEN(&s, RULE_02758, flags,
               "asks for full subgroups of varying size, but the local workgroup's size "
               "in X is %u, which is not a multiple of %u (maxSubgroupSize)",
               size[0], control->maxSubgroupSize);
    /* full subgroups, not varying and no VkPipelineShaderStageRequiredSubgroupSizeCreateInfo: the
     * size must be a multiple of subgroupSize */
    if (full && !varying && !required && subgroup->subgroupSize && size[0] % subgroup->subgroupSize)
        BROKEN(&s, RULE_02759, flags,
               "asks for full subgroups, but the local workgroup's size in X is %u, which "
               "is not a multiple of %u (subgroupSize)",
               size[0], subgroup->subgroupSize);
    if (!s.wrong)
        s.skip |= check_matrices(call, stage, size,
                                 required ? required->requiredSubgroupSize
                                 : !varying && stage->reflection->version < 0x10600
                                     ? subgroup->subgroupSize
                                     : 0);
    return s.skip;
}

/* Checks rules that an entry point breaks by itself, in any pipeline. */
static bool check_entry(const struct call *call, const struct shader_stage *stage)
{
    return check_entry_limits(call, stage) | check_entry_uses(call, stage) |
           check_entry_types(call, stage) | check_entry_interface(call, stage);
}

/* The only stage that an entry point can be for; 0 if there are several. */
static VkShaderStageFlagBits stage_of_model(const struct device *device, uint32_t model)
{
    /* VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI has the same execution model */
    if (model == SpvExecutionModelGLCompute && device_has_feature(device, FEATURE_subpassShading))
        return 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        const VkShaderStageFlagBits stage = (VkShaderStageFlagBits)(1u << bit);
        if (shader_execution_model(stage) == model)
            return stage;
    }
    return 0;
}

/* True if the module has only one entry point, for one stage. All pipelines use this one, so that
 * its findings are reported when the module is created. */
static bool is_sole_entry(const struct call *call, const struct spirv_reflection *reflection)
{
    return reflection->entry_count == 1 &&
           stage_of_model(call->device, reflection->entries[0].model);
}

bool core_validate_CreateShaderModule_entry(struct call *call, VkDevice device,
                                            const VkShaderModuleCreateInfo *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkShaderModule *pShaderModule)
{
    struct subject s = {.call = call};
    if (!call->instance->settings.check_shaders || pCreateInfo->codeSize == 0)
        return false;
    struct shader *shader = shader_of_code(pCreateInfo->pCode, pCreateInfo->codeSize);
    const struct spirv_reflection *reflection = shader ? shader->reflection : NULL;
    const uint32_t count = reflection ? reflection->entry_count : 0;
    const struct location *info = &LOCATION_POINTER(NULL, "pCreateInfo");
    struct shader_stage stage = {
        .shader = shader, .reflection = reflection, .where = &LOCATION(info, "pCode")};
    if (count && is_sole_entry(call, reflection)) {
        stage.entry = &reflection->entries[0];
        stage.stage = stage_of_model(call->device, stage.entry->model);
        s.skip |= check_entry(call, &stage);
    }
    /* Entry points share variables, so that the findings of the first wrong entry point are
     * enough. */
    for (uint32_t i = 0; i < count && !s.wrong; i++) {
        stage.entry = &reflection->entries[i];
        check_entry_variables(&s, &stage);
    }
    shader_release(shader);
    return s.skip;
}

/* Checks one stage of a pipeline. `layout` is NULL if it is not known. True if the call is to be
 * skipped. */
static bool check_stage(const struct call *call, const struct shader_stage *stage,
                        const VkPipelineShaderStageCreateInfo *info,
                        const struct pipeline_layout *layout, VkPipelineCreateFlags2 flags)
{
    if (!stage->reflection || stage->reflection->entry_count == 0 ||
        shader_execution_model(stage->stage) == UINT32_MAX)
        return false;
    /* pName must be the name of an OpEntryPoint in module with an execution model that matches
     * stage */
    if (!stage->entry)
        return BROKEN_BY(call, RULE_00707, &LOCATION(stage->where, "pName"),
                         OBJECT(HANDLE_SHADER_MODULE, info->module),
                         "is \"%s\", but the shader has no entry point of that name for %s (its "
                         "first one is \"%s\", for %s)",
                         stage->name, shader_stage_name(stage->stage),
                         stage->reflection->text + stage->reflection->entries[0].name,
                         model_name(stage->reflection->entries[0].model));
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    /* findings of the module are not reported again */
    if (!stage->module)
        check_entry_variables(&s, stage);
    bool skip = s.skip;
    if (!stage->module || !is_sole_entry(call, stage->reflection))
        skip |= check_entry(call, stage);
    skip |= check_stage_limits(call, stage) | check_stage_interface_limits(call, stage);
    skip |= check_stage_uses(call, stage) | check_stage_types(call, stage);
    skip |= check_stage_indexing(call, stage, flags & VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT);
    skip |= check_stage_flags(call, stage, flags);
    skip |=
        check_stage_full_subgroups(call, stage,
                                   info->flags &
                                       VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
    skip |= check_stage_specialization(call, stage, info->pSpecializationInfo);
    skip |= check_subgroups(call, stage, info);
    const bool heap = flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    if (unlikely(stage->mapped || heap))
        skip |= check_stage_mappings(call, stage, info->pNext, heap);
    else if (layout)
        skip |= check_stage_layout(call, stage, layout);
    return skip;
}

/* The order in which work passes through the stages. Graphics stages are in the order of their
 * bits, except that task and mesh come before fragment. */
static uint32_t stage_order(VkShaderStageFlagBits stage)
{
    return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? UINT32_MAX : (uint32_t)stage;
}

/* The most stages of a create info that are checked. */
#define STAGES_MOST 8

/* Checks the shaders of a graphics pipeline, except for those of its libraries: first alone, then
 * together. */
static bool check_graphics(const struct call *call, const struct location *where,
                           const VkGraphicsPipelineCreateInfo *info)
{
    struct graphics_info storage;
    const struct graphics_info *graphics = graphics_info_of(call, info, &storage);
    struct shader_stage stages[STAGES_MOST];
    struct location places[STAGES_MOST];
    uint32_t count = 0;
    bool skip = false;
    if (!(graphics->own & (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER)) || !graphics->stages ||
        pointer_is_bad(info->pStages))
        return false;
    const struct pipeline_layout *layout =
        graphics->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT
            ? NULL
            : find_pipeline_layout(call, info->layout);
    for (uint32_t i = 0; i < info->stageCount && count < STAGES_MOST; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        bool fragment = stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
        if (!(graphics->own & (fragment ? PART_FRAGMENT_SHADER : PART_PRE_RASTERIZATION)))
            continue;
        places[count] = LOCATION_INDEX(where, "pStages", i);
        struct shader_stage begun = shader_stage_begin(call, stage, &places[count]);
        skip |= check_stage(call, &begun, stage, layout, graphics->flags);
        uint32_t at = count++;
        for (; at > 0 && stage_order(stages[at - 1].stage) > stage_order(begun.stage); at--)
            stages[at] = stages[at - 1];
        stages[at] = begun;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i].stage == VK_SHADER_STAGE_VERTEX_BIT && stages[i].entry)
            skip |= check_vertex_attributes(call, where, graphics, &stages[i]);
        if (stages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && stages[i].entry)
            skip |= check_fragment_outputs(call, where, graphics, &stages[i]);
    }
    skip |= check_stages_linked(call, where, graphics, stages, count);
    for (uint32_t i = 0; i < count; i++)
        shader_stage_end(&stages[i]);
    return skip;
}

bool core_validate_CreateGraphicsPipelines_shaders(struct call *call, VkDevice device,
                                                   VkPipelineCache pipelineCache,
                                                   uint32_t createInfoCount,
                                                   const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++)
        skip |= check_graphics(call, &LOCATION_INDEX(NULL, "pCreateInfos", i), &pCreateInfos[i]);
    return skip;
}

bool core_validate_CreateComputePipelines_shaders(struct call *call, VkDevice device,
                                                  VkPipelineCache pipelineCache,
                                                  uint32_t createInfoCount,
                                                  const VkComputePipelineCreateInfo *pCreateInfos,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++) {
        const VkComputePipelineCreateInfo *info = &pCreateInfos[i];
        const VkPipelineCreateFlags2 flags = pipeline_create_flags(info->pNext, info->flags);
        bool heap = flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
        const struct location *pipeline = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        struct shader_stage stage =
            shader_stage_begin(call, &info->stage, &LOCATION(pipeline, "stage"));
        skip |= check_stage(call, &stage, &info->stage,
                            heap ? NULL : find_pipeline_layout(call, info->layout), flags);
        shader_stage_end(&stage);
    }
    return skip;
}

/* Checks the stages of a ray tracing pipeline, element `index` of the create infos. */
static bool check_ray_stages(const struct call *call, uint32_t index, uint32_t count,
                             const VkPipelineShaderStageCreateInfo *stages, VkPipelineLayout layout,
                             VkPipelineCreateFlags2 flags)
{
    const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", index);
    const struct pipeline_layout *known = flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT
                                              ? NULL
                                              : find_pipeline_layout(call, layout);
    bool skip = false;
    for (uint32_t s = 0; s < count && !pointer_is_bad(stages); s++) {
        struct shader_stage stage =
            shader_stage_begin(call, &stages[s], &LOCATION_INDEX(where, "pStages", s));
        skip |= check_stage(call, &stage, &stages[s], known, flags);
        shader_stage_end(&stage);
    }
    return skip;
}

bool core_validate_CreateRayTracingPipelinesKHR_shaders(struct call *call, VkDevice device,
                                                        VkDeferredOperationKHR deferredOperation,
                                                        VkPipelineCache pipelineCache,
                                                        uint32_t createInfoCount,
                                                        const VkRayTracingPipelineCreateInfoKHR
                                                            *pCreateInfos,
                                                        const VkAllocationCallbacks *pAllocator,
                                                        VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++) {
        const VkRayTracingPipelineCreateInfoKHR *info = &pCreateInfos[i];
        skip |= check_ray_stages(call, i, info->stageCount, info->pStages, info->layout,
                                 pipeline_create_flags(info->pNext, info->flags));
    }
    return skip;
}

bool core_validate_CreateRayTracingPipelinesNV_shaders(struct call *call, VkDevice device,
                                                       VkPipelineCache pipelineCache,
                                                       uint32_t createInfoCount,
                                                       const VkRayTracingPipelineCreateInfoNV
                                                           *pCreateInfos,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++) {
        const VkRayTracingPipelineCreateInfoNV *info = &pCreateInfos[i];
        skip |= check_ray_stages(call, i, info->stageCount, info->pStages, info->layout,
                                 pipeline_create_flags(info->pNext, info->flags));
    }
    return skip;
}

/* Checks the rules of the flags of a shader object about its code. */
static bool check_object_code(const struct call *call, const struct shader_stage *stage,
                              const VkShaderCreateInfoEXT *info)
{
    const VkPhysicalDeviceSubgroupSizeControlProperties *control =
        &call->device->extended.SubgroupSizeControlProperties;
    const VkPhysicalDeviceSubgroupProperties *subgroup = &call->device->extended.SubgroupProperties;
    const bool full = info->flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT,
               varying = info->flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT;
    struct subject s = {.call = call, .where = stage->where};
    uint32_t size[3];
    /* If flags includes VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT, then the identified entry point
     * must not specify Xfb execution mode */
    if (info->flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT &&
        spirv_mode_find(stage->reflection, stage->entry, SpvExecutionModeXfb))
        BROKEN(&s, VUID_VkShaderCreateInfoEXT_flags_11006, "flags",
               "has VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT, but the shader has the execution "
               "mode Xfb");
    /* the mesh shader's entry point must not declare a variable with a DrawIndex BuiltIn decoration
     */
    for (uint32_t i = 0;
         i < stage->entry->interface_count && stage->stage == VK_SHADER_STAGE_MESH_BIT_EXT &&
         !(info->flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT);
         i++) {
        const struct spirv_interface *leaf =
            &stage->reflection->interfaces[stage->entry->first_interface + i];
        if (leaf->builtin == SpvBuiltInDrawIndex)
            BROKEN(&s, VUID_vkCreateShadersEXT_pCreateInfos_09632, "flags",
                   "does not have VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, but the mesh shader has "
                   "a variable that is decorated with DrawIndex");
    }
    if (!full ||
        !spirv_workgroup_size(stage->reflection, stage->entry, &stage->specialization, size))
        return s.skip;
    /* If flags includes both ALLOW_VARYING_SUBGROUP_SIZE and REQUIRE_FULL_SUBGROUPS, the local
     * workgroup size in the X dimension must be a multiple of maxSubgroupSize */
    if (varying && control->maxSubgroupSize && size[0] % control->maxSubgroupSize)
        BROKEN(&s, VUID_VkShaderCreateInfoEXT_flags_08416, "flags",
               "asks for full subgroups of varying size, but the local workgroup's size in X is "
               "%u, which is not a multiple of %u (maxSubgroupSize)",
               size[0], control->maxSubgroupSize);
    /* full subgroups, not varying and no VkShaderRequiredSubgroupSizeCreateInfoEXT: the size must
     * be a multiple of subgroupSize */
    if (!varying && subgroup->subgroupSize && size[0] % subgroup->subgroupSize &&
        !chain_find(info->pNext, VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT))
        BROKEN(&s, VUID_VkShaderCreateInfoEXT_flags_08417, "flags",
               "asks for full subgroups, but the local workgroup's size in X is %u, which is not a "
               "multiple of %u (subgroupSize)",
               size[0], subgroup->subgroupSize);
    return s.skip;
}

/* Checks a shader object. It has the rules of a stage, under different valid usage ids. The create
 * info has its layout. */
static bool check_object(const struct call *call, const struct location *where,
                         const VkShaderCreateInfoEXT *info)
{
    if (info->codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT)
        return false;
    if (!info->pName)
        return call_stop(call,
                         BROKEN_BY(call, VUID_VkShaderCreateInfoEXT_pName_08440,
                                   &LOCATION(where, "pName"), NULL,
                                   "is NULL, but code in SPIR-V has its entry points by name"));
    if (pointer_is_bad(info->pName) || pointer_is_bad(info->pCode) || info->codeSize % 4 ||
        (uintptr_t)info->pCode % 4)
        return false;
    struct shader_stage stage = {.shader = shader_of_code(info->pCode, info->codeSize),
                                 .stage = info->stage,
                                 .name = info->pName,
                                 .where = where,
                                 .object = true};
    bool skip = false;
    stage.reflection = stage.shader ? stage.shader->reflection : NULL;
    if (!stage.reflection || stage.reflection->entry_count == 0 ||
        shader_execution_model(info->stage) == UINT32_MAX)
        goto done;
    stage.entry = shader_entry(stage.shader, info->stage, info->pName);
    stage.specialization = shader_specialization(info->pSpecializationInfo);
    if (!stage.entry) {
        skip =
            BROKEN_BY(call, VUID_VkShaderCreateInfoEXT_pName_08440, &LOCATION(where, "pName"), NULL,
                      "is \"%s\", but the shader has no entry point of that name for %s (its first "
                      "one is \"%s\", for %s)",
                      stage.name, shader_stage_name(stage.stage),
                      stage.reflection->text + stage.reflection->entries[0].name,
                      model_name(stage.reflection->entries[0].model));
        goto done;
    }
    struct subject s = {.call = call};
    check_entry_variables(&s, &stage);
    skip |= s.skip | check_entry(call, &stage);
    skip |= check_stage_limits(call, &stage) | check_stage_interface_limits(call, &stage);
    skip |= check_stage_uses(call, &stage) | check_stage_types(call, &stage);
    skip |=
        check_stage_indexing(call, &stage, info->flags & VK_SHADER_CREATE_64_BIT_INDEXING_BIT_EXT);
    skip |=
        check_stage_full_subgroups(call, &stage,
                                   info->flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT);
    skip |= check_stage_specialization(call, &stage, info->pSpecializationInfo);
    skip |= check_object_code(call, &stage, info);
    skip |= check_stage_mappings(call, &stage, info->pNext,
                                 info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT);
    bool mapped =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT) ||
        info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
    if (!mapped && (!info->setLayoutCount || !pointer_is_bad(info->pSetLayouts)) &&
        (!info->pushConstantRangeCount || !pointer_is_bad(info->pPushConstantRanges))) {
        struct descriptor_layout *sets[32];
        struct pipeline_layout layout = {
            .set_count = info->setLayoutCount < ARRAY_LENGTH(sets) ? info->setLayoutCount
                                                                   : ARRAY_LENGTH(sets),
            .sets = sets,
            .push_constant_count = info->pushConstantRangeCount,
            .push_constants = (VkPushConstantRange *)info->pPushConstantRanges};
        for (uint32_t i = 0; i < layout.set_count; i++)
            sets[i] = find_descriptor_layout(call, info->pSetLayouts[i]);
        if (layout.set_count == info->setLayoutCount)
            skip |= check_stage_layout(call, &stage, &layout);
    }
    /* If stage is tessellation evaluation, pCode must contain an OpExecutionMode instruction
     * specifying the type of subdivision */
    if (info->stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT &&
        !spirv_mode_find(stage.reflection, stage.entry, SpvExecutionModeTriangles) &&
        !spirv_mode_find(stage.reflection, stage.entry, SpvExecutionModeQuads) &&
        !spirv_mode_find(stage.reflection, stage.entry, SpvExecutionModeIsolines))
        skip |= BROKEN_BY(call, VUID_VkShaderCreateInfoEXT_codeType_08872, where, NULL,
                          "has no execution mode Triangles, Quads or Isolines");
    /* If stage is tessellation control, pCode must contain an OpExecutionMode instruction
     * specifying the output patch size */
    if (info->stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT &&
        !spirv_mode_find(stage.reflection, stage.entry, SpvExecutionModeOutputVertices))
        skip |= BROKEN_BY(call, VUID_VkShaderCreateInfoEXT_codeType_12226, where, NULL,
                          "has no execution mode OutputVertices");
done:
    shader_release(stage.shader);
    return skip;
}

bool core_validate_CreateShadersEXT_shaders(struct call *call, VkDevice device,
                                            uint32_t createInfoCount,
                                            const VkShaderCreateInfoEXT *pCreateInfos,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkShaderEXT *pShaders)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++)
        skip |= check_object(call, &LOCATION_INDEX(NULL, "pCreateInfos", i), &pCreateInfos[i]);
    return skip;
}
