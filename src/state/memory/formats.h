/* Properties of a format (from the registry), and the features that this device has for it. */
#ifndef ASSAY_STATE_FORMATS_H
#define ASSAY_STATE_FORMATS_H

#include "state/format_table.h" /* generated: struct format_info */

struct device;

#define FORMAT_COLOR_ASPECTS         VK_IMAGE_ASPECT_COLOR_BIT
#define FORMAT_DEPTH_STENCIL_ASPECTS (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)
#define FORMAT_PLANE_ASPECTS \
    (VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT)

/* Traits of a format, as bits. A format may have several. */
enum format_trait {
    FORMAT_IS_COLOR = 1 << 0,
    FORMAT_IS_DEPTH = 1 << 1,
    FORMAT_IS_STENCIL = 1 << 2,
    FORMAT_IS_MULTI_PLANAR = 1 << 3,
    FORMAT_IS_SINGLE_PLANE = 1 << 4,
    FORMAT_IS_COMPRESSED = 1 << 5,
    FORMAT_IS_UNCOMPRESSED = 1 << 6,
    FORMAT_IS_UINT = 1 << 7, /* about the color components, like the next two */
    FORMAT_IS_SINT = 1 << 8,
    FORMAT_IS_OTHER_COLOR = 1 << 9, /* color that is not integer */
    FORMAT_IS_SRGB = 1 << 10,
    FORMAT_IS_UNORM = 1 << 11,
    FORMAT_IS_YCBCR = 1 << 12, /* images of the format require a sampler Y'CbCr conversion */
    FORMAT_IS_422 = 1 << 13,   /* suffix of the format's name */
    FORMAT_IS_420 = 1 << 14,
};

/* The properties of a format; NULL for VK_FORMAT_UNDEFINED and values that are not in the
 * registry. */
static inline const struct format_info *format_info(VkFormat format)
{
    uint32_t index = format_index(format);
    return index < FORMAT_COUNT ? &format_table[index] : NULL;
}

/* The aspects of a format; 0 for unknown formats. */
static inline VkImageAspectFlags format_aspects(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info ? info->aspects : 0;
}

static inline bool format_has_depth(VkFormat format)
{
    return (format_aspects(format) & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
}

static inline bool format_has_stencil(VkFormat format)
{
    return (format_aspects(format) & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
}

static inline bool format_is_depth_stencil(VkFormat format)
{
    return (format_aspects(format) & FORMAT_DEPTH_STENCIL_ASPECTS) != 0;
}

static inline bool format_is_color(VkFormat format)
{
    return (format_aspects(format) & VK_IMAGE_ASPECT_COLOR_BIT) != 0;
}

static inline bool format_is_multi_planar(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->plane_count > 1;
}

static inline bool format_is_compressed(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->compression != FORMAT_COMPRESSION_NONE;
}

/* True for "an integer format" of kind UINT. Its color components count, or its stencil. */
static inline bool format_is_uint(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->numeric == FORMAT_NUMERIC_UINT;
}

static inline bool format_is_sint(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->numeric == FORMAT_NUMERIC_SINT;
}

static inline bool format_is_integer(VkFormat format)
{
    return format_is_uint(format) || format_is_sint(format);
}

static inline bool format_is_srgb(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->numeric == FORMAT_NUMERIC_SRGB;
}

/* True if sampling the format requires a sampler Y'CbCr conversion ("Formats requiring sampler
 * Y'CbCr conversion"). */
static inline bool format_requires_ycbcr(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info && info->chroma != 0;
}

/* The format of one plane of a multi-planar format ("Plane Format and Image Compatibility"). For
 * other formats, and if `plane` is not 0 to 2, `format` itself. */
VkFormat format_of_plane(VkFormat format, uint32_t plane);
/* The number of a plane aspect: 0 to 2 for VK_IMAGE_ASPECT_PLANE_*, 0 to 3 for memory planes; 0 for
 * other aspects. */
uint32_t aspect_plane(VkImageAspectFlags aspect);
/* The format as which an aspect of an image is copied: that of a plane, or the format itself. */
VkFormat format_of_aspect(VkFormat format, VkImageAspectFlags aspect);

/* The bytes of the smallest component; 0: components are packed, or the format is not known. */
uint32_t format_component_size(const struct format_info *format);
/* Bits of enum format_trait; 0 for unknown formats. */
static inline uint32_t format_kinds(VkFormat format)
{
    const struct format_info *info = format_info(format);
    return info ? info->kinds : 0;
}

/* True if two formats are size-compatible ("Compatible Formats": in the same class). False if one
 * is unknown. */
bool formats_compatible(VkFormat a, VkFormat b);

/* The bytes of a texel block of one aspect: a plane, depth, stencil, or color; 0: unknown. */
uint32_t format_aspect_block_size(VkFormat format, VkImageAspectFlags aspect);

/* The features that the driver reports for a format; queried once, then a load. Without
 * VkFormatProperties3 they are the 32-bit flags, to which STORAGE_{READ,WRITE}_WITHOUT_FORMAT are
 * added if the features shaderStorageImage{Read,Write}WithoutFormat are enabled. 0 for unknown
 * formats and other tilings (see format_drm_features). Threads: any; lock-free. */
VkFormatFeatureFlags2 format_features(const struct device *device, VkFormat format,
                                      VkImageTiling tiling);
VkFormatFeatureFlags2 format_buffer_features(const struct device *device, VkFormat format);
/* "Potential format features": the features for an image whose tiling is not known. All bits if the
 * format is unknown, or the device supports DRM format modifiers, which are not queried here. */
VkFormatFeatureFlags2 format_potential_features(const struct device *device, VkFormat format);
/* The features of a DRM format modifier. Queries the driver each time. Cold. */
VkFormatFeatureFlags2 format_drm_features(const struct device *device, VkFormat format,
                                          uint64_t modifier);
/* The number of memory planes of a DRM format modifier; 0: the driver does not report it. Queries
 * the driver each time. Cold. */
uint32_t format_drm_planes(const struct device *device, VkFormat format, uint64_t modifier);
/* True if the aspect is a memory plane of the modifier, or that is not known. Cold. */
bool format_drm_has_plane(const struct device *device, VkFormat format, uint64_t modifier,
                          VkImageAspectFlags aspect);

/* Queries the driver about images with this format, type, tiling, usage and flags
 * (vkGetPhysicalDeviceImageFormatProperties2, without a chain). Most answers are remembered. If the
 * result is not VK_SUCCESS, such images are not supported, or that is not known. Threads: any. */
VkResult format_image_properties(const struct device *device,
                                 const VkPhysicalDeviceImageFormatInfo2 *question,
                                 VkImageFormatProperties *properties);
struct device_state;
/* Retires the remembered answers, when the device's state is. */
void format_answers_destroy(struct device_state *state);

#endif
