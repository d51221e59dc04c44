/* Performance queries (18.12): counters, the profiling lock, and what their scopes allow. The null
 * driver has three counters: 0 counts in a command, 1 in a render pass, 2 in a command buffer. */
#include "scenario.h"

#define FEATURES(name_, ...)                                                       \
    static const VkPhysicalDevicePerformanceQueryFeaturesKHR name_ = {             \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR, \
        .pNext = (void *)(uintptr_t)&resets,                                       \
        .performanceCounterQueryPools = VK_TRUE,                                   \
        __VA_ARGS__}
static const VkPhysicalDeviceVulkan13Features rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features resets = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&rendering,
    .hostQueryReset = VK_TRUE};
FEATURES(one_pool, .performanceCounterMultipleQueryPools = VK_FALSE);
FEATURES(more_pools, .performanceCounterMultipleQueryPools = VK_TRUE);
#define PERFORMANCE                                                                            \
    .drivers = NULL_DRIVER, .features = &one_pool, .extensions = {"VK_KHR_performance_query"}, \
    .null_driver = FAMILIES
/* Family 1 has the same counters. */
#define FAMILIES                                                                              \
    "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"], \"count\": " \
    "1}, {\"flags\": [\"compute\", \"transfer\"], \"count\": 1}]}"

static VkQueryPool make_counted(struct baseline *b, uint32_t family, uint32_t counter)
{
    const uint32_t counters[] = {counter, counter};
    const VkQueryPoolPerformanceCreateInfoKHR performance = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
        .queueFamilyIndex = family,
        .counterIndexCount = 2,
        .pCounterIndices = counters};
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = &performance;
    info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    info.queryCount = 2;
    VkQueryPool pool = create_query_pool(b, &info);
    ENSURE(pool);
    vkResetQueryPool(b->device, pool, 0, 2);
    return pool;
}

static void lock_profiling(struct baseline *b)
{
    const VkAcquireProfilingLockInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR, .timeout = UINT64_MAX};
    VK(DEVICE_PROC(b, vkAcquireProfilingLockKHR)(b->device, &info));
}

static void unlock_profiling(struct baseline *b)
{
    DEVICE_PROC(b, vkReleaseProfilingLockKHR)(b->device);
}

static void measure_query(VkCommandBuffer commands, VkQueryPool pool, uint32_t query)
{
    vkCmdBeginQuery(commands, pool, query, 0);
    vkCmdEndQuery(commands, pool, query);
}

/* --- pools --- */

SCENARIO(counter_the_family_lacks, PERFORMANCE, .proceed = true,
         .expect = {"VUID-VkQueryPoolPerformanceCreateInfoKHR-pCounterIndices-03321"},
         .text = {"pCounterIndices[0] is 3, but queue family 0 has 3 counters",
                  "pCounterIndices[1] is 3, but queue family 0 has 3 counters"})
{
    make_counted(b, 0, 3);
}

SCENARIO(counters_of_no_family, PERFORMANCE, .proceed = true,
         .expect = {"VUID-VkQueryPoolPerformanceCreateInfoKHR-queueFamilyIndex-03236"})
{
    make_counted(b, 2, 0);
}

static const VkPhysicalDeviceFeatures2 statistics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.pipelineStatisticsQuery = VK_TRUE}};
SCENARIO(statistics_that_no_bit_names, .drivers = NULL_DRIVER, .features = &statistics,
         .expect = {"VUID-VkQueryPoolCreateInfo-queryType-00792"},
         .text = {"has the bits 0x40000000"})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    info.pipelineStatistics = 0x40000000 | VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT;
    create_query_pool(b, &info);
}

/* --- begin and end --- */

SCENARIO(measured_under_the_lock, PERFORMANCE)
{
    VkQueryPool pool = make_counted(b, 0, 0);
    lock_profiling(b);
    measure_query(make_recording_of(b, 0), pool, 0);
    unlock_profiling(b);
}

SCENARIO(measured_without_the_lock, PERFORMANCE, .proceed = true,
         .expect = {"VUID-vkCmdBeginQuery-queryPool-03223"})
{
    VkQueryPool pool = make_counted(b, 0, 0);
    measure_query(make_recording_of(b, 0), pool, 0);
}

