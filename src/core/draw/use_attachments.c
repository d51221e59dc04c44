/* Checks descriptors against the attachments of the draw's render pass instance. Input attachments
 * must be the instance's attachments, and other descriptors must not access these. (8 "Render
 * Pass", "Common Render Pass Data Races"; "Fragment Input Attachment Compatibility") */
#include "core/draw/use.h"
#include "core/render/attachment.h"

#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/pipeline/shader.h"

/* An attachment of the instance, or of its current subpass. */
struct target {
    const struct image_view *view; /* NULL: not known */
    enum attachment_kind kind;
    uint32_t index; /* for a color attachment */
    VkImageLayout layout;
    bool written_by_load; /* the load operation, in this subpass, writes it */
};

/* True if the load operation writes. DONT_CARE does, as the contents are undefined after it. */
static bool load_writes(VkAttachmentLoadOp op)
{
    return op == VK_ATTACHMENT_LOAD_OP_CLEAR || op == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
}

/* True if the subpass reads, writes or resolves the attachment. */
static bool subpass_uses(const struct subpass *subpass, uint32_t attachment)
{
    bool uses = subpass->depth_stencil.attachment == attachment ||
                subpass->depth_stencil_resolve.attachment == attachment ||
                subpass->fragment_shading_rate.attachment == attachment;
    for (uint32_t i = 0; i < subpass->input_count; i++)
        uses |= subpass->inputs[i].attachment == attachment;
    for (uint32_t i = 0; i < subpass->color_count; i++)
        uses |= subpass->colors[i].attachment == attachment ||
                (subpass->resolves && subpass->resolves[i].attachment == attachment);
    return uses;
}

/* Describes an attachment of the current subpass; its view is NULL if there is none. */
static struct target target_of_subpass(const struct draw *draw, const struct render_pass *pass,
                                       const struct attachment_reference *reference,
                                       enum attachment_kind kind, uint32_t index)
{
    const uint32_t at = reference->attachment;
    const bool stencil = kind == ATTACHMENT_STENCIL;
    if (at >= pass->attachment_count)
        return (struct target){.view = NULL};
    const VkAttachmentDescription *description = &pass->attachments[at].description;
    bool first = true; /* this subpass executes the attachment's load operation */
    for (uint32_t i = 0; i < draw->rendering->subpass && i < pass->subpass_count; i++)
        first &= !subpass_uses(&pass->subpasses[i], at);
    return (struct target){
        .view = rendering_view(draw->rendering, at),
        .kind = kind,
        .index = index,
        .layout = stencil ? reference->stencil_layout : reference->layout,
        .written_by_load =
            first && load_writes(stencil ? description->stencilLoadOp : description->loadOp)};
}

/* Describes an attachment of dynamic rendering, which the draw may write. */
static struct target target_of_instance(const struct rendering_attachment *attachment,
                                        enum attachment_kind kind, uint32_t index)
{
    return (struct target){.view = attachment->view ? image_view_by_id(attachment->view) : NULL,
                           .kind = kind,
                           .index = index,
                           .layout = attachment->layout,
                           .written_by_load = load_writes(attachment->load)};
}

/* Finds attachment `i`: colors first, then depth and stencil. False: there are no more. A view is
 * NULL if there is none, or it is not known. */
static bool target_at(const struct draw *draw, uint32_t i, struct target *target)
{
    const struct render_pass_instance *rendering = draw->rendering;
    *target = (struct target){.view = NULL};
    if (rendering->kind == RENDERING_DYNAMIC) {
        const uint32_t colors = rendering->formats.color_count < PIPELINE_COLORS
                                    ? rendering->formats.color_count
                                    : PIPELINE_COLORS;
        if (i < colors)
            *target = target_of_instance(&rendering->colors[i], ATTACHMENT_COLOR, i);
        else if (i == colors)
            *target = target_of_instance(&rendering->depth, ATTACHMENT_DEPTH, 0);
        else if (i == colors + 1)
            *target = target_of_instance(&rendering->stencil, ATTACHMENT_STENCIL, 0);
        return i < colors + 2;
    }
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    const struct subpass *subpass = current_subpass(draw->command_buffer, pass);
    if (!subpass || i >= subpass->color_count + 2)
        return false;
    if (i < subpass->color_count)
        *target = target_of_subpass(draw, pass, &subpass->colors[i], ATTACHMENT_COLOR, i);
    else
        *target =
            target_of_subpass(draw, pass, &subpass->depth_stencil,
                              i == subpass->color_count ? ATTACHMENT_DEPTH : ATTACHMENT_STENCIL, 0);
    return true;
}

