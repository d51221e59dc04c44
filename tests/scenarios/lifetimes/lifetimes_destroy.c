/* Every type of object that a device makes, destroyed wrongly: what was never created, twice, on
 * another device, with other allocation callbacks, or never. And rightly, beside it. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan11Features ycbcr = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .privateData = VK_TRUE};

/* All types have this in common. `name_` is the parameter's name in the specification's ids. */
#define LIFETIME(name_, Type_, OBJECT_TYPE_, destroy_, parameter_, make_, ...)                    \
    SCENARIO(name_##_destroyed_once, ##__VA_ARGS__)                                               \
    {                                                                                             \
        Vk##Type_ handle = make_(b);                                                              \
        FORGET(b, handle);                                                                        \
        destroy_(b->device, handle, NULL);                                                        \
        destroy_(b->device, VK_NULL_HANDLE, NULL);                                                \
    }                                                                                             \
    SCENARIO(name_##_never_created, .expect = {"VUID-" #destroy_ "-" #parameter_ "-parameter"},   \
             .text = {#destroy_ "()"}, ##__VA_ARGS__)                                             \
    {                                                                                             \
        destroy_(b->device, GARBAGE(Vk##Type_), NULL);                                            \
    }                                                                                             \
    SCENARIO(name_##_destroyed_twice, .expect = {"VUID-" #destroy_ "-" #parameter_ "-parameter"}, \
             .text = {"destroyed"}, ##__VA_ARGS__)                                                \
    {                                                                                             \
        Vk##Type_ handle = make_(b);                                                              \
        FORGET(b, handle);                                                                        \
        destroy_(b->device, handle, NULL);                                                        \
        destroy_(b->device, handle, NULL);                                                        \
    }                                                                                             \
    SCENARIO(name_##_of_another_device, .expect = {"VUID-" #destroy_ "-" #parameter_ "-parent"},  \
             ##__VA_ARGS__)                                                                       \
    {                                                                                             \
        VkDevice other = make_second_device(b);                                                   \
        destroy_(other, make_(b), NULL);                                                          \
    }                                                                                             \
    SCENARIO(name_##_leaked, .expect = {"VUID-vkDestroyDevice-device-05137"},                     \
             .text = {"Vk" #Type_, "left alive"}, ##__VA_ARGS__)                                  \
    {                                                                                             \
        Vk##Type_ handle = make_(b);                                                              \
        set_name(b, VK_OBJECT_TYPE_##OBJECT_TYPE_, HANDLE(handle), "left alive");                 \
        FORGET(b, handle);                                                                        \
    }

/* The types whose destruction says which allocation callbacks it takes. */
#define LIFETIME_ALLOCATOR(name_, Type_, OBJECT_TYPE_, parameter_, make_, info_, with_, without_, \
                           ...)                                                                   \
    LIFETIME(name_, Type_, OBJECT_TYPE_, vkDestroy##Type_, parameter_, make_, ##__VA_ARGS__)      \
    SCENARIO(name_##_same_allocator, ##__VA_ARGS__)                                               \
    {                                                                                             \
        Vk##Type_ handle = VK_NULL_HANDLE;                                                        \
        Vk##Type_##CreateInfo info = info_;                                                       \
        VK(vkCreate##Type_(b->device, &info, allocator(), &handle));                              \
        vkDestroy##Type_(b->device, handle, allocator());                                         \
    }                                                                                             \
    SCENARIO(name_##_allocator_missing, .expect = {"VUID-vkDestroy" #Type_ "-" with_},            \
             .text = {"pAllocator"}, ##__VA_ARGS__)                                               \
    {                                                                                             \
        Vk##Type_ handle = VK_NULL_HANDLE;                                                        \
        Vk##Type_##CreateInfo info = info_;                                                       \
        VK(vkCreate##Type_(b->device, &info, allocator(), &handle));                              \
        vkDestroy##Type_(b->device, handle,                                                       \
                         NULL); /* skipped, so that the driver does not free what it must not */  \
        vkDestroy##Type_(b->device, handle, allocator());                                         \
    }                                                                                             \
    SCENARIO(name_##_allocator_unexpected, .expect = {"VUID-vkDestroy" #Type_ "-" without_},      \
             .text = {"pAllocator"}, ##__VA_ARGS__)                                               \
    {                                                                                             \
        vkDestroy##Type_(b->device, make_(b), allocator());                                       \
    }

static VkImageViewCreateInfo any_view_info(struct baseline *b)
{
    return image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
}

static VkImageView make_sampled_view(struct baseline *b)
{
    VkImageViewCreateInfo info = any_view_info(b);
    return create_image_view(b, &info);
}

static VkBufferViewCreateInfo any_buffer_view_info(struct baseline *b)
{
    return buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
}

static VkFramebufferCreateInfo any_framebuffer_info(struct baseline *b)
{
    static VkImageView view;
    view = make_image_view(b);
    return framebuffer_info(make_render_pass(b), &view);
}

static VkShaderModuleCreateInfo any_shader_info(void)
{
    return (VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = shader_fill_size,
                                      .pCode = shader_fill_code};
}

static VkPrivateDataSlotCreateInfo any_slot_info(void)
{
    return (VkPrivateDataSlotCreateInfo){.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
}

static VkDeviceMemory make_any_memory(struct baseline *b)
{
    return make_memory(b, 4096);
}

LIFETIME(memory, DeviceMemory, DEVICE_MEMORY, vkFreeMemory, memory, make_any_memory)
LIFETIME(pipeline, Pipeline, PIPELINE, vkDestroyPipeline, pipeline, make_any_compute_pipeline)
LIFETIME(ycbcr_conversion, SamplerYcbcrConversion, SAMPLER_YCBCR_CONVERSION,
         vkDestroySamplerYcbcrConversion, ycbcrConversion, make_sampler_ycbcr_conversion,
         .features = &ycbcr)
LIFETIME(update_template, DescriptorUpdateTemplate, DESCRIPTOR_UPDATE_TEMPLATE,
         vkDestroyDescriptorUpdateTemplate, descriptorUpdateTemplate,
         make_any_descriptor_update_template)

LIFETIME_ALLOCATOR(buffer, Buffer, BUFFER, buffer, make_unbound_buffer,
                   buffer_info(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT), "buffer-00923",
                   "buffer-00924")
LIFETIME_ALLOCATOR(image, Image, IMAGE, image, make_unbound_image,
                   image_info(VK_IMAGE_USAGE_SAMPLED_BIT), "image-01001", "image-01002")
LIFETIME_ALLOCATOR(image_view, ImageView, IMAGE_VIEW, imageView, make_sampled_view,
                   any_view_info(b), "imageView-01027", "imageView-01028")
LIFETIME_ALLOCATOR(buffer_view, BufferView, BUFFER_VIEW, bufferView, make_buffer_view,
                   any_buffer_view_info(b), "bufferView-00937", "bufferView-00938")
LIFETIME_ALLOCATOR(sampler, Sampler, SAMPLER, sampler, make_sampler, sampler_info(),
                   "sampler-01083", "sampler-01084")
LIFETIME_ALLOCATOR(render_pass, RenderPass, RENDER_PASS, renderPass, make_render_pass,
                   render_pass_info(), "renderPass-00874", "renderPass-00875")
LIFETIME_ALLOCATOR(framebuffer, Framebuffer, FRAMEBUFFER, framebuffer, make_any_framebuffer,
                   any_framebuffer_info(b), "framebuffer-00893", "framebuffer-00894")
LIFETIME_ALLOCATOR(set_layout, DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT, descriptorSetLayout,
                   make_descriptor_set_layout, descriptor_set_layout_info(),
                   "descriptorSetLayout-00284", "descriptorSetLayout-00285")
LIFETIME_ALLOCATOR(descriptor_pool, DescriptorPool, DESCRIPTOR_POOL, descriptorPool,
                   make_descriptor_pool, descriptor_pool_info(), "descriptorPool-00304",
                   "descriptorPool-00305")
LIFETIME_ALLOCATOR(pipeline_layout, PipelineLayout, PIPELINE_LAYOUT, pipelineLayout,
                   make_empty_pipeline_layout, pipeline_layout_info(NULL), "pipelineLayout-00299",
                   "pipelineLayout-00300")
LIFETIME_ALLOCATOR(shader_module, ShaderModule, SHADER_MODULE, shaderModule, make_shader_module,
                   any_shader_info(), "shaderModule-01092", "shaderModule-01093")
LIFETIME_ALLOCATOR(pipeline_cache, PipelineCache, PIPELINE_CACHE, pipelineCache,
                   make_pipeline_cache, pipeline_cache_info(), "pipelineCache-00771",
                   "pipelineCache-00772")
LIFETIME_ALLOCATOR(command_pool, CommandPool, COMMAND_POOL, commandPool, make_command_pool,
                   command_pool_info(b->queue_family), "commandPool-00042", "commandPool-00043")
LIFETIME_ALLOCATOR(semaphore, Semaphore, SEMAPHORE, semaphore, make_semaphore, semaphore_info(),
                   "semaphore-01138", "semaphore-01139")
LIFETIME_ALLOCATOR(fence, Fence, FENCE, fence, make_fence, fence_info(), "fence-01121",
                   "fence-01122")
LIFETIME_ALLOCATOR(event, Event, EVENT, event, make_event, event_info(), "event-01146",
                   "event-01147")
LIFETIME_ALLOCATOR(query_pool, QueryPool, QUERY_POOL, queryPool, make_query_pool, query_pool_info(),
                   "queryPool-00794", "queryPool-00795")
LIFETIME_ALLOCATOR(private_data_slot, PrivateDataSlot, PRIVATE_DATA_SLOT, privateDataSlot,
                   make_private_data_slot, any_slot_info(), "privateDataSlot-04062",
                   "privateDataSlot-04063", .features = &private_data)

/* --- what an instance leaks --- */

static void destroy_instance(struct baseline *b, bool leak)
{
    const VkHeadlessSurfaceCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(b);
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    VkInstance instance = make_instance(b, &messenger);
    PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(instance,
                                                              "vkCreateHeadlessSurfaceEXT");
    VK(create(instance, &info, NULL, &surface));
    if (!leak)
        vkDestroySurfaceKHR(instance, surface, NULL);
    vkDestroyInstance(instance, NULL);
}
#define HEADLESS                                    \
    .start = START_NOTHING, .drivers = NULL_DRIVER, \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}

SCENARIO(surface_destroyed, HEADLESS)
{
    destroy_instance(b, false);
}

SCENARIO(surface_leaked, HEADLESS, .expect = {"VUID-vkDestroyInstance-instance-00629"},
         .text = {"1 VkSurfaceKHR is still alive"})
{
    destroy_instance(b, true);
}

/* The messenger's answer, VK_TRUE here, keeps neither a device nor an instance: the loader frees
 * its own in any case. One that stayed would still be there when the instance goes, or answer for
 * the next one. */
SCENARIO(device_with_a_leak_goes, .expect = {"VUID-vkDestroyDevice-device-05137"})
{
    VkDevice device = make_device_of(b, b->physical_device);
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo info = fence_info();
    VK(vkCreateFence(device, &info, NULL, &fence));
    vkDestroyDevice(device, NULL);
}

SCENARIO(instance_with_a_leak_goes, .start = START_NOTHING, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkDestroyInstance-instance-00629"})
{
    for (int i = 0; i < 4; i++) {
        VkInstance instance = make_instance(b, NULL);
        VkDevice device = make_device_of(b, first_physical_device(instance));
        EXPECT(device != VK_NULL_HANDLE);
        vkDestroyInstance(instance, NULL);
        instance = make_instance(b, NULL);
        VkPhysicalDeviceProperties properties = {0};
        vkGetPhysicalDeviceProperties(first_physical_device(instance), &properties);
        EXPECT(properties.apiVersion >= VK_API_VERSION_1_0);
        vkDestroyInstance(instance, NULL);
    }
}
