/* Checks that every handle in the driver's inputs is one of its own.
 *
 * A layer that hands out ids of its own has to put the driver's handle into every parameter,
 * structure and chain. A driver that ignores its inputs would never notice one that was forgotten;
 * this one does, where its configuration asks for it. */
#include "null_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The way to a member, for the message: each step knows the one before. */
struct place {
    const struct place *before;
    const char *name;
    enum null_command command; /* of the first step */
};

static void place_print(const struct place *place)
{
    if (place->before)
        place_print(place->before);
    else
        fprintf(stderr, "null driver: %s: ", command_names[place->command]);
    fprintf(stderr, "%s%s", place->before ? "->" : "", place->name);
}

static void check_one(const struct place *place, const void *handle, VkObjectType type)
{
    if (!handle || object_get(handle, type))
        return;
    place_print(place);
    fprintf(stderr, ": %p is not a live object of type %d\n", handle, (int)type);
    abort();
}

static void check_array(const struct place *place, const void *handles, uint32_t count,
                        VkObjectType type)
{
    for (uint32_t i = 0; handles && i < count; i++)
        check_one(place, ((const void *const *)handles)[i], type);
}

/* Only children of a device: the loader has handles of its own for what belongs to an instance. */
static void check_by_type(const struct place *place, uint64_t handle, VkObjectType type)
{
    switch (type) {
    case VK_OBJECT_TYPE_UNKNOWN:
    case VK_OBJECT_TYPE_INSTANCE:
    case VK_OBJECT_TYPE_PHYSICAL_DEVICE:
    case VK_OBJECT_TYPE_DEVICE:
    case VK_OBJECT_TYPE_QUEUE:
    case VK_OBJECT_TYPE_SURFACE_KHR:
    case VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT:
    case VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT:
        break;
    default:
        check_one(place, (const void *)(uintptr_t)handle, type);
    }
}

static uint32_t word_at(const void *structure, uint32_t offset)
{
    uint32_t word;
    memcpy(&word, (const char *)structure + offset, sizeof(word));
    return word;
}

static bool guard_holds(const struct checked_member *member, const void *structure)
{
    if (member->guard == GUARD_NONE)
        return true;
    uint32_t word = word_at(structure, member->guard_offset);
    if (member->guard == GUARD_EQUAL)
        return word == member->guard_value;
    return member->guard == GUARD_SET ? (word & member->guard_value) != 0
                                      : (word & member->guard_value) == 0;
}

static void check_struct(const struct place *before, const void *structure,
                         const struct checked_struct *desc, bool with_chain);

static void check_member(const struct place *before, const void *structure,
                         const struct checked_member *member)
{
    if (!guard_holds(member, structure))
        return;
    struct place place = {.before = before, .name = member->name};
    uint32_t count = member->counted ? word_at(structure, member->count) : member->count;
    const char *data = (const char *)structure + member->offset;
    if (member->indirection)
        data = *(const char *const *)data;
    if (!data)
        return;
    if (member->kind == CHECK_HANDLE) {
        check_array(&place, data, count, (VkObjectType)member->what);
    } else if (member->kind == CHECK_TYPED) {
        uint64_t handle;
        memcpy(&handle, data, sizeof(handle));
        check_by_type(&place, handle, (VkObjectType)word_at(structure, member->what));
    } else {
        const struct checked_struct *desc = &checked_structs[member->what];
        for (uint32_t i = 0; i < count; i++) {
            const void *item = member->indirection == 2 ? ((const void *const *)data)[i]
                                                        : data + (size_t)i * desc->size;
            if (item)
                check_struct(&place, item, desc, true);
        }
    }
}

/* The type of the descriptors decides which of a write's arrays count, and what in them. */
static void check_write(const struct place *before, const VkWriteDescriptorSet *write)
{
    struct place images = {.before = before, .name = "pImageInfo"},
                 buffers = {.before = before, .name = "pBufferInfo"},
                 views = {.before = before, .name = "pTexelBufferView"};
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        switch (write->descriptorType) {
        case VK_DESCRIPTOR_TYPE_SAMPLER:
            check_one(&images, write->pImageInfo[i].sampler, VK_OBJECT_TYPE_SAMPLER);
            break;
        case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
            check_one(&images, write->pImageInfo[i].sampler, VK_OBJECT_TYPE_SAMPLER);
            check_one(&images, write->pImageInfo[i].imageView, VK_OBJECT_TYPE_IMAGE_VIEW);
            break;
        case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
            check_one(&images, write->pImageInfo[i].imageView, VK_OBJECT_TYPE_IMAGE_VIEW);
            break;
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
            check_one(&buffers, write->pBufferInfo[i].buffer, VK_OBJECT_TYPE_BUFFER);
            break;
        case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
            check_one(&views, write->pTexelBufferView[i], VK_OBJECT_TYPE_BUFFER_VIEW);
            break;
        default:
            return;
        }
    }
}

static const struct checked_struct *checked_find(VkStructureType stype)
{
    for (size_t i = 0; i < checked_struct_count; i++) {
        if (checked_structs[i].chained && checked_structs[i].stype == stype)
            return &checked_structs[i];
    }
    return NULL;
}

static void check_struct(const struct place *before, const void *structure,
                         const struct checked_struct *desc, bool with_chain)
{
    for (uint32_t i = 0; i < desc->member_count; i++)
        check_member(before, structure, &checked_members[desc->first_member + i]);
    if (desc->stype == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET)
        check_write(before, structure);
    if (!desc->chained || !with_chain)
        return;
    for (const VkBaseInStructure *next = ((const VkBaseInStructure *)structure)->pNext; next;
         next = next->pNext) {
        const struct checked_struct *chained = checked_find(next->sType);
        if (!chained)
            continue;
        struct place place = {.before = before, .name = chained->name};
        check_struct(&place, next, chained, false);
    }
}

void check_handles(enum null_command command, const char *where, const void *handles,
                   uint32_t count, VkObjectType type)
{
    check_array(&(struct place){.name = where, .command = command}, handles, count, type);
}

void check_typed(enum null_command command, const char *where, uint64_t handle, VkObjectType type)
{
    check_by_type(&(struct place){.name = where, .command = command}, handle, type);
}

void check_structs(enum null_command command, const char *where, const void *structures,
                   uint32_t count, uint32_t index)
{
    struct place place = {.name = where, .command = command};
    const struct checked_struct *desc = &checked_structs[index];
    for (uint32_t i = 0; structures && i < count; i++)
        check_struct(&place, (const char *)structures + (size_t)i * desc->size, desc, true);
}
