/* Hazards of acceleration structures: builds, their scratch memory and input, copies,
 * serialization, and what is asked of them. */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceVulkan13Features synchronization2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&synchronization2,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR maintenance1 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
    .pNext = (void *)&structures,
    .rayTracingMaintenance1 = VK_TRUE};
#define BASE "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"
#define SYNC .settings = {"validate_sync=true"}, .proceed = true
#define ON                                                   \
    SYNC, .drivers = NULL_DRIVER, .features = &maintenance1, \
        .extensions = {BASE, "VK_KHR_ray_tracing_maintenance1"}
/* lavapipe compiles the shaders of its builds again in each process, which takes seconds. */
#define ON_A_DRIVER SYNC, .features = &structures, .extensions = {BASE}

#define BUILD_COMMAND "vkCmdBuildAccelerationStructuresKHR"
#define COPY_COMMAND  "vkCmdCopyAccelerationStructureKHR"
#define AFTER(kind_, first_, second_) \
    .expect = {"SYNC-HAZARD-" kind_}, .text = {second_ "(): ", "by " first_ " (command "}

/* The objects that a scenario works with. Threads: on the stack. */
struct site {
    struct baseline *b;
    VkCommandBuffer commands;
    struct structure_build build, other;
    VkAccelerationStructureKHR built, target; /* built before, by make_source(); never built */
    VkBuffer memory;                          /* for serialized structures */
};

static void begin_site(struct baseline *b, struct site *s)
{
    *s = (struct site){.b = b};
    fill_triangles(b, &s->build);
    fill_triangles(b, &s->other);
    s->target = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    s->memory =
        make_buffer(b, 65536,
                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                        VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
    s->commands = make_recording(b);
}

static VkAccelerationStructureKHR make_source(struct site *s)
{
    if (!s->built)
        s->built = make_built(s->b, 0);
    return s->built;
}

#define SITE(name_, operations_, ...)        \
    SCENARIO(name_, ##__VA_ARGS__)           \
    {                                        \
        struct site site, *s = &site;        \
        begin_site(b, s);                    \
        operations_;                         \
        VK(vkEndCommandBuffer(s->commands)); \
    }

static void order_builds(struct site *s, VkPipelineStageFlags2 from, VkAccessFlags2 written,
                         VkPipelineStageFlags2 to, VkAccessFlags2 seen)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = from,
                                      .srcAccessMask = written,
                                      .dstStageMask = to,
                                      .dstAccessMask = seen};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(s->commands, &info);
}
#define STAGE_BUILD    VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR
#define STAGE_COPY     VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR
#define STAGE_TRANSFER VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
#define WRITES         VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR
#define READS          VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR
#define T_WRITES       VK_ACCESS_2_TRANSFER_WRITE_BIT
#define T_READS        VK_ACCESS_2_TRANSFER_READ_BIT

static void build_site(struct site *s)
{
    record_build(s->b, s->commands, &s->build);
}

static void build_other(struct site *s)
{
    record_build(s->b, s->commands, &s->other);
}

static void copy_structure(struct site *s, VkAccelerationStructureKHR from,
                           VkAccelerationStructureKHR to)
{
    const VkCopyAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = from,
        .dst = to,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
    DEVICE_PROC(s->b, vkCmdCopyAccelerationStructureKHR)(s->commands, &info);
}

static void serialize_structure(struct site *s, VkDeviceSize offset)
{
    const VkCopyAccelerationStructureToMemoryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
        .src = make_source(s),
        .dst.deviceAddress = address_of(s->b, s->memory) + offset,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
    DEVICE_PROC(s->b, vkCmdCopyAccelerationStructureToMemoryKHR)(s->commands, &info);
}

static void deserialize_structure(struct site *s)
{
    const VkCopyMemoryToAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
        .src.deviceAddress = address_of(s->b, s->memory),
        .dst = s->target,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
    DEVICE_PROC(s->b, vkCmdCopyMemoryToAccelerationStructureKHR)(s->commands, &info);
}

