/* Answers the nouns in the conditions of draw rows: the state at a draw, dispatch or trace
 * (registry/rows/draw_facts.py lists the nouns). An answer that is not known is DRAW_UNKNOWN, and
 * rows with it are not broken. */
#define DRAW_ROWS_VALUES
#include "core/draw/rows.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/module/reflect.h"
#include "state/memory/formats.h"
#include "state/submit/queue.h"
#include "state/memory/image.h"
#include "state/query/query.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"

/* --- topologies --- */

static bool is_list(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
}

/* --- color attachments --- */

uint32_t draw_active_colors(const struct draw *draw)
{
    uint32_t active = 0;
    if (!draw->rendering)
        return 0;
    if (draw->rendering->kind == RENDERING_DYNAMIC) {
        const struct rendering_formats *formats = &draw->rendering->formats;
        for (uint32_t i = 0; i < formats->color_count && i < PIPELINE_COLORS; i++)
            active |= formats->colors[i] != VK_FORMAT_UNDEFINED ? 1u << i : 0;
        return active;
    }
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    for (uint32_t i = 0; subpass && i < subpass->color_count && i < 32; i++)
        active |= subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED ? 1u << i : 0;
    return active;
}

/* The format of a color attachment; VK_FORMAT_UNDEFINED: it is unused, or not known. */
static VkFormat color_format(const struct draw *draw, uint32_t index)
{
    if (draw->rendering->kind == RENDERING_DYNAMIC)
        return draw->rendering->formats.colors[index];
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    const struct subpass *subpass = current_subpass(draw->command_buffer, pass);
    const uint32_t attachment = subpass && index < subpass->color_count
                                    ? subpass->colors[index].attachment
                                    : VK_ATTACHMENT_UNUSED;
    return attachment < (pass ? pass->attachment_count : 0)
               ? pass->attachments[attachment].description.format
               : VK_FORMAT_UNDEFINED;
}

/* The bits of `set`, if the state is set in the command buffer; otherwise 0. */
static uint32_t with_value(const struct draw *draw, enum dynamic_state state, uint32_t set)
{
    return draw_has(draw, state) ? set : 0;
}

/* The color attachments for which blending is enabled, a bit each. */
static int64_t blended_attachments(const struct draw *draw)
{
    uint32_t enabled = 0;
    if (draw_takes(draw, DYNAMIC_COLOR_BLEND_ENABLE_EXT)) {
        enabled =
            with_value(draw, DYNAMIC_COLOR_BLEND_ENABLE_EXT,
                       draw->values->color_blend_enables & draw->values->color_blend_enables_set);
    } else {
        for (uint32_t i = 0; i < draw->pipeline->blend_count && i < PIPELINE_COLORS; i++)
            enabled |= draw->pipeline->blends[i].blendEnable ? 1u << i : 0;
    }
    return enabled & draw_active_colors(draw);
}

/* A bit for each color attachment that is kept. */
#define KEPT_COLORS ((1u << DYNAMIC_COLORS) - 1)

/* The attachments that blend and for which no equation was set, a bit each. `plain`, `advanced`:
 * which kinds of equations are dynamic. */
static int64_t lacks_equations(const struct draw *draw, bool plain, bool advanced)
{
    uint32_t set = 0;
    if (plain)
        set |= with_value(draw, DYNAMIC_COLOR_BLEND_EQUATION_EXT,
                          draw->values->color_blend_equations_set);
    if (advanced)
        set |= with_value(draw, DYNAMIC_COLOR_BLEND_ADVANCED_EXT,
                          draw->values->color_blend_advanced_set);
    return blended_attachments(draw) & ~set & KEPT_COLORS;
}

/* True for factors that use the blend constants. */
static bool is_constant_factor(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR &&
           factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

/* Returns whether the pipeline's blend state uses blend constants; DRAW_UNKNOWN: that state is
 * dynamic. */
static int64_t blends_with_constants(const struct draw *draw)
{
    const struct pipeline *pipeline = draw->pipeline;
    const uint32_t colors = draw_active_colors(draw);
    if (draw_takes(draw, DYNAMIC_COLOR_BLEND_ENABLE_EXT) ||
        draw_takes(draw, DYNAMIC_COLOR_BLEND_EQUATION_EXT))
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < pipeline->blend_count && i < PIPELINE_COLORS; i++) {
        const VkPipelineColorBlendAttachmentState *blend = &pipeline->blends[i];
        if (colors >> i & 1 && blend->blendEnable &&
            (is_constant_factor(blend->srcColorBlendFactor) ||
             is_constant_factor(blend->dstColorBlendFactor) ||
             is_constant_factor(blend->srcAlphaBlendFactor) ||
             is_constant_factor(blend->dstAlphaBlendFactor)))
            return true;
    }
    return false;
}

