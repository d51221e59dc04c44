/* Checks that the stages of a graphics pipeline fit its state. The checks are for outputs that
 * rasterization needs, inputs of a fragment shader, and its tests and samples. */
#include "core/shader/stage.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* True if the shader itself writes the variable. False if a function gets a pointer to it, because
 * that function may or may not write. */
static bool is_written(const struct spirv_interface *leaf)
{
    return leaf && leaf->access & SPIRV_ACCESS_WRITE && !(leaf->access & SPIRV_ACCESS_PASSED);
}

/* True if the output may get a value in some way. `leaf` is NULL if the output does not exist. */
static bool may_be_written(const struct spirv_interface *leaf)
{
    return leaf && (leaf->initialized || leaf->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED));
}

/* The built-in output of the stage, or NULL if the stage does not have it. */
static const struct spirv_interface *builtin_output(const struct shader_stage *stage,
                                                    uint32_t builtin)
{
    return shader_builtin(stage, SpvStorageClassOutput, builtin);
}

/* True if the entry point has the execution mode. */
static bool has_mode(const struct shader_stage *stage, uint32_t mode)
{
    return spirv_mode_find(stage->reflection, stage->entry, mode) != NULL;
}

/* True for a passthrough geometry shader, which forwards its inputs without declaring outputs. */
static bool passes_through(const struct shader_stage *stage)
{
    return spirv_has_capability(stage->reflection, SpvCapabilityGeometryShaderPassthroughNV);
}

/* The stages of one pipeline; a stage is NULL if the pipeline does not have it here. Threads: on
 * the stack of one call. */
struct stages_of_pipeline {
    const struct call *call;
    const struct location *where;
    const struct graphics_info *graphics;
    const struct shader_stage *vertex, *control, *evaluation, *geometry, *mesh, *fragment;
    const struct subpass *subpass; /* NULL with dynamic rendering, or if not known */
};

/* --- points ----------------------------------------------------------------------------------- */

/* If the shaderTessellationAndGeometryPointSize feature is not enabled, a PointSize decorated
 * variable must not be written to; if it is, it must be written to if the maintenance5 feature is
 * not enabled. The capability that goes with it needs the same feature (08740). */
static bool check_point_size(const struct stages_of_pipeline *p, const struct shader_stage *stage,
                             uint32_t capability, enum vuid must, enum vuid must_not)
{
    const struct spirv_interface *size = builtin_output(stage, SpvBuiltInPointSize);
    struct subject s = {.call = p->call, .objects = STAGE_OBJECT(stage)};
    if (!subject_has(&s, FEATURE_shaderTessellationAndGeometryPointSize))
        REQUIRE(&s, must_not,
                !is_written(size) || spirv_has_capability(stage->reflection, capability), p->where,
                "makes points, and its %s writes PointSize; the "
                "shaderTessellationAndGeometryPointSize feature is not enabled",
                shader_stage_name(stage->stage));
    else if (!subject_has(&s, FEATURE_maintenance5) && !stage->entry->truncated)
        REQUIRE(&s, must, may_be_written(size), p->where,
                "makes points, but its %s does not write PointSize, and the maintenance5 feature "
                "is not enabled",
                shader_stage_name(stage->stage));
    return s.skip;
}

/* Checks PointSize of a geometry or tessellation evaluation shader that makes points and is the
 * last stage before rasterization. */
static bool check_points(const struct stages_of_pipeline *p)
{
    if (p->geometry)
        return has_mode(p->geometry, SpvExecutionModeOutputPoints) &&
               p->geometry->entry->uses & SPIRV_USES_EMIT_VERTEX && !passes_through(p->geometry) &&
               check_point_size(
                   p, p->geometry, SpvCapabilityGeometryPointSize,
                   VUID_VkGraphicsPipelineCreateInfo_shaderTessellationAndGeometryPointSize_08776,
                   VUID_VkGraphicsPipelineCreateInfo_Geometry_07726);
    if (!p->evaluation || p->graphics->all_stages & VK_SHADER_STAGE_GEOMETRY_BIT)
        return false;
    return (has_mode(p->evaluation, SpvExecutionModePointMode) ||
            (p->control && has_mode(p->control, SpvExecutionModePointMode))) &&
           check_point_size(p, p->evaluation, SpvCapabilityTessellationPointSize,
                            VUID_VkGraphicsPipelineCreateInfo_TessellationEvaluation_07723,
                            VUID_VkGraphicsPipelineCreateInfo_TessellationEvaluation_07724);
}

