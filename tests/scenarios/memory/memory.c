/* Device memory: how it is allocated, exported, mapped, flushed, and what buffers and images are
 * bound to. */
#include "scenario.h"

#define UNPACK(...)    __VA_ARGS__
#define WITH(with_)    UNPACK with_
#define NULL_WITH(...) (.drivers = NULL_DRIVER, __VA_ARGS__)
#define FEATURES(name_, Type_, STYPE_, ...) \
    static const Type_ name_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##STYPE_, __VA_ARGS__}

/* The null driver's memory types. */
enum { HOST_TYPE = 1, LAZY_TYPE = 4, PROTECTED_TYPE = 5 };

/* A valid allocation with one mistake in it. */
#define BAD_MEMORY(name_, vuid_, with_, ...)                \
    SCENARIO(name_, .expect = {"VUID-" vuid_}, WITH(with_)) \
    {                                                       \
        VkMemoryAllocateInfo info = memory_info(65536, 0);  \
        __VA_ARGS__;                                        \
        create_memory(b, &info);                            \
    }
#define GOOD_MEMORY(name_, with_, ...)                     \
    SCENARIO(name_, WITH(with_))                           \
    {                                                      \
        VkMemoryAllocateInfo info = memory_info(65536, 0); \
        __VA_ARGS__;                                       \
        EXPECT(create_memory(b, &info) != VK_NULL_HANDLE); \
    }

FEATURES(protected_features, VkPhysicalDeviceProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES,
         .protectedMemory = VK_TRUE);
FEATURES(address_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE);
FEATURES(replay_features, VkPhysicalDeviceBufferDeviceAddressFeatures,
         BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE,
         .bufferDeviceAddressCaptureReplay = VK_TRUE);
static const VkPhysicalDeviceFeatures2 sparse_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.sparseBinding = VK_TRUE}};

/* --- allocation --- */

BAD_MEMORY(memory_type_unknown, "vkAllocateMemory-pAllocateInfo-01714", (),
           info.memoryTypeIndex = 77)
BAD_MEMORY(memory_larger_than_heap, "vkAllocateMemory-pAllocateInfo-01713", (),
           info.allocationSize = 1ull << 60)
BAD_MEMORY(memory_of_nothing, "VkMemoryAllocateInfo-allocationSize-07897", (),
           info.allocationSize = 0)
BAD_MEMORY(memory_protected_disabled, "VkMemoryAllocateInfo-memoryTypeIndex-01872", NULL_WITH(),
           info.memoryTypeIndex = PROTECTED_TYPE)
GOOD_MEMORY(memory_plain, (), (void)0)
GOOD_MEMORY(memory_protected, NULL_WITH(.features = &protected_features),
            info.memoryTypeIndex = PROTECTED_TYPE)
SCENARIO(memory_too_many, .expect = {"VUID-vkAllocateMemory-maxMemoryAllocationCount-04101"},
         .drivers = NULL_DRIVER, .null_driver = "{\"limits\": {\"maxMemoryAllocationCount\": 3}}")
{
    for (int i = 0; i < 3; i++)
        make_memory(b, 4096);
    VkMemoryAllocateInfo info = memory_info(4096, 0);
    create_memory(b, &info);
}
SCENARIO(memory_allocated_again, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"maxMemoryAllocationCount\": 3}}")
{
    for (int i = 0; i < 6; i++) {
        VkDeviceMemory memory = make_memory(b, 4096);
        FORGET(b, memory);
        vkFreeMemory(b->device, memory, NULL);
    }
}

static VkMemoryAllocateFlagsInfo flags_info(VkMemoryAllocateFlags flags)
{
    return (VkMemoryAllocateFlagsInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = flags};
}
#define FLAGS(flags_)                                     \
    VkMemoryAllocateFlagsInfo flags = flags_info(flags_); \
    info.pNext = &flags
#define ADDRESS VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
#define REPLAY  VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT
#define CAPTURED                                                                \
    VkMemoryOpaqueCaptureAddressAllocateInfo capture = {                        \
        .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO, \
        .pNext = info.pNext,                                                    \
        .opaqueCaptureAddress = 0x100000};                                      \
    info.pNext = &capture
BAD_MEMORY(memory_address_no_replay, "VkMemoryAllocateInfo-opaqueCaptureAddress-03329",
           NULL_WITH(.features = &replay_features), FLAGS(ADDRESS);
           CAPTURED)
GOOD_MEMORY(memory_replay, NULL_WITH(.features = &replay_features), FLAGS(ADDRESS | REPLAY);
            CAPTURED)
FEATURES(zero_features, VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT,
         ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
         .pNext = (void *)(uintptr_t)&protected_features, .zeroInitializeDeviceMemory = VK_TRUE);
#define ZERO                                                                                       \
    NULL_WITH(.extensions = {"VK_EXT_zero_initialize_device_memory", "VK_KHR_external_memory_fd"}, \
              .features = &zero_features)
