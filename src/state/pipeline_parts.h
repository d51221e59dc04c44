/* What the makers of pipeline states share: pipeline.c and graphics_pipeline.c. */
#ifndef ASSAY_STATE_PIPELINE_PARTS_H
#define ASSAY_STATE_PIPELINE_PARTS_H

#include "state/pipeline.h"
#include "state/shader.h"

/* A state of `size` bytes for a pipeline that was just created, not published; NULL when there is none (VK_NULL_HANDLE), or memory is out. */
struct pipeline *pipeline_new(const struct call *call, VkPipeline handle, size_t size,
                              VkPipelineBindPoint bind_point) MUST_CHECK;
void pipeline_add_stage(struct pipeline *pipeline, const struct call *call, const VkPipelineShaderStageCreateInfo *info);
void pipeline_set_layout(struct pipeline *pipeline, const struct call *call, VkPipelineLayout layout);

#endif
