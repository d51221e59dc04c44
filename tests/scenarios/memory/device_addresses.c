/* Commands that name a buffer by its device address alone. Their command buffer is invalid when
 * that buffer, or its memory, is gone (6.1 "Command Buffer Lifecycle"). The buffer must have memory
 * when they are recorded (3.3.1). */
#include "raytracing/acceleration_structure_builder.h"

static const VkPhysicalDeviceVulkan12Features core12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features core13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&core12,
    .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&core13,
    .deviceAddressCommands = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&core12,
    .accelerationStructure = VK_TRUE};
#define ON \
    .drivers = NULL_DRIVER, .features = &commands, .extensions = {"VK_KHR_device_address_commands"}
#define STRUCTURES           \
    .features = &structures, \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}

#define USAGE                                                                 \
    (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |    \
     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT | \
     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/* Two buffers of 256 bytes with their addresses, and a command buffer. */
struct places {
    struct baseline *b;
    VkCommandBuffer commands;
    VkBuffer buffers[2];
    VkDeviceAddress at[2];
};

static struct places begin_addressed(struct baseline *b)
{
    struct places p = {.b = b, .commands = make_recording(b)};
    for (uint32_t i = 0; i < 2; i++) {
        p.buffers[i] = make_buffer(b, 256, USAGE);
        p.at[i] = address_of(b, p.buffers[i]);
    }
    return p;
}

static void destroy_addressed(const struct places *p, uint32_t i)
{
    FORGET(p->b, p->buffers[i]);
    vkDestroyBuffer(p->b->device, p->buffers[i], NULL);
}

static void end_addressed(const struct places *p)
{
    VK(vkEndCommandBuffer(p->commands));
}

static void submit_addressed(const struct places *p)
{
    VkSubmitInfo info = submit_info(&p->commands);
    if (vkQueueSubmit(p->b->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(p->b->queue));
}

static void submit_addressed2(const struct places *p)
{
    const VkCommandBufferSubmitInfo element = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = p->commands};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &element};
    if (vkQueueSubmit2(p->b->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(p->b->queue));
}

/* --- commands --- */

static void fill_addressed(const struct places *p)
{
    const VkDeviceAddressRangeKHR range = {p->at[0], 64};
    DEVICE_PROC(p->b, vkCmdFillMemoryKHR)(p->commands, &range, 0, 0);
}

static void update_addressed(const struct places *p)
{
    const VkDeviceAddressRangeKHR range = {p->at[0], 16};
    const uint32_t data[4] = {0};
    DEVICE_PROC(p->b, vkCmdUpdateMemoryKHR)(p->commands, &range, 0, sizeof(data), data);
}

static void copy_addressed(const struct places *p)
{
    const VkDeviceMemoryCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                          .srcRange = {p->at[1], 64},
                                          .dstRange = {p->at[0] + 128, 64}};
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 1,
                                            .pRegions = &region};
    DEVICE_PROC(p->b, vkCmdCopyMemoryKHR)(p->commands, &info);
}

static void bind_indices(const struct places *p)
{
    const VkBindIndexBuffer3InfoKHR info = {.sType = VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR,
                                            .addressRange = {p->at[0], 64},
                                            .indexType = VK_INDEX_TYPE_UINT16};
    DEVICE_PROC(p->b, vkCmdBindIndexBuffer3KHR)(p->commands, &info);
}

static void bind_vertices(const struct places *p)
{
    const VkBindVertexBuffer3InfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR, .addressRange = {p->at[0], 64}};
    DEVICE_PROC(p->b, vkCmdBindVertexBuffers3KHR)(p->commands, 0, 1, &info);
}

static void dispatch_addressed(const struct places *p)
{
    const VkDispatchIndirect2InfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
        .addressRange = {p->at[0], sizeof(VkDispatchIndirectCommand)}};
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(p->b);
    VkPipelineLayout layout = make_pipeline_layout(p->b, set_layout);
    VkDescriptorSet set = make_descriptor_set(p->b, make_descriptor_pool(p->b), set_layout);
    vkCmdBindPipeline(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      make_compute_pipeline(p->b, layout));
    const VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(p->b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
        .range = VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &buffer);
    vkUpdateDescriptorSets(p->b->device, 1, &write, 0, NULL);
    vkCmdBindDescriptorSets(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdPushConstants(p->commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &(uint32_t){0});
    DEVICE_PROC(p->b, vkCmdDispatchIndirect2KHR)(p->commands, &info);
}

/* --- invalid command buffers --- */

