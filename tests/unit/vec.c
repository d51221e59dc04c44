/* Checks that an array keeps its elements as it grows, and stays as it is where memory is out. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

/* Allocations fail from now on; the linker puts these before the layer's own (--wrap). */
static bool out_of_memory;
void *__real_mem_resize(void *memory, size_t size);
void *__wrap_mem_resize(void *memory, size_t size);
void *__real_mem_alloc_lines(size_t size);
void *__wrap_mem_alloc_lines(size_t size);

void *__wrap_mem_resize(void *memory, size_t size)
{
    return out_of_memory ? NULL : __real_mem_resize(memory, size);
}

void *__wrap_mem_alloc_lines(size_t size)
{
    return out_of_memory ? NULL : __real_mem_alloc_lines(size);
}

struct item {
    uint32_t number;
    uint64_t square;
};

struct list {
    struct item *items;
    uint32_t count, capacity;
};

static bool add_item(struct list *list, struct arena *arena)
{
    bool room = arena
                    ? vec_room_in(arena, &list->items, list->count, &list->capacity, 3,
                                  sizeof(*list->items))
                    : vec_room(&list->items, list->count, &list->capacity, 3, sizeof(*list->items));
    if (room) {
        list->items[list->count] =
            (struct item){.number = list->count, .square = (uint64_t)list->count * list->count};
        list->count++;
    }
    return room;
}

static void assert_whole(const struct list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        assert_int_equal(list->items[i].number, i);
        assert_int_equal(list->items[i].square, (uint64_t)i * i);
    }
}

/* `arena` may be NULL. */
static void grow_and_fail(struct arena *arena)
{
    struct list list = {0};
    out_of_memory = true;
    assert_false(add_item(&list, arena));
    assert_null(list.items);
    assert_int_equal(list.capacity, 0);
    out_of_memory = false;
    for (uint32_t i = 0; i < 3; i++)
        assert_true(add_item(&list, arena));
    assert_int_equal(list.capacity, 3);
    assert_true(add_item(&list, arena));
    assert_int_equal(list.capacity, 6);
    while (list.count < 100000)
        assert_true(add_item(&list, arena));
    assert_whole(&list);
    /* An array with room needs no memory; one without stays as it was. */
    struct list before = list;
    out_of_memory = true;
    while (list.count < list.capacity)
        assert_true(add_item(&list, arena));
    assert_false(add_item(&list, arena));
    assert_ptr_equal(list.items, before.items);
    assert_int_equal(list.capacity, before.capacity);
    assert_int_equal(list.count, list.capacity);
    assert_whole(&list);
    out_of_memory = false;
    assert_true(add_item(&list, arena));
    assert_whole(&list);
    if (!arena)
        mem_free(list.items);
}

static void vec_grows(void **state)
{
    (void)state;
    grow_and_fail(NULL);
}

static void grows_in_an_arena(void **state)
{
    (void)state;
    struct arena arena = {0};
    grow_and_fail(&arena);
    arena_free(&arena, false);
}

/* Sizes that no memory has are refused, not wrapped. */
static void is_never_too_large(void **state)
{
    (void)state;
    struct arena arena = {0};
    char byte, *items = &byte;
    uint32_t capacity = UINT32_MAX / 2 + 1;
    assert_false(vec_grow(&items, &capacity, 1, 1));
    assert_false(vec_grow_in(&arena, &items, &capacity, 1, 1));
    capacity = 4;
    assert_false(vec_grow(&items, &capacity, 1, SIZE_MAX / 4));
    assert_false(vec_grow_in(&arena, &items, &capacity, 1, SIZE_MAX / 4));
    assert_ptr_equal(items, &byte);
    assert_int_equal(capacity, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(grows_in_an_arena),
        cmocka_unit_test(is_never_too_large),
    };
    return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
