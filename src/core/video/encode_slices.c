/* Checks slices, parameter sets and reference lists of pictures that are encoded with H.264 or
 * H.265. The names of their structures and the numbers of their rules differ. */
#include "core/video/encode.h"

#include "vk/chain.h"

/* The names and rules of H.264 or H.265. */
struct slice_rules {
    const char *type, *entries, *header;           /* names of the structure and its members */
    enum rule zero_qp, qp_range, same_qp;          /* constantQp */
    enum rule blocks, rows, refreshed_rows;        /* number of slices */
    enum rule refreshed_slice, types, refreshed_b; /* slice_type */
    enum rule lists, listed, named;                /* pRefLists */
    enum rule p, b, l0_b, l1_b;                    /* picture types */
};
static const struct slice_rules h264_rules = {
    "VkVideoEncodeH264PictureInfoKHR",
    "pNaluSliceEntries",
    "pStdSliceHeader",
    RULE_08269,
    RULE_08270,
    RULE_08271,
    RULE_08302,
    RULE_08312,
    RULE_10848,
    RULE_10847,
    RULE_10850,
    RULE_10849,
    RULE_08352,
    RULE_08339,
    RULE_08353,
    RULE_08340,
    RULE_08341,
    RULE_08342,
    RULE_08343,
};
static const struct slice_rules h265_rules = {
    "VkVideoEncodeH265PictureInfoKHR",
    "pNaluSliceSegmentEntries",
    "pStdSliceSegmentHeader",
    RULE_08272,
    RULE_08273,
    RULE_08274,
    RULE_08307,
    RULE_08313,
    RULE_10854,
    RULE_10853,
    RULE_10856,
    RULE_10855,
    RULE_08354,
    RULE_08344,
    RULE_08355,
    RULE_08345,
    RULE_08346,
    RULE_08347,
    RULE_08348,
};

/* both codecs use the same numbers */
_Static_assert((int)STD_VIDEO_H264_SLICE_TYPE_I == (int)STD_VIDEO_H265_SLICE_TYPE_I &&
                   (int)STD_VIDEO_H264_PICTURE_TYPE_P == (int)STD_VIDEO_H265_PICTURE_TYPE_P &&
                   (int)STD_VIDEO_H264_PICTURE_TYPE_B == (int)STD_VIDEO_H265_PICTURE_TYPE_B &&
                   STD_VIDEO_H264_NO_REFERENCE_PICTURE == STD_VIDEO_H265_NO_REFERENCE_PICTURE,
               "H.264 and H.265 are looked at by the constants of H.264");
/* H.264 and H.265 give types of pictures and slices the same numbers. */
#define TYPE_P  ((int)STD_VIDEO_H264_PICTURE_TYPE_P)
#define TYPE_B  ((int)STD_VIDEO_H264_PICTURE_TYPE_B)
#define SLICE_I ((int)STD_VIDEO_H264_SLICE_TYPE_I)

/* Members of the picture's structures. */
struct encoded {
    const struct slice_rules *rules;
    struct location where; /* location of the codec's structure */
    bool h265;
    uint32_t count;          /* number of slices */
    const void *entries;     /* a pointer that may be bad */
    int type;                /* picture type; -1: not known */
    bool has_lists;          /* pRefLists can be read */
    const uint8_t *lists[2]; /* RefPicList0 and RefPicList1; NULL: none */
    uint32_t list_size;      /* entries of a list */
    /* capabilities of the codec; 0 where they are not known */
    int32_t least_qp, most_qp;
    uint32_t p_l0, b_l0, l1; /* references that a picture may have in each list */
    bool each_qp, unaligned, types, b_in_l0, b_in_l1, refreshed_b;
};

/* The constant QP of a slice. */
static int32_t qp_of(const struct encoded *e, uint32_t index)
{
    return e->h265
               ? ((const VkVideoEncodeH265NaluSliceSegmentInfoKHR *)e->entries)[index].constantQp
               : ((const VkVideoEncodeH264NaluSliceInfoKHR *)e->entries)[index].constantQp;
}

