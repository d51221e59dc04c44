/* Fences and semaphores, and what submissions make of them. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features timeline2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&features13,
    .timelineSemaphore = VK_TRUE};

static const VkPipelineStageFlags all_commands[4] = {
    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};

/* A batch without command buffers: `wait` and `signal` may be VK_NULL_HANDLE. */
static VkSubmitInfo batch_of(const VkSemaphore *wait, const VkSemaphore *signal)
{
    return (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .waitSemaphoreCount = wait ? 1 : 0,
                          .pWaitSemaphores = wait,
                          .pWaitDstStageMask = all_commands,
                          .signalSemaphoreCount = signal ? 1 : 0,
                          .pSignalSemaphores = signal};
}

static void submit_batch(struct baseline *b, const VkSemaphore *wait, const VkSemaphore *signal,
                         VkFence fence)
{
    VkSubmitInfo info = batch_of(wait, signal);
    (void)vkQueueSubmit(b->queue, 1, &info, fence);
}

static void wait_idle(struct baseline *b)
{
    VK(vkDeviceWaitIdle(b->device));
}

/* Fences. */
SCENARIO(fence_signaled, .expect = {"VUID-vkQueueSubmit-fence-00063"},
         .text = {"fence is signaled; vkResetFences"})
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    submit_batch(b, NULL, NULL, create_fence(b, &info));
}

SCENARIO(fence_signaled_by_earlier_submit, .expect = {"VUID-vkQueueSubmit-fence-00063"})
{
    VkFence fence = make_fence(b);
    submit_batch(b, NULL, NULL, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    submit_batch(b, NULL, NULL, fence);
}

SCENARIO(fence_pending, .expect = {"VUID-vkQueueSubmit-fence-00064"},
         .text = {"fence is to be signaled by work that was submitted to VkQueue"})
{
    VkFence fence = make_fence(b);
    submit_batch(b, NULL, NULL, fence);
    submit_batch(b, NULL, NULL, fence);
    wait_idle(b);
}

SCENARIO(fence_reset_while_pending, .expect = {"VUID-vkResetFences-pFences-01123"})
{
    VkFence fence = make_fence(b);
    submit_batch(b, NULL, NULL, fence);
    (void)vkResetFences(b->device, 1, &fence);
    wait_idle(b);
}

SCENARIO(fence_destroyed_while_pending, .expect = {"VUID-vkDestroyFence-fence-01120"})
{
    VkFence fence = make_fence(b);
    submit_batch(b, NULL, NULL, fence);
    vkDestroyFence(b->device, fence, NULL);
    wait_idle(b);
}

SCENARIO(fence_used_again)
{
    VkFence fence = make_fence(b);
    for (int i = 0; i < 3; i++) {
        submit_batch(b, NULL, NULL, fence);
        if (i == 1)
            VK(vkQueueWaitIdle(b->queue));
        else
            VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
        VK(vkResetFences(b->device, 1, &fence));
    }
    submit_batch(b, NULL, NULL, fence);
    while (vkGetFenceStatus(b->device, fence) == VK_NOT_READY)
        continue;
    FORGET(b, fence);
    vkDestroyFence(b->device, fence, NULL);
}

/* Binary semaphores. */
SCENARIO(semaphore_never_signaled, .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-03238"},
         .text = {"pSubmits[0].pWaitSemaphores[0] is not signaled, and no submitted operation will "
                  "signal it"})
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_batch(b, &semaphore, NULL, VK_NULL_HANDLE);
}

