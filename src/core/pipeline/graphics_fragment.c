/* Checks the multisample, depth/stencil, blend and shading rate states of a graphics pipeline
 * (28.4, 30, 31, 28.6). */
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"

/* --- multisampling --- */

/* Checks static sample locations, against the sample count if that is static too. True: the call is
 * to be skipped. */
static bool check_pipeline_sample_locations(const struct call *call, const struct location *parent,
                                            const struct graphics_info *graphics,
                                            const VkPipelineSampleLocationsStateCreateInfoEXT *info)
{
    assert(graphics->multisample && info);
    const VkSampleLocationsInfoEXT *locations = &info->sampleLocationsInfo;
    const struct location *where =
        &LOCATION(&LOCATION_CHAINED(parent, "VkPipelineSampleLocationsStateCreateInfoEXT"),
                  "sampleLocationsInfo");
    uint32_t samples = graphics->multisample->rasterizationSamples,
             width = locations->sampleLocationGridSize.width,
             height = locations->sampleLocationGridSize.height;
    PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT get =
        call->instance->dispatch.GetPhysicalDeviceMultisamplePropertiesEXT;
    struct subject s = {.call = call, .where = where};
    s.skip |= check_sample_locations(call, where, locations);
    if (graphics_is_dynamic(graphics, DYNAMIC_RASTERIZATION_SAMPLES_EXT))
        return s.skip;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_07612,
            locations->sampleLocationsPerPixel == samples, "sampleLocationsPerPixel",
            "is %u, but rasterizationSamples is %u", locations->sampleLocationsPerPixel, samples);
    if (!get || !width || !height || !call_has_extension(call, EXTENSION_VK_EXT_sample_locations) ||
        /* The driver must not be asked about what is not one bit. */
        !samples || samples & (samples - 1))
        return s.skip;
    VkMultisamplePropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
    get(call->device->physical_device, samples, &properties);
    if (info->sampleLocationsEnable)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_07610,
                properties.maxSampleLocationGridSize.width % width == 0, "sampleLocationGridSize",
                "has a width of %u, which does not divide that of %u of the device", width,
                properties.maxSampleLocationGridSize.width);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_07611,
            properties.maxSampleLocationGridSize.height % height == 0, "sampleLocationGridSize",
            "has a height of %u, which does not divide that of %u of the device", height,
            properties.maxSampleLocationGridSize.height);
    return s.skip;
}

/* Checks the sample locations of the pipeline; dynamic ones are checked when they are set. */
static bool check_multisample(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics)
{
    assert(graphics->multisample);
    const VkPipelineMultisampleStateCreateInfo *info = graphics->multisample;
    const VkPipelineSampleLocationsStateCreateInfoEXT *locations =
        CHAINED(info->pNext, PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    struct subject s = {.call = call, .where = where};
    if (locations && !graphics_is_dynamic(graphics, DYNAMIC_SAMPLE_LOCATIONS_EXT) &&
        (locations->sampleLocationsEnable ||
         graphics_is_dynamic(graphics, DYNAMIC_SAMPLE_LOCATIONS_ENABLE_EXT)))
        s.skip |= check_pipeline_sample_locations(call, where, graphics, locations);
    return s.skip;
}

/* --- depth and stencil --- */

/* Checks static depth bounds. True: the call is to be skipped. */
static bool graphics_fragment_check_depth_stencil(const struct call *call,
                                                  const struct location *where,
                                                  const struct graphics_info *graphics)
{
    assert(graphics->depth_stencil);
    const VkPipelineDepthStencilStateCreateInfo *info = graphics->depth_stencil;
    struct subject s = {.call = call, .where = where};
    bool test_dynamic = graphics_is_dynamic(graphics, DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE),
         bounds_dynamic = graphics_is_dynamic(graphics, DYNAMIC_DEPTH_BOUNDS);
    float low = info->minDepthBounds, high = info->maxDepthBounds;
    if (bounds_dynamic)
        return s.skip;
    if (info->depthBoundsTestEnable || test_dynamic)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_10913, !(low > high),
                "minDepthBounds", "is %g, but maxDepthBounds is %g", (double)low, (double)high);
    return s.skip;
}

