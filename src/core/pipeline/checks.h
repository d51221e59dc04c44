/* Rules that several commands and structures of pipelines share. Threads: the calling thread.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_PIPELINE_CHECKS_H
#define ASSAY_CORE_PIPELINE_CHECKS_H

#include "core/dynamic_state/values.h"
#include "state/pipeline/graphics_info.h"

#include "report/finding/rule.h"

#define FLAG(name_) VK_PIPELINE_CREATE_2_##name_

/* All functions return whether to skip the call. */
/* Checks a stage of any kind of pipeline. */
bool check_pipeline_stage(const struct call *call, const struct location *where,
                          const VkPipelineShaderStageCreateInfo *stage,
                          VkPipelineCreateFlags2 flags, const void *parent_next);
#define STAGES_RAY_TRACING                                                \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)

/* Members that all kinds of pipelines have, for flags, derivatives, creation feedback and
 * robustness. */
struct pipeline_base {
    VkPipelineBindPoint bind_point;
    VkPipelineCreateFlags2 flags;
    const void *next;
    VkPipelineLayout layout;
    VkPipeline base_handle;
    int32_t base_index;
    uint32_t index, count; /* index of this create info; number of create infos */
    VkPipelineCache cache; /* the call's cache */
    VkShaderStageFlags stages;
};
bool check_pipeline_base(const struct call *call, const struct location *where,
                         const struct pipeline_base *base);
bool check_pipeline_robustness(const struct call *call, const struct location *where,
                               const VkPipelineRobustnessCreateInfo *info);
/* Checks that each dynamic state is listed once, and that its feature is enabled. For ray tracing
 * pipelines only the first applies. */
bool check_dynamic_states_unique(const struct call *call, const struct location *where,
                                 const VkPipelineDynamicStateCreateInfo *info);

/* Each of these checks one graphics pipeline. */
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
/* Check sample counts, with a subpass and without one. */
struct render_pass;
struct subpass;
bool check_graphics_samples(const struct call *call, const struct location *where,
                            const struct graphics_info *graphics, const struct render_pass *pass,
                            const struct subpass *subpass);
bool check_attachment_samples(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics);
/* Checks VkCustomResolveCreateInfoEXT in a chain. */
bool check_custom_resolve(const struct call *call, const struct location *where, const void *chain);
bool check_graphics_libraries(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics);

#endif
