/* Images and buffers whose memory is bound in pieces: blocks, mip tails, ranges, and parts that are
 * unbound again. */
#include "valid.h"

static VkDeviceMemory block_memory(struct world *w, VkMemoryRequirements requirements,
                                   VkDeviceSize size)
{
    requirements.size = size;
    return make_memory(w, requirements, false, false, 0, 0);
}

static void bind_all(struct world *w, const struct queue *queue, const VkBindSparseInfo *wanted)
{
    VkBindSparseInfo infos[2] = {*wanted, {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO}};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint32_t count = 1;
    if (chance(w, 40)) { /* something else waits for it */
        semaphore = make_semaphore(w, false);
        infos[0].signalSemaphoreCount = 1;
        infos[0].pSignalSemaphores = &semaphore;
        infos[1].waitSemaphoreCount = 1;
        infos[1].pWaitSemaphores = &semaphore;
        count = 2;
    }
    MUST(QueueBindSparse, queue->handle, count, infos, VK_NULL_HANDLE);
    w->idle = false;
    wait_for_all(w);
}

static void sparse_buffer(struct world *w, const struct queue *queue)
{
    bool resident = ON(sparseResidencyBuffer) && chance(w, 60);
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT |
                                        (resident ? VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT : 0),
                               .size = 300000,
                               .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               .queueFamilyIndexCount = PICK(0u, 7u),
                               .pQueueFamilyIndices = IGNORED};
    VkBuffer buffer = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &info, NULL, &buffer);
    OWN(Buffer, buffer);
    VkMemoryRequirements needs;
    CALL(GetBufferMemoryRequirements, w->device, buffer, &needs);
    VkDeviceSize unit = needs.alignment, half = needs.size / 2 / unit * unit;
    VkSparseMemoryBind binds[2] = {{.size = half, .memory = block_memory(w, needs, half)},
                                   {.resourceOffset = half,
                                    .size = needs.size - half,
                                    .memory = block_memory(w, needs, needs.size - half + unit)}};
    binds[1].memoryOffset = chance(w, 50) ? unit : 0;
    if (resident && chance(w, 40))
        binds[1] = (VkSparseMemoryBind){.resourceOffset = half,
                                        .size = needs.size - half,
                                        .memoryOffset = PICK(0, unit * 9)}; /* nothing: ignored */
    VkSparseBufferMemoryBindInfo of = {.buffer = buffer, .bindCount = 2, .pBinds = binds};
    VkBindSparseInfo all = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                            .pWaitSemaphores = IGNORED,
                            .bufferBindCount = 1,
                            .pBufferBinds = &of,
                            .pImageOpaqueBinds = IGNORED,
                            .pImageBinds = IGNORED,
                            .pSignalSemaphores = IGNORED};
    bind_all(w, queue, &all);
    if (half < 64 || info.size < half)
        return;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, buffer, 0, binds[1].memory ? VK_WHOLE_SIZE : 64, 3);
    record_finish(rec);
}

static uint32_t rounded_unit(uint32_t size, uint32_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static void sparse_image(struct world *w, const struct queue *queue)
{
    if (!ON(sparseResidencyImage2D))
        return;
    VkImageCreateInfo info =
        image_info(PICK(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_UINT), between(w, 100, 600),
                   between(w, 100, 600), VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.mipLevels = between(w, 1, 7);
    info.arrayLayers = between(w, 1, 2);
    info.pQueueFamilyIndices = IGNORED;
    VkSparseImageFormatProperties there[4];
    uint32_t count = 4;
    OUTER(vkGetPhysicalDeviceSparseImageFormatProperties, w->physical_device, info.format,
          info.imageType, info.samples, info.usage, info.tiling, &count, there);
    if (!count || !image_supported(w, &info))
        return;
    struct image *image = NEW(struct image, .info = info, .format = format_of(info.format));
    MUST(CreateImage, w->device, &info, NULL, &image->handle);
    OWN(Image, image->handle);
    VkMemoryRequirements needs;
    CALL(GetImageMemoryRequirements, w->device, image->handle, &needs);
    VkSparseImageMemoryRequirements parts[4];
    uint32_t part_count = 4;
    CALL(GetImageSparseMemoryRequirements, w->device, image->handle, &part_count, parts);
    if (part_count != 1)
        return;
    const VkSparseImageMemoryRequirements *part = &parts[0];
    VkExtent3D grain = part->formatProperties.imageGranularity;
    VkSparseImageMemoryBind binds[8];
    VkSparseMemoryBind tails[2];
    uint32_t bind_count = 0, tail_count = 0, first = part->imageMipTailFirstLod;
    for (uint32_t level = 0; level < info.mipLevels && level < first; level++) {
        VkExtent3D extent = level_extent(image, level);
        uint32_t layer = below(w, info.arrayLayers);
        bool whole = chance(w, 50);
        uint32_t columns = whole ? rounded_unit(extent.width, grain.width) / grain.width : 1,
                 rows = whole ? rounded_unit(extent.height, grain.height) / grain.height : 1;
        VkDeviceSize size = (VkDeviceSize)columns * rows * needs.alignment;
        VkExtent3D bound = {columns * grain.width, rows * grain.height, 1};
        bound.width = bound.width < extent.width ? bound.width : extent.width;
        bound.height = bound.height < extent.height ? bound.height : extent.height;
        binds[bind_count++] = (VkSparseImageMemoryBind){
            .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer},
            .extent = bound,
            .memory = chance(w, 80) ? block_memory(w, needs, size) : VK_NULL_HANDLE};
    }
    uint32_t tail_layers = part->formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT
                               ? 1
                               : info.arrayLayers;
    for (uint32_t i = 0; i < tail_layers && first < info.mipLevels && part->imageMipTailSize; i++)
        tails[tail_count++] = (VkSparseMemoryBind){
            .resourceOffset = part->imageMipTailOffset + i * part->imageMipTailStride,
            .size = part->imageMipTailSize,
            .memory = block_memory(w, needs, part->imageMipTailSize)};
    VkSparseImageMemoryBindInfo blocks = {
        .image = image->handle, .bindCount = bind_count, .pBinds = binds};
    VkSparseImageOpaqueMemoryBindInfo opaque = {
        .image = image->handle, .bindCount = tail_count, .pBinds = tails};
    VkBindSparseInfo all = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                            .pWaitSemaphores = IGNORED,
                            .pBufferBinds = IGNORED,
                            .imageOpaqueBindCount = tail_count ? 1 : 0,
                            .pImageOpaqueBinds = tail_count ? &opaque : IGNORED,
                            .imageBindCount = bind_count ? 1 : 0,
                            .pImageBinds = bind_count ? &blocks : IGNORED,
                            .pSignalSemaphores = IGNORED};
    bind_all(w, queue, &all);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    VkClearColorValue value = {.uint32 = {1, 2, 3, 4}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                     VK_REMAINING_ARRAY_LAYERS};
    needs_layout(rec, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    ready(rec, USE(CLEAR));
    CALL(CmdClearColorImage, rec->c, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
         &range);
    record_finish(rec);
}

void step_sparse_images(struct world *w)
{
    if (!ON(sparseBinding))
        return;
    const struct queue *queue = any_queue(w, VK_QUEUE_SPARSE_BINDING_BIT);
    if (!(queue->flags & VK_QUEUE_SPARSE_BINDING_BIT))
        return;
    if (chance(w, 40))
        sparse_buffer(w, queue);
    else
        sparse_image(w, queue);
}