/* The aspect that a draw writes in an attachment of this kind. */
static VkImageAspectFlags aspect_of(enum attachment_kind kind)
{
    return kind == ATTACHMENT_DEPTH     ? VK_IMAGE_ASPECT_DEPTH_BIT
           : kind == ATTACHMENT_STENCIL ? VK_IMAGE_ASPECT_STENCIL_BIT
                                        : VK_IMAGE_ASPECT_COLOR_BIT;
}

/* --- input attachments --- */

/* True if the views are "equivalent ... except for subresourceRange.aspectMask". */
static bool is_equivalent(const struct image_view *one, const struct image_view *other)
{
    return one->image == other->image && one->format == other->format &&
           one->range.baseMipLevel == other->range.baseMipLevel &&
           one->range.baseArrayLayer == other->range.baseArrayLayer;
}

/* Reports an input attachment whose view is not that of the instance. `name`: text for the
 * attachment. */
static COLD void report_input(struct use *use, const struct image_view *view,
                              const struct image_view *attachment, enum rule rule, const char *name)
{
    use_report(use, rule, (struct wrong){HANDLE_IMAGE_VIEW, object_state_handle(&view->base)},
               "is input attachment %u, but its view is not equivalent to %s of the render pass "
               "instance: another %s",
               use->shader->attachment, name,
               view->image != attachment->image     ? "image"
               : view->format != attachment->format ? "format"
                                                    : "level or layer");
}

/* Checks that an input attachment is that of the current subpass. `view`: the descriptor's view;
 * NULL: not known. */
static void check_input_of_subpass(struct use *use, const struct image_view *view)
{
    const struct draw *draw = use->draw;
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    const struct subpass *subpass = current_subpass(draw->command_buffer, pass);
    const uint32_t index = use->shader->attachment;
    if (!subpass)
        return;
    const uint32_t attachment =
        index < subpass->input_count ? subpass->inputs[index].attachment : VK_ATTACHMENT_UNUSED;
    if (index != SPIRV_NONE && attachment >= pass->attachment_count) {
        use_report(use, RULE_07468,
                   (struct wrong){HANDLE_RENDER_PASS, object_state_handle(&pass->base)},
                   "has InputAttachmentIndex %u, but %s in subpass %u of the render pass", index,
                   index < subpass->input_count ? "that is VK_ATTACHMENT_UNUSED"
                                                : "there is no such input attachment",
                   draw->rendering->subpass);
        return;
    }
    const struct image_view *there =
        index != SPIRV_NONE && view ? rendering_view(draw->rendering, attachment) : NULL;
    if (there && !is_equivalent(view, there))
        report_input(use, view, there, RULE_07469,
                     SUBPASS_ATTACHMENT(draw->s.call, ATTACHMENT_INPUT, index,
                                        draw->rendering->subpass, attachment, there));
}

/* Checks that an input attachment is that of dynamic rendering. `view`: the descriptor's view;
 * NULL: not known. */
static void check_input_of_instance(struct use *use, const struct image_view *view)
{
    const struct render_pass_instance *rendering = use->draw->rendering;
    const uint32_t index = use->shader->attachment;
    const struct rendering_attachment *found = NULL;
    enum attachment_kind kind = ATTACHMENT_COLOR;
    uint32_t i = 0;
    if (index == SPIRV_NONE || rendering->inherited || !view)
        return;
    for (; i < rendering->formats.color_count && i < PIPELINE_COLORS && !found; i++)
        found = rendering->color_input_indices[i] == index ? &rendering->colors[i] : NULL;
    if (!found && rendering->depth_input_index == index &&
        view->range.aspectMask == VK_IMAGE_ASPECT_DEPTH_BIT) {
        found = &rendering->depth;
        kind = ATTACHMENT_DEPTH;
    } else if (!found && rendering->stencil_input_index == index &&
               view->range.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT) {
        found = &rendering->stencil;
        kind = ATTACHMENT_STENCIL;
    }
    const struct image_view *there = found && found->view ? image_view_by_id(found->view) : NULL;
    if (there && !is_equivalent(view, there))
        report_input(use, view, there, RULE_09595,
                     ATTACHMENT(use->draw->s.call, kind, i ? i - 1 : 0, there));
}

/* --- attachments that are accessed otherwise --- */

/* True if the descriptor's view has a single subresource, which is the first one of the
 * attachment. */
