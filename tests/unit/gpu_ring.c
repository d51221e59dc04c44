/* The layer's side of the ring of records (src/gpu/device/ring.c), with records made by hand as
 * shaders make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/device/ring.h"

#define WORDS 64u /* of the ring: four records of checks */

static _Atomic uint32_t memory[RING_WORDS + WORDS];

static struct gpu_ring empty_ring(void)
{
    struct gpu_ring ring;
    memset((void *)memory, 0xff, sizeof(memory));
    gpu_ring_begin(&ring, (void *)memory, WORDS);
    return ring;
}

/* Does what assay_reserve() does: where the words begin, or UINT32_MAX when there is no room. */
static uint32_t reserve_record(uint32_t size)
{
    uint32_t head = memory[RING_HEAD];
    if (head - memory[RING_TAIL] + size > memory[RING_MASK] + 1) {
        memory[RING_LOST]++;
        return UINT32_MAX;
    }
    memory[RING_HEAD] = head + size;
    return head;
}

static void put_ring_word(uint32_t at, uint32_t value)
{
    memory[RING_WORDS + (at & memory[RING_MASK])] = value;
}

/* All words but the first: each says where it stands, and whose it is. */
static void fill_record(uint32_t at, uint32_t size, uint32_t shader)
{
    for (uint32_t i = 1; i < size; i++)
        put_ring_word(at + i, shader * 1000 + i);
    const uint32_t command = (shader * 1000 + RECORD_COMMAND) * COMMAND_FACTOR;
    put_ring_word(at + RECORD_RECORDING,
                  (shader * 1000 + RECORD_RECORDING) * RECORDING_FACTOR + command);
    put_ring_word(at + RECORD_COMMAND, command);
    put_ring_word(at + RECORD_ERROR, ERROR_DESCRIPTOR_INDEX);
}

static uint32_t write_record(uint32_t size, uint32_t shader)
{
    uint32_t at = reserve_record(size);
    assert_int_not_equal(at, UINT32_MAX);
    fill_record(at, size, shader);
    put_ring_word(at, size);
    return at;
}

static void expect_record(struct gpu_ring *ring, uint32_t size, uint32_t shader)
{
    uint32_t record[RECORD_MOST], repeated;
    assert_int_equal(gpu_ring_take(ring, record, &repeated), size);
    assert_int_equal(repeated, 0);
    assert_int_equal(record[RECORD_SIZE], size);
    for (uint32_t i = 1; i < size; i++)
        assert_int_equal(record[i], i == RECORD_ERROR ? ERROR_DESCRIPTOR_INDEX : shader * 1000 + i);
}

static void expect_none(struct gpu_ring *ring)
{
    uint32_t record[RECORD_MOST], repeated;
    assert_int_equal(gpu_ring_take(ring, record, &repeated), 0);
}

