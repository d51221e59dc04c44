/* Checks how video sessions are created, bound to memory and destroyed (42.5 "Video Session"). */
#include "report/finding/rule.h"
#include "report/muting/rows_broken.h"
#include "report/names/object_text.h"
#include "state/memory/memory.h"
#include "state/video/video_session.h"

#include "core/destroy/in_use.h"
#include "core/hooks.h"

#include <inttypes.h>
#include <string.h>

#define RULE_OF(name_) VUID_VkVideoSessionCreateInfoKHR_##name_

/* All operations that decode. */
#define DECODES                                                                                    \
    (VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR | VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR)
/* All operations that encode. */
#define ENCODES                                                                                    \
    (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR | VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR | \
     VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR)

/* --- creation --- */

/* Checks that the queue family's properties include the operation. */
static void video_session_check_family(struct subject *s, const VkVideoSessionCreateInfoKHR *info)
{
    enum { FAMILIES = 32 };
    VkQueueFamilyVideoPropertiesKHR video[FAMILIES];
    VkQueueFamilyProperties2 families[FAMILIES];
    PFN_vkGetPhysicalDeviceQueueFamilyProperties2 ask =
        s->call->instance->dispatch.GetPhysicalDeviceQueueFamilyProperties2;
    uint32_t count = FAMILIES;
    for (uint32_t i = 0; i < FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR};
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &video[i]};
    }
    if (!ask || info->queueFamilyIndex >= FAMILIES)
        return;
    ask(s->call->device->physical_device, &count, families);
    if (info->queueFamilyIndex < count)
        REQUIRE(s, RULE_OF(pVideoProfile_11759),
                video[info->queueFamilyIndex].videoCodecOperations &
                    info->pVideoProfile->videoCodecOperation,
                "queueFamilyIndex", "is %u, a family that does not support %s",
                info->queueFamilyIndex,
                value_text(VALUES_VkVideoCodecOperationFlagsKHR,
                           info->pVideoProfile->videoCodecOperation)
                    .text);
}

/* True if the driver lists this format for the profile and usage, or lists none. The driver may
 * list formats only for this usage combined with another. */
static bool format_is_supported(const struct call *call, const VkVideoProfileInfoKHR *profile,
                                VkImageUsageFlags usage, VkFormat format)
{
    enum { FORMATS = 32 };
    const VkVideoProfileListInfoKHR list = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                            .profileCount = 1,
                                            .pProfiles = profile};
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = usage};
    VkVideoFormatPropertiesKHR formats[FORMATS];
    uint32_t count = FORMATS;
    PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR ask =
        call->instance->dispatch.GetPhysicalDeviceVideoFormatPropertiesKHR;
    for (uint32_t i = 0; i < FORMATS; i++)
        formats[i] =
            (VkVideoFormatPropertiesKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR};
    if (!ask || ask(call->device->physical_device, &info, &count, formats) != VK_SUCCESS)
        return true; /* not known, or too many */
    for (uint32_t i = 0; i < count; i++) {
        if (formats[i].format == format)
            return true;
    }
    return !count;
}

/* Checks that the driver lists the format for this profile and usage. */
static void video_session_check_format(struct subject *s, enum vuid rule,
                                       const VkVideoProfileInfoKHR *profile,
                                       VkImageUsageFlags usage, const char *member, VkFormat format)
{
    REQUIRE(s, rule, format_is_supported(s->call, profile, usage, format), member,
            "is %s, which is none of the formats that this profile has for %s",
            value_text(VALUES_VkFormat, format).text,
            value_text(VALUES_VkImageUsageFlags, usage).text);
}

/* Checks that the profile supports the formats of pictures and references. An unknown operation is
 * not checked. */
