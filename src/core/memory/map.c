/* Checks that device memory may be mapped, unmapped, flushed and invalidated (11.2.13 "Host Access
 * to Device Memory Objects"). */
#include "core/hooks.h"
#include "state/memory/memory.h"

#include "report/finding/rule.h"
#include "report/names/object_text.h"

#include <inttypes.h>

/* External memory that was imported from a pointer of the host. */
#define HOST_TYPES                                            \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT | \
     VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT)

/* The search for a mapping in a range of addresses of the host. */
struct mapping_search {
    uintptr_t first, end;
    const struct device_memory *found; /* NULL: none so far */
};

/* Finds memory that is mapped there. For object_for_each_owned(); `context`: mapping_search. */
static void compare_mapping(struct object *object, void *context)
{
    struct mapping_search *search = context;
    const struct device_memory *memory =
        object_type(object) == HANDLE_DEVICE_MEMORY ? object_load_state(object) : NULL;
    const uintptr_t first = memory && memory->mapped ? (uintptr_t)memory->map_pointer : 0;
    if (first && first < search->end && search->first < first + memory->map_size)
        search->found = memory;
}

/* Checks a mapping whose address the program chooses. */
static void check_placed(struct subject *s, const VkMemoryMapInfo *info,
                         const struct device_memory *memory)
{
    assert(memory);
    const VkMemoryMapPlacedInfoEXT *placed = CHAINED(info->pNext, MEMORY_MAP_PLACED_INFO_EXT);
    VkDeviceSize alignment =
        s->call->device->extended.MapMemoryPlacedPropertiesEXT.minPlacedMemoryMapAlignment;
    if (!(info->flags & VK_MEMORY_MAP_PLACED_BIT_EXT))
        return;
    alignment = alignment ? alignment : 1;
    REQUIRE(s, RULE_09570, placed && placed->pPlacedAddress, "pNext",
            "has no VkMemoryMapPlacedInfoEXT with an address, but flags contains "
            "VK_MEMORY_MAP_PLACED_BIT_EXT");
    if (!subject_has(s, FEATURE_memoryMapRangePlaced))
        REQUIRE(s, RULE_09572, info->size == VK_WHOLE_SIZE || info->size == memory->size, "size",
                "is %" PRIu64 ", but the mapping is placed, and the feature memoryMapRangePlaced "
                "is not enabled: it must be of all %" PRIu64 " bytes",
                info->size, memory->size);
    if (info->size == VK_WHOLE_SIZE)
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
    if (!placed || !placed->pPlacedAddress || s->wrong)
        return;
    const uintptr_t first = (uintptr_t)placed->pPlacedAddress;
    struct mapping_search search = {.first = first,
                                    .end = first + (info->size != VK_WHOLE_SIZE ? info->size
                                                    : info->offset < memory->size
                                                        ? memory->size - info->offset
                                                        : 0)};
    object_for_each_owned(s->call->device->owner, compare_mapping, &search);
    if (search.found)
        BROKEN_OF(s,
                  OBJECT2(HANDLE_DEVICE_MEMORY, info->memory, HANDLE_DEVICE_MEMORY,
                          object_state_handle(&search.found->base)),
                  RULE_09578, "pNext",
                  "includes a VkMemoryMapPlacedInfoEXT whose pPlacedAddress is %p, where %s is "
                  "mapped",
                  placed->pPlacedAddress, NAMED_STATE(s->call, &search.found->base));
}

bool core_validate_MapMemory2(struct call *call, VkDevice device,
                              const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
    const struct device_memory *memory = find_device_memory(call, pMemoryMapInfo->memory);
    const struct location where = LOCATION_POINTER(NULL, "pMemoryMapInfo");
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_DEVICE_MEMORY, pMemoryMapInfo->memory)};
    if (!memory)
        return false;
    check_placed(&s, pMemoryMapInfo, memory);
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
    REQUIRE(&s, RULE_09580, !reserves || !(memory->import_type & HOST_TYPES), "flags",
            "contains VK_MEMORY_UNMAP_RESERVE_BIT_EXT, but the memory was imported from the host");
    return s.skip;
}

/* --- ranges that are flushed or invalidated --- */

/* Checks that a range to flush or invalidate is mapped and aligned. */
static void map_check_range(struct subject *s, const VkMappedMemoryRange *range,
                            const struct device_memory *memory)
{
    VkDeviceSize atom = s->call->device->properties.limits.nonCoherentAtomSize;
    VkDeviceSize end = memory->map_offset + memory->map_size;
    bool whole = range->size == VK_WHOLE_SIZE;
    atom = atom ? atom : 1;
    /* The size of imported memory is that of the exporter, which is not known. */
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
    /* `starts` is evaluated first, so that the difference does not underflow. */
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

/* Checks the ranges to flush or invalidate. */
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
            map_check_range(&s, &ranges[i], memory);
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
