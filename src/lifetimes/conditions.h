/* Conditions under which a member is read. They are those that the registry leaves to the prose
 * ("ignored if ..."), named by CONDITIONS in registry/rooms/lifetimes/rules.py. A value that is
 * ignored must be neither reported nor followed. Threads: that of the call; it reads the program's
 * memory. */
#ifndef ASSAY_LIFETIMES_CONDITIONS_H
#define ASSAY_LIFETIMES_CONDITIONS_H

#include "lifetimes/handle.h"

/* True if basePipelineHandle is read (VK_PIPELINE_CREATE_DERIVATIVE_BIT, in the flags or in a
 * structure that replaces them). */
bool pipeline_derives(VkPipelineCreateFlags flags, const void *next);

/* True if this structure itself describes the stages of a graphics pipeline. False when only linked
 * libraries do. */
bool graphics_pipeline_uses_stages(const VkGraphicsPipelineCreateInfo *info);
bool graphics_pipeline_uses_layout(const VkGraphicsPipelineCreateInfo *info);
bool graphics_pipeline_uses_render_pass(const VkGraphicsPipelineCreateInfo *info);
enum vuid graphics_pipeline_layout_vuid(const VkGraphicsPipelineCreateInfo *info);
enum vuid graphics_pipeline_render_pass_vuid(const VkGraphicsPipelineCreateInfo *info);

/* True if the command builds an acceleration structure or micromap. False if it only queries the
 * size, because such a command ignores source and destination. */
bool call_builds(const struct call *call);
enum vuid build_source_vuid(const struct call *call);
enum vuid build_destination_vuid(const struct call *call);
enum vuid build_micromap_vuid(const struct call *call);

#endif
