/* Runs a shader of the layer's own between the program's commands, without changing state that the
 * program sees. */
#include "gpu/buffers/buffers.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/hooks.h"
#include "gpu/command/ranges.h"
#include "gpu/shader_buffers_depths.h"
#include "gpu/shader_buffers_indices.h"
#include "gpu/shader_buffers_limits.h"
#include "base/plain_atomic.h"
#include "state/pipeline/pipeline.h"
#include "state/memory/device_address.h"
#include "state/query/query.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"

/* Index of the compute bind point in command_buffer::bind. */
#define COMPUTE_POINT  1
#define COMPUTE_SHADER 5 /* index of the compute stage in command_buffer::shaders */

/* --- data of a device --- */

void gpu_buffers_begin(struct device *device)
{
    static const struct down_calls calls = {.CreateBuffer = gpu_down_CreateBuffer,
                                            .AllocateMemory = gpu_down_AllocateMemory};
    const struct settings *settings = &device->instance->settings;
    /* Jobs are dispatched with a base workgroup, which carries the job's address: without
     * vkCmdDispatchBase none can be run. */
    if (!settings->gpuav_enable || !settings->gpuav_buffers_validation ||
        settings->gpuav_debug_disable_all || !device->dispatch.CmdDispatchBase ||
        !device->dispatch.GetBufferDeviceAddress)
        return;
    struct gpu_buffers *buffers = mem_alloc_zeroed(sizeof(*buffers));
    if (!buffers)
        return;
    lock_init(&buffers->lock);
    /* This is set before the safe copies begin, which keep the driver's functions in it. */
    gpu_in_device(device)->gpu->buffers = buffers;
    gpu_safe_copies_begin(device);
    if (!device->down)
        device->down = &calls;
}

void gpu_buffers_free(const struct device *device, struct gpu_buffers *buffers)
{
    if (!buffers)
        return;
    /* `device` is NULL if the driver's device is out of reach; then the driver frees the pipelines
     * with it. */
    lock_unneeded(&buffers->lock);
    for (uint32_t i = 0; device && i < GPU_JOB_KINDS; i++)
        device->dispatch.DestroyPipeline(device->handle, buffers->pipelines[i], NULL);
    if (device)
        device->dispatch.DestroyPipelineLayout(device->handle, buffers->layout, NULL);
    lock_destroy(&buffers->lock);
    mem_free(buffers);
}

/* Makes the compute pipeline of one kind of job. Returns VK_NULL_HANDLE if the driver refused. */
static VkPipeline make_pipeline(const struct device *device, VkPipelineLayout layout,
                                enum gpu_job_kind kind)
{
    static const struct {
        const uint32_t *words;
        size_t size;
    } code[GPU_JOB_KINDS] = {
        [GPU_JOB_LIMITS] = {gpu_shader_buffers_limits, sizeof(gpu_shader_buffers_limits)},
        [GPU_JOB_INDICES] = {gpu_shader_buffers_indices, sizeof(gpu_shader_buffers_indices)},
        [GPU_JOB_DEPTHS] = {gpu_shader_buffers_depths, sizeof(gpu_shader_buffers_depths)},
    };
    const VkShaderModuleCreateInfo module_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = code[kind].size,
                                                  .pCode = code[kind].words};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (device->dispatch.CreateShaderModule(device->handle, &module_info, NULL,
                                            &info.stage.module) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    if (device->dispatch.CreateComputePipelines(device->handle, VK_NULL_HANDLE, 1, &info, NULL,
                                                &pipeline) != VK_SUCCESS)
        pipeline = VK_NULL_HANDLE;
    device->dispatch.DestroyShaderModule(device->handle, info.stage.module, NULL);
    return pipeline;
}

/* Finds or makes the pipeline of a kind of job. If that failed once, it is not tried again. Takes
 * the lock of the buffers. */
static VkPipeline make_pipeline_once(const struct device *device, struct gpu_buffers *buffers,
                                     enum gpu_job_kind kind)
{
    static const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    lock_take(&buffers->lock);
    VkPipeline pipeline = atomic_load_explicit(&buffers->pipelines[kind], memory_order_relaxed);
    if (!pipeline && !buffers->failed[kind]) {
        bool has_layout = buffers->layout ||
                          device->dispatch.CreatePipelineLayout(device->handle, &layout, NULL,
                                                                &buffers->layout) == VK_SUCCESS;
        pipeline = has_layout ? make_pipeline(device, buffers->layout, kind) : VK_NULL_HANDLE;
        buffers->failed[kind] = !pipeline;
        atomic_store_explicit(&buffers->pipelines[kind], pipeline, memory_order_release);
    }
    lock_release(&buffers->lock);
    return pipeline;
}

