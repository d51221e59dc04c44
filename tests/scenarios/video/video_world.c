/* Makes valid video sessions, parameter sets, pictures and commands. */
#include "video_world.h"

#include <stdlib.h>
#include <string.h>

#define FEATURE(Name_, TYPE_, member_, next_)                               \
    static const VkPhysicalDevice##Name_##FeaturesKHR member_##_feature = { \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_##_FEATURES_KHR,  \
        .pNext = (void *)(uintptr_t)(next_),                                \
        .member_ = VK_TRUE}
FEATURE(VideoMaintenance1, VIDEO_MAINTENANCE_1, videoMaintenance1, NULL);
FEATURE(VideoMaintenance2, VIDEO_MAINTENANCE_2, videoMaintenance2, &videoMaintenance1_feature);
FEATURE(VideoEncodeAV1, VIDEO_ENCODE_AV1, videoEncodeAV1, &videoMaintenance2_feature);
FEATURE(VideoDecodeVP9, VIDEO_DECODE_VP9, videoDecodeVP9, &videoEncodeAV1_feature);
FEATURE(VideoEncodeIntraRefresh, VIDEO_ENCODE_INTRA_REFRESH, videoEncodeIntraRefresh,
        &videoDecodeVP9_feature);
FEATURE(VideoEncodeQuantizationMap, VIDEO_ENCODE_QUANTIZATION_MAP, videoEncodeQuantizationMap,
        &videoEncodeIntraRefresh_feature);
const VkPhysicalDeviceVulkan13Features video_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&videoEncodeQuantizationMap_feature,
    .synchronization2 = VK_TRUE};

static const VkVideoDecodeH265ProfileInfoKHR decode_h265_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN};
static const VkVideoDecodeVP9ProfileInfoKHR decode_vp9_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR,
    .stdProfile = STD_VIDEO_VP9_PROFILE_0};
static const VkVideoEncodeH264ProfileInfoKHR encode_h264_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN};
static const VkVideoEncodeH265ProfileInfoKHR encode_h265_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN};
static const VkVideoEncodeAV1ProfileInfoKHR encode_av1_profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
    .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN};

#define BITSTREAM 16384

/* --- profiles and sessions --- */

static const void *codec_profile(struct video *v)
{
    switch (v->operation) {
    case OPERATION(DECODE_H264):
        v->decode_h264_profile = (VkVideoDecodeH264ProfileInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
            .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
            .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR};
        return &v->decode_h264_profile;
    case OPERATION(DECODE_AV1):
        v->decode_av1_profile = (VkVideoDecodeAV1ProfileInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
            .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN};
        return &v->decode_av1_profile;
    case OPERATION(DECODE_H265):
        return &decode_h265_profile;
    case OPERATION(DECODE_VP9):
        return &decode_vp9_profile;
    case OPERATION(ENCODE_H264):
        return &encode_h264_profile;
    case OPERATION(ENCODE_H265):
        return &encode_h265_profile;
    default:
        return &encode_av1_profile;
    }
}

static const char *header_of(VkVideoCodecOperationFlagBitsKHR operation)
{
    switch (operation) {
    case OPERATION(DECODE_H264):
        return VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME;
    case OPERATION(DECODE_H265):
        return VK_STD_VULKAN_VIDEO_CODEC_H265_DECODE_EXTENSION_NAME;
    case OPERATION(DECODE_AV1):
        return VK_STD_VULKAN_VIDEO_CODEC_AV1_DECODE_EXTENSION_NAME;
    case OPERATION(DECODE_VP9):
        return VK_STD_VULKAN_VIDEO_CODEC_VP9_DECODE_EXTENSION_NAME;
    case OPERATION(ENCODE_H264):
        return VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME;
    case OPERATION(ENCODE_H265):
        return VK_STD_VULKAN_VIDEO_CODEC_H265_ENCODE_EXTENSION_NAME;
    default:
        return VK_STD_VULKAN_VIDEO_CODEC_AV1_ENCODE_EXTENSION_NAME;
    }
}

