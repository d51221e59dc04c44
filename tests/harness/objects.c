/* Makes valid objects for a scenario, and destroys them again. */
#include "scenario.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shader_fill.h"
#include "shader_triangle_fragment.h"
#include "shader_triangle_vertex.h"

const uint32_t *const shader_fill_code = shader_fill;
const size_t shader_fill_size = sizeof(shader_fill);

#define DEFINE_CREATE(Type_, name_)                                                 \
    static void destroy_##name_(struct baseline *b, uint64_t handle)                \
    {                                                                               \
        vkDestroy##Type_(b->device, (Vk##Type_)(uintptr_t)handle, NULL);            \
    }                                                                               \
    Vk##Type_ create_##name_(struct baseline *b, const Vk##Type_##CreateInfo *info) \
    {                                                                               \
        Vk##Type_ handle = VK_NULL_HANDLE;                                          \
        if (vkCreate##Type_(b->device, info, NULL, &handle) != VK_SUCCESS)          \
            return VK_NULL_HANDLE;                                                  \
        cleanup_add(b, destroy_##name_, HANDLE(handle));                            \
        return handle;                                                              \
    }
OBJECT_LIST(DEFINE_CREATE)

static void free_memory(struct baseline *b, uint64_t handle)
{
    vkFreeMemory(b->device, (VkDeviceMemory)(uintptr_t)handle, NULL);
}

VkDeviceMemory create_memory(struct baseline *b, const VkMemoryAllocateInfo *info)
{
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (vkAllocateMemory(b->device, info, NULL, &memory) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, free_memory, HANDLE(memory));
    return memory;
}

void destroy_pipeline(struct baseline *b, uint64_t handle)
{
    vkDestroyPipeline(b->device, (VkPipeline)(uintptr_t)handle, NULL);
}

VkPipeline create_graphics_pipeline(struct baseline *b, const VkGraphicsPipelineCreateInfo *info)
{
    VkPipelineShaderStageCreateInfo stages[INSTEAD_STAGES];
    const VkGraphicsPipelineCreateInfo made = instead_pipeline(b, info, stages);
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (vkCreateGraphicsPipelines(b->device, VK_NULL_HANDLE, 1, &made, NULL, &pipeline) !=
        VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
    return pipeline;
}

VkPipeline create_compute_pipeline(struct baseline *b, const VkComputePipelineCreateInfo *info)
{
    if (instead_draws(b))
        return instead_drawing(b, info);
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (vkCreateComputePipelines(b->device, VK_NULL_HANDLE, 1, info, NULL, &pipeline) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
    return pipeline;
}

static void destroy_swapchain(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroySwapchainKHR)(b->device, (VkSwapchainKHR)(uintptr_t)handle, NULL);
}

VkSwapchainKHR create_swapchain(struct baseline *b, const VkSwapchainCreateInfoKHR *info)
{
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateSwapchainKHR)(b->device, info, NULL, &swapchain) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_swapchain, HANDLE(swapchain));
    return swapchain;
}

/* A handle that must not be null, or the scenario ends. */
#define MADE(type_, call_)                                                   \
    do {                                                                     \
        type_ made__ = (call_);                                              \
        if (!made__)                                                         \
            scenario_abort(__FILE__, __LINE__, "%s gave no object", #call_); \
        return made__;                                                       \
    } while (0)

/* One that the host can map, or, for images that a GPU of its own keeps out of its reach, any
 * other. */
static uint32_t host_memory_type(struct baseline *b, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags never =
        VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    uint32_t other = UINT32_MAX;
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = properties.memoryTypes[i].propertyFlags;
        if (!(allowed & (1u << i)) || (flags & never))
            continue;
        if ((flags & wanted) == wanted)
            return i;
        if (other == UINT32_MAX)
            other = i;
    }
    if (other == UINT32_MAX)
        scenario_abort(__FILE__, __LINE__, "no memory type to use in %#x", allowed);
    return other;
}

static VkDeviceMemory make_protected_memory_for(struct baseline *b,
                                                const VkMemoryRequirements *requirements,
                                                const void *next)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
        VkMemoryAllocateInfo info = memory_info(requirements->size, i);
        info.pNext = next;
        if (requirements->memoryTypeBits & (1u << i) &&
            properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_PROTECTED_BIT)
            MADE(VkDeviceMemory, create_memory(b, &info));
    }
    scenario_abort(__FILE__, __LINE__, "no protected memory type in %#x",
                   requirements->memoryTypeBits);
}

