/* Uses what an extension, a version or a feature must be enabled for: structures, enum values, flag
 * bits, commands. */
#include "scenario.h"

#include <string.h>

SCENARIO(struct_of_extension_not_enabled, .expect = {"VUID-VkSamplerCreateInfo-pNext-pNext"},
         .text = {"VkSamplerCustomBorderColorCreateInfoEXT", "VK_EXT_custom_border_color"})
{
    VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = COLOR_FORMAT};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &color;
    create_sampler(b, &info);
}

SCENARIO(struct_of_extension_enabled, .extensions = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME},
         .features = &(VkPhysicalDeviceCustomBorderColorFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
             .customBorderColors = VK_TRUE})
{
    VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = COLOR_FORMAT};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &color;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    EXPECT(create_sampler(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(enum_of_extension_not_enabled, .expect = {"VUID-VkSamplerCreateInfo-magFilter-parameter"},
         .text = {"VK_FILTER_CUBIC_EXT", "VK_EXT_filter_cubic"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.magFilter = VK_FILTER_CUBIC_EXT;
    create_sampler(b, &info);
}

/* No pipeline could be of that kind (02392): the cause alone is reported. */
SCENARIO(bind_point_of_extension_not_enabled,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-parameter"},
         .text = {"VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                      make_any_compute_pipeline(b));
}

/* A numbered statement that speaks of the value speaks alone (registry/claims/spoken_values.py). */
SCENARIO(query_type_of_extension_not_enabled,
         .expect = {"VUID-VkQueryPoolCreateInfo-meshShaderQueries-07068"},
         .text = {"VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT"})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT;
    create_query_pool(b, &info);
}

SCENARIO(index_type_of_extension_not_enabled,
         .expect = {"VUID-vkCmdBindIndexBuffer-indexType-08786"},
         .text = {"VK_INDEX_TYPE_NONE_KHR"})
{
    vkCmdBindIndexBuffer(make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_NONE_KHR);
}

static void change_layout(struct baseline *b, VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                        VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT),
                      from, to);
    barrier.dstAccessMask = 0;
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(layout_without_core_checks, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3,
         .null_driver = "{\"apiVersion\": \"1.3.0\"}",
         .expect = {"VUID-VkImageMemoryBarrier-newLayout-parameter"},
         .settings = {"validate_core=false"}, .ours_only = true)
{
    change_layout(b, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT);
}

SCENARIO(layout_of_extension_not_enabled, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3,
         .null_driver = "{\"apiVersion\": \"1.3.0\"}",
         .expect = {"VUID-VkImageMemoryBarrier-attachmentFeedbackLoopLayout-07313"})
{
    change_layout(b, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT);
}

SCENARIO(local_read_layout_of_extension_not_enabled, .drivers = NULL_DRIVER,
         .api_version = VK_API_VERSION_1_3, .null_driver = "{\"apiVersion\": \"1.3.0\"}",
         .expect = {"VUID-VkImageMemoryBarrier-dynamicRenderingLocalRead-09552"})
{
    change_layout(b, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
}

SCENARIO(view_flag_of_extension_not_enabled, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkImageViewCreateInfo-flags-08106"})
{
    VkImageViewCreateInfo info =
        image_view_info(make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
    info.flags = VK_IMAGE_VIEW_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT;
    create_image_view(b, &info);
}

SCENARIO(framebuffer_flag_of_version_not_supported, .drivers = NULL_DRIVER,
         .api_version = VK_API_VERSION_1_1, .null_driver = "{\"apiVersion\": \"1.1.0\"}",
         .expect = {"VUID-VkFramebufferCreateInfo-flags-03189"})
{
    VkImageView view = make_image_view(b);
    VkFramebufferCreateInfo info = framebuffer_info(make_render_pass(b), &view);
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    create_framebuffer(b, &info);
}

/* A number for each stage, and one finding for each of them. */
SCENARIO(stages_of_extensions_not_enabled, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-04092",
                    "VUID-vkCmdPipelineBarrier-srcStageMask-04093"})
{
    vkCmdPipelineBarrier(make_recording(b),
                         VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT |
                             VK_PIPELINE_STAGE_FRAGMENT_DENSITY_PROCESS_BIT_EXT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

/* The feature is enabled (vkCreateDevice takes structures of supported extensions), and the
 * extension is not. */
SCENARIO(query_type_of_feature_alone, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3,
         .expect = {"VUID-VkQueryPoolCreateInfo-queryType-parameter"}, .ours_only = true,
         .features = &(VkPhysicalDeviceMeshShaderFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
             .meshShaderQueries = VK_TRUE})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT;
    create_query_pool(b, &info);
}

SCENARIO(timestamp_stage_of_extension_not_enabled, .drivers = NULL_DRIVER,
         .features =
             &(VkPhysicalDeviceSynchronization2Features){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
                 .synchronization2 = VK_TRUE},
         .expect = {"VUID-vkCmdWriteTimestamp2-stage-03933"})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    VkQueryPool pool = create_query_pool(b, &info);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, pool, 0);
}

SCENARIO(format_of_extension_not_enabled, .expect = {"VUID-VkImageCreateInfo-format-parameter"},
         .text = {"VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG"}, .drivers = NULL_DRIVER)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG;
    create_image(b, &info);
}

/* Commands. vkGetDeviceProcAddr answers NULL for device commands that are not enabled, and the
 * loader jumps to that NULL from its exported functions. What a layer can see is a command of the
 * instance. */

/* The function of a device that has the extension enabled, called on one that lacks it. */
static PFN_vkVoidFunction proc_of_another_device(struct baseline *b, const char *extension,
                                                 const char *name)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &extension};
    VkDevice device = VK_NULL_HANDLE;
    VK(vkCreateDevice(b->physical_device, &info, NULL, &device));
    PFN_vkVoidFunction function = vkGetDeviceProcAddr(device, name);
    vkDestroyDevice(device, NULL);
    ENSURE(function != NULL);
    return function;
}

