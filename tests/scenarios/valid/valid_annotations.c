/* Debuggers and caches are given these, at the edges: labels, names, tags, private data, caches,
 * executables and binaries of pipelines. Nothing is found. */
#include "scenario.h"

#define NOWHERE ((void *)64)

/* --- labels --- */

static void begin_label(struct baseline *b, VkCommandBuffer command_buffer, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name,
                                        .color = {-1, 2, 300, 0}};
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(command_buffer, &label);
}

static void submit_annotated(struct baseline *b, uint32_t count,
                             const VkCommandBuffer *command_buffers)
{
    VkSubmitInfo infos[4];
    for (uint32_t i = 0; i < count; i++)
        infos[i] = submit_info(&command_buffers[i]);
    VK(vkQueueSubmit(b->queue, count, infos, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* "split debug label regions across multiple command buffers or multiple queue submissions" */
SCENARIO(label_ended_in_the_next_batch)
{
    VkCommandBuffer both[] = {make_recording(b), make_recording(b)};
    begin_label(b, both[0], "");
    begin_label(b, both[0], "\xc3\xa4\xe2\x82\xac");
    end_label(b, both[1]);
    VK(vkEndCommandBuffer(both[0]));
    VK(vkEndCommandBuffer(both[1]));
    submit_annotated(b, 2, both);
    submit_annotated(b, 1, &both[1]);
}

SCENARIO(label_of_a_command_buffer_submitted_twice)
{
    VkCommandBuffer both[] = {make_recording(b), make_recording(b)};
    begin_label(b, both[0], "a");
    end_label(b, both[1]);
    end_label(b, both[1]);
    begin_label(b, both[1], "b");
    VK(vkEndCommandBuffer(both[0]));
    VK(vkEndCommandBuffer(both[1]));
    submit_annotated(b, 1, &both[0]);
    submit_annotated(b, 1, &both[0]);
    submit_annotated(b, 1, &both[1]);
    submit_annotated(b, 1, &both[0]);
    submit_annotated(b, 1, &both[1]);
}

/* A label that was recorded before a reset was never submitted. */
SCENARIO(label_of_before_a_reset)
{
    VkCommandBuffer command_buffer = make_recording(b);
    const VkCommandBufferBeginInfo begin = begin_info();
    end_label(b, command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    begin_label(b, command_buffer, "a");
    end_label(b, command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    submit_annotated(b, 1, &command_buffer);
}

/* Labels of the queue, and of its command buffers, are balanced each for themselves. */
SCENARIO(labels_of_queues_around_those_of_commands)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "frame"};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_label(b, command_buffer, "a");
    INSTANCE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)(command_buffer, &label);
    VK(vkEndCommandBuffer(command_buffer));
    for (int i = 0; i < 3; i++)
        INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &label);
    INSTANCE_PROC(b, vkQueueInsertDebugUtilsLabelEXT)(b->queue, &label);
    submit_annotated(b, 1, &command_buffer);
    for (int i = 0; i < 3; i++)
        INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
}

/* --- names and tags --- */

static void annotate_object(struct baseline *b, VkObjectType type, uint64_t handle)
{
    VkDebugUtilsObjectNameInfoEXT name = name_info(type, handle, "\xc3\xa4");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
    const VkDebugUtilsObjectTagInfoEXT tag = {.sType =
                                                  VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                              .objectType = type,
                                              .objectHandle = handle,
                                              .tagName = UINT64_MAX,
                                              .tagSize = 1,
                                              .pTag = "t"};
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &tag));
}

/* "they may reference instance-level objects ... and physical device-level objects". Lavapipe
 * follows a handle of the loader's there. */
SCENARIO(names_of_instances, .drivers = NULL_DRIVER,
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"})
{
    annotate_object(b, VK_OBJECT_TYPE_INSTANCE, HANDLE(b->instance));
    annotate_object(b, VK_OBJECT_TYPE_PHYSICAL_DEVICE, HANDLE(b->physical_device));
    annotate_object(b, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device));
    annotate_object(b, VK_OBJECT_TYPE_QUEUE, HANDLE(b->queue));
    annotate_object(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(make_recording(b)));
    annotate_object(b, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT, HANDLE(b->messenger));
    annotate_object(b, VK_OBJECT_TYPE_SURFACE_KHR, HANDLE(make_surface(b)));
}

/* "associates a static name with that particular shader": the object may be none, or of a type that
 * is not said. */
SCENARIO(names_of_stages)
{
    VkDebugUtilsObjectNameInfoEXT name = name_info(VK_OBJECT_TYPE_SHADER_MODULE, 0, "static");
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.pNext = &name;
    ENSURE(create_compute_pipeline(b, &info));
    name.objectType = VK_OBJECT_TYPE_UNKNOWN;
    name.objectHandle = 7;
    ENSURE(create_compute_pipeline(b, &info));
}

