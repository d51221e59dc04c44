/* Mappings say where a shader of descriptor heaps finds what it declares with a set and a binding
 * (14.4 "Descriptor Heaps", VkShaderDescriptorSetAndBindingMappingInfoEXT). Only those that
 * the entry point of a stage statically uses are kept. */
#ifndef ASSAY_STATE_MAPPING_H
#define ASSAY_STATE_MAPPING_H

#include "state/pipeline/shader.h"

struct spirv_binding;

/* The members of a source that lead to a descriptor; members that the source does not have are
 * 0. */
struct heap_place {
    uint32_t offset, push_offset, address_offset, index_stride, array_stride;
};

/* One variable with a set and a binding. */
struct variable_mapping {
    VkDescriptorMappingSourceEXT source;
    uint32_t binding; /* index in the reflection's `bindings` */
    uint32_t index;   /* of the variable's binding, counted from firstBinding */
    bool embedded;    /* pEmbeddedSampler is not NULL */
    bool combined;    /* useCombinedImageSamplerIndex */
    /* VkPushConstantBankInfoNV: it reads another bank of push data than the first */
    bool banked;
    /* of sources that lead to data or an address, `place` has their only offsets */
    struct heap_place place, sampler;
};

/* The mappings of one stage. Threads: const, but for the count. */
struct stage_mappings {
    _Atomic uint32_t references;
    uint32_t count;
    struct variable_mapping list[];
};

/* The element of pMappings that the variable is mapped by; NULL where there is none, or the
 * variable is of no type that mappings know. */
const VkDescriptorSetAndBindingMappingEXT *
mapping_find(const VkShaderDescriptorSetAndBindingMappingInfoEXT *info,
             const struct spirv_reflection *code, const struct spirv_binding *variable);
/* The mapping that the element gives the variable. */
struct variable_mapping mapping_of(const VkDescriptorSetAndBindingMappingEXT *mapping,
                                   const struct spirv_binding *variable);

/* The mappings of the entry point, by the structure in the chain of its stage; held by the caller.
 * NULL where nothing is mapped, nothing is known of the code, or memory was out. */
struct stage_mappings *stage_mappings_of(const void *chain, const struct shader *shader,
                                         uint32_t entry_point) MUST_CHECK;
struct stage_mappings *stage_mappings_acquire(struct stage_mappings *mappings); /* NULL: NULL */
void stage_mappings_release(struct stage_mappings *mappings);

#endif
