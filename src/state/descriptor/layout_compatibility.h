/* Numbers that are equal in pipeline layouts which are compatible (14.2.2 "Pipeline Layout
 * Compatibility"). Shader objects have such numbers too, as if each had a layout of its own.
 * Threads: any; nothing is shared. */
#ifndef ASSAY_STATE_LAYOUT_COMPATIBILITY_H
#define ASSAY_STATE_LAYOUT_COMPATIBILITY_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* Puts the ranges in an order, and returns a number that identical ranges have; never 0. */
uint64_t ranges_compatibility(VkPushConstantRange *ranges, uint32_t count);

/* Fills `result` for each set N: equal in two layouts that are compatible for sets 0 to N; never 0.
 * `ranges`: ranges_compatibility(). `sets`: descriptor_layout::compatibility of each set, 0 for
 * VK_NULL_HANDLE; they may stand in `result`. */
void sets_compatibility(uint64_t *result, const uint64_t *sets, uint32_t set_count, uint64_t ranges,
                        VkPipelineLayoutCreateFlags flags);

#endif
