/* Tracks how the commands that begin, advance and end render pass instances change a command
 * buffer. */
#include "state/command/rendering.h"
#include "state/dynamic_values.h"
#include "state/memory/formats.h"
#include "state/hooks.h"
#include "state/memory/image_layout.h"
#include "state/command/sections.h"

#include "vk/chain.h"
#include "vk/pointer.h"

#include <string.h>

static_assert(PIPELINE_COLORS == 8, "no_rendering lists them");
const struct render_pass_instance no_rendering = {
    .color_locations = {0, 1, 2, 3, 4, 5, 6, 7},
    .color_input_indices = {0, 1, 2, 3, 4, 5, 6, 7},
    .depth_input_index = VK_ATTACHMENT_UNUSED,
    .stencil_input_index = VK_ATTACHMENT_UNUSED,
};

/* The render pass instance of the call's command buffer, for changes; NULL: out of memory, or the
 * command buffer is not known. */
static struct render_pass_instance *call_rendering(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer ? command_buffer_own_rendering(command_buffer) : NULL;
}

/* Allocates the render pass instance that begins, if the command buffer does not have one; NULL:
 * out of memory. */
static struct render_pass_instance *make_rendering(struct command_buffer *command_buffer)
{
    struct render_pass_instance *rendering = command_buffer_own_rendering(command_buffer);
    return likely(rendering != NULL)
               ? rendering
               : mem_make(&command_buffer->rendering, &no_rendering, sizeof(*rendering));
}

static void mark_dirty(struct command_buffer *command_buffer)
{
    /* also for dispatches, which depend on being inside or outside of an instance */
    command_buffer->dirty[0] |= DIRTY_RENDER_PASS;
    command_buffer->dirty[1] |= DIRTY_RENDER_PASS;
}

/* Notes that a render pass instance begins in this command buffer. */
static void note_instance(struct command_buffer *command_buffer, bool resumes)
{
    if (command_buffer->first_instance == FIRST_INSTANCE_NONE)
        command_buffer->first_instance = resumes ? FIRST_INSTANCE_RESUMES : FIRST_INSTANCE_PLAIN;
}

/* Resets the instance to the state "nothing is known". It keeps the memory that it owns. */
static void rendering_clear(struct render_pass_instance *rendering)
{
    assert(rendering);
    /* `views` does not become NULL again, as another thread of a wrong program may be reading it */
    memset(rendering, 0, offsetof(struct render_pass_instance, views));
    memcpy(rendering->color_locations, no_rendering.color_locations,
           sizeof(rendering->color_locations));
    memcpy(rendering->color_input_indices, no_rendering.color_input_indices,
           sizeof(rendering->color_input_indices));
    rendering->depth_input_index = rendering->stencil_input_index = VK_ATTACHMENT_UNUSED;
}

/* A view and its image. NULL: there is none, or it is not known. */
struct taken_view {
    uint64_t id; /* 0 = none */
    const struct image_view *view;
    const struct image *image;
};

/* Notes that the command buffer uses the view and its image, and returns both. */
static ALWAYS_INLINE struct taken_view use_view(struct command_buffer *command_buffer,
                                                const struct object *object)
{
    if (!object)
        return (struct taken_view){0};
    const uint64_t id = atomic_load_explicit(&object->id, memory_order_acquire);
    const struct image_view *view =
        object_id_type(id) == HANDLE_IMAGE_VIEW ? object_load_state_of(object, id) : NULL;
    const struct object *image = view ? object_find_id(view->image, HANDLE_IMAGE) : NULL;
    command_buffer_uses(command_buffer, object);
    command_buffer_uses(command_buffer, image);
    return (struct taken_view){
        .id = id, .view = view, .image = view ? object_load_state_of(image, view->image) : NULL};
}

/* Finds a view and notes it as used by the command buffer. */
static ALWAYS_INLINE struct taken_view
take_view(const struct call *call, struct command_buffer *command_buffer, VkImageView handle)
{
    return use_view(command_buffer, call_find(call, (uint64_t)handle, HANDLE_IMAGE_VIEW));
}

/* Notes the views of an instance: those of the framebuffer, or those that an imageless framebuffer
 * is begun with. */
static void take_views(const struct call *call, struct command_buffer *command_buffer,
                       const struct framebuffer *framebuffer,
                       const VkRenderPassAttachmentBeginInfo *begin)
{
    struct render_pass_instance *rendering = command_buffer_own_rendering(command_buffer);
    assert(rendering && framebuffer);
    bool imageless = framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    uint32_t count = framebuffer->attachment_count;
    /* If any views are missing, none is known. */
    if (imageless && (!begin || !begin->pAttachments || begin->attachmentCount < count))
        return;
    if (unlikely(count > plain_load_acquire(&rendering->view_capacity)) &&
        !mem_grow(&rendering->views, &rendering->view_capacity, 0, count,
                  sizeof(*rendering->views)))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (imageless) {
            rendering->views[i] = take_view(call, command_buffer, begin->pAttachments[i]).id;
            continue;
        }
        rendering->views[i] = framebuffer->attachments[i].view;
        (void)use_view(command_buffer,
                       object_find_id(framebuffer->attachments[i].view, HANDLE_IMAGE_VIEW));
    }
    /* Last, as the instance has no views before this. */
    rendering->view_count = count;
}