/* True for factors that use the second source of dual-source blending. */
static bool is_second_source(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

/* Whether blending of some attachment uses the fragment shader's second output color. */
static int64_t blends_two_sources(const struct draw *draw)
{
    const bool dynamic = draw_takes(draw, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
    uint32_t rest = (uint32_t)blended_attachments(draw);
    if (dynamic)
        rest &= with_value(draw, DYNAMIC_COLOR_BLEND_EQUATION_EXT,
                           draw->values->color_blend_equations_set) &
                KEPT_COLORS;
    if (draw_takes(draw, DYNAMIC_COLOR_BLEND_ADVANCED_EXT))
        return DRAW_UNKNOWN; /* which of the two is used is not kept */
    for (; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const VkPipelineColorBlendAttachmentState *fixed =
            i < draw->pipeline->blend_count && i < PIPELINE_COLORS ? &draw->pipeline->blends[i]
                                                                   : NULL;
        const VkColorBlendEquationEXT *set = dynamic ? &draw->values->equations[i] : NULL;
        if (set && (is_second_source(set->srcColorBlendFactor) ||
                    is_second_source(set->dstColorBlendFactor) ||
                    is_second_source(set->srcAlphaBlendFactor) ||
                    is_second_source(set->dstAlphaBlendFactor)))
            return true;
        if (!dynamic && fixed &&
            (is_second_source(fixed->srcColorBlendFactor) ||
             is_second_source(fixed->dstColorBlendFactor) ||
             is_second_source(fixed->srcAlphaBlendFactor) ||
             is_second_source(fixed->dstAlphaBlendFactor)))
            return true;
    }
    return false;
}

/* Whether the color attachment to which coverage is written has a suitable format. */
static int64_t has_coverage_color(const struct draw *draw)
{
    if (!draw_takes(draw, DYNAMIC_COVERAGE_TO_COLOR_LOCATION_NV) ||
        !draw_has(draw, DYNAMIC_COVERAGE_TO_COLOR_LOCATION_NV) || !draw->rendering)
        return DRAW_UNKNOWN;
    const uint32_t location = draw->values->coverage_to_color_location;
    if (location >= PIPELINE_COLORS || !(draw_active_colors(draw) >> location & 1))
        return false;
    if (draw->rendering->kind == RENDERING_DYNAMIC &&
        draw->rendering->color_locations[location] != location)
        return DRAW_UNKNOWN;
    switch ((int)color_format(draw, location)) {
    case VK_FORMAT_R8_UINT:
    case VK_FORMAT_R8_SINT:
    case VK_FORMAT_R16_UINT:
    case VK_FORMAT_R16_SINT:
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
        return true;
    default:
        return false;
    }
}

/* Returns 0 if a stencil write mask that was set is 0. Otherwise returns the front face's mask, or
 * the back face's if only that one was set. */
static int64_t set_stencil_mask(const struct draw *draw)
{
    const struct command_buffer_dynamic *values = draw->values;
    const uint32_t set =
        with_value(draw, DYNAMIC_STENCIL_WRITE_MASK, values->stencil_write_masks_set);
    if (!set)
        return DRAW_UNKNOWN;
    for (uint32_t face = 0; face < 2; face++) {
        if (set >> face & 1 && !values->stencil[face].write_mask)
            return 0;
    }
    return values->stencil[set & VK_STENCIL_FACE_FRONT_BIT ? 0 : 1].write_mask;
}

/* The color attachments with a shared exponent format whose write mask has some of R, G and B but
 * not all, a bit for each. */
static int64_t shared_exponent_masks(const struct draw *draw)
{
    const VkColorComponentFlags rgb =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT;
    const uint32_t set =
        with_value(draw, DYNAMIC_COLOR_WRITE_MASK_EXT, draw->values->color_write_masks_set) &
        draw_active_colors(draw) & KEPT_COLORS;
    int64_t some = 0;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        const VkColorComponentFlags mask = draw->values->write_masks[i] & rgb;
        if (mask && mask != rgb && color_format(draw, i) == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
            some |= 1ll << i;
    }
    return some;
}

/* --- attachments of dynamic rendering --- */

/* The instance, if vkCmdBeginRendering began it in this command buffer; otherwise NULL, as the
 * views of an inherited instance are not known. */
static const struct render_pass_instance *begun_here(const struct draw *draw)
{
    const struct render_pass_instance *rendering = draw->rendering;
    return rendering && rendering->kind == RENDERING_DYNAMIC && !rendering->inherited ? rendering
                                                                                      : NULL;
}

/* Whether the attachment has a resolve view. */
static int64_t draw_resolves(const struct rendering_attachment *attachment)
{
    if (!attachment->view)
        return DRAW_UNKNOWN;
    if (attachment->resolve_view)
        return true;
    return attachment->resolve_given ? DRAW_UNKNOWN : false;
}

/* The format of the resolve view. */
static int64_t resolve_format(const struct rendering_attachment *attachment)
{
    const struct image_view *view =
        attachment->resolve_view ? image_view_by_id(attachment->resolve_view) : NULL;
    return view ? (int64_t)view->format : DRAW_UNKNOWN;
}

/* The sample count of the resolve view. */
static int64_t resolve_samples(const struct rendering_attachment *attachment)
{
    const struct image_view *view =
        attachment->resolve_view ? image_view_by_id(attachment->resolve_view) : NULL;
    return view ? (int64_t)view->samples : DRAW_UNKNOWN;
}

/* The format for the color attachment in VkCustomResolveCreateInfoEXT. */
static VkFormat custom_format(const struct draw *draw, uint32_t index)
{
    const struct pipeline_custom_resolve *resolve = &draw->pipeline->custom_resolve;
    return index < resolve->color_count ? resolve->colors[index] : VK_FORMAT_UNDEFINED;
}

/* The color attachments whose resolve views do not match, a bit each. `samples`: 0 compares
 * formats, otherwise sample counts. `used`: a pipeline without a format is accepted. */
static int64_t wrong_resolves(const struct draw *draw, int64_t samples, bool used)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    if (!rendering || samples == DRAW_UNKNOWN)
        return DRAW_UNKNOWN;
    int64_t wrong = 0;
    for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
        const struct rendering_attachment *color = &rendering->colors[i];
        if (!samples && i >= draw->pipeline->custom_resolve.color_count)
            break; /* another rule reports it */
        const int64_t has = samples ? resolve_samples(color) : resolve_format(color);
        const int64_t wanted = samples ? samples : (int64_t)custom_format(draw, i);
        if (has != DRAW_UNKNOWN && has != wanted && !(used && wanted == VK_FORMAT_UNDEFINED))
            wrong |= 1ll << i;
    }
    return wrong;
}

/* The attachments for which the pipeline has a format of a custom resolve and the instance has no
 * resolve, a bit each. */
static int64_t spare_resolves(const struct draw *draw)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    if (!rendering)
        return DRAW_UNKNOWN;
    int64_t spare = 0;
    for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
        if (draw_resolves(&rendering->colors[i]) == false &&
            custom_format(draw, i) != VK_FORMAT_UNDEFINED)
            spare |= 1ll << i;
    }
    return spare;
}

