/* Checks that the bound pipeline matches the render pass instance of the draw (20 "Drawing
 * Commands", 8.2 "Render Pass Compatibility"). It compares render pass, subpass, formats, samples
 * and read-only attachments. */
#include "core/render/attachment.h"
#include "core/draw/draw.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/pipeline/shader.h"

/* Checks that the bound pipeline was created for this subpass of a compatible render pass. */
static void draw_rendering_check_render_pass(struct draw *draw)
{
    assert(draw->pipeline && draw->rendering);
    const struct pipeline *pipeline = draw->pipeline;
    const struct render_pass_instance *rendering = draw->rendering;
    const struct render_pass *active = active_render_pass(draw->command_buffer);
    if (!active || !pipeline->parts)
        return;
    /* The current render pass must be compatible with the renderPass member of the
     * VkGraphicsPipelineCreateInfo structure specified when creating the VkPipeline, which may be
     * destroyed by now. */
    bool compatible =
        pipeline->render_pass && (!pipeline->render_pass_compatibility ||
                                  pipeline->render_pass_compatibility == active->compatibility);
    if (!compatible)
        BROKEN_OF(&draw->s,
                  OBJECT2(HANDLE_RENDER_PASS, object_state_handle(&active->base), HANDLE_PIPELINE,
                          object_state_handle(&pipeline->base)),
                  RULE_02684, "commandBuffer",
                  "is in an instance of a render pass that is not compatible with %s",
                  pipeline->render_pass
                      ? "the one that the bound pipeline was created with"
                      : "the bound pipeline, which was created for dynamic rendering "
                        "(renderPass is VK_NULL_HANDLE)");
    /* The subpass index of the current render pass must be equal to the subpass member of the
     * VkGraphicsPipelineCreateInfo */
    else if (rendering->subpass != pipeline->subpass)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_02685, "commandBuffer",
                  "is in subpass %u of the render pass, but the bound pipeline was created "
                  "for subpass %u",
                  rendering->subpass, pipeline->subpass);
}

/* An attachment of dynamic rendering, and the format for it with which the pipeline was created. */
struct format_pair {
    enum attachment_kind kind;
    uint32_t index;          /* for a color attachment */
    uint64_t view_id;        /* 0: not known, as in a secondary command buffer */
    bool present;            /* the imageView is not VK_NULL_HANDLE */
    VkFormat view, pipeline; /* VK_FORMAT_UNDEFINED: none */
};

/* The bound pipeline, and a view with its image, as far as they exist. */
static COLD const struct finding_objects *pipeline_and_view(const struct draw *draw,
                                                            const struct image_view *view,
                                                            struct finding_objects *objects)
{
    const struct image *image = view ? image_by_id(view->image) : NULL;
    *objects = (struct finding_objects){.count = 0};
    if (!draw_has_shader_objects(draw))
        objects->list[objects->count++] =
            (struct finding_object){HANDLE_PIPELINE, object_state_handle(&draw->pipeline->base)};
    if (view)
        objects->list[objects->count++] =
            (struct finding_object){HANDLE_IMAGE_VIEW, object_state_handle(&view->base)};
    if (image)
        objects->list[objects->count++] =
            (struct finding_object){HANDLE_IMAGE, object_state_handle(&image->base)};
    return objects;
}
/* The pipeline and a view, as the objects of a finding. */
#define PIPELINE_AND_VIEW(draw_, view_) \
    pipeline_and_view((draw_), (view_), &(struct finding_objects){.count = 0})

/* Indices of rules whose numbers differ for colors, depth and stencil. */
enum format_rule { UNUSED_DIFFERS, EMPTY_NOT_UNDEFINED, DIFFERS };

/* The index of the rule that the pair breaks; -1: none. `unused`: the feature
 * dynamicRenderingUnusedAttachments is enabled. */
static int format_fault(const struct format_pair *pair, bool unused)
{
    if (unused)
        return pair->present && pair->view != pair->pipeline &&
                       pair->pipeline != VK_FORMAT_UNDEFINED
                   ? UNUSED_DIFFERS
                   : -1;
    if (!pair->present)
        return pair->pipeline != VK_FORMAT_UNDEFINED ? EMPTY_NOT_UNDEFINED : -1;
    return pair->view != pair->pipeline ? DIFFERS : -1;
}

