/* Binds buffers and images, and asks of images memory requirements and layouts of subresources. */
#include "scenario.h"

#define UNPACK(...)    __VA_ARGS__
#define WITH(with_)    UNPACK with_
#define NULL_WITH(...) (.drivers = NULL_DRIVER, __VA_ARGS__)
#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

/* The null driver's memory types. */
enum { HOST_TYPE = 1, LAZY_TYPE = 4, PROTECTED_TYPE = 5 };

FEATURES(protected_features, VkPhysicalDeviceProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES,
         .protectedMemory = VK_TRUE);
FEATURES(address_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE);
FEATURES(replay_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE,
         .bufferDeviceAddressCaptureReplay = VK_TRUE);
FEATURES(descriptor_features, VkPhysicalDeviceDescriptorBufferFeaturesEXT,
         DESCRIPTOR_BUFFER_FEATURES_EXT, .pNext = (void *)(uintptr_t)&address_features,
         .descriptorBuffer = VK_TRUE, .descriptorBufferCaptureReplay = VK_TRUE);
FEATURES(aliasing_features, VkPhysicalDeviceDedicatedAllocationImageAliasingFeaturesNV,
         DEDICATED_ALLOCATION_IMAGE_ALIASING_FEATURES_NV,
         .dedicatedAllocationImageAliasing = VK_TRUE);

static void bind_buffer_at(struct baseline *b, VkBuffer buffer, VkDeviceMemory memory,
                           VkDeviceSize offset)
{
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    vkBindBufferMemory(b->device, buffer, memory, offset);
}
static void bind_buffer2(struct baseline *b, VkBuffer buffer, VkDeviceMemory memory,
                         VkDeviceSize offset)
{
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VkBindBufferMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                   .buffer = buffer,
                                   .memory = memory,
                                   .memoryOffset = offset};
    vkBindBufferMemory2(b->device, 1, &info);
}
/* Both commands have each rule: the mistake is made with the one and with the other. */
#define BAD_BIND(name_, what_, with_, ...)                                                        \
    SCENARIO(name_, .expect = {"VUID-vkBindBufferMemory-" what_}, WITH(with_))                    \
    {                                                                                             \
        void (*bind)(struct baseline *, VkBuffer, VkDeviceMemory, VkDeviceSize) = bind_buffer_at; \
        __VA_ARGS__;                                                                              \
    }                                                                                             \
    SCENARIO(name_##_2, .expect = {"VUID-VkBindBufferMemoryInfo-" what_}, WITH(with_))            \
    {                                                                                             \
        void (*bind)(struct baseline *, VkBuffer, VkDeviceMemory, VkDeviceSize) = bind_buffer2;   \
        __VA_ARGS__;                                                                              \
    }
static VkBuffer make_buffer_with(struct baseline *b, VkBufferCreateFlags flags,
                                 VkBufferUsageFlags usage)
{
    VkBufferCreateInfo info = buffer_info(256, usage);
    info.flags = flags;
    return create_buffer(b, &info);
}
static VkDeviceMemory make_memory_with(struct baseline *b, uint32_t type, const void *next)
{
    VkMemoryAllocateInfo info = memory_info(65536, type);
    info.pNext = next;
    return create_memory(b, &info);
}
static VkDeviceMemory make_dedicated(struct baseline *b, VkBuffer buffer, VkImage image)
{
    VkMemoryDedicatedAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                          .image = image,
                                          .buffer = buffer};
    return make_memory_with(b, 0, &info);
}
#define STORAGE VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
BAD_BIND(bind_twice, "buffer-07459", (), VkBuffer buffer = make_buffer(b, 256, STORAGE);
         bind(b, buffer, make_memory(b, 4096), 0))
SCENARIO(bind_behind_the_end, .expect = {"VUID-vkBindBufferMemory-memoryOffset-01031"},
         .drivers = NULL_DRIVER)
{
    bind_buffer_at(b, make_unbound_buffer(b), make_memory(b, 4096), 4096);
}
BAD_BIND(bind_misaligned, "None-10739", NULL_WITH(),
         bind(b, make_unbound_buffer(b), make_memory(b, 4096), 64))
