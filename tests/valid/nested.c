/* Secondaries that execute secondaries, as deep as the device allows: outside of rendering, in
 * render passes and in dynamic rendering; with queries that they inherit. */
#include "pipelines.h"

#define DEEPEST 9 /* command buffers below the primary */

struct nest {
    const struct queue *queue;
    struct target *target; /* or NULL: outside of rendering */
    struct pipe *pipe;
    struct buffer *buffer;
    VkFramebuffer framebuffer;
    bool simultaneous, occlusion;
    bool both; /* kinds of contents in the primary */
    VkQueryPipelineStatisticFlags statistics;
    VkQueryControlFlags control;
};

static void fill_nest(struct world *w, VkCommandBuffer c, const struct nest *n)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    CALL(CmdPipelineBarrier, c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
         1, &barrier, 0, IGNORED, 0, IGNORED);
    CALL(CmdFillBuffer, c, n->buffer->handle, 4 * below(w, 60), PICK(VK_WHOLE_SIZE, 16), 7);
}

static void nest_contents(struct record *rec, const struct nest *n)
{
    struct world *w = rec->w;
    if (!n->target) {
        fill_nest(w, rec->c, n);
        return;
    }
    rec->live = 0;
    pipe_bind(rec, n->pipe);
    pipe_draw(rec, n->pipe);
}

/* The command buffer executes others of lower levels, down to one that executes none. */
static VkCommandBuffer make_level(struct record *rec, const struct nest *n, uint32_t level)
{
    struct world *w = rec->w;
    VkCommandBuffer inner[2] = {VK_NULL_HANDLE};
    uint32_t inner_count = level ? between(w, 1, level < 3 ? 2 : 1) : 0;
    for (uint32_t i = 0; i < inner_count; i++)
        inner[i] = make_level(rec, n, level - 1);
    struct record own = *rec;
    own.c = make_command_buffer(w, n->queue, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    own.secondary = true;
    own.live = 0;
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .occlusionQueryEnable = n->occlusion,
        .queryFlags = n->control,
        .pipelineStatistics = n->statistics};
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = n->simultaneous ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0,
        .pInheritanceInfo = &inheritance};
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .flags = n->both ? VK_RENDERING_CONTENTS_INLINE_BIT_KHR : 0,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = n->target ? &n->target->colors[0]->format : NULL,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    if (n->target) {
        begin.flags |= VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
        inheritance.renderPass = n->target->pass;
        inheritance.framebuffer = chance(w, 50) ? n->framebuffer : VK_NULL_HANDLE;
        if (!n->target->pass)
            inheritance.pNext = &rendering;
    }
    MUST(BeginCommandBuffer, own.c, &begin);
    if (chance(w, 60))
        nest_contents(&own, n);
    if (inner_count && !n->target)
        fill_nest(w, own.c, n);
    if (inner_count)
        CALL(CmdExecuteCommands, own.c, inner_count, inner);
    if (inner_count && chance(w, 60))
        nest_contents(&own, n);
    MUST(EndCommandBuffer, own.c);
    return own.c;
}

static VkRenderPass make_target_pass(struct world *w, struct target *target,
                                     VkAttachmentLoadOp load)
{
    VkAttachmentDescription attachment = {.format = target->colors[0]->format,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = load,
                                          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                          .initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                          .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {
        .pInputAttachments = IGNORED, .colorAttachmentCount = 1, .pColorAttachments = &color};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass,
                                   .pDependencies = IGNORED};
    VkRenderPass pass = VK_NULL_HANDLE;
    MUST(CreateRenderPass, w->device, &info, NULL, &pass);
    OWN(RenderPass, pass);
    return pass;
}

/* The whole instance, with both kinds of contents where a feature allows them. */
static void render_nest(struct record *rec, struct nest *n, struct image *image, VkImageView view,
                        VkCommandBuffer inner)
{
    struct world *w = rec->w;
    struct target *target = n->target;
    VkAttachmentLoadOp load = PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_LOAD);
    VkClearValue clear = {{{0}}};
    bool both = n->both;
    needs_layout(rec, image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    ready(rec, PIPE_USES | USE(COLOR));
    if (target->pass) {
        VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = target->pass,
                                       .framebuffer = n->framebuffer,
                                       .renderArea = {{0, 0}, {target->width, target->height}},
                                       .clearValueCount = 1,
                                       .pClearValues = &clear};
        VkSubpassContents of = both ? VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR
                                    : VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS;
        CALL(CmdBeginRenderPass, rec->c, &begin, of);
    } else {
        VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                           .imageView = view,
                                           .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                           .loadOp = load};
        VkRenderingInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT |
                                          (both ? VK_RENDERING_CONTENTS_INLINE_BIT_KHR : 0),
                                 .renderArea = {{0, 0}, {target->width, target->height}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
        CALL(CmdBeginRendering, rec->c, &begin);
    }
    if (both)
        nest_contents(rec, n);
    CALL(CmdExecuteCommands, rec->c, 1, &inner);
    if (both)
        nest_contents(rec, n);
    if (n->simultaneous && chance(w, 50))
        CALL(CmdExecuteCommands, rec->c, 1, &inner);
    if (target->pass)
        CALL(CmdEndRenderPass, rec->c);
    else
        CALL(CmdEndRendering, rec->c);
}

