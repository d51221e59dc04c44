/* Answers what this device supports with a format. The driver is queried once, and the device's
 * state remembers the answer. */
#include "state/memory/formats.h"

#include "state/submit/queue.h"

/* Marks a remembered word as valid; no format feature has this bit. */
#define KNOWN (1ull << 63)

VkFormat format_of_plane(VkFormat format, uint32_t plane)
{
    const struct format_info *info = format_info(format);
    return info && info->plane_count > 1 && plane < info->plane_count
               ? info->planes[plane].compatible
               : format;
}

uint32_t aspect_plane(VkImageAspectFlags aspect)
{
    switch (aspect) {
    case VK_IMAGE_ASPECT_PLANE_1_BIT:
    case VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT:
        return 1;
    case VK_IMAGE_ASPECT_PLANE_2_BIT:
    case VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT:
        return 2;
    case VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT:
        return 3;
    default:
        return 0;
    }
}

VkFormat format_of_aspect(VkFormat format, VkImageAspectFlags aspect)
{
    return aspect & FORMAT_PLANE_ASPECTS ? format_of_plane(format, aspect_plane(aspect)) : format;
}

uint32_t format_component_size(const struct format_info *format)
{
    uint32_t bits = UINT32_MAX;
    if (!format || format->packed)
        return 0;
    for (uint32_t i = 0; i < ARRAY_LENGTH(format->bits); i++) {
        if (format->bits[i] && format->bits[i] < bits)
            bits = format->bits[i];
    }
    return bits == UINT32_MAX || bits % 8 || bits == 255 ? 0 : bits / 8;
}

bool formats_compatible(VkFormat a, VkFormat b)
{
    const struct format_info *first = format_info(a), *second = format_info(b);
    return first && second && (a == b || first->class == second->class);
}

uint32_t format_aspect_block_size(VkFormat format, VkImageAspectFlags aspect)
{
    const struct format_info *info = format_info(format_of_aspect(format, aspect));
    if (!info)
        return 0;
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        return info->stencil_bits / 8u;
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) /* 24-bit depth is copied as 32 bits */
        return info->depth_bits == 16 ? 2 : info->depth_bits ? 4 : 0;
    return info->block_size;
}

/* True if 64-bit features can be queried. */
static bool has_properties2(const struct device *device)
{
    const struct instance *instance = device->instance;
    return instance->dispatch.GetPhysicalDeviceFormatProperties2 &&
           extension_set_has(&instance->extensions,
                             EXTENSION_VK_KHR_get_physical_device_properties2);
}

/* True if the driver supports VkFormatProperties3. */
static bool has_features2(const struct device *device)
{
    return device->properties.apiVersion >= VK_API_VERSION_1_3 ||
           extension_set_has(&device->extensions, EXTENSION_VK_KHR_format_feature_flags2);
}

/* Adds the bits that VkFormatProperties does not have, for a device without VkFormatProperties3
 * (12.4 "Image View Format Features"). For texel buffers the specification does not say which bits
 * to add: they are treated like images. */
static VkFormatFeatureFlags2 features_widen(const struct device *device, VkFormat format,
                                            VkFormatFeatureFlags features)
{
    const VkFormatFeatureFlags stored =
        VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
    VkFormatFeatureFlags2 wide = features;
    if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT && format_is_depth_stencil(format))
        wide |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
    if (features & stored &&
        device_has_feature(device, FEATURE_shaderStorageImageReadWithoutFormat))
        wide |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
    if (features & stored &&
        device_has_feature(device, FEATURE_shaderStorageImageWriteWithoutFormat))
        wide |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    return wide;
}

/* Queries the features of a format, in the order of VkFormatProperties: linear, optimal, buffer. */
static void format_ask(const struct device *device, VkFormat format,
                       VkFormatFeatureFlags2 features[FORMAT_FEATURE_KINDS])
{
    VkFormatProperties3 wide = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
    if (has_properties2(device) && has_features2(device)) {
        properties.pNext = &wide;
        device->instance->dispatch.GetPhysicalDeviceFormatProperties2(device->physical_device,
                                                                      format, &properties);
        features[0] = wide.linearTilingFeatures;
        features[1] = wide.optimalTilingFeatures;
        features[2] = wide.bufferFeatures;
        return;
    }
    device->instance->dispatch.GetPhysicalDeviceFormatProperties(device->physical_device, format,
                                                                 &properties.formatProperties);
    /* The 32-bit features lack some that only the 64-bit ones have. */
    features[0] = features_widen(device, format, properties.formatProperties.linearTilingFeatures);
    features[1] = features_widen(device, format, properties.formatProperties.optimalTilingFeatures);
    features[2] = features_widen(device, format, properties.formatProperties.bufferFeatures);
}

