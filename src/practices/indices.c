/* Advice on the content of index buffers, for Arm's GPUs. Indices are read through the program's
 * mapping, before a command buffer that draws with them is submitted. By then the program has
 * written them, and it must not change them before they are drawn. */
#include "practices/indices.h"

#include "practices/advise.h"
#include "practices/hooks.h"
#include "practices/practices.h"
#include "state/memory/buffer.h"
#include "vk/index_type.h"

#include <inttypes.h>

/* The most indices of a draw that are read. */
#define MOST_INDICES 65536
/* The most ranges of indices that are read per device, as host reads of such memory may be slow. */
#define MOST_RANGES 256
/* The number of entries in a simulated cache of transformed vertices. GPUs have 16 to 32. */
#define CACHE_VERTICES 32
/* The accepted average number of transforms per vertex: a grid that is drawn row by row has two. */
#define TRANSFORMS 2
/* A range is dense if at least one of so many vertices is used. */
#define DENSITY 2
/* Usages with which a device only reads buffers. With other usages the device may have written the
 * indices. */
#define READ_ONLY                                                                        \
    (VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_2_VERTEX_BUFFER_BIT |          \
     VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT | \
     VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT |        \
     VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR)

struct lock practices_mapping_lock = LOCK_INITIALIZER;

void practices_fork(enum fork_step step)
{
    lock_fork(&practices_mapping_lock, step);
}

/* --- what is mapped --- */

/* Notes where memory is mapped, so that indices can be read. Takes the lock of mappings. */
static void note_mapping(const struct call *call, VkDeviceMemory handle, VkDeviceSize offset,
                         VkDeviceSize size, const void *pointer)
{
    const struct device_memory *memory =
        call->result == VK_SUCCESS && practices_want(call, PRACTICE_ARM)
            ? find_device_memory(call, handle)
            : NULL;
    if (!memory || memory->import_type)
        return;
    struct practices_in_memory *kept = practices_in_memory(memory);
    lock_take(&practices_mapping_lock);
    kept->map_pointer = pointer;
    kept->map_offset = offset;
    kept->map_size = size == VK_WHOLE_SIZE ? memory->size - offset : size;
    lock_release(&practices_mapping_lock);
}

/* Notes that a mapping ends. It waits until no thread reads there. */
static void end_mapping(const struct call *call, VkDeviceMemory handle)
{
    const struct device_memory *memory = find_device_memory(call, handle);
    if (!memory)
        return;
    lock_take(&practices_mapping_lock);
    practices_in_memory(memory)->map_pointer = NULL;
    lock_release(&practices_mapping_lock);
}

void practices_after_MapMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                               VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,
                               void **ppData)
{
    note_mapping(call, memory, offset, size, *ppData);
}

void practices_after_MapMemory2(struct call *call, VkDevice device,
                                const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
    note_mapping(call, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                 *ppData);
}

void practices_before_UnmapMemory(struct call *call, VkDevice device, VkDeviceMemory memory)
{
    end_mapping(call, memory);
}

void practices_before_UnmapMemory2(struct call *call, VkDevice device,
                                   const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
    end_mapping(call, pMemoryUnmapInfo->memory);
}

void practices_before_FreeMemory_mapping(struct call *call, VkDevice device, VkDeviceMemory memory,
                                         const VkAllocationCallbacks *pAllocator)
{
    end_mapping(call, memory);
}

/* --- draws that are kept --- */

/* Keeps an indexed draw, one for each place in a buffer. Only the INDEXED_DRAWS largest ones are
 * kept. */
static void indexed_draw_keep(struct practices_of_command_buffer *kept,
                              const struct indexed_draw *draw)
{
    struct indexed_draw *least = &kept->indexed[0];
    for (uint32_t i = 0; i < kept->indexed_count; i++) {
        struct indexed_draw *other = &kept->indexed[i];
        if (other->buffer == draw->buffer && other->offset == draw->offset &&
            other->type == draw->type) {
            other->count = other->count > draw->count ? other->count : draw->count;
            return;
        }
        least = other->count < least->count ? other : least;
    }
    if (kept->indexed_count < INDEXED_DRAWS)
        least = &kept->indexed[kept->indexed_count++];
    *least = *draw;
    if (kept->indexed_count < INDEXED_DRAWS)
        return;
    uint32_t count = UINT32_MAX - 1;
    for (uint32_t i = 0; i < INDEXED_DRAWS; i++)
        count = count < kept->indexed[i].count ? count : kept->indexed[i].count;
    /* Smaller draws are not noted any more, as the list is full of larger ones. */
    kept->least_indices = count + 1;
}

