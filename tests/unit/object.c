/* Checks that the table of objects distinguishes live handles from all others, alone and under
 * threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "state/object/object_state.h"

static struct object_create_info info_of_object(enum handle_type type, uint64_t driver,
                                                bool wrapped)
{
    return (struct object_create_info){
        .type = type, .driver = driver, .owner = 7, .wrapped = wrapped};
}

static struct object *create_unit_object(enum handle_type type, uint64_t driver, bool wrapped)
{
    const struct object_create_info info = info_of_object(type, driver, wrapped);
    struct object *object = object_create(&info);
    assert_non_null(object);
    return object;
}

static void destroy_unit_object(struct object *object)
{
    assert_true(object_retire(object));
    object_release(object);
}

static void id_finds_its_object_until_it_is_retired(void **state)
{
    struct object *object = create_unit_object(HANDLE_BUFFER, 0x1234, true);
    uint64_t id = object_handle(object);
    assert_int_not_equal(id, 0x1234);
    assert_ptr_equal(object_find_id(id, HANDLE_BUFFER), object);
    assert_int_equal(object_driver(object), 0x1234);
    assert_null(object_find_id(id, HANDLE_IMAGE));
    assert_true(object_retire(object));
    assert_false(object_retire(object));
    assert_null(object_find_id(id, HANDLE_BUFFER));
    object_release(object);
    assert_null(object_find_id(id, HANDLE_BUFFER));
}

static void stale_id_never_finds_the_next_object_in_its_slot(void **state)
{
    struct object *first = create_unit_object(HANDLE_BUFFER, 1, true);
    uint64_t stale = object_handle(first);
    destroy_unit_object(first);
    struct object *second = create_unit_object(HANDLE_BUFFER, 2, true);
    assert_ptr_equal(first, second);
    assert_null(object_find_id(stale, HANDLE_BUFFER));
    destroy_unit_object(second);
}

static void destroyer_is_known_until_the_slot_has_another_object(void **state)
{
    const void *creator = (const void *)0x1111, *destroyer = (const void *)0x2222;
    const struct object_create_info info = {
        .type = HANDLE_BUFFER, .driver = 1, .owner = 7, .wrapped = true, .creator = creator};
    struct object *object = object_create(&info);
    assert_non_null(object);
    uint64_t id = object_handle(object);
    assert_null(object_find_destroyer(id));
    assert_true(object_retire_by(object, destroyer));
    assert_false(object_retire_by(object, creator));
    assert_ptr_equal(object_find_destroyer(id), destroyer);
    assert_ptr_equal(object_retired_by(object), destroyer);
    assert_int_equal(object_retired_handle(object), id);
    object_release(object);
    assert_ptr_equal(object_find_destroyer(id), destroyer);
    assert_null(object_find_destroyer(id + 0x100)); /* of a later generation */
    assert_null(object_find_destroyer(UINT64_MAX));
    assert_null(object_find_destroyer(0));
    struct object *next = create_unit_object(HANDLE_BUFFER, 2, true);
    assert_ptr_equal(next, object);
    assert_null(object_find_destroyer(id));
    destroy_unit_object(next); /* by nothing that is known */
    assert_null(object_find_destroyer(id));
}

/* Destroys the object and creates an image in its slot, as another thread may between two looks of
 * one that has found the object. */
static struct object *replace_by_image(struct object *object, uint64_t driver, bool wrapped,
                                       void *state)
{
    destroy_unit_object(object);
    struct object *image = create_unit_object(HANDLE_IMAGE, driver, wrapped);
    assert_ptr_equal(image, object);
    image->state = state;
    return image;
}

static void state_is_not_that_of_the_next_object_in_the_slot(void **state)
{
    int of_buffer, of_image;
    struct object *buffer = create_unit_object(HANDLE_BUFFER, 1, true);
    buffer->state = &of_buffer;
    const uint64_t id = object_handle(buffer);
    const struct object *found = object_find_id(id, HANDLE_BUFFER);
    assert_ptr_equal(object_load_state_of(found, id), &of_buffer);
    struct object *image = replace_by_image(buffer, 2, true, &of_image);
    assert_null(object_load_state_of(found, id));
    assert_ptr_equal(object_state_by_id(object_handle(image), HANDLE_IMAGE), &of_image);
    image->state = NULL;
    destroy_unit_object(image);
    assert_null(object_load_state_of(NULL, id));
}

