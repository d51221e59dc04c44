/* Checks that decoding and encoding share: the session, its parameters, and the pictures that are
 * coded, set up and referred to (42.7 "Video Coding Scope"). */
#ifndef ASSAY_CORE_VIDEO_CODING_H
#define ASSAY_CORE_VIDEO_CODING_H

#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/video/video_scope.h"

#define SESSION_CREATES(operation_) VK_VIDEO_CODEC_OPERATION_##operation_##_BIT_KHR

/* Numbers of the statements that both commands have. */
struct coding_rules {
    enum rule offset, setup_offset, slot_offset; /* codedOffset */
    enum rule setup_bound, slot_bound, unique, uses;
    enum rule active_query, inline_count, inline_type, inline_family;
};

/* A vkCmdDecodeVideoKHR or vkCmdEncodeVideoKHR. Threads: on the stack of the hook. */
struct coding {
    struct subject s; /* its `where` is the parameter */
    const struct coding_rules *rules;
    const struct created_video_session *session; /* never NULL */
    struct created_video_parameters *parameters; /* NULL: none, or not known */
    const struct video_scope *scope;             /* never NULL */
    const struct video_capabilities *can;        /* NULL: not known */
    const void *chain;                           /* of the structure */
    const char *picture_name;                    /* the member that `picture` is */
    const VkVideoPictureResourceInfoKHR *picture;
    const VkVideoReferenceSlotInfoKHR *setup; /* may be NULL */
    uint32_t slot_count;
    const VkVideoReferenceSlotInfoKHR *slots;
};

/* False where the session is not known, or codes the other way: rows say so. */
bool coding_begin(struct coding *c);
void coding_check(struct coding *c);

/* Checks a picture: codedOffset must be a multiple of the granularity that the session's pictures
 * need (`rule`), and the view must have the layer. */
void video_check_picture(struct subject *s, enum rule rule,
                         const struct created_video_session *session, const struct location *where,
                         const VkVideoPictureResourceInfoKHR *picture);

/* True if one of the slots that are referred to has this index. */
bool coding_refers_to(const struct coding *c, int32_t slot);

/* Each index must be negative or the index of a slot that is referred to, and each such slot must
 * be among the indices. */
void coding_check_names(struct coding *c, enum rule index_rule, enum rule slot_rule,
                        const struct location *where, const int32_t *indices, uint32_t count);

/* The bound parameters must have the set. `used` is false where a set of the command is used
 * instead. */
void coding_check_set(struct coding *c, enum rule rule, bool used, enum video_set_kind kind,
                      uint32_t key, const struct location *where);

#endif
