/* Checks what a shader does with an image whose texels a sampler converts from Y'CbCr. The sampler
 * is an immutable or an embedded one, so that the pipeline knows it. (RuntimeSpirv) */
#include "core/shader/stage.h"
#include "state/descriptor/sampler.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* The instructions of VK_QCOM_image_processing whose names do not begin with OpImageSample. */
#define PROCESSED_UNSAMPLED                                                        \
    (SPIRV_ACCESS_BOX_FILTER | SPIRV_ACCESS_BLOCK_MATCH | SPIRV_ACCESS_SUM_MATCH | \
     SPIRV_ACCESS_WINDOW_MATCH)

#define CONVERSION_BROKEN(s_, vuid_, stage_, binding_, what_)                              \
    BROKEN(s_, vuid_, (stage_)->where,                                                     \
           "uses %s (set %u, binding %u) " what_ ", but its sampler converts from Y'CbCr", \
           shader_text(stage_, (binding_)->name), (binding_)->set, (binding_)->binding)

/* Checks how the shader reads a variable of OpTypeSampledImage. */
static void check_sampled_image(struct subject *s, const struct shader_stage *stage,
                                const struct spirv_binding *binding)
{
    const uint32_t access = binding->access;
    /* If an OpTypeSampledImage variable backed by an image view and sampler that require sampler
     * Y'CbCr conversion is statically used in a shader, it must only be used with OpImageSample*,
     * OpImageSparseSample*, or OpImage instructions */
    if (access & (SPIRV_ACCESS_UNSAMPLED | PROCESSED_UNSAMPLED))
        CONVERSION_BROKEN(s, VUID_RuntimeSpirv_OpTypeSampledImage_12206, stage, binding,
                          "with an instruction that is neither OpImageSample... nor OpImage");
    /* ... with a sampling instruction, it must not use the ConstOffset or Offset operands */
    else if (access & SPIRV_ACCESS_OFFSET && !(access & SPIRV_ACCESS_TEXEL))
        CONVERSION_BROKEN(s, VUID_RuntimeSpirv_ConstOffset_10718, stage, binding, "with an offset");
}

void check_stage_conversion(struct subject *s, const struct shader_stage *stage,
                            const struct spirv_binding *binding)
{
    switch (binding->resource) {
    case SPIRV_RESOURCE_SAMPLER:
        /* If a variable with type OpTypeSampler is declared in the Shader Resource Interface, it
         * must not be backed by a sampler that requires sampler Y'CbCr conversion */
        CONVERSION_BROKEN(s, VUID_RuntimeSpirv_OpTypeSampler_12203, stage, binding,
                          "as a sampler alone");
        break;
    case SPIRV_RESOURCE_SAMPLED_IMAGE:
        /* If a OpTypeImage variable backed by an image view that requires sampler Y'CbCr conversion
         * is statically used in a shader, it must only be used with OpImageQueryLevels or
         * OpImageQuerySizeLod instructions (12204, which forbids all of its uses, contradicts) */
        if (binding->access & SPIRV_ACCESS_READ && !(binding->access & SPIRV_ACCESS_PASSED))
            CONVERSION_BROKEN(s, VUID_RuntimeSpirv_OpTypeImage_12207, stage, binding,
                              "as an image alone, whose texels it reads");
        break;
    case SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER:
        check_sampled_image(s, stage, binding);
        break;
    default:
        return;
    }
    /* If an image view or sampler that requires sampler Y'CbCr conversion is accessed in a shader,
     * it must be determined by constant integral expressions */
    if (binding->arrayed && binding->access & SPIRV_ACCESS_CHOSEN)
        CONVERSION_BROKEN(s, VUID_RuntimeSpirv_None_12205, stage, binding,
                          "as an array with an index that is not constant");
}

bool layout_converts(const struct descriptor_layout *layout,
                     const struct descriptor_binding *binding)
{
    for (uint32_t i = 0; i < binding->count && binding->immutable_samplers; i++) {
        const struct sampler *sampler = sampler_by_id(layout->samplers[binding->first_sampler + i]);
        if (!sampler || !sampler->ycbcr_conversion)
            return false;
    }
    return binding->immutable_samplers && binding->count;
}

bool mapping_converts(const VkDescriptorSetAndBindingMappingEXT *mapping)
{
    const VkDescriptorMappingSourceDataEXT *data = &mapping->sourceData;
    const VkSamplerCreateInfo *sampler = NULL;
    switch (mapping->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        sampler = data->constantOffset.pEmbeddedSampler;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        sampler = data->pushIndex.pEmbeddedSampler;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        sampler = data->indirectIndex.pEmbeddedSampler;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        sampler = data->indirectIndexArray.pEmbeddedSampler;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
        sampler = data->shaderRecordIndex.pEmbeddedSampler;
        break;
    default:
        break;
    }
    return sampler && !pointer_is_bad(sampler) &&
           chain_find(sampler->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
}
