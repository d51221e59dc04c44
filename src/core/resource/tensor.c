/* Checks descriptions of tensors, and that tensors may be created, viewed and bound to memory (12.3
 * "Tensors", VK_ARM_tensors, VK_ARM_tensor_controls). */
#include "core/resource/tensor.h"

#include <spirv/unified1/spirv.h>

#include "core/hooks.h"
#include "core/memory/memory.h"
#include "core/resource/create.h"
#include "report/muting/rows_broken.h"
#include "state/object/created.h"
#include "state/memory/formats.h"
#include "state/memory/memory.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

#define WIDTHS 4 /* 8, 16, 32 and 64 bits */

bool tensor_type_fits(const struct spirv_reflection *code, const struct spirv_type *type,
                      VkFormat format)
{
    static const VkFormat with[3][WIDTHS] = {
        {VK_FORMAT_R8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R32_UINT, VK_FORMAT_R64_UINT},
        {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT, VK_FORMAT_R64_SINT},
        {VK_FORMAT_UNDEFINED, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R64_SFLOAT}};
    if (type->element >= code->type_count)
        return true;
    const struct spirv_type *element = &code->types[type->element];
    if (element->opcode == SpvOpTypeBool)
        return format == VK_FORMAT_R8_BOOL_ARM;
    if (element->opcode != SpvOpTypeInt && element->opcode != SpvOpTypeFloat)
        return true;
    if (element->flags & SPIRV_TYPE_ENCODED || element->width < 8 || element->width > 64 ||
        element->width & (element->width - 1))
        return true;
    const uint32_t width = (uint32_t)__builtin_ctz(element->width) - 3;
    if (element->opcode == SpvOpTypeFloat)
        return with[2][width] == VK_FORMAT_UNDEFINED || format == with[2][width];
    return format == with[1][width] ||
           (element->numeric == SPIRV_NUMERIC_UINT && format == with[0][width]);
}

/* The tensor of a handle. NULL: the tensor is not known. */
static const struct created_tensor *find_tensor(const struct call *call, VkTensorARM handle)
{
    return call_find_state(call, (uint64_t)handle, HANDLE_TENSOR_ARM);
}

/* --- description --- */

/* left * right, or INT64_MAX if the product is larger. Both are 0 or more. */
static int64_t bytes_times(int64_t left, int64_t right)
{
    int64_t product;
    return __builtin_mul_overflow(left, right, &product) ? INT64_MAX : product;
}

/* Checks the sizes of all dimensions. Returns true if a tensor can have them. */
static bool check_dimensions(struct subject *s, const VkTensorDescriptionARM *d)
{
    assert(d->pDimensions);
    const int64_t most =
        (int64_t)s->call->device->extended.TensorPropertiesARM.maxPerDimensionTensorElements;
    bool good = true;
    for (uint32_t i = 0; i < d->dimensionCount; i++) {
        const struct location at = LOCATION_INDEX(s->where, "pDimensions", i);
        const int64_t size = d->pDimensions[i];
        REQUIRE(s, RULE_09734, size > 0, &at, "is %" PRId64, size);
        REQUIRE(s, RULE_09883, most <= 0 || size <= most, &at,
                "is %" PRId64 ", more than maxPerDimensionTensorElements (%" PRId64 ")", size,
                most);
        good &= size > 0;
    }
    return good;
}

/* True if there is no gap between elements of dimension i - 1. Strides are in bytes. */
static bool stride_is_packed(const VkTensorDescriptionARM *d, uint32_t i)
{
    assert(i > 0 && i < d->dimensionCount);
    return d->pStrides[i - 1] == bytes_times(d->pStrides[i], d->pDimensions[i]);
}