void indices_note(const struct call *call, uint32_t count, uint32_t first)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct bound_buffer *bound = &command_buffer->index_buffer;
    const uint32_t size = index_size(command_buffer->index_type);
    if (!bound->buffer || !size || (uint64_t)first * size >= bound->size)
        return;
    const uint64_t there = bound->size / size - first;
    const struct indexed_draw draw = {
        .buffer = bound->buffer,
        .offset = bound->offset + (VkDeviceSize)first * size,
        .count = there < count ? (uint32_t)there : count,
        .type = command_buffer->index_type,
        .restart = command_buffer->restart_index_set ? command_buffer->restart_index : UINT32_MAX};
    if (draw.count >= FEW_INDICES)
        indexed_draw_keep(kept, &draw);
}

void indices_execute(const struct call *call, VkCommandBuffer secondary)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct command_buffer *executed = find_command_buffer(secondary);
    if (!kept || !executed)
        return;
    const struct practices_of_command_buffer *of = &practices_in_command_buffer(executed)->kept;
    for (uint32_t i = 0; i < of->indexed_count && i < INDEXED_DRAWS; i++) {
        if (of->indexed[i].count >= kept->least_indices)
            indexed_draw_keep(kept, &of->indexed[i]);
    }
}

/* --- what is in them --- */

/* Copies indices, widened to 32 bits. Indices that restart primitives become all ones. The thread
 * sanitizer is off, as it is the program's mistake if it writes its memory meanwhile. */
__attribute__((no_sanitize("thread"))) static void
copy_indices(uint32_t *copy, const void *from, const struct indexed_draw *draw, uint32_t count)
{
    const uint32_t size = index_size(draw->type), ones = UINT32_MAX >> (32 - 8 * size);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = size == 1   ? ((const volatile uint8_t *)from)[i]
                               : size == 2 ? ((const volatile uint16_t *)from)[i]
                                           : ((const volatile uint32_t *)from)[i];
        copy[i] = index == ones || index == draw->restart ? UINT32_MAX : index;
    }
}

/* Reads the first `count` indices, which the caller frees. NULL: they are not mapped or not
 * aligned, or memory ran out. */
static uint32_t *read_indices(const struct buffer *buffer, const struct indexed_draw *draw,
                              uint32_t count)
{
    const struct device_memory *memory = device_memory_by_id(buffer->binding.memory);
    const VkDeviceSize size = (VkDeviceSize)count * index_size(draw->type);
    const VkDeviceSize at = buffer->binding.offset + draw->offset;
    if (!memory)
        return NULL;
    const struct practices_in_memory *kept = practices_in_memory(memory);
    uint32_t *copy = NULL;
    lock_take(&practices_mapping_lock);
    if (kept->map_pointer && at >= kept->map_offset && size <= kept->map_size &&
        at - kept->map_offset <= kept->map_size - size) {
        const char *from = (const char *)kept->map_pointer + (at - kept->map_offset);
        /* Unaligned indices are reported elsewhere. */
        copy = (uintptr_t)from % index_size(draw->type) ? NULL : mem_alloc(count * sizeof(*copy));
        if (copy)
            copy_indices(copy, from, draw, count);
    }
    lock_release(&practices_mapping_lock);
    return copy;
}

/* The result of drawing a range of indices with a simulated cache. */
struct index_facts {
    uint32_t lowest, highest; /* vertex indices */
    uint32_t vertices;        /* number of different vertices */
    uint32_t transforms;      /* transforms of vertices that were not in the cache */
};

/* The table has 1 << TABLE_BITS entries. */
#define TABLE_BITS 17
static_assert(MOST_INDICES * 2 <= 1 << TABLE_BITS, "half of the table stays empty");

/* A transformed vertex. `number`: how many transforms there were by then; 0: a free entry. */
struct transformed {
    uint32_t index, number;
};

/* Simulates a cache that drops the oldest vertex. `table`: 1 << TABLE_BITS entries, all free. */
static void draw_indices(struct index_facts *facts, struct transformed *table,
                         const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = indices[i];
        uint32_t place = index * 2654435761u >> (32 - TABLE_BITS);
        if (index == UINT32_MAX)
            continue;
        while (table[place].number && table[place].index != index)
            place = (place + 1) & ((1u << TABLE_BITS) - 1);
        if (table[place].number && facts->transforms - table[place].number < CACHE_VERTICES)
            continue;
        facts->vertices += !table[place].number;
        table[place] = (struct transformed){index, ++facts->transforms};
        facts->lowest = facts->lowest < index ? facts->lowest : index;
        facts->highest = facts->highest > index ? facts->highest : index;
    }
}