SCENARIO(command_of_extension_not_enabled,
         .expect = {"UNASSIGNED-GeneralParameterError-ExtensionNotEnabled"},
         .text = {"vkCmdSetLineStippleEXT", "VK_EXT_line_rasterization"}, .drivers = NULL_DRIVER,
         .ours_only = true /* the peer's function calls NULL */)
{
    VkCommandBuffer command_buffer = make_recording(b);
    ((PFN_vkCmdSetLineStippleEXT)proc_of_another_device(b, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
                                                        "vkCmdSetLineStippleEXT"))(command_buffer,
                                                                                   1, 1);
}

SCENARIO(device_proc_of_extension_not_enabled, .drivers = LAVAPIPE)
{
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCmdDrawMeshTasksEXT") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCmdNoSuchThing") == NULL);
    EXPECT(vkGetDeviceProcAddr(b->device, "vkCmdDraw") != NULL);
}

/* "Each structure included in the pNext chain must be defined at runtime by either a core version
 * which is supported, an extension which is enabled ..." Supported, by the device: so 1.2's
 * structures are fine in a program for 1.1, where the driver has 1.2. */
SCENARIO(struct_of_version_supported, .api_version = VK_API_VERSION_1_1)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    EXPECT(create_semaphore(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(struct_of_version_not_supported, .expect = {"VUID-VkSemaphoreCreateInfo-pNext-pNext"},
         .text = {"VkSemaphoreTypeCreateInfo"}, .api_version = VK_API_VERSION_1_1,
         .drivers = NULL_DRIVER, .null_driver = "{\"apiVersion\": \"1.1.0\"}")
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    create_semaphore(b, &info);
}

SCENARIO(struct_of_version_enabled)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    EXPECT(create_semaphore(b, &info) != VK_NULL_HANDLE);
}

/* 0 means 1.0 (the specification: "Providing a value of 0 is equivalent to
 * VK_MAKE_API_VERSION(0,1,0,0)"). */
SCENARIO(version_zero_is_one, .start = START_NOTHING)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &b->layer};
    VkInstance instance = VK_NULL_HANDLE;
    VK(vkCreateInstance(&info, NULL, &instance));
    EXPECT(first_physical_device(instance) != VK_NULL_HANDLE);
    vkDestroyInstance(instance, NULL);
}

SCENARIO(extension_struct_in_1_0, .expect = {"VUID-VkImageCreateInfo-pNext-pNext"},
         .api_version = VK_API_VERSION_1_0,
         .text = {"VkImageFormatListCreateInfo", "VK_KHR_image_format_list"},
         .drivers = NULL_DRIVER, .null_driver = "{\"apiVersion\": \"1.0.0\"}")
{
    VkFormat format = COLOR_FORMAT;
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                        .viewFormatCount = 1,
                                        .pViewFormats = &format};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &list;
    create_image(b, &info);
}

SCENARIO(extension_struct_in_1_0_enabled, .api_version = VK_API_VERSION_1_0,
         .extensions = {VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME})
{
    VkFormat format = COLOR_FORMAT;
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                        .viewFormatCount = 1,
                                        .pViewFormats = &format};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &list;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

/* A query is answered all the same: the program would go on with what was in the memory. */
SCENARIO(instance_command_of_later_version, .expect = {"UNASSIGNED-API-Version-Violation"},
         .start = START_INSTANCE, .text = {"vkGetPhysicalDeviceFeatures2", "1.1"},
         .api_version = VK_API_VERSION_1_0)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    memset(&features.features, 0xcc, sizeof(features.features));
    vkGetPhysicalDeviceFeatures2(b->physical_device, &features);
    EXPECT(features.features.robustBufferAccess <= VK_TRUE);
}

SCENARIO(instance_command_of_extension, .start = START_INSTANCE, .api_version = VK_API_VERSION_1_0,
         .instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME})
{
    VkPhysicalDeviceFeatures2KHR features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    INSTANCE_PROC(b, vkGetPhysicalDeviceFeatures2KHR)(b->physical_device, &features);
}

