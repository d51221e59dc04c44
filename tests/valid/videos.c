/* Video: sessions of H.264 and H.265, what they are bound to, and their parameters. Pictures are
 * decoded without references, or into a slot that the next ones could refer to. */
#include "valid.h"

#define BINDS_MOST 8
#define CODED_SIZE 64
#define BITSTREAM  16384

struct video {
    bool h265;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    VkVideoCapabilitiesKHR can;
    VkFormat output, reference;
    uint32_t slots; /* of decoded pictures */
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR parameters;
    VkExtent2D coded;
};

static bool ask_capabilities(struct world *w, struct video *v)
{
    PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR ask = (PFN_vkGetPhysicalDeviceVideoCapabilitiesKHR)
        vkGetInstanceProcAddr(w->instance, "vkGetPhysicalDeviceVideoCapabilitiesKHR");
    VkVideoDecodeH264CapabilitiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR};
    VkVideoDecodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR};
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = v->h265 ? (void *)&h265 : &h264};
    VkVideoCapabilitiesKHR can = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                  .pNext = &decode};
    if (!ask || ask(w->physical_device, &v->profile, &can) != VK_SUCCESS)
        return false;
    can.pNext = NULL;
    v->can = can;
    return v->can.minCodedExtent.width <= CODED_SIZE &&
           v->can.minCodedExtent.height <= CODED_SIZE &&
           v->can.maxCodedExtent.width >= CODED_SIZE && v->can.maxCodedExtent.height >= CODED_SIZE;
}

static VkFormat ask_format(struct world *w, const struct video *v, VkImageUsageFlags usage)
{
    PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR ask =
        (PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR)
            vkGetInstanceProcAddr(w->instance, "vkGetPhysicalDeviceVideoFormatPropertiesKHR");
    VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &v->profiles,
        .imageUsage = usage};
    VkVideoFormatPropertiesKHR there[4];
    uint32_t count = LENGTH(there);
    for (uint32_t i = 0; i < count; i++)
        there[i] =
            (VkVideoFormatPropertiesKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR};
    if (!ask || ask(w->physical_device, &info, &count, there) < 0 || !count)
        return VK_FORMAT_UNDEFINED;
    return there[below(w, count)].format;
}

