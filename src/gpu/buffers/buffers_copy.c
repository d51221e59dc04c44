/* Checks that copies take only texel values from buffers that the image can hold. It also checks
 * the parameters of indirect copies (21 "Copy Commands"). */
#include "gpu/buffers/buffers.h"

#include <string.h>

#include "gpu/hooks.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "vk/pointer.h"

/* The most texels that one dispatch checks; more are split. */
#define TEXELS_OF_A_JOB (1u << 16)
#define JOBS_OF_A_COPY  1024
/* If there are more indirect copies than this, they are not checked for overlaps. */
#define COPIES_COMPARED 1024

/* A region of a copy. */
struct depth_region {
    uint32_t number;          /* index of the region in its command */
    VkDeviceSize offset;      /* bytes in the buffer */
    uint32_t row, slice_rows; /* as bufferRowLength and bufferImageHeight */
    VkImageSubresourceLayers subresource;
    VkExtent3D extent;
};

/* Splits the rows of one slice into jobs of at most TEXELS_OF_A_JOB texels. `jobs` counts the jobs
 * of the whole copy: JOBS_OF_A_COPY at most. */
static void check_slice(struct gpu_job *job, VkDeviceAddress address,
                        const struct depth_region *region, uint32_t row, uint32_t slice,
                        uint32_t *jobs)
{
    uint32_t rows = TEXELS_OF_A_JOB / region->extent.width;
    rows = rows ? rows : 1;
    for (uint32_t y = 0; y < region->extent.height && *jobs < JOBS_OF_A_COPY; y += rows, ++*jobs) {
        uint32_t left = region->extent.height - y;
        gpu_job_address(job, JOB_DATA, address + (uint64_t)y * row * sizeof(float));
        job->words[DEPTHS_WIDTH] = region->extent.width;
        job->words[DEPTHS_HEIGHT] = left < rows ? left : rows;
        job->words[DEPTHS_DEPTH] = 1;
        job->words[DEPTHS_ROW] = row;
        job->words[DEPTHS_REGION] = BUFFER_RULE_DEPTH | region->number << 8;
        job->words[DEPTHS_FIRST_ROW] = y;
        job->words[DEPTHS_FIRST_SLICE] = slice;
        gpu_job_run(job, BIND_POINTS);
    }
}

/* Checks the depths that one region of a copy reads, with a job for each slice. */
static void copy_job_check_region(struct gpu_job *job, const struct buffer *buffer,
                                  const struct image *image, const struct depth_region *region,
                                  uint32_t *jobs)
{
    uint32_t layers = region->subresource.layerCount;
    if (layers == VK_REMAINING_ARRAY_LAYERS)
        layers = region->subresource.baseArrayLayer < image->array_layers
                     ? image->array_layers - region->subresource.baseArrayLayer
                     : 0;
    uint32_t row = region->row ? region->row : region->extent.width;
    uint64_t slice =
        (uint64_t)row * (region->slice_rows ? region->slice_rows : region->extent.height);
    uint32_t slices = layers > region->extent.depth ? layers : region->extent.depth;
    if (!region->extent.width || !region->extent.height || !slices || row < region->extent.width)
        return;
    uint64_t texels =
        (slices - 1) * slice + (uint64_t)row * (region->extent.height - 1) + region->extent.width;
    VkDeviceAddress address = gpu_job_buffer(job, buffer, region->offset, texels * sizeof(float));
    for (uint32_t i = 0; address && i < slices; i++)
        check_slice(job, address + i * slice * sizeof(float), region, row, i, jobs);
}

/* If VK_EXT_depth_range_unrestricted is not enabled, the depth data that are copied to an image
 * must be in the range [0,1]. This holds for each element of pRegions whose imageSubresource
 * contains a depth aspect. Normalized formats have no other values. */
static bool begin_depths(struct gpu_job *job, struct call *call, const struct image *image)
{
    const struct settings *settings = &call->instance->settings;
    if (!image ||
        (image->format != VK_FORMAT_D32_SFLOAT && image->format != VK_FORMAT_D32_SFLOAT_S8_UINT) ||
        extension_set_has(&call->device->extensions, EXTENSION_VK_EXT_depth_range_unrestricted) ||
        !gpu_job_begin(job, call, settings->gpuav_buffer_copies, GPU_JOB_DEPTHS,
                       VK_PIPELINE_STAGE_TRANSFER_BIT))
        return false;
    gpu_action_begin(call, BIND_POINTS);
    return true;
}

