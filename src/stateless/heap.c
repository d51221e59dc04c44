/* Checks rules that no row can express, for mappings to descriptor heaps and for writes into heaps
 * (14.4 "Descriptor Heaps"). */
#include "stateless/structs.h"

#include "objects/device.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"

/* --- mappings --- */

/* True if both mappings have a binding of the same set and resource in common. Sums have 64 bits,
 * as bindingCount may be any number. */
static bool mappings_overlap(const VkDescriptorSetAndBindingMappingEXT *a,
                             const VkDescriptorSetAndBindingMappingEXT *b)
{
    return a->descriptorSet == b->descriptorSet && a->resourceMask & b->resourceMask &&
           a->firstBinding < (uint64_t)b->firstBinding + b->bindingCount &&
           b->firstBinding < (uint64_t)a->firstBinding + a->bindingCount;
}

void rule_VkShaderDescriptorSetAndBindingMappingInfoEXT(
    struct check *c, const struct location *where,
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *s)
{
    struct subject subject = {.call = c->call, .where = where};
    for (uint32_t i = 1; !pointer_is_bad(s->pMappings) && i < s->mappingCount; i++) {
        /* Compares each pair once: the later mapping with those before it. */
        for (uint32_t k = 0; k < i; k++)
            REQUIRE(&subject, VUID_VkShaderDescriptorSetAndBindingMappingInfoEXT_pMappings_11244,
                    !mappings_overlap(&s->pMappings[i], &s->pMappings[k]), "pMappings",
                    "has elements %u and %u, which both map binding %u of set %u for %s", k, i,
                    s->pMappings[k].firstBinding > s->pMappings[i].firstBinding
                        ? s->pMappings[k].firstBinding
                        : s->pMappings[i].firstBinding,
                    s->pMappings[i].descriptorSet,
                    value_text(VALUES_VkSpirvResourceTypeFlagsEXT,
                               s->pMappings[i].resourceMask & s->pMappings[k].resourceMask)
                        .text);
    }
    c->skip |= subject.skip;
}

/* The common members of the sources that are heaps with an index. */
struct heap_source {
    const char *member;
    const VkSamplerCreateInfo *sampler;
    VkBool32 combined;
};

/* The members of the source of a mapping. All are 0 if the source is not a heap with an index. */
static struct heap_source source_of(const VkDescriptorSetAndBindingMappingEXT *s)
{
    const VkDescriptorMappingSourceDataEXT *data = &s->sourceData;
    switch (s->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        return (struct heap_source){"constantOffset", data->constantOffset.pEmbeddedSampler, 0};
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        return (struct heap_source){"pushIndex", data->pushIndex.pEmbeddedSampler,
                                    data->pushIndex.useCombinedImageSamplerIndex};
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        return (struct heap_source){"indirectIndex", data->indirectIndex.pEmbeddedSampler,
                                    data->indirectIndex.useCombinedImageSamplerIndex};
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        return (struct heap_source){"indirectIndexArray", data->indirectIndexArray.pEmbeddedSampler,
                                    data->indirectIndexArray.useCombinedImageSamplerIndex};
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
        return (struct heap_source){"shaderRecordIndex", data->shaderRecordIndex.pEmbeddedSampler,
                                    data->shaderRecordIndex.useCombinedImageSamplerIndex};
    default:
        return (struct heap_source){0};
    }
}

/* Types of resources that have a sampler, or may have one. */
#define SAMPLED                                              \
    (VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT | \
     VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT | VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT)

void rule_VkDescriptorSetAndBindingMappingEXT(struct check *c, const struct location *where,
                                              const VkDescriptorSetAndBindingMappingEXT *s)
{
    struct subject subject = {.call = c->call, .where = where};
    const struct heap_source source = source_of(s);
    if (!source.member)
        return;
    REQUIRE(&subject, VUID_VkDescriptorSetAndBindingMappingEXT_source_11358,
            !source.combined || s->resourceMask & SAMPLED, "resourceMask",
            "is %s, but useCombinedImageSamplerIndex of sourceData.%s is VK_TRUE",
            value_text(VALUES_VkSpirvResourceTypeFlagsEXT, s->resourceMask).text, source.member);
    REQUIRE(&subject, VUID_VkDescriptorSetAndBindingMappingEXT_source_11389,
            s->bindingCount == 1 || !source.sampler, "bindingCount",
            "is %u, but pEmbeddedSampler of sourceData.%s is not NULL, which is for one binding",
            s->bindingCount, source.member);
    c->skip |= subject.skip;
}

void rule_VkDescriptorMappingSourceShaderRecordIndexEXT(
    struct check *c, const struct location *where,
    const VkDescriptorMappingSourceShaderRecordIndexEXT *s)
{
    struct subject subject = {.call = c->call, .where = where};
    const uint32_t most =
        c->call->device
            ? c->call->device->extended.RayTracingPipelinePropertiesKHR.maxShaderGroupStride
            : 0;
    REQUIRE(&subject, VUID_VkDescriptorMappingSourceShaderRecordIndexEXT_shaderRecordOffset_11270,
            most < 4 || s->shaderRecordOffset <= most - 4, "shaderRecordOffset",
            "is %u, more than maxShaderGroupStride - 4, %u", s->shaderRecordOffset, most - 4);
    c->skip |= subject.skip;
}

/* --- what is written --- */

#define COLOR_LACKS \
    "is %s, but aspectMask of pView->subresourceRange is %s, which has VK_IMAGE_ASPECT_COLOR_BIT"

void rule_VkImageDescriptorInfoEXT(struct check *c, const struct location *where,
                                   const VkImageDescriptorInfoEXT *s)
{
    struct subject subject = {.call = c->call, .where = where};
    if (pointer_is_bad(s->pView))
        return;
    const VkImageAspectFlags aspects = s->pView->subresourceRange.aspectMask;
    const bool depth_stencil =
        s->layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL ||
        s->layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL ||
        s->layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
        s->layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL ||
        s->layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    REQUIRE(&subject, VUID_VkImageDescriptorInfoEXT_layout_11221,
            !depth_stencil || !(aspects & VK_IMAGE_ASPECT_COLOR_BIT), "layout", COLOR_LACKS,
            value_text(VALUES_VkImageLayout, (uint64_t)s->layout).text,
            value_text(VALUES_VkImageAspectFlags, aspects).text);
    c->skip |= subject.skip;
}

void rule_vkWriteSamplerDescriptorsEXT(struct check *c, VkDevice device, uint32_t samplerCount,
                                       const VkSamplerCreateInfo *pSamplers,
                                       const VkHostAddressRangeEXT *pDescriptors)
{
    struct subject subject = {.call = c->call};
    (void)device;
    (void)pDescriptors;
    for (uint32_t i = 0; !pointer_is_bad(pSamplers) && i < samplerCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pSamplers", i);
        const VkDebugUtilsObjectNameInfoEXT *name =
            chain_find(pSamplers[i].pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
        if (name)
            REQUIRE(&subject, VUID_vkWriteSamplerDescriptorsEXT_pNext_11400,
                    name->objectType == VK_OBJECT_TYPE_UNKNOWN,
                    &LOCATION(&LOCATION_CHAINED(where, "VkDebugUtilsObjectNameInfoEXT"),
                              "objectType"),
                    "is %s: there is no object",
                    value_text(VALUES_VkObjectType, (uint64_t)name->objectType).text);
    }
    c->skip |= subject.skip;
}
