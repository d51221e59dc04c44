/* Sets dynamic state: vkCmdSet* (10.17 "Dynamic State", and each state's chapter). */
#include "dynamic_state/dynamic_state.h"

#include <math.h>

static const VkPhysicalDeviceFeatures2 many_viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.multiViewport = VK_TRUE}};

/* --- viewports --- */

static VkViewport viewport_of(float x, float y, float width, float height)
{
    return (VkViewport){x, y, width, height, 0, 1};
}

static void set_viewport(VkCommandBuffer c, VkViewport viewport)
{
    vkCmdSetViewport(c, 0, 1, &viewport);
}

static float viewport_limit(struct baseline *b, int which)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    const VkPhysicalDeviceLimits *limits = &properties.limits;
    const float values[] = {(float)limits->maxViewportDimensions[0],
                            (float)limits->maxViewportDimensions[1], limits->viewportBoundsRange[0],
                            limits->viewportBoundsRange[1]};
    return values[which];
}

SCENARIO(viewport_in_order)
{
    VkCommandBuffer c = make_recording(b);
    set_viewport(c, viewport_of(viewport_limit(b, 2), viewport_limit(b, 2), 64, 64));
    set_viewport(c, viewport_of(0, 64,
                                viewport_limit(b, 0) < viewport_limit(b, 3) ? viewport_limit(b, 0)
                                                                            : viewport_limit(b, 3),
                                -64));
    set_viewport(c,
                 (VkViewport){viewport_limit(b, 3) - 64, viewport_limit(b, 3) - 64, 64, 64, 1, 0});
}

MISTAKE(viewport_width_zero, "VkViewport-width-01770", set_viewport(c, viewport_of(0, 0, 0, 64)),
        .text = {"pViewports[0].width is 0"})
MISTAKE(viewport_width_nan, "VkViewport-width-01770", set_viewport(c, viewport_of(0, 0, NAN, 64)))
MISTAKE(viewport_width_large, "VkViewport-width-01771",
        set_viewport(c, viewport_of(viewport_limit(b, 2), 0, viewport_limit(b, 0) + 1, 64)))
MISTAKE(viewport_height_large, "VkViewport-height-01773",
        set_viewport(c, viewport_of(0, viewport_limit(b, 2), 64, viewport_limit(b, 1) + 1)))
MISTAKE(viewport_x_low, "VkViewport-x-01774",
        set_viewport(c, viewport_of(viewport_limit(b, 2) - 1, 0, 64, 64)))
MISTAKE(viewport_x_high, "VkViewport-x-01232",
        set_viewport(c, viewport_of(viewport_limit(b, 3) - 1, 0, 64, 64)))
MISTAKE(viewport_y_low, "VkViewport-y-01775",
        set_viewport(c, viewport_of(0, viewport_limit(b, 2) - 1, 64, 64)))
MISTAKE(viewport_y_high, "VkViewport-y-01776",
        set_viewport(c, viewport_of(0, viewport_limit(b, 3) + 1, 64, -64)))
MISTAKE(viewport_bottom_low, "VkViewport-y-01777",
        set_viewport(c, viewport_of(0, viewport_limit(b, 2), 64, -64)))
MISTAKE(viewport_bottom_high, "VkViewport-y-01233",
        set_viewport(c, viewport_of(0, viewport_limit(b, 3), 64, 64)))
MISTAKE(viewport_min_depth, "VkViewport-minDepth-01234",
        set_viewport(c, (VkViewport){0, 0, 1, 1, -1, 1}))
MISTAKE(viewport_max_depth, "VkViewport-maxDepth-01235",
        set_viewport(c, (VkViewport){0, 0, 1, 1, 0, 2}))

SCENARIO(viewport_depth_unrestricted, EXTENSION("VK_EXT_depth_range_unrestricted"))
{
    set_viewport(make_recording(b), (VkViewport){0, 0, 1, 1, -1, 2});
}

static void set_viewports(VkCommandBuffer c, uint32_t first, uint32_t count)
{
    VkViewport viewports[64];
    for (uint32_t i = 0; i < 64; i++)
        viewports[i] = viewport_of(0, 0, 1, 1);
    vkCmdSetViewport(c, first, count, viewports);
}

SCENARIO(viewports_all, .features = &many_viewports)
{
    uint32_t most = limits_of_device(b).maxViewports;
    set_viewports(make_recording(b), most - 2, 2);
}

MISTAKE(viewports_too_many, "vkCmdSetViewport-firstViewport-01223",
        set_viewports(c, limits_of_device(b).maxViewports - 1, 2), .features = &many_viewports)

static void set_viewports_with_count(VkCommandBuffer c, uint32_t count)
{
    VkViewport viewports[64];
    for (uint32_t i = 0; i < 64; i++)
        viewports[i] = viewport_of(0, 0, 1, 1);
    vkCmdSetViewportWithCount(c, count, viewports);
}

SCENARIO(viewports_with_count, .features = &many_viewports)
{
    set_viewports_with_count(make_recording(b), limits_of_device(b).maxViewports);
}

/* --- scissors --- */

static void set_scissor(VkCommandBuffer c, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    VkRect2D scissor = {{x, y}, {width, height}};
    vkCmdSetScissor(c, 0, 1, &scissor);
}

static void set_scissors(VkCommandBuffer c, uint32_t first, uint32_t count)
{
    VkRect2D scissors[64] = {0};
    vkCmdSetScissor(c, first, count, scissors);
}

static void set_scissor_with_count(VkCommandBuffer c, int32_t x, int32_t y, uint32_t width,
                                   uint32_t height)
{
    VkRect2D scissor = {{x, y}, {width, height}};
    vkCmdSetScissorWithCount(c, 1, &scissor);
}

static void set_scissors_with_count(VkCommandBuffer c, uint32_t count)
{
    VkRect2D scissors[64] = {0};
    vkCmdSetScissorWithCount(c, count, scissors);
}

SCENARIO(scissors_in_order, .features = &many_viewports)
{
    VkCommandBuffer c = make_recording(b);
    set_scissor(c, 0, 0, INT32_MAX, INT32_MAX);
    set_scissor(c, 7, 7, INT32_MAX - 7, INT32_MAX - 7);
    set_scissors(c, 1, limits_of_device(b).maxViewports - 1);
    set_scissor_with_count(c, 7, 7, INT32_MAX - 7, INT32_MAX - 7);
    set_scissors_with_count(c, limits_of_device(b).maxViewports);
}

MISTAKE(scissor_negative, "vkCmdSetScissor-x-00595", set_scissor(c, -1, 0, 1, 1),
        .text = {"pScissors[0].offset is (-1, 0)"})
MISTAKE(scissor_wide, "vkCmdSetScissor-offset-00596", set_scissor(c, 1, 0, INT32_MAX, 1))
MISTAKE(scissor_tall, "vkCmdSetScissor-offset-00597", set_scissor(c, 0, 1, 1, INT32_MAX))
MISTAKE(scissors_too_many, "vkCmdSetScissor-firstScissor-00592",
        set_scissors(c, limits_of_device(b).maxViewports, 1), .features = &many_viewports)
MISTAKE(scissor_with_count_negative, "vkCmdSetScissorWithCount-x-03399",
        set_scissor_with_count(c, 0, -1, 1, 1))
MISTAKE(scissor_with_count_wide, "vkCmdSetScissorWithCount-offset-03400",
        set_scissor_with_count(c, 1, 0, INT32_MAX, 1))
MISTAKE(scissor_with_count_tall, "vkCmdSetScissorWithCount-offset-03401",
        set_scissor_with_count(c, 0, 1, 1, INT32_MAX))

/* --- discard rectangles, exclusive scissors, and others of NVIDIA --- */

static void set_discard(struct baseline *b, VkCommandBuffer c, uint32_t first, uint32_t count,
                        VkRect2D rectangle)
{
    VkRect2D rectangles[64];
    for (uint32_t i = 0; i < 64; i++)
        rectangles[i] = rectangle;
    DEVICE_PROC(b, vkCmdSetDiscardRectangleEXT)(c, first, count, rectangles);
}

static uint32_t most_discard_rectangles(struct baseline *b)
{
    VkPhysicalDeviceDiscardRectanglePropertiesEXT discard = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DISCARD_RECTANGLE_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &discard};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return discard.maxDiscardRectangles;
}

