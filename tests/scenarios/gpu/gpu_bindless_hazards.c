/* Hazards in arrays of descriptors. The element that shaders access, which they choose themselves,
 * races with what comes before or after it; the others do not. */
#include "gpu/gpu_world.h"

#include "gpu_bindless.h"

#define BINDLESS GPU_SETTINGS("validate_sync=true"), .features = &gpu_features_plain
#define LATE \
    (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
#define RAW .ours_only = true, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define WAR .ours_only = true, .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}
#define WAW .ours_only = true, .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}

#define RACING 3 /* the element that is `own`: transfers write it */

/* --- the array --- */

static bool is_image(enum gpu_kind kind)
{
    return kind <= gpu_kind_storage_image;
}

static struct gpu_code writing_code(enum gpu_kind kind)
{
    return kind == gpu_kind_storage_buffer  ? GPU_CODE(spirv_write_storage_buffer)
           : kind == gpu_kind_storage_image ? GPU_CODE(spirv_write_storage_image)
                                            : GPU_CODE(spirv_write_storage_texel);
}

/* Element RACING is one that transfers may write. */
static void make_bindless(struct gpu *g)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    gpu_make_resources(g);
    g->own.buffer = make_buffer(g->b, 256, usage);
    gpu_name(g->b, VK_OBJECT_TYPE_BUFFER, HANDLE(g->own.buffer), "racing");
    gpu_name(g->b, VK_OBJECT_TYPE_IMAGE, HANDLE(g->own.image), "racing");
    VkBufferViewCreateInfo texels = buffer_view_info(g->own.buffer);
    g->own.buffer_view = create_buffer_view(g->b, &texels);
    gpu_make_layout(g);
    gpu_make_set(g);
    gpu_make_pipeline(g);
    gpu_prepare(g);
}

static struct gpu array_of(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.odd = RACING;
    return g;
}

/* A transfer writes what element RACING names. */
static void transfer_element(struct gpu *g)
{
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    if (is_image(g->kind))
        vkCmdClearColorImage(g->commands, g->own.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    else
        vkCmdFillBuffer(g->commands, g->own.buffer, 0, VK_WHOLE_SIZE, 0);
}

static void shade_element(struct gpu *g, uint32_t element)
{
    g->index = element;
    gpu_bind(g);
    gpu_push(g);
    gpu_act(g);
}

static void order_elements(struct gpu *g)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
}

/* --- within a command buffer, each kind of descriptor --- */

enum order { TRANSFER_FIRST, SHADER_FIRST };

static void race_within(struct baseline *b, enum gpu_kind kind, bool writes, enum order order,
                        uint32_t element, bool with_barrier)
{
    struct gpu g = array_of(b, kind, gpu_stage_comp);
    if (writes)
        g.code = writing_code(kind);
    make_bindless(&g);
    gpu_begin(&g);
    if (order == TRANSFER_FIRST)
        transfer_element(&g);
    else
        shade_element(&g, element);
    if (with_barrier)
        order_elements(&g);
    if (order == TRANSFER_FIRST)
        shade_element(&g, element);
    else
        transfer_element(&g);
    gpu_submit(&g);
}

