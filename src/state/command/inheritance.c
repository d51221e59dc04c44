/* Tracks the state that vkBeginCommandBuffer lets a secondary inherit. */
#include "state/command/inheritance.h"
#include "state/dynamic_values.h"
#include "state/descriptor/heaps.h"

#include "vk/chain.h"
#include "vk/pointer.h"

#include <string.h>

/* Notes the render pass, subpass and framebuffer. An id is 0 if the object is given but not
 * known. */
static void take_render_pass(const struct call *call,
                             struct command_buffer_inheritance *inheritance,
                             const VkCommandBufferInheritanceInfo *info)
{
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    const struct framebuffer *framebuffer = find_framebuffer(call, info->framebuffer);
    inheritance->has_render_pass = info->renderPass != VK_NULL_HANDLE;
    inheritance->has_framebuffer = info->framebuffer != VK_NULL_HANDLE;
    inheritance->render_pass = pass ? object_state_id(&pass->base) : 0;
    inheritance->compatibility = pass ? pass->compatibility : 0;
    inheritance->framebuffer = framebuffer ? object_state_id(&framebuffer->base) : 0;
    inheritance->subpass = info->subpass;
}

/* Notes the state of dynamic rendering that a secondary inherits. */
static void take_rendering(struct command_buffer_inheritance *inheritance,
                           const VkCommandBufferInheritanceRenderingInfo *info)
{
    assert(inheritance && info);
    uint32_t count = info->pColorAttachmentFormats ? info->colorAttachmentCount : 0;
    inheritance->has_rendering = true;
    inheritance->flags = info->flags;
    /* The number as given, for messages. Below, the formats are limited to those that are kept. */
    inheritance->color_count = info->colorAttachmentCount;
    inheritance->formats.view_mask = info->viewMask;
    inheritance->formats.color_count = count < PIPELINE_COLORS ? count : PIPELINE_COLORS;
    for (uint32_t i = 0; i < inheritance->formats.color_count; i++)
        inheritance->formats.colors[i] = info->pColorAttachmentFormats[i];
    inheritance->formats.depth = info->depthAttachmentFormat;
    inheritance->formats.stencil = info->stencilAttachmentFormat;
    inheritance->samples = info->rasterizationSamples;
}

/* Notes the sample counts of attachments in dynamic rendering (VK_AMD_mixed_attachment_samples). */
static void take_sample_counts(struct command_buffer_inheritance *inheritance,
                               const VkAttachmentSampleCountInfoAMD *info)
{
    assert(inheritance && info);
    uint32_t count = pointer_is_bad(info->pColorAttachmentSamples) ? 0 : info->colorAttachmentCount;
    inheritance->has_sample_counts = true;
    inheritance->sample_count_count = count < PIPELINE_COLORS ? count : PIPELINE_COLORS;
    for (uint32_t i = 0; i < inheritance->sample_count_count; i++)
        inheritance->color_samples[i] = info->pColorAttachmentSamples[i];
    inheritance->depth_stencil_samples = info->depthStencilAttachmentSamples;
}

/* Notes locations and indices of attachments. `rendering` has the inherited ones until a command of
 * this command buffer changes them. */
static void take_mappings(struct command_buffer_inheritance *inheritance,
                          const struct render_pass_instance *rendering)
{
    assert(inheritance && rendering);
    memcpy(inheritance->color_locations, rendering->color_locations,
           sizeof(inheritance->color_locations));
    memcpy(inheritance->color_input_indices, rendering->color_input_indices,
           sizeof(inheritance->color_input_indices));
    inheritance->depth_input_index = rendering->depth_input_index;
    inheritance->stencil_input_index = rendering->stencil_input_index;
}

/* Notes the formats of a custom resolve (VK_EXT_custom_resolve). */
static void take_resolve(struct command_buffer_inheritance *inheritance,
                         const VkCustomResolveCreateInfoEXT *info)
{
    assert(inheritance && info);
    inheritance->resolve.color_count = info->colorAttachmentCount;
    for (uint32_t i = 0; !pointer_is_bad(info->pColorAttachmentFormats) &&
                         i < info->colorAttachmentCount && i < PIPELINE_COLORS;
         i++)
        inheritance->resolve.colors[i] = info->pColorAttachmentFormats[i];
    inheritance->resolve.depth = info->depthAttachmentFormat;
    inheritance->resolve.stencil = info->stencilAttachmentFormat;
}

