/* Command buffers: how they begin, what orders their commands, how they get to a queue, and how
 * they are waited for. */
#include "valid.h"

uint32_t any_devices(struct world *w)
{
    return between(w, 1, (1u << w->device_count) - 1);
}

const struct queue *any_queue(struct world *w, VkQueueFlags flags)
{
    for (unsigned i = 0; i < 16; i++) {
        const struct queue *queue = &w->queues[below(w, w->queue_count)];
        VkQueueFlags has = queue->flags;
        if (has & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT))
            has |= VK_QUEUE_TRANSFER_BIT;
        if ((has & flags) == flags)
            return queue;
    }
    return &w->queues[0];
}

VkCommandBuffer make_command_buffer(struct world *w, const struct queue *queue,
                                    VkCommandBufferLevel level)
{
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = PICK(0, VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                                  VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT),
                                    .queueFamilyIndex = queue->family};
    VkCommandPool pool = VK_NULL_HANDLE;
    MUST(CreateCommandPool, w->device, &info, NULL, &pool);
    OWN(CommandPool, pool);
    VkCommandBuffer buffers[3] = {VK_NULL_HANDLE};
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = level,
                                            .commandBufferCount = between(w, 1, 3)};
    MUST(AllocateCommandBuffers, w->device, &allocate, buffers);
    if (allocate.commandBufferCount > 1 && chance(w, 50)) {
        VkCommandBuffer freed[] = {VK_NULL_HANDLE, buffers[1]};
        CALL(FreeCommandBuffers, w->device, pool, 2, freed);
    }
    if (chance(w, 10)) { /* an empty recording, thrown away */
        VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = IGNORED};
        VkCommandBufferInheritanceInfo inheritance = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
        if (level == VK_COMMAND_BUFFER_LEVEL_SECONDARY)
            begin.pInheritanceInfo = &inheritance;
        MUST(BeginCommandBuffer, buffers[0], &begin);
        if (chance(w, 50))
            MUST(EndCommandBuffer, buffers[0]);
        if (!(info.flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT))
            MUST(ResetCommandPool, w->device, pool,
                 PICK(0, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT));
        else if (chance(w, 50))
            MUST(ResetCommandBuffer, buffers[0], 0);
    }
    return buffers[0];
}

struct record *record_begin(struct world *w, const struct queue *queue)
{
    struct record *rec = NEW(struct record, .w = w, .queue = queue, .unknown = !w->idle);
    rec->c = make_command_buffer(w, queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    rec->flags = PICK(0, 0, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                      VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = rec->flags,
                                     .pInheritanceInfo = IGNORED};
    if (w->once_at_a_time)
        info.flags = rec->flags &=
            ~(VkCommandBufferUsageFlags)VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    if (queue->flags & VK_QUEUE_GRAPHICS_BIT && chance(w, 10)) /* no meaning in a primary */
        info.flags |= VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    VkDeviceGroupCommandBufferBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO,
        .deviceMask = any_devices(w) | 1};
    if (GROUPED && chance(w, 50))
        info.pNext = &group;
    MUST(BeginCommandBuffer, rec->c, &info);
    return rec;
}

/* --- what orders commands --- */

