/* Checks that a dynamic render pass instance may begin and end, and how its attachments are mapped
 * (8.5 "Dynamic Rendering"). */
#include "core/render/attachment.h"
#include "core/render/rendering.h"
#include "core/render/texel_size.h"
#include "core/hooks.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <stdio.h>
#include <string.h>

/* --- device groups --- */

/* --- VkRenderingInfo --- */

/* Checks that the render area is not empty, unless a device group's devices have areas of their
 * own. */
static void check_area(struct rendering_check *c)
{
    const VkRect2D *area = &c->info->renderArea;
    if (likely(area->extent.width && area->extent.height) || device_render_areas(c->info->pNext))
        return;
    REQUIRE(&c->s, RULE_08994, area->extent.width, &LOCATION(&c->where, "renderArea.extent.width"),
            "is 0");
    REQUIRE(&c->s, RULE_08995, area->extent.height,
            &LOCATION(&c->where, "renderArea.extent.height"), "is 0");
}

/* The contents of pRenderingInfo must match between suspended render pass instances and the render
 * pass instances that resume them (8.1). */
static COLD void check_resumes(struct rendering_check *c)
{
    const struct rendering_contents resumed = rendering_contents_of(c->info);
    uint32_t index;
    const char *member =
        rendering_difference(&c->command_buffer->rendering->suspended, &resumed, &index);
    const struct location array = LOCATION(&c->where, member);
    if (member)
        c->s.skip |=
            BROKEN_BY(c->s.call, UNASSIGNED_RenderingInfo_SuspendResume_Mismatch,
                      strcmp(member, "pColorAttachments") == 0
                          ? &LOCATION_INDEX(&c->where, member, index)
                          : &array,
                      NULL,
                      "differs from that of the suspended render pass instance, which this one "
                      "resumes");
}

/* Checks the flags of dynamic rendering against the command buffer, and the instance that it
 * resumes. */
static void check_rendering_flags(struct rendering_check *c)
{
    VkRenderingFlags flags = c->info->flags;
    if (likely(!flags) || !c->command_buffer)
        return;
    if (unlikely(flags & VK_RENDERING_RESUMING_BIT) && c->command_buffer->scope & SCOPE_SUSPENDED &&
        c->command_buffer->rendering)
        check_resumes(c);
    if (!(c->command_buffer->scope & SCOPE_SECONDARY))
        return;
    REQUIRE(&c->s, RULE_06068,
            !(flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) ||
                subject_has(&c->s, FEATURE_nestedCommandBuffer),
            &LOCATION(&c->where, "flags"),
            "includes VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT in a secondary command "
            "buffer, but the feature nestedCommandBuffer is not enabled");
}

/* Attachment `i`: colors first, then depth, then stencil. NULL: it is not given. */
static const VkRenderingAttachmentInfo *attachment_at(const struct rendering_check *c, uint32_t i)
{
    assert(i < rendering_attachment_count(c));
    uint32_t colors = rendering_attachment_count(c) - 2;
    return i < colors    ? &c->info->pColorAttachments[i]
           : i == colors ? c->info->pDepthAttachment
                         : c->info->pStencilAttachment;
}

/* The view of attachment `i`; NULL: there is none, or it is not known. */
static const struct image_view *view_at(const struct rendering_check *c, uint32_t i)
{
    const VkRenderingAttachmentInfo *info = attachment_at(c, i);
    return info ? rendering_check_view(c, i, info->imageView) : NULL;
}

/* The name of an attachment in VkRenderingInfo, such as "pColorAttachments[2]". */
struct attachment_name {
    char text[32];
};

/* The name of attachment `i` as a member of VkRenderingInfo. */
static COLD struct attachment_name attachment_name(const struct rendering_check *c, uint32_t i)
{
    assert(i < rendering_attachment_count(c));
    struct attachment_name name;
    uint32_t colors = rendering_attachment_count(c) - 2;
    if (i < colors)
        (void)snprintf(name.text, sizeof(name.text), "pColorAttachments[%u]", i);
    else
        (void)snprintf(name.text, sizeof(name.text), "%s",
                       i == colors ? "pDepthAttachment" : "pStencilAttachment");
    return name;
}

