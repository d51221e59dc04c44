/* Checks that secondary command buffers may be executed here (6.6 "Secondary Command Buffer
 * Execution"): their state, usage, and queries. execute_rendering.c compares inherited state with
 * render pass instances. */
#include "core/record/execute_commands.h"

#include "base/thread.h"
#include "core/record/executable.h"
#include "state/command/protected.h"
#include "core/hooks.h"
#include "report/names/names_of_values.h"
#include "state/descriptor/heaps.h"
#include "state/query/query.h"
#include "state/command/sections.h"

#include "objects/device.h"
#include "report/finding/rule.h"

#include <inttypes.h>
#include <string.h>

/* --- each by itself --- */

/* The most elements of one call that are compared one by one. For more, a hash table finds equal
 * ones. */
#define FEW_ELEMENTS 16

/* Prepares the hash table that finds equal elements, if there are many. */
static void begin_elements(struct execution *e, uint32_t count)
{
    assert(!e->first);
    if (likely(count <= FEW_ELEMENTS) || count > UINT32_MAX / 4)
        return;
    uint32_t capacity = FEW_ELEMENTS;
    while (capacity < 2 * count)
        capacity *= 2;
    e->first = scratch_alloc(&thread_self()->scratch, capacity * sizeof(*e->first));
    e->first_mask = capacity - 1;
    if (e->first)
        memset(e->first, 0, capacity * sizeof(*e->first));
}

/* The index of the first element with the same command buffer; the element's own index if no
 * earlier one has it. */
static uint32_t first_of_element(const struct execution *e)
{
    uint32_t first = 0;
    if (!e->first) {
        while (first < e->index && e->elements[first] != e->handle)
            first++;
        return first;
    }
    uint32_t at = (uint32_t)(((uintptr_t)e->handle * 0x9e3779b97f4a7c15ull) >> 32) & e->first_mask;
    while ((first = e->first[at]) != 0 && e->elements[first - 1] != e->handle)
        at = (at + 1) & e->first_mask;
    if (!first)
        e->first[at] = first = e->index + 1;
    return first - 1;
}

/* Checks the level and the state of one secondary. */
static bool check_state(const struct execution *e)
{
    assert(e->primary && e->secondary);
    const struct call *call = e->call;
    struct command_buffer *secondary = e->secondary;
    const uint32_t first = first_of_element(e);
    /* Each element of pCommandBuffers must have been allocated with a level of
     * VK_COMMAND_BUFFER_LEVEL_SECONDARY */
    if (unlikely(!(secondary->scope & SCOPE_SECONDARY)))
        return execution_report(e, RULE(call, 00088),
                                "is a primary command buffer, which no other can execute");
    /* Each element of pCommandBuffers must be in the pending or executable state */
    bool skip = executable_check(call, secondary, e->handle, RULE_00089, e->where);
    if (!(secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT)) {
        /* If any element ... was not recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, it
         * must not be in the pending state */
        skip |= executable_check_not_pending(call, secondary, e->handle, RULE_00091, e->where);
        /* ... it must not have already been recorded to commandBuffer */
        if (unlikely(command_buffer_has_executed(e->primary, object_state_id(&secondary->base))))
            skip |=
                execution_report(e, RULE(call, 00092),
                                 "has been executed by this command buffer before, and was "
                                 "recorded without VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT");
        /* ... it must not appear more than once in pCommandBuffers */
        if (unlikely(first != e->index))
            skip |= execution_report(e, RULE(call, 00093),
                                     "is element %u as well, and was recorded without "
                                     "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT",
                                     first);
    }
    /* ... from a VkCommandPool that was created for the same queue family as the VkCommandPool from
     * which commandBuffer was allocated */
    if (unlikely(secondary->queue_family != e->primary->queue_family))
        skip |= execution_report(e, RULE(call, 00094),
                                 "is of a pool of queue family %u, but commandBuffer is of queue "
                                 "family %u",
                                 secondary->queue_family, e->primary->queue_family);
    return skip;
}

/* Checks that both command buffers are protected, or neither is. */
static bool execute_commands_check_protection(const struct execution *e)
{
    assert(e->primary && e->secondary);
    const struct device *device = e->call->device;
    bool mine = command_buffer_is_protected(e->primary),
         theirs = command_buffer_is_protected(e->secondary);
    if (likely(mine == theirs) || !e->primary->pool || !e->secondary->pool ||
        device->extended.ProtectedMemoryProperties.protectedNoFault ||
        device->extended.Vulkan11Properties.protectedNoFault)
        return false;
    /* If commandBuffer is a protected (an unprotected) command buffer and protectedNoFault is not
     * supported, each element must be a protected (an unprotected) one */
    if (mine)
        return execution_report(e, RULE(e->call, 01820),
                                "is not protected, but commandBuffer is, and the device does not "
                                "support protectedNoFault");
    return execution_report(e, RULE(e->call, 01821),
                            "is protected, but commandBuffer is not, and the device does not "
                            "support protectedNoFault");
}

