/* Valid uses of memory at the edges of the chapter: sizes and offsets of ranges, dedicated memory,
 * aliases, what is mapped and flushed, planes. Nothing is found in any of them. */
#include "scenario.h"

#include <string.h>

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(addresses, VkPhysicalDeviceBufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES, NULL,
      .bufferDeviceAddress = VK_TRUE);
CHAIN(ycbcr, VkPhysicalDeviceSamplerYcbcrConversionFeatures, SAMPLER_YCBCR_CONVERSION_FEATURES,
      NULL, .samplerYcbcrConversion = VK_TRUE);

#define USAGE (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/* --- mapping --- */

SCENARIO(map_the_last_byte)
{
    void *data;
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(vkMapMemory(b->device, memory, 4095, 1, 0, &data));
    vkUnmapMemory(b->device, memory);
    VK(vkMapMemory(b->device, memory, 4095, VK_WHOLE_SIZE, 0, &data));
    vkUnmapMemory(b->device, memory);
}

SCENARIO(unmapped_by_free)
{
    void *data;
    VkMemoryAllocateInfo info = memory_info(4096, 0);
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    while (!(properties.memoryTypes[info.memoryTypeIndex].propertyFlags &
             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
        info.memoryTypeIndex++;
    VkDeviceMemory memory;
    VK(vkAllocateMemory(b->device, &info, NULL, &memory));
    VK(vkMapMemory(b->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
    vkFreeMemory(b->device, memory, NULL);
    vkFreeMemory(b->device, VK_NULL_HANDLE, NULL);
}

static void flush_range(struct baseline *b, VkDeviceMemory memory, VkDeviceSize offset,
                        VkDeviceSize size)
{
    const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                       .memory = memory,
                                       .offset = offset,
                                       .size = size};
    VK(vkFlushMappedMemoryRanges(b->device, 1, &range));
    VK(vkInvalidateMappedMemoryRanges(b->device, 1, &range));
}

/* A size that is not a multiple of the atom is right where it ends with the memory. */
#define ATOMS(name_, ...)                                                   \
    SCENARIO(name_, .drivers = NULL_DRIVER,                                 \
             .null_driver = "{\"limits\": {\"nonCoherentAtomSize\": 256}}") \
    {                                                                       \
        void *data;                                                         \
        VkDeviceMemory memory = make_memory(b, 1000);                       \
        __VA_ARGS__;                                                        \
        (void)data;                                                         \
    }
ATOMS(flush_to_the_end_of_memory, VK(vkMapMemory(b->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
      flush_range(b, memory, 768, 232); flush_range(b, memory, 0, 1000);
      flush_range(b, memory, 256, 256); flush_range(b, memory, 512, VK_WHOLE_SIZE))
ATOMS(flush_to_the_end_of_an_aligned_map, VK(vkMapMemory(b->device, memory, 256, 512, 0, &data));
      flush_range(b, memory, 256, VK_WHOLE_SIZE); flush_range(b, memory, 512, 256))
ATOMS(flush_a_map_that_starts_anywhere, VK(vkMapMemory(b->device, memory, 100, 900, 0, &data));
      flush_range(b, memory, 256, VK_WHOLE_SIZE))

/* --- binding --- */

static VkDeviceMemory allocate_for(struct baseline *b, const VkMemoryRequirements *needs,
                                   VkDeviceSize size, const void *next)
{
    VkMemoryAllocateInfo info = memory_info(size, (uint32_t)__builtin_ctz(needs->memoryTypeBits));
    info.pNext = next;
    VkDeviceMemory memory = create_memory(b, &info);
    ENSURE(memory);
    return memory;
}

SCENARIO(dedicated_memory_that_is_larger)
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
    VK(vkBindBufferMemory(b->device, buffer, allocate_for(b, &needs, needs.size + 4096, &dedicated),
                          0));
}

SCENARIO(dedicated_to_nothing)
{
    VkImage image = make_unbound_image(b);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(b->device, image, &needs);
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    VkDeviceMemory memory = allocate_for(b, &needs, needs.size + needs.alignment, &dedicated);
    VK(vkBindImageMemory(b->device, image, memory, needs.alignment));
}

SCENARIO(image_and_buffer_in_one_place)
{
    VkImage image = make_unbound_image(b);
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needs, of_buffer;
    vkGetImageMemoryRequirements(b->device, image, &needs);
    vkGetBufferMemoryRequirements(b->device, buffer, &of_buffer);
    needs.memoryTypeBits &= of_buffer.memoryTypeBits;
    ENSURE(needs.memoryTypeBits);
    VkDeviceMemory memory = allocate_for(b, &needs, needs.size + of_buffer.size, NULL);
    VK(vkBindImageMemory(b->device, image, memory, 0));
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
}

/* "If maintenance4 ..." aside, nothing asks a program to ask for requirements of each of its equal
 * buffers. */
SCENARIO(bind_two_at_once)
{
    VkBuffer first = make_unbound_buffer(b), second = make_unbound_buffer(b);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, first, &needs);
    vkGetBufferMemoryRequirements(b->device, second, &needs);
    VkDeviceSize place = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    VkDeviceMemory memory = allocate_for(b, &needs, place + needs.size, NULL);
    const VkBindBufferMemoryInfo infos[] = {
        {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
         .buffer = first,
         .memory = memory,
         .memoryOffset = place},
        {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, .buffer = second, .memory = memory}};
    VK(vkBindBufferMemory2(b->device, 2, infos));
}

SCENARIO(bind_nothing)
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    VkDeviceMemory memory = allocate_for(b, &needs, needs.size, NULL);
    const VkBindMemoryStatus status = {.sType = VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS};
    (void)status;
    const VkBindBufferMemoryDeviceGroupInfo group = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_DEVICE_GROUP_INFO};
    const VkBindBufferMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                         .pNext = &group,
                                         .buffer = buffer,
                                         .memory = memory};
    VK(vkBindBufferMemory2(b->device, 1, &info));
}

