/* Says which parts of a VkGraphicsPipelineCreateInfo are read (10.6 "Graphics Pipelines"). It knows
 * which parts of a pipeline the structure defines itself, and which come from its libraries. It
 * also knows which of its pointers are used; the others may be invalid. */
#ifndef ASSAY_STATE_GRAPHICS_INFO_H
#define ASSAY_STATE_GRAPHICS_INFO_H

#include "state/pipeline/pipeline.h"

#define PART_VERTEX_INPUT      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define PART_PRE_RASTERIZATION VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define PART_FRAGMENT_SHADER   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define PART_FRAGMENT_OUTPUT   VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define PARTS_ALL \
    (PART_VERTEX_INPUT | PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT)

/* Threads: those of one call, as long as its parameters exist. */
struct graphics_info {
    const VkGraphicsPipelineCreateInfo *info;
    VkPipelineCreateFlags2 flags;
    /* parts that it defines, explicitly or by default */
    VkGraphicsPipelineLibraryFlagsEXT asked;
    /* the parts of `asked` that the pipeline really has: none for fragments without
     * rasterization */
    VkGraphicsPipelineLibraryFlagsEXT own;
    VkGraphicsPipelineLibraryFlagsEXT linked; /* parts of all its libraries */
    VkGraphicsPipelineLibraryFlagsEXT parts;  /* union of both */
    bool known;                               /* all its libraries are known */
    /* rasterization is not disabled statically. True also if that is dynamic, or not known */
    bool rasterizes;
    VkShaderStageFlags stages;        /* stages in pStages, for parts that have shaders */
    VkShaderStageFlags all_stages;    /* also those of its libraries */
    struct dynamic_state_set given;   /* everything in pDynamicStates */
    struct dynamic_state_set dynamic; /* states that affect the parts in `own` */
    /* NULL: there are no libraries; its count is not 0 */
    const VkPipelineLibraryCreateInfoKHR *libraries;
    /* NULL: not given, or a render pass is used */
    const VkPipelineRenderingCreateInfo *rendering;
    /* NULL: the state is not read */
    const VkPipelineVertexInputStateCreateInfo *vertex_input;
    const VkPipelineInputAssemblyStateCreateInfo *input_assembly;
    const VkPipelineTessellationStateCreateInfo *tessellation;
    const VkPipelineViewportStateCreateInfo *viewport;
    const VkPipelineRasterizationStateCreateInfo *rasterization;
    const VkPipelineMultisampleStateCreateInfo *multisample;
    const VkPipelineDepthStencilStateCreateInfo *depth_stencil;
    const VkPipelineColorBlendStateCreateInfo *color_blend;
};

/* The graphics_info of a create info. It is derived once for all hooks of a
 * vkCreateGraphicsPipelines, which stores it. For another command, or if memory runs out, it is in
 * `storage`. */
const struct graphics_info *graphics_info_of(const struct call *call,
                                             const VkGraphicsPipelineCreateInfo *info,
                                             struct graphics_info *storage);

struct pipeline_shading_rate graphics_shading_rate(const struct graphics_info *graphics);
struct pipeline_view_attributes graphics_view_attributes(const struct graphics_info *graphics);

/* True if the create info defines a whole graphics pipeline, not a part for a library or a pipeline
 * from libraries. State of other parts is ignored. */
bool pipeline_is_complete(const VkGraphicsPipelineCreateInfo *info);
/* True if pStages is read. For a library it is, if the library's parts have shaders. */
bool pipeline_reads_stages(const VkGraphicsPipelineCreateInfo *info);

/* The flags of a create info: those of VkPipelineCreateFlags2CreateInfo if that is chained. */
VkPipelineCreateFlags2 pipeline_create_flags(const void *next, VkPipelineCreateFlags flags);

/* Everything in pDynamicStates, for any kind of pipeline; empty if the pointer is bad. */
struct dynamic_state_set
graphics_given_dynamic_states(const VkPipelineDynamicStateCreateInfo *info);

/* The parts of a graphics pipeline to which a dynamic state belongs. Any of them may have it. */
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
