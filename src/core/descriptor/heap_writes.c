/* Checks what is written into memory for descriptor heaps (14.4.1 "Writing Descriptors"): the size
 * of the memory, and the images and addresses. Rows check what a structure shows on its own. */
#include "core/core.h"
#include "core/hooks.h"
#include "core/memory/address.h"
#include "core/resource/buffer.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/submit/queue.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* The size of a descriptor in bytes, as the driver returns it. For common types the driver is
 * called only once. */
static VkDeviceSize descriptor_size(const struct device *device, VkDescriptorType type)
{
    const PFN_vkGetPhysicalDeviceDescriptorSizeEXT ask =
        device->instance->dispatch.GetPhysicalDeviceDescriptorSizeEXT;
    struct device_state *state =
        (uint32_t)type < DESCRIPTOR_SIZES ? device_state_make(device) : NULL;
    const uint64_t known =
        state ? atomic_load_explicit(&state->descriptor_sizes[type], memory_order_relaxed) : 0;
    if (known)
        return known & ~ANSWER_KNOWN;
    const VkDeviceSize size = ask(device->physical_device, type);
    if (state)
        atomic_store_explicit(&state->descriptor_sizes[type], size | ANSWER_KNOWN,
                              memory_order_relaxed);
    return size;
}

/* The size member of each element of pDescriptors must be greater than or equal to the value
 * returned by vkGetPhysicalDeviceDescriptorSizeEXT. "N will never be larger than the applicable
 * limits", so the driver is called only for ranges smaller than the limits. */
static void heap_writes_check_size(struct subject *s, enum vuid vuid,
                                   const VkHostAddressRangeEXT *range, VkDescriptorType type)
{
    const struct device *device = s->call->device;
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits =
        &device->extended.DescriptorHeapPropertiesEXT;
    VkDeviceSize most = limits->samplerDescriptorSize > limits->imageDescriptorSize
                            ? limits->samplerDescriptorSize
                            : limits->imageDescriptorSize;
    most = most > limits->bufferDescriptorSize ? most : limits->bufferDescriptorSize;
    if ((range->size >= most && type != VK_DESCRIPTOR_TYPE_TENSOR_ARM) ||
        !device->instance->dispatch.GetPhysicalDeviceDescriptorSizeEXT)
        return;
    const VkDeviceSize needed = descriptor_size(device, type);
    REQUIRE(s, vuid, range->size >= needed, "size",
            "is %zu, but descriptors of %s have %" PRIu64
            " bytes (vkGetPhysicalDeviceDescriptorSizeEXT)",
            range->size, TEXT_OF(VkDescriptorType, type), needed);
}

/* --- samplers --- */

bool core_validate_WriteSamplerDescriptorsEXT(struct call *call, VkDevice device,
                                              uint32_t samplerCount,
                                              const VkSamplerCreateInfo *pSamplers,
                                              const VkHostAddressRangeEXT *pDescriptors)
{
    bool skip = false;
    for (uint32_t i = 0; i < samplerCount; i++) {
        const struct location place = LOCATION_INDEX(NULL, "pDescriptors", i);
        struct subject s = {.call = call, .where = &place};
        heap_writes_check_size(&s, VUID_vkWriteSamplerDescriptorsEXT_size_11203, &pDescriptors[i],
                               VK_DESCRIPTOR_TYPE_SAMPLER);
        skip |= s.skip;
    }
    return skip;
}

/* --- resources --- */

/* Checks the image of a descriptor. "The effective usage of the VkImageViewCreateInfo" is
 * VkImageViewUsageCreateInfo::usage, or that of the image. */
