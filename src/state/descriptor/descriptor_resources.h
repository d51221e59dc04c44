/* Says which descriptor types a shader's resource allows (table "Shader Resource and Descriptor
 * Type Correspondence", 15.6.2). Threads: any; nothing is kept. */
#ifndef ASSAY_STATE_DESCRIPTOR_RESOURCES_H
#define ASSAY_STATE_DESCRIPTOR_RESOURCES_H

#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor.h"

/* The resources that a shader may declare for a descriptor of this type, as bits 1 << enum
 * spirv_resource; UINT32_MAX: unknown. */
static inline uint32_t descriptor_resources(enum descriptor_tag tag)
{
    switch (tag) {
    case DESCRIPTOR_NOTHING:
        return 0;
    case DESCRIPTOR_SAMPLER:
        return 1u << SPIRV_RESOURCE_SAMPLER;
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
        return 1u << SPIRV_RESOURCE_SAMPLER | 1u << SPIRV_RESOURCE_SAMPLED_IMAGE |
               1u << SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER;
    case DESCRIPTOR_SAMPLED_IMAGE:
    case DESCRIPTOR_SAMPLE_WEIGHT_IMAGE:
    case DESCRIPTOR_BLOCK_MATCH_IMAGE:
        return 1u << SPIRV_RESOURCE_SAMPLED_IMAGE;
    case DESCRIPTOR_STORAGE_IMAGE:
        return 1u << SPIRV_RESOURCE_STORAGE_IMAGE;
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
        return 1u << SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER;
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        return 1u << SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER;
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
    case DESCRIPTOR_INLINE_UNIFORM_BLOCK:
        return 1u << SPIRV_RESOURCE_UNIFORM_BUFFER;
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
        return 1u << SPIRV_RESOURCE_STORAGE_BUFFER;
    case DESCRIPTOR_INPUT_ATTACHMENT:
        return 1u << SPIRV_RESOURCE_INPUT_ATTACHMENT;
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR:
    case DESCRIPTOR_ACCELERATION_STRUCTURE_NV:
    case DESCRIPTOR_PARTITIONED_ACCELERATION_STRUCTURE:
        return 1u << SPIRV_RESOURCE_ACCELERATION_STRUCTURE;
    case DESCRIPTOR_TENSOR:
        return 1u << SPIRV_RESOURCE_TENSOR;
    case DESCRIPTOR_MUTABLE: /* the descriptor has the type that was written */
    case DESCRIPTOR_TAG_COUNT:
        break;
    }
    return UINT32_MAX;
}

/* True if the descriptor may be that resource. A resource that the table does not have may be
 * anything. */
static inline bool descriptor_is_resource(enum descriptor_tag tag, enum spirv_resource resource)
{
    return resource == SPIRV_RESOURCE_UNKNOWN || resource == SPIRV_RESOURCE_TENSOR ||
           descriptor_resources(tag) >> resource & 1;
}

#endif