static bool is_same_subresource(const struct image_view *view, const struct target *target)
{
    const struct image_view *attachment = target->view;
    return view->image == attachment->image && view->range.levelCount == 1 &&
           view->range.layerCount == 1 && view->type != VK_IMAGE_VIEW_TYPE_3D &&
           view->range.baseMipLevel == attachment->range.baseMipLevel &&
           view->range.baseArrayLayer == attachment->range.baseArrayLayer &&
           view->range.aspectMask == aspect_of(target->kind);
}

/* True if "feedback loop is enabled for an attachment", or that is not known. */
static bool has_feedback(const struct draw *draw, const struct target *target)
{
    return target->layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT ||
           device_has_feature(draw->s.call->device, FEATURE_unifiedImageLayouts);
}

/* True if the fragment shader writes the color attachment in any case, and no mask prevents
 * that. */
static bool writes_color(const struct draw *draw, uint32_t index)
{
    const struct pipeline *pipeline = draw->pipeline;
    const struct render_pass_instance *rendering = draw->rendering;
    if (draw_takes(draw, DYNAMIC_COLOR_WRITE_MASK_EXT) ||
        draw_takes(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT) || index >= pipeline->blend_count ||
        index >= PIPELINE_COLORS || !pipeline->blends[index].colorWriteMask ||
        pipeline->color_writes_disabled >> index & 1 ||
        (rendering->kind == RENDERING_DYNAMIC && rendering->color_locations[index] != index))
        return false;
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        const struct spirv_entry_point *entry =
            stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT ? pipeline_stage_entry(stage) : NULL;
        for (uint32_t k = 0; entry && k < entry->interface_count; k++) {
            const struct spirv_interface *leaf =
                &stage->shader->reflection->interfaces[entry->first_interface + k];
            if (leaf->storage == 3 /* SpvStorageClassOutput */ && leaf->location == index &&
                leaf->access & SPIRV_ACCESS_WRITE)
                return true;
        }
    }
    return false;
}

/* True if no fragment passes the depth test, or the stencil test may fail. */
static bool passes_nothing(const struct draw *draw)
{
    const VkPipelineDepthStencilStateCreateInfo *fixed = &draw->pipeline->depth_stencil;
    if (draw_tests_depth(draw) &&
        DRAW_CURRENT(draw, depth_compare_op, VK_COMPARE_OP_NEVER) == VK_COMPARE_OP_NEVER)
        return true;
    return draw_tests_stencil(draw) &&
           (draw_takes(draw, DYNAMIC_STENCIL_OP) || fixed->front.compareOp == VK_COMPARE_OP_NEVER ||
            fixed->back.compareOp == VK_COMPARE_OP_NEVER);
}

/* True if each fragment writes its stencil value: it passes the tests, and its stencil operation
 * stores. */
static bool writes_stencil(const struct draw *draw)
{
    const VkPipelineDepthStencilStateCreateInfo *fixed = &draw->pipeline->depth_stencil;
    const VkStencilOpState *faces[] = {&fixed->front, &fixed->back};
    if (!draw_tests_stencil(draw) || draw_takes(draw, DYNAMIC_STENCIL_OP) ||
        draw_takes(draw, DYNAMIC_STENCIL_WRITE_MASK))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        if (faces[i]->compareOp != VK_COMPARE_OP_ALWAYS || !faces[i]->writeMask ||
            faces[i]->passOp == VK_STENCIL_OP_KEEP ||
            (draw_tests_depth(draw) && faces[i]->depthFailOp == VK_STENCIL_OP_KEEP))
            return false;
    }
    return true;
}

/* True if the draw may make no fragments, by the states that are known. Points and lines are not
 * culled, but which primitives the draw has is not asked here. */
static bool makes_no_fragments(const struct draw *draw)
{
    return draw_discards(draw) || DRAW_CURRENT(draw, cull_mode, VK_CULL_MODE_FRONT_AND_BACK) ==
                                      VK_CULL_MODE_FRONT_AND_BACK;
}

/* True if the draw may write the attachment, according to known state. */
static bool use_writes(const struct draw *draw, const struct target *target)
{
    if (makes_no_fragments(draw) || passes_nothing(draw))
        return false;
    switch (target->kind) {
    case ATTACHMENT_COLOR:
        return writes_color(draw, target->index);
    case ATTACHMENT_DEPTH:
        return draw_tests_depth(draw) && DRAW_CURRENT(draw, depth_write_enable, false);
    case ATTACHMENT_STENCIL:
        return writes_stencil(draw);
    default:
        return false;
    }
}

static const struct {
    enum rule loaded, written;
} rules_of_reads[] = {
    [ATTACHMENT_COLOR] = {RULE_10795, RULE_12338},
    [ATTACHMENT_DEPTH] = {RULE_10796, RULE_12339},
    [ATTACHMENT_STENCIL] = {RULE_10797, RULE_12340},
};