void gpu_before_CmdCopyBufferToImage_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBuffer srcBuffer, VkImage dstImage,
                                             VkImageLayout dstImageLayout, uint32_t regionCount,
                                             const VkBufferImageCopy *pRegions)
{
    const struct image *image = named_image(call, 1, dstImage);
    const struct buffer *buffer = named_buffer(call, 0, srcBuffer);
    struct gpu_job job;
    uint32_t jobs = 0;
    if (!begin_depths(&job, call, image))
        return;
    for (uint32_t i = 0; i < regionCount; i++) {
        const VkBufferImageCopy *in = &pRegions[i];
        const struct depth_region region = {i,
                                            in->bufferOffset,
                                            in->bufferRowLength,
                                            in->bufferImageHeight,
                                            in->imageSubresource,
                                            in->imageExtent};
        if (in->imageSubresource.aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT)
            copy_job_check_region(&job, buffer, image, &region, &jobs);
    }
}

void gpu_before_CmdCopyBufferToImage2_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkCopyBufferToImageInfo2
                                                  *pCopyBufferToImageInfo)
{
    const struct image *image = find_image(call, pCopyBufferToImageInfo->dstImage);
    const struct buffer *buffer = find_buffer(call, pCopyBufferToImageInfo->srcBuffer);
    struct gpu_job job;
    uint32_t jobs = 0;
    if (!begin_depths(&job, call, image))
        return;
    for (uint32_t i = 0; i < pCopyBufferToImageInfo->regionCount; i++) {
        const VkBufferImageCopy2 *in = &pCopyBufferToImageInfo->pRegions[i];
        const struct depth_region region = {i,
                                            in->bufferOffset,
                                            in->bufferRowLength,
                                            in->bufferImageHeight,
                                            in->imageSubresource,
                                            in->imageExtent};
        if (in->imageSubresource.aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT)
            copy_job_check_region(&job, buffer, image, &region, &jobs);
    }
}

/* --- indirect copies --- */

/* Begins a job that looks at `count` structures of `size` bytes, which lie in `range`. Returns
 * false if checks are off, or no known buffer has the addresses. */
static bool begin_indirect(struct gpu_job *job, struct call *call,
                           const VkStridedDeviceAddressRangeKHR *range, uint32_t count, size_t size)
{
    if (!count ||
        !gpu_job_begin(job, call, call->instance->settings.gpuav_copy_memory_indirect,
                       GPU_JOB_LIMITS,
                       VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT))
        return false;
    VkDeviceAddress address =
        gpu_job_range(job, range->address, range->stride * (count - 1) + size);
    if (!address || range->stride % 4 || range->stride > UINT32_MAX)
        return false;
    gpu_action_begin(call, BIND_POINTS);
    gpu_command_note_address(call, address, (uint32_t)range->stride);
    gpu_job_address(job, JOB_DATA, address);
    job->words[LIMITS_COUNT] = count;
    job->words[LIMITS_STRIDE] = (uint32_t)(range->stride / 4);
    return true;
}

void gpu_before_CmdCopyMemoryIndirectKHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkCopyMemoryIndirectInfoKHR
                                                     *pCopyMemoryIndirectInfo)
{
    const VkCopyMemoryIndirectInfoKHR *info = pCopyMemoryIndirectInfo;
    struct gpu_job job;
    if (!begin_indirect(&job, call, &info->copyAddressRange, info->copyCount,
                        sizeof(VkCopyMemoryIndirectCommandKHR)))
        return;
    /* The srcAddress must be 4 byte aligned; likewise dstAddress, and size */
    gpu_job_limit(&job, BUFFER_RULE_COPY_SRC, LIMIT_MULTIPLE, 0, 4);
    gpu_job_limit(&job, BUFFER_RULE_COPY_DST, LIMIT_MULTIPLE, 2, 4);
    gpu_job_limit(&job, BUFFER_RULE_COPY_SIZE, LIMIT_MULTIPLE, 4, 4);
    /* The range of memory defined by srcAddress and size must be a device address range allocated
     * to the application from a buffer; likewise dstAddress */
    gpu_job_limit(&job, BUFFER_RULE_COPY_SRC_RANGE, LIMIT_RANGE, 0 | 4 << 8, 0);
    gpu_job_limit(&job, BUFFER_RULE_COPY_DST_RANGE, LIMIT_RANGE, 2 | 4 << 8, 0);
    /* "Each memory location accessed by this command must not be accessed by both a source region
     * and a destination region, nor by more than one destination region" */
    if (info->copyCount <= COPIES_COMPARED)
        gpu_job_limit(&job, BUFFER_RULE_COPY_OVERLAP, LIMIT_APART, 2, 0);
    /* In safe mode a structure that breaks a rule gets a size of 0 in the copy: the last two words
     * are zeroed. */
    gpu_safe_copies_ask(&job, sizeof(VkCopyMemoryIndirectCommandKHR) / 4,
                        offsetof(VkCopyMemoryIndirectCommandKHR, size) / 4, 2);
    if (gpu_job_run(&job, BIND_POINTS))
        gpu_safe_copies_use(&job);
}