/* Checks the strides; each has one finding at most. `size`: bytes of an element; 0: not known. */
static void check_strides(struct subject *s, const VkTensorDescriptionARM *d, int64_t size)
{
    assert(d->pStrides);
    const VkPhysicalDeviceTensorPropertiesARM *limits =
        &s->call->device->extended.TensorPropertiesARM;
    const int64_t most = (int64_t)limits->maxTensorStride;
    const uint32_t last = d->dimensionCount - 1;
    bool sound = true, packed = true;
    for (uint32_t i = 0; i < d->dimensionCount; i++) {
        const struct location at = LOCATION_INDEX(s->where, "pStrides", i);
        const int64_t stride = d->pStrides[i];
        const bool in_range = stride > 0 && (most <= 0 || stride <= most);
        struct subject one = {.call = s->call, .objects = s->objects};
        REQUIRE(&one, RULE_09738, in_range, &at,
                "is %" PRId64 ": it must be more than 0, and at most maxTensorStride (%" PRId64 ")",
                stride, most);
        if (size && i == last)
            REQUIRE_NEXT(&one, RULE_09736, stride == size, &at,
                         "is %" PRId64 ", but an element of %s has %" PRId64 " bytes", stride,
                         TEXT_OF(VkFormat, d->format), size);
        if (size)
            REQUIRE_NEXT(&one, RULE_09737, stride % size == 0, &at,
                         "is %" PRId64 ", which is not a multiple of the %" PRId64
                         " bytes of an element of %s",
                         stride, size, TEXT_OF(VkFormat, d->format));
        if (i < last && !one.wrong && d->pStrides[i + 1] > 0) {
            const int64_t least = bytes_times(d->pStrides[i + 1], d->pDimensions[i + 1]);
            REQUIRE(&one, RULE_09739, stride >= least, &at,
                    "is %" PRId64 ", but pStrides[%u] * pDimensions[%u] is %" PRId64
                    ": elements would lie in the same place",
                    stride, i + 1, i + 1, least);
            packed &= stride_is_packed(d, i + 1);
        }
        sound &= !one.wrong;
        subject_add(s, &one);
    }
    if (!sound)
        return;
    const int64_t all = bytes_times(d->pStrides[0], d->pDimensions[0]),
                  largest = (int64_t)limits->maxTensorSize;
    REQUIRE(s, RULE_09884, largest <= 0 || all <= largest, "pStrides",
            "has %" PRId64 " as its first, which times pDimensions[0] is %" PRId64
            " bytes, more than maxTensorSize (%" PRId64 ")",
            d->pStrides[0], all, largest);
    REQUIRE(s, RULE_09740, packed || subject_has(s, FEATURE_tensorNonPacked), "pStrides",
            "describes a tensor with gaps between its elements, but the feature tensorNonPacked is "
            "not enabled");
}

/* Checks the size of the innermost dimension, which some tilings limit to 4 elements. */
static void check_innermost(struct subject *s, const VkTensorDescriptionARM *d)
{
    const uint32_t last = d->dimensionCount - 1;
    const struct location at = LOCATION_INDEX(s->where, "pDimensions", last);
    const int64_t size = d->pDimensions[last];
    if (d->tiling == VK_TENSOR_TILING_OPTIMAL_ARM &&
        d->usage == VK_TENSOR_USAGE_IMAGE_ALIASING_BIT_ARM)
        REQUIRE(s, RULE_09741, size <= 4, &at,
                "is %" PRId64 ", but an optimal tensor that aliases an image has 4 elements there "
                "at most",
                size);
    if (d->tiling == VK_TENSOR_TILING_BLOCK_U_INTERLEAVED_ARM ||
        d->tiling == VK_TENSOR_TILING_BLOCK_U_INTERLEAVED_64K_ARM)
        REQUIRE(s, RULE_09842, size <= 4, &at,
                "is %" PRId64 ", but a tensor of %s has 4 elements there at most", size,
                TEXT_OF(VkTensorTilingARM, d->tiling));
}

