/* Commands that race on an event. "There is no direct ordering guarantee between" setting,
 * resetting and waiting (7.5 "Events"). A reset that may come before the earlier set leaves the
 * event set, and the other way around. */
#include "sync/sync_world.h"

#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define FRAGMENT VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT
#define COMPUTE  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define ALL      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT

static VkDependencyInfo info_of(const VkMemoryBarrier2 *barrier)
{
    return (VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                              .memoryBarrierCount = 1,
                              .pMemoryBarriers = barrier};
}

#define SET(stages_)   vkCmdSetEvent(w->commands, event, stages_)
#define RESET(stages_) vkCmdResetEvent(w->commands, event, stages_)
#define WAIT(src_, dst_) \
    vkCmdWaitEvents(w->commands, 1, &event, src_, dst_, 0, NULL, 0, NULL, 0, NULL)
#define BARRIER(src_, dst_) \
    vkCmdPipelineBarrier(w->commands, src_, dst_, 0, 0, NULL, 0, NULL, 0, NULL)
#define SET2()          vkCmdSetEvent2(w->commands, event, &info)
#define RESET2(stages_) vkCmdResetEvent2(w->commands, event, stages_)
#define WAIT2()         vkCmdWaitEvents2(w->commands, 1, &event, &info)

#define RACE(name_, statements_, ...)                                                   \
    SCENARIO(name_, WORLD, ##__VA_ARGS__)                                               \
    {                                                                                   \
        struct world world, *w = &world;                                                \
        const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,  \
                                          .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT, \
                                          .dstStageMask =                               \
                                              VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT}; \
        const VkDependencyInfo info = info_of(&barrier);                                \
        world_begin(b, w);                                                              \
        VkEvent event = make_event(b), other = make_event(b);                           \
        (void)info, (void)other;                                                        \
        statements_;                                                                    \
        VK(vkEndCommandBuffer(w->commands));                                            \
    }
#define IDS(...) .expect = {__VA_ARGS__}

/* --- what the last command of the event is, and the next one --- */

RACE(
    set_and_set,
    {
        SET(TRANSFER);
        SET(TRANSFER);
    },
    IDS("SYNC-vkCmdSetEvent-set-race"),
    .text = {"event may be set before it is set by vkCmdSetEvent (command ",
             "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT"})
RACE(
    set_and_reset,
    {
        SET(TRANSFER);
        RESET(TRANSFER);
    },
    IDS("SYNC-vkCmdResetEvent-set-race"))
RACE(
    reset_and_set,
    {
        RESET(TRANSFER);
        SET(TRANSFER);
    },
    IDS("SYNC-vkCmdSetEvent-reset-race"))
RACE(reset_and_reset, {
    RESET(TRANSFER);
    RESET(TRANSFER);
})
RACE(
    wait_and_set,
    {
        SET(TRANSFER);
        WAIT(TRANSFER, FRAGMENT);
        SET(TRANSFER);
    },
    IDS("SYNC-vkCmdSetEvent-wait"))
RACE(
    wait_and_reset,
    {
        SET(TRANSFER);
        WAIT(TRANSFER, FRAGMENT);
        RESET(TRANSFER);
    },
    IDS("VUID-vkCmdResetEvent-event-03834"))
/* It would wait forever, which is another mistake than a race. */
RACE(
    reset_and_wait,
    {
        RESET(TRANSFER);
        WAIT(TRANSFER, FRAGMENT);
    },
    IDS("VUID-vkCmdWaitEvents-srcStageMask-01158"))
/* Only the last command counts: one race is reported once. */
RACE(
    reset_and_set_and_wait,
    {
        RESET(TRANSFER);
        SET(TRANSFER);
        WAIT(TRANSFER, FRAGMENT);
    },
    IDS("SYNC-vkCmdSetEvent-reset-race"))
