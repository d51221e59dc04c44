/* Memory of one resource alone, as VK_NV_dedicated_allocation has it. */
#include "scenario.h"

#define NV   .drivers = NULL_DRIVER, .extensions = {"VK_NV_dedicated_allocation"}
#define SIZE 256

/* One resource and its memory. */
struct dedicated {
    VkDedicatedAllocationBufferCreateInfoNV buffer_nv;
    VkDedicatedAllocationImageCreateInfoNV image_nv;
    VkBufferCreateInfo buffer_info;
    VkImageCreateInfo image_info;
    VkBuffer buffer;
    VkImage image;
    VkDedicatedAllocationMemoryAllocateInfoNV nv;
    VkDeviceSize offset;
    bool plain_memory; /* allocated for nothing in particular */
};

static VkDeviceMemory allocate_dedicated(struct baseline *b, struct dedicated *d,
                                         VkMemoryRequirements needs)
{
    const VkDeviceSize size = d->plain_memory ? needs.size * 4 : needs.size;
    VkMemoryAllocateInfo info = memory_info(size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    info.pNext = d->plain_memory ? NULL : &d->nv;
    return create_memory(b, &info);
}

static void start_dedicated(struct dedicated *d)
{
    *d = (struct dedicated){
        .buffer_nv = {.sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_BUFFER_CREATE_INFO_NV,
                      .dedicatedAllocation = VK_TRUE},
        .image_nv = {.sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV,
                     .dedicatedAllocation = VK_TRUE},
        .buffer_info = buffer_info(SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
        .image_info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT),
        .nv = {.sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV}};
    d->buffer_info.pNext = &d->buffer_nv;
    d->image_info.pNext = &d->image_nv;
}

/* A buffer in its memory. */
static void put_buffer(struct baseline *b, struct dedicated *d)
{
    VkMemoryRequirements needs;
    d->buffer = create_buffer(b, &d->buffer_info);
    vkGetBufferMemoryRequirements(b->device, d->buffer, &needs);
    d->nv.buffer = d->buffer;
    const VkDeviceMemory memory = allocate_dedicated(b, d, needs);
    if (memory)
        vkBindBufferMemory(b->device, d->buffer, memory, d->offset);
}

static void put_image(struct baseline *b, struct dedicated *d)
{
    VkMemoryRequirements needs;
    d->image = create_image(b, &d->image_info);
    vkGetImageMemoryRequirements(b->device, d->image, &needs);
    d->nv.image = d->image;
    const VkDeviceMemory memory = allocate_dedicated(b, d, needs);
    if (memory)
        vkBindImageMemory(b->device, d->image, memory, d->offset ? needs.alignment : 0);
}

#define DEDICATED(name_, change_, put_, ...) \
    SCENARIO(name_, NV, ##__VA_ARGS__)       \
    {                                        \
        struct dedicated made, *d = &made;   \
        start_dedicated(d);                  \
        change_;                             \
        put_(b, d);                          \
    }
#define ALLOCATED(id_) .expect = {"VUID-VkDedicatedAllocationMemoryAllocateInfoNV-" id_}
DEDICATED(nv_dedicated_buffer, , put_buffer)
DEDICATED(nv_dedicated_image, , put_image)
/* By Vulkan 1.1 this bind is right: memory of a plain buffer is wrong as such. */
DEDICATED(nv_dedicated_to_a_plain_buffer, d->buffer_nv.dedicatedAllocation = VK_FALSE, put_buffer,
          ALLOCATED("buffer-00651"))
DEDICATED(nv_dedicated_to_a_plain_image, d->image_nv.dedicatedAllocation = VK_FALSE, put_image,
          ALLOCATED("image-00650"))
DEDICATED(nv_dedicated_buffer_in_plain_memory, d->plain_memory = true, put_buffer,
          .expect = {"VUID-vkBindBufferMemory-buffer-01038"})
DEDICATED(nv_dedicated_image_in_plain_memory, d->plain_memory = true, put_image,
          .expect = {"VUID-vkBindImageMemory-image-01050"})
DEDICATED(nv_plain_buffer_in_plain_memory,
          (d->buffer_info.pNext = NULL, d->plain_memory = true, d->offset = 256), put_buffer)

/* In Vulkan 1.0, without the newer extension, plain resources do not share such memory. */
static void put_beside(struct baseline *b)
{
    struct dedicated d;
    VkMemoryRequirements needs;
    start_dedicated(&d);
    d.buffer = create_buffer(b, &d.buffer_info);
    vkGetBufferMemoryRequirements(b->device, d.buffer, &needs);
    d.nv.buffer = d.buffer;
    VkDeviceMemory memory = allocate_dedicated(b, &d, needs);
    VkBufferCreateInfo plain = buffer_info(SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkBindBufferMemory(b->device, create_buffer(b, &plain), memory, 0);
}

SCENARIO(nv_plain_buffer_in_dedicated_memory_of_1_0, NV, .api_version = VK_API_VERSION_1_0,
         .expect = {"VUID-vkBindBufferMemory-apiVersion-07920"})
{
    put_beside(b);
}

SCENARIO(nv_plain_buffer_in_dedicated_memory, NV)
{
    put_beside(b);
}

SCENARIO(nv_plain_image_in_dedicated_memory_of_1_0, NV, .api_version = VK_API_VERSION_1_0,
         .expect = {"VUID-vkBindImageMemory-apiVersion-07921"})
{
    struct dedicated d;
    VkMemoryRequirements needs;
    start_dedicated(&d);
    d.image = create_image(b, &d.image_info);
    vkGetImageMemoryRequirements(b->device, d.image, &needs);
    d.nv.image = d.image;
    VkDeviceMemory memory = allocate_dedicated(b, &d, needs);
    d.image_info.pNext = NULL;
    vkBindImageMemory(b->device, create_image(b, &d.image_info), memory, 0);
}
