/* Checks the samples of a graphics pipeline against the attachments that it renders to (28.4
 * "Multisampling", 8.4.2 "Zero-attachment subpasses"). Vendors' extensions let them differ. The
 * formats of a custom resolve are here, too. */
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"

/* The sample counts of a subpass. `colors`: of its color attachments the most, 0 without any. */
struct subpass_samples {
    VkSampleCountFlags colors, depth_stencil; /* 0: there is no such attachment */
    bool colors_differ;
};

/* Finds the sample counts of a subpass's attachments; 0 means that there are none. */
static struct subpass_samples samples_of(const struct render_pass *pass,
                                         const struct subpass *subpass)
{
    struct subpass_samples all = {0};
    for (uint32_t i = 0; i < subpass->color_count; i++) {
        const uint32_t attachment = subpass->colors[i].attachment;
        if (attachment >= pass->attachment_count)
            continue;
        const VkSampleCountFlags samples = pass->attachments[attachment].description.samples;
        all.colors_differ |= all.colors && all.colors != samples;
        all.colors = samples > all.colors ? samples : all.colors;
    }
    if (subpass->depth_stencil.attachment < pass->attachment_count)
        all.depth_stencil =
            pass->attachments[subpass->depth_stencil.attachment].description.samples;
    return all;
}

/* True if the pipeline itself says that depth or stencil is tested. */
static bool tests_depth_stencil(const struct graphics_info *graphics)
{
    const VkPipelineDepthStencilStateCreateInfo *state = graphics->depth_stencil;
    return state &&
           ((state->depthTestEnable && !graphics_is_dynamic(graphics, DYNAMIC_DEPTH_TEST_ENABLE)) ||
            (state->stencilTestEnable &&
             !graphics_is_dynamic(graphics, DYNAMIC_STENCIL_TEST_ENABLE)) ||
            (state->depthBoundsTestEnable &&
             !graphics_is_dynamic(graphics, DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE)));
}

/* VK_AMD_mixed_attachment_samples or VK_NV_framebuffer_mixed_samples is enabled. */
static void check_mixed(struct subject *s, const struct graphics_info *graphics,
                        const struct subpass_samples *all)
{
    const VkPipelineMultisampleStateCreateInfo *state = graphics->multisample;
    const VkPipelineCoverageReductionStateCreateInfoNV *reduction =
        CHAINED(state->pNext, PIPELINE_COVERAGE_REDUCTION_STATE_CREATE_INFO_NV);
    const VkSampleCountFlagBits samples = state->rasterizationSamples;
    const VkSampleCountFlags most =
        all->colors > all->depth_stencil ? all->colors : all->depth_stencil;
    /* if subpass uses color and/or depth/stencil attachments, then rasterizationSamples must equal
     * the maximum of the sample counts of those subpass attachments */
    if (call_has_extension(s->call, EXTENSION_VK_AMD_mixed_attachment_samples) && most)
        REQUIRE(s, VUID_VkGraphicsPipelineCreateInfo_subpass_01505, samples == most,
                "rasterizationSamples", "is %u, but the attachments of subpass %u have %u samples",
                samples, graphics->info->subpass, most);
    if (!call_has_extension(s->call, EXTENSION_VK_NV_framebuffer_mixed_samples))
        return;
    /* if subpass has a depth/stencil attachment and depth test, stencil test, or depth bounds test
     * are enabled, then rasterizationSamples must be the same as its sample count */
    if (all->depth_stencil && tests_depth_stencil(graphics))
        REQUIRE(s, VUID_VkGraphicsPipelineCreateInfo_subpass_01411, samples == all->depth_stencil,
                "rasterizationSamples",
                "is %u, but the depth/stencil attachment of subpass %u has %u samples, and is "
                "tested",
                samples, graphics->info->subpass, all->depth_stencil);
    /* if subpass has any color attachments, then rasterizationSamples must be greater than or equal
     * to the sample count for those subpass attachments */
    if (all->colors)
        REQUIRE(s, VUID_VkGraphicsPipelineCreateInfo_subpass_01412, samples >= all->colors,
                "rasterizationSamples",
                "is %u, but color attachments of subpass %u have %u samples", samples,
                graphics->info->subpass, all->colors);
    /* coverageReductionMode is not enabled, or is not set to
     * VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV, and rasterizationSamples is greater than the number
     * of color samples: sample shading must not be enabled */
    if (all->colors && !all->colors_differ && samples > all->colors &&
        (!subject_has(s, FEATURE_coverageReductionMode) || !reduction ||
         reduction->coverageReductionMode != VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV))
        REQUIRE(s, VUID_VkPipelineMultisampleStateCreateInfo_rasterizationSamples_01415,
                !state->sampleShadingEnable, "sampleShadingEnable",
                "is VK_TRUE, but rasterizationSamples is %u, and the color attachments of subpass "
                "%u have %u samples",
                samples, graphics->info->subpass, all->colors);
}

