/* Checks that the dimensions and shader binding tables that indirect ray traces read from buffers
 * are within the device's limits (41 "Ray Tracing"). */
#include "gpu/buffers/buffers.h"
#include "gpu/hooks.h"

/* Index of the ray tracing bind point in command_buffer::bind. */
#define RAY_TRACING_POINT 2

/* Words of VkTraceRaysIndirectCommand2KHR, of which each member but the last three has two. */
#define RAYGEN_ADDRESS    0
#define MISS_ADDRESS      4
#define HIT_ADDRESS       10
#define CALLABLE_ADDRESS  16
#define STRIDE_OF(table_) ((table_) + 4)
#define WIDTH             22
static_assert(offsetof(VkTraceRaysIndirectCommand2KHR, missShaderBindingTableAddress) ==
                      MISS_ADDRESS * 4 &&
                  offsetof(VkTraceRaysIndirectCommand2KHR, hitShaderBindingTableAddress) ==
                      HIT_ADDRESS * 4 &&
                  offsetof(VkTraceRaysIndirectCommand2KHR, callableShaderBindingTableStride) ==
                      STRIDE_OF(CALLABLE_ADDRESS) * 4 &&
                  offsetof(VkTraceRaysIndirectCommand2KHR, width) == WIDTH * 4,
              "words of VkTraceRaysIndirectCommand2KHR");

/* width must be less than or equal to maxComputeWorkGroupCount[0] × maxComputeWorkGroupSize[0],
 * height and depth likewise; width × height × depth to maxRayDispatchInvocationCount */
static void limit_dimensions(struct gpu_job *job, uint32_t rule, uint32_t word)
{
    const struct device *device = job->call->device;
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    for (uint32_t i = 0; i < 3; i++)
        gpu_job_limit(job, rule + i, LIMIT_WORD, word + i,
                      (uint64_t)limits->maxComputeWorkGroupCount[i] *
                          limits->maxComputeWorkGroupSize[i]);
    gpu_job_limit(job, rule + 3, LIMIT_PRODUCT, word,
                  device->extended.RayTracingPipelinePropertiesKHR.maxRayDispatchInvocationCount);
}

/* Addresses must be multiples of shaderGroupBaseAlignment; strides multiples of
 * shaderGroupHandleAlignment, and at most maxShaderGroupStride */
static void limit_tables(struct gpu_job *job)
{
    const VkPhysicalDeviceRayTracingPipelinePropertiesKHR *limits =
        &job->call->device->extended.RayTracingPipelinePropertiesKHR;
    static const uint32_t tables[] = {MISS_ADDRESS, HIT_ADDRESS, CALLABLE_ADDRESS};
    gpu_job_limit(job, BUFFER_RULE_TRACE2_RAYGEN, LIMIT_MULTIPLE, RAYGEN_ADDRESS,
                  limits->shaderGroupBaseAlignment);
    for (uint32_t i = 0; i < ARRAY_LENGTH(tables); i++) {
        gpu_job_limit(job, BUFFER_RULE_TRACE2_MISS + i, LIMIT_MULTIPLE, tables[i],
                      limits->shaderGroupBaseAlignment);
        gpu_job_limit(job, BUFFER_RULE_TRACE2_MISS_STRIDE + i, LIMIT_MULTIPLE, STRIDE_OF(tables[i]),
                      limits->shaderGroupHandleAlignment);
        gpu_job_limit(job, BUFFER_RULE_TRACE2_MISS_STRIDE_MOST + i, LIMIT_WORD64,
                      STRIDE_OF(tables[i]), limits->maxShaderGroupStride);
    }
}

/* Begins a job that looks at one structure of `size` bytes at `address`. Returns false if checks
 * are off, or no known buffer has the address. */
static bool trace_job_begin(struct gpu_job *job, struct call *call, VkDeviceAddress address,
                            size_t size)
{
    if (!gpu_job_begin(job, call, call->instance->settings.gpuav_indirect_trace_rays_buffers,
                       GPU_JOB_LIMITS, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT))
        return false;
    address = gpu_job_range(job, address, size);
    if (address)
        gpu_command_note_address(call, address, 0);
    gpu_job_address(job, JOB_DATA, address);
    job->words[LIMITS_COUNT] = 1;
    return address != 0;
}

void gpu_before_CmdTraceRaysIndirectKHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
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
    struct gpu_job job;
    if (!trace_job_begin(&job, call, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommandKHR)))
        return;
    limit_dimensions(&job, BUFFER_RULE_TRACE_WIDTH, 0);
    gpu_job_run(&job, RAY_TRACING_POINT);
}

void gpu_before_CmdTraceRaysIndirect2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkDeviceAddress indirectDeviceAddress)
{
    struct gpu_job job;
    if (!trace_job_begin(&job, call, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommand2KHR)))
        return;
    limit_dimensions(&job, BUFFER_RULE_TRACE2_WIDTH, WIDTH);
    limit_tables(&job);
    gpu_job_run(&job, RAY_TRACING_POINT);
}
