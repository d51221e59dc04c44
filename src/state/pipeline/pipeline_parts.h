/* The two files that make pipeline states, pipeline.c and graphics_pipeline.c, share these
 * functions. Threads: that which makes the pipeline, before it is published. */
#ifndef ASSAY_STATE_PIPELINE_PARTS_H
#define ASSAY_STATE_PIPELINE_PARTS_H

#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* A state of `size` bytes for a pipeline that was just created, not published; NULL when there is
 * none (VK_NULL_HANDLE), or memory is out. */
struct pipeline *pipeline_new(const struct call *call, VkPipeline handle, size_t size,
                              VkPipelineBindPoint bind_point) MUST_CHECK;
void pipeline_add_stage(struct pipeline *pipeline, const struct call *call,
                        const VkPipelineShaderStageCreateInfo *info);
void pipeline_set_layout(struct pipeline *pipeline, const struct call *call,
                         VkPipelineLayout layout);
/* How many ids pipeline::libraries will have of these libraries and of those that they link. The
 * second one writes them to `ids`, which has `room`. */
uint32_t pipeline_library_count(const struct call *call,
                                const VkPipelineLibraryCreateInfoKHR *libraries);
void pipeline_set_libraries(struct pipeline *pipeline, const struct call *call,
                            const VkPipelineLibraryCreateInfoKHR *libraries, uint32_t room,
                            uint64_t *ids);

#endif
