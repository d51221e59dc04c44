/* Says which of a graphics pipeline's state structures are read (10.6 "Graphics Pipelines"). Those
 * that are ignored may hold anything: the pipeline never uses them. Of the others, single members
 * are ignored where a state is dynamic: pipeline_ignores(). */
#ifndef ASSAY_STATELESS_PIPELINE_H
#define ASSAY_STATELESS_PIPELINE_H

#include "stateless/check.h"

bool pipeline_reads_input_assembly(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_viewport(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_rasterization(const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_multisample(const VkGraphicsPipelineCreateInfo *info);
/* The render pass tells which attachments there are; where nothing is known of it, these two answer
 * that the state is read. */
bool pipeline_reads_depth_stencil(const struct call *call,
                                  const VkGraphicsPipelineCreateInfo *info);
bool pipeline_reads_color_blend(const struct call *call, const VkGraphicsPipelineCreateInfo *info);

/* The check of all that one graphics pipeline is made of. Threads: on its stack. */
struct graphics_check {
    struct check check;
    const VkGraphicsPipelineCreateInfo *info;
};
/* True if the member is dynamic state of the pipeline that is looked at, and so ignored. `where`:
 * the structure that it is in. */
bool pipeline_ignores(const struct check *c, const struct location *where, const char *member) COLD;

#endif
