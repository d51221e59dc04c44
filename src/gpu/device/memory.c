/* Allocates the memory that the layer shares with shaders. It consists of blocks of driver memory,
 * each with one buffer over all of it. Small pieces have sizes of powers of two, and return to free
 * lists by size. */
#include "gpu/device/memory.h"

#include "base/vec.h"

#include <string.h>

/* The bytes of one driver allocation: large enough for few allocations (maxMemoryAllocationCount),
 * and small enough for a program that needs little. */
#define BLOCK_SIZE  (4u << 20)
#define CLASS_SHIFT 6 /* the smallest piece has 64 bytes */
#define LARGE_CLASS UINT32_MAX
/* Bytes of the largest piece; larger requests are refused, as the program needs the memory
 * itself. */
#define LARGEST_SIZE (256u << 20)
static_assert(1u << CLASS_SHIFT == GPU_MEMORY_ALIGNMENT,
              "a piece is aligned to its size, or to the alignment");

/* One allocation of the driver's with a buffer over all of it. Pieces are cut from it up to `used`.
 * Freed pieces go to the free lists, not back to the block. */
struct gpu_block {
    struct gpu_block *next, *previous;
    VkBuffer buffer; /* the driver's handle, as are all handles here */
    VkDeviceMemory memory;
    unsigned char *host; /* where the block is mapped */
    VkDeviceAddress address;
    enum gpu_memory_kind kind;
    uint32_t size, used; /* bytes */
};

VkBuffer gpu_memory_buffer(const struct gpu_memory *memory)
{
    return memory->block ? memory->block->buffer : VK_NULL_HANDLE;
}

/* --- blocks --- */

/* Returns how well a memory type suits; 0: it cannot be used. */
static uint32_t memory_type_score(VkMemoryPropertyFlags flags, enum gpu_memory_kind kind)
{
    assert((unsigned)kind < GPU_MEMORY_KINDS);
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    /* These types need a feature, or shaders cannot use them in ordinary command buffers. */
    const VkMemoryPropertyFlags never =
        VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
        VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV;
    if ((flags & needed) != needed || flags & never)
        return 0;
    bool local = flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
         cached = flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    return kind == GPU_MEMORY_READ ? 1 + 2u * local + !cached : 1 + 2u * cached + !local;
}

/* Tries the types from the best to the worst: memory near the GPU may be small, and full. */
static VkResult memory_allocate_best(const struct device *device, enum gpu_memory_kind kind,
                                     VkMemoryRequirements requirements, VkDeviceMemory *memory)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &flags,
                                 .allocationSize = requirements.size};
    const VkPhysicalDeviceMemoryProperties *types = &device->memory_properties;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t wanted = 4; wanted && result != VK_SUCCESS; wanted--) {
        for (uint32_t i = 0; i < types->memoryTypeCount && result != VK_SUCCESS; i++) {
            if (!(requirements.memoryTypeBits & 1u << i) ||
                memory_type_score(types->memoryTypes[i].propertyFlags, kind) != wanted)
                continue;
            info.memoryTypeIndex = i;
            result = device->dispatch.AllocateMemory(device->handle, &info, NULL, memory);
        }
    }
    return result;
}

/* Frees the driver's objects, if `device` is not NULL, and the structure, which must be in no
 * list. */
static void free_block(const struct device *device, struct gpu_block *block)
{
    if (device && block->buffer)
        device->dispatch.DestroyBuffer(device->handle, block->buffer, NULL);
    if (device && block->memory)
        device->dispatch.FreeMemory(device->handle, block->memory, NULL);
    mem_free(block);
}

/* Makes the buffer and memory of a block, mapped and with an address. Returns false if the driver
 * refused; free_block() frees the rest. */
static bool fill_block(struct gpu_allocator *allocator, enum gpu_memory_kind kind,
                       struct gpu_block *block)
{
    const struct device *device = allocator->device;
    const struct device_dispatch *driver = &device->dispatch;
    bool shared = allocator->family_count > 1;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = block->size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? allocator->family_count : 0,
        .pQueueFamilyIndices = shared ? allocator->families : NULL,
    };
    VkMemoryRequirements requirements;
    void *host;
    if (driver->CreateBuffer(device->handle, &info, NULL, &block->buffer) != VK_SUCCESS)
        return false;
    driver->GetBufferMemoryRequirements(device->handle, block->buffer, &requirements);
    if (memory_allocate_best(device, kind, requirements, &block->memory) != VK_SUCCESS ||
        driver->BindBufferMemory(device->handle, block->buffer, block->memory, 0) != VK_SUCCESS ||
        driver->MapMemory(device->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &host) != VK_SUCCESS)
        return false;
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = block->buffer};
    block->host = host;
    block->address = driver->GetBufferDeviceAddress(device->handle, &address);
    /* Shaders compute addresses from it, and rely on the alignment. */
    return block->address && block->address % GPU_MEMORY_ALIGNMENT == 0;
}

