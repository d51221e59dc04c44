/* Functions that the two files which allocate pipeline states share: pipeline.c and
 * graphics_pipeline.c. Threads: the one that creates the pipeline, before it is published. */
#ifndef ASSAY_STATE_PIPELINE_PARTS_H
#define ASSAY_STATE_PIPELINE_PARTS_H

#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* Allocates a state of `size` bytes for a pipeline that was created; it is not published. NULL: the
 * handle is VK_NULL_HANDLE, or memory ran out. */
struct pipeline *pipeline_new(const struct call *call, VkPipeline handle, size_t size,
                              VkPipelineBindPoint bind_point) MUST_CHECK;
void pipeline_add_stage(struct pipeline *pipeline, const struct call *call,
                        const VkPipelineShaderStageCreateInfo *info);
void pipeline_set_layout(struct pipeline *pipeline, const struct call *call,
                         VkPipelineLayout layout);
/* The number of ids in pipeline::libraries for these libraries and those that they link.
 * pipeline_set_libraries() writes the ids to `ids`, which has `room`. */
uint32_t pipeline_library_count(const struct call *call,
                                const VkPipelineLibraryCreateInfoKHR *libraries);
void pipeline_set_libraries(struct pipeline *pipeline, const struct call *call,
                            const VkPipelineLibraryCreateInfoKHR *libraries, uint32_t room,
                            uint64_t *ids);

#endif
