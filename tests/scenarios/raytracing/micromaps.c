/* Micromaps: scratch memory and places of builds, what builds on the host read, and uses of
 * micromaps that were never built. */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .accelerationStructure = VK_TRUE,
    .accelerationStructureIndirectBuild = VK_TRUE,
    .accelerationStructureHostCommands = VK_TRUE};
static const VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
    .pNext = (void *)&structures,
    .micromap = VK_TRUE,
    .micromapHostCommands = VK_TRUE};
#define LEVELS                                                               \
    .null_driver = "{\"limits\": {\"maxOpacity2StateSubdivisionLevel\": 5, " \
                   "\"maxOpacity4StateSubdivisionLevel\": 4}}"
#define ON                                                                             \
    .drivers = NULL_DRIVER, .features = &micromaps, LEVELS,                            \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", \
                   "VK_EXT_opacity_micromap"}

static void destroy_small_micromap(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyMicromapEXT)(b->device, (VkMicromapEXT)(uintptr_t)handle, NULL);
}

static VkMicromapEXT make_small_micromap_in(struct baseline *b, VkBuffer buffer,
                                            VkDeviceSize offset)
{
    const VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                          .buffer = buffer,
                                          .offset = offset,
                                          .size = 1024,
                                          .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    VkMicromapEXT micromap = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateMicromapEXT)(b->device, &info, NULL, &micromap));
    cleanup_add(b, destroy_small_micromap, HANDLE(micromap));
    return micromap;
}

