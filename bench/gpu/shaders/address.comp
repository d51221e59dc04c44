#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// A gather through buffer device addresses alone: no descriptor is bound.
#include "constants.h"
layout(local_size_x = GROUP_SIZE) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(push_constant) uniform Push { Words index, target, source; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    target.words[i] = source.words[index.words[i]] ^ SALT;
}
