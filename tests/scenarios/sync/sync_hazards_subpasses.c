/* Hazards within and around render pass instances: vkCmdClearAttachments aspect by aspect, input
 * attachments, operations of several views, attachments that no subpass uses. */
#include "sync/sync_world.h"

#include "shader_hazards.h"

static const VkPhysicalDeviceVulkan11Features multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&world_features,
    .multiview = VK_TRUE};
#define SURE .settings = {"validate_sync=true"}, .proceed = true, .features = &world_features
static const VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT raster_order = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT,
    .pNext = (void *)&world_features,
    .rasterizationOrderColorAttachmentAccess = VK_TRUE,
    .rasterizationOrderDepthAttachmentAccess = VK_TRUE,
    .rasterizationOrderStencilAttachmentAccess = VK_TRUE};
#define ORDERED                                                                     \
    .settings = {"validate_sync=true"}, .proceed = true, .features = &raster_order, \
    .extensions = {"VK_EXT_rasterization_order_attachment_access"}, .drivers = NULL_DRIVER
#define VIEWS      .settings = {"validate_sync=true"}, .proceed = true, .features = &multiview
#define DO(which_) operation_##which_.record(w)
#define SCRIPT(name_, how_, statements_, ...) \
    SCENARIO(name_, how_, ##__VA_ARGS__)      \
    {                                         \
        struct world world, *w = &world;      \
        world_begin(b, w);                    \
        statements_;                          \
    }
#define RAW(first_, second_) .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT(first_, second_)

#define WAW(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT(first_, second_)

#define WAR(first_, second_)  .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT(first_, second_)
#define RACE(kind_, command_) .expect = {"SYNC-HAZARD-" kind_}, .text = {command_ "(): "}
#define STAGE(name_)          VK_PIPELINE_STAGE_##name_##_BIT
#define ACCESS(name_)         VK_ACCESS_##name_##_BIT

static void aspects_to_general(struct world *w, VkImage image, VkImageAspectFlags aspects)
{
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.subresourceRange.aspectMask = aspects;
    barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* An image in VK_IMAGE_LAYOUT_GENERAL, and a view of all of it. */
struct target {
    VkImage image;
    VkImageView view;
};

static struct target make_target(struct world *w, VkFormat format, VkImageAspectFlags aspects,
                                 uint32_t layers, VkSampleCountFlagBits samples)
{
    VkImageUsageFlags use = aspects & VK_IMAGE_ASPECT_COLOR_BIT
                                ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    VkImageCreateInfo info =
        image_info(use | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                   VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.format = format;
    info.arrayLayers = layers;
    info.samples = samples;
    struct target target = {.image = make_image_of(w->b, &info)};
    VkImageViewCreateInfo view = image_view_info(target.image);
    view.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    view.format = format;
    view.subresourceRange.aspectMask = aspects;
    view.subresourceRange.layerCount = layers;
    target.view = create_image_view(w->b, &view);
    aspects_to_general(w, target.image, aspects);
    return target;
}

/* vkCmdClearAttachments in dynamic rendering, to an attachment that is not loaded and not stored */

#define DEPTH_STENCIL (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)
static struct target make_depth_stencil(struct world *w)
{
    return make_target(w, VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH_STENCIL, 1, VK_SAMPLE_COUNT_1_BIT);
}

static void copy_aspect(struct world *w, const struct target *t, VkImageAspectFlags aspect)
{
    const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(w->commands, t->image, VK_IMAGE_LAYOUT_GENERAL, w->other_buffer, 1,
                           &region);
}

static void clear_aspects(struct world *w, VkImageAspectFlags aspects)
{
    const VkClearAttachment clear = {.aspectMask = aspects};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    vkCmdClearAttachments(w->commands, 1, &clear, 1, &rect);
}

static void clear_in_rendering(struct world *w, const struct target *depth, VkImageAspectFlags has,
                               VkImageAspectFlags aspects)
{
    VkRenderingAttachmentInfo color = rendering_attachment(w->view),
                              other = rendering_attachment(depth->view);
    color.imageLayout = other.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = other.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    color.storeOp = other.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    VkRenderingInfo info = rendering_info(&color);
    info.pDepthAttachment = has & VK_IMAGE_ASPECT_DEPTH_BIT ? &other : NULL;
    info.pStencilAttachment = has & VK_IMAGE_ASPECT_STENCIL_BIT ? &other : NULL;
    vkCmdBeginRendering(w->commands, &info);
    clear_aspects(w, aspects);
    vkCmdEndRendering(w->commands);
}
#define CLEARED(name_, has_, aspects_, copied_, ...)             \
    SCRIPT(                                                      \
        name_, SURE,                                             \
        {                                                        \
            struct target t = make_depth_stencil(w);             \
            clear_in_rendering(w, &t, has_, aspects_);           \
            copy_aspect(w, &t, VK_IMAGE_ASPECT_##copied_##_BIT); \
        },                                                       \
        ##__VA_ARGS__)
/* The store operation comes last, and is in a later stage. */
#define CLEARED_RAW RAW("vkCmdEndRendering", "vkCmdCopyImageToBuffer")
CLEARED(cleared_depth_is_copied, DEPTH_STENCIL, VK_IMAGE_ASPECT_DEPTH_BIT, DEPTH, CLEARED_RAW)
CLEARED(cleared_stencil_is_copied, DEPTH_STENCIL, VK_IMAGE_ASPECT_STENCIL_BIT, STENCIL, CLEARED_RAW)
CLEARED(cleared_depth_is_no_stencil, DEPTH_STENCIL, VK_IMAGE_ASPECT_DEPTH_BIT, STENCIL)
CLEARED(cleared_stencil_is_no_depth, DEPTH_STENCIL, VK_IMAGE_ASPECT_STENCIL_BIT, DEPTH)
CLEARED(cleared_stencil_that_is_no_attachment, VK_IMAGE_ASPECT_DEPTH_BIT, DEPTH_STENCIL, STENCIL)
CLEARED(cleared_depth_that_is_no_attachment, VK_IMAGE_ASPECT_STENCIL_BIT, DEPTH_STENCIL, DEPTH)
CLEARED(cleared_stencil_beside_no_depth, VK_IMAGE_ASPECT_STENCIL_BIT, DEPTH_STENCIL, STENCIL,
        CLEARED_RAW)

/* --- VK_ATTACHMENT_STORE_OP_NONE: "If values are written during the render pass, this behaves
 * identically to VK_ATTACHMENT_STORE_OP_DONT_CARE and with matching access semantics": late tests
 * write --- */

static void depth_to_copy(struct world *w, VkPipelineStageFlags stages)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE),
                                     .dstAccessMask = ACCESS(TRANSFER_READ)};
    vkCmdPipelineBarrier(w->commands, stages, STAGE(TRANSFER), 0, 1, &barrier, 0, NULL, 0, NULL);
}
#define NOT_STORED(name_, cleared_, stages_, ...)               \
    SCRIPT(                                                     \
        name_, SURE,                                            \
        {                                                       \
            struct target t = make_depth_stencil(w);            \
            clear_in_rendering(w, &t, DEPTH_STENCIL, cleared_); \
            depth_to_copy(w, stages_);                          \
            copy_aspect(w, &t, VK_IMAGE_ASPECT_DEPTH_BIT);      \
        },                                                      \
        ##__VA_ARGS__)
NOT_STORED(written_and_not_stored_behind_early_tests, VK_IMAGE_ASPECT_DEPTH_BIT,
           STAGE(EARLY_FRAGMENT_TESTS), CLEARED_RAW)
NOT_STORED(written_and_not_stored_behind_both_tests, VK_IMAGE_ASPECT_DEPTH_BIT,
           STAGE(EARLY_FRAGMENT_TESTS) | STAGE(LATE_FRAGMENT_TESTS))
/* "the contents within the render area are not accessed by the store operation as long as no values
 * are written" */
NOT_STORED(not_written_and_not_stored_behind_early_tests, VK_IMAGE_ASPECT_STENCIL_BIT,
           STAGE(EARLY_FRAGMENT_TESTS))

/* --- and over what a transfer has written, or reads --- */

static void clear_color_in_rendering(struct world *w)
{
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
    color.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    const VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(w->commands, &info);
    clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdEndRendering(w->commands);
}
#define NO_LOAD SURE, .extensions = {"VK_EXT_load_store_op_none"}
SCRIPT(
    clear_over_a_copy, NO_LOAD,
    {
        DO(write_image);
        clear_color_in_rendering(w);
    },
    WAW("vkCmdCopyBufferToImage", "vkCmdClearAttachments"))
SCRIPT(
    clear_over_what_is_copied, NO_LOAD,
    {
        DO(read_image);
        clear_color_in_rendering(w);
    },
    WAR("vkCmdCopyImageToBuffer", "vkCmdClearAttachments"))
SCRIPT(clear_behind_a_copy, NO_LOAD, {
    DO(write_image);
    world_barrier(w, &operation_write_image, &operation_rendering_clear, true);
    clear_color_in_rendering(w);
})

/* input attachments: attachment 0 is written in one subpass, and read in the other one or the same
 */

/* Flags that order a pipeline's reads of input attachments after writes of the attachments. */
struct input_order {
    VkPipelineColorBlendStateCreateFlags color;
    VkPipelineDepthStencilStateCreateFlags depth_stencil;
};
static const struct input_order no_order,
    color_order =
        {VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT, 0},
    depth_order = {
        0,
        VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT};

/* Threads: on the stack. */
struct inputs {
    bool reads_first;                 /* subpass 0 reads, subpass 1 clears */
    bool resolves;                    /* what is read was resolved to, at the end of subpass 0 */
    bool alone;                       /* one subpass clears and reads */
    void (*between)(struct world *w); /* of these two */
    uint32_t dependency_count;
    VkSubpassDependency dependencies[2];
    VkAttachmentLoadOp load;
    bool stores, unread; /* what is read is stored at the end; nothing reads it */
    /* Not 0: what is read was cleared before the pass, and that is visible to these accesses. */
    VkAccessFlags loaded;
    void (*again)(struct world *w); /* not NULL: between this draw and a second one */
    VkSubpassDescriptionFlags subpass_flags;
    struct input_order order;
};

/* A clear before the pass, visible in the stages that attachments are accessed in. */
static void clear_before(struct world *w, VkImage image, VkAccessFlags visible)
{
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = color_range();
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = ACCESS(TRANSFER_WRITE);
    barrier.dstAccessMask = visible;
    vkCmdClearColorImage(w->commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    vkCmdPipelineBarrier(w->commands, STAGE(TRANSFER),
                         STAGE(FRAGMENT_SHADER) | STAGE(COLOR_ATTACHMENT_OUTPUT), 0, 0, NULL, 0,
                         NULL, 1, &barrier);
}

static VkDescriptorSet bind_input(struct world *w, VkImageView view, VkRenderPass pass,
                                  uint32_t subpass, const struct input_order *order)
{
    static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                         VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    static const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 1;
    info.pBindings = &binding;
    VkDescriptorSetLayout layout = create_descriptor_set_layout(w->b, &info);
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 1,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkDescriptorSet set = make_descriptor_set(w->b, create_descriptor_pool(w->b, &pool), layout);
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = write_buffer(set, NULL);
    write.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(w->b->device, 1, &write, 0, NULL);
    VkPipelineLayout pipeline_layout = make_pipeline_layout(w->b, layout);
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(w->b, &pipeline, pipeline_layout, pass);
    pipeline.stages[1].module = MAKE_SHADER(w->b, spirv_input);
    pipeline.info.subpass = subpass;
    pipeline.color_blend.flags = order->color;
    const VkPipelineDepthStencilStateCreateInfo tests = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .flags = order->depth_stencil};
    pipeline.info.pDepthStencilState = &tests; /* ignored where there is no such attachment */
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, 1,
                            &set, 0, NULL);
    return set;
}

static VkAttachmentDescription description_of(VkSampleCountFlagBits samples,
                                              VkAttachmentLoadOp load)
{
    return (VkAttachmentDescription){.format = COLOR_FORMAT,
                                     .samples = samples,
                                     .loadOp = load,
                                     .storeOp = VK_ATTACHMENT_STORE_OP_NONE,
                                     .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                     .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                     .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
}

static void run_inputs(struct world *w, const struct inputs *inputs)
{
    const struct target read =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const struct target drawn =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const struct target samples =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_4_BIT);
    const VkImageView views[3] = {read.view, drawn.view, samples.view};
    VkAttachmentDescription attachments[3] = {
        description_of(VK_SAMPLE_COUNT_1_BIT,
                       inputs->resolves ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : inputs->load),
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR),
        description_of(VK_SAMPLE_COUNT_4_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR)};
    if (inputs->stores)
        attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    const VkAttachmentReference refs[3] = {
        {0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}, {2, VK_IMAGE_LAYOUT_GENERAL}};
    VkSubpassDescription writes = {.colorAttachmentCount = 1,
                                   .pColorAttachments = &refs[inputs->resolves ? 2 : 0]};
    writes.pResolveAttachments = inputs->resolves ? &refs[0] : NULL;
    const VkSubpassDescription reads = {.flags = inputs->subpass_flags,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachments = &refs[inputs->alone ? 0 : 1],
                                        .inputAttachmentCount = 1,
                                        .pInputAttachments = &refs[0]};
    const VkSubpassDescription subpasses[2] = {inputs->reads_first || inputs->alone ? reads
                                                                                    : writes,
                                               inputs->reads_first ? writes : reads};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 3,
                                         .pAttachments = attachments,
                                         .subpassCount = inputs->alone ? 1 : 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = inputs->dependency_count,
                                         .pDependencies = inputs->dependencies};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 3;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    const VkClearValue values[3] = {0};
    begin.clearValueCount = 3;
    begin.pClearValues = values;
    if (inputs->loaded)
        clear_before(w, read.image, inputs->loaded);
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < info.subpassCount; i++) {
        bool drawing = inputs->alone || (i == 1) != inputs->reads_first;
        if (i)
            vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
        if (!drawing || (inputs->alone && !inputs->loaded))
            clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
        if (inputs->between)
            inputs->between(w);
        if (!drawing || inputs->unread)
            continue;
        bind_input(w, read.view, pass, i, &inputs->order);
        vkCmdDraw(w->commands, 3, 1, 0, 0);
        if (inputs->again) {
            inputs->again(w);
            vkCmdDraw(w->commands, 3, 1, 0, 0);
        }
    }
    vkCmdEndRenderPass(w->commands);
}
#define RUN_INPUTS(inputs_)                          \
    {                                                \
        const struct inputs inputs = UNPACK inputs_; \
        run_inputs(w, &inputs);                      \
    }