/* Reports attachments of dynamic rendering whose sample counts differ, unless a feature allows it.
 */
static COLD void report_samples(struct rendering_check *c)
{
    bool mixed = call_has_extension(c->s.call, EXTENSION_VK_AMD_mixed_attachment_samples) ||
                 call_has_extension(c->s.call, EXTENSION_VK_NV_framebuffer_mixed_samples);
    VkSampleCountFlagBits first = 0;
    uint32_t count = rendering_attachment_count(c), first_at = 0;
    if (device_has_feature(c->s.call->device, FEATURE_multisampledRenderToSingleSampled))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct image_view *view = view_at(c, i);
        bool color = i + 2 < count;
        if (!view)
            continue;
        if (!first) {
            first = view->samples;
            first_at = i;
        }
        if (view->samples == first)
            continue;
        const struct location at = rendering_attachment_location(c, i);
        if (color)
            BROKEN_OF(&c->s, NULL, RULE_09429, &LOCATION(&at, "imageView"),
                      "has %s, but that of %s has %s",
                      TEXT_OF(VkSampleCountFlagBits, view->samples),
                      attachment_name(c, first_at).text, TEXT_OF(VkSampleCountFlagBits, first));
        else if (!mixed)
            BROKEN_OF(&c->s, NULL, RULE_06857, &LOCATION(&at, "imageView"),
                      "has %s, but that of %s has %s",
                      TEXT_OF(VkSampleCountFlagBits, view->samples),
                      attachment_name(c, first_at).text, TEXT_OF(VkSampleCountFlagBits, first));
    }
}

/* Looks up the view of an attachment, and adds its sample count to `samples`. */
static ALWAYS_INLINE void find_view(struct rendering_check *c, uint32_t i,
                                    const VkRenderingAttachmentInfo *info,
                                    VkSampleCountFlags *samples)
{
    const struct image_view *view =
        info && info->imageView ? find_image_view(c->s.call, info->imageView) : NULL;
    if (likely(i < RENDERING_VIEWS))
        c->views[i] = view;
    if (view)
        *samples |= view->samples;
}

/* Checks that all attachments have the same sample count. */
static void rendering_check_samples(struct rendering_check *c)
{
    const VkRenderingInfo *info = c->info;
    const uint32_t colors = rendering_attachment_count(c) - 2;
    VkSampleCountFlags samples = 0;
    for (uint32_t i = 0; i < colors; i++)
        find_view(c, i, &info->pColorAttachments[i], &samples);
    find_view(c, colors, info->pDepthAttachment, &samples);
    find_view(c, colors + 1, info->pStencilAttachment, &samples);
    if (unlikely(samples & (samples - 1)))
        report_samples(c);
}

/* True if the two ranges have an element in common. */
static bool ranges_meet(uint32_t first, uint32_t count, uint32_t other, uint32_t other_count)
{
    return first < (uint64_t)other + other_count && other < (uint64_t)first + count;
}

/* Valid attachments must not be bound to memory locations that are bound to any other. Checks that
 * no two color attachments are views of the same subresource. */
static void check_aliases(struct rendering_check *c)
{
    const uint32_t count = rendering_attachment_count(c) - 2;
    for (uint32_t i = 1; i < count && i < PIPELINE_COLORS; i++) {
        const struct image_view *view = c->views[i];
        for (uint32_t k = 0; view && k < i; k++) {
            const struct image_view *other = c->views[k];
            if (likely(!other || other->image != view->image) ||
                !(other->range.aspectMask & view->range.aspectMask) ||
                !ranges_meet(view->range.baseMipLevel, view->range.levelCount,
                             other->range.baseMipLevel, other->range.levelCount) ||
                !ranges_meet(view->range.baseArrayLayer, view->range.layerCount,
                             other->range.baseArrayLayer, other->range.layerCount))
                continue;
            const struct location at = rendering_attachment_location(c, i);
            BROKEN_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), RULE_09044,
                      &LOCATION(&at, "imageView"), "(%s) is of the memory that %s (%s) is of",
                      VIEW(c->s.call, view), attachment_name(c, k).text, VIEW(c->s.call, other));
            break;
        }
    }
}

