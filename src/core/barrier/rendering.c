/* Checks vkCmdPipelineBarrier and vkCmdPipelineBarrier2 within a render pass instance (7.7.1
 * "Subpass Self-dependency", and after). */
#include "core/hooks.h"
#include "core/barrier/attachment.h"
#include "core/barrier/stages.h"

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/barrier.h"
#include "state/command/rendering.h"

/* The union of all barriers of a command. */
struct placed {
    /* union over all barriers that have stages of their own */
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
    VkDependencyFlags flags;
    uint32_t buffer_count, image_count; /* numbers of barriers */
    bool memory; /* there is a memory barrier of any kind: not only an execution dependency */
    bool moves;  /* the two queue families of some barrier differ */
    bool layout; /* the two layouts of some barrier differ */
    /* the stages or flags of these barriers break a rule, so further findings would only repeat
     * that */
    bool wrong;
};

/* Adds the stages and accesses of a dependency. */
static void add_masks(struct placed *placed, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                      VkAccessFlags2 src_access, VkAccessFlags2 dst_access)
{
    placed->src_stages |= src;
    placed->dst_stages |= dst;
    placed->src_accesses |= src_access;
    placed->dst_accesses |= dst_access;
}

/* Stages that certainly do not belong to the graphics pipeline. */
#define OTHER_STAGES                                                                               \
    (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT |               \
     VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |                              \
     VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_HOST_BIT | \
     VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |                                    \
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR)

/* The framebuffer-space stages. "For commands recorded where the per-tile execution model is
 * enabled", there are two more. */
static VkPipelineStageFlags2 framebuffer_stages(const struct call *call)
{
    return FRAMEBUFFER_SPACE_STAGES |
           (device_has_feature(call->device, FEATURE_tileShading)
                ? VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT
                : 0);
}

/* Checks that a barrier in a subpass with several views is view-local. */
static bool rendering_barrier_check_views(const struct call *call,
                                          const struct render_pass_instance *rendering,
                                          struct placed *placed)
{
    assert(rendering && placed);
    /* ... more than one view in the current subpass, dependency flags must include
     * VK_DEPENDENCY_VIEW_LOCAL_BIT */
    if (!(rendering->view_mask & (rendering->view_mask - 1)) ||
        placed->flags & VK_DEPENDENCY_VIEW_LOCAL_BIT)
        return false;
    placed->wrong = true;
    return BROKEN_BY(call, RULE_07893, NULL, NULL,
                     "has no VK_DEPENDENCY_VIEW_LOCAL_BIT, but the current subpass has several "
                     "views "
                     "(view mask 0x%x)",
                     rendering->view_mask);
}

/* True if the render pass has a dependency of the current subpass on itself, or none is needed: in
 * dynamic rendering, or where nothing is known of the render pass. */
static bool may_have_barriers(const struct command_buffer *command_buffer)
{
    assert(command_buffer->rendering);
    const struct render_pass *pass = active_render_pass(command_buffer);
    const uint32_t subpass = command_buffer->rendering->subpass;
    for (uint32_t i = 0; pass && i < pass->dependency_count; i++) {
        if (pass->dependencies[i].srcSubpass == subpass &&
            pass->dependencies[i].dstSubpass == subpass)
            return true;
    }
    return !pass;
}

