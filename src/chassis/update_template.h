/* What a descriptor update template says of the memory that an update reads (14.2.3 "Descriptor Update Templates"). */
#ifndef ASSAY_CHASSIS_UPDATE_TEMPLATE_H
#define ASSAY_CHASSIS_UPDATE_TEMPLATE_H

#include "chassis/object.h"

/* The state of the template's object, NULL when memory was out. Threads: immutable. */
struct update_template {
    uint32_t count;
    size_t size; /* bytes, from pData, that an update reads at most */
    VkDescriptorUpdateTemplateEntry entries[];
};

#endif