/* --- blending --- */

/* True for operations of VK_EXT_blend_operation_advanced, whose values are consecutive. */
static bool is_advanced(VkBlendOp op)
{
    return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT;
}

/* True for the operations that every device with advanced blending supports. Others require
 * advancedBlendAllOperations. */
static bool is_common_advanced(VkBlendOp op)
{
    return (op >= VK_BLEND_OP_MULTIPLY_EXT && op <= VK_BLEND_OP_EXCLUSION_EXT) ||
           (op >= VK_BLEND_OP_HSL_HUE_EXT && op <= VK_BLEND_OP_HSL_LUMINOSITY_EXT);
}

/* colorAttachmentCount of the pipeline's subpass; 0: not known, or there is no subpass. */
static uint32_t subpass_color_count(const struct call *call, const struct graphics_info *graphics)
{
    const struct render_pass *pass = find_render_pass(call, graphics->info->renderPass);
    uint32_t number = graphics->info->subpass;
    return pass && number < pass->subpass_count ? pass->subpasses[number].color_count : 0;
}

/* Checks the advanced blend operations of attachment `index`. True: the call is to be skipped. */
static bool check_advanced_ops(const struct call *call, const struct location *where,
                               const struct graphics_info *graphics, uint32_t index)
{
    assert(index < graphics->color_blend->attachmentCount);
    const VkPipelineColorBlendAttachmentState *all = graphics->color_blend->pAttachments,
                                              *blend = &all[index];
    const VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT *properties =
        &call->device->extended.BlendOperationAdvancedPropertiesEXT;
    const struct location *op = &LOCATION(where, "colorBlendOp");
    struct value_text text = value_text(VALUES_VkBlendOp, blend->colorBlendOp);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkPipelineColorBlendAttachmentState_colorBlendOp_01406,
            blend->colorBlendOp == blend->alphaBlendOp, op, "is %s, but alphaBlendOp differs",
            text.text);
    if (!call_has_extension(call, EXTENSION_VK_EXT_blend_operation_advanced))
        return s.skip;
    /* Each attachment is compared with the first one. */
    if (!properties->advancedBlendIndependentBlend && index) {
        if (is_advanced(blend->colorBlendOp))
            REQUIRE(&s,
                    VUID_VkPipelineColorBlendAttachmentState_advancedBlendIndependentBlend_01407,
                    blend->colorBlendOp == all[0].colorBlendOp, op,
                    "is %s, but that of pAttachments[0] differs, and "
                    "advancedBlendIndependentBlend is VK_FALSE",
                    text.text);
        if (is_advanced(blend->alphaBlendOp))
            REQUIRE(&s,
                    VUID_VkPipelineColorBlendAttachmentState_advancedBlendIndependentBlend_01408,
                    blend->alphaBlendOp == all[0].alphaBlendOp, "alphaBlendOp",
                    "is %s, but that of pAttachments[0] differs, and "
                    "advancedBlendIndependentBlend is VK_FALSE",
                    value_text(VALUES_VkBlendOp, blend->alphaBlendOp).text);
    }
    if (!properties->advancedBlendAllOperations && is_advanced(blend->colorBlendOp))
        REQUIRE(&s, VUID_VkPipelineColorBlendAttachmentState_advancedBlendAllOperations_01409,
                is_common_advanced(blend->colorBlendOp), op,
                "is %s, but advancedBlendAllOperations is VK_FALSE", text.text);
    uint32_t count = subpass_color_count(call, graphics);
    if (count > properties->advancedBlendMaxColorAttachments)
        BROKEN(&s, VUID_VkPipelineColorBlendAttachmentState_colorBlendOp_01410, op,
               "is %s, but the subpass has a colorAttachmentCount of %u, and "
               "advancedBlendMaxColorAttachments is %u",
               text.text, count, properties->advancedBlendMaxColorAttachments);
    return s.skip;
}

