#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require
// A texel of the texture that each element names: as renderers have it, with all textures in one array.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(set = 0, binding = 2) uniform sampler nearest;
layout(set = 0, binding = 3) uniform utexture2D textures[];

void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec2 texel = vec2(i % TEXTURE_SIDE, i / TEXTURE_SIDE % TEXTURE_SIDE);
    vec2 coordinates = (texel + 0.5) / TEXTURE_SIDE;
    target[i] = textureLod(usampler2D(textures[nonuniformEXT(index[i])], nearest), coordinates, 0.0).r ^ SALT;
}
