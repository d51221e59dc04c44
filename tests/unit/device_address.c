/* Checks that the buffer at an address is found among many whose addresses come in no order, and
 * that destroyed ones are not. Each answer is compared with a look at all buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "objects/device.h"
#include "state/memory/device_address.h"
#include "state/submit/queue.h"

#define BUFFERS 12000 /* of several groups */
#define PLACE   256   /* bytes: every address is a multiple */

static struct device device;
static struct buffer *buffers[BUFFERS]; /* NULL: destroyed */
static VkDeviceAddress addresses[BUFFERS];
static uint64_t seed = 1;

static uint32_t random_below(uint32_t end)
{
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(seed >> 33) % end;
}

static struct object *create_object(enum handle_type type, uint64_t driver)
{
    const struct object_create_info info = {
        .type = type, .driver = driver, .owner = 7, .wrapped = !handle_type_is_dispatchable(type)};
    struct object *object = object_create(&info);
    assert_non_null(object);
    return object;
}

static void create_addressed(uint32_t i, VkDeviceAddress address, VkDeviceSize size)
{
    struct object *object = create_object(HANDLE_BUFFER, i + 1);
    struct buffer *buffer = object_state_new(object, sizeof(*buffer));
    assert_non_null(buffer);
    buffer->size = size;
    buffer->address = address;
    object->state = buffer;
    buffers[i] = buffer;
    addresses[i] = address;
    device_address_add(&device, buffer);
}

static void destroy_addressed(uint32_t i)
{
    struct object *object = buffers[i] ? buffers[i]->base.object : NULL;
    if (!object)
        return;
    object->state = NULL;
    mem_free(buffers[i]);
    buffers[i] = NULL;
    assert_true(object_retire(object));
    object_release(object);
}

static bool buffer_has(uint32_t i, VkDeviceAddress address, VkDeviceSize size)
{
    return buffers[i] && addresses[i] <= address && address < addresses[i] + buffers[i]->size &&
           size <= addresses[i] + buffers[i]->size - address;
}

static void assert_found_as_by_look(VkDeviceAddress address, VkDeviceSize size)
{
    const struct address_search found = device_address_find(&device, address, size, 0);
    enum address_match expected = ADDRESS_NOWHERE;
    bool right = !found.buffer;
    for (uint32_t i = 0; i < BUFFERS; i++) {
        if (buffer_has(i, address, 1) && expected < ADDRESS_TOO_SHORT)
            expected = ADDRESS_TOO_SHORT;
        if (buffer_has(i, address, size))
            expected = ADDRESS_FOUND;
        if (buffers[i] && found.buffer == buffers[i])
            right = found.rest == addresses[i] + buffers[i]->size - address;
    }
    assert_int_equal(found.match, expected);
    assert_true(right);
}

static int begin_addresses(void **state)
{
    assert_true(object_table_init());
    device.object = create_object(HANDLE_DEVICE, 0x1000);
    return 0;
}

static int end_addresses(void **state)
{
    struct device_state *made = device.object->state;
    for (uint32_t i = 0; i < BUFFERS; i++)
        destroy_addressed(i);
    address_map_free(made->addresses);
    device.object->state = NULL;
    mem_retire(made);
    assert_true(object_retire(device.object));
    object_release(device.object);
    return 0;
}

static void look_at_some(uint32_t times, uint32_t places)
{
    for (uint32_t i = 0; i < times; i++)
        assert_found_as_by_look(PLACE + (VkDeviceAddress)random_below(places * PLACE),
                                1 + random_below(2 * PLACE));
}

/* A prime step takes each place once. */
static void each_of_many_is_found(void **state)
{
    for (uint32_t i = 0; i < BUFFERS; i++)
        create_addressed(i, PLACE + (VkDeviceAddress)(i * 1499 % BUFFERS) * PLACE, PLACE);
    for (uint32_t i = 0; i < BUFFERS; i++) {
        assert_ptr_equal(device_address_find(&device, addresses[i], PLACE, 0).buffer, buffers[i]);
        assert_ptr_equal(device_address_find(&device, addresses[i] + PLACE - 1, 1, 0).buffer,
                         buffers[i]);
        assert_int_equal(device_address_find(&device, addresses[i], PLACE + 1, 0).match,
                         ADDRESS_TOO_SHORT);
    }
}

static void growing_and_shrinking_addresses_are_found(void **state)
{
    for (uint32_t i = 0; i < BUFFERS; i++)
        create_addressed(i, PLACE + (VkDeviceAddress)i * PLACE, PLACE);
    look_at_some(500, BUFFERS);
    for (uint32_t i = 0; i < BUFFERS; i++)
        destroy_addressed(i);
    look_at_some(500, BUFFERS);
    for (uint32_t i = 0; i < BUFFERS; i++)
        create_addressed(i, PLACE + (VkDeviceAddress)(BUFFERS - i) * PLACE, PLACE);
    look_at_some(500, BUFFERS);
}

static void destroyed_buffers_are_named(void **state)
{
    create_addressed(0, PLACE, PLACE);
    const uint64_t id = object_state_id(&buffers[0]->base);
    assert_int_equal(device_address_find_destroyed(&device, PLACE), 0);
    destroy_addressed(0);
    assert_int_equal(device_address_find_destroyed(&device, PLACE), id);
    create_addressed(0, PLACE, PLACE); /* in its place */
    assert_int_equal(device_address_find_destroyed(&device, PLACE), 0);
}

/* Many begin at one address, some reach over hundreds of others. */
static void buffers_that_share_memory_are_found(void **state)
{
    for (uint32_t round = 0; round < 40000; round++) {
        const uint32_t i = random_below(BUFFERS);
        const bool large = random_below(100) == 0;
        destroy_addressed(i);
        if (random_below(4))
            create_addressed(i, PLACE + (VkDeviceAddress)random_below(BUFFERS) * PLACE,
                             1 + random_below(large ? 300 * PLACE : 2 * PLACE));
        if (round % 8 == 0)
            look_at_some(1, BUFFERS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_of_many_is_found, begin_addresses, end_addresses),
        cmocka_unit_test_setup_teardown(growing_and_shrinking_addresses_are_found, begin_addresses,
                                        end_addresses),
        cmocka_unit_test_setup_teardown(destroyed_buffers_are_named, begin_addresses,
                                        end_addresses),
        cmocka_unit_test_setup_teardown(buffers_that_share_memory_are_found, begin_addresses,
                                        end_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
