/* Builds of acceleration structures to start from: a scenario takes one, breaks one member, and
 * records it. Feature bufferDeviceAddress. */
#ifndef ASSAY_SCENARIOS_ACCELERATION_STRUCTURE_BUILDER_H
#define ASSAY_SCENARIOS_ACCELERATION_STRUCTURE_BUILDER_H

#include "scenario.h"

/* One geometry of one primitive, twice: `info` and `list` point into the struct, do not copy it. */
struct structure_build {
    VkAccelerationStructureGeometryKHR geometries[2];
    const VkAccelerationStructureGeometryKHR *list[2];
    VkAccelerationStructureBuildGeometryInfoKHR info; /* of pGeometries; one of them */
    VkAccelerationStructureBuildRangeInfoKHR ranges[2];
    const VkAccelerationStructureBuildRangeInfoKHR *range;
    VkBuffer input; /* 4096 bytes that the geometries read */
    VkDeviceAddress input_address;
    VkDeviceSize scratch_size;
};

/* With room for any small build; freed when the scenario ends. Of vkCreateAccelerationStructureKHR.
 */
VkAccelerationStructureKHR make_structure(struct baseline *b, VkAccelerationStructureTypeKHR type);
VkAccelerationStructureKHR create_structure(struct baseline *b,
                                            const VkAccelerationStructureCreateInfoKHR *info);
VkAccelerationStructureCreateInfoKHR structure_info(struct baseline *b,
                                                    VkAccelerationStructureTypeKHR type);

VkDeviceAddress address_of(struct baseline *b, VkBuffer buffer);
VkDeviceAddress make_scratch(struct baseline *b, VkDeviceSize size); /* aligned to 256 */

void fill_triangles(struct baseline *b, struct structure_build *build);
void fill_boxes(struct baseline *b, struct structure_build *build);
void fill_instances(struct baseline *b, struct structure_build *build); /* none of them */
void record_build(struct baseline *b, VkCommandBuffer command_buffer,
                  const struct structure_build *build);
/* Builds triangles, with these flags; submitted and done. */
VkAccelerationStructureKHR make_built(struct baseline *b,
                                      VkBuildAccelerationStructureFlagsKHR flags);

#endif