/* --- rasterization ---------------------------------------------------------------------------- */

/* "points", "lines" or "triangles": what the last stage before rasterization makes; NULL if not
 * known. */
static const char *clip_space_topology(const struct stages_of_pipeline *p)
{
    const VkPipelineInputAssemblyStateCreateInfo *assembly = p->graphics->input_assembly;
    if (p->mesh || p->geometry) {
        const struct shader_stage *last = p->mesh ? p->mesh : p->geometry;
        return passes_through(last)                           ? NULL
               : has_mode(last, SpvExecutionModeOutputPoints) ? "points"
               : has_mode(last, SpvExecutionModeOutputLineStrip) ||
                       has_mode(last, SpvExecutionModeOutputLinesEXT)
                   ? "lines"
                   : "triangles";
    }
    if (p->evaluation && p->control)
        return has_mode(p->evaluation, SpvExecutionModePointMode) ||
                       has_mode(p->control, SpvExecutionModePointMode)
                   ? "points"
               : has_mode(p->evaluation, SpvExecutionModeIsolines) ||
                       has_mode(p->control, SpvExecutionModeIsolines)
                   ? "lines"
                   : "triangles";
    if (!p->vertex || p->evaluation || p->control || !assembly ||
        graphics_is_dynamic(p->graphics, DYNAMIC_PRIMITIVE_TOPOLOGY))
        return NULL;
    switch (assembly->topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return "points";
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return "lines";
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
        return NULL;
    default:
        return "triangles";
    }
}

/* If conservativePointAndLineRasterization is not supported and the effective rasterization input
 * topology is in line or point topology class, then conservativeRasterizationMode must be
 * VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT */
static bool check_conservative(const struct stages_of_pipeline *p)
{
    const VkPipelineRasterizationStateCreateInfo *rasterization = p->graphics->rasterization;
    const VkPhysicalDeviceConservativeRasterizationPropertiesEXT *properties =
        &p->call->device->extended.ConservativeRasterizationPropertiesEXT;
    const VkPipelineRasterizationConservativeStateCreateInfoEXT *conservative =
        rasterization ? CHAINED(rasterization->pNext,
                                PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT)
                      : NULL;
    struct subject s = {.call = p->call};
    if (!conservative || !properties->sType || properties->conservativePointAndLineRasterization ||
        !call_has_extension(p->call, EXTENSION_VK_EXT_conservative_rasterization) ||
        !p->graphics->rasterizes ||
        graphics_is_dynamic(p->graphics, DYNAMIC_CONSERVATIVE_RASTERIZATION_MODE_EXT) ||
        conservative->conservativeRasterizationMode ==
            VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT)
        return false;
    const char *topology = clip_space_topology(p);
    if (topology && topology[0] == 't') {
        const bool known = !graphics_is_dynamic(p->graphics, DYNAMIC_POLYGON_MODE_EXT);
        topology = known && rasterization->polygonMode == VK_POLYGON_MODE_LINE    ? "lines"
                   : known && rasterization->polygonMode == VK_POLYGON_MODE_POINT ? "points"
                                                                                  : NULL;
    }
    if (topology)
        BROKEN(&s, VUID_VkGraphicsPipelineCreateInfo_conservativePointAndLineRasterization_08892,
               &LOCATION(&LOCATION_CHAINED(&LOCATION_POINTER(p->where, "pRasterizationState"),
                                           "VkPipelineRasterizationConservativeStateCreateInfoEXT"),
                         "conservativeRasterizationMode"),
               "is %s, but the pipeline rasterizes %s, and conservativePointAndLineRasterization "
               "is VK_FALSE",
               TEXT_OF(VkConservativeRasterizationModeEXT,
                       conservative->conservativeRasterizationMode),
               topology);
    return s.skip;
}

/* primitiveFragmentShadingRateWithMultipleViewports is not supported: a stage that writes
 * PrimitiveShadingRateKHR must not also choose viewports, nor have several. */
