/* Checks that descriptors may be written with some data (14.2.5 "Descriptor Set Updates":
 * vkUpdateDescriptorSets, and push descriptors). Hot: a valid write costs a few comparisons per
 * descriptor, and all reports are in cold functions. */
#include "core/descriptor/update.h"

#include <inttypes.h>

#include "core/descriptor/structure_writes.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_pool.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/descriptor/sampler.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* --- where it goes --- */

/* The number of descriptors that the binding has in this set. `set` NULL: the descriptors are
 * pushed. */
static uint32_t binding_count(const struct descriptor_set *set,
                              const struct descriptor_binding *binding)
{
    return set ? descriptor_set_binding_count(set, binding) : binding->count;
}

uint64_t descriptor_room_from(const struct descriptor_layout *layout,
                              const struct descriptor_set *set,
                              const struct descriptor_binding *binding, uint32_t element)
{
    assert(binding >= layout->bindings && binding < layout->bindings + layout->binding_count);
    uint32_t own = binding_count(set, binding);
    if (element > own)
        return 0;
    uint64_t room = own - element;
    /* "If the dstBinding has fewer than descriptorCount array elements remaining starting from
     * dstArrayElement, then the remainder will be used to update the subsequent binding -
     * dstBinding+1 starting at array element zero. If a binding has a descriptorCount of zero, it
     * is skipped". Numbers without a binding in the layout also have a count of zero. */
    const struct descriptor_binding *end = layout->bindings + layout->binding_count;
    for (const struct descriptor_binding *next = binding + 1;
         next < end && (next->type == binding->type || !next->count); next++)
        room += next->count ? binding_count(set, next) : 0;
    return room;
}

/* Checks a write that has more descriptors than its binding. The bindings that follow must be of
 * the same kind, and have enough descriptors. */
static COLD bool check_consecutive(struct call *call, const struct write_target *target,
                                   const struct descriptor_binding *binding,
                                   const VkWriteDescriptorSet *write, const struct location *where)
{
    assert(binding >= target->layout->bindings &&
           binding < target->layout->bindings + target->layout->binding_count);
    const struct finding_objects *objects = OBJECT(target->type, target->handle);
    const struct descriptor_binding *end = target->layout->bindings + target->layout->binding_count,
                                    *at = binding;
    uint64_t left = (uint64_t)write->dstArrayElement + write->descriptorCount;
    struct subject s = {.call = call, .where = where, .objects = objects};
    for (;;) {
        uint32_t own = binding_count(target->set, at);
        if (own >= left)
            return false;
        left -= own;
        const struct descriptor_binding *next = at + 1;
        /* Bindings without descriptors are skipped ("Descriptor Set Updates"). */
        while (next < end && !next->count)
            next++;
        if (next >= end)
            return call_stop(call, BROKEN_BY(call, RULE_00321, &LOCATION(where, "descriptorCount"),
                                             objects,
                                             "is %u, which with dstArrayElement %u goes %" PRIu64
                                             " beyond the descriptors of binding %u and those that "
                                             "follow it",
                                             write->descriptorCount, write->dstArrayElement, left,
                                             binding->binding));
        at = next;
        REQUIRE(&s, RULE_00317, at->type == binding->type, "descriptorCount",
                "is %u, which goes on from binding %u, %s, into binding %u, %s",
                write->descriptorCount, binding->binding,
                value_text(VALUES_VkDescriptorType, binding->type).text, at->binding,
                value_text(VALUES_VkDescriptorType, at->type).text);
        REQUIRE(&s, RULE_10776, at->stages == binding->stages, "descriptorCount",
                "is %u, which goes on from binding %u into binding %u, whose stageFlags differ",
                write->descriptorCount, binding->binding, at->binding);
        REQUIRE(&s, RULE_00318, at->immutable_samplers == binding->immutable_samplers,
                "descriptorCount",
                "is %u, which goes on from binding %u into binding %u: only one of them has "
                "immutable samplers",
                write->descriptorCount, binding->binding, at->binding);
        REQUIRE(&s, RULE_10777, at->flags == binding->flags, "descriptorCount",
                "is %u, which goes on from binding %u into binding %u, whose "
                "binding flags differ",
                write->descriptorCount, binding->binding, at->binding);
        if (s.skip || at->type != binding->type)
            return s.skip;
    }
}

/* Reports a dstBinding that does not exist, or that has no descriptors. */
static COLD bool report_binding(struct call *call, const struct write_target *target,
                                const struct descriptor_binding *binding,
                                const VkWriteDescriptorSet *write, const struct location *where)
{
    const struct location at = LOCATION(where, "dstBinding");
    const struct finding_objects *objects = OBJECT(target->type, target->handle);
    if (binding)
        return BROKEN_BY(call, RULE_00316, &at, objects, "is %u, which has no descriptors",
                         write->dstBinding);
    uint32_t count = target->layout->binding_count;
    /* dstBinding must be a binding with a non-zero VkDescriptorSetLayoutCreateInfo::bindingCount */
    if (!count)
        return BROKEN_BY(call, RULE_10009, &at, objects,
                         "is %u, but the set's layout has no bindings", write->dstBinding);
    if (write->dstBinding > target->layout->bindings[count - 1].binding)
        /* drivers would write outside of their array of bindings */
        return call_stop(call,
                         BROKEN_BY(call, RULE_00315, &at, objects,
                                   "is %u, but the highest binding of the set's layout is %u",
                                   write->dstBinding, target->layout->bindings[count - 1].binding));
    return BROKEN_BY(call, RULE_00316, &at, objects,
                     "is %u, which is not a binding of the set's layout", write->dstBinding);
}

/* Reports a write of another type than the binding has, or, for a mutable binding, of a type
 * outside its list. */
