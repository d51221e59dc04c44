/* Tracks how video sessions and their parameters were created, and the parameter sets that were
 * added since. */
#include "state/video/video_session.h"
#include "base/vec.h"
#include "state/hooks.h"
#include "state/memory/image.h"
#include "vk/chain.h"

#include <string.h>

/* Queries the memory requirements of the session. UINT32_MAX: there are more bindings than are
 * kept, or the driver did not answer. */
static void ask_bindings(const struct call *call, struct created_video_session *session)
{
    uint32_t count = 0;
    PFN_vkGetVideoSessionMemoryRequirementsKHR ask =
        call->device->dispatch.GetVideoSessionMemoryRequirementsKHR;
    const VkVideoSessionKHR handle = (VkVideoSessionKHR)object_driver(session->base.object);
    session->binding_count = UINT32_MAX;
    if (!ask || ask(call->device->handle, handle, &count, NULL) != VK_SUCCESS ||
        count > VIDEO_BINDINGS)
        return;
    for (uint32_t i = 0; i < count; i++)
        /* The driver reads sType of each element, even in an array that it fills. */
        session->bindings[i].sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR;
    if (ask(call->device->handle, handle, &count, session->bindings) == VK_SUCCESS)
        session->binding_count = count;
}

/* Copies the parts of the profile with which decoding is checked. */
static void keep_profile(struct created_video_session *session,
                         const VkVideoProfileInfoKHR *profile)
{
    session->operation = profile->videoCodecOperation;
    session->profile = video_profile_key(profile, profile->pNext);
    session->encodes =
        profile->videoCodecOperation & (VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR |
                                        VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR |
                                        VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR);
    const VkVideoDecodeH264ProfileInfoKHR *h264 =
        chain_find(profile->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR);
    const VkVideoDecodeAV1ProfileInfoKHR *av1 =
        chain_find(profile->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR);
    if (profile->videoCodecOperation == VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR && h264)
        session->picture_layout = h264->pictureLayout;
    if (profile->videoCodecOperation == VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR && av1)
        session->film_grain = av1->filmGrainSupport;
}

void state_after_CreateVideoSessionKHR(struct call *call, VkDevice device,
                                       const VkVideoSessionCreateInfoKHR *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkVideoSessionKHR *pVideoSession)
{
    struct created_video_session *session =
        object_state_new(created_object(call, (uint64_t)*pVideoSession, HANDLE_VIDEO_SESSION_KHR),
                         sizeof(*session));
    if (!session)
        return;
    lock_init(&session->lock);
    session->info = *pCreateInfo;
    session->info.pNext = NULL;
    /* The program's pointers are only valid during the call. */
    session->info.pVideoProfile = NULL;
    session->info.pStdHeaderVersion = NULL;
    const VkVideoEncodeSessionIntraRefreshCreateInfoKHR *refresh =
        chain_find(pCreateInfo->pNext,
                   VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR);
    session->intra_refresh = refresh ? refresh->intraRefreshMode : 0;
    if (pCreateInfo->pVideoProfile) {
        keep_profile(session, pCreateInfo->pVideoProfile);
        video_capabilities_ask(call->device, pCreateInfo->pVideoProfile, &session->capabilities);
    }
    ask_bindings(call, session);
    object_state_publish(session->base.object, session);
}

uint32_t video_session_binding(const struct created_video_session *session, uint32_t index)
{
    assert(session);
    for (uint32_t i = 0; session->binding_count != UINT32_MAX && i < session->binding_count; i++) {
        if (session->bindings[i].memoryBindIndex == index)
            return i;
    }
    return UINT32_MAX;
}

void state_after_BindVideoSessionMemoryKHR(struct call *call, VkDevice device,
                                           VkVideoSessionKHR videoSession,
                                           uint32_t bindSessionMemoryInfoCount,
                                           const VkBindVideoSessionMemoryInfoKHR
                                               *pBindSessionMemoryInfos)
{
    struct created_video_session *session = named_created_video_session(call, 0, videoSession);
    if (!session || call->result < 0)
        return;
    for (uint32_t i = 0; i < bindSessionMemoryInfoCount; i++) {
        const uint32_t at =
            video_session_binding(session, pBindSessionMemoryInfos[i].memoryBindIndex);
        if (at != UINT32_MAX)
            atomic_fetch_or_explicit(&session->bound, 1u << at, memory_order_relaxed);
    }
}