BAD_MEMORY(memory_zero_protected, "VkMemoryAllocateFlagsInfo-flags-10761", ZERO,
           FLAGS(VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT);
           info.memoryTypeIndex = PROTECTED_TYPE)
GOOD_MEMORY(memory_zero, ZERO, FLAGS(VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT))

FEATURES(priority_features, VkPhysicalDeviceMemoryPriorityFeaturesEXT, MEMORY_PRIORITY_FEATURES_EXT,
         .memoryPriority = VK_TRUE);
FEATURES(pageable_features, VkPhysicalDevicePageableDeviceLocalMemoryFeaturesEXT,
         PAGEABLE_DEVICE_LOCAL_MEMORY_FEATURES_EXT, .pNext = (void *)(uintptr_t)&priority_features,
         .pageableDeviceLocalMemory = VK_TRUE);
#define PRIORITY                                                                               \
    NULL_WITH(.extensions = {"VK_EXT_memory_priority", "VK_EXT_pageable_device_local_memory"}, \
              .features = &pageable_features)
#define PRIORITIZED(priority_)                                                                  \
    VkMemoryPriorityAllocateInfoEXT priority = {                                                \
        .sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT, .priority = (priority_)}; \
    info.pNext = &priority
GOOD_MEMORY(memory_priority, PRIORITY, PRIORITIZED(1.0f))
SCENARIO(memory_priority_set_low, .expect = {"VUID-vkSetDeviceMemoryPriorityEXT-priority-06258"},
         WITH(PRIORITY))
{
    DEVICE_PROC(b, vkSetDeviceMemoryPriorityEXT)(b->device, make_memory(b, 4096), -0.5f);
}
SCENARIO(memory_priority_set, WITH(PRIORITY))
{
    DEVICE_PROC(b, vkSetDeviceMemoryPriorityEXT)(b->device, make_memory(b, 4096), 0.5f);
}

/* --- dedicated --- */

#define DEDICATED(...)                                                           \
    VkMemoryDedicatedAllocateInfo dedicated = {                                  \
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, __VA_ARGS__}; \
    info.pNext = &dedicated
BAD_MEMORY(memory_small_for_image, "VkMemoryDedicatedAllocateInfo-image-02964", (),
           DEDICATED(.image = make_unbound_image(b));
           info.allocationSize = 256)
BAD_MEMORY(memory_small_for_buffer, "VkMemoryDedicatedAllocateInfo-buffer-02965", (),
           DEDICATED(.buffer = make_unbound_buffer(b));
           info.allocationSize = 64)
GOOD_MEMORY(memory_for_image, (), DEDICATED(.image = make_unbound_image(b)))
GOOD_MEMORY(memory_for_buffer, (), DEDICATED(.buffer = make_unbound_buffer(b)))

/* --- import and export --- */

static char page[65536] __attribute__((aligned(65536)));
#define EXPORTED(types_)                                                                           \
    VkExportMemoryAllocateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, \
                                           .handleTypes = (types_)};                               \
    info.pNext = &exported
#define FROM_FD(type_, fd_)                                                                        \
    VkImportMemoryFdInfoKHR imported = {                                                           \
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = (type_), .fd = (fd_)}; \
    imported.pNext = info.pNext;                                                                   \
    info.pNext = &imported
#define FROM_HOST(type_, pointer_)                                      \
    VkImportMemoryHostPointerInfoEXT host = {                           \
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, \
        .pNext = info.pNext,                                            \
        .handleType = (type_),                                          \
        .pHostPointer = (pointer_)};                                    \
    info.memoryTypeIndex = 1; /* one for host pointers */               \
    info.pNext = &host
#define OPAQUE_FD VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
#define HOST_PAGE VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
#define EXTERNAL_LIST \
    "VK_KHR_external_memory_fd", "VK_EXT_external_memory_host", "VK_EXT_external_memory_dma_buf"
#define EXTERNAL                             \
    NULL_WITH(.extensions = {EXTERNAL_LIST}, \
              .null_driver = "{\"properties\": {\"minImportedHostPointerAlignment\": 4096}}")
BAD_MEMORY(memory_exported_nothing, "VkMemoryAllocateInfo-allocationSize-07899", EXTERNAL,
           EXPORTED(OPAQUE_FD);
           info.allocationSize = 0)
GOOD_MEMORY(memory_exported, EXTERNAL, EXPORTED(OPAQUE_FD))
BAD_MEMORY(memory_exported_twice, "VkMemoryAllocateInfo-pNext-00640",
           NULL_WITH(.instance_extensions = {"VK_NV_external_memory_capabilities"},
                     .extensions = {"VK_NV_external_memory"}),
           VkExportMemoryAllocateInfoNV nv = {.sType =
                                                  VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO_NV};
           EXPORTED(OPAQUE_FD); exported.pNext = &nv)