/* Checks the nesting limits, if commandBuffer is itself a secondary
 * (VK_EXT_nested_command_buffer). */
static bool check_nesting(const struct execution *e)
{
    assert(e->secondary);
    const struct call *call = e->call;
    const struct command_buffer_sections *sections = sections_of(e->secondary);
    bool skip = false;
    if (likely(!(e->primary->scope & SCOPE_SECONDARY)))
        return false;
    uint32_t most =
        call->device->extended.NestedCommandBufferPropertiesEXT.maxCommandBufferNestingLevel;
    if (device_has_feature(call->device, FEATURE_nestedCommandBuffer)) {
        /* ... the command buffer nesting level of each element must be less than
         * maxCommandBufferNestingLevel (0: no limit) */
        if (unlikely(sections && most && sections->nesting >= most))
            skip |= execution_report(e, RULE(call, 09376),
                                     "nests %u deep, but maxCommandBufferNestingLevel is %u",
                                     sections->nesting, most);
        /* If the nestedCommandBufferSimultaneousUse feature is not enabled ... each element must
         * not have been recorded with SIMULTANEOUS_USE */
        if (unlikely(e->secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT &&
                     !device_has_feature(call->device, FEATURE_nestedCommandBufferSimultaneousUse)))
            skip |= execution_report(e, RULE(call, 09378),
                                     "was recorded with "
                                     "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, but the "
                                     "feature nestedCommandBufferSimultaneousUse is not enabled");
    }
    return skip;
}

/* --- queries --- */

/* Checks that the secondary does not begin a query of a type that is active in the primary. */
static bool check_begun_types(const struct execution *e, VkQueryType type)
{
    assert(e->secondary);
    const struct command_buffer_queries *queries = e->secondary->queries;
    for (uint32_t i = 0; queries && queries->count && i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        /* Each element of pCommandBuffers must not begin any query types that are active in
         * commandBuffer */
        if (unlikely(query->pool && query->begun && query->type == type))
            return execution_report(e, RULE(e->call, 00105),
                                    "begins a query of %s, but one of that type is "
                                    "active in commandBuffer",
                                    value_text(VALUES_VkQueryType, (uint64_t)type).text);
    }
    return false;
}

/* Checks that the secondary was recorded to inherit an active query of the primary. */
static bool check_active_query(const struct execution *e, const struct recorded_query *query)
{
    assert(query && e->secondary);
    const struct call *call = e->call;
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    bool skip = check_begun_types(e, query->type);
    /* Without the feature no query can be inherited, and 00101 reports that. */
    if (!inheritance || !device_has_feature(call->device, FEATURE_inheritedQueries))
        return skip;
    if (query->type == VK_QUERY_TYPE_OCCLUSION) {
        /* ... must have been recorded with VkCommandBufferInheritanceInfo::occlusionQueryEnable set
         * to VK_TRUE */
        if (unlikely(!inheritance->occlusion_query))
            skip |= execution_report(e, RULE(call, 00102),
                                     "was recorded without occlusionQueryEnable, but an occlusion "
                                     "query is active in commandBuffer (query %u)",
                                     query->query);
        /* ... with VkCommandBufferInheritanceInfo::queryFlags having all bits set that are set for
         * the query */
        else if (unlikely(query->flags & ~inheritance->query_flags))
            skip |= execution_report(e, RULE(call, 00103),
                                     "was recorded with queryFlags 0x%x, but the occlusion query "
                                     "%u that is active in commandBuffer was begun with %s",
                                     inheritance->query_flags, query->query,
                                     value_text(VALUES_VkQueryControlFlags, query->flags).text);
    }
    const struct query_pool *pool =
        query->type == VK_QUERY_TYPE_PIPELINE_STATISTICS ? query_pool_by_id(query->pool) : NULL;
    /* ... with VkCommandBufferInheritanceInfo::pipelineStatistics having all bits set that are set
     * in the VkQueryPool the query uses */
    if (pool && unlikely(pool->statistics & ~inheritance->statistics))
        skip |= execution_report(e, RULE(call, 00104),
                                 "was recorded with pipelineStatistics 0x%x, but the statistics "
                                 "query that is active in commandBuffer counts 0x%x",
                                 inheritance->statistics, pool->statistics);
    return skip;
}

/* Checks the queries that are active in the primary. `with_elements`: against one secondary;
 * otherwise without any. */
