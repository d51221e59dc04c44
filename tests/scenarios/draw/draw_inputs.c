/* Statements at a draw about input attachments: their indices in dynamic rendering and in
 * subpasses, and their layouts. */
#include "draw/draw_rows.h"

#include "shader_interface.h"

FEATURES(of_local, VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR,
         DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR, pass_features,
         .dynamicRenderingLocalRead = VK_TRUE);

/* A set with an input attachment, and a layout for it. */
struct reads {
    VkPipelineLayout layout;
    VkDescriptorSet set;
};
static struct reads read_input(struct baseline *b, VkImageView view, VkImageLayout image_layout)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size};
    const VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &layout_info);
    const VkPipelineLayoutCreateInfo pipeline_layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &layout};
    const VkDescriptorSet set =
        make_descriptor_set(b, create_descriptor_pool(b, &pool_info), layout);
    const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = image_layout};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                        .pImageInfo = &image};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return (struct reads){create_pipeline_layout(b, &pipeline_layout_info), set};
}

/* The color attachment is read as input attachment 1, as is a depth or stencil one. */
enum input { INPUT_COLOR, INPUT_DEPTH, INPUT_STENCIL, INPUT_UNUSED };
static void draw_reading_in(struct baseline *b, enum input input, uint32_t made_for,
                            VkRenderingFlags flags, VkRenderingAttachmentFlagsKHR attachment_flags,
                            VkImageLayout layout)
{
    const VkRenderingAttachmentFlagsInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR, .flags = attachment_flags};
    const VkFormat formats[2] = {COLOR_FORMAT, D32S8};
    const bool color = input == INPUT_COLOR || input == INPUT_UNUSED;
    const uint32_t unused = VK_ATTACHMENT_UNUSED, none = 7, wanted = input == INPUT_UNUSED ? 3 : 1;
    VkRenderingInputAttachmentIndexInfo now = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = color ? &wanted : &none,
        .pDepthInputAttachmentIndex = input == INPUT_DEPTH ? &wanted : &unused,
        .pStencilInputAttachmentIndex = input == INPUT_STENCIL ? &wanted : &unused};
    VkRenderingInputAttachmentIndexInfo then = now;
    then.pColorAttachmentInputIndices = color ? &made_for : &none;
    then.pDepthInputAttachmentIndex = input == INPUT_DEPTH ? &made_for : &unused;
    then.pStencilInputAttachmentIndex = input == INPUT_STENCIL ? &made_for : &unused;
    const VkImageView view = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                 VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    const struct reads reads = read_input(b, view, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
    struct drawn drawn, *d = &drawn;
    fill_drawn(b, d);
    d->rendering.flags = flags;
    if (flags)
        d->colors[0].pNext = &feedback;
    d->colors[0].imageView = view;
    d->colors[0].imageLayout = layout;
    d->depth.imageView = d->stencil.imageView = ATTACHMENT(.format = formats[1]);
    d->made_for.depthAttachmentFormat = d->made_for.stencilAttachmentFormat = formats[1];
    d->p.info.layout = reads.layout;
    d->p.stages[1].module = MAKE_SHADER(b, spirv_fragment_reads_input_1);
    CHAIN(d->p.info.pNext, then);
    VkCommandBuffer c = start_drawn(b, d);
    CALL(vkCmdSetRenderingInputAttachmentIndicesKHR)(c, &now);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.layout, 0, 1, &reads.set, 0,
                            NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
}
static void draw_reading(struct baseline *b, enum input input, uint32_t made_for,
                         VkRenderingFlags flags, VkRenderingAttachmentFlagsKHR attachment_flags)
{
    draw_reading_in(b, input, made_for, flags, attachment_flags,
                    VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
}
#define READING(name_, input_, made_for_, ...)                                   \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &of_local,               \
             .extensions = {"VK_KHR_dynamic_rendering_local_read"}, __VA_ARGS__) \
    {                                                                            \
        draw_reading(b, input_, made_for_, 0, 0);                                \
    }
