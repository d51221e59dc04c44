/* Hazards between queues: side by side, and after semaphores. */
#include <stdio.h>
#include <string.h>

#include "sync/sync_program.h"

#define RACE_RW .expect = {"SYNC-HAZARD-READ-RACING-WRITE"}, .drivers = NULL_DRIVER
#define RACE_WR .expect = {"SYNC-HAZARD-WRITE-RACING-READ"}, .drivers = NULL_DRIVER
#define RACE_WW .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE"}, .drivers = NULL_DRIVER
#define RAW     .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, .drivers = NULL_DRIVER
#define WAW     .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, .drivers = NULL_DRIVER
#define RIGHT   .drivers = NULL_DRIVER
#define RACE_WW_AND_RAW                                                           \
    .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE", "SYNC-HAZARD-READ-AFTER-WRITE"}, \
    .drivers = NULL_DRIVER

/* Nothing between them. */
PROGRAM(read_beside_a_write, "[w] t [r]", RACE_RW,
        .text = {"vkCmdCopyBuffer (command 0", "vkCmdFillBuffer (command 0",
                 "submitted to VkQueue"})
PROGRAM(write_beside_a_read, "[r] t [w]", RACE_WR)
PROGRAM(write_beside_a_write, "[w] c [w]", RACE_WW)
PROGRAM(read_beside_a_read, "[r m] t [x]", RIGHT)
PROGRAM(a_barrier_is_of_one_queue, "[w b] t [b r]", RACE_RW)
PROGRAM(idle_queue_is_another_one, "[w] t ! [r]", RACE_RW)
PROGRAM(idle_queue_ends_it, "[w] ! t [r]", RIGHT)
PROGRAM(idle_device_ends_it, "[w] t | [r]", RIGHT)
PROGRAM(fence_of_another_queue, "[w] F t [r]", RIGHT)

/* Binary semaphores. */
PROGRAM(semaphore_between_queues, "[w +1] t [?1 r]", RIGHT)
PROGRAM(semaphore_between_queues_for_writes, "[r +1] t [?1 w]", RIGHT)
PROGRAM(semaphore_and_back, "[w +1] t [?1 r +2] g [?2 w]", RIGHT)
PROGRAM(semaphore_and_not_back, "[w +1] t [?1 r] g [b w]", RACE_WR)
PROGRAM(semaphore_over_three_queues, "[w +1] t [?1 +2] c [?2 r]", RIGHT)
PROGRAM(semaphore_of_a_later_batch, "[w] [+1] t [?1 r]", RIGHT)
PROGRAM(semaphore_of_an_earlier_batch, "[+1] [w] t [?1 r]", RACE_RW)
PROGRAM(semaphore_waited_for_too_late, "[w +1] t [r / ?1]", RACE_RW)
PROGRAM(semaphore_waited_for_in_front, "[w +1] t [?1] [r]", RIGHT)
PROGRAM(semaphore_of_the_wrong_one, "[+1] [w +2] t [?1 r] c [?2 x]", RACE_RW)
PROGRAM(semaphore_for_the_copy, "[w +1] t [?1T r]", RIGHT)
PROGRAM(semaphore_for_dispatches, "[w +1] c [?1C r]", RAW)
PROGRAM(semaphore_for_dispatches_and_a_barrier, "[w +1] c [?1C b r]", RIGHT)
PROGRAM2(signal_of_the_copy, "[w +1T] t [?1 r]", RIGHT)
PROGRAM2(signal_of_dispatches, "[w +1C] t [?1 r]", RACE_RW)
PROGRAM(semaphore_used_again, "[w +1] t [?1 r] | g [w +1] t [?1 r]", RIGHT)
PROGRAM(two_semaphores, "[w +1 +2] t [?1 r] c [?2 r]", .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE"},
        .drivers = NULL_DRIVER)
PROGRAM(two_waits, "[w +1] c [W +2] t [?1 ?2 r]", .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE"},
        .drivers = NULL_DRIVER)

/* Timeline semaphores. */
PROGRAM(timeline_between_queues, "[w ^1] t [~1 r]", RIGHT)
PROGRAM(timeline_of_a_larger_value, "[w ^7] t [~3 r]", RIGHT)
PROGRAM(timeline_of_an_earlier_value, "[^1] [w ^2] t [~1 r]", RACE_RW)
PROGRAM(timeline_of_a_larger_value_too_early, "[^7] [w] t [~3 r]", RACE_RW)
PROGRAM(timeline_and_back, "[w ^1] t [~1 r ^2] g [~2 w]", RIGHT)
PROGRAM(timeline_and_not_back, "[w ^1] t [~1 r ^2] g [~1 w]", RACE_WR)
PROGRAM(timeline_waited_by_the_host, "[w ^1] t H1 [r]", RIGHT)
PROGRAM(timeline_waited_for_twice, "[w m ^1] t [~1 r +1] c [~1 ?1 x]", RIGHT)
PROGRAM(timeline_for_dispatches, "[w ^1] c [~1C r]", RAW)