/* Checks the rules for barriers within a render pass instance that both kinds of instances have. */
static bool check_common(const struct call *call, const struct command_buffer *command_buffer,
                         struct placed *placed)
{
    const struct render_pass_instance *rendering = command_buffer->rendering;
    assert(rendering && !placed->wrong);
    struct subject s = {.call = call};
    /* the oldLayout and newLayout members of any image memory barrier included in this command must
     * be equal */
    if (placed->layout)
        BROKEN(&s, RULE_01181, NULL,
               "has an image barrier whose oldLayout and newLayout differ, within a "
               "render pass instance");
    /* the srcQueueFamilyIndex and dstQueueFamilyIndex members of any memory barrier included in
     * this command must be equal */
    if (placed->moves)
        BROKEN(&s, RULE_01182, NULL,
               "has a barrier whose queue families differ, within a render pass instance");
    /* The other rules say how a barrier must be. Here it may not be at all, which 07889 says. */
    if (!may_have_barriers(command_buffer))
        return s.skip;
    /* The rules about "the source stage masks of any memory barriers" do not apply to a command
     * without memory barriers. */
    if (!placed->memory)
        return s.skip | rendering_barrier_check_views(call, rendering, placed);
    /* the source and destination stage masks of any memory barriers must only include graphics
     * pipeline stages */
    VkPipelineStageFlags2 other =
        (placed->src_stages | placed->dst_stages) & OTHER_STAGES & ~framebuffer_stages(call);
    if (other) {
        placed->wrong = true;
        BROKEN(&s, RULE_07892, NULL,
               "has a stage mask with %s, which is not a stage of the graphics "
               "pipeline, within a render pass instance",
               value_text(VALUES_VkPipelineStageFlags2, other).text);
        return s.skip;
    }
    if (placed->src_stages & FRAMEBUFFER_SPACE_STAGES) {
        VkPipelineStageFlags2 outside = placed->dst_stages & ~framebuffer_stages(call);
        placed->wrong = outside || !(placed->flags & VK_DEPENDENCY_BY_REGION_BIT);
        /* ... source stage masks include framebuffer-space stages, destination stage masks must
         * only include framebuffer-space stages */
        if (outside)
            BROKEN(&s, RULE_07890, NULL,
                   "waits with %s, which is not a framebuffer-space stage, for one that "
                   "is, within a render pass instance",
                   value_text(VALUES_VkPipelineStageFlags2, outside).text);
        /* ... then dependencyFlags must include VK_DEPENDENCY_BY_REGION_BIT */
        if (!(placed->flags & VK_DEPENDENCY_BY_REGION_BIT))
            BROKEN(&s, RULE_07891, NULL,
                   "has no VK_DEPENDENCY_BY_REGION_BIT, but waits for framebuffer-space "
                   "stages within a render pass instance");
    }
    return s.skip | rendering_barrier_check_views(call, rendering, placed);
}

/* --- render pass objects --- */

/* Stages that mean several others. They are not compared, as the ones that the program needs are
 * not known. */
#define ALL_STAGES (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
/* Accesses that mean all others. */
#define ALL_ACCESSES (VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT)
/* accesses of Vulkan 1.0, none of which is a part of another access */
#define PLAIN_ACCESSES ((VkAccessFlags2)0x1ffff)

#define PRE_RASTERIZATION_STAGES                                                                   \
    (VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT | \
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |                                      \
     VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT |           \
     VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT |                                                     \
     VK_PIPELINE_STAGE_2_CLUSTER_CULLING_SHADER_BIT_HUAWEI)
#define VERTEX_INPUT_STAGES \
    (VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT)

/* True if `used` has a stage that is not in `stages`. A stage that means several others, and any of
 * these, count as equal. Which of them the device supports is not considered. */
static bool leaves_out(VkPipelineStageFlags2 stages, VkPipelineStageFlags2 used)
{
    static const VkPipelineStageFlags2 groups[][2] = {
        {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, PRE_RASTERIZATION_STAGES},
        {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VERTEX_INPUT_STAGES}};
    if (stages & ALL_STAGES)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        if (stages & groups[i][0])
            used &= ~groups[i][1];
        if (stages & groups[i][1])
            used &= ~groups[i][0];
    }
    return used & ~stages;
}

/* True if the dependency has all stages that the subpass uses, and all accesses in
 * PLAIN_ACCESSES. */
static bool dependency_covers(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                              VkPipelineStageFlags2 used, VkAccessFlags2 used_accesses)
{
    if (leaves_out(stages, used))
        return false;
    return accesses & ALL_ACCESSES || !(used_accesses & PLAIN_ACCESSES & ~accesses);
}

/* ... at least one subpass dependency that expresses a dependency from the current subpass to
 * itself, does not include BY_REGION if this command does not, does not include VIEW_LOCAL if this
 * command does not, and has scopes that are all supersets of the scopes defined in this command.
 * TOP_OF_PIPE as a source, and BOTTOM_OF_PIPE as a destination, mean no stage. */
static bool has_self_dependency(const struct render_pass *pass, uint32_t subpass,
                                const struct placed *placed)
{
    assert(!pass->dependency_count || (pass->dependencies && pass->dependency_masks));
    const VkDependencyFlags local = VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT;
    for (uint32_t i = 0; i < pass->dependency_count; i++) {
        const VkSubpassDependency2 *dependency = &pass->dependencies[i];
        const struct dependency_masks *masks = &pass->dependency_masks[i];
        if (dependency->srcSubpass == subpass && dependency->dstSubpass == subpass &&
            !(dependency->dependencyFlags & local & ~placed->flags) &&
            dependency_covers(masks->src_stages, masks->src_accesses,
                              placed->src_stages & ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
                              placed->src_accesses) &&
            dependency_covers(masks->dst_stages, masks->dst_accesses,
                              placed->dst_stages & ~VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT,
                              placed->dst_accesses))
            return true;
    }
    return false;
}

