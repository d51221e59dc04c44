/* One buffer and one image that commands of every family access, to put two of them in a row.
 * Nothing is between them, or an execution dependency only, or the memory dependency that they
 * need. */
#ifndef ASSAY_SCENARIOS_SYNC_WORLD_H
#define ASSAY_SCENARIOS_SYNC_WORLD_H

#include "scenario.h"

#define WORLD_BYTES (IMAGE_EXTENT * IMAGE_EXTENT * 4) /* of the buffer: as the image has */

struct world {
    struct baseline *b;
    VkCommandBuffer commands;
    VkBuffer buffer, other_buffer;
    VkImage image, other_image;
    VkImageView view;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkQueryPool queries;
};

/* A command buffer that records. The images are in VK_IMAGE_LAYOUT_GENERAL, and everything may be
 * done with them. */
void world_begin(struct baseline *b, struct world *w);
/* Another command buffer, of the same objects. */
void world_record(struct world *w);

/* A command that accesses the buffer, or the image. */
struct operation {
    void (*record)(struct world *w);
    VkPipelineStageFlags2 stage;
    VkAccessFlags2 access;
};
#define OPERATIONS_X(X)                                                                         \
    X(copy_from_buffer, COPY, TRANSFER_READ, "vkCmdCopyBuffer")                                 \
    X(copy_to_buffer, COPY, TRANSFER_WRITE, "vkCmdCopyBuffer")                                  \
    X(copy2_from_buffer, COPY, TRANSFER_READ, "vkCmdCopyBuffer2")                               \
    X(copy2_to_buffer, COPY, TRANSFER_WRITE, "vkCmdCopyBuffer2")                                \
    X(fill_buffer, CLEAR, TRANSFER_WRITE, "vkCmdFillBuffer")                                    \
    X(update_buffer, CLEAR, TRANSFER_WRITE, "vkCmdUpdateBuffer")                                \
    X(buffer_to_image, COPY, TRANSFER_READ, "vkCmdCopyBufferToImage")                           \
    X(image_to_buffer, COPY, TRANSFER_WRITE, "vkCmdCopyImageToBuffer")                          \
    X(copy_results, COPY, TRANSFER_WRITE, "vkCmdCopyQueryPoolResults")                          \
    X(dispatch_write, COMPUTE_SHADER, SHADER_STORAGE_WRITE, "vkCmdDispatch")                    \
    X(dispatch_read, COMPUTE_SHADER, SHADER_STORAGE_READ, "vkCmdDispatch")                      \
    X(dispatch_uniform, COMPUTE_SHADER, UNIFORM_READ, "vkCmdDispatch")                          \
    X(dispatch_indirect, DRAW_INDIRECT, INDIRECT_COMMAND_READ, "vkCmdDispatchIndirect")         \
    X(draw_vertices, VERTEX_ATTRIBUTE_INPUT, VERTEX_ATTRIBUTE_READ, "vkCmdDraw")                \
    X(draw_indices, INDEX_INPUT, INDEX_READ, "vkCmdDrawIndexed")                                \
    X(draw_indirect, DRAW_INDIRECT, INDIRECT_COMMAND_READ, "vkCmdDrawIndirect")                 \
    X(draw_indexed_vertices, VERTEX_ATTRIBUTE_INPUT, VERTEX_ATTRIBUTE_READ, "vkCmdDrawIndexed") \
    X(draw_store, FRAGMENT_SHADER, SHADER_STORAGE_WRITE, "vkCmdDraw")                           \
    X(copy_from_image, COPY, TRANSFER_READ, "vkCmdCopyImage")                                   \
    X(copy_to_image, COPY, TRANSFER_WRITE, "vkCmdCopyImage")                                    \
    X(copy2_to_image, COPY, TRANSFER_WRITE, "vkCmdCopyImage2")                                  \
    X(read_image, COPY, TRANSFER_READ, "vkCmdCopyImageToBuffer")                                \
    X(write_image, COPY, TRANSFER_WRITE, "vkCmdCopyBufferToImage")                              \
    X(blit_from, BLIT, TRANSFER_READ, "vkCmdBlitImage")                                         \
    X(blit_to, BLIT, TRANSFER_WRITE, "vkCmdBlitImage")                                          \
    X(clear_image, CLEAR, TRANSFER_WRITE, "vkCmdClearColorImage")                               \
    X(dispatch_sample, COMPUTE_SHADER, SHADER_SAMPLED_READ, "vkCmdDispatch")                    \
    X(dispatch_load, COMPUTE_SHADER, SHADER_STORAGE_READ, "vkCmdDispatch")                      \
    X(dispatch_store, COMPUTE_SHADER, SHADER_STORAGE_WRITE, "vkCmdDispatch")                    \
    X(draw_sample, FRAGMENT_SHADER, SHADER_SAMPLED_READ, "vkCmdDraw")                           \
    X(rendering_load, COLOR_ATTACHMENT_OUTPUT, COLOR_ATTACHMENT_READ, "vkCmdBeginRendering")    \
    X(rendering_clear, COLOR_ATTACHMENT_OUTPUT, COLOR_ATTACHMENT_WRITE, "vkCmdBeginRendering")

