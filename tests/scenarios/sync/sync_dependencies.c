/* A binary semaphore may be waited for when its signal has been submitted, "and any semaphore
 * signal operations on which it depends must have also been submitted": here those of timeline
 * semaphores (7.4). */
#include "scenario.h"

static const VkPhysicalDeviceVulkan12Features timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&timeline,
    .synchronization2 = VK_TRUE};

enum how { SUBMIT_1, SUBMIT_2, BIND_SPARSE };

/* A semaphore and its value, of a timeline; VK_NULL_HANDLE: none. */
struct part {
    VkSemaphore semaphore;
    uint64_t value;
};

static VkSemaphoreSubmitInfo make_info2(struct part part)
{
    return (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                   .semaphore = part.semaphore,
                                   .value = part.value,
                                   .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
}

static VkResult make_batch(VkQueue queue, enum how how, struct part wait, struct part signal)
{
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint32_t waits = wait.semaphore ? 1 : 0, signals = signal.semaphore ? 1 : 0;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = waits,
        .pWaitSemaphoreValues = &wait.value,
        .signalSemaphoreValueCount = signals,
        .pSignalSemaphoreValues = &signal.value};
    const VkSemaphoreSubmitInfo wait2 = make_info2(wait), signal2 = make_info2(signal);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = &values,
                                 .waitSemaphoreCount = waits,
                                 .pWaitSemaphores = &wait.semaphore,
                                 .pWaitDstStageMask = &all,
                                 .signalSemaphoreCount = signals,
                                 .pSignalSemaphores = &signal.semaphore};
    const VkSubmitInfo2 submit2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                   .waitSemaphoreInfoCount = waits,
                                   .pWaitSemaphoreInfos = &wait2,
                                   .signalSemaphoreInfoCount = signals,
                                   .pSignalSemaphoreInfos = &signal2};
    const VkBindSparseInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .pNext = &values,
                                   .waitSemaphoreCount = waits,
                                   .pWaitSemaphores = &wait.semaphore,
                                   .signalSemaphoreCount = signals,
                                   .pSignalSemaphores = &signal.semaphore};
    return how == SUBMIT_1   ? vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE)
           : how == SUBMIT_2 ? vkQueueSubmit2(queue, 1, &submit2, VK_NULL_HANDLE)
                             : vkQueueBindSparse(queue, 1, &bind, VK_NULL_HANDLE);
}

static void signal_by_host(struct baseline *b, VkSemaphore semaphore, uint64_t value)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    VK(vkSignalSemaphore(b->device, &info));
}

/* A batch waits for value 1 and signals a binary semaphore. Another one waits for that before
 * anything signals value 1. */
static void wait_too_early(struct baseline *b, enum how first, enum how second)
{
    const struct part gate = {make_timeline_semaphore(b, 0), 1}, binary = {make_semaphore(b), 0},
                      none = {VK_NULL_HANDLE, 0};
    VK(make_batch(b->queue, first, gate, binary));
    (void)make_batch(b->queue, second, binary, none);
    signal_by_host(b, gate.semaphore, 1);
    VK(vkDeviceWaitIdle(b->device));
}
SCENARIO(wait_before_the_host_signals, .features = &timeline,
         .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-03238"},
         .text = {"pWaitSemaphores[0] is signaled by a batch that waits for value 1 of VkSemaphore "
                  "0x",
                  ", which nothing that was submitted signals"})
{
    wait_too_early(b, SUBMIT_1, SUBMIT_1);
}
SCENARIO(wait2_before_the_host_signals, .features = &features13,
         .expect = {"VUID-vkQueueSubmit2-semaphore-03873"})
{
    wait_too_early(b, SUBMIT_2, SUBMIT_2);
}
SCENARIO(bind_before_the_host_signals, .features = &timeline, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkQueueBindSparse-pWaitSemaphores-03245"})
{
    wait_too_early(b, SUBMIT_1, BIND_SPARSE);
}
SCENARIO(wait_for_a_bind_before_the_host_signals, .features = &timeline, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-03238"})
{
    wait_too_early(b, BIND_SPARSE, SUBMIT_1);
}

/* In one call: the signal of value 1 comes before the batches, or it does not. */
static void wait_in_one_call(struct baseline *b, bool signals)
{
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint64_t value = 1;
    VkSemaphore gate = make_timeline_semaphore(b, 0), binary = make_semaphore(b);
    const VkTimelineSemaphoreSubmitInfo
        values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                  .signalSemaphoreValueCount = 1,
                  .pSignalSemaphoreValues = &value},
        waited = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                  .waitSemaphoreValueCount = 1,
                  .pWaitSemaphoreValues = &value};
    const VkSubmitInfo list[3] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &values,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &gate},
                                  {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &waited,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &gate,
                                   .pWaitDstStageMask = &all,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &binary},
                                  {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &binary,
                                   .pWaitDstStageMask = &all}};
    (void)vkQueueSubmit(b->queue, signals ? 3 : 2, signals ? list : &list[1], VK_NULL_HANDLE);
    if (!signals)
        signal_by_host(b, gate, 1);
    VK(vkDeviceWaitIdle(b->device));
}
SCENARIO(wait_in_one_call_before_the_host_signals, .features = &timeline,
         .expect = {"VUID-vkQueueSubmit-pWaitSemaphores-03238"},
         .text = {"pSubmits[1].pWaitSemaphores[0] is signaled by a batch"})
{
    wait_in_one_call(b, false);
}
SCENARIO(wait_in_one_call_after_the_signal, .features = &timeline)
{
    wait_in_one_call(b, true);
}
/* A driver signals the semaphore of vkLatencySleepNV by itself, when the frame is to begin. The
 * null driver does not, so that a greater value of the host ends the wait. */