/* Queries the driver, and remembers the answer for all kinds. If memory runs out, the driver is
 * queried again each time. */
static COLD VkFormatFeatureFlags2 ask_and_remember(const struct device *device, uint32_t index,
                                                   uint32_t kind)
{
    assert(index < FORMAT_COUNT && kind < FORMAT_FEATURE_KINDS);
    VkFormatFeatureFlags2 features[FORMAT_FEATURE_KINDS];
    format_ask(device, format_table[index].format, features);
    struct device_state *state = device_state_make(device);
    for (uint32_t i = 0; state && i < FORMAT_FEATURE_KINDS; i++)
        atomic_store_explicit(&state->format_features[index][i], features[i] | KNOWN,
                              memory_order_relaxed);
    return features[kind];
}

/* The features of a format; 0: the format has no features, or is unknown. */
static VkFormatFeatureFlags2 format_look_up(const struct device *device, VkFormat format,
                                            uint32_t kind)
{
    assert(kind < FORMAT_FEATURE_KINDS);
    uint32_t index = format_index(format);
    if (index == FORMAT_COUNT)
        return 0;
    struct device_state *state = object_load_state(device->object);
    uint64_t known =
        state ? atomic_load_explicit(&state->format_features[index][kind], memory_order_relaxed)
              : 0;
    return likely(known != 0) ? known & ~KNOWN : ask_and_remember(device, index, kind);
}

VkFormatFeatureFlags2 format_features(const struct device *device, VkFormat format,
                                      VkImageTiling tiling)
{
    switch (tiling) {
    case VK_IMAGE_TILING_LINEAR:
        return format_look_up(device, format, 0);
    case VK_IMAGE_TILING_OPTIMAL:
        return format_look_up(device, format, 1);
    default:
        return 0;
    }
}

VkFormatFeatureFlags2 format_buffer_features(const struct device *device, VkFormat format)
{
    return format_look_up(device, format, 2);
}

VkFormatFeatureFlags2 format_potential_features(const struct device *device, VkFormat format)
{
    if (!format_info(format) ||
        extension_set_has(&device->extensions, EXTENSION_VK_EXT_image_drm_format_modifier))
        return ~(VkFormatFeatureFlags2)0;
    return format_features(device, format, VK_IMAGE_TILING_OPTIMAL) |
           format_features(device, format, VK_IMAGE_TILING_LINEAR);
}

/* Larger than the number of modifiers that any driver has for one format. */
#define MODIFIER_MOST 128

/* Queries the driver for the properties of a modifier; all 0 if it does not report them. */
static VkDrmFormatModifierPropertiesEXT ask_modifier(const struct device *device, VkFormat format,
                                                     uint64_t modifier)
{
    VkDrmFormatModifierPropertiesEXT list[MODIFIER_MOST];
    VkDrmFormatModifierPropertiesListEXT modifiers = {
        .sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
        .drmFormatModifierCount = MODIFIER_MOST,
        .pDrmFormatModifierProperties = list};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                      .pNext = &modifiers};
    const VkDrmFormatModifierPropertiesEXT none = {.drmFormatModifier = 0};
    /* Only the second version of the query has modifiers. */
    if (!has_properties2(device))
        return none;
    device->instance->dispatch.GetPhysicalDeviceFormatProperties2(device->physical_device, format,
                                                                  &properties);
    for (uint32_t i = 0; i < modifiers.drmFormatModifierCount && i < MODIFIER_MOST; i++) {
        if (list[i].drmFormatModifier == modifier)
            return list[i];
    }
    return none;
}

