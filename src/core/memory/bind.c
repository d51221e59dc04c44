/* Checks that buffers and images may be bound to memory (12.7 "Resource Memory Association"). */
#include "core/hooks.h"
#include "report/muting/rows_broken.h"
#include "state/memory/buffer.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/submit/queue.h"
#include "state/wsi/swapchain.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* True if the memory is in a heap of tile memory, for which other requirements hold
 * (VkTileMemoryRequirementsQCOM). */
static bool is_tile_memory(const struct call *call, const struct device_memory *memory)
{
    return device_memory_is_of_tiles(call->device, memory);
}

/* True if version 2 of the requirements can be queried, which say whether a dedicated allocation is
 * required. */
static bool asks_version_2(const struct call *call)
{
    return call->device->api_version >= VK_API_VERSION_1_1 ||
           (extension_set_has(&call->device->extensions,
                              EXTENSION_VK_KHR_get_memory_requirements2) &&
            extension_set_has(&call->device->extensions, EXTENSION_VK_KHR_dedicated_allocation));
}

/* Checks the size and alignment that a resource requires in a heap of tile memory. */
static void check_tile_place(struct subject *s, enum rule alignment, enum rule size,
                             const VkTileMemoryRequirementsQCOM *needs,
                             const struct device_memory *memory, VkDeviceSize offset)
{
    assert(needs && memory);
    REQUIRE(s, alignment, !needs->alignment || offset % needs->alignment == 0, "memoryOffset",
            "is %" PRIu64 ", but in tile memory the resource lies at a multiple of %" PRIu64,
            offset, needs->alignment);
    REQUIRE(s, size, offset >= memory->size || needs->size <= memory->size - offset, "memory",
            "has %" PRIu64 " bytes from memoryOffset (%" PRIu64
            ") on, but in tile memory the resource needs %" PRIu64,
            memory->size - offset, offset, needs->size);
}

/* --- buffers --- */

/* True if the driver requires a dedicated allocation for the buffer. It is queried each time, as
 * that is rare. */
static bool requires_dedicated_buffer(const struct call *call, const struct buffer *buffer)
{
    VkMemoryDedicatedRequirements dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                          .pNext = &dedicated};
    const VkBufferMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
        .buffer = (VkBuffer)object_driver(buffer->base.object)};
    if (!asks_version_2(call) || !call->device->dispatch.GetBufferMemoryRequirements2)
        return false;
    call->device->dispatch.GetBufferMemoryRequirements2(call->device->handle, &info, &requirements);
    return dedicated.requiresDedicatedAllocation;
}

/* The buffer's requirements of tile memory (VK_QCOM_tile_memory_heap); all 0 if they cannot be
 * queried. */
static VkTileMemoryRequirementsQCOM tile_needs_of_buffer(const struct call *call,
                                                         const struct buffer *buffer)
{
    VkTileMemoryRequirementsQCOM tile = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_REQUIREMENTS_QCOM};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                          .pNext = &tile};
    const VkBufferMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
        .buffer = (VkBuffer)object_driver(buffer->base.object)};
    if (asks_version_2(call) && call->device->dispatch.GetBufferMemoryRequirements2)
        call->device->dispatch.GetBufferMemoryRequirements2(call->device->handle, &info,
                                                            &requirements);
    return tile;
}

