/* Checks that strings, scratch memory and thread numbers keep their promises. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/string_builder.h"
#include "base/thread.h"

static void string_moves_to_the_heap_and_stays_whole(void **state)
{
    char buffer[8];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add(&text, "1234567");
    assert_false(text.owned);
    string_builder_format(&text, "-%d-%s", 42, "a longer piece of text that does not fit");
    assert_true(text.owned);
    assert_string_equal(text.text, "1234567-42-a longer piece of text that does not fit");
    string_builder_end(&text);
}

static void json_escapes_and_replaces_what_is_not_utf8(void **state)
{
    char buffer[128];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add_json(&text, "a\"b\\c\n\t\x01 \xc3\xa9 \xff \xed\xa0\x80 \xf0\x9f\x98\x80");
    assert_string_equal(text.text, "a\\\"b\\\\c\\n\\u0009\\u0001 \xc3\xa9 \xef\xbf\xbd "
                                   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                                   "\xf0\x9f\x98\x80");
    string_builder_end(&text);
}

static void scratch_is_aligned_rewound_and_reused(void **state)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark start = scratch_mark(scratch);
    void *first = scratch_alloc(scratch, 3);
    void *second = scratch_alloc(scratch, 100);
    assert_int_equal((uintptr_t)first % 16, 0);
    assert_int_equal((uintptr_t)second % 16, 0);
    assert_ptr_not_equal(first, second);
    scratch_rewind(scratch, start);
    assert_ptr_equal(scratch_alloc(scratch, 50), first);
    scratch_rewind(scratch, start);
}

static void scratch_grows_past_a_chunk_and_comes_back(void **state)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark start = scratch_mark(scratch);
    unsigned char *small = scratch_alloc(scratch, 1000);
    memset(small, 1, 1000);
    struct scratch_mark middle = scratch_mark(scratch);
    unsigned char *large = scratch_alloc(scratch, 10u << 20);
    memset(large, 2, 10u << 20);
    assert_int_equal(small[999], 1);
    scratch_rewind(scratch, middle);
    assert_ptr_equal(scratch_alloc(scratch, 16), small + 1008);
    scratch_rewind(scratch, start);
}

static void scratch_refuses_what_cannot_be(void **state)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark start = scratch_mark(scratch);
    assert_null(scratch_alloc(scratch, SIZE_MAX));
    assert_null(scratch_alloc(scratch, SIZE_MAX - 64));
    scratch_rewind(scratch, start);
}

static void *number_of_thread(void *argument)
{
    *(uint32_t *)argument = thread_number();
    return NULL;
}

static void thread_numbers_are_small_distinct_and_reused(void **state)
{
    uint32_t own = thread_number();
    assert_int_not_equal(own, 0);
    assert_int_equal(thread_number(), own);
    uint32_t last = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t other = 0;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, number_of_thread, &other), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_not_equal(other, own);
        if (last)
            assert_int_equal(other, last);
        last = other;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(string_moves_to_the_heap_and_stays_whole),
        cmocka_unit_test(json_escapes_and_replaces_what_is_not_utf8),
        cmocka_unit_test(scratch_is_aligned_rewound_and_reused),
        cmocka_unit_test(scratch_grows_past_a_chunk_and_comes_back),
        cmocka_unit_test(scratch_refuses_what_cannot_be),
        cmocka_unit_test(thread_numbers_are_small_distinct_and_reused),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
