/* Valid programs that use extensions which few programs have. Nothing is found in any of them. */
#include "scenario.h"

#include "valid_shaders.h"

#define FEATURE(name_, Type_, TYPE_, ...)          \
    static const VkPhysicalDevice##Type_ name_ = { \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, __VA_ARGS__};
#define NEXT(feature_) .pNext = (void *)&feature_
#define ALL            .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_4
#define GENERAL        VK_IMAGE_LAYOUT_GENERAL

FEATURE(rendering, DynamicRenderingFeatures, DYNAMIC_RENDERING_FEATURES,
        .dynamicRendering = VK_TRUE)
FEATURE(core, Features2, FEATURES_2, NEXT(rendering),
        .features = {.geometryShader = VK_TRUE, .depthClamp = VK_TRUE})
FEATURE(sync2, Synchronization2Features, SYNCHRONIZATION_2_FEATURES, NEXT(core),
        .synchronization2 = VK_TRUE)
FEATURE(address, BufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES, NEXT(sync2),
        .bufferDeviceAddress = VK_TRUE)

static void begin_vendor_rendering(struct baseline *b, VkCommandBuffer command_buffer,
                                   const void *next, VkRenderingFlags flags)
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkImageViewCreateInfo view = image_view_info(image);
    const VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    color.imageLayout = GENERAL;
    VkRenderingInfo info = rendering_info(&color);
    info.pNext = next;
    info.flags = flags;
    vkCmdBeginRendering(command_buffer, &info);
}

static void finish_commands(VkCommandBuffer command_buffer)
{
    VK(vkEndCommandBuffer(command_buffer));
}

/* --- rendering --- */

FEATURE(dithering, LegacyDitheringFeaturesEXT, LEGACY_DITHERING_FEATURES_EXT, NEXT(sync2),
        .legacyDithering = VK_TRUE)