/* Reports an attachment with another format than that of the pipeline. `fault`: index into
 * `rules`. */
static void report_format(struct draw *draw, const struct format_pair *pair, int fault,
                          const enum rule rules[3])
{
    assert(fault >= 0 && fault < 3);
    draw->s.wrong = true;
    enum vuid vuid = rule_vuid(draw->s.call->command, rules[fault]);
    const struct value_text view = value_text(VALUES_VkFormat, (uint64_t)pair->view);
    const struct value_text pipeline = value_text(VALUES_VkFormat, (uint64_t)pair->pipeline);
    const struct image_view *state = pair->view_id ? image_view_by_id(pair->view_id) : NULL;
    const char *name = ATTACHMENT(draw->s.call, pair->kind, pair->index, state);
    if (pair->present)
        BROKEN_OF(&draw->s, PIPELINE_AND_VIEW(draw, state), vuid, &LOCATION(NULL, "commandBuffer"),
                  "is in a render pass instance whose %s has the format %s, but the "
                  "bound pipeline was created for %s",
                  name, view.text, pipeline.text);
    else
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), vuid, &LOCATION(NULL, "commandBuffer"),
                  "has no %s in its render pass instance, but the bound pipeline was "
                  "created for one of %s",
                  name, pipeline.text);
}

/* Compares the formats of all attachments of dynamic rendering with those of the pipeline. */
static void draw_rendering_check_formats(struct draw *draw)
{
    static const enum rule colors[] = {RULE_08911, RULE_08912, RULE_08910};
    static const enum rule depth[] = {RULE_08915, RULE_08913, RULE_08914};
    static const enum rule stencil[] = {RULE_08918, RULE_08916, RULE_08917};
    const struct render_pass_instance *rendering = draw->rendering;
    const struct rendering_formats *now = &rendering->formats, *made_for = &draw->pipeline->formats;
    bool unused =
        device_has_feature(draw->s.call->device, FEATURE_dynamicRenderingUnusedAttachments);
    /* If the dynamicRenderingUnusedAttachments feature is not enabled ..., the bound graphics
     * pipeline must have been created with a VkPipelineRenderingCreateInfo::colorAttachmentCount
     * equal to VkRenderingInfo::colorAttachmentCount */
    if (!unused && now->color_count != made_for->color_count)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_06179, "commandBuffer",
                  "is in a render pass instance with %u color attachments, but the bound pipeline "
                  "was "
                  "created for %u",
                  now->color_count, made_for->color_count);
    for (uint32_t i = 0; i < now->color_count && i < made_for->color_count && i < PIPELINE_COLORS;
         i++) {
        const struct format_pair pair = {.kind = ATTACHMENT_COLOR,
                                         .index = i,
                                         .view_id = rendering->colors[i].view,
                                         .present = now->colors[i] != VK_FORMAT_UNDEFINED,
                                         .view = now->colors[i],
                                         .pipeline = made_for->colors[i]};
        int fault = format_fault(&pair, unused);
        if (fault >= 0)
            report_format(draw, &pair, fault, colors);
    }
    const struct format_pair depth_pair = {.kind = ATTACHMENT_DEPTH,
                                           .view_id = rendering->depth.view,
                                           .present = now->depth != VK_FORMAT_UNDEFINED,
                                           .view = now->depth,
                                           .pipeline = made_for->depth};
    const struct format_pair stencil_pair = {.kind = ATTACHMENT_STENCIL,
                                             .view_id = rendering->stencil.view,
                                             .present = now->stencil != VK_FORMAT_UNDEFINED,
                                             .view = now->stencil,
                                             .pipeline = made_for->stencil};
    int fault = format_fault(&depth_pair, unused);
    if (fault >= 0)
        report_format(draw, &depth_pair, fault, depth);
    fault = format_fault(&stencil_pair, unused);
    if (fault >= 0)
        report_format(draw, &stencil_pair, fault, stencil);
}

/* True if an extension allows that sample counts of attachments differ from the pipeline's. */
static bool samples_may_differ(const struct device *device)
{
    return extension_set_has(&device->extensions, EXTENSION_VK_AMD_mixed_attachment_samples) ||
           extension_set_has(&device->extensions, EXTENSION_VK_NV_framebuffer_mixed_samples) ||
           device_has_feature(device, FEATURE_multisampledRenderToSingleSampled);
}

