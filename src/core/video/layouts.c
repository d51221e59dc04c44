/* Checks the layouts in which the commands before leave the images of a video coding command. The
 * submit compares with the layouts from before the command buffer. */
#include "core/hooks.h"
#include "core/video/coding.h"
#include "state/memory/image_layout.h"
#include "state/video/video_uses.h"

/* Where the command names what it uses. */
static const struct {
    enum rule rule;
    const char *member;
} video_use_rules[VIDEO_USE_KINDS] = {
    [VIDEO_USE_OUTPUT] = {RULE_10801, "dstPictureResource"},
    [VIDEO_USE_OUTPUT_SETUP] = {RULE_10802, "dstPictureResource"},
    [VIDEO_USE_SETUP] = {RULE_10803, "pSetupReferenceSlot"},
    [VIDEO_USE_SLOT] = {RULE_10804, "pReferenceSlots"},
    [VIDEO_USE_SOURCE] = {RULE_10811, "srcPictureResource"},
    [VIDEO_USE_ENCODE_SETUP] = {RULE_10812, "pSetupReferenceSlot"},
    [VIDEO_USE_ENCODE_SLOT] = {RULE_10813, "pReferenceSlots"},
    [VIDEO_USE_MAP] = {RULE_10314, "pNext"},
};

/* Checks what a command uses. True: the call is to be skipped. */
static bool check_uses(struct call *call, const struct location *where,
                       const struct video_use *uses, uint32_t count)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    bool skip = false;
    for (uint32_t i = 0; command_buffer && i < count; i++) {
        const struct video_use *use = &uses[i];
        const char *member = video_use_rules[use->kind].member;
        const bool of_slot = use->kind == VIDEO_USE_SLOT || use->kind == VIDEO_USE_ENCODE_SLOT;
        struct layout_mismatch mismatch;
        if (!command_buffer_layout_differs(command_buffer, use->image, &use->range, use->layout,
                                           &mismatch))
            continue;
        skip |= BROKEN_BY(call, video_use_rules[use->kind].rule,
                          of_slot ? &LOCATION_INDEX(where, member, use->slot)
                                  : &LOCATION(where, member),
                          OBJECT(HANDLE_IMAGE, object_state_handle(&use->image->base)),
                          "names an image that the commands before leave in %s, which must be in "
                          "%s there",
                          TEXT_OF(VkImageLayout, mismatch.found),
                          value_text(VALUES_VkImageLayout, (uint64_t)use->layout).text);
    }
    return skip;
}

bool core_validate_CmdDecodeVideoKHR_layouts(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pDecodeInfo");
    struct video_use uses[VIDEO_USES];
    return check_uses(call, &where, uses, video_uses_of_decode(call, pDecodeInfo, uses));
}

bool core_validate_CmdEncodeVideoKHR_layouts(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pEncodeInfo");
    struct video_use uses[VIDEO_USES];
    return check_uses(call, &where, uses, video_uses_of_encode(call, pEncodeInfo, uses));
}