/* It can be scratch memory as well. */
static VkBuffer make_storage(struct baseline *b)
{
    return make_buffer(b, 8192,
                       VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT |
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
}

static VkMicromapEXT make_small_micromap(struct baseline *b)
{
    return make_small_micromap_in(b, make_storage(b), 0);
}

static const VkMicromapUsageEXT one_triangle = {
    .count = 1, .subdivisionLevel = 1, .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};

static VkMicromapBuildInfoEXT micromap_build(struct baseline *b, VkMicromapEXT micromap)
{
    const VkDeviceAddress input =
        address_of(b, make_buffer(b, 4096,
                                  VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    return (VkMicromapBuildInfoEXT){.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_INFO_EXT,
                                    .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
                                    .mode = VK_BUILD_MICROMAP_MODE_BUILD_EXT,
                                    .dstMicromap = micromap,
                                    .usageCountsCount = 1,
                                    .pUsageCounts = &one_triangle,
                                    .data = {.deviceAddress = input},
                                    .scratchData = {.deviceAddress = make_scratch(b, 4096)},
                                    .triangleArray = {.deviceAddress = input},
                                    .triangleArrayStride = sizeof(VkMicromapTriangleEXT)};
}

/* --- the places of builds --- */

/* Two builds, whose micromaps lie in one buffer, one after the other; the null driver wants 1024
 * bytes of scratch memory for each. */
#define TWO_BUILDS(name_, change_, ...)                                      \
    SCENARIO(name_, ON, ##__VA_ARGS__)                                       \
    {                                                                        \
        const VkBuffer storage = make_storage(b);                            \
        VkMicromapBuildInfoEXT infos[2] = {                                  \
            micromap_build(b, make_small_micromap_in(b, storage, 0)),        \
            micromap_build(b, make_small_micromap_in(b, storage, 1024))};    \
        const VkDeviceAddress scratch = infos[0].scratchData.deviceAddress;  \
        infos[1].scratchData.deviceAddress = scratch + 1024;                 \
        change_;                                                             \
        DEVICE_PROC(b, vkCmdBuildMicromapsEXT)(make_recording(b), 2, infos); \
    }
#define BUILD(id_) "VUID-vkCmdBuildMicromapsEXT-" id_
TWO_BUILDS(two_builds, )
TWO_BUILDS(same_targets, infos[1].dstMicromap = make_small_micromap_in(b, storage, 768),
           .expect = {BUILD("dstMicromap-11649")},
           .text = {"pInfos[1].dstMicromap shares memory with dstMicromap of pInfos[0]"})
TWO_BUILDS(same_scratch, infos[1].scratchData.deviceAddress -= 256,
           .expect = {BUILD("scratchData-11651")},
           .text = {"pInfos[1].scratchData shares memory with scratchData of pInfos[0]"})
TWO_BUILDS(scratch_in_target, infos[1].scratchData.deviceAddress = address_of(b, storage) + 1792,
           .expect = {BUILD("dstMicromap-11650")},
           .text = {"pInfos[1].scratchData shares memory with dstMicromap of pInfos[1]"})
TWO_BUILDS(scratch_after_targets,
           infos[1].scratchData.deviceAddress = address_of(b, storage) + 2048)
TWO_BUILDS(scratch_nowhere, infos[1].scratchData.deviceAddress = 0x7000000000000000ull,
           .expect = {BUILD("pInfos-07512")},
           .text = {"pInfos[1].scratchData.deviceAddress is 0x7000000000000000"})
TWO_BUILDS(scratch_too_short, infos[1].scratchData.deviceAddress = address_of(b, storage) + 7424,
           .expect = {BUILD("pInfos-07509")},
           .text = {"the scratch memory of the build takes 1024"})
TWO_BUILDS(scratch_up_to_the_end,
           infos[1].scratchData.deviceAddress = address_of(b, storage) + 7168)

/* --- builds on the host --- */

#define ON_HOST(name_, change_, ...)                                                              \
    SCENARIO(name_, ON, ##__VA_ARGS__)                                                            \
    {                                                                                             \
        static _Alignas(256) unsigned char scratch[4096];                                         \
        static _Alignas(256) unsigned char data[4096];                                            \
        static _Alignas(256) VkMicromapTriangleEXT triangles[2];                                  \
        const VkMicromapUsageEXT usage = {                                                        \
            .count = 2, .subdivisionLevel = 1, .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT}; \
        VkMicromapBuildInfoEXT info = micromap_build(b, make_small_micromap(b));                  \
        triangles[0] = (VkMicromapTriangleEXT){0, 5, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};     \
        triangles[1] = (VkMicromapTriangleEXT){0, 4, VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT};     \
        info.pUsageCounts = &usage;                                                               \
        info.scratchData.hostAddress = scratch;                                                   \
        info.data.hostAddress = data;                                                             \
        info.triangleArray.hostAddress = triangles;                                               \
        change_;                                                                                  \
        (void)DEVICE_PROC(b, vkBuildMicromapsEXT)(b->device, VK_NULL_HANDLE, 1, &info);           \
    }
#define HOST_BUILD(id_) "VUID-vkBuildMicromapsEXT-" id_
#define INFO(id_)       "VUID-VkMicromapBuildInfoEXT-" id_
ON_HOST(host_build, )
ON_HOST(host_data_null, info.data.hostAddress = NULL, .expect = {HOST_BUILD("pInfos-07553")},
        .text = {"where no memory can be, but 2 triangles are built"})
ON_HOST(host_triangles_null, info.triangleArray.hostAddress = NULL,
        .expect = {HOST_BUILD("pInfos-07554")})
ON_HOST(host_scratch_null, info.scratchData.hostAddress = NULL,
        .expect = {HOST_BUILD("pInfos-07556")})
ON_HOST(host_triangle_format, triangles[1].format = 3, .expect = {INFO("format-11657")},
        .text = {"triangleArray has triangle 1 of format 3, not 1 or 2"})
ON_HOST(host_triangle_level_2, triangles[0].subdivisionLevel = 6,
        .expect = {INFO("subdivisionLevel-11659")},
        .text = {"more than maxOpacity2StateSubdivisionLevel (5)"})
ON_HOST(host_triangle_level_4, triangles[1].subdivisionLevel = 5,
        .expect = {INFO("subdivisionLevel-11660")},
        .text = {"more than maxOpacity4StateSubdivisionLevel (4)"})

/* --- what is read must have been built --- */

#define COMPACTABLE VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT
static VkMicromapEXT make_built_micromap(struct baseline *b, VkBuildMicromapFlagsEXT flags)
{
    VkMicromapBuildInfoEXT info = micromap_build(b, make_small_micromap(b));
    VkCommandBuffer commands = make_recording(b);
    info.flags = flags;
    DEVICE_PROC(b, vkCmdBuildMicromapsEXT)(commands, 1, &info);
    run_commands(b, commands);
    return info.dstMicromap;
}

static void submit_micromaps(struct baseline *b, VkCommandBuffer commands)
{
    const VkSubmitInfo info = submit_info(&commands);
    VK(vkEndCommandBuffer(commands));
    if (vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
}

static void copy_micromap(struct baseline *b, VkMicromapEXT from, VkCopyMicromapModeEXT mode,
                          bool on_host)
{
    const VkCopyMicromapInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT,
                                        .src = from,
                                        .dst = make_small_micromap(b),
                                        .mode = mode};
    if (on_host) {
        (void)DEVICE_PROC(b, vkCopyMicromapEXT)(b->device, VK_NULL_HANDLE, &info);
        return;
    }
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMicromapEXT)(commands, &info);
    submit_micromaps(b, commands);
}

#define COPY(name_, micromap_, mode_, on_host_, ...)                                  \
    SCENARIO(name_, ON, ##__VA_ARGS__)                                                \
    {                                                                                 \
        copy_micromap(b, micromap_, VK_COPY_MICROMAP_MODE_##mode_##_EXT, (on_host_)); \
    }
COPY(copy_built, make_built_micromap(b, 0), CLONE, false)
COPY(copy_not_built, make_small_micromap(b), CLONE, false,
     .expect = {"VUID-vkCmdCopyMicromapEXT-src-07532"}, .text = {"which was never built"})
COPY(compact_built, make_built_micromap(b, COMPACTABLE), COMPACT, false)
COPY(compact_not_compactable, make_built_micromap(b, 0), COMPACT, false,
     .expect = {"VUID-VkCopyMicromapInfoEXT-mode-07533"})
COPY(host_copy_built, make_built_micromap(b, 0), CLONE, true)
COPY(host_copy_not_built, make_small_micromap(b), CLONE, true,
     .expect = {"VUID-vkCopyMicromapEXT-src-11670"})
COPY(host_compact_not_compactable, make_built_micromap(b, 0), COMPACT, true,
     .expect = {"VUID-VkCopyMicromapInfoEXT-mode-07533"})

/* One command buffer builds the micromap and copies it. */
SCENARIO(copy_built_before, ON)
{
    const VkMicromapBuildInfoEXT build = micromap_build(b, make_small_micromap(b));
    const VkCopyMicromapInfoEXT copy = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT,
                                        .src = build.dstMicromap,
                                        .dst = make_small_micromap(b),
                                        .mode = VK_COPY_MICROMAP_MODE_CLONE_EXT};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBuildMicromapsEXT)(commands, 1, &build);
    DEVICE_PROC(b, vkCmdCopyMicromapEXT)(commands, &copy);
    submit_micromaps(b, commands);
}

static void serialize_micromap(struct baseline *b, VkMicromapEXT from)
{
    const VkDeviceAddress to = make_scratch(b, 4096);
    const VkCopyMicromapToMemoryInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_TO_MEMORY_INFO_EXT,
        .src = from,
        .dst = {.deviceAddress = to},
        .mode = VK_COPY_MICROMAP_MODE_SERIALIZE_EXT};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMicromapToMemoryEXT)(commands, &info);
    submit_micromaps(b, commands);
}

SCENARIO(serialize_built, ON)
{
    serialize_micromap(b, make_built_micromap(b, 0));
}

SCENARIO(serialize_not_built, ON, .expect = {"VUID-VkCopyMicromapToMemoryInfoEXT-src-07540"})
{
    serialize_micromap(b, make_small_micromap(b));
}

static void ask_micromap(struct baseline *b, VkMicromapEXT micromap)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT;
    VkQueryPool pool = create_query_pool(b, &info);
    VkCommandBuffer commands = make_recording(b);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    DEVICE_PROC(b, vkCmdWriteMicromapsPropertiesEXT)(commands, 1, &micromap, info.queryType, pool,
                                                     0);
    submit_micromaps(b, commands);
}

static void ask_micromap_on_host(struct baseline *b, VkMicromapEXT micromap)
{
    uint64_t size = 0;
    (void)DEVICE_PROC(b, vkWriteMicromapsPropertiesEXT)(b->device, 1, &micromap,
                                                        VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                                                        sizeof(size), &size, sizeof(size));
}

SCENARIO(properties_built, ON)
{
    ask_micromap(b, make_built_micromap(b, COMPACTABLE));
    ask_micromap_on_host(b, make_built_micromap(b, COMPACTABLE));
}

SCENARIO(properties_not_built, ON,
         .expect = {"VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-11662"})
{
    ask_micromap(b, make_small_micromap(b));
}

SCENARIO(properties_not_compactable, ON,
         .expect = {"VUID-vkCmdWriteMicromapsPropertiesEXT-pMicromaps-07502"})
{
    ask_micromap(b, make_built_micromap(b, 0));
}

SCENARIO(host_properties_not_built, ON,
         .expect = {"VUID-vkWriteMicromapsPropertiesEXT-pMicromaps-11671"})
{
    ask_micromap_on_host(b, make_small_micromap(b));
}

SCENARIO(host_properties_not_compactable, ON,
         .expect = {"VUID-vkWriteMicromapsPropertiesEXT-pMicromaps-07502"})
{
    ask_micromap_on_host(b, make_built_micromap(b, 0));
}

/* --- geometries with micromaps --- */

static void build_with_micromap(struct baseline *b, VkMicromapEXT micromap)
{
    struct structure_build build;
    fill_triangles(b, &build);
    const VkAccelerationStructureTrianglesOpacityMicromapEXT opacity = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_EXT,
        .indexType = VK_INDEX_TYPE_UINT32,
        .indexBuffer.deviceAddress = build.input_address,
        .indexStride = 4,
        .micromap = micromap};
    build.geometries[0].geometry.triangles.pNext = (void *)&opacity;
    build.info.scratchData.deviceAddress = make_scratch(b, 65536);
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &build);
    submit_micromaps(b, commands);
}

