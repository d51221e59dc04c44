/* Checks mappings to descriptor heaps against the declarations of the shader (14.4 "Descriptor
 * Heaps", VkDescriptorSetAndBindingMappingEXT). The rules of a mapping alone are rows. */
#include "core/shader/stage.h"
#include "state/memory/mapping.h"
#include "state/submit/queue.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* A shader variable and its mapping. */
struct pair {
    struct subject s; /* its location is the mapping's */
    const struct shader_stage *stage;
    const struct spirv_binding *variable;
    const struct variable_mapping *mapping;
    uint16_t type; /* opcode of the variable's type */
    /* the sizes and alignments of descriptors in heaps */
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits;
};

/* Reports that a variable and its mapping break a rule together. */
#define MAPPING_BROKEN(pair_, rule_, format_, ...)                                              \
    BROKEN(&(pair_)->s, (rule_), (pair_)->s.where, "maps \"%s\" (set %u, binding %u) " format_, \
           shader_text((pair_)->stage, (pair_)->variable->name), (pair_)->variable->set,        \
           (pair_)->variable->binding, __VA_ARGS__)

/* heapOffset and heapArrayStride must be 0 or a multiple of the descriptors' alignment. */
static void check_place(struct pair *pair, enum vuid vuid, const struct heap_place *place,
                        VkDeviceSize alignment, const char *name)
{
    assert(place);
    if (alignment && (place->offset % alignment || place->array_stride % alignment))
        MAPPING_BROKEN(pair, vuid,
                       "to offset %u with array stride %u, of which one is not a multiple of %s "
                       "(%" PRIu64 ")",
                       place->offset, place->array_stride, name, alignment);
}

/* Checks the place of the sampler of a combined image sampler. */
static void check_sampler(struct pair *pair)
{
    const struct heap_place *place = &pair->mapping->sampler;
    const VkDescriptorMappingSourceEXT source = pair->mapping->source;
    const bool direct = source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
               indirect = source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT ||
                          source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT;
    const uint32_t unit = direct ? 4 : 8;
    const VkDeviceSize most = pair->limits->maxPushDataSize;
    check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_11254, place,
                pair->limits->samplerDescriptorAlignment, "samplerDescriptorAlignment");
    /* with useCombinedImageSamplerIndex, the sampler uses pushOffset and addressOffset as well */
    if ((!direct && !indirect) || pair->mapping->combined)
        return;
    if (place->push_offset % unit)
        MAPPING_BROKEN(pair,
                       direct ? VUID_VkDescriptorSetAndBindingMappingEXT_source_12456
                              : VUID_VkDescriptorSetAndBindingMappingEXT_source_12458,
                       "with samplerPushOffset %u, which is not a multiple of %u",
                       place->push_offset, unit);
    if (most && place->push_offset > most - unit)
        MAPPING_BROKEN(pair,
                       direct ? VUID_VkDescriptorSetAndBindingMappingEXT_source_12457
                              : VUID_VkDescriptorSetAndBindingMappingEXT_source_12459,
                       "with samplerPushOffset %u, from where on maxPushDataSize (%" PRIu64
                       ") does not leave %u bytes",
                       place->push_offset, most, unit);
    if (indirect && place->address_offset % 4)
        MAPPING_BROKEN(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_12460,
                       "with samplerAddressOffset %u, which is not a multiple of 4",
                       place->address_offset);
}

