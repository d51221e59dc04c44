/* Draws and dispatches in the valid mode: what is bound and set before, and within which passes. */
#include "valid.h"

#include <string.h>

#define CHOICES_MOST 3

/* --- dispatches --- */

void record_dispatch(struct recording *rec)
{
    struct random *r = rec->r;
    struct pipeline *pipeline = need_compute_pipeline(rec->v, r);
    if (!pipeline)
        return;
    use(rec, &pipeline->head);
    struct set *set = need_set(rec->v, r, pipeline->layout, false);
    if (!set || !set_ready(rec, set))
        return;
    RECORD(CmdBindPipeline, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->handle);
    bind_sets(rec, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, set);
    struct buffer *indirect = random_chance(r, 30)
                                  ? need_buffer(rec->v, r, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 256)
                                  : NULL;
    if (indirect) {
        use(rec, &indirect->head);
        RECORD(CmdDispatchIndirect, indirect->handle, 4 * random_below(r, 32));
    } else if (random_chance(r, 30)) {
        RECORD(CmdDispatchBase, random_below(r, 4), 0, 0, random_below(r, 4), 1, 1);
    } else {
        RECORD(CmdDispatch, random_below(r, 4), random_below(r, 4), 1);
    }
}

/* --- state --- */

static void set_little(struct recording *rec, bool with_count)
{
    VkViewport viewport = {0, 0, 64, 64, 0, 1};
    VkRect2D scissor = {{0, 0}, {64, 64}};
    if (with_count) {
        RECORD(CmdSetViewportWithCount, 1, &viewport);
        RECORD(CmdSetScissorWithCount, 1, &scissor);
    } else {
        RECORD(CmdSetViewport, 0, 1, &viewport);
        RECORD(CmdSetScissor, 0, 1, &scissor);
    }
}

static void set_old(struct recording *rec)
{
    const float constants[4] = {0, 0.5f, 1, 1};
    RECORD(CmdSetLineWidth, 1);
    RECORD(CmdSetDepthBias, 1, 0, 1);
    RECORD(CmdSetBlendConstants, constants);
    RECORD(CmdSetDepthBounds, 0, 1);
    RECORD(CmdSetStencilCompareMask, VK_STENCIL_FACE_FRONT_AND_BACK, 255);
    RECORD(CmdSetStencilWriteMask, VK_STENCIL_FACE_FRONT_BIT, 15);
    RECORD(CmdSetStencilWriteMask, VK_STENCIL_FACE_BACK_BIT, 15);
    RECORD(CmdSetStencilReference, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
}

static void set_much(struct recording *rec, const struct pipeline *pipeline)
{
    struct random *r = rec->r;
    set_little(rec, true);
    RECORD(CmdSetCullMode, random_below(r, 4));
    RECORD(CmdSetFrontFace, (VkFrontFace)random_below(r, 2));
    RECORD(CmdSetDepthTestEnable, random_chance(r, 50));
    RECORD(CmdSetDepthWriteEnable, random_chance(r, 50));
    RECORD(CmdSetDepthCompareOp, (VkCompareOp)random_below(r, 8));
    RECORD(CmdSetDepthBoundsTestEnable, random_chance(r, 20));
    RECORD(CmdSetStencilTestEnable, random_chance(r, 20));
    RECORD(CmdSetStencilOp, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
           VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_ZERO, VK_COMPARE_OP_ALWAYS);
    RECORD(CmdSetRasterizerDiscardEnable, random_chance(r, 10));
    RECORD(CmdSetDepthBiasEnable, random_chance(r, 50));
    if (pipeline->geometry == GEOMETRY_MESH)
        return;
    RECORD(CmdSetPrimitiveTopology, random_chance(r, 50) ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                                         : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
    RECORD(CmdSetPrimitiveRestartEnable, VK_FALSE);
}

static void set_all(struct recording *rec, const struct pipeline *pipeline)
{
    struct random *r = rec->r;
    const VkSampleMask mask = 0xf;
    const VkBool32 yes = VK_TRUE, maybe = random_chance(r, 50);
    const VkColorBlendEquationEXT equation = {.dstColorBlendFactor = VK_BLEND_FACTOR_ONE};
    const VkColorComponentFlags components = random_below(r, 16);
    VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = 24,
        .divisor = 1};
    VkVertexInputAttributeDescription2EXT attributes[2] = {
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
         .format = VK_FORMAT_R32G32B32A32_SFLOAT},
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
         .location = 1,
         .format = VK_FORMAT_R32G32_SFLOAT,
         .offset = 16}};
    RECORD(CmdSetPolygonModeEXT, VK_POLYGON_MODE_FILL);
    RECORD(CmdSetRasterizationSamplesEXT, pipeline->shape.samples);
    RECORD(CmdSetSampleMaskEXT, pipeline->shape.samples, &mask);
    RECORD(CmdSetAlphaToCoverageEnableEXT, VK_FALSE);
    RECORD(CmdSetColorBlendEnableEXT, 0, 1, &maybe);
    RECORD(CmdSetColorBlendEquationEXT, 0, 1, &equation);
    RECORD(CmdSetColorWriteMaskEXT, 0, 1, &components);
    RECORD(CmdSetDepthClampEnableEXT, maybe);
    RECORD(CmdSetLogicOpEnableEXT, VK_FALSE);
    RECORD(CmdSetLogicOpEXT, VK_LOGIC_OP_COPY);
    RECORD(CmdSetColorWriteEnableEXT, 1, &yes);
    bool inputs = pipeline->geometry == GEOMETRY_INPUTS;
    if (pipeline->geometry != GEOMETRY_MESH)
        RECORD(CmdSetVertexInputEXT, inputs, &binding, inputs ? 2 : 0, attributes);
}