static bool describe_video(struct world *w, struct video *v)
{
    bool both = HAS(KHR_video_decode_h264) && HAS(KHR_video_decode_h265);
    v->h265 = both ? chance(w, 50) : HAS(KHR_video_decode_h265);
    VkVideoDecodeH264ProfileInfoKHR *h264 =
        NEW(VkVideoDecodeH264ProfileInfoKHR,
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
            .stdProfileIdc = PICK(STD_VIDEO_H264_PROFILE_IDC_MAIN, STD_VIDEO_H264_PROFILE_IDC_HIGH),
            .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR);
    VkVideoDecodeH265ProfileInfoKHR *h265 =
        NEW(VkVideoDecodeH265ProfileInfoKHR,
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
            .stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN);
    v->profile = (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = v->h265 ? (const void *)h265 : h264,
        .videoCodecOperation = v->h265 ? VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR
                                       : VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    if (chance(w, 30)) {
        CHAIN(v->profile.pNext, VkVideoDecodeUsageInfoKHR,
              VK_STRUCTURE_TYPE_VIDEO_DECODE_USAGE_INFO_KHR,
              .videoUsageHints = PICK(0u, VK_VIDEO_DECODE_USAGE_STREAMING_BIT_KHR));
    }
    v->profiles =
        (VkVideoProfileListInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                    .profileCount = 1,
                                    .pProfiles = &v->profile};
    if (!ask_capabilities(w, v))
        return false;
    v->output = ask_format(w, v, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
    v->reference = ask_format(w, v, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
    v->coded = (VkExtent2D){CODED_SIZE, CODED_SIZE};
    v->slots = v->can.maxDpbSlots && v->can.maxActiveReferencePictures ? below(w, 2) : 0;
    return v->output && v->reference;
}

static void destroy_any_session(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyVideoSessionKHR, w->device, (VkVideoSessionKHR)handle, NULL);
}

static void destroy_parameters(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyVideoSessionParametersKHR, w->device, (VkVideoSessionParametersKHR)handle, NULL);
}

static void bind_session(struct world *w, const struct video *v)
{
    VkVideoSessionMemoryRequirementsKHR needs[BINDS_MOST];
    VkBindVideoSessionMemoryInfoKHR binds[BINDS_MOST];
    uint32_t count = 0;
    MUST(GetVideoSessionMemoryRequirementsKHR, w->device, v->session, &count, NULL);
    count = count < BINDS_MOST ? count : BINDS_MOST;
    for (uint32_t i = 0; i < count; i++)
        needs[i] = (VkVideoSessionMemoryRequirementsKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR};
    MUST(GetVideoSessionMemoryRequirementsKHR, w->device, v->session, &count, needs);
    for (uint32_t i = 0; i < count; i++) {
        VkMemoryRequirements of = needs[i].memoryRequirements;
        VkDeviceSize offset = of.alignment * below(w, 2);
        VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = of.size + offset,
                                         .memoryTypeIndex =
                                             (uint32_t)__builtin_ctz(of.memoryTypeBits)};
        binds[i] = (VkBindVideoSessionMemoryInfoKHR){
            .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
            .memoryBindIndex = needs[i].memoryBindIndex,
            .memoryOffset = offset,
            .memorySize = of.size};
        MUST(AllocateMemory, w->device, &allocate, NULL, &binds[i].memory);
        own(w, destroy_memory, U64(binds[i].memory), 0);
    }
    MUST(BindVideoSessionMemoryKHR, w->device, v->session, count, binds);
}

static void make_session(struct world *w, struct video *v)
{
    VkVideoSessionCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
                                        .queueFamilyIndex = w->video.family,
                                        .pVideoProfile = &v->profile,
                                        .pictureFormat = v->output,
                                        .maxCodedExtent = v->coded,
                                        .referencePictureFormat =
                                            v->slots ? v->reference : VK_FORMAT_UNDEFINED,
                                        .maxDpbSlots = v->slots,
                                        .maxActiveReferencePictures = v->slots,
                                        .pStdHeaderVersion = &v->can.stdHeaderVersion};
    if (v->slots == 0)
        info.referencePictureFormat = PICK(VK_FORMAT_UNDEFINED, v->reference);
    MUST(CreateVideoSessionKHR, w->device, &info, NULL, &v->session);
    own(w, destroy_any_session, U64(v->session), 0);
    bind_session(w, v);
}

/* Parameter sets with id 0. */
static const StdVideoH264SequenceParameterSet h264_sequence;
static const StdVideoH264PictureParameterSet h264_picture;
static const StdVideoH265VideoParameterSet h265_video;
static const StdVideoH265SequenceParameterSet h265_sequence;
static const StdVideoH265PictureParameterSet h265_picture;

static const void *first_sets(struct world *w, const struct video *v)
{
    if (v->h265) {
        VkVideoDecodeH265SessionParametersAddInfoKHR *add =
            NEW(VkVideoDecodeH265SessionParametersAddInfoKHR,
                .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
                .stdVPSCount = 1, .pStdVPSs = &h265_video, .stdSPSCount = 1,
                .pStdSPSs = &h265_sequence, .stdPPSCount = 1, .pStdPPSs = &h265_picture);
        return NEW(VkVideoDecodeH265SessionParametersCreateInfoKHR,
                   .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
                   .maxStdVPSCount = 1, .maxStdSPSCount = between(w, 1, 3),
                   .maxStdPPSCount = between(w, 2, 4), .pParametersAddInfo = add);
    }
    VkVideoDecodeH264SessionParametersAddInfoKHR *add =
        NEW(VkVideoDecodeH264SessionParametersAddInfoKHR,
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
            .stdSPSCount = 1, .pStdSPSs = &h264_sequence, .stdPPSCount = 1,
            .pStdPPSs = &h264_picture);
    return NEW(VkVideoDecodeH264SessionParametersCreateInfoKHR,
               .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
               .maxStdSPSCount = between(w, 1, 3), .maxStdPPSCount = between(w, 2, 4),
               .pParametersAddInfo = add);
}

