/* Checks that buffers and their views may be created, and that a buffer's address may be queried
 * (12.1 "Buffers", 12.2 "Buffer Views"). */
#include "state/memory/buffer.h"

#include "core/resource/buffer.h"
#include "core/resource/create.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "state/memory/formats.h"
#include "state/submit/queue.h"
#include "report/muting/rows_broken.h"
#include "vk/chain.h"

#include <inttypes.h>

/* Usages of texel buffers. */
#define TEXEL_USAGES \
    (VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT)

/* Checks the usages that a buffer of tile memory may have. */
static void check_tile_memory(struct subject *s, VkBufferUsageFlags2 usage)
{
    if (!(usage & VK_BUFFER_USAGE_2_TILE_MEMORY_BIT_QCOM))
        return;
    VkBufferUsageFlags2 allowed = VK_BUFFER_USAGE_2_TILE_MEMORY_BIT_QCOM | TEXEL_USAGES |
                                  VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT |
                                  VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT |
                                  VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT;
    if (s->call->device->extended.TileMemoryHeapPropertiesQCOM.tileBufferTransfers)
        allowed |= VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_2_TRANSFER_DST_BIT;
    REQUIRE(s, RULE_10764, !(usage & ~allowed), "usage",
            "contains %s, which does not go with VK_BUFFER_USAGE_TILE_MEMORY_BIT_QCOM",
            TEXT_OF(VkBufferUsageFlags2, usage & ~allowed));
}

/* Checks that usages for video have a video profile. */
static void buffer_check_usage(struct subject *s, const VkBufferCreateInfo *info,
                               VkBufferUsageFlags2 usage)
{
    const VkBufferUsageFlags2 decode =
        VK_BUFFER_USAGE_2_VIDEO_DECODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_DECODE_DST_BIT_KHR;
    const VkBufferUsageFlags2 encode =
        VK_BUFFER_USAGE_2_VIDEO_ENCODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_ENCODE_DST_BIT_KHR;
    const VkVideoProfileListInfoKHR *list = CHAINED(info->pNext, VIDEO_PROFILE_LIST_INFO_KHR);
    bool independent = (info->flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) != 0;
    if (usage & decode && !independent)
        REQUIRE(s, RULE_04813, list && video_profiles_have(list, VIDEO_DECODE_OPERATIONS), "usage",
                "is %s, but pNext has no VkVideoProfileListInfoKHR with a profile of "
                "a decode operation",
                TEXT_OF(VkBufferUsageFlags2, usage));
    if (usage & encode && !independent)
        REQUIRE(s, RULE_04814, list && video_profiles_have(list, VIDEO_ENCODE_OPERATIONS), "usage",
                "is %s, but pNext has no VkVideoProfileListInfoKHR with a profile of "
                "an encode operation",
                TEXT_OF(VkBufferUsageFlags2, usage));
    if (list) {
        REQUIRE(s, RULE_10783,
                !video_profiles_have(list, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR) ||
                    subject_has(s, FEATURE_videoDecodeVP9),
                "pNext",
                "has a video profile of VP9, but the feature videoDecodeVP9 is not enabled");
        REQUIRE(s, RULE_10249,
                !video_profiles_have(list, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR) ||
                    subject_has(s, FEATURE_videoEncodeAV1),
                "pNext",
                "has a video profile of AV1 encoding, but the feature videoEncodeAV1 "
                "is not enabled");
    }
}

/* "handleTypes must only contain bits that are also in compatibleHandleTypes ... with handleType
 * equal to any one of them" */
static void check_external(struct subject *s, const VkBufferCreateInfo *info,
                           VkBufferUsageFlags2 usage)
{
    const VkExternalMemoryBufferCreateInfo *external =
        CHAINED(info->pNext, EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    const struct instance *instance = s->call->device->instance;
    if (!external || !external->handleTypes ||
        !instance->dispatch.GetPhysicalDeviceExternalBufferProperties || usage >> 32 || s->wrong ||
        rows_were_broken())
        return;
    for (VkExternalMemoryHandleTypeFlags left = external->handleTypes; left; left &= left - 1) {
        const VkPhysicalDeviceExternalBufferInfo question = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
            .flags = info->flags,
            .usage = (VkBufferUsageFlags)usage,
            .handleType = (VkExternalMemoryHandleTypeFlagBits)(left & -left)};
        VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
        instance->dispatch
            .GetPhysicalDeviceExternalBufferProperties(s->call->device->physical_device, &question,
                                                       &answer);
        VkExternalMemoryHandleTypeFlags wrong =
            external->handleTypes & ~answer.externalMemoryProperties.compatibleHandleTypes;
        REQUIRE(s, RULE_00920, !wrong, "pNext",
                "includes a VkExternalMemoryBufferCreateInfo whose handleTypes contains %s, which "
                "does not go with %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, wrong),
                TEXT_OF(VkExternalMemoryHandleTypeFlags, question.handleType));
        if (wrong)
            return;
    }
}

