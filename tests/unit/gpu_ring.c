/* The layer's side of the ring of records (src/gpu/ring.c), with records made by hand as shaders make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/ring.h"

#define WORDS 64u /* of the ring: four records of checks */

static _Atomic uint32_t memory[RING_WORDS + WORDS];

static struct gpu_ring empty_ring(void)
{
    struct gpu_ring ring;
    memset((void *)memory, 0xff, sizeof(memory));
    gpu_ring_begin(&ring, (void *)memory, WORDS);
    return ring;
}

/* What assay_reserve() does: where the words begin, or UINT32_MAX when there is no room. */
static uint32_t reserve(uint32_t size)
{
    uint32_t head = memory[RING_HEAD];
    if (head - memory[RING_TAIL] + size > memory[RING_MASK] + 1) {
        memory[RING_LOST]++;
        return UINT32_MAX;
    }
    memory[RING_HEAD] = head + size;
    return head;
}

static void put(uint32_t at, uint32_t value)
{
    memory[RING_WORDS + (at & memory[RING_MASK])] = value;
}

/* All words but the first: each says where it stands, and whose it is. */
static void fill(uint32_t at, uint32_t size, uint32_t shader)
{
    for (uint32_t i = 1; i < size; i++)
        put(at + i, shader * 1000 + i);
    put(at + RECORD_ERROR, ERROR_DESCRIPTOR_INDEX);
}

static uint32_t write_record(uint32_t size, uint32_t shader)
{
    uint32_t at = reserve(size);
    assert_int_not_equal(at, UINT32_MAX);
    fill(at, size, shader);
    put(at, size);
    return at;
}

static void expect_record(struct gpu_ring *ring, uint32_t size, uint32_t shader)
{
    uint32_t record[RECORD_MOST];
    assert_int_equal(gpu_ring_take(ring, record), size);
    assert_int_equal(record[RECORD_SIZE], size);
    for (uint32_t i = 1; i < size; i++)
        assert_int_equal(record[i], i == RECORD_ERROR ? ERROR_DESCRIPTOR_INDEX : shader * 1000 + i);
}

static void expect_none(struct gpu_ring *ring)
{
    uint32_t record[RECORD_MOST];
    assert_int_equal(gpu_ring_take(ring, record), 0);
}

static void test_empty(void **state)
{
    struct gpu_ring ring = empty_ring();
    assert_int_equal(memory[RING_MASK], WORDS - 1);
    assert_int_equal(memory[RING_WORDS + WORDS - 1], 0);
    assert_false(gpu_ring_has_news(&ring));
    expect_none(&ring);
    assert_int_equal(gpu_ring_lost(&ring), 0);
    assert_int_equal(gpu_ring_repeated(&ring), 0);
}

static void test_in_order(void **state)
{
    struct gpu_ring ring = empty_ring();
    write_record(RECORD_CHECK_LENGTH, 1);
    write_record(RECORD_CHECK_LENGTH + 3, 2);
    assert_true(gpu_ring_has_news(&ring));
    expect_record(&ring, RECORD_CHECK_LENGTH, 1);
    expect_record(&ring, RECORD_CHECK_LENGTH + 3, 2);
    assert_false(gpu_ring_has_news(&ring));
    expect_none(&ring);
}

/* Records that go around the end of the memory, many times: all sizes meet all places. */
static void test_wraps_around(void **state)
{
    struct gpu_ring ring = empty_ring();
    for (uint32_t i = 1; i < 1000; i++) {
        uint32_t first = RECORD_ERROR_WORDS + i % 23, second = RECORD_ERROR_WORDS + i % 7;
        write_record(first, i);
        write_record(second, i + 5000);
        expect_record(&ring, first, i);
        expect_record(&ring, second, i + 5000);
        expect_none(&ring);
    }
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(memory[RING_WORDS + i], 0);
}

