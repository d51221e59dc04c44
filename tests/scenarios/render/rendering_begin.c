/* Begins and ends render pass instances with what may be chained there (8.4, 8.5). It has stripes,
 * areas of views, masks of devices, counters of regions and offsets into fragment density maps.
 * Custom resolves and per-tile execution begin in instances. */
#include "render/render_pass_builder.h"

#define FEATURES(name_, type_, stype_, next_, ...)                                                \
    static const VkPhysicalDevice##type_ name_ = {.sType =                                        \
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##stype_, \
                                                  .pNext = (void *)(uintptr_t)&(next_),           \
                                                  __VA_ARGS__}

/* --- a valid instance of either kind, to break in one place --- */

struct begun {
    VkCommandBuffer command_buffer;
    VkImageView view;
    VkRenderingAttachmentInfo color;
    VkRenderingInfo rendering;
    VkClearValue clear;
    VkRenderPassBeginInfo begin;
    struct pass pass;
    uint32_t layers, width;
    bool version_1; /* of the commands of render pass objects */
};

static void fill_begun(struct baseline *b, struct begun *r)
{
    memset(r, 0, sizeof(*r));
    r->command_buffer = make_recording(b);
    r->view = ATTACHMENT();
    r->color = rendering_attachment(r->view);
    r->rendering = rendering_info(&r->color);
    r->rendering.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    pass_begin(&r->pass);
    r->pass.info.attachmentCount = 1;
    r->layers = 1;
    r->width = IMAGE_EXTENT;
}

static void begin_dynamic(struct baseline *b, struct begun *r)
{
    r->color.imageView = r->view;
    vkCmdBeginRendering(r->command_buffer, &r->rendering);
}

static void destroy_framebuffer(struct baseline *b, uint64_t handle)
{
    vkDestroyFramebuffer(b->device, (VkFramebuffer)(uintptr_t)handle, NULL);
}

/* Begins the render pass, with what VkRenderingInfo chains. */
static void begin_pass(struct baseline *b, struct begun *r)
{
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass_create2(b, &r->pass),
                                          .attachmentCount = 1,
                                          .pAttachments = &r->view,
                                          .width = r->width,
                                          .height = IMAGE_EXTENT,
                                          .layers = r->layers};
    const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    r->begin = (VkRenderPassBeginInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .pNext = r->rendering.pNext,
                                       .renderPass = info.renderPass,
                                       .renderArea = r->rendering.renderArea,
                                       .clearValueCount = 1,
                                       .pClearValues = &r->clear};
    VK(vkCreateFramebuffer(b->device, &info, NULL, &r->begin.framebuffer));
    cleanup_add(b, destroy_framebuffer, HANDLE(r->begin.framebuffer));
    if (r->version_1)
        vkCmdBeginRenderPass(r->command_buffer, &r->begin, VK_SUBPASS_CONTENTS_INLINE);
    else
        vkCmdBeginRenderPass2(r->command_buffer, &r->begin, &subpass);
}

#define BEGUN(kind_, name_, fields_, ...)                                               \
    SCENARIO(name_, .features = &pass_features, .drivers = NULL_DRIVER, UNWRAP fields_) \
    {                                                                                   \
        struct begun begun, *r = &begun;                                                \
        fill_begun(b, r);                                                               \
        __VA_ARGS__;                                                                    \
        begin_##kind_(b, r);                                                            \
    }
#define WITH(fields_, ...)           (UNWRAP fields_, __VA_ARGS__)
#define DYNAMIC(name_, fields_, ...) BEGUN(dynamic, name_, fields_, __VA_ARGS__)
#define OF_PASS(name_, fields_, ...) BEGUN(pass, name_, fields_, __VA_ARGS__)

/* --- stripes --- */

FEATURES(striped, RenderPassStripedFeaturesARM, RENDER_PASS_STRIPED_FEATURES_ARM, pass_features,
         .renderPassStriped = VK_TRUE);
#define STRIPED                                                                       \
    (.extensions = {VK_ARM_RENDER_PASS_STRIPED_EXTENSION_NAME}, .features = &striped, \
     .null_driver = "{\"properties\": {\"renderPassStripeGranularity\": [16, 16], "   \
                    "\"maxRenderPassStripes\": 3}}")
#define STRIPE(x_, y_, width_, height_)                                         \
    {                                                                           \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_INFO_ARM, .stripeArea = { \
            {x_, y_},                                                           \
            {width_, height_}                                                   \
        }                                                                       \
    }
/* The image is IMAGE_EXTENT, 64, square. */
#define STRIPES(count_, ...)                                          \
    VkRenderPassStripeInfoARM stripes[] = {__VA_ARGS__};              \
    VkRenderPassStripeBeginInfoARM chain = {                          \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_BEGIN_INFO_ARM, \
        .stripeInfoCount = count_,                                    \
        .pStripeInfos = stripes};                                     \
    r->rendering.pNext = &chain
