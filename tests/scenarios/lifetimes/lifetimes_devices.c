/* Objects of another device, or of another instance, which structures of several commands name. */
#include "raytracing/acceleration_structure_builder.h"
#include "scenario.h"

/* --- pipelines that are asked about --- */

static const VkPhysicalDevicePipelinePropertiesFeaturesEXT properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROPERTIES_FEATURES_EXT,
    .pipelinePropertiesIdentifier = VK_TRUE};
static const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
    .pNext = (void *)&properties,
    .pipelineExecutableInfo = VK_TRUE};
#define EXECUTABLES                                   \
    .drivers = NULL_DRIVER, .features = &executables, \
    .extensions = {"VK_KHR_pipeline_executable_properties", "VK_EXT_pipeline_properties"}
#define FIRST_PIPELINE                                                   \
    const VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, \
                                    .pipeline = make_any_compute_pipeline(b)}
#define CAPTURES                                    \
    VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | \
        VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR

static void ask_executables(struct baseline *b, VkDevice device)
{
    FIRST_PIPELINE;
    uint32_t count = 0;
    (void)DEVICE_PROC(b, vkGetPipelineExecutablePropertiesKHR)(device, &info, &count, NULL);
}

SCENARIO(executables_of_this_device, EXECUTABLES)
{
    (void)make_second_device(b);
    ask_executables(b, b->device);
}

SCENARIO(executables_of_another_device, EXECUTABLES,
         .expect = {"VUID-vkGetPipelineExecutablePropertiesKHR-pipeline-03271"},
         .text = {"of another device"})
{
    ask_executables(b, make_second_device(b));
}

static void ask_identifier(struct baseline *b, VkDevice device)
{
    FIRST_PIPELINE;
    VkPipelinePropertiesIdentifierEXT identifier = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT};
    (void)DEVICE_PROC(b, vkGetPipelinePropertiesEXT)(device, &info,
                                                     (VkBaseOutStructure *)&identifier);
}

SCENARIO(properties_of_this_device, EXECUTABLES)
{
    (void)make_second_device(b);
    ask_identifier(b, b->device);
}

SCENARIO(properties_of_another_device, EXECUTABLES,
         .expect = {"VUID-vkGetPipelinePropertiesEXT-pipeline-06738"})
{
    ask_identifier(b, make_second_device(b));
}

static VkPipelineExecutableInfoKHR executable_info(struct baseline *b)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.flags = CAPTURES;
    return (VkPipelineExecutableInfoKHR){VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                         .pipeline = create_compute_pipeline(b, &info)};
}

static void ask_statistics(struct baseline *b, VkDevice device)
{
    const VkPipelineExecutableInfoKHR info = executable_info(b);
    uint32_t count = 0;
    (void)DEVICE_PROC(b, vkGetPipelineExecutableStatisticsKHR)(device, &info, &count, NULL);
}

SCENARIO(statistics_of_this_device, EXECUTABLES)
{
    (void)make_second_device(b);
    ask_statistics(b, b->device);
}

SCENARIO(statistics_of_another_device, EXECUTABLES,
         .expect = {"VUID-vkGetPipelineExecutableStatisticsKHR-pipeline-03273"})
{
    ask_statistics(b, make_second_device(b));
}

static void ask_representations(struct baseline *b, VkDevice device)
{
    const VkPipelineExecutableInfoKHR info = executable_info(b);
    uint32_t count = 0;
    (void)DEVICE_PROC(b, vkGetPipelineExecutableInternalRepresentationsKHR)(device, &info, &count,
                                                                            NULL);
}

SCENARIO(representations_of_this_device, EXECUTABLES)
{
    (void)make_second_device(b);
    ask_representations(b, b->device);
}

SCENARIO(representations_of_another_device, EXECUTABLES,
         .expect = {"VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipeline-03277"})
{
    ask_representations(b, make_second_device(b));
}

/* --- framebuffers and render passes --- */

SCENARIO(framebuffer_of_view_of_another_device,
         .expect = {"VUID-vkCreateFramebuffer-pCreateInfo-02777"})
{
    const VkDevice second = make_second_device(b);
    const VkImageView view = make_image_view(b);
    const VkRenderPassCreateInfo pass_info = render_pass_info();
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    VK(vkCreateRenderPass(second, &pass_info, NULL, &pass));
    const VkFramebufferCreateInfo info = framebuffer_info(pass, &view);
    vkCreateFramebuffer(second, &info, NULL, &framebuffer);
    vkDestroyRenderPass(second, pass, NULL);
}

