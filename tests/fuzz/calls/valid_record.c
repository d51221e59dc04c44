/* Records commands in the valid mode, and tracks the objects that a command buffer uses. */
#include "valid.h"

/* --- what is used --- */

void use(struct recording *rec, struct head *head)
{
    struct commands *c = rec->commands;
    for (unsigned i = 0; i < c->use_count; i++) {
        if (c->uses[i] == head)
            return;
    }
    if (c->use_count == USES_MOST) {
        fuzz_fail(rec->w, "too many objects in one command buffer");
        return;
    }
    c->uses[c->use_count++] = head;
    head->users++;
}

void commands_forget(struct valid *v, struct commands *commands)
{
    for (unsigned i = 0; i < commands->use_count; i++)
        commands->uses[i]->users--;
    commands->use_count = 0;
    commands->leaves.count = 0;
}

/* --- layouts --- */

static VkImageLayout *layout_place_of(struct layouts *layouts, const struct image *image)
{
    for (unsigned i = 0; i < layouts->count; i++) {
        if (layouts->of[i].image == image)
            return &layouts->of[i].layout;
    }
    return NULL;
}

void layouts_set(struct layouts *layouts, struct image *image, VkImageLayout layout)
{
    VkImageLayout *known = layout_place_of(layouts, image);
    if (known)
        *known = layout;
    else if (layouts->count < LAYOUTS_MOST) {
        layouts->of[layouts->count].image = image;
        layouts->of[layouts->count++].layout = layout;
    }
}

