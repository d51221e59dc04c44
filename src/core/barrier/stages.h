/* Checks that a mask may have its stages and accesses: features, queue families, and which stage
 * can make which access (7.1.2, 7.1.3). These rules hold for all such masks; their tables are
 * generated (sync_tables.h). Threads: the calling thread. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_CORE_BARRIER_STAGES_H
#define ASSAY_CORE_BARRIER_STAGES_H

#include "core/sync_tables.h"
#include "report/finding/finding.h"

bool stages_report_features(const struct call *call, enum mask_place place,
                            VkPipelineStageFlags2 stages, const struct location *where) COLD;

/* Checks that the feature of each stage is enabled. */
static inline bool stages_check_features(const struct call *call, enum mask_place place,
                                         VkPipelineStageFlags2 stages, const struct location *where)
{
    return unlikely(stages & STAGES_WITH_FEATURES) &&
           stages_report_features(call, place, stages, where);
}

/* "If srcAccessMask includes ..., srcStageMask must include ...". `place` is the access mask's
 * member. */
bool accesses_check_stages(const struct call *call, enum mask_place place,
                           VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                           const struct location *where);

/* "... must only include access flags that are supported by one or more of the pipeline stages in
 * ...", for commands of version 1. */
bool accesses_check_supported(const struct call *call, enum vuid vuid, VkPipelineStageFlags2 stages,
                              VkAccessFlags2 accesses, const struct location *where);
/* The part of `accesses` that no stage of `stages` can make. */
VkAccessFlags2 accesses_unsupported(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses);

/* The part of `stages` that a queue family with these flags does not support. */
VkPipelineStageFlags2 stages_unsupported(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags);
/* "... supported by the capabilities of the queue family ...". */
bool stages_check_queue(const struct call *call, enum vuid vuid, VkPipelineStageFlags2 stages,
                        uint32_t family, VkQueueFlags queue_flags, const struct location *where);

/* Stages that run for one location of the framebuffer each (7.1.2, "framebuffer-space pipeline
 * stages"). */
#define FRAMEBUFFER_SPACE_STAGES                                                              \
    (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | \
     VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |                                            \
     VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT)

#endif
