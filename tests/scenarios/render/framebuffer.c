/* Framebuffers (8.3), and instances of render passes that begin with them (8.4). */
#include "render/render_pass_builder.h"

/* A render pass, a framebuffer for it, and how an instance begins, to break in one place. Steps are
 * taken by finish(). */
struct frame {
    struct pass pass;
    VkImageView views[PASS_ATTACHMENTS];
    VkFramebufferCreateInfo info;
    VkFormat format;
    VkFramebufferAttachmentImageInfo image;
    VkFramebufferAttachmentsCreateInfo images;
    VkRenderPassBeginInfo begin;
    VkRenderPassAttachmentBeginInfo given;
    VkDeviceGroupRenderPassBeginInfo group;
    VkRect2D area;
    VkClearValue clears[2];
    VkCommandBuffer command_buffer;
    VkSubpassContents contents;
};

static void frame_fill(struct baseline *b, struct frame *f)
{
    memset(f, 0, sizeof(*f));
    pass_begin(&f->pass);
    f->pass.info.attachmentCount = 1;
    f->info = framebuffer_info(VK_NULL_HANDLE, f->views);
    f->format = COLOR_FORMAT;
    f->image = (VkFramebufferAttachmentImageInfo){
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .width = IMAGE_EXTENT,
        .height = IMAGE_EXTENT,
        .layerCount = 1,
        .viewFormatCount = 1,
        .pViewFormats = &f->format};
    f->images = (VkFramebufferAttachmentsCreateInfo){
        VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO, NULL, 1, &f->image};
    f->begin = render_pass_begin_info(VK_NULL_HANDLE, VK_NULL_HANDLE);
    f->given = (VkRenderPassAttachmentBeginInfo){
        VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, NULL, 1, f->views};
    f->area = f->begin.renderArea;
    f->group = (VkDeviceGroupRenderPassBeginInfo){
        VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, NULL, 1, 1, &f->area};
    f->views[0] = ATTACHMENT();
}

static VkFramebuffer frame_create(struct baseline *b, struct frame *f)
{
    f->info.renderPass = pass_create2(b, &f->pass);
    ENSURE(f->info.renderPass);
    return create_framebuffer(b, &f->info);
}

static void frame_begin(struct baseline *b, struct frame *f, bool version2)
{
    VkSubpassBeginInfo contents = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, NULL, f->contents};
    if (!f->begin.framebuffer)
        f->begin.framebuffer = frame_create(b, f);
    ENSURE(f->begin.framebuffer);
    if (!f->begin.renderPass)
        f->begin.renderPass = f->info.renderPass;
    if (!f->command_buffer)
        f->command_buffer = make_recording(b);
    if (version2)
        vkCmdBeginRenderPass2(f->command_buffer, &f->begin, &contents);
    else
        vkCmdBeginRenderPass(f->command_buffer, &f->begin, f->contents);
}

#define FRAME_SCENARIO(name_, then_, fields_, ...)              \
    SCENARIO(name_, .features = &pass_features, UNWRAP fields_) \
    {                                                           \
        struct frame frame, *f = &frame;                        \
        struct pass *p = &frame.pass;                           \
        frame_fill(b, f);                                       \
        (void)p;                                                \
        __VA_ARGS__;                                            \
        then_;                                                  \
    }
#define CREATE(name_, id_, fields_, ...)                                                       \
    FRAME_SCENARIO(name_, (void)frame_create(b, f), (.expect = {"VUID-" id_}, UNWRAP fields_), \
                   __VA_ARGS__)
#define CREATES(name_, fields_, ...) \
    FRAME_SCENARIO(name_, ENSURE(frame_create(b, f)), fields_, __VA_ARGS__)
#define BEGIN(name_, id_, fields_, ...)                                                        \
    FRAME_SCENARIO(name_, frame_begin(b, f, false), (.expect = {"VUID-" id_}, UNWRAP fields_), \
                   __VA_ARGS__)
#define BEGIN2(name_, id_, fields_, ...)                                                      \
    FRAME_SCENARIO(name_, frame_begin(b, f, true), (.expect = {"VUID-" id_}, UNWRAP fields_), \
                   __VA_ARGS__)