SCENARIO(planes_of_two_images_at_once, .features = &ycbcr)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
    VkImage images[2] = {create_image(b, &info), create_image(b, &info)};
    VkBindImagePlaneMemoryInfo planes[4];
    VkBindImageMemoryInfo infos[4];
    for (uint32_t i = 0; i < 4; i++) {
        VkImageAspectFlagBits aspect =
            i % 2 ? VK_IMAGE_ASPECT_PLANE_0_BIT : VK_IMAGE_ASPECT_PLANE_1_BIT;
        const VkImagePlaneMemoryRequirementsInfo plane = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, .planeAspect = aspect};
        const VkImageMemoryRequirementsInfo2 asked = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
            .pNext = &plane,
            .image = images[i / 2]};
        VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        vkGetImageMemoryRequirements2(b->device, &asked, &needs);
        planes[i] = (VkBindImagePlaneMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, .planeAspect = aspect};
        infos[i] =
            (VkBindImageMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                    .pNext = &planes[i],
                                    .image = images[i / 2],
                                    .memory = allocate_for(b, &needs.memoryRequirements,
                                                           needs.memoryRequirements.size, NULL)};
    }
    VK(vkBindImageMemory2(b->device, 4, infos));
}

/* Memory with addresses suits buffers that have none. */
SCENARIO(memory_with_addresses_for_others, .features = &addresses)
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VK(vkBindBufferMemory(b->device, buffer, allocate_for(b, &needs, needs.size, &flags), 0));
}

/* --- allocation --- */

SCENARIO(chains_that_ask_for_nothing)
{
    VkImportMemoryFdInfoKHR fd = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .fd = -1};
    const VkExportMemoryAllocateInfo exported = {.sType =
                                                     VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = &exported,
                                             .deviceMask = 7 /* ignored without the flag */};
    const VkMemoryOpaqueCaptureAddressAllocateInfo capture = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO, .pNext = &flags};
    VkMemoryAllocateInfo info = memory_info(256, 0);
    info.pNext = &capture;
    (void)fd;
    EXPECT(create_memory(b, &info) != VK_NULL_HANDLE);
}

/* "handleType 0 ... is not an import operation" */
SCENARIO(import_of_no_type, .drivers = NULL_DRIVER, .extensions = {"VK_KHR_external_memory_fd"})
{
    const VkImportMemoryFdInfoKHR fd = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                        .fd = -1};
    VkMemoryAllocateInfo info = memory_info(256, 0);
    info.pNext = &fd;
    EXPECT(create_memory(b, &info) != VK_NULL_HANDLE);
}

/* --- objects without memory, and memory without objects --- */

SCENARIO(unbound_objects_are_asked_and_destroyed)
{
    VkMemoryRequirements needs;
    VkImage image = make_unbound_image(b);
    vkGetImageMemoryRequirements(b->device, image, &needs);
    vkGetBufferMemoryRequirements(b->device, make_unbound_buffer(b), &needs);
    uint32_t count = 0;
    vkGetImageSparseMemoryRequirements(b->device, image, &count, NULL);
}

SCENARIO(memory_freed_before_its_buffer)
{
    VkBufferCreateInfo create = buffer_info(64, USAGE);
    VkBuffer buffer = create_buffer(b, &create);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    VkMemoryAllocateInfo info =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    VkDeviceMemory memory;
    VK(vkAllocateMemory(b->device, &info, NULL, &memory));
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    vkFreeMemory(b->device, memory, NULL);
}
