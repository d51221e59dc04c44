/* Measures what one operation costs in this process, with the layers and the driver that the
 * environment names.
 *
 *     bench_ops [--threads N] [--ms N] [OPERATION...]
 *         prints a line "NAME ns-min ns-median" for each
 *     bench_ops --crowd N [--ms N] [OPERATION...]
 *         the same with N threads, which may be more than there are processors. After the two
 *         figures stands how often a thread slept in an operation
 *     bench_ops --count N OPERATION
 *         does exactly N operations, on one thread, for counting instructions
 *     bench_ops --startup N
 *         makes and destroys instance and device N times, and prints ns-min and ns-median
 *     bench_ops --bytes N
 *         prints the growth of resident memory per object, with N objects of each kind alive
 *     bench_ops --fresh N
 *         prints "STEP ns-tenth ns-median" for the first steps of N command buffers
 *     bench_ops --list
 *         prints a line "NAME what it calls" for each */
#define _GNU_SOURCE
#include "bytes.h"
#include "operations.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A measured piece is this long. That is long against the clock and the barrier of the threads, and
 * short enough that some pieces of a run meet no other process on a busy machine. The shortest
 * piece is the figure. Several threads must have all their processors for a whole piece. */
#define PIECE_NS   2000000.0
#define PIECE_NS_2 500000.0
/* Threads that share processors have each turn of theirs in a piece. */
#define PIECE_NS_CROWD 50000000.0
#define PIECE_LIMIT    4096

#define EXIT_SKIPPED 77 /* of a test that this machine cannot run */

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* How often threads of the process have slept; a yield of the processor is none. */
static long sleeps_now(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_nvcsw;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Puts the calling thread on the n-th processor that the process may run on; leaves it where there
 * are fewer. `allowed` is what main found, since a thread that is pinned hands its one processor on
 * to those that it starts. */
static void pin_to(const cpu_set_t *allowed, uint32_t index)
{
    cpu_set_t one;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, allowed) && index-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
    }
}

/* Threads: `operation` and `count` are written by thread 0 before `round` is advanced (release) and
 * read by the others after they saw the advance (acquire). Each of them then advances `finished`,
 * likewise the other way: the sum is a release sequence, which thread 0 sees the end of. */
struct team {
    struct worker workers[THREAD_LIMIT];
    struct member {
        struct team *team;
        uint32_t index;
        pthread_t thread;
    } members[THREAD_LIMIT];
    uint32_t threads;
    bool crowd; /* they share processors */
    cpu_set_t allowed;
    const struct operation *operation; /* NULL: the other threads end */
    uint64_t count;
    _Alignas(64) _Atomic uint32_t round;
    _Alignas(64) _Atomic uint32_t finished; /* rounds, of all other threads together */
};