static void fill_profile(struct video *v)
{
    v->profile =
        (VkVideoProfileInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                .pNext = codec_profile(v),
                                .videoCodecOperation = v->operation,
                                .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    v->profiles =
        (VkVideoProfileListInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                    .profileCount = 1,
                                    .pProfiles = &v->profile};
    snprintf(v->header.extensionName, sizeof(v->header.extensionName), "%s",
             header_of(v->operation));
    v->header.specVersion = VK_MAKE_VIDEO_STD_VERSION(1, 0, 0);
    v->session_info =
        (VkVideoSessionCreateInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
                                      .pVideoProfile = &v->profile,
                                      .pictureFormat = PICTURE_FORMAT,
                                      .maxCodedExtent = {IMAGE_EXTENT, IMAGE_EXTENT},
                                      .referencePictureFormat = PICTURE_FORMAT,
                                      .maxDpbSlots = SLOTS,
                                      .maxActiveReferencePictures = SLOTS,
                                      .pStdHeaderVersion = &v->header};
    v->session_info.queueFamilyIndex = find_queue_family(v->b->physical_device,
                                                         v->encodes ? VK_QUEUE_VIDEO_ENCODE_BIT_KHR
                                                                    : VK_QUEUE_VIDEO_DECODE_BIT_KHR,
                                                         0);
    ENSURE(v->session_info.queueFamilyIndex != UINT32_MAX);
}

static void destroy_video_session(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyVideoSessionKHR)(b->device, (VkVideoSessionKHR)handle, NULL);
}

static void destroy_parameters(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyVideoSessionParametersKHR)
    (b->device, (VkVideoSessionParametersKHR)handle, NULL);
}

VkVideoSessionKHR video_create(struct video *v)
{
    v->session = VK_NULL_HANDLE;
    if (DEVICE_PROC(v->b, vkCreateVideoSessionKHR)(v->b->device, &v->session_info, NULL,
                                                   &v->session) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    if (v->session)
        cleanup_add(v->b, destroy_video_session, HANDLE(v->session));
    v->begin.videoSession = v->parameters_info.videoSession = v->session;
    return v->session;
}

static void fill_binding(struct video *v)
{
    uint32_t count = 1;
    v->needs.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR;
    VK(DEVICE_PROC(v->b, vkGetVideoSessionMemoryRequirementsKHR)(v->b->device, v->session, &count,
                                                                 &v->needs));
    v->binding = (VkBindVideoSessionMemoryInfoKHR){
        .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
        .memoryBindIndex = v->needs.memoryBindIndex,
        .memory = make_memory(v->b, 4 * v->needs.memoryRequirements.size),
        .memorySize = v->needs.memoryRequirements.size};
}

void video_bind(struct video *v)
{
    fill_binding(v);
    VK(DEVICE_PROC(v->b, vkBindVideoSessionMemoryKHR)(v->b->device, v->session, 1, &v->binding));
}

/* --- parameter sets --- */

static void fill_sets(struct video *v)
{
    const bool encodes = v->encodes;
    v->h264_add = (VkVideoDecodeH264SessionParametersAddInfoKHR){
        .sType = encodes ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR
                         : VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = v->h264_sps,
        .stdPPSCount = 1,
        .pStdPPSs = v->h264_pps};
    v->h265_add = (VkVideoDecodeH265SessionParametersAddInfoKHR){
        .sType = encodes ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR
                         : VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = v->h265_vps,
        .stdSPSCount = 1,
        .pStdSPSs = v->h265_sps,
        .stdPPSCount = 1,
        .pStdPPSs = v->h265_pps};
    v->h264_create = (VkVideoDecodeH264SessionParametersCreateInfoKHR){
        .sType = encodes ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR
                         : VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 2,
        .maxStdPPSCount = 2,
        .pParametersAddInfo = &v->h264_add};
    v->h265_create = (VkVideoDecodeH265SessionParametersCreateInfoKHR){
        .sType = encodes ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR
                         : VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 2,
        .maxStdSPSCount = 2,
        .maxStdPPSCount = 2,
        .pParametersAddInfo = &v->h265_add};
    v->av1_header.max_frame_width_minus_1 = IMAGE_EXTENT - 1;
    v->av1_header.max_frame_height_minus_1 = IMAGE_EXTENT - 1;
    v->av1_decode_create = (VkVideoDecodeAV1SessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pStdSequenceHeader = &v->av1_header};
    v->av1_encode_create = (VkVideoEncodeAV1SessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pStdSequenceHeader = &v->av1_header};
    v->parameters_info = (VkVideoSessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR};
    switch (v->operation) {
    case OPERATION(DECODE_H264):
    case OPERATION(ENCODE_H264):
        v->parameters_info.pNext = &v->h264_create;
        break;
    case OPERATION(DECODE_H265):
    case OPERATION(ENCODE_H265):
        v->parameters_info.pNext = &v->h265_create;
        break;
    case OPERATION(DECODE_AV1):
        v->parameters_info.pNext = &v->av1_decode_create;
        break;
    case OPERATION(ENCODE_AV1):
        v->parameters_info.pNext = &v->av1_encode_create;
        break;
    default:
        break;
    }
}

void video_make_parameters(struct video *v)
{
    if (v->operation == OPERATION(DECODE_VP9))
        return;
    v->parameters = VK_NULL_HANDLE;
    (void)DEVICE_PROC(v->b, vkCreateVideoSessionParametersKHR)(v->b->device, &v->parameters_info,
                                                               NULL, &v->parameters);
    if (v->parameters)
        cleanup_add(v->b, destroy_parameters, HANDLE(v->parameters));
    v->begin.videoSessionParameters = v->parameters;
}

void video_update(struct video *v, uint32_t sequence, const void *add)
{
    const VkVideoSessionParametersUpdateInfoKHR update = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
        .pNext = add,
        .updateSequenceCount = sequence};
    (void)DEVICE_PROC(v->b, vkUpdateVideoSessionParametersKHR)(v->b->device, v->parameters,
                                                               &update);
}

