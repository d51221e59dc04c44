/* Checks that the state which a secondary command buffer inherits matches the render pass instance
 * in which it is executed (6.6 "Secondary Command Buffer Execution"). */
#include "core/render/attachment.h"
#include "core/record/execute_commands.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"

#include "report/finding/rule.h"

bool execution_check_contents(const struct execution *e)
{
    assert(e->primary);
    const struct call *call = e->call;
    const struct render_pass_instance *rendering = active_rendering(e->primary);
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    /* How an inherited instance was begun is not known here. */
    if (!rendering || rendering->inherited)
        return false;
    struct subject s = {.call = call};
    if (rendering->kind == RENDERING_DYNAMIC)
    /* ... begun with vkCmdBeginRendering, its VkRenderingInfo::flags must have included
     * VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT */
    {
        REQUIRE(&s, RULE_06024,
                rendering->flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT, where,
                "is in a render pass instance that was begun without "
                "VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT");
        return s.skip;
    }
    if (likely(rendering->contents == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS ||
               rendering->contents == VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR))
        return false;
    /* ... the contents parameter of vkCmdBeginRenderPass (of the last call to vkCmdNextSubpass)
     * must have been SECONDARY_COMMAND_BUFFERS, or INLINE_AND_SECONDARY_COMMAND_BUFFERS */
    return BROKEN_BY(call, rendering->subpass ? RULE_09681 : RULE_09680, where, NULL,
                     "is in subpass %u, whose contents were declared as %s", rendering->subpass,
                     value_text(VALUES_VkSubpassContents, (uint64_t)rendering->contents).text);
}

/* --- render pass objects --- */

/* Checks that the secondary was recorded for the instance's transform. */
static bool check_transform(const struct execution *e, const struct render_pass_instance *rendering)
{
    assert(e->inheritance);
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    bool skip = false;
    if (likely(!rendering->transform))
        return false;
    /* ... must have been recorded with VkCommandBufferInheritanceRenderPassTransformInfoQCOM */
    if (!inheritance->has_transform)
        return execution_report(e, RULE(call, 02865),
                                "was recorded without "
                                "VkCommandBufferInheritanceRenderPassTransformInfoQCOM, but the "
                                "render pass instance has a VkRenderPassTransformBeginInfoQCOM");
    /* ... transform identical to VkRenderPassTransformBeginInfoQCOM::transform */
    if (inheritance->transform != rendering->transform)
        skip |= execution_report(e, RULE(call, 02866),
                                 "was recorded for %s, but the render pass instance has %s",
                                 value_text(VALUES_VkSurfaceTransformFlagBitsKHR,
                                            (uint64_t)inheritance->transform)
                                     .text,
                                 value_text(VALUES_VkSurfaceTransformFlagBitsKHR,
                                            (uint64_t)rendering->transform)
                                     .text);
    /* ... renderArea identical to VkRenderPassBeginInfo::renderArea */
    const VkRect2D *theirs = &inheritance->render_area, *mine = &rendering->area;
    if (theirs->offset.x != mine->offset.x || theirs->offset.y != mine->offset.y ||
        theirs->extent.width != mine->extent.width || theirs->extent.height != mine->extent.height)
        skip |= execution_report(e, RULE(call, 02867),
                                 "was recorded for a render area of %ux%u at (%d, %d), but that of "
                                 "the render pass instance is %ux%u at (%d, %d)",
                                 theirs->extent.width, theirs->extent.height, theirs->offset.x,
                                 theirs->offset.y, mine->extent.width, mine->extent.height,
                                 mine->offset.x, mine->offset.y);
    return skip;
}