BAD_MEMORY(memory_from_bad_fd, "VkImportMemoryFdInfoKHR-handleType-00670", EXTERNAL,
           FROM_FD(OPAQUE_FD, -1))
BAD_MEMORY(memory_from_host_misaligned, "VkImportMemoryHostPointerInfoEXT-pHostPointer-01749",
           EXTERNAL, FROM_HOST(HOST_PAGE, page + 64))
BAD_MEMORY(memory_from_host_odd_size, "VkMemoryAllocateInfo-allocationSize-01745", EXTERNAL,
           FROM_HOST(HOST_PAGE, page);
           info.allocationSize = 100)
BAD_MEMORY(memory_from_host_dedicated, "VkMemoryAllocateInfo-pNext-02806", EXTERNAL,
           DEDICATED(.buffer = make_unbound_buffer(b));
           FROM_HOST(HOST_PAGE, page))
BAD_MEMORY(memory_from_host_and_fd, "VkMemoryAllocateInfo-None-06657", EXTERNAL,
           FROM_HOST(HOST_PAGE, page);
           FROM_FD(OPAQUE_FD, 0))
BAD_MEMORY(memory_from_host_type, "VkMemoryAllocateInfo-memoryTypeIndex-01744", EXTERNAL,
           FROM_HOST(HOST_PAGE, page);
           info.memoryTypeIndex = 0)
GOOD_MEMORY(memory_from_host, EXTERNAL, FROM_HOST(HOST_PAGE, page))
BAD_MEMORY(memory_zero_imported, "VkMemoryAllocateFlagsInfo-flags-10760", ZERO,
           FLAGS(VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT);
           FROM_FD(OPAQUE_FD, 0))
SCENARIO(memory_replay_imported, .expect = {"VUID-VkMemoryAllocateInfo-pNext-03332"},
         .drivers = NULL_DRIVER, .extensions = {EXTERNAL_LIST}, .features = &replay_features)
{
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    FLAGS(ADDRESS | REPLAY);
    CAPTURED;
    FROM_HOST(HOST_PAGE, page);
    create_memory(b, &info);
}
SCENARIO(memory_replay_imported_from_fd,
         .expect = {"VUID-VkMemoryAllocateInfo-opaqueCaptureAddress-03333"}, .drivers = NULL_DRIVER,
         .extensions = {EXTERNAL_LIST}, .features = &replay_features)
{
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    FLAGS(ADDRESS | REPLAY);
    CAPTURED;
    FROM_FD(OPAQUE_FD, 0);
    create_memory(b, &info);
}
SCENARIO(memory_from_host_dedicated_nv, .expect = {"VUID-VkMemoryAllocateInfo-pNext-02805"},
         .drivers = NULL_DRIVER, .extensions = {EXTERNAL_LIST, "VK_NV_dedicated_allocation"})
{
    VkDedicatedAllocationMemoryAllocateInfoNV nv = {
        .sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV,
        .buffer = make_unbound_buffer(b)};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    info.pNext = &nv;
    FROM_HOST(HOST_PAGE, page);
    create_memory(b, &info);
}

static VkDeviceMemory make_exported(struct baseline *b, VkExternalMemoryHandleTypeFlags types)
{
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    EXPORTED(types);
    return create_memory(b, &info);
}
static VkResult get_fd(struct baseline *b, VkDeviceMemory memory,
                       VkExternalMemoryHandleTypeFlagBits type)
{
    VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
    int fd = -1;
    return DEVICE_PROC(b, vkGetMemoryFdKHR)(b->device, &info, &fd);
}
SCENARIO(fd_not_exported, .expect = {"VUID-VkMemoryGetFdInfoKHR-handleType-00671"}, WITH(EXTERNAL))
{
    get_fd(b, make_memory(b, 4096), OPAQUE_FD);
}
SCENARIO(fd_of_host_type, .expect = {"VUID-VkMemoryGetFdInfoKHR-handleType-00672"}, WITH(EXTERNAL))
{
    get_fd(b, make_exported(b, OPAQUE_FD | HOST_PAGE), HOST_PAGE);
}
SCENARIO(fd_exported, WITH(EXTERNAL))
{
    VK(get_fd(b, make_exported(b, OPAQUE_FD), OPAQUE_FD));
}
static const VkPhysicalDeviceExternalMemoryRDMAFeaturesNV remote_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_RDMA_FEATURES_NV,
    .externalMemoryRDMA = VK_TRUE};
