/* Checks buffers from which a draw or dispatch reads its parameters. Threads: the calling thread.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DRAW_INDIRECT_H
#define ASSAY_CORE_DRAW_INDIRECT_H

#include "report/rules.h"

struct indirect_buffer {
    VkBuffer handle;
    VkDeviceSize offset;
    uint32_t stride;                /* in bytes; 0: the parameters have no stride */
    const char *name, *offset_name; /* names of the command's parameters */
    /* If buffer is non-sparse then it must be bound completely and contiguously to a single
     * VkDeviceMemory object */
    enum rule bound;
    /* buffer must have been created with the VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT usage flag set */
    enum rule usage;
    enum rule alignment; /* offset must be a multiple of 4 */
};
bool indirect_check_buffer(const struct call *call, const struct indirect_buffer *indirect);

/* Text for the end of a finding, such as `; the parameters are at offset 16 of VkBuffer 0x107
 * "draws", with stride 20`. A count of draws and a counter of bytes are not called parameters. */
struct indirect_text {
    char text[320];
};
const char *indirect_text(const struct call *call, const struct indirect_buffer *indirect,
                          struct indirect_text *text) COLD;
#define INDIRECT(call_, indirect_) \
    indirect_text((call_), (indirect_), &(struct indirect_text){.text = ""})

/* (stride * (count - 1) + offset + size) must be less than or equal to the size of buffer */
bool indirect_check_end(const struct call *call, const struct indirect_buffer *indirect,
                        uint32_t count, uint32_t size, enum rule rule);

#endif