#define GONE(name_, command_)                                                                 \
    SCENARIO(name_##_gone, ON, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},        \
             .text = {"is invalid: ", "was destroyed"})                                       \
    {                                                                                         \
        const struct places p = begin_addressed(b);                                           \
        command_(&p);                                                                         \
        end_addressed(&p);                                                                    \
        destroy_addressed(&p, 0);                                                             \
        submit_addressed(&p);                                                                 \
    }                                                                                         \
    SCENARIO(name_##_gone2, ON, .expect = {"VUID-vkQueueSubmit2-commandBuffer-03874"})        \
    {                                                                                         \
        const struct places p = begin_addressed(b);                                           \
        command_(&p);                                                                         \
        end_addressed(&p);                                                                    \
        destroy_addressed(&p, 0);                                                             \
        submit_addressed2(&p);                                                                \
    }                                                                                         \
    SCENARIO(name_##_memory_gone, ON, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"}) \
    {                                                                                         \
        const struct places p = begin_addressed(b);                                           \
        VkDeviceMemory memory = buffer_memory(b, p.buffers[0]);                               \
        command_(&p);                                                                         \
        end_addressed(&p);                                                                    \
        FORGET(b, memory);                                                                    \
        vkFreeMemory(b->device, memory, NULL);                                                \
        submit_addressed(&p);                                                                 \
    }                                                                                         \
    SCENARIO(name_##_done, ON)                                                                \
    {                                                                                         \
        const struct places p = begin_addressed(b);                                           \
        command_(&p);                                                                         \
        end_addressed(&p);                                                                    \
        submit_addressed(&p);                                                                 \
        destroy_addressed(&p, 0);                                                             \
    }

GONE(fill, fill_addressed)
GONE(update, update_addressed)
GONE(copy, copy_addressed)
GONE(indices, bind_indices)
GONE(vertices, bind_vertices)

SCENARIO(copy_source_gone, ON, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"})
{
    const struct places p = begin_addressed(b);
    copy_addressed(&p);
    end_addressed(&p);
    destroy_addressed(&p, 1);
    submit_addressed(&p);
}
SCENARIO(other_buffer_gone, ON)
{
    const struct places p = begin_addressed(b);
    fill_addressed(&p);
    end_addressed(&p);
    destroy_addressed(&p, 1);
    submit_addressed(&p);
}
SCENARIO(dispatch_gone, ON, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is invalid: "})
{
    const struct places p = begin_addressed(b);
    dispatch_addressed(&p);
    end_addressed(&p);
    destroy_addressed(&p, 0);
    submit_addressed(&p);
}
SCENARIO(secondary_gone, ON, .expect = {"VUID-vkCmdExecuteCommands-pCommandBuffers-00089"})
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inheritance};
    struct places p = begin_addressed(b);
    VkCommandBuffer primary = p.commands;
    p.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(p.commands, &info));
    fill_addressed(&p);
    VK(vkEndCommandBuffer(p.commands));
    destroy_addressed(&p, 0);
    vkCmdExecuteCommands(primary, 1, &p.commands);
}
/* A range of no bytes accesses nothing. A barrier for a range of memory does not, either. */
SCENARIO(not_accessed_gone, ON)
{
    const struct places p = begin_addressed(b);
    const VkMemoryRangeBarrierKHR barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
                                             .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .addressRange = {p.at[0], 64}};
    const VkMemoryRangeBarriersInfoKHR ranges = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &barrier};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &ranges};
    vkCmdPipelineBarrier2(p.commands, &info);
    end_addressed(&p);
    destroy_addressed(&p, 0);
    submit_addressed(&p);
}

/* --- builds --- */

#define BUILDING(name_, when_, ...)                                \
    SCENARIO(name_, STRUCTURES, ##__VA_ARGS__)                     \
    {                                                              \
        struct structure_build build;                              \
        fill_triangles(b, &build);                                 \
        struct places p = {.b = b, .commands = make_recording(b)}; \
        p.buffers[0] = build.input;                                \
        record_build(b, p.commands, &build);                       \
        end_addressed(&p);                                         \
        when_;                                                     \
    }
BUILDING(build_input_gone, (destroy_addressed(&p, 0), submit_addressed(&p)),
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"}, .text = {"is invalid: "})
BUILDING(build_input_gone_afterwards, (submit_addressed(&p), destroy_addressed(&p, 0)))

/* Memory of two buffers: the address is one of either. */
SCENARIO(build_input_of_two_buffers, STRUCTURES)
{
    struct structure_build build;
    fill_triangles(b, &build);
    struct places p = {.b = b, .commands = make_recording(b)};
    const VkBufferCreateInfo info =
        buffer_info(4096, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkBuffer other = create_buffer(b, &info);
    VK(vkBindBufferMemory(b->device, other, buffer_memory(b, build.input), 0));
    if (address_of(b, other) != build.input_address) {
        scenario_skip("the driver gives buffers of the same memory other addresses");
        return;
    }
    record_build(b, p.commands, &build);
    p.buffers[0] = build.input;
    end_addressed(&p);
    destroy_addressed(&p, 0);
    submit_addressed(&p);
}
/* The build reads nothing of a geometry without primitives. */
SCENARIO(build_without_primitives_input_gone, STRUCTURES)
{
    struct structure_build build;
    fill_triangles(b, &build);
    struct places p = {.b = b, .commands = make_recording(b), .buffers = {build.input}};
    build.ranges[0].primitiveCount = 0;
    record_build(b, p.commands, &build);
    end_addressed(&p);
    destroy_addressed(&p, 0);
    submit_addressed(&p);
}

/* --- memory when the command is recorded --- */

#define FREED(name_, command_)                                                                     \
    SCENARIO(name_##_without_memory, ON, .expect = {"VUID-VkDeviceAddress-None-10894"},            \
             .text = {"address is 0x", ", which is not bound to memory any more: that was freed"}) \
    {                                                                                              \
        const struct places p = begin_addressed(b);                                                \
        VkDeviceMemory memory = buffer_memory(b, p.buffers[0]);                                    \
        FORGET(b, memory);                                                                         \
        vkFreeMemory(b->device, memory, NULL);                                                     \
        command_(&p);                                                                              \
    }
FREED(fill, fill_addressed)
FREED(update, update_addressed)
FREED(copy, copy_addressed)
FREED(indices, bind_indices)
FREED(vertices, bind_vertices)
FREED(dispatch, dispatch_addressed)

SCENARIO(build_input_without_memory, STRUCTURES, .expect = {"VUID-VkDeviceAddress-None-10894"},
         .text = {"vertexData is 0x", "any more: that was freed"})
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkDeviceMemory memory = buffer_memory(b, build.input);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    record_build(b, make_recording(b), &build);
}
SCENARIO(build_without_primitives_without_memory, STRUCTURES)
{
    struct structure_build build;
    fill_triangles(b, &build);
    VkDeviceMemory memory = buffer_memory(b, build.input);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    build.ranges[0].primitiveCount = 0;
    record_build(b, make_recording(b), &build);
}
