/* Checks commands whose operands are device addresses: copies of memory, copies between memory and
 * images, decompression (19.2, 19.5, 19.11); and copies of tensors (19.9). */
#include "core/transfer/copy_buffer_image.h"
#include "core/hooks.h"
#include "core/memory/address.h"

#include "report/finding/rule.h"
#include "state/object/created.h"
#include "vk/chain.h"

/* True if two ranges of addresses overlap. Addresses of 0 are reported elsewhere. */
static bool ranges_overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a && b && (a < b ? b - a < a_size : a - b < b_size) && a_size && b_size;
}

/* --- copies of memory ------------------------------------------------------------------------- */

bool core_validate_CmdCopyMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCopyDeviceMemoryInfoKHR *pCopyMemoryInfo)
{
    const VkCopyDeviceMemoryInfoKHR *info = pCopyMemoryInfo;
    const struct location parent = LOCATION_POINTER(NULL, "pCopyMemoryInfo");
    struct subject s = {.call = call};
    if (!info->pRegions || info->regionCount > OVERLAP_REGIONS)
        return false;
    for (uint32_t i = 0; i < info->regionCount; i++) {
        const VkDeviceAddressRangeKHR *from = &info->pRegions[i].srcRange;
        for (uint32_t j = 0; j < info->regionCount; j++) {
            const VkDeviceAddressRangeKHR *to = &info->pRegions[j].dstRange;
            const struct location where = LOCATION_INDEX(&parent, "pRegions", i);
            if (likely(!ranges_overlap(from->address, from->size, to->address, to->size)))
                continue;
            /* The range of memory backing ... the srcRange member of any element of pRegions must
             * not overlap the memory backing ... dstRange of any element */
            struct finding_objects objects = {.count = 0};
            BROKEN_OF(&s, address_objects(call, from->address, &objects), RULE_13015,
                      &LOCATION(&where, "srcRange"),
                      "is %" PRIu64 " bytes from %s on, and dstRange of region %u is %" PRIu64
                      " bytes from 0x%" PRIx64 " on, which overlap",
                      from->size, ADDRESS(call, from->address), j, to->size, to->address);
            return s.skip;
        }
    }
    return s.skip;
}

/* --- between memory and images ---------------------------------------------------------------- */

/* One copy between an image and memory that has an address. */
struct memory_image_copy {
    struct transfer_image image;
    const VkDeviceMemoryImageCopyKHR *regions; /* `count` of them */
    uint32_t count;
    bool to_image;
};

/* The region, described as if its memory were a buffer that begins at the region's address. */
static VkBufferImageCopy buffer_region(const VkDeviceMemoryImageCopyKHR *region)
{
    return (VkBufferImageCopy){.bufferRowLength = region->addressRowLength,
                               .bufferImageHeight = region->addressImageHeight,
                               .imageSubresource = region->imageSubresource,
                               .imageOffset = region->imageOffset,
                               .imageExtent = region->imageExtent};
}

/* The rotation of the copy. 0: it has no rotation. */
static VkSurfaceTransformFlagBitsKHR transform_of(const VkDeviceMemoryImageCopyKHR *region)
{
    const VkCopyCommandTransformInfoQCOM *transform =
        CHAINED(region->pNext, COPY_COMMAND_TRANSFORM_INFO_QCOM);
    return transform ? transform->transform : 0;
}

/* Checks that the bytes of a region lie in its address range, and that the range has the alignment
 * of the texels. True: the call is to be skipped. */