BAD_BIND(bind_too_short, "None-10741", NULL_WITH(),
         bind(b, make_unbound_buffer(b), make_memory(b, 128), 0))
BAD_BIND(bind_type, "memory-01035", NULL_WITH(),
         bind(b, make_unbound_buffer(b), make_memory_with(b, LAZY_TYPE, NULL), 0))
BAD_BIND(bind_dedicated_to_other, "memory-01508", (),
         bind(b, make_unbound_buffer(b), make_dedicated(b, make_unbound_buffer(b), VK_NULL_HANDLE),
              0))
BAD_BIND(bind_dedicated_to_image, "memory-10925", (),
         bind(b, make_unbound_buffer(b), make_dedicated(b, VK_NULL_HANDLE, make_unbound_image(b)),
              0))
SCENARIO(bind_unprotected, .expect = {"VUID-vkBindBufferMemory-None-01898"}, .drivers = NULL_DRIVER,
         .features = &protected_features)
{
    bind_buffer_at(b, make_buffer_with(b, VK_BUFFER_CREATE_PROTECTED_BIT, STORAGE),
                   make_memory(b, 4096), 0);
}
SCENARIO(bind_protected, .expect = {"VUID-vkBindBufferMemory-None-01899"}, .drivers = NULL_DRIVER,
         .features = &protected_features)
{
    bind_buffer_at(b, make_unbound_buffer(b), make_memory_with(b, PROTECTED_TYPE, NULL), 0);
}
SCENARIO(bind_unprotected_2, .expect = {"VUID-VkBindBufferMemoryInfo-None-01898"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_buffer2(b, make_buffer_with(b, VK_BUFFER_CREATE_PROTECTED_BIT, STORAGE),
                 make_memory(b, 4096), 0);
}
SCENARIO(bind_protected_2, .expect = {"VUID-VkBindBufferMemoryInfo-None-01899"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_buffer2(b, make_unbound_buffer(b), make_memory_with(b, PROTECTED_TYPE, NULL), 0);
}
static const VkMemoryAllocateFlagsInfo address_memory = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
    .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
BAD_BIND(bind_no_replay, "bufferDeviceAddressCaptureReplay-09200",
         NULL_WITH(.features = &replay_features),
         bind(b,
              make_buffer_with(b, VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT),
              make_memory_with(b, 0, &address_memory), 0))
#define DESCRIPTORS \
    NULL_WITH(.extensions = {"VK_EXT_descriptor_buffer"}, .features = &descriptor_features)
#define CAPTURED VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT
SCENARIO(bind_captured_no_address,
         .expect = {"VUID-vkBindBufferMemory-descriptorBufferCaptureReplay-08112",
                    "VUID-vkBindBufferMemory-buffer-09201"},
         WITH(DESCRIPTORS))
{
    bind_buffer_at(b, make_buffer_with(b, CAPTURED, STORAGE), make_memory(b, 65536), 0);
}
static const VkExportMemoryAllocateInfo exported_fd = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
static const VkImportMemoryFdInfoKHR imported_fd = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
#define FD NULL_WITH(.extensions = {"VK_KHR_external_memory_fd"})
BAD_BIND(bind_exported, "memory-02726", FD,
         bind(b, make_unbound_buffer(b), make_memory_with(b, 0, &exported_fd), 0))
BAD_BIND(bind_imported, "memory-02985", FD,
         bind(b, make_unbound_buffer(b), make_memory_with(b, 0, &imported_fd), 0))
SCENARIO(bind_buffers_right, WITH(FD))
{
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkBufferCreateInfo info = buffer_info(256, STORAGE);
    info.pNext = &external;
    bind_buffer_at(b, create_buffer(b, &info), make_memory_with(b, 0, &exported_fd), 256);
    bind_buffer2(b, create_buffer(b, &info), make_memory_with(b, 0, &imported_fd), 0);
    VkBuffer buffer = make_unbound_buffer(b);
    bind_buffer_at(b, buffer, make_dedicated(b, buffer, VK_NULL_HANDLE), 0);
    bind_buffer_at(b, make_unbound_buffer(b), make_memory(b, 512), 256);
}

/* --- images --- */

static VkBindImageMemoryInfo image_bind_info(VkImage image, VkDeviceMemory memory,
                                             VkDeviceSize offset)
{
    return (VkBindImageMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                   .image = image,
                                   .memory = memory,
                                   .memoryOffset = offset};
}
static void bind_image_at(struct baseline *b, VkImage image, VkDeviceMemory memory,
                          VkDeviceSize offset)
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    vkBindImageMemory(b->device, image, memory, offset);
}
static void bind_image2(struct baseline *b, VkImage image, VkDeviceMemory memory,
                        VkDeviceSize offset)
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    VkBindImageMemoryInfo info = image_bind_info(image, memory, offset);
    vkBindImageMemory2(b->device, 1, &info);
}
#define BAD_IMAGE_BIND(name_, what_, with_, ...)                                                \
    SCENARIO(name_, .expect = {"VUID-vkBindImageMemory-" what_}, WITH(with_))                   \
    {                                                                                           \
        void (*bind)(struct baseline *, VkImage, VkDeviceMemory, VkDeviceSize) = bind_image_at; \
        __VA_ARGS__;                                                                            \
    }                                                                                           \
    SCENARIO(name_##_2, .expect = {"VUID-VkBindImageMemoryInfo-" what_}, WITH(with_))           \
    {                                                                                           \
        void (*bind)(struct baseline *, VkImage, VkDeviceMemory, VkDeviceSize) = bind_image2;   \
        __VA_ARGS__;                                                                            \
    }
static VkImage make_image_with(struct baseline *b, VkImageCreateFlags flags)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = flags;
    return create_image(b, &info);
}
BAD_IMAGE_BIND(bind_image_twice, "image-07460", (),
               bind(b, make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT), make_memory(b, 65536), 0))