/* Checks that the memory has the type, alignment and size for the buffer. */
static void check_buffer_place(struct subject *s, const struct buffer *buffer,
                               const struct device_memory *memory, VkDeviceSize offset)
{
    assert(buffer && memory);
    if (is_tile_memory(s->call, memory)) {
        const VkTileMemoryRequirementsQCOM tile = tile_needs_of_buffer(s->call, buffer);
        check_tile_place(s, RULE_10740, RULE_10742, &tile, memory, offset);
        return;
    }
    VkMemoryRequirements needs = buffer_requirements(s->call->device, buffer);
    /* 01898 and 01899 report that only one of both is protected. */
    if (memory->is_protected == ((buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0))
        REQUIRE(s, RULE_01035, memory->type < 32 && needs.memoryTypeBits & 1u << memory->type,
                "memory", "is of memory type %u, but the buffer takes memoryTypeBits 0x%x",
                memory->type, needs.memoryTypeBits);
    if (needs.alignment)
        REQUIRE(s, RULE_10739, offset % needs.alignment == 0, "memoryOffset",
                "is %" PRIu64 ", but the buffer lies at a multiple of %" PRIu64, offset,
                needs.alignment);
    if (offset < memory->size)
        REQUIRE(s, RULE_10741, needs.size <= memory->size - offset, "memory",
                "has %" PRIu64 " bytes, %" PRIu64 " of them from memoryOffset (%" PRIu64
                ") on, but the buffer needs %" PRIu64,
                memory->size, memory->size - offset, offset, needs.size);
}

/* A bind, as VK_NV_dedicated_allocation looks at it; the other extension replaces it. */
struct nv_dedication {
    const char *kind; /* "buffer" */
    bool resource;    /* the resource was created to have memory of its own */
    bool memory;      /* the memory was allocated for a resource of that kind */
};

/* Checks one bind by VK_NV_dedicated_allocation. Memory that is dedicated by the other extension is
 * left alone. */
static void bind_check_dedication(struct subject *s, const struct nv_dedication *nv,
                                  const struct device_memory *memory, VkDeviceSize offset,
                                  enum rule dedicated, enum rule plain)
{
    const bool newer =
        s->call->device->api_version >= VK_API_VERSION_1_1 ||
        extension_set_has(&s->call->device->extensions, EXTENSION_VK_KHR_dedicated_allocation);
    /* If buffer was created with dedicatedAllocation equal to VK_TRUE, memory must have been
     * allocated with VkDedicatedAllocationMemoryAllocateInfoNV::buffer equal to a buffer handle
     * created with identical creation parameters to buffer and memoryOffset must be zero */
    if (nv->resource && !memory->dedicated_buffer && !memory->dedicated_image)
        REQUIRE(s, dedicated, nv->memory && !offset, "memory",
                nv->memory ? "is bound at offset %llu, but was allocated for one %s alone"
                           : "(offset %llu) was not allocated for one %s alone, as the resource "
                             "was created with dedicatedAllocation of VK_TRUE",
                (unsigned long long)offset, nv->kind);
    /* If the VK_KHR_dedicated_allocation extension is not enabled, apiVersion is less than Vulkan
     * 1.1, and buffer was not created with dedicatedAllocation equal to VK_TRUE, memory must not
     * have been allocated dedicated for a specific buffer or image */
    REQUIRE(s, plain,
            newer || nv->resource || (!memory->nv_dedicated_buffer && !memory->nv_dedicated_image),
            "memory",
            "was allocated for one resource alone, but the %s was created without "
            "dedicatedAllocation of VK_TRUE",
            nv->kind);
}

/* Checks that dedicated, exported or imported memory fits the buffer. */
static void check_buffer_kind(struct subject *s, const struct buffer *buffer,
                              const struct device_memory *memory, VkDeviceSize offset)
{
    assert(buffer && memory);
    uint64_t id = object_state_id(&buffer->base);
    const struct nv_dedication nv = {"buffer", buffer->nv_dedicated, memory->nv_dedicated_buffer};
    bind_check_dedication(s, &nv, memory, offset, RULE_01038, RULE_07920);
    if (memory->dedicated_buffer)
        REQUIRE(s, RULE_01508, memory->dedicated_buffer == id && offset == 0, "memory",
                "was allocated for one buffer alone, which must be bound to it at offset 0; this "
                "is %s at offset %" PRIu64,
                memory->dedicated_buffer == id ? "it" : "another one", offset);
    REQUIRE(s, RULE_10925, !memory->dedicated_image, "memory", "was allocated for one image alone");
    REQUIRE(s, RULE_01444,
            memory->dedicated_buffer == id || !requires_dedicated_buffer(s->call, buffer), "memory",
            "was not allocated for this buffer alone, which needs a dedicated allocation");
    if (memory->export_types)
        REQUIRE(s, RULE_02726, memory->export_types & buffer->external_types, "memory",
                "was allocated to be exported as %s, but the buffer was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->export_types),
                buffer->external_types
                    ? TEXT_OF(VkExternalMemoryHandleTypeFlags, buffer->external_types)
                    : "no external memory");
    if (memory->import_type)
        REQUIRE(s, RULE_02985, memory->import_type & buffer->external_types, "memory",
                "was imported from %s, but the buffer was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->import_type),
                buffer->external_types
                    ? TEXT_OF(VkExternalMemoryHandleTypeFlags, buffer->external_types)
                    : "no external memory");
}

/* All instances of memory that a group's structure names must have been allocated. `where`: the
 * structure. */
static void bind_check_instances(struct subject *s, enum rule rule,
                                 const struct device_memory *memory, const uint32_t *indices,
                                 uint32_t count, const struct location *where)
{
    if (!memory || !memory->instances || pointer_is_bad(indices))
        return;
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(s, rule, indices[i] >= 32 || memory->instances >> indices[i] & 1,
                &LOCATION_INDEX(where, "pDeviceIndices", i),
                "is %u, but the memory was allocated with deviceMask 0x%x", indices[i],
                memory->instances);
}

/* Checks the physical devices of a group that a buffer is bound for. */
static bool bind_check_buffer_group(struct call *call, const VkBindBufferMemoryInfo *info,
                                    const struct location *where)
{
    const VkBindBufferMemoryDeviceGroupInfo *group =
        CHAINED(info->pNext, BIND_BUFFER_MEMORY_DEVICE_GROUP_INFO);
    struct subject s = {
        .call = call,
        .where = where,
        .objects = OBJECT2(HANDLE_BUFFER, info->buffer, HANDLE_DEVICE_MEMORY, info->memory)};
    if (group)
        bind_check_instances(&s, RULE_01605, find_device_memory(call, info->memory),
                             group->pDeviceIndices, group->deviceIndexCount,
                             &LOCATION_CHAINED(where, "VkBindBufferMemoryDeviceGroupInfo"));
    return s.skip;
}

/* Checks one binding of a buffer to memory. */
static bool check_bind_buffer(struct call *call, const struct location *where,
                              VkBuffer buffer_handle, VkDeviceMemory memory_handle,
                              VkDeviceSize offset)
{
    const struct buffer *buffer = find_buffer(call, buffer_handle);
    const struct device_memory *memory = find_device_memory(call, memory_handle);
    struct subject s = {
        .call = call,
        .where = where,
        .objects = OBJECT2(HANDLE_BUFFER, buffer_handle, HANDLE_DEVICE_MEMORY, memory_handle)};
    if (!buffer || !memory || rows_were_broken_in(where))
        return false;
    check_buffer_place(&s, buffer, memory, offset);
    check_buffer_kind(&s, buffer, memory, offset);
    return s.skip;
}

bool core_validate_BindBufferMemory(struct call *call, VkDevice device, VkBuffer buffer,
                                    VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    return check_bind_buffer(call, NULL, buffer, memory, memoryOffset);
}

bool core_validate_BindBufferMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                     const VkBindBufferMemoryInfo *pBindInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < bindInfoCount; i++)
        skip |=
            check_bind_buffer(call, &LOCATION_INDEX(NULL, "pBindInfos", i), pBindInfos[i].buffer,
                              pBindInfos[i].memory, pBindInfos[i].memoryOffset) |
            (pBindInfos[i].pNext &&
             bind_check_buffer_group(call, &pBindInfos[i], &LOCATION_INDEX(NULL, "pBindInfos", i)));
    return skip;
}