/* The sample count of a view; DRAW_UNKNOWN: there is none, or it was destroyed. */
static int64_t view_samples(uint64_t id)
{
    const struct image_view *view = id ? image_view_by_id(id) : NULL;
    return view ? (int64_t)view->samples : DRAW_UNKNOWN;
}

/* The sample count of the depth/stencil attachment, in both kinds of instance. If it is rendered
 * multisampled to single-sampled, that is less than the rasterization samples. */
static int64_t depth_stencil_samples(const struct draw *draw)
{
    const struct render_pass_instance *rendering = draw->rendering;
    if (device_has_feature(draw->s.call->device, FEATURE_multisampledRenderToSingleSampled))
        return DRAW_UNKNOWN;
    if (rendering->kind == RENDERING_DYNAMIC)
        return view_samples(rendering->depth.view ? rendering->depth.view
                                                  : rendering->stencil.view);
    const struct render_pass *pass = active_render_pass(draw->command_buffer);
    const struct subpass *subpass = current_subpass(draw->command_buffer, pass);
    const uint32_t attachment = subpass ? subpass->depth_stencil.attachment : VK_ATTACHMENT_UNUSED;
    return pass && attachment < pass->attachment_count
               ? (int64_t)pass->attachments[attachment].description.samples
               : DRAW_UNKNOWN;
}

/* The color attachments whose sample counts differ from the pipeline's
 * VkAttachmentSampleCountInfoAMD, a bit each. */
static int64_t other_color_samples(const struct draw *draw)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    const struct pipeline_attachment_samples *given = &draw->pipeline->attachment_samples;
    int64_t other = 0;
    if (!rendering)
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < rendering->formats.color_count && i < given->color_count; i++) {
        const int64_t samples = view_samples(rendering->colors[i].view);
        if (samples != DRAW_UNKNOWN && samples != (int64_t)given->colors[i])
            other |= 1ll << i;
    }
    return other;
}

/* The number of entries that the coverage modulation table must have, if all color attachments have
 * the same sample count. */
static int64_t wanted_table(const struct draw *draw)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    const int64_t rasterized = draw_fact(draw, NOUN_rasterizationSamples);
    int64_t colors = DRAW_UNKNOWN;
    if (!rendering || rasterized == DRAW_UNKNOWN)
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
        const int64_t samples = view_samples(rendering->colors[i].view);
        if (samples == DRAW_UNKNOWN)
            continue;
        if (colors != DRAW_UNKNOWN && colors != samples)
            return DRAW_UNKNOWN;
        colors = samples;
    }
    return colors == DRAW_UNKNOWN || !colors ? DRAW_UNKNOWN : rasterized / colors;
}

/* The largest sample count of a color attachment of an instance begun here; DRAW_UNKNOWN without
 * attachments. It is also unknown if attachments are rendered multisampled to single-sampled, as
 * they have fewer samples. */
static int64_t color_samples(const struct draw *draw)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    int64_t most = DRAW_UNKNOWN;
    if (device_has_feature(draw->s.call->device, FEATURE_multisampledRenderToSingleSampled))
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; rendering && i < rendering->formats.color_count && i < PIPELINE_COLORS;
         i++) {
        const int64_t samples = view_samples(rendering->colors[i].view);
        most = samples > most ? samples : most;
    }
    return most;
}

/* Checks a subpass without color and depth/stencil attachments: "rasterizationSamples must be a
 * valid VkSampleCountFlagBits value that is set in framebufferNoAttachmentsSampleCounts" (8.3). */
static int64_t empty_samples(const struct draw *draw)
{
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    const int64_t samples = draw_fact(draw, NOUN_rasterizationSamples);
    if (!subpass || samples == DRAW_UNKNOWN || draw_active_colors(draw) ||
        subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED)
        return DRAW_UNKNOWN;
    return (samples &
            draw->s.call->device->properties.limits.framebufferNoAttachmentsSampleCounts) != 0;
}

/* Queries the largest grid of sample locations: width in the upper word, height in the lower one.
 * Both are 0 if the extension is not enabled. */
static COLD uint64_t ask_locations(const struct device *device, VkSampleCountFlagBits samples)
{
    const PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT get =
        device->instance->dispatch.GetPhysicalDeviceMultisamplePropertiesEXT;
    VkMultisamplePropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
    if (get && extension_set_has(&device->extensions, EXTENSION_VK_EXT_sample_locations))
        get(device->physical_device, samples, &properties);
    return GRID_KNOWN | (uint64_t)(properties.maxSampleLocationGridSize.width & 0x7fffffff) << 32 |
           properties.maxSampleLocationGridSize.height;
}

/* The driver's maxSampleLocationGridSize for one of VkSampleCountFlagBits. It is queried once; 0 x
 * 0: not known. */
static VkExtent2D most_locations(const struct draw *draw, VkSampleCountFlagBits samples)
{
    const struct device *device = draw->s.call->device;
    const uint32_t index = (uint32_t)__builtin_ctz(samples);
    struct device_state *state = index < SAMPLE_COUNTS ? device_state_make(device) : NULL;
    if (!state)
        return (VkExtent2D){0, 0};
    uint64_t grid = atomic_load_explicit(&state->location_grids[index], memory_order_relaxed);
    if (unlikely(!grid)) {
        grid = ask_locations(device, samples);
        atomic_store_explicit(&state->location_grids[index], grid, memory_order_relaxed);
    }
    return (VkExtent2D){(uint32_t)((grid & ~GRID_KNOWN) >> 32), (uint32_t)grid};
}

/* True if the grid of the sample locations divides the device's grid. */
static int64_t grid_divides(const struct draw *draw, bool width)
{
    const int64_t samples = draw_fact(draw, NOUN_rasterizationSamples);
    VkExtent2D grid = draw->pipeline->location_grid;
    if (draw_takes(draw, DYNAMIC_SAMPLE_LOCATIONS_EXT)) {
        if (!draw->values || !draw_has(draw, DYNAMIC_SAMPLE_LOCATIONS_EXT))
            return DRAW_UNKNOWN;
        grid = draw->values->sample_locations_grid;
    }
    if (samples <= 0 || samples & (samples - 1) || !grid.width || !grid.height)
        return DRAW_UNKNOWN;
    const VkExtent2D most = most_locations(draw, (VkSampleCountFlagBits)samples);
    if (!most.width || !most.height)
        return DRAW_UNKNOWN;
    return width ? most.width % grid.width == 0 : most.height % grid.height == 0;
}