/* Checks what VkPipelineMultisampleStateCreateInfo has in its chain for NVIDIA's coverage. */
static void check_coverage(struct subject *s, const struct graphics_info *graphics,
                           const struct render_pass *pass, const struct subpass *subpass,
                           const struct subpass_samples *all)
{
    const VkPipelineMultisampleStateCreateInfo *state = graphics->multisample;
    const VkPipelineCoverageToColorStateCreateInfoNV *to_color =
        CHAINED(state->pNext, PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV);
    const VkPipelineCoverageModulationStateCreateInfoNV *modulation =
        CHAINED(state->pNext, PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV);
    const VkSampleCountFlagBits samples = state->rasterizationSamples;
    if (to_color && to_color->coverageToColorEnable &&
        call_has_extension(s->call, EXTENSION_VK_NV_fragment_coverage_to_color) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COVERAGE_TO_COLOR_ENABLE_NV) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COVERAGE_TO_COLOR_LOCATION_NV)) {
        const uint32_t location = to_color->coverageToColorLocation,
                       attachment = location < subpass->color_count
                                        ? subpass->colors[location].attachment
                                        : VK_ATTACHMENT_UNUSED;
        const VkFormat format = attachment < pass->attachment_count
                                    ? pass->attachments[attachment].description.format
                                    : VK_FORMAT_UNDEFINED;
        /* the subpass must have a color attachment at the location selected by
         * coverageToColorLocation, with a VkFormat of R8_UINT, R8_SINT, R16_UINT, R16_SINT,
         * R32_UINT, or R32_SINT */
        REQUIRE(s, VUID_VkPipelineCoverageToColorStateCreateInfoNV_coverageToColorEnable_01404,
                format == VK_FORMAT_R8_UINT || format == VK_FORMAT_R8_SINT ||
                    format == VK_FORMAT_R16_UINT || format == VK_FORMAT_R16_SINT ||
                    format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R32_SINT,
                &LOCATION(&LOCATION_CHAINED(s->where, "VkPipelineCoverageToColorStateCreateInfoNV"),
                          "coverageToColorLocation"),
                "is %u, but the color attachment there in subpass %u has the format %s", location,
                graphics->info->subpass, TEXT_OF(VkFormat, format));
    }
    /* If coverageModulationTableEnable is VK_TRUE, coverageModulationTableCount must be equal to
     * the number of rasterization samples divided by the number of color samples in the subpass */
    if (modulation && modulation->coverageModulationTableEnable && all->colors &&
        !all->colors_differ && samples >= all->colors &&
        call_has_extension(s->call, EXTENSION_VK_NV_framebuffer_mixed_samples) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COVERAGE_MODULATION_TABLE_ENABLE_NV) &&
        !graphics_is_dynamic(graphics, DYNAMIC_COVERAGE_MODULATION_TABLE_NV))
        REQUIRE(
            s,
            VUID_VkPipelineCoverageModulationStateCreateInfoNV_coverageModulationTableEnable_01405,
            modulation->coverageModulationTableCount == samples / all->colors,
            &LOCATION(&LOCATION_CHAINED(s->where, "VkPipelineCoverageModulationStateCreateInfoNV"),
                      "coverageModulationTableCount"),
            "is %u, but rasterizationSamples is %u, and the color attachments of subpass %u have "
            "%u samples",
            modulation->coverageModulationTableCount, samples, graphics->info->subpass,
            all->colors);
}

