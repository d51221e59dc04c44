/* Checks acceleration structures and traces of VK_NV_ray_tracing (37 "Acceleration Structures", 41
 * "Ray Tracing"). */
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/rule.h"
#include "state/buffer.h"

#include <inttypes.h>

/* --- structures --- */

static void check_info(struct subject *s, const VkAccelerationStructureInfoNV *info)
{
    const VkPhysicalDeviceRayTracingPropertiesNV *limits =
        &s->call->device->extended.RayTracingPropertiesNV;
    bool bottom = info->type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    REQUIRE(s, RULE_02422, info->geometryCount <= limits->maxGeometryCount, "geometryCount",
            "is %u, more than maxGeometryCount (%" PRIu64 ")", info->geometryCount,
            limits->maxGeometryCount);
    for (uint32_t i = 1; bottom && info->pGeometries && i < info->geometryCount; i++)
        REQUIRE_OF(s, NULL, RULE_02786,
                   info->pGeometries[i].geometryType == info->pGeometries[0].geometryType,
                   &LOCATION(&LOCATION_INDEX(s->where, "pGeometries", i), "geometryType"),
                   "is %s, but that of the first geometry is %s",
                   TEXT_OF(VkGeometryTypeKHR, info->pGeometries[i].geometryType),
                   TEXT_OF(VkGeometryTypeKHR, info->pGeometries[0].geometryType));
}

bool core_validate_CreateAccelerationStructureNV(struct call *call, VkDevice device,
                                                 const VkAccelerationStructureCreateInfoNV
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkAccelerationStructureNV *pAccelerationStructure)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo"),
                          member = LOCATION(&where, "info");
    struct subject info = {.call = call, .where = &member};
    check_info(&info, &pCreateInfo->info);
    return info.skip;
}

static bool check_usage(struct call *call, VkBuffer handle, const char *name, enum rule rule)
{
    const struct buffer *buffer = find_buffer(call, handle);
    return buffer && !(buffer->usage & VK_BUFFER_USAGE_2_RAY_TRACING_BIT_NV) &&
           finding(call, rule_vuid(call->command, rule), &LOCATION(NULL, name),
                   OBJECT(HANDLE_BUFFER, handle),
                   "was created with usage %s, without VK_BUFFER_USAGE_RAY_TRACING_BIT_NV",
                   TEXT_OF(VkBufferUsageFlags2, buffer->usage));
}

bool core_validate_CmdBuildAccelerationStructureNV(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkAccelerationStructureInfoNV *pInfo,
                                                   VkBuffer instanceData,
                                                   VkDeviceSize instanceOffset, VkBool32 update,
                                                   VkAccelerationStructureNV dst,
                                                   VkAccelerationStructureNV src, VkBuffer scratch,
                                                   VkDeviceSize scratchOffset)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    check_info(&s, pInfo);
    return s.skip | check_usage(call, scratch, "scratch", RULE_02781) |
           check_usage(call, instanceData, "instanceData", RULE_02782);
}

/* --- traces --- */

struct nv_table {
    const char *offset_name, *stride_name;
    /* the last two 0 for the ray generation shader's */
    enum rule end, alignment, stride, stride_most;
    VkBuffer buffer;
    VkDeviceSize offset, stride_value;
};

static bool check_table(struct call *call, const struct nv_table *table)
{
    const VkPhysicalDeviceRayTracingPropertiesNV *limits =
        &call->device->extended.RayTracingPropertiesNV;
    const struct buffer *buffer = find_buffer(call, table->buffer);
    uint32_t base = limits->shaderGroupBaseAlignment, handle = limits->shaderGroupHandleSize;
    struct subject s = {.call = call};
    if (!table->buffer) /* no table */
        return false;
    if (unlikely(buffer && table->offset >= buffer->size))
        BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, table->buffer), table->end, table->offset_name,
                  "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", table->offset,
                  buffer->size);
    if (unlikely(base && table->offset % base))
        BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, table->buffer), table->alignment, table->offset_name,
                  "is %" PRIu64 ", which is not a multiple of shaderGroupBaseAlignment (%u)",
                  table->offset, base);
    if (unlikely(table->stride && handle && table->stride_value % handle))
        BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, table->buffer), table->stride, table->stride_name,
                  "is %" PRIu64 ", which is not a multiple of shaderGroupHandleSize (%u)",
                  table->stride_value, handle);
    if (unlikely(table->stride && table->stride_value > limits->maxShaderGroupStride))
        BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, table->buffer), table->stride_most, table->stride_name,
                  "is %" PRIu64 ", more than maxShaderGroupStride (%u)", table->stride_value,
                  limits->maxShaderGroupStride);
    return s.skip;
}

static bool check_extent(struct call *call, const char *name, uint32_t value, uint32_t dimension,
                         enum rule rule)
{
    assert(dimension < 3);
    uint32_t most = call->device->properties.limits.maxComputeWorkGroupCount[dimension];
    struct subject s = {.call = call};
    if (unlikely(value > most))
        BROKEN(&s, rule, name, "is %u, more than maxComputeWorkGroupCount[%u] (%u)", value,
               dimension, most);
    return s.skip;
}

bool core_validate_CmdTraceRaysNV(struct call *call, VkCommandBuffer commandBuffer,
                                  VkBuffer raygenShaderBindingTableBuffer,
                                  VkDeviceSize raygenShaderBindingOffset,
                                  VkBuffer missShaderBindingTableBuffer,
                                  VkDeviceSize missShaderBindingOffset,
                                  VkDeviceSize missShaderBindingStride,
                                  VkBuffer hitShaderBindingTableBuffer,
                                  VkDeviceSize hitShaderBindingOffset,
                                  VkDeviceSize hitShaderBindingStride,
                                  VkBuffer callableShaderBindingTableBuffer,
                                  VkDeviceSize callableShaderBindingOffset,
                                  VkDeviceSize callableShaderBindingStride, uint32_t width,
                                  uint32_t height, uint32_t depth)
{
    const struct nv_table tables[] = {
        {"raygenShaderBindingOffset", NULL, RULE_02455, RULE_02456, 0, 0,
         raygenShaderBindingTableBuffer, raygenShaderBindingOffset, 0},
        {"missShaderBindingOffset", "missShaderBindingStride", RULE_02457, RULE_02458, RULE_02463,
         RULE_02466, missShaderBindingTableBuffer, missShaderBindingOffset,
         missShaderBindingStride},
        {"hitShaderBindingOffset", "hitShaderBindingStride", RULE_02459, RULE_02460, RULE_02464,
         RULE_02467, hitShaderBindingTableBuffer, hitShaderBindingOffset, hitShaderBindingStride},
        {"callableShaderBindingOffset", "callableShaderBindingStride", RULE_02461, RULE_02462,
         RULE_02465, RULE_02468, callableShaderBindingTableBuffer, callableShaderBindingOffset,
         callableShaderBindingStride}};
    bool skip = dispatch_check(call, call_command_buffer(call), 2);
    for (size_t i = 0; i < ARRAY_LENGTH(tables); i++)
        skip |= check_table(call, &tables[i]);
    return skip | check_extent(call, "width", width, 0, RULE_02469) |
           check_extent(call, "height", height, 1, RULE_02470) |
           check_extent(call, "depth", depth, 2, RULE_02471);
}