/* True if two attachments have the same blend state, as they must without independentBlend. */
static bool same_blend(const VkPipelineColorBlendAttachmentState *a,
                       const VkPipelineColorBlendAttachmentState *b)
{
    return !a->blendEnable == !b->blendEnable && a->srcColorBlendFactor == b->srcColorBlendFactor &&
           a->dstColorBlendFactor == b->dstColorBlendFactor && a->colorBlendOp == b->colorBlendOp &&
           a->srcAlphaBlendFactor == b->srcAlphaBlendFactor &&
           a->dstAlphaBlendFactor == b->dstAlphaBlendFactor && a->alphaBlendOp == b->alphaBlendOp &&
           a->colorWriteMask == b->colorWriteMask;
}

/* Checks the blend state of each attachment, if none of it is dynamic. True: the call is to be
 * skipped. */
static bool check_blends(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics)
{
    assert(graphics->color_blend);
    const VkPipelineColorBlendStateCreateInfo *info = graphics->color_blend;
    struct subject s = {.call = call};
    bool any_dynamic = graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT) ||
                       graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) ||
                       graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT) ||
                       graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    if (any_dynamic)
        return false; /* some members are ignored, and which ones is not checked */
    for (uint32_t i = 0; i < info->attachmentCount && i < limits_of(call)->maxColorAttachments &&
                         !pointer_is_bad(info->pAttachments);
         i++) {
        const VkPipelineColorBlendAttachmentState *blend = &info->pAttachments[i];
        const struct location *at = &LOCATION_INDEX(where, "pAttachments", i);
        if (is_advanced(blend->colorBlendOp) || is_advanced(blend->alphaBlendOp))
            s.skip |= check_advanced_ops(call, at, graphics, i);
        REQUIRE(&s, VUID_VkPipelineColorBlendStateCreateInfo_pAttachments_00605,
                !i || has_feature(call, FEATURE_independentBlend) ||
                    same_blend(blend, &info->pAttachments[0]),
                at, "is not the same as pAttachments[0], which needs the independentBlend feature");
    }
    return s.skip;
}

/* Checks the structures in the chain of the color blend state. True: the call is to be skipped. */
static bool check_blend_chain(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics)
{
    assert(graphics->color_blend);
    const VkPipelineColorBlendStateCreateInfo *info = graphics->color_blend;
    const VkPipelineColorWriteCreateInfoEXT *write =
        CHAINED(info->pNext, PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
    struct subject s = {.call = call};
    if (!write)
        return s.skip;
    const struct location *at = &LOCATION_CHAINED(where, "VkPipelineColorWriteCreateInfoEXT");
    uint32_t most = limits_of(call)->maxColorAttachments;
    if (!graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ADVANCED_EXT))
        REQUIRE(&s, VUID_VkPipelineColorWriteCreateInfoEXT_attachmentCount_07608,
                write->attachmentCount == info->attachmentCount || write->attachmentCount > most,
                &LOCATION(at, "attachmentCount"),
                "is %u, but VkPipelineColorBlendStateCreateInfo::attachmentCount is %u",
                write->attachmentCount, info->attachmentCount);
    return s.skip;
}

/* Checks the blend state and its chain. */
static bool check_color_blend(const struct call *call, const struct location *where,
                              const struct graphics_info *graphics)
{
    assert(graphics->color_blend);
    return check_blends(call, where, graphics) | check_blend_chain(call, where, graphics);
}

bool check_graphics_fragment(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics)
{
    bool skip = false;
    if (graphics->multisample)
        skip |= check_multisample(call, &LOCATION_POINTER(where, "pMultisampleState"), graphics);
    if (graphics->depth_stencil)
        skip |=
            graphics_fragment_check_depth_stencil(call,
                                                  &LOCATION_POINTER(where, "pDepthStencilState"),
                                                  graphics);
    if (graphics->color_blend)
        skip |= check_color_blend(call, &LOCATION_POINTER(where, "pColorBlendState"), graphics);
    return skip;
}