/* Checks the attachments of dynamic rendering that renders multisampled to single-sampled
 * images. */
static void check_single_sampled(struct rendering_check *c)
{
    assert(c->single_sampled);
    VkSampleCountFlagBits samples = c->single_sampled->rasterizationSamples;
    for (uint32_t i = 0; i < rendering_attachment_count(c); i++) {
        const struct image_view *view = view_at(c, i);
        const struct location at = rendering_attachment_location(c, i);
        if (!view)
            continue;
        bool one = view->samples == VK_SAMPLE_COUNT_1_BIT;
        REQUIRE(&c->s, RULE_06858, one || view->samples == samples, &LOCATION(&at, "imageView"),
                "has %s, neither one sample nor the %s of "
                "VkMultisampledRenderToSingleSampledInfoEXT",
                TEXT_OF(VkSampleCountFlagBits, view->samples),
                TEXT_OF(VkSampleCountFlagBits, samples));
        REQUIRE(&c->s, RULE_06859,
                !one || view->image_flags &
                            VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT,
                &LOCATION(&at, "imageView"),
                "is of an image without "
                "VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT");
    }
}

/* Checks the depth and stencil attachments against each other. */
static void rendering_check_depth_stencil(struct rendering_check *c)
{
    const VkRenderingAttachmentInfo *depth = c->info->pDepthAttachment,
                                    *stencil = c->info->pStencilAttachment;
    const VkPhysicalDeviceDepthStencilResolveProperties *properties =
        &c->s.call->device->extended.DepthStencilResolveProperties;
    if (!depth || !stencil)
        return;
    const struct location where = LOCATION_POINTER(&c->where, "pStencilAttachment");
    if (!depth->imageView || !stencil->imageView)
        return;
    REQUIRE(&c->s, RULE_06085, depth->imageView == stencil->imageView,
            &LOCATION(&where, "imageView"), "is not the image view of pDepthAttachment");
    if (depth->resolveMode && stencil->resolveMode)
        REQUIRE(&c->s, RULE_06086, depth->resolveImageView == stencil->resolveImageView,
                &LOCATION(&where, "resolveImageView"), "is not the one of pDepthAttachment");
    if (depth->resolveMode == stencil->resolveMode || !properties->supportedDepthResolveModes)
        return;
    bool none = !depth->resolveMode || !stencil->resolveMode;
    REQUIRE(&c->s, RULE_06104, properties->independentResolveNone || !none,
            &LOCATION(&where, "resolveMode"),
            "is not that of pDepthAttachment, but independentResolveNone is VK_FALSE");
    REQUIRE(&c->s, RULE_06105, properties->independentResolve || none,
            &LOCATION(&where, "resolveMode"),
            "is not that of pDepthAttachment, but independentResolve is VK_FALSE");
}

/* --- fragment shading rate and density map --- */

/* The index of the attachment whose view or resolve view is `view`; rendering_attachment_count() if
 * there is none. */
static uint32_t attachment_of(const struct rendering_check *c, VkImageView view)
{
    uint32_t count = rendering_attachment_count(c);
    for (uint32_t i = 0; i < count; i++) {
        const VkRenderingAttachmentInfo *info = attachment_at(c, i);
        if (info &&
            (info->imageView == view || (info->resolveImageView == view && info->resolveMode)))
            return i;
    }
    return count;
}

/* Checks that the view is large enough. "If the maintenance7 feature is not enabled or the
 * robustFragmentShadingRateAttachmentAccess limit is VK_FALSE or the view has a base mip level
 * greater than 0". */
