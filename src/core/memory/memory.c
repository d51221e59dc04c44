/* Checks that device memory may be allocated, exported and freed (11.2 "Device Memory"). Mapping is
 * in map.c. */
#include "report/finding/rule.h"
#include "state/memory/memory.h"

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/memory/memory.h"
#include "state/object/instances.h"
#include "state/memory/buffer.h"
#include "state/memory/image.h"
#include "state/submit/queue.h"
#include "report/muting/rows_broken.h"

#include <inttypes.h>

/* External memory whose handles are file descriptors. */
#define FD_TYPES \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT)
/* External memory that is imported from a pointer of the host. */
#define HOST_TYPES                                            \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT | \
     VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT)

/* The chained structures that give the origin of the memory. */
struct origin {
    /* NULL: the memory is not imported from a file descriptor */
    const VkImportMemoryFdInfoKHR *fd;
    const VkImportMemoryHostPointerInfoEXT *host;   /* NULL: the structure is not chained */
    const VkExportMemoryAllocateInfo *exported;     /* NULL: the memory cannot be exported */
    const VkMemoryDedicatedAllocateInfo *dedicated; /* may be NULL */
    const VkMemoryAllocateFlagsInfo *flags;         /* may be NULL */
    uint64_t capture_address;                       /* 0: none */
    bool other;                                     /* an import for a platform other than Linux */
};

/* Reads from the chain the memory's origin, and the resource that it is dedicated to. */
static struct origin origin_of(const void *chain)
{
    struct origin origin = {
        .fd = CHAINED(chain, IMPORT_MEMORY_FD_INFO_KHR),
        .host = CHAINED(chain, IMPORT_MEMORY_HOST_POINTER_INFO_EXT),
        .exported = CHAINED(chain, EXPORT_MEMORY_ALLOCATE_INFO),
        .dedicated = CHAINED(chain, MEMORY_DEDICATED_ALLOCATE_INFO),
        .flags = CHAINED(chain, MEMORY_ALLOCATE_FLAGS_INFO),
    };
    const VkMemoryOpaqueCaptureAddressAllocateInfo *capture =
        CHAINED(chain, MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
    if (origin.fd && !origin.fd->handleType)
        origin.fd = NULL;
    if (origin.host && !origin.host->handleType)
        origin.host = NULL;
    if (origin.exported && !origin.exported->handleTypes)
        origin.exported = NULL;
    origin.capture_address = capture ? capture->opaqueCaptureAddress : 0;
    /* The layer does not check these imports: sizes and handles may have another meaning in
     * them. */
    origin.other =
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_ANDROID_HARDWARE_BUFFER_INFO_ANDROID) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_KHR) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_ZIRCON_HANDLE_INFO_FUCHSIA) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_BUFFER_COLLECTION_FUCHSIA) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_SCREEN_BUFFER_INFO_QNX) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_METAL_BUFFER_INFO_EXT) ||
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_METAL_HANDLE_INFO_EXT);
    return origin;
}

/* Checks that the memory type exists, that its heap is large enough, and that it needs no disabled
 * feature. */
static void memory_check_type(struct subject *s, const VkMemoryAllocateInfo *info)
{
    const VkPhysicalDeviceMemoryProperties *memory = &s->call->device->memory_properties;
    bool known = info->memoryTypeIndex < memory->memoryTypeCount;
    REQUIRE(s, RULE_01714, known, "memoryTypeIndex", "is %u, but the device has %u memory types",
            info->memoryTypeIndex, memory->memoryTypeCount);
    if (!known)
        return;
    VkMemoryPropertyFlags properties = memory->memoryTypes[info->memoryTypeIndex].propertyFlags;
    const VkMemoryHeap *heap =
        &memory->memoryHeaps[memory->memoryTypes[info->memoryTypeIndex].heapIndex %
                             VK_MAX_MEMORY_HEAPS];
    REQUIRE(s, RULE_01713, info->allocationSize <= heap->size, "allocationSize",
            "is %" PRIu64 ", but the heap of memory type %u has %" PRIu64 " bytes",
            info->allocationSize, info->memoryTypeIndex, heap->size);
    if (properties & VK_MEMORY_PROPERTY_PROTECTED_BIT)
        REQUIRE(s, RULE_01872, subject_has(s, FEATURE_protectedMemory), "memoryTypeIndex",
                "is %u, which is protected, but the feature protectedMemory is not enabled",
                info->memoryTypeIndex);
    if (properties & VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD)
        REQUIRE(s, RULE_02790, subject_has(s, FEATURE_deviceCoherentMemory), "memoryTypeIndex",
                "is %u, which is device-coherent, but the feature deviceCoherentMemory "
                "is not enabled",
                info->memoryTypeIndex);
    if (heap->flags & VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM)
        REQUIRE(s, RULE_10976, subject_has(s, FEATURE_tileMemoryHeap), "memoryTypeIndex",
                "is %u, whose heap is tile memory, but the feature tileMemoryHeap is not enabled",
                info->memoryTypeIndex);
}