#define BEGIN_PAIR(name_, id1_, id2_, fields_, ...)                          \
    BEGIN(name_##_first, "vkCmdBeginRenderPass-" id1_, fields_, __VA_ARGS__) \
    BEGIN2(name_##_second, "vkCmdBeginRenderPass2-" id2_, fields_, __VA_ARGS__)
#define BEGINS(name_, fields_, ...) \
    FRAME_SCENARIO(name_, frame_begin(b, f, true), fields_, __VA_ARGS__)

/* One attachment of another kind in the place of the color attachment. */
#define DEPTH_ONLY                                               \
    p->attachments[0] = p->attachments[DEPTH_STENCIL];           \
    p->depth_stencil.attachment = 0;                             \
    p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil; \
    p->subpasses[0].colorAttachmentCount = 0;                    \
    f->views[0] = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT)
#define INPUT_ONLY                            \
    p->subpasses[0].colorAttachmentCount = 0; \
    p->subpasses[0].inputAttachmentCount = 1; \
    p->inputs[0].attachment = 0;              \
    p->attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE
#define IMAGELESS                                        \
    f->info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT; \
    f->info.pNext = &f->images
#define VIEWS(mask_) p->subpasses[0].viewMask = (mask_)

CREATES(framebuffer, ())
CREATES(framebuffer_depth, (), DEPTH_ONLY)
CREATES(framebuffer_imageless, (), IMAGELESS)
CREATES(framebuffer_views, (), VIEWS(3); f->views[0] = ATTACHMENT(.layers = 2))

#define F "VkFramebufferCreateInfo-"
CREATE(attachment_count, F "attachmentCount-00876", (), f->info.attachmentCount = 0)
CREATE(color_usage, F "pAttachments-00877",
       (.text = {"pAttachments[0] (VkImageView 0x", " of VkImage 0x",
                 ") is created with VK_IMAGE_USAGE_SAMPLED_BIT, but it is color attachment 0 of "
                 "subpass 0 (attachment 0 of the render pass), which needs "
                 "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT"}),
       f->views[0] = ATTACHMENT(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
CREATE(depth_usage, F "pAttachments-02633", (), DEPTH_ONLY;
       f->views[0] = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                .usage = VK_IMAGE_USAGE_SAMPLED_BIT))
CREATE(input_usage, F "pAttachments-00879",
       (.text = {"it is input attachment 0 of subpass 0 (attachment 0 of the render pass), which "
                 "needs VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT"}),
       INPUT_ONLY)
CREATE(attachment_format, F "pAttachments-00880",
       (.text = {"pAttachments[0] (VkImageView 0x",
                 ") has the format VK_FORMAT_B8G8R8A8_UNORM, but attachment 0 of the render pass "
                 "has VK_FORMAT_R8G8B8A8"}),
       f->views[0] = ATTACHMENT(.format = VK_FORMAT_B8G8R8A8_UNORM))
CREATE(attachment_samples, F "pAttachments-00881",
       (.text = {") has VK_SAMPLE_COUNT_4_BIT, but attachment 0 of the render pass has "
                 "VK_SAMPLE_COUNT_1_BIT"}),
       f->views[0] = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT))
CREATE(attachment_width, F "flags-04533", (), f->views[0] = ATTACHMENT(.width = 32))
CREATE(attachment_height, F "flags-04534", (), f->views[0] = ATTACHMENT(.height = 32))
CREATE(attachment_layers, F "flags-04535", (), f->info.layers = 2)
CREATE(attachment_views, F "renderPass-04536", (), VIEWS(3))
CREATE(attachment_levels, F "pAttachments-00883", (), f->views[0] = ATTACHMENT(.levels = 2))
CREATE(attachment_swizzle, F "pAttachments-00884", (),
       f->views[0] = ATTACHMENT(.red = VK_COMPONENT_SWIZZLE_ONE))
CREATE(attachment_3d, F "flags-04113", (), f->views[0] = ATTACHMENT(.three_dimensional = true))
CREATE(layers_with_views, F "renderPass-02531", (), VIEWS(1); f->info.layers = 2;
       f->views[0] = ATTACHMENT(.layers = 2))
CREATE(imageless_without_images, F "flags-03190", (), IMAGELESS; f->info.pNext = NULL)
CREATE(imageless_count, F "flags-03191", (), IMAGELESS;
       p->info.attachmentCount = f->info.attachmentCount = 2)
CREATE(imageless_width, F "flags-04541", (), IMAGELESS; f->image.width = 32)
CREATE(imageless_height, F "flags-04542", (), IMAGELESS; f->image.height = 32)
CREATE(imageless_views, F "renderPass-03198", (), IMAGELESS; VIEWS(3))
CREATE(imageless_layers, F "renderPass-04546", (), IMAGELESS; f->info.layers = 2)
CREATE(imageless_color_usage, F "flags-03201",
       (.text = {"pAttachmentImageInfos[0].usage is VK_IMAGE_USAGE_SAMPLED_BIT, but it is for "
                 "color attachment 0 of subpass 0 (attachment 0 of the render pass), which needs "
                 "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT"}),
       IMAGELESS;
       f->image.usage = VK_IMAGE_USAGE_SAMPLED_BIT)
CREATE(imageless_depth_usage, F "flags-03202", (), DEPTH_ONLY; IMAGELESS;
       f->format = VK_FORMAT_D32_SFLOAT_S8_UINT)
CREATE(imageless_input_usage, F "flags-03204", (), INPUT_ONLY; IMAGELESS)
CREATE(imageless_format, F "flags-03205",
       (.text = {"has no VK_FORMAT_R8G8B8A8_UNORM, which attachment 0 of the render pass has"}),
       IMAGELESS;
       f->format = VK_FORMAT_B8G8R8A8_UNORM)

/* --- instances --- */

BEGINS(begin, ())
BEGINS(begin_imageless, (), IMAGELESS; f->begin.pNext = &f->given;
       VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 1,
                                           &f->format};
       f->views[0] = ATTACHMENT(.next = &list))
