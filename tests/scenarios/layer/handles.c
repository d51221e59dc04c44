/* Handles wherever they can stand. The driver gets its own, and the program gets the same one
 * again. A handle that lives in the layer's copies only still means the same object. The null
 * driver ends the process where an id reaches it. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/* Only our layer promises this: the peer's handles and the features that it misses are its own
 * business. */
#define CHECKED .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}", .ours_only = true
#define WSI \
    .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}

/* Swapchains: images are the swapchain's, and the same ones every time. */

static uint32_t swapchain_images(struct baseline *b, VkSwapchainKHR swapchain, VkImage images[8])
{
    uint32_t count = 8;
    VK(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, images));
    return count;
}

SCENARIO(swapchain_images_are_stable, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI)
{
    VkImage first[8], second[8];
    VkSwapchainKHR swapchain = make_swapchain(b);
    uint32_t count = swapchain_images(b, swapchain, first);
    EXPECT_EQUAL(swapchain_images(b, swapchain, second), count);
    EXPECT(count >= 2 && memcmp(first, second, count * sizeof(*first)) == 0);
    for (uint32_t i = 1; i < count; i++)
        EXPECT(first[i] != first[0]);
}

SCENARIO(swapchain_images_in_pieces, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI)
{
    VkImage all[8], one;
    uint32_t count = 1;
    VkSwapchainKHR swapchain = make_swapchain(b);
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetSwapchainImagesKHR)(b->device, swapchain, &count, &one),
                 VK_INCOMPLETE);
    swapchain_images(b, swapchain, all);
    EXPECT(one == all[0]);
}

SCENARIO(swapchain_image_is_an_image, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI)
{
    VkImage images[8];
    VkSwapchainKHR swapchain = make_swapchain(b);
    swapchain_images(b, swapchain, images);
    VkImageViewCreateInfo info = image_view_info(images[0]);
    info.format = VK_FORMAT_B8G8R8A8_UNORM;
    VkImageView view = create_image_view(b, &info);
    EXPECT(view != VK_NULL_HANDLE);
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(images[0], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(swapchain_image_dies_with_it, .expect = {"VUID-VkImageViewCreateInfo-image-parameter"},
         .settings = {"unique_handles=true"}, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI)
{
    VkImage images[8];
    VkSwapchainKHR swapchain = make_swapchain(b);
    swapchain_images(b, swapchain, images);
    FORGET(b, swapchain);
    DEVICE_PROC(b, vkDestroySwapchainKHR)(b->device, swapchain, NULL);
    VkImageViewCreateInfo info = image_view_info(images[0]);
    create_image_view(b, &info);
}

SCENARIO(swapchain_image_destroyed_by_hand, .expect = {"VUID-vkDestroyImage-image-04882"},
         .text = {"image belongs to a swapchain"}, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME},
         WSI)
{
    VkImage images[8];
    swapchain_images(b, make_swapchain(b), images);
    vkDestroyImage(b->device, images[0], NULL);
}

SCENARIO(swapchain_shown, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI,
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkImage images[8];
    uint32_t index;
    VkSwapchainKHR swapchain = make_swapchain(b);
    VkSemaphore acquired = make_semaphore(b), drawn = make_semaphore(b);
    swapchain_images(b, swapchain, images);
    VK(DEVICE_PROC(b, vkAcquireNextImageKHR)(b->device, swapchain, UINT64_MAX, acquired,
                                             VK_NULL_HANDLE, &index));
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(command_buffer));
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo submit = submit_info(&command_buffer);
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
    submit.pWaitSemaphores = &acquired;
    submit.pWaitDstStageMask = &stage;
    submit.pSignalSemaphores = &drawn;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &drawn,
                                .swapchainCount = 1,
                                .pSwapchains = &swapchain,
                                .pImageIndices = &index};
    VK(DEVICE_PROC(b, vkQueuePresentKHR)(b->queue, &present));
}

