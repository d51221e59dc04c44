/* Counts the commands of a recording, and makes the records that their shaders get. */
#include "gpu/command/command.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/device/drain.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/device/survive.h"
#include "gpu/command/tables.h"
#include "gpu/command/touched.h"
#include "state/object/aftermath.h"
#include "state/memory/device_address.h"

/* --- recordings --- */

/* Takes a free slot for the command buffer, and publishes it to readers of records. Returns 0 if
 * all are in use: its records cannot be attributed then. Takes recordings_lock. */
static uint32_t take_slot(struct gpu_device *gpu, struct gpu_command_buffer *commands)
{
    lock_take(&gpu->recordings_lock);
    uint32_t slot = gpu->slot_free;
    if (slot)
        gpu->slot_free = gpu->slot_next[slot];
    else if (gpu->slot_end < GPU_RECORDING_SLOTS)
        slot = gpu->slot_end++;
    lock_release(&gpu->recordings_lock);
    if (slot)
        atomic_store_explicit(&gpu->slots[slot], commands, memory_order_release);
    return slot;
}

/* Returns the next number for a recording in a slot. The uses of a slot count from 1 to 16,383 and
 * begin again. */
static uint32_t next_recording(struct gpu_device *gpu, uint32_t slot)
{
    assert(slot < GPU_RECORDING_SLOTS);
    const uint32_t most = UINT32_MAX >> GPU_RECORDING_SLOT_BITS;
    if (!slot)
        return 0;
    gpu->slot_uses[slot] = (uint16_t)(gpu->slot_uses[slot] % most + 1);
    return (uint32_t)gpu->slot_uses[slot] << GPU_RECORDING_SLOT_BITS | slot;
}

/* Forgets everything that belonged to a destroyed device, and makes the command buffer one of this
 * device. */
static void commands_adopt(struct gpu_device *gpu, struct gpu_command_buffer *commands)
{
    if (commands->serial == gpu->serial)
        return;
    commands->chunk_count = 0;
    commands->slot = take_slot(gpu, commands);
    commands->serial = gpu->serial;
}

/* Begins a recording: it gets a new number, and the data of the last one is forgotten. */
static void begin_recording(struct gpu_device *gpu, struct command_buffer *command_buffer)
{
    struct gpu_in_command_buffer *area = gpu_in_command_buffer(command_buffer);
    struct gpu_command_buffer *commands = area->commands;
    if (!commands)
        commands = mem_make(&area->commands, NULL, sizeof(*commands));
    if (!commands)
        return;
    atomic_store_explicit(&commands->recording, 0, memory_order_release);
    /* later stores of this recording come after that (gpu_command_read()) */
    atomic_thread_fence(memory_order_release);
    commands_adopt(gpu, commands);
    commands->command_buffer = object_state_id(&command_buffer->base);
    commands->instrumented = false;
    atomic_store_explicit(&commands->action_count, 0, memory_order_relaxed);
    arena_rewind(&commands->arena);
    commands->labels = NULL;
    commands->label_count = commands->label_capacity = commands->open_label = 0;
    commands->chunk = commands->chunk_used = 0;
    commands->limits_address = 0;
    memset(commands->pushed, 0, sizeof(commands->pushed));
    gpu_touched_begin(gpu, command_buffer);
    gpu_executions_begin(gpu, commands);
    const uint32_t recording = next_recording(gpu, commands->slot);
    if (unlikely(aftermath_in_device(gpu->device)->aftermath))
        aftermath_note_recording(aftermath_in_device(gpu->device)->aftermath,
                                 (VkCommandBuffer)object_driver(command_buffer->base.object),
                                 recording);
    atomic_store_explicit(&commands->recording, recording, memory_order_release);
}

/* Gives back the memory and the slot that the command buffer has from the device. Takes both
 * locks. */