#define DISCARD                       EXTENSION("VK_EXT_discard_rectangles"), .drivers = NULL_DRIVER
#define RECT(x_, y_, width_, height_) ((VkRect2D){{x_, y_}, {width_, height_}})

SCENARIO(discard_rectangles, DISCARD)
{
    set_discard(b, make_recording(b), 1, most_discard_rectangles(b) - 1,
                RECT(1, 1, INT32_MAX - 1, INT32_MAX - 1));
}

MISTAKE(discard_rectangles_too_many, "vkCmdSetDiscardRectangleEXT-firstDiscardRectangle-00585",
        set_discard(b, c, 1, most_discard_rectangles(b), RECT(0, 0, 1, 1)), DISCARD)
MISTAKE(discard_rectangle_negative, "vkCmdSetDiscardRectangleEXT-x-00587",
        set_discard(b, c, 0, 1, RECT(-1, 0, 1, 1)), DISCARD)
MISTAKE(discard_rectangle_wide, "vkCmdSetDiscardRectangleEXT-offset-00588",
        set_discard(b, c, 0, 1, RECT(1, 0, INT32_MAX, 1)), DISCARD)
MISTAKE(discard_rectangle_tall, "vkCmdSetDiscardRectangleEXT-offset-00589",
        set_discard(b, c, 0, 1, RECT(0, 1, 1, INT32_MAX)), DISCARD)

static const VkPhysicalDeviceExclusiveScissorFeaturesNV exclusive_scissor = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV,
    .exclusiveScissor = VK_TRUE};
static const VkPhysicalDeviceExclusiveScissorFeaturesNV exclusive_scissors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV,
    .pNext = (void *)&many_viewports,
    .exclusiveScissor = VK_TRUE};

static void set_exclusive(struct baseline *b, VkCommandBuffer c, uint32_t first, uint32_t count,
                          VkRect2D rectangle)
{
    VkRect2D rectangles[64];
    for (uint32_t i = 0; i < 64; i++)
        rectangles[i] = rectangle;
    DEVICE_PROC(b, vkCmdSetExclusiveScissorNV)(c, first, count, rectangles);
}

#define EXCLUSIVE EXTENSION("VK_NV_scissor_exclusive"), .drivers = NULL_DRIVER

SCENARIO(exclusive_scissors_set, EXCLUSIVE, .features = &exclusive_scissors)
{
    VkBool32 enable = VK_TRUE;
    VkCommandBuffer c = make_recording(b);
    set_exclusive(b, c, 1, limits_of_device(b).maxViewports - 1,
                  RECT(1, 1, INT32_MAX - 1, INT32_MAX - 1));
    DEVICE_PROC(b, vkCmdSetExclusiveScissorEnableNV)(c, 0, 1, &enable);
}

MISTAKE(exclusive_scissor_without_feature, "vkCmdSetExclusiveScissorNV-None-02031",
        set_exclusive(b, c, 0, 1, RECT(0, 0, 1, 1)), EXCLUSIVE)
MISTAKE(exclusive_scissors_too_many, "vkCmdSetExclusiveScissorNV-firstExclusiveScissor-02034",
        set_exclusive(b, c, limits_of_device(b).maxViewports, 1, RECT(0, 0, 1, 1)), EXCLUSIVE,
        .features = &exclusive_scissors)
MISTAKE(exclusive_scissor_negative, "vkCmdSetExclusiveScissorNV-x-02037",
        set_exclusive(b, c, 0, 1, RECT(0, -1, 1, 1)), EXCLUSIVE, .features = &exclusive_scissor)
MISTAKE(exclusive_scissor_wide, "vkCmdSetExclusiveScissorNV-offset-02038",
        set_exclusive(b, c, 0, 1, RECT(1, 0, INT32_MAX, 1)), EXCLUSIVE,
        .features = &exclusive_scissor)
MISTAKE(exclusive_scissor_tall, "vkCmdSetExclusiveScissorNV-offset-02039",
        set_exclusive(b, c, 0, 1, RECT(0, 1, 1, INT32_MAX)), EXCLUSIVE,
        .features = &exclusive_scissor)

SCENARIO(exclusive_scissor_enable_without_feature, EXCLUSIVE,
         .expect = {"VUID-vkCmdSetExclusiveScissorEnableNV-exclusiveScissor-07853"})
{
    VkBool32 enable = VK_TRUE;
    DEVICE_PROC(b, vkCmdSetExclusiveScissorEnableNV)(make_recording(b), 0, 1, &enable);
}

static void set_w_scaling(struct baseline *b, VkCommandBuffer c, uint32_t first, uint32_t count)
{
    VkViewportWScalingNV scalings[64] = {0};
    DEVICE_PROC(b, vkCmdSetViewportWScalingNV)(c, first, count, scalings);
}

SCENARIO(w_scaling_set, EXTENSION("VK_NV_clip_space_w_scaling"), .drivers = NULL_DRIVER)
{
    set_w_scaling(b, make_recording(b), 0, limits_of_device(b).maxViewports);
}

MISTAKE(w_scalings_too_many, "vkCmdSetViewportWScalingNV-firstViewport-01324",
        set_w_scaling(b, c, 1, limits_of_device(b).maxViewports),
        EXTENSION("VK_NV_clip_space_w_scaling"), .drivers = NULL_DRIVER)

static const VkPhysicalDeviceShadingRateImageFeaturesNV shading_rate_image_many = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
    .pNext = (void *)&many_viewports,
    .shadingRateImage = VK_TRUE};
#define SHADING_IMAGE EXTENSION("VK_NV_shading_rate_image"), .drivers = NULL_DRIVER

static void set_palette(struct baseline *b, VkCommandBuffer c, uint32_t first, uint32_t count)
{
    static const VkShadingRatePaletteEntryNV entry =
        VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_PIXEL_NV;
    VkShadingRatePaletteNV palettes[64];
    for (uint32_t i = 0; i < 64; i++)
        palettes[i] = (VkShadingRatePaletteNV){1, &entry};
    DEVICE_PROC(b, vkCmdSetViewportShadingRatePaletteNV)(c, first, count, palettes);
}

SCENARIO(palettes_set, SHADING_IMAGE, .features = &shading_rate_image_many)
{
    set_palette(b, make_recording(b), 1, limits_of_device(b).maxViewports - 1);
}

MISTAKE(palette_without_feature, "vkCmdSetViewportShadingRatePaletteNV-None-02064",
        set_palette(b, c, 0, 1), SHADING_IMAGE)
MISTAKE(palettes_too_many, "vkCmdSetViewportShadingRatePaletteNV-firstViewport-02067",
        set_palette(b, c, limits_of_device(b).maxViewports, 1), SHADING_IMAGE,
        .features = &shading_rate_image_many)

static void set_orders(struct baseline *b, VkCommandBuffer c, VkCoarseSampleOrderTypeNV type,
                       uint32_t count)
{
    static const VkCoarseSampleLocationNV locations[2] = {{0, 0, 0}, {1, 0, 0}};
    VkCoarseSampleOrderCustomNV orders[2];
    for (uint32_t i = 0; i < 2; i++)
        orders[i] = (VkCoarseSampleOrderCustomNV){
            VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV, 1, 2, locations};
    DEVICE_PROC(b, vkCmdSetCoarseSampleOrderNV)(c, type, count, orders);
}

SCENARIO(sample_orders, SHADING_IMAGE)
{
    set_orders(b, make_recording(b), VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1);
}

MISTAKE(sample_order_twice, "vkCmdSetCoarseSampleOrderNV-pCustomSampleOrders-02235",
        set_orders(b, c, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 2), SHADING_IMAGE)

