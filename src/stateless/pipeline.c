/* Which of a graphics pipeline's state pointers does the driver read (the others may point anywhere), and are any pipeline's flags known ones? */
#include "stateless/structs.h"

static bool has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages)
{
    if (pointer_is_bad(info->pStages))
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        if (info->pStages[i].stage & stages)
            return true;
    }
    return false;
}

static bool is_dynamic(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    if (pointer_is_bad(dynamic) || pointer_is_bad(dynamic->pDynamicStates))
        return false;
    for (uint32_t i = 0; i < dynamic->dynamicStateCount; i++) {
        if (dynamic->pDynamicStates[i] == state)
            return true;
    }
    return false;
}

bool pipeline_is_complete(const VkGraphicsPipelineCreateInfo *info)
{
    return !chain_element(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT) &&
           !chain_element(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

bool pipeline_reads_stages(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *library =
        (const void *)chain_element(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    VkGraphicsPipelineLibraryFlagsEXT with_shaders = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                                                     VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
    return pipeline_is_complete(info) || (library && library->flags & with_shaders);
}

bool pipeline_reads_vertex_input(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && has_stage(info, VK_SHADER_STAGE_VERTEX_BIT) &&
           !is_dynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
}

bool pipeline_reads_tessellation(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && has_stage(info, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
}

/* If the pNext chain does not include a VkPipelineCreateFlags2CreateInfo structure, flags must be a valid combination of VkPipelineCreateFlagBits values */
static inline void check_create_flags(struct check *c, enum vuid vuid, const struct location *where, const void *chain,
                                      VkPipelineCreateFlags flags)
{
    if (unlikely(flags & ~FREE_VkPipelineCreateFlagBits) &&
        !chain_element(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO))
        check_flags(c, vuid, where, "flags", flags, &bits_VkPipelineCreateFlagBits);
}

void rule_VkGraphicsPipelineCreateInfo(struct check *c, const struct location *where,
                                       const VkGraphicsPipelineCreateInfo *s)
{
    check_create_flags(c, VUID_VkGraphicsPipelineCreateInfo_None_09497, where, s->pNext, s->flags);
    bool library = chain_element(s->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (unlikely(s->stageCount && pointer_is_bad(s->pStages)) && pipeline_reads_stages(s))
        report_pointer(c,
                       library ? VUID_VkGraphicsPipelineCreateInfo_flags_06640
                               : VUID_VkGraphicsPipelineCreateInfo_pStages_06600,
                       where, "pStages", s->pStages);
}

void rule_VkComputePipelineCreateInfo(struct check *c, const struct location *where,
                                      const VkComputePipelineCreateInfo *s)
{
    check_create_flags(c, VUID_VkComputePipelineCreateInfo_None_09497, where, s->pNext, s->flags);
}

void rule_VkRayTracingPipelineCreateInfoKHR(struct check *c, const struct location *where,
                                            const VkRayTracingPipelineCreateInfoKHR *s)
{
    check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoKHR_None_09497, where, s->pNext, s->flags);
}

void rule_VkRayTracingPipelineCreateInfoNV(struct check *c, const struct location *where,
                                           const VkRayTracingPipelineCreateInfoNV *s)
{
    check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoNV_None_09497, where, s->pNext, s->flags);
}