static bool copy_memory_check_range(const struct call *call, const struct memory_image_copy *copy,
                                    const VkDeviceMemoryImageCopyKHR *region,
                                    const struct location *where)
{
    const VkBufferImageCopy linear = buffer_region(region);
    const VkImageAspectFlags aspect = region->imageSubresource.aspectMask;
    const VkDeviceSize footprint = copy_footprint(&copy->image, &linear, NULL);
    const uint32_t texel = format_aspect_block_size(copy->image.image->format, aspect);
    struct subject s = {.call = call, .where = where};
    struct finding_objects objects = {.count = 0};
    /* The size member of addressRange must be large enough to contain all address locations that
     * are accessed by this copy according to Buffer and Image Addressing */
    if (unlikely(footprint > region->addressRange.size))
        BROKEN_OF(&s, address_objects(call, region->addressRange.address, &objects), RULE_13037,
                  "addressRange", "has %" PRIu64 " bytes, but the region takes %" PRIu64,
                  region->addressRange.size, footprint);
    /* If image does not have either a depth/stencil format or a multi-planar format, ...
     * addressRange.address must be a multiple of the texel block size */
    const uint32_t block = copy->image.format->block_size;
    if (copy->image.format->plane_count <= 1 && block &&
        !(copy->image.format->aspects & FORMAT_DEPTH_STENCIL_ASPECTS))
        REQUIRE_OF(&s, SIDE_OBJECT(&copy->image), RULE_13029,
                   region->addressRange.address % block == 0,
                   &LOCATION(&LOCATION(where, "addressRange"), "address"),
                   "is 0x%" PRIx64 ", which is not a multiple of %u, the bytes of a texel block of "
                   "%s",
                   region->addressRange.address, block,
                   value_text(VALUES_VkFormat, (uint64_t)copy->image.image->format).text);
    /* If image has a multi-planar format, ... addressRange.address must be a multiple of the
     * element size of the compatible format for the format and the aspectMask */
    if (copy->image.format->plane_count > 1 && texel && aspect & FORMAT_PLANE_ASPECTS)
        REQUIRE_OF(&s, SIDE_OBJECT(&copy->image), RULE_13030,
                   region->addressRange.address % texel == 0,
                   &LOCATION(&LOCATION(where, "addressRange"), "address"),
                   "is 0x%" PRIx64 ", which is not a multiple of %u, the bytes of a texel of that "
                   "plane",
                   region->addressRange.address, texel);
    return s.skip;
}

/* The image region specified by each element of pRegions that does not contain
 * VkCopyCommandTransformInfoQCOM in its pNext chain must be contained within the specified
 * imageSubresource. Other rules check the depth, and the axes that a 1D image does not have. */
static bool check_contained(const struct call *call, const struct transfer_image *side,
                            const VkDeviceMemoryImageCopyKHR *region, const struct location *where)
{
    const VkImageSubresourceLayers *layers = &region->imageSubresource;
    bool skip = false;
    if (layers->mipLevel >= side->image->mip_levels)
        return false;
    const VkExtent3D limit = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    skip |= check_axis(call, RULE_13032, side, where, 0, region->imageOffset.x,
                       region->imageExtent.width, limit.width, layers->mipLevel);
    if (side->image->type != VK_IMAGE_TYPE_1D)
        skip |= check_axis(call, RULE_13032, side, where, 1, region->imageOffset.y,
                           region->imageExtent.height, limit.height, layers->mipLevel);
    return skip;
}

/* Checks region `index` of a copy between memory and an image. True: the call is to be skipped. */
static bool check_memory_region(const struct call *call, struct memory_image_copy *copy,
                                uint32_t index, const struct location *parent)
{
    static const struct region_names names = {"addressRange", "addressRowLength",
                                              "addressImageHeight"};
    const VkDeviceMemoryImageCopyKHR *region = &copy->regions[index];
    const struct location where = LOCATION_INDEX(parent, "pRegions", index);
    const VkBufferImageCopy linear = buffer_region(region);
    const VkSurfaceTransformFlagBitsKHR transform = transform_of(region);
    bool skip = check_linear_side(call, &copy->image, &linear, &where, &names);
    skip |= check_copied_region(call, &copy->image, &region->imageSubresource, region->imageOffset,
                                region->imageExtent, &where, transform);
    if (!is_turned(transform))
        skip |= check_granularity(call, RULE_13105, &copy->image, &where, &region->imageSubresource,
                                  region->imageOffset, region->imageExtent);
    if (!transform)
        skip |= check_contained(call, &copy->image, region, &where);
    if (copy->image.format)
        skip |= copy_memory_check_range(call, copy, region, &where);
    /* The imageLayout member of each element of pRegions must specify the layout of the image
     * subresource ... at the time this command is executed */
    const VkImageSubresourceRange range = range_of_layers(&region->imageSubresource);
    copy->image.layout = region->imageLayout;
    copy->image.where = &where;
    skip |= check_recorded_layout(call, RULE_13028, &copy->image, &range);
    copy->image.where = parent;
    return skip;
}