/* One order, of 2x2 pixels with one sample each, unless it is changed. */
#define ORDER(name_, id_, change_, ...)                                                       \
    SCENARIO(name_, SHADING_IMAGE, .expect = {id_}, ##__VA_ARGS__)                            \
    {                                                                                         \
        VkCoarseSampleLocationNV at[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};        \
        VkCoarseSampleOrderCustomNV order = {                                                 \
            VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X2_PIXELS_NV, 1, 4, at};          \
        change_;                                                                              \
        DEVICE_PROC(b, vkCmdSetCoarseSampleOrderNV)(make_recording(b),                        \
                                                    VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1, \
                                                    &order);                                  \
    }
#define RATE(pixels_) VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_##pixels_##_NV
#define MOST(n_)      .null_driver = "{\"properties\": {\"shadingRateMaxCoarseSamples\": " #n_ "}}"
ORDER(order_of_four, NULL, at[3].pixelX = 1, MOST(4))
ORDER(order_of_one_pixel, "VUID-VkCoarseSampleOrderCustomNV-shadingRate-02073",
      order.shadingRate = RATE(PIXEL))
ORDER(order_of_three_samples, "VUID-VkCoarseSampleOrderCustomNV-sampleCount-02074",
      order.sampleCount = 3)
ORDER(order_of_few, "VUID-VkCoarseSampleOrderCustomNV-sampleLocationCount-02075",
      order.sampleLocationCount = 3)
ORDER(order_of_many, "VUID-VkCoarseSampleOrderCustomNV-sampleLocationCount-02076",
      order.sampleCount = 1, MOST(3))
ORDER(order_twice_the_same, "VUID-VkCoarseSampleOrderCustomNV-pSampleLocations-02077",
      at[3].pixelX = 0)
ORDER(order_too_wide, "VUID-VkCoarseSampleLocationNV-pixelX-02078", at[3].pixelX = 2)
ORDER(order_too_high, "VUID-VkCoarseSampleLocationNV-pixelY-02079", at[3].pixelY = 2)
ORDER(order_of_a_far_sample, "VUID-VkCoarseSampleLocationNV-sample-02080", at[3].sample = 1)
#define PALETTE(most_) .null_driver = "{\"properties\": {\"shadingRatePaletteSize\": " #most_ "}}"
SCENARIO(palette_of_two, SHADING_IMAGE, .features = &shading_rate_image_many, PALETTE(1),
         .expect = {"VUID-VkShadingRatePaletteNV-shadingRatePaletteEntryCount-02071"})
{
    const VkShadingRatePaletteEntryNV entries[2] = {RATE(PIXEL), RATE(2X1_PIXELS)};
    const VkShadingRatePaletteNV palette = {2, entries};
    set_palette(b, make_recording(b), 0, 1);
    DEVICE_PROC(b, vkCmdSetViewportShadingRatePaletteNV)(make_recording(b), 0, 1, &palette);
}

/* The same in a pipeline */
static void create_with(struct baseline *b, void *next, VkDynamicState state)
{
    struct graphics_pipeline p;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 1,
        .pDynamicStates = &state};
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.viewport_state.pNext = next;
    p.info.pDynamicState = state ? &dynamic : NULL;
    (void)create_graphics_pipeline(b, &p.info);
}
#define PIPELINE_ORDERS(name_, count_, state_, ...)                                       \
    SCENARIO(name_, SHADING_IMAGE, .features = &shading_rate_image_many, ##__VA_ARGS__)   \
    {                                                                                     \
        static const VkCoarseSampleLocationNV at[2] = {{0, 0, 0}, {1, 0, 0}};             \
        const VkCoarseSampleOrderCustomNV order = {RATE(2X1_PIXELS), 1, 2, at},           \
                                          orders[2] = {order, order};                     \
        VkPipelineViewportCoarseSampleOrderStateCreateInfoNV info = {                     \
            VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV, \
            .sampleOrderType = VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV,                     \
            .customSampleOrderCount = count_, .pCustomSampleOrders = orders};             \
        create_with(b, &info, state_);                                                    \
    }
PIPELINE_ORDERS(pipeline_order, 1, 0)
PIPELINE_ORDERS(pipeline_orders_the_same, 2, 0,
                .expect = {"VUID-VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-"
                           "pCustomSampleOrders-02234"})
PIPELINE_ORDERS(pipeline_orders_ignored, 2, VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV)
#define PIPELINE_PALETTES(name_, palettes_, state_, ...)                                 \
    SCENARIO(name_, SHADING_IMAGE, .features = &shading_rate_image_many, ##__VA_ARGS__)  \
    {                                                                                    \
        const VkShadingRatePaletteEntryNV entry = RATE(PIXEL);                           \
        const VkShadingRatePaletteNV palette = {1, &entry};                              \
        VkPipelineViewportShadingRateImageStateCreateInfoNV info = {                     \
            VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV, \
            .shadingRateImageEnable = VK_TRUE, .viewportCount = 1,                       \
            .pShadingRatePalettes = (palettes_)};                                        \
        (void)palette;                                                                   \
        create_with(b, &info, state_);                                                   \
    }
PIPELINE_PALETTES(pipeline_palette, &palette, 0)
PIPELINE_PALETTES(pipeline_without_palettes, NULL, 0,
                  .expect = {"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04057"})
PIPELINE_PALETTES(pipeline_palettes_ignored, NULL,
                  VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV)

/* --- viewports that a secondary inherits --- */

static const VkPhysicalDeviceInheritedViewportScissorFeaturesNV inherits_viewports = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INHERITED_VIEWPORT_SCISSOR_FEATURES_NV,
    .inheritedViewportScissor2D = VK_TRUE};

static VkCommandBuffer begin_inheriting(struct baseline *b, VkBool32 inherits)
{
    static const VkViewport one = {.width = 8, .height = 8, .maxDepth = 1};
    const VkCommandBufferInheritanceViewportScissorInfoNV viewports = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV,
        .viewportScissor2D = inherits, .viewportDepthCount = 1, .pViewportDepths = &one};
    const VkCommandBufferInheritanceInfo inheritance = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &viewports,
        .renderPass = make_render_pass(b)};
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}

/* A pipeline that takes up to two states from the command buffer. */
static VkPipeline make_with_dynamic(struct baseline *b, VkDynamicState first, VkDynamicState second,
                                    const void *next)
{
    const VkDynamicState states[2] = {first, second};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 2,
        .pDynamicStates = states};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pDynamicState = &dynamic;
    p.info.pNext = next;
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    ENSURE(pipeline);
    return pipeline;
}

#define INHERITED(name_, inherits_, call_, ...)                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &inherits_viewports,                  \
             .extensions = {"VK_NV_inherited_viewport_scissor", "VK_EXT_discard_rectangles"}, \
             ##__VA_ARGS__)                                                                   \
    {                                                                                         \
        static const VkRect2D rectangle = {.extent = {8, 8}};                                 \
        static const VkViewport one = {.width = 8, .height = 8, .maxDepth = 1};               \
        VkCommandBuffer c = begin_inheriting(b, inherits_);                                   \
        (void)rectangle;                                                                      \
        (void)one;                                                                            \
        call_;                                                                                \
    }
#define INHERITED_ID(id_) .expect = {"VUID-" id_}
#define BIND(first_, second_, next_)                                                              \
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,                                         \
                      make_with_dynamic(b, VK_DYNAMIC_STATE_##first_, VK_DYNAMIC_STATE_##second_, \
                                        next_))
INHERITED(not_inherited, VK_FALSE, vkCmdSetViewport(c, 0, 1, &one);
          vkCmdSetScissor(c, 0, 1, &rectangle); BIND(LINE_WIDTH, DEPTH_BIAS, NULL))
INHERITED(inherited_viewport_set, VK_TRUE, vkCmdSetViewport(c, 0, 1, &one),
          INHERITED_ID("vkCmdSetViewport-commandBuffer-04821"))
INHERITED(inherited_scissor_set, VK_TRUE, vkCmdSetScissor(c, 0, 1, &rectangle),
          INHERITED_ID("vkCmdSetScissor-viewportScissor2D-04789"))
INHERITED(inherited_viewports_set, VK_TRUE, vkCmdSetViewportWithCount(c, 1, &one),
          INHERITED_ID("vkCmdSetViewportWithCount-commandBuffer-04819"))
INHERITED(inherited_scissors_set, VK_TRUE, vkCmdSetScissorWithCount(c, 1, &rectangle),
          INHERITED_ID("vkCmdSetScissorWithCount-commandBuffer-04820"))
INHERITED(inherited_discard_set, VK_TRUE,
          DEVICE_PROC(b, vkCmdSetDiscardRectangleEXT)(c, 0, 1, &rectangle),
          INHERITED_ID("vkCmdSetDiscardRectangleEXT-viewportScissor2D-04788"))
INHERITED(inherited_pipeline, VK_TRUE, BIND(VIEWPORT, SCISSOR, NULL))
INHERITED(inherited_pipeline_with_scissors, VK_TRUE, BIND(VIEWPORT, LINE_WIDTH, NULL),
          INHERITED_ID("vkCmdBindPipeline-commandBuffer-04808"),
          .text = {"was created without dynamic scissors, but the command buffer inherits"})