#define AREA(x_, y_, width_, height_)    \
    r->rendering.renderArea = (VkRect2D) \
    {                                    \
        {x_, y_},                        \
        {                                \
            width_, height_              \
        }                                \
    }
#define OF_STRIPE(name_) .expect = {"VUID-VkRenderPassStripe" name_}

DYNAMIC(stripes, STRIPED, STRIPES(2, STRIPE(0, 0, 64, 32), STRIPE(0, 32, 64, 32)))
OF_PASS(stripes_of_pass, STRIPED, STRIPES(2, STRIPE(0, 0, 64, 32), STRIPE(0, 32, 64, 32)))
/* The last one ends where the area does. */
DYNAMIC(stripes_of_odd_area, STRIPED, AREA(0, 0, 40, 50);
        STRIPES(2, STRIPE(0, 0, 40, 32), STRIPE(0, 32, 40, 18)))
DYNAMIC(stripes_of_area_elsewhere, STRIPED, AREA(16, 16, 40, 40);
        STRIPES(2, STRIPE(16, 16, 40, 32), STRIPE(16, 48, 40, 8)))
DYNAMIC(stripes_too_many, WITH(STRIPED, OF_STRIPE("BeginInfoARM-stripeInfoCount-09450")),
        STRIPES(4, STRIPE(0, 0, 64, 16), STRIPE(0, 16, 64, 16), STRIPE(0, 32, 64, 16),
                STRIPE(0, 48, 64, 16)))
DYNAMIC(stripes_that_overlap, WITH(STRIPED, OF_STRIPE("BeginInfoARM-stripeArea-09451")),
        STRIPES(2, STRIPE(0, 0, 64, 48), STRIPE(0, 32, 64, 32)))
DYNAMIC(stripe_narrow, WITH(STRIPED, OF_STRIPE("InfoARM-stripeArea-09453")),
        STRIPES(3, STRIPE(0, 0, 24, 64), STRIPE(32, 0, 32, 64), STRIPE(16, 0, 0, 64));
        AREA(0, 0, 24, 64); r->rendering.renderArea.extent.width = 16)
DYNAMIC(stripe_low, WITH(STRIPED, OF_STRIPE("InfoARM-stripeArea-09455")), AREA(0, 0, 64, 16);
        STRIPES(1, STRIPE(0, 0, 64, 24)))
DYNAMIC(stripes_that_do_not_cover, WITH(STRIPED, .expect = {"VUID-VkRenderingInfo-pNext-09535"}),
        STRIPES(1, STRIPE(0, 0, 64, 48)))
OF_PASS(stripes_that_do_not_cover_pass,
        WITH(STRIPED, .expect = {"VUID-VkRenderPassBeginInfo-pNext-09539"}),
        STRIPES(1, STRIPE(0, 0, 64, 48)))

/* --- areas of views --- */

FEATURES(view_areas, MultiviewPerViewRenderAreasFeaturesQCOM,
         MULTIVIEW_PER_VIEW_RENDER_AREAS_FEATURES_QCOM, pass_features,
         .multiviewPerViewRenderAreas = VK_TRUE);
#define VIEW_AREAS                                                           \
    (.extensions = {VK_QCOM_MULTIVIEW_PER_VIEW_RENDER_AREAS_EXTENSION_NAME}, \
     .features = &view_areas)
#define AREAS(count_, ...)                                                                      \
    VkRect2D areas[] = {__VA_ARGS__};                                                           \
    VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM chain = {                              \
        .sType = VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM, \
        .perViewRenderAreaCount = count_,                                                       \
        .pPerViewRenderAreas = areas};                                                          \
    r->rendering.pNext = &chain
#define TWO_VIEWS                      \
    r->view = ATTACHMENT(.layers = 2); \
    r->rendering.viewMask = r->pass.subpasses[0].viewMask = 3
#define LEFT       {{0, 0}, {32, 64}}
#define RIGHT_HALF {{32, 0}, {32, 64}}

DYNAMIC(areas_of_views, VIEW_AREAS, TWO_VIEWS; AREAS(2, LEFT, RIGHT_HALF))
OF_PASS(areas_of_views_of_pass, VIEW_AREAS, TWO_VIEWS; AREAS(2, LEFT, RIGHT_HALF))
DYNAMIC(areas_of_no_views, VIEW_AREAS, TWO_VIEWS; AREAS(0, LEFT))
/* Nothing is drawn of the second view, and there is no third one. */
DYNAMIC(areas_that_do_not_count, VIEW_AREAS, TWO_VIEWS;
        AREAS(3, LEFT, {{63, 0}, {0, 0}}, RIGHT_HALF); AREA(0, 0, 32, 64))
DYNAMIC(areas_of_too_few_views,
        WITH(VIEW_AREAS,
             .expect = {"VUID-VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07866"}),
        TWO_VIEWS;
        AREAS(1, LEFT))
OF_PASS(areas_of_too_few_views_of_pass,
        WITH(VIEW_AREAS,
             .expect = {"VUID-VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07865"}),
        TWO_VIEWS;
        AREAS(1, LEFT))
