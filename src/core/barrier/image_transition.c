/* Checks that a range of an image may go from one layout to another. Rules about the layout that
 * the image currently has are elsewhere. */
#include "core/barrier/image_transition.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"

#include <inttypes.h>

/* The image as the only object of a finding. */
static struct finding_objects image_object(const struct image *image)
{
    return (struct finding_objects){.count = 1,
                                    .list = {{HANDLE_IMAGE, object_state_handle(&image->base)}}};
}

/* --- the range --- */

/* True if layers of the range may be slices of a 3D image (VK_KHR_maintenance9). */
static bool counts_slices(const struct call *call, const struct image *image)
{
    return image->type == VK_IMAGE_TYPE_3D &&
           (image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT) &&
           device_has_slices(call->device);
}

/* Checks the mip levels of a range. */
static bool check_levels(const struct call *call, const struct image *image,
                         const VkImageSubresourceRange *range, const struct location *where)
{
    struct finding_objects objects = image_object(image);
    struct subject s = {.call = call, .where = where};
    /* subresourceRange.baseMipLevel must be less than the mipLevels specified in VkImageCreateInfo
     */
    if (unlikely(range->baseMipLevel >= image->mip_levels))
        BROKEN_OF(&s, &objects, RULE_01486, "baseMipLevel",
                  "is %u, but the image has %u mip levels (VkImageCreateInfo::mipLevels)",
                  range->baseMipLevel, image->mip_levels);
    /* If subresourceRange.levelCount is not VK_REMAINING_MIP_LEVELS, baseMipLevel + levelCount must
     * be less than or equal to the mipLevels */
    else if (unlikely(range->levelCount != VK_REMAINING_MIP_LEVELS &&
                      (uint64_t)range->baseMipLevel + range->levelCount > image->mip_levels))
        BROKEN_OF(&s, &objects, RULE_01724, "levelCount",
                  "is %u from baseMipLevel %u on, but the image has %u mip levels "
                  "(VkImageCreateInfo::mipLevels)",
                  range->levelCount, range->baseMipLevel, image->mip_levels);
    return s.skip;
}

/* Checks a range whose layers are slices of a 3D image (maintenance9). */
static bool image_transition_check_slices(const struct call *call, const struct image *image,
                                          const VkImageSubresourceRange *range,
                                          const struct location *where)
{
    assert(image->type == VK_IMAGE_TYPE_3D);
    struct finding_objects objects = image_object(image);
    uint32_t depth = mip_extent(image->extent.depth, range->baseMipLevel);
    struct subject s = {.call = call, .where = where};
    /* ... either baseArrayLayer is not equal to 0 or layerCount is not equal to
     * VK_REMAINING_ARRAY_LAYERS, levelCount must be 1 */
    if ((range->baseArrayLayer || range->layerCount != VK_REMAINING_ARRAY_LAYERS) &&
        range->levelCount != 1 &&
        !(range->levelCount == VK_REMAINING_MIP_LEVELS &&
          range->baseMipLevel + 1 >= image->mip_levels))
        BROKEN_OF(&s, &objects, RULE_10799, "levelCount",
                  "is %u, but a range of some slices of a 3D image must have one "
                  "mip level (maintenance9)",
                  range->levelCount);
    /* baseArrayLayer must be less than the depth computed from baseMipLevel and extent.depth */
    if (range->baseArrayLayer >= depth)
        BROKEN_OF(&s, &objects, RULE_10798, "baseArrayLayer",
                  "is %u, but mip level %u of the 3D image is %u deep", range->baseArrayLayer,
                  range->baseMipLevel, depth);
    /* ... baseArrayLayer + layerCount must be less than or equal to the depth */
    else if (range->layerCount != VK_REMAINING_ARRAY_LAYERS &&
             (uint64_t)range->baseArrayLayer + range->layerCount > depth)
        BROKEN_OF(&s, &objects, RULE_10800, "layerCount",
                  "is %u from baseArrayLayer %u on, but mip level %u of the 3D image is %u deep",
                  range->layerCount, range->baseArrayLayer, range->baseMipLevel, depth);
    return s.skip;
}