static VkDeviceMemory make_memory_for(struct baseline *b, const VkMemoryRequirements *requirements,
                                      const void *next)
{
    VkMemoryAllocateInfo info =
        memory_info(requirements->size, host_memory_type(b, requirements->memoryTypeBits));
    info.pNext = next;
    MADE(VkDeviceMemory, create_memory(b, &info));
}

VkDeviceMemory make_memory(struct baseline *b, VkDeviceSize size)
{
    VkMemoryRequirements requirements = {.size = size, .memoryTypeBits = UINT32_MAX};
    return make_memory_for(b, &requirements, NULL);
}

VkBuffer make_unbound_buffer(struct baseline *b)
{
    VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    MADE(VkBuffer, create_buffer(b, &info));
}

static struct {
    VkBuffer buffer;
    VkDeviceMemory memory;
} bound[256];
static unsigned bound_count;

VkBuffer make_buffer(struct baseline *b, VkDeviceSize size, VkBufferUsageFlags usage)
{
    VkBufferCreateInfo info = buffer_info(size, usage);
    /* The memory first, so that the buffer is destroyed before it. */
    VkBuffer probe = VK_NULL_HANDLE;
    VkMemoryRequirements requirements;
    VK(vkCreateBuffer(b->device, &info, NULL, &probe));
    vkGetBufferMemoryRequirements(b->device, probe, &requirements);
    vkDestroyBuffer(b->device, probe, NULL);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    VkDeviceMemory memory = make_memory_for(b, &requirements, address ? &flags : NULL);
    VkBuffer buffer = create_buffer(b, &info);
    ENSURE(buffer && bound_count < 256);
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    bound[bound_count].buffer = buffer;
    bound[bound_count++].memory = memory;
    return buffer;
}

VkBuffer make_protected_buffer(struct baseline *b, VkDeviceSize size, VkBufferUsageFlags usage)
{
    VkBufferCreateInfo info = buffer_info(size, usage);
    info.flags = VK_BUFFER_CREATE_PROTECTED_BIT;
    VkMemoryRequirements requirements;
    VkBuffer probe = VK_NULL_HANDLE;
    VK(vkCreateBuffer(b->device, &info, NULL, &probe));
    vkGetBufferMemoryRequirements(b->device, probe, &requirements);
    vkDestroyBuffer(b->device, probe, NULL);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    VkDeviceMemory memory = make_protected_memory_for(b, &requirements, address ? &flags : NULL);
    VkBuffer buffer = create_buffer(b, &info);
    ENSURE(buffer);
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    return buffer;
}

VkDeviceMemory buffer_memory(struct baseline *b, VkBuffer buffer)
{
    for (unsigned i = 0; i < bound_count; i++) {
        if (bound[i].buffer == buffer)
            return bound[i].memory;
    }
    scenario_abort(__FILE__, __LINE__, "not a buffer of make_buffer");
}

VkImage make_unbound_image(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    MADE(VkImage, create_image(b, &info));
}

VkImage make_image(struct baseline *b, VkImageUsageFlags usage)
{
    VkImageCreateInfo info = image_info(usage);
    return make_image_of(b, &info);
}

