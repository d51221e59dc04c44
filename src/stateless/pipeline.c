/* Which of a graphics pipeline's state pointers does the driver read? The others may point anywhere. */
#include "check.h"

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
