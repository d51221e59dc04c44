/* Tracks the video coding scope in which commands are recorded. */
#include "state/video/video_scope.h"
#include "state/hooks.h"

#include <string.h>

void state_after_CmdBeginVideoCodingKHR_scope(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkVideoBeginCodingInfoKHR *pBeginInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_sections *sections = command_buffer ? command_buffer->sections : NULL;
    if (!sections)
        return;
    struct video_scope *scope = sections->video;
    if (!scope)
        scope = mem_make(&sections->video, NULL, sizeof(*scope));
    if (!scope)
        return;
    const struct created_video_parameters *parameters =
        find_created_video_parameters(call, pBeginInfo->videoSessionParameters);
    memset(scope, 0, offsetof(struct video_scope, log));
    scope->parameters = parameters ? parameters->base.id : 0;
    scope->has_parameters = pBeginInfo->videoSessionParameters != VK_NULL_HANDLE;
    scope->mode = video_rate_control_mode(pBeginInfo->pNext);
    for (uint32_t i = 0; i < pBeginInfo->referenceSlotCount; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &pBeginInfo->pReferenceSlots[i];
        /* A slot without a picture has no resource. */
        if (!slot->pPictureResource)
            continue;
        const struct video_picture picture = video_picture_of(call, slot->pPictureResource);
        if (!picture.image || scope->count == VIDEO_RESOURCES) {
            scope->incomplete = true;
            continue;
        }
        scope->resources[scope->count++] = (struct video_resource){
            picture, slot->slotIndex < 0 ? VIDEO_SLOT_NONE : slot->slotIndex};
    }
    video_note_begin(call, scope, pBeginInfo);
}

void state_after_CmdControlVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkVideoCodingControlInfoKHR *pCodingControlInfo)
{
    struct video_scope *scope = call_video_scope(call);
    if (!scope)
        return;
    video_note_control(call, pCodingControlInfo);
    if (pCodingControlInfo->flags & VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR) {
        scope->mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
        for (uint32_t i = 0; i < scope->count; i++)
            scope->resources[i].slot = VIDEO_SLOT_NONE;
    }
    if (pCodingControlInfo->flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR)
        scope->mode = video_rate_control_mode(pCodingControlInfo->pNext);
}

/* Notes that a picture is reconstructed. The codec decides whether the slot is activated, so the
 * association of this slot is not known afterwards. */
static void set_up(const struct call *call, const VkVideoReferenceSlotInfoKHR *slot)
{
    struct video_scope *scope = call_video_scope(call);
    if (!scope)
        return;
    scope->coded_in_query = true;
    if (!slot)
        return;
    struct video_picture picture = {0};
    if (slot->pPictureResource)
        picture = video_picture_of(call, slot->pPictureResource);
    for (uint32_t i = 0; i < scope->count; i++) {
        struct video_resource *resource = &scope->resources[i];
        if (resource->slot == slot->slotIndex || !picture.image ||
            video_pictures_match(&resource->picture, &picture))
            /* Whether the resource is active is not known now. */
            resource->slot = VIDEO_SLOT_UNKNOWN;
    }
}

void state_after_CmdDecodeVideoKHR_scope(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    set_up(call, pDecodeInfo->pSetupReferenceSlot);
    video_note_coding(call, false, pDecodeInfo->pSetupReferenceSlot);
}

void state_after_CmdEncodeVideoKHR_scope(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    set_up(call, pEncodeInfo->pSetupReferenceSlot);
    video_note_coding(call, true, pEncodeInfo->pSetupReferenceSlot);
}

void state_after_CmdBeginQuery_video(struct call *call, VkCommandBuffer commandBuffer,
                                     VkQueryPool queryPool, uint32_t query,
                                     VkQueryControlFlags flags)
{
    struct video_scope *scope = call_video_scope(call);
    if (scope)
        scope->coded_in_query = false;
}