SCENARIO(measured_in_another_family, PERFORMANCE, .proceed = true,
         .expect = {"VUID-vkCmdBeginQuery-queryPool-07289"},
         .text = {"has counters of queue family 1, but the command buffer is of family 0"})
{
    VkQueryPool pool = make_counted(b, 1, 0);
    lock_profiling(b);
    measure_query(make_recording_of(b, 0), pool, 0);
    unlock_profiling(b);
}

#define MEASURED_TWICE(name_, features_, second_, ...)                                           \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &features_,                              \
             .extensions = {"VK_KHR_performance_query"}, .null_driver = FAMILIES, ##__VA_ARGS__) \
    {                                                                                            \
        VkQueryPool pool = make_counted(b, 0, 0), other = make_counted(b, 0, 0);                 \
        (void)other;                                                                             \
        lock_profiling(b);                                                                       \
        VkCommandBuffer commands = make_recording_of(b, 0);                                      \
        measure_query(commands, pool, 0);                                                        \
        second_;                                                                                 \
        unlock_profiling(b);                                                                     \
    }
MEASURED_TWICE(one_pool_twice, one_pool, measure_query(commands, pool, 1))
MEASURED_TWICE(two_pools, more_pools, measure_query(commands, other, 0))
MEASURED_TWICE(two_pools_without_feature, one_pool, measure_query(commands, other, 0),
               .proceed = true, .expect = {"VUID-vkCmdBeginQuery-queryPool-03226"})
MEASURED_TWICE(reset_after_measuring, one_pool, vkCmdResetQueryPool(commands, pool, 0, 2),
               .expect = {"VUID-vkCmdResetQueryPool-firstQuery-02862"},
               .text = {"has query 0, which was begun in the same command buffer"})
MEASURED_TWICE(reset_of_another_query, one_pool, vkCmdResetQueryPool(commands, pool, 1, 1))

SCENARIO(reset_before_measuring, PERFORMANCE, .proceed = true,
         .expect = {"VUID-vkCmdBeginQuery-None-02863"})
{
    VkQueryPool pool = make_counted(b, 0, 0);
    lock_profiling(b);
    VkCommandBuffer commands = make_recording_of(b, 0);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    measure_query(commands, pool, 0);
    unlock_profiling(b);
}

/* --- scopes --- */

