/* Hazards of attachments: what render pass objects and dynamic rendering do at their beginning and
 * end, dependencies of subpasses. */
#include "sync/sync_world.h"

#define RAW(first_, second_) .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAW(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAR(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT(first_, second_)
#define DO(which_)           operation_##which_.record(w)

/* A render pass of up to two subpasses with the world's image as its color attachment. */
struct setup {
    VkAttachmentLoadOp load;
    VkAttachmentStoreOp store;
    VkImageLayout initial, layout, final; /* 0: VK_IMAGE_LAYOUT_GENERAL */
    uint32_t subpasses;                   /* 0: 1 */
    uint32_t dependency_count;
    VkSubpassDependency dependencies[3];
    bool clears; /* vkCmdClearAttachments in each subpass */
};

static VkImageLayout layout_or_general(VkImageLayout layout)
{
    return layout ? layout : VK_IMAGE_LAYOUT_GENERAL;
}

static void run_pass(struct world *w, const struct setup *setup)
{
    const VkAttachmentDescription attachment = {.format = COLOR_FORMAT,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = setup->load,
                                                .storeOp = setup->store,
                                                .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                .initialLayout = layout_or_general(setup->initial),
                                                .finalLayout = layout_or_general(setup->final)};
    const VkAttachmentReference color = {0, layout_or_general(setup->layout)};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color};
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = setup->subpasses ? setup->subpasses : 1,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = setup->dependency_count,
                                         .pDependencies = setup->dependencies};
    VkRenderPass pass = create_render_pass(w->b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, w->view));
    const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < info.subpassCount; i++) {
        if (i)
            vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
        if (setup->clears)
            vkCmdClearAttachments(w->commands, 1, &clear, 1, &rect);
    }
    vkCmdEndRenderPass(w->commands);
}