/* Checks that dedicated memory has the size that its image or buffer requires. */
static void check_dedicated(struct subject *s, const VkMemoryAllocateInfo *info,
                            const struct origin *origin)
{
    if (!origin->dedicated)
        return;
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkMemoryDedicatedAllocateInfo");
    const struct image *image = find_image(s->call, origin->dedicated->image);
    const struct buffer *buffer = find_buffer(s->call, origin->dedicated->buffer);
    s->where = &where;
    if (image) {
        VkDeviceSize size = image_requirements(s->call->device, image).size;
        REQUIRE(s, RULE_02964, info->allocationSize >= size, "image",
                "needs %" PRIu64 " bytes, but VkMemoryAllocateInfo::allocationSize is %" PRIu64,
                size, info->allocationSize);
    }
    if (buffer) {
        VkDeviceSize size = buffer_requirements(s->call->device, buffer).size;
        REQUIRE(s, RULE_02965, info->allocationSize >= size, "buffer",
                "needs %" PRIu64 " bytes, but VkMemoryAllocateInfo::allocationSize is %" PRIu64,
                size, info->allocationSize);
    }
    s->where = outer;
}

/* Checks the rules of VK_NV_dedicated_allocation, which VK_KHR_dedicated_allocation replaces. */
static void check_dedicated_nv(struct subject *s, const VkMemoryAllocateInfo *info)
{
    const VkDedicatedAllocationMemoryAllocateInfoNV *dedicated =
        CHAINED(info->pNext, DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV);
    const struct image *image = dedicated ? find_image(s->call, dedicated->image) : NULL;
    const struct buffer *buffer = dedicated ? find_buffer(s->call, dedicated->buffer) : NULL;
    const VkDeviceSize of_image = image ? image_requirements(s->call->device, image).size : 0,
                       of_buffer = buffer ? buffer_requirements(s->call->device, buffer).size : 0;
    const struct location *outer = s->where;
    const struct location where =
        LOCATION_CHAINED(outer, "VkDedicatedAllocationMemoryAllocateInfoNV");
    s->where = &where;
    if (image)
        REQUIRE_OF(s, OBJECT(HANDLE_IMAGE, dedicated->image), RULE_00650, image->nv_dedicated,
                   "image",
                   "was created without "
                   "VkDedicatedAllocationImageCreateInfoNV::dedicatedAllocation "
                   "of VK_TRUE");
    if (buffer)
        REQUIRE_OF(s, OBJECT(HANDLE_BUFFER, dedicated->buffer), RULE_00651, buffer->nv_dedicated,
                   "buffer",
                   "was created without "
                   "VkDedicatedAllocationBufferCreateInfoNV::dedicatedAllocation "
                   "of VK_TRUE");
    s->where = outer;
    if (image)
        REQUIRE(s, RULE_00652, info->allocationSize == of_image, "allocationSize",
                "is %" PRIu64 ", but the image that it is dedicated to needs %" PRIu64 " bytes",
                info->allocationSize, of_image);
    if (buffer)
        REQUIRE(s, RULE_00653, info->allocationSize == of_buffer, "allocationSize",
                "is %" PRIu64 ", but the buffer that it is dedicated to needs %" PRIu64 " bytes",
                info->allocationSize, of_buffer);
}

