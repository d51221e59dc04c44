/* Acceleration structures: how they are created, asked, written to descriptors, and built. */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses_alone = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
#define FEATURE(...)                                                                 \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, \
     .pNext = (void *)&addresses,                                                    \
     .accelerationStructure = VK_TRUE,                                               \
     ##__VA_ARGS__}
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR
    structures = FEATURE(),
    indirect_builds = FEATURE(.accelerationStructureIndirectBuild = VK_TRUE),
    replays = FEATURE(.accelerationStructureCaptureReplay = VK_TRUE);
#define BASE "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"
#define ON   .features = &structures, .extensions = {BASE}
/* Only where the driver has all extensions. */
#define NULL_ON(features_, ...) \
    .drivers = NULL_DRIVER, .features = &(features_), .extensions = {BASE, ##__VA_ARGS__}

#define CREATE(id_) "VUID-VkAccelerationStructureCreateInfoKHR-" id_
#define BUILD(id_)  "VUID-vkCmdBuildAccelerationStructuresKHR-" id_
#define INFO(id_)   "VUID-VkAccelerationStructureBuildGeometryInfoKHR-" id_
#define RANGE(id_)  "VUID-VkAccelerationStructureBuildRangeInfoKHR-" id_

#define TOP     VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
#define BOTTOM  VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR
#define GENERIC VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR

/* --- creation --- */

#define CREATION(name_, change_, ...)                                          \
    SCENARIO(name_, ##__VA_ARGS__)                                             \
    {                                                                          \
        VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM); \
        change_;                                                               \
        create_structure(b, &info);                                            \
    }

CREATION(structure_right, (info.size -= 256, info.offset = 256), ON)
CREATION(structure_size, info.size += 256, ON, .expect = {CREATE("offset-03616")},
         .text = {"pCreateInfo->offset + size is 65792, more than size of VkBuffer"})
CREATION(structure_address_without_flag, info.deviceAddress = 0x10000, NULL_ON(replays),
         .expect = {CREATE("deviceAddress-03612")})
CREATION(structure_address_without_feature, info.deviceAddress = 0x10000, ON,
         .expect = {"VUID-vkCreateAccelerationStructureKHR-deviceAddress-03488"})
CREATION(structure_replayed,
         (info.deviceAddress = 0x10000,
          info.createFlags =
              VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR),
         NULL_ON(replays))
CREATION(structure_motion_without_info,
         (info.type = TOP, info.createFlags = VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV),
         NULL_ON(structures, "VK_NV_ray_tracing_motion_blur", "VK_KHR_ray_tracing_pipeline"),
         .expect = {CREATE("createFlags-04954")})

SCENARIO(structure_without_feature, .features = &addresses_alone, .extensions = {BASE},
         .expect = {"VUID-vkCreateAccelerationStructureKHR-accelerationStructure-03611"})
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    create_structure(b, &info);
}

SCENARIO(structure_in_use_destroyed, NULL_ON(structures),
         .expect = {"VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442"})
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkCommandBuffer command_buffer = make_recording(b);
    record_build(b, command_buffer, &build);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    DEVICE_PROC(b, vkDestroyAccelerationStructureKHR)(b->device,
                                                      build.info.dstAccelerationStructure, NULL);
    VK(vkDeviceWaitIdle(b->device));
}

/* --- from an address --- */

static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR address_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&structures,
    .deviceAddressCommands = VK_TRUE};
static const VkPhysicalDeviceFeatures2 sparse_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&address_commands,
    .features = {.sparseBinding = VK_TRUE, .sparseResidencyBuffer = VK_TRUE}};
#define CREATE2(id_) "VUID-VkAccelerationStructureCreateInfo2KHR-" id_