/* --- images --- */

/* True if the driver requires a dedicated allocation for the image. Disjoint images are not
 * queried. */
static bool requires_dedicated_image(const struct call *call, const struct image *image)
{
    VkMemoryDedicatedRequirements dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                          .pNext = &dedicated};
    const VkImageMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .image = (VkImage)object_driver(image->base.object)};
    if (!asks_version_2(call) || !call->device->dispatch.GetImageMemoryRequirements2 ||
        image_is_disjoint(image))
        return false;
    call->device->dispatch.GetImageMemoryRequirements2(call->device->handle, &info, &requirements);
    return dedicated.requiresDedicatedAllocation;
}

/* The rules about the place in memory. Their numbers differ between vkBindImageMemory,
 * vkBindImageMemory2, and planes. */
struct place_rules {
    /* rules of the memory type, of the offset, and of the bytes after the offset */
    enum rule type, alignment, size;
};

/* Checks that the memory has the type, alignment and size for the image or a plane of it. */
static void check_image_place(struct subject *s, const struct place_rules *rules,
                              const VkMemoryRequirements *needs, const struct device_memory *memory,
                              VkDeviceSize offset, bool is_protected)
{
    assert(needs && memory);
    const char *what = rules->type == RULE_01619 ? "plane" : "image";
    /* 01901 and 01902 report that only one of both is protected. */
    REQUIRE(s, rules->type,
            memory->is_protected != is_protected ||
                (memory->type < 32 && needs->memoryTypeBits & 1u << memory->type),
            "memory", "is of memory type %u, but the %s takes memoryTypeBits 0x%x", memory->type,
            what, needs->memoryTypeBits);
    REQUIRE(s, rules->alignment, !needs->alignment || offset % needs->alignment == 0,
            "memoryOffset", "is %" PRIu64 ", but the %s lies at a multiple of %" PRIu64, offset,
            what, needs->alignment);
    REQUIRE(s, rules->size, offset >= memory->size || needs->size <= memory->size - offset,
            "memory",
            "has %" PRIu64 " bytes, %" PRIu64 " of them from memoryOffset (%" PRIu64
            ") on, but the %s needs %" PRIu64,
            memory->size, memory->size - offset, offset, what, needs->size);
}

