/* Mappings of shaders that use descriptor heaps: where to find a variable that is declared with a
 * set and a binding (14.4 "Descriptor Heaps", VkShaderDescriptorSetAndBindingMappingInfoEXT). Only
 * variables that the entry point of a stage statically uses are kept. */
#ifndef ASSAY_STATE_MAPPING_H
#define ASSAY_STATE_MAPPING_H

#include "state/pipeline/shader.h"

struct spirv_binding;

/* The members of a source that lead to a descriptor; 0 for members that the source does not
 * have. */
struct heap_place {
    uint32_t offset, push_offset, address_offset, index_stride, array_stride;
};

/* One variable with a set and a binding. */
struct variable_mapping {
    VkDescriptorMappingSourceEXT source;
    uint32_t binding; /* index in the reflection's `bindings` */
    uint32_t index;   /* index of the variable's binding, counted from firstBinding */
    bool embedded;    /* pEmbeddedSampler is not NULL */
    bool combined;    /* useCombinedImageSamplerIndex is set */
    /* VkPushConstantBankInfoNV: another bank of push data than the first one is read */
    bool banked;
    /* for sources that lead to data or an address, only `place` is used */
    struct heap_place place, sampler;
};

/* The mappings of one stage. Threads: const, except for `references`. */
struct stage_mappings {
    _Atomic uint32_t references;
    uint32_t count;
    struct variable_mapping list[];
};

/* The element of pMappings that maps the variable; NULL: there is none, or mappings do not support
 * the variable's type. */
const VkDescriptorSetAndBindingMappingEXT *
mapping_find(const VkShaderDescriptorSetAndBindingMappingInfoEXT *info,
             const struct spirv_reflection *code, const struct spirv_binding *variable);
/* The mapping of the variable that the element gives. */
struct variable_mapping mapping_of(const VkDescriptorSetAndBindingMappingEXT *mapping,
                                   const struct spirv_binding *variable);

/* The mappings of the entry point, from the structure in the chain of its stage; the caller holds
 * them. NULL: nothing is mapped, the code is not known, or memory ran out. */
struct stage_mappings *stage_mappings_of(const void *chain, const struct shader *shader,
                                         uint32_t entry_point) MUST_CHECK;
/* NULL returns NULL */
struct stage_mappings *stage_mappings_acquire(struct stage_mappings *mappings);
void stage_mappings_release(struct stage_mappings *mappings);

#endif
