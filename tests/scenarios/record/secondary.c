/* Secondary command buffers: what they may inherit, and where they may be executed. */
#include "scenario.h"

#include <string.h>

#define FAULTS .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"
#define FEATURES2(...)                                                                     \
    {                                                                                      \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = { __VA_ARGS__ } \
    }
static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 inherits =
    FEATURES2(.inheritedQueries = VK_TRUE, .occlusionQueryPrecise = VK_TRUE,
              .pipelineStatisticsQuery = VK_TRUE);

#define QUERIES .drivers = NULL_DRIVER, .features = &inherits

/* A secondary, and all that vkBeginCommandBuffer gets for it. */
struct secondary {
    VkCommandBufferInheritanceInfo inheritance;
    VkCommandBufferInheritanceRenderingInfo rendering;
    VkCommandBufferBeginInfo begin;
    VkFormat color;
};

/* `usage` with VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT: for dynamic rendering, with one
 * color attachment. */
static void fill_secondary(struct secondary *s, VkCommandBufferUsageFlags usage)
{
    memset(s, 0, sizeof(*s));
    s->color = COLOR_FORMAT;
    s->rendering = (VkCommandBufferInheritanceRenderingInfo){
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &s->color,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    s->inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
    if (usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT)
        s->inheritance.pNext = &s->rendering;
    s->begin = begin_info();
    s->begin.flags = usage;
    s->begin.pInheritanceInfo = &s->inheritance;
}

static VkCommandBuffer begin_filled_secondary(struct baseline *b, const struct secondary *s)
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vkBeginCommandBuffer(command_buffer, &s->begin);
    return command_buffer;
}

static VkCommandBuffer record_only_secondary(struct baseline *b, const struct secondary *s)
{
    VkCommandBuffer command_buffer = begin_filled_secondary(b, s);
    vkEndCommandBuffer(command_buffer);
    return command_buffer;
}

#define CONTINUE VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT
#define BEGIN(name_, usage_, change_, ...) \
    SCENARIO(name_, __VA_ARGS__)           \
    {                                      \
        struct secondary s;                \
        fill_secondary(&s, usage_);        \
        change_;                           \
        begin_filled_secondary(b, &s);     \
    }
#define EXPECT_INFO(id_)      .expect = {"VUID-VkCommandBufferInheritanceInfo-" id_}
#define EXPECT_BEGIN(id_)     .expect = {"VUID-VkCommandBufferBeginInfo-flags-" id_}
#define EXPECT_RENDERING(id_) .expect = {"VUID-VkCommandBufferInheritanceRenderingInfo-" id_}
#define DYNAMIC               .features = &features13

/* --- beginning -------------------------------------------------------------------------------- */

SCENARIO(begin_without_inheritance, .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00051"},
         .text = {"pBeginInfo->pInheritanceInfo is NULL"})
{
    VkCommandBufferBeginInfo begin = begin_info();
    vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY), &begin);
}

BEGIN(begin_plain, 0, (void)0)
BEGIN(begin_dynamic, CONTINUE, (void)0, DYNAMIC)
BEGIN(begin_with_queries, 0, s.inheritance.occlusionQueryEnable = VK_TRUE;
      s.inheritance.queryFlags = VK_QUERY_CONTROL_PRECISE_BIT;
      s.inheritance.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT,
      QUERIES)
BEGIN(begin_with_unknown_query_flags, 0, s.inheritance.occlusionQueryEnable = VK_TRUE;
      s.inheritance.queryFlags = 0x100, EXPECT_INFO("queryFlags-00057"), QUERIES)
BEGIN(begin_with_unknown_statistics, 0, s.inheritance.pipelineStatistics = 1u << 30,
      EXPECT_INFO("pipelineStatistics-02789"), QUERIES)
BEGIN(begin_precise_without_query, 0, s.inheritance.queryFlags = VK_QUERY_CONTROL_PRECISE_BIT,
      .expect = {"VUID-vkBeginCommandBuffer-commandBuffer-00052"},
      .text = {"occlusionQueryEnable is VK_FALSE"}, QUERIES)

SCENARIO(begin_continuing_on_compute_queue, EXPECT_BEGIN("09123"), .drivers = NULL_DRIVER, DYNAMIC)
{
    struct secondary s;
    fill_secondary(&s, CONTINUE);
    VkCommandPoolCreateInfo info =
        command_pool_info(find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT,
                                            VK_QUEUE_GRAPHICS_BIT));
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(create_command_pool(b, &info), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(b->device, &allocate, &command_buffer));
    vkBeginCommandBuffer(command_buffer, &s.begin);
}

BEGIN(begin_without_dynamic_rendering, CONTINUE, s.inheritance.pNext = NULL,
      .expect = {"VUID-VkCommandBufferBeginInfo-flags-09240"})
BEGIN(begin_without_rendering_info, CONTINUE, s.inheritance.pNext = NULL, EXPECT_BEGIN("06002"),
      DYNAMIC)
BEGIN(begin_with_render_pass, CONTINUE, s.inheritance.pNext = NULL;
      s.inheritance.renderPass = make_render_pass(b))
BEGIN(begin_in_unknown_subpass, CONTINUE, s.inheritance.pNext = NULL;
      s.inheritance.renderPass = make_render_pass(b);
      s.inheritance.subpass = 1, EXPECT_BEGIN("06001"),
      .text = {"subpass is 1, but the render pass has 1 subpass"})

