/* Makes the valid world of scenarios about video coding: a session with memory and parameter sets,
 * pictures, and commands that code one picture. A scenario changes what it is about before the
 * call. For the null driver. */
#ifndef ASSAY_SCENARIOS_VIDEO_WORLD_H
#define ASSAY_SCENARIOS_VIDEO_WORLD_H

#include "scenario.h"

extern const VkPhysicalDeviceVulkan13Features video_features;

#define VIDEO                                              \
    .drivers = NULL_DRIVER, .features = &video_features,   \
    .extensions = {"VK_KHR_video_queue",                   \
                   "VK_KHR_video_decode_queue",            \
                   "VK_KHR_video_encode_queue",            \
                   "VK_KHR_video_decode_h264",             \
                   "VK_KHR_video_decode_h265",             \
                   "VK_KHR_video_decode_av1",              \
                   "VK_KHR_video_decode_vp9",              \
                   "VK_KHR_video_encode_h264",             \
                   "VK_KHR_video_encode_h265",             \
                   "VK_KHR_video_encode_av1",              \
                   "VK_KHR_video_maintenance1",            \
                   "VK_KHR_video_maintenance2",            \
                   "VK_KHR_video_encode_intra_refresh",    \
                   "VK_KHR_video_encode_quantization_map", \
                   "VK_KHR_video_encode_feedback2"}

#define PICTURE_FORMAT VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define SLOTS          4
#define SLICES         4

/* Codec structures of all operations stand beside one another; those of `operation` are chained. */
struct video {
    struct baseline *b;
    VkVideoCodecOperationFlagBitsKHR operation;
    bool encodes;
    VkVideoDecodeH264ProfileInfoKHR decode_h264_profile;
    VkVideoDecodeAV1ProfileInfoKHR decode_av1_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    VkExtensionProperties header;
    VkVideoSessionCreateInfoKHR session_info;
    VkVideoSessionKHR session;
    VkVideoSessionMemoryRequirementsKHR needs;
    VkBindVideoSessionMemoryInfoKHR binding;

    /* parameter sets */
    StdVideoH264SequenceParameterSet h264_sps[3];
    StdVideoH264PictureParameterSet h264_pps[3];
    StdVideoH265VideoParameterSet h265_vps[3];
    StdVideoH265SequenceParameterSet h265_sps[3];
    StdVideoH265PictureParameterSet h265_pps[3];
    StdVideoAV1SequenceHeader av1_header;
    StdVideoVP9Profile vp9_profile;
    VkVideoDecodeH264SessionParametersAddInfoKHR h264_add; /* of encoding, too, but for sType */
    VkVideoDecodeH265SessionParametersAddInfoKHR h265_add;
    VkVideoDecodeH264SessionParametersCreateInfoKHR h264_create;
    VkVideoDecodeH265SessionParametersCreateInfoKHR h265_create;
    VkVideoDecodeAV1SessionParametersCreateInfoKHR av1_decode_create;
    VkVideoEncodeAV1SessionParametersCreateInfoKHR av1_encode_create;
    VkVideoSessionParametersCreateInfoKHR parameters_info;
    VkVideoSessionParametersKHR parameters;

    /* commands */
    VkCommandBuffer commands;
    VkVideoPictureResourceInfoKHR picture;           /* decoded to, or encoded from */
    VkVideoPictureResourceInfoKHR references[SLOTS]; /* [0] is set up, [1] is referred to */
    VkVideoReferenceSlotInfoKHR bound[SLOTS];
    VkVideoBeginCodingInfoKHR begin;
    VkVideoReferenceSlotInfoKHR setup, reference;
    VkVideoDecodeInfoKHR decode;
    VkVideoEncodeInfoKHR encode;

