/* Calls commands that few programs use: labels and names, states of vendors' extensions,
 * checkpoints, and markers of profilers. Others are indirect copies by address, and queries of what
 * a driver knows. Each part is legal by itself. */
#include "valid.h"

static VkRect2D any_rectangle(struct world *w)
{
    return (VkRect2D){{(int32_t)PICK(0u, 5u, 0x7ffffff0u), (int32_t)below(w, 9)},
                      {below(w, 16), PICK(0u, 64u)}};
}

/* --- labels and names --- */

static VkDebugUtilsLabelEXT any_label(struct world *w)
{
    return (VkDebugUtilsLabelEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = chance(w, 80) ? "a region" : "",
                                  .color = {1, 0, -3, 77}};
}

static void record_any_labels(struct record *rec)
{
    struct world *w = rec->w;
    VkDebugUtilsLabelEXT label = any_label(w);
    uint32_t open = 0;
    if (!THERE(CmdBeginDebugUtilsLabelEXT))
        return;
    for (uint32_t i = between(w, 1, 6); i > 0; i--) {
        if (chance(w, 40)) {
            CALL(CmdBeginDebugUtilsLabelEXT, rec->c, &label);
            open++;
        } else if (open && chance(w, 60)) {
            CALL(CmdEndDebugUtilsLabelEXT, rec->c);
            open--;
        } else {
            CALL(CmdInsertDebugUtilsLabelEXT, rec->c, &label);
        }
    }
    if (chance(w, 50)) /* or another command buffer of the queue would end them */
        return;
    for (; open; open--)
        CALL(CmdEndDebugUtilsLabelEXT, rec->c);
}

static void queue_labels(struct record *rec)
{
    struct world *w = rec->w;
    VkDebugUtilsLabelEXT label = any_label(w);
    if (!THERE(QueueBeginDebugUtilsLabelEXT))
        return;
    CALL(QueueBeginDebugUtilsLabelEXT, rec->queue->handle, &label);
    CALL(QueueInsertDebugUtilsLabelEXT, rec->queue->handle, &label);
    if (chance(w, 70))
        CALL(QueueEndDebugUtilsLabelEXT, rec->queue->handle);
}

static void name_objects(struct record *rec)
{
    struct world *w = rec->w;
    const struct {
        VkObjectType type;
        uint64_t handle;
    } objects[] = {{VK_OBJECT_TYPE_DEVICE, U64(w->device)},
                   {VK_OBJECT_TYPE_QUEUE, U64(rec->queue->handle)},
                   {VK_OBJECT_TYPE_COMMAND_BUFFER, U64(rec->c)},
                   {VK_OBJECT_TYPE_SEMAPHORE, U64(make_semaphore(w, false))},
                   {VK_OBJECT_TYPE_PHYSICAL_DEVICE, U64(w->physical_device)},
                   {VK_OBJECT_TYPE_INSTANCE, U64(w->instance)},
                   {VK_OBJECT_TYPE_BUFFER,
                    U64(make_buffer(w, 16, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, false)->handle)}};
    uint32_t i = below(w, LENGTH(objects));
    uint8_t tag[] = {0, 1, 2};
    if (!THERE(SetDebugUtilsObjectNameEXT))
        return;
    VkDebugUtilsObjectNameInfoEXT name = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = objects[i].type,
                                          .objectHandle = objects[i].handle,
                                          .pObjectName = PICK("a name", "another", "", NULL)};
    VkDebugUtilsObjectTagInfoEXT tagged = {.sType =
                                               VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                           .objectType = objects[i].type,
                                           .objectHandle = objects[i].handle,
                                           .tagName = 0x1234567890,
                                           .tagSize = between(w, 1, sizeof(tag)),
                                           .pTag = tag};
    MUST(SetDebugUtilsObjectNameEXT, w->device, &name);
    if (chance(w, 50))
        MUST(SetDebugUtilsObjectTagEXT, w->device, &tagged);
}

/* --- states --- */