/* A render pass that is not compatible with the harness's. */
static VkRenderPass make_other_pass(struct baseline *b)
{
    VkAttachmentDescription attachment = {.format = VK_FORMAT_B8G8R8A8_UNORM,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pAttachments = &attachment;
    return create_render_pass(b, &info);
}

BEGIN(begin_with_framebuffer, CONTINUE, s.inheritance.pNext = NULL;
      s.inheritance.renderPass = make_render_pass(b);
      s.inheritance.framebuffer = make_framebuffer(b, s.inheritance.renderPass, make_image_view(b)))
BEGIN(begin_with_incompatible_framebuffer, CONTINUE, s.inheritance.pNext = NULL;
      s.inheritance.renderPass = make_other_pass(b);
      s.inheritance.framebuffer = make_any_framebuffer(b), EXPECT_BEGIN("00055"))

BEGIN(begin_with_sample_counts, CONTINUE,
      VkAttachmentSampleCountInfoAMD counts =
          {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD};
      s.rendering.pNext = &counts, DYNAMIC, .drivers = NULL_DRIVER,
      .extensions = {VK_AMD_MIXED_ATTACHMENT_SAMPLES_EXTENSION_NAME}, EXPECT_BEGIN("06003"))
BEGIN(begin_with_no_samples, CONTINUE, s.rendering.rasterizationSamples = 0,
      .expect = {"VUID-VkCommandBufferInheritanceRenderingInfo-colorAttachmentCount-06004"},
      DYNAMIC)
BEGIN(begin_with_no_samples_and_colors, CONTINUE, s.rendering.rasterizationSamples = 0;
      s.rendering.colorAttachmentCount = 0, EXPECT_RENDERING("variableMultisampleRate-06005"),
      DYNAMIC)
BEGIN(begin_with_color_as_depth, CONTINUE, s.rendering.depthAttachmentFormat = COLOR_FORMAT,
      .expect = {"VUID-VkCommandBufferInheritanceRenderingInfo-depthAttachmentFormat-06540"},
      DYNAMIC)
BEGIN(begin_with_color_as_stencil, CONTINUE, s.rendering.stencilAttachmentFormat = COLOR_FORMAT,
      .expect = {"VUID-VkCommandBufferInheritanceRenderingInfo-stencilAttachmentFormat-06541"},
      DYNAMIC)
BEGIN(begin_with_depth_that_is_no_attachment, CONTINUE,
      s.rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM,
      EXPECT_RENDERING("depthAttachmentFormat-06007"), DYNAMIC, .drivers = NULL_DRIVER,
      .null_driver = "{\"withoutFormatFeatures\": {\"124\": 512}}")
BEGIN(begin_with_stencil_that_is_no_attachment, CONTINUE,
      s.rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT,
      EXPECT_RENDERING("stencilAttachmentFormat-06199"), DYNAMIC, .drivers = NULL_DRIVER,
      .null_driver = "{\"withoutFormatFeatures\": {\"127\": 512}}")
BEGIN(begin_with_two_depth_stencil_formats, CONTINUE,
      s.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
      s.rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT,
      EXPECT_RENDERING("depthAttachmentFormat-06200"), DYNAMIC)
BEGIN(begin_with_depth_as_color, CONTINUE, s.color = VK_FORMAT_D32_SFLOAT,
      EXPECT_RENDERING("pColorAttachmentFormats-06492"), DYNAMIC)
BEGIN(begin_with_views, CONTINUE, s.rendering.viewMask = 3, EXPECT_RENDERING("multiview-06008"),
      DYNAMIC)

static const VkPhysicalDeviceVulkan11Features multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&features13,
    .multiview = VK_TRUE};
BEGIN(begin_with_multiview, CONTINUE, s.rendering.viewMask = 3, .features = &multiview)
BEGIN(begin_with_too_many_views, CONTINUE, s.rendering.viewMask = 0x80000000,
      EXPECT_RENDERING("viewMask-06009"), .features = &multiview, .drivers = NULL_DRIVER,
      .null_driver = "{\"properties\": {\"maxMultiviewViewCount\": 6}}")

#define CONDITIONAL(enable_)                                                                  \
    VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {                     \
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT, \
        .conditionalRenderingEnable = (enable_)};                                             \
    s.inheritance.pNext = &conditional
#define WITH(extension_) .drivers = NULL_DRIVER, .extensions = {extension_}
static const VkPhysicalDeviceConditionalRenderingFeaturesEXT inherits_condition = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .conditionalRendering = VK_TRUE,
    .inheritedConditionalRendering = VK_TRUE};
BEGIN(begin_with_inherited_condition, 0, CONDITIONAL(VK_TRUE),
      WITH(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME), .features = &inherits_condition)

#define TRANSFORM(transform_)                                                                  \
    VkCommandBufferInheritanceRenderPassTransformInfoQCOM transform = {                        \
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDER_PASS_TRANSFORM_INFO_QCOM, \
        .transform = (transform_),                                                             \
        .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}}};                               \
    s.inheritance.pNext = &transform
BEGIN(begin_turned, 0, TRANSFORM(VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR),
      WITH(VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME))

#define VIEWPORTS(count_, depths_)                                                      \
    VkViewport viewport = {.width = 1, .height = 1, .maxDepth = 1};                     \
    (void)viewport;                                                                     \
    VkCommandBufferInheritanceViewportScissorInfoNV viewports = {                       \
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV, \
        .pNext = s.inheritance.pNext,                                                   \
        .viewportScissor2D = VK_TRUE,                                                   \
        .viewportDepthCount = (count_),                                                 \
        .pViewportDepths = (depths_)};                                                  \
    s.inheritance.pNext = &viewports
#define EXPECT_VIEWPORTS(id_) \
    .expect = {"VUID-VkCommandBufferInheritanceViewportScissorInfoNV-viewportScissor2D-" id_}
static const VkPhysicalDeviceInheritedViewportScissorFeaturesNV inherits_viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INHERITED_VIEWPORT_SCISSOR_FEATURES_NV,
    .pNext = (void *)&features13,
    .inheritedViewportScissor2D = VK_TRUE};
#define VIEWPORT_FEATURE \
    WITH(VK_NV_INHERITED_VIEWPORT_SCISSOR_EXTENSION_NAME), .features = &inherits_viewports
BEGIN(begin_with_viewports, CONTINUE, VIEWPORTS(1, &viewport), VIEWPORT_FEATURE)
BEGIN(begin_with_viewports_nowhere, CONTINUE, VIEWPORTS(1, NULL), VIEWPORT_FEATURE,
      EXPECT_VIEWPORTS("04785"))
BEGIN(begin_with_viewports_outside, 0, VIEWPORTS(1, &viewport), VIEWPORT_FEATURE,
      EXPECT_VIEWPORTS("04786"))

/* --- executing: the command buffer itself ----------------------------------------------------- */

static VkCommandBuffer record_plain(struct baseline *b, VkCommandBufferUsageFlags usage)
{
    struct secondary s;
    fill_secondary(&s, usage);
    return record_only_secondary(b, &s);
}

#define EXECUTE(id_) .expect = {"VUID-vkCmdExecuteCommands-" id_}

SCENARIO(execute_primary, EXECUTE("pCommandBuffers-00088"))
{
    VkCommandBuffer other = make_recording(b);
    VK(vkEndCommandBuffer(other));
    vkCmdExecuteCommands(make_recording(b), 1, &other);
}