/* --- layouts --- */

/* Finds the subresources of an attachment to which an instance renders (8.1: "the automatic layout
 * transitions apply to ..."). `layers`, `views`: the instance's layer count and view masks. A
 * depth/stencil attachment includes all aspects of its format, whichever its view has. False: the
 * subresources are not a single range. */
static bool attachment_range(const struct image_view *view, const struct image *image,
                             uint32_t layers, uint32_t views, VkImageSubresourceRange *range)
{
    assert(view && image && range);
    *range = view->range;
    range->levelCount = 1;
    if (format_is_depth_stencil(image->format))
        range->aspectMask = format_aspects(image->format);
    if (image->type == VK_IMAGE_TYPE_3D) {
        if (!image_has_slices(image)) {
            range->baseArrayLayer = 0;
            range->layerCount = 1;
        }
        return true;
    }
    if (views & (views + 1)) /* with gaps between views, the layers are not a range */
        return false;
    if (views)
        layers = 32u - (uint32_t)__builtin_clz(views);
    if (layers && layers < range->layerCount)
        range->layerCount = layers;
    return true;
}

enum transition { TRANSITION_EXPECT, TRANSITION_TO };

/* Notes that an attachment is expected in a layout, or transitioned to it. */
static void rendering_transition(const struct call *call, struct command_buffer *command_buffer,
                                 const struct render_pass *pass, uint32_t attachment,
                                 VkImageLayout layout, VkImageLayout stencil_layout,
                                 enum transition what)
{
    const struct image_view *view = rendering_view(command_buffer->rendering, attachment);
    const struct image *image = view ? image_by_id(view->image) : NULL;
    VkImageSubresourceRange range;
    if (!image)
        return;
    /* If the layers are not known, their layouts are not known after the transition either. */
    bool known =
        attachment_range(view, image, pass->multiview ? 0 : command_buffer->rendering->layer_count,
                         pass->views, &range);
    VkImageAspectFlags aspects = range.aspectMask, stencil = aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    /* First all aspects except stencil, then stencil, which may have a layout of its own. */
    for (uint32_t i = 0; i < 2; i++) {
        VkImageLayout wanted = i ? stencil_layout : layout;
        range.aspectMask = i ? stencil : aspects & ~stencil;
        if (!range.aspectMask)
            continue;
        if (what == TRANSITION_TO)
            command_buffer_set_layout(command_buffer, image, &range,
                                      known ? wanted : LAYOUT_UNKNOWN);
        else if (known && wanted != VK_IMAGE_LAYOUT_UNDEFINED)
            command_buffer_expect_layout(call, command_buffer, image, &range, wanted);
    }
}

/* Transitions an attachment to the layout in which a subpass uses it. */
static void transition_reference(const struct call *call, struct command_buffer *command_buffer,
                                 const struct render_pass *pass,
                                 const struct attachment_reference *reference)
{
    assert(reference);
    if (reference->attachment != VK_ATTACHMENT_UNUSED)
        rendering_transition(call, command_buffer, pass, reference->attachment, reference->layout,
                             reference->stencil_layout, TRANSITION_TO);
}

/* Transitions the attachments of the current subpass to the layouts that it states. */
static void transition_subpass(const struct call *call, struct command_buffer *command_buffer)
{
    const struct render_pass *pass = active_render_pass(command_buffer);
    const struct subpass *subpass = current_subpass(command_buffer, pass);
    if (!subpass)
        return;
    for (uint32_t i = 0; i < subpass->input_count; i++)
        transition_reference(call, command_buffer, pass, &subpass->inputs[i]);
    for (uint32_t i = 0; i < subpass->color_count; i++)
        transition_reference(call, command_buffer, pass, &subpass->colors[i]);
    /* There are as many resolve attachments as color attachments, or none. */
    for (uint32_t i = 0; subpass->resolves && i < subpass->color_count; i++)
        transition_reference(call, command_buffer, pass, &subpass->resolves[i]);
    transition_reference(call, command_buffer, pass, &subpass->depth_stencil);
    transition_reference(call, command_buffer, pass, &subpass->depth_stencil_resolve);
    transition_reference(call, command_buffer, pass, &subpass->fragment_shading_rate);
}

