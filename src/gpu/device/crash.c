/* Gets findings of shaders out of a process that crashes.
 *
 * The handler of a signal may do next to nothing: the thread that got the signal may hold any lock.
 * So the handler wakes a thread of the layer's, which reads the records as any call would. It waits
 * until that is done or WAIT_SECONDS have passed. Then the signal does what it would have done
 * without the layer: it ends the process, or it is the program's.
 *
 * A signal that several threads get at once needs nothing more. Each takes a number from `asked`,
 * and the reading thread stores the number up to which it has answered. Both words are futexes. */
#define _GNU_SOURCE
#include "gpu/device/crash.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "state/object/aftermath.h"

/* Long enough to read and write all records of a ring; short enough for a person waiting for the
 * process to end. */
#define WAIT_SECONDS 2

/* The program's own handlers of the first ones are called afterwards. The others end a program that
 * hangs in a wait for its shaders. Where the program handles such a signal or ignores it, it is
 * left alone. */
static const struct {
    int number;
    bool is_crash;
} signals[] = {{SIGSEGV, true}, {SIGBUS, true},   {SIGILL, true},   {SIGFPE, true}, {SIGABRT, true},
               {SIGINT, false}, {SIGTERM, false}, {SIGQUIT, false}, {SIGHUP, false}};

static struct sigaction previous[ARRAY_LENGTH(signals)]; /* constant once a handler is there */
static _Atomic bool reading;                             /* a thread exists that answers */
static _Atomic uint32_t asked, answered;
/* one of the asking threads is about to end the process. Relaxed: `asked` orders it */
static _Atomic bool ends;
static void (*drain_devices)(bool ends); /* constant once the thread that answers exists */

/* --- the thread that reads --- */

/* Sleeps while the word has this value, at most for the time `most` (NULL: no limit). It may return
 * early, so callers check again. Async-signal-safe. */
static void futex_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *most)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
}

/* Wakes all threads that wait for the word. Async-signal-safe. */
static void futex_wake(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* The main function of the thread that reads records when a signal handler asks for it, since the
 * handler itself may not read them. */
static void *read_when_asked(void *unused)
{
    uint32_t done = atomic_load(&answered);
    (void)unused;
    (void)pthread_setname_np(pthread_self(), "assay-crash");
    for (;;) {
        const uint32_t now = atomic_load(&asked);
        if (now == done) {
            futex_wait(&asked, done, NULL);
            continue;
        }
        drain_devices(atomic_load_explicit(&ends, memory_order_relaxed));
        done = now;
        atomic_store(&answered, done);
        futex_wake(&answered);
    }
    return NULL;
}

/* Starts the thread that reads records; returns false if it could not be made. It gets no signals,
 * so that it never waits for itself. */
static bool start_reading(void)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    pthread_t thread;
    if (pthread_attr_init(&attributes))
        return false;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    const bool started = pthread_create(&thread, &attributes, read_when_asked, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

/* --- signals. Everything from here to pass_on() is async-signal-safe --- */

/* True if the time `end` of CLOCK_MONOTONIC has passed. Async-signal-safe. */
static bool has_passed(const struct timespec *end)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end->tv_sec || (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

/* Asks the thread to read records, and waits for it WAIT_SECONDS at most. Safe in a handler of a
 * signal. */
static void crash_ask(bool process_ends)
{
    const struct timespec slice = {.tv_nsec = 100000000};
    struct timespec end;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += WAIT_SECONDS;
    if (process_ends)
        atomic_store_explicit(&ends, true, memory_order_relaxed);
    const uint32_t number = atomic_fetch_add(&asked, 1) + 1;
    futex_wake(&asked);
    uint32_t now = atomic_load(&answered);
    while ((int32_t)(now - number) < 0 && !has_passed(&end)) {
        futex_wait(&answered, now, &slice);
        now = atomic_load(&answered);
    }
}

/* True if the instruction that raised the signal faults again when the handler returns. */
static bool comes_again(int number, const siginfo_t *info)
{
    return info->si_code > 0 &&
           (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE);
}

/* Does what the signal would have done without the layer. A signal that is raised here is delivered
 * when the handler returns. */
static void pass_on(const struct sigaction *old, int number, siginfo_t *info, void *context)
{
    const struct sigaction default_action = {.sa_handler = SIG_DFL};
    if (old->sa_flags & SA_RESETHAND)
        (void)sigaction(number, &default_action, NULL);
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
        return;
    }
    if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
        return;
    }
    if (old->sa_handler == SIG_IGN && !comes_again(number, info))
        return;
    (void)sigaction(number, &default_action, NULL);
    if (!comes_again(number, info))
        (void)raise(number);
}

/* True if the signal ends the process after the layer's handler, as the program has no handler for
 * it. */
static bool ends_process(const struct sigaction *old)
{
    return !(old->sa_flags & SA_SIGINFO) &&
           (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN);
}

/* The handler of all signals in the list. It keeps errno, as the interrupted code may be about to
 * read it. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    size_t i = 0;
    while (i + 1 < ARRAY_LENGTH(signals) && signals[i].number != number)
        i++;
    if (atomic_load(&reading))
        crash_ask(ends_process(&previous[i]));
    errno = error;
    pass_on(&previous[i], number, info, context);
}

/* Installs the layer's handler for one signal, and keeps the previous one. The program's flags
 * stay, so that its handler is called in the same way. */
static void handle_signal(size_t i)
{
    if (sigaction(signals[i].number, NULL, &previous[i]) ||
        (!signals[i].is_crash && !ends_process(&previous[i])) ||
        (!signals[i].is_crash && previous[i].sa_handler == SIG_IGN))
        return;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_mask = previous[i].sa_mask};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (previous[i].sa_flags & (SA_NODEFER | SA_RESTART));
    (void)sigaction(signals[i].number, &action, NULL);
}

/* --- the process, from the first device on --- */

/* Reads the records of a program that ends without destroying its device. It is installed under
 * `assay run`, which waits only for that. */
static void on_exit_of_process(void)
{
    if (atomic_load(&reading))
        crash_ask(true);
}

void gpu_crash_begin(void (*drain)(bool ends))
{
    /* Handlers stay for the life of the process; a child of a fork only needs the thread again. */
    static bool handled; /* Lock: devices_lock */
    if (atomic_load(&reading))
        return;
    drain_devices = drain;
    if (!start_reading())
        return;
    atomic_store(&reading, true);
    if (handled)
        return;
    handled = true;
    if (aftermath_is_wanted())
        (void)atexit(on_exit_of_process);
    for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
        handle_signal(i);
}

void gpu_crash_fork_child(void)
{
    atomic_store(&reading, false);
    /* The reading thread does not exist in the child, and no request of the parent is pending
     * here. */
    atomic_store(&answered, atomic_load(&asked));
}