SCENARIO(geometry_with_built, ON)
{
    build_with_micromap(b, make_built_micromap(b, 0));
}

SCENARIO(geometry_with_not_built, ON,
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-micromap-11632"},
         .text = {"which was never built"})
{
    build_with_micromap(b, make_small_micromap(b));
}

/* --- VK_KHR_opacity_micromap --- */

static const VkPhysicalDeviceOpacityMicromapFeaturesKHR opacity = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_KHR,
    .pNext = (void *)&structures,
    .micromap = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&opacity,
    .deviceAddressCommands = VK_TRUE};
#define ON_KHR                                                                         \
    .drivers = NULL_DRIVER, .features = &commands,                                     \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", \
                   "VK_KHR_opacity_micromap", "VK_KHR_device_address_commands"}

static VkAccelerationStructureKHR make_opacity(struct baseline *b,
                                               VkAccelerationStructureTypeKHR type)
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    const VkAccelerationStructureCreateInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,
        .addressRange =
            {address_of(b, make_buffer(b, 65536,
                                       VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
             65536},
        .type = type};
    VK(DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL, &structure));
    cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
    return structure;
}

static VkAccelerationStructureKHR make_built_opacity(struct baseline *b)
{
    const VkDeviceAddress input =
        (address_of(
             b, make_buffer(b, 4096,
                            VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) +
         127) &
        ~(VkDeviceAddress)127;
    const VkMicromapUsageKHR usage = {
        .count = 1, .subdivisionLevel = 1, .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_KHR};
    const VkAccelerationStructureGeometryMicromapDataKHR data = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_MICROMAP_DATA_KHR,
        .usageCountsCount = 1,
        .pUsageCounts = &usage,
        .data = input,
        .triangleArray = input,
        .triangleArrayStride = 8};
    const VkAccelerationStructureGeometryKHR geometry = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .pNext = &data,
        .geometryType = VK_GEOMETRY_TYPE_MICROMAP_KHR};
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR,
        .dstAccelerationStructure =
            make_opacity(b, VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR),
        .geometryCount = 1,
        .pGeometries = &geometry,
        .scratchData = {.deviceAddress = make_scratch(b, 65536)}};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges = NULL;
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(command_buffer, 1, &info, &ranges);
    run_commands(b, command_buffer);
    return info.dstAccelerationStructure;
}

