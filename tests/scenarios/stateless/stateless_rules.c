/* Rules of single structures and commands that carry a number: what src/stateless has written by
 * hand. */
#include "scenario.h"

#include <string.h>

/* Allocation callbacks. */

static VkAllocationCallbacks callbacks_of_test(void)
{
    return *allocator();
}

static void make_fence_with(struct baseline *b, const VkAllocationCallbacks *callbacks)
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    if (vkCreateFence(b->device, &info, callbacks, &fence) == VK_SUCCESS)
        vkDestroyFence(b->device, fence, callbacks);
}

static void VKAPI_PTR notify_allocation(void *user, size_t size, VkInternalAllocationType type,
                                        VkSystemAllocationScope scope)
{
}

static void VKAPI_PTR notify_free(void *user, size_t size, VkInternalAllocationType type,
                                  VkSystemAllocationScope scope)
{
}

SCENARIO(allocator_whole)
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnInternalAllocation = notify_allocation;
    own.pfnInternalFree = notify_free;
    make_fence_with(b, &own);
    EXPECT_EQUAL(allocator_balance(), 0);
}

SCENARIO(allocator_without_allocation, .expect = {"VUID-VkAllocationCallbacks-pfnAllocation-00632"},
         .text = {"pAllocator->pfnAllocation is NULL"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnAllocation = NULL;
    make_fence_with(b, &own);
}

SCENARIO(allocator_without_reallocation,
         .expect = {"VUID-VkAllocationCallbacks-pfnReallocation-00633"},
         .text = {"pAllocator->pfnReallocation is NULL"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnReallocation = NULL;
    make_fence_with(b, &own);
}

SCENARIO(allocator_without_free, .expect = {"VUID-VkAllocationCallbacks-pfnFree-00634"},
         .text = {"pAllocator->pfnFree is NULL"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnFree = NULL;
    make_fence_with(b, &own);
}

SCENARIO(allocator_with_one_notification,
         .expect = {"VUID-VkAllocationCallbacks-pfnInternalAllocation-00635"},
         .text = {"pAllocator->pfnInternalFree is NULL"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnInternalAllocation = notify_allocation;
    make_fence_with(b, &own);
}

SCENARIO(allocator_with_the_other_notification,
         .expect = {"VUID-VkAllocationCallbacks-pfnInternalAllocation-00635"},
         .text = {"pAllocator->pfnInternalAllocation is NULL"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    own.pfnInternalFree = notify_free;
    make_fence_with(b, &own);
}

SCENARIO(allocator_of_nothing, .expect = {"VUID-VkAllocationCallbacks-pfnAllocation-00632",
                                          "VUID-VkAllocationCallbacks-pfnReallocation-00633",
                                          "VUID-VkAllocationCallbacks-pfnFree-00634"})
{
    VkAllocationCallbacks own = {.pUserData = b};
    make_fence_with(b, &own);
}

/* The callback says VK_FALSE, and still nothing jumps to NULL. */
SCENARIO(allocator_of_nothing_goes_on, .proceed = true,
         .ours_only = true /* the peer hands it down, and lavapipe crashes */,
         .expect = {"VUID-VkAllocationCallbacks-pfnAllocation-00632",
                    "VUID-VkAllocationCallbacks-pfnReallocation-00633",
                    "VUID-VkAllocationCallbacks-pfnFree-00634"})
{
    VkAllocationCallbacks own = {.pUserData = b};
    make_fence_with(b, &own);
}

SCENARIO(allocator_when_destroying, .expect = {"VUID-VkAllocationCallbacks-pfnFree-00634"},
         .text = {"vkDestroyFence(): pAllocator->pfnFree"})
{
    VkAllocationCallbacks own = callbacks_of_test();
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    VK(vkCreateFence(b->device, &info, allocator(), &fence));
    own.pfnFree = NULL;
    vkDestroyFence(b->device, fence, &own);
    vkDestroyFence(b->device, fence, allocator());
}

/* Debug names and tags. */

static VkResult name_handle(struct baseline *b, VkObjectType type, uint64_t handle)
{
    VkDebugUtilsObjectNameInfoEXT info = name_info(type, handle, "name");
    return INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info);
}

SCENARIO(name_of_unknown_type, .expect = {"VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-02587"},
         .text = {"pNameInfo->objectType is VK_OBJECT_TYPE_UNKNOWN"})
{
    name_handle(b, VK_OBJECT_TYPE_UNKNOWN, HANDLE(make_fence(b)));
}

SCENARIO(name_of_null, .expect = {"VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-02588"},
         .text = {"pNameInfo->objectHandle is VK_NULL_HANDLE"})
{
    name_handle(b, VK_OBJECT_TYPE_FENCE, 0);
}

SCENARIO(name_of_nothing_at_all, .expect = {"VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-02587",
                                            "VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-02588"})
{
    name_handle(b, VK_OBJECT_TYPE_UNKNOWN, 0);
}

SCENARIO(name_of_a_fence)
{
    EXPECT_EQUAL(name_handle(b, VK_OBJECT_TYPE_FENCE, HANDLE(make_fence(b))), VK_SUCCESS);
}

SCENARIO(name_of_unknown_type_in_a_message,
         .expect = {"VUID-vkSubmitDebugUtilsMessageEXT-objectType-02591"}, .allow = {"app-message"})
{
    VkDebugUtilsObjectNameInfoEXT object = name_info(VK_OBJECT_TYPE_UNKNOWN, 17, "something");
    VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = "app-message",
        .pMessage = "hello",
        .objectCount = 1,
        .pObjects = &object};
    INSTANCE_PROC(b, vkSubmitDebugUtilsMessageEXT)(b->instance,
                                                   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                   VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                   &data);
}

SCENARIO(name_of_nothing_in_a_message,
         .expect = {"VUID-vkSubmitDebugUtilsMessageEXT-objectType-02591"}, .allow = {"app-message"})
{
    VkDebugUtilsObjectNameInfoEXT object = name_info(VK_OBJECT_TYPE_UNKNOWN, 0, "something");
    VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = "app-message",
        .pMessage = "hello",
        .objectCount = 1,
        .pObjects = &object};
    INSTANCE_PROC(b, vkSubmitDebugUtilsMessageEXT)(b->instance,
                                                   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                   VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                   &data);
}

/* No command says more of a structure that is chained. */
SCENARIO(name_of_nothing_for_a_sampler,
         .expect = {"VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02589"})
{
    const VkDebugUtilsObjectNameInfoEXT name = name_info(VK_OBJECT_TYPE_UNKNOWN, 0, "something");
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &name};
    VkSampler sampler;
    if (vkCreateSampler(b->device, &info, NULL, &sampler) == VK_SUCCESS)
        vkDestroySampler(b->device, sampler, NULL);
}

static void set_tag(struct baseline *b, VkObjectType type, uint64_t handle)
{
    VkDebugUtilsObjectTagInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                         .objectType = type,
                                         .objectHandle = handle,
                                         .tagSize = 3,
                                         .pTag = "tag"};
    INSTANCE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &info);
}

