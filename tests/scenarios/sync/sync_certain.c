/* Hazards of shaders' accesses with the settings as they come: only those that are certain. Shaders
 * access parts of a buffer or image that constants, their invocations or a sampler choose.
 * Transfers access the same part, another one, or all. */
#include "sync/sync_world.h"

#include "shader_certain.h"

#define SURE .settings = {"validate_sync=true"}, .proceed = true, .features = &world_features
#define GUESSED                                                                                    \
    .settings = {"validate_sync=true", "syncval_shader_accesses_heuristic=true"}, .proceed = true, \
    .features = &world_features
#define RAW .ours_only = true, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define WAR .ours_only = true, .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}
#define WAW .ours_only = true, .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}

#define FROM_BYTES (1u << 20)
#define LEVELS     4

/* The parts that the shaders access. Threads: on the stack. */
struct parts {
    struct baseline *b;
    VkCommandBuffer commands;
    VkBuffer from, to;
    VkImage image; /* of LEVELS mip levels */
    VkImageView view;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void write_parts_set(struct parts *p, uint32_t binding, VkDescriptorType type,
                            const VkDescriptorBufferInfo *buffer,
                            const VkDescriptorImageInfo *image)
{
    VkWriteDescriptorSet write = write_buffer(p->set, buffer);
    write.dstBinding = binding;
    write.descriptorCount = binding == 4 ? 2 : 1;
    write.descriptorType = type;
    write.pImageInfo = image;
    vkUpdateDescriptorSets(p->b->device, 1, &write, 0, NULL);
}

static void make_parts_set(struct parts *p)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_ALL, NULL},
        {4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL, NULL},
    };
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 5;
    info.pBindings = bindings;
    p->set_layout = create_descriptor_set_layout(p->b, &info);
    p->layout = make_pipeline_layout(p->b, p->set_layout);
    p->set = make_descriptor_set(p->b, make_descriptor_pool(p->b), p->set_layout);
    const VkDescriptorBufferInfo both[] = {{p->from, 0, VK_WHOLE_SIZE}, {p->to, 0, VK_WHOLE_SIZE}};
    write_parts_set(p, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &both[0], NULL);
    write_parts_set(p, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &both[1], NULL);
    write_parts_set(p, 4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, both, NULL);
}

/* Binding 2: all levels, through a sampler that clamps to `most`. */
static void sample_to(struct parts *p, float most)
{
    VkSamplerCreateInfo info = sampler_info();
    info.maxLod = most;
    const VkDescriptorImageInfo image = {create_sampler(p->b, &info), p->view,
                                         VK_IMAGE_LAYOUT_GENERAL};
    write_parts_set(p, 2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, NULL, &image);
}

static void parts_to_general(struct parts *p, VkImage image, VkImageSubresourceRange range)
{
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.subresourceRange = range;
    vkCmdPipelineBarrier(p->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void parts_begin(struct baseline *b, struct parts *p)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    *p = (struct parts){.b = b};
    p->from = make_buffer(b, FROM_BYTES, usage);
    p->to = make_buffer(b, FROM_BYTES, usage);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                         VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    image.mipLevels = LEVELS;
    p->image = make_image_of(b, &image);
    VkImageViewCreateInfo view = image_view_info(p->image);
    view.subresourceRange.levelCount = LEVELS;
    p->view = create_image_view(b, &view);
    make_parts_set(p);
    sample_to(p, LEVELS);
    view.subresourceRange.levelCount = 1;
    const VkDescriptorImageInfo stored = {VK_NULL_HANDLE, create_image_view(b, &view),
                                          VK_IMAGE_LAYOUT_GENERAL};
    write_parts_set(p, 3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, NULL, &stored);
    p->commands = make_recording(b);
    VkImageSubresourceRange all = color_range();
    all.levelCount = LEVELS;
    parts_to_general(p, p->image, all);
}

static void bind_code(struct parts *p, const uint32_t *code, size_t size,
                      VkPipelineCreateFlags flags)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(p->b, code, size), p->layout);
    info.flags = flags;
    vkCmdBindPipeline(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(p->b, &info));
    vkCmdBindDescriptorSets(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set,
                            0, NULL);
    vkCmdPushConstants(p->commands, p->layout, VK_SHADER_STAGE_ALL, 0, 16, (const uint32_t[4]){0});
}
#define BIND(name_, flags_) bind_code(p, spirv_##name_, sizeof(spirv_##name_), flags_)

