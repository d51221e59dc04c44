// Memory as shaders and the layer share it.
#include "abi.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Ring { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ranges { uvec4 current, list[RANGES_VERSIONS + 1], all[2]; uint hint[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer List { uvec4 range[]; };
// Words again, two at a time, as addresses and entries are read; and the ring, as a check writes it. Few types, of few members:
// each of them is linked into shaders with all of its decorations.
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Pairs { uvec2 pair[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer Fours { uvec4 four[]; };

// An address of the command: COMMAND_...
#define COMMAND_ADDRESS(at_) (Pairs(assay_command()).pair[(at_) / 2])
