/* More acceleration structures: without the feature, of motion, of micromaps, with data to capture;
 * handles of builds that are none. */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE,
    .bufferDeviceAddressCaptureReplay = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .accelerationStructure = VK_TRUE,
    .accelerationStructureCaptureReplay = VK_TRUE};
#define BASE "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"
#define NULL_ON(features_, ...) \
    .drivers = NULL_DRIVER, .features = &(features_), .extensions = {BASE, ##__VA_ARGS__}

#define INFO(id_) "VUID-VkAccelerationStructureBuildGeometryInfoKHR-" id_
#define TOP       VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
#define BOTTOM    VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR

/* --- without the feature --- */

#define WITHOUT(name_, id_, ...)                                                               \
    SCENARIO(name_, NULL_ON(addresses), .proceed = true,                                       \
             .expect = {"VUID-" id_,                                                           \
                        "VUID-vkCreateAccelerationStructureKHR-accelerationStructure-03611",   \
                        "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-08934"}, \
             .text = {"needs the feature accelerationStructure, which is not enabled"},        \
             .allow = {"VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-"                   \
                       "pAccelerationStructures-04964",                                        \
                       "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-"                   \
                       "accelerationStructures-03431"})                                        \
    {                                                                                          \
        VkAccelerationStructureKHR structure = make_structure(b, BOTTOM);                      \
        __VA_ARGS__;                                                                           \
    }

static void ask_compatibility(struct baseline *b)
{
    static const uint8_t version[2 * VK_UUID_SIZE];
    const VkAccelerationStructureVersionInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR,
        .pVersionData = version};
    VkAccelerationStructureCompatibilityKHR compatibility;
    DEVICE_PROC(b, vkGetDeviceAccelerationStructureCompatibilityKHR)(b->device, &info,
                                                                     &compatibility);
}

SCENARIO(compatibility_without_feature, NULL_ON(addresses),
         .expect =
             {"VUID-vkGetDeviceAccelerationStructureCompatibilityKHR-accelerationStructure-08928"},
         .text = {"needs the feature accelerationStructure, which is not enabled"})
{
    ask_compatibility(b);
}

SCENARIO(compatibility, NULL_ON(structures))
{
    ask_compatibility(b);
}

/* --- opacity micromaps --- */

#define MICROMAPS "VK_KHR_opacity_micromap", "VK_KHR_device_address_commands"
static const VkPhysicalDeviceOpacityMicromapFeaturesKHR opacity = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_KHR,
    .pNext = (void *)&structures,
    .micromap = VK_TRUE};

SCENARIO(micromap_by_first_command, NULL_ON(opacity, MICROMAPS),
         .expect = {"VUID-VkAccelerationStructureCreateInfoKHR-type-11600"},
         .text = {"pCreateInfo->type is VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR"})
{
    VkAccelerationStructureCreateInfoKHR info =
        structure_info(b, VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR);
    create_structure(b, &info);
}

#define SIZES(id_) "VUID-vkGetAccelerationStructureBuildSizesKHR-" id_
static void ask_micromap_sizes(struct baseline *b, VkAccelerationStructureBuildTypeKHR type,
                               const uint32_t *counts)
{
    const VkAccelerationStructureGeometryMicromapDataKHR micromap = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_MICROMAP_DATA_KHR,
        .triangleArrayStride = 8};
    const VkAccelerationStructureGeometryKHR geometry = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .pNext = &micromap,
        .geometryType = VK_GEOMETRY_TYPE_MICROMAP_KHR};
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR,
        .geometryCount = 1,
        .pGeometries = &geometry};
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    DEVICE_PROC(b, vkGetAccelerationStructureBuildSizesKHR)(b->device, type, &info, counts, &sizes);
}

SCENARIO(micromap_sizes, NULL_ON(opacity, MICROMAPS))
{
    ask_micromap_sizes(b, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, NULL);
}

SCENARIO(micromap_sizes_with_counts, NULL_ON(opacity, MICROMAPS),
         .expect = {SIZES("pMaxPrimitiveCounts-11613")},
         .text = {"pMaxPrimitiveCounts is not NULL, but pBuildInfo->type is "
                  "VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR"})
{
    static const uint32_t count = 1;
    ask_micromap_sizes(b, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &count);
}

SCENARIO(micromap_sizes_on_the_host, NULL_ON(opacity, MICROMAPS),
         .expect = {SIZES("buildType-11614")},
         .text = {"buildType is VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR, not"})
{
    ask_micromap_sizes(b, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR, NULL);
}

/* --- captured addresses and data --- */

static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR address_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&structures,
    .deviceAddressCommands = VK_TRUE};

