/* Rules that several transfer commands have alike: copies between buffers, images and host memory,
 * blits, resolves, clears (19, 20). Rules of one command are in that command's file. Threads: the
 * calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_TRANSFER_TRANSFER_H
#define ASSAY_CORE_TRANSFER_TRANSFER_H

#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"

#include <inttypes.h>
#include <string.h>

/* The regions of a command in either of its two versions. An element of version 2 is an element of
 * version 1 that follows sType and pNext. */
struct region_list {
    const char *first; /* the first region, after sType and pNext; NULL when there is none */
    uint32_t stride, count;
    /* location of the structure with the member pRegions; NULL: pRegions is a parameter */
    const struct location *where;
};

#define CHAIN_HEAD sizeof(VkBaseInStructure)
#define REGIONS(regions_, count_)                            \
    ((struct region_list){.first = (const char *)(regions_), \
                          .stride = sizeof((regions_)[0]),   \
                          .count = (regions_) ? (count_) : 0})
#define REGIONS2(info_, where_)                                                           \
    ((struct region_list){                                                                \
        .first = (info_)->pRegions ? (const char *)(info_)->pRegions + CHAIN_HEAD : NULL, \
        .stride = sizeof((info_)->pRegions[0]),                                           \
        .count = (info_)->pRegions ? (info_)->regionCount : 0,                            \
        .where = (where_)})
static_assert(sizeof(VkBaseInStructure) == 16, "what the second forms have in front");

static inline const void *region_at(const struct region_list *regions, uint32_t index)
{
    return regions->first + (size_t)regions->stride * index;
}

/* pNext of a region of version 2; NULL in version 1. */
static inline const void *region_chain(const struct region_list *regions, uint32_t index)
{
    return regions->where
               ? ((const VkBaseInStructure *)(const void *)((const char *)region_at(regions,
                                                                                    index) -
                                                            CHAIN_HEAD))
                     ->pNext
               : NULL;
}

/* An image that a command reads or writes, with the names of its parameters and members in that
 * command. */
struct transfer_image {
    const struct image *image; /* never NULL */
    /* NULL: unknown, and rules about the format are not checked */
    const struct format_info *format;
    VkImage handle;
    VkImageLayout layout;
    /* where two rules of a command have the same number, the second one applies */
    bool destination;
    /* location of the structure with these members; NULL: they are parameters */
    const struct location *where;
    const char *name;        /* "srcImage" */
    const char *layout_name; /* "srcImageLayout" */
    const char *subresource; /* members of a region: "srcSubresource" */
    const char *offset;      /* "srcOffset" */
    const char *extent;      /* "extent" */
};

/* Describes one of the two images of a command between images. `offset` and `extent` are the names
 * of the region's members. */
static inline struct transfer_image transfer_side(const struct call *call, VkImage image,
                                                  VkImageLayout layout,
                                                  const struct location *where, bool destination,
                                                  const char *offset, const char *extent)
{
    return (struct transfer_image){
        .image = find_image(call, image),
        .handle = image,
        .layout = layout,
        .destination = destination,
        .where = where,
        .name = destination ? "dstImage" : "srcImage",
        .layout_name = destination ? "dstImageLayout" : "srcImageLayout",
        .subresource = destination ? "dstSubresource" : "srcSubresource",
        .offset = offset,
        .extent = extent,
    };
}

/* The rule for this side, where one number names two rules of a command. */
static inline enum rule side_rule(const struct transfer_image *side, enum rule rule)
{
    return side->destination ? (enum rule)(rule | RULE_OF_DESTINATION) : rule;
}
#define SIDE_OBJECT(side_) OBJECT(HANDLE_IMAGE, (side_)->handle)

/* True if the image's format has all of these aspects. True, too, where the format is not known. */
static inline bool aspects_are_present(const struct transfer_image *side,
                                       VkImageAspectFlags aspects)
{
    return !side->format || !(aspects & ~side->format->aspects);
}

/* The state of protected memory in a command buffer, for rules that begin "If commandBuffer is an
 * unprotected command buffer and protectedNoFault is not supported". */
struct protection {
    bool matters;      /* protected memory is enabled, and protectedNoFault is not supported */
    bool is_protected; /* the command buffer is */
};
struct protection call_protection(const struct call *call);
/* Checks a resource against the protection of the command buffer.
 * `when_unprotected`: the rule that an unprotected command buffer must not use protected resources.
 * `when_protected`: the rule for the opposite case, or RULE_NONE if the command has no such
 * rule. */
bool check_protection(const struct call *call, bool resource_is_protected,
                      enum rule when_unprotected, enum rule when_protected,
                      const struct location *where, const struct finding_objects *objects);