static void record_barrier_of(struct recording *rec, struct image *image, VkImageLayout from,
                              VkImageLayout to, VkImageSubresourceRange range)
{
    VkImageMemoryBarrier2 barrier2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT |
                                                       VK_ACCESS_2_MEMORY_WRITE_BIT,
                                      .oldLayout = from,
                                      .newLayout = to,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .image = image->handle,
                                      .subresourceRange = range};
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask =
                                        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                    .oldLayout = from,
                                    .newLayout = to,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image->handle,
                                    .subresourceRange = range};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier2};
    if (random_chance(rec->r, 50))
        RECORD(CmdPipelineBarrier2, &dependency);
    else
        RECORD(CmdPipelineBarrier, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* All of it, at once or one level after the other. */
void image_barrier(struct recording *rec, struct image *image, VkImageLayout from, VkImageLayout to)
{
    VkImageSubresourceRange range = {image->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                                     VK_REMAINING_ARRAY_LAYERS};
    if (!random_chance(rec->r, 20)) {
        record_barrier_of(rec, image, from, to, range);
        return;
    }
    for (uint32_t level = 0; level < image->info.mipLevels; level++) {
        range.baseMipLevel = level;
        range.levelCount = 1;
        record_barrier_of(rec, image, from, to, range);
    }
}

bool to_layout(struct recording *rec, struct image *image, VkImageLayout layout)
{
    VkImageLayout *known = layout_place_of(&rec->layouts, image);
    if (!known && rec->layouts.count == LAYOUTS_MOST)
        return false;
    use(rec, &image->head);
    VkImageLayout from = known ? *known
                         : rec->direct && (image->family == rec->family ||
                                           image->info.sharingMode == VK_SHARING_MODE_CONCURRENT)
                             ? image->layout
                             : VK_IMAGE_LAYOUT_UNDEFINED;
    if (from != layout || random_chance(rec->r, 10))
        image_barrier(rec, image, random_chance(rec->r, 10) ? VK_IMAGE_LAYOUT_UNDEFINED : from,
                      layout);
    layouts_set(&rec->layouts, image, layout);
    return true;
}

bool set_ready(struct recording *rec, struct set *set)
{
    use(rec, &set->head);
    for (unsigned i = 0; i < SET_BINDINGS; i++) {
        if (set->images[i] && !to_layout(rec, set->images[i], set->layouts[i]))
            return false;
    }
    return true;
}

/* --- synchronization, queries, labels --- */

static void memory_barriers(struct recording *rec)
{
    struct random *r = rec->r;
    static const VkAccessFlags2 accesses[] = {
        0, VK_ACCESS_2_MEMORY_READ_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
        VK_ACCESS_2_SHADER_WRITE_BIT, VK_ACCESS_2_HOST_WRITE_BIT};
    static const VkPipelineStageFlags2 stages[] = {
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_PIPELINE_STAGE_2_HOST_BIT};
    uint32_t from = random_below(r, 5), to = random_below(r, 5);
    if (rec->family == 2 && (from == 3 || to == 3))
        return; /* no compute there */
    struct buffer *buffer = need_buffer(rec->v, r, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 256);
    if (!buffer)
        return;
    use(rec, &buffer->head);
    VkMemoryBarrier2 memory2 = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = stages[from],
                                .srcAccessMask = accesses[from],
                                .dstStageMask = stages[to],
                                .dstAccessMask = accesses[to]};
    VkBufferMemoryBarrier2 buffer2 = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .srcStageMask = stages[from],
                                      .srcAccessMask = accesses[from],
                                      .dstStageMask = stages[to],
                                      .dstAccessMask = accesses[to],
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .buffer = buffer->handle,
                                      .offset = 4 * random_below(r, 8),
                                      .size = random_chance(r, 50) ? VK_WHOLE_SIZE : 64};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = random_chance(r, 50),
                                   .pMemoryBarriers = &memory2,
                                   .bufferMemoryBarrierCount = random_chance(r, 50),
                                   .pBufferMemoryBarriers = &buffer2};
    VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, (VkAccessFlags)accesses[from],
                              (VkAccessFlags)accesses[to]};
    VkBufferMemoryBarrier old = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                 NULL,
                                 (VkAccessFlags)accesses[from],
                                 (VkAccessFlags)accesses[to],
                                 VK_QUEUE_FAMILY_IGNORED,
                                 VK_QUEUE_FAMILY_IGNORED,
                                 buffer->handle,
                                 buffer2.offset,
                                 buffer2.size};
    if (random_chance(r, 50))
        RECORD(CmdPipelineBarrier2, &dependency);
    else
        RECORD(CmdPipelineBarrier, (VkPipelineStageFlags)stages[from],
               (VkPipelineStageFlags)stages[to], 0, dependency.memoryBarrierCount, &memory,
               dependency.bufferMemoryBarrierCount, &old, 0, NULL);
}

