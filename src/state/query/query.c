/* Tracks how recorded commands change queries (18 "Queries"). */
#include "state/query/query.h"
#include "state/hooks.h"
#include "state/object/object_lines.h"
#include "state/submit/queue.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"
#include "base/plain_atomic.h"
#include "state/memory/video_profile.h"
#include "vk/chain.h"
#include "vk/pointer.h"

#include <string.h>

/* The most queries of a pool that are tracked; no program has a larger pool. */
#define QUERIES_TRACKED (1u << 20)

bool query_pool_was_reset(const struct query_pool *pool, uint32_t query)
{
    assert(pool);
    return !pool->tracks_reset || query >= pool->count ||
           atomic_load_explicit(&pool->was_reset[query / 64], memory_order_relaxed) >>
                   (query % 64) &
               1;
}

/* Notes that queries were reset at some time, a bit each. */
static void note_reset(struct query_pool *pool, uint32_t first, uint32_t count)
{
    if (!pool || !pool->tracks_reset || first >= pool->count)
        return;
    for (uint32_t i = 0; i < count && i < pool->count - first; i++) {
        uint32_t query = first + i;
        uint64_t bit = 1ull << (query % 64);
        if (!(atomic_load_explicit(&pool->was_reset[query / 64], memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(&pool->was_reset[query / 64], bit, memory_order_relaxed);
    }
}

void state_before_ResetQueryPool(struct call *call, VkDevice device, VkQueryPool queryPool,
                                 uint32_t firstQuery, uint32_t queryCount)
{
    struct query_pool *pool = named_query_pool(call, 0, queryPool);
    note_reset(pool, firstQuery, queryCount);
    for (uint32_t i = 0; pool && pool->left && firstQuery < pool->count && i < queryCount &&
                         i < pool->count - firstQuery;
         i++)
        atomic_store_explicit(&pool->left[firstQuery + i], QUERY_LEFT_RESET, memory_order_relaxed);
}

/* True for types of queries that are tracked across submissions. Each is written by one submission,
 * and only by commands that are tracked here. */
static bool follows_submissions(VkQueryType type)
{
    return type == VK_QUERY_TYPE_OCCLUSION || type == VK_QUERY_TYPE_PIPELINE_STATISTICS ||
           type == VK_QUERY_TYPE_TIMESTAMP || type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
           type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT ||
           type == VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT;
}

uint32_t performance_counter_count(const struct device *device, uint32_t family)
{
    uint32_t count = 0;
    const PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR ask =
        device->instance->dispatch.EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR;
    if (!ask || family >= device->queue_family_count ||
        ask(device->physical_device, family, &count, NULL, NULL) != VK_SUCCESS)
        return 0;
    return count;
}

/* The queue families with queryResultStatusSupport, a bit each. If the driver does not answer, all
 * have it, and so do families from 32 on. */
static COLD uint32_t ask_status_families(const struct device *device)
{
    enum { FAMILIES = 32 };
    VkQueueFamilyQueryResultStatusPropertiesKHR status[FAMILIES];
    VkQueueFamilyProperties2 families[FAMILIES];
    PFN_vkGetPhysicalDeviceQueueFamilyProperties2 ask =
        device->instance->dispatch.GetPhysicalDeviceQueueFamilyProperties2;
    uint32_t count = FAMILIES, supporting = UINT32_MAX;
    for (uint32_t i = 0; i < FAMILIES; i++) {
        /* A driver that does not support the structure leaves VK_FALSE. */
        status[i] = (VkQueueFamilyQueryResultStatusPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_QUERY_RESULT_STATUS_PROPERTIES_KHR};
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &status[i]};
    }
    if (!ask)
        return supporting;
    ask(device->physical_device, &count, families);
    for (uint32_t i = 0; i < count && i < FAMILIES; i++)
        supporting &= ~((uint32_t)!status[i].queryResultStatusSupport << i);
    return supporting;
}

bool query_status_supported(const struct device *device, uint32_t family)
{
    const uint64_t asked = 1ull << 32;
    struct device_state *state = device_state_make(device);
    uint64_t known =
        state ? atomic_load_explicit(&state->status_families, memory_order_relaxed) : 0;
    if (unlikely(!known)) {
        known = asked | ask_status_families(device);
        if (state)
            atomic_store_explicit(&state->status_families, known, memory_order_relaxed);
    }
    return family >= 32 || known >> family & 1;
}

/* The scopes of these counters, as far as the driver reports them. */
static uint32_t counter_scopes(const struct device *device,
                               const VkQueryPoolPerformanceCreateInfoKHR *info)
{
    uint32_t count = performance_counter_count(device, info->queueFamilyIndex), scopes = 0;
    VkPerformanceCounterKHR *counters = count ? mem_alloc_zeroed(count * sizeof(*counters)) : NULL;
    for (uint32_t i = 0; counters && i < count; i++)
        counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
    if (counters &&
        device->instance->dispatch.EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
            device->physical_device, info->queueFamilyIndex, &count, counters, NULL) ==
            VK_SUCCESS) {
        for (uint32_t i = 0; i < info->counterIndexCount; i++) {
            const uint32_t counter = info->pCounterIndices[i];
            /* An index without a counter is reported elsewhere. */
            if (counter < count && (uint32_t)counters[counter].scope < 32)
                scopes |= 1u << counters[counter].scope;
        }
    }
    mem_free(counters);
    return scopes;
}

/* Notes the performance counters of a pool, and their scopes. */
static void take_counters(const struct device *device, struct query_pool *pool,
                          const VkQueryPoolCreateInfo *info)
{
    const VkQueryPoolPerformanceCreateInfoKHR *counters =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR);
    pool->counter_family = UINT32_MAX;
    if (pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR || !counters ||
        pointer_is_bad(counters->pCounterIndices))
        return;
    pool->counter_family = counters->queueFamilyIndex;
    pool->counter_count = counters->counterIndexCount;
    pool->counter_scopes = counter_scopes(device, counters);
}