/* Checks a barrier within a render pass object's instance: the subpass must have a self-dependency
 * that covers the barrier. */
static bool rendering_barrier_check_render_pass(const struct call *call,
                                                const struct command_buffer *command_buffer,
                                                const struct placed *placed)
{
    assert(command_buffer->rendering);
    const struct render_pass *pass = active_render_pass(command_buffer);
    struct subject s = {.call = call};
    /* ... it must not include any buffer memory barriers */
    if (placed->buffer_count)
        BROKEN(&s, RULE_01178, NULL, "has %u buffer memory barriers, within a render pass instance",
               placed->buffer_count);
    /* A subpass cannot have a self-dependency on what the other rules forbid, and those have
     * reported it. */
    if (pass && !placed->wrong &&
        !has_self_dependency(pass, command_buffer->rendering->subpass, placed))
        BROKEN_OF(&s, OBJECT(HANDLE_RENDER_PASS, object_state_handle(&pass->base)), RULE_07889,
                  NULL,
                  "is recorded in subpass %u, but the render pass has no dependency of that "
                  "subpass on itself that covers the barrier (from %s to %s)",
                  command_buffer->rendering->subpass,
                  value_text(VALUES_VkPipelineStageFlags2, placed->src_stages).text,
                  value_text(VALUES_VkPipelineStageFlags2, placed->dst_stages).text);
    return s.skip;
}

/* --- dynamic rendering --- */

#define ATTACHMENT_ACCESSES                                                           \
    (VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | \
     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |                                  \
     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT)

/* Checks a barrier within dynamic rendering. Sets `wrong` if no barrier is allowed there. */
static bool rendering_barrier_check_dynamic(const struct call *call, struct placed *placed)
{
    assert(!placed->wrong);
    struct subject s = {.call = call};
    bool local_read = device_has_feature(call->device, FEATURE_dynamicRenderingLocalRead);
    const VkPipelineStageFlags2 outside =
        (placed->src_stages | placed->dst_stages) & ~framebuffer_stages(call);
    const VkAccessFlags2 other =
        (placed->src_accesses | placed->dst_accesses) & ~(VkAccessFlags2)ATTACHMENT_ACCESSES;
    placed->wrong =
        outside || (!local_read && (other || placed->buffer_count || placed->image_count));
    /* If none of the shaderTileImage* features are enabled, and the dynamicRenderingLocalRead
     * feature is not enabled, must not be called within ... */
    if (!local_read && !device_has_feature(call->device, FEATURE_shaderTileImageColorReadAccess) &&
        !device_has_feature(call->device, FEATURE_shaderTileImageStencilReadAccess) &&
        !device_has_feature(call->device, FEATURE_shaderTileImageDepthReadAccess)) {
        placed->wrong = true;
        BROKEN(&s, RULE_09553, NULL,
               "is recorded within dynamic rendering, but the feature "
               "dynamicRenderingLocalRead is not enabled");
        return s.skip;
    }
    /* ... there must be no buffer or image memory barriers specified by this command */
    if (!local_read && (placed->buffer_count || placed->image_count))
        BROKEN(&s, RULE_09554, NULL,
               "has %u buffer and %u image memory barriers within dynamic rendering, but "
               "the feature dynamicRenderingLocalRead is not enabled",
               placed->buffer_count, placed->image_count);
    /* ... must only include COLOR_ATTACHMENT_READ, COLOR_ATTACHMENT_WRITE,
     * DEPTH_STENCIL_ATTACHMENT_READ, or DEPTH_STENCIL_ATTACHMENT_WRITE */
    if (!local_read && other)
        BROKEN(&s, RULE_09586, NULL,
               "has %s in an access mask within dynamic rendering, but the feature "
               "dynamicRenderingLocalRead is not enabled",
               value_text(VALUES_VkAccessFlags2, other).text);
    /* ... this command must only specify framebuffer-space stages in srcStageMask and dstStageMask
     */
    if (outside)
        BROKEN(&s, RULE_09556, NULL,
               "has a stage mask with %s, which is not a framebuffer-space stage, within "
               "dynamic rendering",
               value_text(VALUES_VkPipelineStageFlags2, outside).text);
    return s.skip;
}

