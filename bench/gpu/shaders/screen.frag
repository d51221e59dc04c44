#version 460
#extension GL_GOOGLE_include_directive : require
// The sum of four textures of a plain array, each of which a constant chooses.
#include "constants.h"
layout(set = 0, binding = 0) uniform sampler2D textures[SCREEN_TEXTURES];
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
void main()
{
    colour = texture(textures[0], place) + texture(textures[1], place) + texture(textures[2], place) + texture(textures[3], place);
}
