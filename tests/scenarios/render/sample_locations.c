/* Sample locations that the layout transitions of a render pass are given, and those that are
 * ignored. */
#include "scenario.h"

#define NOWHERE   ((void *)64)
#define LOCATIONS .drivers = NULL_DRIVER, .proceed = true, .extensions = {"VK_EXT_sample_locations"}

static const VkSampleLocationEXT half = {0.5f, 0.5f};
static const VkSampleLocationsInfoEXT good = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                              .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                              .sampleLocationGridSize = {1, 1},
                                              .sampleLocationsCount = 1,
                                              .pSampleLocations = &half},
                                      garbage = {.sType = (VkStructureType)77,
                                                 .pNext = NOWHERE,
                                                 .sampleLocationsPerPixel = 77,
                                                 .sampleLocationsCount = 5,
                                                 .pSampleLocations = NOWHERE};

/* Begins a render pass of one depth attachment. */
static void begin_with_locations(struct baseline *b, VkImageCreateFlags flags,
                                 const VkRenderPassSampleLocationsBeginInfoEXT *locations)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    image.format = VK_FORMAT_D16_UNORM;
    image.flags = flags;
    VkImageViewCreateInfo view_info = image_view_info(make_image_of(b, &image));
    view_info.format = VK_FORMAT_D16_UNORM;
    view_info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    VkImageView view = create_image_view(b, &view_info);
    const VkAttachmentDescription attachment = {.format = VK_FORMAT_D16_UNORM,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference depth = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pDepthStencilAttachment = &depth};
    VkRenderPassCreateInfo pass_info = render_pass_info();
    pass_info.pAttachments = &attachment;
    pass_info.pSubpasses = &subpass;
    VkRenderPass pass = create_render_pass(b, &pass_info);
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, make_framebuffer(b, pass, view));
    info.pNext = locations;
    VkCommandBuffer recording = make_recording(b);
    vkCmdBeginRenderPass(recording, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(recording);
}

#define BEGIN(name_, flags_, attachment_, first_, subpass_, second_, ...)           \
    SCENARIO(name_, LOCATIONS, ##__VA_ARGS__)                                       \
    {                                                                               \
        const VkAttachmentSampleLocationsEXT first = {attachment_, first_};         \
        const VkSubpassSampleLocationsEXT second = {subpass_, second_};             \
        const VkRenderPassSampleLocationsBeginInfoEXT info = {                      \
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT, \
            .attachmentInitialSampleLocationsCount = 1,                             \
            .pAttachmentInitialSampleLocations = &first,                            \
            .postSubpassSampleLocationsCount = 1,                                   \
            .pPostSubpassSampleLocations = &second};                                \
        begin_with_locations(b, flags_, &info);                                     \
    }
#define COMPATIBLE VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT
BEGIN(locations_of_a_compatible_image, COMPATIBLE, 0, good, 0, good)
BEGIN(locations_that_are_ignored, 0, 0, garbage, 0, garbage)
BEGIN(locations_of_no_attachment, COMPATIBLE, 1, good, 0, good,
      .expect = {"VUID-VkAttachmentSampleLocationsEXT-attachmentIndex-01531"},
      .text = {"pAttachmentInitialSampleLocations[0].attachmentIndex is 1, but the render pass has "
               "1 attachment"})
BEGIN(locations_of_no_subpass, COMPATIBLE, 0, good, 1, good,
      .expect = {"VUID-VkSubpassSampleLocationsEXT-subpassIndex-01532"},
      .text = {
          "pPostSubpassSampleLocations[0].subpassIndex is 1, but the render pass has 1 subpass"})
BEGIN(locations_of_no_structure, COMPATIBLE, 0, garbage, 0, good,
      .expect = {"VUID-VkSampleLocationsInfoEXT-sType-sType"})
static const VkSampleLocationsInfoEXT nowhere = {.sType =
                                                     VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                                 .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                                 .sampleLocationGridSize = {1, 1},
                                                 .sampleLocationsCount = 1,
                                                 .pSampleLocations = NOWHERE},
                                      few = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                             .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                             .sampleLocationGridSize = {2, 2},
                                             .sampleLocationsCount = 1,
                                             .pSampleLocations = &half};
BEGIN(locations_nowhere, COMPATIBLE, 0, good, 0, nowhere,
      .expect = {"VUID-VkSampleLocationsInfoEXT-pSampleLocations-parameter",
                 "VUID-vkCmdEndRenderPass-renderpass"})
BEGIN(locations_that_are_too_few, COMPATIBLE, 0, few, 0, good,
      .expect = {"VUID-VkSampleLocationsInfoEXT-sampleLocationsCount-01527"})