/* Query structures of device extensions that are not enabled are welcome: a program asks before it
 * enables. */
SCENARIO(query_struct_of_supported_extension, .start = START_INSTANCE)
{
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &mesh};
    vkGetPhysicalDeviceFeatures2(b->physical_device, &features);
}

/* vkCreateDevice is a physical-device-level command: it takes the structures of supported
 * extensions, enabled or not. */
SCENARIO(feature_struct_of_extension_not_enabled, .start = START_INSTANCE)
{
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &mesh,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device = VK_NULL_HANDLE;
    if (vkCreateDevice(b->physical_device, &info, NULL, &device) == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
}

/* The extension that adds a value must be enabled. Numbered statements speak of what the registry's
 * block depends on. tests/generated/gating.c has all such values, structures and commands. */
SCENARIO(value_of_a_block_that_depends_on_another_extension, .drivers = NULL_DRIVER,
         .api_version = VK_API_VERSION_1_4)
{
    VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_CONDITIONAL_RENDERING_BIT_EXT};
    VkBufferCreateInfo info = buffer_info(64, 0);
    info.pNext = &usage;
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}

/* Where the extension is not enabled, nothing can be bound to the stage, and nothing is unbound. */
SCENARIO(unbind_stages_of_extensions_that_are_not_enabled,
         .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, .drivers = NULL_DRIVER,
         .features = &(VkPhysicalDeviceShaderObjectFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
             .shaderObject = VK_TRUE})
{
    const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_TASK_BIT_EXT,
                                            VK_SHADER_STAGE_MESH_BIT_EXT};
    DEVICE_PROC(b, vkCmdBindShadersEXT)(make_recording(b), 2, stages, NULL);
}

SCENARIO(unbind_a_stage_that_is_none, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME},
         .drivers = NULL_DRIVER, .expect = {"VUID-vkCmdBindShadersEXT-pStages-parameter"},
         .text = {"pStages[0] is 0x40000000"},
         .features = &(VkPhysicalDeviceShaderObjectFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
             .shaderObject = VK_TRUE})
{
    const VkShaderStageFlagBits stage = (VkShaderStageFlagBits)0x40000000;
    DEVICE_PROC(b, vkCmdBindShadersEXT)(make_recording(b), 1, &stage, NULL);
}

/* Queries are answered, whatever is wrong with what they ask for, as long as pointers and handles
 * can be used. */
SCENARIO(query_of_what_is_wrong, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkBufferCreateInfo-size-00912"})
{
    const VkBufferCreateInfo create = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkDeviceBufferMemoryRequirements info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &create};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetDeviceBufferMemoryRequirements(b->device, &info, &requirements);
    EXPECT(requirements.memoryRequirements.memoryTypeBits != 0);
}

SCENARIO(query_without_a_handle, .expect = {"VUID-vkGetBufferMemoryRequirements-buffer-parameter"},
         .proceed = true)
{
    VkMemoryRequirements requirements = {.memoryTypeBits = 7};
    vkGetBufferMemoryRequirements(b->device, VK_NULL_HANDLE, &requirements);
    EXPECT_EQUAL(requirements.memoryTypeBits, 7);
}

SCENARIO(query_without_a_structure,
         .expect = {"VUID-VkDeviceBufferMemoryRequirements-pCreateInfo-parameter"}, .proceed = true)
{
    const VkDeviceBufferMemoryRequirements info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetDeviceBufferMemoryRequirements(b->device, &info, &requirements);
    EXPECT_EQUAL(requirements.memoryRequirements.memoryTypeBits, 0);
}

/* "enabledLayerCount must be 0" */
static VkResult create_device_of(struct baseline *b, const VkDeviceCreateInfo *more)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = *more;
    VkDevice device = VK_NULL_HANDLE;
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    VkResult result = vkCreateDevice(b->physical_device, &info, NULL, &device);
    if (result == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
    return result;
}

SCENARIO(layers_of_a_device, .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDeviceCreateInfo-enabledLayerCount-12384"})
{
    create_device_of(b, &(VkDeviceCreateInfo){.enabledLayerCount = 1,
                                              .ppEnabledLayerNames = &b->layer});
}

SCENARIO(feature_that_is_not_there, .start = START_INSTANCE, .ours_only = true, .proceed = true,
         .expect = {"ASSAY-DeviceNotCreated"},
         .text = {"VK_ERROR_FEATURE_NOT_PRESENT", "shadingRateImage"}, .drivers = NULL_DRIVER,
         .null_driver =
             "{\"features\": {\"shadingRateImage\": false, \"sparseResidency16Samples\": false}}")
{
    VkPhysicalDeviceShadingRateImageFeaturesNV rates = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
        .shadingRateImage = VK_TRUE};
    VkPhysicalDeviceFeatures features = {.sparseResidency16Samples = VK_TRUE};
    EXPECT_EQUAL(create_device_of(b, &(VkDeviceCreateInfo){.pNext = &rates,
                                                           .pEnabledFeatures = &features}),
                 VK_ERROR_FEATURE_NOT_PRESENT);
}