static const VkRect2D discarded = {.extent = {8, 8}};
static const VkPipelineDiscardRectangleStateCreateInfoEXT discards = {
    VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, .discardRectangleCount = 1,
    .pDiscardRectangles = &discarded};
INHERITED(inherited_pipeline_that_discards, VK_TRUE, BIND(VIEWPORT, SCISSOR, &discards),
          INHERITED_ID("vkCmdBindPipeline-commandBuffer-04809"))

/* --- provoking vertices --- */

static const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
    .provokingVertexLast = VK_TRUE};
static VkPipeline make_provoking(struct baseline *b, VkProvokingVertexModeEXT mode)
{
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT state = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = mode};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.rasterization.pNext = &state;
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    ENSURE(pipeline);
    return pipeline;
}
#define PROVOKING(name_, second_, inside_, per_pipeline_, ...)                                 \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &provoking,                            \
             EXTENSION("VK_EXT_provoking_vertex"),                                             \
             .null_driver =                                                                    \
                 "{\"properties\": {\"provokingVertexModePerPipeline\": " #per_pipeline_ "}}", \
             ##__VA_ARGS__)                                                                    \
    {                                                                                          \
        VkRenderPass pass = make_render_pass(b);                                               \
        VkRenderPassBeginInfo begin =                                                          \
            render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));       \
        VkCommandBuffer c = make_recording(b);                                                 \
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,                                  \
                          make_provoking(b, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT));       \
        if (inside_)                                                                           \
            vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);                       \
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,                                  \
                          make_provoking(b, VK_PROVOKING_VERTEX_MODE_##second_##_VERTEX_EXT)); \
    }
PROVOKING(one_provoking_vertex, FIRST, true, false)
PROVOKING(two_provoking_vertices, LAST, true, false,
          .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-04881"},
          .text = {"has the provoking vertex mode VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT, but "
                   "VkPipeline 0x",
                   ", which is bound, has VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT, and the mode "
                   "must be the same in a render pass instance"})
PROVOKING(two_provoking_vertices_outside, LAST, false, false)
PROVOKING(two_provoking_vertices_supported, LAST, true, true)

/* --- rasterization, depth --- */

SCENARIO(rasterization_in_order)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdSetLineWidth(c, 1.0f);
    vkCmdSetDepthBias(c, 1.0f, 0.0f, 1.0f);
    vkCmdSetDepthBounds(c, 0.0f, 1.0f);
    vkCmdSetDepthBounds(c, 0.5f, 0.5f);
}

static const VkPhysicalDeviceFeatures2 wide = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.wideLines = VK_TRUE, .depthBiasClamp = VK_TRUE}};
SCENARIO(rasterization_with_features, .features = &wide)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdSetLineWidth(c, 2.0f);
    vkCmdSetDepthBias(c, 1.0f, 1.0f, 1.0f);
}

MISTAKE(line_width_without_feature, "vkCmdSetLineWidth-lineWidth-00788", vkCmdSetLineWidth(c, 2.0f),
        .text = {"lineWidth is 2"})
MISTAKE(depth_bias_clamp_without_feature, "vkCmdSetDepthBias-depthBiasClamp-00790",
        vkCmdSetDepthBias(c, 0, 1, 0))
MISTAKE(depth_bounds_low, "vkCmdSetDepthBounds-minDepthBounds-00600",
        vkCmdSetDepthBounds(c, -1.0f, 1.0f))
MISTAKE(depth_bounds_high, "vkCmdSetDepthBounds-maxDepthBounds-00601",
        vkCmdSetDepthBounds(c, 0.0f, 2.0f))
MISTAKE(depth_bounds_test_without_feature, "vkCmdSetDepthBoundsTestEnable-depthBounds-10010",
        vkCmdSetDepthBoundsTestEnable(c, VK_TRUE))

static void set_stipple(struct baseline *b, VkCommandBuffer c, uint32_t factor)
{
    DEVICE_PROC(b, vkCmdSetLineStippleEXT)(c, factor, 0x5555);
}

SCENARIO(line_stipples, EXTENSION("VK_EXT_line_rasterization"))
{
    VkCommandBuffer c = make_recording(b);
    set_stipple(b, c, 1);
    set_stipple(b, c, 256);
}

MISTAKE(line_stipple_zero, "vkCmdSetLineStipple-lineStippleFactor-02776", set_stipple(b, c, 0),
        EXTENSION("VK_EXT_line_rasterization"))
MISTAKE(line_stipple_large, "vkCmdSetLineStipple-lineStippleFactor-02776", set_stipple(b, c, 257),
        EXTENSION("VK_EXT_line_rasterization"))

static const VkPhysicalDeviceDepthBiasControlFeaturesEXT bias_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT,
    .depthBiasControl = VK_TRUE};

static void set_bias2(struct baseline *b, VkCommandBuffer c, float clamp)
{
    VkDepthBiasInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT,
                               .depthBiasClamp = clamp};
    DEVICE_PROC(b, vkCmdSetDepthBias2EXT)(c, &info);
}

SCENARIO(depth_bias2, EXTENSION("VK_EXT_depth_bias_control"), .features = &bias_control,
         .drivers = NULL_DRIVER)
{
    set_bias2(b, make_recording(b), 0);
}

MISTAKE(depth_bias2_clamp_without_feature, "VkDepthBiasInfoEXT-depthBiasClamp-08950",
        set_bias2(b, c, 1), EXTENSION("VK_EXT_depth_bias_control"), .features = &bias_control,
        .drivers = NULL_DRIVER)

/* --- promoted commands: the feature, the version of the instance --- */

#define OLD(extension_) EXTENSION(extension_), .api_version = VK_API_VERSION_1_2
#define ONE             OLD("VK_EXT_extended_dynamic_state")
#define TWO             OLD("VK_EXT_extended_dynamic_state2")

static const VkPhysicalDeviceExtendedDynamicStateFeaturesEXT one_enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
    .extendedDynamicState = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT two_enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
    .extendedDynamicState2 = VK_TRUE,
    .extendedDynamicState2LogicOp = VK_TRUE,
    .extendedDynamicState2PatchControlPoints = VK_TRUE};

SCENARIO(dynamic_state_one, ONE, .features = &one_enabled)
{
    VkCommandBuffer c = make_recording(b);
    VkViewport v = viewport_of(0, 0, 1, 1);
    VkRect2D s = RECT(0, 0, 1, 1);
    DEVICE_PROC(b, vkCmdSetCullModeEXT)(c, VK_CULL_MODE_BACK_BIT);
    DEVICE_PROC(b, vkCmdSetFrontFaceEXT)(c, VK_FRONT_FACE_CLOCKWISE);
    DEVICE_PROC(b, vkCmdSetPrimitiveTopologyEXT)(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    DEVICE_PROC(b, vkCmdSetDepthTestEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetDepthWriteEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetDepthCompareOpEXT)(c, VK_COMPARE_OP_LESS);
    DEVICE_PROC(b, vkCmdSetDepthBoundsTestEnableEXT)(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetStencilTestEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetStencilOpEXT)(c, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                                         VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                                         VK_COMPARE_OP_LESS);
    DEVICE_PROC(b, vkCmdSetViewportWithCountEXT)(c, 1, &v);
    DEVICE_PROC(b, vkCmdSetScissorWithCountEXT)(c, 1, &s);
}

SCENARIO(dynamic_state_two, TWO, .features = &two_enabled)
{
    VkCommandBuffer c = make_recording(b);
    DEVICE_PROC(b, vkCmdSetRasterizerDiscardEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetDepthBiasEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetPrimitiveRestartEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetLogicOpEXT)(c, VK_LOGIC_OP_AND);
    DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(c, limits_of_device(b).maxTessellationPatchSize);
}

SCENARIO(dynamic_state_of_version)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdSetCullMode(c, VK_CULL_MODE_BACK_BIT);
    vkCmdSetRasterizerDiscardEnable(c, VK_TRUE);
    vkCmdSetDepthBoundsTestEnable(c, VK_FALSE);
}

MISTAKE(cull_mode_without_feature, "vkCmdSetCullMode-None-08971",
        DEVICE_PROC(b, vkCmdSetCullModeEXT)(c, VK_CULL_MODE_NONE), ONE)