void state_after_AcquireProfilingLockKHR(struct call *call, VkDevice device,
                                         const VkAcquireProfilingLockInfoKHR *pInfo)
{
    struct device_state *state =
        call->result == VK_SUCCESS ? device_state_make(call->device) : NULL;
    if (!state)
        return;
    const uint32_t before =
        atomic_exchange_explicit(&state->profiling, PROFILING_LOCKED, memory_order_relaxed);
    if (before == PROFILING_LOCKED || before == PROFILING_SHARED)
        atomic_store_explicit(&state->profiling, PROFILING_SHARED, memory_order_relaxed);
}

/* Before the driver's function: another thread may acquire the lock as soon as the driver has
 * released it. */
void state_before_ReleaseProfilingLockKHR(struct call *call, VkDevice device)
{
    struct device_state *state = device_state_make(call->device);
    uint32_t locked = PROFILING_LOCKED;
    if (!state)
        return;
    atomic_fetch_add_explicit(&state->profiling_releases, 1, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&state->profiling, &locked, PROFILING_RELEASED,
                                            memory_order_relaxed, memory_order_relaxed);
}

void state_after_CreateQueryPool(struct call *call, VkDevice device,
                                 const VkQueryPoolCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkQueryPool *pQueryPool)
{
    struct object *object = created_object(call, (uint64_t)*pQueryPool, HANDLE_QUERY_POOL);
    bool tracks = pCreateInfo->queryCount <= QUERIES_TRACKED;
    size_t words = tracks ? (pCreateInfo->queryCount + 63) / 64 : 0;
    size_t left =
        tracks && follows_submissions(pCreateInfo->queryType) ? pCreateInfo->queryCount : 0;
    size_t stamps = tracks ? pCreateInfo->queryCount : 0;
    struct query_pool *pool =
        object_state_new_lines(object, sizeof(*pool) +
                                           (words + stamps) * sizeof(pool->was_reset[0]) + left);
    if (!pool)
        return;
    pool->last_use = stamps ? &pool->was_reset[words] : NULL;
    pool->left = left ? (_Atomic uint8_t *)&pool->was_reset[words + stamps] : NULL;
    for (size_t i = 0; i < left && pCreateInfo->flags; i++)
        atomic_init(&pool->left[i], QUERY_LEFT_RESET);
    /* With the flag VK_QUERY_POOL_CREATE_RESET_BIT_KHR queries are reset from the beginning. */
    pool->tracks_reset = tracks && !pCreateInfo->flags;
    pool->type = pCreateInfo->queryType;
    pool->count = pCreateInfo->queryCount;
    pool->statistics = pCreateInfo->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS
                           ? pCreateInfo->pipelineStatistics
                           : 0;
    pool->video_profile = video_profile_of_queries(pCreateInfo->pNext);
    take_counters(call->device, pool, pCreateInfo);
    object_state_publish(object, pool);
}