static COLD bool report_type(struct call *call, const struct write_target *target,
                             const struct descriptor_binding *binding,
                             const VkWriteDescriptorSet *write, const struct location *where)
{
    assert(binding && binding->type != write->descriptorType);
    const struct location at = LOCATION(where, "descriptorType");
    const struct finding_objects *objects = OBJECT(target->type, target->handle);
    if (binding->type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
        return BROKEN_BY(call, RULE_00319, &at, objects, "is %s, but binding %u is of %s",
                         value_text(VALUES_VkDescriptorType, write->descriptorType).text,
                         write->dstBinding,
                         value_text(VALUES_VkDescriptorType, binding->type).text);
    return BROKEN_BY(call, RULE_04611, &at, objects,
                     "is %s, which is not in the list of types of binding %u",
                     value_text(VALUES_VkDescriptorType, write->descriptorType).text,
                     write->dstBinding);
}

/* --- images --- */

/* The descriptor of a write whose images are checked. */
struct image_check {
    struct call *call;
    const struct descriptor_layout *layout;
    const struct descriptor_binding *binding;
    VkDescriptorType type;
    enum descriptor_tag tag; /* tag of `type`; for a mutable binding, of the type that is written */
    const struct location *where;
};

/* True if shaders can use an image in this layout through such a descriptor. */
static bool layout_fits(enum descriptor_tag tag, VkImageLayout layout)
{
    switch ((int64_t)layout) {
    case VK_IMAGE_LAYOUT_GENERAL:
    case VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR:
    case VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM:
        return true;
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT:
        return tag != DESCRIPTOR_STORAGE_IMAGE;
    case VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ:
        return tag == DESCRIPTOR_INPUT_ATTACHMENT;
    default:
        return false;
    }
}

/* Reports a layout that a descriptor of this type does not allow. Each type has a rule of its
 * own. */
static COLD bool report_image_layout(const struct image_check *x, VkImageLayout layout,
                                     const struct location *where)
{
    enum rule rule = x->tag == DESCRIPTOR_SAMPLED_IMAGE            ? RULE_04149
                     : x->tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER ? RULE_04150
                     : x->tag == DESCRIPTOR_INPUT_ATTACHMENT       ? RULE_04151
                                                                   : RULE_04152;
    return BROKEN_BY(x->call, rule, &LOCATION(where, "imageLayout"), NULL,
                     "is %s, which a descriptor of type %s cannot be in",
                     value_text(VALUES_VkImageLayout, layout).text,
                     value_text(VALUES_VkDescriptorType, x->type).text);
}

/* The usage of the image that a descriptor type requires, and the rule that says so. */
static VkImageUsageFlags needed_usage(enum descriptor_tag tag, enum rule *rule)
{
    switch (tag) {
    case DESCRIPTOR_SAMPLED_IMAGE:
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
        *rule = RULE_00337;
        return VK_IMAGE_USAGE_SAMPLED_BIT;
    case DESCRIPTOR_STORAGE_IMAGE:
        *rule = RULE_00339;
        return VK_IMAGE_USAGE_STORAGE_BIT;
    case DESCRIPTOR_INPUT_ATTACHMENT:
        *rule = RULE_00338;
        return VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    case DESCRIPTOR_SAMPLE_WEIGHT_IMAGE:
        *rule = RULE_06942;
        return VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM;
    case DESCRIPTOR_BLOCK_MATCH_IMAGE:
        *rule = RULE_06943;
        return VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM;
    default:
        *rule = RULE_00337;
        return 0;
    }
}

/* Reports a view whose image lacks a usage. */
static COLD bool descriptor_update_report_usage(const struct image_check *x,
                                                const struct image_view *view, VkImageView handle,
                                                enum rule rule, VkImageUsageFlags needed,
                                                const struct location *where)
{
    assert(needed);
    return BROKEN_BY(x->call, rule, &LOCATION(where, "imageView"),
                     OBJECT(HANDLE_IMAGE_VIEW, handle),
                     "has the usage %s; a descriptor of type %s needs %s",
                     value_text(VALUES_VkImageUsageFlags, view->usage).text,
                     value_text(VALUES_VkDescriptorType, x->type).text,
                     value_text(VALUES_VkImageUsageFlags, needed).text);
}

/* Checks a view with the depth or stencil aspect. True: the call is to be skipped. */
static COLD bool descriptor_update_check_depth_stencil(const struct image_check *x,
                                                       const struct image_view *view,
                                                       const VkDescriptorImageInfo *info,
                                                       const struct location *where)
{
    assert(view->range.aspectMask & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT));
    struct call *call = x->call;
    const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE_VIEW, info->imageView);
    VkImageAspectFlags aspects = view->range.aspectMask & both;
    struct subject s = {.call = call, .where = where, .objects = objects};
    REQUIRE(&s, RULE_01976, aspects != both, "imageView",
            "has both the depth and the stencil aspect: a descriptor reads one of them");
    REQUIRE(&s, RULE_09425,
            !aspects || info->imageLayout != VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            "imageLayout", "is VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, but the view has %s",
            value_text(VALUES_VkImageAspectFlags, aspects).text);
    return s.skip;
}

/* True if only images with depth or stencil can be in the layout. */
static bool is_depth_stencil_layout(VkImageLayout layout)
{
    switch ((int64_t)layout) {
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
        return true;
    default:
        return false;
    }
}

/* True if the view's aspects cannot be in the layout. Rules 09425 and 09426 report that. */
static bool is_of_others(const struct image_view *view, VkImageLayout layout)
{
    if (view->range.aspectMask & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
        return layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    return view->range.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT && is_depth_stencil_layout(layout);
}

/* Checks 2D views of slices of 3D images. */
static COLD bool descriptor_update_check_slices(const struct image_check *x,
                                                const struct image_view *view,
                                                const VkDescriptorImageInfo *info,
                                                const struct location *where)
{
    assert(view && info->imageView);
    struct call *call = x->call;
    const struct image *image = image_by_id(view->image);
    const struct location at = LOCATION(where, "imageView");
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE_VIEW, info->imageView);
    if (!image || image->type != VK_IMAGE_TYPE_3D)
        return false;
    if (view->type == VK_IMAGE_VIEW_TYPE_2D_ARRAY)
        return BROKEN_BY(call, RULE_06712, &at, objects, "is a 2D array view of a 3D image");
    bool sampled =
             x->tag == DESCRIPTOR_SAMPLED_IMAGE || x->tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER,
         stored = x->tag == DESCRIPTOR_STORAGE_IMAGE;
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, RULE_07795, sampled || stored, &at,
            "is a 2D view of a 3D image, which a descriptor of type %s cannot have",
            value_text(VALUES_VkDescriptorType, x->type).text);
    /* If the type does not allow such views at all, or a feature is missing, only that is
     * reported. */
    bool allowed = (sampled && device_has_feature(call->device, FEATURE_sampler2DViewOf3D)) ||
                   (stored && device_has_feature(call->device, FEATURE_image2DViewOf3D));
    REQUIRE(&s, RULE_07796, !allowed || image->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT,
            &at,
            "is a 2D view of a 3D image that was created without "
            "VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT");
    /* "If the image2DViewOf3D feature is not enabled or descriptorType is not STORAGE_IMAGE ..."
     * contradicts the corresponding statement about sampled images, whatever the type. Each is
     * checked only for the types that it is about. */
    if (stored)
        REQUIRE(&s, RULE_06713, device_has_feature(call->device, FEATURE_image2DViewOf3D), &at,
                "is a 2D view of a 3D image, but the feature image2DViewOf3D is not enabled");
    if (sampled)
        REQUIRE(&s, RULE_06714, device_has_feature(call->device, FEATURE_sampler2DViewOf3D), &at,
                "is a 2D view of a 3D image, but the feature sampler2DViewOf3D is not enabled");
    return s.skip;
}

