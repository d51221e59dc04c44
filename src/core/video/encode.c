/* Checks the parameters of vkCmdEncodeVideoKHR that all codecs have (42.13 "Video Encode
 * Commands"). */
#include "core/video/encode.h"

#include "state/command/protected.h"

#include "core/hooks.h"
#include "vk/chain.h"

static const struct coding_rules rules = {
    .offset = RULE_08208,
    .setup_offset = RULE_08214,
    .slot_offset = RULE_08218,
    .setup_bound = RULE_08215,
    .slot_bound = RULE_08219,
    .unique = RULE_08220,
    .uses = RULE_08221,
    .active_query = RULE_07174,
    .inline_count = RULE_08360,
    .inline_type = RULE_08362,
    .inline_family = RULE_08364,
    .inline_profile = RULE_08363,
    .buffer_profile = RULE_08201,
    .picture_profile = RULE_08206,
};

/* The two flags that use quantization maps. */
#define MAPS                                               \
    (VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR)

/* The quotient, rounded up. 0 if `by` is 0, which means that the divisor is not known. */
static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return by ? value / by + (value % by != 0) : 0;
}

/* --- quantization maps --- */

/* Checks the usages of the view of a quantization map. */
static void check_map_usage(struct coding *c, const VkVideoEncodeInfoKHR *info,
                            const struct image_view *view, const struct location *at)
{
    REQUIRE(&c->s, RULE_10311,
            !(info->flags & VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR) ||
                view->usage & VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR,
            at, "lacks VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR");
    REQUIRE(&c->s, RULE_10312,
            !(info->flags & VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR) ||
                view->usage & VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR,
            at, "lacks VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR");
}

/* Checks the extent of a quantization map against its view and, if the session parameters are
 * known, against their texel size. */
static void check_map_extent(struct coding *c, const VkVideoEncodeInfoKHR *info,
                             const VkVideoEncodeQuantizationMapInfoKHR *map,
                             const struct image_view *view, const struct location *where)
{
    const VkExtent2D extent = map->quantizationMapExtent,
                     coded = info->srcPictureResource.codedExtent;
    const struct location at = LOCATION(where, "quantizationMapExtent");
/* Rules of VkVideoEncodeQuantizationMapInfoKHR about the extent. */
#define MAP(number_) VUID_VkVideoEncodeQuantizationMapInfoKHR_quantizationMapExtent_##number_
    REQUIRE(&c->s, MAP(10352), extent.width <= view->extent.width, &LOCATION(&at, "width"),
            "is %u, but quantizationMap is %u wide", extent.width, view->extent.width);
    REQUIRE(&c->s, MAP(10353), extent.height <= view->extent.height, &LOCATION(&at, "height"),
            "is %u, but quantizationMap is %u high", extent.height, view->extent.height);
    if (!c->parameters)
        return;
    const bool compatible = c->parameters->flags &
                            VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    REQUIRE(&c->s, RULE_10315, compatible, &LOCATION(where, "quantizationMap"),
            "is used with %s, which lacks "
            "VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR",
            NAMED_STATE(c->s.call, &c->parameters->base));
    const VkExtent2D texel = c->parameters->texel_size;
    if (!compatible || !texel.width || !texel.height || c->s.wrong)
        return;
    REQUIRE(&c->s, RULE_10316,
            extent.width == divide_up(coded.width, texel.width) &&
                extent.height == divide_up(coded.height, texel.height),
            &at, "is %ux%u, but the picture has %ux%u texels of %ux%u", extent.width, extent.height,
            divide_up(coded.width, texel.width), divide_up(coded.height, texel.height), texel.width,
            texel.height);
}

/* Checks the quantization map of an encode. Without the structure, checks that the flags do not
 * require a map. */
