/* VkBufferCreateInfo, VkBufferViewCreateInfo and buffer device addresses: what may be created and
 * asked for. */
#include "scenario.h"

#define UNPACK(...) __VA_ARGS__
#define WITH(with_) UNPACK with_
#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

/* A valid buffer with one mistake in it; `with_` are fields of the scenario, in parentheses. */
#define BAD_BUFFER(name_, vuid_, with_, ...)                                            \
    SCENARIO(name_, .expect = {"VUID-VkBufferCreateInfo-" vuid_}, WITH(with_))          \
    {                                                                                   \
        VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); \
        __VA_ARGS__;                                                                    \
        create_buffer(b, &info);                                                        \
    }
#define GOOD_BUFFER(name_, with_, ...)                                                  \
    SCENARIO(name_, WITH(with_))                                                        \
    {                                                                                   \
        VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); \
        __VA_ARGS__;                                                                    \
        EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);                              \
    }
#define NULL_WITH(...) (.drivers = NULL_DRIVER, __VA_ARGS__)

static const VkPhysicalDeviceFeatures2 sparse_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.sparseBinding = VK_TRUE,
                 .sparseResidencyBuffer = VK_TRUE,
                 .sparseResidencyAliased = VK_TRUE}};
FEATURES(protected_features, VkPhysicalDeviceProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES,
         .pNext = (void *)(uintptr_t)&sparse_features, .protectedMemory = VK_TRUE);
FEATURES(maintenance11_features, VkPhysicalDeviceMaintenance11FeaturesKHR,
         MAINTENANCE_11_FEATURES_KHR, .maintenance11 = VK_TRUE);
FEATURES(address_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE);
FEATURES(replay_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE,
         .bufferDeviceAddressCaptureReplay = VK_TRUE);
FEATURES(descriptor_buffer_features, VkPhysicalDeviceDescriptorBufferFeaturesEXT,
         DESCRIPTOR_BUFFER_FEATURES_EXT, .pNext = (void *)(uintptr_t)&address_features,
         .descriptorBuffer = VK_TRUE, .descriptorBufferPushDescriptors = VK_TRUE);
FEATURES(tile_features, VkPhysicalDeviceTileMemoryHeapFeaturesQCOM, TILE_MEMORY_HEAP_FEATURES_QCOM,
         .tileMemoryHeap = VK_TRUE);
FEATURES(heap_features, VkPhysicalDeviceDescriptorHeapFeaturesEXT, DESCRIPTOR_HEAP_FEATURES_EXT,
         .pNext = (void *)(uintptr_t)&protected_features, .descriptorHeap = VK_TRUE);
FEATURES(texel_features, VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT,
         TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT, .texelBufferAlignment = VK_TRUE);

/* --- sharing --- */

static const uint32_t families_once[] = {0, 1}, families_twice[] = {0, 0},
                      families_wild[] = {0, 77};
#define CONCURRENT(count_, families_)              \
    info.sharingMode = VK_SHARING_MODE_CONCURRENT; \
    info.queueFamilyIndexCount = (count_);         \
    info.pQueueFamilyIndices = (families_)
BAD_BUFFER(buffer_shared_family_twice, "sharingMode-01419", (), CONCURRENT(2, families_twice))
BAD_BUFFER(buffer_shared_family_unknown, "sharingMode-01419", (), CONCURRENT(2, families_wild))
GOOD_BUFFER(buffer_shared_by_two, NULL_WITH(), CONCURRENT(2, families_once))
GOOD_BUFFER(buffer_shared_by_one_11,
            NULL_WITH(.extensions = {"VK_KHR_maintenance11"}, .features = &maintenance11_features),
            CONCURRENT(1, families_once))

/* --- flags --- */

#define SPARSE VK_BUFFER_CREATE_SPARSE_BINDING_BIT
GOOD_BUFFER(buffer_sparse, NULL_WITH(.features = &sparse_features),
            info.flags = SPARSE | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                         VK_BUFFER_CREATE_SPARSE_ALIASED_BIT)