VkImage make_image_of(struct baseline *b, const VkImageCreateInfo *info)
{
    VkImage probe = VK_NULL_HANDLE;
    VkMemoryRequirements requirements;
    VK(vkCreateImage(b->device, info, NULL, &probe));
    vkGetImageMemoryRequirements(b->device, probe, &requirements);
    vkDestroyImage(b->device, probe, NULL);
    VkDeviceMemory memory = info->flags & VK_IMAGE_CREATE_PROTECTED_BIT
                                ? make_protected_memory_for(b, &requirements, NULL)
                                : make_memory_for(b, &requirements, NULL);
    VkImage image = create_image(b, info);
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    VK(vkBindImageMemory(b->device, image, memory, 0));
    return image;
}

VkImage make_image_of_freed_plane(struct baseline *b)
{
    static const VkImageAspectFlagBits aspects[] = {VK_IMAGE_ASPECT_PLANE_0_BIT,
                                                    VK_IMAGE_ASPECT_PLANE_1_BIT};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    VkImage image = create_image(b, &info);
    ENSURE(image);
    VkBindImagePlaneMemoryInfo planes[2];
    VkBindImageMemoryInfo binds[2];
    const VkMemoryAllocateInfo allocate = memory_info(65536, 0);
    for (uint32_t i = 0; i < 2; i++) {
        planes[i] = (VkBindImagePlaneMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, .planeAspect = aspects[i]};
        binds[i] = (VkBindImageMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, .pNext = &planes[i], .image = image};
    }
    binds[0].memory = create_memory(b, &allocate);
    VK(vkAllocateMemory(b->device, &allocate, NULL, &binds[1].memory));
    VK(vkBindImageMemory2(b->device, 2, binds));
    vkFreeMemory(b->device, binds[1].memory, NULL);
    return image;
}

VkImageView make_image_view(struct baseline *b)
{
    VkImageViewCreateInfo info =
        image_view_info(make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT));
    MADE(VkImageView, create_image_view(b, &info));
}

VkBufferView make_buffer_view(struct baseline *b)
{
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    MADE(VkBufferView, create_buffer_view(b, &info));
}

VkSampler make_sampler(struct baseline *b)
{
    VkSamplerCreateInfo info = sampler_info();
    MADE(VkSampler, create_sampler(b, &info));
}

VkRenderPass make_render_pass(struct baseline *b)
{
    VkRenderPassCreateInfo info = render_pass_info();
    MADE(VkRenderPass, create_render_pass(b, &info));
}

VkFramebuffer make_framebuffer(struct baseline *b, VkRenderPass render_pass, VkImageView view)
{
    VkFramebufferCreateInfo info = framebuffer_info(render_pass, &view);
    MADE(VkFramebuffer, create_framebuffer(b, &info));
}

VkFramebuffer make_any_framebuffer(struct baseline *b)
{
    return make_framebuffer(b, make_render_pass(b), make_image_view(b));
}

VkDescriptorSetLayout make_descriptor_set_layout(struct baseline *b)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    MADE(VkDescriptorSetLayout, create_descriptor_set_layout(b, &info));
}

VkDescriptorPool make_descriptor_pool(struct baseline *b)
{
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    MADE(VkDescriptorPool, create_descriptor_pool(b, &info));
}

VkDescriptorSet make_descriptor_set(struct baseline *b, VkDescriptorPool pool,
                                    VkDescriptorSetLayout layout)
{
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK(vkAllocateDescriptorSets(b->device, &info, &set));
    return set;
}

VkPipelineLayout make_pipeline_layout(struct baseline *b, VkDescriptorSetLayout set_layout)
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(set_layout ? &set_layout : NULL);
    MADE(VkPipelineLayout, create_pipeline_layout(b, &info));
}

VkPipelineLayout make_empty_pipeline_layout(struct baseline *b)
{
    return make_pipeline_layout(b, VK_NULL_HANDLE);
}

VkShaderModule make_shader_from(struct baseline *b, const uint32_t *code, size_t size)
{
    uint32_t *other = instead_code(b, code, &size);
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = size,
                                     .pCode = other ? other : code};
    VkShaderModule module = create_shader_module(b, &info);
    free(other);
    MADE(VkShaderModule, module);
}