static const VkPhysicalDevicePresentIdFeaturesKHR ids = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&timeline,
    .presentId = VK_TRUE};
SCENARIO(wait_for_a_frame_to_begin, .features = &ids, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_low_latency2", "VK_KHR_swapchain", "VK_KHR_present_id"},
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"})
{
    const VkSwapchainLatencyCreateInfoNV latency = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_LATENCY_CREATE_INFO_NV, .latencyModeEnable = VK_TRUE};
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    info.pNext = &latency;
    VkSwapchainKHR swapchain = create_swapchain(b, &info);
    const struct part begin = {make_timeline_semaphore(b, 0), 1}, binary = {make_semaphore(b), 0},
                      none = {VK_NULL_HANDLE, 0};
    const VkLatencySleepModeInfoNV mode = {.sType = VK_STRUCTURE_TYPE_LATENCY_SLEEP_MODE_INFO_NV,
                                           .lowLatencyMode = VK_TRUE};
    const VkLatencySleepInfoNV sleep = {.sType = VK_STRUCTURE_TYPE_LATENCY_SLEEP_INFO_NV,
                                        .signalSemaphore = begin.semaphore,
                                        .value = begin.value};
    VK(DEVICE_PROC(b, vkSetLatencySleepModeNV)(b->device, swapchain, &mode));
    VK(DEVICE_PROC(b, vkLatencySleepNV)(b->device, swapchain, &sleep));
    VK(make_batch(b->queue, SUBMIT_1, begin, binary));
    VK(make_batch(b->queue, SUBMIT_1, binary, none));
    signal_by_host(b, begin.semaphore, begin.value + 1);
    VK(vkQueueWaitIdle(b->queue));
}

/* The host signals between the two, or has signaled a greater value. */
SCENARIO(wait_when_the_host_has_signaled, .features = &timeline)
{
    const struct part gate = {make_timeline_semaphore(b, 0), 1}, binary = {make_semaphore(b), 0},
                      none = {VK_NULL_HANDLE, 0};
    for (uint32_t i = 0; i < 4; i++) {
        VK(make_batch(b->queue, SUBMIT_1, (struct part){gate.semaphore, i * 2 + 1}, binary));
        signal_by_host(b, gate.semaphore, i * 2 + 2);
        VK(make_batch(b->queue, SUBMIT_1, binary, none));
    }
    VK(vkDeviceWaitIdle(b->device));
}
/* Another queue's signal is submitted between the two. It may wait itself for what is submitted,
 * too. */
SCENARIO(wait_when_another_queue_will_signal, .features = &timeline, .drivers = NULL_DRIVER)
{
    const struct part gate = {make_timeline_semaphore(b, 0), 1},
                      farther = {make_timeline_semaphore(b, 0), 5}, binary = {make_semaphore(b), 0},
                      none = {VK_NULL_HANDLE, 0};
    VkQueue other, third;
    vkGetDeviceQueue(b->device, 1, 0, &other);
    vkGetDeviceQueue(b->device, 2, 0, &third);
    VK(make_batch(b->queue, SUBMIT_1, gate, binary));
    VK(make_batch(other, SUBMIT_1, farther, gate));
    VK(make_batch(third, SUBMIT_1, none, farther));
    VK(make_batch(b->queue, SUBMIT_1, binary, none));
    VK(vkDeviceWaitIdle(b->device));
}
/* A wait for a timeline semaphore may come before its signal, and so may what depends on that. */
SCENARIO(timelines_before_the_host_signals, .features = &timeline)
{
    const struct part gate = {make_timeline_semaphore(b, 0), 1},
                      next = {make_timeline_semaphore(b, 0), 1}, none = {VK_NULL_HANDLE, 0};
    VK(make_batch(b->queue, SUBMIT_1, gate, next));
    VK(make_batch(b->queue, SUBMIT_1, next, none));
    signal_by_host(b, gate.semaphore, 1);
    VK(vkDeviceWaitIdle(b->device));
}