/* The view of the depth attachment; NULL: there is none, or it is not known. */
static const struct image_view *depth_view(const struct draw *draw)
{
    const struct render_pass_instance *rendering = draw->rendering;
    if (!rendering)
        return NULL;
    if (rendering->kind == RENDERING_DYNAMIC)
        return rendering->depth.view ? image_view_by_id(rendering->depth.view) : NULL;
    const struct subpass *subpass = active_subpass(draw->command_buffer);
    return subpass ? rendering_view(rendering, subpass->depth_stencil.attachment) : NULL;
}

/* Whether the depth image may have custom sample locations. */
static int64_t depth_is_located(const struct draw *draw)
{
    const struct image_view *view = depth_view(draw);
    const struct image *image =
        view && format_has_depth(view->format) ? image_by_id(view->image) : NULL;
    return image ? (image->flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT) != 0
                 : DRAW_UNKNOWN;
}

/* --- queries, descriptors, shader objects --- */

/* Whether a query of the type is active in the command buffer. Those of its primary are not
 * considered. */
static int64_t query_is_active(const struct draw *draw, VkQueryType type)
{
    const struct command_buffer_queries *queries = draw->command_buffer->queries;
    for (uint32_t i = 0; queries && queries->active_count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->state == QUERY_ACTIVE && query->type == type)
            return true;
    }
    return false;
}

/* The bits of all pipeline statistics that active queries count. */
static int64_t active_statistics(const struct draw *draw)
{
    const struct command_buffer_queries *queries = draw->command_buffer->queries;
    int64_t statistics = 0;
    for (uint32_t i = 0; queries && queries->active_count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        const struct query_pool *pool =
            query->pool && query->state == QUERY_ACTIVE ? query_pool_by_id(query->pool) : NULL;
        if (pool && pool->type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
            statistics |= pool->statistics;
    }
    return statistics;
}

/* Whether a set that the pipeline uses was bound in that way. */
static int64_t sets_are(const struct draw *draw, enum bound_set_kind kind)
{
    const uint32_t point = bind_point_index(draw->pipeline->bind_point);
    const struct bind_point_state *bind =
        point < BIND_POINTS ? &draw->command_buffer->bind[point] : NULL;
    for (uint32_t used = bind ? draw->pipeline->used_sets : 0; used; used &= used - 1) {
        const uint32_t set = (uint32_t)__builtin_ctz(used);
        const struct bound_set *bound = bound_set_at(bind, set);
        if (bound && bound->kind == kind)
            return true;
    }
    return false;
}

/* The flags that any of the bound graphics shader objects has, or (!any) that all have. */
static int64_t object_flags(const struct draw *draw, bool any)
{
    const VkShaderStageFlags graphics =
        VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    int64_t flags = any ? 0 : UINT32_MAX;
    if (!draw_has_shader_objects(draw))
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const uint64_t id = graphics >> i & 1 ? draw->command_buffer->shaders[i] : 0;
        const struct shader_object *shader = id ? shader_object_by_id(id) : NULL;
        if (id && !shader)
            return DRAW_UNKNOWN;
        if (shader)
            flags = any ? flags | shader->flags : flags & shader->flags;
    }
    return flags;
}

/* --- shaders --- */

/* The fragment shader; NULL: there is none, or it is not known. */
static const struct pipeline_stage *fragment_stage(const struct draw *draw)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        if (stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            return pipeline_stage_entry(stage) ? stage : NULL;
    }
    return NULL;
}

/* True if the stage writes PrimitiveShadingRateKHR. */
static bool writes_shading_rate(const struct pipeline_stage *stage)
{
    const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
    for (uint32_t i = 0; entry && i < entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->shader->reflection->interfaces[entry->first_interface + i];
        if (leaf->builtin == SpvBuiltInPrimitiveShadingRateKHR &&
            leaf->storage == SpvStorageClassOutput && leaf->access & SPIRV_ACCESS_WRITE)
            return true;
    }
    return false;
}

/* True if some stage of the pipeline writes PrimitiveShadingRateKHR. */
static bool any_writes_shading_rate(const struct draw *draw)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        if (writes_shading_rate(&draw->pipeline->stage[i]))
            return true;
    }
    return false;
}

/* True if the output has the fourth component of location 0, index 0. 64-bit components take two
 * component slots. */
static bool has_alpha(const struct spirv_interface *leaf)
{
    const uint32_t words = leaf->width == 64 ? 2 : 1;
    const uint32_t index = leaf->flags & SPIRV_HAS_INDEX ? leaf->index : 0;
    return !leaf->location && !index && leaf->component + leaf->components * words > 3;
}

/* Describes the fragment shader's outputs. `alpha`: whether location 0 has an alpha component;
 * otherwise its largest location. */
static int64_t fragment_output(const struct draw *draw, bool alpha)
{
    const struct pipeline_stage *stage = fragment_stage(draw);
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    int64_t last = 0;
    if (!entry || entry->truncated)
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->shader->reflection->interfaces[entry->first_interface + i];
        if (leaf->storage != SpvStorageClassOutput || leaf->builtin != SPIRV_NONE ||
            leaf->location == SPIRV_NONE)
            continue;
        if (alpha && has_alpha(leaf))
            return true;
        if (leaf->access & SPIRV_ACCESS_WRITE && (int64_t)leaf->location > last)
            last = leaf->location;
    }
    return alpha ? false : last;
}

