#version 460
#extension GL_GOOGLE_include_directive : require
// Instance 0 fills the screen; each later one is a small triangle at a place of its own.
#include "constants.h"
layout(location = 0) out vec2 place;
void main()
{
    vec2 corner = vec2(gl_VertexIndex << 1 & 2, gl_VertexIndex & 2);
    uint small = uint(gl_InstanceIndex) - 1u;
    vec2 cell = vec2(small % SCREEN_COLUMNS, small / SCREEN_COLUMNS % SCREEN_ROWS);
    place = gl_InstanceIndex == 0 ? corner : (cell + corner) / vec2(SCREEN_COLUMNS, SCREEN_ROWS);
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
