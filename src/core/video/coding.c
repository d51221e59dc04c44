/* Checks that decoding and encoding share: pictures, slots and queries. */
#include "core/video/coding.h"

#include "state/memory/buffer.h"
#include "state/query/query.h"
#include "state/submit/queue.h"
#include "vk/chain.h"

bool coding_begin(struct coding *c)
{
    const struct call *call = c->s.call;
    c->session = call_video_session(call);
    c->scope = call_video_scope(call);
    if (!c->session || !c->scope)
        return false;
    c->parameters = created_video_parameters_by_id(c->scope->parameters);
    c->can = c->session->capabilities.known ? &c->session->capabilities : NULL;
    if (pointer_is_bad(c->slots))
        c->slot_count = 0;
    return true;
}

/* The numbers of which offsets must be multiples; 0: offsets must be 0. */
static VkOffset2D granularity_of(const struct created_video_session *session)
{
    if (session->picture_layout !=
        VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR)
        return (VkOffset2D){0};
    return session->capabilities.VideoDecodeH264CapabilitiesKHR.fieldOffsetGranularity;
}

/* True if `value` is a multiple of `of`. If `of` is 0, only 0 is. */
static bool is_multiple(int32_t value, int32_t of)
{
    return of ? value % of == 0 : value == 0;
}

void video_check_picture(struct subject *s, enum rule rule,
                         const struct created_video_session *session, const struct location *where,
                         const VkVideoPictureResourceInfoKHR *picture)
{
    const VkOffset2D step = granularity_of(session), at = picture->codedOffset;
    const struct image_view *view = find_image_view(s->call, picture->imageViewBinding);
    const uint32_t layers = view ? view->range.layerCount : UINT32_MAX;
    REQUIRE(s, VUID_VkVideoPictureResourceInfoKHR_baseArrayLayer_07175,
            picture->baseArrayLayer < layers, &LOCATION(where, "baseArrayLayer"),
            "is %u, but imageViewBinding has %u layers", picture->baseArrayLayer, layers);
    if (session->picture_layout && !session->capabilities.known)
        return;
    REQUIRE(s, rule, is_multiple(at.x, step.x) && is_multiple(at.y, step.y),
            &LOCATION(where, "codedOffset"),
            "is (%d, %d), which is not a multiple of (%d, %d), the granularity of this session",
            at.x, at.y, step.x, step.y);
}

void video_check_profile(struct subject *s, enum rule rule,
                         const struct created_video_session *session, const struct location *where,
                         VkImageView handle)
{
    const struct image_view *view = find_image_view(s->call, handle);
    const struct image *image = view ? image_by_id(view->image) : NULL;
    if (image)
        REQUIRE_OF(s, OBJECT(HANDLE_IMAGE, object_state_handle(&image->base)), rule,
                   video_profiles_may_have(image->video_profiles, session->profile), where,
                   "is of an image that was created for other video profiles than that of the "
                   "session");
}

bool coding_refers_to(const struct coding *c, int32_t slot)
{
    for (uint32_t i = 0; i < c->slot_count; i++) {
        if (c->slots[i].slotIndex == slot)
            return true;
    }
    return false;
}

void coding_check_names(struct coding *c, enum rule index_rule, enum rule slot_rule,
                        const struct location *where, const int32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(&c->s, index_rule, indices[i] < 0 || coding_refers_to(c, indices[i]),
                &LOCATION_INDEX(where, "referenceNameSlotIndices", i),
                "is %d, which is the slotIndex of no element of pReferenceSlots", indices[i]);
    for (uint32_t i = 0; i < c->slot_count; i++) {
        bool named = false;
        for (uint32_t k = 0; k < count; k++)
            named |= indices[k] == c->slots[i].slotIndex;
        REQUIRE(&c->s, slot_rule, named,
                &LOCATION(&LOCATION_INDEX(c->s.where, "pReferenceSlots", i), "slotIndex"),
                "is %d, which is none of referenceNameSlotIndices", c->slots[i].slotIndex);
    }
}

