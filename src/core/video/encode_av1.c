/* Checks pictures that are encoded with AV1, and the sequence headers of their parameters. */
#include "core/video/encode.h"

#include "core/hooks.h"
#include "vk/chain.h"

/* The number of reference names of a frame. */
#define REFERENCES     VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR
#define PICTURE(name_) VUID_VkVideoEncodeAV1PictureInfoKHR_##name_

/* A picture that is being checked. Threads: on the stack. */
struct av1 {
    struct coding *c; /* state of the command's checks */
    const VkVideoEncodeInfoKHR *encode;
    const VkVideoEncodeAV1PictureInfoKHR *info;
    const StdVideoEncodeAV1PictureInfo *std;
    struct location where, std_where; /* locations of `info` and of `std` */
};

/* --- the structure alone --- */

/* Checks members of an AV1 picture against each other, for any video profile. Segmentation is never
 * allowed. */
static void check_structure(struct av1 *a)
{
    struct subject *s = &a->c->s;
    const uint8_t primary = a->std->primary_ref_frame;
    const bool is_reference = primary < REFERENCES;
    REQUIRE(s, PICTURE(primaryReferenceCdfOnly_10290),
            !a->info->primaryReferenceCdfOnly || is_reference,
            &LOCATION(&a->std_where, "primary_ref_frame"),
            "is %u, which is not less than %u, but primaryReferenceCdfOnly is VK_TRUE", primary,
            REFERENCES);
    REQUIRE(s, PICTURE(pStdPictureInfo_10291),
            !is_reference || a->info->referenceNameSlotIndices[primary] >= 0,
            &LOCATION_INDEX(&a->where, "referenceNameSlotIndices", primary),
            "is %d, but primary_ref_frame is %u",
            a->info->referenceNameSlotIndices[is_reference ? primary : 0], primary);
    REQUIRE(s, PICTURE(generateObuExtensionHeader_10293),
            !a->info->generateObuExtensionHeader || a->std->pExtensionHeader,
            &LOCATION(&a->std_where, "pExtensionHeader"),
            "is NULL, but generateObuExtensionHeader is VK_TRUE");
    REQUIRE(s, RULE_10349, !a->std->flags.segmentation_enabled, &a->std_where,
            "has segmentation_enabled, which no driver can encode with");
    REQUIRE(s, RULE_10350, !a->std->pSegmentation, &LOCATION(&a->std_where, "pSegmentation"),
            "is not NULL");
}

/* --- rate control --- */

/* Checks constantQIndex, which must be 0 unless rate control is disabled. */
static void check_quantizer(struct av1 *a)
{
    struct coding *c = a->c;
    const struct location at = LOCATION(&a->where, "constantQIndex");
    const uint32_t index = a->info->constantQIndex;
    if (c->scope->mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR) {
        REQUIRE(&c->s, RULE_10320, !index, &at,
                "is %u, but must be 0, as the current rate control mode is not "
                "VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR",
                index);
    } else if (c->can) {
        const VkVideoEncodeAV1CapabilitiesKHR *can = &c->can->VideoEncodeAV1CapabilitiesKHR;
        REQUIRE(&c->s, RULE_10321, index >= can->minQIndex && index <= can->maxQIndex, &at,
                "is %u, but must be between %u and %u, minQIndex and maxQIndex of the video "
                "profile",
                index, can->minQIndex, can->maxQIndex);
    }
}

/* --- sizes --- */

/* Checks the coded extents of the picture and its references against the sequence header, if the
 * profile does not allow other sizes. */
