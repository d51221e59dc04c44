/* Device groups, of one device or several: masks and indices where commands and structures take
 * them, memory of peers, and dispatches that begin elsewhere. */
#include "valid.h"

static VkDeviceMemory masked_memory(struct world *w, VkMemoryRequirements needs, bool all)
{
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                       .deviceMask =
                                           all ? (1u << w->device_count) - 1 : any_devices(w)};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &flags,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    MUST(AllocateMemory, w->device, &info, NULL, &memory);
    own(w, destroy_memory, U64(memory), 0);
    return memory;
}

/* For each device, whose instance of the memory it is bound to. */
static const uint32_t *any_indices(struct world *w)
{
    uint32_t *indices = NEW_ARRAY(uint32_t, VK_MAX_DEVICE_GROUP_SIZE);
    for (uint32_t i = 0; i < w->device_count; i++)
        indices[i] = below(w, w->device_count);
    return indices;
}

static VkBuffer bind_group_buffer(struct world *w)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = 256,
                               .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               .pQueueFamilyIndices = IGNORED};
    VkBuffer buffer = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &info, NULL, &buffer);
    OWN(Buffer, buffer);
    VkMemoryRequirements needs;
    CALL(GetBufferMemoryRequirements, w->device, buffer, &needs);
    bool given = chance(w, 60);
    VkBindBufferMemoryDeviceGroupInfo group = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_DEVICE_GROUP_INFO,
        .deviceIndexCount = given ? w->device_count : 0,
        .pDeviceIndices = given ? any_indices(w) : IGNORED};
    VkBindBufferMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                   .pNext = &group,
                                   .buffer = buffer,
                                   .memory = masked_memory(w, needs, given)};
    MUST(BindBufferMemory2, w->device, 1, &bind);
    return buffer;
}

static struct image *bind_group_image(struct world *w)
{
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.pQueueFamilyIndices = IGNORED;
    if (!image_supported(w, &info))
        return NULL;
    struct image *image = NEW(struct image, .info = info, .format = format_of(info.format));
    MUST(CreateImage, w->device, &info, NULL, &image->handle);
    OWN(Image, image->handle);
    VkMemoryRequirements needs;
    CALL(GetImageMemoryRequirements, w->device, image->handle, &needs);
    bool given = chance(w, 60);
    VkBindImageMemoryDeviceGroupInfo group = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_DEVICE_GROUP_INFO,
        .deviceIndexCount = given ? w->device_count : 0,
        .pDeviceIndices = given ? any_indices(w) : IGNORED,
        .pSplitInstanceBindRegions = IGNORED};
    VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                  .pNext = &group,
                                  .image = image->handle,
                                  .memory = masked_memory(w, needs, given)};
    MUST(BindImageMemory2, w->device, 1, &bind);
    return image;
}

static VkPipeline based_pipeline(struct world *w, bool based)
{
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pSetLayouts = IGNORED,
                                              .pPushConstantRanges = IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &layout_info, NULL, &layout);
    OWN(PipelineLayout, layout);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = based ? VK_PIPELINE_CREATE_DISPATCH_BASE_BIT : 0,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_empty_comp),
                  .pName = "main"},
        .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    return pipeline;
}

static void dispatch_from(struct record *rec)
{
    struct world *w = rec->w;
    const uint32_t *most = w->properties.limits.maxComputeWorkGroupCount;
    bool based = chance(w, 60);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, based_pipeline(w, based));
    uint32_t x = based ? PICK(0u, 1u, most[0] - 1) : 0, y = based ? PICK(0u, most[1] - 1) : 0;
    CALL(CmdDispatchBase, rec->c, x, y, 0, w->software ? 1 : PICK(0u, 1u, most[0] - x),
         PICK(0u, 1u), 1);
}

static void ask_peers(struct world *w)
{
    VkPeerMemoryFeatureFlags features;
    uint32_t local = below(w, w->device_count);
    if (GROUPED)
        CALL(GetDeviceGroupPeerMemoryFeatures, w->device, below(w, w->memory.memoryHeapCount),
             local, (local + 1) % w->device_count, &features);
}

static void submit_group(struct world *w, const struct queue *queue, VkCommandBuffer c,
                         uint32_t mask)
{
    const uint32_t masks[1] = {mask}, indices[1] = {below(w, w->device_count)};
    VkSemaphore semaphore = make_semaphore(w, false);
    VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                     .pWaitSemaphoreDeviceIndices = IGNORED,
                                     .commandBufferCount = 1,
                                     .pCommandBufferDeviceMasks = masks,
                                     .signalSemaphoreCount = 1,
                                     .pSignalSemaphoreDeviceIndices = indices};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &group,
                         .pWaitSemaphores = IGNORED,
                         .pWaitDstStageMask = IGNORED,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &c,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &semaphore};
    MUST(QueueSubmit, queue->handle, 1, &info, VK_NULL_HANDLE);
    w->idle = false;
}

void step_groups(struct world *w)
{
    if (!VERSION(11))
        return;
    const struct queue *queue = any_queue(w, VK_QUEUE_COMPUTE_BIT);
    VkCommandBuffer c = make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkDeviceGroupCommandBufferBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO,
        .deviceMask = any_devices(w)};
    uint32_t mask = (1u << w->device_count) - 1;
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pNext = chance(w, 70) ? &group : NULL,
                                      .pInheritanceInfo = IGNORED};
    struct record *rec =
        NEW(struct record, .w = w, .c = c, .queue = queue, .unknown = !w->idle, .once = true);
    VkBuffer buffer = bind_group_buffer(w);
    struct image *image = bind_group_image(w);
    if (begin.pNext)
        mask = group.deviceMask;
    ask_peers(w);
    MUST(BeginCommandBuffer, c, &begin);
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        uint32_t some = mask & any_devices(w);
        if (chance(w, 50))
            CALL(CmdSetDeviceMask, c, some ? some : mask);
        if (chance(w, 50)) {
            dispatch_from(rec);
        } else if (image && chance(w, 50)) {
            needs_layout(rec, image, VK_IMAGE_LAYOUT_GENERAL);
            ready(rec, USE(CLEAR));
            VkClearColorValue value = {{0}};
            VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
            CALL(CmdClearColorImage, c, image->handle, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
        } else {
            ready(rec, USE(CLEAR));
            CALL(CmdFillBuffer, c, buffer, 0, VK_WHOLE_SIZE, 1);
        }
    }
    if (rec->transition_count)
        ready(rec, USE(ALL));
    MUST(EndCommandBuffer, c);
    submit_group(w, queue, c, mask);
}
