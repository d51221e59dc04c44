/* Images and image views (12.3, 12.5): what they were created with, where they lie, and in which
 * layout each subresource is. */
#ifndef ASSAY_STATE_IMAGE_H
#define ASSAY_STATE_IMAGE_H

#include "state/submit/fence.h"
#include "state/memory/memory.h"

#define IMAGE_PLANES 4 /* three of multi-planar formats, four of a DRM format modifier */

/* Layouts of an image's subresources as submitted work leaves them. Lock: `lock` over all fields.
 */
struct image_layouts; /* state/memory/image_layout.h */

/* Threads: const once published, but for bindings (written once, by commands that have the image
 * externally synchronised) and layouts. */
struct image {
    struct object_state base;
    VkImageCreateFlags flags;
    VkImageType type;
    VkFormat format;
    VkExtent3D extent;
    uint32_t mip_levels;
    uint32_t array_layers;
    VkSampleCountFlagBits samples;
    VkImageTiling tiling;
    VkImageUsageFlags usage;
    VkImageUsageFlags stencil_usage; /* VkImageStencilUsageCreateInfo, else `usage` */
    VkImageUsageFlags any_usage;     /* of both */
    bool separate_stencil_usage;     /* VkImageStencilUsageCreateInfo was there */
    bool layout_unchecked;           /* as check_image_layout is off, or there are too many */
    bool from_swapchain;             /* got by vkGetSwapchainImagesKHR */
    VkSharingMode sharing_mode;
    uint64_t sharing_families; /* of VK_SHARING_MODE_CONCURRENT: bit i is family i; 0 = not known */
    VkImageLayout initial_layout;
    VkExternalMemoryHandleTypeFlags external_types;
    /* aspects of the format: COLOR, DEPTH|STENCIL, or PLANE_0|PLANE_1... for multi-planar formats
     * (beside COLOR) */
    VkImageAspectFlags aspects;
    uint32_t plane_count;    /* planes of the format; 1 for formats that are not multi-planar */
    uint32_t format_kinds;   /* enum format_trait; 0 = the format is not known */
    uint8_t block_extent[3]; /* of a texel block, in texels; 0 likewise */
    uint8_t block_size;      /* of the format, in bytes */
    /* what the driver says of the format; all bits where it cannot say (DRM format modifiers) */
    VkFormatFeatureFlags2 format_features;
    uint32_t view_format_count; /* VkImageFormatListCreateInfo; 0 = none given */
    VkFormat *view_formats;     /* owned, in the same allocation */
    uint64_t drm_modifier;      /* of VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, where known */
    uint64_t swapchain;         /* id; 0: the image does not belong to a swapchain */
    uint32_t swapchain_index;
    /* of a swapchain's own: another image is bound to its memory, through which its layout may
     * change. Relaxed */
    _Atomic bool is_shared;
    struct memory_binding binding[IMAGE_PLANES]; /* [0] alone unless VK_IMAGE_CREATE_DISJOINT_BIT */
    AREA_ROOM(40);
    /* owned, made when first needed: NULL = all is in the initial layout. Atomic */
    struct image_layouts *layouts;
    struct present_waits present; /* for an image of a swapchain: the waits of its last present */
};
STATE_FINDERS(image, VkImage, HANDLE_IMAGE)

/* The answer of vkGetPhysicalDeviceImageFormatProperties2 for VK_FILTER_CUBIC_EXT. */
enum cubic_answer {
    CUBIC_ASKED = 1 << 0,
    CUBIC_KNOWN = 1 << 1, /* the driver did answer */
    CUBIC_FILTERED = 1 << 2,
    CUBIC_FILTERED_MINMAX = 1 << 3,
};

/* const but for `cubic`. */
struct image_view {
    struct object_state base;
    uint64_t image; /* id */
    VkImageViewCreateFlags flags;
    VkImageViewType type;
    VkFormat format;
    VkComponentMapping components;
    bool identity;         /* components is the identity swizzle */
    _Atomic uint8_t cubic; /* enum cubic_answer; 0: not asked yet. Relaxed */
    /* resolved: no VK_REMAINING_* (a 3D image's slices count as layers where the view is 2D) */
    VkImageSubresourceRange range;
    /* VkImageViewUsageCreateInfo, else what the image has for these aspects */
    VkImageUsageFlags usage;
    uint64_t ycbcr_conversion; /* id; 0 = none */
    /* These facts of the image are kept as they were when the view was made: */
    VkExtent3D extent; /* of the view's first mip level */
    VkSampleCountFlagBits samples;
    VkImageCreateFlags image_flags;
    /* memory_epoch when its image's memory was last seen to be there. Relaxed */
    _Atomic uint32_t bound_since;
    AREA_ROOM(32);
};
STATE_FINDERS(image_view, VkImageView, HANDLE_IMAGE_VIEW)