SCENARIO(image_of_swapchain_memory, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI,
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkSwapchainKHR swapchain = make_swapchain(b);
    VkImageSwapchainCreateInfoKHR chained = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, .swapchain = swapchain};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.pNext = &chained;
    info.format = VK_FORMAT_B8G8R8A8_UNORM;
    VkImage image = create_image(b, &info);
    ENSURE(image);
    VkBindImageMemorySwapchainInfoKHR where = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = swapchain,
        .imageIndex = 1};
    VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, .pNext = &where, .image = image};
    VK(vkBindImageMemory2(b->device, 1, &bind));
}

SCENARIO(swapchain_replaced, .extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}, WSI, CHECKED)
{
    VkSurfaceKHR surface = make_surface(b);
    VkBool32 supported;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, surface,
                                            &supported));
    VkSwapchainCreateInfoKHR info = swapchain_info(surface);
    VkSwapchainKHR old = create_swapchain(b, &info);
    info.oldSwapchain = old;
    VkSwapchainKHR fresh = create_swapchain(b, &info);
    VkImage images[8];
    EXPECT(fresh && fresh != old);
    EXPECT(swapchain_images(b, fresh, images) >= 3);
}

/* Displays and their modes cannot be destroyed: the same handle every time. */

SCENARIO(displays_are_stable, .start = START_INSTANCE,
         .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_DISPLAY_EXTENSION_NAME},
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkDisplayPropertiesKHR first[4], second[4];
    VkDisplayModePropertiesKHR modes[4], modes_again[4];
    uint32_t count = 4, mode_count = 4, again = 4;
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceDisplayPropertiesKHR)(b->physical_device, &count,
                                                                 first));
    ENSURE(count >= 1);
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceDisplayPropertiesKHR)(b->physical_device, &again,
                                                                 second));
    EXPECT(again == count && first[0].display == second[0].display);
    VK(INSTANCE_PROC(b, vkGetDisplayModePropertiesKHR)(b->physical_device, first[0].display,
                                                       &mode_count, modes));
    again = 4;
    VK(INSTANCE_PROC(b, vkGetDisplayModePropertiesKHR)(b->physical_device, first[0].display, &again,
                                                       modes_again));
    EXPECT(again == mode_count && mode_count >= 1 &&
           modes[0].displayMode == modes_again[0].displayMode);
}

SCENARIO(display_mode_made_and_shown, .start = START_INSTANCE,
         .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_DISPLAY_EXTENSION_NAME},
         CHECKED)
{
    VkDisplayPropertiesKHR display;
    uint32_t count = 1;
    VkResult result = INSTANCE_PROC(b, vkGetPhysicalDeviceDisplayPropertiesKHR)(b->physical_device,
                                                                                &count, &display);
    ENSURE((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1);
    VkDisplayModeCreateInfoKHR mode_info = {
        .sType = VK_STRUCTURE_TYPE_DISPLAY_MODE_CREATE_INFO_KHR,
        .parameters = {.visibleRegion = {640, 480}, .refreshRate = 60000}};
    VkDisplayModeKHR mode = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDisplayModeKHR)(b->physical_device, display.display, &mode_info,
                                                NULL, &mode));
    VkDisplayPlaneCapabilitiesKHR capabilities;
    VK(INSTANCE_PROC(b, vkGetDisplayPlaneCapabilitiesKHR)(b->physical_device, mode, 0,
                                                          &capabilities));
    VkDisplaySurfaceCreateInfoKHR surface_info = {
        .sType = VK_STRUCTURE_TYPE_DISPLAY_SURFACE_CREATE_INFO_KHR,
        .displayMode = mode,
        .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .globalAlpha = 1.0f,
        .alphaMode = VK_DISPLAY_PLANE_ALPHA_OPAQUE_BIT_KHR,
        .imageExtent = {640, 480}};
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDisplayPlaneSurfaceKHR)(b->instance, &surface_info, NULL,
                                                        &surface));
    vkDestroySurfaceKHR(b->instance, surface, NULL);
}

/* Names, tags and private data on every type that a program can make. */

struct named {
    VkObjectType type;
    uint64_t handle;
};

#define EVERY_TYPE_LIMIT 32