static void ask_size(struct site *s, VkAccelerationStructureKHR structure)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR;
    VkQueryPool queries = create_query_pool(s->b, &info);
    vkCmdResetQueryPool(s->commands, queries, 0, 4);
    DEVICE_PROC(s->b, vkCmdWriteAccelerationStructuresPropertiesKHR)(
        s->commands, 1, &structure, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR,
        queries, 0);
}
#define TARGET s->build.info.dstAccelerationStructure

/* --- copies: either of two stages names them --- */

SITE(
    copy_of_what_is_built,
    {
        build_site(s);
        copy_structure(s, TARGET, s->target);
    },
    ON, AFTER("READ-AFTER-WRITE", BUILD_COMMAND, COPY_COMMAND))
SITE(
    copy_after_a_build,
    {
        build_site(s);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_BUILD, READS);
        copy_structure(s, TARGET, s->target);
    },
    ON)
SITE(
    copy_after_a_build_by_its_own_stage,
    {
        build_site(s);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_COPY, READS);
        copy_structure(s, TARGET, s->target);
    },
    ON)
SITE(
    copy_after_a_build_that_is_no_copy,
    {
        build_site(s);
        order_builds(s, STAGE_COPY, WRITES, STAGE_COPY, READS);
        copy_structure(s, TARGET, s->target);
    },
    ON, AFTER("READ-AFTER-WRITE", BUILD_COMMAND, COPY_COMMAND))
SITE(
    copy_after_an_execution_dependency,
    {
        build_site(s);
        order_builds(s, STAGE_BUILD, 0, STAGE_COPY, 0);
        copy_structure(s, TARGET, s->target);
    },
    ON, AFTER("READ-AFTER-WRITE", BUILD_COMMAND, COPY_COMMAND))
SITE(
    build_over_a_copy,
    {
        copy_structure(s, make_source(s), TARGET);
        build_site(s);
    },
    ON, AFTER("WRITE-AFTER-WRITE", COPY_COMMAND, BUILD_COMMAND))
SITE(
    build_after_a_copy,
    {
        copy_structure(s, make_source(s), TARGET);
        order_builds(s, STAGE_COPY, WRITES, STAGE_BUILD, WRITES);
        build_site(s);
    },
    ON)
SITE(
    build_after_a_copy_by_the_stage_of_builds,
    {
        copy_structure(s, make_source(s), TARGET);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_BUILD, WRITES);
        build_site(s);
    },
    ON)
SITE(
    build_that_a_stage_of_copies_does_not_name,
    {
        copy_structure(s, make_source(s), TARGET);
        order_builds(s, STAGE_COPY, WRITES, STAGE_COPY, WRITES);
        build_site(s);
    },
    ON, AFTER("WRITE-AFTER-WRITE", COPY_COMMAND, BUILD_COMMAND))
SITE(
    copies_of_one_structure,
    {
        copy_structure(s, make_source(s), s->target);
        copy_structure(s, make_source(s), TARGET);
    },
    ON)
SITE(
    copies_to_one_structure,
    {
        copy_structure(s, make_source(s), s->target);
        copy_structure(s, make_source(s), s->target);
    },
    ON, AFTER("WRITE-AFTER-WRITE", COPY_COMMAND, COPY_COMMAND))
SITE(
    size_of_what_is_built,
    {
        build_site(s);
        ask_size(s, TARGET);
    },
    ON, AFTER("READ-AFTER-WRITE", BUILD_COMMAND, "vkCmdWriteAccelerationStructuresPropertiesKHR"))
SITE(
    size_of_what_was_built,
    {
        build_site(s);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_BUILD, READS);
        ask_size(s, TARGET);
    },
    ON)

/* --- serialized: a header of 48 bytes is written or read for certain --- */

#define FILL(offset_) vkCmdFillBuffer(s->commands, s->memory, offset_, 64, 0)
SITE(
    serialized_over_a_fill,
    {
        FILL(0);
        serialize_structure(s, 0);
    },
    ON, .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
    .text = {"vkCmdCopyAccelerationStructureToMemoryKHR(): writes bytes 0 to 47 of VkBuffer",
             "in VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR with "
             "VK_ACCESS_2_TRANSFER_WRITE_BIT"})