static VkDeviceAddress address_with(struct baseline *b, VkBufferUsageFlags usage)
{
    return address_of(b, make_buffer(b, 65536, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
}

#define FROM_ADDRESS(name_, features_, change_, ...)                                               \
    SCENARIO(name_,                                                                                \
             NULL_ON(features_, "VK_KHR_device_address_commands", "VK_EXT_transform_feedback"),    \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        VkAccelerationStructureKHR structure = VK_NULL_HANDLE;                                     \
        VkAccelerationStructureCreateInfo2KHR info = {                                             \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,                   \
            .addressRange = {address_with(b,                                                       \
                                          VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR), \
                             65536},                                                               \
            .type = BOTTOM};                                                                       \
        change_;                                                                                   \
        if (DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL,              \
                                                              &structure) == VK_SUCCESS)           \
            cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));                     \
    }
FROM_ADDRESS(from_address, address_commands,
             (info.addressRange.address += 256, info.addressRange.size -= 256))
FROM_ADDRESS(from_nowhere, address_commands, info.addressRange.address = 0x7000000000000000ull,
             .expect = {CREATE2("addressRange-11602")})
FROM_ADDRESS(from_other_usage, address_commands, info.addressRange.address = address_with(b, 0),
             .expect = {CREATE2("addressRange-11603")})
FROM_ADDRESS(from_too_short, address_commands, info.addressRange.size = 131072,
             .expect = {CREATE2("addressRange-11603")})
FROM_ADDRESS(from_address_storage, address_commands,
             info.addressFlags = VK_ADDRESS_COMMAND_STORAGE_BUFFER_USAGE_BIT_KHR |
                                 VK_ADDRESS_COMMAND_UNKNOWN_STORAGE_BUFFER_USAGE_BIT_KHR,
             .expect = {CREATE2("addressFlags-13100")}, .allow = {CREATE2("addressRange-13123")})
FROM_ADDRESS(from_address_feedback, address_commands,
             info.addressFlags = VK_ADDRESS_COMMAND_TRANSFORM_FEEDBACK_BUFFER_USAGE_BIT_KHR |
                                 VK_ADDRESS_COMMAND_UNKNOWN_TRANSFORM_FEEDBACK_BUFFER_USAGE_BIT_KHR,
             .expect = {CREATE2("addressFlags-13101")}, .allow = {CREATE2("addressRange-13125")})
FROM_ADDRESS(from_address_replay, address_commands,
             info.createFlags =
                 VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR,
             .expect = {CREATE2("createFlags-03613"), CREATE2("createFlags-11607")},
             .proceed = true)

SCENARIO(from_sparse_residency, NULL_ON(sparse_commands, "VK_KHR_device_address_commands"),
         .expect = {CREATE2("addressRange-11604")})
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    VkBufferCreateInfo buffer =
        buffer_info(65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    buffer.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;
    const VkAccelerationStructureCreateInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,
        .addressRange = {address_of(b, create_buffer(b, &buffer)), 65536},
        .type = BOTTOM};
    (void)DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL, &structure);
}

/* --- what may be asked --- */

static VkDeviceAddress ask_address(struct baseline *b, VkAccelerationStructureKHR structure)
{
    const VkAccelerationStructureDeviceAddressInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = structure};
    return DEVICE_PROC(b, vkGetAccelerationStructureDeviceAddressKHR)(b->device, &info);
}

SCENARIO(structure_address, ON)
{
    EXPECT(ask_address(b, make_structure(b, BOTTOM)) != 0);
}

SCENARIO(structure_address_usage, ON,
         .expect = {"VUID-vkGetAccelerationStructureDeviceAddressKHR-pInfo-09542"})
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.buffer = make_buffer(b, 65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    ask_address(b, create_structure(b, &info));
}

static VkAccelerationStructureKHR make_unbacked(struct baseline *b)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    VkBufferCreateInfo buffer =
        buffer_info(65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    info.buffer = create_buffer(b, &buffer);
    return create_structure(b, &info);
}

SCENARIO(structure_address_unbound, ON,
         .expect = {"VUID-vkGetAccelerationStructureDeviceAddressKHR-pInfo-09541"})
{
    ask_address(b, make_unbacked(b));
}