#define INPUTS(name_, inputs_, ...) SCRIPT(name_, SURE, RUN_INPUTS(inputs_), ##__VA_ARGS__)
#define UNPACK(...)                 {__VA_ARGS__}
#define BETWEEN(from_, src_, written_, dst_, read_)                                          \
    .dependency_count = 1,                                                                   \
    .dependencies = {{from_, (from_) == (VK_SUBPASS_EXTERNAL) ? 0 : 1, src_, dst_, written_, \
                      read_, VK_DEPENDENCY_BY_REGION_BIT}}
#define COLORS       STAGE(COLOR_ATTACHMENT_OUTPUT)
#define COLOR_WRITE  ACCESS(COLOR_ATTACHMENT_WRITE)
#define COLOR_ACCESS (ACCESS(COLOR_ATTACHMENT_READ) | COLOR_WRITE)
#define FRAGMENTS    STAGE(FRAGMENT_SHADER)
#define INPUT_READ   ACCESS(INPUT_ATTACHMENT_READ)
#define CLEARS_FIRST .load = VK_ATTACHMENT_LOAD_OP_CLEAR
#define LOADS_FIRST  .load = VK_ATTACHMENT_LOAD_OP_LOAD

INPUTS(input_of_what_is_cleared_beside, (CLEARS_FIRST), RACE("READ-RACING-WRITE", "vkCmdDraw"))
INPUTS(input_of_what_was_cleared,
       (CLEARS_FIRST, BETWEEN(0, COLORS, COLOR_WRITE, FRAGMENTS, INPUT_READ)))