static void driver_handle_does_not_lead_to_the_next_state_in_the_slot(void **state)
{
    int of_buffer, of_image;
    void *read = NULL;
    struct object *buffer = create_unit_object(HANDLE_BUFFER, 0x5000, false);
    buffer->state = &of_buffer;
    const struct object *found = object_find_driver(0x5000, HANDLE_BUFFER, 7);
    assert_true(object_read_state(found, 0x5000, HANDLE_BUFFER, &read));
    assert_ptr_equal(read, &of_buffer);
    assert_false(object_read_state(found, 0x6000, HANDLE_BUFFER,
                                   &read)); /* another buffer's slot */
    struct object *image = replace_by_image(buffer, 0x5000, false, &of_image);
    assert_false(object_read_state(found, 0x5000, HANDLE_BUFFER, &read));
    assert_true(object_read_state(found, 0x5000, HANDLE_IMAGE, &read));
    assert_ptr_equal(read, &of_image);
    image->state = NULL;
    assert_true(object_retire(image));
    assert_false(object_read_state(found, 0x5000, HANDLE_IMAGE, &read));
    object_release(image);
}

static void garbage_finds_nothing(void **state)
{
    const uint64_t garbage[] = {0,
                                1,
                                UINT64_MAX,
                                0xdeadbeefdeadbeefull,
                                (uint64_t)HANDLE_BUFFER,
                                1ull << 63 | HANDLE_BUFFER};
    for (size_t i = 0; i < ARRAY_LENGTH(garbage); i++) {
        assert_null(object_find_id(garbage[i], HANDLE_BUFFER));
        assert_null(object_find_driver(garbage[i], HANDLE_BUFFER, 0));
    }
}

static void slot_that_has_used_its_generations_is_not_used_again(void **state)
{
    struct object *object = create_unit_object(HANDLE_FENCE, 1, true);
    atomic_store(&object->id, (uint64_t)(object - object_slots) << 32 | (((1ull << 24) - 1) << 8) |
                                  HANDLE_FENCE);
    destroy_unit_object(object);
    struct object *next = create_unit_object(HANDLE_FENCE, 1, true);
    assert_ptr_not_equal(object, next);
    destroy_unit_object(next);
}

static void many_create_destroy_pairs_use_one_slot(void **state)
{
    uint32_t limit = atomic_load(&object_limit);
    for (int i = 0; i < 1000000; i++)
        destroy_unit_object(create_unit_object(HANDLE_FENCE, (uint64_t)i + 1, true));
    assert_int_equal(atomic_load(&object_limit), limit);
}

static void driver_handle_finds_the_object_of_its_type_and_owner(void **state)
{
    struct object *buffer = create_unit_object(HANDLE_BUFFER, 0x5000, false);
    struct object *image = create_unit_object(HANDLE_IMAGE, 0x5000, false);
    struct object_create_info other = info_of_object(HANDLE_BUFFER, 0x5000, false);
    other.owner = 8;
    struct object *foreign = object_create(&other);
    assert_ptr_equal(object_find_driver(0x5000, HANDLE_BUFFER, 7), buffer);
    assert_ptr_equal(object_find_driver(0x5000, HANDLE_BUFFER, 8), foreign);
    assert_ptr_equal(object_find_driver(0x5000, HANDLE_IMAGE, 7), image);
    assert_int_equal(object_handle(buffer), 0x5000);
    destroy_unit_object(buffer);
    assert_ptr_equal(object_find_driver(0x5000, HANDLE_BUFFER, 7), foreign);
    destroy_unit_object(foreign);
    destroy_unit_object(image);
    assert_null(object_find_driver(0x5000, HANDLE_BUFFER, 0));
}

static void same_driver_handle_twice_is_two_objects(void **state)
{
    struct object *one = create_unit_object(HANDLE_SAMPLER, 0x77, false);
    struct object *two = create_unit_object(HANDLE_SAMPLER, 0x77, false);
    assert_ptr_not_equal(one, two);
    destroy_unit_object(two);
    assert_ptr_equal(object_find_driver(0x77, HANDLE_SAMPLER, 7), one);
    destroy_unit_object(one);
    assert_null(object_find_driver(0x77, HANDLE_SAMPLER, 7));
}

static void handle_that_is_asked_for_again_is_the_same_object(void **state)
{
    struct object_create_info info = info_of_object(HANDLE_IMAGE, 0x99, true);
    info.findable_by_driver = true;
    struct object *first = object_create_or_find(&info);
    assert_ptr_equal(object_create_or_find(&info), first);
    info.owner = 9;
    struct object *elsewhere = object_create_or_find(&info);
    assert_ptr_not_equal(elsewhere, first);
    destroy_unit_object(first);
    destroy_unit_object(elsewhere);
}

static void count_child(struct object *child, void *context)
{
    ++*(int *)context;
}