DYNAMIC(area_beyond_the_instance,
        WITH(VIEW_AREAS, .expect = {"VUID-VkRenderingInfo-perViewRenderAreaCount-07858"}),
        TWO_VIEWS;
        AREAS(2, LEFT, RIGHT_HALF); AREA(0, 0, 63, 64))
OF_PASS(area_beyond_the_pass,
        WITH(VIEW_AREAS, .expect = {"VUID-VkRenderPassBeginInfo-perViewRenderAreaCount-07860"}),
        TWO_VIEWS;
        AREAS(2, LEFT, RIGHT_HALF); AREA(0, 0, 63, 64))

/* --- masks of devices --- */

static void begin_masked(struct baseline *b, struct begun *r, uint32_t mask)
{
    const VkDeviceGroupRenderPassBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, .deviceMask = mask};
    r->rendering.pNext = &group;
    begin_dynamic(b, r);
}

SCENARIO(mask_of_the_command_buffer, .features = &pass_features, .drivers = NULL_DRIVER)
{
    struct begun r;
    fill_begun(b, &r);
    begin_masked(b, &r, 1);
}

/* --- counters of regions --- */

static const VkPhysicalDevicePerformanceCountersByRegionFeaturesARM by_region = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_COUNTERS_BY_REGION_FEATURES_ARM,
    .performanceCountersByRegion = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features with_addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&by_region,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features counted = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&with_addresses,
    .synchronization2 = VK_TRUE,
    .dynamicRendering = VK_TRUE};
/* 4 by 4 regions of 16 bytes each, in rows of 64 bytes. */
#define COUNTED                                                                     \
    .features = &counted, .drivers = NULL_DRIVER,                                   \
    .extensions = {VK_ARM_PERFORMANCE_COUNTERS_BY_REGION_EXTENSION_NAME},           \
    .null_driver = "{\"properties\": {\"performanceCounterRegionSize\": [16, 16], " \
                   "\"rowStrideAlignment\": 64, \"regionAlignment\": 16, "          \
                   "\"maxPerRegionPerformanceCounters\": 8}}"

static void count_regions(struct baseline *b, uint32_t layers, uint32_t count,
                          VkDeviceAddress address)
{
    struct begun r;
    static uint32_t counters[2] = {0, 1};
    const VkDeviceAddress addresses[] = {address, 0};
    const VkRenderPassPerformanceCountersByRegionBeginInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_PERFORMANCE_COUNTERS_BY_REGION_BEGIN_INFO_ARM,
        .counterAddressCount = count,
        .pCounterAddresses = addresses,
        .counterIndexCount = 2,
        .pCounterIndices = counters};
    fill_begun(b, &r);
    r.view = ATTACHMENT(.layers = layers);
    r.rendering.layerCount = layers;
    r.rendering.pNext = &info;
    begin_dynamic(b, &r);
}

/* The address of a buffer whose memory is freed. */
static VkDeviceAddress counters_in_freed(struct baseline *b)
{
    const VkBufferCreateInfo info = buffer_info(1024, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    memory.pNext = &flags;
    VkDeviceMemory bound;
    VK(vkAllocateMemory(b->device, &memory, NULL, &bound));
    VK(vkBindBufferMemory(b->device, buffer, bound, 0));
    const VkDeviceAddress address = buffer_address(b, buffer);
    vkFreeMemory(b->device, bound, NULL);
    return address;
}

static VkDeviceAddress counters_at(struct baseline *b)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 1024, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(b->device, &info);
}
#define OF_COUNTERS(name_) \
    .expect = {"VUID-VkRenderPassPerformanceCountersByRegionBeginInfoARM-" name_}

SCENARIO(counters_of_regions, COUNTED)
{
    count_regions(b, 1, 1, counters_at(b) + 768);
}

SCENARIO(counters_of_two_layers, COUNTED)
{
    count_regions(b, 2, 2, counters_at(b));
}

SCENARIO(counters_of_too_few_layers, COUNTED, OF_COUNTERS("counterAddressCount-11815"))
{
    count_regions(b, 2, 1, counters_at(b));
}

SCENARIO(counters_beyond_their_buffer, COUNTED, OF_COUNTERS("pCounterAddresses-11817"),
         .text = {"has 252 bytes left, but the counters take 256"})
{
    count_regions(b, 1, 1, counters_at(b) + 772);
}

SCENARIO(counters_in_freed_memory, COUNTED, OF_COUNTERS("pCounterAddresses-11816"),
         .text = {"which is not bound to memory any more: that was freed"})
{
    count_regions(b, 1, 1, counters_in_freed(b));
}

SCENARIO(counters_nowhere, COUNTED, OF_COUNTERS("pCounterAddresses-11817"))
{
    count_regions(b, 1, 1, 0x10000);
}

/* --- offsets into fragment density maps --- */

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT mapped = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .fragmentDensityMap = VK_TRUE,
    .fragmentDensityMapNonSubsampledImages = VK_TRUE};
