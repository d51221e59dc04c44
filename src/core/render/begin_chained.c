/* Checks structures that can be chained to the beginning of both kinds of render pass instances
 * (8.4, 8.5). They are stripes, areas of views, device masks and counters by region. */
#include "core/render/rendering.h"

#include "core/memory/address.h"
#include "state/command/sections.h"

#include <inttypes.h>

/* --- areas ------------------------------------------------------------------------------------ */

const VkDeviceGroupRenderPassBeginInfo *device_render_areas(const void *chain)
{
    const VkDeviceGroupRenderPassBeginInfo *group =
        chain ? chain_find(chain, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO) : NULL;
    return group && group->deviceRenderAreaCount && group->pDeviceRenderAreas ? group : NULL;
}

/* The area, in texels, of the intersection of two areas. */
static uint64_t common_area(const VkRect2D *a, const VkRect2D *b)
{
    const int64_t left = a->offset.x > b->offset.x ? a->offset.x : b->offset.x;
    const int64_t top = a->offset.y > b->offset.y ? a->offset.y : b->offset.y;
    const int64_t right = rect_right(a) < rect_right(b) ? rect_right(a) : rect_right(b);
    const int64_t bottom = rect_bottom(a) < rect_bottom(b) ? rect_bottom(a) : rect_bottom(b);
    return right > left && bottom > top ? (uint64_t)(right - left) * (uint64_t)(bottom - top) : 0;
}

static bool is_empty(const VkRect2D *area)
{
    return !area->extent.width || !area->extent.height;
}

/* True if the inner area lies wholly in the outer area. */
static bool area_contains(const VkRect2D *outer, const VkRect2D *inner)
{
    return inner->offset.x >= outer->offset.x && inner->offset.y >= outer->offset.y &&
           rect_right(inner) <= rect_right(outer) && rect_bottom(inner) <= rect_bottom(outer);
}

/* --- stripes ---------------------------------------------------------------------------------- */

/* True if the width or height of a stripe is a multiple of the granularity, or ends where the
 * render area does. The sentence compares with the area's extent, although the area may not begin
 * at 0; both ends are accepted. */
static bool stripe_ends(uint32_t extent, int32_t offset, uint32_t granularity, uint32_t area_extent,
                        int64_t area_end)
{
    const int64_t end = (int64_t)offset + extent;
    return !granularity || extent % granularity == 0 || end == area_extent || end == area_end;
}

/* Checks that no two stripes overlap. */
static bool begin_chained_check_overlaps(struct subject *s,
                                         const VkRenderPassStripeBeginInfoARM *stripes)
{
    bool apart = true;
    for (uint32_t i = 1; i < stripes->stripeInfoCount; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (!common_area(&stripes->pStripeInfos[i].stripeArea,
                             &stripes->pStripeInfos[k].stripeArea))
                continue;
            BROKEN(s, RULE_09451,
                   &LOCATION(&LOCATION_INDEX(s->where, "pStripeInfos", i), "stripeArea"),
                   "overlaps that of element %u", k);
            apart = false;
        }
    }
    return apart;
}

/* Checks the stripes of a render pass instance: they do not overlap, fit the granularity and cover
 * the render area. If `area` is NULL, only their number is checked. */