/* Checks that what the device's buffers take together stays within its address spaces. `rule`: the
 * statement; `what`: the buffers that are counted. */
static void buffer_check_space(struct subject *s, enum rule rule, VkDeviceSize size,
                               uint64_t others, VkDeviceSize most, const char *what,
                               const char *limit)
{
    REQUIRE(s, rule, !most || (size <= most && others <= most - size), "size",
            "is %" PRIu64 ", and %s take %" PRIu64 " bytes already, more together than %s "
            "(%" PRIu64 ")",
            size, what, others, limit, most);
}

/* Checks a buffer against the bytes that buffers of its kind take already. */
static void buffer_check_spaces(struct subject *s, const VkBufferCreateInfo *info,
                                VkBufferUsageFlags2 usage)
{
    const struct device *device = s->call->device;
    const struct device_state *state = object_load_state(device->object);
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *limits =
        &device->extended.DescriptorBufferPropertiesEXT;
    if (!state || rows_were_broken())
        return;
    if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT &&
        !subject_has(s, FEATURE_extendedSparseAddressSpace)) {
        struct subject command = {.call = s->call, .where = s->where};
        buffer_check_space(&command, RULE_00911, info->size,
                           atomic_load_explicit(&state->sparse_bytes, memory_order_relaxed),
                           device->properties.limits.sparseAddressSpaceSize, "sparse buffers",
                           "sparseAddressSpaceSize");
        s->skip |= command.skip;
    }
    if (usage & VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT) {
        const bool all = limits->descriptorBufferAddressSpaceSize <
                         limits->samplerDescriptorBufferAddressSpaceSize;
        buffer_check_space(s, RULE_08097, info->size,
                           atomic_load_explicit(&state->sampler_bytes, memory_order_relaxed),
                           all ? limits->descriptorBufferAddressSpaceSize
                               : limits->samplerDescriptorBufferAddressSpaceSize,
                           "buffers of this usage",
                           all ? "descriptorBufferAddressSpaceSize"
                               : "samplerDescriptorBufferAddressSpaceSize");
    }
    if (usage & VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT) {
        const bool all = limits->descriptorBufferAddressSpaceSize <
                         limits->resourceDescriptorBufferAddressSpaceSize;
        buffer_check_space(s, RULE_08098, info->size,
                           atomic_load_explicit(&state->resource_bytes, memory_order_relaxed),
                           all ? limits->descriptorBufferAddressSpaceSize
                               : limits->resourceDescriptorBufferAddressSpaceSize,
                           "buffers of this usage",
                           all ? "descriptorBufferAddressSpaceSize"
                               : "resourceDescriptorBufferAddressSpaceSize");
    }
}