/* "The store operation for each sample in an attachment happens-after any recorded command which
 * accesses the sample via that attachment": of an earlier subpass, too, and where the later one
 * that uses the attachment accesses nothing. */
INPUTS(store_of_what_an_earlier_subpass_cleared,
       (CLEARS_FIRST, .stores = true, BETWEEN(0, COLORS, COLOR_WRITE, FRAGMENTS, INPUT_READ)))
INPUTS(store_of_what_an_earlier_subpass_cleared_unread,
       (CLEARS_FIRST, .stores = true, .unread = true,
        BETWEEN(0, COLORS, COLOR_WRITE, FRAGMENTS, INPUT_READ)))
INPUTS(input_that_is_not_visible,
       (CLEARS_FIRST, BETWEEN(0, COLORS, COLOR_WRITE, FRAGMENTS, ACCESS(SHADER_READ))),
       RAW("vkCmdClearAttachments", "vkCmdDraw"))
INPUTS(input_of_what_is_resolved_beside, (CLEARS_FIRST, .resolves = true),
       RACE("READ-RACING-WRITE", "vkCmdDraw"))
INPUTS(input_of_what_was_resolved,
       (CLEARS_FIRST, .resolves = true, BETWEEN(0, COLORS, COLOR_WRITE, FRAGMENTS, INPUT_READ)))