VkShaderModule make_shader_module(struct baseline *b)
{
    return MAKE_SHADER(b, shader_fill);
}

VkPipelineCache make_pipeline_cache(struct baseline *b)
{
    VkPipelineCacheCreateInfo info = pipeline_cache_info();
    MADE(VkPipelineCache, create_pipeline_cache(b, &info));
}

VkPipeline make_compute_pipeline(struct baseline *b, VkPipelineLayout layout)
{
    VkComputePipelineCreateInfo info = compute_pipeline_info(make_shader_module(b), layout);
    MADE(VkPipeline, create_compute_pipeline(b, &info));
}

VkPipeline make_any_compute_pipeline(struct baseline *b)
{
    return make_compute_pipeline(b, make_pipeline_layout(b, make_descriptor_set_layout(b)));
}

void begin_graphics_pipeline(struct baseline *b, struct graphics_pipeline *pipeline,
                             VkPipelineLayout layout, VkRenderPass render_pass)
{
    graphics_pipeline_fill(pipeline, MAKE_SHADER(b, shader_triangle_vertex),
                           MAKE_SHADER(b, shader_triangle_fragment), layout, render_pass);
}

VkPipeline make_graphics_pipeline(struct baseline *b, VkPipelineLayout layout,
                                  VkRenderPass render_pass)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, layout, render_pass);
    MADE(VkPipeline, create_graphics_pipeline(b, &pipeline.info));
}

VkPipeline make_any_graphics_pipeline(struct baseline *b)
{
    return make_graphics_pipeline(b, make_empty_pipeline_layout(b), make_render_pass(b));
}

static VkCommandPool make_command_pool_of(struct baseline *b, uint32_t queue_family)
{
    VkCommandPoolCreateInfo info = command_pool_info(queue_family);
    MADE(VkCommandPool, create_command_pool(b, &info));
}

VkCommandPool make_command_pool(struct baseline *b)
{
    return make_command_pool_of(b, b->queue_family);
}

VkCommandBuffer make_command_buffer(struct baseline *b, VkCommandBufferLevel level)
{
    VkCommandBufferAllocateInfo info = command_buffer_info(make_command_pool(b), level);
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    return command_buffer;
}

VkCommandBuffer make_recording_of(struct baseline *b, uint32_t queue_family)
{
    VkCommandBufferAllocateInfo info =
        command_buffer_info(make_command_pool_of(b, queue_family), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    return command_buffer;
}

VkCommandBuffer make_recording(struct baseline *b)
{
    return make_recording_of(b, b->queue_family);
}

VkCommandBuffer make_protected_recording(struct baseline *b)
{
    VkCommandPoolCreateInfo pool = command_pool_info(b->queue_family);
    pool.flags |= VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
    VkCommandBufferAllocateInfo info =
        command_buffer_info(create_command_pool(b, &pool), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    return command_buffer;
}

VkSemaphore make_semaphore(struct baseline *b)
{
    VkSemaphoreCreateInfo info = semaphore_info();
    MADE(VkSemaphore, create_semaphore(b, &info));
}

VkSemaphore make_timeline_semaphore(struct baseline *b, uint64_t value)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                      .initialValue = value};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    MADE(VkSemaphore, create_semaphore(b, &info));
}

VkFence make_fence(struct baseline *b)
{
    VkFenceCreateInfo info = fence_info();
    MADE(VkFence, create_fence(b, &info));
}

VkEvent make_event(struct baseline *b)
{
    VkEventCreateInfo info = event_info();
    MADE(VkEvent, create_event(b, &info));
}

VkQueryPool make_query_pool(struct baseline *b)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    MADE(VkQueryPool, create_query_pool(b, &info));
}

VkSamplerYcbcrConversion make_sampler_ycbcr_conversion(struct baseline *b)
{
    VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
        .xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN,
        .yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN};
    MADE(VkSamplerYcbcrConversion, create_sampler_ycbcr_conversion(b, &info));
}

