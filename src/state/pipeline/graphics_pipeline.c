/* Tracks the parts of a graphics pipeline (10.6). Each of its four parts comes from its own create
 * info, or from a library. */
#include "state/hooks.h"

#include <string.h>

#include "state/pipeline/graphics_info.h"
#include "state/memory/mapping.h"
#include "state/pipeline/pipeline_parts.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"

/* A structure in the chain; NULL: it is missing. */
#define CHAINED(info_, TYPE_) (chain_find((info_)->pNext, VK_STRUCTURE_TYPE_##TYPE_))

/* The smaller of two numbers. */
static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- vertex input --- */

/* The numbers of bindings and attributes of the pipeline or its library. Counts beyond the device's
 * limits are not valid, and are limited. */
static void count_vertex_input(const struct graphics_info *graphics, const struct call *call,
                               uint32_t *bindings, uint32_t *attributes)
{
    assert(bindings && attributes);
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    *bindings = *attributes = 0;
    if (!(graphics->own & PART_VERTEX_INPUT)) {
        for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
            const struct pipeline *library =
                find_pipeline(call, graphics->libraries->pLibraries[i]);
            /* At most one library has the part, if the call is valid. */
            if (library && library->parts & PART_VERTEX_INPUT) {
                *bindings = library->vertex_binding_count;
                *attributes = library->vertex_attribute_count;
            }
        }
    } else if (graphics->vertex_input) {
        const VkPipelineVertexInputStateCreateInfo *input = graphics->vertex_input;
        if (!pointer_is_bad(input->pVertexBindingDescriptions))
            *bindings =
                at_most(input->vertexBindingDescriptionCount, limits->maxVertexInputBindings);
        if (!pointer_is_bad(input->pVertexAttributeDescriptions))
            *attributes =
                at_most(input->vertexAttributeDescriptionCount, limits->maxVertexInputAttributes);
    }
}

/* The divisor of a binding; 1 if none is given. */
static uint32_t divisor_of(const VkPipelineVertexInputDivisorStateCreateInfo *divisors,
                           uint32_t binding)
{
    for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++) {
        if (divisors->pVertexBindingDivisors[i].binding == binding)
            return divisors->pVertexBindingDivisors[i].divisor;
    }
    return 1;
}

/* Copies the vertex input and input assembly state. */
static void fill_vertex_input(struct pipeline *pipeline, const struct graphics_info *graphics)
{
    const VkPipelineVertexInputStateCreateInfo *input = graphics->vertex_input;
    /* If it is missing, the state is dynamic, or belongs to a library. */
    pipeline->has_vertex_input = input != NULL;
    if (input) {
        const VkPipelineVertexInputDivisorStateCreateInfo *divisors =
            CHAINED(input, PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO);
        for (uint32_t i = 0; i < pipeline->vertex_binding_count; i++) {
            const VkVertexInputBindingDescription *given = &input->pVertexBindingDescriptions[i];
            pipeline->vertex_bindings[i] =
                (struct vertex_binding){given->binding, given->stride, given->inputRate,
                                        divisor_of(divisors, given->binding)};
        }
        for (uint32_t i = 0; i < pipeline->vertex_attribute_count; i++) {
            const VkVertexInputAttributeDescription *given =
                &input->pVertexAttributeDescriptions[i];
            pipeline->vertex_attributes[i] = (struct vertex_attribute){
                given->location, given->binding, given->offset, given->format};
        }
    }
    if (graphics->input_assembly) {
        pipeline->has_input_assembly = true;
        pipeline->topology = graphics->input_assembly->topology;
        pipeline->primitive_restart = graphics->input_assembly->primitiveRestartEnable;
    }
}

/* Copies the vertex input state of a library. */
static void link_vertex_input(struct pipeline *pipeline, const struct pipeline *library)
{
    assert(pipeline != library);
    /* Two libraries with this part are invalid. The room is then only enough for the last one. */
    uint32_t bindings = at_most(pipeline->vertex_binding_count, library->vertex_binding_count),
             attributes =
                 at_most(pipeline->vertex_attribute_count, library->vertex_attribute_count);
    if (bindings)
        memcpy(pipeline->vertex_bindings, library->vertex_bindings,
               bindings * sizeof(struct vertex_binding));
    if (attributes)
        memcpy(pipeline->vertex_attributes, library->vertex_attributes,
               attributes * sizeof(struct vertex_attribute));
    pipeline->has_vertex_input = library->has_vertex_input;
    pipeline->has_input_assembly = library->has_input_assembly;
    pipeline->topology = library->topology;
    pipeline->primitive_restart = library->primitive_restart;
}

