/* Acceleration structures that were built: updates, copies, serialization, properties, and builds
 * on the host. */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
#define FEATURE(...)                                                                 \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, \
     .pNext = (void *)&addresses,                                                    \
     .accelerationStructure = VK_TRUE,                                               \
     ##__VA_ARGS__}
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR
    structures = FEATURE(),
    host = FEATURE(.accelerationStructureHostCommands = VK_TRUE);
#define BASE "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"
/* lavapipe compiles the shaders of its builds again in each process, which takes seconds: once is
 * enough. */
#define BOTH .features = &structures, .extensions = {BASE}
#define ON   .drivers = NULL_DRIVER, BOTH
#define MAINTENANCE1 \
    .extensions = {BASE, "VK_KHR_ray_tracing_pipeline", "VK_KHR_ray_tracing_maintenance1"}
#define HOST .drivers = NULL_DRIVER, .features = &host, .extensions = {BASE}

#define BUILD(id_)      "VUID-vkCmdBuildAccelerationStructuresKHR-" id_
#define HOST_BUILD(id_) "VUID-vkBuildAccelerationStructuresKHR-" id_
#define TOP             VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
#define BOTTOM          VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR
#define UPDATABLE       VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR
#define COMPACTABLE     VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR

/* --- updates --- */

static void order_structures(VkCommandBuffer command_buffer)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                                    .dstAccessMask =
                                        VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR |
                                        VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR};
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                         VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, 0, 1, &memory, 0,
                         NULL, 0, NULL);
}

static void submit_structures(struct baseline *b, VkCommandBuffer command_buffer)
{
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo info = submit_info(&command_buffer);
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    VK(vkDeviceWaitIdle(b->device));
}

/* A build of two triangle geometries, and an update of it: `first_` changes the build before,
 * `change_` the update. `again_`: in a command buffer of its own. */
#define UPDATE(name_, fill_, first_, change_, again_, ...)                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                 \
    {                                                                              \
        struct structure_build build;                                              \
        fill_(b, &build);                                                          \
        build.info.flags = UPDATABLE;                                              \
        first_;                                                                    \
        VkCommandBuffer command_buffer = make_recording(b);                        \
        record_build(b, command_buffer, &build);                                   \
        if (again_) {                                                              \
            run_commands(b, command_buffer);                                       \
            command_buffer = make_recording(b);                                    \
        } else {                                                                   \
            order_structures(command_buffer);                                      \
        }                                                                          \
        build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;         \
        build.info.srcAccelerationStructure = build.info.dstAccelerationStructure; \
        change_;                                                                   \
        record_build(b, command_buffer, &build);                                   \
        submit_structures(b, command_buffer);                                      \
    }