FEATURES(shifted, FragmentDensityMapOffsetFeaturesEXT, FRAGMENT_DENSITY_MAP_OFFSET_FEATURES_EXT,
         mapped, .fragmentDensityMapOffset = VK_TRUE);
#define MAP_EXTENSIONS                                         \
    .extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME, \
                   VK_EXT_FRAGMENT_DENSITY_MAP_OFFSET_EXTENSION_NAME, "VK_KHR_maintenance10"}
#define SHIFTED           (MAP_EXTENSIONS, .features = &shifted)
#define UNSHIFTED         (MAP_EXTENSIONS, .features = &mapped)
#define MAY_SHIFT         .flags = VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT
#define OF_OFFSETS(name_) .expect = {"VUID-VkRenderPassFragmentDensityMapOffsetEndInfoEXT-" name_}

static VkImageView make_map(struct baseline *b, uint32_t layers, VkImageCreateFlags flags)
{
    return ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM, .layers = layers, .flags = flags,
                      .usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT);
}

/* Ends what is begun with so many offsets. */
static VkRenderPassFragmentDensityMapOffsetEndInfoEXT offsets_of(uint32_t count)
{
    static const VkOffset2D offsets[2];
    return (VkRenderPassFragmentDensityMapOffsetEndInfoEXT){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT,
        .fragmentDensityOffsetCount = count,
        .pFragmentDensityOffsets = offsets};
}

static void shift_dynamic(struct baseline *b, struct begun *r, VkImageView map, uint32_t count)
{
    const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offsets = offsets_of(count);
    const VkRenderingEndInfoEXT end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_EXT,
                                       .pNext = &offsets};
    const VkRenderingFragmentDensityMapAttachmentInfoEXT density = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = map,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    r->rendering.pNext = map ? &density : NULL;
    begin_dynamic(b, r);
    DEVICE_PROC(b, vkCmdEndRendering2EXT)(r->command_buffer, &end);
}

#define SHIFT(name_, fields_, map_layers_, map_flags_, count_, ...)                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_)                                  \
    {                                                                                        \
        struct begun begun, *r = &begun;                                                     \
        fill_begun(b, r);                                                                    \
        r->view = ATTACHMENT(MAY_SHIFT);                                                     \
        __VA_ARGS__;                                                                         \
        shift_dynamic(b, r, map_layers_ ? make_map(b, map_layers_, map_flags_) : 0, count_); \
    }
#define OFFSET_BIT VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_EXT
SHIFT(map_shifted, SHIFTED, 1, OFFSET_BIT, 1)
SHIFT(map_not_shifted, UNSHIFTED, 1, 0, 0, r->view = ATTACHMENT())
SHIFT(map_of_views_shifted, SHIFTED, 2, OFFSET_BIT, 2, r->view = ATTACHMENT(.layers = 2, MAY_SHIFT);
      r->rendering.viewMask = 3)
SHIFT(no_map_shifted, WITH(SHIFTED, OF_OFFSETS("fragmentDensityMapOffsets-06503")), 0, 0, 1)
SHIFT(map_shifted_by_two, WITH(SHIFTED, OF_OFFSETS("fragmentDensityOffsetCount-06511")), 1,
      OFFSET_BIT, 2)
SHIFT(map_of_views_shifted_by_one, WITH(SHIFTED, OF_OFFSETS("fragmentDensityOffsetCount-06510")), 2,
      OFFSET_BIT, 1, r->view = ATTACHMENT(.layers = 2, MAY_SHIFT);
      r->rendering.viewMask = 3)
SHIFT(color_that_cannot_shift, WITH(SHIFTED, OF_OFFSETS("pColorAttachments-06507")), 1, OFFSET_BIT,
      1, r->view = ATTACHMENT())
SHIFT(resolve_that_cannot_shift, WITH(SHIFTED, OF_OFFSETS("pResolveAttachments-06508")), 1,
      OFFSET_BIT, 1, r->view = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT, MAY_SHIFT);
      r->color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT; r->color.resolveImageView = ATTACHMENT();
      r->color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
SHIFT(depth_that_cannot_shift, WITH(SHIFTED, OF_OFFSETS("pDepthStencilAttachment-06505")), 1,
      OFFSET_BIT, 1,
      VkRenderingAttachmentInfo depth =
          rendering_attachment(ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT));
      depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL; r->rendering.pDepthAttachment = &depth)