MISTAKE(front_face_without_feature, "vkCmdSetFrontFace-None-08971",
        DEVICE_PROC(b, vkCmdSetFrontFaceEXT)(c, VK_FRONT_FACE_CLOCKWISE), ONE)
MISTAKE(topology_without_feature, "vkCmdSetPrimitiveTopology-None-08971",
        DEVICE_PROC(b, vkCmdSetPrimitiveTopologyEXT)(c, VK_PRIMITIVE_TOPOLOGY_POINT_LIST), ONE)
MISTAKE(depth_test_without_feature, "vkCmdSetDepthTestEnable-None-08971",
        DEVICE_PROC(b, vkCmdSetDepthTestEnableEXT)(c, VK_TRUE), ONE)
MISTAKE(depth_write_without_feature, "vkCmdSetDepthWriteEnable-None-08971",
        DEVICE_PROC(b, vkCmdSetDepthWriteEnableEXT)(c, VK_TRUE), ONE)
MISTAKE(depth_compare_without_feature, "vkCmdSetDepthCompareOp-None-08971",
        DEVICE_PROC(b, vkCmdSetDepthCompareOpEXT)(c, VK_COMPARE_OP_LESS), ONE)
MISTAKE(depth_bounds_dynamic_without_feature, "vkCmdSetDepthBoundsTestEnable-None-08971",
        DEVICE_PROC(b, vkCmdSetDepthBoundsTestEnableEXT)(c, VK_FALSE), ONE)
MISTAKE(stencil_test_without_feature, "vkCmdSetStencilTestEnable-None-08971",
        DEVICE_PROC(b, vkCmdSetStencilTestEnableEXT)(c, VK_TRUE), ONE)
MISTAKE(stencil_op_without_feature, "vkCmdSetStencilOp-None-08971",
        DEVICE_PROC(b, vkCmdSetStencilOpEXT)(c, VK_STENCIL_FACE_FRONT_BIT, VK_STENCIL_OP_KEEP,
                                             VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                                             VK_COMPARE_OP_LESS),
        ONE)
MISTAKE(viewport_with_count_without_feature, "vkCmdSetViewportWithCount-None-08971",
        DEVICE_PROC(b, vkCmdSetViewportWithCountEXT)(c, 1, &(VkViewport){0, 0, 1, 1, 0, 1}), ONE)
MISTAKE(scissor_with_count_without_feature, "vkCmdSetScissorWithCount-None-08971",
        DEVICE_PROC(b, vkCmdSetScissorWithCountEXT)(c, 1, &RECT(0, 0, 1, 1)), ONE)
MISTAKE(rasterizer_discard_without_feature, "vkCmdSetRasterizerDiscardEnable-None-08970",
        DEVICE_PROC(b, vkCmdSetRasterizerDiscardEnableEXT)(c, VK_TRUE), TWO)
MISTAKE(depth_bias_without_feature, "vkCmdSetDepthBiasEnable-None-08970",
        DEVICE_PROC(b, vkCmdSetDepthBiasEnableEXT)(c, VK_TRUE), TWO)
MISTAKE(primitive_restart_without_feature, "vkCmdSetPrimitiveRestartEnable-None-08970",
        DEVICE_PROC(b, vkCmdSetPrimitiveRestartEnableEXT)(c, VK_TRUE), TWO)
MISTAKE(logic_op_without_feature, "vkCmdSetLogicOpEXT-None-09422",
        DEVICE_PROC(b, vkCmdSetLogicOpEXT)(c, VK_LOGIC_OP_AND), TWO)
MISTAKE(patch_points_without_feature, "vkCmdSetPatchControlPointsEXT-None-09422",
        DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(c, 3), TWO)

/* --- extended dynamic state 3 --- */

#define THREE EXTENSION("VK_EXT_extended_dynamic_state3")
#define THREE_AND(...) \
    .extensions = {"VK_EXT_extended_dynamic_state3", __VA_ARGS__}, .drivers = NULL_DRIVER

static const VkColorBlendAdvancedEXT advanced_blend = {.advancedBlendOp = VK_BLEND_OP_MULTIPLY_EXT,
                                                       .srcPremultiplied = VK_TRUE,
                                                       .dstPremultiplied = VK_TRUE,
                                                       .blendOverlap =
                                                           VK_BLEND_OVERLAP_UNCORRELATED_EXT,
                                                       .clampResults = VK_TRUE};

MISTAKE(domain_origin_without_three, "vkCmdSetTessellationDomainOriginEXT-None-09423",
        DEVICE_PROC(b,
                    vkCmdSetTessellationDomainOriginEXT)(c,
                                                         VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT),
        THREE)