static const struct {
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
    VkPipelineStageFlags2 stages2;
    VkAccessFlags2 accesses2;
} uses_of[USE_COUNT] = {
#define T VK_PIPELINE_STAGE_TRANSFER_BIT
    [USE_COPY_READ] = {T, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                       VK_ACCESS_2_TRANSFER_READ_BIT},
    [USE_COPY_WRITE] = {T, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                        VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_BLIT_READ] = {T, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_2_BLIT_BIT,
                       VK_ACCESS_2_TRANSFER_READ_BIT},
    [USE_BLIT_WRITE] = {T, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_BLIT_BIT,
                        VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_RESOLVE_READ] = {T, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_2_RESOLVE_BIT,
                          VK_ACCESS_2_TRANSFER_READ_BIT},
    [USE_RESOLVE_WRITE] = {T, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_RESOLVE_BIT,
                           VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_CLEAR] = {T, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                   VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_UPDATE] = {T, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                    VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_COMPUTE_READ] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT,
                          VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                          VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT},
    [USE_COMPUTE_WRITE] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
                           VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
                               VK_ACCESS_2_SHADER_STORAGE_READ_BIT},
    [USE_INDIRECT] = {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
                      VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT},
    [USE_INDEX] = {VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_INDEX_READ_BIT,
                   VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT},
    [USE_VERTEX] = {VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
                    VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                    VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT},
    [USE_SHADER_READ] = {VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT |
                             VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                         VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                         VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
                             VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT},
    [USE_SHADER_WRITE] = {VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                          VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT},
    [USE_COLOR] = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                   VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                   VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                   VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
    [USE_DEPTH] =
        {VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
         VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
    [USE_HOST_READ] = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT,
                       VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT},
    [USE_CONDITIONAL] = {VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT,
                         VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT,
                         VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                         VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT},
    [USE_BUILD] = {VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR |
                       VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR | VK_ACCESS_SHADER_READ_BIT,
                   VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR |
                       VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR |
                       VK_ACCESS_2_SHADER_READ_BIT},
    [USE_TRACE] = {VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                       VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR,
                   VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
                   VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                       VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR},
    [USE_FEEDBACK] = {VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT |
                          VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                      VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                          VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                          VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                      VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                          VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                      VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                          VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                          VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT},
    [USE_QUERY] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR,
                   VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                   VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR},
    [USE_DENSITY] = {VK_PIPELINE_STAGE_FRAGMENT_DENSITY_PROCESS_BIT_EXT,
                     VK_ACCESS_FRAGMENT_DENSITY_MAP_READ_BIT_EXT,
                     VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT,
                     VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT},
    [USE_MICROMAP] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                      VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                      VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT |
                          VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                      VK_ACCESS_2_MICROMAP_READ_BIT_EXT | VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT |
                          VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                          VK_ACCESS_2_TRANSFER_WRITE_BIT},
    [USE_RATES] = {VK_PIPELINE_STAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
                   VK_ACCESS_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR,
                   VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
                   VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR},
    [USE_ALL] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                 VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT},
#undef T
};

struct scope {
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
    VkPipelineStageFlags2 stages2;
    VkAccessFlags2 accesses2;
};

static struct scope scope_of(uint32_t uses)
{
    struct scope scope = {0};
    for (unsigned i = 0; i < USE_COUNT; i++) {
        if (!((uses >> i) & 1))
            continue;
        scope.stages |= uses_of[i].stages;
        scope.accesses |= uses_of[i].accesses;
        scope.stages2 |= uses_of[i].stages2;
        scope.accesses2 |= uses_of[i].accesses2;
    }
    return scope;
}

void needs_layout(struct record *rec, struct image *image, VkImageLayout layout)
{
    struct world *w = rec->w;
    for (unsigned i = 0; i < rec->transition_count; i++) {
        if (rec->transitions[i].image == image) {
            rec->transitions[i].to = image->layout = layout;
            return;
        }
    }
    if (image->layout == layout && chance(w, 80)) {
        rec->once = true;
        return;
    }
    /* A layout that is undefined may stay so: the contents are lost. */
    rec->transitions[rec->transition_count].image = image;
    rec->transitions[rec->transition_count].from =
        chance(w, 10) ? VK_IMAGE_LAYOUT_UNDEFINED : image->layout;
    if (rec->transitions[rec->transition_count].from != VK_IMAGE_LAYOUT_UNDEFINED)
        rec->once = true;
    rec->transitions[rec->transition_count++].to = layout;
    image->layout = layout;
}

static VkImageAspectFlags all_aspects(struct world *w, const struct image *image)
{
    if (image->format->planes > 1 && image->info.flags & VK_IMAGE_CREATE_DISJOINT_BIT &&
        chance(w, 50))
        return image->format->planes == 3
                   ? VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT |
                         VK_IMAGE_ASPECT_PLANE_2_BIT
                   : VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT;
    return image->format->aspects;
}