SCENARIO(semaphore_waited_for_twice, .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-03238"},
         .text = {"has been waited for since it was last signaled"})
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    submit_batch(b, &semaphore, NULL, VK_NULL_HANDLE);
    submit_batch(b, &semaphore, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(semaphore_signaled_twice, .expect = {"VUID-vkQueueSubmit-pSignalSemaphores-00067"})
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(semaphore_signaled_twice_in_one_call,
         .expect = {"VUID-vkQueueSubmit-pSignalSemaphores-00067"},
         .text = {"pSubmits[1].pSignalSemaphores[0] is signaled, or will be"})
{
    VkSemaphore semaphore = make_semaphore(b);
    VkSubmitInfo infos[2] = {batch_of(NULL, &semaphore), batch_of(NULL, &semaphore)};
    (void)vkQueueSubmit(b->queue, 2, infos, VK_NULL_HANDLE);
}

SCENARIO(semaphore_in_turn)
{
    VkSemaphore semaphore = make_semaphore(b);
    for (int i = 0; i < 3; i++) {
        submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
        submit_batch(b, &semaphore, NULL, VK_NULL_HANDLE);
    }
    VkSubmitInfo infos[3] = {batch_of(NULL, &semaphore), batch_of(&semaphore, &semaphore),
                             batch_of(&semaphore, NULL)};
    VK(vkQueueSubmit(b->queue, 3, infos, VK_NULL_HANDLE));
    wait_idle(b);
}

SCENARIO(semaphore_waited_for_by_two_queues, .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-00068"},
         .drivers = NULL_DRIVER)
{
    VkSemaphore semaphore = make_semaphore(b);
    VkQueue other;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    submit_batch(b, &semaphore, NULL, VK_NULL_HANDLE);
    VkSubmitInfo info = batch_of(&semaphore, NULL);
    (void)vkQueueSubmit(other, 1, &info, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(semaphore_destroyed_while_pending, .expect = {"VUID-vkDestroySemaphore-semaphore-05149"})
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    vkDestroySemaphore(b->device, semaphore, NULL);
    wait_idle(b);
}

/* A fence of one queue shows the work of the other queue that it waited for. */
SCENARIO(completion_travels_by_semaphores, .drivers = NULL_DRIVER)
{
    VkSemaphore semaphore = make_semaphore(b), again = make_semaphore(b);
    VkFence fence = make_fence(b);
    VkQueue other;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    VkSubmitInfo first = batch_of(NULL, &semaphore), second = batch_of(&semaphore, &again);
    VK(vkQueueSubmit(other, 1, &first, VK_NULL_HANDLE));
    VK(vkQueueSubmit(b->queue, 1, &second, VK_NULL_HANDLE));
    submit_batch(b, &again, NULL, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    FORGET(b, semaphore);
    FORGET(b, again);
    vkDestroySemaphore(b->device, semaphore, NULL);
    vkDestroySemaphore(b->device, again, NULL);
}

/* Stages. */
static void submit_stages(struct baseline *b, VkPipelineStageFlags stages, VkQueue queue)
{
    VkSemaphore semaphore = make_semaphore(b);
    VkSubmitInfo info = batch_of(&semaphore, NULL);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    info.pWaitDstStageMask = &stages;
    (void)vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(wait_stage_host, .expect = {"VUID-VkSubmitInfo-pWaitDstStageMask-00078"})
{
    submit_stages(b, VK_PIPELINE_STAGE_HOST_BIT, b->queue);
}

SCENARIO(wait_stage_zero, .expect = {"VUID-VkSubmitInfo-pWaitDstStageMask-03937"})
{
    submit_stages(b, 0, b->queue);
}

SCENARIO(wait_stage_without_feature, .expect = {"VUID-VkSubmitInfo-pWaitDstStageMask-04090"})
{
    submit_stages(b, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, b->queue);
}

SCENARIO(wait_stage_of_other_queue, .expect = {"VUID-vkQueueSubmit-pWaitDstStageMask-00066"},
         .drivers = NULL_DRIVER)
{
    VkQueue transfer;
    vkGetDeviceQueue(b->device, 2, 0, &transfer);
    submit_stages(b, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, transfer);
}

SCENARIO(wait_stages)
{
    submit_stages(b, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, b->queue);
}

/* Timeline semaphores. */
SCENARIO(timeline_without_feature,
         .expect = {"VUID-VkSemaphoreTypeCreateInfo-timelineSemaphore-03252"})
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    create_semaphore(b, &info);
}

SCENARIO(binary_with_value, .expect = {"VUID-VkSemaphoreTypeCreateInfo-semaphoreType-03279"})
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_BINARY,
                                      .initialValue = 1};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    create_semaphore(b, &info);
}

static VkSemaphoreWaitInfo wait_info(const VkSemaphore *semaphore, const uint64_t *value)
{
    return (VkSemaphoreWaitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                 .semaphoreCount = 1,
                                 .pSemaphores = semaphore,
                                 .pValues = value};
}

SCENARIO(host_waits_for_binary, .expect = {"VUID-VkSemaphoreWaitInfo-pSemaphores-03256"},
         .features = &timeline)
{
    VkSemaphore semaphore = make_semaphore(b);
    uint64_t value = 1;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    (void)vkWaitSemaphores(b->device, &info, 0);
}

static void host_signal(struct baseline *b, VkSemaphore semaphore, uint64_t value)
{
    VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    (void)vkSignalSemaphore(b->device, &info);
}

SCENARIO(host_signals_same_value, .expect = {"VUID-VkSemaphoreSignalInfo-value-03258"},
         .features = &timeline,
         .text = {"pSignalInfo->value is 5, but the semaphore has reached 5"})
{
    host_signal(b, make_timeline_semaphore(b, 5), 5);
}

/* A batch with timeline values. */
static void submit_values(struct baseline *b, VkQueue queue, const VkSemaphore *wait,
                          uint64_t wait_value, const VkSemaphore *signal, uint64_t signal_value,
                          VkFence fence)
{
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = wait ? 1 : 0,
                                            .pWaitSemaphoreValues = &wait_value,
                                            .signalSemaphoreValueCount = signal ? 1 : 0,
                                            .pSignalSemaphoreValues = &signal_value};
    VkSubmitInfo info = batch_of(wait, signal);
    info.pNext = &values;
    (void)vkQueueSubmit(queue, 1, &info, fence);
}

