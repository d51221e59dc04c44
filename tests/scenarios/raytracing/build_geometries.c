/* Geometries of builds: where their data lies, and what is chained to them. Some builds have their
 * ranges on the device, some are on the host, some are of micromaps. */
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
static const VkPhysicalDeviceRayTracingLinearSweptSpheresFeaturesNV spheres = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_LINEAR_SWEPT_SPHERES_FEATURES_NV,
    .pNext = (void *)&structures,
    .spheres = VK_TRUE,
    .linearSweptSpheres = VK_TRUE};
static const VkPhysicalDeviceRayTracingMotionBlurFeaturesNV motion = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MOTION_BLUR_FEATURES_NV,
    .pNext = (void *)&spheres,
    .rayTracingMotionBlur = VK_TRUE};
static const VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
    .pNext = (void *)&motion,
    .micromap = VK_TRUE,
    .micromapHostCommands = VK_TRUE};
#define ON                                                   \
    .drivers = NULL_DRIVER, .features = &micromaps,          \
    .extensions = {"VK_KHR_acceleration_structure",          \
                   "VK_KHR_deferred_host_operations",        \
                   "VK_KHR_ray_tracing_pipeline",            \
                   "VK_NV_ray_tracing_motion_blur",          \
                   "VK_NV_ray_tracing_linear_swept_spheres", \
                   "VK_EXT_opacity_micromap"}
#define NOWHERE 0x7000000000000000ull

#define DIRECT(id_)   "VUID-vkCmdBuildAccelerationStructuresKHR-" id_
#define INDIRECT(id_) "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-" id_
#define HOST(id_)     "VUID-vkBuildAccelerationStructuresKHR-" id_

/* The structures that may be chained to the geometry, or to its triangles. */
struct chained {
    VkAccelerationStructureGeometrySpheresDataNV spheres;
    VkAccelerationStructureGeometryLinearSweptSpheresDataNV swept;
    VkAccelerationStructureTrianglesOpacityMicromapEXT micromap;
    VkAccelerationStructureGeometryMotionTrianglesDataNV motion;
};