/* Checks a description. Returns true if other checks may use its dimensions. */
static bool check_description(struct subject *s, const VkTensorDescriptionARM *d)
{
    const struct format_info *format = format_info(d->format);
    const bool one = format && format->component_count == 1;
    if (format || d->format == VK_FORMAT_UNDEFINED)
        REQUIRE(s, RULE_09735, one, "format", "is %s, which is not a format of one component",
                TEXT_OF(VkFormat, d->format));
    if (!d->dimensionCount || rows_were_broken() || pointer_is_bad(d->pDimensions) ||
        !check_dimensions(s, d))
        return false;
    check_innermost(s, d);
    if (d->pStrides && !pointer_is_bad(d->pStrides))
        check_strides(s, d, one ? format->block_size : 0);
    return true;
}

/* --- creation --- */

static bool is_power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

/* The number of elements that a brick has in the innermost dimension; 1: the tiling has no
 * bricks. */
static uint32_t brick_outer_size(VkTensorTilingARM tiling)
{
    return tiling == VK_TENSOR_TILING_BRICK_16_WIDE_ARM  ? 16
           : tiling == VK_TENSOR_TILING_BRICK_8_WIDE_ARM ? 8
           : tiling == VK_TENSOR_TILING_BRICK_4_WIDE_ARM ? 4
                                                         : 1;
}

/* Checks a tensor with "rolling backing", of which only a window has memory. */
static void check_rolling(struct subject *s, const VkTensorRollingBackingCreateInfoARM *rolling,
                          const VkTensorDescriptionARM *d)
{
    const uint32_t n = d->dimensionCount, brick = brick_outer_size(d->tiling);
    const struct format_info *format = format_info(d->format);
    bool odd_before = false;
    if (n > ARRAY_LENGTH(rolling->wraps))
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct location at = LOCATION_INDEX(s->where, "wraps", i);
        const uint32_t wrap = rolling->wraps[i];
        const int64_t size = d->pDimensions[i];
        const bool whole = wrap == size;
        REQUIRE(s, RULE_09835, wrap <= size, &at, "is %u, but pDimensions[%u] is %" PRId64, wrap, i,
                size);
        if (wrap > size)
            continue;
        REQUIRE(s, RULE_09836, whole || wrap < 1u << 16, &at,
                "is %u: it must be pDimensions[%u] (%" PRId64 ") or less than 65536", wrap, i,
                size);
        REQUIRE(s, RULE_09837, whole || !odd_before || is_power_of_two(wrap), &at,
                "is %u, which is neither pDimensions[%u] (%" PRId64 ") nor a power of two, and an "
                "element before it is not a power of two",
                wrap, i, size);
        odd_before |= !is_power_of_two(wrap);
        if (i + 2 == n)
            REQUIRE(s, RULE_09838, whole || wrap % brick == 0, &at,
                    "is %u, which is neither pDimensions[%u] (%" PRId64 ") nor a multiple of the "
                    "outer size of a brick, %u",
                    wrap, i, size, brick);
        const uint32_t row = format && format->block_size ? 64 / brick / format->block_size : 0;
        if (i + 1 == n && brick > 1 && row)
            REQUIRE(s, RULE_09839, whole || wrap % row == 0, &at,
                    "is %u, which is neither pDimensions[%u] (%" PRId64 ") nor a multiple of the "
                    "%u elements of a brick's row",
                    wrap, i, size, row);
    }
}

/* Checks a tensor that is to be created: first its description, and the rest only if that is right.
 * True: the call is to be skipped. */