#define REMOTE NULL_WITH(.extensions = {"VK_NV_external_memory_rdma"}, .features = &remote_features)
static void get_remote(struct baseline *b, VkDeviceMemory memory)
{
    const VkMemoryGetRemoteAddressInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_REMOTE_ADDRESS_INFO_NV,
        .memory = memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_RDMA_ADDRESS_BIT_NV};
    VkRemoteAddressNV address;
    DEVICE_PROC(b, vkGetMemoryRemoteAddressNV)(b->device, &info, &address);
}
SCENARIO(remote_not_exported, .expect = {"VUID-VkMemoryGetRemoteAddressInfoNV-handleType-04966"},
         WITH(REMOTE))
{
    get_remote(b, make_memory(b, 4096));
}
SCENARIO(remote_exported, WITH(REMOTE))
{
    get_remote(b, make_exported(b, VK_EXTERNAL_MEMORY_HANDLE_TYPE_RDMA_ADDRESS_BIT_NV));
}
static void ask_fd(struct baseline *b, VkExternalMemoryHandleTypeFlagBits type, int fd)
{
    VkMemoryFdPropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    DEVICE_PROC(b, vkGetMemoryFdPropertiesKHR)(b->device, type, fd, &properties);
}
SCENARIO(fd_asked_opaque, .expect = {"VUID-vkGetMemoryFdPropertiesKHR-handleType-00674"},
         WITH(EXTERNAL))
{
    ask_fd(b, OPAQUE_FD, 0);
}
SCENARIO(fd_asked_none, .expect = {"VUID-vkGetMemoryFdPropertiesKHR-fd-00673"}, WITH(EXTERNAL))
{
    ask_fd(b, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, -1);
}
SCENARIO(fd_asked, WITH(EXTERNAL))
{
    ask_fd(b, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, 0);
}
static void ask_host(struct baseline *b, VkExternalMemoryHandleTypeFlagBits type, void *pointer)
{
    VkMemoryHostPointerPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    DEVICE_PROC(b, vkGetMemoryHostPointerPropertiesEXT)(b->device, type, pointer, &properties);
}
SCENARIO(host_asked_fd, .expect = {"VUID-vkGetMemoryHostPointerPropertiesEXT-handleType-01752"},
         WITH(EXTERNAL))
{
    ask_host(b, OPAQUE_FD, page);
}
SCENARIO(host_asked_misaligned,
         .expect = {"VUID-vkGetMemoryHostPointerPropertiesEXT-pHostPointer-01753"}, WITH(EXTERNAL))
{
    ask_host(b, HOST_PAGE, page + 1);
}
SCENARIO(host_asked, WITH(EXTERNAL))
{
    ask_host(b, HOST_PAGE, page);
}

/* --- queries --- */

SCENARIO(commitment_of_plain, .expect = {"VUID-vkGetDeviceMemoryCommitment-memory-00690"})
{
    VkDeviceSize size;
    vkGetDeviceMemoryCommitment(b->device, make_memory(b, 4096), &size);
}
SCENARIO(commitment_of_lazy, .drivers = NULL_DRIVER)
{
    VkMemoryAllocateInfo info = memory_info(65536, LAZY_TYPE);
    VkDeviceSize size;
    vkGetDeviceMemoryCommitment(b->device, create_memory(b, &info), &size);
}
static void ask_address(struct baseline *b, VkMemoryAllocateFlags allocate_flags)
{
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    FLAGS(allocate_flags);
    VkDeviceMemoryOpaqueCaptureAddressInfo ask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO,
        .memory = create_memory(b, &info)};
    vkGetDeviceMemoryOpaqueCaptureAddress(b->device, &ask);
}
SCENARIO(memory_address_asked_disabled,
         .expect = {"VUID-vkGetDeviceMemoryOpaqueCaptureAddress-None-03334"},
         .drivers = NULL_DRIVER, .features = &address_features)
{
    ask_address(b, ADDRESS);
}
SCENARIO(memory_address_asked_no_address,
         .expect = {"VUID-VkDeviceMemoryOpaqueCaptureAddressInfo-memory-03336"},
         .drivers = NULL_DRIVER, .features = &replay_features)
{
    ask_address(b, REPLAY);
}
SCENARIO(memory_address_asked, .drivers = NULL_DRIVER, .features = &replay_features)
{
    ask_address(b, ADDRESS | REPLAY);
}
SCENARIO(peer_memory_heap,
         .expect = {"VUID-vkGetDeviceGroupPeerMemoryFeatures-heapIndex-00691",
                    "VUID-vkGetDeviceGroupPeerMemoryFeatures-localDeviceIndex-00694"},
         .drivers = NULL_DRIVER)
{
    VkPeerMemoryFeatureFlags features;
    vkGetDeviceGroupPeerMemoryFeatures(b->device, 77, 0, 0, &features);
}

/* --- mapping --- */

