/* Checks that races of real programs are found although their calls are short. Two threads work for
 * some microseconds to a millisecond between their calls, and nothing keeps these apart. Each
 * program runs several times, for FRAMES frames at most. A correct one has a lock: nothing may be
 * said of it.
 *
 * usage: threads_races [--runs N] [--least N] [--submits N] [PROGRAM...] */
#include "parts.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 200
#define RUNS   10
/* Out of RUNS. 40 of 40 found it with each program, on two processors for which eight threads
 * waited, and 0, 3 and 2 of 20 with thread_safety_hold = off. Where 9 of 10 are found, 3 or less of
 * 10 are 1 in 100,000. */
#define LEAST 4

struct shared {
    struct world world;
    VkCommandBuffer command_buffers[2];
    pthread_barrier_t barrier; /* of the two threads */
    _Atomic bool stops;        /* the frame after this one is not begun */
    _Atomic unsigned frames;
    unsigned submits;
};

/* --- work --- */

static uint64_t race_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* From `least` to `most` microseconds, as chance has it. */
static void work_for(unsigned *seed, unsigned least, unsigned most)
{
    *seed = *seed * 1664525 + 1013904223;
    const uint64_t end = race_microseconds() + least + (*seed >> 8) % (most - least + 1);
    while (race_microseconds() < end)
        ;
}

static bool is_found(struct program *program)
{
    return atomic_load(&program->findings.count) > 0;
}

/* True while this thread has frames to make. */
static bool next_frame(struct program *program, unsigned *frame)
{
    return (*frame)++ < FRAMES && !is_found(program);
}

static void submit_race(struct program *program, const VkCommandBuffer *command_buffer)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = command_buffer != NULL,
                               .pCommandBuffers = command_buffer};
    VK(vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE));
}

/* --- one command pool, two command buffers that two threads record at once --- */

static void record_of_one_pool(struct worker *worker)
{
    struct shared *shared = worker->shared;
    VkCommandBuffer command_buffer = shared->command_buffers[worker->index];
    unsigned seed = worker->index + 1, frame = 0;
    for (;;) {
        /* One thread decides for both, so that none waits for the other in vain. */
        if (worker->index == 0)
            atomic_store(&shared->stops, !next_frame(worker->program, &frame));
        pthread_barrier_wait(&shared->barrier);
        if (atomic_load(&shared->stops))
            break;
        for (int i = 0; i < 20; i++) {
            work_for(&seed, 3, 30);
            vkCmdSetLineWidth(command_buffer, 1.0f);
        }
        pthread_barrier_wait(&shared->barrier);
        atomic_fetch_add(&shared->frames, worker->index == 0);
    }
}

/* --- one queue, to which two threads submit --- */

static void submit_to_one_queue(struct worker *worker)
{
    struct shared *shared = worker->shared;
    unsigned seed = worker->index + 1;
    for (unsigned frame = 0; next_frame(worker->program, &frame);) {
        work_for(&seed, 100, 1000);
        submit_race(worker->program, NULL);
        atomic_fetch_add(&shared->frames, worker->index == 0);
    }
}

/* --- a renderer: one thread makes frames, another one loads what they need --- */

