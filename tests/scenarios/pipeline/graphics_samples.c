/* Samples of a graphics pipeline and of what it renders to, where they may differ and where not.
 * The formats of a custom resolve are here, too. */
#include "scenario.h"

/* The samples of a subpass's attachments, 0: it has none; and those of the pipeline. */
struct samples {
    VkSampleCountFlagBits color, depth, pipeline;
    VkFormat format; /* of the color attachment; VK_FORMAT_UNDEFINED: COLOR_FORMAT */
    bool tests_depth, shades;
    const void *next; /* of VkPipelineMultisampleStateCreateInfo */
};

static VkRenderPass make_samples_pass(struct baseline *b, const struct samples *s)
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachments[2] = {info.pAttachments[0], info.pAttachments[0]};
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkAttachmentReference depth = {s->color ? 1 : 0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = s->color ? 1 : 0,
                                          .pColorAttachments = &color,
                                          .pDepthStencilAttachment = s->depth ? &depth : NULL};
    attachments[0].format = s->format ? s->format : COLOR_FORMAT;
    attachments[0].samples = s->color;
    attachments[depth.attachment].finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    if (s->depth) {
        attachments[depth.attachment].format = VK_FORMAT_D32_SFLOAT;
        attachments[depth.attachment].samples = s->depth;
    }
    info.pAttachments = attachments;
    info.attachmentCount = (s->color ? 1 : 0) + (s->depth ? 1 : 0);
    info.pSubpasses = &subpass;
    info.subpassCount = 1;
    info.dependencyCount = 0;
    VkRenderPass pass = create_render_pass(b, &info);
    ENSURE(pass);
    return pass;
}

static void create_sampled(struct baseline *b, const struct samples *s)
{
    const VkPipelineDepthStencilStateCreateInfo depth = {
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = s->tests_depth};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_samples_pass(b, s));
    p.multisample.rasterizationSamples = s->pipeline;
    p.multisample.sampleShadingEnable = s->shades;
    p.multisample.pNext = s->next;
    p.color_blend.attachmentCount = s->color ? 1 : 0;
    p.info.pDepthStencilState = &depth;
    (void)create_graphics_pipeline(b, &p.info);
}

#define SAMPLES(name_, color_, depth_, pipeline_, ...)                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &sample_rate, ##__VA_ARGS__)              \
    {                                                                                             \
        const struct samples s = {.color = color_, .depth = depth_, .pipeline = pipeline_, MORE}; \
        create_sampled(b, &s);                                                                    \
    }
static const VkPhysicalDeviceFeatures2 sample_rate = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                      .features = {.sampleRateShading = VK_TRUE}};
#define GRAPHICS(id_) .expect = {"VUID-VkGraphicsPipelineCreateInfo-" id_}
#define AMD           .extensions = {"VK_AMD_mixed_attachment_samples"}
#define NV                                                                             \
    .extensions = {"VK_NV_framebuffer_mixed_samples", "VK_NV_coverage_reduction_mode", \
                   "VK_NV_fragment_coverage_to_color"}

#define MORE .format = VK_FORMAT_UNDEFINED
SAMPLES(amd_most_samples, 1, 4, 4, AMD)
SAMPLES(amd_other_samples, 1, 4, 2, AMD, GRAPHICS("subpass-01505"),
        .text = {"pMultisampleState->rasterizationSamples is 2, but the attachments of subpass 0 "
                 "have 4 samples"})
SAMPLES(nv_more_samples, 1, 0, 4, NV)
SAMPLES(nv_fewer_samples, 4, 0, 2, NV, GRAPHICS("subpass-01412"))
SAMPLES(nv_depth_not_tested, 1, 2, 4, NV)
#define NO_ATTACHMENTS .null_driver = "{\"limits\": {\"framebufferNoAttachmentsSampleCounts\": 5}}"
SAMPLES(no_attachments, 0, 0, 4, NO_ATTACHMENTS)
SAMPLES(no_attachments_of_two, 0, 0, 2, NO_ATTACHMENTS, GRAPHICS("subpass-00758"),
        .text = {"is 2, but subpass 0 uses no attachments, and "
                 "framebufferNoAttachmentsSampleCounts is VK_SAMPLE_COUNT_1_BIT | "
                 "VK_SAMPLE_COUNT_4_BIT"})
#undef MORE

#define MORE .tests_depth = true
SAMPLES(nv_depth_tested, 1, 4, 4, NV)
SAMPLES(nv_depth_tested_of_others, 1, 2, 4, NV, GRAPHICS("subpass-01411"))
#undef MORE

#define MORE .shades = true
SAMPLES(nv_shades_same_samples, 4, 0, 4, NV)
SAMPLES(nv_shades_more_samples, 1, 0, 4, NV,
        .expect = {"VUID-VkPipelineMultisampleStateCreateInfo-rasterizationSamples-01415"})
#undef MORE