static unsigned make_every_type(struct baseline *b, struct named *list)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkDescriptorPool descriptor_pool = make_descriptor_pool(b);
    VkRenderPass render_pass = make_render_pass(b);
    VkImageView view = make_image_view(b);
    const struct named all[] = {
        {VK_OBJECT_TYPE_DEVICE, HANDLE(b->device)},
        {VK_OBJECT_TYPE_QUEUE, HANDLE(b->queue)},
        {VK_OBJECT_TYPE_BUFFER, HANDLE(make_unbound_buffer(b))},
        {VK_OBJECT_TYPE_IMAGE, HANDLE(make_unbound_image(b))},
        {VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(make_memory(b, 256))},
        {VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE(view)},
        {VK_OBJECT_TYPE_BUFFER_VIEW, HANDLE(make_buffer_view(b))},
        {VK_OBJECT_TYPE_SAMPLER, HANDLE(make_sampler(b))},
        {VK_OBJECT_TYPE_RENDER_PASS, HANDLE(render_pass)},
        {VK_OBJECT_TYPE_FRAMEBUFFER, HANDLE(make_framebuffer(b, render_pass, view))},
        {VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, HANDLE(set_layout)},
        {VK_OBJECT_TYPE_DESCRIPTOR_POOL, HANDLE(descriptor_pool)},
        {VK_OBJECT_TYPE_DESCRIPTOR_SET,
         HANDLE(make_descriptor_set(b, descriptor_pool, set_layout))},
        {VK_OBJECT_TYPE_PIPELINE_LAYOUT, HANDLE(make_pipeline_layout(b, set_layout))},
        {VK_OBJECT_TYPE_PIPELINE, HANDLE(make_any_compute_pipeline(b))},
        {VK_OBJECT_TYPE_SHADER_MODULE, HANDLE(make_shader_module(b))},
        {VK_OBJECT_TYPE_PIPELINE_CACHE, HANDLE(make_pipeline_cache(b))},
        {VK_OBJECT_TYPE_COMMAND_POOL, HANDLE(make_command_pool(b))},
        {VK_OBJECT_TYPE_COMMAND_BUFFER,
         HANDLE(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY))},
        {VK_OBJECT_TYPE_SEMAPHORE, HANDLE(make_semaphore(b))},
        {VK_OBJECT_TYPE_FENCE, HANDLE(make_fence(b))},
        {VK_OBJECT_TYPE_EVENT, HANDLE(make_event(b))},
        {VK_OBJECT_TYPE_QUERY_POOL, HANDLE(make_query_pool(b))},
        {VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE,
         HANDLE(make_descriptor_update_template(b, set_layout))},
        {VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, HANDLE(make_private_data_slot(b))},
    };
    const unsigned count = sizeof(all) / sizeof(all[0]);
    ENSURE(count <= EVERY_TYPE_LIMIT);
    memcpy(list, all, sizeof(all));
    return count;
}

static const VkPhysicalDeviceVulkan13Features private_data_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .privateData = VK_TRUE};

SCENARIO(name_on_every_type, .features = &private_data_feature)
{
    struct named list[EVERY_TYPE_LIMIT];
    unsigned count = make_every_type(b, list);
    for (unsigned i = 0; i < count; i++) {
        VkDebugUtilsObjectNameInfoEXT info = name_info(list[i].type, list[i].handle, "a name");
        VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
    }
}

SCENARIO(name_on_every_type_reaches_the_driver, .features = &private_data_feature,
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    struct named list[EVERY_TYPE_LIMIT];
    unsigned count = make_every_type(b, list);
    for (unsigned i = 0; i < count; i++) {
        VkDebugUtilsObjectNameInfoEXT name = name_info(list[i].type, list[i].handle, "a name");
        VkDebugUtilsObjectTagInfoEXT tag = {.sType =
                                                VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                            .objectType = list[i].type,
                                            .objectHandle = list[i].handle,
                                            .tagSize = 3,
                                            .pTag = "tag"};
        VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
        VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &tag));
    }
}