/* Returns the pipeline for a kind of job; VK_NULL_HANDLE: the driver has refused to make it. Takes
 * the lock only until the pipeline exists. */
static VkPipeline pipeline_of(const struct device *device, enum gpu_job_kind kind)
{
    assert((unsigned)kind < GPU_JOB_KINDS);
    struct gpu_buffers *buffers = gpu_in_device(device)->gpu->buffers;
    VkPipeline pipeline = atomic_load_explicit(&buffers->pipelines[kind], memory_order_acquire);
    return likely(pipeline) ? pipeline : make_pipeline_once(device, buffers, kind);
}

/* --- dispatches --- */

/* Records a barrier: work in the stages `from` comes before reads in the stages `to`. Later writes
 * of the program in these stages come after. */
static void buffers_order(const struct device *device, VkCommandBuffer command_buffer,
                          VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags reads)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .dstAccessMask = reads};
    device->dispatch.CmdPipelineBarrier(command_buffer, from, to, 0, reads ? 1 : 0,
                                        reads ? &barrier : NULL, 0, NULL, 0, NULL);
}

/* Dispatches one workgroup. Its base encodes the job's address in granules, spread over three
 * dimensions. So a job needs neither descriptors nor push constants, and only changes the bound
 * pipeline. */
static void job_dispatch(const struct device *device, VkCommandBuffer command_buffer,
                         VkDeviceAddress job)
{
    const uint32_t mask = (1u << JOB_BITS) - 1;
    uint64_t number = job / JOB_GRANULE;
    device->dispatch.CmdDispatchBase(command_buffer, (uint32_t)number & mask,
                                     (uint32_t)(number >> JOB_BITS) & mask,
                                     (uint32_t)(number >> 2 * JOB_BITS), 1, 1, 1);
}

void gpu_compute_bind_again(const struct device *device,
                            const struct command_buffer *command_buffer)
{
    VkCommandBuffer handle = (VkCommandBuffer)(uintptr_t)object_driver(command_buffer->base.object);
    const struct object *pipeline =
        object_find_id(command_buffer->bind[COMPUTE_POINT].pipeline, HANDLE_PIPELINE);
    const struct object *shader =
        object_find_id(command_buffer->shaders[COMPUTE_SHADER], HANDLE_SHADER_EXT);
    /* The state tracker still has what the program bound. If the program bound no pipeline, the
     * layer's stays bound, which no valid program can run. */
    if (pipeline) {
        device->dispatch.CmdBindPipeline(handle, VK_PIPELINE_BIND_POINT_COMPUTE,
                                         (VkPipeline)object_driver(pipeline));
    } else if (shader) {
        const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
        const VkShaderEXT driver = (VkShaderEXT)object_driver(shader);
        device->dispatch.CmdBindShadersEXT(handle, 1, &stage, &driver);
    }
}

/* Runs jobs in the order in which they were put off, with one barrier before and one after all of
 * them. The compute pipeline of the program is bound again. */
static void jobs_run(const struct device *device, const struct command_buffer *command_buffer,
                     const struct gpu_deferred *jobs, uint32_t count)
{
    VkCommandBuffer handle = (VkCommandBuffer)(uintptr_t)object_driver(command_buffer->base.object);
    VkPipelineStageFlags readers = 0;
    VkPipeline bound = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < count; i++)
        readers |= jobs[i].readers;
    buffers_order(device, handle, readers, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                  VK_ACCESS_SHADER_READ_BIT);
    for (uint32_t i = 0; i < count; i++) {
        VkPipeline pipeline = pipeline_of(device, jobs[i].kind);
        if (!pipeline)
            continue;
        if (pipeline != bound)
            device->dispatch.CmdBindPipeline(handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        bound = pipeline;
        job_dispatch(device, handle, jobs[i].job);
    }
    buffers_order(device, handle, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, readers, 0);
    /* a dispatch of no workgroups from base 0: lavapipe would use the last base for later indirect
     * dispatches */
    if (bound)
        device->dispatch.CmdDispatchBase(handle, 0, 0, 0, 0, 0, 0);
    if (bound)
        gpu_compute_bind_again(device, command_buffer);
}

/* --- jobs --- */

/* True if a query is active that would count the layer's dispatches as well. Occlusion queries
 * count samples, of which a dispatch has none. */
static bool counts_dispatches(const struct command_buffer *command_buffer)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries || !queries->active_count)
        return false;
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (query->pool && query->state == QUERY_ACTIVE && query->type != VK_QUERY_TYPE_OCCLUSION)
            return true;
    }
    return false;
}

/* True if the layer may dispatch in this place of the command buffer, and no query counts the
 * dispatches. */
