/* Checks those state structures of a graphics pipeline that the driver reads; the other pointers
 * may lead anywhere. It also checks that the flags of any pipeline are known. */
#include "stateless/pipeline.h"

#include "state/graphics_info.h"

#include <string.h>

#include "state/render_pass.h"
#include "stateless/structs.h"

static bool has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages)
{
    if (pointer_is_bad(info->pStages))
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        if (info->pStages[i].stage & stages)
            return true;
    }
    return false;
}

static bool is_dynamic(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    if (pointer_is_bad(dynamic) || pointer_is_bad(dynamic->pDynamicStates))
        return false;
    for (uint32_t i = 0; i < dynamic->dynamicStateCount; i++) {
        if (dynamic->pDynamicStates[i] == state)
            return true;
    }
    return false;
}

/* "The X state in Y will be ignored": of what is dynamic (10.11 "Dynamic State"). */
static const struct {
    const char *structure; /* where the member alone does not say it */
    const char *member;
    VkDynamicState state;
} ignored_members[] = {
    {NULL, "cullMode", VK_DYNAMIC_STATE_CULL_MODE},
    {NULL, "frontFace", VK_DYNAMIC_STATE_FRONT_FACE},
    {NULL, "topology", VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY},
    {NULL, "depthTestEnable", VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE},
    {NULL, "depthWriteEnable", VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE},
    {NULL, "depthCompareOp", VK_DYNAMIC_STATE_DEPTH_COMPARE_OP},
    {NULL, "depthBoundsTestEnable", VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE},
    {NULL, "stencilTestEnable", VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE},
    {NULL, "failOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {NULL, "passOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {NULL, "depthFailOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {NULL, "compareOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {NULL, "rasterizerDiscardEnable", VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE},
    {NULL, "depthBiasEnable", VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE},
    {NULL, "depthBiasRepresentation", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {NULL, "depthBiasExact", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {NULL, "logicOp", VK_DYNAMIC_STATE_LOGIC_OP_EXT},
    {NULL, "primitiveRestartEnable", VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE},
    {NULL, "pColorWriteEnables", VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT},
    {NULL, "domainOrigin", VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT},
    {NULL, "depthClampEnable", VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT},
    {NULL, "polygonMode", VK_DYNAMIC_STATE_POLYGON_MODE_EXT},
    {NULL, "rasterizationSamples", VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT},
    {NULL, "alphaToCoverageEnable", VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT},
    {NULL, "alphaToOneEnable", VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT},
    {NULL, "logicOpEnable", VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT},
    {NULL, "blendEnable", VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT},
    {NULL, "srcColorBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "dstColorBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "colorBlendOp", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "colorBlendOp", VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT},
    {NULL, "srcAlphaBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "dstAlphaBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "alphaBlendOp", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {NULL, "colorWriteMask", VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT},
    {NULL, "conservativeRasterizationMode", VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT},
    {NULL, "depthClipEnable", VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT},
    {NULL, "sampleLocationsEnable", VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT},
    {NULL, "srcPremultiplied", VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT},
    {NULL, "dstPremultiplied", VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT},
    {NULL, "blendOverlap", VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT},
    {NULL, "provokingVertexMode", VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT},
    {NULL, "lineRasterizationMode", VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT},
    {NULL, "stippledLineEnable", VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT},
    {NULL, "negativeOneToOne", VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
    {NULL, "depthClampMode", VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT},
    {NULL, "pDepthClampRange", VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT},
    {NULL, "discardRectangleMode", VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT},
    {NULL, "viewportWScalingEnable", VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV},
    {NULL, "pViewportSwizzles", VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV},
    {"VkPipelineViewportSwizzleStateCreateInfoNV", "viewportCount",
     VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV},
    {NULL, "sampleOrderType", VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV},
    {NULL, "pCustomSampleOrders", VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV},
    {NULL, "coverageToColorEnable", VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV},
    {NULL, "coverageModulationMode", VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV},
    {NULL, "coverageModulationTableEnable", VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV},
    {NULL, "coverageReductionMode", VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV},
    {NULL, "shadingRateImageEnable", VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV},
    {NULL, "representativeFragmentTestEnable",
     VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV},
};

bool pipeline_ignores(const struct check *c, const struct location *where, const char *member)
{
    if (!c->of_pipeline)
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(ignored_members); i++) {
        const char *structure = ignored_members[i].structure;
        if (!strcmp(ignored_members[i].member, member) &&
            (!structure || (where && !strcmp(where->name, structure))) &&
            is_dynamic(((const struct graphics_check *)c)->info, ignored_members[i].state))
            return true;
    }
    return false;
}

void check_VkGraphicsPipelineCreateInfo(struct check *c, const struct location *where,
                                        const void *structure)
{
    struct graphics_check graphics = {.check = *c, .info = structure};
    graphics.check.of_pipeline = true;
    check_VkGraphicsPipelineCreateInfo_itself(&graphics.check, where, structure);
    c->skip = graphics.check.skip;
}

bool pipeline_reads_vertex_input(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && has_stage(info, VK_SHADER_STAGE_VERTEX_BIT) &&
           !is_dynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
}

bool pipeline_reads_tessellation(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) &&
           has_stage(info, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
}

/* Rasterization is not disabled for good. */
static bool rasterizes(const VkGraphicsPipelineCreateInfo *info)
{
    return pointer_is_bad(info->pRasterizationState) ||
           !info->pRasterizationState->rasterizerDiscardEnable ||
           is_dynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

/* "It is ignored if the pipeline includes a mesh shader stage." */
bool pipeline_reads_input_assembly(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && !has_stage(info, VK_SHADER_STAGE_MESH_BIT_EXT);
}

bool pipeline_reads_viewport(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && rasterizes(info);
}

bool pipeline_reads_rasterization(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info);
}

bool pipeline_reads_multisample(const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && rasterizes(info);
}

static const struct subpass *subpass_of(const struct call *call,
                                        const VkGraphicsPipelineCreateInfo *info)
{
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    return pass && info->subpass < pass->subpass_count ? &pass->subpasses[info->subpass] : NULL;
}

static const VkPipelineRenderingCreateInfo *rendering_of(const VkGraphicsPipelineCreateInfo *info)
{
    return chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
}

/* "used when rasterization is enabled for depth or stencil attachments accessed during rendering"
 */
static bool has_depth_stencil(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRenderingCreateInfo *rendering = rendering_of(info);
    if (!info->renderPass)
        return rendering && (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                             rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
    const struct subpass *subpass = subpass_of(call, info);
    return !subpass || subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED;
}

bool pipeline_reads_depth_stencil(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    return pipeline_is_complete(info) && rasterizes(info) && has_depth_stencil(call, info);
}

/* "used when rasterization is enabled for any color attachments accessed during rendering" */
static bool has_colors(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRenderingCreateInfo *rendering = rendering_of(info);
    uint32_t most = call->device ? call->device->properties.limits.maxColorAttachments : 0;
    if (!info->renderPass) {
        for (uint32_t i = 0; rendering && !pointer_is_bad(rendering->pColorAttachmentFormats) &&
                             i < rendering->colorAttachmentCount && i < most;
             i++) {
            if (rendering->pColorAttachmentFormats[i] != VK_FORMAT_UNDEFINED)
                return true;
        }
        return false;
    }
    const struct subpass *subpass = subpass_of(call, info);
    for (uint32_t i = 0; subpass && i < subpass->color_count; i++) {
        if (subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED)
            return true;
    }
    return !subpass;
}

bool pipeline_reads_color_blend(const struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    if (!pipeline_is_complete(info) || !rasterizes(info) || !has_colors(call, info))
        return false;
    /* pAttachments "is ignored if" all that its elements say is dynamic. */
    return !is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ||
           !is_dynamic(info, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) ||
           !is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
}

/* If the pNext chain does not include a VkPipelineCreateFlags2CreateInfo structure, flags must be a
 * valid combination of VkPipelineCreateFlagBits values */
static inline void check_create_flags(struct check *c, enum vuid vuid, const struct location *where,
                                      const void *chain, VkPipelineCreateFlags flags)
{
    if (unlikely(flags & ~FREE_VkPipelineCreateFlagBits) &&
        !chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO))
        check_flags(c, vuid, where, "flags", flags, &bits_VkPipelineCreateFlagBits);
}

void rule_VkGraphicsPipelineCreateInfo(struct check *c, const struct location *where,
                                       const VkGraphicsPipelineCreateInfo *s)
{
    check_create_flags(c, VUID_VkGraphicsPipelineCreateInfo_None_09497, where, s->pNext, s->flags);
    bool library =
        chain_find(s->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (unlikely(s->stageCount && pointer_is_bad(s->pStages)) && pipeline_reads_stages(s))
        report_pointer(c,
                       library ? VUID_VkGraphicsPipelineCreateInfo_flags_06640
                               : VUID_VkGraphicsPipelineCreateInfo_pStages_06600,
                       where, "pStages", s->pStages);
}

void rule_VkComputePipelineCreateInfo(struct check *c, const struct location *where,
                                      const VkComputePipelineCreateInfo *s)
{
    check_create_flags(c, VUID_VkComputePipelineCreateInfo_None_09497, where, s->pNext, s->flags);
}

void rule_VkRayTracingPipelineCreateInfoKHR(struct check *c, const struct location *where,
                                            const VkRayTracingPipelineCreateInfoKHR *s)
{
    check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoKHR_None_09497, where, s->pNext,
                       s->flags);
}

void rule_VkRayTracingPipelineCreateInfoNV(struct check *c, const struct location *where,
                                           const VkRayTracingPipelineCreateInfoNV *s)
{
    check_create_flags(c, VUID_VkRayTracingPipelineCreateInfoNV_None_09497, where, s->pNext,
                       s->flags);
}