void coding_check_set(struct coding *c, enum rule rule, bool used, enum video_set_kind kind,
                      uint32_t key, const struct location *where)
{
    static const char *const names[] = {"video", "sequence", "picture"};
    struct video_set found;
    if (!used || !c->parameters)
        return;
    REQUIRE(&c->s, rule, video_parameters_have(c->parameters, kind, key, &found), where,
            "names a %s parameter set that %s does not have", names[kind],
            NAMED_STATE(c->s.call, &c->parameters->base));
}

/* --- pictures --- */

/* Checks the picture of the setup slot, which must be one of the bound pictures. */
static void check_setup(struct coding *c)
{
    const struct location slot = LOCATION_POINTER(c->s.where, "pSetupReferenceSlot"),
                          at = LOCATION_POINTER(&slot, "pPictureResource");
    const VkVideoPictureResourceInfoKHR *resource = c->setup ? c->setup->pPictureResource : NULL;
    if (!resource)
        return;
    video_check_picture(&c->s, c->rules->setup_offset, c->session, &at, resource);
    const struct video_picture picture = video_picture_of(c->s.call, resource);
    if (!picture.image || c->scope->incomplete)
        return;
    bool bound = false;
    for (uint32_t i = 0; i < c->scope->count; i++)
        bound |= video_pictures_match(&c->scope->resources[i].picture, &picture);
    /* must match one of the bound reference picture resource */
    REQUIRE(&c->s, c->rules->setup_bound, bound, &at,
            "matches none of the pictures that vkCmdBeginVideoCodingKHR was given");
}

/* True if the picture is bound and associated with the slot, or that is not known. */
static bool slot_is_bound(const struct video_scope *scope, const struct video_picture *picture,
                          int32_t slot)
{
    for (uint32_t i = 0; i < scope->count; i++) {
        const struct video_resource *resource = &scope->resources[i];
        if (video_pictures_match(&resource->picture, picture) &&
            (resource->slot == slot || resource->slot == VIDEO_SLOT_UNKNOWN))
            return true;
    }
    return false;
}

/* True if an earlier slot has the same picture. */
static bool is_used_before(const struct coding *c, uint32_t index,
                           const struct video_picture *picture)
{
    for (uint32_t i = 0; i < index; i++) {
        if (!c->slots[i].pPictureResource)
            continue;
        const struct video_picture other =
            video_picture_of(c->s.call, c->slots[i].pPictureResource);
        if (video_pictures_match(&other, picture))
            return true;
    }
    return false;
}

/* Checks the pictures of the reference slots: each is used once, and is bound to its slot. */
static void check_slots(struct coding *c)
{
    for (uint32_t i = 0; i < c->slot_count; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &c->slots[i];
        const struct location element = LOCATION_INDEX(c->s.where, "pReferenceSlots", i),
                              at = LOCATION_POINTER(&element, "pPictureResource");
        if (!slot->pPictureResource)
            continue;
        video_check_picture(&c->s, c->rules->slot_offset, c->session, &at, slot->pPictureResource);
        const struct video_picture picture = video_picture_of(c->s.call, slot->pPictureResource);
        if (!picture.image)
            continue;
        REQUIRE(&c->s, c->rules->unique, !is_used_before(c, i, &picture), &at,
                "is a picture that an element before it has");
        /* must match one of the bound reference picture resource associated with the slot */
        REQUIRE(&c->s, c->rules->slot_bound,
                c->scope->incomplete || slot_is_bound(c->scope, &picture, slot->slotIndex), &at,
                "matches none of the bound pictures that are associated with slot %d",
                slot->slotIndex);
    }
}

/* All elements of dpbFrameUseCount must be less than or equal to 1. For H.264, decode.c counts
 * fields separately. */
