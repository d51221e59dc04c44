/* Memory, semaphores and fences that leave the device as file descriptors and come back. Memory
 * that the host had before, and structures in chains that ask for nothing, are here, too. */
#include "valid.h"

#include <stdlib.h>
#include <unistd.h>

static bool capabilities_there(struct world *w)
{
    return VERSION(11);
}

static uint32_t first_type(struct world *w, uint32_t bits)
{
    for (uint32_t i = 0; i < w->memory.memoryTypeCount; i++) {
        if ((bits >> i) & 1 &&
            !(w->memory.memoryTypes[i].propertyFlags & ~(VkMemoryPropertyFlags)15))
            return i;
    }
    return UINT32_MAX;
}

struct external {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    uint32_t type;
    bool dedicated;
};

static VkExternalMemoryProperties buffer_properties(struct world *w, VkBufferUsageFlags usage,
                                                    VkExternalMemoryHandleTypeFlagBits type)
{
    VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = usage,
        .handleType = type};
    VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    OUTER(vkGetPhysicalDeviceExternalBufferProperties, w->physical_device, &info, &answer);
    return answer.externalMemoryProperties;
}

static VkBuffer external_buffer(struct world *w, VkDeviceSize size, VkBufferUsageFlags usage,
                                VkExternalMemoryHandleTypeFlags types,
                                VkMemoryRequirements *requirements)
{
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = types};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = &external,
                               .size = size,
                               .usage = usage,
                               .pQueueFamilyIndices = IGNORED};
    VkBuffer buffer = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &info, NULL, &buffer);
    OWN(Buffer, buffer);
    CALL(GetBufferMemoryRequirements, w->device, buffer, requirements);
    return buffer;
}

static int export_memory(struct world *w, VkDeviceMemory memory,
                         VkExternalMemoryHandleTypeFlagBits type)
{
    VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
    int fd = -1;
    return CALL(GetMemoryFdKHR, w->device, &info, &fd) == VK_SUCCESS ? fd : -1;
}

/* The owner outside has the buffer for a while; it is not read there. */
static void hand_over(struct record *rec, VkBuffer buffer)
{
    struct world *w = rec->w;
    uint32_t outside = HAS(EXT_queue_family_foreign)
                           ? PICK(VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT)
                           : VK_QUEUE_FAMILY_EXTERNAL;
    VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .srcQueueFamilyIndex = rec->queue->family,
                                     .dstQueueFamilyIndex = outside,
                                     .buffer = buffer,
                                     .size = VK_WHOLE_SIZE};
    CALL(CmdPipelineBarrier, rec->c, VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, IGNORED, 1, &barrier, 0, IGNORED);
    VkExternalMemoryAcquireUnmodifiedEXT unmodified = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXT,
        .acquireUnmodifiedMemory = chance(w, 50)};
    barrier.pNext = HAS(EXT_external_memory_acquire_unmodified) ? &unmodified : NULL;
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.srcQueueFamilyIndex = outside;
    barrier.dstQueueFamilyIndex = rec->queue->family;
    CALL(CmdPipelineBarrier, rec->c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, IGNORED, 1, &barrier, 0, IGNORED);
}

static void use_buffer(struct world *w, VkBuffer buffer, bool outside)
{
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    rec->once = true;
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, buffer, 0, VK_WHOLE_SIZE, 7);
    if (outside)
        hand_over(rec, buffer);
    rec->before |= USE(ALL);
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, buffer, 0, 16, 8);
    record_finish(rec);
}

static void file_memory(struct world *w)
{
    if (!HAS(KHR_external_memory_fd) || !capabilities_there(w))
        return;
    VkExternalMemoryHandleTypeFlagBits type = HAS(EXT_external_memory_dma_buf) && chance(w, 50)
                                                  ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
                                                  : VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkExternalMemoryProperties can = buffer_properties(w, usage, type);
    if (!(can.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        return;
    bool dedicated =
        can.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT || chance(w, 40);
    VkMemoryRequirements needs;
    VkBuffer first = external_buffer(w, 256, usage, type, &needs);
    uint32_t number = first_type(w, needs.memoryTypeBits);
    if (number == UINT32_MAX)
        return;
    VkMemoryDedicatedAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                        .buffer = first};
    VkExportMemoryAllocateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                         .pNext = dedicated ? &of : NULL,
                                         .handleTypes = type};
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &export,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = number};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (CALL(AllocateMemory, w->device, &allocate, NULL, &memory) != VK_SUCCESS)
        return; /* no place for such memory */
    own(w, destroy_memory, U64(memory), 0);
    MUST(BindBufferMemory, w->device, first, memory, 0);
    use_buffer(w, first, chance(w, 50));
    int fd = export_memory(w, memory, type);
    if (fd < 0)
        return;
    if (!(can.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) ||
        chance(w, 20)) {
        (void)close(fd);
        return;
    }
    VkMemoryFdPropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    if (type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT) {
        MUST(GetMemoryFdPropertiesKHR, w->device, type, fd, &properties);
        if (!((properties.memoryTypeBits >> number) & 1)) {
            (void)close(fd);
            return;
        }
    }
    VkMemoryRequirements same;
    VkBuffer second = external_buffer(w, 256, usage, type, &same);
    of.buffer = second;
    VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                      .pNext = dedicated ? &of : NULL,
                                      .handleType = type,
                                      .fd = fd};
    allocate.pNext = &import;
    VkDeviceMemory imported = VK_NULL_HANDLE;
    if (CALL(AllocateMemory, w->device, &allocate, NULL, &imported) != VK_SUCCESS) {
        (void)close(fd);
        return;
    }
    own(w, destroy_memory, U64(imported), 0);
    MUST(BindBufferMemory, w->device, second, imported, 0);
    wait_for_all(w);
    use_buffer(w, second, chance(w, 30));
}

