/* Attachments of a render pass that are of the same memory, sample locations that a subpass lacks,
 * and color attachments that vkCmdClearAttachments cannot clear. */
#include "scenario.h"

/* --- attachments of the same memory --- */

#define MAY_ALIAS VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT
#define WRITTEN   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL

/* Attachment 0 is a color attachment of the first subpass. Attachment 1 is read or written by the
 * second one, or is a color attachment of the first one, too. */
enum second_use { WRITES_LATER, READS_LATER, WRITES_AT_ONCE };
static VkRenderPass make_aliasing(struct baseline *b, VkAttachmentDescriptionFlags first,
                                  VkAttachmentDescriptionFlags second, enum second_use use)
{
    const VkAttachmentDescription attachments[2] = {
        {.flags = first,
         .format = COLOR_FORMAT,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
         .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
         .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
        {.flags = second,
         .format = COLOR_FORMAT,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
         .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
         .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
    const VkAttachmentReference colors[2] = {{0, WRITTEN}, {1, WRITTEN}},
                                input = {1, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpasses[2] = {
        {.colorAttachmentCount = use == WRITES_AT_ONCE ? 2 : 1, .pColorAttachments = &colors[0]},
        {.inputAttachmentCount = use == READS_LATER,
         .pInputAttachments = &input,
         .colorAttachmentCount = use == WRITES_LATER,
         .pColorAttachments = &colors[1]}};
    const VkSubpassDependency dependency = {
        .dstSubpass = 1,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask =
            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask =
            VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = 1,
                                         .pDependencies = &dependency};
    return create_render_pass(b, &info);
}

/* The views are of two layers of an image, `second` being the layer of the second view. */
static void begin_aliasing(struct baseline *b, VkRenderPass pass, uint32_t second, bool version2)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    VkImageView views[2];
    views[0] = create_image_view(b, &view);
    view.subresourceRange.baseArrayLayer = second;
    views[1] = create_image_view(b, &view);
    VkFramebufferCreateInfo framebuffer = framebuffer_info(pass, views);
    framebuffer.attachmentCount = 2;
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, create_framebuffer(b, &framebuffer));
    info.clearValueCount = 0;
    const VkSubpassBeginInfo contents = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    if (version2)
        vkCmdBeginRenderPass2(make_recording(b), &info, &contents);
    else
        vkCmdBeginRenderPass(make_recording(b), &info, VK_SUBPASS_CONTENTS_INLINE);
}

#define ALIAS(name_, first_, second_, use_, layer_, version2_, ...)                        \
    SCENARIO(name_, ##__VA_ARGS__)                                                         \
    {                                                                                      \
        begin_aliasing(b, make_aliasing(b, first_, second_, use_), (layer_), (version2_)); \
    }
ALIAS(two_layers, 0, 0, WRITES_LATER, 1, false)
ALIAS(one_layer_twice, 0, MAY_ALIAS, WRITES_LATER, 0, false,
      .expect = {"VUID-vkCmdBeginRenderPass-framebuffer-02532"},
      .text = {"has attachments 0 and 1 of the same memory"})
ALIAS(one_layer_read, 0, 0, READS_LATER, 0, false,
      .expect = {"VUID-vkCmdBeginRenderPass-framebuffer-02532"})
ALIAS(one_layer_read_that_may_alias, MAY_ALIAS, MAY_ALIAS, READS_LATER, 0, false)
/* "There must be only one ... in any subpass": in another subpass the other one may be it. */
ALIAS(one_layer_written_in_turn, MAY_ALIAS, MAY_ALIAS, WRITES_LATER, 0, false)
ALIAS(one_layer_written_twice, MAY_ALIAS, MAY_ALIAS, WRITES_AT_ONCE, 0, false,
      .expect = {"VUID-vkCmdBeginRenderPass-framebuffer-09045"})
ALIAS(two_layers_2, 0, 0, WRITES_LATER, 1, true)
ALIAS(one_layer_twice_2, MAY_ALIAS, 0, WRITES_LATER, 0, true,
      .expect = {"VUID-vkCmdBeginRenderPass2-framebuffer-02533"})
ALIAS(one_layer_read_that_may_alias_2, MAY_ALIAS, MAY_ALIAS, READS_LATER, 0, true)
ALIAS(one_layer_written_in_turn_2, MAY_ALIAS, MAY_ALIAS, WRITES_LATER, 0, true)
ALIAS(one_layer_written_twice_2, MAY_ALIAS, MAY_ALIAS, WRITES_AT_ONCE, 0, true,
      .expect = {"VUID-vkCmdBeginRenderPass2-framebuffer-09046"})

/* --- sample locations of a subpass --- */

#define FIXED                                                          \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_sample_locations"}, \
    .null_driver = "{\"properties\": {\"variableSampleLocations\": false}}"
#define VARIABLE                                                       \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_sample_locations"}, \
    .null_driver = "{\"properties\": {\"variableSampleLocations\": true}}"
static const VkSampleLocationEXT half = {0.5f, 0.5f};
static const VkSampleLocationsInfoEXT locations = {.sType =
                                                       VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                                   .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                                   .sampleLocationGridSize = {1, 1},
                                                   .sampleLocationsCount = 1,
                                                   .pSampleLocations = &half};
static const VkSubpassSampleLocationsEXT of_first = {0, locations};
static const VkRenderPassSampleLocationsBeginInfoEXT begin_located = {
    .sType = VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT,
    .postSubpassSampleLocationsCount = 1,
    .pPostSubpassSampleLocations = &of_first};

static VkCommandBuffer begin_pass(struct baseline *b, VkRenderPass pass, const void *next)
{
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    VkCommandBuffer commands = make_recording(b);
    info.pNext = next;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    return commands;
}

static void set_locations(struct baseline *b, const void *next)
{
    VkCommandBuffer commands = begin_pass(b, make_render_pass(b), next);
    DEVICE_PROC(b, vkCmdSetSampleLocationsEXT)(commands, &locations);
}

SCENARIO(locations_set_where_begun, FIXED)
{
    set_locations(b, &begin_located);
}

SCENARIO(locations_set_where_variable, VARIABLE)
{
    set_locations(b, NULL);
}

SCENARIO(locations_set_outside, FIXED)
{
    DEVICE_PROC(b, vkCmdSetSampleLocationsEXT)(make_recording(b), &locations);
}

SCENARIO(locations_set_where_not_begun, FIXED,
         .expect = {"VUID-vkCmdSetSampleLocationsEXT-variableSampleLocations-01530"})
{
    set_locations(b, NULL);
}

static void bind_located(struct baseline *b, const void *next)
{
    const VkPipelineSampleLocationsStateCreateInfoEXT state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = locations};
    VkRenderPass pass = make_render_pass(b);
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), pass);
    pipeline.multisample.pNext = &state;
    VkPipeline located = create_graphics_pipeline(b, &pipeline.info);
    ENSURE(located);
    vkCmdBindPipeline(begin_pass(b, pass, next), VK_PIPELINE_BIND_POINT_GRAPHICS, located);
}