BEGINS(begin_group, (), f->begin.pNext = &f->group)

#define B "VkRenderPassBeginInfo-"
BEGIN(no_clear_value, B "clearValueCount-00902", (), f->begin.clearValueCount = 0)
BEGIN2(no_clear_value_second, B "clearValueCount-00902", (), f->begin.clearValueCount = 0)
BEGIN(incompatible_pass, B "renderPass-00904", (), f->begin.framebuffer = frame_create(b, f);
      p->attachments[0].format = VK_FORMAT_B8G8R8A8_UNORM; f->begin.renderPass = pass_create2(b, p))
BEGINS(compatible_pass, (), f->begin.framebuffer = frame_create(b, f);
       p->attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
       p->colors[0].layout = VK_IMAGE_LAYOUT_GENERAL; f->begin.renderPass = pass_create2(b, p))
BEGIN(area_no_width, B "None-08996", (), f->begin.renderArea.extent.width = 0)
BEGIN(area_no_height, B "None-08997", (), f->begin.renderArea.extent.height = 0)
BEGIN(area_left, B "pNext-02850", (), f->begin.renderArea.offset.x = -1)
BEGIN(area_above, B "pNext-02851", (), f->begin.renderArea.offset.y = -1)
BEGIN(area_right, B "pNext-02852", (), f->begin.renderArea.offset.x = 1)
BEGIN(area_below, B "pNext-02853", (), f->begin.renderArea.offset.y = 1)
BEGIN(group_right, B "pNext-02856", (), f->begin.pNext = &f->group; f->area.offset.x = 1)
BEGIN(group_below, B "pNext-02857", (), f->begin.pNext = &f->group; f->area.offset.y = 1)
BEGIN(views_of_other, B "framebuffer-03207", (), f->begin.pNext = &f->given)
#define GIVEN(...)                                                                                \
    IMAGELESS;                                                                                    \
    VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 1, \
                                        &f->format};                                              \
    f->begin.pNext = &f->given;                                                                   \
    f->views[0] = ATTACHMENT(.next = &list, __VA_ARGS__)
BEGIN(given_count, B "framebuffer-03208",
      (.allow = {"VUID-VkRenderPassAttachmentBeginInfo-attachmentCount-arraylength"}), GIVEN();
      f->given.attachmentCount = 2; f->views[1] = f->views[0])
