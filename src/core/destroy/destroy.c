/* Checks that memory, pipelines, shader objects and others may be destroyed: all work that uses
 * them has completed. Other kinds of objects are checked in the files with their other rules. */
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/finding/finding.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/object/created.h"
#include "state/memory/memory.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* All submitted commands that refer to memory (via images or buffers) must have completed execution
 */
bool core_validate_FreeMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                              const VkAllocationCallbacks *pAllocator)
{
    const struct device_memory *state = named_device_memory(call, 0, memory);
    return state && in_use_through_check(call, &state->base, VUID_vkFreeMemory_memory_00677,
                                         &LOCATION(NULL, "memory"));
}

/* All submitted commands that refer to pipeline must have completed execution */
bool core_validate_DestroyPipeline(struct call *call, VkDevice device, VkPipeline pipeline,
                                   const VkAllocationCallbacks *pAllocator)
{
    const struct pipeline *state = named_pipeline(call, 0, pipeline);
    return state && in_use_check(call, &state->base, VUID_vkDestroyPipeline_pipeline_00765,
                                 &LOCATION(NULL, "pipeline"));
}

/* All submitted commands that refer to shader must have completed execution */
bool core_validate_DestroyShaderEXT(struct call *call, VkDevice device, VkShaderEXT shader,
                                    const VkAllocationCallbacks *pAllocator)
{
    const struct shader_object *state = named_shader_object(call, 0, shader);
    return state && in_use_check(call, &state->base, VUID_vkDestroyShaderEXT_shader_08482,
                                 &LOCATION(NULL, "shader"));
}

/* All submitted commands that refer to accelerationStructure must have completed execution */
bool core_validate_DestroyAccelerationStructureNV(struct call *call, VkDevice device,
                                                  VkAccelerationStructureNV accelerationStructure,
                                                  const VkAllocationCallbacks *pAllocator)
{
    const struct acceleration_structure_nv *state =
        named_acceleration_structure_nv(call, 0, accelerationStructure);
    return state &&
           in_use_through_check(call, &state->base,
                                VUID_vkDestroyAccelerationStructureNV_accelerationStructure_03752,
                                &LOCATION(NULL, "accelerationStructure"));
}

/* All submitted commands that refer to micromap must have completed execution */
bool core_validate_DestroyMicromapEXT(struct call *call, VkDevice device, VkMicromapEXT micromap,
                                      const VkAllocationCallbacks *pAllocator)
{
    const struct created_micromap *state = call->named[0].state;
    return state && in_use_check(call, &state->base, VUID_vkDestroyMicromapEXT_micromap_07441,
                                 &LOCATION(NULL, "micromap"));
}

/* All submitted commands that refer to tensorView must have completed execution */
bool core_validate_DestroyTensorViewARM(struct call *call, VkDevice device,
                                        VkTensorViewARM tensorView,
                                        const VkAllocationCallbacks *pAllocator)
{
    const struct created_tensor_view *state = named_created_tensor_view(call, 0, tensorView);
    return state &&
           in_use_through_check(call, &state->base, VUID_vkDestroyTensorViewARM_tensorView_09750,
                                &LOCATION(NULL, "tensorView"));
}

/* All submitted commands that refer to tensor ... must have completed execution */
bool core_validate_DestroyTensorARM(struct call *call, VkDevice device, VkTensorARM tensor,
                                    const VkAllocationCallbacks *pAllocator)
{
    const struct created_tensor *state = call->named[0].state;
    return state && in_use_check(call, &state->base, VUID_vkDestroyTensorARM_tensor_09730,
                                 &LOCATION(NULL, "tensor"));
}