static void check_stripes(struct rendering_check *c, const struct instance_begin *begin,
                          const VkRenderPassStripeBeginInfoARM *stripes)
{
    const VkPhysicalDeviceRenderPassStripedPropertiesARM *properties =
        &c->s.call->device->extended.RenderPassStripedPropertiesARM;
    const VkExtent2D least = properties->renderPassStripeGranularity;
    const VkRect2D *area = begin->area;
    struct subject s = {.call = c->s.call,
                        .where = &LOCATION_CHAINED(&c->where, "VkRenderPassStripeBeginInfoARM")};
    const bool few = stripes->stripeInfoCount <= properties->maxRenderPassStripes;
    REQUIRE(&s, RULE_09450, few || !properties->maxRenderPassStripes, "stripeInfoCount",
            "is %u, but maxRenderPassStripes is %u", stripes->stripeInfoCount,
            properties->maxRenderPassStripes);
    if (few && !pointer_is_bad(stripes->pStripeInfos) &&
        /* If stripes do not overlap, the sum of their areas shows whether they cover the render
         * area. */
        begin_chained_check_overlaps(&s, stripes) && area) {
        uint64_t covered = 0;
        for (uint32_t i = 0; i < stripes->stripeInfoCount; i++) {
            const VkRect2D *stripe = &stripes->pStripeInfos[i].stripeArea;
            const struct location at =
                LOCATION(&LOCATION_INDEX(s.where, "pStripeInfos", i), "stripeArea.extent");
            covered += common_area(stripe, area);
            REQUIRE(&s, RULE_09453,
                    stripe_ends(stripe->extent.width, stripe->offset.x, least.width,
                                area->extent.width, rect_right(area)),
                    &LOCATION(&at, "width"),
                    "is %u, neither a multiple of renderPassStripeGranularity.width, %u, nor up to "
                    "the end of the render area",
                    stripe->extent.width, least.width);
            REQUIRE(&s, RULE_09455,
                    stripe_ends(stripe->extent.height, stripe->offset.y, least.height,
                                area->extent.height, rect_bottom(area)),
                    &LOCATION(&at, "height"),
                    "is %u, neither a multiple of renderPassStripeGranularity.height, %u, nor up "
                    "to the end of the render area",
                    stripe->extent.height, least.height);
        }
        REQUIRE(&s, c->info ? RULE_09535 : RULE_09539, covered == common_area(area, area),
                "pStripeInfos", "covers %" PRIu64 " of the %" PRIu64 " pixels of the render area",
                covered, common_area(area, area));
    }
    c->s.skip |= s.skip;
}

/* --- areas of views --------------------------------------------------------------------------- */

/* Checks the render areas of the views of `begin`; a count of 0 means one area for all views. */
static void check_view_areas(struct rendering_check *c, const struct instance_begin *begin,
                             const VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM *areas)
{
    struct subject s = {
        .call = c->s.call,
        .where =
            &LOCATION_CHAINED(&c->where, "VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM")};
    const uint32_t count = areas->perViewRenderAreaCount;
    /* "If ... perViewRenderAreaCount is zero", renderArea is used for all views. */
    if (!count)
        return;
    REQUIRE(&s, c->info ? RULE_07866 : RULE_07865, count >= views_of(begin->views),
            "perViewRenderAreaCount", "is %u, but the views are those of 0x%x", count,
            begin->views);
    /* An empty area adds nothing to the union. The areas of views outside the mask are not used. */
    for (uint32_t i = 0; begin->area && !pointer_is_bad(areas->pPerViewRenderAreas) && i < count &&
                         i < views_of(begin->views);
         i++)
        REQUIRE(&s, c->info ? RULE_07858 : RULE_07860,
                !(begin->views >> i & 1) || is_empty(&areas->pPerViewRenderAreas[i]) ||
                    area_contains(begin->area, &areas->pPerViewRenderAreas[i]),
                &LOCATION_INDEX(s.where, "pPerViewRenderAreas", i),
                "is not within the renderArea of the instance");
    c->s.skip |= s.skip;
}

/* --- devices ---------------------------------------------------------------------------------- */

/* deviceMask must be a subset of the command buffer's initial device mask */
static void check_device_mask(struct rendering_check *c,
                              const VkDeviceGroupRenderPassBeginInfo *group)
{
    const uint32_t initial = c->command_buffer && c->command_buffer->sections
                                 ? c->command_buffer->sections->initial_mask
                                 : 0;
    struct subject s = {.call = c->s.call,
                        .where = &LOCATION_CHAINED(&c->where, "VkDeviceGroupRenderPassBeginInfo")};
    REQUIRE(&s, RULE_00907, !initial || !(group->deviceMask & ~initial), "deviceMask",
            "is 0x%x, but the command buffer was begun with the device mask 0x%x",
            group->deviceMask, initial);
    c->s.skip |= s.skip;
}

