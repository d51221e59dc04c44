/* Checks that acceleration structures may be copied, serialized and deserialized, and their
 * properties queried (37.3 "Copying Acceleration Structures", 37.2.x properties). */
#include "core/raytracing/acceleration_structure.h"

#include "base/thread.h"
#include "core/hooks.h"
#include "report/finding/rule.h"
#include "state/query/query.h"
#include "vk/pointer.h"

#include <inttypes.h>
#include <string.h>

/* Checks that the structure has what a command on the host requires. `record`: the command, and its
 * use of `source`. */
static bool check_host_use(const struct call *call, struct build_record *record,
                           VkAccelerationStructureKHR handle, const struct location *where)
{
    assert(record);
    struct acceleration_structure *structure = find_acceleration_structure(call, handle);
    if (!structure)
        return false;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_info info = acceleration_structure_build(structure);
    record->command = call->command;
    record->source = object_state_id(&structure->base);
    bool skip = check_build_use(call, record, NULL, &info, where);
    scratch_rewind(&thread_self()->scratch, mark);
    return skip;
}

/* Checks the use of a structure by a command that is recorded, and sets the members of its record.
 * Returns whether to skip the call. */
static bool check_device_use(const struct call *call, struct build_record *record,
                             VkAccelerationStructureKHR handle, const struct location *where)
{
    const struct acceleration_structure *structure = find_acceleration_structure(call, handle);
    record->command = call->command;
    record->source = structure ? object_state_id(&structure->base) : 0;
    return structure && check_recorded_use(call, record, NULL, where);
}

/* --- copies --- */

/* True if two structures begin at the same place. Only the driver knows how many bytes a copy reads
 * and writes: a structure may need less than the memory that the program gave it. */
static bool copies_overlap(const struct acceleration_structure *source,
                           const struct acceleration_structure *target)
{
    assert(source && target);
    return places_overlap(structure_place(source, 1), structure_place(target, 1));
}

/* Checks that source and target of a copy do not overlap. */
static bool structure_copy_check(struct call *call, const VkCopyAccelerationStructureInfoKHR *info)
{
    const struct acceleration_structure *source = find_acceleration_structure(call, info->src),
                                        *target = find_acceleration_structure(call, info->dst);
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {.call = call, .where = &where};
    s.objects = OBJECT2(HANDLE_ACCELERATION_STRUCTURE_KHR, info->src,
                        HANDLE_ACCELERATION_STRUCTURE_KHR, info->dst);
    if (source && target)
        REQUIRE(&s, RULE_07791, !copies_overlap(source, target), "dst", "%s",
                source == target ? "is src as well"
                                 : "begins where src does, and both are accessed by this command");
    return s.skip;
}

bool core_validate_CmdCopyAccelerationStructureKHR(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct build_record record = {.action = BUILD_ACTION_COPY, .argument = (uint32_t)pInfo->mode};
    return structure_copy_check(call, pInfo) |
           check_device_use(call, &record, pInfo->src, &LOCATION(&where, "src"));
}

bool core_validate_CopyAccelerationStructureKHR(struct call *call, VkDevice device,
                                                VkDeferredOperationKHR deferredOperation,
                                                const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo"), source = LOCATION(&where, "src");
    struct build_record record = {.action = BUILD_ACTION_COPY, .argument = (uint32_t)pInfo->mode};
    return structure_copy_check(call, pInfo) | check_host_use(call, &record, pInfo->src, &source);
}

/* --- to memory and back --- */

bool core_validate_CmdCopyAccelerationStructureToMemoryKHR(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct build_record record = {.action = BUILD_ACTION_SERIALIZE};
    return check_device_use(call, &record, pInfo->src, &LOCATION(&where, "src"));
}

bool core_validate_CopyAccelerationStructureToMemoryKHR(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct build_record record = {.action = BUILD_ACTION_SERIALIZE};
    return check_host_use(call, &record, pInfo->src, &LOCATION(&where, "src"));
}

/* The first bytes of a serialized structure of the top or bottom level. */
struct serialized_header {
    uint8_t driver[VK_UUID_SIZE], compatibility[VK_UUID_SIZE];
    uint64_t serialized_size, deserialized_size; /* in bytes; with the header */
};