/* Checks a mapping to a descriptor in a heap. */
static void check_descriptor(struct pair *pair)
{
    const struct variable_mapping *mapping = pair->mapping;
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits = pair->limits;
    if (mapping->embedded && pair->variable->arrayed)
        MAPPING_BROKEN(pair, RULE_11399, "%s", "to an embedded sampler, but it is an array");
    switch (pair->type) {
    case SpvOpTypeImage:
        check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_11251, &mapping->place,
                    limits->imageDescriptorAlignment, "imageDescriptorAlignment");
        break;
    case SpvOpTypeStruct:
        check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_11252, &mapping->place,
                    limits->bufferDescriptorAlignment, "bufferDescriptorAlignment");
        break;
    case SpvOpTypeSampler:
        check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_11253, &mapping->place,
                    limits->samplerDescriptorAlignment, "samplerDescriptorAlignment");
        break;
    case SpvOpTypeSampledImage:
        check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_12406, &mapping->place,
                    limits->imageDescriptorAlignment, "imageDescriptorAlignment");
        if (!mapping->embedded)
            check_sampler(pair);
        break;
    case SpvOpTypeTensorARM:
        check_place(pair, VUID_VkDescriptorSetAndBindingMappingEXT_source_11390, &mapping->place,
                    pair->s.call->device->extended.DescriptorHeapTensorPropertiesARM
                        .tensorDescriptorAlignment,
                    "tensorDescriptorAlignment");
        break;
    default:
        break;
    }
}

/* Checks a mapping that gives data instead of a uniform buffer. */
static void check_data(struct pair *pair, const VkDescriptorMappingSourceDataEXT *data)
{
    const struct device *device = pair->s.call->device;
    const VkDeviceSize push = pair->limits->maxPushDataSize;
    const uint32_t record = device->extended.RayTracingPipelinePropertiesKHR.maxShaderGroupStride;
    const uint32_t size = pair->variable->size;
    /* the mapped resource in the shader must be a variable with a structure type decorated with
     * Block in the Uniform Storage Class */
    if (pair->variable->resource != SPIRV_RESOURCE_UNIFORM_BUFFER || pair->variable->arrayed) {
        MAPPING_BROKEN(pair, RULE_11315, "to data, but it is %s%s, and not a uniform buffer",
                       pair->variable->arrayed ? "an array of a " : "a ",
                       spirv_resource_name(pair->variable->resource));
        return;
    }
    /* the mapped structure must not be larger than maxPushDataSize minus the pushDataOffset */
    if (pair->mapping->source == VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT && push &&
        data->pushDataOffset <= push && size > push - data->pushDataOffset)
        MAPPING_BROKEN(pair, RULE_11316,
                       "of %u bytes to push data from byte %u on, but maxPushDataSize is %" PRIu64,
                       size, data->pushDataOffset, push);
    /* the sum of mapped structure size and shaderRecordDataOffset used in the mapping must not be
     * larger than maxShaderGroupStride */
    if (pair->mapping->source == VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT && record &&
        (uint64_t)size + data->shaderRecordDataOffset > record)
        MAPPING_BROKEN(pair, RULE_11317,
                       "of %u bytes to shader records from byte %u on, but maxShaderGroupStride is "
                       "%u",
                       size, data->shaderRecordDataOffset, record);
}

/* Checks a mapping that gives an address instead of a descriptor. */
static void check_address(struct pair *pair)
{
    const uint8_t resource = pair->variable->resource;
    if ((resource != SPIRV_RESOURCE_UNIFORM_BUFFER && resource != SPIRV_RESOURCE_STORAGE_BUFFER &&
         resource != SPIRV_RESOURCE_ACCELERATION_STRUCTURE) ||
        pair->variable->arrayed)
        MAPPING_BROKEN(pair, RULE_11318,
                       "to an address, but it is %s%s, and neither a buffer nor an acceleration "
                       "structure",
                       pair->variable->arrayed ? "an array of a " : "a ",
                       spirv_resource_name(resource));
    /* the OpArrayLength instruction must not be used on that resource */
    if (pair->variable->access & SPIRV_ACCESS_LENGTH)
        MAPPING_BROKEN(pair, RULE_11378, "%s",
                       "to an address, but the shader asks for the length of its array "
                       "(OpArrayLength)");
}

/* If an instruction accesses memory through any resource with a DescriptorSet and Binding that are
 * mapped to data or an address, the resource must be determined by constant integral expressions */