/* --- images --- */

static void file_image(struct world *w)
{
    if (!HAS(KHR_external_memory_fd) || !capabilities_there(w))
        return;
    VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, between(w, 1, 40), 8,
                   VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    VkPhysicalDeviceExternalImageFormatInfo external = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, .handleType = type};
    VkPhysicalDeviceImageFormatInfo2 query = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &external,
        .format = info.format,
        .type = info.imageType,
        .tiling = info.tiling,
        .usage = info.usage};
    VkExternalImageFormatProperties can = {.sType =
                                               VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 answer = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                       .pNext = &can};
    if (OUTER(vkGetPhysicalDeviceImageFormatProperties2, w->physical_device, &query, &answer) !=
            VK_SUCCESS ||
        !(can.externalMemoryProperties.externalMemoryFeatures &
          VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        return;
    VkExternalMemoryImageCreateInfo with = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .handleTypes = type};
    info.pNext = &with;
    info.pQueueFamilyIndices = IGNORED;
    struct image *image = NEW(struct image, .info = info, .format = format_of(info.format));
    MUST(CreateImage, w->device, &info, NULL, &image->handle);
    OWN(Image, image->handle);
    VkMemoryRequirements needs;
    CALL(GetImageMemoryRequirements, w->device, image->handle, &needs);
    VkMemoryDedicatedAllocateInfo of = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                        .image = image->handle};
    VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .pNext = &of, .handleTypes = type};
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &export,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = first_type(w, needs.memoryTypeBits)};
    if (allocate.memoryTypeIndex == UINT32_MAX)
        return;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (CALL(AllocateMemory, w->device, &allocate, NULL, &memory) != VK_SUCCESS)
        return;
    own(w, destroy_memory, U64(memory), 0);
    MUST(BindImageMemory, w->device, image->handle, memory, 0);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    needs_layout(rec, image, VK_IMAGE_LAYOUT_GENERAL);
    ready(rec, USE(CLEAR));
    VkClearColorValue value = {{0}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    CALL(CmdClearColorImage, rec->c, image->handle, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    record_finish(rec);
    int fd = export_memory(w, memory, type);
    if (fd >= 0)
        (void)close(fd);
}

/* --- memory of the host --- */

static void free_pages(void *world, uint64_t handle, uint64_t other)
{
    (void)world;
    (void)other;
    free((void *)(uintptr_t)handle);
}

static void host_memory(struct world *w)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    if (!HAS(EXT_external_memory_host) || !capabilities_there(w) || !properties_of(w, &properties))
        return;
    VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkExternalMemoryProperties can = buffer_properties(w, usage, type);
    if (!(can.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT))
        return;
    VkDeviceSize align = properties.minImportedHostPointerAlignment,
                 size = align * between(w, 1, 3);
    void *pages = aligned_alloc(align, size);
    if (!pages)
        return;
    own(w, free_pages, U64(pages), 0);
    VkMemoryHostPointerPropertiesEXT types = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    MUST(GetMemoryHostPointerPropertiesEXT, w->device, type, pages, &types);
    VkMemoryRequirements needs;
    VkBuffer buffer = external_buffer(w, between(w, 17, (uint32_t)align), usage, type, &needs);
    uint32_t number = first_type(w, needs.memoryTypeBits & types.memoryTypeBits);
    if (number == UINT32_MAX || needs.size > size)
        return;
    VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = pages};
    VkMemoryDedicatedAllocateInfo none = {.sType =
                                              VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    if (chance(w, 30))
        import.pNext = &none; /* of nothing */
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &import,
                                     .allocationSize = size,
                                     .memoryTypeIndex = number};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (CALL(AllocateMemory, w->device, &allocate, NULL, &memory) != VK_SUCCESS)
        return;
    own(w, destroy_memory, U64(memory), 0);
    MUST(BindBufferMemory, w->device, buffer, memory, 0);
    use_buffer(w, buffer, chance(w, 20));
}

/* --- semaphores and fences --- */

static bool semaphore_can(struct world *w, VkExternalSemaphoreHandleTypeFlagBits type)
{
    VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, .handleType = type};
    VkExternalSemaphoreProperties can = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    OUTER(vkGetPhysicalDeviceExternalSemaphoreProperties, w->physical_device, &info, &can);
    VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    return (can.externalSemaphoreFeatures & both) == both && can.compatibleHandleTypes & type;
}

