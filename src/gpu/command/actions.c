/* Keeps the commands of a recording, and the memory that their shaders read. */
#include "gpu/command/command.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/device/survive.h"
#include "base/plain_atomic.h"
#include "base/stack.h"

/* Sizes of a command buffer's chunks in bytes. The first chunks are for small recordings; the
 * others hold the records of 1,000 commands. */
#define CHUNK_SMALL  4096u
#define CHUNK_SIZE   65536u
#define CHUNKS_SMALL 2
/* Rounds a size up to the alignment of pieces of memory. */
#define ALIGN(size_) (((size_) + GPU_MEMORY_ALIGNMENT - 1) & ~(GPU_MEMORY_ALIGNMENT - 1u))

struct gpu_command_buffer *gpu_call_commands(const struct call *call)
{
    const struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    const struct command_buffer *command_buffer = gpu ? call_command_buffer(call) : NULL;
    struct gpu_command_buffer *commands =
        command_buffer ? gpu_in_command_buffer(command_buffer)->commands : NULL;
    /* A command buffer's area may be left from another device that had the same memory. */
    return commands && commands->serial == gpu->serial ? commands : NULL;
}

/* Appends a chunk to the command buffer's. Returns false if memory is out. In an invalid program
 * two threads may be here at once: each appends its own. */
static bool append_chunk(struct gpu_command_buffer *commands, const struct gpu_memory *chunk)
{
    assert(chunk->host);
    mem_growth_lock(); /* mem_grow() says why */
    uint32_t count = commands->chunk_count, capacity = commands->chunk_capacity;
    struct gpu_memory *old = commands->chunks, *chunks = old;
    if (count >= capacity) {
        capacity = capacity ? capacity * 2 : 4;
        chunks = mem_alloc_zeroed(capacity * sizeof(*chunks));
        if (chunks && old)
            memcpy(chunks, old, count * sizeof(*chunks));
    }
    if (chunks) {
        chunks[count] = *chunk;
        plain_store_release(&commands->chunks, chunks);
        commands->chunk_capacity = capacity;
        plain_store_release(&commands->chunk_count, count + 1);
        if (chunks != old)
            mem_retire(old);
    }
    mem_growth_unlock();
    return chunks != NULL;
}

/* Takes memory from the device for a command buffer, `size` bytes at least. Returns false if there
 * is none; nothing has changed then. */
static bool add_chunk(struct gpu_device *gpu, struct gpu_command_buffer *commands, uint32_t size)
{
    uint32_t usual = commands->chunk_count < CHUNKS_SMALL ? CHUNK_SMALL : CHUNK_SIZE;
    struct gpu_memory chunk;
    if (!gpu_memory_take(&gpu->memory, GPU_MEMORY_READ, size > usual ? size : usual, &chunk))
        return false;
    if (append_chunk(commands, &chunk))
        return true;
    gpu_memory_give(&gpu->memory, &chunk);
    return false;
}

void *gpu_command_take(const struct call *call, struct gpu_command_buffer *commands, uint32_t size,
                       VkDeviceAddress *address)
{
    assert(size);
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    uint32_t at = commands->chunk, used = commands->chunk_used;
    size = ALIGN(size);
    /* Chunks are kept over resets and reused from the first one on. A chunk that is too small for
     * this piece is skipped, and stays unused until the next reset. */
    for (;; at++, used = 0) {
        if (at >= plain_load_acquire(&commands->chunk_count)) {
            if (!add_chunk(gpu, commands, size)) {
                gpu_device_stop(call, gpu);
                return NULL;
            }
            at = plain_load_acquire(&commands->chunk_count) - 1;
            used = 0;
        }
        const struct gpu_memory chunk = commands->chunks[at];
        if (used > chunk.size || chunk.size - used < size)
            continue;
        commands->chunk = at;
        commands->chunk_used = used + size;
        *address = chunk.address + used;
        return (unsigned char *)chunk.host + used;
    }
}

/* Doubles the room for actions. If memory is out it does not grow: commands are still counted, and
 * those without room are found by number only. */
static void grow_actions(struct gpu_command_buffer *commands)
{
    uint32_t capacity = commands->action_capacity;
    (void)!mem_grow(&commands->actions, &commands->action_capacity, capacity,
                    capacity ? capacity * 2 : 64, sizeof(*commands->actions));
}

void gpu_action_begin(struct call *call, uint32_t point)
{
    assert(point <= BIND_POINTS);
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands)
        return;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    uint32_t index = atomic_load_explicit(&commands->action_count, memory_order_relaxed);
    if (unlikely(index >= commands->action_capacity))
        grow_actions(commands);
    if (likely(index < plain_load_acquire(&commands->action_capacity)))
        commands->actions[index] = (struct gpu_action){
            .caller = stack_keep(call->caller), /* records are read after the call has returned */
            .pipeline = point < BIND_POINTS ? command_buffer->bind[point].pipeline : 0,
            .command = call->command,
            .number = command_buffer->command_number,
            .label = commands->open_label};
    if (unlikely(gpu_in_device(call->device)->gpu->surviving) && index < commands->action_capacity)
        gpu_survive_command(call, commands, &commands->actions[index]);
    /* Release: a reader of records on another thread sees all actions below the count. */
    atomic_store_explicit(&commands->action_count, index + 1, memory_order_release);
    commands->recorded = commands->indices_seen = commands->first_known = false;
}