bool core_validate_CreateBuffer(struct call *call, VkDevice device,
                                const VkBufferCreateInfo *pCreateInfo,
                                const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject subject = {.call = call, .where = &where};
    const VkBufferUsageFlags2CreateInfo *wide =
        CHAINED(pCreateInfo->pNext, BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    VkBufferUsageFlags2 usage = wide ? wide->usage : pCreateInfo->usage;
    if (pCreateInfo->sharingMode == VK_SHARING_MODE_CONCURRENT)
        check_queue_families(&subject, RULE_01419, pCreateInfo->queueFamilyIndexCount,
                             pCreateInfo->pQueueFamilyIndices);
    check_tile_memory(&subject, usage);
    buffer_check_usage(&subject, pCreateInfo, usage);
    check_external(&subject, pCreateInfo, usage);
    buffer_check_spaces(&subject, pCreateInfo, usage);
    return subject.skip;
}

bool core_validate_DestroyBuffer(struct call *call, VkDevice device, VkBuffer buffer,
                                 const VkAllocationCallbacks *pAllocator)
{
    const struct buffer *state = named_buffer(call, 0, buffer);
    return state && in_use_through_check(call, &state->base, VUID_vkDestroyBuffer_buffer_00922,
                                         &LOCATION(NULL, "buffer"));
}

bool core_validate_DestroyBufferView(struct call *call, VkDevice device, VkBufferView bufferView,
                                     const VkAllocationCallbacks *pAllocator)
{
    const struct buffer_view *state = named_buffer_view(call, 0, bufferView);
    return state &&
           in_use_through_check(call, &state->base, VUID_vkDestroyBufferView_bufferView_00936,
                                &LOCATION(NULL, "bufferView"));
}

/* --- views --- */

/* Checks the range of a buffer view. */
static void check_view_range(struct subject *s, const VkBufferViewCreateInfo *info,
                             const struct buffer *buffer)
{
    assert(buffer);
    const struct format_info *format = format_info(info->format);
    uint64_t most = s->call->device->properties.limits.maxTexelBufferElements;
    bool whole = info->range == VK_WHOLE_SIZE;
    bool inside = info->offset < buffer->size;
    VkDeviceSize range = !whole ? info->range : inside ? buffer->size - info->offset : 0;
    if (!format || !format->block_size)
        return;
    uint64_t elements = range / format->block_size * format->texels_per_block;
    if (whole) {
        REQUIRE(s, RULE_04059, elements <= most, "range",
                "is VK_WHOLE_SIZE, which is %" PRIu64
                " texels of %s here, but maxTexelBufferElements is %" PRIu64,
                elements, TEXT_OF(VkFormat, info->format), most);
        return;
    }
    REQUIRE(s, RULE_00929, info->range % format->block_size == 0, "range",
            "is %" PRIu64 ", which is not a multiple of the %u bytes of a texel block of %s",
            info->range, format->block_size, TEXT_OF(VkFormat, info->format));
    REQUIRE(s, RULE_00930, elements <= most, "range",
            "is %" PRIu64 ", which is %" PRIu64
            " texels of %s, but maxTexelBufferElements is %" PRIu64,
            info->range, elements, TEXT_OF(VkFormat, info->format), most);
}

VkDeviceSize texel_buffer_alignment(const struct call *call, VkFormat format, bool storage)
{
    const struct format_info *info = format_info(format);
    const VkPhysicalDeviceTexelBufferAlignmentProperties *p =
        &call->device->extended.TexelBufferAlignmentProperties;
    VkDeviceSize bytes = storage ? p->storageTexelBufferOffsetAlignmentBytes
                                 : p->uniformTexelBufferOffsetAlignmentBytes;
    VkBool32 single = storage ? p->storageTexelBufferOffsetSingleTexelAlignment
                              : p->uniformTexelBufferOffsetSingleTexelAlignment;
    /* "The feature structure is not promoted and texelBufferAlignment is enabled if using a
     * Vulkan 1.3 instance." */
    bool by_kind = device_has_feature(call->device, FEATURE_texelBufferAlignment) ||
                   call->instance->api_version >= VK_API_VERSION_1_3;
    if (!info || !info->block_size)
        return 0;
    if (!by_kind || !bytes)
        return call->device->properties.limits.minTexelBufferOffsetAlignment;
    /* "the size of a single component if the size of the format is a multiple of three bytes" */
    VkDeviceSize texel = info->block_size % 3 ? info->block_size : info->block_size / 3u;
    return single && texel < bytes ? texel : bytes;
}

/* Checks the offset of a buffer view against the alignments of its usages. */
static void check_view_alignment(struct subject *s, const VkBufferViewCreateInfo *info,
                                 const struct buffer *buffer)
{
    VkDeviceSize storage = texel_buffer_alignment(s->call, info->format, true),
                 uniform = texel_buffer_alignment(s->call, info->format, false);
    if (buffer->usage & VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT && storage)
        REQUIRE(s, RULE_02750, info->offset % storage == 0, "offset",
                "is %" PRIu64 ", but storage texel buffers of %s begin at multiples of %" PRIu64
                " on this device",
                info->offset, TEXT_OF(VkFormat, info->format), storage);
    if (buffer->usage & VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT && uniform)
        REQUIRE(s, RULE_02751, info->offset % uniform == 0, "offset",
                "is %" PRIu64 ", but uniform texel buffers of %s begin at multiples of %" PRIu64
                " on this device",
                info->offset, TEXT_OF(VkFormat, info->format), uniform);
}

/* Formats with two planes and 4:4:4 chroma need Vulkan 1.3 or a feature. */
static bool check_view_444(struct subject *s, VkFormat format)
{
    const struct format_info *info = format_info(format);
    bool enabled = !info || info->chroma != 444 || info->plane_count != 2 ||
                   s->call->device->api_version >= VK_API_VERSION_1_3 ||
                   subject_has(s, FEATURE_ycbcr2plane444Formats);
    REQUIRE(s, RULE_12278, enabled, "format",
            "is %s, but the device is older than Vulkan 1.3, and the feature ycbcr2plane444Formats "
            "is not enabled",
            TEXT_OF(VkFormat, format));
    return enabled;
}

/* Checks that the view's format supports the view's usages. */
static void check_view_usage(struct subject *s, const VkBufferViewCreateInfo *info,
                             const struct buffer *buffer)
{
    assert(buffer);
    const VkBufferUsageFlags2CreateInfo *wide =
        CHAINED(info->pNext, BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    VkBufferUsageFlags2 usage = wide ? wide->usage : buffer->usage;
    VkFormatFeatureFlags2 features = format_buffer_features(s->call->device, info->format);
    if (wide) {
        /* Only usages that a view can have are compared; 08780 reports other usages. */
        VkBufferUsageFlags2 missing = usage & TEXEL_USAGES & ~buffer->usage;
        REQUIRE(s, RULE_08781, !missing, "pNext",
                "includes a VkBufferUsageFlags2CreateInfo with %s, but the buffer was "
                "created with %s",
                TEXT_OF(VkBufferUsageFlags2, missing), TEXT_OF(VkBufferUsageFlags2, buffer->usage));
    }
    if (!format_info(info->format) || !check_view_444(s, info->format))
        return;
    if (usage & VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT)
        REQUIRE(s, RULE_08778, features & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT, "format",
                "is %s, which cannot be used in uniform texel buffers on this device",
                TEXT_OF(VkFormat, info->format));
    if (usage & VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT)
        REQUIRE(s, RULE_08779, features & VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT, "format",
                "is %s, which cannot be used in storage texel buffers on this device",
                TEXT_OF(VkFormat, info->format));
}

bool core_validate_CreateBufferView(struct call *call, VkDevice device,
                                    const VkBufferViewCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
    const struct buffer *buffer = find_buffer(call, pCreateInfo->buffer);
    if (!buffer)
        return false;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject subject = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_BUFFER, pCreateInfo->buffer)};
    check_view_range(&subject, pCreateInfo, buffer);
    check_view_alignment(&subject, pCreateInfo, buffer);
    check_view_usage(&subject, pCreateInfo, buffer);
    return subject.skip;
}

