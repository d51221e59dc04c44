/* Checks that the parameters of indirect draws, and their counts, are within the device's limits
 * (21 "Drawing Commands"). */
#include "gpu/buffers/buffers.h"
#include "gpu/hooks.h"
#include "gpu/command/vertices.h"
#include "state/pipeline/pipeline.h"
#include "vk/index_type.h"

/* The kind of structure that the parameters are, which selects the limits. */
enum draw_kind { DRAW_VERTICES, DRAW_INDICES, DRAW_MESH, DRAW_MESH_NV };

/* The parameters of an indirect command, of any kind. */
struct indirect_draw {
    struct call *call;
    enum draw_kind kind;
    uint32_t size;          /* bytes of a structure */
    uint32_t count, stride; /* `count` is the most if a buffer has the count */
    VkBuffer buffer;        /* or `address` */
    VkDeviceAddress address;
    VkDeviceSize offset;
    VkBuffer count_buffer; /* or `count_address` */
    VkDeviceAddress count_address;
    VkDeviceSize count_offset;
};

/* groupCountX must be at most maxTaskWorkGroupCount[0] if there is a task shader, else
 * maxMeshWorkGroupCount[0]. Likewise for Y, Z, and for the product and the total. */
static void limit_groups(struct gpu_job *job)
{
    const struct call *call = job->call;
    const VkPhysicalDeviceMeshShaderPropertiesEXT *limits =
        &call->device->extended.MeshShaderPropertiesEXT;
    const struct pipeline *pipeline = pipeline_by_id(call_command_buffer(call)->bind[0].pipeline);
    if (!pipeline) /* shader objects: the statements are about a pipeline */
        return;
    bool task = (pipeline->stages & VK_SHADER_STAGE_TASK_BIT_EXT) != 0;
    const uint32_t *most = task ? limits->maxTaskWorkGroupCount : limits->maxMeshWorkGroupCount;
    uint32_t first = task ? BUFFER_RULE_TASK_X : BUFFER_RULE_MESH_X;
    for (uint32_t i = 0; i < 3; i++)
        gpu_job_limit(job, first + i, LIMIT_WORD, i, most[i]);
    gpu_job_limit(job, first + 3, LIMIT_PRODUCT, 0,
                  task ? limits->maxTaskWorkGroupTotalCount : limits->maxMeshWorkGroupTotalCount);
}

/* Adds the limit on firstIndex + indexCount, in indices, of the bound index buffer. Without an
 * index buffer, or with an unknown index type, it adds nothing. */
static void limit_indices(struct gpu_job *job)
{
    const struct command_buffer *command_buffer = call_command_buffer(job->call);
    const struct bound_buffer *bound = &command_buffer->index_buffer;
    uint32_t size = index_size(command_buffer->index_type);
    /* "If the robustBufferAccess2 feature is not enabled, (indexSize × (firstIndex + indexCount))
     * must be less than or equal to the size of the bound index buffer range" */
    if (bound->buffer && size &&
        !device_has_feature(job->call->device, FEATURE_robustBufferAccess2))
        gpu_job_limit(job, BUFFER_RULE_INDEX_RANGE, LIMIT_SUM, 2 | 0 << 8, bound->size / size);
}

/* Adds the limits that the parameters of an indirect draw must not exceed. */
static void limit_draws(struct gpu_job *job, enum draw_kind kind)
{
    const struct device *device = job->call->device;
    /* If the drawIndirectFirstInstance feature is not enabled, firstInstance must be 0 */
    bool first_instance = device_has_feature(device, FEATURE_drawIndirectFirstInstance);
    switch (kind) {
    case DRAW_VERTICES:
        if (!first_instance)
            gpu_job_limit(job, BUFFER_RULE_FIRST_INSTANCE, LIMIT_WORD, 3, 0);
        break;
    case DRAW_INDICES:
        if (!first_instance)
            gpu_job_limit(job, BUFFER_RULE_FIRST_INSTANCE_INDEXED, LIMIT_WORD, 4, 0);
        limit_indices(job);
        break;
    case DRAW_MESH:
        limit_groups(job);
        break;
    case DRAW_MESH_NV: /* taskCount must be less than or equal to maxDrawMeshTasksCount */
        gpu_job_limit(job, BUFFER_RULE_TASK_COUNT_NV, LIMIT_WORD, 0,
                      device->extended.MeshShaderPropertiesNV.maxDrawMeshTasksCount);
        break;
    }
}

/* Finds the address of the parameters, and reduces draw->count to the structures that lie in the
 * buffer or address range: reads beyond are another finding. */