static void check_rate_extent(struct rendering_check *c, const struct location *where,
                              const struct image_view *view, VkExtent2D size)
{
    assert(view);
    const struct device *device = c->s.call->device;
    if (device_has_feature(device, FEATURE_maintenance7) &&
        device->extended.Maintenance7PropertiesKHR.robustFragmentShadingRateAttachmentAccess &&
        view->range.baseMipLevel == 0)
        return;
    const VkDeviceGroupRenderPassBeginInfo *group = device_render_areas(c->info->pNext);
    uint32_t count = group ? group->deviceRenderAreaCount : 1;
    const VkRect2D *areas = group ? group->pDeviceRenderAreas : &c->info->renderArea;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(&c->s, group ? RULE_06120 : RULE_06119,
                view->extent.width >= texels_for(rect_right(&areas[i]), size.width),
                &LOCATION(where, "imageView"),
                "is %u texels wide, too few for a render area that ends at %lld",
                view->extent.width, (long long)rect_right(&areas[i]));
        REQUIRE(&c->s, group ? RULE_06122 : RULE_06121,
                view->extent.height >= texels_for(rect_bottom(&areas[i]), size.height),
                &LOCATION(where, "imageView"),
                "is %u texels high, too few for a render area that ends at %lld",
                view->extent.height, (long long)rect_bottom(&areas[i]));
    }
}

/* Checks the shading rate attachment. `density`: the density map of the same rendering, or NULL. */
static void
rendering_check_shading_rate(struct rendering_check *c,
                             const VkRenderingFragmentShadingRateAttachmentInfoKHR *rate,
                             const VkRenderingFragmentDensityMapAttachmentInfoEXT *density)
{
    const struct location where =
        LOCATION_CHAINED(&c->where, "VkRenderingFragmentShadingRateAttachmentInfoKHR");
    const struct image_view *view = find_image_view(c->s.call, rate->imageView);
    uint32_t mask = c->info->viewMask;
    texel_size_check(&c->s, &where, rate->shadingRateAttachmentTexelSize, RULE_06155, RULE_06156);
    uint32_t other = attachment_of(c, rate->imageView);
    REQUIRE(&c->s, RULE_06125, other == rendering_attachment_count(c),
            &LOCATION(&where, "imageView"), "is a view of %s, too", attachment_name(c, other).text);
    REQUIRE(&c->s, RULE_06126, !density || density->imageView != rate->imageView,
            &LOCATION(&where, "imageView"), "is the fragment density map, too");
    if (!view)
        return;
    uint32_t layers = view->range.layerCount;
    REQUIRE(&c->s, RULE_06123, mask || layers == 1 || layers >= c->info->layerCount,
            &LOCATION(&where, "imageView"), "has %u layers, but VkRenderingInfo::layerCount is %u",
            layers, c->info->layerCount);
    REQUIRE(&c->s, RULE_06124, !mask || layers == 1 || layers >= views_of(mask),
            &LOCATION(&where, "imageView"), "has %u layers, but viewMask is 0x%x", layers, mask);
    check_rate_extent(c, &where, view, rate->shadingRateAttachmentTexelSize);
}

/* Checks that the images of all attachments are subsampled, as a fragment density map requires. */
static void check_subsampled(struct rendering_check *c)
{
    if (device_has_feature(c->s.call->device, FEATURE_fragmentDensityMapNonSubsampledImages))
        return;
    for (uint32_t i = 0; i < rendering_attachment_count(c); i++) {
        const struct image_view *view = view_at(c, i);
        const struct location at = rendering_attachment_location(c, i);
        REQUIRE(&c->s, RULE_06107, !view || view->image_flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT,
                &LOCATION(&at, "imageView"),
                "is of an image without VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, but there is a "
                "fragment "
                "density map");
    }
}