/* Checks the flags of an allocation, and its capture and replay address. */
static void check_allocate_flags(struct subject *s, const VkMemoryAllocateInfo *info,
                                 const struct origin *origin)
{
    VkMemoryAllocateFlags flags = origin->flags ? origin->flags->flags : 0;
    const VkPhysicalDeviceMemoryProperties *memory = &s->call->device->memory_properties;
    bool replays = (flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0;
    if (origin->capture_address) {
        REQUIRE(s, RULE_03329, replays, "pNext",
                "includes a VkMemoryOpaqueCaptureAddressAllocateInfo with an address, but no "
                "VkMemoryAllocateFlagsInfo with "
                "VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT");
        if (origin->fd && !origin->host) /* 03332 reports the same for host memory */
            REQUIRE(s, RULE_03333, false, "pNext",
                    "includes a VkMemoryOpaqueCaptureAddressAllocateInfo with an address, but the "
                    "memory is imported");
    }
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkMemoryAllocateFlagsInfo");
    s->where = &where;
    if (flags & VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT) {
        REQUIRE(s, RULE_10760, !origin->fd && !origin->host, "flags",
                "contains VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT, but the memory is imported");
        REQUIRE(s, RULE_10761,
                info->memoryTypeIndex >= memory->memoryTypeCount ||
                    !(memory->memoryTypes[info->memoryTypeIndex].propertyFlags &
                      VK_MEMORY_PROPERTY_PROTECTED_BIT),
                "flags",
                "contains VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT, but the memory is protected");
    }
    s->where = outer;
}

/* If ... the external handle is a host pointer, the value of memoryTypeIndex must be one of those
 * returned by vkGetMemoryHostPointerPropertiesEXT */
static void check_host_type(struct subject *s, const VkMemoryAllocateInfo *info,
                            const VkImportMemoryHostPointerInfoEXT *host)
{
    assert(host);
    const struct device *device = s->call->device;
    VkMemoryHostPointerPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    if (pointer_is_bad(host->pHostPointer) || !device->dispatch.GetMemoryHostPointerPropertiesEXT ||
        device->dispatch.GetMemoryHostPointerPropertiesEXT(device->handle, host->handleType,
                                                           host->pHostPointer,
                                                           &properties) != VK_SUCCESS)
        return;
    REQUIRE(s, RULE_01744,
            info->memoryTypeIndex < 32 && properties.memoryTypeBits >> info->memoryTypeIndex & 1,
            "memoryTypeIndex",
            "is %u, but that host pointer can be imported with the types 0x%x only",
            info->memoryTypeIndex, properties.memoryTypeBits);
}

/* Checks memory that is imported from the host. */
static void check_host_import(struct subject *s, const VkMemoryAllocateInfo *info,
                              const struct origin *origin)
{
    const VkImportMemoryHostPointerInfoEXT *host = origin->host;
    VkDeviceSize alignment =
        s->call->device->extended.ExternalMemoryHostPropertiesEXT.minImportedHostPointerAlignment;
    if (!host)
        return;
    if (alignment)
        REQUIRE(s, RULE_01745, info->allocationSize % alignment == 0, "allocationSize",
                "is %" PRIu64
                ", which is not a multiple of minImportedHostPointerAlignment (%" PRIu64 ")",
                info->allocationSize, alignment);
    REQUIRE(s, RULE_02806,
            !origin->dedicated || (!origin->dedicated->image && !origin->dedicated->buffer),
            "pNext",
            "includes both a VkImportMemoryHostPointerInfoEXT and a VkMemoryDedicatedAllocateInfo "
            "for an object");
    const VkDedicatedAllocationMemoryAllocateInfoNV *nv =
        CHAINED(info->pNext, DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV);
    REQUIRE(s, RULE_02805, !nv || (!nv->image && !nv->buffer), "pNext",
            "includes both a VkImportMemoryHostPointerInfoEXT and a "
            "VkDedicatedAllocationMemoryAllocateInfoNV for an object");
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkImportMemoryHostPointerInfoEXT");
    s->where = &where;
    if (alignment)
        REQUIRE(s, RULE_01749, (uintptr_t)host->pHostPointer % alignment == 0, "pHostPointer",
                "is %p, which is not a multiple of minImportedHostPointerAlignment (%" PRIu64 ")",
                host->pHostPointer, alignment);
    s->where = outer;
    /* The driver gets the pointer only if no rule was broken, since a bad pointer may crash it. */
    if (!s->wrong && !rows_were_broken())
        check_host_type(s, info, host);
}

/* Checks memory that is imported from a file descriptor. */
static void check_fd_import(struct subject *s, const VkMemoryAllocateInfo *info,
                            const struct origin *origin)
{
    if (!origin->fd)
        return;
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkImportMemoryFdInfoKHR");
    s->where = &where;
    REQUIRE(s, RULE_00670, origin->fd->fd >= 0, "fd", "is %d, which is not a file descriptor",
            origin->fd->fd);
    REQUIRE(s, RULE_12523,
            origin->fd->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT ||
                !memory_has_several_instances(s->call->device, info->memoryTypeIndex,
                                              origin->flags),
            "handleType",
            "is VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, but several physical devices would "
            "have an instance of the memory");
    s->where = outer;
}

/* Checks that memory has at most one origin, and that it has a size unless it is imported. */
static void check_size_and_origin(struct subject *s, const VkMemoryAllocateInfo *info,
                                  const struct origin *origin)
{
    REQUIRE(s, RULE_06657, !origin->fd || !origin->host, "pNext",
            "imports memory both from a file descriptor and from the host");
    REQUIRE(s, RULE_00640,
            !CHAINED(info->pNext, EXPORT_MEMORY_ALLOCATE_INFO) ||
                !CHAINED(info->pNext, EXPORT_MEMORY_ALLOCATE_INFO_NV),
            "pNext",
            "includes both a VkExportMemoryAllocateInfo and a VkExportMemoryAllocateInfoNV");
    if (origin->other || origin->fd || origin->host)
        return;
    if (!origin->exported)
        REQUIRE(s, RULE_07897, info->allocationSize > 0, "allocationSize", "is 0");
    else if (!(origin->exported->handleTypes &
               VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID))
        REQUIRE(s, RULE_07899, info->allocationSize > 0, "allocationSize", "is 0");
}

/* Checks the number of existing allocations. It counts as 0 if the layer could not allocate the
 * device's state. */
static void memory_check_count(struct subject *s)
{
    struct device_state *state = object_load_state(s->call->device->object);
    uint32_t count = state ? atomic_load_explicit(&state->memory_count, memory_order_relaxed) : 0;
    uint32_t most = s->call->device->properties.limits.maxMemoryAllocationCount;
    struct subject command = {.call = s->call};
    REQUIRE(&command, RULE_04101, count < most, "device",
            "has %u allocations already, but maxMemoryAllocationCount is %u", count, most);
    s->skip |= command.skip;
}

/* Checks the chain. The size of memory that is imported in other ways is not checked. */
static void memory_check_chained(struct subject *s, const VkMemoryAllocateInfo *info)
{
    const struct origin origin = origin_of(info->pNext);
    check_size_and_origin(s, info, &origin);
    check_allocate_flags(s, info, &origin);
    check_host_import(s, info, &origin);
    check_fd_import(s, info, &origin);
    if (!origin.other && !s->wrong) {
        check_dedicated_nv(s, info);
        check_dedicated_tensor(s, info);
    }
    if (!origin.other)
        check_dedicated(s, info, &origin);
}

bool core_validate_AllocateMemory(struct call *call, VkDevice device,
                                  const VkMemoryAllocateInfo *pAllocateInfo,
                                  const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
    const struct location where = LOCATION_POINTER(NULL, "pAllocateInfo");
    struct subject subject = {.call = call, .where = &where};
    memory_check_count(&subject);
    memory_check_type(&subject, pAllocateInfo);
    if (pAllocateInfo->pNext)
        memory_check_chained(&subject, pAllocateInfo);
    else
        REQUIRE(&subject, RULE_07897, pAllocateInfo->allocationSize > 0, "allocationSize", "is 0");
    return subject.skip;
}

/* --- what memory can be asked for --- */

/* Checks that "handleType must have been included in VkExportMemoryAllocateInfo::handleTypes". */
static bool check_exported(struct call *call, const struct location *where, enum rule rule,
                           VkDeviceMemory handle, VkExternalMemoryHandleTypeFlags type)
{
    struct subject s = {
        .call = call, .where = where, .objects = OBJECT(HANDLE_DEVICE_MEMORY, handle)};
    const struct device_memory *memory = find_device_memory(call, handle);
    if (memory)
        REQUIRE(&s, rule, type & memory->export_types, "handleType",
                "is %s, but the memory was allocated to be exported as %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, type),
                memory->export_types
                    ? TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->export_types)
                    : "nothing");
    return s.skip;
}

