/* In safe mode indirect copies read duplicates of the program's structures, which the check has
 * made. Structures that break a rule are changed to copy nothing, as drivers follow invalid
 * addresses. */
#include "gpu/device/areas.h"
#include "gpu/buffers/buffers.h"

#include <string.h>

/* With more structures than this, no duplicates are made: 24 bytes for each are kept until the
 * command buffer is reset. */
#define COPIES_MOST 65536u

void gpu_safe_copies_ask(struct gpu_job *job, uint32_t words, uint32_t first_zero,
                         uint32_t zero_count)
{
    const uint32_t count = job->words[LIMITS_COUNT],
                   size = count * words * (uint32_t)sizeof(uint32_t);
    VkDeviceAddress address;
    assert(job->kind == GPU_JOB_LIMITS && words < 256 && first_zero + zero_count <= words);
    /* Without a duplicate LIMITS_SAFE stays 0, and the shader writes none. */
    if (!job->call->instance->settings.gpuav_safe_mode || count > COPIES_MOST ||
        !gpu_command_take(job->call, job->commands, size, &address))
        return;
    gpu_job_address(job, LIMITS_SAFE, address);
    job->words[LIMITS_SAFE_WORDS] = words | first_zero << 8 | zero_count << 16;
}

void gpu_safe_copies_use(struct gpu_job *job)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                                                      VK_ACCESS_MEMORY_READ_BIT};
    VkCommandBuffer handle = (VkCommandBuffer)(uintptr_t)object_driver(job->call->object);
    memcpy(&job->commands->safe_copies, &job->words[LIMITS_SAFE],
           sizeof(job->commands->safe_copies));
    /* The duplicates are written by the job's dispatch, and read by the command as parameters. */
    if (job->commands->safe_copies)
        job->call->device->dispatch.CmdPipelineBarrier(handle, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                                                       &barrier, 0, NULL, 0, NULL);
}

/* --- replacements for the driver's functions --- */

/* Returns the range that the driver is given: that of the duplicates, or the program's own if there
 * are none. Duplicates are for one command, and are forgotten here. */
static VkStridedDeviceAddressRangeKHR range_read(VkCommandBuffer handle,
                                                 VkStridedDeviceAddressRangeKHR range,
                                                 uint32_t count, size_t size)
{
    const struct command_buffer *command_buffer = find_command_buffer(handle);
    struct gpu_command_buffer *commands =
        command_buffer ? gpu_in_command_buffer(command_buffer)->commands : NULL;
    if (!commands || !commands->safe_copies)
        return range;
    const VkStridedDeviceAddressRangeKHR safe = {commands->safe_copies, count * size, size};
    commands->safe_copies = 0;
    return safe;
}

/* Finds the buffers by the loader's key, as these functions get the driver's handles. The device
 * has buffers, or these functions would not be in its dispatch table. */
static const struct gpu_buffers *buffers_of(VkCommandBuffer handle)
{
    return gpu_in_device(device_by_dispatch_key(handle))->gpu->buffers;
}

/* Replaces vkCmdCopyMemoryIndirectKHR in the device's dispatch table. */
static VKAPI_ATTR void VKAPI_CALL copy_memory(VkCommandBuffer commandBuffer,
                                              const VkCopyMemoryIndirectInfoKHR *pInfo)
{
    VkCopyMemoryIndirectInfoKHR info = *pInfo;
    info.copyAddressRange = range_read(commandBuffer, info.copyAddressRange, info.copyCount,
                                       sizeof(VkCopyMemoryIndirectCommandKHR));
    buffers_of(commandBuffer)->copy_memory(commandBuffer, &info);
}

/* Replaces vkCmdCopyMemoryToImageIndirectKHR in the device's dispatch table. */
static VKAPI_ATTR void VKAPI_CALL copy_to_image(VkCommandBuffer commandBuffer,
                                                const VkCopyMemoryToImageIndirectInfoKHR *pInfo)
{
    VkCopyMemoryToImageIndirectInfoKHR info = *pInfo;
    info.copyAddressRange = range_read(commandBuffer, info.copyAddressRange, info.copyCount,
                                       sizeof(VkCopyMemoryToImageIndirectCommandKHR));
    buffers_of(commandBuffer)->copy_to_image(commandBuffer, &info);
}

void gpu_safe_copies_begin(struct device *device)
{
    struct gpu_buffers *buffers = gpu_in_device(device)->gpu->buffers;
    struct device_dispatch *dispatch = &device->dispatch;
    const struct settings *settings = &device->instance->settings;
    if (!settings->gpuav_safe_mode || !settings->gpuav_copy_memory_indirect)
        return;
    /* Other threads read the dispatch table only after the device is handed out, so no lock is
     * needed here. */
    buffers->copy_memory = dispatch->CmdCopyMemoryIndirectKHR;
    buffers->copy_to_image = dispatch->CmdCopyMemoryToImageIndirectKHR;
    dispatch->CmdCopyMemoryIndirectKHR = buffers->copy_memory ? copy_memory : NULL;
    dispatch->CmdCopyMemoryToImageIndirectKHR = buffers->copy_to_image ? copy_to_image : NULL;
}