static VkDeviceAddress parameters_of(struct gpu_job *job, struct indirect_draw *draw)
{
    const struct call *call = draw->call;
    VkDeviceSize bytes = draw->size;
    if (!draw->count || draw->stride % 4)
        return 0;
    if (draw->count > 1)
        bytes += (VkDeviceSize)draw->stride * (draw->count - 1);
    return draw->buffer ? gpu_job_buffer(job, find_buffer(call, draw->buffer), draw->offset, bytes)
                        : gpu_job_range(job, draw->address, bytes);
}

/* Checks the parameters and the count of an indirect draw before the GPU reads them. */
static void indirect_draw_check(struct indirect_draw draw)
{
    struct call *call = draw.call;
    const struct settings *settings = &call->instance->settings;
    struct gpu_job job;
    if (!gpu_job_begin(&job, call,
                       settings->gpuav_indirect_draws_buffers || settings->gpuav_index_buffers,
                       GPU_JOB_LIMITS, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT))
        return;
    VkDeviceAddress parameters = parameters_of(&job, &draw), count_address = 0;
    bool counted = draw.count_buffer || draw.count_address;
    if (draw.count_buffer)
        count_address = gpu_job_buffer(&job, find_buffer(call, draw.count_buffer),
                                       draw.count_offset, sizeof(uint32_t));
    else if (counted)
        count_address = gpu_job_range(&job, draw.count_address, sizeof(uint32_t));
    if (counted && !count_address)
        return;
    if (parameters)
        gpu_job_address(&job, JOB_DATA, parameters);
    if (draw.buffer)
        gpu_command_note_indirect(call, draw.buffer, draw.offset, draw.stride);
    else if (parameters)
        gpu_command_note_address(call, parameters, draw.stride);
    gpu_job_address(&job, LIMITS_COUNT_ADDRESS, count_address);
    job.words[LIMITS_COUNT] = parameters ? draw.count : 0;
    job.words[LIMITS_STRIDE] = draw.stride / 4;
    /* The count stored in countBuffer must be less than or equal to maxDrawIndirectCount: no
     * statement says that of counts by address */
    job.words[LIMITS_COUNT_LIMIT] =
        draw.count_buffer ? call->device->properties.limits.maxDrawIndirectCount : UINT32_MAX;
    if (parameters)
        limit_draws(&job, draw.kind);
    if (settings->gpuav_indirect_draws_buffers && (counted || job.words[LIMITS_RULE_COUNT]))
        gpu_job_run(&job, 0);
    /* The number of indices is not known here: a vertex shader that checks each vertex is more
     * exact. */
    if (parameters && draw.kind == DRAW_INDICES && !gpu_vertices_are_asked_for(call))
        (void)gpu_check_indices(call, &(struct gpu_indexed_draw){.parameters = parameters,
                                                                 .count_address = count_address,
                                                                 .draw_count = draw.count,
                                                                 .stride = draw.stride / 4,
                                                                 .writable = job.writable});
}

/* --- commands --- */

/* Describes parameters in a buffer; `count` is drawCount or maxDrawCount, `size` the bytes of one
 * structure. The caller adds the address of the count, if the command reads one. */
static struct indirect_draw of_buffer(struct call *call, enum draw_kind kind, size_t size,
                                      VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                                      uint32_t stride)
{
    return (struct indirect_draw){.call = call,
                                  .kind = kind,
                                  .size = (uint32_t)size,
                                  .count = count,
                                  .stride = stride,
                                  .buffer = buffer,
                                  .offset = offset};
}

/* Describes parameters at a device address. The stride of the range has 64 bits; another rule
 * reports strides of more than 32 bits. */
static struct indirect_draw of_range(struct call *call, enum draw_kind kind, size_t size,
                                     const VkStridedDeviceAddressRangeKHR *range, uint32_t count)
{
    return (struct indirect_draw){.call = call,
                                  .kind = kind,
                                  .size = (uint32_t)size,
                                  .count = count,
                                  .stride = (uint32_t)range->stride,
                                  .address = range->address};
}

void gpu_before_CmdDrawIndirect_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                        uint32_t stride)
{
    indirect_draw_check(of_buffer(call, DRAW_VERTICES, sizeof(VkDrawIndirectCommand), buffer,
                                  offset, drawCount, stride));
}

void gpu_before_CmdDrawIndirectCount_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                             VkBuffer buffer, VkDeviceSize offset,
                                             VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                             uint32_t maxDrawCount, uint32_t stride)
{
    struct indirect_draw draw = of_buffer(call, DRAW_VERTICES, sizeof(VkDrawIndirectCommand),
                                          buffer, offset, maxDrawCount, stride);
    draw.count_buffer = countBuffer;
    draw.count_offset = countBufferOffset;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawIndirect2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDrawIndirect2InfoKHR *pInfo)
{
    /* The buffer stays VK_NULL_HANDLE, so that the address is used. */
    indirect_draw_check(of_range(call, DRAW_VERTICES, sizeof(VkDrawIndirectCommand),
                                 &pInfo->addressRange, pInfo->drawCount));
}