static void video_session_check_formats(struct subject *s, const VkVideoSessionCreateInfoKHR *info)
{
    const VkVideoProfileInfoKHR *profile = info->pVideoProfile;
    const bool decodes = profile->videoCodecOperation & DECODES;
    if (!decodes && !(profile->videoCodecOperation & ENCODES))
        return;
    if (decodes)
        video_session_check_format(s, RULE_OF(pictureFormat_04853), profile,
                                   VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, "pictureFormat",
                                   info->pictureFormat);
    else
        video_session_check_format(s, RULE_OF(pictureFormat_04854), profile,
                                   VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR, "pictureFormat",
                                   info->pictureFormat);
    if (info->maxActiveReferencePictures && decodes)
        video_session_check_format(s, RULE_OF(referencePictureFormat_04852), profile,
                                   VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR,
                                   "referencePictureFormat", info->referencePictureFormat);
    else if (info->maxActiveReferencePictures)
        video_session_check_format(s, RULE_OF(referencePictureFormat_06814), profile,
                                   VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
                                   "referencePictureFormat", info->referencePictureFormat);
}

/* Checks that a requested level is not above the profile's level. */
static void check_level(struct subject *s, enum vuid rule, const char *type, const char *member,
                        bool used, uint32_t level, uint32_t most)
{
    REQUIRE(s, rule, !used || level <= most, &LOCATION(&LOCATION_CHAINED(s->where, type), member),
            "is %u, but the video profile has %u", level, most);
}

/* Checks maxLevelIdc of the codec that the session encodes with, if the chain has it. */
static void check_levels(struct subject *s, const VkVideoSessionCreateInfoKHR *info,
                         const struct video_capabilities *can)
{
    const VkVideoEncodeH264SessionCreateInfoKHR *h264 =
        CHAINED(info->pNext, VIDEO_ENCODE_H264_SESSION_CREATE_INFO_KHR);
    const VkVideoEncodeH265SessionCreateInfoKHR *h265 =
        CHAINED(info->pNext, VIDEO_ENCODE_H265_SESSION_CREATE_INFO_KHR);
    const VkVideoEncodeAV1SessionCreateInfoKHR *av1 =
        CHAINED(info->pNext, VIDEO_ENCODE_AV1_SESSION_CREATE_INFO_KHR);
    const VkVideoCodecOperationFlagsKHR operation = info->pVideoProfile->videoCodecOperation;
    if (operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR && h264)
        check_level(s, RULE_OF(pVideoProfile_08251), "VkVideoEncodeH264SessionCreateInfoKHR",
                    "maxLevelIdc", h264->useMaxLevelIdc, h264->maxLevelIdc,
                    can->VideoEncodeH264CapabilitiesKHR.maxLevelIdc);
    if (operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR && h265)
        check_level(s, RULE_OF(pVideoProfile_08252), "VkVideoEncodeH265SessionCreateInfoKHR",
                    "maxLevelIdc", h265->useMaxLevelIdc, h265->maxLevelIdc,
                    can->VideoEncodeH265CapabilitiesKHR.maxLevelIdc);
    if (operation == VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR && av1)
        check_level(s, RULE_OF(pVideoProfile_10270), "VkVideoEncodeAV1SessionCreateInfoKHR",
                    "maxLevel", av1->useMaxLevel, av1->maxLevel,
                    can->VideoEncodeAV1CapabilitiesKHR.maxLevel);
}

/* Checks a profile that may convert from RGB: its feature, and the structure that the session then
 * requires. */
static void check_conversion(struct subject *s, const VkVideoSessionCreateInfoKHR *info)
{
    const VkVideoEncodeProfileRgbConversionInfoVALVE *conversion =
        CHAINED(info->pVideoProfile->pNext, VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE);
    if (!conversion)
        return;
    const bool enabled = subject_has(s, FEATURE_videoEncodeRgbConversion);
    REQUIRE(s, RULE_OF(pVideoProfile_10923), enabled, "pVideoProfile",
            "has a VkVideoEncodeProfileRgbConversionInfoVALVE, but the feature "
            "videoEncodeRgbConversion is not enabled");
    REQUIRE(s, RULE_OF(pNext_10924),
            !enabled || !conversion->performEncodeRgbConversion ||
                CHAINED(info->pNext, VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE),
            "pNext",
            "has no VkVideoEncodeSessionRgbConversionCreateInfoVALVE, but the profile's "
            "performEncodeRgbConversion is VK_TRUE");
}

