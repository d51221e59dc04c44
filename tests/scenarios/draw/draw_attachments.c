/* Draws in dynamic rendering. The pipeline must fit the attachments' formats, samples, views,
 * locations and layouts (20 "Drawing Commands"). */
#include "render/render_pass_builder.h"

/* A draw with a color attachment; a scenario changes one thing of the pipeline or of the rendering.
 */
struct drawing {
    VkRenderingAttachmentInfo color, depth, stencil;
    VkRenderingInfo rendering;
    VkPipelineRenderingCreateInfo formats;
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
    VkSampleCountFlagBits samples;
    VkDynamicState state; /* VK_DYNAMIC_STATE_MAX_ENUM: none */
    void (*set)(struct baseline *b, VkCommandBuffer command_buffer);
    bool discards; /* rasterizerDiscardEnable, and no fragment shader */
};

static void fill_attachment_drawing(struct baseline *b, struct drawing *d)
{
    static const VkFormat color_format = COLOR_FORMAT;
    memset(d, 0, sizeof(*d));
    d->color = rendering_attachment(ATTACHMENT());
    d->depth = d->stencil = rendering_attachment(VK_NULL_HANDLE);
    d->depth.imageLayout = d->stencil.imageLayout =
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    d->rendering = rendering_info(&d->color);
    d->rendering.pDepthAttachment = &d->depth;
    d->rendering.pStencilAttachment = &d->stencil;
    d->formats =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = &color_format};
    d->depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    d->samples = VK_SAMPLE_COUNT_1_BIT;
    d->state = VK_DYNAMIC_STATE_MAX_ENUM;
}

static VkPipeline make_attachment_pipeline(struct baseline *b, const struct drawing *d)
{
    struct graphics_pipeline pipeline;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &d->state};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    pipeline.color_blend.attachmentCount = d->formats.colorAttachmentCount;
    pipeline.multisample.rasterizationSamples = d->samples;
    pipeline.info.pDepthStencilState = &d->depth_stencil;
    pipeline.info.pNext = &d->formats;
    pipeline.rasterization.rasterizerDiscardEnable = d->discards;
    pipeline.info.stageCount = d->discards ? 1 : 2;
    if (d->state != VK_DYNAMIC_STATE_MAX_ENUM)
        pipeline.info.pDynamicState = &dynamic;
    return create_graphics_pipeline(b, &pipeline.info);
}

static void draw_to_attachments(struct baseline *b, const struct drawing *d)
{
    VkPipeline pipeline = make_attachment_pipeline(b, d);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &d->rendering);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (d->set)
        d->set(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRendering(command_buffer);
}

static const VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT unused_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .dynamicRenderingUnusedAttachments = VK_TRUE};
#define DRAW(name_, fields_, ...)                               \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct drawing drawing, *d = &drawing;                  \
        fill_attachment_drawing(b, d);                          \
        __VA_ARGS__;                                            \
        draw_to_attachments(b, d);                              \
    }
#define UNUSED \
    .features = &unused_features, .extensions = {"VK_EXT_dynamic_rendering_unused_attachments"}
#define FAULT(id_, ...) (.expect = {"VUID-vkCmdDraw-" id_}, __VA_ARGS__)

/* --- formats --- */

#define D32S8 VK_FORMAT_D32_SFLOAT_S8_UINT
#define WITH_DEPTH(...)                           \
    d->depth.imageView = ATTACHMENT(__VA_ARGS__); \
    d->rendering.pDepthAttachment = &d->depth
#define WITH_STENCIL(...)                           \
    d->stencil.imageView = ATTACHMENT(__VA_ARGS__); \
    d->rendering.pStencilAttachment = &d->stencil
#define MADE_FOR_DEPTH   d->formats.depthAttachmentFormat
#define MADE_FOR_STENCIL d->formats.stencilAttachmentFormat

/* Formats are fragment output state, which it does not have. */
DRAW(color_of_discarding_pipeline, (), d->discards = true)
DRAW(depth_and_color, (), WITH_DEPTH(.format = VK_FORMAT_D16_UNORM);
     MADE_FOR_DEPTH = VK_FORMAT_D16_UNORM)
