/* Tracks the memory to which acceleration structures of VK_NV_ray_tracing are bound. */
#include "state/raytracing/acceleration_structure.h"
#include "state/hooks.h"

void state_after_CreateAccelerationStructureNV(struct call *call, VkDevice device,
                                               const VkAccelerationStructureCreateInfoNV
                                                   *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkAccelerationStructureNV *pAccelerationStructure)
{
    struct object *object =
        created_object(call, (uint64_t)*pAccelerationStructure, HANDLE_ACCELERATION_STRUCTURE_NV);
    struct acceleration_structure_nv *structure = object_state_new(object, sizeof(*structure));
    if (!structure)
        return;
    structure->type = pCreateInfo->info.type;
    structure->flags = pCreateInfo->info.flags;
    structure->instance_count = pCreateInfo->info.instanceCount;
    structure->geometry_count = pCreateInfo->info.geometryCount;
    structure->compacted = pCreateInfo->compactedSize != 0;
    object_state_publish(object, structure);
}

void state_after_BindAccelerationStructureMemoryNV(struct call *call, VkDevice device,
                                                   uint32_t bindInfoCount,
                                                   const VkBindAccelerationStructureMemoryInfoNV
                                                       *pBindInfos)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < bindInfoCount; i++) {
        struct acceleration_structure_nv *structure =
            find_acceleration_structure_nv(call, pBindInfos[i].accelerationStructure);
        const struct object *memory =
            call_find(call, (uint64_t)pBindInfos[i].memory, HANDLE_DEVICE_MEMORY);
        if (!structure || !memory)
            continue;
        structure->offset = pBindInfos[i].memoryOffset;
        structure->memory = atomic_load_explicit(&memory->id, memory_order_relaxed);
    }
}