/* The subpass has VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT: it resolves in shaders. */
static void check_region(struct subject *s, const struct graphics_info *graphics,
                         const struct render_pass *pass, const struct subpass *subpass)
{
    const VkPipelineMultisampleStateCreateInfo *state = graphics->multisample;
    if (!call_has_extension(s->call, EXTENSION_VK_QCOM_render_pass_shader_resolve) &&
        !subject_has(s, FEATURE_customResolve))
        return;
    /* sampleShadingEnable must be false */
    REQUIRE(s, VUID_VkGraphicsPipelineCreateInfo_sampleShadingEnable_04900,
            !state->sampleShadingEnable, "sampleShadingEnable",
            "is VK_TRUE, but subpass %u has VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT",
            graphics->info->subpass);
    /* the sample count of the input attachments must equal rasterizationSamples */
    for (uint32_t i = 0; i < subpass->input_count &&
                         !graphics_is_dynamic(graphics, DYNAMIC_RASTERIZATION_SAMPLES_EXT);
         i++) {
        const uint32_t attachment = subpass->inputs[i].attachment;
        const VkSampleCountFlagBits samples =
            attachment < pass->attachment_count ? pass->attachments[attachment].description.samples
                                                : state->rasterizationSamples;
        REQUIRE(s, VUID_VkGraphicsPipelineCreateInfo_rasterizationSamples_04899,
                samples == state->rasterizationSamples, "rasterizationSamples",
                "is %u, but input attachment %u of subpass %u has %u samples, and the subpass has "
                "VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT",
                state->rasterizationSamples, i, graphics->info->subpass, samples);
    }
}

bool check_graphics_samples(const struct call *call, const struct location *parent,
                            const struct graphics_info *graphics, const struct render_pass *pass,
                            const struct subpass *subpass)
{
    const VkPipelineMultisampleStateCreateInfo *state = graphics->multisample;
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(parent, "pMultisampleState"),
                        .objects = OBJECT(HANDLE_RENDER_PASS, graphics->info->renderPass)};
    if (!state)
        return false;
    if (graphics->own & PART_FRAGMENT_SHADER &&
        subpass->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_EXT)
        check_region(&s, graphics, pass, subpass);
    if (!(graphics->own & PART_FRAGMENT_OUTPUT) ||
        graphics_is_dynamic(graphics, DYNAMIC_RASTERIZATION_SAMPLES_EXT))
        return s.skip;
    const struct subpass_samples all = samples_of(pass, subpass);
    /* If ... the multisampledRenderToSingleSampled feature is not enabled, ... and subpass has a
     * VkMultisampledRenderToSingleSampledInfoEXT with multisampledRenderToSingleSampledEnable equal
     * to VK_TRUE, then rasterizationSamples must be equal to that of the structure */
    if (!subpass->single_sampled_enable)
        check_mixed(&s, graphics,
                    &all); /* otherwise attachments have one sample, by another rule */
    else if (!subject_has(&s, FEATURE_multisampledRenderToSingleSampled))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06854,
                state->rasterizationSamples == subpass->single_sampled_samples,
                "rasterizationSamples",
                "is %u, but VkMultisampledRenderToSingleSampledInfoEXT::rasterizationSamples of "
                "subpass %u is %u",
                state->rasterizationSamples, graphics->info->subpass,
                subpass->single_sampled_samples);
    check_coverage(&s, graphics, pass, subpass, &all);
    /* subpass does not use any color and/or depth/stencil attachments: rasterizationSamples must
     * follow the rules for a zero-attachment subpass: it must be set in
     * framebufferNoAttachmentsSampleCounts */
    if (!all.colors && !all.depth_stencil &&
        value_has_name(VALUES_VkSampleCountFlags, state->rasterizationSamples))
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_subpass_00758,
                state->rasterizationSamples & limits_of(call)->framebufferNoAttachmentsSampleCounts,
                "rasterizationSamples",
                "is %u, but subpass %u uses no attachments, and "
                "framebufferNoAttachmentsSampleCounts is %s",
                state->rasterizationSamples, graphics->info->subpass,
                TEXT_OF(VkSampleCountFlags, limits_of(call)->framebufferNoAttachmentsSampleCounts));
    return s.skip;
}

/* True for exactly one bit that has a meaning. */
static bool is_sample_count(VkSampleCountFlags samples)
{
    return samples && !(samples & (samples - 1)) && samples <= VK_SAMPLE_COUNT_64_BIT;
}

