/* Hazards after events of version 2: each event's own dependency counts, and each barrier in it. */
#include "sync/sync_world.h"

#define COPY    VK_PIPELINE_STAGE_2_COPY_BIT
#define CLEAR   VK_PIPELINE_STAGE_2_CLEAR_BIT
#define COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
#define READ    VK_ACCESS_2_TRANSFER_READ_BIT
#define WRITE   VK_ACCESS_2_TRANSFER_WRITE_BIT
#define STORAGE VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT

static VkMemoryBarrier2 barrier_of_accesses(VkPipelineStageFlags2 src, VkAccessFlags2 written,
                                            VkPipelineStageFlags2 dst, VkAccessFlags2 accesses)
{
    return (VkMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                              .srcStageMask = src,
                              .srcAccessMask = written,
                              .dstStageMask = dst,
                              .dstAccessMask = accesses};
}

static VkDependencyInfo info_of_barriers(const VkMemoryBarrier2 *barriers, uint32_t count)
{
    return (VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                              .memoryBarrierCount = count,
                              .pMemoryBarriers = barriers};
}

/* Two events, each with a barrier or two; and the first one alone, with both barriers. */
struct events {
    VkEvent events[2];
    VkMemoryBarrier2 barriers[2];
    VkDependencyInfo infos[2];
};

static void make_events(struct world *w, struct events *e, VkMemoryBarrier2 first,
                        VkMemoryBarrier2 second)
{
    e->barriers[0] = first;
    e->barriers[1] = second;
    for (uint32_t i = 0; i < 2; i++) {
        e->events[i] = make_event(w->b);
        e->infos[i] = info_of_barriers(&e->barriers[i], 1);
    }
}
#define SET(i_)    vkCmdSetEvent2(w->commands, e->events[i_], &e->infos[i_])
#define WAIT(n_)   vkCmdWaitEvents2(w->commands, n_, e->events, e->infos)
#define TOGETHER() (e->infos[0] = info_of_barriers(e->barriers, 2))
#define DO(which_) operation_##which_.record(w)

#define EVENTS(name_, first_, second_, statements_, ...) \
    SCENARIO(name_, WORLD, ##__VA_ARGS__)                \
    {                                                    \
        struct world world, *w = &world;                 \
        struct events events, *e = &events;              \
        world_begin(b, w);                               \
        make_events(w, e, first_, second_);              \
        statements_;                                     \
    }
#define FOR_THE_FILL barrier_of_accesses(CLEAR, WRITE, COPY, READ)
#define FOR_DISPATCH barrier_of_accesses(COMPUTE, STORAGE, COPY, READ)
#define TO_COMPUTE   barrier_of_accesses(CLEAR, WRITE, COMPUTE, VK_ACCESS_2_SHADER_STORAGE_READ_BIT)
#define RAW \
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer")
#define WAR \
    .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT("vkCmdCopyBuffer", "vkCmdFillBuffer")

EVENTS(event2_for_the_write, FOR_THE_FILL, FOR_DISPATCH, {
    DO(fill_buffer);
    SET(0);
    WAIT(1);
    DO(copy_from_buffer);
})
/* The event that covers the write was set before it; the other one, set after it, is for
 * dispatches. */
EVENTS(
    event2_that_covers_it_is_set_in_front, FOR_THE_FILL, FOR_DISPATCH,
    {
        SET(0);
        DO(fill_buffer);
        SET(1);
        WAIT(2);
        DO(copy_from_buffer);
    },
    RAW)
EVENTS(events2_of_which_one_covers_it, FOR_THE_FILL, FOR_DISPATCH, {
    SET(1);
    DO(fill_buffer);
    SET(0);
    WAIT(2);
    DO(copy_from_buffer);
})
/* Fifty events, one after the other, with the same dependency. */
static void set_and_wait_often(struct world *w, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < 50; i++) {
        VkEvent event = make_event(w->b);
        vkCmdSetEvent2(w->commands, event, info);
        vkCmdWaitEvents2(w->commands, 1, &event, info);
    }
}

EVENTS(many_events_for_the_write, FOR_THE_FILL, FOR_DISPATCH, {
    DO(fill_buffer);
    set_and_wait_often(w, &e->infos[0]);
    DO(copy_from_buffer);
})
EVENTS(
    many_events_for_others, FOR_THE_FILL, FOR_DISPATCH,
    {
        DO(fill_buffer);
        set_and_wait_often(w, &e->infos[1]);
        DO(copy_from_buffer);
    },
    RAW)
EVENTS(one_event_for_the_write_of_many, FOR_THE_FILL, FOR_DISPATCH, {
    DO(fill_buffer);
    set_and_wait_often(w, &e->infos[1]);
    SET(0);
    set_and_wait_often(w, &e->infos[1]);
    WAIT(1);
    DO(copy_from_buffer);
})
/* Two barriers of one event: the second scope of the one is none of the other's. */
EVENTS(
    barriers_of_one_event_are_apart, TO_COMPUTE, FOR_DISPATCH,
    {
        TOGETHER();
        DO(fill_buffer);
        SET(0);
        WAIT(1);
        DO(copy_from_buffer);
    },
    RAW)
EVENTS(barriers_of_one_event_each_help, TO_COMPUTE, FOR_THE_FILL, {
    TOGETHER();
    DO(fill_buffer);
    SET(0);
    WAIT(1);
    DO(copy_from_buffer);
})
/* A write after a read: the dependency that orders the copy lets dispatches wait. The other one,
 * which lets clears wait, is after dispatches. */
EVENTS(
    barriers_of_one_event_order_apart, barrier_of_accesses(COPY, 0, COMPUTE, 0),
    barrier_of_accesses(COMPUTE, 0, CLEAR, 0),
    {
        TOGETHER();
        DO(copy_from_buffer);
        SET(0);
        WAIT(1);
        DO(fill_buffer);
    },
    WAR)
EVENTS(barrier_of_one_event_orders, barrier_of_accesses(COPY, 0, CLEAR, 0),
       barrier_of_accesses(COMPUTE, 0, CLEAR, 0), {
           TOGETHER();
           DO(copy_from_buffer);
           SET(0);
           WAIT(1);
           DO(fill_buffer);
       })
EVENTS(
    events2_order_apart, barrier_of_accesses(COPY, 0, COMPUTE, 0),
    barrier_of_accesses(COMPUTE, 0, CLEAR, 0),
    {
        DO(copy_from_buffer);
        SET(0);
        SET(1);
        WAIT(2);
        DO(fill_buffer);
    },
    WAR)
/* An event that neither the host nor another command here has set orders nothing; the place of the
 * other one stays its place. */
EVENTS(event2_behind_one_that_is_not_set, FOR_DISPATCH, FOR_THE_FILL, {
    DO(fill_buffer);
    SET(1);
    WAIT(2);
    DO(copy_from_buffer);
})