/* --- parameter sets --- */

/* The structures for encoding and decoding have the same members, so one function reads both. */
_Static_assert(offsetof(VkVideoDecodeH264SessionParametersAddInfoKHR, pStdPPSs) ==
                       offsetof(VkVideoEncodeH264SessionParametersAddInfoKHR, pStdPPSs) &&
                   offsetof(VkVideoDecodeH265SessionParametersAddInfoKHR, pStdPPSs) ==
                       offsetof(VkVideoEncodeH265SessionParametersAddInfoKHR, pStdPPSs) &&
                   offsetof(VkVideoDecodeH264SessionParametersCreateInfoKHR, pParametersAddInfo) ==
                       offsetof(VkVideoEncodeH264SessionParametersCreateInfoKHR,
                                pParametersAddInfo) &&
                   offsetof(VkVideoDecodeH265SessionParametersCreateInfoKHR, pParametersAddInfo) ==
                       offsetof(VkVideoEncodeH265SessionParametersCreateInfoKHR,
                                pParametersAddInfo),
               "members are read by the structures of decoding");

/* Notes the parameter sets of H.264 that are added. NULL adds none; a bad pointer counts as an
 * empty list. */
static void add_h264(struct video_sets *sets,
                     const VkVideoDecodeH264SessionParametersAddInfoKHR *add)
{
    sets->adds = add != NULL;
    if (!add)
        return;
    sets->count[VIDEO_SPS] = pointer_is_bad(add->pStdSPSs) ? 0 : add->stdSPSCount;
    sets->count[VIDEO_PPS] = pointer_is_bad(add->pStdPPSs) ? 0 : add->stdPPSCount;
    sets->sets[VIDEO_SPS] = add->pStdSPSs;
    sets->sets[VIDEO_PPS] = add->pStdPPSs;
}

/* Notes the parameter sets of H.265 that are added, which are of three kinds. */
static void add_h265(struct video_sets *sets,
                     const VkVideoDecodeH265SessionParametersAddInfoKHR *add)
{
    sets->adds = add != NULL;
    if (!add)
        return;
    sets->count[VIDEO_VPS] = pointer_is_bad(add->pStdVPSs) ? 0 : add->stdVPSCount;
    sets->count[VIDEO_SPS] = pointer_is_bad(add->pStdSPSs) ? 0 : add->stdSPSCount;
    sets->count[VIDEO_PPS] = pointer_is_bad(add->pStdPPSs) ? 0 : add->stdPPSCount;
    sets->sets[VIDEO_VPS] = add->pStdVPSs;
    sets->sets[VIDEO_SPS] = add->pStdSPSs;
    sets->sets[VIDEO_PPS] = add->pStdPPSs;
}

/* Reads the sets that a create or update info adds, and their maximum. `creates`, `adds`: types of
 * the structures. */
static void sets_of_h264(struct video_sets *sets, const void *chain, VkStructureType creates,
                         VkStructureType adds)
{
    const VkVideoDecodeH264SessionParametersCreateInfoKHR *info = chain_find(chain, creates);
    sets->creates = info != NULL;
    if (info) {
        sets->most[VIDEO_SPS] = info->maxStdSPSCount;
        sets->most[VIDEO_PPS] = info->maxStdPPSCount;
    }
    const void *add = info ? info->pParametersAddInfo : chain_find(chain, adds);
    add_h264(sets, pointer_is_bad(add) ? NULL : add);
}

/* Reads the parameter sets of H.265. */
static void sets_of_h265(struct video_sets *sets, const void *chain, VkStructureType creates,
                         VkStructureType adds)
{
    const VkVideoDecodeH265SessionParametersCreateInfoKHR *info = chain_find(chain, creates);
    sets->h265 = true;
    sets->creates = info != NULL;
    if (info) {
        sets->most[VIDEO_VPS] = info->maxStdVPSCount;
        sets->most[VIDEO_SPS] = info->maxStdSPSCount;
        sets->most[VIDEO_PPS] = info->maxStdPPSCount;
    }
    const void *add = info ? info->pParametersAddInfo : chain_find(chain, adds);
    add_h265(sets, pointer_is_bad(add) ? NULL : add);
}

