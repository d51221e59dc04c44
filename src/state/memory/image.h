/* The state of images and image views (12.3, 12.5): how they were created, their memory, and the
 * layout of each subresource. */
#ifndef ASSAY_STATE_IMAGE_H
#define ASSAY_STATE_IMAGE_H

#include "state/submit/fence.h"
#include "state/memory/memory.h"

#define IMAGE_PLANES 4 /* three for multi-planar formats, four for a DRM format modifier */

/* Layouts of an image's subresources, as submitted work leaves them. Lock: `lock` over all
 * fields. */
struct image_layouts; /* state/memory/image_layout.h */

/* Threads: const once published, except for bindings and layouts. Bindings are written once, by
 * commands that have the image externally synchronised. */
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
    VkImageUsageFlags stencil_usage; /* VkImageStencilUsageCreateInfo, or otherwise `usage` */
    VkImageUsageFlags any_usage;     /* union of both usages */
    bool separate_stencil_usage;     /* VkImageStencilUsageCreateInfo was given */
    /* check_image_layout is off, or there are too many subresources */
    bool layout_unchecked;
    bool from_swapchain; /* retrieved by vkGetSwapchainImagesKHR */
    bool nv_dedicated;   /* VkDedicatedAllocationImageCreateInfoNV::dedicatedAllocation */
    VkSharingMode sharing_mode;
    uint64_t sharing_families; /* for VK_SHARING_MODE_CONCURRENT: bit i is family i; 0: not known */
    VkImageLayout initial_layout;
    VkExternalMemoryHandleTypeFlags external_types;
    /* aspects of the format: COLOR, DEPTH|STENCIL; multi-planar formats have COLOR and
     * PLANE_0|PLANE_1... */
    VkImageAspectFlags aspects;
    /* number of planes of the format; 1 for formats that are not multi-planar */
    uint32_t plane_count;
    uint32_t format_kinds;   /* enum format_trait; 0: the format is not known */
    uint8_t block_extent[3]; /* size of a texel block in texels; 0: not known */
    uint8_t block_size;      /* size of a texel block in bytes */
    /* format features that the driver reports; all bits if it cannot (DRM format modifiers) */
    VkFormatFeatureFlags2 format_features;
    uint32_t view_format_count; /* VkImageFormatListCreateInfo; 0: not given */
    VkFormat *view_formats;     /* owned, in the same allocation */
    uint64_t drm_modifier;      /* for VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, if known */
    uint64_t swapchain;         /* id; 0: the image does not belong to a swapchain */
    uint32_t swapchain_index;
    /* for an image of a swapchain: another image is bound to its memory, and may change its layout.
     * Relaxed */
    _Atomic bool is_shared;
    /* only [0] is used, unless VK_IMAGE_CREATE_DISJOINT_BIT is set */
    struct memory_binding binding[IMAGE_PLANES];
    uint64_t video_profiles; /* video_profiles_listed() */
    AREA_ROOM(40);
    /* owned, allocated on first use. NULL: all subresources are in the initial layout. Atomic */
    struct image_layouts *layouts;
    struct present_waits present; /* for an image of a swapchain: the waits of its last present */
};
STATE_FINDERS(image, VkImage, HANDLE_IMAGE)

/* The driver's answer about VK_FILTER_CUBIC_EXT (vkGetPhysicalDeviceImageFormatProperties2). */
enum cubic_answer {
    CUBIC_ASKED = 1 << 0,
    CUBIC_KNOWN = 1 << 1, /* the driver has answered */
    CUBIC_FILTERED = 1 << 2,
    CUBIC_FILTERED_MINMAX = 1 << 3,
};