static void discard_rectangles(struct record *rec)
{
    struct world *w = rec->w;
    VkPhysicalDeviceDiscardRectanglePropertiesEXT can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DISCARD_RECTANGLE_PROPERTIES_EXT};
    if (!HAS(EXT_discard_rectangles) || !properties_of(w, &can) || !can.maxDiscardRectangles)
        return;
    uint32_t most = can.maxDiscardRectangles, first = PICK(0u, most - 1, below(w, most));
    VkRect2D rectangles[] = {any_rectangle(w), any_rectangle(w), any_rectangle(w)};
    uint32_t count =
        between(w, 1,
                most - first < LENGTH(rectangles) ? most - first : (uint32_t)LENGTH(rectangles));
    CALL(CmdSetDiscardRectangleEXT, rec->c, first, count, rectangles);
    CALL(CmdSetDiscardRectangleEnableEXT, rec->c, chance(w, 50));
    CALL(CmdSetDiscardRectangleModeEXT, rec->c,
         PICK(VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT));
}

static void viewports_of_nvidia(struct record *rec)
{
    struct world *w = rec->w;
    uint32_t most = ON(multiViewport) ? w->properties.limits.maxViewports : 1;
    uint32_t first = most > 1 ? PICK(0u, most - 1) : 0;
    VkViewportWScalingNV scalings[] = {{1, 2}, {-3, 0}};
    VkRect2D scissors[] = {any_rectangle(w), any_rectangle(w)};
    uint32_t count = most - first > 1 ? between(w, 1, 2) : 1;
    if (HAS(NV_clip_space_w_scaling))
        CALL(CmdSetViewportWScalingNV, rec->c, first, count, scalings);
    if (ON(exclusiveScissor))
        CALL(CmdSetExclusiveScissorNV, rec->c, first, count, scissors);
}

static void sample_locations(struct record *rec)
{
    struct world *w = rec->w;
    VkPhysicalDeviceSampleLocationsPropertiesEXT can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT};
    if (!HAS(EXT_sample_locations) || !properties_of(w, &can) || !can.sampleLocationSampleCounts ||
        !can.variableSampleLocations)
        return;
    VkSampleLocationEXT locations[64] = {{0.5f, 0.25f}, {-1, 3}};
    VkSampleLocationsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                     .sampleLocationsPerPixel =
                                         any_samples(w, can.sampleLocationSampleCounts),
                                     .sampleLocationGridSize = {between(w, 1, 2), between(w, 1, 2)},
                                     .pSampleLocations = locations};
    info.sampleLocationsCount = (uint32_t)info.sampleLocationsPerPixel *
                                info.sampleLocationGridSize.width *
                                info.sampleLocationGridSize.height;
    CALL(CmdSetSampleLocationsEXT, rec->c, &info);
}

static void set_blending(struct record *rec)
{
    struct world *w = rec->w;
    VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT};
    if (!HAS(EXT_blend_operation_advanced) || !properties_of(w, &can) ||
        !ON(extendedDynamicState3ColorBlendAdvanced))
        return;
    VkColorBlendAdvancedEXT blend = {
        .advancedBlendOp =
            PICK(VK_BLEND_OP_ZERO_EXT, VK_BLEND_OP_SRC_OVER_EXT, VK_BLEND_OP_BLUE_EXT),
        .srcPremultiplied = !can.advancedBlendNonPremultipliedSrcColor || chance(w, 50),
        .dstPremultiplied = !can.advancedBlendNonPremultipliedDstColor || chance(w, 50),
        .blendOverlap = can.advancedBlendCorrelatedOverlap
                            ? PICK(VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_BLEND_OVERLAP_CONJOINT_EXT)
                            : VK_BLEND_OVERLAP_UNCORRELATED_EXT,
        .clampResults = chance(w, 50)};
    CALL(CmdSetColorBlendAdvancedEXT, rec->c, 0, 1, &blend);
}

