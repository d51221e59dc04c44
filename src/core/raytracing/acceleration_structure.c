/* Checks that an acceleration structure may be created and destroyed, its address queried, and be
 * written to a descriptor (12.3 "Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"

#include "core/memory/address.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* --- where they lie --- */

struct place buffer_place(const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size)
{
    assert(buffer);
    bool single = buffer->binding.memory && !(buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
    struct place place = {.memory =
                              single ? buffer->binding.memory : object_state_id(&buffer->base)};
    place.first = (single ? buffer->binding.offset : 0) + offset;
    if (__builtin_add_overflow(place.first, size, &place.end))
        place.end = UINT64_MAX;
    return place;
}

struct place structure_place(const struct acceleration_structure *structure, VkDeviceSize size)
{
    assert(structure);
    const struct buffer *buffer = buffer_by_id(structure->buffer);
    if (!buffer)
        return (struct place){0};
    return buffer_place(buffer, structure->offset, size < structure->size ? size : structure->size);
}

bool structure_is_backed(const struct acceleration_structure *structure)
{
    assert(structure);
    const struct object *object =
        structure->buffer ? object_find_id(structure->buffer, HANDLE_BUFFER) : NULL;
    const struct buffer *buffer = object_load_state_of(object, structure->buffer);
    return !structure->buffer || (object && (!buffer || buffer_is_bound(buffer)));
}

bool structure_check_backed(const struct call *call, const struct acceleration_structure *structure,
                            enum rule rule, const struct location *where)
{
    if (!structure || likely(structure_is_backed(structure)))
        return false;
    const struct buffer *buffer = buffer_by_id(structure->buffer);
    return BROKEN_BY(call, rule, where, STRUCTURE_OBJECT(object_state_handle(&structure->base)),
                     "lies on a buffer that %s",
                     !buffer                  ? "has been destroyed"
                     : buffer->binding.memory ? "is not bound to memory any more: that was freed"
                                              : "is not bound to memory");
}

bool structure_check_host_visible(const struct call *call,
                                  const struct acceleration_structure *structure, enum rule rule,
                                  const struct location *where)
{
    const struct buffer *buffer = structure ? buffer_by_id(structure->buffer) : NULL;
    const struct device_memory *memory =
        buffer && !(buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
            ? device_memory_by_id(buffer->binding.memory)
            : NULL;
    if (!memory || !memory->properties)
        return false;
    struct subject s = {.call = call};
    REQUIRE_OF(&s,
               OBJECT2(HANDLE_ACCELERATION_STRUCTURE_KHR, object_state_handle(&structure->base),
                       HANDLE_DEVICE_MEMORY, object_state_handle(&memory->base)),
               rule, memory->properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, where,
               "lies in memory of type %u, which the host cannot see (%s)", memory->type,
               TEXT_OF(VkMemoryPropertyFlags, memory->properties));
    return s.skip;
}

bool check_structure_feature(struct call *call, enum rule rule, enum feature feature,
                             const char *name)
{
    struct subject s = {.call = call};
    REQUIRE(&s, rule, device_has_feature(call->device, feature), NULL,
            "needs the feature %s, which is not enabled", name);
    return s.skip;
}

/* --- creation --- */

/* The flags for the two ways of capture and replay. */
#define REPLAY        VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR
#define REPLAY_BUFFER VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT

/* Checks the flags that both create infos have. */
static void check_create_flags(struct subject *s, VkAccelerationStructureCreateFlagsKHR flags,
                               VkAccelerationStructureTypeKHR type, const void *next)
{
    REQUIRE(s, RULE_04954,
            !(flags & VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV) ||
                type != VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR ||
                CHAINED(next, ACCELERATION_STRUCTURE_MOTION_INFO_NV),
            "pNext",
            "has no VkAccelerationStructureMotionInfoNV, but createFlags contains "
            "VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV and type is "
            "VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR");
}

/* Checks the address at which a structure is to be created. */
static void check_create_address(struct subject *s,
                                 const VkAccelerationStructureCreateInfoKHR *info)
{
    if (!info->deviceAddress)
        return;
    struct subject command = {.call = s->call};
    REQUIRE(&command, RULE_03488, subject_has(s, FEATURE_accelerationStructureCaptureReplay),
            "pCreateInfo->deviceAddress",
            "is 0x%" PRIx64 ", but the feature accelerationStructureCaptureReplay is not enabled",
            info->deviceAddress);
    s->skip |= command.skip;
    /* Without the feature, createFlags cannot include the flag. */
    if (command.wrong)
        return;
    REQUIRE(s, RULE_03612, info->createFlags & REPLAY, "createFlags",
            "is %s, without "
            "VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR, but "
            "deviceAddress is 0x%" PRIx64,
            TEXT_OF(VkAccelerationStructureCreateFlagsKHR, info->createFlags), info->deviceAddress);
}

bool core_validate_CreateAccelerationStructureKHR(struct call *call, VkDevice device,
                                                  const VkAccelerationStructureCreateInfoKHR
                                                      *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkAccelerationStructureKHR
                                                      *pAccelerationStructure)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject s = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_BUFFER, pCreateInfo->buffer)};
    check_create_flags(&s, pCreateInfo->createFlags, pCreateInfo->type, pCreateInfo->pNext);
    check_create_address(&s, pCreateInfo);
    return s.skip;
}

