/* Copies create infos of pipelines and shader objects with all that they point to, to be read when
 * the program's memory may be gone.
 * Threads: the thread of the call; the arena is the caller's. */
#ifndef ASSAY_GPU_COPY_H
#define ASSAY_GPU_COPY_H

#include "base/arena.h"
#include "vk/vulkan.h"

/* Returns a copy in the arena of the VkComputePipelineCreateInfo, VkGraphicsPipelineCreateInfo or
 * VkShaderCreateInfoEXT `info`, whose ignored pointers must be NULL. Handles are copied unchanged.
 * Chained structures that do not describe the pipeline itself (feedback, names) are left out. NULL:
 * memory is out, or a part is of a kind that may not be copied correctly. */
void *gpu_copy_create_info(struct arena *arena, const void *info);

/* --- the generated tables (registry/rooms/gpu/rules.py) --- */

enum copied_count {
    COPIED_ONE,     /* one element */
    COPIED_COUNT,   /* as many elements as the counter, of 32 bits, says */
    COPIED_BYTES,   /* the counter is a size_t */
    COPIED_SAMPLES, /* one word for each 32 samples; the counter is a number of samples */
    COPIED_STRING,  /* characters, ended by a zero */
    COPIED_CHAIN,   /* pNext of a structure that is embedded in this one */
    COPIED_NEVER,   /* must be NULL: it is not known whether, or to how much, it points */
};

#define COPIED_PLAIN   UINT8_MAX /* elements without pointers */
#define COPIED_NO_TYPE VK_STRUCTURE_TYPE_MAX_ENUM

struct copied_pointer {
    uint16_t offset, counter; /* offsets in the pointer's structure */
    uint16_t size;            /* bytes of an element */
    uint8_t structure;        /* index in copied_structures, or COPIED_PLAIN */
    uint8_t count;            /* enum copied_count */
};

struct copied_structure {
    VkStructureType type;
    uint16_t size; /* bytes; 0: the structure is left out of chains */
    uint8_t first; /* index of its first pointer in copied_pointers; pNext is not among them */
    uint8_t count;
};

extern const struct copied_pointer copied_pointers[];
extern const struct copied_structure copied_structures[];
extern const uint32_t copied_structure_count;

#endif
