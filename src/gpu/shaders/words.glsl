// Memory as shaders and the layer share it.
#include "abi.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Ring { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ranges { uvec4 current, list[RANGES_VERSIONS + 1], all[2]; uint hint[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer List { uvec4 range[]; };
// The ring again, as what a check writes.
struct Record { uvec4 words[4]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Records { uint before[RING_RECORDS]; Record record[]; };

// Few types, of few members: each of them is linked into shaders with all of its decorations.
uvec2 assay_address(const in Words words, const in uint at) { return uvec2(words.word[at], words.word[at + 1u]); }
