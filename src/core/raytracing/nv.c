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
    bool bottom = info->type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
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
    return dispatch_check(call, call_command_buffer(call), 2);
}