/* True if two regions write the same texels or bytes for certain. False, for example, where one of
 * them has gaps. */
static bool targets_overlap(const struct memory_image_copy *copy, uint32_t first, uint32_t second)
{
    const VkBufferImageCopy a = buffer_region(&copy->regions[first]),
                            b = buffer_region(&copy->regions[second]);
    if (copy->to_image) {
        const struct image_box one = image_box(copy->image.image, &a.imageSubresource,
                                               a.imageOffset, a.imageExtent),
                               other = image_box(copy->image.image, &b.imageSubresource,
                                                 b.imageOffset, b.imageExtent);
        return image_boxes_overlap(&one, &other);
    }
    bool a_contiguous, b_contiguous;
    const VkDeviceSize a_size = copy_footprint(&copy->image, &a, &a_contiguous),
                       b_size = copy_footprint(&copy->image, &b, &b_contiguous);
    return a_contiguous && b_contiguous &&
           ranges_overlap(copy->regions[first].addressRange.address, a_size,
                          copy->regions[second].addressRange.address, b_size);
}

/* Each memory location accessed by this command must not be accessed by more than one destination
 * region. Rotated regions are left out, as they do not write the extent that they state. */
static bool check_memory_overlaps(const struct call *call, const struct memory_image_copy *copy,
                                  const struct location *parent)
{
    for (uint32_t i = 1; i < copy->count && copy->count <= OVERLAP_REGIONS; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (!is_turned(transform_of(&copy->regions[i])) &&
                !is_turned(transform_of(&copy->regions[j])) &&
                unlikely(targets_overlap(copy, j, i)))
                return BROKEN_BY(call, RULE_12473, &LOCATION_INDEX(parent, "pRegions", i),
                                 SIDE_OBJECT(&copy->image),
                                 "writes %s that region %u writes as well",
                                 copy->to_image ? "texels" : "bytes", j);
        }
    }
    return false;
}

/* Checks a copy between memory and an image. Nothing is checked if the image is not known. */
static bool check_memory_image_copy(struct call *call, const VkCopyDeviceMemoryImageInfoKHR *info,
                                    bool to_image)
{
    const struct location parent = LOCATION_POINTER(NULL, "pCopyMemoryInfo");
    struct memory_image_copy copy = {.image = {.image = find_image(call, info->image),
                                               .handle = info->image,
                                               .where = &parent,
                                               .name = "image",
                                               .layout_name = "imageLayout",
                                               .subresource = "imageSubresource",
                                               .offset = "imageOffset",
                                               .extent = "imageExtent"},
                                     .regions = info->pRegions,
                                     .count = info->pRegions ? info->regionCount : 0,
                                     .to_image = to_image};
    bool skip = false;
    if (!copy.image.image || !call->device)
        return false;
    copy.image.format = format_info(copy.image.image->format);
    for (uint32_t i = 0; i < copy.count; i++)
        skip |= check_memory_region(call, &copy, i, &parent);
    return skip | check_memory_overlaps(call, &copy, &parent);
}

bool core_validate_CmdCopyMemoryToImageKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    return check_memory_image_copy(call, pCopyMemoryInfo, true);
}

bool core_validate_CmdCopyImageToMemoryKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    return check_memory_image_copy(call, pCopyMemoryInfo, false);
}

/* --- indirect copies -------------------------------------------------------------------------- */

/* dstImageLayout must specify the layout of the image subresources of dstImage at the time this
 * command is executed */
static bool check_indirect_layouts(struct call *call, VkImage handle, VkImageLayout layout,
                                   const VkImageSubresourceLayers *layers, uint32_t count,
                                   const struct location *where)
{
    const struct transfer_image side = transfer_side(call, handle, layout, where, true, NULL, NULL);
    bool skip = false;
    for (uint32_t i = 0; side.image && !pointer_is_bad(layers) && i < count && !skip; i++) {
        const VkImageSubresourceRange range = range_of_layers(&layers[i]);
        skip |= check_recorded_layout(call, RULE_07667, &side, &range);
    }
    return skip;
}

