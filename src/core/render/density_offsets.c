/* Checks the offsets into a fragment density map that the end of a render pass instance gives
 * (VkRenderPassFragmentDensityMapOffsetEndInfoEXT, 8.4). */
#include "core/render/attachment.h"
#include "core/render/rendering.h"

/* Checks that the image of an attachment was created with the flag that allows offsets. */
static void density_offsets_check_attachment(struct subject *s, enum rule rule,
                                             const struct image_view *view, const char *what)
{
    const struct image *image = view ? image_by_id(view->image) : NULL;
    if (!image || image->swapchain) /* the program does not choose the flags of swapchain images */
        return;
    REQUIRE_OF(s, VIEW_OBJECTS(view, VK_NULL_HANDLE), rule,
               view->image_flags & VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT,
               "fragmentDensityOffsetCount",
               "is not 0, but %s, %s, is of an image without "
               "VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT",
               what, VIEW(s->call, view));
}

/* Checks an attachment of a render pass object. `told`: a bit for each attachment that was checked,
 * so that several subpasses do not report the same one. */
static void check_reference(struct subject *s, enum rule rule,
                            const struct render_pass_instance *rendering, uint32_t attachment,
                            uint64_t *told, const char *what)
{
    if (attachment >= 64 || *told >> attachment & 1)
        return;
    *told |= 1ull << attachment;
    density_offsets_check_attachment(s, rule, rendering_view(rendering, attachment), what);
}

/* Checks all attachments of a render pass object. Preserved attachments are left out, as another
 * subpass uses them (06509). */
static void check_pass(struct subject *s, const struct render_pass_instance *rendering,
                       const struct render_pass *pass)
{
    uint64_t told = 0;
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        for (uint32_t k = 0; subpass->colors && k < subpass->color_count; k++)
            check_reference(s, RULE_06507, rendering, subpass->colors[k].attachment, &told,
                            "a color attachment");
        check_reference(s, RULE_06505, rendering, subpass->depth_stencil.attachment, &told,
                        "a depth/stencil attachment");
        for (uint32_t k = 0; subpass->resolves && k < subpass->color_count; k++)
            check_reference(s, RULE_06508, rendering, subpass->resolves[k].attachment, &told,
                            "a resolve attachment");
        for (uint32_t k = 0; subpass->inputs && k < subpass->input_count; k++)
            check_reference(s, RULE_06506, rendering, subpass->inputs[k].attachment, &told,
                            "an input attachment");
    }
}

/* Checks the images of all attachments of dynamic rendering that ends with density map offsets. */
static void density_offsets_check_dynamic(struct subject *s,
                                          const struct render_pass_instance *rendering)
{
    for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
        density_offsets_check_attachment(s, RULE_06507, image_view_by_id(rendering->colors[i].view),
                                         "a color attachment");
        density_offsets_check_attachment(s, RULE_06508,
                                         image_view_by_id(rendering->colors[i].resolve_view),
                                         "a resolve attachment");
    }
    density_offsets_check_attachment(s, RULE_06505, image_view_by_id(rendering->depth.view),
                                     "the depth attachment");
    if (rendering->stencil.view != rendering->depth.view)
        density_offsets_check_attachment(s, RULE_06505, image_view_by_id(rendering->stencil.view),
                                         "the stencil attachment");
}

bool check_density_offsets(struct call *call, const void *chain, const struct location *where)
{
    const VkRenderPassFragmentDensityMapOffsetEndInfoEXT *info =
        CHAINED(chain, RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct render_pass *pass = active_render_pass(command_buffer);
    if (likely(!info) || !info->fragmentDensityOffsetCount || !rendering ||
        (rendering->kind == RENDERING_RENDER_PASS && !pass) || rendering->inherited)
        return false;
    const uint32_t count = info->fragmentDensityOffsetCount;
    struct subject s = {
        .call = call,
        .where = &LOCATION_CHAINED(where, "VkRenderPassFragmentDensityMapOffsetEndInfoEXT")};
    const bool enabled = subject_has(&s, FEATURE_fragmentDensityMapOffset);
    const bool map = pass ? pass->density_map.attachment != VK_ATTACHMENT_UNUSED
                          : rendering->density_map_view != 0;
    REQUIRE(&s, RULE_06503, enabled && map, "fragmentDensityOffsetCount", "is %u, but %s", count,
            enabled ? "the render pass instance has no fragment density map"
                    : "the feature fragmentDensityMapOffset is not enabled");
    if (!enabled || !map)
        return s.skip;
    const struct image_view *view = pass ? rendering_view(rendering, pass->density_map.attachment)
                                         : image_view_by_id(rendering->density_map_view);
    const bool multiview = pass ? pass->multiview : rendering->view_mask != 0;
    /* In a layered map, layers are not views, and the sentences are about views. */
    const bool layered =
        pass ? pass->flags & VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE
             : rendering->flags & VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE;
    if (multiview && view)
        REQUIRE(&s, RULE_06510, count == view->range.layerCount, "fragmentDensityOffsetCount",
                "is %u, but the view of the fragment density map has %u layers", count,
                view->range.layerCount);
    else if (!multiview)
        REQUIRE(&s, RULE_06511, count == 1 || layered, "fragmentDensityOffsetCount",
                "is %u, but the render pass instance has no views", count);
    /* Each element of pFragmentDensityOffsets must be identical for every vkCmdEndRendering2KHR
     * call made in a render pass */
    if (!pass && rendering->flags & VK_RENDERING_RESUMING_BIT && rendering->density_offsets)
        REQUIRE(&s, RULE_10730, rendering->density_offsets == density_offsets_digest(chain),
                "pFragmentDensityOffsets",
                "differs from the offsets that ended the suspended instance of this render pass");
    if (pass) {
        density_offsets_check_attachment(&s, RULE_06504, view, "the fragment density map");
        check_pass(&s, rendering, pass);
    } else {
        density_offsets_check_dynamic(&s, rendering);
    }
    return s.skip;
}
