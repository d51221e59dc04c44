/* Checks that sparse buffers and images may be bound to memory (34.7 "Binding Resource Memory").
 * submit.c checks the semaphores and the fence of vkQueueBindSparse. */
#include "core/hooks.h"
#include "report/muting/rows_broken.h"
#include "state/memory/buffer.h"
#include "state/memory/image.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* The resource of a list of bindings. Threads: on the stack. */
struct resource {
    const struct object_state *state;
    enum handle_type type;
    VkMemoryRequirements needs; /* as the driver reports them */
    VkExternalMemoryHandleTypeFlags external_types;
};

/* "buffer" or "image", for messages. */
static const char *name_of(const struct resource *resource)
{
    return resource->type == HANDLE_BUFFER ? "buffer" : "image";
}

/* The rules about the memory, whose numbers differ between VkSparseMemoryBind and
 * VkSparseImageMemoryBind. */
struct memory_rules {
    /* type: memory type; exported, imported: handle types of the memory */
    enum rule type, exported, imported;
};

/* Checks that memory may be bound to the sparse resource. `rules`: the rules for this kind of
 * binding. */
static void sparse_bind_check_memory(struct subject *s, const struct resource *resource,
                                     const struct device_memory *memory,
                                     const struct memory_rules *rules)
{
    assert(memory && resource);
    const struct location at = LOCATION(s->where, "memory");
    const char *types =
        resource->external_types ? "other kinds of external memory" : "no external memory";
    /* 01097 reports lazily allocated memory. */
    bool lazy =
        rules->type == RULE_01096 && memory->properties & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT;
    REQUIRE(s, rules->type,
            lazy || (memory->type < 32 && resource->needs.memoryTypeBits & 1u << memory->type), &at,
            "is of memory type %u, but the %s takes memoryTypeBits 0x%x", memory->type,
            name_of(resource), resource->needs.memoryTypeBits);
    if (memory->export_types)
        REQUIRE(s, rules->exported, memory->export_types & resource->external_types, &at,
                "was allocated to be exported as %s, but the %s was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->export_types), name_of(resource),
                types);
    if (memory->import_type)
        REQUIRE(s, rules->imported, memory->import_type & resource->external_types, &at,
                "was imported from %s, but the %s was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->import_type), name_of(resource),
                types);
}

/* --- VkSparseMemoryBind --- */

/* True if `value` is a multiple of `of`, or `of` is 0, which means that the alignment is not
 * known. */
static bool is_multiple(VkDeviceSize value, VkDeviceSize of)
{
    return !of || value % of == 0;
}

/* Checks that a binding begins and ends at the resource's alignment. */
static void check_alignment(struct subject *s, const struct resource *resource,
                            const VkSparseMemoryBind *bind)
{
    VkDeviceSize alignment = resource->needs.alignment;
    enum vuid vuid = resource->type == HANDLE_BUFFER ? RULE(s->call, 09491) : RULE(s->call, 09492);
    REQUIRE(s, vuid, is_multiple(bind->resourceOffset, alignment), "resourceOffset",
            "is %" PRIu64 ", but the %s is bound in blocks of %" PRIu64 " bytes",
            bind->resourceOffset, name_of(resource), alignment);
    if (bind->memory)
        REQUIRE(s, vuid, is_multiple(bind->memoryOffset, alignment), "memoryOffset",
                "is %" PRIu64 ", but the %s is bound in blocks of %" PRIu64 " bytes",
                bind->memoryOffset, name_of(resource), alignment);
    if (resource->type == HANDLE_BUFFER)
        REQUIRE(s, vuid, is_multiple(bind->size, alignment), "size",
                "is %" PRIu64 ", but the buffer is bound in blocks of %" PRIu64 " bytes",
                bind->size, alignment);
}

/* Checks that a range lies in the bytes that the resource has. A range outside must not reach the
 * driver. */