/* A render pass in two instances, each of which ends with an offset; x: of the second one. */
static void shift_resumed(struct baseline *b, VkRenderingFlags flags, int32_t x)
{
    struct begun begun, *r = &begun;
    const VkOffset2D places[2] = {{8, 8}, {x, 8}};
    const VkRenderingFragmentDensityMapAttachmentInfoEXT density = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = make_map(b, 1, OFFSET_BIT),
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    fill_begun(b, r);
    r->view = ATTACHMENT(MAY_SHIFT);
    r->rendering.pNext = &density;
    for (uint32_t i = 0; i < 2; i++) {
        const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offsets = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_OFFSET_END_INFO_EXT,
            .fragmentDensityOffsetCount = 1,
            .pFragmentDensityOffsets = &places[i]};
        const VkRenderingEndInfoEXT end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_EXT,
                                           .pNext = &offsets};
        r->rendering.flags = !flags ? 0
                             : i    ? VK_RENDERING_RESUMING_BIT
                                    : VK_RENDERING_SUSPENDING_BIT;
        begin_dynamic(b, r);
        DEVICE_PROC(b, vkCmdEndRendering2EXT)(r->command_buffer, &end);
    }
}
#define SHIFT_RESUMED(name_, flags_, x_, fields_)                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_, GRANULARITY) \
    {                                                                    \
        shift_resumed(b, flags_, x_);                                    \
    }
#define GRANULARITY \
    .null_driver = "{\"properties\": {\"fragmentDensityOffsetGranularity\": [8, 8]}}"
SHIFT_RESUMED(resumed_shifted_alike, VK_RENDERING_SUSPENDING_BIT, 8, SHIFTED)
SHIFT_RESUMED(resumed_shifted_otherwise, VK_RENDERING_SUSPENDING_BIT, 16,
              WITH(SHIFTED, OF_OFFSETS("pFragmentDensityOffsets-10730")))
SHIFT_RESUMED(passes_shifted_otherwise, 0, 16, SHIFTED)

/* A render pass with a map (attachment COLOR_B) and an input attachment. */
enum { SHIFT_MAP = 1 << 0, SHIFT_INPUT = 1 << 1, SHIFT_ALL = 3 };
static void shift_pass(struct baseline *b, uint32_t which)
{
    struct pass pass, *p = &pass;
    const VkRenderPassFragmentDensityMapCreateInfoEXT map = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
        .fragmentDensityMapAttachment = {COLOR_B, VK_IMAGE_LAYOUT_GENERAL}};
    VkImageView views[PASS_ATTACHMENTS];
    pass_begin(p);
    for (uint32_t i = 0; i < PASS_ATTACHMENTS; i++) {
        p->attachments[i] = p->attachments[0];
        views[i] = ATTACHMENT(MAY_SHIFT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                  VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    }
    if (!(which & SHIFT_INPUT))
        views[1] = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    views[COLOR_B] = make_map(b, 1, which & SHIFT_MAP ? OFFSET_BIT : 0);
    p->attachments[COLOR_B].format = VK_FORMAT_R8G8_UNORM;
    p->attachments[COLOR_B].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    p->attachments[COLOR_B].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    p->inputs[0].attachment = 1;
    p->subpasses[0].inputAttachmentCount = 1;
    p->info.pNext = &map;
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass_create2(b, p),
                                          .attachmentCount = PASS_ATTACHMENTS,
                                          .pAttachments = views,
                                          .width = IMAGE_EXTENT,
                                          .height = IMAGE_EXTENT,
                                          .layers = 1};
    static const VkClearValue clear[PASS_ATTACHMENTS];
    const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = info.renderPass,
                                   .renderArea = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}},
                                   .clearValueCount = PASS_ATTACHMENTS,
                                   .pClearValues = clear};
    const VkRenderPassFragmentDensityMapOffsetEndInfoEXT offsets = offsets_of(1);
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO, .pNext = &offsets};
    VkCommandBuffer command_buffer = make_recording(b);
    VK(vkCreateFramebuffer(b->device, &info, NULL, &begin.framebuffer));
    cleanup_add(b, destroy_framebuffer, HANDLE(begin.framebuffer));
    vkCmdBeginRenderPass2(command_buffer, &begin, &subpass);
    vkCmdEndRenderPass2(command_buffer, &end);
}
#define SHIFT_PASS(name_, which_, fields_)                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_) \
    {                                                       \
        shift_pass(b, which_);                              \
    }
SHIFT_PASS(pass_shifted, SHIFT_ALL, SHIFTED)
SHIFT_PASS(map_of_pass_that_cannot_shift, SHIFT_ALL & ~SHIFT_MAP,
           WITH(SHIFTED, OF_OFFSETS("fragmentDensityMapAttachment-06504")))
SHIFT_PASS(input_that_cannot_shift, SHIFT_ALL & ~SHIFT_INPUT,
           WITH(SHIFTED, OF_OFFSETS("pInputAttachments-06506")))

/* --- custom resolves --- */

FEATURES(local, DynamicRenderingLocalReadFeatures, DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
         pass_features, .dynamicRenderingLocalRead = VK_TRUE);
FEATURES(resolving, CustomResolveFeaturesEXT, CUSTOM_RESOLVE_FEATURES_EXT, local,
         .customResolve = VK_TRUE);
#define RESOLVING                                   \
    .features = &resolving, .drivers = NULL_DRIVER, \
    .extensions = {"VK_EXT_custom_resolve", "VK_KHR_dynamic_rendering_local_read"}
#define OF_RESOLVE(name_) .expect = {"VUID-vkCmdBeginCustomResolveEXT-" name_}