/* The locations below 32 that the fragment shader certainly writes, a bit each. */
static uint32_t written_locations(const struct draw *draw)
{
    const struct pipeline_stage *stage = fragment_stage(draw);
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    uint32_t written = 0;
    for (uint32_t i = 0; entry && i < entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->shader->reflection->interfaces[entry->first_interface + i];
        if (leaf->storage == SpvStorageClassOutput && leaf->builtin == SPIRV_NONE &&
            leaf->location < 32 && leaf->location_count == 1 && leaf->access & SPIRV_ACCESS_WRITE)
            written |= 1u << leaf->location;
    }
    return written;
}

/* True if color writes are enabled for the attachment, and its write mask is known not to be
 * zero. */
static bool writes_color(const struct draw *draw, uint32_t index)
{
    const struct pipeline *pipeline = draw->pipeline;
    VkColorComponentFlags mask =
        index < pipeline->blend_count ? pipeline->blends[index].colorWriteMask : 0;
    bool enabled = !(pipeline->color_writes_disabled >> index & 1);
    if (draw_takes(draw, DYNAMIC_COLOR_WRITE_MASK_EXT))
        mask =
            with_value(draw, DYNAMIC_COLOR_WRITE_MASK_EXT, draw->values->color_write_masks_set) >>
                        index &
                    1
                ? draw->values->write_masks[index]
                : 0;
    if (draw_takes(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT))
        enabled =
            with_value(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT, draw->values->color_write_enables) >>
                index &
            1;
    return mask && enabled;
}

/* The color attachments that are written and for which the pipeline has no format, a bit each.
 * `resolve`: for their resolve views, and the pipeline's VkCustomResolveCreateInfoEXT. */
static int64_t lacks_formats(const struct draw *draw, bool resolve)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    const struct pipeline *pipeline = draw->pipeline;
    if (!rendering || !draw->values || draw_has_shader_objects(draw))
        return DRAW_UNKNOWN;
    const uint32_t written = written_locations(draw);
    const VkFormat *formats = resolve ? pipeline->custom_resolve.colors : pipeline->formats.colors;
    const uint32_t count =
        resolve ? pipeline->custom_resolve.color_count : pipeline->formats.color_count;
    int64_t lacking = 0;
    for (uint32_t i = 0;
         written && i < count && i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
        const struct rendering_attachment *color = &rendering->colors[i];
        const uint32_t location = rendering->color_locations[i];
        if (formats[i] == VK_FORMAT_UNDEFINED && (resolve ? color->resolve_view : color->view) &&
            location == pipeline->color_locations[i] && location < 32 && written >> location & 1 &&
            writes_color(draw, i))
            lacking |= 1ll << i;
    }
    return lacking;
}

/* The next input attachment that the fragment shader certainly reads; NULL: no more. `*at`:
 * position of the iteration. Arrays, and variables passed to a function, are left out. */
static const struct spirv_binding *next_input(const struct draw *draw, uint32_t *at)
{
    const struct pipeline_stage *stage = fragment_stage(draw);
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    while (entry && *at < entry->binding_count) {
        const struct spirv_binding *binding =
            &stage->shader->reflection->bindings[entry->first_binding + (*at)++];
        if (binding->resource == SPIRV_RESOURCE_INPUT_ATTACHMENT && !binding->arrayed &&
            binding->flags & SPIRV_HAS_ATTACHMENT && binding->access & SPIRV_ACCESS_READ &&
            !(binding->access & SPIRV_ACCESS_PASSED))
            return binding;
    }
    return NULL;
}

/* The color attachments that the shader reads as input attachments and writes, without the flag for
 * that, a bit each. */
static int64_t feedback_loops(const struct draw *draw)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    int64_t loops = 0;
    uint32_t at = 0;
    if (!rendering || !draw->values)
        return DRAW_UNKNOWN;
    const uint32_t written = written_locations(draw);
    for (const struct spirv_binding *input = next_input(draw, &at); written && input;
         input = next_input(draw, &at)) {
        for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++) {
            const uint32_t location = rendering->color_locations[i];
            const bool writes = location < 32 && written >> location & 1 && writes_color(draw, i);
            if (rendering->colors[i].view &&
                rendering->color_input_indices[i] == input->attachment && writes &&
                !(rendering->colors[i].flags &
                  VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR))
                loops |= 1ll << i;
        }
    }
    return loops;
}

/* Whether the fragment shader uses InterpolateAtSample. */
static int64_t interpolates_at_sample(const struct draw *draw)
{
    const struct pipeline_stage *stage = fragment_stage(draw);
    return stage ? (pipeline_stage_entry(stage)->uses & SPIRV_USES_INTERPOLATE_AT_SAMPLE) != 0
                 : DRAW_UNKNOWN;
}

/* Whether the fragment shader has `uses` (enum spirv_uses) together with early tests. */
static int64_t reads_early(const struct draw *draw, uint32_t uses)
{
    const struct pipeline_stage *stage = fragment_stage(draw);
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    return entry ? entry->uses & uses && spirv_mode_find(stage->shader->reflection, entry,
                                                         SpvExecutionModeEarlyFragmentTests)
                 : DRAW_UNKNOWN;
}

/* Whether the mesh shader uses VK_EXT_mesh_shader (not VK_NV_mesh_shader). */
static int64_t has_mesh_ext(const struct draw *draw)
{
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry =
            stage->stage == VK_SHADER_STAGE_MESH_BIT_EXT ? pipeline_stage_entry(stage) : NULL;
        if (entry)
            return entry->model == SpvExecutionModelMeshEXT;
    }
    return DRAW_UNKNOWN;
}

/* If the pipeline has another topology class, that is reported instead. */
static int64_t writes_point_size(const struct draw *draw)
{
    if (!draw_has_shader_objects(draw) &&
        draw->pipeline->topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
        !draw->s.call->device->extended.ExtendedDynamicState3PropertiesEXT
             .dynamicPrimitiveTopologyUnrestricted)
        return DRAW_UNKNOWN;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &draw->pipeline->stage[i];
        const struct spirv_entry_point *entry =
            stage->stage == VK_SHADER_STAGE_VERTEX_BIT ? pipeline_stage_entry(stage) : NULL;
        if (!entry || entry->truncated)
            continue;
        for (uint32_t k = 0; k < entry->interface_count; k++) {
            const struct spirv_interface *leaf =
                &stage->shader->reflection->interfaces[entry->first_interface + k];
            if (leaf->builtin == SpvBuiltInPointSize && leaf->storage == SpvStorageClassOutput &&
                (leaf->initialized || leaf->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED)))
                return true;
        }
        return false;
    }
    return DRAW_UNKNOWN;
}