static void sparse_bind_check_range(struct subject *s, const struct resource *resource,
                                    const VkSparseMemoryBind *bind)
{
    VkDeviceSize size = resource->needs.size;
    REQUIRE(s, RULE_01099, bind->resourceOffset < size, "resourceOffset",
            "is %" PRIu64 ", but the %s needs %" PRIu64 " bytes", bind->resourceOffset,
            name_of(resource), size);
    if (bind->resourceOffset < size)
        REQUIRE(s, RULE_01100, bind->size <= size - bind->resourceOffset, "size",
                "is %" PRIu64 " from resourceOffset %" PRIu64 " on, but the %s needs %" PRIu64
                " bytes",
                bind->size, bind->resourceOffset, name_of(resource), size);
    if (bind->resourceOffset >= size || bind->size > size - bind->resourceOffset)
        s->skip = call_stop(s->call, s->skip);
}

/* Checks one VkSparseMemoryBind. */
static bool check_bind(struct call *call, const struct resource *resource,
                       const VkSparseMemoryBind *bind, const struct location *where)
{
    static const struct memory_rules rules = {RULE_01096, RULE_02730, RULE_02731};
    const struct device_memory *memory = find_device_memory(call, bind->memory);
    struct subject s = {.call = call, .where = where};
    struct finding_objects objects = {
        .count = bind->memory ? 2 : 1,
        .list = {{resource->type, object_state_handle(resource->state)},
                 {HANDLE_DEVICE_MEMORY, (uint64_t)bind->memory}}};
    s.objects = &objects;
    sparse_bind_check_range(&s, resource, bind);
    if (!s.wrong)
        check_alignment(&s, resource, bind);
    if (!memory)
        return s.skip;
    sparse_bind_check_memory(&s, resource, memory, &rules);
    return s.skip;
}

/* Describes an image for the checks of its bindings. */
static struct resource resource_of_image(const struct call *call, const struct image *image)
{
    return (struct resource){.state = &image->base,
                             .type = HANDLE_IMAGE,
                             .needs = image_requirements(call->device, image),
                             .external_types = image->external_types};
}

/* Checks the bindings of a buffer. An unknown buffer is left to the validator of lifetimes. */
static bool sparse_bind_check_buffer(struct call *call, const VkSparseBufferMemoryBindInfo *info,
                                     const struct location *where)
{
    const struct buffer *buffer = find_buffer(call, info->buffer);
    bool skip = false;
    if (!buffer)
        return false;
    struct resource resource = {.state = &buffer->base,
                                .type = HANDLE_BUFFER,
                                .needs = buffer_requirements(call->device, buffer),
                                .external_types = buffer->external_types};
    for (uint32_t i = 0; info->pBinds && i < info->bindCount; i++)
        skip |= check_bind(call, &resource, &info->pBinds[i], &LOCATION_INDEX(where, "pBinds", i));
    return skip;
}

/* Checks the opaque bindings of an image, except those of metadata. */
static bool check_opaque(struct call *call, const VkSparseImageOpaqueMemoryBindInfo *info,
                         const struct location *where)
{
    const struct image *image = find_image(call, info->image);
    bool skip = false;
    if (!image || image_is_disjoint(image))
        return false;
    struct resource resource = resource_of_image(call, image);
    for (uint32_t i = 0; info->pBinds && i < info->bindCount; i++) {
        /* The place of the metadata's mip tail is not checked here. */
        if (!(info->pBinds[i].flags & VK_SPARSE_MEMORY_BIND_METADATA_BIT))
            skip |=
                check_bind(call, &resource, &info->pBinds[i], &LOCATION_INDEX(where, "pBinds", i));
    }
    return skip;
}

/* --- VkSparseImageMemoryBind --- */

/* The sparse image block of the aspects, in texels; all 0 if the driver does not report it. */
static VkExtent3D find_block(const struct call *call, const struct image *image,
                             VkImageAspectFlags aspects)
{
    VkSparseImageMemoryRequirements requirements[8];
    uint32_t count = ARRAY_LENGTH(requirements);
    call->device->dispatch.GetImageSparseMemoryRequirements(call->device->handle,
                                                            (VkImage)
                                                                object_driver(image->base.object),
                                                            &count, requirements);
    for (uint32_t i = 0; i < count && i < ARRAY_LENGTH(requirements); i++) {
        if (requirements[i].formatProperties.aspectMask & aspects)
            return requirements[i].formatProperties.imageGranularity;
    }
    return (VkExtent3D){0};
}