static bool check_shading_rate(const struct stages_of_pipeline *p, const struct shader_stage *stage)
{
    const VkPhysicalDeviceFragmentShadingRatePropertiesKHR *properties =
        &p->call->device->extended.FragmentShadingRatePropertiesKHR;
    const VkPipelineViewportStateCreateInfo *viewport = p->graphics->viewport;
    struct subject s = {.call = p->call, .objects = STAGE_OBJECT(stage)};
    if (!properties->sType || properties->primitiveFragmentShadingRateWithMultipleViewports ||
        !is_written(builtin_output(stage, SpvBuiltInPrimitiveShadingRateKHR)))
        return false;
    if (viewport && viewport->viewportCount > 1 &&
        !graphics_is_dynamic(p->graphics, DYNAMIC_VIEWPORT_WITH_COUNT))
        BROKEN(
            &s,
            VUID_VkGraphicsPipelineCreateInfo_primitiveFragmentShadingRateWithMultipleViewports_04503,
            stage->where,
            "writes PrimitiveShadingRateKHR in a pipeline of %u viewports, and "
            "primitiveFragmentShadingRateWithMultipleViewports is VK_FALSE",
            viewport->viewportCount);
    else if (is_written(builtin_output(stage, SpvBuiltInViewportIndex)))
        BROKEN(
            &s,
            VUID_VkGraphicsPipelineCreateInfo_primitiveFragmentShadingRateWithMultipleViewports_04504,
            stage->where,
            "writes PrimitiveShadingRateKHR and ViewportIndex, and "
            "primitiveFragmentShadingRateWithMultipleViewports is VK_FALSE");
    else if (is_written(builtin_output(stage, SpvBuiltInViewportMaskNV)))
        BROKEN(
            &s,
            VUID_VkGraphicsPipelineCreateInfo_primitiveFragmentShadingRateWithMultipleViewports_04505,
            stage->where,
            "writes PrimitiveShadingRateKHR and ViewportMaskNV, and "
            "primitiveFragmentShadingRateWithMultipleViewports is VK_FALSE");
    return s.skip;
}

/* all variables in the output interface decorated with Position, PointSize, ClipDistance, or
 * CullDistance must be decorated with identical Stream values that match the rasterizationStream;
 * of stream zero, they may have no such decoration */
static bool check_stream(const struct stages_of_pipeline *p, const struct shader_stage *stage)
{
    static const uint32_t builtins[] = {SpvBuiltInPosition, SpvBuiltInPointSize,
                                        SpvBuiltInClipDistance, SpvBuiltInCullDistance};
    const VkPipelineRasterizationStateStreamCreateInfoEXT *given =
        p->graphics->rasterization ? CHAINED(p->graphics->rasterization->pNext,
                                             PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT)
                                   : NULL;
    const uint32_t stream = given ? given->rasterizationStream : 0;
    struct subject s = {.call = p->call, .objects = STAGE_OBJECT(stage)};
    if (!p->graphics->rasterization || !p->graphics->rasterizes ||
        graphics_is_dynamic(p->graphics, DYNAMIC_RASTERIZATION_STREAM_EXT))
        return false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(builtins) && !s.wrong; i++) {
        const struct spirv_interface *leaf = builtin_output(stage, builtins[i]);
        if (!leaf || !(leaf->access & SPIRV_ACCESS_USED) ||
            (leaf->flags & SPIRV_HAS_STREAM ? leaf->stream : 0) == stream)
            continue;
        BROKEN(&s,
               stream ? VUID_VkGraphicsPipelineCreateInfo_rasterizationStream_02319
                      : VUID_VkGraphicsPipelineCreateInfo_rasterizationStream_02320,
               stage->where, "has the built-in %s in stream %u, but rasterizationStream is %u",
               spirv_enumerant(SPIRV_KIND_BuiltIn, builtins[i])->name,
               leaf->flags & SPIRV_HAS_STREAM ? leaf->stream : 0, stream);
    }
    return s.skip;
}

/* True if the stage reads or writes the built-in output. `stage` is NULL if the pipeline does not
 * have it. */
static bool uses_output(const struct shader_stage *stage, uint32_t builtin)
{
    const struct spirv_interface *leaf = stage ? builtin_output(stage, builtin) : NULL;
    return leaf && leaf->access & SPIRV_ACCESS_USED;
}

/* The ViewportMaskNV and ViewportIndex decorations must not both be statically used by one or more
 * OpEntryPoint's that form the pre-rasterization shader stages of a graphics pipeline */
static bool check_viewport_mask(const struct stages_of_pipeline *p)
{
    const struct shader_stage *const stages[] = {p->vertex, p->control, p->evaluation, p->geometry,
                                                 p->mesh};
    const struct shader_stage *mask = NULL, *index = NULL;
    struct subject s = {.call = p->call};
    for (uint32_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        mask = uses_output(stages[i], SpvBuiltInViewportMaskNV) ? stages[i] : mask;
        index = uses_output(stages[i], SpvBuiltInViewportIndex) ? stages[i] : index;
    }
    if (mask && index)
        BROKEN_OF(&s, STAGE_OBJECTS(mask, index), VUID_StandaloneSpirv_ViewportMaskNV_04674,
                  p->where, "has %s that uses ViewportMaskNV, and %s that uses ViewportIndex",
                  shader_stage_name(mask->stage), shader_stage_name(index->stage));
    return s.skip;
}