static void check_chosen(struct pair *pair)
{
    if (pair->variable->access & SPIRV_ACCESS_CHOSEN)
        MAPPING_BROKEN(pair, VUID_RuntimeSpirv_DescriptorSet_11385, "%s",
                       "to data or an address, but the shader chooses its element by an index "
                       "that is not constant");
}

/* Stages of ray tracing pipelines, which have shader records. */
#define RAY_TRACING                                                       \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)

/* Checks a mapping and one variable that it maps, by the mapping's source. */
static void mapping_check_pair(struct pair *pair, const VkDescriptorMappingSourceDataEXT *data)
{
    const VkDescriptorMappingSourceEXT source = pair->mapping->source;
    /* and there is a variable in the shader that matches the mapping, the stage must be a ray
     * tracing stage */
    if ((source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT ||
         source == VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT ||
         source == VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT) &&
        !(pair->stage->stage & RAY_TRACING)) {
        MAPPING_BROKEN(pair, RULE_12454, "to shader records, which the shader of %s does not have",
                       shader_stage_name(pair->stage->stage));
        return;
    }
    switch (source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
        check_descriptor(pair);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT:
        check_data(pair, data);
        check_chosen(pair);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT:
        check_address(pair);
        check_chosen(pair);
        break;
    default:
        break;
    }
}

/* Checks that a variable is mapped, in a shader that has its descriptors in heaps. */
static bool check_mapped(const struct call *call, const struct shader_stage *stage,
                         const struct spirv_binding *variable)
{
    const uint32_t placed = SPIRV_HAS_SET | SPIRV_HAS_BINDING;
    /* If flags includes DESCRIPTOR_HEAP_BIT_EXT, all shader variables in the shader resource
     * interface with a DescriptorSet and Binding decoration must have a mapping declared in
     * VkShaderDescriptorSetAndBindingMappingInfoEXT::pMappings */
    return (variable->flags & placed) == placed && variable->resource != SPIRV_RESOURCE_UNKNOWN &&
           BROKEN_BY(call, stage_rule(stage, RULE_11312, VUID_VkShaderCreateInfoEXT_flags_11292),
                     stage->where, STAGE_OBJECT(stage),
                     "uses \"%s\" (set %u, binding %u) in a shader of descriptor heaps, which no "
                     "element of pMappings maps",
                     shader_text(stage, variable->name), variable->set, variable->binding);
}

/* Checks that the existing samplers leave room for embedded samplers on the device. */
static void check_embedded(struct pair *pair)
{
    const struct device *device = pair->s.call->device;
    const struct device_state *state = object_load_state(device->object);
    const uint64_t most = device->properties.limits.maxSamplerAllocationCount;
    const VkDeviceSize size = pair->limits->samplerDescriptorSize;
    const uint64_t taken = size ? pair->limits->minSamplerHeapReservedRangeWithEmbedded / size : 0;
    /* If any element of pCreateInfos sets DESCRIPTOR_HEAP_BIT_EXT and includes embedded sampler
     * mappings, there must be less than (maxSamplerAllocationCount -
     * (minSamplerHeapReservedRangeWithEmbedded / samplerDescriptorSize)) VkSampler objects
     * currently created on the device */
    if (size && taken <= most && state && spread_count_reaches(&state->samplers, most - taken))
        MAPPING_BROKEN(pair,
                       stage_rule(pair->stage, RULE_11414,
                                  VUID_vkCreateShadersEXT_pCreateInfos_11413),
                       "to an embedded sampler, but %" PRIu64 " samplers exist, and "
                       "maxSamplerAllocationCount - minSamplerHeapReservedRangeWithEmbedded / "
                       "samplerDescriptorSize is %" PRIu64,
                       spread_count_sum(&state->samplers), most - taken);
}