DRAW(depth_of_other_format,
     FAULT("dynamicRenderingUnusedAttachments-08914",
           .text = {"is in a render pass instance whose depth attachment (VkImageView 0x",
                    ") has the format VK_FORMAT_D16_UNORM, but the bound pipeline was created for "
                    "VK_FORMAT_D32_SFLOAT"}),
     WITH_DEPTH(.format = VK_FORMAT_D16_UNORM);
     MADE_FOR_DEPTH = VK_FORMAT_D32_SFLOAT)
DRAW(depth_of_other_format_unused,
     FAULT("dynamicRenderingUnusedAttachments-08915", UNUSED,
           .text = {"whose depth attachment (VkImageView 0x", ") has the format"}),
     WITH_DEPTH(.format = VK_FORMAT_D16_UNORM);
     MADE_FOR_DEPTH = VK_FORMAT_D32_SFLOAT)
DRAW(depth_that_is_not_used, (UNUSED), WITH_DEPTH(.format = VK_FORMAT_D16_UNORM))
DRAW(stencil_and_color, (), WITH_STENCIL(.format = D32S8); MADE_FOR_STENCIL = D32S8)
DRAW(stencil_missing,
     FAULT("dynamicRenderingUnusedAttachments-08916",
           .text = {"has no stencil attachment in its render pass instance, but the bound pipeline "
                    "was created for one"}),
     MADE_FOR_STENCIL = D32S8)
DRAW(stencil_missing_unused, (UNUSED), MADE_FOR_STENCIL = D32S8)
DRAW(stencil_of_other_format,
     FAULT("dynamicRenderingUnusedAttachments-08917",
           .text = {"whose stencil attachment (VkImageView 0x", ") has the format"},
           .drivers = NULL_DRIVER),
     WITH_STENCIL(.format = D32S8);
     MADE_FOR_STENCIL = VK_FORMAT_D24_UNORM_S8_UINT)
DRAW(stencil_of_other_format_unused,
     FAULT("dynamicRenderingUnusedAttachments-08918", UNUSED,
           .text = {"whose stencil attachment (VkImageView 0x", ") has the format"},
           .drivers = NULL_DRIVER),
     WITH_STENCIL(.format = D32S8);
     MADE_FOR_STENCIL = VK_FORMAT_D24_UNORM_S8_UINT)

/* Pipelines whose draws were in order are not compared again, until another instance begins. */
static void draw_in_turn(struct baseline *b, const struct drawing *first,
                         const struct drawing *second)
{
    const VkPipeline pipelines[2] = {make_attachment_pipeline(b, first),
                                     make_attachment_pipeline(b, first)};
    VkCommandBuffer command_buffer = make_recording(b);
    for (uint32_t i = 0; i < 6; i++) {
        if (i == 0 || i == 4)
            vkCmdBeginRendering(command_buffer, i == 0 ? &first->rendering : &second->rendering);
        vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i % 2]);
        vkCmdDraw(command_buffer, 3, 1, 0, 0);
        if (i == 3 || i == 5)
            vkCmdEndRendering(command_buffer);
    }
}

SCENARIO(in_turn_in_an_instance_of_other_formats, .features = &pass_features,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08914",
                    "VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08914"})
{
    struct drawing first, second, *d = &second;
    fill_attachment_drawing(b, &first);
    fill_attachment_drawing(b, d);
    WITH_DEPTH(.format = VK_FORMAT_D16_UNORM);
    draw_in_turn(b, &first, d);
}

SCENARIO(in_turn_in_another_instance, .features = &pass_features)
{
    struct drawing first, second;
    fill_attachment_drawing(b, &first);
    fill_attachment_drawing(b, &second);
    draw_in_turn(b, &first, &second);
}