/* The slice's type; -1: not known. */
static int slice_type_of(const struct encoded *e, uint32_t index)
{
    if (e->h265) {
        const StdVideoEncodeH265SliceSegmentHeader *header =
            ((const VkVideoEncodeH265NaluSliceSegmentInfoKHR *)e->entries)[index]
                .pStdSliceSegmentHeader;
        return pointer_is_bad(header) ? -1 : (int)header->slice_type;
    }
    const StdVideoEncodeH264SliceHeader *header =
        ((const VkVideoEncodeH264NaluSliceInfoKHR *)e->entries)[index].pStdSliceHeader;
    return pointer_is_bad(header) ? -1 : (int)header->slice_type;
}

/* The picture type of the reference slot with this index; -1: not known. */
static int type_of_slot(const struct coding *c, bool h265, int32_t slot)
{
    for (uint32_t i = 0; i < c->slot_count; i++) {
        if (c->slots[i].slotIndex != slot)
            continue;
        const VkVideoEncodeH264DpbSlotInfoKHR *h264_info =
            CHAINED(c->slots[i].pNext, VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR);
        const VkVideoEncodeH265DpbSlotInfoKHR *h265_info =
            CHAINED(c->slots[i].pNext, VIDEO_ENCODE_H265_DPB_SLOT_INFO_KHR);
        if (!h265 && h264_info && !pointer_is_bad(h264_info->pStdReferenceInfo))
            return (int)h264_info->pStdReferenceInfo->primary_pic_type;
        if (h265 && h265_info && !pointer_is_bad(h265_info->pStdReferenceInfo))
            return (int)h265_info->pStdReferenceInfo->pic_type;
        return -1;
    }
    return -1;
}

/* --- parameter sets --- */

/* Checks that the parameter sets exist which the picture names. The second one is only checked if
 * the first exists. */
static void check_h264_sets(struct coding *c, const struct location *where,
                            const StdVideoEncodeH264PictureInfo *std)
{
    const struct location at = LOCATION_POINTER(where, "pStdPictureInfo");
    coding_check_set(c, RULE_08226, true, VIDEO_SPS, video_key(std->seq_parameter_set_id, 0, 0),
                     &at);
    coding_check_set(c, RULE_08227, !c->s.wrong, VIDEO_PPS,
                     video_key(std->seq_parameter_set_id, std->pic_parameter_set_id, 0), &at);
}

/* Checks the parameter sets of H.265. */
static void check_h265_sets(struct coding *c, const struct location *where,
                            const StdVideoEncodeH265PictureInfo *std)
{
    const struct location at = LOCATION_POINTER(where, "pStdPictureInfo");
    coding_check_set(c, RULE_08231, true, VIDEO_VPS,
                     video_key(std->sps_video_parameter_set_id, 0, 0), &at);
    coding_check_set(c, RULE_08232, !c->s.wrong, VIDEO_SPS,
                     video_key(std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id, 0),
                     &at);
    coding_check_set(c, RULE_08233, !c->s.wrong, VIDEO_PPS,
                     video_key(std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id,
                               std->pps_pic_parameter_set_id),
                     &at);
}

/* --- slices --- */

/* Checks constantQp of each slice; it must be 0 unless rate control is disabled. */
static void check_qp(struct coding *c, const struct encoded *e)
{
    const bool fixed = c->scope->mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    for (uint32_t i = 0; i < e->count; i++) {
        const struct location entry = LOCATION_INDEX(&e->where, e->rules->entries, i),
                              at = LOCATION(&entry, "constantQp");
        const int32_t qp = qp_of(e, i);
        REQUIRE(&c->s, e->rules->zero_qp, fixed || !qp, &at,
                "is %d, but must be 0, as the current rate control mode is not "
                "VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR",
                qp);
        REQUIRE(&c->s, e->rules->qp_range,
                !fixed || !c->can || (qp >= e->least_qp && qp <= e->most_qp), &at,
                "is %d, but must be between %d and %d, minQp and maxQp of the video profile", qp,
                e->least_qp, e->most_qp);
        if (c->s.wrong)
            return;
        REQUIRE(&c->s, e->rules->same_qp, !c->can || e->each_qp || qp == qp_of(e, 0), &at,
                "is %d, but that of the first entry is %d, and the video profile cannot have "
                "values of their own",
                qp, qp_of(e, 0));
    }
}