/* Allocates driver memory that imports the layer's own memory, `all` bytes at `host`. */
static VkResult allocate_imported(const struct device *device, void *host, uint32_t all,
                                  VkMemoryRequirements requirements, VkDeviceMemory *memory)
{
    const VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    const struct device_dispatch *driver = &device->dispatch;
    if (!driver->GetMemoryHostPointerPropertiesEXT || requirements.size > all ||
        driver->GetMemoryHostPointerPropertiesEXT(device->handle, type, host, &pointer) !=
            VK_SUCCESS)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = host};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = &import,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = all};
    const VkPhysicalDeviceMemoryProperties *types = &device->memory_properties;
    for (uint32_t i = 0; i < types->memoryTypeCount; i++) {
        /* Both the buffer and the pointer must support the memory type. */
        if (!(requirements.memoryTypeBits & pointer.memoryTypeBits & 1u << i) ||
            !memory_type_score(types->memoryTypes[i].propertyFlags, GPU_MEMORY_WRITTEN))
            continue;
        info.memoryTypeIndex = i;
        if (driver->AllocateMemory(device->handle, &info, NULL, memory) == VK_SUCCESS)
            return VK_SUCCESS;
    }
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Fills the block with imported host memory: `all` bytes at `host`. */
static bool fill_imported(struct gpu_allocator *allocator, void *host, uint32_t all,
                          struct gpu_block *block)
{
    const struct device *device = allocator->device;
    const struct device_dispatch *driver = &device->dispatch;
    const bool shared = allocator->family_count > 1;
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = block->size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? allocator->family_count : 0,
        .pQueueFamilyIndices = shared ? allocator->families : NULL,
    };
    VkMemoryRequirements requirements;
    if (driver->CreateBuffer(device->handle, &info, NULL, &block->buffer) != VK_SUCCESS)
        return false;
    driver->GetBufferMemoryRequirements(device->handle, block->buffer, &requirements);
    if (allocate_imported(device, host, all, requirements, &block->memory) != VK_SUCCESS ||
        driver->BindBufferMemory(device->handle, block->buffer, block->memory, 0) != VK_SUCCESS)
        return false;
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = block->buffer};
    block->host = host;
    block->address = driver->GetBufferDeviceAddress(device->handle, &address);
    return block->address && block->address % GPU_MEMORY_ALIGNMENT == 0;
}

bool gpu_memory_import(struct gpu_allocator *allocator, void *host, uint32_t size, uint32_t all,
                       struct gpu_memory *memory)
{
    assert(host && size && size <= all);
    struct gpu_block *block = mem_alloc_zeroed(sizeof(*block));
    if (!block)
        return false;
    /* The block is full from the beginning, so that no other piece is cut from it. */
    *block = (struct gpu_block){.kind = GPU_MEMORY_WRITTEN, .size = size, .used = size};
    if (!fill_imported(allocator, host, all, block)) {
        free_block(allocator->device, block);
        return false;
    }
    lock_take(&allocator->lock);
    block->next = allocator->blocks;
    if (block->next)
        block->next->previous = block;
    allocator->blocks = block;
    allocator->bytes += size;
    lock_release(&allocator->lock);
    *memory =
        (struct gpu_memory){.host = host, .address = block->address, .block = block, .size = size};
    return true;
}

/* Adds a block of `size` bytes to the allocator. Returns NULL if memory is out. */
static struct gpu_block *new_block(struct gpu_allocator *allocator, enum gpu_memory_kind kind,
                                   uint32_t size) REQUIRES(allocator->lock)
{
    assert(size && size % GPU_MEMORY_ALIGNMENT == 0);
    struct gpu_block *block = mem_alloc_zeroed(sizeof(*block));
    if (!block)
        return NULL;
    block->size = size;
    block->kind = kind;
    if (!fill_block(allocator, kind, block)) {
        free_block(allocator->device, block);
        return NULL;
    }
    block->next = allocator->blocks;
    if (block->next)
        block->next->previous = block;
    allocator->blocks = block;
    allocator->bytes += size;
    return block;
}

/* --- pieces --- */

/* Returns the class of the free list for pieces of this size: 64 bytes << class. LARGE_CLASS: no
 * list has such large pieces. */
static uint32_t memory_size_class(VkDeviceSize size)
{
    uint32_t class = 0;
    while (class < GPU_MEMORY_CLASSES && (VkDeviceSize)1 << (class + CLASS_SHIFT) < size)
        class++;
    return class < GPU_MEMORY_CLASSES ? class : LARGE_CLASS;
}

/* Cuts a piece from the block that is being filled, or from a new one. Returns false if memory is
 * out. */
static bool allocator_carve(struct gpu_allocator *allocator, enum gpu_memory_kind kind,
                            uint32_t size, struct gpu_memory *memory) REQUIRES(allocator->lock)
{
    assert(size >= GPU_MEMORY_ALIGNMENT && !(size & (size - 1)) && size <= BLOCK_SIZE);
    struct gpu_block *block = allocator->filling[kind];
    if (!block || block->size - block->used < size) {
        /* the rest of the previous block is lost: 1 MiB at most */
        block = new_block(allocator, kind, BLOCK_SIZE);
        if (!block)
            return false;
        allocator->filling[kind] = block;
    }
    *memory = (struct gpu_memory){.host = block->host + block->used,
                                  .address = block->address + block->used,
                                  .block = block,
                                  .size = size,
                                  .offset = block->used};
    block->used += size;
    return true;
}

