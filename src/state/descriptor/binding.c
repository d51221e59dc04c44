/* Tracks pipelines, shader objects, vertex buffers and index buffers that vkCmdBind* commands bind.
 * Hot. Descriptor sets are in bound_sets.c. */
#include "state/dynamic_values.h"
#include "state/hooks.h"

#include "report/muting/rows_broken.h"
#include "state/memory/buffer.h"
#include "state/memory/device_address.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

#include <string.h>

/* Stages of the compute bind point to which shader objects are bound. */
#define STAGES_COMPUTE VK_SHADER_STAGE_COMPUTE_BIT

/* Notes the use of an object that the program names in a command, and returns its id; 0 for
 * VK_NULL_HANDLE and unknown objects. */
static ALWAYS_INLINE uint64_t command_buffer_use_id(struct command_buffer *command_buffer,
                                                    const struct object *object)
{
    assert(command_buffer);
    command_buffer_uses(command_buffer, object);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Unbinds all shader objects of a bind point, which a pipeline replaces. */
static void unbind_shaders(struct command_buffer *command_buffer, bool compute)
{
    assert(command_buffer);
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        if ((1u << i == STAGES_COMPUTE) == compute)
            command_buffer->shaders[i] = 0;
    }
    command_buffer->shaders_set &= compute ? ~(uint32_t)STAGES_COMPUTE : (uint32_t)STAGES_COMPUTE;
}

void state_after_CmdBindPipeline(struct call *call, VkCommandBuffer commandBuffer,
                                 VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    uint32_t point = bind_point_index(pipelineBindPoint);
    if (!command_buffer || point == BIND_POINTS)
        return;
    /* The chassis has already looked up the pipeline, which is the first handle of the call. */
    const struct object *object = call->named[0].object;
    command_buffer->bind[point].pipeline = command_buffer_use_id(command_buffer, object);
    command_buffer->dirty[point] |= DIRTY_PIPELINE;
    /* Shader objects exist only for points 0 and 1, graphics and compute. */
    if (unlikely(command_buffer->shaders_set) && point < 2)
        unbind_shaders(command_buffer, point == 1);
    const struct pipeline *state = call->named[0].state;
    if (point || !state)
        return;
    /* Static state of the pipeline replaces state that commands have set before. */
    for (uint32_t i = 0; i < ARRAY_LENGTH(state->fixed.bits); i++)
        command_buffer->dynamic_set.bits[i] &= ~state->fixed.bits[i];
}

void state_after_CmdBindShadersEXT(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t stageCount, const VkShaderStageFlagBits *pStages,
                                   const VkShaderEXT *pShaders)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    for (uint32_t i = 0; i < stageCount; i++) {
        uint32_t stage = pStages[i];
        /* Only a single bit of a tracked stage is accepted; other values are reported elsewhere. */
        if (!stage || stage & (stage - 1) || stage >> BOUND_SHADERS)
            continue;
        const struct object *object =
            pShaders ? call_find(call, (uint64_t)pShaders[i], HANDLE_SHADER_EXT) : NULL;
        uint32_t point = stage == STAGES_COMPUTE;
        command_buffer->shaders[__builtin_ctz(stage)] =
            command_buffer_use_id(command_buffer, object);
        command_buffer->shaders_set |= stage;
        /* A bound shader object replaces the pipeline. */
        command_buffer->bind[point].pipeline = 0;
        command_buffer->dirty[point] |= DIRTY_SHADERS | DIRTY_PIPELINE;
    }
}

/* --- vertex and index buffers --- */

const struct bound_buffer no_vertex_buffer;