/* Checks the array layers of a range. */
static bool image_transition_check_layers(const struct call *call, const struct image *image,
                                          const VkImageSubresourceRange *range,
                                          const struct location *where)
{
    if (unlikely(image->type == VK_IMAGE_TYPE_3D) && counts_slices(call, image))
        return image_transition_check_slices(call, image, range, where);
    struct finding_objects objects = image_object(image);
    struct subject s = {.call = call, .where = where};
    /* subresourceRange.baseArrayLayer must be less than the arrayLayers specified in
     * VkImageCreateInfo */
    if (unlikely(range->baseArrayLayer >= image->array_layers))
        BROKEN_OF(&s, &objects, RULE_01488, "baseArrayLayer",
                  "is %u, but the image has %u array layers (VkImageCreateInfo::arrayLayers)",
                  range->baseArrayLayer, image->array_layers);
    /* ... layerCount is not VK_REMAINING_ARRAY_LAYERS, baseArrayLayer + layerCount must be less
     * than or equal to the arrayLayers */
    else if (unlikely(range->layerCount != VK_REMAINING_ARRAY_LAYERS &&
                      (uint64_t)range->baseArrayLayer + range->layerCount > image->array_layers))
        BROKEN_OF(&s, &objects, RULE_01725, "layerCount",
                  "is %u from baseArrayLayer %u on, but the image has %u array layers "
                  "(VkImageCreateInfo::arrayLayers)",
                  range->layerCount, range->baseArrayLayer, image->array_layers);
    return s.skip;
}

/* --- aspects --- */

/* Reports an aspect mask. `wanted`: the aspects that are needed, in words. */
static COLD bool report_aspects(const struct call *call, enum rule rule, const struct image *image,
                                VkImageAspectFlags mask, const char *wanted,
                                const struct location *where)
{
    assert(wanted);
    struct finding_objects objects = image_object(image);
    return BROKEN_BY(call, rule, &LOCATION(where, "aspectMask"), &objects,
                     "is %s, but an image of format %s needs %s",
                     value_text(VALUES_VkImageAspectFlags, mask).text,
                     value_text(VALUES_VkFormat, (uint64_t)image->format).text, wanted);
}

/* Finds the rule that the aspects of a depth/stencil image break; RULE_NONE: they break none.
 * `*wanted`: the aspects that the rule wants, in words. */
static enum rule wrong_depth_stencil_aspects(const struct call *call, const struct image *image,
                                             VkImageAspectFlags mask, const char **wanted)
{
    const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    VkImageAspectFlags has = format_aspects(image->format) & both;
    /* If image has a depth-only (stencil-only) format then the aspectMask must be
     * VK_IMAGE_ASPECT_DEPTH_BIT (STENCIL) */
    if (has != both) {
        *wanted = has == VK_IMAGE_ASPECT_DEPTH_BIT ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                   : "VK_IMAGE_ASPECT_STENCIL_BIT";
        if (mask == has)
            return RULE_NONE;
        return has == VK_IMAGE_ASPECT_DEPTH_BIT ? RULE_10749 : RULE_10750;
    }
    /* ... both depth and stencil and the separateDepthStencilLayouts feature is not enabled, then
     * ... must include both */
    if (!device_has_feature(call->device, FEATURE_separateDepthStencilLayouts)) {
        *wanted = "both VK_IMAGE_ASPECT_DEPTH_BIT and VK_IMAGE_ASPECT_STENCIL_BIT (the feature "
                  "separateDepthStencilLayouts is not enabled)";
        return (mask & both) == both ? RULE_NONE : RULE_03320;
    }
    /* ... is enabled, then ... must include either or both */
    *wanted = "VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT or both";
    return mask & both ? RULE_NONE : RULE_03319;
}

/* Finds the rule that an aspect mask breaks; RULE_NONE: it breaks none. `*wanted`: the aspects that
 * the rule wants, in words. */