/* Notes that the attachments must be in their initial layouts when the commands run. */
static void expect_initial_layouts(const struct call *call, struct command_buffer *command_buffer)
{
    const struct render_pass *pass = active_render_pass(command_buffer);
    for (uint32_t i = 0; pass && i < pass->attachment_count; i++)
        rendering_transition(call, command_buffer, pass, i,
                             pass->attachments[i].description.initialLayout,
                             pass->attachments[i].stencil_initial_layout, TRANSITION_EXPECT);
}

/* Transitions the attachments to their final layouts. For an instance that a secondary inherits,
 * the primary does that. */
static void transition_to_final_layouts(const struct call *call,
                                        struct command_buffer *command_buffer)
{
    const struct render_pass *pass = active_render_pass(command_buffer);
    if (!pass || command_buffer->rendering->inherited)
        return;
    for (uint32_t i = 0; i < pass->attachment_count; i++)
        rendering_transition(call, command_buffer, pass, i,
                             pass->attachments[i].description.finalLayout,
                             pass->attachments[i].stencil_final_layout, TRANSITION_TO);
}

/* --- render pass objects --- */

/* Makes the subpass the current one, with its views. A subpass that is not known has no views. */
static void enter_subpass(struct render_pass_instance *rendering, const struct render_pass *pass,
                          uint32_t subpass, VkSubpassContents contents)
{
    rendering->subpass = subpass;
    rendering->contents = contents;
    rendering->view_mask =
        pass && subpass < pass->subpass_count ? pass->subpasses[subpass].view_mask : 0;
}

/* Fills in the instance of a render pass that begins, or that a secondary inherits. */
static void enter_render_pass(const struct call *call, struct command_buffer *command_buffer,
                              VkRenderPass render_pass, uint32_t subpass, VkFramebuffer framebuffer,
                              const void *chain, VkSubpassContents contents)
{
    struct render_pass_instance *rendering = command_buffer_own_rendering(command_buffer);
    const struct render_pass *pass = find_render_pass(call, render_pass);
    const struct framebuffer *frame = find_framebuffer(call, framebuffer);
    assert(rendering);
    rendering_clear(rendering);
    rendering->kind = RENDERING_RENDER_PASS;
    rendering->render_pass = pass ? object_state_id(&pass->base) : 0;
    rendering->framebuffer = frame ? object_state_id(&frame->base) : 0;
    /* 0: not known, as in a secondary that is begun without a framebuffer. */
    rendering->layer_count = frame ? frame->layers : 0;
    enter_subpass(rendering, pass, subpass, contents);
    if (pass)
        command_buffer_uses(command_buffer, pass->base.object);
    if (!frame)
        return;
    command_buffer_uses(command_buffer, frame->base.object);
    take_views(call, command_buffer, frame,
               chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO));
}

/* 8.4: "When multiview is enabled, at the beginning of each subpass all non-render pass state is
 * undefined. In particular, ... the graphics pipeline must be bound, any relevant descriptor sets
 * or vertex/index buffers must be bound, and any relevant dynamic state or push constants must be
 * set" */
static void forget_graphics(struct command_buffer *command_buffer)
{
    const struct render_pass *pass = active_render_pass(command_buffer);
    /* Index 0 is the bind point of graphics: compute and ray tracing keep their state. */
    struct bind_point_state *bind = &command_buffer->bind[0];
    if (likely(!pass || !pass->multiview))
        return;
    bind->pipeline = 0;
    bind_point_forget(bind);
    command_buffer_forget_vertex_buffers(command_buffer);
    command_buffer->index_buffer = (struct bound_buffer){0};
    command_buffer->restart_index_set = false;
    command_buffer_forget_dynamic(command_buffer);
    memset(command_buffer->shaders, 0, sizeof(command_buffer->shaders));
    command_buffer->shaders_set = 0;
    command_buffer->dirty[0] = DIRTY_ALL;
}

/* The render area of the instance. "If deviceRenderAreaCount is not zero, then the elements of
 * pDeviceRenderAreas override the value of renderArea". With several areas the result is one that
 * everything lies in. */
static VkRect2D render_area(struct command_buffer *command_buffer,
                            struct render_pass_instance *rendering, const void *chain,
                            VkRect2D area)
{
    const VkDeviceGroupRenderPassBeginInfo *group =
        chain ? chain_find(chain, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO) : NULL;
    rendering->device_mask = group ? group->deviceMask : 0;
    if (group)
        sections_begin_masked_instance(command_buffer);
    if (likely(!group || !group->deviceRenderAreaCount || !group->pDeviceRenderAreas))
        return area;
    return group->deviceRenderAreaCount == 1
               ? group->pDeviceRenderAreas[0]
               : (VkRect2D){{INT32_MIN, INT32_MIN}, {UINT32_MAX, UINT32_MAX}};
}