static COLD bool execute_commands_check_queries(struct execution *e, bool with_elements)
{
    assert(e->primary->queries);
    const struct call *call = e->call;
    const struct command_buffer_queries *queries = e->primary->queries;
    struct subject s = {.call = call};
    bool inherits = device_has_feature(call->device, FEATURE_inheritedQueries);
    for (uint32_t i = 0; i < queries_capacity(queries); i++) {
        const struct recorded_query *query = &queries->slots[i];
        if (!query->pool || query->state != QUERY_ACTIVE)
            continue;
        if (with_elements) {
            s.skip |= check_active_query(e, query);
            continue;
        }
        /* commandBuffer must not have any queries other than VK_QUERY_TYPE_OCCLUSION and
         * VK_QUERY_TYPE_PIPELINE_STATISTICS active */
        if (query->type != VK_QUERY_TYPE_OCCLUSION &&
            query->type != VK_QUERY_TYPE_PIPELINE_STATISTICS)
            BROKEN(&s, RULE_07594, "commandBuffer", "has query %u active, of %s", query->query,
                   value_text(VALUES_VkQueryType, (uint64_t)query->type).text);
        /* If the inheritedQueries feature is not enabled, commandBuffer must not have any queries
         * active */
        else if (!inherits)
            BROKEN(&s, RULE_00101, "commandBuffer",
                   "has query %u active, but the feature inheritedQueries is not enabled",
                   query->query);
    }
    return s.skip;
}

/* --- render pass instances that one suspends and another one resumes --- */

/* Whether an instance is suspended before a secondary, and that instance's contents. */
struct suspension {
    bool suspended;
    const struct rendering_contents *contents; /* NULL: not known */
};

/* The contents of pRenderingInfo must match between suspended render pass instances and the render
 * pass instances that resume them (8.1). */
static COLD bool check_resumed_contents(const struct execution *e,
                                        const struct rendering_contents *suspended)
{
    uint32_t index;
    const char *member =
        suspended && e->secondary->rendering
            ? rendering_difference(suspended, &e->secondary->rendering->resumed, &index)
            : NULL;
    return member &&
           execution_report(e, UNASSIGNED_RenderingInfo_SuspendResume_Mismatch,
                            "resumes the render pass instance that is suspended, but with another "
                            "VkRenderingInfo::%s",
                            member);
}

/* Checks the commands between an instance that is suspended and the one that resumes it, and that
 * both match. `s`: the state before the secondary, which becomes the state after it. */
static bool check_resuming(const struct execution *e, struct suspension *s)
{
    assert(e->secondary && s);
    const struct command_buffer *secondary = e->secondary;
    bool skip = false;
    if (unlikely(s->suspended)) {
        /* ... there must be no action or synchronization commands between that render pass instance
         * and any render pass instance that resumes it */
        if (secondary->acted)
            skip |= execution_report(e, RULE(e->call, 06021),
                                     "has action or synchronization commands where a render pass "
                                     "instance is suspended");
        /* ... there must be no render pass instances between that render pass instance and any
         * render pass instance that resumes it */
        if (secondary->first_instance == FIRST_INSTANCE_PLAIN)
            skip |= execution_report(e, RULE(e->call, 06022),
                                     "begins a render pass instance that does not resume the "
                                     "suspended one");
        if (secondary->first_instance == FIRST_INSTANCE_RESUMES)
            skip |= check_resumed_contents(e, s->contents);
    }
    if (secondary->first_instance != FIRST_INSTANCE_NONE)
        *s = (struct suspension){secondary->scope & SCOPE_SUSPENDED,
                                 &secondary->rendering->suspended};
    return skip;
}

/* --- the command --- */

/* Checks that this command buffer may execute others here. */
static bool check_primary(struct execution *e)
{
    const struct call *call = e->call;
    const struct command_buffer_sections *sections = sections_of(e->primary);
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    struct subject s = {.call = call};
    if (unlikely(e->primary->scope & SCOPE_SECONDARY)) {
        /* commandBuffer must not be a secondary command buffer unless the nestedCommandBuffer
         * feature is enabled */
        if (!device_has_feature(call->device, FEATURE_nestedCommandBuffer))
            BROKEN(&s, RULE_09375, where,
                   "is a secondary command buffer, but the feature nestedCommandBuffer is "
                   "not enabled");
        /* If the nestedCommandBufferRendering feature is not enabled ... commandBuffer must not
         * have been recorded with RENDER_PASS_CONTINUE */
        else if (e->primary->usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT &&
                 !device_has_feature(call->device, FEATURE_nestedCommandBufferRendering))
            BROKEN(&s, RULE_09377, where,
                   "is a secondary command buffer that continues a render pass instance "
                   "(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT), but the feature "
                   "nestedCommandBufferRendering is not enabled");
    }
    /* This command must not be recorded when transform feedback is active */
    REQUIRE(&s, RULE_02286, !sections || !sections->feedback, where,
            "has transform feedback active (vkCmdBeginTransformFeedbackEXT)");
    if (e->primary->queries && e->primary->queries->active_count &&
        call->instance->settings.check_query)
        s.skip |= execute_commands_check_queries(e, false);
    return s.skip | execution_check_contents(e);
}

