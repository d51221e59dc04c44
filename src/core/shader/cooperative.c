/* Checks conversions of matrices for cooperative vectors (VK_NV_cooperative_vector), and queries
 * about cooperative matrices (VK_EXT_cooperative_matrix_maintenance1). */
#include "core/hooks.h"
#include "core/memory/address.h"
#include "report/muting/rows_broken.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* The most properties of cooperative vectors that are queried; devices have tens of them. */
#define VECTORS_ASKED 128
/* The most conversions of one call that are compared with one another. */
#define CONVERSIONS_COMPARED 64
/* srcData and dstData of the command on the device "must be 64 byte aligned" */
#define CONVERSION_ALIGNMENT 64

/* --- conversions --- */

/* The bytes of a component, or 0 if components are packed, or do not have a whole number of
 * bytes. */
static uint32_t component_size(VkComponentTypeKHR type)
{
    switch ((int64_t)type) {
    case VK_COMPONENT_TYPE_SINT8_KHR:
    case VK_COMPONENT_TYPE_UINT8_KHR:
    case VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT:
    case VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT:
        return 1;
    case VK_COMPONENT_TYPE_FLOAT16_KHR:
    case VK_COMPONENT_TYPE_BFLOAT16_KHR:
    case VK_COMPONENT_TYPE_SINT16_KHR:
    case VK_COMPONENT_TYPE_UINT16_KHR:
        return 2;
    case VK_COMPONENT_TYPE_FLOAT32_KHR:
    case VK_COMPONENT_TYPE_SINT32_KHR:
    case VK_COMPONENT_TYPE_UINT32_KHR:
        return 4;
    case VK_COMPONENT_TYPE_FLOAT64_KHR:
    case VK_COMPONENT_TYPE_SINT64_KHR:
    case VK_COMPONENT_TYPE_UINT64_KHR:
        return 8;
    default:
        return 0;
    }
}

/* True for integer types; false for types that the layer does not know. */
static bool component_is_integer(VkComponentTypeKHR type)
{
    return (type >= VK_COMPONENT_TYPE_SINT8_KHR && type <= VK_COMPONENT_TYPE_UINT64_KHR) ||
           type == VK_COMPONENT_TYPE_SINT8_PACKED_NV || type == VK_COMPONENT_TYPE_UINT8_PACKED_NV;
}

/* One of the two matrices of a conversion. */
struct matrix {
    VkComponentTypeKHR type;
    VkCooperativeVectorMatrixLayoutNV layout;
    size_t stride;
    const char *stride_name, *type_name; /* names of the members */
    /* The two lengths are in bytes, for layouts by rows or columns; 0 if not known. */
    uint64_t line; /* the length of a row or column */
    uint64_t size; /* the length of the whole matrix, to the end of its last row or column */
};

/* Fills in the lengths of a matrix that is laid out by rows or columns. */
static struct matrix matrix_measured(const VkConvertCooperativeVectorMatrixInfoNV *info,
                                     struct matrix matrix)
{
    const bool rows = matrix.layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
               columns = matrix.layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV;
    const uint64_t lines = rows ? info->numRows : info->numColumns;
    if (!rows && !columns)
        return matrix;
    matrix.line = (uint64_t)component_size(matrix.type) * (rows ? info->numColumns : info->numRows);
    if (matrix.line && lines && lines <= UINT32_MAX && matrix.stride <= UINT32_MAX)
        matrix.size = (lines - 1) * matrix.stride + matrix.line;
    return matrix;
}

static struct matrix source_of(const VkConvertCooperativeVectorMatrixInfoNV *info)
{
    return matrix_measured(info, (struct matrix){.type = info->srcComponentType,
                                                 .layout = info->srcLayout,
                                                 .stride = info->srcStride,
                                                 .stride_name = "srcStride",
                                                 .type_name = "srcComponentType"});
}

static struct matrix destination_of(const VkConvertCooperativeVectorMatrixInfoNV *info)
{
    return matrix_measured(info, (struct matrix){.type = info->dstComponentType,
                                                 .layout = info->dstLayout,
                                                 .stride = info->dstStride,
                                                 .stride_name = "dstStride",
                                                 .type_name = "dstComponentType"});
}

/* If srcLayout is row-major or column-major, then srcStride must be greater than the length of a
 * row/column, and a multiple of the element size. (Rows without a gap are taken for right.) */
static void check_stride(struct subject *s, const struct matrix *matrix, enum vuid vuid)
{
    const uint32_t element = component_size(matrix->type);
    if (!matrix->line)
        return;
    REQUIRE(s, vuid, matrix->stride >= matrix->line && matrix->stride % element == 0,
            matrix->stride_name, "is %zu, but a row or column has %" PRIu64 " bytes, %u each",
            matrix->stride, matrix->line, element);
}

