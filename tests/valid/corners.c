/* Calls rare commands of few words: captured addresses, indirect copies, lazily allocated memory,
 * and priorities. Others are sparse requirements in their newer forms, and pools that are trimmed.
 */
#include "valid.h"

/* --- addresses that are captured, and taken again --- */

static VkBuffer replay_buffer(struct world *w, uint64_t address, uint64_t memory_address,
                              VkDeviceMemory *memory)
{
    VkBufferOpaqueCaptureAddressCreateInfo at = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
        .opaqueCaptureAddress = address};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = address || chance(w, 50) ? &at : NULL,
                               .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
                               .size = 4096,
                               .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                               .pQueueFamilyIndices = IGNORED};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (CALL(CreateBuffer, w->device, &info, NULL, &buffer) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    OWN(Buffer, buffer);
    VkMemoryRequirements needs;
    CALL(GetBufferMemoryRequirements, w->device, buffer, &needs);
    VkMemoryOpaqueCaptureAddressAllocateInfo from = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
        .opaqueCaptureAddress = memory_address};
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .pNext = memory_address || chance(w, 50) ? &from : NULL,
                                       .flags =
                                           VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                                           VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT};
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &flags,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex =
                                         (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    if (CALL(AllocateMemory, w->device, &allocate, NULL, memory) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    own(w, destroy_memory, U64(*memory), 0);
    MUST(BindBufferMemory, w->device, buffer, *memory, 0);
    return buffer;
}

static void replay_addresses(struct world *w)
{
    if (!ON(bufferDeviceAddress) || !ON(bufferDeviceAddressCaptureReplay))
        return;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkBuffer buffer = replay_buffer(w, 0, 0, &memory);
    if (!buffer)
        return;
    VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                    .buffer = buffer};
    VkDeviceMemoryOpaqueCaptureAddressInfo of_memory = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, .memory = memory};
    uint64_t captured = CALL(GetBufferOpaqueCaptureAddress, w->device, &of);
    uint64_t captured_memory = CALL(GetDeviceMemoryOpaqueCaptureAddress, w->device, &of_memory);
    if (!captured || !captured_memory || w->software)
        return;
    DESTROY_NOW(buffer);
    DESTROY_NOW(memory);
    (void)replay_buffer(w, captured, captured_memory, &memory);
}

/* --- indirect copies --- */

static void copy_indirect(struct world *w)
{
    VkPhysicalDeviceCopyMemoryIndirectPropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_PROPERTIES_KHR};
    if (!ON(indirectMemoryCopy) || !ON(bufferDeviceAddress) || !properties_of(w, &properties))
        return;
    const struct queue *queue = any_queue(w, VK_QUEUE_COMPUTE_BIT);
    if (!(properties.supportedQueues & queue->flags) || queue->created)
        return;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    struct buffer *data = make_buffer(w, 1024, usage, false),
                  *commands =
                      make_buffer(w, 256, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, false);
    uint32_t count = between(w, 1, 2), stride = PICK(24u, 28u);
    uint8_t bytes[64] = {0};
    for (uint32_t i = 0; i < count; i++) {
        VkCopyMemoryIndirectCommandKHR command = {data->address + 64 * i,
                                                  data->address + 512 + 64 * i, 64};
        memcpy(bytes + (size_t)stride * i, &command, sizeof(command));
    }
    struct record *rec = record_begin(w, queue);
    ready(rec, USE(UPDATE));
    CALL(CmdUpdateBuffer, rec->c, commands->handle, 4, sizeof(bytes), bytes);
    CALL(CmdFillBuffer, rec->c, data->handle, 0, VK_WHOLE_SIZE, 1);
    rec->before |= USE(ALL);
    ready(rec, USE(ALL));
    VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .srcCopyFlags = PICK(0u, VK_ADDRESS_COPY_DEVICE_LOCAL_BIT_KHR),
        .copyCount = count,
        .copyAddressRange = {commands->address + 4, stride * count, stride}};
    CALL(CmdCopyMemoryIndirectKHR, rec->c, &info);
    record_finish(rec);
}

/* --- memory that is there when it is needed --- */

static void lazy_attachment(struct world *w)
{
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 16,
                   VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.pQueueFamilyIndices = IGNORED;
    if (!image_supported(w, &info))
        return;
    VkImage image = VK_NULL_HANDLE;
    MUST(CreateImage, w->device, &info, NULL, &image);
    OWN(Image, image);
    VkMemoryRequirements needs;
    CALL(GetImageMemoryRequirements, w->device, image, &needs);
    for (uint32_t i = 0; i < w->memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = w->memory.memoryTypes[i].propertyFlags;
        if (!((needs.memoryTypeBits >> i) & 1) ||
            !(flags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) ||
            flags & VK_MEMORY_PROPERTY_PROTECTED_BIT)
            continue;
        VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = i};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        MUST(AllocateMemory, w->device, &allocate, NULL, &memory);
        own(w, destroy_memory, U64(memory), 0);
        VkDeviceSize committed = 0;
        CALL(GetDeviceMemoryCommitment, w->device, memory, &committed);
        MUST(BindImageMemory, w->device, image, memory, 0);
        return;
    }
}

static void set_priority(struct world *w)
{
    if (!ON(pageableDeviceLocalMemory))
        return;
    struct buffer *buffer = make_buffer(w, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, false);
    CALL(SetDeviceMemoryPriorityEXT, w->device, buffer->memory, PICK(0.0f, 0.5f, 1.0f));
}

static void trim_pool(struct world *w)
{
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = w->queues[0].family};
    VkCommandPool pool = VK_NULL_HANDLE;
    MUST(CreateCommandPool, w->device, &info, NULL, &pool);
    OWN(CommandPool, pool);
    if (has_either(w, 11, EXTENSION_KHR_maintenance1))
        CALL(TrimCommandPool, w->device, pool, 0);
}

static void sparse_requirements(struct world *w)
{
    if (!ON(sparseBinding) || !ON(sparseResidencyImage2D) || !VERSION(11))
        return;
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 300, 200, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.pQueueFamilyIndices = IGNORED;
    if (!image_supported(w, &info))
        return;
    uint32_t count = 0;
    if (ON(maintenance4)) {
        VkDeviceImageMemoryRequirements of = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
            .pCreateInfo = &info,
            .planeAspect = 0};
        CALL(GetDeviceImageSparseMemoryRequirements, w->device, &of, &count, NULL);
    }
    VkImage image = VK_NULL_HANDLE;
    MUST(CreateImage, w->device, &info, NULL, &image);
    OWN(Image, image);
    VkImageSparseMemoryRequirementsInfo2 of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SPARSE_MEMORY_REQUIREMENTS_INFO_2, .image = image};
    VkSparseImageMemoryRequirements2 answers[2] = {
        {.sType = VK_STRUCTURE_TYPE_SPARSE_IMAGE_MEMORY_REQUIREMENTS_2},
        {.sType = VK_STRUCTURE_TYPE_SPARSE_IMAGE_MEMORY_REQUIREMENTS_2}};
    count = 2;
    CALL(GetImageSparseMemoryRequirements2, w->device, &of, &count, answers);
}

void step_corners(struct world *w)
{
    static void (*const parts[])(struct world *) = {replay_addresses, copy_indirect,
                                                    lazy_attachment,  set_priority,
                                                    trim_pool,        sparse_requirements};
    for (uint32_t i = between(w, 1, 4); i > 0; i--)
        PICK_OF(parts)(w);
}