MISTAKE(depth_clamp_without_three, "vkCmdSetDepthClampEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetDepthClampEnableEXT)(c, VK_FALSE), THREE)
MISTAKE(polygon_mode_without_three, "vkCmdSetPolygonModeEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_FILL), THREE)
MISTAKE(rasterization_samples_without_three, "vkCmdSetRasterizationSamplesEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT), THREE)
MISTAKE(sample_mask_without_three, "vkCmdSetSampleMaskEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(c, VK_SAMPLE_COUNT_1_BIT, &(VkSampleMask){1}), THREE)
MISTAKE(alpha_to_coverage_without_three, "vkCmdSetAlphaToCoverageEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetAlphaToCoverageEnableEXT)(c, VK_TRUE), THREE)
MISTAKE(alpha_to_one_without_three, "vkCmdSetAlphaToOneEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetAlphaToOneEnableEXT)(c, VK_FALSE), THREE)
MISTAKE(logic_op_enable_without_three, "vkCmdSetLogicOpEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetLogicOpEnableEXT)(c, VK_FALSE), THREE)
MISTAKE(color_blend_enable_without_three, "vkCmdSetColorBlendEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetColorBlendEnableEXT)(c, 0, 1, &(VkBool32){VK_TRUE}), THREE)
MISTAKE(color_write_mask_without_three, "vkCmdSetColorWriteMaskEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetColorWriteMaskEXT)(c, 0, 1, &(VkColorComponentFlags){0xf}), THREE)
MISTAKE(color_blend_equation_without_three, "vkCmdSetColorBlendEquationEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)(c, 0, 1, &(VkColorBlendEquationEXT){0}),
        THREE)
MISTAKE(conservative_mode_without_three, "vkCmdSetConservativeRasterizationModeEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetConservativeRasterizationModeEXT)(
            c, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT),
        THREE_AND("VK_EXT_conservative_rasterization"))
MISTAKE(overestimation_without_three, "vkCmdSetExtraPrimitiveOverestimationSizeEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetExtraPrimitiveOverestimationSizeEXT)(c, 0),
        THREE_AND("VK_EXT_conservative_rasterization"))
MISTAKE(sample_locations_enable_without_three, "vkCmdSetSampleLocationsEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetSampleLocationsEnableEXT)(c, VK_TRUE),
        THREE_AND("VK_EXT_sample_locations"))
MISTAKE(color_blend_advanced_without_three, "vkCmdSetColorBlendAdvancedEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetColorBlendAdvancedEXT)(c, 0, 1, &advanced_blend),
        THREE_AND("VK_EXT_blend_operation_advanced"))
MISTAKE(provoking_vertex_without_three, "vkCmdSetProvokingVertexModeEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetProvokingVertexModeEXT)(c,
                                                       VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT),
        THREE_AND("VK_EXT_provoking_vertex"))
MISTAKE(line_mode_without_three, "vkCmdSetLineRasterizationModeEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetLineRasterizationModeEXT)(c, VK_LINE_RASTERIZATION_MODE_DEFAULT),
        THREE_AND("VK_EXT_line_rasterization"))
MISTAKE(line_stipple_enable_without_three, "vkCmdSetLineStippleEnableEXT-None-09423",
        DEVICE_PROC(b, vkCmdSetLineStippleEnableEXT)(c, VK_TRUE),
        THREE_AND("VK_EXT_line_rasterization"))
MISTAKE(w_scaling_enable_without_three, "vkCmdSetViewportWScalingEnableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetViewportWScalingEnableNV)(c, VK_TRUE),
        THREE_AND("VK_NV_clip_space_w_scaling"))
MISTAKE(viewport_swizzle_without_three, "vkCmdSetViewportSwizzleNV-None-09423",
        DEVICE_PROC(b, vkCmdSetViewportSwizzleNV)(c, 0, 1, &(VkViewportSwizzleNV){0}),
        THREE_AND("VK_NV_viewport_swizzle"))
MISTAKE(coverage_to_color_without_three, "vkCmdSetCoverageToColorEnableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageToColorEnableNV)(c, VK_TRUE),
        THREE_AND("VK_NV_fragment_coverage_to_color"))
MISTAKE(coverage_to_color_location_without_three, "vkCmdSetCoverageToColorLocationNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageToColorLocationNV)(c, 0),
        THREE_AND("VK_NV_fragment_coverage_to_color"))
MISTAKE(coverage_modulation_without_three, "vkCmdSetCoverageModulationModeNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageModulationModeNV)(c, VK_COVERAGE_MODULATION_MODE_NONE_NV),
        THREE_AND("VK_NV_framebuffer_mixed_samples"))
MISTAKE(coverage_modulation_table_enable_without_three,
        "vkCmdSetCoverageModulationTableEnableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageModulationTableEnableNV)(c, VK_TRUE),
        THREE_AND("VK_NV_framebuffer_mixed_samples"))
MISTAKE(coverage_modulation_table_without_three, "vkCmdSetCoverageModulationTableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageModulationTableNV)(c, 1, &(float){1}),
        THREE_AND("VK_NV_framebuffer_mixed_samples"))
MISTAKE(coverage_reduction_without_three, "vkCmdSetCoverageReductionModeNV-None-09423",
        DEVICE_PROC(b, vkCmdSetCoverageReductionModeNV)(c, VK_COVERAGE_REDUCTION_MODE_MERGE_NV),
        THREE_AND("VK_NV_framebuffer_mixed_samples", "VK_NV_coverage_reduction_mode"))
MISTAKE(representative_test_without_three, "vkCmdSetRepresentativeFragmentTestEnableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetRepresentativeFragmentTestEnableNV)(c, VK_TRUE),
        THREE_AND("VK_NV_representative_fragment_test"))
MISTAKE(shading_rate_image_without_three, "vkCmdSetShadingRateImageEnableNV-None-09423",
        DEVICE_PROC(b, vkCmdSetShadingRateImageEnableNV)(c, VK_TRUE),
        THREE_AND("VK_NV_shading_rate_image"))

static const VkPhysicalDeviceFeatures2 all_core = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                   .features = {.depthClamp = VK_TRUE,
                                                                .fillModeNonSolid = VK_TRUE,
                                                                .alphaToOne = VK_TRUE,
                                                                .logicOp = VK_TRUE,
                                                                .dualSrcBlend = VK_TRUE}};
/* Every feature of the extension: all members are VkBool32. */
#define ALL_THREE(next_)                                                               \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, \
     .pNext = (void *)(next_),                                                         \
     .extendedDynamicState3TessellationDomainOrigin = VK_TRUE,                         \
     .extendedDynamicState3DepthClampEnable = VK_TRUE,                                 \
     .extendedDynamicState3PolygonMode = VK_TRUE,                                      \
     .extendedDynamicState3RasterizationSamples = VK_TRUE,                             \
     .extendedDynamicState3SampleMask = VK_TRUE,                                       \
     .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,                            \
     .extendedDynamicState3AlphaToOneEnable = VK_TRUE,                                 \
     .extendedDynamicState3LogicOpEnable = VK_TRUE,                                    \
     .extendedDynamicState3ColorBlendEnable = VK_TRUE,                                 \
     .extendedDynamicState3ColorBlendEquation = VK_TRUE,                               \
     .extendedDynamicState3ColorWriteMask = VK_TRUE,                                   \
     .extendedDynamicState3RasterizationStream = VK_TRUE,                              \
     .extendedDynamicState3ConservativeRasterizationMode = VK_TRUE,                    \
     .extendedDynamicState3ExtraPrimitiveOverestimationSize = VK_TRUE,                 \
     .extendedDynamicState3DepthClipEnable = VK_TRUE,                                  \
     .extendedDynamicState3SampleLocationsEnable = VK_TRUE,                            \
     .extendedDynamicState3ColorBlendAdvanced = VK_TRUE,                               \
     .extendedDynamicState3ProvokingVertexMode = VK_TRUE,                              \
     .extendedDynamicState3LineRasterizationMode = VK_TRUE,                            \
     .extendedDynamicState3LineStippleEnable = VK_TRUE,                                \
     .extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE,                        \
     .extendedDynamicState3ViewportWScalingEnable = VK_TRUE,                           \
     .extendedDynamicState3ViewportSwizzle = VK_TRUE,                                  \
     .extendedDynamicState3CoverageToColorEnable = VK_TRUE,                            \
     .extendedDynamicState3CoverageToColorLocation = VK_TRUE,                          \
     .extendedDynamicState3CoverageModulationMode = VK_TRUE,                           \
     .extendedDynamicState3CoverageModulationTableEnable = VK_TRUE,                    \
     .extendedDynamicState3CoverageModulationTable = VK_TRUE,                          \
     .extendedDynamicState3CoverageReductionMode = VK_TRUE,                            \
     .extendedDynamicState3RepresentativeFragmentTestEnable = VK_TRUE,                 \
     .extendedDynamicState3ShadingRateImageEnable = VK_TRUE}
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three = ALL_THREE(NULL),
                                                              three_and_core = ALL_THREE(&all_core);
static const VkPhysicalDeviceDepthClipEnableFeaturesEXT clip_enable = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
    .pNext = (void *)&three,
    .depthClipEnable = VK_TRUE};
static const VkPhysicalDeviceDepthClipControlFeaturesEXT clip_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
    .pNext = (void *)&three,
    .depthClipControl = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT transform_feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&three,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking_last = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
    .pNext = (void *)&three,
    .provokingVertexLast = VK_TRUE};
static const VkPhysicalDeviceLineRasterizationFeaturesEXT all_lines = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
    .pNext = (void *)&three,
    .rectangularLines = VK_TRUE,
    .bresenhamLines = VK_TRUE,
    .smoothLines = VK_TRUE};

SCENARIO(dynamic_state_three, THREE_AND("VK_NV_fill_rectangle"), .features = &three_and_core)
{
    VkCommandBuffer c = make_recording(b);
    VkColorBlendEquationEXT equation = {.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR,
                                        .dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA};
    DEVICE_PROC(b, vkCmdSetTessellationDomainOriginEXT)(c,
                                                        VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    DEVICE_PROC(b, vkCmdSetDepthClampEnableEXT)(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_FILL);
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT);
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(c, VK_SAMPLE_COUNT_1_BIT, &(VkSampleMask){1});
    DEVICE_PROC(b, vkCmdSetAlphaToCoverageEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetAlphaToOneEnableEXT)(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetLogicOpEnableEXT)(c, VK_FALSE);
    DEVICE_PROC(b, vkCmdSetColorBlendEnableEXT)(c, 0, 1, &(VkBool32){VK_TRUE});
    DEVICE_PROC(b, vkCmdSetColorWriteMaskEXT)(c, 0, 1, &(VkColorComponentFlags){0xf});
    DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)(c, 0, 1, &(VkColorBlendEquationEXT){0});
    DEVICE_PROC(b, vkCmdSetDepthClampEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_LINE);
    DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_FILL_RECTANGLE_NV);
    DEVICE_PROC(b, vkCmdSetAlphaToOneEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetLogicOpEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)(c, 0, 1, &equation);
}

