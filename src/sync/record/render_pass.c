/* Records the accesses and dependencies of render pass objects' instances (8.1 "Render Pass
 * Creation", 8.4 "Render Pass Commands"). At their beginning, between subpasses and at their end
 * there are layout transitions of whole views, and load, store and resolve operations in the render
 * area. */
#include "sync/advice/advice.h"
#include "sync/access/aliases.h"
#include "sync/record/attachments.h"
#include "sync/record/barriers.h"
#include "sync/hooks.h"
#include "sync/access/ranges.h"

#include <string.h>

#include "state/memory/formats.h"
#include "vk/chain.h"

#define GRAPH_DEPENDENCIES                                                \
    256 /* no render pass has that many; of one with more nothing is said \
         */

/* --- dependencies --- */

/* Returns the scopes of a dependency with these masks on a queue that has these abilities. */
static struct sync_barrier barrier_of_masks(const struct sync_queue *queue,
                                            VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                                            VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    return (struct sync_barrier){.src = sync_scope_source(src, src_accesses, queue),
                                 .dst = sync_scope_destination(dst, dst_accesses, queue),
                                 .everything =
                                     (src & (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                                             VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)) != 0};
}

/* Returns the scopes of dependency `i`. A chained VkMemoryBarrier2 has replaced its masks
 * already. */
static struct sync_barrier barrier_of_dependency(const struct sync_queue *queue,
                                                 const struct render_pass *pass, uint32_t i)
{
    const struct dependency_masks *masks = &pass->dependency_masks[i];
    return barrier_of_masks(queue, masks->src_stages, masks->src_accesses, masks->dst_stages,
                            masks->dst_accesses);
}

/* Adds `more` to `sum`, which then orders what either of them does. */
static void add_barrier(struct sync_barrier *sum, const struct sync_barrier *more)
{
    sum->src.stages |= more->src.stages;
    sum->dst.stages |= more->dst.stages;
    usage_mask_add(&sum->src.accesses, &more->src.accesses);
    usage_mask_add(&sum->dst.accesses, &more->dst.accesses);
    sum->everything |= more->everything;
}

/* Stands for any subpass as the source of a dependency. */
#define ANY_SUBPASS (SYNC_EXTERNAL - 1)
/* Joins the dependencies from a subpass, or from any, to another one. Returns false if there are
 * none. */
static bool joint_dependency(const struct recording *recording, const struct render_pass *pass,
                             uint32_t src, uint32_t dst, struct sync_barrier *sum)
{
    bool found = false;
    *sum = (struct sync_barrier){0};
    for (uint32_t i = 0; i < pass->dependency_count; i++) {
        const VkSubpassDependency2 *dependency = &pass->dependencies[i];
        bool any = src == ANY_SUBPASS && dependency->srcSubpass != VK_SUBPASS_EXTERNAL &&
                   dependency->srcSubpass != dependency->dstSubpass;
        if (dependency->dstSubpass != dst || (!any && dependency->srcSubpass != src))
            continue;
        struct sync_barrier barrier = barrier_of_dependency(&recording->sync->queue, pass, i);
        add_barrier(sum, &barrier);
        found = true;
    }
    return found;
}

static_assert(SYNC_EXTERNAL == VK_SUBPASS_EXTERNAL, "the app's number is ours");

/* False for a dependency of a subpass on itself, and for an invalid one (srcSubpass "must be less
 * than or equal to dstSubpass"; core reports it). */
static bool is_in_order(const VkSubpassDependency2 *dependency, uint32_t subpass_count)
{
    uint32_t src = dependency->srcSubpass, dst = dependency->dstSubpass;
    return src == VK_SUBPASS_EXTERNAL ? dst < subpass_count : src < subpass_count && src < dst;
}

/* Begins the instance with the render pass's dependencies. Returns false if there are too many: the
 * instance is not checked then. */