/* Messages of the program's own: about nothing, about a type that is not said, about objects of a
 * device. */
SCENARIO(messages_of_the_program, .drivers = NULL_DRIVER,
         .instance_extensions = {"VK_EXT_debug_report"})
{
    const VkDebugUtilsObjectNameInfoEXT objects[] = {
        name_info(VK_OBJECT_TYPE_BUFFER, HANDLE(make_unbound_buffer(b)), NULL),
        name_info(VK_OBJECT_TYPE_QUEUE, HANDLE(b->queue), "queue"),
        name_info(VK_OBJECT_TYPE_IMAGE, 0, NULL)};
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .messageIdNumber = -1,
        .pMessage = "hello",
        .objectCount = 3,
        .pObjects = objects};
    INSTANCE_PROC(b, vkSubmitDebugUtilsMessageEXT)
    (b->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT,
     VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
    PFN_vkDebugReportMessageEXT report = INSTANCE_PROC(b, vkDebugReportMessageEXT);
    const VkDebugReportFlagsEXT debug = VK_DEBUG_REPORT_DEBUG_BIT_EXT;
    report(b->instance, debug, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT, 0, 0, 0, "", "");
    report(b->instance, debug, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, 0, 0, 0, "", "");
    report(b->instance, debug, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, objects[0].objectHandle, 0,
           0, "", "");
}

SCENARIO(names_by_markers, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_debug_marker"},
         .instance_extensions = {"VK_EXT_debug_report", "VK_KHR_surface",
                                 "VK_EXT_headless_surface"})
{
    const struct {
        VkDebugReportObjectTypeEXT type;
        uint64_t object;
    } named[] = {{VK_DEBUG_REPORT_OBJECT_TYPE_DEVICE_EXT, HANDLE(b->device)},
                 {VK_DEBUG_REPORT_OBJECT_TYPE_QUEUE_EXT, HANDLE(b->queue)},
                 {VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT, HANDLE(make_recording(b))},
                 {VK_DEBUG_REPORT_OBJECT_TYPE_SURFACE_KHR_EXT, HANDLE(make_surface(b))},
                 {VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_CACHE_EXT, HANDLE(make_pipeline_cache(b))}};
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        const VkDebugMarkerObjectNameInfoEXT name = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
            .objectType = named[i].type,
            .object = named[i].object,
            .pObjectName = ""};
        VK(DEVICE_PROC(b, vkDebugMarkerSetObjectNameEXT)(b->device, &name));
    }
}

/* --- private data --- */

static const VkPhysicalDeviceVulkan13Features private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .privateData = VK_TRUE};
static const VkDevicePrivateDataCreateInfo
    reserved = {.sType = VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO,
                .pNext = &private_data,
                .privateDataSlotRequestCount = 1},
    reserved_more = {.sType = VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO,
                     .pNext = &reserved};

static void keep_private_data(struct baseline *b, VkPrivateDataSlot slot, VkObjectType type,
                              uint64_t handle)
{
    uint64_t data = 1;
    vkGetPrivateData(b->device, type, handle, slot, &data);
    EXPECT_EQUAL(data, 0);
    VK(vkSetPrivateData(b->device, type, handle, slot, UINT64_MAX));
    vkGetPrivateData(b->device, type, handle, slot, &data);
    EXPECT(data == UINT64_MAX);
    VK(vkSetPrivateData(b->device, type, handle, slot, 0));
}

/* Slots are reserved by several structures of one kind; more than were reserved can be made; of the
 * device itself, too. */
SCENARIO(private_data_of_all, .features = &reserved_more, .drivers = NULL_DRIVER)
{
    VkPrivateDataSlot slot = make_private_data_slot(b), second = make_private_data_slot(b);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    keep_private_data(b, slot, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device));
    keep_private_data(b, second, VK_OBJECT_TYPE_QUEUE, HANDLE(b->queue));
    keep_private_data(b, slot, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(make_recording(b)));
    keep_private_data(b, slot, VK_OBJECT_TYPE_DESCRIPTOR_SET,
                      HANDLE(make_descriptor_set(b, make_descriptor_pool(b), layout)));
    keep_private_data(b, slot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, HANDLE(second));
    keep_private_data(b, slot, VK_OBJECT_TYPE_PIPELINE_CACHE, HANDLE(make_pipeline_cache(b)));
    vkDestroyPrivateDataSlot(b->device, VK_NULL_HANDLE, NULL);
}

/* --- caches --- */

static const VkPhysicalDeviceVulkan13Features cache_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pipelineCreationCacheControl = VK_TRUE};