GOOD_BUFFER(buffer_protected, NULL_WITH(.features = &protected_features),
            info.flags = VK_BUFFER_CREATE_PROTECTED_BIT)

/* --- usage --- */

#define HEAPS                                                                       \
    NULL_WITH(.extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5"},      \
              .features = &heap_features,                                           \
              .null_driver = "{\"properties\": {\"sparseDescriptorHeaps\": false, " \
                             "\"protectedDescriptorHeaps\": false}}")
static const VkBufferUsageFlags2CreateInfo heap_usage = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
    .usage = VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT};
GOOD_BUFFER(buffer_heap, HEAPS, info.pNext = &heap_usage)

#define DECODE                                                                  \
    NULL_WITH(.extensions = {"VK_KHR_video_queue", "VK_KHR_video_decode_queue", \
                             "VK_KHR_video_decode_vp9"})
#define ENCODE                                                                  \
    NULL_WITH(.extensions = {"VK_KHR_video_queue", "VK_KHR_video_encode_queue", \
                             "VK_KHR_video_encode_av1"})
#define PROFILE(name_, operation_, Codec_, CODEC_)                     \
    static const VkVideo##Codec_##ProfileInfoKHR name_##_codec = {     \
        .sType = VK_STRUCTURE_TYPE_VIDEO_##CODEC_##_PROFILE_INFO_KHR}; \
    static const VkVideoProfileInfoKHR name_##_profile = {             \
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,             \
        .pNext = &name_##_codec,                                       \
        .videoCodecOperation = (operation_),                           \
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,  \
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,        \
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};     \
    static const VkVideoProfileListInfoKHR name_ = {                   \
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,        \
        .profileCount = 1,                                             \
        .pProfiles = &name_##_profile}
PROFILE(vp9, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, DecodeVP9, DECODE_VP9);
PROFILE(av1, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, EncodeAV1, ENCODE_AV1);
BAD_BUFFER(buffer_decode_no_profile, "usage-04813", DECODE,
           info.usage = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR)
BAD_BUFFER(buffer_encode_no_profile, "usage-04814", ENCODE,
           info.usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR)
BAD_BUFFER(buffer_vp9_disabled, "pNext-10783", DECODE,
           info.usage = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR;
           info.pNext = &vp9)
BAD_BUFFER(buffer_av1_encode_disabled, "pNext-10249", ENCODE,
           info.usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR;
           info.pNext = &av1)

#define DESCRIPTORS(with_)                                                                         \
    NULL_WITH(.extensions = {"VK_EXT_descriptor_buffer"}, .features = &descriptor_buffer_features, \
              .null_driver = with_)
#define NEEDS_BUFFER "{\"properties\": {\"bufferlessPushDescriptors\": false}}"
#define PUSH         VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT
GOOD_BUFFER(buffer_push_descriptors, DESCRIPTORS(NEEDS_BUFFER),
            info.usage = PUSH | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT)

#define TILE       NULL_WITH(.extensions = {"VK_QCOM_tile_memory_heap"}, .features = &tile_features)
#define TILE_USAGE info.usage |= VK_BUFFER_USAGE_TILE_MEMORY_BIT_QCOM
BAD_BUFFER(buffer_tile_vertices, "usage-10764", TILE, TILE_USAGE;
           info.usage |= VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)
GOOD_BUFFER(buffer_tile, TILE, TILE_USAGE)

BAD_BUFFER(buffer_too_large, "size-06409",
           NULL_WITH(.null_driver = "{\"properties\": {\"maxBufferSize\": 65536}}"),
           info.size = 65537)
BAD_BUFFER(buffer_of_whole_size, "size-06409",
           NULL_WITH(.null_driver = "{\"properties\": {\"maxBufferSize\": 65536}}",
                     .text = {"size is VK_WHOLE_SIZE, more than maxBufferSize of this device, "
                              "65536"}),
           info.size = VK_WHOLE_SIZE)
GOOD_BUFFER(buffer_largest,
            NULL_WITH(.null_driver = "{\"properties\": {\"maxBufferSize\": 65536}}"),
            info.size = 65536)

/* --- chained structures --- */

static const VkExternalMemoryBufferCreateInfo external_fd = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
static const VkExternalMemoryBufferCreateInfo external_mixed = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT |
                   VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
#define EXTERNAL \
    NULL_WITH(.extensions = {"VK_KHR_external_memory_fd", "VK_EXT_external_memory_host"})
BAD_BUFFER(buffer_external_mixed, "pNext-00920", EXTERNAL, info.pNext = &external_mixed)
GOOD_BUFFER(buffer_external, EXTERNAL, info.pNext = &external_fd)

static const VkBufferOpaqueCaptureAddressCreateInfo address_opaque = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
    .opaqueCaptureAddress = 0x10000};
