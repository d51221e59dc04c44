/* Checks draws and dispatches whose parameters are at a device address
 * (VK_KHR_device_address_commands). They follow the rules of the corresponding commands with
 * buffers. Rows check what a structure shows on its own (registry/rows.txt). */
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/memory/address.h"

#include <inttypes.h>

/* If the count is greater than 0, addressRange.size must be greater than or equal to (the count -
 * 1) x addressRange.stride + the size of the parameters. Sizes that overflow are not checked. */
static bool draw_by_address_check_size(const struct call *call,
                                       const VkStridedDeviceAddressRangeKHR *range, uint32_t count,
                                       uint32_t size)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    uint64_t needed;
    if (!count || __builtin_mul_overflow(range->stride, (uint64_t)count - 1, &needed) ||
        __builtin_add_overflow(needed, size, &needed))
        return false;
    REQUIRE(&s, RULE_13110, range->size >= needed, "addressRange.size",
            "is %" PRIu64 ", but %u parameter structures with stride %" PRIu64 " take %" PRIu64
            " bytes; addressRange.address is %s",
            range->size, count, range->stride, needed, ADDRESS(call, range->address));
    return s.skip;
}

/* If the drawIndirectCount feature is not enabled this function must not be used. The extensions
 * that introduced it are also accepted. */
static bool check_counting(const struct call *call, enum vuid vuid)
{
    const struct device *device = call->device;
    struct subject s = {.call = call};
    REQUIRE(&s, vuid,
            device_has_feature(device, FEATURE_drawIndirectCount) ||
                device->api_version < VK_API_VERSION_1_2 ||
                extension_set_has(&device->extensions, EXTENSION_VK_AMD_draw_indirect_count) ||
                extension_set_has(&device->named_extensions, EXTENSION_VK_KHR_draw_indirect_count),
            NULL, "needs the feature drawIndirectCount, which is not enabled");
    return s.skip;
}

bool core_validate_CmdDrawIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_VERTICES) |
           draw_by_address_check_size(call, &pInfo->addressRange, pInfo->drawCount,
                                      sizeof(VkDrawIndirectCommand));
}

bool core_validate_CmdDrawIndexedIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_INDICES) |
           draw_by_address_check_size(call, &pInfo->addressRange, pInfo->drawCount,
                                      sizeof(VkDrawIndexedIndirectCommand));
}

bool core_validate_CmdDrawIndirectCount2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_VERTICES) |
           check_counting(call, VUID_vkCmdDrawIndirectCount2KHR_drawIndirectCount_13119) |
           draw_by_address_check_size(call, &pInfo->addressRange, pInfo->maxDrawCount,
                                      sizeof(VkDrawIndirectCommand));
}

bool core_validate_CmdDrawIndexedIndirectCount2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_INDICES) |
           check_counting(call, VUID_vkCmdDrawIndexedIndirectCount2KHR_drawIndirectCount_13120) |
           draw_by_address_check_size(call, &pInfo->addressRange, pInfo->maxDrawCount,
                                      sizeof(VkDrawIndexedIndirectCommand));
}

bool core_validate_CmdDrawMeshTasksIndirect2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH);
}

bool core_validate_CmdDrawMeshTasksIndirectCount2EXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH) |
           check_counting(call, VUID_vkCmdDrawMeshTasksIndirectCount2EXT_drawIndirectCount_13069);
}

bool core_validate_CmdDispatchIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkDispatchIndirect2InfoKHR *pInfo)
{
    return dispatch_check(call, call_command_buffer(call), 1);
}