BAD_IMAGE_BIND(bind_image_behind_the_end, "memoryOffset-01046", NULL_WITH(),
               bind(b, make_unbound_image(b), make_memory(b, 65536), 65536))
BAD_IMAGE_BIND(bind_image_dedicated_to_other, "memory-02628", (),
               bind(b, make_unbound_image(b),
                    make_dedicated(b, VK_NULL_HANDLE, make_unbound_image(b)), 0))
BAD_IMAGE_BIND(bind_image_dedicated_to_buffer, "memory-10926", (),
               bind(b, make_unbound_image(b),
                    make_dedicated(b, make_unbound_buffer(b), VK_NULL_HANDLE), 0))
SCENARIO(bind_image_dedicated_aliasing, .expect = {"VUID-vkBindImageMemory-memory-02629"},
         .drivers = NULL_DRIVER, .extensions = {"VK_NV_dedicated_allocation_image_aliasing"},
         .features = &aliasing_features)
{
    VkImage image = make_unbound_image(b);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image};
    VkMemoryAllocateInfo info = memory_info(131072, 0);
    info.pNext = &dedicated;
    bind_image_at(b, image, create_memory(b, &info), 256);
}
SCENARIO(bind_image_type, .expect = {"VUID-vkBindImageMemory-memory-01047"}, .drivers = NULL_DRIVER)
{
    bind_image_at(b, make_unbound_image(b), make_memory_with(b, LAZY_TYPE, NULL), 0);
}
SCENARIO(bind_image_misaligned, .expect = {"VUID-vkBindImageMemory-None-10735"},
         .drivers = NULL_DRIVER)
{
    bind_image_at(b, make_unbound_image(b), make_memory(b, 131072), 64);
}
SCENARIO(bind_image_too_short, .expect = {"VUID-vkBindImageMemory-None-10737"},
         .drivers = NULL_DRIVER)
{
    bind_image_at(b, make_unbound_image(b), make_memory(b, 4096), 0);
}
SCENARIO(bind_image_type_2, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01615"},
         .drivers = NULL_DRIVER)
{
    bind_image2(b, make_unbound_image(b), make_memory_with(b, LAZY_TYPE, NULL), 0);
}
SCENARIO(bind_image_misaligned_2, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01616"},
         .drivers = NULL_DRIVER)
{
    bind_image2(b, make_unbound_image(b), make_memory(b, 131072), 64);
}
SCENARIO(bind_image_too_short_2, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01617"},
         .drivers = NULL_DRIVER)
{
    bind_image2(b, make_unbound_image(b), make_memory(b, 4096), 0);
}
SCENARIO(bind_image_unprotected, .expect = {"VUID-vkBindImageMemory-None-01901"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_image_at(b, make_image_with(b, VK_IMAGE_CREATE_PROTECTED_BIT), make_memory(b, 65536), 0);
}
SCENARIO(bind_image_protected, .expect = {"VUID-vkBindImageMemory-None-01902"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_image_at(b, make_unbound_image(b), make_memory_with(b, PROTECTED_TYPE, NULL), 0);
}
SCENARIO(bind_image_unprotected_2, .expect = {"VUID-VkBindImageMemoryInfo-None-01901"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_image2(b, make_image_with(b, VK_IMAGE_CREATE_PROTECTED_BIT), make_memory(b, 65536), 0);
}
SCENARIO(bind_image_protected_2, .expect = {"VUID-VkBindImageMemoryInfo-None-01902"},
         .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_image2(b, make_unbound_image(b), make_memory_with(b, PROTECTED_TYPE, NULL), 0);
}
SCENARIO(bind_both_protected, .drivers = NULL_DRIVER, .features = &protected_features)
{
    bind_buffer_at(b, make_buffer_with(b, VK_BUFFER_CREATE_PROTECTED_BIT, STORAGE),
                   make_memory_with(b, PROTECTED_TYPE, NULL), 0);
    bind_image2(b, make_image_with(b, VK_IMAGE_CREATE_PROTECTED_BIT),
                make_memory_with(b, PROTECTED_TYPE, NULL), 0);
}
BAD_IMAGE_BIND(bind_image_exported, "memory-02728", FD,
               bind(b, make_unbound_image(b), make_memory_with(b, 0, &exported_fd), 0))
BAD_IMAGE_BIND(bind_image_imported, "memory-02989", FD,
               bind(b, make_unbound_image(b), make_memory_with(b, 0, &imported_fd), 0))
SCENARIO(bind_image_captured_no_address,
         .expect = {"VUID-vkBindImageMemory-image-08113", "VUID-vkBindImageMemory-image-09202"},
         WITH(DESCRIPTORS))
{
    bind_image_at(b, make_image_with(b, VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT),
                  make_memory(b, 65536), 0);
}
SCENARIO(bind_image_no_memory, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01632"})
{
    bind_image2(b, make_unbound_image(b), VK_NULL_HANDLE, 0);
}
SCENARIO(bind_images_right)
{
    VkImage image = make_unbound_image(b);
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    bind_image2(b, image, make_memory(b, requirements.size), 0);
    image = make_unbound_image(b);
    bind_image_at(b, image, make_memory(b, requirements.size + requirements.alignment),
                  requirements.alignment);
}

/* --- planes --- */

static VkImage make_disjoint(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
    return create_image(b, &info);
}
static VkBindImagePlaneMemoryInfo plane_info(VkImageAspectFlagBits aspect)
{
    return (VkBindImagePlaneMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO,
                                        .planeAspect = aspect};
}
static void bind_planes(struct baseline *b, VkImage image, VkImageAspectFlagBits first,
                        VkImageAspectFlagBits second, VkDeviceMemory memory, VkDeviceSize offset)
{
    VkBindImagePlaneMemoryInfo planes[] = {plane_info(first), plane_info(second)};
    VkBindImageMemoryInfo infos[] = {image_bind_info(image, memory, offset),
                                     image_bind_info(image, make_memory(b, 65536), 0)};
    infos[0].pNext = &planes[0];
    infos[1].pNext = &planes[1];
    vkBindImageMemory2(b->device, 2, infos);
}
#define PLANE_0 VK_IMAGE_ASPECT_PLANE_0_BIT
#define PLANE_1 VK_IMAGE_ASPECT_PLANE_1_BIT
SCENARIO(bind_disjoint_whole, .expect = {"VUID-vkBindImageMemory-image-01608"},
         .drivers = NULL_DRIVER)
{
    vkBindImageMemory(b->device, make_disjoint(b), make_memory(b, 65536), 0);
}
SCENARIO(bind_one_plane, .expect = {"VUID-vkBindImageMemory2-pBindInfos-02858"},
         .drivers = NULL_DRIVER)
{
    VkBindImagePlaneMemoryInfo plane = plane_info(PLANE_0);
    VkBindImageMemoryInfo info = image_bind_info(make_disjoint(b), make_memory(b, 65536), 0);
    info.pNext = &plane;
    vkBindImageMemory2(b->device, 1, &info);
}
SCENARIO(bind_plane_twice, .expect = {"VUID-vkBindImageMemory2-pBindInfos-04006"},
         .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_0, make_memory(b, 65536), 0);
}
SCENARIO(bind_plane_unknown, .expect = {"VUID-VkBindImagePlaneMemoryInfo-planeAspect-02283"},
         .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, VK_IMAGE_ASPECT_PLANE_2_BIT, make_memory(b, 65536),
                0);
}
/* "Both must have been created with the VK_IMAGE_CREATE_DISJOINT_BIT flag": a plane, and an image
 * of one plane that is to alias it. */
static void bind_alias(struct baseline *b, VkImageAspectFlagBits aspect)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkDeviceMemory memory = make_memory(b, 65536);
    VkBindImagePlaneMemoryInfo plane = plane_info(aspect);
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_1, memory, 0);
    info.format = VK_FORMAT_R8_UNORM;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
    VkBindImageMemoryInfo bind = image_bind_info(create_image(b, &info), memory, 0);
    bind.pNext = &plane;
    vkBindImageMemory2(b->device, 1, &bind);
}
SCENARIO(bind_alias_of_plane, .drivers = NULL_DRIVER)
{
    bind_alias(b, PLANE_0);
}
SCENARIO(bind_alias_of_plane_as_second,
         .expect = {"VUID-VkBindImagePlaneMemoryInfo-planeAspect-02283"}, .drivers = NULL_DRIVER)
{
    bind_alias(b, PLANE_1);
}
SCENARIO(bind_plane_type, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01619"},
         .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_1, make_memory_with(b, LAZY_TYPE, NULL), 0);
}
SCENARIO(bind_plane_misaligned, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01620"},
         .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_1, make_memory(b, 65536), 64);
}
SCENARIO(bind_plane_too_short, .expect = {"VUID-VkBindImageMemoryInfo-pNext-01621"},
         .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_1, make_memory(b, 256), 0);
}
SCENARIO(bind_planes_right, .drivers = NULL_DRIVER)
{
    bind_planes(b, make_disjoint(b), PLANE_0, PLANE_1, make_memory(b, 65536), 0);
}