bool core_validate_GetMemoryFdKHR(struct call *call, VkDevice device,
                                  const VkMemoryGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    return check_exported(call, &LOCATION_POINTER(NULL, "pGetFdInfo"), RULE_00671,
                          pGetFdInfo->memory, pGetFdInfo->handleType);
}

bool core_validate_GetMemoryRemoteAddressNV(struct call *call, VkDevice device,
                                            const VkMemoryGetRemoteAddressInfoNV
                                                *pMemoryGetRemoteAddressInfo,
                                            VkRemoteAddressNV *pAddress)
{
    return check_exported(call, &LOCATION_POINTER(NULL, "pMemoryGetRemoteAddressInfo"), RULE_04966,
                          pMemoryGetRemoteAddressInfo->memory,
                          pMemoryGetRemoteAddressInfo->handleType);
}

bool core_validate_GetMemoryFdPropertiesKHR(struct call *call, VkDevice device,
                                            VkExternalMemoryHandleTypeFlagBits handleType, int fd,
                                            VkMemoryFdPropertiesKHR *pMemoryFdProperties)
{
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_00673, fd >= 0, "fd", "is %d, which is not a file descriptor", fd);
    return s.skip;
}

bool core_validate_GetMemoryHostPointerPropertiesEXT(struct call *call, VkDevice device,
                                                     VkExternalMemoryHandleTypeFlagBits handleType,
                                                     const void *pHostPointer,
                                                     VkMemoryHostPointerPropertiesEXT
                                                         *pMemoryHostPointerProperties)
{
    struct subject s = {.call = call};
    VkDeviceSize alignment =
        call->device->extended.ExternalMemoryHostPropertiesEXT.minImportedHostPointerAlignment;
    if (alignment)
        REQUIRE(&s, RULE_01753, (uintptr_t)pHostPointer % alignment == 0, "pHostPointer",
                "is %p, which is not a multiple of minImportedHostPointerAlignment (%" PRIu64 ")",
                pHostPointer, alignment);
    return s.skip;
}