static void set_dynamic(struct recording *rec, const struct pipeline *pipeline)
{
    if (pipeline->dynamic < DYNAMIC_MUCH)
        set_little(rec, false);
    else
        set_much(rec, pipeline);
    if (pipeline->dynamic == DYNAMIC_OLD || pipeline->dynamic == DYNAMIC_ALL)
        set_old(rec);
    if (pipeline->dynamic == DYNAMIC_ALL)
        set_all(rec, pipeline);
}

/* --- draws --- */

/* A pipeline, and the set that was made ready for it. */
struct choice {
    struct pipeline *pipeline;
    struct set *set; /* NULL: it reads none */
};

static bool bind_any_vertices(struct recording *rec, const struct pipeline *pipeline)
{
    struct random *r = rec->r;
    if (pipeline->geometry != GEOMETRY_INPUTS)
        return true;
    struct buffer *buffer = need_buffer(rec->v, r, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 512);
    if (!buffer)
        return false;
    use(rec, &buffer->head);
    VkDeviceSize offset = 4 * random_below(r, 4), stride = 24,
                 size = random_chance(r, 50) ? VK_WHOLE_SIZE : 256;
    if (pipeline->dynamic == DYNAMIC_MUCH)
        RECORD(CmdBindVertexBuffers2, 0, 1, &buffer->handle, &offset, &size, &stride);
    else if (random_chance(r, 30))
        RECORD(CmdBindVertexBuffers2, 0, 1, &buffer->handle, &offset, &size, NULL);
    else
        RECORD(CmdBindVertexBuffers, 0, 1, &buffer->handle, &offset);
    return true;
}

static void draw_any_indexed(struct recording *rec)
{
    struct random *r = rec->r;
    struct buffer *indices = need_buffer(rec->v, r, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 256);
    if (!indices)
        return;
    use(rec, &indices->head);
    if (random_chance(r, 30))
        RECORD(CmdBindIndexBuffer2, indices->handle, 4 * random_below(r, 4),
               random_chance(r, 50) ? VK_WHOLE_SIZE : 64, (VkIndexType)random_below(r, 2));
    else
        RECORD(CmdBindIndexBuffer, indices->handle, 4 * random_below(r, 4),
               (VkIndexType)random_below(r, 2));
    RECORD(CmdDrawIndexed, 3 * random_below(r, 4), 1 + random_below(r, 3), random_below(r, 3),
           (int32_t)random_below(r, 3), 0);
    struct buffer *indirect = random_chance(r, 30)
                                  ? need_buffer(rec->v, r, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 256)
                                  : NULL;
    if (!indirect)
        return;
    use(rec, &indirect->head);
    if (random_chance(r, 50))
        RECORD(CmdDrawIndexedIndirect, indirect->handle, 4 * random_below(r, 4),
               1 + random_below(r, 3), 20 + 4 * random_below(r, 2));
    else
        RECORD(CmdDrawIndexedIndirectCount, indirect->handle, 0, indirect->handle, 128,
               1 + random_below(r, 3), 20);
}