/* The largest table of a command buffer, for a million queries. Beyond that it is as if memory ran
 * out, as only mistakes use so many. */
#define CAPACITY_MOST (1u << 21)

/* The index at which the search for a query begins; `capacity` is a power of two. */
static uint32_t queries_slot(uint64_t pool, uint32_t query, uint32_t capacity)
{
    assert(capacity && !(capacity & (capacity - 1)));
    uint64_t hash = (object_index(pool) * 0x9e3779b97f4a7c15ull) ^ (query * 0xc2b2ae3d27d4eb4full);
    return (uint32_t)(hash >> 32) & (capacity - 1);
}

struct recorded_query *command_buffer_query(const struct command_buffer *command_buffer,
                                            uint64_t pool, uint32_t query)
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries || !queries->count)
        return NULL;
    const uint32_t capacity = plain_load_acquire(&queries->capacity);
    struct recorded_query *slots = queries->slots;
    for (uint32_t i = queries_slot(pool, query, capacity);; i = (i + 1) & (capacity - 1)) {
        struct recorded_query *found = &slots[i];
        /* Slots are never freed one by one, so a free slot ends the search. */
        if (!found->pool)
            return NULL;
        if (found->pool == pool && found->query == query)
            return found;
    }
}

/* The slot of a query, or the free slot where it would be inserted. */
static struct recorded_query *queries_insert(struct recorded_query *slots, uint32_t capacity,
                                             uint64_t pool, uint32_t query)
{
    assert(pool && capacity);
    uint32_t i = queries_slot(pool, query, capacity);
    while (slots[i].pool && !(slots[i].pool == pool && slots[i].query == query))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

/* Doubles the table of recorded queries. False: it is too large, or memory ran out. */
static bool queries_grow(struct command_buffer_queries *queries)
{
    mem_growth_lock(); /* mem_grow() explains it */
    uint32_t had = queries->capacity, capacity = had ? had * 2 : 64;
    struct recorded_query *old = queries->slots;
    struct recorded_query *slots =
        had < CAPACITY_MOST ? mem_alloc_lines_zeroed(capacity * sizeof(*slots)) : NULL;
    for (uint32_t i = 0; slots && i < had; i++) {
        const struct recorded_query copy = old[i];
        if (copy.pool)
            *queries_insert(slots, capacity, copy.pool, copy.query) = copy;
    }
    if (slots) {
        plain_store_release(&queries->slots, slots);
        plain_store_release(&queries->capacity, capacity);
        mem_retire(old);
    }
    mem_growth_unlock();
    return slots != NULL;
}

/* The query's entry, which is added if necessary; NULL: out of memory. */
static struct recorded_query *queries_touch(struct command_buffer *command_buffer,
                                            const struct query_pool *pool, uint32_t query)
{
    struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries)
        queries = mem_make(&command_buffer->queries, NULL, sizeof(*queries));
    if (!queries)
        return NULL;
    uint64_t id = object_state_id(&pool->base);
    if (queries->count * 2 >= queries->capacity && !queries_grow(queries)) {
        queries->incomplete = true;
        /* A query that already has an entry is still tracked. */
        return command_buffer_query(command_buffer, id, query);
    }
    const uint32_t capacity = plain_load_acquire(&queries->capacity);
    struct recorded_query *entry = queries_insert(queries->slots, capacity, id, query);
    if (!entry->pool) {
        *entry = (struct recorded_query){.pool = id, .query = query, .type = pool->type};
        queries->count++;
    }
    return entry;
}