/* Begins an instance of a render pass in the call's command buffer. */
static void begin_render_pass(const struct call *call, const VkRenderPassBeginInfo *info,
                              VkSubpassContents contents)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->scope |= SCOPE_INSIDE_RENDER_PASS;
    note_instance(command_buffer, false);
    command_buffer_orders(command_buffer);
    mark_dirty(command_buffer);
    struct render_pass_instance *rendering = make_rendering(command_buffer);
    if (!rendering)
        return;
    enter_render_pass(call, command_buffer, info->renderPass, 0, info->framebuffer, info->pNext,
                      contents);
    rendering->area = render_area(command_buffer, rendering, info->pNext, info->renderArea);
    const VkRenderPassTransformBeginInfoQCOM *transform =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM);
    rendering->transform = transform ? transform->transform : 0;
    const VkRenderPassSampleLocationsBeginInfoEXT *located =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT);
    rendering->located_subpasses = 0;
    for (uint32_t i = 0; located && !pointer_is_bad(located->pPostSubpassSampleLocations) &&
                         i < located->postSubpassSampleLocationsCount;
         i++) {
        const uint32_t subpass = located->pPostSubpassSampleLocations[i].subpassIndex;
        rendering->located_subpasses |= subpass < 64 ? 1ull << subpass : 0;
    }
    /* The order matters: attachments have their initial layouts first, then the layouts of the
     * first subpass. */
    expect_initial_layouts(call, command_buffer);
    transition_subpass(call, command_buffer);
    forget_graphics(command_buffer);
}

/* Goes to the next subpass, after which draws check the bound graphics state again. */
static void next_subpass(const struct call *call, VkSubpassContents contents)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct render_pass_instance *rendering = call_rendering(call);
    if (!command_buffer)
        return;
    command_buffer_orders(command_buffer);
    mark_dirty(command_buffer);
    if (!rendering || rendering->kind != RENDERING_RENDER_PASS)
        return;
    enter_subpass(rendering, render_pass_by_id(rendering->render_pass), rendering->subpass + 1,
                  contents);
    transition_subpass(call, command_buffer);
    forget_graphics(command_buffer);
}

/* Ends a render pass instance of either kind. */
static void end_render_pass(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->scope &= ~(uint32_t)SCOPE_INSIDE_RENDER_PASS;
    command_buffer_orders(command_buffer);
    mark_dirty(command_buffer);
    transition_to_final_layouts(call, command_buffer);
    struct render_pass_instance *rendering = command_buffer_own_rendering(command_buffer);
    if (rendering)
        rendering->kind = RENDERING_NONE;
}

void state_after_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkRenderPassBeginInfo *pRenderPassBegin,
                                    VkSubpassContents contents)
{
    begin_render_pass(call, pRenderPassBegin, contents);
}

void state_after_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderPassBeginInfo *pRenderPassBegin,
                                     const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    begin_render_pass(call, pRenderPassBegin, pSubpassBeginInfo->contents);
}

void state_after_CmdNextSubpass(struct call *call, VkCommandBuffer commandBuffer,
                                VkSubpassContents contents)
{
    next_subpass(call, contents);
}

void state_after_CmdNextSubpass2(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkSubpassBeginInfo *pSubpassBeginInfo,
                                 const VkSubpassEndInfo *pSubpassEndInfo)
{
    next_subpass(call, pSubpassBeginInfo->contents);
}

void state_after_CmdEndRenderPass(struct call *call, VkCommandBuffer commandBuffer)
{
    end_render_pass(call);
}

void state_after_CmdEndRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkSubpassEndInfo *pSubpassEndInfo)
{
    end_render_pass(call);
}

/* --- dynamic rendering --- */

/* Notes that a view is expected in a layout. Dynamic rendering has no transitions, so the view must
 * be in it already. */
static void expect_view(const struct call *call, struct command_buffer *command_buffer,
                        const struct taken_view *taken, VkImageAspectFlags aspects,
                        VkImageLayout layout, enum vuid vuid)
{
    const struct render_pass_instance *rendering = command_buffer->rendering;
    VkImageSubresourceRange range;
    /* The commands so far have used the whole image, most often in the barrier that transitioned
     * it. */
    if (!taken->image ||
        likely(command_buffer_layout_throughout(command_buffer, taken->image) != LAYOUT_UNTOUCHED))
        return;
    if (!attachment_range(taken->view, taken->image,
                          rendering->view_mask ? 0 : rendering->layer_count, rendering->view_mask,
                          &range))
        return;
    if (unlikely(taken->image->type == VK_IMAGE_TYPE_3D) &&
        range.layerCount > rendering->layer_count)
        /* only the layer that is certainly rendered to; further layers may be in other layouts */
        range.layerCount = 1;
    range.aspectMask &= aspects;
    if (range.aspectMask)
        command_buffer_expect_layout_by(call, command_buffer, taken->image, &range, layout, vuid);
}

