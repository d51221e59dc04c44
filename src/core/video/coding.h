/* Checks that decoding and encoding share: the session, its parameters, and the coded, setup and
 * reference pictures (42.7 "Video Coding Scope"). */
#ifndef ASSAY_CORE_VIDEO_CODING_H
#define ASSAY_CORE_VIDEO_CODING_H

#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/video/video_scope.h"

#define SESSION_CREATES(operation_) VK_VIDEO_CODEC_OPERATION_##operation_##_BIT_KHR

/* The rules that both commands have, with different numbers. */
struct coding_rules {
    enum rule offset, setup_offset, slot_offset; /* about codedOffset */
    enum rule setup_bound, slot_bound, unique, uses;
    enum rule active_query, inline_count, inline_type, inline_family, inline_profile;
    enum rule buffer_profile, picture_profile;
};

/* One vkCmdDecodeVideoKHR or vkCmdEncodeVideoKHR. Threads: on the stack of the hook. */
struct coding {
    struct subject s; /* `where` is the info parameter */
    const struct coding_rules *rules;
    const struct created_video_session *session; /* never NULL */
    struct created_video_parameters *parameters; /* NULL: none, or not known */
    const struct video_scope *scope;             /* never NULL */
    const struct video_capabilities *can;        /* NULL: not known */
    const void *chain;                           /* pNext of the info structure */
    const char *buffer_name;                     /* name of the member that `buffer` is */
    VkBuffer buffer;                             /* the bitstream */
    const char *picture_name;                    /* name of the member that `picture` is */
    const VkVideoPictureResourceInfoKHR *picture;
    const VkVideoReferenceSlotInfoKHR *setup; /* may be NULL */
    uint32_t slot_count;
    const VkVideoReferenceSlotInfoKHR *slots;
};

/* Prepares the checks of a command. False: the session is not known, or is for the other command,
 * which rows report. */
bool coding_begin(struct coding *c);
void coding_check(struct coding *c);

/* Checks a picture: its codedOffset against the granularity of the session (`rule`), and that the
 * view has the layer. */
void video_check_picture(struct subject *s, enum rule rule,
                         const struct created_video_session *session, const struct location *where,
                         const VkVideoPictureResourceInfoKHR *picture);

/* Checks that a view's image is for the video profile of the session. `where`: the view. */
void video_check_profile(struct subject *s, enum rule rule,
                         const struct created_video_session *session, const struct location *where,
                         VkImageView view);

/* True if a reference slot has this index. */
bool coding_refers_to(const struct coding *c, int32_t slot);

/* Checks that each index is negative or that of a reference slot, and that each reference slot is
 * among the indices. */
void coding_check_names(struct coding *c, enum rule index_rule, enum rule slot_rule,
                        const struct location *where, const int32_t *indices, uint32_t count);

/* Checks that the bound parameters have the set. `used`: false if a set in the command is used
 * instead. */
void coding_check_set(struct coding *c, enum rule rule, bool used, enum video_set_kind kind,
                      uint32_t key, const struct location *where);

#endif