INPUTS(clear_beside_an_input, (LOADS_FIRST, .reads_first = true),
       RACE("WRITE-RACING-READ", "vkCmdClearAttachments"))
INPUTS(clear_behind_an_input,
       (LOADS_FIRST, .reads_first = true, BETWEEN(0, FRAGMENTS | COLORS, 0, COLORS, COLOR_ACCESS)))

#define SELF                              \
    .alone = true, .dependency_count = 1, \
    .dependencies = {                     \
        {0, 0, COLORS, FRAGMENTS, COLOR_WRITE, INPUT_READ, VK_DEPENDENCY_BY_REGION_BIT}}
static void between_colors_and_inputs(struct world *w)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = COLOR_WRITE,
                                     .dstAccessMask = INPUT_READ};
    vkCmdPipelineBarrier(w->commands, COLORS, FRAGMENTS, VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier,
                         0, NULL, 0, NULL);
}
INPUTS(input_of_the_same_subpass, (CLEARS_FIRST, SELF), RAW("vkCmdClearAttachments", "vkCmdDraw"))
INPUTS(input_of_the_same_subpass_in_order,
       (CLEARS_FIRST, SELF, .between = between_colors_and_inputs))

/* "The load operation [...] happens-before any recorded command which accesses the sample": what it
 * has read is what input attachments find, and what is written afterwards follows it. */