/* --- the fragment shader ---------------------------------------------------------------------- */

/* Checks a fragment shader that declares EarlyFragmentTests: these tests must not write the
 * attachments that the shader reads. */
static bool check_early_tests(const struct stages_of_pipeline *p)
{
    const VkPipelineDepthStencilStateCreateInfo *state = p->graphics->depth_stencil;
    const struct location *at = &LOCATION_POINTER(p->where, "pDepthStencilState");
    struct subject s = {.call = p->call, .where = at, .objects = STAGE_OBJECT(p->fragment)};
    if (!state || !has_mode(p->fragment, SpvExecutionModeEarlyFragmentTests))
        return false;
    /* flags must not include RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS or ..._STENCIL_ACCESS */
    REQUIRE(
        &s, VUID_VkGraphicsPipelineCreateInfo_flags_06591,
        !(state->flags &
          (VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
           VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT)),
        "flags", "is %s, but the fragment shader has the execution mode EarlyFragmentTests",
        TEXT_OF(VkPipelineDepthStencilStateCreateFlags, state->flags));
    /* and uses OpDepthAttachmentReadEXT, depthWriteEnable must be VK_FALSE */
    if (p->fragment->entry->uses & SPIRV_USES_DEPTH_READ &&
        !graphics_is_dynamic(p->graphics, DYNAMIC_DEPTH_WRITE_ENABLE))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_08711, !state->depthWriteEnable,
                "depthWriteEnable",
                "is VK_TRUE, but the fragment shader has the execution mode EarlyFragmentTests "
                "and reads the depth attachment");
    /* and uses OpStencilAttachmentReadEXT, writeMask for both front and back must be 0 */
    if (p->fragment->entry->uses & SPIRV_USES_STENCIL_READ &&
        !graphics_is_dynamic(p->graphics, DYNAMIC_STENCIL_WRITE_MASK))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_08712,
                !state->front.writeMask && !state->back.writeMask,
                &LOCATION(&LOCATION(at, state->front.writeMask ? "front" : "back"), "writeMask"),
                "is %#x, but the fragment shader has the execution mode EarlyFragmentTests and "
                "reads the stencil attachment",
                state->front.writeMask ? state->front.writeMask : state->back.writeMask);
    return s.skip;
}

/* True if an output has the fourth component of location 0, index 0. */
static bool has_alpha(const struct shader_stage *fragment)
{
    for (uint32_t i = 0; i < fragment->entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &fragment->reflection->interfaces[fragment->entry->first_interface + i];
        if (leaf->storage == SpvStorageClassOutput && leaf->location == 0 &&
            (!(leaf->flags & SPIRV_HAS_INDEX) || leaf->index == 0) &&
            leaf->component + leaf->components > 3)
            return true;
    }
    return false;
}

