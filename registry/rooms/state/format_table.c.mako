<%
formats = list(m.vk.formats.values())
values = {f.name: f.value for f in m.enums['VkFormat'].fields}
formats.sort(key=lambda f: values[f.name])
runs = []
for i, f in enumerate(formats):
    v = values[f.name]
    if runs and runs[-1][0] + runs[-1][1] == v:
        runs[-1][1] += 1
    else:
        runs.append([v, 1, i])
def constant(text):
    return text.upper().replace(' ', '_').replace('-', '_')
def aspects(f):
    kinds = {'D': 'VK_IMAGE_ASPECT_DEPTH_BIT', 'S': 'VK_IMAGE_ASPECT_STENCIL_BIT'}
    found = dict.fromkeys(kinds.get(c.type, 'VK_IMAGE_ASPECT_COLOR_BIT') for c in f.components)
    return ' | '.join(list(found) + [f'VK_IMAGE_ASPECT_PLANE_{p.index}_BIT' for p in f.planes])
def bits(f, letter):
    for c in f.components:
        if c.type == letter:
            return 255 if c.bits == 'compressed' else int(c.bits)
    return 0
def numeric(f):
    return next((c.numericFormat for c in f.components if c.type not in 'AS'), f.components[0].numericFormat)
def kinds(f):
    color = 'VK_IMAGE_ASPECT_COLOR_BIT' in aspects(f)
    found = {
        'COLOR': color,
        numeric(f) if numeric(f) in ('UINT', 'SINT') else 'OTHER_COLOR': color,
        'DEPTH': 'VK_IMAGE_ASPECT_DEPTH_BIT' in aspects(f),
        'STENCIL': 'VK_IMAGE_ASPECT_STENCIL_BIT' in aspects(f),
        'MULTI_PLANAR' if len(f.planes) > 1 else 'SINGLE_PLANE': True,
        'COMPRESSED' if f.compressed else 'UNCOMPRESSED': True,
        'SRGB': numeric(f) == 'SRGB',
        'UNORM': numeric(f) == 'UNORM',
        'YCBCR': f.chroma,
        f.chroma: f.chroma in ('420', '422'),
    }
    return ' | '.join(f'FORMAT_IS_{kind}' for kind, holds in found.items() if holds)
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/memory/formats.h"

#include <spirv/unified1/spirv.h>

const struct format_info format_table[FORMAT_COUNT] = {
% for f in formats:
    {${f.name}, ${aspects(f)}, FORMAT_CLASS_${constant(f.className)}, ${f.chroma or 0},
     ${kinds(f)}, ${f.blockSize}, {${', '.join(f.blockExtent) or '1, 1, 1'}},
     ${f.texelsPerBlock}, ${f.packed or 0}, FORMAT_COMPRESSION_${constant(f.compressed or 'NONE')},
     ${len(f.planes) or 1}, ${len(set(c.type for c in f.components))}, FORMAT_NUMERIC_${numeric(f)}, {${', '.join(str(bits(f, c)) for c in 'RGBA')}},
     ${bits(f, 'D')}, ${bits(f, 'S')}, SpvImageFormat${f.spirvImageFormat or 'Unknown'}, {${', '.join(f'{{{p.widthDivisor}, {p.heightDivisor}, {p.compatible}}}' for p in f.planes) or '{0}'}}},
% endfor
};

uint32_t format_index_of(VkFormat format)
{
    uint32_t value = (uint32_t)format;
% for first, count, index in runs:
    if (value - ${first}u < ${count}u)
        return value - ${first}u + ${index}u;
% endfor
    return FORMAT_COUNT;
}