static void make_frames(struct worker *worker)
{
    struct shared *shared = worker->shared;
    struct program *program = worker->program;
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    VkFence fence = make_fence(program);
    unsigned seed = 1;
    for (unsigned frame = 0; next_frame(program, &frame);) {
        uint32_t image = 0;
        VK(vkAcquireNextImageKHR(program->device, shared->world.swapchain, UINT64_MAX,
                                 VK_NULL_HANDLE, fence, &image));
        VK(vkWaitForFences(program->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VK(vkResetFences(program->device, 1, &fence));
        begin_commands(command_buffer);
        for (int i = 0; i < 20; i++) {
            work_for(&seed, 5, 40);
            vkCmdSetLineWidth(command_buffer, 1.0f);
        }
        VK(vkEndCommandBuffer(command_buffer));
        submit_race(program, &command_buffer);
        work_for(&seed, 50, 400);
        const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                       .swapchainCount = 1,
                                       .pSwapchains = &shared->world.swapchain,
                                       .pImageIndices = &image};
        VK(vkQueuePresentKHR(program->queue, &info));
        atomic_fetch_add(&shared->frames, 1);
    }
    atomic_store(&shared->stops, true);
    vkDestroyFence(program->device, fence, NULL);
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void load_resources(struct worker *worker)
{
    struct shared *shared = worker->shared;
    struct program *program = worker->program;
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    unsigned seed = 2;
    while (!atomic_load(&shared->stops) && !is_found(program)) {
        const struct timespec read = {0, 3000000}; /* a file */
        nanosleep(&read, NULL);
        work_for(&seed, 1000, 4000); /* and what is in it */
        begin_commands(command_buffer);
        vkCmdFillBuffer(command_buffer, shared->world.buffer, 0, 64, 0);
        VK(vkEndCommandBuffer(command_buffer));
        submit_race(program, &command_buffer);
    }
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void render_or_load(struct worker *worker)
{
    if (worker->index == 0)
        make_frames(worker);
    else
        load_resources(worker);
}

/* --- a correct program: a lock around the queue --- */

static void submit_with_lock(struct worker *worker)
{
    struct shared *shared = worker->shared;
    struct program *program = worker->program;
    for (unsigned i = 0; i < shared->submits; i++) {
        pthread_mutex_lock(&program->queue_lock);
        submit_race(program, NULL);
        pthread_mutex_unlock(&program->queue_lock);
    }
}

/* --- the test --- */

static const struct race {
    const char *name;
    worker_function function;
    const char *object; /* that the finding names; NULL: nothing may be found */
} races[] = {
    {"one pool", record_of_one_pool, "VkCommandPool"},
    {"one queue", submit_to_one_queue, "VkQueue"},
    {"renderer", render_or_load, "VkQueue"},
    {"lock", submit_with_lock, NULL},
};

/* True if what was found is the race of `race`, and is nothing where it has none. */
static bool is_right(const struct race *race, struct findings *findings)
{
    bool right = true;
    for (unsigned i = 0; i < findings->kept && right; i++)
        right = race->object && strstr(findings->ids[i], "MultipleThreads-Write") &&
                strstr(findings->texts[i], race->object);
    if (!right)
        (void)findings_are_none(findings, race->name);
    return right;
}

/* Answers of run_race(), with which a process ends, too; one that fails ends with another number.
 */
enum result { RESULT_NOTHING = 10, RESULT_FOUND, RESULT_WRONG };

static enum result run_race(const struct race *race, unsigned submits)
{
    struct program program;
    struct shared shared = {.submits = submits};
    program_create(&program);
    require_layer(&program);
    world_create(&shared.world, &program, false);
    ENSURE(pthread_barrier_init(&shared.barrier, NULL, 2) == 0);
    VkCommandPool pool = make_command_pool(&program);
    for (int i = 0; i < 2; i++) {
        shared.command_buffers[i] = make_command_buffer(&program, pool);
        begin_commands(shared.command_buffers[i]);
    }
    const uint64_t begin = race_microseconds();
    run_threads(&program, 2, 0, race->function, &shared);
    const uint64_t taken = race_microseconds() - begin;
    const bool right = is_right(race, &program.findings), found = is_found(&program);
    printf("%s: %s after %u frames, %.1f ms\n", race->name, found ? "found" : "nothing",
           atomic_load(&shared.frames), (double)taken / 1000);
    VK(vkDeviceWaitIdle(program.device));
    vkDestroyCommandPool(program.device, pool, NULL);
    pthread_barrier_destroy(&shared.barrier);
    world_destroy(&shared.world);
    program_destroy(&program);
    return !right ? RESULT_WRONG : found ? RESULT_FOUND : RESULT_NOTHING;
}

/* In a process of its own: how often calls are held open depends on what was before. */
static enum result run_alone(const struct race *race, unsigned submits)
{
    int status = 0;
    const pid_t child = fork();
    ENSURE(child >= 0);
    if (child == 0)
        exit(run_race(race, submits));
    ENSURE(waitpid(child, &status, 0) == child);
    const int end = WIFEXITED(status) ? WEXITSTATUS(status) : RESULT_WRONG;
    return end == RESULT_NOTHING || end == RESULT_FOUND ? (enum result)end : RESULT_WRONG;
}

static bool run_all(const struct race *race, unsigned runs, unsigned least, unsigned submits)
{
    unsigned found = 0;
    bool right = true;
    if (!race->object)
        runs = 1;
    for (unsigned i = 0; i < runs; i++) {
        const enum result result = run_alone(race, submits);
        right &= result != RESULT_WRONG;
        found += result == RESULT_FOUND;
    }
    right &= !race->object || found >= least;
    printf("%s %s: found in %u of %u runs\n", right ? "ok    " : "FAILED", race->name, found, runs);
    fflush(stdout);
    return right;
}

int main(int argc, char **argv)
{
    unsigned runs = RUNS, least = LEAST, submits = 20000, failed = 0;
    int first = 1;
    for (; first + 1 < argc && !strncmp(argv[first], "--", 2); first += 2) {
        const unsigned number = (unsigned)atoi(argv[first + 1]);
        if (!strcmp(argv[first], "--runs"))
            runs = number;
        else if (!strcmp(argv[first], "--least"))
            least = number;
        else
            submits = number;
    }
    for (size_t i = 0; i < sizeof(races) / sizeof(races[0]); i++) {
        bool chosen = first == argc;
        for (int a = first; a < argc; a++)
            chosen |= !strcmp(argv[a], races[i].name);
        if (chosen)
            failed += !run_all(&races[i], runs, least, submits);
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