bool core_validate_CreateVideoSessionKHR(struct call *call, VkDevice device,
                                         const VkVideoSessionCreateInfoKHR *pCreateInfo,
                                         const VkAllocationCallbacks *pAllocator,
                                         VkVideoSessionKHR *pVideoSession)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject s = {.call = call, .where = &where};
    struct video_capabilities can;
    check_conversion(&s, pCreateInfo);
    if (s.wrong)
        return s.skip;
    video_capabilities_ask(call->device, pCreateInfo->pVideoProfile, &can);
    /* pVideoProfile must be a supported video profile */
    REQUIRE(&s, RULE_OF(pVideoProfile_04845), !can.refused, "pVideoProfile",
            "is a profile that the driver does not support");
    if (can.refused || !can.known)
        return s.skip;
    video_session_check_family(&s, pCreateInfo);
    video_session_check_formats(&s, pCreateInfo);
    check_levels(&s, pCreateInfo, &can);
    const char *header = can.VideoCapabilitiesKHR.stdHeaderVersion.extensionName;
    REQUIRE(&s, RULE_OF(pStdHeaderVersion_07190),
            strncmp(pCreateInfo->pStdHeaderVersion->extensionName, header,
                    VK_MAX_EXTENSION_NAME_SIZE) == 0,
            "pStdHeaderVersion", "has extensionName \"%.64s\", where this profile has \"%.64s\"",
            pCreateInfo->pStdHeaderVersion->extensionName, header);
    return s.skip;
}

bool core_validate_GetPhysicalDeviceVideoFormatPropertiesKHR(
    struct call *call, VkPhysicalDevice physicalDevice,
    const VkPhysicalDeviceVideoFormatInfoKHR *pVideoFormatInfo, uint32_t *pVideoFormatPropertyCount,
    VkVideoFormatPropertiesKHR *pVideoFormatProperties)
{
    struct subject s = {.call = call};
    const VkVideoProfileListInfoKHR *list =
        CHAINED(pVideoFormatInfo->pNext, VIDEO_PROFILE_LIST_INFO_KHR);
    REQUIRE(&s, VUID_vkGetPhysicalDeviceVideoFormatPropertiesKHR_pNext_06812,
            list && list->profileCount, "pVideoFormatInfo", "%s",
            list ? "has a VkVideoProfileListInfoKHR with a profileCount of 0 in its pNext chain"
                 : "has no VkVideoProfileListInfoKHR in its pNext chain");
    return s.skip;
}

bool core_validate_DestroyVideoSessionKHR(struct call *call, VkDevice device,
                                          VkVideoSessionKHR videoSession,
                                          const VkAllocationCallbacks *pAllocator)
{
    const struct created_video_session *session =
        named_created_video_session(call, 0, videoSession);
    return session &&
           in_use_check(call, &session->base, VUID_vkDestroyVideoSessionKHR_videoSession_07192,
                        &LOCATION(NULL, "videoSession"));
}

bool core_validate_DestroyVideoSessionParametersKHR(struct call *call, VkDevice device,
                                                    VkVideoSessionParametersKHR
                                                        videoSessionParameters,
                                                    const VkAllocationCallbacks *pAllocator)
{
    const struct created_video_parameters *parameters =
        named_created_video_parameters(call, 0, videoSessionParameters);
    return parameters &&
           in_use_check(call, &parameters->base,
                        VUID_vkDestroyVideoSessionParametersKHR_videoSessionParameters_07212,
                        &LOCATION(NULL, "videoSessionParameters"));
}

/* --- memory --- */

/* Checks one binding of memory against the session's requirements for that memoryBindIndex. Unknown
 * memory is not checked. */
