/* The rows of the bench of GPU-assisted validation that draw: which there are, what they draw with,
 * and whether the screen is right after them. */
#include "screens.h"

#include "screen.frag.h" /* made by glslang from shaders/ */
#include "screen.vert.h"

#include <stdlib.h>

#define SCREEN_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define PLAIN_SIDE    256u        /* texels of a texture's side */
#define PLAIN_COLOUR  0x0a0a0a0au /* of the first texture; the others have multiples of it */
#define SUM_COLOUR    100u        /* of each channel, of 255: 10 + 20 + 30 + 40 */

const struct screen_row screen_rows[] = {
    {.name = "textures",
     .text = "20 full screens that sample 4 textures of a plain array, which constants choose",
     .draws = 20,
     .fills = true},
    {.name = "texture_draws",
     .text = "2,000 small triangles with the same shaders, a draw each",
     .draws = SCREEN_COLUMNS * SCREEN_ROWS},
};
const uint32_t screen_row_count = sizeof(screen_rows) / sizeof(screen_rows[0]);

static void screen_image_create(struct screen *screen, uint32_t index)
{
    const struct device *device = screen->device;
    const bool texture = index < SCREEN_TEXTURES;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = SCREEN_FORMAT,
        .extent = {texture ? PLAIN_SIDE : screen->extent.width,
                   texture ? PLAIN_SIDE : screen->extent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = texture ? VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT
                         : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    device_must(vkCreateImage(device->handle, &info, NULL, &screen->images[index]),
                "vkCreateImage");
    VkMemoryRequirements need;
    vkGetImageMemoryRequirements(device->handle, screen->images[index], &need);
    screen->memories[index] =
        memory_allocate(device, need, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
    device_must(vkBindImageMemory(device->handle, screen->images[index], screen->memories[index],
                                  0),
                "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = screen->images[index],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = SCREEN_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    device_must(vkCreateImageView(device->handle, &view, NULL, &screen->views[index]),
                "vkCreateImageView");
}

/* A use of an image before or after a barrier. */
struct image_use {
    VkImageLayout layout;
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
};
static const struct image_use
    undefined_use = {VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                     0},
    copied_to = {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_ACCESS_TRANSFER_WRITE_BIT},
    copied_from = {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT},
    sampled = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
               VK_ACCESS_SHADER_READ_BIT},
    drawn = {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
             VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
             VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};

static void use_change(VkCommandBuffer commands, VkImage image, const struct image_use *from,
                       const struct image_use *to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = from->accesses,
        .dstAccessMask = to->accesses,
        .oldLayout = from->layout,
        .newLayout = to->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, from->stages, to->stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void textures_fill(const struct screen *screen)
{
    const struct device *device = screen->device;
    const VkDeviceSize size = (VkDeviceSize)PLAIN_SIDE * PLAIN_SIDE * sizeof(uint32_t);
    struct buffer colours =
        buffer_create(device, SCREEN_TEXTURES * size,
                      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkCommandBuffer commands =
        commands_begin(device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < SCREEN_TEXTURES; i++)
        vkCmdFillBuffer(commands, colours.handle, i * size, size, (i + 1) * PLAIN_COLOUR);
    commands_barrier(commands);
    for (uint32_t i = 0; i < SCREEN_TEXTURES; i++) {
        const VkBufferImageCopy region = {.bufferOffset = i * size,
                                          .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                          .imageExtent = {PLAIN_SIDE, PLAIN_SIDE, 1}};
        use_change(commands, screen->images[i], &undefined_use, &copied_to);
        vkCmdCopyBufferToImage(commands, colours.handle, screen->images[i], copied_to.layout, 1,
                               &region);
        use_change(commands, screen->images[i], &copied_to, &sampled);
    }
    commands_finish(device, commands);
    buffer_destroy(device, &colours);
}

static void screen_set_create(struct screen *screen)
{
    const VkDevice device = screen->device->handle;
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  SCREEN_TEXTURES, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SCREEN_TEXTURES};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    device_must(vkCreateDescriptorSetLayout(device, &set, NULL, &screen->set_layout),
                "vkCreateDescriptorSetLayout");
    device_must(vkCreateDescriptorPool(device, &pool, NULL, &screen->pool),
                "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = screen->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &screen->set_layout};
    device_must(vkAllocateDescriptorSets(device, &info, &screen->set), "vkAllocateDescriptorSets");
    VkDescriptorImageInfo images[SCREEN_TEXTURES];
    for (uint32_t i = 0; i < SCREEN_TEXTURES; i++)
        images[i] = (VkDescriptorImageInfo){screen->sampler, screen->views[i], sampled.layout};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = screen->set,
                                        .descriptorCount = SCREEN_TEXTURES,
                                        .descriptorType = size.type,
                                        .pImageInfo = images};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

static VkPipelineShaderStageCreateInfo stage_create(const struct screen *screen,
                                                    VkShaderStageFlagBits stage,
                                                    const uint32_t *code, size_t size)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    VkShaderModule module;
    device_must(vkCreateShaderModule(screen->device->handle, &info, NULL, &module),
                "vkCreateShaderModule");
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main"};
}

static void screen_pipeline_create(struct screen *screen)
{
    const VkDevice device = screen->device->handle;
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &screen->set_layout};
    device_must(vkCreatePipelineLayout(device, &layout, NULL, &screen->layout),
                "vkCreatePipelineLayout");
    const VkPipelineShaderStageCreateInfo stages[] = {
        stage_create(screen, VK_SHADER_STAGE_VERTEX_BIT, screen_vert, sizeof(screen_vert)),
        stage_create(screen, VK_SHADER_STAGE_FRAGMENT_BIT, screen_frag, sizeof(screen_frag))};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {
        0.0f, 0.0f, (float)screen->extent.width, (float)screen->extent.height, 0.0f, 1.0f};
    const VkRect2D scissor = {.extent = screen->extent};
    const VkPipelineViewportStateCreateInfo area = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkFormat format = SCREEN_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &area,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .layout = screen->layout};
    device_must(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL,
                                          &screen->pipeline),
                "vkCreateGraphicsPipelines");
    vkDestroyShaderModule(device, stages[0].module, NULL);
    vkDestroyShaderModule(device, stages[1].module, NULL);
}