SCENARIO(private_data_on_every_type, .features = &private_data_feature, .drivers = NULL_DRIVER,
         .null_driver = "{\"checkHandles\": true}")
{
    struct named list[EVERY_TYPE_LIMIT];
    unsigned count = make_every_type(b, list);
    VkPrivateDataSlot slot = make_private_data_slot(b), other = make_private_data_slot(b);
    for (unsigned i = 0; i < count; i++)
        VK(vkSetPrivateData(b->device, list[i].type, list[i].handle, slot, 1000 + i));
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = 0;
        vkGetPrivateData(b->device, list[i].type, list[i].handle, slot, &value);
        EXPECT_EQUAL(value, 1000 + i);
        vkGetPrivateData(b->device, list[i].type, list[i].handle, other, &value);
        EXPECT_EQUAL(value, 0);
    }
}

/* lavapipe keeps private data in its objects: its own are what must come down. */
SCENARIO(private_data_of_buffers, .features = &private_data_feature)
{
    VkPrivateDataSlot slot = make_private_data_slot(b);
    VkBuffer buffers[8];
    for (uint64_t i = 0; i < 8; i++) {
        buffers[i] = make_unbound_buffer(b);
        VK(vkSetPrivateData(b->device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffers[i]), slot, i * i));
    }
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t value = 77;
        vkGetPrivateData(b->device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffers[i]), slot, &value);
        EXPECT_EQUAL(value, i * i);
    }
}

static VkDebugReportObjectTypeEXT report_type(VkObjectType type)
{
    return type == VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE
               ? VK_DEBUG_REPORT_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_EXT
               : (VkDebugReportObjectTypeEXT)type; /* the same numbers, up to 25 */
}

SCENARIO(marker_name_on_every_type, .features = &private_data_feature, .drivers = NULL_DRIVER,
         .null_driver = "{\"checkHandles\": true}",
         .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME},
         .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME})
{
    struct named list[EVERY_TYPE_LIMIT];
    unsigned count = make_every_type(b, list);
    for (unsigned i = 0; i < count; i++) {
        if (list[i].type == VK_OBJECT_TYPE_PRIVATE_DATA_SLOT)
            continue; /* debug_report has no word for it */
        VkDebugMarkerObjectNameInfoEXT name = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
            .objectType = report_type(list[i].type),
            .object = list[i].handle,
            .pObjectName = "marked"};
        VkDebugMarkerObjectTagInfoEXT tag = {.sType =
                                                 VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
                                             .objectType = report_type(list[i].type),
                                             .object = list[i].handle,
                                             .tagSize = 3,
                                             .pTag = "tag"};
        VK(DEVICE_PROC(b, vkDebugMarkerSetObjectNameEXT)(b->device, &name));
        VK(DEVICE_PROC(b, vkDebugMarkerSetObjectTagEXT)(b->device, &tag));
    }
}

SCENARIO(marker_name_is_in_findings, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-recording"},
         .drivers = NULL_DRIVER, .ours_only = true, .text = {"\"marked\""},
         .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME},
         .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME})
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkDebugMarkerObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT,
        .object = HANDLE(command_buffer),
        .pObjectName = "marked"};
    VK(DEVICE_PROC(b, vkDebugMarkerSetObjectNameEXT)(b->device, &name));
    vkCmdSetLineWidth(command_buffer, 1.0f);
}

/* Descriptors of every type: written, pushed, by template. */

#define DESCRIPTOR_TYPES 11
static const VkDescriptorType descriptor_types[DESCRIPTOR_TYPES] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
};

/* One binding of two descriptors for each type; the members that a type does not read hold garbage,
 * as programs leave it there. */
struct descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorImageInfo images[DESCRIPTOR_TYPES][2];
    VkDescriptorBufferInfo buffers[DESCRIPTOR_TYPES][2];
    VkBufferView views[DESCRIPTOR_TYPES][2];
    VkWriteDescriptorSet writes[DESCRIPTOR_TYPES];
};

static bool is_image(VkDescriptorType type)
{
    return type <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}

static bool is_texel_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static VkBufferUsageFlags every_buffer_usage(void)
{
    return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
           VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
}

static VkImageView make_view_of(struct baseline *b, VkImageUsageFlags usage)
{
    VkImageViewCreateInfo info = image_view_info(make_image(b, usage));
    return create_image_view(b, &info);
}