static void encode_av1_check_size(struct av1 *a)
{
    struct coding *c = a->c;
    const VkVideoEncodeAV1CapabilityFlagsKHR can = c->can->VideoEncodeAV1CapabilitiesKHR.flags;
    const VkExtent2D coded = a->encode->srcPictureResource.codedExtent;
    const struct location source = LOCATION(c->s.where, "srcPictureResource"),
                          at = LOCATION(&source, "codedExtent");
    const bool any = can & VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR;
    REQUIRE(&c->s, RULE_10322, any || !a->std->flags.frame_size_override_flag, &a->std_where,
            "has frame_size_override_flag, but the video profile lacks "
            "VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR");
    if (!any && c->parameters && c->parameters->frame.width) {
        const VkExtent2D frame = c->parameters->frame;
        REQUIRE(&c->s, RULE_10323, coded.width == frame.width, &LOCATION(&at, "width"),
                "is %u, but the sequence header has frames that are %u wide", coded.width,
                frame.width);
        REQUIRE(&c->s, RULE_10324, coded.height == frame.height, &LOCATION(&at, "height"),
                "is %u, but the sequence header has frames that are %u high", coded.height,
                frame.height);
    }
    for (uint32_t i = 0; i < c->slot_count; i++) {
        const VkVideoPictureResourceInfoKHR *reference = c->slots[i].pPictureResource;
        const struct location slot = LOCATION_INDEX(c->s.where, "pReferenceSlots", i),
                              resource = LOCATION_POINTER(&slot, "pPictureResource");
        if (!reference)
            continue;
        REQUIRE(&c->s, RULE_10325,
                can & VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR ||
                    (reference->codedExtent.width == coded.width &&
                     reference->codedExtent.height == coded.height),
                &LOCATION(&resource, "codedExtent"),
                "is %ux%u, but that of the picture is %ux%u, and the video profile lacks "
                "VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR",
                reference->codedExtent.width, reference->codedExtent.height, coded.width,
                coded.height);
    }
}

/* Checks one direction of the tiles: their number `tiles`, and their size in pixels. Together the
 * tiles cover `coded` pixels. If the capabilities are not known, it only checks that there are
 * tiles. */
static void check_side(struct av1 *a, enum rule none, enum rule many, enum rule size_rule,
                       const char *member, uint32_t tiles, uint32_t most, uint32_t coded,
                       uint32_t least_size, uint32_t most_size)
{
    struct subject *s = &a->c->s;
    const struct location info = LOCATION_POINTER(&a->std_where, "pTileInfo"),
                          at = LOCATION(&info, member);
    REQUIRE(s, none, tiles, &at, "is 0");
    if (!tiles || !a->c->can)
        return;
    REQUIRE(s, many, tiles <= most, &at, "is %u, but maxTiles of the video profile has %u", tiles,
            most);
    const uint32_t size = coded / tiles + (coded % tiles != 0);
    REQUIRE(s, size_rule, tiles > most || (size >= least_size && size <= most_size), &at,
            "is %u, which makes tiles of %u pixels, but the video profile has between %u and %u",
            tiles, size, least_size, most_size);
}

/* Checks the tiles against the limits; a limit of 0 is not known. */
static void encode_av1_check_tiles(struct av1 *a)
{
    const StdVideoAV1TileInfo *tiles = a->std->pTileInfo;
    if (pointer_is_bad(tiles))
        return;
    const VkExtent2D coded = a->encode->srcPictureResource.codedExtent;
    VkVideoEncodeAV1CapabilitiesKHR can = {0};
    if (a->c->can)
        can = a->c->can->VideoEncodeAV1CapabilitiesKHR;
    check_side(a, RULE_10343, RULE_10345, RULE_10347, "TileCols", tiles->TileCols,
               can.maxTiles.width, coded.width, can.minTileSize.width, can.maxTileSize.width);
    check_side(a, RULE_10344, RULE_10346, RULE_10348, "TileRows", tiles->TileRows,
               can.maxTiles.height, coded.height, can.minTileSize.height, can.maxTileSize.height);
}

/* --- layers --- */

/* Checks the layer ids of an OBU extension header against the capabilities, which must be known. An
 * unreadable header is not checked. */
static void check_header(struct av1 *a, enum rule temporal, enum rule spatial,
                         const struct location *where,
                         const StdVideoEncodeAV1ExtensionHeader *header)
{
    const VkVideoEncodeAV1CapabilitiesKHR *can = &a->c->can->VideoEncodeAV1CapabilitiesKHR;
    const struct location at = LOCATION_POINTER(where, "pExtensionHeader");
    if (pointer_is_bad(header))
        return;
    REQUIRE(&a->c->s, temporal, header->temporal_id < can->maxTemporalLayerCount,
            &LOCATION(&at, "temporal_id"),
            "is %u, but maxTemporalLayerCount of the video profile is %u", header->temporal_id,
            can->maxTemporalLayerCount);
    REQUIRE(&a->c->s, spatial, header->spatial_id < can->maxSpatialLayerCount,
            &LOCATION(&at, "spatial_id"),
            "is %u, but maxSpatialLayerCount of the video profile is %u", header->spatial_id,
            can->maxSpatialLayerCount);
}