SCENARIO(execute_while_recording, EXECUTE("pCommandBuffers-00089"),
         .text = {"pCommandBuffers[0] is still being recorded"})
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer secondary = begin_filled_secondary(b, &s);
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
}

SCENARIO(execute_initial, EXECUTE("pCommandBuffers-00089"))
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
}

SCENARIO(execute_pending, EXECUTE("pCommandBuffers-00091"))
{
    VkCommandBuffer secondary = record_plain(b, 0), primary = make_recording(b);
    vkCmdExecuteCommands(primary, 1, &secondary);
    VK(vkEndCommandBuffer(primary));
    VkSubmitInfo submit = submit_info(&primary);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(execute_again, EXECUTE("pCommandBuffers-00092"))
{
    VkCommandBuffer secondary = record_plain(b, 0), primary = make_recording(b);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdExecuteCommands(primary, 1, &secondary);
}

/* Submits what has been ended, where that is a mistake: the call may not reach the driver. */
static void run_mistake(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo submit = submit_info(&command_buffer);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

/* "it was recorded into any other primary command buffer which is currently in the executable or
 * recording state, that primary command buffer becomes invalid" */
SCENARIO(execute_elsewhere, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"pSubmits[0].pCommandBuffers[0] is invalid: a secondary command buffer that it "
                  "executes (0x",
                  "was executed by another command buffer since, and was recorded without "
                  "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT"})
{
    VkCommandBuffer secondary = record_plain(b, 0), first = make_recording(b),
                    second = make_recording(b);
    vkCmdExecuteCommands(first, 1, &secondary);
    VK(vkEndCommandBuffer(first));
    vkCmdExecuteCommands(second, 1, &secondary);
    run_commands(b, second);
    run_mistake(b, first);
}

/* "...if any command buffer executed within it via vkCmdExecuteCommands transitions to any state
 * other than the pending or executable state" */
SCENARIO(execute_what_is_recorded_again, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"was recorded again since"})
{
    struct secondary s;
    fill_secondary(&s, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    VkCommandBuffer secondary = record_only_secondary(b, &s), primary = make_recording(b);
    vkCmdExecuteCommands(primary, 1, &secondary);
    VK(vkEndCommandBuffer(primary));
    VK(vkBeginCommandBuffer(secondary, &s.begin));
    VK(vkEndCommandBuffer(secondary));
    run_mistake(b, primary);
}

/* One after the other, the first recorded again; and for simultaneous use in both. */
SCENARIO(execute_elsewhere_and_again)
{
    VkCommandBuffer list[] = {record_plain(b, 0),
                              record_plain(b, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT)},
                    first = make_recording(b), second = make_recording(b);
    vkCmdExecuteCommands(first, 2, list);
    run_commands(b, first);
    run_commands(b, second);
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(second, &begin));
    vkCmdExecuteCommands(second, 2, list);
    run_commands(b, second);
    VK(vkBeginCommandBuffer(first, &begin));
    vkCmdExecuteCommands(first, 2, list);
    run_commands(b, first);
    VK(vkBeginCommandBuffer(second, &begin));
    vkCmdExecuteCommands(second, 1, &list[1]);
    run_commands(b, second);
    VkSubmitInfo submit = submit_info(&first);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(execute_twice_at_once, EXECUTE("pCommandBuffers-00093"),
         .text = {"pCommandBuffers[1] is element 0 as well"})
{
    VkCommandBuffer secondary = record_plain(b, 0), twice[] = {secondary, secondary};
    vkCmdExecuteCommands(make_recording(b), 2, twice);
}

/* Many elements in one call, and many calls. */
#define MANY_SECONDARIES 100

static void record_many(struct baseline *b, VkCommandBuffer many[MANY_SECONDARIES])
{
    for (uint32_t i = 0; i < MANY_SECONDARIES; i++)
        many[i] = record_plain(b, 0);
}

SCENARIO(execute_one_of_many_twice_at_once, EXECUTE("pCommandBuffers-00093"),
         .text = {"pCommandBuffers[99] is element 41 as well"})
{
    VkCommandBuffer many[MANY_SECONDARIES];
    record_many(b, many);
    many[MANY_SECONDARIES - 1] = many[41];
    vkCmdExecuteCommands(make_recording(b), MANY_SECONDARIES, many);
}

SCENARIO(execute_one_of_many_again, EXECUTE("pCommandBuffers-00092"))
{
    VkCommandBuffer many[MANY_SECONDARIES], primary = make_recording(b);
    record_many(b, many);
    for (uint32_t i = 0; i < MANY_SECONDARIES; i++)
        vkCmdExecuteCommands(primary, 1, &many[i]);
    vkCmdExecuteCommands(primary, 1, &many[41]);
}

SCENARIO(execute_many_in_turn)
{
    VkCommandBuffer many[MANY_SECONDARIES], primary = make_recording(b);
    record_many(b, many);
    vkCmdExecuteCommands(primary, MANY_SECONDARIES, many);
    run_commands(b, primary);
    const VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(primary, &begin));
    for (uint32_t i = 0; i < MANY_SECONDARIES; i++)
        vkCmdExecuteCommands(primary, 1, &many[i]);
    run_commands(b, primary);
}

SCENARIO(execute_simultaneously)
{
    VkCommandBuffer secondary = record_plain(b, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT),
                    twice[] = {secondary, secondary}, primary = make_recording(b);
    vkCmdExecuteCommands(primary, 2, twice);
    vkCmdExecuteCommands(primary, 2, twice);
    run_commands(b, primary);
}

SCENARIO(execute_of_another_family, EXECUTE("pCommandBuffers-00094"), .drivers = NULL_DRIVER)
{
    VkCommandBuffer secondary = record_plain(b, 0);
    vkCmdExecuteCommands(make_recording_of(b, find_queue_family(b->physical_device,
                                                                VK_QUEUE_COMPUTE_BIT,
                                                                VK_QUEUE_GRAPHICS_BIT)),
                         1, &secondary);
}