bool core_validate_GetDeviceMemoryOpaqueCaptureAddress(struct call *call, VkDevice device,
                                                       const VkDeviceMemoryOpaqueCaptureAddressInfo
                                                           *pInfo)
{
    const struct device_memory *memory = find_device_memory(call, pInfo->memory);
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_DEVICE_MEMORY, pInfo->memory)};
    /* Without the features the memory cannot have these flags. */
    if (memory && !rows_were_broken()) {
        REQUIRE(&s, RULE_10727,
                memory->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT, "memory",
                "was allocated without VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT");
        REQUIRE(&s, RULE_03336, memory->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, "memory",
                "was allocated without VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT");
    }
    return s.skip;
}

bool core_validate_GetDeviceGroupPeerMemoryFeatures(struct call *call, VkDevice device,
                                                    uint32_t heapIndex, uint32_t localDeviceIndex,
                                                    uint32_t remoteDeviceIndex,
                                                    VkPeerMemoryFeatureFlags *pPeerMemoryFeatures)
{
    struct subject s = {.call = call};
    uint32_t heaps = call->device->memory_properties.memoryHeapCount;
    REQUIRE(&s, RULE_00691, heapIndex < heaps, "heapIndex", "is %u, but the device has %u heaps",
            heapIndex, heaps);
    return s.skip;
}