static void heap_writes_check_image(struct subject *s, const VkResourceDescriptorInfoEXT *resource)
{
    static const struct {
        VkDescriptorType type;
        VkImageUsageFlags usage;
        enum vuid vuid;
    } rules[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT,
         VUID_VkResourceDescriptorInfoEXT_type_11458},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT,
         VUID_VkResourceDescriptorInfoEXT_type_11459},
        {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
         VUID_VkResourceDescriptorInfoEXT_type_11460},
        {VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM, VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM,
         VUID_VkResourceDescriptorInfoEXT_type_12498},
        {VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM,
         VUID_VkResourceDescriptorInfoEXT_type_12499},
    };
    const VkImageDescriptorInfoEXT *info = resource->data.pImage;
    const struct image *image = pointer_is_bad(info) || pointer_is_bad(info->pView)
                                    ? NULL
                                    : find_image(s->call, info->pView->image);
    if (!image)
        return;
    const VkImageViewUsageCreateInfo *given =
        CHAINED(info->pView->pNext, IMAGE_VIEW_USAGE_CREATE_INFO);
    const VkImageAspectFlags aspects = info->pView->subresourceRange.aspectMask;
    const VkImageUsageFlags usage = given ? given->usage : image_usage_of_aspects(image, aspects);
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        REQUIRE_OF(s, OBJECT(HANDLE_IMAGE, info->pView->image), rules[i].vuid,
                   resource->type != rules[i].type || usage & rules[i].usage, "data.pImage",
                   "is written as %s, but the usage of its view is %s, without %s",
                   TEXT_OF(VkDescriptorType, resource->type), TEXT_OF(VkImageUsageFlags, usage),
                   TEXT_OF(VkImageUsageFlags, rules[i].usage));
    const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    /* If pView->image is a depth/stencil image, pView->subresourceRange.aspectMask must include
     * either VK_IMAGE_ASPECT_DEPTH_BIT or VK_IMAGE_ASPECT_STENCIL_BIT but not both */
    if (format_is_depth_stencil(image->format))
        REQUIRE_OF(s, OBJECT(HANDLE_IMAGE, info->pView->image),
                   VUID_VkImageDescriptorInfoEXT_pView_11430,
                   (aspects & both) == VK_IMAGE_ASPECT_DEPTH_BIT ||
                       (aspects & both) == VK_IMAGE_ASPECT_STENCIL_BIT,
                   "data.pImage->pView->subresourceRange.aspectMask",
                   "is %s, but must have one of the depth and the stencil aspect of %s",
                   TEXT_OF(VkImageAspectFlags, aspects), TEXT_OF(VkFormat, image->format));
}

/* Checks the address of a texel buffer, whose alignment depends on its format. */
static void check_texels(struct subject *s, const VkResourceDescriptorInfoEXT *resource)
{
    const VkTexelBufferDescriptorInfoEXT *info = resource->data.pTexelBuffer;
    const bool storage = resource->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (pointer_is_bad(info))
        return;
    const VkDeviceSize alignment = texel_buffer_alignment(s->call, info->format, storage);
    REQUIRE(s, VUID_VkResourceDescriptorInfoEXT_type_12349,
            !alignment || info->addressRange.address % alignment == 0,
            "data.pTexelBuffer->addressRange.address",
            "is 0x%" PRIx64 ", but texel buffers of %s begin at multiples of %" PRIu64
            " on this device",
            info->addressRange.address, TEXT_OF(VkFormat, info->format), alignment);
}

/* Checks the data of one descriptor of a heap, which depends on its type. */
static void check_resource(struct subject *s, const VkResourceDescriptorInfoEXT *resource)
{
    switch (resource->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        heap_writes_check_image(s, resource);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        check_texels(s, resource);
        break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
    case VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV:
        /* data->pAddressRange->address must be a multiple of 256 */
        if (!pointer_is_bad(resource->data.pAddressRange))
            REQUIRE(s, VUID_VkResourceDescriptorInfoEXT_type_11454,
                    resource->data.pAddressRange->address % 256 == 0, "data.pAddressRange->address",
                    "is 0x%" PRIx64 ", which is not a multiple of 256",
                    resource->data.pAddressRange->address);
        break;
    default:
        break;
    }
}

bool core_validate_WriteResourceDescriptorsEXT(struct call *call, VkDevice device,
                                               uint32_t resourceCount,
                                               const VkResourceDescriptorInfoEXT *pResources,
                                               const VkHostAddressRangeEXT *pDescriptors)
{
    bool skip = false;
    for (uint32_t i = 0; i < resourceCount; i++) {
        const struct location place = LOCATION_INDEX(NULL, "pDescriptors", i),
                              resource = LOCATION_INDEX(NULL, "pResources", i);
        struct subject s = {.call = call, .where = &place};
        heap_writes_check_size(&s, VUID_vkWriteResourceDescriptorsEXT_size_11207, &pDescriptors[i],
                               pResources[i].type);
        s.where = &resource;
        check_resource(&s, &pResources[i]);
        skip |= s.skip;
    }
    return skip;
}
