/* Finds load operations that read undefined contents. sync/advice/advice.h says when that is
 * certain. */
#include "sync/advice/advice.h"

#include "report/finding/finding.h"
#include "sync/access/access_subpass.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/record/attachments.h"
#include "sync/access/ranges.h"

/* --- images whose every write sync sees --- */

/* Image usages through which all accesses to contents are seen here. Storage images are not among
 * them, as shaders may write them in part. */
#define SEEN_USAGES                                                                          \
    (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |                     \
     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |                      \
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | \
     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |                                                   \
     VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |                               \
     VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT |                                           \
     VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT)

/* True if no copy to the image has more runs than ranges.c looks at; copies with more would be
 * missed. */
static bool has_few_runs(const struct image *image)
{
    return (uint64_t)image->extent.height * image->extent.depth * image->array_layers <=
           IMAGE_RUNS_MOST;
}

/* True if only this program knows the memory. */
static bool is_own_memory(const struct image *image)
{
    const struct device_memory *memory = device_memory_by_id(image->binding[0].memory);
    return memory && !memory->import_type && !memory->export_types &&
           !atomic_load_explicit(&memory->exported, memory_order_relaxed);
}

/* True if all uses of the image's contents are seen: it shares its memory with no other resource,
 * and no usage hides accesses. */
static bool is_seen(const struct image *image)
{
    const VkImageCreateFlags doubtful = VK_IMAGE_CREATE_SPARSE_BINDING_BIT |
                                        VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_DISJOINT_BIT |
                                        VK_IMAGE_CREATE_PROTECTED_BIT;
    bool is_bound_here =
        sync_in_image(image)->memory_size && !image->swapchain && is_own_memory(image);
    if (image->flags & doubtful || image->tiling != VK_IMAGE_TILING_OPTIMAL ||
        image->external_types)
        return false;
    if ((image->usage | image->stencil_usage) & ~(VkImageUsageFlags)SEEN_USAGES)
        return false;
    if (image_shares_memory(image) || sync_in_image(image)->space ||
        atomic_load_explicit(&image->is_shared, memory_order_relaxed))
        return false;
    return (is_bound_here || image->from_swapchain) && has_few_runs(image);
}

/* --- discarded contents --- */

/* Describes the last command that discarded contents. */
struct discarded {
    uint64_t tag; /* tag of the command */
    enum sync_discard how;
};

/* True if all of the place was discarded, and nothing has written it since. False also where the
 * place has no record. */
static bool place_is_discarded(struct sync_context *context, const struct sync_place *place,
                               struct discarded *found)
{
    struct sync_walk walk;
    uint64_t at = place->begin;
    if (!sync_walk_place(&walk, context, place, false))
        return false;
    while (sync_walk_next(&walk)) {
        const struct sync_record *write = &walk.state->write;
        if (walk.piece_begin != at || write->usage == SYNC_NONE || !write->discarded)
            return false;
        if (write->tag >= found->tag)
            *found = (struct discarded){write->tag, (enum sync_discard)write->discarded};
        at = walk.piece_end;
    }
    return at == place->end;
}

/* True if the contents of the aspect are undefined in the whole part. Then `found` describes the
 * last command that discarded them. */
static bool aspect_is_discarded(struct sync_context *context, const struct attachment_part *part,
                                const struct image *image, VkImageAspectFlags aspect,
                                struct discarded *found)
{
    struct attachment_layers layers = attachment_layers_of(part);
    struct image_places places;
    bool any = false;
    while (attachment_next_layers(part, &layers)) {
        image_places_of_area(&places, image, part->view, aspect, part->area, layers.base_layer,
                             layers.layer_count);
        while (image_places_next(&places)) {
            any = true;
            if (!place_is_discarded(context, &places.place, found))
                return false;
        }
    }
    return any;
}

/* --- reports --- */

/* Returns the aspect's name to stand before the image's name. Color needs no word. */
static const char *name_aspects(VkImageAspectFlags aspects)
{
    switch (aspects) {
    case VK_IMAGE_ASPECT_DEPTH_BIT:
        return "the depth of ";
    case VK_IMAGE_ASPECT_STENCIL_BIT:
        return "the stencil of ";
    default:
        return "";
    }
}