/* The size of the PushConstant Storage Class block must be less than or equal to maxPushDataSize */
static bool check_push_block(const struct call *call, const struct shader_stage *stage)
{
    const VkDeviceSize most = call->device->extended.DescriptorHeapPropertiesEXT.maxPushDataSize;
    const uint32_t end = stage->entry->push_constant_end;
    return most && stage->entry->push_constant_type != SPIRV_NONE && end > most &&
           BROKEN_BY(call, VUID_RuntimeSpirv_maxPushDataSize_12455, stage->where,
                     STAGE_OBJECT(stage),
                     "has a push constant block of %u bytes, more than %" PRIu64
                     " (maxPushDataSize)",
                     end, most);
}

/* Checks the bank of push data that a mapping reads (VK_NV_push_constant_bank). */
static bool check_bank(const struct call *call, const struct shader_stage *stage,
                       const struct location *where,
                       const VkDescriptorSetAndBindingMappingEXT *mapping)
{
    const VkPhysicalDevicePushConstantBankPropertiesNV *limits =
        &call->device->extended.PushConstantBankPropertiesNV;
    const VkPushConstantBankInfoNV *bank = CHAINED(mapping->pNext, PUSH_CONSTANT_BANK_INFO_NV);
    const VkShaderStageFlags graphics =
        VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    const bool compute = stage->stage == VK_SHADER_STAGE_COMPUTE_BIT;
    const uint32_t most = compute                   ? limits->maxComputePushDataBanks
                          : stage->stage & graphics ? limits->maxGraphicsPushDataBanks
                                                    : 0;
    if (!bank || !most || bank->bank < most)
        return false;
    const struct location at = LOCATION_CHAINED(where, "VkPushConstantBankInfoNV");
    return BROKEN_BY(call,
                     compute ? VUID_VkPushConstantBankInfoNV_bank_12347
                             : VUID_VkPushConstantBankInfoNV_bank_12346,
                     &LOCATION(&at, "bank"), STAGE_OBJECT(stage),
                     "is %u, but %s shaders have %u banks of push data", bank->bank,
                     compute ? "compute" : "graphics", most);
}

bool check_stage_mappings(const struct call *call, const struct shader_stage *stage,
                          const void *chain, bool heap)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info =
        CHAINED(chain, SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT);
    const struct spirv_reflection *code = stage->reflection;
    bool skip = false, embedded = false;
    if ((!info && !heap) || !code || !stage->entry ||
        (info && info->mappingCount && pointer_is_bad(info->pMappings)))
        return false;
    skip |= heap && check_push_block(call, stage);
    const struct location at =
        LOCATION_CHAINED(stage->where, "VkShaderDescriptorSetAndBindingMappingInfoEXT");
    /* The statements are about the mapping, whether the shader has such a variable or not. */
    for (uint32_t i = 0; info && i < info->mappingCount; i++)
        skip |= check_bank(call, stage, &LOCATION_INDEX(&at, "pMappings", i), &info->pMappings[i]);
    for (uint32_t i = 0; i < stage->entry->binding_count; i++) {
        const struct spirv_binding *variable = &code->bindings[stage->entry->first_binding + i];
        const VkDescriptorSetAndBindingMappingEXT *mapping =
            info ? mapping_find(info, code, variable) : NULL;
        if (!mapping) {
            skip |= heap && check_mapped(call, stage, variable);
            continue;
        }
        const struct variable_mapping mapped = mapping_of(mapping, variable);
        struct pair pair = {
            .s = {.call = call,
                  .where = &LOCATION_INDEX(&at, "pMappings", (uint32_t)(mapping - info->pMappings)),
                  .objects = STAGE_OBJECT(stage)},
            .stage = stage,
            .variable = variable,
            .mapping = &mapped,
            .type = variable->type < code->type_count ? code->types[variable->type].opcode : 0,
            .limits = &call->device->extended.DescriptorHeapPropertiesEXT};
        mapping_check_pair(&pair, &mapping->sourceData);
        if (mapped.embedded && unlikely(mapping_converts(mapping)))
            check_stage_conversion(&pair.s, stage, variable);
        if (mapped.embedded && heap && !embedded)
            check_embedded(&pair);
        embedded |= mapped.embedded;
        skip |= pair.s.skip;
    }
    return skip;
}