static bool begin_graph(struct recording *recording, const struct render_pass *pass)
{
    struct sync_dependency dependencies[GRAPH_DEPENDENCIES];
    uint32_t count = 0;
    if (pass->dependency_count > GRAPH_DEPENDENCIES || pass->subpass_count > SYNC_SUBPASSES)
        return false;
    /* Dependencies are sorted by destination; SYNC_EXTERNAL is the last one. */
    for (uint32_t n = 0; n <= pass->subpass_count && pass->dependency_count; n++) {
        uint32_t dst = n < pass->subpass_count ? n : SYNC_EXTERNAL;
        for (uint32_t i = 0; i < pass->dependency_count; i++) {
            const VkSubpassDependency2 *app = &pass->dependencies[i];
            if (app->dstSubpass == dst && is_in_order(app, pass->subpass_count))
                dependencies[count++] = (struct sync_dependency){
                    .src = app->srcSubpass,
                    .dst = dst,
                    .barrier = barrier_of_dependency(&recording->sync->queue, pass, i)};
        }
    }
    struct sync_graph graph = {.subpass_count = pass->subpass_count,
                               .dependency_count = count,
                               .dependencies = dependencies};
    sync_context_begin_render_pass(&recording->sync->context, &graph, recording->sync->next_tag);
    return true;
}

/* --- the first and last use of an attachment --- */

/* Finds the attachment's reference; NULL: there is none. VK_ATTACHMENT_UNUSED matches none, as no
 * attachment has that number. */
static const struct attachment_reference *
find_reference(const struct attachment_reference *references, uint32_t count, uint32_t attachment)
{
    for (uint32_t i = 0; references && i < count; i++) {
        if (references[i].attachment == attachment)
            return &references[i];
    }
    return NULL;
}

/* Returns the reference by which the subpass uses the attachment; NULL: the subpass does not use
 * it. */
static const struct attachment_reference *use_of(const struct render_pass *pass, uint32_t subpass,
                                                 uint32_t attachment)
{
    const struct subpass *s = &pass->subpasses[subpass];
    const struct attachment_reference *found =
        find_reference(s->colors, s->color_count, attachment);
    found = found ? found : find_reference(&s->depth_stencil, 1, attachment);
    found = found ? found : find_reference(s->resolves, s->color_count, attachment);
    found = found || !s->has_depth_stencil_resolve
                ? found
                : find_reference(&s->depth_stencil_resolve, 1, attachment);
    found = found ? found : find_reference(s->inputs, s->input_count, attachment);
    return found ? found : find_reference(&s->fragment_shading_rate, 1, attachment);
}

/* True if the subpass uses the attachment only as the target of a resolve. */
static bool only_resolves_to(const struct render_pass *pass, uint32_t subpass, uint32_t attachment)
{
    const struct subpass *s = &pass->subpasses[subpass];
    return use_of(pass, subpass, attachment) &&
           !find_reference(s->colors, s->color_count, attachment) &&
           !find_reference(&s->depth_stencil, 1, attachment) &&
           !find_reference(s->inputs, s->input_count, attachment);
}

/* Returns the last subpass before `subpass` that uses the attachment; SYNC_EXTERNAL: none does. */
static uint32_t last_use(const struct render_pass *pass, uint32_t subpass, uint32_t attachment)
{
    while (subpass--) {
        if (use_of(pass, subpass, attachment))
            return subpass;
    }
    return SYNC_EXTERNAL;
}

/* True if a later subpass uses the attachment, so that the store operation belongs to that
 * subpass. */
static bool used_later(const struct render_pass *pass, uint32_t subpass, uint32_t attachment)
{
    for (uint32_t i = subpass + 1; i < pass->subpass_count; i++) {
        if (use_of(pass, i, attachment))
            return true;
    }
    return false;
}

/* Returns the subpass' views in which no subpass in [first, end) uses the attachment. With
 * multiview, load and store operations are done view by view. */
