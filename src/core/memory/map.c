/* Checks that device memory may be mapped, unmapped, flushed and invalidated (11.2.13 "Host Access
 * to Device Memory Objects"). */
#include "core/hooks.h"
#include "core/rule.h"
#include "state/memory.h"

#include <inttypes.h>

#define HOST_TYPES                                            \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT | \
     VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT)

/* vkMapMemory and vkMapMemory2 have the same rules under other numbers. */
struct map_rules {
    enum rule mapped, size, visible;
};

static void check_map(struct subject *s, const struct map_rules *rules,
                      const struct device_memory *memory, VkDeviceSize offset, VkDeviceSize size)
{
    assert(memory);
    REQUIRE(s, rules->mapped, !memory->mapped, "memory",
            "is mapped already (%" PRIu64 " bytes from offset %" PRIu64 " on)", memory->map_size,
            memory->map_offset);
    REQUIRE(s, rules->visible, memory->properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, "memory",
            "is of memory type %u, which is not host-visible", memory->type);
    /* How large imported memory is, the import knows. */
    if (!memory->import_type && size != VK_WHOLE_SIZE && offset < memory->size)
        REQUIRE(s, rules->size, size <= memory->size - offset, "size",
                "is %" PRIu64 " from offset %" PRIu64 " on, but the memory has %" PRIu64 " bytes",
                size, offset, memory->size);
}

bool core_validate_MapMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                             VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,
                             void **ppData)
{
    static const struct map_rules rules = {RULE_00678, RULE_00681, RULE_00682};
    const struct device_memory *state = find_device_memory(call, memory);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_DEVICE_MEMORY, memory)};
    if (state)
        check_map(&s, &rules, state, offset, size);
    return s.skip;
}

static void check_placed(struct subject *s, const VkMemoryMapInfo *info,
                         const struct device_memory *memory)
{
    assert(memory);
    const VkMemoryMapPlacedInfoEXT *placed = CHAINED(info->pNext, MEMORY_MAP_PLACED_INFO_EXT);
    VkDeviceSize alignment =
        s->call->device->extended.MapMemoryPlacedPropertiesEXT.minPlacedMemoryMapAlignment;
    bool ranges = has(s, FEATURE_memoryMapRangePlaced);
    if (!(info->flags & VK_MEMORY_MAP_PLACED_BIT_EXT))
        return;
    alignment = alignment ? alignment : 1;
    REQUIRE(s, RULE_09570, placed && placed->pPlacedAddress, "pNext",
            "has no VkMemoryMapPlacedInfoEXT with an address, but flags contains "
            "VK_MEMORY_MAP_PLACED_BIT_EXT");
    if (!ranges) {
        REQUIRE(s, RULE_09572, info->size == VK_WHOLE_SIZE || info->size == memory->size, "size",
                "is %" PRIu64 ", but the mapping is placed, and the feature memoryMapRangePlaced "
                "is not enabled: it must be of all %" PRIu64 " bytes",
                info->size, memory->size);
    } else {
        REQUIRE(s, RULE_09573, info->offset % alignment == 0, "offset",
                "is %" PRIu64 ", which is not a multiple of minPlacedMemoryMapAlignment (%" PRIu64
                ")",
                info->offset, alignment);
    }
    if (info->size != VK_WHOLE_SIZE)
        REQUIRE(s, RULE_09574, info->size % alignment == 0, "size",
                "is %" PRIu64 ", which is not a multiple of minPlacedMemoryMapAlignment (%" PRIu64
                ")",
                info->size, alignment);
    else
        REQUIRE(s, RULE_09651, memory->size % alignment == 0, "size",
                "is VK_WHOLE_SIZE, but the memory has %" PRIu64
                " bytes, which is not a multiple of minPlacedMemoryMapAlignment (%" PRIu64 ")",
                memory->size, alignment);
    REQUIRE(s, RULE_09575, !(memory->import_type & HOST_TYPES), "memory",
            "was imported from the host, and cannot be placed");
    if (placed)
        REQUIRE(s, RULE_09577, (uintptr_t)placed->pPlacedAddress % alignment == 0, "pNext",
                "includes a VkMemoryMapPlacedInfoEXT whose pPlacedAddress is %p, which is not a "
                "multiple of minPlacedMemoryMapAlignment (%" PRIu64 ")",
                placed->pPlacedAddress, alignment);
}

