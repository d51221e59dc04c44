#version 460
#extension GL_GOOGLE_include_directive : require
// A blur over the textures of a plain array, each of which a constant chooses: their texels around this one, weighted by a buffer.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(set = 0, binding = 0) readonly buffer Index { uint index[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 3) uniform usampler2D textures[BLURRED];

#define AROUND(number_) \
    for (int y = -1; y <= 1; y++) \
        for (int x = -1; x <= 1; x++) \
            sum += textureLod(textures[number_], (texel + vec2(x, y) + 0.5) / TEXTURE_SIDE, 0.0).r;

void main()
{
    uint i = gl_GlobalInvocationID.x, sum = source[index[i]];
    vec2 texel = vec2(i % TEXTURE_SIDE, i / TEXTURE_SIDE % TEXTURE_SIDE);
    AROUND(0)
    AROUND(1)
    AROUND(2)
    AROUND(3)
    target[i] = sum ^ SALT;
}