/* --- pictures --- */

/* The format of pictures, or of a quantization map. */
static VkFormat format_of(VkImageUsageFlags usage)
{
    return usage & (VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR |
                    VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)
               ? VK_FORMAT_R8_UNORM
               : PICTURE_FORMAT;
}

VkImage video_image(struct video *v, VkImageUsageFlags usage, uint32_t layers)
{
    VkImageCreateInfo info = image_info(usage);
    info.pNext = &v->profiles;
    info.format = format_of(usage);
    info.arrayLayers = layers;
    return make_image_of(v->b, &info);
}

VkImageView video_view(struct video *v, VkImage image)
{
    return video_view_of(v, image, PICTURE_FORMAT);
}

VkImageView video_view_of(struct video *v, VkImage image, VkFormat format)
{
    VkImageViewCreateInfo info = image_view_info(image);
    info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    info.format = format;
    info.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
    return create_image_view(v->b, &info);
}

static VkBuffer make_bitstream(struct video *v)
{
    VkBufferCreateInfo info =
        buffer_info(BITSTREAM, v->encodes ? VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR
                                          : VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR);
    info.pNext = &v->profiles;
    VkBuffer buffer = create_buffer(v->b, &info);
    VK(vkBindBufferMemory(v->b->device, buffer, make_memory(v->b, 4 * BITSTREAM), 0));
    return buffer;
}

void video_make_pictures(struct video *v)
{
    const VkImageUsageFlags picture = v->encodes ? VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
                                                 : VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
                            slot = v->encodes ? VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
                                              : VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
    v->picture.imageViewBinding = video_view(v, video_image(v, picture, 1));
    VkImageView slots = video_view(v, video_image(v, slot, SLOTS));
    for (uint32_t i = 0; i < SLOTS; i++)
        v->references[i].imageViewBinding = slots;
    v->decode.srcBuffer = v->encode.dstBuffer = make_bitstream(v);
}

/* --- commands --- */

static VkVideoPictureResourceInfoKHR picture_info(uint32_t layer)
{
    return (VkVideoPictureResourceInfoKHR){.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                                           .codedExtent = {IMAGE_EXTENT, IMAGE_EXTENT},
                                           .baseArrayLayer = layer};
}

static VkVideoReferenceSlotInfoKHR slot_info(const void *codec, int32_t index,
                                             const VkVideoPictureResourceInfoKHR *picture)
{
    return (VkVideoReferenceSlotInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
                                         .pNext = codec,
                                         .slotIndex = index,
                                         .pPictureResource = picture};
}

/* Codec structures of slots, of what is set up and of what is referred to. */
#define SLOT(name_, TYPE_)                                                              \
    for (int i = 0; i < 2; i++) {                                                       \
        v->name_##_slot[i].sType = VK_STRUCTURE_TYPE_VIDEO_##TYPE_##_DPB_SLOT_INFO_KHR; \
        v->name_##_slot[i].pStdReferenceInfo = &v->name_##_reference[i];                \
    }