static bool same_heap(const struct bound_heap *a, const struct bound_heap *b)
{
    return a->address == b->address && a->size == b->size &&
           a->reserved_offset == b->reserved_offset && a->reserved_size == b->reserved_size;
}

/* Checks the heaps that the element inherits. Nothing is checked if the primary inherits heaps
 * itself. Nor is it if other commands made them invalid, or vkCmdExecuteCommands left them
 * undefined. No sentence says which heaps are bound then. */
static bool check_heaps(const struct execution *e)
{
    static const enum vuid other[HEAP_KINDS] = {VUID_vkCmdExecuteCommands_commandBuffer_11351,
                                                VUID_vkCmdExecuteCommands_commandBuffer_11352};
    static const enum vuid none[HEAP_KINDS] = {VUID_vkCmdExecuteCommands_commandBuffer_11473,
                                               VUID_vkCmdExecuteCommands_commandBuffer_11474};
    static const char *const names[HEAP_KINDS] = {"sampler", "resource"};
    bool skip = false;
    if (likely(!e->inheritance) || e->primary->heaps.unknown ||
        e->primary->scope & (SCOPE_SAMPLER_HEAP | SCOPE_RESOURCE_HEAP))
        return false;
    for (uint32_t kind = 0; kind < HEAP_KINDS; kind++) {
        const struct bound_heap *wanted = &e->inheritance->heaps[kind],
                                *bound = &e->primary->heaps.heaps[kind];
        if (likely(!wanted->bound) || bound->undefined)
            continue;
        /* If there is no ... descriptor heap bound to commandBuffer, each element must have been
         * recorded with a value of ... set to NULL */
        if (!bound->bound)
            skip |= execution_report(e, none[kind],
                                     "inherits a %s heap (address 0x%" PRIx64
                                     "), but commandBuffer has none bound",
                                     names[kind], wanted->address);
        /* If there is a ... descriptor heap bound to commandBuffer, ... either NULL or a pointer to
         * a bind info that is identical to that set via the last call */
        else if (!heaps_are_invalid(e->primary) && !same_heap(wanted, bound))
            skip |= execution_report(e, other[kind],
                                     "inherits a %s heap of %" PRIu64 " bytes at 0x%" PRIx64
                                     ", %" PRIu64 " of which from byte %" PRIu64
                                     " on are reserved, but commandBuffer has one of %" PRIu64
                                     " bytes at 0x%" PRIx64 " bound, %" PRIu64 " from byte %" PRIu64
                                     " on",
                                     names[kind], wanted->size, wanted->address,
                                     wanted->reserved_size, wanted->reserved_offset, bound->size,
                                     bound->address, bound->reserved_size, bound->reserved_offset);
    }
    return skip;
}

bool core_validate_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t commandBufferCount,
                                      const VkCommandBuffer *pCommandBuffers)
{
    struct execution e = {
        .call = call, .primary = call_command_buffer(call), .elements = pCommandBuffers};
    /* If it is not recording, generated checks have reported that. */
    if (!e.primary || !(e.primary->scope & SCOPE_RECORDING))
        return false;
    const bool inside = e.primary->scope & SCOPE_INSIDE_RENDER_PASS;
    struct suspension suspension = {e.primary->scope & SCOPE_SUSPENDED,
                                    &e.primary->rendering->suspended};
    const struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    bool skip = check_primary(&e);
    /* The table is in scratch memory, which is released with the mark below. */
    begin_elements(&e, commandBufferCount);
    for (uint32_t i = 0; i < commandBufferCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pCommandBuffers", i);
        e.index = i;
        e.handle = pCommandBuffers[i];
        e.where = &where;
        e.secondary = find_command_buffer(pCommandBuffers[i]);
        if (!e.secondary)
            continue;
        e.inheritance = inheritance_of(e.secondary);
        skip |= check_state(&e);
        /* Only an executable secondary has inherited state that is known. */
        if (!(e.secondary->scope & SCOPE_SECONDARY) || !(e.secondary->scope & SCOPE_EXECUTABLE))
            continue;
        skip |= execute_commands_check_protection(&e) | check_nesting(&e) | check_heaps(&e);
        if (e.primary->queries && e.primary->queries->active_count &&
            call->instance->settings.check_query)
            skip |= execute_commands_check_queries(&e, true);
        if (!inside)
            skip |= check_resuming(&e, &suspension);
        skip |= execution_check_rendering(&e);
        if (e.inheritance && device_has_feature(call->device, FEATURE_tileShading))
            skip |= execution_check_tiles(&e);
    }
    scratch_rewind(&thread_self()->scratch, mark);
    return skip;
}
