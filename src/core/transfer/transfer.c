/* Checks rules that all transfer commands have about whole buffers and images: usage, memory,
 * format features, layouts, protected memory. */
#include "core/barrier/layout_fix.h"
#include "core/transfer/transfer.h"

#include "report/finding/rule.h"
#include "state/memory/image_layout.h"

struct protection call_protection(const struct call *call)
{
    struct protection protection = {false, false};
    const struct device *device = call->device;
    if (likely(!device || !device_has_feature(device, FEATURE_protectedMemory)))
        return protection;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_pool *pool =
        command_buffer ? object_load_state(command_buffer->pool) : NULL;
    protection.matters = pool && !device->extended.ProtectedMemoryProperties.protectedNoFault &&
                         !device->extended.Vulkan11Properties.protectedNoFault;
    protection.is_protected = pool && pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
    return protection;
}

bool check_protection(const struct call *call, bool resource_is_protected,
                      enum rule when_unprotected, enum rule when_protected,
                      const struct location *where, const struct finding_objects *objects)
{
    struct protection protection = call_protection(call);
    if (likely(!protection.matters || protection.is_protected == resource_is_protected))
        return false;
    if (!protection.is_protected)
        return BROKEN_BY(call, when_unprotected, where, objects,
                         "is protected, but the command buffer is not, and the device does not "
                         "support protectedNoFault");
    if (when_protected == RULE_NONE)
        return false;
    return BROKEN_BY(call, when_protected, where, objects,
                     "is not protected, but the command buffer is, and the device does "
                     "not support protectedNoFault");
}

bool check_image_usage(const struct call *call, enum rule rule, VkImageUsageFlags has,
                       VkImageUsageFlags usage, const struct transfer_image *side)
{
    assert(usage);
    struct subject s = {.call = call};
    REQUIRE_OF(&s, SIDE_OBJECT(side), rule, has & usage, &LOCATION(side->where, side->name),
               "was created with the usage %s, which lacks %s",
               value_text(VALUES_VkImageUsageFlags, has).text,
               value_text(VALUES_VkImageUsageFlags, usage).text);
    return s.skip;
}

/* Reports an image whose format lacks a feature. */
static COLD bool report_features(const struct call *call, enum rule rule,
                                 VkFormatFeatureFlags2 features, const struct transfer_image *side)
{
    assert(features);
    return BROKEN_BY(call, rule, &LOCATION(side->where, side->name), SIDE_OBJECT(side),
                     "has the format %s with %s, whose format features have no %s",
                     value_text(VALUES_VkFormat, (uint64_t)side->image->format).text,
                     value_text(VALUES_VkImageTiling, (uint64_t)side->image->tiling).text,
                     value_text(VALUES_VkFormatFeatureFlags2, features).text);
}

bool check_format_features(const struct call *call, enum rule rule, VkFormatFeatureFlags2 features,
                           const struct transfer_image *side)
{
    VkFormatFeatureFlags2 lacking = features & ~side->image->format_features;
    return likely(!lacking) ? false : report_features(call, rule, lacking, side);
}

/* Reports that the image is in another layout, and proposes a barrier as the fix. */
static COLD bool report_layout(const struct call *call, enum rule rule,
                               const struct transfer_image *side,
                               const struct layout_mismatch *mismatch)
{
    return finding_with_fix(call, rule_vuid(call->command, rule),
                            &LOCATION(side->where, side->layout_name), SIDE_OBJECT(side),
                            fix_transition(mismatch->found, side->layout),
                            "is %s, but mip level %u, array layer %u (%s) of the image is "
                            "in %s here",
                            value_text(VALUES_VkImageLayout, (uint64_t)side->layout).text,
                            mismatch->level, mismatch->layer,
                            value_text(VALUES_VkImageAspectFlags, mismatch->aspect).text,
                            value_text(VALUES_VkImageLayout, (uint64_t)mismatch->found).text);
}

bool check_recorded_layout(const struct call *call, enum rule rule,
                           const struct transfer_image *side, const VkImageSubresourceRange *range)
{
    assert(side->image && range);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct layout_mismatch mismatch;
    /* For 3D images, only the submit knows in which slices a region lies. */
    if (likely(!command_buffer || image_has_slices(side->image) ||
               !command_buffer_layout_differs(command_buffer, side->image, range, side->layout,
                                              &mismatch)))
        return false;
    return report_layout(call, rule, side, &mismatch);
}

bool check_host_layout(const struct call *call, enum rule rule, const struct transfer_image *side,
                       const VkImageSubresourceRange *range)
{
    assert(side->image && range);
    struct layout_mismatch mismatch;
    if (likely(image_has_slices(side->image) ||
               !image_layout_differs((struct image *)side->image, range, side->layout, &mismatch)))
        return false;
    /* An image without memory cannot have been in another layout. Another rule reports the missing
     * memory. */
    if (!image_has_memory(side->image))
        return false;
    return report_layout(call, rule, side, &mismatch);
}