/* Checks the use of an image that is also the attachment `target`, according to what writes
 * that. */
static void check_overlap(struct use *use, const struct image_view *view,
                          const struct target *target)
{
    const struct draw *draw = use->draw;
    const struct wrong wrong = {HANDLE_IMAGE_VIEW, object_state_handle(&view->base)};
    if (use->shader->access & SPIRV_ACCESS_SURE_WRITE)
        use_report(use, RULE_06537, wrong,
                   "is written there, but is %s of the render pass instance",
                   ATTACHMENT(draw->s.call, target->kind, target->index, target->view));
    else if (has_feedback(draw, target))
        return;
    else if (target->written_by_load)
        use_report(use, rules_of_reads[target->kind].loaded, wrong,
                   "is read there, but is %s, which the load operation writes, and feedback loop "
                   "is not enabled for it",
                   ATTACHMENT(draw->s.call, target->kind, target->index, target->view));
    else if (rules_of_reads[target->kind].written && use_writes(draw, target))
        use_report(use, rules_of_reads[target->kind].written, wrong,
                   "is read there, but is %s, which this command writes, and feedback loop is not "
                   "enabled for it",
                   ATTACHMENT(draw->s.call, target->kind, target->index, target->view));
}

void use_check_attachments(struct use *use)
{
    const struct draw *draw = use->draw;
    const enum descriptor_tag tag = (enum descriptor_tag)use->descriptor.tag;
    const struct image_view *view =
        descriptor_is_image(tag) ? image_view_by_id(descriptor_view_id(use->descriptor)) : NULL;
    struct target target;
    if (draw->pipeline->bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS || !use_is_sure(use))
        return;
    if (tag == DESCRIPTOR_INPUT_ATTACHMENT) {
        if (use->shader->resource != SPIRV_RESOURCE_INPUT_ATTACHMENT ||
            !(use->shader->access & SPIRV_ACCESS_READ))
            return;
        if (draw->rendering->kind == RENDERING_DYNAMIC)
            check_input_of_instance(use, view);
        else
            check_input_of_subpass(use, view);
        return;
    }
    if (!view || !(use->shader->access & (SPIRV_ACCESS_SURE_READ | SPIRV_ACCESS_SURE_WRITE)) ||
        (use->stage == VK_SHADER_STAGE_FRAGMENT_BIT && makes_no_fragments(draw)))
        return;
    /* With multiview, the first layer is only an attachment if the first view is rendered. */
    if (draw->rendering->view_mask && !(draw->rendering->view_mask & 1))
        return;
    for (uint32_t i = 0; use->right && target_at(draw, i, &target); i++) {
        if (target.view && is_same_subresource(view, &target))
            check_overlap(use, view, &target);
    }
}

/* --- input attachments of shader objects --- */

void draw_check_input_indices(struct draw *draw)
{
    const struct render_pass_instance *rendering = draw->rendering;
    /* A render pass has references instead, and the indices of an inherited instance are not
     * known. */
    if (!rendering || rendering->kind != RENDERING_DYNAMIC || rendering->inherited)
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            const struct spirv_reflection *code = stage->shader->reflection;
            const struct spirv_binding *shader = &code->bindings[entry->first_binding + k];
            const uint32_t index = shader->attachment;
            if (shader->resource != SPIRV_RESOURCE_INPUT_ATTACHMENT || shader->arrayed ||
                shader->access & SPIRV_ACCESS_PASSED || !(shader->access & SPIRV_ACCESS_READ))
                continue;
            bool found =
                index == rendering->depth_input_index || index == rendering->stencil_input_index;
            for (uint32_t c = 0; c < rendering->formats.color_count && c < PIPELINE_COLORS; c++)
                found |= index == rendering->color_input_indices[c];
            if (index == SPIRV_NONE && rendering->depth_input_index != VK_ATTACHMENT_UNUSED &&
                rendering->stencil_input_index != VK_ATTACHMENT_UNUSED)
                BROKEN_OF(&draw->s, NULL, RULE_09596, "commandBuffer",
                          "has a shader object whose input attachment \"%s\" has no "
                          "InputAttachmentIndex, but depth and stencil have one in the render pass "
                          "instance",
                          code->text + shader->name);
            else if (index != SPIRV_NONE && !found)
                BROKEN_OF(&draw->s, NULL, RULE_09597, "commandBuffer",
                          "has a shader object whose input attachment \"%s\" has "
                          "InputAttachmentIndex %u, which no attachment of the render pass "
                          "instance has",
                          code->text + shader->name, index);
        }
    }
}
