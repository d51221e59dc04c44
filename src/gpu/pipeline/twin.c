/* Puts the instrumented pipeline in the place of the program's own. That happens when the pipeline
 * is first bound, or first queried about data that depends on the code that runs. The call waits
 * for the job that makes the twin. */
#include "gpu/device/areas.h"
#include "gpu/device/background.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/compile.h"
#include "report/finding/finding.h"
#include "report/finding/reporter.h"

/* --- adopting --- */

/* Gives the twin the name that the program gave the pipeline: tools that show the driver's objects
 * show the name. */
static void give_name(const struct gpu_compile *job)
{
    const struct device *device = job->call.device;
    struct object *object = job->pipeline->base.object;
    if (!job->twin || !device->dispatch.SetDebugUtilsObjectNameEXT ||
        !object_has(object, OBJECT_HAS_NAME))
        return;
    char *name = reporter_copy_name(job->call.instance->reporter, object);
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (uint64_t)job->twin,
        .pObjectName = name};
    if (name)
        (void)device->dispatch.SetDebugUtilsObjectNameEXT(device->handle, &info);
    mem_free(name);
}

/* Puts the twin in the place of the program's pipeline. Called with the lock of the jobs held, so
 * that the pipeline's state exists. */
static void twin_adopt(struct gpu_compile *job)
{
    struct object *object = job->pipeline->base.object;
    if (!job->twin)
        return;
    atomic_store_explicit(&job->made->plain, object_driver(object), memory_order_relaxed);
    gpu_in_pipeline(job->pipeline)->changed = job->made;
    atomic_store_explicit(&object->driver, (uint64_t)job->twin, memory_order_relaxed);
    job->made = NULL;
    job->twin = VK_NULL_HANDLE;
}

/* Reports, once for the device, that a pipeline runs without checks. The loss of a device is
 * reported separately. */
static void tell_failed(const struct call *call, VkResult result, VkPipeline pipeline)
{
    bool memory = result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (result < VK_SUCCESS && result != VK_ERROR_DEVICE_LOST &&
        !atomic_exchange_explicit(&gpu_in_device(call->device)->shaders->told_twin, true,
                                  memory_order_relaxed))
        (void)finding_with_severity(call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation, NULL,
                                    OBJECT(HANDLE_PIPELINE, pipeline),
                                    "%s: the shaders of a pipeline run as they are. This is "
                                    "reported once",
                                    memory ? "found no memory for GPU-assisted validation"
                                           : "the driver refuses a pipeline with checks, and takes "
                                             "it without them");
}

/* Waits for the job of a pipeline and adopts its twin, if it has one. It costs one load if there is
 * none. */
static void twin_complete(const struct call *call, VkPipeline handle)
{
    struct pipeline *pipeline = find_pipeline(call, handle);
    if (!pipeline ||
        !atomic_load_explicit(&gpu_in_pipeline(pipeline)->compile, memory_order_acquire))
        return;
    struct gpu_compile *job = gpu_background_claim(&gpu_in_pipeline(pipeline)->compile);
    if (!job)
        return;
    give_name(job);
    gpu_background_adopted(job, twin_adopt);
    gpu_shaders_tell(&job->call);
    tell_failed(&job->call, job->result, handle);
    gpu_compile_free(job);
}

/* --- the end of a pipeline --- */

/* Gives the object the program's own pipeline back, which the driver destroys with the program's
 * allocator. The twin is destroyed here. */
static void end_twin(const struct device *device, struct object *object)
{
    struct pipeline *pipeline = object_load_state(object);
    if (!pipeline)
        return;
    gpu_background_drop(&gpu_in_pipeline(pipeline)->compile);
    uint64_t plain = gpu_in_pipeline(pipeline)->changed
                         ? atomic_exchange_explicit(&gpu_in_pipeline(pipeline)->changed->plain, 0,
                                                    memory_order_relaxed)
                         : 0;
    if (!plain)
        return;
    uint64_t twin = atomic_exchange_explicit(&object->driver, plain, memory_order_relaxed);
    device->dispatch.DestroyPipeline(device->handle, (VkPipeline)twin, NULL);
}