/* Adds the limits that the subresource sets: the region lies in it, and each structure names it.
 * The caller has checked that all structures are about the same subresource. */
static void limit_region(struct gpu_job *job, const struct image *image,
                         const VkImageSubresourceLayers *subresource)
{
    const uint32_t level = subresource->mipLevel;
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_X, LIMIT_SUM, 11 | 8 << 8,
                  mip_extent(image->extent.width, level));
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_Y, LIMIT_SUM, 12 | 9 << 8,
                  mip_extent(image->extent.height, level));
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_ASPECT, LIMIT_EQUAL, 4, subresource->aspectMask);
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_MIP, LIMIT_EQUAL, 5, level);
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_LAYER, LIMIT_EQUAL, 6, subresource->baseArrayLayer);
    gpu_job_limit(job, BUFFER_RULE_COPY_IMAGE_LAYERS, LIMIT_EQUAL, 7, subresource->layerCount);
}

/* True if all regions name the subresource of the first one. Padding is not an issue:
 * VkImageSubresourceLayers has four words. */
static bool are_same(const VkImageSubresourceLayers *subresources, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (memcmp(&subresources[0], &subresources[i], sizeof(subresources[0])) != 0)
            return false;
    }
    return true;
}

void gpu_before_CmdCopyMemoryToImageIndirectKHR_buffers(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        const VkCopyMemoryToImageIndirectInfoKHR
                                                            *pCopyMemoryToImageIndirectInfo)
{
    const VkCopyMemoryToImageIndirectInfoKHR *info = pCopyMemoryToImageIndirectInfo;
    const struct image *image = find_image(call, info->dstImage);
    struct gpu_job job;
    if (!begin_indirect(&job, call, &info->copyAddressRange, info->copyCount,
                        sizeof(VkCopyMemoryToImageIndirectCommandKHR)))
        return;
    /* The srcAddress must be 4 byte aligned, and a device address allocated to the application from
     * a buffer */
    gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_SRC, LIMIT_MULTIPLE, 0, 4);
    gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_RANGE, LIMIT_RANGE, 0 | LIMIT_ONE << 8, 0);
    /* bufferRowLength must be 0, or greater than or equal to the width of imageExtent;
     * bufferImageHeight to its height */
    gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_ROW, LIMIT_LEAST, 2 | 11 << 8, 0);
    gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_ROWS, LIMIT_LEAST, 3 | 12 << 8, 0);
    if (image && !pointer_is_bad(info->pImageSubresources) &&
        are_same(info->pImageSubresources, info->copyCount))
        limit_region(&job, image, &info->pImageSubresources[0]);
    /* srcAddress must be a multiple of the texel block size */
    const uint32_t block = image && format_is_color(image->format) && image->plane_count == 1
                               ? format_aspect_block_size(image->format, VK_IMAGE_ASPECT_COLOR_BIT)
                               : 0;
    /* A block of 4 bytes or less is covered by the rule above. LIMIT_MULTIPLE only takes powers of
     * two, so blocks of three components are left out. */
    if (block > 4 && !(block & (block - 1)))
        gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_TEXEL, LIMIT_MULTIPLE, 0, block);
    /* For 1D and 2D images imageOffset.z must be 0, and imageExtent.depth 1 */
    if (image && image->type != VK_IMAGE_TYPE_3D) {
        gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_Z, LIMIT_EQUAL, 10, 0);
        gpu_job_limit(&job, BUFFER_RULE_COPY_IMAGE_DEPTH, LIMIT_EQUAL, 13, 1);
    }
    gpu_safe_copies_ask(&job, sizeof(VkCopyMemoryToImageIndirectCommandKHR) / 4,
                        offsetof(VkCopyMemoryToImageIndirectCommandKHR, imageExtent) / 4, 3);
    if (gpu_job_run(&job, BIND_POINTS))
        gpu_safe_copies_use(&job);
}