static void draw_any_indirect(struct recording *rec)
{
    struct random *r = rec->r;
    struct buffer *indirect = need_buffer(rec->v, r, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 256);
    if (!indirect)
        return;
    use(rec, &indirect->head);
    if (random_chance(r, 50))
        RECORD(CmdDrawIndirect, indirect->handle, 4 * random_below(r, 4), random_below(r, 4),
               16 + 4 * random_below(r, 2));
    else
        RECORD(CmdDrawIndirectCount, indirect->handle, 0, indirect->handle, 128,
               1 + random_below(r, 3), 16);
}

static void draw_choice(struct recording *rec, const struct choice *choice)
{
    struct random *r = rec->r;
    const struct pipeline *pipeline = choice->pipeline;
    const VkMultiDrawInfoEXT draws[2] = {{0, 3}, {3, 3}};
    use(rec, &choice->pipeline->head);
    if (choice->set)
        use(rec, &choice->set->head);
    bool sets_first = random_chance(r, 50);
    if (sets_first && choice->set)
        bind_sets(rec, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline->layout, choice->set);
    RECORD(CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline->handle);
    if (!sets_first && choice->set)
        bind_sets(rec, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline->layout, choice->set);
    set_dynamic(rec, pipeline);
    if (!bind_any_vertices(rec, pipeline))
        return;
    for (uint32_t i = 1 + random_below(r, 3); i > 0; i--) {
        if (pipeline->geometry == GEOMETRY_MESH)
            RECORD(CmdDrawMeshTasksEXT, random_below(r, 4), 1, 1);
        else if (random_chance(r, 40))
            RECORD(CmdDraw, 3 * random_below(r, 3), 1 + random_below(r, 3), random_below(r, 3),
                   random_below(r, 3));
        else if (random_chance(r, 40))
            draw_any_indexed(rec);
        else if (random_chance(r, 60))
            draw_any_indirect(rec);
        else
            RECORD(CmdDrawMultiEXT, 1 + random_below(r, 2), draws, 1, 0, sizeof(draws[0]));
    }
}

static void clear_attachments(struct recording *rec, const struct shape *shape)
{
    struct random *r = rec->r;
    VkClearAttachment clears[2] = {
        {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {.float32 = {1, 0, 0, 1}}}},
        {format_aspects(shape->depth), 0, {.depthStencil = {1, 0}}}};
    VkClearRect rect = {{{(int32_t)random_below(r, 8), (int32_t)random_below(r, 8)},
                         {1 + random_below(r, 32), 1 + random_below(r, 32)}},
                        0,
                        1};
    RECORD(CmdClearAttachments, shape->depth && random_chance(r, 50) ? 2 : 1, clears, 1, &rect);
}

/* --- passes --- */

struct pass_recording {
    struct shape shape;
    struct pass *pass; /* or, dynamic: */
    struct framebuffer *framebuffer;
    struct view *color, *depth, *resolve;
    struct choice choices[2][CHOICES_MOST]; /* of each subpass */
    unsigned choice_count[2];
    struct query_pool *queries;
};

static struct shape any_shape(struct random *r)
{
    struct shape shape = {.color = any_color_format(r),
                          .samples = VK_SAMPLE_COUNT_1_BIT,
                          .dynamic = random_chance(r, 50)};
    if (random_chance(r, 40))
        shape.depth = any_depth_format(r);
    if (random_chance(r, 25)) {
        shape.samples = VK_SAMPLE_COUNT_4_BIT;
        shape.resolves = random_chance(r, 60);
    } else if (!shape.dynamic) {
        shape.two_subpasses = random_chance(r, 30);
    }
    return shape;
}