static void record_indirect(struct baseline *b, const struct structure_build *build)
{
    const uint32_t most[] = {build->ranges[0].primitiveCount, build->ranges[1].primitiveCount};
    const uint32_t *mosts = most, stride = sizeof(VkAccelerationStructureBuildRangeInfoKHR);
    const VkDeviceAddress ranges =
        address_of(b, make_buffer(b, 64,
                                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresIndirectKHR)(make_recording(b), 1, &build->info,
                                                                &ranges, &stride, &mosts);
}

#define TRIANGLES build.geometries[0].geometry.triangles
#define BOXES     build.geometries[0].geometry.aabbs
#define INSTANCES build.geometries[0].geometry.instances

#define INDIRECTLY(name_, fill_, change_, id_)      \
    SCENARIO(indirect_##name_, ON, .expect = {id_}) \
    {                                               \
        struct structure_build build;               \
        struct chained chained;                     \
        fill_(b, &build, &chained);                 \
        change_;                                    \
        record_indirect(b, &build);                 \
    }
#define DIRECTLY(name_, fill_, change_, id_, ...)                \
    SCENARIO(direct_##name_, ON, .expect = {id_}, ##__VA_ARGS__) \
    {                                                            \
        struct structure_build build;                            \
        struct chained chained;                                  \
        fill_(b, &build, &chained);                              \
        change_;                                                 \
        record_build(b, make_recording(b), &build);              \
    }

static void chain_triangles(struct baseline *b, struct structure_build *build,
                            struct chained *chained)
{
    (void)chained;
    fill_triangles(b, build);
}

static void chain_boxes(struct baseline *b, struct structure_build *build, struct chained *chained)
{
    (void)chained;
    fill_boxes(b, build);
}

static void chain_instances(struct baseline *b, struct structure_build *build,
                            struct chained *chained)
{
    (void)chained;
    fill_instances(b, build);
}

INDIRECTLY(triangles, chain_triangles, , NULL)
INDIRECTLY(vertices, chain_triangles, TRIANGLES.vertexData.deviceAddress = NOWHERE,
           INDIRECT("pInfos-03804"))
INDIRECTLY(indices, chain_triangles,
           (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
            TRIANGLES.indexData.deviceAddress = NOWHERE),
           INDIRECT("pInfos-03806"))
INDIRECTLY(indices_aligned, chain_triangles,
           (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
            TRIANGLES.indexData.deviceAddress = build.input_address + 2),
           INDIRECT("pInfos-03712"))
INDIRECTLY(short_indices, chain_triangles,
           (TRIANGLES.indexType = VK_INDEX_TYPE_UINT16,
            TRIANGLES.indexData.deviceAddress = build.input_address + 2),
           NULL)
INDIRECTLY(transform, chain_triangles, TRIANGLES.transformData.deviceAddress = NOWHERE,
           INDIRECT("pInfos-03808"))
INDIRECTLY(transform_aligned, chain_triangles,
           TRIANGLES.transformData.deviceAddress = build.input_address + 8,
           INDIRECT("pInfos-03810"))
INDIRECTLY(input_usage, chain_triangles, TRIANGLES.vertexData.deviceAddress = make_scratch(b, 4096),
           INDIRECT("geometry-03673"))
INDIRECTLY(no_vertices, chain_triangles,
           (TRIANGLES.vertexData.deviceAddress = 0, build.ranges[0].primitiveCount = 0), NULL)
INDIRECTLY(boxes, chain_boxes, , NULL)
INDIRECTLY(boxes_nowhere, chain_boxes, BOXES.data.deviceAddress = NOWHERE, INDIRECT("pInfos-03811"))
INDIRECTLY(boxes_aligned, chain_boxes, BOXES.data.deviceAddress += 4, INDIRECT("pInfos-03714"))
INDIRECTLY(instances, chain_instances, , NULL)
INDIRECTLY(instances_nowhere, chain_instances, INSTANCES.data.deviceAddress = NOWHERE,
           INDIRECT("pInfos-03813"))
INDIRECTLY(instances_aligned, chain_instances, INSTANCES.data.deviceAddress += 8,
           INDIRECT("pInfos-03715"))
INDIRECTLY(pointers, chain_instances,
           (INSTANCES.arrayOfPointers = VK_TRUE, INSTANCES.data.deviceAddress += 8), NULL)
INDIRECTLY(pointers_aligned, chain_instances,
           (INSTANCES.arrayOfPointers = VK_TRUE, INSTANCES.data.deviceAddress += 4),
           INDIRECT("pInfos-03716"))

/* The second of two geometries, which are given by pointers. */
SCENARIO(list_of_geometries, ON, .expect = {DIRECT("pInfos-03804")},
         .text = {"pInfos[0].ppGeometries[1]->geometry.triangles.vertexData.deviceAddress is "
                  "0x7000000000000000, which lies in no buffer whose address was asked for"})
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.geometries[1].geometry.triangles.vertexData.deviceAddress = NOWHERE;
    build.info.pGeometries = NULL;
    build.info.ppGeometries = build.list;
    build.info.geometryCount = 2;
    record_build(b, make_recording(b), &build);
}

/* --- spheres --- */

#define MEMBERS                                                                                   \
    .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT, .vertexData.deviceAddress = build->input_address, \
    .vertexStride = 12, .radiusFormat = VK_FORMAT_R32_SFLOAT,                                     \
    .radiusData.deviceAddress = build->input_address, .radiusStride = 4,                          \
    .indexType = VK_INDEX_TYPE_NONE_KHR

static void chain_balls(struct baseline *b, struct structure_build *build, struct chained *chained)
{
    fill_boxes(b, build);
    chained->spheres = (VkAccelerationStructureGeometrySpheresDataNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV, MEMBERS};
    build->geometries[0].geometryType = VK_GEOMETRY_TYPE_SPHERES_NV;
    build->geometries[0].pNext = &chained->spheres;
}

static void chain_swept(struct baseline *b, struct structure_build *build, struct chained *chained)
{
    fill_boxes(b, build);
    chained->swept = (VkAccelerationStructureGeometryLinearSweptSpheresDataNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV,
        MEMBERS};
    build->geometries[0].geometryType = VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV;
    build->geometries[0].pNext = &chained->swept;
}

#define OF_SPHERES(name_, id1_, id2_, change_, member_)                         \
    INDIRECTLY(spheres_##name_, chain_balls, change_(chained.spheres, member_), \
               INDIRECT("pInfos-" id1_))                                        \
    INDIRECTLY(swept_##name_, chain_swept, change_(chained.swept, member_),     \
               INDIRECT("pInfos-" id2_))
#define AWAY(data_, member_)  (data_).member_.deviceAddress = NOWHERE
#define THERE(data_, member_) (data_).member_.deviceAddress = build.input_address
#define TYPED(data_, member_) \
    ((data_).indexType = VK_INDEX_TYPE_UINT32, (data_).member_.deviceAddress = NOWHERE)
INDIRECTLY(spheres_right, chain_balls, , NULL)
INDIRECTLY(swept_right, chain_swept, , NULL)
OF_SPHERES(no_index, "11846", "11850", THERE, indexData)
OF_SPHERES(index, "11847", "11851", TYPED, indexData)
OF_SPHERES(vertex, "11848", "11852", AWAY, vertexData)
OF_SPHERES(radius, "11849", "11853", AWAY, radiusData)

/* --- chained to triangles --- */

static void chain_micromap(struct baseline *b, struct structure_build *build,
                           struct chained *chained)
{
    fill_triangles(b, build);
    chained->micromap = (VkAccelerationStructureTrianglesOpacityMicromapEXT){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_EXT,
        .indexType = VK_INDEX_TYPE_UINT32,
        .indexBuffer.deviceAddress = build->input_address,
        .indexStride = 4};
    build->geometries[0].geometry.triangles.pNext = &chained->micromap;
}

static void chain_motion(struct baseline *b, struct structure_build *build, struct chained *chained)
{
    fill_triangles(b, build);
    chained->motion = (VkAccelerationStructureGeometryMotionTrianglesDataNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_MOTION_TRIANGLES_DATA_NV,
        .vertexData.deviceAddress = build->input_address};
    VkAccelerationStructureCreateInfoKHR info =
        structure_info(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    const VkAccelerationStructureMotionInfoNV moves = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MOTION_INFO_NV, .maxInstances = 1};
    info.createFlags = VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV;
    info.pNext = &moves;
    build->info.dstAccelerationStructure = create_structure(b, &info);
    build->info.flags = VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV;
    build->geometries[0].geometry.triangles.pNext = &chained->motion;
}

#define EITHER(name_, fill_, change_, id_)       \
    DIRECTLY(name_, fill_, change_, DIRECT(id_)) \
    INDIRECTLY(name_, fill_, change_, INDIRECT(id_))
DIRECTLY(micromap, chain_micromap, , NULL)
INDIRECTLY(micromap, chain_micromap, , NULL)
EITHER(micromap_index, chain_micromap, chained.micromap.indexBuffer.deviceAddress = NOWHERE,
       "pInfos-10905")
EITHER(micromap_no_index, chain_micromap, chained.micromap.indexType = VK_INDEX_TYPE_NONE_KHR,
       "pInfos-10904")
DIRECTLY(micromap_stride, chain_micromap, chained.micromap.indexStride = 6,
         "VUID-VkAccelerationStructureTrianglesOpacityMicromapEXT-indexType-10722",
         .text = {"is 6, not a multiple of 4, and indexType is VK_INDEX_TYPE_UINT32"})
DIRECTLY(micromap_short, chain_micromap,
         (chained.micromap.indexType = VK_INDEX_TYPE_UINT16, chained.micromap.indexStride = 6),
         NULL)
DIRECTLY(motion, chain_motion, , NULL)
DIRECTLY(motion_vertices, chain_motion, chained.motion.vertexData.deviceAddress = NOWHERE,
         DIRECT("pInfos-11845"))

/* --- on the host --- */

#define ON_HOST(name_, fill_, change_, id_)                                                  \
    SCENARIO(host_##name_, ON, .expect = {id_})                                              \
    {                                                                                        \
        static const float input[64];                                                        \
        static unsigned char scratch[65536];                                                 \
        struct structure_build build;                                                        \
        struct chained chained;                                                              \
        fill_(b, &build, &chained);                                                          \
        build.info.scratchData.hostAddress = scratch;                                        \
        TRIANGLES.vertexData.hostAddress = input;                                            \
        chained.micromap.indexBuffer.hostAddress = input;                                    \
        chained.motion.vertexData.hostAddress = input;                                       \
        change_;                                                                             \
        (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, \
                                                               &build.info, &build.range);   \
    }
ON_HOST(micromap, chain_micromap, , NULL)
ON_HOST(micromap_index, chain_micromap, chained.micromap.indexBuffer.hostAddress = NULL,
        HOST("pInfos-11821"))
ON_HOST(micromap_no_index, chain_micromap, chained.micromap.indexType = VK_INDEX_TYPE_NONE_KHR,
        HOST("pInfos-10892"))
ON_HOST(motion, chain_motion, , NULL)
ON_HOST(motion_vertices, chain_motion, chained.motion.vertexData.hostAddress = NULL,
        HOST("pInfos-11820"))

/* --- micromaps of VK_EXT_opacity_micromap --- */

static void destroy_micromap(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyMicromapEXT)(b->device, (VkMicromapEXT)(uintptr_t)handle, NULL);
}

static VkMicromapEXT make_built_micromap(struct baseline *b)
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

static VkPhysicalDeviceOpacityMicromapPropertiesEXT most_levels(struct baseline *b)
{
    VkPhysicalDeviceOpacityMicromapPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return limits;
}

/* `usage` is given by a pointer, in the second place. */
#define OF_MICROMAP(name_, change_, id_, ...)                                                    \
    SCENARIO(name_, ON, .expect = {id_}, ##__VA_ARGS__)                                          \
    {                                                                                            \
        const VkPhysicalDeviceOpacityMicromapPropertiesEXT limits = most_levels(b);              \
        const VkDeviceAddress input =                                                            \
            address_of(b, make_buffer(b, 4096,                                                   \
                                      VK_BUFFER_USAGE_MICROMAP_BUILD_INPUT_READ_ONLY_BIT_EXT |   \
                                          VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));           \
        VkMicromapUsageEXT usage = {.count = 1,                                                  \
                                    .subdivisionLevel = limits.maxOpacity2StateSubdivisionLevel, \
                                    .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};           \
        const VkMicromapUsageEXT first = usage, *const usages[] = {&first, &usage};              \
        VkMicromapBuildInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_INFO_EXT,       \
                                       .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,            \
                                       .mode = VK_BUILD_MICROMAP_MODE_BUILD_EXT,                 \
                                       .dstMicromap = make_built_micromap(b),                    \
                                       .usageCountsCount = 2,                                    \
                                       .ppUsageCounts = usages,                                  \
                                       .data = {.deviceAddress = input},                         \
                                       .scratchData = {.deviceAddress = make_scratch(b, 4096)},  \
                                       .triangleArray = {.deviceAddress = input},                \
                                       .triangleArrayStride = sizeof(VkMicromapTriangleEXT)};    \
        change_;                                                                                 \
        (void)limits;                                                                            \
        DEVICE_PROC(b, vkCmdBuildMicromapsEXT)(make_recording(b), 1, &info);                     \
    }
#define MICROMAP(id_) "VUID-VkMicromapBuildInfoEXT-" id_
OF_MICROMAP(micromap_build, , NULL)
OF_MICROMAP(micromap_build_format, usage.format = 7, MICROMAP("format-11652"),
            .text = {"pInfos[0].ppUsageCounts[1]->format is 7, not 1 or 2"})
OF_MICROMAP(micromap_build_level, usage.subdivisionLevel++, MICROMAP("subdivisionLevel-11654"))
OF_MICROMAP(micromap_build_level_4,
            (usage.format = VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT,
             usage.subdivisionLevel = limits.maxOpacity4StateSubdivisionLevel + 1),
            MICROMAP("subdivisionLevel-11655"))
OF_MICROMAP(micromap_build_right_4,
            (usage.format = VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT,
             usage.subdivisionLevel = limits.maxOpacity4StateSubdivisionLevel),
            NULL)

/* The usages of a micromap that triangles have. */
static void chain_usage(struct baseline *b, struct structure_build *build, struct chained *chained)
{
    static VkMicromapUsageEXT usage;
    usage =
        (VkMicromapUsageEXT){.count = 1,
                             .subdivisionLevel = most_levels(b).maxOpacity2StateSubdivisionLevel,
                             .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
    chain_micromap(b, build, chained);
    chained->micromap.micromap = make_built_micromap(b);
    chained->micromap.usageCountsCount = 1;
    chained->micromap.pUsageCounts = &usage;
}
#define USAGE   (*(VkMicromapUsageEXT *)(uintptr_t)chained.micromap.pUsageCounts)
#define IN(id_) "VUID-VkAccelerationStructureTrianglesOpacityMicromapEXT-" id_
DIRECTLY(micromap_used, chain_usage, , NULL)
DIRECTLY(micromap_used_format, chain_usage, USAGE.format = 7, IN("format-11679"))
DIRECTLY(micromap_used_level, chain_usage, USAGE.subdivisionLevel++, IN("subdivisionLevel-11680"))
DIRECTLY(micromap_used_level_4, chain_usage,
         (USAGE.format = VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT,
          USAGE.subdivisionLevel = most_levels(b).maxOpacity4StateSubdivisionLevel + 1),
         IN("subdivisionLevel-11681"))

/* --- micromaps of VK_KHR_opacity_micromap --- */

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

static VkAccelerationStructureKHR create_opacity(struct baseline *b)
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    const VkAccelerationStructureCreateInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,
        .addressRange =
            {address_of(b, make_buffer(b, 65536,
                                       VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
             65536},
        .type = VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR};
    VK(DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL, &structure));
    cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
    return structure;
}

static VkPhysicalDeviceOpacityMicromapPropertiesKHR levels_khr(struct baseline *b)
{
    VkPhysicalDeviceOpacityMicromapPropertiesKHR limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return limits;
}

#define OPACITY(name_, change_, id_, ...)                                                          \
    SCENARIO(name_, ON_KHR, .expect = {id_}, ##__VA_ARGS__)                                        \
    {                                                                                              \
        const VkPhysicalDeviceOpacityMicromapPropertiesKHR limits = levels_khr(b);                 \
        const VkDeviceAddress input =                                                              \
            (address_of(b,                                                                         \
                        make_buffer(                                                               \
                            b, 4096,                                                               \
                            VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | \
                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) +                      \
             127) &                                                                                \
            ~(VkDeviceAddress)127;                                                                 \
        VkMicromapUsageKHR usage = {.count = 1,                                                    \
                                    .subdivisionLevel = limits.maxOpacity2StateSubdivisionLevel,   \
                                    .format = VK_OPACITY_MICROMAP_FORMAT_2_STATE_KHR};             \
        VkAccelerationStructureGeometryMicromapDataKHR data = {                                    \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_MICROMAP_DATA_KHR,          \
            .usageCountsCount = 1,                                                                 \
            .pUsageCounts = &usage,                                                                \
            .data = input,                                                                         \
            .triangleArray = input,                                                                \
            .triangleArrayStride = 8};                                                             \
        VkAccelerationStructureGeometryKHR geometry = {                                            \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,                        \
            .pNext = &data,                                                                        \
            .geometryType = VK_GEOMETRY_TYPE_MICROMAP_KHR};                                        \
        VkAccelerationStructureBuildGeometryInfoKHR info = {                                       \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,             \
            .type = VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR,                           \
            .dstAccelerationStructure = create_opacity(b),                                         \
            .geometryCount = 1,                                                                    \
            .pGeometries = &geometry,                                                              \
            .scratchData = {.deviceAddress = make_scratch(b, 65536)}};                             \
        const VkAccelerationStructureBuildRangeInfoKHR some = {.primitiveCount = 1};               \
        const VkAccelerationStructureBuildRangeInfoKHR *ranges = NULL;                             \
        change_;                                                                                   \
        (void)limits;                                                                              \
        (void)some;                                                                                \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(make_recording(b), 1, &info, &ranges); \
    }
#define INFO(id_)     "VUID-VkAccelerationStructureBuildGeometryInfoKHR-" id_
#define GEOMETRY(id_) "VUID-VkAccelerationStructureGeometryMicromapDataKHR-" id_
OPACITY(opacity_build, , NULL)
OPACITY(opacity_nowhere, data.data = NOWHERE, DIRECT("micromap-11550"),
        .text = {"pInfos[0].pGeometries[0].pNext<VkAccelerationStructureGeometryMicromapDataKHR>"
                 ".data is 0x7000000000000000"})
OPACITY(opacity_usage, data.triangleArray = make_scratch(b, 4096), DIRECT("micromap-11551"))
OPACITY(opacity_aligned, data.data += 64, DIRECT("micromap-11552"))
OPACITY(opacity_level, usage.subdivisionLevel++, GEOMETRY("subdivisionLevel-11645"))
OPACITY(opacity_flags, info.flags = VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR,
        INFO("flags-11562"))
OPACITY(opacity_fast, info.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR, NULL)
OPACITY(opacity_of_boxes,
        (geometry.pNext = NULL, geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
         geometry.geometry.aabbs =
             (VkAccelerationStructureGeometryAabbsDataKHR){
                 .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                 .data.deviceAddress = input,
                 .stride = 24}),
        INFO("geometryType-11561"))
OPACITY(opacity_in_bottom_level,
        (info.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, ranges = &some,
         info.dstAccelerationStructure =
             make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR)),
        INFO("geometryType-11707"))
OPACITY(opacity_triangles, usage.count = 5, GEOMETRY("count-11643"),
        .null_driver = "{\"limits\": {\"maxMicromapTriangles\": 4}}",
        .text = {"pUsageCounts have 5 triangles together, more than maxMicromapTriangles (4)"})
OPACITY(opacity_most_triangles, usage.count = 4, NULL,
        .null_driver = "{\"limits\": {\"maxMicromapTriangles\": 4}}")
OPACITY(opacity_ranges, ranges = &some, DIRECT("ppBuildRangeInfos-11544"))
OPACITY(opacity_past_the_end, usage.count = 1000, DIRECT("micromap-11554"),
        .text = {", but the triangles take 8000"})

/* Four states, and fewer levels where the build may lose some of them. */
#define LEVELS                                                               \
    .null_driver = "{\"limits\": {\"maxOpacity2StateSubdivisionLevel\": 5, " \
                   "\"maxOpacity4StateSubdivisionLevel\": 4, "               \
                   "\"maxOpacityLossy4StateSubdivisionLevel\": 3}}"
#define FOUR_STATES(level_) \
    (usage.format = VK_OPACITY_MICROMAP_FORMAT_4_STATE_KHR, usage.subdivisionLevel = (level_))
#define LOSSY info.flags = VK_BUILD_ACCELERATION_STRUCTURE_MICROMAP_LOSSY_BIT_KHR
OPACITY(opacity_of_4_states, FOUR_STATES(4), NULL, LEVELS)
OPACITY(opacity_level_of_4_states, FOUR_STATES(5), INFO("subdivisionLevel-11564"), LEVELS,
        .text = {"is 5, more than maxOpacity4StateSubdivisionLevel (4)"})
OPACITY(opacity_lossy, (LOSSY, FOUR_STATES(3)), NULL, LEVELS)
OPACITY(opacity_level_of_lossy, (LOSSY, FOUR_STATES(4)), INFO("subdivisionLevel-11565"), LEVELS,
        .text = {"is 4, more than maxOpacityLossy4StateSubdivisionLevel (3)"})
OPACITY(opacity_lossy_of_2_states, (LOSSY, usage.subdivisionLevel = 3), INFO("format-11712"),
        LEVELS)

/* The same call builds a micromap, and triangles that have it. */
static void build_both(struct baseline *b, const VkAccelerationStructureBuildGeometryInfoKHR *first)
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkAccelerationStructureTrianglesOpacityMicromapKHR micromap = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR,
        .indexType = VK_INDEX_TYPE_UINT32,
        .indexBuffer = build.input_address,
        .indexStride = 4,
        .micromap = first->dstAccelerationStructure};
    TRIANGLES.pNext = &micromap;
    build.info.scratchData.deviceAddress = make_scratch(b, 65536);
    build.info.dstAccelerationStructure =
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    const VkAccelerationStructureBuildGeometryInfoKHR infos[2] = {*first, build.info};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges[2] = {NULL, build.ranges};
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(make_recording(b), 2, infos, ranges);
}
OPACITY(opacity_built_and_used, build_both(b, &info), DIRECT("dstAccelerationStructure-11548"))

/* The indices of a micromap, one for each triangle. */
#define INDEX(name_, change_, id_)                                                            \
    SCENARIO(name_, ON_KHR, .expect = {id_})                                                  \
    {                                                                                         \
        struct structure_build build;                                                         \
        fill_triangles(b, &build);                                                            \
        VkAccelerationStructureTrianglesOpacityMicromapKHR micromap = {                       \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR, \
            .indexType = VK_INDEX_TYPE_UINT32,                                                \
            .indexBuffer = build.input_address + 4092,                                        \
            .indexStride = 4};                                                                \
        TRIANGLES.pNext = &micromap;                                                          \
        change_;                                                                              \
        record_build(b, make_recording(b), &build);                                           \
    }
INDEX(opacity_indices_to_the_end, , NULL)
INDEX(opacity_indices_past_the_end, micromap.indexStride = 8, DIRECT("indexBuffer-11577"))

/* --- updates of triangles with micromaps --- */

static const VkBuildAccelerationStructureFlagsKHR updatable =
    VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR;
/* A build, and an update of it: `first_` changes both, `change_` the update. */
#define UPDATE(name_, first_, change_, id_, ...)                                              \
    SCENARIO(name_, ON_KHR, .expect = {id_}, ##__VA_ARGS__)                                   \
    {                                                                                         \
        struct structure_build build;                                                         \
        fill_triangles(b, &build);                                                            \
        VkAccelerationStructureTrianglesOpacityMicromapKHR micromap = {                       \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR, \
            .indexType = VK_INDEX_TYPE_UINT32,                                                \
            .indexBuffer = build.input_address,                                               \
            .indexStride = 4,                                                                 \
            .micromap = create_opacity(b)};                                                   \
        TRIANGLES.pNext = &micromap;                                                          \
        build.info.flags = updatable;                                                         \
        first_;                                                                               \
        const VkCommandBuffer command_buffer = make_recording(b);                             \
        record_build(b, command_buffer, &build);                                              \
        build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;                    \
        build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;            \
        change_;                                                                              \
        record_build(b, command_buffer, &build);                                              \
    }
UPDATE(update_with_micromap, , , NULL)
UPDATE(update_without_micromap, , micromap.micromap = VK_NULL_HANDLE, DIRECT("micromap-11625"),
       .text = {"geometry 0 has no micromap, and was built with one"})
UPDATE(update_without_structure, , TRIANGLES.pNext = NULL, DIRECT("micromap-11625"))
UPDATE(update_with_none, micromap.micromap = VK_NULL_HANDLE, , NULL)
UPDATE(update_with_first_micromap, micromap.micromap = VK_NULL_HANDLE,
       micromap.micromap = create_opacity(b), DIRECT("micromap-11626"))
UPDATE(update_with_first_structure, TRIANGLES.pNext = NULL, TRIANGLES.pNext = &micromap,
       DIRECT("micromap-11627"))
UPDATE(update_with_other_micromap, , micromap.micromap = create_opacity(b),
       DIRECT("micromap-11629"))
UPDATE(update_that_may_change,
       build.info.flags |= VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_OPACITY_MICROMAP_UPDATE_BIT_KHR,
       micromap.micromap = create_opacity(b), NULL)

/* --- what builds on the host read --- */

ON_HOST(ranges_missing, chain_triangles, build.range = NULL, HOST("pInfos-11702"))
ON_HOST(scratch_missing, chain_triangles, build.info.scratchData.hostAddress = NULL,
        HOST("pInfos-12244"))
#define INDICES(...)                                 \
    static const uint16_t indices[] = {__VA_ARGS__}; \
    TRIANGLES.indexType = VK_INDEX_TYPE_UINT16;      \
    TRIANGLES.indexData.hostAddress = indices;       \
    build.ranges[0].primitiveOffset = sizeof(indices[0]) * 2
ON_HOST(indices, chain_triangles, INDICES(7, 7, 0, 2, 1), NULL)
ON_HOST(index_beyond_vertices, chain_triangles, INDICES(7, 7, 0, 3, 1),
        "VUID-VkAccelerationStructureBuildRangeInfoKHR-maxVertex-10774")

SCENARIO(host_update_without_scratch, ON, .expect = {HOST("pInfos-12245")})
{
    static const float input[64];
    static unsigned char scratch[65536];
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR;
    build.info.scratchData.hostAddress = scratch;
    TRIANGLES.vertexData.hostAddress = input;
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.range));
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
    build.info.scratchData.hostAddress = NULL;
    (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1,
                                                           &build.info, &build.range);
}