bool core_validate_MapMemory2(struct call *call, VkDevice device,
                              const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
    static const struct map_rules rules = {RULE_07958, RULE_07961, RULE_07962};
    const struct device_memory *memory = find_device_memory(call, pMemoryMapInfo->memory);
    const struct location where = LOCATION_POINTER(NULL, "pMemoryMapInfo");
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_DEVICE_MEMORY, pMemoryMapInfo->memory)};
    if (!memory)
        return false;
    check_map(&s, &rules, memory, pMemoryMapInfo->offset, pMemoryMapInfo->size);
    check_placed(&s, pMemoryMapInfo, memory);
    return s.skip;
}

bool core_validate_UnmapMemory(struct call *call, VkDevice device, VkDeviceMemory memory)
{
    const struct device_memory *state = find_device_memory(call, memory);
    struct subject s = {.call = call};
    if (state)
        REQUIRE_OF(&s, OBJECT(HANDLE_DEVICE_MEMORY, memory), RULE_00689, state->mapped, "memory",
                   "is not mapped");
    return s.skip;
}

bool core_validate_UnmapMemory2(struct call *call, VkDevice device,
                                const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
    const struct device_memory *memory = find_device_memory(call, pMemoryUnmapInfo->memory);
    const struct location where = LOCATION_POINTER(NULL, "pMemoryUnmapInfo");
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_DEVICE_MEMORY, pMemoryUnmapInfo->memory)};
    bool reserves = (pMemoryUnmapInfo->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) != 0;
    if (!memory)
        return false;
    REQUIRE(&s, RULE_07964, memory->mapped, "memory", "is not mapped");
    REQUIRE(&s, RULE_09580, !reserves || !(memory->import_type & HOST_TYPES), "flags",
            "contains VK_MEMORY_UNMAP_RESERVE_BIT_EXT, but the memory was imported from the host");
    return s.skip;
}

/* --- ranges that are flushed or invalidated --- */

static void check_range(struct subject *s, const VkMappedMemoryRange *range,
                        const struct device_memory *memory)
{
    VkDeviceSize atom = s->call->device->properties.limits.nonCoherentAtomSize;
    VkDeviceSize end = memory->map_offset + memory->map_size;
    bool whole = range->size == VK_WHOLE_SIZE;
    REQUIRE(s, RULE_00684, memory->mapped, "memory", "is not mapped");
    atom = atom ? atom : 1;
    if (!memory->mapped || memory->import_type)
        return;
    bool starts = range->offset >= memory->map_offset && range->offset <= end;
    if (whole) {
        REQUIRE(s, RULE_00686, starts && range->offset < end, "offset",
                "is %" PRIu64 ", but %" PRIu64 " bytes are mapped from offset %" PRIu64 " on",
                range->offset, memory->map_size, memory->map_offset);
        REQUIRE(s, RULE_01389, end % atom == 0 || end == memory->size, "size",
                "is VK_WHOLE_SIZE, but the mapping ends at %" PRIu64
                ", neither at a multiple of nonCoherentAtomSize (%" PRIu64
                ") nor at the end of the memory (%" PRIu64 ")",
                end, atom, memory->size);
        return;
    }
    REQUIRE(s, RULE_00685, starts && range->size <= end - range->offset, "size",
            "is %" PRIu64 " from offset %" PRIu64 " on, but %" PRIu64
            " bytes are mapped from offset %" PRIu64 " on",
            range->size, range->offset, memory->map_size, memory->map_offset);
    REQUIRE(s, RULE_01390,
            range->size % atom == 0 ||
                (range->offset <= memory->size && range->size == memory->size - range->offset),
            "size",
            "is %" PRIu64 ", which is not a multiple of nonCoherentAtomSize (%" PRIu64
            ") and does not end with the memory (%" PRIu64 " bytes)",
            range->size, atom, memory->size);
}

static bool check_ranges(struct call *call, uint32_t count, const VkMappedMemoryRange *ranges)
{
    assert(ranges || !count);
    bool skip = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct device_memory *memory = find_device_memory(call, ranges[i].memory);
        const struct location where = LOCATION_INDEX(NULL, "pMemoryRanges", i);
        struct subject s = {.call = call,
                            .where = &where,
                            .objects = OBJECT(HANDLE_DEVICE_MEMORY, ranges[i].memory)};
        if (memory)
            check_range(&s, &ranges[i], memory);
        skip |= s.skip;
    }
    return skip;
}

bool core_validate_FlushMappedMemoryRanges(struct call *call, VkDevice device,
                                           uint32_t memoryRangeCount,
                                           const VkMappedMemoryRange *pMemoryRanges)
{
    return check_ranges(call, memoryRangeCount, pMemoryRanges);
}

bool core_validate_InvalidateMappedMemoryRanges(struct call *call, VkDevice device,
                                                uint32_t memoryRangeCount,
                                                const VkMappedMemoryRange *pMemoryRanges)
{
    return check_ranges(call, memoryRangeCount, pMemoryRanges);
}