SCENARIO(located_pipeline_where_begun, FIXED)
{
    bind_located(b, &begin_located);
}

SCENARIO(located_pipeline_where_variable, VARIABLE)
{
    bind_located(b, NULL);
}

SCENARIO(located_pipeline_where_not_begun, FIXED,
         .expect = {"VUID-vkCmdBindPipeline-variableSampleLocations-01525"})
{
    bind_located(b, NULL);
}

/* --- color attachments that are cleared --- */

static const VkPhysicalDeviceVulkan13Features dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)&dynamic,
    .dynamicRenderingLocalRead = VK_TRUE};

static void clear_color(VkCommandBuffer commands)
{
    const VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {.rect = {.extent = {1, 1}}, .layerCount = 1};
    vkCmdClearAttachments(commands, 1, &attachment, 1, &rect);
}

static void clear_located(struct baseline *b, const uint32_t *location)
{
    const VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    const VkRenderingInfo info = rendering_info(&color);
    const VkRenderingAttachmentLocationInfo moved = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentLocations = location};
    VkCommandBuffer commands = make_recording(b);
    vkCmdBeginRendering(commands, &info);
    DEVICE_PROC(b, vkCmdSetRenderingAttachmentLocationsKHR)(commands, &moved);
    clear_color(commands);
    vkCmdEndRendering(commands);
}

#define LOCAL_READ                                   \
    .drivers = NULL_DRIVER, .features = &local_read, \
    .extensions = {"VK_KHR_dynamic_rendering_local_read"}
SCENARIO(clear_of_moved, LOCAL_READ)
{
    static const uint32_t third = 3;
    clear_located(b, &third);
}

SCENARIO(clear_of_unused, LOCAL_READ,
         .expect = {"VUID-vkCmdClearAttachments-colorAttachment-09503"},
         .text = {"which VkRenderingAttachmentLocationInfo maps to VK_ATTACHMENT_UNUSED"})
{
    static const uint32_t unused = VK_ATTACHMENT_UNUSED;
    clear_located(b, &unused);
}

static void clear_format(struct baseline *b, VkFormat format)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.format = format;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = format;
    VkRenderPassCreateInfo pass_info = render_pass_info();
    VkAttachmentDescription attachment = pass_info.pAttachments[0];
    attachment.format = format;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    pass_info.pAttachments = &attachment;
    VkRenderPass pass = create_render_pass(b, &pass_info);
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, create_image_view(b, &view)));
    info.clearValueCount = 0;
    VkCommandBuffer commands = make_recording(b);
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    clear_color(commands);
}

SCENARIO(clear_of_two_wide_components, .drivers = NULL_DRIVER)
{
    clear_format(b, VK_FORMAT_R64G64_SFLOAT);
}

SCENARIO(clear_of_four_wide_components, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdClearAttachments-None-09679"},
         .text = {"colorAttachment is 0, which is of VK_FORMAT_R64G64B64A64_SFLOAT"})
{
    clear_format(b, VK_FORMAT_R64G64B64A64_SFLOAT);
}