RACE(other_events, {
    SET(TRANSFER);
    vkCmdSetEvent(w->commands, other, TRANSFER);
    vkCmdResetEvent(w->commands, other, ALL);
})
/* Setting another event orders nothing. */
RACE(
    other_event_between,
    {
        SET(TRANSFER);
        vkCmdSetEvent(w->commands, other, TRANSFER);
        RESET(TRANSFER);
    },
    IDS("SYNC-vkCmdResetEvent-set-race"))

/* --- version 2 --- */

RACE(
    set2_and_set2,
    {
        SET2();
        SET2();
    },
    IDS("SYNC-vkCmdSetEvent2-set-race"))
RACE(
    set2_and_reset2,
    {
        SET2();
        RESET2(VK_PIPELINE_STAGE_2_COPY_BIT);
    },
    IDS("SYNC-vkCmdResetEvent-set-race"))
RACE(
    reset2_and_set2,
    {
        RESET2(VK_PIPELINE_STAGE_2_COPY_BIT);
        SET2();
    },
    IDS("SYNC-vkCmdSetEvent2-reset-race"))
RACE(
    wait2_and_set2,
    {
        SET2();
        WAIT2();
        SET2();
    },
    IDS("SYNC-vkCmdSetEvent2-wait"))
RACE(
    wait2_and_reset2,
    {
        SET2();
        WAIT2();
        RESET2(VK_PIPELINE_STAGE_2_COPY_BIT);
    },
    IDS("VUID-vkCmdResetEvent2-event-03832"))
RACE(
    wait2_and_reset,
    {
        SET2();
        WAIT2();
        RESET(TRANSFER);
    },
    IDS("VUID-vkCmdResetEvent-event-03835"))
RACE(
    wait_and_reset2,
    {
        SET(TRANSFER);
        WAIT(TRANSFER, FRAGMENT);
        RESET2(VK_PIPELINE_STAGE_2_COPY_BIT);
    },
    IDS("VUID-vkCmdResetEvent2-event-03831"))

/* --- what orders them --- */

RACE(set_and_set_of_all, {
    SET(TRANSFER);
    SET(ALL);
})
RACE(set_and_reset_of_all, {
    SET(TRANSFER);
    RESET(ALL);
})
RACE(reset_and_set_of_all, {
    RESET(TRANSFER);
    SET(ALL);
})
RACE(wait_and_reset_of_all, {
    SET(TRANSFER);
    WAIT(TRANSFER, FRAGMENT);
    RESET(ALL);
})
RACE(wait2_and_reset2_of_all, {
    SET2();
    WAIT2();
    RESET2(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
})
RACE(set_and_reset_behind_a_barrier, {
    SET(TRANSFER);
    BARRIER(ALL, ALL);
    RESET(TRANSFER);
})
RACE(reset_and_set_behind_a_barrier, {
    RESET(TRANSFER);
    BARRIER(ALL, ALL);
    SET(TRANSFER);
})
RACE(wait_and_reset_behind_a_barrier, {
    SET(TRANSFER);
    WAIT(TRANSFER, FRAGMENT);
    BARRIER(ALL, ALL);
    RESET(TRANSFER);
})
/* The stages that the wait lets wait are those that the reset waits for, or logically earlier ones:
 * a dependency chain. */
RACE(wait_and_reset_that_waits_for_it, {
    SET(TRANSFER);
    WAIT(TRANSFER, FRAGMENT);
    RESET(FRAGMENT);
})
RACE(wait_and_reset_of_a_later_stage, {
    SET(TRANSFER);
    WAIT(TRANSFER, FRAGMENT);
    RESET(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
})
RACE(wait_for_all_and_reset, {
    SET(TRANSFER);
    WAIT(TRANSFER, ALL);
    RESET(COMPUTE);
})
/* No sentence says which stages of a barrier reach the operation of an event: nothing is reported.
 */
RACE(set_and_reset_behind_some_barrier, {
    SET(TRANSFER);
    BARRIER(COMPUTE, COMPUTE);
    RESET(TRANSFER);
})