BEGIN(given_flags, B "framebuffer-03209", (), GIVEN(.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
BEGIN(given_usage, B "framebuffer-04627", (),
      GIVEN(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT))
BEGIN(given_width, B "framebuffer-03211", (), GIVEN(.width = 128))
BEGIN(given_height, B "framebuffer-03212", (), GIVEN(.height = 128))
BEGIN(given_layers, B "framebuffer-03213", (), GIVEN(.layers = 2))
BEGIN(given_format_count, B "framebuffer-03214", (),
      VkFormat formats[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SRGB};
      VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 2,
                                          formats};
      IMAGELESS; f->begin.pNext = &f->given; f->image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
      f->views[0] = ATTACHMENT(.next = &list, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
BEGIN(given_formats, B "framebuffer-03215", (),
      VkFormat formats[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SRGB};
      VkFormat others[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SNORM};
      VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 2,
                                          formats};
      IMAGELESS; f->begin.pNext = &f->given; f->image.viewFormatCount = 2;
      f->image.pViewFormats = others; f->image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
      f->views[0] = ATTACHMENT(.next = &list, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT))
BEGIN(given_format, B "framebuffer-03216", (),
      VkFormat formats[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SRGB};
      VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 2,
                                          formats};
      IMAGELESS; f->begin.pNext = &f->given; f->image.viewFormatCount = 2;
      f->image.pViewFormats = formats; f->image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
      f->views[0] = ATTACHMENT(.next = &list, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                               .view_format = VK_FORMAT_R8G8B8A8_SRGB))
BEGIN(given_samples, B "framebuffer-09047", (), GIVEN(.samples = VK_SAMPLE_COUNT_4_BIT))
BEGIN(given_levels, "VkRenderPassAttachmentBeginInfo-pAttachments-03218", (), GIVEN(.levels = 2))
BEGIN(given_swizzle, "VkRenderPassAttachmentBeginInfo-pAttachments-03219", (),
      GIVEN(.red = VK_COMPONENT_SWIZZLE_ONE))
BEGIN(given_3d, "VkRenderPassAttachmentBeginInfo-pAttachments-04114", (),
      GIVEN(.three_dimensional = true))

/* --- layouts and usage --- */

#define FINAL(layout_) p->attachments[0].finalLayout = VK_IMAGE_LAYOUT_##layout_
BEGIN_PAIR(usage_color, "initialLayout-00895", "initialLayout-03094", (), INPUT_ONLY;
           FINAL(COLOR_ATTACHMENT_OPTIMAL);
           f->views[0] = ATTACHMENT(.usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
BEGIN_PAIR(usage_shader, "initialLayout-00897", "initialLayout-03097", (),
           FINAL(SHADER_READ_ONLY_OPTIMAL))
BEGIN_PAIR(usage_transfer_src, "initialLayout-00898", "initialLayout-03098", (),
           FINAL(TRANSFER_SRC_OPTIMAL))
BEGIN_PAIR(usage_transfer_dst, "initialLayout-00899", "initialLayout-03099", (),
           FINAL(TRANSFER_DST_OPTIMAL))
#define DEPTH_INPUT                                                  \
    DEPTH_ONLY;                                                      \
    p->subpasses[0].pDepthStencilAttachment = NULL;                  \
    p->subpasses[0].inputAttachmentCount = 1;                        \
    p->inputs[0].attachment = 0;                                     \
    p->inputs[0].aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;             \
    p->attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;      \
    f->views[0] = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, \
                             .usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)
BEGIN_PAIR(usage_depth_stencil, "initialLayout-01758", "initialLayout-03096", (), DEPTH_INPUT;
           FINAL(DEPTH_STENCIL_ATTACHMENT_OPTIMAL))
BEGIN_PAIR(usage_depth, "initialLayout-02842", "initialLayout-02844", (), DEPTH_INPUT;
           FINAL(DEPTH_ATTACHMENT_OPTIMAL); p->attachments[0].format = VK_FORMAT_D32_SFLOAT;
           f->views[0] = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT,
                                    .usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
BEGINS(usage_all, (), FINAL(TRANSFER_SRC_OPTIMAL);
       f->views[0] = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT))

#define LEFT_IN(layout_)                                                                        \
    VkImageViewCreateInfo view =                                                                \
        image_view_info(make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));                    \
    VkImageMemoryBarrier barrier =                                                              \
        image_barrier(view.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_##layout_);        \
    f->command_buffer = make_recording(b);                                                      \
    vkCmdPipelineBarrier(f->command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,                 \
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier); \
    f->views[0] = create_image_view(b, &view);                                                  \
    p->attachments[0].initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
BEGIN_PAIR(initial_layout, "initialLayout-00900", "initialLayout-03100",
           (.text = {"renderPass has attachment 0 (VkImageView 0x", " of VkImage 0x",
                     ") in the initial layout "}),
           LEFT_IN(GENERAL))
BEGINS(initial_layout_right, (), LEFT_IN(COLOR_ATTACHMENT_OPTIMAL))

/* --- contents, next and last subpasses --- */

#define BOTH_CONTENTS (.drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_7_EXTENSION_NAME})
BEGIN(contents_both, "vkCmdBeginRenderPass-contents-09640", BOTH_CONTENTS,
      f->contents = VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR)
BEGIN2(contents_both_second, "VkSubpassBeginInfo-contents-09382", BOTH_CONTENTS,
       f->contents = VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR)

#define TWO_SUBPASSES p->info.subpassCount = 2
#define INSIDE(name_, id_, then_, ...)                                                        \
    FRAME_SCENARIO(name_, then_, (.expect = {id_}), __VA_ARGS__; frame_begin(b, f, false);    \
                   VkSubpassBeginInfo next = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO}; \
                   VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};      \
                   (void)next; (void)end)