static uint32_t views_apart(const struct render_pass *pass, uint32_t subpass, uint32_t attachment,
                            uint32_t first, uint32_t end)
{
    uint32_t views = pass->subpasses[subpass].view_mask;
    for (uint32_t i = first; i < end; i++) {
        if (use_of(pass, i, attachment))
            views &= ~pass->subpasses[i].view_mask;
    }
    return views;
}

/* Returns the part of an attachment that the operations of a subpass access: the render area, in
 * the views or layers of the subpass. */
static struct attachment_part render_pass_part(const struct recording *recording,
                                               const struct render_pass *pass, uint32_t subpass,
                                               uint32_t attachment, enum access_role role)
{
    const struct render_pass_instance *rendering = recording->rendering;
    return (struct attachment_part){
        .view = rendering_view(rendering, attachment),
        .area = rendering->area,
        .view_mask = pass->subpasses[subpass].view_mask,
        .layer_count = rendering->layer_count,
        .source = {.role = role, .index = attachment},
    };
}

/* Returns the attachment's role, by its format. A NULL view counts as color, and is never
 * reported. */
static enum access_role role_of(const struct image_view *view)
{
    return view && format_is_depth_stencil(view->format) ? ROLE_DEPTH_STENCIL_ATTACHMENT
                                                         : ROLE_COLOR_ATTACHMENT;
}

/* --- layout transitions --- */

/* Records the layout transition of an attachment's aspects, ordered by `barrier`. */
static void render_pass_transition(struct recording *recording, const struct image_view *view,
                                   VkImageAspectFlags aspects, const struct sync_barrier *barrier,
                                   uint32_t attachment)
{
    const struct image *image = image_by_id(view->image);
    struct image_places places;
    struct barrier_list list;
    struct access_source source = {.role = ROLE_ATTACHMENT_TRANSITION, .index = attachment};
    if (!image)
        return;
    VkImageSubresourceRange range = view->range;
    range.aspectMask = aspects;
    barrier_list_begin(&list, recording);
    if (image_view_has_slices(image, view))
        image_places_of_slices(&places, image, &range);
    else
        image_places_of_range(&places, image, &range);
    while (image_places_next(&places))
        barrier_list_add_transition(&list, object_state_id(&image->base), &places.place, barrier,
                                    0);
    if (unlikely(image_shares_memory(image)) && !recording->sync->ignores_aliases) {
        struct sync_place memory = image_memory_place(image);
        barrier_list_add_transition(&list, object_state_id(&image->base), &memory, barrier,
                                    image_alias_number(image));
    }
    if (barrier_list_end(&list, object_state_id(&image->base), &source))
        sync_context_barriers(&recording->sync->context, &list.barriers);
}

/* Returns the aspects of the view whose layout changes. Stencil has layouts of its own. */
static VkImageAspectFlags changed_aspects(const struct image_view *view, VkImageLayout from,
                                          VkImageLayout to, VkImageLayout stencil_from,
                                          VkImageLayout stencil_to)
{
    VkImageAspectFlags aspects = attachment_aspects(view);
    if (from == to)
        aspects &= VK_IMAGE_ASPECT_STENCIL_BIT;
    if (stencil_from == stencil_to)
        aspects &= ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
    return aspects;
}

/* Returns the dependency of a transition into a subpass. "If there is no subpass dependency from
 * VK_SUBPASS_EXTERNAL to the first subpass that uses an attachment, then an implicit subpass
 * dependency exists". */