/* If the type is not a supported matrixInterpretation value as reported by
 * vkGetPhysicalDeviceCooperativeVectorPropertiesNV, then it must be VK_COMPONENT_TYPE_FLOAT32_KHR.
 * A driver that reports none, or more than there is room for, leaves it open. */
static void check_component(struct subject *s, const struct matrix *matrix, enum vuid vuid)
{
    PFN_vkGetPhysicalDeviceCooperativeVectorPropertiesNV ask =
        s->call->instance->dispatch.GetPhysicalDeviceCooperativeVectorPropertiesNV;
    VkCooperativeVectorPropertiesNV vectors[VECTORS_ASKED];
    uint32_t count = VECTORS_ASKED;
    bool found = false;
    if (matrix->type == VK_COMPONENT_TYPE_FLOAT32_KHR || !ask)
        return;
    for (uint32_t i = 0; i < VECTORS_ASKED; i++)
        vectors[i] = (VkCooperativeVectorPropertiesNV){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV};
    if (ask(s->call->device->physical_device, &count, vectors) != VK_SUCCESS || !count ||
        count > VECTORS_ASKED)
        return;
    for (uint32_t i = 0; i < count; i++)
        found |= vectors[i].matrixInterpretation == matrix->type;
    REQUIRE(s, vuid, found, matrix->type_name,
            "is %s, which is neither VK_COMPONENT_TYPE_FLOAT32_KHR nor a matrixInterpretation of "
            "the device",
            TEXT_OF(VkComponentTypeKHR, matrix->type));
}

/* Checks the types and strides of both matrices. */
static void conversion_check_types(struct subject *s,
                                   const VkConvertCooperativeVectorMatrixInfoNV *info)
{
    const struct matrix source = source_of(info), destination = destination_of(info);
    const VkComponentTypeKHR from = info->srcComponentType, to = info->dstComponentType;
    const bool wide = from == VK_COMPONENT_TYPE_FLOAT32_KHR ||
                      to == VK_COMPONENT_TYPE_FLOAT32_KHR ||
                      from == VK_COMPONENT_TYPE_FLOAT16_KHR || to == VK_COMPONENT_TYPE_FLOAT16_KHR,
               lower = from != VK_COMPONENT_TYPE_FLOAT64_KHR &&
                       to != VK_COMPONENT_TYPE_FLOAT64_KHR && !component_is_integer(from) &&
                       !component_is_integer(to);
    check_component(s, &source, VUID_VkConvertCooperativeVectorMatrixInfoNV_srcComponentType_10079);
    check_component(s, &destination,
                    VUID_VkConvertCooperativeVectorMatrixInfoNV_dstComponentType_10080);
    /* If srcComponentType and dstComponentType are not equal, then one must be
     * VK_COMPONENT_TYPE_FLOAT32_KHR or VK_COMPONENT_TYPE_FLOAT16_KHR and the other must be a
     * lower-precision floating-point type */
    REQUIRE_NEXT(s, VUID_VkConvertCooperativeVectorMatrixInfoNV_srcComponentType_10081,
                 from == to || (wide && lower), "srcComponentType",
                 "is %s, and dstComponentType is %s: one is not of less precision than the other",
                 TEXT_OF(VkComponentTypeKHR, from), TEXT_OF(VkComponentTypeKHR, to));
    check_stride(s, &source, VUID_VkConvertCooperativeVectorMatrixInfoNV_srcLayout_10077);
    check_stride(s, &destination, VUID_VkConvertCooperativeVectorMatrixInfoNV_dstLayout_10078);
}

/* Checks that the sizes, in bytes, are enough for matrices by rows or columns. `written` is true if
 * there is room for the result; otherwise the program queries its size. */
static void check_conversion_sizes(struct subject *s,
                                   const VkConvertCooperativeVectorMatrixInfoNV *info, bool read,
                                   bool written, enum vuid source, enum vuid destination)
{
    const struct matrix from = source_of(info), to = destination_of(info);
    static const char text[] = "is %zu, but the matrix takes %" PRIu64 " bytes";
    if (read)
        REQUIRE(s, source, info->srcSize >= from.size, "srcSize", text, info->srcSize, from.size);
    if (written && !pointer_is_bad(info->pDstSize))
        REQUIRE(s, destination, *info->pDstSize >= to.size, "pDstSize", text, *info->pDstSize,
                to.size);
}

/* True if two ranges of bytes have a byte in common. */
static bool ranges_meet(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a_size && b_size && a - b < b_size ? true : b - a < a_size && a_size && b_size;
}

