/* Device masks of command buffers (6.11), in a group of two physical devices. */
#include "scenario.h"

struct group {
    VkDevice device;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkEvent event;
};

/* A command buffer that is recorded, with the initial mask; 0: the structure is left out. */
static struct group begin_group(struct baseline *b, uint32_t initial)
{
    struct group group;
    VkPhysicalDevice devices[2];
    uint32_t two = 2;
    VK(vkEnumeratePhysicalDevices(b->instance, &two, devices));
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE,
        .synchronization2 = VK_TRUE};
    const VkDeviceGroupDeviceCreateInfo members = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
        .pNext = &features,
        .physicalDeviceCount = 2,
        .pPhysicalDevices = devices};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &members,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VK(vkCreateDevice(devices[0], &info, NULL, &group.device));
    VK(vkCreateCommandPool(group.device, &pool_info, NULL, &group.pool));
    VK(vkCreateEvent(group.device, &event_info, NULL, &group.event));
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = group.pool,
        .commandBufferCount = 1};
    const VkDeviceGroupCommandBufferBeginInfo mask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO, .deviceMask = initial};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pNext = initial ? &mask : NULL};
    VK(vkAllocateCommandBuffers(group.device, &allocate, &group.commands));
    VK(vkBeginCommandBuffer(group.commands, &begin));
    return group;
}

static void end_group(const struct group *group)
{
    vkDestroyEvent(group->device, group->event, NULL);
    vkDestroyCommandPool(group->device, group->pool, NULL);
    vkDestroyDevice(group->device, NULL);
}

#define GROUP                                        \
    .start = START_INSTANCE, .drivers = NULL_DRIVER, \
    .null_driver = "{\"physicalDevices\": 2, \"deviceGroup\": true}"
#define MASKED(name_, initial_, action_, ...)                \
    SCENARIO(name_, GROUP, ##__VA_ARGS__)                    \
    {                                                        \
        const struct group group = begin_group(b, initial_); \
        const VkCommandBuffer c = group.commands;            \
        (void)c;                                             \
        action_;                                             \
        end_group(&group);                                   \
    }

/* --- what the mask may be --- */

MASKED(mask_of_both, 0, vkCmdSetDeviceMask(c, 3))
MASKED(mask_of_the_second, 3, vkCmdSetDeviceMask(c, 2))
MASKED(mask_beyond_the_initial_one, 1, vkCmdSetDeviceMask(c, 2),
       .expect = {"VUID-vkCmdSetDeviceMask-deviceMask-00110"},
       .text = {"deviceMask is 2, not within the initial device mask of the command buffer"})

/* --- in a render pass instance --- */

static void set_in_instance(const struct group *group, uint32_t instance, uint32_t mask)
{
    const VkDeviceGroupRenderPassBeginInfo masked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, .deviceMask = instance};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .pNext = instance ? &masked : NULL,
                                  .renderArea = {.extent = {1, 1}},
                                  .layerCount = 1};
    vkCmdBeginRendering(group->commands, &info);
    vkCmdSetDeviceMask(group->commands, mask);
    vkCmdEndRendering(group->commands);
}
MASKED(mask_in_an_instance_of_one, 0, set_in_instance(&group, 2, 2))
MASKED(mask_in_an_instance_of_all, 0, set_in_instance(&group, 0, 1))
MASKED(mask_beyond_that_of_the_instance, 0, set_in_instance(&group, 2, 1),
       .expect = {"VUID-vkCmdSetDeviceMask-deviceMask-00111"},
       .text = {
           "deviceMask is 0x1, but the render pass instance was begun with the deviceMask 0x2"})

static void begin_masked_instance(const struct group *group, uint32_t mask)
{
    const VkDeviceGroupRenderPassBeginInfo masked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, .deviceMask = mask};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .pNext = &masked,
                                  .renderArea = {.extent = {1, 1}},
                                  .layerCount = 1};
    vkCmdBeginRendering(group->commands, &info);
}
MASKED(instance_within_the_initial_mask, 2, begin_masked_instance(&group, 2))
/* A mask that is set in between does not count. */
MASKED(instance_within_the_initial_mask_alone, 3, vkCmdSetDeviceMask(group.commands, 1);
       begin_masked_instance(&group, 2))