static bool can_dispatch(const struct command_buffer *command_buffer)
{
    const struct command_pool *pool = object_load_state(command_buffer->pool);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    bool inside = command_buffer->scope & SCOPE_INSIDE_RENDER_PASS;
    if (!(command_buffer->queue_flags & VK_QUEUE_COMPUTE_BIT) || !pool ||
        pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT)
        return false;
    if (command_buffer->scope & (SCOPE_INSIDE_VIDEO_CODING | SCOPE_SUSPENDED))
        return false;
    /* Conditional rendering may skip a draw, whose check would still run when it is put off. */
    if (inside && (!sections || sections->conditional))
        return false;
    return !counts_dispatches(command_buffer);
}

bool gpu_job_begin(struct gpu_job *job, struct call *call, bool setting, enum gpu_job_kind kind,
                   VkPipelineStageFlags readers)
{
    assert((unsigned)kind < GPU_JOB_KINDS);
    const struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    if (!setting || !gpu_device_runs(gpu) || !gpu->buffers)
        return false;
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    /* No dispatch may be recorded here; the check is left out. */
    if (!commands || !can_dispatch(call_command_buffer(call)))
        return false;
    memset(job, 0, sizeof(*job));
    job->call = call;
    job->commands = commands;
    job->kind = kind;
    job->readers = readers;
    /* The words that every job of the kind has; limits are appended after them. */
    job->used = kind == GPU_JOB_LIMITS    ? LIMITS_RULES
                : kind == GPU_JOB_INDICES ? INDICES_DRAW + 4
                                          : DEPTHS_FIRST_SLICE + 1;
    if (kind == GPU_JOB_LIMITS)
        gpu_job_address(job, LIMITS_TABLE, gpu_ranges_address(gpu->ranges));
    return true;
}

void gpu_job_limit(struct gpu_job *job, uint32_t rule, uint32_t how, uint32_t word, uint64_t limit)
{
    assert(job->kind == GPU_JOB_LIMITS &&
           job->used + LIMITS_RULE_WORDS <= ARRAY_LENGTH(job->words));
    uint32_t *to = &job->words[job->used];
    assert(job->words[LIMITS_RULE_COUNT] < LIMITS_RULES_MOST);
    job->words[LIMITS_RULE_COUNT]++;
    job->used += LIMITS_RULE_WORDS;
    /* The shader reads these words in the same layout (gpu/shaders/buffers.h). */
    to[0] = rule | word << 8 | how << 24;
    memcpy(&to[1], &limit, sizeof(limit));
}

/* Keeps a job until the render pass instance ends, as no dispatch may be recorded inside of it. A
 * thread of an invalid program may read the list meanwhile (vkCmdExecuteCommands), or write it. */
static void put_off(struct gpu_command_buffer *commands, const struct gpu_deferred *deferred)
{
    const uint32_t at = commands->deferred_count;
    if (at >= plain_load_acquire(&commands->deferred_capacity) &&
        !mem_grow(&commands->deferred, &commands->deferred_capacity, at, at < 32 ? 32 : at * 2,
                  sizeof(*commands->deferred)))
        return;
    commands->deferred[at] = *deferred;
    commands->deferred_count = at + 1;
}

bool gpu_job_run(struct gpu_job *job, uint32_t point)
{
    assert(point <= BIND_POINTS && job->used && job->used <= ARRAY_LENGTH(job->words));
    struct call *call = job->call;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct gpu_deferred deferred = {
        .kind = (uint8_t)job->kind, .writable = job->writable, .readers = job->readers};
    /* The record is made before the job, as the job has its address, for the shader's reports. */
    gpu_job_address(job, JOB_RECORD, gpu_command_record(call, job->commands, point));
    void *to = gpu_command_take(call, job->commands, job->used * (uint32_t)sizeof(uint32_t),
                                &deferred.job);
    if (!to || deferred.job >> 51) /* an address too high for the base of a workgroup */
        return false;
    memcpy(to, job->words, job->used * sizeof(uint32_t));
    if (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS)
        put_off(job->commands, &deferred);
    else
        jobs_run(call->device, command_buffer, &deferred, 1);
    return pipeline_of(call->device, job->kind) != VK_NULL_HANDLE;
}

/* --- the program's buffers --- */

VkDeviceAddress gpu_job_buffer(struct gpu_job *job, const struct buffer *buffer,
                               VkDeviceSize offset, VkDeviceSize size)
{
    const VkBufferUsageFlags2 written = VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT |
                                        VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT;
    const struct device *device = job->call->device;
    /* Returns 0 if a shader of the layer cannot read the range, which is not checked then.
     * `writable`: a shader of the program may change it before the command reads it. */
    if (!buffer || offset > buffer->size || size > buffer->size - offset || offset % 4 ||
        !gpu_buffer_has_address(buffer) || !buffer_is_bound(buffer))
        return 0;
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = (VkBuffer)object_driver(buffer->base.object)};
    VkDeviceAddress address = device->dispatch.GetBufferDeviceAddress(device->handle, &info);
    job->writable |= (buffer->usage & written) != 0;
    return address ? address + offset : 0;
}