static void dispatch_certain(struct parts *p, const uint32_t *code, size_t size)
{
    bind_code(p, code, size, 0);
    vkCmdDispatch(p->commands, 1, 1, 1);
}
#define DISPATCH(name_) dispatch_certain(p, spirv_##name_, sizeof(spirv_##name_))

static void fill_part(struct parts *p, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    vkCmdFillBuffer(p->commands, buffer, offset, size, 0);
}

static void copy_part(struct parts *p, VkDeviceSize offset, VkDeviceSize size)
{
    const VkBufferCopy region = {offset, offset, size};
    vkCmdCopyBuffer(p->commands, p->from, p->to, 1, &region);
}

static void clear_part(struct parts *p, uint32_t first, uint32_t count)
{
    const VkClearColorValue color = {{0}};
    VkImageSubresourceRange range = color_range();
    range.baseMipLevel = first;
    range.levelCount = count;
    vkCmdClearColorImage(p->commands, p->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

/* A corner of the first level. */
static void copy_corner(struct parts *p)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageOffset = {32, 32, 0},
                                      .imageExtent = {16, 16, 1}};
    vkCmdCopyBufferToImage(p->commands, p->from, p->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

#define PARTS(name_, how_, statements_, ...) \
    SCENARIO(name_, how_, ##__VA_ARGS__)     \
    {                                        \
        struct parts parts, *p = &parts;     \
        parts_begin(b, p);                   \
        statements_;                         \
    }

/* --- buffers: an invocation's number chooses --- */

PARTS(other_part_is_filled_after_indexed_read, SURE, {
    DISPATCH(indexed);
    fill_part(p, p->from, FROM_BYTES / 2, 4096);
})
PARTS(other_part_is_filled_before_indexed_read, SURE, {
    fill_part(p, p->from, FROM_BYTES / 2, 4096);
    DISPATCH(indexed);
})
PARTS(other_part_is_copied_after_indexed_write, SURE, {
    DISPATCH(indexed);
    copy_part(p, 2048, 1024);
})
PARTS(
    other_part_is_filled_after_indexed_read_guessed, GUESSED,
    {
        DISPATCH(indexed);
        fill_part(p, p->from, FROM_BYTES / 2, 4096);
    },
    WAR)
PARTS(
    all_is_filled_after_indexed_read, SURE,
    {
        DISPATCH(indexed);
        fill_part(p, p->from, 0, VK_WHOLE_SIZE);
    },
    WAR, .text = {"vkCmdFillBuffer(): writes bytes 0 to 255 of VkBuffer", "by vkCmdDispatch"})
PARTS(
    all_is_filled_before_indexed_read, SURE,
    {
        fill_part(p, p->from, 0, VK_WHOLE_SIZE);
        DISPATCH(indexed);
    },
    RAW, .text = {"vkCmdDispatch(): reads bytes 0 to 255 of VkBuffer", "by vkCmdFillBuffer"})
/* The two fills are one hazard, wherever the invocations read. */
PARTS(
    halves_are_filled_before_indexed_read, SURE,
    {
        fill_part(p, p->from, 0, FROM_BYTES / 2);
        fill_part(p, p->from, FROM_BYTES / 2, FROM_BYTES / 2);
        DISPATCH(indexed);
    },
    RAW)
static void make_visible(struct parts *p, VkPipelineStageFlags stage, VkAccessFlags access)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = access,
                                     .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    vkCmdPipelineBarrier(p->commands, stage, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier,
                         0, NULL, 0, NULL);
}
PARTS(half_is_filled_and_visible_before_indexed_read, SURE, {
    fill_part(p, p->from, 0, FROM_BYTES / 2);
    make_visible(p, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    fill_part(p, p->from, FROM_BYTES / 2, FROM_BYTES / 2);
    DISPATCH(indexed);
})
PARTS(
    all_is_copied_after_indexed_write, SURE,
    {
        DISPATCH(indexed);
        copy_part(p, 0, FROM_BYTES);
    },
    WAW)

static void submit_each(struct parts *p, VkCommandBuffer first)
{
    const VkCommandBuffer both[] = {first, p->commands};
    VkSubmitInfo info = submit_info(both);
    info.commandBufferCount = 2;
    vkEndCommandBuffer(first);
    vkEndCommandBuffer(p->commands);
    vkQueueSubmit(p->b->queue, 1, &info, VK_NULL_HANDLE);
    vkQueueWaitIdle(p->b->queue);
}
PARTS(other_part_is_filled_in_next_command_buffer, SURE, {
    VkCommandBuffer first = p->commands;
    DISPATCH(indexed);
    p->commands = make_recording(b);
    fill_part(p, p->from, FROM_BYTES / 2, 4096);
    submit_each(p, first);
})
PARTS(
    all_is_filled_in_next_command_buffer, SURE,
    {
        VkCommandBuffer first = p->commands;
        DISPATCH(indexed);
        p->commands = make_recording(b);
        fill_part(p, p->from, 0, VK_WHOLE_SIZE);
        submit_each(p, first);
    },
    WAR)

/* --- buffers: constants choose --- */

/* items[1].second[2]: 16 + 32 + 16 + 8 */
#define CONSTANT 72
PARTS(
    constant_that_was_filled, SURE,
    {
        fill_part(p, p->from, CONSTANT, 4);
        DISPATCH(constant);
    },
    RAW, .text = {"reads bytes 72 to 75 of VkBuffer"})
PARTS(constant_beside_what_was_filled, SURE, {
    fill_part(p, p->from, 0, CONSTANT);
    fill_part(p, p->from, CONSTANT + 4, 4096);
    DISPATCH(constant);
})
PARTS(
    constant_that_is_filled, SURE,
    {
        DISPATCH(constant);
        fill_part(p, p->to, 16, 4);
    },
    WAW, .text = {"writes bytes 16 to 19 of VkBuffer"})
PARTS(constant_beside_what_is_filled, SURE, {
    DISPATCH(constant);
    fill_part(p, p->to, 0, 16);
    fill_part(p, p->to, 20, 4096);
})

/* --- buffers: each invocation has its element --- */

/* 64 numbers of each workgroup */
#define EACH 256
static void dispatch_groups(struct parts *p, uint32_t first, uint32_t count)
{
    vkCmdDispatchBase(p->commands, first, 0, 0, count, 1, 1);
}
#define DISPATCH_GROUPS(name_, first_, count_)             \
    do {                                                   \
        BIND(name_, VK_PIPELINE_CREATE_DISPATCH_BASE_BIT); \
        dispatch_groups(p, first_, count_);                \
    } while (0)
PARTS(
    elements_that_were_written, SURE,
    {
        DISPATCH(each);
        DISPATCH(each_read);
    },
    RAW, .text = {"reads bytes 0 to 255 of VkBuffer"})
PARTS(
    elements_that_are_filled, SURE,
    {
        DISPATCH(each);
        fill_part(p, p->to, EACH - 4, 4);
    },
    WAW, .text = {"writes bytes 252 to 255 of VkBuffer"})
PARTS(elements_beside_what_is_filled, SURE, {
    DISPATCH(each);
    fill_part(p, p->to, EACH, 4096);
})
PARTS(elements_of_other_workgroups, SURE, {
    DISPATCH_GROUPS(each, 0, 2);
    DISPATCH_GROUPS(each, 2, 1);
    fill_part(p, p->to, 3 * EACH, 256);
})
PARTS(
    elements_of_the_same_workgroup, SURE,
    {
        DISPATCH_GROUPS(each, 0, 3);
        DISPATCH_GROUPS(each, 2, 2);
    },
    WAW, .text = {"writes bytes 512 to 767 of VkBuffer"})
/* Whatever the other one reads, it reads what was written. */
PARTS(
    any_of_the_elements_that_were_written, SURE,
    {
        DISPATCH_GROUPS(each, 0, FROM_BYTES / EACH);
        DISPATCH(after_branch_back);
    },
    RAW, .text = {"reads bytes 0 to 1048575 of VkBuffer"})
PARTS(any_of_more_than_was_written, SURE, {
    DISPATCH_GROUPS(each, 0, FROM_BYTES / EACH - 1);
    DISPATCH(after_branch_back);
})
PARTS(elements_that_were_made_visible, SURE, {
    DISPATCH(each);
    make_visible(p, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    DISPATCH(each_read);
})
PARTS(
    elements_written_in_the_command_buffer_before, SURE,
    {
        VkCommandBuffer first = p->commands;
        DISPATCH(each);
        p->commands = make_recording(b);
        DISPATCH(each_read);
        submit_each(p, first);
    },
    RAW, .text = {"reads bytes 0 to 255 of VkBuffer"})
PARTS(elements_up_to_some, SURE, {
    DISPATCH(each_of_half);
    DISPATCH(each_of_half);
})
PARTS(elements_further_on, SURE, {
    DISPATCH(each_further);
    DISPATCH(each_further);
})
PARTS(number_that_was_moved, SURE, {
    DISPATCH(each_moved);
    DISPATCH(each_moved);
})
PARTS(number_that_a_function_was_given, SURE, {
    DISPATCH(each_given);
    DISPATCH(each_given);
})
PARTS(row_that_each_reads, SURE, {
    fill_part(p, p->to, EACH, 4096);
    DISPATCH(each_column);
})
PARTS(
    column_that_was_written, SURE,
    {
        DISPATCH(each_column);
        DISPATCH(each_column);
    },
    WAW, .text = {"writes bytes 0 to 255 of VkBuffer"})
/* items[0].color and kind: 16 + 16 */
PARTS(
    members_of_elements, SURE,
    {
        DISPATCH(each_local);
        fill_part(p, p->to, 32, 4);
    },
    WAW, .text = {"writes bytes 32 to 35 of VkBuffer"})
PARTS(beside_members_of_elements, SURE, {
    DISPATCH(each_local);
    fill_part(p, p->to, 16, 16);
    fill_part(p, p->to, 48, 16);
})

/* Specialization says how wide the workgroup is: 32. */
static const VkPhysicalDeviceVulkan13Features sized_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .synchronization2 = VK_TRUE,
    .maintenance4 = VK_TRUE};
static void fill_after_sized(struct baseline *b, VkDeviceSize offset)
{
    static const uint32_t width = 32;
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(width)};
    static const VkSpecializationInfo specialization = {1, &entry, sizeof(width), &width};
    struct parts parts, *p = &parts;
    parts_begin(b, p);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, spirv_each_sized, sizeof(spirv_each_sized)),
                              p->layout);
    info.stage.pSpecializationInfo = &specialization;
    vkCmdBindPipeline(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(b, &info));
    vkCmdBindDescriptorSets(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set,
                            0, NULL);
    vkCmdDispatch(p->commands, 2, 1, 1);
    fill_part(p, p->to, offset, 4);
}
#define SIZED .settings = {"validate_sync=true"}, .proceed = true, .features = &sized_features
SCENARIO(elements_of_a_sized_workgroup, SIZED, WAW, .text = {"writes bytes 252 to 255 of VkBuffer"})
{
    fill_after_sized(b, 252);
}
SCENARIO(beside_elements_of_a_sized_workgroup, SIZED)
{
    fill_after_sized(b, 256);
}

