/* Tracks how the variables of a shader that uses descriptor heaps are mapped. */
#include "state/memory/mapping.h"

#include "spirv/module/reflect.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* SPIR-V opcodes, as the SPIR-V header is not included here. */
#define OP_TYPE_IMAGE         25
#define OP_TYPE_SAMPLER       26
#define OP_TYPE_SAMPLED_IMAGE 27

/* The bit of VkSpirvResourceTypeFlagBitsEXT whose description fits the variable; 0: none. */
static VkSpirvResourceTypeFlagsEXT variable_resource_type(const struct spirv_reflection *code,
                                                          const struct spirv_binding *variable)
{
    assert(code && variable);
    const struct spirv_type *type =
        variable->type < code->type_count ? &code->types[variable->type] : NULL;
    const bool read_only = variable->flags & SPIRV_NON_WRITABLE;
    if (type && type->opcode == OP_TYPE_SAMPLER)
        return VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    if (type && type->opcode == OP_TYPE_SAMPLED_IMAGE)
        return VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;
    if (type && type->opcode == OP_TYPE_IMAGE)
        /* Sampled 1: used with a sampler; 2: without one. 0 is only known at run time. */
        return type->image_sampled == 1   ? VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT
               : type->image_sampled != 2 ? 0
               : read_only                ? VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT
                                          : VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT;
    switch (variable->resource) {
    case SPIRV_RESOURCE_UNIFORM_BUFFER:
        return VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT;
    case SPIRV_RESOURCE_STORAGE_BUFFER:
        return read_only ? VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT
                         : VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT;
    case SPIRV_RESOURCE_ACCELERATION_STRUCTURE:
        return VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT;
    case SPIRV_RESOURCE_TENSOR:
        return VK_SPIRV_RESOURCE_TYPE_TENSOR_BIT_ARM;
    default:
        return 0;
    }
}

const VkDescriptorSetAndBindingMappingEXT *
mapping_find(const VkShaderDescriptorSetAndBindingMappingInfoEXT *info,
             const struct spirv_reflection *code, const struct spirv_binding *variable)
{
    const uint32_t decorated = SPIRV_HAS_SET | SPIRV_HAS_BINDING;
    const VkSpirvResourceTypeFlagsEXT type = variable_resource_type(code, variable);
    /* Variables without set and binding are never mapped. */
    if (pointer_is_bad(info->pMappings) || (variable->flags & decorated) != decorated)
        return NULL;
    for (uint32_t i = 0; i < info->mappingCount; i++) {
        const VkDescriptorSetAndBindingMappingEXT *mapping = &info->pMappings[i];
        if (mapping->descriptorSet == variable->set && mapping->resourceMask & type &&
            variable->binding >= mapping->firstBinding &&
            variable->binding - mapping->firstBinding < mapping->bindingCount)
            return mapping;
    }
    return NULL;
}

/* Sets both places of a source in the heap. All of these structures have members with the same
 * names. */
#define PLACES(mapped_, data_)                                   \
    do {                                                         \
        (mapped_)->place.offset = (data_)->heapOffset;           \
        (mapped_)->sampler.offset = (data_)->samplerHeapOffset;  \
        (mapped_)->embedded = (data_)->pEmbeddedSampler != NULL; \
    } while (0)
/* Sets the array strides, which several sources have under the same names. */
#define ARRAY_STRIDES(mapped_, data_)                                      \
    do {                                                                   \
        (mapped_)->place.array_stride = (data_)->heapArrayStride;          \
        (mapped_)->sampler.array_stride = (data_)->samplerHeapArrayStride; \
    } while (0)
#define INDEX_STRIDES(mapped_, data_)                                      \
    do {                                                                   \
        (mapped_)->place.index_stride = (data_)->heapIndexStride;          \
        (mapped_)->sampler.index_stride = (data_)->samplerHeapIndexStride; \
        (mapped_)->combined = (data_)->useCombinedImageSamplerIndex;       \
    } while (0)