static const VkPhysicalDeviceCoverageReductionModeFeaturesNV reductions = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COVERAGE_REDUCTION_MODE_FEATURES_NV,
    .pNext = (void *)&sample_rate, .coverageReductionMode = VK_TRUE};
static const VkPipelineCoverageReductionStateCreateInfoNV truncate = {
    VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_REDUCTION_STATE_CREATE_INFO_NV,
    .coverageReductionMode = VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV};
SCENARIO(nv_shades_what_is_truncated, .drivers = NULL_DRIVER, .features = &reductions, NV)
{
    const struct samples s = {.color = 1, .pipeline = 4, .shades = true, .next = &truncate};
    create_sampled(b, &s);
}

static void destroy_pass(struct baseline *b, uint64_t handle)
{
    vkDestroyRenderPass(b->device, (VkRenderPass)handle, NULL);
}

/* A subpass without attachments that renders with 4 samples to images of one. The sentence asks
 * only devices without the feature. */
static void create_single_sampled(struct baseline *b, VkSampleCountFlagBits samples,
                                  VkBool32 enable)
{
    const VkMultisampledRenderToSingleSampledInfoEXT single = {
        .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
        .multisampledRenderToSingleSampledEnable = enable,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = &single,
                                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass};
    VkRenderPass pass = VK_NULL_HANDLE;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &pass));
    cleanup_add(b, destroy_pass, HANDLE(pass));
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), pass);
    p.multisample.rasterizationSamples = samples;
    p.color_blend.attachmentCount = 0;
    (void)create_graphics_pipeline(b, &p.info);
}
#define SINGLE_SAMPLED(name_, samples_, enable_, ...)                                       \
    SCENARIO(name_, .drivers = NULL_DRIVER, NO_ATTACHMENTS,                                 \
             .extensions = {"VK_EXT_multisampled_render_to_single_sampled"}, ##__VA_ARGS__) \
    {                                                                                       \
        create_single_sampled(b, samples_, enable_);                                        \
    }
static const VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT to_single = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
    .multisampledRenderToSingleSampled = VK_TRUE};
SINGLE_SAMPLED(single_sampled_same, VK_SAMPLE_COUNT_4_BIT, VK_TRUE)
SINGLE_SAMPLED(single_sampled_other, VK_SAMPLE_COUNT_1_BIT, VK_TRUE, GRAPHICS("renderPass-06854"),
               .text = {"is 1, but VkMultisampledRenderToSingleSampledInfoEXT::"
                        "rasterizationSamples of subpass 0 is 4"})
SINGLE_SAMPLED(single_sampled_not_enabled, VK_SAMPLE_COUNT_1_BIT, VK_FALSE)
SINGLE_SAMPLED(single_sampled_with_feature, VK_SAMPLE_COUNT_1_BIT, VK_TRUE, .features = &to_single)

/* Coverage that goes to a color attachment */
static const VkPipelineCoverageToColorStateCreateInfoNV to_color = {
    VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV,
    .coverageToColorEnable = VK_TRUE};
static const VkPipelineCoverageToColorStateCreateInfoNV to_far_color = {
    VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV,
    .coverageToColorEnable = VK_TRUE, .coverageToColorLocation = 1};
static const VkPipelineCoverageToColorStateCreateInfoNV to_no_color = {
    VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV,
    .coverageToColorLocation = 1};
#define TO_COLOR_ID \
    .expect = {"VUID-VkPipelineCoverageToColorStateCreateInfoNV-coverageToColorEnable-01404"}
#define MORE .next = &to_color, .format = VK_FORMAT_R32_UINT
SAMPLES(coverage_to_integers, 1, 0, 1, NV)
#undef MORE
#define MORE .next = &to_color
SAMPLES(coverage_to_others, 1, 0, 1, NV, TO_COLOR_ID)
#undef MORE
#define MORE .next = &to_far_color, .format = VK_FORMAT_R32_UINT
SAMPLES(coverage_to_no_attachment, 1, 0, 1, NV, TO_COLOR_ID)
#undef MORE
#define MORE .next = &to_no_color
SAMPLES(coverage_to_nothing, 1, 0, 1, NV)
#undef MORE

/* Tables that modulate it */
static const float table[4] = {1, 1, 1, 1};
#define TABLE(name_, count_)                                                              \
    static const VkPipelineCoverageModulationStateCreateInfoNV name_ = {                  \
        VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV,              \
        .coverageModulationTableEnable = VK_TRUE, .coverageModulationTableCount = count_, \
        .pCoverageModulationTable = table};
TABLE(table_of_4, 4)
TABLE(table_of_2, 2)
#define MORE .next = &table_of_4
SAMPLES(modulation_of_4, 1, 0, 4, NV)
#undef MORE
#define MORE .next = &table_of_2
SAMPLES(modulation_of_2_in_4, 1, 0, 4, NV,
        .expect = {"VUID-VkPipelineCoverageModulationStateCreateInfoNV-"
                   "coverageModulationTableEnable-01405"})
