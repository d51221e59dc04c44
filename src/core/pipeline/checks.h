/* Rules that several commands and structures of pipelines share. Threads: that of the call. Fields
 * of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_PIPELINE_CHECKS_H
#define ASSAY_CORE_PIPELINE_CHECKS_H

#include "core/dynamic_state/values.h"
#include "state/pipeline/graphics_info.h"

#include "report/finding/rule.h"

#define FLAG(name_) VK_PIPELINE_CREATE_2_##name_

/* All return whether to skip. */
/* Stages of a pipeline: of any kind. */
bool check_pipeline_stage(const struct call *call, const struct location *where,
                          const VkPipelineShaderStageCreateInfo *stage,
                          VkPipelineCreateFlags2 flags, const void *parent_next);
#define STAGES_RAY_TRACING                                                \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)

/* Flags, derivatives, creation feedback, robustness: what all kinds of pipelines have. */
struct pipeline_base {
    VkPipelineBindPoint bind_point;
    VkPipelineCreateFlags2 flags;
    const void *next;
    VkPipelineLayout layout;
    VkPipeline base_handle;
    int32_t base_index;
    uint32_t index, count; /* of this create info, and how many there are */
    VkPipelineCache cache; /* of the call */
    VkShaderStageFlags stages;
};
bool check_pipeline_base(const struct call *call, const struct location *where,
                         const struct pipeline_base *base);
bool check_pipeline_robustness(const struct call *call, const struct location *where,
                               const VkPipelineRobustnessCreateInfo *info);
/* Checks that a dynamic state is listed once, and that its feature is enabled (ray tracing
 * pipelines have only the first). */
bool check_dynamic_states_unique(const struct call *call, const struct location *where,
                                 const VkPipelineDynamicStateCreateInfo *info);

/* One graphics pipeline. */
bool check_graphics_dynamic_states(const struct call *call, const struct location *where,
                                   const struct graphics_info *graphics);
bool check_graphics_vertex_input(const struct call *call, const struct location *where,
                                 const struct graphics_info *graphics);
bool check_graphics_pre_rasterization(const struct call *call, const struct location *where,
                                      const struct graphics_info *graphics);
bool check_graphics_fragment(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics);
bool check_graphics_rendering(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics);
/* Checks of sample counts, with a subpass and without one. */
struct render_pass;
struct subpass;
bool check_graphics_samples(const struct call *call, const struct location *where,
                            const struct graphics_info *graphics, const struct render_pass *pass,
                            const struct subpass *subpass);
bool check_attachment_samples(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics);
/* VkCustomResolveCreateInfoEXT in a chain. */
bool check_custom_resolve(const struct call *call, const struct location *where, const void *chain);
bool check_graphics_libraries(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics);

#endif
