/* Tracks how recorded commands change a command buffer (6.1 "Command Buffer Lifecycle", 8 "Render
 * Pass"). */
#include "state/submit/queue.h"
#include "state/command/command_buffer.h"
#include "base/lock.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/descriptor/descriptor.h"
#include "state/dynamic_values.h"
#include "state/command/event.h"
#include "state/descriptor/heaps.h"
#include "state/hooks.h"
#include "state/memory/image_layout.h"
#include "state/command/inheritance.h"
#include "state/memory/ownership.h"
#include "state/query/query.h"
#include "state/object/reach.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"
#include "base/plain_atomic.h"

#include <string.h>

/* The states of the lifecycle, of which exactly one is set. */
#define SCOPE_LIFECYCLE (SCOPE_INITIAL | SCOPE_RECORDING | SCOPE_EXECUTABLE | SCOPE_INVALID)
/* The bits of `scope` that never change. */
#define SCOPE_LEVEL (SCOPE_PRIMARY | SCOPE_SECONDARY)

/* The memory of freed command buffers is only used for new ones. So if one thread frees a command
 * buffer while another records into it, the other thread still accesses words of the right kind. */
static struct spin_lock free_lock = SPIN_LOCK_INITIALIZER;
static struct command_buffer *free_list GUARDED_BY(free_lock);

/* Zeroes the members from `first_` to the last one before `after_`. */
#define ZERO_MEMBERS(object_, type_, first_, after_)              \
    memset((char *)(object_) + offsetof(struct type_, first_), 0, \
           offsetof(struct type_, after_) - offsetof(struct type_, first_))

/* Prepares the memory of a freed command buffer for a new one. It keeps the arrays that it owns,
 * empty. Its pointers to its object and pool stay until new ones are stored, so that none is NULL
 * meanwhile: a call of another thread may have found the command buffer before it was freed. */
static void command_buffer_clear(struct command_buffer *command_buffer)
{
    /* Members are cleared in groups, as clearing all at once would lose the arrays that are
     * kept. */
    atomic_store_explicit(&command_buffer->base.last_use, 0, memory_order_relaxed);
    ZERO_MEMBERS(command_buffer, command_buffer, scope, uses);
    command_buffer->uses.count = command_buffer->uses.drawn_count = 0;
    command_buffer->uses.incomplete = command_buffer->uses.executes = false;
    use_list_forget_recent(&command_buffer->uses);
    use_list_forget_drawn(&command_buffer->uses);
    for (uint32_t i = 0; i < BIND_POINTS; i++) {
        struct bind_point_state *bind = &command_buffer->bind[i];
        ZERO_MEMBERS(bind, bind_point_state, pipeline, sets);
        bind->dynamic_offset_count = bind->pushed_count = bind->pushed_version = 0;
        bind->pushed_layout = 0;
    }
    command_buffer_forget_vertex_buffers(command_buffer);
    ZERO_MEMBERS(command_buffer, command_buffer, vertex_buffers_lost, vertex_buffers);
}

/* Takes a cleared state from the free list, or allocates one. NULL: out of memory. */
static struct command_buffer *command_buffer_take(void)
{
    /* The lock is held for two loads only: allocation and clearing happen outside. */
    spin_lock_take(&free_lock);
    struct command_buffer *taken = free_list;
    if (taken)
        free_list = taken->next_free;
    spin_lock_release(&free_lock);
    if (taken) {
        command_buffer_clear(taken);
    } else if ((taken = mem_alloc_lines_zeroed(sizeof(*taken)))) {
        use_list_begin(&taken->uses);
        /* Never NULL, so that readers need no check; the first render pass allocates its own. */
        taken->rendering = &no_rendering;
    }
    if (taken && !taken->sections)
        taken->sections = mem_alloc_lines_zeroed(sizeof(*taken->sections));
    return taken;
}