/* One dimension of a binding: its rules, names and values. */
struct dimension {
    enum rule offset_rule, extent_rule;
    const char *offset_name, *extent_name;
    int32_t offset;                /* texels */
    uint32_t extent, block, whole; /* in texels: of the binding, of a block, of the mip level */
};

/* Checks the offset and extent of a binding in one dimension of the image. */
static void check_dimension(struct subject *s, const struct dimension *d)
{
    const struct location offset = LOCATION(s->where, "offset"),
                          extent = LOCATION(s->where, "extent");
    if (!d->block || !d->extent)
        return;
    REQUIRE(s, d->offset_rule, d->offset % (int64_t)d->block == 0,
            &LOCATION(&offset, d->offset_name),
            "is %d, but sparse image blocks have %u texels there", d->offset, d->block);
    REQUIRE(s, d->extent_rule,
            d->extent % d->block == 0 || (int64_t)d->offset + d->extent == d->whole,
            &LOCATION(&extent, d->extent_name),
            "is %u from %d on: neither a multiple of the %u texels of a sparse image "
            "block, nor up to the end of the subresource, which has %u",
            d->extent, d->offset, d->block, d->whole);
}

/* Checks one VkSparseImageMemoryBind. */
static bool check_image_bind(struct call *call, const struct image *image,
                             const struct resource *resource, const VkSparseImageMemoryBind *bind,
                             const struct location *where)
{
    static const struct memory_rules rules = {RULE_01105, RULE_02732, RULE_02733};
    const struct device_memory *memory = find_device_memory(call, bind->memory);
    const struct location subresource = LOCATION(where, "subresource");
    uint32_t level = bind->subresource.mipLevel;
    VkImageAspectFlags aspects = bind->subresource.aspectMask;
    struct subject s = {.call = call,
                        .where = &subresource,
                        .objects = OBJECT(HANDLE_IMAGE, object_state_handle(&image->base))};
    REQUIRE(&s, RULE_01106, !(aspects & ~image->aspects), "aspectMask",
            "is %s, but %s has the aspects %s", TEXT_OF(VkImageAspectFlags, aspects),
            TEXT_OF(VkFormat, image->format), TEXT_OF(VkImageAspectFlags, image->aspects));
    s.where = where;
    /* The block is only known for a valid aspect and mip level. */
    if (!s.wrong && !rows_were_broken_in(where)) {
        VkExtent3D block = find_block(call, image, aspects);
        VkOffset3D offset = bind->offset;
        VkExtent3D extent = bind->extent;
        check_dimension(&s, &(struct dimension){RULE_01107, RULE_01108, "x", "width", offset.x,
                                                extent.width, block.width,
                                                mip_extent(image->extent.width, level)});
        check_dimension(&s, &(struct dimension){RULE_01109, RULE_01110, "y", "height", offset.y,
                                                extent.height, block.height,
                                                mip_extent(image->extent.height, level)});
        check_dimension(&s, &(struct dimension){RULE_01111, RULE_01112, "z", "depth", offset.z,
                                                extent.depth, block.depth,
                                                mip_extent(image->extent.depth, level)});
    }
    if (memory)
        sparse_bind_check_memory(&s, resource, memory, &rules);
    return s.skip;
}

/* Checks the bindings of blocks of an image. */
static bool sparse_bind_check_image(struct call *call, const VkSparseImageMemoryBindInfo *info,
                                    const struct location *where)
{
    const struct image *image = find_image(call, info->image);
    struct subject s = {.call = call, .where = where, .objects = OBJECT(HANDLE_IMAGE, info->image)};
    if (!image)
        return false;
    if (!(image->flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) /* 02901 reports it */ ||
        image_is_disjoint(image))
        return s.skip;
    struct resource resource = resource_of_image(call, image);
    for (uint32_t i = 0; info->pBinds && i < info->bindCount; i++)
        s.skip |= check_image_bind(call, image, &resource, &info->pBinds[i],
                                   &LOCATION_INDEX(where, "pBinds", i));
    return s.skip;
}