SCENARIO(legacy_dithering, ALL, .features = &dithering, .extensions = {"VK_EXT_legacy_dithering"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_vendor_rendering(b, command_buffer, NULL, VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT);
    vkCmdEndRendering(command_buffer);
    finish_commands(command_buffer);
    VkRenderPassCreateInfo info = render_pass_info();
    VkSubpassDescription subpass = info.pSubpasses[0];
    subpass.flags = VK_SUBPASS_DESCRIPTION_ENABLE_LEGACY_DITHERING_BIT_EXT;
    info.pSubpasses = &subpass;
    create_render_pass(b, &info);
}

FEATURE(stripes, RenderPassStripedFeaturesARM, RENDER_PASS_STRIPED_FEATURES_ARM, NEXT(sync2),
        .renderPassStriped = VK_TRUE)
#define STRIPES                                                                        \
    ALL, .features = &stripes, .extensions = {"VK_ARM_render_pass_striped"},           \
        .null_driver = "{\"properties\": {\"renderPassStripeGranularity\": [32, 32], " \
                       "\"maxRenderPassStripes\": 8}}"
static void submit_stripes(struct baseline *b, bool chained, uint32_t signalled)
{
    const VkRenderPassStripeInfoARM halves[2] = {
        {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_INFO_ARM, .stripeArea = {{0, 0}, {64, 32}}},
        {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_INFO_ARM,
         .stripeArea = {{0, 32}, {64, 32}}}};
    const VkRenderPassStripeBeginInfoARM both = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_BEGIN_INFO_ARM,
        .stripeInfoCount = 2,
        .pStripeInfos = halves};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_vendor_rendering(b, command_buffer, &both, 0);
    vkCmdEndRendering(command_buffer);
    finish_commands(command_buffer);
    const VkSemaphoreSubmitInfo signals[2] = {
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = make_semaphore(b)},
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = make_semaphore(b)}};
    const VkRenderPassStripeSubmitInfoARM stripe = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_SUBMIT_INFO_ARM,
        .stripeSemaphoreInfoCount = signalled,
        .pStripeSemaphoreInfos = signals};
    const VkCommandBufferSubmitInfo commands = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                                .pNext = chained ? &stripe : NULL,
                                                .commandBuffer = command_buffer};
    const VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                  .commandBufferInfoCount = 1,
                                  .pCommandBufferInfos = &commands};
    (void)vkQueueSubmit2(b->queue, 1, &submit, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(striped_rendering, STRIPES)
{
    submit_stripes(b, true, 2);
}

SCENARIO(stripes_without_semaphores, STRIPES,
         .expect = {"VUID-VkCommandBufferSubmitInfo-commandBuffer-09445"},
         .text = {"a render pass instance of the command buffer has 2 stripes"})
{
    submit_stripes(b, false, 2);
}

SCENARIO(stripes_with_one_semaphore, STRIPES,
         .expect = {"VUID-VkCommandBufferSubmitInfo-pNext-09446"},
         .text = {"is 1, but the render pass instances of the command buffer have 2 stripes"})
{
    submit_stripes(b, true, 1);
}

FEATURE(per_view, MultiviewPerViewRenderAreasFeaturesQCOM,
        MULTIVIEW_PER_VIEW_RENDER_AREAS_FEATURES_QCOM, NEXT(sync2),
        .multiviewPerViewRenderAreas = VK_TRUE)
SCENARIO(areas_per_view, ALL, .features = &per_view,
         .extensions = {"VK_QCOM_multiview_per_view_render_areas"})
{
    const VkRect2D area = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM areas = {
        .sType = VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM,
        .perViewRenderAreaCount = 1,
        .pPerViewRenderAreas = &area};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_vendor_rendering(b, command_buffer, &areas, 0);
    vkCmdEndRendering(command_buffer);
    finish_commands(command_buffer);
}

FEATURE(unified, UnifiedImageLayoutsFeaturesKHR, UNIFIED_IMAGE_LAYOUTS_FEATURES_KHR, NEXT(sync2),
        .unifiedImageLayouts = VK_TRUE)
SCENARIO(unified_layouts, ALL, .features = &unified, .extensions = {"VK_KHR_unified_image_layouts"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_vendor_rendering(b, command_buffer, NULL, 0);
    vkCmdEndRendering(command_buffer);
    finish_commands(command_buffer);
}

FEATURE(clamp_range, DepthClampZeroOneFeaturesKHR, DEPTH_CLAMP_ZERO_ONE_FEATURES_KHR, NEXT(sync2),
        .depthClampZeroOne = VK_TRUE)
FEATURE(clamp_control, DepthClampControlFeaturesEXT, DEPTH_CLAMP_CONTROL_FEATURES_EXT,
        NEXT(clamp_range), .depthClampControl = VK_TRUE)
FEATURE(restart, PrimitiveRestartIndexFeaturesEXT, PRIMITIVE_RESTART_INDEX_FEATURES_EXT,
        NEXT(clamp_control), .primitiveRestartIndex = VK_TRUE)
FEATURE(order, RasterizationOrderAttachmentAccessFeaturesARM,
        RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_ARM, NEXT(restart),
        .rasterizationOrderColorAttachmentAccess = VK_TRUE)
SCENARIO(states_of_extensions, ALL, .features = &order,
         .extensions = {"VK_KHR_depth_clamp_zero_one", "VK_EXT_depth_clamp_control",
                        "VK_EXT_primitive_restart_index",
                        "VK_ARM_rasterization_order_attachment_access",
                        "VK_NV_sample_mask_override_coverage", "VK_EXT_post_depth_coverage"})
{
    const VkDepthClampRangeEXT range = {0.25f, 0.75f};
    const VkPipelineViewportDepthClampControlCreateInfoEXT control = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
        .depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT,
        .pDepthClampRange = &range};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.viewport_state.pNext = &control;
    p.rasterization.depthClampEnable = VK_TRUE;
    p.color_blend.flags = 0;
    create_graphics_pipeline(b, &p.info);
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdSetDepthClampRangeEXT)(command_buffer,
                                               VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, NULL);
    DEVICE_PROC(b, vkCmdSetPrimitiveRestartIndexEXT)(command_buffer, 7);
    finish_commands(command_buffer);
}

FEATURE(legacy_attributes, LegacyVertexAttributesFeaturesEXT, LEGACY_VERTEX_ATTRIBUTES_FEATURES_EXT,
        NEXT(sync2), .legacyVertexAttributes = VK_TRUE)
FEATURE(dynamic_input, VertexInputDynamicStateFeaturesEXT, VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
        NEXT(legacy_attributes), .vertexInputDynamicState = VK_TRUE)
SCENARIO(legacy_vertices, ALL, .features = &dynamic_input,
         .extensions = {"VK_EXT_legacy_vertex_attributes", "VK_EXT_vertex_input_dynamic_state"})
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = 3,
        .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .offset = 1};
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(make_recording(b), 1, &binding, 1, &attribute);
}

FEATURE(feedback, SubpassMergeFeedbackFeaturesEXT, SUBPASS_MERGE_FEEDBACK_FEATURES_EXT, NEXT(sync2),
        .subpassMergeFeedback = VK_TRUE)
