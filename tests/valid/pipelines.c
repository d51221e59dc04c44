/* Graphics pipelines in one piece, of libraries, or shader objects, with any of the states dynamic.
 * Structures are left out where they may be, and pointers lead nowhere where they are ignored. */
#include "pipelines.h"

/* --- making --- */

struct making {
    struct world *w;
    struct pipe *pipe;
    struct values values;
    uint32_t stage_count;
    VkPipelineShaderStageCreateInfo stages[5];
    unsigned shaders[5];
    const VkPipelineDepthStencilStateCreateInfo *depth;
    VkGraphicsPipelineCreateInfo info;
};

static VkShaderStageFlagBits stage_of(enum shader shader)
{
    switch (shader) {
    case SHADER_control_tesc:
        return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case SHADER_evaluate_tese:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case SHADER_points_geom:
        return VK_SHADER_STAGE_GEOMETRY_BIT;
    case SHADER_mesh_mesh:
        return VK_SHADER_STAGE_MESH_BIT_EXT;
    case SHADER_task_task:
        return VK_SHADER_STAGE_TASK_BIT_EXT;
    case SHADER_plain_frag:
    case SHADER_two_frag:
    case SHADER_depth_frag:
    case SHADER_input_frag:
    case SHADER_empty_frag:
    case SHADER_textured_frag:
        return VK_SHADER_STAGE_FRAGMENT_BIT;
    default:
        return VK_SHADER_STAGE_VERTEX_BIT;
    }
}

static void add_stage(struct making *m, enum shader shader)
{
    m->shaders[m->stage_count++] = shader;
}

/* A module, or its code in the chain. */
static void make_stages(struct making *m)
{
    struct world *w = m->w;
    for (uint32_t i = 0; i < m->stage_count; i++) {
        VkPipelineShaderStageCreateInfo *stage = &m->stages[i];
        *stage = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stage_of(m->shaders[i]),
            .pName = "main"};
        if ((ON(graphicsPipelineLibrary) || ON(maintenance5)) && chance(w, 40))
            CHAIN(stage->pNext, VkShaderModuleCreateInfo,
                  VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                  .codeSize = shader_codes[m->shaders[i]].size,
                  .pCode = shader_codes[m->shaders[i]].words);
        else
            stage->module = make_module(w, m->shaders[i]);
        if (chance(w, 10)) {
            VkSpecializationInfo *none =
                NEW(VkSpecializationInfo, .pMapEntries = IGNORED, .pData = IGNORED);
            stage->pSpecializationInfo = none;
        }
    }
}

