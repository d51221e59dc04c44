/* Checks which calls are held open. It is only those that find the trace of another thread that
 * lives, once a call, and for a bounded time in all. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "chassis/mark.h"
#include "threads/mark.h"
#include "threads/window.h"

static struct instance instance; /* all of it is zero but the setting */

static struct call call_of(enum thread_safety_hold hold)
{
    instance.settings.thread_safety_hold = hold;
    return (struct call){.instance = &instance, .caller = (const void *)0x401000};
}

static struct object *create_fence_object(void)
{
    const struct object_create_info info = {
        .type = HANDLE_FENCE, .driver = 0x1234, .owner = 7, .wrapped = true};
    struct object *object = object_create(&info);
    assert_non_null(object);
    return object;
}

static void destroy_fence_object(struct object *object)
{
    assert_true(object_retire(object));
    object_release(object);
}

/* One call that needs the object for itself. True: it was held open. */
static bool use_object(struct object *object, enum thread_safety_hold hold)
{
    struct call call = call_of(hold);
    const uint32_t entered = thread_enter(1);
    const struct own_mark own = mark_begin(&call);
    const uint32_t calls = (uint32_t)atomic_load(&thread_self()->calls);
    mark_enter(&call, own, object, NULL);
    const bool held = thread_self()->held_in == calls;
    mark_leave(&call, own, object, NULL);
    thread_leave(entered);
    return held;
}

static uint64_t user_of(struct object *object)
{
    return atomic_load(&object->user);
}

/* --- another thread --- */

struct other {
    struct object *object;
    pthread_barrier_t barrier; /* it has used the object; it may end */
    uint32_t number;
    bool disturbs; /* meanwhile it comes whenever it meets a mark */
    _Atomic bool ends;
};

static void *other_main(void *argument)
{
    struct other *other = argument;
    other->number = thread_number();
    (void)use_object(other->object, THREAD_SAFETY_HOLD_OFF);
    pthread_barrier_wait(&other->barrier);
    while (other->disturbs && !atomic_load(&other->ends)) {
        uint64_t seen = user_of(other->object);
        if (mark_is_inside(seen))
            (void)atomic_compare_exchange_strong(&other->object->user, &seen, seen | MARK_REPORTED);
    }
    pthread_barrier_wait(&other->barrier);
    return NULL;
}

static pthread_t other_begin(struct other *other)
{
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&other->barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, other_main, other), 0);
    pthread_barrier_wait(&other->barrier);
    return thread;
}