/* The picture's size in coding blocks, of the largest size that the encoder may use. */
static VkExtent2D blocks_of(const struct coding *c, const struct encoded *e, VkExtent2D coded)
{
    uint32_t size = 16;
    if (e->h265) {
        const VkVideoEncodeH265CtbSizeFlagsKHR sizes =
            c->can ? c->can->VideoEncodeH265CapabilitiesKHR.ctbSizes : 0;
        size = sizes & VK_VIDEO_ENCODE_H265_CTB_SIZE_64_BIT_KHR   ? 64
               : sizes & VK_VIDEO_ENCODE_H265_CTB_SIZE_32_BIT_KHR ? 32
               : sizes & VK_VIDEO_ENCODE_H265_CTB_SIZE_16_BIT_KHR ? 16
                                                                  : 0;
    }
    if (!size)
        return (VkExtent2D){UINT32_MAX, UINT32_MAX};
    return (VkExtent2D){coded.width / size + (coded.width % size != 0),
                        coded.height / size + (coded.height % size != 0)};
}

/* Checks the number of slices against the picture's coding blocks and rows of blocks. `refreshes`:
 * the picture is part of an intra refresh. */
static void encode_slices_check_count(struct coding *c, const struct encoded *e,
                                      const VkVideoEncodeInfoKHR *info, bool refreshes)
{
    const VkExtent2D blocks = blocks_of(c, e, info->srcPictureResource.codedExtent);
    const struct location at =
        LOCATION(&e->where, e->h265 ? "naluSliceSegmentEntryCount" : "naluSliceEntryCount");
    if (e->count > (uint64_t)blocks.width * blocks.height) {
        BROKEN(&c->s, e->rules->blocks, &at, "is %u, but the picture has %ux%u coding blocks",
               e->count, blocks.width, blocks.height);
        return;
    }
    if (!c->can || e->count <= blocks.height)
        return;
    if (!e->unaligned)
        BROKEN(&c->s, e->rules->rows, &at,
               "is %u, but the picture has %u rows of coding blocks, and the video profile cannot "
               "begin slices within a row",
               e->count, blocks.height);
    else if (refreshes &&
             !c->can->VideoEncodeIntraRefreshCapabilitiesKHR.nonRectangularIntraRefreshRegions)
        BROKEN(&c->s, e->rules->refreshed_rows, &at,
               "is %u, but the picture has %u rows of coding blocks, and the regions of this intra "
               "refresh must be rectangular",
               e->count, blocks.height);
}

/* Checks the types of slices. `refreshed`: the index of the refreshed slice; UINT32_MAX: none. */
static void encode_slices_check_types(struct coding *c, const struct encoded *e, uint32_t refreshed)
{
    int first = -1;
    for (uint32_t i = 0; i < e->count; i++) {
        const int type = slice_type_of(e, i);
        const struct location entry = LOCATION_INDEX(&e->where, e->rules->entries, i),
                              header = LOCATION_POINTER(&entry, e->rules->header),
                              at = LOCATION(&header, "slice_type");
        if (type < 0)
            continue;
        if (i == refreshed) {
            REQUIRE(&c->s, e->rules->refreshed_slice, type == SLICE_I, &at,
                    "is %d, but this slice is the one that is refreshed, and must be an I slice",
                    type);
            continue;
        }
        REQUIRE(&c->s, e->rules->types, !c->can || e->types || first < 0 || type == first, &at,
                "is %d, but that of another slice is %d, and the video profile cannot mix types",
                type, first);
        first = first < 0 ? type : first;
    }
}

/* --- references --- */

/* True if one of the two lists has the slot. */
static bool is_listed(const struct encoded *e, int32_t slot)
{
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < e->list_size; i++) {
            if (e->lists[list][i] == slot)
                return true;
        }
    }
    return false;
}

