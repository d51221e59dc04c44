/* Objects that cases of rows make of what a sentence says: "was created with ...". */
#include "valid.h"
#include "world.h"

void test_refuse(bool refuse)
{
    heard.refusing = refuse;
}

VkCommandBuffer test_command_buffer(VkCommandPoolCreateFlags flags)
{
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = flags};
    VkCommandPool pool = VK_NULL_HANDLE;
    test_refuse(false);
    ((PFN_vkCreateCommandPool)test_proc("vkCreateCommandPool", true))(world.device, &info, NULL,
                                                                      &pool);
    VkCommandBuffer command_buffer = make_command_buffer(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    test_refuse(true);
    return command_buffer;
}

VkVideoSessionKHR test_video_session(VkVideoCodecOperationFlagBitsKHR operation)
{
    struct args_CreateVideoSessionKHR *a = test_allocate(sizeof(*a));
    fill_args_CreateVideoSessionKHR(a);
    SET(a->pCreateInfo->pVideoProfile->videoCodecOperation, operation);
    test_refuse(false);
    invoke_CreateVideoSessionKHR(a);
    test_refuse(true);
    return *a->pVideoSession;
}

void test_begin_video_coding(VkCommandBuffer command_buffer, VkVideoSessionKHR session)
{
    struct args_CmdBeginVideoCodingKHR *a = test_allocate(sizeof(*a));
    fill_args_CmdBeginVideoCodingKHR(a);
    a->commandBuffer = command_buffer;
    SET(a->pBeginInfo->videoSession, session);
    test_refuse(false);
    invoke_CmdBeginVideoCodingKHR(a);
    test_refuse(true);
}

VkImage test_image(VkImageCreateFlags flags, VkSampleCountFlagBits samples)
{
    struct args_CreateImage *a = test_allocate(sizeof(*a));
    fill_args_CreateImage(a);
    SET(a->pCreateInfo->flags, flags);
    SET(a->pCreateInfo->samples, samples);
    test_refuse(false);
    invoke_CreateImage(a);
    test_refuse(true);
    return *a->pImage;
}

/* `device_mask`: 0: none. */
static VkDeviceMemory bind_memory(VkBuffer buffer, uint32_t memory_type, uint32_t device_mask)
{
    VkMemoryAllocateFlagsInfo address = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                         .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    if (device_mask)
        address.flags |= VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT;
    address.deviceMask = device_mask;
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &address,
                                 .allocationSize = 1u << 20,
                                 .memoryTypeIndex = memory_type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ((PFN_vkAllocateMemory)test_proc("vkAllocateMemory", true))(world.device, &info, NULL, &memory);
    ((PFN_vkBindBufferMemory)test_proc("vkBindBufferMemory", true))(world.device, buffer, memory,
                                                                    0);
    return memory;
}

VkImage test_bound_image(bool bound)
{
    VkImage image = test_image(0, VK_SAMPLE_COUNT_1_BIT);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = 1u << 20};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (!bound)
        return image;
    test_refuse(false);
    ((PFN_vkAllocateMemory)test_proc("vkAllocateMemory", true))(world.device, &info, NULL, &memory);
    ((PFN_vkBindImageMemory)test_proc("vkBindImageMemory", true))(world.device, image, memory, 0);
    test_refuse(true);
    return image;
}

VkBuffer test_buffer(bool bound)
{
    struct args_CreateBuffer *a = test_allocate(sizeof(*a));
    fill_args_CreateBuffer(a);
    test_refuse(false);
    invoke_CreateBuffer(a);
    if (bound)
        bind_memory(*a->pBuffer, 0, 0);
    test_refuse(true);
    return *a->pBuffer;
}

VkBuffer test_buffer_in(uint32_t memory_type, uint32_t device_mask)
{
    VkBuffer buffer = test_buffer(false);
    test_refuse(false);
    bind_memory(buffer, memory_type, device_mask);
    test_refuse(true);
    return buffer;
}

VkAccelerationStructureKHR test_acceleration_structure(VkBuffer buffer)
{
    struct args_CreateAccelerationStructureKHR *a = test_allocate(sizeof(*a));
    fill_args_CreateAccelerationStructureKHR(a);
    SET(a->pCreateInfo->buffer, buffer);
    test_refuse(false);
    invoke_CreateAccelerationStructureKHR(a);
    test_refuse(true);
    return *a->pAccelerationStructure;
}

VkAccelerationStructureKHR test_acceleration_structure_at(VkDeviceAddress address)
{
    struct args_CreateAccelerationStructure2KHR *a = test_allocate(sizeof(*a));
    fill_args_CreateAccelerationStructure2KHR(a);
    SET(a->pCreateInfo->addressRange.address, address);
    test_refuse(false);
    invoke_CreateAccelerationStructure2KHR(a);
    test_refuse(true);
    return *a->pAccelerationStructure;
}

VkMicromapEXT test_micromap(VkBuffer buffer)
{
    struct args_CreateMicromapEXT *a = test_allocate(sizeof(*a));
    fill_args_CreateMicromapEXT(a);
    SET(a->pCreateInfo->buffer, buffer);
    test_refuse(false);
    invoke_CreateMicromapEXT(a);
    test_refuse(true);
    return *a->pMicromap;
}

VkDeviceAddress test_address(VkBufferUsageFlags2 usage)
{
    return test_address_of(usage, 0);
}

static VkDeviceAddress make_address(VkBufferUsageFlags2 usage, VkBufferCreateFlags create,
                                    bool freed)
{
    struct args_CreateBuffer *buffer = test_allocate(sizeof(*buffer));
    fill_args_CreateBuffer(buffer);
    VkBufferUsageFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = usage | VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    SET(buffer->pCreateInfo->pNext, &flags);
    SET(buffer->pCreateInfo->size, 65536);
    SET(buffer->pCreateInfo->flags, create);
    test_refuse(false);
    invoke_CreateBuffer(buffer);
    const VkDeviceMemory memory = bind_memory(*buffer->pBuffer, 0, 0);
    VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .buffer = *buffer->pBuffer};
    VkDeviceAddress found = ((PFN_vkGetBufferDeviceAddress)test_proc("vkGetBufferDeviceAddress",
                                                                     true))(world.device, &asked);
    if (freed)
        ((PFN_vkFreeMemory)test_proc("vkFreeMemory", true))(world.device, memory, NULL);
    test_refuse(true);
    return found;
}

VkDeviceAddress test_address_of(VkBufferUsageFlags2 usage, VkBufferCreateFlags create)
{
    return make_address(usage, create, false);
}

VkDeviceAddress test_address_freed(VkBufferUsageFlags2 usage, VkBufferCreateFlags create)
{
    return make_address(usage, create, true);
}

void test_simple_pass(VkRenderPassCreateInfo *info)
{
    VkSubpassDescription *subpass = (VkSubpassDescription *)(uintptr_t)info->pSubpasses;
    ((VkAttachmentReference *)(uintptr_t)subpass->pColorAttachments)->attachment = 0;
    subpass->inputAttachmentCount = subpass->preserveAttachmentCount = 0;
    subpass->pResolveAttachments = subpass->pDepthStencilAttachment = NULL;
    info->dependencyCount = 0;
    ((VkAttachmentDescription *)(uintptr_t)info->pAttachments)->initialLayout =
        VK_IMAGE_LAYOUT_GENERAL;
}