static bool tensor_check_create_info(struct call *call, const struct location *where,
                                     const VkTensorCreateInfoARM *info)
{
    assert(where);
    struct subject s = {.call = call, .where = where};
    const VkTensorDescriptionARM *d = info->pDescription;
    const struct location at = LOCATION_POINTER(where, "pDescription");
    struct subject description = {.call = call, .where = &at};
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT &&
        !pointer_is_bad(info->pQueueFamilyIndices))
        check_queue_families(&s, RULE_09725, info->queueFamilyIndexCount,
                             info->pQueueFamilyIndices);
    if (pointer_is_bad(d) || !check_description(&description, d))
        return s.skip | description.skip;
    int64_t elements = 1;
    const int64_t most = (int64_t)call->device->extended.TensorPropertiesARM.maxTensorElements;
    for (uint32_t i = 0; i < d->dimensionCount; i++)
        elements = bytes_times(elements, d->pDimensions[i]);
    REQUIRE(&s, RULE_09721, most <= 0 || elements <= most, "pDescription",
            "describes a tensor of %" PRId64 " elements, more than maxTensorElements (%" PRId64 ")",
            elements, most);
    const VkTensorRollingBackingCreateInfoARM *rolling =
        CHAINED(info->pNext, TENSOR_ROLLING_BACKING_CREATE_INFO_ARM);
    if (rolling) {
        const struct location chained =
            LOCATION_CHAINED(where, "VkTensorRollingBackingCreateInfoARM");
        s.where = &chained;
        check_rolling(&s, rolling, d);
    }
    return s.skip | description.skip;
}

bool core_validate_CreateTensorARM(struct call *call, VkDevice device,
                                   const VkTensorCreateInfoARM *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkTensorARM *pTensor)
{
    return tensor_check_create_info(call, &LOCATION_POINTER(NULL, "pCreateInfo"), pCreateInfo);
}

bool core_validate_GetDeviceTensorMemoryRequirementsARM(struct call *call, VkDevice device,
                                                        const VkDeviceTensorMemoryRequirementsARM
                                                            *pInfo,
                                                        VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    return !pointer_is_bad(pInfo->pCreateInfo) &&
           tensor_check_create_info(call, &LOCATION_POINTER(&where, "pCreateInfo"),
                                    pInfo->pCreateInfo);
}

bool core_validate_CreateTensorViewARM(struct call *call, VkDevice device,
                                       const VkTensorViewCreateInfoARM *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkTensorViewARM *pView)
{
    const struct created_tensor *tensor = find_tensor(call, pCreateInfo->tensor);
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pCreateInfo"),
                        .objects = OBJECT(HANDLE_TENSOR_ARM, pCreateInfo->tensor)};
    if (!tensor)
        return false;
    if (tensor->flags & VK_TENSOR_CREATE_MUTABLE_FORMAT_BIT_ARM && format_info(tensor->format) &&
        format_info(pCreateInfo->format))
        REQUIRE(&s, RULE_09744, formats_compatible(tensor->format, pCreateInfo->format), "format",
                "is %s, which is not compatible with the tensor's %s",
                TEXT_OF(VkFormat, pCreateInfo->format), TEXT_OF(VkFormat, tensor->format));
    REQUIRE(&s, RULE_09749, memory_binding_lives(&tensor->binding), "tensor",
            "is not bound to memory%s", tensor->binding.memory ? " any more: that was freed" : "");
    return s.skip;
}

/* --- memory --- */

/* The memory requirements that the driver reports for a tensor. */
static VkMemoryRequirements requirements_of(const struct call *call,
                                            const struct created_tensor *tensor, bool *dedicated)
{
    VkMemoryDedicatedRequirements alone = {.sType =
                                               VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                   .pNext = &alone};
    const VkTensorMemoryRequirementsInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM,
        .tensor = (VkTensorARM)object_driver(tensor->base.object)};
    if (call->device->dispatch.GetTensorMemoryRequirementsARM)
        call->device->dispatch.GetTensorMemoryRequirementsARM(call->device->handle, &info, &needs);
    *dedicated = alone.requiresDedicatedAllocation;
    return needs.memoryRequirements;
}

/* True if the memory was allocated as dedicated memory for this tensor. */
static bool is_for(const struct created_tensor *tensor, const struct device_memory *memory)
{
    return atomic_load_explicit(&tensor->dedicated_memory, memory_order_relaxed) ==
           object_state_id(&memory->base);
}

/* Checks the memory type, alignment and size against the requirements that the driver reports.
 * Nothing is checked if the driver does not report any. */