SCENARIO(merge_feedback, ALL, .features = &feedback,
         .extensions = {"VK_EXT_subpass_merge_feedback"})
{
    VkRenderPassCreationFeedbackInfoEXT result = {0};
    const VkRenderPassCreationFeedbackCreateInfoEXT whole = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_FEEDBACK_CREATE_INFO_EXT,
        .pRenderPassFeedback = &result};
    const VkRenderPassCreationControlEXT control = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_CONTROL_EXT,
        .pNext = &whole,
        .disallowMerging = VK_TRUE};
    const VkAttachmentDescription2 attachment = {.sType =
                                                     VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = COLOR_FORMAT,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .finalLayout = GENERAL};
    const VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .layout = GENERAL};
    VkRenderPassSubpassFeedbackInfoEXT subpass_result = {0};
    const VkRenderPassSubpassFeedbackCreateInfoEXT of_subpass = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_SUBPASS_FEEDBACK_CREATE_INFO_EXT,
        .pSubpassFeedback = &subpass_result};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = &of_subpass,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &color};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .pNext = &control,
                                          .attachmentCount = 1,
                                          .pAttachments = &attachment,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass};
    VkRenderPass render_pass;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &render_pass));
    vkDestroyRenderPass(b->device, render_pass, NULL);
}

FEATURE(density, FragmentDensityMapFeaturesEXT, FRAGMENT_DENSITY_MAP_FEATURES_EXT, NEXT(sync2),
        .fragmentDensityMap = VK_TRUE)
FEATURE(density_offset, FragmentDensityMapOffsetFeaturesEXT,
        FRAGMENT_DENSITY_MAP_OFFSET_FEATURES_EXT, NEXT(density),
        .fragmentDensityMapOffset = VK_TRUE)
SCENARIO(density_map_with_offsets, ALL, .features = &density_offset,
         .extensions = {"VK_EXT_fragment_density_map", "VK_EXT_fragment_density_map_offset"})
{
    VkImageCreateInfo map = image_info(VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT);
    map.format = VK_FORMAT_R8G8_UNORM;
    map.flags = VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &map));
    view.format = map.format;
    const VkRenderingFragmentDensityMapAttachmentInfoEXT density_map = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = create_image_view(b, &view),
        .imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT};
    VkImageCreateInfo target = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    target.flags =
        VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT | VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
    VkImageViewCreateInfo target_view = image_view_info(make_image_of(b, &target));
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &target_view));
    color.imageLayout = GENERAL;
    VkRenderingInfo info = rendering_info(&color);
    info.pNext = &density_map;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offsets = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT};
    const VkRenderingEndInfoEXT end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_EXT,
                                       .pNext = &offsets};
    DEVICE_PROC(b, vkCmdEndRendering2EXT)(command_buffer, &end);
    finish_commands(command_buffer);
}

/* --- copies and memory --- */

FEATURE(copies, CopyMemoryIndirectFeaturesNV, COPY_MEMORY_INDIRECT_FEATURES_NV, NEXT(address),
        .indirectCopy = VK_TRUE)
FEATURE(unpack, MemoryDecompressionFeaturesNV, MEMORY_DECOMPRESSION_FEATURES_NV, NEXT(copies),
        .memoryDecompression = VK_TRUE)
SCENARIO(copies_by_nvidia, ALL, .features = &unpack,
         .extensions = {"VK_NV_copy_memory_indirect", "VK_NV_memory_decompression"})
{
    VkBuffer buffer =
        make_buffer(b, 65536,
                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkDeviceAddress at = buffer_address(b, buffer);
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectNV)(command_buffer, at, 2, 24);
    const VkImageSubresourceLayers color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    DEVICE_PROC(b, vkCmdCopyMemoryToImageIndirectNV)
    (command_buffer, at, 1, 56, make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT), GENERAL, &color);
    const VkDecompressMemoryRegionNV region = {
        .srcAddress = at,
        .dstAddress = at + 4096,
        .compressedSize = 256,
        .decompressedSize = 1024,
        .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_NV};
    DEVICE_PROC(b, vkCmdDecompressMemoryNV)(command_buffer, 1, &region);
    DEVICE_PROC(b, vkCmdDecompressMemoryIndirectCountNV)(command_buffer, at, at + 1024, 48);
    finish_commands(command_buffer);
}

FEATURE(report_addresses, AddressBindingReportFeaturesEXT, ADDRESS_BINDING_REPORT_FEATURES_EXT,
        NEXT(sync2), .reportAddressBinding = VK_TRUE)
FEATURE(report_memory, DeviceMemoryReportFeaturesEXT, DEVICE_MEMORY_REPORT_FEATURES_EXT,
        NEXT(report_addresses), .deviceMemoryReport = VK_TRUE)
FEATURE(unmodified, ExternalMemoryRDMAFeaturesNV, EXTERNAL_MEMORY_RDMA_FEATURES_NV,
        NEXT(report_memory), .externalMemoryRDMA = VK_TRUE)