/* Const, except for the atomics. */
struct image_view {
    struct object_state base;
    uint64_t image; /* id */
    VkImageViewCreateFlags flags;
    VkImageViewType type;
    VkFormat format;
    VkComponentMapping components;
    bool identity;         /* components is the identity swizzle */
    _Atomic uint8_t cubic; /* enum cubic_answer; 0: not queried yet. Relaxed */
    /* without VK_REMAINING_*; for a 2D view of a 3D image, slices count as layers */
    VkImageSubresourceRange range;
    /* VkImageViewUsageCreateInfo, or otherwise the image's usage for these aspects */
    VkImageUsageFlags usage;
    uint64_t ycbcr_conversion; /* id; 0 = none */
    float min_lod;             /* VkImageViewMinLodCreateInfoEXT; 0 when not given */
    /* Copies of the image's data, from when the view was created: */
    VkExtent3D extent; /* extent of the view's first mip level */
    VkSampleCountFlagBits samples;
    VkImageCreateFlags image_flags;
    /* memory_epoch when the image's memory was last found to exist. Relaxed */
    _Atomic uint32_t bound_since;
    AREA_ROOM(32);
};
STATE_FINDERS(image_view, VkImageView, HANDLE_IMAGE_VIEW)

/* Returns enum cubic_answer for the format, type, tiling and usage of the view. Queries the driver
 * once, and remembers the answer. Threads: any. */
uint32_t image_view_cubic(const struct device *device, struct image_view *view,
                          const struct image *image) COLD;

bool image_view_has_memory_slow(struct image_view *view) COLD;
/* True if the image has memory for the view's aspects, or that is not known. */
static ALWAYS_INLINE bool image_view_has_memory(const struct image_view *view)
{
    return likely(atomic_load_explicit(&view->bound_since, memory_order_relaxed) ==
                  atomic_load_explicit(&memory_epoch, memory_order_relaxed)) ||
           image_view_has_memory_slow((struct image_view *)(uintptr_t)view);
}

/* True for the "identity swizzle", in which each component is itself; there are several ways to
 * write it. */
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

/* True if one layout for each subresource would take gigabytes. */
bool image_has_too_many_layouts(const struct image *image);

/* True if the whole image is bound to memory that still exists. Always true for sparse and
 * swapchain images. */
bool image_is_bound(const struct image *image);
/* Does the same only for the planes in `aspects`, if planes are bound separately. */
bool image_aspects_are_bound(const struct image *image, VkImageAspectFlags aspects);
/* True if the image has memory. If planes are bound separately, one bound plane is enough, as no
 * command names all of them. */
bool image_has_memory(const struct image *image);
/* True if the image's planes are bound separately. */
bool image_is_disjoint(const struct image *image);

/* Does what image_info_effective() does, for a create info with a chain. */
const VkImageCreateInfo *image_info_of_chain(const VkImageCreateInfo *info,
                                             VkImageCreateInfo *copy) COLD;
/* The create info with the flags and usage of VkImageCreateFlags2CreateInfoKHR and
 * VkImageUsageFlags2CreateInfoKHR, which replace its own. Returns `info`, or `copy` where it has a
 * chain. */
static ALWAYS_INLINE const VkImageCreateInfo *image_info_effective(const VkImageCreateInfo *info,
                                                                   VkImageCreateInfo *copy)
{
    assert(info && copy);
    return likely(!info->pNext) ? info : image_info_of_chain(info, copy);
}

/* Queries the driver for the memory requirements. Cold. All 0 for a disjoint image, whose planes
 * have their own. Threads: any. */
VkMemoryRequirements image_requirements(const struct device *device, const struct image *image);
VkMemoryRequirements image_plane_requirements(const struct device *device,
                                              const struct image *image,
                                              VkImageAspectFlagBits plane);

/* The range without VK_REMAINING_*. `of_slices`: the layers are slices of a 3D image. The count is
 * 0 if the range begins after the end. */
VkImageSubresourceRange image_resolve_range(const struct image *image,
                                            const VkImageSubresourceRange *range, bool of_slices);
/* The image's usage for these aspects; stencil may have its own. */
VkImageUsageFlags image_usage_of_aspects(const struct image *image, VkImageAspectFlags aspects);

/* Extent of a mip level (12.3: each side is halved and rounded down, to at least 1). */
static inline uint32_t mip_extent(uint32_t extent, uint32_t level)
{
    uint32_t result = level < 32 ? extent >> level : 0;
    return result ? result : 1;
}

/* The length of a side of a plane, in texels. `side`: the length of the same side of the image;
 * `axis`: 0 to 2. */
uint32_t image_plane_side(const struct image *image, VkImageAspectFlags plane, uint32_t axis,
                          uint32_t side) COLD;

/* The length of one side of a region's mip level, in the image or in one of its planes. */
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