INPUTS(input_of_what_was_loaded, (LOADS_FIRST, SELF, .loaded = ACCESS(COLOR_ATTACHMENT_READ)))
INPUTS(input_of_what_was_loaded_too_early, (LOADS_FIRST, SELF, .loaded = ACCESS(SHADER_READ)),
       .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
       .text = {"vkCmdBeginRenderPass(): ", "vkCmdDraw(): "})
INPUTS(inputs_and_writes_in_turn, (LOADS_FIRST, SELF, .loaded = ACCESS(COLOR_ATTACHMENT_READ),
                                   .again = between_colors_and_inputs))
static void between_colors_and_others(struct world *w)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = COLOR_WRITE};
    vkCmdPipelineBarrier(w->commands, COLORS, FRAGMENTS, VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier,
                         0, NULL, 0, NULL);
}
INPUTS(inputs_of_writes_that_are_not_visible,
       (LOADS_FIRST, SELF, .loaded = ACCESS(COLOR_ATTACHMENT_READ),
        .again = between_colors_and_others),
       RAW("vkCmdDraw", "vkCmdDraw"), .ours_only = true)
INPUTS(input_in_a_subpass_after_the_load,
       (LOADS_FIRST, .loaded = ACCESS(COLOR_ATTACHMENT_READ), .reads_first = true,
        BETWEEN(0, FRAGMENTS | COLORS, 0, COLORS, COLOR_ACCESS)))

/* The pipeline orders its reads of input attachments after all writes of the attachment by earlier
 * fragments of the subpass: no barrier is needed, neither within a draw nor between draws. */
#define SUBPASS_ORDER \
    .subpass_flags = VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT
#define INPUTS_ORDERED(name_, inputs_, ...) \
    SCRIPT(name_, ORDERED, RUN_INPUTS(inputs_), ##__VA_ARGS__)
static void skip_commands(struct world *w)
{
    (void)w;
}
INPUTS_ORDERED(ordered_input_of_the_same_subpass, (CLEARS_FIRST, .alone = true, SUBPASS_ORDER,
                                                   .order = color_order, .again = skip_commands))
INPUTS_ORDERED(ordered_input_of_what_was_loaded,
               (LOADS_FIRST, .alone = true, SUBPASS_ORDER, .order = color_order,
                .loaded = ACCESS(COLOR_ATTACHMENT_READ), .again = skip_commands))
INPUTS_ORDERED(ordered_input_of_what_was_loaded_too_early,
               (LOADS_FIRST, .alone = true, SUBPASS_ORDER, .order = color_order,
                .loaded = ACCESS(SHADER_READ)),
               .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, .text = {"vkCmdBeginRenderPass(): "})
INPUTS_ORDERED(input_that_only_the_subpass_would_order,
               (CLEARS_FIRST, .alone = true, SUBPASS_ORDER),
               RAW("vkCmdClearAttachments", "vkCmdDraw"))
INPUTS_ORDERED(ordered_input_of_what_is_cleared_beside,
               (CLEARS_FIRST, SUBPASS_ORDER, .order = color_order),
               RACE("READ-RACING-WRITE", "vkCmdDraw"))

/* a depth attachment that is read as an input attachment: in the subpass after its clear */

/* `stages`: of a dependency between the two; 0: there is none. */
static void run_depth_input(struct world *w, VkPipelineStageFlags stages)
{
    const VkSubpassDependency dependency = {0,
                                            1,
                                            stages,
                                            FRAGMENTS,
                                            ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE),
                                            INPUT_READ,
                                            VK_DEPENDENCY_BY_REGION_BIT};
    const struct target depth =
        make_target(w, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const struct target drawn =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const VkImageView views[2] = {depth.view, drawn.view};
    VkAttachmentDescription attachments[2] = {
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR),
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR)};
    attachments[0].format = VK_FORMAT_D32_SFLOAT;
    const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL},
                                           {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpasses[2] = {{.pDepthStencilAttachment = &refs[0]},
                                               {.colorAttachmentCount = 1,
                                                .pColorAttachments = &refs[1],
                                                .inputAttachmentCount = 1,
                                                .pInputAttachments = &refs[0]}};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = stages ? 1 : 0,
                                         .pDependencies = &dependency};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    const VkClearValue values[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = values;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    clear_aspects(w, VK_IMAGE_ASPECT_DEPTH_BIT);
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    bind_input(w, depth.view, pass, 1, &no_order);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}
#define TESTS (STAGE(EARLY_FRAGMENT_TESTS) | STAGE(LATE_FRAGMENT_TESTS))
SCRIPT(depth_input_of_what_is_cleared_beside, SURE, run_depth_input(w, 0),
       RACE("READ-RACING-WRITE", "vkCmdDraw"))
