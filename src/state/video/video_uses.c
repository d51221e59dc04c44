/* Lists the images that video coding commands use, and notes the layouts in which they must be when
 * the commands execute. */
#include "state/video/video_uses.h"
#include "state/hooks.h"
#include "state/memory/image_layout.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* A list that is being made. */
struct video_use_list {
    const struct call *call;
    struct video_use *uses;
    uint32_t count;
};

/* Adds layers of a view; `layer` UINT32_MAX: all of them. */
static void add_view(struct video_use_list *list, const struct video_use *use, VkImageView handle,
                     uint32_t layer)
{
    const struct image_view *view = find_image_view(list->call, handle);
    const struct image *image = view ? image_by_id(view->image) : NULL;
    if (!image || list->count == VIDEO_USES ||
        (layer != UINT32_MAX && layer >= view->range.layerCount))
        return;
    struct video_use *added = &list->uses[list->count++];
    *added = *use;
    added->image = image;
    added->range = view->range;
    if (layer == UINT32_MAX)
        return;
    added->range.baseArrayLayer += layer;
    added->range.layerCount = added->range.levelCount = 1;
}

static void add_picture(struct video_use_list *list, enum video_use_kind kind, VkImageLayout layout,
                        uint32_t slot, const VkVideoPictureResourceInfoKHR *picture)
{
    if (picture)
        add_view(list, &(struct video_use){.kind = kind, .slot = slot, .layout = layout},
                 picture->imageViewBinding, picture->baseArrayLayer);
}

/* Adds the setup picture and the reference pictures. */
static void add_slots(struct video_use_list *list, const enum video_use_kind kinds[2],
                      VkImageLayout layout, const VkVideoReferenceSlotInfoKHR *setup,
                      uint32_t slot_count, const VkVideoReferenceSlotInfoKHR *slots)
{
    if (setup)
        add_picture(list, kinds[0], layout, 0, setup->pPictureResource);
    for (uint32_t i = 0; !pointer_is_bad(slots) && i < slot_count; i++)
        add_picture(list, kinds[1], layout, i, slots[i].pPictureResource);
}

uint32_t video_uses_of_decode(const struct call *call, const VkVideoDecodeInfoKHR *info,
                              struct video_use uses[VIDEO_USES])
{
    static const enum video_use_kind kinds[2] = {VIDEO_USE_SETUP, VIDEO_USE_SLOT};
    const VkVideoReferenceSlotInfoKHR *setup = info->pSetupReferenceSlot;
    const VkVideoPictureResourceInfoKHR *made = setup ? setup->pPictureResource : NULL;
    struct video_use_list list = {.call = call, .uses = uses};
    if (device_has_feature(call->device, FEATURE_unifiedImageLayoutsVideo))
        return 0;
    const struct video_picture output = video_picture_of(call, &info->dstPictureResource),
                               other =
                                   made ? video_picture_of(call, made) : (struct video_picture){0};
    const bool same =
        output.image == other.image && output.level == other.level && output.layer == other.layer;
    if (!made || other.image)
        add_picture(&list, made && same ? VIDEO_USE_OUTPUT_SETUP : VIDEO_USE_OUTPUT,
                    made && same ? VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR
                                 : VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR,
                    0, &info->dstPictureResource);
    /* of one picture, one statement is enough */
    add_slots(&list, kinds, VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR, made && same ? NULL : setup,
              info->referenceSlotCount, info->pReferenceSlots);
    return list.count;
}

uint32_t video_uses_of_encode(const struct call *call, const VkVideoEncodeInfoKHR *info,
                              struct video_use uses[VIDEO_USES])
{
    static const enum video_use_kind kinds[2] = {VIDEO_USE_ENCODE_SETUP, VIDEO_USE_ENCODE_SLOT};
    const VkVideoEncodeQuantizationMapInfoKHR *map =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR);
    struct video_use_list list = {.call = call, .uses = uses};
    if (device_has_feature(call->device, FEATURE_unifiedImageLayoutsVideo))
        return 0;
    add_picture(&list, VIDEO_USE_SOURCE, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, 0,
                &info->srcPictureResource);
    add_slots(&list, kinds, VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR, info->pSetupReferenceSlot,
              info->referenceSlotCount, info->pReferenceSlots);
    if (map)
        add_view(&list,
                 &(struct video_use){.kind = VIDEO_USE_MAP,
                                     .layout = VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR},
                 map->quantizationMap, UINT32_MAX);
    return list.count;
}

/* Notes the layouts for the submit. */
static void expect_uses(const struct call *call, const struct video_use *uses, uint32_t count)
{
    static const enum vuid vuids[VIDEO_USE_KINDS] = {
        [VIDEO_USE_OUTPUT] = VUID_vkCmdDecodeVideoKHR_pDecodeInfo_10801,
        [VIDEO_USE_OUTPUT_SETUP] = VUID_vkCmdDecodeVideoKHR_pDecodeInfo_10802,
        [VIDEO_USE_SETUP] = VUID_vkCmdDecodeVideoKHR_pDecodeInfo_10803,
        [VIDEO_USE_SLOT] = VUID_vkCmdDecodeVideoKHR_pPictureResource_10804,
        [VIDEO_USE_SOURCE] = VUID_vkCmdEncodeVideoKHR_pEncodeInfo_10811,
        [VIDEO_USE_ENCODE_SETUP] = VUID_vkCmdEncodeVideoKHR_pEncodeInfo_10812,
        [VIDEO_USE_ENCODE_SLOT] = VUID_vkCmdEncodeVideoKHR_pPictureResource_10813,
        [VIDEO_USE_MAP] = VUID_vkCmdEncodeVideoKHR_pNext_10314,
    };
    struct command_buffer *command_buffer = call_command_buffer(call);
    for (uint32_t i = 0; command_buffer && i < count; i++)
        command_buffer_expect_layout_by(call, command_buffer, uses[i].image, &uses[i].range,
                                        uses[i].layout, vuids[uses[i].kind]);
}

void state_after_CmdDecodeVideoKHR_layouts(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    struct video_use uses[VIDEO_USES];
    expect_uses(call, uses, video_uses_of_decode(call, pDecodeInfo, uses));
}

void state_after_CmdEncodeVideoKHR_layouts(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    struct video_use uses[VIDEO_USES];
    expect_uses(call, uses, video_uses_of_encode(call, pEncodeInfo, uses));
}