/* --- images for a swapchain --- */

#define SWAPCHAINS                                                                  \
    NULL_WITH(.instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"}, \
              .extensions = {"VK_KHR_"                                              \
                             "swapchain"})
static VkImage make_image_for(struct baseline *b, VkSwapchainKHR swapchain,
                              const VkSwapchainCreateInfoKHR *info)
{
    VkImageSwapchainCreateInfoKHR chained = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, .swapchain = swapchain};
    VkImageCreateInfo image = image_info(info->imageUsage);
    image.format = info->imageFormat;
    image.extent = (VkExtent3D){info->imageExtent.width, info->imageExtent.height, 1};
    image.pNext = &chained;
    return create_image(b, &image);
}
SCENARIO(bind_without_swapchain, .expect = {"VUID-VkBindImageMemoryInfo-image-01630"},
         WITH(SWAPCHAINS))
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkBindImageMemoryInfo bind =
        image_bind_info(make_image_for(b, create_swapchain(b, &info), &info), make_memory(b, 65536),
                        0);
    vkBindImageMemory2(b->device, 1, &bind);
}
SCENARIO(bind_swapchain, WITH(SWAPCHAINS))
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    VkBindImageMemorySwapchainInfoKHR chained = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR, .swapchain = swapchain};
    VkBindImageMemoryInfo bind =
        image_bind_info(make_image_for(b, swapchain, &info), VK_NULL_HANDLE, 0);
    bind.pNext = &chained;
    VK(vkBindImageMemory2(b->device, 1, &bind));
    VkImageViewCreateInfo view = image_view_info(bind.image);
    view.format = info.imageFormat;
    EXPECT(create_image_view(b, &view) != VK_NULL_HANDLE);
}

