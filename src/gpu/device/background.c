/* Makes instrumented pipelines in the background: the queue of jobs, the workers that take from it,
 * and the threads that wait.
 *
 * One lock guards the states of all jobs. It is not held during calls to the driver or to the
 * program's callbacks. A thread that waits for a job which no worker has begun runs the job itself.
 * So jobs are done even without workers: if none can be made, after a fork, or while the process
 * ends. A running job always ends, since it waits for no other thread.
 *
 * Workers end on their own after a while without jobs. When the process exits, no job is begun, and
 * running jobs are waited for, as the driver ends next. */
#define _GNU_SOURCE
#include "gpu/device/background.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/pipeline/compile.h"

#define WORKERS_MOST 16 /* each compile takes tens of megabytes in some drivers */
#define IDLE_SECONDS 10 /* a worker ends after so many idle seconds */
/* A fork or an exit waits so many seconds for a compile at most: a hang would be worse than an
 * unfinished compile. */
#define QUIET_SECONDS 5
/* the stack size of a main thread, which compilers expect; only used pages are committed */
#define STACK_BYTES (8u << 20)

/* A list of jobs. `end` is where the next job is linked in: `first`, or the last job's `next`. */
struct job_list {
    struct gpu_compile *first, **end; /* `first` NULL: no job */
};

static struct lock lock = LOCK_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;     /* there is a job for a worker */
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER; /* a job has changed its state */
/* Queued and running, the oldest first. */
static struct job_list unfinished GUARDED_BY(lock) = {NULL, &unfinished.first};
/* Jobs that are done, until their twins are adopted. */
static struct job_list finished GUARDED_BY(lock) = {NULL, &finished.first};
static uint32_t queued GUARDED_BY(lock); /* number of jobs */
static uint32_t workers GUARDED_BY(lock);
/* workers that wait; workers that run a job */
static uint32_t idle GUARDED_BY(lock), busy GUARDED_BY(lock);
/* if set, workers begin no jobs: until it is cleared; until the process ends */
static bool paused GUARDED_BY(lock), exiting GUARDED_BY(lock);

/* Appends a job to the list, which does not own it. `previous` is the pointer to the job, so that
 * removing needs no search. */
static void list_add(struct job_list *list, struct gpu_compile *job)
{
    job->next = NULL;
    job->previous = list->end;
    *list->end = job;
    list->end = &job->next;
}

/* Removes a job from the list. The job must be in this list, as `end` may change. */
static void list_remove(struct job_list *list, struct gpu_compile *job)
{
    *job->previous = job->next;
    if (job->next)
        job->next->previous = job->previous;
    else
        list->end = job->previous;
}

/* --- running a job --- */

/* Runs a queued job. The lock is released meanwhile. */
static void background_run_job(struct gpu_compile *job, bool by_worker) REQUIRES(lock)
{
    job->state = JOB_RUNNING;
    queued--;
    busy += by_worker;
    lock_release(&lock);
    gpu_compile_run(job);
    lock_take(&lock);
    /* the job stays in the list until its twin is destroyed: the device's end waits for that */
    if (job->dropped) {
        lock_release(&lock);
        gpu_compile_clear(job);
        lock_take(&lock);
        list_remove(&unfinished, job);
        mem_free(job);
    } else {
        list_remove(&unfinished, job);
        list_add(&finished, job);
        job->state = JOB_DONE;
    }
    busy -= by_worker;
    pthread_cond_broadcast(&progress);
}

/* Returns the oldest job that no thread has begun; NULL: there is none, or workers pause for a
 * fork. */
static struct gpu_compile *first_queued(void) REQUIRES(lock)
{
    struct gpu_compile *job = queued && !paused ? unfinished.first : NULL;
    while (job && job->state != JOB_QUEUED) /* a few running jobs may come first */
        job = job->next;
    return job;
}

/* Returns the time that is so many seconds from now. */
static struct timespec seconds_from_now(time_t seconds)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += seconds;
    return time;
}

/* The main function of a worker, a thread that makes pipelines in the background. It ends after
 * IDLE_SECONDS without work. */
static void *worker_main(void *unused)
{
    bool late = false;
    (void)unused;
    /* The program's thread, which has just woken this one, should run first. */
    (void)sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
    (void)pthread_setname_np(pthread_self(), "assay-compile");
    lock_take(&lock);
    for (;;) {
        struct gpu_compile *job = first_queued();
        if (job) {
            background_run_job(job, true);
            late = false;
            continue;
        }
        if (late)
            break;
        const struct timespec end = seconds_from_now(IDLE_SECONDS);
        idle++;
        late = pthread_cond_timedwait(&work, &lock.mutex, &end) == ETIMEDOUT;
        idle--;
    }
    workers--;
    lock_release(&lock);
    return NULL;
}

/* --- workers --- */

/* Returns the most workers: half of the processors that the process may use, at least one, as the
 * program has work of its own. */
static uint32_t workers_most(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) ? 2 : CPU_COUNT(&set);
    return count < 2 ? 1 : count / 2 < WORKERS_MOST ? (uint32_t)count / 2 : WORKERS_MOST;
}

/* Waits until no worker is in a compile, QUIET_SECONDS at most, and lets none begin one. `paused`
 * stays set, and the caller clears it. */
static void wait_until_quiet(void) REQUIRES(lock)
{
    const struct timespec end = seconds_from_now(QUIET_SECONDS);
    paused = true;
    while (busy && pthread_cond_timedwait(&progress, &lock.mutex, &end) != ETIMEDOUT)
        ;
}