/* One that was not in order is found each time, between others that are. */
SCENARIO(in_turn_with_one_of_other_formats, .features = &pass_features,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08913",
                    "VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08913"})
{
    struct drawing fitting, drawing, *d = &drawing;
    fill_attachment_drawing(b, &fitting);
    fill_attachment_drawing(b, d);
    MADE_FOR_DEPTH = VK_FORMAT_D16_UNORM;
    const VkPipeline pipelines[2] = {make_attachment_pipeline(b, &fitting),
                                     make_attachment_pipeline(b, d)};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &fitting.rendering);
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i % 2]);
        vkCmdDraw(command_buffer, 3, 1, 0, 0);
    }
    vkCmdEndRendering(command_buffer);
}

/* --- samples --- */

#define FOUR          .samples = VK_SAMPLE_COUNT_4_BIT
#define WITHOUT_COLOR d->rendering.colorAttachmentCount = d->formats.colorAttachmentCount = 0

DRAW(color_of_four_samples, (), d->color.imageView = ATTACHMENT(FOUR);
     d->samples = VK_SAMPLE_COUNT_4_BIT)
DRAW(color_of_more_samples,
     FAULT("multisampledRenderToSingleSampled-07285",
           .text = {"is in a render pass instance whose color attachment 0 (VkImageView 0x",
                    " of VkImage 0x", ") has 4 samples, but 1 are rasterized"}),
     d->color.imageView = ATTACHMENT(FOUR))
DRAW(depth_of_more_samples,
     FAULT("multisampledRenderToSingleSampled-07286",
           .text = {"whose depth attachment (VkImageView 0x", ") has 4 samples"}),
     WITHOUT_COLOR;
     WITH_DEPTH(.format = VK_FORMAT_D32_SFLOAT, FOUR); MADE_FOR_DEPTH = VK_FORMAT_D32_SFLOAT)
DRAW(stencil_of_more_samples,
     FAULT("multisampledRenderToSingleSampled-07287",
           .text = {"whose stencil attachment (VkImageView 0x", ") has 4 samples"}),
     WITHOUT_COLOR;
     WITH_STENCIL(.format = D32S8, FOUR); MADE_FOR_STENCIL = D32S8)

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .extendedDynamicState3SampleMask = VK_TRUE};
#define DYNAMIC_MASK .features = &dynamic_features, .extensions = {"VK_EXT_extended_dynamic_state3"}
static void set_mask_of_one(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT,
                                          (VkSampleMask[]){1});
}
static void set_mask_of_four(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(command_buffer, VK_SAMPLE_COUNT_4_BIT,
                                          (VkSampleMask[]){1});
}
#define MASKED(set_)                             \
    d->color.imageView = ATTACHMENT(FOUR);       \
    d->samples = VK_SAMPLE_COUNT_4_BIT;          \
    d->state = VK_DYNAMIC_STATE_SAMPLE_MASK_EXT; \
    d->set = set_
DRAW(mask_of_all_samples, (DYNAMIC_MASK), MASKED(set_mask_of_four))
DRAW(mask_of_fewer_samples,
     FAULT("samples-07472", DYNAMIC_MASK,
           .text = {"but the samples of the current sample mask is VK_SAMPLE_COUNT_1_BIT, less "
                    "than the current rasterizationSamples (VK_SAMPLE_COUNT_4_BIT)"}),
     MASKED(set_mask_of_one))

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic_samples = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .extendedDynamicState3RasterizationSamples = VK_TRUE};
#define DYNAMIC_SAMPLES \
    .features = &dynamic_samples, .extensions = {"VK_EXT_extended_dynamic_state3"}
static void set_samples_of_one(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(command_buffer, VK_SAMPLE_COUNT_1_BIT);
}
static void set_samples_of_four(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(command_buffer, VK_SAMPLE_COUNT_4_BIT);
}
#define SAMPLED(set_)                                      \
    d->color.imageView = ATTACHMENT(FOUR);                 \
    d->state = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT; \
    d->set = set_