void gpu_before_CmdDrawIndirectCount2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkDrawIndirectCount2InfoKHR *pInfo)
{
    struct indirect_draw draw = of_range(call, DRAW_VERTICES, sizeof(VkDrawIndirectCommand),
                                         &pInfo->addressRange, pInfo->maxDrawCount);
    draw.count_address = pInfo->countAddressRange.address;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawIndexedIndirect_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBuffer buffer, VkDeviceSize offset,
                                               uint32_t drawCount, uint32_t stride)
{
    indirect_draw_check(of_buffer(call, DRAW_INDICES, sizeof(VkDrawIndexedIndirectCommand), buffer,
                                  offset, drawCount, stride));
}

void gpu_before_CmdDrawIndexedIndirectCount_buffers(struct call *call,
                                                    VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, VkBuffer countBuffer,
                                                    VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
    struct indirect_draw draw = of_buffer(call, DRAW_INDICES, sizeof(VkDrawIndexedIndirectCommand),
                                          buffer, offset, maxDrawCount, stride);
    draw.count_buffer = countBuffer;
    draw.count_offset = countBufferOffset;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawIndexedIndirect2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkDrawIndirect2InfoKHR *pInfo)
{
    indirect_draw_check(of_range(call, DRAW_INDICES, sizeof(VkDrawIndexedIndirectCommand),
                                 &pInfo->addressRange, pInfo->drawCount));
}

void gpu_before_CmdDrawIndexedIndirectCount2KHR_buffers(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        const VkDrawIndirectCount2InfoKHR *pInfo)
{
    struct indirect_draw draw = of_range(call, DRAW_INDICES, sizeof(VkDrawIndexedIndirectCommand),
                                         &pInfo->addressRange, pInfo->maxDrawCount);
    draw.count_address = pInfo->countAddressRange.address;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawMeshTasksIndirectEXT_buffers(struct call *call,
                                                    VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, uint32_t drawCount,
                                                    uint32_t stride)
{
    indirect_draw_check(of_buffer(call, DRAW_MESH, sizeof(VkDrawMeshTasksIndirectCommandEXT),
                                  buffer, offset, drawCount, stride));
}

void gpu_before_CmdDrawMeshTasksIndirectCountEXT_buffers(struct call *call,
                                                         VkCommandBuffer commandBuffer,
                                                         VkBuffer buffer, VkDeviceSize offset,
                                                         VkBuffer countBuffer,
                                                         VkDeviceSize countBufferOffset,
                                                         uint32_t maxDrawCount, uint32_t stride)
{
    struct indirect_draw draw =
        of_buffer(call, DRAW_MESH, sizeof(VkDrawMeshTasksIndirectCommandEXT), buffer, offset,
                  maxDrawCount, stride);
    draw.count_buffer = countBuffer;
    draw.count_offset = countBufferOffset;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawMeshTasksIndirect2EXT_buffers(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkDrawIndirect2InfoKHR *pInfo)
{
    indirect_draw_check(of_range(call, DRAW_MESH, sizeof(VkDrawMeshTasksIndirectCommandEXT),
                                 &pInfo->addressRange, pInfo->drawCount));
}

void gpu_before_CmdDrawMeshTasksIndirectCount2EXT_buffers(struct call *call,
                                                          VkCommandBuffer commandBuffer,
                                                          const VkDrawIndirectCount2InfoKHR *pInfo)
{
    struct indirect_draw draw = of_range(call, DRAW_MESH, sizeof(VkDrawMeshTasksIndirectCommandEXT),
                                         &pInfo->addressRange, pInfo->maxDrawCount);
    draw.count_address = pInfo->countAddressRange.address;
    indirect_draw_check(draw);
}

void gpu_before_CmdDrawMeshTasksIndirectNV_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkBuffer buffer, VkDeviceSize offset,
                                                   uint32_t drawCount, uint32_t stride)
{
    indirect_draw_check(of_buffer(call, DRAW_MESH_NV, sizeof(VkDrawMeshTasksIndirectCommandNV),
                                  buffer, offset, drawCount, stride));
}

void gpu_before_CmdDrawMeshTasksIndirectCountNV_buffers(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        VkBuffer buffer, VkDeviceSize offset,
                                                        VkBuffer countBuffer,
                                                        VkDeviceSize countBufferOffset,
                                                        uint32_t maxDrawCount, uint32_t stride)
{
    struct indirect_draw draw =
        of_buffer(call, DRAW_MESH_NV, sizeof(VkDrawMeshTasksIndirectCommandNV), buffer, offset,
                  maxDrawCount, stride);
    draw.count_buffer = countBuffer;
    draw.count_offset = countBufferOffset;
    indirect_draw_check(draw);
}