/* The index at which the search for an id begins; `capacity` is a power of two. */
static inline uint32_t executed_place(const struct executed_secondaries *executed, uint64_t id)
{
    return (uint32_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & (executed->capacity - 1);
}

/* The entry with this id, or a free one for it. NULL: the table is full, which can only happen if a
 * wrong program records on two threads. */
static uint64_t *executed_entry(struct executed_secondaries *executed, uint64_t id)
{
    uint32_t at = executed_place(executed, id);
    for (uint32_t i = 0; i < executed->capacity; i++) {
        uint64_t *entry = &executed->ids[(at + i) & (executed->capacity - 1)];
        const uint64_t there = plain_load_relaxed(entry);
        if (there == id || !there)
            return entry;
    }
    return NULL;
}

/* Initial capacity of the table of secondaries; a power of two. */
#define FIRST_EXECUTED 16

/* The table of secondaries, with room for one more; NULL: out of memory. A larger table replaces
 * it, as another thread may be reading the old one. */
static struct executed_secondaries *grow_executed(struct command_buffer *primary)
{
    struct executed_secondaries *old = plain_load_acquire(&primary->executed);
    if (old && old->count < old->capacity / 2)
        return old;
    const uint32_t capacity = old ? old->capacity * 2 : FIRST_EXECUTED;
    struct executed_secondaries *made =
        mem_alloc_zeroed(sizeof(*made) + capacity * sizeof(made->ids[0]));
    if (!made)
        return NULL;
    made->capacity = capacity;
    for (uint32_t i = 0; old && i < old->capacity; i++) {
        /* Indices depend on the capacity, so each id is inserted again. */
        const uint64_t id = plain_load_relaxed(&old->ids[i]);
        if (id)
            *executed_entry(made, id) = id;
    }
    made->count = old ? old->count : 0;
    plain_store_release(&primary->executed, made);
    mem_retire(old);
    return made;
}

/* Notes once that the primary executes the secondary. If memory runs out, the secondary is left
 * out. */
static void note_executed(struct command_buffer *primary, const struct object *secondary)
{
    struct executed_secondaries *executed = secondary ? grow_executed(primary) : NULL;
    uint64_t id = executed ? atomic_load_explicit(&secondary->id, memory_order_relaxed) : 0;
    uint64_t *entry = id ? executed_entry(executed, id) : NULL;
    if (!entry || plain_load_relaxed(entry))
        return;
    plain_store_relaxed(entry, id);
    executed->count++;
}

bool command_buffer_has_executed(const struct command_buffer *primary, uint64_t secondary)
{
    assert(secondary);
    struct executed_secondaries *executed = plain_load_acquire(&primary->executed);
    const uint64_t *entry =
        executed && executed->count ? executed_entry(executed, secondary) : NULL;
    return entry && plain_load_relaxed(entry);
}

/* Empties the list of secondaries, and keeps its memory. */
static void forget_executed(struct command_buffer *primary)
{
    struct executed_secondaries *executed = plain_load_acquire(&primary->executed);
    if (likely(!executed || !executed->count))
        return;
    memset(executed->ids, 0, executed->capacity * sizeof(executed->ids[0]));
    executed->count = 0;
}

/* Resets everything that is bound and set, as all state becomes undefined. */
static void forget_state(struct command_buffer *command_buffer)
{
    for (uint32_t i = 0; i < BIND_POINTS; i++) {
        struct bind_point_state *bind = &command_buffer->bind[i];
        bind->pipeline = 0;
        bind_point_forget(bind);
        /* The next draw or dispatch is checked in full. */
        command_buffer->dirty[i] = DIRTY_ALL;
    }
    command_buffer_forget_vertex_buffers(command_buffer);
    command_buffer->index_buffer = (struct bound_buffer){0};
    command_buffer->restart_index_set = false;
    command_buffer_forget_dynamic(command_buffer);
    memset(command_buffer->shaders, 0, sizeof(command_buffer->shaders));
    command_buffer->shaders_set = 0;
    command_buffer->descriptor_buffer_count = 0;
    heaps_forget(&command_buffer->heaps);
}

/* Forgets the recorded commands (6.1: the initial state). */
static void forget_recording(struct command_buffer *command_buffer)
{
    struct use_list *uses = &command_buffer->uses;
    if (uses->count || uses->incomplete) /* otherwise both caches are empty */
        use_list_forget_recent(uses);
    if (uses->drawn_count)
        use_list_forget_drawn(uses);
    plain_store_relaxed(&uses->count, 0);
    plain_store_relaxed(&uses->drawn_count, 0);
    uses->incomplete = uses->executes = false;
    forget_executed(command_buffer);
    forget_state(command_buffer);
    for (uint32_t i = 0; i < HEAP_KINDS; i++)
        command_buffer->heaps.heaps[i].undefined = false;
    command_buffer->first_instance = FIRST_INSTANCE_NONE;
    command_buffer->acted = false;
    command_buffer_reset_sections(command_buffer);
    if (command_buffer->transfers)
        command_buffer_reset_transfers(command_buffer);
    if (command_buffer->layouts)
        command_buffer_reset_layouts(command_buffer);
    if (command_buffer->events)
        command_buffer_reset_events(command_buffer);
    if (command_buffer->queries)
        command_buffer_reset_queries(command_buffer);
    if (command_buffer->builds)
        command_buffer_reset_builds(command_buffer);
}

void command_buffer_fork(enum fork_step step)
{
    spin_lock_fork(&free_lock, step);
}

void command_buffer_free(struct command_buffer *command_buffer)
{
    assert(command_buffer);
    spin_lock_take(&free_lock);
    command_buffer->next_free = free_list;
    free_list = command_buffer;
    spin_lock_release(&free_lock);
}

/* Gives the recording another number. Code that keeps the number also keeps the command buffer's
 * id, so each command buffer has its own counter. A global counter would be a cache line that all
 * threads write. */
static void count_recording(struct command_buffer *command_buffer)
{
    uint64_t recording = atomic_load_explicit(&command_buffer->recording, memory_order_relaxed);
    atomic_store_explicit(&command_buffer->recording, recording + 1, memory_order_relaxed);
}

/* True if forget_recording() has nothing to do, as no command was recorded since its last call. A
 * refused command does not count, but may have changed `uses` and `dirty`. In new memory `dirty` is
 * 0, and this returns false. */
static bool is_forgotten(const struct command_buffer *command_buffer)
{
    const struct use_list *uses = &command_buffer->uses;
    uint32_t dirty = DIRTY_ALL;
    for (uint32_t i = 0; i < BIND_POINTS; i++)
        dirty &= command_buffer->dirty[i];
    return command_buffer->scope & SCOPE_INITIAL && !command_buffer->command_number &&
           !uses->count && !uses->drawn_count && !uses->incomplete && dirty == DIRTY_ALL;
}

/* Moves the command buffer to a state of the lifecycle, outside of all sections. */
static void enter_state(struct command_buffer *command_buffer, enum command_buffer_scope state)
{
    assert(state && !(state & (state - 1)) && !(state & SCOPE_LEVEL));
    if (unlikely(atomic_load_explicit(&command_buffer->unstamped, memory_order_relaxed)))
        reach_stamp();
    /* the reset of its pool may have done this before vkBeginCommandBuffer */
    if (!is_forgotten(command_buffer))
        forget_recording(command_buffer);
    command_buffer->submitted = command_buffer->stamped = false;
    atomic_store_explicit(&command_buffer->valid_since, 0, memory_order_relaxed);
    command_buffer->scope = (command_buffer->scope & SCOPE_LEVEL) | state;
    command_buffer->command_number = command_buffer->orders = 0;
    command_buffer->began_rendering = false;
    count_recording(command_buffer);
    atomic_store_explicit(&command_buffer->taken_by, 0, memory_order_relaxed);
    atomic_store_explicit(&command_buffer->epoch,
                          atomic_load_explicit(&descriptor_epoch, memory_order_relaxed),
                          memory_order_relaxed);
}

void state_after_CreateCommandPool(struct call *call, VkDevice device,
                                   const VkCommandPoolCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkCommandPool *pCommandPool)
{
    if (call->result != VK_SUCCESS)
        return;
    struct object *object = created_object(call, (uint64_t)*pCommandPool, HANDLE_COMMAND_POOL);
    struct command_pool *pool = object_state_new(object, sizeof(*pool));
    if (!pool)
        return;
    pool->flags = pCreateInfo->flags;
    pool->queue_family = pCreateInfo->queueFamilyIndex;
    if (pool->queue_family < call->device->queue_family_count)
        pool->queue_flags = call->device->queue_families[pool->queue_family].queueFlags;
    object_state_publish(object, pool);
}

/* Resets a command buffer whose pool is reset. object_for_each_child() calls it. */
static void reset_child(struct object *child, void *context)
{
    struct command_buffer *command_buffer = child->state;
    if (command_buffer)
        enter_state(command_buffer, SCOPE_INITIAL);
}

void state_after_ResetCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                  VkCommandPoolResetFlags flags)
{
    struct object *pool = call->result == VK_SUCCESS ? call->named[0].object : NULL;
    if (pool)
        object_for_each_child(pool, reset_child, NULL);
}