/* Returns enum cubic_answer for the format, type, tiling and usage of the view. Asks the driver
 * once, and keeps the answer. Threads: any. */
uint32_t image_view_cubic(const struct device *device, struct image_view *view,
                          const struct image *image) COLD;

bool image_view_has_memory_slow(struct image_view *view) COLD;
/* True if the image has memory for the view's aspects, or nothing is known of it. */
static ALWAYS_INLINE bool image_view_has_memory(const struct image_view *view)
{
    return likely(atomic_load_explicit(&view->bound_since, memory_order_relaxed) ==
                  atomic_load_explicit(&memory_epoch, memory_order_relaxed)) ||
           image_view_has_memory_slow((struct image_view *)(uintptr_t)view);
}

/* "Identity swizzle": each component is itself, whichever way that is said. */
static inline bool components_are_identity(const VkComponentMapping *components)
{
    return (components->r == VK_COMPONENT_SWIZZLE_IDENTITY ||
            components->r == VK_COMPONENT_SWIZZLE_R) &&
           (components->g == VK_COMPONENT_SWIZZLE_IDENTITY ||
            components->g == VK_COMPONENT_SWIZZLE_G) &&
           (components->b == VK_COMPONENT_SWIZZLE_IDENTITY ||
            components->b == VK_COMPONENT_SWIZZLE_B) &&
           (components->a == VK_COMPONENT_SWIZZLE_IDENTITY ||
            components->a == VK_COMPONENT_SWIZZLE_A);
}

static inline bool image_is_sparse(const struct image *image)
{
    return (image->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
}

/* True if to keep a layout for each subresource would take gigabytes. */
bool image_has_too_many_layouts(const struct image *image);

/* True if the whole image lies in memory that still lives; always true of sparse images, and of
 * those of swapchains. */
bool image_is_bound(const struct image *image);
/* The same for only the planes that `aspects` name, where planes have memory of their own. */
bool image_aspects_are_bound(const struct image *image, VkImageAspectFlags aspects);
/* True if the image has memory. Where its planes have memory of their own, one bound plane is
 * enough, as no command names all of them. */
bool image_has_memory(const struct image *image);
/* True if its planes have memory of their own. */
bool image_is_disjoint(const struct image *image);

/* The create info with the flags and the usage that VkImageCreateFlags2CreateInfoKHR and
 * VkImageUsageFlags2CreateInfoKHR put in place of its own. */
VkImageCreateInfo image_info_effective(const VkImageCreateInfo *info);

/* Asks the driver. Cold. Of a disjoint image: all 0, ask for its planes. Threads: any. */
VkMemoryRequirements image_requirements(const struct device *device, const struct image *image);
VkMemoryRequirements image_plane_requirements(const struct device *device,
                                              const struct image *image,
                                              VkImageAspectFlagBits plane);

/* A range without VK_REMAINING_*; `of_slices`: the layers are slices of a 3D image. A remaining
 * count after the end is 0. */
VkImageSubresourceRange image_resolve_range(const struct image *image,
                                            const VkImageSubresourceRange *range, bool of_slices);
/* The usage of these aspects of the image: stencil ones may have a usage of their own. */
VkImageUsageFlags image_usage_of_aspects(const struct image *image, VkImageAspectFlags aspects);

/* Extent of a mip level (12.3: each side is halved and rounded down, to 1 at least). */
static inline uint32_t mip_extent(uint32_t extent, uint32_t level)
{
    uint32_t result = level < 32 ? extent >> level : 0;
    return result ? result : 1;
}

/* The length of a side of a plane, in texels. `side`: the same side of the image. */
uint32_t image_plane_side(const struct image *image, VkImageAspectFlags plane, uint32_t axis,
                          uint32_t side) COLD;

/* A side of the mip level that a region lies in, of the image or of one of its planes. */
static inline uint32_t image_level_extent(const struct image *image,
                                          const VkImageSubresourceLayers *layers, uint32_t axis)
{
    const uint32_t side = mip_extent(axis == 0   ? image->extent.width
                                     : axis == 1 ? image->extent.height
                                                 : image->extent.depth,
                                     layers->mipLevel);
    return likely(image->plane_count == 1)
               ? side
               : image_plane_side(image, layers->aspectMask, axis, side);
}

#endif