static void resolve_times(struct baseline *b, struct begun *r, VkRenderingFlags flags,
                          uint32_t count)
{
    r->rendering.flags = flags;
    begin_dynamic(b, r);
    for (uint32_t i = 0; i < count; i++)
        DEVICE_PROC(b, vkCmdBeginCustomResolveEXT)(r->command_buffer, NULL);
}
#define RESOLVE(name_, flags_, count_, ...)         \
    SCENARIO(name_, RESOLVING, ##__VA_ARGS__)       \
    {                                               \
        struct begun begun;                         \
        fill_begun(b, &begun);                      \
        resolve_times(b, &begun, (flags_), count_); \
    }
RESOLVE(resolve_once, VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT, 1)
RESOLVE(resolve_twice, VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT, 2, OF_RESOLVE("None-11518"))
RESOLVE(resolve_without_flag, 0, 1, OF_RESOLVE("None-11519"))
RESOLVE(resolve_and_suspend, VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT | VK_RENDERING_SUSPENDING_BIT, 1,
        OF_RESOLVE("None-11520"))

SCENARIO(resolve_in_pass, RESOLVING, OF_RESOLVE("commandBuffer-11517"))
{
    struct begun r;
    fill_begun(b, &r);
    begin_pass(b, &r);
    DEVICE_PROC(b, vkCmdBeginCustomResolveEXT)(r.command_buffer, NULL);
}

/* --- feedback loops --- */

FEATURES(unified, UnifiedImageLayoutsFeaturesKHR, UNIFIED_IMAGE_LAYOUTS_FEATURES_KHR, pass_features,
         .unifiedImageLayouts = VK_TRUE);
FEATURES(looping, AttachmentFeedbackLoopLayoutFeaturesEXT,
         ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, unified,
         .attachmentFeedbackLoopLayout = VK_TRUE);
#define LOOPING            \
    (.features = &looping, \
     .extensions = {"VK_KHR_unified_image_layouts", "VK_EXT_attachment_feedback_loop_layout"})
#define LOOP(usage_)                                                  \
    VkAttachmentFeedbackLoopInfoEXT loop = {                          \
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_FEEDBACK_LOOP_INFO_EXT, \
        .feedbackLoopEnable = VK_TRUE};                               \
    r->color.pNext = &loop;                                           \
    r->color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;                   \
    r->view = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (usage_))
DYNAMIC(feedback_loop, LOOPING,
        LOOP(VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT | VK_IMAGE_USAGE_SAMPLED_BIT))
DYNAMIC(feedback_loop_of_unsampled,
        WITH(LOOPING, .expect = {"VUID-VkRenderingAttachmentInfo-imageView-10780"}),
        LOOP(VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT))
DYNAMIC(feedback_loop_without_usage,
        WITH(LOOPING, .expect = {"VUID-VkRenderingAttachmentInfo-imageView-10780"}),
        LOOP(VK_IMAGE_USAGE_SAMPLED_BIT))

/* --- tile shading --- */

FEATURES(tile_shading, TileShadingFeaturesQCOM, TILE_SHADING_FEATURES_QCOM, pass_features,
         .tileShading = VK_TRUE, .tileShadingPerTileDraw = VK_TRUE, .tileShadingApron = VK_TRUE);
FEATURES(anisotropic, TileShadingFeaturesQCOM, TILE_SHADING_FEATURES_QCOM, pass_features,
         .tileShading = VK_TRUE, .tileShadingApron = VK_TRUE,
         .tileShadingAnisotropicApron = VK_TRUE);
#define TILES_OF(features_)                                                                       \
    (.extensions = {VK_QCOM_TILE_SHADING_EXTENSION_NAME, VK_QCOM_TILE_PROPERTIES_EXTENSION_NAME}, \
     .null_driver = "{\"properties\": {\"maxApronSize\": 4}}", .features = &(features_))
#define TILES    TILES_OF(tile_shading)
#define ENABLE   VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM
#define PER_TILE VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM
#define TILE_INFO(flags_, width_, height_)                                    \
    VkRenderPassTileShadingCreateInfoQCOM chain = {                           \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM, \
        .flags = flags_,                                                      \
        .tileApronSize = {width_, height_}};                                  \
    r->rendering.pNext = &chain
#define OF_TILES(name_) .expect = {"VUID-VkRenderPassTileShadingCreateInfoQCOM-" name_}

DYNAMIC(apron, TILES, TILE_INFO(ENABLE, 4, 4))
DYNAMIC(apron_anisotropic, TILES_OF(anisotropic), TILE_INFO(ENABLE, 4, 3))
DYNAMIC(apron_without_tiles, WITH(TILES, OF_TILES("flags-10659")), TILE_INFO(0, 1, 1))
DYNAMIC(apron_not_square, WITH(TILES, OF_TILES("tileShadingAnisotropicApron-10661")),
        TILE_INFO(ENABLE, 4, 3))
DYNAMIC(apron_wide, WITH(TILES_OF(anisotropic), OF_TILES("tileApronSize-10662")),
        TILE_INFO(ENABLE, 5, 4))
