/* The device is lost when a shader has aborted. Every command says so that may, whichever thread
 * waits, and all else still does its work. */
#include "gpu/abort_world.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "shader_abort_stages.h"

#define ABORTING GPU_CODE(spirv_plain_comp_abort) /* in the fourth workgroup, if 42 is pushed */
#define GROUPS   4

static void lose_by_abort(struct baseline *b)
{
    struct gpu g = abort_world(b, gpu_stage_comp, ABORTING, 42, 64);
    EXPECT_EQUAL(abort_dispatch(&g, GROUPS), VK_ERROR_DEVICE_LOST);
}

/* Submits it, and waits for nothing. */
static void submit_abort(struct gpu *g)
{
    gpu_begin(g);
    gpu_bind(g);
    gpu_push(g);
    vkCmdDispatch(g->commands, GROUPS, 1, 1);
    VK(vkEndCommandBuffer(g->commands));
    const VkSubmitInfo info = submit_info(&g->commands);
    const VkResult result = vkQueueSubmit(g->b->queue, 1, &info, VK_NULL_HANDLE);
    EXPECT(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
}

/* --- one thread --- */

/* With any timeout, for any or all of what there is. */
SCENARIO(waits_of_a_lost_device, ABORT)
{
    VkFence fences[2] = {make_fence(b), make_fence(b)};
    VkSemaphore semaphores[2] = {make_timeline_semaphore(b, 0), make_timeline_semaphore(b, 0)};
    const uint64_t values[2] = {1, UINT64_MAX / 2};
    static const uint64_t timeouts[] = {0, 1000000, UINT64_MAX - 1, UINT64_MAX};
    lose_by_abort(b);
    for (size_t i = 0; i < 8; i++) {
        const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                          .flags = i & 1 ? VK_SEMAPHORE_WAIT_ANY_BIT : 0,
                                          .semaphoreCount = 2,
                                          .pSemaphores = semaphores,
                                          .pValues = values};
        EXPECT_EQUAL(vkWaitForFences(b->device, 2, fences, i & 1, timeouts[i / 2]),
                     VK_ERROR_DEVICE_LOST);
        EXPECT_EQUAL(vkWaitSemaphores(b->device, &wait, timeouts[i / 2]), VK_ERROR_DEVICE_LOST);
    }
}

SCENARIO(queries_and_events_of_a_lost_device, ABORT)
{
    VkQueryPool queries = make_query_pool(b);
    VkEvent event = make_event(b);
    uint64_t results[4];
    vkResetQueryPool(b->device, queries, 0, 4);
    lose_by_abort(b);
    EXPECT_EQUAL(vkGetQueryPoolResults(b->device, queries, 0, 4, sizeof(results), results, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                 VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkGetQueryPoolResults(b->device, queries, 0, 4, sizeof(results), results, 8,
                                       VK_QUERY_RESULT_64_BIT),
                 VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkGetEventStatus(b->device, event), VK_ERROR_DEVICE_LOST);
}

/* Commands that cannot say that the device is lost work. */
SCENARIO(other_commands_of_a_lost_device, ABORT)
{
    VkSemaphore timeline = make_timeline_semaphore(b, 0);
    VkEvent event = make_event(b);
    VkFence fence = make_fence(b);
    lose_by_abort(b);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
    EXPECT_EQUAL(vkSignalSemaphore(b->device, &signal), VK_SUCCESS);
    EXPECT_EQUAL(vkSetEvent(b->device, event), VK_SUCCESS);
    EXPECT_EQUAL(vkResetEvent(b->device, event), VK_SUCCESS);
    EXPECT_EQUAL(vkResetFences(b->device, 1, &fence), VK_SUCCESS);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const uint32_t written = 7;
    uint32_t read = 0;
    gpu_fill(b, buffer, 0, &written, sizeof(written));
    gpu_read(b, buffer, 0, &read, sizeof(read));
    EXPECT_EQUAL(read, 7);
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = ABORTING;
    gpu_make(&g); /* a pipeline, and all that it needs */
    VkCommandBuffer commands = make_recording(b);
    VK(vkEndCommandBuffer(commands));
}

/* A semaphore that pending work awaits, which the layer has let go: the program signals it all the
 * same. */
SCENARIO(signals_behind_the_end, ABORT)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    const uint64_t value = 3;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo waits = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &values,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &semaphore,
                                .pWaitDstStageMask = &stage};
    struct gpu g = abort_world(b, gpu_stage_comp, ABORTING, 42, 64);
    submit_abort(&g);
    const VkResult submitted = vkQueueSubmit(b->queue, 1, &waits, VK_NULL_HANDLE);
    EXPECT(submitted == VK_SUCCESS || submitted == VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = 3};
    EXPECT_EQUAL(vkSignalSemaphore(b->device, &signal), VK_SUCCESS);
}

