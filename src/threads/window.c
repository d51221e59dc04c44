/* Decides which calls are held open, for how long, and waits.
 *
 * Which calls: a meeting is a call that finds another thread's trace. The first meetings in an
 * object are all held, then a few of each octave: a program that is right stays right. They are
 * counted in a small table by slot: objects that share an entry are held less often. A call is held
 * once.
 *
 * How long: if a thread meets others often, the other thread's next call comes soon. So a window is
 * a part of the time between two meetings.
 *
 * How much in all: threads that share a lock of the program's wait for each other's windows, so the
 * bound is the process's. Each window makes an account grow by the time that it took, times a
 * price. The price is the inverse of the share of time that windows may take. The account is a
 * time: it must not be ahead of the clock by more than the credit.
 *
 * How: the call yields, waits, and yields again. Waiting reads the object's word and pauses the
 * processor in between: a sleep takes 50 us longer than requested. Waiting is of use if the other
 * thread runs at this moment, and a yield if it does not. On a machine whose processors all have
 * work, the other thread often waits for this very processor. Where no thread waits, a yield takes
 * less than a microsecond. With one processor nothing but yields helps.
 *
 * Threads: all is lock-free. The fields of struct thread are the thread's own. The others are
 * atomics, each by itself: no other memory is read because of what is in them, so relaxed accesses
 * are enough. Counts in `meetings` may be lost, when two threads store at once. No cost in
 * `account` is, as it is changed by compare-and-swap. The word that is waited for is mark.h's. */
#define _GNU_SOURCE
#include "threads/window.h"

#include <sched.h>
#include <time.h>

#include "objects/device.h"

#define MICROSECONDS 1000ull
#define MILLISECONDS 1000000ull
#define SECONDS      1000000000ull

/* How much time each value of the setting thread_safety_hold allows for windows. */
struct habit {
    uint32_t first;  /* the first meetings in an object, which are all held */
    uint32_t octave; /* meetings held in each octave after that; a power of two */
    uint64_t price;  /* price of a nanosecond during FIRST_TIME */
    uint64_t price_later;
    uint64_t credit; /* how far the account may be ahead of the clock */
};

static const struct habit habits[] = {
    [THREAD_SAFETY_HOLD_SELDOM] = {.first = 64,
                                   .octave = 16,
                                   .price = 200,
                                   .price_later = 2000,
                                   .credit = 20 * MILLISECONDS * 200},
    [THREAD_SAFETY_HOLD_OFTEN] = {.first = 1024,
                                  .octave = 256,
                                  .price = 20,
                                  .price_later = 20,
                                  .credit = 100 * MILLISECONDS * 20},
};

#define FIRST_TIME (60 * SECONDS) /* counted from the first window */

/* The length of a window is 1 / PART of the time between two meetings, from LEAST to MOST. If
 * threads meet seldom, it is 1 / SELDOM_PART, up to SELDOM_MOST: such programs hardly notice it. */
#define PART        8
#define LEAST       (10 * MICROSECONDS)
#define MOST        (50 * MICROSECONDS)
#define SELDOM_PART 50
#define SELDOM_MOST (200 * MICROSECONDS)

/* A yield may take some time slices of other threads, which are counted. If it takes more than
 * this, the layer is not the cause: the process was stopped. */
#define TAKEN_MOST (5 * MILLISECONDS)

#define MEETINGS 256 /* entries */
static _Atomic uint32_t meetings[MEETINGS];
static _Atomic uint64_t account;    /* nanoseconds of CLOCK_MONOTONIC */
static _Atomic uint64_t first_hold; /* CLOCK_MONOTONIC in nanoseconds; 0: there was none */
static _Atomic int processors;      /* that the process may use; 0: not read yet */

/* Returns the time in nanoseconds of CLOCK_MONOTONIC. */
static uint64_t window_now(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECONDS + (uint64_t)time.tv_nsec;
}

/* True if the process may use one processor only. The number is read once; if it cannot be read,
 * the layer assumes more than one. */
static bool has_one_processor(void)
{
    int count = atomic_load_explicit(&processors, memory_order_relaxed);
    if (!count) {
        cpu_set_t set;
        count = sched_getaffinity(0, sizeof(set), &set) ? 2 : CPU_COUNT(&set);
        atomic_store_explicit(&processors, count, memory_order_relaxed);
    }
    return count == 1;
}