/* Head and tail themselves go around: both count modulo 2^32. */
static void test_numbers_wrap_around(void **state)
{
    struct gpu_ring ring = empty_ring();
    memory[RING_HEAD] = memory[RING_TAIL] = UINT32_MAX - 20;
    write_record(RECORD_CHECK_LENGTH, 1);
    write_record(RECORD_CHECK_LENGTH, 2);
    assert_true(memory[RING_HEAD] < 100);
    expect_record(&ring, RECORD_CHECK_LENGTH, 1);
    expect_record(&ring, RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
}

/* A shader has taken room and is still writing: what stands behind it waits. */
static void test_hole(void **state)
{
    struct gpu_ring ring = empty_ring();
    uint32_t hole = reserve(RECORD_CHECK_LENGTH);
    fill(hole, RECORD_CHECK_LENGTH, 1);
    write_record(RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
    assert_true(gpu_ring_has_news(&ring));
    put(hole, RECORD_CHECK_LENGTH);
    expect_record(&ring, RECORD_CHECK_LENGTH, 1);
    expect_record(&ring, RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
}

/* The device is lost: the hole is skipped, and what is whole behind it is found. */
static void test_hole_of_a_lost_device(void **state)
{
    struct gpu_ring ring = empty_ring();
    reserve(RECORD_CHECK_LENGTH);
    write_record(RECORD_CHECK_LENGTH, 2);
    reserve(RECORD_CHECK_LENGTH);
    expect_none(&ring);
    assert_true(gpu_ring_skip(&ring));
    expect_record(&ring, RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
    assert_false(gpu_ring_skip(&ring));
    assert_false(gpu_ring_has_news(&ring));
}

static void test_overflow(void **state)
{
    struct gpu_ring ring = empty_ring();
    for (uint32_t i = 0; i < 4; i++)
        write_record(RECORD_CHECK_LENGTH, i + 1);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(reserve(RECORD_CHECK_LENGTH), UINT32_MAX);
    for (uint32_t i = 0; i < 4; i++)
        expect_record(&ring, RECORD_CHECK_LENGTH, i + 1);
    expect_none(&ring);
    assert_true(gpu_ring_has_news(&ring));
    assert_int_equal(gpu_ring_lost(&ring), 5);
    assert_int_equal(gpu_ring_lost(&ring), 0);
    assert_false(gpu_ring_has_news(&ring));
    write_record(RECORD_CHECK_LENGTH, 9);
    expect_record(&ring, RECORD_CHECK_LENGTH, 9);
}

/* A program wrote to an address that it had not: sizes that no record has. */
static void test_nonsense(void **state)
{
    static const uint32_t sizes[] = {1, RECORD_ERROR_WORDS - 1, RECORD_MOST + 1, UINT32_MAX, RECORD_CHECK_LENGTH + 1};
    for (uint32_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
        struct gpu_ring ring = empty_ring();
        uint32_t at = reserve(RECORD_CHECK_LENGTH);
        put(at, sizes[i]);
        expect_none(&ring);
        assert_int_equal(gpu_ring_lost(&ring), 1);
        expect_none(&ring);
        write_record(RECORD_CHECK_LENGTH, 3);
        expect_record(&ring, RECORD_CHECK_LENGTH, 3);
    }
}

static void test_nonsense_head(void **state)
{
    struct gpu_ring ring = empty_ring();
    memory[RING_HEAD] = 12345;
    expect_none(&ring);
    assert_int_equal(gpu_ring_lost(&ring), 1);
    write_record(RECORD_CHECK_LENGTH, 3);
    expect_record(&ring, RECORD_CHECK_LENGTH, 3);
    memory[RING_HEAD] = 99999;
    assert_false(gpu_ring_skip(&ring));
    assert_int_equal(memory[RING_TAIL], 99999);
}

static void test_repeated_and_seen(void **state)
{
    struct gpu_ring ring = empty_ring();
    memory[RING_REPEATED] = 7;
    memory[RING_SEEN + 3] = 1u << 5;
    assert_int_equal(gpu_ring_repeated(&ring), 7);
    assert_int_equal(gpu_ring_repeated(&ring), 0);
    gpu_ring_forget(&ring);
    assert_int_equal(memory[RING_SEEN + 3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),         cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_wraps_around),  cmocka_unit_test(test_numbers_wrap_around),
        cmocka_unit_test(test_hole),          cmocka_unit_test(test_hole_of_a_lost_device),
        cmocka_unit_test(test_overflow),      cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_nonsense_head), cmocka_unit_test(test_repeated_and_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