static const void *codec_slot(struct video *v, int which)
{
    switch (v->operation) {
    case OPERATION(DECODE_H264):
        return &v->decode_h264_slot[which];
    case OPERATION(DECODE_H265):
        return &v->decode_h265_slot[which];
    case OPERATION(DECODE_AV1):
        return &v->decode_av1_slot[which];
    case OPERATION(ENCODE_H264):
        return &v->encode_h264_slot[which];
    case OPERATION(ENCODE_H265):
        return &v->encode_h265_slot[which];
    case OPERATION(ENCODE_AV1):
        return &v->encode_av1_slot[which];
    default:
        return NULL;
    }
}

static const void *codec_picture(struct video *v)
{
    switch (v->operation) {
    case OPERATION(DECODE_H264):
        return &v->decode_h264;
    case OPERATION(DECODE_H265):
        return &v->decode_h265;
    case OPERATION(DECODE_AV1):
        return &v->decode_av1;
    case OPERATION(DECODE_VP9):
        return &v->decode_vp9;
    case OPERATION(ENCODE_H264):
        return &v->encode_h264;
    case OPERATION(ENCODE_H265):
        return &v->encode_h265;
    default:
        return &v->encode_av1;
    }
}

static void fill_decodes(struct video *v)
{
    static const uint32_t zero[1], one[1] = {1};
    v->decode_h264_std.flags.is_intra = v->decode_h264_std.flags.is_reference = 1;
    v->decode_h264 = (VkVideoDecodeH264PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = &v->decode_h264_std,
        .sliceCount = 1,
        .pSliceOffsets = zero};
    v->decode_h265_std.flags.IrapPicFlag = v->decode_h265_std.flags.IsReference = 1;
    v->decode_h265 = (VkVideoDecodeH265PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
        .pStdPictureInfo = &v->decode_h265_std,
        .sliceSegmentCount = 1,
        .pSliceSegmentOffsets = zero};
    v->decode_av1 = (VkVideoDecodeAV1PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
        .pStdPictureInfo = &v->decode_av1_std,
        .tileCount = 1,
        .pTileOffsets = zero,
        .pTileSizes = one};
    v->decode_vp9 = (VkVideoDecodeVP9PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
        .pStdPictureInfo = &v->decode_vp9_std,
        .compressedHeaderOffset = 1,
        .tilesOffset = 2};
    for (uint32_t i = 0; i < VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR; i++)
        v->decode_av1.referenceNameSlotIndices[i] = -1;
    for (uint32_t i = 0; i < VK_MAX_VIDEO_VP9_REFERENCES_PER_FRAME_KHR; i++)
        v->decode_vp9.referenceNameSlotIndices[i] = -1;
    SLOT(decode_h264, DECODE_H264)
    SLOT(decode_h265, DECODE_H265)
    SLOT(decode_av1, DECODE_AV1)
}

static void fill_encodes(struct video *v)
{
    for (int i = 0; i < SLICES; i++) {
        v->h264_slices[i].slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
        v->h265_slices[i].slice_type = STD_VIDEO_H265_SLICE_TYPE_I;
        v->h264_entries[i] = (VkVideoEncodeH264NaluSliceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
            .pStdSliceHeader = &v->h264_slices[i]};
        v->h265_entries[i] = (VkVideoEncodeH265NaluSliceSegmentInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_NALU_SLICE_SEGMENT_INFO_KHR,
            .pStdSliceSegmentHeader = &v->h265_slices[i]};
    }
    memset(v->encode_h264_lists.RefPicList0, 0xff, sizeof(v->encode_h264_lists.RefPicList0));
    memset(v->encode_h264_lists.RefPicList1, 0xff, sizeof(v->encode_h264_lists.RefPicList1));
    memset(v->encode_h265_lists.RefPicList0, 0xff, sizeof(v->encode_h265_lists.RefPicList0));
    memset(v->encode_h265_lists.RefPicList1, 0xff, sizeof(v->encode_h265_lists.RefPicList1));
    v->encode_h264_std.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_I;
    v->encode_h265_std.pic_type = STD_VIDEO_H265_PICTURE_TYPE_I;
    v->encode_h264 = (VkVideoEncodeH264PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .naluSliceEntryCount = 1,
        .pNaluSliceEntries = v->h264_entries,
        .pStdPictureInfo = &v->encode_h264_std};
    v->encode_h265 = (VkVideoEncodeH265PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
        .naluSliceSegmentEntryCount = 1,
        .pNaluSliceSegmentEntries = v->h265_entries,
        .pStdPictureInfo = &v->encode_h265_std};
    v->encode_av1_std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY;
    v->encode_av1_std.primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE;
    v->encode_av1 = (VkVideoEncodeAV1PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
        .predictionMode = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR,
        .pStdPictureInfo = &v->encode_av1_std};
    for (uint32_t i = 0; i < VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR; i++)
        v->encode_av1.referenceNameSlotIndices[i] = -1;
    SLOT(encode_h264, ENCODE_H264)
    SLOT(encode_h265, ENCODE_H265)
    SLOT(encode_av1, ENCODE_AV1)
}