void command_buffer_reset_queries(struct command_buffer *command_buffer)
{
    struct command_buffer_queries *queries = command_buffer->queries;
    if (!queries || !queries->count)
        return;
    const uint32_t capacity = plain_load_acquire(&queries->capacity);
    memset(queries->slots, 0, capacity * sizeof(*queries->slots));
    queries->count = queries->active_count = queries->counted_end = 0;
    queries->incomplete = false;
}

/* The number of queries that one command uses: with multiview, one for each view of the render pass
 * instance. */
static uint32_t view_count(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    return rendering && rendering->view_mask ? (uint32_t)__builtin_popcount(rendering->view_mask)
                                             : 1;
}

/* Notes that the command buffer has begun the query. */
static void note_begin(struct call *call, VkQueryPool handle, uint32_t query,
                       VkQueryControlFlags flags)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct query_pool *pool = find_query_pool(call, handle);
    struct recorded_query *entry =
        command_buffer && pool
            ? command_buffer_query(command_buffer, object_state_id(&pool->base), query)
            : NULL;
    if (!entry)
        return;
    entry->begun = true;
    entry->flags = flags;
}

/* Notes the state into which a command brings queries. `index`: that of an indexed command, or
 * 0. */
static void set_state(struct call *call, VkQueryPool handle, uint32_t first, uint32_t count,
                      enum query_state state, uint32_t index)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct query_pool *pool = find_query_pool(call, handle);
    if (!command_buffer || !pool)
        return;
    command_buffer_uses(command_buffer, pool->base.object);
    for (uint32_t i = 0; i < count && first < pool->count && i < pool->count - first; i++) {
        struct recorded_query *query = queries_touch(command_buffer, pool, first + i);
        if (!query)
            return;
        struct command_buffer_queries *queries = command_buffer->queries;
        queries->active_count += (state == QUERY_ACTIVE) - (query->state == QUERY_ACTIVE);
        /* The first command on the query decides what submissions must have done before. */
        if (query->state == QUERY_UNTOUCHED && !query->first) {
            query->first = (uint16_t)call->command;
            query->reset_first = state == QUERY_RESET;
            query->muted = command_buffer_is_muted(command_buffer);
        }
        query->state = (uint8_t)state;
        query->index = index;
        query->in_render_pass = (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
        query->subpass = command_buffer->rendering ? command_buffer->rendering->subpass : 0;
    }
    command_buffer->dirty[0] |= DIRTY_QUERIES;
}

/* Notes that a render pass instance ends: queries that are still active are not within one
 * instance. */
static void leave_instance(struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_queries *queries = command_buffer ? command_buffer->queries : NULL;
    for (uint32_t i = 0; queries && queries->active_count && i < queries_capacity(queries); i++) {
        if (queries->slots[i].state == QUERY_ACTIVE)
            queries->slots[i].in_render_pass = false;
    }
}

void state_after_CmdEndRenderPass_queries(struct call *call, VkCommandBuffer commandBuffer)
{
    leave_instance(call);
}

void state_after_CmdEndRenderPass2_queries(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkSubpassEndInfo *pSubpassEndInfo)
{
    leave_instance(call);
}

void state_after_CmdEndRendering_queries(struct call *call, VkCommandBuffer commandBuffer)
{
    leave_instance(call);
}

void state_after_CmdEndRendering2KHR_queries(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    leave_instance(call);
}

void state_after_CmdResetQueryPool(struct call *call, VkCommandBuffer commandBuffer,
                                   VkQueryPool queryPool, uint32_t firstQuery, uint32_t queryCount)
{
    set_state(call, queryPool, firstQuery, queryCount, QUERY_RESET, 0);
    note_reset(named_query_pool(call, 0, queryPool), firstQuery, queryCount);
}

void state_after_CmdBeginQuery(struct call *call, VkCommandBuffer commandBuffer,
                               VkQueryPool queryPool, uint32_t query, VkQueryControlFlags flags)
{
    set_state(call, queryPool, query, 1, QUERY_ACTIVE, 0);
    note_begin(call, queryPool, query, flags);
}