struct bound_buffer *vertex_buffer_place_slow(struct command_buffer *command_buffer,
                                              uint32_t binding)
{
    assert(command_buffer);
    uint32_t wanted = BOUND_VERTEX_BUFFERS_FIRST;
    if (binding >= BOUND_VERTEX_BUFFERS)
        return NULL;
    /* A power of two, so that binding one after the other does not grow it each time. */
    while (wanted <= binding)
        wanted *= 2;
    if (!mem_grow(&command_buffer->vertex_buffers, &command_buffer->vertex_buffer_capacity,
                  BOUND_VERTEX_BUFFERS, wanted, sizeof(*command_buffer->vertex_buffers))) {
        /* Without this flag, draws would report bindings as unbound that are bound. */
        command_buffer->vertex_buffers_lost = true;
        return NULL;
    }
    return &plain_load_acquire(&command_buffer->vertex_buffers)[binding];
}

void command_buffer_forget_vertex_buffers(struct command_buffer *command_buffer)
{
    assert(command_buffer);
    const uint32_t capacity = plain_load_acquire(&command_buffer->vertex_buffer_capacity);
    command_buffer->vertex_buffers_lost = false;
    if (capacity)
        memset(plain_load_relaxed(&command_buffer->vertex_buffers), 0,
               capacity * sizeof(*command_buffer->vertex_buffers));
}

/* Binds a vertex buffer. Its size is resolved now, as the buffer may be destroyed later. */
static ALWAYS_INLINE void bind_vertex_buffer(struct command_buffer *command_buffer,
                                             const struct call *call, uint32_t binding,
                                             VkBuffer handle, VkDeviceSize offset,
                                             VkDeviceSize size)
{
    const struct object *object = call_find(call, (uint64_t)handle, HANDLE_BUFFER);
    uint64_t id = command_buffer_use_id(command_buffer, object);
    struct bound_buffer *bound = vertex_buffer_place(command_buffer, binding);
    if (unlikely(!bound))
        return;
    const struct buffer *buffer =
        object_load_state_as(call, object, (uint64_t)handle, HANDLE_BUFFER);
    bound->buffer = id;
    bound->offset = offset;
    /* In bytes; 0: the offset is beyond the buffer, or its size is not known. */
    bound->size = size != VK_WHOLE_SIZE             ? size
                  : buffer && offset < buffer->size ? buffer->size - offset
                                                    : 0;
    bound->bound = true;
    bound->null = false;
    /* vkCmdBindVertexBuffers2 sets the stride after this. */
    bound->strided = false;
}

void state_after_CmdBindVertexBuffers(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t firstBinding, uint32_t bindingCount,
                                      const VkBuffer *pBuffers, const VkDeviceSize *pOffsets)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->dirty[0] |= DIRTY_VERTEX_BUFFERS;
    for (uint32_t i = 0; i < bindingCount; i++)
        bind_vertex_buffer(command_buffer, call, firstBinding + i, pBuffers[i], pOffsets[i],
                           VK_WHOLE_SIZE);
}

void state_after_CmdBindVertexBuffers2(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t firstBinding, uint32_t bindingCount,
                                       const VkBuffer *pBuffers, const VkDeviceSize *pOffsets,
                                       const VkDeviceSize *pSizes, const VkDeviceSize *pStrides)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->dirty[0] |= DIRTY_VERTEX_BUFFERS;
    for (uint32_t i = 0; i < bindingCount; i++) {
        bind_vertex_buffer(command_buffer, call, firstBinding + i, pBuffers[i], pOffsets[i],
                           pSizes ? pSizes[i] : VK_WHOLE_SIZE);
        struct bound_buffer *bound =
            pStrides ? vertex_buffer_place(command_buffer, firstBinding + i) : NULL;
        if (bound)
            bound->stride = pStrides[i];
    }
    if (pStrides)
        command_buffer_set_dynamic(command_buffer, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
}

/* The binding of a range of addresses. If no buffer is known there, something counts as bound
 * nevertheless. If a row has reported address 0, draws need not report it again. */