/* --- several threads --- */

struct waiter {
    pthread_t thread;
    struct baseline *b;
    VkResult (*wait)(struct waiter *waiter);
    VkFence fence;
    VkSemaphore semaphore;
    VkQueryPool queries;
    VkResult result;
};

static void *run_waiter(void *context)
{
    struct waiter *waiter = context;
    waiter->result = waiter->wait(waiter);
    return NULL;
}

static void start_waiter(struct waiter *waiter)
{
    ENSURE(pthread_create(&waiter->thread, NULL, run_waiter, waiter) == 0);
}

static VkResult wait_fence(struct waiter *waiter)
{
    return vkWaitForFences(waiter->b->device, 1, &waiter->fence, VK_TRUE, UINT64_MAX);
}

static VkResult wait_semaphore(struct waiter *waiter)
{
    const uint64_t value = 9;
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &waiter->semaphore,
                                      .pValues = &value};
    return vkWaitSemaphores(waiter->b->device, &wait, UINT64_MAX);
}

static VkResult wait_report(struct waiter *waiter)
{
    VkDeviceFaultInfoKHR report = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
    uint32_t count = 1;
    VkResult result =
        DEVICE_PROC(waiter->b, vkGetDeviceFaultReportsKHR)(waiter->b->device, UINT64_MAX, &count,
                                                           &report);
    EXPECT(result != VK_SUCCESS || !strcmp(report.description, "Shader abort: group 3"));
    return result;
}

static VkResult wait_queue(struct waiter *waiter)
{
    return vkQueueWaitIdle(waiter->b->queue);
}

/* They wait for what will not come. */
static void run_waiters(struct baseline *b, bool idle)
{
    struct gpu g = abort_world(b, gpu_stage_comp, ABORTING, 42, 64);
    struct waiter waiters[4] = {
        {.b = b, .wait = wait_fence, .fence = make_fence(b)},
        {.b = b, .wait = wait_semaphore, .semaphore = make_timeline_semaphore(b, 0)},
        {.b = b, .wait = wait_report},
        {.b = b, .wait = wait_queue}};
    for (int i = 0; i < 3; i++)
        start_waiter(&waiters[i]);
    const struct timespec pause = {.tv_nsec = 50000000};
    (void)nanosleep(&pause, NULL);
    submit_abort(&g);
    if (idle)
        start_waiter(&waiters[3]); /* the queue is its own from here on */
    for (int i = 0; i < (idle ? 4 : 3); i++) {
        pthread_join(waiters[i].thread, NULL);
        EXPECT_EQUAL(waiters[i].result, i == 2 ? VK_SUCCESS : VK_ERROR_DEVICE_LOST);
    }
    EXPECT_EQUAL(seen_count(b, ABORT_ID), 1);
}

SCENARIO(threads_wait, ABORT)
{
    run_waiters(b, true);
}

/* Only the threads that wait call anything. */
SCENARIO(threads_wait_alone, ABORT)
{
    run_waiters(b, false);
}

SCENARIO(threads_wait_with_all_checks, ABORT,
         .settings = {"gpuav_enable=true", "validate_sync=true", "printf_enable=true",
                      "printf_to_stdout=false"},
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    run_waiters(b, true);
}