static void commands_give_back(struct gpu_device *gpu, struct command_buffer *command_buffer)
{
    struct gpu_command_buffer *commands =
        command_buffer ? gpu_in_command_buffer(command_buffer)->commands : NULL;
    if (!commands || commands->serial != gpu->serial)
        return;
    atomic_store_explicit(&commands->recording, 0, memory_order_release);
    gpu_touched_forget(command_buffer);
    /* a draining thread may be reading pushed tables */
    lock_take(&gpu->drain_lock);
    for (uint32_t i = 0; i < commands->chunk_count; i++)
        gpu_memory_give(&gpu->memory, &commands->chunks[i]);
    commands->chunk_count = 0;
    lock_release(&gpu->drain_lock);
    commands->serial = 0;
    if (!commands->slot)
        return;
    atomic_store_explicit(&gpu->slots[commands->slot], NULL, memory_order_release);
    lock_take(&gpu->recordings_lock);
    gpu->slot_next[commands->slot] = gpu->slot_free;
    gpu->slot_free = commands->slot;
    lock_release(&gpu->recordings_lock);
    commands->slot = 0;
}

void gpu_commands_forget(struct gpu_device *gpu)
{
    /* The device is being destroyed, and no other thread may record. The device's allocator frees
     * the memory of the chunks. */
    lock_unneeded(&gpu->recordings_lock);
    for (uint32_t i = 1; i < gpu->slot_end; i++) {
        struct gpu_command_buffer *commands =
            atomic_load_explicit(&gpu->slots[i], memory_order_acquire);
        if (!commands)
            continue;
        commands->chunk_count = commands->slot = 0;
        commands->serial = 0;
    }
}

/* Reads the records of shaders before a command buffer is recorded again, reset or freed, since the
 * records refer to its data. */
static void commands_drain(struct call *call)
{
    if (gpu_in_device(call->device)->gpu)
        gpu_drain(call, gpu_in_device(call->device)->gpu, DRAIN_NOW);
}

void gpu_before_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkCommandBufferBeginInfo *pBeginInfo)
{
    commands_drain(call);
}

void gpu_after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct command_buffer *command_buffer =
        gpu_in_device(call->device)->gpu ? call_command_buffer(call) : NULL;
    if (command_buffer && call->result == VK_SUCCESS)
        begin_recording(gpu_in_device(call->device)->gpu, command_buffer);
}

void gpu_before_ResetCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                   VkCommandBufferResetFlags flags)
{
    commands_drain(call);
}

void gpu_before_ResetCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                 VkCommandPoolResetFlags flags)
{
    commands_drain(call);
}

void gpu_before_FreeCommandBuffers(struct call *call, VkDevice device, VkCommandPool commandPool,
                                   uint32_t commandBufferCount,
                                   const VkCommandBuffer *pCommandBuffers)
{
    /* find_command_buffer() gives NULL for VK_NULL_HANDLE, which the program may free. */
    commands_drain(call);
    for (uint32_t i = 0;
         gpu_in_device(call->device)->gpu && pCommandBuffers && i < commandBufferCount; i++)
        commands_give_back(gpu_in_device(call->device)->gpu,
                           find_command_buffer(pCommandBuffers[i]));
}

/* Gives back the memory and the slot of a command buffer in a pool. It is for
 * object_for_each_child(); `context` is the gpu_device. Other kinds of children are ignored. */
static void give_child_back(struct object *child, void *context)
{
    if (object_type(child) == HANDLE_COMMAND_BUFFER)
        commands_give_back(context, object_load_state(child));
}

void gpu_before_DestroyCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                   const VkAllocationCallbacks *pAllocator)
{
    commands_drain(call);
    struct object *pool = gpu_in_device(call->device)->gpu ? call->named[0].object : NULL;
    if (pool)
        object_for_each_child(pool, give_child_back, gpu_in_device(call->device)->gpu);
}

/* --- commands --- */

/* Fills in the addresses of the tables of all bound sets, and 0 for other sets that shaders may
 * use. */
static uint32_t bound_tables(const struct call *call, struct gpu_command_buffer *commands,
                             uint32_t point, VkDeviceAddress *tables)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct bind_point_state *bind = point < BIND_POINTS ? &command_buffer->bind[point] : NULL;
    const uint32_t most = gpu_shaders_most_sets(call->device), bound = bind ? bind->set_count : 0;
    memset(tables, 0, (most > bound ? most : bound) * sizeof(*tables));
    for (uint32_t i = 0; i < bound; i++) {
        const struct bound_set *slot = bound_set_at(bind, i);
        if (slot && slot->kind == BOUND_SET)
            tables[i] = gpu_table_address(descriptor_set_by_id(slot->set));
        else if (slot && slot->kind == BOUND_PUSHED)
            tables[i] = gpu_table_push(call, commands, command_buffer, point, i);
    }
    return most > bound ? most : bound;
}