static uint32_t layer_count(struct world *w, const struct image *image)
{
    /* With maintenance9 these may be slices, one by one, and 1 is the first of them. */
    if (image->info.imageType == VK_IMAGE_TYPE_3D)
        return VK_REMAINING_ARRAY_LAYERS;
    return chance(w, 50) ? VK_REMAINING_ARRAY_LAYERS : image->info.arrayLayers;
}

#define PIECES_MOST 3

/* The whole of an image, in one range or in several that make it up: levels, layers, or aspects. */
static uint32_t all_of(struct world *w, const struct image *image, VkImageSubresourceRange *ranges)
{
    uint32_t levels = image->info.mipLevels, layers = image->info.arrayLayers;
    ranges[0] = (VkImageSubresourceRange){
        all_aspects(w, image), 0, PICK(VK_REMAINING_MIP_LEVELS, levels), 0, layer_count(w, image)};
    ranges[1] = ranges[0];
    VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (chance(w, 70))
        return 1;
    if (levels > 1 && chance(w, 50)) {
        uint32_t first = between(w, 1, levels - 1);
        ranges[0].levelCount = first;
        ranges[1].baseMipLevel = first;
        ranges[1].levelCount = PICK(VK_REMAINING_MIP_LEVELS, levels - first);
        return 2;
    }
    if (layers > 1 && image->info.imageType != VK_IMAGE_TYPE_3D) {
        uint32_t first = between(w, 1, layers - 1);
        ranges[0].layerCount = first;
        ranges[1].baseArrayLayer = first;
        ranges[1].layerCount = PICK(VK_REMAINING_ARRAY_LAYERS, layers - first);
        return 2;
    }
    if (image->format->aspects == both && ON(separateDepthStencilLayouts)) {
        ranges[0].aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
        ranges[1].aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
        return 2;
    }
    return 1;
}

static void barrier_old(struct record *rec, struct scope from, struct scope to)
{
    struct world *w = rec->w;
    VkImageMemoryBarrier images[TRANSITIONS_MOST * PIECES_MOST];
    VkImageSubresourceRange ranges[PIECES_MOST];
    uint32_t count = 0;
    uint32_t own = PICK(VK_QUEUE_FAMILY_IGNORED, rec->queue->family);
    for (unsigned i = 0; i < rec->transition_count; i++) {
        struct image *image = rec->transitions[i].image;
        uint32_t ignored = image->concurrent ? VK_QUEUE_FAMILY_IGNORED : own;
        for (uint32_t j = 0, pieces = all_of(w, image, ranges); j < pieces; j++)
            images[count++] =
                (VkImageMemoryBarrier){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = from.accesses,
                                       .dstAccessMask = to.accesses,
                                       .oldLayout = rec->transitions[i].from,
                                       .newLayout = rec->transitions[i].to,
                                       .srcQueueFamilyIndex = ignored,
                                       .dstQueueFamilyIndex = ignored,
                                       .image = image->handle,
                                       .subresourceRange = ranges[j]};
    }
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = from.accesses,
                              .dstAccessMask = to.accesses};
    CALL(CmdPipelineBarrier, rec->c, from.stages ? from.stages : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
         to.stages, 0, 1, &memory, 0, IGNORED, count, count ? images : IGNORED);
}