/* Checks one attachment. `samples`: the rasterization samples. */
static bool check_view_samples(struct draw *draw, const struct rendering_attachment *attachment,
                               enum attachment_kind kind, uint32_t index, enum rule rule,
                               VkSampleCountFlagBits samples)
{
    assert(attachment && samples);
    const struct image_view *view = image_view_by_id(attachment->view);
    if (!view || view->samples == samples)
        return true;
    BROKEN_OF(&draw->s, PIPELINE_AND_VIEW(draw, view), rule, &LOCATION(NULL, "commandBuffer"),
              "is in a render pass instance whose %s has %u samples, but %u are rasterized",
              ATTACHMENT(draw->s.call, kind, index, view), view->samples, samples);
    return false;
}

/* Reports attachments of a subpass. `samples`: the rasterization samples. */
static COLD void report_subpass_samples(struct draw *draw, const struct subpass *subpass,
                                        VkSampleCountFlagBits samples)
{
    assert(subpass && samples);
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    for (uint32_t i = 0; pass && i <= subpass->color_count; i++) {
        const bool color = i < subpass->color_count;
        const uint32_t attachment =
            color ? subpass->colors[i].attachment : subpass->depth_stencil.attachment;
        if (attachment >= pass->attachment_count ||
            pass->attachments[attachment].description.samples != subpass->samples)
            continue;
        const struct image_view *view = rendering_view(draw->rendering, attachment);
        BROKEN_OF(&draw->s, PIPELINE_AND_VIEW(draw, view), RULE_08644, "commandBuffer",
                  "has %u samples in %s, but %u are rasterized", subpass->samples,
                  SUBPASS_ATTACHMENT(draw->s.call,
                                     color ? ATTACHMENT_COLOR : ATTACHMENT_DEPTH_STENCIL, i,
                                     draw->rendering->subpass, attachment, view),
                  samples);
        return;
    }
    BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08644, "commandBuffer",
              "is in subpass %u, whose attachments have %u samples, but %u are rasterized",
              draw->rendering->subpass, subpass->samples, samples);
}

/* Compares the sample counts of all attachments with that of the draw. Draws that discard all
 * primitives are not checked. */
static void draw_rendering_check_samples(struct draw *draw)
{
    const struct render_pass_instance *rendering = draw->rendering;
    if (samples_may_differ(draw->s.call->device) || draw_discards(draw))
        return;
    if (rendering->kind == RENDERING_RENDER_PASS) {
        const struct subpass *subpass = active_subpass(draw->command_buffer);
        VkSampleCountFlagBits samples = draw_samples(draw);
        /* ... then the current value of rasterizationSamples must be the same as the current color
         * and/or depth/stencil attachments */
        if (subpass && subpass->samples && samples && subpass->samples != samples)
            report_subpass_samples(draw, subpass, samples);
        return;
    }
    /* ... and vkCmdBeginCustomResolveEXT has not yet been recorded in the render pass instance ...
     */
    if (rendering->inherited || rendering->custom_resolve)
        return;
    const VkSampleCountFlagBits samples = draw_samples(draw);
    const bool dynamic = draw_takes(draw, DYNAMIC_RASTERIZATION_SAMPLES_EXT);
    bool right = samples != 0;
    for (uint32_t i = 0; right && i < rendering->formats.color_count && i < PIPELINE_COLORS; i++)
        right = check_view_samples(draw, &rendering->colors[i], ATTACHMENT_COLOR, i,
                                   dynamic ? RULE_08644 : RULE_07285, samples);
    right = right && check_view_samples(draw, &rendering->depth, ATTACHMENT_DEPTH, 0,
                                        dynamic ? RULE_08644 : RULE_07286, samples);
    if (right)
        (void)check_view_samples(draw, &rendering->stencil, ATTACHMENT_STENCIL, 0,
                                 dynamic ? RULE_08644 : RULE_07287, samples);
}

/* True if the fragment shader statically uses an input attachment with this
 * InputAttachmentIndex. */