static VkSemaphore exportable_semaphore(struct world *w, VkExternalSemaphoreHandleTypeFlags types)
{
    VkExportSemaphoreCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                          .handleTypes = types};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                  .pNext = &export};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    MUST(CreateSemaphore, w->device, &info, NULL, &semaphore);
    OWN(Semaphore, semaphore);
    return semaphore;
}

static void file_semaphore(struct world *w)
{
    if (!HAS(KHR_external_semaphore_fd) || !capabilities_there(w))
        return;
    bool copied = chance(w, 50); /* the payload, rather than referred to */
    VkExternalSemaphoreHandleTypeFlagBits type =
        copied ? VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
               : VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    if (!semaphore_can(w, type))
        return;
    VkSemaphore from = exportable_semaphore(w, type), to = make_semaphore(w, false);
    const struct queue *queue = any_queue(w, VK_QUEUE_COMPUTE_BIT);
    struct batch signal = {.signals = {from}, .signal_count = 1};
    bool before = copied || chance(w, 50);
    if (before)
        submit_batches(w, queue->handle, 1, &signal, VK_NULL_HANDLE);
    w->idle = false;
    VkSemaphoreGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                   .semaphore = from,
                                   .handleType = type};
    int fd = -1;
    MUST(GetSemaphoreFdKHR, w->device, &get, &fd);
    bool temporary = copied || chance(w, 50);
    VkImportSemaphoreFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                         .semaphore = to,
                                         .flags = temporary ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0,
                                         .handleType = type,
                                         .fd = fd};
    MUST(ImportSemaphoreFdKHR, w->device, &import);
    if (!before)
        submit_batches(w, queue->handle, 1, &signal, VK_NULL_HANDLE);
    struct batch wait = {.waits = {to}, .wait_count = 1};
    submit_batches(w, queue->handle, 1, &wait, VK_NULL_HANDLE);
    wait_for_all(w);
    if (temporary && chance(w, 50)) { /* its own payload is there again, and unsignaled */
        struct batch own_signal = {.signals = {to}, .signal_count = 1};
        submit_batches(w, queue->handle, 1, &own_signal, VK_NULL_HANDLE);
        submit_batches(w, queue->handle, 1, &wait, VK_NULL_HANDLE);
    }
    if (copied && chance(w, 50)) /* its payload went with the export */
        submit_batches(w, queue->handle, 1, &signal, VK_NULL_HANDLE);
    w->idle = false;
}

static bool fence_can(struct world *w, VkExternalFenceHandleTypeFlagBits type)
{
    VkPhysicalDeviceExternalFenceInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO, .handleType = type};
    VkExternalFenceProperties can = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
    OUTER(vkGetPhysicalDeviceExternalFenceProperties, w->physical_device, &info, &can);
    VkExternalFenceFeatureFlags both =
        VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
    return (can.externalFenceFeatures & both) == both && can.compatibleHandleTypes & type;
}

static void file_fence(struct world *w)
{
    if (!HAS(KHR_external_fence_fd) || !capabilities_there(w))
        return;
    VkExternalFenceHandleTypeFlagBits type = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
    if (!fence_can(w, type))
        return;
    VkExportFenceCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                      .handleTypes = type};
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = &export};
    VkFence fences[2] = {VK_NULL_HANDLE};
    for (unsigned i = 0; i < 2; i++) {
        MUST(CreateFence, w->device, &info, NULL, &fences[i]);
        OWN(Fence, fences[i]);
    }
    submit_batches(w, w->queues[0].handle, 0, NULL, fences[0]);
    w->idle = false;
    int fd = -1;
    VkFenceGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, .fence = fences[0], .handleType = type};
    MUST(GetFenceFdKHR, w->device, &get, &fd);
    if (chance(w, 30) && fd >= 0) {
        (void)close(fd);
        fd = -1; /* stands for one that is signaled */
    }
    VkImportFenceFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                     .fence = fences[1],
                                     .flags = VK_FENCE_IMPORT_TEMPORARY_BIT,
                                     .handleType = type,
                                     .fd = fd};
    MUST(ImportFenceFdKHR, w->device, &import);
    MUST(WaitForFences, w->device, 1, &fences[1], VK_TRUE, UINT64_MAX);
    if (chance(w, 50)) {
        MUST(ResetFences, w->device, 1, &fences[1]);
        submit_batches(w, w->queues[0].handle, 0, NULL, fences[1]);
        MUST(WaitForFences, w->device, 1, &fences[1], VK_TRUE, UINT64_MAX);
    }
    wait_for_all(w);
}

void step_externals(struct world *w)
{
    static void (*const parts[])(struct world *) = {file_memory, file_memory,    file_image,
                                                    host_memory, file_semaphore, file_fence};
    for (uint32_t i = between(w, 1, 3); i > 0; i--)
        PICK_OF(parts)(w);
}
