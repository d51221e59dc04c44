/* Sparse buffers and images: what vkQueueBindSparse may bind where. */
#include "scenario.h"

#include <fcntl.h>

#define SPARSE_FEATURES                                                                            \
    .sparseBinding = VK_TRUE, .sparseResidencyBuffer = VK_TRUE, .sparseResidencyImage2D = VK_TRUE, \
    .sparseResidencyImage3D = VK_TRUE
static const VkPhysicalDeviceFeatures2 sparse = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.sparseBinding = VK_TRUE}};
static const VkPhysicalDeviceFeatures2 residency = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {SPARSE_FEATURES}};
#define ON      .features = &sparse
#define NULL_ON .drivers = NULL_DRIVER, .features = &residency
#define ID(id_) "VUID-VkSparseMemoryBind-" id_

/* A bind of one whole resource. */
struct sparse_bind {
    VkMemoryRequirements needs;
    VkSparseMemoryBind bind;
};

static VkDeviceMemory make_memory_of(struct baseline *b, const VkMemoryRequirements *needs,
                                     VkDeviceSize size, const void *next)
{
    VkMemoryAllocateInfo info = memory_info(size, (uint32_t)__builtin_ctz(needs->memoryTypeBits));
    info.pNext = next;
    return create_memory(b, &info);
}

static struct sparse_bind begin_sparse(struct baseline *b, const VkMemoryRequirements *needs)
{
    struct sparse_bind bind = {.needs = *needs};
    bind.bind.size = needs->size;
    bind.bind.memory = make_memory_of(b, needs, needs->size, NULL);
    return bind;
}

static VkBuffer make_sparse_buffer(struct baseline *b, struct sparse_bind *bind)
{
    VkBufferCreateInfo info = buffer_info(262144, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkMemoryRequirements needs;
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    VkBuffer buffer = create_buffer(b, &info);
    ENSURE(buffer);
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    *bind = begin_sparse(b, &needs);
    return buffer;
}

static void submit_sparse(struct baseline *b, const VkBindSparseInfo *info)
{
    (void)vkQueueBindSparse(b->queue, 1, info, VK_NULL_HANDLE);
    VK(vkDeviceWaitIdle(b->device));
}

static void bind_sparse_buffer(struct baseline *b, VkBuffer buffer, const VkSparseMemoryBind *bind)
{
    const VkSparseBufferMemoryBindInfo buffers = {.buffer = buffer, .bindCount = 1, .pBinds = bind};
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .bufferBindCount = 1,
                                   .pBufferBinds = &buffers};
    submit_sparse(b, &info);
}

#define BUFFER(name_, change_, ...)                  \
    SCENARIO(name_, ##__VA_ARGS__)                   \
    {                                                \
        struct sparse_bind s;                        \
        VkBuffer buffer = make_sparse_buffer(b, &s); \
        change_;                                     \
        bind_sparse_buffer(b, buffer, &s.bind);      \
    }

BUFFER(sparse_buffer_right, , ON)
BUFFER(sparse_buffer_half,
       (s.bind.size /= 2, s.bind.resourceOffset = s.bind.size, s.bind.memoryOffset = s.bind.size),
       ON)
BUFFER(sparse_buffer_unbound, s.bind.memory = VK_NULL_HANDLE, ON)
BUFFER(sparse_buffer_offset, s.bind.resourceOffset = s.needs.size, ON,
       .expect = {ID("resourceOffset-01099")})
BUFFER(sparse_buffer_end, s.bind.resourceOffset = s.needs.alignment, ON,
       .expect = {ID("size-01100")})
BUFFER(sparse_memory_offset, s.bind.memoryOffset = s.needs.size, ON,
       .expect = {ID("memoryOffset-01101")})
BUFFER(sparse_buffer_alignment,
       (s.bind.size = s.needs.alignment, s.bind.resourceOffset = s.needs.alignment / 2), ON,
       .expect = {ID("resourceOffset-09491")})
BUFFER(sparse_memory_alignment,
       (s.bind.size = s.needs.alignment, s.bind.memoryOffset = s.needs.alignment / 2), ON,
       .expect = {ID("resourceOffset-09491")})
BUFFER(sparse_size_alignment, s.bind.size = s.needs.alignment / 2, ON,
       .expect = {ID("resourceOffset-09491")})

/* The first memory type that the buffer does not take, or that is lazily allocated. */
static VkDeviceMemory make_other_memory(struct baseline *b, const VkMemoryRequirements *needs)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
        if (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) {
            VkMemoryAllocateInfo info = memory_info(needs->size, i);
            return create_memory(b, &info);
        }
    }
    scenario_abort(__FILE__, __LINE__, "no lazily allocated memory");
}
BUFFER(sparse_lazy_memory, s.bind.memory = make_other_memory(b, &s.needs), NULL_ON, .proceed = true,
       .expect = {ID("memory-01097")})