/* Checks the fragment shader against the multisample state, which may be missing. */
static bool check_samples(const struct stages_of_pipeline *p)
{
    const VkPipelineMultisampleStateCreateInfo *state = p->graphics->multisample;
    const struct shader_stage *fragment = p->fragment;
    struct subject s = {.call = p->call,
                        .where = &LOCATION_POINTER(p->where, "pMultisampleState"),
                        .objects = STAGE_OBJECT(fragment)};
    if (!state)
        return false;
    /* alphaToCoverageEnable is not ignored and is VK_TRUE: the Fragment Output Interface must
     * contain a variable for the alpha Component word in Location 0 at Index 0 */
    if (state->alphaToCoverageEnable && p->graphics->own & PART_FRAGMENT_OUTPUT &&
        !graphics_is_dynamic(p->graphics, DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT) &&
        !fragment->entry->truncated)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_alphaToCoverageEnable_08891,
                has_alpha(fragment), "alphaToCoverageEnable",
                "is VK_TRUE, but the fragment shader has no output for the alpha component of "
                "location 0");
    const VkPipelineSampleLocationsStateCreateInfoEXT *locations =
        CHAINED(state->pNext, PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    /* sampleLocationsEnable is VK_TRUE: the fragment shader code must not statically use the
     * extended instruction InterpolateAtSample */
    if (locations && locations->sampleLocationsEnable &&
        !graphics_is_dynamic(p->graphics, DYNAMIC_SAMPLE_LOCATIONS_ENABLE_EXT))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_sampleLocationsEnable_01524,
                !(fragment->entry->uses & SPIRV_USES_INTERPOLATE_AT_SAMPLE),
                &LOCATION(&LOCATION_CHAINED(s.where, "VkPipelineSampleLocationsStateCreateInfoEXT"),
                          "sampleLocationsEnable"),
                "is VK_TRUE, but the fragment shader uses InterpolateAtSample");
    /* If sample shading is enabled and any of the OpColorAttachmentReadEXT,
     * OpDepthAttachmentReadEXT, or OpStencilAttachmentReadEXT operations are used, then
     * minSampleShading must be 1.0 */
    if (state->sampleShadingEnable &&
        fragment->entry->uses &
            (SPIRV_USES_COLOR_READ | SPIRV_USES_DEPTH_READ | SPIRV_USES_STENCIL_READ))
        REQUIRE(&s, VUID_RuntimeSpirv_minSampleShading_08732, !(state->minSampleShading < 1.0f),
                "minSampleShading",
                "is %g, but must be 1.0, as the fragment shader reads an attachment of its tile",
                (double)state->minSampleShading);
    return s.skip;
}

/* A part for a library that has the fragment shader, and not its output: pMultisampleState must be
 * a valid pointer if any variable in the Input storage class is decorated with Sample. (With its
 * output, 09026 asks for it, and with a render pass 06631.) */
static bool check_sample_state(const struct stages_of_pipeline *p)
{
    static const enum dynamic_state states[] = {DYNAMIC_RASTERIZATION_SAMPLES_EXT,
                                                DYNAMIC_SAMPLE_MASK_EXT,
                                                DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT};
    const struct shader_stage *fragment = p->fragment;
    struct subject s = {.call = p->call, .where = p->where, .objects = STAGE_OBJECT(fragment)};
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < ARRAY_LENGTH(states); i++)
        dynamic += graphics_is_dynamic(p->graphics, states[i]);
    if (p->graphics->own & PART_FRAGMENT_OUTPUT || p->graphics->info->pMultisampleState ||
        p->graphics->info->renderPass || dynamic == ARRAY_LENGTH(states))
        return false;
    for (uint32_t i = 0; i < fragment->entry->interface_count && !s.wrong; i++) {
        const struct spirv_interface *leaf =
            &fragment->reflection->interfaces[fragment->entry->first_interface + i];
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_Input_06632,
                leaf->storage != SpvStorageClassInput || !(leaf->flags & SPIRV_SAMPLE),
                "pMultisampleState",
                "is NULL, but the fragment shader has the input %s, which is "
                "decorated with Sample",
                shader_text(fragment, leaf->name));
    }
    return s.skip;
}

/* Checks the input attachments that the fragment shader reads against the subpass or dynamic
 * rendering. */
static bool check_input_attachments(const struct stages_of_pipeline *p)
{
    const struct shader_stage *fragment = p->fragment;
    const VkPipelineRenderingCreateInfo *rendering = p->graphics->rendering;
    struct subject s = {.call = p->call, .objects = STAGE_OBJECT(fragment)};
    const bool counted = rendering && p->graphics->own & PART_FRAGMENT_OUTPUT &&
                         subject_has(&s, FEATURE_dynamicRenderingLocalRead) &&
                         !CHAINED(p->graphics->info->pNext, RENDERING_INPUT_ATTACHMENT_INDEX_INFO);
    for (uint32_t i = 0; i < fragment->entry->binding_count && !s.wrong; i++) {
        const struct spirv_binding *binding =
            &fragment->reflection->bindings[fragment->entry->first_binding + i];
        const uint32_t index = binding->attachment;
        if (binding->resource != SPIRV_RESOURCE_INPUT_ATTACHMENT || index == SPIRV_NONE)
            continue;
        /* the fragment shader must not read from any input attachment that is defined as
         * VK_ATTACHMENT_UNUSED in subpass */
        if (p->subpass && index < p->subpass->input_count && !binding->arrayed &&
            binding->access & SPIRV_ACCESS_READ && !(binding->access & SPIRV_ACCESS_PASSED))
            REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06038,
                    p->subpass->inputs[index].attachment != VK_ATTACHMENT_UNUSED, fragment->where,
                    "reads the input attachment %s with the InputAttachmentIndex %u, which is "
                    "VK_ATTACHMENT_UNUSED in subpass %u",
                    shader_text(fragment, binding->name), index, p->graphics->info->subpass);
        /* renderPass is VK_NULL_HANDLE, and VkRenderingInputAttachmentIndexInfo is not included:
         * the fragment shader must not contain any input attachments with a InputAttachmentIndex
         * greater than or equal to VkPipelineRenderingCreateInfo::colorAttachmentCount */
        if (counted)
            REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_09652,
                    index < rendering->colorAttachmentCount, fragment->where,
                    "has the input attachment %s with the InputAttachmentIndex %u, but "
                    "VkPipelineRenderingCreateInfo::colorAttachmentCount is %u, and there is no "
                    "VkRenderingInputAttachmentIndexInfo",
                    shader_text(fragment, binding->name), index, rendering->colorAttachmentCount);
    }
    return s.skip;
}