/* A one-time secondary cannot be submitted again with its primary. */
SCENARIO(submit_one_time_secondary_again, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00072"})
{
    VkCommandBuffer secondary = record_plain(b, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT),
                    primary = make_recording(b);
    vkCmdExecuteCommands(primary, 1, &secondary);
    VK(vkEndCommandBuffer(primary));
    VkSubmitInfo submit = submit_info(&primary);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

static const VkPhysicalDeviceProtectedMemoryFeatures protects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};

SCENARIO(execute_unprotected, EXECUTE("commandBuffer-01820"), .drivers = NULL_DRIVER, FAULTS,
         .features = &protects)
{
    VkCommandBuffer secondary = record_plain(b, 0);
    vkCmdExecuteCommands(make_protected_recording(b), 1, &secondary);
}

SCENARIO(execute_protected, EXECUTE("commandBuffer-01821"), .drivers = NULL_DRIVER, FAULTS,
         .features = &protects)
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandPoolCreateInfo info = command_pool_info(b->queue_family);
    info.flags |= VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(create_command_pool(b, &info), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer secondary;
    VK(vkAllocateCommandBuffers(b->device, &allocate, &secondary));
    VK(vkBeginCommandBuffer(secondary, &s.begin));
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
}

/* --- nested command buffers ------------------------------------------------------------------- */

SCENARIO(execute_in_secondary, EXECUTE("commandBuffer-09375"))
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer inner = record_only_secondary(b, &s), outer = begin_filled_secondary(b, &s);
    vkCmdExecuteCommands(outer, 1, &inner);
}

static const VkPhysicalDeviceNestedCommandBufferFeaturesEXT nests = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
    .pNext = (void *)&features13,
    .nestedCommandBuffer = VK_TRUE};
#define NESTED                                                                           \
    .drivers = NULL_DRIVER, .extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME}, \
    .features = &nests

SCENARIO(execute_nested, NESTED)
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer inner = record_only_secondary(b, &s), outer = begin_filled_secondary(b, &s),
                    primary = make_recording(b);
    vkCmdExecuteCommands(outer, 1, &inner);
    VK(vkEndCommandBuffer(outer));
    vkCmdExecuteCommands(primary, 1, &outer);
    run_commands(b, primary);
}

SCENARIO(execute_nested_too_deep, NESTED, EXECUTE("nestedCommandBuffer-09376"))
{
    VkPhysicalDeviceNestedCommandBufferPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer inner = record_only_secondary(b, &s), outer;
    for (uint32_t i = 0; i <= limits.maxCommandBufferNestingLevel; i++) {
        outer = begin_filled_secondary(b, &s);
        vkCmdExecuteCommands(outer, 1, &inner);
        VK(vkEndCommandBuffer(outer));
        inner = outer;
    }
}

SCENARIO(execute_nested_in_rendering, NESTED, EXECUTE("nestedCommandBufferRendering-09377"))
{
    struct secondary s;
    fill_secondary(&s, CONTINUE);
    VkCommandBuffer inner = record_only_secondary(b, &s), outer = begin_filled_secondary(b, &s);
    vkCmdExecuteCommands(outer, 1, &inner);
}

SCENARIO(execute_nested_simultaneously, NESTED, EXECUTE("nestedCommandBufferSimultaneousUse-09378"))
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer inner = record_plain(b, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT),
                    outer = begin_filled_secondary(b, &s);
    vkCmdExecuteCommands(outer, 1, &inner);
}

/* --- queries ---------------------------------------------------------------------------------- */

static VkQueryPool make_inherited_pool(struct baseline *b, VkQueryType type)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = type;
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT;
    return create_query_pool(b, &info);
}

/* Executes a secondary that inherits so, while a query is active. */
static void execute_in_query(struct baseline *b, VkQueryType type, VkQueryControlFlags flags,
                             const struct secondary *s)
{
    VkCommandBuffer secondary = record_only_secondary(b, s), primary = make_recording(b);
    VkQueryPool pool = make_inherited_pool(b, type);
    vkCmdResetQueryPool(primary, pool, 0, 4);
    vkCmdBeginQuery(primary, pool, 0, flags);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdEndQuery(primary, pool, 0);
    VK(vkEndCommandBuffer(primary));
}

#define QUERY(name_, type_, flags_, change_, ...)               \
    SCENARIO(name_, __VA_ARGS__)                                \
    {                                                           \
        struct secondary s;                                     \
        fill_secondary(&s, 0);                                  \
        change_;                                                \
        execute_in_query(b, VK_QUERY_TYPE_##type_, flags_, &s); \
    }
QUERY(execute_in_occlusion_query, OCCLUSION, VK_QUERY_CONTROL_PRECISE_BIT,
      s.inheritance.occlusionQueryEnable = VK_TRUE;
      s.inheritance.queryFlags = VK_QUERY_CONTROL_PRECISE_BIT, QUERIES)
QUERY(execute_in_statistics_query, PIPELINE_STATISTICS, 0,
      s.inheritance.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                                         VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT,
      QUERIES)
QUERY(execute_in_query_without_feature, OCCLUSION, 0, (void)0,
      .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-00101"})
QUERY(execute_in_query_not_enabled, OCCLUSION, 0, (void)0, EXECUTE("commandBuffer-00102"), QUERIES)
QUERY(execute_in_precise_query, OCCLUSION, VK_QUERY_CONTROL_PRECISE_BIT,
      s.inheritance.occlusionQueryEnable = VK_TRUE, EXECUTE("commandBuffer-00103"), QUERIES)
QUERY(execute_in_query_of_other_statistics, PIPELINE_STATISTICS, 0,
      s.inheritance.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT,
      EXECUTE("commandBuffer-00104"), QUERIES)

static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)&inherits,
    .primitivesGeneratedQuery = VK_TRUE};
QUERY(execute_in_other_query, PRIMITIVES_GENERATED_EXT, 0, (void)0, EXECUTE("commandBuffer-07594"),
      .drivers = NULL_DRIVER, .features = &generates,
      .extensions = {VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME,
                     VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME})

SCENARIO(execute_query_in_query, EXECUTE("pCommandBuffers-00105"), QUERIES)
{
    struct secondary s;
    fill_secondary(&s, 0);
    s.inheritance.occlusionQueryEnable = VK_TRUE;
    VkCommandBuffer secondary = begin_filled_secondary(b, &s), primary = make_recording(b);
    VkQueryPool pool = make_inherited_pool(b, VK_QUERY_TYPE_OCCLUSION);
    vkCmdResetQueryPool(secondary, pool, 0, 1);
    vkCmdBeginQuery(secondary, pool, 0, 0);
    vkCmdEndQuery(secondary, pool, 0);
    VK(vkEndCommandBuffer(secondary));
    vkCmdResetQueryPool(primary, pool, 1, 1);
    vkCmdBeginQuery(primary, pool, 1, 0);
    vkCmdExecuteCommands(primary, 1, &secondary);
}