GOOD_BUFFER(buffer_address_replay, NULL_WITH(.features = &replay_features),
            info.pNext = &address_opaque;
            info.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
            info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/* --- views --- */

#define TEXELS (VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT)
#define BAD_VIEW(name_, vuid_, with_, ...)                                                    \
    SCENARIO(name_, .expect = {"VUID-VkBufferViewCreateInfo-" vuid_}, WITH(with_))            \
    {                                                                                         \
        VkBufferViewCreateInfo info =                                                         \
            buffer_view_info(make_buffer(b, 4096, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT)); \
        __VA_ARGS__;                                                                          \
        create_buffer_view(b, &info);                                                         \
    }
BAD_VIEW(view_half_texel, "range-00929", (), info.range = 6)
#define FEW_TEXELS NULL_WITH(.null_driver = "{\"limits\": {\"maxTexelBufferElements\": 512}}")
BAD_VIEW(view_too_many_texels, "range-00930", FEW_TEXELS, info.range = 2052)
BAD_VIEW(view_whole_too_many_texels, "range-04059", FEW_TEXELS, info.range = VK_WHOLE_SIZE)
BAD_VIEW(view_uniform_format, "format-08778", NULL_WITH(),
         info.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK)
BAD_VIEW(view_storage_format, "format-08779", NULL_WITH(),
         info.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
         info.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT))
/* "texelBufferAlignment is enabled if using a Vulkan 1.3 instance": a texel is enough where the
 * device says so. */
#define TEXEL_ALIGNMENT(single_)                                                        \
    .null_driver = "{\"properties\": {\"uniformTexelBufferOffsetAlignmentBytes\": 16, " \
                   "\"uniformTexelBufferOffsetSingleTexelAlignment\": " single_         \
                   "}, \"limits\": {\"minTexelBufferOffsetAlignment\": 64}}"
static void view_at(struct baseline *b, VkFormat format, VkDeviceSize offset)
{
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    info.format = format;
    info.offset = offset;
    info.range = 48;
    create_buffer_view(b, &info);
}
SCENARIO(view_of_single_texels_of_version_1_3, .drivers = NULL_DRIVER, TEXEL_ALIGNMENT("true"))
{
    view_at(b, VK_FORMAT_R32_UINT, 4);
    view_at(b, VK_FORMAT_R32G32B32A32_SFLOAT, 16);
    view_at(b, VK_FORMAT_R32G32B32_SFLOAT, 4);
}
SCENARIO(view_of_bytes, .drivers = NULL_DRIVER, TEXEL_ALIGNMENT("false"),
         .expect = {"VUID-VkBufferViewCreateInfo-buffer-02751"})
{
    view_at(b, VK_FORMAT_R32_UINT, 16);
    view_at(b, VK_FORMAT_R32_UINT, 4);
}
SCENARIO(view_of_version_1_2, .api_version = VK_API_VERSION_1_2, .drivers = NULL_DRIVER,
         TEXEL_ALIGNMENT("true"), .expect = {"VUID-VkBufferViewCreateInfo-buffer-02751"},
         .text = {"begin at multiples of 64"})
{
    view_at(b, VK_FORMAT_R32_UINT, 4);
}
BAD_VIEW(view_uniform_misaligned, "buffer-02751", NULL_WITH(.api_version = VK_API_VERSION_1_2),
         info.offset = 8;
         info.range = 64)