/* Set, waited for, and reset, with the same scopes at each end. */
static void record_events(struct recording *rec)
{
    struct random *r = rec->r;
    struct event *event = need_event(rec->v, r);
    if (!event || event->head.users)
        return; /* one command buffer at a time: another one might set it in between */
    use(rec, &event->head);
    VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                               .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                               .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                               .dstStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                               .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory};
    if (random_chance(r, 50)) {
        RECORD(CmdSetEvent2, event->handle, &dependency);
        RECORD(CmdWaitEvents2, 1, &event->handle, &dependency);
        memory_barriers(rec);
        RECORD(CmdResetEvent2, event->handle, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    } else {
        RECORD(CmdSetEvent, event->handle, VK_PIPELINE_STAGE_TRANSFER_BIT);
        RECORD(CmdWaitEvents, 1, &event->handle, VK_PIPELINE_STAGE_TRANSFER_BIT,
               VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
        RECORD(CmdResetEvent, event->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    }
    /* The commands that follow do not use it before it is reset. */
    RECORD(CmdPipelineBarrier, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

static void record_timestamps(struct recording *rec)
{
    struct random *r = rec->r;
    struct query_pool *pool = need_query_pool(rec->v, r, VK_QUERY_TYPE_TIMESTAMP);
    if (!pool || pool->head.users)
        return;
    use(rec, &pool->head);
    RECORD(CmdResetQueryPool, pool->handle, 0, pool->count);
    for (uint32_t i = 0; i < pool->count; i++) {
        if (random_chance(r, 50))
            RECORD(CmdWriteTimestamp2, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool->handle, i);
        else
            RECORD(CmdWriteTimestamp, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool->handle, i);
    }
    struct buffer *buffer = need_buffer(rec->v, r, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 512);
    if (!buffer)
        return;
    use(rec, &buffer->head);
    RECORD(CmdCopyQueryPoolResults, pool->handle, 0, pool->count, buffer->handle, 0, 16,
           VK_QUERY_RESULT_64_BIT | (random_chance(r, 50) ? VK_QUERY_RESULT_WITH_AVAILABILITY_BIT
                                                          : VK_QUERY_RESULT_WAIT_BIT));
}

static void record_labels(struct recording *rec)
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = "fuzz"};
    if (random_chance(rec->r, 40)) {
        RECORD(CmdInsertDebugUtilsLabelEXT, &label);
    } else if (random_chance(rec->r, 60)) {
        RECORD(CmdBeginDebugUtilsLabelEXT, &label);
        rec->label_depth++;
    } else if (rec->label_depth) {
        RECORD(CmdEndDebugUtilsLabelEXT);
        rec->label_depth--;
    }
}

void record_sync(struct recording *rec)
{
    static void (*const recorders[])(struct recording *) = {
        memory_barriers, memory_barriers, record_events, record_timestamps, record_labels};
    uint32_t choice = random_below(rec->r, 5);
    if (rec->family < 2 || recorders[choice] == memory_barriers ||
        recorders[choice] == record_labels)
        recorders[choice](rec);
}

/* --- begin and end --- */

void begin_commands(struct valid *v, struct random *r, struct recording *rec,
                    struct commands *commands)
{
    *rec = (struct recording){.v = v,
                              .w = v->w,
                              .r = r,
                              .commands = commands,
                              .c = commands->handle,
                              .family = commands->family};
    if (commands->state != COMMANDS_INITIAL && random_chance(r, 50))
        MUST(TRY(v->w, ResetCommandBuffer, commands->handle, random_chance(r, 50)));
    commands_forget(v, commands);
    commands->usage = commands->secondary && commands->in_pass
                          ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT
                          : 0;
    if (random_chance(r, 25))
        commands->usage |= VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    else if (random_chance(r, 30))
        commands->usage |= VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    commands->once = commands->usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    commands->overlaps = commands->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    const struct shape *shape = &commands->shape;
    bool stencil = format_aspects(shape->depth) & VK_IMAGE_ASPECT_STENCIL_BIT;
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &shape->color,
        .depthAttachmentFormat = shape->depth,
        .stencilAttachmentFormat = stencil ? shape->depth : VK_FORMAT_UNDEFINED,
        .rasterizationSamples = shape->samples};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .subpass = commands->in_pass ? commands->subpass : 0,
        .occlusionQueryEnable = commands->inherits_queries};
    if (commands->in_pass && shape->dynamic)
        inheritance.pNext = &rendering;
    else if (commands->in_pass) {
        struct pass *pass = need_pass(v, r, shape);
        if (pass) {
            use(rec, &pass->head);
            inheritance.renderPass = pass->handle;
        }
    }
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = commands->usage,
                                     .pInheritanceInfo = commands->secondary ? &inheritance : NULL};
    MUST(TRY(v->w, BeginCommandBuffer, commands->handle, &info));
}

void end_commands(struct recording *rec)
{
    struct valid *v = rec->v;
    for (; rec->label_depth; rec->label_depth--)
        RECORD(CmdEndDebugUtilsLabelEXT);
    MUST(TRY(rec->w, EndCommandBuffer, rec->c));
    rec->commands->leaves = rec->layouts;
    rec->commands->state = COMMANDS_RECORDED;
}

static void commands_free(struct valid *v, struct commands *commands)
{
    commands_forget(v, commands);
    CALL(v->w, FreeCommandBuffers, v->w->device, v->command_pools[commands->pool], 1,
         &commands->handle);
    commands->head.alive = false;
}

