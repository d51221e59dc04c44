/* Answers how large a resource is, where it lives, and what the host sees of its memory. */
#include "null_driver.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Alignment of every resource: the largest that a block size or a descriptor may need. */
#define RESOURCE_ALIGNMENT 256
/* Device addresses begin where no CPU pointer of a program is, so that a mix-up shows. */
#define FIRST_ADDRESS     0x0000800000000000ull
#define ADDRESS_ALIGNMENT 65536ull
/* The size of a resource whose contents only the driver knows (acceleration structures, sessions,
 * tensors ...). */
#define OPAQUE_RESOURCE_SIZE 65536
/* No image has more; a number that a test made up ends here. */
#define MIP_LEVELS_MOST 32

static VkDeviceSize align_up(VkDeviceSize size, VkDeviceSize alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

VkDeviceAddress address_reserve(VkDeviceSize size)
{
    static _Atomic uint64_t next = FIRST_ADDRESS;
    return atomic_fetch_add_explicit(&next, align_up(size ? size : 1, ADDRESS_ALIGNMENT),
                                     memory_order_relaxed);
}

/* --- memory objects --------------------------------------------------------------------------- */

static VkResult import_external(struct memory *memory, const VkMemoryAllocateInfo *info)
{
    const VkImportMemoryHostPointerInfoEXT *host =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    if (host && host->handleType) {
        atomic_store_explicit(&memory->host, host->pHostPointer, memory_order_relaxed);
        memory->host_is_ours = false;
    }
    const VkImportMemoryFdInfoKHR *fd =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    if (fd && fd->handleType) {
        if (fd->fd < 0)
            return VK_ERROR_INVALID_EXTERNAL_HANDLE;
        close(fd->fd);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_AllocateMemory(VkDevice device,
                                                   const VkMemoryAllocateInfo *pAllocateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkDeviceMemory *pMemory)
{
    const struct device *object = (const struct device *)device;
    if (pAllocateInfo->allocationSize > object->dispatchable.config->heap_size)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    struct memory *memory = object_new(VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memory->size = pAllocateInfo->allocationSize;
    memory->type_index = pAllocateInfo->memoryTypeIndex;
    memory->host_is_ours = true;
    VkResult result = import_external(memory, pAllocateInfo);
    if (result != VK_SUCCESS) {
        object_free(memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
        return result;
    }
    const VkMemoryOpaqueCaptureAddressAllocateInfo *replay =
        chain_find(pAllocateInfo->pNext,
                   VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
    memory->address = replay && replay->opaqueCaptureAddress ? replay->opaqueCaptureAddress
                                                             : address_reserve(memory->size);
    *pMemory = (VkDeviceMemory)memory;
    return VK_SUCCESS;
}

static void memory_drop_host(struct memory *memory)
{
    void *host = atomic_exchange(&memory->host, NULL);
    if (host && memory->host_is_ours)
        munmap(host, memory->size);
}

VKAPI_ATTR void VKAPI_CALL null_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                           const VkAllocationCallbacks *pAllocator)
{
    struct memory *object = object_get(memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!object)
        return;
    memory_drop_host(object);
    object_free(object, VK_OBJECT_TYPE_DEVICE_MEMORY);
}

/* The memory's host pointer; made at the first mapping. Two threads that wrongly map at once get
 * the same one. */
static void *memory_host(struct memory *memory)
{
    void *host = atomic_load_explicit(&memory->host, memory_order_acquire);
    if (host)
        return host;
    host = mmap(NULL, memory->size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return NULL;
    void *expected = NULL;
    if (!atomic_compare_exchange_strong(&memory->host, &expected, host)) {
        munmap(host, memory->size);
        return expected;
    }
    return host;
}

static VkResult memory_map(VkDeviceMemory handle, VkDeviceSize offset, void *placed, void **data)
{
    struct memory *memory = object_get(handle, VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!memory || offset >= memory->size)
        return VK_ERROR_MEMORY_MAP_FAILED;
    if (placed) {
        void *host = mmap(placed, memory->size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (host == MAP_FAILED)
            return VK_ERROR_MEMORY_MAP_FAILED;
        memory_drop_host(memory);
        memory->host_is_ours = true;
        atomic_store(&memory->host, host);
    }
    char *host = memory_host(memory);
    if (!host)
        return VK_ERROR_MEMORY_MAP_FAILED;
    *data = host + offset;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_MapMemory(VkDevice device, VkDeviceMemory memory,
                                              VkDeviceSize offset, VkDeviceSize size,
                                              VkMemoryMapFlags flags, void **ppData)
{
    return memory_map(memory, offset, NULL, ppData);
}

VKAPI_ATTR VkResult VKAPI_CALL null_MapMemory2(VkDevice device,
                                               const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
    const VkMemoryMapPlacedInfoEXT *placed =
        chain_find(pMemoryMapInfo->pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
    bool use = placed && (pMemoryMapInfo->flags & VK_MEMORY_MAP_PLACED_BIT_EXT);
    return memory_map(pMemoryMapInfo->memory, pMemoryMapInfo->offset,
                      use ? placed->pPlacedAddress : NULL, ppData);
}

/* The host pointer stays until the memory is freed, unless the app wants its address range back. */
VKAPI_ATTR VkResult VKAPI_CALL null_UnmapMemory2(VkDevice device,
                                                 const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
    struct memory *memory = object_get(pMemoryUnmapInfo->memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!memory || !(pMemoryUnmapInfo->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT))
        return VK_SUCCESS;
    void *host = atomic_exchange(&memory->host, NULL);
    if (host)
        (void)mmap(host, memory->size, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory,
                                                          VkDeviceSize *pCommittedMemoryInBytes)
{
    *pCommittedMemoryInBytes = 0;
}

VKAPI_ATTR uint64_t VKAPI_CALL
null_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device,
                                         const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
    const struct memory *memory = object_get(pInfo->memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
    return memory ? memory->address : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL null_GetMemoryFdKHR(VkDevice device,
                                                   const VkMemoryGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    const struct memory *memory = object_get(pGetFdInfo->memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
    *pFd = memfd_create("assay-null-memory", MFD_CLOEXEC);
    if (*pFd < 0)
        return VK_ERROR_TOO_MANY_OBJECTS;
    return !memory || ftruncate(*pFd, (off_t)memory->size) == 0 ? VK_SUCCESS
                                                                : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* --- buffers ---------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL null_CreateBuffer(VkDevice device,
                                                 const VkBufferCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkBuffer *pBuffer)
{
    struct buffer *buffer = object_new(VK_OBJECT_TYPE_BUFFER);
    if (!buffer)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    buffer->size = pCreateInfo->size;
    buffer->protected = (pCreateInfo->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0;
    const VkBufferOpaqueCaptureAddressCreateInfo *replay =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO);
    if (replay)
        atomic_store_explicit(&buffer->address, replay->opaqueCaptureAddress, memory_order_relaxed);
    *pBuffer = (VkBuffer)buffer;
    return VK_SUCCESS;
}

static VkMemoryRequirements plain_requirements(VkDeviceSize size)
{
    return (VkMemoryRequirements){align_up(size ? size : 1, RESOURCE_ALIGNMENT), RESOURCE_ALIGNMENT,
                                  MEMORY_TYPES_COMMON};
}

static VkMemoryRequirements buffer_requirements(VkDeviceSize size, bool protected)
{
    VkMemoryRequirements requirements = plain_requirements(size);
    if (protected)
        requirements.memoryTypeBits = 1u << MEMORY_TYPE_PROTECTED;
    return requirements;
}

VKAPI_ATTR void VKAPI_CALL
null_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                 VkMemoryRequirements *pMemoryRequirements)
{
    const struct buffer *object = object_get(buffer, VK_OBJECT_TYPE_BUFFER);
    *pMemoryRequirements =
        object ? buffer_requirements(object->size, object->protected) : plain_requirements(0);
}

static void requirements_write(VkDevice device, VkMemoryRequirements2 *out,
                               VkMemoryRequirements requirements)
{
    const struct config *config = ((const struct dispatchable *)device)->config;
    out->memoryRequirements = requirements;
    out_chain(out->pNext);
    VkMemoryDedicatedRequirements *dedicated =
        (void *)chain_find(out->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
    VkTileMemoryRequirementsQCOM *tile =
        (void *)chain_find(out->pNext, VK_STRUCTURE_TYPE_TILE_MEMORY_REQUIREMENTS_QCOM);
    if (tile) {
        tile->size = requirements.size;
        tile->alignment = requirements.alignment;
    }
    if (dedicated)
        dedicated->prefersDedicatedAllocation = dedicated->requiresDedicatedAllocation =
            config->dedicated;
}

VKAPI_ATTR void VKAPI_CALL
null_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *pInfo,
                                  VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct buffer *buffer = object_get(pInfo->buffer, VK_OBJECT_TYPE_BUFFER);
    requirements_write(device, pMemoryRequirements,
                       buffer ? buffer_requirements(buffer->size, buffer->protected)
                              : plain_requirements(0));
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceBufferMemoryRequirements(VkDevice device,
                                       const VkDeviceBufferMemoryRequirements *pInfo,
                                       VkMemoryRequirements2 *pMemoryRequirements)
{
    const VkBufferCreateInfo *info = pInfo->pCreateInfo;
    requirements_write(device, pMemoryRequirements,
                       buffer_requirements(info->size,
                                           info->flags & VK_BUFFER_CREATE_PROTECTED_BIT));
}

static void buffer_bind(VkBuffer handle, VkDeviceMemory memory_handle, VkDeviceSize offset)
{
    struct buffer *buffer = object_get(handle, VK_OBJECT_TYPE_BUFFER);
    struct memory *memory = object_get(memory_handle, VK_OBJECT_TYPE_DEVICE_MEMORY);
    if (!buffer || !memory)
        return;
    buffer->memory = memory;
    buffer->memory_offset = offset;
    atomic_store_explicit(&buffer->address, memory->address + offset, memory_order_release);
}

VKAPI_ATTR VkResult VKAPI_CALL null_BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                     VkDeviceMemory memory,
                                                     VkDeviceSize memoryOffset)
{
    buffer_bind(buffer, memory, memoryOffset);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
                                                      const VkBindBufferMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        buffer_bind(pBindInfos[i].buffer, pBindInfos[i].memory, pBindInfos[i].memoryOffset);
        const VkBindMemoryStatus *status =
            chain_find(pBindInfos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
        if (status)
            *status->pResult = VK_SUCCESS;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
null_GetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *pInfo)
{
    struct buffer *buffer = object_get(pInfo->buffer, VK_OBJECT_TYPE_BUFFER);
    if (!buffer)
        return 0;
    VkDeviceAddress address = atomic_load_explicit(&buffer->address, memory_order_acquire);
    if (address)
        return address;
    /* A sparse buffer is bound to no single memory object. */
    VkDeviceAddress fresh = address_reserve(buffer->size);
    return atomic_compare_exchange_strong(&buffer->address, &address, fresh) ? fresh : address;
}

VKAPI_ATTR uint64_t VKAPI_CALL
null_GetBufferOpaqueCaptureAddress(VkDevice device, const VkBufferDeviceAddressInfo *pInfo)
{
    return null_GetBufferDeviceAddress(device, pInfo);
}

/* --- images ----------------------------------------------------------------------------------- */

static void image_describe(struct image *image, const VkImageCreateInfo *info)
{
    image->format = info->format;
    image->extent = info->extent;
    image->mip_levels = info->mipLevels;
    image->array_layers = info->arrayLayers;
    image->type = (uint8_t)info->imageType;
    image->samples = (uint8_t)info->samples;
    image->linear = info->tiling == VK_IMAGE_TILING_LINEAR;
    image->transient = (info->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) != 0;
    image->sparse = (info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
    image->disjoint = (info->flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
    image->protected = (info->flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0;
}

struct image *image_new(const VkImageCreateInfo *info)
{
    struct image *image = object_new(VK_OBJECT_TYPE_IMAGE);
    if (image)
        image_describe(image, info);
    return image;
}

VKAPI_ATTR VkResult VKAPI_CALL null_CreateImage(VkDevice device,
                                                const VkImageCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkImage *pImage)
{
    *pImage = (VkImage)image_new(pCreateInfo);
    return *pImage ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static uint32_t mip_size(uint32_t size, uint32_t level)
{
    return level < 32 && size >> level ? size >> level : 1;
}

static int plane_of(VkImageAspectFlags aspects)
{
    if (aspects & (VK_IMAGE_ASPECT_PLANE_2_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT))
        return 2;
    return aspects & (VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT) ? 1 : 0;
}

/* One mip level of one layer of one plane. */
static VkSubresourceLayout level_layout(const struct image *image, int plane, uint32_t level)
{
    static const struct format_info plain = {.block_size = 4, .block_extent = {1, 1, 1}};
    const struct format_info *format = format_find(image->format);
    if (!format)
        format = &plain;
    uint64_t width = mip_size(image->extent.width, level),
             height = mip_size(image->extent.height, level);
    uint64_t block = format->block_size;
    if (plane < format->plane_count) {
        width = (width + format->planes[plane].width_divisor - 1u) /
                format->planes[plane].width_divisor;
        height = (height + format->planes[plane].height_divisor - 1u) /
                 format->planes[plane].height_divisor;
        block = format->planes[plane].block_size;
    }
    uint64_t columns = (width + format->block_extent[0] - 1u) / format->block_extent[0];
    uint64_t rows = (height + format->block_extent[1] - 1u) / format->block_extent[1];
    uint64_t slices = (mip_size(image->extent.depth, level) + format->block_extent[2] - 1u) /
                      format->block_extent[2];
    VkSubresourceLayout layout = {.rowPitch = align_up(columns * block, 64)};
    layout.depthPitch = layout.rowPitch * rows;
    layout.size = align_up(layout.depthPitch * slices * (image->samples ? image->samples : 1u),
                           RESOURCE_ALIGNMENT);
    return layout;
}

static int plane_total(const struct image *image)
{
    const struct format_info *format = format_find(image->format);
    return format && format->plane_count ? format->plane_count : 1;
}

/* All levels of all layers of one plane. */
static VkDeviceSize plane_size(const struct image *image, int plane)
{
    VkDeviceSize size = 0;
    for (uint32_t level = 0; level < image->mip_levels && level < MIP_LEVELS_MOST; level++)
        size += level_layout(image, plane, level).size;
    return size * image->array_layers;
}

static VkSubresourceLayout image_layout(const struct image *image, VkImageSubresource subresource)
{
    int plane = plane_of(subresource.aspectMask);
    VkSubresourceLayout layout = level_layout(image, plane, subresource.mipLevel);
    VkDeviceSize layer = image->array_layers ? plane_size(image, plane) / image->array_layers : 0;
    layout.arrayPitch = layer;
    layout.offset = layer * subresource.arrayLayer;
    for (uint32_t level = 0; level < subresource.mipLevel && level < MIP_LEVELS_MOST; level++)
        layout.offset += level_layout(image, plane, level).size;
    if (image->disjoint)
        return layout;
    for (int before = 0; before < plane; before++)
        layout.offset += plane_size(image, before);
    return layout;
}

/* plane: -1 for the whole image. */
static VkMemoryRequirements image_requirements(const struct image *image, int plane)
{
    VkMemoryRequirements requirements = {.alignment = RESOURCE_ALIGNMENT,
                                         .memoryTypeBits = MEMORY_TYPES_COMMON};
    for (int i = 0; i < plane_total(image); i++) {
        if (plane < 0 || i == plane)
            requirements.size += plane_size(image, i);
    }
    if (!requirements.size)
        requirements.size = RESOURCE_ALIGNMENT;
    if (image->sparse) {
        requirements.alignment = ADDRESS_ALIGNMENT;
        requirements.size = align_up(requirements.size, ADDRESS_ALIGNMENT);
    }
    if (image->transient)
        requirements.memoryTypeBits |= 1u << MEMORY_TYPE_LAZY;
    if (image->protected)
        requirements.memoryTypeBits = 1u << MEMORY_TYPE_PROTECTED;
    return requirements;
}

VKAPI_ATTR void VKAPI_CALL
null_GetImageMemoryRequirements(VkDevice device, VkImage image,
                                VkMemoryRequirements *pMemoryRequirements)
{
    const struct image *object = object_get(image, VK_OBJECT_TYPE_IMAGE);
    *pMemoryRequirements = object ? image_requirements(object, -1) : plain_requirements(0);
}

VKAPI_ATTR void VKAPI_CALL
null_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *pInfo,
                                 VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct image *image = object_get(pInfo->image, VK_OBJECT_TYPE_IMAGE);
    const VkImagePlaneMemoryRequirementsInfo *plane =
        chain_find(pInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
    requirements_write(device, pMemoryRequirements,
                       image ? image_requirements(image, plane ? plane_of(plane->planeAspect) : -1)
                             : plain_requirements(0));
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *pInfo,
                                      VkMemoryRequirements2 *pMemoryRequirements)
{
    struct image image = {.format = VK_FORMAT_UNDEFINED};
    image_describe(&image, pInfo->pCreateInfo);
    requirements_write(device, pMemoryRequirements,
                       image_requirements(&image,
                                          image.disjoint ? plane_of(pInfo->planeAspect) : -1));
}

VKAPI_ATTR VkResult VKAPI_CALL null_BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
                                                     const VkBindImageMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindMemoryStatus *status =
            chain_find(pBindInfos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
        if (status)
            *status->pResult = VK_SUCCESS;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_GetImageSubresourceLayout(VkDevice device, VkImage image,
                                                          const VkImageSubresource *pSubresource,
                                                          VkSubresourceLayout *pLayout)
{
    const struct image *object = object_get(image, VK_OBJECT_TYPE_IMAGE);
    *pLayout = object ? image_layout(object, *pSubresource) : (VkSubresourceLayout){0};
}

static void layout_write(VkSubresourceLayout2 *out, VkSubresourceLayout layout)
{
    out->subresourceLayout = layout;
    out_chain(out->pNext);
    VkSubresourceHostMemcpySize *size =
        (void *)chain_find(out->pNext, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE);
    if (size)
        size->size = layout.size;
}

VKAPI_ATTR void VKAPI_CALL null_GetImageSubresourceLayout2(VkDevice device, VkImage image,
                                                           const VkImageSubresource2 *pSubresource,
                                                           VkSubresourceLayout2 *pLayout)
{
    const struct image *object = object_get(image, VK_OBJECT_TYPE_IMAGE);
    layout_write(pLayout, object ? image_layout(object, pSubresource->imageSubresource)
                                 : (VkSubresourceLayout){0});
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceImageSubresourceLayout(VkDevice device, const VkDeviceImageSubresourceInfo *pInfo,
                                     VkSubresourceLayout2 *pLayout)
{
    struct image image = {.format = VK_FORMAT_UNDEFINED};
    image_describe(&image, pInfo->pCreateInfo);
    layout_write(pLayout, image_layout(&image, pInfo->pSubresource->imageSubresource));
}

/* --- sparse images ---------------------------------------------------------------------------- */

static VkSparseImageFormatProperties sparse_format(VkFormat format, VkImageType type)
{
    const struct format_info *info = format_find(format);
    VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
    if (info && info->flags & (FORMAT_DEPTH | FORMAT_STENCIL)) {
        aspects = (info->flags & FORMAT_DEPTH ? VK_IMAGE_ASPECT_DEPTH_BIT : 0u) |
                  (info->flags & FORMAT_STENCIL ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
    }
    VkExtent3D granularity =
        type == VK_IMAGE_TYPE_3D ? (VkExtent3D){32, 32, 16} : (VkExtent3D){128, 128, 1};
    return (VkSparseImageFormatProperties){.aspectMask = aspects, .imageGranularity = granularity};
}

static VkSparseImageMemoryRequirements sparse_requirements(const struct image *image)
{
    VkDeviceSize layer =
        image->array_layers ? image_requirements(image, -1).size / image->array_layers : 0;
    return (VkSparseImageMemoryRequirements){
        .formatProperties = sparse_format(image->format, (VkImageType)image->type),
        .imageMipTailFirstLod = image->mip_levels,
        .imageMipTailStride = layer};
}

VKAPI_ATTR void VKAPI_CALL
null_GetImageSparseMemoryRequirements(VkDevice device, VkImage image,
                                      uint32_t *pSparseMemoryRequirementCount,
                                      VkSparseImageMemoryRequirements *pSparseMemoryRequirements)
{
    const struct image *object = object_get(image, VK_OBJECT_TYPE_IMAGE);
    bool sparse = object && object->sparse;
    VkSparseImageMemoryRequirements requirements =
        sparse ? sparse_requirements(object) : (VkSparseImageMemoryRequirements){0};
    (void)enumerate_values(pSparseMemoryRequirementCount, pSparseMemoryRequirements, &requirements,
                           sparse, sizeof(requirements));
}

static void sparse_write(const struct image *image, uint32_t *count,
                         VkSparseImageMemoryRequirements2 *out)
{
    bool sparse = image && image->sparse;
    if (out && *count && sparse) {
        out->memoryRequirements = sparse_requirements(image);
        out_chain(out->pNext);
    }
    *count = sparse && (!out || *count) ? 1 : 0;
}

VKAPI_ATTR void VKAPI_CALL
null_GetImageSparseMemoryRequirements2(VkDevice device,
                                       const VkImageSparseMemoryRequirementsInfo2 *pInfo,
                                       uint32_t *pSparseMemoryRequirementCount,
                                       VkSparseImageMemoryRequirements2 *pSparseMemoryRequirements)
{
    sparse_write(object_get(pInfo->image, VK_OBJECT_TYPE_IMAGE), pSparseMemoryRequirementCount,
                 pSparseMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceImageSparseMemoryRequirements(VkDevice device,
                                            const VkDeviceImageMemoryRequirements *pInfo,
                                            uint32_t *pSparseMemoryRequirementCount,
                                            VkSparseImageMemoryRequirements2
                                                *pSparseMemoryRequirements)
{
    struct image image = {.format = VK_FORMAT_UNDEFINED};
    image_describe(&image, pInfo->pCreateInfo);
    sparse_write(&image, pSparseMemoryRequirementCount, pSparseMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                  VkImageType type, VkSampleCountFlagBits samples,
                                                  VkImageUsageFlags usage, VkImageTiling tiling,
                                                  uint32_t *pPropertyCount,
                                                  VkSparseImageFormatProperties *pProperties)
{
    VkSparseImageFormatProperties properties = sparse_format(format, type);
    (void)enumerate_values(pPropertyCount, pProperties, &properties,
                           tiling == VK_IMAGE_TILING_OPTIMAL, sizeof(properties));
}

VKAPI_ATTR void VKAPI_CALL
null_GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                                   const VkPhysicalDeviceSparseImageFormatInfo2
                                                       *pFormatInfo,
                                                   uint32_t *pPropertyCount,
                                                   VkSparseImageFormatProperties2 *pProperties)
{
    bool sparse = pFormatInfo->tiling == VK_IMAGE_TILING_OPTIMAL;
    if (pProperties && *pPropertyCount && sparse) {
        pProperties->properties = sparse_format(pFormatInfo->format, pFormatInfo->type);
        out_chain(pProperties->pNext);
    }
    *pPropertyCount = sparse && (!pProperties || *pPropertyCount) ? 1 : 0;
}

/* --- what only the driver knows the size of --------------------------------------------------- */

static void opaque_requirements(VkMemoryRequirements2 *out)
{
    out->memoryRequirements = plain_requirements(OPAQUE_RESOURCE_SIZE);
    out_chain(out->pNext);
}

VKAPI_ATTR void VKAPI_CALL null_GetAccelerationStructureMemoryRequirementsNV(
    VkDevice device, const VkAccelerationStructureMemoryRequirementsInfoNV *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetGeneratedCommandsMemoryRequirementsNV(VkDevice device,
                                              const VkGeneratedCommandsMemoryRequirementsInfoNV
                                                  *pInfo,
                                              VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetGeneratedCommandsMemoryRequirementsEXT(VkDevice device,
                                               const VkGeneratedCommandsMemoryRequirementsInfoEXT
                                                   *pInfo,
                                               VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetPipelineIndirectMemoryRequirementsNV(VkDevice device,
                                             const VkComputePipelineCreateInfo *pCreateInfo,
                                             VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetTensorMemoryRequirementsARM(VkDevice device, const VkTensorMemoryRequirementsInfoARM *pInfo,
                                    VkMemoryRequirements2 *pMemoryRequirements)
{
    VkMemoryRequirements requirements = plain_requirements(OPAQUE_RESOURCE_SIZE);
    requirements.memoryTypeBits |= 1u << MEMORY_TYPE_PROTECTED;
    requirements_write(device, pMemoryRequirements, requirements);
}

VKAPI_ATTR void VKAPI_CALL
null_GetDeviceTensorMemoryRequirementsARM(VkDevice device,
                                          const VkDeviceTensorMemoryRequirementsARM *pInfo,
                                          VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

/* Each session has one object, of transient memory. */
VKAPI_ATTR VkResult VKAPI_CALL null_GetDataGraphPipelineSessionBindPointRequirementsARM(
    VkDevice device, const VkDataGraphPipelineSessionBindPointRequirementsInfoARM *pInfo,
    uint32_t *pBindPointRequirementCount,
    VkDataGraphPipelineSessionBindPointRequirementARM *pBindPointRequirements)
{
    VkResult result = enumerate_out(pBindPointRequirementCount, pBindPointRequirements, 1,
                                    sizeof(*pBindPointRequirements), true);
    if (pBindPointRequirements && *pBindPointRequirementCount) {
        pBindPointRequirements->bindPoint = VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM;
        pBindPointRequirements->bindPointType =
            VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TYPE_MEMORY_ARM;
        pBindPointRequirements->numObjects = 1;
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL null_GetDataGraphPipelineSessionMemoryRequirementsARM(
    VkDevice device, const VkDataGraphPipelineSessionMemoryRequirementsInfoARM *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    opaque_requirements(pMemoryRequirements);
}

VKAPI_ATTR VkResult VKAPI_CALL
null_GetVideoSessionMemoryRequirementsKHR(VkDevice device, VkVideoSessionKHR videoSession,
                                          uint32_t *pMemoryRequirementsCount,
                                          VkVideoSessionMemoryRequirementsKHR *pMemoryRequirements)
{
    const uint32_t total = ((const struct device *)device)->dispatchable.config->video_memory;
    VkResult result = enumerate_out(pMemoryRequirementsCount, pMemoryRequirements, total,
                                    sizeof(*pMemoryRequirements), true);
    for (uint32_t i = 0; pMemoryRequirements && i < *pMemoryRequirementsCount; i++) {
        pMemoryRequirements[i].memoryBindIndex = i;
        pMemoryRequirements[i].memoryRequirements = plain_requirements(OPAQUE_RESOURCE_SIZE);
    }
    return result;
}