/* Whether the bound fragment shader object was created for a custom resolve. */
static int64_t object_resolves(const struct draw *draw)
{
    const uint64_t id =
        draw_has_shader_objects(draw)
            ? draw->command_buffer->shaders[__builtin_ctz(VK_SHADER_STAGE_FRAGMENT_BIT)]
            : 0;
    const struct shader_object *shader = id ? shader_object_by_id(id) : NULL;
    return shader && shader->resolve_given ? shader->resolves : DRAW_UNKNOWN;
}

/* --- current values --- */

/* Reads a 32-bit number or a bool. */
static int64_t read_value(const void *structure, uint16_t offset, bool is_bool)
{
    const char *at = (const char *)structure + offset;
    uint32_t value;
    if (is_bool)
        return *(const bool *)at;
    memcpy(&value, at, sizeof(value));
    return value;
}

/* The value of a state for this draw, dynamic or static; DRAW_UNKNOWN: not known. */
static int64_t current_value(const struct draw *draw, enum draw_noun noun)
{
    const struct draw_value *value = &draw_values[noun];
    int64_t number = DRAW_UNKNOWN;
    if (draw_takes(draw, (enum dynamic_state)value->state)) {
        if (draw_has(draw, (enum dynamic_state)value->state))
            number = read_value(draw->values, value->of_values, value->small);
    } else if (value->of_pipeline != UINT16_MAX && !draw_has_shader_objects(draw)) {
        number = read_value(draw->pipeline, value->of_pipeline, value->small_in_pipeline);
    }
    /* Such a count is 0 if the pipeline does not have the state. */
    const bool is_count = noun == NOUN_viewportCount || noun == NOUN_scissorCount ||
                          noun == NOUN_rasterizationSamples;
    return is_count && !number ? DRAW_UNKNOWN : number;
}

bool draw_value_is_fixed(const struct draw *draw, enum draw_noun noun)
{
    return noun < ARRAY_LENGTH(draw_values) &&
           !draw_takes(draw, (enum dynamic_state)draw_values[noun].state);
}

/* The count; UINT32_MAX means that it is not known. */
static int64_t count_or_unknown(uint32_t count)
{
    return count == UINT32_MAX ? DRAW_UNKNOWN : (int64_t)count;
}

/* --- the nouns --- */

/* A fact about the bound pipeline or shader objects; DRAW_UNKNOWN: not certain. */
static int64_t pipeline_fact(const struct draw *draw, enum draw_noun noun)
{
    const struct pipeline *pipeline = draw->pipeline;
    const bool objects = draw_has_shader_objects(draw);
    switch ((int)noun) {
    case NOUN_PIPELINE:
        return !objects;
    case NOUN_STAGES:
        return (int64_t)pipeline->stages;
    case NOUN_OBJECT_STAGES:
        return objects ? (int64_t)pipeline->stages : INT64_MAX;
    case NOUN_WRITES_RATE:
        return any_writes_shading_rate(draw);
    case NOUN_ALPHA_OUTPUT:
        return fragment_output(draw, true);
    case NOUN_LAST_LOCATION:
        return fragment_output(draw, false);
    case NOUN_AT_SAMPLE:
        return interpolates_at_sample(draw);
    case NOUN_READS_DEPTH_EARLY:
        return reads_early(draw, SPIRV_USES_DEPTH_READ);
    case NOUN_READS_STENCIL_EARLY:
        return reads_early(draw, SPIRV_USES_STENCIL_READ);
    case NOUN_MESH_EXT:
        return has_mesh_ext(draw);
    case NOUN_POINT_SIZE:
        return writes_point_size(draw);
    case NOUN_OBJECT_RESOLVES:
        return object_resolves(draw);
    default:
        break;
    }
    if (objects)
        return DRAW_UNKNOWN;
    switch ((int)noun) {
    case NOUN_PIPELINE_FLAGS: /* libraries may have further flags */
        return pipeline->library_count ? DRAW_UNKNOWN : (int64_t)pipeline->flags;
    case NOUN_PIPELINE_PASS:
        return pipeline->render_pass != 0;
    case NOUN_PIPELINE_VIEW_MASK:
        return pipeline->formats.view_mask;
    case NOUN_OUTPUT:
        return (pipeline->parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) !=
               0;
    case NOUN_OWN_TOPOLOGY_CLASS:
        return pipeline->parts ? draw_topology_class(pipeline->topology) : DRAW_UNKNOWN;
    case NOUN_PIPELINE_DEPTH:
        return pipeline->formats.depth;
    case NOUN_PIPELINE_STENCIL:
        return pipeline->formats.stencil;
    case NOUN_PIPELINE_STREAM:
        return pipeline->rasterization_stream;
    case NOUN_PIPELINE_LOCATIONS:
        return pipeline->location_samples;
    case NOUN_DISCARD_GIVEN:
        return pipeline->discard_rectangles_given;
    case NOUN_HAS_BINDINGS:
        return pipeline->vertex_binding_count != 0;
    case NOUN_SAMPLE_SHADED:
        return pipeline->sample_shading;
    case NOUN_MIN_SAMPLE_SHADING:
        return !pipeline->sample_shading || pipeline->min_sample_shading <= 0;
    case NOUN_RESOLVE_GIVEN:
        return pipeline->custom_resolve.given;
    case NOUN_RESOLVES:
        return pipeline->custom_resolve.resolves;
    case NOUN_RESOLVE_COLORS:
        return pipeline->custom_resolve.color_count;
    case NOUN_RESOLVE_DEPTH:
        return pipeline->custom_resolve.depth;
    case NOUN_RESOLVE_STENCIL:
        return pipeline->custom_resolve.stencil;
    case NOUN_SAMPLES_GIVEN:
        return pipeline->attachment_samples.given;
    case NOUN_DEPTH_STENCIL_COUNT:
        return pipeline->attachment_samples.depth_stencil;
    case NOUN_DENSITY_LAYERS:
        return pipeline->density_layers;
    case NOUN_W_SCALINGS:
        return count_or_unknown(pipeline->viewport_counts.w_scalings);
    case NOUN_PALETTES:
        return count_or_unknown(pipeline->viewport_counts.palettes);
    case NOUN_SWIZZLES:
        return count_or_unknown(pipeline->viewport_counts.swizzles);
    case NOUN_EXCLUSIVE_SCISSORS:
        return count_or_unknown(pipeline->viewport_counts.exclusive_scissors);
    default:
        return DRAW_UNKNOWN;
    }
}