/* "If initialDataSize is zero, pInitialData is ignored." */
SCENARIO(caches, .features = &cache_control)
{
    VkPipelineCacheCreateInfo info = pipeline_cache_info();
    info.pInitialData = NOWHERE;
    info.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
    VkPipelineCache own = create_pipeline_cache(b, &info);
    ENSURE(own);
    info.flags = 0;
    const VkPipelineCache twice[] = {own, create_pipeline_cache(b, &info), own};
    VkPipelineCache all = make_pipeline_cache(b);
    VK(vkMergePipelineCaches(b->device, all, 3, twice));
    char data[4];
    size_t size = 3; /* less than a header */
    (void)vkGetPipelineCacheData(b->device, all, &size, data);
    /* Data of another version, or another device, is not used. */
    info.pInitialData = "of somebody else";
    info.initialDataSize = 16;
    ENSURE(create_pipeline_cache(b, &info));
}

/* --- executables and binaries --- */

static const VkPhysicalDeviceMaintenance5FeaturesKHR five = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, .maintenance5 = VK_TRUE};
static const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
    .pNext = (void *)&five,
    .pipelineExecutableInfo = VK_TRUE};

/* The flags of the chained structure count, and those of the create info are ignored. */
SCENARIO(executables_by_flags_2, .drivers = NULL_DRIVER, .features = &executables,
         .extensions = {"VK_KHR_pipeline_executable_properties", "VK_KHR_maintenance5"})
{
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR |
                 VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &flags;
    info.flags = 0x40000000;
    const VkPipelineExecutableInfoKHR about = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                               .pipeline = create_compute_pipeline(b, &info)};
    uint32_t count = 0;
    ENSURE(about.pipeline);
    (void)DEVICE_PROC(b, vkGetPipelineExecutableStatisticsKHR)(b->device, &about, &count, NULL);
    (void)DEVICE_PROC(b, vkGetPipelineExecutableInternalRepresentationsKHR)(b->device, &about,
                                                                            &count, NULL);
}

static const VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
    .pNext = (void *)&five,
    .pipelineBinaries = VK_TRUE};
#define BINARIES                                   \
    .drivers = NULL_DRIVER, .features = &binaries, \
    .extensions = {"VK_KHR_pipeline_binary", "VK_KHR_maintenance5"}

static uint32_t make_binaries(struct baseline *b, VkPipelineBinaryKHR made[8])
{
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &flags;
    const VkPipelineBinaryCreateInfoKHR from = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
        .pipeline = create_compute_pipeline(b, &info)};
    VkPipelineBinaryHandlesInfoKHR handles = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &from, NULL, &handles));
    ENSURE(handles.pipelineBinaryCount && handles.pipelineBinaryCount <= 8);
    handles.pPipelineBinaries = made;
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &from, NULL, &handles));
    const VkReleaseCapturedPipelineDataInfoKHR done = {
        .sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR,
        .pipeline = from.pipeline};
    VK(DEVICE_PROC(b, vkReleaseCapturedPipelineDataKHR)(b->device, &done, NULL));
    return handles.pipelineBinaryCount;
}

/* "Any shader module identifiers, shader modules, or chained VkShaderModuleCreateInfo structures
 * ... are ignored." */
SCENARIO(stages_of_binaries, BINARIES)
{
    VkPipelineBinaryKHR made[8] = {0};
    uint32_t count = make_binaries(b, made);
    const VkPipelineBinaryInfoKHR used = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                          .binaryCount = count,
                                          .pPipelineBinaries = made};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(VK_NULL_HANDLE,
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &used;
    ENSURE(create_compute_pipeline(b, &info));
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = 4,
                                           .pCode = (const uint32_t[]){77}};
    info.stage.pNext = &code;
    ENSURE(create_compute_pipeline(b, &info));
    for (uint32_t i = 0; i < count; i++)
        DEVICE_PROC(b, vkDestroyPipelineBinaryKHR)(b->device, made[i], NULL);
}

/* The data of a key and of a binary, each asked for with less room than it has. */
SCENARIO(data_of_binaries, BINARIES)
{
    VkPipelineBinaryKHR made[8] = {0};
    uint32_t count = make_binaries(b, made);
    for (uint32_t i = 0; i < count; i++) {
        const VkPipelineBinaryDataInfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR, .pipelineBinary = made[i]};
        VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
        char data[1];
        size_t size = sizeof(data);
        (void)DEVICE_PROC(b, vkGetPipelineBinaryDataKHR)(b->device, &info, &key, &size, data);
        DEVICE_PROC(b, vkDestroyPipelineBinaryKHR)(b->device, made[i], NULL);
    }
}