static void build_with_opacity(struct baseline *b, VkAccelerationStructureKHR micromap)
{
    struct structure_build build;
    fill_triangles(b, &build);
    const VkAccelerationStructureTrianglesOpacityMicromapKHR chained = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR,
        .indexType = VK_INDEX_TYPE_UINT32,
        .indexBuffer = build.input_address,
        .indexStride = 4,
        .micromap = micromap};
    build.geometries[0].geometry.triangles.pNext = (void *)&chained;
    build.info.scratchData.deviceAddress = make_scratch(b, 65536);
    VkCommandBuffer command_buffer = make_recording(b);
    record_build(b, command_buffer, &build);
    submit_micromaps(b, command_buffer);
}

SCENARIO(geometry_with_built_opacity, ON_KHR)
{
    build_with_opacity(b, make_built_opacity(b));
}

SCENARIO(geometry_with_no_opacity, ON_KHR)
{
    build_with_opacity(b, VK_NULL_HANDLE);
}

SCENARIO(geometry_with_opacity_not_built, ON_KHR,
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-micromap-11701"})
{
    build_with_opacity(b, make_opacity(b, VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR));
}

SCENARIO(geometry_with_structure_for_opacity, ON_KHR,
         .expect = {"VUID-vkCmdBuildAccelerationStructuresKHR-micromap-11624"},
         .text = {"has a geometry with a micromap that was built as "
                  "VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR"})
{
    build_with_opacity(b, make_built(b, 0));
}

/* On the host there are no micromaps of this extension. */
#define HOST_TRIANGLES(name_, micromap_, ...)                                                 \
    SCENARIO(name_, ON_KHR, ##__VA_ARGS__)                                                    \
    {                                                                                         \
        static _Alignas(256) unsigned char scratch[65536];                                    \
        static _Alignas(16) float input[64];                                                  \
        struct structure_build build;                                                         \
        fill_triangles(b, &build);                                                            \
        const VkAccelerationStructureTrianglesOpacityMicromapKHR chained = {                  \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR, \
            .indexType = VK_INDEX_TYPE_UINT32,                                                \
            .indexBuffer = build.input_address,                                               \
            .indexStride = 4,                                                                 \
            .micromap = (micromap_)};                                                         \
        build.info.scratchData.hostAddress = scratch;                                         \
        build.geometries[0].geometry.triangles.vertexData.hostAddress = input;                \
        build.geometries[0].geometry.triangles.pNext = (void *)&chained;                      \
        (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1,  \
                                                               &build.info, &build.range);    \
    }
HOST_TRIANGLES(host_triangles_with_null, VK_NULL_HANDLE)
HOST_TRIANGLES(host_triangles_with_micromap,
               make_opacity(b, VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR),
               .expect = {"VUID-vkBuildAccelerationStructuresKHR-pInfos-11705"})

/* --- instances on the host --- */

#define HOST_INSTANCE(name_, on_, structure_, flags_, ...)                                   \
    SCENARIO(name_, on_, ##__VA_ARGS__)                                                      \
    {                                                                                        \
        static _Alignas(256) unsigned char scratch[65536];                                   \
        static _Alignas(16) VkAccelerationStructureInstanceKHR instance;                     \
        struct structure_build build;                                                        \
        fill_instances(b, &build);                                                           \
        instance.accelerationStructureReference = HANDLE(structure_);                        \
        instance.flags = (flags_) & 0xff;                                                    \
        build.info.scratchData.hostAddress = scratch;                                        \
        build.ranges[0].primitiveCount = 1;                                                  \
        build.geometries[0].geometry.instances.data.hostAddress = &instance;                 \
        (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, \
                                                               &build.info, &build.range);   \
    }
#define WITHOUT                                      \
    .drivers = NULL_DRIVER, .features = &structures, \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}
#define DISABLE       VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_BIT_KHR
#define TWO_STATES    VK_GEOMETRY_INSTANCE_FORCE_OPACITY_MICROMAP_2_STATE_BIT_KHR
#define MAY_DISABLE   VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DISABLE_OPACITY_MICROMAPS_BIT_KHR
#define INSTANCE(id_) "VUID-VkAccelerationStructureInstanceKHR-" id_
HOST_INSTANCE(host_instance_two_states, ON, make_built(b, 0), TWO_STATES)
HOST_INSTANCE(host_instance_two_states_without, WITHOUT, make_built(b, 0), TWO_STATES,
              .expect = {INSTANCE("micromap-11580")})
HOST_INSTANCE(host_instance_disabled, ON, make_built(b, MAY_DISABLE), DISABLE)
HOST_INSTANCE(host_instance_disabled_by_force, ON, make_built(b, 0), DISABLE,
              .expect = {INSTANCE("flags-11581")})