/* Checks that a memory has an instance on the device that a batch names. */
static void check_instance(struct subject *s, VkDeviceMemory handle, uint32_t index,
                           const struct location *where)
{
    const struct device_memory *memory = find_device_memory(s->call, handle);
    /* Each memory allocation bound in this batch must have allocated an instance for
     * memoryDeviceIndex */
    if (memory && memory->instances)
        REQUIRE_OF(s, OBJECT(HANDLE_DEVICE_MEMORY, handle),
                   VUID_VkDeviceGroupBindSparseInfo_memoryDeviceIndex_01119,
                   index >= 32 || memory->instances >> index & 1, where,
                   "was allocated with deviceMask 0x%x, which has no instance for "
                   "memoryDeviceIndex (%u)",
                   memory->instances, index);
}

static void check_all_instances(struct subject *s, const VkSparseMemoryBind *binds, uint32_t count,
                                uint32_t index, const struct location *where)
{
    for (uint32_t i = 0; binds && i < count; i++)
        check_instance(s, binds[i].memory, index,
                       &LOCATION(&LOCATION_INDEX(where, "pBinds", i), "memory"));
}

/* Checks the instances of all memory that a batch binds. */
static bool sparse_bind_check_instances(const struct call *call, const VkBindSparseInfo *info,
                                        const struct location *where)
{
    const VkDeviceGroupBindSparseInfo *group = CHAINED(info->pNext, DEVICE_GROUP_BIND_SPARSE_INFO);
    struct subject s = {.call = call};
    if (likely(!group))
        return false;
    for (uint32_t i = 0; info->pBufferBinds && i < info->bufferBindCount; i++)
        check_all_instances(&s, info->pBufferBinds[i].pBinds, info->pBufferBinds[i].bindCount,
                            group->memoryDeviceIndex, &LOCATION_INDEX(where, "pBufferBinds", i));
    for (uint32_t i = 0; info->pImageOpaqueBinds && i < info->imageOpaqueBindCount; i++)
        check_all_instances(&s, info->pImageOpaqueBinds[i].pBinds,
                            info->pImageOpaqueBinds[i].bindCount, group->memoryDeviceIndex,
                            &LOCATION_INDEX(where, "pImageOpaqueBinds", i));
    for (uint32_t i = 0; info->pImageBinds && i < info->imageBindCount; i++) {
        const VkSparseImageMemoryBindInfo *bind = &info->pImageBinds[i];
        const struct location at = LOCATION_INDEX(where, "pImageBinds", i);
        for (uint32_t k = 0; bind->pBinds && k < bind->bindCount; k++)
            check_instance(&s, bind->pBinds[k].memory, group->memoryDeviceIndex,
                           &LOCATION(&LOCATION_INDEX(&at, "pBinds", k), "memory"));
    }
    return s.skip;
}

bool core_validate_QueueBindSparse_binds(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                         const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    bool skip = false;
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindSparseInfo *info = &pBindInfo[i];
        const struct location where = LOCATION_INDEX(NULL, "pBindInfo", i);
        for (uint32_t k = 0; info->pBufferBinds && k < info->bufferBindCount; k++)
            skip |= sparse_bind_check_buffer(call, &info->pBufferBinds[k],
                                             &LOCATION_INDEX(&where, "pBufferBinds", k));
        for (uint32_t k = 0; info->pImageOpaqueBinds && k < info->imageOpaqueBindCount; k++)
            skip |= check_opaque(call, &info->pImageOpaqueBinds[k],
                                 &LOCATION_INDEX(&where, "pImageOpaqueBinds", k));
        for (uint32_t k = 0; info->pImageBinds && k < info->imageBindCount; k++)
            skip |= sparse_bind_check_image(call, &info->pImageBinds[k],
                                            &LOCATION_INDEX(&where, "pImageBinds", k));
        skip |= sparse_bind_check_instances(call, info, &where);
    }
    return skip;
}