SCRIPT(depth_input_of_what_was_cleared, SURE, run_depth_input(w, TESTS))
/* A clear is done in EARLY_FRAGMENT_TESTS, which a dependency of late ones waits for, but does not
 * make visible. */
SCRIPT(depth_input_behind_late_tests, SURE, run_depth_input(w, STAGE(LATE_FRAGMENT_TESTS)),
       RAW("vkCmdClearAttachments", "vkCmdDraw"))

/* The depth attachment of a subpass is cleared there, and read as an input attachment. */
static void run_own_depth_input(struct world *w, const struct input_order *order)
{
    const struct target depth =
        make_target(w, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const struct target drawn =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const VkImageView views[2] = {depth.view, drawn.view};
    VkAttachmentDescription attachments[2] = {
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR),
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR)};
    attachments[0].format = VK_FORMAT_D32_SFLOAT;
    const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL},
                                           {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription subpass = {
        .flags = VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT |
                 VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT,
        .colorAttachmentCount = 1,
        .pColorAttachments = &refs[1],
        .inputAttachmentCount = 1,
        .pInputAttachments = &refs[0],
        .pDepthStencilAttachment = &refs[0]};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    const VkClearValue values[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = values;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    clear_aspects(w, VK_IMAGE_ASPECT_DEPTH_BIT);
    bind_input(w, depth.view, pass, 0, order);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}
SCRIPT(ordered_depth_input_of_the_same_subpass, ORDERED, run_own_depth_input(w, &depth_order))
SCRIPT(depth_input_that_color_order_leaves, ORDERED, run_own_depth_input(w, &color_order),
       RAW("vkCmdClearAttachments", "vkCmdDraw"))

/* --- depth that two subpasses write, in LATE_FRAGMENT_TESTS --- */

static VkPipeline make_depth_pipeline(struct world *w, VkRenderPass pass, uint32_t subpass)
{
    const VkPipelineDepthStencilStateCreateInfo state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_ALWAYS};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(w->b, &pipeline, w->layout, pass);
    pipeline.info.pDepthStencilState = &state;
    pipeline.info.subpass = subpass;
    pipeline.color_blend.attachmentCount = 0;
    pipeline.info.stageCount = 1; /* no fragment shader */
    return create_graphics_pipeline(w->b, &pipeline.info);
}

/* The dependency is from late tests to early ones. */
static void run_depth_writes(struct world *w, VkAccessFlags available)
{
    const struct target depth =
        make_target(w, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    VkAttachmentDescription attachment =
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR);
    attachment.format = VK_FORMAT_D32_SFLOAT;
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpasses[2] = {{.pDepthStencilAttachment = &reference},
                                               {.pDepthStencilAttachment = &reference}};
    const VkSubpassDependency dependency = {0,
                                            1,
                                            STAGE(LATE_FRAGMENT_TESTS),
                                            STAGE(EARLY_FRAGMENT_TESTS),
                                            available,
                                            ACCESS(DEPTH_STENCIL_ATTACHMENT_READ) |
                                                ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE),
                                            VK_DEPENDENCY_BY_REGION_BIT};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = 1,
                                         .pDependencies = &dependency};
    VkRenderPass pass = create_render_pass(w->b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, depth.view));
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < 2; i++) {
        if (i)
            vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          make_depth_pipeline(w, pass, i));
        vkCmdDraw(w->commands, 3, 1, 0, 0);
    }
    vkCmdEndRenderPass(w->commands);
}
/* Late tests are logically later than early ones, and so in the second scope. "X is a write and Y
 * is a write, and X->AV->DOM->Y": the later write need not be in the access scope. */
SCRIPT(depth_of_late_tests_made_available, SURE,
       run_depth_writes(w, ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE)))
SCRIPT(depth_of_late_tests_not_available, SURE, run_depth_writes(w, 0),
       WAW("vkCmdDraw", "vkCmdDraw"), .ours_only = true)

/* --- with several views, load operations are done in the first subpass that has the view --- */