void state_after_AllocateCommandBuffers(struct call *call, VkDevice device,
                                        const VkCommandBufferAllocateInfo *pAllocateInfo,
                                        VkCommandBuffer *pCommandBuffers)
{
    if (call->result != VK_SUCCESS)
        return;
    struct object *pool_object =
        device_find(call->device, pAllocateInfo->commandPool, HANDLE_COMMAND_POOL);
    const struct command_pool *pool = object_load_state_typed(pool_object, HANDLE_COMMAND_POOL);
    if (!pool)
        return;
    for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
        uint64_t id;
        struct object *object =
            object_find_dispatchable_id(pCommandBuffers[i], HANDLE_COMMAND_BUFFER, &id);
        struct command_buffer *command_buffer =
            object && !object_load_state(object) ? command_buffer_take() : NULL;
        if (!command_buffer)
            continue;
        command_buffer->base.object = object;
        command_buffer->pool = pool_object;
        command_buffer->queue_family = pool->queue_family;
        command_buffer->queue_flags = pool->queue_flags;
        command_buffer->scope =
            SCOPE_INITIAL |
            (pAllocateInfo->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY ? SCOPE_SECONDARY
                                                                       : SCOPE_PRIMARY);
        /* A command before vkBeginCommandBuffer checks what is bound, which is nothing. The last
         * entry stays 0: it shows that forget_recording() has not run on this memory. */
        for (uint32_t p = 0; p + 1 < BIND_POINTS; p++)
            command_buffer->dirty[p] = DIRTY_ALL;
        if (likely(atomic_load_explicit(&object->id, memory_order_acquire) == id))
            plain_store_release(&object->state, command_buffer);
        else /* another thread has already freed the command buffer or its pool */
            command_buffer_free(command_buffer);
    }
}

