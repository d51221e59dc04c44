/* Races in shared memory: two invocations of a workgroup, what they do, and what orders it. */
#include "gpu/gpu_world.h"

#include "gpu_shared.h"

static void run_shared_code(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                            uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

#define RUN(scenario_, name_, index_, other_, ...)                                   \
    SCENARIO(scenario_, GPU, ##__VA_ARGS__)                                          \
    {                                                                                \
        run_shared_code(b, gpu_stage_comp, GPU_CODE(spirv_##name_), index_, other_); \
    }
#define ON(what_) .expect = {"SharedMemoryDataRace-RaceOn" #what_}
#define BETWEEN   "of the same workgroup, with no barrier in between that orders the two. "

/* --- two invocations --- */

RUN(write_then_read, write_read, 0, 0, ON(Load),
    .text = {"Data race in shared memory: \"tile[5]\" is read by local invocation 4, and was "
             "written by local invocation 3 (write_read.comp, line 13) " BETWEEN,
             "vkCmdDispatch",
             "write_read.comp at line 15.\n  15:         result.value.x = float(tile[5]);"})
RUN(write_then_read_ordered, write_barrier_read, 0, 0)
RUN(read_then_write, read_write, 6, 0, ON(Store),
    .text = {"\"tile[6]\" is written by local invocation 3, and was read by local invocation 4",
             "line 13", BETWEEN})
RUN(read_then_write_ordered, read_barrier_write, 6, 0)
/* "A write whose value is the same as what was already in those memory locations is still
 * considered to be a write" */
RUN(same_value, same_value, 0, 0, ON(Store),
    .text = {"\"flag\" is written by local invocation", BETWEEN})
RUN(many_read, many_read, 0, 0, ON(Store),
    .text = {"\"flag\" is written by local invocation 7, and was read by local invocation ",
             BETWEEN})
RUN(neighbours, neighbours, 1, 0, ON(Load), .text = {"\"tile[", "neighbours.comp, line 12"})
RUN(no_neighbours, neighbours, 8, 0)
RUN(own_elements, own, 0, 0)
RUN(two_to_an_element, stride, 1, 0, ON(Store), .text = {"\"tile["})
RUN(one_to_an_element, stride, 1, 4)
RUN(halves_that_meet, halves, 4, 0, ON(Load), .text = {"\"tile["})
RUN(halves_that_do_not, halves, 0, 0)
RUN(round_without_its_barrier, last_round, 0, 0, ON(Store), .text = {"\"tile["})
RUN(round_with_its_barrier, last_round, 2, 0)
RUN(store_after_a_function, helper, 0, 0, ON(Store), .text = {"\"tile["})
RUN(store_after_a_barrier_in_a_function, helper, 1, 0)

/* --- atomics --- */

RUN(atomics, atomics, 0, 0)
RUN(write_then_atomic, write_atomic, 0, 0, ON(Atomic),
    .text = {"\"flag\" is changed atomically by local invocation 4, and was written by local "
             "invocation 3",
             BETWEEN})
RUN(atomic_then_read, atomic_read, 0, 0, ON(LoadStoreVsAtomic),
    .text = {
        "\"flag\" is read by local invocation 4, and was changed atomically by local invocation 3",
        BETWEEN})
/* A failed exchange does not write. */
RUN(failed_exchange, failed_exchange, 0, 0)

/* --- what orders, and what does not --- */

/* A memory barrier needs an atomic operation, or a control barrier, to synchronize with another
 * one. */
RUN(memory_barrier_alone, memory_barrier_alone, 0, 0, ON(Load),
    .text = {"\"tile[5]\" is read by local invocation 4"})
RUN(flag_and_memory_barriers, flag_and_barriers, 0, 0)
RUN(flag_acquired, flag_acquired, 0, 0)
RUN(flag_not_acquired, flag_not_acquired, 0, 0, ON(Load),
    .text = {"\"tile[5]\" is read by local invocation 4"})
RUN(subgroup_barrier, subgroup_barrier, 0, 0)
RUN(barrier_without_memory, barrier_without_memory, 0, 0, ON(Load),
    .text = {"\"tile[5]\" is read by local invocation 4, and was written by local invocation 3"})
RUN(barrier_and_memory_barriers, barrier_and_memory_barriers, 0, 0)
RUN(loop_with_one_barrier, loop, 2, 0, ON(Store),
    .text = {"\"tile[", "and was read by local invocation", "loop.comp, line 15"})
RUN(loop_with_two_barriers, loop, 20, 1)
RUN(loop_of_many_barriers, loop, 6000, 1)

/* --- where --- */

RUN(member, parts, 2, 2, ON(Load),
    .text = {"\"parts[2].turn[1][0].y\" is read by local invocation 4, and was written by local "
             "invocation 3"})
RUN(other_member, parts, 2, 3)
RUN(whole_struct, whole, 1, 0, ON(Load),
    .text = {"\"parts[1].at.z\" is read by local invocation 4"})
RUN(other_struct, whole, 2, 0)
RUN(in_functions, called, 0, 0, ON(Load),
    .text = {"\"tile[5]\" is read by local invocation 4, and was written by local invocation 3 "
             "(called.comp, line 12)",
             "called.comp at line 16."})
RUN(in_functions_ordered, called, 1, 0)
SCENARIO(handed_to_a_function, GPU, ON(Store),
         .text = {"\"tile[5]\" is written by local invocation 4, and was written by local "
                  "invocation 3 (instruction "})
{
    run_shared_code(b, gpu_stage_comp, GPU_CODE(spirv_shared_parameter), 0, 0);
}

/* --- other stages --- */

#define STAGE(stage_, name_, invocation_)                                                       \
    SCENARIO(stage_##_shader, GPU_WITH_MESH, ON(Store),                                         \
             .text = {"\"tile[5]\" is written by local invocation 4, and was written by local " \
                      "invocation 3",                                                           \
                      GPU_TEXT_STAGE(invocation_ ". Global invocation ID (x,y,z) = (4, 0, 0)"), \
                      "vkCmdDrawMeshTasksEXT"})                                                 \
    {                                                                                           \
        run_shared_code(b, gpu_stage_##stage_, GPU_CODE(spirv_##name_), 0, 0);                  \
    }
STAGE(mesh, race, "Mesh")
STAGE(task, race_in_task, "Task")

/* --- what there is no room for: the program cannot mend it, so that is said as information --- */

#define MISSED(scenario_, name_, index_, part_, ...)                                  \
    SCENARIO(scenario_, GPU_SETTINGS("report_flags=error,warn,info"),                 \
             .features = &gpu_features_plain, ##__VA_ARGS__)                          \
    {                                                                                 \
        gpu_listen(b, "Races in the shared memory of some shaders are not found "     \
                      "(gpuav_shared_memory_data_race), or not all of them: " part_); \
        run_shared_code(b, gpu_stage_comp, GPU_CODE(spirv_##name_), index_, 0);       \
        EXPECT_EQUAL(gpu_heard(), b->ours);                                           \
    }
MISSED(no_room, full, 0, "they use all of it, and leave no room for notes")
MISSED(specialized_length, specialized, 0, "specialization tells how much of it they have")
MISSED(little_room, large, 5000, "they use so much of it that only part of",
       .expect = {"SharedMemoryDataRace-RaceOnStore"},
       .text = {"\"large[5000]\" is written by local invocation 4, and was written by local "
                "invocation 3"})
MISSED(little_room_elsewhere, large, 4999, "they use so much of it that only part of")
RUN(specialized_workgroup, specialized_size, 0, 0, ON(Store), .text = {"\"tile["})

SCENARIO(shared_off, GPU_SETTINGS("gpuav_shared_memory_data_race=false"),
         .features = &gpu_features_plain)
{
    run_shared_code(b, gpu_stage_comp, GPU_CODE(spirv_write_read), 0, 0);
}