/* Gives a block of its own to one piece. Returns false if memory is out. */
static bool take_large(struct gpu_allocator *allocator, enum gpu_memory_kind kind, uint32_t size,
                       struct gpu_memory *memory) REQUIRES(allocator->lock)
{
    assert(size && size % GPU_MEMORY_ALIGNMENT == 0);
    struct gpu_block *block = new_block(allocator, kind, size);
    if (!block)
        return false;
    block->used = size;
    *memory = (struct gpu_memory){
        .host = block->host, .address = block->address, .block = block, .size = size};
    return true;
}

bool gpu_memory_take(struct gpu_allocator *allocator, enum gpu_memory_kind kind, VkDeviceSize size,
                     struct gpu_memory *memory)
{
    assert((unsigned)kind < GPU_MEMORY_KINDS);
    *memory = (struct gpu_memory){0};
    /* `memory` is all zeroes then, which gpu_memory_give() accepts. */
    if (size > LARGEST_SIZE)
        return false;
    uint32_t class = memory_size_class(size),
             aligned = ((uint32_t)size + GPU_MEMORY_ALIGNMENT - 1) & ~(GPU_MEMORY_ALIGNMENT - 1u);
    bool taken;
    lock_take(&allocator->lock);
    struct gpu_free_list *list = class == LARGE_CLASS ? NULL : &allocator->free[kind][class];
    if (!list)
        taken = take_large(allocator, kind, aligned, memory);
    else if (list->count)
        *memory = list->pieces[--list->count], taken = true;
    else
        taken = allocator_carve(allocator, kind, 1u << (class + CLASS_SHIFT), memory);
    lock_release(&allocator->lock);
    return taken;
}

/* Puts a piece into the free list of its size. Returns false if memory is out for the list: then
 * the piece is lost until the device is destroyed. */
static bool keep_piece(struct gpu_free_list *list, const struct gpu_memory *memory)
{
    assert(memory->host && memory->block);
    if (!vec_room(&list->pieces, list->count, &list->capacity, 64, sizeof(*list->pieces)))
        return false;
    list->pieces[list->count++] = *memory;
    return true;
}

/* Frees the block of a large piece at once, as no other piece could use it. */
static void drop_large(struct gpu_allocator *allocator, struct gpu_block *block)
    REQUIRES(allocator->lock)
{
    *(block->previous ? &block->previous->next : &allocator->blocks) = block->next;
    if (block->next)
        block->next->previous = block->previous;
    allocator->bytes -= block->size;
    free_block(allocator->device, block);
}

void gpu_memory_give(struct gpu_allocator *allocator, struct gpu_memory *memory)
{
    struct gpu_block *block = memory->block;
    if (!block)
        return;
    /* The size of a small piece is that of its class, so it returns to the same list. */
    uint32_t class = memory_size_class(memory->size);
    lock_take(&allocator->lock);
    if (class == LARGE_CLASS)
        drop_large(allocator, block);
    else
        (void)!keep_piece(&allocator->free[block->kind][class], memory);
    lock_release(&allocator->lock);
    *memory = (struct gpu_memory){0};
}

/* --- the allocator --- */

/* Notes all queue families of the device, as the buffers are shared: shaders on all of them write
 * to the same ring. */
static void read_families(struct gpu_allocator *allocator, const VkDeviceCreateInfo *info)
{
    uint32_t count = info->pQueueCreateInfos ? info->queueCreateInfoCount : 0;
    allocator->families = count ? mem_alloc(count * sizeof(*allocator->families)) : NULL;
    for (uint32_t i = 0; allocator->families && i < count; i++) {
        uint32_t family = info->pQueueCreateInfos[i].queueFamilyIndex, j = 0;
        while (j < allocator->family_count && allocator->families[j] != family)
            j++;
        if (j == allocator->family_count)
            allocator->families[allocator->family_count++] = family;
    }
}

void gpu_allocator_begin(struct gpu_allocator *allocator, const struct device *device,
                         const VkDeviceCreateInfo *info)
{
    *allocator = (struct gpu_allocator){.device = device};
    lock_init(&allocator->lock);
    read_families(allocator, info);
}

void gpu_allocator_end(struct gpu_allocator *allocator, const struct device *device)
{
    lock_unneeded(&allocator->lock);
    while (allocator->blocks) {
        struct gpu_block *block = allocator->blocks;
        allocator->blocks = block->next;
        /* `device` is NULL if the driver's device is out of reach. */
        free_block(device, block);
    }
    for (uint32_t kind = 0; kind < GPU_MEMORY_KINDS; kind++) {
        for (uint32_t class = 0; class < GPU_MEMORY_CLASSES; class++)
            mem_free(allocator->free[kind][class].pieces);
    }
    mem_free(allocator->families);
    lock_destroy(&allocator->lock);
}