static void fill_descriptors(struct baseline *b, struct descriptors *d,
                             VkDescriptorSetLayoutCreateFlags flags, unsigned count)
{
    VkDescriptorSetLayoutBinding bindings[DESCRIPTOR_TYPES];
    VkBuffer buffer = make_buffer(b, 4096, every_buffer_usage());
    VkBufferViewCreateInfo view_info = buffer_view_info(buffer);
    VkBufferView buffer_view = create_buffer_view(b, &view_info);
    VkImageView view = make_view_of(b, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                           VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    VkSampler sampler = make_sampler(b);
    for (unsigned i = 0; i < count; i++) {
        VkDescriptorType type = descriptor_types[i];
        bool reads_sampler =
            type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = type,
                                                     .descriptorCount = 2,
                                                     .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
        for (int k = 0; k < 2; k++) {
            d->images[i][k] = (VkDescriptorImageInfo){
                .sampler = reads_sampler ? sampler : GARBAGE(VkSampler),
                .imageView = type == VK_DESCRIPTOR_TYPE_SAMPLER ? GARBAGE(VkImageView) : view,
                .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
            };
            d->buffers[i][k] = (VkDescriptorBufferInfo){
                .buffer = buffer, .offset = (VkDeviceSize)k * 256, .range = 256};
            d->views[i][k] = buffer_view;
        }
        d->writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 2,
            .descriptorType = type,
            .pImageInfo =
                /* ignored, so it may be anything */
            is_image(type) ? d->images[i] : (const void *)(uintptr_t)8,
            .pTexelBufferView = is_texel_buffer(type) ? d->views[i] : (const void *)(uintptr_t)8,
            .pBufferInfo = !is_image(type) && !is_texel_buffer(type) ? d->buffers[i]
                                                                     : (const void *)(uintptr_t)8,
        };
    }
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = flags;
    info.bindingCount = count;
    info.pBindings = bindings;
    d->layout = create_descriptor_set_layout(b, &info);
    ENSURE(d->layout);
}

static VkDescriptorSet make_set_of_every_type(struct baseline *b, VkDescriptorSetLayout layout)
{
    VkDescriptorPoolSize sizes[DESCRIPTOR_TYPES];
    for (int i = 0; i < DESCRIPTOR_TYPES; i++)
        sizes[i] = (VkDescriptorPoolSize){descriptor_types[i], 8};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.poolSizeCount = DESCRIPTOR_TYPES;
    info.pPoolSizes = sizes;
    return make_descriptor_set(b, create_descriptor_pool(b, &info), layout);
}

SCENARIO(descriptors_of_every_type)
{
    struct descriptors d;
    fill_descriptors(b, &d, 0, DESCRIPTOR_TYPES);
    VkDescriptorSet set = make_set_of_every_type(b, d.layout);
    for (int i = 0; i < DESCRIPTOR_TYPES; i++)
        d.writes[i].dstSet = set;
    vkUpdateDescriptorSets(b->device, DESCRIPTOR_TYPES, d.writes, 0, NULL);
    VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                .srcSet = set,
                                .srcBinding = 3,
                                .dstSet = set,
                                .dstBinding = 3,
                                .dstArrayElement = 1,
                                .descriptorCount = 1};
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

SCENARIO(descriptors_of_every_type_reach_the_driver, .drivers = NULL_DRIVER,
         .null_driver = "{\"checkHandles\": true}")
{
    struct descriptors d;
    fill_descriptors(b, &d, 0, DESCRIPTOR_TYPES);
    VkDescriptorSet set = make_set_of_every_type(b, d.layout);
    for (int i = 0; i < DESCRIPTOR_TYPES; i++)
        d.writes[i].dstSet = set;
    vkUpdateDescriptorSets(b->device, DESCRIPTOR_TYPES, d.writes, 0, NULL);
}

#define TEMPLATE_STRIDE sizeof(VkDescriptorImageInfo)
_Static_assert(sizeof(VkDescriptorImageInfo) == sizeof(VkDescriptorBufferInfo),
               "one stride for all");