DYNAMIC(apron_high, WITH(TILES_OF(anisotropic), OF_TILES("tileApronSize-10663")),
        TILE_INFO(ENABLE, 4, 5))
DYNAMIC(per_tile_without_tiles,
        WITH(TILES, .expect = {"VUID-VkRenderPassTileShadingCreateInfoQCOM-"
                               "flags-10660",
                               "VUID-vkCmdBeginRendering-flags-10642"}),
        TILE_INFO(PER_TILE, 0, 0))

static const VkPerTileBeginInfoQCOM tile_begin = {.sType =
                                                      VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM};
static const VkPerTileEndInfoQCOM tile_end = {.sType = VK_STRUCTURE_TYPE_PER_TILE_END_INFO_QCOM};
static void execute_per_tile(struct baseline *b, struct begun *r, bool dynamic, bool begins)
{
    if (dynamic)
        begin_dynamic(b, r);
    else
        begin_pass(b, r);
    if (begins)
        DEVICE_PROC(b, vkCmdBeginPerTileExecutionQCOM)(r->command_buffer, &tile_begin);
    DEVICE_PROC(b, vkCmdEndPerTileExecutionQCOM)(r->command_buffer, &tile_end);
}
#define PER_TILE_IN(name_, fields_, dynamic_, begins_, ...) \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_) \
    {                                                       \
        struct begun begun, *r = &begun;                    \
        fill_begun(b, r);                                   \
        __VA_ARGS__;                                        \
        execute_per_tile(b, r, dynamic_, begins_);          \
    }
#define OF_BEGIN(name_) "VUID-vkCmdBeginPerTileExecutionQCOM-None-" name_
#define OF_END(name_)   "VUID-vkCmdEndPerTileExecutionQCOM-None-" name_
#define TILES_OF_PASS                                                                           \
    VkRenderPassTileShadingCreateInfoQCOM chain = {                                             \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM, .flags = ENABLE}; \
    r->pass.info.pNext = &chain
PER_TILE_IN(per_tile, TILES, true, true, TILE_INFO(ENABLE, 0, 0))
PER_TILE_IN(per_tile_in_pass, TILES, false, true, TILES_OF_PASS)
PER_TILE_IN(per_tile_without_shading, WITH(TILES, .expect = {OF_BEGIN("10664"), OF_END("10667")}),
            true, true)
PER_TILE_IN(per_tile_in_pass_without_shading,
            WITH(TILES, .expect = {OF_BEGIN("10664"), OF_END("10667")}), false, true)
PER_TILE_IN(per_tile_not_begun, WITH(TILES, .expect = {OF_END("10666")}), true, false,
            TILE_INFO(ENABLE, 0, 0))
OF_PASS(pass_of_tiles_in_simultaneous_use,
        WITH(TILES, .expect = {"VUID-vkCmdBeginRenderPass2-flags-10652"}), TILES_OF_PASS;
        VkCommandBufferBeginInfo simultaneous = begin_info();
        simultaneous.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
        r->command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        VK(vkBeginCommandBuffer(r->command_buffer, &simultaneous)))

/* --- sizes of tile memory --- */

FEATURES(tile_heap, TileMemoryHeapFeaturesQCOM, TILE_MEMORY_HEAP_FEATURES_QCOM, pass_features,
         .tileMemoryHeap = VK_TRUE);
#define TILE_MEMORY                                                                   \
    (.features = &tile_heap, .extensions = {VK_QCOM_TILE_MEMORY_HEAP_EXTENSION_NAME}, \
     .null_driver = "{\"specialMemory\": true}")
#define SIZE_OF_TILES(size_)                                                                 \
    VkTileMemorySizeInfoQCOM chain = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_SIZE_INFO_QCOM, \
                                      .size = size_};                                        \
    r->rendering.pNext = &chain

DYNAMIC(tile_memory, TILE_MEMORY, SIZE_OF_TILES(1 << 20))
DYNAMIC(tile_memory_too_large,
        WITH(TILE_MEMORY, .expect = {"VUID-VkTileMemorySizeInfoQCOM-size-10729"}),
        SIZE_OF_TILES((VkDeviceSize)1 << 50))

/* An image in tile memory may be rendered to, but not resolved to. */
#define RESOLVES_TO(view_)                                  \
    r->view = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT); \
    r->color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;     \
    r->color.resolveImageView = (view_);                    \
    r->color.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL

DYNAMIC(tiles_rendered_to, TILE_MEMORY, r->view = make_tile_attachment(b))
DYNAMIC(tiles_not_resolved_to, TILE_MEMORY, RESOLVES_TO(ATTACHMENT()))
DYNAMIC(tiles_resolved_to,
        WITH(TILE_MEMORY, .expect = {"VUID-VkRenderingAttachmentInfo-resolveImageView-10728"},
             .text = {"lies in tile memory, but is resolved to"}),
        RESOLVES_TO(make_tile_attachment(b)))

/* --- transforms --- */

