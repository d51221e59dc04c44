/* Writes after writes. The earlier one has to be made available, and no more: "X is a write and Y
 * is a write, and X->AV(A,R,D,L)->DOM(D,D)->Y" (appendix "Memory Model", "Location-Ordered"). A
 * read has to see it as well. */
#include "sync/sync_world.h"

#define OURS       .ours_only = true
#define DO(which_) operation_##which_.record(w)
#define WAW        .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}
#define RAW        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define STAGE(x_)  VK_PIPELINE_STAGE_##x_##_BIT
#define ACCESS(x_) VK_ACCESS_##x_##_BIT

static void make_available(struct world *w, VkPipelineStageFlags from, VkAccessFlags available,
                           VkPipelineStageFlags to, VkAccessFlags visible)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = available,
                                    .dstAccessMask = visible};
    vkCmdPipelineBarrier(w->commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void transition_available(struct world *w, VkPipelineStageFlags to)
{
    VkImageMemoryBarrier image =
        image_barrier(w->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    image.srcAccessMask = image.dstAccessMask = 0;
    vkCmdPipelineBarrier(w->commands, STAGE(ALL_COMMANDS), to, 0, 0, NULL, 0, NULL, 1, &image);
}

#define SCRIPT(name_, statements_, ...)         \
    SCENARIO(name_, WORLD, OURS, ##__VA_ARGS__) \
    {                                           \
        struct world world, *w = &world;        \
        world_begin(b, w);                      \
        statements_;                            \
    }

#define BETWEEN(first_, second_, available_, visible_)                                        \
    {                                                                                         \
        DO(first_);                                                                           \
        make_available(w, (VkPipelineStageFlags)STAGE(TRANSFER), available_, STAGE(TRANSFER), \
                       visible_);                                                             \
        DO(second_);                                                                          \
    }
SCRIPT(write_of_what_reads_would_see,
       BETWEEN(clear_image, copy_to_image, ACCESS(TRANSFER_WRITE), ACCESS(TRANSFER_READ)))
SCRIPT(write_of_what_any_read_would_see,
       BETWEEN(clear_image, copy_to_image, ACCESS(MEMORY_WRITE), ACCESS(MEMORY_READ)))
SCRIPT(write_of_what_nothing_sees, BETWEEN(clear_image, copy_to_image, ACCESS(TRANSFER_WRITE), 0))
SCRIPT(write_of_what_is_not_available,
       BETWEEN(clear_image, copy_to_image, 0, ACCESS(TRANSFER_READ)), WAW)
SCRIPT(read_of_what_only_writes_see,
       BETWEEN(clear_image, copy_from_image, ACCESS(TRANSFER_WRITE), ACCESS(TRANSFER_WRITE)), RAW)

/* A chain: available by the first barrier, ordered by the second one. */
SCRIPT(write_after_a_chain, {
    DO(fill_buffer);
    make_available(w, STAGE(TRANSFER), ACCESS(TRANSFER_WRITE), STAGE(VERTEX_SHADER),
                   ACCESS(SHADER_READ));
    make_available(w, STAGE(VERTEX_SHADER), 0, STAGE(COMPUTE_SHADER), 0);
    DO(dispatch_write);
})
SCRIPT(
    write_in_another_stage,
    {
        DO(fill_buffer);
        make_available(w, STAGE(TRANSFER), ACCESS(TRANSFER_WRITE), STAGE(VERTEX_SHADER),
                       ACCESS(SHADER_READ));
        DO(dispatch_write);
    },
    WAW)

/* "Writes performed by a layout transition are automatically made available." */
SCRIPT(store_after_a_transition, {
    transition_available(w, STAGE(COMPUTE_SHADER));
    DO(dispatch_store);
})
SCRIPT(
    load_after_a_transition,
    {
        transition_available(w, STAGE(COMPUTE_SHADER));
        DO(dispatch_load);
    },
    RAW)
SCRIPT(
    store_in_another_stage_than_the_transition,
    {
        transition_available(w, STAGE(TRANSFER));
        DO(dispatch_store);
    },
    WAW)
