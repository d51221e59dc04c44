"""The formats that cases choose among, and what the registry says of them, by a reading of its
own."""

# One of each kind that sentences tell apart.
FORMATS = [
    'VK_FORMAT_R8G8B8A8_UNORM',
    'VK_FORMAT_D16_UNORM',
    'VK_FORMAT_S8_UINT',
    'VK_FORMAT_D24_UNORM_S8_UINT',
    'VK_FORMAT_R8G8B8A8_UINT',
    'VK_FORMAT_R8G8B8A8_SRGB',
]


# Formats that differ in what statements ask of them; the first is what images are of otherwise.
TRAIT_FORMATS = [
    'VK_FORMAT_R8G8B8A8_UNORM',
    'VK_FORMAT_D16_UNORM',
    'VK_FORMAT_S8_UINT',
    'VK_FORMAT_BC1_RGB_UNORM_BLOCK',
    'VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM',
    'VK_FORMAT_R8_UINT',
    'VK_FORMAT_R8_SINT',
    'VK_FORMAT_R8G8B8A8_SRGB',
    'VK_FORMAT_G8B8G8R8_422_UNORM',
    'VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT',
    'VK_FORMAT_D24_UNORM_S8_UINT',
]


class FormatTable:
    """Reads the registry about those formats, by itself."""

    def __init__(self, m):
        self.m = m

    def kinds(self, name):
        f = self.m.vk.formats[name]
        parts = {c.type for c in f.components}
        numeric = {c.numericFormat for c in f.components if c.type not in 'DS'}
        out = {'DEPTH'} if 'D' in parts else set()
        out |= {'STENCIL'} if 'S' in parts else set()
        out |= {'COLOR'} if parts - {'D', 'S'} else set()
        out |= {'MULTI_PLANAR'} if len(f.planes) > 1 else {'SINGLE_PLANE'}
        out |= {'COMPRESSED'} if f.compressed else {'UNCOMPRESSED'}
        if 'COLOR' in out:
            out |= (
                {'UINT'}
                if 'UINT' in numeric
                else {'SINT'}
                if 'SINT' in numeric
                else {'OTHER_COLOR'}
            )
        out |= {'SRGB'} if 'SRGB' in numeric else set()
        out |= {'UNORM'} if {c.numericFormat for c in f.components} & {'UNORM'} else set()
        out |= {'YCBCR', f.chroma} if f.chroma else set()
        return out

    def fact(self, name, fact):
        f = self.m.vk.formats[name]
        extent = [int(x) for x in f.blockExtent] or [2 if f.chroma and not f.planes else 1, 1, 1]
        if fact == 'aspects':
            kinds = self.kinds(name)
            planes = sum(0x10 << i for i in range(len(f.planes)))
            return (
                ('COLOR' in kinds) * 1 | ('DEPTH' in kinds) * 2 | ('STENCIL' in kinds) * 4 | planes
            )
        if fact == 'texel block size':
            return int(f.blockSize)
        return extent[('texel block width', 'texel block height', 'texel block depth').index(fact)]
