/* Copies of memory by addresses, between memory and images, decompression, and tensors (19). */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .deviceAddressCommands = VK_TRUE};
#define ON \
    .drivers = NULL_DRIVER, .features = &commands, .extensions = {"VK_KHR_device_address_commands"}

static VkBufferDeviceAddressInfo memory_to_ask(struct baseline *b, VkDeviceSize size)
{
    return (VkBufferDeviceAddressInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, size,
                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
}

static VkDeviceAddress memory_of(struct baseline *b, VkDeviceSize size)
{
    const VkBufferDeviceAddressInfo info = memory_to_ask(b, size);
    return vkGetBufferDeviceAddress(b->device, &info);
}

/* --- memory --- */

static void copy_within(struct baseline *b, VkDeviceSize from, VkDeviceSize to, VkDeviceSize size)
{
    const VkDeviceAddress address = memory_of(b, 256);
    const VkDeviceMemoryCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                          .srcRange = {address + from, size},
                                          .dstRange = {address + to, size}};
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 1,
                                            .pRegions = &region};
    DEVICE_PROC(b, vkCmdCopyMemoryKHR)(make_recording(b), &info);
}

SCENARIO(memory_beside_itself, ON)
{
    copy_within(b, 0, 64, 64);
}

SCENARIO(memory_onto_itself, ON, .expect = {"VUID-VkCopyDeviceMemoryInfoKHR-srcRange-13015"},
         .text = {"which overlap"})
{
    copy_within(b, 0, 60, 64);
}

static void fill_to(struct baseline *b, VkDeviceSize from, VkDeviceSize size)
{
    const VkDeviceAddressRangeKHR range = {memory_of(b, 256) + from, size};
    DEVICE_PROC(b, vkCmdFillMemoryKHR)(make_recording(b), &range, 0, 0);
}

SCENARIO(memory_up_to_the_end, ON)
{
    fill_to(b, 192, 64);
}

SCENARIO(memory_beyond_the_end, ON, .expect = {"VUID-VkDeviceAddressRangeKHR-address-11365"},
         .text = {"size is 64, but VkBuffer", "ends 60 bytes after address"})
{
    fill_to(b, 196, 64);
}

/* --- barriers --- */

static const VkPhysicalDeviceVulkan13Features synchronized = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&commands,
    .synchronization2 = VK_TRUE};

static const VkPhysicalDeviceSynchronization2Features synchronized_alone = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    .pNext = (void *)(uintptr_t)&commands,
    .synchronization2 = VK_TRUE};

static void move_ownership(struct baseline *b, uint32_t from, uint32_t to, bool promoted)
{
    const VkBufferDeviceAddressInfo memory = memory_to_ask(b, 64);
    const VkDeviceAddress address =
        promoted ? vkGetBufferDeviceAddress(b->device, &memory)
                 : DEVICE_PROC(b, vkGetBufferDeviceAddressKHR)(b->device, &memory);
    const VkMemoryRangeBarrierKHR barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
                                             .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                             .srcQueueFamilyIndex = from,
                                             .dstQueueFamilyIndex = to,
                                             .addressRange = {address, 64}};
    const VkMemoryRangeBarriersInfoKHR ranges = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &barrier};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &ranges};
    if (promoted)
        vkCmdPipelineBarrier2(make_recording(b), &info);
    else
        DEVICE_PROC(b, vkCmdPipelineBarrier2KHR)(make_recording(b), &info);
}
#define MOVED(name_, from_, to_, ...)                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &synchronized,        \
             .extensions = {"VK_KHR_device_address_commands"}, ##__VA_ARGS__) \
    {                                                                         \
        move_ownership(b, from_, to_, true);                                  \
    }
MOVED(memory_acquired_from_outside, VK_QUEUE_FAMILY_EXTERNAL, b->queue_family)
MOVED(memory_from_no_family, 77, b->queue_family,
      .expect = {"VUID-VkMemoryRangeBarrierKHR-address-13087"},
      .text = {"srcQueueFamilyIndex is 77 and dstQueueFamilyIndex is 0"})
MOVED(memory_to_no_family, b->queue_family, 77,
      .expect = {"VUID-VkMemoryRangeBarrierKHR-address-13088"})

/* Vulkan 1.0 does not have VK_QUEUE_FAMILY_EXTERNAL by itself. */
#define MOVED_IN_1_0(name_, from_, to_, ...)                                   \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &synchronized_alone,   \
             .api_version = VK_API_VERSION_1_0,                                \
             .instance_extensions = {"VK_KHR_get_physical_device_properties2", \
                                     "VK_KHR_device_group_creation",           \
                                     "VK_KHR_external_memory_capabilities"},   \
             ##__VA_ARGS__)                                                    \
    {                                                                          \
        move_ownership(b, from_, to_, false);                                  \
    }