static void other_states(struct record *rec)
{
    struct world *w = rec->w;
    float table[] = {0, 1, -1, 77};
    if (ON(primitiveRestartIndex))
        CALL(CmdSetPrimitiveRestartIndexEXT, rec->c, PICK(0u, 7u, 0xffffffffu));
    if (ON(extendedDynamicState3CoverageToColorLocation) && HAS(NV_fragment_coverage_to_color))
        CALL(CmdSetCoverageToColorLocationNV, rec->c, below(w, 4));
    if (ON(extendedDynamicState3CoverageModulationTable) && HAS(NV_framebuffer_mixed_samples))
        CALL(CmdSetCoverageModulationTableNV, rec->c, between(w, 1, LENGTH(table)), table);
}

static void sample_order(struct record *rec)
{
    struct world *w = rec->w;
    if (!HAS(NV_shading_rate_image))
        return;
    VkCoarseSampleLocationNV locations[] = {{0, 0, 0}, {0, 1, 0}};
    VkCoarseSampleOrderCustomNV custom = {
        .shadingRate = VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV,
        .sampleCount = 1,
        .sampleLocationCount = 2,
        .pSampleLocations = locations};
    if (chance(w, 50))
        CALL(CmdSetCoarseSampleOrderNV, rec->c, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1, &custom);
    else
        CALL(CmdSetCoarseSampleOrderNV, rec->c,
             PICK(VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV,
                  VK_COARSE_SAMPLE_ORDER_TYPE_PIXEL_MAJOR_NV),
             0, IGNORED);
}

static void rate_by_enum(struct record *rec)
{
    struct world *w = rec->w;
    bool whole = ON(pipelineFragmentShadingRate);
    if (!ON(fragmentShadingRateEnums) ||
        !(whole || ON(primitiveFragmentShadingRate) || ON(attachmentFragmentShadingRate)))
        return;
    VkFragmentShadingRateCombinerOpKHR keep[2] = {
        ON(primitiveFragmentShadingRate) && chance(w, 50)
            ? VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR
            : VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR,
        VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR};
    VkFragmentShadingRateNV rate = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV;
    if (whole)
        rate =
            PICK(rate, VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_2X4_PIXELS_NV,
                 ON(supersampleFragmentShadingRates)
                     ? VK_FRAGMENT_SHADING_RATE_16_INVOCATIONS_PER_PIXEL_NV
                     : rate,
                 ON(noInvocationFragmentShadingRates) ? VK_FRAGMENT_SHADING_RATE_NO_INVOCATIONS_NV
                                                      : rate);
    CALL(CmdSetFragmentShadingRateEnumNV, rec->c, rate, keep);
}

/* --- markers of profilers --- */

static void set_checkpoints(struct record *rec)
{
    struct world *w = rec->w;
    if (HAS(NV_device_diagnostic_checkpoints))
        CALL(CmdSetCheckpointNV, rec->c, chance(w, 50) ? w : NULL);
}

static void use_performance(struct record *rec)
{
    struct world *w = rec->w;
    if (!HAS(INTEL_performance_query))
        return;
    VkInitializePerformanceApiInfoINTEL start = {
        .sType = VK_STRUCTURE_TYPE_INITIALIZE_PERFORMANCE_API_INFO_INTEL};
    VkPerformanceMarkerInfoINTEL marker = {.sType = VK_STRUCTURE_TYPE_PERFORMANCE_MARKER_INFO_INTEL,
                                           .marker = 7};
    VkPerformanceStreamMarkerInfoINTEL stream = {
        .sType = VK_STRUCTURE_TYPE_PERFORMANCE_STREAM_MARKER_INFO_INTEL};
    VkPerformanceConfigurationAcquireInfoINTEL acquire = {
        .sType = VK_STRUCTURE_TYPE_PERFORMANCE_CONFIGURATION_ACQUIRE_INFO_INTEL,
        .type = VK_PERFORMANCE_CONFIGURATION_TYPE_COMMAND_QUEUE_METRICS_DISCOVERY_ACTIVATED_INTEL};
    VkPerformanceConfigurationINTEL configuration = VK_NULL_HANDLE;
    MUST(InitializePerformanceApiINTEL, w->device, &start);
    MUST(CmdSetPerformanceMarkerINTEL, rec->c, &marker);
    MUST(CmdSetPerformanceStreamMarkerINTEL, rec->c, &stream);
    if (chance(w, 50)) {
        MUST(AcquirePerformanceConfigurationINTEL, w->device, &acquire, &configuration);
        MUST(QueueSetPerformanceConfigurationINTEL, rec->queue->handle, configuration);
        MUST(ReleasePerformanceConfigurationINTEL, w->device, configuration);
    }
    CALL(UninitializePerformanceApiINTEL, w->device);
}