#define TRANSFORMED (.extensions = {VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME})
#define TRANSFORM(transform_)                                             \
    VkRenderPassTransformBeginInfoQCOM chain = {                          \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM, \
        .transform = VK_SURFACE_TRANSFORM_##transform_##_BIT_KHR};        \
    r->pass.info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM;        \
    r->rendering.pNext = &chain
#define OF_TRANSFORM(name_) .expect = {"VUID-VkRenderPass" name_}

OF_PASS(transform, TRANSFORMED, TRANSFORM(ROTATE_180))
OF_PASS(transform_turned, TRANSFORMED, TRANSFORM(ROTATE_90); r->width = 32; AREA(0, 0, 64, 32))
OF_PASS(transform_of_plain_pass,
        WITH(TRANSFORMED, OF_TRANSFORM("TransformBeginInfoQCOM-flags-02872")), TRANSFORM(IDENTITY);
        r->pass.info.flags = 0)
OF_PASS(transform_of_a_part, WITH(TRANSFORMED, OF_TRANSFORM("BeginInfo-pNext-02870")),
        TRANSFORM(IDENTITY);
        AREA(0, 0, 64, 32))
OF_PASS(transform_elsewhere, WITH(TRANSFORMED, OF_TRANSFORM("BeginInfo-pNext-02869")),
        TRANSFORM(IDENTITY);
        AREA(1, 0, 64, 64))

/* --- stages of dependencies --- */

/* Family 1 has no compute shaders. */
#define GRAPHICS_ALONE                                                              \
    (.null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", " \
                    "\"transfer\"], \"count\": 1}, {\"flags\": [\"graphics\", "     \
                    "\"transfer\"], \"count\": 1}]}")
#define DEPENDENCY(source_, destination_)                                              \
    r->command_buffer = make_recording_of(b, 1);                                       \
    r->pass.info.dependencyCount = 1;                                                  \
    r->pass.dependencies[0].srcSubpass = VK_SUBPASS_EXTERNAL;                          \
    r->pass.dependencies[0].dstSubpass = 0;                                            \
    r->pass.dependencies[0].srcStageMask = VK_PIPELINE_STAGE_##source_##_BIT;          \
    r->pass.dependencies[0].dstStageMask = VK_PIPELINE_STAGE_##destination_##_BIT;     \
    r->pass.dependencies[0].srcAccessMask = r->pass.dependencies[0].dstAccessMask = 0; \
    r->pass.dependencies[0].dependencyFlags = 0
OF_PASS(stages_of_the_family, GRAPHICS_ALONE, DEPENDENCY(TRANSFER, FRAGMENT_SHADER))
OF_PASS(stages_of_another_family,
        WITH(GRAPHICS_ALONE, .expect = {"VUID-vkCmdBeginRenderPass2-srcStageMask-06453"},
             .text = {"which queue family 1 cannot do"}),
        DEPENDENCY(COMPUTE_SHADER, FRAGMENT_SHADER))
OF_PASS(stages_of_another_family_in_version_1,
        WITH(GRAPHICS_ALONE, .expect = {"VUID-vkCmdBeginRenderPass-srcStageMask-06451"}),
        DEPENDENCY(COMPUTE_SHADER, FRAGMENT_SHADER);
        r->version_1 = true)
/* From the last subpass to what comes after. */
#define TO_OTHERS                                \
    DEPENDENCY(FRAGMENT_SHADER, COMPUTE_SHADER); \
    r->pass.dependencies[0].srcSubpass = 0;      \
    r->pass.dependencies[0].dstSubpass = VK_SUBPASS_EXTERNAL
OF_PASS(stages_after_of_another_family,
        WITH(GRAPHICS_ALONE, .expect = {"VUID-vkCmdBeginRenderPass2-dstStageMask-06454"}),
        TO_OTHERS)
OF_PASS(stages_after_of_another_family_in_version_1,
        WITH(GRAPHICS_ALONE, .expect = {"VUID-vkCmdBeginRenderPass-dstStageMask-06452"}), TO_OTHERS;
        r->version_1 = true)

/* --- one memory --- */

static void begin_two(struct baseline *b, uint32_t first, uint32_t second)
{
    struct begun r;
    VkRenderingAttachmentInfo colors[2];
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    fill_begun(b, &r);
    for (uint32_t i = 0; i < 2; i++) {
        view.subresourceRange.baseArrayLayer = i ? second : first;
        colors[i] = rendering_attachment(create_image_view(b, &view));
    }
    r.rendering.colorAttachmentCount = 2;
    r.rendering.pColorAttachments = colors;
    vkCmdBeginRendering(r.command_buffer, &r.rendering);
}

SCENARIO(two_layers_as_colors, .features = &pass_features, .drivers = NULL_DRIVER)
{
    begin_two(b, 0, 1);
}

SCENARIO(one_layer_as_two_colors, .features = &pass_features, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkRenderingInfo-None-09044"},
         .text = {"is of the memory that pColorAttachments[0]"})
{
    begin_two(b, 1, 1);
}