/* Waits that are submitted before their signals. */
PROGRAM(wait_before_signal, "t [~1 r] g [w ^1]", RIGHT)
PROGRAM(wait_before_signal_of_a_smaller_value, "t [~2 r] g [w ^1] [^2]", RIGHT)
PROGRAM(wait_before_signal_that_comes_too_early, "t [~1 r] g [^1] [w]", RACE_WR)
PROGRAM(wait_before_signal_behind_others, "t [w] [~1 m r] g [^1] | t [r]", RIGHT)
PROGRAM(wait_before_signal_over_two_queues, "t [~2 r] c [~1 w ^2] g [^1]", RIGHT)
PROGRAM(wait_before_signal_over_two_queues_races, "t [~2 r] c [~1 ^2] [w] g [^1]", RACE_RW)
PROGRAM(wait_before_signal_of_the_host, "t [~1 r] g [w] F h1", RIGHT)
PROGRAM(wait_before_signal_of_the_host_races, "t [~1 r] g [w] h1", RACE_RW)
PROGRAM(later_work_stays_behind, "t [~1 x] [r] g [w ^1]", RIGHT)
PROGRAM(wait_before_signal_for_dispatches, "c [~1C r] g [w ^1]", RAW)

/* Ownership goes from one queue family to another. */
PROGRAM(ownership_handed_over, "t [e o +1] g [?1 a q]", RIGHT)
PROGRAM(ownership_handed_over_later, "t [e] [o +1] g [?1 a] [q]", RIGHT)
PROGRAM(ownership_handed_over_by_the_host, "t [e o] ! g [a q]", RIGHT)
PROGRAM(ownership_handed_over_for_transfer, "t [e o +1] g [?1T a q]", RIGHT)

/* Work that nothing collides with is parked with its queue, and played when work comes that could.
 */
PROGRAM(parked_beside_other_work, "[w] c [u k] t [r]", RACE_RW)
PROGRAM(parked_beside_other_work_of_another_queue, "[u k] t [w] c [r]", RACE_RW)
PROGRAM(parked_one_after_the_other, "[w] t [e] g [b r]", RIGHT)
PROGRAM(parked_without_a_barrier, "[w] t [e] g [r]", RAW)
PROGRAM(parked_by_the_next_owner, "[w] ! t [w] g [b r]", RACE_RW)
PROGRAM(parked_by_the_next_owner_and_back, "[w] ! t [w] ! g [r] ! t [w]", RIGHT)
PROGRAM(parked_and_dropped, "[w] ! [w] ! [w] t [w]", RACE_WW)
PROGRAM(parked_behind_a_semaphore, "[w +1] t [?1 r] ! c [u k] g [b w]", RIGHT)
PROGRAM(parked_in_front_of_a_semaphore, "[w] c [u k +1] t [?1 r]", RACE_RW)
PROGRAM(parked_in_front_of_its_semaphore, "[w] [+1] t [?1 r]", RIGHT)
PROGRAM(parked_while_a_wait_is_pending, "t [~1 r] g [w] c [u k] g [^1]", RIGHT)

/* Queues that access parts of one buffer have nothing to do with each other, until one of them
 * accesses another one's part. */
PROGRAM(parts_side_by_side, "[f0] t [f1] c [f2] g [b d0] t [b d1] c [b d2]", RIGHT)
PROGRAM(parts_without_a_barrier, "[f0] t [f1] g [d0] t [b d1]", RAW)
PROGRAM(part_of_another_queue, "[f0] [b f0] t [f1] [b f1] g [d1]", RACE_RW)
PROGRAM(part_of_another_queue_that_is_done, "[f0] [b f0] t [f1] [b f1] ! g [d1 b f0]", RIGHT)
PROGRAM(part_between_others, "[f0] [b f2] t [f1] [b f3] g [b d2] t [b d1]", RIGHT)
PROGRAM(part_between_those_of_another_queue, "[f0] [b f2] t [f1] [b f0]", RACE_WW)
PROGRAM(whole_beside_parts, "[f0] [b f0] t [f1 +1] [b f1] c [?1 r]",
        .expect = {"SYNC-HAZARD-READ-RACING-WRITE"}, .drivers = NULL_DRIVER)
