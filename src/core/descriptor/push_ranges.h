/* Writes the push constant ranges of a layout, for a finding. Threads: the calling thread. Fields
 * of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DESCRIPTOR_PUSH_RANGES_H
#define ASSAY_CORE_DESCRIPTOR_PUSH_RANGES_H

#include "state/descriptor/descriptor.h"

struct push_ranges_text {
    char text[512];
};

/* Writes, for example, "its ranges are bytes 0 to 63 for VK_SHADER_STAGE_VERTEX_BIT, and bytes 64
 * to 79 for VK_SHADER_STAGE_FRAGMENT_BIT", or "it has none". If there are many, the last ranges are
 * left out. */
const char *push_ranges_write(const struct pipeline_layout *layout,
                              struct push_ranges_text *text) COLD;
#define PUSH_RANGES(layout_) push_ranges_write((layout_), &(struct push_ranges_text){.text = ""})

#endif