#define ELEMENT "as descriptor set 0, binding 2, element 3"
#define WITHIN(name_, kind_, writes_, order_, ...)                            \
    SCENARIO(name_##_##kind_, BINDLESS, ##__VA_ARGS__)                        \
    {                                                                         \
        race_within(b, gpu_kind_##kind_, writes_, order_, RACING, false);     \
    }                                                                         \
    SCENARIO(name_##_##kind_##_beside, BINDLESS)                              \
    {                                                                         \
        race_within(b, gpu_kind_##kind_, writes_, order_, RACING - 1, false); \
    }                                                                         \
    SCENARIO(name_##_##kind_##_with_barrier, BINDLESS)                        \
    {                                                                         \
        race_within(b, gpu_kind_##kind_, writes_, order_, RACING, true);      \
    }
#define BY(access_) "in VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT with VK_ACCESS_2_" access_ "_BIT"
#define SHADER_TEXT(command_, transfer_, access_, mend_)                 \
    .text = {"vkCmdDispatch (command " command_,                         \
             transfer_ " (command ",                                     \
             "\"racing\"",                                               \
             BY(access_),                                                \
             ELEMENT,                                                    \
             "between nothing: no barrier was recorded between the two", \
             mend_}
#define IS_READ(kind_, transfer_, access_)                                              \
    WITHIN(read_after_transfer, kind_, false, TRANSFER_FIRST, RAW,                      \
           SHADER_TEXT("4", "the write by " transfer_, access_,                         \
                       "mend    a memory dependency before vkCmdDispatch (command 4)")) \
    WITHIN(read_before_transfer, kind_, false, SHADER_FIRST, WAR,                       \
           SHADER_TEXT("3", transfer_, access_,                                         \
                       "mend    an execution dependency before " transfer_ " (command 4)"))
#define IS_WRITTEN(kind_, transfer_)                                                    \
    WITHIN(write_after_transfer, kind_, true, TRANSFER_FIRST, WAW,                      \
           SHADER_TEXT("4", "the write by " transfer_, "SHADER_STORAGE_WRITE",          \
                       "mend    a memory dependency before vkCmdDispatch (command 4)")) \
    WITHIN(write_before_transfer, kind_, true, SHADER_FIRST, WAW,                       \
           SHADER_TEXT("3", transfer_, "SHADER_STORAGE_WRITE",                          \
                       "mend    a memory dependency before " transfer_ " (command 4)"))
IS_READ(sampled, "vkCmdClearColorImage", "SHADER_SAMPLED_READ")
IS_READ(combined, "vkCmdClearColorImage", "SHADER_SAMPLED_READ")
IS_READ(storage_image, "vkCmdClearColorImage", "SHADER_STORAGE_READ")
IS_READ(uniform_texel, "vkCmdFillBuffer", "SHADER_SAMPLED_READ")
IS_READ(storage_texel, "vkCmdFillBuffer", "SHADER_STORAGE_READ")
IS_READ(storage_buffer, "vkCmdFillBuffer", "SHADER_STORAGE_READ")
IS_READ(uniform_buffer, "vkCmdFillBuffer", "UNIFORM_READ")
IS_WRITTEN(storage_image, "vkCmdClearColorImage")
IS_WRITTEN(storage_texel, "vkCmdFillBuffer")
IS_WRITTEN(storage_buffer, "vkCmdFillBuffer")

/* --- in other stages, secondaries --- */

/* A render pass instance between the two: what mends it stands before it. */
static void draw_element(struct baseline *b, uint32_t element, bool with_barrier)
{
    struct gpu g = array_of(b, gpu_kind_combined, gpu_stage_frag);
    make_bindless(&g);
    gpu_begin(&g);
    transfer_element(&g);
    if (with_barrier)
        order_elements(&g);
    shade_element(&g, element);
    gpu_submit(&g);
}

SCENARIO(read_by_a_fragment_shader, BINDLESS, RAW,
         .text = {
             "vkCmdDraw",
             "in VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT with VK_ACCESS_2_SHADER_SAMPLED_READ_BIT",
             "mend    a memory dependency, before the render pass instance"})
{
    draw_element(b, RACING, false);
}

SCENARIO(read_by_a_fragment_shader_beside, BINDLESS)
{
    draw_element(b, RACING + 1, false);
}

SCENARIO(read_by_a_fragment_shader_with_barrier, BINDLESS)
{
    draw_element(b, RACING, true);
}

/* Records a secondary. */
static void in_secondary(struct baseline *b, uint32_t element, bool twice)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    make_bindless(&g);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &info));
    g.commands = secondary;
    shade_element(&g, element);
    VK(vkEndCommandBuffer(secondary));
    g.commands = NULL;
    gpu_begin(&g);
    transfer_element(&g);
    vkCmdExecuteCommands(g.commands, 1, &secondary);
    if (twice) {
        order_elements(&g);
        vkCmdExecuteCommands(g.commands, 1, &secondary);
    }
    gpu_submit(&g);
}

SCENARIO(read_in_a_secondary, BINDLESS, RAW,
         .text = {"this    vkCmdDispatch, command 3 of VkCommandBuffer",
                  "executed by vkCmdExecuteCommands, command 1 of",
                  "earlier vkCmdFillBuffer, command 0", ELEMENT})
{
    in_secondary(b, RACING, false);
}

SCENARIO(read_in_a_secondary_beside, BINDLESS)
{
    in_secondary(b, RACING - 1, false);
}

/* It is unknown which of two executions accessed what. */
SCENARIO(read_in_a_secondary_that_runs_twice, BINDLESS)
{
    in_secondary(b, RACING, true);
}

/* --- between submissions --- */

static void submit_elements(struct gpu *g)
{
    VkSubmitInfo info = submit_info(&g->commands);
    VK(vkEndCommandBuffer(g->commands));
    VK(vkQueueSubmit(g->b->queue, 1, &info, VK_NULL_HANDLE));
}

static void begin_another(struct gpu *g)
{
    g->commands = NULL;
    gpu_begin(g);
}

enum between { NOTHING, BARRIER, WAIT };

static void race_between_submits(struct baseline *b, enum order order, uint32_t element,
                                 enum between between)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    make_bindless(&g);
    begin_another(&g);
    if (order == TRANSFER_FIRST)
        transfer_element(&g);
    else
        shade_element(&g, element);
    submit_elements(&g);
    if (between == WAIT)
        VK(vkQueueWaitIdle(b->queue));
    begin_another(&g);
    if (between == BARRIER)
        order_elements(&g);
    if (order == TRANSFER_FIRST)
        shade_element(&g, element);
    else
        transfer_element(&g);
    submit_elements(&g);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(read_in_next_submission, BINDLESS, RAW,
         .text = {"this    vkCmdDispatch, command 3", "(its submission 3)", ELEMENT,
                  "earlier vkCmdFillBuffer, command 0", "(its submission 2)"})
{
    race_between_submits(b, TRANSFER_FIRST, RACING, NOTHING);
}

SCENARIO(read_in_next_submission_beside, BINDLESS)
{
    race_between_submits(b, TRANSFER_FIRST, RACING - 1, NOTHING);
}

SCENARIO(read_in_next_submission_with_barrier, BINDLESS)
{
    race_between_submits(b, TRANSFER_FIRST, RACING, BARRIER);
}

SCENARIO(read_in_next_submission_after_wait, BINDLESS)
{
    race_between_submits(b, TRANSFER_FIRST, RACING, WAIT);
}

SCENARIO(transfer_in_next_submission, BINDLESS, WAR,
         .text = {"vkCmdFillBuffer (command 0 of VkCommandBuffer",
                  "the read by vkCmdDispatch (command 3", ELEMENT})
{
    race_between_submits(b, SHADER_FIRST, RACING, NOTHING);
}

SCENARIO(transfer_in_next_submission_beside, BINDLESS)
{
    race_between_submits(b, SHADER_FIRST, RACING - 1, NOTHING);
}

SCENARIO(transfer_in_next_submission_with_barrier, BINDLESS)
{
    race_between_submits(b, SHADER_FIRST, RACING, BARRIER);
}

SCENARIO(transfer_in_next_submission_after_wait, BINDLESS)
{
    race_between_submits(b, SHADER_FIRST, RACING, WAIT);
}

/* The host has waited for nothing when the same recording runs once more: it is unknown which
 * execution accessed what. */
SCENARIO(submitted_twice_at_once, BINDLESS)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    make_bindless(&g);
    g.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VK(vkBeginCommandBuffer(g.commands, &begin));
    order_elements(&g);
    transfer_element(&g);
    shade_element(&g, RACING);
    VK(vkEndCommandBuffer(g.commands));
    VkSubmitInfo info = submit_info(&g.commands);
    for (uint32_t i = 0; i < 2; i++)
        VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* A semaphore on one queue orders everything. */
SCENARIO(semaphore_between, BINDLESS)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const VkSemaphore semaphore = make_semaphore(b);
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    make_bindless(&g);
    begin_another(&g);
    transfer_element(&g);
    VK(vkEndCommandBuffer(g.commands));
    VkSubmitInfo info = submit_info(&g.commands);
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore;
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    begin_another(&g);
    shade_element(&g, RACING);
    VK(vkEndCommandBuffer(g.commands));
    info = submit_info(&g.commands);
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &semaphore;
    info.pWaitDstStageMask = &all;
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* Three frames of a program that waits for each two frames later: what is reported late names the
 * submission. */
SCENARIO(frames_in_flight, BINDLESS, RAW,
         .text = {"vkWaitForFences(): vkCmdDispatch (command 3 of VkCommandBuffer",
                  "(its submission 6)", ELEMENT})
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    VkFence fences[3];
    make_bindless(&g);
    for (uint32_t i = 0; i < 3; i++) {
        fences[i] = make_fence(b);
        begin_another(&g);
        if (i < 2)
            order_elements(&g);
        shade_element(&g, i ? RACING : 0);
        order_elements(&g);
        transfer_element(&g);
        VK(vkEndCommandBuffer(g.commands));
        VkSubmitInfo info = submit_info(&g.commands);
        VK(vkQueueSubmit(b->queue, 1, &info, fences[i]));
        if (i)
            VK(vkWaitForFences(b->device, 1, &fences[i - 1], VK_TRUE, UINT64_MAX));
        if (b->ours)
            ENSURE(seen_count(b, NULL) == 0);
    }
    VK(vkWaitForFences(b->device, 1, &fences[2], VK_TRUE, UINT64_MAX));
}

/* --- descriptors that change --- */

/* The array's element is written when the command buffer is recorded already, and once more after
 * the wait. */
static void update_late(struct baseline *b, bool racing)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.flags = LATE;
    make_bindless(&g);
    begin_another(&g);
    transfer_element(&g);
    shade_element(&g, 0);
    gpu_write(&g, 0, racing ? &g.own : &g.common);
    submit_elements(&g);
    VK(vkQueueWaitIdle(b->queue));
    gpu_write(&g, 0, racing ? &g.common : &g.own);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(racing_since_it_was_bound, BINDLESS, RAW,
         .text = {"vkCmdDispatch (command 4", "as descriptor set 0, binding 2, element 0"})
{
    update_late(b, true);
}

SCENARIO(racing_after_it_ran, BINDLESS)
{
    update_late(b, false);
}

/* The same recording, twice, with another element between. */
static void change_between(struct baseline *b, bool racing_first)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.flags = LATE;
    make_bindless(&g);
    VkCommandBuffer transfers[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin_another(&g);
        transfer_element(&g);
        VK(vkEndCommandBuffer(g.commands));
        transfers[i] = g.commands;
    }
    begin_another(&g);
    shade_element(&g, 0);
    VK(vkEndCommandBuffer(g.commands));
    for (uint32_t i = 0; i < 2; i++) {
        const VkCommandBuffer both[] = {transfers[i], g.commands};
        VkSubmitInfo info = submit_info(both);
        info.commandBufferCount = 2;
        gpu_write(&g, 0, racing_first == (i == 0) ? &g.own : &g.common);
        VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
        VK(vkQueueWaitIdle(b->queue));
        if (b->ours)
            ENSURE(seen_count(b, NULL) == (racing_first || i));
    }
}

SCENARIO(racing_in_the_first_submission, BINDLESS, RAW, .text = {"(its submission 2)", "element 0"})
{
    change_between(b, true);
}

SCENARIO(racing_in_the_second_submission, BINDLESS, RAW,
         .text = {"(its submission 3)", "element 0"})
{
    change_between(b, false);
}

/* --- what is not executed, and what is said once --- */

static void race_conditionally(struct baseline *b, uint32_t other)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_atomic_storage_buffer);
    g.other = other;
    make_bindless(&g);
    gpu_begin(&g);
    transfer_element(&g);
    shade_element(&g, RACING);
    gpu_submit(&g);
}