/* Finds the immutable sampler of an element, counted from the first element of dstBinding. It may
 * lie in a later binding. True also if the binding has immutable samplers, but the element does not
 * exist. */
static bool find_immutable_sampler(const struct image_check *x, uint64_t element, uint64_t *id)
{
    assert(x->binding >= x->layout->bindings &&
           x->binding < x->layout->bindings + x->layout->binding_count);
    const struct descriptor_binding *at = x->binding,
                                    *end = x->layout->bindings + x->layout->binding_count;
    bool immutable = at->immutable_samplers;
    for (; at < end && element >= at->count; at++)
        element -= at->count;
    if (at < end && at->immutable_samplers)
        *id = x->layout->samplers[at->first_sampler + element];
    return immutable;
}

/* Compares the members that define a conversion. The padding after them has no meaning. */
static bool same_conversion(const VkSamplerYcbcrConversionCreateInfo *a,
                            const VkSamplerYcbcrConversionCreateInfo *b)
{
    return a->format == b->format && a->ycbcrModel == b->ycbcrModel &&
           a->ycbcrRange == b->ycbcrRange && a->components.r == b->components.r &&
           a->components.g == b->components.g && a->components.b == b->components.b &&
           a->components.a == b->components.a && a->xChromaOffset == b->xChromaOffset &&
           a->yChromaOffset == b->yChromaOffset && a->chromaFilter == b->chromaFilter &&
           !a->forceExplicitReconstruction == !b->forceExplicitReconstruction;
}

/* Checks that the view and the immutable sampler with which it is sampled have the same
 * conversion. */
static COLD bool check_conversion(const struct image_check *x, const struct image_view *view,
                                  const VkDescriptorImageInfo *info, uint32_t element,
                                  const struct location *where)
{
    struct call *call = x->call;
    const struct location at = LOCATION(where, "imageView");
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE_VIEW, info->imageView);
    struct subject s = {.call = call, .objects = objects};
    if (x->tag == DESCRIPTOR_SAMPLED_IMAGE) {
        REQUIRE(&s, RULE_01946, !view || !view->ycbcr_conversion, &at,
                "has a Y'CbCr conversion, but the descriptor's type is "
                "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE");
        return s.skip;
    }
    if (x->tag != DESCRIPTOR_COMBINED_IMAGE_SAMPLER)
        return false;
    uint64_t id = 0;
    bool immutable = find_immutable_sampler(x, element, &id);
    const struct sampler *sampler = sampler_by_id(id);
    /* The state of the sampler is not known, so it may have any conversion. */
    if (immutable && !sampler)
        return false;
    uint64_t wanted = sampler ? sampler->ycbcr_conversion : 0;
    if (!view) {
        REQUIRE_OF(&s, NULL, RULE_09506, !wanted, &at,
                   "is VK_NULL_HANDLE, but the binding's immutable sampler has "
                   "a Y'CbCr conversion");
        return s.skip;
    }
    if (!view->ycbcr_conversion) {
        REQUIRE(&s, RULE_01948, !wanted, &at,
                "has no Y'CbCr conversion, but the binding's immutable sampler has one");
        return s.skip;
    }
    const struct sampler_ycbcr_conversion
        *a = sampler_ycbcr_conversion_by_id(view->ycbcr_conversion),
        *b = sampler_ycbcr_conversion_by_id(wanted);
    /* Two conversions with the same create info are compatible. A destroyed conversion is not
     * compared. */
    bool same = view->ycbcr_conversion == wanted || (wanted && (!a || !b)) ||
                (a && b && same_conversion(&a->info, &b->info));
    REQUIRE(&s, RULE_02738, same, &at,
            wanted ? "has another Y'CbCr conversion than the binding's immutable sampler"
                   : "has a Y'CbCr conversion, but the binding has no immutable "
                     "sampler with one");
    return s.skip;
}

/* Checks a descriptor without a view: its type, the feature for it and its conversion. */
static COLD bool check_null_view(const struct image_check *x, const VkDescriptorImageInfo *info,
                                 uint32_t element, const struct location *where)
{
    assert(!info->imageView);
    struct call *call = x->call;
    const struct location at = LOCATION(where, "imageView");
    if (x->tag == DESCRIPTOR_SAMPLE_WEIGHT_IMAGE || x->tag == DESCRIPTOR_BLOCK_MATCH_IMAGE ||
        x->tag == DESCRIPTOR_INPUT_ATTACHMENT)
        return BROKEN_BY(call, RULE_07683, &at, NULL,
                         "is VK_NULL_HANDLE, which a descriptor of type %s never can be",
                         value_text(VALUES_VkDescriptorType, x->type).text);
    if (!device_has_feature(call->device, FEATURE_nullDescriptor))
        return BROKEN_BY(call, RULE_02997, &at, NULL,
                         "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled");
    return check_conversion(x, NULL, info, element, where);
}

/* ... and dstSet was not allocated with a layout that included immutable samplers for dstBinding
 * with descriptorType, the sampler member of each element of pImageInfo must be a valid VkSampler
 * object. The validator of lifetimes reports destroyed samplers in vkUpdateDescriptorSets; for push
 * descriptors it does not know the layout. */
static COLD bool report_sampler(struct call *call, VkSampler sampler, const struct location *where)
{
    const struct location at = LOCATION(where, "sampler");
    if (!sampler)
        return call_stop(call, BROKEN_BY(call, RULE_00325, &at, NULL, "is VK_NULL_HANDLE"));
    if (object_table_degraded())
        return false;
    return call_stop(call, BROKEN_BY(call, RULE_00325, &at, OBJECT(HANDLE_SAMPLER, sampler),
                                     "0x%" PRIx64
                                     " is not a live VkSampler; the call does not reach the driver",
                                     (uint64_t)sampler));
}

/* Checks a sampler. The validator of lifetimes checks samplers of sets; those of push descriptors
 * are only checked here. */
