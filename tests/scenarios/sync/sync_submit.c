/* Hazards between command buffers: of one submission, of several to one queue, with secondaries,
 * and what the host's waits end. */
#include "sync/sync_program.h"

#define RAW .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define WAR .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}
#define WAW .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}
#define READS                                                             \
    .text = {"but nothing makes the write by vkCmdFillBuffer (command 0", \
             "reads bytes 0 to 255 of VkBuffer", "submitted to VkQueue"}
#define WRITES .text = {"vkCmdFillBuffer (command 0", "writes bytes 0 to 255 of VkBuffer"}

/* Command buffers of one batch. */
PROGRAM(read_in_next_command_buffer, "[w, r]", RAW, READS)
PROGRAM(write_in_next_command_buffer, "[r, w]", WAR, WRITES)
PROGRAM(write_twice_in_command_buffers, "[w, w]", WAW, WRITES)
PROGRAM(read_twice_in_command_buffers, "[r, b, r]")
PROGRAM(barrier_at_the_end, "[w m, r]")
PROGRAM(barrier_at_the_beginning, "[w, m r]")
PROGRAM(barrier_in_between, "[w, m, r]")
PROGRAM(execution_is_not_enough_to_read, "[w, x r]", RAW)
PROGRAM(execution_is_enough_to_write, "[r, x w]")
PROGRAM(execution_is_not_enough_to_write_twice, "[w, x w]", WAW)
PROGRAM(barrier_in_front_of_all, "[b w, r]", RAW)
PROGRAM(barrier_behind_all, "[w, r b]", RAW)
PROGRAM(three_in_a_row, "[w m, r m, w]")
PROGRAM(third_one_too_early, "[w m, r, w]", WAR)

/* Batches of one call. */
PROGRAM(read_in_next_batch, "[w / r]", RAW, READS)
PROGRAM(write_in_next_batch, "[r / w]", WAR, WRITES)
PROGRAM(write_twice_in_batches, "[w / w]", WAW)
PROGRAM(barrier_between_batches, "[w / m / r]")
PROGRAM(barrier_in_next_batch, "[w / m r]")

/* Calls. */
PROGRAM(read_in_next_submit, "[w] [r]", RAW, READS)
PROGRAM(write_in_next_submit, "[r] [w]", WAR, WRITES)
PROGRAM(write_twice_in_submits, "[w] [w]", WAW, WRITES)
PROGRAM(barrier_in_next_submit, "[w] [m r]")
PROGRAM(barrier_in_last_submit, "[r] [x] [w]")
PROGRAM(copy_over_a_copy, "[W] [W]", WAW)
PROGRAM(there_and_back, "[r m] [W]")
PROGRAM(there_and_back_too_early, "[r] [W]",
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE", "SYNC-HAZARD-WRITE-AFTER-READ"})

/* The host waits: what it has waited for is over. */
PROGRAM(queue_wait_idle_ends_it, "[w] ! [r]")
PROGRAM(queue_wait_idle_ends_reads, "[r] ! [w]")
PROGRAM(device_wait_idle_ends_it, "[w] | [w]")
PROGRAM(fence_ends_it, "[w] F [r]")
PROGRAM(fence_too_early, "F [w] [r]", RAW)
PROGRAM(fence_in_front_of_the_write, "[r] F [w] [r]", RAW)
PROGRAM(timeline_wait_ends_it, "[w ^3] H3 [r]")
PROGRAM(timeline_wait_for_an_earlier_value, "[^1] [w ^3] H1 [r]", RAW)
PROGRAM(two_of_three_are_over, "[w m] ! [r] [w]", WAR)

/* Semaphores on one queue. */
PROGRAM(semaphore_on_one_queue, "[w +1] [?1 r]")
PROGRAM(semaphore_on_one_queue_for_writes, "[r +1] [?1 w]")
PROGRAM(timeline_on_one_queue, "[w ^1] [~1 r]")
PROGRAM(semaphore_in_one_call, "[w +1 / ?1 r]")
PROGRAM(semaphore_signaled_behind_it, "[w / +1] [?1 r]")
PROGRAM(semaphore_signaled_in_front_of_it, "[+1 / w] [?1 r]", RAW)
PROGRAM(semaphore_for_transfer, "[w +1] [?1T r]")
PROGRAM(semaphore_for_another_stage, "[w +1] [?1C r]", RAW)
PROGRAM(semaphore_for_another_stage_and_a_barrier, "[w +1] [?1C b r]")
PROGRAM2(signal_of_transfer, "[w +1T] [?1 r]")
PROGRAM2(signal_of_another_stage, "[w +1C] [?1 r]", RAW)
PROGRAM2(timeline_signal_of_another_stage, "[w ^1C] [~1 r]", RAW)

/* Secondary command buffers. */
PROGRAM(secondary_reads, "[w] [{r}]", RAW, READS)
PROGRAM(secondary_writes, "[{w}] [r]", RAW)
PROGRAM(secondary_has_the_barrier, "[w] [{m r}]")
PROGRAM(secondary_is_the_barrier, "[{w}] [{m} {r}]")
PROGRAM(secondaries_in_two_submits, "[{r}] [{w}]", WAR)

/* Layout transitions. */
PROGRAM(transition_after_a_clear, "[u k] [u]")
PROGRAM(transition_too_early, "[u k] [U]", .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
        .text = {"transitions the layout of VkImage",
                 "the write by vkCmdClearColorImage (command 1"})
PROGRAM(clear_after_a_clear, "[u k] [k]", WAW)
PROGRAM(transition_after_a_wait, "[u k] ! [U]")

/* Events. */
PROGRAM(event_set_in_an_earlier_submit, "[w s] [v r]")
PROGRAM(event_set_in_an_earlier_command_buffer, "[w s, v r]")
PROGRAM(event_set_too_early, "[s w] [v r]", RAW)
PROGRAM(event_waited_for_too_late, "[w s] [r v]", RAW)
PROGRAM(event_not_waited_for, "[w s] [r]", RAW)
PROGRAM(event_set_by_the_host, "[w] E [V r]", RAW)
PROGRAM(event_set_by_the_host_behind_a_barrier, "[w m] E [V r]")

/* Switched off. */
SCENARIO(submissions_not_looked_at, .features = &program_features,
         .settings = {"validate_sync=true", "syncval_submit_time_validation=false"})
{
    run_program(b, "[w] [r]", false);
}

/* A transition with nothing in its first scope, in a batch of which every command waits; or those
 * of one stage. */
PROGRAM(transition_behind_a_wait_of_all, "[u k +1] [?1 U]")
PROGRAM(transition_behind_a_wait_of_transfers, "[u k +1] [?1T U]",
        .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