static void video_session_check_binding(struct subject *s,
                                        const struct created_video_session *session,
                                        const VkBindVideoSessionMemoryInfoKHR *info)
{
    const uint32_t at = video_session_binding(session, info->memoryBindIndex);
    /* Each element must have a corresponding VkMemoryRequirements structure */
    REQUIRE(s, RULE_07197, at != UINT32_MAX, "memoryBindIndex",
            "is %u, which is the memoryBindIndex of none of the session's memory requirements",
            info->memoryBindIndex);
    if (at == UINT32_MAX)
        return;
    const VkMemoryRequirements *needs = &session->bindings[at].memoryRequirements;
    const struct device_memory *memory = find_device_memory(s->call, info->memory);
    REQUIRE(s, RULE_07195,
            !(atomic_load_explicit(&session->bound, memory_order_relaxed) & 1u << at),
            "memoryBindIndex", "is %u, which is bound to memory already", info->memoryBindIndex);
    REQUIRE(s, RULE_07198,
            !memory || memory->type >= 32 || needs->memoryTypeBits & 1u << memory->type, "memory",
            "is of memory type %u, but memoryTypeBits of the requirements is %#x",
            memory ? memory->type : 0, needs->memoryTypeBits);
    REQUIRE(s, RULE_07199, !needs->alignment || info->memoryOffset % needs->alignment == 0,
            "memoryOffset",
            "is %" PRIu64 ", which is not a multiple of the required alignment, %" PRIu64,
            info->memoryOffset, needs->alignment);
    REQUIRE(s, RULE_07200, info->memorySize == needs->size, "memorySize",
            "is %" PRIu64 ", but the requirements' size is %" PRIu64, info->memorySize,
            needs->size);
}

bool core_validate_BindVideoSessionMemoryKHR(struct call *call, VkDevice device,
                                             VkVideoSessionKHR videoSession,
                                             uint32_t bindSessionMemoryInfoCount,
                                             const VkBindVideoSessionMemoryInfoKHR
                                                 *pBindSessionMemoryInfos)
{
    const struct created_video_session *session =
        named_created_video_session(call, 0, videoSession);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_VIDEO_SESSION_KHR, videoSession)};
    for (uint32_t i = 0; i < bindSessionMemoryInfoCount; i++) {
        const uint32_t index = pBindSessionMemoryInfos[i].memoryBindIndex;
        const struct location at = LOCATION_INDEX(NULL, "pBindSessionMemoryInfos", i);
        uint32_t before = 0;
        s.where = &at;
        while (before < i && pBindSessionMemoryInfos[before].memoryBindIndex != index)
            before++;
        /* must be unique within pBindSessionMemoryInfos */
        REQUIRE(&s, RULE_07196, before == i, "memoryBindIndex",
                "is %u, as that of pBindSessionMemoryInfos[%u]", index, before);
        if (session && session->binding_count != UINT32_MAX && before == i)
            video_session_check_binding(&s, session, &pBindSessionMemoryInfos[i]);
    }
    return s.skip;
}

/* --- questions about quality levels --- */

bool core_validate_GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(
    struct call *call, VkPhysicalDevice physicalDevice,
    const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR *pQualityLevelInfo,
    VkVideoEncodeQualityLevelPropertiesKHR *pQualityLevelProperties)
{
    const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR *info = pQualityLevelInfo;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pQualityLevelInfo")};
    struct video_capabilities can;
    if (rows_were_broken() || pointer_is_bad(info->pVideoProfile))
        return false;
    video_capabilities_of(call->instance, physicalDevice, info->pVideoProfile, &can);
    const uint32_t levels = can.VideoEncodeCapabilitiesKHR.maxQualityLevels;
    REQUIRE(&s, VUID_VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR_pVideoProfile_08259,
            !can.refused, "pVideoProfile", "is a profile that the driver does not support");
    REQUIRE(&s, VUID_VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR_qualityLevel_08261,
            !can.known || !levels || info->qualityLevel < levels, "qualityLevel",
            "is %u, but maxQualityLevels is %u", info->qualityLevel, levels);
    return s.skip;
}