/* Check rules about an image of a command as a whole. */
bool check_image_usage(const struct call *call, enum rule rule, VkImageUsageFlags has,
                       VkImageUsageFlags usage, const struct transfer_image *side);
bool check_format_features(const struct call *call, enum rule rule, VkFormatFeatureFlags2 features,
                           const struct transfer_image *side);
/* "must specify the layout of the image subresources ... at the time this command is executed".
 * This uses the layouts that earlier commands of the command buffer leave; submits check what was
 * before the command buffer. */
static inline VkImageSubresourceRange range_of_layers(const VkImageSubresourceLayers *layers)
{
    return (VkImageSubresourceRange){layers->aspectMask, layers->mipLevel, 1,
                                     layers->baseArrayLayer, layers->layerCount};
}
bool check_recorded_layout(const struct call *call, enum rule rule,
                           const struct transfer_image *side, const VkImageSubresourceRange *range);
/* Does the same for host commands, with the layouts that submitted work leaves. */
bool check_host_layout(const struct call *call, enum rule rule, const struct transfer_image *side,
                       const VkImageSubresourceRange *range);
/* Checks that baseArrayLayer + layerCount lies within the image's layers. */
bool check_array_layers(const struct call *call, enum rule rule, const struct transfer_image *side,
                        const VkImageSubresourceLayers *layers, const struct location *region);

/* Reports that the layer counts of a region's two subresources differ.
 * `match`: the rule that the counts must be equal.
 * `remaining`: the rule where one of them is VK_REMAINING_ARRAY_LAYERS. */
bool report_layer_counts(const struct call *call, enum rule match, enum rule remaining,
                         const struct image *source, const VkImageSubresourceLayers *from,
                         const struct image *target, const VkImageSubresourceLayers *to,
                         const struct location *region) COLD;
/* Reports an offset or a size that is not a multiple of the size of a texel block. */
bool report_block(const struct call *call, enum rule rule, const struct transfer_image *side,
                  const struct location *region, const char *member, const char *axis,
                  int64_t value, uint32_t block) COLD;

/* Width, height and depth of the subresource that a region lies in: a mip level of the image, or of
 * one of its planes. */
VkExtent3D subresource_extent(const struct transfer_image *side, uint32_t mip_level,
                              VkImageAspectFlags aspect);
static inline uint32_t resolve_layer_count(const struct image *image,
                                           const VkImageSubresourceLayers *layers)
{
    return layers->layerCount != VK_REMAINING_ARRAY_LAYERS ? layers->layerCount
           : layers->baseArrayLayer < image->array_layers
               ? image->array_layers - layers->baseArrayLayer
               : 0;
}

/* Checks that one axis of a region lies within `limit` texels. `names`: the axis' names in an
 * offset and in an extent. */
struct axis_names {
    const char *offset, *extent;
};
extern const struct axis_names axis_names[3];
static inline bool axis_fits(int32_t offset, uint32_t extent, uint32_t limit)
{
    return offset >= 0 && (uint64_t)(uint32_t)offset + extent <= limit;
}
bool report_axis(const struct call *call, enum rule rule, const struct transfer_image *side,
                 const struct location *region, uint32_t axis, int32_t offset, uint32_t extent,
                 uint32_t limit, uint32_t mip_level) COLD;
static inline bool check_axis(const struct call *call, enum rule rule,
                              const struct transfer_image *side, const struct location *region,
                              uint32_t axis, int32_t offset, uint32_t extent, uint32_t limit,
                              uint32_t mip_level)
{
    return unlikely(!axis_fits(offset, extent, limit)) &&
           report_axis(call, rule, side, region, axis, offset, extent, limit, mip_level);
}

/* Checks a region against minImageTransferGranularity of the command pool's queue family. A
 * granularity of 1x1x1 allows every region. */
bool check_granularity(const struct call *call, enum rule rule, const struct transfer_image *side,
                       const struct location *region, const VkImageSubresourceLayers *layers,
                       VkOffset3D offset, VkExtent3D extent);

/* A box of texels in some layers and one mip level of an image. */
struct image_box {
    VkImageAspectFlags aspects;
    uint32_t mip_level, base_layer, layer_count;
    int64_t from[3], to[3]; /* [from, to) */
};
struct image_box image_box(const struct image *image, const VkImageSubresourceLayers *layers,
                           VkOffset3D offset, VkExtent3D extent);
bool image_boxes_overlap(const struct image_box *a, const struct image_box *b);
/* The most regions of which pairs are compared: for more that would take longer than the copy. */
#define OVERLAP_REGIONS 64

/* True if the ranges of two bound buffers overlap in memory. False where that is not known. */
bool buffers_overlap(const struct buffer *a, VkDeviceSize a_from, const struct buffer *b,
                     VkDeviceSize b_from, VkDeviceSize a_size, VkDeviceSize b_size);

#endif