void gpu_before_DestroyPipeline(struct call *call, VkDevice device, VkPipeline pipeline,
                                const VkAllocationCallbacks *pAllocator)
{
    struct object *object = call->named[0].object;
    if (object)
        end_twin(call->device, object);
}

/* Ends the twin of a pipeline that the program leaked. Called for each object of a device that is
 * destroyed; `context` is the device. */
static void end_leaked(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_PIPELINE)
        end_twin(context, object);
}

void gpu_twins_end(const struct call *call)
{
    object_for_each_owned(call->owner, end_leaked, call->device);
    gpu_background_wait_device(call->device);
}

/* --- objects that jobs use --- */

/* Waits for the jobs that use an object which the program destroys. They use its driver handle. */
static void wait_for_users(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    if (object && gpu_in_device(call->device)->shaders)
        gpu_background_wait_users(call->device, object_driver(object));
}

void gpu_before_DestroyPipelineLayout_twins(struct call *call, VkDevice device,
                                            VkPipelineLayout pipelineLayout,
                                            const VkAllocationCallbacks *pAllocator)
{
    wait_for_users(call, (uint64_t)pipelineLayout, HANDLE_PIPELINE_LAYOUT);
}

void gpu_before_DestroyRenderPass(struct call *call, VkDevice device, VkRenderPass renderPass,
                                  const VkAllocationCallbacks *pAllocator)
{
    wait_for_users(call, (uint64_t)renderPass, HANDLE_RENDER_PASS);
}

/* --- commands that use a pipeline --- */

void gpu_before_CmdBindPipeline(struct call *call, VkCommandBuffer commandBuffer,
                                VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    twin_complete(call, pipeline);
}

void gpu_before_CmdBindPipelineShaderGroupNV(struct call *call, VkCommandBuffer commandBuffer,
                                             VkPipelineBindPoint pipelineBindPoint,
                                             VkPipeline pipeline, uint32_t groupIndex)
{
    twin_complete(call, pipeline);
}

void gpu_before_GetPipelineExecutablePropertiesKHR(struct call *call, VkDevice device,
                                                   const VkPipelineInfoKHR *pPipelineInfo,
                                                   uint32_t *pExecutableCount,
                                                   VkPipelineExecutablePropertiesKHR *pProperties)
{
    twin_complete(call, pPipelineInfo->pipeline);
}

void gpu_before_GetPipelineExecutableStatisticsKHR(struct call *call, VkDevice device,
                                                   const VkPipelineExecutableInfoKHR
                                                       *pExecutableInfo,
                                                   uint32_t *pStatisticCount,
                                                   VkPipelineExecutableStatisticKHR *pStatistics)
{
    twin_complete(call, pExecutableInfo->pipeline);
}

void gpu_before_GetPipelineExecutableInternalRepresentationsKHR(
    struct call *call, VkDevice device, const VkPipelineExecutableInfoKHR *pExecutableInfo,
    uint32_t *pInternalRepresentationCount,
    VkPipelineExecutableInternalRepresentationKHR *pInternalRepresentations)
{
    twin_complete(call, pExecutableInfo->pipeline);
}

void gpu_before_GetPipelinePropertiesEXT(struct call *call, VkDevice device,
                                         const VkPipelineInfoEXT *pPipelineInfo,
                                         VkBaseOutStructure *pPipelineProperties)
{
    twin_complete(call, pPipelineInfo->pipeline);
}

void gpu_before_GetShaderInfoAMD(struct call *call, VkDevice device, VkPipeline pipeline,
                                 VkShaderStageFlagBits shaderStage, VkShaderInfoTypeAMD infoType,
                                 size_t *pInfoSize, void *pInfo)
{
    twin_complete(call, pipeline);
}

/* Adopts the twin first: private data of the plain pipeline would be lost once the twin takes its
 * place. */
void gpu_before_SetPrivateData(struct call *call, VkDevice device, VkObjectType objectType,
                               uint64_t objectHandle, VkPrivateDataSlot privateDataSlot,
                               uint64_t data)
{
    if (objectType == VK_OBJECT_TYPE_PIPELINE)
        twin_complete(call, (VkPipeline)objectHandle);
}
