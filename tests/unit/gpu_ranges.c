/* Checks the addresses of buffers that shaders are given (src/gpu/command/ranges.c), read as a
 * shader reads them. It also checks the memory that they lie in (src/gpu/device/memory.c), from a
 * driver that is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/device/device.h"
#include "gpu/command/ranges.h"
#include "state/submit/queue.h"

/* --- a driver: a buffer is its memory, and an address is the host's --- */

static struct device device;
static struct gpu_allocator allocator;

static uint64_t bytes_taken(void)
{
    lock_unneeded(&allocator.lock); /* there is one thread */
    return allocator.bytes;
}
static uint32_t buffer_count, memory_count, allocations_left;

static VKAPI_ATTR VkResult VKAPI_CALL fake_create_buffer(VkDevice handle,
                                                         const VkBufferCreateInfo *info,
                                                         const VkAllocationCallbacks *callbacks,
                                                         VkBuffer *buffer)
{
    assert_true(info->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    assert_int_equal(info->sharingMode, VK_SHARING_MODE_CONCURRENT);
    assert_int_equal(info->queueFamilyIndexCount, 2);
    void *memory = aligned_alloc(GPU_MEMORY_ALIGNMENT, info->size);
    memset(memory, 0xee, info->size);
    *buffer = (VkBuffer)(uintptr_t)memory;
    buffer_count++;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_destroy_buffer(VkDevice handle, VkBuffer buffer,
                                                      const VkAllocationCallbacks *callbacks)
{
    free((void *)(uintptr_t)buffer);
    buffer_count--;
}

static VKAPI_ATTR void VKAPI_CALL fake_requirements(VkDevice handle, VkBuffer buffer,
                                                    VkMemoryRequirements *result)
{
    *result = (VkMemoryRequirements){.size = 1, .alignment = 1, .memoryTypeBits = 0x7};
}

static uint32_t used_type;

static VKAPI_ATTR VkResult VKAPI_CALL fake_allocate(VkDevice handle,
                                                    const VkMemoryAllocateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDeviceMemory *memory)
{
    if (!allocations_left)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    allocations_left--;
    used_type = info->memoryTypeIndex;
    *memory = (VkDeviceMemory)++memory_count;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_free_memory(VkDevice handle, VkDeviceMemory memory,
                                                   const VkAllocationCallbacks *callbacks)
{
    memory_count--;
}

static VkBuffer bound_last;

static VKAPI_ATTR VkResult VKAPI_CALL fake_bind(VkDevice handle, VkBuffer buffer,
                                                VkDeviceMemory memory, VkDeviceSize offset)
{
    bound_last = buffer;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_map(VkDevice handle, VkDeviceMemory memory,
                                               VkDeviceSize offset, VkDeviceSize size,
                                               VkMemoryMapFlags flags, void **data)
{
    *data = (void *)(uintptr_t)bound_last;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL fake_address(VkDevice handle,
                                                          const VkBufferDeviceAddressInfo *info)
{
    return (VkDeviceAddress)info->buffer;
}

static int begin_ranges(void **state)
{
    static const VkDeviceQueueCreateInfo queues[] = {
        {.queueFamilyIndex = 1}, {.queueFamilyIndex = 3}, {.queueFamilyIndex = 1}};
    const VkDeviceCreateInfo info = {.queueCreateInfoCount = 3, .pQueueCreateInfos = queues};
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    device = (struct device){
        .dispatch = {.CreateBuffer = fake_create_buffer,
                     .DestroyBuffer = fake_destroy_buffer,
                     .GetBufferMemoryRequirements = fake_requirements,
                     .AllocateMemory = fake_allocate,
                     .FreeMemory = fake_free_memory,
                     .BindBufferMemory = fake_bind,
                     .MapMemory = fake_map,
                     .GetBufferDeviceAddress = fake_address},
        .memory_properties =
            {.memoryTypeCount = 3,
             .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
                             {.propertyFlags = host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT},
                             {.propertyFlags = host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}}},
    };
    allocations_left = UINT32_MAX;
    gpu_allocator_begin(&allocator, &device, &info);
    return 0;
}

static int end_ranges(void **state)
{
    gpu_allocator_end(&allocator, allocator.device);
    assert_int_equal(buffer_count, 0);
    assert_int_equal(memory_count, 0);
    return 0;
}

/* --- as shaders read them --- */

static const uint32_t *words_at(const uint32_t *words, uint32_t at)
{
    VkDeviceAddress where;
    memcpy(&where, words + at, sizeof(where));
    return (const uint32_t *)(uintptr_t)where;
}

static const uint32_t *current_list(const struct gpu_ranges *ranges, uint32_t *count)
{
    const uint32_t *header = (const uint32_t *)(uintptr_t)gpu_ranges_address(ranges);
    const uint32_t at = RANGES_LISTS + 4 * header[RANGES_CURRENT];
    *count = header[at + 2];
    return words_at(header, at);
}

/* Fails where the list is not `count` ranges of these begins and ends. */
static void expect_list(const struct gpu_ranges *ranges, const struct gpu_range *expected,
                        uint32_t count)
{
    uint32_t listed;
    const uint32_t *list = current_list(ranges, &listed);
    assert_int_equal(listed, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct gpu_range found = {expected[i].begin, expected[i].end - expected[i].begin};
        assert_memory_equal(&list[4 * i], &found, sizeof(found));
    }
}

/* All addresses are good. */
static void expect_unknown(const struct gpu_ranges *ranges)
{
    const struct gpu_range all = {0, UINT64_MAX};
    expect_list(ranges, &all, 1);
}

static void publish_ranges(struct gpu_ranges *ranges, struct queue *queues)
{
    assert_true(gpu_ranges_publish(ranges, queues));
}

static void test_sorted_and_merged(void **state)
{
    struct gpu_ranges *ranges = gpu_ranges_create(&allocator);
    expect_list(ranges, NULL, 0);
    gpu_ranges_add(ranges, 1, 0x5000, 0x100);
    gpu_ranges_add(ranges, 2, 0x1000, 0x100);
    gpu_ranges_add(ranges, 3, 0x1100, 0x100); /* begins where the one before ends: another buffer */
    gpu_ranges_add(ranges, 4, 0x5080, 0x200); /* shares memory with the first */
    gpu_ranges_add(ranges, 5, 0x5010, 0x10);
    gpu_ranges_add(ranges, 1, 0x5000, 0x100); /* asked for again */
    expect_list(ranges, NULL, 0);             /* not before somebody submits */
    publish_ranges(ranges, NULL);
    const struct gpu_range all[] = {{0x1000, 0x1100}, {0x1100, 0x1200}, {0x5000, 0x5280}};
    expect_list(ranges, all, 3);
    gpu_ranges_remove(ranges, 4, 0x5080);
    gpu_ranges_remove(ranges, 2, 0x1000);
    gpu_ranges_remove(ranges, 77, 0x5000); /* another one at that address */
    publish_ranges(ranges, NULL);
    const struct gpu_range rest[] = {{0x1100, 0x1200}, {0x5000, 0x5100}};
    expect_list(ranges, rest, 2);
    gpu_ranges_free(ranges);
}

static void test_the_end_of_all_addresses(void **state)
{
    struct gpu_ranges *ranges = gpu_ranges_create(&allocator);
    gpu_ranges_add(ranges, 1, UINT64_MAX - 10, 100);
    publish_ranges(ranges, NULL);
    const struct gpu_range last = {UINT64_MAX - 10, UINT64_MAX};
    expect_list(ranges, &last, 1);
    gpu_ranges_free(ranges);
}

/* A shader that runs may still look at what was published before its submission was known to be
 * done. */
static void test_versions_outlast_work(void **state)
{
    struct queue queue = {.number = 1};
    struct gpu_ranges *ranges = gpu_ranges_create(&allocator);
    gpu_ranges_add(ranges, 1, 0x1000, 0x10);
    queue.submitted = 1;
    publish_ranges(ranges, &queue);
    uint32_t count;
    const uint32_t *first = current_list(ranges, &count);
    const struct gpu_range range = {0x1000, 0x10};
    for (uint32_t i = 2; i < 20; i++) {
        gpu_ranges_add(ranges, i, 0x1000 * i, 0x10);
        queue.submitted = i;
        publish_ranges(ranges, &queue);
        assert_memory_equal(first, &range, sizeof(range)); /* not written again */
    }
    queue.completed = queue.submitted;
    uint64_t before = bytes_taken();
    for (uint32_t i = 20; i < 2000; i++) {
        gpu_ranges_remove(ranges, i - 1, 0x1000 * (i - 1));
        gpu_ranges_add(ranges, i, 0x1000 * i, 0x10);
        queue.submitted = i;
        publish_ranges(ranges, &queue);
        queue.completed = i;
    }
    assert_int_equal(bytes_taken(), before); /* lists come back */
    gpu_ranges_free(ranges);
}

/* More versions than there is room for, and nothing known to be done: nothing is checked, until
 * something is. */
static void test_too_many_versions(void **state)
{
    struct queue queue = {.number = 1};
    struct gpu_ranges *ranges = gpu_ranges_create(&allocator);
    for (uint32_t i = 1; i <= RANGES_VERSIONS; i++) {
        gpu_ranges_add(ranges, i, 0x1000 * i, 0x10);
        queue.submitted = i;
        publish_ranges(ranges, &queue);
    }
    expect_unknown(ranges);
    queue.completed = queue.submitted;
    publish_ranges(ranges, &queue);
    uint32_t count;
    (void)current_list(ranges, &count);
    assert_int_equal(count, RANGES_VERSIONS);
    gpu_ranges_free(ranges);
}

static void test_no_memory(void **state)
{
    struct gpu_ranges *ranges = gpu_ranges_create(&allocator);
    for (uint32_t i = 1; i <= 300000; i++) /* more than 4 MiB of ranges */
        gpu_ranges_add(ranges, i, 0x1000ull * i, 0x10);
    allocations_left = 0;
    assert_false(gpu_ranges_publish(ranges, NULL));
    expect_unknown(ranges);
    gpu_ranges_free(ranges);
}

/* --- memory --- */

static void test_kinds_of_memory(void **state)
{
    struct gpu_memory piece;
    assert_true(gpu_memory_take(&allocator, GPU_MEMORY_READ, 100, &piece));
    assert_int_equal(used_type, 2);
    assert_true(gpu_memory_take(&allocator, GPU_MEMORY_WRITTEN, 100, &piece));
    assert_int_equal(used_type, 1);
    assert_int_equal(piece.size, 128);
    assert_int_equal(piece.address, (uintptr_t)piece.host);
    assert_int_equal(piece.address % GPU_MEMORY_ALIGNMENT, 0);
    assert_int_equal((uintptr_t)gpu_memory_buffer(&piece) + piece.offset, piece.address);
}

static void test_pieces_come_back(void **state)
{
    struct gpu_memory pieces[200], again;
    for (uint32_t i = 0; i < 200; i++)
        assert_true(gpu_memory_take(&allocator, GPU_MEMORY_READ, 1 + i * 97, &pieces[i]));
    for (uint32_t i = 0; i < 200; i++) { /* none lies in another one */
        memset(pieces[i].host, (int)i, pieces[i].size);
        assert_true(pieces[i].size >= 1 + i * 97);
    }
    for (uint32_t i = 0; i < 200; i++) {
        for (uint32_t j = 0; j < pieces[i].size; j += 13)
            assert_int_equal(((const unsigned char *)pieces[i].host)[j], i);
    }
    VkDeviceAddress last = pieces[100].address;
    uint64_t bytes = bytes_taken();
    gpu_memory_give(&allocator, &pieces[100]);
    assert_null(pieces[100].host);
    gpu_memory_give(&allocator, &pieces[100]); /* nothing */
    assert_true(gpu_memory_take(&allocator, GPU_MEMORY_READ, 1 + 100 * 97, &again));
    assert_int_equal(again.address, last);
    assert_int_equal(bytes_taken(), bytes);
}

static void test_large_pieces_go_back_to_the_driver(void **state)
{
    struct gpu_memory large;
    assert_true(gpu_memory_take(&allocator, GPU_MEMORY_READ, 10 << 20, &large));
    assert_int_equal(buffer_count, 1);
    gpu_memory_give(&allocator, &large);
    assert_int_equal(buffer_count, 0);
    assert_int_equal(bytes_taken(), 0);
    allocations_left = 0;
    assert_false(gpu_memory_take(&allocator, GPU_MEMORY_READ, 10 << 20, &large));
    assert_null(large.host);
    assert_int_equal(buffer_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sorted_and_merged, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_the_end_of_all_addresses, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_versions_outlast_work, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_too_many_versions, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_no_memory, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_kinds_of_memory, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_pieces_come_back, begin_ranges, end_ranges),
        cmocka_unit_test_setup_teardown(test_large_pieces_go_back_to_the_driver, begin_ranges,
                                        end_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