/* As many images as there are, and the one after them. */
static void bind_swapchain_image(struct baseline *b, uint32_t after)
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    uint32_t count = 0;
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, NULL));
    VkBindImageMemorySwapchainInfoKHR chained = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = swapchain,
        .imageIndex = count - 1 + after};
    VkBindImageMemoryInfo bind =
        image_bind_info(make_image_for(b, swapchain, &info), VK_NULL_HANDLE, 0);
    bind.pNext = &chained;
    vkBindImageMemory2(b->device, 1, &bind);
}
SCENARIO(bind_last_swapchain_image, WITH(SWAPCHAINS))
{
    bind_swapchain_image(b, 0);
}
SCENARIO(bind_swapchain_image_beyond, WITH(SWAPCHAINS),
         .expect = {"VUID-VkBindImageMemorySwapchainInfoKHR-imageIndex-01644"})
{
    bind_swapchain_image(b, 1);
}
SCENARIO(image_unlike_the_swapchain, WITH(SWAPCHAINS),
         .expect = {"VUID-VkImageSwapchainCreateInfoKHR-swapchain-00995"},
         .text = {"pCreateInfo->extent is not that of the images of the swapchain"})
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    info.imageExtent.width++;
    make_image_for(b, swapchain, &info);
}

/* --- memory requirements --- */