/* Checks that the secondary was recorded for this render pass, subpass and framebuffer. */
static bool execute_rendering_check_render_pass(const struct execution *e,
                                                const struct render_pass_instance *rendering)
{
    assert(e->inheritance && rendering);
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    const struct render_pass *pass = active_render_pass(e->primary);
    bool skip = false;
    /* ... the render passes specified in the pBeginInfo->pInheritanceInfo->renderPass members ...
     * must be compatible with the current render pass */
    if (unlikely(!inheritance->has_render_pass))
        return execution_report(e, RULE(call, 06020),
                                "was recorded for vkCmdBeginRendering (renderPass is "
                                "VK_NULL_HANDLE), but the render pass instance was begun with a "
                                "render pass");
    if (pass && inheritance->render_pass &&
        unlikely(pass->compatibility != inheritance->compatibility))
        skip |= execution_report(e, RULE(call, 06020),
                                 "was recorded for a render pass that is not compatible with the "
                                 "current one, %s",
                                 NAMED_STATE(call, &pass->base));
    /* ... with VkCommandBufferInheritanceInfo::subpass set to the index of the subpass which the
     * given command buffer will be executed in */
    if (unlikely(inheritance->subpass != rendering->subpass))
        skip |= execution_report(e, RULE(call, 06019),
                                 "was recorded for subpass %u, but the current one is subpass %u",
                                 inheritance->subpass, rendering->subpass);
    /* ... VkCommandBufferInheritanceInfo::framebuffer not equal to VK_NULL_HANDLE, that
     * VkFramebuffer must match the one used in the current instance */
    if (unlikely(inheritance->framebuffer && rendering->framebuffer &&
                 inheritance->framebuffer != rendering->framebuffer))
        skip |= execution_report(e, RULE(call, 00099),
                                 "was recorded for another framebuffer than the one that the "
                                 "render pass instance uses");
    return skip | check_transform(e, rendering);
}

/* --- dynamic rendering --- */

/* Text for the kind of an attachment that the secondary was recorded for, such as "color attachment
 * 1" or "a depth attachment". */
#define RECORDED_FOR(e_, kind_, index_) \
    (kind_) == ATTACHMENT_COLOR ? "" : "a ", ATTACHMENT((e_)->call, (kind_), (index_), NULL)

/* Checks one format that the secondary was recorded for.
 * `same`: the id if the instance has that attachment; `none`: the id if it does not. */
static bool execute_rendering_check_format(const struct execution *e, uint64_t view_id,
                                           VkFormat format, enum vuid same, enum vuid none,
                                           enum attachment_kind kind, uint32_t index)
{
    const struct image_view *view = view_id ? image_view_by_id(view_id) : NULL;
    /* If the imageView is not VK_NULL_HANDLE, the format must be equal to the format used to create
     * that image view */
    if (view && unlikely(view->format != format))
        return execution_report(e, same,
                                "was recorded for %s%s of %s, but the render pass instance has %s "
                                "there, of %s",
                                RECORDED_FOR(e, kind, index), TEXT_OF(VkFormat, format),
                                VIEW(e->call, view), TEXT_OF(VkFormat, view->format));
    /* ... is VK_NULL_HANDLE, it must be VK_FORMAT_UNDEFINED */
    if (!view_id && unlikely(format != VK_FORMAT_UNDEFINED))
        return execution_report(e, none,
                                "was recorded for %s%s of %s, but the render pass instance has "
                                "none there",
                                RECORDED_FOR(e, kind, index), TEXT_OF(VkFormat, format));
    return false;
}

/* Checks all formats that the secondary was recorded for. */
static bool execute_rendering_check_formats(const struct execution *e,
                                            const struct render_pass_instance *rendering)
{
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    bool skip = false;
    /* ... the colorAttachmentCount member ... must be equal to the
     * VkRenderingInfo::colorAttachmentCount parameter */
    if (unlikely(inheritance->color_count != rendering->formats.color_count &&
                 inheritance->color_count < PIPELINE_COLORS &&
                 rendering->formats.color_count < PIPELINE_COLORS))
        skip |= execution_report(e, RULE(call, 06027),
                                 "was recorded for %u color attachments, but the render pass "
                                 "instance has %u",
                                 inheritance->color_count, rendering->formats.color_count);
    for (uint32_t i = 0; i < rendering->formats.color_count && i < inheritance->formats.color_count;
         i++)
        skip |= execute_rendering_check_format(e, rendering->colors[i].view,
                                               inheritance->formats.colors[i], RULE(call, 06028),
                                               RULE(call, 07606), ATTACHMENT_COLOR, i);
    skip |=
        execute_rendering_check_format(e, rendering->depth.view, inheritance->formats.depth,
                                       RULE(call, 06029), RULE(call, 06774), ATTACHMENT_DEPTH, 0);
    skip |=
        execute_rendering_check_format(e, rendering->stencil.view, inheritance->formats.stencil,
                                       RULE(call, 06030), RULE(call, 06775), ATTACHMENT_STENCIL, 0);
    return skip;
}