SCENARIO(host_signals_past_pending, .expect = {"VUID-VkSemaphoreSignalInfo-value-03259"},
         .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0), gate = make_timeline_semaphore(b, 0);
    submit_values(b, b->queue, &gate, 1, &semaphore, 10, VK_NULL_HANDLE);
    host_signal(b, semaphore, 10);
    host_signal(b, gate, 1);
    wait_idle(b);
}

#define SMALL_DIFFERENCE                                                               \
    .null_driver = "{\"properties\": {\"maxTimelineSemaphoreValueDifference\": 100}}", \
    .drivers = NULL_DRIVER

SCENARIO(host_signals_too_far, .expect = {"VUID-VkSemaphoreSignalInfo-value-03260"},
         .features = &timeline, SMALL_DIFFERENCE)
{
    host_signal(b, make_timeline_semaphore(b, 0), 101);
}

SCENARIO(host_signals, .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0), gate = make_timeline_semaphore(b, 0);
    submit_values(b, b->queue, &gate, 1, &semaphore, 10, VK_NULL_HANDLE);
    host_signal(b, semaphore, 9);
    host_signal(b, gate, 1);
    uint64_t value = 10;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    VK(vkWaitSemaphores(b->device, &info, UINT64_MAX));
    host_signal(b, semaphore, 11);
    FORGET(b, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
}

SCENARIO(timeline_without_values, .expect = {"VUID-VkSubmitInfo-pWaitSemaphores-03239"},
         .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
}

static void submit_counts(struct baseline *b, uint32_t wait_values, uint32_t signal_values)
{
    VkSemaphore wait = make_timeline_semaphore(b, 1), signal = make_timeline_semaphore(b, 0);
    uint64_t values[2] = {1, 1};
    VkTimelineSemaphoreSubmitInfo timeline_info = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait_values,
        .pWaitSemaphoreValues = values,
        .signalSemaphoreValueCount = signal_values,
        .pSignalSemaphoreValues = values};
    VkSubmitInfo info = batch_of(&wait, &signal);
    info.pNext = &timeline_info;
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(timeline_wait_values_missing, .expect = {"VUID-VkSubmitInfo-pNext-03240"},
         .features = &timeline)
{
    submit_counts(b, 0, 1);
}

SCENARIO(timeline_signal_values_missing, .expect = {"VUID-VkSubmitInfo-pNext-03241"},
         .features = &timeline)
{
    submit_counts(b, 1, 2);
}

SCENARIO(timeline_values, .features = &timeline)
{
    submit_counts(b, 1, 1);
}

SCENARIO(timeline_does_not_grow, .expect = {"VUID-VkSubmitInfo-pSignalSemaphores-03242"},
         .features = &timeline,
         .text = {"pSubmits[0].pSignalSemaphores[0] is to be signaled with value 5, but it will "
                  "have reached 5 by then"})
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 5);
    submit_values(b, b->queue, NULL, 0, &semaphore, 5, VK_NULL_HANDLE);
}