/* Allocates memory of the null driver's protected type: no buffer takes it that is not protected.
 */
static VkDeviceMemory make_protected_for(struct baseline *b, const VkMemoryRequirements *needs)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(b->physical_device, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
        if (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_PROTECTED_BIT) {
            VkMemoryAllocateInfo info = memory_info(needs->size, i);
            return create_memory(b, &info);
        }
    }
    scenario_abort(__FILE__, __LINE__, "no protected memory");
}
BUFFER(sparse_memory_of_other_type, s.bind.memory = make_protected_for(b, &s.needs), NULL_ON,
       .proceed = true, .expect = {ID("memory-01096")},
       .allow = {"VUID-VkMemoryAllocateInfo-memoryTypeIndex-01872"})

static const VkExportMemoryAllocateInfo exported = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
BUFFER(sparse_exported, s.bind.memory = make_memory_of(b, &s.needs, s.needs.size, &exported),
       NULL_ON, .extensions = {"VK_KHR_external_memory_fd"}, .expect = {ID("memory-02730")})

/* --- images --- */

static VkImage make_sparse_image(struct baseline *b, VkImageCreateFlags flags,
                                 struct sparse_bind *bind)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkMemoryRequirements needs;
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | flags;
    info.extent.width = info.extent.height = 512;
    info.mipLevels = 2;
    VkImage image = create_image(b, &info);
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &needs);
    *bind = begin_sparse(b, &needs);
    return image;
}

#define OPAQUE(name_, change_, ...)                                                 \
    SCENARIO(name_, ##__VA_ARGS__)                                                  \
    {                                                                               \
        struct sparse_bind s;                                                       \
        VkImage image = make_sparse_image(b, 0, &s);                                \
        change_;                                                                    \
        const VkSparseImageOpaqueMemoryBindInfo images = {                          \
            .image = image, .bindCount = 1, .pBinds = &s.bind};                     \
        const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, \
                                       .imageOpaqueBindCount = 1,                   \
                                       .pImageOpaqueBinds = &images};               \
        submit_sparse(b, &info);                                                    \
    }
OPAQUE(opaque_right, , NULL_ON)
OPAQUE(opaque_alignment,
       (s.bind.size = s.needs.alignment, s.bind.resourceOffset = s.needs.alignment / 2), NULL_ON,
       .expect = {ID("resourceOffset-09492")})
OPAQUE(opaque_end, s.bind.size *= 2, NULL_ON, .expect = {ID("size-01100"), ID("size-01102")},
       .proceed = true)

/* 512 x 512 texels in blocks of 128 x 128. */
#define IMAGE(name_, change_, ...)                                                        \
    SCENARIO(name_, ##__VA_ARGS__)                                                        \
    {                                                                                     \
        struct sparse_bind s;                                                             \
        VkImage image = make_sparse_image(b, VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT, &s);   \
        VkSparseImageMemoryBind bind = {.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, \
                                        .offset = {128, 256, 0},                          \
                                        .extent = {128, 256, 1},                          \
                                        .memory = s.bind.memory};                         \
        change_;                                                                          \
        const VkSparseImageMemoryBindInfo images = {                                      \
            .image = image, .bindCount = 1, .pBinds = &bind};                             \
        const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,       \
                                       .imageBindCount = 1,                               \
                                       .pImageBinds = &images};                           \
        submit_sparse(b, &info);                                                          \
    }
