/* Transform feedback: captured with and without counters, counted by queries, and drawn from. */
#include "valid.h"

struct capture {
    VkPipeline pipeline;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    struct buffer *target, *counter;
    VkQueryPool queries;
    VkQueryType type;
};

static void make_capture_pass(struct world *w, struct capture *c)
{
    VkSubpassDescription subpass = {.pInputAttachments = IGNORED,
                                    .pColorAttachments = IGNORED,
                                    .pResolveAttachments = IGNORED,
                                    .pPreserveAttachments = IGNORED};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .pAttachments = IGNORED,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass,
                                   .pDependencies = IGNORED};
    MUST(CreateRenderPass, w->device, &info, NULL, &c->pass);
    OWN(RenderPass, c->pass);
    VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = c->pass,
                                           .pAttachments = IGNORED,
                                           .width = 8,
                                           .height = 8,
                                           .layers = 1};
    MUST(CreateFramebuffer, w->device, &framebuffer, NULL, &c->framebuffer);
    OWN(Framebuffer, c->framebuffer);
}

static void make_capture_pipeline(struct world *w, struct capture *c)
{
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pSetLayouts = IGNORED,
                                              .pPushConstantRanges = IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &layout_info, NULL, &layout);
    OWN(PipelineLayout, layout);
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = make_module(w, SHADER_capture_vert),
        .pName = "main"};
    VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = PICK(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                         ON(maintenance5) ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                                          : VK_PRIMITIVE_TOPOLOGY_LINE_LIST)};
    VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
    VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = ON(geometryStreams) && chance(w, 50) ? &stream : NULL,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1.0f};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 1,
                                         .pStages = &stage,
                                         .pVertexInputState = &vertices,
                                         .pInputAssemblyState = &assembly,
                                         .pTessellationState = IGNORED,
                                         .pViewportState = IGNORED,
                                         .pRasterizationState = &rasterization,
                                         .pMultisampleState = IGNORED,
                                         .pDepthStencilState = IGNORED,
                                         .pColorBlendState = IGNORED,
                                         .layout = layout,
                                         .renderPass = c->pass};
    MUST(CreateGraphicsPipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &c->pipeline);
    OWN(Pipeline, c->pipeline);
}

static void record_capture(struct record *rec, struct capture *c)
{
    struct world *w = rec->w;
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = c->pass,
                                   .framebuffer = c->framebuffer,
                                   .renderArea = {{0, 0}, {8, 8}},
                                   .pClearValues = IGNORED};
    VkDeviceSize offset = PICK(0, 4, 64), size = PICK(VK_WHOLE_SIZE, 512), at = PICK(0, 4);
    CALL(CmdBeginRenderPass, rec->c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_GRAPHICS, c->pipeline);
    CALL(CmdBindTransformFeedbackBuffersEXT, rec->c, 0, 1, &c->target->handle, &offset,
         chance(w, 50) ? &size : NULL);
    if (c->queries)
        CALL(CmdBeginQueryIndexedEXT, rec->c, c->queries, 1, 0, 0);
    VkBuffer none = VK_NULL_HANDLE;
    bool counted = c->counter != NULL;
    if (counted)
        CALL(CmdBeginTransformFeedbackEXT, rec->c, 0, 1, &c->counter->handle,
             chance(w, 50) || at ? &at : NULL);
    else if (chance(w, 50))
        CALL(CmdBeginTransformFeedbackEXT, rec->c, 0, 0, NULL, NULL);
    else
        CALL(CmdBeginTransformFeedbackEXT, rec->c, 0, 1, &none, NULL);
    for (uint32_t i = below(w, 3); i > 0; i--)
        CALL(CmdDraw, rec->c, 3, between(w, 0, 2), 0, 0);
    if (counted)
        CALL(CmdEndTransformFeedbackEXT, rec->c, 0, 1, &c->counter->handle,
             chance(w, 50) || at ? &at : NULL);
    else
        CALL(CmdEndTransformFeedbackEXT, rec->c, PICK(0u, 1u), 0, NULL, NULL);
    if (c->queries)
        CALL(CmdEndQueryIndexedEXT, rec->c, c->queries, 1, 0);
    CALL(CmdEndRenderPass, rec->c);
}

void step_captures(struct world *w)
{
    VkPhysicalDeviceTransformFeedbackPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
    if (!ON(transformFeedback) || !properties_of(w, &properties))
        return;
    struct capture *c = NEW(struct capture, VK_NULL_HANDLE);
    make_capture_pass(w, c);
    make_capture_pipeline(w, c);
    c->target = make_buffer(w, 1024, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, false);
    if (chance(w, 50))
        c->counter =
            make_buffer(w, 16,
                        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                            VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                        false);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    if (c->counter) {
        ready(rec, USE(CLEAR));
        CALL(CmdFillBuffer, rec->c, c->counter->handle, 0, VK_WHOLE_SIZE, 0);
    }
    c->type =
        PICK(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
    if (c->type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT
            ? properties.transformFeedbackQueries && chance(w, 50)
            : ON(primitivesGeneratedQuery) && ON(primitivesGeneratedQueryWithRasterizerDiscard) &&
                  chance(w, 50)) {
        VkQueryPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = c->type,
                                      .queryCount = 2};
        MUST(CreateQueryPool, w->device, &pool, NULL, &c->queries);
        OWN(QueryPool, c->queries);
        CALL(CmdResetQueryPool, rec->c, c->queries, 0, 2);
    }
    for (uint32_t i = between(w, 1, 2); i > 0; i--) {
        ready(rec, USE(FEEDBACK));
        record_capture(rec, c);
        if (c->queries)
            break; /* reset once */
    }
    record_finish(rec);
}