/* --- render pass objects ---------------------------------------------------------------------- */

/* A render pass instance that waits for secondaries; `next` is chained to its begin info. */
static VkCommandBuffer in_render_pass(struct baseline *b, VkRenderPass pass,
                                      VkFramebuffer framebuffer, VkSubpassContents contents,
                                      const void *next)
{
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, framebuffer);
    VkCommandBuffer command_buffer = make_recording(b);
    VkClearValue clear = {0};
    begin.pNext = next;
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    vkCmdBeginRenderPass(command_buffer, &begin, contents);
    return command_buffer;
}

/* Two compatible subpasses, or of one. */
static VkRenderPass make_pass_of(struct baseline *b, uint32_t subpasses)
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkSubpassDescription descriptions[2] = {info.pSubpasses[0], info.pSubpasses[0]};
    info.subpassCount = subpasses;
    info.pSubpasses = descriptions;
    return create_render_pass(b, &info);
}

#define SECONDARIES VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
/* Executes a secondary in the first subpass of a render pass that it was recorded for; `change_`
 * may break `s`, `pass`, `framebuffer`, `contents`. */
#define IN_PASS(name_, subpasses_, change_, ...)                                        \
    SCENARIO(name_, __VA_ARGS__)                                                        \
    {                                                                                   \
        struct secondary s;                                                             \
        VkRenderPass pass = make_pass_of(b, subpasses_);                                \
        VkFramebuffer framebuffer = make_framebuffer(b, pass, make_image_view(b));      \
        VkSubpassContents contents = SECONDARIES;                                       \
        const void *next = NULL;                                                        \
        bool advance = false;                                                           \
        fill_secondary(&s, CONTINUE);                                                   \
        s.inheritance.pNext = NULL;                                                     \
        s.inheritance.renderPass = pass;                                                \
        s.inheritance.framebuffer = framebuffer;                                        \
        change_;                                                                        \
        VkCommandBuffer secondary = record_only_secondary(b, &s),                       \
                        primary = in_render_pass(b, pass, framebuffer, contents, next); \
        if (advance)                                                                    \
            vkCmdNextSubpass(primary, contents);                                        \
        vkCmdExecuteCommands(primary, 1, &secondary);                                   \
    }

IN_PASS(execute_in_render_pass, 1, (void)0)
IN_PASS(execute_in_second_subpass, 2, advance = true; s.inheritance.subpass = 1)
IN_PASS(execute_not_continuing, 1, s.begin.flags = 0, EXECUTE("pCommandBuffers-00096"))
IN_PASS(execute_inline, 1, contents = VK_SUBPASS_CONTENTS_INLINE, EXECUTE("contents-09680"))
IN_PASS(execute_inline_in_second_subpass, 2, contents = VK_SUBPASS_CONTENTS_INLINE; advance = true;
        s.inheritance.subpass = 1, EXECUTE("None-09681"))
IN_PASS(execute_in_other_subpass, 2, advance = true, EXECUTE("pCommandBuffers-06019"))
IN_PASS(execute_in_other_framebuffer, 1,
        s.inheritance.framebuffer = make_framebuffer(b, pass, make_image_view(b)),
        EXECUTE("pCommandBuffers-00099"))
IN_PASS(execute_in_unknown_framebuffer, 1, s.inheritance.framebuffer = VK_NULL_HANDLE)
IN_PASS(execute_in_other_render_pass, 1, s.inheritance.framebuffer = VK_NULL_HANDLE;
        s.inheritance.renderPass = make_other_pass(b), EXECUTE("pBeginInfo-06020"))
IN_PASS(execute_in_compatible_render_pass, 1, s.inheritance.renderPass = make_render_pass(b))
IN_PASS(execute_dynamic_in_render_pass, 1, s.inheritance.renderPass = VK_NULL_HANDLE;
        s.inheritance.pNext = &s.rendering, EXECUTE("pBeginInfo-06020"), DYNAMIC)

static VkRenderPass make_turned_pass(struct baseline *b)
{
    VkRenderPassCreateInfo info = render_pass_info();
    info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM;
    return create_render_pass(b, &info);
}
#define TURNED                                                            \
    VkRenderPassTransformBeginInfoQCOM turned = {                         \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM, \
        .transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR};             \
    next = &turned;                                                       \
    s.inheritance.renderPass = pass = make_turned_pass(b);                \
    s.inheritance.framebuffer = framebuffer = make_framebuffer(b, pass, make_image_view(b))
#define TRANSFORMS WITH(VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME)
IN_PASS(execute_turned, 1, TURNED; TRANSFORM(VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR), TRANSFORMS)
IN_PASS(execute_without_transform, 1, TURNED, TRANSFORMS, EXECUTE("pNext-02865"))
IN_PASS(execute_turned_otherwise, 1, TURNED;
        TRANSFORM(VK_SURFACE_TRANSFORM_ROTATE_180_BIT_KHR), TRANSFORMS, EXECUTE("pNext-02866"))
IN_PASS(execute_turned_in_other_area, 1, TURNED; TRANSFORM(VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR);
        transform.renderArea.extent.width = 8, TRANSFORMS, EXECUTE("pNext-02867"))

SCENARIO(execute_continuing_outside, EXECUTE("pCommandBuffers-00100"), DYNAMIC)
{
    VkCommandBuffer secondary = record_plain(b, CONTINUE);
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
}

/* --- dynamic rendering ------------------------------------------------------------------------ */

static VkImageView make_view_of_samples(struct baseline *b, VkFormat format,
                                        VkImageUsageFlags usage, VkImageAspectFlags aspects,
                                        VkSampleCountFlagBits samples)
{
    VkImageCreateInfo info = image_info(usage);
    info.format = format;
    info.samples = samples;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = format;
    view.subresourceRange.aspectMask = aspects;
    return create_image_view(b, &view);
}

#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT_S8_UINT
static VkRenderingAttachmentInfo depth_attachment(struct baseline *b, VkSampleCountFlagBits samples)
{
    VkRenderingAttachmentInfo info =
        rendering_attachment(make_view_of_samples(b, DEPTH_FORMAT,
                                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                                  VK_IMAGE_ASPECT_DEPTH_BIT |
                                                      VK_IMAGE_ASPECT_STENCIL_BIT,
                                                  samples));
    info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    return info;
}