SCENARIO(reports_of_memory, ALL, .features = &unmodified,
         .extensions = {"VK_EXT_device_address_binding_report", "VK_EXT_device_memory_report",
                        "VK_NV_external_memory_rdma", "VK_EXT_external_memory_acquire_unmodified",
                        "VK_KHR_external_memory_fd"})
{
    const VkExternalMemoryImageCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &external;
    VkImage image = make_image_of(b, &info);
    const VkExternalMemoryAcquireUnmodifiedEXT same = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXT,
        .acquireUnmodifiedMemory = VK_TRUE};
    VkImageMemoryBarrier barrier = image_barrier(image, GENERAL, GENERAL);
    barrier.pNext = &same;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL;
    barrier.dstQueueFamilyIndex = b->queue_family;
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* --- compute --- */

FEATURE(matrices, CooperativeMatrixFeaturesKHR, COOPERATIVE_MATRIX_FEATURES_KHR, NEXT(address),
        .cooperativeMatrix = VK_TRUE)
FEATURE(vectors, CooperativeVectorFeaturesNV, COOPERATIVE_VECTOR_FEATURES_NV, NEXT(matrices),
        .cooperativeVector = VK_TRUE)
SCENARIO(cooperative_queries, ALL, .features = &vectors,
         .extensions = {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_vector",
                        "VK_NV_cooperative_matrix2", "VK_NV_cooperative_matrix",
                        "VK_ARM_shader_core_builtins"})
{
    uint32_t count = 0;
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)(b->physical_device,
                                                                           &count, NULL));
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceCooperativeVectorPropertiesNV)(b->physical_device,
                                                                          &count, NULL));
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV)(
        b->physical_device, &count, NULL));
    size_t size = 0;
    const VkConvertCooperativeVectorMatrixInfoNV convert = {
        .sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV,
        .srcSize = 1024,
        .pDstSize = &size,
        .srcComponentType = VK_COMPONENT_TYPE_FLOAT16_KHR,
        .dstComponentType = VK_COMPONENT_TYPE_FLOAT16_KHR,
        .numRows = 16,
        .numColumns = 16,
        .srcLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
        .srcStride = 32,
        .dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV};
    (void)DEVICE_PROC(b, vkConvertCooperativeVectorMatrixNV)(b->device, &convert);
}

/* --- queues and frames --- */

FEATURE(frames, FrameBoundaryFeaturesEXT, FRAME_BOUNDARY_FEATURES_EXT, NEXT(sync2),
        .frameBoundary = VK_TRUE)
FEATURE(hints, QueuePerfHintFeaturesQCOM, QUEUE_PERF_HINT_FEATURES_QCOM, NEXT(frames),
        .queuePerfHint = VK_TRUE)
FEATURE(lag, AntiLagFeaturesAMD, ANTI_LAG_FEATURES_AMD, NEXT(hints), .antiLag = VK_TRUE)
SCENARIO(frames_and_checkpoints, ALL, .features = &lag,
         .extensions = {"VK_EXT_frame_boundary", "VK_NV_device_diagnostic_checkpoints",
                        "VK_AMD_anti_lag", "VK_QCOM_queue_perf_hint"})
{
    const VkAntiLagPresentationInfoAMD presentation = {
        .sType = VK_STRUCTURE_TYPE_ANTI_LAG_PRESENTATION_INFO_AMD,
        .stage = VK_ANTI_LAG_STAGE_INPUT_AMD,
        .frameIndex = 1};
    const VkAntiLagDataAMD data = {.sType = VK_STRUCTURE_TYPE_ANTI_LAG_DATA_AMD,
                                   .mode = VK_ANTI_LAG_MODE_ON_AMD,
                                   .maxFPS = 60,
                                   .pPresentationInfo = &presentation};
    DEVICE_PROC(b, vkAntiLagUpdateAMD)(b->device, &data);
    const VkPerfHintInfoQCOM hint = {.sType = VK_STRUCTURE_TYPE_PERF_HINT_INFO_QCOM};
    (void)DEVICE_PROC(b, vkQueueSetPerfHintQCOM)(b->queue, &hint);
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdSetCheckpointNV)(command_buffer, "a marker");
    finish_commands(command_buffer);
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    const VkFrameBoundaryEXT frame = {.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT,
                                      .flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT,
                                      .frameID = 3,
                                      .imageCount = 1,
                                      .pImages = &image};
    VkSubmitInfo submit = submit_info(&command_buffer);
    submit.pNext = &frame;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* They are there to find out why a device was lost. */