static struct sync_barrier barrier_into(const struct recording *recording,
                                        const struct render_pass *pass, uint32_t src,
                                        uint32_t subpass)
{
    struct sync_barrier barrier;
    if (joint_dependency(recording, pass, src, subpass, &barrier) ||
        (src != SYNC_EXTERNAL && joint_dependency(recording, pass, ANY_SUBPASS, subpass, &barrier)))
        return barrier;
    return barrier_of_masks(&recording->sync->queue, VK_PIPELINE_STAGE_2_NONE, 0,
                            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT |
                                VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
}

/* Returns the dependency of a final transition: the one to VK_SUBPASS_EXTERNAL or, without one, the
 * implicit dependency. */
static struct sync_barrier barrier_out_of(const struct recording *recording,
                                          const struct render_pass *pass, uint32_t subpass)
{
    struct sync_barrier barrier;
    if (joint_dependency(recording, pass, subpass, SYNC_EXTERNAL, &barrier))
        return barrier;
    return barrier_of_masks(&recording->sync->queue, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                            VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                            VK_PIPELINE_STAGE_2_NONE, 0);
}

/* Transitions an attachment into the layout in which a subpass uses it. */
static void transition_into(struct recording *recording, const struct render_pass *pass,
                            uint32_t subpass, uint32_t attachment,
                            const struct attachment_reference *use)
{
    const struct image_view *view = rendering_view(recording->rendering, attachment);
    const struct attachment_description *description = &pass->attachments[attachment];
    uint32_t src = last_use(pass, subpass, attachment);
    const struct attachment_reference *before =
        src != SYNC_EXTERNAL ? use_of(pass, src, attachment) : NULL;
    if (!view)
        return;
    VkImageAspectFlags aspects =
        changed_aspects(view, before ? before->layout : description->description.initialLayout,
                        use->layout,
                        before ? before->stencil_layout : description->stencil_initial_layout,
                        use->stencil_layout);
    if (!aspects)
        return;
    struct sync_barrier barrier = barrier_into(recording, pass, src, subpass);
    render_pass_transition(recording, view, aspects, &barrier, attachment);
}

/* "However, any transition specified by initialLayout and finalLayout will still be executed" of an
 * attachment that no subpass uses. No sentence says which dependency it comes after. So it counts
 * as after all earlier commands, and later commands need some dependency. */
static struct sync_barrier barrier_of_unused(const struct recording *recording)
{
    struct sync_barrier barrier =
        barrier_of_masks(&recording->sync->queue, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                         VK_ACCESS_2_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0);
    barrier.everything = false;
    barrier.first_tag = SYNC_CHAINED_ONLY;
    return barrier;
}

/* Records the transition of an attachment that no subpass uses, from its initial to its final
 * layout. */
static void transition_unused(struct recording *recording, const struct image_view *view,
                              const struct attachment_description *description, uint32_t attachment)
{
    VkImageAspectFlags aspects =
        changed_aspects(view, description->description.initialLayout,
                        description->description.finalLayout, description->stencil_initial_layout,
                        description->stencil_final_layout);
    struct sync_barrier barrier = barrier_of_unused(recording);
    if (aspects)
        render_pass_transition(recording, view, aspects, &barrier, attachment);
}

/* Transitions all attachments into their final layouts. */
static void final_transitions(struct recording *recording, const struct render_pass *pass)
{
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const struct image_view *view = rendering_view(recording->rendering, i);
        const struct attachment_description *description = &pass->attachments[i];
        uint32_t subpass = last_use(pass, pass->subpass_count, i);
        if (view && subpass == SYNC_EXTERNAL)
            transition_unused(recording, view, description, i);
        if (!view || subpass == SYNC_EXTERNAL)
            continue;
        const struct attachment_reference *use = use_of(pass, subpass, i);
        VkImageAspectFlags aspects =
            changed_aspects(view, use->layout, description->description.finalLayout,
                            use->stencil_layout, description->stencil_final_layout);
        if (!aspects)
            continue;
        struct sync_barrier barrier = barrier_out_of(recording, pass, subpass);
        render_pass_transition(recording, view, aspects, &barrier, i);
    }
}

/* --- load and store operations --- */

/* Records the load or the store operation of some aspects. `op` is a VkAttachmentStoreOp if
 * `stores`, else a VkAttachmentLoadOp. */