static ALWAYS_INLINE bool check_sampler(struct call *call, bool pushed, VkSampler sampler,
                                        const struct location *where)
{
    if (likely(sampler && (!pushed || call_find(call, sampler, HANDLE_SAMPLER))))
        return false;
    return report_sampler(call, sampler, where);
}

/* Checks the samplers of a write that uses them. */
static bool check_samplers(struct call *call, const struct write_target *target,
                           const VkWriteDescriptorSet *write, const struct location *where)
{
    assert(write->pImageInfo || !write->descriptorCount);
    bool skip = false;
    for (uint32_t i = 0; i < write->descriptorCount; i++)
        skip |= check_sampler(call, !target->set, write->pImageInfo[i].sampler,
                              &LOCATION_INDEX(where, "pImageInfo", i));
    return skip;
}

/* If sampler is used and the image's format is multi-planar, the image must be mutable, and the
 * view one of its planes. A view with a conversion, which is sampled as a whole, is excepted. */
static COLD bool check_planes(const struct image_check *x, const struct image_view *view,
                              const VkDescriptorImageInfo *info, const struct location *where)
{
    struct call *call = x->call;
    const struct image *image = image_by_id(view->image);
    if (!image || !format_is_multi_planar(image->format) || view->ycbcr_conversion)
        return false;
    struct subject s = {.call = call, .where = where};
    REQUIRE_OF(&s, OBJECT(HANDLE_IMAGE_VIEW, info->imageView), RULE_01564,
               image->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT &&
                   !(view->range.aspectMask & ~FORMAT_PLANE_ASPECTS),
               "imageView",
               "is of an image of %s, which without a Y'CbCr conversion can only be sampled "
               "plane by plane",
               value_text(VALUES_VkFormat, image->format).text);
    return s.skip;
}

/* Reports a view whose memory was freed. "Memory can be freed whilst still bound to resources, but
 * those resources must not be used afterwards" (11.2): updates of descriptor sets use them (12). */
static COLD bool report_freed_view(const struct image_check *x, VkImageView view,
                                   const struct location *where)
{
    return BROKEN_BY(x->call, UNASSIGNED_VkDescriptorImageInfo_BoundResourceFreedMemoryAccess,
                     &LOCATION(where, "imageView"), OBJECT(HANDLE_IMAGE_VIEW, view),
                     "is of an image whose memory was freed");
}

/* Checks one view that is written. `usage`: the usage that the type requires by `rule`. Hot: the
 * reports are in cold functions. */
static ALWAYS_INLINE bool descriptor_update_check_view(const struct image_check *x,
                                                       const struct image_view *view,
                                                       const VkDescriptorImageInfo *info,
                                                       uint32_t element, VkImageUsageFlags usage,
                                                       enum rule rule, const struct location *where)
{
    const VkImageAspectFlags depth_stencil =
        VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    struct subject s = {.call = x->call, .where = where};
    if (unlikely((view->usage & usage) != usage))
        s.skip |= descriptor_update_report_usage(x, view, info->imageView, rule, usage, where);
    if (unlikely(!image_view_has_memory(view)))
        s.skip |= report_freed_view(x, info->imageView, where);
    if (unlikely(view->range.aspectMask & depth_stencil))
        s.skip |= descriptor_update_check_depth_stencil(x, view, info, where);
    else if (unlikely(view->range.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT &&
                      is_depth_stencil_layout(info->imageLayout)))
        BROKEN_OF(&s, OBJECT(HANDLE_IMAGE_VIEW, info->imageView), RULE_09426, "imageLayout",
                  "is %s, but the view has the color aspect",
                  value_text(VALUES_VkImageLayout, info->imageLayout).text);
    if (unlikely(view->image_flags & (VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT |
                                      VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT) &&
                 (view->type == VK_IMAGE_VIEW_TYPE_2D ||
                  view->type == VK_IMAGE_VIEW_TYPE_2D_ARRAY)))
        s.skip |= descriptor_update_check_slices(x, view, info, where);
    if (unlikely(view->ycbcr_conversion ||
                 (x->tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && x->binding->immutable_samplers)))
        s.skip |= check_conversion(x, view, info, element, where);
    return s.skip;
}

/* Checks the views, layouts and samplers of one write. Unknown views are not checked. */
static bool check_images(struct call *call, const struct write_target *target,
                         const struct descriptor_binding *binding,
                         const VkWriteDescriptorSet *write, enum descriptor_tag tag,
                         const struct location *where)
{
    assert(binding && (write->pImageInfo || !write->descriptorCount));
    const struct image_check x = {call, target->layout, binding, write->descriptorType, tag, where};
    enum rule rule;
    VkImageUsageFlags usage = needed_usage(tag, &rule);
    struct subject s = {.call = call};
    bool swizzled = tag == DESCRIPTOR_STORAGE_IMAGE || tag == DESCRIPTOR_INPUT_ATTACHMENT,
         samples = tag == DESCRIPTOR_SAMPLED_IMAGE || tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER,
         checks_layout = samples || swizzled,
         takes_sampler = tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && !binding->immutable_samplers;
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        const VkDescriptorImageInfo *info = &write->pImageInfo[i];
        const struct location at = LOCATION_INDEX(where, "pImageInfo", i);
        /* A binding's immutable samplers stay, so the given sampler is ignored. */
        if (takes_sampler)
            s.skip |= check_sampler(call, !target->set, info->sampler, &at);
        if (unlikely(!info->imageView)) {
            s.skip |= check_null_view(&x, info, write->dstArrayElement + i, &at);
            continue;
        }
        const struct image_view *view = find_image_view(call, info->imageView);
        if (unlikely(!view))
            continue;
        s.skip |= descriptor_update_check_view(&x, view, info, write->dstArrayElement + i, usage,
                                               rule, &at);
        if (unlikely(checks_layout && !layout_fits(tag, info->imageLayout) &&
                     !is_of_others(view, info->imageLayout)))
            s.skip |= report_image_layout(&x, info->imageLayout, &at);
        if (unlikely(view->min_lod > 0.0f) && tag == DESCRIPTOR_INPUT_ATTACHMENT)
            BROKEN_OF(&s, OBJECT(HANDLE_IMAGE_VIEW, info->imageView), RULE_06450,
                      &LOCATION(&at, "imageView"),
                      "was created with a minLod of %g, but an input attachment needs 0",
                      (double)view->min_lod);
        if (unlikely(swizzled && !view->identity))
            BROKEN_OF(&s, OBJECT(HANDLE_IMAGE_VIEW, info->imageView), RULE_00336,
                      &LOCATION(&at, "imageView"),
                      "was created with other component swizzles than the identity, but the "
                      "descriptor's type is %s",
                      value_text(VALUES_VkDescriptorType, write->descriptorType).text);
        if (unlikely(takes_sampler && view->image_flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
            s.skip |= check_planes(&x, view, info, &at);
    }
    return s.skip;
}

/* --- buffers --- */

/* Reports a range, in bytes, that does not lie in the buffer. */
static COLD bool report_range(struct call *call, const VkDescriptorBufferInfo *info,
                              const struct buffer *buffer, const struct location *where)
{
    assert(buffer);
    const struct finding_objects *objects = OBJECT(HANDLE_BUFFER, info->buffer);
    if (info->offset >= buffer->size)
        return BROKEN_BY(call, RULE_00340, &LOCATION(where, "offset"), objects,
                         "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", info->offset,
                         buffer->size);
    if (!info->range)
        return BROKEN_BY(call, RULE_00341, &LOCATION(where, "range"), objects, "is 0");
    return BROKEN_BY(call, RULE_00342, &LOCATION(where, "range"), objects,
                     "is %" PRIu64 ", but from offset %" PRIu64 " on the buffer has %" PRIu64
                     " bytes",
                     info->range, info->offset, buffer->size - info->offset);
}

/* Checks VK_NULL_HANDLE in place of a buffer. It requires the feature nullDescriptor, offset 0 and
 * range VK_WHOLE_SIZE. */
static COLD bool check_null_buffer(struct call *call, const VkDescriptorBufferInfo *info,
                                   const struct location *where)
{
    assert(!info->buffer);
    if (!device_has_feature(call->device, FEATURE_nullDescriptor))
        return BROKEN_BY(call, RULE_02998, &LOCATION(where, "buffer"), NULL,
                         "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled");
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_02999, !info->offset && info->range == VK_WHOLE_SIZE, "buffer",
            "is VK_NULL_HANDLE, but offset is %" PRIu64 " (not 0) or range %" PRIu64
            " (not VK_WHOLE_SIZE)",
            info->offset, info->range);
    return s.skip;
}