bool core_validate_CmdCopyMemoryToImageIndirectNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkDeviceAddress copyBufferAddress,
                                                  uint32_t copyCount, uint32_t stride,
                                                  VkImage dstImage, VkImageLayout dstImageLayout,
                                                  const VkImageSubresourceLayers
                                                      *pImageSubresources)
{
    return check_indirect_layouts(call, dstImage, dstImageLayout, pImageSubresources, copyCount,
                                  NULL);
}

bool core_validate_CmdCopyMemoryToImageIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkCopyMemoryToImageIndirectInfoKHR
                                                       *pCopyMemoryToImageIndirectInfo)
{
    const VkCopyMemoryToImageIndirectInfoKHR *info = pCopyMemoryToImageIndirectInfo;
    return check_indirect_layouts(call, info->dstImage, info->dstImageLayout,
                                  info->pImageSubresources, info->copyCount,
                                  &LOCATION_POINTER(NULL, "pCopyMemoryToImageIndirectInfo"));
}

/* --- decompression ---------------------------------------------------------------------------- */

/* Checks that a range of addresses ends in the same buffer in which it begins. */
static bool check_in_buffer(const struct call *call, enum rule rule, VkDeviceAddress address,
                            VkDeviceSize size, const char *what, const struct location *where)
{
    const struct address_search found = device_address_find(call->device, address, size, 0);
    return address && unlikely(found.match == ADDRESS_TOO_SHORT) &&
           address_report_short(call, rule_vuid(call->command, rule), where, address, &found, size,
                                what);
}

/* Checks one region to be decompressed: both ranges lie in buffers, and do not overlap. Sizes are
 * in bytes. */
static bool check_decompression(const struct call *call, VkDeviceAddress from,
                                VkDeviceSize compressed, VkDeviceAddress to, VkDeviceSize size,
                                const struct location *where)
{
    struct subject s = {.call = call, .where = where};
    /* The memory range defined by srcAddress and compressedSize must be contained within the size
     * of the buffer bound to srcAddress */
    s.skip |= check_in_buffer(call, RULE_07686, from, compressed, "the compressed data takes",
                              &LOCATION(where, "srcAddress"));
    s.skip |= check_in_buffer(call, RULE_07688, to, size, "the decompressed data takes",
                              &LOCATION(where, "dstAddress"));
    /* The memory range defined by srcAddress and compressedSize must not overlap the memory range
     * defined by dstAddress and decompressedSize */
    REQUIRE(&s, RULE_07691, !ranges_overlap(from, compressed, to, size), "srcAddress",
            "is %s, from which on %" PRIu64 " bytes are read, and %" PRIu64
            " are written from dstAddress 0x%" PRIx64 " on: they overlap",
            ADDRESS(call, from), compressed, size, to);
    return s.skip;
}

bool core_validate_CmdDecompressMemoryEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkDecompressMemoryInfoEXT *pDecompressMemoryInfoEXT)
{
    const VkDecompressMemoryInfoEXT *info = pDecompressMemoryInfoEXT;
    const struct location parent = LOCATION_POINTER(NULL, "pDecompressMemoryInfoEXT");
    bool skip = false;
    for (uint32_t i = 0; info->pRegions && i < info->regionCount; i++) {
        const VkDecompressMemoryRegionEXT *r = &info->pRegions[i];
        skip |= check_decompression(call, r->srcAddress, r->compressedSize, r->dstAddress,
                                    r->decompressedSize, &LOCATION_INDEX(&parent, "pRegions", i));
    }
    return skip;
}

bool core_validate_CmdDecompressMemoryNV(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t decompressRegionCount,
                                         const VkDecompressMemoryRegionNV *pDecompressMemoryRegions)
{
    bool skip = false;
    for (uint32_t i = 0; pDecompressMemoryRegions && i < decompressRegionCount; i++) {
        const VkDecompressMemoryRegionNV *r = &pDecompressMemoryRegions[i];
        skip |= check_decompression(call, r->srcAddress, r->compressedSize, r->dstAddress,
                                    r->decompressedSize,
                                    &LOCATION_INDEX(NULL, "pDecompressMemoryRegions", i));
    }
    return skip;
}

/* --- tensors ---------------------------------------------------------------------------------- */

/* The created tensor of a handle. NULL: the tensor is not known. */
static const struct created_tensor *find_tensor(const struct call *call, VkTensorARM tensor)
{
    return call_find_state(call, (uint64_t)tensor, HANDLE_TENSOR_ARM);
}