SCENARIO(timeline_grows_twice, .expect = {"VUID-VkSubmitInfo-pSignalSemaphores-03242"},
         .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    submit_values(b, b->queue, NULL, 0, &semaphore, 7, VK_NULL_HANDLE);
    submit_values(b, b->queue, NULL, 0, &semaphore, 6, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(timeline_wait_too_far, .expect = {"VUID-VkSubmitInfo-pWaitSemaphores-03243"},
         .features = &timeline, SMALL_DIFFERENCE)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    submit_values(b, b->queue, &semaphore, 101, NULL, 0, VK_NULL_HANDLE);
}

SCENARIO(timeline_signal_too_far, .expect = {"VUID-VkSubmitInfo-pSignalSemaphores-03244"},
         .features = &timeline, SMALL_DIFFERENCE)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    submit_values(b, b->queue, NULL, 0, &semaphore, 101, VK_NULL_HANDLE);
}

SCENARIO(timeline_in_turn, .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    for (uint64_t i = 1; i < 40; i++)
        submit_values(b, b->queue, i > 1 ? &semaphore : NULL, i - 1, &semaphore, i, VK_NULL_HANDLE);
    uint64_t value = 39;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    VK(vkWaitSemaphores(b->device, &info, UINT64_MAX));
    FORGET(b, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
}

#define MANY_SIGNALS 100

static VkSemaphore signaled_often(struct baseline *b, VkQueue queue)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    for (uint64_t i = 1; i <= MANY_SIGNALS; i++)
        submit_values(b, queue, NULL, 0, &semaphore, i, VK_NULL_HANDLE);
    return semaphore;
}

SCENARIO(timeline_does_not_grow_after_many, .expect = {"VUID-VkSubmitInfo-pSignalSemaphores-03242"},
         .features = &timeline,
         .text = {"is to be signaled with value 100, but it will have reached 100 by then"})
{
    VkSemaphore semaphore = signaled_often(b, b->queue);
    submit_values(b, b->queue, NULL, 0, &semaphore, MANY_SIGNALS, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(timeline_destroyed_before_its_last_signal,
         .expect = {"VUID-vkDestroySemaphore-semaphore-05149"}, .features = &timeline,
         .drivers = NULL_DRIVER)
{
    VkSemaphore semaphore = signaled_often(b, b->queue);
    uint64_t value = MANY_SIGNALS - 1;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    VK(vkWaitSemaphores(b->device, &info, UINT64_MAX));
    vkDestroySemaphore(b->device, semaphore, NULL);
    wait_idle(b);
}

/* A value in the middle says of the submissions up to it that they are done, and of no others. */
SCENARIO(timeline_tells_of_what_it_reached, .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    VkFence fences[20];
    for (uint64_t i = 1; i <= 20; i++) {
        fences[i - 1] = make_fence(b);
        submit_values(b, b->queue, NULL, 0, &semaphore, 10 * i, fences[i - 1]);
    }
    uint64_t value = 95;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    VK(vkWaitSemaphores(b->device, &info, UINT64_MAX));
    for (uint32_t i = 0; i < 9; i++) {
        FORGET(b, fences[i]);
        vkDestroyFence(b->device, fences[i], NULL);
    }
    wait_idle(b);
}

/* Waits may come in any order. One for a small value keeps larger ones away while it is pending. */
SCENARIO(timeline_wait_too_far_from_another, .expect = {"VUID-VkSubmitInfo-pWaitSemaphores-03243"},
         .features = &timeline, SMALL_DIFFERENCE,
         .text = {"away from those between 20 and 90 that the semaphore has or will have"})
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 30);
    submit_values(b, b->queue, &semaphore, 90, NULL, 0, VK_NULL_HANDLE);
    submit_values(b, b->queue, &semaphore, 20, NULL, 0, VK_NULL_HANDLE);
    submit_values(b, b->queue, &semaphore, 121, NULL, 0, VK_NULL_HANDLE);
    host_signal(b, semaphore, 121);
    wait_idle(b);
}

SCENARIO(timeline_waits_in_any_order, .features = &timeline, SMALL_DIFFERENCE)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 30);
    VkFence fence = make_fence(b);
    submit_values(b, b->queue, &semaphore, 25, NULL, 0, VK_NULL_HANDLE);
    submit_values(b, b->queue, &semaphore, 20, NULL, 0, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    submit_values(b, b->queue, &semaphore, 121, NULL, 0, VK_NULL_HANDLE);
    submit_values(b, b->queue, &semaphore, 40, NULL, 0, VK_NULL_HANDLE);
    host_signal(b, semaphore, 40);
    host_signal(b, semaphore, 121);
    wait_idle(b);
}