/* A fact about values with several elements; draw->values must not be NULL. */
static int64_t element_fact(const struct draw *draw, enum draw_noun noun)
{
    const struct command_buffer_dynamic *values = draw->values;
    const uint32_t colors = draw_active_colors(draw);
    switch ((int)noun) {
    case NOUN_SWIZZLES_SET:
        return draw_takes(draw, DYNAMIC_VIEWPORT_SWIZZLE_NV) &&
                       draw_has(draw, DYNAMIC_VIEWPORT_SWIZZLE_NV)
                   ? (int64_t)values->viewport_swizzle_count
                   : DRAW_UNKNOWN;
    case NOUN_W_SCALINGS_SET:
        return draw_has(draw, DYNAMIC_VIEWPORT_W_SCALING_NV) ? (int64_t)values->w_scaling_count
                                                             : DRAW_UNKNOWN;
    case NOUN_PALETTES_SET:
        return draw_has(draw, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV)
                   ? (int64_t)values->palette_count
                   : DRAW_UNKNOWN;
    case NOUN_EXCLUSIVE_ENABLED:
        return draw_has(draw, DYNAMIC_EXCLUSIVE_SCISSOR_ENABLE_NV)
                   ? values->exclusive_scissor_enabled
                   : DRAW_UNKNOWN;
    case NOUN_WRITE_ENABLES:
        return draw_has(draw, DYNAMIC_COLOR_WRITE_ENABLE_EXT)
                   ? (int64_t)values->color_write_enable_count
                   : DRAW_UNKNOWN;
    case NOUN_LOCATIONS_SET:
        return draw_has(draw, DYNAMIC_SAMPLE_LOCATIONS_EXT)
                   ? (int64_t)values->sample_locations_per_pixel
                   : DRAW_UNKNOWN;
    case NOUN_BLEND_ENABLES_LACKING:
        return colors & ~values->color_blend_enables_set;
    case NOUN_WRITE_MASKS_LACKING:
        return colors & ~values->color_write_masks_set & KEPT_COLORS;
    case NOUN_EQUATIONS_LACKING:
        return lacks_equations(draw, true, false);
    case NOUN_ADVANCED_LACKING:
        return lacks_equations(draw, false, true);
    case NOUN_BOTH_LACKING:
        return lacks_equations(draw, true, true);
    case NOUN_COVERAGE_COLOR:
        return has_coverage_color(draw);
    case NOUN_DUAL_SOURCE:
        return blends_two_sources(draw);
    case NOUN_BLENDED:
        return blended_attachments(draw);
    case NOUN_STENCIL_MASK:
        return set_stencil_mask(draw);
    case NOUN_SHARED_EXPONENT_MASKS:
        return shared_exponent_masks(draw);
    default:
        return DRAW_UNKNOWN;
    }
}

/* A fact from the structures of vkCmdBeginRendering in this command buffer. */
static int64_t begun_fact(const struct draw *draw, enum draw_noun noun)
{
    const struct render_pass_instance *rendering = begun_here(draw);
    if (!rendering)
        return DRAW_UNKNOWN;
    switch ((int)noun) {
    case NOUN_RATE_VIEW:
        return rendering->shading_rate_view != 0;
    case NOUN_DENSITY_VIEW:
        return rendering->density_map_view != 0;
    case NOUN_DEPTH_VIEW:
        return rendering->depth.view != 0;
    case NOUN_STENCIL_VIEW:
        return rendering->stencil.view != 0;
    case NOUN_DEPTH_RESOLVE_VIEW:
        return draw_resolves(&rendering->depth);
    case NOUN_STENCIL_RESOLVE_VIEW:
        return draw_resolves(&rendering->stencil);
    case NOUN_DEPTH_RESOLVE_FORMAT:
        return resolve_format(&rendering->depth);
    case NOUN_STENCIL_RESOLVE_FORMAT:
        return resolve_format(&rendering->stencil);
    case NOUN_DEPTH_RESOLVE_SAMPLES:
        return resolve_samples(&rendering->depth);
    case NOUN_STENCIL_RESOLVE_SAMPLES:
        return resolve_samples(&rendering->stencil);
    case NOUN_DEPTH_SAMPLES:
        return view_samples(rendering->depth.view);
    case NOUN_STENCIL_SAMPLES:
        return view_samples(rendering->stencil.view);
    case NOUN_RESOLVE_BEGUN:
        return rendering->custom_resolve;
    case NOUN_HAS_CUSTOM_RESOLVE:
        return (rendering->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT) != 0;
    case NOUN_SINGLE_SAMPLES:
        return rendering->single_samples;
    case NOUN_TILE_SHADING:
        return rendering->tile_shading;
    default:
        return DRAW_UNKNOWN;
    }
}