/* Notes the structures in the chain of the inheritance info. */
static void take_chain(struct command_buffer_inheritance *inheritance, const void *chain)
{
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        chain_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    const VkAttachmentSampleCountInfoAMD *samples =
        chain_find(chain, VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT *conditional =
        chain_find(chain,
                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
    const VkCustomResolveCreateInfoEXT *resolve =
        chain_find(chain, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
    if (rendering)
        take_rendering(inheritance, rendering);
    if (samples)
        take_sample_counts(inheritance, samples);
    inheritance->conditional_rendering = conditional && conditional->conditionalRenderingEnable;
    /* The presence of the structure is compared as well, whatever its members are. */
    inheritance->has_custom_resolve = resolve != NULL;
    inheritance->custom_resolve = resolve && resolve->customResolve;
    inheritance->tiles = tile_shading_of(chain);
    if (resolve)
        take_resolve(inheritance, resolve);
}

/* Notes an inherited heap, which counts as bound from the beginning. */
static void inherit_heap(struct command_buffer *command_buffer, enum heap_kind kind,
                         const VkBindHeapInfoEXT *info)
{
    if (pointer_is_bad(info))
        return;
    command_buffer->inheritance->heaps[kind] = bound_heap_by(info);
    command_buffer->heaps.heaps[kind] = command_buffer->inheritance->heaps[kind];
}

/* Notes the descriptor heaps, each of which may be missing. */
static void take_heaps(struct command_buffer *command_buffer, const void *chain)
{
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps =
        chain_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT);
    if (likely(!heaps))
        return;
    if (heaps->pSamplerHeapBindInfo) {
        /* An inherited heap must not be bound again: commands look at this bit. */
        command_buffer->scope |= SCOPE_SAMPLER_HEAP;
        inherit_heap(command_buffer, HEAP_SAMPLERS, heaps->pSamplerHeapBindInfo);
    }
    if (heaps->pResourceHeapBindInfo) {
        command_buffer->scope |= SCOPE_RESOURCE_HEAP;
        inherit_heap(command_buffer, HEAP_RESOURCES, heaps->pResourceHeapBindInfo);
    }
}

/* Notes the transform of the render pass and its area (VK_QCOM_render_pass_transform). */
static void take_transform(struct command_buffer_inheritance *inheritance, const void *chain)
{
    const VkCommandBufferInheritanceRenderPassTransformInfoQCOM *transform =
        chain_find(chain,
                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDER_PASS_TRANSFORM_INFO_QCOM);
    if (!transform)
        return;
    inheritance->has_transform = true;
    inheritance->transform = transform->transform;
    inheritance->render_area = transform->renderArea;
}

/* Notes inherited viewports and scissors, which count as set. Their number is given here, except
 * for a pipeline with a static count. */
static void inherit_viewports(struct command_buffer *command_buffer, const void *chain)
{
    const VkCommandBufferInheritanceViewportScissorInfoNV *info =
        chain_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV);
    struct command_buffer_dynamic *dynamic =
        info && info->viewportScissor2D ? command_buffer_own_dynamic(command_buffer) : NULL;
    if (!dynamic)
        return;
    command_buffer->inheritance->viewport_scissor = true;
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_VIEWPORT);
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_SCISSOR);
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_VIEWPORT_WITH_COUNT);
    dynamic_state_set_add(&command_buffer->dynamic_set, DYNAMIC_SCISSOR_WITH_COUNT);
    dynamic->viewport_count = dynamic->scissor_count = info->viewportDepthCount;
}

void inheritance_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                                 const VkCommandBufferBeginInfo *info)
{
    assert(command_buffer && info);
    const VkCommandBufferInheritanceInfo *given = info->pInheritanceInfo;
    if (!(command_buffer->scope & SCOPE_SECONDARY))
        return;
    struct command_buffer_inheritance *inheritance = command_buffer->inheritance;
    if (!inheritance)
        inheritance = mem_make(&command_buffer->inheritance, NULL, sizeof(*inheritance));
    if (!inheritance)
        return;
    memset(inheritance, 0, sizeof(*inheritance));
    if (!given)
        return;
    inheritance->given = true;
    inheritance->occlusion_query = given->occlusionQueryEnable;
    inheritance->query_flags = given->queryFlags;
    inheritance->statistics = given->pipelineStatistics;
    /* renderPass, subpass and framebuffer are ignored if the command buffer is not executed within
     * a render pass instance. */
    if (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT)
        take_render_pass(call, inheritance, given);
    if (command_buffer->rendering)
        take_mappings(inheritance, command_buffer->rendering);
    if (given->pNext) {
        take_chain(inheritance, given->pNext);
        take_transform(inheritance, given->pNext);
        take_heaps(command_buffer, given->pNext);
        inherit_viewports(command_buffer, given->pNext);
    }
}