static void give_hints(struct record *rec)
{
    struct world *w = rec->w;
    VkAntiLagPresentationInfoAMD presentation = {
        .sType = VK_STRUCTURE_TYPE_ANTI_LAG_PRESENTATION_INFO_AMD,
        .stage = PICK(VK_ANTI_LAG_STAGE_INPUT_AMD, VK_ANTI_LAG_STAGE_PRESENT_AMD)};
    VkAntiLagDataAMD lag = {.sType = VK_STRUCTURE_TYPE_ANTI_LAG_DATA_AMD,
                            .mode = PICK(VK_ANTI_LAG_MODE_ON_AMD, VK_ANTI_LAG_MODE_OFF_AMD),
                            .maxFPS = PICK(0u, 60u),
                            .pPresentationInfo = PICK(&presentation, NULL)};
    if (ON(antiLag))
        CALL(AntiLagUpdateAMD, w->device, &lag);
    VkPhysicalDeviceQueuePerfHintPropertiesQCOM can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_QUEUE_PERF_HINT_PROPERTIES_QCOM};
    VkPerfHintInfoQCOM hint = {.sType = VK_STRUCTURE_TYPE_PERF_HINT_INFO_QCOM};
    if (ON(queuePerfHint) && properties_of(w, &can) && can.supportedQueues & rec->queue->flags)
        MUST(QueueSetPerfHintQCOM, rec->queue->handle, &hint);
    VkComputeOccupancyPriorityParametersNV priority = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_OCCUPANCY_PRIORITY_PARAMETERS_NV,
        .occupancyPriority = 0.5f};
    if (ON(computeOccupancyPriority))
        CALL(CmdSetComputeOccupancyPriorityNV, rec->c, &priority);
}

static void use_locks(struct record *rec)
{
    struct world *w = rec->w;
    VkAcquireProfilingLockInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR, .timeout = PICK(0u, 7u)};
    if (!HAS(KHR_performance_query))
        return;
    if (CALL(AcquireProfilingLockKHR, w->device, &info) == VK_SUCCESS)
        CALL(ReleaseProfilingLockKHR, w->device);
}

/* --- by address --- */

static void copies_by_nvidia(struct record *rec)
{
    struct world *w = rec->w;
    if (!ON(indirectCopy) || !HAS(NV_copy_memory_indirect) || !ON(bufferDeviceAddress) ||
        !VERSION(12))
        return;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    struct buffer *buffer = make_buffer(w, 4096, usage, false);
    VkCopyMemoryIndirectCommandNV copies[2] = {{buffer->address + 1024, buffer->address + 2048, 64},
                                               {buffer->address + 1088, buffer->address + 3000, 4}};
    VkDeviceSize skip = (4 - buffer->address % 4) % 4;
    ready(rec, USE(UPDATE));
    CALL(CmdUpdateBuffer, rec->c, buffer->handle, skip, sizeof(copies), copies);
    ready(rec, USE(ALL));
    CALL(CmdCopyMemoryIndirectNV, rec->c, buffer->address + skip, between(w, 1, 2),
         sizeof(copies[0]));
}