static void ask_requirements(struct baseline *b, VkImage image, VkImageAspectFlagBits plane)
{
    VkImagePlaneMemoryRequirementsInfo chained = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, .planeAspect = plane};
    VkImageMemoryRequirementsInfo2 info = {.sType =
                                               VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                           .pNext = plane ? &chained : NULL,
                                           .image = image};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetImageMemoryRequirements2(b->device, &info, &requirements);
}
SCENARIO(requirements_of_no_plane, .expect = {"VUID-VkImageMemoryRequirementsInfo2-image-01589"},
         .drivers = NULL_DRIVER)
{
    ask_requirements(b, make_disjoint(b), 0);
}
SCENARIO(requirements_of_plane_of_whole,
         .expect = {"VUID-VkImageMemoryRequirementsInfo2-image-02280"}, .drivers = NULL_DRIVER)
{
    ask_requirements(b, make_unbound_image(b), PLANE_0);
}
SCENARIO(requirements_of_plane_of_joint,
         .expect = {"VUID-VkImageMemoryRequirementsInfo2-image-01590"}, .drivers = NULL_DRIVER)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    ask_requirements(b, create_image(b, &info), PLANE_0);
}
SCENARIO(requirements_of_unknown_plane,
         .expect = {"VUID-VkImagePlaneMemoryRequirementsInfo-planeAspect-02281"},
         .drivers = NULL_DRIVER)
{
    ask_requirements(b, make_disjoint(b), VK_IMAGE_ASPECT_PLANE_2_BIT);
}
SCENARIO(requirements_asked, .drivers = NULL_DRIVER)
{
    ask_requirements(b, make_disjoint(b), PLANE_1);
    ask_requirements(b, make_unbound_image(b), 0);
}
static void ask_device(struct baseline *b, VkImageCreateFlags flags, VkImageTiling tiling,
                       VkImageAspectFlagBits plane)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = flags;
    info.tiling = tiling;
    VkDeviceImageMemoryRequirements ask = {.sType =
                                               VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
                                           .pCreateInfo = &info,
                                           .planeAspect = plane};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetDeviceImageMemoryRequirements(b->device, &ask, &requirements);
}
#define DISJOINT VK_IMAGE_CREATE_DISJOINT_BIT
#define OPTIMAL  VK_IMAGE_TILING_OPTIMAL
SCENARIO(device_requirements_no_plane,
         .expect = {"VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06417"},
         .drivers = NULL_DRIVER)
{
    ask_device(b, DISJOINT, OPTIMAL, 0);
}
SCENARIO(device_requirements_unknown_plane,
         .expect = {"VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06419"},
         .drivers = NULL_DRIVER)
{
    ask_device(b, DISJOINT, OPTIMAL, VK_IMAGE_ASPECT_PLANE_2_BIT);
}
SCENARIO(device_requirements_drm,
         .expect = {"VUID-VkDeviceImageMemoryRequirements-pCreateInfo-12489"},
         .drivers = NULL_DRIVER, .extensions = {"VK_EXT_image_drm_format_modifier"})
{
    ask_device(b, 0, VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, 0);
}
SCENARIO(device_requirements_two_planes,
         .expect = {"VUID-VkDeviceImageMemoryRequirements-planeAspect-12399"},
         .drivers = NULL_DRIVER)
{
    ask_device(b, 0, OPTIMAL, PLANE_1 | VK_IMAGE_ASPECT_PLANE_0_BIT);
}
SCENARIO(device_requirements, .drivers = NULL_DRIVER)
{
    ask_device(b, DISJOINT, OPTIMAL, PLANE_1);
    ask_device(b, 0, OPTIMAL, PLANE_1); /* one aspect, which is ignored */
    ask_device(b, 0, OPTIMAL, 0);
}