static enum rule wrong_aspects(const struct call *call, const struct image *image,
                               VkImageAspectFlags mask, const char **wanted)
{
    const VkImageAspectFlags planes =
        VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
    VkImageAspectFlags has = format_aspects(image->format);
    enum rule rule = RULE_NONE;
    if (has & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) {
        rule = wrong_depth_stencil_aspects(call, image, mask, wanted);
    } else if (image->plane_count <= 1) {
        /* If image has a color format that is single-plane, then the aspectMask must be
         * VK_IMAGE_ASPECT_COLOR_BIT */
        *wanted = "VK_IMAGE_ASPECT_COLOR_BIT";
        rule = RULE_09241;
    } else if (!(image->flags & VK_IMAGE_CREATE_DISJOINT_BIT)) {
        /* If image has a color format and is not disjoint, then the aspectMask must be
         * VK_IMAGE_ASPECT_COLOR_BIT */
        *wanted =
            "VK_IMAGE_ASPECT_COLOR_BIT unless the image is disjoint (VK_IMAGE_CREATE_DISJOINT_BIT)";
        rule = RULE_09242;
    } else if (!(mask & (planes | VK_IMAGE_ASPECT_COLOR_BIT))) {
        /* ... the image is disjoint, then the aspectMask must include at least one multi-planar
         * aspect mask bit or COLOR */
        *wanted = "aspects of planes, or VK_IMAGE_ASPECT_COLOR_BIT";
        rule = RULE_01672;
    }
    /* subresourceRange.aspectMask must be valid for the format the image was created with: follows
     * from the others */
    if (rule != RULE_NONE || !(mask & ~has))
        return rule;
    *wanted = "no more aspects than it has";
    return RULE_09601;
}

/* Checks that the image's format has the aspects of a range. Formats that are not known are not
 * checked. */
static bool image_transition_check_aspects(const struct call *call, const struct image *image,
                                           VkImageAspectFlags mask, const struct location *where)
{
    VkImageAspectFlags has = format_aspects(image->format);
    const char *wanted = NULL;
    if (likely(mask == VK_IMAGE_ASPECT_COLOR_BIT && has & VK_IMAGE_ASPECT_COLOR_BIT) || !has)
        return false;
    enum rule rule = wrong_aspects(call, image, mask, &wanted);
    return rule != RULE_NONE && report_aspects(call, rule, image, mask, wanted, where);
}

/* --- layouts --- */

/* The usages that a layout requires: one of `any`, one of `and_any` unless that is 0, and all of
 * `and_all`. */
struct layout_usage {
    VkImageLayout layout;
    VkImageUsageFlags any, and_any, and_all; /* `and_all`: all of these, too */
    enum rule rule;                          /* rule that an image without these usages breaks */
};

/* Shorter names of usages, for the table. */
#define USAGE(name_)    VK_IMAGE_USAGE_##name_
#define ATTACHMENTS     (USAGE(COLOR_ATTACHMENT_BIT) | USAGE(DEPTH_STENCIL_ATTACHMENT_BIT))
#define READ_BY_SHADERS (USAGE(SAMPLED_BIT) | USAGE(INPUT_ATTACHMENT_BIT))
#define DEPTH_STENCIL   USAGE(DEPTH_STENCIL_ATTACHMENT_BIT)

/* "If oldLayout or newLayout is X then image must have been created with Y", in the order of their
 * use. */