/* The image's requirements of tile memory. */
static VkTileMemoryRequirementsQCOM tile_needs_of_image(const struct call *call,
                                                        const struct image *image)
{
    VkTileMemoryRequirementsQCOM tile = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_REQUIREMENTS_QCOM};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                          .pNext = &tile};
    const VkImageMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .image = (VkImage)object_driver(image->base.object)};
    if (asks_version_2(call) && call->device->dispatch.GetImageMemoryRequirements2 &&
        !image_is_disjoint(image))
        call->device->dispatch.GetImageMemoryRequirements2(call->device->handle, &info,
                                                           &requirements);
    return tile;
}

/* Checks that dedicated, exported or imported memory fits the image. */
static void check_image_kind(struct subject *s, const struct image *image,
                             const struct device_memory *memory, VkDeviceSize offset)
{
    assert(image && memory);
    uint64_t id = object_state_id(&image->base);
    const struct nv_dedication nv = {"image", image->nv_dedicated, memory->nv_dedicated_image};
    bind_check_dedication(s, &nv, memory, offset, RULE_01050, RULE_07921);
    if (memory->dedicated_image && subject_has(s, FEATURE_dedicatedAllocationImageAliasing))
        REQUIRE(s, RULE_02629, offset == 0, "memoryOffset",
                "is %" PRIu64
                ", but the memory was allocated for one image alone, which lies at its beginning",
                offset);
    else if (memory->dedicated_image)
        REQUIRE(s, RULE_02628, memory->dedicated_image == id && offset == 0, "memory",
                "was allocated for one image alone, which must be bound to it at offset 0; this is "
                "%s at offset %" PRIu64,
                memory->dedicated_image == id ? "it" : "another one", offset);
    REQUIRE(s, RULE_10926, !memory->dedicated_buffer, "memory",
            "was allocated for one buffer alone");
    REQUIRE(s, RULE_01445, memory->dedicated_image || !requires_dedicated_image(s->call, image),
            "memory", "was not allocated for this image alone, which needs a dedicated allocation");
    const char *types = image->external_types
                            ? "other kinds of external memory (VkExternalMemoryImageCreateInfo)"
                            : "no external memory";
    if (memory->export_types)
        REQUIRE(s, RULE_02728, memory->export_types & image->external_types, "memory",
                "was allocated to be exported as %s, but the image was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->export_types), types);
    if (memory->import_type)
        REQUIRE(s, RULE_02989, memory->import_type & image->external_types, "memory",
                "was imported from %s, but the image was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->import_type), types);
}

/* Checks that a plane is not bound yet. Images from a swapchain are bound from the beginning. */
static void check_not_bound(struct subject *s, const struct image *image, uint32_t plane)
{
    assert(plane < ARRAY_LENGTH(image->binding));
    REQUIRE(s, RULE_07460, !image->binding[plane].memory && !image->from_swapchain, "image",
            "is bound already");
}

bool core_validate_BindImageMemory(struct call *call, VkDevice device, VkImage image,
                                   VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    static const struct place_rules rules = {RULE_01047, RULE_10735, RULE_10737};
    const struct image *state = named_image(call, 0, image);
    const struct device_memory *memory_state = named_device_memory(call, 1, memory);
    struct subject s = {.call = call,
                        .objects = OBJECT2(HANDLE_IMAGE, image, HANDLE_DEVICE_MEMORY, memory)};
    if (!state)
        return false;
    check_not_bound(&s, state, 0);
    if (!memory_state || s.wrong || rows_were_broken())
        return s.skip;
    check_image_kind(&s, state, memory_state, memoryOffset);
    if (is_tile_memory(call, memory_state)) {
        const VkTileMemoryRequirementsQCOM tile = tile_needs_of_image(call, state);
        check_tile_place(&s, RULE_10736, RULE_10738, &tile, memory_state, memoryOffset);
    } else {
        VkMemoryRequirements needs = image_requirements(call->device, state);
        check_image_place(&s, &rules, &needs, memory_state, memoryOffset,
                          (state->flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0);
    }
    return s.skip;
}

/* True if the aspect selects a plane of the image. A disjoint image may have a single plane, to
 * alias a plane of another image (section "Memory Aliasing"). Its binding also needs a
 * VkBindImagePlaneMemoryInfo (07736), although no aspect selects that plane: PLANE_0 is
 * accepted. */
static bool is_plane_of(VkImageAspectFlags aspect, const struct image *image)
{
    if (image->plane_count <= 1 && aspect == VK_IMAGE_ASPECT_PLANE_0_BIT)
        return true;
    return !(aspect & (aspect - 1)) && aspect & image->aspects & FORMAT_PLANE_ASPECTS;
}

/* Checks the memory to which an image is bound. `plane`: NULL if the whole image is bound. */
static void check_memory_of_bind(struct subject *s, const VkBindImageMemoryInfo *info,
                                 const struct image *image, const VkBindImagePlaneMemoryInfo *plane)
{
    static const struct place_rules whole = {RULE_01615, RULE_01616, RULE_01617};
    static const struct place_rules of_plane = {RULE_01619, RULE_01620, RULE_01621};
    const struct device_memory *memory = find_device_memory(s->call, info->memory);
    if (!memory)
        return;
    check_image_kind(s, image, memory, info->memoryOffset);
    if (is_tile_memory(s->call, memory) && !plane) {
        const VkTileMemoryRequirementsQCOM tile = tile_needs_of_image(s->call, image);
        check_tile_place(s, RULE_12329, RULE_12330, &tile, memory, info->memoryOffset);
    }
    if (is_tile_memory(s->call, memory))
        return;
    /* the requirements of a plane cannot be queried for an image with one plane (02280) */
    VkMemoryRequirements needs =
        plane &&
                (image->plane_count > 1 || image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
            ? image_plane_requirements(s->call->device, image, plane->planeAspect)
            : image_requirements(s->call->device, image);
    check_image_place(s, plane ? &of_plane : &whole, &needs, memory, info->memoryOffset,
                      (image->flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0);
}

/* The texels that two rectangles share. */
static uint64_t common_texels(const VkRect2D *a, const VkRect2D *b)
{
    const int64_t left = a->offset.x > b->offset.x ? a->offset.x : b->offset.x,
                  top = a->offset.y > b->offset.y ? a->offset.y : b->offset.y,
                  a_right = (int64_t)a->offset.x + a->extent.width,
                  b_right = (int64_t)b->offset.x + b->extent.width,
                  a_bottom = (int64_t)a->offset.y + a->extent.height,
                  b_bottom = (int64_t)b->offset.y + b->extent.height,
                  width = (a_right < b_right ? a_right : b_right) - left,
                  height = (a_bottom < b_bottom ? a_bottom : b_bottom) - top;
    return width > 0 && height > 0 ? (uint64_t)width * (uint64_t)height : 0;
}

/* Checks the regions of one instance of an image, which `count` instances of memory back. */
static void bind_check_regions(struct subject *s, const struct image *image,
                               const VkRect2D *regions, uint32_t count, uint32_t first,
                               const struct location *where)
{
    const VkRect2D whole = {.extent = {image->extent.width, image->extent.height}};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count && !s->wrong; i++) {
        const VkRect2D *region = &regions[i];
        const struct location at = LOCATION_INDEX(where, "pSplitInstanceBindRegions", first + i);
        const uint64_t texels = (uint64_t)region->extent.width * region->extent.height;
        REQUIRE(s, RULE_01628, common_texels(region, &whole) == texels, &at,
                "is (%d, %d) + %ux%u, which does not lie in the image of %ux%u", region->offset.x,
                region->offset.y, region->extent.width, region->extent.height, whole.extent.width,
                whole.extent.height);
        for (uint32_t k = 0; k < i && !s->wrong; k++)
            REQUIRE(s, RULE_01637, !common_texels(region, &regions[k]), &at,
                    "overlaps pSplitInstanceBindRegions[%u], which is of the same instance of the "
                    "image",
                    first + k);
        sum += texels;
    }
    /* Regions that lie in the image, and do not overlap, cover it if they have as many texels. */
    const uint64_t needed = (uint64_t)whole.extent.width * whole.extent.height;
    if (!s->wrong)
        REQUIRE(s, RULE_01629, sum == needed,
                &LOCATION_INDEX(where, "pSplitInstanceBindRegions", first),
                "and the other regions of its instance of the image have %" PRIu64
                " texels together, but the image has %" PRIu64,
                sum, needed);
}

/* Checks the physical devices of a group that an image is bound for. */
static void bind_check_image_group(struct subject *s, const VkBindImageMemoryInfo *info,
                                   const struct image *image)
{
    const VkBindImageMemoryDeviceGroupInfo *group =
        CHAINED(info->pNext, BIND_IMAGE_MEMORY_DEVICE_GROUP_INFO);
    const struct device_state *device = object_load_state(s->call->device->object);
    const uint32_t count = device ? device->physical_device_count : 0;
    if (!group)
        return;
    const struct location where = LOCATION_CHAINED(s->where, "VkBindImageMemoryDeviceGroupInfo");
    bind_check_instances(s, RULE_01626, find_device_memory(s->call, info->memory),
                         group->pDeviceIndices, group->deviceIndexCount, &where);
    if (count < 2 || count > 32 || group->splitInstanceBindRegionCount != count * count ||
        pointer_is_bad(group->pSplitInstanceBindRegions) || rows_were_broken_in(s->where))
        return;
    for (uint32_t i = 0; i < count && !s->wrong; i++)
        bind_check_regions(s, image, &group->pSplitInstanceBindRegions[i * count], count, i * count,
                           &where);
}

/* Checks one binding of an image to memory, or to an image of a swapchain. */
static bool check_bind_image(struct call *call, const struct location *where,
                             const VkBindImageMemoryInfo *info)
{
    const VkBindImagePlaneMemoryInfo *plane = CHAINED(info->pNext, BIND_IMAGE_PLANE_MEMORY_INFO);
    const VkBindImageMemorySwapchainInfoKHR *swapchain =
        CHAINED(info->pNext, BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
    const struct image *image = find_image(call, info->image);
    struct subject s = {.call = call,
                        .where = where,
                        .objects =
                            OBJECT2(HANDLE_IMAGE, info->image, HANDLE_DEVICE_MEMORY, info->memory)};
    if (!image)
        return false;
    bool disjoint = (image->flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
    bool drm = image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    if (plane && disjoint && !drm)
        REQUIRE(&s, RULE_02283, is_plane_of(plane->planeAspect, image),
                &LOCATION(&LOCATION_CHAINED(where, "VkBindImagePlaneMemoryInfo"), "planeAspect"),
                "is %s, which is not a plane of %s",
                TEXT_OF(VkImageAspectFlags, plane->planeAspect), TEXT_OF(VkFormat, image->format));
    /* If the image's tiling is VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, then planeAspect must be a
     * single valid memory plane for the image */
    if (plane && disjoint && drm)
        REQUIRE(&s, RULE_02284,
                format_drm_has_plane(call->device, image->format, image->drm_modifier,
                                     plane->planeAspect),
                &LOCATION(&LOCATION_CHAINED(where, "VkBindImagePlaneMemoryInfo"), "planeAspect"),
                "is %s, which is not a memory plane of %s with the modifier 0x%" PRIx64,
                TEXT_OF(VkImageAspectFlags, plane->planeAspect), TEXT_OF(VkFormat, image->format),
                image->drm_modifier);
    const bool of_swapchain = swapchain && swapchain->swapchain;
    if (image->swapchain && !image->from_swapchain && !of_swapchain)
        REQUIRE(&s, RULE_01630, false, "pNext",
                "has no VkBindImageMemorySwapchainInfoKHR, but the image was created "
                "for a swapchain");
    else
        REQUIRE(&s, STOPS(RULE_01632), info->memory || of_swapchain, &LOCATION(where, "memory"),
                "is VK_NULL_HANDLE");
    struct swapchain *of = of_swapchain ? find_swapchain(call, swapchain->swapchain) : NULL;
    const uint32_t images = of ? swapchain_image_count(call->device, of) : 0;
    if (images)
        REQUIRE(&s, RULE_01644, swapchain->imageIndex < images,
                &LOCATION(&LOCATION_CHAINED(where, "VkBindImageMemorySwapchainInfoKHR"),
                          "imageIndex"),
                "is %u, but the swapchain has %u images", swapchain->imageIndex, images);
    /* If the swapchain has been created with DEFERRED_MEMORY_ALLOCATION, imageIndex must be one
     * that has previously been returned by vkAcquireNextImageKHR or vkAcquireNextImage2KHR */
    if (of && swapchain->imageIndex < SWAPCHAIN_IMAGES && swapchain->imageIndex < images &&
        of->info.flags & VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR)
        REQUIRE(&s, RULE_07756,
                atomic_load_explicit(&of->ever_acquired, memory_order_relaxed) >>
                        swapchain->imageIndex &
                    1,
                &LOCATION(&LOCATION_CHAINED(where, "VkBindImageMemorySwapchainInfoKHR"),
                          "imageIndex"),
                "is %u, which the program has never acquired, and the swapchain was created with "
                "VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR",
                swapchain->imageIndex);
    if (info->pNext)
        bind_check_image_group(&s, info, image);
    bool known_plane = !plane || (disjoint && (drm || is_plane_of(plane->planeAspect, image)));
    if (s.wrong || rows_were_broken_in(where) || !known_plane || !info->memory || of_swapchain)
        return s.skip;
    check_not_bound(&s, image, plane ? aspect_plane(plane->planeAspect) : 0);
    if (!s.wrong)
        check_memory_of_bind(&s, info, image, plane);
    return s.skip;
}

/* The planes that all elements for this image bind, a bit each. */
static uint32_t planes_bound(uint32_t count, const VkBindImageMemoryInfo *infos, VkImage image)
{
    assert(infos || !count);
    uint32_t planes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const VkBindImagePlaneMemoryInfo *plane =
            CHAINED(infos[i].pNext, BIND_IMAGE_PLANE_MEMORY_INFO);
        if (infos[i].image == image && plane)
            planes |= 1u << aspect_plane(plane->planeAspect);
    }
    return planes;
}

/* True if an earlier element binds the same image, or the same plane of it. */
static bool bind_repeats(const VkBindImageMemoryInfo *infos, uint32_t index)
{
    const VkBindImagePlaneMemoryInfo *plane =
        CHAINED(infos[index].pNext, BIND_IMAGE_PLANE_MEMORY_INFO);
    for (uint32_t i = 0; i < index; i++) {
        const VkBindImagePlaneMemoryInfo *other =
            CHAINED(infos[i].pNext, BIND_IMAGE_PLANE_MEMORY_INFO);
        if (infos[i].image == infos[index].image &&
            (!plane || !other || plane->planeAspect == other->planeAspect))
            return true;
    }
    return false;
}

/* True if an element for the image of pBindInfos[index] names a plane twice, or one that the image
 * does not have. */
static bool names_planes_wrongly(uint32_t count, const VkBindImageMemoryInfo *infos, uint32_t index,
                                 const struct image *image)
{
    assert(index < count);
    for (uint32_t i = 0; i < count; i++) {
        const VkBindImagePlaneMemoryInfo *plane =
            CHAINED(infos[i].pNext, BIND_IMAGE_PLANE_MEMORY_INFO);
        if (infos[i].image == infos[index].image && plane &&
            (bind_repeats(infos, i) || (image->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT &&
                                        !is_plane_of(plane->planeAspect, image))))
            return true;
    }
    return false;
}

/* The most elements of a call that are compared for duplicates. */
#define BINDS_COMPARED 256

bool core_validate_BindImageMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                    const VkBindImageMemoryInfo *pBindInfos)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pBindInfos", i);
        const struct image *image = find_image(call, pBindInfos[i].image);
        s.skip |= check_bind_image(call, &where, &pBindInfos[i]);
        if (!image || bindInfoCount > BINDS_COMPARED)
            continue;
        bool again = bind_repeats(pBindInfos, i);
        REQUIRE_OF(&s, OBJECT(HANDLE_IMAGE, pBindInfos[i].image), RULE_04006, !again,
                   &LOCATION(&where, "image"), "is bound by an earlier element as well");
        if (image->flags & VK_IMAGE_CREATE_DISJOINT_BIT && image->plane_count > 1) {
            uint32_t planes = planes_bound(bindInfoCount, pBindInfos, pBindInfos[i].image);
            /* Nothing more is reported if an element's own plane was reported. */
            bool good = !planes || planes == (1u << image->plane_count) - 1 || again ||
                        names_planes_wrongly(bindInfoCount, pBindInfos, i, image);
            REQUIRE_OF(&s, OBJECT(HANDLE_IMAGE, pBindInfos[i].image), RULE_02858, good,
                       &LOCATION(&where, "image"),
                       "is disjoint, and not all of its %u planes are bound in this call",
                       image->plane_count);
        }
    }
    return s.skip;
}

bool core_validate_CmdBindTileMemoryQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkTileMemoryBindInfoQCOM *pTileMemoryBindInfo)
{
    const struct device_memory *memory = pTileMemoryBindInfo && !pointer_is_bad(pTileMemoryBindInfo)
                                             ? find_device_memory(call, pTileMemoryBindInfo->memory)
                                             : NULL;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pTileMemoryBindInfo")};
    if (memory)
        REQUIRE_OF(&s, OBJECT(HANDLE_DEVICE_MEMORY, pTileMemoryBindInfo->memory), RULE_10726,
                   is_tile_memory(call, memory), "memory",
                   "is of memory type %u, whose heap is not VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM",
                   memory->type);
    return s.skip;
}