/* One that nothing waits for: not pending, and not a secondary of a primary that is recorded. */
struct commands *need_commands(struct valid *v, struct random *r, uint32_t family, bool secondary)
{
    struct commands *commands =
        FIND(v, r, commands, COMMANDS_MOST,
             it->family == family && it->secondary == secondary && it->state != COMMANDS_PENDING &&
                 !it->head.users && !it->recording);
    if (commands && random_chance(r, 80))
        return commands;
    struct commands *slot = NULL;
    for (unsigned i = 0; i < COMMANDS_MOST && !slot; i++) {
        if (!v->commands[i].head.alive)
            slot = &v->commands[i];
    }
    for (unsigned i = 0; i < COMMANDS_MOST && !slot; i++) {
        struct commands *it = &v->commands[i];
        if (it->state != COMMANDS_PENDING && !it->head.users && !it->recording && it != commands) {
            commands_free(v, it);
            slot = it;
        }
    }
    if (!slot)
        return commands;
    *slot = (struct commands){
        .head.alive = true, .pool = family, .family = family, .secondary = secondary};
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = v->command_pools[family],
                                        .level = secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
                                                           : VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    MUST(TRY(v->w, AllocateCommandBuffers, v->w->device, &info, &slot->handle));
    return slot;
}

/* A primary may do no more than its secondaries may, too. */
void executes(struct recording *rec, struct commands *secondary)
{
    use(rec, &secondary->head);
    rec->commands->once = rec->commands->once || secondary->once;
    rec->commands->overlaps = rec->commands->overlaps && secondary->overlaps;
}

/* A secondary of transfers, dispatches and barriers, recorded and executed. */
static void execute_secondary(struct recording *rec)
{
    struct valid *v = rec->v;
    struct commands *secondary = need_commands(v, rec->r, rec->family, true);
    if (!secondary)
        return;
    struct recording inner;
    secondary->in_pass = false;
    secondary->inherits_queries = false;
    secondary->recording = true;
    begin_commands(v, rec->r, &inner, secondary);
    for (uint32_t i = random_below(rec->r, 6); i > 0; i--) {
        if (random_chance(rec->r, 50))
            record_transfer(&inner);
        else if (random_chance(rec->r, 50) || rec->family == 2)
            record_sync(&inner);
        else
            record_dispatch(&inner);
    }
    end_commands(&inner);
    secondary->recording = false;
    if (rec->layouts.count + inner.layouts.count > LAYOUTS_MOST ||
        rec->commands->use_count + inner.commands->use_count + 1 > USES_MOST)
        return;
    RECORD(CmdExecuteCommands, 1, &secondary->handle);
    for (unsigned i = 0; i < inner.layouts.count; i++) {
        use(rec, &inner.layouts.of[i].image->head);
        layouts_set(&rec->layouts, inner.layouts.of[i].image, inner.layouts.of[i].layout);
    }
    executes(rec, secondary);
}

struct commands *record_primary(struct valid *v, struct random *r, uint32_t family, bool direct)
{
    struct commands *commands = need_commands(v, r, family, false);
    if (!commands)
        return NULL;
    struct recording rec;
    commands->recording = true;
    begin_commands(v, r, &rec, commands);
    rec.direct = direct;
    for (uint32_t i = 1 + random_below(r, 10);
         i > 0 && commands->use_count < USES_MOST - 60 && !atomic_load(&v->w->report->failed);
         i--) {
        uint32_t choice = random_below(r, 100);
        if (choice < 30)
            record_transfer(&rec);
        else if (choice < 45)
            record_sync(&rec);
        else if (choice < 52)
            execute_secondary(&rec);
        else if (choice < 65 && family < 2)
            record_dispatch(&rec);
        else if (family == 0)
            record_pass(&rec);
    }
    end_commands(&rec);
    commands->recording = false;
    return commands;
}