static const struct layout_usage layout_usages[] = {
    {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, USAGE(COLOR_ATTACHMENT_BIT), 0, 0, RULE_01208},
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_01209},
    {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_01210},
    {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, READ_BY_SHADERS, 0, 0, RULE_01211},
    {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, USAGE(TRANSFER_SRC_BIT), 0, 0, RULE_01212},
    {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, USAGE(TRANSFER_DST_BIT), 0, 0, RULE_01213},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_01658},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_01659},
    {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, DEPTH_STENCIL | READ_BY_SHADERS, 0, 0, RULE_04065},
    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_04066},
    {VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, DEPTH_STENCIL | READ_BY_SHADERS, 0, 0, RULE_04067},
    {VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_STENCIL, 0, 0, RULE_04068},
    {VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, ATTACHMENTS, 0, 0, RULE_03938},
    {VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, DEPTH_STENCIL | READ_BY_SHADERS, 0, 0, RULE_03939},
    {VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
     USAGE(FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR), 0, 0, RULE_02088},
    {VK_IMAGE_LAYOUT_VIDEO_DECODE_SRC_KHR, USAGE(VIDEO_DECODE_SRC_BIT_KHR), 0, 0, RULE_07120},
    {VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR, USAGE(VIDEO_DECODE_DST_BIT_KHR), 0, 0, RULE_07121},
    {VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR, USAGE(VIDEO_DECODE_DPB_BIT_KHR), 0, 0, RULE_07122},
    {VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, USAGE(VIDEO_ENCODE_SRC_BIT_KHR), 0, 0, RULE_07123},
    {VK_IMAGE_LAYOUT_VIDEO_ENCODE_DST_KHR, USAGE(VIDEO_ENCODE_DST_BIT_KHR), 0, 0, RULE_07124},
    {VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR, USAGE(VIDEO_ENCODE_DPB_BIT_KHR), 0, 0, RULE_07125},
    {VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR,
     USAGE(VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR) | USAGE(VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR),
     0, 0, RULE_10287},
    {VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT, ATTACHMENTS, READ_BY_SHADERS,
     USAGE(ATTACHMENT_FEEDBACK_LOOP_BIT_EXT), RULE_07006},
};

/* The usages that a layout requires; NULL: it requires none. */
static const struct layout_usage *find_usage(VkImageLayout layout)
{
    const uint32_t index = (uint32_t)layout - VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    if (likely(index < 6)) /* the numbers of the first layouts are their indices */
        return &layout_usages[index];
    for (uint32_t i = 0; i < ARRAY_LENGTH(layout_usages); i++) {
        if (layout_usages[i].layout == layout)
            return &layout_usages[i];
    }
    return NULL;
}

/* Reports a layout for which the image lacks a usage. */
static COLD bool image_transition_report_usage(const struct call *call, enum rule rule,
                                               const struct image *image, VkImageLayout layout,
                                               VkImageUsageFlags needed,
                                               const struct location *where)
{
    assert(needed);
    struct finding_objects objects = image_object(image);
    return BROKEN_BY(call, rule, where, &objects,
                     "is %s, but the image was created with usage %s, which lacks what it "
                     "needs of %s",
                     TEXT_OF(VkImageLayout, layout),
                     value_text(VALUES_VkImageUsageFlags, image->usage).text,
                     value_text(VALUES_VkImageUsageFlags, needed).text);
}

/* Checks that the image has a usage which the layout requires. */
static bool image_transition_check_usage(const struct call *call, const struct image *image,
                                         VkImageLayout layout, const struct location *where)
{
    VkImageUsageFlags usage = image->usage | image->stencil_usage;
    if (layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_UNDEFINED)
        return false;
    /* ... either the STORAGE usage flag set, or with both INPUT_ATTACHMENT and either of
     * COLOR_ATTACHMENT or DEPTH_STENCIL_ATTACHMENT */
    if (layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ)
        return !(usage & USAGE(STORAGE_BIT)) &&
               !(usage & USAGE(INPUT_ATTACHMENT_BIT) && usage & ATTACHMENTS) &&
               image_transition_report_usage(call, RULE_09550, image, layout,
                                             USAGE(STORAGE_BIT) | USAGE(INPUT_ATTACHMENT_BIT) |
                                                 ATTACHMENTS,
                                             where);
    const struct layout_usage *needs = find_usage(layout);
    if (likely(!needs || (usage & needs->any && (!needs->and_any || usage & needs->and_any) &&
                          (usage & needs->and_all) == needs->and_all)))
        return false;
    /* Without the feature no image can have that usage, and 07313 has been reported. */
    if (layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT &&
        !device_has_feature(call->device, FEATURE_attachmentFeedbackLoopLayout))
        return false;
    return image_transition_report_usage(call, needs->rule, image, layout,
                                         needs->any | needs->and_any | needs->and_all, where);
}

