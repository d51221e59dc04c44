/* Checks that the workgroups of indirect dispatches are within the device's limits (29 "Dispatching
 * Commands"). */
#include "gpu/buffers/buffers.h"
#include "gpu/hooks.h"

/* Adds the three limits of one VkDispatchIndirectCommand and runs the job. `address` is 0 if the
 * layer cannot read there; then nothing is checked. */
static void check_groups(struct gpu_job *job, VkDeviceAddress address)
{
    const uint32_t *most = job->call->device->properties.limits.maxComputeWorkGroupCount;
    if (!address)
        return;
    gpu_job_address(job, JOB_DATA, address);
    job->words[LIMITS_COUNT] = 1;
    /* "x must be less than or equal to maxComputeWorkGroupCount[0]"; likewise y to [1], and z to
     * [2] */
    for (uint32_t i = 0; i < 3; i++)
        gpu_job_limit(job, BUFFER_RULE_DISPATCH_X + i, LIMIT_WORD, i, most[i]);
    gpu_job_run(job, bind_point_index(VK_PIPELINE_BIND_POINT_COMPUTE));
}

void gpu_before_CmdDispatchIndirect_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                            VkBuffer buffer, VkDeviceSize offset)
{
    struct gpu_job job;
    if (gpu_job_begin(&job, call, call->instance->settings.gpuav_indirect_dispatches_buffers,
                      GPU_JOB_LIMITS, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT)) {
        gpu_command_note_indirect(call, buffer, offset, 0);
        check_groups(&job, gpu_job_buffer(&job, named_buffer(call, 0, buffer), offset,
                                          sizeof(VkDispatchIndirectCommand)));
    }
}

void gpu_before_CmdDispatchIndirect2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkDispatchIndirect2InfoKHR *pInfo)
{
    struct gpu_job job;
    if (gpu_job_begin(&job, call, call->instance->settings.gpuav_indirect_dispatches_buffers,
                      GPU_JOB_LIMITS, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT)) {
        gpu_command_note_address(call, pInfo->addressRange.address, 0);
        check_groups(&job, gpu_job_range(&job, pInfo->addressRange.address,
                                         sizeof(VkDispatchIndirectCommand)));
    }
}