SCENARIO(atomic_in_a_branch, BINDLESS, WAW, .text = {"writes bytes 0 to 3 of VkBuffer", ELEMENT})
{
    race_conditionally(b, 0);
}

SCENARIO(atomic_in_a_branch_not_taken, BINDLESS)
{
    race_conditionally(b, 1);
}

/* All elements, of which one is racing: reported once, by that one. */
static void race_in_loop(struct baseline *b, uint32_t first, uint32_t end)
{
    struct gpu g = array_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_read_all_storage_buffers);
    g.other = end;
    make_bindless(&g);
    gpu_begin(&g);
    transfer_element(&g);
    shade_element(&g, first);
    gpu_submit(&g);
    if (b->ours)
        ENSURE(seen_count(b, NULL) == (first <= RACING && RACING < end));
}

SCENARIO(loop_over_all, BINDLESS, RAW, .text = {"reads bytes 0 to 63 of VkBuffer", ELEMENT})
{
    race_in_loop(b, 0, GPU_LENGTH);
}

SCENARIO(loop_behind_it, BINDLESS)
{
    race_in_loop(b, RACING + 1, GPU_LENGTH);
}

/* --- settings --- */

#define RUN_RACING race_within(b, gpu_kind_storage_buffer, false, TRANSFER_FIRST, RACING, false)

SCENARIO(without_the_gpu_side, .drivers = LAVAPIPE, .settings = {"validate_sync=true"},
         .features = &gpu_features_plain)
{
    RUN_RACING;
}

SCENARIO(switched_off,
         GPU_SETTINGS("validate_sync=true", "gpuav_post_process_descriptor_indexing=false"),
         .features = &gpu_features_plain)
{
    RUN_RACING;
}

/* It takes all elements for accessed, and tells of it when the command is recorded. */
SCENARIO(with_the_heuristic,
         GPU_SETTINGS("validate_sync=true", "syncval_shader_accesses_heuristic=true"),
         .features = &gpu_features_plain, RAW, .text = {"vkCmdDispatch(): reads"})
{
    RUN_RACING;
}