static void render_pass_operate(struct recording *recording, const struct attachment_part *part,
                                VkImageAspectFlags aspects, bool stores, uint32_t op)
{
    if (!aspects)
        return;
    if (stores)
        attachment_store(recording, part, aspects, (VkAttachmentStoreOp)op);
    else
        attachment_load(recording, part, aspects, (VkAttachmentLoadOp)op);
}

/* True for a fragment shading rate attachment: "loadOp and storeOp are ignored for fragment shading
 * rate attachments." */
static bool is_shading_rate(const struct render_pass *pass, uint32_t attachment)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        if (pass->subpasses[i].fragment_shading_rate.attachment == attachment)
            return true;
    }
    return false;
}

/* Records the load or the store operations of an attachment in a subpass. Stencil may have an
 * operation of its own. */
static void load_or_store(struct recording *recording, const struct render_pass *pass,
                          uint32_t subpass, uint32_t attachment, bool stores)
{
    const VkAttachmentDescription *description = &pass->attachments[attachment].description;
    struct attachment_part part =
        render_pass_part(recording, pass, subpass, attachment, ROLE_COLOR_ATTACHMENT);
    if (part.view_mask) {
        part.view_mask =
            stores ? views_apart(pass, subpass, attachment, subpass + 1, pass->subpass_count)
                   : views_apart(pass, subpass, attachment, 0, subpass);
        if (!part.view_mask)
            return;
    }
    if (!part.view || is_shading_rate(pass, attachment))
        return;
    part.source.role = role_of(part.view);
    part.only_resolved = !stores && only_resolves_to(pass, subpass, attachment);
    uint32_t op = stores ? (uint32_t)description->storeOp : (uint32_t)description->loadOp;
    uint32_t stencil_op =
        stores ? (uint32_t)description->stencilStoreOp : (uint32_t)description->stencilLoadOp;
    VkImageAspectFlags aspects = attachment_aspects(part.view);
    VkImageAspectFlags apart = op == stencil_op ? 0 : aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    render_pass_operate(recording, &part, aspects & ~apart, stores, op);
    render_pass_operate(recording, &part, apart, stores, stencil_op);
}

/* Records the transitions into the subpass, and the load operations of attachments that it is the
 * first to use. */
static void begin_subpass(struct recording *recording, const struct render_pass *pass,
                          uint32_t subpass)
{
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const struct attachment_reference *use = use_of(pass, subpass, i);
        if (!use)
            continue;
        transition_into(recording, pass, subpass, i, use);
        if (pass->multiview || last_use(pass, subpass, i) == SYNC_EXTERNAL)
            load_or_store(recording, pass, subpass, i, false);
    }
}

/* Resolves one color attachment at the subpass's end. If either attachment is unused, nothing is
 * resolved. */
static void resolve_color(struct recording *recording, const struct render_pass *pass,
                          uint32_t subpass, uint32_t color)
{
    const struct subpass *s = &pass->subpasses[subpass];
    struct attachment_part from =
        render_pass_part(recording, pass, subpass, s->colors[color].attachment,
                         ROLE_COLOR_ATTACHMENT);
    struct attachment_part to =
        render_pass_part(recording, pass, subpass, s->resolves[color].attachment,
                         ROLE_RESOLVE_ATTACHMENT);
    attachment_resolve(recording, &from, &to, VK_IMAGE_ASPECT_COLOR_BIT);
}

/* Records the resolves of a subpass, and the store operations of attachments that no later subpass
 * uses. */