#define EXTENSIONS_OF_1_0                                                                         \
    "VK_KHR_device_address_commands", "VK_KHR_synchronization2", "VK_EXT_extended_dynamic_state", \
        "VK_KHR_buffer_device_address", "VK_KHR_device_group"
MOVED_IN_1_0(memory_from_outside_in_1_0, VK_QUEUE_FAMILY_EXTERNAL, b->queue_family,
             .extensions = {EXTENSIONS_OF_1_0},
             .expect = {"VUID-VkMemoryRangeBarrierKHR-None-09097"},
             .text = {"but VK_KHR_external_memory is not enabled"})
MOVED_IN_1_0(memory_to_outside_in_1_0, b->queue_family, VK_QUEUE_FAMILY_EXTERNAL,
             .extensions = {EXTENSIONS_OF_1_0},
             .expect = {"VUID-VkMemoryRangeBarrierKHR-None-09098"})
MOVED_IN_1_0(memory_to_outside_in_1_0_by_extension, b->queue_family, VK_QUEUE_FAMILY_EXTERNAL,
             .extensions = {EXTENSIONS_OF_1_0, "VK_KHR_external_memory"})

/* --- images --- */

static VkDeviceMemoryImageCopyKHR region_of(VkDeviceAddress address, VkDeviceSize size)
{
    return (VkDeviceMemoryImageCopyKHR){.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
                                        .addressRange = {address, size},
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .imageExtent = {4, 4, 1}};
}

static VkImage copied_image(struct baseline *b, VkFormat format)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.format = format;
    return make_image_of(b, &info);
}

static void to_image(VkCommandBuffer c, struct baseline *b, VkImage image,
                     const VkDeviceMemoryImageCopyKHR *regions, uint32_t count)
{
    const VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = image,
        .regionCount = count,
        .pRegions = regions};
    DEVICE_PROC(b, vkCmdCopyMemoryToImageKHR)(c, &info);
}

static void from_image(VkCommandBuffer c, struct baseline *b, VkImage image,
                       const VkDeviceMemoryImageCopyKHR *regions, uint32_t count)
{
    const VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = image,
        .regionCount = count,
        .pRegions = regions};
    DEVICE_PROC(b, vkCmdCopyImageToMemoryKHR)(c, &info);
}