/* --- submissions --- */

/* One command buffer of a submission. Threads: on the stack of the hook. */
struct submitted_indices {
    const struct call *call;
    const struct location *where;
    VkCommandBuffer command_buffer;
};

/* Judges how the indices of a draw use the vertex cache. `looked_at`: how many of them were
 * read. */
static void judge_facts(const struct submitted_indices *submitted, const struct buffer *buffer,
                        const struct indexed_draw *draw, const struct index_facts *facts,
                        uint32_t looked_at)
{
    const struct call *call = submitted->call;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_COMMAND_BUFFER, (uintptr_t)submitted->command_buffer, HANDLE_BUFFER,
                object_state_handle(&buffer->base));
    const uint64_t range = (uint64_t)facts->highest - facts->lowest + 1;
    if (facts->transforms > (uint64_t)facts->vertices * TRANSFORMS)
        advise(call, BestPractices_Arm_vkCmdDrawIndexed_post_transform_cache_thrashing,
               submitted->where, objects,
               "draws %u indices from byte %" PRIu64 " of %s: with a cache of %u vertices, the "
               "first %u of them transform %u vertices %u times",
               draw->count, draw->offset, NAMED_STATE(call, &buffer->base), CACHE_VERTICES,
               looked_at, facts->vertices, facts->transforms);
    /* The range is only known if all indices were read. */
    if (looked_at == draw->count && range > (uint64_t)facts->vertices * DENSITY)
        advise(call, BestPractices_Arm_vkCmdDrawIndexed_sparse_index_buffer, submitted->where,
               objects,
               "draws %u indices from byte %" PRIu64 " of %s: they use %u of the %" PRIu64
               " vertices from %u to %u",
               draw->count, draw->offset, NAMED_STATE(call, &buffer->base), facts->vertices, range,
               facts->lowest, facts->highest);
}

/* A key for a range, which is practically unique. Never 0. */
static uint64_t range_key(const struct indexed_draw *draw)
{
    uint64_t key = draw->buffer * 0x9e3779b97f4a7c15u;
    key = (key ^ draw->offset) * 0x9e3779b97f4a7c15u;
    key = (key ^ draw->count) * 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) | 1;
}

/* Reads the indices of a submitted draw, once for each range, and judges them. */
static void judge_draw(const struct submitted_indices *submitted, struct practices_of_device *kept,
                       const struct indexed_draw *draw)
{
    const struct buffer *buffer = buffer_by_id(draw->buffer);
    const uint64_t key = range_key(draw);
    _Atomic uint64_t *judged = &kept->judged_indices[(key >> 32) % JUDGED_INDICES];
    const uint32_t count = draw->count < MOST_INDICES ? draw->count : MOST_INDICES;
    if (atomic_load_explicit(judged, memory_order_relaxed) == key ||
        atomic_load_explicit(&kept->judged_count, memory_order_relaxed) >= MOST_RANGES || !buffer ||
        buffer->usage & ~READ_ONLY || buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT ||
        buffer->external_types || draw->count < FEW_INDICES)
        return;
    uint32_t *indices = read_indices(buffer, draw, count);
    struct transformed *table = indices ? mem_alloc_zeroed(sizeof(*table) << TABLE_BITS) : NULL;
    if (table) {
        struct index_facts facts = {.lowest = UINT32_MAX};
        /* This is stored before judging, so that two threads rarely judge the same range. */
        atomic_store_explicit(judged, key, memory_order_relaxed);
        practices_count(&kept->judged_count);
        draw_indices(&facts, table, indices, count);
        if (facts.vertices)
            judge_facts(submitted, buffer, draw, &facts, count);
    }
    mem_free(table);
    mem_free(indices);
}

void indices_submit(const struct call *call, const struct location *where,
                    VkCommandBuffer command_buffer)
{
    const struct command_buffer *state = find_command_buffer(command_buffer);
    struct practices_of_device *kept = practices_of_device(call->device);
    const struct submitted_indices submitted = {call, where, command_buffer};
    if (!state || !kept)
        return;
    const struct practices_of_command_buffer *of = &practices_in_command_buffer(state)->kept;
    for (uint32_t i = 0; i < of->indexed_count && i < INDEXED_DRAWS; i++)
        judge_draw(&submitted, kept, &of->indexed[i]);
}