static void decompress_memory(struct record *rec)
{
    struct world *w = rec->w;
    if (!ON(memoryDecompression) || !HAS(NV_memory_decompression) || !ON(bufferDeviceAddress) ||
        !VERSION(12))
        return;
    VkPhysicalDeviceMemoryDecompressionPropertiesNV can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_PROPERTIES_NV};
    if (!properties_of(w, &can) ||
        !(can.decompressionMethods & VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_NV))
        return;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    struct buffer *buffer = make_buffer(w, 8192 + 8, usage, false);
    VkDeviceAddress at = (buffer->address + 7) & ~(VkDeviceAddress)7;
    VkDecompressMemoryRegionNV region = {.srcAddress = at,
                                         .dstAddress = at + 4096,
                                         .compressedSize = between(w, 1, 64) * 4,
                                         .decompressedSize = between(w, 1, 1024),
                                         .decompressionMethod =
                                             VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_NV};
    ready(rec, USE(ALL));
    CALL(CmdDecompressMemoryNV, rec->c, 1, &region);
}

/* --- what the driver knows --- */

static void image_handles(struct record *rec)
{
    struct world *w = rec->w;
    if (!HAS(NVX_image_view_handle))
        return;
    VkImageCreateInfo info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8,
                                        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageViewHandleInfoNVX of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_HANDLE_INFO_NVX,
        .imageView = make_view(w, image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT),
        .descriptorType = PICK(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                               VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)};
    if (of.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        of.sampler = make_sampler(w);
    CALL(GetImageViewHandleNVX, w->device, &of);
    CALL(GetImageViewHandle64NVX, w->device, &of);
    VkImageViewAddressPropertiesNVX address = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_ADDRESS_PROPERTIES_NVX};
    MUST(GetImageViewAddressNVX, w->device, of.imageView, &address);
}

static void modules_of_cuda(struct record *rec)
{
    struct world *w = rec->w;
    if (!HAS(NVX_binary_import))
        return;
    VkCuModuleCreateInfoNVX info = {
        .sType = VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX, .dataSize = 4, .pData = "ptx"};
    VkCuModuleNVX module = VK_NULL_HANDLE;
    MUST(CreateCuModuleNVX, w->device, &info, NULL, &module);
    OWN(CuModuleNVX, module);
    VkCuFunctionCreateInfoNVX of = {
        .sType = VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX, .module = module, .pName = "main"};
    VkCuLaunchInfoNVX launch = {.sType = VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX,
                                .gridDimX = below(w, 3),
                                .gridDimY = 1,
                                .gridDimZ = 1,
                                .blockDimX = 1,
                                .blockDimY = 1,
                                .blockDimZ = 1};
    MUST(CreateCuFunctionNVX, w->device, &of, NULL, &launch.function);
    OWN(CuFunctionNVX, launch.function);
    CALL(CmdCuLaunchKernelNVX, rec->c, &launch);
}

static void border_colors(struct record *rec)
{
    struct world *w = rec->w;
    if (!HAS(EXT_descriptor_heap) || !THERE(RegisterCustomBorderColorEXT) ||
        !ON(customBorderColors) || !ON(descriptorHeap))
        return;
    VkSamplerCustomBorderColorCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = VK_FORMAT_R8G8B8A8_UNORM};
    bool asked = chance(w, 50);
    uint32_t index = asked ? 0 : 0xdeadu;
    if (CALL(RegisterCustomBorderColorEXT, w->device, &info, asked, &index) == VK_SUCCESS)
        CALL(UnregisterCustomBorderColorEXT, w->device, index);
}

void step_vendors(struct world *w)
{
    static void (*const parts[])(struct record *) = {
        record_any_labels, queue_labels,     name_objects,      discard_rectangles,
        set_blending,      sample_locations, use_locks,         viewports_of_nvidia,
        other_states,      sample_order,     give_hints,        rate_by_enum,
        set_checkpoints,   use_performance,  decompress_memory, copies_by_nvidia,
        image_handles,     modules_of_cuda,  border_colors};
    struct record *rec =
        record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT));
    rec->once = true;
    if (rec->queue->flags & VK_QUEUE_GRAPHICS_BIT) {
        for (uint32_t i = between(w, 1, 8); i > 0; i--)
            PICK_OF(parts)(rec);
    }
    record_finish(rec);
}
