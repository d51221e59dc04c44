/* Follows video sessions from submission to submission (42.5, 42.7, 42.15). A session was reset or
 * not, has DPB slots that may be active with a picture, and a rate control mode. Recorded commands
 * are events, which ask for a state and change it when they execute. Threads: a log is its command
 * buffer's; a session has a lock. */
#ifndef ASSAY_STATE_VIDEO_PROGRESS_H
#define ASSAY_STATE_VIDEO_PROGRESS_H

#include "base/base.h"
#include "vk/vulkan.h"

/* A video picture resource. Two equal ones match, in the specification's terms. */
struct video_picture {
    uint64_t image; /* id; 0: not known */
    uint32_t level, layer;
    VkOffset2D offset;
    VkExtent2D extent;
};

enum video_event_kind {
    VIDEO_EVENT_BEGIN,   /* vkCmdBeginVideoCodingKHR with `mode`, for sessions that encode */
    VIDEO_EVENT_SLOT,    /* ... which names `slot` with `picture` */
    VIDEO_EVENT_CONTROL, /* vkCmdControlVideoCodingKHR */
    VIDEO_EVENT_DECODE,  /* sets up `slot` with `picture`, or no slot if that is negative */
    VIDEO_EVENT_ENCODE,  /* likewise */
};

struct video_event {
    uint64_t session;       /* id */
    uint8_t kind;           /* enum video_event_kind */
    bool resets, sets_mode; /* sets_mode: the command has VkVideoEncodeRateControlInfoKHR */
    bool without_picture;   /* the slot was named without a picture */
    int32_t slot;
    VkVideoEncodeRateControlModeFlagsKHR mode;
    struct video_picture picture;
};

#define VIDEO_EVENTS 64 /* most that a command buffer keeps */

/* The events of a command buffer, in their order. With more than are kept, the sessions of those
 * that are left out are not judged any more. */
struct video_log {
    uint32_t count;
    struct video_event events[VIDEO_EVENTS];
};

#define VIDEO_SLOTS 32 /* most DPB slots that are followed */

struct video_progress {
    bool reset;             /* the session is not in the uninitialized state any more */
    uint32_t active;        /* a bit for each slot that may be active */
    uint32_t known_picture; /* a bit for each slot that has no other picture than `pictures` */
    VkVideoEncodeRateControlModeFlagsKHR mode;
    struct video_picture pictures[VIDEO_SLOTS];
};

/* Notes what the event does when it executes. `fields`: pictures of the session may be fields, of
 * which a slot has two. */
void video_progress_take(struct video_progress *progress, const struct video_event *event,
                         bool fields);

#endif