DRAW(samples_set_to_those_of_color, (DYNAMIC_SAMPLES), SAMPLED(set_samples_of_four))
DRAW(samples_set_to_fewer,
     FAULT("None-08644", DYNAMIC_SAMPLES,
           .text = {"color attachment 0 (VkImageView 0x", ") has 4 samples, but 1 are rasterized"}),
     SAMPLED(set_samples_of_one))

/* --- views and locations --- */

DRAW(views, (), d->rendering.viewMask = d->formats.viewMask = 1; d->rendering.layerCount = 0)
DRAW(views_of_other_mask,
     FAULT("viewMask-06178", .text = {"but the view mask of the render pass instance is 1, and the "
                                      "viewMask of the pipeline is 0"}),
     d->rendering.viewMask = 1;
     d->rendering.layerCount = 0)

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)&pass_features,
    .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL .features = &local_read, .extensions = {"VK_KHR_dynamic_rendering_local_read"}
static const uint32_t nowhere = VK_ATTACHMENT_UNUSED;
static const VkRenderingAttachmentLocationInfo moved = {
    .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
    .colorAttachmentCount = 1,
    .pColorAttachmentLocations = &nowhere};
static void move_locations(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdSetRenderingAttachmentLocationsKHR)(command_buffer, &moved);
}
DRAW(location_moved_in_both, (LOCAL), d->formats.pNext = &moved; d->set = move_locations)
DRAW(location_moved_in_pipeline,
     FAULT("None-09548", LOCAL,
           .text = {"has location 0 for color attachment 0 in its render pass instance, but the "
                    "bound pipeline has -1"}),
     d->formats.pNext = &moved)

/* --- layouts that are only read --- */