static void barrier_new(struct record *rec, struct scope from, struct scope to)
{
    struct world *w = rec->w;
    VkImageMemoryBarrier2 images[TRANSITIONS_MOST * PIECES_MOST];
    VkImageSubresourceRange ranges[PIECES_MOST];
    uint32_t count = 0;
    for (unsigned i = 0; i < rec->transition_count; i++) {
        struct image *image = rec->transitions[i].image;
        for (uint32_t j = 0, pieces = all_of(w, image, ranges); j < pieces; j++)
            images[count++] =
                (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                        .srcStageMask = from.stages2,
                                        .srcAccessMask = from.accesses2,
                                        .dstStageMask = to.stages2,
                                        .dstAccessMask = to.accesses2,
                                        .oldLayout = rec->transitions[i].from,
                                        .newLayout = rec->transitions[i].to,
                                        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .image = image->handle,
                                        .subresourceRange = ranges[j]};
    }
    VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                               .srcStageMask = from.stages2,
                               .srcAccessMask = from.accesses2,
                               .dstStageMask = to.stages2,
                               .dstAccessMask = to.accesses2};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .memoryBarrierCount = 1,
                             .pMemoryBarriers = &memory,
                             .pBufferMemoryBarriers = IGNORED,
                             .imageMemoryBarrierCount = count,
                             .pImageMemoryBarriers = count ? images : IGNORED};
    if (ON(maintenance8) && chance(w, 20)) {
        VkMemoryBarrierAccessFlags3KHR *more =
            NEW(VkMemoryBarrierAccessFlags3KHR,
                .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR);
        memory.pNext = more; /* nothing in it */
    }
    bool host = (from.stages2 | to.stages2) & VK_PIPELINE_STAGE_2_HOST_BIT;
    bool events = rec->queue->flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    if (!host && events && !rec->secondary && !GROUPED && /* events are one device's */
        chance(w, 15)) { /* an event instead, with the same dependencies on both sides */
        VkEventCreateInfo create = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                                    .flags = PICK(0, VK_EVENT_CREATE_DEVICE_ONLY_BIT)};
        VkEvent event = VK_NULL_HANDLE;
        MUST(CreateEvent, w->device, &create, NULL, &event);
        OWN(Event, event);
        CALL(CmdSetEvent2, rec->c, event, &info);
        CALL(CmdWaitEvents2, rec->c, 1, &event, &info);
        rec->once = true;
        return;
    }
    CALL(CmdPipelineBarrier2, rec->c, &info);
}

void ready(struct record *rec, uint32_t uses)
{
    struct world *w = rec->w;
    uint32_t before = rec->before;
    if (rec->unknown)
        before |= USE(ALL);
    rec->unknown = false;
    rec->before |= uses;
    if (!before && !rec->transition_count)
        return;
    bool fine = w->fine_barriers && !(before & USE(ALL));
    struct scope from = scope_of(fine ? before : USE(ALL)), to = scope_of(fine ? uses : USE(ALL));
    if (!fine && before == 0)
        from = (struct scope){VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_2_NONE, 0};
    if (ON(synchronization2) && chance(w, 50))
        barrier_new(rec, from, to);
    else
        barrier_old(rec, from, to);
    rec->transition_count = 0;
}

/* --- queues --- */

static VkFence make_fence(struct world *w)
{
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                              .flags = PICK(0, VK_FENCE_CREATE_SIGNALED_BIT)};
    VkFence fence = VK_NULL_HANDLE;
    MUST(CreateFence, w->device, &info, NULL, &fence);
    OWN(Fence, fence);
    if (info.flags)
        MUST(ResetFences, w->device, 1, &fence);
    return fence;
}

static void wait_for_fence(struct world *w, VkFence fence)
{
    if (chance(w, 30)) {
        unsigned tries = 0;
        while (tries++ < 100 && CALL(GetFenceStatus, w->device, fence) == VK_NOT_READY)
            ;
        if (tries > 100)
            MUST(WaitForFences, w->device, 1, &fence, VK_TRUE, UINT64_MAX);
    } else {
        MUST(WaitForFences, w->device, 1, &fence, chance(w, 50), UINT64_MAX);
    }
    if (chance(w, 20))
        MUST(ResetFences, w->device, 1, &fence);
}

VkSemaphore make_semaphore(struct world *w, bool timeline)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = timeline ? VK_SEMAPHORE_TYPE_TIMELINE
                                                                : VK_SEMAPHORE_TYPE_BINARY};
    VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = timeline || (has_either(w, 12, EXTENSION_KHR_timeline_semaphore) && chance(w, 20))
                     ? &type
                     : NULL};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    MUST(CreateSemaphore, w->device, &info, NULL, &semaphore);
    OWN(Semaphore, semaphore);
    return semaphore;
}