#undef MORE

/* --- with dynamic rendering ------------------------------------------------------------------- */

static const VkPhysicalDeviceVulkan13Features dynamic = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceCustomResolveFeaturesEXT custom = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT, .pNext = (void *)&dynamic,
    .customResolve = VK_TRUE};

static void create_dynamic(struct baseline *b, void *next)
{
    const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .pNext = next, .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    p.info.pNext = &rendering;
    (void)create_graphics_pipeline(b, &p.info);
}

#define COUNTS(name_, first_, count_, depth_, ...)                                                \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &dynamic, AMD, ##__VA_ARGS__)             \
    {                                                                                             \
        const VkSampleCountFlagBits colors[2] = {(VkSampleCountFlagBits)(first_),                 \
                                                 VK_SAMPLE_COUNT_1_BIT};                          \
        VkAttachmentSampleCountInfoAMD counts = {                                                 \
            VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD, .colorAttachmentCount = (count_), \
            .pColorAttachmentSamples = colors,                                                    \
            .depthStencilAttachmentSamples = (VkSampleCountFlagBits)(depth_)};                    \
        create_dynamic(b, &counts);                                                               \
    }
COUNTS(sample_counts, 1, 1, 0)
COUNTS(sample_counts_of_depth, 1, 1, 64)
COUNTS(sample_counts_too_many, 1, 2, 0, GRAPHICS("renderPass-06063"))
COUNTS(sample_counts_of_two_bits, 3, 1, 0, GRAPHICS("pColorAttachmentSamples-06592"))
COUNTS(sample_counts_of_depth_of_two_bits, 1, 1, 3, GRAPHICS("depthStencilAttachmentSamples-06593"))

#define RESOLVE(name_, depth_, stencil_, color_, ...)                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &custom,                               \
             .extensions = {"VK_EXT_custom_resolve"}, ##__VA_ARGS__)                           \
    {                                                                                          \
        const VkFormat color = VK_FORMAT_##color_;                                             \
        VkCustomResolveCreateInfoEXT info = {VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT, \
                                             .customResolve = VK_TRUE,                         \
                                             .colorAttachmentCount = 1,                        \
                                             .pColorAttachmentFormats = &color,                \
                                             .depthAttachmentFormat = VK_FORMAT_##depth_,      \
                                             .stencilAttachmentFormat = VK_FORMAT_##stencil_}; \
        create_dynamic(b, &info);                                                              \
    }
#define RESOLVE_ID(id_) .expect = {"VUID-VkCustomResolveCreateInfoEXT-" id_}
/* VK_FORMAT_R16_UNORM is 70, VK_FORMAT_D32_SFLOAT 126, VK_FORMAT_S8_UINT 127. */
#define WITHOUT(format_, feature_) \
    .null_driver = "{\"withoutFormatFeatures\": {\"" #format_ "\": " #feature_ "}}"
RESOLVE(resolve_colors, UNDEFINED, UNDEFINED, R8G8B8A8_UNORM)
RESOLVE(resolve_depth, D32_SFLOAT, UNDEFINED, UNDEFINED)
RESOLVE(resolve_both, D32_SFLOAT_S8_UINT, D32_SFLOAT_S8_UINT, UNDEFINED)
RESOLVE(resolve_depth_of_stencil, S8_UINT, UNDEFINED, UNDEFINED,
        RESOLVE_ID("depthAttachmentFormat-11508"))
RESOLVE(resolve_stencil_of_depth, UNDEFINED, D32_SFLOAT, UNDEFINED,
        RESOLVE_ID("stencilAttachmentFormat-11511"))
RESOLVE(resolve_color_not_an_attachment, UNDEFINED, UNDEFINED, R16_UNORM, WITHOUT(70, 128),
        RESOLVE_ID("pColorAttachmentFormats-11510"))
RESOLVE(resolve_depth_not_an_attachment, D32_SFLOAT, UNDEFINED, UNDEFINED, WITHOUT(126, 512),
        RESOLVE_ID("depthAttachmentFormat-11509"))
RESOLVE(resolve_stencil_not_an_attachment, UNDEFINED, S8_UINT, UNDEFINED, WITHOUT(127, 512),
        RESOLVE_ID("stencilAttachmentFormat-11512"))

/* Secondaries inherit a custom resolve, and shader objects have one. */
SCENARIO(inherited_resolve_of_no_depth, .drivers = NULL_DRIVER, .features = &custom,
         .extensions = {"VK_EXT_custom_resolve"}, RESOLVE_ID("depthAttachmentFormat-11508"))
{
    const VkFormat format = COLOR_FORMAT;
    const VkCustomResolveCreateInfoEXT resolve = {VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
                                                  .customResolve = VK_TRUE,
                                                  .depthAttachmentFormat = VK_FORMAT_S8_UINT};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO, .pNext = &resolve,
        .colorAttachmentCount = 1, .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo inheritance = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    (void)vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY), &begin);
}