#define AT(id_) "VUID-VkSparseImageMemoryBind-" id_
#define IN(id_) "VUID-VkSparseImageMemoryBindInfo-" id_
IMAGE(sparse_image_right, , NULL_ON)
IMAGE(sparse_image_unbound, bind.memory = VK_NULL_HANDLE, NULL_ON)
IMAGE(sparse_image_aspect, bind.subresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, NULL_ON,
      .expect = {IN("subresource-01106")})
IMAGE(sparse_image_x, (bind.offset.x = 64, bind.extent.width = 128), NULL_ON,
      .expect = {AT("offset-01107")})
IMAGE(sparse_image_y, bind.offset.y = 64, NULL_ON, .expect = {AT("offset-01109")})
IMAGE(sparse_image_width, bind.extent.width = 100, NULL_ON, .expect = {AT("extent-01108")})
IMAGE(sparse_image_height, bind.extent.height = 100, NULL_ON, .expect = {AT("extent-01110")})
IMAGE(sparse_image_lazy, bind.memory = make_other_memory(b, &s.needs), NULL_ON,
      .expect = {AT("memory-01105")})
IMAGE(sparse_image_exported, bind.memory = make_memory_of(b, &s.needs, s.needs.size, &exported),
      NULL_ON, .extensions = {"VK_KHR_external_memory_fd"}, .expect = {AT("memory-02732")})

/* 64 x 64 x 40 texels in blocks of 32 x 32 x 16: the last ones reach over the edge. */
#define VOLUME(name_, z_, depth_, ...)                                                          \
    SCENARIO(name_, ##__VA_ARGS__)                                                              \
    {                                                                                           \
        VkImageCreateInfo image_create = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);                \
        VkMemoryRequirements needs;                                                             \
        image_create.flags =                                                                    \
            VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;          \
        image_create.imageType = VK_IMAGE_TYPE_3D;                                              \
        image_create.extent.depth = 40;                                                         \
        VkImage image = create_image(b, &image_create);                                         \
        vkGetImageMemoryRequirements(b->device, image, &needs);                                 \
        const VkSparseImageMemoryBind bind = {.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, \
                                              .offset = {0, 32, z_},                            \
                                              .extent = {64, 32, depth_},                       \
                                              .memory =                                         \
                                                  make_memory_of(b, &needs, needs.size, NULL)}; \
        const VkSparseImageMemoryBindInfo images = {                                            \
            .image = image, .bindCount = 1, .pBinds = &bind};                                   \
        const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,             \
                                       .imageBindCount = 1,                                     \
                                       .pImageBinds = &images};                                 \
        submit_sparse(b, &info);                                                                \
    }
VOLUME(sparse_volume_right, 32, 8, NULL_ON)
VOLUME(sparse_volume_offset, 8, 16, NULL_ON, .expect = {AT("offset-01111")})
VOLUME(sparse_volume_extent, 16, 20, NULL_ON, .expect = {AT("extent-01112")})

/* Imported from a descriptor of the right kind, which the null driver takes for granted. */
static VkDeviceMemory import_memory(struct baseline *b, const VkMemoryRequirements *needs)
{
    const VkImportMemoryFdInfoKHR imported = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                              .handleType =
                                                  VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                              .fd = open("/dev/null", O_RDONLY)};
    return make_memory_of(b, needs, needs->size, &imported);
}
#define IMPORTING NULL_ON, .extensions = {"VK_KHR_external_memory_fd"}
BUFFER(sparse_imported, s.bind.memory = import_memory(b, &s.needs), IMPORTING,
       .expect = {ID("memory-02731")}, .text = {"imported", "no external memory"})
IMAGE(sparse_image_imported, bind.memory = import_memory(b, &s.needs), IMPORTING,
      .expect = {AT("memory-02733")}, .text = {"imported", "no external memory"})