/* The rules in which uniform and storage buffers differ. */
static const struct buffer_rules {
    VkBufferUsageFlags2 usage;
    enum rule usage_rule, alignment_rule, range_rule;
    const char *usage_name, *alignment_name, *most_name;
} uniform_buffers = {VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT,
                     RULE_00330,
                     RULE_00327,
                     RULE_00332,
                     "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT",
                     "minUniformBufferOffsetAlignment",
                     "maxUniformBufferRange"},
  storage_buffers = {VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT,
                     RULE_00331,
                     RULE_00328,
                     RULE_00333,
                     "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT",
                     "minStorageBufferOffsetAlignment",
                     "maxStorageBufferRange"};

/* The limits of the device for buffers in descriptors. */
struct buffer_limits {
    VkDeviceSize alignment, most; /* bytes; 0: not known */
};

/* Reports a buffer that the type does not allow: its usage, the range's alignment and size, its
 * memory. `range`: size in bytes. */
static COLD bool report_buffer(struct call *call, const struct buffer_rules *rules,
                               struct buffer_limits limits, const VkDescriptorBufferInfo *info,
                               const struct buffer *buffer, VkDeviceSize range,
                               const struct location *where)
{
    assert(buffer);
    const struct finding_objects *objects = OBJECT(HANDLE_BUFFER, info->buffer);
    struct subject s = {.call = call, .where = where, .objects = objects};
    REQUIRE(&s, rules->usage_rule, buffer->usage & rules->usage, "buffer",
            "has the usage %s, without %s",
            value_text(VALUES_VkBufferUsageFlags2, buffer->usage).text, rules->usage_name);
    REQUIRE(&s, rules->alignment_rule, !limits.alignment || info->offset % limits.alignment == 0,
            "offset", "is %" PRIu64 ", which is not a multiple of %s, %" PRIu64, info->offset,
            rules->alignment_name, limits.alignment);
    REQUIRE(&s, rules->range_rule, range <= limits.most, "range",
            info->range == VK_WHOLE_SIZE ? "is VK_WHOLE_SIZE, %" PRIu64
                                           " bytes here, more than %s, %" PRIu64
                                         : "is %" PRIu64 ", more than %s, %" PRIu64,
            range, rules->most_name, limits.most);
    REQUIRE(&s, RULE_00329, buffer_is_bound(buffer), "buffer",
            buffer->binding.memory ? "lies in memory that has been freed"
                                   : "has no memory bound to it");
    return s.skip;
}

/* The limits for buffers in descriptors. With shader64BitIndexing storage buffers have no largest
 * size. */
static struct buffer_limits buffer_limits(const struct device *device, bool uniform)
{
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    if (uniform)
        return (struct buffer_limits){limits->minUniformBufferOffsetAlignment,
                                      limits->maxUniformBufferRange};
    return (struct buffer_limits){limits->minStorageBufferOffsetAlignment,
                                  device_has_feature(device, FEATURE_shader64BitIndexing)
                                      ? VK_WHOLE_SIZE
                                      : limits->maxStorageBufferRange};
}

/* The location of an element of pBufferInfo. */
#define BUFFER_INFO(where_, write_, info_) \
    (&LOCATION_INDEX((where_), "pBufferInfo", (uint32_t)((info_) - (write_)->pBufferInfo)))

/* Checks the buffers and ranges of one write. `uniform`: they are uniform buffers, otherwise
 * storage buffers. */
static bool check_buffers(struct call *call, const VkWriteDescriptorSet *write, bool uniform,
                          const struct location *where)
{
    assert(write->pBufferInfo || !write->descriptorCount);
    const struct buffer_rules *rules = uniform ? &uniform_buffers : &storage_buffers;
    const struct buffer_limits limits = buffer_limits(call->device, uniform);
    /* alignments are powers of two */
    VkDeviceSize low = limits.alignment ? limits.alignment - 1 : 0;
    const VkDescriptorBufferInfo *info = write->pBufferInfo, *const end =
                                                                 info + write->descriptorCount;
    /* The buffer of the previous element: neighbors are often ranges of the same buffer. */
    const struct buffer *buffer = NULL;
    VkBuffer handle = VK_NULL_HANDLE;
    bool skip = false, fit = false;
    for (; info < end; info++) {
        if (unlikely(info->buffer != handle)) {
            handle = info->buffer;
            buffer = find_buffer(call, handle);
            fit = buffer && buffer->usage & rules->usage && buffer_is_bound(buffer);
        }
        if (unlikely(!buffer)) {
            if (!handle)
                skip |= check_null_buffer(call, info, BUFFER_INFO(where, write, info));
            continue;
        }
        VkDeviceSize size = buffer->size, left = size - info->offset,
                     range =
                         info->range == VK_WHOLE_SIZE && info->offset < size ? left : info->range;
        if (unlikely(info->offset >= size || !range || range > left))
            skip |= report_range(call, info, buffer, BUFFER_INFO(where, write, info));
        else if (unlikely(!fit || info->offset & low || range > limits.most))
            skip |= report_buffer(call, rules, limits, info, buffer, range,
                                  BUFFER_INFO(where, write, info));
    }
    return skip;
}