static bool attachment_ready(struct recording *rec, struct view *view)
{
    if (!view)
        return false;
    use(rec, &view->head);
    bool color = view->image->aspects == VK_IMAGE_ASPECT_COLOR_BIT;
    return to_layout(rec, view->image,
                     color ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                           : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
}

static bool attachments_ready(struct recording *rec, struct pass_recording *p)
{
    struct valid *v = rec->v;
    struct random *r = rec->r;
    const struct shape *shape = &p->shape;
    if (!shape->dynamic) {
        p->pass = need_pass(v, r, shape);
        if (!p->pass)
            return false;
        use(rec, &p->pass->head);
        p->framebuffer = need_framebuffer(v, r, p->pass);
        if (!p->framebuffer)
            return false;
        use(rec, &p->framebuffer->head);
        for (uint32_t i = 0; i < p->pass->attachment_count; i++) {
            if (!attachment_ready(rec, p->framebuffer->views[i]))
                return false;
        }
        return true;
    }
    p->color = need_attachment(v, r, shape->color, shape->samples, NULL);
    if (!attachment_ready(rec, p->color))
        return false;
    p->depth = shape->depth ? need_attachment(v, r, shape->depth, shape->samples, NULL) : NULL;
    if (shape->depth && !attachment_ready(rec, p->depth))
        return false;
    p->resolve =
        shape->resolves ? need_attachment(v, r, shape->color, VK_SAMPLE_COUNT_1_BIT, NULL) : NULL;
    return !shape->resolves || attachment_ready(rec, p->resolve);
}

/* True if the sets that were chosen before find every image as this one does. */
static bool set_agrees(const struct pass_recording *p, const struct set *set)
{
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned c = 0; c < p->choice_count[s]; c++) {
            const struct set *other = p->choices[s][c].set;
            for (unsigned i = 0; other && i < SET_BINDINGS; i++) {
                for (unsigned j = 0; j < SET_BINDINGS; j++) {
                    if (set->images[j] && set->images[j] == other->images[i] &&
                        set->layouts[j] != other->layouts[i])
                        return false;
                }
            }
        }
    }
    return true;
}

/* Chooses pipelines and sets, and makes the sets ready, as nothing can be done to images within a
 * pass. */
static void choose_pipeline(struct recording *rec, struct pass_recording *p, uint32_t subpass)
{
    struct valid *v = rec->v;
    for (unsigned i = 1 + random_below(rec->r, CHOICES_MOST); i > 0; i--) {
        struct choice *choice = &p->choices[subpass][p->choice_count[subpass]];
        choice->pipeline = need_pipeline(v, rec->r, &p->shape, subpass);
        choice->set = NULL;
        if (!choice->pipeline)
            continue;
        use(rec, &choice->pipeline->head);
        if (choice->pipeline->layout == LAYOUT_ATTACHMENT) {
            choice->set = need_attachment_set(v, rec->r, p->framebuffer->views[0]);
            if (choice->set)
                use(rec, &choice->set->head);
        } else {
            choice->set = need_set(v, rec->r, choice->pipeline->layout, false);
            if (choice->set && (!set_agrees(p, choice->set) || !set_ready(rec, choice->set)))
                choice->set = NULL;
        }
        if (choice->set)
            p->choice_count[subpass]++;
    }
}

static void begin_recorded_dynamic(struct recording *rec, const struct pass_recording *p,
                                   bool secondaries)
{
    struct random *r = rec->r;
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = p->color->handle,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = p->resolve ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = p->resolve ? p->resolve->handle : VK_NULL_HANDLE,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = (VkAttachmentLoadOp)random_below(r, 3),
        .storeOp = (VkAttachmentStoreOp)random_below(r, 2)};
    VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = p->depth ? p->depth->handle : VK_NULL_HANDLE,
                                       .imageLayout =
                                           VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                                       .loadOp = (VkAttachmentLoadOp)random_below(r, 3),
                                       .storeOp = (VkAttachmentStoreOp)random_below(r, 2),
                                       .clearValue = {.depthStencil = {1, 0}}};
    bool stencil = p->depth && p->depth->image->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = secondaries ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
        .renderArea = {{0, 0}, {64, 64}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = p->depth ? &depth : NULL,
        .pStencilAttachment = stencil ? &depth : NULL};
    RECORD(CmdBeginRendering, &info);
}