static void end_subpass(struct recording *recording, const struct render_pass *pass,
                        uint32_t subpass)
{
    const struct subpass *s = &pass->subpasses[subpass];
    for (uint32_t i = 0; s->resolves && i < s->color_count; i++)
        resolve_color(recording, pass, subpass, i);
    if (s->has_depth_stencil_resolve) {
        struct attachment_part from =
            render_pass_part(recording, pass, subpass, s->depth_stencil.attachment,
                             ROLE_DEPTH_STENCIL_ATTACHMENT);
        struct attachment_part to =
            render_pass_part(recording, pass, subpass, s->depth_stencil_resolve.attachment,
                             ROLE_RESOLVE_ATTACHMENT);
        VkImageAspectFlags aspects = (s->depth_resolve_mode ? VK_IMAGE_ASPECT_DEPTH_BIT : 0u) |
                                     (s->stencil_resolve_mode ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
        if (from.view && to.view)
            attachment_resolve(recording, &from, &to,
                               aspects & attachment_aspects(from.view) &
                                   attachment_aspects(to.view));
    }
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        if (use_of(pass, subpass, i) && (pass->multiview || !used_later(pass, subpass, i)))
            load_or_store(recording, pass, subpass, i, true);
    }
}

/* --- commands --- */

/* Returns the render pass of the instance. NULL: there is none, or a secondary has inherited it,
 * without known views. */
static const struct render_pass *pass_of(const struct recording *recording)
{
    const struct render_pass_instance *rendering = recording->rendering;
    return rendering && !rendering->inherited ? render_pass_by_id(rendering->render_pass) : NULL;
}

/* True if the program has marked an attachment as one that may share memory. The dependencies order
 * such attachments. */
static bool may_alias(const struct render_pass *pass)
{
    for (uint32_t i = 0; pass && i < pass->attachment_count; i++) {
        if (pass->attachments[i].description.flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT)
            return true;
    }
    return false;
}

/* Begins the instance that the state tracker has made, and its first subpass. */
static void enter_render_pass(struct recording *recording)
{
    const struct render_pass *pass = pass_of(recording);
    recording->sync->ignores_aliases = may_alias(pass);
    if (pass && pass->subpass_count && begin_graph(recording, pass)) {
        begin_subpass(recording, pass, 0);
    } else {
        /* The order of the instance's commands is not known: the rest of the command buffer is not
         * checked. */
        recording->sync->context.broken = true;
        advice_loses_contents(recording->sync);
    }
    recording->sync->epoch++;
}

/* Finds the views that the instance will have, as the state tracker does. Returns false if they are
 * not known. */
static bool read_views(const struct call *call, const VkRenderPassBeginInfo *info,
                       const struct framebuffer *frame, uint64_t *views)
{
    bool imageless = frame->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    const VkRenderPassAttachmentBeginInfo *begin =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    if (imageless &&
        (!begin || !begin->pAttachments || begin->attachmentCount < frame->attachment_count))
        return false;
    for (uint32_t i = 0; i < frame->attachment_count; i++) {
        const struct image_view *view =
            imageless ? find_image_view(call, begin->pAttachments[i]) : NULL;
        views[i] = !imageless ? frame->attachments[i].view
                   : view     ? object_state_id(&view->base)
                              : 0;
    }
    return true;
}

/* Begins the instance before the call, so that the call is skipped if a callback refuses it for a
 * hazard. The recording is undone if the call does not go down. */
static bool render_pass_check_begin(struct call *call, const VkRenderPassBeginInfo *info)
{
    struct recording recording;
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    const struct framebuffer *frame = find_framebuffer(call, info->framebuffer);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!pass || !frame || !command_buffer || active_rendering(command_buffer))
        return false;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    /* One element more is allocated, so that an empty array is not mistaken for a lack of
     * memory. */
    uint64_t *views = scratch_alloc(scratch, (frame->attachment_count + 1) * sizeof(*views));
    bool known = views && read_views(call, info, frame, views), skip = false;
    if (known && recording_begin(&recording, call)) {
        struct render_pass_instance instance;
        instance.kind = RENDERING_RENDER_PASS;
        instance.inherited = false;
        instance.area = info->renderArea;
        instance.view_mask = pass->subpass_count ? pass->subpasses[0].view_mask : 0;
        instance.layer_count = frame->layers;
        instance.render_pass = object_state_id(&pass->base);
        instance.subpass = 0;
        instance.view_count = frame->attachment_count;
        instance.views = views;
        /* The command buffer's own instance begins only after the call has gone down. */
        recording.rendering = &instance;
        if (!recording.sync->context.graph && !recording.sync->context.broken) {
            recording.only_checks = false;
            recording_tentative(&recording);
            enter_render_pass(&recording);
        }
        skip = recording_finish(&recording);
    }
    scratch_rewind(scratch, mark);
    return skip;
}