/* Executes a secondary in a dynamic render pass instance with one color attachment; `change_` may
 * break `s`, `info` and what it points to. */
#define IN_RENDERING(name_, change_, ...)                                                  \
    SCENARIO(name_, __VA_ARGS__)                                                           \
    {                                                                                      \
        struct secondary s;                                                                \
        VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b)), depth; \
        VkRenderingInfo info = rendering_info(&color);                                     \
        VkCommandBuffer primary = make_recording(b);                                       \
        (void)depth;                                                                       \
        info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;                  \
        fill_secondary(&s, CONTINUE);                                                      \
        change_;                                                                           \
        VkCommandBuffer secondary = record_only_secondary(b, &s);                          \
        vkCmdBeginRendering(primary, &info);                                               \
        vkCmdExecuteCommands(primary, 1, &secondary);                                      \
        vkCmdEndRendering(primary);                                                        \
    }

#define SET_DEPTH                                       \
    depth = depth_attachment(b, VK_SAMPLE_COUNT_1_BIT); \
    info.pDepthAttachment = info.pStencilAttachment = &depth
#define WANT_DEPTH \
    s.rendering.depthAttachmentFormat = s.rendering.stencilAttachmentFormat = DEPTH_FORMAT

IN_RENDERING(execute_in_rendering, (void)0, DYNAMIC)
IN_RENDERING(execute_in_rendering_with_depth, SET_DEPTH; WANT_DEPTH, DYNAMIC)
IN_RENDERING(execute_inline_in_rendering, info.flags = 0, EXECUTE("flags-06024"), DYNAMIC)
IN_RENDERING(execute_pass_in_rendering, s.inheritance.renderPass = make_render_pass(b);
             s.inheritance.pNext = NULL, EXECUTE("pBeginInfo-06025"), DYNAMIC)
IN_RENDERING(execute_with_other_flags, s.rendering.flags = VK_RENDERING_SUSPENDING_BIT,
             EXECUTE("flags-06026"), DYNAMIC)
IN_RENDERING(execute_with_fewer_colors, s.rendering.colorAttachmentCount = 0,
             EXECUTE("colorAttachmentCount-06027"), DYNAMIC)
IN_RENDERING(execute_with_other_color, s.color = VK_FORMAT_B8G8R8A8_UNORM,
             EXECUTE("imageView-06028"), DYNAMIC,
             .text = {"was recorded for color attachment 0 of VK_FORMAT_B8G8R8A8_UNORM, but the "
                      "render pass instance has VkImageView 0x",
                      " of VkImage 0x", " there, of VK_FORMAT_R8G8B8A8_UNORM"})
IN_RENDERING(execute_with_color_of_nothing, color.imageView = VK_NULL_HANDLE,
             EXECUTE("imageView-07606"), DYNAMIC,
             .text = {"was recorded for color attachment 0 of ",
                      ", but the render pass instance has none there"})
IN_RENDERING(execute_with_other_depth, SET_DEPTH; WANT_DEPTH; info.pStencilAttachment = NULL;
             s.rendering.stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
             s.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT,
             EXECUTE("pDepthAttachment-06029"), DYNAMIC,
             .text = {"was recorded for a depth attachment of VK_FORMAT_D32_SFLOAT, but"})
IN_RENDERING(execute_with_other_stencil, SET_DEPTH; info.pDepthAttachment = NULL;
             s.rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT,
             EXECUTE("pStencilAttachment-06030"), DYNAMIC)
IN_RENDERING(execute_with_depth_of_nothing, s.rendering.depthAttachmentFormat = DEPTH_FORMAT,
             EXECUTE("pDepthAttachment-06774"), DYNAMIC)
IN_RENDERING(execute_with_stencil_of_nothing, s.rendering.stencilAttachmentFormat = DEPTH_FORMAT,
             EXECUTE("pStencilAttachment-06775"), DYNAMIC)
IN_RENDERING(execute_with_other_samples, s.rendering.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
             EXECUTE("pNext-06035"), DYNAMIC,
             .text = {"was recorded for color attachment 0 with VK_SAMPLE_COUNT_4_BIT, but the "
                      "render pass instance has VkImageView 0x",
                      " there, with VK_SAMPLE_COUNT_1_BIT"})
IN_RENDERING(execute_with_other_depth_samples, SET_DEPTH;
             info.colorAttachmentCount = s.rendering.colorAttachmentCount = 0; WANT_DEPTH;
             info.pStencilAttachment = NULL;
             s.rendering.stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
             s.rendering.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT, EXECUTE("pNext-06036"),
             DYNAMIC)
IN_RENDERING(execute_with_other_stencil_samples, SET_DEPTH;
             info.colorAttachmentCount = s.rendering.colorAttachmentCount = 0; WANT_DEPTH;
             info.pDepthAttachment = NULL; s.rendering.depthAttachmentFormat = VK_FORMAT_UNDEFINED;
             s.rendering.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT, EXECUTE("pNext-06037"),
             DYNAMIC)
IN_RENDERING(execute_with_other_views, s.rendering.viewMask = 1, EXECUTE("viewMask-06031"),
             .features = &multiview)

/* Sample counts of each attachment. */
#define COUNTS(color_, depth_)                                       \
    VkSampleCountFlagBits of_color = (color_);                       \
    VkAttachmentSampleCountInfoAMD counts = {                        \
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD, \
        .pNext = s.inheritance.pNext,                                \
        .colorAttachmentCount = 1,                                   \
        .pColorAttachmentSamples = &of_color,                        \
        .depthStencilAttachmentSamples = (depth_)};                  \
    s.inheritance.pNext = &counts
#define MIXED \
    .drivers = NULL_DRIVER, DYNAMIC, .extensions = {VK_AMD_MIXED_ATTACHMENT_SAMPLES_EXTENSION_NAME}
IN_RENDERING(execute_with_counts, SET_DEPTH; WANT_DEPTH;
             COUNTS(VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT), MIXED)
IN_RENDERING(execute_with_other_count, COUNTS(VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_1_BIT), MIXED,
             EXECUTE("pNext-06032"))
IN_RENDERING(execute_with_other_depth_count, SET_DEPTH; WANT_DEPTH; info.pStencilAttachment = NULL;
             s.rendering.stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
             COUNTS(VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT), MIXED, EXECUTE("pNext-06033"))