/* Checks a command with barriers against the place where it is recorded. */
static bool check_placed(const struct call *call, struct placed *placed)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    if (!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS)) {
        /* ... outside of a render pass instance, the dependency flags must not include
         * VK_DEPENDENCY_VIEW_LOCAL_BIT */
        return unlikely(placed->flags & VK_DEPENDENCY_VIEW_LOCAL_BIT) &&
               BROKEN_BY(call, RULE_01186, NULL, NULL,
                         "has VK_DEPENDENCY_VIEW_LOCAL_BIT outside of a render pass instance");
    }
    if (!rendering || rendering->inherited)
        return false;
    bool dynamic = rendering->kind == RENDERING_DYNAMIC,
         skip = dynamic && rendering_barrier_check_dynamic(call, placed);
    if (placed->wrong)
        return skip;
    skip = check_common(call, command_buffer, placed);
    return skip | (!dynamic && rendering_barrier_check_render_pass(call, command_buffer, placed));
}

bool core_validate_CmdPipelineBarrier_rendering(struct call *call, VkCommandBuffer commandBuffer,
                                                VkPipelineStageFlags srcStageMask,
                                                VkPipelineStageFlags dstStageMask,
                                                VkDependencyFlags dependencyFlags,
                                                uint32_t memoryBarrierCount,
                                                const VkMemoryBarrier *pMemoryBarriers,
                                                uint32_t bufferMemoryBarrierCount,
                                                const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                                uint32_t imageMemoryBarrierCount,
                                                const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    struct placed placed = {.src_stages = srcStageMask,
                            .dst_stages = dstStageMask,
                            .flags = dependencyFlags,
                            .buffer_count = bufferMemoryBarrierCount,
                            .image_count = imageMemoryBarrierCount,
                            .memory = memoryBarrierCount || bufferMemoryBarrierCount ||
                                      imageMemoryBarrierCount};
    if (likely(!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS)))
        /* Outside of a render pass instance, masks and families need not be collected. */
        return check_placed(call, &placed);
    for (uint32_t i = 0; pMemoryBarriers && i < memoryBarrierCount; i++)
        add_masks(&placed, 0, 0, pMemoryBarriers[i].srcAccessMask,
                  pMemoryBarriers[i].dstAccessMask);
    for (uint32_t i = 0; pBufferMemoryBarriers && i < bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier *b = &pBufferMemoryBarriers[i];
        add_masks(&placed, 0, 0, b->srcAccessMask, b->dstAccessMask);
        placed.moves |= b->srcQueueFamilyIndex != b->dstQueueFamilyIndex;
    }
    for (uint32_t i = 0; pImageMemoryBarriers && i < imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier *b = &pImageMemoryBarriers[i];
        add_masks(&placed, 0, 0, b->srcAccessMask, b->dstAccessMask);
        placed.moves |= b->srcQueueFamilyIndex != b->dstQueueFamilyIndex;
        placed.layout |= b->oldLayout != b->newLayout;
    }
    /* Images are checked last: where the barrier is not allowed at all, they are skipped. */
    bool skip = check_placed(call, &placed);
    for (uint32_t i = 0; pImageMemoryBarriers && !placed.wrong && i < imageMemoryBarrierCount; i++)
        skip |= attachment_barrier_check(call, pImageMemoryBarriers[i].image,
                                         &pImageMemoryBarriers[i].subresourceRange,
                                         pImageMemoryBarriers[i].oldLayout, false,
                                         &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i));
    return skip;
}

bool core_validate_CmdPipelineBarrier2_rendering(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkDependencyInfo *pDependencyInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const VkDependencyInfo *info = pDependencyInfo;
    if (!command_buffer)
        return false;
    struct placed placed = {.flags = info->dependencyFlags,
                            .buffer_count = info->bufferMemoryBarrierCount,
                            .image_count = info->imageMemoryBarrierCount,
                            /* Version 1 cannot express an execution dependency alone. */
                            .memory = true};
    if (likely(!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS)))
        return check_placed(call, &placed);
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        add_masks(&placed, b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask);
    }
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        add_masks(&placed, b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask);
        placed.moves |= b->srcQueueFamilyIndex != b->dstQueueFamilyIndex;
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        add_masks(&placed, b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask);
        placed.moves |= b->srcQueueFamilyIndex != b->dstQueueFamilyIndex;
        placed.layout |= b->oldLayout != b->newLayout;
    }
    bool skip = check_placed(call, &placed);
    const struct location where = LOCATION_POINTER(NULL, "pDependencyInfo");
    for (uint32_t i = 0;
         info->pImageMemoryBarriers && !placed.wrong && i < info->imageMemoryBarrierCount; i++)
        skip |= attachment_barrier_check(call, info->pImageMemoryBarriers[i].image,
                                         &info->pImageMemoryBarriers[i].subresourceRange,
                                         info->pImageMemoryBarriers[i].oldLayout, false,
                                         &LOCATION_INDEX(&where, "pImageMemoryBarriers", i));
    return skip;
}