/* The program's description of a reference; NULL: there is none, or it cannot be read. */
static const StdVideoEncodeAV1ReferenceInfo *reference_of(const VkVideoReferenceSlotInfoKHR *slot)
{
    const VkVideoEncodeAV1DpbSlotInfoKHR *info =
        slot ? CHAINED(slot->pNext, VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR) : NULL;
    return info && !pointer_is_bad(info->pStdReferenceInfo) ? info->pStdReferenceInfo : NULL;
}

/* Checks the extension headers of the picture, its references and its setup slot. */
static void encode_av1_check_layers(struct av1 *a)
{
    struct coding *c = a->c;
    const StdVideoEncodeAV1ExtensionHeader *own = a->std->pExtensionHeader;
    if (c->can)
        check_header(a, RULE_10336, RULE_10337, &a->std_where, own);
    for (uint32_t i = 0; c->can && i < c->slot_count; i++) {
        const StdVideoEncodeAV1ReferenceInfo *reference = reference_of(&c->slots[i]);
        const struct location slot = LOCATION_INDEX(c->s.where, "pReferenceSlots", i),
                              info = LOCATION_CHAINED(&slot, "VkVideoEncodeAV1DpbSlotInfoKHR"),
                              std = LOCATION_POINTER(&info, "pStdReferenceInfo");
        if (reference)
            check_header(a, RULE_10341, RULE_10342, &std, reference->pExtensionHeader);
    }
    const StdVideoEncodeAV1ReferenceInfo *setup = reference_of(c->setup);
    const struct location slot = LOCATION_POINTER(c->s.where, "pSetupReferenceSlot"),
                          info = LOCATION_CHAINED(&slot, "VkVideoEncodeAV1DpbSlotInfoKHR"),
                          std = LOCATION_POINTER(&info, "pStdReferenceInfo"),
                          at = LOCATION_POINTER(&std, "pExtensionHeader");
    if (!setup)
        return;
    const StdVideoEncodeAV1ExtensionHeader *made = setup->pExtensionHeader;
    REQUIRE(&c->s, RULE_10338, !made == !own, &at, "is%s NULL, but that of the picture is%s",
            made ? " not" : "", own ? " not" : "");
    if (pointer_is_bad(made) || pointer_is_bad(own))
        return;
    REQUIRE(&c->s, RULE_10339, made->temporal_id == own->temporal_id, &LOCATION(&at, "temporal_id"),
            "is %u, but that of the picture is %u", made->temporal_id, own->temporal_id);
    REQUIRE(&c->s, RULE_10340, made->spatial_id == own->spatial_id, &LOCATION(&at, "spatial_id"),
            "is %u, but that of the picture is %u", made->spatial_id, own->spatial_id);
}

/* --- prediction --- */

/* True if the frame predicts from reference name `name`. `mask`: the names that the profile
 * supports. */
static bool frame_predicts(const struct av1 *a, uint32_t name, uint32_t mask)
{
    const bool cdf_only = a->info->primaryReferenceCdfOnly && a->std->primary_ref_frame == name;
    return a->info->referenceNameSlotIndices[name] >= 0 && !cdf_only && mask & 1u << name;
}

/* True if the frame can predict from at least one reference name of `mask` (single reference
 * mode). */
static bool predicts_one(const struct av1 *a, uint32_t mask)
{
    for (uint32_t i = 0; i < REFERENCES; i++) {
        if (frame_predicts(a, i, mask))
            return true;
    }
    return false;
}

/* True if the frame can predict from two references of one direction. AV1 defines the possible
 * pairs. */
static bool predicts_one_way(const struct av1 *a, uint32_t mask)
{
    static const uint8_t pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {4, 6}};
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
        if (frame_predicts(a, pairs[i][0], mask) && frame_predicts(a, pairs[i][1], mask))
            return true;
    }
    return false;
}