static void begin_empty(VkCommandBuffer commands)
{
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = {1, 1}},
                                  .layerCount = 1};
    vkCmdBeginRendering(commands, &info);
}
#define IN_RENDERING(name_, counter_, ...)                  \
    SCENARIO(name_, PERFORMANCE, ##__VA_ARGS__)             \
    {                                                       \
        VkQueryPool pool = make_counted(b, 0, counter_);    \
        lock_profiling(b);                                  \
        VkCommandBuffer commands = make_recording_of(b, 0); \
        begin_empty(commands);                              \
        measure_query(commands, pool, 0);                   \
        vkCmdEndRendering(commands);                        \
        unlock_profiling(b);                                \
    }
IN_RENDERING(commands_of_a_pass_measured, 0)
IN_RENDERING(pass_measured_inside, 1, .proceed = true,
             .expect = {"VUID-vkCmdBeginQuery-queryPool-03225",
                        "VUID-vkCmdEndQuery-queryPool-03228"})

SCENARIO(pass_measured_from_outside, PERFORMANCE)
{
    VkQueryPool pool = make_counted(b, 0, 1);
    lock_profiling(b);
    VkCommandBuffer commands = make_recording_of(b, 0);
    vkCmdBeginQuery(commands, pool, 0, 0);
    begin_empty(commands);
    vkCmdEndRendering(commands);
    vkCmdEndQuery(commands, pool, 0);
    unlock_profiling(b);
}

/* --- results --- */

#define RESULTS(name_, offset_, stride_, ...)                                                   \
    SCENARIO(name_, PERFORMANCE, ##__VA_ARGS__)                                                 \
    {                                                                                           \
        VkQueryPool pool = make_counted(b, 0, 0);                                               \
        uint64_t data[8];                                                                       \
        lock_profiling(b);                                                                      \
        VkCommandBuffer commands = make_recording_of(b, 0);                                     \
        measure_query(commands, pool, 0);                                                       \
        measure_query(commands, pool, 1);                                                       \
        run_commands(b, commands);                                                              \
        unlock_profiling(b);                                                                    \
        vkGetQueryPoolResults(b->device, pool, 0, 2, 48, (char *)data + (offset_), stride_, 0); \
    }
RESULTS(results_of_two_counters, 0, 16)
RESULTS(results_in_odd_memory, 4, 16, .expect = {"VUID-vkGetQueryPoolResults-queryType-03229"})
RESULTS(results_with_an_odd_stride, 0, 20,
        .expect = {"VUID-vkGetQueryPoolResults-queryCount-12253"})
RESULTS(results_too_near, 0, 8, .expect = {"VUID-vkGetQueryPoolResults-queryType-04519"},
        .text = {"stride is 8, but the results of the pool's 2 counters take 16 bytes"})

/* --- the lock --- */

SCENARIO(lock_released_twice, PERFORMANCE,
         .expect = {"VUID-vkReleaseProfilingLockKHR-device-03235"})
{
    lock_profiling(b);
    unlock_profiling(b);
    unlock_profiling(b);
}

/* "Implementations may allow multiple actors to hold the profiling lock concurrently." */
SCENARIO(lock_of_two_actors, PERFORMANCE)
{
    lock_profiling(b);
    lock_profiling(b);
    unlock_profiling(b);
    unlock_profiling(b);
}

SCENARIO(lock_never_acquired, PERFORMANCE,
         .expect = {"VUID-vkReleaseProfilingLockKHR-device-03235"})
{
    unlock_profiling(b);
}

/* --- a counter of the whole command buffer --- */

static void measure_whole(struct baseline *b, bool before, bool after)
{
    VkQueryPool pool = make_counted(b, 0, 2);
    lock_profiling(b);
    VkCommandBuffer commands = make_recording_of(b, 0);
    if (before)
        vkCmdSetLineWidth(commands, 1);
    vkCmdBeginQuery(commands, pool, 0, 0);
    vkCmdSetLineWidth(commands, 1);
    vkCmdEndQuery(commands, pool, 0);
    if (after)
        vkCmdSetLineWidth(commands, 1);
    vkEndCommandBuffer(commands);
    unlock_profiling(b);
}

SCENARIO(whole_measured, PERFORMANCE)
{
    measure_whole(b, false, false);
}

SCENARIO(whole_measured_from_the_second, PERFORMANCE, .proceed = true,
         .expect = {"VUID-vkCmdBeginQuery-queryPool-03224"},
         .text = {"this is command 2 of the command buffer"})
{
    measure_whole(b, true, false);
}

SCENARIO(whole_measured_but_the_last, PERFORMANCE, .expect = {"VUID-vkCmdEndQuery-queryPool-03227"},
         .text = {"has 4 commands, but vkCmdEndQuery, the 3., ended a query"})
{
    measure_whole(b, false, true);
}

/* --- the lock is held throughout the recording --- */

/* `released`: for a moment, between the query and the end of the recording. */
static void submit_measured(struct baseline *b, bool released, bool version2)
{
    VkQueryPool pool = make_counted(b, 0, 0);
    VkQueue queue;
    vkGetDeviceQueue(b->device, 0, 0, &queue);
    VkCommandBuffer reset = make_recording_of(b, 0), commands;
    vkCmdResetQueryPool(reset, pool, 0, 1);
    VK(vkEndCommandBuffer(reset));
    VkSubmitInfo info = submit_info(&reset);
    VK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    lock_profiling(b);
    commands = make_recording_of(b, 0);
    measure_query(commands, pool, 0);
    if (released) {
        unlock_profiling(b);
        lock_profiling(b);
    }
    VK(vkEndCommandBuffer(commands));
    info.pCommandBuffers = &commands;
    const VkCommandBufferSubmitInfo submitted = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = commands};
    const VkSubmitInfo2 info2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .commandBufferInfoCount = 1,
                                 .pCommandBufferInfos = &submitted};
    (void)(version2 ? vkQueueSubmit2(queue, 1, &info2, VK_NULL_HANDLE)
                    : vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
    unlock_profiling(b);
}

SCENARIO(lock_held_all_the_time, PERFORMANCE)
{
    submit_measured(b, false, false);
}

SCENARIO(lock_released_meanwhile, PERFORMANCE,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-03220"})
{
    submit_measured(b, true, false);
}

SCENARIO(lock_released_meanwhile_2, PERFORMANCE,
         .expect = {"VUID-vkQueueSubmit2-commandBuffer-03880"})
{
    submit_measured(b, true, true);
}