/* Checks the address range in which a structure is to be created. */
static void check_address_range(struct subject *s,
                                const VkAccelerationStructureCreateInfo2KHR *info)
{
    const VkDeviceAddressRangeKHR *range = &info->addressRange;
    const struct location where = LOCATION(s->where, "addressRange");
    struct subject at = {.call = s->call, .where = &where};
    struct address_search found =
        device_address_find(s->call->device, range->address, range->size,
                            VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    at.objects = ADDRESS_OBJECT(&found);
    const struct location address = LOCATION(&where, "address");
    if (found.match == ADDRESS_USAGE)
        at.skip |=
            address_report_usage(s->call, RULE(s->call, 11603), &address, range->address, &found,
                                 VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    if (found.match == ADDRESS_TOO_SHORT)
        REQUIRE(&at, RULE_11603, false, "size",
                "is %" PRIu64 ", but address is %s, where that buffer has %" PRIu64 " bytes left",
                range->size, ADDRESS_IN(s->call, range->address, found.buffer), found.rest);
    /* Only if the buffer fits is it certain that the address means this buffer. */
    if (found.match == ADDRESS_FOUND && found.buffer) {
        bool replay = (info->createFlags & REPLAY) != 0;
        bool replayed =
            (found.buffer->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0;
        REQUIRE(&at, RULE_11604, !(found.buffer->flags & VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT),
                "address",
                "is %s, but that buffer was created with VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT",
                ADDRESS_IN(s->call, range->address, found.buffer));
        REQUIRE(s, RULE_11606, !replayed || replay, "createFlags",
                "lacks VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR, but "
                "addressRange.address is %s, and that buffer was created with "
                "VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT",
                ADDRESS_IN(s->call, range->address, found.buffer));
        REQUIRE(s, RULE_11607, replayed || !replay, "createFlags",
                "contains VK_ACCELERATION_STRUCTURE_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT_KHR, "
                "but addressRange.address is %s, and that buffer was created without "
                "VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT",
                ADDRESS_IN(s->call, range->address, found.buffer));
    }
    s->skip |= at.skip;
}

bool core_validate_CreateAccelerationStructure2KHR(struct call *call, VkDevice device,
                                                   const VkAccelerationStructureCreateInfo2KHR
                                                       *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkAccelerationStructureKHR
                                                       *pAccelerationStructure)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    check_create_flags(&s, pCreateInfo->createFlags, pCreateInfo->type, pCreateInfo->pNext);
    check_address_range(&s, pCreateInfo);
    return s.skip;
}

bool core_validate_DestroyAccelerationStructureKHR(struct call *call, VkDevice device,
                                                   VkAccelerationStructureKHR accelerationStructure,
                                                   const VkAllocationCallbacks *pAllocator)
{
    const struct acceleration_structure *structure =
        named_acceleration_structure(call, 0, accelerationStructure);
    /* All submitted commands that refer to accelerationStructure must have completed execution */
    return structure && in_use_through_check(call, &structure->base, RULE(call, 02442),
                                             &LOCATION(NULL, "accelerationStructure"));
}

/* --- what may be asked --- */

bool core_validate_GetAccelerationStructureDeviceAddressKHR(
    struct call *call, VkDevice device, const VkAccelerationStructureDeviceAddressInfoKHR *pInfo)
{
    const struct acceleration_structure *structure =
        find_acceleration_structure(call, pInfo->accelerationStructure);
    const struct buffer *buffer = structure ? buffer_by_id(structure->buffer) : NULL;
    const struct location where = LOCATION_POINTER(NULL, "pInfo"),
                          member = LOCATION(&where, "accelerationStructure");
    struct subject s = {.call = call};
    s.skip |= structure_check_backed(call, structure, RULE_09541, &member);
    /* The buffer ... must have been created with the VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
     * usage flag set */
    if (buffer)
        REQUIRE_OF(&s,
                   OBJECT2(HANDLE_ACCELERATION_STRUCTURE_KHR, pInfo->accelerationStructure,
                           HANDLE_BUFFER, object_state_handle(&buffer->base)),
                   RULE_09542, buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT, &member,
                   "lies on a buffer that was created with usage %s, without "
                   "VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT",
                   TEXT_OF(VkBufferUsageFlags2, buffer->usage));
    return s.skip;
}

bool core_validate_GetAccelerationStructureBuildSizesKHR(
    struct call *call, VkDevice device, VkAccelerationStructureBuildTypeKHR buildType,
    const VkAccelerationStructureBuildGeometryInfoKHR *pBuildInfo,
    const uint32_t *pMaxPrimitiveCounts, VkAccelerationStructureBuildSizesInfoKHR *pSizeInfo)
{
    const VkAccelerationStructureBuildGeometryInfoKHR *info = pBuildInfo;
    const struct location where = LOCATION_POINTER(NULL, "pBuildInfo");
    struct subject s = {.call = call, .where = &where}, command = {.call = call};
    bool micromap = (int)info->type == VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR;
    REQUIRE(&command, RULE_11612, !info->geometryCount || micromap || pMaxPrimitiveCounts,
            "pMaxPrimitiveCounts", "is NULL, but pBuildInfo->geometryCount is %u",
            info->geometryCount);
    /* Drivers read a count and a geometry for each of geometryCount. */
    if (info->geometryCount && !micromap && (!pMaxPrimitiveCounts || !build_geometry(info, 0)))
        command.skip = call_stop(call, command.skip);
    check_build_geometry_info(&s, info, (struct build_counts){.most = pMaxPrimitiveCounts});
    uint64_t most = call->device->extended.AccelerationStructurePropertiesKHR.maxInstanceCount;
    for (uint32_t i = 0; pMaxPrimitiveCounts && i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (geometry && geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR &&
            pMaxPrimitiveCounts[i] > most)
            BROKEN_OF(&command, NULL, RULE_03785, &LOCATION_INDEX(NULL, "pMaxPrimitiveCounts", i),
                      "is %u, more than maxInstanceCount (%" PRIu64 ")", pMaxPrimitiveCounts[i],
                      most);
    }
    return s.skip | command.skip;
}

bool core_validate_GetAccelerationStructureOpaqueCaptureDescriptorDataEXT(
    struct call *call, VkDevice device,
    const VkAccelerationStructureCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
    const struct acceleration_structure *structure =
        find_acceleration_structure(call, pInfo->accelerationStructure);
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    /* Without the feature, no structure can have the flag. */
    REQUIRE(&s, RULE_08091,
            !structure || structure->flags & REPLAY_BUFFER ||
                !subject_has(&s, FEATURE_descriptorBufferCaptureReplay),
            "accelerationStructure",
            "was created without "
            "VK_ACCELERATION_STRUCTURE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT");
    return s.skip;
}