READING(input_index_of_color, INPUT_COLOR, 1, )
/* The descriptor says VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ. */
SCENARIO(input_in_another_layout, .drivers = NULL_DRIVER, .features = &of_local,
         .extensions = {"VK_KHR_dynamic_rendering_local_read"},
         .expect = {"VUID-vkCmdDraw-imageLayout-00344"},
         .text = {"was written with VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, but the commands before "
                  "leave level 0, layer 0 of its image in VK_IMAGE_LAYOUT_GENERAL"})
{
    draw_reading_in(b, INPUT_COLOR, 1, 0, 0, VK_IMAGE_LAYOUT_GENERAL);
}
READING(input_index_of_color_broken, INPUT_COLOR, 2, .expect = {"VUID-vkCmdDraw-None-09549"},
        .text = {"has the input attachment index 1 for color attachment 0"})
READING(input_index_of_depth, INPUT_DEPTH, 1, )
READING(input_index_of_depth_broken, INPUT_DEPTH, 2, .expect = {"VUID-vkCmdDraw-None-10927"})
READING(input_index_of_stencil, INPUT_STENCIL, 1, )
READING(input_index_of_stencil_broken, INPUT_STENCIL, 2, .expect = {"VUID-vkCmdDraw-None-10928"})
/* No variable is decorated with 3 or 2. */
READING(input_index_of_nothing, INPUT_UNUSED, 2, )

/* A mapping that is read and written as well must say so. */
FEATURES(of_concurrent, VkPhysicalDeviceMaintenance10FeaturesKHR, MAINTENANCE_10_FEATURES_KHR,
         of_local, .maintenance10 = VK_TRUE);
#define CONCURRENT                                      \
    .drivers = NULL_DRIVER, .features = &of_concurrent, \
    .extensions = {"VK_KHR_dynamic_rendering_local_read", "VK_KHR_maintenance10"}
SCENARIO(input_written, CONCURRENT)
{
    draw_reading(b, INPUT_COLOR, 1, VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR,
                 VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR);
}
SCENARIO(input_written_broken, CONCURRENT,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingLocalRead-11797"},
         .text = {"VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR: 0"})
{
    draw_reading(b, INPUT_COLOR, 1, VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR, 0);
}
SCENARIO(input_written_without_control, CONCURRENT)
{
    draw_reading(b, INPUT_COLOR, 1, 0, 0);
}

/* The second attachment is the last input attachment of the subpass, 1 or 0. */
static void draw_in_subpass(struct baseline *b, uint32_t index)
{
    const VkImageUsageFlags usage =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    const VkImageView views[2] = {ATTACHMENT(), ATTACHMENT(.usage = usage)};
    const struct reads reads = read_input(b, views[1], VK_IMAGE_LAYOUT_GENERAL);
    VkAttachmentDescription attachments[2] = {{.format = COLOR_FORMAT,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
    attachments[1] = attachments[0];
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference inputs[2] = {{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED},
                                             {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .inputAttachmentCount = index + 1,
                                          .pInputAttachments = &inputs[1 - index],
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    const VkRenderPass pass = create_render_pass(b, &info);
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = pass,
                                                 .attachmentCount = 2,
                                                 .pAttachments = views,
                                                 .width = IMAGE_EXTENT,
                                                 .height = IMAGE_EXTENT,
                                                 .layers = 1};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = create_framebuffer(b, &framebuffer),
                                         .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}}};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, reads.layout, pass);
    p.stages[1].module = MAKE_SHADER(b, spirv_fragment_reads_input_1);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, create_graphics_pipeline(b, &p.info));
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.layout, 0, 1, &reads.set, 0,
                            NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
}
SCENARIO(input_of_the_subpass)
{
    draw_in_subpass(b, 1);
}
SCENARIO(input_of_the_subpass_broken, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdDraw-OpTypeImage-07468"},
         .text = {"there is no such input attachment in subpass"})
{
    draw_in_subpass(b, 0);
}
