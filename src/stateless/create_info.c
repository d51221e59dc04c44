/* Checks members of creation structures that have rules without markup in the registry, where
 * drivers would crash. Examples are sizes of zero, and arrays or values that another member
 * requires. */
#include "stateless/device.h"
#include "stateless/structs.h"

#include "report/finding/rule.h"

/* Checks that the program gives the queue families that share an object. The same rule is in
 * several structures. */
static void create_info_check_sharing(struct check *c, const struct location *where,
                                      enum vuid pointer_vuid, VkSharingMode mode, uint32_t count,
                                      const uint32_t *families)
{
    if (mode == VK_SHARING_MODE_CONCURRENT && count && unlikely(pointer_is_bad(families)))
        report_pointer(c, pointer_vuid, where, "pQueueFamilyIndices", families);
}

/* Checks usages, unless a chained structure replaces them. */
static void check_buffer_usage(struct check *c, const struct location *where, enum vuid vuid,
                               VkBufferUsageFlags usage, const void *next)
{
    if (next && chain_find(next, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO))
        return;
    if (unlikely(usage & ~FREE_VkBufferUsageFlagBits))
        check_flags(c, vuid, where, "usage", usage, &bits_VkBufferUsageFlagBits);
}

void rule_VkBufferCreateInfo(struct check *c, const struct location *where,
                             const VkBufferCreateInfo *s)
{
    create_info_check_sharing(c, where, VUID_VkBufferCreateInfo_sharingMode_00913, s->sharingMode,
                              s->queueFamilyIndexCount, s->pQueueFamilyIndices);
    check_buffer_usage(c, where, VUID_VkBufferCreateInfo_None_09499, s->usage, s->pNext);
}

void rule_VkDescriptorBufferBindingInfoEXT(struct check *c, const struct location *where,
                                           const VkDescriptorBufferBindingInfoEXT *s)
{
    check_buffer_usage(c, where, VUID_VkDescriptorBufferBindingInfoEXT_None_09499, s->usage,
                       s->pNext);
}

void rule_VkImageCreateInfo(struct check *c, const struct location *where,
                            const VkImageCreateInfo *s)
{
    create_info_check_sharing(c, where, VUID_VkImageCreateInfo_sharingMode_00941, s->sharingMode,
                              s->queueFamilyIndexCount, s->pQueueFamilyIndices);
}

void rule_VkTensorCreateInfoARM(struct check *c, const struct location *where,
                                const VkTensorCreateInfoARM *s)
{
    create_info_check_sharing(c, where, VUID_VkTensorCreateInfoARM_sharingMode_09722,
                              s->sharingMode, s->queueFamilyIndexCount, s->pQueueFamilyIndices);
}

void rule_VkSwapchainCreateInfoKHR(struct check *c, const struct location *where,
                                   const VkSwapchainCreateInfoKHR *s)
{
    create_info_check_sharing(c, where, VUID_VkSwapchainCreateInfoKHR_imageSharingMode_01277,
                              s->imageSharingMode, s->queueFamilyIndexCount,
                              s->pQueueFamilyIndices);
}

/* True if borderColor is used. Unnormalized coordinates do not use addressModeW. */
static bool clamps_to_border(const VkSamplerCreateInfo *s)
{
    return s->addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
           s->addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
           (s->addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
            !s->unnormalizedCoordinates);
}

void rule_VkSamplerCreateInfo(struct check *c, const struct location *where,
                              const VkSamplerCreateInfo *s)
{
    /* 04085 reports custom colors whose feature is not enabled. */
    if (clamps_to_border(s) && s->borderColor != VK_BORDER_COLOR_FLOAT_CUSTOM_EXT &&
        s->borderColor != VK_BORDER_COLOR_INT_CUSTOM_EXT)
        check_enum(c, VUID_VkSamplerCreateInfo_addressModeU_01078, where, "borderColor",
                   (int32_t)s->borderColor, &enum_VkBorderColor);
}

/* The reader of settings ignores the same array (settings/create_info.c). */
void rule_VkLayerSettingEXT(struct check *c, const struct location *where,
                            const VkLayerSettingEXT *s)
{
    if (s->valueCount && unlikely(pointer_is_bad(s->pValues)))
        report_pointer(c, VUID_VkLayerSettingEXT_valueCount_10070, where, "pValues", s->pValues);
}

/* True for types whose sampler may be immutable. */
static bool uses_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

void rule_VkDescriptorSetLayoutBinding(struct check *c, const struct location *where,
                                       const VkDescriptorSetLayoutBinding *s)
{
    if (likely(!s->pImmutableSamplers) || !uses_sampler(s->descriptorType) || !s->descriptorCount)
        return;
    check_handles(c, VUID_VkDescriptorSetLayoutBinding_descriptorType_00282, where,
                  "pImmutableSamplers", s->descriptorCount, s->pImmutableSamplers);
    for (uint32_t i = 0; i < s->descriptorCount && !pointer_is_bad(s->pImmutableSamplers); i++)
        /* drivers copy the samplers that the pointer leads to */
        c->call->dead_handle |= !s->pImmutableSamplers[i];
    c->skip |= c->call->dead_handle;
}

