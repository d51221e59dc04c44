/* Tests warnings about what is superseded (setting legacy_detection). The harness asks for queue
 * families in the old way, which is reported as well from version 1.1 on. */
#include "practices.h"

#include "raytracing/acceleration_structure_builder.h"

#define QUERIES "WARNING-legacy-gpdp2"
/* The mode decides whether what is newer has to be there. */
#define LEGACY_IN(mode_) \
    .settings = {"legacy_detection=true", "legacy_detection_mode=" #mode_}, .proceed = true
#define LEGACY        LEGACY_IN(ONLY_ENABLED)
#define LEGACY_OF_1_0 LEGACY, .api_version = VK_API_VERSION_1_0
#define LEGACY_OF(version_, ...) \
    LEGACY, .api_version = VK_API_VERSION_##version_, .expect = {QUERIES, ##__VA_ARGS__}

/* --- extensions --- */

SCENARIO(extension_of_the_version, LEGACY_OF(1_2, "WARNING-legacy-extension-version"),
         .extensions = {"VK_KHR_maintenance1"},
         .text = {"ppEnabledExtensionNames has VK_KHR_maintenance1 (in Vulkan 1.1)"})
{
}

/* One piece of advice for all of them. */
SCENARIO(extensions_of_versions, LEGACY_OF(1_2, "WARNING-legacy-extension-version"),
         .extensions = {"VK_KHR_maintenance1", "VK_KHR_swapchain", "VK_KHR_imageless_framebuffer",
                        "VK_KHR_maintenance2", "VK_KHR_image_format_list"},
         .instance_extensions = {"VK_KHR_surface"},
         .text = {
             "has VK_KHR_maintenance1 (in Vulkan 1.1), VK_KHR_imageless_framebuffer (in Vulkan "
             "1.2), VK_KHR_maintenance2 (in Vulkan 1.1), VK_KHR_image_format_list (in Vulkan "
             "1.2)"})
{
}

SCENARIO(extension_before_the_version, LEGACY_OF_1_0, .extensions = {"VK_KHR_maintenance1"})
{
}

SCENARIO(extension_replaced, LEGACY_OF_1_0, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_dedicated_allocation", "VK_KHR_dedicated_allocation",
                        "VK_KHR_get_memory_requirements2"},
         .expect = {"WARNING-legacy-extension-new"},
         .text = {"has VK_NV_dedicated_allocation (replaced by VK_KHR_dedicated_allocation)"})
{
}

SCENARIO(extension_without_replacement, LEGACY_OF_1_0, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_glsl_shader"}, .expect = {"WARNING-legacy-extension-no-replacement"},
         .text = {"has VK_NV_glsl_shader (deprecated)"})
{
}

SCENARIO(extension_not_replaced, LEGACY_OF_1_0, .extensions = {"VK_KHR_swapchain"},
         .instance_extensions = {"VK_KHR_surface"})
{
}

SCENARIO(layers_of_a_device,
         .settings = {"legacy_detection=true", "legacy_detection_mode=ONLY_ENABLED",
                      "stateless_param=false"},
         .proceed = true, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_0,
         .start = START_INSTANCE, .expect = {"WARNING-legacy-devicelayers"},
         .text = {"enabledLayerCount is 1"})
{
    static const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledLayerCount = 1,
                               .ppEnabledLayerNames = &b->layer};
    VkDevice device;
    VK(vkCreateDevice(first_physical_device(b->instance), &info, NULL, &device));
    vkDestroyDevice(device, NULL);
}

/* --- commands --- */

SCENARIO(render_pass_of_1_0, LEGACY_OF_1_0)
{
    make_render_pass(b);
}

SCENARIO(render_pass_of_1_2, LEGACY_OF(1_2, "WARNING-legacy-renderpass2"),
         .text = {"vkCreateRenderPass(): is superseded by vkCreateRenderPass2, which Vulkan 1.2 "
                  "brings"})
{
    make_render_pass(b);
}

SCENARIO(render_pass_2_of_1_2, LEGACY_OF(1_2))
{
    VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .attachment = VK_ATTACHMENT_UNUSED};
    VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                     .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color};
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass};
    VkRenderPass pass;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &pass));
    vkDestroyRenderPass(b->device, pass, NULL);
}

#define SURFACE                                                          \
    .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface", \
                            "VK_KHR_get_surface_capabilities2"}

SCENARIO(surface_query, LEGACY_OF_1_0, SURFACE, .expect = {"WARNING-legacy-gpdsc2"},
         .allow = {QUERIES})
{
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, make_surface(b),
                                                 &capabilities));
}

SCENARIO(surface_query_without_a_newer_one, LEGACY_OF_1_0,
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"})
{
    VkSurfaceCapabilitiesKHR capabilities;
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, make_surface(b),
                                                 &capabilities));
}

FEATURES(commands, VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR,
         DEVICE_ADDRESS_COMMANDS_FEATURES_KHR, .deviceAddressCommands = VK_TRUE);

static void fill_legacy(struct baseline *b)
{
    vkCmdFillBuffer(make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 64,
                    0);
}

SCENARIO(fill_by_buffer, LEGACY_OF(1_3, "WARNING-legacy-buffer-commands"), .drivers = NULL_DRIVER,
         .features = &commands, .extensions = {"VK_KHR_device_address_commands"},
         .text = {"vkCmdFillBuffer(): is superseded by vkCmdFillMemoryKHR, which "
                  "VK_KHR_device_address_commands brings"})
{
    fill_legacy(b);
}

SCENARIO(fill_by_buffer_alone, LEGACY_OF(1_3))
{
    fill_legacy(b);
}

