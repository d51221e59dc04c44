/* Finds limits and properties of physical devices by name, and queries their values. */
#include "report/names/device_limits.h"

#include <string.h>

#define STRUCTURE_SIZE 2048 /* bytes: more than the largest structure of properties */

/* True if some member of the structure is a limit. */
static bool holds_limits(const struct structure_info *info)
{
    for (uint32_t i = 0; i < info->count; i++) {
        if (structure_members[info->first + i].limit != LIMIT_NONE)
            return true;
    }
    return false;
}

/* The limit with this name; NULL: the structure has no such limit. */
static const struct member_info *find_member(const struct structure_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->count; i++) {
        const struct member_info *member = &structure_members[info->first + i];
        if (member->limit != LIMIT_NONE && member->limit != LIMIT_STRUCT &&
            !strcmp(member_name(member), name))
            return member;
    }
    return NULL;
}

/* Ranks the structures that a member's name alone may mean. The highest rank wins:
 * VkPhysicalDeviceLimits, then structures of core Vulkan, then others by their suffix. */
static unsigned structure_rank(enum structure structure)
{
    if (structure == STRUCTURE_VkPhysicalDeviceLimits)
        return 3;
    const char *name = structure_name(structure);
    char last = name[strlen(name) - 1];
    return last >= 'A' && last <= 'Z' ? 1 : 2;
}

struct limit limit_find(const char *name)
{
    assert(name);
    struct limit best = {STRUCTURE_COUNT, NULL};
    const char *colons = strstr(name, "::");
    const char *member_text = colons ? colons + 2 : name;
    unsigned best_rank = 0;
    for (int i = 0; i < STRUCTURE_COUNT; i++) {
        enum structure structure = (enum structure)i;
        const char *structure_text = structure_name(structure);
        /* `VkPhysicalDeviceLimits::maxViewports` names its structure; without one, the structure
         * with the highest rank is taken. */
        if (colons && (strlen(structure_text) != (size_t)(colons - name) ||
                       strncmp(structure_text, name, (size_t)(colons - name)) != 0))
            continue;
        const struct member_info *member =
            holds_limits(&structure_info[i]) ? find_member(&structure_info[i], member_text) : NULL;
        if (member && structure_rank(structure) > best_rank) {
            best = (struct limit){structure, member};
            best_rank = structure_rank(structure);
        }
    }
    return best;
}

enum limit_type limit_type(struct limit limit)
{
    return limit.member ? (enum limit_type)limit.member->limit : LIMIT_NONE;
}

const char *limit_type_name(enum limit_type type)
{
    static const char *const names[] = {
        [LIMIT_NONE] = "none",       [LIMIT_MIN] = "min",       [LIMIT_MAX] = "max",
        [LIMIT_BITMASK] = "bitmask", [LIMIT_BITS] = "bits",     [LIMIT_EXACT] = "exact",
        [LIMIT_RANGE] = "range",     [LIMIT_NOAUTO] = "noauto", [LIMIT_STRUCT] = "struct",
    };
    return names[type];
}

void limit_write_value(struct string_builder *builder, struct limit limit, const void *structure)
{
    if (limit.member)
        member_write(builder, limit.member, structure);
}

/* Queries a structure of properties in the chain of VkPhysicalDeviceProperties2. `memory` has
 * STRUCTURE_SIZE bytes. Returns false if the structure cannot be queried. */
static bool device_limits_ask(const struct device *device, enum structure structure, void *memory)
{
    VkStructureType type = type_of_structure(structure);
    PFN_vkGetPhysicalDeviceProperties2 get =
        device->instance->dispatch.GetPhysicalDeviceProperties2;
    if (!get || type == VK_STRUCTURE_TYPE_MAX_ENUM ||
        structure_info[structure].size > STRUCTURE_SIZE)
        return false;
    VkBaseOutStructure *head = memory;
    head->sType = type;
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = memory};
    get(device->physical_device, &properties);
    return true;
}

void limit_write(struct string_builder *builder, const struct device *device, const char *name)
{
    assert(builder && name);
    union {
        VkBaseOutStructure head; /* gives `bytes` the alignment of a structure */
        char bytes[STRUCTURE_SIZE];
    } memory = {0};
    struct limit limit = limit_find(name);
    const void *structure = NULL;
    if (limit.structure == STRUCTURE_VkPhysicalDeviceLimits)
        structure = &device->properties.limits;
    else if (limit.structure == STRUCTURE_VkPhysicalDeviceSparseProperties)
        structure = &device->properties.sparseProperties;
    else if (limit.member && device_limits_ask(device, limit.structure, &memory))
        structure = &memory;
    string_builder_add(builder, limit.member ? member_name(limit.member) : name);
    if (!structure)
        return;
    string_builder_add(builder, " (");
    limit_write_value(builder, limit, structure);
    string_builder_add(builder, ")");
}