SITE(
    serialized_after_a_fill,
    {
        FILL(0);
        order_builds(s, STAGE_TRANSFER, T_WRITES, STAGE_BUILD, T_WRITES);
        serialize_structure(s, 0);
    },
    ON)
SITE(
    serialized_beside_a_fill,
    {
        FILL(0);
        serialize_structure(s, 256);
    },
    ON)
SITE(
    deserialized_from_what_is_filled,
    {
        FILL(0);
        deserialize_structure(s);
    },
    ON, AFTER("READ-AFTER-WRITE", "vkCmdFillBuffer", "vkCmdCopyMemoryToAccelerationStructureKHR"))
SITE(
    deserialized_from_what_was_serialized,
    {
        serialize_structure(s, 0);
        order_builds(s, STAGE_COPY, T_WRITES, STAGE_COPY, T_READS);
        deserialize_structure(s);
    },
    ON)

SITE(
    deserialized_after_a_fill_by_transfer_stages,
    {
        FILL(0);
        order_builds(s, STAGE_TRANSFER, T_WRITES, STAGE_TRANSFER, T_READS);
        deserialize_structure(s);
    },
    ON)
/* The mend names a stage that the program may name. */
SITE(
    copy_without_the_stage_of_copies,
    {
        build_site(s);
        copy_structure(s, TARGET, s->target);
    },
    ON_A_DRIVER, .drivers = NULL_DRIVER, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {".dstStageMask = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,"})
SITE(
    copy_with_the_stage_of_copies,
    {
        build_site(s);
        copy_structure(s, TARGET, s->target);
    },
    ON, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {".dstStageMask = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR,"})

/* --- scratch memory, input --- */

#define SCRATCH(build_) s->build_.info.scratchData.deviceAddress
SITE(
    builds_with_the_same_scratch,
    {
        SCRATCH(other) = SCRATCH(build);
        build_site(s);
        build_other(s);
    },
    ON, AFTER("WRITE-AFTER-WRITE", BUILD_COMMAND, BUILD_COMMAND))
SITE(
    builds_with_the_same_scratch_in_order,
    {
        SCRATCH(other) = SCRATCH(build);
        build_site(s);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_BUILD, WRITES | READS);
        build_other(s);
    },
    ON)
SITE(
    builds_and_a_copy_on_a_driver,
    {
        SCRATCH(other) = SCRATCH(build);
        build_site(s);
        order_builds(s, STAGE_BUILD, WRITES | READS, STAGE_BUILD, WRITES | READS);
        build_other(s);
        order_builds(s, STAGE_BUILD, WRITES, STAGE_BUILD, READS);
        copy_structure(s, TARGET, s->target);
    },
    ON_A_DRIVER, .seconds = 300)
SITE(
    builds_with_their_own_scratch,
    {
        build_site(s);
        build_other(s);
    },
    ON)

static void take_input(struct site *s)
{
    s->build.geometries[0].geometry.triangles.vertexData.deviceAddress =
        address_of(s->b, s->memory);
}
SITE(
    vertices_that_are_filled,
    {
        take_input(s);
        FILL(0);
        build_site(s);
    },
    ON, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {BUILD_COMMAND "(): reads bytes 0 to 35 of VkBuffer"})
SITE(
    vertices_that_were_filled,
    {
        take_input(s);
        FILL(0);
        order_builds(s, STAGE_TRANSFER, T_WRITES, STAGE_BUILD, VK_ACCESS_2_SHADER_READ_BIT);
        build_site(s);
    },
    ON)
SITE(
    vertices_beside_a_fill,
    {
        take_input(s);
        FILL(36);
        build_site(s);
    },
    ON)

/* --- builds of one command, which nothing orders --- */

#define TRIANGLES s->build.geometries[0].geometry.triangles

static void build_both(struct site *s)
{
    const VkAccelerationStructureBuildGeometryInfoKHR infos[2] = {s->build.info, s->other.info};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges[2] = {s->build.range, s->other.range};
    DEVICE_PROC(s->b, vkCmdBuildAccelerationStructuresKHR)(s->commands, 2, infos, ranges);
}