/* Reports a layout that requires a feature which is not enabled. */
static COLD bool report_feature(const struct call *call, enum rule rule, VkImageLayout layout,
                                const char *feature, const struct location *where)
{
    assert(feature);
    return BROKEN_BY(call, rule, where, NULL, "is %s, but the feature %s is not enabled",
                     TEXT_OF(VkImageLayout, layout), feature);
}

/* Checks rules that hold even where the layouts are ignored. */
static bool check_layout_features(const struct call *call,
                                  const struct image_transition *transition,
                                  const struct location *where)
{
    bool skip = false;
    for (uint32_t i = 0; i < 2; i++) {
        VkImageLayout layout = i ? transition->new_layout : transition->old_layout;
        const struct location at = LOCATION(where, i ? "newLayout" : "oldLayout");
        if (likely(layout <= VK_IMAGE_LAYOUT_PREINITIALIZED))
            continue;
        /* If the synchronization2 feature is not enabled, oldLayout must not be ATTACHMENT_OPTIMAL
         * or READ_ONLY_OPTIMAL */
        if ((layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL ||
             layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL) &&
            !device_has_feature(call->device, FEATURE_synchronization2))
            skip |=
                report_feature(call, i ? RULE_07794 : RULE_07793, layout, "synchronization2", &at);
        /* If the dynamicRenderingLocalRead feature is not enabled, oldLayout must not be
         * RENDERING_LOCAL_READ */
        if (layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ &&
            !device_has_feature(call->device, FEATURE_dynamicRenderingLocalRead))
            skip |= report_feature(call, i ? RULE_09552 : RULE_09551, layout,
                                   "dynamicRenderingLocalRead", &at);
        /* If the attachmentFeedbackLoopLayout feature is not enabled, newLayout must not be
         * ATTACHMENT_FEEDBACK_LOOP_OPTIMAL */
        if (i && layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT &&
            !device_has_feature(call->device, FEATURE_attachmentFeedbackLoopLayout))
            skip |= report_feature(call, RULE_07313, layout, "attachmentFeedbackLoopLayout", &at);
        /* If the zeroInitializeDeviceMemory feature is not enabled, oldLayout must not be
         * ZERO_INITIALIZED */
        if (!i && layout == VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT &&
            !device_has_feature(call->device, FEATURE_zeroInitializeDeviceMemory))
            skip |= report_feature(call, RULE_10767, layout, "zeroInitializeDeviceMemory", &at);
    }
    return skip;
}

/* True for layouts that only a stencil aspect can have. */
static bool is_stencil_layout(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
}

/* True for layouts that only a depth aspect can have. */
static bool is_depth_layout(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
}

/* Reports a layout of one aspect for a range with other aspects. `new_layout`: the layout is
 * newLayout, not oldLayout. */
static COLD bool report_aspect_layout(const struct call *call, enum rule rule,
                                      const struct image_transition *transition, bool new_layout,
                                      const struct location *where)
{
    struct finding_objects objects = image_object(transition->image);
    return BROKEN_BY(call, rule, &LOCATION(where, new_layout ? "newLayout" : "oldLayout"), &objects,
                     "is %s, but subresourceRange.aspectMask is %s",
                     TEXT_OF(VkImageLayout,
                             new_layout ? transition->new_layout : transition->old_layout),
                     value_text(VALUES_VkImageAspectFlags, transition->range->aspectMask).text);
}

/* Checks that a layout of one aspect is not used for the other aspect. */
static bool check_aspect_layouts(const struct call *call, const struct image_transition *transition,
                                 const struct location *where)
{
    VkImageAspectFlags mask = transition->range->aspectMask;
    VkImageLayout from = transition->old_layout, to = transition->new_layout;
    bool skip = false;
    /* If the aspectMask includes DEPTH, oldLayout and newLayout must not be one of
     * STENCIL_ATTACHMENT_OPTIMAL or STENCIL_READ_ONLY_OPTIMAL */
    if (mask & VK_IMAGE_ASPECT_DEPTH_BIT && (is_stencil_layout(from) || is_stencil_layout(to)))
        skip |= report_aspect_layout(call, RULE_08702, transition, is_stencil_layout(to), where);
    /* If the aspectMask includes STENCIL, oldLayout and newLayout must not be one of
     * DEPTH_ATTACHMENT_OPTIMAL or DEPTH_READ_ONLY_OPTIMAL */
    if (mask & VK_IMAGE_ASPECT_STENCIL_BIT && (is_depth_layout(from) || is_depth_layout(to)))
        skip |= report_aspect_layout(call, RULE_08703, transition, is_depth_layout(to), where);
    return skip;
}