/* Writes how the contents were lost, and which command was the last to change them. */
static void write_discard(struct string_builder *text, const struct recording *recording,
                          const struct discarded *discarded)
{
    struct access_origin origin;
    string_builder_add(text, discarded->how == SYNC_DISCARDED_BY_STORE
                                 ? "an earlier render pass instance has not stored it"
                                 : "a transition from VK_IMAGE_LAYOUT_UNDEFINED has discarded it");
    string_builder_add(text, ", and nothing has written it since");
    /* The instance's own transition into the layout of the first subpass is not mentioned. */
    if (discarded->tag < recording->first_tag &&
        command_log_find(recording->sync->log, discarded->tag, &origin))
        string_builder_format(text, " (the last command that changed it is %s, command %u)",
                              command_name[origin.entry->command], origin.entry->command_index);
}

/* Reports a load operation that loads undefined contents. */
static void contents_report(const struct recording *recording, const struct attachment_part *part,
                            const struct image *image, VkImageAspectFlags aspects,
                            const struct discarded *discarded)
{
    struct string_builder text;
    char buffer[512];
    const struct call *call = recording->call;
    struct report_object of_view = report_look_up(call, object_state_id(&part->view->base));
    struct report_object of_image = report_look_up(call, object_state_id(&image->base));
    string_builder_begin(&text, buffer, sizeof(buffer));
    if (recording->sync->context.graph)
        string_builder_format(&text, "attachment %u", part->source.index);
    else
        write_role(&text, &part->source);
    string_builder_format(&text, " loads %s", name_aspects(aspects));
    write_object(&text, &of_view);
    string_builder_add(&text, " of ");
    write_object(&text, &of_image);
    string_builder_add(&text, ", which is undefined in the whole render area: ");
    write_discard(&text, recording, discarded);
    string_builder_add(&text,
                       ". VK_ATTACHMENT_LOAD_OP_CLEAR or VK_ATTACHMENT_LOAD_OP_DONT_CARE would be "
                       "as good, and cheaper; or the contents have to be kept there");
    /* Another thread may destroy the view or the image meanwhile. */
    if (of_view.type != HANDLE_NONE && of_image.type != HANDLE_NONE)
        finding_with_severity(call, SEVERITY_WARNING, BestPractices_LoadOp_UndefinedContents, NULL,
                              OBJECT2(of_view.type, of_view.handle, of_image.type, of_image.handle),
                              "%s", text.text);
    string_builder_end(&text);
    /* The names are copies that belong to `of_view` and `of_image`. */
    mem_free(of_view.name);
    mem_free(of_image.name);
}

/* --- load and store operations --- */

void advice_load(struct recording *recording, const struct attachment_part *part,
                 VkImageAspectFlags aspects)
{
    struct sync_command_buffer *sync = recording->sync;
    struct advice *advice = sync->advice;
    const struct image *image = part->view ? image_by_id(part->view->image) : NULL;
    struct discarded found = {0};
    VkImageAspectFlags undefined = 0;
    /* Nothing is reported unless all that happened to the image is known. */
    if (advice->recording != sync->recordings || advice->silent || advice->contents_unknown ||
        sync->context.broken || sync->ignores_aliases || call_is_refused(recording->call) ||
        part->only_resolved || !image || !is_seen(image))
        return;
    for (VkImageAspectFlags left = aspects; left; left &= left - 1) {
        if (aspect_is_discarded(&sync->context, part, image, left & -left, &found))
            undefined |= left & -left;
    }
    if (undefined && advice_is_new(advice, recording->call->caller))
        contents_report(recording, part, image, undefined, &found);
}

void advice_store_discards(struct recording *recording, const struct attachment_part *part,
                           VkImageAspectFlags aspects)
{
    const struct image *image = part->view ? image_by_id(part->view->image) : NULL;
    struct attachment_layers layers = attachment_layers_of(part);
    struct image_places places;
    struct sync_walk walk;
    while (image && attachment_next_layers(part, &layers)) {
        image_places_of_area(&places, image, part->view, aspects, part->area, layers.base_layer,
                             layers.layer_count);
        while (image_places_next(&places)) {
            if (recording->sync->context.broken ||
                !sync_walk_place(&walk, &recording->sync->context, &places.place, false))
                return;
            while (sync_walk_next(&walk)) {
                struct sync_record *write = &walk.state->write;
                if (write->ordering == SYNC_ORDER_STORE)
                    write->discarded = SYNC_DISCARDED_BY_STORE;
            }
        }
    }
}