VkDeviceAddress gpu_job_range(struct gpu_job *job, VkDeviceAddress address, VkDeviceSize size)
{
    /* Sparse buffers may have holes, which a shader must not read. Shaders may write any range that
     * has an address. */
    struct address_search found = device_address_find(job->call->device, address, size, 0);
    job->writable = true;
    return found.match == ADDRESS_FOUND && found.buffer &&
                   !(found.buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) && address % 4 == 0
               ? address
               : 0;
}

/* --- render pass instances --- */

/* Runs the jobs that were put off inside of a render pass instance. If the instance is only
 * suspended they are kept: this command buffer may still resume it. Otherwise they are dropped when
 * the next recording begins. */
static void run_deferred(struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands || !commands->deferred_count)
        return;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer->scope & (SCOPE_INSIDE_RENDER_PASS | SCOPE_SUSPENDED))
        return;
    if (can_dispatch(command_buffer))
        jobs_run(call->device, command_buffer, commands->deferred, commands->deferred_count);
    commands->deferred_count = 0;
}

void gpu_after_CmdEndRenderPass_buffers(struct call *call, VkCommandBuffer commandBuffer)
{
    run_deferred(call);
}

void gpu_after_CmdEndRenderPass2_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkSubpassEndInfo *pSubpassEndInfo)
{
    run_deferred(call);
}

void gpu_after_CmdEndRendering_buffers(struct call *call, VkCommandBuffer commandBuffer)
{
    run_deferred(call);
}

void gpu_after_CmdEndRendering2KHR_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    run_deferred(call);
}

void gpu_after_BeginCommandBuffer_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    /* Jobs of the previous recording that were never run, as its instance did not end, are
     * dropped. */
    if (commands)
        commands->deferred_count = 0;
}

/* Runs the checks that secondaries put off where the primary's instance ends. */
void gpu_after_CmdExecuteCommands_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t commandBufferCount,
                                          const VkCommandBuffer *pCommandBuffers)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    for (uint32_t i = 0; commands && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        const struct gpu_command_buffer *theirs =
            secondary ? gpu_in_command_buffer(secondary)->commands : NULL;
        if (!theirs || theirs == commands || theirs->serial != commands->serial)
            continue; /* a command buffer that executes itself would add to its own list for ever */
        uint32_t capacity = plain_load_acquire(&theirs->deferred_capacity),
                 count = theirs->deferred_count;
        const struct gpu_deferred *list = plain_load_acquire(&theirs->deferred);
        for (uint32_t k = 0; k < count && k < capacity; k++)
            put_off(commands, &list[k]);
    }
}

/* Drops jobs on memory that shaders may write from here on, after draws before have read it. */
static void drop_writable(struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    uint32_t kept = 0;
    for (uint32_t i = 0; commands && i < commands->deferred_count; i++) {
        if (!commands->deferred[i].writable)
            commands->deferred[kept++] = commands->deferred[i];
    }
    if (commands)
        commands->deferred_count = kept;
}

/* A barrier inside of a render pass instance lets later shaders write what earlier commands have
 * read. Jobs that would look at such memory at the instance's end are dropped. */
static void barrier_inside(struct call *call, VkPipelineStageFlags2 from)
{
    const VkPipelineStageFlags2 reading =
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
        VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer && command_buffer->scope & SCOPE_INSIDE_RENDER_PASS && from & reading)
        drop_writable(call);
}

void gpu_before_CmdPipelineBarrier_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                           VkPipelineStageFlags srcStageMask,
                                           VkPipelineStageFlags dstStageMask,
                                           VkDependencyFlags dependencyFlags,
                                           uint32_t memoryBarrierCount,
                                           const VkMemoryBarrier *pMemoryBarriers,
                                           uint32_t bufferMemoryBarrierCount,
                                           const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                           uint32_t imageMemoryBarrierCount,
                                           const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    barrier_inside(call, srcStageMask);
}

void gpu_before_CmdPipelineBarrier2_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDependencyInfo *pDependencyInfo)
{
    /* The masks are in structures: any of them may name a reading stage, so that is assumed. */
    barrier_inside(call, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

/* Drops jobs, as dependencies between subpasses may order shaders' writes after earlier reads. */
void gpu_before_CmdNextSubpass_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                       VkSubpassContents contents)
{
    drop_writable(call);
}

void gpu_before_CmdNextSubpass2_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkSubpassBeginInfo *pSubpassBeginInfo,
                                        const VkSubpassEndInfo *pSubpassEndInfo)
{
    drop_writable(call);
}