INSIDE(next_after_last, "VUID-vkCmdNextSubpass-None-00909",
       vkCmdNextSubpass(f->command_buffer, VK_SUBPASS_CONTENTS_INLINE), )
INSIDE(next_after_last_second, "VUID-vkCmdNextSubpass2-None-03102",
       vkCmdNextSubpass2(f->command_buffer, &next, &end), )
INSIDE(end_before_last, "VUID-vkCmdEndRenderPass-None-00910", vkCmdEndRenderPass(f->command_buffer),
       TWO_SUBPASSES)
INSIDE(end_before_last_second, "VUID-vkCmdEndRenderPass2-None-03103",
       vkCmdEndRenderPass2(f->command_buffer, &end), TWO_SUBPASSES)
FRAME_SCENARIO(all_subpasses, vkCmdEndRenderPass(f->command_buffer), (), TWO_SUBPASSES;
               frame_begin(b, f, false);
               vkCmdNextSubpass(f->command_buffer, VK_SUBPASS_CONTENTS_INLINE))

static VkCommandBuffer render_dynamically(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(ATTACHMENT());
    VkRenderingInfo info = rendering_info(&color);
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    vkCmdBeginRendering(command_buffer, &info);
    return command_buffer;
}
SCENARIO(end_pass_of_rendering, .expect = {"VUID-vkCmdEndRenderPass-None-06170"},
         .features = &pass_features)
{
    vkCmdEndRenderPass(render_dynamically(b));
}
SCENARIO(end_pass_of_rendering_second, .expect = {"VUID-vkCmdEndRenderPass2-None-06171"},
         .features = &pass_features)
{
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    vkCmdEndRenderPass2(render_dynamically(b), &end);
}

/* --- resolves, shading rates, density maps ---------------------------------------------------- */

/* A second attachment of a framebuffer, and what an imageless one says of it. */
static VkFramebufferAttachmentImageInfo two_images[2];
#define TWO_ATTACHMENTS p->info.attachmentCount = f->info.attachmentCount = 2
#define IMAGELESS_OF_TWO(format_, usage_)        \
    IMAGELESS;                                   \
    static VkFormat second_format;               \
    second_format = (format_);                   \
    two_images[0] = two_images[1] = f->image;    \
    two_images[1].pViewFormats = &second_format; \
    two_images[1].usage = (usage_);              \
    f->images.attachmentImageInfoCount = 2;      \
    f->images.pAttachmentImageInfos = two_images
#define SECOND_IMAGE two_images[1]

#define RESOLVED_DEPTH                                                                        \
    DEPTH_ONLY;                                                                               \
    TWO_ATTACHMENTS;                                                                          \
    p->attachments[0].samples = VK_SAMPLE_COUNT_4_BIT;                                        \
    p->attachments[1] = p->attachments[DEPTH_STENCIL];                                        \
    p->depth_stencil_resolve.attachment = 1;                                                  \
    p->subpasses[0].pNext = &p->resolve;                                                      \
    f->views[0] =                                                                             \
        ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .samples = VK_SAMPLE_COUNT_4_BIT); \
    f->views[1] = ATTACHMENT(.format = VK_FORMAT_D32_SFLOAT_S8_UINT)
#define D32S8 VK_FORMAT_D32_SFLOAT_S8_UINT
#define NEEDS_DEPTH                       \
    .text = {"of subpass 0 (attachment ", \
             " of the render pass), which needs VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT"}
CREATES(framebuffer_resolving_depth, (), RESOLVED_DEPTH)
CREATE(depth_resolve_usage, F "pAttachments-02634", (NEEDS_DEPTH), RESOLVED_DEPTH;
       f->views[1] = ATTACHMENT(.format = D32S8, .usage = VK_IMAGE_USAGE_SAMPLED_BIT))
CREATES(imageless_resolving_depth, (), RESOLVED_DEPTH;
        f->image.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT; f->format = D32S8;
        IMAGELESS_OF_TWO(D32S8, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT))
CREATE(imageless_depth_resolve_usage, F "flags-03203", (NEEDS_DEPTH), RESOLVED_DEPTH;
       f->image.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT; f->format = D32S8;
       IMAGELESS_OF_TWO(D32S8, VK_IMAGE_USAGE_SAMPLED_BIT))

/* An image in tile memory may be rendered to, but not resolved to. */
static const VkPhysicalDeviceTileMemoryHeapFeaturesQCOM tile_heap = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_MEMORY_HEAP_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&pass_features,
    .tileMemoryHeap = VK_TRUE};