/* If oldLayout is VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT, then all subresources must be included in
 * the barrier */
static bool includes_all(const struct image *image, const VkImageSubresourceRange *range)
{
    return range->baseMipLevel == 0 && range->baseArrayLayer == 0 &&
           (range->levelCount == VK_REMAINING_MIP_LEVELS ||
            range->levelCount >= image->mip_levels) &&
           (range->layerCount == VK_REMAINING_ARRAY_LAYERS ||
            range->layerCount >= image->array_layers);
}

/* Checks a transition. `host`: it is a VkHostImageLayoutTransitionInfo, and rules that rows check
 * are left out. */
static inline __attribute__((always_inline)) bool
check_transition(const struct call *call, const struct image_transition *transition,
                 const struct location *where, bool host)
{
    assert(transition->image && transition->range);
    const struct image *image = transition->image;
    const VkImageSubresourceRange *range = transition->range;
    const struct location range_where = LOCATION(where, "subresourceRange");
    struct subject s = {.call = call, .where = where};
    if (!host)
        s.skip |= check_levels(call, image, range, &range_where);
    s.skip |= image_transition_check_layers(call, image, range, &range_where);
    s.skip |= image_transition_check_aspects(call, image, range->aspectMask, &range_where);
    /* If image is non-sparse then the image or each specified disjoint plane must be bound
     * completely ... to a single VkDeviceMemory object */
    if (unlikely(!image_aspects_are_bound(image, range->aspectMask))) {
        struct finding_objects objects = image_object(image);
        BROKEN_OF(&s, &objects, RULE_01932, "image", "is not bound to memory that still exists");
    }
    if (unlikely(transition->old_layout == VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT &&
                 !includes_all(image, range))) {
        struct finding_objects objects = image_object(image);
        BROKEN_OF(&s, &objects, RULE_10768, "oldLayout",
                  "is VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT, but subresourceRange is not the "
                  "whole image");
    }
    if (!host)
        s.skip |= check_layout_features(call, transition, where);
    if (!host &&
        unlikely(range->aspectMask & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)))
        s.skip |= check_aspect_layouts(call, transition, where);
    if (!transition->ignored) {
        s.skip |= image_transition_check_usage(call, image, transition->old_layout,
                                               &LOCATION(where, "oldLayout"));
        s.skip |= image_transition_check_usage(call, image, transition->new_layout,
                                               &LOCATION(where, "newLayout"));
    }
    return s.skip;
}

bool image_transition_check(const struct call *call, const struct image_transition *transition,
                            const struct location *where)
{
    return check_transition(call, transition, where, false);
}

bool image_transition_check_host(const struct call *call, const struct image_transition *transition,
                                 const struct location *where)
{
    return check_transition(call, transition, where, true);
}

/* True if the range of `count` elements from `base` on ends at or before `other`, which is not
 * before `base`. */
static bool ends_before(uint32_t base, uint32_t count, uint32_t other)
{
    return other >= base && other - base >= count; /* VK_REMAINING_* are the largest counts */
}

bool barrier_ranges_overlap(const VkImageSubresourceRange *a, const VkImageSubresourceRange *b)
{
    return a->aspectMask & b->aspectMask &&
           !ends_before(a->baseMipLevel, a->levelCount, b->baseMipLevel) &&
           !ends_before(b->baseMipLevel, b->levelCount, a->baseMipLevel) &&
           !ends_before(a->baseArrayLayer, a->layerCount, b->baseArrayLayer) &&
           !ends_before(b->baseArrayLayer, b->layerCount, a->baseArrayLayer);
}