static void test_empty(void **state)
{
    struct gpu_ring ring = empty_ring();
    assert_int_equal(memory[RING_MASK], WORDS - 1);
    assert_int_equal(memory[RING_WORDS + WORDS - 1], 0);
    assert_false(gpu_ring_has_news(&ring));
    expect_none(&ring);
    assert_int_equal(gpu_ring_lost(&ring), 0);
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

/* A shader has taken room and is still writing: what comes after it waits. */
static void test_hole(void **state)
{
    struct gpu_ring ring = empty_ring();
    uint32_t hole = reserve_record(RECORD_CHECK_LENGTH);
    fill_record(hole, RECORD_CHECK_LENGTH, 1);
    write_record(RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
    assert_true(gpu_ring_has_news(&ring));
    put_ring_word(hole, RECORD_CHECK_LENGTH);
    expect_record(&ring, RECORD_CHECK_LENGTH, 1);
    expect_record(&ring, RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
}

/* The device is lost: the hole is skipped, and what is whole after it is found. */
static void test_hole_of_a_lost_device(void **state)
{
    struct gpu_ring ring = empty_ring();
    reserve_record(RECORD_CHECK_LENGTH);
    write_record(RECORD_CHECK_LENGTH, 2);
    reserve_record(RECORD_CHECK_LENGTH);
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
        assert_int_equal(reserve_record(RECORD_CHECK_LENGTH), UINT32_MAX);
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

/* A program wrote to an address that it did not own: sizes that no record has. */
static void test_nonsense(void **state)
{
    static const uint32_t sizes[] = {1, RECORD_ERROR_WORDS - 1, RECORD_MOST + 1, UINT32_MAX,
                                     RECORD_CHECK_LENGTH + 1};
    for (uint32_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
        struct gpu_ring ring = empty_ring();
        uint32_t at = reserve_record(RECORD_CHECK_LENGTH);
        put_ring_word(at, sizes[i]);
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

/* --- records of checks --- */

static _Atomic uint32_t *check_words(uint32_t number)
{
    return &memory[RING_RECORDS + number % RING_STEPS * (RECORD_CHECK_LENGTH / RING_STEP)];
}

static void seal_record(uint32_t number)
{
    check_words(number)[CHECK_WHOLE] = 1;
}

/* Does what assay_tell_now() does but for its last store: the place, or UINT32_MAX where the same
 * was found before. The site is one with this hash. */
static uint32_t find_command(uint32_t seen)
{
    const uint32_t command = (seen * 1000 + RECORD_COMMAND) * COMMAND_FACTOR,
                   recording = (seen * 1000 + RECORD_RECORDING) * RECORDING_FACTOR + command;
    if (memory[RING_SEEN(seen)]++ != 0)
        return UINT32_MAX;
    uint32_t number = memory[RING_CHECKS];
    memory[RING_CHECKS] += RING_STEP;
    _Atomic uint32_t *words = check_words(number);
    words[CHECK_SHADER] = seen * 1000 + RECORD_SHADER;
    words[CHECK_SITE] = (seen << (32 - RING_SEEN_BITS)) - recording;
    words[CHECK_RECORDING] = recording;
    words[CHECK_COMMAND] = command;
    words[CHECK_WHOLE] = 0x12345000; /* the ring's address, until it is whole */
    for (uint32_t i = 0; i < 3; i++)
        words[CHECK_STAGE_WORDS + i] = seen * 1000 + RECORD_STAGE_WORDS + i;
    for (uint32_t i = 0; i < 3; i++) {
        words[CHECK_WORDS + i] = seen * 1000 + RECORD_ERROR_WORDS + i;
        words[CHECK_MORE_WORDS + i] = seen * 1000 + RECORD_ERROR_WORDS + 3 + i;
    }
    return number;
}

static void expect_found(struct gpu_ring *ring, uint32_t seen, uint32_t more)
{
    uint32_t record[RECORD_MOST], repeated;
    assert_int_equal(gpu_ring_take(ring, record, &repeated), RECORD_CHECK_LENGTH);
    assert_int_equal(repeated, more);
    assert_int_equal(record[RECORD_SIZE], RECORD_CHECK_LENGTH);
    for (uint32_t i = 1; i < RECORD_CHECK_LENGTH; i++)
        if (i != RECORD_INSTRUCTION && i != RECORD_STAGE && i != RECORD_ERROR)
            assert_int_equal(record[i], seen * 1000 + i);
    assert_int_equal(record[RECORD_ERROR], ERROR_OF_SITE);
    assert_int_equal((record[RECORD_INSTRUCTION] + record[RECORD_RECORDING] * RECORDING_FACTOR +
                      record[RECORD_COMMAND] * COMMAND_FACTOR) >>
                         (32 - RING_SEEN_BITS),
                     seen);
}

/* The layer's own shaders have no sites: their records say all. */
static void test_of_layer(void **state)
{
    struct gpu_ring ring = empty_ring();
    uint32_t record[RECORD_MOST], repeated, number = find_command(9);
    const uint32_t sum = check_words(number)[CHECK_RECORDING];
    check_words(number)[CHECK_SHADER] = SHADER_OF_LAYER;
    check_words(number)[CHECK_SITE] = 5 * SITE_FACTOR;
    memory[RING_SEEN(9)] = 0;
    memory[RING_SEEN(RING_SEEN_HASH(5 * SITE_FACTOR + sum))] = 3;
    seal_record(number);
    assert_int_equal(gpu_ring_take(&ring, record, &repeated), RECORD_CHECK_LENGTH);
    assert_int_equal(record[RECORD_ERROR], ERROR_COMMAND);
    assert_int_equal(record[RECORD_INSTRUCTION], 5);
    assert_int_equal(repeated, 2);
}

static void test_checks(void **state)
{
    struct gpu_ring ring = empty_ring();
    seal_record(find_command(7));
    seal_record(find_command(3));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(find_command(3), UINT32_MAX);
    write_record(RECORD_CHECK_LENGTH, 2); /* printf's come after */
    assert_true(gpu_ring_has_news(&ring));
    expect_found(&ring, 7, 0);
    expect_found(&ring, 3, 5);
    expect_record(&ring, RECORD_CHECK_LENGTH, 2);
    expect_none(&ring);
    assert_false(gpu_ring_has_news(&ring));
    seal_record(find_command(3)); /* it was reported, and is reported again */
    expect_found(&ring, 3, 0);
    assert_int_equal(gpu_ring_lost(&ring), 0);
}

/* As many as there can be, many times, and numbers that go around: none is lost. */
static void test_all_checks(void **state)
{
    struct gpu_ring ring = empty_ring();
    ring.checks = memory[RING_CHECKS] = 0u - 3 * RING_STEPS / 2;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < RING_SEEN_COUNT; i++)
            seal_record(find_command((i * 5 + round) % RING_SEEN_COUNT));
        assert_int_equal(find_command(round), UINT32_MAX);
        for (uint32_t i = 0; i < RING_SEEN_COUNT; i++)
            expect_found(&ring, (i * 5 + round) % RING_SEEN_COUNT,
                         (i * 5 + round) % RING_SEEN_COUNT == round);
        expect_none(&ring);
    }
    for (uint32_t i = 0; i < RING_SEEN_COUNT; i++)
        assert_int_equal(memory[RING_SEEN(i)], 0);
    for (uint32_t i = RING_RECORDS; i < RING_COUNTS; i++)
        assert_int_equal(memory[i], 0);
}

static void test_unfinished_check(void **state)
{
    struct gpu_ring ring = empty_ring();
    uint32_t hole = find_command(1);
    seal_record(find_command(2));
    expect_none(&ring);
    seal_record(hole);
    expect_found(&ring, 1, 0);
    expect_found(&ring, 2, 0);
    /* The device is lost. */
    (void)find_command(3);
    seal_record(find_command(4));
    (void)find_command(5);
    expect_none(&ring);
    assert_true(gpu_ring_skip(&ring));
    expect_found(&ring, 4, 0);
    assert_false(gpu_ring_skip(&ring));
    assert_false(gpu_ring_has_news(&ring));
}

static void test_nonsense_checks(void **state)
{
    static const uint32_t sizes[] = {2, RECORD_CHECK_LENGTH + 1, 1u << 8 | 8, UINT32_MAX};
    for (uint32_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
        struct gpu_ring ring = empty_ring();
        check_words(find_command(1))[CHECK_WHOLE] = sizes[i];
        expect_none(&ring);
        assert_int_equal(gpu_ring_lost(&ring), 1);
        seal_record(find_command(1));
        expect_found(&ring, 1, 0);
        memory[RING_CHECKS] += RING_STEPS + RING_STEP;
        expect_none(&ring);
        assert_int_equal(gpu_ring_lost(&ring), 1);
        memory[RING_CHECKS] += 1;
        expect_none(&ring);
        assert_int_equal(gpu_ring_lost(&ring), 1);
        memory[RING_CHECKS] += RING_STEPS + RING_STEP;
        assert_false(gpu_ring_skip(&ring));
        assert_int_equal(gpu_ring_lost(&ring), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_wraps_around),
        cmocka_unit_test(test_numbers_wrap_around),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_hole_of_a_lost_device),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_nonsense_head),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_of_layer),
        cmocka_unit_test(test_all_checks),
        cmocka_unit_test(test_unfinished_check),
        cmocka_unit_test(test_nonsense_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