static void run_views(struct world *w, uint32_t cleared, bool dependency)
{
    static const uint32_t masks[2] = {1, 2};
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 2,
        .pViewMasks = masks};
    const struct target t =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 2, VK_SAMPLE_COUNT_1_BIT);
    VkAttachmentDescription attachment =
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_LOAD);
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkSubpassDependency outside = {
        VK_SUBPASS_EXTERNAL, 1, STAGE(TRANSFER), COLORS, ACCESS(TRANSFER_WRITE), COLOR_ACCESS, 0};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .pNext = &views,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = dependency ? 1 : 0,
                                         .pDependencies = &outside};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, cleared, 1};
    const VkClearColorValue black = {{0}};
    VkRenderPass pass = create_render_pass(w->b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, t.view));
    vkCmdClearColorImage(w->commands, t.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &range);
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
}
SCRIPT(first_view_is_loaded_too_early, VIEWS, run_views(w, 0, true),
       RAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
SCRIPT(second_view_is_loaded_too_early, VIEWS, run_views(w, 1, false),
       RAW("vkCmdClearColorImage", "vkCmdNextSubpass"))
SCRIPT(second_view_is_loaded_in_order, VIEWS, run_views(w, 1, true))

/* --- "The load operation for each sample in an attachment happens-before any recorded command
 * which accesses the sample in that render pass instance via that attachment": in a later subpass,
 * too, that depends on nothing --- */

static void run_loaded(struct world *w, VkAttachmentLoadOp load, bool clears_first)
{
    const struct target t =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const VkAttachmentDescription attachment = description_of(VK_SAMPLE_COUNT_1_BIT, load);
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, t.view));
    const VkClearValue value = {0};
    begin.clearValueCount = 1;
    begin.pClearValues = &value;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    if (clears_first)
        clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdEndRenderPass(w->commands);
}
SCRIPT(clear_in_the_subpass_behind_a_load, SURE, run_loaded(w, VK_ATTACHMENT_LOAD_OP_LOAD, false))
SCRIPT(clear_in_the_subpass_behind_a_clear, SURE, run_loaded(w, VK_ATTACHMENT_LOAD_OP_CLEAR, false))
SCRIPT(clear_in_two_subpasses_side_by_side, SURE, run_loaded(w, VK_ATTACHMENT_LOAD_OP_CLEAR, true),
       RACE("WRITE-RACING-WRITE", "vkCmdClearAttachments"))

/* --- attachments that no subpass uses: their transition happens at the end --- */

static void run_unused(struct world *w)
{
    const struct target used =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    VkAttachmentDescription attachments[2] = {
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR),
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR)};
    attachments[1].initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
    const VkImageView views[2] = {used.view, w->view};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    const VkClearValue values[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = values;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
}
SCRIPT(
    unused_attachment_that_is_cleared, SURE,
    {
        DO(clear_image);
        run_unused(w);
    },
    WAW("vkCmdClearColorImage", "vkCmdEndRenderPass"))
SCRIPT(
    unused_attachment_that_is_copied, SURE,
    {
        DO(read_image);
        run_unused(w);
    },
    WAR("vkCmdCopyImageToBuffer", "vkCmdEndRenderPass"))
SCRIPT(unused_attachment_behind_a_barrier, SURE, {
    DO(clear_image);
    world_barrier(w, &operation_clear_image, &operation_rendering_load, true);
    run_unused(w);
})
SCRIPT(
    unused_attachment_that_is_copied_afterwards, SURE,
    {
        run_unused(w);
        DO(read_image);
    },
    RAW("vkCmdEndRenderPass", "vkCmdCopyImageToBuffer"))
SCRIPT(unused_attachment_before_a_barrier, SURE, {
    run_unused(w);
    world_barrier(w, &operation_rendering_clear, &operation_read_image, true);
    DO(read_image);
})

/* --- written, read as an input attachment where the shader does, and written again --- */