static bool reads_input(const struct draw *draw, uint32_t index)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry =
            stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT ? pipeline_stage_entry(stage) : NULL;
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            const struct spirv_binding *binding =
                &stage->shader->reflection->bindings[entry->first_binding + k];
            if (binding->resource == SPIRV_RESOURCE_INPUT_ATTACHMENT && !binding->arrayed &&
                binding->flags & SPIRV_HAS_ATTACHMENT && binding->attachment == index)
                return true;
        }
    }
    return false;
}

/* if either ... in the bound pipeline or the value for the corresponding index set currently in
 * the current render pass instance is statically used in the bound pipeline in an
 * InputAttachmentIndex decoration, the two values must match */
static bool inputs_differ(const struct draw *draw, uint32_t made_for, uint32_t now)
{
    return unlikely(made_for != now) &&
           ((made_for != VK_ATTACHMENT_UNUSED && reads_input(draw, made_for)) ||
            (now != VK_ATTACHMENT_UNUSED && reads_input(draw, now)));
}

/* Checks that the pipeline's input attachment indices are those of the render pass instance. */
static void check_input_indices(struct draw *draw)
{
    const struct pipeline *pipeline = draw->pipeline;
    const struct render_pass_instance *rendering = draw->rendering;
    if (!(pipeline->parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT))
        return;
    for (uint32_t i = 0; i < PIPELINE_COLORS && i < pipeline->formats.color_count &&
                         i < rendering->formats.color_count;
         i++) {
        if (inputs_differ(draw, pipeline->color_input_indices[i],
                          rendering->color_input_indices[i])) {
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_09549, "commandBuffer",
                      "has the input attachment index %d for color attachment %u in its render "
                      "pass instance, but the bound pipeline has %d",
                      (int)rendering->color_input_indices[i], i,
                      (int)pipeline->color_input_indices[i]);
            break;
        }
    }
    if (inputs_differ(draw, pipeline->depth_input_index, rendering->depth_input_index))
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_10927, "commandBuffer",
                  "has the input attachment index %d for the depth attachment in its render pass "
                  "instance, but the bound pipeline has %d",
                  (int)rendering->depth_input_index, (int)pipeline->depth_input_index);
    if (inputs_differ(draw, pipeline->stencil_input_index, rendering->stencil_input_index))
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_10928, "commandBuffer",
                  "has the input attachment index %d for the stencil attachment in its render pass "
                  "instance, but the bound pipeline has %d",
                  (int)rendering->stencil_input_index, (int)pipeline->stencil_input_index);
}

/* Checks the pipeline in dynamic rendering. `dirty`: what has changed since the last draw. */
static void draw_rendering_check_dynamic(struct draw *draw, uint32_t dirty)
{
    assert(draw->rendering->kind == RENDERING_DYNAMIC);
    const struct pipeline *pipeline = draw->pipeline;
    const struct render_pass_instance *rendering = draw->rendering;
    /* a row says that it must be of dynamic rendering */
    if (pipeline->render_pass)
        return;
    /* The formats are fragment output state, which a pipeline that always discards primitives does
     * not have. */
    if (!(pipeline->parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT))
        return;
    if (dirty & (DIRTY_PIPELINE | DIRTY_RENDER_PASS)) /* none of it is dynamic state */
        check_input_indices(draw);
    draw_rendering_check_formats(draw);
    for (uint32_t i = 0; i < pipeline->formats.color_count && i < PIPELINE_COLORS; i++) {
        /* ... the value of each element of
         * VkRenderingAttachmentLocationInfo::pColorAttachmentLocations in the bound pipeline must
         * match the value for the corresponding locations set currently in the current render pass
         * instance */
        if (i < rendering->formats.color_count &&
            pipeline->color_locations[i] != rendering->color_locations[i]) {
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_09548, "commandBuffer",
                      "has location %d for color attachment %u in its render pass instance, but "
                      "the "
                      "bound pipeline has %d",
                      (int)rendering->color_locations[i], i, (int)pipeline->color_locations[i]);
            break;
        }
    }
}

/* True for layouts in which depth is read-only. */
static bool reads_only_depth(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
}

/* True for layouts in which stencil is read-only. */
static bool reads_only_stencil(VkImageLayout layout)
{
    return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL ||
           layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL;
}