SCENARIO(tag_of_unknown_type, .expect = {"VUID-VkDebugUtilsObjectTagInfoEXT-objectType-01908"})
{
    set_tag(b, VK_OBJECT_TYPE_UNKNOWN, HANDLE(make_fence(b)));
}

SCENARIO(tag_of_a_fence)
{
    set_tag(b, VK_OBJECT_TYPE_FENCE, HANDLE(make_fence(b)));
}

/* Buffers. */

SCENARIO(buffer_of_no_size, .expect = {"VUID-VkBufferCreateInfo-size-00912"},
         .text = {"vkCreateBuffer(): pCreateInfo->size is 0"})
{
    VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    create_buffer(b, &info);
}

SCENARIO(buffer_of_one_byte)
{
    VkBufferCreateInfo info = buffer_info(1, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(buffer_asked_about, .expect = {"VUID-VkBufferCreateInfo-size-00912"},
         .text = {"pInfo->pCreateInfo->size is 0"})
{
    VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkDeviceBufferMemoryRequirements query = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetDeviceBufferMemoryRequirements(b->device, &query, &requirements);
}

SCENARIO(buffer_usage_unknown, .expect = {"VUID-VkBufferCreateInfo-None-09499"},
         .text = {"0x40000000 is not a bit of VkBufferUsageFlagBits"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT | 0x40000000);
    create_buffer(b, &info);
}

SCENARIO(buffer_usage_of_extension_not_enabled, .expect = {"VUID-VkBufferCreateInfo-None-09499"},
         .text = {"VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT", "VK_EXT_transform_feedback"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    create_buffer(b, &info);
}

SCENARIO(buffer_usage_of_extension_enabled,
         .extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME},
         .features = &(VkPhysicalDeviceTransformFeedbackFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
             .transformFeedback = VK_TRUE})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(buffer_of_no_usage, .expect = {"VUID-VkBufferCreateInfo-None-09500"},
         .text = {"pCreateInfo->usage is 0"})
{
    VkBufferCreateInfo info = buffer_info(64, 0);
    create_buffer(b, &info);
}

/* With VkBufferUsageFlags2CreateInfo the old member is ignored. */
SCENARIO(buffer_usage_in_the_chain, .extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME},
         .features = &(VkPhysicalDeviceMaintenance5Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
             .maintenance5 = VK_TRUE})
{
    VkBufferUsageFlags2CreateInfo usage = {.sType =
                                               VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                           .usage = VK_BUFFER_USAGE_2_TRANSFER_DST_BIT};
    VkBufferCreateInfo info = buffer_info(64, 0);
    info.pNext = &usage;
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(buffer_shared_by_nobody_named, .expect = {"VUID-VkBufferCreateInfo-sharingMode-00913"},
         .proceed = true, .ours_only = true, .text = {"pCreateInfo->pQueueFamilyIndices is NULL"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    create_buffer(b, &info);
}

SCENARIO(buffer_shared, .drivers = NULL_DRIVER)
{
    static const uint32_t families[] = {0, 1};
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}

/* Images. */

SCENARIO(image_of_no_width, .expect = {"VUID-VkImageCreateInfo-extent-00944"},
         .text = {"pCreateInfo->extent.width is 0"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.extent.width = 0;
    create_image(b, &info);
}

SCENARIO(image_of_no_height, .expect = {"VUID-VkImageCreateInfo-extent-00945"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.extent.height = 0;
    create_image(b, &info);
}

SCENARIO(image_of_no_depth, .expect = {"VUID-VkImageCreateInfo-extent-00946"}, .ours_only = true)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.extent.depth = 0;
    create_image(b, &info);
}

SCENARIO(image_of_no_levels, .expect = {"VUID-VkImageCreateInfo-mipLevels-00947"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.mipLevels = 0;
    create_image(b, &info);
}

SCENARIO(image_of_no_layers, .expect = {"VUID-VkImageCreateInfo-arrayLayers-00948"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.arrayLayers = 0;
    create_image(b, &info);
}

SCENARIO(image_of_one_texel)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.extent = (VkExtent3D){1, 1, 1};
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(image_shared_by_nobody_named, .expect = {"VUID-VkImageCreateInfo-sharingMode-00941"},
         .proceed = true, .ours_only = true)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = (const uint32_t *)(uintptr_t)8;
    create_image(b, &info);
}

SCENARIO(image_exclusive_with_garbage)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.queueFamilyIndexCount = 7;
    info.pQueueFamilyIndices = (const uint32_t *)(uintptr_t)8; /* ignored: the mode is exclusive */
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

/* Samplers. */

SCENARIO(sampler_compare_unknown, .expect = {"VUID-VkSamplerCreateInfo-compareEnable-01080"},
         .text = {"pCreateInfo->compareOp is 99"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.compareEnable = VK_TRUE;
    info.compareOp = (VkCompareOp)99;
    create_sampler(b, &info);
}

SCENARIO(sampler_compare_known)
{
    VkSamplerCreateInfo info = sampler_info();
    info.compareEnable = VK_TRUE;
    info.compareOp = VK_COMPARE_OP_ALWAYS;
    EXPECT(create_sampler(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(sampler_compare_ignored)
{
    VkSamplerCreateInfo info = sampler_info();
    info.compareOp = (VkCompareOp)99; /* compareEnable is VK_FALSE */
    EXPECT(create_sampler(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(sampler_border_unknown, .expect = {"VUID-VkSamplerCreateInfo-addressModeU-01078"},
         .text = {"pCreateInfo->borderColor is 99"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = (VkBorderColor)99;
    create_sampler(b, &info);
}

SCENARIO(sampler_border_of_extension_not_enabled,
         .expect = {"VUID-VkSamplerCreateInfo-customBorderColors-04085"}, .ours_only = true,
         .text = {"VK_BORDER_COLOR_FLOAT_CUSTOM_EXT"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    create_sampler(b, &info);
}

SCENARIO(sampler_border_ignored,
         .drivers = NULL_DRIVER /* lavapipe reads it all the same, and crashes */)
{
    VkSamplerCreateInfo info = sampler_info();
    info.borderColor = (VkBorderColor)99; /* nothing clamps to the border */
    EXPECT(create_sampler(b, &info) != VK_NULL_HANDLE);
}

/* Layouts and pools. */

static void make_pushed_layout(struct baseline *b, uint32_t offset, uint32_t size)
{
    VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT, .offset = offset, .size = size};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.pPushConstantRanges = &range;
    create_pipeline_layout(b, &info);
}

SCENARIO(push_constants_of_no_size, .expect = {"VUID-VkPushConstantRange-size-00296"},
         .text = {"pCreateInfo->pPushConstantRanges[0].size is 0"})
{
    make_pushed_layout(b, 0, 0);
}

SCENARIO(push_constants_of_odd_size, .expect = {"VUID-VkPushConstantRange-size-00297"},
         .text = {"size is 7, not a multiple of 4"})
{
    make_pushed_layout(b, 0, 7);
}

SCENARIO(push_constants_at_odd_offset, .expect = {"VUID-VkPushConstantRange-offset-00295"},
         .text = {"offset is 6, not a multiple of 4"})
{
    make_pushed_layout(b, 6, 4);
}

SCENARIO(push_constants_in_the_middle)
{
    make_pushed_layout(b, 8, 12);
}

static void make_descriptors(struct baseline *b, uint32_t count)
{
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, count};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    create_descriptor_pool(b, &info);
}

SCENARIO(pool_of_no_descriptors, .expect = {"VUID-VkDescriptorPoolSize-descriptorCount-00302"},
         .text = {"pCreateInfo->pPoolSizes[0].descriptorCount is 0"})
{
    make_descriptors(b, 0);
}

SCENARIO(pool_of_one_descriptor)
{
    make_descriptors(b, 1);
}
