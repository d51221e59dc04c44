/* Tries shaders' aborts on this machine's GPU: a million invocations at once, two queues,
 * invocations that wait for one that gave up, work after it. Prints a line for each; exit 1 where
 * one of them does not work, 77 where no device has the extension.
 *
 *   try_abort [--elements N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abort_device.h"

#include "try_abort_every.h"
#include "try_abort_waits.h"

#define GROUP 128

static bool failed;

static double try_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static VkCommandBuffer record_try(const uint32_t *code, size_t size, uint32_t groups)
{
    const VkPipeline pipeline = pipeline_create(code, size);
    VkCommandBuffer commands = commands_begin();
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, the.layout, 0, 1, &the.set, 0,
                            NULL);
    vkCmdPushConstants(commands, the.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(the.elements),
                       &the.elements);
    vkCmdDispatch(commands, groups, 1, 1);
    device_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

static void device_begin(void)
{
    device_create();
    buffers_create();
    layouts_create();
}

/* How many messages there are, and whether each is whole; the text of the first. */
static uint64_t count_messages(const char **first)
{
    static unsigned char *data;
    PFN_vkGetDeviceFaultDebugInfoKHR get =
        (PFN_vkGetDeviceFaultDebugInfoKHR)vkGetDeviceProcAddr(the.device,
                                                              "vkGetDeviceFaultDebugInfoKHR");
    VkDeviceFaultShaderAbortMessageInfoKHR messages = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = &messages};
    device_must(get(the.device, &info), "vkGetDeviceFaultDebugInfoKHR");
    free(data);
    messages.pMessageData = data = malloc(messages.messageDataSize + 1);
    if (!data)
        device_must(VK_ERROR_OUT_OF_HOST_MEMORY, "malloc");
    device_must(get(the.device, &info), "vkGetDeviceFaultDebugInfoKHR");
    uint64_t at = 0, length, count = 0;
    *first = (const char *)data + sizeof(length);
    while (at < messages.messageDataSize) {
        memcpy(&length, data + at, sizeof(length));
        if (length > messages.messageDataSize - at - sizeof(length) ||
            strcmp((char *)data + at + sizeof(length), *first))
            return 0; /* not whole, or not what the shader says */
        at = (at + sizeof(length) + length + 7) & ~UINT64_C(7);
        count++;
    }
    return count;
}

/* Submits to both queues where `second` is given, and waits for the device. */
static void attempt_abort(const char *what, VkCommandBuffer first, VkCommandBuffer second,
                          VkSemaphore awaited)
{
    const VkSubmitInfo one = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &first};
    const uint64_t value = 5;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo two = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = awaited ? &values : NULL,
                              .waitSemaphoreCount = awaited ? 1 : 0,
                              .pWaitSemaphores = &awaited,
                              .pWaitDstStageMask = &stage,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &second};
    const double begin = try_seconds();
    VkResult result = vkQueueSubmit(the.queue, 1, &one, VK_NULL_HANDLE);
    if (result == VK_SUCCESS && second)
        result = vkQueueSubmit(awaited ? the.queue : the.second, 1, &two, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = vkDeviceWaitIdle(the.device);
    const double took = try_seconds() - begin;
    const char *text = "";
    const uint64_t count = result == VK_ERROR_DEVICE_LOST ? count_messages(&text) : 0;
    printf("%s: %s after %.3f s, %llu whole messages (\"%s\")\n", what,
           result == VK_ERROR_DEVICE_LOST ? "the device is lost" : "the device is NOT lost", took,
           (unsigned long long)count, text);
    fflush(stdout);
    failed |= result != VK_ERROR_DEVICE_LOST || !count;
    vkDestroyDevice(the.device, NULL); /* with all that is in it */
}

int main(int count, char **arguments)
{
    the.elements = 1 << 20;
    if (count == 3 && !strcmp(arguments[1], "--elements"))
        the.elements = (uint32_t)strtoul(arguments[2], NULL, 10) / GROUP * GROUP;
    if (the.elements < GROUP) {
        fprintf(stderr, "usage: try_abort [--elements N]; N from %u\n", GROUP);
        return 1;
    }
    if (!instance_create()) {
        fprintf(stderr, "try_abort: neither the driver nor a layer has VK_KHR_shader_abort\n");
        return 77;
    }
    const uint32_t groups = the.elements / GROUP;
    device_begin();
    attempt_abort("every invocation aborts",
                  record_try(try_abort_every, sizeof(try_abort_every), groups), NULL,
                  VK_NULL_HANDLE);
    device_begin();
    VkCommandBuffer first = record_try(try_abort_every, sizeof(try_abort_every), groups);
    attempt_abort("two queues abort", first,
                  record_try(try_abort_every, sizeof(try_abort_every), groups), VK_NULL_HANDLE);
    device_begin();
    attempt_abort("others wait for one that aborts",
                  record_try(try_abort_waits, sizeof(try_abort_waits), 4), NULL, VK_NULL_HANDLE);
    device_begin();
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    device_must(vkCreateSemaphore(the.device, &info, NULL, &semaphore), "vkCreateSemaphore");
    first = record_try(try_abort_every, sizeof(try_abort_every), 1);
    attempt_abort("work after it awaits what will not come", first,
                  record_try(try_abort_every, sizeof(try_abort_every), 1), semaphore);
    vkDestroyInstance(the.instance, NULL);
    return failed;
}