/* Another thread is waited for. */
static void pause_for_others(const struct team *team)
{
    if (team->crowd) {
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static void *other_thread(void *argument)
{
    const struct member *member = argument;
    struct team *team = member->team;
    if (!team->crowd)
        pin_to(&team->allowed, member->index);
    for (uint32_t seen = 0;;) {
        uint32_t round;
        while ((round = atomic_load_explicit(&team->round, memory_order_acquire)) == seen)
            pause_for_others(team);
        seen = round;
        if (!team->operation)
            return NULL;
        team->operation->run(&team->workers[member->index], team->count);
        atomic_fetch_add_explicit(&team->finished, 1, memory_order_release);
    }
}

/* The time in which every thread has done `count` operations. */
static double piece_run(struct team *team, const struct operation *operation, uint64_t count)
{
    team->operation = operation;
    team->count = count;
    const double start = now_ns();
    const uint32_t round = atomic_fetch_add_explicit(&team->round, 1, memory_order_release) + 1;
    operation->run(&team->workers[0], count);
    while (atomic_load_explicit(&team->finished, memory_order_acquire) !=
           round * (team->threads - 1))
        pause_for_others(team);
    return now_ns() - start;
}

/* Tries several pieces and takes the shortest. One that met another process would say that hardly
 * any operations fit in a piece, and what an operation makes ready once a piece would be in its
 * figure. */
static double piece_try(struct team *team, const struct operation *operation, uint64_t count)
{
    double shortest = piece_run(team, operation, count);
    for (int again = 0; again < 2; again++) {
        double time = piece_run(team, operation, count);
        shortest = time < shortest ? time : shortest;
    }
    return shortest;
}

static void operation_measure(struct team *team, const struct operation *operation,
                              double milliseconds)
{
    static double pieces[PIECE_LIMIT];
    const double piece_ns = team->crowd         ? PIECE_NS_CROWD
                            : team->threads > 1 ? PIECE_NS_2
                                                : PIECE_NS;
    uint64_t count = 1;
    double time;
    while ((time = piece_try(team, operation, count)) < piece_ns / 4 && count < UINT32_MAX)
        count *= 2;
    count = (uint64_t)((double)count * piece_ns / time) + 1;
    if (operation->records) /* these loops round up to whole command buffers: count in those */
        count = (count + RECORDED - 1) / RECORDED * RECORDED;
    uint32_t n = 0;
    const long sleeps = sleeps_now();
    for (const double end = now_ns() + milliseconds * 1e6;
         n < PIECE_LIMIT && (n < 3 || now_ns() < end);)
        pieces[n++] = piece_run(team, operation, count) / (double)count;
    const double done = (double)n * (double)count * team->threads;
    qsort(pieces, n, sizeof(pieces[0]), compare_doubles);
    printf("%s %.3f %.3f", operation->name, pieces[0], pieces[n / 2]);
    if (team->crowd)
        printf(" %.4f", (double)(sleeps_now() - sleeps) / done);
    printf("\n");
    fflush(stdout);
}

static void operations_measure(uint32_t threads, bool crowd, double milliseconds, char **names,
                               int name_count)
{
    static struct context context;
    static struct team team;
    context_create(&context);
    team.threads = threads;
    team.crowd = crowd;
    if (sched_getaffinity(0, sizeof(team.allowed), &team.allowed))
        fail("sched_getaffinity");
    if (!crowd && CPU_COUNT(&team.allowed) < (int)threads) {
        printf("skipped: there is not a processor for each of %u threads\n", threads);
        exit(EXIT_SKIPPED);
    }
    for (uint32_t i = 0; i < threads; i++)
        worker_create(&team.workers[i], &context, i);
    workers_create_together(team.workers, threads);
    if (!crowd)
        pin_to(&team.allowed, 0);
    for (uint32_t i = 1; i < threads; i++) {
        struct member *member = &team.members[i];
        *member = (struct member){.team = &team, .index = i};
        if (pthread_create(&member->thread, NULL, other_thread, member))
            fail("pthread_create");
    }
    for (uint32_t i = 0; i < operation_count; i++) {
        bool wanted = !name_count;
        for (int n = 0; n < name_count; n++)
            wanted |= !strcmp(names[n], operations[i].name);
        if (wanted && (!operations[i].needs_queue || threads <= context.queue_count))
            operation_measure(&team, &operations[i], milliseconds);
    }
    team.operation = NULL;
    atomic_fetch_add_explicit(&team.round, 1, memory_order_release);
    for (uint32_t i = 1; i < threads; i++)
        pthread_join(team.members[i].thread, NULL);
    bench_must(context.vk.DeviceWaitIdle(context.device), "vkDeviceWaitIdle");
    workers_destroy_together(team.workers, threads);
    for (uint32_t i = 0; i < threads; i++)
        worker_destroy(&team.workers[i]);
    context_destroy(&context);
}

static void operation_count_exactly(const char *name, uint64_t count)
{
    const struct operation *operation = operation_find(name);
    static struct context context;
    static struct worker worker;
    if (!operation)
        fail("finding that operation");
    context_create(&context);
    worker_create(&worker, &context, 0);
    workers_create_together(&worker, 1);
    operation->run(&worker, count);
    workers_destroy_together(&worker, 1);
    worker_destroy(&worker);
    context_destroy(&context);
}

static void startup_measure(uint32_t count)
{
    static double times[PIECE_LIMIT];
    static struct context context;
    for (uint32_t i = 0; i < count && i < PIECE_LIMIT; i++) {
        const double start = now_ns();
        instance_create(&context);
        device_create(&context);
        times[i] = now_ns() - start;
        device_and_instance_destroy(&context);
    }
    qsort(times, count, sizeof(times[0]), compare_doubles);
    printf("startup %.0f %.0f\n", times[0], times[count / 2]);
}

int main(int argc, char **argv)
{
    uint32_t threads = 1, startups = 0, objects = 0, fresh = 0;
    bool crowd = false;
    double milliseconds = 30;
    uint64_t count = 0;
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        if (!strcmp(argv[i], "--list")) {
            for (uint32_t o = 0; o < operation_count; o++)
                printf("%s %s\n", operations[o].name, operations[o].what);
            return 0;
        }
        if (i + 1 == argc)
            fail("reading the arguments");
        const char *option = argv[i++];
        crowd |= !strcmp(option, "--crowd");
        if (!strcmp(option, "--threads") || !strcmp(option, "--crowd"))
            threads = (uint32_t)atoi(argv[i]);
        else if (!strcmp(option, "--ms"))
            milliseconds = atof(argv[i]);
        else if (!strcmp(option, "--count"))
            count = strtoull(argv[i], NULL, 10);
        else if (!strcmp(option, "--startup"))
            startups = (uint32_t)atoi(argv[i]);
        else if (!strcmp(option, "--bytes"))
            objects = (uint32_t)atoi(argv[i]);
        else if (!strcmp(option, "--fresh"))
            fresh = (uint32_t)atoi(argv[i]);
        else
            fail(option);
    }
    if (threads < 1 || threads > THREAD_LIMIT)
        fail("--threads outside 1..16");
    if (startups)
        startup_measure(startups);
    else if (objects)
        bytes_measure(objects);
    else if (fresh)
        fresh_measure(fresh);
    else if (count)
        operation_count_exactly(i < argc ? argv[i] : "", count);
    else
        operations_measure(threads, crowd, milliseconds, argv + i, argc - i);
    return 0;
}