/* `after`: the first scope of the dependency of the second write. `reads`: a draw does read it. */
static void run_write_read_write(struct world *w, VkPipelineStageFlags after, bool reads)
{
    const struct target image =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const struct target drawn =
        make_target(w, COLOR_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_SAMPLE_COUNT_1_BIT);
    const VkImageView views[2] = {image.view, drawn.view};
    const VkAttachmentDescription attachments[2] = {
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR),
        description_of(VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR)};
    const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL},
                                           {1, VK_IMAGE_LAYOUT_GENERAL}};
    const VkSubpassDescription writes = {.colorAttachmentCount = 1, .pColorAttachments = &refs[0]};
    const VkSubpassDescription subpasses[3] = {writes,
                                               {.colorAttachmentCount = 1,
                                                .pColorAttachments = &refs[1],
                                                .inputAttachmentCount = 1,
                                                .pInputAttachments = &refs[0]},
                                               writes};
    const VkSubpassDependency dependencies[2] = {
        {0, 1, COLORS, FRAGMENTS, COLOR_WRITE, INPUT_READ, VK_DEPENDENCY_BY_REGION_BIT},
        {1, 2, after, COLORS, 0, COLOR_WRITE, VK_DEPENDENCY_BY_REGION_BIT}};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 3,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = 2,
                                         .pDependencies = dependencies};
    VkRenderPass pass = create_render_pass(w->b, &info);
    VkFramebufferCreateInfo frame = framebuffer_info(pass, views);
    frame.attachmentCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(w->b, &frame));
    const VkClearValue values[2] = {0};
    begin.clearValueCount = 2;
    begin.pClearValues = values;
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    if (reads) {
        bind_input(w, image.view, pass, 1, &no_order);
        vkCmdDraw(w->commands, 3, 1, 0, 0);
    }
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    clear_aspects(w, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdEndRenderPass(w->commands);
}
/* "Including any stage in the source stage mask for a particular synchronization command also
 * implies that any logically earlier stages are included": COLOR_ATTACHMENT_OUTPUT stands for
 * FRAGMENT_SHADER, too, and so forms a chain with the dependency before it. */
SCRIPT(write_after_the_input_of_a_write, SURE, run_write_read_write(w, COLORS, true))
SCRIPT(write_after_an_input_that_nothing_read, SURE, run_write_read_write(w, COLORS, false))
SCRIPT(write_beside_the_input_of_a_write, SURE, run_write_read_write(w, STAGE(VERTEX_SHADER), true),
       .ours_only = true, .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"})

/* --- many subpasses, each of which clears the attachment after the one before --- */

#define SUBPASSES 65

static VkRenderPass make_long_pass(struct baseline *b, uint32_t count, uint32_t unordered)
{
    static const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpasses[SUBPASSES];
    VkSubpassDependency dependencies[SUBPASSES];
    VkRenderPassCreateInfo info = render_pass_info();
    uint32_t ordered = 0;
    for (uint32_t i = 0; i < count; i++) {
        subpasses[i] =
            (VkSubpassDescription){.colorAttachmentCount = 1, .pColorAttachments = &color};
        if (i && i != unordered)
            dependencies[ordered++] = (VkSubpassDependency){i - 1,
                                                            i,
                                                            STAGE(COLOR_ATTACHMENT_OUTPUT),
                                                            STAGE(COLOR_ATTACHMENT_OUTPUT),
                                                            ACCESS(COLOR_ATTACHMENT_WRITE),
                                                            ACCESS(COLOR_ATTACHMENT_WRITE),
                                                            VK_DEPENDENCY_BY_REGION_BIT};
    }
    info.subpassCount = count;
    info.pSubpasses = subpasses;
    info.dependencyCount = ordered;
    info.pDependencies = dependencies;
    return create_render_pass(b, &info);
}

/* `unordered`: the subpass that no dependency orders after the one before it; 0: none. */
static void run_long_pass(struct world *w, uint32_t count, uint32_t unordered)
{
    const VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {.rect.extent = {IMAGE_EXTENT, IMAGE_EXTENT}, .layerCount = 1};
    VkRenderPass pass = make_long_pass(w->b, count, unordered);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdClearAttachments(w->commands, 1, &attachment, 1, &rect);
    }
    vkCmdEndRenderPass(w->commands);
}
SCRIPT(subpasses_in_order, SURE, run_long_pass(w, SUBPASSES - 1, 0))
SCRIPT(last_subpass_out_of_order, SURE, run_long_pass(w, SUBPASSES - 1, SUBPASSES - 2),
       RACE("WRITE-RACING-WRITE", "vkCmdClearAttachments"))
SCRIPT(more_subpasses_than_are_looked_at, SURE, run_long_pass(w, SUBPASSES, 0))
SCRIPT(
    hazard_after_more_subpasses_than_are_looked_at, SURE,
    {
        run_long_pass(w, SUBPASSES, 0);
        DO(fill_buffer);
        DO(copy_from_buffer);
    },
    .ours_only = true)
SCRIPT(
    hazard_of_the_next_recording, SURE,
    {
        run_long_pass(w, SUBPASSES, 0);
        vkEndCommandBuffer(w->commands);
        vkResetCommandBuffer(w->commands, 0);
        const VkCommandBufferBeginInfo info = begin_info();
        vkBeginCommandBuffer(w->commands, &info);
        DO(fill_buffer);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