static void choose_shaders(struct making *m)
{
    struct world *w = m->w;
    struct pipe *pipe = m->pipe;
    const struct target *target = pipe->target;
    enum geometry geometry =
        PICK(GEOMETRY_VERTICES, GEOMETRY_VERTICES, GEOMETRY_INPUTS, GEOMETRY_TESSELLATION,
             GEOMETRY_GEOMETRY, GEOMETRY_MESH, GEOMETRY_PUSH);
    bool views = target->view_mask != 0;
    if ((geometry == GEOMETRY_TESSELLATION &&
         (!ON(tessellationShader) || (views && !ON(multiviewTessellationShader)))) ||
        (geometry == GEOMETRY_GEOMETRY &&
         (!ON(geometryShader) || (views && !ON(multiviewGeometryShader)))) ||
        (geometry == GEOMETRY_MESH &&
         (!ON(MeshShaderFeaturesEXT_meshShader) || views || !VERSION(12))))
        geometry = GEOMETRY_VERTICES;
    if (target->input && geometry == GEOMETRY_PUSH)
        geometry = GEOMETRY_VERTICES;
    pipe->geometry = geometry;
    m->values.topology =
        PICK(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
             VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    switch (geometry) {
    case GEOMETRY_VERTICES:
        add_stage(m, SHADER_plain_vert);
        break;
    case GEOMETRY_PUSH:
        add_stage(m, SHADER_push_vert);
        break;
    case GEOMETRY_INPUTS:
        add_stage(m, SHADER_inputs_vert);
        break;
    case GEOMETRY_TESSELLATION:
        m->values.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        add_stage(m, SHADER_plain_vert);
        add_stage(m, SHADER_control_tesc);
        add_stage(m, SHADER_evaluate_tese);
        break;
    case GEOMETRY_GEOMETRY:
        m->values.topology =
            PICK(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
        add_stage(m, SHADER_plain_vert);
        add_stage(m, SHADER_points_geom);
        break;
    case GEOMETRY_MESH:
        pipe->task = ON(MeshShaderFeaturesEXT_taskShader) && chance(w, 50);
        if (pipe->task)
            add_stage(m, SHADER_task_task);
        add_stage(m, SHADER_mesh_mesh);
        break;
    }
    pipe->topology = m->values.topology;
    m->values.discard = chance(w, 10);
    bool no_fragment = m->values.discard || (target->color_count == 0 && chance(w, 40));
    if (no_fragment)
        return;
    if (target->input)
        add_stage(m, SHADER_input_frag);
    else if (target->color_count == 0)
        add_stage(m, target->depth && !target->read_only_depth
                         ? (enum shader)PICK(SHADER_depth_frag, SHADER_empty_frag)
                         : SHADER_empty_frag);
    else if (geometry != GEOMETRY_PUSH && chance(w, 25))
        add_stage(m, SHADER_textured_frag), pipe->textured = true;
    else
        add_stage(m, target->color_count > 1 ? SHADER_two_frag : SHADER_plain_frag);
}

static void choose_values(struct making *m)
{
    struct world *w = m->w;
    struct values *v = &m->values;
    const struct target *target = m->pipe->target;
    bool has_depth = target->depth && target->depth->aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
    bool has_stencil = target->depth && target->depth->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    bool blendable = true;
    for (uint32_t i = 0; i < target->color_count; i++)
        blendable &= !target->colors[i] ||
                     (format_features(w, target->colors[i]->format, VK_IMAGE_TILING_OPTIMAL) &
                      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
    v->patch = 3;
    v->blend = blendable && chance(w, 50);
    v->color_mask = PICK(0xfu, 0x7u, 0u);
    v->depth_test = has_depth && chance(w, 60);
    v->depth_write = has_depth && !target->read_only_depth && chance(w, 60);
    v->bounds_test = has_depth && ON(depthBounds) && chance(w, 20);
    v->stencil_test = has_stencil && !target->read_only_depth && chance(w, 50);
    bool writes = m->shaders[m->stage_count - 1] == SHADER_plain_frag ||
                  m->shaders[m->stage_count - 1] == SHADER_two_frag;
    v->logic = ON(logicOp) && chance(w, 20);
    v->bias = chance(w, 20);
    v->clamp = ON(depthClamp) && chance(w, 20);
    v->to_coverage = writes && target->color_count && target->colors[0] && chance(w, 20);
    v->polygon = ON(fillModeNonSolid) && chance(w, 20)
                     ? PICK(VK_POLYGON_MODE_LINE,
                            ON(maintenance5) ? VK_POLYGON_MODE_POINT : VK_POLYGON_MODE_LINE)
                     : VK_POLYGON_MODE_FILL;
    v->sample_mask = PICK(~0u, 5u, 0u);
}

static void choose_dynamic(struct making *m)
{
    struct world *w = m->w;
    struct pipe *pipe = m->pipe;
    uint32_t share = PICK(0u, 10u, 50u, 90u, 100u);
    for (unsigned i = 0; i < STATE_COUNT; i++) {
        if (state_there(w, (enum state)i, false) && chance(w, share))
            pipe->dynamic |= 1ull << i;
    }
    if (pipe->dynamic & STATE(VIEWPORTS))
        pipe->dynamic &= ~STATE(VIEWPORT);
    if (pipe->dynamic & STATE(SCISSORS))
        pipe->dynamic &= ~STATE(SCISSOR);
    if (pipe->dynamic & STATE(VERTEX_INPUT) && pipe->dynamic & STATE(STRIDE))
        pipe->dynamic &= chance(w, 50) ? ~STATE(STRIDE) : ~0ull;
    if (!(pipe->dynamic & STATE(OVERESTIMATION)))
        pipe->dynamic &= ~STATE(CONSERVATIVE);
    if (pipe->geometry != GEOMETRY_INPUTS)
        pipe->dynamic &= ~STATE(STRIDE); /* nothing would set it */
    if (pipe->geometry == GEOMETRY_MESH)
        pipe->dynamic &= ~(STATE(TOPOLOGY) | STATE(RESTART) | STATE(STRIDE) | STATE(VERTEX_INPUT) |
                           STATE(PATCH));
    if (!m->stage_count || pipe->geometry != GEOMETRY_TESSELLATION)
        pipe->dynamic &= ~(STATE(PATCH) | STATE(ORIGIN));
}

#define IS_DYNAMIC(state_) ((pipe->dynamic & STATE(state_)) != 0)

static void *sometimes_null(struct world *w, void *structure, bool may_be)
{
    return may_be && chance(w, 50) ? NULL : structure;
}

static bool all_dynamic(const struct pipe *pipe, uint64_t states)
{
    return (pipe->dynamic & states) == states;
}

/* --- what may be chained to the states --- */

static void chain_rasterization(struct world *w, VkPipelineRasterizationStateCreateInfo *info)
{
    VkPhysicalDeviceProvokingVertexPropertiesEXT vertex = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT};
    bool lines = VERSION(14) || HAS(EXT_line_rasterization) || HAS(KHR_line_rasterization);
    if (lines && chance(w, 20))
        CHAIN(info->pNext, VkPipelineRasterizationLineStateCreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO,
              .lineRasterizationMode = ON(rectangularLines)
                                           ? PICK(VK_LINE_RASTERIZATION_MODE_RECTANGULAR,
                                                  VK_LINE_RASTERIZATION_MODE_DEFAULT)
                                           : VK_LINE_RASTERIZATION_MODE_DEFAULT,
              .lineStippleFactor = PICK(0u, 999u)); /* ignored: there is no stipple */
    if (HAS(EXT_provoking_vertex) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineRasterizationProvokingVertexStateCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
              .provokingVertexMode = ON(provokingVertexLast) && properties_of(w, &vertex) &&
                                             vertex.provokingVertexModePerPipeline && chance(w, 50)
                                         ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                         : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    if (ON(depthClipEnable) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineRasterizationDepthClipStateCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
              .depthClipEnable = chance(w, 50));
    if (HAS(EXT_conservative_rasterization) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineRasterizationConservativeStateCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
              .conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
    if (ON(depthBiasControl) && chance(w, 20))
        CHAIN(info->pNext, VkDepthBiasRepresentationInfoEXT,
              VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT,
              .depthBiasRepresentation =
                  VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORMAT_EXT);
}

static void chain_viewports(struct world *w, VkPipelineViewportStateCreateInfo *info)
{
    if (ON(depthClipControl) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineViewportDepthClipControlCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
              .negativeOneToOne = chance(w, 50));
    if (ON(depthClampControl) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineViewportDepthClampControlCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
              .depthClampMode = VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, .pDepthClampRange = NULL);
}

static void chain_blend(struct world *w, VkPipelineColorBlendStateCreateInfo *info)
{
    static const VkBool32 enables[COLORS_MOST] = {VK_TRUE, VK_FALSE, VK_TRUE};
    if (ON(colorWriteEnable) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineColorWriteCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
              .attachmentCount = info->attachmentCount,
              .pColorWriteEnables = info->attachmentCount ? enables : IGNORED);
    if (HAS(EXT_blend_operation_advanced) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineColorBlendAdvancedStateCreateInfoEXT,
              VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT,
              .srcPremultiplied = VK_TRUE, .dstPremultiplied = VK_TRUE,
              .blendOverlap = VK_BLEND_OVERLAP_UNCORRELATED_EXT);
}

/* Any factors but those of a second source, and any of the basic operations. */
static VkPipelineColorBlendAttachmentState any_blend(struct world *w, const struct values *v)
{
    VkBlendFactor last = VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
    return (VkPipelineColorBlendAttachmentState){v->blend,
                                                 (VkBlendFactor)below(w, last + 1),
                                                 (VkBlendFactor)below(w, last + 1),
                                                 (VkBlendOp)below(w, VK_BLEND_OP_MAX + 1),
                                                 (VkBlendFactor)below(w, last + 1),
                                                 (VkBlendFactor)below(w, last + 1),
                                                 (VkBlendOp)below(w, VK_BLEND_OP_MAX + 1),
                                                 v->color_mask};
}

/* Where samples lie: only what writes depth would depend on it. */
static void chain_locations(struct world *w, VkPipelineMultisampleStateCreateInfo *info)
{
    VkPhysicalDeviceSampleLocationsPropertiesEXT can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT};
    if (!properties_of(w, &can) || !(can.sampleLocationSampleCounts & info->rasterizationSamples))
        return;
    VkSampleLocationEXT *places = NEW_ARRAY(VkSampleLocationEXT, 16);
    CHAIN(info->pNext, VkPipelineSampleLocationsStateCreateInfoEXT,
          VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
          .sampleLocationsEnable = chance(w, 50),
          .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                  .sampleLocationsPerPixel = info->rasterizationSamples,
                                  .sampleLocationGridSize = {1, 1},
                                  .sampleLocationsCount = info->rasterizationSamples,
                                  .pSampleLocations = places});
}

/* Chains to a pipeline in one piece: how its making went, and what its accesses may do. */
static void chain_whole(struct world *w, VkGraphicsPipelineCreateInfo *info,
                        const struct pipe *pipe)
{
    if (rates_there(w) && chance(w, 40))
        info->pNext = chain_rate(w, info->pNext, (pipe->dynamic & STATE(RATE)) != 0);
    if (has_either(w, 13, EXTENSION_EXT_pipeline_creation_feedback) && chance(w, 20)) {
        VkPipelineCreationFeedback *feedbacks = NEW_ARRAY(VkPipelineCreationFeedback, 8);
        uint32_t count = PICK(0u, info->stageCount);
        CHAIN(info->pNext, VkPipelineCreationFeedbackCreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
              .pPipelineCreationFeedback = &feedbacks[0],
              .pipelineStageCreationFeedbackCount = count,
              .pPipelineStageCreationFeedbacks = count ? &feedbacks[1] : IGNORED);
    }
    if (ON(pipelineRobustness) && chance(w, 20))
        CHAIN(info->pNext, VkPipelineRobustnessCreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
              .storageBuffers = PICK(VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT,
                                     VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS),
              .vertexInputs = PICK(VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
                                   VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS));
}

/* All of the structures, each with what is dynamic left to chance. */
static void make_structures(struct making *m)
{
    struct world *w = m->w;
    struct pipe *pipe = m->pipe;
    const struct target *target = pipe->target;
    const struct values *v = &m->values;
    bool third = HAS(EXT_extended_dynamic_state3);
    VkGraphicsPipelineCreateInfo *info = &m->info;
    bool inputs = pipe->geometry == GEOMETRY_INPUTS, mesh = pipe->geometry == GEOMETRY_MESH;

    VkVertexInputBindingDescription *bindings = NEW_ARRAY(VkVertexInputBindingDescription, 2);
    bindings[0] = (VkVertexInputBindingDescription){1, IS_DYNAMIC(STRIDE) ? PICK(0u, 16u) : 16,
                                                    VK_VERTEX_INPUT_RATE_VERTEX};
    bindings[1] = (VkVertexInputBindingDescription){0, 8, VK_VERTEX_INPUT_RATE_INSTANCE};
    VkVertexInputAttributeDescription *attributes = NEW_ARRAY(VkVertexInputAttributeDescription, 2);
    attributes[0] = (VkVertexInputAttributeDescription){0, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    attributes[1] = (VkVertexInputAttributeDescription){2, 0, VK_FORMAT_R32G32_UINT, 0};
    info->pVertexInputState =
        NEW(VkPipelineVertexInputStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
            .vertexBindingDescriptionCount = inputs ? 2 : 0,
            .pVertexBindingDescriptions = inputs ? bindings : IGNORED,
            .vertexAttributeDescriptionCount = inputs ? 2 : 0,
            .pVertexAttributeDescriptions = inputs ? attributes : IGNORED);
    if (mesh || IS_DYNAMIC(VERTEX_INPUT))
        info->pVertexInputState =
            mesh ? IGNORED : sometimes_null(w, (void *)(uintptr_t)info->pVertexInputState, true);

    VkPhysicalDeviceExtendedDynamicState3PropertiesEXT third_properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT};
    if (third && w->instance_version >= 11 && VERSION(11)) {
        VkPhysicalDeviceProperties2 properties = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &third_properties};
        OUTER(vkGetPhysicalDeviceProperties2, w->physical_device, &properties);
    }
    info->pInputAssemblyState =
        sometimes_null(w,
                       NEW(VkPipelineInputAssemblyStateCreateInfo,
                           .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                           .topology = v->topology),
                       third && all_dynamic(pipe, STATE(RESTART) | STATE(TOPOLOGY)) &&
                           third_properties.dynamicPrimitiveTopologyUnrestricted);
    if (mesh)
        info->pInputAssemblyState = IGNORED;

    VkPipelineTessellationStateCreateInfo *tessellation =
        NEW(VkPipelineTessellationStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
            .patchControlPoints = v->patch);
    if (has_either(w, 11, EXTENSION_KHR_maintenance2) && chance(w, 30))
        CHAIN(tessellation->pNext, VkPipelineTessellationDomainOriginStateCreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
              .domainOrigin = PICK(VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT,
                                   VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT));
    info->pTessellationState = pipe->geometry == GEOMETRY_TESSELLATION
                                   ? sometimes_null(w, tessellation, third && IS_DYNAMIC(PATCH))
                                   : NULL;

    VkViewport *viewport = NEW_ARRAY(VkViewport, VIEWPORTS_MOST);
    VkRect2D *scissor = NEW_ARRAY(VkRect2D, VIEWPORTS_MOST);
    for (uint32_t i = 0; i < VIEWPORTS_MOST; i++) {
        viewport[i] = (VkViewport){0, 0, (float)target->width, (float)target->height, 0, 1};
        scissor[i] = (VkRect2D){{0, 0}, {target->width, target->height}};
    }
    uint32_t viewports_wanted = viewport_count(w, target);
    VkPipelineViewportStateCreateInfo *viewports =
        NEW(VkPipelineViewportStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
            .viewportCount = IS_DYNAMIC(VIEWPORTS) ? 0 : viewports_wanted,
            .pViewports = IS_DYNAMIC(VIEWPORT) || IS_DYNAMIC(VIEWPORTS) ? IGNORED : viewport,
            .scissorCount = IS_DYNAMIC(SCISSORS) ? 0 : viewports_wanted,
            .pScissors = IS_DYNAMIC(SCISSOR) || IS_DYNAMIC(SCISSORS) ? IGNORED : scissor);
    chain_viewports(w, viewports);
    bool discards = v->discard && !IS_DYNAMIC(DISCARD);
    info->pViewportState =
        sometimes_null(w, viewports,
                       discards ||
                           (third && all_dynamic(pipe, STATE(VIEWPORTS) | STATE(SCISSORS))));

    VkPipelineRasterizationStateCreateInfo *rasterization =
        NEW(VkPipelineRasterizationStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
            .depthClampEnable = v->clamp, .rasterizerDiscardEnable = v->discard,
            .polygonMode = v->polygon, .cullMode = VK_CULL_MODE_NONE, .depthBiasEnable = v->bias,
            .lineWidth = IS_DYNAMIC(LINE_WIDTH) ? 77.0f : 1.0f);
    chain_rasterization(w, rasterization);
    info->pRasterizationState =
        sometimes_null(w, rasterization,
                       third && all_dynamic(pipe, STATE(CLAMP) | STATE(DISCARD) | STATE(POLYGON) |
                                                      STATE(CULL_MODE) | STATE(FRONT_FACE) |
                                                      STATE(BIAS_ENABLE) | STATE(DEPTH_BIAS) |
                                                      STATE(LINE_WIDTH)));

    VkSampleMask *mask = NEW(VkSampleMask, ~0u);
    VkPipelineMultisampleStateCreateInfo *samples =
        NEW(VkPipelineMultisampleStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
            .rasterizationSamples = target->samples, .alphaToCoverageEnable = v->to_coverage,
            .sampleShadingEnable = ON(sampleRateShading) && chance(w, 20),
            .minSampleShading = PICK(0.0f, 0.5f, 1.0f),
            .pSampleMask = IS_DYNAMIC(SAMPLE_MASK) ? IGNORED
                           : chance(w, 50)         ? mask
                                                   : NULL);
    if (HAS(EXT_sample_locations) && !target->depth && chance(w, 20))
        chain_locations(w, samples);
    info->pMultisampleState =
        sometimes_null(w, samples,
                       third &&
                           all_dynamic(pipe,
                                       STATE(SAMPLES) | STATE(SAMPLE_MASK) | STATE(TO_COVERAGE)) &&
                           (!ON(alphaToOne) || IS_DYNAMIC(TO_ONE)));

    VkPipelineDepthStencilStateCreateInfo *depth =
        NEW(VkPipelineDepthStencilStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
            .depthTestEnable = v->depth_test, .depthWriteEnable = v->depth_write,
            .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL, .depthBoundsTestEnable = v->bounds_test,
            .stencilTestEnable = v->stencil_test, .front = stencil_state, .back = stencil_state,
            .maxDepthBounds = 1.0f);
    bool all_depth =
        third && all_dynamic(pipe, STATE(DEPTH_TEST) | STATE(DEPTH_WRITE) | STATE(DEPTH_COMPARE) |
                                       STATE(BOUNDS_TEST) | STATE(STENCIL_TEST) |
                                       STATE(STENCIL_OP) | STATE(DEPTH_BOUNDS));
    m->depth = depth;
    info->pDepthStencilState = sometimes_null(w, depth, !target->depth || all_depth);

    VkPipelineColorBlendAttachmentState *blends =
        NEW_ARRAY(VkPipelineColorBlendAttachmentState, COLORS_MOST);
    for (unsigned i = 0; i < COLORS_MOST; i++)
        blends[i] = i && !ON(independentBlend) ? blends[0] : any_blend(w, v);
    VkPipelineColorBlendStateCreateInfo *blend =
        NEW(VkPipelineColorBlendStateCreateInfo,
            .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
            .logicOpEnable = v->logic,
            .logicOp =
                !v->logic && (IS_DYNAMIC(LOGIC_OP) || (!IS_DYNAMIC(LOGIC_ENABLE) && chance(w, 30)))
                    ? (VkLogicOp)77
                    : VK_LOGIC_OP_COPY,
            .attachmentCount = target->color_count,
            .pAttachments = target->color_count ? blends : IGNORED);
    chain_blend(w, blend);
    bool all_blend = third && all_dynamic(pipe, STATE(LOGIC_ENABLE) | STATE(LOGIC_OP) |
                                                    STATE(BLEND_ENABLE) | STATE(BLEND_EQUATION) |
                                                    STATE(COLOR_MASK) | STATE(BLEND_CONSTANTS));
    info->pColorBlendState = sometimes_null(w, blend, target->color_count == 0 || all_blend);
    if (discards) {
        info->pMultisampleState = IGNORED;
        info->pDepthStencilState = IGNORED;
        info->pColorBlendState = IGNORED;
    }
}

static VkPipelineRenderingCreateInfo *rendering_info(struct world *w, const struct target *target)
{
    VkFormat *formats_of = NEW_ARRAY(VkFormat, COLORS_MOST);
    for (uint32_t i = 0; i < target->color_count; i++)
        formats_of[i] = target->colors[i] ? target->colors[i]->format : VK_FORMAT_UNDEFINED;
    VkImageAspectFlags aspects = target->depth ? target->depth->aspects : 0;
    return NEW(VkPipelineRenderingCreateInfo,
               .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
               .viewMask = target->view_mask, .colorAttachmentCount = target->color_count,
               .pColorAttachmentFormats = target->color_count ? formats_of : IGNORED,
               .depthAttachmentFormat = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? target->depth->format
                                                                            : VK_FORMAT_UNDEFINED,
               .stencilAttachmentFormat = aspects & VK_IMAGE_ASPECT_STENCIL_BIT
                                              ? target->depth->format
                                              : VK_FORMAT_UNDEFINED);
}

static VkPipelineDynamicStateCreateInfo *dynamic_info(struct world *w, uint64_t states)
{
    VkDynamicState *list = NEW_ARRAY(VkDynamicState, STATE_COUNT);
    uint32_t count = 0;
    for (unsigned i = 0; i < STATE_COUNT; i++) {
        if ((states >> i) & 1)
            list[count++] = vk_states[i];
    }
    if (!count && chance(w, 50))
        return NULL;
    return NEW(VkPipelineDynamicStateCreateInfo,
               .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
               .dynamicStateCount = count, .pDynamicStates = count ? list : IGNORED);
}

/* The flags where they are, or in the structure that replaces them. */
static void set_flags(struct world *w, VkGraphicsPipelineCreateInfo *info,
                      const struct target *target, VkPipelineCreateFlags flags)
{
    if (target->rates && !target->pass)
        flags |= VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
    if (target->dense && !target->pass)
        flags |= VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
    info->flags = flags;
    if (ON(maintenance5) && chance(w, 40)) {
        info->flags = PICK(0u, 0x7fffffffu);
        CHAIN(info->pNext, VkPipelineCreateFlags2CreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags);
    }
}

static void add_rest(struct making *m, VkGraphicsPipelineCreateInfo *info)
{
    struct world *w = m->w;
    const struct target *target = m->pipe->target;
    info->renderPass = target->pass;
    /* ignored without a render pass, but the same in all libraries */
    info->subpass = target->subpass;
    info->basePipelineHandle = chance(w, 20) ? (VkPipeline)(uintptr_t)0xdead0001 : VK_NULL_HANDLE;
    info->basePipelineIndex = PICK(-1, 0, 77);
    if (target->locations)
        CHAIN(info->pNext, VkRenderingAttachmentLocationInfo,
              VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
              .colorAttachmentCount = target->color_count,
              .pColorAttachmentLocations = target->locations);
    if (target->inputs)
        CHAIN(info->pNext, VkRenderingInputAttachmentIndexInfo,
              VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
              .colorAttachmentCount = target->color_count,
              .pColorAttachmentInputIndices = target->inputs);
    if (!target->pass) {
        VkPipelineRenderingCreateInfo *rendering = rendering_info(w, target);
        rendering->pNext = info->pNext;
        info->pNext = rendering;
    }
}

static VkPipeline make_whole(struct making *m)
{
    struct world *w = m->w;
    VkPipeline pipeline = VK_NULL_HANDLE;
    m->info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    m->info.stageCount = m->stage_count;
    m->info.pStages = m->stages;
    m->info.layout = m->pipe->layout;
    m->info.pDynamicState = dynamic_info(w, m->pipe->dynamic);
    chain_whole(w, &m->info, m->pipe);
    add_rest(m, &m->info);
    set_flags(w, &m->info, m->pipe->target,
              PICK(0u, VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT,
                   VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT));
    MUST(CreateGraphicsPipelines, w->device, VK_NULL_HANDLE, 1, &m->info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    return pipeline;
}

#define INPUT_STATES (STATE(TOPOLOGY) | STATE(RESTART) | STATE(VERTEX_INPUT) | STATE(STRIDE))
#define FRAGMENT_STATES                                                                   \
    (STATE(DEPTH_BOUNDS) | STATE(COMPARE_MASK) | STATE(WRITE_MASK) | STATE(REFERENCE) |   \
     STATE(DEPTH_TEST) | STATE(DEPTH_WRITE) | STATE(DEPTH_COMPARE) | STATE(BOUNDS_TEST) | \
     STATE(STENCIL_TEST) | STATE(STENCIL_OP))
#define OUTPUT_STATES                                                                      \
    (STATE(BLEND_CONSTANTS) | STATE(LOGIC_OP) | STATE(LOGIC_ENABLE) | STATE(COLOR_WRITE) | \
     STATE(BLEND_ENABLE) | STATE(BLEND_EQUATION) | STATE(COLOR_MASK) | STATE(FEEDBACK))
/* The states of the fragment shader and the output. */
#define SAMPLE_STATES                                                           \
    (STATE(SAMPLES) | STATE(SAMPLE_MASK) | STATE(TO_COVERAGE) | STATE(TO_ONE) | \
     STATE(LOCATIONS_ENABLE))

/* Makes libraries with one or several of the parts each, and links them. */
static VkPipeline make_linked(struct making *m)
{
    struct world *w = m->w;
    struct pipe *pipe = m->pipe;
    static const VkGraphicsPipelineLibraryFlagBitsEXT parts[] = {
        VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
    bool mesh = pipe->geometry == GEOMETRY_MESH;
    bool discards = m->values.discard && !IS_DYNAMIC(DISCARD);
    bool retain = chance(w, 40);
    VkPipeline libraries[4];
    uint32_t count = 0;
    for (unsigned i = mesh ? 1 : 0; i < 4;) {
        VkGraphicsPipelineLibraryFlagsEXT flags = 0;
        do
            flags |= (VkGraphicsPipelineLibraryFlagsEXT)parts[i++];
        while ((i < 3 || (count && i < 4)) && chance(w, 30)); /* all in one would be no library */
        VkGraphicsPipelineLibraryFlagsEXT rest =
            VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
            VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
        if (discards && !(flags & ~rest))
            continue;
        VkGraphicsPipelineCreateInfo info = m->info;
        info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
        bool vertex = flags & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
        bool raster = flags & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
        bool fragment = flags & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
        bool output = flags & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
        uint64_t states = 0;
        VkPipelineShaderStageCreateInfo *stages = NEW_ARRAY(VkPipelineShaderStageCreateInfo, 5);
        for (uint32_t j = 0; j < m->stage_count; j++) {
            if (m->stages[j].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? fragment : raster)
                stages[info.stageCount++] = m->stages[j];
        }
        info.pStages = info.stageCount ? stages : IGNORED;
        info.layout = raster || fragment ? pipe->layout : VK_NULL_HANDLE;
        if (vertex) {
            states |= INPUT_STATES;
        } else {
            info.pVertexInputState = IGNORED;
            info.pInputAssemblyState = IGNORED;
        }
        if (raster) {
            states |= ~(INPUT_STATES | FRAGMENT_STATES | OUTPUT_STATES | SAMPLE_STATES);
        } else {
            info.pTessellationState = NULL;
            info.pViewportState = NULL;
            info.pRasterizationState = NULL;
        }
        if (fragment)
            states |= FRAGMENT_STATES | SAMPLE_STATES | STATE(RATE);
        else
            info.pDepthStencilState = NULL;
        if (fragment && !output && !info.pDepthStencilState)
            /* whether there is such an attachment, the library cannot know */
            info.pDepthStencilState = m->depth;
        if (output)
            states |= OUTPUT_STATES | SAMPLE_STATES;
        else
            info.pColorBlendState = NULL;
        if (!fragment && !output)
            info.pMultisampleState = NULL;
        info.pDynamicState = dynamic_info(w, pipe->dynamic & states);
        CHAIN(info.pNext, VkGraphicsPipelineLibraryCreateInfoEXT,
              VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = flags);
        if (raster || fragment || output)
            add_rest(m, &info);
        set_flags(w, &info, pipe->target,
                  VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                      (retain ? VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0));
        note(w, "library of parts %x", flags);
        MUST(CreateGraphicsPipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &libraries[count]);
        OWN(Pipeline, libraries[count++]);
    }
    if (discards) /* of the parts that are not there, nothing is dynamic */
        pipe->dynamic &= ~(FRAGMENT_STATES | OUTPUT_STATES | SAMPLE_STATES);
    VkPipelineLibraryCreateInfoKHR link = {.sType =
                                               VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                           .libraryCount = count,
                                           .pLibraries = libraries};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &link,
                                         .layout = pipe->layout,
                                         .basePipelineIndex = -1};
    set_flags(w, &info, pipe->target,
              retain && chance(w, 50) ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0);
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateGraphicsPipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    return pipeline;
}

/* Made again, of what the driver compiled. */
static void replace_objects(struct making *m, VkShaderCreateInfoEXT *infos, bool linked)
{
    struct world *w = m->w;
    VkShaderEXT again[5] = {VK_NULL_HANDLE};
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < m->stage_count; i++) {
        size_t size = 0;
        MUST(GetShaderBinaryDataEXT, w->device, m->pipe->shaders[i], &size, NULL);
        if (!size || size > (size_t)1 << 19)
            return;
        void *data = temporary(w, size);
        MUST(GetShaderBinaryDataEXT, w->device, m->pipe->shaders[i], &size, data);
        infos[i].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
        infos[i].codeSize = size;
        infos[i].pCode = data;
    }
    if (linked) {
        result = CALL(CreateShadersEXT, w->device, m->stage_count, infos, NULL, again);
    } else {
        for (uint32_t i = 0; i < m->stage_count && result == VK_SUCCESS; i++)
            result = CALL(CreateShadersEXT, w->device, 1, &infos[i], NULL, &again[i]);
    }
    for (uint32_t i = 0; i < m->stage_count; i++) {
        if (again[i])
            OWN(ShaderEXT, again[i]);
        if (result == VK_SUCCESS)
            m->pipe->shaders[i] = again[i];
    }
}

/* Shader objects, linked or not. */
static void make_objects(struct making *m, const VkPushConstantRange *range)
{
    struct world *w = m->w;
    struct pipe *pipe = m->pipe;
    VkShaderCreateInfoEXT infos[5];
    bool linked = m->stage_count > 1 && chance(w, 50);
    for (uint32_t i = 0; i < m->stage_count; i++) {
        VkShaderStageFlags next = i + 1 < m->stage_count ? stage_of(m->shaders[i + 1]) : 0;
        VkShaderStageFlagBits stage = stage_of(m->shaders[i]);
        if (!next && stage != VK_SHADER_STAGE_FRAGMENT_BIT && chance(w, 50))
            next = VK_SHADER_STAGE_FRAGMENT_BIT;
        infos[i] =
            (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                    .flags = linked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0,
                                    .stage = stage,
                                    .nextStage = next,
                                    .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                    .codeSize = shader_codes[m->shaders[i]].size,
                                    .pCode = shader_codes[m->shaders[i]].words,
                                    .pName = "main",
                                    .setLayoutCount = pipe->set_layout ? 1 : 0,
                                    .pSetLayouts = pipe->set_layout ? &pipe->set_layout : NULL,
                                    .pushConstantRangeCount = pipe->pushes ? 1 : 0,
                                    .pPushConstantRanges = pipe->pushes ? range : NULL};
        if (stage == VK_SHADER_STAGE_MESH_BIT_EXT && !pipe->task)
            infos[i].flags |= VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT;
        if (stage == VK_SHADER_STAGE_FRAGMENT_BIT && pipe->target->rates)
            infos[i].flags |= VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT;
        if (stage == VK_SHADER_STAGE_FRAGMENT_BIT && pipe->target->dense)
            infos[i].flags |= VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
        pipe->shader_stages[i] = stage;
    }
    pipe->shader_count = m->stage_count;
    if (linked) {
        MUST(CreateShadersEXT, w->device, m->stage_count, infos, NULL, pipe->shaders);
    } else {
        for (uint32_t i = 0; i < m->stage_count; i++)
            MUST(CreateShadersEXT, w->device, 1, &infos[i], NULL, &pipe->shaders[i]);
    }
    for (uint32_t i = 0; i < m->stage_count; i++)
        OWN(ShaderEXT, pipe->shaders[i]);
    if (chance(w, 20))
        replace_objects(m, infos, linked);
    pipe->dynamic = 0;
    for (unsigned i = 0; i < STATE_COUNT; i++) {
        if (state_there(w, (enum state)i, true))
            pipe->dynamic |= 1ull << i;
    }
}

/* --- a pipe --- */

struct pipe *make_pipe(struct world *w, const struct target *target)
{
    struct pipe *pipe = NEW(struct pipe, .target = target);
    struct making *m = NEW(struct making, .w = w, .pipe = pipe);
    choose_shaders(m);
    choose_values(m);
    pipe->pushes = pipe->geometry == GEOMETRY_PUSH;
    pipe->discard = m->values.discard;
    VkPushConstantRange range = {pipe->push_stages =
                                     VK_SHADER_STAGE_VERTEX_BIT |
                                     (chance(w, 50) ? VK_SHADER_STAGE_FRAGMENT_BIT : 0),
                                 0, 16};
    if (pipe->pushes) {
        pipe->uniform = make_buffer(w, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false);
        pipe_make_set(w, pipe, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_SHADER_STAGE_VERTEX_BIT, 0);
        VkDescriptorBufferInfo buffer = {pipe->uniform->handle, 0, PICK(VK_WHOLE_SIZE, 16)};
        pipe_write_set(w, pipe, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0, NULL, &buffer);
    } else if (pipe->textured) {
        pipe_make_set(w, pipe, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                      VK_SHADER_STAGE_FRAGMENT_BIT, 1);
    } else if (target->input) {
        pipe_make_set(w, pipe, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_SHADER_STAGE_FRAGMENT_BIT,
                      0);
    }
    if (pipe->geometry == GEOMETRY_INPUTS) {
        pipe->vertices = make_buffer(w, 16 * 8, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, false);
        pipe->other_vertices = make_buffer(w, 8 * 8, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, false);
    }
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = pipe->set_layout ? 1 : 0,
                                         .pSetLayouts =
                                             pipe->set_layout ? &pipe->set_layout : IGNORED,
                                         .pushConstantRangeCount = pipe->pushes ? 1 : 0,
                                         .pPushConstantRanges = pipe->pushes ? &range : IGNORED};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &pipe->layout);
    OWN(PipelineLayout, pipe->layout);
    if (ON(shaderObject) && !target->pass && !target->input && !target->view_mask &&
        chance(w, 30)) {
        make_objects(m, &range);
    } else {
        choose_dynamic(m);
        make_stages(m);
        make_structures(m);
        pipe->handle = ON(graphicsPipelineLibrary) && !m->values.discard && chance(w, 40)
                           ? make_linked(m)
                           : make_whole(m);
        for (uint32_t i = 0; i < m->stage_count; i++) {
            if (m->stages[i].module && chance(w, 30))
                DESTROY_NOW(m->stages[i].module);
        }
    }
    pipe->values = NEW(struct values);
    *pipe->values = m->values;
    return pipe;
}