SCENARIO(checkpoints_of_lost_device, .drivers = NULL_DRIVER, .features = &sync2,
         .extensions = {"VK_NV_device_diagnostic_checkpoints"},
         .null_driver = "{\"fail\": {\"vkQueueWaitIdle\": \"VK_ERROR_DEVICE_LOST\"}}")
{
    uint32_t count = 0;
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
    DEVICE_PROC(b, vkGetQueueCheckpointDataNV)(b->queue, &count, NULL);
    DEVICE_PROC(b, vkGetQueueCheckpointData2NV)(b->queue, &count, NULL);
}

FEATURE(timeline, TimelineSemaphoreFeatures, TIMELINE_SEMAPHORE_FEATURES, NEXT(sync2),
        .timelineSemaphore = VK_TRUE)
SCENARIO(low_latency, ALL, .features = &timeline,
         .extensions = {"VK_NV_low_latency2", "VK_KHR_swapchain", "VK_KHR_present_id"},
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"})
{
    const VkSwapchainLatencyCreateInfoNV latency = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_LATENCY_CREATE_INFO_NV, .latencyModeEnable = VK_TRUE};
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    info.pNext = &latency;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    const VkLatencySleepModeInfoNV mode = {.sType = VK_STRUCTURE_TYPE_LATENCY_SLEEP_MODE_INFO_NV,
                                           .lowLatencyMode = VK_TRUE};
    VK(DEVICE_PROC(b, vkSetLatencySleepModeNV)(b->device, swapchain, &mode));
    const VkLatencySleepInfoNV sleep = {.sType = VK_STRUCTURE_TYPE_LATENCY_SLEEP_INFO_NV,
                                        .signalSemaphore = make_timeline_semaphore(b, 0),
                                        .value = 1};
    VK(DEVICE_PROC(b, vkLatencySleepNV)(b->device, swapchain, &sleep));
    const VkSetLatencyMarkerInfoNV marker = {.sType = VK_STRUCTURE_TYPE_SET_LATENCY_MARKER_INFO_NV,
                                             .presentID = 1,
                                             .marker = VK_LATENCY_MARKER_SIMULATION_START_NV};
    DEVICE_PROC(b, vkSetLatencyMarkerNV)(b->device, swapchain, &marker);
    VkGetLatencyMarkerInfoNV timings = {.sType = VK_STRUCTURE_TYPE_GET_LATENCY_MARKER_INFO_NV};
    DEVICE_PROC(b, vkGetLatencyTimingsNV)(b->device, swapchain, &timings);
}

FEATURE(maintained, SwapchainMaintenance1FeaturesKHR, SWAPCHAIN_MAINTENANCE_1_FEATURES_KHR,
        NEXT(sync2), .swapchainMaintenance1 = VK_TRUE)
FEATURE(ids, PresentId2FeaturesKHR, PRESENT_ID_2_FEATURES_KHR, NEXT(maintained),
        .presentId2 = VK_TRUE)
FEATURE(waits, PresentWait2FeaturesKHR, PRESENT_WAIT_2_FEATURES_KHR, NEXT(ids),
        .presentWait2 = VK_TRUE)