static VkResult wait_queries(struct waiter *waiter)
{
    uint64_t value;
    return vkGetQueryPoolResults(waiter->b->device, waiter->queries, 0, 1, sizeof(value), &value,
                                 sizeof(value), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

/* A query in work that waits for what the program would have signaled, but for the loss of the
 * device. */
SCENARIO(a_thread_waits_for_a_query, ABORT)
{
    struct gpu g = abort_world(b, gpu_stage_comp, ABORTING, 42, 64);
    struct waiter waiter = {.b = b, .wait = wait_queries, .queries = make_query_pool(b)};
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    const uint64_t value = 2;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    VkCommandBuffer commands = make_recording(b);
    vkCmdResetQueryPool(commands, waiter.queries, 0, 1);
    vkCmdBeginQuery(commands, waiter.queries, 0, 0);
    vkCmdEndQuery(commands, waiter.queries, 0);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit = submit_info(&commands);
    submit.pNext = &values;
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &semaphore;
    submit.pWaitDstStageMask = &stage;
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDispatch(g.commands, GROUPS, 1, 1);
    VK(vkEndCommandBuffer(g.commands));
    VkSubmitInfo submits[2] = {submit_info(&g.commands), submit};
    VkSemaphore done = make_semaphore(b);
    /* without it lavapipe makes one of both, which waits as a whole */
    submits[0].signalSemaphoreCount = 1;
    submits[0].pSignalSemaphores = &done;
    const VkResult submitted = vkQueueSubmit(b->queue, 2, submits, VK_NULL_HANDLE);
    EXPECT(submitted == VK_SUCCESS || submitted == VK_ERROR_DEVICE_LOST);
    start_waiter(&waiter);
    VkFence fence = make_fence(b);
    EXPECT_EQUAL(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    pthread_join(waiter.thread, NULL);
    EXPECT_EQUAL(waiter.result, VK_ERROR_DEVICE_LOST);
}

/* --- presenting --- */

#define PRESENTING                                                         \
    OURS, .features = &abort_features_plain, .expect = {ABORT_ID},         \
        .extensions = {ABORT_EXTENSIONS, VK_KHR_SWAPCHAIN_EXTENSION_NAME}, \
        .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME,             \
                                VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME}

SCENARIO(swapchain_of_a_lost_device, PRESENTING)
{
    VkSwapchainKHR swapchain = make_swapchain(b), second = VK_NULL_HANDLE;
    VkFence acquired = make_fence(b);
    VkImage images[8];
    uint32_t index, count = 8;
    VK(vkAcquireNextImageKHR(b->device, swapchain, UINT64_MAX, VK_NULL_HANDLE, acquired, &index));
    VK(vkWaitForFences(b->device, 1, &acquired, VK_TRUE, UINT64_MAX));
    VK(vkGetSwapchainImagesKHR(b->device, swapchain, &count, images));
    const VkImageMemoryBarrier barrier =
        image_barrier(images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    VkCommandBuffer commands = make_recording(b);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, commands);
    VK(vkResetFences(b->device, 1, &acquired));
    lose_by_abort(b);
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .swapchainCount = 1,
                                      .pSwapchains = &swapchain,
                                      .pImageIndices = &index};
    const VkAcquireNextImageInfoKHR acquire = {.sType =
                                                   VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                               .swapchain = swapchain,
                                               .timeout = 1000,
                                               .fence = acquired,
                                               .deviceMask = 1};
    EXPECT_EQUAL(vkQueuePresentKHR(b->queue, &present), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkAcquireNextImageKHR(b->device, swapchain, 0, VK_NULL_HANDLE, acquired, &index),
                 VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkAcquireNextImage2KHR(b->device, &acquire, &index), VK_ERROR_DEVICE_LOST);
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    VkSurfaceCapabilitiesKHR capabilities;
    VkBool32 supported;
    VK(vkGetPhysicalDeviceSurfaceSupportKHR(b->physical_device, b->queue_family, info.surface,
                                            &supported));
    VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->physical_device, info.surface, &capabilities));
    info.minImageCount = capabilities.minImageCount;
    EXPECT_EQUAL(vkCreateSwapchainKHR(b->device, &info, NULL, &second), VK_ERROR_DEVICE_LOST);
}
