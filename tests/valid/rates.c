/* Fragment shading rates: of pipelines, of primitives' combiners, and of attachments. */
#include "pipelines.h"

bool rates_there(struct world *w)
{
    return ON(pipelineFragmentShadingRate) || ON(primitiveFragmentShadingRate) ||
           ON(attachmentFragmentShadingRate);
}

static VkPhysicalDeviceFragmentShadingRatePropertiesKHR rate_properties(struct world *w)
{
    VkPhysicalDeviceFragmentShadingRatePropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR};
    (void)properties_of(w, &properties);
    return properties;
}

static VkFragmentShadingRateCombinerOpKHR any_operation(struct world *w, bool allowed, bool all)
{
    if (!allowed)
        return VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR;
    return (VkFragmentShadingRateCombinerOpKHR)
        below(w, all ? VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR + 1
                     : VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR + 1);
}

void any_rate(struct world *w, VkExtent2D *size, VkFragmentShadingRateCombinerOpKHR *operations)
{
    bool all = rate_properties(w).fragmentShadingRateNonTrivialCombinerOps;
    *size = (VkExtent2D){1, 1};
    /* also one that the device does not have: it takes the next smaller */
    if (ON(pipelineFragmentShadingRate))
        *size = (VkExtent2D){1u << below(w, 3), 1u << below(w, 3)};
    operations[0] = any_operation(w, ON(primitiveFragmentShadingRate), all);
    operations[1] = any_operation(w, ON(attachmentFragmentShadingRate), all);
}

void *chain_rate(struct world *w, const void *next, bool dynamic)
{
    VkPipelineFragmentShadingRateStateCreateInfoKHR *state =
        NEW(VkPipelineFragmentShadingRateStateCreateInfoKHR,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
            .pNext = next);
    any_rate(w, &state->fragmentSize, state->combinerOps);
    if (dynamic && !w->software) {
        state->fragmentSize = (VkExtent2D){0, 77};
        state->combinerOps[0] = (VkFragmentShadingRateCombinerOpKHR)77;
    }
    return state;
}

/* A size between the limits, where their ratio is one as well. */
static VkExtent2D any_texel(struct world *w,
                            const VkPhysicalDeviceFragmentShadingRatePropertiesKHR *p)
{
    VkExtent2D low = p->minFragmentShadingRateAttachmentTexelSize,
               high = p->maxFragmentShadingRateAttachmentTexelSize;
    for (unsigned i = 0; i < 8; i++) {
        VkExtent2D size = low;
        while (size.width < high.width && chance(w, 50))
            size.width *= 2;
        while (size.height < high.height && chance(w, 50))
            size.height *= 2;
        uint32_t most = p->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
        if (size.width <= size.height * most && size.height <= size.width * most)
            return size;
    }
    return low;
}

struct image *make_rates(struct world *w, uint32_t width, uint32_t height, uint32_t layers,
                         VkExtent2D *texel, VkImageView *view)
{
    VkPhysicalDeviceFragmentShadingRatePropertiesKHR properties = rate_properties(w);
    if (!properties.minFragmentShadingRateAttachmentTexelSize.width)
        return NULL;
    *texel = any_texel(w, &properties);
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8_UINT, (width + texel->width - 1) / texel->width,
                   (height + texel->height - 1) / texel->height,
                   VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |
                       PICK(0, VK_IMAGE_USAGE_TRANSFER_DST_BIT));
    bool layered = layers > 1 && properties.layeredShadingRateAttachments && chance(w, 50);
    info.arrayLayers = layered ? layers : 1;
    if (ON(maintenance7) && chance(w, 30)) { /* what lies outside is read as robust accesses are */
        VkPhysicalDeviceMaintenance7PropertiesKHR seventh = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_PROPERTIES_KHR};
        if (properties_of(w, &seventh) && seventh.robustFragmentShadingRateAttachmentAccess)
            info.extent.width = info.extent.height = 1;
    }
    struct image *image = make_image(w, &info);
    if (!image)
        return NULL;
    VkImageViewCreateInfo of =
        view_info(image, layered ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                  VK_IMAGE_ASPECT_COLOR_BIT);
    of.subresourceRange.layerCount = layered ? PICK(layers, VK_REMAINING_ARRAY_LAYERS) : 1;
    *view = make_view_of(w, &of);
    return image;
}

/* --- density --- */

VkImageCreateFlags subsampled(struct world *w)
{
    return !ON(fragmentDensityMapNonSubsampledImages) || chance(w, 20)
               ? VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT
               : 0;
}

/* The smallest that the area allows, or larger. `layers`: 1, but for views. */
struct image *make_density(struct world *w, uint32_t width, uint32_t height, uint32_t layers,
                           VkImageView *view)
{
    VkPhysicalDeviceFragmentDensityMapPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_PROPERTIES_EXT};
    if (!properties_of(w, &properties) || !properties.maxFragmentDensityTexelSize.width)
        return NULL;
    VkExtent2D most = properties.maxFragmentDensityTexelSize;
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8_UNORM, (width + most.width - 1) / most.width + below(w, 2),
                   (height + most.height - 1) / most.height,
                   VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT |
                       PICK(0, VK_IMAGE_USAGE_TRANSFER_DST_BIT));
    info.arrayLayers = layers;
    struct image *image = make_image(w, &info);
    if (!image)
        return NULL;
    VkImageViewCreateInfo of =
        view_info(image, layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                  VK_IMAGE_ASPECT_COLOR_BIT);
    of.subresourceRange.layerCount = layers > 1 ? PICK(layers, VK_REMAINING_ARRAY_LAYERS) : 1;
    *view = make_view_of(w, &of);
    return image;
}