static VkBuffer make_replayed_buffer(struct baseline *b)
{
    VkBufferCreateInfo info =
        buffer_info(65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    info.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
    VkBuffer buffer = create_buffer(b, &info);
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                 VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT};
    VkMemoryAllocateInfo memory = memory_info(65536, 0);
    memory.pNext = &flags;
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &memory), 0));
    return buffer;
}

static void create_replayed(struct baseline *b, VkAccelerationStructureCreateFlagsKHR flags)
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    const VkAccelerationStructureCreateInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,
        .createFlags = flags,
        .addressRange = {address_of(b, make_replayed_buffer(b)), 65536},
        .type = BOTTOM};
    if (DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL, &structure) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
}

SCENARIO(replayed_from_address, NULL_ON(address_commands, "VK_KHR_device_address_commands"))
{
    create_replayed(b, VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR);
}

SCENARIO(replayed_from_address_without_flag,
         NULL_ON(address_commands, "VK_KHR_device_address_commands"),
         .expect = {"VUID-VkAccelerationStructureCreateInfo2KHR-createFlags-11606"},
         .text = {"pCreateInfo->createFlags lacks "
                  "VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR"})
{
    create_replayed(b, 0);
}

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT
    descriptor_buffers = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
                          .pNext = (void *)&structures,
                          .descriptorBuffer = VK_TRUE},
    capture = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
               .pNext = (void *)&structures,
               .descriptorBuffer = VK_TRUE,
               .descriptorBufferCaptureReplay = VK_TRUE},
    capture_alone = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
                     .pNext = (void *)&addresses,
                     .descriptorBuffer = VK_TRUE,
                     .descriptorBufferCaptureReplay = VK_TRUE};
#define CAPTURE(id_) "VUID-VkAccelerationStructureCaptureDescriptorDataInfoEXT-" id_

static void ask_data(struct baseline *b, VkAccelerationStructureKHR structure,
                     VkAccelerationStructureNV other)
{
    uint8_t data[256];
    const VkAccelerationStructureCaptureDescriptorDataInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CAPTURE_DESCRIPTOR_DATA_INFO_EXT,
        .accelerationStructure = structure,
        .accelerationStructureNV = other};
    DEVICE_PROC(b, vkGetAccelerationStructureOpaqueCaptureDescriptorDataEXT)(b->device, &info,
                                                                             data);
}

static VkAccelerationStructureKHR make_captured(struct baseline *b)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.createFlags = VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT;
    return create_structure(b, &info);
}

SCENARIO(captured_data, NULL_ON(capture, "VK_EXT_descriptor_buffer"))
{
    ask_data(b, make_captured(b), VK_NULL_HANDLE);
}

SCENARIO(captured_data_without_feature, NULL_ON(descriptor_buffers, "VK_EXT_descriptor_buffer"),
         .expect = {"VUID-vkGetAccelerationStructureOpaqueCaptureDescriptorDataEXT-None-08088"},
         .text = {"needs the feature descriptorBufferCaptureReplay, which is not enabled"})
{
    ask_data(b, make_structure(b, BOTTOM), VK_NULL_HANDLE);
}

SCENARIO(captured_data_without_flag, NULL_ON(capture, "VK_EXT_descriptor_buffer"),
         .expect = {CAPTURE("accelerationStructure-08091")},
         .text = {"pInfo->accelerationStructure was created without "
                  "VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT"})
{
    ask_data(b, make_structure(b, BOTTOM), VK_NULL_HANDLE);
}

SCENARIO(captured_data_without_structures, NULL_ON(capture_alone, "VK_EXT_descriptor_buffer"),
         .proceed = true,
         .expect = {"VUID-vkCreateAccelerationStructureKHR-accelerationStructure-03611",
                    CAPTURE("None-12430"),
                    "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-08934"},
         .text = {"pInfo->accelerationStructure is not NULL, but the feature "
                  "accelerationStructure is not enabled"})
{
    ask_data(b, make_captured(b), VK_NULL_HANDLE);
}

static void destroy_structure_nv(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyAccelerationStructureNV)(b->device,
                                                     (VkAccelerationStructureNV)(uintptr_t)handle,
                                                     NULL);
}

SCENARIO(captured_data_of_two, NULL_ON(capture, "VK_EXT_descriptor_buffer", "VK_NV_ray_tracing"),
         .expect = {CAPTURE("accelerationStructure-08093")},
         .text = {"pInfo->accelerationStructureNV is not NULL"})
{
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV,
                 .instanceCount = 1}};
    VkAccelerationStructureNV other = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, &info, NULL, &other));
    cleanup_add(b, destroy_structure_nv, HANDLE(other));
    ask_data(b, make_captured(b), other);
}