#define TILES                                                \
    .drivers = NULL_DRIVER, .features = &tile_heap,          \
    .extensions = {VK_QCOM_TILE_MEMORY_HEAP_EXTENSION_NAME}, \
    .null_driver = "{\"specialMemory\": true}"
#define RESOLVED_COLOR                                          \
    TWO_ATTACHMENTS;                                            \
    p->attachments[1] = p->attachments[0];                      \
    p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    p->attachments[0].samples = VK_SAMPLE_COUNT_4_BIT;          \
    p->resolves[0] = p->colors[0];                              \
    p->resolves[0].attachment = 1;                              \
    p->subpasses[0].pResolveAttachments = p->resolves;          \
    f->views[0] = ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT)
#define TILE_USAGE (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TILE_MEMORY_BIT_QCOM)
#define IMAGELESS_RESOLVED(usage_)          \
    RESOLVED_COLOR;                         \
    IMAGELESS_OF_TWO(COLOR_FORMAT, usage_); \
    f->given.attachmentCount = 2;           \
    f->begin.pNext = &f->given
CREATES(framebuffer_in_tiles, (TILES), f->views[0] = make_tile_attachment(b))
CREATES(framebuffer_resolving_color, (TILES), RESOLVED_COLOR; f->views[1] = ATTACHMENT())
CREATE(framebuffer_resolving_to_tiles, F "pAttachments-12327",
       (TILES, .text = {"lies in tile memory, but is resolve attachment 0 of subpass 0"}),
       RESOLVED_COLOR;
       f->views[1] = make_tile_attachment(b))
BEGINS(imageless_resolving_color, (TILES), IMAGELESS_RESOLVED(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
       f->views[1] = ATTACHMENT())
BEGIN(imageless_resolving_to_tiles, "VkRenderPassBeginInfo-framebuffer-12328", (TILES),
      IMAGELESS_RESOLVED(TILE_USAGE);
      f->views[1] = make_tile_attachment(b))
BEGIN2(imageless_resolving_to_tiles_second, "VkRenderPassBeginInfo-framebuffer-12328", (TILES),
       IMAGELESS_RESOLVED(TILE_USAGE);
       f->views[1] = make_tile_attachment(b))

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&pass_features,
    .attachmentFragmentShadingRate = VK_TRUE};
#define RATED(...)                                                                            \
    (.extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME}, .features = &rate_features, \
     .drivers = NULL_DRIVER, __VA_ARGS__)
#define RATE_USAGE     VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR
#define RATE_VIEW(...) ATTACHMENT(.format = VK_FORMAT_R8_UINT, .width = 8, .height = 8, __VA_ARGS__)
#define WITH_RATE                                              \
    TWO_ATTACHMENTS;                                           \
    p->attachments[1].format = VK_FORMAT_R8_UINT;              \
    p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;     \
    p->attachments[1].initialLayout = VK_IMAGE_LAYOUT_GENERAL; \
    p->shading_rate.attachment = 1;                            \
    p->subpasses[0].pNext = &p->rate;                          \
    f->views[1] = RATE_VIEW(.usage = RATE_USAGE)
#define IMAGELESS_RATE                               \
    WITH_RATE;                                       \
    IMAGELESS_OF_TWO(VK_FORMAT_R8_UINT, RATE_USAGE); \
    SECOND_IMAGE.width = SECOND_IMAGE.height = 8
#define NEEDS_RATE                                                                               \
    .text = {"fragment shading rate attachment of subpass 0 (attachment 1 of the render pass), " \
             "which needs "                                                                      \
             "VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR"}
CREATES(framebuffer_rate, RATED(), WITH_RATE)
CREATE(rate_usage, F "flags-04548", RATED(NEEDS_RATE), WITH_RATE;
       f->views[1] = RATE_VIEW(.usage = VK_IMAGE_USAGE_SAMPLED_BIT))
CREATES(imageless_rate, RATED(), IMAGELESS_RATE)
CREATE(imageless_rate_usage, F "flags-04549", RATED(NEEDS_RATE), IMAGELESS_RATE;
       SECOND_IMAGE.usage = VK_IMAGE_USAGE_SAMPLED_BIT)
CREATE(imageless_rate_width, F "flags-04543",
       RATED(.text = {"width is 7, too few for a framebuffer of width 64 with texels of 8"}),
       IMAGELESS_RATE;
       SECOND_IMAGE.width = 7)