/* Checks that the two reference lists and pReferenceSlots name the same slots. */
static void check_lists(struct coding *c, const struct encoded *e)
{
    static const char *const names[] = {"RefPicList0", "RefPicList1"};
    const struct location std = LOCATION_POINTER(&e->where, "pStdPictureInfo"),
                          lists = LOCATION_POINTER(&std, "pRefLists");
    REQUIRE(&c->s, e->rules->lists, e->has_lists || !c->slot_count, &lists,
            "is NULL, but referenceSlotCount is %u", c->slot_count);
    for (int list = 0; e->lists[0] && list < 2; list++) {
        for (uint32_t i = 0; i < e->list_size; i++) {
            const uint8_t slot = e->lists[list][i];
            REQUIRE(&c->s, e->rules->listed,
                    slot == STD_VIDEO_H264_NO_REFERENCE_PICTURE || coding_refers_to(c, slot),
                    &LOCATION_INDEX(&lists, names[list], i),
                    "is %u, which is the slotIndex of no element of pReferenceSlots", slot);
            if (c->s.wrong)
                return;
        }
    }
    for (uint32_t i = 0; e->lists[0] && i < c->slot_count; i++)
        REQUIRE(&c->s, e->rules->named, is_listed(e, c->slots[i].slotIndex),
                &LOCATION(&LOCATION_INDEX(c->s.where, "pReferenceSlots", i), "slotIndex"),
                "is %d, which is in neither RefPicList0 nor RefPicList1", c->slots[i].slotIndex);
}

/* True if the picture (`own`), or one to which list 0 (`l0`) or list 1 (`l1`) refers, has the
 * type. */
static bool has_type(const struct coding *c, const struct encoded *e, int type, bool own, bool l0,
                     bool l1)
{
    if (own && e->type == type)
        return true;
    for (int list = 0; e->lists[0] && list < 2; list++) {
        for (uint32_t i = 0; (list ? l1 : l0) && i < e->list_size; i++) {
            const uint8_t slot = e->lists[list][i];
            if (slot != STD_VIDEO_H264_NO_REFERENCE_PICTURE &&
                type_of_slot(c, e->h265, slot) == type)
                return true;
        }
    }
    return false;
}

/* Checks that the profile supports P and B pictures if the picture, or a reference, is one. Nothing
 * is checked if the capabilities are not known. */
static void check_picture_types(struct coding *c, const struct encoded *e)
{
    const struct location at = LOCATION_POINTER(&e->where, "pStdPictureInfo");
    if (!c->can)
        return;
    REQUIRE(&c->s, e->rules->p, e->p_l0 || !has_type(c, e, TYPE_P, true, true, true), &at,
            "has, or refers to, a P picture, but maxPPictureL0ReferenceCount of the video profile "
            "is 0");
    if (!e->b_l0 && !e->l1) {
        REQUIRE(&c->s, e->rules->b, !has_type(c, e, TYPE_B, true, true, true), &at,
                "has, or refers to, a B picture, but maxBPictureL0ReferenceCount and "
                "maxL1ReferenceCount of the video profile are 0");
        return;
    }
    REQUIRE(&c->s, e->rules->l0_b, e->b_in_l0 || !has_type(c, e, TYPE_B, false, true, false), &at,
            "refers to a B picture in RefPicList0, which the video profile cannot");
    REQUIRE(&c->s, e->rules->l1_b, e->b_in_l1 || !has_type(c, e, TYPE_B, false, false, true), &at,
            "refers to a B picture in RefPicList1, which the video profile cannot");
}

/* --- the picture --- */

/* Reads the members that both codecs' reference list structures have. */
#define TAKE_LISTS(e_, lists_)                                     \
    do {                                                           \
        (e_)->has_lists = (lists_);                                \
        if (!pointer_is_bad(lists_)) {                             \
            (e_)->lists[0] = (lists_)->RefPicList0;                \
            (e_)->lists[1] = (lists_)->RefPicList1;                \
            (e_)->list_size = ARRAY_LENGTH((lists_)->RefPicList0); \
        }                                                          \
    } while (0)
/* Reads the capabilities that both codecs have under the same names. */
#define TAKE_LIMITS(e_, can_)                             \
    do {                                                  \
        (e_)->least_qp = (can_)->minQp;                   \
        (e_)->most_qp = (can_)->maxQp;                    \
        (e_)->p_l0 = (can_)->maxPPictureL0ReferenceCount; \
        (e_)->b_l0 = (can_)->maxBPictureL0ReferenceCount; \
        (e_)->l1 = (can_)->maxL1ReferenceCount;           \
    } while (0)

/* Describes an H.264 picture in the form in which both codecs are checked. False: its structures
 * cannot be read. */