VkDescriptorUpdateTemplate make_descriptor_update_template(struct baseline *b,
                                                           VkDescriptorSetLayout layout)
{
    VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .stride = sizeof(VkDescriptorBufferInfo)};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout,
    };
    MADE(VkDescriptorUpdateTemplate, create_descriptor_update_template(b, &info));
}

VkDescriptorUpdateTemplate make_any_descriptor_update_template(struct baseline *b)
{
    return make_descriptor_update_template(b, make_descriptor_set_layout(b));
}

VkPrivateDataSlot make_private_data_slot(struct baseline *b)
{
    VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    MADE(VkPrivateDataSlot, create_private_data_slot(b, &info));
}

static void destroy_surface(struct baseline *b, uint64_t handle)
{
    vkDestroySurfaceKHR(b->instance, (VkSurfaceKHR)(uintptr_t)handle, NULL);
}

VkSurfaceKHR make_surface(struct baseline *b)
{
    VkHeadlessSurfaceCreateInfoEXT info = {.sType =
                                               VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateHeadlessSurfaceEXT)(b->instance, &info, NULL, &surface));
    cleanup_add(b, destroy_surface, HANDLE(surface));
    return surface;
}

VkSwapchainKHR make_swapchain(struct baseline *b)
{
    VkSurfaceKHR surface = make_surface(b);
    VkBool32 supported = VK_FALSE;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, surface,
                                            &supported));
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, surface, &capabilities));
    ENSURE(supported);
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    if (info.minImageCount < capabilities.minImageCount)
        info.minImageCount = capabilities.minImageCount;
    MADE(VkSwapchainKHR, create_swapchain(b, &info));
}

void run_commands(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

void begin_rendering(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkRenderPass render_pass = make_render_pass(b);
    VkRenderPassBeginInfo info =
        render_pass_begin_info(render_pass, make_framebuffer(b, render_pass, make_image_view(b)));
    vkCmdBeginRenderPass(command_buffer, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static atomic_long balance;

static void *VKAPI_PTR count_allocation(void *user, size_t size, size_t alignment,
                                        VkSystemAllocationScope scope)
{
    atomic_fetch_add(&balance, 1);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void VKAPI_PTR count_free(void *user, void *memory)
{
    if (memory)
        atomic_fetch_sub(&balance, 1);
    free(memory);
}

static void *VKAPI_PTR count_reallocation(void *user, void *old, size_t size, size_t alignment,
                                          VkSystemAllocationScope scope)
{
    if (size == 0) {
        count_free(user, old);
        return NULL;
    }
    void *fresh = count_allocation(user, size, alignment, scope);
    if (fresh && old) {
        size_t had = malloc_usable_size(old);
        memcpy(fresh, old, had < size ? had : size);
        count_free(user, old);
    }
    return fresh;
}

const VkAllocationCallbacks *allocator(void)
{
    static const VkAllocationCallbacks callbacks = {.pfnAllocation = count_allocation,
                                                    .pfnReallocation = count_reallocation,
                                                    .pfnFree = count_free};
    return &callbacks;
}

long allocator_balance(void)
{
    return atomic_load(&balance);
}

void destroy_shader(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, (VkShaderEXT)(uintptr_t)handle, NULL);
}

void destroy_acceleration_structure(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyAccelerationStructureKHR)
    (b->device, (VkAccelerationStructureKHR)(uintptr_t)handle, NULL);
}

void destroy_commands_layout(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutEXT)
    (b->device, (VkIndirectCommandsLayoutEXT)(uintptr_t)handle, NULL);
}

void destroy_execution_set(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectExecutionSetEXT)
    (b->device, (VkIndirectExecutionSetEXT)(uintptr_t)handle, NULL);
}

void set_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name)
{
    VkDebugUtilsObjectNameInfoEXT info = name_info(type, handle, name);
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
}

void end_label(struct baseline *b, VkCommandBuffer command_buffer)
{
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(command_buffer);
}

VkDeviceAddress buffer_address(struct baseline *b, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &info);
}