/* Checks the fragment shader against the rest of the pipeline. True if the call is to be
 * skipped. */
static bool check_fragment(const struct stages_of_pipeline *p)
{
    const struct shader_stage *fragment = p->fragment;
    struct subject s = {.call = p->call, .objects = STAGE_OBJECT(fragment)};
    /* If the subpass description contains VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT, then the
     * SPIR-V fragment shader Capability SampleRateShading must not be enabled */
    REQUIRE(&s, VUID_RuntimeSpirv_SampleRateShading_06378,
            !p->subpass || !(p->subpass->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT) ||
                !spirv_has_capability(fragment->reflection, SpvCapabilitySampleRateShading),
            fragment->where,
            "declares the capability SampleRateShading, but subpass %u has "
            "VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT",
            p->graphics->info->subpass);
    const struct spirv_interface *primitive =
        p->mesh ? shader_builtin(fragment, SpvStorageClassInput, SpvBuiltInPrimitiveId) : NULL;
    /* the fragment shader code reads from an input variable that is decorated with PrimitiveId: the
     * mesh shader code must write to a matching output variable */
    if (primitive && primitive->access & SPIRV_ACCESS_READ &&
        !(primitive->access & SPIRV_ACCESS_PASSED) && !p->mesh->entry->truncated)
        REQUIRE_OF(&s, STAGE_OBJECTS(p->mesh, fragment),
                   VUID_VkGraphicsPipelineCreateInfo_PrimitiveId_06264,
                   may_be_written(builtin_output(p->mesh, SpvBuiltInPrimitiveId)), p->where,
                   "has a fragment shader that reads PrimitiveId, which its mesh shader does not "
                   "write");
    return s.skip | check_early_tests(p) | check_samples(p) | check_sample_state(p) |
           check_input_attachments(p);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The subpass that the pipeline is for, or NULL with dynamic rendering or if not known. */
static const struct subpass *subpass_of(const struct call *call,
                                        const struct graphics_info *graphics)
{
    const struct render_pass *pass =
        graphics->info->renderPass ? find_render_pass(call, graphics->info->renderPass) : NULL;
    return pass && graphics->info->subpass < pass->subpass_count
               ? &pass->subpasses[graphics->info->subpass]
               : NULL;
}

bool check_graphics_uses(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count)
{
    struct stages_of_pipeline p = {
        .call = call, .where = where, .graphics = graphics, .subpass = subpass_of(call, graphics)};
    const struct shader_stage *last = NULL; /* the last stage before rasterization */
    bool skip = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct shader_stage *stage = &stages[i];
        if (!stage->entry)
            return skip;
        if (stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT) {
            last = stage;
            skip |= check_shading_rate(&p, stage);
        }
        switch (stage->stage) {
        case VK_SHADER_STAGE_VERTEX_BIT:
            p.vertex = stage;
            break;
        case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
            p.control = stage;
            break;
        case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
            p.evaluation = stage;
            break;
        case VK_SHADER_STAGE_GEOMETRY_BIT:
            p.geometry = stage;
            break;
        case VK_SHADER_STAGE_MESH_BIT_EXT:
            p.mesh = stage;
            break;
        case VK_SHADER_STAGE_FRAGMENT_BIT:
            p.fragment = stage;
            break;
        default:
            break;
        }
    }
    if (last)
        skip |= check_points(&p) | check_conservative(&p) | check_viewport_mask(&p);
    if (p.geometry)
        skip |= check_stream(&p, p.geometry);
    if (p.fragment)
        skip |= check_fragment(&p);
    return skip;
}