BAD_VIEW(view_storage_misaligned, "buffer-02750", NULL_WITH(.api_version = VK_API_VERSION_1_2),
         info.offset = 8;
         info.range = 64;
         info.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT))
SCENARIO(view_memory_freed, .expect = {"VUID-VkBufferViewCreateInfo-buffer-00935"},
         .text = {"any more"})
{
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    VkDeviceMemory memory = buffer_memory(b, buffer);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    VkBufferViewCreateInfo info = buffer_view_info(buffer);
    create_buffer_view(b, &info);
}
static VkBufferUsageFlags2CreateInfo usage_flags2(VkBufferUsageFlags2 usage)
{
    return (VkBufferUsageFlags2CreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO, .usage = usage};
}
FEATURES(maintenance5_features, VkPhysicalDeviceMaintenance5Features, MAINTENANCE_5_FEATURES,
         .maintenance5 = VK_TRUE);
#define USAGE2 NULL_WITH(.extensions = {"VK_KHR_maintenance5"}, .features = &maintenance5_features)
SCENARIO(view_usage_of_another_buffer, .expect = {"VUID-VkBufferViewCreateInfo-pNext-08781"},
         WITH(USAGE2))
{
    VkBufferUsageFlags2CreateInfo usage = usage_flags2(VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT);
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    info.pNext = &usage;
    create_buffer_view(b, &info);
}
SCENARIO(view_444_old, .expect = {"VUID-VkBufferViewCreateInfo-None-12278"}, .drivers = NULL_DRIVER,
         .api_version = VK_API_VERSION_1_2, .extensions = {"VK_EXT_ycbcr_2plane_444_formats"})
{
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 252, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    info.format = VK_FORMAT_G8_B8R8_2PLANE_444_UNORM;
    create_buffer_view(b, &info);
}
SCENARIO(views_in_order)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 4096, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    info.offset = properties.limits.minTexelBufferOffsetAlignment;
    EXPECT(create_buffer_view(b, &info) != VK_NULL_HANDLE);
    info.range = 4096 - info.offset;
    EXPECT(create_buffer_view(b, &info) != VK_NULL_HANDLE);
    info.offset = 4095 / properties.limits.minTexelBufferOffsetAlignment *
                  properties.limits.minTexelBufferOffsetAlignment;
    info.range = VK_WHOLE_SIZE;
    EXPECT(create_buffer_view(b, &info) != VK_NULL_HANDLE);
}
SCENARIO(view_of_single_texels, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_texel_buffer_alignment"}, .features = &texel_features,
         .null_driver = "{\"properties\": {\"storageTexelBufferOffsetSingleTexelAlignment\": true, "
                        "\"uniformTexelBufferOffsetSingleTexelAlignment\": true, "
                        "\"storageTexelBufferOffsetAlignmentBytes\": 16, "
                        "\"uniformTexelBufferOffsetAlignmentBytes\": 16}}")
{
    VkBufferViewCreateInfo info = buffer_view_info(make_buffer(b, 256, TEXELS));
    info.offset = 4;
    info.range = 64;
    EXPECT(create_buffer_view(b, &info) != VK_NULL_HANDLE);
}

/* --- destroyed while in use --- */

SCENARIO(buffer_destroyed_after_use)
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commands = make_recording(b);
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 0);
    run_commands(b, commands);
    FORGET(b, buffer);
    vkDestroyBuffer(b->device, buffer, NULL);
}

/* --- addresses --- */