SCENARIO(presents_of_today, ALL, .features = &waits,
         .extensions = {"VK_KHR_swapchain", "VK_KHR_swapchain_maintenance1", "VK_KHR_present_id2",
                        "VK_KHR_present_wait2", "VK_EXT_hdr_metadata"},
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface",
                                 "VK_KHR_get_surface_capabilities2", "VK_KHR_surface_maintenance1",
                                 "VK_EXT_swapchain_colorspace"})
{
    VkSurfaceKHR surface = make_surface(b);
    VkSurfacePresentModeKHR of_mode = {.sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_KHR,
                                       .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    const VkPhysicalDeviceSurfaceInfo2KHR of = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
        .pNext = &of_mode,
        .surface = surface};
    VkPresentModeKHR modes[8];
    VkSurfacePresentModeCompatibilityKHR compatible = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_KHR,
        .presentModeCount = 8,
        .pPresentModes = modes};
    VkSurfacePresentScalingCapabilitiesKHR scaling = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_KHR, .pNext = &compatible};
    VkSurfaceCapabilities2KHR capabilities = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR,
                                              .pNext = &scaling};
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceSurfaceCapabilities2KHR)(b->physical_device, &of,
                                                                    &capabilities));
    const VkPresentModeKHR fifo = VK_PRESENT_MODE_FIFO_KHR;
    const VkSwapchainPresentModesCreateInfoKHR present_modes = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_KHR,
        .presentModeCount = 1,
        .pPresentModes = &fifo};
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    info.pNext = &present_modes;
    info.presentMode = fifo;
    info.flags = VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_KHR |
                 VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR |
                 VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    const VkHdrMetadataEXT metadata = {.sType = VK_STRUCTURE_TYPE_HDR_METADATA_EXT,
                                       .maxLuminance = 1000};
    DEVICE_PROC(b, vkSetHdrMetadataEXT)(b->device, 1, &swapchain, &metadata);
    uint32_t index = 0;
    VkFence fence = make_fence(b), done = make_fence(b);
    VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    const VkReleaseSwapchainImagesInfoKHR release = {
        .sType = VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_KHR,
        .swapchain = swapchain,
        .imageIndexCount = 1,
        .pImageIndices = &index};
    VK(DEVICE_PROC(b, vkReleaseSwapchainImagesKHR)(b->device, &release));
    VK(vkResetFences(b->device, 1, &fence));
    VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VkImage images[16];
    uint32_t count = 16;
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
    VkCommandBuffer command_buffer = make_recording(b);
    const VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, command_buffer);
    const uint64_t id = 1;
    const VkPresentId2KHR present_id = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR, .swapchainCount = 1, .pPresentIds = &id};
    const VkSwapchainPresentFenceInfoKHR present_fence = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR,
        .pNext = &present_id,
        .swapchainCount = 1,
        .pFences = &done};
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .pNext = &present_fence,
                                      .swapchainCount = 1,
                                      .pSwapchains = &swapchain,
                                      .pImageIndices = &index};
    VK(vkQueuePresentKHR(b->queue, &present));
    const VkPresentWait2InfoKHR wait = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR, .presentId = 1, .timeout = UINT64_MAX};
    VK(DEVICE_PROC(b, vkWaitForPresent2KHR)(b->device, swapchain, &wait));
    VK(vkWaitForFences(b->device, 1, &done, VK_TRUE, UINT64_MAX));
}

static const VkDeviceQueueGlobalPriorityCreateInfo high = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO,
    .globalPriority = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_EXT};
SCENARIO(queues_of_priorities, ALL, .start = START_INSTANCE)
{
    const float priority = 0.5f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .pNext = &high,
                                           .queueFamilyIndex = b->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const char *const extensions[] = {"VK_EXT_global_priority",
                                      "VK_AMD_memory_overallocation_behavior",
                                      "VK_NV_device_diagnostics_config"};
    const VkPhysicalDeviceDiagnosticsConfigFeaturesNV feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DIAGNOSTICS_CONFIG_FEATURES_NV,
        .diagnosticsConfig = VK_TRUE};
    const VkDeviceDiagnosticsConfigCreateInfoNV config = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_DIAGNOSTICS_CONFIG_CREATE_INFO_NV,
        .pNext = &feature,
        .flags = VK_DEVICE_DIAGNOSTICS_CONFIG_ENABLE_AUTOMATIC_CHECKPOINTS_BIT_NV};
    const VkDeviceMemoryOverallocationCreateInfoAMD over = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OVERALLOCATION_CREATE_INFO_AMD,
        .pNext = &config,
        .overallocationBehavior = VK_MEMORY_OVERALLOCATION_BEHAVIOR_ALLOWED_AMD};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &over,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 3,
                                     .ppEnabledExtensionNames = extensions};
    VK(vkCreateDevice(b->physical_device, &info, NULL, &b->device));
}

/* --- samplers and images --- */

FEATURE(cubic, CubicClampFeaturesQCOM, CUBIC_CLAMP_FEATURES_QCOM, NEXT(sync2),
        .cubicRangeClamp = VK_TRUE)
FEATURE(compression, ImageCompressionControlFeaturesEXT, IMAGE_COMPRESSION_CONTROL_FEATURES_EXT,
        NEXT(cubic), .imageCompressionControl = VK_TRUE)
FEATURE(features12, Vulkan12Features, VULKAN_1_2_FEATURES, NEXT(compression),
        .samplerFilterMinmax = VK_TRUE)
FEATURE(packed, FormatPackFeaturesARM, FORMAT_PACK_FEATURES_ARM, NEXT(features12),
        .formatPack = VK_TRUE)
SCENARIO(images_of_extensions, ALL, .features = &packed,
         .extensions = {"VK_QCOM_filter_cubic_clamp", "VK_EXT_filter_cubic",
                        "VK_EXT_image_compression_control", "VK_ARM_format_pack"})
{
    const VkSamplerReductionModeCreateInfo reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM};
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.pNext = &reduction;
    sampler.magFilter = sampler.minFilter = VK_FILTER_CUBIC_EXT;
    create_sampler(b, &sampler);
    const VkImageCompressionControlEXT control = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT,
        .flags = VK_IMAGE_COMPRESSION_DISABLED_EXT};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &control;
    info.format = VK_FORMAT_R14X2G14X2_UNORM_2PACK16_ARM;
    VkImage image = make_image_of(b, &info);
    const VkImageSubresource2 subresource = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
                                             .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}};
    VkImageCompressionPropertiesEXT compressed = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT};
    VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2,
                                   .pNext = &compressed};
    vkGetImageSubresourceLayout2(b->device, image, &subresource, &layout);
}