/* Checks the sample count that the secondary was recorded for against one attachment. */
static bool check_samples_of(const struct execution *e, uint64_t view_id,
                             VkSampleCountFlagBits samples, enum vuid vuid,
                             enum attachment_kind kind, uint32_t index)
{
    assert(e->primary->rendering);
    const struct image_view *view = view_id ? image_view_by_id(view_id) : NULL;
    const struct render_pass_instance *rendering = e->primary->rendering;
    /* The sample count of the instance is that of its views, unless it renders multisampled to
     * single-sampled views. */
    if (!view || view->samples == samples ||
        (rendering->samples && rendering->samples != view->samples))
        return false;
    return execution_report(e, vuid,
                            "was recorded for %s%s with %s, but the render pass instance has %s "
                            "there, with %s",
                            RECORDED_FOR(e, kind, index), TEXT_OF(VkSampleCountFlagBits, samples),
                            VIEW(e->call, view), TEXT_OF(VkSampleCountFlagBits, view->samples));
}

/* Checks the sample count of the secondary against all attachments. */
static bool execute_rendering_check_samples(const struct execution *e,
                                            const struct render_pass_instance *rendering)
{
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    bool counts = inheritance->has_sample_counts, skip = false;
    if (!counts && rendering->custom_resolve)
        return false;
    for (uint32_t i = 0; i < rendering->formats.color_count; i++) {
        if (counts && i >= inheritance->sample_count_count)
            break;
        skip |=
            check_samples_of(e, rendering->colors[i].view,
                             counts ? inheritance->color_samples[i] : inheritance->samples,
                             counts ? RULE(call, 06032) : RULE(call, 06035), ATTACHMENT_COLOR, i);
    }
    VkSampleCountFlagBits samples =
        counts ? inheritance->depth_stencil_samples : inheritance->samples;
    skip |= check_samples_of(e, rendering->depth.view, samples,
                             counts ? RULE(call, 06033) : RULE(call, 06036), ATTACHMENT_DEPTH, 0);
    skip |= check_samples_of(e, rendering->stencil.view, samples,
                             counts ? RULE(call, 06034) : RULE(call, 06037), ATTACHMENT_STENCIL, 0);
    return skip;
}

/* Checks the attachment locations and input attachment indices that the secondary was recorded for.
 * Only the first difference is reported. */
static bool check_mappings(const struct execution *e, const struct render_pass_instance *rendering)
{
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    uint32_t count = rendering->formats.color_count;
    bool skip = false;
    for (uint32_t i = 0; i < count; i++) {
        /* the color attachment mapping state specified by VkRenderingAttachmentLocationInfo in the
         * inheritance info ... and in the current state must match */
        if (likely(inheritance->color_locations[i] == rendering->color_locations[i]))
            continue;
        skip |= execution_report(e, RULE(call, 09504),
                                 "was recorded with location %u for color attachment %u, but its "
                                 "location is %u here",
                                 inheritance->color_locations[i], i, rendering->color_locations[i]);
        break;
    }
    /* the input attachment mapping state specified by VkRenderingInputAttachmentIndexInfo in the
     * inheritance info ... and in the current state must match */
    for (uint32_t i = 0; i < count; i++) {
        if (likely(inheritance->color_input_indices[i] == rendering->color_input_indices[i]))
            continue;
        return skip | execution_report(e, RULE(call, 09505),
                                       "was recorded with input attachment index %u for color "
                                       "attachment %u, which is %u here",
                                       inheritance->color_input_indices[i], i,
                                       rendering->color_input_indices[i]);
    }
    if (unlikely(inheritance->depth_input_index != rendering->depth_input_index ||
                 inheritance->stencil_input_index != rendering->stencil_input_index))
        skip |= execution_report(e, RULE(call, 09505),
                                 "was recorded with input attachment indices %u and %u for depth "
                                 "and stencil, which are %u and %u here",
                                 inheritance->depth_input_index, inheritance->stencil_input_index,
                                 rendering->depth_input_index, rendering->stencil_input_index);
    return skip;
}

/* Checks that both command buffers have a custom resolve or neither has, and that its state is the
 * one recorded. */