/* --- addresses --- */

/* True if buffer addresses are enabled, in the core feature or that of
 * VK_EXT_buffer_device_address. */
static bool addresses_enabled(const struct call *call)
{
    return device_has_feature(call->device, FEATURE_bufferDeviceAddress) ||
           device_has_feature(call->device,
                              FEATURE_BufferDeviceAddressFeaturesEXT_bufferDeviceAddress);
}

/* True if the buffer's address may be captured: it has the flag, and one of the two features is
 * enabled. */
static bool buffer_replays(const struct call *call, const struct buffer *buffer)
{
    return buffer->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT &&
           (device_has_feature(call->device, FEATURE_bufferDeviceAddressCaptureReplay) ||
            device_has_feature(call->device,
                               FEATURE_BufferDeviceAddressFeaturesEXT_bufferDeviceAddress));
}

bool core_validate_GetBufferDeviceAddress(struct call *call, VkDevice device,
                                          const VkBufferDeviceAddressInfo *pInfo)
{
    const struct buffer *buffer = find_buffer(call, pInfo->buffer);
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct subject subject = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_BUFFER, pInfo->buffer)};
    struct subject command = {.call = call};
    REQUIRE(&command, RULE_03324, addresses_enabled(call), "device",
            "does not have the feature bufferDeviceAddress enabled");
    /* Without the feature a buffer cannot have the usage. */
    if (!buffer || command.wrong)
        return command.skip;
    REQUIRE(&subject, RULE_03324, buffer_is_bound(buffer) || buffer_replays(call, buffer), "buffer",
            "is not bound to memory%s", buffer->binding.memory ? " any more: that was freed" : "");
    REQUIRE(&subject, RULE_02601, buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT,
            "buffer",
            "was created with usage %s, without VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT",
            TEXT_OF(VkBufferUsageFlags2, buffer->usage));
    return command.skip | subject.skip;
}