/* --- structures of rays --- */

FEATURE(structures, AccelerationStructureFeaturesKHR, ACCELERATION_STRUCTURE_FEATURES_KHR,
        NEXT(address), .accelerationStructure = VK_TRUE)
FEATURE(positions, RayTracingPositionFetchFeaturesKHR, RAY_TRACING_POSITION_FETCH_FEATURES_KHR,
        NEXT(structures), .rayTracingPositionFetch = VK_TRUE)
FEATURE(clusters, ClusterAccelerationStructureFeaturesNV,
        CLUSTER_ACCELERATION_STRUCTURE_FEATURES_NV, NEXT(positions),
        .clusterAccelerationStructure = VK_TRUE)
FEATURE(partitions, PartitionedAccelerationStructureFeaturesNV,
        PARTITIONED_ACCELERATION_STRUCTURE_FEATURES_NV, NEXT(clusters),
        .partitionedAccelerationStructure = VK_TRUE)
SCENARIO(sizes_of_structures, ALL, .features = &partitions,
         .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
                        "VK_KHR_ray_tracing_position_fetch", "VK_NV_cluster_acceleration_structure",
                        "VK_NV_partitioned_acceleration_structure"})
{
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    const VkAccelerationStructureGeometryKHR geometry = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .geometry.triangles = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
            .vertexStride = 12,
            .maxVertex = 2,
            .indexType = VK_INDEX_TYPE_NONE_KHR}};
    const VkAccelerationStructureBuildGeometryInfoKHR build = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_BIT_KHR,
        .geometryCount = 1,
        .pGeometries = &geometry};
    const uint32_t triangles = 1;
    DEVICE_PROC(b, vkGetAccelerationStructureBuildSizesKHR)
    (b->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build, &triangles, &sizes);
    VkClusterAccelerationStructureMoveObjectsInputNV move = {
        .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_MOVE_OBJECTS_INPUT_NV,
        .type = VK_CLUSTER_ACCELERATION_STRUCTURE_TYPE_TRIANGLE_CLUSTER_NV,
        .maxMovedBytes = 1024};
    const VkClusterAccelerationStructureInputInfoNV input = {
        .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_INPUT_INFO_NV,
        .maxAccelerationStructureCount = 4,
        .opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_MOVE_OBJECTS_NV,
        .opMode = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_COMPUTE_SIZES_NV,
        .opInput.pMoveObjects = &move};
    DEVICE_PROC(b, vkGetClusterAccelerationStructureBuildSizesNV)(b->device, &input, &sizes);
    const VkPartitionedAccelerationStructureInstancesInputNV instances = {
        .sType = VK_STRUCTURE_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_INSTANCES_INPUT_NV,
        .instanceCount = 4,
        .maxInstancePerPartitionCount = 2,
        .partitionCount = 2,
        .maxInstanceInGlobalPartitionCount = 1};
    DEVICE_PROC(b, vkGetPartitionedAccelerationStructuresBuildSizesNV)(b->device, &instances,
                                                                       &sizes);
}

/* --- tensors and data graphs --- */

FEATURE(tensors, TensorFeaturesARM, TENSOR_FEATURES_ARM, NEXT(address), .tensors = VK_TRUE,
        .descriptorBindingStorageTensorUpdateAfterBind = VK_TRUE)