/* --- pre-rasterization --- */

/* Copies the rasterization state and its chain. */
static void fill_rasterization(struct pipeline *pipeline,
                               const VkPipelineRasterizationStateCreateInfo *info)
{
    assert(info);
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip =
        CHAINED(info, PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationLineStateCreateInfo *line =
        CHAINED(info, PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO);
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
        CHAINED(info, PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationConservativeStateCreateInfoEXT *conservative =
        CHAINED(info, PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
    pipeline->conservative_mode = conservative ? conservative->conservativeRasterizationMode
                                               : VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT;
    pipeline->has_rasterization = true;
    pipeline->rasterization = *info;
    /* The chain is the program's, and only exists during the call. */
    pipeline->rasterization.pNext = NULL;
    if (clip) {
        pipeline->depth_clip_enable_given = true;
        pipeline->depth_clip_enable = clip->depthClipEnable;
    }
    if (line) {
        pipeline->line_mode = line->lineRasterizationMode;
        pipeline->stippled_line = line->stippledLineEnable;
    }
    if (provoking)
        pipeline->provoking_vertex = provoking->provokingVertexMode;
    const VkPipelineRasterizationStateStreamCreateInfoEXT *stream =
        CHAINED(info, PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
    pipeline->rasterization_stream = stream ? stream->rasterizationStream : 0;
}

/* Copies the viewport counts of structures in the chain. */
static void fill_viewport_counts(struct pipeline *pipeline,
                                 const VkPipelineViewportStateCreateInfo *info)
{
    const VkPipelineViewportWScalingStateCreateInfoNV *scalings =
        CHAINED(info, PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV);
    const VkPipelineViewportShadingRateImageStateCreateInfoNV *palettes =
        CHAINED(info, PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV);
    const VkPipelineViewportSwizzleStateCreateInfoNV *swizzles =
        CHAINED(info, PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV);
    const VkPipelineViewportExclusiveScissorStateCreateInfoNV *scissors =
        CHAINED(info, PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV);
    struct pipeline_viewport_counts *counts = &pipeline->viewport_counts;
    /* A count without a structure stays UINT32_MAX: not given. */
    if (scalings)
        counts->w_scalings = scalings->viewportCount;
    if (palettes)
        counts->palettes = palettes->viewportCount;
    if (swizzles)
        counts->swizzles = swizzles->viewportCount;
    if (scissors)
        counts->exclusive_scissors = scissors->exclusiveScissorCount;
}

/* Copies the viewport state; dynamic counts are 0. */
static void fill_viewport(struct pipeline *pipeline, const VkPipelineViewportStateCreateInfo *info)
{
    assert(info);
    const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
        CHAINED(info, PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
    pipeline->has_viewport = true;
    pipeline->viewport_count =
        pipeline_is_dynamic(pipeline, DYNAMIC_VIEWPORT_WITH_COUNT) ? 0 : info->viewportCount;
    pipeline->scissor_count =
        pipeline_is_dynamic(pipeline, DYNAMIC_SCISSOR_WITH_COUNT) ? 0 : info->scissorCount;
    if (control) {
        pipeline->depth_clip_control = *control;
        /* The chain is the program's, and only exists during the call. */
        pipeline->depth_clip_control.pNext = NULL;
    }
    fill_viewport_counts(pipeline, info);
}

/* Sets the part of the pre-rasterization shaders. */
static void fill_pre_rasterization(struct pipeline *pipeline, const struct graphics_info *graphics)
{
    /* Both values are the defaults if the structures that set them are missing. */
    pipeline->provoking_vertex = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
    pipeline->line_mode = VK_LINE_RASTERIZATION_MODE_DEFAULT;
    if (graphics->rasterization)
        fill_rasterization(pipeline, graphics->rasterization);
    if (graphics->viewport)
        fill_viewport(pipeline, graphics->viewport);
    if (graphics->tessellation)
        pipeline->patch_control_points = graphics->tessellation->patchControlPoints;
    const VkPipelineDiscardRectangleStateCreateInfoEXT *rectangles =
        CHAINED(graphics->info, PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
    pipeline->discard_rectangles_given = rectangles != NULL;
    pipeline->discard_rectangles = rectangles && rectangles->discardRectangleCount;
}

/* Copies the pre-rasterization part of a library. */
static void link_pre_rasterization(struct pipeline *pipeline, const struct pipeline *library)
{
    pipeline->patch_control_points = library->patch_control_points;
    pipeline->has_viewport = library->has_viewport;
    pipeline->viewport_count = library->viewport_count;
    pipeline->scissor_count = library->scissor_count;
    pipeline->has_rasterization = library->has_rasterization;
    pipeline->rasterization = library->rasterization;
    pipeline->depth_clip_enable_given = library->depth_clip_enable_given;
    pipeline->depth_clip_enable = library->depth_clip_enable;
    pipeline->depth_clip_control = library->depth_clip_control;
    pipeline->line_mode = library->line_mode;
    pipeline->stippled_line = library->stippled_line;
    pipeline->conservative_mode = library->conservative_mode;
    pipeline->provoking_vertex = library->provoking_vertex;
    /* The fragment shader part may have set it already: it belongs to both. */
    pipeline->has_shading_rate |= library->has_shading_rate;
    pipeline->viewport_counts = library->viewport_counts;
    pipeline->rasterization_stream = library->rasterization_stream;
    pipeline->discard_rectangles_given = library->discard_rectangles_given;
    pipeline->discard_rectangles = library->discard_rectangles;
}

/* --- fragment shader and output --- */

/* Copies the multisample state and its sample locations. */
static void fill_multisample(struct pipeline *pipeline,
                             const VkPipelineMultisampleStateCreateInfo *info)
{
    assert(info);
    const VkPipelineSampleLocationsStateCreateInfoEXT *locations =
        CHAINED(info, PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    pipeline->has_multisample = true;
    pipeline->samples = info->rasterizationSamples;
    pipeline->sample_shading = info->sampleShadingEnable;
    pipeline->alpha_to_coverage = info->alphaToCoverageEnable;
    pipeline->alpha_to_one = info->alphaToOneEnable;
    /* Grid and samples are kept even if this is off, as the enable may be dynamic. */
    pipeline->sample_locations = locations && locations->sampleLocationsEnable;
    pipeline->location_samples =
        locations ? locations->sampleLocationsInfo.sampleLocationsPerPixel : 0;
    if (locations)
        pipeline->location_grid = locations->sampleLocationsInfo.sampleLocationGridSize;
    pipeline->min_sample_shading = info->minSampleShading;
}

/* Copies the multisample state of a library, which belongs to two parts. */
static void link_multisample(struct pipeline *pipeline, const struct pipeline *library)
{
    if (!library->has_multisample)
        return;
    pipeline->has_multisample = true;
    pipeline->samples = library->samples;
    pipeline->sample_shading = library->sample_shading;
    pipeline->alpha_to_coverage = library->alpha_to_coverage;
    pipeline->alpha_to_one = library->alpha_to_one;
    pipeline->sample_locations = library->sample_locations;
    pipeline->location_samples = library->location_samples;
    pipeline->location_grid = library->location_grid;
    pipeline->min_sample_shading = library->min_sample_shading;
}

/* Copies the state of the fragment shader part. */
static void fill_fragment_shader(struct pipeline *pipeline, const struct graphics_info *graphics)
{
    const VkRenderingInputAttachmentIndexInfo *indices =
        CHAINED(graphics->info, RENDERING_INPUT_ATTACHMENT_INDEX_INFO);
    if (graphics->depth_stencil) {
        pipeline->has_depth_stencil = true;
        pipeline->depth_stencil = *graphics->depth_stencil;
        /* The chain is the program's, and only exists during the call. */
        pipeline->depth_stencil.pNext = NULL;
    }
    if (indices && !pointer_is_bad(indices->pColorAttachmentInputIndices)) {
        for (uint32_t i = 0; i < indices->colorAttachmentCount && i < PIPELINE_COLORS; i++)
            pipeline->color_input_indices[i] = indices->pColorAttachmentInputIndices[i];
    }
    if (indices && !pointer_is_bad(indices->pDepthInputAttachmentIndex))
        pipeline->depth_input_index = *indices->pDepthInputAttachmentIndex;
    if (indices && !pointer_is_bad(indices->pStencilInputAttachmentIndex))
        pipeline->stencil_input_index = *indices->pStencilInputAttachmentIndex;
}

/* Copies the fragment shader part of a library. */
static void link_fragment_shader(struct pipeline *pipeline, const struct pipeline *library)
{
    pipeline->has_depth_stencil = library->has_depth_stencil;
    pipeline->depth_stencil = library->depth_stencil;
    pipeline->has_shading_rate |= library->has_shading_rate;
    memcpy(pipeline->color_input_indices, library->color_input_indices,
           sizeof(library->color_input_indices));
    pipeline->depth_input_index = library->depth_input_index;
    pipeline->stencil_input_index = library->stencil_input_index;
    link_multisample(pipeline, library);
}

/* Notes the attachments whose writes are disabled. Without the structure they are enabled. */
static void take_color_writes(struct pipeline *pipeline,
                              const VkPipelineColorBlendStateCreateInfo *blend)
{
    assert(blend);
    const VkPipelineColorWriteCreateInfoEXT *writes =
        chain_find(blend->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
    /* the array is ignored, and may be invalid */
    if (pipeline_is_dynamic(pipeline, DYNAMIC_COLOR_WRITE_ENABLE_EXT))
        return;
    for (uint32_t i = 0;
         writes && writes->pColorWriteEnables && i < writes->attachmentCount && i < PIPELINE_COLORS;
         i++)
        pipeline->color_writes_disabled |= writes->pColorWriteEnables[i] ? 0 : 1u << i;
}

/* Copies the blending, formats and locations of the fragment output part. */
static void fill_fragment_output(struct pipeline *pipeline, const struct graphics_info *graphics)
{
    const VkRenderingAttachmentLocationInfo *locations =
        CHAINED(graphics->info, RENDERING_ATTACHMENT_LOCATION_INFO);
    const VkPipelineColorBlendStateCreateInfo *blend = graphics->color_blend;
    const VkPipelineRenderingCreateInfo *rendering = graphics->rendering;
    if (blend) {
        pipeline->has_color_blend = true;
        take_color_writes(pipeline, blend);
        pipeline->logic_op_enable = blend->logicOpEnable;
        pipeline->blend_flags = blend->flags;
        /* The count is kept unchanged; only PIPELINE_COLORS blends are kept. */
        pipeline->blend_count = blend->attachmentCount;
        for (uint32_t i = 0; i < blend->attachmentCount && i < PIPELINE_COLORS &&
                             !pointer_is_bad(blend->pAttachments);
             i++)
            pipeline->blends[i] = blend->pAttachments[i];
    }
    if (rendering) {
        pipeline->formats.color_count = rendering->colorAttachmentCount;
        for (uint32_t i = 0; i < rendering->colorAttachmentCount && i < PIPELINE_COLORS &&
                             !pointer_is_bad(rendering->pColorAttachmentFormats);
             i++)
            pipeline->formats.colors[i] = rendering->pColorAttachmentFormats[i];
        pipeline->formats.depth = rendering->depthAttachmentFormat;
        pipeline->formats.stencil = rendering->stencilAttachmentFormat;
    }
    if (locations && !pointer_is_bad(locations->pColorAttachmentLocations)) {
        for (uint32_t i = 0; i < locations->colorAttachmentCount && i < PIPELINE_COLORS; i++)
            pipeline->color_locations[i] = locations->pColorAttachmentLocations[i];
    }
}

/* Copies the fragment output part of a library. The view mask also belongs to other parts, and does
 * not change. */
static void link_fragment_output(struct pipeline *pipeline, const struct pipeline *library)
{
    uint32_t view_mask = pipeline->formats.view_mask;
    pipeline->has_color_blend = library->has_color_blend;
    pipeline->logic_op_enable = library->logic_op_enable;
    pipeline->blend_flags = library->blend_flags;
    pipeline->color_writes_disabled = library->color_writes_disabled;
    pipeline->blend_count = library->blend_count;
    memcpy(pipeline->blends, library->blends, sizeof(library->blends));
    pipeline->formats = library->formats;
    pipeline->formats.view_mask = view_mask;
    memcpy(pipeline->color_locations, library->color_locations, sizeof(library->color_locations));
    link_multisample(pipeline, library);
}

/* --- what both shader parts say --- */

struct pipeline_shading_rate graphics_shading_rate(const struct graphics_info *graphics)
{
    const VkPipelineFragmentShadingRateStateCreateInfoKHR *given =
        CHAINED(graphics->info, PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
    const VkPipelineFragmentShadingRateEnumStateCreateInfoNV *enums =
        CHAINED(graphics->info, PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV);
    if (!given || graphics_is_dynamic(graphics, DYNAMIC_FRAGMENT_SHADING_RATE_KHR) ||
        (enums && enums->shadingRateType == VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV))
        return (struct pipeline_shading_rate){.given = false};
    return (struct pipeline_shading_rate){true, given->fragmentSize, given->combinerOps[0],
                                          given->combinerOps[1]};
}

struct pipeline_view_attributes graphics_view_attributes(const struct graphics_info *graphics)
{
    const VkMultiviewPerViewAttributesInfoNVX *given =
        CHAINED(graphics->info, MULTIVIEW_PER_VIEW_ATTRIBUTES_INFO_NVX);
    if (!given)
        return (struct pipeline_view_attributes){.given = false};
    return (struct pipeline_view_attributes){true, given->perViewAttributes,
                                             given->perViewAttributesPositionXOnly};
}

/* --- the whole --- */

/* Parts that have shader stages. */
#define PARTS_WITH_SHADERS (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER)
/* Parts that depend on a render pass. */
#define PARTS_OF_RENDER_PASS (PARTS_WITH_SHADERS | PART_FRAGMENT_OUTPUT)

/* Notes the render pass and subpass that the pipeline is for. The id is kept even if the render
 * pass has no state. */
static void fill_render_pass(struct pipeline *pipeline, const struct call *call,
                             const struct graphics_info *graphics)
{
    const struct render_pass *render_pass = find_render_pass(call, graphics->info->renderPass);
    pipeline->subpass = graphics->info->subpass;
    if (render_pass) {
        pipeline->render_pass = object_state_id(&render_pass->base);
        pipeline->render_pass_compatibility = render_pass->compatibility;
    } else {
        const struct object *object =
            call_find(call, (uint64_t)graphics->info->renderPass, HANDLE_RENDER_PASS);
        pipeline->render_pass =
            object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
    }
    /* The other parts must not say a view mask: theirs is ignored. */
    if (graphics->own & PARTS_WITH_SHADERS && graphics->rendering)
        pipeline->formats.view_mask = graphics->rendering->viewMask;
}

/* Copies the formats of a custom resolve. */
static void take_custom_resolve(struct pipeline *pipeline, const VkGraphicsPipelineCreateInfo *info)
{
    const VkCustomResolveCreateInfoEXT *given = CHAINED(info, CUSTOM_RESOLVE_CREATE_INFO_EXT);
    if (!given)
        return;
    struct pipeline_custom_resolve *resolve = &pipeline->custom_resolve;
    resolve->given = true;
    resolve->resolves = given->customResolve;
    resolve->color_count = at_most(given->colorAttachmentCount, PIPELINE_COLORS);
    for (uint32_t i = 0;
         i < resolve->color_count && !pointer_is_bad(given->pColorAttachmentFormats); i++)
        resolve->colors[i] = given->pColorAttachmentFormats[i];
    resolve->depth = given->depthAttachmentFormat;
    resolve->stencil = given->stencilAttachmentFormat;
}

/* Copies the sample counts of attachments (VK_AMD_mixed_attachment_samples). */
static void take_attachment_samples(struct pipeline *pipeline,
                                    const VkGraphicsPipelineCreateInfo *info)
{
    const VkAttachmentSampleCountInfoAMD *given = CHAINED(info, ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    if (!given)
        return;
    struct pipeline_attachment_samples *samples = &pipeline->attachment_samples;
    samples->given = true;
    samples->color_count = pointer_is_bad(given->pColorAttachmentSamples)
                               ? 0
                               : at_most(given->colorAttachmentCount, PIPELINE_COLORS);
    for (uint32_t i = 0; i < samples->color_count; i++)
        samples->colors[i] = given->pColorAttachmentSamples[i];
    samples->depth_stencil = given->depthStencilAttachmentSamples;
}

/* Copies everything that the create info itself defines. */
static void fill_own_parts(struct pipeline *pipeline, const struct call *call,
                           const struct graphics_info *graphics)
{
    VkGraphicsPipelineLibraryFlagsEXT own = graphics->own;
    pipeline->dynamic = graphics->dynamic;
    if (own & PART_VERTEX_INPUT)
        fill_vertex_input(pipeline, graphics);
    if (own & PART_PRE_RASTERIZATION)
        fill_pre_rasterization(pipeline, graphics);
    if (own & PARTS_WITH_SHADERS) {
        pipeline->has_shading_rate =
            CHAINED(graphics->info, PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR) != NULL;
        pipeline->shading_rate = graphics_shading_rate(graphics);
        pipeline->view_attributes = graphics_view_attributes(graphics);
    }
    if (graphics->multisample)
        fill_multisample(pipeline, graphics->multisample);
    if (own & PART_FRAGMENT_SHADER)
        fill_fragment_shader(pipeline, graphics);
    if (own & PART_FRAGMENT_OUTPUT)
        fill_fragment_output(pipeline, graphics);
    take_custom_resolve(pipeline, graphics->info);
    take_attachment_samples(pipeline, graphics->info);
    const VkPipelineFragmentDensityMapLayeredCreateInfoVALVE *layered =
        CHAINED(graphics->info, PIPELINE_FRAGMENT_DENSITY_MAP_LAYERED_CREATE_INFO_VALVE);
    pipeline->density_layers = layered ? layered->maxFragmentDensityMapLayers : 0;
    if (own & PARTS_OF_RENDER_PASS)
        fill_render_pass(pipeline, call, graphics);
    for (uint32_t i = 0; i < graphics->info->stageCount && !pointer_is_bad(graphics->info->pStages);
         i++) {
        /* Stages of parts that the pipeline does not have are ignored. */
        if (graphics->info->pStages[i].stage & graphics->stages)
            pipeline_add_stage(pipeline, call, &graphics->info->pStages[i]);
    }
}

/* Copies the parts of a library that the pipeline does not have yet. `has_render_pass`: the
 * pipeline has its own render pass. */
static void link_library(struct pipeline *pipeline, const struct pipeline *library,
                         bool has_render_pass)
{
    assert(library && library != pipeline);
    /* Two libraries with the same part are reported elsewhere: the first one is used. */
    VkGraphicsPipelineLibraryFlagsEXT new_parts = library->parts & ~pipeline->parts;
    pipeline->parts |= new_parts;
    if (new_parts & PARTS_WITH_SHADERS)
        pipeline->formats.view_mask = library->formats.view_mask;
    if (new_parts & PART_VERTEX_INPUT)
        link_vertex_input(pipeline, library);
    if (new_parts & PART_PRE_RASTERIZATION)
        link_pre_rasterization(pipeline, library);
    if (new_parts & PART_FRAGMENT_SHADER)
        link_fragment_shader(pipeline, library);
    if (new_parts & PART_FRAGMENT_OUTPUT)
        link_fragment_output(pipeline, library);
    if (library->custom_resolve.given && !pipeline->custom_resolve.given)
        pipeline->custom_resolve = library->custom_resolve;
    if (library->shading_rate.given && !pipeline->shading_rate.given)
        pipeline->shading_rate = library->shading_rate;
    if (library->view_attributes.given && !pipeline->view_attributes.given)
        pipeline->view_attributes = library->view_attributes;
    if (library->attachment_samples.given && !pipeline->attachment_samples.given)
        pipeline->attachment_samples = library->attachment_samples;
    if (!pipeline->density_layers)
        pipeline->density_layers = library->density_layers;
    if (new_parts & PARTS_OF_RENDER_PASS && !has_render_pass) {
        pipeline->render_pass = library->render_pass;
        pipeline->render_pass_compatibility = library->render_pass_compatibility;
        pipeline->subpass = library->subpass;
    }
    for (uint32_t i = 0; i < ARRAY_LENGTH(pipeline->dynamic.bits); i++)
        pipeline->dynamic.bits[i] |= library->dynamic.bits[i];
    for (uint32_t i = 0; i < library->stage_count && pipeline->stage_count < PIPELINE_STAGES; i++) {
        struct pipeline_stage *stage = &pipeline->stage[pipeline->stage_count++];
        *stage = library->stage[i];
        /* The library may be destroyed before the pipeline. */
        shader_acquire(stage->shader);
        stage_mappings_acquire(stage->mappings);
        pipeline->stages |= stage->stage;
    }
}

/* The layout of linked libraries is the union of theirs (10.6, "Graphics Pipeline Library
 * Layouts"). If they are not all the same, it counts as unknown. */
static struct pipeline_layout *layout_of_libraries(const struct call *call,
                                                   const struct graphics_info *graphics)
{
    struct pipeline_layout *layout = NULL;
    for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
        const struct pipeline *library = find_pipeline(call, graphics->libraries->pLibraries[i]);
        if (!library || !(library->parts & PARTS_WITH_SHADERS))
            continue;
        if (!library->layout || (layout && library->layout != layout))
            return NULL;
        layout = library->layout;
    }
    return layout;
}

/* The subpass for which the pipeline was created; NULL: it is not known any more. */
static const struct subpass *pipeline_subpass(const struct pipeline *pipeline)
{
    const struct render_pass *pass = render_pass_by_id(pipeline->render_pass);
    return pass && pipeline->subpass < pass->subpass_count ? &pass->subpasses[pipeline->subpass]
                                                           : NULL;
}

/* True if the pipeline is used with a depth or stencil attachment, according to its subpass or
 * formats. */
static bool has_depth_stencil_attachment(const struct pipeline *pipeline)
{
    if (!pipeline->render_pass)
        return pipeline->formats.depth || pipeline->formats.stencil;
    const struct subpass *subpass = pipeline_subpass(pipeline);
    return subpass && subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED;
}

/* True if the pipeline may write a color attachment. */
static bool has_color_attachment(const struct pipeline *pipeline)
{
    if (!pipeline->render_pass)
        return pipeline->formats.color_count > 0;
    const struct subpass *subpass = pipeline_subpass(pipeline);
    return subpass && subpass->color_count > 0;
}

/* True if the pipeline includes the state. "If the state is not included (corresponding pointer in
 * VkGraphicsPipelineCreateInfo was NULL or was ignored) in the new pipeline object, then that
 * command buffer state is not disturbed" (chapter 10, "Dynamic State"). A pipeline that discards
 * all primitives ignores its viewports, for instance. */
static bool includes_state(const struct pipeline *pipeline, enum dynamic_state state)
{
    switch (state) {
    case DYNAMIC_VIEWPORT:
    case DYNAMIC_VIEWPORT_WITH_COUNT:
    case DYNAMIC_SCISSOR:
    case DYNAMIC_SCISSOR_WITH_COUNT:
        return pipeline->has_viewport;
    case DYNAMIC_VERTEX_INPUT_EXT:
    case DYNAMIC_VERTEX_INPUT_BINDING_STRIDE:
        return pipeline->has_vertex_input;
    case DYNAMIC_PRIMITIVE_TOPOLOGY:
    case DYNAMIC_PRIMITIVE_RESTART_ENABLE:
        return pipeline->has_input_assembly;
    case DYNAMIC_DEPTH_BOUNDS:
    case DYNAMIC_STENCIL_COMPARE_MASK:
    case DYNAMIC_STENCIL_WRITE_MASK:
    case DYNAMIC_STENCIL_REFERENCE:
    case DYNAMIC_DEPTH_TEST_ENABLE:
    case DYNAMIC_DEPTH_WRITE_ENABLE:
    case DYNAMIC_DEPTH_COMPARE_OP:
    case DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE:
    case DYNAMIC_STENCIL_TEST_ENABLE:
    case DYNAMIC_STENCIL_OP:
        return pipeline->has_depth_stencil && has_depth_stencil_attachment(pipeline);
    case DYNAMIC_RASTERIZATION_SAMPLES_EXT:
    case DYNAMIC_SAMPLE_MASK_EXT:
    case DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT:
        return pipeline->has_multisample;
    case DYNAMIC_BLEND_CONSTANTS:
    case DYNAMIC_LOGIC_OP_EXT:
    case DYNAMIC_LOGIC_OP_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_EQUATION_EXT:
    case DYNAMIC_COLOR_WRITE_MASK_EXT:
        return pipeline->has_color_blend && has_color_attachment(pipeline);
    default:
        return pipeline->has_rasterization;
    }
}

/* Finds the static states, which binding the pipeline overwrites: "that command buffer state is
 * overwritten by the state in the new pipeline object". Only states in structures that every
 * pipeline with these parts has are considered. */
static void find_fixed_states(struct pipeline *pipeline)
{
    static const enum dynamic_state states[] = {
        DYNAMIC_VIEWPORT,
        DYNAMIC_SCISSOR,
        DYNAMIC_LINE_WIDTH,
        DYNAMIC_DEPTH_BIAS,
        DYNAMIC_BLEND_CONSTANTS,
        DYNAMIC_DEPTH_BOUNDS,
        DYNAMIC_STENCIL_COMPARE_MASK,
        DYNAMIC_STENCIL_WRITE_MASK,
        DYNAMIC_STENCIL_REFERENCE,
        DYNAMIC_CULL_MODE,
        DYNAMIC_FRONT_FACE,
        DYNAMIC_PRIMITIVE_TOPOLOGY,
        DYNAMIC_VIEWPORT_WITH_COUNT,
        DYNAMIC_SCISSOR_WITH_COUNT,
        DYNAMIC_VERTEX_INPUT_BINDING_STRIDE,
        DYNAMIC_DEPTH_TEST_ENABLE,
        DYNAMIC_DEPTH_WRITE_ENABLE,
        DYNAMIC_DEPTH_COMPARE_OP,
        DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE,
        DYNAMIC_STENCIL_TEST_ENABLE,
        DYNAMIC_STENCIL_OP,
        DYNAMIC_RASTERIZER_DISCARD_ENABLE,
        DYNAMIC_DEPTH_BIAS_ENABLE,
        DYNAMIC_PRIMITIVE_RESTART_ENABLE,
        DYNAMIC_VERTEX_INPUT_EXT,
        DYNAMIC_LOGIC_OP_EXT,
        DYNAMIC_DEPTH_CLAMP_ENABLE_EXT,
        DYNAMIC_POLYGON_MODE_EXT,
        DYNAMIC_RASTERIZATION_SAMPLES_EXT,
        DYNAMIC_SAMPLE_MASK_EXT,
        DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT,
        DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT,
        DYNAMIC_LOGIC_OP_ENABLE_EXT,
        DYNAMIC_COLOR_BLEND_ENABLE_EXT,
        DYNAMIC_COLOR_BLEND_EQUATION_EXT,
        DYNAMIC_COLOR_WRITE_MASK_EXT,
    };
    /* Some dynamic states include others. */
    struct dynamic_state_set taken = pipeline->dynamic;
    if (dynamic_state_set_has(&taken, DYNAMIC_VIEWPORT_WITH_COUNT))
        dynamic_state_set_add(&taken, DYNAMIC_VIEWPORT);
    if (dynamic_state_set_has(&taken, DYNAMIC_SCISSOR_WITH_COUNT))
        dynamic_state_set_add(&taken, DYNAMIC_SCISSOR);
    if (dynamic_state_set_has(&taken, DYNAMIC_VERTEX_INPUT_EXT))
        dynamic_state_set_add(&taken, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    for (uint32_t i = 0; i < ARRAY_LENGTH(states); i++) {
        if (dynamic_state_parts(states[i]) & pipeline->parts &&
            !dynamic_state_set_has(&taken, states[i]) && includes_state(pipeline, states[i]))
            dynamic_state_set_add(&pipeline->fixed, states[i]);
    }
}

/* How many groups of shaders the pipeline has, with those of the pipelines that it names. */
static uint32_t shader_groups_of(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineShaderGroupsCreateInfoNV *groups =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
    uint32_t count = groups ? groups->groupCount : 0;
    for (uint32_t i = 0; groups && !pointer_is_bad(groups->pPipelines) && i < groups->pipelineCount;
         i++) {
        const struct pipeline *named = find_pipeline(call, groups->pPipelines[i]);
        count += named ? named->shader_groups : 0;
    }
    return count;
}

/* Allocates the state of a graphics pipeline. */
static void add_graphics_pipeline(const struct call *call, const VkGraphicsPipelineCreateInfo *info,
                                  VkPipeline handle)
{
    struct graphics_info storage;
    const struct graphics_info *graphics = graphics_info_of(call, info, &storage);
    uint32_t bindings, attributes;
    count_vertex_input(graphics, call, &bindings, &attributes);
    const uint32_t room = pipeline_library_count(call, graphics->libraries);
    struct pipeline *pipeline = pipeline_new(call, handle,
                                             sizeof(*pipeline) + room * sizeof(uint64_t) +
                                                 bindings * sizeof(struct vertex_binding) +
                                                 attributes * sizeof(struct vertex_attribute),
                                             VK_PIPELINE_BIND_POINT_GRAPHICS);
    if (!pipeline)
        return;
    pipeline->flags = graphics->flags;
    /* One allocation: the pipeline, its libraries, bindings and attributes. */
    uint64_t *libraries = (uint64_t *)(pipeline + 1);
    pipeline_set_libraries(pipeline, call, graphics->libraries, room, libraries);
    pipeline->vertex_bindings = (struct vertex_binding *)(libraries + room);
    pipeline->vertex_attributes = (struct vertex_attribute *)(pipeline->vertex_bindings + bindings);
    pipeline->vertex_binding_count = bindings;
    pipeline->vertex_attribute_count = attributes;
    for (uint32_t i = 0; i < PIPELINE_COLORS; i++)
        /* The defaults "as if" the structures were missing: each attachment has its own number. */
        pipeline->color_locations[i] = pipeline->color_input_indices[i] = i;
    pipeline->depth_input_index = pipeline->stencil_input_index = VK_ATTACHMENT_UNUSED;
    pipeline->viewport_counts =
        (struct pipeline_viewport_counts){UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    pipeline->parts = graphics->own;
    fill_own_parts(pipeline, call, graphics);
    for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
        const struct pipeline *library = find_pipeline(call, graphics->libraries->pLibraries[i]);
        if (library)
            link_library(pipeline, library, graphics->own & PARTS_OF_RENDER_PASS);
    }
    if (info->layout && (graphics->libraries || graphics->own & PARTS_WITH_SHADERS))
        pipeline_set_layout(pipeline, call, info->layout);
    else if (graphics->known)
        pipeline->layout = pipeline_layout_acquire(layout_of_libraries(call, graphics));
    find_fixed_states(pipeline);
    pipeline->shader_groups = shader_groups_of(call, info);
    pipeline_publish(pipeline);
}

void state_after_CreateGraphicsPipelines(struct call *call, VkDevice device,
                                         VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                         const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                         const VkAllocationCallbacks *pAllocator,
                                         VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        add_graphics_pipeline(call, &pCreateInfos[i], pPipelines[i]);
}