static bool describe_h264(struct coding *c, struct encoded *e)
{
    const VkVideoEncodeH264PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_ENCODE_H264_PICTURE_INFO_KHR);
    if (!info || pointer_is_bad(info->pStdPictureInfo))
        return false;
    const StdVideoEncodeH264PictureInfo *std = info->pStdPictureInfo;
    e->count = pointer_is_bad(info->pNaluSliceEntries) ? 0 : info->naluSliceEntryCount;
    e->entries = info->pNaluSliceEntries;
    e->type = (int)std->primary_pic_type;
    TAKE_LISTS(e, std->pRefLists);
    if (c->can) {
        const VkVideoEncodeH264CapabilitiesKHR *can = &c->can->VideoEncodeH264CapabilitiesKHR;
        TAKE_LIMITS(e, can);
        e->each_qp = can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_PER_SLICE_CONSTANT_QP_BIT_KHR;
        e->unaligned = can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_ROW_UNALIGNED_SLICE_BIT_KHR;
        e->types = can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_DIFFERENT_SLICE_TYPE_BIT_KHR;
        e->b_in_l0 = can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR;
        e->b_in_l1 = can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR;
        e->refreshed_b =
            can->flags & VK_VIDEO_ENCODE_H264_CAPABILITY_B_PICTURE_INTRA_REFRESH_BIT_KHR;
    }
    e->where = LOCATION_CHAINED(c->s.where, e->rules->type);
    check_h264_sets(c, &e->where, std);
    return true;
}

/* Describes an H.265 picture in the form in which both codecs are checked. False: its structures
 * cannot be read. */
static bool describe_h265(struct coding *c, struct encoded *e)
{
    const VkVideoEncodeH265PictureInfoKHR *info =
        CHAINED(c->chain, VIDEO_ENCODE_H265_PICTURE_INFO_KHR);
    if (!info || pointer_is_bad(info->pStdPictureInfo))
        return false;
    const StdVideoEncodeH265PictureInfo *std = info->pStdPictureInfo;
    e->count =
        pointer_is_bad(info->pNaluSliceSegmentEntries) ? 0 : info->naluSliceSegmentEntryCount;
    e->entries = info->pNaluSliceSegmentEntries;
    e->type = (int)std->pic_type;
    TAKE_LISTS(e, std->pRefLists);
    if (c->can) {
        const VkVideoEncodeH265CapabilitiesKHR *can = &c->can->VideoEncodeH265CapabilitiesKHR;
        TAKE_LIMITS(e, can);
        e->each_qp =
            can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_PER_SLICE_SEGMENT_CONSTANT_QP_BIT_KHR;
        e->unaligned =
            can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_ROW_UNALIGNED_SLICE_SEGMENT_BIT_KHR;
        e->types =
            can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_DIFFERENT_SLICE_SEGMENT_TYPE_BIT_KHR;
        e->b_in_l0 = can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR;
        e->b_in_l1 = can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR;
        e->refreshed_b =
            can->flags & VK_VIDEO_ENCODE_H265_CAPABILITY_B_PICTURE_INTRA_REFRESH_BIT_KHR;
    }
    e->where = LOCATION_CHAINED(c->s.where, e->rules->type);
    check_h265_sets(c, &e->where, std);
    return true;
}

void encode_check_slices(struct coding *c, const VkVideoEncodeInfoKHR *info)
{
    const bool h265 = c->session->operation == SESSION_CREATES(ENCODE_H265);
    struct encoded e = {.rules = h265 ? &h265_rules : &h264_rules, .h265 = h265, .type = -1};
    if (!(h265 ? describe_h265(c, &e) : describe_h264(c, &e)))
        return;
    const VkVideoEncodeIntraRefreshInfoKHR *refresh =
        CHAINED(info->pNext, VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR);
    const bool refreshes = info->flags & VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR,
               by_slice = refreshes &&
                          c->session->intra_refresh ==
                              VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR;
    check_qp(c, &e);
    encode_slices_check_count(c, &e, info, by_slice);
    encode_slices_check_types(c, &e, by_slice && refresh ? refresh->intraRefreshIndex : UINT32_MAX);
    REQUIRE(&c->s, e.rules->refreshed_b, !refreshes || e.type != TYPE_B || !c->can || e.refreshed_b,
            "flags",
            "contains VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR, but this is a B picture, which the "
            "video profile cannot refresh");
    check_lists(c, &e);
    check_picture_types(c, &e);
}
