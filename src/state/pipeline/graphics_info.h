/* Says what is read of a VkGraphicsPipelineCreateInfo (10.6 "Graphics Pipelines"). It knows which
 * parts of a pipeline the structure makes itself, and which come from its libraries. It also knows
 * which of its pointers mean something; the others may point anywhere. */
#ifndef ASSAY_STATE_GRAPHICS_INFO_H
#define ASSAY_STATE_GRAPHICS_INFO_H

#include "state/pipeline/pipeline.h"

#define PART_VERTEX_INPUT      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define PART_PRE_RASTERIZATION VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define PART_FRAGMENT_SHADER   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define PART_FRAGMENT_OUTPUT   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define PARTS_ALL \
    (PART_VERTEX_INPUT | PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT)

/* Threads: of one call, as long as its parameters. */
struct graphics_info {
    const VkGraphicsPipelineCreateInfo *info;
    VkPipelineCreateFlags2 flags;
    /* parts that it says it makes, or that are the default */
    VkGraphicsPipelineLibraryFlagsEXT asked;
    /* the parts of `asked` that the pipeline has: no fragment parts without rasterization */
    VkGraphicsPipelineLibraryFlagsEXT own;
    VkGraphicsPipelineLibraryFlagsEXT linked; /* of its libraries together */
    VkGraphicsPipelineLibraryFlagsEXT parts;  /* own and linked */
    bool known;                               /* everything is known of its libraries */
    /* rasterization is not disabled for good: also where that is dynamic, or not known here */
    bool rasterizes;
    VkShaderStageFlags stages;        /* of pStages, where its parts have shaders */
    VkShaderStageFlags all_stages;    /* and of its libraries */
    struct dynamic_state_set given;   /* all of pDynamicStates */
    struct dynamic_state_set dynamic; /* states that mean something to the parts in `own` */
    /* NULL where there are none; its count is not 0 */
    const VkPipelineLibraryCreateInfoKHR *libraries;
    /* NULL when not given, or with a render pass */
    const VkPipelineRenderingCreateInfo *rendering;
    /* NULL where the state is not read */
    const VkPipelineVertexInputStateCreateInfo *vertex_input;
    const VkPipelineInputAssemblyStateCreateInfo *input_assembly;
    const VkPipelineTessellationStateCreateInfo *tessellation;
    const VkPipelineViewportStateCreateInfo *viewport;
    const VkPipelineRasterizationStateCreateInfo *rasterization;
    const VkPipelineMultisampleStateCreateInfo *multisample;
    const VkPipelineDepthStencilStateCreateInfo *depth_stencil;
    const VkPipelineColorBlendStateCreateInfo *color_blend;
};

/* Derived once for all hooks of a vkCreateGraphicsPipelines, which keeps it. In `storage` for
 * another command, or where memory is out. */
const struct graphics_info *graphics_info_of(const struct call *call,
                                             const VkGraphicsPipelineCreateInfo *info,
                                             struct graphics_info *storage);

struct pipeline_shading_rate graphics_shading_rate(const struct graphics_info *graphics);
struct pipeline_view_attributes graphics_view_attributes(const struct graphics_info *graphics);

/* The whole of a graphics pipeline, rather than a part of it for a library or from libraries: other
 * parts' state is ignored. */
bool pipeline_is_complete(const VkGraphicsPipelineCreateInfo *info);
/* True if it reads pStages. A part for a library does so where it has shaders. */
bool pipeline_reads_stages(const VkGraphicsPipelineCreateInfo *info);

/* Flags of a create info: VkPipelineCreateFlags2CreateInfo's where that is chained. */
VkPipelineCreateFlags2 pipeline_create_flags(const void *next, VkPipelineCreateFlags flags);

/* All that pDynamicStates has; nothing for a pointer that is not one. Of any kind of pipeline. */
struct dynamic_state_set
graphics_given_dynamic_states(const VkPipelineDynamicStateCreateInfo *info);

/* The parts of a graphics pipeline that a dynamic state belongs to: any of them may have it. */
VkGraphicsPipelineLibraryFlagsEXT dynamic_state_parts(enum dynamic_state state);

static inline bool graphics_is_dynamic(const struct graphics_info *graphics,
                                       enum dynamic_state state)
{
    return dynamic_state_set_has(&graphics->given, state);
}

static inline uint32_t graphics_library_count(const struct graphics_info *graphics)
{
    return graphics->libraries ? graphics->libraries->libraryCount : 0;
}

#endif