#define IMAGE_COPY(name_, format_, change_, ...)                               \
    SCENARIO(name_, ON, ##__VA_ARGS__)                                         \
    {                                                                          \
        VkImage image = copied_image(b, VK_FORMAT_##format_);                  \
        VkDeviceMemoryImageCopyKHR region = region_of(memory_of(b, 4096), 64); \
        change_;                                                               \
        to_image(make_recording(b), b, image, &region, 1);                     \
    }
#define IMAGE_ID(id_) .expect = {"VUID-VkCopyDeviceMemoryImageInfoKHR-" id_}
IMAGE_COPY(memory_of_one_region, R8G8B8A8_UNORM, (void)0)
IMAGE_COPY(memory_too_small_for_a_region, R8G8B8A8_UNORM, region.addressRange.size = 63,
           .expect = {"VUID-VkDeviceMemoryImageCopyKHR-size-13037"},
           .text = {"has 63 bytes, but the region takes 64"})
IMAGE_COPY(blocks_of_memory, BC1_RGB_UNORM_BLOCK, (void)0)
IMAGE_COPY(blocks_begun_inside, BC1_RGB_UNORM_BLOCK, region.imageOffset.x = 2,
           IMAGE_ID("image-07274"))
IMAGE_COPY(blocks_begun_below, BC1_RGB_UNORM_BLOCK, region.imageOffset.y = 2,
           IMAGE_ID("image-07275"))
IMAGE_COPY(blocks_too_narrow, BC1_RGB_UNORM_BLOCK, region.imageExtent.width = 2,
           IMAGE_ID("image-00207"))
IMAGE_COPY(blocks_too_low, BC1_RGB_UNORM_BLOCK, region.imageExtent.height = 2,
           IMAGE_ID("image-00208"))

IMAGE_COPY(blocks_of_odd_memory, BC1_RGB_UNORM_BLOCK, region.addressRange.address += 4,
           IMAGE_ID("image-13029"), .text = {"which is not a multiple of 8, the bytes of a texel"})
IMAGE_COPY(texels_of_odd_memory, R16G16_UNORM, region.addressRange.address += 4)
IMAGE_COPY(memory_in_the_last_texels, R8G8B8A8_UNORM,
           region.imageOffset = ((VkOffset3D){60, 60, 0}))
IMAGE_COPY(memory_right_of_the_image, R8G8B8A8_UNORM, region.imageOffset.x = 61,
           IMAGE_ID("pRegions-13032"), .text = {"is 61 and with imageExtent.width 4 reaches to 65"})
IMAGE_COPY(memory_above_the_image, R8G8B8A8_UNORM, region.imageOffset.y = -1,
           IMAGE_ID("pRegions-13032"))

/* --- rotated --- */

#define TURNED_COPY(name_, format_, by_, change_, ...)                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &commands,             \
             .extensions = {"VK_KHR_device_address_commands",                  \
                            VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME},     \
             ##__VA_ARGS__)                                                    \
    {                                                                          \
        const VkCopyCommandTransformInfoQCOM turn = {                          \
            .sType = VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM,       \
            .transform = VK_SURFACE_TRANSFORM_##by_##_BIT_KHR};                \
        VkImage image = copied_image(b, VK_FORMAT_##format_);                  \
        VkDeviceMemoryImageCopyKHR region = region_of(memory_of(b, 4096), 64); \
        region.pNext = &turn;                                                  \
        change_;                                                               \
        to_image(make_recording(b), b, image, &region, 1);                     \
    }
TURNED_COPY(memory_turned, R8G8B8A8_UNORM, ROTATE_90, region.imageOffset.x = 4)
TURNED_COPY(memory_turned_out, R8G8B8A8_UNORM, ROTATE_90, region.imageOffset.x = 3,
            IMAGE_ID("pRegions-13033"), .text = {"the rotated region reaches from x = -1 to 3"})
TURNED_COPY(memory_turned_by_blocks, BC1_RGB_UNORM_BLOCK, IDENTITY, (void)0,
            IMAGE_ID("pRegions-13034"), .text = {"whose texel blocks are 4x4x1"})

SCENARIO(memory_into_one_place_twice, ON, IMAGE_ID("pRegions-12473"),
         .text = {"writes texels that region 0 writes as well"})
{
    const VkDeviceAddress memory = memory_of(b, 4096);
    const VkDeviceMemoryImageCopyKHR regions[] = {region_of(memory, 64),
                                                  region_of(memory + 64, 64)};
    to_image(make_recording(b), b, copied_image(b, VK_FORMAT_R8G8B8A8_UNORM), regions, 2);
}

SCENARIO(one_place_read_twice, ON)
{
    const VkDeviceAddress memory = memory_of(b, 4096);
    const VkDeviceMemoryImageCopyKHR regions[] = {region_of(memory, 64),
                                                  region_of(memory + 64, 64)};
    from_image(make_recording(b), b, copied_image(b, VK_FORMAT_R8G8B8A8_UNORM), regions, 2);
}

SCENARIO(memory_written_twice, ON, IMAGE_ID("pRegions-12473"),
         .text = {"writes bytes that region 0 writes as well"})
{
    const VkDeviceAddress memory = memory_of(b, 4096);
    const VkDeviceMemoryImageCopyKHR regions[] = {region_of(memory, 64),
                                                  region_of(memory + 60, 64)};
    from_image(make_recording(b), b, copied_image(b, VK_FORMAT_R8G8B8A8_UNORM), regions, 2);
}

/* --- decompression --- */

static const VkPhysicalDeviceMemoryDecompressionFeaturesEXT decompression = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .memoryDecompression = VK_TRUE};

static void free_memory(struct baseline *b, uint64_t handle)
{
    vkFreeMemory(b->device, (VkDeviceMemory)handle, NULL);
}

static VkDeviceAddress compressed_in(struct baseline *b, VkDeviceSize size)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = size};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK(vkAllocateMemory(b->device, &allocation, NULL, &memory));
    cleanup_add(b, free_memory, HANDLE(memory));
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_MEMORY_DECOMPRESSION_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    VkBufferCreateInfo info = buffer_info(size, 0);
    info.pNext = &usage;
    const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = create_buffer(b, &info)};
    VK(vkBindBufferMemory(b->device, asked.buffer, memory, 0));
    return vkGetBufferDeviceAddress(b->device, &asked);
}