/* Checks the density map attachment: its layers, and its size against the render areas. */
static void
rendering_check_density_map(struct rendering_check *c,
                            const VkRenderingFragmentDensityMapAttachmentInfoEXT *density)
{
    const struct location where =
        LOCATION_CHAINED(&c->where, "VkRenderingFragmentDensityMapAttachmentInfoEXT");
    const struct image_view *view = find_image_view(c->s.call, density->imageView);
    uint32_t mask = c->info->viewMask;
    uint32_t other = attachment_of(c, density->imageView);
    REQUIRE(&c->s, RULE_06116, other == rendering_attachment_count(c),
            &LOCATION(&where, "imageView"), "is a view of %s, too", attachment_name(c, other).text);
    check_subsampled(c);
    if (!view)
        return;
    uint32_t layers = view->range.layerCount;
    REQUIRE(&c->s, RULE_06108, !mask || layers >= views_of(mask), &LOCATION(&where, "imageView"),
            "has %u layers, but viewMask is 0x%x", layers, mask);
    bool layered = c->info->flags & VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE;
    REQUIRE(&c->s, RULE_06109, mask || layers == 1 || layered, &LOCATION(&where, "imageView"),
            "has %u layers, not one", layers);
    const VkExtent2D most =
        c->s.call->device->extended.FragmentDensityMapPropertiesEXT.maxFragmentDensityTexelSize;
    const VkDeviceGroupRenderPassBeginInfo *group = device_render_areas(c->info->pNext);
    uint32_t count = group ? group->deviceRenderAreaCount : 1;
    const VkRect2D *areas = group ? group->pDeviceRenderAreas : &c->info->renderArea;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(&c->s, group ? RULE_06113 : RULE_06112,
                view->extent.width >= texels_for(rect_right(&areas[i]), most.width),
                &LOCATION(&where, "imageView"),
                "is %u texels wide, too few for a render area that ends at %lld with texels of %u",
                view->extent.width, (long long)rect_right(&areas[i]), most.width);
        REQUIRE(&c->s, group ? RULE_06115 : RULE_06114,
                view->extent.height >= texels_for(rect_bottom(&areas[i]), most.height),
                &LOCATION(&where, "imageView"),
                "is %u texels high, too few for a render area that ends at %lld with texels of %u",
                view->extent.height, (long long)rect_bottom(&areas[i]), most.height);
    }
}

/* Checks the structures in the chain of VkRenderingInfo. */
static void rendering_check_chained(struct rendering_check *c)
{
    const void *chain = c->info->pNext;
    const VkRenderingFragmentShadingRateAttachmentInfoKHR *rate =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
    const VkRenderingFragmentDensityMapAttachmentInfoEXT *density =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT);
    const VkRenderPassTileShadingCreateInfoQCOM *tiles =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM);
    if (rate && rate->imageView)
        rendering_check_shading_rate(c, rate, density);
    if (density && density->imageView)
        rendering_check_density_map(c, density);
    if (c->single_sampled)
        check_single_sampled(c);
    check_instance_chain(c, &(struct instance_begin){
                                .chain = chain,
                                .area = device_render_areas(chain) ? NULL : &c->info->renderArea,
                                .views = c->info->viewMask,
                                .subpasses = 1,
                                .layers = c->info->layerCount});
    if (!tiles)
        return;
    const struct location where =
        LOCATION_CHAINED(&c->where, "VkRenderPassTileShadingCreateInfoQCOM");
    bool enabled = tiles->flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
    REQUIRE(&c->s, RULE_10641,
            !enabled || !c->command_buffer ||
                !(c->command_buffer->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT),
            &LOCATION(&where, "flags"),
            "enables tile shading in a command buffer with "
            "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT");
}

bool core_validate_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderingInfo *pRenderingInfo)
{
    const VkMultisampledRenderToSingleSampledInfoEXT *single =
        pRenderingInfo->pNext
            ? chain_find(pRenderingInfo->pNext,
                         VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT)
            : NULL;
    const struct image_view *views[RENDERING_VIEWS];
    struct rendering_check c = {
        .s = {.call = call},
        .command_buffer = call_command_buffer(call),
        .info = pRenderingInfo,
        .views = views,
        .single_sampled = single && single->multisampledRenderToSingleSampledEnable ? single : NULL,
        .where = LOCATION_POINTER(NULL, "pRenderingInfo")};
    check_area(&c);
    check_rendering_flags(&c);
    rendering_check_samples(&c);
    check_aliases(&c);
    rendering_check_depth_stencil(&c);
    check_rendering_attachments(&c);
    if (pRenderingInfo->pNext)
        rendering_check_chained(&c);
    return c.s.skip;
}

/* --- custom resolves --- */

bool core_validate_CmdBeginCustomResolveEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkBeginCustomResolveInfoEXT
                                                *pBeginCustomResolveInfo)
{
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    struct subject s = {.call = call};
    if (!rendering)
        return false;
    const bool begun_here = rendering->kind == RENDERING_DYNAMIC && !rendering->inherited;
    REQUIRE(&s, RULE_11517, begun_here, &LOCATION(NULL, "commandBuffer"),
            "is in a render pass instance that no vkCmdBeginRendering in it began");
    if (!begun_here)
        return s.skip;
    REQUIRE(&s, RULE_11519, rendering->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT, NULL,
            "is recorded in an instance without VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT");
    REQUIRE(&s, RULE_11520, !(rendering->flags & VK_RENDERING_SUSPENDING_BIT), NULL,
            "is recorded in an instance with VK_RENDERING_SUSPENDING_BIT");
    REQUIRE(&s, RULE_11518, !rendering->custom_resolve, NULL,
            "was recorded in this instance before");
    return s.skip;
}

/* --- the end --- */

/* Checks a command that ends dynamic rendering. `kind`: the rule about instances of render pass
 * objects. `inherited`: the rule about instances that another command buffer began. */
static bool rendering_check_end(struct call *call, enum vuid kind, enum vuid inherited)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    if (!rendering)
        return false;
    if (rendering->kind != RENDERING_DYNAMIC)
        return BROKEN_BY(call, kind, NULL, NULL,
                         "ends a render pass instance that vkCmdBeginRenderPass began");
    struct subject s = {.call = call};
    REQUIRE(&s, inherited, !rendering->inherited, NULL,
            "ends a render pass instance that another command buffer began");
    return s.skip;
}

bool core_validate_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer)
{
    return rendering_check_end(call, VUID_vkCmdEndRendering_None_06161,
                               VUID_vkCmdEndRendering_commandBuffer_06162);
}

bool core_validate_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    return rendering_check_end(call, VUID_vkCmdEndRendering2KHR_None_10610,
                               VUID_vkCmdEndRendering2KHR_commandBuffer_10611) |
           (pRenderingEndInfo &&
            check_density_offsets(call, pRenderingEndInfo->pNext,
                                  &LOCATION_POINTER(NULL, "pRenderingEndInfo")));
}

/* --- attachment locations and input attachment indices --- */

/* Elements that are not VK_ATTACHMENT_UNUSED must each be unique. Finds an element that repeats an
 * earlier one. */
static bool has_duplicate(const uint32_t *values, uint32_t count, uint32_t *second)
{
    assert(values && second);
    for (uint32_t i = 1; i < count && i < 64; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (values[i] == values[j] && values[i] != VK_ATTACHMENT_UNUSED) {
                *second = i;
                return true;
            }
        }
    }
    return false;
}

/* Checks that the command buffer is in dynamic rendering with `count` color attachments. `begun`,
 * `counts`: the rules for these two. */
static bool check_current_instance(struct call *call, const struct location *where, uint32_t count,
                                   enum vuid begun, enum vuid counts)
{
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    if (!rendering)
        return false;
    if (rendering->kind != RENDERING_DYNAMIC || rendering->inherited)
        return BROKEN_BY(call, begun, &LOCATION(NULL, "commandBuffer"), NULL,
                         "is in a render pass instance that no vkCmdBeginRendering in it began");
    /* 09514 and 09525 report a count beyond the limit, which no instance can have. */
    bool known = rendering->formats.color_count < PIPELINE_COLORS &&
                 count <= call->device->properties.limits.maxColorAttachments;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, counts, !known || count == rendering->formats.color_count, "colorAttachmentCount",
            "is %u, but VkRenderingInfo::colorAttachmentCount was %u", count,
            rendering->formats.color_count);
    return s.skip;
}