void state_after_CmdBeginQueryIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                         VkQueryPool queryPool, uint32_t query,
                                         VkQueryControlFlags flags, uint32_t index)
{
    set_state(call, queryPool, query, 1, QUERY_ACTIVE, index);
    note_begin(call, queryPool, query, flags);
}

/* Ends `count` queries. If there are several views, only the first was begun. */
static void end_query(struct call *call, VkQueryPool queryPool, uint32_t query)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        set_state(call, queryPool, query, view_count(command_buffer), QUERY_ENDED, 0);
}

void state_after_CmdEndQuery(struct call *call, VkCommandBuffer commandBuffer,
                             VkQueryPool queryPool, uint32_t query)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct query_pool *pool = named_query_pool(call, 0, queryPool);
    end_query(call, queryPool, query);
    if (unlikely(pool && command_buffer && command_buffer->queries &&
                 pool->counter_scopes >> VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR & 1)) {
        command_buffer->queries->counted_end = command_buffer->command_number + 1;
        command_buffer->queries->counted_pool = object_state_id(&pool->base);
    }
}

void state_after_CmdEndQueryIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       VkQueryPool queryPool, uint32_t query, uint32_t index)
{
    end_query(call, queryPool, query);
}

void state_after_CmdWriteTimestamp(struct call *call, VkCommandBuffer commandBuffer,
                                   VkPipelineStageFlagBits pipelineStage, VkQueryPool queryPool,
                                   uint32_t query)
{
    end_query(call, queryPool, query);
}

void state_after_CmdWriteTimestamp2(struct call *call, VkCommandBuffer commandBuffer,
                                    VkPipelineStageFlags2 stage, VkQueryPool queryPool,
                                    uint32_t query)
{
    end_query(call, queryPool, query);
}

void state_after_CmdWriteAccelerationStructuresPropertiesKHR_queries(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t accelerationStructureCount,
    const VkAccelerationStructureKHR *pAccelerationStructures, VkQueryType queryType,
    VkQueryPool queryPool, uint32_t firstQuery)
{
    set_state(call, queryPool, firstQuery, accelerationStructureCount, QUERY_ENDED, 0);
}

void state_after_CmdWriteAccelerationStructuresPropertiesNV_queries(struct call *call,
                                                                    VkCommandBuffer commandBuffer,
                                                                    uint32_t
                                                                        accelerationStructureCount,
                                                                    const VkAccelerationStructureNV
                                                                        *pAccelerationStructures,
                                                                    VkQueryType queryType,
                                                                    VkQueryPool queryPool,
                                                                    uint32_t firstQuery)
{
    set_state(call, queryPool, firstQuery, accelerationStructureCount, QUERY_ENDED, 0);
}

void state_after_CmdWriteMicromapsPropertiesEXT_queries(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        uint32_t micromapCount,
                                                        const VkMicromapEXT *pMicromaps,
                                                        VkQueryType queryType,
                                                        VkQueryPool queryPool, uint32_t firstQuery)
{
    set_state(call, queryPool, firstQuery, micromapCount, QUERY_ENDED, 0);
}

/* Notes the queries of VkVideoInlineQueryInfoKHR, which the command begins and ends. */
static void use_inline_queries(struct call *call, const void *chain)
{
    const VkVideoInlineQueryInfoKHR *inlined =
        chain_find(chain, VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR);
    if (inlined && inlined->queryPool)
        set_state(call, inlined->queryPool, inlined->firstQuery, inlined->queryCount, QUERY_ENDED,
                  0);
}

void state_after_CmdDecodeVideoKHR_queries(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkVideoDecodeInfoKHR *pDecodeInfo)
{
    use_inline_queries(call, pDecodeInfo->pNext);
}

void state_after_CmdEncodeVideoKHR_queries(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkVideoEncodeInfoKHR *pEncodeInfo)
{
    use_inline_queries(call, pEncodeInfo->pNext);
}

/* The most queries of a copy that are tracked: a table of more would cost more than the copy. */
#define COPIED_MOST 64

