/* Checks shader binding tables, extents and indirect parameters of traced rays (41 "Ray Tracing").
 * What traces need beside is in draw.c. */
#include "core/memory/address.h"
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/rule.h"

#include <inttypes.h>

/* One of the four tables. `stride_alignment` and `stride_most`: 0 for the ray generation shader's,
 * which has one entry. */
struct table {
    const char *name;
    enum rule usage, alignment, stride_alignment, stride_most;
};
static const struct table raygen = {"pRaygenShaderBindingTable", RULE_03681, RULE_03682, 0, 0},
                          miss = {"pMissShaderBindingTable", RULE_03684, RULE_03685, RULE_03686,
                                  RULE_04029},
                          hit = {"pHitShaderBindingTable", RULE_03688, RULE_03689, RULE_03690,
                                 RULE_04035},
                          callable = {"pCallableShaderBindingTable", RULE_03692, RULE_03693,
                                      RULE_03694, RULE_04041};

static bool check_memory(struct call *call, const struct table *table,
                         const VkStridedDeviceAddressRegionKHR *region,
                         const struct location *where)
{
    assert(table && region);
    struct address_search found =
        device_address_find(call->device, region->deviceAddress, region->size,
                            VK_BUFFER_USAGE_2_SHADER_BINDING_TABLE_BIT_KHR);
    const struct location at = LOCATION(where, "deviceAddress");
    struct subject s = {.call = call, .where = where};
    switch (found.match) {
    case ADDRESS_NOWHERE:
        return address_report_nowhere(call, rule_vuid(call->command, table->usage), &at,
                                      region->deviceAddress, "");
    case ADDRESS_USAGE:
        return address_report_usage(call, rule_vuid(call->command, table->usage), &at,
                                    region->deviceAddress, &found,
                                    VK_BUFFER_USAGE_2_SHADER_BINDING_TABLE_BIT_KHR);
    case ADDRESS_TOO_SHORT:
        BROKEN_OF(&s, ADDRESS_OBJECT(&found), RULE_04631, "size",
                  "is %" PRIu64 ", but deviceAddress is %s, where that buffer has %" PRIu64
                  " bytes left",
                  region->size, ADDRESS_IN(call, region->deviceAddress, found.buffer), found.rest);
        return s.skip;
    case ADDRESS_FOUND:
        REQUIRE_OF(&s, ADDRESS_OBJECT(&found), RULE_04632,
                   !found.buffer || region->stride <= found.buffer->size, "stride",
                   "is %" PRIu64 ", but deviceAddress is %s, and that buffer has %" PRIu64 " bytes",
                   region->stride, ADDRESS_IN(call, region->deviceAddress, found.buffer),
                   found.buffer->size);
        return s.skip;
    default:
        return false;
    }
}

static bool check_table(struct call *call, const struct table *table,
                        const VkStridedDeviceAddressRegionKHR *region)
{
    const VkPhysicalDeviceRayTracingPipelinePropertiesKHR *limits =
        &call->device->extended.RayTracingPipelinePropertiesKHR;
    const struct location where = LOCATION_POINTER(NULL, table->name);
    uint32_t base = limits->shaderGroupBaseAlignment, handle = limits->shaderGroupHandleAlignment;
    struct subject s = {.call = call};
    /* Of a table of no entries nothing is read. */
    if (!region || !region->size)
        return false;
    if (unlikely(base && region->deviceAddress % base))
        BROKEN_OF(&s, OBJECT_AT(call, region->deviceAddress), table->alignment,
                  &LOCATION(&where, "deviceAddress"),
                  "is %s, which is not a multiple of shaderGroupBaseAlignment (%u)",
                  ADDRESS(call, region->deviceAddress), base);
    if (unlikely(table->stride_alignment && handle && region->stride % handle))
        BROKEN_OF(&s, OBJECT_AT(call, region->deviceAddress), table->stride_alignment,
                  &LOCATION(&where, "stride"),
                  "is %" PRIu64 ", which is not a multiple of shaderGroupHandleAlignment "
                  "(%u); deviceAddress is %s",
                  region->stride, handle, ADDRESS(call, region->deviceAddress));
    if (unlikely(table->stride_most && region->stride > limits->maxShaderGroupStride))
        BROKEN_OF(&s, OBJECT_AT(call, region->deviceAddress), table->stride_most,
                  &LOCATION(&where, "stride"),
                  "is %" PRIu64 ", more than maxShaderGroupStride (%u); deviceAddress is %s",
                  region->stride, limits->maxShaderGroupStride,
                  ADDRESS(call, region->deviceAddress));
    return !s.skip ? check_memory(call, table, region, &where) : s.skip;
}

