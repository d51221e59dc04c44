// Memory as shaders and the layer share it.
#include "abi.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Ring { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ranges { uint word[RANGES_HINTS]; uint hint[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer List { uint word[LIST_RANGES]; uvec4 range[]; };
// The ring again, as what a check writes: its record lies at a multiple of its length, and so is never in two pieces.
struct Record { uint size, shader, where, stage; uvec4 rest[3]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Records { uint before[RING_WORDS]; Record record[]; };