/* Notes that a command copies queries which the command buffer has not used before. */
static void note_copy(struct call *call, VkQueryPool handle, uint32_t first, uint32_t count,
                      VkQueryResultFlags flags)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct query_pool *pool = find_query_pool(call, handle);
    if (!command_buffer || !pool || !pool->left || count > COPIED_MOST || first >= pool->count ||
        count > pool->count - first)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct recorded_query *query = queries_touch(command_buffer, pool, first + i);
        if (!query || query->state != QUERY_UNTOUCHED || query->first || query->copied)
            continue;
        query->copied = (uint16_t)call->command;
        /* With these flags, unavailable queries may be copied. */
        query->copied_partly =
            (flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR |
                      VK_QUERY_RESULT_PARTIAL_BIT)) != 0;
        query->muted = command_buffer_is_muted(command_buffer);
    }
}

void state_after_CmdCopyQueryPoolResultsToMemoryKHR(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkQueryPool queryPool, uint32_t firstQuery,
                                                    uint32_t queryCount,
                                                    const VkStridedDeviceAddressRangeKHR *pDstRange,
                                                    VkAddressCommandFlagsKHR dstFlags,
                                                    VkQueryResultFlags queryResultFlags)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer_uses(command_buffer, call->named[0].object);
    note_copy(call, queryPool, firstQuery, queryCount, queryResultFlags);
}

void state_after_CmdCopyQueryPoolResults(struct call *call, VkCommandBuffer commandBuffer,
                                         VkQueryPool queryPool, uint32_t firstQuery,
                                         uint32_t queryCount, VkBuffer dstBuffer,
                                         VkDeviceSize dstOffset, VkDeviceSize stride,
                                         VkQueryResultFlags flags)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    command_buffer_uses(command_buffer, call->named[0].object);
    command_buffer_uses(command_buffer, call->named[1].object);
    note_copy(call, queryPool, firstQuery, queryCount, flags);
}

/* After the secondaries, the primary finds queries in the state in which they leave them. */
void state_after_CmdExecuteCommands_queries(struct call *call, VkCommandBuffer commandBuffer,
                                            uint32_t commandBufferCount,
                                            const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        const struct command_buffer_queries *queries =
            secondary && secondary != primary ? secondary->queries : NULL;
        for (uint32_t k = 0; queries && queries->count && k < queries_capacity(queries); k++) {
            const struct recorded_query *query = &queries->slots[k];
            const struct query_pool *pool = query->pool ? query_pool_by_id(query->pool) : NULL;
            struct recorded_query *mine = pool ? queries_touch(primary, pool, query->query) : NULL;
            if (!mine || mine->state == QUERY_ACTIVE)
                continue;
            if (query->state == QUERY_UNTOUCHED)
                continue;
            if (mine->state == QUERY_UNTOUCHED) {
                mine->first = query->first;
                mine->reset_first = query->reset_first;
                mine->muted = query->muted || command_buffer_is_muted(primary);
            }
            /* A query that is active at the end of a secondary is a mistake, which is reported
             * there. */
            mine->state = query->state == QUERY_ACTIVE ? QUERY_ENDED : query->state;
            mine->begun |= query->begun;
        }
    }
}

/* --- submissions --- */

bool query_pool_is_of_queue(const struct query_pool *pool, const struct queue *queue)
{
    assert(pool && queue);
    uint64_t of = atomic_load_explicit(&pool->queue, memory_order_relaxed);
    return pool->left && !atomic_load_explicit(&pool->left_unknown, memory_order_relaxed) &&
           (!of || of == object_state_id(&queue->base));
}

/* True if all submissions with the pool so far, including this one, went to the same queue. */
static bool note_queue(struct query_pool *pool, const struct queue *queue)
{
    uint64_t none = 0, id = queue ? object_state_id(&queue->base) : 0;
    bool same = id && (atomic_compare_exchange_strong_explicit(&pool->queue, &none, id,
                                                               memory_order_relaxed,
                                                               memory_order_relaxed) ||
                       none == id);
    if (!same)
        atomic_store_explicit(&pool->left_unknown, true, memory_order_relaxed);
    return same;
}