static bool check_tables(struct call *call, const VkStridedDeviceAddressRegionKHR *raygen_table,
                         const VkStridedDeviceAddressRegionKHR *miss_table,
                         const VkStridedDeviceAddressRegionKHR *hit_table,
                         const VkStridedDeviceAddressRegionKHR *callable_table)
{
    struct subject s = {.call = call};
    if (raygen_table)
        REQUIRE_OF(&s, OBJECT_AT(call, raygen_table->deviceAddress), RULE_04023,
                   raygen_table->size == raygen_table->stride,
                   &LOCATION(&LOCATION_POINTER(NULL, raygen.name), "size"),
                   "is %" PRIu64 ", but stride is %" PRIu64 "; deviceAddress is %s",
                   raygen_table->size, raygen_table->stride,
                   ADDRESS(call, raygen_table->deviceAddress));
    return s.skip | check_table(call, &raygen, raygen_table) |
           check_table(call, &miss, miss_table) | check_table(call, &hit, hit_table) |
           check_table(call, &callable, callable_table);
}

static bool check_command_buffer(struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_pool *pool =
        command_buffer ? object_load_state(command_buffer->pool) : NULL;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_03635, !pool || !(pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT),
            "commandBuffer", "is a protected command buffer, which cannot trace rays");
    return s.skip;
}

static bool check_extent(struct call *call, const char *name, uint32_t value, uint32_t dimension,
                         enum rule rule)
{
    assert(dimension < 3);
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    uint64_t most = (uint64_t)limits->maxComputeWorkGroupCount[dimension] *
                    limits->maxComputeWorkGroupSize[dimension];
    struct subject s = {.call = call};
    if (unlikely(value > most))
        BROKEN(&s, rule, name,
               "is %u, more than maxComputeWorkGroupCount[%u] * "
               "maxComputeWorkGroupSize[%u] (%" PRIu64 ")",
               value, dimension, dimension, most);
    return s.skip;
}

bool core_validate_CmdTraceRaysKHR(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR
                                       *pCallableShaderBindingTable,
                                   uint32_t width, uint32_t height, uint32_t depth)
{
    uint32_t most =
        call->device->extended.RayTracingPipelinePropertiesKHR.maxRayDispatchInvocationCount;
    uint64_t rays;
    struct subject s = {.call = call};
    s.skip |= dispatch_check(call, call_command_buffer(call), 2);
    s.skip |= check_command_buffer(call);
    s.skip |= check_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable,
                           pHitShaderBindingTable, pCallableShaderBindingTable);
    s.skip |= check_extent(call, "width", width, 0, RULE_03638);
    s.skip |= check_extent(call, "height", height, 1, RULE_03639);
    s.skip |= check_extent(call, "depth", depth, 2, RULE_03640);
    /* width * height * depth must be less than or equal to maxRayDispatchInvocationCount */
    if (unlikely(__builtin_mul_overflow((uint64_t)width * height, (uint64_t)depth, &rays) ||
                 rays > most))
        BROKEN(&s, RULE_03641, NULL,
               "traces %u x %u x %u rays, more than maxRayDispatchInvocationCount (%u)", width,
               height, depth, most);
    return s.skip;
}

/* --- indirect --- */

static bool check_indirect(struct call *call, VkDeviceAddress address, VkDeviceSize size)
{
    const struct location at = LOCATION(NULL, "indirectDeviceAddress");
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT_AT(call, address), RULE_03634, address % 4 == 0, &at,
               "is %s, which is not a multiple of 4", ADDRESS(call, address));
    struct address_search found =
        device_address_find(call->device, address, size, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    if (found.match == ADDRESS_NOWHERE)
        s.skip |= address_report_nowhere(call, RULE(call, 03633), &at, address, "");
    else if (found.match == ADDRESS_USAGE)
        s.skip |= address_report_usage(call, RULE(call, 03633), &at, address, &found,
                                       VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    else if (found.match == ADDRESS_TOO_SHORT)
        s.skip |= address_report_short(call, RULE(call, 03636), &at, address, &found, size,
                                       "the parameters take");
    return s.skip;
}

bool core_validate_CmdTraceRaysIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pRaygenShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pMissShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pHitShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pCallableShaderBindingTable,
                                           VkDeviceAddress indirectDeviceAddress)
{
    return dispatch_check(call, call_command_buffer(call), 2) | check_command_buffer(call) |
           check_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable,
                        pHitShaderBindingTable, pCallableShaderBindingTable) |
           check_indirect(call, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommandKHR));
}

bool core_validate_CmdTraceRaysIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                            VkDeviceAddress indirectDeviceAddress)
{
    return dispatch_check(call, call_command_buffer(call), 2) | check_command_buffer(call) |
           check_indirect(call, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommand2KHR));
}