static void other_end(struct other *other, pthread_t thread)
{
    atomic_store(&other->ends, true);
    pthread_barrier_wait(&other->barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_barrier_destroy(&other->barrier);
}

/* --- */

static void one_thread_alone_is_never_held(void **state)
{
    struct object *object = create_fence_object();
    assert_int_equal(user_of(object), 0);
    for (int i = 0; i < 1000; i++) {
        assert_false(use_object(object, THREAD_SAFETY_HOLD_OFTEN));
        assert_int_equal(user_of(object), thread_number());
    }
    assert_int_equal(thread_self()->met, 0);
    destroy_fence_object(object);
}

static void a_trace_of_another_thread_is_met_once(void **state)
{
    struct other other = {.object = create_fence_object()};
    const pthread_t thread = other_begin(&other);
    assert_int_equal(user_of(other.object), other.number);
    assert_true(use_object(other.object, THREAD_SAFETY_HOLD_SELDOM));
    assert_false(use_object(other.object, THREAD_SAFETY_HOLD_SELDOM));
    assert_int_equal(user_of(other.object), thread_number());
    other_end(&other, thread);
    destroy_fence_object(other.object);
}

static void a_thread_that_has_ended_is_not_waited_for(void **state)
{
    struct other other = {.object = create_fence_object()};
    const pthread_t thread = other_begin(&other);
    other_end(&other, thread);
    assert_int_equal(user_of(other.object), other.number);
    assert_false(use_object(other.object, THREAD_SAFETY_HOLD_OFTEN));
    assert_int_equal(user_of(other.object), thread_number());
    destroy_fence_object(other.object);
}

static void nothing_is_held_where_the_setting_says_so(void **state)
{
    struct other other = {.object = create_fence_object()};
    const pthread_t thread = other_begin(&other);
    assert_false(use_object(other.object, THREAD_SAFETY_HOLD_OFF));
    other_end(&other, thread);
    destroy_fence_object(other.object);
}

static void a_call_is_held_once(void **state)
{
    struct other others[2] = {{.object = create_fence_object()}, {.object = create_fence_object()}};
    const pthread_t threads[2] = {other_begin(&others[0]), other_begin(&others[1])};
    struct call call = call_of(THREAD_SAFETY_HOLD_OFTEN);
    const uint32_t entered = thread_enter(1);
    const struct own_mark own = mark_begin(&call);
    mark_enter(&call, own, others[0].object, NULL);
    const uint32_t held = thread_self()->met_last;
    mark_enter(&call, own, others[1].object, NULL);
    assert_int_equal(thread_self()->met_last, held);
    assert_int_equal(thread_self()->met, 1);
    for (int i = 0; i < 2; i++)
        mark_leave(&call, own, others[i].object, NULL);
    thread_leave(entered);
    for (int i = 0; i < 2; i++) {
        other_end(&others[i], threads[i]);
        destroy_fence_object(others[i].object);
    }
}

#define ROUNDS 400

/* Whether the other thread runs within 200 us is the machine's matter: in one of many windows. */
static void a_window_ends_when_another_call_comes(void **state)
{
    struct other other = {.object = create_fence_object(), .disturbs = true};
    const pthread_t thread = other_begin(&other);
    bool met = false;
    for (int round = 0; round < ROUNDS && !met; round++) {
        struct call call = call_of(THREAD_SAFETY_HOLD_OFTEN);
        const uint32_t entered = thread_enter(1);
        const struct own_mark own = mark_begin(&call);
        atomic_store(&other.object->user, own.mark);
        met = window_hold(&call, other.object, other.number);
        assert_int_equal(met, user_of(other.object) != own.mark);
        mark_leave(&call, own, other.object, NULL);
        assert_int_equal(user_of(other.object), own.trace);
        thread_leave(entered);
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    assert_true(met);
    other_end(&other, thread);
    destroy_fence_object(other.object);
}

#define MEETINGS_OF_ONE 100000

/* 64, and 16 of each of the eleven octaves from there to 100,000. */
static void fewer_and_fewer_meetings_are_held(void **state)
{
    struct other other = {.object = create_fence_object()};
    const pthread_t thread = other_begin(&other);
    unsigned held = 0;
    for (unsigned i = 0; i < MEETINGS_OF_ONE; i++) {
        atomic_store(&other.object->user, other.number);
        held += use_object(other.object, THREAD_SAFETY_HOLD_SELDOM);
    }
    assert_uint_in_range(held, 1, 64 + 11 * 16);
    other_end(&other, thread);
    destroy_fence_object(other.object);
}

static uint64_t window_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

#define OBJECTS 256

/* Each meeting in a new object would be held, for 10 us and more. */
static void all_windows_together_are_bounded(void **state)
{
    struct other other = {.object = create_fence_object()};
    const pthread_t thread = other_begin(&other);
    struct object *objects[OBJECTS];
    for (int i = 0; i < OBJECTS; i++)
        objects[i] = create_fence_object();
    const uint64_t begin = window_microseconds();
    unsigned held = 0;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < OBJECTS; i++) {
            atomic_store(&objects[i]->user, other.number);
            held += use_object(objects[i], THREAD_SAFETY_HOLD_SELDOM);
        }
    }
    const uint64_t taken = window_microseconds() - begin;
    /* 20 ms at first, and 0.5 % */
    assert_uint_in_range(held, 0, 20000 / 10 + taken / 200 / 10 + 1);
    for (int i = 0; i < OBJECTS; i++)
        destroy_fence_object(objects[i]);
    other_end(&other, thread);
    destroy_fence_object(other.object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_alone_is_never_held),
        cmocka_unit_test(a_trace_of_another_thread_is_met_once),
        cmocka_unit_test(a_thread_that_has_ended_is_not_waited_for),
        cmocka_unit_test(nothing_is_held_where_the_setting_says_so),
        cmocka_unit_test(a_call_is_held_once),
        cmocka_unit_test(a_window_ends_when_another_call_comes),
        cmocka_unit_test(fewer_and_fewer_meetings_are_held),
        cmocka_unit_test(all_windows_together_are_bounded),
    };
    if (!object_table_init())
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