CREATE(imageless_rate_height, F "flags-04544",
       RATED(.text = {"height is 7, too few for a framebuffer of height 64 with texels of 8"}),
       IMAGELESS_RATE;
       SECOND_IMAGE.height = 7)
CREATE(imageless_rate_layers, F "flags-04545",
       RATED(.text = {"layerCount is 2, but the framebuffer has 3 layers"}), IMAGELESS_RATE;
       f->info.layers = two_images[0].layerCount = 3; SECOND_IMAGE.layerCount = 2)
CREATES(imageless_rate_of_one_layer, RATED(), IMAGELESS_RATE;
        f->info.layers = two_images[0].layerCount = 3)
CREATE(imageless_rate_views, F "flags-04587",
       RATED(.text = {"layerCount is 2, but the render pass has views 0x4"}), IMAGELESS_RATE;
       VIEWS(4); two_images[0].layerCount = 3; SECOND_IMAGE.layerCount = 2)
CREATES(imageless_rate_of_all_views, RATED(), IMAGELESS_RATE; VIEWS(4);
        two_images[0].layerCount = SECOND_IMAGE.layerCount = 3)

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .fragmentDensityMap = VK_TRUE,
    .fragmentDensityMapNonSubsampledImages = VK_TRUE};
static const VkPhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE layered_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_LAYERED_FEATURES_VALVE,
    .pNext = (void *)(uintptr_t)&density_features,
    .fragmentDensityMapLayered = VK_TRUE};
static const VkRenderPassFragmentDensityMapCreateInfoEXT density_map = {
    .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
    .fragmentDensityMapAttachment = {1, VK_IMAGE_LAYOUT_GENERAL}};
#define DENSITY(...)                                                                            \
    (.extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME}, .features = &density_features, \
     .drivers = NULL_DRIVER,                                                                    \
     .null_driver = "{\"properties\": {\"maxFragmentDensityTexelSize\": [32, 32]}}", __VA_ARGS__)
#define IMAGELESS_DENSITY                                                                \
    TWO_ATTACHMENTS;                                                                     \
    p->attachments[1].format = VK_FORMAT_R8G8_UNORM;                                     \
    p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;                               \
    p->attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;                        \
    p->attachments[1].initialLayout = VK_IMAGE_LAYOUT_GENERAL;                           \
    p->info.pNext = &density_map;                                                        \
    IMAGELESS_OF_TWO(VK_FORMAT_R8G8_UNORM, VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT); \
    SECOND_IMAGE.width = SECOND_IMAGE.height = 2
CREATES(imageless_density, DENSITY(), IMAGELESS_DENSITY)
CREATE(imageless_density_width, F "flags-03196",
       DENSITY(.text = {"width is 1, too few for a framebuffer of width 64"}), IMAGELESS_DENSITY;
       SECOND_IMAGE.width = 1)
CREATE(imageless_density_height, F "flags-03197",
       DENSITY(.text = {"height is 1, too few for a framebuffer of height 64"}), IMAGELESS_DENSITY;
       SECOND_IMAGE.height = 1)

#define LAYERED(...)                                                      \
    (.extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,           \
                    VK_VALVE_FRAGMENT_DENSITY_MAP_LAYERED_EXTENSION_NAME, \
                    VK_KHR_MAINTENANCE_5_EXTENSION_NAME},                 \
     .features = &layered_features, .drivers = NULL_DRIVER,               \
     .null_driver = "{\"properties\": {\"maxFragmentDensityMapLayers\": 2}}", __VA_ARGS__)
#define LAYERS(count_)                                                          \
    p->info.flags = VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE; \
    f->info.layers = (count_);                                                  \
    f->views[0] = ATTACHMENT(.layers = (count_))
CREATES(layered_density, LAYERED(), LAYERS(2))
CREATE(layered_density_limit, F "renderPass-10830",
       LAYERED(.text = {"layers is 3, but maxFragmentDensityMapLayers is 2"}), LAYERS(3))

CREATE(imageless_format_undefined, "VkFramebufferAttachmentImageInfo-viewFormatCount-09536",
       (.text = {"pViewFormats[1] is VK_FORMAT_UNDEFINED"}), IMAGELESS;
       static const VkFormat formats[2] = {COLOR_FORMAT}; f->image.viewFormatCount = 2;
       f->image.pViewFormats = formats)

/* --- more layouts ----------------------------------------------------------------------------- */

BEGIN(no_clear_values, B "clearValueCount-04962",
      (.text = {"pClearValues is NULL, but clearValueCount is 1"}), f->begin.pClearValues = NULL)