#define UPDATES(name_, fill_, first_, change_, ...)             \
    UPDATE(name_, fill_, first_, change_, false, ##__VA_ARGS__) \
    UPDATE(name_##_submitted, fill_, first_, change_, true, ##__VA_ARGS__)
#define TRIANGLES build.geometries[0].geometry.triangles

UPDATES(update_right, fill_triangles, build.info.geometryCount = 2, , ON)
UPDATE(update_on_a_driver, fill_triangles, build.info.geometryCount = 2, , false, BOTH)
UPDATES(update_elsewhere, fill_triangles, ,
        build.info.dstAccelerationStructure = make_structure(b, BOTTOM), ON)
UPDATES(update_not_allowed, fill_triangles, build.info.flags = 0, , ON,
        .expect = {BUILD("pInfos-03667")})
UPDATES(update_of_more, fill_triangles, , build.info.geometryCount = 2, ON,
        .expect = {BUILD("pInfos-03758")},
        .text = {"updates a structure with 2 geometries, but it was built of 1"})
UPDATES(update_other_flags, fill_triangles, , build.info.flags |= COMPACTABLE, ON,
        .expect = {BUILD("pInfos-03759")})
UPDATES(update_other_geometry_flags, fill_triangles, ,
        build.geometries[0].flags = VK_GEOMETRY_OPAQUE_BIT_KHR, ON,
        .expect = {BUILD("pInfos-03762")})
UPDATES(update_other_format, fill_triangles, , TRIANGLES.vertexFormat = VK_FORMAT_R32G32_SFLOAT, ON,
        .expect = {BUILD("pInfos-03763")})
UPDATES(update_other_vertices, fill_triangles, , TRIANGLES.maxVertex = 5, ON,
        .expect = {BUILD("pInfos-03764")})
UPDATES(update_other_indices, fill_triangles, ,
        (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32,
         TRIANGLES.indexData.deviceAddress = build.input_address),
        ON, .expect = {BUILD("pInfos-03765")})
UPDATES(update_new_transform, fill_triangles, ,
        TRIANGLES.transformData.deviceAddress = build.input_address, ON,
        .expect = {BUILD("pInfos-03766")})
UPDATES(update_no_transform, fill_triangles,
        TRIANGLES.transformData.deviceAddress = build.input_address,
        TRIANGLES.transformData.deviceAddress = 0, ON, .expect = {BUILD("pInfos-03767")})
UPDATES(update_other_count, fill_triangles, TRIANGLES.maxVertex = 20,
        build.ranges[0].primitiveCount = 2, ON, .expect = {BUILD("primitiveCount-03769")})
UPDATES(update_other_geometry, fill_triangles, ,
        (build.geometries[0].geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
         build.geometries[0].geometry.aabbs =
             (VkAccelerationStructureGeometryAabbsDataKHR){
                 .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                 .data.deviceAddress = build.input_address,
                 .stride = 24}),
        ON, .expect = {BUILD("pInfos-03761")})
UPDATES(update_other_type, fill_triangles,
        build.info.dstAccelerationStructure =
            make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR),
        (build.info.type = TOP, build.geometries[0].geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
         build.geometries[0].geometry.instances =
             (VkAccelerationStructureGeometryInstancesDataKHR){
                 .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                 .data.deviceAddress = build.input_address}),
        ON, .expect = {BUILD("pInfos-03760")}, .proceed = true)

SCENARIO(update_of_nothing, ON, .expect = {BUILD("pInfos-03667")},
         .text = {"updates a structure that was never built"})
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
    VkCommandBuffer command_buffer = make_recording(b);
    record_build(b, command_buffer, &build);
    submit_structures(b, command_buffer);
}

/* The build is recorded last and submitted first. */
SCENARIO(update_recorded_before_build, ON)
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = UPDATABLE;
    VkCommandBuffer updating = make_recording(b), building = make_recording(b);
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
    record_build(b, updating, &build);
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
    record_build(b, building, &build);
    order_structures(building);
    VK(vkEndCommandBuffer(building));
    VK(vkEndCommandBuffer(updating));
    const VkCommandBuffer both[] = {building, updating};
    VkSubmitInfo info = submit_info(both);
    info.commandBufferCount = 2;
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

static VkAccelerationStructureKHR make_unbacked(struct baseline *b)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    VkBufferCreateInfo buffer =
        buffer_info(65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    info.buffer = create_buffer(b, &buffer);
    return create_structure(b, &info);
}

/* An update of one structure into another: `source_` is where it comes from. */
#define UPDATE_OF(name_, source_, ...)                                     \
    SCENARIO(name_, ##__VA_ARGS__)                                         \
    {                                                                      \
        struct structure_build build;                                      \
        fill_triangles(b, &build);                                         \
        build.info.flags = UPDATABLE;                                      \
        build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR; \
        build.info.srcAccelerationStructure = source_;                     \
        record_build(b, make_recording(b), &build);                        \
    }
UPDATE_OF(update_of_unbacked, make_unbacked(b), ON, .expect = {BUILD("pInfos-03708")})

/* Structures on one buffer. */
static VkAccelerationStructureKHR make_over(struct baseline *b, VkBuffer buffer,
                                            VkDeviceSize offset, VkDeviceSize size)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    info.buffer = buffer;
    info.offset = offset;
    info.size = size;
    return create_structure(b, &info);
}