#define MAP(memory_, offset_, size_) vkMapMemory(b->device, memory_, offset_, size_, 0, &pointer)
SCENARIO(map_twice, .expect = {"VUID-vkMapMemory-memory-00678"},
         .text = {", which is mapped already"})
{
    void *pointer;
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(MAP(memory, 0, 1024));
    MAP(memory, 1024, 1024);
}
SCENARIO(map_device_memory, .expect = {"VUID-vkMapMemory-memory-00682"}, .drivers = NULL_DRIVER)
{
    void *pointer;
    VkMemoryAllocateInfo info = memory_info(4096, LAZY_TYPE);
    MAP(create_memory(b, &info), 0, VK_WHOLE_SIZE);
}
SCENARIO(map_placed_by_first, .expect = {"VUID-vkMapMemory-flags-09568"}, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_map_memory2", "VK_EXT_map_memory_placed"})
{
    void *pointer;
    vkMapMemory(b->device, make_memory(b, 4096), 0, VK_WHOLE_SIZE, VK_MEMORY_MAP_PLACED_BIT_EXT,
                &pointer);
}
SCENARIO(map_again)
{
    void *pointer;
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(MAP(memory, 1024, 3072));
    vkUnmapMemory(b->device, memory);
    VK(MAP(memory, 4095, VK_WHOLE_SIZE));
    vkUnmapMemory(b->device, memory);
}
SCENARIO(unmap_not_mapped, .expect = {"VUID-vkUnmapMemory-memory-00689"})
{
    vkUnmapMemory(b->device, make_memory(b, 4096));
}

/* The same by vkMapMemory2, and where the app wants it. */
FEATURES(placed_features, VkPhysicalDeviceMapMemoryPlacedFeaturesEXT,
         MAP_MEMORY_PLACED_FEATURES_EXT, .memoryMapPlaced = VK_TRUE, .memoryUnmapReserve = VK_TRUE);
#define MAP2_WITH(features_)                                                                   \
    NULL_WITH(.extensions = {"VK_KHR_map_memory2", "VK_EXT_map_memory_placed", EXTERNAL_LIST}, \
              .features = features_,                                                           \
              .null_driver = "{\"properties\": {\"minPlacedMemoryMapAlignment\": 4096, "       \
                             "\"minImportedHostPointerAlignment\": 4096}}")
static VkResult map_placed(struct baseline *b, VkDeviceMemory memory, VkDeviceSize offset,
                           VkDeviceSize size, void *place)
{
    VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                       .pPlacedAddress = place};
    VkMemoryMapInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                            .pNext = place ? &placed : NULL,
                            .flags = place ? VK_MEMORY_MAP_PLACED_BIT_EXT : 0,
                            .memory = memory,
                            .offset = offset,
                            .size = size};
    void *pointer;
    return DEVICE_PROC(b, vkMapMemory2KHR)(b->device, &info, &pointer);
}
static VkResult unmap_memory2(struct baseline *b, VkDeviceMemory memory, VkMemoryUnmapFlags flags)
{
    VkMemoryUnmapInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .flags = flags, .memory = memory};
    return DEVICE_PROC(b, vkUnmapMemory2KHR)(b->device, &info);
}
#define BAD_MAP2(name_, vuid_, features_, ...)                                             \
    SCENARIO(name_, .expect = {"VUID-VkMemoryMapInfo-" vuid_}, WITH(MAP2_WITH(features_))) \
    {                                                                                      \
        __VA_ARGS__;                                                                       \
    }
BAD_MAP2(map2_twice, "memory-07958", NULL, VkDeviceMemory memory = make_memory(b, 4096);
         VK(map_placed(b, memory, 0, VK_WHOLE_SIZE, NULL));
         map_placed(b, memory, 0, VK_WHOLE_SIZE, NULL))
BAD_MAP2(map2_device_memory, "memory-07962", NULL,
         VkMemoryAllocateInfo info = memory_info(4096, LAZY_TYPE);
         map_placed(b, create_memory(b, &info), 0, VK_WHOLE_SIZE, NULL))
BAD_MAP2(map2_placed_part, "flags-09572", &placed_features,
         map_placed(b, make_memory(b, 8192), 0, 4096, page))
BAD_MAP2(map2_placed_odd_memory, "flags-09651", &placed_features,
         map_placed(b, make_memory(b, 5000), 0, VK_WHOLE_SIZE, page))