SCENARIO(begin_render_pass_of_another_device,
         .expect = {"VUID-vkCmdBeginRenderPass2-framebuffer-02779"})
{
    const VkDevice second = make_second_device(b);
    const VkRenderPass pass = make_render_pass(b);
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    const VkSubpassBeginInfo contents = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = b->queue_family};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandPool pool;
    VkCommandBuffer commands;
    VK(vkCreateCommandPool(second, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    VK(vkAllocateCommandBuffers(second, &allocate, &commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBeginRenderPass2(commands, &info, &contents);
    vkDestroyCommandPool(second, pool, NULL);
}

/* --- acceleration structures in descriptors --- */

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .accelerationStructure = VK_TRUE};
#define STRUCTURES                                   \
    .drivers = NULL_DRIVER, .features = &structures, \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}

/* Writes what the chain names to a set of the device. */
static void write_chained(VkDevice device, VkDescriptorType type, VkShaderStageFlags stages,
                          const void *chain)
{
    const VkDescriptorSetLayoutBinding binding = {0, type, 1, stages, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {type, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VK(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &layout));
    VK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    VK(vkAllocateDescriptorSets(device, &allocate, &set));
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = chain,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = type};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyDescriptorSetLayout(device, layout, NULL);
}

static void write_structure(VkDevice device, VkAccelerationStructureKHR structure)
{
    const VkWriteDescriptorSetAccelerationStructureKHR written = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &structure};
    write_chained(device, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_SHADER_STAGE_ALL,
                  &written);
}

SCENARIO(structure_of_this_device, STRUCTURES)
{
    write_structure(b->device, make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR));
}

SCENARIO(structure_of_another_device, STRUCTURES,
         .expect = {"VUID-vkUpdateDescriptorSets-pDescriptorWrites-06240"})
{
    const VkDevice second = make_second_device(b);
    write_structure(second, make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR));
}

/* --- acceleration structures of VK_NV_ray_tracing, and tensors --- */

static void destroy_tree(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyAccelerationStructureNV)(b->device,
                                                     (VkAccelerationStructureNV)(uintptr_t)handle,
                                                     NULL);
}

static void write_tree(struct baseline *b, VkDevice device)
{
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR}};
    VkAccelerationStructureNV tree = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, &info, NULL, &tree));
    cleanup_add(b, destroy_tree, HANDLE(tree));
    const VkWriteDescriptorSetAccelerationStructureNV written = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &tree};
    write_chained(device, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, VK_SHADER_STAGE_ALL,
                  &written);
}
#define TREES .drivers = NULL_DRIVER, .extensions = {"VK_NV_ray_tracing"}

SCENARIO(tree_of_this_device, TREES)
{
    (void)make_second_device(b);
    write_tree(b, b->device);
}

SCENARIO(tree_of_another_device, TREES,
         .expect = {"VUID-vkUpdateDescriptorSets-pDescriptorWrites-06241"})
{
    write_tree(b, make_second_device(b));
}

static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .tensors = VK_TRUE};
#define TENSORS .drivers = NULL_DRIVER, .features = &tensors, .extensions = {"VK_ARM_tensors"}

static void destroy_tensor(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyTensorARM)(b->device, (VkTensorARM)(uintptr_t)handle, NULL);
}

static void destroy_tensor_view(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyTensorViewARM)(b->device, (VkTensorViewARM)(uintptr_t)handle, NULL);
}

static void write_tensor(struct baseline *b, VkDevice device)
{
    const int64_t dimensions[1] = {16};
    const VkTensorDescriptionARM description = {.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                                .tiling = VK_TENSOR_TILING_OPTIMAL_ARM,
                                                .format = VK_FORMAT_R32_SFLOAT,
                                                .dimensionCount = 1,
                                                .pDimensions = dimensions,
                                                .usage = VK_TENSOR_USAGE_SHADER_BIT_ARM};
    const VkTensorCreateInfoARM info = {.sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
                                        .pDescription = &description};
    VkTensorARM tensor = VK_NULL_HANDLE;
    VkTensorViewARM view = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateTensorARM)(b->device, &info, NULL, &tensor));
    cleanup_add(b, destroy_tensor, HANDLE(tensor));
    const VkBindTensorMemoryInfoARM bound = {.sType = VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM,
                                             .tensor = tensor,
                                             .memory = make_memory(b, 65536)};
    VK(DEVICE_PROC(b, vkBindTensorMemoryARM)(b->device, 1, &bound));
    const VkTensorViewCreateInfoARM view_info = {.sType =
                                                     VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM,
                                                 .tensor = tensor,
                                                 .format = description.format};
    VK(DEVICE_PROC(b, vkCreateTensorViewARM)(b->device, &view_info, NULL, &view));
    cleanup_add(b, destroy_tensor_view, HANDLE(view));
    const VkWriteDescriptorSetTensorARM written = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM,
        .tensorViewCount = 1,
        .pTensorViews = &view};
    write_chained(device, VK_DESCRIPTOR_TYPE_TENSOR_ARM, VK_SHADER_STAGE_COMPUTE_BIT, &written);
}