/* Counts this meeting, and returns true if it is held. The held meetings of an octave follow no
 * pattern that a program could be in step with. */
static bool is_meeting_held(const struct habit *habit, const struct object *object)
{
    _Atomic uint32_t *count = &meetings[(size_t)(object - object_slots) % MEETINGS];
    const uint32_t number = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, number + 1, memory_order_relaxed);
    if (number < habit->first)
        return true;
    const uint32_t octave = 1u << (31 - __builtin_clz(number)), step = octave / habit->octave;
    return number % step == (number / step * 0x9e3779b1u >> 8) % step;
}

/* Returns the length of a window in nanoseconds. Sets the thread's meetings since the last window
 * to 0. After more than an hour without a window, the result is shorter than it could be. */
static uint64_t window_length(struct thread *thread, uint64_t time)
{
    assert(thread->met);
    const uint32_t microseconds = (uint32_t)(time / MICROSECONDS) | 1;
    const uint64_t since = (uint64_t)(microseconds - thread->met_last) * MICROSECONDS;
    const uint64_t between = thread->met_last ? since / thread->met : SECONDS;
    thread->met_last = microseconds;
    thread->met = 0;
    const uint64_t part = between / PART, seldom = between / SELDOM_PART;
    if (seldom > MOST)
        return seldom < SELDOM_MOST ? seldom : SELDOM_MOST;
    return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

/* Returns the price of a window at this time. */
static uint64_t price_at(const struct habit *habit, uint64_t time)
{
    uint64_t first = 0;
    if (atomic_compare_exchange_strong_explicit(&first_hold, &first, time, memory_order_relaxed,
                                                memory_order_relaxed))
        first = time;
    return time - first < FIRST_TIME ? habit->price : habit->price_later;
}

/* Adds a cost in nanoseconds to the account. False: too much has been spent, so nothing was added
 * and there is no window now. */
static bool account_take(uint64_t time, uint64_t cost, uint64_t credit)
{
    uint64_t before = atomic_load_explicit(&account, memory_order_relaxed);
    uint64_t after;
    do {
        after = (before > time ? before : time) + cost;
        if (after > time + credit)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&account, &before, after, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

/* True if another call has come to the object since this call left its mark. */
static bool is_overwritten(const struct call *call, const struct object *object)
{
    return atomic_load_explicit(&object->user, memory_order_relaxed) != call->mark;
}

/* Lets the other thread of a processor's core run, and saves power. */
static void pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#define PAUSES 8 /* between reads of the clock: a microsecond at most */

/* Waits for up to `length` nanoseconds. True: the mark has been overwritten. `*time` is the begin
 * of the wait, and becomes its end. */
static bool wait_for_other(const struct call *call, const struct object *object, uint64_t *time,
                           uint64_t length)
{
    const uint64_t end = *time + length;
    sched_yield();
    while (!has_one_processor() && !is_overwritten(call, object) && (*time = window_now()) < end) {
        for (int i = 0; i < PAUSES && !is_overwritten(call, object); i++)
            pause_processor();
    }
    if (!is_overwritten(call, object))
        sched_yield();
    *time = window_now();
    return is_overwritten(call, object);
}

bool window_hold(const struct call *call, const struct object *object, uint32_t other)
{
    assert(other && other != thread_self()->number);
    struct thread *thread = thread_self();
    const enum thread_safety_hold hold = call->instance->settings.thread_safety_hold;
    if (thread->met != UINT16_MAX)
        thread->met++;
    if (hold == THREAD_SAFETY_HOLD_OFF || !is_meeting_held(&habits[hold], object))
        return false;
    const uint32_t calls = (uint32_t)atomic_load_explicit(&thread->calls, memory_order_relaxed);
    if (thread->held_in == calls || !thread_number_is_used(other))
        return false;
    uint64_t time = window_now();
    const uint64_t begin = time, length = window_length(thread, time);
    const uint64_t price = price_at(&habits[hold], time);
    if (!account_take(time, length * price, habits[hold].credit))
        return false;
    thread->held_in = calls;
    const bool overwritten = wait_for_other(call, object, &time, length);
    const uint64_t taken = time - begin < TAKEN_MOST ? time - begin : TAKEN_MOST;
    if (taken > length)
        (void)account_take(time, (taken - length) * price, UINT64_MAX / 2);
    return overwritten;
}