/* Notes whether the profiling lock is held throughout a recording. */
static void follow_profiling_lock(const struct call *call, struct command_buffer *command_buffer,
                                  bool begins)
{
    const struct device_state *state = object_load_state(call->device->object);
    if (!state)
        return;
    const uint32_t releases =
        atomic_load_explicit(&state->profiling_releases, memory_order_relaxed);
    if (begins) {
        command_buffer->profiling_releases = releases;
        command_buffer->profiling_lost =
            atomic_load_explicit(&state->profiling, memory_order_relaxed) == PROFILING_RELEASED;
    } else {
        command_buffer->profiling_lost |= command_buffer->profiling_releases != releases;
    }
}

void state_after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || call->result != VK_SUCCESS)
        return;
    /* From any state except the initial one, this resets the command buffer first. */
    enter_state(command_buffer, SCOPE_RECORDING);
    command_buffer->usage = pBeginInfo->flags;
    command_buffer->rendering_flags = 0;
    command_buffer->profiling_lost = false;
    if (unlikely(device_has_feature(call->device, FEATURE_performanceCounterQueryPools)))
        follow_profiling_lock(call, command_buffer, true);
    sections_begin_recording(call, command_buffer, pBeginInfo);
    rendering_begin_recording(call, command_buffer, pBeginInfo);
    inheritance_begin_recording(call, command_buffer, pBeginInfo);
    if ((command_buffer->scope & SCOPE_SECONDARY) &&
        (pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT))
        command_buffer->scope |= SCOPE_INSIDE_RENDER_PASS;
}

void state_after_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    if (unlikely(device_has_feature(call->device, FEATURE_performanceCounterQueryPools)))
        follow_profiling_lock(call, command_buffer, false);
    /* vkCmdExecuteCommands asks later whether the last render pass instance was suspended, so that
     * bit is kept, with the level. */
    uint32_t kept = command_buffer->scope & (SCOPE_LEVEL | SCOPE_SUSPENDED);
    command_buffer->scope = kept | (call->result == VK_SUCCESS ? SCOPE_EXECUTABLE : SCOPE_INVALID);
}

void state_after_ResetCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                    VkCommandBufferResetFlags flags)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer && call->result == VK_SUCCESS)
        enter_state(command_buffer, SCOPE_INITIAL);
}

/* Video coding scopes, and render pass instances in secondaries (those begun here: rendering.c). */

/* Notes that the command buffer is inside of a section. */
static void add_scope(const struct call *call, enum command_buffer_scope scope)
{
    assert(scope);
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        command_buffer->scope |= scope;
}

