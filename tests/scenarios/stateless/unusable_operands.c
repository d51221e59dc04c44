/* Calls with operands that the driver would follow and must not: handles missing in structures,
 * indices past the end, draws without anything to run. They are reported, and do not reach the
 * driver, whatever the callback answers. */
#include "scenario.h"

#define HEEDLESS .proceed = true, .ours_only = true

/* --- handles --- */

SCENARIO(view_of_no_image, HEEDLESS, .expect = {"VUID-VkImageViewCreateInfo-image-parameter"})
{
    const VkImageViewCreateInfo info = image_view_info(VK_NULL_HANDLE);
    EXPECT(!create_image_view(b, &info));
}

SCENARIO(view_of_no_buffer, HEEDLESS, .expect = {"VUID-VkBufferViewCreateInfo-buffer-parameter"})
{
    const VkBufferViewCreateInfo info = buffer_view_info(VK_NULL_HANDLE);
    EXPECT(!create_buffer_view(b, &info));
}

SCENARIO(sets_of_no_layout, HEEDLESS,
         .expect = {"VUID-VkDescriptorSetAllocateInfo-pSetLayouts-parameter"})
{
    const VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = make_descriptor_pool(b),
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    EXPECT(vkAllocateDescriptorSets(b->device, &info, &set) != VK_SUCCESS);
}

SCENARIO(command_buffers_of_no_pool, HEEDLESS,
         .expect = {"VUID-VkCommandBufferAllocateInfo-commandPool-parameter"})
{
    const VkCommandBufferAllocateInfo info =
        command_buffer_info(VK_NULL_HANDLE, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer;
    EXPECT(vkAllocateCommandBuffers(b->device, &info, &command_buffer) != VK_SUCCESS);
}

SCENARIO(submit_of_no_command_buffer, HEEDLESS,
         .expect = {"VUID-VkSubmitInfo-pCommandBuffers-parameter"})
{
    const VkCommandBuffer nothing = NULL;
    const VkSubmitInfo info = submit_info(&nothing);
    EXPECT(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE) != VK_SUCCESS);
}

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};

SCENARIO(address_of_no_buffer, HEEDLESS, .features = &addresses,
         .expect = {"VUID-VkBufferDeviceAddressInfo-buffer-parameter"})
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    EXPECT(!vkGetBufferDeviceAddress(b->device, &info));
}

static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .conditionalRendering = VK_TRUE};

SCENARIO(conditional_rendering_of_no_buffer, HEEDLESS, .features = &conditional,
         .extensions = {"VK_EXT_conditional_rendering"},
         .expect = {"VUID-VkConditionalRenderingBeginInfoEXT-buffer-parameter"})
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBeginConditionalRenderingEXT)(command_buffer, &info);
    run_commands(b, command_buffer);
}

SCENARIO(framebuffer_without_attachments, HEEDLESS,
         .expect = {"VUID-VkFramebufferCreateInfo-flags-02778"})
{
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = make_render_pass(b),
                                          .attachmentCount = 1,
                                          .width = 8,
                                          .height = 8,
                                          .layers = 1};
    EXPECT(!create_framebuffer(b, &info));
}

/* --- pointers --- */

static const VkPhysicalDeviceMultiDrawFeaturesEXT several = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT, .multiDraw = VK_TRUE};
#define SEVERAL .features = &several, .extensions = {"VK_EXT_multi_draw"}

static VkCommandBuffer begin_draws(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_any_graphics_pipeline(b));
    vkCmdBindIndexBuffer(command_buffer, make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    return command_buffer;
}

SCENARIO(several_draws_nowhere, HEEDLESS, SEVERAL,
         .expect = {"VUID-vkCmdDrawMultiEXT-drawCount-04935"},
         .text = {"pVertexInfo is NULL, but drawCount is 2"})
{
    VkCommandBuffer command_buffer = begin_draws(b);
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(command_buffer, 2, NULL, 1, 0, sizeof(VkMultiDrawInfoEXT));
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(several_indexed_draws_nowhere, HEEDLESS, SEVERAL,
         .expect = {"VUID-vkCmdDrawMultiIndexedEXT-drawCount-04940"},
         .text = {"pIndexInfo is NULL, but drawCount is 1"})
{
    VkCommandBuffer command_buffer = begin_draws(b);
    DEVICE_PROC(b, vkCmdDrawMultiIndexedEXT)
    (command_buffer, 1, NULL, 1, 0, sizeof(VkMultiDrawIndexedInfoEXT), NULL);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(several_draws_of_none, SEVERAL)
{
    VkCommandBuffer command_buffer = begin_draws(b);
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(command_buffer, 0, NULL, 1, 0, sizeof(VkMultiDrawInfoEXT));
    DEVICE_PROC(b, vkCmdDrawMultiIndexedEXT)
    (command_buffer, 0, NULL, 1, 0, sizeof(VkMultiDrawIndexedInfoEXT), NULL);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

static const VkPhysicalDeviceHostImageCopyFeatures host_copies = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES, .hostImageCopy = VK_TRUE};
#define HOST_COPIES .features = &host_copies, .extensions = {"VK_EXT_host_image_copy"}

static VkImage make_host_image(struct baseline *b)
{
    const VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_HOST_TRANSFER_BIT);
    VkImage image = make_image_of(b, &info);
    const VkHostImageLayoutTransitionInfo transition = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .subresourceRange = color_range()};
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition));
    return image;
}

