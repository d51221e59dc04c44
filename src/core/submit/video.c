/* Checks that video sessions are in the state that submitted commands need. They were reset, and
 * have the DPB slots and the rate control mode that the commands name. */
#include "core/hooks.h"
#include "core/submit/walk.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "state/submit/queue.h"
#include "state/video/video_scope.h"

/* The state of a session at this point of the submit; NULL: it is not judged. */
static struct video_progress *followed_progress(struct submit *submit, uint64_t id)
{
    struct submit_video *video = &submit->video;
    struct created_video_session *session = created_video_session_by_id(id);
    for (uint32_t i = 0; i < video->count; i++) {
        if (video->session[i] == id)
            return &video->progress[i];
    }
    if (!session || !submit->queue || video->count == SUBMIT_SESSIONS)
        return NULL;
    lock_take(&session->lock);
    const bool known = !session->lost &&
                       (!session->queue || session->queue == object_state_id(&submit->queue->base));
    video->progress[video->count] = session->progress;
    lock_release(&session->lock);
    if (!known)
        return NULL;
    video->session[video->count] = id;
    return &video->progress[video->count++];
}

/* Checks a DPB slot that a command buffer names. */
static void check_slot(struct subject *s, const struct video_progress *progress,
                       const struct video_event *event)
{
    const uint32_t slot = (uint32_t)event->slot;
    if (slot >= VIDEO_SLOTS || event->without_picture)
        return;
    /* it must specify the index of a DPB slot that is in the active state ... at the time the
     * command is executed on the device */
    REQUIRE(s, VUID_vkCmdBeginVideoCodingKHR_slotIndex_07239, progress->active >> slot & 1, NULL,
            "begins a video coding scope with DPB slot %u, which is not active: no command since "
            "the session was reset has set it up",
            slot);
    /* must match one of the video picture resources currently associated with the DPB slot */
    if (progress->active & progress->known_picture & 1u << slot)
        REQUIRE(s, VUID_vkCmdBeginVideoCodingKHR_pPictureResource_07265,
                !event->picture.image ||
                    video_pictures_match(&progress->pictures[slot], &event->picture),
                NULL,
                "begins a video coding scope with another picture for DPB slot %u than the one "
                "that was set up there",
                slot);
}

/* Checks the rate control mode with which a scope of an encoding session begins. */
static void video_check_mode(struct subject *s, const struct video_progress *progress,
                             const struct video_event *event)
{
    const VkVideoEncodeRateControlModeFlagsKHR none = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
    if (!progress->reset)
        return;
    if (!event->sets_mode)
        REQUIRE(s, VUID_vkCmdBeginVideoCodingKHR_pBeginInfo_08253, progress->mode == none, NULL,
                "begins a video coding scope without a rate control mode, but that of the session "
                "is %s then",
                value_text(VALUES_VkVideoEncodeRateControlModeFlagsKHR, progress->mode).text);
    else
        REQUIRE(s, VUID_vkCmdBeginVideoCodingKHR_pBeginInfo_08254, progress->mode == event->mode,
                NULL,
                "begins a video coding scope with the rate control mode %s, but that of the "
                "session is %s then",
                TEXT_OF(VkVideoEncodeRateControlModeFlagsKHR, event->mode),
                value_text(VALUES_VkVideoEncodeRateControlModeFlagsKHR, progress->mode).text);
}

/* Checks what one event needs. */
static void check_event(struct subject *s, const struct video_progress *progress,
                        const struct video_event *event, bool encodes)
{
    switch ((enum video_event_kind)event->kind) {
    case VIDEO_EVENT_BEGIN:
        if (encodes)
            video_check_mode(s, progress, event);
        break;
    case VIDEO_EVENT_SLOT:
        check_slot(s, progress, event);
        break;
    case VIDEO_EVENT_CONTROL:
        /* If flags does not include RESET, then the bound video session must not be in
         * uninitialized state */
        REQUIRE(s, VUID_vkCmdControlVideoCodingKHR_flags_07017, event->resets || progress->reset,
                NULL, "controls a video session that was never reset");
        break;
    case VIDEO_EVENT_DECODE:
        REQUIRE(s, VUID_vkCmdDecodeVideoKHR_None_07011, progress->reset, NULL,
                "decodes with a video session that was never reset");
        break;
    case VIDEO_EVENT_ENCODE:
        REQUIRE(s, VUID_vkCmdEncodeVideoKHR_None_07012, progress->reset, NULL,
                "encodes with a video session that was never reset");
        break;
    }
}

/* Checks the events of one command buffer in their order. */
static bool check_log(struct submit *submit, const struct video_log *log,
                      const struct command_buffer *command_buffer, const struct location *where)
{
    bool skip = false;
    for (uint32_t i = 0; i < log->count; i++) {
        const struct video_event *event = &log->events[i];
        const struct created_video_session *session = created_video_session_by_id(event->session);
        struct video_progress *progress = followed_progress(submit, event->session);
        if (!session || !progress)
            continue;
        struct subject s = {
            .call = submit->call,
            .where = where,
            .objects = OBJECT2(HANDLE_COMMAND_BUFFER, object_state_handle(&command_buffer->base),
                               HANDLE_VIDEO_SESSION_KHR, object_state_handle(&session->base))};
        check_event(&s, progress, event, session->encodes);
        skip |= s.skip;
        video_progress_take(progress, event, session->picture_layout != 0);
        /* the first use of a session that was never reset is enough */
        progress->reset |= s.wrong && event->kind >= VIDEO_EVENT_CONTROL;
    }
    return skip;
}

bool submit_check_video(struct submit *submit, const struct submit_batch *submitted)
{
    const struct batch *batch = &submitted->batch;
    bool skip = false;
    if (submit_asks_first(submit, CONTENTS_VIDEO))
        submit->video.count = 0;
    for (uint32_t i = 0; !submit->ahead && i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        const struct command_buffer_sections *sections = sections_of(command_buffer);
        if (sections && sections->submitted)
            skip |=
                check_log(submit, &sections->video->log, command_buffer,
                          &LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i));
    }
    return skip;
}