#define DECOMPRESS(name_, from_, read_, to_, written_, ...)                                       \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &decompression,                           \
             .extensions = {"VK_EXT_memory_decompression", "VK_KHR_maintenance5"}, ##__VA_ARGS__) \
    {                                                                                             \
        const VkDeviceAddress memory = compressed_in(b, 4096);                                    \
        const VkDecompressMemoryRegionEXT region = {memory + (from_), memory + (to_), read_,      \
                                                    written_};                                    \
        const VkDecompressMemoryInfoEXT info = {                                                  \
            .sType = VK_STRUCTURE_TYPE_DECOMPRESS_MEMORY_INFO_EXT,                                \
            .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT,           \
            .regionCount = 1,                                                                     \
            .pRegions = &region};                                                                 \
        DEVICE_PROC(b, vkCmdDecompressMemoryEXT)(make_recording(b), &info);                       \
    }
#define DECOMPRESS_ID(id_) .expect = {"VUID-VkDecompressMemoryRegionEXT-" id_}
DECOMPRESS(decompressed_beside, 0, 64, 64, 4032)
DECOMPRESS(decompressed_onto_itself, 0, 68, 64, 4032, DECOMPRESS_ID("srcAddress-07691"))
DECOMPRESS(compressed_past_the_end, 4032, 68, 0, 64, DECOMPRESS_ID("srcAddress-07686"),
           .text = {"but the compressed data takes 68"})
DECOMPRESS(decompressed_past_the_end, 0, 64, 64, 4036, DECOMPRESS_ID("dstAddress-07688"))

/* --- tensors --- */

static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .tensors = VK_TRUE};

static VkTensorARM made_tensor(struct baseline *b, int64_t width, bool bound)
{
    const int64_t dimensions[] = {width, 8};
    const VkTensorDescriptionARM description = {.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                                .tiling = VK_TENSOR_TILING_OPTIMAL_ARM,
                                                .format = VK_FORMAT_R8_SINT,
                                                .dimensionCount = 2,
                                                .pDimensions = dimensions,
                                                .usage = VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM |
                                                         VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM};
    const VkTensorCreateInfoARM info = {.sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
                                        .pDescription = &description};
    VkTensorARM tensor = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateTensorARM)(b->device, &info, NULL, &tensor));
    if (!bound)
        return tensor;
    const VkBindTensorMemoryInfoARM bind = {.sType = VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM,
                                            .tensor = tensor,
                                            .memory = make_memory(b, 65536)};
    VK(DEVICE_PROC(b, vkBindTensorMemoryARM)(b->device, 1, &bind));
    return tensor;
}

#define TENSORS(name_, target_, bound_, change_, ...)                                           \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &tensors,                               \
             .extensions = {"VK_ARM_tensors"}, ##__VA_ARGS__)                                   \
    {                                                                                           \
        VkTensorARM source = made_tensor(b, 4, true), target = made_tensor(b, target_, bound_); \
        uint64_t zeros[] = {0, 0}, extent[] = {4, 8};                                           \
        VkTensorCopyARM region = {.sType = VK_STRUCTURE_TYPE_TENSOR_COPY_ARM,                   \
                                  .dimensionCount = 2,                                          \
                                  .pSrcOffset = zeros,                                          \
                                  .pExtent = extent};                                           \
        const VkCopyTensorInfoARM info = {.sType = VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM,      \
                                          .srcTensor = source,                                  \
                                          .dstTensor = target,                                  \
                                          .regionCount = 1,                                     \
                                          .pRegions = &region};                                 \
        change_;                                                                                \
        DEVICE_PROC(b, vkCmdCopyTensorARM)(make_recording(b), &info);                           \
        DEVICE_PROC(b, vkDestroyTensorARM)(b->device, source, NULL);                            \
        DEVICE_PROC(b, vkDestroyTensorARM)(b->device, target, NULL);                            \
    }
#define TENSOR_ID(id_) .expect = {"VUID-VkCopyTensorInfoARM-" id_}
TENSORS(tensor_copied, 4, true, (void)0)
TENSORS(tensor_copied_as_a_whole, 4, true,
        (region.dimensionCount = 0, region.pSrcOffset = region.pExtent = NULL))
TENSORS(tensors_of_two_sizes, 5, true, (void)0, TENSOR_ID("pDimensions-09685"),
        .text = {"is 4 in dimension 0, but dstTensor is 5"})
TENSORS(tensor_without_memory, 4, false, (void)0, TENSOR_ID("dstTensor-09695"))
TENSORS(tensor_from_inside, 4, true, zeros[1] = 1, TENSOR_ID("pRegions-09687"))
TENSORS(tensor_into_inside, 4, true,
        (zeros[1] = 1, region.pDstOffset = zeros, region.pSrcOffset = NULL),
        TENSOR_ID("pRegions-09688"))