/* Checks the buffer views of one write. `uniform`: they are uniform texel buffers, otherwise
 * storage texel buffers. */
static bool check_texel_buffers(struct call *call, const VkWriteDescriptorSet *write, bool uniform,
                                const struct location *where)
{
    assert(write->pTexelBufferView || !write->descriptorCount);
    VkBufferUsageFlags2 usage = uniform ? VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT
                                        : VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < write->descriptorCount; i++) {
        VkBufferView handle = write->pTexelBufferView[i];
        const struct location at = LOCATION_INDEX(where, "pTexelBufferView", i);
        if (unlikely(!handle)) {
            REQUIRE(&s, RULE_02995, device_has_feature(call->device, FEATURE_nullDescriptor), &at,
                    "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled");
            continue;
        }
        const struct buffer_view *view = find_buffer_view(call, handle);
        if (unlikely(view && !(view->usage & usage)))
            BROKEN_OF(&s, OBJECT(HANDLE_BUFFER_VIEW, handle), uniform ? RULE_08765 : RULE_08766,
                      &at, "has the usage %s; a descriptor of type %s needs %s",
                      value_text(VALUES_VkBufferUsageFlags2, view->usage).text,
                      value_text(VALUES_VkDescriptorType, write->descriptorType).text,
                      value_text(VALUES_VkBufferUsageFlags2, usage).text);
    }
    return s.skip;
}

/* --- what is chained --- */

/* Checks a write of an inline uniform block, whose elements and counts are bytes. */
static COLD bool check_inline_uniform(struct call *call, const VkWriteDescriptorSet *write,
                                      const struct location *where)
{
    const VkWriteDescriptorSetInlineUniformBlock *block =
        chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_02219, write->dstArrayElement % 4 == 0, "dstArrayElement",
            "is %u: bytes of an inline uniform block are written four by four",
            write->dstArrayElement);
    REQUIRE(&s, RULE_02220, write->descriptorCount % 4 == 0, "descriptorCount",
            "is %u: bytes of an inline uniform block are written four by four",
            write->descriptorCount);
    if (!block)
        return s.skip |
               descriptor_leave_out(call,
                                    BROKEN_BY(call, RULE_02221, &LOCATION(where, "pNext"), NULL,
                                              "has no VkWriteDescriptorSetInlineUniformBlock, but "
                                              "descriptorType is "
                                              "VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK"));
    const struct location at =
        LOCATION(&LOCATION_CHAINED(where, "VkWriteDescriptorSetInlineUniformBlock"), "dataSize");
    /* If the size equals the count, rule 02220 reports it. */
    if (block->dataSize == write->descriptorCount)
        return s.skip;
    bool answer =
        block->dataSize % 4
            ? BROKEN_BY(call, RULE_02222, &at, NULL, "is %u, not a multiple of 4", block->dataSize)
            : BROKEN_BY(call, RULE_02221, &at, NULL, "is %u, but descriptorCount is %u",
                        block->dataSize, write->descriptorCount);
    return s.skip |
           (block->dataSize < write->descriptorCount ? descriptor_leave_out(call, answer) : answer);
}

/* Reports a write whose array is NULL, and leaves it out of the call. */
static COLD bool report_no_images(struct call *call, const struct location *where)
{
    bool pushed = command_root[call->command] != COMMAND_UpdateDescriptorSets;
    return descriptor_leave_out(call, BROKEN_BY(call, pushed ? RULE_06494 : RULE_06493,
                                                &LOCATION(where, "pImageInfo"), NULL, "is NULL"));
}

/* --- one write --- */

/* Checks the data of one write, which depends on its type. The write's place in the set is already
 * checked. */
static bool descriptor_update_check_content(struct call *call, const struct write_target *target,
                                            const struct descriptor_binding *binding,
                                            const VkWriteDescriptorSet *write,
                                            enum descriptor_tag tag, const struct location *where)
{
    struct subject s = {.call = call, .where = where};
    switch (tag) {
    case DESCRIPTOR_SAMPLER:
        /* "To push an immutable sampler ... the pImageInfo parameter is ignored and the immutable
         * sampler is taken from the push descriptor set layout" (14.2.8). So 02752, which is about
         * dstSet, does not apply to push descriptors. */
        if (binding->immutable_samplers) {
            REQUIRE_OF(&s, OBJECT(target->type, target->handle), RULE_02752, !target->set,
                       "descriptorType",
                       "is VK_DESCRIPTOR_TYPE_SAMPLER, but binding %u has immutable samplers",
                       write->dstBinding);
            return s.skip;
        }
        if (unlikely(!write->pImageInfo && write->descriptorCount))
            return report_no_images(call, where);
        return check_samplers(call, target, write, where);
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
    case DESCRIPTOR_SAMPLED_IMAGE:
    case DESCRIPTOR_STORAGE_IMAGE:
    case DESCRIPTOR_INPUT_ATTACHMENT:
    case DESCRIPTOR_SAMPLE_WEIGHT_IMAGE:
    case DESCRIPTOR_BLOCK_MATCH_IMAGE:
        if (unlikely(!write->pImageInfo && write->descriptorCount))
            return report_no_images(call, where);
        return check_images(call, target, binding, write, tag, where);
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
        if (unlikely(!write->pBufferInfo && write->descriptorCount))
            return descriptor_leave_out(call,
                                        BROKEN_BY(call, RULE_00324, &LOCATION(where, "pBufferInfo"),
                                                  NULL, "is NULL"));
        return check_buffers(call, write,
                             tag == DESCRIPTOR_UNIFORM_BUFFER ||
                                 tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC,
                             where);
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        if (unlikely(!write->pTexelBufferView && write->descriptorCount))
            return descriptor_leave_out(call, BROKEN_BY(call, RULE_02994,
                                                        &LOCATION(where, "pTexelBufferView"), NULL,
                                                        "is NULL"));
        return check_texel_buffers(call, write, tag == DESCRIPTOR_UNIFORM_TEXEL_BUFFER, where);
    case DESCRIPTOR_INLINE_UNIFORM_BLOCK:
        return check_inline_uniform(call, write, where);
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR:
        return descriptor_check_acceleration_structures(call, write, where);
    case DESCRIPTOR_ACCELERATION_STRUCTURE_NV:
        return descriptor_check_acceleration_structures_nv(call, write, where);
    case DESCRIPTOR_TENSOR:
        return descriptor_check_tensors(call, write, where);
    default:
        return unlikely(write->descriptorType ==
                        VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV) &&
               descriptor_check_partitioned(call, write, where);
    }
}