static void make_session_parameters(struct world *w, struct video *v)
{
    VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = first_sets(w, v),
        .videoSession = v->session};
    MUST(CreateVideoSessionParametersKHR, w->device, &info, NULL, &v->parameters);
    own(w, destroy_parameters, U64(v->parameters), 0);
    if (v->h265 || chance(w, 50))
        return;
    VkVideoDecodeH264SessionParametersAddInfoKHR second = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdPPSCount = 1,
        .pStdPPSs = NEW(StdVideoH264PictureParameterSet, .pic_parameter_set_id = 1)};
    VkVideoSessionParametersUpdateInfoKHR update = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
        .pNext = &second,
        .updateSequenceCount = 1};
    MUST(UpdateVideoSessionParametersKHR, w->device, v->parameters, &update);
}

/* --- pictures --- */

static struct image *make_picture(struct world *w, const struct video *v, VkFormat format,
                                  VkImageUsageFlags usage, VkVideoPictureResourceInfoKHR *resource)
{
    VkImageCreateInfo info = image_info(format, CODED_SIZE, CODED_SIZE, usage);
    info.pNext = &v->profiles;
    struct image *image = NEW(struct image, .info = info, .format = format_of(format));
    VkMemoryRequirements needs;
    if (!image->format)
        return NULL;
    MUST(CreateImage, w->device, &info, NULL, &image->handle);
    CALL(GetImageMemoryRequirements, w->device, image->handle, &needs);
    image->memory = make_memory(w, needs, false, false, 0, 0);
    MUST(BindImageMemory, w->device, image->handle, image->memory, 0);
    OWN(Image, image->handle);
    *resource = (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = v->coded,
        .imageViewBinding = make_view(w, image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT)};
    return image;
}

static VkBuffer make_bitstream(struct world *w, const struct video *v)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = &v->profiles,
                               .size = BITSTREAM,
                               .usage = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               .pQueueFamilyIndices = IGNORED};
    VkBuffer buffer = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &info, NULL, &buffer);
    VkMemoryRequirements needs;
    CALL(GetBufferMemoryRequirements, w->device, buffer, &needs);
    MUST(BindBufferMemory, w->device, buffer, make_memory(w, needs, false, false, 0, 0), 0);
    OWN(Buffer, buffer);
    return buffer;
}

static void to_layout(struct world *w, VkCommandBuffer c, const struct image *image,
                      VkImageLayout layout)
{
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .newLayout = layout,
                                    .dstAccessMask =
                                        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image->handle,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    CALL(CmdPipelineBarrier, c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, IGNORED, 0, IGNORED, 1, &barrier);
}

/* The codec's structure for a picture that refers to no other. */
static const void *picture_of_codec(struct world *w, const struct video *v)
{
    static const uint32_t offsets[1];
    if (v->h265) {
        StdVideoDecodeH265PictureInfo *of = NEW(StdVideoDecodeH265PictureInfo, {0});
        of->flags.IrapPicFlag = of->flags.IdrPicFlag = 1;
        of->flags.IsReference = v->slots != 0;
        memset(of->RefPicSetStCurrBefore, 0xff, sizeof(of->RefPicSetStCurrBefore));
        memset(of->RefPicSetStCurrAfter, 0xff, sizeof(of->RefPicSetStCurrAfter));
        memset(of->RefPicSetLtCurr, 0xff, sizeof(of->RefPicSetLtCurr));
        return NEW(VkVideoDecodeH265PictureInfoKHR,
                   .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
                   .pStdPictureInfo = of, .sliceSegmentCount = 1, .pSliceSegmentOffsets = offsets);
    }
    StdVideoDecodeH264PictureInfo *of = NEW(StdVideoDecodeH264PictureInfo, {0});
    of->flags.is_intra = of->flags.IdrPicFlag = 1;
    of->flags.is_reference = v->slots != 0;
    return NEW(VkVideoDecodeH264PictureInfoKHR,
               .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR, .pStdPictureInfo = of,
               .sliceCount = 1, .pSliceOffsets = offsets);
}