#define ADDRESSES(mapped_, data_)                                          \
    do {                                                                   \
        (mapped_)->place.push_offset = (data_)->pushOffset;                \
        (mapped_)->sampler.push_offset = (data_)->samplerPushOffset;       \
        (mapped_)->place.address_offset = (data_)->addressOffset;          \
        (mapped_)->sampler.address_offset = (data_)->samplerAddressOffset; \
    } while (0)

struct variable_mapping mapping_of(const VkDescriptorSetAndBindingMappingEXT *mapping,
                                   const struct spirv_binding *variable)
{
    assert(mapping && variable);
    const VkDescriptorMappingSourceDataEXT *data = &mapping->sourceData;
    struct variable_mapping result = {
        .source = mapping->source,
        .index = variable->binding - mapping->firstBinding,
        .banked = chain_find(mapping->pNext, VK_STRUCTURE_TYPE_PUSH_CONSTANT_BANK_INFO_NV) != NULL};
    switch (mapping->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        PLACES(&result, &data->constantOffset);
        ARRAY_STRIDES(&result, &data->constantOffset);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        PLACES(&result, &data->pushIndex);
        ARRAY_STRIDES(&result, &data->pushIndex);
        INDEX_STRIDES(&result, &data->pushIndex);
        result.place.push_offset = data->pushIndex.pushOffset;
        result.sampler.push_offset = data->pushIndex.samplerPushOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        PLACES(&result, &data->indirectIndex);
        ARRAY_STRIDES(&result, &data->indirectIndex);
        INDEX_STRIDES(&result, &data->indirectIndex);
        ADDRESSES(&result, &data->indirectIndex);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        PLACES(&result, &data->indirectIndexArray);
        INDEX_STRIDES(&result, &data->indirectIndexArray);
        ADDRESSES(&result, &data->indirectIndexArray);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
        PLACES(&result, &data->shaderRecordIndex);
        ARRAY_STRIDES(&result, &data->shaderRecordIndex);
        INDEX_STRIDES(&result, &data->shaderRecordIndex);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
        result.place.offset = data->heapData.heapOffset;
        result.place.push_offset = data->heapData.pushOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT:
        result.place.push_offset = data->pushDataOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
        result.place.push_offset = data->pushAddressOffset;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
        result.place.push_offset = data->indirectAddress.pushOffset;
        result.place.address_offset = data->indirectAddress.addressOffset;
        break;
    default: /* shader records, which are in device memory */
        break;
    }
    return result;
}

struct stage_mappings *stage_mappings_of(const void *chain, const struct shader *shader,
                                         uint32_t entry_point)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info =
        chain_find(chain, VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT);
    const struct spirv_reflection *code = shader ? shader->reflection : NULL;
    if (likely(!info || !code || entry_point >= code->entry_count))
        return NULL;
    const struct spirv_entry_point *entry = &code->entries[entry_point];
    struct stage_mappings *mappings =
        mem_alloc_zeroed(sizeof(*mappings) + entry->binding_count * sizeof(mappings->list[0]));
    if (!mappings)
        return NULL;
    atomic_init(&mappings->references, 1);
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const struct spirv_binding *variable = &code->bindings[entry->first_binding + i];
        const VkDescriptorSetAndBindingMappingEXT *mapping = mapping_find(info, code, variable);
        /* A variable without a mapping finds its descriptor by its set and binding. */
        if (!mapping)
            continue;
        struct variable_mapping *mapped = &mappings->list[mappings->count++];
        *mapped = mapping_of(mapping, variable);
        mapped->binding = entry->first_binding + i;
    }
    return mappings;
}

struct stage_mappings *stage_mappings_acquire(struct stage_mappings *mappings)
{
    if (mappings)
        atomic_fetch_add_explicit(&mappings->references, 1, memory_order_relaxed);
    return mappings;
}

void stage_mappings_release(struct stage_mappings *mappings)
{
    if (mappings && atomic_fetch_sub_explicit(&mappings->references, 1, memory_order_acq_rel) == 1)
        mem_retire(mappings);
}