static void check_uses(struct coding *c)
{
    if (c->session->operation == SESSION_CREATES(DECODE_H264))
        return;
    for (uint32_t i = 0; i < c->slot_count; i++) {
        bool twice = c->setup && c->setup->slotIndex == c->slots[i].slotIndex;
        for (uint32_t k = 0; k < i; k++)
            twice |= c->slots[k].slotIndex == c->slots[i].slotIndex;
        REQUIRE(&c->s, c->rules->uses, !twice || c->slots[i].slotIndex < 0,
                &LOCATION(&LOCATION_INDEX(c->s.where, "pReferenceSlots", i), "slotIndex"),
                "is %d, a slot that this command uses already", c->slots[i].slotIndex);
    }
}

/* --- queries --- */

/* Checks the query in the chain, if the session has inline queries: there is one, of a type that
 * the command supports. */
static void check_inline_query(struct coding *c)
{
    const VkVideoInlineQueryInfoKHR *query = CHAINED(c->chain, VIDEO_INLINE_QUERY_INFO_KHR);
    const struct query_pool *pool = query ? find_query_pool(c->s.call, query->queryPool) : NULL;
    const struct location at = LOCATION_CHAINED(c->s.where, "VkVideoInlineQueryInfoKHR");
    if (!pool || !(c->session->info.flags & VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR))
        return;
    REQUIRE(&c->s, c->rules->inline_count, query->queryCount == 1, &LOCATION(&at, "queryCount"),
            "is %u, but this command codes 1 picture", query->queryCount);
    const bool status = pool->type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
               feedback = pool->type == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR &&
                          c->s.call->command == COMMAND_CmdEncodeVideoKHR;
    REQUIRE(&c->s, c->rules->inline_type, status || feedback, &LOCATION(&at, "queryPool"),
            "is of %s", value_text(VALUES_VkQueryType, pool->type).text);
    /* ... created with a VkVideoProfileInfoKHR structure ... identical to the one ... the bound
     * video session was created with */
    REQUIRE(&c->s, c->rules->inline_profile,
            (!status && !feedback) || !pool->video_profile || !c->session->profile ||
                pool->video_profile == c->session->profile,
            &LOCATION(&at, "queryPool"), "was created %s",
            pool->video_profile == VIDEO_PROFILE_NONE
                ? "without a video profile"
                : "with another video profile than the session");
    const struct command_buffer *command_buffer = call_command_buffer(c->s.call);
    REQUIRE(&c->s, c->rules->inline_family,
            !status || !command_buffer ||
                query_status_supported(c->s.call->device, command_buffer->queue_family),
            &LOCATION(&at, "queryPool"),
            "is of VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, which queue family %u does not support",
            command_buffer->queue_family);
}

/* Checks that an active query has room for this picture. It is not checked if an allocation of the
 * layer failed. */
static void check_active_query(struct coding *c)
{
    const struct command_buffer *command_buffer = call_command_buffer(c->s.call);
    if (!command_buffer || !command_buffer->queries || command_buffer->queries->incomplete)
        return;
    /* The active query index plus opCount must not pass the last activatable query index. */
    REQUIRE(&c->s, c->rules->active_query,
            !command_buffer->queries->active_count || !c->scope->coded_in_query, NULL,
            "codes a second picture while one query is active, which has room for one");
}

/* Checks that the bitstream and the picture are compatible with the video profile of the session.
 */
static void check_profiles(struct coding *c)
{
    const struct buffer *buffer = find_buffer(c->s.call, c->buffer);
    const struct location at = LOCATION(c->s.where, c->picture_name);
    if (buffer)
        REQUIRE_OF(&c->s, OBJECT(HANDLE_BUFFER, c->buffer), c->rules->buffer_profile,
                   video_profiles_may_have(buffer->video_profiles, c->session->profile),
                   c->buffer_name, "was created for other video profiles than that of the session");
    video_check_profile(&c->s, c->rules->picture_profile, c->session,
                        &LOCATION(&at, "imageViewBinding"), c->picture->imageViewBinding);
}

void coding_check(struct coding *c)
{
    check_profiles(c);
    video_check_picture(&c->s, c->rules->offset, c->session, &LOCATION(c->s.where, c->picture_name),
                        c->picture);
    check_setup(c);
    check_slots(c);
    check_uses(c);
    check_inline_query(c);
    check_active_query(c);
}