/* True if the attachment is accessed. "When imageView is accessed": if it is neither loaded nor
 * stored, only draws access it, and there may be none. */
static bool is_accessed(const VkRenderingAttachmentInfo *info)
{
    return info->loadOp != VK_ATTACHMENT_LOAD_OP_NONE ||
           info->storeOp != VK_ATTACHMENT_STORE_OP_NONE;
}

/* The rules that an attachment in another layout breaks. */
struct layout_rules {
    VkImageAspectFlags aspects; /* aspects of the image to which the rules apply */
    /* rule for an attachment; rule for a resolve attachment */
    enum vuid attached, resolved;
};
static const struct layout_rules color_layout_rules = {
    ~(VkImageAspectFlags)0, VUID_vkCmdBeginRendering_pRenderingInfo_09592,
    VUID_vkCmdBeginRendering_pRenderingInfo_09593};
static const struct layout_rules depth_layout_rules = {
    VK_IMAGE_ASPECT_DEPTH_BIT, VUID_vkCmdBeginRendering_pRenderingInfo_09588,
    VUID_vkCmdBeginRendering_pRenderingInfo_09589};
static const struct layout_rules stencil_layout_rules = {
    VK_IMAGE_ASPECT_STENCIL_BIT, VUID_vkCmdBeginRendering_pRenderingInfo_09590,
    VUID_vkCmdBeginRendering_pRenderingInfo_09591};

/* Notes an attachment in `attachment`, which must be zeroed, and returns its format. Adds its
 * sample count to `samples`. */
static ALWAYS_INLINE VkFormat take_attachment(const struct call *call,
                                              struct command_buffer *command_buffer,
                                              struct rendering_attachment *attachment,
                                              const VkRenderingAttachmentInfo *info,
                                              const struct layout_rules *rules,
                                              VkSampleCountFlags *samples)
{
    assert(attachment && info && rules && samples);
    const VkRenderingAttachmentFlagsInfoKHR *flags =
        info->pNext ? chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR)
                    : NULL;
    const struct taken_view taken = take_view(call, command_buffer, info->imageView);
    attachment->view = taken.id;
    attachment->layout = info->imageLayout;
    attachment->load = info->loadOp;
    attachment->store = info->storeOp;
    attachment->resolve_mode = info->resolveMode;
    attachment->resolve_given = info->resolveImageView != VK_NULL_HANDLE;
    attachment->resolve_layout = info->resolveImageLayout;
    attachment->flags = flags ? flags->flags : 0;
    /* An attachment that is not accessed may be in any layout. */
    if (is_accessed(info))
        expect_view(call, command_buffer, &taken, rules->aspects, info->imageLayout,
                    rules->attached);
    if (info->imageView && info->resolveMode != VK_RESOLVE_MODE_NONE) {
        const struct taken_view resolved = take_view(call, command_buffer, info->resolveImageView);
        attachment->resolve_view = resolved.id;
        expect_view(call, command_buffer, &resolved, rules->aspects, info->resolveImageLayout,
                    rules->resolved);
    }
    if (!taken.view)
        return VK_FORMAT_UNDEFINED;
    *samples |= taken.view->samples;
    return taken.view->format;
}

/* Notes the attachments of dynamic rendering, and the formats that pipelines must have. */
static void take_attachments(const struct call *call, struct command_buffer *command_buffer,
                             struct render_pass_instance *rendering, const VkRenderingInfo *info)
{
    VkSampleCountFlags samples = 0;
    const uint32_t count = info->pColorAttachments ? info->colorAttachmentCount : 0;
    struct rendering_formats *formats = &rendering->formats;
    formats->view_mask = rendering->view_mask;
    formats->color_count = count < PIPELINE_COLORS ? count : PIPELINE_COLORS;
    for (uint32_t i = 0; i < formats->color_count; i++)
        formats->colors[i] =
            take_attachment(call, command_buffer, &rendering->colors[i],
                            &info->pColorAttachments[i], &color_layout_rules, &samples);
    if (info->pDepthAttachment)
        formats->depth = take_attachment(call, command_buffer, &rendering->depth,
                                         info->pDepthAttachment, &depth_layout_rules, &samples);
    if (info->pStencilAttachment)
        formats->stencil =
            take_attachment(call, command_buffer, &rendering->stencil, info->pStencilAttachment,
                            &stencil_layout_rules, &samples);
    /* 0: the attachments have different sample counts, or there are none. */
    rendering->samples = samples & (samples - 1) ? 0 : (VkSampleCountFlagBits)samples;
}