/* A fact about the render pass instance; DRAW_UNKNOWN: not certain. */
static int64_t rendering_fact(const struct draw *draw, enum draw_noun noun)
{
    const struct render_pass_instance *rendering = draw->rendering;
    if (!rendering)
        return DRAW_UNKNOWN;
    switch ((int)noun) {
    case NOUN_DYNAMIC_RENDERING:
        return rendering->kind == RENDERING_DYNAMIC;
    case NOUN_BEGUN_HERE:
        return !rendering->inherited;
    case NOUN_RENDERING_FLAGS:
        return rendering->kind == RENDERING_DYNAMIC ? (int64_t)rendering->flags : DRAW_UNKNOWN;
    case NOUN_VIEW_MASK:
        return rendering->view_mask;
    case NOUN_LAST_VIEW:
        return rendering->view_mask ? 31 - __builtin_clz(rendering->view_mask) : DRAW_UNKNOWN;
    case NOUN_LAYERS:
        /* VkRenderingInfo: "layerCount is the number of layers ... when viewMask is 0" */
        return rendering->layer_count && !rendering->view_mask ? (int64_t)rendering->layer_count
                                                               : DRAW_UNKNOWN;
    case NOUN_DEPTH_STENCIL_SAMPLES:
        return depth_stencil_samples(draw);
    case NOUN_FEEDBACK_LOOPS:
        return feedback_loops(draw);
    case NOUN_COLOR_SAMPLES:
        return color_samples(draw);
    case NOUN_COLORS_WITHOUT_FORMAT:
        return lacks_formats(draw, false);
    case NOUN_RESOLVES_WITHOUT_FORMAT:
        return lacks_formats(draw, true);
    case NOUN_EMPTY_SAMPLES:
        return empty_samples(draw);
    case NOUN_GRID_WIDTH:
        return grid_divides(draw, true);
    case NOUN_GRID_HEIGHT:
        return grid_divides(draw, false);
    case NOUN_COLOR_SAMPLES_OTHER:
        return other_color_samples(draw);
    case NOUN_TABLE_WANTED:
        return wanted_table(draw);
    case NOUN_COLOR_COUNT:
        return rendering->kind == RENDERING_DYNAMIC ? (int64_t)rendering->formats.color_count
                                                    : DRAW_UNKNOWN;
    case NOUN_ACTIVE_COLORS:
        return draw_active_colors(draw);
    case NOUN_ACTIVE_COLOR_COUNT:
        return __builtin_popcount(draw_active_colors(draw));
    case NOUN_DEPTH_LOCATED:
        return depth_is_located(draw);
    case NOUN_RESOLVE_FORMATS_OTHER:
        return wrong_resolves(draw, 0, false);
    case NOUN_RESOLVE_FORMATS_OTHER_USED:
        return wrong_resolves(draw, 0, true);
    case NOUN_RESOLVE_FORMATS_SPARE:
        return spare_resolves(draw);
    case NOUN_RESOLVE_SAMPLES_OTHER:
        return wrong_resolves(draw, draw_fact(draw, NOUN_rasterizationSamples), false);
    default:
        return begun_fact(draw, noun);
    }
}

int64_t draw_fact(const struct draw *draw, enum draw_noun noun)
{
    const struct device *device = draw->s.call->device;
    const struct command_buffer *command_buffer = draw->command_buffer;
    VkPrimitiveTopology topology;
    if (noun < ARRAY_LENGTH(draw_values))
        return draw->values ? current_value(draw, noun) : DRAW_UNKNOWN;
    switch ((int)noun) {
    case NOUN_OBJECT_FLAGS_OF_ANY:
        return object_flags(draw, true);
    case NOUN_OBJECT_FLAGS_OF_ALL:
        return object_flags(draw, false);
    case NOUN_STIPPLING:
        return device_has_feature(device, FEATURE_stippledRectangularLines) ||
               device_has_feature(device, FEATURE_stippledBresenhamLines) ||
               device_has_feature(device, FEATURE_stippledSmoothLines);
    case NOUN_VERTICES:
        return draw->kind != DRAW_MESH;
    case NOUN_INHERITED_VIEWPORTS:
        /* VK_NV_inherited_viewport_scissor */
        return command_buffer->scope & SCOPE_SECONDARY &&
               device_has_feature(device, FEATURE_inheritedViewportScissor2D);
    case NOUN_VIEWED:
        return draw_has_shader_objects(draw) || !draw_discards(draw);
    case NOUN_LINES:
        return draw_rasterizes(draw, false);
    case NOUN_POINTS_OR_LINES:
        return draw_rasterizes(draw, true);
    case NOUN_TOPOLOGY_CLASS:
        return draw_topology_class(draw_topology(draw));
    case NOUN_LIST_TOPOLOGY:
        topology = draw_topology(draw);
        return topology == VK_PRIMITIVE_TOPOLOGY_MAX_ENUM ? DRAW_UNKNOWN : is_list(topology);
    case NOUN_BLEND_CONSTANT:
        return blends_with_constants(draw);
    case NOUN_GENERATED_QUERY:
        return query_is_active(draw, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
    case NOUN_MESH_QUERY:
        return query_is_active(draw, VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT);
    case NOUN_FEEDBACK_QUERY:
        return query_is_active(draw, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
    case NOUN_STATISTICS:
        return active_statistics(draw);
    case NOUN_PER_TILE:
        /* a secondary may inherit it */
        if (!sections_of(command_buffer) || (command_buffer->scope & SCOPE_SECONDARY &&
                                             device_has_feature(device, FEATURE_tileShading)))
            return DRAW_UNKNOWN;
        return sections_of(command_buffer)->per_tile;
    case NOUN_INSIDE:
        return (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
    case NOUN_SETS_BOUND:
        return sets_are(draw, BOUND_SET);
    case NOUN_OFFSETS_BOUND:
        return sets_are(draw, BOUND_OFFSET);
    default:
        break;
    }
    if (noun >= NOUN_SWIZZLES_SET && noun <= NOUN_SHARED_EXPONENT_MASKS)
        return draw->values ? element_fact(draw, noun) : DRAW_UNKNOWN;
    const int64_t fact = pipeline_fact(draw, noun);
    return fact == DRAW_UNKNOWN ? rendering_fact(draw, noun) : fact;
}