SCENARIO(tensor_of_this_device, TENSORS)
{
    (void)make_second_device(b);
    write_tensor(b, b->device);
}

SCENARIO(tensor_of_another_device, TENSORS,
         .expect = {"VUID-vkUpdateDescriptorSets-pDescriptorWrites-12324"})
{
    write_tensor(b, make_second_device(b));
}

/* --- names and tags for objects of another instance --- */

static VkDebugUtilsMessengerEXT make_messenger_of(struct baseline *b, VkInstance instance)
{
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VK(((PFN_vkCreateDebugUtilsMessengerEXT)
            vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"))(instance, &info,
                                                                               NULL, &messenger));
    return messenger;
}

static void unmake_messenger_of(VkInstance instance, VkDebugUtilsMessengerEXT messenger)
{
    ((PFN_vkDestroyDebugUtilsMessengerEXT)
         vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, messenger,
                                                                             NULL);
}

static void name_messenger(struct baseline *b, VkInstance instance, bool tags)
{
    const VkDebugUtilsMessengerEXT messenger = make_messenger_of(b, instance);
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT,
        .objectHandle = HANDLE(messenger),
        .pObjectName = "a messenger"};
    const VkDebugUtilsObjectTagInfoEXT tag = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT,
        .objectHandle = HANDLE(messenger),
        .tagSize = 1,
        .pTag = "t"};
    if (tags)
        (void)DEVICE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &tag);
    else
        (void)DEVICE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name);
    unmake_messenger_of(instance, messenger);
}

SCENARIO(name_of_this_instance, .drivers = NULL_DRIVER)
{
    name_messenger(b, b->instance, false);
    name_messenger(b, b->instance, true);
}

SCENARIO(name_of_another_instance, .drivers = NULL_DRIVER, .ours_only = true,
         .expect = {"VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-07872"},
         .text = {"of another instance"})
{
    VkInstance second = make_instance(b, NULL);
    name_messenger(b, second, false);
    vkDestroyInstance(second, NULL);
}

SCENARIO(tag_of_another_instance, .drivers = NULL_DRIVER, .ours_only = true,
         .expect = {"VUID-vkSetDebugUtilsObjectTagEXT-pNameInfo-07875"})
{
    VkInstance second = make_instance(b, NULL);
    name_messenger(b, second, true);
    vkDestroyInstance(second, NULL);
}

/* --- displays of another instance --- */

static void name_display(struct baseline *b, VkPhysicalDevice physical_device, VkInstance instance,
                         bool tags)
{
    VkDisplayPropertiesKHR display;
    uint32_t count = 1;
    (void)((PFN_vkGetPhysicalDeviceDisplayPropertiesKHR)
               vkGetInstanceProcAddr(instance,
                                     "vkGetPhysicalDeviceDisplayPropertiesKHR"))(physical_device,
                                                                                 &count, &display);
    ENSURE(count == 1);
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_DISPLAY_KHR,
        .objectHandle = HANDLE(display.display),
        .pObjectName = "a display"};
    const VkDebugUtilsObjectTagInfoEXT tag = {.sType =
                                                  VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                              .objectType = VK_OBJECT_TYPE_DISPLAY_KHR,
                                              .objectHandle = HANDLE(display.display),
                                              .tagSize = 1,
                                              .pTag = "t"};
    if (tags)
        (void)DEVICE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &tag);
    else
        (void)DEVICE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name);
}
#define DISPLAYS            \
    .drivers = NULL_DRIVER, \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_DISPLAY_EXTENSION_NAME}

SCENARIO(display_of_this_instance, DISPLAYS)
{
    name_display(b, b->physical_device, b->instance, false);
    name_display(b, b->physical_device, b->instance, true);
}

SCENARIO(display_of_another_instance, DISPLAYS, .ours_only = true,
         .expect = {"VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-07873"})
{
    VkInstance second = make_instance(b, NULL);
    name_display(b, first_physical_device(second), second, false);
    vkDestroyInstance(second, NULL);
}

SCENARIO(display_tag_of_another_instance, DISPLAYS, .ours_only = true,
         .expect = {"VUID-vkSetDebugUtilsObjectTagEXT-pNameInfo-07876"})
{
    VkInstance second = make_instance(b, NULL);
    name_display(b, first_physical_device(second), second, true);
    vkDestroyInstance(second, NULL);
}
