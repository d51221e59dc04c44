/* Reports of hazards name masks as the program wrote them, by the names that the command's
 * structures have. They say where a barrier belongs that cannot order what it is meant for. */
#include "sync/sync_world.h"

#define SYNC \
    .settings = {"validate_sync=true", "validate_core=false"}, .proceed = true, .ours_only = true
#define RAW        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define DO(which_) operation_##which_.record(w)
#define SCRIPT(name_, features_, statements_, ...)                 \
    SCENARIO(name_, SYNC, .features = &(features_), ##__VA_ARGS__) \
    {                                                              \
        struct world world, *w = &world;                           \
        world_begin(b, w);                                         \
        statements_;                                               \
    }
#define STAGE(x_)  VK_PIPELINE_STAGE_##x_##_BIT
#define ACCESS(x_) VK_ACCESS_##x_##_BIT

static void order_words(struct world *w, VkPipelineStageFlags to, VkAccessFlags visible)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = ACCESS(TRANSFER_WRITE),
                                    .dstAccessMask = visible};
    vkCmdPipelineBarrier(w->commands, STAGE(TRANSFER), to, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void order_words2(struct world *w, VkPipelineStageFlags2 to, VkAccessFlags2 visible)
{
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = to,
                                     .dstAccessMask = visible};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(w->commands, &info);
}

/* Both have VK_PIPELINE_STAGE_TRANSFER_BIT, so that the access is what is missing. */
SCRIPT(
    masks_of_version_1, world_features,
    {
        DO(fill_buffer);
        order_words(w, STAGE(ALL_GRAPHICS) | STAGE(TRANSFER),
                    ACCESS(SHADER_READ) | ACCESS(UNIFORM_READ));
        DO(copy_from_buffer);
    },
    RAW,
    .text = {"which makes the write visible only to VK_ACCESS_UNIFORM_READ_BIT | "
             "VK_ACCESS_SHADER_READ_BIT in VK_PIPELINE_STAGE_TRANSFER_BIT | "
             "VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, not to VK_ACCESS_TRANSFER_READ_BIT in "
             "VK_PIPELINE_STAGE_TRANSFER_BIT"})
SCRIPT(
    masks_of_version_2, world_features,
    {
        DO(fill_buffer);
        order_words2(w, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW,
    .text = {"visible only to VK_ACCESS_2_SHADER_SAMPLED_READ_BIT in "
             "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, not to VK_ACCESS_2_TRANSFER_READ_BIT in "
             "VK_PIPELINE_STAGE_2_COPY_BIT"})
SCRIPT(
    stages_that_wait, world_features,
    {
        DO(fill_buffer);
        order_words(w, STAGE(VERTEX_SHADER), ACCESS(SHADER_READ));
        DO(copy_from_buffer);
    },
    RAW,
    .text = {"which makes only VK_PIPELINE_STAGE_VERTEX_SHADER_BIT wait, not "
             "VK_PIPELINE_STAGE_TRANSFER_BIT"})

/* --- a layout transition in a render pass instance, which must not be --- */

static void transition_in_pass(struct world *w, VkPipelineStageFlags to, VkAccessFlags visible)
{
    const VkSubpassDependency itself = {.srcStageMask = STAGE(COLOR_ATTACHMENT_OUTPUT),
                                        .dstStageMask = STAGE(COLOR_ATTACHMENT_OUTPUT),
                                        .srcAccessMask = ACCESS(COLOR_ATTACHMENT_WRITE),
                                        .dstAccessMask = ACCESS(COLOR_ATTACHMENT_WRITE),
                                        .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
    VkRenderPassCreateInfo info = render_pass_info();
    info.dependencyCount = 1;
    info.pDependencies = &itself;
    VkRenderPass pass = create_render_pass(w->b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    VkImageMemoryBarrier barrier =
        image_barrier(w->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = visible;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdPipelineBarrier(w->commands, STAGE(COLOR_ATTACHMENT_OUTPUT), to,
                         VK_DEPENDENCY_BY_REGION_BIT, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdEndRenderPass(w->commands);
}

static void then_copy(struct world *w)
{
    DO(copy_from_image);
    expect_text(w->b, "between only the barrier of the layout transition, which is in a render "
                      "pass instance and "
                      "orders the commands of its subpass alone");
    expect_text(w->b,
                "mend    vkCmdPipelineBarrier (command 4), moved before the render pass "
                "instance that it is in: inside, it orders the commands of its subpass alone");
}
SCRIPT(
    transition_that_belongs_before_the_pass, world_features,
    {
        transition_in_pass(w, STAGE(TRANSFER), ACCESS(TRANSFER_READ));
        then_copy(w);
        expect_no_text(b, "|=");
    },
    RAW)
SCRIPT(
    transition_that_lacks_the_access_too, world_features,
    {
        transition_in_pass(w, STAGE(COLOR_ATTACHMENT_OUTPUT), ACCESS(COLOR_ATTACHMENT_READ));
        then_copy(w);
        expect_text(b, "barrier.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT;");
    },
    RAW)