static uint64_t opaque_address_of(struct baseline *b, VkBuffer buffer)
{
    VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                      .buffer = buffer};
    return vkGetBufferOpaqueCaptureAddress(b->device, &info);
}
SCENARIO(address_not_enabled, .expect = {"VUID-vkGetBufferDeviceAddress-bufferDeviceAddress-03324"})
{
    buffer_address(b, make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
}
SCENARIO(address_of_unbound, .expect = {"VUID-vkGetBufferDeviceAddress-bufferDeviceAddress-03324"},
         .features = &address_features)
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    buffer_address(b, create_buffer(b, &info));
}
SCENARIO(address_of_other_usage, .expect = {"VUID-VkBufferDeviceAddressInfo-buffer-02601"},
         .features = &address_features)
{
    buffer_address(b, make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
}
SCENARIO(address_of_buffer, .features = &address_features)
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    EXPECT(buffer_address(b, buffer) != 0);
    EXPECT(buffer_address(b, buffer) == buffer_address(b, buffer));
}
SCENARIO(opaque_address, .drivers = NULL_DRIVER, .features = &replay_features)
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    info.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
    opaque_address_of(b, create_buffer(b, &info));
}

/* --- address spaces --- */

/* Two buffers, one after the other; `gone`: the first is destroyed before the second is made. */
static void create_two(struct baseline *b, const VkBufferCreateInfo *info, bool gone)
{
    VkBuffer first = create_buffer(b, info);
    ENSURE(first);
    if (gone) {
        FORGET(b, first);
        vkDestroyBuffer(b->device, first, NULL);
    }
    create_buffer(b, info);
}

#define SPACE(name_, gone_, with_, change_, ...)                                        \
    SCENARIO(name_, WITH(with_), ##__VA_ARGS__)                                         \
    {                                                                                   \
        VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); \
        change_;                                                                        \
        create_two(b, &info, (gone_));                                                  \
    }
#define SPARSE_SPACE(size_)                 \
    NULL_WITH(.features = &sparse_features, \
              .null_driver = "{\"limits\": {\"sparseAddressSpaceSize\": " #size_ "}}")
#define BOUND_SPARSELY info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT
SPACE(sparse_space_filled, false, SPARSE_SPACE(512), BOUND_SPARSELY)
SPACE(sparse_space_freed, true, SPARSE_SPACE(256), BOUND_SPARSELY)
SPACE(sparse_space_exceeded, false, SPARSE_SPACE(511), BOUND_SPARSELY,
      .expect = {"VUID-vkCreateBuffer-flags-00911"},
      .text = {"sparse buffers take 256 bytes already, more together than sparseAddressSpaceSize "
               "(511)"})
#define DESCRIPTOR_SPACE(limit_)                                       \
    NULL_WITH(.features = &descriptor_buffer_features,                 \
              .extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}, \
              .null_driver = "{\"properties\": {\"" limit_ "\": 511}}")
#define SAMPLERS  info.usage = VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT
#define RESOURCES info.usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT
SPACE(sampler_space_exceeded, false, DESCRIPTOR_SPACE("samplerDescriptorBufferAddressSpaceSize"),
      SAMPLERS, .expect = {"VUID-VkBufferCreateInfo-usage-08097"})
SPACE(sampler_space_freed, true, DESCRIPTOR_SPACE("samplerDescriptorBufferAddressSpaceSize"),
      SAMPLERS)
SPACE(resource_space_exceeded, false, DESCRIPTOR_SPACE("resourceDescriptorBufferAddressSpaceSize"),
      RESOURCES, .expect = {"VUID-VkBufferCreateInfo-usage-08098"})
SPACE(resource_space_of_samplers, false,
      DESCRIPTOR_SPACE("samplerDescriptorBufferAddressSpaceSize"), RESOURCES)
SPACE(descriptor_space_exceeded, false, DESCRIPTOR_SPACE("descriptorBufferAddressSpaceSize"),
      RESOURCES, .expect = {"VUID-VkBufferCreateInfo-usage-08098"},
      .text = {"more together than descriptorBufferAddressSpaceSize (511)"})