/* --- counters of regions ---------------------------------------------------------------------- */

/* Rounds up to a multiple of `alignment`; 0: the alignment is not known, and the value stays. */
static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return alignment ? (value + alignment - 1) / alignment * alignment : value;
}

/* The size of the counters of one layer in a render area, in bytes; 0: not known. */
static uint64_t counters_size(const struct device *device, uint32_t count, VkExtent2D area)
{
    const VkPhysicalDevicePerformanceCountersByRegionPropertiesARM *properties =
        &device->extended.PerformanceCountersByRegionPropertiesARM;
    const VkExtent2D region = properties->performanceCounterRegionSize;
    const uint64_t of_region =
        align_up((uint64_t)count * sizeof(uint32_t), properties->regionAlignment);
    if (!region.width || !region.height || count > UINT16_MAX)
        return 0;
    return align_up(texels_for(area.width, region.width) * of_region,
                    properties->rowStrideAlignment) *
           texels_for(area.height, region.height);
}

/* Checks the addresses to which counters are written. An address of 0 writes none. */
static void
begin_chained_check_counters(struct rendering_check *c, const struct instance_begin *begin,
                             const VkRenderPassPerformanceCountersByRegionBeginInfoARM *counters)
{
    struct subject s = {
        .call = c->s.call,
        .where =
            &LOCATION_CHAINED(&c->where, "VkRenderPassPerformanceCountersByRegionBeginInfoARM")};
    const uint32_t count = counters->counterAddressCount;
    /* The sentence counts views differently from the text above it, so render passes with views are
     * not checked. */
    if (begin->subpasses && begin->layers && !begin->views)
        REQUIRE(&s, RULE_11815, count == (uint64_t)begin->subpasses * begin->layers,
                "counterAddressCount", "is %u, but there are %u subpasses with %u layers", count,
                begin->subpasses, begin->layers);
    const uint64_t size =
        c->info && begin->area
            ? counters_size(s.call->device, counters->counterIndexCount, begin->area->extent)
            : 0;
    for (uint32_t i = 0; size && !pointer_is_bad(counters->pCounterAddresses) && i < count; i++) {
        const VkDeviceAddress address = counters->pCounterAddresses[i];
        const struct location at = LOCATION_INDEX(s.where, "pCounterAddresses", i);
        if (!address)
            continue;
        const struct address_search found =
            device_address_find(s.call->device, address, size, ADDRESS_BOUND);
        if (found.match == ADDRESS_NOWHERE)
            s.skip |= address_report_nowhere(s.call, RULE(s.call, 11817), &at, address, "");
        else if (found.match == ADDRESS_TOO_SHORT)
            s.skip |= address_report_short(s.call, RULE(s.call, 11817), &at, address, &found, size,
                                           "the counters take");
        else if (found.match == ADDRESS_USAGE)
            s.skip |= address_report_unbound(s.call, RULE(s.call, 11816), &at, address, &found);
    }
    c->s.skip |= s.skip;
}

void check_instance_chain(struct rendering_check *c, const struct instance_begin *begin)
{
    for (struct chain_walk walk = chain_begin(begin->chain); walk.at; chain_step(&walk)) {
        const void *at = walk.at;
        switch (walk.at->sType) {
        case VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_BEGIN_INFO_ARM:
            check_stripes(c, begin, at);
            break;
        case VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM:
            check_view_areas(c, begin, at);
            break;
        case VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO:
            check_device_mask(c, at);
            break;
        case VK_STRUCTURE_TYPE_RENDER_PASS_PERFORMANCE_COUNTERS_BY_REGION_BEGIN_INFO_ARM:
            begin_chained_check_counters(c, begin, at);
            break;
        default:
            break;
        }
    }
}