bool core_validate_CopyMemoryToAccelerationStructureKHR(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    const struct acceleration_structure *target = find_acceleration_structure(call, pInfo->dst);
    struct subject s = {.call = call, .where = &where, .objects = STRUCTURE_OBJECT(pInfo->dst)};
    struct serialized_header header;
    if (!target || target->type == VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR ||
        pointer_is_bad(pInfo->src.hostAddress))
        return false;
    memcpy(&header, pInfo->src.hostAddress, sizeof(header));
    REQUIRE(&s, RULE_03746, target->size >= header.deserialized_size, "dst",
            "was created with a size of %" PRIu64 " bytes, but what is serialized in src takes "
            "%" PRIu64,
            target->size, header.deserialized_size);
    return s.skip;
}

/* --- properties --- */

/* All queries used by the command must be unavailable. Queries that this command buffer has used
 * must have been reset before. Rows report queries that the pool does not have. */
static bool structure_copy_check_queries(struct call *call, VkQueryPool handle, uint32_t first,
                                         uint32_t count, enum rule rule)
{
    const struct query_pool *pool = find_query_pool(call, handle);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!pool || !call->instance->settings.check_query || count > pool->count ||
        first > pool->count - count)
        return false;
    for (uint32_t i = 0; command_buffer && i < count; i++) {
        const struct recorded_query *query =
            command_buffer_query(command_buffer, object_state_id(&pool->base), first + i);
        if (query && query->state != QUERY_RESET && query->state != QUERY_UNTOUCHED)
            return BROKEN_BY(call, rule, &LOCATION(NULL, "queryPool"),
                             OBJECT(HANDLE_QUERY_POOL, handle),
                             "has query %u, which was used in this command buffer and "
                             "not reset since",
                             first + i);
    }
    return false;
}

bool core_validate_CmdWriteAccelerationStructuresPropertiesKHR(struct call *call,
                                                               VkCommandBuffer commandBuffer,
                                                               uint32_t accelerationStructureCount,
                                                               const VkAccelerationStructureKHR
                                                                   *pAccelerationStructures,
                                                               VkQueryType queryType,
                                                               VkQueryPool queryPool,
                                                               uint32_t firstQuery)
{
    bool skip = structure_copy_check_queries(call, queryPool, firstQuery,
                                             accelerationStructureCount, RULE_02494);
    for (uint32_t i = 0; i < accelerationStructureCount; i++) {
        const struct location at = LOCATION_INDEX(NULL, "pAccelerationStructures", i);
        struct build_record record = {.action = BUILD_ACTION_QUERY,
                                      .argument = (uint32_t)queryType};
        skip |= check_device_use(call, &record, pAccelerationStructures[i], &at);
    }
    return skip;
}

bool core_validate_CmdWriteAccelerationStructuresPropertiesNV(struct call *call,
                                                              VkCommandBuffer commandBuffer,
                                                              uint32_t accelerationStructureCount,
                                                              const VkAccelerationStructureNV
                                                                  *pAccelerationStructures,
                                                              VkQueryType queryType,
                                                              VkQueryPool queryPool,
                                                              uint32_t firstQuery)
{
    return structure_copy_check_queries(call, queryPool, firstQuery, accelerationStructureCount,
                                        RULE_03756);
}

bool core_validate_CmdWriteMicromapsPropertiesEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  uint32_t micromapCount,
                                                  const VkMicromapEXT *pMicromaps,
                                                  VkQueryType queryType, VkQueryPool queryPool,
                                                  uint32_t firstQuery)
{
    return structure_copy_check_queries(call, queryPool, firstQuery, micromapCount, RULE_12417);
}

bool core_validate_WriteAccelerationStructuresPropertiesKHR(struct call *call, VkDevice device,
                                                            uint32_t accelerationStructureCount,
                                                            const VkAccelerationStructureKHR
                                                                *pAccelerationStructures,
                                                            VkQueryType queryType, size_t dataSize,
                                                            void *pData, size_t stride)
{
    bool skip = false;
    for (uint32_t i = 0; i < accelerationStructureCount; i++) {
        const struct location at = LOCATION_INDEX(NULL, "pAccelerationStructures", i);
        struct build_record record = {.action = BUILD_ACTION_QUERY,
                                      .argument = (uint32_t)queryType};
        skip |= check_host_use(call, &record, pAccelerationStructures[i], &at);
    }
    return skip;
}