/* --- builds --- */

#define MOTION "VK_NV_ray_tracing_motion_blur", "VK_KHR_ray_tracing_pipeline"
static const VkPhysicalDeviceRayTracingMotionBlurFeaturesNV motion = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MOTION_BLUR_FEATURES_NV,
    .pNext = (void *)&structures,
    .rayTracingMotionBlur = VK_TRUE};

static VkAccelerationStructureKHR make_moving(struct baseline *b)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.createFlags = VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV;
    return create_structure(b, &info);
}

#define BUILDING(name_, change_, ...)               \
    SCENARIO(name_, ##__VA_ARGS__)                  \
    {                                               \
        struct structure_build build;               \
        fill_triangles(b, &build);                  \
        change_;                                    \
        record_build(b, make_recording(b), &build); \
    }
#define MOVING build.info.flags |= VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV

BUILDING(build_motion, (build.info.dstAccelerationStructure = make_moving(b), MOVING),
         NULL_ON(motion, MOTION))
BUILDING(build_motion_without_flag, build.info.dstAccelerationStructure = make_moving(b),
         NULL_ON(motion, MOTION), .expect = {INFO("dstAccelerationStructure-04927")},
         .text = {"without VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV, but the structure was "
                  "created with VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV"})
BUILDING(build_motion_of_still, MOVING, NULL_ON(motion, MOTION), .expect = {INFO("flags-04928")},
         .text = {"flags contains VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV, but the structure "
                  "was created without VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV"})
BUILDING(build_motion_generic,
         (build.info.dstAccelerationStructure = make_moving(b), MOVING,
          build.info.type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR),
         NULL_ON(motion, MOTION), .expect = {INFO("flags-04929")},
         .text = {"type is VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, but flags contains "
                  "VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV"})

BUILDING(update_of_garbage,
         (build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR,
          build.info.srcAccelerationStructure = GARBAGE(VkAccelerationStructureKHR)),
         NULL_ON(structures),
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-srcAccelerationStructure-04629"},
         .text = {"srcAccelerationStructure"})

static const VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
    .pNext = (void *)&structures,
    .micromap = VK_TRUE};

static void destroy_micromap(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyMicromapEXT)(b->device, (VkMicromapEXT)(uintptr_t)handle, NULL);
}

static VkMicromapEXT make_micromap(struct baseline *b)
{
    const VkMicromapCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
        .buffer = make_buffer(b, 4096, VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT),
        .size = 4096,
        .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    VkMicromapEXT micromap = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateMicromapEXT)(b->device, &info, NULL, &micromap));
    cleanup_add(b, destroy_micromap, HANDLE(micromap));
    return micromap;
}

static VkCommandBuffer build_micromap(struct baseline *b, VkMicromapEXT micromap)
{
    VkDeviceAddress input =
        address_of(b, make_buffer(b, 4096,
                                  VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    const VkMicromapUsageEXT usage = {
        .count = 1, .subdivisionLevel = 1, .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
    const VkMicromapBuildInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_INFO_EXT,
                                         .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
                                         .mode = VK_BUILD_MICROMAP_MODE_BUILD_EXT,
                                         .dstMicromap = micromap,
                                         .usageCountsCount = 1,
                                         .pUsageCounts = &usage,
                                         .data = {.deviceAddress = input},
                                         .scratchData = {.deviceAddress = make_scratch(b, 4096)},
                                         .triangleArray = {.deviceAddress = input},
                                         .triangleArrayStride = sizeof(VkMicromapTriangleEXT)};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBuildMicromapsEXT)(commands, 1, &info);
    return commands;
}

SCENARIO(build_of_micromap, NULL_ON(micromaps, "VK_EXT_opacity_micromap"))
{
    build_micromap(b, make_micromap(b));
}

SCENARIO(micromap_in_use, NULL_ON(micromaps, "VK_EXT_opacity_micromap"),
         .expect = {"VUID-vkDestroyMicromapEXT-micromap-07441"},
         .text = {"micromap is in use by VkCommandBuffer 0x"})
{
    VkMicromapEXT micromap = make_micromap(b);
    VkCommandBuffer commands = build_micromap(b, micromap);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    DEVICE_PROC(b, vkDestroyMicromapEXT)(b->device, micromap, NULL);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(build_of_garbage_micromap, NULL_ON(micromaps, "VK_EXT_opacity_micromap"),
         .expect = {"VUID-vkCmdBuildMicromapsEXT-dstMicromap-07463"},
         .text = {"pInfos[0].dstMicromap"})
{
    build_micromap(b, GARBAGE(VkMicromapEXT));
}