TENSORS(part_of_a_tensor, 4, true, extent[0] = 3, TENSOR_ID("pRegions-09689"))
TENSORS(tensor_of_fewer_dimensions, 4, true, region.dimensionCount = 1, TENSOR_ID("pRegions-09954"))

/* --- queries --- */

#define QUERY_RESULTS(name_, size_, ended_, ...)                                   \
    SCENARIO(name_, ON, ##__VA_ARGS__)                                             \
    {                                                                              \
        VkQueryPool pool = make_query_pool(b);                                     \
        VkCommandBuffer c = make_recording(b);                                     \
        const VkStridedDeviceAddressRangeKHR range = {memory_of(b, 64), size_, 8}; \
        vkCmdResetQueryPool(c, pool, 0, 2);                                        \
        vkCmdBeginQuery(c, pool, 1, 0);                                            \
        vkCmdEndQuery(c, pool, 1);                                                 \
        vkCmdBeginQuery(c, pool, 0, 0);                                            \
        if (ended_)                                                                \
            vkCmdEndQuery(c, pool, 0);                                             \
        DEVICE_PROC(b, vkCmdCopyQueryPoolResultsToMemoryKHR)                       \
        (c, pool, 0, 2, &range, 0, VK_QUERY_RESULT_64_BIT);                        \
        if (!(ended_))                                                             \
            vkCmdEndQuery(c, pool, 0);                                             \
    }
#define QUERY_ID(id_) .expect = {"VUID-vkCmdCopyQueryPoolResultsToMemoryKHR-" id_}
QUERY_RESULTS(results_into_memory, 16, true)
QUERY_RESULTS(results_into_little_memory, 15, true, QUERY_ID("pDstRange-13079"),
              .text = {"has 15 bytes, but the results take 16"})
QUERY_RESULTS(results_of_an_active_query, 16, false, QUERY_ID("None-13083"))

static void results_to_memory(struct baseline *b, VkDeviceSize stride, bool reset, bool used,
                              VkQueryResultFlags flags)
{
    VkQueryPool pool = make_query_pool(b);
    VkCommandBuffer c = make_recording(b);
    const VkStridedDeviceAddressRangeKHR range = {memory_of(b, 64), 64, stride};
    if (reset)
        vkCmdResetQueryPool(c, pool, 0, 2);
    for (uint32_t i = 0; used && i < 2; i++) {
        vkCmdBeginQuery(c, pool, i, 0);
        vkCmdEndQuery(c, pool, i);
    }
    DEVICE_PROC(b, vkCmdCopyQueryPoolResultsToMemoryKHR)
    (c, pool, 0, 2, &range, 0, VK_QUERY_RESULT_64_BIT | flags);
    if (!reset)
        run_commands(b, c);
}

SCENARIO(results_without_stride, ON, QUERY_ID("queryCount-09438"),
         .text = {"pDstRange->stride is 0, but the results of 2 queries are copied"})
{
    results_to_memory(b, 0, true, true, 0);
}

SCENARIO(results_of_queries_reset_alone, ON, QUERY_ID("None-13084"))
{
    results_to_memory(b, 16, true, false, 0);
}

SCENARIO(availability_of_queries_reset_alone, ON)
{
    results_to_memory(b, 16, true, false, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(results_of_uninitialized_queries, ON, .proceed = true, QUERY_ID("None-13076"))
{
    results_to_memory(b, 16, false, false, 0);
}

/* --- markers --- */

static void mark_memory(struct baseline *b, VkPipelineStageFlags2 stage)
{
    const VkMemoryMarkerInfoAMD info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD,
                                        .stage = stage,
                                        .dstRange = {memory_of(b, 64), 4}};
    DEVICE_PROC(b, vkCmdWriteMarkerToMemoryAMD)(make_recording_of(b, 1), &info);
}
#define MARKS                                          \
    .drivers = NULL_DRIVER, .features = &synchronized, \
    .extensions = {"VK_KHR_device_address_commands", "VK_AMD_buffer_marker"}
/* Queue family 1 of the null driver does compute and transfer. */
SCENARIO(mark_in_memory_after_compute, MARKS)
{
    mark_memory(b, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}

SCENARIO(mark_in_memory_after_no_graphics, MARKS,
         .expect = {"VUID-vkCmdWriteMarkerToMemoryAMD-pInfo-13043"})
{
    mark_memory(b, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
}
