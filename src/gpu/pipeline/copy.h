/* Create infos of pipelines and shader objects, copied whole: with all that they point to, to be
 * read when the program's memory may be gone.
 * Threads: that of the call; the arena is the caller's. */
#ifndef ASSAY_GPU_COPY_H
#define ASSAY_GPU_COPY_H

#include "base/arena.h"
#include "vk/vulkan.h"

/* A copy in the arena of the VkComputePipelineCreateInfo, VkGraphicsPipelineCreateInfo or
 * VkShaderCreateInfoEXT `info`, whose pointers that mean nothing are NULL. Handles are copied as
 * they are. Chained structures that say nothing of the pipeline itself (feedback, names) are left
 * out. NULL: memory is out, or something in there is of a kind that cannot be copied for certain.
 */
void *gpu_copy_create_info(struct arena *arena, const void *info);

/* --- the generated tables (registry/rooms/gpu/rules.py) --- */

enum copied_count {
    COPIED_ONE,     /* one element */
    COPIED_COUNT,   /* as many as the counter, of 32 bits, says */
    COPIED_BYTES,   /* the counter is a size_t */
    COPIED_SAMPLES, /* one word for each 32 samples; the counter is a number of samples */
    COPIED_STRING,  /* characters, ended by a zero */
    COPIED_CHAIN,   /* pNext of a structure that lies in this one */
    COPIED_NEVER,   /* must be NULL: whether it means something, or how much, is not known */
};

#define COPIED_PLAIN   UINT8_MAX /* elements that point nowhere */
#define COPIED_NO_TYPE VK_STRUCTURE_TYPE_MAX_ENUM

struct copied_pointer {
    uint16_t offset, counter; /* in its structure */
    uint16_t size;            /* of an element; bytes */
    uint8_t structure;        /* index in copied_structures, or COPIED_PLAIN */
    uint8_t count;            /* enum copied_count */
};

struct copied_structure {
    VkStructureType type;
    uint16_t size; /* bytes; 0: the structure is left out of chains */
    uint8_t first; /* of its pointers in copied_pointers, but for pNext */
    uint8_t count;
};

extern const struct copied_pointer copied_pointers[];
extern const struct copied_structure copied_structures[];
extern const uint32_t copied_structure_count;

#endif