static void end_child(struct object *child, void *context)
{
    destroy_unit_object(child);
    ++*(int *)context;
}

static void children_are_visited_and_may_end_meanwhile(void **state)
{
    struct object *pool = create_unit_object(HANDLE_DESCRIPTOR_POOL, 0x10, true);
    struct object *children[5];
    for (size_t i = 0; i < ARRAY_LENGTH(children); i++) {
        struct object_create_info info = info_of_object(HANDLE_DESCRIPTOR_SET, 0x100 + i, true);
        info.parent = pool;
        info.child_of_parent = true;
        children[i] = object_create(&info);
        assert_non_null(children[i]);
    }
    int count = 0;
    object_for_each_child(pool, count_child, &count);
    assert_int_equal(count, 5);
    destroy_unit_object(children[2]);
    destroy_unit_object(children[0]);
    destroy_unit_object(children[4]);
    count = 0;
    object_for_each_child(pool, end_child, &count);
    assert_int_equal(count, 2);
    count = 0;
    object_for_each_child(pool, count_child, &count);
    assert_int_equal(count, 0);
    destroy_unit_object(pool);
}

#define PAIRS_PER_THREAD 20000
#define OBJECTS_HELD     64

/* Each thread creates and destroys objects with driver handles of its own in common chains, and
 * must always find its own. */
static void *churn_objects(void *argument)
{
    uint64_t base = (uint64_t)(uintptr_t)argument << 32;
    struct object *held[OBJECTS_HELD] = {0};
    uintptr_t failures = 0;
    for (uint64_t i = 0; i < PAIRS_PER_THREAD; i++) {
        struct object **place = &held[i % OBJECTS_HELD];
        bool wrapped = i % 2;
        if (*place) {
            if (!object_retire(*place))
                failures++;
            object_release(*place);
        }
        const struct object_create_info info =
            info_of_object(HANDLE_BUFFER, base + i % 1000 + 1, wrapped);
        *place = object_create(&info);
        uint64_t handle = *place ? object_handle(*place) : 0;
        const struct object *found = object_find(wrapped, handle, HANDLE_BUFFER, 7);
        if (!found || object_driver(found) != info.driver)
            failures++;
    }
    for (size_t i = 0; i < OBJECTS_HELD; i++) {
        if (held[i] && object_retire(held[i]))
            object_release(held[i]);
    }
    return (void *)failures;
}

static void threads_find_their_own_objects(void **state)
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < ARRAY_LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn_objects, (void *)(i + 1)), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(threads); i++) {
        void *failures;
        assert_int_equal(pthread_join(threads[i], &failures), 0);
        assert_null(failures);
    }
}

static void *only_creates(void *argument)
{
    struct object **objects = argument;
    for (int i = 0; i < 1000; i++) {
        const struct object_create_info info = info_of_object(HANDLE_EVENT, (uint64_t)i + 1, true);
        objects[i] = object_create(&info);
    }
    return NULL;
}

static void creating_here_and_destroying_there_does_not_grow_the_table(void **state)
{
    static struct object *objects[1000];
    uint32_t limit = 0;
    for (int round = 0; round < 20; round++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, only_creates, objects), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        if (round == 1)
            limit = atomic_load(&object_limit);
        for (int i = 0; i < 1000; i++)
            destroy_unit_object(objects[i]);
    }
    assert_int_equal(atomic_load(&object_limit), limit);
}

static int set_up_objects(void **state)
{
    return object_table_init() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(id_finds_its_object_until_it_is_retired),
        cmocka_unit_test(stale_id_never_finds_the_next_object_in_its_slot),
        cmocka_unit_test(destroyer_is_known_until_the_slot_has_another_object),
        cmocka_unit_test(state_is_not_that_of_the_next_object_in_the_slot),
        cmocka_unit_test(driver_handle_does_not_lead_to_the_next_state_in_the_slot),
        cmocka_unit_test(garbage_finds_nothing),
        cmocka_unit_test(slot_that_has_used_its_generations_is_not_used_again),
        cmocka_unit_test(many_create_destroy_pairs_use_one_slot),
        cmocka_unit_test(driver_handle_finds_the_object_of_its_type_and_owner),
        cmocka_unit_test(same_driver_handle_twice_is_two_objects),
        cmocka_unit_test(handle_that_is_asked_for_again_is_the_same_object),
        cmocka_unit_test(children_are_visited_and_may_end_meanwhile),
        cmocka_unit_test(threads_find_their_own_objects),
        cmocka_unit_test(creating_here_and_destroying_there_does_not_grow_the_table),
    };
    return cmocka_run_group_tests_name("object", tests, set_up_objects, NULL);
}