SCENARIO(map2_placed_nowhere, .expect = {"VUID-VkMemoryMapInfo-flags-09570"},
         WITH(MAP2_WITH(&placed_features)))
{
    VkMemoryMapInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                            .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                            .memory = make_memory(b, 4096),
                            .size = VK_WHOLE_SIZE};
    void *pointer;
    DEVICE_PROC(b, vkMapMemory2KHR)(b->device, &info, &pointer);
}
SCENARIO(map2_placed_misaligned, .expect = {"VUID-VkMemoryMapPlacedInfoEXT-pPlacedAddress-09577"},
         WITH(MAP2_WITH(&placed_features)))
{
    map_placed(b, make_memory(b, 4096), 0, VK_WHOLE_SIZE, page + 64);
}
/* Two memories at one address; the second may be there when the first is not mapped any more. */
SCENARIO(map2_placed_on_another, .expect = {"VUID-VkMemoryMapPlacedInfoEXT-pPlacedAddress-09578"},
         .text = {"is mapped"}, WITH(MAP2_WITH(&placed_features)))
{
    VK(map_placed(b, make_memory(b, 4096), 0, VK_WHOLE_SIZE, page));
    map_placed(b, make_memory(b, 4096), 0, VK_WHOLE_SIZE, page);
}
SCENARIO(map2_placed_where_another_was, WITH(MAP2_WITH(&placed_features)))
{
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(map_placed(b, memory, 0, VK_WHOLE_SIZE, page));
    VK(unmap_memory2(b, memory, 0));
    VK(map_placed(b, make_memory(b, 4096), 0, VK_WHOLE_SIZE, page));
}
static VkDeviceMemory make_host_import(struct baseline *b)
{
    VkMemoryAllocateInfo info = memory_info(65536, HOST_TYPE);
    FROM_HOST(HOST_PAGE, page);
    return create_memory(b, &info);
}
BAD_MAP2(map2_placed_import, "flags-09575", &placed_features,
         map_placed(b, make_host_import(b), 0, VK_WHOLE_SIZE, page))
SCENARIO(map2_placed, WITH(MAP2_WITH(&placed_features)))
{
    VkDeviceMemory memory = make_memory(b, 4096);
    map_placed(b, memory, 0, VK_WHOLE_SIZE, page);
}
SCENARIO(map2_and_unmap2, WITH(MAP2_WITH(NULL)))
{
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(map_placed(b, memory, 1024, 3072, NULL));
    VK(unmap_memory2(b, memory, 0));
}
SCENARIO(unmap2_not_mapped, .expect = {"VUID-VkMemoryUnmapInfo-memory-07964"},
         WITH(MAP2_WITH(NULL)))
{
    unmap_memory2(b, make_memory(b, 4096), 0);
}
SCENARIO(unmap2_reserve_import, .expect = {"VUID-VkMemoryUnmapInfo-flags-09580"},
         WITH(MAP2_WITH(&placed_features)))
{
    VkDeviceMemory memory = make_host_import(b);
    VK(map_placed(b, memory, 0, VK_WHOLE_SIZE, NULL));
    unmap_memory2(b, memory, VK_MEMORY_UNMAP_RESERVE_BIT_EXT);
}

/* --- flushing --- */

static void flush_mapped(struct baseline *b, VkDeviceMemory memory, VkDeviceSize offset,
                         VkDeviceSize size)
{
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = memory,
                                 .offset = offset,
                                 .size = size};
    vkFlushMappedMemoryRanges(b->device, 1, &range);
}
static VkDeviceMemory make_mapped(struct baseline *b, VkDeviceSize offset, VkDeviceSize size)
{
    void *pointer;
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(MAP(memory, offset, size));
    return memory;
}
SCENARIO(flush_not_mapped, .expect = {"VUID-VkMappedMemoryRange-memory-00684"})
{
    flush_mapped(b, make_memory(b, 4096), 0, VK_WHOLE_SIZE);
}
SCENARIO(flush_too_much, .expect = {"VUID-VkMappedMemoryRange-size-00685"})
{
    flush_mapped(b, make_mapped(b, 0, 1024), 0, 2048);
}
SCENARIO(flush_behind_the_end, .expect = {"VUID-VkMappedMemoryRange-size-00686"})
{
    flush_mapped(b, make_mapped(b, 0, 1024), 1024, VK_WHOLE_SIZE);
}
SCENARIO(flush_odd_offset, .expect = {"VUID-VkMappedMemoryRange-offset-00687"})
{
    flush_mapped(b, make_mapped(b, 0, 1024), 1, VK_WHOLE_SIZE);
}
SCENARIO(flush_odd_mapping, .expect = {"VUID-VkMappedMemoryRange-size-01389"})
{
    flush_mapped(b, make_mapped(b, 0, 1001), 0, VK_WHOLE_SIZE);
}
SCENARIO(flush_odd_size, .expect = {"VUID-VkMappedMemoryRange-size-01390"})
{
    flush_mapped(b, make_mapped(b, 0, VK_WHOLE_SIZE), 0, 1001);
}
SCENARIO(flush_and_invalidate)
{
    VkDeviceMemory memory = make_mapped(b, 0, VK_WHOLE_SIZE);
    flush_mapped(b, memory, 1024, 1024);
    flush_mapped(b, memory, 1024, VK_WHOLE_SIZE);
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = memory,
                                 .offset = 2048,
                                 .size = 2048};
    VK(vkInvalidateMappedMemoryRanges(b->device, 1, &range));
}

/* --- device groups --- */

/* A device of both physical devices, and memory of one or both. */
struct group {
    VkDevice device;
    VkDeviceMemory memory;
};