/* Finds the layouts of the depth and stencil attachments; UNDEFINED: there is none. */
static void find_layouts(const struct draw *draw, VkImageLayout *depth, VkImageLayout *stencil)
{
    assert(draw->rendering && depth && stencil);
    const struct render_pass_instance *rendering = draw->rendering;
    *depth = *stencil = VK_IMAGE_LAYOUT_UNDEFINED;
    if (rendering->kind == RENDERING_DYNAMIC) {
        if (rendering->depth.view)
            *depth = rendering->depth.layout;
        if (rendering->stencil.view)
            *stencil = rendering->stencil.layout;
        return;
    }
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    const struct subpass *subpass = current_subpass(draw->command_buffer, pass);
    if (!subpass || subpass->depth_stencil.attachment >= pass->attachment_count)
        return;
    VkFormat format = pass->attachments[subpass->depth_stencil.attachment].description.format;
    if (format_has_depth(format))
        *depth = subpass->depth_stencil.layout;
    if (format_has_stencil(format))
        *stencil = subpass->depth_stencil.stencil_layout;
}

/* The text for the depth or stencil attachment, depending on `kind`. */
static COLD const char *depth_stencil_text(const struct draw *draw, enum attachment_kind kind,
                                           struct attachment_text *text)
{
    const struct render_pass_instance *rendering = draw->rendering;
    if (rendering->kind == RENDERING_DYNAMIC) {
        const uint64_t id =
            kind == ATTACHMENT_DEPTH ? rendering->depth.view : rendering->stencil.view;
        return attachment_text(draw->s.call, kind, 0, id ? image_view_by_id(id) : NULL, text);
    }
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    if (!subpass)
        return attachment_text(draw->s.call, kind, 0, NULL, text);
    const uint32_t attachment = subpass->depth_stencil.attachment;
    return subpass_attachment_text(draw->s.call, kind, 0, rendering->subpass, attachment,
                                   rendering_view(rendering, attachment), text);
}
/* The text for the depth or stencil attachment, which is valid until the end of the block. */
#define DEPTH_STENCIL(draw_, kind_) \
    depth_stencil_text((draw_), (kind_), &(struct attachment_text){.text = ""})

/* Finds the write mask of a face (0: front, 1: back), and whether all its operations are KEEP.
 * False: not known. */
static bool stencil_of_face(const struct draw *draw, uint32_t face, uint32_t *write_mask,
                            bool *keeps)
{
    assert(face < 2);
    const VkPipelineDepthStencilStateCreateInfo *fixed = &draw->pipeline->depth_stencil;
    const VkStencilOpState *state = face ? &fixed->back : &fixed->front;
    VkStencilOp fail = state->failOp, pass = state->passOp, depth_fail = state->depthFailOp;
    *write_mask = state->writeMask;
    if (draw_takes(draw, DYNAMIC_STENCIL_WRITE_MASK)) {
        const struct command_buffer_dynamic *values =
            command_buffer_dynamic_of(draw->command_buffer, DYNAMIC_STENCIL_WRITE_MASK);
        if (!values || !(values->stencil_write_masks_set >> face & 1))
            return false;
        *write_mask = values->stencil[face].write_mask;
    }
    if (draw_takes(draw, DYNAMIC_STENCIL_OP)) {
        const struct command_buffer_dynamic *values =
            command_buffer_dynamic_of(draw->command_buffer, DYNAMIC_STENCIL_OP);
        if (!values || !(values->stencil_ops_set >> face & 1))
            return false;
        fail = values->stencil[face].fail;
        pass = values->stencil[face].pass;
        depth_fail = values->stencil[face].depth_fail;
    }
    *keeps = fail == VK_STENCIL_OP_KEEP && pass == VK_STENCIL_OP_KEEP &&
             depth_fail == VK_STENCIL_OP_KEEP;
    return true;
}

/* True if stencil is written: "both front and back writeMask are not zero", and not all stencil ops
 * are VK_STENCIL_OP_KEEP. */
static bool writes_stencil(const struct draw *draw)
{
    uint32_t front, back;
    bool front_keeps, back_keeps;
    return stencil_of_face(draw, 0, &front, &front_keeps) &&
           stencil_of_face(draw, 1, &back, &back_keeps) && front && back &&
           !(front_keeps && back_keeps);
}