/* Data as programs lay it out: entries one after the other, two descriptors each. */
static void fill_template(const struct descriptors *d, VkDescriptorUpdateTemplateEntry *entries,
                          unsigned char *data, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        VkDescriptorType type = descriptor_types[i];
        entries[i] = (VkDescriptorUpdateTemplateEntry){.dstBinding = i,
                                                       .descriptorCount = 2,
                                                       .descriptorType = type,
                                                       .offset = (size_t)i * 2 * TEMPLATE_STRIDE,
                                                       .stride = TEMPLATE_STRIDE};
        for (size_t k = 0; k < 2; k++) {
            unsigned char *at = data + (i * 2 + k) * TEMPLATE_STRIDE;
            if (is_image(type))
                memcpy(at, &d->images[i][k], sizeof(d->images[i][k]));
            else if (is_texel_buffer(type))
                memcpy(at, &d->views[i][k], sizeof(d->views[i][k]));
            else
                memcpy(at, &d->buffers[i][k], sizeof(d->buffers[i][k]));
        }
    }
}

static void update_by_template(struct baseline *b)
{
    struct descriptors d;
    VkDescriptorUpdateTemplateEntry entries[DESCRIPTOR_TYPES];
    unsigned char data[DESCRIPTOR_TYPES * 2 * TEMPLATE_STRIDE] = {0};
    fill_descriptors(b, &d, 0, DESCRIPTOR_TYPES);
    fill_template(&d, entries, data, DESCRIPTOR_TYPES);
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = DESCRIPTOR_TYPES,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = d.layout,
    };
    VkDescriptorUpdateTemplate template = create_descriptor_update_template(b, &info);
    VkDescriptorSet set = make_set_of_every_type(b, d.layout);
    for (int i = 0; i < 3; i++)
        vkUpdateDescriptorSetWithTemplate(b->device, set, template, data);
}

SCENARIO(template_of_every_type)
{
    update_by_template(b);
}

SCENARIO(template_of_every_type_reaches_the_driver, .drivers = NULL_DRIVER,
         .null_driver = "{\"checkHandles\": true}")
{
    update_by_template(b);
}

/* Dynamic buffers cannot be pushed. */
#define PUSHED_TYPES 8

static VkPipelineLayout push_layout(struct baseline *b, struct descriptors *d)
{
    fill_descriptors(b, d, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, PUSHED_TYPES);
    return make_pipeline_layout(b, d->layout);
}

SCENARIO(push_descriptors_of_every_type, .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME})
{
    struct descriptors d;
    VkPipelineLayout layout = push_layout(b, &d);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              layout, 0, PUSHED_TYPES, d.writes);
}

/* The set is ignored: a program may leave the last one's there. */
SCENARIO(push_descriptors_with_a_stale_set, .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    struct descriptors d;
    VkPipelineLayout layout = push_layout(b, &d);
    for (int i = 0; i < PUSHED_TYPES; i++)
        d.writes[i].dstSet = GARBAGE(VkDescriptorSet);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              layout, 0, PUSHED_TYPES, d.writes);
}

SCENARIO(push_descriptor_of_destroyed_buffer, .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
         .expect = {"VUID-VkDescriptorBufferInfo-buffer-parameter"},
         .text = {"pDescriptorWrites[7].pBufferInfo[1].buffer"},
         .settings = {"unique_handles=true"})
{
    struct descriptors d;
    VkPipelineLayout layout = push_layout(b, &d);
    d.buffers[7][1].buffer = GARBAGE(VkBuffer);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              layout, 0, PUSHED_TYPES, d.writes);
}

SCENARIO(push_descriptors_by_template, .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
         .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    struct descriptors d;
    VkDescriptorUpdateTemplateEntry entries[PUSHED_TYPES];
    unsigned char data[PUSHED_TYPES * 2 * TEMPLATE_STRIDE] = {0};
    VkPipelineLayout layout = push_layout(b, &d);
    fill_template(&d, entries, data, PUSHED_TYPES);
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = PUSHED_TYPES,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .descriptorSetLayout = GARBAGE(VkDescriptorSetLayout), /* ignored */
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = layout,
    };
    VkDescriptorUpdateTemplate template = create_descriptor_update_template(b, &info);
    ENSURE(template);
    DEVICE_PROC(b, vkCmdPushDescriptorSetWithTemplateKHR)(make_recording(b), template, layout, 0,
                                                          data);
}