MASKED(instance_beyond_the_initial_mask, 2, begin_masked_instance(&group, 1),
       .expect = {"VUID-VkDeviceGroupRenderPassBeginInfo-deviceMask-00907"},
       .text = {"deviceMask is 0x1, but the command buffer was begun with the device mask 0x2"})

/* --- events are of one device --- */

static void set_event2(const struct group *group)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdSetEvent2(group->commands, group->event, &info);
}

static void wait_event2(const struct group *group)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdWaitEvents2(group->commands, 1, &group->event, &info);
}

static void wait_event(const struct group *group)
{
    vkCmdWaitEvents(group->commands, 1, &group->event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
}

MASKED(set_event_on_both, 0, vkCmdSetEvent(c, group.event, VK_PIPELINE_STAGE_TRANSFER_BIT),
       .expect = {"VUID-vkCmdSetEvent-commandBuffer-01152"},
       .text = {"the current device mask of the command buffer is 3, not a power of two"})
MASKED(set_event2_on_both, 0, set_event2(&group),
       .expect = {"VUID-vkCmdSetEvent2-commandBuffer-03826"})
MASKED(reset_event_on_both, 0, vkCmdResetEvent(c, group.event, VK_PIPELINE_STAGE_TRANSFER_BIT),
       .expect = {"VUID-vkCmdResetEvent-commandBuffer-01157"})
MASKED(reset_event2_on_both, 0, vkCmdResetEvent2(c, group.event, VK_PIPELINE_STAGE_2_COPY_BIT),
       .expect = {"VUID-vkCmdResetEvent2-commandBuffer-03833"})
MASKED(wait_event_on_both, 0, wait_event(&group),
       .expect = {"VUID-vkCmdWaitEvents-commandBuffer-01167"})
MASKED(wait_event2_on_both, 0, wait_event2(&group),
       .expect = {"VUID-vkCmdWaitEvents2-commandBuffer-03846"})

SCENARIO(events_of_one_device, GROUP)
{
    const struct group group = begin_group(b, 0);
    vkCmdSetDeviceMask(group.commands, 2);
    vkCmdSetEvent(group.commands, group.event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    wait_event(&group);
    vkCmdResetEvent(group.commands, group.event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    end_group(&group);
}

SCENARIO(events2_of_one_device, GROUP)
{
    const struct group group = begin_group(b, 1);
    set_event2(&group);
    wait_event2(&group);
    vkCmdResetEvent2(group.commands, group.event, VK_PIPELINE_STAGE_2_COPY_BIT);
    end_group(&group);
}

/* --- submits --- */

static void submit_masks(const struct group *group, uint32_t mask, uint32_t wait_index)
{
    const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkDeviceGroupSubmitInfo masks = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                           .commandBufferCount = 1,
                                           .pCommandBufferDeviceMasks = &mask,
                                           .signalSemaphoreCount = 1,
                                           .pSignalSemaphoreDeviceIndices = &wait_index};
    VkQueue queue;
    VkSemaphore semaphore;
    vkGetDeviceQueue(group->device, 0, 0, &queue);
    VK(vkCreateSemaphore(group->device, &semaphore_info, NULL, &semaphore));
    VK(vkEndCommandBuffer(group->commands));
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &masks,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &group->commands,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &semaphore};
    VK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(group->device));
    vkDestroySemaphore(group->device, semaphore, NULL);
}

MASKED(submit_to_the_second_device, 0, submit_masks(&group, 2, 1))
MASKED(submit_to_no_device_of_the_group, 0, submit_masks(&group, 4, 1), .proceed = true,
       .expect = {"VUID-VkDeviceGroupSubmitInfo-pCommandBufferDeviceMasks-00086"})
MASKED(signal_on_no_device_of_the_group, 0, submit_masks(&group, 2, 2), .proceed = true,
       .expect = {"VUID-VkDeviceGroupSubmitInfo-pWaitSemaphoreDeviceIndices-00085"},
       .text = {"pSignalSemaphoreDeviceIndices[0] is 2, but the device has 2 physical devices"})