#define DECLARE_OPERATION(name_, stage_, access_, command_) \
    extern const struct operation operation_##name_;
OPERATIONS_X(DECLARE_OPERATION)
#undef DECLARE_OPERATION

/* The code of some of them, for users that bind it otherwise. */
struct world_code {
    const uint32_t *words;
    size_t size; /* bytes */
};
extern const struct world_code world_code_position, world_code_read_storage, world_code_sample,
    world_code_sample_fragment, world_code_store;

void world_barrier(struct world *w, const struct operation *first, const struct operation *second,
                   bool memory);
void world_resource_barrier(struct world *w, const struct operation *first,
                            const struct operation *second);

extern const VkPhysicalDeviceVulkan13Features world_features;
#define WORLD                                                                                      \
    .settings = {"validate_sync=true", "syncval_shader_accesses_heuristic=true"}, .proceed = true, \
    .features = &world_features

#define PAIR_SCENARIO(name_, first_, second_, between_, ...) \
    SCENARIO(name_, WORLD, ##__VA_ARGS__)                    \
    {                                                        \
        struct world world, *w = &world;                     \
        world_begin(b, w);                                   \
        operation_##first_.record(w);                        \
        between_;                                            \
        operation_##second_.record(w);                       \
    }
#define PAIR_TEXT(first_command_, second_command_) \
    .text = {second_command_ "(): ", "by " first_command_ " (command "}
#define MEMORY(first_, second_, memory_) \
    world_barrier(w, &operation_##first_, &operation_##second_, memory_)
#define RESOURCE(first_, second_) \
    world_resource_barrier(w, &operation_##first_, &operation_##second_)

/* A second access that needs what the first one wrote, or writes over it: an execution dependency
 * is not enough. */
#define AFTER_WRITE(kind_, first_, first_command_, second_, second_command_)                     \
    PAIR_SCENARIO(first_##_then_##second_, first_, second_, (void)0,                             \
                  .expect = {"SYNC-HAZARD-" #kind_ "-AFTER-WRITE"},                              \
                  PAIR_TEXT(first_command_, second_command_))                                    \
    PAIR_SCENARIO(first_##_executed_before_##second_, first_, second_,                           \
                  MEMORY(first_, second_, false),                                                \
                  .expect = {"SYNC-HAZARD-" #kind_ "-AFTER-WRITE"},                              \
                  PAIR_TEXT(first_command_, second_command_))                                    \
    PAIR_SCENARIO(first_##_visible_to_##second_, first_, second_, MEMORY(first_, second_, true)) \
    PAIR_SCENARIO(first_##_resource_visible_to_##second_, first_, second_,                       \
                  RESOURCE(first_, second_))
/* A write after a read: an execution dependency is enough. */
#define AFTER_READ(first_, first_command_, second_, second_command_) \
    PAIR_SCENARIO(first_##_then_##second_, first_, second_, (void)0, \
                  .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"},        \
                  PAIR_TEXT(first_command_, second_command_))        \
    PAIR_SCENARIO(first_##_done_before_##second_, first_, second_, MEMORY(first_, second_, false))
/* Two reads. */
#define BOTH_READ(first_, second_) \
    PAIR_SCENARIO(first_##_beside_##second_, first_, second_, (void)0)

#endif