static const void *slot_of_codec(struct world *w, const struct video *v)
{
    static const StdVideoDecodeH264ReferenceInfo h264;
    static const StdVideoDecodeH265ReferenceInfo h265;
    if (v->h265)
        return NEW(VkVideoDecodeH265DpbSlotInfoKHR,
                   .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
                   .pStdReferenceInfo = &h265);
    return NEW(VkVideoDecodeH264DpbSlotInfoKHR,
               .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
               .pStdReferenceInfo = &h264);
}

static void decode_picture(struct world *w, VkCommandBuffer c, const struct video *v)
{
    VkDeviceSize step = v->can.minBitstreamBufferOffsetAlignment,
                 grain = v->can.minBitstreamBufferSizeAlignment;
    VkVideoPictureResourceInfoKHR output, reference;
    struct image *picture = make_picture(w, v, v->output,
                                         VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                             PICK(0, VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
                                         &output);
    struct image *slot =
        v->slots
            ? make_picture(w, v, v->reference, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR, &reference)
            : NULL;
    if (!picture || step > BITSTREAM / 2 || grain > BITSTREAM / 2 || (v->slots && !slot))
        return;
    VkVideoDecodeInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
                                 .pNext = picture_of_codec(w, v),
                                 .srcBuffer = make_bitstream(w, v),
                                 .srcBufferOffset = step * below(w, 2),
                                 .srcBufferRange = grain,
                                 .dstPictureResource = output,
                                 .pReferenceSlots = IGNORED};
    VkVideoReferenceSlotInfoKHR bound = {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
                                         .slotIndex = -1,
                                         .pPictureResource = &reference};
    VkVideoReferenceSlotInfoKHR setup = bound;
    setup.slotIndex = 0;
    setup.pNext = slot_of_codec(w, v);
    VkVideoBeginCodingInfoKHR begin = {.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                       .videoSession = v->session,
                                       .videoSessionParameters = v->parameters,
                                       .referenceSlotCount = slot ? 1 : 0,
                                       .pReferenceSlots = slot ? &bound : IGNORED};
    VkVideoCodingControlInfoKHR reset = {.sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                         .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR};
    VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    to_layout(w, c, picture, VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR);
    if (slot) {
        to_layout(w, c, slot, VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
        info.pSetupReferenceSlot = &setup;
    }
    CALL(CmdBeginVideoCodingKHR, c, &begin);
    CALL(CmdControlVideoCodingKHR, c, &reset);
    if (chance(w, 80))
        CALL(CmdDecodeVideoKHR, c, &info);
    CALL(CmdEndVideoCodingKHR, c, &end);
}

void step_videos(struct world *w)
{
    struct video *v = NEW(struct video, false);
    if (!w->video.handle || !HAS(KHR_video_decode_queue) ||
        (!HAS(KHR_video_decode_h264) && !HAS(KHR_video_decode_h265)) || !describe_video(w, v))
        return;
    make_session(w, v);
    make_session_parameters(w, v);
    VkCommandBuffer c = make_command_buffer(w, &w->video, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    struct batch batch = {.count = 1, .buffers = &c};
    MUST(BeginCommandBuffer, c, &begin);
    decode_picture(w, c, v);
    MUST(EndCommandBuffer, c);
    submit_batches(w, w->video.handle, 1, &batch, VK_NULL_HANDLE);
    MUST(QueueWaitIdle, w->video.handle);
}