bool core_validate_ConvertCooperativeVectorMatrixNV(struct call *call, VkDevice device,
                                                    const VkConvertCooperativeVectorMatrixInfoNV
                                                        *pInfo)
{
    const VkConvertCooperativeVectorMatrixInfoNV *info = pInfo;
    const bool source = info->srcData.hostAddress != NULL,
               destination = info->dstData.hostAddress != NULL;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    if (rows_were_broken())
        return false;
    conversion_check_types(&s, info);
    if (s.wrong) /* the sizes follow from these values */
        return s.skip;
    check_conversion_sizes(&s, info, source, destination,
                           VUID_vkConvertCooperativeVectorMatrixNV_pInfo_10074,
                           VUID_vkConvertCooperativeVectorMatrixNV_pInfo_10075);
    /* If pInfo->dstData.hostAddress is not NULL, the source and destination memory ranges must not
     * overlap */
    REQUIRE_NEXT(&s, VUID_vkConvertCooperativeVectorMatrixNV_pInfo_10076,
                 !source || !destination || pointer_is_bad(info->pDstSize) ||
                     !ranges_meet((uintptr_t)info->srcData.hostAddress, info->srcSize,
                                  (uintptr_t)info->dstData.hostAddress, *info->pDstSize),
                 "dstData", "is %p, whose %zu bytes overlap the %zu bytes at %p (srcData)",
                 info->dstData.hostAddress, *info->pDstSize, info->srcSize,
                 info->srcData.hostAddress);
    return s.skip;
}

/* Checks the device address of a matrix. */
static void check_matrix_address(struct subject *s, VkDeviceAddress address, const char *member,
                                 enum vuid valid, enum vuid aligned)
{
    const struct location data = LOCATION(s->where, member), at = LOCATION(&data, "deviceAddress");
    const struct address_search found = device_address_find(s->call->device, address, 1, 0);
    if (unlikely(found.match == ADDRESS_NOWHERE)) {
        s->skip |= address_report_nowhere(s->call, valid, &at, address, "");
        s->wrong = true;
    }
    REQUIRE_NEXT(s, aligned, address % CONVERSION_ALIGNMENT == 0, &at,
                 "is 0x%" PRIx64 ", which is not a multiple of %d", address, CONVERSION_ALIGNMENT);
}

/* Memory accessed by the sources and destinations of all of the conversions must not overlap. What
 * is only read may be read twice. Lengths that are not known are left out. */
static void check_apart(struct subject *s, const VkConvertCooperativeVectorMatrixInfoNV *infos,
                        uint32_t i)
{
    const VkDeviceAddress to = infos[i].dstData.deviceAddress;
    const uint64_t size = destination_of(&infos[i]).size;
    for (uint32_t k = 0; k <= i && i < CONVERSIONS_COMPARED; k++) {
        const bool source = ranges_meet(infos[k].srcData.deviceAddress, source_of(&infos[k]).size,
                                        to, size),
                   other = k < i && ranges_meet(infos[k].dstData.deviceAddress,
                                                destination_of(&infos[k]).size, to, size),
                   read =
                       k < i &&
                       ranges_meet(infos[k].dstData.deviceAddress, destination_of(&infos[k]).size,
                                   infos[i].srcData.deviceAddress, source_of(&infos[i]).size);
        REQUIRE_NEXT(s, VUID_vkCmdConvertCooperativeVectorMatrixNV_None_10088,
                     !source && !other && !read, read ? "srcData" : "dstData",
                     "overlaps %s of pInfos[%u]", source ? "srcData" : "dstData", k);
    }
}

bool core_validate_CmdConvertCooperativeVectorMatrixNV(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       uint32_t infoCount,
                                                       const VkConvertCooperativeVectorMatrixInfoNV
                                                           *pInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < infoCount && !rows_were_broken(); i++) {
        const VkConvertCooperativeVectorMatrixInfoNV *info = &pInfos[i];
        struct subject s = {.call = call, .where = &LOCATION_INDEX(NULL, "pInfos", i)};
        conversion_check_types(&s, info);
        check_matrix_address(&s, info->srcData.deviceAddress, "srcData",
                             VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10083,
                             VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10084);
        check_matrix_address(&s, info->dstData.deviceAddress, "dstData",
                             VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10895,
                             VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10085);
        if (!s.wrong)
            check_conversion_sizes(&s, info, true, true,
                                   VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10086,
                                   VUID_vkCmdConvertCooperativeVectorMatrixNV_pInfo_10087);
        if (!s.wrong)
            check_apart(&s, pInfos, i);
        skip |= s.skip;
    }
    return skip;
}

/* --- questions about cooperative matrices --- */