/* An instance of the structure, in the first of two builds; the second is of triangles. */
static void build_instance(struct baseline *b, VkAccelerationStructureKHR structure, bool build_it)
{
    static const float input[64];
    static unsigned char scratch[2][65536];
    VkAccelerationStructureInstanceKHR instance = {
        .mask = 1, .accelerationStructureReference = HANDLE(structure)};
    struct structure_build top, build;
    fill_instances(b, &top);
    fill_triangles(b, &build);
    top.geometries[0].geometry.instances.data.hostAddress = &instance;
    top.ranges[0].primitiveCount = 1;
    top.info.scratchData.hostAddress = scratch[0];
    TRIANGLES.vertexData.hostAddress = input;
    build.info.scratchData.hostAddress = scratch[1];
    if (build_it)
        build.info.dstAccelerationStructure = structure;
    const VkAccelerationStructureBuildGeometryInfoKHR infos[] = {top.info, build.info};
    const VkAccelerationStructureBuildRangeInfoKHR *const ranges[] = {top.range, build.range};
    (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 2, infos,
                                                           ranges);
}

SCENARIO(host_instance_beside, ON)
{
    build_instance(b, make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR), false);
}

SCENARIO(host_instance_of_what_is_built, ON, .expect = {HOST("None-03407")},
         .text = {"pInfos[0] has instances of the structure that pInfos[1] builds"})
{
    build_instance(b, make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR), true);
}