static void begin_recorded_pass(struct recording *rec, const struct pass_recording *p,
                                bool secondaries)
{
    VkSubpassContents contents =
        secondaries ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
    VkImageView views[4];
    VkClearValue clears[4];
    memset(clears, 0, sizeof(clears));
    for (uint32_t i = 0; i < p->pass->attachment_count; i++)
        views[i] = p->framebuffer->views[i]->handle;
    VkRenderPassAttachmentBeginInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = p->pass->attachment_count,
        .pAttachments = views};
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .pNext = p->framebuffer->imageless ? &attachments : NULL,
                                  .renderPass = p->pass->handle,
                                  .framebuffer = p->framebuffer->handle,
                                  .renderArea = {{0, 0}, {64, 64}},
                                  .clearValueCount = p->pass->attachment_count,
                                  .pClearValues = clears};
    VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
                                  .contents = contents};
    if (random_chance(rec->r, 50))
        RECORD(CmdBeginRenderPass2, &info, &subpass);
    else
        RECORD(CmdBeginRenderPass, &info, contents);
}

static void draw_inline(struct recording *rec, struct pass_recording *p, uint32_t subpass)
{
    struct random *r = rec->r;
    bool counts = p->queries && subpass == 0;
    if (counts)
        RECORD(CmdBeginQuery, p->queries->handle, 0,
               p->queries->type == VK_QUERY_TYPE_OCCLUSION ? random_below(r, 2) : 0);
    for (unsigned i = random_below(r, 4); i > 0 && p->choice_count[subpass]; i--)
        draw_choice(rec, &p->choices[subpass][random_below(r, p->choice_count[subpass])]);
    if (random_chance(r, 30))
        clear_attachments(rec, &p->shape);
    if (counts)
        RECORD(CmdEndQuery, p->queries->handle, 0);
}

static void draw_in_secondary(struct recording *rec, struct pass_recording *p, uint32_t subpass)
{
    struct commands *secondary = need_commands(rec->v, rec->r, rec->family, true);
    if (!secondary)
        return;
    struct recording inner;
    secondary->in_pass = true;
    secondary->inherits_queries = false;
    secondary->shape = p->shape;
    secondary->subpass = subpass;
    secondary->recording = true;
    begin_commands(rec->v, rec->r, &inner, secondary);
    struct pass_recording without = *p;
    without.queries = NULL;
    draw_inline(&inner, &without, subpass);
    end_commands(&inner);
    secondary->recording = false;
    RECORD(CmdExecuteCommands, 1, &secondary->handle);
    executes(rec, secondary);
}

static void draw_subpass(struct recording *rec, struct pass_recording *p, uint32_t subpass,
                         bool secondaries)
{
    if (secondaries)
        draw_in_secondary(rec, p, subpass);
    else
        draw_inline(rec, p, subpass);
}

static void next_subpass(struct recording *rec, bool secondaries)
{
    VkSubpassContents contents =
        secondaries ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
    VkSubpassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
                                .contents = contents};
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (random_chance(rec->r, 50))
        RECORD(CmdNextSubpass2, &begin, &end);
    else
        RECORD(CmdNextSubpass, contents);
}

void record_pass(struct recording *rec)
{
    struct random *r = rec->r;
    struct pass_recording p = {.shape = any_shape(r)};
    if (!attachments_ready(rec, &p))
        return;
    choose_pipeline(rec, &p, 0);
    if (p.shape.two_subpasses)
        choose_pipeline(rec, &p, 1);
    bool secondaries = random_chance(r, 20);
    if (random_chance(r, 30) && !secondaries)
        p.queries = need_query_pool(rec->v, r,
                                    random_chance(r, 60) ? VK_QUERY_TYPE_OCCLUSION
                                                         : VK_QUERY_TYPE_PIPELINE_STATISTICS);
    if (p.queries && p.queries->head.users)
        p.queries = NULL;
    if (p.queries) {
        use(rec, &p.queries->head);
        RECORD(CmdResetQueryPool, p.queries->handle, 0, p.queries->count);
    }
    if (p.shape.dynamic) {
        begin_recorded_dynamic(rec, &p, secondaries);
        draw_subpass(rec, &p, 0, secondaries);
        RECORD(CmdEndRendering);
        return;
    }
    begin_recorded_pass(rec, &p, secondaries);
    draw_subpass(rec, &p, 0, secondaries);
    if (p.shape.two_subpasses) {
        bool again = random_chance(r, 20);
        next_subpass(rec, again);
        draw_subpass(rec, &p, 1, again);
    }
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (random_chance(r, 50))
        RECORD(CmdEndRenderPass2, &end);
    else
        RECORD(CmdEndRenderPass);
}
