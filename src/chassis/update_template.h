/* Describes where handles are in the memory that an update with a descriptor update template reads.
 * Threads: any; a template's entries are const once it is published. */
#ifndef ASSAY_CHASSIS_UPDATE_TEMPLATE_H
#define ASSAY_CHASSIS_UPDATE_TEMPLATE_H

#include "vk/vulkan.h"

/* The form of a descriptor in that memory (VkDescriptorUpdateTemplateEntry, 14.2.3). */
enum template_data {
    TEMPLATE_NOTHING, /* no descriptors, or descriptors of a type that is unknown and not read */
    TEMPLATE_BYTES,   /* the bytes of an inline uniform block */
    TEMPLATE_HANDLE,
    TEMPLATE_BUFFER_INFO,
    TEMPLATE_IMAGE_INFO,
};

struct template_entry {
    VkDescriptorUpdateTemplateEntry given;
    enum template_data data;
};

/* The layer's copy of a template, kept with its object. It does not change. */
struct update_template {
    VkDescriptorUpdateTemplateType type;
    VkPipelineBindPoint bind_point; /* these two are only for a push descriptor template */
    uint32_t set;
    uint64_t set_layout;      /* id of the set layout, for a descriptor set template */
    uint64_t pipeline_layout; /* id of the pipeline layout, for a push descriptor template */
    uint32_t count;
    size_t size; /* bytes of the data that an update reads */
    struct template_entry entries[];
};

#endif