static void check_map(struct coding *c, const VkVideoEncodeInfoKHR *info)
{
    const VkVideoEncodeQuantizationMapInfoKHR *map =
        CHAINED(info->pNext, VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR);
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoEncodeQuantizationMapInfoKHR");
    REQUIRE(&c->s, RULE_10308,
            !(info->flags & VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR) ||
                (c->scope->mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR &&
                 c->scope->mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR),
            "flags",
            "contains VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR, but the current rate control "
            "mode is %s",
            c->scope->mode ? "VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR"
                           : "VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR");
    REQUIRE(&c->s, RULE_10309, !(info->flags & MAPS) || (map && map->quantizationMap), "flags",
            "is %s, but no quantizationMap is given",
            value_text(VALUES_VkVideoEncodeFlagsKHR, info->flags).text);
    const struct image_view *view = map ? find_image_view(c->s.call, map->quantizationMap) : NULL;
    if (!view)
        return;
    const struct location handle = LOCATION(&at, "quantizationMap");
    const struct device *device = c->s.call->device;
    const struct command_buffer *command_buffer = call_command_buffer(c->s.call);
    check_map_usage(c, info, view, &handle);
    if (info->flags & MAPS)
        video_check_profile(&c->s, RULE_10310, c->session, &handle, map->quantizationMap);
    REQUIRE(&c->s, RULE_10313,
            !command_buffer || command_buffer_is_protected(command_buffer) ||
                !(view->image_flags & VK_IMAGE_CREATE_PROTECTED_BIT) ||
                device->extended.ProtectedMemoryProperties.protectedNoFault ||
                device->extended.Vulkan11Properties.protectedNoFault,
            &handle, "is a view of a protected image, but commandBuffer is not protected");
    check_map_extent(c, info, map, view, &at);
}

/* --- intra refresh --- */

/* Checks how many regions each reference slot has left in an intra refresh, and the length of the
 * refresh's cycle. */
static void check_refresh(struct coding *c, const VkVideoEncodeInfoKHR *info)
{
    const VkVideoEncodeIntraRefreshInfoKHR *refresh =
        CHAINED(info->pNext, VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR);
    const bool refreshes = info->flags & VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR;
    for (uint32_t i = 0; i < c->slot_count; i++) {
        const VkVideoReferenceIntraRefreshInfoKHR *dirty =
            CHAINED(c->slots[i].pNext, VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR);
        const struct location slot = LOCATION_INDEX(c->s.where, "pReferenceSlots", i),
                              chained =
                                  LOCATION_CHAINED(&slot, "VkVideoReferenceIntraRefreshInfoKHR"),
                              at = LOCATION(&chained, "dirtyIntraRefreshRegions");
        if (!dirty || !dirty->dirtyIntraRefreshRegions)
            continue;
        REQUIRE(&c->s, RULE_10842, refreshes, &at,
                "is %u, but flags lacks VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR",
                dirty->dirtyIntraRefreshRegions);
        REQUIRE(&c->s, RULE_10843,
                !refreshes || !refresh ||
                    dirty->dirtyIntraRefreshRegions ==
                        refresh->intraRefreshCycleDuration - refresh->intraRefreshIndex,
                &at, "is %u, but intraRefreshCycleDuration is %u and intraRefreshIndex is %u",
                dirty->dirtyIntraRefreshRegions, refresh->intraRefreshCycleDuration,
                refresh->intraRefreshIndex);
    }
    if (!refresh || !c->can)
        return;
    const uint32_t most =
        c->can->VideoEncodeIntraRefreshCapabilitiesKHR.maxIntraRefreshCycleDuration;
    REQUIRE(&c->s, RULE_10844,
            !refresh->intraRefreshCycleDuration || (refresh->intraRefreshCycleDuration >= 2 &&
                                                    refresh->intraRefreshCycleDuration <= most),
            &LOCATION(&LOCATION_CHAINED(c->s.where, "VkVideoEncodeIntraRefreshInfoKHR"),
                      "intraRefreshCycleDuration"),
            "is %u, but must be 0, or between 2 and %u, maxIntraRefreshCycleDuration of the video "
            "profile",
            refresh->intraRefreshCycleDuration, most);
}

bool core_validate_CmdEncodeVideoKHR(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pEncodeInfo");
    struct coding c = {.s = {.call = call, .where = &where},
                       .rules = &rules,
                       .chain = pEncodeInfo->pNext,
                       .buffer_name = "dstBuffer",
                       .buffer = pEncodeInfo->dstBuffer,
                       .picture_name = "srcPictureResource",
                       .picture = &pEncodeInfo->srcPictureResource,
                       .setup = pEncodeInfo->pSetupReferenceSlot,
                       .slot_count = pEncodeInfo->referenceSlotCount,
                       .slots = pEncodeInfo->pReferenceSlots};
    if (!coding_begin(&c))
        return false;
    switch (c.session->operation) {
    case SESSION_CREATES(ENCODE_H264):
    case SESSION_CREATES(ENCODE_H265):
        encode_check_slices(&c, pEncodeInfo);
        break;
    case SESSION_CREATES(ENCODE_AV1):
        encode_check_av1(&c, pEncodeInfo);
        break;
    default:
        return false; /* the session decodes, for which registry/rows.txt has a row */
    }
    check_map(&c, pEncodeInfo);
    check_refresh(&c, pEncodeInfo);
    coding_check(&c);
    return c.s.skip;
}