/* Checks one write: its place in the set, its type, and its data. True: the call is to be
 * skipped. */
static ALWAYS_INLINE bool check_write(struct call *call, const struct write_target *target,
                                      const VkWriteDescriptorSet *write,
                                      const struct location *where)
{
    const struct descriptor_binding *binding =
        descriptor_layout_find(target->layout, write->dstBinding);
    if (unlikely(!binding || !binding->count))
        return report_binding(call, target, binding, write, where);
    enum descriptor_tag tag = descriptor_tag_of(write->descriptorType);
    if (unlikely(binding->type != write->descriptorType &&
                 (binding->type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT ||
                  !(binding->mutable_types & 1u << tag))))
        return report_type(call, target, binding, write, where);
    bool skip = false;
    if (unlikely((uint64_t)write->dstArrayElement + write->descriptorCount >
                 binding_count(target->set, binding)))
        skip = check_consecutive(call, target, binding, write, where);
    return skip | descriptor_update_check_content(call, target, binding, write, tag, where);
}

bool descriptor_check_write(struct call *call, const struct write_target *target,
                            const VkWriteDescriptorSet *write, const struct location *where)
{
    assert(target->layout);
    return check_write(call, target, write, where);
}

bool descriptor_check_content(struct call *call, const struct write_target *target,
                              const struct descriptor_binding *binding,
                              const VkWriteDescriptorSet *write, const struct location *where)
{
    assert(target->layout && binding->type == write->descriptorType);
    return descriptor_update_check_content(call, target, binding, write,
                                           descriptor_tag_of(write->descriptorType), where);
}

/* --- copies --- */

static bool is_host_only_or_after_bind(const struct descriptor_set *set)
{
    return set->layout->flags & (VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT |
                                 VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
}

/* Checks that the layouts and pools of two sets allow copies between them. Unknown pools are not
 * checked. */
static bool check_copied_sets(struct call *call, const struct descriptor_set *from,
                              const struct descriptor_set *to, const VkCopyDescriptorSet *copy,
                              const struct location *where)
{
    assert(from->layout && to->layout);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_DESCRIPTOR_SET, copy->srcSet, HANDLE_DESCRIPTOR_SET, copy->dstSet);
    const VkDescriptorSetLayoutCreateFlags layout_flag =
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    const VkDescriptorPoolCreateFlags pool_flag = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
    const struct descriptor_pool *from_pool = descriptor_pool_by_id(from->pool),
                                 *to_pool = descriptor_pool_by_id(to->pool);
    struct subject s = {.call = call, .where = where, .objects = objects};
    if (from->layout->flags & layout_flag)
        REQUIRE(&s, RULE_01918, to->layout->flags & layout_flag, "dstSet",
                "has a layout without "
                "VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but srcSet's "
                "has it");
    if (!is_host_only_or_after_bind(from))
        REQUIRE(&s, RULE_04885, !(to->layout->flags & layout_flag), "dstSet",
                "has a layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, "
                "but srcSet's does not have it, and is not host-only");
    /* The remaining rules are about the pools. */
    if (!from_pool || !to_pool)
        return s.skip;
    if (from_pool->flags & pool_flag)
        REQUIRE(&s, RULE_01920, to_pool->flags & pool_flag, "dstSet",
                "is of a pool without VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, but "
                "srcSet's pool has it");
    if (!(from_pool->flags & (pool_flag | VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT)))
        REQUIRE(&s, RULE_04887, !(to_pool->flags & pool_flag), "dstSet",
                "is of a pool with VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, but "
                "srcSet's pool does not have it, and is not host-only");
    return s.skip;
}

/* Checks the descriptor types of a copy in which mutable descriptors take part. */
static bool check_copied_types(struct call *call, const struct descriptor_set *from,
                               const struct descriptor_binding *source,
                               const struct descriptor_binding *destination,
                               const VkCopyDescriptorSet *copy, const struct location *where)
{
    assert(source && destination);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_DESCRIPTOR_SET, copy->srcSet, HANDLE_DESCRIPTOR_SET, copy->dstSet);
    bool from_mutable = source->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
         to_mutable = destination->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    const struct value_text type = value_text(VALUES_VkDescriptorType, source->type);
    struct subject s = {.call = call, .where = where, .objects = objects};
    if (!from_mutable && !to_mutable) {
        REQUIRE(&s, RULE_02632, source->type == destination->type, "dstBinding",
                "is %u, of %s, but srcBinding %u is of %s", copy->dstBinding,
                value_text(VALUES_VkDescriptorType, destination->type).text, copy->srcBinding,
                type.text);
        return s.skip;
    }
    if (!from_mutable) {
        REQUIRE(&s, RULE_04612, destination->mutable_types & 1u << descriptor_tag_of(source->type),
                "dstBinding", "is %u, whose list of types lacks that of srcBinding, %s",
                copy->dstBinding, type.text);
        return s.skip;
    }
    if (to_mutable) {
        REQUIRE(&s, RULE_04614, source->mutable_types == destination->mutable_types, "dstBinding",
                "is %u, whose list of types differs from that of srcBinding %u", copy->dstBinding,
                copy->srcBinding);
        return s.skip;
    }
    /* the active descriptor type for the source descriptor must match */
    uint64_t first = (uint64_t)source->first + copy->srcArrayElement;
    for (uint32_t i = 0; i < copy->descriptorCount && first + i < from->descriptor_count; i++) {
        enum descriptor_tag active =
            (enum descriptor_tag)descriptor_load(&from->descriptors[first + i]).tag;
        if (unlikely(active != DESCRIPTOR_NOTHING &&
                     active != descriptor_tag_of(destination->type)))
            return BROKEN_BY(call, RULE_04613, &LOCATION(where, "dstBinding"), objects,
                             "is %u, of %s, but element %u of srcBinding %u is a descriptor "
                             "of %s now",
                             copy->dstBinding,
                             value_text(VALUES_VkDescriptorType, destination->type).text,
                             copy->srcArrayElement + i, copy->srcBinding,
                             value_text(VALUES_VkDescriptorType, descriptor_type_of(active)).text);
    }
    return false;
}