/* Checks that nothing is written to depth or stencil in a read-only layout. */
static void check_read_only(struct draw *draw)
{
    VkImageLayout depth, stencil;
    find_layouts(draw, &depth, &stencil);
    if (draw_discards(draw))
        return;
    bool writes = DRAW_CURRENT(draw, depth_write_enable, false);
    /* If the current render pass instance uses a depth/stencil attachment with a read-only layout
     * for the depth aspect, depth writes must be disabled */
    if (reads_only_depth(depth) && draw_tests_depth(draw) && writes)
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_06886, "commandBuffer",
                  "has the read-only layout %s for the %s, but depth writes are enabled",
                  value_text(VALUES_VkImageLayout, (uint64_t)depth).text,
                  DEPTH_STENCIL(draw, ATTACHMENT_DEPTH));
    /* ... read-only layout for the stencil aspect, both front and back writeMask are not zero, and
     * stencil test is enabled, all stencil ops must be VK_STENCIL_OP_KEEP */
    if (reads_only_stencil(stencil) && draw_tests_stencil(draw) && writes_stencil(draw))
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_06887, "commandBuffer",
                  "has the read-only layout %s for the %s, but the stencil operations are "
                  "not all VK_STENCIL_OP_KEEP",
                  value_text(VALUES_VkImageLayout, (uint64_t)stencil).text,
                  DEPTH_STENCIL(draw, ATTACHMENT_STENCIL));
}

/* The view of color attachment `index` of the subpass or instance; NULL: none, or not known. */
static const struct image_view *color_view(const struct draw *draw, uint32_t index)
{
    assert(draw->rendering);
    const struct render_pass_instance *rendering = draw->rendering;
    if (rendering->kind == RENDERING_DYNAMIC)
        return index < PIPELINE_COLORS && index < rendering->formats.color_count &&
                       rendering->color_locations[index] == index
                   ? image_view_by_id(rendering->colors[index].view)
                   : NULL;
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    return subpass && index < subpass->color_count
               ? rendering_view(rendering, subpass->colors[index].attachment)
               : NULL;
}

/* ... for each color attachment, if the corresponding image view's format features do not contain
 * VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT, then the corresponding current value of blendEnable
 * must be VK_FALSE. For static state, this was checked when the pipeline was created. */
static void check_blending(struct draw *draw)
{
    const struct command_buffer_dynamic *values =
        command_buffer_dynamic_of(draw->command_buffer, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
    if (!values || !draw_takes(draw, DYNAMIC_COLOR_BLEND_ENABLE_EXT) || draw_discards(draw))
        return;
    uint32_t enabled = values->color_blend_enables & values->color_blend_enables_set;
    for (; enabled; enabled &= enabled - 1) {
        const uint32_t index = (uint32_t)__builtin_ctz(enabled);
        const struct image_view *view = color_view(draw, index);
        const struct image *image = view ? image_by_id(view->image) : NULL;
        if (!image || !format_info(view->format) || image->tiling > VK_IMAGE_TILING_LINEAR ||
            format_features(draw->s.call->device, view->format, image->tiling) &
                VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT)
            continue;
        BROKEN_OF(&draw->s, OBJECT(HANDLE_IMAGE_VIEW, object_state_handle(&view->base)), RULE_04727,
                  "commandBuffer",
                  "blends into %s, as vkCmdSetColorBlendEnableEXT has set, but its format, %s, "
                  "cannot "
                  "be blended",
                  ATTACHMENT(draw->s.call, ATTACHMENT_COLOR, index, view),
                  value_text(VALUES_VkFormat, (uint64_t)view->format).text);
    }
}

void draw_check_rendering(struct draw *draw, uint32_t dirty)
{
    assert(draw->pipeline);
    if (!draw->rendering)
        return;
    const bool dynamic = draw->rendering->kind == RENDERING_DYNAMIC,
               shaders = draw_has_shader_objects(draw); /* these are created without formats */
    if (shaders && !dynamic)
        return; /* 08876 reports it */
    if (!dynamic)
        draw_rendering_check_render_pass(draw);
    else if (!shaders)
        draw_rendering_check_dynamic(draw, dirty);
    draw_rendering_check_samples(draw);
    check_read_only(draw);
    check_blending(draw);
}
