<%
formats = m.vk.formats
classes = list(dict.fromkeys(f.className for f in formats.values()))
numerics = list(dict.fromkeys(c.numericFormat for f in formats.values() for c in f.components))
values = {f.name: f.value for f in m.enums['VkFormat'].fields}
core = 0 # how many have the numbers 1, 2, 3 ...
while core + 1 in [values[n] for n in formats]:
    core += 1
compressions = list(dict.fromkeys(f.compressed for f in formats.values() if f.compressed))
def constant(text):
    return text.upper().replace(' ', '_').replace('-', '_')
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATE_FORMAT_TABLE_H
#define ASSAY_STATE_FORMAT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "vk/vulkan.h"

/* How a component's bits are to be read ("Interpretation of Numeric Format"). */
enum format_numeric {
    FORMAT_NUMERIC_NONE,
% for n in numerics:
    FORMAT_NUMERIC_${n},
% endfor
};

/* "Compatible Formats": size-compatible formats have the same one, and each multi-planar and depth/stencil format has its own. */
enum format_class {
    FORMAT_CLASS_NONE,
% for c in classes:
    FORMAT_CLASS_${constant(c)},
% endfor
};

enum format_compression {
    FORMAT_COMPRESSION_NONE,
% for c in compressions:
    FORMAT_COMPRESSION_${constant(c)},
% endfor
};

struct format_plane {
    uint8_t width_divisor, height_divisor;
    VkFormat compatible; /* "Plane Format and Image Compatibility" */
};

/* The registry's facts about one format. */
struct format_info {
    VkFormat format;
    VkImageAspectFlags aspects; /* COLOR, DEPTH, STENCIL; and PLANE_0, PLANE_1, PLANE_2 of multi-planar ones, beside COLOR */
    uint16_t class;             /* enum format_class */
    uint16_t chroma;            /* 0, or 420, 422, 444 */
    uint16_t kinds;             /* bits of enum format_trait (state/memory/formats.h) */
    uint8_t block_size;         /* bytes of a texel block; of all planes together for multi-planar ones */
    uint8_t block_extent[3];    /* texels: 1x1x1 but for compressed and 4:2:2 single-plane ones */
    uint8_t texels_per_block;
    uint8_t packed;          /* bits of the unit that components are packed in; 0 = not packed */
    uint8_t compression;     /* enum format_compression */
    uint8_t plane_count;     /* 1 for all but multi-planar ones */
    uint8_t component_count; /* of R, G, B, A those that it has; a depth or stencil one counts each */
    uint8_t numeric;         /* enum format_numeric of its color or depth components; of stencil where it has nothing else */
    uint8_t bits[4];         /* of R, G, B, A; 0 = not there; 255 in a compressed one */
    uint8_t depth_bits, stencil_bits;
    uint8_t spirv_format; /* the SpvImageFormat that is compatible with it; 0 (Unknown): none is */
    struct format_plane planes[3]; /* plane_count of them, where that is not 1 */
};

#define FORMAT_COUNT ${len(formats)}
extern const struct format_info format_table[FORMAT_COUNT];

/* Its place in the table; FORMAT_COUNT for VK_FORMAT_UNDEFINED and what the registry does not know. */
uint32_t format_index_of(VkFormat format);
static inline uint32_t format_index(VkFormat format)
{
    uint32_t value = (uint32_t)format; /* most are of the first numbers */
    return value - 1u < ${core}u ? value - 1u : format_index_of(format);
}

#endif