/* --- layouts of subresources --- */

static VkImage make_linear(struct baseline *b, VkFormat format)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.format = format;
    return create_image(b, &info);
}
static void ask_layout(struct baseline *b, VkImage image, VkImageAspectFlags aspect, uint32_t level,
                       uint32_t layer)
{
    VkImageSubresource subresource = {aspect, level, layer};
    VkSubresourceLayout layout;
    vkGetImageSubresourceLayout(b->device, image, &subresource, &layout);
}
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define BAD_LAYOUT(name_, what_, with_, ...)                                            \
    SCENARIO(name_, .expect = {"VUID-vkGetImageSubresourceLayout-" what_}, WITH(with_)) \
    {                                                                                   \
        ask_layout(b, __VA_ARGS__);                                                     \
    }
BAD_LAYOUT(layout_of_optimal, "image-07790", (), make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT), COLOR,
           0, 0)
BAD_LAYOUT(layout_of_two_aspects, "aspectMask-00997", (), make_linear(b, COLOR_FORMAT),
           COLOR | DEPTH, 0, 0)
BAD_LAYOUT(layout_level_behind, "mipLevel-01716", (), make_linear(b, COLOR_FORMAT), COLOR, 1, 0)
BAD_LAYOUT(layout_layer_behind, "arrayLayer-01717", (), make_linear(b, COLOR_FORMAT), COLOR, 0, 1)
BAD_LAYOUT(layout_of_no_plane, "tiling-08717", NULL_WITH(),
           make_linear(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM), COLOR, 0, 0)