IN_RENDERING(execute_with_other_stencil_count, SET_DEPTH; WANT_DEPTH; info.pDepthAttachment = NULL;
             s.rendering.depthAttachmentFormat = VK_FORMAT_UNDEFINED;
             COUNTS(VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT), MIXED, EXECUTE("pNext-06034"))

/* Mappings of attachments to locations and input attachment indices. */
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)&features13,
    .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL_READ                                   \
    .drivers = NULL_DRIVER, .features = &local_read, \
    .extensions = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME}
static const uint32_t unused = VK_ATTACHMENT_UNUSED, third = 3;
#define LOCATIONS                                                      \
    VkRenderingAttachmentLocationInfo locations = {                    \
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO, \
        .pNext = s.inheritance.pNext,                                  \
        .colorAttachmentCount = 1,                                     \
        .pColorAttachmentLocations = &unused};                         \
    s.inheritance.pNext = &locations
IN_RENDERING(execute_with_other_location, LOCATIONS, LOCAL_READ, EXECUTE("pCommandBuffers-09504"))
#define INDICES                                                           \
    VkRenderingInputAttachmentIndexInfo indices = {                       \
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO, \
        .pNext = s.inheritance.pNext,                                     \
        .colorAttachmentCount = 1,                                        \
        .pColorAttachmentInputIndices = &third};                          \
    s.inheritance.pNext = &indices
IN_RENDERING(execute_with_other_index, INDICES, LOCAL_READ, EXECUTE("pCommandBuffers-09505"))

SCENARIO(execute_with_mappings, LOCAL_READ)
{
    struct secondary s;
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer primary = make_recording(b);
    info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    fill_secondary(&s, CONTINUE);
    INDICES;
    VkCommandBuffer secondary = record_only_secondary(b, &s);
    indices.pNext = NULL;
    vkCmdBeginRendering(primary, &info);
    DEVICE_PROC(b, vkCmdSetRenderingInputAttachmentIndicesKHR)(primary, &indices);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdEndRendering(primary);
}

/* --- suspended render pass instances ---------------------------------------------------------- */

/* A render pass instance in a secondary of its own. */
static VkCommandBuffer record_instance(struct baseline *b, const VkRenderingInfo *info,
                                       VkRenderingFlags flags, bool fills)
{
    struct secondary s;
    VkRenderingInfo with = *info;
    fill_secondary(&s, 0);
    with.flags = flags;
    VkCommandBuffer secondary = begin_filled_secondary(b, &s);
    if (fills)
        vkCmdFillBuffer(secondary, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0,
                        VK_WHOLE_SIZE, 0);
    vkCmdBeginRendering(secondary, &with);
    vkCmdEndRendering(secondary);
    VK(vkEndCommandBuffer(secondary));
    return secondary;
}

static void execute_two(struct baseline *b, VkRenderingFlags second, bool fills)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer both[] = {record_instance(b, &info, VK_RENDERING_SUSPENDING_BIT, false),
                              record_instance(b, &info, second, fills)};
    vkCmdExecuteCommands(make_recording(b), 2, both);
}

SCENARIO(execute_suspended_and_resumed, DYNAMIC)
{
    execute_two(b, VK_RENDERING_RESUMING_BIT, false);
}

SCENARIO(execute_actions_while_suspended, DYNAMIC, EXECUTE("pCommandBuffers-06021"))
{
    execute_two(b, VK_RENDERING_RESUMING_BIT, true);
}

SCENARIO(execute_other_instance_while_suspended, DYNAMIC, EXECUTE("pCommandBuffers-06022"))
{
    execute_two(b, 0, false);
}

#define MISMATCH .expect = {"UNASSIGNED-RenderingInfo-SuspendResume-Mismatch"}
/* One secondary suspends an instance, and another one, or the primary, resumes it in another area.
 */
static void resume_elsewhere(struct baseline *b, bool in_primary, bool suspend_in_primary,
                             uint32_t width)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color), other = info;
    VkCommandBuffer primary = make_recording(b);
    other.renderArea.extent.width = width;
    if (suspend_in_primary) {
        VkRenderingInfo with = info;
        with.flags = VK_RENDERING_SUSPENDING_BIT;
        vkCmdBeginRendering(primary, &with);
        vkCmdEndRendering(primary);
    } else {
        VkCommandBuffer first = record_instance(b, &info, VK_RENDERING_SUSPENDING_BIT, false);
        vkCmdExecuteCommands(primary, 1, &first);
    }
    if (in_primary) {
        other.flags = VK_RENDERING_RESUMING_BIT;
        vkCmdBeginRendering(primary, &other);
        vkCmdEndRendering(primary);
    } else {
        VkCommandBuffer second = record_instance(b, &other, VK_RENDERING_RESUMING_BIT, false);
        vkCmdExecuteCommands(primary, 1, &second);
    }
}
SCENARIO(execute_resumes_another_area, DYNAMIC, MISMATCH,
         .text = {"pCommandBuffers[0] resumes the render pass instance that is suspended, but with "
                  "another VkRenderingInfo::renderArea"})
{
    resume_elsewhere(b, false, false, IMAGE_EXTENT / 2);
}
SCENARIO(execute_resumes_another_area_of_the_primary, DYNAMIC, MISMATCH)
{
    resume_elsewhere(b, false, true, IMAGE_EXTENT / 2);
}
SCENARIO(primary_resumes_another_area_of_a_secondary, DYNAMIC, MISMATCH, .proceed = true)
{
    resume_elsewhere(b, true, false, IMAGE_EXTENT / 2);
}
SCENARIO(resumed_as_suspended, DYNAMIC)
{
    resume_elsewhere(b, false, false, IMAGE_EXTENT);
    resume_elsewhere(b, false, true, IMAGE_EXTENT);
    resume_elsewhere(b, true, false, IMAGE_EXTENT);
}

/* --- the state after executing ---------------------------------------------------------------- */