static struct group make_group(struct baseline *b, uint32_t mask, const void *next)
{
    const char *extensions[] = {"VK_KHR_external_memory_fd", "VK_EXT_external_memory_dma_buf"};
    const float priority = 1;
    VkPhysicalDevice devices[2];
    uint32_t count = 2;
    struct group g = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    VK(vkEnumeratePhysicalDevices(b->instance, &count, devices));
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceGroupDeviceCreateInfo both = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
        .physicalDeviceCount = 2,
        .pPhysicalDevices = devices};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &both,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 2,
                                     .ppEnabledExtensionNames = extensions};
    VK(vkCreateDevice(devices[0], &info, NULL, &g.device));
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = next,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                             .deviceMask = mask};
    VkMemoryAllocateInfo memory = memory_info(4096, HOST_TYPE);
    memory.pNext = &flags;
    vkAllocateMemory(g.device, &memory, NULL, &g.memory);
    return g;
}

static void destroy_group(struct group g)
{
    vkFreeMemory(g.device, g.memory, NULL);
    vkDestroyDevice(g.device, NULL);
}

#define OF_GROUP \
    .drivers = NULL_DRIVER, .null_driver = "{\"physicalDevices\": 2, \"deviceGroup\": true}"

SCENARIO(map_one_instance, OF_GROUP)
{
    void *pointer;
    struct group g = make_group(b, 2, NULL);
    VK(vkMapMemory(g.device, g.memory, 0, VK_WHOLE_SIZE, 0, &pointer));
    destroy_group(g);
}
SCENARIO(map_two_instances, OF_GROUP, .expect = {"VUID-vkMapMemory-memory-00683"},
         .text = {", whose second instance is there"})
{
    void *pointer;
    struct group g = make_group(b, 3, NULL);
    vkMapMemory(g.device, g.memory, 0, VK_WHOLE_SIZE, 0, &pointer);
    destroy_group(g);
}
SCENARIO(map2_two_instances, OF_GROUP, .expect = {"VUID-VkMemoryMapInfo-memory-07963"},
         .api_version = VK_API_VERSION_1_4)
{
    void *pointer;
    struct group g = make_group(b, 3, NULL);
    const VkMemoryMapInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, .memory = g.memory, .size = VK_WHOLE_SIZE};
    ((PFN_vkMapMemory2)vkGetDeviceProcAddr(g.device, "vkMapMemory2"))(g.device, &info, &pointer);
    destroy_group(g);
}
SCENARIO(fd_of_two_instances, OF_GROUP, .expect = {"VUID-VkMemoryGetFdInfoKHR-handleType-12524"})
{
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    struct group g = make_group(b, 3, &exported);
    const VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                       .memory = g.memory,
                                       .handleType =
                                           VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    int fd = -1;
    ((PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(g.device, "vkGetMemoryFdKHR"))(g.device, &info, &fd);
    destroy_group(g);
}
SCENARIO(import_of_two_instances, OF_GROUP, .expect = {"VUID-VkMemoryAllocateInfo-None-12523"})
{
    const VkImportMemoryFdInfoKHR imported = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                              .handleType =
                                                  VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
                                              .fd = 0};
    destroy_group(make_group(b, 3, &imported));
}

/* --- VK_NV_dedicated_allocation --- */

#define OF_NV NULL_WITH(.extensions = {"VK_NV_dedicated_allocation"})
static const VkDedicatedAllocationBufferCreateInfoNV alone_buffer = {
    .sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_BUFFER_CREATE_INFO_NV,
    .dedicatedAllocation = VK_TRUE};
static const VkDedicatedAllocationImageCreateInfoNV alone_image = {
    .sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV,
    .dedicatedAllocation = VK_TRUE};