static void ask_sizes(struct baseline *b, const struct structure_build *build,
                      const uint32_t *counts)
{
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    DEVICE_PROC(b, vkGetAccelerationStructureBuildSizesKHR)(
        b->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build->info, counts, &sizes);
}

SCENARIO(sizes_without_counts, ON,
         .expect = {"VUID-vkGetAccelerationStructureBuildSizesKHR-pMaxPrimitiveCounts-11612"})
{
    struct structure_build build;
    fill_triangles(b, &build);
    ask_sizes(b, &build, NULL);
}

SCENARIO(sizes_of_many_instances, NULL_ON(structures),
         .expect = {"VUID-vkGetAccelerationStructureBuildSizesKHR-pBuildInfo-03785"})
{
    struct structure_build build;
    fill_instances(b, &build);
    const uint32_t count = UINT32_MAX;
    ask_sizes(b, &build, &count);
}

/* --- geometries --- */

#define BUILDING(name_, fill_, change_, ...)        \
    SCENARIO(name_, ##__VA_ARGS__)                  \
    {                                               \
        struct structure_build build;               \
        fill_(b, &build);                           \
        change_;                                    \
        record_build(b, make_recording(b), &build); \
    }
#define TRIANGLES build.geometries[0].geometry.triangles
#define BOXES     build.geometries[0].geometry.aabbs
#define INSTANCES build.geometries[0].geometry.instances

BUILDING(build_triangles, fill_triangles, , ON)
BUILDING(build_indexed_triangles, fill_triangles,
         (TRIANGLES.indexType = VK_INDEX_TYPE_UINT16,
          TRIANGLES.indexData.deviceAddress = build.input_address + 1026,
          build.ranges[0].primitiveOffset = 6,
          TRIANGLES.transformData.deviceAddress = build.input_address + 2048,
          build.ranges[0].transformOffset = 16),
         NULL_ON(structures))
BUILDING(build_two_geometries, fill_triangles, build.info.geometryCount = 2, NULL_ON(structures))
BUILDING(build_list_of_geometries, fill_triangles,
         (build.info.pGeometries = NULL, build.info.ppGeometries = build.list), NULL_ON(structures))
BUILDING(build_boxes, fill_boxes, build.ranges[0].primitiveOffset = 24, NULL_ON(structures))
BUILDING(build_instances, fill_instances, , NULL_ON(structures))
BUILDING(build_nothing, fill_triangles,
         (build.info.geometryCount = 0, build.info.pGeometries = NULL), NULL_ON(structures))
BUILDING(build_generic_structure, fill_triangles,
         build.info.dstAccelerationStructure = make_structure(b, GENERIC), NULL_ON(structures))

BUILDING(build_as_generic, fill_triangles, build.info.type = GENERIC, ON,
         .expect = {INFO("type-03654")})
BUILDING(build_both_lists, fill_triangles, build.info.ppGeometries = build.list, ON,
         .expect = {INFO("pGeometries-03788")})
BUILDING(build_top_of_triangles, fill_triangles,
         (build.info.type = TOP, build.info.dstAccelerationStructure = make_structure(b, TOP)), ON,
         .expect = {INFO("type-03789")})
BUILDING(build_top_of_two, fill_instances, build.info.geometryCount = 2, ON,
         .expect = {INFO("type-03790")})
BUILDING(build_bottom_of_instances, fill_instances,
         (build.info.type = BOTTOM,
          build.info.dstAccelerationStructure = make_structure(b, BOTTOM)),
         ON, .expect = {INFO("type-03791")})
BUILDING(build_mixed, fill_triangles,
         (build.info.geometryCount = 2,
          build.geometries[1].geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
          build.geometries[1].geometry.aabbs =
              (VkAccelerationStructureGeometryAabbsDataKHR){
                  .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                  .data.deviceAddress = build.input_address,
                  .stride = 24}),
         ON, .expect = {INFO("type-03792")})
BUILDING(build_many_geometries, fill_triangles, build.info.geometryCount = 2, NULL_ON(structures),
         .null_driver = "{\"limits\": {\"maxGeometryCount\": 1}}", .expect = {INFO("type-03793")})
BUILDING(build_many_boxes, fill_boxes, build.ranges[0].primitiveCount = 1u << 30,
         NULL_ON(structures), .expect = {INFO("type-03794")})
BUILDING(build_many_triangles, fill_triangles,
         (build.ranges[0].primitiveCount = 1u << 30, TRIANGLES.maxVertex = UINT32_MAX),
         NULL_ON(structures), .expect = {INFO("type-03795")})
BUILDING(build_fast_and_fast, fill_triangles,
         build.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR |
                            VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR,
         ON, .expect = {INFO("flags-03796")})

#define TRIANGLE(id_) "VUID-VkAccelerationStructureGeometryTrianglesDataKHR-" id_
BUILDING(triangles_stride, fill_triangles, TRIANGLES.vertexStride = 14, ON,
         .expect = {TRIANGLE("vertexStride-03735")},
         .text = {"pInfos[0].pGeometries[0].geometry.triangles.vertexStride is 14, but the "
                  "components of VK_FORMAT_R32G32B32_SFLOAT have 4 bytes"})
BUILDING(triangles_stride_far, fill_triangles, TRIANGLES.vertexStride = 1ull << 32, ON,
         .expect = {TRIANGLE("vertexStride-03819")})
BUILDING(triangles_format, fill_triangles, TRIANGLES.vertexFormat = VK_FORMAT_D16_UNORM, ON,
         .expect = {TRIANGLE("vertexFormat-03797")})
BUILDING(triangles_index, fill_triangles,
         (TRIANGLES.indexType = VK_INDEX_TYPE_UINT8,
          TRIANGLES.indexData.deviceAddress = build.input_address),
         NULL_ON(structures, "VK_KHR_index_type_uint8"), .expect = {TRIANGLE("indexType-03798")})
BUILDING(boxes_stride, fill_boxes, BOXES.stride = 28, ON,
         .expect = {"VUID-VkAccelerationStructureGeometryAabbsDataKHR-stride-03545"})
BUILDING(boxes_stride_far, fill_boxes, BOXES.stride = 1ull << 32, ON,
         .expect = {"VUID-VkAccelerationStructureGeometryAabbsDataKHR-stride-03820"})

BUILDING(range_indices, fill_triangles,
         (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
          TRIANGLES.indexData.deviceAddress = build.input_address,
          build.ranges[0].primitiveOffset = 6),
         ON, .expect = {RANGE("primitiveOffset-03656")},
         .text = {"ppBuildRangeInfos[0][0].primitiveOffset is 6"})
BUILDING(range_vertices, fill_triangles, build.ranges[0].primitiveOffset = 6, ON,
         .expect = {RANGE("primitiveOffset-03657")})
BUILDING(range_transform, fill_triangles, build.ranges[0].transformOffset = 8, ON,
         .expect = {RANGE("transformOffset-03658")})
BUILDING(range_boxes, fill_boxes, build.ranges[0].primitiveOffset = 4, ON,
         .expect = {RANGE("primitiveOffset-03659")})
BUILDING(range_instances, fill_instances, build.ranges[0].primitiveOffset = 8, ON,
         .expect = {RANGE("primitiveOffset-03660")})
BUILDING(range_max_vertex, fill_triangles, build.ranges[0].firstVertex = 1, ON,
         .expect = {RANGE("None-10775")})
BUILDING(range_many_instances, fill_instances, build.ranges[0].primitiveCount = UINT32_MAX,
         NULL_ON(structures), .expect = {BUILD("pInfos-03801")})

/* --- addresses --- */

#define NOWHERE 0x7000000000000000ull
BUILDING(address_vertices, fill_triangles, TRIANGLES.vertexData.deviceAddress = NOWHERE, ON,
         .expect = {BUILD("pInfos-03804")},
         .text = {"which lies in no buffer whose address was asked for"})
BUILDING(address_indices, fill_triangles,
         (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32, TRIANGLES.indexData.deviceAddress = NOWHERE),
         ON, .expect = {BUILD("pInfos-03806")})
BUILDING(address_transform, fill_triangles, TRIANGLES.transformData.deviceAddress = NOWHERE, ON,
         .expect = {BUILD("pInfos-03808")})
BUILDING(address_boxes, fill_boxes, BOXES.data.deviceAddress = NOWHERE, ON,
         .expect = {BUILD("pInfos-03811")})
BUILDING(address_instances, fill_instances, INSTANCES.data.deviceAddress = NOWHERE, ON,
         .expect = {BUILD("pInfos-03813")})
/* Nothing is read of a geometry without primitives. */
BUILDING(address_of_no_vertices, fill_triangles,
         (TRIANGLES.vertexData.deviceAddress = 0, TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
          TRIANGLES.indexData.deviceAddress = 0, build.ranges[0].primitiveCount = 0),
         ON)
BUILDING(address_of_no_boxes, fill_boxes,
         (BOXES.data.deviceAddress = 0, build.ranges[0].primitiveCount = 0), ON)
BUILDING(address_of_no_instances, fill_instances,
         (INSTANCES.data.deviceAddress = 0, build.ranges[0].primitiveCount = 0), ON)
BUILDING(address_usage, fill_triangles,
         TRIANGLES.vertexData.deviceAddress = make_scratch(b, 4096) + 16, ON,
         .expect = {BUILD("geometry-03673")},
         .text = {"vertexData.deviceAddress is 0x", ", in VkBuffer 0x",
                  ", whose usage does not contain "
                  "VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR"})
BUILDING(address_of_destroyed_buffer, fill_triangles,
         (vkDestroyBuffer(b->device, build.input, NULL), FORGET(b, build.input)), ON,
         .expect = {BUILD("pInfos-03804")},
         .text = {"which lies in no buffer whose address was asked for; it lay in ", "VkBuffer",
                  ", which was destroyed"})
BUILDING(aligned_vertices, fill_triangles, TRIANGLES.vertexData.deviceAddress += 2, ON,
         .expect = {BUILD("pInfos-03711")},
         .text = {"vertexData.deviceAddress is 0x", " of VkBuffer 0x",
                  "), which is not a multiple of 4"})
BUILDING(aligned_indices, fill_triangles,
         (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
          TRIANGLES.indexData.deviceAddress = build.input_address + 2),
         ON, .expect = {BUILD("pInfos-03712")})
BUILDING(aligned_transform, fill_triangles,
         TRIANGLES.transformData.deviceAddress = build.input_address + 8, ON,
         .expect = {BUILD("pInfos-03810")})
BUILDING(aligned_boxes, fill_boxes, BOXES.data.deviceAddress += 4, ON,
         .expect = {BUILD("pInfos-03714")})
BUILDING(aligned_instances, fill_instances, INSTANCES.data.deviceAddress += 8, ON,
         .expect = {BUILD("pInfos-03715")})
BUILDING(aligned_pointers, fill_instances,
         (INSTANCES.arrayOfPointers = VK_TRUE, INSTANCES.data.deviceAddress += 4), ON,
         .expect = {BUILD("pInfos-03716")})

BUILDING(scratch_alignment, fill_triangles, build.info.scratchData.deviceAddress += 4, ON,
         .expect = {BUILD("pInfos-03710")},
         .text = {" (offset 4 of VkBuffer 0x",
                  "), not a multiple of minAccelerationStructureScratchOffsetAlignment"})
BUILDING(scratch_usage, fill_triangles,
         build.info.scratchData.deviceAddress =
             address_of(b, make_buffer(b, 65536, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
         NULL_ON(structures), .expect = {BUILD("pInfos-12261")})
BUILDING(scratch_nowhere, fill_triangles, build.info.scratchData.deviceAddress = NOWHERE, ON,
         .expect = {BUILD("pInfos-12261")},
         .text = {
             "lies in no buffer whose address was asked for, but the build takes scratch memory"})
BUILDING(scratch_size, fill_triangles, build.info.scratchData.deviceAddress = make_scratch(b, 256),
         NULL_ON(structures), .expect = {BUILD("pInfos-12258")},
         .text = {
             " (offset 0 of VkBuffer 0x",
             "), where that buffer has 512 bytes left, but the scratch memory of the build takes "})

/* --- structures of a build --- */

BUILDING(target_top, fill_triangles, build.info.dstAccelerationStructure = make_structure(b, TOP),
         ON, .expect = {BUILD("pInfos-03700")})
BUILDING(target_bottom, fill_instances,
         build.info.dstAccelerationStructure = make_structure(b, BOTTOM), ON,
         .expect = {BUILD("pInfos-03699")})
BUILDING(target_unbound, fill_triangles, build.info.dstAccelerationStructure = make_unbacked(b), ON,
         .expect = {BUILD("pInfos-03707")})
BUILDING(update_of_null, fill_triangles,
         build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR, ON,
         .expect = {BUILD("pInfos-04630")})
BUILDING(mode_unknown, fill_triangles, build.info.mode = (VkBuildAccelerationStructureModeKHR)7, ON,
         .expect = {BUILD("mode-04628")})

SCENARIO(target_small, NULL_ON(structures), .expect = {BUILD("pInfos-10126")})
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.size = 256;
    build.info.dstAccelerationStructure = create_structure(b, &info);
    record_build(b, make_recording(b), &build);
}

SCENARIO(build_without_feature, .features = &addresses_alone, .extensions = {BASE}, .proceed = true,
         .expect = {BUILD("accelerationStructure-08923"),
                    "VUID-vkCreateAccelerationStructureKHR-accelerationStructure-03611",
                    "VUID-vkGetAccelerationStructureBuildSizesKHR-accelerationStructure-08933",
                    "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-08934"},
         .drivers = NULL_DRIVER)
{
    struct structure_build build;
    fill_triangles(b, &build);
    record_build(b, make_recording(b), &build);
}

SCENARIO(build_protected, .drivers = NULL_DRIVER, .extensions = {BASE},
         .expect = {BUILD("commandBuffer-09547")},
         .features = &(VkPhysicalDeviceProtectedMemoryFeatures){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
             .pNext = (void *)&structures,
             .protectedMemory = VK_TRUE})
{
    struct structure_build build;
    fill_triangles(b, &build);
    record_build(b, make_protected_recording(b), &build);
}

/* Two builds in one command; `right` is how they are right. */
#define TWO_BUILDS(name_, change_, ...)                                                           \
    SCENARIO(name_, ##__VA_ARGS__)                                                                \
    {                                                                                             \
        struct structure_build build, other;                                                      \
        fill_triangles(b, &build);                                                                \
        fill_triangles(b, &other);                                                                \
        change_;                                                                                  \
        VkAccelerationStructureBuildGeometryInfoKHR infos[] = {build.info, other.info};           \
        const VkAccelerationStructureBuildRangeInfoKHR *ranges[] = {build.range, other.range};    \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(make_recording(b), 2, infos, ranges); \
    }

TWO_BUILDS(two_builds, , NULL_ON(structures))
TWO_BUILDS(two_builds_of_one,
           other.info.dstAccelerationStructure = build.info.dstAccelerationStructure, ON,
           .expect = {BUILD("dstAccelerationStructure-03698")})
TWO_BUILDS(two_builds_one_scratch, other.info.scratchData = build.info.scratchData,
           NULL_ON(structures), .expect = {BUILD("scratchData-03704")})

SCENARIO(two_builds_on_one_buffer, NULL_ON(structures),
         .expect = {BUILD("dstAccelerationStructure-03702")})
{
    struct structure_build build, other;
    fill_triangles(b, &build);
    fill_triangles(b, &other);
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    build.info.dstAccelerationStructure = create_structure(b, &info);
    other.info.dstAccelerationStructure = create_structure(b, &info);
    VkAccelerationStructureBuildGeometryInfoKHR infos[] = {build.info, other.info};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges[] = {build.range, other.range};
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(make_recording(b), 2, infos, ranges);
}

/* Both halves of a buffer of all usages. */
SCENARIO(scratch_over_target, NULL_ON(structures),
         .expect = {BUILD("dstAccelerationStructure-03703")})
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.buffer = make_buffer(b, 2 * info.size,
                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    build.info.dstAccelerationStructure = create_structure(b, &info);
    build.info.scratchData.deviceAddress = address_of(b, info.buffer) + info.size - 128;
    record_build(b, make_recording(b), &build);
}

SCENARIO(scratch_behind_target, NULL_ON(structures))
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.buffer = make_buffer(b, 2 * info.size,
                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    build.info.dstAccelerationStructure = create_structure(b, &info);
    build.info.scratchData.deviceAddress = address_of(b, info.buffer) + info.size;
    record_build(b, make_recording(b), &build);
}

/* --- indirect builds --- */

#define INDIRECT(id_) "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-" id_
#define INDIRECTLY(name_, change_, ...)                                                    \
    SCENARIO(name_, ##__VA_ARGS__)                                                         \
    {                                                                                      \
        struct structure_build build;                                                      \
        fill_triangles(b, &build);                                                         \
        const uint32_t most = 1, *mosts = &most;                                           \
        uint32_t stride = sizeof(VkAccelerationStructureBuildRangeInfoKHR);                \
        VkDeviceAddress address =                                                          \
            address_of(b, make_buffer(b, 64,                                               \
                                      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |                \
                                          VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));     \
        change_;                                                                           \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructuresIndirectKHR)(make_recording(b), 1,  \
                                                                    &build.info, &address, \
                                                                    &stride, &mosts);      \
    }

INDIRECTLY(indirect_right, , NULL_ON(indirect_builds))
INDIRECTLY(indirect_address_alignment, address += 2, NULL_ON(indirect_builds),
           .expect = {INDIRECT("pIndirectDeviceAddresses-03648")})
INDIRECTLY(indirect_stride, stride = 18, NULL_ON(indirect_builds),
           .expect = {INDIRECT("pIndirectStrides-03787")})
INDIRECTLY(indirect_usage, address = build.input_address, NULL_ON(indirect_builds),
           .expect = {INDIRECT("pIndirectDeviceAddresses-03647")})
INDIRECTLY(indirect_end, address += 60, NULL_ON(indirect_builds),
           .expect = {INDIRECT("pIndirectDeviceAddresses-03646")})

SCENARIO(indirect_target_small, NULL_ON(indirect_builds), .expect = {INDIRECT("pInfos-03652")})
{
    struct structure_build build;
    fill_triangles(b, &build);
    const uint32_t most = 1, *mosts = &most,
                   stride = sizeof(VkAccelerationStructureBuildRangeInfoKHR);
    VkDeviceAddress address =
        address_of(b, make_buffer(b, 64,
                                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.size = 256;
    build.info.dstAccelerationStructure = create_structure(b, &info);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresIndirectKHR)(make_recording(b), 1, &build.info,
                                                                &address, &stride, &mosts);
}

/* --- descriptors --- */

static void write_descriptor(struct baseline *b, VkAccelerationStructureTypeKHR type)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                                  1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    layout.pBindings = &binding;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkAccelerationStructureKHR structure = make_structure(b, type);
    VkWriteDescriptorSetAccelerationStructureKHR chained = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &structure};
    VkWriteDescriptorSet write =
        write_buffer(make_descriptor_set(b, create_descriptor_pool(b, &pool),
                                         create_descriptor_set_layout(b, &layout)),
                     NULL);
    write.pNext = &chained;
    write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(descriptor_of_top, ON)
{
    write_descriptor(b, TOP);
}

SCENARIO(descriptor_of_generic, ON)
{
    write_descriptor(b, GENERIC);
}

SCENARIO(descriptor_of_bottom, ON,
         .expect = {
             "VUID-VkWriteDescriptorSetAccelerationStructureKHR-pAccelerationStructures-03579"})
{
    write_descriptor(b, BOTTOM);
}
