/* Compatible render passes (8.2 "Render Pass Compatibility"), for draws, framebuffers and
 * secondaries. They differ in what a resolve needs alone, and in the order of their dependencies.
 */
#include "scenario.h"

/* The differences between two passes with one subpass. */
struct differing {
    /* a second attachment, which the color attachment is resolved into */
    bool resolves;
    bool resolve_first;          /* it is the first attachment */
    bool turned;                 /* the dependencies in the other order */
    VkFormat format;             /* of the color attachment; 0: COLOR_FORMAT */
    VkSampleCountFlagBits count; /* 0: four */
};

static VkRenderPass make_differing_pass(struct baseline *b, const struct differing *d)
{
    VkAttachmentDescription attachments[2] = {
        {.format = d->format ? d->format : COLOR_FORMAT,
         .samples = d->count ? d->count : VK_SAMPLE_COUNT_4_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
         .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}};
    attachments[1] = attachments[0];
    attachments[!d->resolve_first].samples = VK_SAMPLE_COUNT_1_BIT;
    const VkAttachmentReference color = {d->resolve_first,
                                         VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                resolve = {!d->resolve_first,
                                           VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    if (d->resolve_first)
        attachments[1].samples = VK_SAMPLE_COUNT_4_BIT;
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &color,
                                    .pResolveAttachments = d->resolves ? &resolve : NULL};
    VkSubpassDependency dependencies[2] = {
        {.srcSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT},
        {.dstSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
         .dstAccessMask = VK_ACCESS_SHADER_READ_BIT}};
    if (d->turned) {
        VkSubpassDependency first = dependencies[0];
        dependencies[0] = dependencies[1];
        dependencies[1] = first;
    }
    VkRenderPassCreateInfo info = render_pass_info();
    info.attachmentCount = d->resolves ? 2 : 1;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 2;
    info.pDependencies = dependencies;
    VkRenderPass pass = create_render_pass(b, &info);
    ENSURE(pass);
    return pass;
}
#define PASS(...) make_differing_pass(b, &(struct differing){__VA_ARGS__})

static VkImageView make_sampled_view(struct baseline *b, VkSampleCountFlagBits samples)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.samples = samples;
    const VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    return create_image_view(b, &view);
}

/* Makes a framebuffer of the first `count` of a color attachment with four samples and one to
 * resolve it into. */
static VkFramebuffer make_buffers(struct baseline *b, VkRenderPass pass, uint32_t count)
{
    const VkImageView views[2] = {make_sampled_view(b, VK_SAMPLE_COUNT_4_BIT),
                                  make_sampled_view(b, VK_SAMPLE_COUNT_1_BIT)};
    VkFramebufferCreateInfo info = framebuffer_info(pass, views);
    info.attachmentCount = count;
    return create_framebuffer(b, &info);
}

static VkPipeline make_pipeline_for_pass(struct baseline *b, VkRenderPass pass,
                                         VkSampleCountFlagBits samples)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), pass);
    p.multisample.rasterizationSamples = samples;
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    ENSURE(pipeline);
    return pipeline;
}

static void begin_pass_with(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
                            VkSubpassContents contents)
{
    const VkClearValue clear[2] = {0};
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, framebuffer);
    info.clearValueCount = 2;
    info.pClearValues = clear;
    vkCmdBeginRenderPass(commands, &info, contents);
}

/* A pipeline that was made for one pass is drawn with in another one, with or without the resolve.
 */
static void draw_in_pass(struct baseline *b, VkPipeline pipeline, VkRenderPass pass,
                         uint32_t attachments)
{
    VkCommandBuffer commands = make_recording(b);
    begin_pass_with(commands, pass, make_buffers(b, pass, attachments), VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
}

SCENARIO(pipeline_without_the_resolve)
{
    draw_in_pass(b, make_pipeline_for_pass(b, PASS(0), VK_SAMPLE_COUNT_4_BIT),
                 PASS(.resolves = true), 2);
}

SCENARIO(pipeline_with_a_resolve)
{
    draw_in_pass(b, make_pipeline_for_pass(b, PASS(.resolves = true), VK_SAMPLE_COUNT_4_BIT),
                 PASS(0), 1);
}

SCENARIO(pipeline_with_the_resolve_first)
{
    draw_in_pass(b,
                 make_pipeline_for_pass(b, PASS(.resolves = true, .resolve_first = true),
                                        VK_SAMPLE_COUNT_4_BIT),
                 PASS(0), 1);
}

SCENARIO(pipeline_of_turned_dependencies)
{
    draw_in_pass(b, make_pipeline_for_pass(b, PASS(.turned = true), VK_SAMPLE_COUNT_4_BIT), PASS(0),
                 1);
}

#define INCOMPATIBLE .expect = {"VUID-vkCmdDraw-renderPass-02684"}, .text = {"is not compatible"}
SCENARIO(pipeline_of_another_format, INCOMPATIBLE)
{
    draw_in_pass(b,
                 make_pipeline_for_pass(b, PASS(.format = VK_FORMAT_R8_UNORM),
                                        VK_SAMPLE_COUNT_4_BIT),
                 PASS(.resolves = true), 2);
}

/* The pass that the pipeline was made for may be gone; what it was like is known. */
static VkPipeline outlive_pass(struct baseline *b, VkFormat format)
{
    VkRenderPass pass = PASS(.format = format);
    VkPipeline pipeline = make_pipeline_for_pass(b, pass, VK_SAMPLE_COUNT_4_BIT);
    FORGET(b, pass);
    vkDestroyRenderPass(b->device, pass, NULL);
    return pipeline;
}

SCENARIO(pipeline_of_a_pass_that_is_gone)
{
    draw_in_pass(b, outlive_pass(b, COLOR_FORMAT), PASS(.resolves = true), 2);
}

SCENARIO(pipeline_of_another_pass_that_is_gone, INCOMPATIBLE)
{
    draw_in_pass(b, outlive_pass(b, VK_FORMAT_R8_UNORM), PASS(0), 1);
}

/* --- framebuffers --- */

SCENARIO(framebuffer_with_a_view_to_spare)
{
    begin_pass_with(make_recording(b), PASS(0), make_buffers(b, PASS(.resolves = true), 2),
                    VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(framebuffer_without_the_resolve, .expect = {"VUID-VkRenderPassBeginInfo-renderPass-00904"},
         .text = {"has 2 attachments, but the framebuffer has 1"})
{
    begin_pass_with(make_recording(b), PASS(.resolves = true), make_buffers(b, PASS(0), 1),
                    VK_SUBPASS_CONTENTS_INLINE);
}

/* --- secondaries --- */

static VkCommandBuffer record_secondary_for_pass(struct baseline *b, VkRenderPass pass)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags =
                                               VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
    VK(vkBeginCommandBuffer(secondary, &info));
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_pipeline_for_pass(b, pass, VK_SAMPLE_COUNT_4_BIT));
    vkCmdDraw(secondary, 3, 1, 0, 0);
    VK(vkEndCommandBuffer(secondary));
    return secondary;
}

SCENARIO(secondary_without_the_resolve)
{
    VkCommandBuffer secondary = record_secondary_for_pass(b, PASS(0)), commands = make_recording(b);
    VkRenderPass pass = PASS(.resolves = true);
    begin_pass_with(commands, pass, make_buffers(b, pass, 2),
                    VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(commands, 1, &secondary);
    vkCmdEndRenderPass(commands);
}