/* True if the chain and the names can be read, which are needed to find features and extensions. */
static bool device_create_info_is_sound(const VkDeviceCreateInfo *info)
{
    const VkBaseInStructure *next = info->pNext;
    for (uint32_t i = 0; next; i++, next = next->pNext) {
        if (pointer_is_bad(next) || i == CHAIN_LIMIT)
            return false;
    }
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (pointer_is_bad(info->ppEnabledExtensionNames) ||
            pointer_is_bad(info->ppEnabledExtensionNames[i]))
            return false;
    }
    return !info->pEnabledFeatures || !pointer_is_bad(info->pEnabledFeatures);
}

void check_VkDeviceCreateInfo(struct check *c, const struct location *where, const void *structure)
{
    struct device_check device = {.check = *c};
    /* Rows then check the features of the device that is to be created. */
    device.check.of_device = true;
    /* if a pointer points nowhere, the features are not checked */
    if (device_create_info_is_sound(structure))
        feature_set_read(&device.features, structure);
    else
        device.check.of_device = false;
    check_VkDeviceCreateInfo_itself(&device.check, where, structure);
    c->skip = device.check.skip;
}

/* A slot may be reserved only if a setting enables something that needs the slot. */
void rule_VkValidationFeaturesEXT(struct check *c, const struct location *where,
                                  const VkValidationFeaturesEXT *s)
{
    bool reserves = false, uses = false;
    uint32_t at = 0;
    for (uint32_t i = 0;
         !pointer_is_bad(s->pEnabledValidationFeatures) && i < s->enabledValidationFeatureCount;
         i++) {
        const VkValidationFeatureEnableEXT feature = s->pEnabledValidationFeatures[i];
        if (feature == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT)
            at = i;
        reserves |= feature == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
        uses |= feature == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT ||
                feature == VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT;
    }
    if (reserves && !uses)
        c->skip |=
            BROKEN_BY(c->call, VUID_VkValidationFeaturesEXT_pEnabledValidationFeatures_02967,
                      &LOCATION_INDEX(where, "pEnabledValidationFeatures", at), NULL,
                      "is VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT, "
                      "but neither VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT nor "
                      "VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT is there, which the slot "
                      "is for");
}

void rule_VkRenderPassTileShadingCreateInfoQCOM(struct check *c, const struct location *where,
                                                const VkRenderPassTileShadingCreateInfoQCOM *s)
{
    struct subject subject = {.call = c->call, .where = where};
    const struct device *device = c->call->device;
    const VkExtent2D apron = s->tileApronSize;
    const bool enabled = s->flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
    /* At vkCreateDevice and before there is no device whose features could be compared. */
    if (!device)
        return;
    REQUIRE(&subject, VUID_VkRenderPassTileShadingCreateInfoQCOM_flags_10660,
            !(s->flags & VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM) ||
                (enabled && (device_has_feature(device, FEATURE_tileShadingPerTileDispatch) ||
                             device_has_feature(device, FEATURE_tileShadingPerTileDraw))),
            "flags", "has VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM, but %s",
            enabled
                ? "neither the feature tileShadingPerTileDispatch nor tileShadingPerTileDraw is "
                  "enabled"
                : "lacks VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM");
    const bool asked = apron.width || apron.height;
    const bool aprons = enabled && device_has_feature(device, FEATURE_tileShadingApron);
    REQUIRE(&subject, VUID_VkRenderPassTileShadingCreateInfoQCOM_flags_10659, !asked || aprons,
            "tileApronSize", "is %ux%u, but %s", apron.width, apron.height,
            enabled ? "the feature tileShadingApron is not enabled"
                    : "flags lacks VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM");
    /* Otherwise the first rule is already broken. */
    if (asked && aprons) {
        const uint32_t most = device->extended.TileShadingPropertiesQCOM.maxApronSize;
        REQUIRE(&subject,
                VUID_VkRenderPassTileShadingCreateInfoQCOM_tileShadingAnisotropicApron_10661,
                apron.width == apron.height ||
                    device_has_feature(device, FEATURE_tileShadingAnisotropicApron),
                "tileApronSize",
                "is %ux%u, but the feature tileShadingAnisotropicApron is not enabled", apron.width,
                apron.height);
        REQUIRE(&subject, VUID_VkRenderPassTileShadingCreateInfoQCOM_tileApronSize_10662,
                apron.width <= most, "tileApronSize.width", "is %u, but maxApronSize is %u",
                apron.width, most);
        REQUIRE(&subject, VUID_VkRenderPassTileShadingCreateInfoQCOM_tileApronSize_10663,
                apron.height <= most, "tileApronSize.height", "is %u, but maxApronSize is %u",
                apron.height, most);
    }
    c->skip |= subject.skip;
}

/* size must be less than or equal to the largest heap of tile memory; of no heap the sentence says
 * nothing */
void rule_VkTileMemorySizeInfoQCOM(struct check *c, const struct location *where,
                                   const VkTileMemorySizeInfoQCOM *s)
{
    struct subject subject = {.call = c->call, .where = where};
    const struct device *device = c->call->device;
    VkDeviceSize most = 0;
    if (!device || !s->size)
        return;
    for (uint32_t i = 0; i < device->memory_properties.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &device->memory_properties.memoryHeaps[i];
        if (heap->flags & VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM && heap->size > most)
            most = heap->size;
    }
    REQUIRE(&subject, VUID_VkTileMemorySizeInfoQCOM_size_10729, !most || s->size <= most, "size",
            "is %llu, but the largest heap of tile memory has %llu bytes",
            (unsigned long long)s->size, (unsigned long long)most);
    c->skip |= subject.skip;
}