static VkBuffer make_storage(struct baseline *b)
{
    return make_buffer(b, 4 * 65536,
                       VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
}

#define TWO_ON_A_BUFFER(name_, offset_, change_, ...)                               \
    SCENARIO(name_, ##__VA_ARGS__)                                                  \
    {                                                                               \
        struct structure_build build;                                               \
        VkBuffer buffer = make_storage(b);                                          \
        fill_triangles(b, &build);                                                  \
        build.info.flags = UPDATABLE;                                               \
        build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;          \
        build.info.srcAccelerationStructure = make_over(b, buffer, 0, 65536);       \
        build.info.dstAccelerationStructure = make_over(b, buffer, offset_, 65536); \
        change_;                                                                    \
        record_build(b, make_recording(b), &build);                                 \
    }
TWO_ON_A_BUFFER(update_behind, 65536, , ON)
TWO_ON_A_BUFFER(update_over_alias, 256, , ON, .expect = {BUILD("pInfos-03668")})
TWO_ON_A_BUFFER(update_scratch_over_source, 65536,
                build.info.scratchData.deviceAddress = address_of(b, buffer), ON,
                .expect = {BUILD("scratchData-03705")})

/* The second build updates `source_` into a structure of its own. */
#define TWO_BUILDS(name_, target_, source_, ...)                                                  \
    SCENARIO(name_, ##__VA_ARGS__)                                                                \
    {                                                                                             \
        struct structure_build build, other;                                                      \
        VkBuffer buffer = make_storage(b);                                                        \
        fill_triangles(b, &build);                                                                \
        fill_triangles(b, &other);                                                                \
        build.info.dstAccelerationStructure = target_;                                            \
        other.info.flags = UPDATABLE;                                                             \
        other.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;                        \
        other.info.srcAccelerationStructure = source_;                                            \
        VkAccelerationStructureBuildGeometryInfoKHR infos[] = {build.info, other.info};           \
        const VkAccelerationStructureBuildRangeInfoKHR *ranges[] = {build.range, other.range};    \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(make_recording(b), 2, infos, ranges); \
    }
TWO_BUILDS(two_builds_apart, make_over(b, buffer, 0, 65536), make_over(b, buffer, 65536, 65536), ON)
TWO_BUILDS(two_builds_source_is_target, make_over(b, buffer, 0, 65536),
           build.info.dstAccelerationStructure, ON, .expect = {BUILD("pInfos-03403")})
TWO_BUILDS(two_builds_source_over_target, make_over(b, buffer, 0, 65536),
           make_over(b, buffer, 0, 65536), ON, .expect = {BUILD("dstAccelerationStructure-03701")})

SCENARIO(update_scratch_usage, ON, .expect = {BUILD("pInfos-12260")})
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = UPDATABLE;
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = make_built(b, UPDATABLE);
    build.info.scratchData.deviceAddress =
        address_of(b, make_buffer(b, 65536, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    record_build(b, make_recording(b), &build);
}

SCENARIO(update_scratch_size, ON, .expect = {BUILD("pInfos-12259")})
{
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = UPDATABLE;
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = make_built(b, UPDATABLE);
    build.info.scratchData.deviceAddress = make_scratch(b, 256);
    record_build(b, make_recording(b), &build);
}

/* --- copies --- */

#define COPY_ID(id_) "VUID-VkCopyAccelerationStructureInfoKHR-" id_
#define CLONE        VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR
#define COMPACT      VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR

#define COPY(name_, from_, to_, mode_, ...)                                       \
    SCENARIO(name_, ##__VA_ARGS__)                                                \
    {                                                                             \
        const VkCopyAccelerationStructureInfoKHR info = {                         \
            .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,      \
            .src = from_,                                                         \
            .dst = to_,                                                           \
            .mode = mode_};                                                       \
        VkCommandBuffer command_buffer = make_recording(b);                       \
        DEVICE_PROC(b, vkCmdCopyAccelerationStructureKHR)(command_buffer, &info); \
        submit_structures(b, command_buffer);                                     \
    }
COPY(copy_clone, make_built(b, 0), make_structure(b, BOTTOM), CLONE, ON)
COPY(copy_compact, make_built(b, COMPACTABLE), make_structure(b, BOTTOM), COMPACT, ON)
COPY(copy_of_nothing, make_structure(b, BOTTOM), make_structure(b, BOTTOM), CLONE, ON,
     .expect = {"VUID-vkCmdCopyAccelerationStructureKHR-src-11633"},
     .text = {"copies a structure that was never built"})
COPY(copy_compact_not_allowed, make_built(b, 0), make_structure(b, BOTTOM), COMPACT, ON,
     .expect = {COPY_ID("src-03411")})
COPY(copy_from_unbacked, make_unbacked(b), make_structure(b, BOTTOM), CLONE, ON,
     .expect = {COPY_ID("buffer-03718")})
COPY(copy_to_unbacked, make_built(b, 0), make_unbacked(b), CLONE, ON,
     .expect = {COPY_ID("buffer-03719")})

SCENARIO(copy_over_itself, ON, .expect = {COPY_ID("dst-07791")})
{
    VkAccelerationStructureKHR structure = make_built(b, 0);
    const VkCopyAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = structure,
        .dst = structure,
        .mode = CLONE};
    DEVICE_PROC(b, vkCmdCopyAccelerationStructureKHR)(make_recording(b), &info);
}

/* Two structures on one buffer. Both begin at its beginning, or the second one in what the first
 * has been given room for, and may not need. */
#define COPY_OVER_ALIAS(name_, offset_, ...)                                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                   \
    {                                                                                \
        struct structure_build build;                                                \
        VkBuffer buffer = make_storage(b);                                           \
        fill_triangles(b, &build);                                                   \
        build.info.dstAccelerationStructure = make_over(b, buffer, 0, 65536);        \
        VkCommandBuffer command_buffer = make_recording(b);                          \
        record_build(b, command_buffer, &build);                                     \
        run_commands(b, command_buffer);                                             \
        const VkCopyAccelerationStructureInfoKHR info = {                            \
            .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,         \
            .src = build.info.dstAccelerationStructure,                              \
            .dst = make_over(b, buffer, offset_, 65536),                             \
            .mode = CLONE};                                                          \
        DEVICE_PROC(b, vkCmdCopyAccelerationStructureKHR)(make_recording(b), &info); \
    }
COPY_OVER_ALIAS(copy_over_alias, 0, ON, .expect = {COPY_ID("dst-07791")},
                .text = {"pInfo->dst begins where src does, and both are accessed by this command"})
COPY_OVER_ALIAS(copy_into_spare_room, 32768, ON)

/* A copy of a copy has what the first had. */
SCENARIO(copy_of_copy, ON, .expect = {COPY_ID("src-03411")})
{
    VkCopyAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = make_built(b, 0),
        .dst = make_structure(b, BOTTOM),
        .mode = CLONE};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyAccelerationStructureKHR)(command_buffer, &info);
    submit_structures(b, command_buffer);
    info.src = info.dst;
    info.dst = make_structure(b, BOTTOM);
    info.mode = COMPACT;
    command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyAccelerationStructureKHR)(command_buffer, &info);
    submit_structures(b, command_buffer);
}

/* --- serialization --- */

#define SERIALIZE(name_, from_, change_, ...)                                             \
    SCENARIO(name_, ##__VA_ARGS__)                                                        \
    {                                                                                     \
        VkCopyAccelerationStructureToMemoryInfoKHR info = {                               \
            .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,    \
            .src = from_,                                                                 \
            .dst.deviceAddress = make_scratch(b, 65536),                                  \
            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};                   \
        change_;                                                                          \
        VkCommandBuffer command_buffer = make_recording(b);                               \
        DEVICE_PROC(b, vkCmdCopyAccelerationStructureToMemoryKHR)(command_buffer, &info); \
        submit_structures(b, command_buffer);                                             \
    }
SERIALIZE(serialize_right, make_built(b, 0), , ON)
SERIALIZE(serialize_nothing, make_structure(b, BOTTOM), , ON,
          .expect = {"VUID-VkCopyAccelerationStructureToMemoryInfoKHR-src-04959"})
SERIALIZE(serialize_unbacked, make_unbacked(b), , ON,
          .expect = {"VUID-VkCopyAccelerationStructureToMemoryInfoKHR-mode-11714"})
SERIALIZE(serialize_nowhere, make_built(b, 0), info.dst.deviceAddress = 0x7000000000000000ull, ON,
          .expect = {"VUID-vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03739"})
SERIALIZE(serialize_alignment, make_built(b, 0), info.dst.deviceAddress += 16, ON,
          .expect = {"VUID-vkCmdCopyAccelerationStructureToMemoryKHR-pInfo-03740"})

#define DESERIALIZE(name_, to_, change_, ...)                                             \
    SCENARIO(name_, ##__VA_ARGS__)                                                        \
    {                                                                                     \
        VkCopyMemoryToAccelerationStructureInfoKHR info = {                               \
            .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,    \
            .src.deviceAddress = make_scratch(b, 65536),                                  \
            .dst = to_,                                                                   \
            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};                 \
        change_;                                                                          \
        VkCommandBuffer command_buffer = make_recording(b);                               \
        DEVICE_PROC(b, vkCmdCopyMemoryToAccelerationStructureKHR)(command_buffer, &info); \
        VK(vkEndCommandBuffer(command_buffer));                                           \
    }
DESERIALIZE(deserialize_right, make_structure(b, BOTTOM), , ON)
DESERIALIZE(deserialize_unbacked, make_unbacked(b), , ON,
            .expect = {"VUID-VkCopyMemoryToAccelerationStructureInfoKHR-dst-11717"})
DESERIALIZE(deserialize_nowhere, make_structure(b, BOTTOM),
            info.src.deviceAddress = 0x7000000000000000ull, ON,
            .expect = {"VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03742"})
DESERIALIZE(deserialize_alignment, make_structure(b, BOTTOM), info.src.deviceAddress += 16, ON,
            .expect = {"VUID-vkCmdCopyMemoryToAccelerationStructureKHR-pInfo-03743"})

/* A structure that was deserialized may be updated, for all that is known. */
SCENARIO(update_of_deserialized, ON)
{
    struct structure_build build;
    fill_triangles(b, &build);
    const VkCopyMemoryToAccelerationStructureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
        .src.deviceAddress = make_scratch(b, 65536),
        .dst = build.info.dstAccelerationStructure,
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryToAccelerationStructureKHR)(command_buffer, &info);
    submit_structures(b, command_buffer);
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
    command_buffer = make_recording(b);
    record_build(b, command_buffer, &build);
    submit_structures(b, command_buffer);
}

/* --- properties --- */

#define WRITE(id_)     "VUID-vkCmdWriteAccelerationStructuresPropertiesKHR-" id_
#define COMPACTED_SIZE VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR
#define POINTERS       VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR

static VkQueryPool make_properties(struct baseline *b, VkQueryType type)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = type;
    return create_query_pool(b, &info);
}

#define PROPERTIES(name_, structure_, type_, change_, ...)                                    \
    SCENARIO(name_, ##__VA_ARGS__)                                                            \
    {                                                                                         \
        VkAccelerationStructureKHR structure = structure_;                                    \
        VkQueryType type = type_;                                                             \
        VkQueryPool pool = make_properties(b, type);                                          \
        uint32_t query = 0;                                                                   \
        VkCommandBuffer command_buffer = make_recording(b);                                   \
        vkCmdResetQueryPool(command_buffer, pool, 0, 4);                                      \
        change_;                                                                              \
        DEVICE_PROC(b, vkCmdWriteAccelerationStructuresPropertiesKHR)(command_buffer, 1,      \
                                                                      &structure, type, pool, \
                                                                      query);                 \
        submit_structures(b, command_buffer);                                                 \
    }
PROPERTIES(properties_right, make_built(b, COMPACTABLE), COMPACTED_SIZE, query = 3, ON)
PROPERTIES(properties_of_nothing, make_structure(b, BOTTOM), COMPACTED_SIZE, , ON,
           .expect = {WRITE("pAccelerationStructures-11684")})
PROPERTIES(properties_not_compactable, make_built(b, 0), COMPACTED_SIZE, , ON,
           .expect = {WRITE("accelerationStructures-03431")})
PROPERTIES(properties_other_pool, make_built(b, COMPACTABLE), COMPACTED_SIZE,
           type = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR, ON,
           .expect = {WRITE("queryPool-02493")})
PROPERTIES(properties_behind_the_end, make_built(b, COMPACTABLE), COMPACTED_SIZE, query = 4, ON,
           .expect = {WRITE("query-04880")})
PROPERTIES(properties_unbacked, make_unbacked(b),
           VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR, , ON,
           .expect = {WRITE("buffer-03736")})
PROPERTIES(properties_twice, make_built(b, COMPACTABLE), COMPACTED_SIZE,
           DEVICE_PROC(b, vkCmdWriteAccelerationStructuresPropertiesKHR)(command_buffer, 1,
                                                                         &structure, type, pool,
                                                                         query),
           ON, .expect = {WRITE("queryPool-02494")})
PROPERTIES(properties_pointers_of_bottom, make_built(b, 0), POINTERS, , .features = &structures,
           .drivers = NULL_DRIVER, MAINTENANCE1, .expect = {WRITE("pAccelerationStructures-12425")})

/* --- on the host --- */

#define HOST_BUILDING(name_, fill_, change_, ...)                                            \
    SCENARIO(name_, ##__VA_ARGS__)                                                           \
    {                                                                                        \
        static _Alignas(256) unsigned char scratch[65536];                                   \
        static _Alignas(16) float input[64];                                                 \
        struct structure_build build;                                                        \
        fill_(b, &build);                                                                    \
        build.info.scratchData.hostAddress = scratch;                                        \
        build.geometries[0].geometry.triangles.vertexData.hostAddress = input;               \
        change_;                                                                             \
        (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, \
                                                               &build.info, &build.range);   \
    }
#define HOST_TRIANGLES(name_, change_, ...) \
    HOST_BUILDING(name_, fill_triangles, change_, ##__VA_ARGS__)

static void fill_host_boxes(struct baseline *b, struct structure_build *build)
{
    static _Alignas(16) const float boxes[6];
    fill_boxes(b, build);
    build->geometries[1].geometry.aabbs.data.hostAddress = boxes;
    build->info.pGeometries = &build->geometries[1];
}

static void fill_host_instances(struct baseline *b, struct structure_build *build)
{
    static _Alignas(16) const VkAccelerationStructureInstanceKHR instances[2];
    fill_instances(b, build);
    build->geometries[1].geometry.instances.data.hostAddress = instances;
    build->info.pGeometries = &build->geometries[1];
}

/* Device-local memory that the host does not see. */
static VkAccelerationStructureKHR make_local(struct baseline *b)
{
    VkAccelerationStructureCreateInfoKHR info = structure_info(b, BOTTOM);
    VkBufferCreateInfo buffer =
        buffer_info(65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    uint32_t type = 0;
    while (type < properties.memoryTypeCount &&
           properties.memoryTypes[type].propertyFlags != VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
        type++;
    ENSURE(type < properties.memoryTypeCount);
    VkMemoryAllocateInfo memory = memory_info(65536, type);
    VkDeviceMemory allocated = create_memory(b, &memory);
    info.buffer = create_buffer(b, &buffer);
    VK(vkBindBufferMemory(b->device, info.buffer, allocated, 0));
    return create_structure(b, &info);
}

HOST_TRIANGLES(host_right, , HOST)
HOST_BUILDING(host_boxes, fill_host_boxes, , HOST)
HOST_BUILDING(host_instances, fill_host_instances, build.ranges[0].primitiveCount = 2, HOST)
HOST_TRIANGLES(host_target_local, build.info.dstAccelerationStructure = make_local(b), HOST,
               .expect = {HOST_BUILD("pInfos-03722")})
HOST_TRIANGLES(host_vertices_null, TRIANGLES.vertexData.hostAddress = NULL, HOST,
               .expect = {HOST_BUILD("pInfos-03771")})
HOST_TRIANGLES(host_indices_null,
               (TRIANGLES.indexType = VK_INDEX_TYPE_UINT32, TRIANGLES.indexData.hostAddress = NULL),
               HOST, .expect = {HOST_BUILD("pInfos-03772")})
HOST_TRIANGLES(host_transform_bad,
               TRIANGLES.transformData.hostAddress = (const void *)(uintptr_t)16, HOST,
               .expect = {HOST_BUILD("pInfos-03773")})
HOST_BUILDING(host_boxes_null, fill_host_boxes,
              build.geometries[1].geometry.aabbs.data.hostAddress = NULL, HOST,
              .expect = {HOST_BUILD("pInfos-03774")})
HOST_BUILDING(host_instances_null, fill_host_instances,
              (build.geometries[1].geometry.instances.data.hostAddress = NULL,
               build.ranges[0].primitiveCount = 1),
              HOST, .expect = {HOST_BUILD("pInfos-03778")})
HOST_BUILDING(host_no_instances_null, fill_host_instances,
              build.geometries[1].geometry.instances.data.hostAddress = NULL, HOST)

#define HOST_INSTANCE(name_, structure_, ...)                                                     \
    HOST_BUILDING(name_, fill_host_instances, static VkAccelerationStructureInstanceKHR instance; \
                  instance.accelerationStructureReference = HANDLE(structure_);                   \
                  build.geometries[1].geometry.instances.data.hostAddress = &instance;            \
                  build.ranges[0].primitiveCount = 1, ##__VA_ARGS__)
HOST_INSTANCE(host_instance, make_structure(b, BOTTOM), HOST)
HOST_INSTANCE(host_instance_of_nothing, GARBAGE(VkAccelerationStructureKHR), HOST,
              .expect = {HOST_BUILD("pInfos-03779")})
HOST_INSTANCE(host_instance_local, make_local(b), HOST, .expect = {HOST_BUILD("pInfos-03724")})
HOST_INSTANCE(host_instance_unbacked, make_unbacked(b), HOST,
              .expect = {HOST_BUILD("pInfos-03709")})

SCENARIO(host_update_of_local, HOST,
         .expect = {HOST_BUILD("pInfos-03723"), HOST_BUILD("pInfos-03667")}, .proceed = true)
{
    static _Alignas(256) unsigned char scratch[65536];
    static _Alignas(16) float input[64];
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.scratchData.hostAddress = scratch;
    TRIANGLES.vertexData.hostAddress = input;
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = make_local(b);
    (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1,
                                                           &build.info, &build.range);
}

SCENARIO(host_update_of_less, HOST, .expect = {HOST_BUILD("pInfos-03758")})
{
    static _Alignas(256) unsigned char scratch[65536];
    static _Alignas(16) float input[64];
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.flags = UPDATABLE;
    build.info.geometryCount = 2;
    build.info.scratchData.hostAddress = scratch;
    TRIANGLES.vertexData.hostAddress =
        build.geometries[1].geometry.triangles.vertexData.hostAddress = input;
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.range));
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
    build.info.geometryCount = 1;
    (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1,
                                                           &build.info, &build.range);
}

#define HOST_COPY(name_, from_, to_, mode_, ...)                                                \
    SCENARIO(name_, ##__VA_ARGS__)                                                              \
    {                                                                                           \
        const VkCopyAccelerationStructureInfoKHR info = {                                       \
            .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,                    \
            .src = from_,                                                                       \
            .dst = to_,                                                                         \
            .mode = mode_};                                                                     \
        (void)DEVICE_PROC(b, vkCopyAccelerationStructureKHR)(b->device, VK_NULL_HANDLE, &info); \
    }
#define HOST_COPY_ID(id_) "VUID-vkCopyAccelerationStructureKHR-" id_
HOST_COPY(host_copy, make_built(b, 0), make_structure(b, BOTTOM), CLONE, HOST)
HOST_COPY(host_copy_of_nothing, make_structure(b, BOTTOM), make_structure(b, BOTTOM), CLONE, HOST,
          .expect = {HOST_COPY_ID("src-11586")})
HOST_COPY(host_copy_from_local, make_local(b), make_structure(b, BOTTOM), CLONE, HOST,
          .expect = {HOST_COPY_ID("buffer-03727"), HOST_COPY_ID("src-11586")}, .proceed = true)
HOST_COPY(host_copy_to_local, make_built(b, 0), make_local(b), CLONE, HOST,
          .expect = {HOST_COPY_ID("buffer-03728")})

#define HOST_SERIALIZE(name_, from_, pointer_, ...)                                             \
    SCENARIO(name_, ##__VA_ARGS__)                                                              \
    {                                                                                           \
        static _Alignas(256) unsigned char memory[4096];                                        \
        (void)memory;                                                                           \
        const VkCopyAccelerationStructureToMemoryInfoKHR info = {                               \
            .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,          \
            .src = from_,                                                                       \
            .dst.hostAddress = pointer_,                                                        \
            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};                         \
        (void)DEVICE_PROC(b, vkCopyAccelerationStructureToMemoryKHR)(b->device, VK_NULL_HANDLE, \
                                                                     &info);                    \
    }
#define HOST_SERIALIZE_ID(id_) "VUID-vkCopyAccelerationStructureToMemoryKHR-" id_
HOST_SERIALIZE(host_serialize, make_built(b, 0), memory, HOST)
HOST_SERIALIZE(host_serialize_alignment, make_built(b, 0), memory + 8, HOST,
               .expect = {HOST_SERIALIZE_ID("pInfo-03751")})
HOST_SERIALIZE(host_serialize_nowhere, make_built(b, 0), (void *)(uintptr_t)16, HOST,
               .expect = {HOST_SERIALIZE_ID("pInfo-03732")})
HOST_SERIALIZE(host_serialize_local, make_local(b), memory, HOST, .proceed = true,
               .expect = {HOST_SERIALIZE_ID("pInfo-03731"),
                          "VUID-VkCopyAccelerationStructureToMemoryInfoKHR-src-04959"})

#define HOST_DESERIALIZE(name_, to_, pointer_, ...)                                             \
    SCENARIO(name_, ##__VA_ARGS__)                                                              \
    {                                                                                           \
        static _Alignas(256) unsigned char memory[4096];                                        \
        (void)memory;                                                                           \
        const VkCopyMemoryToAccelerationStructureInfoKHR info = {                               \
            .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,          \
            .src.hostAddress = pointer_,                                                        \
            .dst = to_,                                                                         \
            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};                       \
        (void)DEVICE_PROC(b, vkCopyMemoryToAccelerationStructureKHR)(b->device, VK_NULL_HANDLE, \
                                                                     &info);                    \
    }
#define HOST_DESERIALIZE_ID(id_) "VUID-vkCopyMemoryToAccelerationStructureKHR-" id_
HOST_DESERIALIZE(host_deserialize, make_structure(b, BOTTOM), memory, HOST)
HOST_DESERIALIZE(host_deserialize_alignment, make_structure(b, BOTTOM), memory + 8, HOST,
                 .expect = {HOST_DESERIALIZE_ID("pInfo-03750")})
HOST_DESERIALIZE(host_deserialize_nowhere, make_structure(b, BOTTOM), (void *)(uintptr_t)16, HOST,
                 .expect = {HOST_DESERIALIZE_ID("pInfo-03729")})
HOST_DESERIALIZE(host_deserialize_local, make_local(b), memory, HOST,
                 .expect = {HOST_DESERIALIZE_ID("buffer-03730")})

#define HOST_PROPERTIES(name_, structure_, type_, size_, stride_, ...)                             \
    SCENARIO(name_, ##__VA_ARGS__)                                                                 \
    {                                                                                              \
        uint64_t sizes[4];                                                                         \
        VkAccelerationStructureKHR structure = structure_;                                         \
        (void)DEVICE_PROC(b, vkWriteAccelerationStructuresPropertiesKHR)(b->device, 1, &structure, \
                                                                         type_, size_, sizes,      \
                                                                         stride_);                 \
    }
#define HOST_WRITE(id_)    "VUID-vkWriteAccelerationStructuresPropertiesKHR-" id_
#define SERIALIZATION_SIZE VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR
HOST_PROPERTIES(host_properties, make_built(b, COMPACTABLE), COMPACTED_SIZE, 16, 16, HOST)
HOST_PROPERTIES(host_properties_of_nothing, make_structure(b, BOTTOM), COMPACTED_SIZE, 8, 8, HOST,
                .expect = {HOST_WRITE("pAccelerationStructures-11591")})
HOST_PROPERTIES(host_properties_local, make_local(b), SERIALIZATION_SIZE, 8, 8, HOST,
                .proceed = true,
                .expect = {HOST_WRITE("pAccelerationStructures-11591"), HOST_WRITE("buffer-03733")})
HOST_PROPERTIES(host_properties_size, make_built(b, COMPACTABLE), COMPACTED_SIZE, 8, 16, HOST,
                .expect = {HOST_WRITE("dataSize-03452")})
HOST_PROPERTIES(host_properties_stride, make_built(b, COMPACTABLE), COMPACTED_SIZE, 32, 12, HOST,
                .expect = {HOST_WRITE("queryType-03448")})
HOST_PROPERTIES(host_properties_stride_serialization, make_built(b, COMPACTABLE),
                SERIALIZATION_SIZE, 32, 12, HOST, .expect = {HOST_WRITE("queryType-03450")})
HOST_PROPERTIES(host_properties_stride_size, make_built(b, COMPACTABLE),
                VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR, 32, 12, .drivers = NULL_DRIVER,
                .features = &host, MAINTENANCE1, .expect = {HOST_WRITE("queryType-06731")})
HOST_PROPERTIES(host_properties_stride_pointers, make_built(b, COMPACTABLE), POINTERS, 32, 12,
                .drivers = NULL_DRIVER, .features = &host, MAINTENANCE1, .proceed = true,
                .expect = {HOST_WRITE("queryType-06733"),
                           HOST_WRITE("pAccelerationStructures-12425")})
