/* Builds of acceleration structures to start from. */
#include "raytracing/acceleration_structure_builder.h"

#define STRUCTURE_SIZE 65536
#define INPUT_SIZE     4096

VkAccelerationStructureCreateInfoKHR structure_info(struct baseline *b,
                                                    VkAccelerationStructureTypeKHR type)
{
    return (VkAccelerationStructureCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = make_buffer(b, STRUCTURE_SIZE,
                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT),
        .size = STRUCTURE_SIZE,
        .type = type};
}

VkAccelerationStructureKHR create_structure(struct baseline *b,
                                            const VkAccelerationStructureCreateInfoKHR *info)
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateAccelerationStructureKHR)(b->device, info, NULL, &structure) !=
        VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
    return structure;
}

VkAccelerationStructureKHR make_structure(struct baseline *b, VkAccelerationStructureTypeKHR type)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, type);
    VkAccelerationStructureKHR structure = create_structure(b, &info);
    ENSURE(structure);
    return structure;
}

VkDeviceAddress address_of(struct baseline *b, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &info);
}

VkDeviceAddress make_scratch(struct baseline *b, VkDeviceSize size)
{
    VkBuffer buffer =
        make_buffer(b, size + 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    return (address_of(b, buffer) + 255) & ~(VkDeviceAddress)255;
}

static void fill_build(struct baseline *b, struct structure_build *build,
                       VkGeometryTypeKHR geometry, VkAccelerationStructureTypeKHR type,
                       uint32_t count)
{
    *build =
        (struct structure_build){.ranges = {{.primitiveCount = count}, {.primitiveCount = count}}};
    build->input =
        make_buffer(b, INPUT_SIZE,
                    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    build->input_address = address_of(b, build->input);
    for (int i = 0; i < 2; i++) {
        build->geometries[i] = (VkAccelerationStructureGeometryKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
            .geometryType = geometry};
        build->list[i] = &build->geometries[i];
    }
    build->range = build->ranges;
    build->info = (VkAccelerationStructureBuildGeometryInfoKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .geometryCount = 1,
        .pGeometries = build->geometries};
}

static void add_target(struct baseline *b, struct structure_build *build)
{
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    const uint32_t counts[] = {build->ranges[0].primitiveCount, build->ranges[1].primitiveCount};
    DEVICE_PROC(b, vkGetAccelerationStructureBuildSizesKHR)(
        b->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build->info, counts, &sizes);
    ENSURE(sizes.accelerationStructureSize <= STRUCTURE_SIZE);
    build->scratch_size = sizes.buildScratchSize > sizes.updateScratchSize
                              ? sizes.buildScratchSize
                              : sizes.updateScratchSize;
    build->info.dstAccelerationStructure = make_structure(b, build->info.type);
    build->info.scratchData.deviceAddress = make_scratch(b, build->scratch_size);
}

void fill_triangles(struct baseline *b, struct structure_build *build)
{
    fill_build(b, build, VK_GEOMETRY_TYPE_TRIANGLES_KHR,
               VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, 1);
    for (int i = 0; i < 2; i++)
        build->geometries[i].geometry.triangles = (VkAccelerationStructureGeometryTrianglesDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
            .vertexData.deviceAddress = build->input_address,
            .vertexStride = 12,
            .maxVertex = 2,
            .indexType = VK_INDEX_TYPE_NONE_KHR};
    add_target(b, build);
}

void fill_boxes(struct baseline *b, struct structure_build *build)
{
    fill_build(b, build, VK_GEOMETRY_TYPE_AABBS_KHR,
               VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, 1);
    for (int i = 0; i < 2; i++)
        build->geometries[i].geometry.aabbs = (VkAccelerationStructureGeometryAabbsDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
            .data.deviceAddress = build->input_address,
            .stride = 24};
    add_target(b, build);
}

void fill_instances(struct baseline *b, struct structure_build *build)
{
    fill_build(b, build, VK_GEOMETRY_TYPE_INSTANCES_KHR,
               VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, 0);
    for (int i = 0; i < 2; i++)
        build->geometries[i].geometry.instances = (VkAccelerationStructureGeometryInstancesDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
            .data.deviceAddress = build->input_address};
    add_target(b, build);
}

void record_build(struct baseline *b, VkCommandBuffer command_buffer,
                  const struct structure_build *build)
{
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(command_buffer, 1, &build->info,
                                                        &build->range);
}

VkAccelerationStructureKHR make_built(struct baseline *b,
                                      VkBuildAccelerationStructureFlagsKHR flags)
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = flags;
    VkCommandBuffer command_buffer = make_recording(b);
    record_build(b, command_buffer, &build);
    run_commands(b, command_buffer);
    return build.info.dstAccelerationStructure;
}
