/* Checks which texts are the same but for their numbers. */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "report/names/text_hash.h"

static void numbers_do_not_count(void **state)
{
    (void)state;
    assert_true(text_hash(1, "frame 12 of 0x1f00ab") == text_hash(1, "frame 7 of 0x0"));
    assert_true(text_hash(1, "frame 12") != text_hash(1, "frames 12"));
    assert_true(text_hash(1, "frame 12") != text_hash(2, "frame 12"));
    assert_true(text_hash(1, NULL) == text_hash(1, "") && text_hash(1, "0x") == text_hash(1, "7"));
    assert_true(text_hash_word(1, 2) != text_hash_word(1, 3));
}

static void names_do_not_count_either(void **state)
{
    (void)state;
    assert_true(text_hash_nameless(1, "VkBuffer \"vertices\" 0x12, byte 4") ==
                text_hash_nameless(1, "VkBuffer \"indices\" 0x13, byte 16"));
    assert_true(text_hash_nameless(1, "VkBuffer \"a\"") != text_hash_nameless(1, "VkImage \"a\""));
    assert_true(text_hash_nameless(1, "\"a\" is") != text_hash_nameless(1, "\"a\" was"));
    assert_true(text_hash(1, "\"a\" is") != text_hash(1, "\"b\" is"));
    /* A name that does not end. */
    assert_true(text_hash_nameless(1, "\"a") == text_hash_nameless(1, "\"b 12"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_do_not_count),
        cmocka_unit_test(names_do_not_count_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
