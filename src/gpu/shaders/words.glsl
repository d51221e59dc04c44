// Memory as shaders and the layer share it.
#include "abi.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Ring { uint word[]; };