static void test_depth(struct drawing *d, VkBool32 write, VkImageLayout layout)
{
    d->depth_stencil.depthTestEnable = VK_TRUE;
    d->depth_stencil.depthWriteEnable = write;
    d->depth_stencil.depthCompareOp = VK_COMPARE_OP_LESS;
    d->depth.imageLayout = layout;
    d->depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
}
static void test_stencil(struct drawing *d, VkStencilOp pass, VkImageLayout layout)
{
    d->depth_stencil.stencilTestEnable = VK_TRUE;
    d->depth_stencil.front.writeMask = d->depth_stencil.back.writeMask = 1;
    d->depth_stencil.front.passOp = pass;
    d->stencil.imageLayout = layout;
    d->stencil.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
}
#define DEPTH_TEST(write_, layout_)             \
    WITH_DEPTH(.format = VK_FORMAT_D32_SFLOAT); \
    MADE_FOR_DEPTH = VK_FORMAT_D32_SFLOAT;      \
    test_depth(d, write_, VK_IMAGE_LAYOUT_DEPTH_STENCIL_##layout_)
#define STENCIL_TEST(pass_, layout_) \
    WITH_STENCIL(.format = D32S8);   \
    MADE_FOR_STENCIL = D32S8;        \
    test_stencil(d, VK_STENCIL_OP_##pass_, VK_IMAGE_LAYOUT_DEPTH_STENCIL_##layout_)
DRAW(depth_written, (), DEPTH_TEST(VK_TRUE, ATTACHMENT_OPTIMAL))
DRAW(depth_tested, (), DEPTH_TEST(VK_FALSE, READ_ONLY_OPTIMAL))
DRAW(depth_written_that_is_read,
     FAULT("None-06886",
           .text = {"has the read-only layout VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL for "
                    "the depth attachment (VkImageView 0x",
                    "), but depth writes are enabled"}),
     DEPTH_TEST(VK_TRUE, READ_ONLY_OPTIMAL))
DRAW(depth_not_tested, (), DEPTH_TEST(VK_TRUE, READ_ONLY_OPTIMAL);
     d->depth_stencil.depthTestEnable = VK_FALSE)
DRAW(stencil_written, (), STENCIL_TEST(REPLACE, ATTACHMENT_OPTIMAL))
DRAW(stencil_tested, (), STENCIL_TEST(KEEP, READ_ONLY_OPTIMAL))
DRAW(stencil_written_that_is_read,
     FAULT("None-06887",
           .text = {"has the read-only layout VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL for "
                    "the stencil attachment (VkImageView 0x",
                    "), but the stencil operations are not all VK_STENCIL_OP_KEEP"}),
     STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL))
DRAW(stencil_masked, (), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     d->depth_stencil.front.writeMask = 0)
DRAW(stencil_masked_behind, (), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     d->depth_stencil.back.writeMask = 0)
DRAW(stencil_not_tested, (), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     d->depth_stencil.stencilTestEnable = VK_FALSE)
DRAW(stencil_failing_that_is_read,
     FAULT("None-06887", .text = {"but the stencil operations are not all VK_STENCIL_OP_KEEP"}),
     STENCIL_TEST(KEEP, READ_ONLY_OPTIMAL);
     d->depth_stencil.back.failOp = VK_STENCIL_OP_INVERT)
/* The same where they are set by commands. */
static void set_mask(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdSetStencilWriteMask(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
}
static void set_no_mask_behind(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdSetStencilWriteMask(command_buffer, VK_STENCIL_FACE_FRONT_BIT, 1);
    vkCmdSetStencilWriteMask(command_buffer, VK_STENCIL_FACE_BACK_BIT, 0);
}
static void set_replacing(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdSetStencilOp(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                      VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
}
static void set_keeping(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdSetStencilOp(command_buffer, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
}
#define DYNAMIC(state_, set_)                     \
    d->state = VK_DYNAMIC_STATE_STENCIL_##state_; \
    d->set = set_
DRAW(stencil_written_by_dynamic_mask, FAULT("None-06887"), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     DYNAMIC(WRITE_MASK, set_mask))
DRAW(stencil_masked_behind_by_dynamic_mask, (), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     DYNAMIC(WRITE_MASK, set_no_mask_behind))
DRAW(stencil_written_by_dynamic_operations, FAULT("None-06887"),
     STENCIL_TEST(KEEP, READ_ONLY_OPTIMAL);
     DYNAMIC(OP, set_replacing))
DRAW(stencil_kept_by_dynamic_operations, (), STENCIL_TEST(REPLACE, READ_ONLY_OPTIMAL);
     DYNAMIC(OP, set_keeping))

/* --- custom resolves --- */

static const VkPhysicalDeviceCustomResolveFeaturesEXT custom_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    .pNext = (void *)&local_read,
    .customResolve = VK_TRUE};
#define CUSTOM                                            \
    .features = &custom_features, .drivers = NULL_DRIVER, \
    .extensions = {"VK_EXT_custom_resolve", "VK_KHR_dynamic_rendering_local_read"}

static VkCommandBuffer record_resolving_secondary(struct baseline *b,
                                                  const VkCustomResolveCreateInfoEXT *resolve,
                                                  VkRenderingFlags flags,
                                                  VkSampleCountFlagBits samples,
                                                  VkFormat depth_stencil)
{
    static const VkFormat format = COLOR_FORMAT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = resolve,
        .flags = flags,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .depthAttachmentFormat = depth_stencil,
        .stencilAttachmentFormat = depth_stencil,
        .rasterizationSamples = samples};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    return secondary;
}

/* Executes a secondary that was recorded with `resolve` in an instance with or without a custom
 * resolve, before or after that has begun. */
static void execute_custom_resolve(struct baseline *b, const VkCustomResolveCreateInfoEXT *resolve,
                                   bool custom, bool begun)
{
    struct drawing d;
    fill_attachment_drawing(b, &d);
    VkRenderingFlags flags = custom ? VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT : 0;
    /* After vkCmdBeginCustomResolveEXT it is the resolve attachments that are drawn to. */
    const bool resolves = begun && resolve && resolve->customResolve;
    VkCommandBuffer secondary =
        record_resolving_secondary(b, resolve, flags,
                                   resolves ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT,
                                   VK_FORMAT_UNDEFINED);
    VkCommandBuffer command_buffer = make_recording(b);
    d.color.imageView = ATTACHMENT(FOUR);
    d.color.resolveMode = custom ? VK_RESOLVE_MODE_CUSTOM_BIT_EXT : VK_RESOLVE_MODE_NONE;
    d.color.resolveImageView = custom ? ATTACHMENT() : VK_NULL_HANDLE;
    d.color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    d.rendering.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT | flags;
    vkCmdBeginRendering(command_buffer, &d.rendering);
    if (begun)
        DEVICE_PROC(b, vkCmdBeginCustomResolveEXT)(command_buffer, NULL);
    vkCmdExecuteCommands(command_buffer, 1, &secondary);
}

static const VkFormat resolve_format = COLOR_FORMAT;
static const VkCustomResolveCreateInfoEXT
    before = {.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
              .customResolve = VK_FALSE,
              .colorAttachmentCount = 1,
              .pColorAttachmentFormats = &resolve_format},
    after = {.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
             .customResolve = VK_TRUE,
             .colorAttachmentCount = 1,
             .pColorAttachmentFormats = &resolve_format};
#define EXECUTE(name_, resolve_, custom_, begun_, ...)        \
    SCENARIO(name_, CUSTOM, ##__VA_ARGS__)                    \
    {                                                         \
        execute_custom_resolve(b, resolve_, custom_, begun_); \
    }
#define EXECUTED(id_, text_) \
    .expect = {"VUID-vkCmdExecuteCommands-pCommandBuffers-" id_}, .text = {text_}
EXECUTE(execute_without_custom_resolve, NULL, false, false)
EXECUTE(execute_before_custom_resolve, &before, true, false)
EXECUTE(execute_after_custom_resolve, &after, true, true)
EXECUTE(execute_recorded_for_no_custom_resolve, NULL, true, false,
        EXECUTED("11500", "was recorded without VkCustomResolveCreateInfoEXT, but the render pass "
                          "instance was begun with VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT"))
EXECUTE(execute_recorded_for_custom_resolve, &before, false, false,
        EXECUTED("11501", "was recorded with VkCustomResolveCreateInfoEXT, but the render pass "
                          "instance was begun without VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT"))
EXECUTE(execute_too_late, &before, true, true,
        EXECUTED("11502", "was recorded with customResolve VK_FALSE, but "
                          "vkCmdBeginCustomResolveEXT has been recorded"))
EXECUTE(execute_too_early, &after, true, false,
        EXECUTED("11503", "was recorded with customResolve VK_TRUE, but vkCmdBeginCustomResolveEXT "
                          "has not been recorded"))

/* A secondary that was recorded for a custom resolve, and what it finds: color, depth and stencil,
 * of four samples, with resolve attachments or without. */
struct custom {
    VkCustomResolveCreateInfoEXT info;
    VkFormat format;
    bool begun, color, depth, stencil; /* they have a resolve attachment */
    VkSampleCountFlagBits samples;
};

static void execute_custom(struct baseline *b, struct custom *c)
{
    struct drawing d;
    fill_attachment_drawing(b, &d);
    const VkRenderingFlags flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
    c->info.pColorAttachmentFormats = &c->format;
    VkCommandBuffer secondary = record_resolving_secondary(b, &c->info, flags, c->samples, D32S8);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkImageView view = ATTACHMENT(.format = D32S8, FOUR),
                      resolved = ATTACHMENT(.format = D32S8);
    d.color.imageView = ATTACHMENT(FOUR);
    const VkResolveModeFlagBits custom = VK_RESOLVE_MODE_CUSTOM_BIT_EXT,
                                none = VK_RESOLVE_MODE_NONE;
    d.color.resolveMode = c->color ? custom : none;
    d.depth.resolveMode = c->depth ? custom : none;
    d.stencil.resolveMode = c->stencil ? custom : none;
    d.color.resolveImageView = c->color ? ATTACHMENT() : VK_NULL_HANDLE;
    d.color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    d.depth.imageView = d.stencil.imageView = view;
    d.depth.resolveImageView = c->depth ? resolved : VK_NULL_HANDLE;
    d.stencil.resolveImageView = c->stencil ? resolved : VK_NULL_HANDLE;
    d.depth.resolveImageLayout = d.stencil.resolveImageLayout =
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    d.rendering.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT | flags;
    vkCmdBeginRendering(command_buffer, &d.rendering);
    if (c->begun)
        DEVICE_PROC(b, vkCmdBeginCustomResolveEXT)(command_buffer, NULL);
    vkCmdExecuteCommands(command_buffer, 1, &secondary);
}

#define EXECUTE_CUSTOM(name_, change_, ...)                                    \
    SCENARIO(name_, CUSTOM, ##__VA_ARGS__)                                     \
    {                                                                          \
        struct custom c = {.info = before,                                     \
                           .format = COLOR_FORMAT,                             \
                           .color = true,                                      \
                           .depth = true,                                      \
                           .stencil = true,                                    \
                           .samples = VK_SAMPLE_COUNT_4_BIT};                  \
        c.info.depthAttachmentFormat = c.info.stencilAttachmentFormat = D32S8; \
        change_;                                                               \
        execute_custom(b, &c);                                                 \
    }
#define EXECUTED_CUSTOM(id_, ...) \
    .allow = {VIEWLESS}, .expect = {"VUID-vkCmdExecuteCommands-" id_}, ##__VA_ARGS__
#define VIEWLESS "VUID-VkRenderingAttachmentInfo-imageView-06862"
#define BEGUN       \
    c.begun = true; \
    c.info.customResolve = VK_TRUE
EXECUTE_CUSTOM(execute_custom_of_all, (void)0)
EXECUTE_CUSTOM(execute_custom_of_all_begun, BEGUN; c.samples = VK_SAMPLE_COUNT_1_BIT)
EXECUTE_CUSTOM(execute_custom_of_no_color, c.info.colorAttachmentCount = 0,
               EXECUTED_CUSTOM("colorAttachmentCount-11532",
                               .text = {"was recorded for a custom resolve of 0 color "
                                        "attachments, but the render pass instance has 1"}))
EXECUTE_CUSTOM(execute_custom_of_other_color, c.format = VK_FORMAT_R16G16_UNORM,
               EXECUTED_CUSTOM("resolveImageView-11533"))
EXECUTE_CUSTOM(execute_custom_of_lacking_color, c.color = false,
               EXECUTED_CUSTOM("resolveImageView-11534"))
EXECUTE_CUSTOM(execute_custom_of_other_stencil,
               c.info.depthAttachmentFormat = c.info.stencilAttachmentFormat =
                   VK_FORMAT_D24_UNORM_S8_UINT,
               EXECUTED_CUSTOM("pStencilAttachment-11536"))
EXECUTE_CUSTOM(execute_custom_of_lacking_depth, c.depth = false,
               EXECUTED_CUSTOM("pDepthAttachment-11537"))
EXECUTE_CUSTOM(execute_custom_of_lacking_stencil, c.stencil = false,
               EXECUTED_CUSTOM("pStencilAttachment-11538"))
EXECUTE_CUSTOM(execute_custom_of_four_samples, BEGUN,
               EXECUTED_CUSTOM("resolveImageView-11526",
                               .text = {"was recorded with VK_SAMPLE_COUNT_4_BIT"}))
#define NO_COLOR     \
    BEGUN;           \
    c.color = false; \
    c.format = VK_FORMAT_UNDEFINED
EXECUTE_CUSTOM(execute_custom_of_four_samples_of_depth, NO_COLOR; c.stencil = false;
               c.info.stencilAttachmentFormat = VK_FORMAT_UNDEFINED,
               EXECUTED_CUSTOM("pDepthAttachment-11527"))
EXECUTE_CUSTOM(execute_custom_of_four_samples_of_stencil, NO_COLOR; c.depth = false;
               c.info.depthAttachmentFormat = VK_FORMAT_UNDEFINED,
               EXECUTED_CUSTOM("pStencilAttachment-11528"))