static struct bound_buffer bound_range(const struct call *call,
                                       struct command_buffer *command_buffer,
                                       VkDeviceAddress address, VkDeviceSize size,
                                       VkDeviceSize stride)
{
    struct bound_buffer bound = {
        .stride = stride, .bound = true, .null = !address && !rows_were_broken()};
    struct address_search found = {0};
    if (address)
        found = device_address_find(call->device, address, size, 0);
    if (!found.buffer || found.rest > found.buffer->size)
        return bound;
    /* If several buffers have the address, destroying one of them does not make the commands
     * invalid. */
    if (device_address_find_sole(call->device, address))
        bound.buffer = command_buffer_use_id(command_buffer, found.buffer->base.object);
    else
        bound.buffer = object_state_id(&found.buffer->base);
    bound.offset = found.buffer->size - found.rest;
    bound.size = size < found.rest ? size : found.rest;
    return bound;
}

void state_after_CmdBindVertexBuffers3KHR(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t firstBinding, uint32_t bindingCount,
                                          const VkBindVertexBuffer3InfoKHR *pBindingInfos)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !pBindingInfos)
        return;
    command_buffer->dirty[0] |= DIRTY_VERTEX_BUFFERS;
    for (uint32_t i = 0; i < bindingCount; i++) {
        const VkBindVertexBuffer3InfoKHR *info = &pBindingInfos[i];
        if (info->setStride)
            command_buffer_set_dynamic(command_buffer, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
        if (firstBinding >= BOUND_VERTEX_BUFFERS || i >= BOUND_VERTEX_BUFFERS - firstBinding)
            continue;
        struct bound_buffer *bound = vertex_buffer_place(command_buffer, firstBinding + i);
        if (!bound)
            continue;
        *bound =
            bound_range(call, command_buffer, info->addressRange.address, info->addressRange.size,
                        /* Without setStride the stride does not change. */
                        info->setStride ? info->addressRange.stride : bound->stride);
        bound->strided = info->setStride;
    }
}

void state_after_CmdBindIndexBuffer3KHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkBindIndexBuffer3InfoKHR *pInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->index_buffer =
        bound_range(call, command_buffer, pInfo->addressRange.address, pInfo->addressRange.size, 0);
    command_buffer->index_type = pInfo->indexType;
    command_buffer->restart_index_set = false;
    command_buffer->dirty[0] |= DIRTY_INDEX_BUFFER;
}

/* Binds an index buffer. Its size is resolved now, as the buffer may be destroyed later. */
static void bind_index_buffer(const struct call *call, VkBuffer handle, VkDeviceSize offset,
                              VkDeviceSize size, VkIndexType type)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    const struct object *object = call_find(call, (uint64_t)handle, HANDLE_BUFFER);
    const struct buffer *buffer =
        object_load_state_as(call, object, (uint64_t)handle, HANDLE_BUFFER);
    struct bound_buffer *bound = &command_buffer->index_buffer;
    bound->buffer = command_buffer_use_id(command_buffer, object);
    bound->offset = offset;
    bound->size = size != VK_WHOLE_SIZE             ? size
                  : buffer && offset < buffer->size ? buffer->size - offset
                                                    : 0;
    bound->bound = true;
    command_buffer->index_type = type;
    /* Binding an index buffer unsets a custom restart index. */
    command_buffer->restart_index_set = false;
    command_buffer->dirty[0] |= DIRTY_INDEX_BUFFER;
}

void state_after_CmdBindIndexBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                    VkBuffer buffer, VkDeviceSize offset, VkIndexType indexType)
{
    bind_index_buffer(call, buffer, offset, VK_WHOLE_SIZE, indexType);
}

void state_after_CmdBindIndexBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                     VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                                     VkIndexType indexType)
{
    bind_index_buffer(call, buffer, offset, size, indexType);
}

void state_after_CmdSetPrimitiveRestartIndexEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t primitiveRestartIndex)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer->restart_index = primitiveRestartIndex;
    command_buffer->restart_index_set = true;
    command_buffer->dirty[0] |= DIRTY_INDEX_BUFFER;
}