/* The shaders make it available and visible by themselves; an execution dependency is enough. */
static void wait_for_shaders(struct parts *p)
{
    vkCmdPipelineBarrier(p->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}
PARTS(coherent_elements, SURE, {
    DISPATCH(each_coherent);
    wait_for_shaders(p);
    DISPATCH(each_coherent_read);
})
PARTS(
    elements_that_are_coherent_only_where_they_are_read, SURE,
    {
        DISPATCH(each);
        wait_for_shaders(p);
        DISPATCH(each_coherent_read);
    },
    RAW)
PARTS(
    coherent_elements_that_are_copied_over, SURE,
    {
        DISPATCH(each_coherent);
        wait_for_shaders(p);
        copy_part(p, 0, EACH);
    },
    WAW)

/* Two elements of an array, the second one only in a branch. */
PARTS(
    element_that_is_written, SURE,
    {
        DISPATCH(element);
        fill_part(p, p->to, 16, 4);
    },
    WAW)
PARTS(elements_of_which_one_may_not_be_written, SURE, {
    DISPATCH(elements);
    fill_part(p, p->to, 16, 4);
})

/* --- images: each invocation has its texel --- */

/* The image has 64 texels a side. */
#define DISPATCH_TEXELS(name_, side_)                            \
    do {                                                         \
        BIND(name_, 0);                                          \
        vkCmdDispatch(p->commands, (side_) / 8, (side_) / 8, 1); \
    } while (0)
PARTS(
    texels_that_were_written, SURE,
    {
        DISPATCH_TEXELS(texels, 64);
        DISPATCH_TEXELS(texels_read, 16);
    },
    RAW, .allow = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
PARTS(
    texels_that_are_sampled, SURE,
    {
        sample_to(p, 0);
        DISPATCH_TEXELS(texels, 72);
        DISPATCH(sample_level);
    },
    RAW)
PARTS(
    texels_that_are_cleared, SURE,
    {
        DISPATCH_TEXELS(texels, 64);
        clear_part(p, 0, 1);
    },
    WAW)
PARTS(
    texels_that_are_written_again, SURE,
    {
        DISPATCH_TEXELS(texels, 64);
        DISPATCH_TEXELS(texels, 64);
    },
    WAW)
/* The same by the Vulkan memory model: MakeTexelAvailable and MakeTexelVisible. */
static const VkPhysicalDeviceVulkan12Features scopes_of_device = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&sized_features,
    .vulkanMemoryModel = VK_TRUE,
    .vulkanMemoryModelDeviceScope = VK_TRUE};
#define SCOPES .settings = {"validate_sync=true"}, .proceed = true, .features = &scopes_of_device
PARTS(texels_that_are_made_available, SCOPES, {
    DISPATCH_TEXELS(texels_available, 64);
    wait_for_shaders(p);
    DISPATCH_TEXELS(texels_visible, 64);
})
PARTS(
    texels_that_are_not_made_available, SCOPES,
    {
        DISPATCH_TEXELS(texels, 64);
        wait_for_shaders(p);
        DISPATCH_TEXELS(texels_visible, 64);
    },
    RAW)
PARTS(texels_of_a_part, SURE, {
    DISPATCH_TEXELS(texels, 56);
    DISPATCH_TEXELS(texels, 56);
})
PARTS(texels_whose_sides_are_crossed, SURE, {
    DISPATCH_TEXELS(texels_crossed, 64);
    DISPATCH_TEXELS(texels_crossed, 64);
})

/* --- branches --- */

PARTS(branch_may_not_read, SURE, {
    fill_part(p, p->from, 0, VK_WHOLE_SIZE);
    DISPATCH(branch);
})
PARTS(
    branch_may_not_read_guessed, GUESSED,
    {
        fill_part(p, p->from, 0, VK_WHOLE_SIZE);
        DISPATCH(branch);
    },
    RAW)
PARTS(
    after_the_branch_it_reads, SURE,
    {
        fill_part(p, p->from, 0, VK_WHOLE_SIZE);
        DISPATCH(after_branch);
    },
    RAW)

/* --- images --- */

PARTS(level_beyond_the_clamp_is_cleared, SURE, {
    sample_to(p, 0);
    DISPATCH(sample_level);
    clear_part(p, 2, 1);
})
PARTS(
    level_within_the_clamp_is_cleared, SURE,
    {
        sample_to(p, 0);
        DISPATCH(sample_level);
        clear_part(p, 0, 1);
    },
    WAR, .text = {"mip level 0"})
PARTS(fractional_clamp_reaches_the_next_level, SURE, {
    sample_to(p, 0.25f);
    DISPATCH(sample_level);
    clear_part(p, 0, 1);
})
PARTS(
    fractional_clamp_reaches_two_levels, SURE,
    {
        sample_to(p, 0.25f);
        DISPATCH(sample_level);
        clear_part(p, 0, 2);
    },
    WAR)
PARTS(one_level_of_a_view_is_cleared, SURE, {
    DISPATCH(sample_level);
    clear_part(p, 2, 1);
})
PARTS(
    all_levels_of_a_view_are_cleared, SURE,
    {
        DISPATCH(sample_level);
        clear_part(p, 0, LEVELS);
    },
    WAR)
PARTS(fetch_is_not_clamped, SURE, {
    sample_to(p, 0);
    DISPATCH(fetch_level);
    clear_part(p, 0, 1);
})
PARTS(other_corner_is_copied_after_store, SURE, {
    DISPATCH(store);
    copy_corner(p);
})
PARTS(
    level_is_cleared_after_store, SURE,
    {
        DISPATCH(store);
        clear_part(p, 0, 1);
    },
    WAW)

/* --- draws: a fragment shader without fragments reads nothing --- */

#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

/* Threads: on the stack. */
struct drawing {
    VkImageView color, depth; /* `depth`: VK_NULL_HANDLE: none */
    VkAttachmentStoreOp store;
    VkCullModeFlags cull;
    VkBool32 discards[2]; /* of two draws */
};

static void draw_part(struct parts *p, const struct drawing *d, VkShaderModule vertex,
                      VkShaderModule fragment)
{
    const VkFormat color_format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &color_format,
        .depthAttachmentFormat = d->depth ? DEPTH_FORMAT : VK_FORMAT_UNDEFINED};
    const VkPipelineDepthStencilStateCreateInfo state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = d->depth != VK_NULL_HANDLE,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    const VkDynamicState discard = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &discard};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(p->b, &pipeline, p->layout, VK_NULL_HANDLE);
    pipeline.info.pNext = &rendering;
    pipeline.info.pDepthStencilState = &state;
    pipeline.rasterization.cullMode = d->cull;
    pipeline.info.pDynamicState = &dynamic;
    pipeline.stages[0].module = vertex;
    pipeline.stages[1].module = fragment;
    VkRenderingAttachmentInfo color = rendering_attachment(d->color),
                              depth = rendering_attachment(d->depth);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    depth.storeOp = d->store;
    VkRenderingInfo info = rendering_info(&color);
    info.pDepthAttachment = d->depth ? &depth : NULL;
    vkCmdBeginRendering(p->commands, &info);
    vkCmdBindPipeline(p->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(p->b, &pipeline.info));
    vkCmdBindDescriptorSets(p->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->layout, 0, 1, &p->set,
                            0, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        vkCmdSetRasterizerDiscardEnable(p->commands, d->discards[i]);
        vkCmdDraw(p->commands, 3, 1, 0, 0);
    }
    vkCmdEndRendering(p->commands);
}