PROGRAM(whole_after_parts, "[f0] [b f0 +1] t [f1] [b f1 +2] c [?1 ?2 r]", RIGHT)
PROGRAM(part_before_a_semaphore_of_its_own, "[f0 +1] [?1 d0] t [f1] [b f1] g [b f1]", RACE_WW)
PROGRAM(parts_after_semaphores_of_their_own,
        "[f0 +1] [?1 d0] [b f0 ^1] t [f1 +2] [?2 d1] g [~1 d0 +3] t [?3 d0]", RIGHT)
PROGRAM(semaphore_of_the_own_queue, "[f0 +1] [?1 d0] ! [f0 ^1] [~1 d0]", RIGHT)
PROGRAM(semaphore_of_the_own_queue_that_is_done, "[f0 +1] ! [f0] [?1 d0]", RAW)
PROGRAM(signal_that_another_queue_takes, "[f0 +1] ! [f1] t [?1 f0] g [b f1]", RIGHT)
PROGRAM(signal_that_another_queue_takes_too_late, "[+1] ! [f0] t [?1 f0]", RACE_WW)
PROGRAM(parts_after_they_have_met, "[f0] t [b f0] | g [f0] t [f1] g [b d0] t [d1]", RACE_WW_AND_RAW)
PROGRAM(events_among_parts, "[f0 s] t [f1] g [v d0] t [b d1]", RIGHT)

/* --- what tools get --- */

/* The JSON says which signal ends a wait, where a greater value does, or the host. (The null driver
 * has several queues.) */
#define IN_JSON                    \
    .features = &program_features, \
    .settings = {"validate_sync=true", "json_filename=found.jsonl"}, .ours_only = true, RACE_RW

static const char *found_text(char *text, size_t size)
{
    FILE *file = fopen("found.jsonl", "r");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return text;
}

static void expect_found(const char *part, bool there)
{
    char text[16384];
    if ((strstr(found_text(text, sizeof(text)), part) != NULL) != there)
        scenario_fail(__FILE__, __LINE__, "%s %s %s", text, there ? "does not have" : "has", part);
}

#define SEMAPHORE_TEXT(wait_) \
    "{\"wait\":" wait_ ",\"semaphore\":{\"type\":\"VkSemaphore\",\"handle\":\"0x"

SCENARIO(greater_value_in_json, IN_JSON)
{
    run_program(b, "[^7] [w] t [~3 r]", true);
    expect_found("\"value\":3,\"signaledValue\":7,\"queue\":", true);
    expect_found("\"value\":7,\"queue\":", true); /* that signal is among them */
}
/* The smaller of two that are enough is taken. */
SCENARIO(smallest_value_that_is_enough_in_json, IN_JSON)
{
    run_program(b, "[^2] [^5] [^7] [w] t [~3 r]", true);
    expect_found("\"value\":3,\"signaledValue\":5,", true);
    expect_found("\"value\":5,\"queue\":", true);
    expect_found("\"value\":7,", false);
}
SCENARIO(just_the_value_in_json, IN_JSON)
{
    run_program(b, "[^3] [^7] [w] t [~3 r]", true);
    expect_found("\"value\":3,\"queue\":", true);
    expect_found("\"signaledValue\":", false);
    expect_found("\"host\":", false);
}
SCENARIO(signal_of_the_host_in_json, IN_JSON)
{
    run_program(b, "h2 h5 [w] t [~5 r]", true);
    expect_found(SEMAPHORE_TEXT("false"), true);
    expect_found("\"value\":5,\"host\":true,\"stages\":[]}", true);
    expect_found("\"value\":2,", false); /* nothing waits for it */
    expect_found("\"signaledValue\":", false);
}
SCENARIO(greater_value_of_the_host_in_json, IN_JSON)
{
    run_program(b, "[w] t [~3 r] h5", true);
    expect_found("\"value\":3,\"signaledValue\":5,", true);
    expect_found("\"value\":5,\"host\":true,\"stages\":[]}", true);
}
/* So much happened since the first signal, which was enough, that it is forgotten: nothing is said.
 */
SCENARIO(forgotten_signal_in_json, IN_JSON)
{
#define MANY_TIMES(text_) text_ text_ text_ text_ text_ text_ text_ text_
    run_program(b, "[^9] " MANY_TIMES(MANY_TIMES("[+1] [?1] ")) "[^20] [w] t [~3 r]", true);
    expect_found(SEMAPHORE_TEXT("true"), true);
    expect_found("\"value\":3,\"queue\":", true);
    expect_found("\"value\":20,", false);
}

/* The initial value of a timeline semaphore, and one that the host knows to be reached, are waited
 * for by nothing. */
PROGRAM(timeline_of_the_initial_value, "[w ^5] t [~0 r]", RACE_RW)
PROGRAM(timeline_of_a_later_value, "[w ^5] t [~1 r]", RIGHT)
PROGRAM(timeline_of_a_value_that_was_reached, "[x ^3] H3 [w ^5] t [~3 r]", RACE_RW)