/* Notes the attachments and settings in the chain of a VkRenderingInfo. */
static void take_special_attachments(const struct call *call, struct command_buffer *command_buffer,
                                     struct render_pass_instance *rendering, const void *chain)
{
    const VkRenderingFragmentShadingRateAttachmentInfoKHR *rate =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
    const VkRenderingFragmentDensityMapAttachmentInfoEXT *density =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT);
    const VkMultisampledRenderToSingleSampledInfoEXT *single =
        chain_find(chain, VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT);
    if (rate) {
        const struct taken_view taken = take_view(call, command_buffer, rate->imageView);
        rendering->shading_rate_view = taken.id;
        rendering->shading_rate_layout = rate->imageLayout;
        rendering->shading_rate_texel_size = rate->shadingRateAttachmentTexelSize;
        expect_view(call, command_buffer, &taken, ~(VkImageAspectFlags)0, rate->imageLayout,
                    VUID_vkCmdBeginRendering_imageView_12277);
    }
    if (density) {
        const struct taken_view taken = take_view(call, command_buffer, density->imageView);
        rendering->density_map_view = taken.id;
        rendering->density_map_layout = density->imageLayout;
        expect_view(call, command_buffer, &taken, ~(VkImageAspectFlags)0, density->imageLayout,
                    VUID_vkCmdBeginRendering_imageView_12276);
    }
    const struct tile_shading tiles = tile_shading_of(chain);
    rendering->tile_shading = tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
    rendering->tile_apron = tiles.apron;
    if (single && single->multisampledRenderToSingleSampledEnable)
        /* In this case attachments are single-sampled, and draws multisampled. */
        rendering->samples = rendering->single_samples = single->rasterizationSamples;
}

/* Initializes an instance of dynamic rendering. */
static void take_dynamic(const struct call *call, struct command_buffer *command_buffer,
                         struct render_pass_instance *rendering, const VkRenderingInfo *info)
{
    rendering_clear(rendering);
    rendering->kind = RENDERING_DYNAMIC;
    rendering->flags = info->flags;
    rendering->contents = info->flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
                              ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                              : VK_SUBPASS_CONTENTS_INLINE;
    rendering->area = render_area(command_buffer, rendering, info->pNext, info->renderArea);
    rendering->view_mask = info->viewMask;
    rendering->layer_count = info->layerCount;
    take_attachments(call, command_buffer, rendering, info);
    if (info->pNext)
        take_special_attachments(call, command_buffer, rendering, info->pNext);
}

/* --- instances that are suspended --- */

/* A hash of the attachment's properties that must match between a suspended instance and the
 * instance that resumes it; 0: there is no view. */
