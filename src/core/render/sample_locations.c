/* Checks the sample locations for layout transitions of a render pass object (8.4 "Render Pass
 * Commands"). Locations for images that were not created for them are ignored. */
#include "core/dynamic_state/values.h"

#include "core/render/sample_locations.h"
#include "state/memory/image.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* Checks the VkSampleLocationsInfoEXT of an element. It is only called for elements that have an
 * effect. */
static bool sample_locations_check(struct call *call, const struct location *parent,
                                   const VkSampleLocationsInfoEXT *info)
{
    assert(info);
    const struct location where = LOCATION(parent, "sampleLocationsInfo");
    if (info->sType != VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT)
        return BROKEN_BY(call, VUID_VkSampleLocationsInfoEXT_sType_sType,
                         &LOCATION(&where, "sType"), NULL,
                         "is %d, not VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT",
                         (int)info->sType);
    if (info->sampleLocationsCount && pointer_is_bad(info->pSampleLocations))
        return call_stop(call,
                         BROKEN_BY(call, VUID_VkSampleLocationsInfoEXT_pSampleLocations_parameter,
                                   &LOCATION(&where, "pSampleLocations"), NULL,
                                   "is %p, where no program can have memory",
                                   (const void *)info->pSampleLocations));
    return check_sample_locations(call, &where, info);
}

/* True if the attachment's image is known to keep depth that depends on sample locations. */
static bool is_compatible(const struct located_pass *p, uint32_t attachment)
{
    const struct framebuffer *framebuffer = p->framebuffer;
    if (!framebuffer || attachment >= framebuffer->attachment_count)
        return false;
    const struct framebuffer_attachment *at = &framebuffer->attachments[attachment];
    if (framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
        return at->flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    const struct image_view *view = image_view_by_id(at->view);
    return view && view->image_flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
}

/* Checks the initial locations of an attachment. They only have an effect if its depth image may
 * have sample locations. */
static bool check_initial(const struct located_pass *p, const struct location *where,
                          const VkAttachmentSampleLocationsEXT *locations)
{
    uint32_t index = locations->attachmentIndex;
    struct subject s = {.call = p->call, .where = where};
    REQUIRE(&s, VUID_VkAttachmentSampleLocationsEXT_attachmentIndex_01531,
            index < p->pass->attachment_count, "attachmentIndex",
            "is %u, but the render pass has %u attachments", index, p->pass->attachment_count);
    return s.skip | (is_compatible(p, index) &&
                     sample_locations_check(p->call, where, &locations->sampleLocationsInfo));
}

static bool check_after_subpass(const struct located_pass *p, const struct location *where,
                                const VkSubpassSampleLocationsEXT *locations)
{
    uint32_t index = locations->subpassIndex;
    if (index >= p->pass->subpass_count)
        return BROKEN_BY(p->call, VUID_VkSubpassSampleLocationsEXT_subpassIndex_01532,
                         &LOCATION(where, "subpassIndex"), NULL,
                         "is %u, but the render pass has %u subpasses", index,
                         p->pass->subpass_count);
    return is_compatible(p, p->pass->subpasses[index].depth_stencil.attachment) &&
           sample_locations_check(p->call, where, &locations->sampleLocationsInfo);
}

bool check_pass_sample_locations(const struct located_pass *p, const struct location *parent,
                                 const VkRenderPassSampleLocationsBeginInfoEXT *info)
{
    const struct location where =
        LOCATION_CHAINED(parent, "VkRenderPassSampleLocationsBeginInfoEXT");
    bool skip = false;
    for (uint32_t i = 0;
         info->pAttachmentInitialSampleLocations && i < info->attachmentInitialSampleLocationsCount;
         i++)
        skip |= check_initial(p, &LOCATION_INDEX(&where, "pAttachmentInitialSampleLocations", i),
                              &info->pAttachmentInitialSampleLocations[i]);
    for (uint32_t i = 0;
         info->pPostSubpassSampleLocations && i < info->postSubpassSampleLocationsCount; i++)
        skip |= check_after_subpass(p, &LOCATION_INDEX(&where, "pPostSubpassSampleLocations", i),
                                    &info->pPostSubpassSampleLocations[i]);
    return skip;
}