/* Notes that command buffer `number` uses the query. Submits count these numbers. */
static void note_used(struct query_pool *pool, uint32_t query, uint64_t number)
{
    assert(number);
    bool first =
        atomic_exchange_explicit(&pool->last_number, number, memory_order_relaxed) != number;
    if (first || query < atomic_load_explicit(&pool->last_first, memory_order_relaxed))
        atomic_store_explicit(&pool->last_first, query, memory_order_relaxed);
    if (first || query >= atomic_load_explicit(&pool->last_end, memory_order_relaxed))
        atomic_store_explicit(&pool->last_end, query + 1, memory_order_relaxed);
}

/* Notes the last submission that uses the query. If two queues use it, a join represents both
 * stamps. */
static void stamp_query(const struct device *device, const struct query_pool *pool, uint32_t query,
                        uint64_t stamp)
{
    assert(pool->last_use && query < pool->count && stamp);
    uint64_t before = atomic_load_explicit(&pool->last_use[query], memory_order_relaxed);
    if (unlikely(before && (before ^ stamp) >> 56))
        stamp = stamp_join(device, before, stamp);
    atomic_store_explicit(&pool->last_use[query], stamp, memory_order_relaxed);
}

struct queue *query_in_use(const struct device *device, const struct query_pool *pool,
                           uint32_t query)
{
    assert(device && pool);
    uint64_t stamp = pool->last_use && query < pool->count
                         ? atomic_load_explicit(&pool->last_use[query], memory_order_relaxed)
                         : 0;
    return stamp ? stamp_pending(device, stamp) : NULL;
}

void command_buffer_submit_queries(const struct device *device,
                                   const struct command_buffer *command_buffer,
                                   const struct queue *queue, uint64_t stamp)
{
    static _Atomic uint64_t submitted;
    const struct command_buffer_queries *queries = command_buffer->queries;
    uint64_t number = atomic_fetch_add_explicit(&submitted, 1, memory_order_relaxed) + 1;
    for (uint32_t i = 0; queries && queries->count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        struct query_pool *pool = query->pool ? query_pool_by_id(query->pool) : NULL;
        if (pool)
            note_used(pool, query->query, number);
        if (pool && stamp && pool->last_use && query->query < pool->count)
            stamp_query(device, pool, query->query, stamp);
        /* With several queues, or after work that waits ahead, the order of commands is not
         * known. */
        if (!pool || !pool->left || query->query >= pool->count ||
            query->state == QUERY_UNTOUCHED ||
            !note_queue(pool, queries->incomplete ? NULL : queue))
            continue;
        atomic_store_explicit(&pool->left[query->query],
                              query->state == QUERY_RESET ? QUERY_LEFT_RESET : QUERY_LEFT_USED,
                              memory_order_relaxed);
    }
}

/* True if the flags and the result show for each query whether it is available. */
static bool tells_availability(VkResult result, VkQueryResultFlags flags)
{
    if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
        return result >= 0;
    return result == VK_SUCCESS &&
           (flags & VK_QUERY_RESULT_WAIT_BIT || !(flags & VK_QUERY_RESULT_PARTIAL_BIT));
}

/* An available query was written by a command that has completed. If the program has seen the last
 * submission with the pool complete, nothing is reported about the rest of that. */
void state_after_GetQueryPoolResults(struct call *call, VkDevice device, VkQueryPool queryPool,
                                     uint32_t firstQuery, uint32_t queryCount, size_t dataSize,
                                     void *pData, VkDeviceSize stride, VkQueryResultFlags flags)
{
    struct query_pool *pool =
        tells_availability(call->result, flags) ? find_query_pool(call, queryPool) : NULL;
    if (call->result == VK_ERROR_DEVICE_LOST)
        device_mark_lost(call->device);
    for (uint32_t i = 0; pool && pool->last_use && firstQuery < pool->count && i < queryCount &&
                         i < pool->count - firstQuery;
         i++)
        atomic_store_explicit(&pool->last_use[firstQuery + i], 0, memory_order_relaxed);
    if (!pool ||
        (uint64_t)firstQuery + queryCount <=
            atomic_load_explicit(&pool->last_first, memory_order_relaxed) ||
        firstQuery >= atomic_load_explicit(&pool->last_end, memory_order_relaxed))
        return;
    atomic_store_explicit(&pool->base.last_use, 0, memory_order_relaxed);
}