/* Begins the instance, or only confirms it if the check before the call has begun it. */
static void begin_render_pass(struct call *call)
{
    struct recording recording;
    if (recording_confirm(call) || !recording_begin(&recording, call))
        return;
    enter_render_pass(&recording);
    recording_end(&recording);
}

bool sync_validate_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkRenderPassBeginInfo *pRenderPassBegin,
                                      VkSubpassContents contents)
{
    return render_pass_check_begin(call, pRenderPassBegin);
}

bool sync_validate_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkRenderPassBeginInfo *pRenderPassBegin,
                                       const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    return render_pass_check_begin(call, pRenderPassBegin);
}

void sync_after_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                   VkSubpassContents contents)
{
    begin_render_pass(call);
}

void sync_after_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkRenderPassBeginInfo *pRenderPassBegin,
                                    const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    begin_render_pass(call);
}

/* Returns the render pass of the active instance, if the instance's beginning is known; else
 * NULL. */
static const struct render_pass *pass_in_progress(const struct recording *recording)
{
    const struct render_pass *pass =
        active_rendering(recording->command_buffer) ? pass_of(recording) : NULL;
    return pass && recording->sync->context.graph &&
                   recording->rendering->subpass < pass->subpass_count
               ? pass
               : NULL;
}

/* Records vkCmdNextSubpass. Returns true if the call is to be skipped. */
static bool next_subpass(struct call *call)
{
    struct recording recording;
    struct recording_before before;
    if (!recording_begin_order(&recording, call))
        return false;
    struct sync_context *context = &recording.sync->context;
    const struct render_pass *pass = pass_in_progress(&recording);
    recording_note_before(&recording, &before);
    /* The state tracker still has the old subpass, as the call has not gone down. */
    uint32_t subpass = pass ? recording.rendering->subpass + 1 : 0; /* the new one */
    if (pass && subpass < pass->subpass_count) {
        end_subpass(&recording, pass, subpass - 1);
        sync_context_next_subpass(context, recording.sync->next_tag);
        begin_subpass(&recording, pass, subpass);
    }
    recording.sync->epoch++;
    return recording_finish_order(&recording, &before);
}

bool sync_validate_CmdNextSubpass(struct call *call, VkCommandBuffer commandBuffer,
                                  VkSubpassContents contents)
{
    return next_subpass(call);
}

bool sync_validate_CmdNextSubpass2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkSubpassBeginInfo *pSubpassBeginInfo,
                                   const VkSubpassEndInfo *pSubpassEndInfo)
{
    return next_subpass(call);
}

/* Records vkCmdEndRenderPass. Returns true if the call is to be skipped. */
static bool end_render_pass(struct call *call)
{
    struct recording recording;
    struct recording_before before;
    if (!recording_begin_order(&recording, call))
        return false;
    struct sync_context *context = &recording.sync->context;
    const struct render_pass *pass = pass_in_progress(&recording);
    recording_note_before(&recording, &before);
    if (pass)
        end_subpass(&recording, pass, recording.rendering->subpass);
    sync_context_end_render_pass(context, recording.sync->next_tag);
    if (pass)
        final_transitions(&recording, pass);
    recording.sync->ignores_aliases = false;
    recording.sync->epoch++;
    return recording_finish_order(&recording, &before);
}

bool sync_validate_CmdEndRenderPass(struct call *call, VkCommandBuffer commandBuffer)
{
    return end_render_pass(call);
}

bool sync_validate_CmdEndRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkSubpassEndInfo *pSubpassEndInfo)
{
    return end_render_pass(call);
}