static void submit_old(struct world *w, VkQueue queue, uint32_t count, const struct batch *batches,
                       VkFence fence)
{
    VkSubmitInfo infos[4];
    VkTimelineSemaphoreSubmitInfo timelines[4];
    VkProtectedSubmitInfo protected[4];
    static const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};
    for (uint32_t i = 0; i < count; i++) {
        const struct batch *batch = &batches[i];
        timelines[i] = (VkTimelineSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = batch->wait_count,
            .pWaitSemaphoreValues = batch->wait_values,
            .signalSemaphoreValueCount = batch->signal_count,
            .pSignalSemaphoreValues = batch->signal_values};
        infos[i] =
            (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = batch->timeline ? &timelines[i] : NULL,
                           .waitSemaphoreCount = batch->wait_count,
                           .pWaitSemaphores = batch->wait_count ? batch->waits : IGNORED,
                           .pWaitDstStageMask = batch->wait_count ? stages : IGNORED,
                           .commandBufferCount = batch->count,
                           .pCommandBuffers = batch->count ? batch->buffers : IGNORED,
                           .signalSemaphoreCount = batch->signal_count,
                           .pSignalSemaphores = batch->signal_count ? batch->signals : IGNORED};
        if (!batch->protected && !(VERSION(11) && chance(w, 5)))
            continue;
        protected[i] = (VkProtectedSubmitInfo){.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
                                               .pNext = infos[i].pNext,
                                               .protectedSubmit = batch->protected};
        infos[i].pNext = &protected[i];
    }
    MUST(QueueSubmit, queue, count, count ? infos : IGNORED, fence);
}