SCENARIO(host_copy_from_nowhere, HEEDLESS, HOST_COPIES,
         .expect = {"VUID-VkMemoryToImageCopy-pHostPointer-09061"},
         .text = {"pRegions[0].pHostPointer is NULL"})
{
    const VkMemoryToImageCopy region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {1, 1, 1}};
    const VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                          .dstImage = make_host_image(b),
                                          .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    EXPECT(DEVICE_PROC(b, vkCopyMemoryToImageEXT)(b->device, &info) != VK_SUCCESS);
}

SCENARIO(host_copy_to_nowhere, HEEDLESS, HOST_COPIES,
         .expect = {"VUID-VkImageToMemoryCopy-pHostPointer-09066"})
{
    const VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {1, 1, 1}};
    const VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                          .srcImage = make_host_image(b),
                                          .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    EXPECT(DEVICE_PROC(b, vkCopyImageToMemoryEXT)(b->device, &info) != VK_SUCCESS);
}

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
#define OBJECTS .features = &objects, .extensions = {"VK_EXT_shader_object"}

SCENARIO(shader_object_without_name, HEEDLESS, OBJECTS,
         .expect = {"VUID-VkShaderCreateInfoEXT-pName-08440"},
         .text = {"pCreateInfos[0].pName is NULL, but code in SPIR-V has its entry points by name"})
{
    const VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range};
    VkShaderEXT shader;
    EXPECT(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader) != VK_SUCCESS);
}

static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features generated5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&generated,
    .maintenance5 = VK_TRUE};

/* It is unknown which member of the union is meant. */
SCENARIO(execution_set_of_no_kind, HEEDLESS, .features = &generated5,
         .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"},
         .expect = {"VUID-VkIndirectExecutionSetCreateInfoEXT-type-parameter"})
{
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = (VkIndirectExecutionSetInfoTypeEXT)9};
    VkIndirectExecutionSetEXT set;
    EXPECT(DEVICE_PROC(b, vkCreateIndirectExecutionSetEXT)(b->device, &info, NULL, &set) !=
           VK_SUCCESS);
}

/* --- nothing to run, or something of another kind --- */

SCENARIO(dispatch_of_nothing, HEEDLESS, .expect = {"VUID-vkCmdDispatch-None-08606"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    run_commands(b, command_buffer);
}

SCENARIO(draw_of_nothing, HEEDLESS, .expect = {"VUID-vkCmdDraw-None-08606"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(draw_of_no_shader_objects, HEEDLESS, OBJECTS,
         .expect = {"VUID-vkCmdDraw-None-08684", "VUID-vkCmdDraw-None-08688"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(pipeline_of_another_kind, HEEDLESS,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-00779",
                    "VUID-vkCmdDispatch-None-08606"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                      make_any_graphics_pipeline(b));
    vkCmdDispatch(command_buffer, 1, 1, 1);
    run_commands(b, command_buffer);
}

/* --- indices --- */

SCENARIO(query_far_behind_the_pool, HEEDLESS,
         .expect = {"VUID-vkCmdBeginQuery-query-00802", "VUID-vkCmdEndQuery-query-00810"})
{
    VkQueryPool pool = make_query_pool(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginQuery(command_buffer, pool, 0x7fffffff, 0);
    vkCmdEndQuery(command_buffer, pool, 0x7fffffff);
    run_commands(b, command_buffer);
}

static void write_far(struct baseline *b, uint32_t binding, uint32_t element)
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkWriteDescriptorSet write =
        write_buffer(make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b)),
                     &info);
    write.dstBinding = binding;
    write.dstArrayElement = element;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(write_far_behind_the_layout, HEEDLESS,
         .expect = {"VUID-VkWriteDescriptorSet-dstBinding-00315"})
{
    write_far(b, 0x7fffffff, 0);
}

SCENARIO(write_far_behind_the_binding, HEEDLESS,
         .expect = {"VUID-VkWriteDescriptorSet-dstArrayElement-00321"})
{
    write_far(b, 0, 0x7fffffff);
}

SCENARIO(sets_far_behind_the_layout, HEEDLESS,
         .expect = {"VUID-vkCmdBindDescriptorSets-firstSet-00360"})
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, set_layout), UINT32_MAX, 1, &set, 0, NULL);
    run_commands(b, command_buffer);
}