/* More than a queue keeps: of the oldest ones nothing is known any more, and nothing is said. */
SCENARIO(host_signals_after_many_waits, .features = &timeline, .drivers = NULL_DRIVER)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    for (uint64_t i = 1; i <= 70000; i++)
        submit_values(b, b->queue, &semaphore, i, NULL, 0, VK_NULL_HANDLE);
    host_signal(b, semaphore, 1);
    host_signal(b, semaphore, 70000);
    wait_idle(b);
}

/* Signals and waits of two queues. */
SCENARIO(timeline_of_two_queues, .drivers = NULL_DRIVER, .features = &timeline)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    VkQueue other;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    for (uint64_t i = 1; i < 80; i += 2) {
        submit_values(b, b->queue, &semaphore, i - 1, &semaphore, i, VK_NULL_HANDLE);
        submit_values(b, other, &semaphore, i, &semaphore, i + 1, VK_NULL_HANDLE);
    }
    uint64_t value = 80;
    VkSemaphoreWaitInfo info = wait_info(&semaphore, &value);
    VK(vkWaitSemaphores(b->device, &info, UINT64_MAX));
    FORGET(b, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
}

/* Version 2. */
static VkSemaphoreSubmitInfo semaphore_info2(VkSemaphore semaphore, uint64_t value)
{
    return (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                   .semaphore = semaphore,
                                   .value = value,
                                   .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
}

static void submit_batch2(VkQueue queue, const VkSemaphoreSubmitInfo *wait,
                          const VkSemaphoreSubmitInfo *signal, VkFence fence)
{
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = wait ? 1 : 0,
                          .pWaitSemaphoreInfos = wait,
                          .signalSemaphoreInfoCount = signal ? 1 : 0,
                          .pSignalSemaphoreInfos = signal};
    (void)vkQueueSubmit2(queue, 1, &info, fence);
}

SCENARIO(submit2_without_synchronization2, .expect = {"VUID-vkQueueSubmit2-synchronization2-03866"})
{
    submit_batch2(b->queue, NULL, NULL, VK_NULL_HANDLE);
}

SCENARIO(submit2_fence_signaled, .expect = {"VUID-vkQueueSubmit2-fence-04894"},
         .features = &features13)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    submit_batch2(b->queue, NULL, NULL, create_fence(b, &info));
}

SCENARIO(submit2_fence_pending, .expect = {"VUID-vkQueueSubmit2-fence-04895"},
         .features = &features13)
{
    VkFence fence = make_fence(b);
    submit_batch2(b->queue, NULL, NULL, fence);
    submit_batch2(b->queue, NULL, NULL, fence);
    wait_idle(b);
}

SCENARIO(submit2_never_signaled, .expect = {"VUID-vkQueueSubmit2-semaphore-03873"},
         .features = &features13)
{
    VkSemaphoreSubmitInfo wait = semaphore_info2(make_semaphore(b), 0);
    submit_batch2(b->queue, &wait, NULL, VK_NULL_HANDLE);
}