static uint64_t digest_of(const VkRenderingAttachmentInfo *info)
{
    if (!info || !info->imageView)
        return 0;
    const bool resolves = info->resolveMode != VK_RESOLVE_MODE_NONE;
    const uint64_t parts[] = {(uint64_t)info->imageView,
                              info->imageLayout,
                              info->loadOp,
                              info->storeOp,
                              info->resolveMode,
                              resolves ? (uint64_t)info->resolveImageView : 0,
                              resolves ? info->resolveImageLayout : 0};
    uint64_t digest = 1;
    for (uint32_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        digest = (digest ^ parts[i]) * 0x9e3779b97f4a7c15ull + (digest >> 29);
    /* 0 means a missing attachment. */
    return digest | 1;
}

COLD struct rendering_contents rendering_contents_of(const VkRenderingInfo *info)
{
    const VkRenderingFlags may_differ = VK_RENDERING_RESUMING_BIT | VK_RENDERING_SUSPENDING_BIT |
                                        VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    struct rendering_contents contents = {.known = true,
                                          .flags = info->flags & ~may_differ,
                                          .area = info->renderArea,
                                          .view_mask = info->viewMask,
                                          /* With multiview the number of layers is ignored, and may
                                           * differ. */
                                          .layer_count = info->viewMask ? 0 : info->layerCount,
                                          .depth = digest_of(info->pDepthAttachment),
                                          .stencil = digest_of(info->pStencilAttachment)};
    for (uint32_t i = 0;
         info->pColorAttachments && i < info->colorAttachmentCount && i < PIPELINE_COLORS; i++)
        contents.colors[i] = digest_of(&info->pColorAttachments[i]);
    return contents;
}

COLD const char *rendering_difference(const struct rendering_contents *suspended,
                                      const struct rendering_contents *resumed, uint32_t *index)
{
    assert(suspended && resumed && index);
    *index = 0;
    /* If one of them is not known, no difference is reported. */
    if (!suspended->known || !resumed->known)
        return NULL;
    if (suspended->flags != resumed->flags)
        return "flags";
    if (memcmp(&suspended->area, &resumed->area, sizeof(suspended->area)) != 0)
        return "renderArea";
    if (suspended->view_mask != resumed->view_mask)
        return "viewMask";
    if (suspended->layer_count != resumed->layer_count)
        return "layerCount";
    for (*index = 0; *index < PIPELINE_COLORS; (*index)++) {
        if (suspended->colors[*index] != resumed->colors[*index])
            return "pColorAttachments";
    }
    return suspended->depth != resumed->depth       ? "pDepthAttachment"
           : suspended->stencil != resumed->stencil ? "pStencilAttachment"
                                                    : NULL;
}

/* Notes the contents of a suspended instance. They are compared with the instance that resumes it,
 * in this command buffer or in another one. */
static COLD void note_contents(const struct command_buffer *command_buffer,
                               struct render_pass_instance *rendering, const VkRenderingInfo *info)
{
    if (info->flags & VK_RENDERING_SUSPENDING_BIT)
        rendering->suspended = rendering_contents_of(info);
    if (info->flags & VK_RENDERING_RESUMING_BIT &&
        command_buffer->first_instance == FIRST_INSTANCE_NONE)
        rendering->resumed = rendering_contents_of(info);
}

void rendering_take_suspended(struct command_buffer *primary,
                              const struct command_buffer *secondary)
{
    assert(primary && secondary);
    const bool suspends = secondary->scope & SCOPE_SUSPENDED;
    struct render_pass_instance *rendering =
        suspends ? make_rendering(primary) : command_buffer_own_rendering(primary);
    if (!rendering)
        return;
    rendering->density_offsets = 0; /* those of secondaries are not followed */
    rendering->suspended = secondary->rendering->suspended;
    rendering->suspended.known &= suspends;
}

void state_after_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkRenderingInfo *pRenderingInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->scope =
        (command_buffer->scope & ~(uint32_t)SCOPE_SUSPENDED) | SCOPE_INSIDE_RENDER_PASS;
    /* These two are not in the instance, which may be missing as memory ran out. */
    command_buffer->rendering_flags = pRenderingInfo->flags;
    command_buffer->began_rendering = true;
    struct render_pass_instance *rendering = make_rendering(command_buffer);
    if (pRenderingInfo->flags & (VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT) &&
        rendering)
        note_contents(command_buffer, rendering, pRenderingInfo);
    note_instance(command_buffer, pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT);
    mark_dirty(command_buffer);
    if (rendering)
        take_dynamic(call, command_buffer, rendering, pRenderingInfo);
}

/* Ends dynamic rendering. A suspended instance is to be resumed. */
static void rendering_end(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    end_render_pass(call);
    if (command_buffer->rendering_flags & VK_RENDERING_SUSPENDING_BIT)
        command_buffer->scope |= SCOPE_SUSPENDED;
}

void state_after_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer)
{
    rendering_end(call);
}

COLD uint64_t density_offsets_digest(const void *chain)
{
    const VkRenderPassFragmentDensityMapOffsetEndInfoEXT *info =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT);
    uint64_t digest = 1;
    if (!info || !info->fragmentDensityOffsetCount || pointer_is_bad(info->pFragmentDensityOffsets))
        return 0;
    for (uint32_t i = 0; i < info->fragmentDensityOffsetCount; i++) {
        const VkOffset2D *offset = &info->pFragmentDensityOffsets[i];
        digest = (digest ^ ((uint64_t)(uint32_t)offset->x << 32 | (uint32_t)offset->y)) *
                     0x9e3779b97f4a7c15ull +
                 (digest >> 29);
    }
    return digest | 1;
}

/* Notes the density map offsets of the first instance of a suspended render pass that gives any. */
static COLD void note_density_offsets(struct render_pass_instance *rendering,
                                      VkRenderingFlags flags, const VkRenderingEndInfoKHR *info)
{
    if (!(flags & VK_RENDERING_RESUMING_BIT) || !(flags & VK_RENDERING_SUSPENDING_BIT))
        rendering->density_offsets = 0;
    if (flags & VK_RENDERING_SUSPENDING_BIT && !rendering->density_offsets && info)
        rendering->density_offsets = density_offsets_digest(info->pNext);
}

void state_after_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct render_pass_instance *rendering =
        command_buffer ? command_buffer_own_rendering(command_buffer) : NULL;
    const VkRenderingFlags flags = command_buffer ? command_buffer->rendering_flags : 0;
    rendering_end(call);
    if (unlikely(flags & (VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT) && rendering))
        note_density_offsets(rendering, flags, pRenderingEndInfo);
}

void state_after_CmdBeginCustomResolveEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkBeginCustomResolveInfoEXT
                                              *pBeginCustomResolveInfo)
{
    struct render_pass_instance *rendering = call_rendering(call);
    if (!rendering)
        return;
    mark_dirty(call_command_buffer(call));
    rendering->custom_resolve = true;
}