bool video_sets_of(VkVideoCodecOperationFlagsKHR operation, const void *chain,
                   struct video_sets *sets)
{
    memset(sets, 0, sizeof(*sets));
    switch (operation) {
    case VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR:
        sets_of_h264(sets, chain,
                     VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
                     VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR);
        return true;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR:
        sets_of_h264(sets, chain,
                     VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
                     VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR);
        return true;
    case VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR:
        sets_of_h265(sets, chain,
                     VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
                     VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR);
        return true;
    case VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR:
        sets_of_h265(sets, chain,
                     VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
                     VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR);
        return true;
    default:
        return false;
    }
}

uint32_t video_set_key(const struct video_sets *sets, enum video_set_kind kind, uint32_t index)
{
    assert(index < sets->count[kind]);
    if (!sets->h265 && kind == VIDEO_SPS) {
        const StdVideoH264SequenceParameterSet *all = sets->sets[kind];
        return video_key(all[index].seq_parameter_set_id, 0, 0);
    }
    if (!sets->h265) {
        const StdVideoH264PictureParameterSet *all = sets->sets[kind];
        /* The id of a picture parameter set is only unique together with that of its sequence
         * parameter set. */
        return video_key(all[index].seq_parameter_set_id, all[index].pic_parameter_set_id, 0);
    }
    if (kind == VIDEO_VPS) {
        const StdVideoH265VideoParameterSet *all = sets->sets[kind];
        return video_key(all[index].vps_video_parameter_set_id, 0, 0);
    }
    if (kind == VIDEO_SPS) {
        const StdVideoH265SequenceParameterSet *all = sets->sets[kind];
        return video_key(all[index].sps_video_parameter_set_id, all[index].sps_seq_parameter_set_id,
                         0);
    }
    const StdVideoH265PictureParameterSet *all = sets->sets[kind];
    return video_key(all[index].sps_video_parameter_set_id, all[index].pps_seq_parameter_set_id,
                     all[index].pps_pic_parameter_set_id);
}

void video_parameters_free(struct created_video_parameters *parameters)
{
    lock_unneeded(&parameters->lock);
    mem_retire(parameters->sets);
    mem_retire(parameters);
}

const struct video_set *video_set_find(const struct created_video_parameters *parameters,
                                       enum video_set_kind kind, uint32_t key)
{
    for (uint32_t i = 0; i < parameters->set_count; i++) {
        if (parameters->sets[i].kind == kind && parameters->sets[i].key == key)
            return &parameters->sets[i];
    }
    return NULL;
}

uint32_t video_set_count(const struct created_video_parameters *parameters,
                         enum video_set_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < parameters->set_count; i++)
        count += parameters->sets[i].kind == kind;
    return count;
}

bool video_parameters_have(struct created_video_parameters *parameters, enum video_set_kind kind,
                           uint32_t key, struct video_set *found)
{
    assert(parameters && found);
    lock_take(&parameters->lock);
    const struct video_set *set = video_set_find(parameters, kind, key);
    const bool have = set || parameters->incomplete;
    if (set)
        *found = *set;
    lock_release(&parameters->lock);
    return have;
}

/* Adds a set, unless it exists. If memory runs out, the list becomes incomplete, and is not used
 * for reports. */
static void keep_set(struct created_video_parameters *parameters, struct video_set set)
    REQUIRES(parameters->lock)
{
    if (video_set_find(parameters, set.kind, set.key))
        return;
    if (!vec_room(&parameters->sets, parameters->set_count, &parameters->set_capacity, 8,
                  sizeof(set))) {
        parameters->incomplete = true;
        return;
    }
    parameters->sets[parameters->set_count++] = set;
}

/* Adds all sets; for picture parameter sets of H.265 also the numbers of tiles. */
static void keep_sets(struct created_video_parameters *parameters, const struct video_sets *sets)
    REQUIRES(parameters->lock)
{
    for (enum video_set_kind kind = 0; kind < VIDEO_SET_KINDS; kind++) {
        for (uint32_t i = 0; i < sets->count[kind]; i++) {
            struct video_set set = {.kind = (uint8_t)kind, .key = video_set_key(sets, kind, i)};
            if (sets->h265 && kind == VIDEO_PPS) {
                const StdVideoH265PictureParameterSet *all = sets->sets[kind];
                set.tile_columns = all[i].num_tile_columns_minus1;
                set.tile_rows = all[i].num_tile_rows_minus1;
            }
            keep_set(parameters, set);
        }
    }
}