#define PASS_SCENARIO_OF(name_, before_, setup_, after_, ...) \
    SCENARIO(name_, WORLD, ##__VA_ARGS__)                     \
    {                                                         \
        struct world world, *w = &world;                      \
        const struct setup setup = UNPACK setup_;             \
        world_begin(b, w);                                    \
        before_;                                              \
        run_pass(w, &setup);                                  \
        after_;                                               \
    }
#define UNPACK(...)               {__VA_ARGS__}
#define LOAD                      .load = VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR                     .load = VK_ATTACHMENT_LOAD_OP_CLEAR
#define DONT_CARE                 .load = VK_ATTACHMENT_LOAD_OP_DONT_CARE
#define STORE                     .store = VK_ATTACHMENT_STORE_OP_STORE
#define NONE                      .store = VK_ATTACHMENT_STORE_OP_NONE
#define STAGE(name_)              VK_PIPELINE_STAGE_##name_##_BIT
#define ACCESS(name_)             VK_ACCESS_##name_##_BIT
#define COLORS                    STAGE(COLOR_ATTACHMENT_OUTPUT)
#define COLOR_ACCESS              (ACCESS(COLOR_ATTACHMENT_READ) | ACCESS(COLOR_ATTACHMENT_WRITE))
#define DEPENDENCIES(count_, ...) .dependency_count = count_, .dependencies = {__VA_ARGS__}
#define FROM_OUTSIDE(stages_, accesses_) \
    {VK_SUBPASS_EXTERNAL, 0, stages_, COLORS, accesses_, COLOR_ACCESS, 0}
#define TO_OUTSIDE(subpass_, stages_, accesses_) \
    {subpass_, VK_SUBPASS_EXTERNAL, COLORS, stages_, ACCESS(COLOR_ATTACHMENT_WRITE), accesses_, 0}
#define OPTIMAL VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL

/* --- load operations --- */

PASS_SCENARIO_OF(pass_loads_too_early, DO(clear_image), (LOAD, NONE), (void)0,
                 RAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(pass_loads_after_a_dependency, DO(clear_image),
                 (LOAD, NONE,
                  DEPENDENCIES(1, FROM_OUTSIDE(STAGE(TRANSFER), ACCESS(TRANSFER_WRITE)))),
                 (void)0)
PASS_SCENARIO_OF(pass_loads_after_an_execution_dependency, DO(clear_image),
                 (LOAD, NONE, DEPENDENCIES(1, FROM_OUTSIDE(STAGE(TRANSFER), 0))), (void)0,
                 RAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(pass_loads_after_a_dependency_of_another_stage, DO(clear_image),
                 (LOAD, NONE,
                  DEPENDENCIES(1, FROM_OUTSIDE(STAGE(COMPUTE_SHADER), ACCESS(SHADER_WRITE)))),
                 (void)0, RAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(pass_clears_too_early, DO(read_image), (CLEAR, NONE), (void)0,
                 WAR("vkCmdCopyImageToBuffer", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(pass_clears_after_a_dependency, DO(read_image),
                 (CLEAR, NONE, DEPENDENCIES(1, FROM_OUTSIDE(STAGE(TRANSFER), 0))), (void)0)
PASS_SCENARIO_OF(pass_does_not_care_too_early, DO(clear_image), (DONT_CARE, NONE), (void)0,
                 WAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(
    pass_after_a_pipeline_barrier,
    {
        DO(clear_image);
        world_barrier(w, &operation_clear_image, &operation_rendering_load, true);
    },
    (LOAD, NONE), (void)0)

/* --- store operations --- */

PASS_SCENARIO_OF(pass_stores_before_a_read, (void)0, (CLEAR, STORE), DO(read_image),
                 RAW("vkCmdEndRenderPass", "vkCmdCopyImageToBuffer"))
PASS_SCENARIO_OF(pass_stores_before_a_dependency, (void)0,
                 (CLEAR, STORE,
                  DEPENDENCIES(1, TO_OUTSIDE(0, STAGE(TRANSFER), ACCESS(TRANSFER_READ)))),
                 DO(read_image))
PASS_SCENARIO_OF(pass_stores_before_an_execution_dependency, (void)0,
                 (CLEAR, STORE, DEPENDENCIES(1, TO_OUTSIDE(0, STAGE(TRANSFER), 0))), DO(read_image),
                 RAW("vkCmdEndRenderPass", "vkCmdCopyImageToBuffer"))
PASS_SCENARIO_OF(pass_stores_before_a_barrier, (void)0, (CLEAR, STORE), {
    world_barrier(w, &operation_rendering_clear, &operation_read_image, true);
    DO(read_image);
})
PASS_SCENARIO_OF(pass_stores_before_a_write, (void)0, (CLEAR, STORE), DO(clear_image),
                 WAW("vkCmdEndRenderPass", "vkCmdClearColorImage"))
PASS_SCENARIO_OF(pass_with_everything_in_order, DO(clear_image),
                 (LOAD, STORE, .clears = true,
                  DEPENDENCIES(2, FROM_OUTSIDE(STAGE(TRANSFER), ACCESS(TRANSFER_WRITE)),
                               TO_OUTSIDE(0, STAGE(TRANSFER), ACCESS(TRANSFER_READ)))),
                 DO(read_image))

/* --- layout transitions --- */

PASS_SCENARIO_OF(initial_transition_too_early, DO(clear_image),
                 (LOAD, NONE, .layout = OPTIMAL, .final = OPTIMAL), (void)0,
                 WAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(initial_transition_in_order, DO(clear_image),
                 (LOAD, NONE, .layout = OPTIMAL, .final = OPTIMAL,
                  DEPENDENCIES(1, FROM_OUTSIDE(STAGE(TRANSFER), ACCESS(TRANSFER_WRITE)))),
                 (void)0)
PASS_SCENARIO_OF(initial_transition_that_the_load_does_not_see, (void)0,
                 (LOAD, NONE, .layout = OPTIMAL, .final = OPTIMAL,
                  DEPENDENCIES(1,
                               {VK_SUBPASS_EXTERNAL, 0, STAGE(ALL_COMMANDS), STAGE(FRAGMENT_SHADER),
                                ACCESS(MEMORY_WRITE), ACCESS(INPUT_ATTACHMENT_READ), 0})),
                 (void)0, RAW("vkCmdBeginRenderPass", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(initial_transition_after_a_read, DO(read_image),
                 (CLEAR, NONE, .initial = VK_IMAGE_LAYOUT_UNDEFINED, .layout = OPTIMAL,
                  .final = OPTIMAL),
                 (void)0, WAR("vkCmdCopyImageToBuffer", "vkCmdBeginRenderPass"))
PASS_SCENARIO_OF(final_transition_in_order, (void)0,
                 (CLEAR, STORE, .initial = VK_IMAGE_LAYOUT_GENERAL, .layout = OPTIMAL,
                  DEPENDENCIES(2, FROM_OUTSIDE(STAGE(ALL_COMMANDS), ACCESS(MEMORY_WRITE)),
                               TO_OUTSIDE(0, STAGE(TRANSFER), ACCESS(TRANSFER_READ)))),
                 DO(read_image))
PASS_SCENARIO_OF(final_transition_before_a_read, (void)0,
                 (CLEAR, STORE, .layout = OPTIMAL,
                  DEPENDENCIES(2, FROM_OUTSIDE(STAGE(ALL_COMMANDS), ACCESS(MEMORY_WRITE)),
                               TO_OUTSIDE(0, STAGE(COMPUTE_SHADER), ACCESS(SHADER_READ)))),
                 DO(read_image), RAW("vkCmdEndRenderPass", "vkCmdCopyImageToBuffer"))
/* As GTK does: the implicit dependency's dstStageMask is VK_PIPELINE_STAGE_NONE, so that no barrier
 * after it chains. */
PASS_SCENARIO_OF(
    final_transition_that_no_barrier_waits_for, (void)0,
    (CLEAR, STORE, .layout = OPTIMAL,
     DEPENDENCIES(1, FROM_OUTSIDE(STAGE(ALL_COMMANDS), ACCESS(MEMORY_WRITE)))),
    {
        world_barrier(w, &operation_rendering_clear, &operation_read_image, true);
        DO(read_image);
    },
    RAW("vkCmdEndRenderPass", "vkCmdCopyImageToBuffer"))
PASS_SCENARIO_OF(final_transition_before_the_store, (void)0,
                 (CLEAR, STORE, .layout = OPTIMAL,
                  DEPENDENCIES(2, FROM_OUTSIDE(STAGE(ALL_COMMANDS), ACCESS(MEMORY_WRITE)),
                               {0, VK_SUBPASS_EXTERNAL, STAGE(VERTEX_SHADER), STAGE(TRANSFER), 0,
                                ACCESS(TRANSFER_READ), 0})),
                 (void)0, WAW("vkCmdEndRenderPass", "vkCmdEndRenderPass"))

/* --- subpasses --- */

#define BETWEEN(stages_, accesses_) \
    {0, 1, stages_, COLORS, accesses_, COLOR_ACCESS, VK_DEPENDENCY_BY_REGION_BIT}
PASS_SCENARIO_OF(subpasses_race, (void)0, (CLEAR, STORE, .subpasses = 2, .clears = true), (void)0,
                 .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE"},
                 .text = {"vkCmdClearAttachments(): "})
PASS_SCENARIO_OF(subpasses_in_order, (void)0,
                 (CLEAR, STORE, .subpasses = 2, .clears = true,
                  DEPENDENCIES(1, BETWEEN(COLORS, ACCESS(COLOR_ATTACHMENT_WRITE)))),
                 (void)0)
PASS_SCENARIO_OF(subpasses_with_an_execution_dependency, (void)0,
                 (CLEAR, STORE, .subpasses = 2, .clears = true,
                  DEPENDENCIES(1, BETWEEN(COLORS, 0))),
                 (void)0, .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
                 .text = {"vkCmdClearAttachments(): "})

/* --- one instance after the other --- */

static void render_area(struct world *w, VkAttachmentLoadOp load, VkRenderingFlags flags,
                        VkRect2D area)
{
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = load;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo info = rendering_info(&color);
    info.flags = flags;
    info.renderArea = area;
    vkCmdBeginRendering(w->commands, &info);
    vkCmdEndRendering(w->commands);
}
#define WHOLE ((VkRect2D){{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}})
#define LEFT  ((VkRect2D){{0, 0}, {IMAGE_EXTENT / 2, IMAGE_EXTENT}})
#define RIGHT ((VkRect2D){{IMAGE_EXTENT / 2, 0}, {IMAGE_EXTENT / 2, IMAGE_EXTENT}})
#define RENDERINGS(name_, settings_, ...) \
    SCENARIO(name_, WORLD, __VA_ARGS__)   \
    {                                     \
        struct world world, *w = &world;  \
        world_begin(b, w);                \
        settings_;                        \
    }

RENDERINGS(areas_side_by_side, {
    render_area(w, VK_ATTACHMENT_LOAD_OP_CLEAR, 0, LEFT);
    render_area(w, VK_ATTACHMENT_LOAD_OP_CLEAR, 0, RIGHT);
})
RENDERINGS(load_after_store, {
    render_area(w, VK_ATTACHMENT_LOAD_OP_CLEAR, 0, WHOLE);
    render_area(w, VK_ATTACHMENT_LOAD_OP_LOAD, 0, WHOLE);
})

SCENARIO(load_after_store_asked_for, .features = &world_features, .proceed = true,
         .settings = {"validate_sync=true", "syncval_load_op_after_store_op_validation=true"},
         RAW("vkCmdEndRendering", "vkCmdBeginRendering"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    render_area(w, VK_ATTACHMENT_LOAD_OP_CLEAR, 0, WHOLE);
    render_area(w, VK_ATTACHMENT_LOAD_OP_LOAD, 0, WHOLE);
}

/* a beginning that a callback refuses: what follows is outside of the instance, and nothing was
 * accessed */

#define REFUSED .settings = {"validate_sync=true"}, .features = &world_features

SCENARIO(pass_that_is_refused, REFUSED, RAW("vkCmdClearColorImage", "vkCmdBeginRenderPass"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(clear_image);
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachment = info.pAttachments[0];
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = info.pSubpasses[0];
    subpass.pColorAttachments = &color;
    info.pAttachments = &attachment;
    info.pSubpasses = &subpass;
    info.dependencyCount = 0;
    VkRenderPass pass = create_render_pass(b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, w->view));
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE); /* refused */
    world_barrier(w, &operation_clear_image, &operation_rendering_load, true);
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
    DO(read_image);
    VK(vkEndCommandBuffer(w->commands));
}

SCENARIO(rendering_that_is_refused, REFUSED, WAR("vkCmdCopyImageToBuffer", "vkCmdBeginRendering"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(read_image);
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(w->commands, &info); /* refused */
    /* a read beside a read, where a clear would be in front */
    DO(copy_from_image);
    world_barrier(w, &operation_copy_from_image, &operation_rendering_clear, false);
    vkCmdBeginRendering(w->commands, &info);
    vkCmdEndRendering(w->commands);
    VK(vkEndCommandBuffer(w->commands));
}

/* --- fragment shading rate attachments: load and store operations are ignored --- */

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&world_features,
    .attachmentFragmentShadingRate = VK_TRUE};

#define RATE_STAGE VK_PIPELINE_STAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR
#define RATE_READ  VK_ACCESS_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR

struct rate_pass {
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkImage rate;
};

static void destroy_hazard_pass(struct baseline *b, uint64_t handle)
{
    vkDestroyRenderPass(b->device, (VkRenderPass)(uintptr_t)handle, NULL);
}

/* Attachment 0 is a color attachment, 1 the shading rates, which are loaded and stored. `as_color`:
 * they are a second color attachment instead. */
static void make_rate_pass(struct baseline *b, bool as_color, struct rate_pass *made)
{
    const VkFragmentShadingRateAttachmentInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .pFragmentShadingRateAttachment =
            &(VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                      .attachment = 1,
                                      .layout = VK_IMAGE_LAYOUT_GENERAL},
        .shadingRateAttachmentTexelSize = {8, 8}};
    const VkAttachmentDescription2 description = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = COLOR_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkAttachmentDescription2 attachments[] = {description, description};
    attachments[1].format = VK_FORMAT_R8_UINT;
    const VkAttachmentReference2 colors[] = {{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, NULL, 0,
                                              VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT},
                                             {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, NULL, 1,
                                              VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT}};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = as_color ? NULL : &rate,
                                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                           .colorAttachmentCount = as_color ? 2 : 1,
                                           .pColorAttachments = colors};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .attachmentCount = 2,
                                          .pAttachments = attachments,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass};
    VK(vkCreateRenderPass2(b->device, &info, NULL, &made->pass));
    cleanup_add(b, destroy_hazard_pass, HANDLE(made->pass));
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                   VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR);
    image.format = VK_FORMAT_R8_UINT;
    made->rate = make_image_of(b, &image);
    VkImageViewCreateInfo view = image_view_info(made->rate);
    view.format = VK_FORMAT_R8_UINT;
    const VkImageView views[] = {make_image_view(b), create_image_view(b, &view)};
    VkFramebufferCreateInfo frame = framebuffer_info(made->pass, views);
    frame.attachmentCount = 2;
    made->framebuffer = create_framebuffer(b, &frame);
}

/* The rates are written by a copy, which is made visible to the reads of the rates alone, and again
 * after the instance. */
static void run_rate_pass(struct baseline *b, bool as_color)
{
    struct world world, *w = &world;
    struct rate_pass made;
    world_begin(b, w);
    make_rate_pass(b, as_color, &made);
    VkImageMemoryBarrier barrier =
        image_barrier(made.rate, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = RATE_READ;
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, RATE_STAGE, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
    const VkRenderPassBeginInfo begin = render_pass_begin_info(made.pass, made.framebuffer);
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
    /* orders the reads of the rates, and no write */
    vkCmdPipelineBarrier(w->commands, RATE_STAGE, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                         NULL, 0, NULL);
    const VkClearColorValue zero = {.uint32 = {0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(w->commands, made.rate, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
    VK(vkEndCommandBuffer(w->commands));
}

#define RATES(...)                                                                       \
    .settings = {"validate_sync=true"}, .proceed = true, .features = &rate_features,     \
    .extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME}, .drivers = NULL_DRIVER, \
    __VA_ARGS__

SCENARIO(shading_rates_are_not_loaded, RATES())
{
    run_rate_pass(b, false);
}
SCENARIO(colors_are_loaded,
         RATES(.expect = {"SYNC-HAZARD-READ-AFTER-WRITE", "SYNC-HAZARD-WRITE-AFTER-WRITE"},
               PAIR_TEXT("vkCmdPipelineBarrier", "vkCmdBeginRenderPass")))
{
    run_rate_pass(b, true);
}

/* --- bad input --- */

/* Dependencies from subpasses that there are not order nothing, and are not looked for. */
SCENARIO(dependencies_of_no_subpass, WORLD, .drivers = NULL_DRIVER, .ours_only = true,
         .expect = {"VUID-VkRenderPassCreateInfo-pDependencies-06866"},
         .text = {"pDependencies[0].srcSubpass is 1000, but subpassCount is 1"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    const VkSubpassDependency dependencies[] = {
        {.srcSubpass = 1000,
         .dstSubpass = 0,
         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT},
        {.srcSubpass = 63,
         .dstSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT},
    };
    VkRenderPassCreateInfo info = render_pass_info();
    info.dependencyCount = 2;
    info.pDependencies = dependencies;
    VkRenderPass pass = create_render_pass(b, &info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
}
