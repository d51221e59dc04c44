/* Which of a graphics pipeline's state structures are read (10.6 "Graphics Pipelines")? Those that are ignored may hold anything: of
 * states whose values are dynamic, and of what the pipeline never does. The pointers are not NULL. */
#ifndef ASSAY_STATELESS_PIPELINE_H
#define ASSAY_STATELESS_PIPELINE_H

#include "chassis/chassis.h"

bool pipeline_reads_input_assembly(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_viewport(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_rasterization(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_multisample(const VkGraphicsPipelineCreateInfo *info);
/* The render pass tells which attachments there are; where nothing is known of it, these two answer that the state is read. */
bool pipeline_reads_depth_stencil(const struct call *call, const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_color_blend(const struct call *call, const VkGraphicsPipelineCreateInfo *info);

#endif