static VkBuffer make_alone_buffer(struct baseline *b)
{
    VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    info.pNext = &alone_buffer;
    return create_buffer(b, &info);
}
static VkImage make_alone_image(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &alone_image;
    return create_image(b, &info);
}
/* As much as it needs, and so much more. */
static VkDeviceMemory make_alone_memory(struct baseline *b, VkBuffer buffer, VkImage image,
                                        VkDeviceSize more)
{
    const VkDedicatedAllocationMemoryAllocateInfoNV dedicated = {
        .sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV,
        .image = image,
        .buffer = buffer};
    VkMemoryRequirements needs;
    if (buffer)
        vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    else
        vkGetImageMemoryRequirements(b->device, image, &needs);
    VkMemoryAllocateInfo info = memory_info(needs.size + more, 0);
    info.pNext = &dedicated;
    return create_memory(b, &info);
}
#define DEDICATED_NV(id_) .expect = {"VUID-VkDedicatedAllocationMemoryAllocateInfoNV-" id_}
SCENARIO(nv_alone, WITH(OF_NV))
{
    VkBuffer buffer = make_alone_buffer(b);
    VkImage image = make_alone_image(b);
    VK(vkBindBufferMemory(b->device, buffer, make_alone_memory(b, buffer, VK_NULL_HANDLE, 0), 0));
    VK(vkBindImageMemory(b->device, image, make_alone_memory(b, VK_NULL_HANDLE, image, 0), 0));
}
SCENARIO(nv_large_for_buffer, WITH(OF_NV), DEDICATED_NV("buffer-00653"))
{
    make_alone_memory(b, make_alone_buffer(b), VK_NULL_HANDLE, 256);
}
SCENARIO(nv_large_for_image, WITH(OF_NV), DEDICATED_NV("image-00652"))
{
    make_alone_memory(b, VK_NULL_HANDLE, make_alone_image(b), 256);
}
SCENARIO(nv_sparse_image,
         WITH(NULL_WITH(.extensions = {"VK_NV_dedicated_allocation"},
                        .features = &sparse_features)),
         .expect = {"VUID-VkDedicatedAllocationImageCreateInfoNV-dedicatedAllocation-00994"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &alone_image;
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
    create_image(b, &info);
}

/* --- VK_QCOM_tile_memory_heap --- */

static const VkPhysicalDeviceTileMemoryHeapFeaturesQCOM tile_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_MEMORY_HEAP_FEATURES_QCOM,
    .tileMemoryHeap = VK_TRUE};
enum { TILE_TYPE = 2 };
#define TILE(name_, ...)                                                \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &tile_features, \
             .extensions = {"VK_QCOM_tile_memory_heap"},                \
             .null_driver = "{\"specialMemory\": true}", ##__VA_ARGS__)
static VkDeviceMemory make_tile_memory(struct baseline *b, VkDeviceSize size)
{
    VkMemoryAllocateInfo info = memory_info(size, TILE_TYPE);
    return create_memory(b, &info);
}
static VkBuffer make_tile_buffer(struct baseline *b)
{
    VkBufferCreateInfo info =
        buffer_info(512, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TILE_MEMORY_BIT_QCOM);
    return create_buffer(b, &info);
}
static VkImage make_tile_image(struct baseline *b)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TILE_MEMORY_BIT_QCOM);
    return create_image(b, &info);
}
static void bind_tile_image2(struct baseline *b, VkDeviceSize size, VkDeviceSize offset)
{
    const VkBindImageMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                        .image = make_tile_image(b),
                                        .memory = make_tile_memory(b, size),
                                        .memoryOffset = offset};
    vkBindImageMemory2(b->device, 1, &info);
}
TILE(tile_right)
{
    vkBindBufferMemory(b->device, make_tile_buffer(b), make_tile_memory(b, 1024), 256);
    vkBindImageMemory(b->device, make_tile_image(b), make_tile_memory(b, 1 << 20), 256);
    bind_tile_image2(b, 1 << 20, 256);
    const VkTileMemoryBindInfoQCOM info = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_BIND_INFO_QCOM,
                                           .memory = make_tile_memory(b, 1024)};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBindTileMemoryQCOM)(commands, &info);
    DEVICE_PROC(b, vkCmdBindTileMemoryQCOM)(commands, NULL);
}
TILE(tile_of_another_heap, .expect = {"VUID-VkTileMemoryBindInfoQCOM-memory-10726"})
{
    const VkTileMemoryBindInfoQCOM info = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_BIND_INFO_QCOM,
                                           .memory = make_memory(b, 1024)};
    DEVICE_PROC(b, vkCmdBindTileMemoryQCOM)(make_recording(b), &info);
}
TILE(tile_buffer_misaligned, .expect = {"VUID-vkBindBufferMemory-memory-10740"})
{
    vkBindBufferMemory(b->device, make_tile_buffer(b), make_tile_memory(b, 1024), 8);
}
TILE(tile_buffer_too_far, .expect = {"VUID-vkBindBufferMemory-memory-10742"})
{
    vkBindBufferMemory(b->device, make_tile_buffer(b), make_tile_memory(b, 512), 256);
}
TILE(tile_image_misaligned, .expect = {"VUID-vkBindImageMemory-memory-10736"})
{
    vkBindImageMemory(b->device, make_tile_image(b), make_tile_memory(b, 1 << 20), 8);
}
TILE(tile_image_too_far, .expect = {"VUID-vkBindImageMemory-memory-10738"})
{
    vkBindImageMemory(b->device, make_tile_image(b), make_tile_memory(b, 512), 256);
}
TILE(tile_image2_misaligned, .expect = {"VUID-VkBindImageMemoryInfo-pNext-12329"})
{
    bind_tile_image2(b, 1 << 20, 8);
}
TILE(tile_image2_too_far, .expect = {"VUID-VkBindImageMemoryInfo-pNext-12330"})
{
    bind_tile_image2(b, 512, 256);
}