SCENARIO(host_instance_by_address, ON_KHR, .expect = {HOST("pInfos-11704")})
{
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    const VkAccelerationStructureCreateInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_2_KHR,
        .addressRange =
            {address_of(b, make_buffer(b, 65536,
                                       VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
             65536},
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VK(DEVICE_PROC(b, vkCreateAccelerationStructure2KHR)(b->device, &info, NULL, &structure));
    cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
    build_instance(b, structure, false);
}

/* Serialized data begins with two UUIDs, its size, and the size of the structure. */
#define DESERIALIZE(name_, size_, id_)                                                          \
    SCENARIO(name_, ON, .expect = {id_})                                                        \
    {                                                                                           \
        static _Alignas(256) uint64_t memory[64];                                               \
        memory[4] = sizeof(memory);                                                             \
        memory[5] = size_;                                                                      \
        const VkCopyMemoryToAccelerationStructureInfoKHR info = {                               \
            .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,          \
            .src = {.hostAddress = memory},                                                     \
            .dst = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR),          \
            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};                       \
        (void)DEVICE_PROC(b, vkCopyMemoryToAccelerationStructureKHR)(b->device, VK_NULL_HANDLE, \
                                                                     &info);                    \
    }
DESERIALIZE(deserialize_into_room, 65536, NULL)
DESERIALIZE(deserialize_into_less, 65537,
            "VUID-VkCopyMemoryToAccelerationStructureInfoKHR-dst-03746")

/* --- queries of micromaps --- */

#define PROPERTIES(name_, change_, id_)                                                            \
    SCENARIO(name_, ON, .expect = {id_})                                                           \
    {                                                                                              \
        VkQueryPoolCreateInfo info = query_pool_info();                                            \
        info.queryType = VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT;                            \
        const VkQueryPool pool = create_query_pool(b, &info);                                      \
        const VkMicromapEXT micromap = make_built_micromap(b);                                     \
        const VkCommandBuffer command_buffer = make_recording(b);                                  \
        vkCmdResetQueryPool(command_buffer, pool, 0, 2);                                           \
        DEVICE_PROC(b, vkCmdWriteMicromapsPropertiesEXT)(                                          \
            command_buffer, 1, &micromap, VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, pool, 0); \
        change_;                                                                                   \
        DEVICE_PROC(b, vkCmdWriteMicromapsPropertiesEXT)(                                          \
            command_buffer, 1, &micromap, VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, pool, 0); \
    }
PROPERTIES(micromap_queried_twice, , "VUID-vkCmdWriteMicromapsPropertiesEXT-None-12417")
PROPERTIES(micromap_queried_again, vkCmdResetQueryPool(command_buffer, pool, 0, 1), NULL)