static bool all_zero(const uint64_t *offsets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (offsets[i])
            return false;
    }
    return true;
}

/* Checks that an offset is absent (NULL) or has only zeros. */
static void check_tensor_offset(struct subject *s, enum rule rule, const uint64_t *offset,
                                uint32_t count, const char *name)
{
    REQUIRE(s, rule, !offset || pointer_is_bad(offset) || all_zero(offset, count),
            &LOCATION(s->where, name), "has an element that is not 0");
}

/* Checks one region of a copy between tensors; only whole tensors can be copied. */
static void check_tensor_region(struct subject *s, const VkTensorCopyARM *region,
                                const struct created_tensor *source,
                                const struct created_tensor *target)
{
    const uint32_t count = region->dimensionCount,
                   most = source->dimension_count > target->dimension_count
                              ? source->dimension_count
                              : target->dimension_count;
    check_tensor_offset(s, RULE_09687, region->pSrcOffset, count, "pSrcOffset");
    check_tensor_offset(s, RULE_09688, region->pDstOffset, count, "pDstOffset");
    /* ... whose dimensionCount, if it is not equal to 0, is equal to the largest of the
     * VkTensorDescriptionARM::dimensionCount of srcTensor or dstTensor */
    REQUIRE(s, RULE_09954, !count || count == most, "dimensionCount",
            "is %u, but the tensors have %u dimensions", count, most);
    if (count != source->dimension_count || !source->dimensions_known ||
        pointer_is_bad(region->pExtent))
        return;
    /* ... whose pExtent is NULL or equal to the VkTensorDescriptionARM::pDimensions array specified
     * when srcTensor and dstTensor were created */
    for (uint32_t i = 0; i < count; i++) {
        if (unlikely(region->pExtent[i] != (uint64_t)source->dimensions[i])) {
            BROKEN(s, RULE_09689, &LOCATION_INDEX(s->where, "pExtent", i),
                   "is %" PRIu64 ", but that dimension of srcTensor is %" PRId64,
                   region->pExtent[i], source->dimensions[i]);
            return;
        }
    }
}

bool core_validate_CmdCopyTensorARM(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCopyTensorInfoARM *pCopyTensorInfo)
{
    const VkCopyTensorInfoARM *info = pCopyTensorInfo;
    const struct created_tensor *source = find_tensor(call, info->srcTensor),
                                *target = find_tensor(call, info->dstTensor);
    const struct location parent = LOCATION_POINTER(NULL, "pCopyTensorInfo");
    struct subject s = {
        .call = call,
        .where = &parent,
        .objects = OBJECT2(HANDLE_TENSOR_ARM, info->srcTensor, HANDLE_TENSOR_ARM, info->dstTensor)};
    if (!source || !target)
        return false;
    /* If srcTensor is non-sparse then it must be bound completely and contiguously to a single
     * VkDeviceMemory object */
    REQUIRE(&s, RULE_09694, atomic_load_explicit(&source->bound, memory_order_relaxed), "srcTensor",
            "was never bound to memory");
    REQUIRE(&s, RULE_09695, atomic_load_explicit(&target->bound, memory_order_relaxed), "dstTensor",
            "was never bound to memory");
    /* For each of the elements of VkTensorDescriptionARM::pDimensions, srcTensor and dstTensor must
     * be the same size */
    if (source->dimension_count == target->dimension_count && source->dimensions_known &&
        target->dimensions_known) {
        for (uint32_t i = 0; i < source->dimension_count; i++) {
            if (source->dimensions[i] == target->dimensions[i])
                continue;
            BROKEN(&s, RULE_09685, "srcTensor",
                   "is %" PRId64 " in dimension %u, but dstTensor is %" PRId64,
                   source->dimensions[i], i, target->dimensions[i]);
            return s.skip;
        }
    }
    for (uint32_t i = 0; info->pRegions && i < info->regionCount; i++) {
        struct subject region = {
            .call = call, .where = &LOCATION_INDEX(&parent, "pRegions", i), .objects = s.objects};
        check_tensor_region(&region, &info->pRegions[i], source, target);
        s.skip |= region.skip;
    }
    return s.skip;
}
