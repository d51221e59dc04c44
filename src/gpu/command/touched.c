/* Makes the memory in which the shaders of a command report which descriptors they access. */
#include "gpu/command/touched.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/pipeline/pipeline.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* The most descriptors that one command can report, counted for reading and writing, and for each
 * stage. Draws are many, and access few descriptors. */
#define TOUCHED_BY_DRAW  256u
#define TOUCHED_BY_OTHER 4096u

void gpu_touched_begin(struct gpu_device *gpu, struct command_buffer *command_buffer)
{
    if (!touched_are_asked_for(&gpu->device->instance->settings))
        return;
    /* The memory is made once and kept with the command buffer. If memory is out, nothing is
     * reported. */
    if (!command_buffer->touched)
        command_buffer->touched = mem_alloc_lines_zeroed(sizeof(*command_buffer->touched));
    struct touched_recording *touched = command_buffer->touched;
    if (!touched)
        return;
    gpu_touched_forget(command_buffer);
    arena_rewind(&touched->arena);
    atomic_store_explicit(&touched->mixed, false, memory_order_relaxed);
    touched->executed = NULL;
    touched->executed_count = touched->executed_capacity = 0;
}

void gpu_touched_forget(struct command_buffer *command_buffer)
{
    struct touched_recording *touched = command_buffer->touched;
    if (!touched)
        return;
    /* A reader compares the generation before and after it has read, and so notices the reset. */
    touched->last = NULL;
    atomic_fetch_add_explicit(&touched->generation, 1, memory_order_release);
}

/* True if some stage of the pipeline reports which descriptors it accesses. `pipeline` is NULL if
 * the program's pipeline runs unchanged, and reports nothing. */
static bool stages_touch(const struct gpu_pipeline *pipeline)
{
    bool touch = false;
    for (uint32_t i = 0; pipeline && i < pipeline->stage_count; i++)
        touch |= pipeline->stages[i].shader->touches;
    return touch;
}

/* True if the shaders of the command report which descriptors they access: those of the bound
 * pipeline, or the bound shader objects if there is none. */
static bool shaders_touch(const struct command_buffer *command_buffer, uint32_t point)
{
    const struct pipeline *pipeline = pipeline_by_id(command_buffer->bind[point].pipeline);
    bool touch = pipeline && stages_touch(gpu_in_pipeline(pipeline)->changed);
    for (uint32_t i = 0; i < BOUND_SHADERS && !command_buffer->bind[point].pipeline; i++) {
        const struct shader_object *shader = shader_object_by_id(command_buffer->shaders[i]);
        touch |= shader && stages_touch(gpu_in_shader_object(shader)->changed);
    }
    return touch;
}

/* Reads the first `set_count` bound sets. A set is 0 if its contents will not be known: a pushed
 * set may be pushed again before the report is read. Returns how many descriptors they have. */
static uint64_t read_sets(const struct bind_point_state *bind, uint32_t set_count, uint64_t *sets)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < set_count; i++) {
        const struct bound_set *slot = bound_set_at(bind, i);
        sets[i] = slot && slot->kind == BOUND_SET ? slot->set : 0;
        const struct descriptor_set *set = sets[i] ? descriptor_set_by_id(sets[i]) : NULL;
        count += set ? set->descriptor_count : 0;
    }
    return count;
}

void gpu_touched_record(const struct call *call, struct gpu_command_buffer *commands,
                        uint32_t point, uint32_t *record)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct touched_recording *touched = command_buffer->touched;
    if (!touched || point >= BIND_POINTS || !shaders_touch(command_buffer, point))
        return;
    const struct bind_point_state *bind = &command_buffer->bind[point];
    const uint32_t set_count = bind->set_count;
    struct touched_command *command =
        arena_take(&touched->arena, sizeof(*command) + set_count * sizeof(command->sets[0]));
    if (!command)
        return;
    /* A descriptor takes two entries at most: one for reading and one for writing. */
    uint64_t most = 2 * read_sets(bind, set_count, command->sets);
    uint32_t limit = point ? TOUCHED_BY_OTHER : TOUCHED_BY_DRAW, slots = 16;
    limit = most < limit ? (uint32_t)most : limit;
    /* The slots are a power of two, at least twice the limit, so that the shader's hash table is at
     * most half full. */
    while (slots < 2 * limit)
        slots *= 2;
    VkDeviceAddress address;
    uint32_t head = (TOUCHED_SLOTS + slots) * (uint32_t)sizeof(uint32_t);
    uint32_t *words =
        gpu_command_take(call, commands, head + limit * TOUCHED_WORDS * (uint32_t)sizeof(uint32_t),
                         &address);
    if (!words)
        return;
    memset(words, 0, head);
    words[TOUCHED_MASK] = slots - 1;
    words[TOUCHED_LIMIT] = limit;
    command->words = words;
    command->slots = slots;
    command->limit = limit;
    command->set_count = set_count;
    touched->last = command;
    memcpy(&record[COMMAND_TOUCHED], &address, sizeof(address));
}