void screen_create(struct screen *screen, const struct device *device, const struct screen_row *row)
{
    const bool software = device->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    *screen =
        (struct screen){.device = device,
                        .row = row,
                        .extent = software ? (VkExtent2D){240, 135} : (VkExtent2D){1920, 1080}};
    for (uint32_t i = 0; i <= SCREEN_TEXTURES; i++)
        screen_image_create(screen, i);
    textures_fill(screen);
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .magFilter = VK_FILTER_LINEAR,
                                         .minFilter = VK_FILTER_LINEAR};
    device_must(vkCreateSampler(device->handle, &sampler, NULL, &screen->sampler),
                "vkCreateSampler");
    screen_set_create(screen);
    screen_pipeline_create(screen);
}

void screen_destroy(struct screen *screen)
{
    const VkDevice device = screen->device->handle;
    vkDestroyPipeline(device, screen->pipeline, NULL);
    vkDestroyPipelineLayout(device, screen->layout, NULL);
    vkDestroyDescriptorPool(device, screen->pool, NULL);
    vkDestroyDescriptorSetLayout(device, screen->set_layout, NULL);
    vkDestroySampler(device, screen->sampler, NULL);
    for (uint32_t i = 0; i <= SCREEN_TEXTURES; i++) {
        vkDestroyImageView(device, screen->views[i], NULL);
        vkDestroyImage(device, screen->images[i], NULL);
        vkFreeMemory(device, screen->memories[i], NULL);
    }
}

void screen_draw(const struct screen *screen, VkCommandBuffer commands, VkQueryPool queries)
{
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = screen->views[SCREEN_TEXTURES],
                                              .imageLayout = drawn.layout,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = screen->extent},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &colour};
    use_change(commands, screen->images[SCREEN_TEXTURES], &undefined_use, &drawn);
    if (queries)
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
    vkCmdBeginRendering(commands, &info);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, screen->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, screen->layout, 0, 1,
                            &screen->set, 0, NULL);
    for (uint32_t i = 0; i < screen->row->draws; i++)
        vkCmdDraw(commands, 3, 1, 0, screen->row->fills ? 0 : i + 1);
    vkCmdEndRendering(commands);
    if (queries)
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
}

/* Triangles of two cells a side, one from each cell, cover the screen, too. */
uint32_t screen_wrong_texels(const struct screen *screen)
{
    const struct device *device = screen->device;
    const uint32_t texels = screen->extent.width * screen->extent.height;
    struct buffer staging = staging_create(device, (VkDeviceSize)texels * sizeof(uint32_t));
    const VkCommandBuffer commands =
        commands_begin(device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {screen->extent.width, screen->extent.height, 1}};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    screen_draw(screen, commands, VK_NULL_HANDLE);
    use_change(commands, screen->images[SCREEN_TEXTURES], &drawn, &copied_from);
    vkCmdCopyImageToBuffer(commands, screen->images[SCREEN_TEXTURES], copied_from.layout,
                           staging.handle, 1, &region);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    commands_finish(device, commands);
    const uint8_t *channels = staging.mapped;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < texels; i++)
        wrong += abs(channels[4 * i] - (int)SUM_COLOUR) > 1;
    buffer_destroy(device, &staging);
    return wrong;
}