/* Checks a copy of an inline uniform block, whose elements and counts are bytes. */
static bool check_copied_bytes(struct call *call, const struct descriptor_binding *source,
                               const struct descriptor_binding *destination,
                               const VkCopyDescriptorSet *copy, const struct location *where)
{
    assert(source && destination);
    struct subject s = {.call = call, .where = where};
    bool from = source->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
         to = destination->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    static const char four[] = "is %u: bytes of an inline uniform block are copied four by four";
    if (from)
        REQUIRE(&s, RULE_02223, copy->srcArrayElement % 4 == 0, "srcArrayElement", four,
                copy->srcArrayElement);
    if (to)
        REQUIRE(&s, RULE_02224, copy->dstArrayElement % 4 == 0, "dstArrayElement", four,
                copy->dstArrayElement);
    if (from || to)
        REQUIRE(&s, RULE_02225, copy->descriptorCount % 4 == 0, "descriptorCount", four,
                copy->descriptorCount);
    return s.skip;
}

/* True if two ranges of the same length overlap. */
static bool ranges_overlap(uint64_t a, uint64_t b, uint32_t count)
{
    return a < b + count && b < a + count;
}

/* Checks one copy between sets. Nothing is checked if one of the sets is not known. */
static COLD bool descriptor_update_check_copy(struct call *call, const VkCopyDescriptorSet *copy,
                                              const struct location *where)
{
    const struct descriptor_set *from = find_descriptor_set(call, copy->srcSet),
                                *to = find_descriptor_set(call, copy->dstSet);
    if (!from || !to)
        return false;
    const struct descriptor_binding *source =
                                        descriptor_layout_find(from->layout, copy->srcBinding),
                                    *destination =
                                        descriptor_layout_find(to->layout, copy->dstBinding);
    const struct finding_objects *src = OBJECT(HANDLE_DESCRIPTOR_SET, copy->srcSet),
                                 *dst = OBJECT(HANDLE_DESCRIPTOR_SET, copy->dstSet);
    struct subject s = {.call = call, .where = where, .objects = dst};
    REQUIRE_OF(&s, src, RULE_00345, source, "srcBinding", "is %u, which is not a binding of srcSet",
               copy->srcBinding);
    REQUIRE(&s, RULE_00347, destination, "dstBinding", "is %u, which is not a binding of dstSet",
            copy->dstBinding);
    s.skip |= check_copied_sets(call, from, to, copy, where);
    if (!source || !destination)
        return s.skip;
    uint64_t from_room = descriptor_room_from(from->layout, from, source, copy->srcArrayElement),
             to_room = descriptor_room_from(to->layout, to, destination, copy->dstArrayElement);
    REQUIRE_OF(&s, src, RULE_00346, copy->descriptorCount <= from_room, "descriptorCount",
               "is %u, but from srcArrayElement %u on there are %" PRIu64
               " in binding %u and those that follow it",
               copy->descriptorCount, copy->srcArrayElement, from_room, copy->srcBinding);
    REQUIRE(&s, RULE_00348, copy->descriptorCount <= to_room, "descriptorCount",
            "is %u, but from dstArrayElement %u on there are %" PRIu64
            " in binding %u and those that follow it",
            copy->descriptorCount, copy->dstArrayElement, to_room, copy->dstBinding);
    s.skip |= check_copied_types(call, from, source, destination, copy, where);
    s.skip |= check_copied_bytes(call, source, destination, copy, where);
    /* In an inline uniform block these numbers count bytes, not descriptors. */
    if (from == to && source->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        REQUIRE(&s, RULE_00349,
                !ranges_overlap((uint64_t)source->first + copy->srcArrayElement,
                                (uint64_t)destination->first + copy->dstArrayElement,
                                copy->descriptorCount),
                "dstSet", "is srcSet, and the two ranges of %u descriptors overlap",
                copy->descriptorCount);
    REQUIRE(&s, RULE_02753,
            destination->type != VK_DESCRIPTOR_TYPE_SAMPLER || !destination->immutable_samplers,
            "dstBinding", "is %u, a sampler binding with immutable samplers", copy->dstBinding);
    return s.skip;
}

/* --- vkUpdateDescriptorSets --- */

/* Reports a write to a set that submitted work uses, if the binding does not have the flags that
 * allow that. */
static COLD bool check_pending(struct call *call, const struct descriptor_set *set, uint32_t number,
                               const struct location *where)
{
    assert(set->layout);
    const struct descriptor_binding *binding = descriptor_layout_find(set->layout, number);
    if (!binding || binding->flags & (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                      VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT))
        return false;
    return in_use_report(call, &set->base, RULE(call, 03047), &LOCATION(where, "dstSet"));
}

bool core_validate_UpdateDescriptorSets(struct call *call, VkDevice device,
                                        uint32_t descriptorWriteCount,
                                        const VkWriteDescriptorSet *pDescriptorWrites,
                                        uint32_t descriptorCopyCount,
                                        const VkCopyDescriptorSet *pDescriptorCopies)
{
    bool skip = false;
    for (uint32_t i = 0; i < descriptorWriteCount; i++) {
        const VkWriteDescriptorSet *write = &pDescriptorWrites[i];
        const struct descriptor_set *set = find_descriptor_set(call, write->dstSet);
        if (unlikely(!set))
            continue;
        const struct location where = LOCATION_INDEX(NULL, "pDescriptorWrites", i);
        const struct write_target target = {set->layout, set, HANDLE_DESCRIPTOR_SET,
                                            (uint64_t)write->dstSet};
        if (unlikely(in_use(call, &set->base)))
            skip |= check_pending(call, set, write->dstBinding, &where);
        skip |= check_write(call, &target, write, &where);
    }
    for (uint32_t i = 0; i < descriptorCopyCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pDescriptorCopies", i);
        const struct descriptor_set *to = find_descriptor_set(call, pDescriptorCopies[i].dstSet);
        if (unlikely(to && in_use(call, &to->base)))
            skip |= check_pending(call, to, pDescriptorCopies[i].dstBinding, &where);
        skip |= descriptor_update_check_copy(call, &pDescriptorCopies[i], &where);
    }
    return skip;
}