    /* of H.264 */
    StdVideoDecodeH264PictureInfo decode_h264_std;
    VkVideoDecodeH264PictureInfoKHR decode_h264;
    StdVideoDecodeH264ReferenceInfo decode_h264_reference[2]; /* set up, referred to */
    VkVideoDecodeH264DpbSlotInfoKHR decode_h264_slot[2];
    StdVideoEncodeH264ReferenceListsInfo encode_h264_lists;
    StdVideoEncodeH264PictureInfo encode_h264_std;
    StdVideoEncodeH264SliceHeader h264_slices[SLICES];
    VkVideoEncodeH264NaluSliceInfoKHR h264_entries[SLICES];
    VkVideoEncodeH264PictureInfoKHR encode_h264;
    StdVideoEncodeH264ReferenceInfo encode_h264_reference[2];
    VkVideoEncodeH264DpbSlotInfoKHR encode_h264_slot[2];
    /* of H.265 */
    StdVideoDecodeH265PictureInfo decode_h265_std;
    VkVideoDecodeH265PictureInfoKHR decode_h265;
    StdVideoDecodeH265ReferenceInfo decode_h265_reference[2];
    VkVideoDecodeH265DpbSlotInfoKHR decode_h265_slot[2];
    StdVideoEncodeH265ReferenceListsInfo encode_h265_lists;
    StdVideoEncodeH265PictureInfo encode_h265_std;
    StdVideoEncodeH265SliceSegmentHeader h265_slices[SLICES];
    VkVideoEncodeH265NaluSliceSegmentInfoKHR h265_entries[SLICES];
    VkVideoEncodeH265PictureInfoKHR encode_h265;
    StdVideoEncodeH265ReferenceInfo encode_h265_reference[2];
    VkVideoEncodeH265DpbSlotInfoKHR encode_h265_slot[2];
    /* of AV1 and VP9 */
    StdVideoDecodeAV1PictureInfo decode_av1_std;
    VkVideoDecodeAV1PictureInfoKHR decode_av1;
    StdVideoDecodeAV1ReferenceInfo decode_av1_reference[2];
    VkVideoDecodeAV1DpbSlotInfoKHR decode_av1_slot[2];
    StdVideoDecodeVP9PictureInfo decode_vp9_std;
    VkVideoDecodeVP9PictureInfoKHR decode_vp9;
    StdVideoAV1TileInfo av1_tiles;
    StdVideoEncodeAV1ExtensionHeader av1_extension;
    StdVideoEncodeAV1PictureInfo encode_av1_std;
    VkVideoEncodeAV1PictureInfoKHR encode_av1;
    StdVideoEncodeAV1ReferenceInfo encode_av1_reference[2];
    VkVideoEncodeAV1DpbSlotInfoKHR encode_av1_slot[2];
};

#define OPERATION(name_) VK_VIDEO_CODEC_OPERATION_##name_##_BIT_KHR

/* Fills in all structures of the operation; makes nothing. */
struct video *video_of(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation);
VkVideoSessionKHR video_create(struct video *v); /* the session alone */
void video_bind(struct video *v);                /* its memory */
void video_make_parameters(struct video *v);     /* the parameter sets */
void video_make_pictures(struct video *v);       /* images, views and the bitstream */
/* All of the above, and a command buffer that is recording, in which the scope was not begun. */
struct video *video_ready(struct baseline *b, VkVideoCodecOperationFlagBitsKHR operation);
/* Begins the scope and resets the session. */
void video_begin(struct video *v);
void video_code(struct video *v); /* decodes or encodes */
void video_end(struct video *v);
VkImage video_image(struct video *v, VkImageUsageFlags usage, uint32_t layers);
VkImageView video_view(struct video *v, VkImage image);
VkImageView video_view_of(struct video *v, VkImage image, VkFormat format);
/* Updates the parameters by the structure of the operation that adds sets. */
void video_update(struct video *v, uint32_t sequence, const void *add);
void video_control(struct video *v, const void *chain, VkVideoCodingControlFlagsKHR flags);
/* The operation refers to a picture in slot 1, that references[1] describes. */
void video_refer(struct video *v);

#endif
