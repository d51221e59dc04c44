/* Valid sparse binds, at the edges: last blocks, edges of subresources that are not whole blocks,
 * one place of memory for two ranges. There are batches without binds, unbinding, semaphores and
 * fences. Nothing is found in any of them. */
#include "scenario.h"

static const VkPhysicalDeviceFeatures2 residency = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.sparseBinding = VK_TRUE,
                 .sparseResidencyBuffer = VK_TRUE,
                 .sparseResidencyImage2D = VK_TRUE,
                 .sparseResidencyImage3D = VK_TRUE,
                 .sparseResidencyAliased = VK_TRUE}};
#define ON     .drivers = NULL_DRIVER, .features = &residency
#define COLOR  VK_IMAGE_ASPECT_COLOR_BIT
#define BLOCKS 8

static VkDeviceMemory make_memory_for(struct baseline *b, const VkMemoryRequirements *needs)
{
    const VkMemoryAllocateInfo info =
        memory_info(needs->size, (uint32_t)__builtin_ctz(needs->memoryTypeBits));
    VkDeviceMemory memory = create_memory(b, &info);
    ENSURE(memory);
    return memory;
}

static VkBuffer make_sparse_buffer(struct baseline *b, VkMemoryRequirements *needs)
{
    VkBufferCreateInfo info = buffer_info(BLOCKS * 65536, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                 VK_BUFFER_CREATE_SPARSE_ALIASED_BIT;
    VkBuffer buffer = create_buffer(b, &info);
    ENSURE(buffer);
    vkGetBufferMemoryRequirements(b->device, buffer, needs);
    return buffer;
}

static void bind_buffer_parts(struct baseline *b, VkBuffer buffer, uint32_t count,
                              const VkSparseMemoryBind *binds)
{
    const VkSparseBufferMemoryBindInfo buffers = {
        .buffer = buffer, .bindCount = count, .pBinds = binds};
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .bufferBindCount = 1,
                                   .pBufferBinds = &buffers};
    VK(vkQueueBindSparse(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(sparse_last_block, ON)
{
    VkMemoryRequirements needs;
    VkBuffer buffer = make_sparse_buffer(b, &needs);
    const VkDeviceSize last = needs.size - needs.alignment;
    const VkSparseMemoryBind bind = {last, needs.alignment, make_memory_for(b, &needs), last, 0};
    bind_buffer_parts(b, buffer, 1, &bind);
}

SCENARIO(sparse_one_place_twice, ON)
{
    VkMemoryRequirements needs;
    VkBuffer buffer = make_sparse_buffer(b, &needs);
    VkDeviceMemory memory = make_memory_for(b, &needs);
    const VkSparseMemoryBind binds[] = {{0, needs.alignment, memory, 0, 0},
                                        {needs.alignment, needs.alignment, memory, 0, 0}};
    bind_buffer_parts(b, buffer, 2, binds);
}

SCENARIO(sparse_unbound_again, ON)
{
    VkMemoryRequirements needs;
    VkBuffer buffer = make_sparse_buffer(b, &needs);
    const VkSparseMemoryBind binds[] = {{0, needs.size, make_memory_for(b, &needs), 0, 0},
                                        {0, needs.size, VK_NULL_HANDLE, 0, 0}};
    bind_buffer_parts(b, buffer, 1, &binds[0]);
    bind_buffer_parts(b, buffer, 1, &binds[1]);
}

/* "If memory is VK_NULL_HANDLE, this value is ignored": the offset into it. */
SCENARIO(sparse_unbound_at_any_offset, ON)
{
    VkMemoryRequirements needs;
    VkBuffer buffer = make_sparse_buffer(b, &needs);
    const VkSparseMemoryBind binds[] = {{0, needs.size, VK_NULL_HANDLE, 3, 0},
                                        {0, needs.size, VK_NULL_HANDLE, UINT64_MAX, 0}};
    bind_buffer_parts(b, buffer, 2, binds);
    vkCmdFillBuffer(make_recording(b), buffer, 0, needs.size, 1);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    VkImage image = create_image(b, &info);
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &needs);
    const VkSparseMemoryBind whole = {0, needs.size, VK_NULL_HANDLE, UINT64_MAX - 1, 0};
    const VkSparseImageOpaqueMemoryBindInfo opaque = {image, 1, &whole};
    const VkSparseImageMemoryBind block = {
        {COLOR, 0, 0},  {0, 0, 0},      {IMAGE_EXTENT, IMAGE_EXTENT, 1},
        VK_NULL_HANDLE, UINT64_MAX - 7, 0};
    const VkSparseImageMemoryBindInfo blocks = {image, 1, &block};
    const VkBindSparseInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .imageOpaqueBindCount = 1,
                                   .pImageOpaqueBinds = &opaque,
                                   .imageBindCount = 1,
                                   .pImageBinds = &blocks};
    VK(vkQueueBindSparse(b->queue, 1, &bind, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(sparse_batches_of_semaphores, ON)
{
    VkMemoryRequirements needs;
    VkBuffer buffer = make_sparse_buffer(b, &needs);
    VkSemaphore first = make_semaphore(b), second = make_semaphore(b);
    VkFence fence = make_fence(b);
    const VkSparseMemoryBind bind = {0, needs.size, make_memory_for(b, &needs), 0, 0};
    const VkSparseBufferMemoryBindInfo buffers = {
        .buffer = buffer, .bindCount = 1, .pBinds = &bind};
    const VkBindSparseInfo infos[] = {{.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                       .signalSemaphoreCount = 1,
                                       .pSignalSemaphores = &first},
                                      {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                       .waitSemaphoreCount = 1,
                                       .pWaitSemaphores = &first,
                                       .bufferBindCount = 1,
                                       .pBufferBinds = &buffers,
                                       .signalSemaphoreCount = 1,
                                       .pSignalSemaphores = &second}};
    VK(vkQueueBindSparse(b->queue, 2, infos, fence));
    VkCommandBuffer c = make_recording(b);
    vkCmdFillBuffer(c, buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(c));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = submit_info(&c);
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &second;
    info.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(b->device, 1, &fence));
    VK(vkQueueBindSparse(b->queue, 0, NULL, fence));
    VK(vkDeviceWaitIdle(b->device));
}

/* --- images: blocks of 128 x 128 texels, or 32 x 32 x 16 --- */

static void bind_block(struct baseline *b, const VkImageCreateInfo *info,
                       VkImageSubresource subresource, VkOffset3D offset, VkExtent3D extent)
{
    VkMemoryRequirements needs;
    VkImage image = create_image(b, info);
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &needs);
    const VkSparseImageMemoryBind bind = {.subresource = subresource,
                                          .offset = offset,
                                          .extent = extent,
                                          .memory = make_memory_for(b, &needs)};
    const VkSparseImageMemoryBindInfo images = {.image = image, .bindCount = 1, .pBinds = &bind};
    const VkBindSparseInfo binds = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageBindCount = 1, .pImageBinds = &images};
    VK(vkQueueBindSparse(b->queue, 1, &binds, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

static VkImageCreateInfo sparse_image(uint32_t width, uint32_t height)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.extent = (VkExtent3D){width, height, 1};
    return info;
}

/* "or else (extent.width + offset.x) must equal the width of the image subresource" */
SCENARIO(sparse_edges_of_the_image, ON)
{
    const VkImageCreateInfo info = sparse_image(300, 200);
    bind_block(b, &info, (VkImageSubresource){COLOR, 0, 0}, (VkOffset3D){256, 128, 0},
               (VkExtent3D){44, 72, 1});
    bind_block(b, &info, (VkImageSubresource){COLOR, 0, 0}, (VkOffset3D){0, 0, 0},
               (VkExtent3D){300, 200, 1});
}

SCENARIO(sparse_level_less_than_a_block, ON)
{
    VkImageCreateInfo info = sparse_image(300, 200);
    info.mipLevels = 3;
    info.arrayLayers = 2;
    bind_block(b, &info, (VkImageSubresource){COLOR, 2, 1}, (VkOffset3D){0, 0, 0},
               (VkExtent3D){75, 50, 1});
}

SCENARIO(sparse_last_slices, ON)
{
    VkImageCreateInfo info = sparse_image(40, 40);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 20;
    bind_block(b, &info, (VkImageSubresource){COLOR, 0, 0}, (VkOffset3D){32, 32, 16},
               (VkExtent3D){8, 8, 4});
}