SCENARIO(tensors_of_arm, ALL, .features = &tensors, .extensions = {"VK_ARM_tensors"})
{
    const int64_t dimensions[] = {1, 16, 16, 4};
    const VkTensorDescriptionARM description = {.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                                .tiling = VK_TENSOR_TILING_OPTIMAL_ARM,
                                                .format = VK_FORMAT_R8_SINT,
                                                .dimensionCount = 4,
                                                .pDimensions = dimensions,
                                                .usage = VK_TENSOR_USAGE_SHADER_BIT_ARM |
                                                         VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM |
                                                         VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM};
    const VkTensorCreateInfoARM info = {.sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
                                        .pDescription = &description,
                                        .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    const VkDeviceTensorMemoryRequirementsARM before = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_TENSOR_MEMORY_REQUIREMENTS_ARM, .pCreateInfo = &info};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetDeviceTensorMemoryRequirementsARM)(b->device, &before, &requirements);
    VkTensorARM made[2];
    for (uint32_t i = 0; i < 2; i++) {
        VK(DEVICE_PROC(b, vkCreateTensorARM)(b->device, &info, NULL, &made[i]));
        const VkTensorMemoryRequirementsInfoARM of = {
            .sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM, .tensor = made[i]};
        DEVICE_PROC(b, vkGetTensorMemoryRequirementsARM)(b->device, &of, &requirements);
        VkMemoryAllocateInfo allocate = memory_info(requirements.memoryRequirements.size, 0);
        while (!(requirements.memoryRequirements.memoryTypeBits & 1u << allocate.memoryTypeIndex))
            allocate.memoryTypeIndex++;
        const VkBindTensorMemoryInfoARM bind = {.sType =
                                                    VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM,
                                                .tensor = made[i],
                                                .memory = create_memory(b, &allocate)};
        VK(DEVICE_PROC(b, vkBindTensorMemoryARM)(b->device, 1, &bind));
    }
    const VkTensorViewCreateInfoARM view_info = {.sType =
                                                     VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM,
                                                 .tensor = made[0],
                                                 .format = VK_FORMAT_R8_SINT};
    VkTensorViewARM view;
    VK(DEVICE_PROC(b, vkCreateTensorViewARM)(b->device, &view_info, NULL, &view));
    const VkTensorCopyARM whole = {.sType = VK_STRUCTURE_TYPE_TENSOR_COPY_ARM};
    const VkCopyTensorInfoARM copy = {.sType = VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM,
                                      .srcTensor = made[0],
                                      .dstTensor = made[1],
                                      .regionCount = 1,
                                      .pRegions = &whole};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyTensorARM)(command_buffer, &copy);
    const VkTensorMemoryBarrierARM barrier = {.sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM,
                                              .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                              .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                              .dstStageMask =
                                                  VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                              .dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT,
                                              .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .tensor = made[1]};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .pNext = &barrier};
    vkCmdPipelineBarrier2(command_buffer, &dependency);
    finish_commands(command_buffer);
    DEVICE_PROC(b, vkDestroyTensorViewARM)(b->device, view, NULL);
    for (uint32_t i = 0; i < 2; i++)
        DEVICE_PROC(b, vkDestroyTensorARM)(b->device, made[i], NULL);
}

/* --- pipelines --- */

FEATURE(properties, PipelinePropertiesFeaturesEXT, PIPELINE_PROPERTIES_FEATURES_EXT, NEXT(sync2),
        .pipelinePropertiesIdentifier = VK_TRUE)
FEATURE(robust, PipelineRobustnessFeaturesEXT, PIPELINE_ROBUSTNESS_FEATURES_EXT, NEXT(properties),
        .pipelineRobustness = VK_TRUE)
SCENARIO(properties_of_pipelines, ALL, .features = &robust,
         .extensions = {"VK_EXT_pipeline_properties", "VK_EXT_pipeline_robustness"})
{
    const VkPipelineRobustnessCreateInfoEXT robustness = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.pNext = &robustness;
    const VkPipelineInfoEXT of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_EXT,
                                  .pipeline = create_compute_pipeline(b, &info)};
    VkPipelinePropertiesIdentifierEXT identifier = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT};
    VK(DEVICE_PROC(b, vkGetPipelinePropertiesEXT)(b->device, &of,
                                                  (VkBaseOutStructure *)&identifier));
}

SCENARIO(properties_of_another_structure, ALL, .features = &robust,
         .extensions = {"VK_EXT_pipeline_properties", "VK_EXT_pipeline_robustness"},
         .expect = {"VUID-vkGetPipelinePropertiesEXT-pPipelineProperties-06739"},
         .text = {"does not lead to a VkPipelinePropertiesIdentifierEXT"})
{
    const VkPipelineInfoEXT of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_EXT,
                                  .pipeline = make_any_compute_pipeline(b)};
    VkBaseOutStructure other = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    DEVICE_PROC(b, vkGetPipelinePropertiesEXT)(b->device, &of, &other);
}

SCENARIO(indirect_copy_in_other_layout, ALL, .features = &copies,
         .extensions = {"VK_NV_copy_memory_indirect"},
         .expect = {"VUID-vkCmdCopyMemoryToImageIndirectNV-dstImageLayout-07667"})
{
    const VkDeviceAddress at =
        buffer_address(b, make_buffer(b, 65536,
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    const VkImageSubresourceLayers color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    DEVICE_PROC(b, vkCmdCopyMemoryToImageIndirectNV)
    (command_buffer, at, 1, 56, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color);
    DEVICE_PROC(b, vkCmdCopyMemoryToImageIndirectNV)(command_buffer, at, 1, 56, image, GENERAL,
                                                     &color);
}