VkDeviceAddress gpu_command_record(const struct call *call, struct gpu_command_buffer *commands,
                                   uint32_t point)
{
    const struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    /* There is one record for each command: all its checks share it. */
    if (commands->recorded)
        return commands->record;
    VkDeviceAddress record[GPU_RECORD_WORDS / 2];
    uint32_t *words = (uint32_t *)record;
    gpu_device_fill_record(gpu, words);
    words[COMMAND_INDEX] = call_command_buffer(call)->command_number * COMMAND_FACTOR;
    words[COMMAND_RECORDING] =
        atomic_load_explicit(&commands->recording, memory_order_relaxed) * RECORDING_FACTOR +
        words[COMMAND_INDEX];
    uint32_t count =
        COMMAND_TABLES / 2 + bound_tables(call, commands, point, &record[COMMAND_TABLES / 2]);
    void *to = gpu_device_runs(gpu)
                   ? gpu_command_take(call, commands, count * (uint32_t)sizeof(record[0]),
                                      &commands->record)
                   : NULL;
    commands->recorded = true;
    commands->instrumented = true;
    /* NULL: memory is out. The command gets the anonymous record, with which shaders make checks
     * that need no command. */
    commands->record_words = to;
    if (!to)
        return commands->record = gpu->anonymous.address;
    gpu_touched_record(call, commands, point, words);
    memcpy(to, record, count * sizeof(record[0]));
    const uint32_t index = gpu_command_index(commands);
    if (likely(index < commands->action_capacity)) {
        commands->actions[index].tables = (const VkDeviceAddress *)to + COMMAND_TABLES / 2;
        commands->actions[index].table_count = count - COMMAND_TABLES / 2;
    }
    return commands->record;
}

/* Notes where an indirect command reads its parameters, for crash reports. `object` is the buffer;
 * NULL: it is not known. */
static void note_parameters(const struct call *call, const struct object *object,
                            VkDeviceSize offset, uint32_t stride)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    const uint32_t index = commands ? gpu_command_index(commands) : 0;
    if (!object || !commands || index >= commands->action_capacity)
        return;
    commands->actions[index].indirect_buffer =
        atomic_load_explicit(&object->id, memory_order_relaxed);
    commands->actions[index].indirect_offset = offset;
    commands->actions[index].indirect_stride = stride;
}

void gpu_command_note_indirect(const struct call *call, VkBuffer buffer, VkDeviceSize offset,
                               uint32_t stride)
{
    note_parameters(call, call_find(call, (uint64_t)buffer, HANDLE_BUFFER), offset, stride);
}

void gpu_command_note_address(const struct call *call, VkDeviceAddress address, uint32_t stride)
{
    /* One byte is enough here: other rules check that the whole range is in the buffer. */
    const struct address_search found = device_address_find(call->device, address, 1, 0);
    if (found.buffer)
        note_parameters(call, found.buffer->base.object, found.buffer->size - found.rest, stride);
}

/* --- secondaries, and the end of a recording --- */

void gpu_after_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t commandBufferCount,
                                  const VkCommandBuffer *pCommandBuffers)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    for (uint32_t i = 0; commands && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        /* A primary needs the barrier for the host at its end if any secondary of it runs
         * instrumented shaders. */
        commands->instrumented |= secondary && gpu_in_command_buffer(secondary)->commands &&
                                  gpu_in_command_buffer(secondary)->commands->instrumented;
    }
}

/* Makes the shaders' records available to the host. No barrier may follow a suspended render pass
 * instance; the command buffer that ends the instance has one. */
void gpu_before_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands || !commands->instrumented)
        return;
    uint32_t scope = call_command_buffer(call)->scope;
    if (!(scope & SCOPE_PRIMARY) ||
        scope & (SCOPE_INSIDE_RENDER_PASS | SCOPE_SUSPENDED | SCOPE_INSIDE_VIDEO_CODING))
        return;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    call->device->dispatch.CmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                              VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL,
                                              0, NULL);
}