/* Runs when the process exits, before the driver's own handlers. No worker begins a job from here
 * on. */
static void at_exit(void)
{
    lock_take(&lock);
    exiting = true;
    wait_until_quiet();
    lock_release(&lock);
}

/* Registers the exit handler. Called once, with the first worker, after the driver has registered
 * its handlers. Handlers run in the opposite order, so that this one runs before the driver's
 * end. */
static void register_exit(void)
{
    (void)atexit(at_exit);
}

/* Starts a worker. Signals are blocked in it, as they are for the program's threads. If that fails,
 * waiting threads run the jobs. */
static void start_worker(void) REQUIRES(lock)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_attr_t attributes;
    sigset_t all, old;
    pthread_t thread;
    pthread_once(&once, register_exit);
    if (pthread_attr_init(&attributes))
        return;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    if (!pthread_create(&thread, &attributes, worker_main, NULL))
        workers++;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    (void)pthread_attr_destroy(&attributes);
}

/* --- jobs of pipelines --- */

void gpu_background_add(struct gpu_compile *job, struct pipeline *pipeline)
{
    lock_take(&lock);
    job->pipeline = pipeline;
    job->slot = &gpu_in_pipeline(pipeline)->compile;
    job->state = JOB_QUEUED;
    list_add(&unfinished, job);
    queued++;
    atomic_store_explicit(job->slot, job, memory_order_release);
    /* Idle workers take jobs first; another worker is made only if there are more jobs than idle
     * workers. */
    if (queued > idle && !paused && workers < workers_most())
        start_worker();
    pthread_cond_signal(&work);
    lock_release(&lock);
}

struct gpu_compile *gpu_background_claim(struct gpu_compile *_Atomic *slot)
{
    struct gpu_compile *job;
    lock_take(&lock);
    while ((job = atomic_load_explicit(slot, memory_order_relaxed)) && job->state != JOB_DONE) {
        /* The caller needs the result now and runs the job itself, with the lock released
         * meanwhile. */
        if (job->state == JOB_QUEUED)
            background_run_job(job, false);
        else
            pthread_cond_wait(&progress, &lock.mutex);
    }
    if (job)
        job->state = JOB_ADOPTING;
    lock_release(&lock);
    return job;
}

void gpu_background_adopted(struct gpu_compile *job, void (*adopt)(struct gpu_compile *job))
{
    lock_take(&lock);
    /* The pipeline's state may have gone since the claim; then its slot must not be accessed. */
    if (!job->dropped) {
        adopt(job);
        atomic_store_explicit(job->slot, NULL, memory_order_release);
    }
    list_remove(&finished, job);
    pthread_cond_broadcast(&progress);
    lock_release(&lock);
}

void gpu_background_drop(struct gpu_compile *_Atomic *slot)
{
    /* Usually no lock is taken, as most pipelines have no job. */
    if (!atomic_load_explicit(slot, memory_order_acquire))
        return;
    lock_take(&lock);
    struct gpu_compile *job = atomic_exchange_explicit(slot, NULL, memory_order_relaxed),
                       /* A running job cannot be freed here. Its thread sees `dropped` and frees
                        * it. */
        *idle_job = NULL;
    if (job) {
        job->dropped = true;
        if (job->state == JOB_QUEUED) {
            list_remove(&unfinished, job);
            queued--;
            idle_job = job;
        } else if (job->state == JOB_DONE) {
            list_remove(&finished, job);
            idle_job = job;
        }
        pthread_cond_broadcast(&progress);
    }
    lock_release(&lock);
    gpu_compile_free(idle_job);
}

/* Finds an unfinished job that uses the handle: preferably one that no thread has begun, else one
 * that is running. NULL: there is none. */
static struct gpu_compile *find_user(const struct device *device, uint64_t handle) REQUIRES(lock)
{
    struct gpu_compile *running = NULL;
    for (struct gpu_compile *job = unfinished.first; job; job = job->next) {
        if (job->call.device != device ||
            (handle && job->uses[0] != handle && job->uses[1] != handle))
            continue;
        if (job->state == JOB_QUEUED)
            return job;
        running = job;
    }
    return running;
}

void gpu_background_wait_users(const struct device *device, uint64_t handle)
{
    struct gpu_compile *job;
    lock_take(&lock);
    while ((job = find_user(device, handle))) {
        if (job->state == JOB_QUEUED)
            background_run_job(job, false);
        else
            pthread_cond_wait(&progress, &lock.mutex);
    }
    lock_release(&lock);
}

/* --- forks --- */

/* In the child of a fork, jobs that other threads of the parent were running are queued once more.
 * Dropped jobs among them are never freed. */
static void begin_child(void) REQUIRES(lock)
{
    pthread_cond_init(&work, NULL);
    pthread_cond_init(&progress, NULL);
    workers = idle = busy = queued = 0;
    for (struct gpu_compile *job = unfinished.first, *next; job; job = next) {
        next = job->next;
        if (job->dropped) {
            list_remove(&unfinished, job);
            continue;
        }
        job->state = JOB_QUEUED;
        queued++;
    }
    for (struct gpu_compile *job = finished.first; job; job = job->next)
        job->state = JOB_DONE;
}

void gpu_background_fork(enum fork_step step) NOT_ANALYSED /* each step runs one half of it */
{
    if (step == FORK_PREPARE) {
        lock_take(&lock);
        wait_until_quiet();
        return;
    }
    if (step == FORK_CHILD)
        begin_child();
    paused = exiting;
    pthread_cond_broadcast(&work);
    lock_release(&lock);
}