bool core_validate_CmdSetRenderingAttachmentLocations(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkRenderingAttachmentLocationInfo
                                                          *pLocationInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pLocationInfo");
    uint32_t most = call->device->properties.limits.maxColorAttachments, second = 0;
    uint32_t count = pLocationInfo->colorAttachmentCount;
    const uint32_t *locations = pLocationInfo->pColorAttachmentLocations;
    struct rendering_check check = {.s = {.call = call}}, *c = &check;
    /* a row reports it, and the rest is not checked then */
    if (!device_has_feature(call->device, FEATURE_dynamicRenderingLocalRead))
        return false;
    c->s.skip |= check_current_instance(call, &where, count, RULE(call, 09511), RULE(call, 09510));
    for (uint32_t i = 0; locations && i < count; i++) {
        const struct location at = LOCATION_INDEX(&where, "pColorAttachmentLocations", i);
        REQUIRE_OF(&c->s, NULL, RULE_09515,
                   locations[i] == VK_ATTACHMENT_UNUSED || locations[i] < most, &at,
                   "is %u, but maxColorAttachments is %u", locations[i], most);
    }
    if (locations && has_duplicate(locations, count, &second))
        BROKEN_OF(&c->s, NULL, RULE_09513,
                  &LOCATION_INDEX(&where, "pColorAttachmentLocations", second),
                  "is %u, as an earlier element is", locations[second]);
    return c->s.skip;
}

/* Checks the input attachment index of depth or stencil, which must differ from those of colors. */
static void check_depth_index(struct rendering_check *c, const struct location *where,
                              const char *name, const uint32_t *index, enum rule same,
                              const VkRenderingInputAttachmentIndexInfo *info)
{
    uint32_t most = c->s.call->device->properties.limits.maxPerStageDescriptorInputAttachments;
    if (!index || *index == VK_ATTACHMENT_UNUSED)
        return;
    REQUIRE(&c->s, RULE_12274, *index < most, &LOCATION(where, name),
            "leads to %u, but maxPerStageDescriptorInputAttachments is %u", *index, most);
    for (uint32_t i = 0; info->pColorAttachmentInputIndices && i < info->colorAttachmentCount; i++)
        REQUIRE_OF(&c->s, NULL, same, info->pColorAttachmentInputIndices[i] != *index,
                   &LOCATION_INDEX(where, "pColorAttachmentInputIndices", i), "is %u, as %s is",
                   *index, name);
}

bool core_validate_CmdSetRenderingInputAttachmentIndices(struct call *call,
                                                         VkCommandBuffer commandBuffer,
                                                         const VkRenderingInputAttachmentIndexInfo
                                                             *pInputAttachmentIndexInfo)
{
    const VkRenderingInputAttachmentIndexInfo *info = pInputAttachmentIndexInfo;
    const struct location where = LOCATION_POINTER(NULL, "pInputAttachmentIndexInfo");
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    uint32_t count = info->colorAttachmentCount, second = 0;
    const uint32_t *indices = info->pColorAttachmentInputIndices;
    struct rendering_check check = {.s = {.call = call}}, *c = &check;
    /* a row reports it, and the rest is not checked then */
    if (!device_has_feature(call->device, FEATURE_dynamicRenderingLocalRead))
        return false;
    c->s.skip |= check_current_instance(call, &where, count, RULE(call, 09518), RULE(call, 09517));
    for (uint32_t i = 0; indices && i < count; i++) {
        const struct location at = LOCATION_INDEX(&where, "pColorAttachmentInputIndices", i);
        bool unused = indices[i] == VK_ATTACHMENT_UNUSED;
        REQUIRE_OF(&c->s, NULL, RULE_12274,
                   unused || indices[i] < limits->maxPerStageDescriptorInputAttachments, &at,
                   "is %u, but maxPerStageDescriptorInputAttachments is %u", indices[i],
                   limits->maxPerStageDescriptorInputAttachments);
    }
    if (indices && has_duplicate(indices, count, &second))
        BROKEN_OF(&c->s, NULL, RULE_09522,
                  &LOCATION_INDEX(&where, "pColorAttachmentInputIndices", second),
                  "is %u, as an earlier element is", indices[second]);
    check_depth_index(c, &where, "pDepthInputAttachmentIndex", info->pDepthInputAttachmentIndex,
                      RULE_09523, info);
    check_depth_index(c, &where, "pStencilInputAttachmentIndex", info->pStencilInputAttachmentIndex,
                      RULE_09524, info);
    return c->s.skip;
}