/* Notes that the command buffer is outside of a section again. */
static void remove_scope(const struct call *call, enum command_buffer_scope scope)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        command_buffer->scope &= ~(uint32_t)scope;
}

void state_after_CmdBeginVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkVideoBeginCodingInfoKHR *pBeginInfo)
{
    add_scope(call, SCOPE_INSIDE_VIDEO_CODING);
}

void state_after_CmdEndVideoCodingKHR(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkVideoEndCodingInfoKHR *pEndCodingInfo)
{
    remove_scope(call, SCOPE_INSIDE_VIDEO_CODING);
}

/* Notes that the primary executes the secondary, and returns the version that the primary keeps: 1
 * + the number of the secondary's recording. "If any element of pCommandBuffers was not recorded
 * with the VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT flag, and it was recorded into any other
 * primary command buffer which is currently in the executable or recording state, that primary
 * command buffer becomes invalid": at its submit, that primary finds another number. 0 if `primary`
 * is itself a secondary, which the sentence does not mention. */
static uint32_t take_over(const struct command_buffer *primary, struct command_buffer *secondary)
{
    assert(primary);
    if (!secondary || primary->scope & SCOPE_SECONDARY)
        return 0;
    uint64_t id = object_state_id(&primary->base);
    if (!(secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) &&
        atomic_exchange_explicit(&secondary->taken_by, id, memory_order_relaxed) != id)
        count_recording(secondary);
    return (uint32_t)atomic_load_explicit(&secondary->recording, memory_order_relaxed) + 1;
}

/* Resets all state except some heaps: one that every secondary inherits "is not disturbed by
 * executing secondary command buffers" (6 "Command Buffers"). */
static void forget_state_but_heaps(struct command_buffer *primary, uint32_t count,
                                   const VkCommandBuffer *secondaries)
{
    struct bound_heap heaps[HEAP_KINDS];
    bool kept[HEAP_KINDS] = {!heaps_are_invalid(primary), !heaps_are_invalid(primary)};
    memcpy(heaps, primary->heaps.heaps, sizeof(heaps));
    for (uint32_t i = 0; i < count; i++) {
        const struct command_buffer *secondary = find_command_buffer(secondaries[i]);
        const struct command_buffer_inheritance *inheritance = inheritance_of(secondary);
        for (uint32_t k = 0; k < HEAP_KINDS; k++)
            /* A secondary that does not inherit a heap may have bound another one. */
            kept[k] = kept[k] && inheritance && inheritance->heaps[k].bound;
    }
    forget_state(primary);
    for (uint32_t k = 0; k < HEAP_KINDS; k++) {
        if (kept[k])
            primary->heaps.heaps[k] = heaps[k];
    }
}

/* After a secondary with whole dynamic render pass instances, the primary is where its last
 * instance ended. */
void state_after_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                    uint32_t commandBufferCount,
                                    const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct object *object =
            object_find_dispatchable(pCommandBuffers[i], HANDLE_COMMAND_BUFFER);
        command_buffer_uses_version(primary, object,
                                    take_over(primary,
                                              object_load_state_typed(object,
                                                                      HANDLE_COMMAND_BUFFER)));
        primary->uses.executes = true;
        note_executed(primary, object);
    }
    /* 6 "Command Buffers": "all state of the primary command buffer is undefined after an execute
     * secondary command buffer command is recorded". With the feature, secondaries return their
     * state. */
    if (primary && !device_has_feature(call->device, FEATURE_commandBufferInheritance))
        forget_state_but_heaps(primary, commandBufferCount, pCommandBuffers);
    else if (primary)
        primary->heaps.unknown = true;
    if (!primary || (primary->scope & SCOPE_INSIDE_RENDER_PASS))
        return;
    for (uint32_t i = 0; i < commandBufferCount; i++) {
        const struct object *object =
            object_find_dispatchable(pCommandBuffers[i], HANDLE_COMMAND_BUFFER);
        const struct command_buffer *secondary = object ? object->state : NULL;
        if (secondary && primary->first_instance == FIRST_INSTANCE_NONE) {
            primary->first_instance = secondary->first_instance;
            primary->acted |= secondary->acted;
        }
        if (!secondary || !secondary->began_rendering)
            continue;
        primary->scope =
            (primary->scope & ~(uint32_t)SCOPE_SUSPENDED) | (secondary->scope & SCOPE_SUSPENDED);
        primary->began_rendering = true;
        rendering_take_suspended(primary, secondary);
    }
}