static const VkAttachmentDescriptionStencilLayout stencil_final = {
    .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
    .stencilInitialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    .stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
#define STENCIL_FINAL                         \
    p->attachments[0].pNext = &stencil_final; \
    FINAL(DEPTH_ATTACHMENT_OPTIMAL)
BEGINS(usage_stencil_right, (), DEPTH_ONLY; STENCIL_FINAL)
BEGIN_PAIR(usage_stencil, "stencilInitialLayout-02843", "stencilInitialLayout-02845",
           (.text = {"but the render pass has it in a layout that needs "
                     "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT"}),
           DEPTH_INPUT;
           STENCIL_FINAL; FINAL(GENERAL))

static const VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT loop_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .attachmentFeedbackLoopLayout = VK_TRUE};
#define LOOPS(...)                                                          \
    (.extensions = {VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME}, \
     .features = &loop_features, __VA_ARGS__)
#define LOOP_USAGE(usage_)                       \
    FINAL(ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT); \
    f->views[0] = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (usage_))
BEGINS(usage_loop_right, LOOPS(),
       LOOP_USAGE(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT))
BEGIN_PAIR(usage_loop, "initialLayout-07001", "initialLayout-07003",
           LOOPS(.text = {"needs VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT"}),
           LOOP_USAGE(VK_IMAGE_USAGE_SAMPLED_BIT))
BEGIN_PAIR(usage_loop_not_read, "initialLayout-07000", "initialLayout-07002",
           LOOPS(.text = {"but the render pass has it in a layout that needs"}),
           LOOP_USAGE(VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT))

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&pass_features,
    .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL(...)                                                       \
    (.extensions = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME}, \
     .features = &local_features, __VA_ARGS__)
BEGINS(usage_local_right, LOCAL(), FINAL(RENDERING_LOCAL_READ);
       f->views[0] = ATTACHMENT(.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                         VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
BEGIN_PAIR(usage_local, "initialLayout-09537", "initialLayout-09538",
           LOCAL(.text = {"but the render pass has it in VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ"}),
           FINAL(RENDERING_LOCAL_READ))

/* --- views whose memory was freed --- */

static const VkPhysicalDeviceVulkan13Features dynamic_rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};

struct freed_view {
    VkDeviceMemory memory;
    VkImageView view;
};

static struct freed_view make_view_to_free(struct baseline *b)
{
    const VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    struct freed_view made;
    VkMemoryRequirements needs;
    VkImage image = create_image(b, &info);
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &needs);
    const VkMemoryAllocateInfo allocate =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    made.memory = create_memory(b, &allocate);
    VK(vkBindImageMemory(b->device, image, made.memory, 0));
    const VkImageViewCreateInfo view = image_view_info(image);
    made.view = create_image_view(b, &view);
    return made;
}

static void free_view_memory(struct baseline *b, const struct freed_view *made)
{
    FORGET(b, made->memory);
    vkFreeMemory(b->device, made->memory, NULL);
}

SCENARIO(framebuffer_of_freed_memory,
         .expect = {"UNASSIGNED-VkFramebufferCreateInfo-BoundResourceFreedMemoryAccess"},
         .text = {"pCreateInfo->pAttachments[0] (VkImageView 0x",
                  ") is of an image whose memory was freed"})
{
    const struct freed_view made = make_view_to_free(b);
    free_view_memory(b, &made);
    const VkFramebufferCreateInfo info = framebuffer_info(make_render_pass(b), &made.view);
    create_framebuffer(b, &info);
}
SCENARIO(rendering_to_freed_memory, .features = &dynamic_rendering,
         .expect = {"UNASSIGNED-VkRenderingAttachmentInfo-BoundResourceFreedMemoryAccess"},
         .text = {"pRenderingInfo->pColorAttachments[0].imageView (VkImageView 0x"})
{
    const struct freed_view made = make_view_to_free(b);
    free_view_memory(b, &made);
    const VkRenderingAttachmentInfo color = rendering_attachment(made.view);
    const VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(make_recording(b), &info);
}
/* The memory is freed when what used it is done. The image and its view may outlive it. */
SCENARIO(rendering_and_memory_freed_afterwards, .features = &dynamic_rendering)
{
    const struct freed_view made = make_view_to_free(b);
    const VkRenderingAttachmentInfo color = rendering_attachment(made.view);
    const VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer commands = make_recording(b);
    VkImageView other = make_image_view(b);
    const VkFramebufferCreateInfo framebuffer = framebuffer_info(make_render_pass(b), &other);
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    VK(vkEndCommandBuffer(commands));
    free_view_memory(b, &made);
    create_framebuffer(b, &framebuffer);
}