SCENARIO(layout_of_depth_of_color, .expect = {"VUID-vkGetImageSubresourceLayout-format-08886"})
{
    ask_layout(b, make_linear(b, COLOR_FORMAT), DEPTH, 0, 0);
}
SCENARIO(layout_of_depth_of_planes, .expect = {"VUID-vkGetImageSubresourceLayout-format-04464"},
         .drivers = NULL_DRIVER)
{
    ask_layout(b, make_linear(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM), DEPTH, 0, 0);
}
SCENARIO(layout_of_linear)
{
    ask_layout(b, make_linear(b, COLOR_FORMAT), COLOR, 0, 0);
}
SCENARIO(layout_of_plane, .drivers = NULL_DRIVER)
{
    ask_layout(b, make_linear(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM), PLANE_1, 0, 0);
}
static void ask_layout_of(struct baseline *b, VkFormat format, VkImageAspectFlags aspect)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = format;
    VkImageSubresource2 subresource = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
                                       .imageSubresource = {.aspectMask = aspect}};
    VkDeviceImageSubresourceInfo ask = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO,
                                        .pCreateInfo = &info,
                                        .pSubresource = &subresource};
    VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2};
    DEVICE_PROC(b, vkGetDeviceImageSubresourceLayoutKHR)(b->device, &ask, &layout);
}
FEATURES(maintenance5_features, VkPhysicalDeviceMaintenance5Features, MAINTENANCE_5_FEATURES,
         .maintenance5 = VK_TRUE);
#define MAINTENANCE5 \
    NULL_WITH(.extensions = {"VK_KHR_maintenance5"}, .features = &maintenance5_features)
SCENARIO(layout_of_color_of_depth, .expect = {"VUID-VkDeviceImageSubresourceInfo-format-04462"},
         WITH(MAINTENANCE5))
{
    ask_layout_of(b, VK_FORMAT_D32_SFLOAT, COLOR);
}
SCENARIO(layout_of_depth_of_stencil, .expect = {"VUID-VkDeviceImageSubresourceInfo-format-04463"},
         WITH(MAINTENANCE5))
{
    ask_layout_of(b, VK_FORMAT_S8_UINT, DEPTH);
}
SCENARIO(layouts_to_be, WITH(MAINTENANCE5))
{
    ask_layout_of(b, VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH);
    ask_layout_of(b, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT);
    ask_layout_of(b, COLOR_FORMAT, COLOR);
}
static void ask_layout2(struct baseline *b, VkImage image, VkImageAspectFlags aspect)
{
    VkImageSubresource2 subresource = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
                                       .imageSubresource = {.aspectMask = aspect}};
    VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2};
    DEVICE_PROC(b, vkGetImageSubresourceLayout2KHR)(b->device, image, &subresource, &layout);
}
static const uint64_t linear_modifier;
static const VkImageDrmFormatModifierListCreateInfoEXT modifiers = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
    .drmFormatModifierCount = 1,
    .pDrmFormatModifiers = &linear_modifier};
static VkImage make_drm(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    info.pNext = &modifiers;
    return create_image(b, &info);
}
#define DRM                                                                              \
    NULL_WITH(.extensions = {"VK_EXT_image_drm_format_modifier", "VK_KHR_maintenance5"}, \
              .features = &maintenance5_features)
BAD_LAYOUT(layout_of_drm_color, "tiling-09433", DRM, make_drm(b), COLOR, 0, 0)
SCENARIO(layout2_of_drm_color, .expect = {"VUID-vkGetImageSubresourceLayout2-tiling-09435"},
         WITH(DRM))
{
    ask_layout2(b, make_drm(b), COLOR);
}
SCENARIO(layout_of_drm, WITH(DRM))
{
    ask_layout2(b, make_drm(b), VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
    ask_layout(b, make_drm(b), VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, 0, 0);
}
static void ask_modifier(struct baseline *b, VkImage image)
{
    VkImageDrmFormatModifierPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT};
    DEVICE_PROC(b, vkGetImageDrmFormatModifierPropertiesEXT)(b->device, image, &properties);
}
SCENARIO(modifier_of_drm, WITH(DRM))
{
    ask_modifier(b, make_drm(b));
}
