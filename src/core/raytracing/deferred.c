/* Checks that deferred operations are complete before they are used again or destroyed
 * ("Deferred Host Operations"). */
#include "core/hooks.h"
#include "state/object/object_state.h"

#include "report/finding/rule.h"

/* Checks that the operation is complete. The driver is queried: vkGetDeferredOperationResultKHR
 * needs no synchronization. */
static bool check_complete(const struct call *call, VkDeferredOperationKHR handle, enum rule rule,
                           const char *name)
{
    const struct object *object =
        handle ? call_find(call, (uint64_t)(uintptr_t)handle, HANDLE_DEFERRED_OPERATION_KHR) : NULL;
    PFN_vkGetDeferredOperationResultKHR ask = call->device->dispatch.GetDeferredOperationResultKHR;
    struct subject s = {.call = (struct call *)call,
                        .objects = OBJECT(HANDLE_DEFERRED_OPERATION_KHR, (uint64_t)handle)};
    if (!object || !ask)
        return false;
    REQUIRE(&s, rule,
            ask(call->device->handle, (VkDeferredOperationKHR)object_driver(object)) !=
                VK_NOT_READY,
            &LOCATION(NULL, name),
            "is not complete: a command was deferred with it before, and "
            "vkGetDeferredOperationResultKHR answers VK_NOT_READY");
    return s.skip;
}

/* Any previous deferred operation that was associated with deferredOperation must be complete */
static bool check_reuse(const struct call *call, VkDeferredOperationKHR handle)
{
    return check_complete(call, handle, RULE_03678, "deferredOperation");
}

bool core_validate_DestroyDeferredOperationKHR(struct call *call, VkDevice device,
                                               VkDeferredOperationKHR operation,
                                               const VkAllocationCallbacks *pAllocator)
{
    return check_complete(call, operation, RULE_03436, "operation");
}

bool core_validate_CreateRayTracingPipelinesKHR_operation(struct call *call, VkDevice device,
                                                          VkDeferredOperationKHR deferredOperation,
                                                          VkPipelineCache pipelineCache,
                                                          uint32_t createInfoCount,
                                                          const VkRayTracingPipelineCreateInfoKHR
                                                              *pCreateInfos,
                                                          const VkAllocationCallbacks *pAllocator,
                                                          VkPipeline *pPipelines)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_BuildAccelerationStructuresKHR_operation(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    uint32_t infoCount, const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyAccelerationStructureKHR_operation(struct call *call, VkDevice device,
                                                          VkDeferredOperationKHR deferredOperation,
                                                          const VkCopyAccelerationStructureInfoKHR
                                                              *pInfo)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyAccelerationStructureToMemoryKHR_operation(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyMemoryToAccelerationStructureKHR_operation(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyMicromapEXT_operation(struct call *call, VkDevice device,
                                             VkDeferredOperationKHR deferredOperation,
                                             const VkCopyMicromapInfoEXT *pInfo)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyMicromapToMemoryEXT_operation(struct call *call, VkDevice device,
                                                     VkDeferredOperationKHR deferredOperation,
                                                     const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
    return check_reuse(call, deferredOperation);
}

bool core_validate_CopyMemoryToMicromapEXT_operation(struct call *call, VkDevice device,
                                                     VkDeferredOperationKHR deferredOperation,
                                                     const VkCopyMemoryToMicromapInfoEXT *pInfo)
{
    return check_reuse(call, deferredOperation);
}
