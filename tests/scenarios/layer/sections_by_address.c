/* Conditional rendering and transform feedback by device addresses
 * (VK_KHR_device_address_commands). */
#include "scenario.h"

/* The header defines the variable, and sections.c has it, too. */
#define shader_capture shader_capture_by_address
#include "shader_capture.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .deviceAddressCommands = VK_TRUE};
static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .pNext = (void *)&commands,
    .conditionalRendering = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&conditional,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)&feedback,
    .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .pNext = (void *)&features13,
    .maintenance10 = VK_TRUE};
#define ON                                                                           \
    .drivers = NULL_DRIVER, .features = &maintenance10,                              \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_conditional_rendering", \
                   "VK_EXT_transform_feedback", "VK_KHR_maintenance10"}

static VkDeviceAddress address_with_usage(struct baseline *b, VkBufferUsageFlags usage)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 256, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(b->device, &info);
}

/* --- conditional rendering --- */

#define CONDITION(id_) .expect = {"VUID-VkConditionalRenderingBeginInfo2EXT-addressRange-" id_}
static void begin_condition_by_address(struct baseline *b, VkCommandBuffer command_buffer,
                                       VkDeviceSize offset, VkDeviceSize size)
{
    const VkConditionalRenderingBeginInfo2EXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
        .addressRange = {
            address_with_usage(b, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT) + offset, size}};
    DEVICE_PROC(b, vkCmdBeginConditionalRendering2EXT)(command_buffer, &info);
}

SCENARIO(condition, ON)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_condition_by_address(b, command_buffer, 4, 4);
    DEVICE_PROC(b, vkCmdEndConditionalRenderingEXT)(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(condition_twice, ON, .expect = {"VUID-vkCmdBeginConditionalRendering2EXT-None-13063"},
         .text = {"commandBuffer has conditional rendering active already"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_condition_by_address(b, command_buffer, 0, 4);
    begin_condition_by_address(b, command_buffer, 0, 4);
}

SCENARIO(condition_at_odd_address, ON, CONDITION("13065"), .text = {"which is not a multiple of 4"})
{
    begin_condition_by_address(b, make_recording(b), 2, 4);
}

SCENARIO(condition_of_few_bytes, ON, CONDITION("13066"),
         .text = {"addressRange.size is 2, but the predicate takes 4 bytes"})
{
    begin_condition_by_address(b, make_recording(b), 0, 2);
}

/* --- transform feedback --- */

#define BIND(id_) .expect = {"VUID-vkCmdBindTransformFeedbackBuffers2EXT-addressRange-" id_}
static void bind_feedback(struct baseline *b, VkCommandBuffer command_buffer, VkDeviceSize offset,
                          VkDeviceSize size)
{
    const VkBindTransformFeedbackBuffer2InfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
        .addressRange = {address_with_usage(b, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT) +
                             offset,
                         size},
        .addressFlags = VK_ADDRESS_COMMAND_TRANSFORM_FEEDBACK_BUFFER_USAGE_BIT_KHR};
    DEVICE_PROC(b, vkCmdBindTransformFeedbackBuffers2EXT)(command_buffer, 0, 1, &info);
}

SCENARIO(feedback_bind, ON)
{
    bind_feedback(b, make_recording(b), 4, 64);
}

/* In dynamic rendering, with a pipeline and a buffer bound. */
static VkCommandBuffer prepare_sections(struct baseline *b)
{
    static const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo formats = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    pipeline.stages[0].module = MAKE_SHADER(b, shader_capture);
    pipeline.info.pNext = &formats;
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo rendering = rendering_info(&color);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    bind_feedback(b, command_buffer, 0, 64);
    vkCmdBeginRendering(command_buffer, &rendering);
    return command_buffer;
}

static void begin_feedback_by_address(struct baseline *b, VkCommandBuffer command_buffer,
                                      VkDeviceSize size)
{
    const VkBindTransformFeedbackBuffer2InfoEXT counter = {
        .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
        .addressRange = {
            size ? address_with_usage(b, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT)
                 : 0,
            size}};
    DEVICE_PROC(b, vkCmdBeginTransformFeedback2EXT)(command_buffer, 0, 1, &counter);
}

static void end_feedback(struct baseline *b, VkCommandBuffer command_buffer, VkDeviceSize size)
{
    const VkBindTransformFeedbackBuffer2InfoEXT counter = {
        .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
        .addressRange = {
            size ? address_with_usage(b, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT)
                 : 0,
            size}};
    DEVICE_PROC(b, vkCmdEndTransformFeedback2EXT)(command_buffer, 0, 1, &counter);
}

static void end_rendering(struct baseline *b, VkCommandBuffer command_buffer)
{
    const VkRenderingEndInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR};
    DEVICE_PROC(b, vkCmdEndRendering2KHR)(command_buffer, &info);
}

SCENARIO(feedback_with_counters, ON)
{
    VkCommandBuffer command_buffer = prepare_sections(b);
    begin_feedback_by_address(b, command_buffer, 4);
    end_feedback(b, command_buffer, 4);
    begin_feedback_by_address(b, command_buffer, 0);
    end_feedback(b, command_buffer, 0);
    end_rendering(b, command_buffer);
}

SCENARIO(rendering_ends_in_feedback, ON, .expect = {"VUID-vkCmdEndRendering2KHR-None-10612"},
         .text = {"commandBuffer has transform feedback active"})
{
    VkCommandBuffer command_buffer = prepare_sections(b);
    begin_feedback_by_address(b, command_buffer, 4);
    end_rendering(b, command_buffer);
}