VkFormatFeatureFlags2 format_drm_features(const struct device *device, VkFormat format,
                                          uint64_t modifier)
{
    const VkFormatFeatureFlags features =
        ask_modifier(device, format, modifier).drmFormatModifierTilingFeatures;
    return features ? features_widen(device, format, features) : 0;
}

uint32_t format_drm_planes(const struct device *device, VkFormat format, uint64_t modifier)
{
    return ask_modifier(device, format, modifier).drmFormatModifierPlaneCount;
}

bool format_drm_has_plane(const struct device *device, VkFormat format, uint64_t modifier,
                          VkImageAspectFlags aspect)
{
    const uint32_t count = format_drm_planes(device, format, modifier);
    for (uint32_t i = 0; i < count && i < 4; i++) {
        if (aspect == (VkImageAspectFlags)VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT << i)
            return true;
    }
    return !count;
}

/* --- images --- */

/* The driver's answer to one query about images, and the query. */
struct image_answer {
    VkFormat format;
    VkImageType type;
    VkImageTiling tiling;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags;
    VkResult result;
    VkImageFormatProperties properties;
};

/* True if the remembered answer is for this query. */
static bool is_answer_of(const struct image_answer *answer,
                         const VkPhysicalDeviceImageFormatInfo2 *question)
{
    return answer->format == question->format && answer->type == question->type &&
           answer->tiling == question->tiling && answer->usage == question->usage &&
           answer->flags == question->flags;
}

/* Queries the driver about images of this kind. */
static COLD struct image_answer ask_of_image(const struct device *device,
                                             const VkPhysicalDeviceImageFormatInfo2 *question)
{
    const struct instance *instance = device->instance;
    VkImageFormatProperties2 given = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    VkResult result =
        /* Without vkGetPhysicalDeviceImageFormatProperties2 there are no chains, so the query has
         * none. */
        has_properties2(device)
            ? instance->dispatch.GetPhysicalDeviceImageFormatProperties2(device->physical_device,
                                                                         question, &given)
            : instance->dispatch
                  .GetPhysicalDeviceImageFormatProperties(device->physical_device, question->format,
                                                          question->type, question->tiling,
                                                          question->usage, question->flags,
                                                          &given.imageFormatProperties);
    return (struct image_answer){
        question->format, question->type, question->tiling,           question->usage,
        question->flags,  result,         given.imageFormatProperties};
}

/* Remembers the answer, unless another query already has the entry. */
static COLD void remember_image(_Atomic(struct image_answer *) *place,
                                const struct image_answer *answer)
{
    struct image_answer *none = NULL, *kept;
    if (answer->result != VK_SUCCESS && answer->result != VK_ERROR_FORMAT_NOT_SUPPORTED)
        return; /* for example, out of memory: the next answer may differ */
    kept = mem_alloc(sizeof(*kept));
    if (!kept)
        return;
    *kept = *answer;
    if (!atomic_compare_exchange_strong_explicit(place, &none, kept, memory_order_release,
                                                 memory_order_relaxed))
        mem_free(kept);
}

VkResult format_image_properties(const struct device *device,
                                 const VkPhysicalDeviceImageFormatInfo2 *question,
                                 VkImageFormatProperties *properties)
{
    assert(!question->pNext);
    struct device_state *state = device_state_make(device);
    uint32_t mixed = ((uint32_t)question->format * 31 + question->usage) * 31 + question->flags +
                     (uint32_t)question->type * 5 + (uint32_t)question->tiling * 3;
    _Atomic(struct image_answer *) *place =
        state ? &state->image_answers[(mixed * 0x9e3779b1u) >> 26] : NULL;
    const struct image_answer *known =
        place ? atomic_load_explicit(place, memory_order_acquire) : NULL;
    if (likely(known && is_answer_of(known, question))) {
        *properties = known->properties;
        return known->result;
    }
    struct image_answer answer = ask_of_image(device, question);
    /* The first answer keeps the entry. For a second query with the same hash, the driver is
     * queried each time. */
    if (place && !known)
        remember_image(place, &answer);
    *properties = answer.properties;
    return answer.result;
}

void format_answers_destroy(struct device_state *state)
{
    for (uint32_t i = 0; i < IMAGE_ANSWERS; i++)
        mem_retire(atomic_load_explicit(&state->image_answers[i], memory_order_relaxed));
}