SCENARIO(sampler_beside_heaps, LEGACY_OF(1_4, "WARNING-legacy-resource-objects"),
         .drivers = NULL_DRIVER, .extensions = {"VK_EXT_descriptor_heap"})
{
    make_sampler(b);
}

SCENARIO(sampler_without_heaps, LEGACY_OF(1_4))
{
    make_sampler(b);
}

SCENARIO(layout_beside_heaps, LEGACY_OF(1_4, "WARNING-legacy-descriptor-sets"),
         .drivers = NULL_DRIVER, .extensions = {"VK_EXT_descriptor_heap"})
{
    make_descriptor_set_layout(b);
}

SCENARIO(layout_without_heaps, LEGACY_OF(1_4))
{
    make_descriptor_set_layout(b);
}

SCENARIO(framebuffer_of_1_4, LEGACY_OF(1_4, "WARNING-legacy-dynamicrendering"),
         .allow = {"WARNING-legacy-renderpass2"})
{
    make_any_framebuffer(b);
}

SCENARIO(framebuffer_of_1_2, LEGACY_OF(1_2), .allow = {"WARNING-legacy-renderpass2"})
{
    make_any_framebuffer(b);
}

/* --- submissions and barriers --- */

static void barrier_of_1_0(struct baseline *b)
{
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(barrier_of_1_3, LEGACY_OF(1_3, "WARNING-deprecation-sync2"),
         .text = {"vkCmdPipelineBarrier(): is superseded by vkCmdPipelineBarrier2, which Vulkan "
                  "1.3 brings"})
{
    barrier_of_1_0(b);
}

SCENARIO(barrier_of_1_2, LEGACY_OF(1_2))
{
    barrier_of_1_0(b);
}

/* --- builds on the host --- */

FEATURES(addresses, VkPhysicalDeviceBufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES,
         .bufferDeviceAddress = VK_TRUE);
FEATURES(builds, VkPhysicalDeviceAccelerationStructureFeaturesKHR,
         ACCELERATION_STRUCTURE_FEATURES_KHR, .pNext = (void *)(uintptr_t)&addresses,
         .accelerationStructure = VK_TRUE, .accelerationStructureHostCommands = VK_TRUE);
#define BUILDS                                   \
    .drivers = NULL_DRIVER, .features = &builds, \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}

SCENARIO(build_on_the_host, LEGACY_OF(1_2, "WARNING-legacy-host-builds"), BUILDS,
         .text = {
             "vkBuildAccelerationStructuresKHR(): is superseded by "
             "vkCmdBuildAccelerationStructuresKHR, which VK_KHR_acceleration_structure brings"})
{
    static _Alignas(256) unsigned char scratch[65536];
    static _Alignas(16) float input[64];
    struct structure_build build;
    fill_triangles(b, &build);
    build.info.scratchData.hostAddress = scratch;
    build.geometries[0].geometry.triangles.vertexData.hostAddress = input;
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.range));
}

SCENARIO(build_on_the_device, LEGACY_OF(1_2), BUILDS)
{
    struct structure_build build;
    fill_triangles(b, &build);
    record_build(b, make_recording(b), &build);
}

/* --- the mode --- */

#define MODE(mode_) LEGACY_IN(mode_), .api_version = VK_API_VERSION_1_0
#define WITHOUT_RENDER_PASS_2                                  \
    .drivers = NULL_DRIVER, .null_driver =                     \
                                "{\"apiVersion\": \"1.1.0\", " \
                                "\"extensions\": {\"VK_KHR_create_renderpass2\": false}}"
#define PASS "WARNING-legacy-renderpass2"

SCENARIO(render_pass_in_any_case, MODE(ALWAYS), WITHOUT_RENDER_PASS_2, .expect = {QUERIES, PASS},
         .text = {"vkCreateRenderPass(): is superseded by vkCreateRenderPass2, which Vulkan 1.2 "
                  "brings (it is not enabled)"})
{
    make_render_pass(b);
}

SCENARIO(render_pass_by_default, .settings = {"legacy_detection=true"}, .proceed = true,
         .ours_only = true, .api_version = VK_API_VERSION_1_0, WITHOUT_RENDER_PASS_2,
         .expect = {QUERIES, PASS})
{
    make_render_pass(b);
}

SCENARIO(render_pass_supported, MODE(ONLY_SUPPORTED), .expect = {QUERIES, PASS})
{
    make_render_pass(b);
}

SCENARIO(render_pass_not_supported, MODE(ONLY_SUPPORTED), WITHOUT_RENDER_PASS_2,
         .expect = {QUERIES})
{
    make_render_pass(b);
}

#define PLAIN_DEDICATED                                                   \
    .drivers = NULL_DRIVER, .extensions = {"VK_NV_dedicated_allocation"}, \
    .null_driver = "{\"apiVersion\": \"1.0.0\", \"extensions\": "         \
                   "{\"VK_KHR_dedicated_allocation\": false}}"

SCENARIO(extension_replaced_in_any_case, MODE(ALWAYS), PLAIN_DEDICATED,
         .expect = {QUERIES, "WARNING-legacy-extension-new"})
{
}

SCENARIO(extension_replaced_and_supported, MODE(ONLY_SUPPORTED), .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_dedicated_allocation"},
         .expect = {QUERIES, "WARNING-legacy-extension-new"})
{
}

SCENARIO(extension_replaced_and_not_supported, MODE(ONLY_SUPPORTED), PLAIN_DEDICATED,
         .expect = {QUERIES})
{
}

SCENARIO(extension_replaced_and_not_enabled, MODE(ONLY_ENABLED), .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_dedicated_allocation"})
{
}

SCENARIO(extension_of_a_later_version, MODE(ALWAYS), .extensions = {"VK_KHR_maintenance1"},
         .expect = {QUERIES, "WARNING-legacy-extension-version"})
{
}
