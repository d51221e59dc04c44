/* Checks that a validation cache keeps its keys, and that they come back from its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chassis/validation_cache.h"

static uint64_t key_of(uint64_t i)
{
    return i * 0x100000001ull + 1; /* many in one place */
}

static void keys_are_kept(void **state)
{
    enum { MANY = 5000 };
    struct validation_cache *cache = validation_cache_new(NULL, 0), *copy,
                            *merged = validation_cache_new(NULL, 0);
    assert_non_null(cache);
    assert_false(validation_cache_has(cache, key_of(0)));
    assert_false(validation_cache_has(NULL, key_of(0)));
    for (uint64_t i = 0; i < 2 * MANY; i++)
        validation_cache_add(cache, key_of(i % MANY));
    size_t size;
    assert_true(validation_cache_data(cache, &size, NULL));
    assert_int_equal(size, 40 + MANY * 8);
    void *data = malloc(size);
    assert_true(validation_cache_data(cache, &size, data));
    copy = validation_cache_new(data, size);
    assert_non_null(copy);
    validation_cache_merge(merged, copy);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(validation_cache_has(cache, key_of(i)));
        assert_true(validation_cache_has(copy, key_of(i)));
        assert_true(validation_cache_has(merged, key_of(i)));
        assert_false(validation_cache_has(copy, key_of(i + MANY)));
    }
    free(data);
    validation_cache_free(cache);
    validation_cache_free(copy);
    validation_cache_free(merged);
}

static void bytes_cut_anywhere(void **state)
{
    unsigned char data[64];
    struct validation_cache *cache = validation_cache_new(NULL, 0);
    validation_cache_add(cache, 1);
    validation_cache_add(cache, 2);
    size_t size = sizeof(data);
    uint64_t retrieved;
    assert_true(validation_cache_data(cache, &size, data));
    assert_int_equal(validation_cache_examine(data, size, &retrieved), CACHE_DATA_OURS);
    for (size_t part = 0; part < size; part++) {
        enum validation_cache_data is = validation_cache_examine(data, part, &retrieved);
        assert_int_equal(is, part < 24    ? CACHE_DATA_BROKEN
                             : part == 24 ? CACHE_DATA_OURS
                                          : CACHE_DATA_CUT);
        if (part >= 40)
            assert_int_equal(retrieved, size);
    }
    for (size_t i = 40; i < size; i++) {
        data[i] ^= 0x10;
        assert_int_equal(validation_cache_examine(data, size, &retrieved), CACHE_DATA_BROKEN);
        data[i] ^= 0x10;
    }
    validation_cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_kept),
        cmocka_unit_test(bytes_cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
