/* Decides whether a member is read or ignored. See conditions.h. */
#include "lifetimes/conditions.h"

#include "vk/chain.h"

/* Returns the flags that apply: a chained VkPipelineCreateFlags2CreateInfo replaces the 32-bit
 * flags. */
static VkPipelineCreateFlags2 pipeline_flags(VkPipelineCreateFlags flags, const void *next)
{
    const VkPipelineCreateFlags2CreateInfo *flags2 =
        chain_find(next, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
    return flags2 ? flags2->flags : flags;
}

bool pipeline_derives(VkPipelineCreateFlags flags, const void *next)
{
    return (pipeline_flags(flags, next) & VK_PIPELINE_CREATE_2_DERIVATIVE_BIT) != 0;
}

/* Returns the parts that the structure describes: those that it names as a library's, or all when
 * it is a complete pipeline. If it links libraries, it returns none: they may bring any part, so
 * nothing can be said of them. */
static VkGraphicsPipelineLibraryFlagsEXT
graphics_pipeline_parts(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (parts)
        return parts->flags;
    const VkPipelineLibraryCreateInfoKHR *libraries =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    return libraries && libraries->libraryCount
               ? 0
               /* All bits are set: such a pipeline describes every part itself. */
               : VK_GRAPHICS_PIPELINE_LIBRARY_FLAG_BITS_MAX_ENUM_EXT;
}

#define SHADER_PARTS                                                  \
    (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT | \
     VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)

bool graphics_pipeline_uses_stages(const VkGraphicsPipelineCreateInfo *info)
{
    return (graphics_pipeline_parts(info) & SHADER_PARTS) != 0;
}

bool graphics_pipeline_uses_layout(const VkGraphicsPipelineCreateInfo *info)
{
    return (graphics_pipeline_parts(info) & SHADER_PARTS) &&
           /* With descriptor heaps the pipeline does not use a layout. */
           !(pipeline_flags(info->flags, info->pNext) &
             VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT);
}

bool graphics_pipeline_uses_render_pass(const VkGraphicsPipelineCreateInfo *info)
{
    return (graphics_pipeline_parts(info) &
            (SHADER_PARTS | VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)) != 0;
}

enum vuid graphics_pipeline_layout_vuid(const VkGraphicsPipelineCreateInfo *info)
{
    return chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)
               ? VUID_VkGraphicsPipelineCreateInfo_flags_06642
               : VUID_VkGraphicsPipelineCreateInfo_layout_06602;
}

enum vuid graphics_pipeline_render_pass_vuid(const VkGraphicsPipelineCreateInfo *info)
{
    return chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)
               ? VUID_VkGraphicsPipelineCreateInfo_flags_06643
               : VUID_VkGraphicsPipelineCreateInfo_renderPass_06603;
}

/* True for commands that build acceleration structures or micromaps: each command has its own
 * rules. */
bool call_builds(const struct call *call)
{
    switch (command_root[call->command]) {
    case COMMAND_CmdBuildAccelerationStructuresKHR:
    case COMMAND_CmdBuildAccelerationStructuresIndirectKHR:
    case COMMAND_BuildAccelerationStructuresKHR:
    case COMMAND_CmdBuildMicromapsEXT:
    case COMMAND_BuildMicromapsEXT:
        return true;
    default:
        return false;
    }
}

enum vuid build_source_vuid(const struct call *call)
{
    assert(call_builds(call));
    switch (command_root[call->command]) {
    case COMMAND_CmdBuildAccelerationStructuresKHR:
        return VUID_vkCmdBuildAccelerationStructuresKHR_srcAccelerationStructure_04629;
    case COMMAND_CmdBuildAccelerationStructuresIndirectKHR:
        return VUID_vkCmdBuildAccelerationStructuresIndirectKHR_srcAccelerationStructure_04629;
    default:
        return VUID_vkBuildAccelerationStructuresKHR_srcAccelerationStructure_04629;
    }
}

enum vuid build_destination_vuid(const struct call *call)
{
    assert(call_builds(call));
    switch (command_root[call->command]) {
    case COMMAND_CmdBuildAccelerationStructuresKHR:
        return VUID_vkCmdBuildAccelerationStructuresKHR_dstAccelerationStructure_03800;
    case COMMAND_CmdBuildAccelerationStructuresIndirectKHR:
        return VUID_vkCmdBuildAccelerationStructuresIndirectKHR_dstAccelerationStructure_03800;
    default:
        return VUID_vkBuildAccelerationStructuresKHR_dstAccelerationStructure_03800;
    }
}

enum vuid build_micromap_vuid(const struct call *call)
{
    assert(call_builds(call));
    return command_root[call->command] == COMMAND_CmdBuildMicromapsEXT
               ? VUID_vkCmdBuildMicromapsEXT_dstMicromap_07463
               : VUID_vkBuildMicromapsEXT_dstMicromap_07463;
}