SCENARIO(dynamic_state_three_of_others,
         THREE_AND("VK_EXT_conservative_rasterization", "VK_EXT_sample_locations",
                   "VK_EXT_blend_operation_advanced", "VK_EXT_provoking_vertex",
                   "VK_NV_clip_space_w_scaling", "VK_NV_viewport_swizzle",
                   "VK_NV_fragment_coverage_to_color", "VK_NV_framebuffer_mixed_samples",
                   "VK_NV_coverage_reduction_mode", "VK_NV_representative_fragment_test",
                   "VK_NV_shading_rate_image"),
         .features = &provoking_last)
{
    VkCommandBuffer c = make_recording(b);
    DEVICE_PROC(b, vkCmdSetConservativeRasterizationModeEXT)(
        c, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
    DEVICE_PROC(b, vkCmdSetExtraPrimitiveOverestimationSizeEXT)(c, 0);
    DEVICE_PROC(b, vkCmdSetSampleLocationsEnableEXT)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetColorBlendAdvancedEXT)(c, 0, 1, &advanced_blend);
    DEVICE_PROC(b, vkCmdSetProvokingVertexModeEXT)(c, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    DEVICE_PROC(b, vkCmdSetViewportWScalingEnableNV)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetViewportSwizzleNV)(c, 0, 1, &(VkViewportSwizzleNV){0});
    DEVICE_PROC(b, vkCmdSetCoverageToColorEnableNV)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetCoverageToColorLocationNV)(c, 0);
    DEVICE_PROC(b, vkCmdSetCoverageModulationModeNV)(c, VK_COVERAGE_MODULATION_MODE_NONE_NV);
    DEVICE_PROC(b, vkCmdSetCoverageModulationTableEnableNV)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetCoverageModulationTableNV)(c, 1, &(float){1});
    DEVICE_PROC(b, vkCmdSetCoverageReductionModeNV)(c, VK_COVERAGE_REDUCTION_MODE_MERGE_NV);
    DEVICE_PROC(b, vkCmdSetRepresentativeFragmentTestEnableNV)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetShadingRateImageEnableNV)(c, VK_TRUE);
    DEVICE_PROC(b, vkCmdSetProvokingVertexModeEXT)(c, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
}

SCENARIO(dynamic_lines, THREE_AND("VK_EXT_line_rasterization"), .features = &all_lines)
{
    VkCommandBuffer c = make_recording(b);
    DEVICE_PROC(b, vkCmdSetLineRasterizationModeEXT)(c, VK_LINE_RASTERIZATION_MODE_RECTANGULAR);
    DEVICE_PROC(b, vkCmdSetLineRasterizationModeEXT)(c, VK_LINE_RASTERIZATION_MODE_BRESENHAM);
    DEVICE_PROC(b, vkCmdSetLineRasterizationModeEXT)(c,
                                                     VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH);
    DEVICE_PROC(b, vkCmdSetLineStippleEnableEXT)(c, VK_TRUE);
}

SCENARIO(dynamic_depth_clip, THREE_AND("VK_EXT_depth_clip_enable"), .features = &clip_enable)
{
    DEVICE_PROC(b, vkCmdSetDepthClipEnableEXT)(make_recording(b), VK_TRUE);
}

SCENARIO(dynamic_depth_clip_control, THREE_AND("VK_EXT_depth_clip_control"),
         .features = &clip_control)
{
    DEVICE_PROC(b, vkCmdSetDepthClipNegativeOneToOneEXT)(make_recording(b), VK_TRUE);
}

SCENARIO(dynamic_stream, THREE_AND("VK_EXT_transform_feedback"), .features = &transform_feedback)
{
    DEVICE_PROC(b, vkCmdSetRasterizationStreamEXT)(make_recording(b), 1);
}

#define SET_IN(name_, id_, command_, extension_, ...)                                    \
    MISTAKE(name_, id_, DEVICE_PROC(b, command_)(c, __VA_ARGS__), THREE_AND(extension_), \
            .features = &three)

MISTAKE(dynamic_depth_clamp, "vkCmdSetDepthClampEnableEXT-depthClamp-07449",
        DEVICE_PROC(b, vkCmdSetDepthClampEnableEXT)(c, VK_TRUE), THREE, .drivers = NULL_DRIVER,
        .features = &three)
MISTAKE(dynamic_polygon_mode, "vkCmdSetPolygonModeEXT-fillModeNonSolid-07424",
        DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_LINE), THREE,
        .drivers = NULL_DRIVER, .features = &three)
MISTAKE(dynamic_alpha_to_one, "vkCmdSetAlphaToOneEnableEXT-alphaToOne-07607",
        DEVICE_PROC(b, vkCmdSetAlphaToOneEnableEXT)(c, VK_TRUE), THREE, .drivers = NULL_DRIVER,
        .features = &three)
MISTAKE(dynamic_logic_op, "vkCmdSetLogicOpEnableEXT-logicOp-07366",
        DEVICE_PROC(b, vkCmdSetLogicOpEnableEXT)(c, VK_TRUE), THREE, .drivers = NULL_DRIVER,
        .features = &three)
SET_IN(dynamic_provoking_last, "vkCmdSetProvokingVertexModeEXT-provokingVertexMode-07447",
       vkCmdSetProvokingVertexModeEXT, "VK_EXT_provoking_vertex",
       VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT)
SET_IN(dynamic_lines_rectangular, "vkCmdSetLineRasterizationModeEXT-lineRasterizationMode-07418",
       vkCmdSetLineRasterizationModeEXT, "VK_EXT_line_rasterization",
       VK_LINE_RASTERIZATION_MODE_RECTANGULAR)
SET_IN(dynamic_lines_bresenham, "vkCmdSetLineRasterizationModeEXT-lineRasterizationMode-07419",
       vkCmdSetLineRasterizationModeEXT, "VK_EXT_line_rasterization",
       VK_LINE_RASTERIZATION_MODE_BRESENHAM)
SET_IN(dynamic_lines_smooth, "vkCmdSetLineRasterizationModeEXT-lineRasterizationMode-07420",
       vkCmdSetLineRasterizationModeEXT, "VK_EXT_line_rasterization",
       VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH)
SET_IN(dynamic_depth_clip_without_feature, "vkCmdSetDepthClipEnableEXT-depthClipEnable-07451",
       vkCmdSetDepthClipEnableEXT, "VK_EXT_depth_clip_enable", VK_TRUE)
SET_IN(dynamic_clip_control_without_feature,
       "vkCmdSetDepthClipNegativeOneToOneEXT-depthClipControl-07453",
       vkCmdSetDepthClipNegativeOneToOneEXT, "VK_EXT_depth_clip_control", VK_TRUE)
SET_IN(dynamic_stream_without_feature, "vkCmdSetRasterizationStreamEXT-transformFeedback-07411",
       vkCmdSetRasterizationStreamEXT, "VK_EXT_transform_feedback", 0)
SET_IN(dynamic_overestimation,
       "vkCmdSetExtraPrimitiveOverestimationSizeEXT-extraPrimitiveOverestimationSize-07428",
       vkCmdSetExtraPrimitiveOverestimationSizeEXT, "VK_EXT_conservative_rasterization", -1.0f)

SCENARIO(dynamic_fill_rectangle, THREE, .drivers = NULL_DRIVER, .features = &three_and_core,
         .expect = {"VUID-vkCmdSetPolygonModeEXT-polygonMode-07425"})
{
    DEVICE_PROC(b, vkCmdSetPolygonModeEXT)(make_recording(b), VK_POLYGON_MODE_FILL_RECTANGLE_NV);
}

static void set_equation(struct baseline *b, VkCommandBuffer c, int which, VkBlendFactor factor)
{
    VkColorBlendEquationEXT equation = {.srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE};
    VkBlendFactor *const factors[] = {&equation.srcColorBlendFactor, &equation.dstColorBlendFactor,
                                      &equation.srcAlphaBlendFactor, &equation.dstAlphaBlendFactor};
    *factors[which] = factor;
    DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)(c, 0, 1, &equation);
}

#define FACTOR(name_, number_, which_)                                                             \
    MISTAKE(name_, "VkColorBlendEquationEXT-dualSrcBlend-" number_,                                \
            set_equation(b, c, which_, VK_BLEND_FACTOR_SRC1_COLOR), THREE, .drivers = NULL_DRIVER, \
            .features = &three)
FACTOR(equation_source_color, "07357", 0)
FACTOR(equation_target_color, "07358", 1)
FACTOR(equation_source_alpha, "07359", 2)
FACTOR(equation_target_alpha, "07360", 3)

SCENARIO(equation_advanced, THREE_AND("VK_EXT_blend_operation_advanced"), .features = &three,
         .expect = {"VUID-VkColorBlendEquationEXT-colorBlendOp-07361"})
{
    VkColorBlendEquationEXT equation = {.colorBlendOp = VK_BLEND_OP_MULTIPLY_EXT,
                                        .alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT};
    DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)(make_recording(b), 0, 1, &equation);
}

#define NOT_ADVANCED                                                       \
    "{\"properties\": {\"advancedBlendNonPremultipliedSrcColor\": false, " \
    "\"advancedBlendNonPremultipliedDstColor\": "                          \
    "false, "                                                              \
    "\"advancedBlendCorrelatedOverlap\": false}}"