/* Notes the locations of color attachments. Without a list, each attachment has its own number. */
static void take_locations(struct render_pass_instance *rendering,
                           const VkRenderingAttachmentLocationInfo *info)
{
    assert(rendering && info);
    for (uint32_t i = 0; i < PIPELINE_COLORS; i++)
        rendering->color_locations[i] =
            info->pColorAttachmentLocations && i < info->colorAttachmentCount
                ? info->pColorAttachmentLocations[i]
                : i;
}

/* Notes the input attachment indices. Without a list, each color attachment has its own number, and
 * depth and stencil have no index. */
static void take_input_indices(struct render_pass_instance *rendering,
                               const VkRenderingInputAttachmentIndexInfo *info)
{
    assert(rendering && info);
    for (uint32_t i = 0; i < PIPELINE_COLORS; i++)
        rendering->color_input_indices[i] =
            info->pColorAttachmentInputIndices && i < info->colorAttachmentCount
                ? info->pColorAttachmentInputIndices[i]
                : i;
    rendering->depth_input_index =
        info->pDepthInputAttachmentIndex ? *info->pDepthInputAttachmentIndex : VK_ATTACHMENT_UNUSED;
    rendering->stencil_input_index = info->pStencilInputAttachmentIndex
                                         ? *info->pStencilInputAttachmentIndex
                                         : VK_ATTACHMENT_UNUSED;
}

void state_after_CmdSetRenderingAttachmentLocations(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkRenderingAttachmentLocationInfo
                                                        *pLocationInfo)
{
    struct render_pass_instance *rendering = call_rendering(call);
    if (!rendering)
        return;
    mark_dirty(call_command_buffer(call));
    take_locations(rendering, pLocationInfo);
}

void state_after_CmdSetRenderingInputAttachmentIndices(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       const VkRenderingInputAttachmentIndexInfo
                                                           *pInputAttachmentIndexInfo)
{
    struct render_pass_instance *rendering = call_rendering(call);
    if (!rendering)
        return;
    mark_dirty(call_command_buffer(call));
    take_input_indices(rendering, pInputAttachmentIndexInfo);
}

/* --- what a secondary inherits --- */

/* Initializes the instance of dynamic rendering that a secondary inherits. */
static void inherit_dynamic(struct render_pass_instance *rendering, const void *chain,
                            const VkCommandBufferInheritanceRenderingInfo *info)
{
    assert(rendering && info);
    uint32_t count = info->pColorAttachmentFormats ? info->colorAttachmentCount : 0;
    rendering->kind = RENDERING_DYNAMIC;
    rendering->flags = info->flags;
    rendering->view_mask = rendering->formats.view_mask = info->viewMask;
    rendering->formats.color_count = count < PIPELINE_COLORS ? count : PIPELINE_COLORS;
    for (uint32_t i = 0; i < rendering->formats.color_count; i++)
        rendering->formats.colors[i] = info->pColorAttachmentFormats[i];
    rendering->formats.depth = info->depthAttachmentFormat;
    rendering->formats.stencil = info->stencilAttachmentFormat;
    /* A secondary does not know views, but only formats and sample counts. */
    rendering->samples = info->rasterizationSamples;
    const void *locations = chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO);
    const void *indices =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO);
    if (locations)
        take_locations(rendering, locations);
    if (indices)
        take_input_indices(rendering, indices);
}

void rendering_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                               const VkCommandBufferBeginInfo *info)
{
    assert(command_buffer && info);
    const VkCommandBufferInheritanceInfo *inheritance = info->pInheritanceInfo;
    /* "If this is a primary command buffer, then this value is ignored": pInheritanceInfo may be
     * invalid. */
    const bool continues = command_buffer->scope & SCOPE_SECONDARY && inheritance &&
                           info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    struct render_pass_instance *rendering =
        continues ? make_rendering(command_buffer) : command_buffer_own_rendering(command_buffer);
    if (!rendering)
        return;
    rendering_clear(rendering);
    /* The contents that the last recording left do not apply to this one. */
    rendering->suspended.known = rendering->resumed.known = false;
    rendering->density_offsets = 0;
    if (!continues)
        return;
    const VkCommandBufferInheritanceRenderingInfo *dynamic =
        chain_find(inheritance->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    if (inheritance->renderPass)
        enter_render_pass(call, command_buffer, inheritance->renderPass, inheritance->subpass,
                          inheritance->framebuffer, NULL, VK_SUBPASS_CONTENTS_INLINE);
    else if (dynamic)
        inherit_dynamic(rendering, inheritance->pNext, dynamic);
    rendering->inherited = true;
}