static bool check_custom_resolve(const struct execution *e,
                                 const struct render_pass_instance *rendering)
{
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    bool contains = rendering->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
    /* ... does not contain a custom resolve, then each element must not have been recorded with a
     * VkCustomResolveCreateInfoEXT */
    if (likely(!contains))
        return inheritance->has_custom_resolve &&
               execution_report(e, RULE(call, 11501),
                                "was recorded with VkCustomResolveCreateInfoEXT, but the render "
                                "pass instance was begun without "
                                "VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT");
    /* ... contains a custom resolve, then each element must have been recorded with one */
    if (!inheritance->has_custom_resolve)
        return execution_report(e, RULE(call, 11500),
                                "was recorded without VkCustomResolveCreateInfoEXT, but the render "
                                "pass instance was begun with VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT");
    /* ... vkCmdBeginCustomResolveEXT has been recorded in the render pass instance, then ...
     * customResolve as VK_TRUE; else as VK_FALSE */
    if (inheritance->custom_resolve == rendering->custom_resolve)
        return !rendering->inherited && execution_check_resolves(e, rendering);
    return execution_report(e, rendering->custom_resolve ? RULE(call, 11502) : RULE(call, 11503),
                            "was recorded with customResolve %s, but vkCmdBeginCustomResolveEXT "
                            "has %sbeen recorded",
                            inheritance->custom_resolve ? "VK_TRUE" : "VK_FALSE",
                            rendering->custom_resolve ? "" : "not ");
}

/* Checks a secondary that is executed in dynamic rendering. */
static bool execute_rendering_check_dynamic(const struct execution *e,
                                            const struct render_pass_instance *rendering)
{
    assert(e->inheritance && rendering);
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    bool skip = false;
    /* ... the pBeginInfo->pInheritanceInfo->renderPass members ... must be VK_NULL_HANDLE */
    if (unlikely(inheritance->has_render_pass))
        return execution_report(e, RULE(call, 06025),
                                "was recorded for a render pass, but the render pass instance was "
                                "begun with vkCmdBeginRendering");
    if (!inheritance->has_rendering)
        return false;
    /* ... flags must be equal to VkRenderingInfo::flags, excluding
     * VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT */
    VkRenderingFlags mine =
        rendering->flags & ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    VkRenderingFlags theirs =
        inheritance->flags & ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    if (unlikely(mine != theirs))
        skip |= execution_report(e, RULE(call, 06026),
                                 "was recorded for the flags 0x%x "
                                 "(VkCommandBufferInheritanceRenderingInfo), but the render pass "
                                 "instance was begun with 0x%x",
                                 theirs, mine);
    /* ... viewMask must be equal to VkRenderingInfo::viewMask */
    if (unlikely(inheritance->formats.view_mask != rendering->view_mask))
        skip |= execution_report(e, RULE(call, 06031),
                                 "was recorded for view mask 0x%x, but that of the render pass "
                                 "instance is 0x%x",
                                 inheritance->formats.view_mask, rendering->view_mask);
    /* If this command buffer inherits the instance itself, the views are not known. */
    if (!rendering->inherited)
        skip |= execute_rendering_check_formats(e, rendering) |
                execute_rendering_check_samples(e, rendering);
    return skip | check_mappings(e, rendering) | check_custom_resolve(e, rendering);
}

bool execution_check_rendering(const struct execution *e)
{
    assert(e->primary && e->secondary);
    const struct call *call = e->call;
    const struct render_pass_instance *rendering = active_rendering(e->primary);
    bool continues = e->secondary->usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    /* If not called within a render pass instance, each element must not have been recorded with
     * RENDER_PASS_CONTINUE */
    if (!(e->primary->scope & SCOPE_INSIDE_RENDER_PASS))
        return continues && execution_report(e, RULE(call, 00100),
                                             "was recorded with "
                                             "VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, "
                                             "but no render pass instance is active");
    /* If called within a render pass instance, each element must have been recorded with
     * RENDER_PASS_CONTINUE */
    if (!continues)
        return execution_report(e, RULE(call, 00096),
                                "was recorded without "
                                "VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, but a render "
                                "pass instance is active");
    if (!rendering || !e->inheritance)
        return false;
    return rendering->kind == RENDERING_RENDER_PASS
               ? execute_rendering_check_render_pass(e, rendering)
               : execute_rendering_check_dynamic(e, rendering);
}
