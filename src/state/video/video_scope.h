/* Tracks the video coding scope of a command buffer (42.7 "Video Coding Scope"): its session,
 * parameters, bound reference picture resources and rate control mode. */
#ifndef ASSAY_STATE_VIDEO_SCOPE_H
#define ASSAY_STATE_VIDEO_SCOPE_H

#include "state/memory/image.h"
#include "state/command/sections.h"
#include "state/video/video_session.h"

#define VIDEO_SLOT_NONE    (-1) /* no DPB slot is associated */
#define VIDEO_SLOT_UNKNOWN (-2)

struct video_resource {
    struct video_picture picture;
    int32_t slot; /* index of the associated DPB slot, or one of these constants */
};

#define VIDEO_RESOURCES 64 /* most that are kept; a DPB has about 16 slots */

/* Threads: those of the command buffer that owns it. */
struct video_scope {
    uint64_t parameters; /* id; 0: none, or not known */
    bool has_parameters;
    /* the bound reference picture resources */
    uint32_t count;
    bool incomplete; /* some are not known */
    struct video_resource resources[VIDEO_RESOURCES];
    VkVideoEncodeRateControlModeFlagsKHR mode; /* the current rate control mode */
    bool coded_in_query;                       /* a picture was coded since a query began */
    struct video_log log; /* of all scopes of the recording; kept when another scope begins */
};

static inline bool video_pictures_match(const struct video_picture *a,
                                        const struct video_picture *b)
{
    return a->image && a->image == b->image && a->level == b->level && a->layer == b->layer &&
           a->offset.x == b->offset.x && a->offset.y == b->offset.y &&
           a->extent.width == b->extent.width && a->extent.height == b->extent.height;
}

/* Adds what a command does to the log. In video_progress.c. */
void video_note_begin(const struct call *call, struct video_scope *scope,
                      const VkVideoBeginCodingInfoKHR *info);
void video_note_control(const struct call *call, const VkVideoCodingControlInfoKHR *info);
void video_note_coding(const struct call *call, bool encodes,
                       const VkVideoReferenceSlotInfoKHR *setup);

/* The video coding scope of the call's command buffer; NULL: there is none, or it is not known. */
static inline struct video_scope *call_video_scope(const struct call *call)
{
    const struct command_buffer_sections *sections = sections_of(call_command_buffer(call));
    return sections && sections->video_coding ? sections->video : NULL;
}
static inline struct created_video_session *call_video_session(const struct call *call)
{
    const struct command_buffer_sections *sections = sections_of(call_command_buffer(call));
    return sections && sections->video_session
               ? created_video_session_by_id(sections->video_session)
               : NULL;
}

#endif