static VkQueryPool make_queries(struct record *rec, struct nest *n)
{
    struct world *w = rec->w;
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_OCCLUSION,
                                  .queryCount = 1};
    if (ON(pipelineStatisticsQuery) && chance(w, 50)) {
        info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
        info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT;
        n->statistics =
            info.pipelineStatistics | PICK(0, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
    } else {
        n->occlusion = true;
        n->control = ON(occlusionQueryPrecise) ? PICK(0, VK_QUERY_CONTROL_PRECISE_BIT) : 0;
    }
    VkQueryPool pool = VK_NULL_HANDLE;
    MUST(CreateQueryPool, w->device, &info, NULL, &pool);
    OWN(QueryPool, pool);
    CALL(CmdResetQueryPool, rec->c, pool, 0, 1);
    return pool;
}

static uint32_t any_depth(struct world *w, bool rendering)
{
    VkPhysicalDeviceNestedCommandBufferPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_PROPERTIES_EXT};
    if (!ON(nestedCommandBuffer) || (rendering && !ON(nestedCommandBufferRendering)) ||
        !properties_of(w, &properties))
        return 0;
    uint32_t most = properties.maxCommandBufferNestingLevel;
    if (most > DEEPEST - 1)
        most = DEEPEST - 1;
    return PICK(0u, 1u, most, most); /* what is executed by a secondary has a lower level */
}

void step_nested(struct world *w)
{
    struct nest *n = NEW(struct nest, NULL);
    bool rendering = chance(w, 60);
    n->queue = any_queue(w, rendering ? VK_QUEUE_GRAPHICS_BIT : VK_QUEUE_COMPUTE_BIT);
    n->buffer = make_buffer(w, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT, false);
    struct image *image = NULL;
    VkImageView view = VK_NULL_HANDLE;
    uint32_t depth = any_depth(w, rendering);
    n->both = (ON(maintenance7) || ON(nestedCommandBuffer)) && chance(w, 50);
    n->simultaneous = (!depth || ON(nestedCommandBufferSimultaneousUse)) && chance(w, 30);
    if (rendering) {
        struct target *target = n->target =
            NEW(struct target, .color_count = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                .width = between(w, 1, 32), .height = 16, .layers = 1);
        target->colors[0] = any_format(w, "f", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
        if (!target->colors[0])
            return;
        VkImageCreateInfo info = image_info(target->colors[0]->format, target->width,
                                            target->height, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
        image = make_image(w, &info);
        if (!image)
            return;
        view = make_view(w, image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
        if (!ON(dynamicRendering) || chance(w, 50)) {
            target->pass =
                make_target_pass(w, target,
                                 PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_LOAD));
            VkFramebufferCreateInfo framebuffer = {.sType =
                                                       VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                   .renderPass = target->pass,
                                                   .attachmentCount = 1,
                                                   .pAttachments = &view,
                                                   .width = target->width,
                                                   .height = target->height,
                                                   .layers = 1};
            MUST(CreateFramebuffer, w->device, &framebuffer, NULL, &n->framebuffer);
            OWN(Framebuffer, n->framebuffer);
        }
        n->pipe = make_pipe(w, target);
    }
    struct record *rec = record_begin(w, n->queue);
    rec->once = true;
    VkQueryPool queries = VK_NULL_HANDLE;
    if (rendering && ON(inheritedQueries) && chance(w, 40))
        queries = make_queries(rec, n);
    if (n->pipe)
        pipe_prepare(rec, n->pipe);
    VkCommandBuffer inner = make_level(rec, n, depth);
    if (queries)
        CALL(CmdBeginQuery, rec->c, queries, 0, n->control);
    if (rendering) {
        render_nest(rec, n, image, view, inner);
    } else {
        ready(rec, USE(ALL));
        CALL(CmdExecuteCommands, rec->c, 1, &inner);
        if (n->simultaneous) {
            fill_nest(w, rec->c, n);
            CALL(CmdExecuteCommands, rec->c, 1, &inner);
        }
        rec->before |= USE(ALL);
    }
    if (queries)
        CALL(CmdEndQuery, rec->c, queries, 0);
    record_finish(rec);
}