static void fill_commands(struct video *v)
{
    v->picture = picture_info(0);
    for (int32_t i = 0; i < SLOTS; i++) {
        v->references[i] = picture_info((uint32_t)i);
        v->bound[i] = slot_info(NULL, i ? i : -1, &v->references[i]);
    }
    v->setup = slot_info(codec_slot(v, 0), 0, &v->references[0]);
    v->reference = slot_info(codec_slot(v, 1), 1, &v->references[1]);
    v->begin = (VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                           .referenceSlotCount = 1,
                                           .pReferenceSlots = v->bound};
    v->decode = (VkVideoDecodeInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
                                       .pNext = codec_picture(v),
                                       .srcBufferRange = BITSTREAM,
                                       .pSetupReferenceSlot = &v->setup,
                                       .pReferenceSlots = &v->reference};
    v->encode = (VkVideoEncodeInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
                                       .pNext = codec_picture(v),
                                       .dstBufferRange = BITSTREAM,
                                       .pSetupReferenceSlot = &v->setup,
                                       .pReferenceSlots = &v->reference};
}

struct video *video_of(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    static struct video only; /* a scenario has a process of its own */
    struct video *v = &only;
    memset(v, 0, sizeof(*v));
    v->b = b;
    v->operation = operation;
    v->encodes = operation == OPERATION(ENCODE_H264) || operation == OPERATION(ENCODE_H265) ||
                 operation == OPERATION(ENCODE_AV1);
    fill_profile(v);
    fill_sets(v);
    fill_decodes(v);
    fill_encodes(v);
    fill_commands(v);
    return v;
}

void video_refer(struct video *v)
{
    v->begin.referenceSlotCount = 2;
    v->decode.referenceSlotCount = v->encode.referenceSlotCount = 1;
    v->encode_h264_std.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_P;
    v->encode_h264_std.pRefLists = &v->encode_h264_lists;
    v->encode_h264_lists.RefPicList0[0] = 1;
    v->encode_h265_std.pic_type = STD_VIDEO_H265_PICTURE_TYPE_P;
    v->encode_h265_std.pRefLists = &v->encode_h265_lists;
    v->encode_h265_lists.RefPicList0[0] = 1;
    v->encode_av1_std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER;
    v->encode_av1.predictionMode = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR;
    v->encode_av1.rateControlGroup = VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR;
    v->encode_av1.referenceNameSlotIndices[0] = 1;
    v->decode_av1.referenceNameSlotIndices[0] = 1;
    v->decode_vp9.referenceNameSlotIndices[0] = 1;
}

struct video *video_ready(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation)
{
    struct video *v = video_of(b, operation);
    ENSURE(video_create(v));
    video_bind(v);
    video_make_parameters(v);
    video_make_pictures(v);
    v->commands = make_recording_of(b, v->session_info.queueFamilyIndex);
    return v;
}

void video_control(struct video *v, const void *chain, VkVideoCodingControlFlagsKHR flags)
{
    const VkVideoCodingControlInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR, .pNext = chain, .flags = flags};
    DEVICE_PROC(v->b, vkCmdControlVideoCodingKHR)(v->commands, &info);
}

void video_begin(struct video *v)
{
    DEVICE_PROC(v->b, vkCmdBeginVideoCodingKHR)(v->commands, &v->begin);
    if (v->begin.referenceSlotCount < 2)
        video_control(v, NULL, VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR);
}

void video_code(struct video *v)
{
    v->decode.dstPictureResource = v->encode.srcPictureResource = v->picture;
    if (v->encodes)
        DEVICE_PROC(v->b, vkCmdEncodeVideoKHR)(v->commands, &v->encode);
    else
        DEVICE_PROC(v->b, vkCmdDecodeVideoKHR)(v->commands, &v->decode);
}

void video_end(struct video *v)
{
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    DEVICE_PROC(v->b, vkCmdEndVideoCodingKHR)(v->commands, &end);
}