/* Scratch memory that may be input, too. */
static void take_scratch(struct site *s, struct structure_build *build)
{
    build->info.scratchData.deviceAddress = (address_of(s->b, s->memory) + 255) / 256 * 256;
}

static void share_scratch(struct structure_build *reads, const struct structure_build *writes)
{
    reads->geometries[0].geometry.triangles.vertexData.deviceAddress =
        writes->info.scratchData.deviceAddress;
}
#define SHARES(name_, reads_, writes_, ...)         \
    SITE(                                           \
        name_,                                      \
        {                                           \
            take_scratch(s, &s->writes_);           \
            share_scratch(&s->reads_, &s->writes_); \
            build_both(s);                          \
        },                                          \
        ON, ##__VA_ARGS__)
SHARES(builds_of_which_the_first_reads_what_the_second_writes, build, other,
       .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"},
       .text = {"an execution dependency between the two builds, each in a command of its own"})
SHARES(builds_of_which_the_second_reads_what_the_first_writes, other, build,
       .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
       .text = {"a memory dependency between the two builds, each in a command of its own"})
/* It is unspecified when a build reads its input, so nothing is reported of it alone. */
SHARES(build_that_reads_its_own_scratch, build, build)
SITE(
    builds_of_the_same_input,
    {
        TRIANGLES.vertexData.deviceAddress = s->other.input_address;
        build_both(s);
    },
    ON)

/* --- other input of builds --- */

#define BUILD_READS VK_ACCESS_2_SHADER_READ_BIT
#define INPUT(name_, prepare_, last_)                                            \
    SITE(                                                                        \
        name_##_that_are_filled,                                                 \
        {                                                                        \
            prepare_;                                                            \
            FILL(0);                                                             \
            build_site(s);                                                       \
        },                                                                       \
        ON, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},                          \
        .text = {BUILD_COMMAND "(): reads bytes 0 to " last_ " of VkBuffer"})    \
    SITE(                                                                        \
        name_##_that_were_filled,                                                \
        {                                                                        \
            prepare_;                                                            \
            FILL(0);                                                             \
            order_builds(s, STAGE_TRANSFER, T_WRITES, STAGE_BUILD, BUILD_READS); \
            build_site(s);                                                       \
        },                                                                       \
        ON)
#define MEMORY_AT address_of(s->b, s->memory)
INPUT(indices,
      (TRIANGLES.indexType = VK_INDEX_TYPE_UINT16, TRIANGLES.indexData.deviceAddress = MEMORY_AT),
      "5")
INPUT(transforms, TRIANGLES.transformData.deviceAddress = MEMORY_AT, "47")
INPUT(boxes,
      (fill_boxes(b, &s->build),
       s->build.geometries[0].geometry.aabbs.data.deviceAddress = MEMORY_AT),
      "23")

static void take_instances(struct site *s, bool pointers)
{
    fill_instances(s->b, &s->build);
    s->build.geometries[0].geometry.instances.arrayOfPointers = pointers;
    s->build.geometries[0].geometry.instances.data.deviceAddress = MEMORY_AT;
    s->build.ranges[0].primitiveCount = 1;
}
INPUT(instances, take_instances(s, false), "63")
INPUT(pointers_to_instances, take_instances(s, true), "7")

/* --- refused by a callback: the structure is not built, and nothing was read or written --- */

SITE(
    refused_build,
    {
        b->skip = true;
        take_input(s);
        FILL(0);
        build_site(s);
        build_site(s);
        EXPECT_EQUAL(seen_count(b, NULL), 2);
        copy_structure(s, make_source(s), TARGET);
        order_builds(s, STAGE_TRANSFER, T_WRITES, STAGE_BUILD, BUILD_READS);
        order_builds(s, STAGE_COPY, WRITES, STAGE_BUILD, WRITES);
        build_site(s);
        EXPECT_EQUAL(seen_count(b, NULL), 2);
    },
    ON, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
