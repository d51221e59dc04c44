/* The state of video sessions with their memory bindings (42.5 "Video Session"), and of the
 * parameter sets in session parameters objects (42.6 "Video Session Parameters"). Threads: any;
 * each member that is not const says its own. */
#ifndef ASSAY_STATE_VIDEO_SESSION_H
#define ASSAY_STATE_VIDEO_SESSION_H

#include "base/lock.h"
#include "state/object/object_state.h"
#include "state/video/video.h"
#include "state/memory/video_profile.h"
#include "state/video/video_progress.h"

#define VIDEO_BINDINGS 16 /* drivers have fewer than ten */

/* Const once published, except for `bound`. */
struct created_video_session {
    struct object_state base;
    VkVideoCodecOperationFlagsKHR operation;             /* from the profile; 0: unknown */
    VkVideoSessionCreateInfoKHR info;                    /* without pointers */
    VkVideoEncodeIntraRefreshModeFlagsKHR intra_refresh; /* VkVideoEncodeSessionIntraRefresh... */
    /* from VkVideoDecodeH264ProfileInfoKHR; 0: progressive, or another codec */
    VkVideoDecodeH264PictureLayoutFlagsKHR picture_layout;
    uint64_t profile;                       /* video_profile_key() */
    bool film_grain;                        /* filmGrainSupport of VkVideoDecodeAV1ProfileInfoKHR */
    struct video_capabilities capabilities; /* capabilities of its profile */
    /* The driver's requirements for each memory binding; UINT32_MAX: not known. */
    uint32_t binding_count;
    VkVideoSessionMemoryRequirementsKHR bindings[VIDEO_BINDINGS];
    _Atomic uint32_t bound; /* bit i: bindings[i] has memory. Relaxed */
    bool encodes;
    struct lock lock;
    /* the order of its commands is not known: it is not judged any more */
    bool lost GUARDED_BY(lock);
    uint64_t queue GUARDED_BY(lock); /* id of the queue with its commands; 0: none yet */
    struct video_progress progress GUARDED_BY(lock); /* after all that was submitted */
};
STATE_FINDERS(created_video_session, VkVideoSessionKHR, HANDLE_VIDEO_SESSION_KHR)

/* The index in `bindings` of a memory binding; UINT32_MAX: there is none. */
uint32_t video_session_binding(const struct created_video_session *session, uint32_t index);

/* --- parameter sets --- */

/* The kinds of parameter sets: H.264 has the last two, H.265 has all. */
enum video_set_kind { VIDEO_VPS, VIDEO_SPS, VIDEO_PPS, VIDEO_SET_KINDS };

/* Sets that a call adds, by kind. */
struct video_sets {
    bool h265;
    uint32_t count[VIDEO_SET_KINDS];
    /* arrays of StdVideoH264SequenceParameterSet and others; may be bad pointers */
    const void *sets[VIDEO_SET_KINDS];
    uint32_t most[VIDEO_SET_KINDS]; /* max...Count of the create structure */
    bool creates;                   /* the create structure was chained */
    bool adds;                      /* the structure with the sets was chained */
};

/* Reads the sets in the chain of a create or update info. False: the operation has no such sets. */
bool video_sets_of(VkVideoCodecOperationFlagsKHR operation, const void *chain,
                   struct video_sets *sets);

/* The ids that make a set unique among its kind: a byte for each id, the last one highest. */
uint32_t video_set_key(const struct video_sets *sets, enum video_set_kind kind, uint32_t index);
static inline uint32_t video_key(uint32_t first, uint32_t second, uint32_t third)
{
    return first | second << 8 | third << 16;
}

struct video_set {
    uint8_t kind; /* enum video_set_kind */
    /* for a StdVideoH265PictureParameterSet: num_tile_columns_minus1 and num_tile_rows_minus1 */
    uint8_t tile_columns, tile_rows;
    uint32_t key;
};

/* Const once published, except for what the lock guards. */
struct created_video_parameters {
    struct object_state base;
    VkVideoCodecOperationFlagsKHR operation; /* from the session's profile; 0: unknown */
    VkVideoSessionParametersCreateFlagsKHR flags;
    uint64_t session; /* id */
    uint32_t quality_level;
    VkExtent2D texel_size;          /* quantizationMapTexelSize */
    VkExtent2D frame;               /* size in an AV1 sequence header, in pixels; 0: unknown */
    uint32_t most[VIDEO_SET_KINDS]; /* most sets of each kind that the object may hold */
    struct lock lock;
    uint32_t updates GUARDED_BY(lock); /* update sequence counter */
    struct video_set *sets GUARDED_BY(lock);
    uint32_t set_count GUARDED_BY(lock), set_capacity GUARDED_BY(lock);
    bool incomplete GUARDED_BY(lock); /* memory ran out: the sets are not known */
};
STATE_FINDERS(created_video_parameters, VkVideoSessionParametersKHR,
              HANDLE_VIDEO_SESSION_PARAMETERS_KHR)

void video_parameters_free(struct created_video_parameters *parameters);

/* The set with that key; NULL: there is none. */
const struct video_set *video_set_find(const struct created_video_parameters *parameters,
                                       enum video_set_kind kind, uint32_t key)
    REQUIRES(parameters->lock);
uint32_t video_set_count(const struct created_video_parameters *parameters,
                         enum video_set_kind kind) REQUIRES(parameters->lock);
/* Finds a set in the object, under its lock. False: the object does not have it. */
bool video_parameters_have(struct created_video_parameters *parameters, enum video_set_kind kind,
                           uint32_t key, struct video_set *found);

/* The picture that a structure describes. Its `image` is 0 if the view is not known. */
struct video_picture video_picture_of(const struct call *call,
                                      const VkVideoPictureResourceInfoKHR *info);

/* The mode in a chain; VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR if the chain has no
 * VkVideoEncodeRateControlInfoKHR. */
VkVideoEncodeRateControlModeFlagsKHR video_rate_control_mode(const void *chain);

#endif