static void tensor_check_place(struct subject *s, const VkBindTensorMemoryInfoARM *info,
                               const struct created_tensor *tensor,
                               const struct device_memory *memory)
{
    assert(tensor && memory);
    bool alone = false;
    const VkMemoryRequirements needs = requirements_of(s->call, tensor, &alone);
    const bool is_protected = (tensor->flags & VK_TENSOR_CREATE_PROTECTED_BIT_ARM) != 0;
    if (!needs.size)
        return;
    /* 09718 and 09719 report that only one of memory and tensor is protected. */
    if (memory->is_protected == is_protected)
        REQUIRE(s, RULE_09714, memory->type < 32 && needs.memoryTypeBits & 1u << memory->type,
                "memory", "is of memory type %u, but the tensor takes memoryTypeBits 0x%x",
                memory->type, needs.memoryTypeBits);
    REQUIRE(s, RULE_09715, !needs.alignment || info->memoryOffset % needs.alignment == 0,
            "memoryOffset", "is %" PRIu64 ", but the tensor lies at a multiple of %" PRIu64,
            info->memoryOffset, needs.alignment);
    if (!memory->import_type && info->memoryOffset < memory->size)
        REQUIRE(s, RULE_09716, needs.size <= memory->size - info->memoryOffset, "memory",
                "has %" PRIu64 " bytes from memoryOffset (%" PRIu64
                ") on, but the tensor needs %" PRIu64,
                memory->size - info->memoryOffset, info->memoryOffset, needs.size);
    REQUIRE(s, RULE_09717, !alone || is_for(tensor, memory), "memory",
            "was not allocated for this tensor alone, which needs a dedicated allocation");
    if (is_for(tensor, memory))
        REQUIRE(s, RULE_09806, !info->memoryOffset, "memoryOffset",
                "is %" PRIu64 ", but the memory was allocated for this tensor alone, which must be "
                "bound to it at offset 0",
                info->memoryOffset);
    if (memory->export_types)
        REQUIRE(s, RULE_09895, memory->export_types & tensor->external_types, "memory",
                "was allocated to be exported as %s, but the tensor was created for %s",
                TEXT_OF(VkExternalMemoryHandleTypeFlags, memory->export_types),
                tensor->external_types
                    ? TEXT_OF(VkExternalMemoryHandleTypeFlags, tensor->external_types)
                    : "no external memory");
}

bool core_validate_BindTensorMemoryARM(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                       const VkBindTensorMemoryInfoARM *pBindInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindTensorMemoryInfoARM *info = &pBindInfos[i];
        const struct created_tensor *tensor = find_tensor(call, info->tensor);
        const struct device_memory *memory = find_device_memory(call, info->memory);
        struct subject s = {.call = call,
                            .where = &LOCATION_INDEX(NULL, "pBindInfos", i),
                            .objects = OBJECT2(HANDLE_TENSOR_ARM, info->tensor,
                                               HANDLE_DEVICE_MEMORY, info->memory)};
        if (tensor && memory && !rows_were_broken_in(s.where))
            tensor_check_place(&s, info, tensor, memory);
        skip |= s.skip;
    }
    return skip;
}

void check_dedicated_tensor(struct subject *s, const VkMemoryAllocateInfo *info)
{
    const VkMemoryDedicatedAllocateInfoTensorARM *dedicated =
        CHAINED(info->pNext, MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM);
    const struct created_tensor *tensor =
        dedicated ? find_tensor(s->call, dedicated->tensor) : NULL;
    if (!tensor)
        return;
    bool alone;
    const VkMemoryRequirements needs = requirements_of(s->call, tensor, &alone);
    REQUIRE(s, RULE_09710, !needs.size || info->allocationSize == needs.size, "allocationSize",
            "is %" PRIu64 ", but the tensor that it is dedicated to needs %" PRIu64 " bytes",
            info->allocationSize, needs.size);
}