static VkImageView color_target(struct parts *p)
{
    VkImage image = make_image(p->b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VkImageViewCreateInfo view = image_view_info(image);
    parts_to_general(p, image, color_range());
    return create_image_view(p->b, &view);
}

/* The fragment shader reads element 0 of what was filled. */
static void draw_after_fill(struct parts *p, VkCullModeFlags cull, VkBool32 first, VkBool32 second)
{
    const struct drawing drawing = {
        .color = color_target(p), .cull = cull, .discards = {first, second}};
    fill_part(p, p->from, 0, 16);
    draw_part(p, &drawing, MAKE_SHADER(p->b, spirv_triangle),
              MAKE_SHADER(p->b, spirv_fragment_reads));
}
PARTS(fragments_read_what_was_filled, SURE,
      draw_after_fill(p, VK_CULL_MODE_NONE, VK_FALSE, VK_FALSE), RAW)
PARTS(discarded_primitives_have_no_fragments, SURE,
      draw_after_fill(p, VK_CULL_MODE_NONE, VK_TRUE, VK_TRUE))
PARTS(primitives_that_are_discarded_no_more, SURE,
      draw_after_fill(p, VK_CULL_MODE_NONE, VK_TRUE, VK_FALSE), RAW)
PARTS(culled_primitives_have_no_fragments, SURE,
      draw_after_fill(p, VK_CULL_MODE_FRONT_AND_BACK, VK_FALSE, VK_FALSE))

/* --- a depth attachment that is read only, stored, and read as an image --- */

static void draw_with_depth(struct parts *p, VkAttachmentStoreOp store, VkShaderModule vertex,
                            VkShaderModule fragment)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    image.format = DEPTH_FORMAT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(p->b, &image));
    view.format = DEPTH_FORMAT;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    parts_to_general(p, view.image, view.subresourceRange);
    const struct drawing drawing = {
        .color = color_target(p), .depth = create_image_view(p->b, &view), .store = store};
    const VkDescriptorImageInfo sampled = {make_sampler(p->b), drawing.depth,
                                           VK_IMAGE_LAYOUT_GENERAL};
    write_parts_set(p, 2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, NULL, &sampled);
    draw_part(p, &drawing, vertex, fragment);
}
#define DEPTH(name_, store_, vertex_, fragment_, ...)                                          \
    PARTS(name_, SURE,                                                                         \
          draw_with_depth(p, VK_ATTACHMENT_STORE_OP_##store_, MAKE_SHADER(b, spirv_##vertex_), \
                          MAKE_SHADER(b, spirv_##fragment_)),                                  \
          ##__VA_ARGS__)
DEPTH(own_texel_of_stored_depth, STORE, triangle, own_texel)
DEPTH(own_texel_by_its_coordinates_in_0_to_1, STORE, triangle, any_texel)
DEPTH(same_texel_of_stored_depth_for_all, STORE, triangle, same_texel, WAR,
      .text = {"vkCmdEndRendering(): ", "by vkCmdDraw"})
DEPTH(same_texel_of_depth_that_is_not_stored, NONE, triangle, same_texel)
DEPTH(stored_depth_in_a_vertex_shader, STORE, depth_of_vertex, white, WAR)