static void set_advanced(struct baseline *b, VkCommandBuffer c, VkBool32 source, VkBool32 target,
                         VkBlendOverlapEXT overlap)
{
    VkColorBlendAdvancedEXT blend = advanced_blend;
    blend.srcPremultiplied = source;
    blend.dstPremultiplied = target;
    blend.blendOverlap = overlap;
    DEVICE_PROC(b, vkCmdSetColorBlendAdvancedEXT)(c, 0, 1, &blend);
}

#define ADVANCED(name_, id_, ...)                                                   \
    MISTAKE(name_, "VkColorBlendAdvancedEXT-" id_, set_advanced(b, c, __VA_ARGS__), \
            THREE_AND("VK_EXT_blend_operation_advanced"), .features = &three,       \
            .null_driver = NOT_ADVANCED)
ADVANCED(advanced_source, "srcPremultiplied-07505", VK_FALSE, VK_TRUE,
         VK_BLEND_OVERLAP_UNCORRELATED_EXT)
ADVANCED(advanced_target, "dstPremultiplied-07506", VK_TRUE, VK_FALSE,
         VK_BLEND_OVERLAP_UNCORRELATED_EXT)
ADVANCED(advanced_overlap, "blendOverlap-07507", VK_TRUE, VK_TRUE, VK_BLEND_OVERLAP_DISJOINT_EXT)

SCENARIO(advanced_supported, THREE_AND("VK_EXT_blend_operation_advanced"), .features = &three)
{
    set_advanced(b, make_recording(b), VK_FALSE, VK_FALSE, VK_BLEND_OVERLAP_DISJOINT_EXT);
}

/* --- feedback loops, depth clamp range, sample locations, color writes --- */

static const VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT loop = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT,
    .attachmentFeedbackLoopDynamicState = VK_TRUE};
static const VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT loop_and_layout = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    .pNext = (void *)&loop,
    .attachmentFeedbackLoopLayout = VK_TRUE};
#define LOOP                                                         \
    .extensions = {"VK_EXT_attachment_feedback_loop_layout",         \
                   "VK_EXT_attachment_feedback_loop_dynamic_state"}, \
    .drivers = NULL_DRIVER
#define SET_LOOP(aspects_) DEVICE_PROC(b, vkCmdSetAttachmentFeedbackLoopEnableEXT)(c, aspects_)

SCENARIO(feedback_loop, LOOP, .features = &loop_and_layout)
{
    VkCommandBuffer c = make_recording(b);
    SET_LOOP(VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
    SET_LOOP(0);
}

MISTAKE(feedback_loop_without_feature,
        "vkCmdSetAttachmentFeedbackLoopEnableEXT-attachmentFeedbackLoopDynamicState-08862",
        SET_LOOP(0), LOOP)
MISTAKE(feedback_loop_metadata, "vkCmdSetAttachmentFeedbackLoopEnableEXT-aspectMask-08863",
        SET_LOOP(VK_IMAGE_ASPECT_METADATA_BIT), LOOP, .features = &loop_and_layout)
MISTAKE(feedback_loop_without_layout,
        "vkCmdSetAttachmentFeedbackLoopEnableEXT-attachmentFeedbackLoopLayout-08864",
        SET_LOOP(VK_IMAGE_ASPECT_COLOR_BIT), LOOP, .features = &loop)

static const VkPhysicalDeviceDepthClampControlFeaturesEXT clamp_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_CONTROL_FEATURES_EXT,
    .depthClampControl = VK_TRUE};
#define CLAMP \
    EXTENSION("VK_EXT_depth_clamp_control"), .drivers = NULL_DRIVER, .features = &clamp_control
#define SET_CLAMP(range_)                                                                     \
    DEVICE_PROC(b, vkCmdSetDepthClampRangeEXT)(c, VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, \
                                               range_)

SCENARIO(depth_clamp_range, CLAMP)
{
    VkCommandBuffer c = make_recording(b);
    SET_CLAMP((&(VkDepthClampRangeEXT){0.25f, 0.75f}));
    DEVICE_PROC(b, vkCmdSetDepthClampRangeEXT)(c, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, NULL);
}

MISTAKE(depth_clamp_range_null, "vkCmdSetDepthClampRangeEXT-pDepthClampRange-09647",
        SET_CLAMP(NULL), CLAMP)
MISTAKE(depth_clamp_range_swapped, "VkDepthClampRangeEXT-pDepthClampRange-00999",
        SET_CLAMP((&(VkDepthClampRangeEXT){0.75f, 0.25f})), CLAMP)
MISTAKE(depth_clamp_range_low, "VkDepthClampRangeEXT-pDepthClampRange-09648",
        SET_CLAMP((&(VkDepthClampRangeEXT){-1.0f, 1.0f})), CLAMP)
MISTAKE(depth_clamp_range_high, "VkDepthClampRangeEXT-pDepthClampRange-09649",
        SET_CLAMP((&(VkDepthClampRangeEXT){0.0f, 2.0f})), CLAMP)

static void set_locations_of(struct baseline *b, VkCommandBuffer c, uint32_t samples,
                             uint32_t count)
{
    VkSampleLocationEXT locations[8] = {0};
    VkSampleLocationsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                     .sampleLocationsPerPixel = samples,
                                     .sampleLocationGridSize = {1, 1},
                                     .sampleLocationsCount = count,
                                     .pSampleLocations = locations};
    DEVICE_PROC(b, vkCmdSetSampleLocationsEXT)(c, &info);
}
#define LOCATIONS EXTENSION("VK_EXT_sample_locations"), .drivers = NULL_DRIVER

SCENARIO(sample_locations, LOCATIONS)
{
    set_locations_of(b, make_recording(b), 4, 4);
}

MISTAKE(sample_locations_too_few, "VkSampleLocationsInfoEXT-sampleLocationsCount-01527",
        set_locations_of(b, c, 4, 2), LOCATIONS)
MISTAKE(sample_locations_unsupported, "VkSampleLocationsInfoEXT-sampleLocationsPerPixel-01526",
        set_locations_of(b, c, 4, 4), LOCATIONS,
        .null_driver = "{\"properties\": {\"sampleLocationSampleCounts\": 2}}")

static const VkPhysicalDeviceColorWriteEnableFeaturesEXT color_write = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .colorWriteEnable = VK_TRUE};

static void set_color_writes(struct baseline *b, VkCommandBuffer c, uint32_t count)
{
    VkBool32 enables[64] = {0};
    DEVICE_PROC(b, vkCmdSetColorWriteEnableEXT)(c, count, enables);
}

SCENARIO(color_writes, EXTENSION("VK_EXT_color_write_enable"), .features = &color_write)
{
    set_color_writes(b, make_recording(b), limits_of_device(b).maxColorAttachments);
}

MISTAKE(color_writes_without_feature, "vkCmdSetColorWriteEnableEXT-None-04803",
        set_color_writes(b, c, 1), EXTENSION("VK_EXT_color_write_enable"))
MISTAKE(color_writes_too_many, "vkCmdSetColorWriteEnableEXT-attachmentCount-06656",
        set_color_writes(b, c, limits_of_device(b).maxColorAttachments + 1),
        EXTENSION("VK_EXT_color_write_enable"), .features = &color_write)

/* --- viewports of Vulkan 1.0 --- */

#define OF_1_0                                                 \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_0, \
    .null_driver = "{\"apiVersion\": \"1.0.0\"}"
static void set_height(struct baseline *b, float height)
{
    const VkViewport viewport = {.width = 64, .height = height, .maxDepth = 1};
    vkCmdSetViewport(make_recording(b), 0, 1, &viewport);
}

SCENARIO(viewport_upside_down_of_1_0, OF_1_0, .expect = {"VUID-VkViewport-apiVersion-07917"},
         .text = {"height is -64, but must be greater than 0 without VK_KHR_maintenance1"})
{
    set_height(b, -64);
}

SCENARIO(viewport_of_1_0, OF_1_0)
{
    set_height(b, 64);
}

SCENARIO(viewport_upside_down_of_maintenance1, OF_1_0, .extensions = {"VK_KHR_maintenance1"})
{
    set_height(b, -64);
}

SCENARIO(viewport_upside_down)
{
    set_height(b, -64);
}