/* True if the frame can predict from a reference of each direction. Names 0 to 3 are forward. */
static bool predicts_both_ways(const struct av1 *a, uint32_t mask)
{
    bool forward = false, backward = false;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        forward |= i < 4 && frame_predicts(a, i, mask);
        backward |= i >= 4 && frame_predicts(a, i, mask);
    }
    return forward && backward;
}

/* Checks predictionMode against the frame's type and, if known, the capabilities of the profile. */
static void check_prediction(struct av1 *a)
{
    struct coding *c = a->c;
    const struct location at = LOCATION(&a->where, "predictionMode"),
                          names = LOCATION(&a->where, "referenceNameSlotIndices");
    const VkVideoEncodeAV1PredictionModeKHR mode = a->info->predictionMode;
    const bool intra = a->std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
                       a->std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    REQUIRE(&c->s, RULE_10326, mode != VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR || intra,
            &LOCATION(&a->std_where, "frame_type"),
            "is %d, but predictionMode is VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR",
            (int)a->std->frame_type);
    REQUIRE(&c->s, RULE_10327, !intra || mode == VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR,
            &at, "is %s, but frame_type is %d, of a frame without references",
            value_text(VALUES_VkVideoEncodeAV1PredictionModeKHR, mode).text,
            (int)a->std->frame_type);
    if (!c->can || c->s.wrong)
        return;
    const VkVideoEncodeAV1CapabilitiesKHR *can = &c->can->VideoEncodeAV1CapabilitiesKHR;
    REQUIRE(&c->s, RULE_10329,
            mode != VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR ||
                predicts_one(a, can->singleReferenceNameMask),
            &names, "has no slot for a name of singleReferenceNameMask, %#x",
            can->singleReferenceNameMask);
    REQUIRE(&c->s, RULE_10331,
            mode != VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR ||
                predicts_one_way(a, can->unidirectionalCompoundReferenceNameMask),
            &names,
            "has no slots for a pair of names of unidirectionalCompoundReferenceNameMask, %#x",
            can->unidirectionalCompoundReferenceNameMask);
    REQUIRE(&c->s, RULE_10333,
            mode != VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR ||
                predicts_both_ways(a, can->bidirectionalCompoundReferenceNameMask),
            &names,
            "has no slots for names of both groups of bidirectionalCompoundReferenceNameMask, %#x",
            can->bidirectionalCompoundReferenceNameMask);
}

void encode_check_av1(struct coding *c, const VkVideoEncodeInfoKHR *info)
{
    struct av1 a = {
        .c = c, .encode = info, .info = CHAINED(info->pNext, VIDEO_ENCODE_AV1_PICTURE_INFO_KHR)};
    if (!a.info || pointer_is_bad(a.info->pStdPictureInfo))
        return;
    a.std = a.info->pStdPictureInfo;
    a.where = LOCATION_CHAINED(c->s.where, "VkVideoEncodeAV1PictureInfoKHR");
    a.std_where = LOCATION_POINTER(&a.where, "pStdPictureInfo");
    check_structure(&a);
    check_quantizer(&a);
    if (c->can)
        encode_av1_check_size(&a);
    encode_av1_check_tiles(&a);
    encode_av1_check_layers(&a);
    check_prediction(&a);
    coding_check_names(c, RULE_10334, RULE_10335, &a.where, a.info->referenceNameSlotIndices,
                       REFERENCES);
}

bool core_validate_CreateVideoSessionParametersKHR_av1(struct call *call, VkDevice device,
                                                       const VkVideoSessionParametersCreateInfoKHR
                                                           *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkVideoSessionParametersKHR
                                                           *pVideoSessionParameters)
{
    const VkVideoEncodeAV1SessionParametersCreateInfoKHR *info =
        CHAINED(pCreateInfo->pNext, VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo"),
                          chained =
                              LOCATION_CHAINED(&where,
                                               "VkVideoEncodeAV1SessionParametersCreateInfoKHR");
    struct subject s = {.call = call, .where = &chained};
    if (info && !pointer_is_bad(info->pStdSequenceHeader))
        REQUIRE(&s, VUID_VkVideoEncodeAV1SessionParametersCreateInfoKHR_pStdSequenceHeader_10288,
                !info->pStdSequenceHeader->flags.film_grain_params_present, "pStdSequenceHeader",
                "has film_grain_params_present");
    return s.skip;
}