/* VkAttachmentSampleCountInfoAMD, with dynamic rendering */
bool check_attachment_samples(const struct call *call, const struct location *parent,
                              const struct graphics_info *graphics)
{
    const VkAttachmentSampleCountInfoAMD *counts =
        CHAINED(graphics->info->pNext, ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    const uint32_t colors = graphics->rendering ? graphics->rendering->colorAttachmentCount : 0;
    struct subject s = {.call = call,
                        .where = &LOCATION_CHAINED(parent, "VkAttachmentSampleCountInfoAMD")};
    if (!counts || !(graphics->own & PART_FRAGMENT_OUTPUT))
        return false;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderPass_06063,
            counts->colorAttachmentCount == colors, "colorAttachmentCount",
            "is %u, but VkPipelineRenderingCreateInfo::colorAttachmentCount is %u",
            counts->colorAttachmentCount, colors);
    for (uint32_t i = 0;
         i < counts->colorAttachmentCount && !pointer_is_bad(counts->pColorAttachmentSamples); i++)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pColorAttachmentSamples_06592,
                is_sample_count(counts->pColorAttachmentSamples[i]),
                &LOCATION_INDEX(s.where, "pColorAttachmentSamples", i),
                "is %#x, which is not one sample count",
                (unsigned)counts->pColorAttachmentSamples[i]);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_depthStencilAttachmentSamples_06593,
            !counts->depthStencilAttachmentSamples ||
                is_sample_count(counts->depthStencilAttachmentSamples),
            "depthStencilAttachmentSamples", "is %#x, which is not one sample count",
            (unsigned)counts->depthStencilAttachmentSamples);
    return s.skip;
}

/* --- custom resolves -------------------------------------------------------------------------- */

bool check_custom_resolve(const struct call *call, const struct location *parent, const void *chain)
{
    const VkCustomResolveCreateInfoEXT *info = CHAINED(chain, CUSTOM_RESOLVE_CREATE_INFO_EXT);
    struct subject s = {.call = call,
                        .where = &LOCATION_CHAINED(parent, "VkCustomResolveCreateInfoEXT")};
    if (!info || !subject_has(&s, FEATURE_customResolve))
        return false;
    const VkFormat depth = info->depthAttachmentFormat, stencil = info->stencilAttachmentFormat;
    /* If depthAttachmentFormat is not VK_FORMAT_UNDEFINED, it must be a format that includes a
     * depth component, with potential format features that include DEPTH_STENCIL_ATTACHMENT */
    if (depth != VK_FORMAT_UNDEFINED && format_info(depth)) {
        REQUIRE(&s, VUID_VkCustomResolveCreateInfoEXT_depthAttachmentFormat_11508,
                format_has_depth(depth), "depthAttachmentFormat",
                "is %s, which has no depth component", TEXT_OF(VkFormat, depth));
        REQUIRE(&s, VUID_VkCustomResolveCreateInfoEXT_depthAttachmentFormat_11509,
                !format_has_depth(depth) || format_potential_features(call->device, depth) &
                                                VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
                "depthAttachmentFormat", "is %s, which cannot be a depth/stencil attachment",
                TEXT_OF(VkFormat, depth));
    }
    if (stencil != VK_FORMAT_UNDEFINED && format_info(stencil)) {
        REQUIRE(&s, VUID_VkCustomResolveCreateInfoEXT_stencilAttachmentFormat_11511,
                format_has_stencil(stencil), "stencilAttachmentFormat",
                "is %s, which has no stencil component", TEXT_OF(VkFormat, stencil));
        REQUIRE(&s, VUID_VkCustomResolveCreateInfoEXT_stencilAttachmentFormat_11512,
                !format_has_stencil(stencil) ||
                    format_potential_features(call->device, stencil) &
                        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
                "stencilAttachmentFormat", "is %s, which cannot be a depth/stencil attachment",
                TEXT_OF(VkFormat, stencil));
    }
    /* If any element of pColorAttachmentFormats is not VK_FORMAT_UNDEFINED, it must be a format
     * with potential format features that include VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, or
     * VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV if linearColorAttachment is enabled */
    const VkFormatFeatureFlags2 color = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                        (subject_has(&s, FEATURE_linearColorAttachment)
                                             ? VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV
                                             : 0);
    for (uint32_t i = 0;
         i < info->colorAttachmentCount && i < limits_of(call)->maxColorAttachments &&
         !pointer_is_bad(info->pColorAttachmentFormats);
         i++) {
        const VkFormat format = info->pColorAttachmentFormats[i];
        REQUIRE(&s, VUID_VkCustomResolveCreateInfoEXT_pColorAttachmentFormats_11510,
                format == VK_FORMAT_UNDEFINED || !format_info(format) ||
                    format_potential_features(call->device, format) & color,
                &LOCATION_INDEX(s.where, "pColorAttachmentFormats", i),
                "is %s, which cannot be a color attachment", TEXT_OF(VkFormat, format));
    }
    return s.skip;
}