/* Draws with what was bound before secondaries were executed. */
static void draw_after_execution(struct baseline *b, bool bind_again)
{
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    VkCommandBuffer secondary = record_plain(b, 0), primary = make_recording(b);
    vkCmdBindPipeline(primary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdExecuteCommands(primary, 1, &secondary);
    begin_rendering(b, primary);
    if (bind_again)
        vkCmdBindPipeline(primary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(primary, 3, 1, 0, 0);
    vkCmdEndRenderPass(primary);
    run_commands(b, primary);
}

SCENARIO(draw_with_pipeline_from_before, .expect = {"VUID-vkCmdDraw-None-08606"})
{
    draw_after_execution(b, false);
}

SCENARIO(draw_with_pipeline_bound_again)
{
    draw_after_execution(b, true);
}

/* A query that a secondary used must be reset before the primary uses it. */
SCENARIO(query_that_secondary_used, .expect = {"VUID-vkCmdBeginQuery-None-00807"})
{
    struct secondary s;
    fill_secondary(&s, 0);
    VkCommandBuffer secondary = begin_filled_secondary(b, &s), primary = make_recording(b);
    VkQueryPool pool = make_inherited_pool(b, VK_QUERY_TYPE_OCCLUSION);
    vkCmdResetQueryPool(secondary, pool, 0, 1);
    vkCmdBeginQuery(secondary, pool, 0, 0);
    vkCmdEndQuery(secondary, pool, 0);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdBeginQuery(primary, pool, 0, 0);
}

/* --- tile shading ----------------------------------------------------------------------------- */

static const VkPhysicalDeviceTileShadingFeaturesQCOM tile_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&features13,
    .tileShading = VK_TRUE,
    .tileShadingPerTileDraw = VK_TRUE,
    .tileShadingApron = VK_TRUE,
    .tileShadingAnisotropicApron = VK_TRUE};
#define SHADES VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM
#define TILED  VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM

static VkRenderPassTileShadingCreateInfoQCOM tiles_of(VkTileShadingRenderPassFlagsQCOM flags,
                                                      uint32_t apron)
{
    return (VkRenderPassTileShadingCreateInfoQCOM){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM,
        .flags = flags,
        .tileApronSize = {apron, apron}};
}

/* A render pass with `tiles`, and a secondary that was recorded for it with `theirs`. */
struct tile_pass {
    VkRenderPassTileShadingCreateInfoQCOM tiles, theirs;
    bool chained, per_tile, outside, dynamic, begun; /* begun: and not executed */
};

static void execute_tiles(struct baseline *b, struct tile_pass *t)
{
    struct secondary s;
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = t->tiles.flags ? &t->tiles : NULL;
    VkRenderPass pass = create_render_pass(b, &info);
    VkFramebuffer framebuffer = make_framebuffer(b, pass, make_image_view(b));
    fill_secondary(&s, t->outside ? 0 : CONTINUE);
    if (t->dynamic) {
        s.rendering.pNext = &t->theirs;
    } else {
        s.inheritance.pNext = t->chained ? &t->theirs : NULL;
        s.inheritance.renderPass = pass;
        s.inheritance.framebuffer = framebuffer;
    }
    VkCommandBuffer secondary = record_only_secondary(b, &s), primary;
    if (t->begun)
        return;
    if (t->outside) {
        primary = make_recording(b);
    } else if (t->dynamic) {
        VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
        VkRenderingInfo rendering = rendering_info(&color);
        rendering.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
        rendering.pNext = t->tiles.flags ? &t->tiles : NULL;
        primary = make_recording(b);
        vkCmdBeginRendering(primary, &rendering);
    } else {
        primary = in_render_pass(b, pass, framebuffer, SECONDARIES, NULL);
    }
    if (t->per_tile)
        DEVICE_PROC(b, vkCmdBeginPerTileExecutionQCOM)
    (primary, &(VkPerTileBeginInfoQCOM){VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM, NULL});
    vkCmdExecuteCommands(primary, 1, &secondary);
}

#define EXECUTE_TILES(name_, change_, ...)                                                \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &tile_features,                   \
             .extensions = {VK_QCOM_TILE_SHADING_EXTENSION_NAME,                          \
                            VK_QCOM_TILE_PROPERTIES_EXTENSION_NAME},                      \
             ##__VA_ARGS__)                                                               \
    {                                                                                     \
        struct tile_pass t = {tiles_of(SHADES, 1), tiles_of(SHADES, 1), .chained = true}; \
        change_;                                                                          \
        execute_tiles(b, &t);                                                             \
    }
EXECUTE_TILES(execute_shading_tiles, (void)0)
EXECUTE_TILES(execute_shading_tiles_one_by_one, t.per_tile = true; t.theirs.flags |= TILED)
EXECUTE_TILES(execute_shading_dynamic_tiles, t.dynamic = true)
EXECUTE_TILES(begin_without_tiles, t.begun = true;
              t.chained = false, .proceed = true,
              .expect = {"VUID-VkCommandBufferBeginInfo-flags-10617"})
EXECUTE_TILES(begin_with_tiles_alone, t.begun = true;
              t.tiles.flags = 0, .proceed = true,
              .expect = {"VUID-VkCommandBufferBeginInfo-flags-10618"})
EXECUTE_TILES(begin_with_other_apron, t.begun = true;
              t.theirs = tiles_of(SHADES, 2), .proceed = true,
              .expect = {"VUID-VkCommandBufferBeginInfo-flags-10619"},
              .text = {"tileApronSize is 2x2, but that of renderPass is 1x1"})
EXECUTE_TILES(execute_tiles_unaware, t.chained = false, .proceed = true,
              .expect = {"VUID-VkCommandBufferBeginInfo-flags-10617",
                         "VUID-vkCmdExecuteCommands-pCommandBuffers-10620"})
/* 10618 forbids what 10620 asks for. */
EXECUTE_TILES(execute_dynamic_tiles_unaware, t.dynamic = true; t.theirs = tiles_of(0, 0))
EXECUTE_TILES(execute_without_per_tile, t.per_tile = true, EXECUTE("pCommandBuffers-10621"))
EXECUTE_TILES(execute_dynamic_tiles_of_other_apron, t.dynamic = true;
              t.theirs.tileApronSize.width = 0, EXECUTE("tileApronSize-10622"))
EXECUTE_TILES(execute_tiles_without_tiles, t.dynamic = true;
              t.tiles.flags = 0, EXECUTE("pCommandBuffers-10623"))
EXECUTE_TILES(execute_with_per_tile, t.theirs.flags |= TILED, EXECUTE("pCommandBuffers-10624"))
/* An apron without shading tiles is a mistake of its own. */
EXECUTE_TILES(execute_apron_outside, t.outside = true;
              t.theirs = tiles_of(0, 1), .proceed = true,
              .expect = {"VUID-vkCmdExecuteCommands-tileApronSize-10625",
                         "VUID-VkRenderPassTileShadingCreateInfoQCOM-flags-10659"})
