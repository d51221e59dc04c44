/* Checks the begin and end of video coding scopes, and their rate control (42.7 "Video Coding
 * Scope", 42.15 "Video Encode Rate Control"). */
#include "core/video/coding.h"

#include "core/hooks.h"
#include "state/command/protected.h"
#include "state/query/query.h"
#include "vk/chain.h"

#define BEGIN(name_) VUID_VkVideoBeginCodingInfoKHR_##name_

/* The number of active queries; 0 also if it is not known. */
static uint32_t active_queries(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && command_buffer->queries && !command_buffer->queries->incomplete
               ? command_buffer->queries->active_count
               : 0;
}

/* --- pictures --- */

/* Checks that picture and command buffer are both protected or both unprotected, unless the device
 * has protectedNoFault. */
static void coding_scope_check_protection(struct subject *s, const struct location *where,
                                          const VkVideoPictureResourceInfoKHR *resource)
{
    const struct device *device = s->call->device;
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    const struct image_view *view = find_image_view(s->call, resource->imageViewBinding);
    if (!command_buffer || !view || device->extended.ProtectedMemoryProperties.protectedNoFault ||
        device->extended.Vulkan11Properties.protectedNoFault)
        return;
    const bool mine = command_buffer_is_protected(command_buffer),
               theirs = view->image_flags & VK_IMAGE_CREATE_PROTECTED_BIT;
    REQUIRE(s, RULE_07235, mine || !theirs, &LOCATION(where, "imageViewBinding"),
            "is a view of a protected image, but commandBuffer is not protected");
    REQUIRE(s, RULE_07236, !mine || theirs, &LOCATION(where, "imageViewBinding"),
            "is not a view of a protected image, but commandBuffer is protected");
}

/* True if an earlier slot has the same picture. */
static bool is_bound_before(const struct call *call, const VkVideoReferenceSlotInfoKHR *slots,
                            uint32_t index, const struct video_picture *picture)
{
    for (uint32_t i = 0; i < index; i++) {
        if (!slots[i].pPictureResource)
            continue;
        const struct video_picture other = video_picture_of(call, slots[i].pPictureResource);
        if (video_pictures_match(&other, picture))
            return true;
    }
    return false;
}

/* Checks the pictures of pReferenceSlots of a scope that begins: each is bound once, and all are in
 * one image if the profile requires that. */
static void check_pictures(struct subject *s, const VkVideoBeginCodingInfoKHR *info,
                           const struct created_video_session *session)
{
    uint64_t image = 0;
    const bool separate =
        !session->capabilities.known || session->capabilities.VideoCapabilitiesKHR.flags &
                                            VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR;
    for (uint32_t i = 0; i < info->referenceSlotCount; i++) {
        const VkVideoPictureResourceInfoKHR *resource = info->pReferenceSlots[i].pPictureResource;
        const struct location element = LOCATION_INDEX(s->where, "pReferenceSlots", i),
                              at = LOCATION_POINTER(&element, "pPictureResource");
        if (!resource)
            continue;
        video_check_picture(s, (enum rule)BEGIN(pPictureResource_07242), session, &at, resource);
        coding_scope_check_protection(s, &at, resource);
        video_check_profile(s, (enum rule)BEGIN(pPictureResource_07240), session,
                            &LOCATION(&at, "imageViewBinding"), resource->imageViewBinding);
        const struct video_picture picture = video_picture_of(s->call, resource);
        if (!picture.image)
            continue;
        REQUIRE(s, BEGIN(pPictureResource_07238),
                !is_bound_before(s->call, info->pReferenceSlots, i, &picture), &at,
                "is a picture that an element before it has");
        REQUIRE(s, BEGIN(flags_07244), separate || !image || image == picture.image,
                &LOCATION(&at, "imageViewBinding"),
                "is a view of another image than the elements before it have, and the video "
                "profile lacks VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR");
        image = picture.image;
    }
}

/* --- rate control --- */

/* Checks the number of layers of rate control. 0 and 1 are always valid. */
static void coding_scope_check_layers(struct subject *s, enum vuid rule, const char *layers_name,
                                      const VkVideoEncodeRateControlInfoKHR *control,
                                      uint32_t layers)
{
    REQUIRE(s, rule, control->layerCount <= 1 || control->layerCount == layers,
            &LOCATION(&LOCATION_CHAINED(s->where, "VkVideoEncodeRateControlInfoKHR"), "layerCount"),
            "is %u, but %s is %u", control->layerCount, layers_name, layers);
}

#define CONTROL(number_) VUID_VkVideoEncodeRateControlInfoKHR_videoCodecOperation_##number_
/* Checks that the codec's own rate control structure has as many layers as the general
 * structure. */
static void check_control(struct subject *s, const struct created_video_session *session,
                          const void *chain)
{
    const VkVideoEncodeRateControlInfoKHR *control =
        CHAINED(chain, VIDEO_ENCODE_RATE_CONTROL_INFO_KHR);
    const VkVideoEncodeH264RateControlInfoKHR *h264 =
        CHAINED(chain, VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR);
    const VkVideoEncodeH265RateControlInfoKHR *h265 =
        CHAINED(chain, VIDEO_ENCODE_H265_RATE_CONTROL_INFO_KHR);
    const VkVideoEncodeAV1RateControlInfoKHR *av1 =
        CHAINED(chain, VIDEO_ENCODE_AV1_RATE_CONTROL_INFO_KHR);
    if (!control)
        return;
    if (session->operation == SESSION_CREATES(ENCODE_H264) && h264)
        coding_scope_check_layers(s, CONTROL(07022), "temporalLayerCount", control,
                                  h264->temporalLayerCount);
    if (session->operation == SESSION_CREATES(ENCODE_H265) && h265)
        coding_scope_check_layers(s, CONTROL(07025), "subLayerCount", control, h265->subLayerCount);
    if (session->operation == SESSION_CREATES(ENCODE_AV1) && av1)
        coding_scope_check_layers(s, CONTROL(10351), "temporalLayerCount", control,
                                  av1->temporalLayerCount);
}