SCENARIO(submit2_signaled_twice, .expect = {"VUID-vkQueueSubmit2-semaphore-03868"},
         .features = &features13)
{
    VkSemaphoreSubmitInfo signal = semaphore_info2(make_semaphore(b), 0);
    submit_batch2(b->queue, NULL, &signal, VK_NULL_HANDLE);
    submit_batch2(b->queue, NULL, &signal, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(submit2_waited_for_by_two_queues, .expect = {"VUID-vkQueueSubmit2-semaphore-03871"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    VkSemaphoreSubmitInfo info = semaphore_info2(make_semaphore(b), 0);
    VkQueue other;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    submit_batch2(b->queue, NULL, &info, VK_NULL_HANDLE);
    submit_batch2(b->queue, &info, NULL, VK_NULL_HANDLE);
    submit_batch2(other, &info, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(submit2_wait_stage_of_other_queue, .expect = {"VUID-vkQueueSubmit2-stageMask-03870"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    VkSemaphoreSubmitInfo info = semaphore_info2(make_semaphore(b), 0);
    VkQueue transfer;
    vkGetDeviceQueue(b->device, 2, 0, &transfer);
    submit_batch2(b->queue, NULL, &info, VK_NULL_HANDLE);
    info.stageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    submit_batch2(transfer, &info, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(submit2_signal_stage_of_other_queue, .expect = {"VUID-vkQueueSubmit2-stageMask-03869"},
         .features = &features13, .drivers = NULL_DRIVER)
{
    VkSemaphoreSubmitInfo info = semaphore_info2(make_semaphore(b), 0);
    VkQueue transfer;
    vkGetDeviceQueue(b->device, 2, 0, &transfer);
    info.stageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    submit_batch2(transfer, NULL, &info, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(submit2_timeline_backwards, .expect = {"VUID-VkSubmitInfo2-semaphore-03881"},
         .features = &timeline2)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    VkSemaphoreSubmitInfo wait = semaphore_info2(semaphore, 2),
                          signal = semaphore_info2(semaphore, 1);
    submit_batch2(b->queue, &wait, &signal, VK_NULL_HANDLE);
}

SCENARIO(submit2_timeline_does_not_grow, .expect = {"VUID-VkSubmitInfo2-semaphore-03882"},
         .features = &timeline2)
{
    VkSemaphoreSubmitInfo signal = semaphore_info2(make_timeline_semaphore(b, 3), 3);
    submit_batch2(b->queue, NULL, &signal, VK_NULL_HANDLE);
}

SCENARIO(submit2_timeline_signal_too_far, .expect = {"VUID-VkSubmitInfo2-semaphore-03883"},
         .features = &timeline2, SMALL_DIFFERENCE)
{
    VkSemaphoreSubmitInfo signal = semaphore_info2(make_timeline_semaphore(b, 3), 104);
    submit_batch2(b->queue, NULL, &signal, VK_NULL_HANDLE);
}

SCENARIO(submit2_timeline_wait_too_far, .expect = {"VUID-VkSubmitInfo2-semaphore-03884"},
         .features = &timeline2, SMALL_DIFFERENCE)
{
    VkSemaphoreSubmitInfo wait = semaphore_info2(make_timeline_semaphore(b, 3), 104);
    submit_batch2(b->queue, &wait, NULL, VK_NULL_HANDLE);
}

SCENARIO(submit2_in_turn, .features = &timeline2)
{
    VkSemaphore binary = make_semaphore(b), counter = make_timeline_semaphore(b, 0);
    VkFence fence = make_fence(b);
    VkSemaphoreSubmitInfo infos[2] = {semaphore_info2(binary, 0), semaphore_info2(counter, 1)};
    VkSubmitInfo2 first = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                           .signalSemaphoreInfoCount = 2,
                           .pSignalSemaphoreInfos = infos};
    VkSubmitInfo2 second = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .waitSemaphoreInfoCount = 2,
                            .pWaitSemaphoreInfos = infos};
    VK(vkQueueSubmit2(b->queue, 1, &first, VK_NULL_HANDLE));
    VK(vkQueueSubmit2(b->queue, 1, &second, fence));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
}

/* Structures that go with a batch. */
static void submit_group(struct baseline *b, uint32_t waits, uint32_t command_buffers,
                         uint32_t signals)
{
    uint32_t zero[2] = {0}, one[2] = {1, 1};
    VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                     .waitSemaphoreCount = waits,
                                     .pWaitSemaphoreDeviceIndices = zero,
                                     .commandBufferCount = command_buffers,
                                     .pCommandBufferDeviceMasks = one,
                                     .signalSemaphoreCount = signals,
                                     .pSignalSemaphoreDeviceIndices = zero};
    VkSubmitInfo info = batch_of(NULL, NULL);
    info.pNext = &group;
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(group_waits, .expect = {"VUID-VkDeviceGroupSubmitInfo-waitSemaphoreCount-00082"})
{
    submit_group(b, 1, 0, 0);
}

SCENARIO(group_command_buffers, .expect = {"VUID-VkDeviceGroupSubmitInfo-commandBufferCount-00083"})
{
    submit_group(b, 0, 1, 0);
}

SCENARIO(group_signals, .expect = {"VUID-VkDeviceGroupSubmitInfo-signalSemaphoreCount-00084"})
{
    submit_group(b, 0, 0, 1);
}

SCENARIO(group_counts)
{
    submit_group(b, 0, 0, 0);
}

/* Protected memory. */
static const VkPhysicalDeviceVulkan11Features protection = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&features13,
    .protectedMemory = VK_TRUE};
#define PROTECTED .features = &protection, .drivers = NULL_DRIVER

static VkCommandBuffer recorded_with_flags(struct baseline *b, VkCommandPoolCreateFlags flags)
{
    VkCommandPoolCreateInfo pool = command_pool_info(b->queue_family);
    pool.flags = flags;
    VkCommandBufferAllocateInfo info =
        command_buffer_info(create_command_pool(b, &pool), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

SCENARIO(protected_batch_on_queue_without, .expect = {"VUID-vkQueueSubmit-queue-06448"}, PROTECTED)
{
    VkProtectedSubmitInfo is_protected = {.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
                                          .protectedSubmit = VK_TRUE};
    VkSubmitInfo info = batch_of(NULL, NULL);
    info.pNext = &is_protected;
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(protected_batch2_on_queue_without, .expect = {"VUID-vkQueueSubmit2-queue-06447"},
         PROTECTED)
{
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .flags = VK_SUBMIT_PROTECTED_BIT};
    (void)vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(protected_command_buffer_in_other_batch, .expect = {"VUID-VkSubmitInfo-pNext-04120"},
         PROTECTED)
{
    VkCommandBuffer command_buffer = recorded_with_flags(b, VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
    VkSubmitInfo info = submit_info(&command_buffer);
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(protected_command_buffer_in_other_batch2, .expect = {"VUID-VkSubmitInfo2-flags-03887"},
         PROTECTED)
{
    VkCommandBufferSubmitInfo command_buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = recorded_with_flags(b, VK_COMMAND_POOL_CREATE_PROTECTED_BIT)};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &command_buffer};
    (void)vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(command_buffer_in_protected_batch,
         .expect = {"VUID-VkSubmitInfo-pNext-04148", "VUID-vkQueueSubmit-queue-06448"}, PROTECTED)
{
    VkProtectedSubmitInfo is_protected = {.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
                                          .protectedSubmit = VK_TRUE};
    VkCommandBuffer command_buffer = recorded_with_flags(b, 0);
    VkSubmitInfo info = submit_info(&command_buffer);
    info.pNext = &is_protected;
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(command_buffer_in_protected_batch2,
         .expect = {"VUID-VkSubmitInfo2-flags-03886", "VUID-vkQueueSubmit2-queue-06447"}, PROTECTED)
{
    VkCommandBufferSubmitInfo command_buffer = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                                .commandBuffer = recorded_with_flags(b, 0)};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .flags = VK_SUBMIT_PROTECTED_BIT,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &command_buffer};
    (void)vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(unprotected_in_unprotected, PROTECTED)
{
    VkCommandBuffer command_buffer = recorded_with_flags(b, 0);
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    wait_idle(b);
}

/* Sparse binding. */
static void bind_sparse(struct baseline *b, const VkSemaphore *wait, const VkSemaphore *signal,
                        const void *next, VkFence fence)
{
    VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                             .pNext = next,
                             .waitSemaphoreCount = wait ? 1 : 0,
                             .pWaitSemaphores = wait,
                             .signalSemaphoreCount = signal ? 1 : 0,
                             .pSignalSemaphores = signal};
    (void)vkQueueBindSparse(b->queue, 1, &info, fence);
}
#define SPARSE .drivers = NULL_DRIVER, .features = &timeline

SCENARIO(bind_fence_signaled, .expect = {"VUID-vkQueueBindSparse-fence-01113"}, SPARSE)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    bind_sparse(b, NULL, NULL, NULL, create_fence(b, &info));
}

SCENARIO(bind_fence_pending, .expect = {"VUID-vkQueueBindSparse-fence-01114"}, SPARSE)
{
    VkFence fence = make_fence(b);
    bind_sparse(b, NULL, NULL, NULL, fence);
    bind_sparse(b, NULL, NULL, NULL, fence);
    wait_idle(b);
}

SCENARIO(bind_signaled_twice, .expect = {"VUID-vkQueueBindSparse-pSignalSemaphores-01115"}, SPARSE)
{
    VkSemaphore semaphore = make_semaphore(b);
    bind_sparse(b, NULL, &semaphore, NULL, VK_NULL_HANDLE);
    bind_sparse(b, NULL, &semaphore, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(bind_never_signaled, .expect = {"VUID-vkQueueBindSparse-pWaitSemaphores-03245"}, SPARSE)
{
    VkSemaphore semaphore = make_semaphore(b);
    bind_sparse(b, &semaphore, NULL, NULL, VK_NULL_HANDLE);
}

SCENARIO(bind_waited_for_by_two_queues, .expect = {"VUID-vkQueueBindSparse-pWaitSemaphores-01116"},
         SPARSE)
{
    VkSemaphore semaphore = make_semaphore(b);
    VkQueue other;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    VkSubmitInfo info = batch_of(&semaphore, NULL);
    submit_batch(b, NULL, &semaphore, VK_NULL_HANDLE);
    VK(vkQueueSubmit(other, 1, &info, VK_NULL_HANDLE));
    bind_sparse(b, &semaphore, NULL, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(bind_timeline_without_values, .expect = {"VUID-VkBindSparseInfo-pWaitSemaphores-03246"},
         SPARSE)
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 0);
    bind_sparse(b, NULL, &semaphore, NULL, VK_NULL_HANDLE);
}

static void bind_values(struct baseline *b, uint32_t waits, uint32_t signals, uint64_t wait_value,
                        uint64_t signal_value)
{
    VkSemaphore wait = make_timeline_semaphore(b, 1), signal = make_timeline_semaphore(b, 0);
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = waits,
                                            .pWaitSemaphoreValues = &wait_value,
                                            .signalSemaphoreValueCount = signals,
                                            .pSignalSemaphoreValues = &signal_value};
    bind_sparse(b, &wait, &signal, &values, VK_NULL_HANDLE);
    wait_idle(b);
}

SCENARIO(bind_wait_values_missing, .expect = {"VUID-VkBindSparseInfo-pNext-03247"}, SPARSE)
{
    bind_values(b, 0, 1, 1, 1);
}

SCENARIO(bind_signal_values_missing, .expect = {"VUID-VkBindSparseInfo-pNext-03248"}, SPARSE)
{
    bind_values(b, 1, 0, 1, 1);
}

SCENARIO(bind_timeline_does_not_grow, .expect = {"VUID-VkBindSparseInfo-pSignalSemaphores-03249"},
         SPARSE)
{
    bind_values(b, 1, 1, 1, 0);
}

SCENARIO(bind_wait_too_far, .expect = {"VUID-VkBindSparseInfo-pWaitSemaphores-03250"},
         .features = &timeline, SMALL_DIFFERENCE)
{
    bind_values(b, 1, 1, 102, 1);
}

SCENARIO(bind_signal_too_far, .expect = {"VUID-VkBindSparseInfo-pSignalSemaphores-03251"},
         .features = &timeline, SMALL_DIFFERENCE)
{
    bind_values(b, 1, 1, 1, 101);
}

SCENARIO(bind_in_order, SPARSE)
{
    VkSemaphore semaphore = make_semaphore(b);
    VkFence fence = make_fence(b);
    bind_values(b, 1, 1, 1, 1);
    bind_sparse(b, NULL, &semaphore, NULL, VK_NULL_HANDLE);
    bind_sparse(b, &semaphore, NULL, NULL, fence);
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
}

/* Suspended render pass instances. */
static const VkPhysicalDeviceVulkan13Features rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

static VkCommandBuffer recorded_rendering(struct baseline *b, VkRenderingFlags flags)
{
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .flags = flags,
                            .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}},
                            .layerCount = 1};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    return command_buffer;
}

SCENARIO(suspended_and_not_resumed, .expect = {"VUID-VkSubmitInfo-pCommandBuffers-06014"},
         .features = &rendering)
{
    VkCommandBuffer command_buffer = recorded_rendering(b, VK_RENDERING_SUSPENDING_BIT);
    VkSubmitInfo info = submit_info(&command_buffer);
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(suspended_and_not_resumed2, .expect = {"VUID-VkSubmitInfo2-commandBuffer-06010"},
         .features = &rendering)
{
    VkCommandBufferSubmitInfo command_buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = recorded_rendering(b, VK_RENDERING_SUSPENDING_BIT)};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &command_buffer};
    (void)vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE);
}

SCENARIO(suspended_and_resumed, .features = &rendering)
{
    VkCommandBuffer both[2] = {recorded_rendering(b, VK_RENDERING_SUSPENDING_BIT),
                               recorded_rendering(b, VK_RENDERING_RESUMING_BIT)};
    VkSubmitInfo info = submit_info(both);
    info.commandBufferCount = 2;
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    wait_idle(b);
}
