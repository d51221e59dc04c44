/* Follows what submitted video commands do to their sessions. */
#include "state/video/video_progress.h"

#include "state/hooks.h"
#include "state/submit/queue.h"
#include "state/video/video_scope.h"
#include "vk/chain.h"

#include <string.h>

/* --- execution --- */

void video_progress_take(struct video_progress *progress, const struct video_event *event,
                         bool fields)
{
    const bool follows = event->slot >= 0 && event->slot < VIDEO_SLOTS;
    const uint32_t bit = follows ? 1u << event->slot : 0;
    switch ((enum video_event_kind)event->kind) {
    case VIDEO_EVENT_BEGIN:
        break;
    case VIDEO_EVENT_SLOT:
        /* a slot without a picture is deactivated */
        if (event->without_picture)
            progress->active &= ~bit;
        break;
    case VIDEO_EVENT_CONTROL:
        if (event->resets) {
            progress->reset = true;
            progress->active = 0;
            progress->mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
        }
        if (event->sets_mode)
            progress->mode = event->mode;
        break;
    case VIDEO_EVENT_DECODE:
    case VIDEO_EVENT_ENCODE:
        /* Whether the slot is activated is up to the codec. If it is, it has this picture. */
        progress->active |= bit;
        progress->known_picture &= ~bit;
        if (event->picture.image && !fields)
            progress->known_picture |= bit;
        if (follows)
            progress->pictures[event->slot] = event->picture;
        break;
    }
}

/* Notes that the command buffer with these sections is submitted. NULL queue: the order in which it
 * executes is not known, so its sessions are not judged any more. */
static void submit_log(const struct command_buffer_sections *sections, const struct queue *queue)
{
    const struct video_log *log = &sections->video->log;
    const uint64_t id = queue ? object_state_id(&queue->base) : 0;
    for (uint32_t i = 0; i < log->count; i++) {
        struct created_video_session *session = created_video_session_by_id(log->events[i].session);
        if (!session)
            continue;
        lock_take(&session->lock);
        /* Submissions to several queues have no order that is known here. */
        session->lost |= !id || (session->queue && session->queue != id);
        session->queue = id;
        video_progress_take(&session->progress, &log->events[i], session->picture_layout != 0);
        lock_release(&session->lock);
    }
}

/* --- recording --- */

/* Adds an event of a session to the log of the recording, which the first event begins. NULL: the
 * session is not followed, or the log is full. */
static struct video_event *add_event(const struct call *call, struct created_video_session *session,
                                     struct video_scope *scope, enum video_event_kind kind)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_sections *sections = command_buffer ? command_buffer->sections : NULL;
    if (scope && sections && !sections->submitted) {
        scope->log.count = 0;
        sections->submitted = submit_log;
    }
    if (!session)
        return NULL;
    if (!scope || scope->log.count == VIDEO_EVENTS) {
        lock_take(&session->lock);
        session->lost = true;
        lock_release(&session->lock);
        return NULL;
    }
    struct video_event *event = &scope->log.events[scope->log.count++];
    memset(event, 0, sizeof(*event));
    event->session = object_state_id(&session->base);
    event->kind = (uint8_t)kind;
    event->slot = -1;
    return event;
}

void video_note_begin(const struct call *call, struct video_scope *scope,
                      const VkVideoBeginCodingInfoKHR *info)
{
    struct created_video_session *session = find_created_video_session(call, info->videoSession);
    struct video_event *event = add_event(call, session, scope, VIDEO_EVENT_BEGIN);
    if (event) {
        event->mode = video_rate_control_mode(info->pNext);
        event->sets_mode =
            chain_find(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR);
    }
    for (uint32_t i = 0; i < info->referenceSlotCount; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        event = slot->slotIndex >= 0 ? add_event(call, session, scope, VIDEO_EVENT_SLOT) : NULL;
        if (!event)
            continue;
        event->slot = slot->slotIndex;
        event->without_picture = !slot->pPictureResource;
        if (slot->pPictureResource)
            event->picture = video_picture_of(call, slot->pPictureResource);
    }
}

void video_note_control(const struct call *call, const VkVideoCodingControlInfoKHR *info)
{
    struct video_event *event =
        add_event(call, call_video_session(call), call_video_scope(call), VIDEO_EVENT_CONTROL);
    if (!event)
        return;
    event->resets = info->flags & VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR;
    event->sets_mode = info->flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
    event->mode = video_rate_control_mode(info->pNext);
}

void video_note_coding(const struct call *call, bool encodes,
                       const VkVideoReferenceSlotInfoKHR *setup)
{
    struct video_event *event = add_event(call, call_video_session(call), call_video_scope(call),
                                          encodes ? VIDEO_EVENT_ENCODE : VIDEO_EVENT_DECODE);
    if (!event || !setup)
        return;
    event->slot = setup->slotIndex;
    if (setup->pPictureResource)
        event->picture = video_picture_of(call, setup->pPictureResource);
}