/* Checks that the number of remaining frames is given to rate control which counts them. */
static void check_remaining(struct subject *s, const struct created_video_session *session,
                            const void *chain)
{
    const VkVideoEncodeRateControlInfoKHR *control =
        CHAINED(chain, VIDEO_ENCODE_RATE_CONTROL_INFO_KHR);
    if (!control || !session->capabilities.known ||
        control->rateControlMode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR ||
        control->rateControlMode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR)
        return;
    const VkVideoEncodeH264GopRemainingFrameInfoKHR *h264 =
        CHAINED(chain, VIDEO_ENCODE_H264_GOP_REMAINING_FRAME_INFO_KHR);
    const VkVideoEncodeH265GopRemainingFrameInfoKHR *h265 =
        CHAINED(chain, VIDEO_ENCODE_H265_GOP_REMAINING_FRAME_INFO_KHR);
    const VkVideoEncodeAV1GopRemainingFrameInfoKHR *av1 =
        CHAINED(chain, VIDEO_ENCODE_AV1_GOP_REMAINING_FRAME_INFO_KHR);
/* The end of a message about the remaining frames of a GOP. */
#define REMAINING_TEXT                                                                     \
    "has no %s with useGopRemainingFrames, which the video profile requires of this rate " \
    "control mode"
    REQUIRE(s, RULE_08255,
            session->operation != SESSION_CREATES(ENCODE_H264) ||
                !session->capabilities.VideoEncodeH264CapabilitiesKHR.requiresGopRemainingFrames ||
                (h264 && h264->useGopRemainingFrames),
            "pNext", REMAINING_TEXT, "VkVideoEncodeH264GopRemainingFrameInfoKHR");
    REQUIRE(s, RULE_08256,
            session->operation != SESSION_CREATES(ENCODE_H265) ||
                !session->capabilities.VideoEncodeH265CapabilitiesKHR.requiresGopRemainingFrames ||
                (h265 && h265->useGopRemainingFrames),
            "pNext", REMAINING_TEXT, "VkVideoEncodeH265GopRemainingFrameInfoKHR");
    REQUIRE(s, RULE_10282,
            session->operation != SESSION_CREATES(ENCODE_AV1) ||
                !session->capabilities.VideoEncodeAV1CapabilitiesKHR.requiresGopRemainingFrames ||
                (av1 && av1->useGopRemainingFrames),
            "pNext", REMAINING_TEXT, "VkVideoEncodeAV1GopRemainingFrameInfoKHR");
}

/* --- commands --- */

/* Checks that all memory is bound. It reports the first binding that is missing. */
static void coding_scope_check_memory(struct subject *s,
                                      const struct created_video_session *session)
{
    const uint32_t count = session->binding_count,
                   bound = atomic_load_explicit(&session->bound, memory_order_relaxed);
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++) {
        if (bound & 1u << i)
            continue;
        BROKEN(s, BEGIN(videoSession_07237), "videoSession",
               "has no memory bound to its memory binding %u",
               session->bindings[i].memoryBindIndex);
        return;
    }
}

bool core_validate_CmdBeginVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkVideoBeginCodingInfoKHR *pBeginInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pBeginInfo");
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_VIDEO_SESSION_KHR, pBeginInfo->videoSession)};
    const struct created_video_session *session =
        find_created_video_session(call, pBeginInfo->videoSession);
    const struct created_video_parameters *parameters =
        find_created_video_parameters(call, pBeginInfo->videoSessionParameters);
    REQUIRE(&s, RULE_07232, !active_queries(call), NULL,
            "is called while a query is active in the command buffer");
    if (!session)
        return s.skip;
    coding_scope_check_memory(&s, session);
    check_pictures(&s, pBeginInfo, session);
    check_control(&s, session, pBeginInfo->pNext);
    check_remaining(&s, session, pBeginInfo->pNext);
    REQUIRE(&s, BEGIN(videoSessionParameters_04857),
            !parameters || !parameters->session || parameters->session == session->base.id,
            "videoSessionParameters", "is %s, which was created for another session",
            NAMED(call, HANDLE_VIDEO_SESSION_PARAMETERS_KHR, pBeginInfo->videoSessionParameters));
    return s.skip;
}

bool core_validate_CmdControlVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkVideoCodingControlInfoKHR *pCodingControlInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pCodingControlInfo");
    struct subject s = {.call = call, .where = &where};
    const struct created_video_session *session = call_video_session(call);
    if (session && pCodingControlInfo->flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR)
        check_control(&s, session, pCodingControlInfo->pNext);
    return s.skip;
}

bool core_validate_CmdEndVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkVideoEndCodingInfoKHR *pEndCodingInfo)
{
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_07251, !active_queries(call), NULL,
            "is called while a query is active in the command buffer");
    return s.skip;
}