static void submit_new(struct world *w, VkQueue queue, uint32_t count, const struct batch *batches,
                       VkFence fence)
{
    VkSubmitInfo2 infos[4];
    VkSemaphoreSubmitInfo waits[4][2], signals[4][2];
    VkCommandBufferSubmitInfo buffers[4][8];
    for (uint32_t i = 0; i < count; i++) {
        const struct batch *batch = &batches[i];
        for (uint32_t j = 0; j < 2; j++) {
            waits[i][j] =
                (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = batch->waits[j],
                                        .value = batch->timeline ? batch->wait_values[j] : 77,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
            signals[i][j] =
                (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = batch->signals[j],
                                        .value = batch->timeline ? batch->signal_values[j] : 77,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
        }
        for (uint32_t j = 0; j < batch->count; j++)
            buffers[i][j] =
                (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                            .commandBuffer = batch->buffers[j],
                                            .deviceMask = PICK(0u, 1u, any_devices(w))};
        infos[i] =
            (VkSubmitInfo2){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .flags = batch->protected ? VK_SUBMIT_PROTECTED_BIT : 0,
                            .waitSemaphoreInfoCount = batch->wait_count,
                            .pWaitSemaphoreInfos = batch->wait_count ? waits[i] : IGNORED,
                            .commandBufferInfoCount = batch->count,
                            .pCommandBufferInfos = batch->count ? buffers[i] : IGNORED,
                            .signalSemaphoreInfoCount = batch->signal_count,
                            .pSignalSemaphoreInfos = batch->signal_count ? signals[i] : IGNORED};
    }
    MUST(QueueSubmit2, queue, count, count ? infos : IGNORED, fence);
}

void submit_batches(struct world *w, VkQueue queue, uint32_t count, const struct batch *batches,
                    VkFence fence)
{
    if (ON(synchronization2) && chance(w, 50))
        submit_new(w, queue, count, batches, fence);
    else
        submit_old(w, queue, count, batches, fence);
}

/* In any of the ways that run the command buffers in this order, once. */
void submit(struct world *w, const struct queue *queue, uint32_t count,
            const VkCommandBuffer *buffers)
{
    VkFence fence = chance(w, 50) ? make_fence(w) : VK_NULL_HANDLE;
    struct batch batches[2] = {{.count = count, .buffers = buffers}};
    bool timeline = ON(timelineSemaphore) && chance(w, 40);
    uint32_t way = below(w, 6);
    if (way == 0) { /* an empty batch before, with a semaphore between */
        VkSemaphore semaphore = make_semaphore(w, timeline);
        struct batch first = {
            .signals = {semaphore}, .signal_values = {5}, .signal_count = 1, .timeline = timeline};
        batches[1] = batches[0];
        batches[0] = first;
        batches[1].waits[0] = semaphore;
        batches[1].wait_count = 1;
        batches[1].timeline = timeline;
        batches[1].wait_values[0] = PICK(1, 5);
        if (chance(w, 50)) {
            submit_batches(w, queue->handle, 2, batches, fence);
        } else {
            submit_batches(w, queue->handle, 1, batches, VK_NULL_HANDLE);
            submit_batches(w, queue->handle, 1, batches + 1, fence);
        }
    } else if (way == 1 && ON(timelineSemaphore)) { /* waits for what the host signals later */
        VkSemaphore semaphore = make_semaphore(w, true);
        batches[0].waits[0] = semaphore;
        batches[0].wait_values[0] = 3;
        batches[0].wait_count = 1;
        batches[0].signals[0] = semaphore;
        batches[0].signal_values[0] = 10;
        batches[0].signal_count = below(w, 2);
        batches[0].timeline = true;
        submit_batches(w, queue->handle, 1, batches, fence);
        VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                        .semaphore = semaphore,
                                        .value = PICK(3, 4)};
        MUST(SignalSemaphore, w->device, &signal);
        uint64_t value = batches[0].signal_count ? 10 : 3;
        VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &semaphore,
                                    .pValues = &value};
        if (chance(w, 50))
            MUST(WaitSemaphores, w->device, &wait, UINT64_MAX);
    } else if (way == 2 &&
               w->queue_count >
                   1) { /* waits for another queue, which may be signaled later with a timeline */
        const struct queue *other = &w->queues[below(w, w->queue_count)];
        VkSemaphore semaphore = make_semaphore(w, timeline);
        struct batch first = {
            .signals = {semaphore}, .signal_values = {2}, .signal_count = 1, .timeline = timeline};
        batches[0].waits[0] = semaphore;
        batches[0].wait_values[0] = 1;
        batches[0].wait_count = 1;
        batches[0].timeline = timeline;
        if (timeline && other != queue && chance(w, 50)) {
            submit_batches(w, queue->handle, 1, batches, fence);
            submit_batches(w, other->handle, 1, &first, VK_NULL_HANDLE);
        } else {
            submit_batches(w, other->handle, 1, &first, VK_NULL_HANDLE);
            submit_batches(w, queue->handle, 1, batches, fence);
        }
    } else {
        submit_batches(w, queue->handle, 1, batches, fence);
    }
    if (chance(w, 10))
        submit_batches(w, queue->handle, 0, NULL, VK_NULL_HANDLE);
    w->idle = false;
    if (fence && chance(w, 60))
        wait_for_fence(w, fence);
}

void wait_for_all(struct world *w)
{
    if (chance(w, 50)) {
        MUST(DeviceWaitIdle, w->device);
    } else {
        for (uint32_t i = 0; i < w->queue_count; i++)
            MUST(QueueWaitIdle, w->queues[i].handle);
    }
    w->idle = true;
}

void record_finish(struct record *rec)
{
    struct world *w = rec->w;
    if (rec->transition_count)
        ready(rec, USE(ALL));
    MUST(EndCommandBuffer, rec->c);
    submit(w, rec->queue, 1, &rec->c);
    /* Once more, where the images may begin anywhere. It is over by then, or may be in use twice.
     */
    if (!rec->once && !(rec->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) &&
        chance(w, 20)) {
        wait_for_all(w);
        submit(w, rec->queue, 1, &rec->c);
    }
    if (chance(w, 50))
        wait_for_all(w);
}