#define MATRIX(rule_) VUID_VkPhysicalDeviceCooperativeMatrixInfo2EXT_##rule_

/* The features that the physical device supports, whether or not a device has enabled them. */
struct matrix_support {
    bool properties2, workgroup_scope, size_control;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceCooperativeMatrix2PropertiesNV matrices;
};

/* Queries the driver. The call itself then uses the answer. */
static struct matrix_support matrix_support_of(const struct call *call,
                                               VkPhysicalDevice physical_device)
{
    struct matrix_support support = {
        .sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
        .subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
        .matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV};
    VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT maintenance = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT};
    VkPhysicalDeviceCooperativeMatrix2FeaturesNV two = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
        .pNext = &maintenance};
    VkPhysicalDeviceSubgroupSizeControlFeatures control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, .pNext = &two};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &control};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &support.sizes};
    support.sizes.pNext = &support.subgroup;
    support.subgroup.pNext = &support.matrices;
    call->instance->dispatch.GetPhysicalDeviceFeatures2(physical_device, &features);
    call->instance->dispatch.GetPhysicalDeviceProperties2(physical_device, &properties);
    support.properties2 = maintenance.cooperativeMatrixProperties2;
    support.workgroup_scope = two.cooperativeMatrixWorkgroupScope;
    support.size_control = control.subgroupSizeControl;
    return support;
}

/* Checks the subgroup size, in invocations, that the program queries for. 0 means any size. */
static void check_asked_subgroup(struct subject *s,
                                 const VkPhysicalDeviceCooperativeMatrixInfo2EXT *info,
                                 const struct matrix_support *support)
{
    const uint32_t size = info->subgroupSize, least = support->sizes.minSubgroupSize,
                   most = support->sizes.maxSubgroupSize, fixed = support->subgroup.subgroupSize;
    if (info->scope != VK_SCOPE_SUBGROUP_KHR || !size)
        return;
    if (support->size_control && most) {
        REQUIRE(s, MATRIX(scope_13375), size >= least, "subgroupSize",
                "is %u, but minSubgroupSize is %u", size, least);
        REQUIRE(s, MATRIX(scope_13376), size <= most, "subgroupSize",
                "is %u, but maxSubgroupSize is %u", size, most);
    } else if (!support->size_control && fixed) {
        REQUIRE(s, MATRIX(scope_13377), size == fixed, "subgroupSize",
                "is %u, but the device does not support subgroupSizeControl, and has a "
                "subgroupSize of %u",
                size, fixed);
    }
}

bool core_validate_GetPhysicalDeviceCooperativeMatrixProperties2EXT(
    struct call *call, VkPhysicalDevice physicalDevice,
    const VkPhysicalDeviceCooperativeMatrixInfo2EXT *pCooperativeMatrixInfo,
    uint32_t *pPropertyCount, VkCooperativeMatrixProperties2EXT *pProperties)
{
    const VkPhysicalDeviceCooperativeMatrixInfo2EXT *info = pCooperativeMatrixInfo;
    const bool workgroup = info->scope == VK_SCOPE_WORKGROUP_KHR;
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCooperativeMatrixInfo")};
    if (!call->instance->dispatch.GetPhysicalDeviceFeatures2 ||
        !call->instance->dispatch.GetPhysicalDeviceProperties2 || rows_were_broken())
        return false;
    const struct matrix_support support = matrix_support_of(call, physicalDevice);
    const uint32_t most = support.matrices.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
    REQUIRE(
        &s,
        VUID_vkGetPhysicalDeviceCooperativeMatrixProperties2EXT_cooperativeMatrixProperties2_13371,
        support.properties2, &LOCATION(NULL, "physicalDevice"),
        "does not support the feature cooperativeMatrixProperties2");
    if (s.wrong) /* the driver must not be queried with such values */
        return s.skip;
    REQUIRE(&s, MATRIX(cooperativeMatrixWorkgroupScope_13373),
            !workgroup || support.workgroup_scope, "scope",
            "is VK_SCOPE_WORKGROUP_KHR, but the device does not support the feature "
            "cooperativeMatrixWorkgroupScope");
    REQUIRE(&s, MATRIX(invocations_13381), workgroup || !info->invocations, "invocations",
            "is %u, but scope is %s", info->invocations, TEXT_OF(VkScopeKHR, info->scope));
    if (workgroup && support.workgroup_scope && most)
        REQUIRE(&s, MATRIX(scope_13380), info->invocations <= most, "invocations",
                "is %u, but cooperativeMatrixWorkgroupScopeMaxWorkgroupSize is %u",
                info->invocations, most);
    check_asked_subgroup(&s, info, &support);
    return s.skip;
}