/* Copies the sets of the template. `parameters` is new, so that no other thread has its lock. */
static void keep_template(struct created_video_parameters *parameters,
                          struct created_video_parameters *from) NOT_ANALYSED
{
    if (!from)
        return;
    lock_take(&from->lock);
    for (uint32_t i = 0; i < from->set_count; i++)
        keep_set(parameters, from->sets[i]);
    parameters->incomplete |= from->incomplete;
    lock_release(&from->lock);
}

/* Copies the members of a create info that are not sets. */
static void keep_info(struct created_video_parameters *parameters,
                      const VkVideoSessionParametersCreateInfoKHR *info)
{
    const VkVideoEncodeQualityLevelInfoKHR *quality =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR);
    const VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR *map = chain_find(
        info->pNext,
        VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const VkVideoEncodeAV1SessionParametersCreateInfoKHR *av1 =
        chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR);
    parameters->flags = info->flags;
    parameters->quality_level = quality ? quality->qualityLevel : 0;
    parameters->texel_size = map ? map->quantizationMapTexelSize : (VkExtent2D){0};
    if (av1 && !pointer_is_bad(av1->pStdSequenceHeader))
        /* The size is in pixels. */
        parameters->frame = (VkExtent2D){av1->pStdSequenceHeader->max_frame_width_minus_1 + 1u,
                                         av1->pStdSequenceHeader->max_frame_height_minus_1 + 1u};
}

void state_after_CreateVideoSessionParametersKHR(struct call *call, VkDevice device,
                                                 const VkVideoSessionParametersCreateInfoKHR
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkVideoSessionParametersKHR
                                                     *pVideoSessionParameters)
{
    struct created_video_parameters *parameters =
        object_state_new(created_object(call, (uint64_t)*pVideoSessionParameters,
                                        HANDLE_VIDEO_SESSION_PARAMETERS_KHR),
                         sizeof(*parameters));
    if (!parameters)
        return;
    const struct created_video_session *session =
        find_created_video_session(call, pCreateInfo->videoSession);
    struct video_sets sets;
    lock_init(&parameters->lock);
    lock_unneeded(&parameters->lock);
    parameters->operation = session ? session->operation : 0;
    parameters->session = session ? session->base.id : 0;
    keep_info(parameters, pCreateInfo);
    if (video_sets_of(parameters->operation, pCreateInfo->pNext, &sets)) {
        memcpy(parameters->most, sets.most, sizeof(sets.most));
        keep_sets(parameters, &sets);
        /* Added sets come first, and replace those of the template: a set that exists is not added
         * again. */
        keep_template(parameters,
                      find_created_video_parameters(call,
                                                    pCreateInfo->videoSessionParametersTemplate));
    }
    object_state_publish(parameters->base.object, parameters);
}

void state_after_UpdateVideoSessionParametersKHR(struct call *call, VkDevice device,
                                                 VkVideoSessionParametersKHR videoSessionParameters,
                                                 const VkVideoSessionParametersUpdateInfoKHR
                                                     *pUpdateInfo)
{
    struct created_video_parameters *parameters =
        named_created_video_parameters(call, 0, videoSessionParameters);
    struct video_sets sets;
    if (!parameters || call->result < 0)
        return;
    lock_take(&parameters->lock);
    parameters->updates = pUpdateInfo->updateSequenceCount;
    if (video_sets_of(parameters->operation, pUpdateInfo->pNext, &sets))
        keep_sets(parameters, &sets);
    lock_release(&parameters->lock);
}

struct video_picture video_picture_of(const struct call *call,
                                      const VkVideoPictureResourceInfoKHR *info)
{
    const struct image_view *view = find_image_view(call, info->imageViewBinding);
    if (!view)
        return (struct video_picture){0};
    return (struct video_picture){view->image, view->range.baseMipLevel,
                                  view->range.baseArrayLayer + info->baseArrayLayer,
                                  info->codedOffset, info->codedExtent};
}

VkVideoEncodeRateControlModeFlagsKHR video_rate_control_mode(const void *chain)
{
    const VkVideoEncodeRateControlInfoKHR *control =
        chain_find(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR);
    return control ? control->rateControlMode : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
}
